// Words with their heads for Python: read from CoNLL-U, derived from trees, and compared.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <optional>

#include "bindings.hpp"
#include "dependency_score.hpp"

namespace treescore::python {
namespace {

using namespace nb::literals;

struct Dependencies {
  std::shared_ptr<const DependencyColumns> columns;

  size_t at(size_t sentence) const {
    if (sentence >= columns->sentences()) throw nb::index_error("no such sentence");
    return sentence;
  }
};

ListOf<nb::bytes> names_of(const Vocabulary& vocabulary) {
  nb::list out;
  for (uint32_t id = 0; id < vocabulary.size(); ++id) out.append(as_bytes(vocabulary.at(id)));
  return out;
}

// Form, lemma, tags, features, head (0: the root; None: there is none) and relation of each word of a sentence.
using WordTuple = TupleOf<uint32_t, uint32_t, uint32_t, uint32_t, uint32_t, std::optional<int32_t>, uint32_t>;
ListOf<WordTuple> words_of(const Dependencies& self, size_t sentence) {
  const DependencyColumns& columns = *self.columns;
  const size_t first = columns.sentence_word[self.at(sentence)];
  nb::list out;
  for (size_t word = first; word < columns.sentence_word[sentence + 1]; ++word) {
    const int32_t head = columns.head[word];
    const nb::object number = head == kNoHead     ? nb::none()
                              : head == kRootHead ? nb::object(nb::int_(0))
                                                  : nb::object(nb::int_(static_cast<size_t>(head) - first + 1));
    out.append(nb::make_tuple(columns.form[word], columns.lemma[word], columns.upos[word], columns.xpos[word],
                              columns.feats[word], number, columns.relation[word]));
  }
  return out;
}

// Form and number of words of each surface token of a sentence.
ListOf<TupleOf<uint32_t, uint32_t>> tokens_of(const Dependencies& self, size_t sentence) {
  const DependencyColumns& columns = *self.columns;
  nb::list out;
  for (size_t token = columns.sentence_token[self.at(sentence)]; token < columns.sentence_token[sentence + 1]; ++token)
    out.append(nb::make_tuple(columns.token_form[token], columns.token_word[token + 1] - columns.token_word[token]));
  return out;
}

template <class T>
std::vector<T> numbers_in(nb::handle object) {
  const Buffer buffer(object);
  const std::string_view bytes = buffer.text();
  if (bytes.size() % sizeof(T) != 0) throw nb::value_error("a buffer of another kind of numbers");
  std::vector<T> out(bytes.size() / sizeof(T));
  if (!out.empty()) std::memcpy(out.data(), bytes.data(), bytes.size());
  return out;
}

void check_keys(const Dependencies& side, const DependencyKeys& keys) {
  const size_t forms = side.columns->forms.size();
  const std::vector<uint64_t>& begin = keys.characters.begin;
  if (begin.size() < forms + 1 || keys.form.size() < forms || !std::is_sorted(begin.begin(), begin.end()) ||
      begin.back() > keys.characters.characters.size())
    throw nb::value_error("the keys do not cover the forms");
  uint32_t most = 0;
  const DependencyColumns& columns = *side.columns;
  for (const auto* column : {&columns.lemma, &columns.upos, &columns.xpos, &columns.feats, &columns.relation})
    for (const uint32_t name : *column) most = std::max(most, name + 1);
  for (const DependencyEdge& edge : columns.edges) most = std::max(most, edge.label + 1);
  for (const auto* column : {&keys.name, &keys.feats, &keys.relation, &keys.edge_type})
    if (column->size() < most) throw nb::value_error("the keys do not cover the names");
  if (keys.kind.size() < most) throw nb::value_error("the keys do not cover the names");
}

// The first character that differs, its sentences, and the forms from there on.
using Difference = std::tuple<size_t, size_t, size_t, std::vector<uint32_t>, std::vector<uint32_t>>;

using UnitTuples = std::vector<std::tuple<size_t, size_t, size_t, size_t>>;

DependencyUnit unit_of(const std::tuple<size_t, size_t, size_t, size_t>& given, const Dependencies& gold,
                       const Dependencies& test) {
  const auto [gold_begin, gold_end, test_begin, test_end] = given;
  if (gold_begin > gold_end || gold_end > gold.columns->sentences() || test_begin > test_end ||
      test_end > test.columns->sentences())
    throw nb::value_error("a unit has sentences that are not there");
  return {gold_begin, gold_end, test_begin, test_end};
}

}  // namespace

void bind_dependencies(nb::module_& module) {
  bind_enum<ConlluFault>(module, "ConlluFault");
  bind_enum<DependencyKeys>(module, "DependencyName");
  bind_enum<DependencyText>(module, "DependencyText");

  nb::class_<Dependencies>(module, "Dependencies")
      .def("__len__", [](const Dependencies& self) { return self.columns->sentences(); })
      .def("token_count", [](const Dependencies& self) { return self.columns->tokens(); })
      .def("word_count", [](const Dependencies& self) { return self.columns->words(); })
      .def("line", [](const Dependencies& self, size_t sentence) { return self.columns->line[self.at(sentence)]; })
      .def("length",
           [](const Dependencies& self, size_t sentence) {
             return self.columns->sentence_word[self.at(sentence) + 1] - self.columns->sentence_word[sentence];
           })
      .def("forms", [](const Dependencies& self) { return names_of(self.columns->forms); })
      .def("names", [](const Dependencies& self) { return names_of(self.columns->names); })
      .def("words", words_of)
      .def("tokens", tokens_of)
      .def("token_forms", [](const Dependencies& self) {
        const std::vector<uint32_t>& forms = self.columns->token_form;
        return as_bytes({reinterpret_cast<const char*>(forms.data()), forms.size() * sizeof(uint32_t)});
      });

  module.def(
      "read_conllu",
      [](BufferObject source, bool many_roots, bool empty_nodes,
         bool with_edges) -> TupleOf<Dependencies, ListOf<TupleOf<int, size_t, size_t, size_t>>> {
        const Buffer text(source);
        std::vector<ConlluProblem> found;
        DependencyColumns columns = released(
            nullptr, [&](Progress&) { return read_conllu(text.text(), {many_roots, empty_nodes, with_edges}, found); });
        nb::list problems;
        for (const ConlluProblem& problem : found)
          problems.append(
              nb::make_tuple(static_cast<int>(problem.fault), problem.line, problem.sentence, problem.number));
        return nb::make_tuple(Dependencies{std::make_shared<const DependencyColumns>(std::move(columns))}, problems);
      },
      "text"_a, "many_roots"_a, "empty_nodes"_a, "with_edges"_a);

  nb::class_<TreeHeads>(module, "TreeHeads")
      .def(
          "__init__",
          [](TreeHeads* self, std::vector<int32_t> category, const nb::bytes& phrase_flags, const nb::bytes& tag_flags,
             int32_t root, int32_t no_tag, const NumberedRules& heads, const NumberedGroups& default_head,
             const std::vector<int32_t>& conjunctions, bool functions) {
            new (self) TreeHeads;
            self->functions = functions;
            self->category = std::move(category);
            const std::string_view phrases = view(phrase_flags), tags = view(tag_flags);
            constexpr uint8_t kKnown = SpeechTree::kVoid | SpeechTree::kSkipped | SpeechTree::kOuter;
            for (const std::string_view flags : {phrases, tags})
              for (const char own : flags)
                if ((static_cast<uint8_t>(own) & ~kKnown) != 0) throw nb::value_error("a flag that means nothing here");
            self->phrase_flags.assign(phrases.begin(), phrases.end());
            self->tag_flags.assign(tags.begin(), tags.end());
            self->root = root;
            self->no_tag = no_tag;
            self->rules = head_rules_of(heads, default_head, conjunctions);
          },
          nb::kw_only(), "category"_a, "phrase_flags"_a, "tag_flags"_a, "root"_a, "no_tag"_a, "heads"_a,
          "default_head"_a, "conjunctions"_a, "functions"_a);

  module.def(
      "tree_dependencies",
      [](const Trees& trees, const TreeHeads& heads) {
        const size_t size = trees.columns->vocabulary().size();
        if (heads.category.size() < size || heads.phrase_flags.size() < size || heads.tag_flags.size() < size)
          throw nb::value_error("the rules do not cover the vocabulary of the trees");
        return Dependencies{std::make_shared<const DependencyColumns>(released(
            nullptr, [&](Progress&) { return dependencies_of(*trees.columns, trees.begin, trees.end, heads); }))};
      },
      "trees"_a, "heads"_a);

  nb::class_<DependencyKeys>(module, "DependencyKeys")
      .def(
          "__init__",
          [](DependencyKeys* self, NumbersObject characters, NumbersObject begin, NumbersObject form,
             NumbersObject name, NumbersObject feats, NumbersObject relation, NumbersObject edge_type,
             NumbersObject kind) {
            new (self) DependencyKeys;
            self->characters.characters = numbers_in<uint32_t>(characters);
            self->characters.begin = numbers_in<uint64_t>(begin);
            self->form = numbers_in<uint32_t>(form);
            self->name = numbers_in<uint32_t>(name);
            self->feats = numbers_in<uint32_t>(feats);
            self->relation = numbers_in<uint32_t>(relation);
            self->edge_type = numbers_in<uint32_t>(edge_type);
            self->kind = numbers_in<uint8_t>(kind);
          },
          nb::kw_only(), "characters"_a, "begin"_a, "form"_a, "name"_a, "feats"_a, "relation"_a, "edge_type"_a,
          "kind"_a);

  module.def(
      "first_difference",
      [](const Dependencies& gold, const DependencyKeys& gold_keys, const Dependencies& test,
         const DependencyKeys& test_keys) -> std::optional<Difference> {
        check_keys(gold, gold_keys);
        check_keys(test, test_keys);
        const std::optional<TextDifference> found =
            first_difference({*gold.columns, gold_keys}, {*test.columns, test_keys});
        if (!found) return std::nullopt;
        return Difference(found->character, found->sentence[0], found->sentence[1], found->rest[0], found->rest[1]);
      },
      "gold"_a, "gold_keys"_a, "test"_a, "test_keys"_a);

  module.def(
      "dependency_rows",
      [](const Dependencies& gold, const DependencyKeys& gold_keys, const Dependencies& test,
         const DependencyKeys& test_keys, const UnitTuples& ranges, unsigned threads, Progress* progress) {
        check_keys(gold, gold_keys);
        check_keys(test, test_keys);
        std::vector<DependencyUnit> units;
        for (const auto& range : ranges) {
          units.push_back(unit_of(range, gold, test));
          if (units.back().gold_begin != (units.size() == 1 ? 0 : units[units.size() - 2].gold_end))
            throw nb::value_error("the units must have all gold sentences in order");
        }
        if ((units.empty() ? 0 : units.back().gold_end) != gold.columns->sentences())
          throw nb::value_error("the units must have all gold sentences in order");
        const auto [out, blank] = blank_rows<DependencyRow>(gold.columns->sentences());
        released(progress, [&, &columns = blank](Progress& seen) {
          score_dependencies({*gold.columns, gold_keys}, {*test.columns, test_keys}, units, threads, columns, &seen);
        });
        return out;
      },
      "gold"_a, "gold_keys"_a, "test"_a, "test_keys"_a, "units"_a, "threads"_a, "progress"_a.none() = nb::none());

  module.def(
      "aligned_dependencies",
      [](const Dependencies& gold, const DependencyKeys& gold_keys, const Dependencies& test,
         const DependencyKeys& test_keys) {
        check_keys(gold, gold_keys);
        check_keys(test, test_keys);
        return aligned_words({*gold.columns, gold_keys}, {*test.columns, test_keys},
                             {0, gold.columns->sentences(), 0, test.columns->sentences()});
      },
      "gold"_a, "gold_keys"_a, "test"_a, "test_keys"_a);
}

}  // namespace treescore::python
