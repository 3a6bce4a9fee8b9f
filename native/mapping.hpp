// The best alignment of two trees over intervals: nodes with nodes, one to one, ancestors with ancestors, in order,
// with the largest sum of the weights of its pairs. The weight of a pair is the share of the intervals' union that both
// have in common (IoU), if the pair may be aligned at all.
//
// Exact. Weights are whole numbers of 2^-40: sums depend neither on the order of addition nor on the way to the
// optimum.
#pragma once

#include <functional>
#include <stdexcept>
#include <vector>

#include "column.hpp"
#include "fixed_point.hpp"
#include "names.hpp"

namespace treescore {

// A tree in postorder, each node with its interval; leaves are nodes without nodes below them.
struct IntervalTree {
  static constexpr int32_t kUnmatched = -1;  // label of a node that is there for the shape only

  struct Node {
    double start, end;
    int32_t label;
    int32_t leftmost;  // the first leaf below it, itself for a leaf
    int32_t number;    // in the order in which the nodes of the original tree open
  };
  Column<Node> nodes;
  Column<int32_t> leaves;
  int32_t counted = 0;  // nodes that may be matched

  int32_t size() const { return static_cast<int32_t>(nodes.size()); }
  // Makes room for so many nodes, which must not be exceeded.
  void clear(size_t most) {
    nodes.set_size(0);
    leaves.set_size(0);
    nodes.reserve(most);
    leaves.reserve(most);
    counted = 0;
  }
  void add_leaf(int32_t label, double start, double end, int32_t number) {
    const int32_t node = size();
    leaves.push_in_room(node);
    nodes.push_in_room({start, end, label, node, number});
    counted += label != kUnmatched;
  }
  // A node over everything since `leftmost`.
  void close(int32_t label, int32_t leftmost, int32_t number) {
    nodes.push_in_room({nodes[leftmost].start, nodes.back().end, label, leftmost, number});
    counted += label != kUnmatched;
  }
};

struct MappingRules {
  bool flexible = true;      // a leaf may be aligned with any node; otherwise labels must be equal
  double threshold = 0;      // pairs count from above this IoU
  double least_overlap = 0;  // … and from this length in common
  double least_iou = 0;      // … and from this IoU
  double limit = 1e300;      // seconds of work, by count and not by the clock, from which a pair is refused
};

struct TooComplex : std::length_error {
  static constexpr double kAboveLimit = 0;  // how far, nobody knows
  double seconds;
  explicit TooComplex(double predicted) : std::length_error("too complex"), seconds(predicted) {}
};

// How the optimum is found, for tests that all ways lead to it.
#define TREESCORE_MAPPER_ENGINES(VALUE) \
  VALUE(kChosen, CHOSEN)                \
  VALUE(kSweep, SWEEP)                  \
  VALUE(kWindow, WINDOW)

TREESCORE_ENUM(MapperEngine, uint8_t, TREESCORE_MAPPER_ENGINES);

#define TREESCORE_MAPPER_PATHS(VALUE) \
  VALUE(kChosen, CHOSEN)              \
  VALUE(kLeft, LEFT)                  \
  VALUE(kRight, RIGHT)

TREESCORE_ENUM(MapperPaths, uint8_t, TREESCORE_MAPPER_PATHS);

// A workspace that solves one pair after the other; the trees must stay until the alignment is read.
class Mapper {
 public:
  // What holds from now on; `poll` is called during long work and may throw to end it.
  void set(const MappingRules& rules, std::function<void()> poll = {});

  // The sum of the best alignment. Throws TooComplex, or whatever `poll` throws.
  Weight solve(const IntervalTree& a, const IntervalTree& b);

  struct Pair {
    int32_t a, b;  // postorder
  };
  // The alignment of the last solve, in no special order. Among equally good ones: a pair is left out if the nodes
  // below do as well without it, equal subtrees map onto each other, and the first chain found in postorder stays.
  const std::vector<Pair>& align();

  double iou(const Pair& pair) const;
  Weight weight(const Pair& pair) const;

  // Memory held for what can grow faster than the trees.
  size_t held_bytes() const {
    return pool_.held_bytes() + pool_copy_.held_bytes() + table_.held_bytes() + saved_.held_bytes() +
           saved_at_.held_bytes() + links_.capacity() * sizeof(Link);
  }

  // Both ways to the optimum must agree: for tests.
  using Engine = MapperEngine;
  using Paths = MapperPaths;
  struct Choice {
    bool contract = true;
    Engine engine = Engine::kChosen;
    Paths paths = Paths::kChosen;
    bool prune = false;  // the alignment from the start
  };
  void choose(const Choice& choice) { choice_ = choice; }

