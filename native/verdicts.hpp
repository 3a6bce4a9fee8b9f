// What became of each node of two trees: does it count, has it a partner, does it cross nodes of the other tree?
#pragma once

#include <cstdint>
#include <vector>

#include "parallel.hpp"
#include "parseval.hpp"
#include "struct_iou.hpp"

namespace treescore {

// One node that counts.
struct Verdict {
  int32_t side;      // 0 gold, 1 test
  int32_t number;    // of the node, phrases and preterminals, in the order in which they open
  int32_t partner;   // number of the node of the other side, or -1
  int32_t crossing;  // does it cross a node of the other side that counts?
  double iou;        // with its partner
  double start, end;
};

// The verdicts on gold[i] and test[i] for all i, gold first, by number; none where a pair was not scored.
void judge_all(const Columns& gold, size_t gold_begin, const Columns& test, size_t test_begin, size_t count,
               const StructIouRules& rules, unsigned threads, std::vector<Verdict>& out, std::vector<int64_t>& ends,
               Progress* progress);
void judge_all(const Columns& gold, size_t gold_begin, const Columns& test, size_t test_begin, size_t count,
               const ParsevalRules& rules, unsigned threads, std::vector<Verdict>& out, std::vector<int64_t>& ends,
               Progress* progress);

}  // namespace treescore
