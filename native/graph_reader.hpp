// Reads the text formats for discontinuous trees: NEGRA's export format, and brackets with numbered words.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "graph.hpp"
#include "progress.hpp"

namespace treescore {

// Why a sentence could not be read. It stays in the columns as an empty, faulty one.
#define TREESCORE_GRAPH_TEXT_FAULTS(VALUE)                                                          \
  VALUE(kUnclosed, UNCLOSED)    /* brackets that are still open, or a sentence that does not end */ \
  VALUE(kSurplus, SURPLUS)      /* a bracket that closes nothing */                                 \
  VALUE(kLooseText, LOOSE_TEXT) /* text outside brackets or sentences */                            \
  VALUE(kColumns, COLUMNS)      /* a line has too few columns, or not those of its format */        \
  VALUE(kParent, PARENT)        /* no number, or that of no phrase */                               \
  VALUE(kTwice, TWICE)          /* a phrase with the number of another one */                       \
  VALUE(kCycle, CYCLE)          /* a phrase is above itself */                                      \
  VALUE(kNoWords, NO_WORDS)     /* a phrase without words */                                        \
  VALUE(kEnd, END)              /* the end of another sentence */                                   \
  VALUE(kNoIndex, NO_INDEX)     /* a word without a number among words with one */                  \
  VALUE(kIndex, INDEX)          /* not the numbers from 0 on, each once */                          \
  VALUE(kFormat, FORMAT)        /* a version of the format that is not known */

TREESCORE_ENUM(GraphTextFaultCode, uint8_t, TREESCORE_GRAPH_TEXT_FAULTS);

struct GraphTextFault {
  using Code = GraphTextFaultCode;
  static constexpr uint64_t kNoTree = UINT64_MAX;
  Code code;
  uint64_t tree;    // kNoTree: not about a sentence
  uint64_t line;    // from 1
  uint64_t column;  // from 1, in characters
  std::string text;
};

struct GraphText {
  std::vector<GraphTextFault> faults;
  std::vector<std::string> ids;  // of the sentences, where the format has them
  uint64_t blank_lines = 0;
};

// `join_functions`: functions are appended to the labels (NP-SB) and not kept apart.
GraphText read_export(std::string_view text, bool join_functions, Columns& out, Progress* progress);

// One sentence per line, or, unless `by_line`, from one "(" at the start of a line to the next.
GraphText read_discbracket(std::string_view text, bool by_line, Columns& out, Progress* progress);

// Whether the words of these bracketed trees are numbered. The first tree with a word that looks numbered decides.
bool is_discbracket(std::string_view text);

// Can a text only be trees in brackets? Other formats have control characters such as tabs, or numbered words.
bool is_plain_brackets(std::string_view text);

// The text as it may occur in brackets: with -LRB- and -RRB- for parentheses, and _ for blanks and for empty text.
std::string escaped_for_brackets(std::string_view text);

}  // namespace treescore
