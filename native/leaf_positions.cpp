#include "leaf_positions.hpp"

namespace treescore {
namespace {

// Room for the leaves of the next tree.
std::span<Interval> grow(Positions& out, const TreeView& tree) {
  out.resize(out.size() + tree.leaves.size());
  return std::span(out).last(tree.leaves.size());
}

Positions place_side(const Columns& trees, size_t begin, size_t size, const SideRules& side,
                     const StructIouRules& rules, Progress* progress) {
  Placer placer(side, rules, rules.labelled);
  Positions out;
  for (size_t index = begin; index < begin + size; ++index) {
    const TreeView tree = trees.tree(index);
    placer.place_leaves(tree, grow(out, tree));
    if (progress) progress->at(index - begin);
  }
  return out;
}

}  // namespace

std::array<Positions, 2> leaf_positions(const Columns& gold, size_t gold_begin, const Columns& test, size_t test_begin,
                                        size_t size, const StructIouRules& rules, Progress* progress) {
  return {place_side(gold, gold_begin, size, rules.gold, rules, progress),
          place_side(test, test_begin, size, rules.test, rules, progress)};
}

std::array<Positions, 2> leaf_positions(const Columns& gold, size_t gold_begin, const Columns& test, size_t test_begin,
                                        size_t size, const ParsevalRules& rules, Progress* progress) {
  ParsevalScorer scorer(rules);
  std::array<Positions, 2> out;
  for (size_t pair = 0; pair < size; ++pair) {
    const std::span<Interval> gold_out = grow(out[0], gold.tree(gold_begin + pair));
    const std::span<Interval> test_out = grow(out[1], test.tree(test_begin + pair));
    scorer.place_leaves(gold, gold_begin + pair, test, test_begin + pair, gold_out, test_out);
    if (progress) progress->at(pair);
  }
  return out;
}

Positions leaf_positions(const Columns& trees, size_t begin, size_t size, Axis axis, Progress* progress) {
  StructIouRules rules;
  rules.axis = axis;
  rules.gold.tag_flags.assign(trees.vocabulary().size(), 0);
  return place_side(trees, begin, size, rules.gold, rules, progress);
}

bool are_numbers(const Columns& trees, size_t begin, size_t size, std::span<const Interval> positions) {
  size_t at = 0;
  for (size_t index = begin; index < begin + size; ++index) {
    const size_t leaves = trees.tree(index).leaves.size();
    for (size_t leaf = 0; leaf < leaves; ++leaf, ++at)
      if (positions[at].start != static_cast<double>(leaf) || positions[at].end != static_cast<double>(leaf + 1))
        return false;
  }
  return true;
}

}  // namespace treescore
