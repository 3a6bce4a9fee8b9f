// Alignment of texts, and brackets over it, for Python.
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <optional>

#include "aligned_parseval.hpp"
#include "bindings.hpp"
#include "common_phrases.hpp"
#include "text_alignment.hpp"

namespace treescore::python {
namespace {

using namespace nb::literals;

// Two sides, kept alive, and the alignment of their texts.
struct Aligned {
  Trees gold, test;
  TextAlignment texts;

  Aligned(Trees gold_trees, Trees test_trees, const SideRules* gold_rules, const SideRules* test_rules)
      : gold(std::move(gold_trees)),
        test(std::move(test_trees)),
        texts(*gold.columns, gold.begin, gold.end, gold_rules, *test.columns, test.begin, test.end, test_rules) {}
};

ListOf<nb::bytes> words(const Aligned& self) {
  nb::list out;
  const Vocabulary& vocabulary = self.texts.vocabulary();
  for (uint32_t word = 0; word < vocabulary.size(); ++word) out.append(as_bytes(vocabulary.at(word)));
  return out;
}

using BeforeTuple = std::tuple<uint32_t, uint32_t, nb::str>;

void align(Aligned& self, const ListOf<nb::str>& plain, const ListOf<nb::str>& expanded,
           const std::vector<BeforeTuple>& before, unsigned threads, Progress* progress) {
  const size_t size = self.texts.vocabulary().size();
  if (plain.size() != size || expanded.size() != size) throw nb::value_error("one text for each word is needed");
  std::vector<WordForms::Before> special;
  for (const auto& [word, next, text] : before) special.push_back({word, next, characters(text)});
  WordForms forms(texts(plain), texts(expanded), special);
  released(progress, [&](Progress& watched) { self.texts.align(std::move(forms), threads, &watched); });
}

// Begin and end of the sentences of either side.
#define TREESCORE_BLOCK_COLUMNS(NOTE, SUM)              \
  NOTE(gold_begin)                                      \
  NOTE(gold_end)                                        \
  NOTE(test_begin)                                      \
  NOTE(test_end)                                        \
  NOTE(expanded) /* was contracted text written out? */ \
  NOTE(given_up) /* the sentences were left alone, because too much text is different */

TREESCORE_ROW(BlockRow, TREESCORE_BLOCK_COLUMNS);

DictOf<nb::str, nb::bytes> blocks(const Aligned& self) {
  const auto [out, columns] = blank_notes<BlockRow>(self.texts.blocks().size());
  for (size_t number = 0; number < self.texts.blocks().size(); ++number) {
    const Block& block = self.texts.blocks()[number];
    BlockRow row;
    row.gold_begin = block.gold_begin;
    row.gold_end = block.gold_end;
    row.test_begin = block.test_begin;
    row.test_end = block.test_end;
    row.expanded = self.texts.expanded(number);
    row.given_up = self.texts.given_up(number);
    write_row(row, number, columns);
  }
  return out;
}

// The groups of a block: the number of words of each side, group by group.
std::vector<std::pair<uint32_t, uint32_t>> groups(const Aligned& self, size_t block) {
  if (block >= self.texts.blocks().size()) throw nb::index_error("no such block");
  std::vector<std::pair<uint32_t, uint32_t>> out;
  const Block& own = self.texts.blocks()[block];
  if (self.texts.identical()) {
    const TextSide& side = self.texts.gold();
    for (uint64_t word = side.sentences[own.gold_begin]; word < side.sentences[own.gold_end]; ++word)
      if (side.kept[word]) out.emplace_back(1, 1);
    return out;
  }
  for (const SegmentGroup& group : self.texts.groups(block)) out.emplace_back(group.gold, group.test);
  return out;
}

// The words of both sides of a block that are not deleted: numbers of their sentence and in it.
using Places = ListOf<TupleOf<size_t, size_t>>;

std::pair<Places, Places> places(const Aligned& self, size_t block) {
  if (block >= self.texts.blocks().size()) throw nb::index_error("no such block");
  const Block& own = self.texts.blocks()[block];
  const auto of_side = [](const TextSide& side, size_t begin, size_t end) -> Places {
    nb::list out;
    for (size_t sentence = begin; sentence < end; ++sentence)
      for (uint64_t word = side.sentences[sentence]; word < side.sentences[sentence + 1]; ++word)
        if (side.kept[word]) out.append(nb::make_tuple(sentence, word - side.sentences[sentence]));
    return out;
  };
  return {of_side(self.texts.gold(), own.gold_begin, own.gold_end),
          of_side(self.texts.test(), own.test_begin, own.test_end)};
}

// Whether the words of each group, as they are compared, are the same on both sides. A block without groups has one
// group of all its words. Nothing is returned if both sides are identical, since nothing is compared.
std::vector<bool> same_texts(const Aligned& self, size_t block) {
  if (block >= self.texts.blocks().size()) throw nb::index_error("no such block");
  std::vector<bool> out;
  if (self.texts.identical()) return out;
  const Block& own = self.texts.blocks()[block];
  const TextSide* sides[] = {&self.texts.gold(), &self.texts.test()};
  uint64_t at[] = {sides[0]->sentences[own.gold_begin], sides[1]->sentences[own.test_begin]};
  const uint64_t ends[] = {sides[0]->sentences[own.gold_end], sides[1]->sentences[own.test_end]};
  std::vector<uint32_t> texts[2];
  const auto collect = [&](int side, uint32_t count) {
    texts[side].clear();
    for (uint64_t& word = at[side]; count > 0 && word < ends[side]; ++word) {
      if (!sides[side]->kept[word]) continue;
      const auto own_text = self.texts.characters(self.texts.form(*sides[side], word, self.texts.expanded(block)));
      texts[side].insert(texts[side].end(), own_text.begin(), own_text.end());
      --count;
    }
  };
  const auto add = [&](uint32_t gold, uint32_t test) {
    collect(0, gold);
    collect(1, test);
    out.push_back(texts[0] == texts[1]);
  };
  for (const SegmentGroup& group : self.texts.groups(block)) add(group.gold, group.test);
  if (out.empty()) add(UINT32_MAX, UINT32_MAX);
  return out;
}

Rows block_rows(const Aligned& self, const AlignedRules& rules, unsigned threads, Progress* progress) {
  check_rules(self.gold, rules.gold);
  check_rules(self.test, rules.test);
  auto [out, columns] = blank_rows<AlignedRow>(self.texts.blocks().size());
  released(progress, [&, &places = columns](Progress& watched) {
    score_aligned(self.texts, {self.gold.columns.get(), self.gold.begin}, {self.test.columns.get(), self.test.begin},
                  rules, threads, places, &watched);
  });
  return out;
}

LabelTable by_label(const Aligned& self, const AlignedRules& rules) {
  check_rules(self.gold, rules.gold);
  check_rules(self.test, rules.test);
  std::vector<LabelCount> table;
  released(nullptr, [&](Progress& watched) {
    AlignedScorer scorer(self.texts, {self.gold.columns.get(), self.gold.begin},
                         {self.test.columns.get(), self.test.begin}, rules);
    for (size_t block = 0; block < self.texts.blocks().size(); ++block) {
      scorer.add_by_label(block, table);
      watched.at(block);
    }
  });
  nb::list out;
  for (size_t key = 0; key < table.size(); ++key)
    if (table[key].gold_all || table[key].test_all) out.append(nb::make_tuple(key, row_by_name(table[key])));
  return out;
}

void find_common(CommonPhrases* self, const Aligned& aligned, const SideRules& gold, const SideRules& test, bool strict,
                 Progress* progress) {
  released(progress, [&](Progress& watched) {
    new (self) CommonPhrases(aligned.texts, {aligned.gold.columns.get(), aligned.gold.begin}, gold,
                             {aligned.test.columns.get(), aligned.test.begin}, test, strict, watched);
  });
}

const PhraseSide& side_of(const CommonPhrases& self, size_t side) {
  if (side > 1) throw nb::index_error("there are two sides");
  return self.side(static_cast<int>(side));
}

// Sentences and nodes of all phrases that are common, and where each class ends.
DictOf<nb::str, nb::bytes> classes(const CommonPhrases& self, size_t number) {
  const PhraseSide& side = side_of(self, number);
  nb::dict out;
  const auto add = [&](const char* name, size_t size, const auto& value) {
    const auto [bytes, places] = blank_bytes<int64_t>(size);
    for (size_t place = 0; place < size; ++place) places[place] = value(place);
    out[name] = bytes;
  };
  add("sentence", side.common.size(), [&](size_t place) { return int64_t{side.common[place].sentence}; });
  add("node", side.common.size(), [&](size_t place) { return int64_t{side.common[place].node}; });
  add("ends", side.ends.size(), [&](size_t place) { return side.ends[place]; });
  return out;
}

std::vector<std::tuple<uint32_t, uint32_t, int64_t>> by_labels(const CommonPhrases& self) {
  std::vector<std::tuple<uint32_t, uint32_t, int64_t>> out;
  for (const auto& [labels, count] : self.by_labels()) out.emplace_back(labels.first, labels.second, count);
  return out;
}

}  // namespace

void bind_texts(nb::module_& module) {
  nb::class_<Aligned>(module, "AlignedTexts")
      .def(nb::init<Trees, Trees, const SideRules*, const SideRules*>(), "gold"_a, "test"_a,
           "gold_rules"_a.none() = nb::none(), "test_rules"_a.none() = nb::none())
      .def_prop_ro("identical", [](const Aligned& self) { return self.texts.identical(); })
      .def("__len__", [](const Aligned& self) { return self.texts.blocks().size(); })
      .def("words", words)
      .def("align", align, "plain"_a, "expanded"_a, "before"_a, "threads"_a = 1, "progress"_a.none() = nb::none())
      .def("blocks", blocks)
      .def("groups", groups, "block"_a)
      .def("places", places, "block"_a)
      .def("same_texts", same_texts, "block"_a);
  nb::class_<CommonPhrases>(module, "CommonPhrases")
      .def("__init__", find_common, "aligned"_a, "gold_rules"_a, "test_rules"_a, "strict"_a,
           "progress"_a.none() = nb::none())
      .def_prop_ro("aligned_words", &CommonPhrases::aligned_words)
      .def_prop_ro("hasty_groups", &CommonPhrases::hasty_groups)
      .def_prop_ro("left_out", [](const CommonPhrases& self) { return self.left_out(); })
      .def(
          "words", [](const CommonPhrases& self, size_t side) { return side_of(self, side).words; }, "side"_a)
      .def(
          "phrases", [](const CommonPhrases& self, size_t side) { return side_of(self, side).phrases; }, "side"_a)
      .def(
          "labels", [](const CommonPhrases& self, size_t side) { return side_of(self, side).labels; }, "side"_a)
      .def("classes", classes, "side"_a)
      .def("by_labels", by_labels);
  nb::class_<AlignedRules>(module, "AlignedRules")
      .def(
          "__init__",
          [](AlignedRules* self, const SideRules& gold, const SideRules& test,
             const std::vector<std::pair<uint32_t, uint32_t>>& equal_labels,
             const std::vector<std::pair<uint32_t, uint32_t>>& equal_tags, bool labelled, int64_t most_length,
             bool characters) {
            new (self) AlignedRules{gold,        test,      KeyPairs(equal_labels), KeyPairs(equal_tags), labelled,
                                    most_length, characters};
          },
          "gold"_a, "test"_a, "equal_labels"_a, "equal_tags"_a, "labelled"_a, "most_length"_a, "characters"_a);
  module.def("aligned_rows", block_rows, "aligned"_a, "rules"_a, "threads"_a = 1, "progress"_a.none() = nb::none());
  module.def("aligned_by_label", by_label, "aligned"_a, "rules"_a);
}

}  // namespace treescore::python
