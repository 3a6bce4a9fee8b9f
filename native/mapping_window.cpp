// Second engine of the mapper: heavy paths in x with all windows of leaves in y (Klein; Demaine et al.).
//
// W[c][d] is the best chain of the current forest of x with the nodes of y inside the leaves (c, d]. The forest starts
// as the bottom leaf of a heavy path and grows as the path is climbed: by the siblings to the right of the path, those
// to its left, and then by their parent, which is the next node of the path.
#include "mapping.hpp"

namespace treescore {

// One heavy path. Leaves of y are counted from the first one that overlaps the head of the path, and windows of nodes
// are clipped to the leaves that do.
class Mapper::HeavyPath {
 public:
  HeavyPath(Mapper& mapper, int32_t head, Overlap leaves);
  // Finds the candidates of all nodes of the path, and returns the best chain.
  Weight climb();

 private:
  struct Window {
    int32_t low, high;
  };
  // Where the chains stand that a candidate may extend while the nodes below it are added.
  enum class Side : uint8_t { kLeft, kRight };

  Weight* row(int32_t c) const { return table_ + static_cast<size_t>(c) * stride_; }
  const List& list_of(int32_t node) const { return mapper_.lists_[node]; }
  std::span<const Candidate> candidates(int32_t node) const {
    return {mapper_.pool_.data() + list_of(node).at, list_of(node).size};
  }
  void make_room_to_save() {
    if (mapper_.saved_at_.size() < mapper_.pool_.size()) mapper_.saved_at_.set_size(mapper_.pool_.size());
  }
  void count_work(uint64_t cells) {
    work_ += cells;
    if (work_ >= kWorkUncounted) mapper_.worked(std::exchange(work_, 0));
  }

  void add_right_siblings(int32_t q);
  void add_left_siblings(int32_t q);
  template <Side kSide>
  void enter(int32_t node);
  template <Side kSide>
  void leave(int32_t node);
  void save_column(int32_t d);
  void save_row(int32_t c);
  template <Side kSide>
  void extend(int32_t v, Weight sum, const Weight* saved);
  void place(int32_t v, Weight sum);

  void pair_path_node(int32_t p);
  Weight sum_with(const Node& u, int32_t v) const;
  bool siblings_do_better(const Node& u, int32_t v, Weight sum);
  Window siblings_inside(const Node& u, int32_t v);

