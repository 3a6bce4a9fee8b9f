// Dependencies between the head words of phrases, and how many of them two trees share.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "head_rules.hpp"
#include "spoken_words.hpp"

namespace treescore {

struct Dependency {
  SpokenWord word, head;   // without a head word it matches nothing
  int32_t mother, child;   // labels
  int32_t leaf, governor;  // nodes; governor -1: the root
  int32_t position;        // of the dependent word
  bool open;               // both words are of the open class
};

struct DependencyCounts {
  int64_t matched = 0, gold = 0, test = 0;
  int64_t open_matched = 0, open_gold = 0, open_test = 0;
};

struct NoHead {};  // thrown if no rule applies

// Finds the head of every phrase outside edits, except the root. `placed`: nodes without width cannot be heads. In
// lenient mode, phrases of skipped words are skipped too.
void find_heads(SpeechTree& tree, const HeadRules& rules, bool placed, bool leniently = false);

// The dependencies of all words that have a place, in no particular order. The root is the head of each of its
// children.
void dependencies_by_position(const SpeechTree& tree, SpokenWord root, std::vector<Dependency>& out);

// Of all words outside edits, from right to left.
void dependencies_in_sequence(const SpeechTree& tree, SpokenWord root, std::vector<Dependency>& out);

class DependencyMatcher {
 public:
  // `poll` is called during long work and may throw to stop it.
  DependencyMatcher(WordEquivalence& words, bool labelled, std::function<void()> poll)
      : words_(words), labelled_(labelled), poll_(std::move(poll)) {}

  // A dependent word has at most one dependency on each side.
  DependencyCounts by_position(std::span<const Dependency> gold, std::span<const Dependency> test);

  // The longest common subsequence as SParseval finds it: inside a band around the diagonal, without pairs that can no
  // longer lead to more than is known, and open matches as they happen to lie on the path.
  DependencyCounts in_band(std::span<const Dependency> gold, std::span<const Dependency> test);

 private:
  class BandedTable;
  bool match(const Dependency& a, const Dependency& b) const;
  uint64_t key(const Dependency& dependency);
  static void count(std::span<const Dependency> gold, std::span<const Dependency> test, DependencyCounts& out);

  WordEquivalence& words_;
  const bool labelled_;
  const std::function<void()> poll_;
  std::vector<int32_t> at_;
};

}  // namespace treescore
