// Alignment of many pairs of texts in one call, for Python.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <optional>

#include "bindings.hpp"
#include "word_batch.hpp"

namespace treescore::python {
namespace {

using namespace nb::literals;

using Sequences = nb::typed<nb::sequence, nb::object>;

// Numbers for different strings, found by the hashes that strings keep.
class NumberedStrings {
 public:
  uint32_t number_of(PyObject* text) {
    if (!PyUnicode_CheckExact(text)) return number_of(exact(text).ptr());
    const Py_hash_t hash = PyObject_Hash(text);
    Slot* slot = &slot_of(hash);
    while (slot->number != kFree) {
      if (slot->hash == hash && is_same(slot->number, text)) return slot->number;
      slot = slot == &slots_.back() ? slots_.data() : slot + 1;
    }
    *slot = {hash, static_cast<uint32_t>(texts_.size())};
    texts_.append(nb::borrow(text));
    if (2 * texts_.size() > slots_.size()) grow();
    return static_cast<uint32_t>(texts_.size() - 1);
  }
  const ListOf<nb::str>& all() const { return texts_; }

 private:
  static constexpr uint32_t kFree = 0xFFFFFFFFu;
  struct Slot {
    Py_hash_t hash = 0;
    uint32_t number = kFree;
  };

  // Not an object of a subclass, which may have a hash of its own.
  static nb::object exact(PyObject* text) {
    if (!PyUnicode_Check(text)) throw nb::type_error("a word must be a string");
    nb::object copy = nb::steal(PyUnicode_FromObject(text));
    if (!copy.is_valid()) throw nb::python_error();
    return copy;
  }
  bool is_same(uint32_t number, PyObject* text) const {
    PyObject* known = PyList_GetItem(texts_.ptr(), static_cast<Py_ssize_t>(number));
    return known == text || PyUnicode_Compare(known, text) == 0;
  }
  Slot& slot_of(Py_hash_t hash) { return slots_[static_cast<size_t>(hash) & (slots_.size() - 1)]; }
  void grow() {
    std::vector<Slot> before(2 * slots_.size());
    before.swap(slots_);
    for (const Slot& old : before) {
      if (old.number == kFree) continue;
      Slot* slot = &slot_of(old.hash);
      while (slot->number != kFree) slot = slot == &slots_.back() ? slots_.data() : slot + 1;
      *slot = old;
    }
  }

  std::vector<Slot> slots_ = std::vector<Slot>(256);
  ListOf<nb::str> texts_{nb::list()};
};

// The words of pairs, with numbers instead of texts.
class PairsOfTexts {
 public:
  PairsOfTexts(const Sequences& refs, const Sequences& hyps) {
    if (nb::len(refs) != nb::len(hyps)) throw nb::value_error("unequal numbers of references and hypotheses");
    take(refs, pairs_.ref);
    take(hyps, pairs_.hyp);
  }
  const ListOf<nb::str>& texts() const { return strings_.all(); }
  const WordPairs& pairs() const { return pairs_; }

 private:
  void take(const Sequences& sequences, WordPairs::Side& side) {
    for (const nb::handle sequence : sequences) {
      const bool is_list = PyList_CheckExact(sequence.ptr());  // used as it is, because nothing here can change it
      const nb::object words = is_list ? nb::borrow(sequence) : nb::steal(PySequence_Tuple(sequence.ptr()));
      if (!words.is_valid()) throw nb::python_error();
      const Py_ssize_t size = is_list ? PyList_Size(words.ptr()) : PyTuple_Size(words.ptr());
      for (Py_ssize_t place = 0; place < size; ++place) {
        PyObject* word = is_list ? PyList_GetItem(words.ptr(), place) : PyTuple_GetItem(words.ptr(), place);
        side.words.push_back(strings_.number_of(word));
      }
      side.ends.push_back(side.words.size());
    }
  }

  NumberedStrings strings_;
  WordPairs pairs_;
};

// Steps as Python sees them: a letter, and the numbers of the words or None.
using StepTuple = TupleOf<nb::str, std::optional<int>, std::optional<int>>;

class Paths {
 public:
  BatchPaths paths;

