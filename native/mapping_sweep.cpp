// First engine of the mapper: one sweep for each pair of left paths, as in the algorithm of Zhang and Shasha, but over
// candidates only.
#include "mapping.hpp"
#include "staircase.hpp"

namespace treescore {

// One pass over the nodes of x that are below top_x and overlap top_y, in postorder. It finds F for all pairs of nodes
// of the left paths that start at the leaves i and j and end at top_x and top_y.
constexpr int32_t kLongPath = 48;  // nodes from which a path is merged and not inserted
class Mapper::Sweep {
 public:
  Sweep(Mapper& mapper, int32_t i, int32_t j, int32_t top_x, int32_t top_y)
      : mapper_(mapper),
        x_(*mapper.x_),
        y_(*mapper.y_),
        i_(i),
        j_(j),
        top_x_(top_x),
        top_y_(top_y),
        first_column_(y_.leaves[j]),
        last_offset_(static_cast<uint32_t>(top_y - first_column_)),
        first_row_(std::max(i, mapper.over_y_[j].first)),
        last_row_(std::min(x_[top_x].last_leaf, mapper.over_y_[y_[top_y].last_leaf].last)),
        chain_(mapper.stair_column_.data(), mapper.stair_value_.data(), nullptr, first_column_ - 1),
        tentative_column_(mapper.new_column_.data()),
        tentative_sum_(mapper.new_sum_.data()) {}

  Weight best_chain();

 private:
  bool is_inside(int32_t column) const { return static_cast<uint32_t>(column - first_column_) <= last_offset_; }
  std::span<Candidate> candidates(int32_t node) {
    const List& list = mapper_.lists_[node];
    work_ += kCandidateWork * list.size;
    return {mapper_.pool_.data() + list.at, list.size};
  }
  static std::span<const int32_t> path_of(const PathTree& tree, int32_t leaf) {
    return {tree.path_nodes.data() + tree.path_begin[leaf], tree.path_nodes.data() + tree.path_begin[leaf + 1]};
  }

  void add_row(int32_t row);
  void add_leaf(int32_t row);
  void add_inner_node(int32_t row);
  void add_path_node(int32_t row);
  size_t pair_with_path(int32_t row);
  void insert_pairs(int32_t row, size_t count);
  void merge_pairs(int32_t row, size_t count);
  template <class ChainAt>
  bool keep(int32_t row, int32_t v, Weight sum, Weight best, const ChainAt& chain_at);
  int32_t last_sibling_inside(int32_t v, double end);
  void compare_with_sibling(const Node& sibling);

  Mapper& mapper_;
  const PathTree &x_, &y_;
  const int32_t i_, j_, top_x_, top_y_;
  const int32_t first_column_;          // a column is a node of y
  const uint32_t last_offset_;          // of top_y from the first column
  const int32_t first_row_, last_row_;  // leaves of x
  Staircase<false> chain_;

