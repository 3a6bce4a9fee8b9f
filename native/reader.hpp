// Reads bracketed text into columns: our own tolerant reader, and EVALB's line reader.
#pragma once

#include <string_view>
#include <vector>

#include "names.hpp"
#include "progress.hpp"
#include "treebank.hpp"

namespace treescore {

// With kAuto trees may span lines; a "(" in column one starts a new tree if the first tree suggests so.
#define TREESCORE_LAYOUTS(VALUE)                         \
  VALUE(kAuto, AUTO)                                     \
  VALUE(kMultiline, MULTILINE) /* only brackets count */ \
  VALUE(kLine, LINE)           /* every line is one sentence, a blank line an empty one, several trees a forest */

TREESCORE_ENUM(Layout, uint8_t, TREESCORE_LAYOUTS);

#define TREESCORE_BRACKET_FAULTS(VALUE) \
  VALUE(kUnclosed, UNCLOSED)            \
  VALUE(kSurplusClose, SURPLUS)         \
  VALUE(kLooseText, LOOSE_TEXT)         \
  VALUE(kUnfinished, UNFINISHED)

TREESCORE_ENUM(FaultCode, uint8_t, TREESCORE_BRACKET_FAULTS);

// Why the text of one tree could not be read. The tree stays in the columns as an empty, faulty one.
struct Fault {
  FaultCode code;
  uint64_t tree;
  uint64_t line;    // from 1
  uint64_t column;  // from 1, in characters
  uint64_t number;  // kUnclosed, kUnfinished (at the end of the text): how many brackets were still open
};

// Where a tree ends, as far as it is known: a block of a text is read by the rule that the blocks before it have shown.
#define TREESCORE_BREAKS(VALUE)                                                               \
  VALUE(kUndecided, UNDECIDED)       /* no tree has shown it yet */                           \
  VALUE(kNever, NEVER)               /* only where its brackets are closed */                 \
  VALUE(kAtColumnOne, AT_COLUMN_ONE) /* also where a "(" in column one starts the next one */ \
  VALUE(kAtNewline, AT_NEWLINE)      /* every line is one sentence */

TREESCORE_ENUM(Break, uint8_t, TREESCORE_BREAKS);

struct ReadResult {
  std::vector<Fault> faults;
  uint64_t blank_lines = 0;  // lines without a tree between or after trees
  // For blocks: what is known after the block, how many bytes were read, how many names they have, and the number of
  // the next line.
  Break rule = Break::kUndecided;
  size_t size = 0;
  size_t names = 0;
  uint64_t next_line = 1;
};

// `labelless`: every token is a word, and no bracket has a label; a token alone on its line is a sentence without a
// tree.
ReadResult read_brackets(std::string_view text, Layout layout, bool labelless, Columns& out, Progress* progress);

// A part of a text that begins with a line. If `more` follows, a block that ends by the rules kAtColumnOne or
// kAtNewline must end there; by the others only what stands before the last line break between trees is read, which may
// be nothing.
ReadResult read_block(std::string_view text, Break rule, uint64_t first_line, bool more, bool labelless, Columns& out);

// The length of the longest block of a text by the rules kAtColumnOne or kAtNewline; 0 if no block ends in it.
size_t block_size(std::string_view text, Break rule);

// EVALB's messages while it reads a line. After kLooseText it stops.
#define TREESCORE_EVALB_COMPLAINTS(VALUE)   \
  VALUE(kUnbalancedOpen, UNBALANCED_OPEN)   \
  VALUE(kUnbalancedClose, UNBALANCED_CLOSE) \
  VALUE(kTwoElements, TWO_ELEMENTS)         \
  VALUE(kLooseText, LOOSE_TEXT)

TREESCORE_ENUM(Complaint, uint8_t, TREESCORE_EVALB_COMPLAINTS);

struct Message {
  Complaint complaint;
  uint8_t side;     // 0 gold, 1 test
  uint64_t pair;    // pair number inside the batch
  uint64_t offset;  // where in that side's text, and where the content of the line ends
  uint64_t line_end;
};

#define TREESCORE_EVALB_ENDS(VALUE) \
  VALUE(kNotYet, NOT_YET)           \
  VALUE(kBoth, BOTH)                \
  VALUE(kGoldLonger, GOLD_LONGER)   \
  VALUE(kTestLonger, TEST_LONGER)   \
  VALUE(kLooseText, LOOSE_TEXT)

TREESCORE_ENUM(EvalbEnd, uint8_t, TREESCORE_EVALB_ENDS);

// Reads two files in step, as EVALB does, and emulates its reader to the byte (also where it reads the memory before
// its stack: the cells below zero outlive a sentence and are shared by both sides).
class EvalbReader {
 public:
  EvalbReader(std::string_view gold, std::string_view test, size_t line_limit)
      : text_{gold, test}, line_limit_(line_limit) {}

  // Reads at most `most` pairs. Stops early at the end of a file and after loose text.
  void read(size_t most, Columns& gold, Columns& test, std::vector<Message>& messages);

  using End = EvalbEnd;
  End end() const { return end_; }
  size_t longest_word() const { return longest_word_; }
  size_t longest_uncut() const { return longest_uncut_; }

  // Begin and end of the lines of the last batch, gold and test; the last entry may be a pair that was not finished.
  struct Extent {
    uint64_t begin[2] = {0, 0}, end[2] = {0, 0};
  };
  const std::vector<Extent>& extents() const { return extents_; }

 private:
  static constexpr int kBelow = 4;
  size_t line_size(int side);
  bool next_line(int side, std::string_view& line);
  bool read_line(int side, std::string_view line, uint64_t pair, Columns& out, std::vector<Message>& messages);

  std::string_view text_[2];
  size_t at_[2] = {0, 0};
  size_t line_limit_;
  size_t longest_word_ = 0;
  size_t longest_uncut_ =
      0;  // the longest line that was not cut because a cut would have separated a label and its word
  size_t cut_until_[2] = {0, 0};  // up to here the line is certain to be cut
  std::vector<Extent> extents_;
  uint64_t pairs_ = 0;
  End end_ = End::kNotYet;
  int32_t below_[kBelow] = {0, 0, 0, 0};
  std::vector<int32_t> stack_;
};

}  // namespace treescore
