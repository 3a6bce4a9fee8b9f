// Which child of a phrase is its head.
#pragma once

#include <span>
#include <vector>

#include "speech_tree.hpp"

namespace treescore {

class HeadRules {
 public:
  struct Group {
    bool from_left;
    std::vector<int32_t> labels;  // none: any
  };
  using Rule = std::vector<Group>;

  void set_default(Rule groups) { default_ = compiled(std::move(groups)); }
  void add(int32_t category, Rule groups);  // the first group for a category is kept

  // As in SParseval: an edit is the head if nothing else matches its group. -1: no group matches.
  int32_t find(const SpeechTree& tree, int32_t node) const;

  // Children that are skipped, such as punctuation, are heads only if all others are edits, and edits only if there is
  // nothing else. If there is a conjunction before the head, the child before that is the head. Always finds a head.
  int32_t find_leniently(const SpeechTree& tree, int32_t node) const;
  void set_conjunctions(std::span<const int32_t> labels);

 private:
  struct Compiled {
    bool from_left;
    std::vector<uint8_t> has;  // by label
    bool any;

    int32_t first(const SpeechTree::Node& mother) const { return from_left ? mother.first : mother.last; }
    int32_t next(const SpeechTree::Node& child) const { return from_left ? child.next : child.previous; }
    bool fits(const SpeechTree::Node& child) const {
      const auto label = static_cast<size_t>(child.label);
      return any || (label < has.size() && has[label] != 0);
    }
  };
  static std::vector<Compiled> compiled(Rule groups);
  // The groups for a phrase, then those of the default.
  template <class Try>
  int32_t first_success(const SpeechTree& tree, int32_t node, const Try& attempt) const;
  bool is_conjunction(int32_t label) const;

  std::vector<std::vector<Compiled>> rules_;
  std::vector<int32_t> rule_of_;  // by label, -1: none
  std::vector<Compiled> default_;
  std::vector<uint8_t> conjunctions_;  // by label
};

}  // namespace treescore
