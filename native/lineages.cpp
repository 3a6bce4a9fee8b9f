#include "lineages.hpp"

#include <algorithm>
#include <ranges>
#include <stdexcept>

namespace treescore {
namespace {

constexpr size_t kMostOpened = size_t{1} << 26;  // if phrases have gaps; otherwise no phrase opens twice

bool is_deleted(uint32_t tag, const SideRules& rules) {
  return tag != kNone && (rules.tag_flags[tag] & SideRules::kDeleted) != 0;
}

// The first word in which two trees with equally many words differ, or the number of words.
int32_t first_difference(const TreeView& gold_tree, const Lineages& gold, const TreeView& test_tree,
                         const Lineages& test, const WordRules& words) {
  const auto same_end = [](const Leaf& a, const Leaf& b) { return a.word_end == b.word_end; };
  if (std::ranges::equal(gold_tree.leaves, test_tree.leaves, same_end) &&
      std::ranges::equal(gold.leaves(), test.leaves()) &&
      std::string_view(gold_tree.text, gold_tree.text_size()) ==
          std::string_view(test_tree.text, test_tree.text_size()))
    return gold.words();
  for (int32_t word = 0; word < gold.words(); ++word)
    if (!words.same(gold_tree.word(gold.leaf(word)), test_tree.word(test.leaf(word)))) return word;
  return gold.words();
}

}  // namespace

void Lineages::clear() {
  leaf_.clear();
  position_.assign(1, 0);
  shared_.assign(1, 0);
  opened_.clear();
  opened_begin_.assign(1, 0);
  stack_.clear();
  phrases_ = 0;
}

void Lineages::read(const TreeView& tree, const SideRules& rules, const TreeView& tags, const SideRules& tag_rules) {
  clear();
  shared_.clear();
  position_.resize(tree.leaves.size() + 1);
  has_gaps_ = !tree.parents.empty();
  if (has_gaps_)
    read_by_parents(tree, rules, tags, tag_rules);
  else
    read_nested(tree, rules, tags, tag_rules);
  position_[tree.leaves.size()] = words();
  shared_.push_back(0);
}

void Lineages::read_nested(const TreeView& tree, const SideRules& rules, const TreeView& tags,
                           const SideRules& tag_rules) {
  // No more can be needed: nothing below reallocates.
  opened_.resize(tree.nodes.size());
  stack_.resize(tree.nodes.size());
  leaf_.resize(tree.leaves.size());
  shared_.resize(tree.leaves.size());
  opened_begin_.resize(tree.leaves.size() + 1);
  size_t next = 0, opened = 0, depth = 0, word = 0;
  for (size_t leaf = 0; leaf < tree.leaves.size(); ++leaf) {
    position_[leaf] = static_cast<int32_t>(word);
    if (is_deleted(tags.leaves[leaf].tag, tag_rules)) continue;
    const auto place = static_cast<int32_t>(leaf);
    while (depth > 0 && tree.nodes[static_cast<size_t>(stack_[depth - 1])].end <= place) --depth;
    shared_[word] = static_cast<int32_t>(depth);
    for (; next < tree.nodes.size() && tree.nodes[next].first <= place; ++next) {
      const Node& node = tree.nodes[next];
      if (node.end <= place || rules.label_deleted[node.label]) continue;
      stack_[depth++] = opened_[opened++] = static_cast<int32_t>(next);
    }
    leaf_[word++] = static_cast<uint32_t>(leaf);
    opened_begin_[word] = opened;
  }
  opened_.resize(opened);
  leaf_.resize(word);
  shared_.resize(word);
  opened_begin_.resize(word + 1);
  phrases_ = static_cast<int32_t>(opened);
}

void Lineages::read_by_parents(const TreeView& tree, const SideRules& rules, const TreeView& tags,
                               const SideRules& tag_rules) {
  const size_t nodes = tree.nodes.size();
  counted_.resize(nodes);
  const auto counted = [&](int32_t node) { return node < 0 ? -1 : counted_[static_cast<size_t>(node)]; };
  for (size_t node = 0; node < nodes; ++node)
    counted_[node] =
        rules.label_deleted[tree.nodes[node].label] ? counted(tree.nodes[node].parent) : static_cast<int32_t>(node);
  first_.assign(nodes, -1);
  end_.resize(nodes);
  depth_.resize(nodes);
  const auto is_open = [&](int32_t node) {
    const auto depth = static_cast<size_t>(depth_[static_cast<size_t>(node)]);
    return first_[static_cast<size_t>(node)] >= 0 && depth < stack_.size() && stack_[depth] == node;
  };
  const auto close_to = [&](int32_t depth, int32_t word) {
    for (; static_cast<int32_t>(stack_.size()) > depth; stack_.pop_back())
      end_[static_cast<size_t>(stack_.back())] = word;
  };
  for (size_t leaf = 0; leaf < tree.leaves.size(); ++leaf) {
    const int32_t word = position_[leaf] = words();
    if (is_deleted(tags.leaves[leaf].tag, tag_rules)) continue;
    leaf_.push_back(static_cast<uint32_t>(leaf));
    const size_t begin = opened_.size();
    int32_t node = counted(tree.parents[leaf]);
    for (; node >= 0 && !is_open(node); node = counted(tree.nodes[static_cast<size_t>(node)].parent))
      opened_.push_back(node);
    if (opened_.size() > std::max(kMostOpened, nodes)) throw std::length_error("too many phrases with gaps");
    shared_.push_back(node < 0 ? 0 : depth_[static_cast<size_t>(node)] + 1);
    close_to(shared_.back(), word);
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
  if (gold.words() == 0 && test.words() == 0) return reason::kBothEmpty;
  if (test_tree.leaves.empty()) return reason::kEmptyTest;
  if (gold.words() != test.words()) {
    detail = {gold.words(), test.words()};
    return reason::kWordCount;
  }
  const int32_t differing = first_difference(gold_tree, gold, test_tree, test, rules.words);
  if (differing < gold.words()) {
    detail = {gold.leaf(differing), test.leaf(differing)};
    return reason::kWords;
  }
  return reason::kScored;
}

}  // namespace treescore
