// How it works. Let F(u, v) be the weight of the pair plus the best alignment of what is below u with what is below v.
// The best alignment of two forests is a chain of pairs (x1, y1), (x2, y2), … with disjoint x from left to right and
// disjoint y too, worth the sum of their F. All effort goes into needing few F:
//
// 1. Twins, subtrees equal in shape, intervals and labels, can be mapped onto each other without loss; the largest ones
//    shrink to single leaves that match only each other. Proof idea: at most one of two twins has pairs that lead out
//    of the twins, so that an optimal alignment has at most as many pairs there, each of weight at most 1, as the
//    identity.
// 2. A pair is dropped if something else does at least as well in every context in which it could stand: an
//    alignment of the two subtrees without it (rule 1), a strictly better one that also uses the neighbouring siblings
//    inside the partner's interval, which the pair would block (rule 2). What is left are the candidates: in ordinary
//    trees about one per node, though there are deep trees in which hardly any pair is dropped.
// 3. The chains are found by a sweep over the candidates for each pair of left paths (of Zhang and Shasha), or of right
//    paths, whichever are cheaper. Deep trees that branch left and right in turn have neither; for them heavy paths in
//    one tree are combined with all windows of leaves in the other (Klein; Demaine et al.). The first guess which of
//    the two is cheaper may be wrong, so that all work is counted: a way that turns out longer than expected is left
//    for the other one.
#include "mapping.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

namespace treescore {
namespace {

constexpr double kUnit = static_cast<double>(Weight{1} << kWeightBits);
constexpr int32_t kMostNodes = int32_t{1} << 22;      // sums of weights must fit into 63 bits
constexpr int32_t kLongPath = 48;                     // nodes from which a path is merged and not inserted
constexpr size_t kMostCandidates = size_t{1} << 24;   // 0.4 GB of them
constexpr int32_t kFewNodes = 100;                    // with which no way can be long
constexpr int kMostSiblings = 64;                     // rule 2 is optional: far siblings seldom help
constexpr double kWindowBytes = 512.0 * 1024 * 1024;  // the table of window() never grows beyond this

// Measured, in seconds: a row of a sweep, a comparison of two path nodes, a cell of a window.
constexpr double kRowCost = 60e-9, kPathCost = 8e-9, kCellCost = 0.5e-9;
constexpr double kNoWay = std::numeric_limits<double>::infinity();
constexpr double kCheap = 1500 * kRowCost;  // a sweep for which no window needs to be considered

// Work is counted in cells. In cells: a node that is looked at, a candidate that is used.
constexpr uint64_t kNodeWork = 8, kCandidateWork = 16;
constexpr uint64_t kWorkUncounted = uint64_t{1} << 16;  // by the innermost loops
constexpr uint64_t kWorkUnpolled = uint64_t{1} << 24;   // a hundredth of a second
constexpr double kPlainTrace = 0.25;  // seconds after which a trace begins anew, without what cannot help

uint64_t bit_of(int32_t label) { return uint64_t{1} << (label & 63); }

// The best chain so far as a function of the last column it may use: breakpoints with increasing columns and values.
// Linked breakpoints also know the pair that made them.
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

  // Goes on to the last breakpoint up to this column from an earlier one.
  Weight at(int32_t column, int32_t& from) const {
    while (from < top_ && columns_[from + 1] <= column) ++from;
    return values_[from];
  }

  // Many values in ascending columns in one pass. `accepts` is told the number of a value and the best one so far up to
  // its column, and must not accept less than that. `old` is a copy of this staircase.
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
    int32_t kept = to;  // the first breakpoint that the new one does not outdo
    while (kept <= top_ && values_[kept] <= value) ++kept;
    moves_ += static_cast<uint32_t>(top_ - to + 1);
    if (kept == to) {
      for (int32_t z = top_; z >= to; --z) move(z, z + 1);
      ++top_;
    } else if (kept > to + 1) {
      for (int32_t z = kept, free = to + 1; z <= top_; ++z, ++free) move(z, free);
      top_ -= kept - to - 1;
    }
    columns_[to] = column;
    values_[to] = value;
    if constexpr (kLinked) links_[to] = link;
  }

