// Shared by all files with bindings.
#pragma once

#include <nanobind/nanobind.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "causes.hpp"
#include "fixed_point.hpp"
#include "head_rules.hpp"
#include "names.hpp"
#include "progress.hpp"
#include "rules.hpp"
#include "treebank.hpp"

namespace treescore::python {

namespace nb = nanobind;

inline nb::bytes as_bytes(std::string_view text) { return nb::bytes(text.data(), text.size()); }

inline std::string_view view(const nb::bytes& text) { return {text.c_str(), text.size()}; }

// Types of arguments and results in the stub of the module where those of nanobind are not specific enough. The first
// ones have names, which native/core_stub.txt explains; the others are spelt out.
#define TREESCORE_STUB_TYPE(Type, Parent, name, check) \
  struct Type : Parent {                               \
    NB_OBJECT(Type, Parent, name, check)               \
    Type(const Parent& parent) : Parent(parent) {}     \
  }

TREESCORE_STUB_TYPE(BufferObject, nb::object, "Buffer", PyObject_CheckBuffer);
TREESCORE_STUB_TYPE(NumbersObject, nb::object, "Numbers", PyObject_CheckBuffer);
TREESCORE_STUB_TYPE(ViewObject, nb::object, "memoryview", PyMemoryView_Check);

template <class... Types>
using ListOf = nb::typed<nb::list, Types...>;
template <class... Types>
using TupleOf = nb::typed<nb::tuple, Types...>;
template <class Key, class Value>
using DictOf = nb::typed<nb::dict, Key, Value>;

// The sums of each label that occurs: its key, and the sums by name. Sums of weights have no limit.
using LabelTable = ListOf<TupleOf<size_t, DictOf<nb::str, nb::int_>>>;

// Any object with the buffer protocol, kept alive by this one.
class Buffer {
 public:
  explicit Buffer(nb::handle object) {
    if (PyObject_GetBuffer(object.ptr(), &view_, PyBUF_SIMPLE) != 0) throw nb::python_error();
  }
  ~Buffer() { PyBuffer_Release(&view_); }
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  std::string_view text() const { return {static_cast<const char*>(view_.buf), static_cast<size_t>(view_.len)}; }
  std::span<const int64_t> numbers() const {
    return {static_cast<const int64_t*>(view_.buf), static_cast<size_t>(view_.len) / sizeof(int64_t)};
  }

 private:
  Py_buffer view_{};
};

// Lets Ctrl-C through while native code works.
inline void check_signals() {
  const nb::gil_scoped_acquire acquire;
  if (PyErr_CheckSignals() != 0) throw nb::python_error();
}

// Runs work(progress) without the GIL. Ctrl-C stops it even if its progress is not watched.
template <class Work>
auto released(Progress* watched, const Work& work) {
  Progress unwatched;
  unwatched.poll = check_signals;
  const nb::gil_scoped_release release;
  return work(watched ? *watched : unwatched);
}

// Numbers of any object with the buffer protocol, kept alive by this one; no numbers for None.
template <class T>
class Numbers {
 public:
  explicit Numbers(const std::optional<NumbersObject>& object) : Numbers(object ? nb::handle(*object) : nb::none()) {}
  explicit Numbers(nb::handle object) {
    if (object.is_none()) return;
    if (PyObject_GetBuffer(object.ptr(), &view_, PyBUF_SIMPLE) != 0) throw nb::python_error();
    held_ = true;
    if (static_cast<size_t>(view_.len) % sizeof(T) != 0) throw nb::value_error("a buffer of another kind of numbers");
  }
  ~Numbers() {
    if (held_) PyBuffer_Release(&view_);
  }
  Numbers(const Numbers&) = delete;
  Numbers& operator=(const Numbers&) = delete;
  std::span<const T> all() const {
    return {static_cast<const T*>(view_.buf), static_cast<size_t>(view_.len) / sizeof(T)};
  }

