// Alignments of words: their cost is that of a plain table, and the path costs as much and has every word once.
#include "../sequences.hpp"

#include <algorithm>
#include <numeric>

#include "../word_batch.hpp"
#include "fuzz.hpp"

using namespace treescore;
using namespace treescore::fuzz;

namespace {

using Similar = std::vector<std::pair<uint32_t, uint32_t>>;

constexpr int64_t kFar = INT64_MAX / 4;
constexpr int64_t kMostTime = int64_t{1} << 52;  // as in bindings_words.cpp

struct Words {
  std::vector<uint32_t> keys, from, to;
  std::vector<int64_t> gaps, begin, end;
  uint32_t nodes = 1;
};

// Words that follow one another; in a lattice some nodes have several words between them.
Words take_words(Input& input, uint32_t most, bool lattice, bool nulls, int shift) {
  Words words;
  int64_t time = 0;
  const uint32_t count = input.below(most);
  for (uint32_t word = 0; word < count && !input.empty(); ++word) {
    const uint8_t byte = input.byte(), more = input.byte();
    words.keys.push_back(nulls && byte % 16 == 15 ? kNullWord : byte % 5);
    words.gaps.push_back((1 + int64_t{more % 7}) << shift);
    words.begin.push_back(time + (int64_t{more % 4} << shift));
    time = words.begin.back() + (int64_t{byte / 16} << shift);
    words.end.push_back(time);
    const bool is_beside = lattice && words.nodes > 1 && more % 3 == 0;
    if (!is_beside) ++words.nodes;
    words.from.push_back(words.nodes - 2);
    words.to.push_back(words.nodes - 1);
    if (is_beside && words.nodes > 2 && more % 5 == 0) --words.from.back();
  }
  return words;
}

bool is_pair(uint32_t ref, uint32_t hyp, const Similar& similar) {
  return ref == hyp || std::binary_search(similar.begin(), similar.end(), std::pair{ref, hyp});
}

// The least cost from the first nodes to the last. `pair` is the cost of a pair of words.
template <class PairCost>
int64_t plain_cost(const Words& ref, const Words& hyp, std::span<const int64_t> ref_gaps,
                   std::span<const int64_t> hyp_gaps, const PairCost& pair) {
  std::vector<std::vector<int64_t>> least(ref.nodes, std::vector<int64_t>(hyp.nodes, kFar));
  least[0][0] = 0;
  for (uint32_t i = 0; i < ref.nodes; ++i)
    for (uint32_t j = 0; j < hyp.nodes; ++j) {
      int64_t& here = least[i][j];
      for (size_t a = 0; a < ref.keys.size(); ++a) {
        if (ref.to[a] != i) continue;
        here = std::min(here, least[ref.from[a]][j] + ref_gaps[a]);
        for (size_t b = 0; b < hyp.keys.size(); ++b)
          if (hyp.to[b] == j && ref.keys[a] != kNullWord && hyp.keys[b] != kNullWord)
            here = std::min(here, least[ref.from[a]][hyp.from[b]] + pair(a, b));
      }
      for (size_t b = 0; b < hyp.keys.size(); ++b)
        if (hyp.to[b] == j) here = std::min(here, least[i][hyp.from[b]] + hyp_gaps[b]);
    }
  return least.back().back();
}

// The steps lead from the first nodes to the last, and their costs add up.
template <class PairCost>
void check_path(const WordPath& path, const Words& ref, const Words& hyp, std::span<const int64_t> ref_gaps,
                std::span<const int64_t> hyp_gaps, const Similar& similar, const PairCost& pair, int64_t expected) {
  int64_t cost = 0;
  uint32_t i = 0, j = 0;
  for (const WordStep& step : path.steps) {
    const auto a = static_cast<size_t>(step.ref), b = static_cast<size_t>(step.hyp);
    require(step.ref >= 0 || step.hyp >= 0, "a step has a word");
    if (step.ref >= 0) {
      require(ref.from[a] == i, "the words of the reference are connected");
      i = ref.to[a];
    }
    if (step.hyp >= 0) {
      require(hyp.from[b] == j, "the words of the hypothesis are connected");
      j = hyp.to[b];
    }
    cost += step.ref < 0 ? hyp_gaps[b] : step.hyp < 0 ? ref_gaps[a] : pair(a, b);
    if (step.ref >= 0 && step.hyp >= 0)
      require(step.equal == is_pair(ref.keys[a], hyp.keys[b], similar), "equal words are equal");
  }
  require(i + 1 == ref.nodes && j + 1 == hyp.nodes, "the path leads to the end");
  require(cost == path.cost, "the steps cost as much as the path");
  require(cost == expected, "the path costs as little as that of the plain table");
}

void check_words(const Words& ref, const Words& hyp, const WordCosts& costs, const Similar& similar, bool gaps,
                 Ties ties, size_t small_table) {
  Progress progress;
  const std::vector<int64_t> ref_gaps = gaps ? ref.gaps : std::vector<int64_t>(ref.keys.size(), costs.deletion);
  const std::vector<int64_t> hyp_gaps = gaps ? hyp.gaps : std::vector<int64_t>(hyp.keys.size(), costs.insertion);
  const auto pair = [&](size_t a, size_t b) {
    return is_pair(ref.keys[a], hyp.keys[b], similar) ? 0 : costs.substitution;
  };
  WordSequence a{ref.keys, {}}, b{hyp.keys, {}};
  if (gaps) a.gaps = ref.gaps, b.gaps = hyp.gaps;
  const WordPath path = align_words(a, b, costs, similar, ties, progress, small_table);
  check_path(path, ref, hyp, ref_gaps, hyp_gaps, similar, pair, plain_cost(ref, hyp, ref_gaps, hyp_gaps, pair));
  require(align_words(a, b, costs, similar, ties, progress, size_t{1} << 14).cost == path.cost,
          "a band costs as little as the whole table");
}

void check_lattices(const Words& ref, const Words& hyp, const WordCosts& costs, const Similar& similar, Ties ties) {
  Progress progress;
  const auto pair = [&](size_t a, size_t b) {
    return is_pair(ref.keys[a], hyp.keys[b], similar) ? 0 : costs.substitution;
  };
  const WordPath path =
      align_lattices({ref.keys, ref.gaps, ref.from, ref.to, ref.nodes},
                     {hyp.keys, hyp.gaps, hyp.from, hyp.to, hyp.nodes}, costs, similar, ties, progress);
  check_path(path, ref, hyp, ref.gaps, hyp.gaps, similar, pair, plain_cost(ref, hyp, ref.gaps, hyp.gaps, pair));
}

void check_times(const Words& ref, const Words& hyp, int64_t different, const Similar& similar, Ties ties,
                 size_t small_table) {
  std::vector<int64_t> gaps[2];
  for (size_t side = 0; side < 2; ++side) {
    const Words& words = side == 0 ? ref : hyp;
    int64_t sum = 0;
    for (size_t word = 0; word < words.keys.size(); ++word) {
      gaps[side].push_back(words.end[word] - words.begin[word]);
      sum += gaps[side].back();
      if (words.end[word] > kMostTime || sum > kMostTime) return;
    }
  }
  Progress progress;
  const auto pair = [&](size_t a, size_t b) {
    return std::abs(ref.begin[a] - hyp.begin[b]) + std::abs(ref.end[a] - hyp.end[b]) +
           (is_pair(ref.keys[a], hyp.keys[b], similar) ? 0 : different);
  };
  const WordPath path = align_times({ref.keys, ref.begin, ref.end}, {hyp.keys, hyp.begin, hyp.end}, different, similar,
                                    ties, progress, small_table);
  check_path(path, ref, hyp, gaps[0], gaps[1], similar, pair, plain_cost(ref, hyp, gaps[0], gaps[1], pair));
}

void check_common(const Words& ref, const Words& hyp) {
  Progress progress;
  std::vector<size_t> row(hyp.keys.size() + 1, 0);
  for (const uint32_t key : ref.keys) {
    size_t diagonal = 0;
    for (size_t j = 0; j < hyp.keys.size(); ++j) {
      const size_t above = row[j + 1];
      row[j + 1] = key == hyp.keys[j] ? diagonal + 1 : std::max(above, row[j]);
      diagonal = above;
    }
  }
  require(lcs_length(ref.keys, hyp.keys, progress) == row.back(), "the longest common subsequence is as long");
}

// Many pairs in one call cost as much as each alone.
void check_batch(const Words& ref, const Words& hyp, const WordCosts& costs, bool with_optional, Ties ties) {
  constexpr std::array<std::string_view, 5> kTexts{"a", "b", "c", "d", "e"};
  const auto texts = [&](const Words& words, size_t count) {
    std::vector<std::string_view> out;
    for (size_t word = 0; word < count; ++word) out.push_back(kTexts[words.keys[word]]);
    return out;
  };
  WordPairs pairs;
  for (const auto& [refs, hyps] :
       {std::pair(ref.keys.size(), hyp.keys.size()), std::pair(ref.keys.size() / 2, hyp.keys.size()),
        std::pair(size_t{0}, hyp.keys.size()), std::pair(ref.keys.size(), size_t{1})}) {
    pairs.add(texts(ref, refs), pairs.ref);
    pairs.add(texts(hyp, std::min(hyps, hyp.keys.size())), pairs.hyp);
  }
  std::vector<uint32_t> keys(pairs.texts.size());
  std::iota(keys.begin(), keys.end(), uint32_t{0});
  std::vector<uint8_t> optional;
  if (with_optional)
    for (const uint32_t key : keys) optional.push_back(pairs.texts.at(key) == "a");
  const int64_t optional_gap = costs.deletion / 2;
  Progress progress;
  BatchPaths out;
  align_pairs(pairs, {keys, optional, costs, 1, optional_gap, ties}, progress, out);
  require(out.size() == pairs.size() && out.refusals.empty(), "every pair is aligned");
  const auto gaps = [&](std::span<const uint32_t> words, int64_t usual) {
    std::vector<int64_t> own;
    for (const uint32_t word : words)
      own.push_back(with_optional && optional[word] != 0 ? std::min(usual, optional_gap) : usual);
    return own;
  };
  for (size_t pair = 0; pair < pairs.size(); ++pair) {
    const auto refs = pairs.ref.of(pair), hyps = pairs.hyp.of(pair);
    const std::vector<int64_t> ref_gaps = gaps(refs, costs.deletion), hyp_gaps = gaps(hyps, costs.insertion);
    const WordPath alone = align_words({refs, ref_gaps}, {hyps, hyp_gaps}, costs, {}, ties, progress);
    require(out.costs[pair] == alone.cost, "a pair costs as much as alone");
    int32_t next_ref = 0, next_hyp = 0;
    for (const BatchStep& step : out.of(pair)) {
      require(step.ref < 0 || step.ref == next_ref++, "every word of the reference is in one step");
      require(step.hyp < 0 || step.hyp == next_hyp++, "every word of the hypothesis is in one step");
    }
    require(next_ref == std::ssize(refs) && next_hyp == std::ssize(hyps), "every word is in a step");
    const BatchPaths::Counts counts = counts_of(out.of(pair));
    require(std::accumulate(counts.begin(), counts.end(), int64_t{0}) == std::ssize(out.of(pair)),
            "every step is counted");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  Input input(data, size);
  const uint32_t kind = input.below(4);
  const bool large = input.byte() % 8 == 0;
  const int shift = large ? 36 : 0;
  const WordCosts costs{(1 + int64_t{input.below(6)}) << shift, (1 + int64_t{input.below(6)}) << shift,
                        int64_t{input.below(12)} << shift};
  const Ties ties = input.flag() ? Ties::kLateGap : Ties::kEarlyGap;
  const bool gaps = input.flag();
  const size_t small_table = input.below(3) * size_t{64};
  Similar similar;
  for (uint32_t count = input.below(4); count > 0; --count) {
    const uint32_t ref = input.below(5);
    similar.emplace_back(ref, input.below(5));
  }
  std::ranges::sort(similar);
  const bool lattice = kind == 1, nulls = kind < 2;
  const Words ref = take_words(input, 64, lattice, nulls, shift);
  const Words hyp = take_words(input, 64, lattice, nulls, shift);
  switch (kind) {
    case 0:
      check_words(ref, hyp, costs, similar, gaps, ties, small_table);
      break;
    case 1:
      check_lattices(ref, hyp, costs, similar, ties);
      break;
    case 2:
      check_times(ref, hyp, costs.substitution, similar, ties, small_table);
      break;
    default:
      check_common(ref, hyp);
      check_batch(ref, hyp, costs, gaps, ties);
      break;
  }
  return 0;
}
