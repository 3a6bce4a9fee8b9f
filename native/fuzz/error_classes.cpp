// The errors of a parser: the steps repair the tree, and every record is as long as it says.
#include "../error_classes.hpp"

#include "fuzz.hpp"

using namespace treescore;
using namespace treescore::fuzz;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  Input options = options_of(data, size);
  const Form form = static_cast<Form>(options.below(3));
  const Pairs pairs = read_pairs(text_of(data, size), form);
  const Columns& trees = *pairs.trees;
  const uint8_t choices = options.byte();
  const uint32_t names = trees.vocabulary().size();
  ErrorRules rules{};
  for (uint32_t id = 0; id < names; ++id) {
    rules.gold_keys.push_back(id);
    const std::string_view name = trees.vocabulary().at(id);
    const uint32_t kind = name.empty() ? 0 : static_cast<uint8_t>(name.front()) % 8;
    uint8_t flags = 0;
    if ((choices & 1) != 0 && kind == 5) flags = ErrorRules::kEmpty;
    if ((choices & 2) != 0 && kind == 6) flags = ErrorRules::kPunctuation;
    if (name == "ROOT" || name == "TOP") flags = ErrorRules::kOuter;
    rules.key_flags.push_back(flags);
    rules.key_sets.push_back(uint64_t{1} << kind);
  }
  rules.test_keys = rules.gold_keys;
  for (int extra = 0; extra < 2; ++extra) {
    rules.key_flags.push_back(0);
    rules.key_sets.push_back(0);
  }
  rules.root_key = names;
  rules.no_tag_key = names + 1;
  for (uint32_t rule = options.below(6); rule > 0; --rule)
    rules.rules.push_back({static_cast<uint8_t>(1u << rule % kRepairs),
                           static_cast<uint8_t>(rule % 3),
                           {{static_cast<Place>(options.below(kPlaces)), options.below(8)}},
                           rule});
  rules.other_class = {10, 11, 12, 13};
  rules.punctuation_by_gold = (choices & 4) != 0;
  ErrorFinder finder(rules, [] {});
  for (size_t pair = 0; pair < pairs.size(); ++pair) {
    std::vector<int64_t> steps;
    const ErrorRow row = finder.find(trees, Pairs::gold(pair), trees, Pairs::test(pair), steps);
    int64_t count = 0;
    size_t at = 0;
    for (; at < steps.size(); at += static_cast<size_t>(steps[at]), ++count)
      require(
          steps[at] >= static_cast<int64_t>(kStepNumbers) && steps[at] <= std::ssize(steps) - static_cast<int64_t>(at),
          "a record is as long as it says");
    require(at == steps.size() && count == row.steps, "there are as many records as steps");
    if (row.reason == ErrorReason::kRepaired)
      require((row.steps == 0) == (row.missing + row.extra == 0), "there are steps if there are errors");
    steps.clear();
    const ErrorRow own = finder.find(trees, Pairs::gold(pair), trees, Pairs::gold(pair), steps);
    require(own.steps == 0, "a tree has no errors against itself");
    finder.compared(trees.tree(Pairs::gold(pair)), trees.tree(Pairs::test(pair)));
  }
  return 0;
}
