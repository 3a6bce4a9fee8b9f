// Columns to text: trees in brackets, and fixed-width tables.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "names.hpp"
#include "treebank.hpp"

namespace treescore {

// One tree in brackets, on one line or indented. In a discontinuous tree, and if asked for, words are numbered.
void write_brackets(const Columns& columns, size_t tree, bool pretty, bool numbered, std::string& out);

#define TREESCORE_FIELDS(VALUE) \
  VALUE(kRowNumber, ROW_NUMBER) \
  VALUE(kNumber, NUMBER)        \
  VALUE(kPercent, PERCENT)

TREESCORE_ENUM(FieldKind, uint8_t, TREESCORE_FIELDS);

// One field of a table row, and the text before it.
struct Field {
  using Kind = FieldKind;
  std::string before;
  Kind kind;
  int width;
  std::span<const int64_t> column;  // kNumber: the values; kPercent: the parts
  std::span<const int64_t> whole;   // kPercent: 100 * part / whole with two decimals, 0.00 if whole is 0

  size_t column_count() const { return kind == Kind::kPercent ? 2 : kind == Kind::kNumber ? 1 : 0; }
};

// A row per entry of the columns, each ending in a newline; `first` is the number of the first row.
void write_rows(std::span<const Field> fields, size_t begin, size_t end, int64_t first, std::string& out);

}  // namespace treescore
