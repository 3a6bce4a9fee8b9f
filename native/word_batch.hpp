// Many pairs of sequences of words that are aligned in one call.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "column.hpp"
#include "sequences.hpp"

namespace treescore {

// The words of all pairs: each different text has a number. None is a null word.
struct WordPairs {
  struct Side {
    Column<uint32_t> words;
    Column<uint64_t> ends{0};  // where the words of each pair end, after a 0

    std::span<const uint32_t> of(size_t pair) const {
      return {words.data() + ends[pair], static_cast<size_t>(ends[pair + 1] - ends[pair])};
    }
  };
  Side ref, hyp;

  size_t size() const { return ref.ends.size() - 1; }
};

// How words are compared, and what steps cost.
struct BatchCosts {
  std::span<const uint32_t> keys;     // of each text; texts with the same key are equal. Empty: all differ
  std::span<const uint8_t> optional;  // of each text: is it an optional word? Empty: none is
  WordCosts costs;
  int64_t divisor = 1;  // of all costs, in pairs without words of other costs
  int64_t optional_gap = 0;
  Ties ties = Ties::kEarlyGap;
};

// C, S, D or I. An optional word that the other side lacks is a C without a word there.
struct BatchStep {
  int32_t ref, hyp;
  char letter;
};

struct BatchPaths {
  using Counts = std::array<int64_t, 4>;  // C, S, D, I
  struct Refusal {
    size_t pair;
    std::string message;
  };
  Column<BatchStep> steps;
  Column<uint64_t> ends{0};  // where the steps of each pair end, after a 0
  Column<int64_t> costs;
  Column<uint8_t> has_gaps;       // has the pair words of other costs, so that its cost is not divided?
  std::vector<Refusal> refusals;  // pairs that are too long; they have no steps

  size_t size() const { return costs.size(); }
  std::span<const BatchStep> of(size_t pair) const {
    return {steps.data() + ends[pair], static_cast<size_t>(ends[pair + 1] - ends[pair])};
  }
};

BatchPaths::Counts counts_of(std::span<const BatchStep> steps);

// `out` must be empty.
void align_pairs(const WordPairs& pairs, const BatchCosts& costs, Progress& progress, BatchPaths& out);

}  // namespace treescore
