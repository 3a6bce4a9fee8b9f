// Words with times in columns, and their readers, for Python.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <cmath>
#include <limits>
#include <optional>

#include "bindings.hpp"
#include "text_grid.hpp"
#include "word_columns.hpp"

namespace treescore::python {
namespace {

using namespace nb::literals;

using OptionalTime = std::optional<double>;
using TimesTuple = TupleOf<double, double>;

// Any NaN of Python as a time, which is not unknown.
double as_time(double time) { return std::isnan(time) ? std::numeric_limits<double>::quiet_NaN() : time; }
double as_time(OptionalTime time) { return time ? as_time(*time) : unknown_time(); }

OptionalTime as_optional(double time) { return is_known(time) ? OptionalTime(time) : std::nullopt; }

// Bytes of a file as text, as by decode() of helpers/text.py.
nb::object as_text(std::string_view bytes) {
  const nb::object text =
      nb::steal(PyUnicode_DecodeUTF8(bytes.data(), static_cast<Py_ssize_t>(bytes.size()), "surrogateescape"));
  if (!text.is_valid()) throw nb::python_error();
  return text;
}

ListOf<nb::str> as_texts(const Vocabulary& vocabulary) {
  nb::list out;
  for (uint32_t id = 0; id < vocabulary.size(); ++id) out.append(as_text(vocabulary.at(id)));
  return out;
}

// A tuple of so many values, value(0) and so on.
template <class Value>
nb::object tuple_of(size_t size, const Value& value) {
  const nb::object out = nb::steal(PyTuple_New(static_cast<Py_ssize_t>(size)));
  if (!out.is_valid()) throw nb::python_error();
  for (size_t place = 0; place < size; ++place)
    if (PyTuple_SetItem(out.ptr(), static_cast<Py_ssize_t>(place), value(place).release().ptr()) != 0)
      throw nb::python_error();
  return out;
}

nb::object as_times(const WordTimes& when) {
  return when.are_known() ? nb::object(nb::make_tuple(when.begin, when.end)) : nb::none();
}

// Columns, and the words of their vocabulary as Python objects once they are needed.
class Words {
 public:
  WordColumns columns;

  size_t at(size_t utterance) const {
    if (utterance >= columns.size()) throw nb::index_error("no such utterance");
    return utterance;
  }
  const ListOf<nb::str>& texts() {
    for (size_t id = texts_.size(); id < columns.texts.size(); ++id)
      texts_.append(as_text(columns.texts.at(static_cast<uint32_t>(id))));
    return texts_;
  }
  nb::typed<nb::tuple, nb::str, nb::ellipsis> words(size_t utterance) {
    const ListOf<nb::str>& all = texts();
    const size_t begin = columns.begin_of(at(utterance));
    return nb::borrow<nb::tuple>(tuple_of(columns.end_of(utterance) - begin,
                                          [&](size_t word) { return nb::object(all[columns.words[begin + word]]); }));
  }
  nb::typed<nb::tuple, std::optional<TimesTuple>, nb::ellipsis> times(size_t utterance) const {
    const size_t begin = columns.begin_of(at(utterance));
    return nb::borrow<nb::tuple>(tuple_of(columns.end_of(utterance) - begin,
                                          [&](size_t word) { return as_times(columns.times[begin + word]); }));
  }
  nb::typed<nb::tuple, int, nb::ellipsis> lines(size_t utterance) const {
    const size_t begin = columns.begin_of(at(utterance));
    return nb::borrow<nb::tuple>(tuple_of(columns.end_of(utterance) - begin, [&](size_t word) {
      return nb::object(nb::int_(columns.lines[begin + word]));
    }));
  }
  std::optional<nb::str> name(uint32_t id) const {
    if (id == kNone) return std::nullopt;
    return nb::borrow<nb::str>(as_text(columns.names.at(id)));
  }
  uint32_t number_of(const std::optional<nb::str>& name) {
    if (!name) return kNone;
    const nb::object bytes = nb::steal(PyUnicode_AsEncodedString(name->ptr(), "utf-8", "surrogateescape"));
    if (!bytes.is_valid()) throw nb::python_error();
    const std::string_view text = view(nb::borrow<nb::bytes>(bytes));
    return columns.names.intern(text.data(), text.size());
  }

