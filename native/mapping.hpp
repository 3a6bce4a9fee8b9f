// The best alignment of two trees over intervals: a one-to-one mapping of nodes that keeps ancestors and order, with
// the largest sum of the weights of its pairs. The weight of a pair is the intersection of the two intervals over their
// union (IoU), or 0 if the pair must not be aligned.
//
// The result is exact. Weights are whole numbers of 2^-40, so that sums depend neither on the order of addition nor on
// how the optimum is found.
#pragma once

#include <algorithm>
#include <functional>
#include <limits>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "column.hpp"
#include "fixed_point.hpp"
#include "memory_budget.hpp"
#include "names.hpp"

namespace treescore {

// A tree in postorder, each node with its interval; leaves are nodes without nodes below them.
struct IntervalTree {
  static constexpr int32_t kUnmatched = -1;  // label of a node that only gives the tree its shape

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
  // Makes room for at most this many nodes.
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
  double least_overlap = 0;  // … with an intersection of at least this length
  double least_iou = 0;      // … and with at least this IoU
  double limit = 1e300;      // seconds above which a pair is refused, estimated from the work and not by the clock
};

struct TooComplex : std::length_error {
  static constexpr double kAboveLimit = 0;  // by an unknown amount
  double seconds;
  explicit TooComplex(double predicted) : std::length_error("too complex"), seconds(predicted) {}
};

// How the optimum is found: tests check that all ways lead to the same one.
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

// A workspace that solves one pair after another. The trees must outlive the calls of align() for them.
class Mapper {
 public:
  // Sets the rules for all following pairs. `poll` is called during long work and may throw to stop it.
  void set(const MappingRules& rules, std::function<void()> poll = {});

  // The sum of the best alignment. Throws TooComplex, or whatever `poll` throws.
  Weight solve(const IntervalTree& a, const IntervalTree& b);

  struct Pair {
    int32_t a, b;  // postorder
  };
  // The alignment of the last pair solved, in no particular order. Among equally good alignments, a pair is left out if
  // the nodes below are worth as much without it, equal subtrees map onto each other, and the first chain found in
  // postorder is kept.
  const std::vector<Pair>& align();

  // To be called after each pair, and after align(): other threads may wait for the memory.
  void release();

  double iou(const Pair& pair) const;
  Weight weight(const Pair& pair) const;

  // Memory for everything that can grow faster than the trees.
  size_t held_bytes() const {
    return pool_.held_bytes() + pool_copy_.held_bytes() + table_.held_bytes() + saved_.held_bytes() +
           saved_at_.held_bytes() + links_.capacity() * sizeof(Link);
  }

  // For tests: all choices must give the same result.
  using Engine = MapperEngine;
  using Paths = MapperPaths;
  struct Choice {
    bool contract = true;
    Engine engine = Engine::kChosen;
    Paths paths = Paths::kChosen;
    bool prune = false;  // from the start of the trace
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
    int32_t below;  // where the chain below the pair ends, or kUnknown if it must be found separately
  };

  struct Region {
    int32_t x_first, x_last, y_first, y_last;
    Weight sum;
  };
  // In a region, room() - taken[node] nodes may be matched to the left and right of a node.
  struct Outlook {
    Column<int32_t> before, above, taken;
    void prepare(const PathTree& tree, const IntervalTree& original);
    int32_t room(const PathTree& tree, const IntervalTree& original, int32_t first, int32_t last) const;
  };

  // Work is measured in cells of window().
  static constexpr double kCellCost = 0.5e-9;                    // seconds, measured
  static constexpr uint64_t kNodeWork = 8, kCandidateWork = 16;  // to look at a node, to use a candidate
  static constexpr uint64_t kWorkUncounted = uint64_t{1} << 16;  // by the innermost loops, before they report it
  static constexpr uint64_t kWorkUnpolled = uint64_t{1} << 24;  // a hundredth of a second, after which `poll` is called
  static constexpr double kNoLimit = std::numeric_limits<double>::infinity();
  static constexpr int kMostSiblings = 64;  // rule 2 is optional, and distant siblings seldom help

