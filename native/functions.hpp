// Grammatical functions of phrases and words whose bracket or tag is right.
#pragma once

#include <array>
#include <vector>

#include "outcome.hpp"
#include "parseval.hpp"

namespace treescore {

// The functions of the ids of one side's vocabulary.
struct FunctionNames {
  std::vector<uint32_t> key;                    // of a function that is kept apart
  std::vector<std::vector<uint32_t>> in_label;  // the functions in a label or tag
};

struct FunctionRules {
  ParsevalRules brackets;
  FunctionNames gold, test;
};

#define TREESCORE_FUNCTION_COLUMNS(NOTE, SUM)                                              \
  NOTE(reason, static_cast<int64_t>(Reason::kScored)) /* as of brackets, like all notes */ \
  NOTE(status)                                                                             \
  NOTE(length)                                                                             \
  NOTE(detail_a)                                                                           \
  NOTE(detail_b)                                                                           \
  SUM(valid)                                                                               \
  SUM(errors)                                                                              \
  SUM(skipped)                                                                             \
  TREESCORE_OUTCOME_COLUMNS(SUM)                                                           \
  TREESCORE_OUTER_COLUMNS(SUM)                                                             \
  TREESCORE_CAUSE_COLUMNS(SUM)                                                             \
  SUM(matched) /* functions */                                                             \
  SUM(gold)                                                                                \
  SUM(test)                                                                                \
  SUM(exact) /* all of them */

TREESCORE_ROW(FunctionRow, TREESCORE_FUNCTION_COLUMNS);

// The counts of one function.
#define TREESCORE_FUNCTION_SUMS(NOTE, SUM)  \
  SUM(matched)                              \
  SUM(gold)                                 \
  SUM(test)                                 \
  SUM(gold_all) /* with failed sentences */ \
  SUM(test_all)

TREESCORE_ROW(FunctionCount, TREESCORE_FUNCTION_SUMS);

class FunctionScorer {
 public:
  explicit FunctionScorer(const FunctionRules& rules) : rules_(rules), brackets_(rules.brackets) {}

  // Adds the functions of the pair to the table by key, if there is one.
  FunctionRow score(const Columns& gold, size_t gold_index, const Columns& test, size_t test_index,
                    std::vector<FunctionCount>* table = nullptr);

 private:
  static void find(const FunctionNames& names, std::span<const uint32_t> apart, size_t place, uint32_t label,
                   bool kept_apart, std::vector<uint32_t>& out);
  static void find_all(const FunctionNames& names, const TreeView& tree, bool kept_apart,
                       const ParsevalScorer::Compared& side, std::vector<uint32_t>& out);
  void compare(FunctionRow& row, std::vector<FunctionCount>* table);

  const FunctionRules& rules_;
  ParsevalScorer brackets_;
  Explained explained_;
  std::vector<uint32_t> gold_, test_;  // functions of one phrase or word
};

// Scores gold[i] with test[i] for all i on several threads; entry i of each column belongs to pair i.
void score_all(const Columns& gold, size_t gold_begin, const Columns& test, size_t test_begin, size_t count,
               const FunctionRules& rules, unsigned threads, const ColumnsOf<FunctionRow>& columns, Progress* progress);

}  // namespace treescore
