// Words and phrases of disfluent speech: those under labels such as EDITED in both trees.
#pragma once

#include <array>
#include <vector>

#include "brackets.hpp"
#include "lineages.hpp"
#include "names.hpp"
#include "outcome.hpp"
#include "parallel.hpp"
#include "treebank.hpp"

namespace treescore {

#define TREESCORE_DISFLUENCY_GROUPS(VALUE) \
  VALUE(kEdit, EDIT)                       \
  VALUE(kDisfluent, DISFLUENT)

struct DisfluencyRules : PairRules {
  TREESCORE_FLAGS(TREESCORE_DISFLUENCY_GROUPS);

  std::vector<uint8_t> groups;  // of each label key
};

#define TREESCORE_DISFLUENCY_COLUMNS(NOTE, SUM)                                  \
  NOTE(reason, reason::kScored)                                                  \
  NOTE(length)       /* words of gold */                                         \
  NOTE(detail)       /* the number of words in gold, or its leaf that differs */ \
  NOTE(other_detail) /* the same of test */                                      \
  SUM(valid)                                                                     \
  SUM(errors)                                                                    \
  TREESCORE_OUTCOME_COLUMNS(SUM)                                                 \
  TREESCORE_CAUSE_COLUMNS(SUM)                                                   \
  SUM(node_gold_all)                                                             \
  SUM(node_test_all)                                                             \
  SUM(disfluent_gold_all)                                                        \
  SUM(disfluent_test_all)                                                        \
  SUM(all_gold_all)                                                              \
  SUM(all_test_all)                                                              \
  SUM(matched) /* words under an edit, once for each label */                    \
  SUM(gold)                                                                      \
  SUM(test)                                                                      \
  SUM(node_matched) /* edits as sets of label and span */                        \
  SUM(node_gold)                                                                 \
  SUM(node_test)                                                                 \
  SUM(disfluent_matched) /* words under any disfluent label, once for each */    \
  SUM(disfluent_gold)                                                            \
  SUM(disfluent_test)                                                            \
  SUM(all_matched) /* phrases as sets of label and span */                       \
  SUM(all_gold)                                                                  \
  SUM(all_test)                                                                  \
  SUM(exact) /* the edited words are the same */

TREESCORE_ROW(DisfluencyRow, TREESCORE_DISFLUENCY_COLUMNS);

class DisfluencyScorer {
 public:
  explicit DisfluencyScorer(const DisfluencyRules& rules) : rules_(rules) {}

  DisfluencyRow score(const Columns& gold, size_t gold_index, const Columns& test, size_t test_index);

 private:
  struct Side {
    std::vector<Bracket> runs;     // words under each label of a group, in adjacent runs
    std::vector<Bracket> phrases;  // a set
    std::vector<Bracket> open;
  };
  void collect(const TreeView& tree, const Lineages& lineages, const SideRules& rules, Side& side) const;
  bool in_group(const Bracket& bracket, uint8_t group) const { return (rules_.groups[bracket.key] & group) != 0; }
  struct Words {
    int64_t matched = 0, gold = 0, test = 0;
  };
  Words count_words(uint8_t group) const;
  void count_groups(DisfluencyRow& row) const;
  void count_phrases(DisfluencyRow& row) const;
  static void set_all(const DisfluencyRow& counted, DisfluencyRow& row);

  const DisfluencyRules& rules_;
  LineagePair pair_;
  Side gold_, test_;
};

// Scores gold[i] with test[i] for all i; entry i of each column belongs to pair i.
void score_all(const Columns& gold, size_t gold_begin, const Columns& test, size_t test_begin, size_t count,
               const DisfluencyRules& rules, unsigned threads, const ColumnsOf<DisfluencyRow>& columns,
               Progress* progress);

}  // namespace treescore
