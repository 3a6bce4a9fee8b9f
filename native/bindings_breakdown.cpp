// Tables of errors, for Python.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/vector.h>

#include "bindings.hpp"
#include "breakdown.hpp"

namespace treescore::python {

using namespace nb::literals;

namespace {

// Numbers of labels, tags and rules as Python knows them: None for nothing.
nb::object number(uint32_t value) { return value == kNone ? nb::none() : nb::object(nb::int_(value)); }

using Number = std::optional<uint32_t>;
using Found = TupleOf<Number, Number, uint32_t, int64_t, int64_t>;
using FoundAttachment = TupleOf<uint32_t, Number, Number, uint32_t, int64_t, int64_t>;

// Each entry as its key, its count, and the number of the first pair of trees.
template <class Row, class Table>
ListOf<Row> entries(const Table& table) {
  nb::list out;
  for (const auto& [key, value] : table) {
    nb::list row;
    for (const uint32_t part : key) row.append(number(part));
    row.append(value.count);
    row.append(value.first);
    out.append(nb::tuple(row));
  }
  return out;
}

// A rule as its label, the codes of its children, and the order of their pieces; None is a gap, -1 not known.
using RuleTuple = TupleOf<uint32_t, ListOf<Number>, ListOf<Number>>;
RuleTuple rule(const BreakdownTables::Rule& numbers) {
  nb::list children, pieces;
  for (size_t place = 2; place < numbers.size(); ++place) {
    if (place < 2 + size_t{numbers[1]})
      children.append(number(numbers[place]));
    else if (numbers[place] == BreakdownTables::kManyPieces)
      pieces.append(-1);
    else
      pieces.append(number(numbers[place]));
  }
  return nb::make_tuple(numbers[0], children, pieces);
}

void check_classes(const BreakdownRules& rules) {
  const auto covered = [](const std::vector<uint32_t>& keys, const std::vector<uint32_t>& classes) {
    return std::ranges::all_of(keys, [&](uint32_t key) { return key < classes.size(); });
  };
  for (const SideRules* side : {&rules.brackets.gold, &rules.brackets.test})
    if (!covered(side->label_key, rules.label_class) || !covered(side->tag_key, rules.tag_class))
      throw nb::value_error("a label or tag has no class");
}

}  // namespace

void bind_breakdown(nb::module_& module) {
  bind_enum<PairKind>(module, "PairKind");
  bind_enum<RuleKind>(module, "RuleKind");
  module.attr("UNTAGGED") = BreakdownTables::kUntagged;

  module.def(
      "break_down",
      [](const Trees& gold, const Trees& test, const ParsevalRules& brackets, std::vector<uint32_t> label_class,
         std::vector<uint32_t> tag_class, unsigned threads, Progress* progress)
          -> TupleOf<ListOf<Found>, ListOf<Found>, ListOf<FoundAttachment>, ListOf<Found>, ListOf<RuleTuple>, int64_t> {
        check_pair(gold, test, brackets);
        const BreakdownRules rules{brackets, std::move(label_class), std::move(tag_class)};
        check_classes(rules);
        const BreakdownTables found = released(progress, [&](Progress& seen) {
          return break_down(*gold.columns, gold.begin, *test.columns, test.begin, gold.size(), rules, threads, &seen);
        });
        nb::list rules_found;
        for (const BreakdownTables::Rule& one : found.rules) rules_found.append(rule(one));
        return nb::make_tuple(entries<Found>(found.labels), entries<Found>(found.tags),
                              entries<FoundAttachment>(found.attachments), entries<Found>(found.rule_errors),
                              rules_found, found.right_rules);
      },
      "gold"_a, "test"_a, "brackets"_a, "label_class"_a, "tag_class"_a, "threads"_a, "progress"_a.none() = nb::none());
}

}  // namespace treescore::python
