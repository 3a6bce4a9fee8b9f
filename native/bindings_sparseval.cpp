#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/vector.h>

#include "bindings.hpp"
#include "sparseval.hpp"

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

  // Runs work() without the GIL: what the original would say before it gives up, or None.
  template <class Work>
  nb::object run(const Work& work) {
    std::optional<std::string> said;
    {
      const nb::gil_scoped_release release;
      try {
        work();
      } catch (const SparsevalError& error) {
        said = error.what();
      }
    }
    return said ? nb::object(as_bytes(*said)) : nb::none();
  }
};

}  // namespace

void bind_sparseval(nb::module_& module) {
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
          [](Program& self, nb::object gold, nb::object test, nb::bytes gold_name, nb::bytes test_name,
             std::optional<nb::object> alignment) {
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
             const SparsevalRow& row = self.program.rows()[index];
             return nb::make_tuple(row.matched, row.gold, row.test, row.crossing, row.heads.matched, row.heads.gold,
                                   row.heads.test, row.heads.open_matched, row.heads.open_gold, row.heads.open_test);
           })
      .def("annotate",
           [](Program& self, nb::object trees, nb::bytes name) {
             const Buffer text(trees);
             std::string out;
             const nb::object said = self.run([&] { self.program.annotate(text.text(), view(name), out); });
             return nb::make_tuple(as_bytes(out), said);
           })
      .def("realign", [](Program& self, nb::object gold, nb::object test, nb::object raw, nb::bytes gold_name,
                         nb::bytes test_name) {
        const Buffer gold_text(gold), test_text(test), raw_text(raw);
        const SparsevalPair files{gold_text.text(), test_text.text(), view(gold_name), view(test_name), {}};
        std::string out;
        const nb::object said = self.run([&] { out = self.program.realign(files, raw_text.text()); });
        return nb::make_tuple(as_bytes(out), said);
      });
}

}  // namespace treescore::python
