#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "bindings.hpp"
#include "functions.hpp"
#include "graph_reader.hpp"

namespace treescore::python {

using namespace nb::literals;

namespace {

// Trees, faults, the ids of the sentences, and blank lines.
TREESCORE_STUB_TYPE(GraphTuple, nb::tuple, "GraphText", PyTuple_Check);

template <class Read>
GraphTuple graph_text(nb::handle text, Progress* progress, const Read& read) {
  const Buffer buffer(text);
  auto columns = std::make_shared<Columns>(std::make_shared<Vocabulary>());
  GraphText result = released(progress, [&](Progress& seen) { return read(buffer.text(), *columns, &seen); });
  nb::list faults, ids;
  for (const GraphTextFault& fault : result.faults) {
    const auto tree = fault.tree == GraphTextFault::kNoTree ? nb::object(nb::none()) : nb::object(nb::int_(fault.tree));
    faults.append(nb::make_tuple(static_cast<int>(fault.code), tree, fault.line, fault.column, as_bytes(fault.text)));
  }
  for (const std::string& id : result.ids) ids.append(as_bytes(id));
  return nb::make_tuple(whole(std::move(columns)), faults, ids, result.blank_lines);
}

using Names = std::pair<std::vector<uint32_t>, std::vector<std::vector<uint32_t>>>;

void check_names(const Trees& trees, const FunctionNames& names) {
  const size_t size = trees.columns->vocabulary().size();
  if (names.key.size() < size || names.in_label.size() < size)
    throw nb::value_error("the functions do not cover the vocabulary of the trees");
}

void check_functions(const Trees& gold, const Trees& test, const FunctionRules& rules) {
  check_pair(gold, test, rules.brackets);
  check_names(gold, rules.gold);
  check_names(test, rules.test);
}

}  // namespace

// Graphs: trees by the parents of their nodes, and the functions that go with them.
void bind_graphs(nb::module_& module) {
  bind_enum<GraphFaultKind>(module, "GraphFault");
  bind_enum<GraphTextFaultCode>(module, "GraphTextFault");

  module.def(
      "read_export",
      [](BufferObject text, bool join_functions, Progress* progress) {
        return graph_text(text, progress, [&](std::string_view bytes, Columns& columns, Progress* seen) {
          return read_export(bytes, join_functions, columns, seen);
        });
      },
      "text"_a, "join_functions"_a, "progress"_a.none() = nb::none());

  module.def(
      "read_discbracket",
      [](BufferObject text, bool by_line, Progress* progress) {
        return graph_text(text, progress, [&](std::string_view bytes, Columns& columns, Progress* seen) {
          return read_discbracket(bytes, by_line, columns, seen);
        });
      },
      "text"_a, "by_line"_a, "progress"_a.none() = nb::none());

  module.def("is_discbracket", [](BufferObject text) {
    const Buffer buffer(text);
    return is_discbracket(buffer.text());
  });

  nb::class_<FunctionRules>(module, "FunctionRules")
      .def("__init__", [](FunctionRules* self, const ParsevalRules& brackets, const Names& gold, const Names& test) {
        new (self) FunctionRules{brackets, {gold.first, gold.second}, {test.first, test.second}};
      });

  module.def(
      "function_rows",
      [](const Trees& gold, const Trees& test, const FunctionRules& rules, unsigned threads, Progress* progress) {
        check_functions(gold, test, rules);
        const auto [out, blank] = blank_rows<FunctionRow>(gold.size());
        released(progress, [&, &columns = blank](Progress& seen) {
          score_all(*gold.columns, gold.begin, *test.columns, test.begin, gold.size(), rules, threads, columns, &seen);
        });
        return out;
      },
      "gold"_a, "test"_a, "rules"_a, "threads"_a, "progress"_a.none() = nb::none());

  // Key, matched, gold and test of each function.
  module.def("functions_by_name", [](const Trees& gold, const Trees& test, const FunctionRules& rules) -> LabelTable {
    check_functions(gold, test, rules);
    std::vector<FunctionCount> table;
    released(nullptr, [&](Progress& seen) {
      FunctionScorer scorer(rules);
      for (size_t index = 0; index < gold.size(); ++index) {
        scorer.score(*gold.columns, gold.begin + index, *test.columns, test.begin + index, &table);
        seen.at(index);
      }
    });
    nb::list out;
    for (size_t key = 0; key < table.size(); ++key)
      if (table[key].gold_all || table[key].test_all) out.append(nb::make_tuple(key, row_by_name(table[key])));
    return out;
  });
}

}  // namespace treescore::python