 private:
  ListOf<nb::str> texts_{nb::list()};
};

using FaultList = std::vector<std::tuple<int, uint32_t, uint64_t, uint64_t, uint64_t>>;
using TimeFaultList = std::vector<std::tuple<int, uint64_t, uint64_t, double, double>>;
using WordsAndFaults = std::pair<std::unique_ptr<Words>, FaultList>;

// Runs read(columns, faults, progress).
template <class Read>
WordsAndFaults read_columns(const Read& read) {
  auto words = std::make_unique<Words>();
  std::vector<LineFault> faults;
  released(nullptr, [&](Progress& progress) { read(words->columns, faults, progress); });
  FaultList out;
  for (const LineFault& fault : faults)
    out.emplace_back(static_cast<int>(fault.kind), fault.line, fault.begin, fault.end, fault.place);
  return {std::move(words), std::move(out)};
}

TimeFaultList as_tuples(const std::vector<TimeFault>& faults) {
  TimeFaultList out;
  for (const TimeFault& fault : faults)
    out.emplace_back(static_cast<int>(fault.kind), fault.utterance, fault.word, fault.first, fault.second);
  return out;
}

void check_layout(const TableLayout& layout) {
  const auto check = [&](int32_t column, int32_t least) {
    if (column < least || column >= layout.columns) throw nb::index_error("no such column");
  };
  for (const int32_t column : {layout.word, layout.begin, layout.end}) check(column, 0);
  for (const int32_t column : {layout.id, layout.speaker, layout.file, layout.channel}) check(column, -1);
  for (const int32_t column : layout.keys) check(column, 0);
}

// A TextGrid and its text.
struct Grid {
  nb::bytes text;
  TextGrid grid;

