// Words and phrases of disfluent speech: what is under a label such as EDITED in both trees.
#pragma once

#include <array>
#include <vector>

#include "brackets.hpp"
#include "lineages.hpp"
#include "parallel.hpp"
#include "treebank.hpp"

namespace treescore {

struct DisfluencyRules : PairRules {
  static constexpr uint8_t kEdit = 1, kDisfluent = 2;

  std::vector<uint8_t> groups;  // of each label key
};

struct MatchedCounts {
  int64_t matched = 0, gold = 0, test = 0;

  friend bool operator==(const MatchedCounts&, const MatchedCounts&) = default;
};

struct DisfluencyRow {
  int64_t reason = reason::kScored;
  int64_t valid = 0, errors = 0;
  int64_t length = 0;       // words of gold
  MatchedCounts words;      // under an edit, once for each label
  MatchedCounts nodes;      // edits as sets of label and span
  MatchedCounts disfluent;  // words under any disfluent label, once for each
  MatchedCounts all;        // phrases as sets of label and span
  int64_t exact = 0;        // the edited words are the same
  int64_t detail = 0;       // the number of words in gold, or its leaf that differs
  int64_t other_detail = 0;
};
constexpr size_t kDisfluencyColumns = sizeof(DisfluencyRow) / sizeof(int64_t);

class DisfluencyScorer {
 public:
  explicit DisfluencyScorer(const DisfluencyRules& rules) : rules_(rules) {}

  DisfluencyRow score(const Columns& gold, size_t gold_index, const Columns& test, size_t test_index);

 private:
  struct Side {
    std::vector<Bracket> runs;     // words under each label of a group, side by side where they touch
    std::vector<Bracket> phrases;  // a set
    std::vector<Bracket> open;
  };
  void collect(const TreeView& tree, const Lineages& lineages, const SideRules& rules, Side& side) const;
  bool in_group(const Bracket& bracket, uint8_t group) const { return (rules_.groups[bracket.key] & group) != 0; }
  MatchedCounts count_words(uint8_t group) const;
  void count_phrases(DisfluencyRow& row) const;

  const DisfluencyRules& rules_;
  LineagePair pair_;
  Side gold_, test_;
};

// Scores gold[i] with test[i] for all i; entry i of each column belongs to pair i.
void score_all(const Columns& gold, size_t gold_begin, const Columns& test, size_t test_begin, size_t count,
               const DisfluencyRules& rules, unsigned threads, const std::array<int64_t*, kDisfluencyColumns>& columns,
               Progress* progress);

}  // namespace treescore
