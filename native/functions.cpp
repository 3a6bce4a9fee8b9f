#include "functions.hpp"

#include <algorithm>

namespace treescore {

// Where functions are kept apart, labels are used as they are.
void FunctionScorer::find(const FunctionNames& names, std::span<const uint32_t> apart, size_t place, uint32_t label,
                          bool kept_apart, std::vector<uint32_t>& out) {
  out.clear();
  if (kept_apart) {
    if (apart[place] != kNone) out.push_back(names.key[apart[place]]);
  } else if (label != kNone) {
    out = names.in_label[label];
  }
}

// All functions of one side, on brackets that count and words that are kept.
void FunctionScorer::find_all(const FunctionNames& names, const TreeView& tree, bool kept_apart,
                              const ParsevalScorer::Compared& side, std::vector<uint32_t>& out) {
  std::vector<uint32_t> here;
  for (const uint32_t node : side.nodes) {
    find(names, tree.node_functions, node, tree.nodes[node].label, kept_apart, here);
    out.insert(out.end(), here.begin(), here.end());
  }
  for (const uint32_t leaf : side.kept) {
    find(names, tree.leaf_functions, leaf, tree.leaves[leaf].tag, kept_apart, here);
    out.insert(out.end(), here.begin(), here.end());
  }
}

void FunctionScorer::compare(FunctionRow& row, std::vector<FunctionCount>* table) {
  const auto count = [&](uint32_t key, int64_t FunctionCount::* what) {
    if (!table) return;
    if (key >= table->size()) table->resize(key + 1);
    ++((*table)[key].*what);
  };
  row.gold += static_cast<int64_t>(gold_.size());
  row.test += static_cast<int64_t>(test_.size());
  for (const uint32_t key : test_) {
    count(key, &FunctionCount::test);
    count(key, &FunctionCount::test_all);
  }
  for (const uint32_t key : gold_) {
    count(key, &FunctionCount::gold);
    count(key, &FunctionCount::gold_all);
    const auto found = std::find(test_.begin(), test_.end(), key);
    if (found == test_.end()) continue;
    test_.erase(found);
    ++row.matched;
    count(key, &FunctionCount::matched);
  }
}

FunctionRow FunctionScorer::score(const Columns& gold, size_t gold_index, const Columns& test, size_t test_index,
                                  std::vector<FunctionCount>* table) {
  explained_ = {};
  const ParsevalRow brackets = brackets_.score(gold, gold_index, test, test_index, &explained_);
  FunctionRow row;
  row.reason = brackets.reason;
  row.status = brackets.status;
  row.valid = brackets.valid;
  row.errors = brackets.errors;
  row.skipped = brackets.skipped;
  row.length = brackets.length;
  row.detail_a = brackets.detail_a;
  row.detail_b = brackets.detail_b;
  row.excluded = brackets.excluded;
  row.gold_faults = brackets.gold_faults;
#define TREESCORE_COPY(name, ...) row.name = brackets.name;
  TREESCORE_CAUSE_COLUMNS(TREESCORE_COPY)
#undef TREESCORE_COPY
  // If labels are compared, the partner of a phrase with functions is never an outer bracket.
  row.outer_differs = brackets.outer_differs && !rules_.brackets.gold.labelled;
  if (brackets.failed) {
    const auto [gold_side, test_side] = brackets_.failed_sides();
    const TreeView gold_tree = gold.tree(gold_index), test_tree = test.tree(test_index);
    std::vector<uint32_t> of_gold, of_test;
    find_all(rules_.gold, gold_tree, gold.has_functions(gold_index), gold_side, of_gold);
    find_all(rules_.test, test_tree, test.has_functions(test_index), test_side, of_test);
    set_failed(row, std::ssize(of_gold), std::ssize(of_test));
    if (table) add_failed(of_gold, of_test, *table);
  }
  if (!row.valid) return row;
  const TreeView gold_tree = gold.tree(gold_index), test_tree = test.tree(test_index);
  const bool gold_apart = gold.has_functions(gold_index), test_apart = test.has_functions(test_index);
  for (size_t phrase = 0; phrase < explained_.phrases[0].size(); ++phrase) {
    if (explained_.phrases[0][phrase].result != 1) continue;
    const auto partner = static_cast<size_t>(explained_.phrases[0][phrase].partner);
    find(rules_.gold, gold_tree.node_functions, phrase, gold_tree.nodes[phrase].label, gold_apart, gold_);
    find(rules_.test, test_tree.node_functions, partner, test_tree.nodes[partner].label, test_apart, test_);
    compare(row, table);
  }
  for (size_t word = 0; word < explained_.words[0].size(); ++word) {
    if (explained_.words[0][word].result != 1) continue;
    const uint32_t leaf = explained_.words[0][word].leaf, partner = explained_.words[1][word].leaf;
    find(rules_.gold, gold_tree.leaf_functions, leaf, gold_tree.leaves[leaf].tag, gold_apart, gold_);
    find(rules_.test, test_tree.leaf_functions, partner, test_tree.leaves[partner].tag, test_apart, test_);
    compare(row, table);
  }
  row.exact = row.matched == row.gold && row.matched == row.test;
  set_scored(row);
  return row;
}

void score_all(const Columns& gold, size_t gold_begin, const Columns& test, size_t test_begin, size_t count,
               const FunctionRules& rules, unsigned threads, const ColumnsOf<FunctionRow>& columns,
               Progress* progress) {
  in_parallel(count, 64, threads, progress, [&](const std::function<void()>&) {
    return [&, scorer = FunctionScorer(rules)](size_t pair) mutable {
      write_row(scorer.score(gold, gold_begin + pair, test, test_begin + pair), pair, columns);
    };
  });
}

}  // namespace treescore
