// The errors of a parser, classified by how its tree can be repaired (Kummerfeld et al. 2012).
#pragma once

#include <array>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "names.hpp"
#include "parallel.hpp"
#include "treebank.hpp"

namespace treescore {

// What a step does; a rule applies to some of these.
#define TREESCORE_REPAIRS(VALUE) \
  VALUE(kRelabel, RELABEL)       \
  VALUE(kAdd, ADD)               \
  VALUE(kRemove, REMOVE)         \
  VALUE(kMove, MOVE)

TREESCORE_ENUM(Repair, uint8_t, TREESCORE_REPAIRS);
constexpr size_t kRepairs = names_of(Repair{}).size();

// A condition on the labels at some place: one of them (for `kNoChild`, none) is in a set of labels.
#define TREESCORE_PLACES(VALUE)                                                        \
  VALUE(kLabel, LABEL)            /* of the node; of a relabelling, the wrong one */   \
  VALUE(kNewLabel, NEW_LABEL)     /* the right one of a relabelling */                 \
  VALUE(kParent, PARENT)          /* of the node, or of what is moved before it is */  \
  VALUE(kNewParent, NEW_PARENT)   /* of what is moved afterwards */                    \
  VALUE(kMover, MOVER)            /* any node that is moved */                         \
  VALUE(kEndMover, END_MOVER)     /* the first or the last of them */                  \
  VALUE(kBeside, BESIDE)          /* what stands beside those, before or afterwards */ \
  VALUE(kNext, NEXT)              /* what stands behind the node */                    \
  VALUE(kChild, CHILD)            /* any child of the node */                          \
  VALUE(kLaterChild, LATER_CHILD) /* any child but the first */                        \
  VALUE(kNoChild, NO_CHILD)       /* no child at all */

TREESCORE_ENUM(Place, uint8_t, TREESCORE_PLACES);
constexpr size_t kPlaces = names_of(Place{}).size();

// Other conditions of a rule.
#define TREESCORE_FACTS(VALUE)                                                 \
  VALUE(kOneWord, ONE_WORD)           /* the node stands over one word */      \
  VALUE(kOneChild, ONE_CHILD)         /* it has one child */                   \
  VALUE(kOnlyChild, ONLY_CHILD)       /* it is the only child of its parent */ \
  VALUE(kChildrenSame, CHILDREN_SAME) /* all its children have its label */    \
  VALUE(kParentSame, PARENT_SAME)     /* its parent has */

// The class of a step is that of the first rule whose conditions all hold.
struct ClassRule {
  TREESCORE_FLAGS(TREESCORE_FACTS);

  uint8_t repairs;                                 // by bit
  uint8_t facts;                                   // that must all hold
  std::vector<std::pair<Place, unsigned>> places;  // and the number of a set of labels
  int64_t of_class;
};

#define TREESCORE_ERROR_KEYS(VALUE)                                       \
  VALUE(kEmpty, EMPTY)             /* words with this tag are traces */   \
  VALUE(kPunctuation, PUNCTUATION) /* words with this tag are left out */ \
  VALUE(kOuter, OUTER)             /* a label of outer brackets */

// A language pack in numbers. A key represents a label or tag after cutting and renaming.
struct ErrorRules {
  TREESCORE_FLAGS(TREESCORE_ERROR_KEYS);
  static constexpr size_t kMostSets = 64;

