// Errors of brackets by label, by rule, by parent and by tag: tables of counts over many pairs of trees.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <limits>
#include <unordered_map>
#include <vector>

#include "parseval.hpp"

namespace treescore {

struct BreakdownRules {
  ParsevalRules brackets;
  // One number for all labels, or tags, that count as equal, by key: rules are compared by it.
  std::vector<uint32_t> label_class, tag_class;
};

// Kinds of pairs of labels. A bracket without a partner is alone in its pair, and may cross a bracket of the other
// side.
#define TREESCORE_PAIR_KINDS(VALUE) \
  VALUE(kRight, RIGHT)              \
  VALUE(kOtherLabel, OTHER_LABEL)   \
  VALUE(kAlone, ALONE)              \
  VALUE(kCrossing, CROSSING)

TREESCORE_ENUM(PairKind, uint32_t, TREESCORE_PAIR_KINDS);

// Kinds of errors of rules. If the other side has a bracket over the same words, or if there is only one word, a
// missing or extra rule is unary.
#define TREESCORE_RULE_KINDS(VALUE)   \
  VALUE(kChanged, CHANGED)            \
  VALUE(kMissing, MISSING)            \
  VALUE(kExtra, EXTRA)                \
  VALUE(kMissingUnary, MISSING_UNARY) \
  VALUE(kExtraUnary, EXTRA_UNARY)

TREESCORE_ENUM(RuleKind, uint32_t, TREESCORE_RULE_KINDS);

struct NumbersHash {
  template <class Numbers>
  size_t operator()(const Numbers& numbers) const {
    uint64_t hash = 0xCBF29CE484222325ull;
    for (const uint32_t number : numbers) hash = (hash ^ number) * 0x9E3779B97F4A7C15ull;
    return static_cast<size_t>(hash ^ (hash >> 29));
  }
};

// Keys and classes are numbers of the caller; kNone is nothing at all.
struct BreakdownTables {
  struct Count {
    int64_t count = 0;
    int64_t first = std::numeric_limits<int64_t>::max();  // the first pair of trees in which it occurs
  };
  template <size_t kSize>
  using Table = std::unordered_map<std::array<uint32_t, kSize>, Count, NumbersHash>;

  // A rule: the class of its label, how many children, their codes, and if the words below them do not simply follow
  // one another, the child that each piece belongs to. A code is twice a class, plus one for a word.
  using Rule = std::vector<uint32_t>;
  static constexpr uint32_t kGap = kNone;             // words of other phrases between two pieces
  static constexpr uint32_t kManyPieces = kNone - 1;  // more than are examined
  static constexpr uint32_t kNoTag = kNone;           // the code of a word without a tag
  static constexpr uint32_t kUntagged = kNone - 1;    // the same as a key

  Table<3> labels;       // gold, test, PairKind
  Table<3> tags;         // gold, test, PairKind (right or another label)
  Table<4> attachments;  // label, parents in gold and test, whether both parents cover the same words
  Table<3> rule_errors;  // numbers of rules in gold and test, RuleKind
  int64_t right_rules = 0;
  std::vector<Rule> rules;

  uint32_t number_of(Rule&& rule);
  void add(const BreakdownTables& other);

 private:
  std::unordered_map<Rule, uint32_t, NumbersHash> numbers_;
};

// Adds pairs of trees to tables.
class BreakdownCounter {
 public:
  BreakdownCounter(const BreakdownRules& rules, std::function<void()> poll)
      : rules_(rules), poll_(std::move(poll)), scorer_(rules.brackets) {}

  void add(const Columns& gold, size_t gold_index, const Columns& test, size_t test_index, int64_t pair);

  BreakdownTables tables;

 private:
  using Span = std::pair<int32_t, int32_t>;
  // A tree without deleted labels and words: phrases, words, and their parents.
  struct Side {
    TreeView tree;
    const SideRules* rules;
    std::vector<uint32_t> kept;
    std::vector<Span> span;
    std::vector<Bracket> brackets;
    std::vector<uint32_t> node;       // of each bracket
    std::vector<uint32_t> by_span;    // numbers of brackets
    std::vector<int32_t> up;          // the phrase above each phrase, -1 for none
    std::vector<int32_t> first_word;  // of each phrase; INT32_MAX if it has none
    std::vector<uint32_t> begin;      // of each phrase: where its children begin
    std::vector<uint32_t> child;      // codes, or numbers of phrases and words while they are ordered
    std::vector<std::pair<uint32_t, uint32_t>> piece_range;  // of each phrase; empty in a tree without gaps
    std::vector<uint32_t> pieces;

    uint32_t label_key(size_t bracket) const { return rules->label_key[tree.nodes[node[bracket]].label]; }
    uint32_t tag_key(size_t word) const {
      const uint32_t tag = tree.leaves[kept[word]].tag;
      return tag == kNone ? BreakdownTables::kUntagged : rules->tag_key[tag];
    }
  };

  void take(Side& side, const TreeView& tree, const SideRules& rules, const ParsevalScorer::Compared& compared);
  void find_children(Side& side);
  void find_pieces(Side& side);
  static void sort_by_span(Side& side);
  static std::span<const uint32_t> children(const Side& side, size_t bracket);
  static std::span<const uint32_t> pieces(const Side& side, size_t bracket);
  bool same_rule(size_t gold, size_t test) const;
  uint32_t rule_number(const Side& side, size_t bracket);

  void count_tags();
  void count_attachment(size_t gold, size_t test);
  void count_spans();
  void count_alone(const Side& side, std::span<const uint32_t> brackets);
  void count_group(std::span<const uint32_t> gold, std::span<const uint32_t> test);
  void count_rules(std::span<const uint32_t> gold, std::span<const uint32_t> test);
  void count_rule(uint32_t gold, uint32_t test, RuleKind kind);
  template <size_t kSize>
  void count(BreakdownTables::Table<kSize>& table, const std::array<uint32_t, kSize>& key) const {
    BreakdownTables::Count& entry = table[key];
    ++entry.count;
    entry.first = std::min(entry.first, pair_);
  }

  const BreakdownRules& rules_;
  std::function<void()> poll_;
  ParsevalScorer scorer_;
  BracketMatcher matcher_;
  Side gold_, test_;
  int64_t pair_ = 0;
  bool has_crossing_ = false;  // whether the marks are filled in
  std::array<std::vector<uint8_t>, 2> crossing_;
  std::vector<int32_t> partner_;  // of gold brackets
  std::vector<uint8_t> test_has_partner_;
  std::vector<uint32_t> left_[2];  // brackets or rules of one span without a partner
  std::unordered_map<uint32_t, std::pair<int64_t, int64_t>> waiting_;  // rules of test: without a partner, and with
  std::vector<uint32_t> order_, ends_;
  std::vector<std::vector<Span>> runs_;        // of words, by phrase
  std::vector<std::array<int32_t, 3>> found_;  // pieces: begin, end, child
};

// The tables of gold[i] with test[i] for all i.
BreakdownTables break_down(const Columns& gold, size_t gold_begin, const Columns& test, size_t test_begin, size_t count,
                           const BreakdownRules& rules, unsigned threads, Progress* progress);

}  // namespace treescore