 private:
  // The last breakpoint up to this column: near the diagonal a few steps back, else by bisection.
  int32_t place(int32_t column) const {
    int32_t high = top_;
    for (int step = 0; step < 8; ++step, --high)
      if (columns_[high] <= column) return high;
    int32_t low = 0;
    while (low < high) {
      const int32_t middle = (low + high + 1) >> 1;
      if (columns_[middle] <= column)
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

}  // namespace

void Mapper::set(const MappingRules& rules, std::function<void()> poll) {
  rules_ = rules;
  poll_ = std::move(poll);
  choice_ = {};
}

Weight Mapper::solve(const IntervalTree& a, const IntervalTree& b) {
  a_ = &a;
  b_ = &b;
  identical_ = false;
  spent_ = 0;
  allow(rules_.limit);
  plain_[0].size = plain_[1].size = 0;
  if (a.counted == 0 || b.counted == 0) return 0;
  if (a.size() > kMostNodes || b.size() > kMostNodes) throw TooComplex(std::numeric_limits<double>::infinity());
  find_twins();
  identical_ = a.size() == b.size() && twin_a_[a.size() - 1] == b.size() - 1;
  if (identical_) return Weight{a.size()} << kWeightBits;
  contract(a, twin_a_, plain_[0], kept_a_);
  contract(b, twin_b_, plain_[1], kept_b_);
  for (int32_t k = 0; k < plain_[0].size; ++k) {
    const int32_t twin = twin_a_[plain_[0][k].origin];
    plain_[0].nodes[k].twin = twin < 0 ? -1 : kept_b_[twin];
  }
  for (int32_t k = 0; k < plain_[1].size; ++k) {
    const int32_t twin = twin_b_[plain_[1][k].origin];
    plain_[1].nodes[k].twin = twin < 0 ? -1 : kept_a_[twin];
  }
  const auto cost = [](int64_t p, int64_t q) { return static_cast<double>(p) * static_cast<double>(q); };
  mirrored_ = choice_.paths == Paths::kChosen
                  ? cost(plain_[0].right_cost, plain_[1].right_cost) < cost(plain_[0].left_cost, plain_[1].left_cost)
                  : choice_.paths == Paths::kRight;
  x_ = &plain_[0];
  y_ = &plain_[1];
  if (mirrored_) {
    mirror(plain_[0], mirrored_trees_[0], order_a_);
    mirror(plain_[1], mirrored_trees_[1], order_b_);
    x_ = &mirrored_trees_[0];
    y_ = &mirrored_trees_[1];
    for (int32_t k = 0; k < x_->size; ++k)
      if (int32_t& twin = x_->nodes[k].twin; twin >= 0) twin = order_b_[twin];
    for (int32_t k = 0; k < y_->size; ++k)
      if (int32_t& twin = y_->nodes[k].twin; twin >= 0) twin = order_a_[twin];
  }
  x_->connect();
  y_->connect();
  find_overlaps(*x_, *y_, over_x_);
  find_overlaps(*y_, *x_, over_y_);
  return result_ = solve_contracted();
}

// ---- Twins and orientation

void Mapper::find_twins() {
  const IntervalTree &a = *a_, &b = *b_;
  twin_a_.assign(a.nodes.size(), -1);
  twin_b_.assign(b.nodes.size(), -1);
  if (!choice_.contract || rules_.threshold >= 1) return;
  for (size_t i = 0, j = 0; i < a.leaves.size() && j < b.leaves.size();) {
    const IntervalTree::Node &u = a.nodes[a.leaves[i]], &v = b.nodes[b.leaves[j]];
    if (u.start == v.start && u.end == v.end) {
      const double length = u.end - u.start;
      if ((rules_.flexible || u.label == v.label) && length > 0 && length >= rules_.least_overlap &&
          u.label != IntervalTree::kUnmatched && v.label != IntervalTree::kUnmatched)
        twin_a_[a.leaves[i]] = b.leaves[j];
      ++i;
      ++j;
    } else if (u.end <= v.end) {
      ++i;
    } else {
      ++j;
    }
  }
  // An inner node is a twin if all nodes below it are, with one offset between their postorder numbers.
  constexpr int32_t kNoOffset = INT32_MIN;
  int32_t offset = kNoOffset, run = 0;  // … which has been the same since `run`
  for (int32_t x = 0; x < a.size(); ++x) {
    const IntervalTree::Node& u = a.nodes[x];
    if (u.leftmost != x && offset != kNoOffset && run <= u.leftmost && x + offset < b.size()) {
      const IntervalTree::Node& v = b.nodes[x + offset];
      if (v.leftmost == u.leftmost + offset && v.label == u.label && u.label != IntervalTree::kUnmatched)
        twin_a_[x] = x + offset;
    }
    if (twin_a_[x] < 0) {
      offset = kNoOffset;
      continue;
    }
    if (twin_a_[x] - x != offset) {
      offset = twin_a_[x] - x;
      run = x;
    }
    twin_b_[twin_a_[x]] = x;
  }
}

// Drops the inside of every largest twin. `kept` has the new number of each node that is left, and of each leaf that
// starts a twin. The costs are the sums of the sizes of the subtrees at the heads of left and right paths.
void Mapper::contract(const IntervalTree& tree, const Column<int32_t>& twins, PathTree& out, Column<int32_t>& kept) {
  const size_t count = tree.nodes.size();
  const IntervalTree::Node* const from = tree.nodes.data();
  scratch_.set_size(count);
  int32_t* const order = scratch_.data();  // from the root down
  int32_t left = 0;
  for (int32_t p = tree.size() - 1; p >= 0; p = twins[p] >= 0 ? from[p].leftmost - 1 : p - 1) order[left++] = p;
  out.size = left;
  out.nodes.set_size(static_cast<size_t>(left));
  kept.set_size(count);
  path_size_.set_size(static_cast<size_t>(left));
  Node* const to = out.nodes.data();
  int64_t left_cost = 0, right_cost = 0;
  for (int32_t next = 0; next < left; ++next) {
    const int32_t p = order[left - 1 - next];
    const IntervalTree::Node& node = from[p];
    kept[p] = next;
    if (twins[p] >= 0) kept[node.leftmost] = next;
    const int32_t leftmost = kept[node.leftmost], size = next - leftmost + 1;
    path_size_[next] = 0;
    left_cost += size - path_size_[leftmost];
    path_size_[leftmost] = size;
    if (next > 0 && leftmost == next) right_cost += next - to[next - 1].leftmost;  // the last one ends a right path
    to[next] = {node.start, node.end, node.label, leftmost, -1, 0, 0, p, -1};
  }
  out.left_cost = left_cost;
  out.right_cost = right_cost + left - to[left - 1].leftmost;
}

// The same tree read from right to left, times negated. `order` has the new number of each node.
void Mapper::mirror(PathTree& tree, PathTree& out, Column<int32_t>& order) {
  out.size = tree.size;
  out.nodes.set_size(static_cast<size_t>(tree.size));
  order.set_size(static_cast<size_t>(tree.size));
  const int32_t last = tree.size - 1;
  order[last] = 0;  // first the number in the order of opening
  for (int32_t p = last; p >= 0; --p) {
    const Node& node = tree[p];
    int32_t end = order[p] + (p - node.leftmost);
    for (int32_t child = p - 1; child >= node.leftmost; child = tree[child].leftmost - 1) {
      const int32_t size = child - tree[child].leftmost + 1;
      order[child] = end - size + 1;
      end -= size;
    }
    const int32_t q = last - order[p];
    order[p] = q;
    out.nodes[q] = {-node.end, -node.start, node.label, q - (p - node.leftmost), -1, 0, 0, node.origin, node.twin};
  }
}

void Mapper::PathTree::connect() {
  const auto count = static_cast<size_t>(size);
  leaves.set_size(count);
  Node* const node = nodes.data();
  leaf_count = 0;
  inner_labels = 0;
  for (int32_t p = 0; p < size; ++p) {
    if (node[p].leftmost == p) {
      node[p].first_leaf = node[p].last_leaf = leaf_count;
      leaves[leaf_count++] = p;
      continue;
    }
    node[p].first_leaf = node[node[p].leftmost].first_leaf;
    node[p].last_leaf = leaf_count - 1;
    for (int32_t child = p - 1; child >= node[p].leftmost; child = node[child].leftmost - 1) node[child].parent = p;
  }
  node[size - 1].parent = -1;
  head.set_size(count);
  path_begin.set_size(count + 1);
  path_nodes.set_size(count);
  path_labels.set_size(count);
  int32_t next = 0;
  for (int32_t leaf = 0; leaf < leaf_count; ++leaf) {
    path_begin[leaf] = next;
    const int32_t bottom = leaves[leaf];
    int32_t top = bottom;
    uint64_t labels = 0;
    for (int32_t q = node[bottom].parent; q >= 0 && node[q].leftmost == bottom; q = node[q].parent) {
      top = q;
      if (node[q].label == IntervalTree::kUnmatched) continue;
      path_nodes[next++] = q;
      labels |= bit_of(node[q].label);
    }
    path_labels[leaf] = labels;
    inner_labels |= labels;
    head[leaf] = top;
  }
  path_begin[leaf_count] = next;
}

// ---- Weights and candidates

Weight Mapper::weight(const Node& u, const Node& v) const {
  const double common = std::min(u.end, v.end) - std::max(u.start, v.start);
  if (!(common > 0) || common < rules_.least_overlap) return 0;
  const double iou = common / (std::max(u.end, v.end) - std::min(u.start, v.start));
  if (!(iou > rules_.threshold) || iou < rules_.least_iou) return 0;
  return static_cast<Weight>(iou * kUnit + 0.5);
}

Weight Mapper::leaf_weight(const Node& leaf, const Node& node) const {
  const bool may =
      node.twin < 0 && (rules_.flexible ? node.label != IntervalTree::kUnmatched : leaf.label == node.label);
  return may ? weight(leaf, node) : 0;
}

double Mapper::iou(const Pair& pair) const {
  const IntervalTree::Node &u = a_->nodes[pair.a], &v = b_->nodes[pair.b];
  return (std::min(u.end, v.end) - std::max(u.start, v.start)) / (std::max(u.end, v.end) - std::min(u.start, v.start));
}

Weight Mapper::weight(const Pair& pair) const { return static_cast<Weight>(iou(pair) * kUnit + 0.5); }

// The first leaf that ends after each leaf starts and the last that starts before it ends: with them, u and v overlap
// if v's first leaf is at most `last` of u's last leaf and v's last leaf at least `first` of u's first leaf.
void Mapper::find_overlaps(const PathTree& from, const PathTree& to, Column<Overlap>& out) {
  out.set_size(static_cast<size_t>(from.leaf_count));
  int32_t first = 0, last = -1;
  for (int32_t leaf = 0; leaf < from.leaf_count; ++leaf) {
    const Node& node = from[from.leaves[leaf]];
    while (first < to.leaf_count && to[to.leaves[first]].end <= node.start) ++first;
    while (last + 1 < to.leaf_count && to[to.leaves[last + 1]].start < node.end) ++last;
    out[leaf] = {first, last};
  }
}

void Mapper::add(int32_t x, int32_t y, Weight sum) {
  List& list = lists_[x];
  if (list.size == list.room) {
    const uint32_t room = list.room ? 2 * list.room : 2;
    const bool is_last = list.room && list.at + list.room == pool_.size();
    const size_t needed = pool_.size() + (is_last ? room - list.room : room);
    if (needed > kMostCandidates) throw TooComplex(std::numeric_limits<double>::infinity());
    const auto end = static_cast<uint32_t>(pool_.size());
    pool_.set_size(needed);
    if (!is_last) {
      std::copy_n(pool_.data() + list.at, list.size, pool_.data() + end);
      list.at = end;
    }
    list.room = room;
  }
  pool_[list.at + list.size++] = {sum, 0, y, (*y_)[y].leftmost - 1};
}

// The partners of a leaf: only nodes with which it weighs more than with everything below them (rule 1), and none above
// the first one that covers it, since from there on the union only grows.
template <class Emit>
void Mapper::pair_leaf(const PathTree& from, int32_t leaf, const PathTree& to, Overlap over, bool with_leaves,
                       Emit emit_pair) {
  const Node& z = from[from.leaves[leaf]];
  if (over.first >= to.leaf_count || over.last < 0 || z.label == IntervalTree::kUnmatched) return;
  const bool inner = rules_.flexible || (to.inner_labels & bit_of(z.label)) != 0;
  const auto covered_by = [&](const Node& node) { return node.start <= z.start && node.end >= z.end; };
  if (over.first == over.last && covered_by(to[to.leaves[over.first]])) {
    const int32_t y = to.leaves[over.first];
    const Weight own = leaf_weight(z, to[y]);
    if (own && with_leaves) emit_pair(y, own);
    if (own || !inner) return;
    for (int32_t p = to[y].parent; p >= 0 && weight(z, to[p]); p = to[p].parent) {
      if (const Weight found = leaf_weight(z, to[p])) return emit_pair(p, found);
      worked(kNodeWork);
    }
    return;
  }
  if (over.first > over.last) {  // a silence
    if (!inner) return;
    for (int32_t p = to[to.leaves[over.last]].parent; p >= 0; p = to[p].parent) {
      worked(kNodeWork);
      if (to[p].last_leaf < over.first) continue;
      if (!weight(z, to[p])) return;
      if (const Weight found = leaf_weight(z, to[p])) return emit_pair(p, found);
    }
    return;
  }
  const int32_t last = to.leaves[over.last];
  worked(kNodeWork * static_cast<uint64_t>(last - to.leaves[over.first] + 1));
  for (int32_t y = to.leaves[over.first]; y <= last; ++y) {
    Weight best = std::exchange(below_[y], 0);
    const Weight own = leaf_weight(z, to[y]);
    if (own > best) {
      if (with_leaves || !to.is_leaf(y)) emit_pair(y, own);
      best = own;
    }
    if (const int32_t up = to[y].parent; up >= 0) below_[up] = std::max(below_[up], best);
  }
  for (int32_t p = to[last].parent; p >= 0; p = to[p].parent) {
    worked(kNodeWork);
    Weight best = std::exchange(below_[p], 0);
    const Weight own = inner ? leaf_weight(z, to[p]) : 0;
    if (own > best) {
      emit_pair(p, own);
      best = own;
    }
    if (covered_by(to[p]) && (!inner || best >= weight(z, to[p]))) break;
    if (const int32_t up = to[p].parent; up >= 0) below_[up] = std::max(below_[up], best);
  }
}

void Mapper::find_leaf_candidates() {
  const PathTree &x = *x_, &y = *y_;
  pool_.set_size(0);
  lists_.assign(static_cast<size_t>(x.size), {0, 0, 0});
  const auto columns = static_cast<size_t>(y.size) + 3;
  stair_column_.set_size(columns);
  stair_value_.set_size(columns);
  new_column_.set_size(columns);
  new_sum_.set_size(columns);
  old_column_.set_size(columns);
  old_value_.set_size(columns);
  if (const auto most = static_cast<size_t>(std::max(x.size, y.size)); below_.size() < most) below_.assign(most, 0);
  try {
    for (int32_t i = 0; i < x.leaf_count; ++i) {
      const int32_t z = x.leaves[i];
      if (x[z].twin >= 0) {
        const int32_t origin = x[z].origin;
        add(z, x[z].twin, Weight{origin - a_->nodes[origin].leftmost + 1} << kWeightBits);
      } else {
        pair_leaf(x, i, y, over_x_[i], true, [&](int32_t partner, Weight own) { add(z, partner, own); });
      }
    }
    for (int32_t j = 0; j < y.leaf_count; ++j) {
      const int32_t z = y.leaves[j];
      if (y[z].twin < 0)
        pair_leaf(y, j, x, over_y_[j], false, [&](int32_t partner, Weight own) { add(partner, z, own); });
    }
  } catch (...) {
    below_.set_size(0);  // no longer all zero
    throw;
  }
}

// ---- The choice between the two engines, and the work they may take

void Mapper::worked(uint64_t cells) {
  spent_ += cells;
  unpolled_ += cells;
  if (unpolled_ >= kWorkUnpolled) {
    unpolled_ = 0;
    if (poll_) poll_();
  }
  if (spent_ > allowed_) throw TooComplex(TooComplex::kAboveLimit);
}

// So much for this pair in all.
void Mapper::allow(double seconds) {
  const double cells = seconds / kCellCost;
  allowed_ = cells < 1e18 ? static_cast<uint64_t>(cells) : ~uint64_t{0};
}

// The cheaper engine by prediction, then the other, then both again with more to spend: neither runs much longer than a
// few times what the better one needs.
Weight Mapper::solve_contracted() {
  find_leaf_candidates();
  if (choice_.engine != Engine::kChosen) return choice_.engine == Engine::kWindow ? window() : sweep_all();
  if (x_->size + y_->size <= kFewNodes) return sweep_all();
  x_->count_above();
  y_->count_above();
  const double sweep_cost = predict_sweep(), window_cost = sweep_cost > kCheap ? predict_window() : kNoWay;
  const double least = std::min(sweep_cost, window_cost);
  if (least > rules_.limit) throw TooComplex(least);
  double budget = 2 * std::max(least, kCheap);
  bool with_window = window_cost < sweep_cost;
  for (int attempt = 1;; ++attempt) {
    const double end = kCellCost * static_cast<double>(spent_) + budget;
    allow(std::min(end, rules_.limit));
    try {
      return with_window ? window() : sweep_all();
    } catch (const TooComplex& problem) {
      if (problem.seconds != TooComplex::kAboveLimit || end >= rules_.limit) throw;
    }
    allow(rules_.limit);
    find_leaf_candidates();
    const bool may_choose = predict_window() < kNoWay;
    with_window = may_choose && !with_window;
    if (!may_choose)
      budget = kNoWay;
    else if (attempt % 2 == 0)
      budget *= 4;
  }
}

void Mapper::PathTree::count_above() {
  paths_above.set_size(static_cast<size_t>(leaf_count));
  nodes_above.set_size(static_cast<size_t>(leaf_count));
  for (int32_t leaf = 0; leaf < leaf_count; ++leaf) {
    const int32_t own = path_begin[leaf + 1] - path_begin[leaf];
    const int32_t up = (*this)[head[leaf]].parent;
    const int32_t before = up >= 0 ? (*this)[up].first_leaf : -1;
    paths_above[leaf] = (own > 0) + (up >= 0 ? paths_above[before] : 0);
    nodes_above[leaf] = own + (up >= 0 ? nodes_above[before] : 0);
  }
}

// Rows: over the pairs of overlapping leaves, the paths above one times the paths above the other, and more where their
// own paths are long, since a share of the pairs of their nodes become candidates of the rows; and for each path
// with the nodes above the leaf where it starts, the pairs of their nodes.
double Mapper::predict_sweep() const {
  double rows = 0, pairs = 0;
  const auto length = [](const PathTree& tree, int32_t leaf) {
    return static_cast<double>(tree.path_begin[leaf + 1] - tree.path_begin[leaf]);
  };
  const auto add_pairs = [&](const PathTree& from, const Column<Overlap>& over, const PathTree& to) {
    for (int32_t leaf = 0; leaf < from.leaf_count; ++leaf) {
      pairs += length(from, leaf) * to.nodes_above[std::min(over[leaf].first, to.leaf_count - 1)];
    }
  };
  for (int32_t i = 0; i < x_->leaf_count; ++i) {
    for (int32_t j = over_x_[i].first; j <= over_x_[i].last; ++j) {
      const double candidates = 1 + length(*x_, i) * length(*y_, j) / 10;
      rows += static_cast<double>(x_->paths_above[i]) * y_->paths_above[j] * candidates;
    }
  }
  add_pairs(*x_, over_x_, *y_);
  add_pairs(*y_, over_y_, *x_);
  return kRowCost * rows + kPathCost * pairs;
}

void Mapper::find_heavy_children() {
  const PathTree& x = *x_;
  heavy_.assign(static_cast<size_t>(x.size), -1);
  for (int32_t child = 0; child + 1 < x.size; ++child) {
    int32_t& heavy = heavy_[x[child].parent];
    if (heavy < 0 || child - x[child].leftmost >= heavy - x[heavy].leftmost) heavy = child;
  }
}

// kNoWay if its table would need too much memory.
double Mapper::predict_window() {
  const PathTree &x = *x_, &y = *y_;
  find_heavy_children();
  double cells = 0, widest = 0, pairs = 0;
  for (int32_t h = 0; h < x.size; ++h) {
    if (x.is_leaf(h) || (h != x.size - 1 && heavy_[x[h].parent] == h)) continue;
    const double leaves = std::abs(over_x_[x[h].last_leaf].last - over_x_[x[h].first_leaf].first) + 1;
    widest = std::max(widest, leaves);
    cells += (h - x[h].leftmost + 1.0) * leaves * leaves / 4;
    const auto [first, last] = std::minmax(
        {std::min(over_x_[x[h].first_leaf].first, y.leaf_count - 1), std::max(over_x_[x[h].last_leaf].last, 0)});
    double length = 0;
    for (int32_t q = h; !x.is_leaf(q); q = heavy_[q]) ++length;
    pairs += length * (y.leaves[last] - y.leaves[first] + 1.0 + y.nodes_above[last]);
  }
  if ((widest + 1) * (widest + 1) * sizeof(Weight) > kWindowBytes) return kNoWay;
  return kCellCost * cells + 2 * kPathCost * pairs;
}

// ---- First engine: a sweep for each pair of left paths

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
  const int32_t *const y_begin = y.path_nodes.data() + y.path_begin[j], *const y_end =
                                                                            y.path_nodes.data() + y.path_begin[j + 1];
  int32_t top_x = -1, top_y = -1;
  worked(kNodeWork);
  for (int32_t t = x.path_begin[i]; t < x.path_begin[i + 1]; ++t) {
    const int32_t u = x.path_nodes[t];
    const Node& node = x[u];
    if (!(y.path_labels[j] & bit_of(node.label))) continue;
    const int32_t* r = y_end;
    while (r != y_begin) {
      const int32_t v = *--r;
      if (node.label != y[v].label || !(node.start < y[v].end && y[v].start < node.end)) continue;
      if (rules_.threshold > 0 && !weight(node, y[v])) continue;
      top_x = u;
      top_y = std::max(top_y, v);
      break;
    }
    worked(kNodeWork * static_cast<uint64_t>(y_end - r));
  }
  if (top_x >= 0) sweep(i, j, top_x, top_y);
}

// One pass over the nodes of x below top_x that overlap top_y, in postorder, gives F for all pairs of the two paths.
// Returns the best chain.
Weight Mapper::sweep(const int32_t i, const int32_t j, const int32_t top_x, const int32_t top_y) {
  const PathTree &x = *x_, &y = *y_;
  const int32_t first_column = y.leaves[j];
  Staircase<false> chain(stair_column_.data(), stair_value_.data(), nullptr, first_column - 1);
  const auto inside = [&](int32_t column) {
    return static_cast<uint32_t>(column - first_column) <= static_cast<uint32_t>(top_y - first_column);
  };
  const int32_t first_row = std::max(i, over_y_[j].first);
  const int32_t last_row = std::min(x[top_x].last_leaf, over_y_[y[top_y].last_leaf].last);

  // The candidates just added for the path node `newest` may still be dropped when its siblings come (rule 2).
  int32_t newest = -1, siblings_seen = 0;
  uint32_t open = 0;
  uint64_t work = 0;
  int32_t* const open_column = new_column_.data();
  Weight* const open_sum = new_sum_.data();
  const auto see_sibling = [&](const Node& sibling) {
    work += kCandidateWork * open;
    List& list = lists_[newest];
    Candidate* const added = pool_.data() + list.at + list.size - open;
    uint32_t kept = 0;
    for (uint32_t t = 0; t < open; ++t) {
      if (sibling.end <= y[added[t].y].end && chain.at(open_column[t]) > open_sum[t]) continue;
      added[kept] = added[t];
      open_column[kept] = open_column[t];
      open_sum[kept++] = open_sum[t];
    }
    list.size -= open - kept;
    open = ++siblings_seen < kMostSiblings ? kept : 0;
  };
  const auto candidates = [&](int32_t node) {
    const List& list = lists_[node];
    work += kCandidateWork * list.size;
    return std::span<Candidate>(pool_.data() + list.at, list.size);
  };
  const bool is_long = y.path_begin[j + 1] - y.path_begin[j] >= kLongPath;
  const auto path_row = [&](int32_t row) {
    const Node& node = x[row];
    uint32_t found = 0;
    if (!x.is_leaf(row) && node.label != IntervalTree::kUnmatched && (y.path_labels[j] & bit_of(node.label))) {
      int32_t from = 0;
      for (int32_t t = y.path_begin[j]; t < y.path_begin[j + 1]; ++t) {
        const int32_t v = y.path_nodes[t];
        if (v > top_y) break;
        if (y[v].label != node.label) continue;
        const Weight own = weight(node, y[v]);
        if (!own) continue;
        new_column_[found] = v;
        new_sum_[found++] = own + (is_long ? chain.at(v - 1, from) : chain.at(v - 1));
      }
      work += kNodeWork * static_cast<uint64_t>(y.path_begin[j + 1] - y.path_begin[j]) + kCandidateWork * found;
    }
    for (const Candidate& known : candidates(row))
      if (inside(known.y)) chain.insert(known.y, known.sum);
    open = 0;
    // `best` and `later`: the chains that end at v or before, and at a later column.
    const auto keep = [&](int32_t v, Weight sum, Weight best, const auto& later) {
      if (sum <= best) return false;  // rule 1
      int32_t reach = v;              // the last right sibling of v inside the row's interval
      if (const int32_t up = y[v].parent; up >= 0 && up <= top_y && y[up].leftmost == first_column) {
        for (int step = 0; step < kMostSiblings && reach + 1 < up; ++step) {
          const int32_t sibling = y.head[y[reach + 1].first_leaf];
          if (y[sibling].end > node.end) break;
          reach = sibling;
          work += kNodeWork;
        }
      }
      if (reach > v && sum < later(reach)) return false;  // rule 2
      add(row, v, sum);
      open_column[open] = reach;
      open_sum[open++] = sum;
      return true;
    };
    if (static_cast<int32_t>(found) < kLongPath) {
      for (uint32_t t = 0; t < found; ++t) {
        const int32_t v = open_column[t];
        const Weight sum = open_sum[t];
        if (keep(v, sum, chain.at(v), [&](int32_t column) { return chain.at(column); })) chain.insert(v, sum);
      }
    } else {
      const auto old = chain.copy(old_column_.data(), old_value_.data());
      merged_column_.assign(new_column_.data(), found);
      merged_sum_.assign(new_sum_.data(), found);
      const auto later = [&](int32_t column) { return old.at(column); };
      chain.merge(old, merged_column_, merged_sum_,
                  [&](size_t t, Weight best) { return keep(merged_column_[t], merged_sum_[t], best, later); });
    }
    newest = row;
    siblings_seen = 0;
  };
  const auto other_row = [&](int32_t row) {
    const Weight before = x[row].first_leaf < first_row ? 0 : ~Weight{0};  // not entered: nothing can stand before it
    for (const Candidate& known : candidates(row))
      if (inside(known.y)) chain.insert(known.y, known.sum + (known.before & before));
    if (open && x[row].parent == x[newest].parent) see_sibling(x[row]);
  };
  const auto leaf_row = [&](int32_t row) {
    const Node& node = x[row];
    const int32_t leaf = node.first_leaf;
    for (int32_t t = x.path_begin[leaf]; t < x.path_begin[leaf + 1]; ++t)
      for (Candidate& known : candidates(x.path_nodes[t]))
        if (inside(known.y)) known.before = chain.at(known.last_before);
    // Going down, an insertion never changes a later query of the same row.
    const std::span<Candidate> own = candidates(row);
    for (size_t t = own.size(); t-- > 0;)
      if (inside(own[t].y)) chain.insert(own[t].y, own[t].sum + chain.at(own[t].last_before));
    if (open && node.parent == x[newest].parent) see_sibling(node);
  };

  if (last_row < 0 || first_row >= x.leaf_count) return 0;
  // From the first overlapping leaf to the last, then the ancestors of that; in a silence only those that span it.
  const int32_t end = x.leaves[last_row];
  const bool spoken = first_row <= last_row;
  for (int32_t row = spoken ? x.leaves[first_row] : x[end].parent; row >= 0 && row <= top_x;
       row = row < end ? row + 1 : x[row].parent) {
    work += kNodeWork;
    if (!spoken && x[row].last_leaf < first_row) continue;
    if (x[row].first_leaf == i)
      path_row(row);
    else if (x.is_leaf(row))
      leaf_row(row);
    else
      other_row(row);
    work += 2 * chain.take_moves();
    if (work >= kWorkUncounted) worked(std::exchange(work, 0));
  }
  worked(work);
  return chain.last();
}

// ---- Second engine: heavy paths in x, all windows of leaves in y
//
// table[c][d] is the best chain of the current forest of x with the nodes of y inside the leaves (c, d]; inside[v] the
// same for the nodes strictly below v; best[v] the largest F of v so far.

Weight Mapper::window() {
  const PathTree &x = *x_, &y = *y_;
  const auto rows = static_cast<size_t>(x.size), columns = static_cast<size_t>(y.size);
  for (Column<Weight>* column : {&inside_, &best_, &own_best_}) column->set_size(columns);
  for (Column<int32_t>* column : {&overlapping_, &low_, &high_}) column->set_size(columns);
  by_opening_.set_size(rows);
  opening_.set_size(rows);
  opening_[x.size - 1] = 0;
  for (int32_t p = x.size - 1; p >= 0; --p) {
    by_opening_[opening_[p]] = p;
    int32_t end = opening_[p] + (p - x[p].leftmost);
    for (int32_t child = p - 1; child >= x[p].leftmost; child = x[child].leftmost - 1) {
      const int32_t size = child - x[child].leftmost + 1;
      opening_[child] = end - size + 1;
      end -= size;
    }
  }
  find_heavy_children();
  const auto candidates = [&](int32_t node) {
    const List& list = lists_[node];
    return std::span<Candidate>(pool_.data() + list.at, list.size);
  };
  Weight result = 0;
  for (int32_t h = 0; h < x.size; ++h) {
    const bool is_root = h == x.size - 1;
    if (!is_root && (x.is_leaf(h) || heavy_[x[h].parent] == h)) continue;
    int32_t first = over_x_[x[h].first_leaf].first, last = over_x_[x[h].last_leaf].last;
    if (first >= y.leaf_count || last < 0) continue;
    if (first > last) std::swap(first, last);  // h lies in a silence of y: the leaves around it
    const int32_t width = last - first + 1;
    const auto stride = static_cast<size_t>(width) + 1;
    int32_t overlapping = 0;
    for (int32_t v = y.leaves[first]; v <= y.leaves[last]; ++v) overlapping_[overlapping++] = v;
    for (int32_t v = y[y.leaves[last]].parent; v >= 0; v = y[v].parent) overlapping_[overlapping++] = v;
    for (int32_t t = 0; t < overlapping; ++t) {
      const int32_t v = overlapping_[t];
      inside_[v] = best_[v] = 0;
      low_[v] = std::max(y[v].first_leaf - first, 0);
      high_[v] = std::min(y[v].last_leaf - first + 1, width);
    }
    worked(stride * stride + kNodeWork * static_cast<uint64_t>(overlapping));
    table_.assign(stride * stride, 0);
    uint64_t work = 0;
    Weight* const table = table_.data();
    const auto row_of = [&](int32_t c) { return table + static_cast<size_t>(c) * stride; };
    // What the pair with v means for v itself and, through `value`, for all nodes above it.
    const auto lift = [&](int32_t v, Weight sum, const auto& value) {
      best_[v] = std::max(best_[v], sum);
      for (int32_t up = y[v].parent; up >= 0; up = y[up].parent, work += kNodeWork)
        inside_[up] = std::max(inside_[up], value(up));
    };
    // A pair over the whole current forest, or the first one of all.
    const auto place = [&](int32_t v, Weight sum) {
      best_[v] = std::max(best_[v], sum);
      for (int32_t up = y[v].parent; up >= 0 && inside_[up] < sum; up = y[up].parent, work += kNodeWork)
        inside_[up] = sum;
      // Wider windows hold more: what is reached in one is reached in all around it.
      for (int32_t c = low_[v]; c >= 0 && row_of(c)[high_[v]] < sum; --c) {
        Weight* const row = row_of(c);
        int32_t d = high_[v];
        for (; d <= width && row[d] < sum; ++d) row[d] = sum;
        work += kNodeWork + 2 * static_cast<uint64_t>(d - high_[v]);
      }
    };
    const auto use_cells = [&](int32_t low, int32_t high) {
      work += static_cast<uint64_t>(low + 1) * (static_cast<uint64_t>(width - high) + kNodeWork);
      if (work >= kWorkUncounted) worked(std::exchange(work, 0));
    };
    // A node to the right of the forest: what stood before it when it was entered is kept until it is left. Nodes are
    // entered from the outside to the inside, so that the last one entered is left first.
    const auto enter_right = [&](int32_t node) {
      const List& list = lists_[node];
      for (uint32_t k = list.at; k < list.at + list.size; ++k) {
        saved_at_[k] = saved_.size();
        const int32_t low = low_[pool_[k].y];
        work += kNodeWork * static_cast<uint64_t>(low + 1);
        for (int32_t c = 0; c <= low; ++c) saved_.push_back(row_of(c)[low]);
      }
    };
    const auto leave_right = [&](int32_t node) {
      const List& list = lists_[node];
      for (uint32_t k = list.at; k < list.at + list.size; ++k) {
        const int32_t v = pool_[k].y, low = low_[v], high = high_[v];
        const Weight sum = pool_[k].sum;
        const Weight* const saved = saved_.data() + saved_at_[k];
        lift(v, sum, [&](int32_t up) { return sum + saved[low_[up]]; });
        use_cells(low, high);
        for (int32_t c = 0; c <= low; ++c) {
          Weight* const row = row_of(c);
          const Weight value = sum + saved[c];
          for (int32_t d = high; d <= width; ++d) row[d] = std::max(row[d], value);
        }
      }
      if (list.size) saved_.shrink_to(saved_at_[list.at]);
    };
    const auto enter_left = [&](int32_t node) {
      const List& list = lists_[node];
      for (uint32_t k = list.at; k < list.at + list.size; ++k) {
        saved_at_[k] = saved_.size();
        const int32_t high = high_[pool_[k].y];
        saved_.append(row_of(high) + high, static_cast<size_t>(width - high) + 1);
      }
    };
    const auto leave_left = [&](int32_t node) {
      const List& list = lists_[node];
      for (uint32_t k = list.at; k < list.at + list.size; ++k) {
        const int32_t v = pool_[k].y, low = low_[v], high = high_[v];
        const Weight sum = pool_[k].sum;
        const Weight* const saved = saved_.data() + saved_at_[k];  // from column `high` on
        lift(v, sum, [&](int32_t up) { return sum + saved[high_[up] - high]; });
        use_cells(low, high);
        for (int32_t c = 0; c <= low; ++c) {
          Weight* const row = row_of(c) + high;
          for (int32_t d = 0; d <= width - high; ++d) row[d] = std::max(row[d], sum + saved[d]);
        }
      }
      if (list.size) saved_.shrink_to(saved_at_[list.at]);
    };

    int32_t q = h;
    while (!x.is_leaf(q)) q = heavy_[q];
    for (const Candidate& known : candidates(q)) place(known.y, known.sum);
    while (q != h) {
      const int32_t p = x[q].parent;
      if (saved_at_.size() < pool_.size()) saved_at_.set_size(pool_.size());
      saved_.set_size(0);
      for (int32_t sibling = q; sibling + 1 < p;) {  // to the right
        sibling = x.head[x[sibling + 1].first_leaf];
        for (int32_t node = x[sibling].leftmost; node <= sibling; ++node) {
          if (x.is_leaf(node)) {
            const int32_t leaf = x[node].first_leaf;
            for (int32_t t = x.path_begin[leaf + 1]; t-- > x.path_begin[leaf];) enter_right(x.path_nodes[t]);
            enter_right(node);
          }
          leave_right(node);
        }
      }
      for (int32_t sibling = x[q].leftmost - 1; sibling >= x[p].leftmost;
           sibling = x[sibling].leftmost - 1) {  // to the left
        for (int32_t z = opening_[sibling] + (sibling - x[sibling].leftmost); z >= opening_[sibling]; --z) {
          const int32_t node = by_opening_[z];
          if (x.is_leaf(node)) {
            chain_.set_size(0);
            for (int32_t up = node; up != sibling && x[up].parent == up + 1; up = x[up].parent)
              chain_.push_back(x[up].parent);
            for (size_t t = chain_.size(); t-- > 0;) enter_left(chain_[t]);
            enter_left(node);
          }
          leave_left(node);
        }
      }
      // p itself; own_best_ is the largest F of p with a node at or below v.
      for (int32_t t = 0; t < overlapping; ++t) own_best_[overlapping_[t]] = 0;
      for (const Candidate& known : candidates(p)) own_best_[known.y] = std::max(own_best_[known.y], known.sum);
      for (int32_t t = 0; t < overlapping; ++t) {
        const int32_t v = overlapping_[t], up = y[v].parent;
        Weight below = own_best_[v];
        const bool may = !y.is_leaf(v) && y[v].label == x[p].label && x[p].label != IntervalTree::kUnmatched;
        const Weight own = may ? weight(x[p], y[v]) : 0;
        if (own) {
          const Weight sum = own + inside_[v];
          if (sum > below && sum > best_[v]) {  // rule 1
            bool drop = false;
            if (up >= 0) {  // rule 2: v with its siblings inside p; one of no length at its edge is outside
              int32_t low = low_[v], high = high_[v], steps = kMostSiblings;
              for (int32_t next = v; next + 1 < up && --steps > 0;) {
                next = y.head[y[next + 1].first_leaf];
                if (y[next].end > x[p].end || y[next].start >= x[p].end) break;
                high = high_[next];
              }
              for (int32_t next = y[v].leftmost - 1; next >= y[up].leftmost && --steps > 0;
                   next = y[next].leftmost - 1) {
                if (y[next].start < x[p].start || y[next].end <= x[p].start) break;
                low = low_[next];
              }
              // A window as wide as the parent's would also hold the parent itself.
              const bool as_parent = low == low_[up] && high == high_[up];
              drop = (as_parent ? inside_[up] : row_of(low)[high]) > sum;
              work += kNodeWork * static_cast<uint64_t>(kMostSiblings - steps);
            }
            if (!drop) add(p, v, sum);
          }
          below = std::max(below, sum);
        }
        if (up >= 0) own_best_[up] = std::max(own_best_[up], below);
      }
      if (saved_at_.size() < pool_.size()) saved_at_.set_size(pool_.size());
      const std::span<Candidate> known = candidates(p);
      for (size_t t = known.size(); t-- > 0;)
        place(known[t].y, known[t].sum);  // from above, which often settles the rest
      q = p;
      work += kCandidateWork * (known.size() + static_cast<uint64_t>(overlapping));
      if (work >= kWorkUncounted) worked(std::exchange(work, 0));
    }
    worked(work);
    if (is_root) result = table[width];
  }
  return result;
}

// ---- The alignment: the chain is found once more inside each chosen pair, this time with links

// Brings candidates found from right to left back into reading order, so that ties do not depend on the direction.
void Mapper::unmirror() {
  PathTree &a = plain_[0], &b = plain_[1];
  Column<int32_t>& back = kept_b_;  // of no more use for its own purpose
  back.set_size(static_cast<size_t>(b.size));
  for (int32_t p = 0; p < b.size; ++p) back[order_b_[p]] = p;
  lists_copy_.set_size(static_cast<size_t>(a.size));
  pool_copy_.set_size(0);
  for (int32_t p = 0; p < a.size; ++p) {
    const List& list = lists_[order_a_[p]];
    lists_copy_[p] = {static_cast<uint32_t>(pool_copy_.size()), list.size, list.size};
    for (uint32_t k = list.at; k < list.at + list.size; ++k) {
      pool_copy_.push_back(pool_[k]);
      pool_copy_[pool_copy_.size() - 1].y = back[pool_[k].y];
    }
  }
  a.connect();
  b.connect();
  x_ = &a;
  y_ = &b;
  mirrored_ = false;
  pool_.swap(pool_copy_);
  lists_.swap(lists_copy_);
}

void Mapper::emit(int32_t x, int32_t y) {
  const int32_t a = (*x_)[x].origin, b = (*y_)[y].origin;
  const int32_t first = (*x_)[x].twin >= 0 ? a_->nodes[a].leftmost : a;
  for (int32_t node = first; node <= a; ++node) pairs_.push_back({node, node + b - a});
}

void Mapper::Outlook::prepare(const PathTree& tree, const IntervalTree& original) {
  before.set_size(original.nodes.size() + 1);
  before[0] = 0;
  for (int32_t p = 0; p < original.size(); ++p)
    before[p + 1] = before[p] + (original.nodes[p].label != IntervalTree::kUnmatched);
  above.set_size(static_cast<size_t>(tree.size));
  taken.set_size(static_cast<size_t>(tree.size));
  for (int32_t node = tree.size - 1; node >= 0; --node) {
    const int32_t up = tree[node].parent;
    above[node] = up < 0 ? 0 : above[up] + (tree[up].label != IntervalTree::kUnmatched);
    taken[node] = room(tree, original, node, node);
  }
}

int32_t Mapper::Outlook::room(const PathTree& tree, const IntervalTree& original, int32_t first, int32_t last) const {
  return before[tree[last].origin + 1] - before[original.nodes[tree[first].origin].leftmost] + above[last];
}

// Finds the best chain of a region, whose sum is known. With kPrunes, pairs that cannot be in it are left out: those
// that fall short of the sum even if every node beside them had an equal partner. This changes no tie, since such a
// pair never takes the place of one that is in a best chain.
template <bool kPrunes>
void Mapper::trace(const Region& region) {
  const PathTree &x = *x_, &y = *y_;
  const auto [x_first, x_last, y_first, y_last, sum] = region;
  uint64_t work = 0;
  Staircase<true> chain(stair_column_.data(), stair_value_.data(), stair_link_.data(), y_first - 1);
  links_.clear();
  const int32_t room_x = kPrunes ? outlook_x_.room(x, *a_, x_first, x_last) : 0;
  const int32_t room_y = kPrunes ? outlook_y_.room(y, *b_, y_first, y_last) : 0;
  // Calls use(k, y) for those candidates of a node that may be in the chain.
  const auto for_candidates = [&](int32_t node, const auto& use) {
    const List& list = lists_[node];
    uint32_t k = list.at, end = list.at + list.size;
    work += kNodeWork;
    if constexpr (kPrunes) {
      const Weight least = sum - (Weight{room_x - outlook_x_.taken[node]} << kWeightBits);
      if (k == end || highest_[end - 1] < least) return;
      if (pool_[end - 1].y > y_last) {
        const auto is_after = [](int32_t column, const Candidate& known) { return column < known.y; };
        const Candidate* const list_begin = pool_.data() + k;
        end = k + static_cast<uint32_t>(std::upper_bound(list_begin, list_begin + list.size, y_last, is_after) -
                                        list_begin);
      }
      k = static_cast<uint32_t>(std::lower_bound(highest_.data() + k, highest_.data() + end, least) - highest_.data());
    }
    work += kCandidateWork * (end - k);
    for (; k < end; ++k) {
      const int32_t v = pool_[k].y;
      if (v < y_first || v > y_last) continue;
      if constexpr (kPrunes) {
        const int32_t outside = std::min(room_x - outlook_x_.taken[node], room_y - outlook_y_.taken[v]);
        if (pool_[k].sum + (Weight{outside} << kWeightBits) < sum) continue;
      }
      use(k, v);
    }
  };
  const auto enter = [&](uint32_t k, int32_t v) {
    const int32_t before = y[v].leftmost - 1;
    pool_[k].before = chain.at(before);
    link_before_[k] = chain.link_at(before);
  };
  for (int32_t row = x_first; row <= x_last; ++row) {
    if (x.is_leaf(row)) {
      const int32_t leaf = x[row].first_leaf;
      for_candidates(row, enter);
      for (int32_t t = x.path_begin[leaf]; t < x.path_begin[leaf + 1] && x.path_nodes[t] <= x_last; ++t)
        for_candidates(x.path_nodes[t], enter);
    }
    const size_t first = links_.size();
    for_candidates(row, [&](uint32_t k, int32_t v) {
      // Where both nodes start with the region, what was found so far is what would be found below the pair alone.
      const bool is_known = !kPrunes && x[row].leftmost == x_first && y[v].leftmost == y_first;
      links_.push_back({k, row, link_before_[k], is_known ? chain.link_at(v - 1) : Link::kUnknown});
    });
    for (size_t link = first; link < links_.size(); ++link) {
      const Candidate& known = pool_[links_[link].candidate];
      chain.insert(known.y, known.sum + known.before, static_cast<int32_t>(link));
    }
    work += 2 * chain.take_moves();
    if (work >= kWorkUncounted) worked(std::exchange(work, 0));
  }
  worked(work);
  ends_.assign(1, chain.last_link());
  while (!ends_.empty()) {
    int32_t at = ends_.back();
    ends_.pop_back();
    while (at >= 0) {
      const Link& link = links_[static_cast<size_t>(at)];
      const Candidate& chosen = pool_[link.candidate];
      emit(link.x, chosen.y);
      if (link.below != Link::kUnknown) {
        ends_.push_back(link.below);
      } else if (!x.is_leaf(link.x) && !y.is_leaf(chosen.y)) {
        const Weight rest = chosen.sum - weight(x[link.x], y[chosen.y]);
        if (rest > 0) waiting_.push_back({x[link.x].leftmost, link.x - 1, y[chosen.y].leftmost, chosen.y - 1, rest});
      }
      at = link.previous;
    }
  }
}

template <bool kPrunes>
void Mapper::trace_all() {
  pairs_.clear();
  waiting_.assign(1, {0, x_->size - 1, 0, y_->size - 1, result_});
  while (!waiting_.empty()) {
    const Region region = waiting_.back();
    waiting_.pop_back();
    trace<kPrunes>(region);
  }
}

const std::vector<Mapper::Pair>& Mapper::align() {
  pairs_.clear();
  if (identical_) {
    for (int32_t node = 0; node < a_->size(); ++node) pairs_.push_back({node, node});
    return pairs_;
  }
  if (plain_[0].size == 0) return pairs_;
  if (mirrored_) unmirror();
  // Ascending, so that ties do not depend on the order in which the candidates were found.
  const auto by_column = [](const Candidate& p, const Candidate& q) { return p.y < q.y; };
  for (int32_t row = 0; row < x_->size; ++row)
    if (const List& list = lists_[row]; list.size > 1)
      std::sort(pool_.data() + list.at, pool_.data() + list.at + list.size, by_column);
  stair_link_.set_size(stair_column_.size());
  link_before_.set_size(pool_.size());
  allow(kCellCost * static_cast<double>(spent_) + kPlainTrace);
  try {
    if (!choice_.prune) {
      trace_all<false>();
      return pairs_;
    }
  } catch (const TooComplex&) {
  }
  outlook_x_.prepare(*x_, *a_);
  outlook_y_.prepare(*y_, *b_);
  highest_.set_size(pool_.size());
  for (int32_t row = 0; row < x_->size; ++row) {
    Weight highest = 0;
    for (uint32_t k = lists_[row].at; k < lists_[row].at + lists_[row].size; ++k)
      highest_[k] = highest = std::max(highest, pool_[k].sum);
  }
  allow(kNoWay);
  trace_all<true>();
  return pairs_;
}

}  // namespace treescore
