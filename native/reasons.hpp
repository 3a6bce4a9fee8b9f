// Why the nodes of a pair of trees could not be compared, or count as not found at all.
#pragma once

#include <cstdint>

namespace treescore::reason {

enum : int64_t {
  kScored,
  kEmptyTest,  // scored: nothing found
  kTestFault,  // the same
  kEmptyGold,  // the same
  kBothEmpty,  // nothing to score
  kGoldFault,  // not scored, like all that follow
  kNoTimes,
  kCrossing,    // phrases cross each other, as in a discontinuous tree
  kTooComplex,  // with the predicted milliseconds, or one of kMemory, kSums, kAboveLimit
  kWordMap,     // the surface words that were given are not as many as the leaves
  kWordCount,   // the two trees have other numbers of words
  kWords,       // or other words
};
constexpr int64_t kMemory = -1, kSums = -2, kAboveLimit = -3;

inline int64_t milliseconds(double seconds) { return seconds < 1e12 ? static_cast<int64_t>(1000 * seconds) : kMemory; }

}  // namespace treescore::reason
