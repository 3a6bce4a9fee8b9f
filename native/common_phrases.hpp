// Phrases of two files of trees over the same words, whatever their labels.
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "aligned_parseval.hpp"
#include "progress.hpp"
#include "rules.hpp"
#include "text_alignment.hpp"

namespace treescore {

struct PhrasePlace {
  uint32_t sentence;
  int32_t node;
  uint32_t label;  // its key
};

// The counts of one side.
struct PhraseSide {
  int64_t words = 0;    // that are not deleted
  int64_t phrases = 0;  // that count and have words
  std::vector<PhrasePlace> common;
  std::vector<int64_t> ends;                        // of each class in `common`
  std::vector<std::pair<int64_t, int64_t>> labels;  // by key: phrases, and common phrases
};

// Words are aligned if they have the same text and are in the same group, as many as possible in groups of several
// words. Phrases of both sides over the same aligned words form a class. A chain of phrases over the same words is in
// one class, so that classes need less memory than pairs.
class CommonPhrases {
 public:
  // `strict`: there must not be any other words in a phrase.
  CommonPhrases(const TextAlignment& texts, TreeRange gold, const SideRules& gold_rules, TreeRange test,
                const SideRules& test_rules, bool strict, Progress& progress);

  const PhraseSide& side(int number) const { return sides_[number]; }
  int64_t aligned_words() const { return aligned_words_; }
  // Groups so long that only their first and last words were compared.
  int64_t hasty_groups() const { return hasty_groups_; }
  // Blocks with a discontinuous tree: their words count, but none of their phrases.
  const std::vector<size_t>& left_out() const { return left_out_; }

  // How often each pair of labels is over the same words. Throws std::length_error if there are too many different
  // pairs.
  using Table = std::map<std::pair<uint32_t, uint32_t>, int64_t>;
  Table by_labels() const;

 private:
  struct Entry {  // a phrase over the aligned words [first, end) of its block
    int32_t first, end;
    PhrasePlace place;
  };
  struct Words {
    std::vector<uint32_t> keys;    // of the texts of words that are not deleted
    std::vector<uint8_t> aligned;  // of the same words
    std::vector<Entry> entries;
  };
  void collect(const TextAlignment& texts, size_t block, Progress& progress);
  void align(std::span<const uint32_t> gold, std::span<const uint32_t> test, size_t gold_at, size_t test_at,
             Progress& progress);
  void add_entries(const TextSide& text, const TreeRange& trees, const SideRules& rules, size_t begin, size_t end,
                   bool strict, int side);
  void pair_up();

  PhraseSide sides_[2];
  int64_t aligned_words_ = 0, hasty_groups_ = 0;
  std::vector<size_t> left_out_;
  Words words_[2];
  std::vector<int32_t> kept_before_, aligned_before_;
};

}  // namespace treescore
