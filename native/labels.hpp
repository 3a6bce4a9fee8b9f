// Whether brackets have labels, or every token in them is a word: `( ( a urinal ) ( in ( a restroom ) ) )`.
#pragma once

#include <cstddef>

#include "names.hpp"
#include "treebank.hpp"

namespace treescore {

#define TREESCORE_LABELS(VALUE)                                              \
  VALUE(kLabelled, LABELLED)                                                 \
  VALUE(kPerhapsLabelled, PERHAPS_LABELLED)   /* but they may have none */   \
  VALUE(kPerhapsLabelless, PERHAPS_LABELLESS) /* but they may be labelled */ \
  VALUE(kLabelless, LABELLESS)

TREESCORE_ENUM(Labels, uint8_t, TREESCORE_LABELS);

// Do the texts of these trees, which were read as labelled brackets, have labels? Only the first trees are examined.
Labels labels_of(const Columns& columns, size_t begin, size_t end);

// Are there phrases around words, none of which has a label?
bool lack_labels(const Columns& columns, size_t begin, size_t end);

}  // namespace treescore
