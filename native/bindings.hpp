// What the files that know Python share.
#pragma once

#include <nanobind/nanobind.h>

#include <array>
#include <cstdlib>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

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

// What the stub of the module says about an argument or result where nanobind alone would say too little. The first are
// types with a name of their own, which native/core_stub.txt explains; the others are spelt out.
#define TREESCORE_STUB_TYPE(Type, Parent, name, check) \
  struct Type : Parent {                               \
    NB_OBJECT(Type, Parent, name, check)               \
    Type(const Parent& object) : Parent(object) {}     \
  }

TREESCORE_STUB_TYPE(BufferObject, nb::object, "Buffer", PyObject_CheckBuffer);
TREESCORE_STUB_TYPE(NumbersObject, nb::object, "Numbers", PyObject_CheckBuffer);
TREESCORE_STUB_TYPE(RowColumns, nb::tuple, "Rows", PyTuple_Check);

template <class... Types>
using ListOf = nb::typed<nb::list, Types...>;
template <class... Types>
using TupleOf = nb::typed<nb::tuple, Types...>;
template <class Key, class Value>
using DictOf = nb::typed<nb::dict, Key, Value>;

// The sums of each label that occurs: its key, and the sums by name. Sums of weights have no limit.
using LabelTable = ListOf<TupleOf<size_t, DictOf<nb::str, nb::int_>>>;

// Any object with the buffer protocol, held for as long as this lives.
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

// Runs work(progress) without the GIL. Ctrl-C ends it even if nobody watches how far it has come.
template <class Work>
auto released(Progress* watched, const Work& work) {
  Progress unwatched;
  unwatched.poll = check_signals;
  const nb::gil_scoped_release release;
  return work(watched ? *watched : unwatched);
}

// Numbers of any object with the buffer protocol, held for as long as this lives; none for None.
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

// A bytes object that is filled before anybody sees it.
template <class T>
std::pair<nb::bytes, T*> blank_bytes(size_t count) {
  const nb::bytes bytes =
      nb::steal<nb::bytes>(PyBytes_FromStringAndSize(nullptr, static_cast<Py_ssize_t>(count * sizeof(T))));
  if (!bytes.is_valid()) throw nb::python_error();
  return {bytes, reinterpret_cast<T*>(PyBytes_AsString(bytes.ptr()))};
}

// The columns of rows by name, those that add up and notes, and the places to fill.
template <class Row>
std::pair<RowColumns, ColumnsOf<Row>> blank_rows(size_t size) {
  nb::dict sums, notes;
  ColumnsOf<Row> columns;
  for (size_t column = 0; column < columns.size(); ++column) {
    nb::object bytes;
    std::tie(bytes, columns[column]) = blank_bytes<int64_t>(size);
    (Row::kNames[column].adds_up ? sums : notes)[Row::kNames[column].text] = bytes;
  }
  return {RowColumns(nb::make_tuple(sums, notes)), columns};
}

// The same of a list with nothing but notes.
template <class Row>
std::pair<DictOf<nb::str, nb::bytes>, ColumnsOf<Row>> blank_notes(size_t size) {
  const auto [out, columns] = blank_rows<Row>(size);
  return {nb::borrow<nb::dict>(nb::object(out[1])), columns};
}

template <class Row>
DictOf<nb::str, int64_t> row_by_name(const Row& row) {
  nb::dict out;
  const auto values = std::bit_cast<std::array<int64_t, Row::kNames.size()>>(row);
  for (size_t column = 0; column < values.size(); ++column) out[Row::kNames[column].text] = values[column];
  return out;
}

// Names for numbers: an attribute of the module, which has them as attributes in turn. That is made when somebody asks
// for it, or at once to be written into the stub.
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

// Where each number of a record stands.
template <class Row>
void bind_places(nb::module_&, const char* name) {
  name_lists.push_back({name, [](nb::handle names) {
                          for (size_t place = 0; place < Row::kNames.size(); ++place)
                            names.attr(Row::kNames[place].text) = place;
                        }});
}

// After all of them. A module is the cheapest object with attributes; a class is what nanobind writes into a stub.
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
RowColumns rows(const Trees& gold, const Trees& test, const Rules& rules, unsigned threads, Progress* progress) {
  check_pair(gold, test, rules);
  const auto [out, columns] = blank_rows<Row>(gold.size());
  released(progress, [&, &columns = columns](Progress& seen) {
    score_all(*gold.columns, gold.begin, *test.columns, test.begin, gold.size(), rules, threads, columns, &seen);
  });
  return out;
}

inline nb::object as_int(const WeightSum& sum) {
  return nb::int_(sum.high) * nb::int_(int64_t{1} << 32) + nb::int_(sum.low);
}

// Groups of a head rule: is it from the left, and the labels.
using NumberedGroups = std::vector<std::pair<bool, std::vector<int32_t>>>;

inline HeadRules::Rule rule_of(const NumberedGroups& groups) {
  HeadRules::Rule rule;
  for (const auto& [from_left, labels] : groups) rule.push_back({from_left, labels});
  return rule;
}

void bind_boundaries(nb::module_& module);
void bind_breakdown(nb::module_& module);
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
void bind_words(nb::module_& module);
void bind_texts(nb::module_& module);
void bind_verdicts(nb::module_& module);

}  // namespace treescore::python