 private:
  struct Node {
    double start, end;
    int32_t label, leftmost, parent, first_leaf, last_leaf, origin, twin;
  };
  // A contracted tree read from one of its ends. A left path is a leaf with all nodes that start with it.
  struct PathTree {
    int32_t size = 0, leaf_count = 0;
    Column<Node> nodes;
    Column<int32_t> leaves;      // their postorder numbers
    Column<int32_t> head;        // of each leaf: the top of its path
    Column<int32_t> path_begin;  // of each leaf: its place in path_nodes
    Column<int32_t> path_nodes;  // the inner nodes of the paths that may be matched, from the bottom
    Column<uint64_t> path_labels;
    uint64_t inner_labels = 0;
    Column<int32_t> paths_above, nodes_above;  // of each leaf; only after count_above
    int64_t left_cost = 0, right_cost = 0;

    const Node& operator[](int32_t node) const { return nodes[static_cast<size_t>(node)]; }
    bool is_leaf(int32_t node) const { return (*this)[node].leftmost == node; }
    void connect();
    void count_above();
  };
  struct Candidate {
    Weight sum;     // of the pair and everything below it
    Weight before;  // of the best chain that ends before the pair
    int32_t y, last_before;
  };
  struct List {
    uint32_t at, size, room;
  };
  struct Overlap {
    int32_t first, last;  // leaves of the other tree; first > last in a silence
  };
  struct Link {
    static constexpr int32_t kUnknown = -2;
    uint32_t candidate;
    int32_t x, previous;
    int32_t below;  // where the chain below the pair ends, kUnknown if it must be found by itself
  };

  struct Region {
    int32_t x_first, x_last, y_first, y_last;
    Weight sum;
  };
  // To the left and right of a node in a region, room() - taken[node] nodes may be matched.
  struct Outlook {
    Column<int32_t> before, above, taken;
    void prepare(const PathTree& tree, const IntervalTree& original);
    int32_t room(const PathTree& tree, const IntervalTree& original, int32_t first, int32_t last) const;
  };

  void find_twins();
  void contract(const IntervalTree& tree, const Column<int32_t>& twins, PathTree& out, Column<int32_t>& kept);
  static void mirror(PathTree& tree, PathTree& out, Column<int32_t>& order);
  static void find_overlaps(const PathTree& from, const PathTree& to, Column<Overlap>& out);
  void find_leaf_candidates();
  template <class Emit>
  void pair_leaf(const PathTree& from, int32_t leaf, const PathTree& to, Overlap over, bool with_leaves, Emit emit);
  void add(int32_t x, int32_t y, Weight sum);
  Weight weight(const Node& u, const Node& v) const;
  Weight leaf_weight(const Node& leaf, const Node& node) const;
  Weight solve_contracted();
  double predict_sweep() const;
  double predict_window();
  void find_heavy_children();
  Weight sweep_all();
  void sweep_paths(int32_t i, int32_t j);
  Weight sweep(int32_t i, int32_t j, int32_t top_x, int32_t top_y);
  Weight window();
  void unmirror();
  template <bool kPrunes>
  void trace_all();
  template <bool kPrunes>
  void trace(const Region& region);
  void emit(int32_t x, int32_t y);
  void worked(uint64_t cells);
  void allow(double seconds);

  MappingRules rules_;
  std::function<void()> poll_;
  uint64_t spent_ = 0, allowed_ = 0, unpolled_ = 0;  // work, in cells of window()
  Choice choice_;

  const IntervalTree* a_ = nullptr;
  const IntervalTree* b_ = nullptr;
  bool identical_ = false, mirrored_ = false;
  Weight result_ = 0;
  Column<int32_t> twin_a_, twin_b_, kept_a_, kept_b_, order_a_, order_b_, scratch_, path_size_;
  PathTree plain_[2], mirrored_trees_[2];
  PathTree* x_ = nullptr;
  PathTree* y_ = nullptr;
  Column<Overlap> over_x_, over_y_;
  Column<Candidate> pool_, pool_copy_;
  Column<List> lists_, lists_copy_;
  Column<Weight> below_;  // all zero between uses
  Column<int32_t> stair_column_, stair_link_, new_column_, old_column_, merged_column_;
  Column<Weight> stair_value_, new_sum_, old_value_, merged_sum_;

  // for window()
  Column<Weight> table_, inside_, best_, own_best_, saved_;
  Column<int32_t> overlapping_, low_, high_, by_opening_, opening_, heavy_, chain_;
  Column<size_t> saved_at_;

  // for align()
  std::vector<Pair> pairs_;
  std::vector<Link> links_;
  std::vector<int32_t> ends_;
  Column<int32_t> link_before_;
  std::vector<Region> waiting_;
  Outlook outlook_x_, outlook_y_;
  Column<Weight> highest_;  // of each candidate: the largest sum in its list up to it
};

}  // namespace treescore
