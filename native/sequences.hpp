// Weighted edit alignment of two sequences of words, given as ids, with its path; and longest common subsequences.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include "progress.hpp"

namespace treescore {

// The key of a null word, which represents no word and is never paired.
constexpr uint32_t kNullWord = UINT32_MAX;

// Sequences so long and so different that aligning them would take minutes. (If it needs more memory than the budget of
// the process, MemoryClaim::NeverFits is thrown.)
class SequencesTooLong : public std::length_error {
 public:
  using std::length_error::length_error;
};

// In any unit; none is negative, and gaps cost something.
struct WordCosts {
  int64_t insertion = 3, deletion = 3, substitution = 4;

  // No sum of them may exceed 64 bits.
  static constexpr int64_t kMost = int64_t{1} << 40;
  bool in_range() const {
    return std::min({insertion, deletion, substitution}) >= 0 && std::max({insertion, deletion, substitution}) <= kMost;
  }
};

// Of several optimal paths:
//   kEarlyGap: from the end, a pair where a pair is optimal, else a deletion where only that is, else an insertion;
//   kLateGap: the same from the beginning, that is, the mirror image of the early path of the mirrored sequences.
enum class Ties { kEarlyGap, kLateGap };

// Words by key. `gaps` has the cost of leaving out each of them; if it is empty, all cost the same.
struct WordSequence {
  std::span<const uint32_t> keys;
  std::span<const int64_t> gaps;
};

// Words with the nodes they lead from and to. Node 0 is the first, and every word leads to a node with a higher number.
// All words are on paths from the first node to the last.
struct WordLattice {
  std::span<const uint32_t> keys;
  std::span<const int64_t> gaps;  // never empty
  std::span<const uint32_t> from, to;
  uint32_t nodes;
};

// Words with the times at which they begin and end, in any unit; none is a null word.
struct TimedWords {
  std::span<const uint32_t> keys;
  std::span<const int64_t> begin, end;
};

// Keys of reference and hypothesis that match although they differ, in ascending order.
using SimilarWords = std::span<const std::pair<uint32_t, uint32_t>>;

// A word of the reference, of the hypothesis, or of both (correct or substituted). -1: none.
struct WordStep {
  int32_t ref, hyp;
  bool equal;
};

struct WordPath {
  int64_t cost = 0;
  std::vector<WordStep> steps;
};

// Up to this many cells, the whole table is filled.
constexpr size_t kSmallTable = size_t{1} << 14;

WordPath align_words(const WordSequence& ref, const WordSequence& hyp, const WordCosts& costs, SimilarWords similar,
                     Ties ties, Progress& progress, size_t small_table = kSmallTable);

WordPath align_lattices(const WordLattice& ref, const WordLattice& hyp, const WordCosts& costs, SimilarWords similar,
                        Ties ties, Progress& progress);

// A pair costs the sum of the differences of both times, and `different` if the words differ; a gap costs the length of
// the word.
WordPath align_times(const TimedWords& ref, const TimedWords& hyp, int64_t different, SimilarWords similar, Ties ties,
                     Progress& progress, size_t small_table = kSmallTable);

// Length of the longest common subsequence.
size_t lcs_length(std::span<const uint32_t> a, std::span<const uint32_t> b, Progress& progress);

}  // namespace treescore
