// Tree edit distance: the distance is that of a plain table, the mapping costs as much, and TEDEVAL's rows obey laws.
#include "../tree_distance.hpp"

#include <stdexcept>

#include "../tree_edit.hpp"
#include "../tree_order.hpp"
#include "fuzz.hpp"
#include "ordered_mapping.hpp"

using namespace treescore;
using namespace treescore::fuzz;

namespace {

constexpr size_t kMostInTable = 28;  // nodes of a tree that is compared with the plain table
constexpr size_t kMostNodes = 300;

// Phrases, tags and words of a tree in postorder, below a root.
struct PlainTree {
  std::vector<uint32_t> label;
  std::vector<int32_t> leftmost;

  explicit PlainTree(const TreeView& tree) {
    std::vector<int32_t> open;
    const auto add = [&](uint32_t own, int32_t first) {
      label.push_back(own);
      leftmost.push_back(first);
    };
    TreeOrder order;
    order.set(tree);
    order.walk(
        tree, [&](int32_t) { open.push_back(static_cast<int32_t>(label.size())); },
        [&](int32_t leaf) { add(tree.leaves[static_cast<size_t>(leaf)].tag, static_cast<int32_t>(label.size())); },
        [&](int32_t phrase) {
          add(tree.nodes[static_cast<size_t>(phrase)].label, open.back());
          open.pop_back();
        });
    add(kNone - 1, 0);
  }
  LabelledTree view() const { return {label, leftmost}; }
};

void compare(const PlainTree& a, const PlainTree& b, const EditCosts& costs) {
  TreeDistance engine;
  const int64_t distance = engine.distance(a.view(), b.view(), costs);
  int64_t cost =
      static_cast<int64_t>(a.label.size()) * costs.remove + static_cast<int64_t>(b.label.size()) * costs.insert;
  const int64_t most = cost;
  const auto gain = [&](int32_t x, int32_t y) {
    const bool same = a.label[static_cast<size_t>(x)] == b.label[static_cast<size_t>(y)];
    return costs.remove + costs.insert - (same ? 0 : costs.rename);
  };
  const auto pairs = engine.mapping();
  for (const auto& [x, y] : pairs) cost -= gain(x, y);
  require(cost == distance, "the mapping costs the distance");
  require(is_mapping(a.leftmost, b.leftmost, pairs), "the mapping keeps ancestors and order");
  require(engine.distance(b.view(), a.view(), {costs.remove, costs.insert, costs.rename}) == distance,
          "the distance of the swapped trees at swapped costs is the same");
  require(engine.predict(a.view(), b.view(), costs).cells >= 0, "a prediction is a number");
  if (a.label.size() <= kMostInTable && b.label.size() <= kMostInTable)
    require(most - best_mapping(a.leftmost, b.leftmost, gain) == distance, "the distance is that of the plain table");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  Input options = options_of(data, size);
  const Form form = static_cast<Form>(options.below(3));
  const Pairs pairs = read_pairs(text_of(data, size), form);
  const Columns& trees = *pairs.trees;
  const uint8_t choices = options.byte(), flags = options.byte();
  TreeEditRules rules;
  rules.gold = rules.test = side_rules(trees.vocabulary(), choices);
  rules.labelled = (flags & 1) == 0;
  rules.words = static_cast<EditWords>(flags / 2 % 3);
  rules.roots = static_cast<EditRoots>(flags / 8 % 3);
  rules.gold_root.assign(trees.vocabulary().size(), (flags & 64) != 0);
  rules.test_root = rules.gold_root;
  const int shift = (flags & 128) != 0 ? 40 : 0;
  rules.costs.insert = int64_t{options.below(5)} << shift;
  rules.costs.remove = int64_t{options.below(5)} << shift;
  rules.costs.rename = std::min(int64_t{options.below(9)} << shift, rules.costs.insert + rules.costs.remove);
  rules.limit = 5;
  TreeEditScorer scorer(rules);
  for (size_t pair = 0; pair < pairs.size(); ++pair) {
    const TreeView gold = trees.tree(Pairs::gold(pair)), test = trees.tree(Pairs::test(pair));
    const TreeEditRow row = scorer.score(trees, Pairs::gold(pair), trees, Pairs::test(pair), pair);
    check_outcome(row);
    require(row.distance >= 0 && row.distance <= row.most, "a distance is at most that of all nodes");
    std::vector<EditStep> steps;
    scorer.append_steps(true, steps);
    const TreeEditRow own = scorer.score(trees, Pairs::gold(pair), trees, Pairs::gold(pair), pair);
    require(!own.valid || own.failed || own.distance == 0, "a tree has no distance from itself");
    if (gold.nodes.size() + gold.leaves.size() < kMostNodes && test.nodes.size() + test.leaves.size() < kMostNodes)
      compare(PlainTree(gold), PlainTree(test), rules.costs);
  }
  return 0;
}
