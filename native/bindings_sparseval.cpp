#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "bindings.hpp"
#include "sparseval.hpp"
#include "speech_score.hpp"

namespace treescore::python {
namespace {

using namespace nb::literals;

using Texts = std::vector<nb::bytes>;
using TextPairs = std::vector<std::pair<nb::bytes, nb::bytes>>;
using Groups = std::vector<std::pair<bool, Texts>>;

std::string text_of(const nb::bytes& text) { return std::string(view(text)); }

std::vector<std::string> texts_of(const Texts& texts) {
  std::vector<std::string> out;
  for (const nb::bytes& text : texts) out.push_back(text_of(text));
  return out;
}

std::vector<std::pair<std::string, std::string>> pairs_of(const TextPairs& pairs) {
  std::vector<std::pair<std::string, std::string>> out;
  for (const auto& [a, b] : pairs) out.emplace_back(text_of(a), text_of(b));
  return out;
}

std::vector<SparsevalRules::HeadGroup> groups_of(const Groups& groups) {
  std::vector<SparsevalRules::HeadGroup> out;
  for (const auto& [from_left, labels] : groups) out.push_back({from_left, texts_of(labels)});
  return out;
}

// The rules must stay where they are while the program uses them.
struct Program {
  SparsevalRules rules;
  Sparseval program;
  explicit Program(SparsevalRules made) : rules(std::move(made)), program(rules, check_signals) {}

