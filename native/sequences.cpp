#include "sequences.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdlib>
#include <limits>
#include <numeric>
#include <string>
#include <unordered_map>

#include "column.hpp"
#include "memory_budget.hpp"

// Let D(i, j) be the least cost of aligning the first i words of the reference with the first j of the hypothesis. Its
// cells are filled in the order of i + j: a cell needs only the two antidiagonals before it, and none of its own, so
// that the processor takes many cells at once.
//
// Only a band of cells is filled. Let `limit` be the cost of some path. A cell is dropped at the edge of the band if
// D(i, j) and a lower bound of the cost from there to the end exceed the limit, for then no path of the least cost goes
// through it. So what is found within the limit is optimal, and every optimal path lies inside the band.
//
// Ties come out as if all cells were filled. Cells inside the band have a cost of at least D, for it is that of some
// path. A cell x on an optimal path has exactly D, for the beginning of that path lies inside the band. Where the path
// goes on from x depends only on which of its three neighbours reach D(x). Those that do lie on optimal paths, so they
// have their D as well; the others cost more than that in the full table, and at least as much in the band.
//
// No directions are stored. Every few hundred antidiagonals two neighbouring ones are kept, and the way back is found
// by filling the cells again from there, only those from which the cell at hand can be reached.

// The loader of glibc chooses between the clones; others, such as musl's, cannot.
#if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__) && defined(__GLIBC__) && \
    !defined(__SANITIZE_ADDRESS__)
#define TREESCORE_WIDE __attribute__((target_clones("avx2", "default")))
#else
#define TREESCORE_WIDE
#endif

namespace treescore {
namespace {

constexpr double kMostCells = 1e11;              // about half a minute
constexpr double kTooManyCells = 4e11;           // if more are predicted, no cell is filled
constexpr size_t kEnoughKept = size_t{1} << 26;  // bytes from which fewer antidiagonals are kept
constexpr int64_t kBeam = 128;                   // cells of an antidiagonal in the first, narrow run
constexpr int64_t kSmallBand = 4096;             // a band that needs no trial with smaller limits
constexpr size_t kFirstSpacing = 128;            // antidiagonals between two that are kept
constexpr size_t kMostSpacing = 4096;            // tracing the path back needs the square of this

[[noreturn]] void refuse(size_t ref, size_t hyp) {
  throw SequencesTooLong("aligning " + std::to_string(ref) + " with " + std::to_string(hyp) +
                         " words that differ this much would take too long; cut them into segments first");
}

bool is_similar(SimilarWords similar, uint32_t ref, uint32_t hyp) {
  return std::binary_search(similar.begin(), similar.end(), std::pair{ref, hyp});
}

template <class T>
std::vector<T> mirrored(std::span<const T> values) {
  return {values.rbegin(), values.rend()};
}

// Arrays as the loop over an antidiagonal wants them: the reference from 1 on, the hypothesis from its end, so that
// both are read upwards; one value in front or behind is read but never matters.
template <class T, class From>
std::vector<T> padded_front(const From& values) {
  std::vector<T> out(values.size() + 1);
  std::transform(values.begin(), values.end(), out.begin() + 1, [](auto value) { return static_cast<T>(value); });
  return out;
}
template <class T, class From>
std::vector<T> backwards(const From& values) {
  std::vector<T> out(values.size() + 1);
  std::transform(values.rbegin(), values.rend(), out.begin(), [](auto value) { return static_cast<T>(value); });
  return out;
}

// One antidiagonal, from i = lo to hi. `one` and `two` are those before it; `shift` turns i into a place in the
// hypothesis read backwards.
template <class Cost>
struct Antidiagonal {
  Cost* now;
  const Cost *one, *two;
  int64_t lo, hi, shift;
};

#define TREESCORE_FILL(pair_cost, deletion, insertion)               \
  const Cost* __restrict one = at.one, * __restrict two = at.two;    \
  Cost* __restrict now = at.now;                                     \
  for (int64_t i = at.lo; i <= at.hi; ++i) {                         \
    const Cost paired = static_cast<Cost>(two[i - 1] + (pair_cost)); \
    const Cost deleted = static_cast<Cost>(one[i - 1] + (deletion)), \
               inserted = static_cast<Cost>(one[i] + (insertion));   \
    const Cost gap = deleted < inserted ? deleted : inserted;        \
    now[i] = paired < gap ? paired : gap;                            \
  }

template <class Cost>
struct UniformCosts {
  Cost deletion, insertion, substitution;
};

TREESCORE_WIDE void fill_uniform(const Antidiagonal<int32_t>& at, const uint32_t* __restrict ref,
                                 const uint32_t* __restrict hyp, const UniformCosts<int32_t>& costs) {
  using Cost = int32_t;
  const Cost deletion = costs.deletion, insertion = costs.insertion, substitution = costs.substitution;
  TREESCORE_FILL(ref[i] == hyp[i] ? 0 : substitution, deletion, insertion)
}

TREESCORE_WIDE void fill_uniform(const Antidiagonal<int64_t>& at, const uint32_t* __restrict ref,
                                 const uint32_t* __restrict hyp, const UniformCosts<int64_t>& costs) {
  using Cost = int64_t;
  const Cost deletion = costs.deletion, insertion = costs.insertion, substitution = costs.substitution;
  TREESCORE_FILL(ref[i] == hyp[i] ? 0 : substitution, deletion, insertion)
}

// Costs by words. `rest` is a lower bound of the cost from a cell to the end.
template <class Cost_>
class WordPrices {
 public:
  using Cost = Cost_;
  WordPrices(const WordSequence& ref, const WordSequence& hyp, const WordCosts& costs, SimilarWords similar)
      : n_(static_cast<int64_t>(ref.keys.size())),
        m_(static_cast<int64_t>(hyp.keys.size())),
        uniform_{static_cast<Cost>(costs.deletion), static_cast<Cost>(costs.insertion),
                 static_cast<Cost>(costs.substitution)},
        ref_(padded_front<uint32_t>(ref.keys)),
        hyp_(backwards<uint32_t>(hyp.keys)),
        similar_(similar) {
    const auto is_null = [](uint32_t key) { return key == kNullWord; };
    is_uniform_ = ref.gaps.empty() && hyp.gaps.empty() && std::none_of(ref.keys.begin(), ref.keys.end(), is_null) &&
                  std::none_of(hyp.keys.begin(), hyp.keys.end(), is_null);
    least_deletion_ = uniform_.deletion;
    least_insertion_ = uniform_.insertion;
    if (!is_uniform_) {
      const auto gaps = [](const WordSequence& words, int64_t usual) {
        return words.gaps.empty() ? std::vector<int64_t>(words.keys.size(), usual)
                                  : std::vector<int64_t>(words.gaps.begin(), words.gaps.end());
      };
      const std::vector<int64_t> deletions = gaps(ref, costs.deletion), insertions = gaps(hyp, costs.insertion);
      deletion_ = padded_front<Cost>(deletions);
      insertion_ = backwards<Cost>(insertions);
      // A null word paired with another costs more than leaving both out.
      const int64_t most = 1 + std::accumulate(deletions.begin(), deletions.end(), int64_t{0}, largest) +
                           std::accumulate(insertions.begin(), insertions.end(), int64_t{0}, largest);
      const auto unpaired = [&](uint32_t key) { return is_null(key) ? most : int64_t{0}; };
      std::vector<int64_t> extra(ref.keys.size());
      std::transform(ref.keys.begin(), ref.keys.end(), extra.begin(), unpaired);
      ref_extra_ = padded_front<Cost>(extra);
      extra.resize(hyp.keys.size());
      std::transform(hyp.keys.begin(), hyp.keys.end(), extra.begin(), unpaired);
      hyp_extra_ = backwards<Cost>(extra);
      for (size_t word = 0; word < ref.keys.size(); ++word)
        if (!is_null(ref.keys[word])) least_deletion_ = std::min(least_deletion_, static_cast<Cost>(deletions[word]));
      for (size_t word = 0; word < hyp.keys.size(); ++word)
        if (!is_null(hyp.keys[word]))
          least_insertion_ = std::min(least_insertion_, static_cast<Cost>(insertions[word]));
      ref_left_ = words_left(ref.keys);
      hyp_left_ = words_left(hyp.keys);
    }
    for (int64_t i = 1; i <= n_ && !similar.empty(); ++i) {
      const auto found = std::lower_bound(similar.begin(), similar.end(), std::pair{ref_[at(i)], uint32_t{0}});
      if (found != similar.end() && found->first == ref_[at(i)]) similar_places_.push_back(i);
    }
  }

