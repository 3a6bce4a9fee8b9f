// One sentence pair to bracket counts: which words and brackets are left, do the words agree, what matches.
#pragma once

#include <array>
#include <memory>
#include <span>
#include <string>
#include <unordered_set>
#include <vector>

#include "brackets.hpp"
#include "causes.hpp"
#include "leaf_sets.hpp"
#include "names.hpp"
#include "outcome.hpp"
#include "parallel.hpp"
#include "rules.hpp"
#include "treebank.hpp"

namespace treescore {

#define TREESCORE_ROOT_RULES(VALUE) \
  VALUE(kKeep, KEEP)                \
  VALUE(kDropWholeSpan, DROP_WHOLE) \
  VALUE(kDropOutermost, DROP_OUTERMOST)

TREESCORE_ENUM(RootRule, uint8_t, TREESCORE_ROOT_RULES);

#define TREESCORE_DUPLICATES(VALUE) \
  VALUE(kKeep, KEEP)                \
  VALUE(kDrop, DROP)                \
  VALUE(kOnce, ONCE)                \
  VALUE(kMembers, MEMBERS)

TREESCORE_ENUM(Duplicates, uint8_t, TREESCORE_DUPLICATES);

#define TREESCORE_EMPTY_RULES(VALUE) \
  VALUE(kUndefined, UNDEFINED)       \
  VALUE(kPerfect, PERFECT)           \
  VALUE(kZero, ZERO)

TREESCORE_ENUM(EmptyRule, uint8_t, TREESCORE_EMPTY_RULES);

#define TREESCORE_LENGTH_RULES(VALUE) \
  VALUE(kSame, SAME)                  \
  VALUE(kCounted, COUNTED)            \
  VALUE(kAny, ANY)

TREESCORE_ENUM(Lengths, uint8_t, TREESCORE_LENGTH_RULES);

#define TREESCORE_WORD_COMPARISONS(VALUE) \
  VALUE(kSame, SAME)                      \
  VALUE(kAny, ANY)                        \
  VALUE(kAligned, ALIGNED)

TREESCORE_ENUM(WordComparison, uint8_t, TREESCORE_WORD_COMPARISONS);

// Which word of test each word of gold is aligned with, or -1, for some pairs of trees that follow each other.
struct WordPartners {
  size_t first_tree = 0;         // of gold
  std::vector<uint64_t> begin;   // of each tree, and the end
  std::vector<int32_t> partner;  // of each leaf

  std::span<const int32_t> of(size_t gold_index) const {
    const size_t tree = gold_index - first_tree;
    return std::span(partner).subspan(begin[tree], begin[tree + 1] - begin[tree]);
  }
};

// Some words. Most words of a text begin with another byte than any of them.
class Forms {
 public:
  void add(std::string_view form) {
    forms_.emplace(form);
    if (!form.empty()) begins_[static_cast<unsigned char>(form.front())] = true;
  }
  bool empty() const { return forms_.empty(); }
  bool contains(std::string_view word) const {
    return !word.empty() && begins_[static_cast<unsigned char>(word.front())] && forms_.contains(std::string(word));
  }

