// The phrases of two trees as sets of words, where phrases may have gaps. Words with the same number are the same; one
// side may have more of them.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "brackets.hpp"
#include "tree_order.hpp"

namespace treescore {

class LeafSets {
 public:
  using Span = std::pair<int32_t, int32_t>;
  struct Side {
    const TreeView& tree;
    std::span<const uint32_t> kept;  // the leaves that count, in the order of the sentence
  };

  // Replaces sets of words by spans of numbers: two phrases have the same span exactly if they have the same words, and
  // a span is as wide as its set. Each phrase of the test tree is a span in the order of that tree, and so is each gold
  // phrase whose words are contiguous in this order. Any other gold phrase equals no test phrase, and gets a span of
  // its own below 0.
  void place(const Side& gold, const Side& test, std::vector<Span>& gold_spans, std::vector<Span>& test_spans);
  void place(const Side& gold, std::vector<Span>& gold_spans);  // where there is no test tree

  // Whether there are other words between those of the phrase.
  bool gold_has_gap(size_t phrase) const { return gold_.has_gap(phrase); }
  bool test_has_gap(size_t phrase) const { return test_.has_gap(phrase); }

  // The number of test brackets, spans as placed, that cross at least one of these gold phrases: they have words in
  // common, and each has one that the other does not have. `marks`: which of them do, if wanted.
  int32_t crossing(std::span<const uint32_t> gold_phrases, std::span<const Bracket> test,
                   std::vector<uint8_t>* marks = nullptr);

 private:
  struct Ordered {
    std::vector<int32_t> rank;  // of each word in the order of the tree
    std::vector<Span> span;     // of each phrase in that order
    std::vector<Span> extent;   // first and last word in the order of the sentence

    bool has_gap(size_t phrase) const {
      return extent[phrase].second - extent[phrase].first != span[phrase].second - span[phrase].first - 1;
    }
  };
  // Of the edges of the runs of words of a set, in the order of gold: the gold brackets that they cut, and where the
  // set begins and ends.
  struct Edges {
    int32_t left = -1, right = INT32_MAX;
    int32_t first = INT32_MAX, last = -1;
  };

  void order(const Side& side, Ordered& out);
  void find_extents(const Side& side, std::span<const int32_t> rank, std::vector<Span>& out);
  void toggle_words(int32_t begin, int32_t end);
  void toggle_edge(int32_t edge);

  TreeOrder tree_order_;
  Ordered gold_, test_;
  std::vector<Span> extent_;
  std::vector<int32_t> word_of_leaf_;
  std::vector<int32_t> gold_rank_;  // by the rank in the test tree
  std::vector<Bracket> gold_brackets_;
  std::vector<int32_t> left_, right_;
  std::vector<size_t> open_;
  std::vector<int32_t> parent_, heavy_, path_;  // of test brackets
  std::vector<Edges> edges_;                    // a tree over all edges, those of the set filled in
};

}  // namespace treescore