  int64_t n() const { return n_; }
  int64_t m() const { return m_; }
  Cost deletion(int64_t i) const { return is_uniform_ ? uniform_.deletion : deletion_[at(i)]; }
  Cost insertion(int64_t j) const { return is_uniform_ ? uniform_.insertion : insertion_[at(m_ - j)]; }
  bool equal(int64_t i, int64_t j) const {
    const uint32_t a = ref_[at(i)], b = hyp_[at(m_ - j)];
    return (a == b && a != kNullWord) || (!similar_.empty() && is_similar(similar_, a, b));
  }
  Cost pair(int64_t i, int64_t j) const {
    if (equal(i, j)) return 0;
    if (is_uniform_) return uniform_.substitution;
    return static_cast<Cost>(uniform_.substitution + ref_extra_[at(i)] + hyp_extra_[at(m_ - j)]);
  }
  // Every word that the other side lacks must be left out.
  Cost rest(int64_t i, int64_t j) const {
    const int64_t ref = is_uniform_ ? n_ - i : ref_left_[at(i)], hyp = is_uniform_ ? m_ - j : hyp_left_[at(j)];
    return static_cast<Cost>(ref > hyp ? (ref - hyp) * least_deletion_ : (hyp - ref) * least_insertion_);
  }
  Cost gap_pair() const { return std::max<Cost>(1, static_cast<Cost>(least_deletion_ + least_insertion_)); }

  void fill(const Antidiagonal<Cost>& cells) const {
    const uint32_t *ref = ref_.data(), *hyp = hyp_.data() + cells.shift;
    if (is_uniform_) {
      fill_uniform(cells, ref, hyp, uniform_);
    } else {
      const Cost *deletion = deletion_.data(), *insertion = insertion_.data() + cells.shift;
      const Cost *ref_extra = ref_extra_.data(), *hyp_extra = hyp_extra_.data() + cells.shift;
      const Cost substitution = uniform_.substitution;
      const Antidiagonal<Cost>& at = cells;
      TREESCORE_FILL((ref[i] == hyp[i] ? 0 : substitution) + ref_extra[i] + hyp_extra[i], deletion[i], insertion[i])
    }
    if (similar_places_.empty()) return;
    const auto first = std::lower_bound(similar_places_.begin(), similar_places_.end(), std::max<int64_t>(cells.lo, 1));
    for (auto place = first; place != similar_places_.end() && *place <= cells.hi; ++place) {
      const int64_t i = *place, in_hyp = i + cells.shift;
      if (in_hyp < m_ && is_similar(similar_, ref_[at(i)], hyp_[at(in_hyp)]))
        cells.now[i] = std::min(cells.now[i], cells.two[i - 1]);
    }
  }

 private:
  static size_t at(int64_t place) { return static_cast<size_t>(place); }
  static int64_t largest(int64_t a, int64_t b) { return std::max(a, b); }
  static std::vector<int64_t> words_left(std::span<const uint32_t> keys) {
    std::vector<int64_t> left(keys.size() + 1, 0);
    for (size_t word = keys.size(); word-- > 0;) left[word] = left[word + 1] + (keys[word] != kNullWord);
    return left;
  }

