// How many tokens, sentences, words, tags and dependencies two sides share, whose words need not be the same.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "dependency_columns.hpp"
#include "parallel.hpp"
#include "progress.hpp"

namespace treescore {

// The characters of each form, as they are compared.
struct FormCharacters {
  std::vector<uint32_t> characters;
  std::vector<uint64_t> begin;  // one more than there are forms

  std::span<const uint32_t> of(uint32_t form) const {
    return {characters.data() + begin[form], characters.data() + begin[form + 1]};
  }
};

// What the names of one side mean: equal keys are the same on both sides.
struct DependencyKeys {
  static constexpr uint8_t kContent = 1, kFunction = 2, kUnspecified = 4;
  FormCharacters characters;
  std::vector<uint32_t> form;             // of each form, for words of multi-word tokens
  std::vector<uint32_t> name;             // of each name as it is
  std::vector<uint32_t> feats, relation;  // … as a list of features, as a relation
  std::vector<uint32_t> edge_type;        // … as the type of an edge, without subtypes
  std::vector<uint8_t> kind;              // … as a relation: kContent, kFunction; as a lemma: kUnspecified
};

struct DependencySide {
  const DependencyColumns& columns;
  const DependencyKeys& keys;
};

// Sentences of gold and of test that tell the same text.
struct DependencyUnit {
  size_t gold_begin, gold_end, test_begin, test_end;
};

enum : int64_t { kSameText, kOtherText, kTooDifferent };

// Counts of one gold sentence. What only test has counts in the gold sentence in which it begins.
struct DependencyRow {
  int64_t tokens = 0, tokens_gold = 0, tokens_test = 0;
  int64_t sentences = 0, sentences_gold = 0, sentences_test = 0;
  int64_t words = 0, words_gold = 0, words_test = 0;
  int64_t upos = 0, xpos = 0, ufeats = 0, alltags = 0, lemmas = 0;
  int64_t uas = 0, las = 0;
  int64_t uas_overlap = 0, las_overlap = 0;  // heads need only have characters in common
  int64_t content = 0, content_gold = 0, content_test = 0;
  int64_t clas = 0, mlas = 0, blex = 0;
  int64_t elas = 0, eulas = 0, edges_gold = 0, edges_test = 0;
  int64_t text = 0;  // in the first sentence of a unit: kSameText, …
};
constexpr size_t kDependencyColumns = sizeof(DependencyRow) / sizeof(int64_t);

// A half-open range of places on the axis that both sides share.
struct PlaceRange {
  uint32_t start = 0, end = 0;
  friend auto operator<=>(const PlaceRange&, const PlaceRange&) = default;
};

// Puts characters on one axis: those of a longest common subsequence share their places, all others have their own.
// Which of several subsequences is taken does not depend on the order of the sides. False if the two are too long and
// too different; then they share only the characters at both ends.
bool place_characters(std::span<const uint32_t> gold, std::span<const uint32_t> test,
                      std::vector<uint32_t>& gold_places, std::vector<uint32_t>& test_places, Progress& progress);

// Where the texts of all sentences part: the number of the character, and on both sides the sentence in which it stands
// (the number of sentences at the end of the text) and up to `kShown` characters from there on.
struct TextDifference {
  static constexpr size_t kShown = 20;
  size_t character;
  std::array<size_t, 2> sentence;
  std::array<std::vector<uint32_t>, 2> rest;
};
std::optional<TextDifference> first_difference(const DependencySide& gold, const DependencySide& test);

void score_dependencies(const DependencySide& gold, const DependencySide& test,
                        const std::vector<DependencyUnit>& units, unsigned threads,
                        const std::array<int64_t*, kDependencyColumns>& columns, Progress* progress);

// Pairs of words of a unit that are aligned, by their numbers on each side.
std::vector<std::pair<uint32_t, uint32_t>> aligned_words(const DependencySide& gold, const DependencySide& test,
                                                         const DependencyUnit& unit);

}  // namespace treescore