  // Runs work() without the GIL. Returns the message with which the original would stop, or None.
  template <class Work>
  std::optional<nb::bytes> run(const Work& work) {
    std::optional<std::string> said;
    {
      const nb::gil_scoped_release release;
      try {
        work();
      } catch (const SparsevalError& error) {
        said = error.what();
      }
    }
    return said ? std::optional(as_bytes(*said)) : std::nullopt;
  }
};

// The output of the program, and the message with which it stopped.
using Written = std::pair<nb::bytes, std::optional<nb::bytes>>;

SpeechSide side_of(std::vector<int32_t> name, const nb::bytes& phrase_flags, const nb::bytes& tag_flags) {
  SpeechSide side;
  side.name = std::move(name);
  const std::string_view phrases = view(phrase_flags), tags = view(tag_flags);
  side.phrase_flags.assign(phrases.begin(), phrases.end());
  side.tag_flags.assign(tags.begin(), tags.end());
  return side;
}

void check_side(const Trees& trees, const SpeechSide& side) {
  const size_t size = trees.columns->vocabulary().size();
  if (side.name.size() < size || side.phrase_flags.size() < size || side.tag_flags.size() < size)
    throw nb::value_error("the rules do not cover the vocabulary of the trees");
}

// The rows of the original as those of `speech_rows`. It does not align words, and so does not count them.
Rows speech_rows(const std::vector<SparsevalRow>& found) {
  const auto [out, columns] = blank_rows<SpeechRow>(found.size());
  for (size_t unit = 0; unit < found.size(); ++unit) {
    const SparsevalRow& original = found[unit];
    SpeechRow row;
    row.valid = 1;
    row.matched = original.matched;
    row.gold = original.gold;
    row.test = original.test;
    row.crossing = original.crossing;
    row.exact = row.matched == row.gold && row.matched == row.test;
    row.head_matched = original.head_matched;
    row.head_gold = original.head_gold;
    row.head_test = original.head_test;
    row.open_matched = original.open_matched;
    row.open_gold = original.open_gold;
    row.open_test = original.open_test;
    // No test tree: the parse is missing or could not be read.
    set_speech_outcome(row, row.test + row.head_test == 0 && row.gold + row.head_gold > 0, row);
    write_row(row, unit, columns);
  }
  return out;
}

void bind_speech(nb::module_& module) {
  nb::class_<SpeechWords>(module, "SpeechWords")
      .def("__init__",
           [](SpeechWords* self, const Trees& gold, const Trees& test) {
             new (self) SpeechWords;
             self->add(*gold.columns, gold.begin, gold.end, self->gold);
             self->add(*test.columns, test.begin, test.end, self->test);
           })
      .def("names", [](const SpeechWords& self) -> ListOf<nb::bytes> {
        nb::list out;
        for (const std::string& name : self.names) out.append(as_bytes(name));
        return out;
      });

  using SideTables = std::tuple<std::vector<int32_t>, nb::bytes, nb::bytes>;
  nb::class_<SpeechRules>(module, "SpeechRules")
      .def(
          "__init__",
          [](SpeechRules* self, const SideTables& gold, const SideTables& test, std::vector<uint32_t> keys,
             int32_t root, int32_t no_tag, const NumberedRules& heads, const NumberedGroups& default_head,
             const std::vector<int32_t>& conjunctions, bool has_heads, std::vector<uint32_t> word_keys,
             const nb::bytes& closed_words, bool labelled, bool bag, bool common_spans, bool same_head,
             std::tuple<int64_t, int64_t, int64_t> costs) {
            const auto [insertion, deletion, substitution] = costs;
            const WordCosts word_costs{insertion, deletion, substitution};
            if (!word_costs.in_range()) throw nb::value_error("a cost out of range");
            new (self) SpeechRules;
            self->costs = word_costs;
            self->gold = std::apply(side_of, gold);
            self->test = std::apply(side_of, test);
            self->key = std::move(keys);
            self->root = root;
            self->no_tag = no_tag;
            self->heads = head_rules_of(heads, default_head, conjunctions);
            self->has_heads = has_heads;
            self->word_key = std::move(word_keys);
            const std::string_view closed = view(closed_words);
            self->word_closed.assign(closed.begin(), closed.end());
            self->labelled = labelled;
            self->bag = bag;
            self->common_spans = common_spans;
            self->same_head = same_head;
          },
          nb::kw_only(), "gold"_a, "test"_a, "keys"_a, "root"_a, "no_tag"_a, "heads"_a, "default_head"_a,
          "conjunctions"_a, "has_heads"_a, "word_keys"_a, "closed_words"_a, "labelled"_a, "bag"_a, "common_spans"_a,
          "same_head"_a, "costs"_a);

  module.def(
      "speech_rows",
      [](const Trees& gold, const Trees& test, const std::vector<std::tuple<size_t, size_t, size_t, size_t>>& ranges,
         const std::vector<std::pair<std::vector<int32_t>, std::vector<int32_t>>>& places, const SpeechWords& words,
         const SpeechRules& rules, unsigned threads, Progress* progress) {
        check_side(gold, rules.gold);
        check_side(test, rules.test);
        if (rules.word_key.size() < words.names.size() || rules.word_closed.size() < words.names.size())
          throw nb::value_error("the rules do not cover the words");
        if (words.gold.begin.size() != gold.size() || words.test.begin.size() != test.size())
          throw nb::value_error("the words are those of other trees");
        std::vector<SpeechUnit> units;
        for (const auto& [gold_begin, gold_end, test_begin, test_end] : ranges) {
          if (gold_begin > gold_end || gold_end > gold.size() || test_begin > test_end || test_end > test.size())
            throw nb::value_error("a unit has trees that are not there");
          units.push_back({gold_begin, gold_end, test_begin, test_end});
        }
        if (!places.empty() && places.size() != units.size()) throw nb::value_error("not one alignment for each unit");
        std::vector<GivenPlaces> given;
        for (const auto& [gold_places, test_places] : places) given.push_back({gold_places, test_places});
        const auto [out, blank] = blank_rows<SpeechRow>(units.size());
        released(progress, [&, &columns = blank](Progress& seen) {
          score_units(*gold.columns, gold.begin, *test.columns, test.begin, units, given, words, rules, threads,
                      columns, &seen);
        });
        return out;
      },
      "gold"_a, "test"_a, "units"_a, "places"_a, "words"_a, "rules"_a, "threads"_a, "progress"_a.none() = nb::none());
}

}  // namespace

void bind_sparseval(nb::module_& module) {
  bind_enum<SpeechTree>(module, "SpeechFlag");
  bind_speech(module);
  nb::class_<Program>(module, "Sparseval")
      .def(
          "__init__",
          [](Program* self, const Texts& deleted, const Texts& empty, const Texts& edits, const Texts& closed,
             const TextPairs& rewritten, const TextPairs& equal_words, const TextPairs& pauses,
             const std::optional<std::vector<std::pair<nb::bytes, Groups>>>& heads, const Groups& default_head,
             bool bag, bool whole_files, bool unlabelled) {
            SparsevalRules rules;
            rules.deleted = texts_of(deleted);
            rules.empty = texts_of(empty);
            rules.edits = texts_of(edits);
            rules.closed = texts_of(closed);
            rules.rewritten = pairs_of(rewritten);
            rules.equal_words = pairs_of(equal_words);
            for (const auto& [group, word] : pauses) rules.pauses.emplace_back(view(group).at(0), text_of(word));
            rules.has_heads = heads.has_value();
            if (heads)
              for (const auto& [category, groups] : *heads)
                rules.heads.push_back({text_of(category), groups_of(groups)});
            rules.default_head = groups_of(default_head);
            rules.bag = bag;
            rules.whole_files = whole_files;
            rules.unlabelled = unlabelled;
            new (self) Program(std::move(rules));
          },
          nb::kw_only(), "deleted"_a, "empty"_a, "edits"_a, "closed"_a, "rewritten"_a, "equal_words"_a, "pauses"_a,
          "heads"_a.none(), "default_head"_a, "bag"_a = false, "whole_files"_a = false, "unlabelled"_a = false)
      .def(
          "score",
          [](Program& self, BufferObject gold, BufferObject test, nb::bytes gold_name, nb::bytes test_name,
             std::optional<BufferObject> alignment) {
            const Buffer gold_text(gold), test_text(test);
            std::optional<Buffer> aligned;
            if (alignment) aligned.emplace(*alignment);
            const SparsevalPair files{gold_text.text(), test_text.text(), view(gold_name), view(test_name),
                                      aligned ? std::optional(aligned->text()) : std::nullopt};
            return self.run([&] { self.program.score(files); });
          },
          "gold"_a, "test"_a, "gold_name"_a, "test_name"_a, "alignment"_a.none() = nb::none())
      .def("take_warnings", [](Program& self) { return as_bytes(self.program.take_warnings()); })
      .def("__len__", [](const Program& self) { return self.program.rows().size(); })
      .def("row",
           [](const Program& self, size_t index) {
             if (index >= self.program.rows().size()) throw nb::index_error("no such unit");
             return row_by_name(self.program.rows()[index]);
           })
      .def("speech_rows", [](const Program& self) { return speech_rows(self.program.rows()); })
      .def("annotate",
           [](Program& self, BufferObject trees, nb::bytes name) -> Written {
             const Buffer text(trees);
             std::string out;
             const auto said = self.run([&] { self.program.annotate(text.text(), view(name), out); });
             return {as_bytes(out), said};
           })
      .def("realign",
           [](Program& self, BufferObject gold, BufferObject test, BufferObject raw, nb::bytes gold_name,
              nb::bytes test_name) -> Written {
             const Buffer gold_text(gold), test_text(test), raw_text(raw);
             const SparsevalPair files{gold_text.text(), test_text.text(), view(gold_name), view(test_name), {}};
             std::string out;
             const auto said = self.run([&] { out = self.program.realign(files, raw_text.text()); });
             return {as_bytes(out), said};
           });
}

}  // namespace treescore::python