  int64_t n_, m_;
  bool is_uniform_ = true;
  UniformCosts<Cost> uniform_;
  Cost least_deletion_ = 0, least_insertion_ = 0;
  std::vector<uint32_t> ref_, hyp_;
  std::vector<Cost> deletion_, insertion_, ref_extra_, hyp_extra_;
  std::vector<int64_t> ref_left_, hyp_left_, similar_places_;
  SimilarWords similar_;
};

// Costs by times.
class TimePrices {
 public:
  using Cost = int64_t;
  TimePrices(const TimedWords& ref, const TimedWords& hyp, int64_t different, SimilarWords similar)
      : ref_key_(padded_front<uint32_t>(ref.keys)),
        hyp_key_(backwards<uint32_t>(hyp.keys)),
        ref_begin_(padded_front<Cost>(ref.begin)),
        ref_end_(padded_front<Cost>(ref.end)),
        hyp_begin_(backwards<Cost>(hyp.begin)),
        hyp_end_(backwards<Cost>(hyp.end)),
        ref_left_(time_left(ref)),
        hyp_left_(time_left(hyp)),
        different_(different),
        similar_(similar) {}

  int64_t n() const { return static_cast<int64_t>(ref_key_.size()) - 1; }
  int64_t m() const { return static_cast<int64_t>(hyp_key_.size()) - 1; }
  Cost deletion(int64_t i) const { return ref_end_[at(i)] - ref_begin_[at(i)]; }
  Cost insertion(int64_t j) const { return hyp_end_[at(m() - j)] - hyp_begin_[at(m() - j)]; }
  bool equal(int64_t i, int64_t j) const { return equal_at(i, m() - j); }
  Cost pair(int64_t i, int64_t j) const { return pair_at(i, m() - j); }
  // A pair costs at least the difference of the lengths of its words, and a gap the length of its word.
  Cost rest(int64_t i, int64_t j) const { return std::abs(ref_left_[at(i)] - hyp_left_[at(j)]); }
  Cost gap_pair() const { return std::max<Cost>(1, different_); }

  void fill(const Antidiagonal<Cost>& at_) const {
    const Antidiagonal<Cost>& at = at_;
    const int64_t shift = at.shift;
    TREESCORE_FILL(pair_at(i, i + shift), ref_end_[static_cast<size_t>(i)] - ref_begin_[static_cast<size_t>(i)],
                   hyp_end_[static_cast<size_t>(i + shift)] - hyp_begin_[static_cast<size_t>(i + shift)])
  }

 private:
  static size_t at(int64_t place) { return static_cast<size_t>(place); }
  static std::vector<Cost> time_left(const TimedWords& words) {
    std::vector<Cost> left(words.keys.size() + 1, 0);
    for (size_t word = words.keys.size(); word-- > 0;)
      left[word] = left[word + 1] + words.end[word] - words.begin[word];
    return left;
  }
  bool equal_at(int64_t i, int64_t in_hyp) const {
    const uint32_t a = ref_key_[at(i)], b = hyp_key_[at(in_hyp)];
    return a == b || (!similar_.empty() && is_similar(similar_, a, b));
  }
  Cost pair_at(int64_t i, int64_t in_hyp) const {
    return std::abs(ref_begin_[at(i)] - hyp_begin_[at(in_hyp)]) + std::abs(ref_end_[at(i)] - hyp_end_[at(in_hyp)]) +
           (equal_at(i, in_hyp) ? 0 : different_);
  }

  std::vector<uint32_t> ref_key_, hyp_key_;
  std::vector<Cost> ref_begin_, ref_end_, hyp_begin_, hyp_end_, ref_left_, hyp_left_;
  Cost different_;
  SimilarWords similar_;
};

template <class Prices>
class BandAligner {
  using Cost = typename Prices::Cost;
  static constexpr Cost kInfinite = std::numeric_limits<Cost>::max() / 4;

 public:
  BandAligner(const Prices& prices, Progress& progress)
      : prices_(prices), progress_(progress), memory_(progress.poll), n_(prices.n()), m_(prices.m()) {
    for (std::vector<Cost>& buffer : buffers_) buffer.assign(static_cast<size_t>(n_) + 3, kInfinite);
    progress_.total = static_cast<uint64_t>(n_ + m_);
  }

  WordPath align() {
    return within_budget(memory_, [&] { return align_once(); }, [&] { free_memory(); });
  }

 private:
  WordPath align_once() {
    cells_ = 0;
    if (!sweep(kInfinite, kBeam, false)) refuse(static_cast<size_t>(n_), static_cast<size_t>(m_));  // cannot be
    const Cost known = cost_, least = prices_.rest(0, 0);
    Cost limit = known;
    const double width = static_cast<double>(known - least) / static_cast<double>(prices_.gap_pair());
    if (std::min(width, static_cast<double>(std::min(n_, m_))) * static_cast<double>(n_ + m_) / 2 > kTooManyCells)
      refuse(static_cast<size_t>(n_), static_cast<size_t>(m_));
    // The result of the narrow run may be far from optimal: smaller limits are tried first if a wide band would be
    // expensive.
    const double small = static_cast<double>(kSmallBand) * static_cast<double>(prices_.gap_pair());
    if (static_cast<double>(known - least) > 4 * small) limit = static_cast<Cost>(least + static_cast<Cost>(small));
    while (!sweep(limit, 0, true)) {
      const double next = static_cast<double>(least) + 4.0 * static_cast<double>(limit - least);
      limit = next < static_cast<double>(known) / 2 ? static_cast<Cost>(next) : known;
    }
    WordPath path;
    path.cost = static_cast<int64_t>(cost_);
    trace(path.steps);
    return path;
  }

  void free_memory() {
    kept_ = {};
    block_ = {};
  }

  struct Range {
    int64_t lo = 0, hi = -1;
    bool empty() const { return lo > hi; }
  };
  struct Kept {
    int64_t sum;               // i + j of the second of two antidiagonals
    Range range[2];            // of the first and the second
    std::vector<Cost> values;  // of both
  };

