// Names that C++ and Python share, each declared once: in a list, which is a macro that applies others to its entries.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace treescore {

// A list of columns makes the struct of a row, which has a 64-bit number for each: see boundaries.hpp for an example.
// The rows of a SUM add up; a NOTE is about a single row. A number that is not set is 0, or the second argument. Python
// gets the columns by name. It sees them in the order of the list, and must not rely on it.
struct ColumnName {
  const char* text;
  bool adds_up;
};

#define TREESCORE_FIELD(name, ...) int64_t name = {__VA_ARGS__};
#define TREESCORE_NOTE(name, ...) ColumnName{#name, false},
#define TREESCORE_SUM(name, ...) ColumnName{#name, true},
#define TREESCORE_ROW(Row, LIST)                                                                     \
  struct Row {                                                                                       \
    LIST(TREESCORE_FIELD, TREESCORE_FIELD)                                                           \
    static constexpr auto kNames = std::to_array<ColumnName>({LIST(TREESCORE_NOTE, TREESCORE_SUM)}); \
  };                                                                                                 \
  static_assert(sizeof(Row) == Row::kNames.size() * sizeof(int64_t))

// Where the numbers of many rows go, column by column, in the order of the list.
template <class Row>
using ColumnsOf = std::array<int64_t*, Row::kNames.size()>;

template <class Row>
void write_row(const Row& row, size_t place, const ColumnsOf<Row>& columns) {
  const auto values = std::bit_cast<std::array<int64_t, Row::kNames.size()>>(row);
  for (size_t column = 0; column < values.size(); ++column) columns[column][place] = values[column];
}

// The same with columns of other types than 64-bit numbers.
#define TREESCORE_TYPED_FIELD(name, Type, ...) Type name = {__VA_ARGS__};
#define TREESCORE_TYPED_COLUMN(name, ...) add(#name, &ThisRow::name);
#define TREESCORE_TYPED_ROW(Row, LIST)        \
  struct Row {                                \
    LIST(TREESCORE_TYPED_FIELD)               \
    template <class Add>                      \
    static void each_column(const Add& add) { \
      using ThisRow = Row;                    \
      LIST(TREESCORE_TYPED_COLUMN)            \
    }                                         \
  }

// A list of values makes an enumeration. Each entry has a value and its name in Python: see Reason in parseval.hpp.
struct NamedValue {
  const char* name;
  int64_t value;
};

#define TREESCORE_ENUMERATOR(value, name) value,
#define TREESCORE_NAMED_VALUE(value, name) NamedValue{#name, static_cast<int64_t>(value)},
#define TREESCORE_ENUM(Enum, Type, LIST)                             \
  enum class Enum : Type { LIST(TREESCORE_ENUMERATOR) };             \
  constexpr auto names_of(Enum) {                                    \
    using enum Enum;                                                 \
    return std::to_array<NamedValue>({LIST(TREESCORE_NAMED_VALUE)}); \
  }                                                                  \
  static_assert(names_of(Enum{}).size() > 0)

// The same as constants of a struct, of which each can have one list: numbers from 0 on, those below 0, or single bits.
#define TREESCORE_CONSTANT(value, name) static constexpr int64_t value = static_cast<int64_t>(ListPlace::value);
#define TREESCORE_NEGATIVE(value, name) static constexpr int64_t value = -1 - static_cast<int64_t>(ListPlace::value);
#define TREESCORE_FLAG(value, name) static constexpr uint8_t value{1u << static_cast<unsigned>(ListPlace::value)};
#define TREESCORE_MEMBERS(LIST, MEMBER)                          \
  enum class ListPlace : uint8_t { LIST(TREESCORE_ENUMERATOR) }; \
  LIST(MEMBER)                                                   \
  static constexpr auto kNames = std::to_array<NamedValue>({LIST(TREESCORE_NAMED_VALUE)})
#define TREESCORE_CONSTANTS(LIST) TREESCORE_MEMBERS(LIST, TREESCORE_CONSTANT)
#define TREESCORE_NEGATIVES(LIST) TREESCORE_MEMBERS(LIST, TREESCORE_NEGATIVE)
#define TREESCORE_FLAGS(LIST) TREESCORE_MEMBERS(LIST, TREESCORE_FLAG)

}  // namespace treescore
