#include "common_phrases.hpp"

#include <algorithm>
#include <stdexcept>

#include "sequences.hpp"

namespace treescore {
namespace {

// More different pairs of labels would be too many for a table.
constexpr size_t kMostPairs = size_t{1} << 22;

// A pair of different words costs more than two gaps, which leaves the longest common subsequences.
constexpr WordCosts kCommonOnly{.insertion = 1, .deletion = 1, .substitution = 3};

bool any_discontinuous(const TreeRange& trees, size_t begin, size_t end) {
  for (size_t sentence = begin; sentence < end; ++sentence)
    if (trees.tree(sentence).discontinuous) return true;
  return false;
}

}  // namespace

CommonPhrases::CommonPhrases(const TextAlignment& texts, TreeRange gold, const SideRules& gold_rules, TreeRange test,
                             const SideRules& test_rules, bool strict, Progress& progress) {
  progress.total = texts.blocks().size();
  for (size_t number = 0; number < texts.blocks().size(); ++number) {
    const Block& block = texts.blocks()[number];
    collect(texts, number, progress);
    progress.at(number);
    if (any_discontinuous(gold, block.gold_begin, block.gold_end) ||
        any_discontinuous(test, block.test_begin, block.test_end)) {
      left_out_.push_back(number);
      continue;
    }
    add_entries(texts.gold(), gold, gold_rules, block.gold_begin, block.gold_end, strict, 0);
    add_entries(texts.test(), test, test_rules, block.test_begin, block.test_end, strict, 1);
    pair_up();
  }
}

// The words of a block, and which of them are aligned.
void CommonPhrases::collect(const TextAlignment& texts, size_t number, Progress& progress) {
  const Block& block = texts.blocks()[number];
  const TextSide* sides[] = {&texts.gold(), &texts.test()};
  const uint32_t begins[] = {block.gold_begin, block.test_begin}, ends[] = {block.gold_end, block.test_end};
  for (int side = 0; side < 2; ++side) {
    const TextSide& text = *sides[side];
    words_[side].keys.clear();
    for (uint64_t word = text.sentences[begins[side]]; word < text.sentences[ends[side]]; ++word)
      if (text.kept[word])
        words_[side].keys.push_back(texts.identical() ? 0 : texts.form(text, word, texts.expanded(number)).key);
    words_[side].aligned.assign(words_[side].keys.size(), texts.identical());
    sides_[side].words += static_cast<int64_t>(words_[side].keys.size());
  }
  if (!texts.identical()) {
    size_t gold = 0, test = 0;
    for (const SegmentGroup& group : texts.groups(number)) {
      align(std::span(words_[0].keys).subspan(gold, group.gold), std::span(words_[1].keys).subspan(test, group.test),
            gold, test, progress);
      gold += group.gold;
      test += group.test;
    }
  }
  aligned_words_ += std::ranges::count(words_[0].aligned, 1);
}

// The words of a group: the longest common subsequence.
void CommonPhrases::align(std::span<const uint32_t> gold, std::span<const uint32_t> test, size_t gold_at,
                          size_t test_at, Progress& progress) {
  const auto mark = [&](size_t i, size_t j) { words_[0].aligned[gold_at + i] = words_[1].aligned[test_at + j] = 1; };
  if (gold.size() == 1 && test.size() == 1) {
    if (gold[0] == test[0]) mark(0, 0);
    return;
  }
  try {
    const WordPath path = align_words({gold, {}}, {test, {}}, kCommonOnly, {}, Ties::kEarlyGap, progress);
    for (const WordStep& step : path.steps)
      if (step.equal) mark(static_cast<size_t>(step.ref), static_cast<size_t>(step.hyp));
  } catch (const SequencesTooLong&) {
    ++hasty_groups_;
    const size_t both = std::min(gold.size(), test.size());
    size_t same = 0;
    for (; same < both && gold[same] == test[same]; ++same) mark(same, same);
    for (size_t last = 1; same + last <= both && gold[gold.size() - last] == test[test.size() - last]; ++last)
      mark(gold.size() - last, test.size() - last);
  }
}

void CommonPhrases::add_entries(const TextSide& text, const TreeRange& trees, const SideRules& rules, size_t begin,
                                size_t end, bool strict, int number) {
  PhraseSide& side = sides_[number];
  Words& words = words_[number];
  words.entries.clear();
  size_t word = 0;
  int32_t aligned = 0;
  for (size_t sentence = begin; sentence < end; ++sentence) {
    const TreeView tree = trees.tree(sentence);
    kept_before_.assign(1, 0);
    aligned_before_.assign(1, aligned);
    for (size_t leaf = 0; leaf < tree.leaves.size(); ++leaf) {
      const bool kept = text.kept[text.sentences[sentence] + leaf] != 0;
      if (kept) aligned += words.aligned[word++];
      kept_before_.push_back(kept_before_.back() + kept);
      aligned_before_.push_back(aligned);
    }
    for (size_t index = 0; index < tree.nodes.size(); ++index) {
      const Node& node = tree.nodes[index];
      const auto first = static_cast<size_t>(node.first), last = static_cast<size_t>(std::max(node.first, node.end));
      const int32_t size = kept_before_[last] - kept_before_[first];
      if (rules.label_deleted[node.label] || size == 0) continue;
      const uint32_t key = rules.label_key[node.label];
      ++side.phrases;
      if (key >= side.labels.size()) side.labels.resize(key + 1);
      ++side.labels[key].first;
      const int32_t from = aligned_before_[first], to = aligned_before_[last];
      if (from < to && (!strict || to - from == size))
        words.entries.push_back({from, to, {static_cast<uint32_t>(sentence), static_cast<int32_t>(index), key}});
    }
  }
}

// Puts phrases over the same words of both sides into classes, in order, outer phrases before inner ones.
void CommonPhrases::pair_up() {
  const auto before = [](const Entry& a, const Entry& b) {
    return a.first != b.first ? a.first < b.first : a.end > b.end;
  };
  for (Words& words : words_) std::ranges::stable_sort(words.entries, before);
  const std::vector<Entry>&gold = words_[0].entries, &test = words_[1].entries;
  for (size_t i = 0, j = 0; i < gold.size() && j < test.size();) {
    const Entry key = gold[i];
    if (before(key, test[j])) {
      ++i;
    } else if (before(test[j], key)) {
      ++j;
    } else {
      size_t* const places[] = {&i, &j};
      for (int side = 0; side < 2; ++side) {
        const std::vector<Entry>& entries = words_[side].entries;
        for (size_t& at = *places[side]; at < entries.size() && !before(key, entries[at]); ++at) {
          sides_[side].common.push_back(entries[at].place);
          ++sides_[side].labels[entries[at].place.label].second;
        }
        sides_[side].ends.push_back(static_cast<int64_t>(sides_[side].common.size()));
      }
    }
  }
}

CommonPhrases::Table CommonPhrases::by_labels() const {
  Table table;
  std::map<uint32_t, int64_t> counted[2];
  int64_t begins[2] = {0, 0};
  for (size_t number = 0; number < sides_[0].ends.size(); ++number) {
    for (int side = 0; side < 2; ++side) {
      counted[side].clear();
      for (int64_t& at = begins[side]; at < sides_[side].ends[number]; ++at)
        ++counted[side][sides_[side].common[static_cast<size_t>(at)].label];
    }
    if (counted[0].size() * counted[1].size() > kMostPairs || table.size() > kMostPairs)
      throw std::length_error("too many different pairs of labels");
    for (const auto& [gold, gold_count] : counted[0])
      for (const auto& [test, test_count] : counted[1]) table[{gold, test}] += gold_count * test_count;
  }
  return table;
}

}  // namespace treescore
