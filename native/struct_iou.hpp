// STRUCT-IOU: trees placed on an axis, the best alignment of their nodes, and its value.
#pragma once

#include <array>
#include <memory>
#include <span>
#include <vector>

#include "causes.hpp"
#include "mapping.hpp"
#include "names.hpp"
#include "parallel.hpp"
#include "reasons.hpp"
#include "rules.hpp"
#include "treebank.hpp"

namespace treescore {

#define TREESCORE_AXES(VALUE)    \
  VALUE(kWords, WORDS)           \
  VALUE(kCharacters, CHARACTERS) \
  VALUE(kSeconds, SECONDS)

TREESCORE_ENUM(Axis, uint8_t, TREESCORE_AXES);

struct Verdict;

struct StructIouRules {
  SideRules gold, test;  // labels and tags share one space of keys
  bool labelled = true;
  Axis axis = Axis::kWords;
  bool count_silent = false;  // leaves that are not spoken, and phrases of nothing else, are nodes without partners
  bool close_gaps = false;    // words around a silence meet in its middle
  double crossing = 0;        // boundaries up to this distance do not make nodes cross; for verdicts only
  MappingRules mapping;
};

// Puts the phrases and preterminals of trees on an axis.
class Placer {
 public:
  Placer(const SideRules& side, const StructIouRules& rules, bool labelled);

  // Needs a nested tree, and times for the axis of seconds.
  void place(const TreeView& tree, IntervalTree& out);

  // The position of each leaf. A leaf that is left out has no length, and is where it would begin. For any tree: one
  // without times is placed on the axis of words instead of that of seconds.
  void place_leaves(const TreeView& tree, std::span<Interval> out);

  // Of the last tree: whether leaves were left out, the number of the others, and which they are.
  bool leaves_out_any() const { return leaves_out_any_; }
  size_t kept_count(const TreeView& tree) const { return leaves_out_any_ ? kept_.size() : tree.leaves.size(); }
  size_t kept(size_t word) const { return leaves_out_any_ ? kept_[word] : word; }
  int32_t empty_phrases() const { return empty_phrases_; }  // without words in the input
  // Nodes that were left out because nothing in them is spoken, and are counted nevertheless.
  struct Silent {
    int32_t label, number;
    double time;
  };
  const std::vector<Silent>& silent() const { return silent_; }

 private:
  struct Open {
    int32_t label, number, end, leftmost;
    double start, last;  // of the words directly below the phrase
    bool bare;           // … if there are any and no node was placed below it yet
  };
  Interval interval(const TreeView& tree, int32_t leaf, double position) const;
  int32_t key(uint32_t key) const { return labelled_ ? static_cast<int32_t>(key) : 0; }
  bool deletes(uint32_t tag) const { return tag != kNone && (rules_.tag_flags[tag] & SideRules::kDeleted) != 0; }
  bool leaves_out(const TreeView& tree, size_t leaf) const {
    return deletes(tree.leaves[leaf].tag) || (has_silent_ && is_silent(tree.times[leaf]));
  }
  static bool is_silent(const Interval& time) { return time.start == time.end; }
  void look_at_leaves(const TreeView& tree);  // before they are placed
  void find_silent(const TreeView& tree);
  void close_gaps(const TreeView& tree);
  bool place_plain(const TreeView& tree, IntervalTree& out);
  void place_any(const TreeView& tree, IntervalTree& out);
  void count_kept(const TreeView& tree);
  bool has_words(const treescore::Node& phrase) const;
  void open_phrase(const treescore::Node& phrase, int32_t number, IntervalTree& out);
  void add_word(uint32_t tag, const Interval& time, int32_t number, IntervalTree& out);
  void close_phrase(const Open& phrase, IntervalTree& out);
  void start_node(IntervalTree& out);

