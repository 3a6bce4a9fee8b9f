// The verdict on each node of two trees: whether it counts, has a partner, and crosses nodes of the other tree.
#pragma once

#include <cstdint>
#include <vector>

#include "names.hpp"
#include "parallel.hpp"
#include "parseval.hpp"
#include "struct_iou.hpp"

namespace treescore {

// One node that counts.
#define TREESCORE_VERDICT_COLUMNS(COLUMN)                                                                   \
  COLUMN(side, int32_t)        /* 0 gold, 1 test */                                                         \
  COLUMN(number, int32_t)      /* of the node, phrases and preterminals, in the order in which they open */ \
  COLUMN(partner, int32_t, -1) /* number of the node of the other side, or -1 */                            \
  COLUMN(crossing, int32_t)    /* does it cross a node of the other side that counts? */                    \
  COLUMN(iou, double)          /* with its partner */                                                       \
  COLUMN(start, double)                                                                                     \
  COLUMN(end, double)

TREESCORE_TYPED_ROW(Verdict, TREESCORE_VERDICT_COLUMNS);

// The verdicts on gold[i] and test[i] for all i, gold first, by number; none where a pair was not scored.
void judge_all(const Columns& gold, size_t gold_begin, const Columns& test, size_t test_begin, size_t count,
               const StructIouRules& rules, unsigned threads, std::vector<Verdict>& out, std::vector<int64_t>& ends,
               Progress* progress);
void judge_all(const Columns& gold, size_t gold_begin, const Columns& test, size_t test_begin, size_t count,
               const ParsevalRules& rules, unsigned threads, std::vector<Verdict>& out, std::vector<int64_t>& ends,
               Progress* progress);

}  // namespace treescore
