#include "tree_distance.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>
#include <stdexcept>

// Instead of the least cost we seek the greatest saving over removing all of one tree and inserting all of the other:
// the heaviest mapping of nodes that keeps order and ancestry. So empty forests count 0, dropping a node is free, and
// each cell is a maximum of its neighbours:
//
//   M(F, G) = max( M(F - x, G),  M(F, G - y),  M(F - F[x], G - G[y]) + M(F[x], G[y]) )
//
// for the last (or the first) roots x, y of the forests F, G, where F[x] is the subtree below x. If both forests are
// single trees the third term is gain(x, y) + M(F - x, G - y).

namespace treescore {
namespace {

constexpr uint32_t kNone = UINT32_MAX;
constexpr double kPollEvery = 4e6;  // cells

// Frees the old values first: both together would need too much memory.
template <class T>
void at_least(std::vector<T>& values, size_t size) {
  if (values.size() >= size) return;
  std::vector<T>().swap(values);
  values.resize(size);
}

enum Path : uint8_t { kLeft, kRight, kHeavy, kPaths };

// A tree in postorder, or its mirror image: children from right to left.
struct View {
  std::vector<uint32_t> label, leftmost, parent;
  std::vector<uint32_t> other;    // the node's number in the mirror image
  std::vector<uint32_t> top;      // the highest node that is reached from it through last children only
  std::vector<uint8_t> is_chain;  // one leaf below it
  std::vector<uint32_t> chains;
  std::vector<uint32_t> keyroots;         // forks that are no first child
  std::vector<uint32_t> keyroots_before;  // how many have a lower number
  std::vector<double> keyroot_sizes;      // the sum of their sizes
  std::vector<uint32_t> hanging;          // size of the largest subtree off the path of first children
};

// The nodes with several leaves below. Only their pairs need a plan: chains are quickly compared with any tree.
struct Forks {
  std::vector<uint32_t> node, rank, parent;         // rank by node; parent as rank, their number for the root
  std::vector<uint32_t> order;                      // children before parents and the heavy child first
  std::vector<std::array<bool, kPaths>> on_path;    // of the parent
  std::vector<std::array<double, kPaths>> rows;     // steps that build the subtree along the path
  std::vector<std::array<double, kPaths>> forests;  // to which the subtree falls apart if the other tree has the path
};

struct Tree {
  size_t size = 0;
  std::array<View, 2> view;
  std::vector<uint32_t> heavy;  // the child with the largest subtree
  Forks forks;

  uint32_t subtree_size(uint32_t node) const { return node - view[0].leftmost[node] + 1; }
  uint32_t number(size_t side, uint32_t node) const { return side == 0 ? node : view[0].other[node]; }
  void assign(const LabelledTree& tree);
  void plan();

