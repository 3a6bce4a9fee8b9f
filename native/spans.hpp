// Trees whose words are spans of time, `(NP (DT 0.15-0.39) 0.39-0.8)`: from text to times, and back.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "names.hpp"
#include "progress.hpp"
#include "treebank.hpp"

namespace treescore {

// Two decimal numbers with a hyphen or a colon between them, in any order.
std::optional<Interval> parse_span(std::string_view word);

// Why a tree has no times. It stays in the columns as an empty, faulty one.
#define TREESCORE_SPAN_FAULTS(VALUE)                                                 \
  VALUE(kNoSpan, NO_SPAN)     /* a word that is no span */                           \
  VALUE(kOutside, OUTSIDE)    /* a time before 0 or beyond all bounds */             \
  VALUE(kNoLength, NO_LENGTH) /* a span that ends before it has begun, or at once */ \
  VALUE(kOverlap, OVERLAP)    /* a span that begins before the words before it end, however siblings are put in order */

TREESCORE_ENUM(SpanFaultKind, uint8_t, TREESCORE_SPAN_FAULTS);

struct SpanFault {
  using Kind = SpanFaultKind;
  Kind kind;
  uint64_t tree;
  std::string word;
};

// Whether most trees have only spans as words. If they have text, only the first few are examined.
bool are_spans(const Columns& columns, size_t begin, size_t end);

// Whether these are enough trees of text to decide, whatever follows.
bool are_surely_text(const Columns& columns, size_t begin, size_t end);

// The same trees with times. A bracket whose label is a span has no label, and that span is its first word; a span
// without a bracket of its own is a preterminal without a label; siblings are put in the order of time.
std::vector<SpanFault> place_spans(const Columns& columns, size_t begin, size_t end, Columns& out, Progress* progress);

// The first tree that cannot be written so: it has words without times, or before 0, or gaps.
std::optional<size_t> first_without_spans(const Columns& columns, size_t begin, size_t end);

// The same trees with spans for words. Words of no length, and phrases without other words, are left out.
void write_spans(const Columns& columns, size_t begin, size_t end, Columns& out);

}  // namespace treescore