  // The candidates just added for the last path node are tentative: its right siblings may still rule them out.
  int32_t last_path_node_ = -1, siblings_seen_ = 0;
  uint32_t tentative_ = 0;
  int32_t* const tentative_column_;  // of the last right sibling inside the interval of the path node
  Weight* const tentative_sum_;
  uint64_t work_ = 0;
};

inline Weight Mapper::Sweep::best_chain() {
  if (last_row_ < 0 || first_row_ >= x_.leaf_count) return 0;
  // From the first overlapping leaf to the last, then the ancestors of that; in a silence only those that span it.
  const int32_t last_leaf = x_.leaves[last_row_];
  const bool in_silence = first_row_ > last_row_;
  for (int32_t row = in_silence ? x_[last_leaf].parent : x_.leaves[first_row_]; row >= 0 && row <= top_x_;
       row = row < last_leaf ? row + 1 : x_[row].parent) {
    work_ += kNodeWork;
    if (in_silence && x_[row].last_leaf < first_row_) continue;
    add_row(row);
    work_ += 2 * chain_.take_moves();
    if (work_ >= kWorkUncounted) mapper_.worked(std::exchange(work_, 0));
  }
  mapper_.worked(work_);
  return chain_.last();
}

inline void Mapper::Sweep::add_row(int32_t row) {
  if (x_[row].first_leaf == i_) return add_path_node(row);
  if (x_.is_leaf(row))
    add_leaf(row);
  else
    add_inner_node(row);
  if (tentative_ && x_[row].parent == x_[last_path_node_].parent) compare_with_sibling(x_[row]);
}

// At a leaf, all nodes whose left path it starts are entered: the chain that may stand before each of their candidates
// is known.
inline void Mapper::Sweep::add_leaf(int32_t row) {
  for (const int32_t node : path_of(x_, x_[row].first_leaf))
    for (Candidate& known : candidates(node))
      if (is_inside(known.y)) known.before = chain_.at(known.last_before);
  // In descending order of the columns, no insertion changes a later query of the same row.
  const std::span<Candidate> own = candidates(row);
  for (size_t t = own.size(); t-- > 0;)
    if (is_inside(own[t].y)) chain_.insert(own[t].y, own[t].sum + chain_.at(own[t].last_before));
}

inline void Mapper::Sweep::add_inner_node(int32_t row) {
  // Nothing can stand before a node that starts before the first row.
  const Weight mask = x_[row].first_leaf < first_row_ ? 0 : ~Weight{0};
  for (const Candidate& known : candidates(row))
    if (is_inside(known.y)) chain_.insert(known.y, known.sum + (known.before & mask));
}

inline void Mapper::Sweep::add_path_node(int32_t row) {
  const size_t count = pair_with_path(row);
  for (const Candidate& known : candidates(row))
    if (is_inside(known.y)) chain_.insert(known.y, known.sum);
  tentative_ = 0;
  if (count < kLongPath)
    insert_pairs(row, count);
  else
    merge_pairs(row, count);
  last_path_node_ = row;
  siblings_seen_ = 0;
}

// F of the row with each node of the other path with which it may be aligned: writes their columns and sums, and
// returns how many there are.
inline size_t Mapper::Sweep::pair_with_path(int32_t row) {
  const Node& u = x_[row];
  if (x_.is_leaf(row) || u.label == IntervalTree::kUnmatched || !(y_.path_labels[j_] & bit_of(u.label))) return 0;
  const std::span<const int32_t> path = path_of(y_, j_);
  const bool is_long = path.size() >= kLongPath;
  size_t count = 0;
  int32_t from = 0;
  for (const int32_t v : path) {
    if (v > top_y_) break;
    if (y_[v].label != u.label) continue;
    const Weight own = mapper_.weight(u, y_[v]);
    if (!own) continue;
    tentative_column_[count] = v;
    tentative_sum_[count++] = own + (is_long ? chain_.at(v - 1, from) : chain_.at(v - 1));
  }
  work_ += kNodeWork * path.size() + kCandidateWork * count;
  return count;
}

inline void Mapper::Sweep::insert_pairs(int32_t row, size_t count) {
  for (size_t t = 0; t < count; ++t) {
    const int32_t v = tentative_column_[t];
    const Weight sum = tentative_sum_[t];
    if (keep(row, v, sum, chain_.at(v), [&](int32_t column) { return chain_.at(column); })) chain_.insert(v, sum);
  }
}

// The same for many pairs in one pass over the staircase.
inline void Mapper::Sweep::merge_pairs(int32_t row, size_t count) {
  const auto old = chain_.copy(mapper_.old_column_.data(), mapper_.old_value_.data());
  mapper_.merged_column_.assign(tentative_column_, count);
  mapper_.merged_sum_.assign(tentative_sum_, count);
  const std::span<const int32_t> columns = mapper_.merged_column_;
  const std::span<const Weight> sums = mapper_.merged_sum_;
  const auto chain_at = [&](int32_t column) { return old.at(column); };
  chain_.merge(old, columns, sums,
               [&](size_t t, Weight best) { return keep(row, columns[t], sums[t], best, chain_at); });
}

// Adds the pair of the row with v as a candidate unless rule 1 or 2 drops it. `best` is the best chain up to v.
template <class ChainAt>
inline bool Mapper::Sweep::keep(int32_t row, int32_t v, Weight sum, Weight best, const ChainAt& chain_at) {
  if (sum <= best) return false;  // rule 1
  const int32_t last = last_sibling_inside(v, x_[row].end);
  if (last > v && sum < chain_at(last)) return false;  // rule 2, siblings of v
  mapper_.add(row, v, sum);
  tentative_column_[tentative_] = last;
  tentative_sum_[tentative_++] = sum;
  return true;
}

// The last right sibling of v that ends by `end`, or v.
inline int32_t Mapper::Sweep::last_sibling_inside(int32_t v, double end) {
  const int32_t parent = y_[v].parent;
  if (parent < 0 || parent > top_y_ || y_[parent].leftmost != first_column_) return v;
  for (int step = 0; step < kMostSiblings && v + 1 < parent; ++step) {
    const int32_t sibling = y_.head[y_[v + 1].first_leaf];
    if (y_[sibling].end > end) break;
    v = sibling;
    work_ += kNodeWork;
  }
  return v;
}

// Rule 2, siblings of u: drops the tentative candidates (u, v) that a chain with this sibling inside v does better
// than.
inline void Mapper::Sweep::compare_with_sibling(const Node& sibling) {
  work_ += kCandidateWork * tentative_;
  List& list = mapper_.lists_[last_path_node_];
  Candidate* const added = mapper_.pool_.data() + list.at + list.size - tentative_;
  uint32_t kept = 0;
  for (uint32_t t = 0; t < tentative_; ++t) {
    if (sibling.end <= y_[added[t].y].end && chain_.at(tentative_column_[t]) > tentative_sum_[t]) continue;
    added[kept] = added[t];
    tentative_column_[kept] = tentative_column_[t];
    tentative_sum_[kept++] = tentative_sum_[t];
  }
  list.size -= tentative_ - kept;
  tentative_ = ++siblings_seen_ < kMostSiblings ? kept : 0;
}

Weight Mapper::sweep(int32_t i, int32_t j, int32_t top_x, int32_t top_y) {
  return Sweep(*this, i, j, top_x, top_y).best_chain();
}

// From right to left, so that F of pairs off the two paths is known before a sweep needs it.
Weight Mapper::sweep_all() {
  const PathTree &x = *x_, &y = *y_;
  for (int32_t i = x.leaf_count - 1; i >= 0; --i) {
    if (x.path_begin[i] == x.path_begin[i + 1]) continue;
    const int32_t first = over_x_[i].first, last = over_x_[x[x.head[i]].last_leaf].last;
    for (int32_t j = last; j >= first; --j) sweep_paths(i, j);
    if (first >= y.leaf_count || last < 0) continue;
    for (int32_t up = y[y.head[first]].parent; up >= 0; up = y[y.head[y[up].first_leaf]].parent)
      sweep_paths(i, y[up].first_leaf);
  }
  return sweep(0, 0, x.size - 1, y.size - 1);
}

// Sweeps up to the topmost nodes of the two paths that can be matched with each other, if there are any.
void Mapper::sweep_paths(int32_t i, int32_t j) {
  const PathTree &x = *x_, &y = *y_;
  if ((i == 0 && j == 0) || !(x.path_labels[i] & y.path_labels[j])) return;
  worked(kNodeWork);
  int32_t top_x = -1, top_y = -1;
  for (int32_t t = x.path_begin[i]; t < x.path_begin[i + 1]; ++t) {
    const int32_t u = x.path_nodes[t];
    if (!(y.path_labels[j] & bit_of(x[u].label))) continue;
    const int32_t v = topmost_partner(x[u], j);
    if (v < 0) continue;
    top_x = u;
    top_y = std::max(top_y, v);
  }
  if (top_x >= 0) sweep(i, j, top_x, top_y);
}

// The topmost node of the left path of leaf j that can be matched with u, or -1.
int32_t Mapper::topmost_partner(const Node& u, int32_t j) {
  const PathTree& y = *y_;
  const int32_t *const begin = y.path_nodes.data() + y.path_begin[j], *const end =
                                                                          y.path_nodes.data() + y.path_begin[j + 1];
  int32_t partner = -1;
  const int32_t* next = end;
  while (next != begin && partner < 0) {
    const Node& v = y[*--next];
    if (u.label != v.label || !(u.start < v.end && v.start < u.end)) continue;
    if (rules_.threshold <= 0 || weight(u, v)) partner = *next;
  }
  worked(kNodeWork * static_cast<uint64_t>(end - next));
  return partner;
}

}  // namespace treescore
