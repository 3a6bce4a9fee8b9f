#include "speech_score.hpp"

#include <algorithm>
#include <cstring>

#include "memory_budget.hpp"

namespace treescore {
namespace {

constexpr size_t kBlock = 4;  // units that a thread takes at once
constexpr uint32_t kRootKey = UINT32_MAX - 1, kNoKey = UINT32_MAX - 2;
constexpr std::string_view kRootWord = "TOP";  // only its presence matters

}  // namespace

void SpeechWords::add(const Columns& trees, size_t begin, size_t end, Side& side) {
  for (size_t index = begin; index < end; ++index) {
    const TreeView tree = trees.tree(index);
    side.begin.push_back(side.number.size());
    for (size_t leaf = 0; leaf < tree.leaves.size(); ++leaf) {
      const auto [at, is_new] = numbers_.try_emplace(tree.word(leaf), static_cast<uint32_t>(names.size()));
      if (is_new) names.emplace_back(tree.word(leaf));
      side.number.push_back(at->second);
    }
  }
}

SpeechScorer::SpeechScorer(const Columns& gold, size_t gold_begin, const Columns& test, size_t test_begin,
                           const SpeechWords& words, const SpeechRules& rules, std::function<void()> poll)
    : rules_(rules), gold_(gold, gold_begin, words.gold, rules.gold), test_(test, test_begin, words.test, rules.test) {
  progress_.poll = std::move(poll);
}

// ---- Trees

void SpeechScorer::build(Side& side, size_t begin, size_t end) {
  side.tree.clear();
  side.leaves.clear();
  side.keys.clear();
  side.key_at.clear();
  side.tree.add(rules_.root, SpeechTree::kDeletable);
  for (size_t index = begin; index < end; ++index)
    if (!side.trees.faulty(side.begin + index)) add_tree(side, index);
}

void SpeechScorer::add_tree(Side& side, size_t index) {
  const TreeView view = side.trees.tree(side.begin + index);
  SpeechTree& tree = side.tree;
  const int32_t sentence = tree.add(rules_.root, 0);
  tree.append(SpeechTree::kRoot, sentence);
  const auto leaf_count = static_cast<int32_t>(view.leaves.size());
  open_.clear();
  ends_.clear();
  size_t next = 0;
  int32_t nothing_until = 0;  // the end of a phrase that is left out with all its words
  for (int32_t leaf = 0; leaf < leaf_count; ++leaf) {
    for (; next < view.nodes.size() && view.nodes[next].first <= leaf; ++next) {
      const treescore::Node& phrase = view.nodes[next];
      uint8_t flags = side.rules.phrase_flags[phrase.label];
      if (phrase.end <= phrase.first) continue;
      if ((flags & SpeechTree::kVoid) != 0) nothing_until = std::max(nothing_until, phrase.end);
      const bool is_outer = phrase.parent < 0 && (flags & SpeechTree::kOuter) != 0;
      flags &= static_cast<uint8_t>(~SpeechTree::kOuter);
      if (is_outer) flags |= SpeechTree::kDeletable;
      const int32_t node = tree.add(side.rules.name[phrase.label], flags);
      tree.append(open_.empty() ? sentence : open_.back(), node);
      open_.push_back(node);
      ends_.push_back(phrase.end);
    }
    const uint32_t tag = view.leaves[static_cast<size_t>(leaf)].tag;
    const uint8_t flags = tag == kNone ? 0 : side.rules.tag_flags[tag];
    if ((flags & (SpeechTree::kDeletable | SpeechTree::kVoid)) == 0 && leaf >= nothing_until) {
      const uint32_t word = side.words.number[side.words.begin[index] + static_cast<size_t>(leaf)];
      const int32_t node = tree.add(tag == kNone ? rules_.no_tag : side.rules.name[tag],
                                    rules_.word_closed[word] ? flags | SpeechTree::kClosed : flags);
      tree[node].word = view.word(static_cast<size_t>(leaf));
      tree.append(open_.empty() ? sentence : open_.back(), node);
      side.leaves.push_back(node);
      side.keys.push_back(rules_.word_key[word]);
      side.key_at.resize(static_cast<size_t>(node) + 1);
      side.key_at[static_cast<size_t>(node)] = rules_.word_key[word];
    }
    for (; !ends_.empty() && ends_.back() <= leaf + 1; ends_.pop_back(), open_.pop_back())
      if (!tree[open_.back()].is_inner()) tree[open_.back()].flags |= SpeechTree::kVoid;
  }
  if (!tree[sentence].is_inner()) tree[sentence].flags |= SpeechTree::kVoid;
  tree.remove_marked(sentence);
  if (tree[SpeechTree::kRoot].last != sentence) return;  // nothing was left of it
  tree.normalise_edits(false, sentence);
  tree.splice(sentence);
}

// ---- Places

void SpeechScorer::set_place(Side& side, size_t leaf, int32_t place, int32_t places) {
  SpeechTree::Node& node = side.tree[side.leaves[leaf]];
  node.row = place;
  node.rows = places;
}

void SpeechScorer::place_given(const GivenPlaces& places, SpeechRow& row) {
  place_count_ = 0;
  for (Side* side : {&gold_, &test_}) {
    const std::vector<int32_t>& given = side == &gold_ ? places.gold : places.test;
    for (size_t leaf = 0; leaf < side->leaves.size(); ++leaf) {
      set_place(*side, leaf, given[2 * leaf], given[2 * leaf + 1]);
      place_count_ = std::max(place_count_, given[2 * leaf] + given[2 * leaf + 1]);
    }
  }
  std::vector<int32_t> gold_at(static_cast<size_t>(place_count_), -1);
  for (size_t leaf = 0; leaf < gold_.leaves.size(); ++leaf)
    gold_at[static_cast<size_t>(places.gold[2 * leaf])] = static_cast<int32_t>(leaf);
  for (size_t leaf = 0; leaf < test_.leaves.size(); ++leaf) {
    const int32_t partner = gold_at[static_cast<size_t>(places.test[2 * leaf])];
    if (partner < 0) continue;
    const bool equal = gold_.keys[static_cast<size_t>(partner)] == test_.keys[leaf];
    ++(equal ? row.correct : row.substituted);
  }
}

void SpeechScorer::place_aligned(SpeechRow& row) {
  if (gold_.keys == test_.keys) {
    place_count_ = static_cast<int32_t>(gold_.keys.size());
    row.correct = place_count_;
    for (int32_t leaf = 0; leaf < place_count_; ++leaf)
      for (Side* side : {&gold_, &test_}) set_place(*side, static_cast<size_t>(leaf), leaf);
    return;
  }
  const WordPath path = align_words({gold_.keys, {}}, {test_.keys, {}}, rules_.costs, {}, Ties::kEarlyGap, progress_);
  place_count_ = static_cast<int32_t>(path.steps.size());
  for (int32_t place = 0; place < place_count_; ++place) {
    const WordStep& step = path.steps[static_cast<size_t>(place)];
    if (step.ref >= 0) set_place(gold_, static_cast<size_t>(step.ref), place);
    if (step.hyp >= 0) set_place(test_, static_cast<size_t>(step.hyp), place);
    if (step.ref >= 0 && step.hyp >= 0) ++(step.equal ? row.correct : row.substituted);
  }
}

// ---- Counts

void SpeechScorer::count_brackets(SpeechRow& row) {
  if (rules_.common_spans) {
    common_.assign(static_cast<size_t>(place_count_), 0);
    for (const auto& [side, bit] : {std::pair(&gold_, uint8_t{1}), std::pair(&test_, uint8_t{2})})
      for (const int32_t leaf : side->leaves) {
        const SpeechTree::Node& node = side->tree[leaf];
        for (int32_t place = node.row; place < node.row + node.rows; ++place)
          common_[static_cast<size_t>(place)] |= bit;
      }
    for (uint8_t& both : common_) both = both == 3;
  }
  uint32_t unmatched = kNoKey;
  for (Side* side : {&gold_, &test_}) {
    if (rules_.common_spans)
      side->tree.set_common_spans(common_);
    else
      side->tree.set_spans();
    side->brackets.clear();
    side->tree.append_brackets(true, side->brackets);
    size_t next = 0;
    for (Bracket& bracket : side->brackets) bracket.key = rules_.labelled ? rules_.key[bracket.key] : 0;
    if (!rules_.common_spans) continue;
    // A node without a word in common with the other side matches nothing.
    for (int32_t node = SpeechTree::kRoot; node >= 0; node = side->tree.next_opening(node)) {
      const SpeechTree::Node& phrase = side->tree[node];
      if (phrase.has_word() || !phrase.is_inner() || phrase.is(SpeechTree::kDeletable) || phrase.start >= phrase.end)
        continue;
      if (phrase.is(SpeechTree::kVoid)) side->brackets[next].key = unmatched;
      ++next;
    }
    --unmatched;
  }
  const BracketMatcher::Result found = brackets_.count(gold_.brackets, test_.brackets, {}, true);
  row.matched = found.matched;
  row.crossing = found.crossing;
  row.gold = static_cast<int64_t>(gold_.brackets.size());
  row.test = static_cast<int64_t>(test_.brackets.size());
}

// Equal dependencies get equal numbers.
void SpeechScorer::number_dependencies(Side& side) {
  side.ids.clear();
  side.open_ids.clear();
  for (const Dependency& dependency : side.dependencies) {
    const auto label = [&](int32_t name) { return rules_.labelled ? rules_.key[static_cast<size_t>(name)] : 0; };
    const uint32_t governor =
        dependency.governor < 0 ? kRootKey : side.key_at[static_cast<size_t>(dependency.governor)];
    const std::array<uint32_t, 4> parts{side.key_at[static_cast<size_t>(dependency.leaf)], governor,
                                        label(dependency.mother), label(dependency.child)};
    std::string text(sizeof(parts), '\0');
    std::memcpy(text.data(), parts.data(), sizeof(parts));
    const auto id = dependency_ids_.try_emplace(std::move(text), static_cast<uint32_t>(dependency_ids_.size()));
    side.ids.push_back(id.first->second);
    if (dependency.open) side.open_ids.push_back(id.first->second);
  }
}

void SpeechScorer::count_dependencies(SpeechRow& row) {
  if (!rules_.has_heads) return;
  dependency_ids_.clear();
  for (Side* side : {&gold_, &test_}) {
    find_heads(side->tree, rules_.heads, !rules_.bag, true);
    side->dependencies.clear();
    (rules_.bag ? dependencies_in_sequence : dependencies_by_position)(side->tree, kRootWord, side->dependencies);
    number_dependencies(*side);
  }
  row.head_gold = static_cast<int64_t>(gold_.ids.size());
  row.head_test = static_cast<int64_t>(test_.ids.size());
  row.open_gold = static_cast<int64_t>(gold_.open_ids.size());
  row.open_test = static_cast<int64_t>(test_.open_ids.size());
  if (rules_.bag) {
    row.head_matched = static_cast<int64_t>(lcs_length(gold_.ids, test_.ids, progress_));
    row.open_matched = static_cast<int64_t>(lcs_length(gold_.open_ids, test_.open_ids, progress_));
    return;
  }
  at_.assign(static_cast<size_t>(place_count_), -1);
  for (size_t k = 0; k < gold_.dependencies.size(); ++k)
    at_[static_cast<size_t>(gold_.dependencies[k].position)] = static_cast<int32_t>(k);
  const auto place_of = [](const Side& side, int32_t leaf) { return leaf < 0 ? -1 : side.tree[leaf].row; };
  for (size_t k = 0; k < test_.dependencies.size(); ++k) {
    const Dependency& found = test_.dependencies[k];
    const int32_t other = at_[static_cast<size_t>(found.position)];
    if (other < 0 || gold_.ids[static_cast<size_t>(other)] != test_.ids[k]) continue;
    const Dependency& wanted = gold_.dependencies[static_cast<size_t>(other)];
    if (rules_.same_head && place_of(gold_, wanted.governor) != place_of(test_, found.governor)) continue;
    ++row.head_matched;
    row.open_matched += wanted.open && found.open;
  }
}

void set_speech_outcome(const SpeechRow& counted, bool failed, SpeechRow& row) {
  row.failed = failed;
  row.failed_gold = failed ? counted.gold : 0;
  row.gold_all = counted.gold;
  row.test_all = test_over_all(failed, counted.gold, counted.test);
  row.head_gold_all = counted.head_gold;
  row.head_test_all = test_over_all(failed, counted.head_gold, counted.head_test);
  row.open_gold_all = counted.open_gold;
  row.open_test_all = test_over_all(failed, counted.open_gold, counted.open_test);
  row.words_all = counted.correct + counted.substituted + counted.deleted;
}

SpeechRow SpeechScorer::score(const SpeechUnit& unit, const GivenPlaces* places) {
  SpeechRow row;
  const auto crosses = [](const Side& side, size_t begin, size_t end) {
    for (size_t index = begin; index < end; ++index)
      if (!side.trees.tree(side.begin + index).nested) return true;
    return false;
  };
  bool gold_readable = unit.gold_begin == unit.gold_end;
  for (size_t index = unit.gold_begin; index < unit.gold_end; ++index)
    gold_readable = gold_readable || !gold_.trees.faulty(gold_.begin + index);
  if (!gold_readable) {
    row.reason = reason::kGoldFault;
  } else if (crosses(gold_, unit.gold_begin, unit.gold_end) || crosses(test_, unit.test_begin, unit.test_end)) {
    row.reason = reason::kCrossing;
  }
  if (row.reason != reason::kScored) {
    row.errors = 1;
    row.gold_faults = !gold_readable || crosses(gold_, unit.gold_begin, unit.gold_end);
    if (!row.gold_faults) {
      const SpeechRow alone = score_built({unit.gold_begin, unit.gold_end, unit.test_begin, unit.test_begin}, nullptr);
      row.lost = alone.lost;
      if (!row.lost) set_speech_outcome(alone, true, row);
    }
    return row;
  }
  return score_built(unit, places);
}

namespace {

SpeechRow refused() {
  SpeechRow row;
  row.reason = reason::kTooComplex;
  row.errors = row.lost = 1;
  return row;
}

}  // namespace

SpeechRow SpeechScorer::score_built(const SpeechUnit& unit, const GivenPlaces* places) {
  SpeechRow row;
  build(gold_, unit.gold_begin, unit.gold_end);
  build(test_, unit.test_begin, unit.test_end);
  row.length = static_cast<int64_t>(gold_.leaves.size());
  const auto test_length = static_cast<int64_t>(test_.leaves.size());
  if (places && (places->gold.size() != 2 * gold_.leaves.size() || places->test.size() != 2 * test_.leaves.size()))
    throw std::invalid_argument("not one place for each word");
  if (row.length == 0 || test_length == 0)
    row.reason = row.length > 0 ? reason::kEmptyTest : test_length > 0 ? reason::kEmptyGold : reason::kBothEmpty;
  try {
    if (places)
      place_given(*places, row);
    else
      place_aligned(row);
    if (!rules_.bag) count_brackets(row);
    count_dependencies(row);
  } catch (const SequencesTooLong&) {
    return refused();
  } catch (const MemoryClaim::NeverFits&) {
    return refused();
  }
  row.valid = 1;
  row.deleted = row.length - row.correct - row.substituted;
  row.inserted = test_length - row.correct - row.substituted;
  row.exact = row.matched == row.gold && row.matched == row.test && row.deleted + row.inserted + row.substituted == 0;
  set_speech_outcome(row, row.reason == reason::kEmptyTest, row);
  return row;
}

void score_units(const Columns& gold, size_t gold_begin, const Columns& test, size_t test_begin,
                 const std::vector<SpeechUnit>& units, const std::vector<GivenPlaces>& places, const SpeechWords& words,
                 const SpeechRules& rules, unsigned threads, const ColumnsOf<SpeechRow>& columns, Progress* progress) {
  in_parallel(units.size(), kBlock, threads, progress, [&](const std::function<void()>& poll) {
    return [&, scorer = std::make_unique<SpeechScorer>(gold, gold_begin, test, test_begin, words, rules, poll)](
               size_t unit) {
      write_row(scorer->score(units[unit], places.empty() ? nullptr : &places[unit]), unit, columns);
    };
  });
}

}  // namespace treescore
