// Classes of errors, for Python.
#include <nanobind/stl/array.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "bindings.hpp"
#include "error_classes.hpp"

namespace treescore::python {
namespace {

using namespace nb::literals;

// Repairs and facts as bits, places with the number of a set, and the class.
using NumberedRule = std::tuple<uint8_t, uint8_t, std::vector<std::pair<unsigned, unsigned>>, int64_t>;

void make_rules(ErrorRules* self, std::vector<uint32_t> gold_keys, std::vector<uint32_t> test_keys,
                const nb::bytes& key_flags, std::vector<uint64_t> key_sets, uint32_t root_key, uint32_t no_tag_key,
                const std::vector<std::pair<nb::bytes, uint32_t>>& tag_of_word, const std::vector<NumberedRule>& rules,
                std::array<int64_t, kRepairs> other_class, bool punctuation_by_gold) {
  ErrorRules made{std::move(gold_keys), std::move(test_keys), {}, std::move(key_sets), root_key, no_tag_key, {}, 0, {},
                  other_class,          punctuation_by_gold};
  made.key_flags.assign(view(key_flags).begin(), view(key_flags).end());
  const auto check = [&](uint32_t key) {
    if (key >= made.key_flags.size()) throw nb::value_error("there is no such key");
  };
  if (made.key_flags.size() != made.key_sets.size()) throw nb::value_error("not one set for each key");
  check(root_key);
  check(no_tag_key);
  for (const auto* keys : {&made.gold_keys, &made.test_keys})
    for (const uint32_t key : *keys) check(key);
  for (const auto& [word, key] : tag_of_word) {
    check(key);
    made.tag_of_word.emplace(view(word), key);
    made.longest_retagged = std::max(made.longest_retagged, word.size());
  }
  for (const auto& [repairs, facts, places, of_class] : rules) {
    ClassRule rule{repairs, facts, {}, of_class};
    for (const auto& [place, set] : places) {
      if (place >= kPlaces || set >= ErrorRules::kMostSets) throw nb::value_error("there is no such condition");
      rule.places.emplace_back(static_cast<Place>(place), set);
    }
    made.rules.push_back(std::move(rule));
  }
  new (self) ErrorRules(std::move(made));
}

void check_keys(const Trees& gold, const Trees& test, const ErrorRules& rules) {
  if (rules.gold_keys.size() < gold.columns->vocabulary().size() ||
      rules.test_keys.size() < test.columns->vocabulary().size())
    throw nb::value_error("the rules do not cover the vocabulary of the trees");
}

nb::bytes as_column(const std::vector<int64_t>& numbers) {
  auto [bytes, place] = blank_bytes<int64_t>(numbers.size());
  std::ranges::copy(numbers, place);
  return bytes;
}

// The columns of the rows, the numbers of all steps, and where those of each pair end.
TupleOf<Rows, nb::bytes, nb::bytes> errors_of_all(const Trees& gold, const Trees& test, const ErrorRules& rules,
                                                  unsigned threads, Progress* progress) {
  if (gold.size() != test.size()) throw nb::value_error("unequal numbers of trees");
  check_keys(gold, test, rules);
  const auto [out, blank] = blank_rows<ErrorRow>(gold.size());
  std::vector<int64_t> steps, ends;
  released(progress, [&, &columns = blank](Progress& seen) {
    find_errors(*gold.columns, gold.begin, *test.columns, test.begin, gold.size(), rules, threads, columns, steps, ends,
                &seen);
  });
  return nb::make_tuple(out, as_column(steps), as_column(ends));
}

// The leaves of either tree that are compared.
std::pair<std::vector<uint32_t>, std::vector<uint32_t>> compared_leaves(const Trees& gold, size_t gold_tree,
                                                                        const Trees& test, size_t test_tree,
                                                                        const ErrorRules& rules) {
  check_keys(gold, test, rules);
  ErrorFinder finder(rules, [] {});
  finder.compared(gold.tree(gold_tree), test.tree(test_tree));
  return {finder.kept(0), finder.kept(1)};
}

}  // namespace

void bind_error_classes(nb::module_& module) {
  bind_enum<Repair>(module, "Repair");
  bind_enum<Place>(module, "Place");
  bind_enum<ClassRule>(module, "RuleFact");
  bind_enum<ErrorRules>(module, "ErrorKey");
  bind_enum<ErrorReason>(module, "ErrorReason");
  bind_places<StepRecord>(module, "StepRecord");

  nb::class_<ErrorRules>(module, "ErrorRules")
      .def("__init__", make_rules, nb::kw_only(), "gold_keys"_a, "test_keys"_a, "key_flags"_a, "key_sets"_a,
           "root_key"_a, "no_tag_key"_a, "tag_of_word"_a, "rules"_a, "other_class"_a, "punctuation_by_gold"_a);
  module.def("find_errors", errors_of_all, "gold"_a, "test"_a, "rules"_a, "threads"_a,
             "progress"_a.none() = nb::none());
  module.def("compared_leaves", compared_leaves, "gold"_a, "gold_tree"_a, "test"_a, "test_tree"_a, "rules"_a);
}

}  // namespace treescore::python
