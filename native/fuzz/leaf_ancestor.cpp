// Leaf-ancestor scores: each word's score is that of a plain edit distance of its paths; and disfluencies.
#include "../leaf_ancestor.hpp"

#include <cmath>

#include "../disfluency.hpp"
#include "fuzz.hpp"

using namespace treescore;
using namespace treescore::fuzz;

namespace {

int64_t plain_distance(const std::vector<PathSymbol>& a, const std::vector<PathSymbol>& b, const PathCosts& costs) {
  std::vector<std::vector<int64_t>> table(a.size() + 1, std::vector<int64_t>(b.size() + 1));
  for (size_t i = 0; i <= a.size(); ++i)
    for (size_t j = 0; j <= b.size(); ++j) {
      int64_t best = i + j == 0 ? 0 : INT64_MAX;
      if (i > 0) best = std::min(best, table[i - 1][j] + 2);
      if (j > 0) best = std::min(best, table[i][j - 1] + 2);
      if (i > 0 && j > 0) {
        const bool same = a[i - 1] == b[j - 1], similar = a[i - 1].kind == b[j - 1].kind;
        best = std::min(best, table[i - 1][j - 1] + (same ? 0 : similar ? costs.similar : costs.other));
      }
      table[i][j] = best;
    }
  return table[a.size()][b.size()];
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  Input options = options_of(data, size);
  const Form form = static_cast<Form>(options.below(3));
  const Pairs pairs = read_pairs(text_of(data, size), form);
  const Columns& trees = *pairs.trees;
  const uint8_t choices = options.byte(), flags = options.byte();
  LeafAncestorRules rules;
  rules.gold = rules.test = side_rules(trees.vocabulary(), choices);
  rules.labelled = (flags & 1) == 0;
  rules.delete_by_gold = (flags & 2) != 0;
  rules.marks = static_cast<Marks>(flags / 4 % 3);
  rules.costs = {static_cast<int32_t>(options.below(5)), 4};
  const uint32_t kinds = 1 + options.below(8);
  for (uint32_t key = 0; key < trees.vocabulary().size(); ++key) rules.kind.push_back(key % kinds);
  DisfluencyRules disfluency{{rules.gold, rules.test, {}, rules.delete_by_gold}, {}};
  for (uint32_t key = 0; key < trees.vocabulary().size(); ++key)
    disfluency.groups.push_back(static_cast<uint8_t>(key % 4));
  LeafAncestorScorer scorer(rules);
  DisfluencyScorer disfluencies(disfluency);
  std::vector<LeafAncestorScorer::LabelSums> table;
  for (size_t pair = 0; pair < pairs.size(); ++pair) {
    const size_t gold = Pairs::gold(pair), test = Pairs::test(pair);
    const LeafAncestorRow row = scorer.score(trees, gold, trees, test);
    check_outcome(row);
    std::vector<LeafAncestorScorer::WordPaths> words;
    require(same_row(scorer.paths(trees, gold, trees, test, words), row), "showing the paths changes nothing");
    Weight sum = 0;
    for (const auto& word : words) {
      sum += word.score;
      const int64_t distance = plain_distance(word.gold, word.test, rules.costs);
      const double length = 2.0 * static_cast<double>(word.gold.size() + word.test.size());
      const double share = distance == 0 ? 1 : (length - static_cast<double>(distance)) / length;
      require(word.score == std::llround(std::ldexp(share, kWeightBits)), "a word's score is that of its paths");
    }
    require(row.failed || sum == row.word_score, "the score is the sum of those of the words");
    const LeafAncestorRow own = scorer.score(trees, gold, trees, gold);
    require(!own.valid || own.failed || own.exact == 1, "a tree has its own paths");
    scorer.add_by_label(trees, gold, trees, test, table);
    check_outcome(disfluencies.score(trees, gold, trees, test));
    disfluencies.score(trees, gold, trees, gold);
  }
  return 0;
}
