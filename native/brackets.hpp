// Multiset matching and crossing of labelled intervals. The caller decides what a label is.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "names.hpp"

namespace treescore {

struct Bracket {
  int32_t start;
  int32_t end;
  uint32_t key;
};

// The counts of one label in a table by label.
#define TREESCORE_LABEL_SUMS(NOTE, SUM)               \
  SUM(found_in_gold) /* brackets with a partner */    \
  SUM(gold)                                           \
  SUM(found_in_test)                                  \
  SUM(test)                                           \
  SUM(gold_all) /* with failed sentences or blocks */ \
  SUM(test_all)

TREESCORE_ROW(LabelCount, TREESCORE_LABEL_SUMS);

// Pairs of keys that count as equal besides equal keys. Needed only where the relation is not transitive: otherwise
// give one key to the whole class.
class KeyPairs {
 public:
  KeyPairs() = default;
  explicit KeyPairs(const std::vector<std::pair<uint32_t, uint32_t>>& pairs);
  bool empty() const { return partners_.empty(); }
  std::span<const uint32_t> partners(uint32_t key) const;
  bool equal(uint32_t a, uint32_t b) const;

 private:
  std::vector<std::vector<uint32_t>> partners_;  // by key
};

// For each place x from 0 to `last`, begin and end of the innermost bracket that it cuts (begin < x < end), or -1 and
// last + 1. Brackets must be nested and sorted by start, wider first.
void innermost_cut(std::span<const Bracket> nested, int32_t last, std::vector<int32_t>& left,
                   std::vector<int32_t>& right, std::vector<size_t>& open);

class BracketMatcher {
 public:
  struct Result {
    int32_t matched;     // with equal keys
    int32_t unlabelled;  // by span alone
    int32_t crossing;    // test brackets that cross at least one gold bracket
  };

  // Brackets in opening order. `nested`: no two gold brackets cross, as in every proper tree.
  Result count(std::span<const Bracket> gold, std::span<const Bracket> test, const KeyPairs& pairs, bool nested);

  // The same for spans that represent something else; crossing is not counted.
  Result count_equal(std::span<const Bracket> gold, std::span<const Bracket> test, const KeyPairs& pairs);

  // Whether each of these brackets crosses one of the others. `nested`: no two of the others cross.
  void mark_crossing(std::span<const Bracket> others, std::span<const Bracket> brackets, bool nested,
                     std::vector<uint8_t>& out);

  // Each gold bracket, in order, takes the first free test bracket of its span and key: its number, or -1.
  std::span<const int32_t> pair_up(std::span<const Bracket> gold, std::span<const Bracket> test, const KeyPairs& pairs);

 private:
  using Sorted = std::span<const Bracket>;  // by start, wider first; equal spans in opening order
  struct Side {
    std::vector<Bracket> brackets;
    std::vector<uint32_t> number;  // in opening order
    bool was_sorted = true;
  };
  static Sorted sorted(std::span<const Bracket> brackets, Side& side);
  template <class OnGroup>
  static void same_spans(Sorted gold, Sorted test, OnGroup&& on_group);
  size_t match(Sorted gold, Sorted test, const KeyPairs& pairs,
               Result& result);  // number of test brackets without a partner
  int32_t pair_group(Sorted gold, Sorted test, const KeyPairs& pairs, int32_t* partner);
  void find_cuts(Sorted gold, std::span<const Bracket> test, bool nested);
  bool is_cut(const Bracket& bracket) const;
  int32_t crossing(Sorted gold, Sorted test, bool nested);

  Side gold_, test_;
  std::vector<int32_t> partner_, group_partner_;
  std::vector<uint8_t> taken_;
  std::vector<uint32_t> by_key_;
  std::vector<uint32_t> head_;
  std::vector<int32_t> left_, right_;
  std::vector<size_t> open_;
};

}  // namespace treescore
