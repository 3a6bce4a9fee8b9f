#include "segments.hpp"

#include <algorithm>
#include <cassert>
#include <limits>

namespace treescore {
namespace {

constexpr uint32_t kInside = UINT32_MAX;
constexpr int32_t kFar = std::numeric_limits<int32_t>::max() / 4;
constexpr int64_t kNever = std::numeric_limits<int64_t>::max() / 4;

// What was taken in since the last cut: nothing; of one side only; of both, equal so far or not; a segment that is left
// out, which ends at its own end.
enum State : uint8_t { kCut, kGoldOnly, kTestOnly, kEqual, kUnequal, kGoldLeft, kTestLeft, kStates };

// Costs are compared first, then numbers of groups, then numbers of equal groups: all in one number.
constexpr int kCostShift = 40, kGroupShift = 20;
constexpr size_t kMostSegments = (size_t{1} << kGroupShift) - 1;
constexpr int64_t kMostCost = int64_t{1} << 20;
static_assert(kMostCost << kCostShift < kNever);
constexpr int64_t kGroup = int64_t{1} << kGroupShift;

// Bytes of a cell of a band, which has a distance from the beginning and one to the end, and of a cell whose values are
// kept.
constexpr size_t kBandBytes = 2 * sizeof(int32_t), kLiveBytes = kStates * sizeof(int64_t) + sizeof(uint8_t);

// Frees the old values first: both together would need more memory than was claimed.
template <class T>
void resize_alone(std::vector<T>& values, size_t size) {
  if (size > values.capacity()) values = {};
  values.resize(size);
}

struct Step {
  int64_t edit, extra, equal_group;
  explicit Step(const SegmentCosts& costs)
      : edit(costs.edit << kCostShift), extra(costs.extra << kCostShift), equal_group(costs.count_equal ? 1 : 0) {}
};

void least(int64_t& value, int64_t other) { value = std::min(value, other); }

// The states from which one step leads to a cell, with the state there and the cost.
struct Transition {
  State from, to;
  int64_t cost;
};

struct Transitions {
  Transition list[7];
  size_t count = 0;
  void add(State from, State to, int64_t cost) { list[count++] = {from, to, cost}; }
  const Transition* begin() const { return list; }
  const Transition* end() const { return list + count; }
};

// A character of one side only: `own` and `left` are the states in which nothing but that side was taken in. A further
// segment of a group begins where the step begins at its boundary and its side was taken in before.
Transitions gap(const Step& step, bool begins, bool both_begin, bool leave_out, State own, State other, State left) {
  const int64_t extra = begins ? step.extra : 0;
  Transitions out;
  if (both_begin) out.add(kCut, own, step.edit);
  out.add(own, own, step.edit + extra);
  out.add(other, kUnequal, step.edit);
  out.add(kEqual, kUnequal, step.edit + extra);
  out.add(kUnequal, kUnequal, step.edit + extra);
  if (leave_out && both_begin) out.add(kCut, left, step.edit);
  if (leave_out && !begins) out.add(left, left, step.edit);
  return out;
}

Transitions deletion(const Step& step, bool gold_begins, bool both_begin, bool leave_out) {
  return gap(step, gold_begins, both_begin, leave_out, kGoldOnly, kTestOnly, kGoldLeft);
}

Transitions insertion(const Step& step, bool test_begins, bool both_begin, bool leave_out) {
  return gap(step, test_begins, both_begin, leave_out, kTestOnly, kGoldOnly, kTestLeft);
}

Transitions pairing(const Step& step, bool equal, bool gold_begins, bool test_begins) {
  const int64_t gold = gold_begins ? step.extra : 0, test = test_begins ? step.extra : 0;
  const int64_t edit = equal ? 0 : step.edit;
  const State both = equal ? kEqual : kUnequal;
  Transitions out;
  if (gold_begins && test_begins) out.add(kCut, both, edit);
  out.add(kGoldOnly, kUnequal, edit + gold);
  out.add(kTestOnly, kUnequal, edit + test);
  out.add(kEqual, both, edit + gold + test);
  out.add(kUnequal, kUnequal, edit + gold + test);
  return out;
}

std::vector<uint32_t> boundaries(const SegmentedText& text) {
  std::vector<uint32_t> out(text.characters.size() + 1, kInside);
  out[0] = 0;
  for (size_t segment = 0; segment < text.size(); ++segment) {
    assert(text.ends[segment] > text.begin_of(segment));
    out[text.ends[segment]] = static_cast<uint32_t>(segment + 1);
  }
  return out;
}

}  // namespace

bool SegmentAligner::align(const SegmentedText& gold, const SegmentedText& test, const SegmentCosts& costs,
                           size_t most_cells, std::vector<SegmentGroup>& groups) {
  if (gold.size() == 0 || test.size() == 0) {
    groups.insert(groups.end(), gold.size(), {1, 0});
    groups.insert(groups.end(), test.size(), {0, 1});
    return true;
  }
  if (gold.size() + test.size() > kMostSegments) return false;
  gold_ = &gold;
  test_ = &test;
  gold_boundary_ = boundaries(gold);
  test_boundary_ = boundaries(test);
  const auto free = [&] {
    free_memory();
    memory_.release();
  };
  try {
    const bool is_done =
        within_budget(memory_, [&] { return align_once(costs, most_cells, groups); }, [&] { free_memory(); });
    if (memory_.is_counted()) free();  // others may wait for it
    return is_done;
  } catch (...) {
    free();
    throw;
  }
}

void SegmentAligner::free_memory() {
  forward_ = {};
  backward_ = {};
  values_ = {};
  reached_ = {};
}

bool SegmentAligner::align_once(const SegmentCosts& costs, size_t most_cells, std::vector<SegmentGroup>& groups) {
  const SegmentedText &gold = *gold_, &test = *test_;
  const size_t rows = gold.characters.size(), columns = test.characters.size();
  const size_t shift = rows > columns ? rows - columns : columns - rows;
  // One group of everything is possible, so no more than its extra segments can be paid beyond the edit distance; the
  // first try supposes that there are few.
  const auto slack = static_cast<int64_t>(gold.size() + test.size() - 2) * costs.extra / costs.edit;
  int64_t tried = std::min<int64_t>(slack, 8);
  for (size_t width = 8;;) {
    set_band(width);
    if (band_.cells > most_cells) return false;
    memory_.grow_to(kBandBytes * band_.cells);
    const int64_t distance = fill_forward();
    const bool whole = width >= std::max(rows, columns);
    if (distance + tried > static_cast<int64_t>(shift + 2 * width + 1) && !whole) {
      width *= 2;
      continue;
    }
    if (distance * costs.edit + static_cast<int64_t>(gold.size() + test.size()) * costs.extra > kMostCost) return false;
    fill_backward();
    find_live(static_cast<int32_t>(distance + tried));
    if (live_.cells > most_cells / 4) return false;  // they need more memory
    memory_.grow_to(kBandBytes * band_.cells + kLiveBytes * live_.cells);
    fill_values(costs);
    const int64_t cost = (values_[kCut] + (int64_t{1} << kCostShift) - 1) >> kCostShift;
    const int64_t needed = std::min(cost / costs.edit - distance, slack);
    if (needed <= tried) break;
    tried = needed;
  }
  read_groups(costs, groups);
  return true;
}

// Cells at most `width` diagonals away from the straight path from corner to corner.
void SegmentAligner::set_band(size_t width) {
  const auto rows = static_cast<int64_t>(gold_->characters.size());
  const auto columns = static_cast<int64_t>(test_->characters.size());
  const auto reach = static_cast<int64_t>(width);
  const int64_t below = std::min<int64_t>(0, columns - rows) - reach;
  const int64_t above = std::max<int64_t>(0, columns - rows) + reach;
  band_.low.resize(static_cast<size_t>(rows) + 1);
  band_.high.resize(static_cast<size_t>(rows) + 1);
  band_.begin.resize(static_cast<size_t>(rows) + 1);
  band_.cells = 0;
  for (int64_t row = 0; row <= rows; ++row) {
    const auto at = static_cast<size_t>(row);
    band_.low[at] = static_cast<uint32_t>(std::max<int64_t>(0, row + below));
    band_.high[at] = static_cast<uint32_t>(std::min<int64_t>(columns, row + above) + 1);
    band_.begin[at] = band_.cells;
    band_.cells += band_.high[at] - band_.low[at];
  }
}

int32_t SegmentAligner::fill_forward() {
  resize_alone(forward_, band_.cells);
  const std::vector<uint32_t>&a = gold_->characters, &b = test_->characters;
  for (size_t row = 0; row <= a.size(); ++row) {
    if (row % 256 == 0 && poll_) poll_();
    const size_t low = band_.low[row], high = band_.high[row];
    int32_t* now = forward_.data() + band_.begin[row];
    if (row == 0) {
      for (size_t column = low; column < high; ++column) now[column - low] = static_cast<int32_t>(column);
      continue;
    }
    const size_t above_low = band_.low[row - 1], above_high = band_.high[row - 1];
    const int32_t* above = forward_.data() + band_.begin[row - 1];
    int32_t left = kFar;
    for (size_t column = low; column < high; ++column) {
      int32_t best = left + 1;
      if (column < above_high) best = std::min(best, above[column - above_low] + 1);
      if (column > above_low)  // the cell above to the left is in its row
        best = std::min(best, above[column - 1 - above_low] + (a[row - 1] == b[column - 1] ? 0 : 1));
      now[column - low] = left = best;
    }
  }
  return forward_.back();
}

void SegmentAligner::fill_backward() {
  resize_alone(backward_, band_.cells);
  std::ranges::fill(backward_, kFar);
  const std::vector<uint32_t>&a = gold_->characters, &b = test_->characters;
  backward_.back() = 0;
  for (size_t row = a.size() + 1; row-- > 0;) {
    if (row % 256 == 0 && poll_) poll_();
    const size_t low = band_.low[row], high = band_.high[row];
    int32_t* now = backward_.data() + band_.begin[row];
    const bool last = row == a.size();
    const size_t below_low = last ? 0 : band_.low[row + 1], below_high = last ? 0 : band_.high[row + 1];
    const int32_t* below = last ? nullptr : backward_.data() + band_.begin[row + 1];
    int32_t right = kFar;
    for (size_t column = high; column-- > low;) {
      int32_t best = std::min(now[column - low], right + 1);
      if (column >= below_low && column < below_high) best = std::min(best, below[column - below_low] + 1);
      if (column + 1 >= below_low && column + 1 < below_high)
        best = std::min(best, below[column + 1 - below_low] + (a[row] == b[column] ? 0 : 1));
      now[column - low] = right = best;
    }
  }
}

// The range in each row of the cells on paths of at most `most` edits.
void SegmentAligner::find_live(int32_t most) {
  const size_t rows = gold_->characters.size() + 1;
  live_.low.assign(rows, 0);
  live_.high.assign(rows, 0);
  live_.begin.assign(rows, 0);
  live_.cells = 0;
  for (size_t row = 0; row < rows; ++row) {
    const size_t begin = band_.begin[row], size = band_.high[row] - band_.low[row];
    size_t first = 0, end = size;
    while (first < size && forward_[begin + first] + backward_[begin + first] > most) ++first;
    while (end > first && forward_[begin + end - 1] + backward_[begin + end - 1] > most) --end;
    live_.low[row] = static_cast<uint32_t>(band_.low[row] + first);
    live_.high[row] = static_cast<uint32_t>(band_.low[row] + end);
    live_.begin[row] = live_.cells;
    live_.cells += end - first;
  }
}

// The least cost of the rest after each cell, from each state.
void SegmentAligner::fill_values(const SegmentCosts& costs) {
  const Step step(costs);
  resize_alone(values_, live_.cells * kStates);
  std::ranges::fill(values_, kNever);
  values_[live_.cells * kStates - kStates + kCut] = 0;
  const std::vector<uint32_t>&a = gold_->characters, &b = test_->characters;
  const auto give = [&](const Transitions& transitions, const int64_t* value, size_t row, size_t column) {
    if (!live_.has(row, column)) return;
    int64_t* before = values_.data() + live_.at(row, column) * kStates;
    for (const Transition& each : transitions) least(before[each.from], each.cost + value[each.to]);
  };
  for (size_t row = a.size() + 1; row-- > 0;) {
    if (row % 256 == 0 && poll_) poll_();
    const bool gold_here = gold_boundary_[row] != kInside;
    const bool gold_before = row > 0 && gold_boundary_[row - 1] != kInside;
    for (size_t column = live_.high[row]; column-- > live_.low[row];) {
      int64_t* value = values_.data() + live_.at(row, column) * kStates;
      const bool test_here = test_boundary_[column] != kInside;
      const bool test_before = column > 0 && test_boundary_[column - 1] != kInside;
      if (gold_here && test_here && value[kCut] < kNever) {
        least(value[kEqual], value[kCut] - kGroup - step.equal_group);
        least(value[kUnequal], value[kCut] - kGroup);
        value[kGoldLeft] = value[kTestLeft] = value[kCut];
      }
      if (row > 0) give(deletion(step, gold_before, gold_before && test_here, costs.leave_out), value, row - 1, column);
      if (column > 0)
        give(insertion(step, test_before, gold_here && test_before, costs.leave_out), value, row, column - 1);
      if (row > 0 && column > 0)
        give(pairing(step, a[row - 1] == b[column - 1], gold_before, test_before), value, row - 1, column - 1);
    }
  }
}

void SegmentAligner::read_groups(const SegmentCosts& costs, std::vector<SegmentGroup>& groups) {
  reached_.assign(live_.cells, 0);
  size_t gold = 0, test = 0;
  while (gold < gold_->size() || test < test_->size()) {
    const SegmentGroup group = smallest_group(gold, test, costs);
    groups.push_back(group);
    gold += group.gold;
    test += group.test;
  }
}

// The next group on a path of least cost, from these segments on.
SegmentGroup SegmentAligner::smallest_group(size_t gold, size_t test, const SegmentCosts& costs) {
  const size_t gold_rest = gold_->size() - gold, test_rest = test_->size() - test;
  for (size_t most = 2; gold_rest > 0 && test_rest > 0; most *= 2) {
    const size_t gold_most = std::min(gold_rest, most - 1), test_most = std::min(test_rest, most - 1);
    const SegmentGroup found =
        next_group(gold, test, static_cast<uint32_t>(gold_most), static_cast<uint32_t>(test_most), costs);
    const bool all = gold_most == gold_rest && test_most == test_rest;
    if (found.gold > 0 && (found.gold + found.test <= most || all)) return found;
    if (all) break;
  }
  const size_t row = gold_->begin_of(gold), column = test_->begin_of(test);
  const int64_t value = values_[live_.at(row, column) * kStates + kCut];
  if (test_rest > 0) {
    const size_t end = test_->ends[test];
    const int64_t cost = (static_cast<int64_t>(end - column) * costs.edit) << kCostShift;
    if (live_.has(row, end) && cost + values_[live_.at(row, end) * kStates + kCut] == value) return {0, 1};
  }
  assert(gold_rest > 0);
  return {1, 0};
}

// The smallest group that begins with these segments, has at most this many, and is on a path of least cost; {0, 0} if
// there is none.
SegmentGroup SegmentAligner::next_group(size_t gold, size_t test, uint32_t gold_most, uint32_t test_most,
                                        const SegmentCosts& costs) {
  const Step step(costs);
  const std::vector<uint32_t>&a = gold_->characters, &b = test_->characters;
  const size_t first_row = gold_->begin_of(gold), last_row = gold_->ends[gold + gold_most - 1];
  const size_t first_column = test_->begin_of(test), last_column = test_->ends[test + test_most - 1];
  SegmentGroup best{0, 0};
  const auto take = [&](const Transitions& transitions, size_t from, size_t row, size_t column) {
    if (row > last_row || column > last_column || !live_.has(row, column)) return;
    const size_t to = live_.at(row, column);
    for (const Transition& each : transitions) {
      if (each.to == kGoldLeft || each.to == kTestLeft || !(reached_[from] >> each.from & 1)) continue;
      if (values_[from * kStates + each.from] == each.cost + values_[to * kStates + each.to])
        reached_[to] = static_cast<uint8_t>(reached_[to] | 1 << each.to);
    }
  };
  reached_[live_.at(first_row, first_column)] = 1 << kCut;
  for (size_t row = first_row; row <= last_row; ++row) {
    const size_t low = std::max<size_t>(live_.low[row], first_column);
    const size_t high = std::min<size_t>(live_.high[row], last_column + 1);
    for (size_t column = low; column < high; ++column) {
      const size_t cell = live_.at(row, column);
      if (reached_[cell] == 0) continue;
      const bool gold_here = gold_boundary_[row] != kInside, test_here = test_boundary_[column] != kInside;
      if (gold_here && test_here) {
        const int64_t* value = values_.data() + cell * kStates;
        const bool cut = (reached_[cell] >> kEqual & 1 && value[kEqual] == value[kCut] - kGroup - step.equal_group) ||
                         (reached_[cell] >> kUnequal & 1 && value[kUnequal] == value[kCut] - kGroup);
        const SegmentGroup group{gold_boundary_[row] - static_cast<uint32_t>(gold),
                                 test_boundary_[column] - static_cast<uint32_t>(test)};
        if (cut && (best.gold == 0 || group.gold + group.test < best.gold + best.test ||
                    (group.gold + group.test == best.gold + best.test && group.gold < best.gold)))
          best = group;
      }
      const bool both = gold_here && test_here;
      take(deletion(step, gold_here, both, false), cell, row + 1, column);
      take(insertion(step, test_here, both, false), cell, row, column + 1);
      if (row < a.size() && column < b.size())
        take(pairing(step, a[row] == b[column], gold_here, test_here), cell, row + 1, column + 1);
    }
  }
  for (size_t row = first_row; row <= last_row; ++row) {
    const size_t low = std::max<size_t>(live_.low[row], first_column);
    const size_t high = std::min<size_t>(live_.high[row], last_column + 1);
    if (low < high) std::fill_n(reached_.begin() + static_cast<ptrdiff_t>(live_.at(row, low)), high - low, uint8_t{0});
  }
  return best;
}

int64_t SegmentAligner::distance(std::span<const uint32_t> a, std::span<const uint32_t> b, int64_t most) {
  for (int64_t tried = 16;; tried *= 4) {  // similar texts need only a narrow band
    const int64_t found = distance_in_band(a, b, std::min(tried, most));
    if (found <= tried || tried >= most) return found;
  }
}

int64_t SegmentAligner::distance_in_band(std::span<const uint32_t> a, std::span<const uint32_t> b, int64_t most) {
  while (!a.empty() && !b.empty() && a.front() == b.front()) a = a.subspan(1), b = b.subspan(1);
  while (!a.empty() && !b.empty() && a.back() == b.back()) a = a.first(a.size() - 1), b = b.first(b.size() - 1);
  if (a.size() > b.size()) std::swap(a, b);
  const auto rows = static_cast<int64_t>(a.size()), columns = static_cast<int64_t>(b.size());
  if (columns - rows > most) return most + 1;
  if (rows == 0) return columns;
  most = std::min(most, columns);
  const int64_t reach = (most - (columns - rows)) / 2;
  row_.assign(b.size() + 2, kFar);
  for (int64_t column = 0; column <= std::min(columns, columns - rows + reach); ++column)
    row_[static_cast<size_t>(column)] = static_cast<int32_t>(column);
  for (int64_t row = 1; row <= rows; ++row) {
    if (row % 256 == 0 && poll_) poll_();
    const int64_t low = std::max<int64_t>(0, row - reach), high = std::min(columns, row + columns - rows + reach);
    int32_t diagonal = low > 0 ? row_[static_cast<size_t>(low - 1)] : kFar;
    int32_t left = kFar, least_here = kFar;
    for (int64_t column = low; column <= high; ++column) {
      const auto at = static_cast<size_t>(column);
      int32_t best = std::min(left, row_[at]) + 1;
      if (column > 0) best = std::min(best, diagonal + (a[static_cast<size_t>(row - 1)] == b[at - 1] ? 0 : 1));
      diagonal = row_[at];
      row_[at] = left = best;
      least_here = std::min(least_here, best);
    }
    if (low > 0) row_[static_cast<size_t>(low - 1)] = kFar;
    if (least_here > most) return most + 1;
  }
  return std::min<int64_t>(row_[b.size()], most + 1);
}

}  // namespace treescore
