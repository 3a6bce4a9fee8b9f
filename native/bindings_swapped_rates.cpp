// Rows that change sides at random, for Python.
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "bindings.hpp"
#include "swapped_rates.hpp"

namespace treescore::python {

using namespace nb::literals;

void bind_swapped_rates(nb::module_& module) {
  // For each figure: the means of both systems, and the numbers of shuffles that differ as much and that have no mean.
  module.def(
      "swap_rates",
      [](const std::vector<std::tuple<BufferObject, BufferObject, BufferObject, BufferObject>>& figures,
         size_t shuffles, uint64_t seed, unsigned threads, Progress* progress) {
        std::vector<std::unique_ptr<Numbers<double>>> rates;
        std::vector<std::unique_ptr<Numbers<int64_t>>> weights;
        std::vector<WeightedRates> made;
        for (const auto& [rates_a, weights_a, rates_b, weights_b] : figures) {
          WeightedRates& figure = made.emplace_back();
          for (const auto& [side, column] : {std::pair(0, rates_a), std::pair(1, rates_b)}) {
            rates.push_back(std::make_unique<Numbers<double>>(column));
            figure.rates[static_cast<size_t>(side)] = rates.back()->all();
          }
          for (const auto& [side, column] : {std::pair(0, weights_a), std::pair(1, weights_b)}) {
            weights.push_back(std::make_unique<Numbers<int64_t>>(column));
            figure.weights[static_cast<size_t>(side)] = weights.back()->all();
          }
          double sum = 0;  // of any choice of them: at most this
          for (const auto& side : figure.weights) {
            for (const int64_t weight : side) {
              if (weight < 0) throw nb::value_error("a weight out of range");
              sum += static_cast<double>(weight);
            }
          }
          if (sum > 0x1p62) throw nb::value_error("the sum of the weights is out of range");
          for (size_t side = 0; side < 2; ++side)
            if (figure.rates[side].size() != made.front().rates[0].size() ||
                figure.weights[side].size() != made.front().rates[0].size())
              throw nb::value_error("columns of unequal length");
        }
        const std::vector<SwappedRates> found =
            released(progress, [&](Progress& seen) { return swap_rates(made, shuffles, seed, threads, &seen); });
        std::vector<std::tuple<double, double, int64_t, int64_t>> out;
        for (const SwappedRates& it : found) out.emplace_back(it.means[0], it.means[1], it.as_extreme, it.undefined);
        return out;
      },
      "figures"_a, "shuffles"_a, "seed"_a, "threads"_a, "progress"_a.none() = nb::none());
}

}  // namespace treescore::python