 private:
  Py_buffer view_{};
  bool held_ = false;
};

inline std::u32string characters(nb::handle text) {
  const Py_ssize_t size = PyUnicode_GetLength(text.ptr());
  if (size < 0) throw nb::python_error();
  std::vector<Py_UCS4> buffer(static_cast<size_t>(size) + 1);
  if (PyUnicode_AsUCS4(text.ptr(), buffer.data(), size + 1, 1) == nullptr) throw nb::python_error();
  return {buffer.begin(), buffer.end() - 1};
}

inline std::vector<std::u32string> texts(const ListOf<nb::str>& list) {
  std::vector<std::u32string> out;
  out.reserve(list.size());
  for (const nb::handle text : list) out.push_back(characters(text));
  return out;
}

// Trees begin to end of some columns; slices share them.
struct Trees {
  std::shared_ptr<const Columns> columns;
  size_t begin, end;

  size_t size() const { return end - begin; }
  size_t at(size_t index) const {
    if (index >= size()) throw nb::index_error("no such tree");
    return begin + index;
  }
  TreeView tree(size_t index) const { return columns->tree(at(index)); }
};

inline Trees whole(std::shared_ptr<Columns> columns) {
  const size_t size = columns->size();
  return {std::move(columns), 0, size};
}

// A bytes object that is filled before Python sees it.
template <class T>
std::pair<nb::bytes, T*> blank_bytes(size_t count) {
  const nb::bytes bytes =
      nb::steal<nb::bytes>(PyBytes_FromStringAndSize(nullptr, static_cast<Py_ssize_t>(count * sizeof(T))));
  if (!bytes.is_valid()) throw nb::python_error();
  return {bytes, reinterpret_cast<T*>(PyBytes_AsString(bytes.ptr()))};
}

// A sum without a limit.
inline nb::object as_int(const WeightSum& sum) {
  const int64_t high = sum.high + (sum.low >> 32), low = sum.low & 0xFFFFFFFF;
  if (high == static_cast<int32_t>(high)) return nb::int_(high * (int64_t{1} << 32) + low);
  return nb::int_(high) * nb::int_(int64_t{1} << 32) + nb::int_(low);
}

// The names of a row's columns, as Python objects: created once and kept.
struct RowNames {
  std::span<const ColumnName> columns;
  std::vector<PyObject*> texts;

  explicit RowNames(std::span<const ColumnName> names) : columns(names) {
    for (const ColumnName& name : names) {
      texts.push_back(PyUnicode_InternFromString(name.text));
      if (texts.back() == nullptr) throw nb::python_error();
    }
  }
};

template <class Row>
const RowNames& names_of_row() {
  static const RowNames names(Row::kNames);
  return names;
}

// The rows of an engine, column by column. The Python object for a column is created on first access.
class Rows {
 public:
  Rows(const RowNames& names, size_t size) : names_(&names), size_(size) {
    std::tie(bytes_, numbers_) = blank_bytes<int64_t>(names.texts.size() * size);
  }
  size_t size() const { return size_; }
  int64_t* column(size_t place) { return numbers_ + place * size_; }
  // Those that add up, or notes.
  ListOf<nb::str> names(bool add_up) const {
    nb::list out;
    for (size_t place = 0; place < names_->texts.size(); ++place)
      if (names_->columns[place].adds_up == add_up) out.append(nb::handle(names_->texts[place]));
    return out;
  }
  ViewObject view(std::string_view name) const {
    for (size_t place = 0; place < names_->texts.size(); ++place) {
      if (name != names_->columns[place].text) continue;
      const nb::object bytes = nb::steal(PyMemoryView_FromObject(bytes_.ptr()));
      if (!bytes.is_valid()) throw nb::python_error();
      const auto begin = static_cast<Py_ssize_t>(place * size_), end = begin + static_cast<Py_ssize_t>(size_);
      return nb::object(bytes.attr("cast")("q")[nb::slice(begin, end)]);
    }
    throw nb::key_error(std::string(name).c_str());
  }
  // Adds the sums of all columns that add up to the entries with the same names.
  void add_totals(nb::dict& sums) const {
    for (size_t place = 0; place < names_->texts.size(); ++place) {
      if (!names_->columns[place].adds_up) continue;
      WeightSum sum;
      for (const int64_t value : std::span(numbers_ + place * size_, size_)) sum.add(value);
      PyObject* name = names_->texts[place];
      PyObject* before = PyDict_GetItemWithError(sums.ptr(), name);
      if (before == nullptr && PyErr_Occurred()) throw nb::python_error();
      if (before != nullptr && sum.high == 0 && sum.low == 0) continue;
      nb::object total = as_int(sum);
      if (before != nullptr) total = nb::steal(PyNumber_Add(before, total.ptr()));
      if (!total.is_valid() || PyDict_SetItem(sums.ptr(), name, total.ptr()) != 0) throw nb::python_error();
    }
  }

