// Which child of a phrase is its head.
#pragma once

#include <string>
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

  bool empty() const { return rules_.empty() && default_.empty(); }
  void set_default(Rule groups) { default_ = compiled(std::move(groups)); }
  void add(int32_t category, Rule groups);  // the first one for a category stays

  // An edit is taken by a group that nothing else fits, as the original does, or only if no group has anything else.
  bool takes_edits_early = true;
  bool coordination = false;  // the conjunct before a conjunction, as Collins has it
  int32_t conjunction = -1;   // its label

  int32_t find(const SpeechTree& tree, int32_t node) const;  // -1: no group fits

 private:
  struct Compiled {
    bool from_left;
    std::vector<uint8_t> has;  // by label
    bool any;
  };
  static std::vector<Compiled> compiled(Rule groups);
  int32_t find_in(const SpeechTree& tree, int32_t node, const std::vector<Compiled>& groups, bool edits) const;

  std::vector<std::vector<Compiled>> rules_;
  std::vector<int32_t> rule_of_;  // by label, -1: none
  std::vector<Compiled> default_;
};

}  // namespace treescore
