#include "boundaries.hpp"

namespace treescore {
namespace {

constexpr size_t kBlock = 256;  // pairs that a thread takes at once

// Times are decimal fractions, which doubles hold only nearly: exactly at the tolerance is still within it.
constexpr double kRounding = 1e-9;

}  // namespace

int64_t BoundaryScorer::collect(const TreeView& tree, std::vector<double>& instants) const {
  instants.clear();
  int64_t words = 0;
  for (const Interval& time : tree.times) {
    if (!(time.start < time.end)) continue;  // not spoken
    ++words;
    if (instants.empty() || time.start - instants.back() > rules_.rounding) instants.push_back(time.start);
    instants.push_back(time.end);
  }
  if (!rules_.edges && !instants.empty()) {
    instants.pop_back();
    instants.erase(instants.begin());
  }
  return words;
}

// Where the first boundaries of both sides are too far apart, the earlier one has no partner at all; where they are
// not, no other pair with one of them leaves more to the rest.
int64_t BoundaryScorer::count_hits() const {
  int64_t hits = 0;
  auto gold = gold_.begin();
  auto test = test_.begin();
  while (gold != gold_.end() && test != test_.end()) {
    const double apart = *test - *gold;
    if (apart > rules_.tolerance + kRounding) {
      ++gold;
    } else if (-apart > rules_.tolerance + kRounding) {
      ++test;
    } else {
      ++hits;
      ++gold;
      ++test;
    }
  }
  return hits;
}

BoundaryRow BoundaryScorer::score(const Columns& gold, size_t gold_index, const Columns& test, size_t test_index) {
  BoundaryRow row;
  const TreeView gold_tree = gold.tree(gold_index), test_tree = test.tree(test_index);
  const auto timeless = [](const TreeView& tree) { return !tree.leaves.empty() && tree.times.empty(); };
  const bool no_gold = gold_tree.leaves.empty(), no_test = test_tree.leaves.empty() || test.faulty(test_index);
  if (gold.faulty(gold_index))
    row.reason = reason::kGoldFault;
  else if (no_gold && no_test)
    row.reason = reason::kBothEmpty;
  else if (timeless(gold_tree) || (!no_test && timeless(test_tree)))
    row.reason = reason::kNoTimes;
  else if (no_test)
    row.reason = test.faulty(test_index) ? reason::kTestFault : reason::kEmptyTest;
  else if (no_gold)
    row.reason = reason::kEmptyGold;
  row.valid = row.reason != reason::kBothEmpty && row.reason != reason::kGoldFault && row.reason != reason::kNoTimes;
  row.errors = !row.valid && row.reason != reason::kBothEmpty;
  row.excluded = row.reason == reason::kBothEmpty;
  row.gold_faults = row.errors && (row.reason == reason::kGoldFault || timeless(gold_tree));
  if (row.errors && !row.gold_faults) {
    collect(gold_tree, gold_);
    set_failed(row, std::ssize(gold_), 0);
  }
  if (!row.valid) return row;
  row.length = collect(gold_tree, gold_);
  if (no_test)
    test_.clear();
  else
    collect(test_tree, test_);
  row.hits = count_hits();
  row.gold = static_cast<int64_t>(gold_.size());
  row.test = static_cast<int64_t>(test_.size());
  row.exact = row.reason == reason::kScored && row.hits == row.gold && row.hits == row.test;
  if (no_test)
    set_failed(row, row.gold, 0);
  else
    set_scored(row);
  return row;
}

void score_all(const Columns& gold, size_t gold_begin, const Columns& test, size_t test_begin, size_t count,
               const BoundaryRules& rules, unsigned threads, const ColumnsOf<BoundaryRow>& columns,
               Progress* progress) {
  in_parallel(count, kBlock, threads, progress, [&](const std::function<void()>&) {
    return [&, scorer = BoundaryScorer(rules)](size_t pair) mutable {
      write_row(scorer.score(gold, gold_begin + pair, test, test_begin + pair), pair, columns);
    };
  });
}

}  // namespace treescore