  Mapper& mapper_;
  const PathTree &x_, &y_;
  const int32_t head_, width_;
  const size_t stride_;
  std::span<const int32_t> overlapping_;  // nodes of y, in postorder
  Weight* table_ = nullptr;               // W
  Weight* const inside_;                  // Ex[v]: the best chain of the forest with the nodes strictly below v
  Weight* const best_;                    // B[v]: the largest F of v so far
  int32_t *const low_, *const high_;      // the window of each node
  uint64_t work_ = 0;
};

inline Mapper::HeavyPath::HeavyPath(Mapper& mapper, int32_t head, Overlap leaves)
    : mapper_(mapper),
      x_(*mapper.x_),
      y_(*mapper.y_),
      head_(head),
      width_(leaves.last - leaves.first + 1),
      stride_(static_cast<size_t>(width_) + 1),
      inside_(mapper.inside_.data()),
      best_(mapper.best_.data()),
      low_(mapper.low_.data()),
      high_(mapper.high_.data()) {
  int32_t* const nodes = mapper.overlapping_.data();
  size_t count = 0;
  const int32_t last = y_.leaves[leaves.last];
  for (int32_t v = y_.leaves[leaves.first]; v <= last; ++v) nodes[count++] = v;
  for (int32_t v = y_[last].parent; v >= 0; v = y_[v].parent) nodes[count++] = v;
  overlapping_ = {nodes, count};
  for (const int32_t v : overlapping_) {
    inside_[v] = best_[v] = 0;
    low_[v] = std::max(y_[v].first_leaf - leaves.first, 0);
    high_[v] = std::min(y_[v].last_leaf - leaves.first + 1, width_);
  }
  mapper.worked(stride_ * stride_ + kNodeWork * overlapping_.size());
  mapper.need(&Needs::table, stride_ * stride_ * sizeof(Weight));
  mapper.table_.assign(stride_ * stride_, 0);
  table_ = mapper.table_.data();
}

inline Weight Mapper::HeavyPath::climb() {
  int32_t q = head_;
  while (!x_.is_leaf(q)) q = mapper_.heavy_[q];
  for (const Candidate& known : candidates(q)) place(known.y, known.sum);
  while (q != head_) {
    make_room_to_save();
    mapper_.saved_.set_size(0);
    add_right_siblings(q);
    add_left_siblings(q);
    q = x_[q].parent;
    pair_path_node(q);
    make_room_to_save();
    const std::span<const Candidate> known = candidates(q);
    for (size_t t = known.size(); t-- > 0;)
      place(known[t].y, known[t].sum);  // from above, which often settles the rest
    count_work(kCandidateWork * (known.size() + overlapping_.size()));
  }
  mapper_.worked(work_);
  return table_[width_];
}

// Nodes are entered from the outside to the inside, so that the last one entered is left first.
inline void Mapper::HeavyPath::add_right_siblings(int32_t q) {
  const int32_t end = x_[q].parent;
  for (int32_t node = q + 1; node < end; ++node) {
    if (x_.is_leaf(node)) {
      const int32_t leaf = x_[node].first_leaf;
      for (int32_t t = x_.path_begin[leaf + 1]; t-- > x_.path_begin[leaf];) enter<Side::kRight>(x_.path_nodes[t]);
      enter<Side::kRight>(node);
    }
    leave<Side::kRight>(node);
  }
}

// The same from right to left, in the reverse of the order in which nodes open.
inline void Mapper::HeavyPath::add_left_siblings(int32_t q) {
  const int32_t first = x_[x_[q].parent].leftmost;
  Column<int32_t>& right_path = mapper_.right_path_;  // above a leaf that ends them
  for (int32_t sibling = x_[q].leftmost - 1; sibling >= first; sibling = x_[sibling].leftmost - 1) {
    const int32_t opening = mapper_.opening_[sibling];
    for (int32_t z = opening + (sibling - x_[sibling].leftmost); z >= opening; --z) {
      const int32_t node = mapper_.by_opening_[z];
      if (x_.is_leaf(node)) {
        right_path.set_size(0);
        for (int32_t up = node; up != sibling && x_[up].parent == up + 1; ++up) right_path.push_back(up + 1);
        for (size_t t = right_path.size(); t-- > 0;) enter<Side::kLeft>(right_path[t]);
        enter<Side::kLeft>(node);
      }
      leave<Side::kLeft>(node);
    }
  }
}

// Saves the chains that may stand beside each candidate of a node: when the node is left, W will hold the nodes below
// it as well.
template <Mapper::HeavyPath::Side kSide>
inline void Mapper::HeavyPath::enter(int32_t node) {
  const List& list = list_of(node);
  for (uint32_t k = list.at; k < list.at + list.size; ++k) {
    mapper_.saved_at_[k] = mapper_.saved_.size();
    const int32_t v = mapper_.pool_[k].y;
    if constexpr (kSide == Side::kRight)
      save_column(low_[v]);
    else
      save_row(high_[v]);
  }
}

// W[c][d] for all c up to d.
inline void Mapper::HeavyPath::save_column(int32_t d) {
  work_ += kNodeWork * static_cast<uint64_t>(d + 1);
  Column<Weight>& saved = mapper_.saved_;
  const size_t from = saved.size(), count = static_cast<size_t>(d) + 1;
  mapper_.need(&Needs::saved, (from + count) * sizeof(Weight));
  saved.set_size(from + count);
  Weight* const to = saved.data() + from;
  for (size_t c = 0; c < count; ++c) to[c] = table_[c * stride_ + static_cast<size_t>(d)];
}

// W[c][d] for all d from c on.
inline void Mapper::HeavyPath::save_row(int32_t c) {
  const size_t count = stride_ - static_cast<size_t>(c);
  mapper_.need(&Needs::saved, (mapper_.saved_.size() + count) * sizeof(Weight));
  mapper_.saved_.append(row(c) + c, count);
}

template <Mapper::HeavyPath::Side kSide>
inline void Mapper::HeavyPath::leave(int32_t node) {
  const List& list = list_of(node);
  for (uint32_t k = list.at; k < list.at + list.size; ++k)
    extend<kSide>(mapper_.pool_[k].y, mapper_.pool_[k].sum, mapper_.saved_.data() + mapper_.saved_at_[k]);
  if (list.size) mapper_.saved_.shrink_to(mapper_.saved_at_[list.at]);
}

// Extends the saved chains by a pair with v, in all windows that hold v.
template <Mapper::HeavyPath::Side kSide>
inline void Mapper::HeavyPath::extend(int32_t v, Weight sum, const Weight* saved) {
  const int32_t low = low_[v], high = high_[v];
  best_[v] = std::max(best_[v], sum);
  uint64_t above = 0;
  for (int32_t up = y_[v].parent; up >= 0; up = y_[up].parent, ++above)
    inside_[up] = std::max(inside_[up], sum + saved[kSide == Side::kRight ? low_[up] : high_[up] - high]);
  count_work(kNodeWork * above + static_cast<uint64_t>(low + 1) * (static_cast<uint64_t>(width_ - high) + kNodeWork));
  const int32_t columns = width_ - high;
  for (int32_t c = 0; c <= low; ++c) {
    Weight* const cells = row(c) + high;
    if constexpr (kSide == Side::kRight) {
      const Weight value = sum + saved[c];
      for (int32_t d = 0; d <= columns; ++d) cells[d] = std::max(cells[d], value);
    } else {
      for (int32_t d = 0; d <= columns; ++d) cells[d] = std::max(cells[d], sum + saved[d]);
    }
  }
}

// Places a pair of v with a node that spans the current forest, so that no chain can stand beside it.
inline void Mapper::HeavyPath::place(int32_t v, Weight sum) {
  best_[v] = std::max(best_[v], sum);
  for (int32_t up = y_[v].parent; up >= 0 && inside_[up] < sum; up = y_[up].parent, work_ += kNodeWork)
    inside_[up] = sum;
  // Wider windows hold more: what is reached in one is reached in all around it.
  for (int32_t c = low_[v]; c >= 0 && row(c)[high_[v]] < sum; --c) {
    Weight* const cells = row(c);
    int32_t d = high_[v];
    for (; d <= width_ && cells[d] < sum; ++d) cells[d] = sum;
    work_ += kNodeWork + 2 * static_cast<uint64_t>(d - high_[v]);
  }
}

// Adds the pairs of p with nodes of y that neither rule 1 nor rule 2 drops to the candidates.
inline void Mapper::HeavyPath::pair_path_node(int32_t p) {
  Weight* const own_best = mapper_.own_best_.data();  // the largest F of p with a node at or below v
  for (const int32_t v : overlapping_) own_best[v] = 0;
  for (const Candidate& known : candidates(p)) own_best[known.y] = std::max(own_best[known.y], known.sum);
  const Node& u = x_[p];
  for (const int32_t v : overlapping_) {
    Weight below = own_best[v];
    const Weight sum = sum_with(u, v);
    if (sum > below) {
      if (sum > best_[v] && !siblings_do_better(u, v, sum)) mapper_.add(p, v, sum);  // rules 1 and 2
      below = sum;
    }
    if (const int32_t up = y_[v].parent; up >= 0) own_best[up] = std::max(own_best[up], below);
  }
}

// F of the pair, or 0 if it may not be aligned.
inline Weight Mapper::HeavyPath::sum_with(const Node& u, int32_t v) const {
  if (y_.is_leaf(v) || y_[v].label != u.label || u.label == IntervalTree::kUnmatched) return 0;
  const Weight own = mapper_.weight(u, y_[v]);
  return own ? own + inside_[v] : 0;
}

// Rule 2: v and its siblings inside u are worth more without the pair.
inline bool Mapper::HeavyPath::siblings_do_better(const Node& u, int32_t v, Weight sum) {
  const int32_t parent = y_[v].parent;
  if (parent < 0) return false;
  const Window window = siblings_inside(u, v);
  // A window as wide as the parent's would also hold the parent itself.
  const bool as_parent = window.low == low_[parent] && window.high == high_[parent];
  return (as_parent ? inside_[parent] : row(window.low)[window.high]) > sum;
}

// The window of v with its siblings inside u. A sibling of no length at the edge of u is outside.
inline Mapper::HeavyPath::Window Mapper::HeavyPath::siblings_inside(const Node& u, int32_t v) {
  const int32_t parent = y_[v].parent;
  Window window{low_[v], high_[v]};
  int32_t steps = kMostSiblings;
  for (int32_t next = v; next + 1 < parent && --steps > 0;) {
    next = y_.head[y_[next + 1].first_leaf];
    if (y_[next].end > u.end || y_[next].start >= u.end) break;
    window.high = high_[next];
  }
  for (int32_t next = y_[v].leftmost - 1; next >= y_[parent].leftmost && --steps > 0; next = y_[next].leftmost - 1) {
    if (y_[next].start < u.start || y_[next].end <= u.start) break;
    window.low = low_[next];
  }
  work_ += kNodeWork * static_cast<uint64_t>(kMostSiblings - steps);
  return window;
}

// The order in which the nodes of x open, each before those below it.
void Mapper::find_opening_order() {
  const PathTree& x = *x_;
  by_opening_.set_size(static_cast<size_t>(x.size));
  opening_.set_size(static_cast<size_t>(x.size));
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
}

Weight Mapper::window() {
  const PathTree &x = *x_, &y = *y_;
  const auto columns = static_cast<size_t>(y.size);
  for (Column<Weight>* column : {&inside_, &best_, &own_best_}) column->set_size(columns);
  for (Column<int32_t>* column : {&overlapping_, &low_, &high_}) column->set_size(columns);
  find_opening_order();
  find_heavy_children();
  Weight result = 0;
  for (int32_t node = 0; node < x.size; ++node) {
    const bool is_root = node == x.size - 1;
    if (!is_root && (x.is_leaf(node) || heavy_[x[node].parent] == node)) continue;
    Overlap leaves{over_x_[x[node].first_leaf].first, over_x_[x[node].last_leaf].last};
    if (leaves.first >= y.leaf_count || leaves.last < 0) continue;
    if (leaves.first > leaves.last) std::swap(leaves.first, leaves.last);  // in a silence of y: the leaves around it
    result = HeavyPath(*this, node, leaves).climb();
  }
  return result;  // of the last path, which starts at the root
}

}  // namespace treescore
