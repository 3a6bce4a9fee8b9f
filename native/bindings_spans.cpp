#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>

#include "bindings.hpp"
#include "spans.hpp"

namespace treescore::python {

using namespace nb::literals;

// Trees whose words are spans of time.
void bind_spans(nb::module_& module) {
  bind_enum<SpanFaultKind>(module, "SpanFault");

  module.def("are_spans", [](const Trees& trees) { return are_spans(*trees.columns, trees.begin, trees.end); });
  module.def("are_surely_text",
             [](const Trees& trees) { return are_surely_text(*trees.columns, trees.begin, trees.end); });

  // Trees with times, and the faults: kind, tree and word.
  module.def(
      "place_spans",
      [](const Trees& trees, Progress* progress) -> TupleOf<Trees, ListOf<TupleOf<int, size_t, nb::bytes>>> {
        auto columns = std::make_shared<Columns>(std::make_shared<Vocabulary>());
        const std::vector<SpanFault> found = released(progress, [&](Progress& seen) {
          seen.total = trees.size();
          return place_spans(*trees.columns, trees.begin, trees.end, *columns, &seen);
        });
        nb::list faults;
        for (const SpanFault& fault : found)
          faults.append(nb::make_tuple(static_cast<int>(fault.kind), fault.tree, as_bytes(fault.word)));
        return nb::make_tuple(whole(std::move(columns)), faults);
      },
      "trees"_a, "progress"_a.none() = nb::none());

  module.def("first_without_spans",
             [](const Trees& trees) { return first_without_spans(*trees.columns, trees.begin, trees.end); });

  module.def("write_spans", [](const Trees& trees) {
    if (first_without_spans(*trees.columns, trees.begin, trees.end)) throw nb::value_error("a tree without times");
    auto columns = std::make_shared<Columns>(std::make_shared<Vocabulary>());
    released(nullptr, [&](Progress&) { write_spans(*trees.columns, trees.begin, trees.end, *columns); });
    return whole(std::move(columns));
  });
}

}  // namespace treescore::python
