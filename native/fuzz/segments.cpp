// Groups of segments of two texts: they cost as little as those of a plain table.
#include "../segments.hpp"

#include <algorithm>

#include "fuzz.hpp"

using namespace treescore;
using namespace treescore::fuzz;

namespace {

SegmentedText take_text(Input& input) {
  SegmentedText text;
  for (uint32_t count = input.below(9); count > 0; --count) {
    for (uint32_t length = 1 + input.below(5); length > 0; --length) text.characters.push_back('a' + input.below(4));
    text.ends.push_back(static_cast<uint32_t>(text.characters.size()));
  }
  return text;
}

int64_t edit_distance(std::span<const uint32_t> a, std::span<const uint32_t> b) {
  std::vector<int64_t> row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) row[j] = static_cast<int64_t>(j);
  for (size_t i = 0; i < a.size(); ++i) {
    int64_t diagonal = row[0]++;
    for (size_t j = 0; j < b.size(); ++j) {
      const int64_t above = row[j + 1];
      row[j + 1] = std::min({above + 1, row[j] + 1, diagonal + (a[i] != b[j])});
      diagonal = above;
    }
  }
  return row.back();
}

// The cost of a group, or of segments left out.
int64_t cost_of(const SegmentedText& gold, size_t i, size_t gold_count, const SegmentedText& test, size_t j,
                size_t test_count, const SegmentCosts& costs) {
  const int64_t edits = edit_distance(gold.range(i, i + gold_count), test.range(j, j + test_count));
  const bool is_group = gold_count > 0 && test_count > 0;
  return costs.edit * edits + (is_group ? costs.extra * static_cast<int64_t>(gold_count + test_count - 2) : 0);
}

int64_t plain_cost(const SegmentedText& gold, const SegmentedText& test, const SegmentCosts& costs) {
  std::vector<std::vector<int64_t>> least(gold.size() + 1, std::vector<int64_t>(test.size() + 1, INT64_MAX / 2));
  least[0][0] = 0;
  for (size_t i = 0; i <= gold.size(); ++i)
    for (size_t j = 0; j <= test.size(); ++j)
      for (size_t from = 0; from <= i; ++from)
        for (size_t test_from = 0; test_from <= j; ++test_from) {
          const bool is_group = from < i && test_from < j;
          if (!is_group && !costs.leave_out) continue;
          if (from == i && test_from == j) continue;
          const int64_t cost = cost_of(gold, from, i - from, test, test_from, j - test_from, costs);
          least[i][j] = std::min(least[i][j], least[from][test_from] + cost);
        }
  return least.back().back();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  Input input(data, size);
  SegmentCosts costs;
  costs.edit = 1 + int64_t{input.below(3)};
  costs.extra = input.below(3);
  costs.leave_out = input.flag();
  costs.count_equal = input.flag();
  const SegmentedText gold = take_text(input), test = take_text(input);
  SegmentAligner aligner([] {});
  const std::span<const uint32_t> a(gold.characters), b(test.characters);
  const int64_t distance = edit_distance(a, b), most = input.byte();
  require(aligner.distance(a, b, most) == std::min(distance, most + 1), "the distance is that of the plain table");
  if (!costs.leave_out && (gold.size() == 0 || test.size() == 0)) return 0;
  std::vector<SegmentGroup> groups;
  if (!aligner.align(gold, test, costs, size_t{1} << 20, groups)) return 0;
  size_t i = 0, j = 0;
  int64_t cost = 0;
  for (const SegmentGroup& group : groups) {
    require(costs.leave_out || (group.gold > 0 && group.test > 0), "no segment is left out");
    require(i + group.gold <= gold.size() && j + group.test <= test.size(), "groups have segments that are there");
    cost += cost_of(gold, i, group.gold, test, j, group.test, costs);
    i += group.gold;
    j += group.test;
  }
  require(i == gold.size() && j == test.size(), "every segment is in a group or left out");
  require(cost == plain_cost(gold, test, costs), "groups cost as little as those of the plain table");
  return 0;
}
