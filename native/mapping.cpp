// How it works. Let F(u, v) be the weight of the pair plus the best alignment of the nodes below u with those below v.
// The best alignment of two forests is a chain of pairs (x1, y1), (x2, y2), … with disjoint x from left to right, and
// disjoint y too. It is worth the sum of their F. The aim of everything else is to compute few F:
//
// 1. Twins, subtrees equal in shape, intervals and labels, can be mapped onto each other without loss. The largest ones
//    are contracted to single leaves that match only each other. Proof idea: at most one of two twins has pairs that
//    lead out of the twins, so that an optimal alignment has at most as many pairs there, each of weight at most 1, as
//    the identity.
// 2. A pair is dropped if something else is worth at least as much in every context in which the pair could occur: an
//    alignment of the two subtrees without it (rule 1), or, strictly more, one that also uses the neighbouring siblings
//    inside the partner's interval, which the pair would block (rule 2). The pairs that are left are the candidates:
//    about one per node in ordinary trees, though there are deep trees in which hardly any pair is dropped.
// 3. A sweep over the candidates finds the chains for each pair of left paths (Zhang and Shasha) or of right paths,
//    whichever are cheaper (mapping_sweep.cpp). Both are expensive for deep trees that branch left and right in turn,
//    for which heavy paths in one tree are combined with all windows of leaves in the other (Klein; Demaine et al.;
//    mapping_window.cpp). The prediction which of the two engines is cheaper may be wrong, so all work is counted, and
//    an engine that takes longer than expected is stopped in favour of the other one.
// 4. If the alignment is wanted, the chains of the chosen pairs are found once more, with links (mapping_trace.cpp).
#include "mapping.hpp"

#include <algorithm>
#include <cstdlib>

