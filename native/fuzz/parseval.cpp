// PARSEVAL: counts are those of a plain count over the brackets that are compared; and what builds on it.
#include "../parseval.hpp"

#include <map>

#include "../breakdown.hpp"
#include "../functions.hpp"
#include "../leaf_positions.hpp"
#include "../verdicts.hpp"
#include "fuzz.hpp"

using namespace treescore;
using namespace treescore::fuzz;

namespace {

using Key = std::tuple<int32_t, int32_t, uint32_t>;

int64_t common(std::span<const Bracket> gold, std::span<const Bracket> test, bool labelled) {
  std::map<Key, std::pair<int64_t, int64_t>> counts;
  for (const Bracket& bracket : gold) ++counts[{bracket.start, bracket.end, labelled ? bracket.key : 0}].first;
  for (const Bracket& bracket : test) ++counts[{bracket.start, bracket.end, labelled ? bracket.key : 0}].second;
  int64_t sum = 0;
  for (const auto& [key, sides] : counts) sum += std::min(sides.first, sides.second);
  return sum;
}

int64_t crossing(std::span<const Bracket> gold, std::span<const Bracket> test) {
  const auto crosses = [](const Bracket& a, const Bracket& b) {
    return (a.start < b.start && b.start < a.end && a.end < b.end) ||
           (b.start < a.start && a.start < b.end && b.end < a.end);
  };
  return std::count_if(test.begin(), test.end(), [&](const Bracket& bracket) {
    return std::any_of(gold.begin(), gold.end(), [&](const Bracket& other) { return crosses(bracket, other); });
  });
}

ParsevalRules rules_of(Input& options, const Vocabulary& names) {
  ParsevalRules rules;
  rules.gold = rules.test = side_rules(names, options.byte());
  const uint8_t flags = options.byte(), more = options.byte();
  rules.labelled = (flags & 1) == 0;
  rules.delete_by_gold = (flags & 2) != 0;
  rules.may_be_kept_words = (flags & 4) != 0;
  rules.only_gaps = (flags & 8) != 0;
  rules.unwrap = (flags & 16) != 0;
  rules.overlook_length = (flags & 32) != 0;
  rules.score_faulty = (flags & 64) != 0;
  rules.label_root = (flags & 128) != 0;
  rules.word_comparison = (more & 1) != 0 ? WordComparison::kAny : WordComparison::kSame;
  rules.root = static_cast<RootRule>(more / 2 % 3);
  rules.duplicates = static_cast<Duplicates>(more / 8 % 4);
  rules.empty = static_cast<EmptyRule>(more / 32 % 3);
  rules.lengths = static_cast<Lengths>(options.below(3));
  rules.least_width = static_cast<int32_t>(options.below(3));
  rules.label_members = rules.duplicates == Duplicates::kMembers;
  return rules;
}

void check_row(ParsevalScorer& scorer, const ParsevalRow& row, const ParsevalRules& rules) {
  check_outcome(row);
  if (!row.valid) return;
  require(row.matched <= row.unlabelled && row.unlabelled <= std::min(row.gold, row.test),
          "no more brackets match than there are");
  require(row.crossing <= row.test, "no more brackets cross than there are");
  const auto sides = scorer.compared();
  if (rules.duplicates != Duplicates::kKeep) return;
  require(row.gold == std::ssize(sides[0].brackets) && row.test == std::ssize(sides[1].brackets),
          "the brackets that are compared are those that are counted");
  require(row.matched == common(sides[0].brackets, sides[1].brackets, true), "matched brackets are those in common");
  require(row.unlabelled == common(sides[0].brackets, sides[1].brackets, false), "the same without labels");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  Input options = options_of(data, size);
  const Form form = static_cast<Form>(options.below(3));
  const Pairs pairs = read_pairs(text_of(data, size), form);
  const Columns& trees = *pairs.trees;
  const ParsevalRules rules = rules_of(options, trees.vocabulary());
  BreakdownRules tables{rules, {}, {}};
  FunctionRules functions{rules, {}, {}};
  for (uint32_t id = 0; id < trees.vocabulary().size(); ++id) {
    tables.label_class.push_back(id);
    tables.tag_class.push_back(id);
    functions.gold.key.push_back(id);
    functions.gold.in_label.push_back({id});
  }
  functions.test = functions.gold;
  ParsevalScorer scorer(rules);
  FunctionScorer function_scorer(functions);
  BreakdownCounter counter(tables, [] {});
  std::vector<LabelCount> by_label;
  std::vector<FunctionCount> by_function;
  for (size_t pair = 0; pair < pairs.size(); ++pair) {
    const size_t gold = Pairs::gold(pair), test = Pairs::test(pair);
    const ParsevalRow row = scorer.score(trees, gold, trees, test);
    check_row(scorer, row, rules);
    const bool nested = trees.tree(gold).nested && trees.tree(test).nested;
    if (row.valid && rules.duplicates == Duplicates::kKeep && nested) {
      const auto sides = scorer.compared();
      require(row.crossing == crossing(sides[0].brackets, sides[1].brackets), "crossing brackets are those that cross");
    }
    if (row.valid) {
      std::vector<Verdict> verdicts;
      scorer.append_verdicts(row, verdicts);
      std::array<std::vector<uint8_t>, 2> marks;
      scorer.score(trees, gold, trees, test);
      scorer.mark_crossing(marks);
    }
    Explained explained;
    require(same_row(scorer.score(trees, gold, trees, test, &explained), row), "an explanation changes nothing");
    const ParsevalRow own = scorer.score(trees, gold, trees, gold);
    check_row(scorer, own, rules);
    const bool is_multiset = rules.duplicates == Duplicates::kKeep || rules.duplicates == Duplicates::kDrop;
    require(!own.valid || own.failed || !is_multiset || own.matched == own.gold, "a tree has its own brackets");
    scorer.add_by_label(trees, gold, trees, test, by_label);
    check_outcome(function_scorer.score(trees, gold, trees, test, &by_function));
    counter.add(trees, gold, trees, test, static_cast<int64_t>(pair));
    leaf_positions(trees, gold, trees, test, 1, rules, nullptr);
  }
  return 0;
}
