// The meaning of the names of labels and tags to a recipe, kept from one pair of treebanks to the next.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "rules.hpp"
#include "treebank.hpp"

namespace treescore {

// The rules of both sides of a pair. Keys count from 0, in the order in which the names come.
struct NamedRules {
  SideRules gold, test;
  std::vector<uint32_t> labels, tags;  // the text behind each key
};

class KnownNames {
 public:
  // Where tags are labels, a label and a tag with the same text have the same key. `labelled` and `outer_labels` are
  // those of SideRules.
  KnownNames(bool tags_are_labels, bool labelled, std::vector<std::string> outer_labels)
      : tags_are_labels_(tags_are_labels), labelled_(labelled), outer_labels_(std::move(outer_labels)) {}

  uint32_t size() const { return names_.size(); }
  std::string_view text(uint32_t id) const { return texts_.at(id); }
  // The name of a label or tag, how it is compared, and how it is treated.
  void learn(std::string_view name, std::string_view label, uint8_t label_deleted, std::string_view tag,
             uint8_t tag_flags);
  // Appends the unknown names of a vocabulary.
  void append_unknown(const Vocabulary& vocabulary, std::vector<std::string_view>& out);
  // False if there are unknown names.
  bool rules(const Vocabulary& gold, const Vocabulary& test, NamedRules& out);

 private:
  struct Meaning {
    bool is_known = false;
    uint8_t label_deleted = 0, tag_flags = 0;
    uint32_t label = kNone, tag = kNone;  // texts
  };
  struct Keys {
    std::vector<uint32_t> of_text;  // kNone: none in this pair
    uint32_t key(uint32_t text, std::vector<uint32_t>& texts);
    void forget(const std::vector<uint32_t>& texts);
  };
  static uint32_t intern(Vocabulary& vocabulary, std::string_view text) {
    return vocabulary.intern(text.data(), text.size());
  }
  Meaning& meaning(std::string_view name);
  bool add_side(const Vocabulary& vocabulary, NamedRules& out, SideRules& side);

  Vocabulary names_, texts_;
  std::vector<Meaning> meanings_;  // by name
  Keys label_keys_, tag_keys_;
  bool tags_are_labels_, labelled_;
  std::vector<std::string> outer_labels_;
};

}  // namespace treescore