  const SideRules& rules_;
  const bool labelled_, deletes_any_, deletes_labels_, counts_silent_, closes_gaps_;
  const Axis axis_;
  bool leaves_out_any_ = false, has_silent_ = false;  // of the last tree
  std::vector<Interval> closed_;                      // its leaves, without gaps
  std::vector<Open> open_;
  std::vector<uint32_t> kept_;
  std::vector<uint32_t> kept_before_;  // each leaf
  std::vector<Silent> silent_;         // if they are counted
  Column<int32_t> opening_, closing_;
  int32_t empty_phrases_ = 0;
};

#define TREESCORE_STRUCT_IOU_COLUMNS(NOTE, SUM)                                                      \
  NOTE(reason, reason::kScored)                                                                      \
  NOTE(length)     /* words of gold */                                                               \
  NOTE(differs_at) /* number of the first word or character that is not the same, from 1; 0: none */ \
  NOTE(empty_phrases)                                                                                \
  NOTE(detail) /* of reason::kTooComplex */                                                          \
  SUM(valid)                                                                                         \
  SUM(errors)                                                                                        \
  TREESCORE_OUTCOME_COLUMNS(SUM)                                                                     \
  TREESCORE_OUTER_COLUMNS(SUM)                                                                       \
  SUM(overlap) /* sum of the IoU of all pairs, in units of 2^-40 */                                  \
  SUM(gold)    /* nodes */                                                                           \
  SUM(test)                                                                                          \
  SUM(sentence_score) /* in units of 2^-40 */                                                        \
  SUM(exact)          /* every node has an equal partner */

TREESCORE_ROW(StructIouRow, TREESCORE_STRUCT_IOU_COLUMNS);

class StructIouScorer {
 public:
  explicit StructIouScorer(const StructIouRules& rules, std::function<void()> poll = {});
  ~StructIouScorer();

  StructIouRow score(const Columns& gold, size_t gold_index, const Columns& test, size_t test_index);

  struct Aligned {
    int32_t gold, test;  // numbers of the nodes, phrases and preterminals, in the order in which they open
    double iou;
  };
  void append_alignment(std::vector<Aligned>& out);                          // of the last pair scored
  void append_verdicts(const StructIouRow& row, std::vector<Verdict>& out);  // of the last pair scored

  struct LabelSums {
    int64_t gold = 0, test = 0;          // nodes
    int64_t gold_all = 0, test_all = 0;  // with failed sentences
    WeightSum gold_overlap, test_overlap;
  };
  void add_by_label(const Columns& gold, size_t gold_index, const Columns& test, size_t test_index,
                    std::vector<LabelSums>& table);

  // To be called after each pair: other threads may wait for the memory.
  void release() { mapper_.release(); }

  Mapper& mapper() { return workspace_->mapper; }

 private:
  struct Workspace {
    IntervalTree gold, test;
    Mapper mapper;
    std::vector<Aligned> by_number;
    int32_t largest = 0;  // tree so far
  };
  static std::unique_ptr<Workspace>& spare();
  int64_t first_difference(const TreeView& gold, const TreeView& test) const;

  const StructIouRules& rules_;
  Placer gold_placer_, test_placer_;
  std::unique_ptr<Workspace> workspace_;
  IntervalTree &gold_, &test_;
  Mapper& mapper_;
  IntervalTree gold_labels_, test_labels_;
  bool aligned_ = false;
};

// Scores gold[i] with test[i] for all i; entry i of each column belongs to pair i.
void score_all(const Columns& gold, size_t gold_begin, const Columns& test, size_t test_begin, size_t count,
               const StructIouRules& rules, unsigned threads, const ColumnsOf<StructIouRow>& columns,
               Progress* progress);

// The same, and the alignments of all pairs, one after the other; `ends` has the end of each.
void align_all(const Columns& gold, size_t gold_begin, const Columns& test, size_t test_begin, size_t count,
               const StructIouRules& rules, unsigned threads, const ColumnsOf<StructIouRow>& columns,
               std::vector<StructIouScorer::Aligned>& out, std::vector<int64_t>& ends, Progress* progress);

// The scores of all pairs of trees, row by row; NaN where there is none. Uses the rules for gold. A tree that could not
// be read is one without nodes.
std::vector<double> score_pairwise(const Columns& trees, size_t begin, size_t count, const StructIouRules& rules,
                                   unsigned threads, Progress* progress);

}  // namespace treescore
