// How many tokens, sentences, words, tags and dependencies two sides have in common. Their words need not be the same.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "dependency_columns.hpp"
#include "names.hpp"
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

#define TREESCORE_DEPENDENCY_NAMES(VALUE) \
  VALUE(kContent, CONTENT)                \
  VALUE(kFunction, FUNCTION)              \
  VALUE(kUnspecified, UNSPECIFIED)

// What the names of one side mean: equal keys are the same on both sides.
struct DependencyKeys {
  TREESCORE_FLAGS(TREESCORE_DEPENDENCY_NAMES);
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

// Sentences of gold and of test over the same text.
struct DependencyUnit {
  size_t gold_begin, gold_end, test_begin, test_end;
};

#define TREESCORE_DEPENDENCY_TEXTS(VALUE) \
  VALUE(kSameText, SAME)                  \
  VALUE(kOtherText, OTHER)                \
  VALUE(kTooDifferent, TOO_DIFFERENT)

struct DependencyText {
  TREESCORE_CONSTANTS(TREESCORE_DEPENDENCY_TEXTS);
};

// Counts of one gold sentence. Items of test only are counted in the gold sentence in which they begin.
#define TREESCORE_DEPENDENCY_COLUMNS(NOTE, SUM)                                             \
  NOTE(text, DependencyText::kSameText) /* in the first sentence of a unit: kSameText, … */ \
  SUM(tokens)                                                                               \
  SUM(tokens_gold)                                                                          \
  SUM(tokens_test)                                                                          \
  SUM(sentences)                                                                            \
  SUM(sentences_gold)                                                                       \
  SUM(sentences_test)                                                                       \
  SUM(words)                                                                                \
  SUM(words_gold)                                                                           \
  SUM(words_test)                                                                           \
  SUM(upos)                                                                                 \
  SUM(xpos)                                                                                 \
  SUM(ufeats)                                                                               \
  SUM(alltags)                                                                              \
  SUM(lemmas)                                                                               \
  SUM(uas)                                                                                  \
  SUM(las)                                                                                  \
  SUM(uas_overlap) /* heads need only have characters in common */                          \
  SUM(las_overlap)                                                                          \
  SUM(content)                                                                              \
  SUM(content_gold)                                                                         \
  SUM(content_test)                                                                         \
  SUM(clas)                                                                                 \
  SUM(mlas)                                                                                 \
  SUM(blex)                                                                                 \
  SUM(elas)                                                                                 \
  SUM(eulas)                                                                                \
  SUM(edges_gold)                                                                           \
  SUM(edges_test)

TREESCORE_ROW(DependencyRow, TREESCORE_DEPENDENCY_COLUMNS);

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

// Where the texts of all sentences first differ: the number of the character, and on both sides its sentence (the
// number of sentences at the end of the text) and up to `kShown` characters from there on.
struct TextDifference {
  static constexpr size_t kShown = 20;
  size_t character;
  std::array<size_t, 2> sentence;
  std::array<std::vector<uint32_t>, 2> rest;
};
std::optional<TextDifference> first_difference(const DependencySide& gold, const DependencySide& test);

void score_dependencies(const DependencySide& gold, const DependencySide& test,
                        const std::vector<DependencyUnit>& units, unsigned threads,
                        const ColumnsOf<DependencyRow>& columns, Progress* progress);

// Pairs of words of a unit that are aligned, by their numbers on each side.
std::vector<std::pair<uint32_t, uint32_t>> aligned_words(const DependencySide& gold, const DependencySide& test,
                                                         const DependencyUnit& unit);

}  // namespace treescore