  std::vector<uint32_t> gold_keys, test_keys;  // of the labels of either vocabulary
  std::vector<uint8_t> key_flags;
  std::vector<uint64_t> key_sets;  // by bit: in which sets of labels it is
  uint32_t root_key, no_tag_key;
  std::unordered_map<std::string, uint32_t> tag_of_word;  // whatever its tag is
  size_t longest_retagged = 0;
  std::vector<ClassRule> rules;
  std::array<int64_t, kRepairs> other_class;  // of steps for which there is no rule
  bool punctuation_by_gold;                   // chosen so that the words agree, and not by the tags of either side
};

// Why there are no steps. Empty trees are not faults of the sentence.
#define TREESCORE_ERROR_REASONS(VALUE)                                \
  VALUE(kRepaired, REPAIRED)                                          \
  VALUE(kEmptyTest, EMPTY_TEST)                                       \
  VALUE(kEmptyGold, EMPTY_GOLD)                                       \
  VALUE(kBothEmpty, BOTH_EMPTY)                                       \
  VALUE(kGoldFault, GOLD_FAULT)                                       \
  VALUE(kTestFault, TEST_FAULT)                                       \
  VALUE(kCrossing, CROSSING)           /* a discontinuous tree */     \
  VALUE(kLengths, LENGTHS)             /* unequal numbers of words */ \
  VALUE(kTooManySteps, TOO_MANY_STEPS) /* more than kMostSteps */     \
  VALUE(kTooDifferent, TOO_DIFFERENT)  /* more than kMostWork */

struct ErrorReason {
  TREESCORE_CONSTANTS(TREESCORE_ERROR_REASONS);
};

#define TREESCORE_ERROR_COLUMNS(NOTE, SUM)                              \
  NOTE(reason, ErrorReason::kRepaired)                                  \
  NOTE(length) /* words that count */                                   \
  NOTE(test_length)                                                     \
  NOTE(differs_at, -1) /* the first leaves that have different words */ \
  NOTE(test_differs_at, -1)                                             \
  SUM(gold) /* phrases, without the outer one */                        \
  SUM(test)                                                             \
  SUM(extra)                                                            \
  SUM(missing)                                                          \
  SUM(crossing)                                                         \
  SUM(steps)                                                            \
  SUM(brackets)

TREESCORE_ROW(ErrorRow, TREESCORE_ERROR_COLUMNS);

// A step; -1 for fields that it does not use. It is followed by label, start and end of each child, or of each moved
// node, and by the numbers of the phrases that were missing in gold, and those that were extra in test, before it.
#define TREESCORE_STEP_NUMBERS(NOTE, SUM)                                                 \
  NOTE(size, -1) /* of the record in numbers, this one and those behind it included */    \
  NOTE(repair, -1)                                                                        \
  NOTE(of_class, -1)                                                                      \
  NOTE(brackets, -1)                                                                      \
  NOTE(label, -1)     /* a key */                                                         \
  NOTE(new_label, -1) /* of a move: that of the phrase that was added in the same step */ \
  NOTE(start, -1)     /* of the node, or of what is moved */                              \
  NOTE(end, -1)                                                                           \
  NOTE(parent, -1)                                                                        \
  NOTE(new_parent, -1)                                                                    \
  NOTE(added_start, -1)                                                                   \
  NOTE(added_end, -1)                                                                     \
  NOTE(first_leaf, -1) /* of gold, for start and end */                                   \
  NOTE(end_leaf, -1)                                                                      \
  NOTE(children, -1) /* how many follow */                                                \
  NOTE(gold_phrases, -1)                                                                  \
  NOTE(test_phrases, -1)

TREESCORE_ROW(StepRecord, TREESCORE_STEP_NUMBERS);
constexpr size_t kStepNumbers = StepRecord::kNames.size();

constexpr int64_t kMostSteps = 100;
// Limit of the phrases examined for one pair, which usually takes less than a second. Parsed sentences need a hundredth
// of it.
constexpr uint64_t kMostWork = 30'000'000;

class ErrorFinder {
 public:
  ErrorFinder(const ErrorRules& rules, std::function<void()> poll) : rules_(rules), poll_(std::move(poll)) {}

  // Appends the steps of a pair to `out`.
  ErrorRow find(const Columns& gold, size_t gold_index, const Columns& test, size_t test_index,
                std::vector<int64_t>& out);

  // The leaves of gold and of test that are compared with each other.
  void compared(const TreeView& gold, const TreeView& test);
  const std::vector<uint32_t>& kept(int side) const { return kept_[side]; }

 private:
  static constexpr int32_t kNothing = -1;
  static constexpr std::array<int64_t, 2> kNoDifference{-1, -1};
  struct TooDifferent {};

  // A leaf (numbers below words_) or a phrase of the tree that is repaired.
  struct Item {
    uint32_t label;
    int32_t parent = kNothing, before = kNothing, after = kNothing;
    int32_t first = kNothing, last = kNothing;  // of its children
    int32_t start, end;
    int32_t entry = kNothing;   // gold phrases with the same span and label; kNothing: there are none
    int32_t origin = kNothing;  // the number of the phrase in its tree
    bool is_extra = false;
    bool extra_right = false, extra_left = false;  // it or a phrase down its edge is extra
  };
  struct Gold {
    uint32_t label;
    int32_t parent;
    int32_t start, end;
    int32_t entry;
    int32_t occurrence;  // how many equal ones precede it
    int32_t origin;      // the number of the phrase in its tree
  };
  // A phrase that is wrong at first, and the last step before which it was wrong.
  struct Wrong {
    int32_t start, end;
    uint32_t label;
    int32_t origin, gold;  // the phrase of gold, for a missing one
    int64_t repaired_by;
    bool is_wrong;
  };
  // Gold phrases with the same span and label, and how many more such phrases the tree has than gold.
  struct Entry {
    uint32_t label;
    int32_t start, end;
    int32_t gold, surplus;
  };
  struct Change {  // of a node, to be taken back
    int32_t node, start, end, entry;
    bool gone;
  };
  enum class Route : uint8_t { kDownLeft, kDownRight, kUpLeft, kUpRight };
  struct Best {
    int64_t score = 0;
    Repair repair = Repair::kRemove;
    int32_t node = -1, gold = -1;  // of all but moves; `gold` is also what is added by a move
    int32_t source = -1, first = -1, last = -1, target = -1;  // of moves
    Route route = Route::kDownLeft;
  };
  struct Run {  // children of a phrase beside each other
    int32_t source, first, last;
    int32_t start, end;
    int32_t merged;  // the only child that is left, if it has the label of the source
  };
  struct Spanned {
    int32_t start, end, place, node;
  };