 private:
  std::unordered_set<std::string> forms_;
  std::array<bool, 256> begins_{};
};

struct Verdict;

struct ParsevalRules {
  SideRules gold, test;
  KeyPairs equal_labels;  // by label key
  KeyPairs equal_tags;    // by tag key
  WordRules words;
  Forms deleted_forms;  // words that are deleted whatever their tag is
  bool labelled = true;
  bool delete_by_gold = false;     // the gold tags decide which words of test are deleted, if the words can be paired
  bool may_be_kept_words = false;  // nothing is deleted from a test tree with as many words as gold keeps
  bool only_gaps = false;          // only discontinuous phrases count
  WordComparison word_comparison = WordComparison::kSame;
  std::shared_ptr<const WordPartners> partners;  // where words are aligned
  Lengths lengths = Lengths::kSame;
  int32_t least_width = 0;
  int32_t least_words = 0;   // shorter sentences are left out, counted in kept words
  int64_t least_length = 0;  // the same, counted as the length is
  int64_t most_length = -1;  // longer ones too; -1: no limit
  bool unwrap = false;       // an outermost bracket without a label around a single phrase does not count
  RootRule root = RootRule::kKeep;
  Duplicates duplicates = Duplicates::kKeep;
  bool label_root = false;     // in a table by label, brackets over the whole sentence count in any case
  bool label_members = false;  // in a table by label, every listed bracket counts that the other side has at all
  EmptyRule empty = EmptyRule::kUndefined;  // figures of a sentence without brackets
  bool overlook_length =
      false;                  // sentences with different numbers of words are scored: only the first words are compared
  bool score_faulty = false;  // trees with a fault are scored as far as they could be read
};

// Why a sentence was not scored.
#define TREESCORE_PARSEVAL_REASONS(VALUE) \
  VALUE(kScored, SCORED)                  \
  VALUE(kLength, LENGTHS_DIFFER)          \
  VALUE(kWords, WORDS_DIFFER)             \
  VALUE(kEmptyTest, EMPTY_TEST)           \
  VALUE(kLeftOut, LEFT_OUT)               \
  VALUE(kGoldFault, GOLD_FAULT)           \
  VALUE(kTestFault, TEST_FAULT)

TREESCORE_ENUM(Reason, uint8_t, TREESCORE_PARSEVAL_REASONS);

#define TREESCORE_PARSEVAL_COLUMNS(NOTE, SUM)                                                 \
  NOTE(reason, static_cast<int64_t>(Reason::kScored))                                         \
  NOTE(status) /* that of EVALB: 0 valid, 1 error, 2 skipped */                               \
  NOTE(length)                                                                                \
  NOTE(detail_a) /* Reason::kLength: both numbers of words; kWords: the leaves that differ */ \
  NOTE(detail_b)                                                                              \
  SUM(valid)                                                                                  \
  SUM(errors)                                                                                 \
  SUM(skipped)                                                                                \
  TREESCORE_OUTCOME_COLUMNS(SUM)                                                              \
  TREESCORE_OUTER_COLUMNS(SUM)                                                                \
  TREESCORE_CAUSE_COLUMNS(SUM)                                                                \
  SUM(words_all) /* words of gold, if the row is scored or failed */                          \
  SUM(matched)                                                                                \
  SUM(gold)                                                                                   \
  SUM(test)                                                                                   \
  SUM(unlabelled)                                                                             \
  SUM(crossing)                                                                               \
  SUM(no_crossing)                                                                            \
  SUM(two_or_less_crossing)                                                                   \
  SUM(exact)                                                                                  \
  SUM(unlabelled_exact)                                                                       \
  SUM(words)                                                                                  \
  SUM(tags)                                                                                   \
  SUM(sentence_precision) /* in units of 2^-40, if it is defined */                           \
  SUM(sentence_recall)                                                                        \
  SUM(sentence_f1)                                                                            \
  SUM(sentences_with_precision) /* is it defined? */                                          \
  SUM(sentences_with_recall)                                                                  \
  SUM(sentences_with_f1)

TREESCORE_ROW(ParsevalRow, TREESCORE_PARSEVAL_COLUMNS);

// A sentence pair in full, for explanations.
struct Explained {
  struct Word {
    uint32_t leaf;
    uint8_t result;  // 0 wrong tag, 1 right tag, 9 not compared
  };
  struct Phrase {
    int32_t start, end;
    uint8_t result;  // 0 not matched, 1 matched, 5 deleted, 9 not compared
    int32_t partner;
  };
  struct QuoteMark {
    int32_t position;
    uint32_t leaf;
  };
  struct Insertion {
    uint8_t side;
    int32_t nodes_before, position, open;
    std::vector<std::pair<int32_t, int32_t>> spans;  // before the change
  };
  std::vector<Word> words[2];
  std::vector<Phrase> phrases[2];
  std::vector<QuoteMark> quotes[2];
  std::vector<Insertion> insertions;
  bool lengths_differed = false;
};

class ParsevalScorer {
 public:
  explicit ParsevalScorer(const ParsevalRules& rules) : rules_(rules) {}

  ParsevalRow score(const Columns& gold, size_t gold_index, const Columns& test, size_t test_index,
                    Explained* explained = nullptr);

  // How the last pair was compared, if it was scored: brackets count twice only where equal ones do.
  struct Compared {
    std::span<const uint32_t> kept;                      // the leaves that are left
    std::span<const std::pair<int32_t, int32_t>> spans;  // of all phrases; equal for equal sets of words
    std::span<const Bracket> brackets;                   // those that count, in opening order
    std::span<const uint32_t> nodes;                     // of the brackets
  };
  std::array<Compared, 2> compared();
  // Which brackets of each side cross one of the other side.
  void mark_crossing(std::array<std::vector<uint8_t>, 2>& marks);

  // The sides of the last pair, if it failed, each for itself; the one of test is empty if it could not be read.
  std::array<Compared, 2> failed_sides() const { return sides(); }

  void append_verdicts(const ParsevalRow& row, std::vector<Verdict>& out);  // of the last pair scored

