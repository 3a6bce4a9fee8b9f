// What the labels and tags of a treebank mean to a metric.
#pragma once

#include <cstdint>
#include <vector>

#include "treebank.hpp"

namespace treescore {

// What the ids of one side's vocabulary mean.
struct SideRules {
  static constexpr uint8_t kDeleted = 1;    // words with this tag vanish
  static constexpr uint8_t kUncounted = 2;  // words with this tag do not count in the length
  static constexpr uint8_t kQuote = 4;      // quotation marks with this tag may be put back
  static constexpr uint8_t kListed = 8;     // the tag is on the deletion list, whether or not its words vanish

  std::vector<uint32_t> label_key;
  std::vector<uint8_t> label_deleted;
  std::vector<uint32_t> tag_key;
  std::vector<uint8_t> tag_flags;
  uint32_t no_tag_key = kNone;
};

}  // namespace treescore
