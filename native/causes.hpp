// When two words are the same, and known reasons why trees of one text cannot be compared.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "outcome.hpp"
#include "rules.hpp"
#include "treebank.hpp"

namespace treescore {

struct WordRules {
  std::unordered_map<std::string, std::string> texts;  // of words that are not compared as they are written
  std::unordered_set<std::string> equal;               // "a\0b", in both orders, as they are compared

  bool same(std::string_view a, std::string_view b) const {
    return a == b || (!(texts.empty() && equal.empty()) && same_by_rules(a, b));
  }
  std::string text(std::string_view word) const;
  void add_equal(std::string_view a, std::string_view b);

 private:
  bool same_by_rules(std::string_view a, std::string_view b) const;
};

// The conventions in which the two files differ so that a sentence fails: as few of them as possible, or none that is
// known.
struct FailureCauses {
  bool tags = false, escapes = false, letter_case = false;
};

// Of a sentence that failed because these leaves, those left after deletions, are not the same words. Tags: the words
// that are left by gold's tags are the same on both sides. Escapes: they are the same if brackets are written as
// themselves, without backslashes, as by the step "escapes" of place/normal.py. Case: they are the same if letters are
// made lower case, if each case is a single letter. That is enough to find out whether the step "fold", which knows all
// letters, would help: words that are the same here are the same there.
FailureCauses failure_causes(const TreeView& gold, std::span<const uint32_t> gold_kept, const TreeView& test,
                             std::span<const uint32_t> test_kept, const WordRules& words);

template <class Row>
void set_causes(const FailureCauses& causes, Row& row) {
  row.failed_by_tags = causes.tags;
  row.failed_by_escapes = causes.escapes;
  row.failed_by_case = causes.letter_case;
}

struct RuledTree {
  const TreeView& tree;
  const SideRules& rules;
  const Vocabulary& names;
};

// Whether both trees have words, and outermost brackets that are compared differently, of which one has an outer label.
bool outer_differs(const RuledTree& gold, const RuledTree& test);

}  // namespace treescore
