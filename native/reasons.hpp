// Why the nodes of a pair of trees could not be compared, or all count as missed.
#pragma once

#include <cstdint>

#include "names.hpp"

namespace treescore {

#define TREESCORE_NODE_REASONS(VALUE)                                                                          \
  VALUE(kScored, SCORED)                                                                                       \
  VALUE(kEmptyTest, EMPTY_TEST) /* scored: nothing found */                                                    \
  VALUE(kTestFault, TEST_FAULT) /* the same */                                                                 \
  VALUE(kEmptyGold, EMPTY_GOLD) /* the same */                                                                 \
  VALUE(kBothEmpty, BOTH_EMPTY) /* nothing to score */                                                         \
  VALUE(kGoldFault, GOLD_FAULT) /* not scored, like those below */                                             \
  VALUE(kNoTimes, NO_TIMES)                                                                                    \
  VALUE(kCrossing, CROSSING)      /* phrases cross each other, as in a discontinuous tree */                   \
  VALUE(kTooComplex, TOO_COMPLEX) /* with the predicted milliseconds, or one of kMemory, kSums, kAboveLimit */ \
  VALUE(kWordMap, WORD_MAP)       /* the surface words that were given are not as many as the leaves */        \
  VALUE(kWordCount, WORD_COUNT)   /* the two trees have other numbers of words */                              \
  VALUE(kWords, OTHER_WORDS)      /* or other words */

struct NodeReason {
  TREESCORE_CONSTANTS(TREESCORE_NODE_REASONS);
};

// Values for a pair that is too complex instead of predicted milliseconds.
#define TREESCORE_TOO_COMPLEX(VALUE) \
  VALUE(kMemory, MEMORY)             \
  VALUE(kSums, SUMS)                 \
  VALUE(kAboveLimit, ABOVE_LIMIT)

struct WhyTooComplex {
  TREESCORE_NEGATIVES(TREESCORE_TOO_COMPLEX);
};

struct reason : NodeReason, WhyTooComplex {
  static int64_t milliseconds(double seconds) {
    return seconds < 1e12 ? static_cast<int64_t>(1000 * seconds) : kMemory;
  }
};

}  // namespace treescore