  Cost* cells(int64_t sum) { return buffers_[static_cast<size_t>(sum % 3)].data() + 1; }

  // Fills antidiagonal after antidiagonal; false if no path costs at most `limit`. A `beam` bounds the
  // cells of each, now and then.
  bool sweep(Cost limit, int64_t beam, bool keep) {
    kept_.clear();
    kept_bytes_ = 0;
    spacing_ = kFirstSpacing;
    Range filled[3];  // cells with values
    Range open[3];    // cells that may be on a path within the limit
    cells(0)[-1] = cells(0)[1] = cells(2)[-1] = cells(2)[0] = kInfinite;
    cells(0)[0] = 0;
    filled[0] = open[0] = {0, 0};
    if (keep) keep_pair(0, {}, filled[0]);
    for (int64_t sum = 1; sum <= n_ + m_; ++sum) {
      const Range one = open[(sum - 1) % 3], two = sum > 1 ? open[(sum - 2) % 3] : Range{};
      Range now;
      if (!one.empty()) now = {one.lo, one.hi + 1};
      if (!two.empty())
        now = now.empty() ? Range{two.lo + 1, two.hi + 1}
                          : Range{std::min(now.lo, two.lo + 1), std::max(now.hi, two.hi + 1)};
      if (now.empty()) return false;
      now.lo = std::max(now.lo, sum - m_);
      now.hi = std::min({now.hi, n_, sum});
      Cost* values = cells(sum);
      values[now.lo - 1] = kInfinite;
      if (!now.empty()) {
        values[now.hi + 1] = kInfinite;
        prices_.fill({values, cells(sum - 1), cells(sum + 1), now.lo, now.hi, m_ - sum});
      }
      filled[sum % 3] = now;
      count(static_cast<double>(now.hi - now.lo + 1), sum);
      if (keep && sum % static_cast<int64_t>(spacing_) == 0) keep_pair(sum, filled[(sum - 1) % 3], now);
      while (!now.empty() && values[now.lo] + prices_.rest(now.lo, sum - now.lo) > limit) ++now.lo;
      while (!now.empty() && values[now.hi] + prices_.rest(now.hi, sum - now.hi) > limit) --now.hi;
      if (beam && now.hi - now.lo >= 2 * beam) now = around_best(now, sum, beam);
      open[sum % 3] = now;
    }
    const Range last = open[(n_ + m_) % 3];
    if (last.empty()) return false;
    cost_ = cells(n_ + m_)[n_];
    return true;
  }

  Range around_best(const Range& range, int64_t sum, int64_t beam) {
    const Cost* values = cells(sum);
    int64_t best = range.lo;
    Cost least = kInfinite;
    for (int64_t i = range.lo; i <= range.hi; ++i) {
      const Cost whole = static_cast<Cost>(values[i] + prices_.rest(i, sum - i));
      if (whole < least) least = whole, best = i;
    }
    return {std::max(range.lo, best - beam / 2), std::min(range.hi, best + beam / 2)};
  }

  void keep_pair(int64_t sum, const Range& first, const Range& second) {
    Kept kept{sum, {first, second}, {}};
    const auto size = [](const Range& range) {
      return range.empty() ? 0 : static_cast<size_t>(range.hi - range.lo + 1);
    };
    kept_bytes_ += (size(first) + size(second)) * sizeof(Cost);
    memory_.grow_to(kept_bytes_ + traced_bytes());
    kept.values.reserve(size(first) + size(second));
    for (int which = 0; which < 2; ++which) {
      if (kept.range[which].empty()) continue;
      const Cost* values = cells(sum - 1 + which);
      kept.values.insert(kept.values.end(), values + kept.range[which].lo, values + kept.range[which].hi + 1);
    }
    kept_.push_back(std::move(kept));
    while (kept_bytes_ > kEnoughKept && spacing_ < kMostSpacing) {
      spacing_ *= 2;
      std::erase_if(kept_, [&](const Kept& one) { return one.sum % static_cast<int64_t>(spacing_) != 0; });
      kept_bytes_ = 0;
      for (const Kept& one : kept_) kept_bytes_ += one.values.size() * sizeof(Cost);
    }
  }

  void count(double cells, int64_t sum) {
    cells_ += cells;
    if (cells_ > kMostCells) refuse(static_cast<size_t>(n_), static_cast<size_t>(m_));
    progress_.at(static_cast<uint64_t>(sum));
  }

  // Of the cells that are filled again between two antidiagonals that are kept.
  size_t traced_bytes() const {
    const size_t rows = std::min(spacing_, static_cast<size_t>(n_ + m_)) + 2;
    return rows * (rows + 2) * sizeof(Cost);
  }

