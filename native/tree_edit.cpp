#include "tree_edit.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <stdexcept>

namespace treescore {
namespace {

constexpr size_t kBlock = 16;  // pairs that a thread takes at once
constexpr double kSecondsPerCell = 1.5e-9;
constexpr uint32_t kFirstWordKey = 1u << 31;  // labels have lower keys
constexpr uint32_t kFirstJointKey = 3u << 30;
constexpr uint32_t kRootKey = kNone;

// The nodes in the order in which they open: after all nodes that closed before and its own ancestors.
std::vector<int32_t> opening_order(const EditTree& tree) {
  std::vector<int32_t> order(static_cast<size_t>(tree.size())), above;
  for (int32_t node = tree.size(); node-- > 0;) {
    while (!above.empty() && node < tree.leftmost[static_cast<size_t>(above.back())]) above.pop_back();
    order[static_cast<size_t>(tree.leftmost[static_cast<size_t>(node)]) + above.size()] = node;
    above.push_back(node);
  }
  return order;
}

int64_t count_empty_phrases(const TreeView& tree) {
  if (tree.leaves.empty()) return 0;
  return std::count_if(tree.nodes.begin(), tree.nodes.end(), [](const Node& node) { return node.end <= node.first; });
}

}  // namespace

// ---- Nodes

LabelledTree EditTree::view(bool with_root) const {
  const size_t count = number.size() + with_root;
  return {std::span(label).first(count), std::span(leftmost).first(count)};
}

void EditTree::clear() {
  label.clear();
  leftmost.clear();
  number.clear();
}

void EditTree::add(uint32_t key, int32_t leftmost_node, int32_t own_number) {
  label.push_back(key);
  leftmost.push_back(leftmost_node);
  number.push_back(own_number);
}

void EditTree::close() {
  label.push_back(kRootKey);
  leftmost.push_back(0);
}

uint32_t TreeEditScorer::word_key(const TreeView& tree, size_t leaf, const Side& side) {
  const auto next = kFirstWordKey + static_cast<uint32_t>(word_keys_.size());
  const uint32_t word = word_keys_.try_emplace(tree.word(leaf), next).first->second;
  return side.surface.empty() ? word : joint_key(word, side.surface[leaf]);
}

// The key of a word and its surface word, or of either of these and a tag: the keys of words tell them apart.
uint32_t TreeEditScorer::joint_key(uint32_t word, uint32_t other) {
  const auto next = kFirstJointKey + static_cast<uint32_t>(joint_keys_.size());
  return joint_keys_.try_emplace(uint64_t{word} << 32 | other, next).first->second;
}

// Such a root is not a node of the forest below the fixed root.
bool TreeEditScorer::stands_for_fixed_root(const TreeView& tree, const Side& side) const {
  if (rules_.roots == TreeEditRules::kAsTheyAre || tree.nodes.empty()) return false;
  const Node& root = tree.nodes[0];
  return side.root[root.label] && root.first == 0 && root.end == static_cast<int32_t>(tree.leaves.size());
}

// Returns how many words were not deleted.
int32_t TreeEditScorer::place(const TreeView& tree, const Side& side, EditTree& out) {
  const SideRules& rules = side.rules;
  out.clear();
  open_.clear();
  const auto is_tagged = [](const Leaf& leaf) { return leaf.tag != kNone; };
  const auto first_word_number =
      static_cast<int32_t>(std::ssize(tree.nodes) + std::count_if(tree.leaves.begin(), tree.leaves.end(), is_tagged));
  int32_t words = 0;
  size_t next = stands_for_fixed_root(tree, side);
  auto number = static_cast<int32_t>(next);
  for (int32_t leaf = 0; leaf < static_cast<int32_t>(tree.leaves.size()); ++leaf) {
    for (; next < tree.nodes.size() && tree.nodes[next].first <= leaf; ++next, ++number) {
      const Node& node = tree.nodes[next];
      if (node.end > node.first && !rules.label_deleted[node.label])
        open_.push_back({key(rules.label_key[node.label]), number, node.end, out.size(), words});
    }
    const uint32_t tag = tree.leaves[static_cast<size_t>(leaf)].tag;
    if (tag == kNone || (rules.tag_flags[tag] & SideRules::kDeleted) == 0) {
      ++words;
      add_word(tree, static_cast<size_t>(leaf), side, first_word_number + leaf, number, out);
    }
    number += tag != kNone;
    for (; !open_.empty() && open_.back().end <= leaf + 1; open_.pop_back()) {
      const Open& phrase = open_.back();
      if (words > phrase.words_before) out.add(phrase.key, phrase.leftmost, phrase.number);
    }
  }
  out.close();
  return words;
}

// Adds the nodes of a word and of its tag.
void TreeEditScorer::add_word(const TreeView& tree, size_t leaf, const Side& side, int32_t word_number,
                              int32_t tag_number, EditTree& out) {
  const uint32_t tag = tree.leaves[leaf].tag;
  const int32_t leftmost = out.size();
  uint32_t word = 0;
  if (rules_.words != TreeEditRules::kNoNodes) word = word_key(tree, leaf, side);
  const uint32_t tag_key = key(tag == kNone ? kNone : side.rules.tag_key[tag]);
  if (rules_.words == TreeEditRules::kLexemes) {
    out.add(joint_key(word, tag_key), leftmost, tag == kNone ? word_number : tag_number);
    return;
  }
  if (rules_.words == TreeEditRules::kNodes) out.add(word, leftmost, word_number);
  if (tag != kNone) out.add(tag_key, leftmost, tag_number);
}

// ---- Scoring

TreeEditScorer::TreeEditScorer(const TreeEditRules& rules, std::function<void()> poll)
    : rules_(rules), poll_(std::move(poll)), memory_(poll_) {}

int64_t TreeEditScorer::most_cost(int64_t gold, int64_t test) const {
  const EditCosts& costs = rules_.costs;
  const double most = static_cast<double>(gold + test + 3) * static_cast<double>(std::max(costs.remove, costs.insert));
  if (most > 0x1p62) throw std::overflow_error("the costs are too large to be added up");
  const int64_t roots = rules_.roots == TreeEditRules::kCounted;
  return (gold + roots) * costs.remove + (test + roots) * costs.insert;
}

// Test has no nodes. All of gold is removed, and as many nodes are inserted.
void TreeEditScorer::set_tree_failed(TreeEditRow& row, int64_t gold, bool fixed_roots) const {
  try {
    row.most_all = most_cost(gold, gold);
    set_failed(row, gold + fixed_roots, fixed_roots);
  } catch (const std::overflow_error&) {
    row.lost = 1;
  }
}

// Whether the distance can be found within the limits: if so, its memory is claimed, else the row says why.
bool TreeEditScorer::check_work(bool with_root, TreeEditRow& row) {
  const double n = gold_.size() + with_root, m = test_.size() + with_root, pairs = n * m;
  const auto most_bytes = static_cast<double>(MemoryBudget::of_process().limit());
  double bytes = (n + m) * (n + m) * 64;  // at most
  if (pairs * pairs * kSecondsPerCell > rules_.limit || bytes > most_bytes) {
    bytes = 2 * sizeof(int32_t) * pairs;  // at least
    double cells = pairs;
    if (bytes <= most_bytes && cells * kSecondsPerCell <= rules_.limit) {
      const auto predicted = engine_.predict(gold_.view(with_root), test_.view(with_root), rules_.costs,
                                             rules_.limit / kSecondsPerCell, poll());
      cells = predicted.cells;
      bytes = predicted.bytes;
    }
    if (cells * kSecondsPerCell > rules_.limit) {
      row.detail = std::isinf(cells) ? reason::kAboveLimit : reason::milliseconds(cells * kSecondsPerCell);
      return false;
    }
  }
  if (bytes > most_bytes) {
    row.detail = reason::kMemory;
    return false;
  }
  memory_.grow_to(static_cast<size_t>(bytes));
  return true;
}

void TreeEditScorer::release() {
  if (memory_.is_counted()) engine_ = {};
  memory_.release();
}

// Finds the distance and the cost of removing and inserting all nodes. If that is too much work, returns false, and the
// row says why.
bool TreeEditScorer::find_distance(bool are_equal, TreeEditRow& row) {
  // A root over both trees is kept at no cost in some optimal edit, and so changes nothing: if one of the two were
  // paired with another node, that node could as well be inserted or removed instead of the other root.
  const bool with_root = !gold_.has_one_root() || !test_.has_one_root();
  try {
    row.most = row.distance = most_cost(gold_.size(), test_.size());
    if (row.reason == reason::kBothEmpty) row.distance = 0;  // two bare roots
    if (row.reason != reason::kScored) return true;
    if (!are_equal && !check_work(with_root, row)) return false;
    row.distance = engine_.distance(gold_.view(with_root), test_.view(with_root), rules_.costs, poll());
    return true;
  } catch (const std::bad_alloc&) {
    row.detail = reason::kMemory;
  } catch (const MemoryClaim::NeverFits&) {
    row.detail = reason::kMemory;
  } catch (const std::overflow_error&) {
    row.detail = reason::kSums;
  }
  return false;
}

// Places both trees, and sets the columns that depend only on that.
void TreeEditScorer::place_both(const TreeView& gold, const Side& gold_side, const TreeView& test,
                                const Side& test_side, bool test_faulty, TreeEditRow& row) {
  row.length = place(gold, gold_side, gold_);
  place(test, test_side, test_);
  row.empty_phrases = count_empty_phrases(gold) + count_empty_phrases(test);
  if (test_faulty) {
    test_.clear();
    test_.close();
    row.reason = reason::kTestFault;
  } else if (gold_.size() == 0) {
    row.reason = test_.size() > 0 ? reason::kEmptyGold : reason::kBothEmpty;
  } else if (test_.size() == 0) {
    row.reason = reason::kEmptyTest;
  }
}

void TreeEditScorer::fill_row(bool are_equal, TreeEditRow& row) const {
  const bool fixed_roots = rules_.roots != TreeEditRules::kAsTheyAre;
  row.valid = 1;
  row.gold = gold_.size() + fixed_roots;
  row.test = test_.size() + fixed_roots;
  if (row.reason == reason::kTestFault || row.reason == reason::kEmptyTest) {
    set_tree_failed(row, gold_.size(), fixed_roots);
  } else {
    set_scored(row);
    row.most_all = row.most;
  }
  row.exact = are_equal;
  const double share =
      row.most > 0 ? static_cast<double>(row.most - row.distance) / static_cast<double>(row.most) : fixed_roots;
  row.sentence_score = std::llround(std::ldexp(share, kWeightBits));
}

// Whether surface words, if they are used, are known for all words of the tree.
bool TreeEditScorer::fits(const std::optional<SurfaceWords>& surface, const Side& side, const TreeView& tree) {
  return !surface || side.surface.size() == tree.leaves.size();
}

TreeEditRow TreeEditScorer::score(const Columns& gold, size_t gold_index, const Columns& test, size_t test_index,
                                  size_t pair) {
  TreeEditRow row;
  compared_ = false;
  const TreeView gold_tree = gold.tree(gold_index), test_tree = test.tree(test_index);
  const auto set_outer = [&] {
    row.outer_differs = !row.lost && outer_differs({gold_tree, rules_.gold, gold.vocabulary()},
                                                   {test_tree, rules_.test, test.vocabulary()});
  };
  Side gold_side{rules_.gold, rules_.gold_root, {}}, test_side{rules_.test, rules_.test_root, {}};
  if (rules_.gold_in) gold_side.surface = rules_.gold_in->of(pair);
  if (rules_.test_in) test_side.surface = rules_.test_in->of(pair);
  const bool gold_fits = fits(rules_.gold_in, gold_side, gold_tree);
  const bool test_fits = test_tree.leaves.empty() || fits(rules_.test_in, test_side, test_tree);
  if (gold.faulty(gold_index))
    row.reason = reason::kGoldFault;
  else if (!gold_tree.nested || !test_tree.nested)
    row.reason = reason::kCrossing;
  else if (!gold_fits || !test_fits)
    row.reason = reason::kWordMap;
  const bool fixed_roots = rules_.roots != TreeEditRules::kAsTheyAre;
  word_keys_.clear();
  joint_keys_.clear();
  if (row.reason != reason::kScored) {
    row.errors = 1;
    row.gold_faults = row.reason == reason::kGoldFault || !gold_tree.nested || !gold_fits;
    if (!row.gold_faults) {
      place(gold_tree, gold_side, gold_);
      set_tree_failed(row, gold_.size(), fixed_roots);
      set_outer();
    }
    return row;
  }
  place_both(gold_tree, gold_side, test_tree, test_side, test.faulty(test_index), row);
  if (gold_.size() + test_.size() == 0 && !(fixed_roots && row.reason == reason::kBothEmpty)) {
    row.excluded = 1;
    return row;
  }
  const bool are_equal = gold_.label == test_.label && gold_.leftmost == test_.leftmost;
  if (!find_distance(are_equal, row)) {
    row.reason = reason::kTooComplex;
    row.errors = row.lost = 1;
    row.most = row.distance = 0;
    return row;
  }
  compared_ = true;
  fill_row(are_equal, row);
  set_outer();
  return row;
}

void TreeEditScorer::append_steps(bool all, std::vector<EditStep>& out) {
  if (!compared_) return;
  std::vector<int32_t> partner(static_cast<size_t>(gold_.size()), -1);
  if (gold_.size() > 0 && test_.size() > 0)
    for (const auto& [a, b] : engine_.mapping(poll()))
      if (a < gold_.size() && b < test_.size()) partner[static_cast<size_t>(a)] = b;
  const std::vector<int32_t> gold_order = opening_order(gold_), test_order = opening_order(test_);
  auto inserted = test_order.begin();
  const auto insert_up_to = [&](int32_t end) {
    for (; inserted != test_order.end() && *inserted != end; ++inserted)
      if (all) out.push_back({-1, test_.number[static_cast<size_t>(*inserted)], 0});
  };
  for (const int32_t node : gold_order) {
    const auto a = static_cast<size_t>(node);
    if (partner[a] >= 0) {
      const auto b = static_cast<size_t>(partner[a]);
      insert_up_to(partner[a]);
      ++inserted;
      out.push_back({gold_.number[a], test_.number[b], gold_.label[a] == test_.label[b] ? 1.0 : 0.0});
    } else if (all) {
      out.push_back({gold_.number[a], -1, 0});
    }
  }
  insert_up_to(-1);
}

void score_all(const Columns& gold, size_t gold_begin, const Columns& test, size_t test_begin, size_t count,
               const TreeEditRules& rules, unsigned threads, const ColumnsOf<TreeEditRow>& columns,
               Progress* progress) {
  in_parallel(count, kBlock, threads, progress, [&](const std::function<void()>& poll) {
    return [&, scorer = std::make_unique<TreeEditScorer>(rules, poll)](size_t pair) {
      write_row(scorer->score(gold, gold_begin + pair, test, test_begin + pair, pair), pair, columns);
      scorer->release();
    };
  });
}

void edit_all(const Columns& gold, size_t gold_begin, const Columns& test, size_t test_begin, size_t count,
              const TreeEditRules& rules, unsigned threads, const ColumnsOf<TreeEditRow>& columns, bool all,
              std::vector<EditStep>& out, std::vector<int64_t>& ends, Progress* progress) {
  collect_in_parallel(count, kBlock, threads, progress, out, ends, [&](const std::function<void()>& poll) {
    return [&, scorer = std::make_unique<TreeEditScorer>(rules, poll)](size_t pair, std::vector<EditStep>& found) {
      write_row(scorer->score(gold, gold_begin + pair, test, test_begin + pair, pair), pair, columns);
      scorer->append_steps(all, found);
      scorer->release();
    };
  });
}

}  // namespace treescore
