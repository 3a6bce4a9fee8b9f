// Leaves of trees on the axis of seconds, by the words that were spoken.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "treebank.hpp"

namespace treescore {

// The words of all leaves of some trees, as numbers.
class LeafWords {
 public:
  LeafWords(const Columns& trees, size_t begin, size_t end);

  const Vocabulary& vocabulary() const { return vocabulary_; }
  const Columns& trees() const { return trees_; }
  size_t size() const { return ends_.size() - 1; }
  TreeView tree(size_t index) const { return trees_.tree(begin_ + index); }
  size_t begin_of(size_t tree) const { return ends_[tree]; }  // its first leaf
  uint32_t word(size_t leaf) const { return words_[leaf]; }

 private:
  const Columns& trees_;
  const size_t begin_;
  Vocabulary vocabulary_;
  std::vector<uint32_t> words_;
  std::vector<size_t> ends_{0};
};

// Properties of the different words of leaves, and of their tags.
struct SpokenRules {
  std::vector<uint32_t> key;          // of each word; equal keys are equal texts
  std::vector<uint32_t> weight;       // of each word: its share of a common time
  std::vector<uint8_t> is_silent;     // each word
  std::vector<uint8_t> silent_tag;    // each tag
  std::vector<std::u32string> texts;  // of the keys, those of the words that were spoken included

  bool silent(const Leaf& leaf, uint32_t word) const {
    return is_silent[word] || (leaf.tag != kNone && silent_tag[leaf.tag]);
  }
};

// Trees and the spoken words that belong to them.
struct SpokenBlock {
  size_t tree_begin, tree_end, word_begin, word_end;
};

struct SpokenWords {
  std::span<const uint32_t> keys;
  std::span<const Interval> times;
};

// Gives every spoken leaf of every block whose texts are the same on both sides its time: words and leaves between
// common boundaries share their time. `times` has an entry for each leaf; those of other leaves are not changed.
// Returns the blocks whose texts differ.
std::vector<size_t> place_equal_texts(const LeafWords& leaves, const SpokenRules& rules,
                                      std::span<const SpokenBlock> blocks, const SpokenWords& words,
                                      std::span<Interval> times);

// Gives the leaves that are not spoken their places, of no length: behind the spoken leaf of the tree before them, or
// before the first. A tree of nothing else stands at the end of what was spoken before it in its block, else at the
// start of what was spoken after it, else at the start or the end of the block, if these are numbers.
void place_silent(const LeafWords& leaves, const SpokenRules& rules, std::span<const SpokenBlock> blocks,
                  std::span<const Interval> bounds, std::span<Interval> times);

// Shares the time of words among leaves in proportion to their weights; pauses between words belong to none. False if
// the leaves are too many for the time to be told apart as numbers.
bool share_time(std::span<const Interval> words, std::span<const uint32_t> weights, std::span<Interval> out);

}  // namespace treescore
