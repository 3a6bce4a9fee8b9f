// Exact edit distance of two ordered labelled trees, with the nodes that an optimal edit keeps.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace treescore {

// Nodes in postorder; the root is the last. `leftmost` is the leftmost leaf at or below each node.
struct LabelledTree {
  std::span<const uint32_t> label;
  std::span<const int32_t> leftmost;
};

// No cost is negative. Keeping a node with an equal label is free, and renaming never costs more than removing and
// inserting.
struct EditCosts {
  int64_t insert = 1;
  int64_t remove = 1;
  int64_t rename = 1;
};

// Each pair of subtrees is taken apart along a left, right or heavy path of either tree, whichever leaves the fewest
// subproblems to solve (Pawlik and Augsten 2011, 2015): at most cubic time, and memory for a few numbers per pair of
// nodes. The object keeps its memory for the next pair.
class TreeDistance {
 public:
  struct Prediction {
    double cells;  // pairs of subforests to be compared
    double bytes;  // an upper bound
  };
  using Poll = std::function<void()>;

  TreeDistance();
  ~TreeDistance();
  TreeDistance(TreeDistance&&) noexcept;
  TreeDistance& operator=(TreeDistance&&) noexcept;

  // Predicts what `distance` will need. This itself needs little memory, and time at most proportional to the number of
  // pairs of nodes, which a caller may limit beforehand. Ends early, with infinitely many cells, if it is certain that
  // there are more than `most_cells`. Forgets the last distance.
  Prediction predict(const LabelledTree& a, const LabelledTree& b, const EditCosts& costs,
                     double most_cells = std::numeric_limits<double>::infinity(), const Poll* poll = nullptr);

  // The cost of turning a into b. `poll` is called every few million cells and may throw to stop the work. Throws
  // std::overflow_error where a sum of costs might not fit.
  int64_t distance(const LabelledTree& a, const LabelledTree& b, const EditCosts& costs, const Poll* poll = nullptr);

  // The nodes that the last call of `distance` kept or renamed, ascending in both trees; the others were removed or
  // inserted. Of several optimal mappings always the same one: on the way down a pair is preferred to a removal and a
  // removal to an insertion, but unequal labels are not paired where that saves nothing, and unequal trees not at all
  // if insertions and removals cost nothing.
  std::vector<std::pair<int32_t, int32_t>> mapping(const Poll* poll = nullptr);

  double cells() const;  // compared by the last call of `distance`

 private:
  struct Work;
  std::unique_ptr<Work> work_;
};

}  // namespace treescore
