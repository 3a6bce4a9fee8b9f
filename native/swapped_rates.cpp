#include "swapped_rates.hpp"

#include <atomic>

#include "parallel.hpp"
#include "resample.hpp"

namespace treescore {

namespace {

// Shuffles of fewer rows are too fast to check the progress.
constexpr size_t kManyRows = 100'000;
constexpr size_t kBits = 64;

using Means = std::array<double, 2>;

// The means of both systems where rows with a bit have changed sides.
Means means_of(const WeightedRates& figure, std::span<const uint64_t> bits) {
  const size_t rows = figure.rates[0].size();
  const auto swapped = [&](size_t row) { return static_cast<size_t>(bits[row / kBits] >> (row % kBits) & 1); };
  std::array<int64_t, 2> totals{};
  for (size_t row = 0; row < rows; ++row) {
    const size_t first = swapped(row);
    totals[0] += figure.weights[first][row];
    totals[1] += figure.weights[1 - first][row];
  }
  const Means all{static_cast<double>(totals[0]), static_cast<double>(totals[1])};
  Means sums{};
  for (size_t row = 0; row < rows; ++row) {
    const size_t first = swapped(row);
    for (size_t side = 0; side < 2; ++side) {
      const size_t from = side ^ first;
      sums[side] += figure.rates[from][row] * (static_cast<double>(figure.weights[from][row]) / all[side]);
    }
  }
  return sums;
}

}  // namespace

std::vector<SwappedRates> swap_rates(std::span<const WeightedRates> figures, size_t shuffles, uint64_t seed,
                                     unsigned threads, Progress* progress) {
  const size_t rows = figures.empty() ? 0 : figures.front().rates[0].size();
  const size_t words = (rows + kBits - 1) / kBits;
  std::vector<SwappedRates> found(figures.size());
  for (size_t place = 0; place < figures.size(); ++place)
    found[place].means = means_of(figures[place], std::vector<uint64_t>(words));

  std::vector<std::atomic<int64_t>> as_extreme(figures.size()), undefined(figures.size());
  in_parallel(shuffles, 16, threads, progress, [&](const std::function<void()>& poll) {
    return [&, poll, bits = std::vector<uint64_t>(words)](size_t shuffle) mutable {
      if (rows > kManyRows) poll();
      Draws draws = Draws::of_sample(seed, shuffle);
      for (uint64_t& word : bits) word = draws.next();
      for (size_t place = 0; place < figures.size(); ++place) {
        const auto [a, b] = means_of(figures[place], bits);
        const double difference = b - a;
        const double real = found[place].means[1] - found[place].means[0];
        if (difference != difference)
          ++undefined[place];
        else if (real >= 0 ? difference >= real : difference <= real)
          ++as_extreme[place];
      }
    };
  });
  for (size_t place = 0; place < figures.size(); ++place) {
    found[place].as_extreme = as_extreme[place];
    found[place].undefined = undefined[place];
  }
  return found;
}

}  // namespace treescore
