#include "breakdown.hpp"

#include <algorithm>
#include <memory>
#include <mutex>
#include <numeric>

namespace treescore {
namespace {

constexpr size_t kMostRuns = 64;  // of words below a phrase: longer lists are not examined

bool before(const Bracket& a, const Bracket& b) { return a.start != b.start ? a.start < b.start : a.end > b.end; }

bool same_span(const Bracket& a, const Bracket& b) { return a.start == b.start && a.end == b.end; }

template <class Table>
void add_table(Table& to, const Table& from) {
  for (const auto& [key, value] : from) {
    BreakdownTables::Count& entry = to[key];
    entry.count += value.count;
    entry.first = std::min(entry.first, value.first);
  }
}

}  // namespace

uint32_t BreakdownTables::number_of(Rule&& rule) {
  const auto [place, is_new] = numbers_.try_emplace(std::move(rule), static_cast<uint32_t>(rules.size()));
  if (is_new) rules.push_back(place->first);
  return place->second;
}

void BreakdownTables::add(const BreakdownTables& other) {
  add_table(labels, other.labels);
  add_table(tags, other.tags);
  add_table(attachments, other.attachments);
  right_rules += other.right_rules;
  const auto renumbered = [&](uint32_t rule) { return rule == kNone ? kNone : number_of(Rule(other.rules[rule])); };
  for (const auto& [key, value] : other.rule_errors) {
    Count& entry = rule_errors[{renumbered(key[0]), renumbered(key[1]), key[2]}];
    entry.count += value.count;
    entry.first = std::min(entry.first, value.first);
  }
}

void BreakdownCounter::take(Side& side, const TreeView& tree, const SideRules& rules,
                            const ParsevalScorer::Compared& compared) {
  side.tree = tree;
  side.rules = &rules;
  side.kept.assign(compared.kept.begin(), compared.kept.end());
  side.span.assign(compared.spans.begin(), compared.spans.end());
  side.brackets.assign(compared.brackets.begin(), compared.brackets.end());
  side.node.assign(compared.nodes.begin(), compared.nodes.end());
  find_children(side);
}

// Finds the children of each phrase, in the order of their first words, as if phrases with deleted labels did not
// exist.
void BreakdownCounter::find_children(Side& side) {
  const auto nodes = side.tree.nodes;
  const std::vector<int32_t> leaf_parents = side.tree.leaf_parents();
  side.first_word.assign(nodes.size(), INT32_MAX);
  const auto found_below = [&](int32_t parent, int32_t word) {
    if (parent >= 0)
      side.first_word[static_cast<size_t>(parent)] = std::min(side.first_word[static_cast<size_t>(parent)], word);
  };
  for (size_t word = 0; word < side.kept.size(); ++word)
    found_below(leaf_parents[side.kept[word]], static_cast<int32_t>(word));
  for (size_t node = nodes.size(); node-- > 0;) found_below(nodes[node].parent, side.first_word[node]);

  const auto is_left = [&](size_t node) {
    return side.first_word[node] != INT32_MAX && !side.rules->label_deleted[nodes[node].label];
  };
  side.up.resize(nodes.size());
  const auto above = [&](int32_t parent) {
    return parent < 0 || is_left(static_cast<size_t>(parent)) ? parent : side.up[static_cast<size_t>(parent)];
  };
  side.begin.assign(nodes.size() + 1, 0);
  order_.clear();
  for (uint32_t node = 0; node < nodes.size(); ++node) {
    side.up[node] = above(nodes[node].parent);
    if (!is_left(node)) continue;
    order_.push_back(node);
    if (side.up[node] >= 0) ++side.begin[static_cast<size_t>(side.up[node]) + 1];
  }
  for (const uint32_t leaf : side.kept) {
    const int32_t parent = above(leaf_parents[leaf]);
    if (parent >= 0) ++side.begin[static_cast<size_t>(parent) + 1];
  }
  std::partial_sum(side.begin.begin(), side.begin.end(), side.begin.begin());
  const auto earlier = [&](uint32_t a, uint32_t b) { return side.first_word[a] < side.first_word[b]; };
  if (!std::is_sorted(order_.begin(), order_.end(), earlier)) std::stable_sort(order_.begin(), order_.end(), earlier);

  side.child.resize(side.begin.back());
  ends_.assign(side.begin.begin(), side.begin.end() - 1);
  const auto put = [&](int32_t parent, uint32_t item) {
    if (parent >= 0) side.child[ends_[static_cast<size_t>(parent)]++] = item;
  };
  auto next = order_.begin();
  for (size_t word = 0; word < side.kept.size(); ++word) {
    for (; next != order_.end() && side.first_word[*next] == static_cast<int32_t>(word); ++next)
      put(side.up[*next], *next);
    put(above(leaf_parents[side.kept[word]]), static_cast<uint32_t>(nodes.size() + word));
  }
  side.piece_range.clear();
  if (side.tree.discontinuous) find_pieces(side);
  for (uint32_t& item : side.child) {
    if (item < nodes.size()) {
      item = 2 * rules_.label_class[side.rules->label_key[nodes[item].label]];
    } else {
      const uint32_t key = side.tag_key(item - nodes.size());
      item = key == BreakdownTables::kUntagged ? BreakdownTables::kNoTag : 2 * rules_.tag_class[key] + 1;
    }
  }
}

// The order of the pieces of the children of each phrase, if it is not the usual one.
void BreakdownCounter::find_pieces(Side& side) {
  const size_t nodes = side.tree.nodes.size();
  side.piece_range.assign(nodes, {0, 0});
  side.pieces.clear();
  runs_.resize(std::max(runs_.size(), nodes));
  for (size_t node = nodes; node-- > 0;) {
    std::vector<Span>& runs = runs_[node];
    runs.clear();
    found_.clear();
    const uint32_t begin = side.begin[node], end = side.begin[node + 1];
    bool known = begin < end;
    for (uint32_t child = begin; child < end && known; ++child) {
      const uint32_t item = side.child[child];
      const auto number = static_cast<int32_t>(child - begin);
      if (item >= nodes) {
        const auto word = static_cast<int32_t>(item - nodes);
        found_.push_back({word, word + 1, number});
        continue;
      }
      known = !runs_[item].empty();
      for (const auto& [first, last] : runs_[item]) found_.push_back({first, last, number});
    }
    const auto range_begin = static_cast<uint32_t>(side.pieces.size());
    if (!known) {
      side.pieces.push_back(BreakdownTables::kManyPieces);
    } else {
      std::sort(found_.begin(), found_.end());
      for (const auto& [first, last, child] : found_) {
        const bool follows = !runs.empty() && runs.back().second == first;
        if (!runs.empty() && !follows) side.pieces.push_back(BreakdownTables::kGap);
        side.pieces.push_back(static_cast<uint32_t>(child));
        if (follows)
          runs.back().second = last;
        else
          runs.emplace_back(first, last);
      }
      if (runs.size() == 1 && found_.size() == end - begin) side.pieces.resize(range_begin);
      if (runs.size() > kMostRuns) runs.clear();
    }
    side.piece_range[node] = {range_begin, static_cast<uint32_t>(side.pieces.size())};
  }
}

void BreakdownCounter::sort_by_span(Side& side) {
  side.by_span.resize(side.brackets.size());
  std::iota(side.by_span.begin(), side.by_span.end(), 0u);
  const auto earlier = [&](uint32_t a, uint32_t b) { return before(side.brackets[a], side.brackets[b]); };
  if (!std::is_sorted(side.by_span.begin(), side.by_span.end(), earlier))
    std::stable_sort(side.by_span.begin(), side.by_span.end(), earlier);
}

std::span<const uint32_t> BreakdownCounter::children(const Side& side, size_t bracket) {
  const uint32_t node = side.node[bracket];
  return std::span(side.child).subspan(side.begin[node], side.begin[node + 1] - side.begin[node]);
}

std::span<const uint32_t> BreakdownCounter::pieces(const Side& side, size_t bracket) {
  if (side.piece_range.empty()) return {};
  const auto [begin, end] = side.piece_range[side.node[bracket]];
  return std::span(side.pieces).subspan(begin, end - begin);
}

bool BreakdownCounter::same_rule(size_t gold, size_t test) const {
  return rules_.label_class[gold_.label_key(gold)] == rules_.label_class[test_.label_key(test)] &&
         std::ranges::equal(children(gold_, gold), children(test_, test)) &&
         std::ranges::equal(pieces(gold_, gold), pieces(test_, test));
}

uint32_t BreakdownCounter::rule_number(const Side& side, size_t bracket) {
  const auto below = children(side, bracket), order = pieces(side, bracket);
  BreakdownTables::Rule rule{rules_.label_class[side.label_key(bracket)], static_cast<uint32_t>(below.size())};
  rule.insert(rule.end(), below.begin(), below.end());
  rule.insert(rule.end(), order.begin(), order.end());
  return tables.number_of(std::move(rule));
}

void BreakdownCounter::count_tags() {
  const size_t words = std::max(gold_.kept.size(), test_.kept.size());
  for (size_t word = 0; word < words; ++word) {
    const uint32_t gold = word < gold_.kept.size() ? gold_.tag_key(word) : kNone;
    const uint32_t test = word < test_.kept.size() ? test_.tag_key(word) : kNone;
    const PairKind kind = gold == kNone || test == kNone                 ? PairKind::kAlone
                          : rules_.brackets.equal_tags.equal(gold, test) ? PairKind::kRight
                                                                         : PairKind::kOtherLabel;
    count(tables.tags, {gold, test, static_cast<uint32_t>(kind)});
  }
}

// Whether the parents differ in their labels or in their words.
void BreakdownCounter::count_attachment(size_t gold, size_t test) {
  const int32_t parents[] = {gold_.up[gold_.node[gold]], test_.up[test_.node[test]]};
  uint32_t keys[] = {kNone, kNone};
  for (const int side : {0, 1}) {
    const Side& of = side == 0 ? gold_ : test_;
    if (parents[side] >= 0) keys[side] = of.rules->label_key[of.tree.nodes[static_cast<size_t>(parents[side])].label];
  }
  if (parents[0] < 0 && parents[1] < 0) return;
  const bool both = parents[0] >= 0 && parents[1] >= 0;
  const bool same_words =
      both && gold_.span[static_cast<size_t>(parents[0])] == test_.span[static_cast<size_t>(parents[1])];
  if (same_words && (!rules_.brackets.labelled || rules_.brackets.equal_labels.equal(keys[0], keys[1]))) return;
  count(tables.attachments, {gold_.label_key(gold), keys[0], keys[1], same_words});
}

void BreakdownCounter::count_rule(uint32_t gold, uint32_t test, RuleKind kind) {
  count(tables.rule_errors, {gold, test, static_cast<uint32_t>(kind)});
}

// Brackets over words over which the other side has none.
void BreakdownCounter::count_alone(const Side& side, std::span<const uint32_t> brackets) {
  if (!std::exchange(has_crossing_, true)) scorer_.mark_crossing(crossing_);
  const bool is_gold = &side == &gold_;
  const std::vector<uint8_t>& crossing = crossing_[is_gold ? 0 : 1];
  for (const uint32_t bracket : brackets) {
    const uint32_t key = side.label_key(bracket), rule = rule_number(side, bracket);
    const auto kind = static_cast<uint32_t>(crossing[bracket] ? PairKind::kCrossing : PairKind::kAlone);
    const bool unary = side.brackets[bracket].end - side.brackets[bracket].start == 1;
    if (is_gold) {
      count(tables.labels, {key, kNone, kind});
      count_rule(rule, kNone, unary ? RuleKind::kMissingUnary : RuleKind::kMissing);
    } else {
      count(tables.labels, {kNone, key, kind});
      count_rule(kNone, rule, unary ? RuleKind::kExtraUnary : RuleKind::kExtra);
    }
  }
}

// Brackets over the same words, outermost first. Those without a partner are paired in this order.
void BreakdownCounter::count_group(std::span<const uint32_t> gold, std::span<const uint32_t> test) {
  for (auto& left : left_) left.clear();
  for (const uint32_t bracket : gold) {
    if (partner_[bracket] < 0) {
      left_[0].push_back(gold_.label_key(bracket));
      continue;
    }
    const auto partner = static_cast<size_t>(partner_[bracket]);
    count(tables.labels, {gold_.label_key(bracket), test_.label_key(partner), static_cast<uint32_t>(PairKind::kRight)});
    count_attachment(bracket, partner);
  }
  for (const uint32_t bracket : test)
    if (!test_has_partner_[bracket]) left_[1].push_back(test_.label_key(bracket));
  for (size_t place = 0; place < std::max(left_[0].size(), left_[1].size()); ++place) {
    const bool in_gold = place < left_[0].size(), in_test = place < left_[1].size();
    count(tables.labels, {in_gold ? left_[0][place] : kNone, in_test ? left_[1][place] : kNone,
                          static_cast<uint32_t>(in_gold && in_test ? PairKind::kOtherLabel : PairKind::kAlone)});
  }
  count_rules(gold, test);
}

// The same for their rules: equal rules are right, the others are paired from the innermost one outwards. Only the
// innermost rule over several words has several children, so the rules without a partner are unary.
void BreakdownCounter::count_rules(std::span<const uint32_t> gold, std::span<const uint32_t> test) {
  if (gold.size() == 1 && test.size() == 1 && same_rule(gold[0], test[0])) {
    ++tables.right_rules;
    return;
  }
  for (auto& left : left_) left.clear();
  for (size_t place = gold.size(); place-- > 0;) left_[0].push_back(rule_number(gold_, gold[place]));
  for (size_t place = test.size(); place-- > 0;) left_[1].push_back(rule_number(test_, test[place]));
  waiting_.clear();
  for (const uint32_t rule : left_[1]) ++waiting_[rule].first;
  const auto drop_right = [](std::vector<uint32_t>& rules, const auto& is_right) {
    return static_cast<int64_t>(std::erase_if(rules, is_right));
  };
  tables.right_rules += drop_right(left_[0], [&](uint32_t rule) {
    const auto found = waiting_.find(rule);
    if (found == waiting_.end() || found->second.first == 0) return false;
    --found->second.first;
    ++found->second.second;
    return true;
  });
  drop_right(left_[1], [&](uint32_t rule) {
    int64_t& right = waiting_[rule].second;
    return right > 0 && right-- > 0;
  });
  for (size_t place = 0; place < std::max(left_[0].size(), left_[1].size()); ++place) {
    if (place >= left_[0].size())
      count_rule(kNone, left_[1][place], RuleKind::kExtraUnary);
    else if (place >= left_[1].size())
      count_rule(left_[0][place], kNone, RuleKind::kMissingUnary);
    else
      count_rule(left_[0][place], left_[1][place], RuleKind::kChanged);
  }
}

void BreakdownCounter::count_spans() {
  const auto partner = matcher_.pair_up(gold_.brackets, test_.brackets, rules_.brackets.equal_labels);
  partner_.assign(partner.begin(), partner.end());
  test_has_partner_.assign(test_.brackets.size(), 0);
  for (const int32_t found : partner_)
    if (found >= 0) test_has_partner_[static_cast<size_t>(found)] = 1;
  has_crossing_ = false;
  for (Side* side : {&gold_, &test_}) sort_by_span(*side);
  const auto group = [](const Side& side, size_t begin) {
    size_t end = begin;
    while (end < side.by_span.size() && same_span(side.brackets[side.by_span[begin]], side.brackets[side.by_span[end]]))
      ++end;
    return std::span(side.by_span).subspan(begin, end - begin);
  };
  for (size_t i = 0, j = 0; i < gold_.by_span.size() || j < test_.by_span.size();) {
    const auto gold = group(gold_, i), test = group(test_, j);
    const bool only_gold = test.empty() || (!gold.empty() && before(gold_.brackets[gold[0]], test_.brackets[test[0]]));
    const bool only_test = gold.empty() || (!test.empty() && before(test_.brackets[test[0]], gold_.brackets[gold[0]]));
    if (only_gold)
      count_alone(gold_, gold);
    else if (only_test)
      count_alone(test_, test);
    else
      count_group(gold, test);
    if (!only_test) i += gold.size();
    if (!only_gold) j += test.size();
  }
}

void BreakdownCounter::add(const Columns& gold, size_t gold_index, const Columns& test, size_t test_index,
                           int64_t pair) {
  const ParsevalRow row = scorer_.score(gold, gold_index, test, test_index);
  if (!row.valid) return;
  pair_ = pair;
  const auto [gold_side, test_side] = scorer_.compared();
  poll_();  // since some pairs take long
  take(gold_, gold.tree(gold_index), rules_.brackets.gold, gold_side);
  take(test_, test.tree(test_index), rules_.brackets.test, test_side);
  poll_();
  count_tags();
  count_spans();
}

BreakdownTables break_down(const Columns& gold, size_t gold_begin, const Columns& test, size_t test_begin, size_t count,
                           const BreakdownRules& rules, unsigned threads, Progress* progress) {
  std::mutex mutex;
  std::vector<std::unique_ptr<BreakdownCounter>> counters;
  in_parallel(count, 64, threads, progress, [&](const std::function<void()>& poll) {
    auto made = std::make_unique<BreakdownCounter>(rules, poll);
    BreakdownCounter* counter = made.get();
    const std::scoped_lock lock(mutex);
    counters.push_back(std::move(made));
    return [&, counter](size_t pair) {
      counter->add(gold, gold_begin + pair, test, test_begin + pair, static_cast<int64_t>(pair));
    };
  });
  BreakdownTables sum;
  for (const auto& counter : counters) sum.add(counter->tables);
  return sum;
}

}  // namespace treescore
