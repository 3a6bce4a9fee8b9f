// Means of weighted rates in floating point, and how often they differ as much when rows change sides at random.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "progress.hpp"

namespace treescore {

// A rate and its weight for each row of two systems, such as recall and the number of gold brackets.
struct WeightedRates {
  std::array<std::span<const double>, 2> rates;
  std::array<std::span<const int64_t>, 2> weights;
};

struct SwappedRates {
  std::array<double, 2> means{};  // NaN where all weights are 0
  int64_t as_extreme = 0;         // shuffles whose difference is at least the real one, to the same side
  int64_t undefined = 0;          // shuffles that leave a system without any weight
};

// In each shuffle a row changes sides, for all figures alike, or does not, with equal chances: shuffle i takes numbers
// from Draws::of_sample(seed, i), a bit for each row from the lowest, a number for 64 rows. The terms of a mean are
// rate * (weight / sum of weights), and they are added in the order of the rows: other rounding would give other ties.
// All spans have the same size. The result does not depend on `threads`.
std::vector<SwappedRates> swap_rates(std::span<const WeightedRates> figures, size_t shuffles, uint64_t seed,
                                     unsigned threads, Progress* progress);

}  // namespace treescore
