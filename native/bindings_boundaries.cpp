// Boundaries of words in time, for Python.
#include "bindings.hpp"
#include "boundaries.hpp"

namespace treescore::python {

using namespace nb::literals;

void bind_boundaries(nb::module_& module) {
  module.def(
      "boundary_rows",
      [](const Trees& gold, const Trees& test, double tolerance, bool edges, double rounding, unsigned threads,
         Progress* progress) {
        if (gold.size() != test.size()) throw nb::value_error("unequal numbers of trees");
        const BoundaryRules rules{tolerance, edges, rounding};
        const auto [out, blank] = blank_rows<BoundaryRow>(gold.size());
        released(progress, [&, &columns = blank](Progress& seen) {
          score_all(*gold.columns, gold.begin, *test.columns, test.begin, gold.size(), rules, threads, columns, &seen);
        });
        return out;
      },
      "gold"_a, "test"_a, "tolerance"_a, "edges"_a, "rounding"_a, "threads"_a, "progress"_a.none() = nb::none());
}

}  // namespace treescore::python
