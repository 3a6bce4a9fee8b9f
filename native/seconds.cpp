#include "seconds.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace treescore {
namespace {

constexpr double kRounding = 1e-9;  // seconds: a leaf that ends this close to the end of a word ends with it

// One block at a time.
class BlockPlacer {
 public:
  BlockPlacer(const LeafWords& leaves, const SpokenRules& rules, const SpokenWords& words, std::span<Interval> times)
      : leaves_(leaves), rules_(rules), words_(words), times_(times) {}

  bool place(const SpokenBlock& block) {
    collect(block);
    if (!place_spoken(block)) return false;
    for (size_t place = 0; place < spoken_.size(); ++place) times_[spoken_[place]] = found_[place];
    return true;
  }

 private:
  void collect(const SpokenBlock& block) {
    spoken_.clear();
    for (size_t tree = block.tree_begin; tree < block.tree_end; ++tree) {
      const TreeView view = leaves_.tree(tree);
      for (size_t leaf = 0; leaf < view.leaves.size(); ++leaf)
        if (const size_t place = leaves_.begin_of(tree) + leaf; !rules_.silent(view.leaves[leaf], leaves_.word(place)))
          spoken_.push_back(place);
    }
    found_.resize(spoken_.size());
  }

  bool place_spoken(const SpokenBlock& block) {
    size_t leaf = 0, word = block.word_begin;
    while (leaf < spoken_.size() && word < block.word_end) {
      const uint32_t key = rules_.key[leaves_.word(spoken_[leaf])];
      if (key == words_.keys[word]) {
        found_[leaf++] = words_.times[word++];
        continue;
      }
      const size_t first_leaf = leaf, first_word = word;
      if (!common_boundary(leaf, word, block.word_end)) return false;
      weights_.clear();
      for (size_t place = first_leaf; place < leaf; ++place)
        weights_.push_back(rules_.weight[leaves_.word(spoken_[place])]);
      if (!share_time(words_.times.subspan(first_word, word - first_word), weights_,
                      std::span(found_).subspan(first_leaf, leaf - first_leaf)))
        return false;
    }
    return leaf == spoken_.size() && word == block.word_end;
  }

  // Advances to where a leaf and a word end together; false if the texts differ before.
  bool common_boundary(size_t& leaf, size_t& word, size_t word_end) const {
    std::u32string_view left = text(leaf), right = rules_.texts[words_.keys[word]];
    for (;;) {
      const size_t size = std::min(left.size(), right.size());
      if (left.substr(0, size) != right.substr(0, size)) return false;
      left.remove_prefix(size);
      right.remove_prefix(size);
      if (left.empty() && right.empty()) {
        ++leaf;
        ++word;
        return true;
      }
      if (left.empty()) {
        if (++leaf == spoken_.size()) return false;
        left = text(leaf);
      } else {
        if (++word == word_end) return false;
        right = rules_.texts[words_.keys[word]];
      }
    }
  }
  std::u32string_view text(size_t leaf) const { return rules_.texts[rules_.key[leaves_.word(spoken_[leaf])]]; }

  const LeafWords& leaves_;
  const SpokenRules& rules_;
  const SpokenWords& words_;
  std::span<Interval> times_;
  std::vector<size_t> spoken_;  // leaves of the block
  std::vector<Interval> found_;
  std::vector<uint32_t> weights_;
};

}  // namespace

LeafWords::LeafWords(const Columns& trees, size_t begin, size_t end) : trees_(trees), begin_(begin) {
  for (size_t index = begin; index < end; ++index) {
    const TreeView tree = trees.tree(index);
    for (size_t leaf = 0; leaf < tree.leaves.size(); ++leaf) {
      const std::string_view word = tree.word(leaf);
      words_.push_back(vocabulary_.intern(word.data(), word.size()));
    }
    ends_.push_back(words_.size());
  }
}

bool share_time(std::span<const Interval> words, std::span<const uint32_t> weights, std::span<Interval> out) {
  if (weights.size() == 1) {
    out[0] = {words.front().start, words.back().end};
    return true;
  }
  double all = 0;
  for (const Interval& word : words) all += word.end - word.start;
  uint64_t weight_sum = 0, weight_before = 0;
  for (const uint32_t weight : weights) weight_sum += weight;
  size_t word = 0;
  double before = 0;  // spoken time of the words before this one
  double start = words[0].start;
  for (size_t leaf = 0; leaf < weights.size(); ++leaf) {
    weight_before += weights[leaf];
    const double until = all * (static_cast<double>(weight_before) / static_cast<double>(weight_sum));
    while (word + 1 < words.size() && before + (words[word].end - words[word].start) < until - kRounding) {
      before += words[word].end - words[word].start;
      ++word;
    }
    const Interval& here = words[word];
    const bool ends_here = leaf + 1 == weights.size() || before + (here.end - here.start) <= until + kRounding;
    const double end = ends_here ? here.end : here.start + (until - before);
    if (!(start < end)) return false;
    out[leaf] = {start, end};
    start = end;
    if (ends_here && word + 1 < words.size()) {
      before += here.end - here.start;
      start = words[++word].start;
    }
  }
  return true;
}

void place_silent(const LeafWords& leaves, const SpokenRules& rules, std::span<const SpokenBlock> blocks,
                  std::span<const Interval> bounds, std::span<Interval> times) {
  const auto leaves_of = [&](size_t tree) {
    return times.subspan(leaves.begin_of(tree), leaves.begin_of(tree + 1) - leaves.begin_of(tree));
  };
  constexpr double kNowhere = std::numeric_limits<double>::quiet_NaN();
  const auto start_of = [](std::span<const Interval> of_tree) {
    for (const Interval& time : of_tree)
      if (!std::isnan(time.start)) return time.start;
    return kNowhere;
  };
  const auto has_spoken = [&](size_t tree) {
    const TreeView view = leaves.tree(tree);
    for (size_t leaf = 0; leaf < view.leaves.size(); ++leaf)
      if (!rules.silent(view.leaves[leaf], leaves.word(leaves.begin_of(tree) + leaf))) return true;
    return false;
  };
  for (size_t block = 0; block < blocks.size(); ++block) {
    double last = kNowhere;  // position of trees without any spoken leaf
    for (size_t tree = blocks[block].tree_begin; tree < blocks[block].tree_end && std::isnan(last); ++tree)
      last = start_of(leaves_of(tree));
    if (std::isnan(last)) last = bounds[block].start;
    if (std::isnan(last)) last = bounds[block].end;
    for (size_t tree = blocks[block].tree_begin; tree < blocks[block].tree_end; ++tree) {
      const std::span<Interval> own = leaves_of(tree);
      if (const double start = start_of(own); !std::isnan(start))
        last = start;
      else if (has_spoken(tree))
        continue;
      for (Interval& time : own) {
        if (std::isnan(time.start)) time = {last, last};
        last = time.end;
      }
    }
  }
}

std::vector<size_t> place_equal_texts(const LeafWords& leaves, const SpokenRules& rules,
                                      std::span<const SpokenBlock> blocks, const SpokenWords& words,
                                      std::span<Interval> times) {
  BlockPlacer placer(leaves, rules, words, times);
  std::vector<size_t> others;
  for (size_t block = 0; block < blocks.size(); ++block)
    if (!placer.place(blocks[block])) others.push_back(block);
  return others;
}

}  // namespace treescore
