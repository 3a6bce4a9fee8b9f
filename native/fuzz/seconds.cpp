// Leaves on the axis of seconds: their times are in order and inside those of the words that were spoken.
#include "../seconds.hpp"

#include <cmath>
#include <limits>

#include "fuzz.hpp"

using namespace treescore;
using namespace treescore::fuzz;

namespace {

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

std::vector<Interval> take_times(Input& input, size_t count) {
  std::vector<Interval> times;
  double time = 0;
  for (size_t word = 0; word < count; ++word) {
    const uint8_t byte = input.byte();
    const double start = time + byte % 4 / 8.0;
    time = start + (byte == 255 ? 1e-4 : byte == 254 ? 1e12 : byte / 64.0 / 8.0 + 0.01);
    times.push_back({start, time});
  }
  return times;
}

void check_share(Input& input) {
  const std::vector<Interval> words = take_times(input, 1 + input.below(12));
  std::vector<uint32_t> weights;
  for (uint32_t count = 1 + input.below(12); count > 0; --count) weights.push_back(1 + input.below(200));
  std::vector<Interval> out(weights.size());
  if (!share_time(words, weights, out)) return;
  double last = words.front().start;
  for (const Interval& time : out) {
    require(time.start >= last && time.end > time.start, "shares follow one another");
    last = time.end;
  }
  require(last <= words.back().end && last >= words.back().end - 1e-6 * std::max(1.0, words.back().end),
          "the last share ends with the last word");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  Input options = options_of(data, size);
  std::string_view text = text_of(data, size);
  const std::string_view trees_text = take_part(text);
  Input numbers(reinterpret_cast<const uint8_t*>(text.data()), text.size());
  check_share(numbers);
  Columns trees(std::make_shared<Vocabulary>());
  read_brackets(trees_text, Layout::kLine, options.flag(), trees, nullptr);
  const LeafWords leaves(trees, 0, trees.size());
  const uint8_t silent_kinds = options.byte();
  const uint32_t keys = 1 + options.below(16);
  SpokenRules rules;
  for (uint32_t key = 0; key < keys; ++key) rules.texts.push_back(std::u32string(1 + key % 3, U'a' + key / 3));
  for (uint32_t word = 0; word < leaves.vocabulary().size(); ++word) {
    rules.key.push_back(word % keys);
    rules.weight.push_back(1 + word % 5);
    rules.is_silent.push_back((silent_kinds & 1) != 0 && word % 7 == 0);
  }
  for (uint32_t tag = 0; tag < trees.vocabulary().size(); ++tag)
    rules.silent_tag.push_back((silent_kinds & 2) != 0 && tag % 5 == 0);
  // What was spoken is the text of the leaves, sometimes with other words.
  std::vector<uint32_t> spoken;
  std::vector<SpokenBlock> blocks;
  std::vector<Interval> bounds;
  const uint32_t change = options.byte();
  for (size_t tree = 0; tree < trees.size(); ++tree) {
    const size_t begin = spoken.size();
    const TreeView view = trees.tree(tree);
    for (size_t leaf = 0; leaf < view.leaves.size(); ++leaf) {
      const uint32_t word = leaves.word(leaves.begin_of(tree) + leaf);
      if (rules.silent(view.leaves[leaf], word)) continue;
      spoken.push_back(change > 0 && spoken.size() % change == change - 1 ? change % keys : rules.key[word]);
    }
    blocks.push_back({tree, tree + 1, begin, spoken.size()});
    bounds.push_back({tree % 2 == 0 ? static_cast<double>(tree) : kUnknown, kUnknown});
  }
  const std::vector<Interval> spoken_times = take_times(numbers, spoken.size());
  std::vector<Interval> times(leaves.begin_of(trees.size()), Interval{kUnknown, kUnknown});
  const auto others = place_equal_texts(leaves, rules, blocks, {spoken, spoken_times}, times);
  require(others.size() <= blocks.size(), "no more blocks differ than there are");
  place_silent(leaves, rules, blocks, bounds, times);
  for (size_t tree = 0; tree < trees.size(); ++tree) {
    double last = -std::numeric_limits<double>::infinity();
    for (size_t leaf = leaves.begin_of(tree); leaf < leaves.begin_of(tree + 1); ++leaf) {
      if (std::isnan(times[leaf].start)) continue;
      require(times[leaf].start >= last && times[leaf].end >= times[leaf].start, "leaves follow one another");
      last = times[leaf].end;
    }
  }
  return 0;
}
