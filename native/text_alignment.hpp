// Two files of trees whose words and sentences may differ: which sentences belong together, and which of their words.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "progress.hpp"
#include "rules.hpp"
#include "segments.hpp"
#include "treebank.hpp"

namespace treescore {

// The texts that are compared for each distinct word: its characters as written, and with contractions written out.
// Equal texts have equal keys.
class WordForms {
 public:
  struct Form {
    uint32_t begin, end;
    uint32_t key;
    size_t size() const { return end - begin; }
  };
  // `plain` and `expanded` have one text for each word; `before` has the text of a word in front of another word.
  struct Before {
    uint32_t word, next;
    std::u32string text;
  };
  WordForms() = default;
  WordForms(const std::vector<std::u32string>& plain, const std::vector<std::u32string>& expanded,
            const std::vector<Before>& before);

  const Form& plain(uint32_t word) const { return plain_[word]; }
  const Form& expanded(uint32_t word, uint32_t next) const;
  std::span<const uint32_t> characters(const Form& form) const {
    return std::span(characters_).subspan(form.begin, form.end - form.begin);
  }

 private:
  Form add(const std::u32string& text);
  std::vector<uint32_t> characters_;
  std::unordered_map<std::u32string, uint32_t> keys_;
  std::vector<Form> plain_, expanded_;
  std::unordered_map<uint64_t, Form> before_;
};

// The words of one side.
struct TextSide {
  std::vector<uint32_t> words;      // of all sentences; empty if both sides are identical
  std::vector<uint64_t> sentences;  // where each begins, and the end
  std::vector<uint8_t> kept;        // whether the word is compared with others, or deleted

  size_t size() const { return sentences.size() - 1; }
  bool empty(size_t sentence) const { return sentences[sentence] == sentences[sentence + 1]; }
  uint32_t next(size_t word) const { return word + 1 < words.size() ? words[word + 1] : UINT32_MAX; }
};

// Sentences that belong together; one side may have none.
struct Block {
  uint32_t gold_begin, gold_end, test_begin, test_end;
  bool paired() const { return gold_begin < gold_end && test_begin < test_end; }
};

class TextAlignment {
 public:
  // Side rules say which words are deleted before words are aligned; without them none are.
  TextAlignment(const Columns& gold, size_t gold_begin, size_t gold_end, const SideRules* gold_rules,
                const Columns& test, size_t test_begin, size_t test_end, const SideRules* test_rules);

  bool identical() const { return identical_; }
  const Vocabulary& vocabulary() const { return *vocabulary_; }

  // Finds blocks and groups. Not needed if the sides are identical.
  void align(WordForms forms, unsigned threads, Progress* progress);

  std::span<const Block> blocks() const { return blocks_; }
  // The groups of the words of a block that are not deleted; none if one side has no words.
  std::span<const SegmentGroup> groups(size_t block) const;
  bool expanded(size_t block) const { return !identical_ && expanded_[block] != 0; }
  const TextSide& gold() const { return sides_[0]; }
  const TextSide& test() const { return sides_[1]; }
  // The text of a word in the reading of a block.
  const WordForms::Form& form(const TextSide& side, size_t word, bool expanded) const {
    return expanded ? forms_.expanded(side.words[word], side.next(word)) : forms_.plain(side.words[word]);
  }
  std::span<const uint32_t> characters(const WordForms::Form& form) const { return forms_.characters(form); }
  // Whether sentences were left out here because too much text without common places would have to be compared.
  bool given_up(size_t block) const { return !identical_ && given_up_[block] != 0; }

 private:
  bool identical_ = false;
  std::unique_ptr<Vocabulary> vocabulary_;
  TextSide sides_[2];
  WordForms forms_;
  std::vector<Block> blocks_;
  std::vector<SegmentGroup> groups_;
  std::vector<int64_t> group_ends_;
  std::vector<uint8_t> expanded_, given_up_;
};

}  // namespace treescore