  // Traces the path back from the end, one stretch between two kept antidiagonals at a time.
  void trace(std::vector<WordStep>& steps) {
    int64_t i = n_, j = m_;
    while (i + j > 0) {
      while (kept_.back().sum >= i + j) kept_.pop_back();
      const Kept& kept = kept_.back();
      // Rows of the cells from which (i, j) can be reached: row r has those of antidiagonal kept.sum - 1 + r.
      const int64_t first = kept.sum - 1, rows = i + j - first + 1, top = i, width = rows;
      // Cell x of a row is at x - (top - width); one more on either side is infinite.
      const int64_t left = top - width;
      std::vector<Cost>& block = block_;
      block.assign(static_cast<size_t>(rows * (width + 2)), kInfinite);
      const auto row = [&](int64_t number) { return block.data() + number * (width + 2) - left; };
      size_t place = 0;
      for (int which = 0; which < 2; ++which) {
        for (int64_t x = kept.range[which].lo; x <= kept.range[which].hi; ++x, ++place)
          if (x > left && x <= top) row(which)[x] = kept.values[place];
      }
      for (int64_t number = 2; number < rows; ++number) {
        const int64_t sum = first + number;
        const int64_t lo = std::max({top - (i + j - sum), int64_t{0}, sum - m_}), hi = std::min({top, n_, sum});
        if (lo <= hi) prices_.fill({row(number), row(number - 1), row(number - 2), lo, hi, m_ - sum});
      }
      while (i + j > kept.sum) {
        const int64_t number = i + j - first;
        const bool inside = i > 0 && j > 0;
        const Cost paired = inside ? static_cast<Cost>(row(number - 2)[i - 1] + prices_.pair(i, j)) : kInfinite;
        const Cost deleted = i > 0 ? static_cast<Cost>(row(number - 1)[i - 1] + prices_.deletion(i)) : kInfinite;
        const Cost inserted = j > 0 ? static_cast<Cost>(row(number - 1)[i] + prices_.insertion(j)) : kInfinite;
        if (inside && paired <= deleted && paired <= inserted) {
          steps.push_back({static_cast<int32_t>(i - 1), static_cast<int32_t>(j - 1), prices_.equal(i, j)});
          --i, --j;
        } else if (deleted < inserted) {
          steps.push_back({static_cast<int32_t>(--i), -1, false});
        } else {
          steps.push_back({-1, static_cast<int32_t>(--j), false});
        }
      }
      progress_.at(static_cast<uint64_t>(i + j));
    }
    std::reverse(steps.begin(), steps.end());
  }

  const Prices& prices_;
  Progress& progress_;
  MemoryClaim memory_;
  const int64_t n_, m_;
  std::array<std::vector<Cost>, 3> buffers_;
  std::vector<Kept> kept_;
  std::vector<Cost> block_;
  size_t kept_bytes_ = 0, spacing_ = kFirstSpacing;
  double cells_ = 0;
  Cost cost_ = 0;
};

// The whole table at once, which is faster while it is small.
template <class Prices>
WordPath align_in_table(const Prices& prices) {
  using Cost = typename Prices::Cost;
  const int64_t n = prices.n(), m = prices.m(), width = m + 1;
  std::vector<Cost> table(static_cast<size_t>((n + 1) * width));
  for (int64_t j = 1; j <= m; ++j)
    table[static_cast<size_t>(j)] = static_cast<Cost>(table[static_cast<size_t>(j - 1)] + prices.insertion(j));
  for (int64_t i = 1; i <= n; ++i) {
    const Cost* before = table.data() + (i - 1) * width;
    Cost* now = table.data() + i * width;
    const Cost deletion = prices.deletion(i);
    now[0] = static_cast<Cost>(before[0] + deletion);
    for (int64_t j = 1; j <= m; ++j)
      now[j] = std::min({static_cast<Cost>(before[j - 1] + prices.pair(i, j)), static_cast<Cost>(before[j] + deletion),
                         static_cast<Cost>(now[j - 1] + prices.insertion(j))});
  }
  WordPath path;
  path.cost = static_cast<int64_t>(table.back());
  path.steps.reserve(static_cast<size_t>(n + m));
  for (int64_t i = n, j = m; i > 0 || j > 0;) {
    const Cost* now = table.data() + i * width;
    const Cost* before = now - width;
    if (i > 0 && j > 0 && now[j] == before[j - 1] + prices.pair(i, j)) {
      path.steps.push_back({static_cast<int32_t>(i - 1), static_cast<int32_t>(j - 1), prices.equal(i, j)});
      --i, --j;
    } else if (j == 0 || (i > 0 && now[j] != now[j - 1] + prices.insertion(j))) {
      path.steps.push_back({static_cast<int32_t>(--i), -1, false});
    } else {
      path.steps.push_back({-1, static_cast<int32_t>(--j), false});
    }
  }
  std::reverse(path.steps.begin(), path.steps.end());
  return path;
}

template <class Prices>
WordPath align_with(const Prices& prices, size_t small_table, Progress& progress) {
  const double cells = static_cast<double>(prices.n() + 1) * static_cast<double>(prices.m() + 1);
  return cells <= static_cast<double>(small_table) ? align_in_table(prices) : BandAligner(prices, progress).align();
}

void mirror(WordPath& path, size_t ref, size_t hyp) {
  std::reverse(path.steps.begin(), path.steps.end());
  for (WordStep& step : path.steps) {
    if (step.ref >= 0) step.ref = static_cast<int32_t>(ref) - 1 - step.ref;
    if (step.hyp >= 0) step.hyp = static_cast<int32_t>(hyp) - 1 - step.hyp;
  }
}

// More than any path can cost.
double most_cost(std::span<const uint32_t> keys, std::span<const int64_t> gaps, int64_t usual) {
  if (gaps.empty()) return static_cast<double>(keys.size()) * static_cast<double>(usual);
  double sum = 0;
  for (const int64_t gap : gaps) sum += static_cast<double>(gap);
  return sum;
}

void check_size(size_t ref, size_t hyp, double most) {
  if (ref > INT32_MAX / 2 || hyp > INT32_MAX / 2 || most > 1e17) refuse(ref, hyp);
}

// A lattice with the words that lead to each node, in order, and the words that may follow.
struct LatticeSide {
  const WordLattice& words;
  std::vector<uint32_t> starts, arcs;  // the words that lead to node v: arcs[starts[v]] to arcs[starts[v + 1]]
  std::vector<uint32_t> reach;         // the highest node that one word leads to
  std::vector<int64_t> fewest, most;   // words to the end, null words not counted
  int64_t least_gap = INT64_MAX;       // of words that are not null

