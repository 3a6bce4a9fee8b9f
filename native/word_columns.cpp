#include "word_columns.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace treescore {
namespace {

constexpr double kLongest = 1e9;     // seconds; as in words/timeline.py
constexpr double kTolerance = 2e-6;  // overlaps up to this many seconds are closed without a fault
constexpr double kRounding = 1e-6;   // shorter times are not rounded; as in words/interpolation.py

bool is_usable(const WordTimes& when) { return 0 <= when.begin && when.begin < when.end && when.end < kLongest; }

bool is_limit(double time) { return 0 <= time && time < kLongest; }

template <class T>
void permute(Column<T>& values, size_t begin, const std::vector<uint32_t>& order) {
  std::vector<T> copy(values.data() + begin, values.data() + begin + order.size());
  for (size_t place = 0; place < order.size(); ++place) values[begin + place] = copy[order[place]];
}

}  // namespace

bool put_in_order(WordColumns& columns, size_t utterance, bool usable_only) {
  const size_t begin = columns.begin_of(utterance), size = columns.end_of(utterance) - begin;
  std::vector<double> keys(size);
  double last = -std::numeric_limits<double>::infinity();
  bool ordered = true;
  for (size_t word = 0; word < size; ++word) {
    const WordTimes& when = columns.times[begin + word];
    const bool counts = usable_only ? is_usable(when) : !std::isnan(when.begin);
    const double before = last;
    if (counts) last = when.begin;
    ordered = ordered && before <= last;
    keys[word] = last;
  }
  if (ordered) return false;
  std::vector<uint32_t> order(size);
  std::iota(order.begin(), order.end(), uint32_t{0});
  std::stable_sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) { return keys[a] < keys[b]; });
  permute(columns.words, begin, order);
  permute(columns.times, begin, order);
  permute(columns.lines, begin, order);
  return true;
}

void keep_only(WordColumns& columns, std::span<const uint8_t> texts, std::span<const uint8_t> utterances) {
  size_t words = 0, kept = 0;
  for (size_t utterance = 0; utterance < columns.size(); ++utterance) {
    const size_t begin = columns.begin_of(utterance), end = columns.end_of(utterance);
    columns.ends[kept] = words;  // which is not read any more
    if (!utterances[utterance]) continue;
    for (size_t word = begin; word < end; ++word) {
      if (!texts[columns.words[word]]) continue;
      columns.words[words] = columns.words[word];
      columns.times[words] = columns.times[word];
      columns.lines[words] = columns.lines[word];
      ++words;
    }
    columns.utterances[kept++] = columns.utterances[utterance];
  }
  columns.utterances.resize(kept);
  columns.ends.resize(kept + 1);
  columns.ends[kept] = words;
  columns.words.shrink_to(words);
  columns.times.shrink_to(words);
  columns.lines.shrink_to(words);
}

void correct_times(std::span<WordTimes> times, WordTimes& limits, uint64_t utterance, std::vector<TimeFault>& faults) {
  size_t last = 0;
  double last_begin = -1, last_end = 0;
  for (size_t word = 0; word < times.size(); ++word) {
    const WordTimes when = times[word];
    if (!when.are_known()) continue;
    if (!is_usable(when)) {
      times[word] = {};
      faults.push_back({TimeFaultKind::kOdd, utterance, word, when.begin, when.end});
      continue;
    }
    if (when.begin < last_end) {
      if (when.begin <= last_begin) {
        times[word] = {};
        faults.push_back({TimeFaultKind::kOrder, utterance, word, when.begin, last_begin});
        continue;
      }
      times[last] = {last_begin, when.begin};
      if (round_to_nine(last_end - when.begin) > kTolerance)
        faults.push_back({TimeFaultKind::kOverlap, utterance, word, when.begin, last_end});
    }
    last = word, last_begin = when.begin, last_end = when.end;
  }
  if (is_known(limits.begin) && !is_limit(limits.begin)) {
    faults.push_back({TimeFaultKind::kBegin, utterance, 0, limits.begin, 0});
    limits.begin = unknown_time();
  }
  if (is_known(limits.end) && !is_limit(limits.end)) {
    faults.push_back({TimeFaultKind::kEnd, utterance, 0, limits.end, 0});
    limits.end = unknown_time();
  }
  if (limits.are_known() && limits.begin > limits.end) {
    faults.push_back({TimeFaultKind::kReversed, utterance, 0, limits.begin, limits.end});
    limits = {};
  }
}

void share_by_characters(std::span<const uint32_t> characters, const WordTimes& whole, std::span<WordTimes> out) {
  const uint64_t total = std::accumulate(characters.begin(), characters.end(), uint64_t{0});
  if (!(whole.begin < whole.end) || total == 0 || characters.size() < 2) {
    std::fill(out.begin(), out.end(), whole);
    return;
  }
  double before = whole.begin;
  uint64_t sum = 0;
  for (size_t word = 0; word + 1 < characters.size(); ++word) {
    sum += characters[word];
    double after = whole.begin + (whole.end - whole.begin) * static_cast<double>(sum) / static_cast<double>(total);
    if (whole.end - whole.begin > kRounding) after = round_to_nine(after);
    out[word] = {before, after};
    before = after;
  }
  out.back() = {before, whole.end};
}

}  // namespace treescore
