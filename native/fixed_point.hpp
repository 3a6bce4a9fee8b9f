// Shares and their sums as whole numbers of 2^-40: they add up exactly in any order.
#pragma once

#include <cstdint>

namespace treescore {

using Weight = int64_t;
constexpr int kWeightBits = 40;

// A sum of any number of weights, for which 64 bits may not be enough: high * 2^32 + low.
struct WeightSum {
  int64_t high = 0, low = 0;

  void add(Weight weight) {
    high += weight >> 32;
    low += weight & 0xFFFFFFFF;
  }
};

}  // namespace treescore
