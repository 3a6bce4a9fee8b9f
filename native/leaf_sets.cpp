#include "leaf_sets.hpp"

#include <algorithm>

namespace treescore {

void LeafSets::order(const Side& side, Ordered& out) {
  word_of_leaf_.assign(side.tree.leaves.size(), -1);
  for (size_t word = 0; word < side.kept.size(); ++word) word_of_leaf_[side.kept[word]] = static_cast<int32_t>(word);
  out.rank.resize(side.kept.size());
  out.span.resize(side.tree.nodes.size());
  int32_t rank = 0;
  tree_order_.set(side.tree);
  tree_order_.walk(
      side.tree, [&](int32_t phrase) { out.span[static_cast<size_t>(phrase)].first = rank; },
      [&](int32_t leaf) {
        const int32_t word = word_of_leaf_[static_cast<size_t>(leaf)];
        if (word >= 0) out.rank[static_cast<size_t>(word)] = rank++;
      },
      [&](int32_t phrase) { out.span[static_cast<size_t>(phrase)].second = rank; });
  find_extents(side, {}, out.extent);
}

// The first and the last word of each phrase by this rank, or in the order of the sentence if there is none.
void LeafSets::find_extents(const Side& side, std::span<const int32_t> rank, std::vector<Span>& out) {
  out.assign(side.tree.nodes.size(), {INT32_MAX, -1});
  const auto widen = [&](int32_t parent, const Span& by) {
    if (parent < 0) return;
    auto& [first, last] = out[static_cast<size_t>(parent)];
    first = std::min(first, by.first);
    last = std::max(last, by.second);
  };
  const std::vector<int32_t> parents = side.tree.leaf_parents();
  for (size_t word = 0; word < side.kept.size(); ++word) {
    const int32_t place = rank.empty() ? static_cast<int32_t>(word) : rank[word];
    widen(parents[side.kept[word]], {place, place});
  }
  for (size_t phrase = side.tree.nodes.size(); phrase-- > 0;) widen(side.tree.nodes[phrase].parent, out[phrase]);
}

void LeafSets::place(const Side& gold, std::vector<Span>& gold_spans) {
  order(gold, gold_);
  gold_spans = gold_.span;
}

void LeafSets::place(const Side& gold, const Side& test, std::vector<Span>& gold_spans, std::vector<Span>& test_spans) {
  order(gold, gold_);
  order(test, test_);
  test_spans = test_.span;
  // Words that only one side has come behind those of the other one.
  for (Ordered* side : {&gold_, &test_})
    while (side->rank.size() < std::max(gold.kept.size(), test.kept.size()))
      side->rank.push_back(static_cast<int32_t>(side->rank.size()));
  gold_rank_.resize(test_.rank.size());
  for (size_t word = 0; word < test_.rank.size(); ++word)
    gold_rank_[static_cast<size_t>(test_.rank[word])] = gold_.rank[word];
  find_extents(gold, test_.rank, extent_);
  gold_spans.resize(gold.tree.nodes.size());
  for (size_t phrase = 0; phrase < gold_spans.size(); ++phrase) {
    const int32_t size = gold_.span[phrase].second - gold_.span[phrase].first, parent = gold.tree.nodes[phrase].parent;
    const auto [first, last] = extent_[phrase];
    const auto own = -1 - static_cast<int32_t>(phrase);
    if (size == 0)
      gold_spans[phrase] = {0, 0};
    else if (last - first + 1 == size)
      gold_spans[phrase] = {first, last + 1};
    else if (parent >= 0 && gold_.span[static_cast<size_t>(parent)] == gold_.span[phrase])
      gold_spans[phrase] = gold_spans[static_cast<size_t>(parent)];
    else
      gold_spans[phrase] = {own, own + size};
  }
}

// In the order of gold, a set of words is some runs, and a gold phrase crosses it exactly if it is cut by the edge of a
// run and does not hold the whole set. Of all that an edge cuts, the innermost one holds the least. So a set crosses
// nothing if the innermost phrases cut by its edges all hold it. The edges are kept for one set at a time, which grows
// from the innermost bracket outwards along the widest ones: no word is added more than log n times.
int32_t LeafSets::crossing(std::span<const uint32_t> gold_phrases, std::span<const Bracket> test,
                           std::vector<uint8_t>* marks) {
  const auto words = static_cast<int32_t>(gold_rank_.size());
  gold_brackets_.clear();
  for (const uint32_t phrase : gold_phrases)
    gold_brackets_.push_back({gold_.span[phrase].first, gold_.span[phrase].second, 0});
  innermost_cut(gold_brackets_, words, left_, right_, open_);
  edges_.assign(2 * (static_cast<size_t>(words) + 1), {});

  const auto at = [&](int32_t bracket) -> const Bracket& { return test[static_cast<size_t>(bracket)]; };
  parent_.resize(test.size());
  heavy_.assign(test.size(), -1);
  int32_t outer = -1;
  for (int32_t bracket = 0; bracket < static_cast<int32_t>(test.size()); ++bracket) {
    while (outer >= 0 && at(outer).end <= at(bracket).start) outer = parent_[static_cast<size_t>(outer)];
    parent_[static_cast<size_t>(bracket)] = outer;
    if (outer >= 0) {
      int32_t& widest = heavy_[static_cast<size_t>(outer)];
      if (widest < 0 || at(bracket).end - at(bracket).start > at(widest).end - at(widest).start) widest = bracket;
    }
    outer = bracket;
  }
  int32_t found = 0;
  for (int32_t top = 0; top < static_cast<int32_t>(test.size()); ++top) {
    const int32_t above = parent_[static_cast<size_t>(top)];
    if (above >= 0 && heavy_[static_cast<size_t>(above)] == top) continue;
    path_.clear();
    for (int32_t bracket = top; bracket >= 0; bracket = heavy_[static_cast<size_t>(bracket)]) path_.push_back(bracket);
    Bracket inside{at(path_.back()).start, at(path_.back()).start, 0};
    for (size_t next = path_.size(); next-- > 0; inside = at(path_[next])) {
      toggle_words(at(path_[next]).start, inside.start);
      toggle_words(inside.end, at(path_[next]).end);
      const Edges& all = edges_[1];
      const bool crosses = all.left > all.first || all.right < all.last;
      found += crosses;
      if (marks) (*marks)[static_cast<size_t>(path_[next])] = crosses;
    }
    toggle_words(inside.start, inside.end);
  }
  return found;
}

// Adds words, by their ranks in the test tree, to the set, or removes them.
void LeafSets::toggle_words(int32_t begin, int32_t end) {
  for (int32_t rank = begin; rank < end; ++rank) {
    const int32_t place = gold_rank_[static_cast<size_t>(rank)];
    toggle_edge(place);
    toggle_edge(place + 1);
  }
}

void LeafSets::toggle_edge(int32_t edge) {
  size_t at = static_cast<size_t>(edge) + edges_.size() / 2;
  const auto place = static_cast<size_t>(edge);
  edges_[at] = edges_[at].last < 0 ? Edges{left_[place], right_[place], edge, edge} : Edges{};
  for (at /= 2; at > 0; at /= 2) {
    const Edges &a = edges_[2 * at], &b = edges_[2 * at + 1];
    edges_[at] = {std::max(a.left, b.left), std::min(a.right, b.right), std::min(a.first, b.first),
                  std::max(a.last, b.last)};
  }
}

}  // namespace treescore
