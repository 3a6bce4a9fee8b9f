// The best one-to-one mapping of the nodes of two ordered trees that keeps ancestors and order, by the plainest table.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace treescore::fuzz {

// Nodes are in postorder; `leftmost` is the leftmost leaf at or below each. The trees may have several roots. `weight`
// is the value of a pair of nodes.
template <class WeightOf>
int64_t best_mapping(std::span<const int32_t> a, std::span<const int32_t> b, const WeightOf& weight) {
  const auto n = static_cast<int32_t>(a.size()), m = static_cast<int32_t>(b.size());
  const auto columns = static_cast<size_t>(m) + 1;
  // Of each pair with everything below it; and of the forests [first_x, x) and [first_y, y).
  std::vector<int64_t> with_pair(static_cast<size_t>(n) * columns), forest((static_cast<size_t>(n) + 1) * columns);
  const auto at = [&](int32_t x, int32_t y) { return static_cast<size_t>(x) * columns + static_cast<size_t>(y); };
  const auto fill = [&](int32_t first_x, int32_t end_x, int32_t first_y, int32_t end_y) {
    for (int32_t y = first_y; y <= end_y; ++y) forest[at(first_x, y)] = 0;
    for (int32_t x = first_x; x < end_x; ++x) {
      forest[at(x + 1, first_y)] = 0;
      for (int32_t y = first_y; y < end_y; ++y) {
        const int32_t left_x = std::max(a[static_cast<size_t>(x)], first_x);
        const int32_t left_y = std::max(b[static_cast<size_t>(y)], first_y);
        forest[at(x + 1, y + 1)] =
            std::max({forest[at(x, y + 1)], forest[at(x + 1, y)], forest[at(left_x, left_y)] + with_pair[at(x, y)]});
      }
    }
    return forest[at(end_x, end_y)];
  };
  for (int32_t x = 0; x < n; ++x)
    for (int32_t y = 0; y < m; ++y)
      with_pair[at(x, y)] = weight(x, y) + fill(a[static_cast<size_t>(x)], x, b[static_cast<size_t>(y)], y);
  return fill(0, n, 0, m);
}

// Whether the pairs are one-to-one and keep ancestors and order.
inline bool is_mapping(std::span<const int32_t> a, std::span<const int32_t> b,
                       const std::vector<std::pair<int32_t, int32_t>>& pairs) {
  const auto is_above = [](std::span<const int32_t> leftmost, int32_t upper, int32_t lower) {
    return lower < upper && lower >= leftmost[static_cast<size_t>(upper)];
  };
  for (const auto& [x, y] : pairs) {
    for (const auto& [other_x, other_y] : pairs) {
      if ((x == other_x) != (y == other_y) || (x < other_x) != (y < other_y)) return false;
      if (is_above(a, x, other_x) != is_above(b, y, other_y)) return false;
    }
  }
  return true;
}

}  // namespace treescore::fuzz
