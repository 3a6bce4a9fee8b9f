// Shares and their sums as whole numbers of 2^-40: they add up exactly in any order.
#pragma once

#include <cstdint>

namespace treescore {

using Weight = int64_t;
constexpr int kWeightBits = 40;

}  // namespace treescore