  explicit LatticeSide(const WordLattice& lattice)
      : words(lattice), starts(lattice.nodes + 1, 0), arcs(lattice.keys.size()), reach(lattice.nodes, 0) {
    for (const uint32_t to : words.to) ++starts[to + 1];
    std::partial_sum(starts.begin(), starts.end(), starts.begin());
    std::vector<uint32_t> next(starts.begin(), starts.end() - 1);
    for (uint32_t arc = 0; arc < arcs.size(); ++arc) arcs[next[words.to[arc]]++] = arc;
    fewest.assign(words.nodes, INT64_MAX);
    most.assign(words.nodes, 0);
    fewest[words.nodes - 1] = 0;
    for (uint32_t node = words.nodes; node-- > 0;) {  // words lead to higher nodes, so all that follows is known
      for (uint32_t place = starts[node]; place < starts[node + 1]; ++place) {
        const uint32_t arc = arcs[place], from = words.from[arc];
        const int64_t counts = words.keys[arc] != kNullWord;
        fewest[from] = std::min(fewest[from], fewest[node] + counts);
        most[from] = std::max(most[from], most[node] + counts);
        reach[from] = std::max(reach[from], node);
        if (counts) least_gap = std::min(least_gap, words.gaps[arc]);
      }
    }
    if (least_gap == INT64_MAX) least_gap = 1;
  }
  std::span<const uint32_t> into(uint32_t node) const {
    return {arcs.data() + starts[node], starts[node + 1] - starts[node]};
  }
};

// As above, but a cell is a node of each side, and the cells to drop are found row by row. Values are kept.
template <class Cost>
class LatticeAligner {
  static constexpr Cost kInfinite = std::numeric_limits<Cost>::max() / 4;

 public:
  LatticeAligner(const WordLattice& ref, const WordLattice& hyp, const WordCosts& costs, SimilarWords similar,
                 Progress& progress)
      : ref_(ref),
        hyp_(hyp),
        substitution_(static_cast<Cost>(costs.substitution)),
        similar_(similar),
        progress_(progress),
        memory_(progress.poll) {
    progress_.total = ref.nodes;
  }

  WordPath align() {
    return within_budget(memory_, [&] { return align_once(); }, [&] { values_.free(); });
  }

 private:
  WordPath align_once() {
    const Cost least = rest(0, 0);
    Cost more = static_cast<Cost>(16 * (ref_.least_gap + hyp_.least_gap));
    while (!sweep(static_cast<Cost>(least + more))) more = static_cast<Cost>(more * 2);
    WordPath path;
    path.cost = value(ref_.words.nodes - 1, hyp_.words.nodes - 1);
    trace(path.steps);
    return path;
  }

  struct Row {
    uint32_t lo = 0, end = 0;
    uint32_t reach = 0;  // the highest node that a pair or a deletion leads to from here
    size_t offset = 0;
  };

  Cost rest(uint32_t u, uint32_t v) const {
    const int64_t surplus = hyp_.fewest[v] - ref_.most[u], lack = ref_.fewest[u] - hyp_.most[v];
    return static_cast<Cost>(surplus > 0 ? surplus * hyp_.least_gap : lack > 0 ? lack * ref_.least_gap : 0);
  }
  Cost value(uint32_t u, uint32_t v) const {
    const Row& row = rows_[u];
    return v < row.lo || v >= row.end ? kInfinite : values_[row.offset + v - row.lo];
  }
  bool equal(uint32_t a, uint32_t b) const {
    const uint32_t ref = ref_.words.keys[a], hyp = hyp_.words.keys[b];
    return ref != kNullWord && (ref == hyp || is_similar(similar_, ref, hyp));
  }
  Cost pair(uint32_t a, uint32_t b) const {
    if (ref_.words.keys[a] == kNullWord || hyp_.words.keys[b] == kNullWord) return kInfinite;
    return equal(a, b) ? 0 : substitution_;
  }
  Cost deletion(uint32_t a) const { return static_cast<Cost>(ref_.words.gaps[a]); }
  Cost insertion(uint32_t b) const { return static_cast<Cost>(hyp_.words.gaps[b]); }

  bool sweep(Cost limit) {
    values_.set_size(0);
    rows_.assign(ref_.words.nodes, {});
    for (uint32_t u = 0; u < ref_.words.nodes; ++u) {
      Row row{.lo = UINT32_MAX, .end = 0, .reach = 0, .offset = values_.size()};
      int64_t reach = u == 0 ? 0 : -1;  // the last node that may be within the limit
      uint32_t lo = u == 0 ? 0 : UINT32_MAX;
      for (const uint32_t arc : ref_.into(u)) {
        const Row& before = rows_[ref_.words.from[arc]];
        if (before.lo >= before.end) continue;
        lo = std::min(lo, before.lo);
        reach = std::max<int64_t>(reach, before.reach);
      }
      // The column grows by half, so that each row is claimed as if it reached to the end.
      memory_.grow_to((values_.size() + hyp_.words.nodes) * sizeof(Cost) / 2 * 3);
      for (uint32_t v = lo; v < hyp_.words.nodes && v <= reach; ++v) {
        Cost best = u == 0 && v == 0 ? 0 : kInfinite;
        for (const uint32_t a : ref_.into(u)) {
          const uint32_t from = ref_.words.from[a];
          best = std::min(best, static_cast<Cost>(value(from, v) + deletion(a)));
          for (const uint32_t b : hyp_.into(v))
            best = std::min(best, static_cast<Cost>(value(from, hyp_.words.from[b]) + pair(a, b)));
        }
        for (const uint32_t b : hyp_.into(v)) {
          const uint32_t from = hyp_.words.from[b];
          if (from >= row.lo)
            best = std::min(best, static_cast<Cost>(values_[row.offset + from - row.lo] + insertion(b)));
        }
        if (best < kInfinite && best + rest(u, v) <= limit) {
          if (row.lo == UINT32_MAX) row.lo = v;
          row.end = v + 1;
          row.reach = std::max({row.reach, v, hyp_.reach[v]});
          reach = std::max<int64_t>(reach, row.reach);
        } else {
          best = kInfinite;
        }
        if (row.lo != UINT32_MAX) values_.push_back(best);
      }
      if (row.lo == UINT32_MAX) row.lo = row.end = 0;
      values_.set_size(row.offset + row.end - row.lo);
      rows_[u] = row;
      progress_.at(u);
    }
    return value(ref_.words.nodes - 1, hyp_.words.nodes - 1) < kInfinite;
  }