  void look(uint64_t count) {
    work_ += count;
    if (work_ > kMostWork) throw TooDifferent();
    if (work_ > polled_at_ + (1u << 20)) {
      polled_at_ = work_;
      poll_();
    }
  }
  uint32_t tag_key(const TreeView& tree, size_t leaf, const std::vector<uint32_t>& keys) const;
  void collect_tags(const TreeView& tree, const std::vector<uint32_t>& keys, int side);
  void build(const TreeView& tree, const std::vector<uint32_t>& keys, int side);
  void take_gold();
  void list_phrases();
  std::array<int64_t, 2> first_difference(const TreeView& gold, const TreeView& test) const;
  int32_t entry_of(int32_t start, int32_t end, uint32_t label) const;
  Item& at(int32_t item) { return items_[static_cast<size_t>(item)]; }
  const Item& at(int32_t item) const { return items_[static_cast<size_t>(item)]; }
  bool is_leaf(int32_t item) const { return item < words_; }
  bool is_missing(const Gold& node) const {
    const Entry& entry = entries_[static_cast<size_t>(node.entry)];
    return entry.surplus < 0 && node.occurrence >= entry.gold + entry.surplus;
  }
  // Whether any phrase is partly inside and partly outside this span, also while `moved` is tried at another place.
  bool crosses(int32_t start, int32_t end, const Run* moved) const;

  void analyse();
  void find_simple();
  int32_t topmost(int32_t node);
  void find_moves();
  void moves_of(int32_t source);
  void try_run(int32_t source, int32_t first, int32_t last);
  void try_down(const Run& run, int32_t neighbour, Route route);
  void try_across(const Run& run, Route route);
  void try_up(const Run& run, Route route);
  void go_down(const Run& run, int32_t node, Route route);
  bool has_extra(int32_t node, Route route) const;
  void consider(const Run& run, int32_t target, Route route);
  int32_t tightest_missing(const Run& run, int32_t target);

  void change(int32_t node, int32_t start, int32_t end);
  void lose(int32_t node);
  void shrink(int32_t node, const Run& run, bool left);
  void shrink_source(const Run& run, bool left);
  void take_back();

  void perform(std::vector<int64_t>& out);
  int32_t add(const Gold& node);
  void remove(int32_t node);
  void move();
  void link(int32_t first, int32_t last, int32_t parent, int32_t before, int32_t after);
  void unlink(int32_t first, int32_t last);
  void splice(int32_t phrase);
  void settle(int32_t node);
  void count(int32_t node, int32_t by);
  void respan(int32_t node, int32_t start, int32_t end);

  void note_wrong();
  void note_repaired(int64_t step);
  void append_phrases(size_t begin, std::vector<int64_t>& out);

  // A step as it is classified.
  struct Facts {
    Repair repair;
    uint32_t label = kNone, new_label = kNone, parent = kNone, new_parent = kNone, next = kNone;
    int32_t start = -1, end = -1;
    bool only_child = false;
    std::vector<Item> children;  // or the moved nodes
    std::vector<uint32_t> beside;
  };
  void describe(int32_t node);
  int64_t class_of() const;
  bool holds(Place place, uint64_t set) const;
  void write(const Gold* added, std::vector<int64_t>& out) const;

  const ErrorRules& rules_;
  std::function<void()> poll_;
  uint64_t work_ = 0, polled_at_ = 0;

  std::vector<uint32_t> kept_[2];  // leaves that count
  std::array<int64_t, 2> differs_at_ = kNoDifference;
  std::vector<uint32_t> tags_[2];  // keys of all leaves
  std::vector<int32_t> kept_before_;
  std::vector<int32_t> item_of_;
  std::vector<Item> items_;
  int32_t words_ = 0, root_ = kNothing;
  std::vector<int32_t> order_;  // the phrases of the tree as they open

  std::vector<Gold> gold_;
  std::vector<int32_t> gold_of_leaf_;
  std::vector<Entry> entries_;
  std::vector<int32_t> slots_;
  int64_t errors_ = 0, errors_before_ = 0;

  std::vector<int32_t> owner_;  // of the place before a word: the lowest phrase that has words on both sides of it
  std::vector<int32_t> seen_;   // by entry
  std::vector<int32_t> children_, right_places_;
  std::vector<Spanned> extras_;
  std::vector<Wrong> missing_, extra_;           // of the trees as they were read
  std::vector<std::array<int64_t, 3>> spanned_;  // the spans and labels of extras_, sorted
  Best best_;
  std::vector<Change> changes_;
  int32_t start_owner_ = kNothing, end_owner_ = kNothing;  // of the places before and after the moved nodes
  Facts facts_;
};

// Finds the errors of all pairs. The numbers of the steps of pair i are in `steps` up to ends[i].
void find_errors(const Columns& gold, size_t gold_begin, const Columns& test, size_t test_begin, size_t count,
                 const ErrorRules& rules, unsigned threads, const ColumnsOf<ErrorRow>& columns,
                 std::vector<int64_t>& steps, std::vector<int64_t>& ends, Progress* progress);

}  // namespace treescore
