// Praat's TextGrid. Only free-standing numbers, "strings" and <flags> count; everything else is a comment.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "word_columns.hpp"

namespace treescore {

#define TREESCORE_GRID_TOKENS(VALUE) \
  VALUE(kString, STRING)             \
  VALUE(kNumber, NUMBER)             \
  VALUE(kFlag, FLAG)                 \
  VALUE(kEnd, END)

TREESCORE_ENUM(GridToken, uint8_t, TREESCORE_GRID_TOKENS);

#define TREESCORE_GRID_FAULTS(VALUE)                                                                      \
  VALUE(kNoTier, NO_TIER)        /* an item of tier `number`, of which there is none */                   \
  VALUE(kTierKind, TIER_KIND)    /* a tier of another kind, `text` */                                     \
  VALUE(kNoSize, NO_SIZE)        /* `number` cannot be a number of tiers or labels */                     \
  VALUE(kUnexpected, UNEXPECTED) /* a token of the kind `actual`, `text`, instead of another, `wanted` */ \
  VALUE(kUnclosed, UNCLOSED)     /* a string without an end */                                            \
  VALUE(kTooShort, TOO_SHORT)    /* the text ends before a token of the kind `wanted` */

TREESCORE_ENUM(GridFaultKind, uint8_t, TREESCORE_GRID_FAULTS);

struct GridFault {
  GridFaultKind kind;
  uint64_t at;  // place in the text
  double number = 0;
  GridToken wanted = GridToken::kString, actual = GridToken::kString;
  std::string text;
};

// The first two strings, which name the type of the file and of its object, without their quotes.
struct GridHead {
  std::string type, object_class;
};

class TextGrid {
 public:
  struct Label {
    uint64_t end;  // of its words; they begin where those of the label before end
    uint32_t line;
    WordTimes when;
  };
  struct Tier {
    bool has_intervals;
    std::string name;
    std::vector<Label> labels;    // of intervals
    std::vector<uint32_t> words;  // of the labels
  };

  // Text in UTF-8, with newlines as the only ends of lines. Reads the head.
  explicit TextGrid(std::string_view text);
  const GridHead& head() const { return head_; }
  // Reads the tiers up to the first fault. In a chronological file the labels of all tiers are sorted by time.
  void read(bool chronological, Progress& progress);

  const std::vector<Tier>& tiers() const { return tiers_; }
  const std::optional<GridFault>& fault() const { return fault_; }
  const WordTimes& limits() const { return limits_; }
  const Vocabulary& texts() const { return texts_; }

  // Have most labels several words? `kept` has a byte for each text: is it a word?
  bool are_utterances(const Tier& tier, std::span<const uint8_t> kept) const;
  // The words of a tier as an utterance; words of one label share its time. Has any label several words?
  bool append(const Tier& tier, std::span<const uint8_t> kept, WordColumns& out) const;

 private:
  struct Token {
    GridToken kind;
    std::string_view text;
    bool is_closed = true;  // has a string an end?
  };
  struct Broken {};

  bool next_token(Token& token);
  size_t token_size(Token& token) const;
  void skip_other();
  std::string_view next(GridToken wanted);
  double number();
  uint64_t size_of_list();
  void read_tier();
  void read_item(Tier& tier);
  void read_by_tier(Progress& progress);
  void read_chronological(Progress& progress);
  [[noreturn]] void fail(GridFault fault);

  std::string_view text_;
  size_t at_ = 0;       // where the next token is looked for
  size_t begin_ = 0;    // of the last token
  size_t counted_ = 0;  // up to here lines are counted
  uint32_t line_ = 1;
  GridHead head_;
  std::vector<Tier> tiers_;
  WordTimes limits_;
  std::optional<GridFault> fault_;
  Vocabulary texts_;
  std::string label_;
};

}  // namespace treescore