  void trace(std::vector<WordStep>& steps) const {
    uint32_t u = ref_.words.nodes - 1, v = hyp_.words.nodes - 1;
    while (u > 0 || v > 0) {
      Cost paired = kInfinite, deleted = kInfinite, inserted = kInfinite;
      uint32_t pair_ref = 0, pair_hyp = 0, only_ref = 0, only_hyp = 0;
      for (const uint32_t a : ref_.into(u)) {
        const uint32_t from = ref_.words.from[a];
        const Cost gap = static_cast<Cost>(value(from, v) + deletion(a));
        if (gap < deleted) deleted = gap, only_ref = a;
        for (const uint32_t b : hyp_.into(v)) {
          const Cost both = static_cast<Cost>(value(from, hyp_.words.from[b]) + pair(a, b));
          if (both < paired) paired = both, pair_ref = a, pair_hyp = b;
        }
      }
      for (const uint32_t b : hyp_.into(v)) {
        const Cost gap = static_cast<Cost>(value(u, hyp_.words.from[b]) + insertion(b));
        if (gap < inserted) inserted = gap, only_hyp = b;
      }
      if (paired < kInfinite && paired <= deleted && paired <= inserted) {
        steps.push_back({static_cast<int32_t>(pair_ref), static_cast<int32_t>(pair_hyp), equal(pair_ref, pair_hyp)});
        u = ref_.words.from[pair_ref], v = hyp_.words.from[pair_hyp];
      } else if (deleted < inserted) {
        steps.push_back({static_cast<int32_t>(only_ref), -1, false});
        u = ref_.words.from[only_ref];
      } else {
        steps.push_back({-1, static_cast<int32_t>(only_hyp), false});
        v = hyp_.words.from[only_hyp];
      }
    }
    std::reverse(steps.begin(), steps.end());
  }

  const LatticeSide ref_, hyp_;
  const Cost substitution_;
  SimilarWords similar_;
  Progress& progress_;
  MemoryClaim memory_;
  std::vector<Row> rows_;
  Column<Cost> values_;
};

// Words as numbers below `count`, in the order of their first occurrence in a; those that b lacks are left out.
struct CommonWords {
  std::vector<uint32_t> a, b;
  uint32_t count = 0;
  double matches = 0;  // pairs of equal words

  CommonWords(std::span<const uint32_t> all_a, std::span<const uint32_t> all_b) {
    std::unordered_map<uint32_t, std::pair<uint32_t, uint32_t>> known;  // number, and occurrences in b
    known.reserve(all_b.size());
    for (const uint32_t key : all_b) ++known.try_emplace(key, UINT32_MAX, 0).first->second.second;
    for (const uint32_t key : all_a) {
      const auto found = known.find(key);
      if (found == known.end()) continue;
      if (found->second.first == UINT32_MAX) found->second.first = count++;
      a.push_back(found->second.first);
      matches += found->second.second;
    }
    for (const uint32_t key : all_b)
      if (const uint32_t number = known.find(key)->second.first; number != UINT32_MAX) b.push_back(number);
  }
};

// The places of each word, ascending.
struct Places {
  std::vector<uint32_t> starts, places;

