// Brackets of two texts whose words and sentences may differ, compared over groups of words or over characters.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "brackets.hpp"
#include "causes.hpp"
#include "names.hpp"
#include "parallel.hpp"
#include "rules.hpp"
#include "text_alignment.hpp"
#include "treebank.hpp"

namespace treescore {

struct AlignedRules {
  SideRules gold, test;
  KeyPairs equal_labels;  // by label key
  KeyPairs equal_tags;    // by tag key
  bool labelled = true;
  int64_t most_length = -1;  // longer blocks are left out; -1: no limit
  bool characters = false;   // places are characters, and texts of unequal length have none in common
};

// A block of sentences.
#define TREESCORE_ALIGNED_COLUMNS(NOTE, SUM)                                                     \
  NOTE(gold_first) /* numbers of the first sentences */                                          \
  NOTE(test_first)                                                                               \
  NOTE(length)                                                                                   \
  NOTE(given_up) /* the texts around it were too much to compare */                              \
  SUM(valid)                                                                                     \
  SUM(left_out_sentences) /* of both sides, in blocks that are not valid */                      \
  SUM(gold_sentences)                                                                            \
  SUM(test_sentences)                                                                            \
  SUM(paired)     /* are there sentences of both sides? */                                       \
  SUM(one_to_one) /* and just one of each? */                                                    \
  SUM(skipped)    /* longer than wanted: nothing of it counts */                                 \
  SUM(errors)     /* a tree is discontinuous: the same */                                        \
  TREESCORE_OUTCOME_COLUMNS(SUM)                                                                 \
  TREESCORE_OUTER_COLUMNS(SUM) /* of the first sentences of the block */                         \
  SUM(valid_all)               /* or failed */                                                   \
  SUM(paired_all)              /* or failed: what averages over blocks of both sides are over */ \
  SUM(test_only)               /* has no sentence of gold */                                     \
  SUM(words_all)               /* words of gold, if the row is scored or failed */               \
  SUM(matched)                                                                                   \
  SUM(gold)                                                                                      \
  SUM(test)                                                                                      \
  SUM(unlabelled)                                                                                \
  SUM(crossing)                                                                                  \
  SUM(no_crossing)                                                                               \
  SUM(two_or_less_crossing)                                                                      \
  SUM(exact)                                                                                     \
  SUM(words) /* that are not deleted */                                                          \
  SUM(test_words)                                                                                \
  SUM(tokens)     /* words that are words on the other side, too */                              \
  SUM(tags)       /* of gold words that are right */                                             \
  SUM(characters) /* of both sides, as they are written */                                       \
  SUM(widened)    /* of them in groups of more than two words */                                 \
  SUM(unequal)    /* characters: the texts are not of the same length */

TREESCORE_ROW(AlignedRow, TREESCORE_ALIGNED_COLUMNS);

// The trees of one side.
struct TreeRange {
  const Columns* columns;
  size_t begin;
  TreeView tree(size_t index) const { return columns->tree(begin + index); }
  bool faulty(size_t index) const { return columns->faulty(begin + index); }
};

class AlignedScorer {
 public:
  AlignedScorer(const TextAlignment& texts, TreeRange gold, TreeRange test, const AlignedRules& rules)
      : texts_(texts), trees_{gold, test}, rules_(rules) {}

  AlignedRow score(size_t block);

  void add_by_label(size_t block, std::vector<LabelCount>& table);

 private:
  struct Word {
    uint64_t number;  // in the text of its side
    uint32_t tag_key;
    int32_t start, end;
    int32_t size;  // in characters, as it is written
  };
  struct Side {
    std::vector<Word> words;
    std::vector<Bracket> brackets;
    std::vector<uint32_t> keys;  // of the brackets, as labels
    int64_t length = 0;
    bool nested = true;
  };
  void collect(size_t block);
  void collect_words(const TextSide& text, const TreeRange& trees, const SideRules& rules, size_t begin, size_t end,
                     Side& side) const;
  void collect_brackets(const TextSide& text, const TreeRange& trees, const SideRules& rules, size_t begin, size_t end,
                        Side& side);
  bool place_by_groups(size_t block, AlignedRow& row);
  bool place_by_characters(AlignedRow& row);
  int64_t common_tags(size_t gold, size_t gold_end, size_t test, size_t test_end, bool expanded);
  uint32_t text_key(const TextSide& text, const Word& word, bool expanded) const;
  static int64_t size(std::span<const Word> words);

  const TextAlignment& texts_;
  TreeRange trees_[2];
  const AlignedRules& rules_;
  Side gold_, test_;
  std::vector<int32_t> kept_before_;
  std::vector<std::pair<uint32_t, uint32_t>> gold_tags_, test_tags_;
  BracketMatcher matcher_;
  AlignedRow row_{};
  std::vector<uint32_t> failed_keys_;  // of the brackets of gold in a failed block
};

void score_aligned(const TextAlignment& texts, TreeRange gold, TreeRange test, const AlignedRules& rules,
                   unsigned threads, const ColumnsOf<AlignedRow>& columns, Progress* progress);

}  // namespace treescore