  explicit Grid(nb::bytes data) : text(std::move(data)), grid(view(text)) {}
  const TextGrid::Tier& tier(size_t number) const {
    if (number >= grid.tiers().size()) throw nb::index_error("no such tier");
    return grid.tiers()[number];
  }
  std::span<const uint8_t> kept(const nb::bytes& mask) const {
    if (mask.size() != grid.texts().size()) throw nb::value_error("a byte for each text is needed");
    return {reinterpret_cast<const uint8_t*>(mask.c_str()), mask.size()};
  }
};

using LabelTuple = std::tuple<std::vector<uint32_t>, std::pair<double, double>, uint32_t>;
using GridFaultTuple = std::tuple<int, uint64_t, double, int, int, nb::bytes>;

}  // namespace

void bind_word_columns(nb::module_& module) {
  bind_enum<LineFaultKind>(module, "LineFaultKind");
  bind_enum<TimeFaultKind>(module, "TimeFaultKind");
  bind_enum<GridFaultKind>(module, "GridFaultKind");
  bind_enum<GridToken>(module, "GridToken");

  nb::class_<Words>(module, "WordColumns")
      .def(nb::init<>())
      .def("__len__", [](const Words& self) { return self.columns.size(); })
      .def_prop_ro("word_count", [](const Words& self) { return self.columns.words.size(); })
      .def("texts", &Words::texts)
      .def("words", &Words::words, "utterance"_a)
      .def("times", &Words::times, "utterance"_a)
      .def("lines", &Words::lines, "utterance"_a)
      .def(
          "word",
          [](Words& self, size_t utterance, size_t word) -> std::pair<nb::object, uint32_t> {
            const size_t place = self.columns.begin_of(self.at(utterance)) + word;
            if (place >= self.columns.end_of(utterance)) throw nb::index_error("no such word");
            return {nb::object(self.texts()[self.columns.words[place]]), self.columns.lines[place]};
          },
          "utterance"_a, "word"_a, nb::sig("def word(self, utterance: int, word: int) -> tuple[str, int]"))
      .def(
          "line", [](const Words& self, size_t utterance) { return self.columns.utterances[self.at(utterance)].line; },
          "utterance"_a)
      .def("ids",
           [](const Words& self) {
             std::vector<std::optional<nb::str>> out;
             for (const WordColumns::Utterance& facts : self.columns.utterances) out.push_back(self.name(facts.id));
             return out;
           })
      .def(
          "names",
          [](const Words& self, size_t utterance) {
            const WordColumns::Utterance& facts = self.columns.utterances[self.at(utterance)];
            return std::tuple(self.name(facts.id), self.name(facts.speaker), self.name(facts.file),
                              self.name(facts.channel));
          },
          "utterance"_a, "The id, speaker, file and channel.")
      .def(
          "limits",
          [](const Words& self, size_t utterance) {
            const WordColumns::Utterance& facts = self.columns.utterances[self.at(utterance)];
            return std::pair(as_optional(facts.begin), as_optional(facts.end));
          },
          "utterance"_a)
      .def(
          "set_names",
          [](Words& self, size_t utterance, const std::optional<nb::str>& id, const std::optional<nb::str>& speaker) {
            WordColumns::Utterance& facts = self.columns.utterances[self.at(utterance)];
            facts.id = self.number_of(id);
            facts.speaker = self.number_of(speaker);
          },
          "utterance"_a, "id"_a.none(), "speaker"_a.none())
      .def(
          "set_limits",
          [](Words& self, size_t utterance, OptionalTime begin, OptionalTime end) {
            WordColumns::Utterance& facts = self.columns.utterances[self.at(utterance)];
            facts.begin = as_time(begin);
            facts.end = as_time(end);
          },
          "utterance"_a, "begin"_a.none(), "end"_a.none())
      .def(
          "keep_only",
          [](Words& self, const nb::bytes& texts, const nb::bytes& utterances) {
            if (texts.size() != self.columns.texts.size() || utterances.size() != self.columns.size())
              throw nb::value_error("a byte for each text and utterance is needed");
            const auto bytes = [](const nb::bytes& mask) {
              return std::span(reinterpret_cast<const uint8_t*>(mask.c_str()), mask.size());
            };
            keep_only(self.columns, bytes(texts), bytes(utterances));
          },
          "texts"_a, "utterances"_a)
      .def(
          "put_in_order",
          [](Words& self, size_t utterance, bool usable_only) {
            return put_in_order(self.columns, self.at(utterance), usable_only);
          },
          "utterance"_a, "usable_only"_a)
      .def("correct",
           [](Words& self) {
             std::vector<TimeFault> faults;
             WordColumns& columns = self.columns;
             for (size_t utterance = 0; utterance < columns.size(); ++utterance) {
               WordColumns::Utterance& facts = columns.utterances[utterance];
               WordTimes limits{facts.begin, facts.end};
               const size_t begin = columns.begin_of(utterance), end = columns.end_of(utterance);
               correct_times({columns.times.data() + begin, end - begin}, limits, utterance, faults);
               facts.begin = limits.begin, facts.end = limits.end;
             }
             return as_tuples(faults);
           })
      // False if all times of words that are usable are whole numbers.
      .def("has_fractions", [](const Words& self) {
        for (size_t word = 0; word < self.columns.times.size(); ++word) {
          const WordTimes& when = self.columns.times[word];
          if (0 <= when.begin && when.begin < when.end && when.end < 1e9 &&
              (when.begin != std::floor(when.begin) || when.end != std::floor(when.end)))
            return true;
        }
        return false;
      });

  module.def(
      "read_word_table",
      [](const nb::bytes& text, uint32_t first_line, int32_t columns, std::tuple<int32_t, int32_t, int32_t> words,
         std::tuple<int32_t, int32_t, int32_t, int32_t> names, const std::vector<int32_t>& keys) {
        const auto [word, begin, end] = words;
        const auto [id, speaker, file, channel] = names;
        const TableLayout layout{columns, word, begin, end, id, speaker, file, channel, keys};
        check_layout(layout);
        return read_columns(
            [&, all = view(text)](WordColumns& out, std::vector<LineFault>& faults, Progress& progress) {
              read_word_table(all, first_line, layout, progress, out, faults);
            });
      },
      "text"_a, "first_line"_a, "columns"_a, "words"_a, "names"_a, "keys"_a);

  module.def(
      "read_ctm",
      [](const nb::bytes& text, bool keep_words) {
        return read_columns(
            [&, all = view(text)](WordColumns& out, std::vector<LineFault>& faults, Progress& progress) {
              read_ctm(all, keep_words, progress, out, faults);
            });
      },
      "text"_a, "keep_words"_a);

  module.def(
      "read_word_lines",
      [](const nb::bytes& text) {
        return read_columns([&, all = view(text)](WordColumns& out, std::vector<LineFault>& faults,
                                                  Progress& progress) { read_word_lines(all, progress, out, faults); });
      },
      "text"_a);

  module.def(
      "correct_times",
      [](const std::vector<std::optional<std::pair<double, double>>>& times, OptionalTime begin, OptionalTime end) {
        std::vector<WordTimes> all;
        for (const auto& when : times)
          all.push_back(when ? WordTimes{as_time(when->first), as_time(when->second)} : WordTimes{});
        WordTimes limits{as_time(begin), as_time(end)};
        std::vector<TimeFault> faults;
        correct_times(all, limits, 0, faults);
        std::vector<std::optional<std::pair<double, double>>> out;
        for (const WordTimes& when : all)
          out.push_back(when.are_known() ? std::optional(std::pair(when.begin, when.end)) : std::nullopt);
        return std::tuple(out, as_optional(limits.begin), as_optional(limits.end), as_tuples(faults));
      },
      "times"_a, "begin"_a.none(), "end"_a.none());

  module.def(
      "share_by_characters",
      [](const std::vector<uint32_t>& characters, double begin, double end) {
        std::vector<WordTimes> times(characters.size());
        share_by_characters(characters, {begin, end}, times);
        std::vector<std::pair<double, double>> out;
        for (const WordTimes& when : times) out.emplace_back(when.begin, when.end);
        return out;
      },
      "characters"_a, "begin"_a, "end"_a);

  nb::class_<Grid>(module, "TextGrid")
      .def(nb::init<nb::bytes>(), "text"_a)
      .def("head",
           [](const Grid& self) {
             return std::pair(as_bytes(self.grid.head().type), as_bytes(self.grid.head().object_class));
           })
      .def(
          "read",
          [](Grid& self, bool chronological) {
            released(nullptr, [&](Progress& progress) { self.grid.read(chronological, progress); });
          },
          "chronological"_a)
      .def("tiers",
           [](const Grid& self) {
             std::vector<std::pair<bool, nb::bytes>> out;
             for (const TextGrid::Tier& tier : self.grid.tiers())
               out.emplace_back(tier.has_intervals, as_bytes(tier.name));
             return out;
           })
      .def("limits",
           [](const Grid& self) {
             return std::pair(as_optional(self.grid.limits().begin), as_optional(self.grid.limits().end));
           })
      .def("fault",
           [](const Grid& self) -> std::optional<GridFaultTuple> {
             const std::optional<GridFault>& fault = self.grid.fault();
             if (!fault) return std::nullopt;
             return GridFaultTuple(static_cast<int>(fault->kind), fault->at, fault->number,
                                   static_cast<int>(fault->wanted), static_cast<int>(fault->actual),
                                   as_bytes(fault->text));
           })
      .def("texts", [](const Grid& self) { return as_texts(self.grid.texts()); })
      .def(
          "labels",
          [](const Grid& self, size_t number) {
            const TextGrid::Tier& tier = self.tier(number);
            std::vector<LabelTuple> out;
            uint64_t begin = 0;
            for (const TextGrid::Label& label : tier.labels) {
              std::vector<uint32_t> words(tier.words.begin() + static_cast<std::ptrdiff_t>(begin),
                                          tier.words.begin() + static_cast<std::ptrdiff_t>(label.end));
              out.emplace_back(std::move(words), std::pair(label.when.begin, label.when.end), label.line);
              begin = label.end;
            }
            return out;
          },
          "tier"_a)
      .def(
          "are_utterances",
          [](const Grid& self, size_t tier, const nb::bytes& kept) {
            return self.grid.are_utterances(self.tier(tier), self.kept(kept));
          },
          "tier"_a, "kept"_a)
      .def(
          "append",
          [](const Grid& self, size_t tier, const nb::bytes& kept, Words& out) {
            return self.grid.append(self.tier(tier), self.kept(kept), out.columns);
          },
          "tier"_a, "kept"_a, "columns"_a);
}

}  // namespace treescore::python
