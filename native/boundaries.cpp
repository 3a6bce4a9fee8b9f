#include "boundaries.hpp"

namespace treescore {
namespace {

constexpr size_t kBlock = 256;  // pairs that a thread takes at once

// Times are decimal fractions, which doubles represent only approximately. A difference of exactly the tolerance is
// allowed.
constexpr double kRounding = 1e-9;

bool has_no_times(const TreeView& tree) { return !tree.leaves.empty() && tree.times.empty(); }

// Why a pair is not scored, or kScored. Without a usable test tree, `has_test` is false.
int64_t reason_of(const TreeView& gold, bool gold_faulty, const TreeView& test, bool test_faulty, bool has_test) {
  const bool has_gold = !gold.leaves.empty();
  if (gold_faulty) return reason::kGoldFault;
  if (!has_gold && !has_test) return reason::kBothEmpty;
  if (has_no_times(gold) || (has_test && has_no_times(test))) return reason::kNoTimes;
  if (!has_test) return test_faulty ? reason::kTestFault : reason::kEmptyTest;
  return has_gold ? reason::kScored : reason::kEmptyGold;
}

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

// If the first boundaries of both sides are too far apart, the earlier one has no partner at all. Otherwise no other
// pair with one of the two leaves more boundaries for the rest.
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
  const bool test_faulty = test.faulty(test_index), has_test = !test_tree.leaves.empty() && !test_faulty;
  row.reason = reason_of(gold_tree, gold.faulty(gold_index), test_tree, test_faulty, has_test);
  row.valid = row.reason != reason::kBothEmpty && row.reason != reason::kGoldFault && row.reason != reason::kNoTimes;
  row.errors = !row.valid && row.reason != reason::kBothEmpty;
  row.excluded = row.reason == reason::kBothEmpty;
  row.gold_faults = row.errors && (row.reason == reason::kGoldFault || has_no_times(gold_tree));
  if (row.errors && !row.gold_faults) {
    collect(gold_tree, gold_);
    set_failed(row, std::ssize(gold_), 0);
  }
  if (!row.valid) return row;
  row.length = collect(gold_tree, gold_);
  if (has_test)
    collect(test_tree, test_);
  else
    test_.clear();
  row.hits = count_hits();
  row.gold = static_cast<int64_t>(gold_.size());
  row.test = static_cast<int64_t>(test_.size());
  row.exact = row.reason == reason::kScored && row.hits == row.gold && row.hits == row.test;
  if (has_test)
    set_scored(row);
  else
    set_failed(row, row.gold, 0);
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
