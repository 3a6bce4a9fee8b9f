// Sums of rows that are drawn repeatedly: with replacement for the bootstrap, by coin flips for tests of differences.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "progress.hpp"

namespace treescore {

// Random numbers that are the same on every machine: splitmix64 (Steele, Lea and Flood 2014).
class Draws {
 public:
  explicit Draws(uint64_t state) : state_(state) {}

  uint64_t next() {
    state_ += kStep;
    uint64_t mixed = state_;
    mixed = (mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9;
    mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EB;
    return mixed ^ (mixed >> 31);
  }

  // A number below `count`, all of them equally likely (Lemire 2019): the upper half of count * a number of 32 bits,
  // where numbers are drawn again that would favour some.
  uint32_t below(uint32_t count) {
    uint64_t product = (next() >> 32) * count;
    if (static_cast<uint32_t>(product) < count) {
      const uint32_t surplus = (0 - count) % count;  // 2^32 modulo count
      while (static_cast<uint32_t>(product) < surplus) product = (next() >> 32) * count;
    }
    return static_cast<uint32_t>(product >> 32);
  }

  // The generator of one of many samples: its seed is the corresponding number of the generator with the given seed.
  static Draws of_sample(uint64_t seed, uint64_t sample) { return Draws(Draws(seed + sample * kStep).next()); }

 private:
  static constexpr uint64_t kStep = 0x9E3779B97F4A7C15;
  uint64_t state_;
};

// For each of `samples` samples of as many rows as there are, the sum of each column, in out[column][sample].
// Columns have the same size, below 2^32, and no sum may exceed 64 bits. The result does not depend on `threads`.
void sum_samples(std::span<const std::span<const int64_t>> columns, size_t samples, uint64_t seed, unsigned threads,
                 std::span<int64_t* const> out, Progress* progress);

// The same where a fair coin decides for each row whether it is in the sample: row r is if bit r % 64 of the sample's
// number r / 64 is set.
void sum_coins(std::span<const std::span<const int64_t>> columns, size_t samples, uint64_t seed, unsigned threads,
               std::span<int64_t* const> out, Progress* progress);

}  // namespace treescore
