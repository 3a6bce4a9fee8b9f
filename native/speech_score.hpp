// Brackets and head dependencies of trees over words that need not agree, unit by unit.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "dependencies.hpp"
#include "names.hpp"
#include "outcome.hpp"
#include "parallel.hpp"
#include "reasons.hpp"
#include "sequences.hpp"
#include "treebank.hpp"

namespace treescore {

// The words of all trees of both sides as numbers, in order of first appearance.
class SpeechWords {
 public:
  struct Side {
    std::vector<uint32_t> number;  // of each leaf
    std::vector<size_t> begin;     // of each tree
  };
  void add(const Columns& trees, size_t begin, size_t end, Side& side);

  Side gold, test;
  std::vector<std::string> names;

 private:
  std::unordered_map<std::string_view, uint32_t> numbers_;
};

// The meaning of the labels and tags of one side; flags are those of SpeechTree.
struct SpeechSide {
  std::vector<int32_t> name;  // of each label, without functions
  std::vector<uint8_t> phrase_flags, tag_flags;
};

struct SpeechRules {
  SpeechSide gold, test;
  std::vector<uint32_t> key;     // of each name: equal ones are the same label
  int32_t root = 0, no_tag = 0;  // names
  HeadRules heads;
  bool has_heads = true;

  std::vector<uint32_t> word_key;    // of each word: equal ones are the same word
  std::vector<uint8_t> word_closed;  // of each word: it is of the closed class, whatever its tag

  bool labelled = true;
  bool bag = false;           // no places: dependencies as sequences, and no brackets
  bool common_spans = false;  // words that only one side has do not move the edges of phrases
  bool same_head = false;     // the head must be the same occurrence of the word
  WordCosts costs;
};

struct SpeechUnit {
  size_t gold_begin, gold_end, test_begin, test_end;  // trees
};

// The places of the words of a unit that are kept, given from outside: first place and number of places of each.
struct GivenPlaces {
  std::vector<int32_t> gold, test;
};

#define TREESCORE_SPEECH_COLUMNS(NOTE, SUM)                          \
  NOTE(reason, reason::kScored)                                      \
  NOTE(length) /* words of gold */                                   \
  SUM(valid)                                                         \
  SUM(errors)                                                        \
  TREESCORE_OUTCOME_COLUMNS(SUM)                                     \
  SUM(head_gold_all)                                                 \
  SUM(head_test_all)                                                 \
  SUM(open_gold_all)                                                 \
  SUM(open_test_all)                                                 \
  SUM(words_all) /* words of gold, if the row is scored or failed */ \
  SUM(matched)   /* brackets */                                      \
  SUM(gold)                                                          \
  SUM(test)                                                          \
  SUM(crossing)                                                      \
  SUM(exact)                                                         \
  SUM(head_matched) /* dependencies */                               \
  SUM(head_gold)                                                     \
  SUM(head_test)                                                     \
  SUM(open_matched) /* those of the open class */                    \
  SUM(open_gold)                                                     \
  SUM(open_test)                                                     \
  SUM(correct) /* words */                                           \
  SUM(substituted)                                                   \
  SUM(deleted)                                                       \
  SUM(inserted)

TREESCORE_ROW(SpeechRow, TREESCORE_SPEECH_COLUMNS);

// Sets the counts of a row over all sentences from the counts of its sides, which are its own if it is scored.
void set_speech_outcome(const SpeechRow& counted, bool failed, SpeechRow& row);

class SpeechScorer {
 public:
  SpeechScorer(const Columns& gold, size_t gold_begin, const Columns& test, size_t test_begin, const SpeechWords& words,
               const SpeechRules& rules, std::function<void()> poll);

  SpeechRow score(const SpeechUnit& unit, const GivenPlaces* places);

 private:
  struct Side {
    const Columns& trees;
    const size_t begin;
    const SpeechWords::Side& words;
    const SpeechSide& rules;
    Side(const Columns& trees_, size_t begin_, const SpeechWords::Side& words_, const SpeechSide& rules_)
        : trees(trees_), begin(begin_), words(words_), rules(rules_) {}

    SpeechTree tree;
    std::vector<int32_t> leaves;   // the nodes of the words that are kept
    std::vector<uint32_t> keys;    // of these words
    std::vector<uint32_t> key_at;  // of the word of each node
    std::vector<Bracket> brackets;
    std::vector<Dependency> dependencies;
    std::vector<uint32_t> ids;       // of the dependencies
    std::vector<uint32_t> open_ids;  // of those of the open class
  };
  SpeechRow score_built(const SpeechUnit& unit, const GivenPlaces* places);
  void build(Side& side, size_t begin, size_t end);
  void add_tree(Side& side, size_t index);
  void place_given(const GivenPlaces& places, SpeechRow& row);
  void place_aligned(SpeechRow& row);
  void set_place(Side& side, size_t leaf, int32_t place, int32_t places = 1);
  void count_brackets(SpeechRow& row);
  void count_dependencies(SpeechRow& row);
  void number_dependencies(Side& side);

  const SpeechRules& rules_;
  Progress progress_;
  Side gold_, test_;
  int32_t place_count_ = 0;
  std::vector<uint8_t> common_;  // of each place: both sides have a word there
  BracketMatcher brackets_;
  std::vector<int32_t> at_;
  std::vector<int32_t> open_, ends_;  // phrases of the tree that is being added
  std::unordered_map<std::string, uint32_t> dependency_ids_;
};

void score_units(const Columns& gold, size_t gold_begin, const Columns& test, size_t test_begin,
                 const std::vector<SpeechUnit>& units, const std::vector<GivenPlaces>& places, const SpeechWords& words,
                 const SpeechRules& rules, unsigned threads, const ColumnsOf<SpeechRow>& columns, Progress* progress);

}  // namespace treescore
