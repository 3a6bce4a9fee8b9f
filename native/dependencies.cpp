#include "dependencies.hpp"

#include <algorithm>
#include <cstdlib>
#include <tuple>
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
  // Parents follow in the order of closing. Nodes below an edit are never queried.
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
  if (tree[SpeechTree::kRoot].is(SpeechTree::kEdit)) return;
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
  if (tree[SpeechTree::kRoot].is(SpeechTree::kEdit)) return;
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

// The table of the longest common subsequence, row by row (gold), column by column (test), with the number of open
// matches on the path to each cell. A cell without a match of its own has the path of the cell before it in both lists
// if that is as long as any, else of the one to the left, else of the one above.
//
// Only the columns are kept at which each length, or level, begins (Hunt and Szymanski), and the matches that made it
// begin there: from them the path to any cell follows.
class DependencyMatcher::BandedTable {
 public:
  BandedTable(DependencyMatcher& matcher, std::span<const Dependency> gold, std::span<const Dependency> test)
      : matcher_(matcher),
        gold_(gold),
        test_(test),
        rows_(static_cast<int64_t>(gold.size())),
        columns_(static_cast<int64_t>(test.size())) {
    classify();
  }

  // Matches and open matches of the last cell.
  std::pair<int64_t, int64_t> result() {
    const bool is_dense = are_dense();
    if (is_dense) {
      above_.assign(static_cast<size_t>(columns_) + 1, {});
      now_ = above_;
      identify();
    }
    for (int64_t row = 1; row <= rows_; ++row) {
      if (row % kRowsUnpolled == 0 && matcher_.poll_) matcher_.poll_();
      if (is_dense)
        add_dense_row(row);
      else
        add_row(row);
    }
    if (is_dense) return {above_.back().matches, above_.back().open};
    return last_[rows_ & 1];
  }

 private:
  static constexpr int64_t kRowsUnpolled = 64;
  static constexpr double kManyMatches = 64;  // in a row, from which cells are cheaper

  struct Cell {
    int32_t matches = 0, open = 0;
  };

  // Whether so many pairs match that levels would save nothing.
  bool are_dense() const {
    std::vector<double> wanted(member_begin_.size(), 0);
    for (const uint32_t found : gold_class_)
      if (found + size_t{1} < member_begin_.size()) ++wanted[found];
    double pairs = 0;
    for (size_t k = 0; k + 1 < member_begin_.size(); ++k)
      pairs += wanted[k] * static_cast<double>(member_begin_[k + 1] - member_begin_[k]);
    const double inside = std::min(1.0, 2.0 * kHalfBand / static_cast<double>(std::max<int64_t>(1, columns_)));
    return pairs * inside > kManyMatches * static_cast<double>(rows_);
  }

  // The procedure cell by cell, as the original has it.
  void add_dense_row(int64_t row) {
    const int64_t left = rows_ - row;
    Cell *const above = above_.data(), *const now = now_.data();
    now[first_ - 1] = {};
    for (; first_ <= columns_ && first_ < row - half_band_; ++first_) now[first_] = above[first_];
    int64_t column = first_;
    for (; column <= columns_ && column < row + half_band_; ++column) {
      Cell cell = now[column - 1];
      if (above[column].matches > cell.matches) cell = above[column];
      const bool may_match = above[column - 1].matches + 1 > cell.matches;
      if (may_match) cell = above[column - 1];
      if (cell.matches + 1 + left <= best_) {
        first_ += column == first_;
      } else if (may_match && match(row, column)) {
        ++cell.matches;
        cell.open += both_open(row, column);
        if (cell.matches > best_) {
          best_ = cell.matches;
          half_band_ = std::abs(row - column) + kHalfBand;
        }
      }
      now[column] = cell;
    }
    const int64_t reach = std::min(columns_, column + 2 * kHalfBand);  // of the next row at most
    for (int64_t later = column; later < reach; ++later) now[later].matches = now[column - 1].matches;
    now_.swap(above_);
  }

  // A match because of which a level begins at an earlier column.
  struct Raise {
    int32_t row, column, open, earlier;
  };

  // Dependencies that match have equal classes; those without a head word match nothing.
  void classify() {
    std::unordered_map<uint64_t, uint32_t> classes;
    classes.reserve(test_.size());
    const auto class_of = [&](const Dependency& dependency) {
      if (!is_there(dependency.head)) return UINT32_MAX;
      return classes.try_emplace(matcher_.key(dependency), static_cast<uint32_t>(classes.size())).first->second;
    };
    for (const Dependency& dependency : test_) test_class_.push_back(class_of(dependency));
    // The columns of each class, side by side.
    member_begin_.assign(classes.size() + 1, 0);
    for (const uint32_t found : test_class_)
      if (found != UINT32_MAX) ++member_begin_[found];
    for (size_t k = 1; k < member_begin_.size(); ++k) member_begin_[k] += member_begin_[k - 1];
    members_.resize(member_begin_.back());
    for (size_t k = test_.size(); k-- > 0;)
      if (const uint32_t found = test_class_[k]; found != UINT32_MAX)
        members_[--member_begin_[found]] = static_cast<int32_t>(k) + 1;
    for (const Dependency& dependency : gold_) gold_class_.push_back(class_of(dependency));
  }

  bool match(int64_t row, int64_t column) const {
    const auto i = static_cast<size_t>(row) - 1, j = static_cast<size_t>(column) - 1;
    if (gold_class_[i] != test_class_[j] || gold_class_[i] == UINT32_MAX) return false;
    return (!gold_id_.empty() && gold_id_[i] == test_id_[j]) || matcher_.match(gold_[i], test_[j]);
  }

