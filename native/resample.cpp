#include "resample.hpp"

#include <array>

#include "parallel.hpp"

namespace treescore {

namespace {

// So many columns of a row stand together: a line of the cache, and their sums stay in registers.
constexpr size_t kTogether = 8;
// Samples of fewer rows take no time worth looking up for.
constexpr size_t kManyRows = 100'000;
using Cells = std::array<int64_t, kTogether>;

}  // namespace

void sum_samples(std::span<const std::span<const int64_t>> columns, size_t samples, uint64_t seed, unsigned threads,
                 std::span<int64_t* const> out, Progress* progress) {
  const size_t rows = columns.empty() ? 0 : columns.front().size();
  const size_t groups = (columns.size() + kTogether - 1) / kTogether;
  std::vector<Cells> cells(groups * rows);
  for (size_t column = 0; column < columns.size(); ++column)
    for (size_t row = 0; row < rows; ++row)
      cells[column / kTogether * rows + row][column % kTogether] = columns[column][row];

  in_parallel(samples, 16, threads, progress, [&](const std::function<void()>& poll) {
    return [&, poll, drawn = std::vector<uint32_t>(rows)](size_t sample) mutable {
      if (rows > kManyRows) poll();
      Draws draws = Draws::of_sample(seed, sample);
      for (uint32_t& row : drawn) row = draws.below(static_cast<uint32_t>(rows));
      for (size_t group = 0; group < groups; ++group) {
        const Cells* const table = cells.data() + group * rows;
        Cells sums{};
        for (const uint32_t row : drawn)
          for (size_t cell = 0; cell < kTogether; ++cell) sums[cell] += table[row][cell];
        const size_t first = group * kTogether;
        for (size_t column = first; column < std::min(columns.size(), first + kTogether); ++column)
          out[column][sample] = sums[column - first];
      }
    };
  });
}

}  // namespace treescore
