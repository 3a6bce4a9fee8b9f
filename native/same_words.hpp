// Whether two trees have the same words.
#pragma once

#include <optional>
#include <string_view>
#include <unordered_set>

#include "progress.hpp"
#include "treebank.hpp"

namespace treescore {

bool have_same_words(const TreeView& a, const TreeView& b);
// The first tree with different words, among those with words on both sides. `traces`: whether traces count as words.
// Treebanks have them, parsers do not print them.
std::optional<size_t> first_unequal(const Columns& a, size_t a_begin, const Columns& b, size_t b_begin, size_t count,
                                    bool traces);
// The words of all trees that differ in their words from the tree with the same number.
std::unordered_set<std::string_view> differing_words(const Columns& a, size_t a_begin, const Columns& b, size_t b_begin,
                                                     size_t count, Progress& progress);

}  // namespace treescore
