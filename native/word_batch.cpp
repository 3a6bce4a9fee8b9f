#include "word_batch.hpp"

#include <algorithm>

namespace treescore {
namespace {

// The keys and gaps of the words of one side of a pair.
struct SideOfPair {
  std::vector<uint32_t> keys;
  std::vector<int64_t> gaps;  // empty: all cost the same
  std::vector<uint8_t> optional;

  void take(std::span<const uint32_t> words, const BatchCosts& costs, int64_t usual) {
    keys.assign(words.begin(), words.end());
    if (!costs.keys.empty())
      for (uint32_t& key : keys) key = costs.keys[key];
    gaps.clear();
    if (costs.optional.empty()) return;
    optional.assign(words.size(), 0);
    for (size_t word = 0; word < words.size(); ++word) {
      if (!costs.optional[words[word]]) continue;
      optional[word] = 1;
      if (gaps.empty()) gaps.assign(words.size(), usual);
      gaps[word] = std::min(usual, costs.optional_gap);
    }
  }
  bool is_optional(int32_t word) const { return !optional.empty() && optional[static_cast<size_t>(word)]; }
};

class Batch {
 public:
  Batch(const WordPairs& pairs, const BatchCosts& costs, Progress& progress, BatchPaths& out)
      : pairs_(pairs), costs_(costs), progress_(progress), out_(out) {}

  void align() {
    for (size_t pair = 0; pair < pairs_.size(); ++pair) {
      progress_.at(pair);
      ref_.take(pairs_.ref.of(pair), costs_, costs_.costs.deletion);
      hyp_.take(pairs_.hyp.of(pair), costs_, costs_.costs.insertion);
      const bool has_gaps = !ref_.gaps.empty() || !hyp_.gaps.empty();
      out_.has_gaps.push_back(has_gaps);
      try {
        out_.costs.push_back(has_gaps ? align_with_gaps() : align_uniform());
      } catch (const SequencesTooLong& problem) {
        out_.costs.push_back(0);
        out_.refusals.push_back({pair, problem.what()});
      }
      out_.ends.push_back(out_.steps.size());
    }
  }

 private:
  int64_t align_with_gaps() {
    const WordPath path =
        align_words({ref_.keys, ref_.gaps}, {hyp_.keys, hyp_.gaps}, costs_.costs, {}, costs_.ties, progress_);
    for (const WordStep& step : path.steps) add(step, 0);
    return path.cost;
  }

  // Where all gaps of a side cost the same, equal words at the end from which the path is traced are paired, because a
  // pair of equal words costs nothing and no other pair of either word is better. In short pairs only the rest is
  // aligned; in long ones, which may be refused, the band is narrow there anyway.
  int64_t align_uniform() {
    const WordCosts costs{costs_.costs.insertion / costs_.divisor, costs_.costs.deletion / costs_.divisor,
                          costs_.costs.substitution / costs_.divisor};
    std::span<const uint32_t> ref(ref_.keys), hyp(hyp_.keys);
    const bool is_short = ref.size() < kSmallTable && (ref.size() + 1) * (hyp.size() + 1) <= kSmallTable;
    const auto most = is_short ? static_cast<int32_t>(std::min(ref.size(), hyp.size())) : 0;
    int32_t same = 0;
    const bool early = costs_.ties == Ties::kEarlyGap;
    while (same < most && (early ? ref.end()[-1 - same] == hyp.end()[-1 - same] : ref[place(same)] == hyp[place(same)]))
      ++same;
    ref = early ? ref.first(ref.size() - place(same)) : ref.subspan(place(same));
    hyp = early ? hyp.first(hyp.size() - place(same)) : hyp.subspan(place(same));
    const WordPath path = align_words({ref, {}}, {hyp, {}}, costs, {}, costs_.ties, progress_);
    if (!early) add_same(0, 0, same);
    for (const WordStep& step : path.steps) add(step, early ? 0 : same);
    if (early) add_same(static_cast<int32_t>(ref.size()), static_cast<int32_t>(hyp.size()), same);
    return path.cost;
  }

  static size_t place(int32_t word) { return static_cast<size_t>(word); }

  void add_same(int32_t ref, int32_t hyp, int32_t count) {
    for (int32_t word = 0; word < count; ++word) out_.steps.push_back({ref + word, hyp + word, 'C'});
  }

  void add(const WordStep& step, int32_t before) {
    const int32_t ref = step.ref < 0 ? -1 : step.ref + before, hyp = step.hyp < 0 ? -1 : step.hyp + before;
    if (ref >= 0 && hyp >= 0) {
      out_.steps.push_back({ref, hyp, step.equal ? 'C' : 'S'});
      return;
    }
    const bool is_optional = ref >= 0 ? ref_.is_optional(ref) : hyp_.is_optional(hyp);
    out_.steps.push_back({ref, hyp, is_optional ? 'C' : ref >= 0 ? 'D' : 'I'});
  }

  const WordPairs& pairs_;
  const BatchCosts& costs_;
  Progress& progress_;
  SideOfPair ref_, hyp_;
  BatchPaths& out_;
};

}  // namespace

BatchPaths::Counts counts_of(std::span<const BatchStep> steps) {
  BatchPaths::Counts counts{};
  for (const BatchStep& step : steps)
    ++counts[step.letter == 'C' ? 0 : step.letter == 'S' ? 1 : step.letter == 'D' ? 2 : 3];
  return counts;
}

void align_pairs(const WordPairs& pairs, const BatchCosts& costs, Progress& progress, BatchPaths& out) {
  Batch(pairs, costs, progress, out).align();
}

}  // namespace treescore
