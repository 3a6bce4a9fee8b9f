#include "resample.hpp"

#include <array>
#include <bit>

#include "parallel.hpp"

namespace treescore {

namespace {

// The number of columns of a row that are adjacent: a cache line, and their sums stay in registers.
constexpr size_t kTogether = 8;
// Samples of fewer rows are too fast to check the progress.
constexpr size_t kManyRows = 100'000;
using Cells = std::array<int64_t, kTogether>;

// Columns of numbers with as many rows each, turned into rows of cells.
class Table {
 public:
  explicit Table(std::span<const std::span<const int64_t>> columns)
      : columns_(columns.size()),
        rows_(columns.empty() ? 0 : columns.front().size()),
        groups_((columns_ + kTogether - 1) / kTogether),
        cells_(groups_ * rows_) {
    for (size_t column = 0; column < columns_; ++column)
      for (size_t row = 0; row < rows_; ++row)
        cells_[column / kTogether * rows_ + row][column % kTogether] = columns[column][row];
  }

  size_t rows() const { return rows_; }

  // The sums of the chosen rows, in out[column][sample].
  void sum(std::span<const uint32_t> chosen, size_t sample, std::span<int64_t* const> out) const {
    for (size_t group = 0; group < groups_; ++group) {
      const Cells* const table = cells_.data() + group * rows_;
      Cells sums{};
      for (const uint32_t row : chosen)
        for (size_t cell = 0; cell < kTogether; ++cell) sums[cell] += table[row][cell];
      const size_t first = group * kTogether;
      for (size_t column = first; column < std::min(columns_, first + kTogether); ++column)
        out[column][sample] = sums[column - first];
    }
  }

 private:
  size_t columns_, rows_, groups_;
  std::vector<Cells> cells_;
};

// Choose the rows of each sample, in parallel, and add them up.
template <typename Choose>
void sum_chosen(const Table& table, size_t samples, uint64_t seed, unsigned threads, std::span<int64_t* const> out,
                Progress* progress, Choose choose) {
  in_parallel(samples, 16, threads, progress, [&](const std::function<void()>& poll) {
    return [&, poll, chosen = std::vector<uint32_t>(table.rows())](size_t sample) mutable {
      if (table.rows() > kManyRows) poll();
      Draws draws = Draws::of_sample(seed, sample);
      choose(draws, chosen);
      table.sum(chosen, sample, out);
    };
  });
}

}  // namespace

void sum_samples(std::span<const std::span<const int64_t>> columns, size_t samples, uint64_t seed, unsigned threads,
                 std::span<int64_t* const> out, Progress* progress) {
  const Table table(columns);
  const auto rows = static_cast<uint32_t>(table.rows());
  sum_chosen(table, samples, seed, threads, out, progress, [rows](Draws& draws, std::vector<uint32_t>& chosen) {
    for (uint32_t& row : chosen) row = draws.below(rows);
  });
}

void sum_coins(std::span<const std::span<const int64_t>> columns, size_t samples, uint64_t seed, unsigned threads,
               std::span<int64_t* const> out, Progress* progress) {
  const Table table(columns);
  const size_t rows = table.rows();
  sum_chosen(table, samples, seed, threads, out, progress, [rows](Draws& draws, std::vector<uint32_t>& chosen) {
    chosen.clear();
    for (size_t first = 0; first < rows; first += 64) {
      uint64_t coins = draws.next();
      if (rows - first < 64) coins &= (uint64_t{1} << (rows - first)) - 1;
      for (; coins; coins &= coins - 1)
        chosen.push_back(static_cast<uint32_t>(first + static_cast<size_t>(std::countr_zero(coins))));
    }
  });
}

}  // namespace treescore
