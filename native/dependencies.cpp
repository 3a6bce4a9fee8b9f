#include "dependencies.hpp"

#include <algorithm>
#include <cstdlib>
#include <unordered_map>

namespace treescore {
namespace {

constexpr int64_t kHalfBand = 2000;

bool inside_edit(const SpeechTree& tree, int32_t node) { return node > 0 && tree[node].is(SpeechTree::kEdit); }

SpokenWord head_word(const SpeechTree& tree, int32_t node, SpokenWord root) {
  if (node == SpeechTree::kRoot) return root;
  const int32_t head = tree[node].head;
  return head >= 0 ? tree[head].word : SpokenWord();
}

bool is_open(const SpeechTree& tree, int32_t node) {
  return node == SpeechTree::kRoot ? !tree[node].is(SpeechTree::kClosed) : tree[node].open;
}

// Of a leaf whose largest phrase is `top`.
Dependency dependency(const SpeechTree& tree, int32_t leaf, int32_t top, SpokenWord root) {
  const int32_t mother = tree[top].parent;
  return {.word = tree[leaf].word,
          .head = head_word(tree, mother, root),
          .mother = tree[mother].label,
          .child = tree[top].label,
          .leaf = leaf,
          .governor = mother == SpeechTree::kRoot ? -1 : tree[mother].head,
          .position = tree[leaf].row,
          .open = is_open(tree, mother) && tree[top].open};
}

}  // namespace

void find_heads(SpeechTree& tree, const HeadRules& rules, bool placed, bool leniently) {
  if (!tree[SpeechTree::kRoot].is_inner()) return;
  // Parents come later in the order of closing; what is below an edit is never asked.
  for (int32_t node = tree.first_closing(SpeechTree::kRoot); node != SpeechTree::kRoot;
       node = tree.next_closing(node)) {
    SpeechTree::Node& found = tree[node];
    if (!found.is_inner()) {
      found.head = node;
      found.open = !found.is(SpeechTree::kClosed);
    }
  }
  std::vector<int32_t> waiting;
  for (int32_t node = tree[SpeechTree::kRoot].first; node >= 0;) {
    const bool is_edit = inside_edit(tree, node);
    if (!is_edit && tree[node].is_inner()) waiting.push_back(node);
    node = is_edit ? tree.next_beside(node) : tree.next_opening(node);
  }
  while (!waiting.empty()) {
    SpeechTree::Node& phrase = tree[waiting.back()];
    phrase.head_child = leniently ? rules.find_leniently(tree, waiting.back()) : rules.find(tree, waiting.back());
    if (phrase.head_child < 0) throw NoHead();
    if (leniently && tree[phrase.head_child].is(SpeechTree::kSkipped)) phrase.flags |= SpeechTree::kSkipped;
    const SpeechTree::Node& head = tree[phrase.head_child];
    phrase.head = placed && !head.has_width() ? -1 : head.head;
    phrase.open = head.open;
    waiting.pop_back();
  }
}

void dependencies_by_position(const SpeechTree& tree, SpokenWord root, std::vector<Dependency>& out) {
  for (int32_t node = tree[SpeechTree::kRoot].first; node >= 0;) {
    const SpeechTree::Node& child = tree[node];
    const bool is_edit = child.is(SpeechTree::kEdit);
    if (!is_edit && tree[child.parent].head_child != node && child.head >= 0 && child.has_width() &&
        is_there(head_word(tree, child.parent, root)))
      out.push_back(dependency(tree, child.head, node, root));
    node = is_edit ? tree.next_beside(node) : tree.next_opening(node);
  }
}

void dependencies_in_sequence(const SpeechTree& tree, SpokenWord root, std::vector<Dependency>& out) {
  const size_t before = out.size();
  for (int32_t node = tree[SpeechTree::kRoot].first; node >= 0;) {
    const bool is_edit = tree[node].is(SpeechTree::kEdit);
    if (!is_edit && !tree[node].is_inner()) {
      int32_t top = node;
      while (tree[tree[top].parent].head_child == top) top = tree[top].parent;
      out.push_back(dependency(tree, node, top, root));
    }
    node = is_edit ? tree.next_beside(node) : tree.next_opening(node);
  }
  std::reverse(out.begin() + static_cast<ptrdiff_t>(before), out.end());
}

bool DependencyMatcher::match(const Dependency& a, const Dependency& b) const {
  return (!labelled_ || (a.mother == b.mother && a.child == b.child)) && words_.same(a.word, b.word) &&
         words_.same(a.head, b.head);
}

void DependencyMatcher::count(std::span<const Dependency> gold, std::span<const Dependency> test,
                              DependencyCounts& out) {
  const auto is_open = [](const Dependency& dependency) { return dependency.open; };
  out.gold = static_cast<int64_t>(gold.size());
  out.test = static_cast<int64_t>(test.size());
  out.open_gold = std::count_if(gold.begin(), gold.end(), is_open);
  out.open_test = std::count_if(test.begin(), test.end(), is_open);
}

DependencyCounts DependencyMatcher::by_position(std::span<const Dependency> gold, std::span<const Dependency> test) {
  DependencyCounts out;
  count(gold, test, out);
  int32_t last = -1;
  for (const Dependency& dependency : gold) last = std::max(last, dependency.position);
  at_.assign(static_cast<size_t>(last + 1), -1);
  for (size_t k = 0; k < gold.size(); ++k) at_[static_cast<size_t>(gold[k].position)] = static_cast<int32_t>(k);
  for (const Dependency& dependency : test) {
    if (dependency.position > last) continue;
    const int32_t k = at_[static_cast<size_t>(dependency.position)];
    if (k < 0 || !match(gold[static_cast<size_t>(k)], dependency)) continue;
    ++out.matched;
    out.open_matched += gold[static_cast<size_t>(k)].open && dependency.open;
  }
  return out;
}

uint64_t DependencyMatcher::key(const Dependency& dependency) {
  uint64_t mixed = uint64_t{words_.class_of(dependency.word)} << 32 | words_.class_of(dependency.head);
  if (labelled_) {
    const auto labels = static_cast<uint64_t>(dependency.mother) << 32 | static_cast<uint32_t>(dependency.child);
    mixed = (mixed ^ mixed >> 29) * 0x9E3779B97F4A7C15ull + labels;
  }
  return mixed;
}

// The table of the longest common subsequence row by row (gold), as the columns (test) at which each level begins: the
// level of a cell is the number of columns up to it. A pair that matches raises one level, as Hunt and Szymanski have
// it. Beside each level stands the number of open matches on its path.
DependencyCounts DependencyMatcher::in_band(std::span<const Dependency> gold, std::span<const Dependency> test) {
  DependencyCounts out;
  count(gold, test, out);
  const auto rows = static_cast<int64_t>(gold.size()), columns = static_cast<int64_t>(test.size());

  // The columns that may match, by what they have in common, in ascending order.
  std::unordered_map<uint64_t, uint32_t> classes;
  std::vector<std::vector<int32_t>> members;
  for (size_t k = 0; k < test.size(); ++k) {
    if (!is_there(test[k].head)) continue;
    const auto [at, is_new] = classes.try_emplace(key(test[k]), static_cast<uint32_t>(members.size()));
    if (is_new) members.emplace_back();
    members[at->second].push_back(static_cast<int32_t>(k) + 1);
  }

  struct Raise {
    size_t level;
    int64_t column, open;
  };
  std::vector<int64_t> begins{0}, open{0};  // of the levels; level 0 begins before the first column
  std::vector<Raise> raised;
  int64_t first = 1, best = 0, half_band = kHalfBand;
  bool moved = true;                      // `first`, in the last row
  std::pair<int64_t, int64_t> last[2]{};  // of the last column: what the two vectors hold
  const auto level_at = [&](int64_t column) {
    return static_cast<size_t>(std::upper_bound(begins.begin(), begins.end(), column) - begins.begin()) - 1;
  };
  for (int64_t row = 1; row <= rows; ++row) {
    const int64_t first_before = first;
    const int64_t left = rows - row;
    bool writes_last = false;
    if (const int64_t edge = std::min(row - half_band, columns + 1); first < edge) {
      first = edge;
      writes_last = first > columns;
    }
    // Columns in which nothing can be won any more.
    const bool is_stale = first == first_before && !moved && first > 1;
    if (const int64_t needed = best - left; needed >= 1) {
      const int64_t end = std::min(columns + 1, row + half_band);
      const int64_t wins = std::min(begins[static_cast<size_t>(needed)], end);
      if (first < wins) {
        first = wins;
        writes_last = writes_last || first > columns;
      }
    }
    raised.clear();
    const Dependency& wanted = gold[static_cast<size_t>(row - 1)];
    if (is_there(wanted.head) && first <= columns) {
      if (const auto at = classes.find(key(wanted)); at != classes.end()) {
        const std::vector<int32_t>& candidates = members[at->second];
        for (auto it = std::lower_bound(candidates.begin(), candidates.end(), first);
             it != candidates.end() && *it < row + half_band; ++it) {
          const int64_t column = *it;
          size_t below = level_at(column - 1);
          if (column == first_before && is_stale) below = 0;
          const size_t level = below + 1;
          if (level < begins.size() && begins[level] <= column) continue;  // so much is known from the row before
          if (!raised.empty() && raised.back().level >= level) continue;   // … or from the left
          if (static_cast<int64_t>(level) + left <= best) continue;        // too late
          const Dependency& found = test[static_cast<size_t>(column - 1)];
          if (!match(wanted, found)) continue;
          raised.push_back({level, column, open[below] + (wanted.open && found.open)});
          if (static_cast<int64_t>(level) > best) {
            best = static_cast<int64_t>(level);
            half_band = std::abs(row - column) + kHalfBand;
          }
        }
      }
    }
    for (const Raise& raise : raised) {
      if (raise.level == begins.size()) {
        begins.push_back(raise.column);
        open.push_back(raise.open);
      } else {
        begins[raise.level] = raise.column;
        open[raise.level] = raise.open;
      }
    }
    if (first <= columns && columns < row + half_band) writes_last = true;
    if (writes_last) {
      const size_t level = level_at(columns);
      last[row & 1] = {static_cast<int64_t>(level), open[level]};
    }
    moved = first != first_before;
  }
  out.matched = last[rows & 1].first;
  out.open_matched = last[rows & 1].second;
  return out;
}

}  // namespace treescore
