// Boundaries of words in time: which instants of two segmentations are close enough to be the same.
#pragma once

#include <array>
#include <vector>

#include "parallel.hpp"
#include "reasons.hpp"
#include "treebank.hpp"

namespace treescore {

struct BoundaryRules {
  double tolerance;  // seconds that two boundaries may be apart
  bool edges;        // do the first and the last instant count?
  double rounding;   // seconds up to which a gap between two words is none
};

// The columns of a sentence row, in the order in which they are stored.
struct BoundaryRow {
  int64_t reason = reason::kScored;
  int64_t valid = 0, errors = 0;
  int64_t length = 0;  // spoken words of gold
  int64_t hits = 0, gold = 0, test = 0;
  int64_t exact = 0;  // every boundary is a hit
};
constexpr size_t kBoundaryColumns = sizeof(BoundaryRow) / sizeof(int64_t);

class BoundaryScorer {
 public:
  explicit BoundaryScorer(const BoundaryRules& rules) : rules_(rules) {}

  BoundaryRow score(const Columns& gold, size_t gold_index, const Columns& test, size_t test_index);

 private:
  // The instants at which words start or end, in order; returns the number of words.
  int64_t collect(const TreeView& tree, std::vector<double>& instants) const;
  int64_t count_hits() const;

  const BoundaryRules& rules_;
  std::vector<double> gold_, test_;
};

// Scores gold[i] with test[i] for all i; entry i of each column belongs to pair i.
void score_all(const Columns& gold, size_t gold_begin, const Columns& test, size_t test_begin, size_t count,
               const BoundaryRules& rules, unsigned threads, const std::array<int64_t*, kBoundaryColumns>& columns,
               Progress* progress);

}  // namespace treescore