  Places(const std::vector<uint32_t>& words, uint32_t count) : starts(count + 1, 0), places(words.size()) {
    for (const uint32_t word : words) ++starts[word + 1];
    std::partial_sum(starts.begin(), starts.end(), starts.begin());
    std::vector<uint32_t> next(starts.begin(), starts.end() - 1);
    for (uint32_t place = 0; place < words.size(); ++place) places[next[words[place]]++] = place;
  }
  std::span<const uint32_t> of(uint32_t word) const {
    return {places.data() + starts[word], starts[word + 1] - starts[word]};
  }
};

// Few matches (Hunt and Szymanski 1977): lowest[k] is where the earliest common subsequence of k + 1 words ends in b.
size_t lcs_by_matches(const CommonWords& words, const Places& in_b, Progress& progress) {
  std::vector<uint32_t> lowest;
  for (size_t place = 0; place < words.a.size(); ++place) {
    const auto found = in_b.of(words.a[place]);
    for (auto end = found.rbegin(); end != found.rend(); ++end) {
      const auto better = std::lower_bound(lowest.begin(), lowest.end(), *end);
      if (better == lowest.end())
        lowest.push_back(*end);
      else
        *better = *end;
    }
    progress.at(place);
  }
  return lowest.size();
}

// Many matches (Hyyrö 2004): bit p of `same` is 0 where the length grows at place p of b; 64 places at a time.
size_t lcs_by_bits(const CommonWords& words, const Places& in_b, Progress& progress) {
  const size_t size = (words.b.size() + 63) / 64;
  const auto mark = [](std::span<const uint32_t> places, uint64_t* out) {
    for (const uint32_t at : places) out[at / 64] |= uint64_t{1} << (at % 64);
  };
  std::vector<std::vector<uint64_t>> frequent(words.count);  // bits of words that would take longer to set than to add
  for (uint32_t word = 0; word < words.count; ++word) {
    if (in_b.of(word).size() <= size) continue;
    frequent[word].assign(size, 0);
    mark(in_b.of(word), frequent[word].data());
  }
  std::vector<uint64_t> same(size, ~uint64_t{0}), marked(size, 0);
  for (size_t place = 0; place < words.a.size(); ++place) {
    const std::vector<uint64_t>& known = frequent[words.a[place]];
    const auto found = known.empty() ? in_b.of(words.a[place]) : std::span<const uint32_t>{};
    mark(found, marked.data());
    const uint64_t* match = known.empty() ? marked.data() : known.data();
    uint64_t carry = 0;
    for (size_t word = 0; word < size; ++word) {
      const uint64_t old = same[word], matched = old & match[word];
      const uint64_t sum = old + matched, whole = sum + carry;
      carry = static_cast<uint64_t>(sum < old) | static_cast<uint64_t>(whole < sum);
      same[word] = whole | (old & ~match[word]);
    }
    for (const uint32_t at : found) marked[at / 64] = 0;
    progress.at(place);
  }
  size_t length = 0;
  for (size_t word = 0; word < size; ++word) length += static_cast<size_t>(std::popcount(~same[word]));
  return length;
}

}  // namespace

WordPath align_words(const WordSequence& ref, const WordSequence& hyp, const WordCosts& costs, SimilarWords similar,
                     Ties ties, Progress& progress, size_t small_table) {
  const size_t n = ref.keys.size(), m = hyp.keys.size();
  check_size(n, m, most_cost(ref.keys, ref.gaps, costs.deletion) + most_cost(hyp.keys, hyp.gaps, costs.insertion));
  if (ties == Ties::kLateGap) {
    const auto ref_keys = mirrored(ref.keys), hyp_keys = mirrored(hyp.keys);
    const auto ref_gaps = mirrored(ref.gaps), hyp_gaps = mirrored(hyp.gaps);
    WordPath path =
        align_words({ref_keys, ref_gaps}, {hyp_keys, hyp_gaps}, costs, similar, Ties::kEarlyGap, progress, small_table);
    mirror(path, n, m);
    return path;
  }
  double dearest = static_cast<double>(std::max({costs.deletion, costs.insertion, costs.substitution}));
  for (const int64_t gap : ref.gaps) dearest = std::max(dearest, static_cast<double>(gap));
  for (const int64_t gap : hyp.gaps) dearest = std::max(dearest, static_cast<double>(gap));
  const auto align = [&]<class Cost>(Cost) {
    const WordPrices<Cost> prices(ref, hyp, costs, similar);
    return align_with(prices, small_table, progress);
  };
  // Infinite values must not overflow when costs are added to them along a stretch of the path.
  const bool fits = 6 * dearest * (static_cast<double>(n + m) + 2 * kMostSpacing) < INT32_MAX / 4;
  return fits ? align(int32_t{}) : align(int64_t{});
}

WordPath align_lattices(const WordLattice& ref, const WordLattice& hyp, const WordCosts& costs, SimilarWords similar,
                        Ties ties, Progress& progress) {
  const size_t n = ref.keys.size(), m = hyp.keys.size();
  const double most = most_cost(ref.keys, ref.gaps, 0) + most_cost(hyp.keys, hyp.gaps, 0);
  check_size(n, m, most + static_cast<double>(costs.substitution) * static_cast<double>(std::min(n, m)));
  if (ties == Ties::kLateGap) {
    const auto turned = [](const WordLattice& lattice, std::span<const uint32_t> nodes) {
      std::vector<uint32_t> out = mirrored(nodes);
      for (uint32_t& node : out) node = lattice.nodes - 1 - node;
      return out;
    };
    const auto ref_keys = mirrored(ref.keys), hyp_keys = mirrored(hyp.keys);
    const auto ref_gaps = mirrored(ref.gaps), hyp_gaps = mirrored(hyp.gaps);
    const auto ref_from = turned(ref, ref.to), ref_to = turned(ref, ref.from);
    const auto hyp_from = turned(hyp, hyp.to), hyp_to = turned(hyp, hyp.from);
    WordPath path =
        align_lattices({ref_keys, ref_gaps, ref_from, ref_to, ref.nodes},
                       {hyp_keys, hyp_gaps, hyp_from, hyp_to, hyp.nodes}, costs, similar, Ties::kEarlyGap, progress);
    mirror(path, n, m);
    return path;
  }
  const double gap = 16 * most;  // limits are doubled
  return gap + static_cast<double>(costs.substitution) < INT32_MAX / 16
             ? LatticeAligner<int32_t>(ref, hyp, costs, similar, progress).align()
             : LatticeAligner<int64_t>(ref, hyp, costs, similar, progress).align();
}

WordPath align_times(const TimedWords& ref, const TimedWords& hyp, int64_t different, SimilarWords similar, Ties ties,
                     Progress& progress, size_t small_table) {
  const size_t n = ref.keys.size(), m = hyp.keys.size();
  check_size(n, m, 0);
  if (ties == Ties::kLateGap) {
    const auto turned = [](std::span<const int64_t> times) {
      std::vector<int64_t> out = mirrored(times);
      for (int64_t& time : out) time = -time;
      return out;
    };
    const auto ref_keys = mirrored(ref.keys), hyp_keys = mirrored(hyp.keys);
    const auto ref_begin = turned(ref.end), ref_end = turned(ref.begin);
    const auto hyp_begin = turned(hyp.end), hyp_end = turned(hyp.begin);
    WordPath path = align_times({ref_keys, ref_begin, ref_end}, {hyp_keys, hyp_begin, hyp_end}, different, similar,
                                Ties::kEarlyGap, progress, small_table);
    mirror(path, n, m);
    return path;
  }
  const TimePrices prices(ref, hyp, different, similar);
  return align_with(prices, small_table, progress);
}

size_t lcs_length(std::span<const uint32_t> a, std::span<const uint32_t> b, Progress& progress) {
  size_t same = 0;
  while (!a.empty() && !b.empty() && a.front() == b.front()) a = a.subspan(1), b = b.subspan(1), ++same;
  while (!a.empty() && !b.empty() && a.back() == b.back()) a = a.first(a.size() - 1), b = b.first(b.size() - 1), ++same;
  const CommonWords words(a, b);
  const Places in_b(words.b, words.count);
  progress.total = words.a.size();
  // A match costs a search; 64 places cost an addition.
  const double by_bits = static_cast<double>(words.a.size()) * static_cast<double>(words.b.size()) / 64;
  return same +
         (words.matches * 16 < by_bits ? lcs_by_matches(words, in_b, progress) : lcs_by_bits(words, in_b, progress));
}

}  // namespace treescore
