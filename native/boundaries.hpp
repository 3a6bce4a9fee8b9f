// Boundaries of words in time: which instants of two segmentations are close enough to be the same.
#pragma once

#include <array>
#include <vector>

#include "names.hpp"
#include "outcome.hpp"
#include "parallel.hpp"
#include "reasons.hpp"
#include "treebank.hpp"

namespace treescore {

struct BoundaryRules {
  double tolerance;  // greatest distance of two matching boundaries, in seconds
  bool edges;        // whether the first and the last instant count
  double rounding;   // gaps between two words up to this length are ignored, in seconds
};

#define TREESCORE_BOUNDARY_COLUMNS(NOTE, SUM) \
  NOTE(reason, reason::kScored)               \
  NOTE(length) /* spoken words of gold */     \
  SUM(valid)                                  \
  SUM(errors)                                 \
  TREESCORE_OUTCOME_COLUMNS(SUM)              \
  SUM(hits)                                   \
  SUM(gold)                                   \
  SUM(test)                                   \
  SUM(exact) /* every boundary is a hit */

TREESCORE_ROW(BoundaryRow, TREESCORE_BOUNDARY_COLUMNS);

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
               const BoundaryRules& rules, unsigned threads, const ColumnsOf<BoundaryRow>& columns, Progress* progress);

}  // namespace treescore
