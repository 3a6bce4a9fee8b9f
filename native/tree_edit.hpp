// Tree edit distance of parse trees: their nodes, the cost of turning one into the other, and the steps.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "causes.hpp"
#include "fixed_point.hpp"
#include "memory_budget.hpp"
#include "names.hpp"
#include "outcome.hpp"
#include "parallel.hpp"
#include "reasons.hpp"
#include "rules.hpp"
#include "tree_distance.hpp"
#include "treebank.hpp"

namespace treescore {

// The surface word to which each leaf belongs, tree by tree.
struct SurfaceWords {
  std::vector<int64_t> ends;  // of each tree
  std::vector<uint32_t> words;

  std::span<const uint32_t> of(size_t tree) const {
    const auto begin = static_cast<size_t>(tree == 0 ? 0 : ends[tree - 1]);
    return std::span(words).subspan(begin, static_cast<size_t>(ends[tree]) - begin);
  }
};

// How words are represented.
#define TREESCORE_EDIT_WORDS(VALUE)                                                         \
  VALUE(kNoNodes, NO_NODES)                                                                 \
  VALUE(kNodes, NODES)     /* each is a node of its own, under its preterminal or phrase */ \
  VALUE(kLexemes, LEXEMES) /* a word and its preterminal are one node */

TREESCORE_ENUM(EditWords, uint8_t, TREESCORE_EDIT_WORDS);

#define TREESCORE_EDIT_ROOTS(VALUE)                                                                                    \
  VALUE(kAsTheyAre, AS_THEY_ARE)                                                                                       \
  VALUE(kFixed, FIXED) /* one on each side, given or put there, which is never edited; it is a node but has no cost */ \
  VALUE(kCounted, COUNTED) /* the same, but it counts in what a whole tree costs */

TREESCORE_ENUM(EditRoots, uint8_t, TREESCORE_EDIT_ROOTS);

struct TreeEditRules {
  using Words = EditWords;
  using enum EditWords;
  using Roots = EditRoots;
  using enum EditRoots;

  SideRules gold, test;  // labels and tags share one space of keys
  bool labelled = true;
  Words words = kNoNodes;
  Roots roots = kAsTheyAre;
  std::vector<uint8_t> gold_root, test_root;     // labels of outermost brackets that are such a root
  std::optional<SurfaceWords> gold_in, test_in;  // words are equal only within one surface word
  EditCosts costs;                               // in units of 2^-40
  double limit = 60;                             // predicted seconds of work above which a pair is refused
};

// The nodes of a tree in postorder, followed by a root over all of them, which is used if there are several roots.
struct EditTree {
  std::vector<uint32_t> label;
  std::vector<int32_t> leftmost;
  std::vector<int32_t> number;  // as in the input: phrases and preterminals in the order in which they open, then words

  int32_t size() const { return static_cast<int32_t>(number.size()); }
  bool has_one_root() const { return size() > 0 && leftmost[number.size() - 1] == 0; }
  LabelledTree view(bool with_root) const;
  void clear();
  void add(uint32_t key, int32_t leftmost_node, int32_t own_number);
  void close();  // adds the root over them all
};

#define TREESCORE_TREE_EDIT_COLUMNS(NOTE, SUM)                                   \
  NOTE(reason, reason::kScored)                                                  \
  NOTE(length) /* words of gold */                                               \
  NOTE(empty_phrases)                                                            \
  NOTE(detail) /* of reason::kTooComplex */                                      \
  SUM(valid)                                                                     \
  SUM(errors)                                                                    \
  TREESCORE_OUTCOME_COLUMNS(SUM)                                                 \
  TREESCORE_OUTER_COLUMNS(SUM)                                                   \
  SUM(most_all) /* of scored and of failed rows */                               \
  SUM(distance) /* in units of 2^-40, like all costs */                          \
  SUM(most)     /* the cost of removing all of gold and inserting all of test */ \
  SUM(gold)     /* nodes */                                                      \
  SUM(test)                                                                      \
  SUM(sentence_score) /* the similarity, in units of 2^-40 */                    \
  SUM(exact)          /* the trees are equal */

TREESCORE_ROW(TreeEditRow, TREESCORE_TREE_EDIT_COLUMNS);

// One step of an edit: a node of both trees, or of one that is removed (test is -1) or inserted (gold is -1).
struct EditStep {
  int32_t gold, test;
  double same;  // 1 if the labels are equal, else 0
};

class TreeEditScorer {
 public:
  explicit TreeEditScorer(const TreeEditRules& rules, std::function<void()> poll = {});

  // `pair`: the number of the trees among the surface words.
  TreeEditRow score(const Columns& gold, size_t gold_index, const Columns& test, size_t test_index, size_t pair);

  // The steps for the last pair scored, in the order in which nodes open. `all`: removals and insertions too.
  void append_steps(bool all, std::vector<EditStep>& out);

  // To be called after each pair: other threads may wait for the memory.
  void release();

 private:
  struct Open {
    uint32_t key;
    int32_t number, end, leftmost, words_before;
  };
  struct Side {
    const SideRules& rules;
    const std::vector<uint8_t>& root;
    std::span<const uint32_t> surface;  // empty: unknown
  };
  bool stands_for_fixed_root(const TreeView& tree, const Side& side) const;
  int32_t place(const TreeView& tree, const Side& side, EditTree& out);
  void add_word(const TreeView& tree, size_t leaf, const Side& side, int32_t word_number, int32_t tag_number,
                EditTree& out);
  void place_both(const TreeView& gold, const Side& gold_side, const TreeView& test, const Side& test_side,
                  bool test_faulty, TreeEditRow& row);
  uint32_t key(uint32_t key) const { return rules_.labelled ? key : 0; }
  uint32_t word_key(const TreeView& tree, size_t leaf, const Side& side);
  uint32_t joint_key(uint32_t word, uint32_t other);
  int64_t most_cost(int64_t gold, int64_t test) const;
  void set_tree_failed(TreeEditRow& row, int64_t gold, bool fixed_roots) const;
  bool check_work(bool with_root, TreeEditRow& row);
  static bool fits(const std::optional<SurfaceWords>& surface, const Side& side, const TreeView& tree);
  bool find_distance(bool are_equal, TreeEditRow& row);
  void fill_row(bool are_equal, TreeEditRow& row) const;
  const std::function<void()>* poll() const { return poll_ ? &poll_ : nullptr; }

  const TreeEditRules& rules_;
  const std::function<void()> poll_;
  MemoryClaim memory_;
  std::vector<Open> open_;
  std::unordered_map<std::string_view, uint32_t> word_keys_;
  std::unordered_map<uint64_t, uint32_t> joint_keys_;
  EditTree gold_, test_;
  TreeDistance engine_;
  bool compared_ = false;
};

// Scores gold[i] with test[i] for all i; entry i of each column belongs to pair i.
void score_all(const Columns& gold, size_t gold_begin, const Columns& test, size_t test_begin, size_t count,
               const TreeEditRules& rules, unsigned threads, const ColumnsOf<TreeEditRow>& columns, Progress* progress);

// The same, and the steps of all pairs, one after the other; `ends` has the end of each.
void edit_all(const Columns& gold, size_t gold_begin, const Columns& test, size_t test_begin, size_t count,
              const TreeEditRules& rules, unsigned threads, const ColumnsOf<TreeEditRow>& columns, bool all,
              std::vector<EditStep>& out, std::vector<int64_t>& ends, Progress* progress);

}  // namespace treescore
