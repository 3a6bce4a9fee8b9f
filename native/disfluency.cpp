#include "disfluency.hpp"

#include <algorithm>
#include <stdexcept>
#include <tuple>

namespace treescore {
namespace {

constexpr size_t kBlock = 64;  // pairs that a thread takes at once

// In the order in which phrases open. Except for some over the same words, they are in this order already.
bool before(const Bracket& a, const Bracket& b) {
  if (a.start != b.start) return a.start < b.start;
  return a.end != b.end ? a.end > b.end : a.key < b.key;
}

bool by_label(const Bracket& a, const Bracket& b) { return a.key != b.key ? a.key < b.key : a.start < b.start; }

bool same(const Bracket& a, const Bracket& b) { return a.key == b.key && a.start == b.start && a.end == b.end; }

// Sorts runs of words and joins those of one label that overlap, so that each word is in one of them at most.
void join(std::vector<Bracket>& runs) {
  std::sort(runs.begin(), runs.end(), by_label);
  size_t last = 0;
  for (size_t run = 1; run < runs.size(); ++run) {
    if (runs[run].key == runs[last].key && runs[run].start <= runs[last].end)
      runs[last].end = std::max(runs[last].end, runs[run].end);
    else
      runs[++last] = runs[run];
  }
  if (!runs.empty()) runs.resize(last + 1);
}

}  // namespace

void DisfluencyScorer::collect(const TreeView& tree, const Lineages& lineages, const SideRules& rules,
                               Side& side) const {
  side.runs.clear();
  side.open.clear();
  for (int32_t word = 0; word <= lineages.words(); ++word) {
    for (; static_cast<int32_t>(side.open.size()) > lineages.shared(word); side.open.pop_back()) {
      const auto [start, end, key] = side.open.back();
      if (rules_.groups[key] != 0) side.runs.push_back({start, word, key});
    }
    if (word == lineages.words()) break;
    for (const int32_t node : lineages.opened(word))
      side.open.push_back({word, word, rules.label_key[tree.nodes[static_cast<size_t>(node)].label]});
  }
  join(side.runs);
  side.phrases.clear();
  for (const Node& node : tree.nodes) {
    if (rules.label_deleted[node.label] || node.end < node.first) continue;
    side.phrases.push_back(
        {lineages.words_before(node.first), lineages.words_before(node.end), rules.label_key[node.label]});
  }
  if (!std::is_sorted(side.phrases.begin(), side.phrases.end(), before))
    std::sort(side.phrases.begin(), side.phrases.end(), before);
  side.phrases.erase(std::unique(side.phrases.begin(), side.phrases.end(), same), side.phrases.end());
}

DisfluencyScorer::Words DisfluencyScorer::count_words(uint8_t group) const {
  Words counts;
  for (const Bracket& run : gold_.runs) counts.gold += in_group(run, group) ? run.end - run.start : 0;
  for (const Bracket& run : test_.runs) counts.test += in_group(run, group) ? run.end - run.start : 0;
  auto gold = gold_.runs.begin();
  auto test = test_.runs.begin();
  while (gold != gold_.runs.end() && test != test_.runs.end()) {
    if (gold->key == test->key && in_group(*gold, group))
      counts.matched += std::max(0, std::min(gold->end, test->end) - std::max(gold->start, test->start));
    if (std::tie(gold->key, gold->end) < std::tie(test->key, test->end))
      ++gold;
    else
      ++test;
  }
  return counts;
}

void DisfluencyScorer::count_phrases(DisfluencyRow& row) const {
  const auto edits = [&](const Bracket& phrase) { return in_group(phrase, DisfluencyRules::kEdit); };
  row.all_gold = static_cast<int64_t>(gold_.phrases.size());
  row.all_test = static_cast<int64_t>(test_.phrases.size());
  row.node_gold = std::count_if(gold_.phrases.begin(), gold_.phrases.end(), edits);
  row.node_test = std::count_if(test_.phrases.begin(), test_.phrases.end(), edits);
  auto test = test_.phrases.begin();
  for (const Bracket& phrase : gold_.phrases) {
    while (test != test_.phrases.end() && before(*test, phrase)) ++test;
    if (test == test_.phrases.end() || !same(*test, phrase)) continue;
    ++row.all_matched;
    row.node_matched += edits(phrase);
  }
}

DisfluencyRow DisfluencyScorer::score(const Columns& gold, size_t gold_index, const Columns& test, size_t test_index) {
  DisfluencyRow row;
  std::array<int64_t, 2> detail{};
  try {
    row.reason = pair_.read(gold, gold_index, test, test_index, rules_, detail);
  } catch (const std::length_error&) {
    row.reason = reason::kTooComplex;
    detail[0] = reason::kMemory;
  }
  row.detail = detail[0];
  row.other_detail = detail[1];
  row.length = pair_.gold.words();
  const bool unparsed = is_unparsed(row.reason);
  row.valid = unparsed || row.reason == reason::kScored;
  row.errors = !row.valid && row.reason != reason::kBothEmpty;
  row.lost = row.reason == reason::kTooComplex;
  row.gold_faults = row.reason == reason::kGoldFault;
  row.excluded = !row.valid && !row.lost && !row.gold_faults && pair_.gold.words() == 0;
  if (row.lost || row.gold_faults || row.excluded) return row;
  pair_.set_causes(rules_, gold.vocabulary(), test.vocabulary(), row);
  collect(pair_.gold_tree, pair_.gold, rules_.gold, gold_);
  if (unparsed || pair_.test.words() == 0)
    test_ = {};
  else
    collect(pair_.test_tree, pair_.test, rules_.test, test_);
  row.failed = unparsed || !row.valid;
  DisfluencyRow counted = row;
  count_groups(counted);
  if (row.valid) row = counted;
  set_all(counted, row);
  row.exact = row.valid && !unparsed && row.matched == row.gold && row.matched == row.test;
  return row;
}

void DisfluencyScorer::count_groups(DisfluencyRow& row) const {
  const Words edited = count_words(DisfluencyRules::kEdit), disfluent = count_words(DisfluencyRules::kDisfluent);
  row.matched = edited.matched;
  row.gold = edited.gold;
  row.test = edited.test;
  row.disfluent_matched = disfluent.matched;
  row.disfluent_gold = disfluent.gold;
  row.disfluent_test = disfluent.test;
  count_phrases(row);
}

// The counts of each group on both sides, in a row that is scored or failed.
void DisfluencyScorer::set_all(const DisfluencyRow& counted, DisfluencyRow& row) {
  if (row.failed)
    set_failed(row, counted.gold, counted.test);
  else
    set_scored(row);
  row.node_gold_all = counted.node_gold;
  row.node_test_all = test_over_all(row.failed, counted.node_gold, counted.node_test);
  row.disfluent_gold_all = counted.disfluent_gold;
  row.disfluent_test_all = test_over_all(row.failed, counted.disfluent_gold, counted.disfluent_test);
  row.all_gold_all = counted.all_gold;
  row.all_test_all = test_over_all(row.failed, counted.all_gold, counted.all_test);
}

void score_all(const Columns& gold, size_t gold_begin, const Columns& test, size_t test_begin, size_t count,
               const DisfluencyRules& rules, unsigned threads, const ColumnsOf<DisfluencyRow>& columns,
               Progress* progress) {
  in_parallel(count, kBlock, threads, progress, [&](const std::function<void()>&) {
    return [&, scorer = DisfluencyScorer(rules)](size_t pair) mutable {
      write_row(scorer.score(gold, gold_begin + pair, test, test_begin + pair), pair, columns);
    };
  });
}

}  // namespace treescore
