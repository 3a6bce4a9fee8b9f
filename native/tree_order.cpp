#include "tree_order.hpp"

namespace treescore {

void TreeOrder::set(const TreeView& tree) {
  const size_t phrases = tree.nodes.size(), leaves = tree.leaves.size();
  starts_.assign(leaves + 2, 0);
  for (const Node& node : tree.nodes) ++starts_[static_cast<size_t>(node.first) + 1];
  for (size_t leaf = 0; leaf <= leaves; ++leaf) starts_[leaf + 1] += starts_[leaf];
  by_start_.resize(phrases);
  for (size_t node = 0; node < phrases; ++node)
    by_start_[static_cast<size_t>(starts_[static_cast<size_t>(tree.nodes[node].first)]++)] = static_cast<int32_t>(node);
  first_.assign(phrases + 1, -1);
  next_.assign(phrases + leaves, -1);
  const auto put_first = [&](int32_t parent, int32_t item) {
    int32_t& first = first_[parent < 0 ? phrases : static_cast<size_t>(parent)];
    next_[static_cast<size_t>(item)] = first;
    first = item;
  };
  const std::vector<int32_t> parents = tree.leaf_parents();
  size_t waiting = phrases;
  for (size_t leaf = leaves + 1; leaf-- > 0;) {
    // Of the nodes that start at one place, only phrases without words have the same parent; they come first.
    if (leaf < leaves) put_first(parents[leaf], static_cast<int32_t>(phrases + leaf));
    for (; waiting > 0; --waiting) {
      const int32_t node = by_start_[waiting - 1];
      if (tree.nodes[static_cast<size_t>(node)].first < static_cast<int32_t>(leaf)) break;
      put_first(tree.nodes[static_cast<size_t>(node)].parent, node);
    }
  }
}

OpeningNumbers::OpeningNumbers(const TreeView& tree) : phrases(tree.nodes.size()), leaves(tree.leaves.size()) {
  int32_t number = 0;
  const auto open = [&](int32_t phrase) { phrases[static_cast<size_t>(phrase)] = number++; };
  const auto word = [&](int32_t leaf) {
    const auto at = static_cast<size_t>(leaf);
    leaves[at] = tree.leaves[at].tag == kNone ? -1 : number++;
  };
  if (tree.discontinuous) {
    TreeOrder order;
    order.set(tree);
    order.walk(tree, open, word, [](int32_t) {});
    return;
  }
  const auto phrase_count = static_cast<int32_t>(phrases.size()), leaf_count = static_cast<int32_t>(leaves.size());
  int32_t phrase = 0;
  for (int32_t leaf = 0; leaf <= leaf_count; ++leaf) {
    for (; phrase < phrase_count && tree.nodes[static_cast<size_t>(phrase)].first <= leaf; ++phrase) open(phrase);
    if (leaf < leaf_count) word(leaf);
  }
}

}  // namespace treescore