 private:
  void finish(View& v) const;
  std::vector<uint32_t> open_;
  std::vector<double> size_sums_;
};

void Tree::assign(const LabelledTree& tree) {
  size = tree.label.size();
  const auto count = static_cast<uint32_t>(size);
  View &left = view[0], &right = view[1];
  left.label.assign(tree.label.begin(), tree.label.end());
  left.leftmost.resize(size);
  std::transform(tree.leftmost.begin(), tree.leftmost.end(), left.leftmost.begin(),
                 [](int32_t leaf) { return static_cast<uint32_t>(leaf); });
  for (std::vector<uint32_t>* column :
       {&left.parent, &left.other, &right.label, &right.leftmost, &right.parent, &right.other, &heavy})
    column->resize(size);
  if (size == 0) return;
  left.parent[size - 1] = count;
  left.other[size - 1] = count - 1;
  for (uint32_t p = count; p-- > 0;) {
    // The nodes left of a child within its parent's subtree follow the child in the mirror image.
    const uint32_t first = left.leftmost[p], mirrored = left.other[p];
    heavy[p] = kNone;
    for (uint32_t c = p; c-- > first; c = left.leftmost[c]) {
      left.parent[c] = p;
      left.other[c] = mirrored - 1 - (left.leftmost[c] - first);
      if (heavy[p] == kNone || subtree_size(c) >= subtree_size(heavy[p])) heavy[p] = c;
    }
    right.label[mirrored] = left.label[p];
    right.leftmost[mirrored] = mirrored - (p - first);
    right.parent[mirrored] = p + 1 == count ? count : left.other[left.parent[p]];
    right.other[mirrored] = p;
  }
  finish(left);
  finish(right);
}

void Tree::finish(View& v) const {
  const auto count = static_cast<uint32_t>(size);
  v.top.resize(size);
  v.is_chain.resize(size);
  v.chains.clear();
  v.keyroots.clear();
  v.keyroots_before.resize(size);
  v.keyroot_sizes.resize(size);
  v.hanging.assign(size, 0);
  double sizes = 0;
  for (uint32_t p = 0; p < count; ++p) {
    v.keyroots_before[p] = static_cast<uint32_t>(v.keyroots.size());
    v.keyroot_sizes[p] = sizes;
    const uint32_t parent = v.parent[p], own = p - v.leftmost[p] + 1;
    const bool first = parent < count && v.leftmost[parent] == v.leftmost[p];
    if (parent < count) v.hanging[parent] = std::max(v.hanging[parent], first ? v.hanging[p] : own);
    v.is_chain[p] = own == 1 || (v.is_chain[p - 1] && v.leftmost[p - 1] == v.leftmost[p]);
    if (v.is_chain[p]) v.chains.push_back(p);
    if (first || v.is_chain[p]) continue;
    v.keyroots.push_back(p);
    sizes += own;
  }
  for (uint32_t p = count; p-- > 0;) v.top[p] = p + 1 < count && v.parent[p] == p + 1 ? v.top[p + 1] : p;
}

void Tree::plan() {
  const View &left = view[0], &right = view[1];
  forks.node.clear();
  forks.rank.assign(size + 1, kNone);
  size_sums_.assign(size + 1, 0);
  for (uint32_t p = 0; p < size; ++p) {
    size_sums_[p + 1] = size_sums_[p] + subtree_size(p);
    if (left.is_chain[p]) continue;
    forks.rank[p] = static_cast<uint32_t>(forks.node.size());
    forks.node.push_back(p);
  }
  const size_t count = forks.node.size();
  forks.rank[size] = static_cast<uint32_t>(count);
  forks.parent.resize(count);
  forks.on_path.resize(count);
  forks.rows.resize(count);
  forks.forests.resize(count);
  for (size_t i = 0; i < count; ++i) {
    const uint32_t p = forks.node[i], mirrored = left.other[p], parent = left.parent[p];
    forks.parent[i] = forks.rank[parent];
    forks.on_path[i] = {};
    if (parent < size)
      forks.on_path[i] = {left.leftmost[parent] == left.leftmost[p], parent == p + 1, heavy[parent] == p};
    const double own = subtree_size(p);
    const uint32_t down = heavy[p], down_rank = forks.rank[down];
    // A heavy path is climbed from the chain at its end, which is one step.
    const double at_once =
        down_rank == kNone ? subtree_size(down) - 1 : forks.rows[down_rank][kLeft] - forks.rows[down_rank][kHeavy];
    forks.rows[i] = {own, own, own - at_once};
    forks.forests[i][kLeft] = own + left.keyroot_sizes[p] - left.keyroot_sizes[left.leftmost[p]];
    forks.forests[i][kRight] = own + right.keyroot_sizes[mirrored] - right.keyroot_sizes[right.leftmost[mirrored]];
    // By its first and last root, which are one node, or one left of the other: not above it.
    forks.forests[i][kHeavy] = own * (own + 3) / 2 - (size_sums_[p + 1] - size_sums_[left.leftmost[p]]);
  }
  // Preorder with the heavy child last, turned around.
  forks.order.clear();
  open_.clear();
  if (count > 0) open_.push_back(static_cast<uint32_t>(size - 1));
  while (!open_.empty()) {
    const uint32_t p = open_.back();
    open_.pop_back();
    forks.order.push_back(forks.rank[p]);
    if (forks.rank[heavy[p]] != kNone) open_.push_back(heavy[p]);
    for (uint32_t c = p; c-- > left.leftmost[p]; c = left.leftmost[c])
      if (c != heavy[p] && forks.rank[c] != kNone) open_.push_back(c);
  }
  std::reverse(forks.order.begin(), forks.order.end());
}

// How to decompose each pair of subtrees.
struct Plan {
  enum Kind : uint8_t { kAlwaysLeft, kAlwaysRight, kByPair };
  Kind kind = kAlwaysLeft;
  double cells = 0;
  double most_forests = 0;  // of a tree that is compared along a heavy path
  bool heavy_in_b = false;
  std::vector<uint8_t> step;  // by forks of both trees: the path, + kPaths if it is one of the second tree

  // A plan by pair takes the time of about this many cells per pair of nodes.
  static constexpr double kWorthPlanning = 4;

  // Stops as soon as there are certainly more than `most_cells`, and then says that they are infinitely many.
  void make(Tree& a, Tree& b, bool keep_steps, double most_cells, const TreeDistance::Poll* poll);