  // Bytes that this pair needs of each kind; whatever earlier pairs have left behind does not matter.
  struct Needs {
    size_t candidates = 0, table = 0, saved = 0, links = 0;
  };
  // Candidates are copied to be traced, and have a place among the saved chains and two more numbers.
  static constexpr size_t kBytesPerCandidate = 2 * sizeof(Candidate) + 24;
  void need(size_t Needs::* kind, size_t bytes) {
    if (bytes > needs_.*kind) claim(kind, bytes);
  }
  void claim(size_t Needs::* kind, size_t bytes);
  void free_memory();

  Weight solve_once(const IntervalTree& a, const IntervalTree& b);
  void trace_once();
  void find_twins();
  void pair_equal_leaves();
  bool is_twin(int32_t x, int32_t y) const;
  void contract(const IntervalTree& tree, const Column<int32_t>& twins, PathTree& out, Column<int32_t>& kept);
  static void link_twins(PathTree& tree, const Column<int32_t>& twins, const Column<int32_t>& kept_twins);
  void choose_direction();
  static void mirror(PathTree& tree, PathTree& out, Column<int32_t>& order);
  static void renumber_twins(PathTree& tree, const Column<int32_t>& order);
  static void find_overlaps(const PathTree& from, const PathTree& to, Column<Overlap>& out);

  static uint64_t bit_of(int32_t label) { return uint64_t{1} << (label & 63); }
  Weight weight(const Node& u, const Node& v) const {
    const double common = std::min(u.end, v.end) - std::max(u.start, v.start);
    if (!(common > 0) || common < rules_.least_overlap) return 0;
    const double iou = common / (std::max(u.end, v.end) - std::min(u.start, v.start));
    if (!(iou > rules_.threshold) || iou < rules_.least_iou) return 0;
    return static_cast<Weight>(iou * static_cast<double>(Weight{1} << kWeightBits) + 0.5);
  }
  Weight leaf_weight(const Node& leaf, const Node& node) const;
  static bool covers(const Node& outer, const Node& inner) {
    return outer.start <= inner.start && outer.end >= inner.end;
  }
  void find_leaf_candidates();
  template <class Emit>
  void pair_leaf(const PathTree& from, int32_t leaf, const PathTree& to, Overlap over, bool with_leaves,
                 const Emit& emit_pair);
  template <class Emit>
  void pair_silent_leaf(const Node& z, const PathTree& to, Overlap over, const Emit& emit_pair);
  template <class Emit>
  void pair_covered_leaf(const Node& z, const PathTree& to, int32_t y, bool with_leaves, bool with_inner,
                         const Emit& emit_pair);
  template <class Emit>
  void pair_overlapping_leaf(const Node& z, const PathTree& to, Overlap over, bool with_leaves, bool with_inner,
                             const Emit& emit_pair);
  void add(int32_t x, int32_t y, Weight sum);

  Weight solve_contracted();
  double predict_sweep() const;
  double predict_window();
  void find_heavy_children();
  void allow(double seconds);
  void worked(uint64_t cells) {
    spent_ += cells;
    unpolled_ += cells;
    if (unpolled_ >= kWorkUnpolled) {
      unpolled_ = 0;
      if (poll_) poll_();
    }
    if (spent_ > allowed_) throw TooComplex(TooComplex::kAboveLimit);
  }

  // mapping_sweep.cpp
  class Sweep;
  Weight sweep_all();
  void sweep_paths(int32_t i, int32_t j);
  int32_t topmost_partner(const Node& u, int32_t j);
  Weight sweep(int32_t i, int32_t j, int32_t top_x, int32_t top_y);

  // mapping_window.cpp
  class HeavyPath;
  Weight window();
  void find_opening_order();

  // mapping_trace.cpp
  template <bool kPrunes>
  class Trace;
  template <bool kPrunes>
  void trace_all();
  void unmirror();
  void sort_candidates();
  void prepare_to_prune();
  void emit(int32_t x, int32_t y);

  MappingRules rules_;
  std::function<void()> poll_;
  std::optional<MemoryClaim> memory_;
  Needs needs_;
  bool solved_ = false;                              // with everything that trace_once() needs
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
  Column<int32_t> overlapping_, low_, high_, by_opening_, opening_, heavy_, right_path_;
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
