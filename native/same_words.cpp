#include "same_words.hpp"

#include <algorithm>

namespace treescore {

namespace {

// The words of a tree without traces, one after another.
class Words {
 public:
  Words(const TreeView& tree, const Vocabulary& names) : tree_(tree), names_(names) {}

  bool at_end() {
    while (leaf_ < tree_.leaves.size() && is_trace(tree_.leaves[leaf_].tag)) ++leaf_;
    return leaf_ == tree_.leaves.size();
  }
  std::string_view next() { return tree_.word(leaf_++); }

 private:
  bool is_trace(uint32_t tag) const { return tag != kNone && names_.at(tag) == "-NONE-"; }

  const TreeView& tree_;
  const Vocabulary& names_;
  size_t leaf_ = 0;
};

bool have_same_words(Words a, Words b) {
  while (!a.at_end() && !b.at_end())
    if (a.next() != b.next()) return false;
  return a.at_end() && b.at_end();
}

}  // namespace

bool have_same_words(const TreeView& a, const TreeView& b) {
  return a.leaves.size() == b.leaves.size() &&
         std::string_view(a.text, a.text_size()) == std::string_view(b.text, b.text_size()) &&
         std::ranges::equal(a.leaves, b.leaves, {}, &Leaf::word_end, &Leaf::word_end);
}

std::optional<size_t> first_unequal(const Columns& a, size_t a_begin, const Columns& b, size_t b_begin, size_t count,
                                    bool traces) {
  for (size_t index = 0; index < count; ++index) {
    const TreeView a_tree = a.tree(a_begin + index), b_tree = b.tree(b_begin + index);
    if (a_tree.leaves.empty() || b_tree.leaves.empty() || have_same_words(a_tree, b_tree)) continue;
    if (traces || !have_same_words(Words(a_tree, a.vocabulary()), Words(b_tree, b.vocabulary()))) return index;
  }
  return std::nullopt;
}

std::unordered_set<std::string_view> differing_words(const Columns& a, size_t a_begin, const Columns& b, size_t b_begin,
                                                     size_t count, Progress& progress) {
  std::unordered_set<std::string_view> words;
  for (size_t index = 0; index < count; ++index) {
    const TreeView trees[] = {a.tree(a_begin + index), b.tree(b_begin + index)};
    progress.at(index);
    if (have_same_words(trees[0], trees[1])) continue;
    for (const TreeView& tree : trees)
      for (size_t leaf = 0; leaf < tree.leaves.size(); ++leaf) words.insert(tree.word(leaf));
  }
  return words;
}

}  // namespace treescore
