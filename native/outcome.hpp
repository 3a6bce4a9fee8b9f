// How a row counts in the figures over all sentences. Every metric has these columns.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace treescore {

// One of the first four is 1, or none if the row is scored. Items of gold and test are counted in the metric's own
// units: brackets, nodes or words.
#define TREESCORE_OUTCOME_COLUMNS(SUM)                                     \
  SUM(failed)   /* because of test */                                      \
  SUM(excluded) /* by the recipe, or with nothing in gold: gold decides */ \
  SUM(gold_faults)                                                         \
  SUM(lost)        /* treescore itself could not finish */                 \
  SUM(failed_gold) /* what gold has, if the row failed */                  \
  SUM(gold_all)    /* what gold has, if the row is scored or failed */     \
  SUM(test_all)    /* what test has, and if the row failed, no less than gold */

// Known reasons why two files about the same text have another score than they could have, each 0 or 1 in a row: of
// rows that are scored, and of rows that failed, some of them for several reasons. See causes.hpp.
#define TREESCORE_OUTER_COLUMNS(SUM) SUM(outer_differs) /* the labels of the outermost brackets: outer:ignored */

#define TREESCORE_CAUSE_COLUMNS(SUM)                                      \
  SUM(failed_by_tags)    /* tags delete other words: delete-by:gold */    \
  SUM(failed_by_escapes) /* escapes such as -LRB- and \/: text:escapes */ \
  SUM(failed_by_case)    /* upper and lower case: text:fold */

// The items of test in a row that is scored or failed: in a failed row, at least as many as in gold.
inline int64_t test_over_all(bool failed, int64_t gold, int64_t test) { return failed ? std::max(gold, test) : test; }

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
  row.test_all = test_over_all(true, gold, test);
}

// The same by label, in a table by key: the labels of all brackets of both sides of a failed row.
template <class Sums>
void add_failed(const std::vector<uint32_t>& gold, const std::vector<uint32_t>& test, std::vector<Sums>& table) {
  std::map<uint32_t, std::pair<int64_t, int64_t>> counts;
  for (const uint32_t key : gold) ++counts[key].first;
  for (const uint32_t key : test) ++counts[key].second;
  for (const auto& [key, sides] : counts) {
    if (key >= table.size()) table.resize(key + 1);
    table[key].gold_all += sides.first;
    table[key].test_all += test_over_all(true, sides.first, sides.second);
  }
}

}  // namespace treescore
