// The best chain of pairs so far, for every last column that it may use.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>

#include "fixed_point.hpp"

namespace treescore {

// The value of the best chain as a function of the last column that it may use: breakpoints with increasing columns and
// values. Linked breakpoints also have the number of the pair that added them.
template <bool kLinked>
class Staircase {
 public:
  Staircase(int32_t* columns, Weight* values, int32_t* links, int32_t before)
      : columns_(columns), values_(values), links_(links) {
    columns_[0] = before;
    values_[0] = 0;
    if constexpr (kLinked) links_[0] = -1;
  }
  Weight last() const { return values_[top_]; }
  int32_t size() const { return top_ + 1; }
  int32_t last_link() const { return links_[top_]; }
  uint64_t take_moves() { return std::exchange(moves_, 0); }  // of breakpoints, since the last call
  Weight at(int32_t column) const { return values_[place(column)]; }
  int32_t link_at(int32_t column) const { return links_[place(column)]; }
  std::pair<Weight, int32_t> with_link_at(int32_t column) const {
    const int32_t at = place(column);
    return {values_[at], links_[at]};
  }

  // The same, starting at an earlier breakpoint, which advances to the one for this column.
  Weight at(int32_t column, int32_t& from) const {
    while (from < top_ && columns_[from + 1] <= column) ++from;
    return values_[from];
  }

  // Inserts many values in ascending columns in one pass. `accepts` is called with the number of a value and the best
  // value so far up to its column, and must not accept a smaller one. `old` is a copy of this staircase.
  template <class Accepts>
  void merge(const Staircase& old, std::span<const int32_t> columns, std::span<const Weight> values, Accepts accepts) {
    static_assert(!kLinked);
    size_t next = 0;
    top_ = -1;
    moves_ += static_cast<uint32_t>(old.size());
    const auto push = [&](int32_t column, Weight value) {
      if (top_ < 0 || columns_[top_] != column) ++top_;
      columns_[top_] = column;
      values_[top_] = value;
    };
    for (int32_t known = 0; known < old.size() || next < columns.size();) {
      if (known < old.size() && (next == columns.size() || old.columns_[known] <= columns[next])) {
        if (top_ < 0 || old.values_[known] > values_[top_]) push(old.columns_[known], old.values_[known]);
        ++known;
      } else {
        if (accepts(next, values_[top_])) push(columns[next], values[next]);
        ++next;
      }
    }
  }
  Staircase copy(int32_t* columns, Weight* values) const {
    Staircase other(columns, values, nullptr, 0);
    std::copy_n(columns_, size(), columns);
    std::copy_n(values_, size(), values);
    other.top_ = top_;
    return other;
  }

  void insert(int32_t column, Weight value, int32_t link = -1) {
    int32_t to = place(column);
    if (values_[to] >= value) return;
    if (columns_[to] != column) ++to;
    const int32_t top = top_;
    int32_t kept = to;  // the first breakpoint with a greater value
    while (kept <= top && values_[kept] <= value) ++kept;
    moves_ += static_cast<uint32_t>(top - to + 1);
    if (kept == to) {
      for (int32_t z = top; z >= to; --z) move(z, z + 1);
      top_ = top + 1;
    } else if (kept > to + 1) {
      for (int32_t z = kept, free = to + 1; z <= top; ++z, ++free) move(z, free);
      top_ = top - (kept - to - 1);
    }
    columns_[to] = column;
    values_[to] = value;
    if constexpr (kLinked) links_[to] = link;
  }

 private:
  // The last breakpoint up to this column: usually a few steps from the end, otherwise found by bisection.
  int32_t place(int32_t column) const {
    const int32_t* const columns = columns_;
    int32_t high = top_;
    for (int step = 0; step < 8; ++step, --high)
      if (columns[high] <= column) return high;
    int32_t low = 0;
    while (low < high) {
      const int32_t middle = (low + high + 1) >> 1;
      if (columns[middle] <= column)
        low = middle;
      else
        high = middle - 1;
    }
    return low;
  }
  void move(int32_t from, int32_t to) {
    columns_[to] = columns_[from];
    values_[to] = values_[from];
    if constexpr (kLinked) links_[to] = links_[from];
  }

  int32_t* columns_;
  Weight* values_;
  int32_t* links_;
  int32_t top_ = 0;
  uint64_t moves_ = 0;
};

}  // namespace treescore
