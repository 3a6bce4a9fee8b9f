// Trees on the axis of seconds, for Python. Times are passed and returned as buffers of numbers, two for each leaf or
// word.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <optional>

#include "bindings.hpp"
#include "seconds.hpp"

namespace treescore::python {
namespace {

using namespace nb::literals;

// The trees are kept alive.
struct Leaves {
  Trees trees;
  LeafWords words;

  explicit Leaves(Trees of) : trees(std::move(of)), words(*trees.columns, trees.begin, trees.end) {}
};

std::span<const SpokenBlock> blocks_of(const Numbers<SpokenBlock>& given, const Leaves& leaves, size_t words) {
  for (const SpokenBlock& block : given.all())
    if (block.tree_begin > block.tree_end || block.tree_end > leaves.words.size() ||
        block.word_begin > block.word_end || block.word_end > words)
      throw nb::value_error("a block of trees or words that are not there");
  return given.all();
}

void check_rules(const Leaves& leaves, const SpokenRules& rules) {
  const size_t words = leaves.words.vocabulary().size();
  if (rules.key.size() != words || rules.weight.size() != words || rules.is_silent.size() != words ||
      rules.silent_tag.size() < leaves.trees.columns->vocabulary().size())
    throw nb::value_error("the rules do not cover the words and tags of the trees");
}

size_t leaf_count(const Leaves& leaves) { return leaves.words.begin_of(leaves.words.size()); }

std::pair<nb::bytes, std::vector<size_t>> place(const Leaves& self, const SpokenRules& rules, NumbersObject blocks,
                                                NumbersObject keys, NumbersObject times) {
  const Numbers<SpokenBlock> held_blocks(blocks);
  const Numbers<uint32_t> held_keys(keys);
  const Numbers<Interval> held_times(times);
  const SpokenWords words{held_keys.all(), held_times.all()};
  if (words.keys.size() != words.times.size()) throw nb::value_error("not one interval for each word");
  for (const uint32_t key : words.keys)
    if (key >= rules.texts.size()) throw nb::value_error("a word without a text");
  check_rules(self, rules);
  const auto all = blocks_of(held_blocks, self, words.keys.size());
  constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
  const auto [out, found] = blank_bytes<Interval>(leaf_count(self));
  std::fill_n(found, leaf_count(self), Interval{kUnknown, kUnknown});
  std::vector<size_t> others;
  released(nullptr, [&, places = found](Progress&) {
    others = place_equal_texts(self.words, rules, all, words, {places, leaf_count(self)});
  });
  return {out, others};
}

nb::bytes with_silent(const Leaves& self, const SpokenRules& rules, NumbersObject blocks, NumbersObject bounds,
                      NumbersObject times) {
  const Numbers<SpokenBlock> held_blocks(blocks);
  const Numbers<Interval> held_bounds(bounds), held_times(times);
  check_rules(self, rules);
  const auto all = blocks_of(held_blocks, self, std::numeric_limits<size_t>::max());
  if (held_bounds.all().size() != all.size() || held_times.all().size() != leaf_count(self))
    throw nb::value_error("not one interval for each block and for each leaf");
  const auto [out, found] = blank_bytes<Interval>(leaf_count(self));
  std::ranges::copy(held_times.all(), found);
  place_silent(self.words, rules, all, held_bounds.all(), {found, leaf_count(self)});
  return out;
}

std::optional<std::vector<std::pair<double, double>>> shared(const std::vector<std::pair<double, double>>& words,
                                                             const std::vector<uint32_t>& weights) {
  if (words.empty() || weights.empty()) throw nb::value_error("words and weights are needed");
  std::vector<Interval> spoken, found(weights.size());
  for (const auto& [start, end] : words) spoken.push_back({start, end});
  if (!share_time(spoken, weights, found)) return std::nullopt;
  std::vector<std::pair<double, double>> out;
  for (const auto& [start, end] : found) out.emplace_back(start, end);
  return out;
}

}  // namespace

void bind_seconds(nb::module_& module) {
  nb::class_<SpokenRules>(module, "SpokenRules")
      .def(
          "__init__",
          [](SpokenRules* self, std::vector<uint32_t> key, std::vector<uint32_t> weight, const nb::bytes& silent,
             const nb::bytes& silent_tags, const ListOf<nb::str>& key_texts) {
            new (self) SpokenRules{std::move(key), std::move(weight), {}, {}, texts(key_texts)};
            const std::string_view words = view(silent), tags = view(silent_tags);
            self->is_silent.assign(words.begin(), words.end());
            self->silent_tag.assign(tags.begin(), tags.end());
            for (const uint32_t number : self->key)
              if (number >= self->texts.size()) throw nb::value_error("a word without a text");
          },
          nb::kw_only(), "keys"_a, "weights"_a, "silent"_a, "silent_tags"_a, "texts"_a);
  nb::class_<Leaves>(module, "LeafWords")
      .def(nb::init<Trees>(), "trees"_a)
      .def("names",
           [](const Leaves& self) -> ListOf<nb::bytes> {
             nb::list out;
             const Vocabulary& vocabulary = self.words.vocabulary();
             for (uint32_t word = 0; word < vocabulary.size(); ++word) out.append(as_bytes(vocabulary.at(word)));
             return out;
           })
      .def("begin_of",
           [](const Leaves& self, size_t tree) {
             if (tree > self.words.size()) throw nb::index_error("no such tree");
             return self.words.begin_of(tree);
           })
      .def("place", place, "rules"_a, "blocks"_a, "keys"_a, "times"_a)
      .def("with_silent", with_silent, "rules"_a, "blocks"_a, "bounds"_a, "times"_a);
  module.def("share_time", shared, "words"_a, "weights"_a);
}

}  // namespace treescore::python
