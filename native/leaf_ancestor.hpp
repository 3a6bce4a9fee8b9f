// Leaf-ancestor scores: how alike are the lineages of each word in two trees?
#pragma once

#include <algorithm>
#include <array>
#include <functional>
#include <stdexcept>
#include <vector>

#include "fixed_point.hpp"
#include "lineages.hpp"
#include "names.hpp"
#include "outcome.hpp"
#include "parallel.hpp"
#include "treebank.hpp"

namespace treescore {

// Lineages are marked at the outermost phrase that begins with the word, and at the outermost one that ends with it.
// Inside: from the root down, the end before the label and the beginning after it; likewise at the edges of gaps.
// Outside: the same, but the beginning before the label of a phrase with none above it; no marks at gaps.
#define TREESCORE_MARKS(VALUE) \
  VALUE(kUnmarked, UNMARKED)   \
  VALUE(kInside, INSIDE)       \
  VALUE(kOutside, OUTSIDE)

TREESCORE_ENUM(Marks, uint8_t, TREESCORE_MARKS);

// Twice the costs, so that they are whole; to insert or to delete costs 2.
struct PathCosts {
  static constexpr int32_t kMost = 4;  // what it costs to delete a symbol and to insert another
  int32_t similar = 1;
  int32_t other = kMost;
};

struct LeafAncestorRules : PairRules {
  bool labelled = true;
  Marks marks = Marks::kOutside;
  PathCosts costs;
  std::vector<uint32_t> kind;  // of each label key: keys of one kind are similar
  double limit = 60;           // seconds, estimated from the number of steps, after which a pair is refused
};

#define TREESCORE_LEAF_ANCESTOR_COLUMNS(NOTE, SUM)                                                          \
  NOTE(reason, reason::kScored)                                                                             \
  NOTE(length) /* words of gold */                                                                          \
  NOTE(empty_phrases)                                                                                       \
  NOTE(detail)       /* of reason::kTooComplex, or the number of words in gold, or its leaf that differs */ \
  NOTE(other_detail) /* the same of test */                                                                 \
  SUM(valid)                                                                                                \
  SUM(errors)                                                                                               \
  TREESCORE_OUTCOME_COLUMNS(SUM)                                                                            \
  TREESCORE_OUTER_COLUMNS(SUM)                                                                              \
  TREESCORE_CAUSE_COLUMNS(SUM)                                                                              \
  SUM(words_all)   /* words of gold, if the row is scored or failed */                                      \
  SUM(words)       /* scored */                                                                             \
  SUM(word_score)  /* the sum of their similarities, in units of 2^-40 */                                   \
  SUM(exact_words) /* with equal paths */                                                                   \
  SUM(gold)        /* phrases above words */                                                                \
  SUM(test)                                                                                                 \
  SUM(sentence_score) /* the mean of the similarities, in units of 2^-40 */                                 \
  SUM(exact)          /* all paths are equal */

TREESCORE_ROW(LeafAncestorRow, TREESCORE_LEAF_ANCESTOR_COLUMNS);

#define TREESCORE_PATH_MARKS(VALUE)              \
  VALUE(kBegin, BEGIN)                           \
  VALUE(kEnd, END)                               \
  VALUE(kGapEnd, GAP_END)     /* before a gap */ \
  VALUE(kGapBegin, GAP_BEGIN) /* behind it */

// The entries of paths in Python besides the keys of labels.
struct PathMark {
  TREESCORE_NEGATIVES(TREESCORE_PATH_MARKS);
  static constexpr uint32_t kFirstKey = 0xFFFFFFF0u;
  static constexpr uint32_t key(int64_t mark) { return kFirstKey + static_cast<uint32_t>(-1 - mark); }
};

// A label key, or one of the marks, with its kind: equal numbers are equal symbols.
struct PathSymbol {
  static constexpr uint32_t kBegin = PathMark::key(PathMark::kBegin), kEnd = PathMark::key(PathMark::kEnd);
  static constexpr uint32_t kGapEnd = PathMark::key(PathMark::kGapEnd), kGapBegin = PathMark::key(PathMark::kGapBegin);
  uint32_t key, kind;

