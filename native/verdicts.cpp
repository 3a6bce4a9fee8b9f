#include "verdicts.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <memory>
#include <span>
#include <utility>

#include "tree_order.hpp"

namespace treescore {
namespace {

constexpr size_t kBlock = 16;  // pairs that a thread takes at once

Verdict alone(int32_t side, int32_t number, double start, double end) {
  Verdict made;
  made.side = side;
  made.number = number;
  made.start = start;
  made.end = end;
  return made;
}

// Fills in which nodes of a pair cross nodes of the other side; both sides are nested. Only the order of the places
// matters for that, so brackets over their numbers are sufficient.
void mark_crossing(std::span<Verdict> gold, std::span<Verdict> test) {
  std::vector<double> places;
  for (const auto nodes : {gold, test})
    for (const Verdict& node : nodes) places.insert(places.end(), {node.start, node.end});
  std::sort(places.begin(), places.end());
  const auto number = [&](double place) {
    return static_cast<int32_t>(std::lower_bound(places.begin(), places.end(), place) - places.begin());
  };
  const auto brackets = [&](std::span<const Verdict> nodes) {
    std::vector<Bracket> found;
    for (const Verdict& node : nodes) found.push_back({number(node.start), number(node.end), 0});
    return found;
  };
  const std::vector<Bracket> of_gold = brackets(gold), of_test = brackets(test);
  BracketMatcher matcher;
  std::vector<uint8_t> marks;
  matcher.mark_crossing(of_test, of_gold, true, marks);
  for (size_t node = 0; node < gold.size(); ++node) gold[node].crossing = marks[node];
  matcher.mark_crossing(of_gold, of_test, true, marks);
  for (size_t node = 0; node < test.size(); ++node) test[node].crossing = marks[node];
}

// The smallest of some nested nodes around each of some short intervals, strictly; null if there is none. All are
// visited from left to right.
class SmallestAround {
 public:
  explicit SmallestAround(std::span<const Verdict> nodes) {
    for (const Verdict& node : nodes) waiting_.push_back(&node);
    std::sort(waiting_.begin(), waiting_.end(), [](const Verdict* a, const Verdict* b) {
      return std::pair(a->start, -a->end) < std::pair(b->start, -b->end);
    });
  }

  // The start must not decrease from one call to the next.
  const Verdict* around(double start, double end) {
    for (; next_ < waiting_.size() && waiting_[next_]->start < start; ++next_) {
      while (!open_.empty() && open_.back()->end < waiting_[next_]->end) open_.pop_back();
      open_.push_back(waiting_[next_]);
    }
    const auto first_within =
        std::partition_point(open_.begin(), open_.end(), [&](const Verdict* node) { return node->end > end; });
    return first_within == open_.begin() ? nullptr : *std::prev(first_within);
  }

