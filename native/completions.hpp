// Completions of language models that need no closer look: one tree as printed, over the words of its sentence.
#pragma once

#include <string_view>

#include "names.hpp"
#include "treebank.hpp"

namespace treescore {

// What a first look tells about a completion.
#define TREESCORE_FIRST_LOOKS(VALUE)                                                \
  VALUE(kOther, OTHER)       /* only a closer look can tell */                      \
  VALUE(kFaithful, FAITHFUL) /* valid as printed, with the words of its sentence */ \
  VALUE(kNoGold, NO_GOLD)    /* its sentence has no words, or its gold tree cannot be used */

TREESCORE_ENUM(FirstLook, uint8_t, TREESCORE_FIRST_LOOKS);

// Appends the tree of a completion in UTF-8, unfinished. The completion must be valid as printed: apart from reasoning
// and blanks it is one tree, all its brackets have words, and nothing in it is repaired. The leaves must be the words
// of the sentence, and there may be at most `most_nodes` phrases and words. Otherwise the result is false, and there is
// no tree.
bool append_faithful(std::string_view completion, const TreeView& sentence, size_t most_nodes, Columns& out);

// Are there words with the tag -NONE-, which are traces, in these columns?
bool has_traces(const Columns& columns);

// The same trees without traces, and without phrases over nothing else.
void write_without_traces(const Columns& columns, size_t begin, size_t end, Columns& out);

}  // namespace treescore