 private:
  std::vector<double> row_sums_;  // costs of the subtrees off each path of a node of the first tree; three rows a slot
  std::vector<double> sums_, cost_;  // the same for the second tree against one node of the first
  std::vector<uint32_t> slot_, free_;
};

void Plan::make(Tree& a, Tree& b, bool keep_steps, double most_cells, const TreeDistance::Poll* poll) {
  a.plan();
  b.plan();
  const Forks &f = a.forks, &g = b.forks;
  const size_t rows = f.node.size(), columns = g.node.size();
  const double pairs = static_cast<double>(a.size) * static_cast<double>(b.size);
  kind = kAlwaysLeft;
  most_forests = 0;
  heavy_in_b = false;
  cells = pairs;
  if (rows == 0 || columns == 0) return;
  const double left = f.forests.back()[kLeft] * g.forests.back()[kLeft];
  const double right = f.forests.back()[kRight] * g.forests.back()[kRight];
  if (right < left) kind = kAlwaysRight;
  if (std::min(left, right) <= kWorthPlanning * pairs) {
    cells += std::min(left, right);
    return;
  }
  kind = kByPair;
  if (keep_steps) at_least(step, rows * columns);
  slot_.assign(rows + 1, kNone);
  free_.clear();
  size_t slots = 0;
  const size_t width = columns + 1;  // the root's parent receives values that are not used
  const auto slot_of = [&](uint32_t node) {
    if (slot_[node] == kNone) {
      if (free_.empty()) {
        free_.push_back(static_cast<uint32_t>(slots++));
        if (row_sums_.size() < slots * kPaths * width) row_sums_.resize(slots * kPaths * width);
      }
      slot_[node] = free_.back();
      free_.pop_back();
      std::fill_n(row_sums_.begin() + static_cast<std::ptrdiff_t>(slot_[node] * kPaths * width), kPaths * width, 0.0);
    }
    return slot_[node] * kPaths * width;
  };
  cost_.resize(width);
  double unpolled = 0;
  for (const uint32_t v : f.order) {
    unpolled += static_cast<double>(columns);
    if (poll && unpolled >= kPollEvery) {
      unpolled = 0;
      (*poll)();
    }
    const size_t own = slot_of(v);
    sums_.assign(kPaths * width, 0.0);
    const auto own_rows = f.rows[v];
    const auto forests = f.forests[v];
    uint8_t* const steps = keep_steps ? step.data() + v * columns : nullptr;
    for (size_t w = 0; w < columns; ++w) {
      double best = std::numeric_limits<double>::infinity();
      uint8_t best_step = 0;
      for (uint8_t path = 0; path < kPaths; ++path) {
        const double in_a = own_rows[path] * g.forests[w][path] + row_sums_[own + path * width + w];
        const double in_b = g.rows[w][path] * forests[path] + sums_[path * width + w];
        best_step = in_a < best ? path : best_step;
        best = std::min(in_a, best);
        best_step = in_b < best ? static_cast<uint8_t>(path + kPaths) : best_step;
        best = std::min(in_b, best);
      }
      cost_[w] = best;
      if (steps) steps[w] = best_step;
      if (best_step % kPaths == kHeavy) {
        const bool in_b = best_step >= kPaths;
        heavy_in_b |= in_b;
        most_forests = std::max(most_forests, in_b ? forests[kHeavy] : g.forests[w][kHeavy]);
      }
      for (size_t path = 0; path < kPaths; ++path)
        sums_[path * width + g.parent[w]] += g.on_path[w][path] ? sums_[path * width + w] : best;
    }
    // The subtree needs no more than the whole tree: along any path of a node above it, its own part of that path and
    // its subtrees off that path would have to be compared too, with forests that are no smaller.
    if (cost_[columns - 1] > most_cells) {
      cells = std::numeric_limits<double>::infinity();
      return;
    }
    if (f.parent[v] < rows) {
      const size_t above = slot_of(f.parent[v]);
      for (size_t path = 0; path < kPaths; ++path) {
        const double* from = f.on_path[v][path] ? row_sums_.data() + own + path * width : cost_.data();
        double* to = row_sums_.data() + above + path * width;
        for (size_t w = 0; w < columns; ++w) to[w] += from[w];
      }
    }
    free_.push_back(slot_[v]);
  }
  cells += cost_[columns - 1];
}

// The savings of pairs of subtrees, in numbers of the smallest sufficient width.
template <class Value>
class Savings {
 public:
  Savings(const Tree& a, const Tree& b, const Plan& plan) : a_(a), b_(b), plan_(plan) {}

  static double bytes(const Tree& a, const Tree& b, const Plan& plan);
  Value solve(Value equal, Value unequal, const TreeDistance::Poll* poll);
  void trace(bool pair_unequal, const TreeDistance::Poll* poll, std::vector<uint32_t>& partner);
  double cells() const { return cells_; }

 private:
  Value gain(uint32_t a_label, uint32_t b_label) const { return a_label == b_label ? equal_ : unequal_; }
  void count(double cells);
  bool both_sides() const { return plan_.kind == Plan::kByPair; }
  void solve_chains(size_t side);
  void mirror_chains();
  void solve_all();
  void solve_along(uint8_t step, uint32_t v, uint32_t w);
  void compare(size_t side, uint32_t v, uint32_t w);
  size_t side_to_trace(uint32_t v, uint32_t w) const;
  void trace_chain(size_t side, uint32_t v, uint32_t w, bool pair_unequal, std::vector<uint32_t>& partner) const;

  // Along a heavy path: p is the tree with the path, q falls apart to all its forests.
  struct Heavy {
    const Tree *p, *q;
    uint32_t w;  // the root in q
    bool path_in_b;
    std::array<Value*, 2> pairs;  // savings of subtrees, by p and q
    size_t stride;
    std::array<uint32_t, 2> first_p, first_q;  // the numbers at which they begin
  };
  void solve_heavy(bool path_in_b, uint32_t v, uint32_t w);
  void store(const Heavy& heavy, size_t side, uint32_t x, uint32_t y, Value value);
  void grow(const Heavy& heavy, size_t side, uint32_t first, uint32_t top, bool with_top);
  struct Forests {
    struct Row {
      uint32_t first_root, count;
    };
    std::vector<Row> rows;
    std::vector<uint32_t> last_root;  // by forest, counted from the first node of q
    std::vector<uint32_t> without;    // the place in the row of the forest less the last root's subtree
    std::vector<Value> savings;       // of the forest of p that has been built
  };
  void list_forests(const Heavy& heavy);
  void start(const Heavy& heavy, uint32_t chain);
  void turn(size_t side);

