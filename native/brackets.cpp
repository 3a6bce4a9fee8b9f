#include "brackets.hpp"

#include <algorithm>
#include <functional>
#include <numeric>
#include <queue>

namespace treescore {
namespace {

bool before(const Bracket& a, const Bracket& b) { return a.start != b.start ? a.start < b.start : a.end > b.end; }

bool same_span(const Bracket& a, const Bracket& b) { return a.start == b.start && a.end == b.end; }

bool cross(const Bracket& a, const Bracket& b) {
  return (a.start < b.start && b.start < a.end && a.end < b.end) ||
         (b.start < a.start && a.start < b.end && b.end < a.end);
}

}  // namespace

KeyPairs::KeyPairs(const std::vector<std::pair<uint32_t, uint32_t>>& pairs) {
  for (const auto& [a, b] : pairs) {
    partners_.resize(std::max<size_t>(partners_.size(), static_cast<size_t>(std::max(a, b)) + 1));
    partners_[a].push_back(b);
    partners_[b].push_back(a);
  }
}

std::span<const uint32_t> KeyPairs::partners(uint32_t key) const {
  return key < partners_.size() ? std::span<const uint32_t>(partners_[key]) : std::span<const uint32_t>();
}

bool KeyPairs::equal(uint32_t a, uint32_t b) const {
  if (a == b) return true;
  const auto others = partners(a);
  return std::find(others.begin(), others.end(), b) != others.end();
}

void innermost_cut(std::span<const Bracket> nested, int32_t last, std::vector<int32_t>& left,
                   std::vector<int32_t>& right, std::vector<size_t>& open) {
  left.assign(static_cast<size_t>(last) + 1, -1);
  right.assign(static_cast<size_t>(last) + 1, last + 1);
  open.clear();
  size_t next = 0;
  for (int32_t x = 0; x <= last; ++x) {
    while (!open.empty() && nested[open.back()].end <= x) open.pop_back();
    if (!open.empty()) {
      left[static_cast<size_t>(x)] = nested[open.back()].start;
      right[static_cast<size_t>(x)] = nested[open.back()].end;
    }
    for (; next < nested.size() && nested[next].start == x; ++next) open.push_back(next);
  }
}

namespace {

// For each boundary, the least end of the brackets that it cuts, whether or not they cross each other.
void least_ends(std::span<const Bracket> brackets, int32_t last, std::vector<int32_t>& right) {
  std::priority_queue<int32_t, std::vector<int32_t>, std::greater<>> ends;
  size_t next = 0;
  for (int32_t x = 0; x <= last; ++x) {
    while (!ends.empty() && ends.top() <= x) ends.pop();
    if (!ends.empty()) right[static_cast<size_t>(x)] = ends.top();
    for (; next < brackets.size() && brackets[next].start == x; ++next) ends.push(brackets[next].end);
  }
}

}  // namespace

// The brackets of a tree are sorted as they open; only unbalanced input needs the copy.
BracketMatcher::Sorted BracketMatcher::sorted(std::span<const Bracket> brackets, Side& side) {
  side.was_sorted = std::is_sorted(brackets.begin(), brackets.end(), before);
  if (side.was_sorted) return brackets;
  side.number.resize(brackets.size());
  std::iota(side.number.begin(), side.number.end(), 0u);
  std::stable_sort(side.number.begin(), side.number.end(),
                   [&](uint32_t a, uint32_t b) { return before(brackets[a], brackets[b]); });
  side.brackets.clear();
  for (const uint32_t number : side.number) side.brackets.push_back(brackets[number]);
  return side.brackets;
}

template <class OnGroup>
void BracketMatcher::same_spans(Sorted gold, Sorted test, OnGroup&& on_group) {
  size_t i = 0, j = 0;
  while (i < gold.size() && j < test.size()) {
    if (before(gold[i], test[j])) {
      ++i;
    } else if (before(test[j], gold[i])) {
      ++j;
    } else {
      size_t i_end = i + 1, j_end = j + 1;
      while (i_end < gold.size() && same_span(gold[i], gold[i_end])) ++i_end;
      while (j_end < test.size() && same_span(test[j], test[j_end])) ++j_end;
      on_group(i, i_end, j, j_end);
      i = i_end;
      j = j_end;
    }
  }
}

size_t BracketMatcher::match(Sorted gold, Sorted test, const KeyPairs& pairs, Result& result) {
  size_t test_without_partner = test.size();
  same_spans(gold, test, [&](size_t i, size_t i_end, size_t j, size_t j_end) {
    test_without_partner -= j_end - j;
    result.unlabelled += static_cast<int32_t>(std::min(i_end - i, j_end - j));
    if (i_end - i == 1 && j_end - j == 1)
      result.matched += pairs.equal(gold[i].key, test[j].key);
    else
      result.matched += pair_group(gold.subspan(i, i_end - i), test.subspan(j, j_end - j), pairs, nullptr);
  });
  return test_without_partner;
}

BracketMatcher::Result BracketMatcher::count(std::span<const Bracket> gold_brackets,
                                             std::span<const Bracket> test_brackets, const KeyPairs& pairs,
                                             bool nested) {
  const Sorted gold = sorted(gold_brackets, gold_), test = sorted(test_brackets, test_);
  Result result{0, 0, 0};
  const size_t test_without_partner = match(gold, test, pairs, result);
  const auto proper = [](const Bracket& bracket) { return bracket.start < bracket.end; };
  if (!nested && !(std::ranges::all_of(gold, proper) && std::ranges::all_of(test, proper)))
    result.crossing = static_cast<int32_t>(std::count_if(test.begin(), test.end(), [&](const Bracket& bracket) {
      return std::any_of(gold.begin(), gold.end(), [&](const Bracket& other) { return cross(bracket, other); });
    }));
  else if (!nested || test_without_partner > 0)  // a bracket that gold has too crosses no gold bracket
    result.crossing = crossing(gold, test, nested);
  return result;
}

BracketMatcher::Result BracketMatcher::count_equal(std::span<const Bracket> gold, std::span<const Bracket> test,
                                                   const KeyPairs& pairs) {
  Result result{0, 0, 0};
  match(sorted(gold, gold_), sorted(test, test_), pairs, result);
  return result;
}

std::span<const int32_t> BracketMatcher::pair_up(std::span<const Bracket> gold_brackets,
                                                 std::span<const Bracket> test_brackets, const KeyPairs& pairs) {
  const Sorted gold = sorted(gold_brackets, gold_), test = sorted(test_brackets, test_);
  partner_.assign(gold.size(), -1);
  same_spans(gold, test, [&](size_t i, size_t i_end, size_t j, size_t j_end) {
    group_partner_.assign(i_end - i, -1);
    pair_group(gold.subspan(i, i_end - i), test.subspan(j, j_end - j), pairs, group_partner_.data());
    for (size_t k = i; k < i_end; ++k) {
      if (group_partner_[k - i] < 0) continue;
      const size_t found = j + static_cast<size_t>(group_partner_[k - i]);
      partner_[gold_.was_sorted ? k : gold_.number[k]] =
          static_cast<int32_t>(test_.was_sorted ? found : test_.number[found]);
    }
  });
  return partner_;
}

// Brackets of one span are paired in order.
int32_t BracketMatcher::pair_group(Sorted gold, Sorted test, const KeyPairs& pairs, int32_t* partner) {
  int32_t matched = 0;
  if (gold.size() * test.size() <= 256) {
    taken_.assign(test.size(), 0);
    for (size_t i = 0; i < gold.size(); ++i)
      for (size_t j = 0; j < test.size(); ++j)
        if (!taken_[j] && pairs.equal(gold[i].key, test[j].key)) {
          taken_[j] = 1;
          ++matched;
          if (partner) partner[i] = static_cast<int32_t>(j);
          break;
        }
    return matched;
  }
  // Long unary chains: one queue of free test brackets per key, side by side in by_key_.
  by_key_.resize(test.size());
  std::iota(by_key_.begin(), by_key_.end(), 0u);
  std::stable_sort(by_key_.begin(), by_key_.end(), [&](uint32_t a, uint32_t b) { return test[a].key < test[b].key; });
  head_.assign(test.size(), 0);  // at the first place of a queue: how many of its entries are taken
  const auto queue = [&](uint32_t key) {
    return static_cast<size_t>(std::lower_bound(by_key_.begin(), by_key_.end(), key,
                                                [&](uint32_t a, uint32_t wanted) { return test[a].key < wanted; }) -
                               by_key_.begin());
  };
  for (size_t i = 0; i < gold.size(); ++i) {
    size_t best_queue = test.size();
    uint32_t best = 0;
    const auto look = [&](uint32_t key) {
      const size_t first = queue(key);
      if (first == test.size() || test[by_key_[first]].key != key) return;
      const size_t place = first + head_[first];
      if (place >= test.size() || test[by_key_[place]].key != key) return;
      if (best_queue == test.size() || by_key_[place] < best) {
        best_queue = first;
        best = by_key_[place];
      }
    };
    look(gold[i].key);
    for (const uint32_t key : pairs.partners(gold[i].key)) look(key);
    if (best_queue == test.size()) continue;
    ++head_[best_queue];
    ++matched;
    if (partner) partner[i] = static_cast<int32_t>(best);
  }
  return matched;
}

// Of the gold brackets [a, b) that a boundary x cuts (a < x < b), let one begin last and one end first; where brackets
// are nested, that is the innermost one. A test bracket [s, e) crosses some gold bracket exactly if one cut by s ends
// before e, or one cut by e begins after s. One sweep finds them all.
void BracketMatcher::find_cuts(Sorted gold, std::span<const Bracket> test, bool nested) {
  int32_t last = 0;
  for (const Bracket& bracket : gold) last = std::max(last, bracket.end);
  for (const Bracket& bracket : test) last = std::max(last, std::max(bracket.start, bracket.end));
  innermost_cut(gold, last, left_, right_, open_);
  if (!nested) least_ends(gold, last, right_);
}

bool BracketMatcher::is_cut(const Bracket& bracket) const {
  return bracket.end > bracket.start && (right_[static_cast<size_t>(bracket.start)] < bracket.end ||
                                         left_[static_cast<size_t>(bracket.end)] > bracket.start);
}

int32_t BracketMatcher::crossing(Sorted gold, Sorted test, bool nested) {
  find_cuts(gold, test, nested);
  return static_cast<int32_t>(std::ranges::count_if(test, [&](const Bracket& bracket) { return is_cut(bracket); }));
}

void BracketMatcher::mark_crossing(std::span<const Bracket> others, std::span<const Bracket> brackets, bool nested,
                                   std::vector<uint8_t>& out) {
  find_cuts(sorted(others, gold_), brackets, nested);
  out.resize(brackets.size());
  std::ranges::transform(brackets, out.begin(), [&](const Bracket& bracket) { return is_cut(bracket); });
}

}  // namespace treescore
