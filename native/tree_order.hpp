// The order in which a tree is traversed: below each phrase, phrases and words by their first words. In a discontinuous
// tree this is not the order of the sentence.
#pragma once

#include <vector>

#include "treebank.hpp"

namespace treescore {

class TreeOrder {
 public:
  void set(const TreeView& tree);

  // Calls open(phrase), word(leaf) and close(phrase) while traversing the tree that was set.
  template <class Open, class Word, class Close>
  void walk(const TreeView& tree, const Open& open, const Word& word, const Close& close) const {
    const auto phrases = static_cast<int32_t>(tree.nodes.size());
    int32_t parent = -1, item = first_.back();
    for (;;) {
      if (item >= phrases) {
        word(item - phrases);
        item = next_[static_cast<size_t>(item)];
      } else if (item >= 0) {
        open(item);
        parent = item;
        item = first_[static_cast<size_t>(item)];
      } else if (parent >= 0) {
        close(parent);
        item = next_[static_cast<size_t>(parent)];
        parent = tree.nodes[static_cast<size_t>(parent)].parent;
      } else {
        return;
      }
    }
  }

 private:
  std::vector<int32_t> first_;  // below each phrase, and of all in the end; leaves are counted on from the phrases
  std::vector<int32_t> next_;
  std::vector<int32_t> starts_;  // how many phrases start before each leaf
  std::vector<int32_t> by_start_;
};

// The numbers of phrases and preterminals in the order in which they open; -1 for words without a tag.
struct OpeningNumbers {
  std::vector<int32_t> phrases, leaves;
  explicit OpeningNumbers(const TreeView& tree);
};

}  // namespace treescore