  const Tree &a_, &b_;
  const Plan& plan_;
  Value equal_ = 0, unequal_ = 0;
  const TreeDistance::Poll* poll_ = nullptr;
  double cells_ = 0, next_poll_ = 0;
  std::array<std::vector<Value>, 2> pairs_;  // savings of subtrees, by their numbers in either view
  std::vector<Value> forest_;
  std::vector<Value> best_child_;
  std::array<std::vector<Value>, 2> turned_;
  std::array<Forests, 2> forests_;
  size_t forest_count_ = 0;
  std::vector<uint32_t> turned_place_, cursor_;
  std::vector<Value> column_, next_column_;
  std::vector<uint32_t> path_;
  struct Task {
    uint32_t v, w;
    bool open;
  };
  std::vector<Task> tasks_;
};

template <class Value>
double Savings<Value>::bytes(const Tree& a, const Tree& b, const Plan& plan) {
  const double n = static_cast<double>(a.size), m = static_cast<double>(b.size);
  const double forks = static_cast<double>(a.forks.node.size()) * static_cast<double>(b.forks.node.size());
  double values = (n + 1) * (m + 1) + n * m, others = 400 * (n + m);
  if (plan.kind == Plan::kByPair) {
    values += n * m + 2 * plan.most_forests + (plan.heavy_in_b ? 2 * n * m : 0);
    others += forks + 20 * plan.most_forests + 8 * kPaths * (m + 1) * 34;
  }
  return values * sizeof(Value) + others;
}

template <class Value>
void Savings<Value>::count(double cells) {
  cells_ += cells;
  if (cells_ < next_poll_) return;
  next_poll_ = cells_ + kPollEvery;
  if (poll_) (*poll_)();
}

template <class Value>
Value Savings<Value>::solve(Value equal, Value unequal, const TreeDistance::Poll* poll) {
  equal_ = equal;
  unequal_ = unequal;
  poll_ = poll;
  cells_ = 0;
  next_poll_ = kPollEvery;
  const size_t n = a_.size, m = b_.size;
  at_least(forest_, (n + 1) * (m + 1));
  const size_t main = plan_.kind == Plan::kAlwaysRight ? 1 : 0;
  at_least(pairs_[main], n * m);
  solve_chains(main);
  if (both_sides()) {
    at_least(pairs_[1], n * m);
    mirror_chains();
    solve_all();
  } else {
    for (const uint32_t v : a_.view[main].keyroots)
      for (const uint32_t w : b_.view[main].keyroots) compare(main, v, w);
  }
  return pairs_[main][n * m - 1];
}

// A chain maps into the subtree of a single child of any node, except for the node that is paired with the node itself.
template <class Value>
void Savings<Value>::solve_chains(size_t side) {
  const View &f = a_.view[side], &g = b_.view[side];
  const size_t n = a_.size, m = b_.size;
  Value* const pairs = pairs_[side].data();
  for (uint32_t v = 0; v < n; ++v) {
    count(static_cast<double>(m));
    Value* const row = pairs + v * m;
    const uint32_t label = f.label[v];
    if (f.leftmost[v] == v) {  // equal where its label occurs
      std::fill_n(row, m, unequal_);
      for (size_t w = 0; w < m; ++w)
        if (g.label[w] == label)
          for (size_t y = w; y < m && row[y] != equal_; y = g.parent[y]) row[y] = equal_;
      continue;
    }
    if (f.is_chain[v]) {
      best_child_.assign(2 * m + 2, 0);
      Value *const own = best_child_.data(), *const below = own + m + 1;
      const Value* const child = row - m;
      for (size_t w = 0; w < m; ++w) {
        const uint32_t parent = g.parent[w];
        row[w] = std::max({own[w], child[w], static_cast<Value>(gain(label, g.label[w]) + below[w])});
        own[parent] = std::max(own[parent], row[w]);
        below[parent] = std::max(below[parent], child[w]);
      }
      continue;
    }
    best_child_.assign(m, 0);
    Value* const below = best_child_.data();
    for (uint32_t c = v; c-- > f.leftmost[v]; c = f.leftmost[c]) {
      const Value* const child = pairs + c * m;
      for (size_t w = 0; w < m; ++w) below[w] = std::max(below[w], child[w]);
    }
    for (const uint32_t w : g.chains) {
      const Value own = gain(label, g.label[w]);
      row[w] = g.leftmost[w] == w ? std::max(below[w], own)
                                  : std::max({below[w], row[w - 1], static_cast<Value>(own + below[w - 1])});
    }
  }
}

template <class Value>
void Savings<Value>::mirror_chains() {
  const View &f = a_.view[0], &g = b_.view[0];
  const size_t n = a_.size, m = b_.size;
  for (size_t v = 0; v < n; ++v) {
    const Value* const from = pairs_[0].data() + v * m;
    Value* const to = pairs_[1].data() + f.other[v] * m;
    if (f.is_chain[v])
      for (size_t w = 0; w < m; ++w) to[g.other[w]] = from[w];
    else
      for (const uint32_t w : g.chains) to[g.other[w]] = from[w];
  }
}

template <class Value>
void Savings<Value>::solve_all() {
  const Forks &f = a_.forks, &g = b_.forks;
  const size_t columns = g.node.size();
  tasks_.clear();
  tasks_.push_back({static_cast<uint32_t>(a_.size - 1), static_cast<uint32_t>(b_.size - 1), true});
  while (!tasks_.empty()) {
    Task& task = tasks_.back();
    const auto [v, w, open] = task;
    const uint8_t step = plan_.step[f.rank[v] * columns + g.rank[w]];
    if (!open) {
      tasks_.pop_back();
      solve_along(step, v, w);
      continue;
    }
    task.open = false;
    // First the subtrees that hang off the path; chains are solved.
    const bool in_b = step >= kPaths;
    const uint8_t path = step % kPaths;
    const Tree& tree = in_b ? b_ : a_;
    const View& view = tree.view[0];
    for (uint32_t p = in_b ? w : v; !view.is_chain[p];) {
      uint32_t on_path = kNone;
      for (uint32_t c = p; c-- > view.leftmost[p]; c = view.leftmost[c]) {
        const bool stays = path == kLeft    ? view.leftmost[c] == view.leftmost[p]
                           : path == kRight ? c + 1 == p
                                            : tree.heavy[p] == c;
        if (stays)
          on_path = c;
        else if (!view.is_chain[c])
          tasks_.push_back(in_b ? Task{v, c, true} : Task{c, w, true});
      }
      p = on_path;
    }
  }
}

template <class Value>
void Savings<Value>::solve_along(uint8_t step, uint32_t v, uint32_t w) {
  const bool in_b = step >= kPaths;
  const uint8_t path = step % kPaths;
  if (path == kHeavy) return solve_heavy(in_b, in_b ? w : v, in_b ? v : w);
  const size_t side = path == kLeft ? 0 : 1;
  v = a_.number(side, v);
  w = b_.number(side, w);
  const View& other = (in_b ? a_ : b_).view[side];
  const uint32_t root = in_b ? v : w;
  for (uint32_t k = other.keyroots_before[other.leftmost[root]]; k < other.keyroots_before[root]; ++k)
    in_b ? compare(side, other.keyroots[k], w) : compare(side, v, other.keyroots[k]);
  compare(side, v, w);
}

// All prefixes, in postorder, of one subtree against those of the other, as Zhang and Shasha (1989) do: solves the
// pairs of nodes on both paths of first children. The other pairs must have been solved.
template <class Value>
void Savings<Value>::compare(size_t side, uint32_t v, uint32_t w) {
  const View &f = a_.view[side], &g = b_.view[side];
  const uint32_t first_v = f.leftmost[v], first_w = g.leftmost[w];
  const size_t rows = v - first_v + 1, columns = w - first_w + 1, width = columns + 1, m = b_.size;
  count(static_cast<double>(rows) * static_cast<double>(columns));
  const uint32_t* const leftmost = g.leftmost.data() + first_w;
  const uint32_t* const label = g.label.data() + first_w;
  Value* const forest = forest_.data();
  std::fill_n(forest, width, Value{0});
  for (size_t i = 0; i < rows; ++i) {
    const uint32_t x = first_v + static_cast<uint32_t>(i);
    const Value* const above = forest + i * width;
    Value* const row = forest + (i + 1) * width;
    Value* const solved = pairs_[side].data() + x * m + first_w;
    Value best = row[0] = 0;
    if (f.leftmost[x] != first_v) {
      const Value* const before = forest + (f.leftmost[x] - first_v) * width;
      for (size_t j = 0; j < columns; ++j) {
        const Value both = std::max(above[j + 1], static_cast<Value>(before[leftmost[j] - first_w] + solved[j]));
        row[j + 1] = best = std::max(best, both);
      }
      continue;
    }
    const uint32_t own_label = f.label[x];
    for (size_t j = 0; j < columns; ++j) {
      const bool trees = leftmost[j] == first_w;
      const auto paired = static_cast<Value>(above[j] + gain(own_label, label[j]));
      row[j + 1] = best = std::max(best, std::max(above[j + 1], trees ? paired : solved[j]));
      solved[j] = trees ? best : solved[j];
    }
    if (!both_sides()) continue;
    Value* const mirrored = pairs_[1 - side].data() + f.other[x] * m;
    for (uint32_t y = first_w; y <= w; y = g.parent[y]) mirrored[g.other[y]] = solved[y - first_w];
  }
}

template <class Value>
void Savings<Value>::solve_heavy(bool path_in_b, uint32_t v, uint32_t w) {
  const Tree &p = path_in_b ? b_ : a_, &q = path_in_b ? a_ : b_;
  const size_t m = b_.size, p_size = p.subtree_size(v), q_size = q.subtree_size(w);
  Heavy heavy{&p, &q, w, path_in_b, {pairs_[0].data(), pairs_[1].data()}, m, {0, 0}, {0, 0}};
  if (path_in_b) {
    heavy.stride = q_size;
    for (size_t side = 0; side < 2; ++side) {
      at_least(turned_[side], p_size * q_size);
      heavy.pairs[side] = turned_[side].data();
      heavy.first_p[side] = p.view[side].leftmost[p.number(side, v)];
      heavy.first_q[side] = q.view[side].leftmost[q.number(side, w)];
      for (size_t y = 0; y < q_size; ++y) {
        const Value* const from = pairs_[side].data() + (heavy.first_q[side] + y) * m + heavy.first_p[side];
        for (size_t x = 0; x < p_size; ++x) heavy.pairs[side][x * q_size + y] = from[x];
      }
    }
  }
  list_forests(heavy);
  path_.clear();
  path_.push_back(v);
  while (!p.view[0].is_chain[path_.back()]) path_.push_back(p.heavy[path_.back()]);
  size_t side = 0;
  start(heavy, path_.back());
  for (size_t k = path_.size() - 1; k-- > 0;) {
    const auto first = [&](size_t s) { return p.number(s, path_[k + 1]) + 1; };
    const auto top = [&](size_t s) { return p.number(s, path_[k]); };
    const bool here = first(side) < top(side), there = first(1 - side) < top(1 - side);
    if (here && there) grow(heavy, side, first(side), top(side), false);
    if (there) {
      turn(side);
      side = 1 - side;
    }
    grow(heavy, side, first(side), top(side), true);
  }
}

// The forests of q by their first root, in descending preorder, and then by their last root: the first itself and all
// nodes right of it, in postorder.
template <class Value>
void Savings<Value>::list_forests(const Heavy& heavy) {
  const auto count = static_cast<size_t>(heavy.q->forks.forests[heavy.q->forks.rank[heavy.w]][kHeavy]);
  if (count > UINT32_MAX) throw std::bad_alloc();
  for (size_t side = 0; side < 2; ++side) {
    const View &q = heavy.q->view[side], &mirrored = heavy.q->view[1 - side];
    const uint32_t root = heavy.q->number(side, heavy.w), mirrored_root = q.other[root];
    const uint32_t origin = heavy.first_q[side];
    Forests& forests = forests_[side];
    at_least(forests.savings, count);
    at_least(forests.last_root, count);
    at_least(forests.without, count);
    forests.rows.clear();
    size_t place = 0;
    for (uint32_t i = mirrored.leftmost[mirrored_root]; i <= mirrored_root; ++i) {
      const uint32_t a = mirrored.other[i];
      uint32_t* const last_root = forests.last_root.data() + place;
      uint32_t* const without = forests.without.data() + place;
      uint32_t columns = 1;
      last_root[0] = a - origin;
      without[0] = 0;
      for (uint32_t above = q.top[a]; above < root; above = q.top[q.parent[above]]) {
        const uint32_t shift = above + 1 - columns, end = q.parent[above];
        for (uint32_t b = above + 1; b < end; ++b, ++columns) {
          last_root[columns] = b - origin;
          without[columns] = q.leftmost[b] - 1 - shift;
        }
      }
      forests.rows.push_back({a, columns});
      place += columns;
    }
  }
  // The mirror image lists each last root's forests in the order in which they come by here.
  const View& q = heavy.q->view[0];
  const uint32_t begin = q.leftmost[heavy.w];
  at_least(cursor_, heavy.q->size);
  at_least(turned_place_, count);
  uint32_t place = 0;
  for (uint32_t b = begin; b <= heavy.w; ++b) {
    cursor_[b - heavy.first_q[0]] = place;
    place += q.leftmost[b] - begin + 1;
  }
  for (size_t k = 0; k < count; ++k) turned_place_[k] = cursor_[forests_[0].last_root[k]]++;
  forest_count_ = count;
}

// The savings of a chain: those of the best tree of each forest.
template <class Value>
void Savings<Value>::start(const Heavy& heavy, uint32_t chain) {
  const Value* const solved = heavy.pairs[0] + (chain - heavy.first_p[0]) * heavy.stride;
  Value* savings = forests_[0].savings.data();
  const uint32_t* last_root = forests_[0].last_root.data();
  for (const auto& [a, columns] : forests_[0].rows) {
    Value best = 0;
    for (size_t j = 0; j < columns; ++j) savings[j] = best = std::max(best, solved[last_root[j]]);
    savings += columns;
    last_root += columns;
  }
  count(static_cast<double>(forest_count_));
}

template <class Value>
void Savings<Value>::store(const Heavy& heavy, size_t side, uint32_t x, uint32_t y, Value value) {
  const std::array<uint32_t, 2> xs{x, heavy.p->view[side].other[x]}, ys{y, heavy.q->view[side].other[y]};
  for (size_t k = 0; k < 2; ++k) {
    const size_t s = k == 0 ? side : 1 - side;
    heavy.pairs[s][(xs[k] - heavy.first_p[s]) * heavy.stride + ys[k] - heavy.first_q[s]] = value;
    if (heavy.path_in_b) pairs_[s][ys[k] * b_.size + xs[k]] = value;
  }
}

// The savings are those of some forest of p. Adds to it the nodes from `first` on, which stand right of the path below
// `top`, and then, if wanted, `top`.
template <class Value>
void Savings<Value>::grow(const Heavy& heavy, size_t side, uint32_t first, uint32_t top, bool with_top) {
  const View &p = heavy.p->view[side], &q = heavy.q->view[side];
  const uint32_t root = heavy.q->number(side, heavy.w);
  const size_t rows = top - first;
  const auto solved_row = [&](uint32_t x) { return heavy.pairs[side] + (x - heavy.first_p[side]) * heavy.stride; };
  // Savings against the subtree of the next node without its root, after each row.
  column_.assign(rows + 2, 0);
  next_column_.assign(rows + 2, 0);
  Value* state = forests_[side].savings.data();
  const uint32_t* last_root = forests_[side].last_root.data();
  const uint32_t* without = forests_[side].without.data();
  for (const auto& [a, columns_here] : forests_[side].rows) {
    const size_t columns = columns_here;
    count(static_cast<double>(rows + with_top) * static_cast<double>(columns));
    const auto row_at = [&, here = state](size_t row) {
      return row == 0 ? here : forest_.data() + (row - 1) * columns;
    };
    for (size_t r = 1; r <= rows; ++r) {
      const uint32_t x = first + static_cast<uint32_t>(r) - 1;
      const Value *const solved = solved_row(x), *const above = row_at(r - 1),
                         *const before = row_at(p.leftmost[x] - first);
      Value* const row = row_at(r);
      Value best = row[0] = std::max({above[0], column_[r], solved[last_root[0]]});
      for (size_t j = 1; j < columns; ++j) {
        const Value both = std::max(above[j], static_cast<Value>(before[without[j]] + solved[last_root[j]]));
        row[j] = best = std::max(best, both);
      }
    }
    // The forest of a first child and all its siblings is the parent's subtree without its root.
    const bool is_first = a != root && q.leftmost[q.parent[a]] == q.leftmost[a];
    const size_t siblings = is_first ? q.parent[a] - 1 - a : 0;
    if (is_first)
      for (size_t r = 0; r <= rows; ++r) next_column_[r] = row_at(r)[siblings];
    const Value* const above = row_at(rows);
    if (with_top) {
      const Value* const solved = solved_row(top);
      const auto paired = static_cast<Value>(gain(p.label[top], q.label[a]) + column_[rows]);
      Value best = std::max({above[0], column_[rows + 1], paired});
      store(heavy, side, top, a, best);
      state[0] = best;
      for (size_t j = 1; j < columns; ++j) state[j] = best = std::max(best, std::max(above[j], solved[last_root[j]]));
      if (is_first) next_column_[rows + 1] = state[siblings];
    } else if (rows > 0) {
      std::copy_n(above, columns, state);
    }
    if (is_first)
      column_.swap(next_column_);
    else
      std::fill(column_.begin(), column_.end(), Value{0});
    state += columns;
    last_root += columns;
    without += columns;
  }
}

// Orders the savings by last root and then first root instead of the other way round, or back.
template <class Value>
void Savings<Value>::turn(size_t side) {
  const Value* const from = forests_[side].savings.data();
  Value* const to = forests_[1 - side].savings.data();
  const uint32_t* const place = turned_place_.data();
  if (side == 0)
    for (size_t k = 0; k < forest_count_; ++k) to[place[k]] = from[k];
  else
    for (size_t k = 0; k < forest_count_; ++k) to[k] = from[place[k]];
}

// If one of the subtrees is a chain, the savings of pairs show the way down.
template <class Value>
void Savings<Value>::trace_chain(size_t side, uint32_t v, uint32_t w, bool pair_unequal,
                                 std::vector<uint32_t>& partner) const {
  const View &f = a_.view[side], &g = b_.view[side];
  const auto saving = [&](uint32_t x, uint32_t y) { return pairs_[side][x * b_.size + y]; };
  while (saving(v, w) > 0) {
    const Value here = saving(v, w);
    uint32_t down_v = v, down_w = w;
    Value below = 0;
    for (uint32_t x = v; x-- > f.leftmost[v]; x = f.leftmost[x])
      for (uint32_t y = w; y-- > g.leftmost[w]; y = g.leftmost[y]) {
        if (saving(x, y) <= below) continue;
        below = saving(x, y);
        down_v = x;
        down_w = y;
      }
    const bool allowed = pair_unequal || f.label[v] == g.label[w];
    if (allowed && here == below + gain(f.label[v], g.label[w])) {
      partner[side == 0 ? v : f.other[v]] = side == 0 ? w : g.other[w];
      if (below == 0) return;
    } else {
      down_w = w;
      for (uint32_t x = down_v = v; x-- > f.leftmost[v] && down_v == v; x = f.leftmost[x])
        if (saving(x, w) == here) down_v = x;
      if (down_v == v)
        for (uint32_t y = w; y-- > g.leftmost[w] && down_w == w; y = g.leftmost[y])
          if (saving(v, y) == here) down_w = y;
    }
    v = down_v;
    w = down_w;
  }
}

// The side on which less is left to look at again.
template <class Value>
size_t Savings<Value>::side_to_trace(uint32_t v, uint32_t w) const {
  if (!both_sides()) return plan_.kind == Plan::kAlwaysRight ? 1 : 0;
  std::array<double, 2> left_over;
  for (size_t side = 0; side < 2; ++side)
    left_over[side] = std::max(static_cast<double>(a_.subtree_size(v)) * b_.view[side].hanging[b_.number(side, w)],
                               static_cast<double>(b_.subtree_size(w)) * a_.view[side].hanging[a_.number(side, v)]);
  return left_over[1] < left_over[0] ? 1 : 0;
}

template <class Value>
void Savings<Value>::trace(bool pair_unequal, const TreeDistance::Poll* poll, std::vector<uint32_t>& partner) {
  poll_ = poll;
  const size_t m = b_.size;
  tasks_.clear();
  tasks_.push_back({static_cast<uint32_t>(a_.size - 1), static_cast<uint32_t>(m - 1), false});
  while (!tasks_.empty()) {
    const auto [v, w, unused] = tasks_.back();
    tasks_.pop_back();
    const uint32_t v_size = a_.subtree_size(v), w_size = b_.subtree_size(w);
    const size_t side = side_to_trace(v, w);
    const View &f = a_.view[side], &g = b_.view[side];
    const uint32_t v_here = a_.number(side, v), w_here = b_.number(side, w);
    const Value saving = pairs_[side][v_here * m + w_here];
    if (saving == 0) continue;
    if (v_size == w_size && saving / equal_ == static_cast<Value>(v_size) && saving % equal_ == 0) {  // same trees
      for (uint32_t k = 0; k < v_size; ++k) partner[v - k] = w - k;
      continue;
    }
    if (f.is_chain[v_here] || g.is_chain[w_here]) {
      trace_chain(side, v_here, w_here, pair_unequal, partner);
      continue;
    }
    compare(side, v_here, w_here);
    const uint32_t first_v = f.leftmost[v_here], first_w = g.leftmost[w_here];
    const size_t width = w_size + 1;
    size_t i = v_size, j = w_size;
    while (i > 0 && j > 0) {
      const uint32_t x = first_v + static_cast<uint32_t>(i) - 1, y = first_w + static_cast<uint32_t>(j) - 1;
      const Value here = forest_[i * width + j];
      if (here == 0) break;
      const bool trees = f.leftmost[x] == first_v && g.leftmost[y] == first_w;
      const size_t i_before = trees ? i - 1 : f.leftmost[x] - first_v;
      const size_t j_before = trees ? j - 1 : g.leftmost[y] - first_w;
      const bool same = f.label[x] == g.label[y];
      const Value gained = trees ? gain(f.label[x], g.label[y]) : pairs_[side][x * m + y];
      if ((!trees || same || pair_unequal) && here == forest_[i_before * width + j_before] + gained) {
        const uint32_t x_left = side == 0 ? x : f.other[x], y_left = side == 0 ? y : g.other[y];
        if (trees)
          partner[x_left] = y_left;
        else
          tasks_.push_back({x_left, y_left, false});
        i = i_before;
        j = j_before;
      } else if (here == forest_[(i - 1) * width + j]) {
        --i;
      } else {
        --j;
      }
    }
  }
}

void check(const LabelledTree& a, const LabelledTree& b, const EditCosts& costs) {
  for (const LabelledTree* tree : {&a, &b}) {
    if (tree->label.size() != tree->leftmost.size())
      throw std::invalid_argument("a tree needs one label and one leftmost leaf per node");
    if (tree->label.size() >= static_cast<size_t>(std::numeric_limits<int32_t>::max()))
      throw std::length_error("a tree has too many nodes");
  }
  if (costs.insert < 0 || costs.remove < 0 || costs.rename < 0)
    throw std::invalid_argument("the cost of an edit must not be negative");
  const auto nodes = static_cast<int64_t>(a.label.size() + b.label.size() + 1);
  if (std::max(costs.insert, costs.remove) > std::numeric_limits<int64_t>::max() / 2 / nodes)
    throw std::overflow_error("the costs are too large to be added up");
}

bool same_tree(const LabelledTree& a, const LabelledTree& b) {
  return std::equal(a.label.begin(), a.label.end(), b.label.begin(), b.label.end()) &&
         std::equal(a.leftmost.begin(), a.leftmost.end(), b.leftmost.begin(), b.leftmost.end());
}

}  // namespace

struct TreeDistance::Work {
  enum class Last { kNothing, kSame, kNarrow, kWide };

