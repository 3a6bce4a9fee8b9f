// Samples of rows, for Python.
#include <nanobind/stl/vector.h>

#include <limits>

#include "bindings.hpp"
#include "resample.hpp"

namespace treescore::python {

using namespace nb::literals;

namespace {

// For each column the sum of each sample.
template <auto sum>
ListOf<nb::bytes> drawn(const std::vector<BufferObject>& columns, size_t samples, uint64_t seed, unsigned threads,
                        Progress* progress) {
  std::vector<std::unique_ptr<Numbers<int64_t>>> held;
  std::vector<std::span<const int64_t>> numbers;
  for (const BufferObject& column : columns) {
    held.push_back(std::make_unique<Numbers<int64_t>>(column));
    numbers.push_back(held.back()->all());
    if (numbers.back().size() != numbers.front().size()) throw nb::value_error("columns of unequal length");
  }
  if (!numbers.empty() && numbers.front().size() > std::numeric_limits<uint32_t>::max())
    throw nb::value_error("more rows than can be drawn");
  nb::list out;
  std::vector<int64_t*> sums;
  for (size_t column = 0; column < columns.size(); ++column) {
    const auto [bytes, place] = blank_bytes<int64_t>(samples);
    out.append(bytes);
    sums.push_back(place);
  }
  released(progress, [&](Progress& seen) { sum(numbers, samples, seed, threads, sums, &seen); });
  return out;
}

}  // namespace

void bind_resample(nb::module_& module) {
  // The first numbers below `count` that a sample draws, so that tests of the generator need no rows.
  module.def(
      "draw_rows",
      [](uint32_t count, uint64_t seed, uint64_t sample, size_t number) {
        if (count == 0) throw nb::value_error("there is nothing to draw from");
        const auto [bytes, rows] = blank_bytes<uint32_t>(number);
        Draws draws = Draws::of_sample(seed, sample);
        for (size_t place = 0; place < number; ++place) rows[place] = draws.below(count);
        return bytes;
      },
      "count"_a, "seed"_a, "sample"_a, "number"_a);

  module.def("sum_samples", drawn<sum_samples>, "columns"_a, "samples"_a, "seed"_a, "threads"_a,
             "progress"_a.none() = nb::none());
  module.def("sum_coins", drawn<sum_coins>, "columns"_a, "samples"_a, "seed"_a, "threads"_a,
             "progress"_a.none() = nb::none());
}

}  // namespace treescore::python
