// The meaning of the labels and tags of a treebank to a metric.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "names.hpp"
#include "treebank.hpp"

namespace treescore {

#define TREESCORE_SIDE_FLAGS(VALUE)                                                                   \
  VALUE(kDeleted, DELETED)     /* words with this tag vanish */                                       \
  VALUE(kUncounted, UNCOUNTED) /* words with this tag do not count in the length */                   \
  VALUE(kQuote, QUOTE)         /* quotation marks with this tag may be put back */                    \
  VALUE(kListed, LISTED)       /* the tag is on the deletion list, whether or not its words vanish */ \
  VALUE(kAside, ASIDE)         /* such words are set aside before words of both sides are paired */

// The meaning of the ids of one side's vocabulary.
struct SideRules {
  TREESCORE_FLAGS(TREESCORE_SIDE_FLAGS);           // of tags
  static constexpr uint8_t kDeletedWithWords = 2;  // in label_deleted: the phrase vanishes with all its words

  std::vector<uint32_t> label_key;
  std::vector<uint8_t> label_deleted;
  std::vector<uint32_t> tag_key;
  std::vector<uint8_t> tag_flags;
  uint32_t no_tag_key = kNone;
  bool sets_aside = false;                // are words with any tag set aside?
  bool deletes_phrases = false;           // is any label deleted with its words?
  bool labelled = true;                   // labels have keys even if they are not compared
  std::vector<std::string> outer_labels;  // of brackets around the whole tree, if the metric distinguishes them
};

}  // namespace treescore
