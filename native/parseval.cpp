#include "parseval.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>

#include "fixed_point.hpp"

namespace treescore {
namespace {

bool by_span_and_key(const Bracket& a, const Bracket& b) {
  if (a.start != b.start) return a.start < b.start;
  if (a.end != b.end) return a.end > b.end;
  return a.key < b.key;
}

bool same_bracket(const Bracket& a, const Bracket& b) { return a.start == b.start && a.end == b.end && a.key == b.key; }

// Brackets of a tree are sorted by their spans as they open, so that only those of equal spans have to be sorted.
void make_set(std::vector<Bracket>& brackets) {
  const auto by_span = [](const Bracket& a, const Bracket& b) {
    return a.start != b.start ? a.start < b.start : a.end > b.end;
  };
  if (!std::is_sorted(brackets.begin(), brackets.end(), by_span))
    std::stable_sort(brackets.begin(), brackets.end(), by_span);
  const auto by_key = [](const Bracket& a, const Bracket& b) { return a.key < b.key; };
  auto out = brackets.begin();
  for (auto group = brackets.begin(); group != brackets.end();) {
    auto end = group + 1;
    while (end != brackets.end() && end->start == group->start && end->end == group->end) ++end;
    if (end - group > 1) std::sort(group, end, by_key);
    const Bracket* last = nullptr;
    for (; group != end; ++group) {
      if (last && last->key == group->key) continue;
      *out = *group;
      last = &*out++;
    }
  }
  brackets.erase(out, brackets.end());
}

std::vector<Bracket> as_set(std::vector<Bracket> brackets) {
  make_set(brackets);
  return brackets;
}

int64_t members(const std::vector<Bracket>& list, const std::vector<Bracket>& set) {
  int64_t found = 0;
  auto place = set.begin();
  for (size_t number = 0; number < list.size(); ++number) {
    const Bracket& bracket = list[number];
    if (number > 0 && by_span_and_key(bracket, list[number - 1]))  // it is not sorted
      place = std::lower_bound(set.begin(), set.end(), bracket, by_span_and_key);
    while (place != set.end() && by_span_and_key(*place, bracket)) ++place;
    found += place != set.end() && same_bracket(*place, bracket);
  }
  return found;
}

int64_t in_units(int64_t part, int64_t whole) {
  return std::llround(std::ldexp(static_cast<double>(part) / static_cast<double>(whole), 40));
}

bool is_quotation_mark(std::string_view word) { return word == "'" || word == "\"" || word == "/"; }

}  // namespace

void ParsevalScorer::take(Side& side, const SideRules& rules, const Columns& trees, size_t index) const {
  side.tree = trees.tree(index);
  side.rules = &rules;
  side.is_unfaithful = trees.unfaithful(index);
  const auto nodes = side.tree.nodes;
  side.is_wrapped = rules_.unwrap && nodes.size() > 1 && trees.vocabulary().at(nodes[0].label).empty() &&
                    nodes[1].first == nodes[0].first && nodes[1].end == nodes[0].end;
  side.in_deleted_phrase.clear();
  if (!rules.deletes_phrases) return;
  std::vector<uint8_t> is_deleted(nodes.size());
  for (size_t node = 0; node < nodes.size(); ++node) {
    const int32_t parent = nodes[node].parent;
    is_deleted[node] = rules.label_deleted[nodes[node].label] == SideRules::kDeletedWithWords ||
                       (parent >= 0 && is_deleted[static_cast<size_t>(parent)]);
  }
  for (const int32_t parent : side.tree.leaf_parents())
    side.in_deleted_phrase.push_back(parent >= 0 && is_deleted[static_cast<size_t>(parent)]);
}

bool ParsevalScorer::is_deleted(const Side& side, uint32_t leaf) const {
  return (side.flags(leaf) & SideRules::kDeleted) != 0 || side.is_in_deleted_phrase(leaf) ||
         (!rules_.deleted_forms.empty() && rules_.deleted_forms.contains(side.tree.word(leaf)));
}

int64_t ParsevalScorer::length_of(const Side& side) {
  int64_t length = 0;
  for (uint32_t leaf = 0; leaf < side.tree.leaves.size(); ++leaf)
    length += (side.flags(leaf) & SideRules::kUncounted) == 0 && !side.is_in_deleted_phrase(leaf);
  return length;
}

// Numbers the words that are kept by the tags and words of one side, and the phrases over them.
void ParsevalScorer::place(Side& side, const Side& tags) const {
  if (rules_.deleted_forms.empty() && tags.in_deleted_phrase.empty())
    place(side, [&](uint32_t leaf) { return (tags.flags(leaf) & SideRules::kDeleted) != 0; });
  else
    place(side, [&](uint32_t leaf) { return is_deleted(tags, leaf); });
}

template <class IsDeleted>
void ParsevalScorer::place(Side& side, const IsDeleted& is_deleted) {
  const auto leaves = side.tree.leaves;
  side.position.resize(leaves.size() + 1);
  side.kept.resize(leaves.size());
  int32_t kept = 0;
  for (uint32_t leaf = 0; leaf < leaves.size(); ++leaf) {
    side.position[leaf] = kept;
    side.kept[static_cast<size_t>(kept)] = leaf;
    kept += !is_deleted(leaf);
  }
  side.position[leaves.size()] = kept;
  side.kept.resize(static_cast<size_t>(kept));
  side.span.resize(side.tree.nodes.size());
  for (size_t node = 0; node < side.tree.nodes.size(); ++node) {
    const Node& phrase = side.tree.nodes[node];
    side.span[node] = {side.position[static_cast<size_t>(phrase.first)],
                       phrase.end < 0 ? -1 : side.position[static_cast<size_t>(phrase.end)]};
  }
}

// By its own tags, or by those of gold if its words can be paired with those of gold: where lengths are compared,
// without the words that do not count in them; or else all words; or else they are the words that gold keeps. Gold is
// placed before.
void ParsevalScorer::place_test() {
  if (!rules_.delete_by_gold) return place(test_, test_);
  const auto gold_leaves = static_cast<uint32_t>(gold_.tree.leaves.size());
  const auto test_leaves = static_cast<uint32_t>(test_.tree.leaves.size());
  uint32_t gold_aside = 0, test_aside = 0;
  const auto may_be_aside = [](const Side& side) { return side.rules->sets_aside || !side.in_deleted_phrase.empty(); };
  if (rules_.lengths == Lengths::kCounted && (may_be_aside(gold_) || may_be_aside(test_))) {
    for (uint32_t leaf = 0; leaf < gold_leaves; ++leaf) gold_aside += is_aside(gold_, leaf);
    for (uint32_t leaf = 0; leaf < test_leaves; ++leaf) test_aside += is_aside(test_, leaf);
  }
  if (gold_aside + test_aside > 0 && gold_leaves - gold_aside == test_leaves - test_aside) {
    deleted_.resize(test_leaves);
    for (uint32_t leaf = 0, partner = 0; leaf < test_leaves; ++leaf) {
      if (is_aside(test_, leaf)) {
        deleted_[leaf] = is_deleted(test_, leaf);
        continue;
      }
      while (is_aside(gold_, partner)) ++partner;
      deleted_[leaf] = is_deleted(gold_, partner++);
    }
    place(test_, [&](uint32_t leaf) { return deleted_[leaf] != 0; });
  } else if (gold_leaves == test_leaves) {
    place(test_, gold_);
  } else if (rules_.may_be_kept_words && test_leaves == gold_.kept.size()) {
    place(test_, [](uint32_t) { return false; });
  } else {
    place(test_, test_);
  }
}

void ParsevalScorer::place_alone() {
  place(gold_, gold_);
  place_test();
}

void ParsevalScorer::place_leaves(const Columns& gold, size_t gold_index, const Columns& test, size_t test_index,
                                  std::span<Interval> gold_out, std::span<Interval> test_out) {
  ParsevalRow row;
  if (align(gold, gold_index, test, test_index, row, nullptr) != Reason::kScored) place_alone();
  const auto write = [](const Side& side, std::span<Interval> out) {
    size_t word = 0;
    for (size_t leaf = 0; leaf < out.size(); ++leaf) {
      const bool is_left = word < side.kept.size() && side.kept[word] == leaf;
      out[leaf].start = static_cast<double>(word);
      word += is_left;
      out[leaf].end = static_cast<double>(word);
    }
  };
  write(gold_, gold_out);
  write(test_, test_out);
}

void ParsevalScorer::find_quotes(Side& side) {
  side.quotes.clear();
  const auto nodes = side.tree.nodes;
  for (uint32_t leaf = 0; leaf < side.tree.leaves.size(); ++leaf) {
    const uint8_t flags = side.flags(leaf);
    if ((flags & SideRules::kQuote) == 0 || !is_quotation_mark(side.tree.word(leaf))) continue;
    const auto after = std::upper_bound(nodes.begin(), nodes.end(), static_cast<int32_t>(leaf),
                                        [](int32_t value, const Node& node) { return value < node.first; });
    side.quotes.push_back({side.position[leaf], static_cast<int32_t>(after - nodes.begin()), leaf,
                           side.tree.leaves[leaf].tag, (flags & SideRules::kListed) != 0});
  }
}

void ParsevalScorer::put_back(Side& side, size_t number, uint8_t side_number, Explained* explained) {
  const Quote quote = side.quotes[number];
  std::vector<int32_t> open;
  for (int32_t node = side.tree.leaf_parents()[quote.leaf]; node != -1;
       node = side.tree.nodes[static_cast<size_t>(node)].parent)
    open.push_back(node);
  if (explained)
    explained->insertions.push_back(
        {side_number, quote.nodes_before, quote.position, static_cast<int32_t>(open.size()), side.span});
  const size_t at = std::min(static_cast<size_t>(quote.position), side.kept.size());
  side.kept.insert(side.kept.begin() + static_cast<std::ptrdiff_t>(at), quote.leaf);
  for (size_t node = static_cast<size_t>(quote.nodes_before); node < side.span.size(); ++node) {
    ++side.span[node].first;
    ++side.span[node].second;
  }
  for (const int32_t node : open) ++side.span[static_cast<size_t>(node)].second;
  for (size_t later = number; later < side.quotes.size(); ++later) ++side.quotes[later].position;
}

// A quotation mark that one side's tag deletes and the other's keeps is put back where it was deleted.
void ParsevalScorer::put_quotes_back(const Vocabulary& gold_names, const Vocabulary& test_names, Explained* explained) {
  find_quotes(gold_);
  find_quotes(test_);
  if (explained)
    for (const Side* side : {&gold_, &test_})
      for (const Quote& quote : side->quotes) explained->quotes[side == &test_].push_back({quote.position, quote.leaf});
  for (size_t i = 0; i < test_.quotes.size(); ++i) {
    const int32_t position = test_.quotes[i].position;
    for (size_t j = 0; j < gold_.quotes.size(); ++j) {
      const Quote &mine = gold_.quotes[j], &other = test_.quotes[i];
      if (mine.position != position || mine.listed == other.listed) continue;
      if (gold_names.at(mine.tag) == test_names.at(other.tag)) continue;
      if (mine.listed)
        put_back(gold_, j, 0, explained);
      else
        put_back(test_, i, 1, explained);
    }
  }
}

// The first of `count` kept words in which the sides differ, or `count`.
size_t ParsevalScorer::first_difference(size_t count) const {
  const auto &gold = gold_.tree, &test = test_.tree;
  const auto same_end = [](const Leaf& a, const Leaf& b) { return a.word_end == b.word_end; };
  if (gold_.kept == test_.kept && gold.leaves.size() == test.leaves.size() &&
      std::equal(gold.leaves.begin(), gold.leaves.end(), test.leaves.begin(), same_end) &&
      std::string_view(gold.text, gold.text_size()) == std::string_view(test.text, test.text_size()))
    return count;
  for (size_t word = 0; word < count; ++word)
    if (!rules_.words.same(gold.word(gold_.kept[word]), test.word(test_.kept[word]))) return word;
  return count;
}

// The brackets that count.
void ParsevalScorer::collect(Side& side, RootRule root) const {
  side.brackets.clear();
  side.node.clear();
  const auto width = static_cast<int32_t>(side.kept.size());
  bool outermost = true;
  for (uint32_t node = 0; node < side.span.size(); ++node) {
    const auto [start, end] = side.span[node];
    const uint32_t label = side.tree.nodes[node].label;
    if (start == end || side.rules->label_deleted[label]) continue;
    if (node == 0 && side.is_wrapped) continue;
    if (rules_.least_width > 1 && end - start < rules_.least_width) continue;
    if (root == RootRule::kDropWholeSpan && start == 0 && end == width) continue;
    if (root == RootRule::kDropOutermost && std::exchange(outermost, false)) continue;
    side.brackets.push_back({start, end, rules_.labelled ? side.rules->label_key[label] : 0});
    side.node.push_back(node);
  }
  if (rules_.only_gaps) drop_without_gaps(side);
}

void ParsevalScorer::collect_both(RootRule root) {
  collect(gold_, root);
  collect(test_, root);
  if (is_aligned()) move_to_partners();
}

// Each gold bracket begins and ends where the partners of its first and last word do; -1 stands for a word that has no
// partner. Without an alignment, words are aligned by their numbers if there are as many. Where a side has a single
// word, there is nothing to compare. A phrase with gaps counts without them.
void ParsevalScorer::move_to_partners() {
  if (gold_.kept.size() < 2 || test_.kept.size() < 2) {
    for (Side* side : {&gold_, &test_}) {
      side->brackets.clear();
      side->node.clear();
    }
    return;
  }
  const bool as_many = gold_.tree.leaves.size() == test_.tree.leaves.size();
  const auto place_of = [&](int32_t word) {
    const uint32_t own = gold_.kept[static_cast<size_t>(word)];
    const int32_t partner = rules_.partners ? partner_[own] : as_many ? static_cast<int32_t>(own) : -1;
    if (partner < 0) return -1;
    const auto leaf = static_cast<size_t>(partner);
    const bool is_kept = test_.position[leaf + 1] > test_.position[leaf];
    return is_kept ? test_.position[leaf] : -1;
  };
  for (Side* side : {&gold_, &test_})
    for (size_t bracket = 0; bracket < side->brackets.size(); ++bracket) {
      const Node& phrase = side->tree.nodes[side->node[bracket]];
      const int32_t start = side->position[static_cast<size_t>(phrase.first)];
      const int32_t end = side->position[static_cast<size_t>(phrase.end)];
      side->brackets[bracket].start = side == &gold_ ? place_of(start) : start;
      side->brackets[bracket].end = side == &gold_ ? place_of(end - 1) + 1 : end;
    }
}

void ParsevalScorer::drop_without_gaps(Side& side) const {
  size_t left = 0;
  for (size_t bracket = 0; by_sets_ && bracket < side.brackets.size(); ++bracket) {
    const uint32_t node = side.node[bracket];
    if (!(&side == &gold_ || alone_ ? sets_.gold_has_gap(node) : sets_.test_has_gap(node))) continue;
    side.brackets[left] = side.brackets[bracket];
    side.node[left++] = node;
  }
  side.brackets.resize(left);
  side.node.resize(left);
}

Reason ParsevalScorer::align(const Columns& gold, size_t gold_index, const Columns& test, size_t test_index,
                             ParsevalRow& row, Explained* explained) {
  take(gold_, rules_.gold, gold, gold_index);
  take(test_, rules_.test, test, test_index);
  place_alone();
  row.length = length_of(gold_);
  if (rules_.partners) partner_ = rules_.partners->of(gold_index);
  if (rules_.most_length >= 0 && row.length > rules_.most_length) return Reason::kLeftOut;
  if (!rules_.score_faulty) {
    if (gold.faulty(gold_index)) return Reason::kGoldFault;
    if (static_cast<int64_t>(gold_.kept.size()) < rules_.least_words) return Reason::kLeftOut;
    if (row.length < rules_.least_length) return Reason::kLeftOut;
    if (test.faulty(test_index)) return Reason::kTestFault;
  }
  if (test.unfaithful(test_index)) return Reason::kTestFault;
  if (rules_.lengths == Lengths::kCounted) {
    const int64_t test_length = length_of(test_);
    if (row.length != test_length) {
      row.detail_a = row.length;
      row.detail_b = test_length;
      return Reason::kLength;
    }
    if (gold_.kept.empty()) return Reason::kEmptyTest;  // nothing can be compared
  }
  if (test_.kept.empty() && rules_.lengths != Lengths::kAny) return Reason::kEmptyTest;
  if (gold_.kept.size() != test_.kept.size()) {
    if (explained) explained->lengths_differed = true;
    put_quotes_back(gold.vocabulary(), test.vocabulary(), explained);
    if (gold_.kept.size() != test_.kept.size()) {
      row.detail_a = static_cast<int64_t>(gold_.kept.size());
      row.detail_b = static_cast<int64_t>(test_.kept.size());
      if (rules_.lengths == Lengths::kSame && !rules_.overlook_length) return Reason::kLength;
    }
  }
  if (rules_.word_comparison != WordComparison::kSame) return Reason::kScored;
  const size_t words = std::min(gold_.kept.size(), test_.kept.size());
  const size_t differing = first_difference(words);
  if (differing < words) {
    row.detail_a = gold_.kept[differing];
    row.detail_b = test_.kept[differing];
    return Reason::kWords;
  }
  return Reason::kScored;
}

void ParsevalScorer::count_brackets(ParsevalRow& row) {
  const bool sets = rules_.duplicates != Duplicates::kKeep;
  if (sets) {
    gold_set_ = gold_.brackets;
    test_set_ = test_.brackets;
    make_set(gold_set_);
    make_set(test_set_);
  }
  const bool once = rules_.duplicates == Duplicates::kOnce;
  const std::vector<Bracket>&gold = sets ? gold_set_ : gold_.brackets, &test = sets ? test_set_ : test_.brackets;
  const std::vector<Bracket>&gold_counted = once ? gold_.brackets : gold, &test_counted = once ? test_.brackets : test;
  auto result = by_sets_ || is_aligned()
                    ? matcher_.count_equal(gold_counted, test_counted, rules_.equal_labels)
                    : matcher_.count(gold_counted, test_counted, rules_.equal_labels, gold_.tree.nested);
  if (by_sets_ && !is_aligned()) result.crossing = sets_.crossing(gold_.node, test_counted);
  if (once && (gold.size() < gold_.brackets.size() || test.size() < test_.brackets.size())) {
    const auto matches = matcher_.count_equal(gold, test, rules_.equal_labels);
    result.matched = matches.matched;
    result.unlabelled = matches.unlabelled;
  }
  row.matched = result.matched;
  row.unlabelled = result.unlabelled;
  row.crossing = result.crossing;
  row.gold = static_cast<int64_t>(gold_counted.size());
  row.test = static_cast<int64_t>(test_counted.size());
  fill_rates(row, row.matched, row.gold, row.test);
  if (rules_.duplicates == Duplicates::kMembers) {
    // Every listed test bracket that is in the gold set is found; every listed gold bracket not in the test set is
    // missed.
    const int64_t found = members(test_.brackets, gold);
    row.matched = row.unlabelled = found;
    row.test = static_cast<int64_t>(test_.brackets.size());
    row.gold = found + static_cast<int64_t>(gold_.brackets.size()) - members(gold_.brackets, test);
  }
}

void ParsevalScorer::fill_rates(ParsevalRow& row, int64_t matched, int64_t gold, int64_t test) const {
  constexpr int64_t kOne = int64_t{1} << kWeightBits;
  const auto rate = [&](int64_t& value, int64_t& defined, int64_t part, int64_t whole) {
    if (whole > 0) value = in_units(part, whole);
    defined = whole > 0 || rules_.empty == EmptyRule::kZero;
  };
  if (gold == 0 && rules_.empty == EmptyRule::kPerfect) {
    row.sentence_recall = kOne;
    row.sentence_precision = row.sentence_f1 = test == 0 ? kOne : 0;
    row.sentences_with_precision = row.sentences_with_recall = row.sentences_with_f1 = 1;
    return;
  }
  rate(row.sentence_precision, row.sentences_with_precision, matched, test);
  rate(row.sentence_recall, row.sentences_with_recall, matched, gold);
  rate(row.sentence_f1, row.sentences_with_f1, 2 * matched, gold + test);
  row.sentences_with_precision |= rules_.empty == EmptyRule::kPerfect;
}

ParsevalRow ParsevalScorer::score(const Columns& gold, size_t gold_index, const Columns& test, size_t test_index,
                                  Explained* explained) {
  ParsevalRow row;
  const Reason reason = align(gold, gold_index, test, test_index, row, explained);
  row.reason = static_cast<int64_t>(reason);
  bool valid = reason == Reason::kScored;
  by_sets_ = gold_.tree.discontinuous || (valid && test_.tree.discontinuous);
  if (valid) {
    if (by_sets_)  // the spans so far are invalid
      sets_.place(words_of(gold_), words_of(test_), gold_.span, test_.span);
    collect_both(rules_.root);
    count_brackets(row);
    row.words = static_cast<int64_t>(gold_.kept.size());
    const size_t words = is_aligned() ? 0 : std::min(gold_.kept.size(), test_.kept.size());
    for (size_t word = 0; word < words; ++word)
      row.tags += rules_.equal_tags.equal(gold_.tag_key(gold_.kept[word]), test_.tag_key(test_.kept[word]));
    valid = !(rules_.score_faulty && (gold.faulty(gold_index) || test.faulty(test_index)));
  }
  row.valid = valid;
  row.skipped = !valid && (reason == Reason::kEmptyTest || reason == Reason::kLeftOut);
  row.errors = !valid && !row.skipped;
  row.status = row.errors + 2 * row.skipped;
  if (valid) {
    const bool can_be_exact = rules_.empty != EmptyRule::kZero || row.gold + row.test > 0;
    row.exact = can_be_exact && row.gold == row.matched && row.test == row.matched;
    row.unlabelled_exact = can_be_exact && row.gold == row.unlabelled && row.test == row.unlabelled;
    row.no_crossing = row.crossing == 0;
    row.two_or_less_crossing = row.crossing <= 2;
  }
  if (explained) explain(*explained, reason == Reason::kScored);
  set_outcome(reason, row);
  if (reason == Reason::kScored)
    row.outer_differs =
        outer_differs({gold_.tree, rules_.gold, gold.vocabulary()}, {test_.tree, rules_.test, test.vocabulary()});
  return row;
}

// In a failed sentence, each side is counted separately. Gold is placed again because quotation marks may have been put
// back.
void ParsevalScorer::set_outcome(Reason reason, ParsevalRow& row) {
  if (reason == Reason::kScored) {
    set_scored(row);
    row.words_all = row.words;
    return;
  }
  row.gold_faults = reason == Reason::kGoldFault;
  row.excluded = reason == Reason::kLeftOut;
  if (row.gold_faults || row.excluded) return;
  FailureCauses causes;
  if (reason != Reason::kTestFault)
    causes = failure_causes(gold_.tree, gold_.kept, test_.tree, test_.kept, rules_.words);
  if (rules_.word_comparison != WordComparison::kSame) causes.escapes = causes.letter_case = false;
  collect_failed(reason, rules_.root);
  if (gold_.kept.empty() && rules_.lengths != Lengths::kAny) {  // nothing to score, whatever is in test
    row.excluded = 1;
    return;
  }
  set_failed(row, count_alone(gold_), count_alone(test_));
  set_causes(causes, row);
  row.words_all = static_cast<int64_t>(gold_.kept.size());
}

void ParsevalScorer::collect_failed(Reason reason, RootRule root) {
  place(gold_, gold_);
  collect_alone(gold_, root);
  if (reason == Reason::kTestFault && !test_.is_unfaithful) {
    test_.kept.clear();
    test_.brackets.clear();
    test_.node.clear();
  } else {
    place_test();
    collect_alone(test_, root);
  }
}

void ParsevalScorer::collect_alone(Side& side, RootRule root) {
  by_sets_ = side.tree.discontinuous;
  if (by_sets_) sets_.place(words_of(side), side.span);
  alone_ = true;
  collect(side, root);
  alone_ = false;
}

int64_t ParsevalScorer::count_alone(const Side& side) const {
  const bool once = rules_.duplicates == Duplicates::kDrop;
  return static_cast<int64_t>(once ? as_set(side.brackets).size() : side.brackets.size());
}

std::array<ParsevalScorer::Compared, 2> ParsevalScorer::sides() const {
  const auto of = [](const Side& side) { return Compared{side.kept, side.span, side.brackets, side.node}; };
  return {of(gold_), of(test_)};
}

void ParsevalScorer::explain(Explained& explained, bool scored) {
  for (const Side* side : {&gold_, &test_}) {
    const bool is_test = side == &test_;
    const Side& other = is_test ? gold_ : test_;
    for (size_t word = 0; word < side->kept.size(); ++word) {
      const uint32_t leaf = side->kept[word];
      uint8_t result = 9;
      if (scored && word < other.kept.size())
        result = rules_.equal_tags.equal(side->tag_key(leaf), other.tag_key(other.kept[word]));
      explained.words[is_test].push_back({leaf, result});
    }
    for (const auto& [start, end] : side->span)
      explained.phrases[is_test].push_back({start, end, static_cast<uint8_t>(scored ? 5 : 9), -1});
  }
  if (!scored) return;
  for (const uint32_t node : gold_.node) explained.phrases[0][node].result = 0;
  for (const uint32_t node : test_.node) explained.phrases[1][node].result = 0;
  const auto partner = matcher_.pair_up(gold_.brackets, test_.brackets, rules_.equal_labels);
  for (size_t bracket = 0; bracket < partner.size(); ++bracket) {
    if (partner[bracket] < 0) continue;
    const uint32_t gold_node = gold_.node[bracket], test_node = test_.node[static_cast<size_t>(partner[bracket])];
    explained.phrases[0][gold_node].result = explained.phrases[1][test_node].result = 1;
    explained.phrases[0][gold_node].partner = static_cast<int32_t>(test_node);
    explained.phrases[1][test_node].partner = static_cast<int32_t>(gold_node);
  }
}

// Of several equal brackets only the first one counts.
void ParsevalScorer::drop_duplicates(Side& side) {
  std::set<std::tuple<int32_t, int32_t, uint32_t>> seen;
  size_t left = 0;
  for (size_t bracket = 0; bracket < side.brackets.size(); ++bracket) {
    const Bracket one = side.brackets[bracket];
    if (!seen.emplace(one.start, one.end, one.key).second) continue;
    side.brackets[left] = one;
    side.node[left++] = side.node[bracket];
  }
  side.brackets.resize(left);
  side.node.resize(left);
}

std::array<ParsevalScorer::Compared, 2> ParsevalScorer::compared() {
  for (Side* side : {&gold_, &test_})
    if (rules_.duplicates != Duplicates::kKeep) drop_duplicates(*side);
  return sides();
}

void ParsevalScorer::mark_crossing(std::array<std::vector<uint8_t>, 2>& marks) {
  marks[0].assign(gold_.brackets.size(), 0);
  marks[1].assign(test_.brackets.size(), 0);
  if (gold_.brackets.empty() || test_.brackets.empty() || is_aligned()) return;
  if (!by_sets_) {
    matcher_.mark_crossing(test_.brackets, gold_.brackets, test_.tree.nested, marks[0]);
    matcher_.mark_crossing(gold_.brackets, test_.brackets, gold_.tree.nested, marks[1]);
    return;
  }
  sets_.crossing(gold_.node, test_.brackets, &marks[1]);
  std::vector<std::pair<int32_t, int32_t>> test_spans, gold_spans;
  sets_.place(words_of(test_), words_of(gold_), test_spans, gold_spans);
  std::vector<Bracket> brackets;
  for (const uint32_t node : gold_.node) brackets.push_back({gold_spans[node].first, gold_spans[node].second, 0});
  sets_.crossing(test_.node, brackets, &marks[0]);
}

void ParsevalScorer::add_by_label(const Columns& gold, size_t gold_index, const Columns& test, size_t test_index,
                                  std::vector<LabelCount>& table) {
  const ParsevalRow row = score(gold, gold_index, test, test_index);
  const auto entry = [&](uint32_t key) -> LabelCount& {
    if (key >= table.size()) table.resize(key + 1);
    return table[key];
  };
  const bool drops_root = rules_.root != RootRule::kKeep;
  if (row.failed) {
    if (rules_.label_root && drops_root) collect_failed(static_cast<Reason>(row.reason), RootRule::kKeep);
    add_failed(labels_of(gold_), labels_of(test_), table);
  }
  if (!row.valid) return;
  if (rules_.label_root && drops_root) {
    collect_both(RootRule::kKeep);
  }
  if (rules_.duplicates == Duplicates::kKeep && !rules_.label_members) {
    const auto partner = matcher_.pair_up(gold_.brackets, test_.brackets, rules_.equal_labels);
    for (size_t bracket = 0; bracket < gold_.brackets.size(); ++bracket) {
      LabelCount& count = entry(label_of(gold_, bracket));
      ++count.gold;
      ++count.gold_all;
      if (partner[bracket] < 0) continue;
      ++count.found_in_gold;
      ++entry(label_of(test_, static_cast<size_t>(partner[bracket]))).found_in_test;
    }
    for (size_t bracket = 0; bracket < test_.brackets.size(); ++bracket) {
      LabelCount& count = entry(label_of(test_, bracket));
      ++count.test;
      ++count.test_all;
    }
    return;
  }
  for (const uint32_t key : labels_of(gold_)) ++entry(key).gold, ++entry(key).gold_all;
  for (const uint32_t key : labels_of(test_)) ++entry(key).test, ++entry(key).test_all;
  // A span is found if the other side has it.
  for (const Side* side : {&gold_, &test_}) {
    const bool is_gold = side == &gold_;
    const std::vector<Bracket> others = as_set(is_gold ? test_.brackets : gold_.brackets);
    for (const Bracket& one : rules_.label_members ? listed_by_label(*side) : labelled_set(*side)) {
      const bool found = members({{one.start, one.end, rules_.labelled ? one.key : 0}}, others) > 0;
      (is_gold ? entry(one.key).found_in_gold : entry(one.key).found_in_test) += found;
    }
  }
}

uint32_t ParsevalScorer::label_of(const Side& side, size_t bracket) {
  return side.rules->label_key[side.tree.nodes[side.node[bracket]].label];
}

// The brackets with their labels, whether or not labels count.
std::vector<Bracket> ParsevalScorer::listed_by_label(const Side& side) {
  std::vector<Bracket> labelled;
  for (size_t bracket = 0; bracket < side.brackets.size(); ++bracket)
    labelled.push_back({side.brackets[bracket].start, side.brackets[bracket].end, label_of(side, bracket)});
  return labelled;
}

// Each span once for each of its labels.
std::vector<Bracket> ParsevalScorer::labelled_set(const Side& side) { return as_set(listed_by_label(side)); }

// The labels of all brackets that a table by label counts.
std::vector<uint32_t> ParsevalScorer::labels_of(const Side& side) const {
  std::vector<uint32_t> labels;
  const bool once = rules_.duplicates == Duplicates::kDrop || rules_.duplicates == Duplicates::kMembers;
  for (const Bracket& bracket : once && !rules_.label_members ? labelled_set(side) : listed_by_label(side))
    labels.push_back(bracket.key);
  return labels;
}

void score_all(const Columns& gold, size_t gold_begin, const Columns& test, size_t test_begin, size_t count,
               const ParsevalRules& rules, unsigned threads, const ColumnsOf<ParsevalRow>& columns,
               Progress* progress) {
  in_parallel(count, 64, threads, progress, [&](const std::function<void()>&) {
    return [&, scorer = ParsevalScorer(rules)](size_t pair) mutable {
      write_row(scorer.score(gold, gold_begin + pair, test, test_begin + pair), pair, columns);
    };
  });
}

}  // namespace treescore
