// SParseval's procedure on SParseval's files: its reading, comparisons and complaints, without its layout.
#pragma once

#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "dependencies.hpp"
#include "names.hpp"
#include "treebank.hpp"

namespace treescore {

// Stops a run, with the message of the original.
struct SparsevalError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct SparsevalRules {
  std::vector<std::string> deleted, empty, edits, closed;      // labels
  std::vector<std::pair<std::string, std::string>> rewritten;  // labels
  std::vector<std::pair<std::string, std::string>> equal_words;
  std::vector<std::pair<char, std::string>> pauses;

  struct HeadGroup {
    bool from_left;
    std::vector<std::string> labels;
  };
  struct HeadLine {
    std::string category;
    std::vector<HeadGroup> groups;
  };
  bool has_heads = false;
  std::vector<HeadLine> heads;
  std::vector<HeadGroup> default_head;

  bool bag = false, whole_files = false, unlabelled = false;
};

// Counts of a unit.
#define TREESCORE_SPARSEVAL_COLUMNS(NOTE, SUM)    \
  SUM(matched) /* brackets */                     \
  SUM(gold)                                       \
  SUM(test)                                       \
  SUM(crossing)                                   \
  SUM(head_matched) /* dependencies */            \
  SUM(head_gold)                                  \
  SUM(head_test)                                  \
  SUM(open_matched) /* those of the open class */ \
  SUM(open_gold)                                  \
  SUM(open_test)

TREESCORE_ROW(SparsevalRow, TREESCORE_SPARSEVAL_COLUMNS);

struct SparsevalPair {
  std::string_view gold, test;            // contents
  std::string_view gold_name, test_name;  // for complaints
  std::optional<std::string_view> alignment;
};

class Sparseval {
 public:
  explicit Sparseval(const SparsevalRules& rules, std::function<void()> poll = {});

  // Scores the units of a pair of files. On an error, the rows before it are there.
  void score(const SparsevalPair& files);
  const std::vector<SparsevalRow>& rows() const { return rows_; }
  std::string take_warnings() { return std::exchange(warnings_, {}); }

  // The trees of a file with their heads, as headtrees prints them.
  void annotate(std::string_view trees, std::string_view name, std::string& out);

  // A raw alignment of words in fixed columns as the alignment of the words of two files, as strealign prints it.
  std::string realign(const SparsevalPair& files, std::string_view raw);

 private:
  enum class Side : uint8_t { kGold, kTest };

  // Lines as a buffer of limited size delivers them.
  struct Lines {
    std::string_view text;
    size_t next = 0;
    bool read(std::string_view& line);
  };
  struct Meaning {
    int32_t label = -1;
    uint8_t flags = 0;
  };
  // A place of the axis. Without a test word, and not deleted, the test word is the gold word.
  struct Row {
    SpokenWord gold, test;
    bool deleted = false;
    int32_t unit = -1, number = -1;  // for warnings
    int32_t next = -1;
    int32_t gold_leaf = -1, test_leaf = -1;
  };

  uint32_t intern(std::string_view text) { return labels_.intern(text.data(), text.size()); }
  Meaning meaning(std::string_view label);
  uint8_t flags_of(std::string_view label) const;

  bool first_tree(Lines& lines, SpeechTree& tree, Side side, const SparsevalPair& files);
  void further_trees(Lines& lines, SpeechTree& tree, Side side, const SparsevalPair& files);
  void read_tree(std::string_view line, size_t at, SpeechTree& tree, Side side, const SparsevalPair& files,
                 bool further);
  [[noreturn]] void misbracketing(const SpeechTree& tree, int32_t node, const SparsevalPair& files) const;
  void write(const SpeechTree& tree, int32_t top, bool with_heads, std::string& out) const;
  void write_leaf(const SpeechTree& tree, int32_t node, std::string& out) const;

  int32_t add_row(int32_t after);
  Row& add_numbered_row();
  void rows_from_words(const SpeechTree& gold);
  void rows_from_file(std::string_view alignment);
  void rows_from_columns(std::string_view raw);
  void walk(SpeechTree& tree, Side side, bool skips_deletable);
  bool joins(SpokenWord word, SpokenWord first, int32_t next, Side side) const;
  void score_unit(bool aligned);

  const SparsevalRules& rules_;
  std::function<void()> poll_;
  bool load_deletes_ = false;  // deletable nodes are removed as soon as they are read
  Vocabulary labels_;
  std::vector<Meaning> meanings_;  // by label as read
  Meaning root_;
  HeadRules heads_;
  WordEquivalence words_;
  DependencyMatcher dependencies_;
  BracketMatcher brackets_;

  // The line that is being read: places with two adjacent brackets, and the open nodes.
  std::string_view line_;
  std::vector<size_t> doubled_;
  std::vector<int32_t> open_;

  SpeechTree gold_, test_;
  std::vector<Row> aligned_;
  std::vector<Bracket> gold_brackets_, test_brackets_;
  std::vector<Dependency> gold_dependencies_, test_dependencies_;
  std::vector<SparsevalRow> rows_;
  std::string warnings_;
};

}  // namespace treescore
