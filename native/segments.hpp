// Which segments of two texts (words of two sentences, sentences of two files) belong together, by their characters.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "memory_budget.hpp"

namespace treescore {

// Characters without blanks, and where each segment ends.
struct SegmentedText {
  std::vector<uint32_t> characters;
  std::vector<uint32_t> ends;

  size_t size() const { return ends.size(); }
  bool empty(size_t segment) const { return ends[segment] == begin_of(segment); }
  size_t begin_of(size_t segment) const { return segment == 0 ? 0 : ends[segment - 1]; }
  std::span<const uint32_t> range(size_t begin, size_t end) const {
    return std::span(characters).subspan(begin_of(begin), begin_of(end) - begin_of(begin));
  }
  void clear() {
    characters.clear();
    ends.clear();
  }
};

// The numbers of segments of each side that belong together; if one is 0, the segments of the other side are left out.
struct SegmentGroup {
  uint32_t gold, test;
  bool operator==(const SegmentGroup&) const = default;
};

struct SegmentCosts {
  int64_t edit = 1;        // of one character
  int64_t extra = 0;       // of each segment of a group beyond one on each side
  bool leave_out = false;  // whether a segment may have no partner, at the cost of deleting its characters
  bool count_equal = false;
};

// The groups of least cost; among these, the most groups, then, where `count_equal` is set, the most groups of equal
// text, then, from the left, a group before a segment left out, the group of fewest segments, and of those with fewest
// gold segments; test segments are left out before gold ones.
// No segment may be empty, and without `leave_out` there must be segments on both sides.
// Tables are within the memory budget of the process: NeverFits is thrown if one would not fit alone.
class SegmentAligner {
 public:
  explicit SegmentAligner(std::function<void()> poll) : poll_(std::move(poll)), memory_(poll_) {}

  // Appends the groups, or returns false if the table would have more than `most_cells` cells.
  bool align(const SegmentedText& gold, const SegmentedText& test, const SegmentCosts& costs, size_t most_cells,
             std::vector<SegmentGroup>& groups);

  // Unit-cost edit distance, or `most` + 1 if it is greater.
  int64_t distance(std::span<const uint32_t> a, std::span<const uint32_t> b, int64_t most);

 private:
  int64_t distance_in_band(std::span<const uint32_t> a, std::span<const uint32_t> b, int64_t most);
  struct Rows {                       // the cells of a table that are kept: a range in each row
    std::vector<uint32_t> low, high;  // [low, high)
    std::vector<size_t> begin;
    size_t cells = 0;
    size_t at(size_t row, size_t column) const { return begin[row] + column - low[row]; }
    bool has(size_t row, size_t column) const { return column >= low[row] && column < high[row]; }
  };
  bool align_once(const SegmentCosts& costs, size_t most_cells, std::vector<SegmentGroup>& groups);
  void free_memory();
  void set_band(size_t width);
  int32_t fill_forward();
  void fill_backward();
  void find_live(int32_t most);
  void fill_values(const SegmentCosts& costs);
  void read_groups(const SegmentCosts& costs, std::vector<SegmentGroup>& groups);
  SegmentGroup smallest_group(size_t row, size_t column, const SegmentCosts& costs);
  SegmentGroup next_group(size_t row, size_t column, uint32_t gold_most, uint32_t test_most, const SegmentCosts& costs);

  std::function<void()> poll_;
  MemoryClaim memory_;
  const SegmentedText *gold_ = nullptr, *test_ = nullptr;
  std::vector<uint32_t> gold_boundary_, test_boundary_;  // number of the segment that begins here, or kInside
  Rows band_, live_;
  std::vector<int32_t> forward_, backward_;
  std::vector<int64_t> values_;  // by live cell and state
  std::vector<uint8_t> reached_;
  std::vector<int32_t> row_;
};

}  // namespace treescore
