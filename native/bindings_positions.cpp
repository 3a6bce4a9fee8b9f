// Positions of leaves on an axis, for Python: a buffer of two numbers for each leaf, or None if each leaf is at its own
// number.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>

#include <algorithm>
#include <optional>

#include "bindings.hpp"
#include "leaf_positions.hpp"

namespace treescore::python {

using namespace nb::literals;

namespace {

using Column = std::optional<nb::bytes>;

Column column_of(const Trees& trees, const Positions& positions) {
  if (are_numbers(*trees.columns, trees.begin, trees.size(), positions)) return std::nullopt;
  const auto [bytes, out] = blank_bytes<Interval>(positions.size());
  std::ranges::copy(positions, out);
  return bytes;
}

template <class Rules>
std::pair<Column, Column> positions(const Trees& gold, const Trees& test, const Rules& rules) {
  check_pair(gold, test, rules);
  const auto [gold_positions, test_positions] = released(nullptr, [&](Progress& seen) {
    return leaf_positions(*gold.columns, gold.begin, *test.columns, test.begin, gold.size(), rules, &seen);
  });
  return {column_of(gold, gold_positions), column_of(test, test_positions)};
}

Column plain_positions(const Trees& trees, int axis) {
  return column_of(trees, released(nullptr, [&](Progress& seen) {
                     return leaf_positions(*trees.columns, trees.begin, trees.size(), static_cast<Axis>(axis), &seen);
                   }));
}

}  // namespace

void bind_positions(nb::module_& module) {
  module.def("struct_iou_positions", positions<StructIouRules>, "gold"_a, "test"_a, "rules"_a);
  module.def("parseval_positions", positions<ParsevalRules>, "gold"_a, "test"_a, "rules"_a);
  module.def("leaf_positions", plain_positions, "trees"_a, "axis"_a);
}

}  // namespace treescore::python