 private:
  std::vector<const Verdict*> waiting_, open_;  // open ones by falling end
  size_t next_ = 0;
};

// Removes the marks of nodes that cross nodes of the other side by at most `tolerance` at some boundary.
void tolerate_crossing(std::span<Verdict> nodes, std::span<const Verdict> others, double tolerance) {
  std::vector<std::pair<double, Verdict*>> boundaries;
  for (Verdict& node : nodes)
    if (std::exchange(node.crossing, 0)) boundaries.insert(boundaries.end(), {{node.start, &node}, {node.end, &node}});
  std::sort(boundaries.begin(), boundaries.end());
  SmallestAround others_around(others);
  for (const auto& [boundary, node] : boundaries) {
    const Verdict* other = others_around.around(boundary - tolerance, boundary + tolerance);
    if (other == nullptr) continue;
    if (boundary == node->start && other->end < node->end - tolerance) node->crossing = 1;
    if (boundary == node->end && other->start > node->start + tolerance) node->crossing = 1;
  }
}

}  // namespace

// ---- STRUCT-IOU

void StructIouScorer::append_verdicts(const StructIouRow& row, std::vector<Verdict>& out) {
  if (!aligned_) return;
  const size_t first = out.size();
  std::vector<Aligned> pairs;
  append_alignment(pairs);
  size_t begin = first;
  for (const int32_t side : {0, 1}) {
    const IntervalTree& tree = side == 0 ? gold_ : test_;
    begin = out.size();
    for (int32_t node = 0; node < tree.size(); ++node)
      if (tree.nodes[node].label != IntervalTree::kUnmatched)
        out.push_back(alone(side, tree.nodes[node].number, tree.nodes[node].start, tree.nodes[node].end));
    if (side == 0 || row.reason != reason::kTestFault)
      for (const Placer::Silent& node : (side == 0 ? gold_placer_ : test_placer_).silent())
        out.push_back(alone(side, node.number, node.time, node.time));
    std::sort(out.begin() + static_cast<ptrdiff_t>(begin), out.end(),
              [](const Verdict& a, const Verdict& b) { return a.number < b.number; });
    const auto of = [&](int32_t number) -> Verdict& {
      return *std::lower_bound(out.begin() + static_cast<ptrdiff_t>(begin), out.end(), number,
                               [](const Verdict& node, int32_t wanted) { return node.number < wanted; });
    };
    for (const Aligned& pair : pairs) {
      Verdict& node = of(side == 0 ? pair.gold : pair.test);
      node.partner = side == 0 ? pair.test : pair.gold;
      node.iou = pair.iou;
    }
  }
  const std::span all(out.data() + first, out.size() - first);
  const auto of_gold = all.first(begin - first), of_test = all.subspan(begin - first);
  mark_crossing(of_gold, of_test);
  if (rules_.axis == Axis::kSeconds && rules_.crossing > 0) {
    tolerate_crossing(of_gold, of_test, rules_.crossing);
    tolerate_crossing(of_test, of_gold, rules_.crossing);
  }
}

void judge_all(const Columns& gold, size_t gold_begin, const Columns& test, size_t test_begin, size_t count,
               const StructIouRules& rules, unsigned threads, std::vector<Verdict>& out, std::vector<int64_t>& ends,
               Progress* progress) {
  collect_in_parallel(count, kBlock, threads, progress, out, ends, [&](const std::function<void()>& poll) {
    return [&, scorer = std::make_unique<StructIouScorer>(rules, poll)](size_t pair, std::vector<Verdict>& found) {
      const StructIouRow row = scorer->score(gold, gold_begin + pair, test, test_begin + pair);
      scorer->append_verdicts(row, found);
      scorer->release();
    };
  });
}

// ---- PARSEVAL

void ParsevalScorer::append_verdicts(const ParsevalRow& row, std::vector<Verdict>& out) {
  if (!row.valid) return;
  compared();
  const auto partner = matcher_.pair_up(gold_.brackets, test_.brackets, rules_.equal_labels);
  const std::array<OpeningNumbers, 2> numbers{OpeningNumbers(gold_.tree), OpeningNumbers(test_.tree)};
  const size_t first = out.size(), count = gold_.node.size();
  for (const Side* side : {&gold_, &test_})
    for (const uint32_t phrase : side->node) {
      const Node& node = side->tree.nodes[phrase];
      const bool is_test = side == &test_;
      // Where spans represent sets of words, the place of a phrase is its extent.
      const auto words_before = [&](int32_t leaf) {
        const auto next = std::lower_bound(side->kept.begin(), side->kept.end(), static_cast<uint32_t>(leaf));
        return static_cast<int32_t>(next - side->kept.begin());
      };
      const auto [start, end] =
          by_sets_ ? std::pair(words_before(node.first), words_before(node.end)) : side->span[phrase];
      out.push_back(
          alone(is_test, numbers[is_test].phrases[phrase], static_cast<double>(start), static_cast<double>(end)));
    }
  for (size_t bracket = 0; bracket < count; ++bracket) {
    if (partner[bracket] < 0) continue;
    Verdict &mine = out[first + bracket], &other = out[first + count + static_cast<size_t>(partner[bracket])];
    mine.partner = other.number;
    other.partner = mine.number;
    mine.iou = other.iou = 1;
  }
  std::array<std::vector<uint8_t>, 2> crossing;
  mark_crossing(crossing);
  for (size_t bracket = 0; bracket < out.size() - first; ++bracket)
    out[first + bracket].crossing = bracket < count ? crossing[0][bracket] : crossing[1][bracket - count];
}

void judge_all(const Columns& gold, size_t gold_begin, const Columns& test, size_t test_begin, size_t count,
               const ParsevalRules& rules, unsigned threads, std::vector<Verdict>& out, std::vector<int64_t>& ends,
               Progress* progress) {
  collect_in_parallel(count, kBlock, threads, progress, out, ends, [&](const std::function<void()>& poll) {
    return [&, poll, scorer = std::make_unique<ParsevalScorer>(rules)](size_t pair, std::vector<Verdict>& found) {
      const ParsevalRow row = scorer->score(gold, gold_begin + pair, test, test_begin + pair);
      poll();  // since some pairs take long
      scorer->append_verdicts(row, found);
    };
  });
}

}  // namespace treescore
