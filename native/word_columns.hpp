// Words of utterances with their times, in columns, and the readers of the formats in which large files of them come:
// tables, ctm, JSON lines and TextGrid.
#pragma once

#include <bit>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "column.hpp"
#include "names.hpp"
#include "numbers.hpp"
#include "progress.hpp"
#include "treebank.hpp"

namespace treescore {

// An unknown time: a NaN that no text stands for, because a file may have NaN as a time, which is a fault.
inline constexpr uint64_t kUnknownBits = 0x7FF8'0000'0000'0001ull;
inline double unknown_time() { return std::bit_cast<double>(kUnknownBits); }
inline bool is_known(double time) { return std::bit_cast<uint64_t>(time) != kUnknownBits; }

// Begin and end, in seconds.
struct WordTimes {
  double begin = unknown_time(), end = unknown_time();
  bool are_known() const { return is_known(begin) && is_known(end); }
};

struct WordColumns {
  struct Utterance {
    uint32_t id = kNone, speaker = kNone, file = kNone, channel = kNone;  // names
    uint32_t line = 0;
    double begin = unknown_time(), end = unknown_time();
  };
  Vocabulary texts, names;
  Column<uint32_t> words;
  Column<WordTimes> times;
  Column<uint32_t> lines;
  std::vector<uint64_t> ends{0};  // where the words of each utterance end, after a 0
  std::vector<Utterance> utterances;

  size_t size() const { return utterances.size(); }
  size_t begin_of(size_t utterance) const { return ends[utterance]; }
  size_t end_of(size_t utterance) const { return ends[utterance + 1]; }
  void add(uint32_t word, const WordTimes& when, uint32_t line) {
    words.push_back(word);
    times.push_back(when);
    lines.push_back(line);
  }
};

// What is wrong with a line, or why it must be read in another way.
#define TREESCORE_LINE_FAULTS(VALUE)                                            \
  VALUE(kFields, FIELDS) /* another number of fields; `place` is the number */  \
  VALUE(kTime, TIME)     /* the field `place` is no time */                     \
  VALUE(kMark, MARK)     /* not a fault: the line has a mark of alternatives */ \
  VALUE(kOther, OTHER)   /* not a fault: a line that needs another reader; `place` is the number of utterances before */

TREESCORE_ENUM(LineFaultKind, uint8_t, TREESCORE_LINE_FAULTS);

struct LineFault {
  LineFaultKind kind;
  uint32_t line;
  uint64_t begin, end;  // of the line in the text
  uint64_t place;
};

// The columns of a table by number; -1: the table has no such column.
struct TableLayout {
  int32_t columns, word, begin, end;
  int32_t id, speaker, file, channel;
  std::vector<int32_t> keys;  // lines that are equal here belong to one utterance
};

// Lines from `first_line` on. Words of one utterance become neighbours; utterances are in the order of their first
// lines.
void read_word_table(std::string_view text, uint32_t first_line, const TableLayout& layout, Progress& progress,
                     WordColumns& out, std::vector<LineFault>& faults);

// Each file and channel is an utterance. With `keep_words` a word without a valid time is kept. Marks of alternatives
// are words.
void read_ctm(std::string_view text, bool keep_words, Progress& progress, WordColumns& out,
              std::vector<LineFault>& faults);

// Lines of JSON: utterances without any fault. All others are in `faults`.
void read_word_lines(std::string_view text, Progress& progress, WordColumns& out, std::vector<LineFault>& faults);

// The words of an utterance in the order of their begins; a word without a time follows its predecessor. With
// `usable_only`, times that would be removed are ignored. Returns whether the order has changed.
bool put_in_order(WordColumns& columns, size_t utterance, bool usable_only);

// Leaves out words by text, and utterances.
void keep_only(WordColumns& columns, std::span<const uint8_t> texts, std::span<const uint8_t> utterances);

#define TREESCORE_TIME_FAULTS(VALUE)                                                    \
  VALUE(kOdd, ODD)           /* no begin and end of a word */                           \
  VALUE(kOrder, ORDER)       /* the word does not begin after the word before it */     \
  VALUE(kOverlap, OVERLAP)   /* the word begins before the end of the word before it */ \
  VALUE(kBegin, BEGIN)       /* no begin of an utterance */                             \
  VALUE(kEnd, END)           /* no end of an utterance */                               \
  VALUE(kReversed, REVERSED) /* the utterance ends before it begins */

TREESCORE_ENUM(TimeFaultKind, uint8_t, TREESCORE_TIME_FAULTS);

struct TimeFault {
  TimeFaultKind kind;
  uint64_t utterance, word;  // `word` counts from the first one of the utterance
  double first, second;
};

// Corrects the times of an utterance, in the order of its words.
void correct_times(std::span<WordTimes> times, WordTimes& limits, uint64_t utterance, std::vector<TimeFault>& faults);

// The number that Python's float() reads, with blanks around it but without underscores.
bool parse_number(std::string_view text, double& value);
// Blanks inside text: those of str.isspace() in Python, in UTF-8. The size of the one that begins here, or 0.
size_t blank_size(std::string_view text, size_t at);

// A common time of several words, shared by their characters.
void share_by_characters(std::span<const uint32_t> characters, const WordTimes& whole, std::span<WordTimes> out);

}  // namespace treescore