  static PathSymbol mark(uint32_t which) { return {which, which}; }
  bool is_mark() const { return key >= PathMark::kFirstKey; }
  int64_t as_mark() const { return -1 - static_cast<int64_t>(key - PathMark::kFirstKey); }
  friend bool operator==(const PathSymbol&, const PathSymbol&) = default;
};

class LeafAncestorScorer {
 public:
  explicit LeafAncestorScorer(const LeafAncestorRules& rules, std::function<void()> poll = {});
  LeafAncestorScorer(const LeafAncestorScorer&) = delete;
  LeafAncestorScorer& operator=(const LeafAncestorScorer&) = delete;

  LeafAncestorRow score(const Columns& gold, size_t gold_index, const Columns& test, size_t test_index);

  struct LabelSums {
    int64_t words = 0, exact = 0;
    int64_t words_all = 0;  // with failed sentences
    WeightSum score;
  };
  // Adds the words of the pair to the table, by the label key of the innermost gold phrase above; the last row, of
  // which there is one more than there are kinds, has words without one.
  void add_by_label(const Columns& gold, size_t gold_index, const Columns& test, size_t test_index,
                    std::vector<LabelSums>& table);

  // For each word its leaf in gold and in test, and its paths from the outermost phrase to the innermost.
  struct WordPaths {
    uint32_t gold_leaf, test_leaf;
    std::vector<PathSymbol> gold, test;
    Weight score;
  };
  struct TooLongToShow : std::length_error {
    using std::length_error::length_error;
  };
  // Of the pair, if it is scored; throws TooLongToShow.
  LeafAncestorRow paths(const Columns& gold, size_t gold_index, const Columns& test, size_t test_index,
                        std::vector<WordPaths>& out);

 private:
  struct Word {
    uint32_t key;  // of the innermost gold phrase, or kNone
    Weight score;
    bool exact;
  };
  struct Mark {
    int32_t slot;  // 2i: before label i; 2i + 1: after it
    PathSymbol symbol;

    size_t labels_before() const { return static_cast<size_t>((slot + 1) / 2); }
    friend bool operator==(const Mark&, const Mark&) = default;
  };
  // One tree while its words are compared.
  struct Side {
    const Lineages* lineages;
    const TreeView* tree;
    std::vector<PathSymbol> symbols;  // by label
    std::vector<PathSymbol> labels;   // above the current word, outermost first
    std::vector<int32_t> nodes;
    std::array<Mark, 4> marks;
    size_t mark_count = 0;
    std::vector<PathSymbol> path;  // the part that is compared

    void begin();
    void take(int32_t word);
    void find_marks(int32_t word, Marks kind);
    void find_marks_beside_gaps(int32_t word, Marks kind);
    void add_mark(int32_t slot, uint32_t which);
    bool same_marks(const Side& other) const {
      return std::equal(marks.begin(), marks.begin() + mark_count, other.marks.begin(),
                        other.marks.begin() + other.mark_count);
    }
    size_t length() const { return labels.size() + mark_count; }
    void write_path(size_t from);
  };
  struct TooMuch {};

  LeafAncestorRow score(const Columns& gold, size_t gold_index, const Columns& test, size_t test_index,
                        std::vector<Word>* words, std::vector<WordPaths>* paths);
  void score_words(LeafAncestorRow& row, std::vector<Word>* words, std::vector<WordPaths>* paths);
  uint32_t innermost_key() const;
  int64_t distance(size_t same_labels);
  int64_t edit_distance(std::span<const PathSymbol> a, std::span<const PathSymbol> b);
  int64_t banded(std::span<const PathSymbol> a, std::span<const PathSymbol> b, int64_t margin);
  void check(double steps) const;
  void charge(double steps);

  const LeafAncestorRules& rules_;
  const std::function<void()> poll_;
  LineagePair pair_;
  Side gold_, test_;
  std::vector<int32_t> row_;
  double steps_ = 0, unpolled_ = 0;
};

// Scores gold[i] with test[i] for all i; entry i of each column belongs to pair i.
void score_all(const Columns& gold, size_t gold_begin, const Columns& test, size_t test_begin, size_t count,
               const LeafAncestorRules& rules, unsigned threads, const ColumnsOf<LeafAncestorRow>& columns,
               Progress* progress);

}  // namespace treescore
