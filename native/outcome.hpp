// What becomes of a row in the figures over all sentences. Every metric has these columns.
#pragma once

#include <algorithm>
#include <cstdint>

namespace treescore {

// One of the first four is 1, or none if the row is scored. What gold and test have is counted in the metric's own
// terms: brackets, nodes or words.
#define TREESCORE_OUTCOME_COLUMNS(SUM)                                     \
  SUM(failed)   /* because of test */                                      \
  SUM(excluded) /* by the recipe, or with nothing in gold: gold decides */ \
  SUM(gold_faults)                                                         \
  SUM(lost)        /* treescore itself could not finish */                 \
  SUM(failed_gold) /* what gold has, if the row failed */                  \
  SUM(gold_all)    /* what gold has, if the row is scored or failed */     \
  SUM(test_all)    /* what test has, and if the row failed, no less than gold */

template <class Row>
void set_scored(Row& row) {
  row.gold_all = row.gold;
  row.test_all = row.test;
}

// All of gold is missed, and as much of test is wrong, or more if test has more.
template <class Row>
void set_failed(Row& row, int64_t gold, int64_t test) {
  row.failed = 1;
  row.failed_gold = row.gold_all = gold;
  row.test_all = std::max(gold, test);
}

}  // namespace treescore
