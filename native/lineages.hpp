// The phrases above each word of a tree, and whether two trees have the same words.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "causes.hpp"
#include "reasons.hpp"
#include "rules.hpp"
#include "treebank.hpp"

namespace treescore {

// The lineage of a word is the list of phrases above it, outermost first, without those whose labels are deleted.
// Neighbouring words have most of it in common, so only the changes from word to word are kept. Words are those left
// after deletions.
class Lineages {
 public:
  // `tags` and `tag_rules` say which words are deleted: those of the tree itself, or of another with as many words.
  // Throws std::length_error where phrases with gaps make the changes too many to be kept.
  void read(const TreeView& tree, const SideRules& rules, const TreeView& tags, const SideRules& tag_rules);
  void clear();

  int32_t words() const { return static_cast<int32_t>(leaf_.size()); }
  uint32_t leaf(int32_t word) const { return leaf_[static_cast<size_t>(word)]; }
  std::span<const uint32_t> leaves() const { return leaf_; }
  int32_t words_before(int32_t leaf) const { return position_[static_cast<size_t>(leaf)]; }
  int32_t phrases() const { return phrases_; }  // above at least one word

  // The number of phrases, the outermost ones, that are above both this word and the previous one; 0 for the first word
  // and after the last.
  int32_t shared(int32_t word) const { return shared_[static_cast<size_t>(word)]; }
  // The phrases above this word, but not above the one before.
  std::span<const int32_t> opened(int32_t word) const {
    const auto begin = opened_begin_[static_cast<size_t>(word)], end = opened_begin_[static_cast<size_t>(word) + 1];
    return {opened_.data() + begin, end - begin};
  }
  // Whether phrases may have gaps. If so, every phrase above a word has a first word, and an end after its last word.
  bool has_gaps() const { return has_gaps_; }
  int32_t first(int32_t node) const { return first_[static_cast<size_t>(node)]; }
  int32_t end(int32_t node) const { return end_[static_cast<size_t>(node)]; }

 private:
  void read_nested(const TreeView& tree, const SideRules& rules, const TreeView& tags, const SideRules& tag_rules);
  void read_by_parents(const TreeView& tree, const SideRules& rules, const TreeView& tags, const SideRules& tag_rules);

  bool has_gaps_ = false;
  std::vector<uint32_t> leaf_;     // of each word
  std::vector<int32_t> position_;  // words before each leaf
  std::vector<int32_t> shared_, opened_;
  std::vector<size_t> opened_begin_;
  std::vector<int32_t> first_, end_;
  std::vector<int32_t> stack_;    // the phrases above the current word
  std::vector<int32_t> counted_;  // each phrase itself or, if its label is deleted, the next one above that is not
  std::vector<int32_t> depth_;    // of each phrase in the stack
  int32_t phrases_ = 0;
};

struct PairRules {
  SideRules gold, test;
  WordRules words;
  bool delete_by_gold = false;  // where both sides have as many words, the gold tags decide which are deleted
};

// Two trees word by word.
struct LineagePair {
  Lineages gold, test;
  TreeView gold_tree, test_tree;

  // Returns a reason, and with it in `detail` the numbers of words or the leaves that differ.
  int64_t read(const Columns& gold_columns, size_t gold_index, const Columns& test_columns, size_t test_index,
               const PairRules& rules, std::array<int64_t, 2>& detail);

  // Sets the columns of causes, as far as it has them, of a row that is scored or failed.
  template <class Row>
  void set_causes(const PairRules& rules, const Vocabulary& gold_names, const Vocabulary& test_names, Row& row) const {
    if constexpr (requires { row.outer_differs; })
      if (row.reason == reason::kScored)
        row.outer_differs = outer_differs({gold_tree, rules.gold, gold_names}, {test_tree, rules.test, test_names});
    if (row.reason == reason::kWordCount || row.reason == reason::kWords)
      treescore::set_causes(failure_causes(gold_tree, gold.leaves(), test_tree, test.leaves(), rules.words), row);
  }
};

inline bool is_unparsed(int64_t why) { return why == reason::kEmptyTest || why == reason::kTestFault; }

}  // namespace treescore