  // Numbers for dependencies that are equal byte for byte, which need no further comparison.
  void identify() {
    std::unordered_map<std::string, uint32_t> ids;
    const auto id_of = [&](const Dependency& dependency) {
      std::string text = std::to_string(dependency.mother) + ' ' + std::to_string(dependency.child) + ' ';
      text.append(dependency.word).push_back('\0');
      text.append(dependency.head);
      return ids.try_emplace(std::move(text), static_cast<uint32_t>(ids.size())).first->second;
    };
    for (const Dependency& dependency : gold_) gold_id_.push_back(id_of(dependency));
    for (const Dependency& dependency : test_) test_id_.push_back(id_of(dependency));
  }
  bool both_open(int64_t row, int64_t column) const {
    return gold_[static_cast<size_t>(row) - 1].open && test_[static_cast<size_t>(column) - 1].open;
  }

  size_t level_at(int64_t column) const {
    return static_cast<size_t>(std::upper_bound(begins_.begin(), begins_.end(), column) - begins_.begin()) - 1;
  }

  // The open matches on the path to a cell of a level: up the diagonal as long as the level holds, then to the match
  // that made it begin there.
  int64_t open_at(size_t level, int64_t row, int64_t column) const {
    if (level == 0) return 0;
    const auto beyond = [&](const Raise& raise) { return raise.column - raise.row > column - row; };
    int32_t at = latest_[level];
    const auto raise = [&](int32_t index) -> const Raise& { return raises_[static_cast<size_t>(index)]; };
    while (raise(at).earlier >= 0 && !beyond(raise(at)) && !beyond(raise(raise(at).earlier))) at = raise(at).earlier;
    const int32_t before = raise(at).earlier;
    if (before < 0 || beyond(raise(at)) || row - raise(at).row >= column - raise(before).column) return raise(at).open;
    return raise(before).open;
  }

  void add_row(int64_t row) {
    const int64_t first_before = first_, left = rows_ - row;
    bool writes_last = false;
    const auto move_first = [&](int64_t to) {
      if (first_ >= to) return;
      first_ = to;
      writes_last = writes_last || first_ > columns_;
    };
    move_first(std::min(row - half_band_, columns_ + 1));
    const bool is_stale = first_ == first_before && !moved_ && first_ > 1;
    if (const int64_t needed = best_ - left; needed >= 1)  // columns in which no cell can improve any more
      move_first(std::min({begins_[static_cast<size_t>(needed)], columns_ + 1, row + half_band_}));
    found_.clear();
    const uint32_t wanted = gold_class_[static_cast<size_t>(row) - 1];
    if (wanted + size_t{1} < member_begin_.size()) {
      const std::span<const int32_t> candidates(members_.data() + member_begin_[wanted],
                                                members_.data() + member_begin_[wanted + 1]);
      for (auto it = std::lower_bound(candidates.begin(), candidates.end(), first_);
           it != candidates.end() && *it < row + half_band_; ++it) {
        const int64_t column = *it;
        const size_t below = is_stale && column == first_before ? 0 : level_at(column - 1), level = below + 1;
        if (level < begins_.size() && begins_[level] <= column) continue;  // known from the row before
        if (!found_.empty() && found_.back().first >= level) continue;     // … or from the left
        if (static_cast<int64_t>(level) + left <= best_) continue;         // too late
        if (!match(row, column)) continue;
        const int64_t open = open_at(below, row - 1, column - 1) + both_open(row, column);
        found_.emplace_back(
            level, Raise{static_cast<int32_t>(row), static_cast<int32_t>(column), static_cast<int32_t>(open), -1});
        if (static_cast<int64_t>(level) > best_) {
          best_ = static_cast<int64_t>(level);
          half_band_ = std::abs(row - column) + kHalfBand;
        }
      }
    }
    for (auto& [level, raise] : found_) {
      if (level == begins_.size()) {
        begins_.push_back(0);
        latest_.push_back(-1);
      }
      begins_[level] = raise.column;
      raise.earlier = latest_[level];
      latest_[level] = static_cast<int32_t>(raises_.size());
      raises_.push_back(raise);
    }
    if (first_ <= columns_ && columns_ < row + half_band_) writes_last = true;
    if (writes_last) {
      const size_t level = level_at(columns_);
      last_[row & 1] = {static_cast<int64_t>(level), open_at(level, row, columns_)};
    }
    moved_ = first_ != first_before;
  }

  DependencyMatcher& matcher_;
  const std::span<const Dependency> gold_, test_;
  const int64_t rows_, columns_;
  std::vector<uint32_t> gold_class_, test_class_, gold_id_, test_id_;
  std::vector<int32_t> members_;
  std::vector<size_t> member_begin_;

  int64_t first_ = 1, best_ = 0, half_band_ = kHalfBand;  // first column of the band
  bool moved_ = true;                                     // … in the last row
  std::vector<int64_t> begins_{0};                        // of the levels; level 0 begins before the first column
  std::vector<int32_t> latest_{-1};                       // of the levels
  std::vector<Raise> raises_;
  std::vector<std::pair<size_t, Raise>> found_;
  std::pair<int64_t, int64_t> last_[2]{};  // the last cell, as the two vectors of the original hold it
  std::vector<Cell> above_, now_;          // … and all cells, where they are kept
};

DependencyCounts DependencyMatcher::in_band(std::span<const Dependency> gold, std::span<const Dependency> test) {
  DependencyCounts out;
  count(gold, test, out);
  std::tie(out.matched, out.open_matched) = BandedTable(*this, gold, test).result();
  return out;
}

}  // namespace treescore
