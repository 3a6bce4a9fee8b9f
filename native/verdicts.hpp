// What became of each node of two trees: does it count, has it a partner, does it cross nodes of the other tree?
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "parallel.hpp"
#include "parseval.hpp"
#include "struct_iou.hpp"
#include "tree_order.hpp"

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

// Fills in `crossing` of the nodes of one pair, first those of gold, both sides nested and in opening order.
class CrossingMarker {
 public:
  void mark(std::span<Verdict> gold, std::span<Verdict> test);

 private:
  void mark_side(std::span<Verdict> nodes, std::span<const Verdict> others);
  int32_t place(double value) const;

  std::vector<double> places_;
  std::vector<Bracket> brackets_;
  std::vector<int32_t> left_, right_;
  std::vector<size_t> open_;
};

// The verdicts on gold[i] and test[i] for all i, gold first, by number; none where a pair was not scored.
void judge_all(const Columns& gold, size_t gold_begin, const Columns& test, size_t test_begin, size_t count,
               const StructIouRules& rules, unsigned threads, std::vector<Verdict>& out, std::vector<int64_t>& ends,
               Progress* progress);
void judge_all(const Columns& gold, size_t gold_begin, const Columns& test, size_t test_begin, size_t count,
               const ParsevalRules& rules, unsigned threads, std::vector<Verdict>& out, std::vector<int64_t>& ends,
               Progress* progress);

}  // namespace treescore
