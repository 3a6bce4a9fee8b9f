// Positions of the leaves of trees on an axis, as metrics see them.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "parseval.hpp"
#include "progress.hpp"
#include "struct_iou.hpp"
#include "treebank.hpp"

namespace treescore {

// The leaves of all trees of one side, one after the other.
using Positions = std::vector<Interval>;

// Where a metric with these rules sees the leaves of both sides.
std::array<Positions, 2> leaf_positions(const Columns& gold, size_t gold_begin, const Columns& test, size_t test_begin,
                                        size_t count, const StructIouRules& rules, Progress* progress);
std::array<Positions, 2> leaf_positions(const Columns& gold, size_t gold_begin, const Columns& test, size_t test_begin,
                                        size_t count, const ParsevalRules& rules, Progress* progress);

// The leaves of one side, if nothing is deleted.
Positions leaf_positions(const Columns& trees, size_t begin, size_t count, Axis axis, Progress* progress);

// Whether the position of each leaf of each tree is its own number, and so need not be stored.
bool are_numbers(const Columns& trees, size_t begin, size_t count, std::span<const Interval> positions);

}  // namespace treescore
