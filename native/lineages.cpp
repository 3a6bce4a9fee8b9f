#include "lineages.hpp"

#include <algorithm>
#include <stdexcept>

namespace treescore {
namespace {

constexpr size_t kMostOpened = size_t{1} << 26;  // where phrases have gaps; else no phrase opens twice

// The first of as many words in which two trees differ, or their number.
int32_t first_difference(const TreeView& gold_tree, const Lineages& gold, const TreeView& test_tree,
                         const Lineages& test) {
  for (int32_t word = 0; word < gold.words(); ++word)
    if (gold_tree.word(gold.leaf(word)) != test_tree.word(test.leaf(word))) return word;
  return gold.words();
}

}  // namespace

void Lineages::clear() {
  leaf_.clear();
  position_.clear();
  shared_.assign(1, 0);
  opened_.clear();
  opened_begin_.assign(1, 0);
  phrases_ = 0;
}

void Lineages::read(const TreeView& tree, const SideRules& rules, const TreeView& tags, const SideRules& tag_rules) {
  clear();
  shared_.clear();
  const size_t nodes = tree.nodes.size();
  counted_.resize(nodes);
  for (size_t node = 0; node < nodes; ++node) {
    const auto [label, parent, first, end] = tree.nodes[node];
    const int32_t above = parent < 0 ? -1 : counted_[static_cast<size_t>(parent)];
    counted_[node] = rules.label_deleted[label] ? above : static_cast<int32_t>(node);
  }
  first_.assign(nodes, -1);
  end_.resize(nodes);
  depth_.resize(nodes);
  stack_.clear();
  const std::vector<int32_t> parents = tree.leaf_parents();
  const auto above = [&](int32_t node) { return node < 0 ? -1 : counted_[static_cast<size_t>(node)]; };
  const auto is_open = [&](int32_t node) {
    const auto depth = static_cast<size_t>(depth_[static_cast<size_t>(node)]);
    return first_[static_cast<size_t>(node)] >= 0 && depth < stack_.size() && stack_[depth] == node;
  };
  const auto close_to = [&](int32_t depth, int32_t word) {
    for (; static_cast<int32_t>(stack_.size()) > depth; stack_.pop_back())
      end_[static_cast<size_t>(stack_.back())] = word;
    shared_.push_back(depth);
  };
  position_.resize(tree.leaves.size() + 1);
  for (size_t leaf = 0; leaf < tree.leaves.size(); ++leaf) {
    const int32_t word = words();
    position_[leaf] = word;
    const uint32_t tag = tags.leaves[leaf].tag;
    if (tag != kNone && (tag_rules.tag_flags[tag] & SideRules::kDeleted) != 0) continue;
    leaf_.push_back(static_cast<uint32_t>(leaf));
    const size_t begin = opened_.size();
    int32_t node = above(parents[leaf]);
    for (; node >= 0 && !is_open(node); node = above(tree.nodes[static_cast<size_t>(node)].parent))
      opened_.push_back(node);
    if (opened_.size() > std::max(kMostOpened, nodes)) throw std::length_error("too many phrases with gaps");
    close_to(node < 0 ? 0 : depth_[static_cast<size_t>(node)] + 1, word);
    std::reverse(opened_.begin() + static_cast<std::ptrdiff_t>(begin), opened_.end());
    for (size_t place = begin; place < opened_.size(); ++place) {
      const auto opening = static_cast<size_t>(opened_[place]);
      depth_[opening] = static_cast<int32_t>(stack_.size());
      if (first_[opening] < 0) {
        first_[opening] = word;
        ++phrases_;
      }
      stack_.push_back(opened_[place]);
    }
    opened_begin_.push_back(opened_.size());
  }
  position_[tree.leaves.size()] = words();
  close_to(0, words());
}

int64_t LineagePair::read(const Columns& gold_columns, size_t gold_index, const Columns& test_columns,
                          size_t test_index, const PairRules& rules, std::array<int64_t, 2>& detail) {
  gold_tree = gold_columns.tree(gold_index);
  test_tree = test_columns.tree(test_index);
  gold.clear();
  test.clear();
  if (gold_columns.faulty(gold_index)) return reason::kGoldFault;
  gold.read(gold_tree, rules.gold, gold_tree, rules.gold);
  if (test_columns.faulty(test_index)) return gold.words() == 0 ? reason::kBothEmpty : reason::kTestFault;
  const bool by_gold = rules.delete_by_gold && gold_tree.leaves.size() == test_tree.leaves.size();
  if (by_gold)
    test.read(test_tree, rules.test, gold_tree, rules.gold);
  else
    test.read(test_tree, rules.test, test_tree, rules.test);
  if (test.words() == 0) return gold.words() == 0 ? reason::kBothEmpty : reason::kEmptyTest;
  if (gold.words() != test.words()) {
    detail = {gold.words(), test.words()};
    return reason::kWordCount;
  }
  const int32_t differing = first_difference(gold_tree, gold, test_tree, test);
  if (differing < gold.words()) {
    detail = {gold.leaf(differing), test.leaf(differing)};
    return reason::kWords;
  }
  return reason::kScored;
}

}  // namespace treescore
