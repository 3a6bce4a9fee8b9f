// When two words count as the same for SParseval.
#pragma once

#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "speech_tree.hpp"

namespace treescore {

class WordEquivalence {
 public:
  // Later entries win.
  void add_pair(std::string a, std::string b) { pairs_.emplace_back(std::move(a), std::move(b)); }
  void add_pause(char group, std::string word) { pauses_.emplace_back(group, std::move(word)); }

  // Without hyphens, and with letters of either case: bytes that differ by 32, whatever they are.
  static bool same_surface(SpokenWord a, SpokenWord b);
  bool same(SpokenWord a, SpokenWord b) const;

  // Words that are the same have the same class; the reverse need not hold.
  uint32_t class_of(SpokenWord word);

 private:
  int pause_group(SpokenWord word) const;  // -1: none
  uint32_t surface_class(SpokenWord word);
  uint32_t representative(uint32_t surface);
  void join(uint32_t a, uint32_t b);

  std::vector<std::pair<std::string, std::string>> pairs_;
  std::vector<std::pair<char, std::string>> pauses_;
  // Looked up by any text, without a copy of it.
  struct TextHash {
    using is_transparent = void;
    size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
  };
  using Numbers = std::unordered_map<std::string, uint32_t, TextHash, std::equal_to<>>;
  Numbers surfaces_, known_;  // classes of surfaces, and of words as they are
  std::vector<uint32_t> joined_;
  bool is_joined_ = false;
};

}  // namespace treescore