  size_t at(size_t pair) const {
    if (pair >= paths.size()) throw nb::index_error("no such pair");
    return pair;
  }
  ListOf<StepTuple> steps(size_t pair) const {
    const nb::object letters[] = {nb::str("C"), nb::str("S"), nb::str("D"), nb::str("I")};
    nb::list out;
    for (const BatchStep& step : paths.of(at(pair))) {
      const nb::object ref = step.ref < 0 ? nb::none() : nb::object(nb::int_(step.ref));
      const nb::object hyp = step.hyp < 0 ? nb::none() : nb::object(nb::int_(step.hyp));
      const int letter = step.letter == 'C' ? 0 : step.letter == 'S' ? 1 : step.letter == 'D' ? 2 : 3;
      out.append(nb::make_tuple(letters[letter], ref, hyp));
    }
    return out;
  }
};

void check_batch(const PairsOfTexts& pairs, const BatchCosts& costs) {
  constexpr int64_t kMost = int64_t{1} << 40;
  const size_t size = pairs.texts().size();
  if ((!costs.keys.empty() && costs.keys.size() != size) || (!costs.optional.empty() && costs.optional.size() != size))
    throw nb::value_error("a key for each text is needed");
  for (const int64_t cost : {costs.costs.insertion, costs.costs.deletion, costs.costs.substitution})
    if (cost < 0 || cost > kMost) throw nb::value_error("a cost out of range");
  for (const int64_t cost : {costs.divisor, costs.optional_gap})
    if (cost < 1 || cost > kMost) throw nb::value_error("a cost out of range");
}

}  // namespace

void bind_word_batch(nb::module_& module) {
  nb::class_<PairsOfTexts>(module, "WordPairs")
      .def(nb::init<const Sequences&, const Sequences&>(), "refs"_a, "hyps"_a)
      .def("texts", &PairsOfTexts::texts)
      .def(
          "align",
          [](const PairsOfTexts& self, std::optional<NumbersObject> keys, std::optional<BufferObject> optional,
             std::tuple<int64_t, int64_t, int64_t> prices, int64_t divisor, int64_t optional_gap, bool late) {
            const Numbers<uint32_t> all_keys(keys ? nb::handle(*keys) : nb::none());
            const Numbers<uint8_t> all_optional(optional ? nb::handle(*optional) : nb::none());
            const auto [insertion, deletion, substitution] = prices;
            const BatchCosts costs{.keys = all_keys.all(),
                                   .optional = all_optional.all(),
                                   .costs = {insertion, deletion, substitution},
                                   .divisor = divisor,
                                   .optional_gap = optional_gap,
                                   .ties = late ? Ties::kLateGap : Ties::kEarlyGap};
            check_batch(self, costs);
            auto out = std::make_unique<Paths>();
            released(nullptr, [&](Progress& progress) { align_pairs(self.pairs(), costs, progress, out->paths); });
            return out;
          },
          "keys"_a.none(), "optional"_a.none(), "costs"_a, "divisor"_a, "optional_gap"_a, "late_gap"_a);

  nb::class_<Paths>(module, "WordPaths")
      .def("steps", &Paths::steps, "pair"_a)
      .def(
          "cost",
          [](const Paths& self, size_t pair) -> std::pair<int64_t, bool> {
            return {self.paths.costs[self.at(pair)], self.paths.has_gaps[pair] != 0};
          },
          "pair"_a)
      .def(
          "step_counts",
          [](const Paths& self, std::optional<size_t> pair) {
            const auto counts =
                counts_of(pair ? self.paths.of(self.at(*pair)) : std::span<const BatchStep>(self.paths.steps));
            return std::tuple(counts[0], counts[1], counts[2], counts[3]);
          },
          "pair"_a.none())
      .def("refusals", [](const Paths& self) {
        std::vector<std::pair<size_t, std::string>> out;
        for (const BatchPaths::Refusal& refusal : self.paths.refusals) out.emplace_back(refusal.pair, refusal.message);
        return out;
      });
}

}  // namespace treescore::python