  Tree a, b;
  Plan plan;
  Savings<int32_t> narrow{a, b, plan};
  Savings<int64_t> wide{a, b, plan};
  Last last = Last::kNothing;
  bool pair_unequal = false;
  double cells = 0;
  std::vector<uint32_t> partner;

  // Savings per pair in the largest unit that divides both, so that narrow numbers do for most costs.
  struct Gains {
    int64_t equal, unequal, unit;
    bool narrow;
  };
  Gains gains(const EditCosts& costs) const {
    const int64_t equal = costs.insert + costs.remove, unequal = std::max<int64_t>(0, equal - costs.rename);
    const int64_t unit = std::max<int64_t>(1, std::gcd(equal, unequal));
    const auto most_pairs = static_cast<int64_t>(std::min(a.size, b.size));
    return {equal / unit, unequal / unit, unit, equal / unit <= std::numeric_limits<int32_t>::max() / (most_pairs + 1)};
  }
};

TreeDistance::TreeDistance() : work_(std::make_unique<Work>()) {}
TreeDistance::~TreeDistance() = default;
TreeDistance::TreeDistance(TreeDistance&&) noexcept = default;
TreeDistance& TreeDistance::operator=(TreeDistance&&) noexcept = default;

TreeDistance::Prediction TreeDistance::predict(const LabelledTree& a, const LabelledTree& b, const EditCosts& costs,
                                               double most_cells, const Poll* poll) {
  Work& work = *work_;
  work.last = Work::Last::kNothing;
  check(a, b, costs);
  if (a.label.empty() || b.label.empty() || same_tree(a, b)) return {0, 0};
  work.a.assign(a);
  work.b.assign(b);
  work.plan.make(work.a, work.b, false, most_cells, poll);
  const bool narrow = work.gains(costs).narrow;
  return {work.plan.cells, narrow ? Savings<int32_t>::bytes(work.a, work.b, work.plan)
                                  : Savings<int64_t>::bytes(work.a, work.b, work.plan)};
}

int64_t TreeDistance::distance(const LabelledTree& a, const LabelledTree& b, const EditCosts& costs, const Poll* poll) {
  Work& work = *work_;
  work.last = Work::Last::kNothing;
  work.cells = 0;
  check(a, b, costs);
  const int64_t all =
      static_cast<int64_t>(a.label.size()) * costs.remove + static_cast<int64_t>(b.label.size()) * costs.insert;
  if (a.label.empty() || b.label.empty()) return all;
  if (same_tree(a, b)) {
    work.partner.resize(a.label.size());
    std::iota(work.partner.begin(), work.partner.end(), 0u);
    work.last = Work::Last::kSame;
    return 0;
  }
  work.a.assign(a);
  work.b.assign(b);
  const Work::Gains gains = work.gains(costs);
  work.pair_unequal = gains.unequal > 0;
  if (gains.equal == 0) return all;
  work.plan.make(work.a, work.b, true, std::numeric_limits<double>::infinity(), poll);
  int64_t saved = 0;
  if (gains.narrow) {
    saved = work.narrow.solve(static_cast<int32_t>(gains.equal), static_cast<int32_t>(gains.unequal), poll);
    work.cells = work.narrow.cells();
    work.last = Work::Last::kNarrow;
  } else {
    saved = work.wide.solve(gains.equal, gains.unequal, poll);
    work.cells = work.wide.cells();
    work.last = Work::Last::kWide;
  }
  return all - saved * gains.unit;
}

std::vector<std::pair<int32_t, int32_t>> TreeDistance::mapping(const Poll* poll) {
  Work& work = *work_;
  std::vector<std::pair<int32_t, int32_t>> pairs;
  if (work.last == Work::Last::kNothing) return pairs;
  if (work.last != Work::Last::kSame) {
    work.partner.assign(work.a.size, kNone);
    if (work.last == Work::Last::kNarrow)
      work.narrow.trace(work.pair_unequal, poll, work.partner);
    else
      work.wide.trace(work.pair_unequal, poll, work.partner);
  }
  for (size_t node = 0; node < work.partner.size(); ++node)
    if (work.partner[node] != kNone)
      pairs.emplace_back(static_cast<int32_t>(node), static_cast<int32_t>(work.partner[node]));
  return pairs;
}

double TreeDistance::cells() const { return work_->cells; }

}  // namespace treescore