  // The positions of the leaves of a pair: the words that are left follow one another, and a deleted word has no
  // length.
  void place_leaves(const Columns& gold, size_t gold_index, const Columns& test, size_t test_index,
                    std::span<Interval> gold_out, std::span<Interval> test_out);

  // Adds the brackets of the pair to the table, by label key.
  void add_by_label(const Columns& gold, size_t gold_index, const Columns& test, size_t test_index,
                    std::vector<LabelCount>& table);

 private:
  struct Quote {
    int32_t position;
    int32_t nodes_before;
    uint32_t leaf;
    uint32_t tag;
    bool listed;
  };
  struct Side {
    TreeView tree;
    const SideRules* rules;
    std::vector<int32_t> position;           // kept words before each leaf
    std::vector<uint32_t> kept;              // leaf of each kept word
    std::vector<uint8_t> in_deleted_phrase;  // by leaf; empty if there are no such phrases
    bool is_wrapped = false;                 // the outermost bracket does not count
    bool is_unfaithful = false;              // its words are not those of the sentence
    std::vector<std::pair<int32_t, int32_t>> span;
    std::vector<Quote> quotes;
    std::vector<Bracket> brackets;
    std::vector<uint32_t> node;  // of each bracket

    uint32_t tag_key(uint32_t leaf) const {
      const uint32_t tag = tree.leaves[leaf].tag;
      return tag == kNone ? rules->no_tag_key : rules->tag_key[tag];
    }
    bool is_in_deleted_phrase(uint32_t leaf) const { return !in_deleted_phrase.empty() && in_deleted_phrase[leaf]; }
    uint8_t flags(uint32_t leaf) const {
      const uint32_t tag = tree.leaves[leaf].tag;
      return tag == kNone ? uint8_t{0} : rules->tag_flags[tag];
    }
  };

  template <class IsDeleted>
  static void place(Side& side, const IsDeleted& is_deleted);
  void place(Side& side, const Side& tags) const;
  void place_test();
  void place_alone();  // both sides, before they are compared
  void take(Side& side, const SideRules& rules, const Columns& trees, size_t index) const;
  bool is_deleted(const Side& side, uint32_t leaf) const;
  static bool is_aside(const Side& side, uint32_t leaf) {
    return (side.flags(leaf) & SideRules::kAside) != 0 || side.is_in_deleted_phrase(leaf);
  }
  static int64_t length_of(const Side& side);
  bool is_aligned() const { return rules_.word_comparison == WordComparison::kAligned; }
  static void find_quotes(Side& side);
  void put_quotes_back(const Vocabulary& gold_names, const Vocabulary& test_names, Explained* explained);
  static void put_back(Side& side, size_t quote, uint8_t number, Explained* explained);
  size_t first_difference(size_t count) const;
  LeafSets::Side words_of(const Side& side) const { return {side.tree, side.kept}; }
  void collect(Side& side, RootRule root) const;
  void collect_both(RootRule root);
  void move_to_partners();
  void drop_without_gaps(Side& side) const;
  std::array<Compared, 2> sides() const;
  void set_outcome(Reason reason, ParsevalRow& row);
  void collect_failed(Reason reason, RootRule root);
  void collect_alone(Side& side, RootRule root);
  int64_t count_alone(const Side& side) const;
  static uint32_t label_of(const Side& side, size_t bracket);
  static std::vector<Bracket> listed_by_label(const Side& side);
  static std::vector<Bracket> labelled_set(const Side& side);
  std::vector<uint32_t> labels_of(const Side& side) const;
  Reason align(const Columns& gold, size_t gold_index, const Columns& test, size_t test_index, ParsevalRow& row,
               Explained* explained);
  void count_brackets(ParsevalRow& row);
  void explain(Explained& explained, bool scored);
  static void drop_duplicates(Side& side);
  void fill_rates(ParsevalRow& row, int64_t matched, int64_t gold, int64_t test) const;

  const ParsevalRules& rules_;
  Side gold_, test_;
  std::vector<uint8_t> deleted_;
  std::span<const int32_t> partner_;  // of each leaf of gold, where words are aligned
  std::vector<Bracket> gold_set_, test_set_;
  BracketMatcher matcher_;
  LeafSets sets_;
  bool by_sets_ = false;  // one of the trees is discontinuous: the spans of phrases represent sets of words
  bool alone_ = false;    // and each side was placed without the other
};

// Scores gold[i] with test[i] for all i on several threads; entry i of each column belongs to pair i.
void score_all(const Columns& gold, size_t gold_begin, const Columns& test, size_t test_begin, size_t count,
               const ParsevalRules& rules, unsigned threads, const ColumnsOf<ParsevalRow>& columns, Progress* progress);

}  // namespace treescore