 private:
  const RowNames* names_;
  size_t size_;
  nb::bytes bytes_;
  int64_t* numbers_;
};

// Rows, and the places to fill.
template <class Row>
std::pair<Rows, ColumnsOf<Row>> blank_rows(size_t size) {
  Rows out(names_of_row<Row>(), size);
  ColumnsOf<Row> columns;
  for (size_t place = 0; place < columns.size(); ++place) columns[place] = out.column(place);
  return {out, columns};
}

// The columns by name of a row with nothing but notes.
template <class Row>
std::pair<DictOf<nb::str, nb::bytes>, ColumnsOf<Row>> blank_notes(size_t size) {
  nb::dict out;
  ColumnsOf<Row> columns;
  for (size_t place = 0; place < columns.size(); ++place) {
    nb::object bytes;
    std::tie(bytes, columns[place]) = blank_bytes<int64_t>(size);
    out[nb::handle(names_of_row<Row>().texts[place])] = bytes;
  }
  return {out, columns};
}

template <class Row>
DictOf<nb::str, int64_t> row_by_name(const Row& row) {
  nb::dict out;
  const auto values = std::bit_cast<std::array<int64_t, Row::kNames.size()>>(row);
  for (size_t column = 0; column < values.size(); ++column) out[Row::kNames[column].text] = values[column];
  return out;
}

// Named numbers: an attribute of the module whose attributes they are. It is created on first access, or immediately
// when the stub is written.
struct NameList {
  const char* name;
  void (*fill)(nb::handle names);
};
inline std::vector<NameList> name_lists;

inline bool writes_stub() { return std::getenv("NB_STUBGEN") != nullptr; }

// The values of an enumeration, or the constants of a struct.
template <class Enum>
void bind_enum(nb::module_&, const char* name) {
  name_lists.push_back({name, [](nb::handle names) {
                          const auto set_all = [&](const auto& values) {
                            for (const NamedValue& one : values) names.attr(one.name) = one.value;
                          };
                          if constexpr (requires { Enum::kNames; })
                            set_all(Enum::kNames);
                          else
                            set_all(names_of(Enum{}));
                        }});
}

// The offset of each number of a record.
template <class Row>
void bind_places(nb::module_&, const char* name) {
  name_lists.push_back({name, [](nb::handle names) {
                          for (size_t place = 0; place < Row::kNames.size(); ++place)
                            names.attr(Row::kNames[place].text) = place;
                        }});
}

// Called after all values. A module is the cheapest object with attributes, but nanobind writes only classes into a
// stub.
inline void bind_names(nb::module_& module) {
  if (writes_stub()) {
    const nb::handle type(reinterpret_cast<PyObject*>(&PyType_Type));
    for (const NameList& list : name_lists) {
      nb::dict members;
      members["__module__"] = module.attr("__name__");
      const nb::object names = type(list.name, nb::make_tuple(), members);
      list.fill(names);
      module.attr(list.name) = names;
    }
    return;
  }
  module.def("__getattr__", [owner = nb::handle(module)](const nb::str& wanted) {
    for (const NameList& list : name_lists) {
      if (std::string_view(wanted.c_str()) != list.name) continue;
      const nb::object names = nb::steal(PyModule_New(list.name));
      if (!names.is_valid()) throw nb::python_error();
      list.fill(names);
      owner.attr(list.name) = names;
      return names;
    }
    throw nb::attribute_error(("module has no attribute '" + std::string(wanted.c_str()) + "'").c_str());
  });
}

using BytesPairs = std::vector<std::pair<nb::bytes, nb::bytes>>;

// Words with the texts as which they are compared, and pairs of words that count as equal.
inline WordRules word_rules(const BytesPairs& texts, const BytesPairs& equal) {
  WordRules words;
  for (const auto& [word, text] : texts) words.texts.emplace(view(word), view(text));
  for (const auto& [a, b] : equal) words.add_equal(view(a), view(b));
  return words;
}

inline void check_rules(const Trees& trees, const SideRules& rules) {
  const size_t size = trees.columns->vocabulary().size();
  if (rules.label_key.size() < size || rules.label_deleted.size() < size || rules.tag_key.size() < size ||
      rules.tag_flags.size() < size)
    throw nb::value_error("the rules do not cover the vocabulary of the trees");
}

template <class Rules>
void check_pair(const Trees& gold, const Trees& test, const Rules& rules) {
  if (gold.size() != test.size()) throw nb::value_error("unequal numbers of trees");
  check_rules(gold, rules.gold);
  check_rules(test, rules.test);
}

// The rows of all pairs.
template <class Row, class Rules>
Rows rows(const Trees& gold, const Trees& test, const Rules& rules, unsigned threads, Progress* progress) {
  check_pair(gold, test, rules);
  const auto [out, blank] = blank_rows<Row>(gold.size());
  released(progress, [&, &columns = blank](Progress& seen) {
    score_all(*gold.columns, gold.begin, *test.columns, test.begin, gold.size(), rules, threads, columns, &seen);
  });
  return out;
}

// Groups of a head rule: whether it searches from the left, and the labels.
using NumberedGroups = std::vector<std::pair<bool, std::vector<int32_t>>>;

using NumberedRules = std::vector<std::pair<int32_t, NumberedGroups>>;

inline HeadRules head_rules_of(const NumberedRules& heads, const NumberedGroups& default_head,
                               const std::vector<int32_t>& conjunctions) {
  const auto check = [](int32_t label) {
    if (label < 0) throw nb::value_error("head rules have a negative label");
  };
  const auto rule_of = [&](const NumberedGroups& groups) {
    HeadRules::Rule rule;
    for (const auto& [from_left, labels] : groups) {
      std::ranges::for_each(labels, check);
      rule.push_back({from_left, labels});
    }
    return rule;
  };
  HeadRules rules;
  for (const auto& [label, groups] : heads) {
    check(label);
    rules.add(label, rule_of(groups));
  }
  rules.set_default(rule_of(default_head));
  std::ranges::for_each(conjunctions, check);
  rules.set_conjunctions(conjunctions);
  return rules;
}

void bind_boundaries(nb::module_& module);
void bind_breakdown(nb::module_& module);
void bind_completions(nb::module_& module);
void bind_dependencies(nb::module_& module);
void bind_error_classes(nb::module_& module);
void bind_graphs(nb::module_& module);
void bind_lineages(nb::module_& module);
void bind_positions(nb::module_& module);
void bind_resample(nb::module_& module);
void bind_seconds(nb::module_& module);
void bind_spans(nb::module_& module);
void bind_sparseval(nb::module_& module);
void bind_swapped_rates(nb::module_& module);
void bind_word_batch(nb::module_& module);
void bind_word_columns(nb::module_& module);
void bind_words(nb::module_& module);
void bind_texts(nb::module_& module);
void bind_page(nb::module_& module);
void bind_verdicts(nb::module_& module);

}  // namespace treescore::python
