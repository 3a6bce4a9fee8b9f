// Metrics over the phrases above each word, for Python.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "bindings.hpp"
#include "disfluency.hpp"
#include "leaf_ancestor.hpp"

namespace treescore::python {
namespace {

using namespace nb::literals;

// Labels by their keys, marks as a PathMark.
ListOf<int64_t> symbols(const std::vector<PathSymbol>& path) {
  nb::list out;
  for (const PathSymbol& symbol : path) out.append(symbol.is_mark() ? symbol.as_mark() : int64_t{symbol.key});
  return out;
}

// Leaves, paths and score of a word.
using PathsTuple = TupleOf<int32_t, int32_t, ListOf<int64_t>, ListOf<int64_t>, int64_t>;

}  // namespace

void bind_lineages(nb::module_& module) {
  bind_enum<Marks>(module, "Marks");
  bind_enum<PathMark>(module, "PathMark");
  bind_enum<DisfluencyRules>(module, "DisfluencyGroup");

  nb::class_<LeafAncestorRules>(module, "LeafAncestorRules")
      .def(
          "__init__",
          [](LeafAncestorRules* self, const SideRules& gold, const SideRules& test, const BytesPairs& word_texts,
             bool delete_by_gold, bool labelled, int marks, int similar, int other, std::vector<uint32_t> kinds,
             double limit) {
            for (const SideRules* side : {&gold, &test})
              for (const uint32_t key : side->label_key)
                if (key >= kinds.size()) throw nb::value_error("a label has no kind");
            if (similar < 0 || similar > other || other > PathCosts::kMost)
              throw nb::value_error("a cost out of range");
            new (self) LeafAncestorRules{{gold, test, word_rules(word_texts, {}), delete_by_gold},
                                         labelled,
                                         static_cast<Marks>(marks),
                                         {similar, other},
                                         std::move(kinds),
                                         limit};
          },
          nb::kw_only(), "gold"_a, "test"_a, "word_texts"_a, "delete_by_gold"_a, "labelled"_a, "marks"_a, "similar"_a,
          "other"_a, "kinds"_a, "limit"_a);

  module.def(
      "leaf_ancestor_rows",
      [](const Trees& gold, const Trees& test, const LeafAncestorRules& rules, unsigned threads, Progress* progress) {
        return rows<LeafAncestorRow>(gold, test, rules, threads, progress);
      },
      "gold"_a, "test"_a, "rules"_a, "threads"_a, "progress"_a.none() = nb::none());

  module.def("leaf_ancestor_by_label",
             [](const Trees& gold, const Trees& test, const LeafAncestorRules& rules) -> LabelTable {
               check_pair(gold, test, rules);
               std::vector<LeafAncestorScorer::LabelSums> table;
               released(nullptr, [&](Progress& seen) {
                 LeafAncestorScorer scorer(rules, seen.poll);
                 for (size_t index = 0; index < gold.size(); ++index) {
                   scorer.add_by_label(*gold.columns, gold.begin + index, *test.columns, test.begin + index, table);
                   seen.at(index);
                 }
               });
               nb::list out;
               for (size_t key = 0; key < table.size(); ++key) {
                 if (!table[key].words_all) continue;
                 nb::dict named;
                 named["gold"] = table[key].words;
                 named["gold_all"] = table[key].words_all;
                 named["exact"] = table[key].exact;
                 named["score"] = as_int(table[key].score);
                 out.append(nb::make_tuple(key, named));
               }
               return out;
             });

  // The row of one pair, and for each word its leaves, its paths from the innermost phrase to the outermost, and its
  // similarity.
  module.def(
      "leaf_ancestor_paths",
      [](const Trees& gold, const Trees& test, const LeafAncestorRules& rules) -> TupleOf<Rows, ListOf<PathsTuple>> {
        check_pair(gold, test, rules);
        if (gold.size() != 1) throw nb::value_error("paths are of one pair of trees");
        std::vector<LeafAncestorScorer::WordPaths> words;
        const auto [out, blank] = blank_rows<LeafAncestorRow>(1);
        released(nullptr, [&, &columns = blank](Progress& seen) {
          LeafAncestorScorer scorer(rules, seen.poll);
          write_row(scorer.paths(*gold.columns, gold.begin, *test.columns, test.begin, words), 0, columns);
        });
        nb::list paths;
        for (LeafAncestorScorer::WordPaths& word : words) {
          std::reverse(word.gold.begin(), word.gold.end());
          std::reverse(word.test.begin(), word.test.end());
          paths.append(
              nb::make_tuple(word.gold_leaf, word.test_leaf, symbols(word.gold), symbols(word.test), word.score));
        }
        return nb::make_tuple(out, paths);
      });

  nb::class_<DisfluencyRules>(module, "DisfluencyRules")
      .def(
          "__init__",
          [](DisfluencyRules* self, const SideRules& gold, const SideRules& test, const BytesPairs& word_texts,
             bool delete_by_gold, nb::bytes groups) {
            const std::string_view of_keys = view(groups);
            for (const SideRules* side : {&gold, &test})
              for (const uint32_t key : side->label_key)
                if (key >= of_keys.size()) throw nb::value_error("a label has no groups");
            new (self) DisfluencyRules{{gold, test, word_rules(word_texts, {}), delete_by_gold},
                                       std::vector<uint8_t>(of_keys.begin(), of_keys.end())};
          },
          nb::kw_only(), "gold"_a, "test"_a, "word_texts"_a, "delete_by_gold"_a, "groups"_a);

  module.def(
      "disfluency_rows",
      [](const Trees& gold, const Trees& test, const DisfluencyRules& rules, unsigned threads, Progress* progress) {
        return rows<DisfluencyRow>(gold, test, rules, threads, progress);
      },
      "gold"_a, "test"_a, "rules"_a, "threads"_a, "progress"_a.none() = nb::none());
}

}  // namespace treescore::python