namespace treescore {
namespace {

constexpr int32_t kMostNodes = int32_t{1} << 22;      // sums of weights must fit into 63 bits
constexpr size_t kMostCandidates = size_t{1} << 24;   // 0.4 GB of them
constexpr int32_t kFewNodes = 100;                    // too few for either engine to take long
constexpr double kWindowBytes = 512.0 * 1024 * 1024;  // the table of window() never grows beyond this

// Measured, in seconds: a row of a sweep, a comparison of two path nodes.
constexpr double kRowCost = 60e-9, kPathCost = 8e-9;
constexpr double kCheap = 1500 * kRowCost;  // a sweep for which no window needs to be considered

}  // namespace

void Mapper::set(const MappingRules& rules, std::function<void()> poll) {
  rules_ = rules;
  poll_ = std::move(poll);
  memory_.emplace(poll_);
  choice_ = {};
}

void Mapper::claim(size_t Needs::* kind, size_t bytes) {
  needs_.*kind = bytes + bytes / 2;  // columns grow like this
  try {
    memory_->grow_to(needs_.candidates + needs_.table + needs_.saved + needs_.links);
  } catch (const MemoryClaim::NeverFits&) {
    throw TooComplex(kNoLimit);
  }
}

void Mapper::free_memory() {
  solved_ = false;
  for (Column<Candidate>* column : {&pool_, &pool_copy_}) column->free();
  for (Column<Weight>* column : {&table_, &saved_, &highest_}) column->free();
  saved_at_.free();
  link_before_.free();
  links_ = {};
}

void Mapper::release() {
  if (memory_->is_counted()) free_memory();
  memory_->release();
}

Weight Mapper::solve(const IntervalTree& a, const IntervalTree& b) {
  release();
  return within_budget(*memory_, [&] { return solve_once(a, b); }, [&] { free_memory(); });
}

Weight Mapper::solve_once(const IntervalTree& a, const IntervalTree& b) {
  needs_ = {};
  solved_ = true;
  a_ = &a;
  b_ = &b;
  identical_ = false;
  spent_ = 0;
  allow(rules_.limit);
  plain_[0].size = plain_[1].size = 0;
  if (a.counted == 0 || b.counted == 0) return 0;
  if (a.size() > kMostNodes || b.size() > kMostNodes) throw TooComplex(kNoLimit);
  find_twins();
  identical_ = a.size() == b.size() && twin_a_[a.size() - 1] == b.size() - 1;
  if (identical_) return Weight{a.size()} << kWeightBits;
  contract(a, twin_a_, plain_[0], kept_a_);
  contract(b, twin_b_, plain_[1], kept_b_);
  link_twins(plain_[0], twin_a_, kept_b_);
  link_twins(plain_[1], twin_b_, kept_a_);
  choose_direction();
  x_->connect();
  y_->connect();
  find_overlaps(*x_, *y_, over_x_);
  find_overlaps(*y_, *x_, over_y_);
  return result_ = solve_contracted();
}

// ---- Twins and orientation

void Mapper::find_twins() {
  const IntervalTree& a = *a_;
  twin_a_.assign(a.nodes.size(), -1);
  twin_b_.assign(b_->nodes.size(), -1);
  if (!choice_.contract || rules_.threshold >= 1) return;
  pair_equal_leaves();
  // An inner node is a twin if all nodes below it are, with one offset between their postorder numbers.
  constexpr int32_t kNoOffset = INT32_MIN;
  int32_t offset = kNoOffset, run = 0;  // … which has been the same since `run`
  for (int32_t x = 0; x < a.size(); ++x) {
    const int32_t leftmost = a.nodes[x].leftmost;
    if (leftmost != x && offset != kNoOffset && run <= leftmost && is_twin(x, x + offset)) twin_a_[x] = x + offset;
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

void Mapper::pair_equal_leaves() {
  const IntervalTree &a = *a_, &b = *b_;
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
}

// Whether inner nodes are twins if all nodes below x are, with the offset between x and y.
bool Mapper::is_twin(int32_t x, int32_t y) const {
  if (y >= b_->size()) return false;
  const IntervalTree::Node &u = a_->nodes[x], &v = b_->nodes[y];
  return v.leftmost - y == u.leftmost - x && v.label == u.label && u.label != IntervalTree::kUnmatched;
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

// Gives each node that is left the new number of its twin.
void Mapper::link_twins(PathTree& tree, const Column<int32_t>& twins, const Column<int32_t>& kept_twins) {
  for (int32_t p = 0; p < tree.size; ++p) {
    const int32_t twin = twins[tree[p].origin];
    tree.nodes[p].twin = twin < 0 ? -1 : kept_twins[twin];
  }
}

// Left paths, or right paths as left paths of the mirrored trees, whichever are cheaper.
void Mapper::choose_direction() {
  const auto cost = [](int64_t p, int64_t q) { return static_cast<double>(p) * static_cast<double>(q); };
  mirrored_ = choice_.paths == Paths::kChosen
                  ? cost(plain_[0].right_cost, plain_[1].right_cost) < cost(plain_[0].left_cost, plain_[1].left_cost)
                  : choice_.paths == Paths::kRight;
  x_ = &plain_[0];
  y_ = &plain_[1];
  if (!mirrored_) return;
  mirror(plain_[0], mirrored_trees_[0], order_a_);
  mirror(plain_[1], mirrored_trees_[1], order_b_);
  x_ = &mirrored_trees_[0];
  y_ = &mirrored_trees_[1];
  renumber_twins(*x_, order_b_);
  renumber_twins(*y_, order_a_);
}

void Mapper::renumber_twins(PathTree& tree, const Column<int32_t>& order) {
  for (int32_t p = 0; p < tree.size; ++p)
    if (int32_t& twin = tree.nodes[p].twin; twin >= 0) twin = order[twin];
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

Weight Mapper::leaf_weight(const Node& leaf, const Node& node) const {
  const bool may =
      node.twin < 0 && (rules_.flexible ? node.label != IntervalTree::kUnmatched : leaf.label == node.label);
  return may ? weight(leaf, node) : 0;
}

double Mapper::iou(const Pair& pair) const {
  const IntervalTree::Node &u = a_->nodes[pair.a], &v = b_->nodes[pair.b];
  return (std::min(u.end, v.end) - std::max(u.start, v.start)) / (std::max(u.end, v.end) - std::min(u.start, v.start));
}

Weight Mapper::weight(const Pair& pair) const {
  return static_cast<Weight>(iou(pair) * static_cast<double>(Weight{1} << kWeightBits) + 0.5);
}

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
    if (needed > kMostCandidates) throw TooComplex(kNoLimit);
    need(&Needs::candidates, needed * kBytesPerCandidate);
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
                       const Emit& emit_pair) {
  const Node& z = from[from.leaves[leaf]];
  if (over.first >= to.leaf_count || over.last < 0 || z.label == IntervalTree::kUnmatched) return;
  const bool with_inner = rules_.flexible || (to.inner_labels & bit_of(z.label)) != 0;
  if (over.first > over.last) {  // a silence
    if (with_inner) pair_silent_leaf(z, to, over, emit_pair);
  } else if (over.first == over.last && covers(to[to.leaves[over.first]], z)) {
    pair_covered_leaf(z, to, to.leaves[over.first], with_leaves, with_inner, emit_pair);
  } else {
    pair_overlapping_leaf(z, to, over, with_leaves, with_inner, emit_pair);
  }
}

// A leaf that overlaps no leaf of the other tree, only nodes that span the silence.
template <class Emit>
void Mapper::pair_silent_leaf(const Node& z, const PathTree& to, Overlap over, const Emit& emit_pair) {
  for (int32_t p = to[to.leaves[over.last]].parent; p >= 0; p = to[p].parent) {
    worked(kNodeWork);
    if (to[p].last_leaf < over.first) continue;
    if (!weight(z, to[p])) return;
    if (const Weight own = leaf_weight(z, to[p])) return emit_pair(p, own);
  }
}

// A leaf that is inside the leaf y.
template <class Emit>
void Mapper::pair_covered_leaf(const Node& z, const PathTree& to, int32_t y, bool with_leaves, bool with_inner,
                               const Emit& emit_pair) {
  const Weight with_leaf = leaf_weight(z, to[y]);
  if (with_leaf && with_leaves) emit_pair(y, with_leaf);
  if (with_leaf || !with_inner) return;
  for (int32_t p = to[y].parent; p >= 0 && weight(z, to[p]); p = to[p].parent) {
    if (const Weight own = leaf_weight(z, to[p])) return emit_pair(p, own);
    worked(kNodeWork);
  }
}

template <class Emit>
void Mapper::pair_overlapping_leaf(const Node& z, const PathTree& to, Overlap over, bool with_leaves, bool with_inner,
                                   const Emit& emit_pair) {
  const auto pass_up = [&](int32_t y, Weight best) {
    if (const int32_t up = to[y].parent; up >= 0) below_[up] = std::max(below_[up], best);
  };
  const int32_t first = to.leaves[over.first], last = to.leaves[over.last];
  worked(kNodeWork * static_cast<uint64_t>(last - first + 1));
  for (int32_t y = first; y <= last; ++y) {
    const Weight below = std::exchange(below_[y], 0), own = leaf_weight(z, to[y]);
    if (own > below && (with_leaves || !to.is_leaf(y))) emit_pair(y, own);
    pass_up(y, std::max(own, below));
  }
  for (int32_t p = to[last].parent; p >= 0; p = to[p].parent) {
    worked(kNodeWork);
    const Weight below = std::exchange(below_[p], 0), own = with_inner ? leaf_weight(z, to[p]) : 0;
    if (own > below) emit_pair(p, own);
    const Weight best = std::max(own, below);
    if (covers(to[p], z) && (!with_inner || best >= weight(z, to[p]))) break;
    pass_up(p, best);
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

// Limits the work for this pair, including what has been done already.
void Mapper::allow(double seconds) {
  const double cells = seconds / kCellCost;
  allowed_ = cells < 1e18 ? static_cast<uint64_t>(cells) : ~uint64_t{0};
}

// Runs the engine that is predicted to be cheaper, then the other one, then both again with larger budgets, so that the
// total is at most a few times what the better engine needs.
Weight Mapper::solve_contracted() {
  find_leaf_candidates();
  if (choice_.engine != Engine::kChosen) return choice_.engine == Engine::kWindow ? window() : sweep_all();
  if (x_->size + y_->size <= kFewNodes) return sweep_all();
  x_->count_above();
  y_->count_above();
  const double sweep_cost = predict_sweep(), window_cost = sweep_cost > kCheap ? predict_window() : kNoLimit;
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
    const bool may_choose = predict_window() < kNoLimit;
    with_window = may_choose && !with_window;
    if (!may_choose)
      budget = kNoLimit;
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

// Infinite if the table would need too much memory.
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
  if ((widest + 1) * (widest + 1) * sizeof(Weight) > kWindowBytes) return kNoLimit;
  return kCellCost * cells + 2 * kPathCost * pairs;
}

}  // namespace treescore
