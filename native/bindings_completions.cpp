// Completions of language models for Python.
#include <algorithm>

#include "bindings.hpp"
#include "completions.hpp"

namespace treescore::python {
namespace {

using namespace nb::literals;

// A string in UTF-8, which the string keeps; nothing for half surrogate pairs, and for other objects.
std::string_view utf8(nb::handle text) {
  if (!PyUnicode_Check(text.ptr())) return {};
  Py_ssize_t size = 0;
  const char* bytes = PyUnicode_AsUTF8AndSize(text.ptr(), &size);
  if (bytes == nullptr) {
    PyErr_Clear();
    return {};
  }
  return {bytes, static_cast<size_t>(size)};
}

void check_numbers(std::span<const int64_t> sentence_of, size_t completions, const Trees& sentences,
                   const Trees& gold) {
  if (sentence_of.size() != completions) throw nb::value_error("not one sentence for each completion");
  if (sentences.size() != gold.size()) throw nb::value_error("not one gold tree for each sentence");
  for (const int64_t number : sentence_of)
    if (number < 0 || number >= static_cast<int64_t>(sentences.size())) throw nb::index_error("no such sentence");
}

bool is_usable(const Trees& gold, size_t index, const TreeView& sentence, size_t most_nodes) {
  const TreeView tree = gold.tree(index);
  return !gold.columns->faulty(gold.begin + index) && !sentence.leaves.empty() && !tree.leaves.empty() &&
         tree.nodes.size() + tree.leaves.size() <= most_nodes;
}

bool are_in_order(const std::vector<size_t>& places, const Trees& trees) {
  if (places.size() != trees.size()) return false;
  for (size_t at = 0; at < places.size(); ++at)
    if (places[at] != trees.begin + at) return false;
  return true;
}

}  // namespace

void bind_completions(nb::module_& module) {
  bind_enum<FirstLook>(module, "FirstLook");

  // What a first look tells about each completion; and for those that are faithful the gold trees and their own.
  module.def(
      "look_at_completions",
      [](const ListOf<nb::str>& completions, const Trees& sentences, const Trees& gold, NumbersObject sentence_of,
         size_t most_nodes) -> TupleOf<nb::bytes, Trees, Trees> {
        const Numbers<int64_t> held(sentence_of);
        const std::span<const int64_t> numbers = held.all();
        check_numbers(numbers, completions.size(), sentences, gold);
        std::vector<std::string_view> texts;
        texts.reserve(completions.size());
        for (const nb::handle completion : completions) texts.push_back(utf8(completion));
        const auto [bytes, blank] = blank_bytes<FirstLook>(texts.size());
        auto trees = std::make_shared<Columns>(std::make_shared<Vocabulary>());
        const Trees gold_trees = released(nullptr, [&, &looks = blank](Progress& progress) {
          std::vector<size_t> places;
          for (size_t at = 0; at < texts.size(); ++at) {
            progress.at(at);
            const auto number = static_cast<size_t>(numbers[at]);
            const TreeView sentence = sentences.tree(number);
            looks[at] = !is_usable(gold, number, sentence, most_nodes)             ? FirstLook::kNoGold
                        : append_faithful(texts[at], sentence, most_nodes, *trees) ? FirstLook::kFaithful
                                                                                   : FirstLook::kOther;
            if (looks[at] != FirstLook::kFaithful) continue;
            trees->finish(static_cast<uint32_t>(std::min<size_t>(at + 1, kNone)));
            places.push_back(gold.begin + number);
          }
          if (are_in_order(places, gold)) return gold;
          auto copies = std::make_shared<Columns>(std::make_shared<Vocabulary>());
          copies->append_at(*gold.columns, places);
          return whole(std::move(copies));
        });
        return nb::make_tuple(bytes, gold_trees, whole(std::move(trees)));
      },
      "completions"_a, "sentences"_a, "gold"_a, "sentence_of"_a, "most_nodes"_a);

  module.def("without_traces", [](const Trees& trees) {
    if (!has_traces(*trees.columns)) return trees;
    auto out = std::make_shared<Columns>(std::make_shared<Vocabulary>());
    write_without_traces(*trees.columns, trees.begin, trees.end, *out);
    return whole(std::move(out));
  });
}

}  // namespace treescore::python
