#include "struct_iou.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <string>

#include "tree_order.hpp"

namespace treescore {
namespace {

constexpr size_t kBlock = 16;                        // pairs that a thread takes at once
constexpr int32_t kMostKept = 1'000'000;             // nodes of a tree, and
constexpr size_t kMostKeptBytes = size_t{64} << 20;  // bytes, above which memory is freed immediately
constexpr double kNever = -std::numeric_limits<double>::infinity();

int32_t count_characters(std::string_view word) {
  const auto starts = std::count_if(word.begin(), word.end(), [](char byte) { return (byte & 0xC0) != 0x80; });
  return std::max<int32_t>(1, static_cast<int32_t>(starts));
}

int64_t sentence_score(Weight overlap, int64_t nodes) {
  const auto below = static_cast<uint64_t>(nodes);
  return static_cast<int64_t>((2 * static_cast<uint64_t>(overlap) + below / 2) / below);
}

// Why the tree cannot be placed, or kScored.
int64_t why_not_placed(const TreeView& tree, Axis axis) {
  if (!tree.nested) return reason::kCrossing;
  return axis == Axis::kSeconds && !tree.leaves.empty() && tree.times.empty() ? reason::kNoTimes : reason::kScored;
}

// One reason for both trees.
int64_t of_both(int64_t gold, int64_t test) {
  return gold == reason::kScored || test == reason::kCrossing ? test : gold;
}

}  // namespace

// ---- Placing

Placer::Placer(const SideRules& side, const StructIouRules& rules, bool labelled)
    : rules_(side),
      labelled_(labelled),
      deletes_any_(std::any_of(side.tag_flags.begin(), side.tag_flags.end(),
                               [](uint8_t flags) { return (flags & SideRules::kDeleted) != 0; })),
      deletes_labels_(std::any_of(side.label_deleted.begin(), side.label_deleted.end(),
                                  [](uint8_t deleted) { return deleted != 0; })),
      counts_silent_(rules.axis == Axis::kSeconds && rules.count_silent),
      closes_gaps_(rules.axis == Axis::kSeconds && rules.close_gaps),
      axis_(rules.axis) {}

void Placer::look_at_leaves(const TreeView& tree) {
  has_silent_ = axis_ == Axis::kSeconds && std::any_of(tree.times.begin(), tree.times.end(), is_silent);
  leaves_out_any_ = deletes_any_ || has_silent_;
  if (closes_gaps_) close_gaps(tree);
}

// Silent leaves between words are placed where the words meet.
void Placer::close_gaps(const TreeView& tree) {
  closed_.assign(tree.times.begin(), tree.times.end());
  size_t before = closed_.size();  // the last spoken leaf
  for (size_t leaf = 0; leaf < closed_.size(); ++leaf) {
    Interval& time = closed_[leaf];
    if (is_silent(time)) continue;
    if (before < leaf && closed_[before].end < time.start) {
      const double middle = closed_[before].end + (time.start - closed_[before].end) / 2;
      closed_[before].end = time.start = middle;
      std::fill(closed_.begin() + static_cast<ptrdiff_t>(before) + 1, closed_.begin() + static_cast<ptrdiff_t>(leaf),
                Interval{middle, middle});
    }
    before = leaf;
  }
}

void Placer::place_leaves(const TreeView& tree, std::span<Interval> out) {
  if (axis_ == Axis::kSeconds && tree.times.empty()) {
    for (size_t leaf = 0; leaf < out.size(); ++leaf)
      out[leaf] = {static_cast<double>(leaf), static_cast<double>(leaf + 1)};
    return;
  }
  look_at_leaves(tree);
  double position = 0;
  for (size_t leaf = 0; leaf < out.size(); ++leaf) {
    const Interval own = interval(tree, static_cast<int32_t>(leaf), position);
    const bool is_left_out = leaves_out_any_ && leaves_out(tree, leaf);
    out[leaf] = is_left_out ? Interval{own.start, own.start} : own;
    position = out[leaf].end;
  }
}

// Finds the nodes that are not deleted but have only silent words.
void Placer::find_silent(const TreeView& tree) {
  std::vector<uint32_t> not_deleted(tree.leaves.size() + 1, 0);
  const OpeningNumbers numbers(tree);
  const auto start = [&](size_t leaf) { return interval(tree, static_cast<int32_t>(leaf), 0).start; };
  for (size_t leaf = 0; leaf < tree.leaves.size(); ++leaf) {
    const uint32_t tag = tree.leaves[leaf].tag;
    not_deleted[leaf + 1] = not_deleted[leaf] + !deletes(tag);
    if (tag != kNone && !deletes(tag) && is_silent(tree.times[leaf]))
      silent_.push_back({key(rules_.tag_key[tag]), numbers.leaves[leaf], start(leaf)});
  }
  for (size_t phrase = 0; phrase < tree.nodes.size(); ++phrase) {
    const treescore::Node& node = tree.nodes[phrase];
    const auto first = static_cast<size_t>(node.first), end = static_cast<size_t>(node.end);
    if (!rules_.label_deleted[node.label] && not_deleted[end] > not_deleted[first] &&
        kept_before_[end] == kept_before_[first])
      silent_.push_back({key(rules_.label_key[node.label]), numbers.phrases[phrase], start(first)});
  }
}

// Does the same as place_any without a stack and with few unpredictable branches, for trees in which every word has a
// tag, every phrase has words and nothing is left out: the postorder number of a leaf is its own number plus the number
// of phrases closed before it, and phrases that end at the same place are closed in reverse order. Returns false for
// other trees.
bool Placer::place_plain(const TreeView& tree, IntervalTree& out) {
  const auto leaf_count = static_cast<int32_t>(tree.leaves.size());
  const auto phrase_count = static_cast<int32_t>(tree.nodes.size());
  opening_.assign(tree.leaves.size() + 1, 0);
  closing_.assign(tree.leaves.size() + 1, 0);
  int32_t* const opening = opening_.data();
  int32_t* const closing = closing_.data();
  for (const treescore::Node& phrase : tree.nodes) {
    if (phrase.end <= phrase.first) return false;
    ++opening[phrase.first];
    ++closing[phrase.end];
  }
  out.nodes.set_size(tree.nodes.size() + tree.leaves.size());
  out.leaves.set_size(tree.leaves.size());
  IntervalTree::Node* const to = out.nodes.data();
  int32_t* const leaves = out.leaves.data();
  const int32_t mask = labelled_ ? -1 : 0;
  int32_t opened = 0, closed = 0;
  double position = 0;
  for (int32_t leaf = 0; leaf < leaf_count; ++leaf) {
    const uint32_t tag = tree.leaves[static_cast<size_t>(leaf)].tag;
    if (tag == kNone) return false;
    opened += opening[leaf];
    closed += std::exchange(closing[leaf], closed);
    const auto [start, end] = interval(tree, leaf, position);
    position = end;
    const int32_t at = leaf + closed;
    leaves[leaf] = at;
    to[at] = {start, end, static_cast<int32_t>(rules_.tag_key[tag]) & mask, at, leaf + opened};
  }
  closing[leaf_count] = closed;
  for (int32_t number = phrase_count; number-- > 0;) {
    const treescore::Node& phrase = tree.nodes[static_cast<size_t>(number)];
    const int32_t at = phrase.end + closing[phrase.end]++, leftmost = leaves[phrase.first];
    to[at] = {to[leftmost].start, to[leaves[phrase.end - 1]].end,
              static_cast<int32_t>(rules_.label_key[phrase.label]) & mask, leftmost, number + phrase.first};
  }
  out.counted = out.size();
  return true;
}

Interval Placer::interval(const TreeView& tree, int32_t leaf, double position) const {
  switch (axis_) {
    case Axis::kSeconds:
      return closes_gaps_ ? closed_[static_cast<size_t>(leaf)] : tree.times[static_cast<size_t>(leaf)];
    case Axis::kCharacters:
      return {position, position + count_characters(tree.word(static_cast<size_t>(leaf)))};
    default:
      return {position, position + 1};
  }
}

// If there are words before the first node of a phrase, an unmatched leaf of no length keeps its start.
void Placer::start_node(IntervalTree& out) {
  if (open_.empty() || !open_.back().bare) return;
  open_.back().bare = false;
  out.add_leaf(IntervalTree::kUnmatched, open_.back().start, open_.back().start, -1);
}

void Placer::place(const TreeView& tree, IntervalTree& out) {
  kept_.clear();
  silent_.clear();
  empty_phrases_ = 0;
  out.clear(3 * tree.nodes.size() + tree.leaves.size() + 1);  // each phrase may need an unmatched leaf on both sides
  look_at_leaves(tree);
  if (leaves_out_any_ || deletes_labels_ || !place_plain(tree, out)) place_any(tree, out);
  // Several roots are joined by a node that is not matched.
  if (out.size() > 0 && out.nodes.back().leftmost > 0) out.close(IntervalTree::kUnmatched, 0, -1);
}

void Placer::place_any(const TreeView& tree, IntervalTree& out) {
  out.clear(0);
  open_.clear();
  if (leaves_out_any_) {
    count_kept(tree);
    if (counts_silent_ && has_silent_) find_silent(tree);
  }
  int32_t number = 0;
  double position = 0;
  size_t next = 0;
  for (int32_t leaf = 0; leaf < static_cast<int32_t>(tree.leaves.size()); ++leaf) {
    for (; next < tree.nodes.size() && tree.nodes[next].first <= leaf; ++next, ++number)
      open_phrase(tree.nodes[next], number, out);
    if (!leaves_out_any_ || !leaves_out(tree, static_cast<size_t>(leaf))) {
      if (leaves_out_any_) kept_.push_back(static_cast<uint32_t>(leaf));
      const Interval time = interval(tree, leaf, position);
      position = time.end;
      add_word(tree.leaves[static_cast<size_t>(leaf)].tag, time, number, out);
    }
    number += tree.leaves[static_cast<size_t>(leaf)].tag != kNone;
    for (; !open_.empty() && open_.back().end <= leaf + 1; open_.pop_back()) close_phrase(open_.back(), out);
  }
  for (; next < tree.nodes.size(); ++next) empty_phrases_ += tree.nodes[next].end <= tree.nodes[next].first;
}

void Placer::count_kept(const TreeView& tree) {
  kept_before_.resize(tree.leaves.size() + 1);
  uint32_t before = 0;
  for (size_t leaf = 0; leaf < tree.leaves.size(); ++leaf) {
    kept_before_[leaf] = before;
    before += !leaves_out(tree, leaf);
  }
  kept_before_[tree.leaves.size()] = before;
}

bool Placer::has_words(const treescore::Node& phrase) const {
  return phrase.end > phrase.first && (!leaves_out_any_ || kept_before_[static_cast<size_t>(phrase.end)] >
                                                               kept_before_[static_cast<size_t>(phrase.first)]);
}

void Placer::open_phrase(const treescore::Node& phrase, int32_t number, IntervalTree& out) {
  if (!has_words(phrase)) {
    empty_phrases_ += phrase.end <= phrase.first;
    return;
  }
  if (rules_.label_deleted[phrase.label]) return;
  start_node(out);
  open_.push_back({key(rules_.label_key[phrase.label]), number, phrase.end, out.size(), 0, kNever, false});
}

void Placer::add_word(uint32_t tag, const Interval& time, int32_t number, IntervalTree& out) {
  if (tag != kNone) {
    start_node(out);
    out.add_leaf(key(rules_.tag_key[tag]), time.start, time.end, number);
    return;
  }
  if (open_.empty()) return;
  Open& phrase = open_.back();
  if (phrase.leftmost == out.size() && !phrase.bare) {
    phrase.bare = true;
    phrase.start = time.start;
  }
  phrase.last = time.end;
}

void Placer::close_phrase(const Open& phrase, IntervalTree& out) {
  if (phrase.bare) {
    out.add_leaf(phrase.label, phrase.start, phrase.last, phrase.number);
    return;
  }
  if (phrase.last > out.nodes.back().end)  // an unmatched leaf keeps the end of words after the last node
    out.add_leaf(IntervalTree::kUnmatched, phrase.last, phrase.last, -1);
  out.close(phrase.label, phrase.leftmost, phrase.number);
}

// ---- Scoring

StructIouScorer::StructIouScorer(const StructIouRules& rules, std::function<void()> poll)
    : rules_(rules),
      gold_placer_(rules.gold, rules, rules.labelled),
      test_placer_(rules.test, rules, rules.labelled),
      workspace_(spare() ? std::move(spare()) : std::make_unique<Workspace>()),
      gold_(workspace_->gold),
      test_(workspace_->test),
      mapper_(workspace_->mapper) {
  mapper_.set(rules.mapping, std::move(poll));
}

StructIouScorer::~StructIouScorer() {
  if (workspace_->largest > kMostKept || mapper_.held_bytes() > kMostKeptBytes) return;
  mapper_.set({});
  spare() = std::move(workspace_);
}

// The last workspace of this thread: for a single large tree, fresh memory would cost as much as the work itself.
std::unique_ptr<StructIouScorer::Workspace>& StructIouScorer::spare() {
  thread_local std::unique_ptr<Workspace> last;
  return last;
}

int64_t StructIouScorer::first_difference(const TreeView& gold, const TreeView& test) const {
  if (rules_.axis == Axis::kSeconds) return 0;
  const bool by_word = rules_.axis == Axis::kWords;
  const auto same_end = [](const Leaf& a, const Leaf& b) { return a.word_end == b.word_end; };
  if (!gold_placer_.leaves_out_any() && !test_placer_.leaves_out_any() &&
      std::string_view(gold.text, gold.text_size()) == std::string_view(test.text, test.text_size()) &&
      (!by_word ||
       std::equal(gold.leaves.begin(), gold.leaves.end(), test.leaves.begin(), test.leaves.end(), same_end)))
    return 0;
  const size_t gold_words = gold_placer_.kept_count(gold), test_words = test_placer_.kept_count(test);
  if (by_word) {
    const size_t both = std::min(gold_words, test_words);
    for (size_t word = 0; word < both; ++word)
      if (gold.word(gold_placer_.kept(word)) != test.word(test_placer_.kept(word)))
        return static_cast<int64_t>(word) + 1;
    return gold_words == test_words ? 0 : static_cast<int64_t>(both) + 1;
  }
  const auto text_of = [](const TreeView& tree, const Placer& placer, size_t words) {
    std::string text;
    for (size_t word = 0; word < words; ++word) text += tree.word(placer.kept(word));
    return text;
  };
  const std::string a = text_of(gold, gold_placer_, gold_words), b = text_of(test, test_placer_, test_words);
  if (a == b) return 0;
  const auto parting =
      std::mismatch(a.begin(), a.begin() + static_cast<ptrdiff_t>(std::min(a.size(), b.size())), b.begin());
  return std::count_if(a.begin(), parting.first, [](char byte) { return (byte & 0xC0) != 0x80; }) + 1;
}

StructIouRow StructIouScorer::score(const Columns& gold, size_t gold_index, const Columns& test, size_t test_index) {
  StructIouRow row;
  aligned_ = false;
  const TreeView gold_tree = gold.tree(gold_index), test_tree = test.tree(test_index);
  const auto set_outer = [&] {
    row.outer_differs =
        outer_differs({gold_tree, rules_.gold, gold.vocabulary()}, {test_tree, rules_.test, test.vocabulary()});
  };
  const int64_t gold_reason = gold.faulty(gold_index) ? reason::kGoldFault : why_not_placed(gold_tree, rules_.axis);
  row.reason =
      gold_reason == reason::kGoldFault ? gold_reason : of_both(gold_reason, why_not_placed(test_tree, rules_.axis));
  if (row.reason != reason::kScored) {
    row.errors = 1;
    row.gold_faults = gold_reason != reason::kScored;
    if (!row.gold_faults) {
      gold_placer_.place(gold_tree, gold_);
      set_failed(row, gold_.counted + std::ssize(gold_placer_.silent()), 0);
      set_outer();
    }
    return row;
  }
  gold_placer_.place(gold_tree, gold_);
  test_placer_.place(test_tree, test_);
  row.length = static_cast<int64_t>(gold_placer_.kept_count(gold_tree));
  if (!gold_tree.leaves.empty()) row.empty_phrases += gold_placer_.empty_phrases();
  if (!test_tree.leaves.empty()) row.empty_phrases += test_placer_.empty_phrases();
  workspace_->largest = std::max({workspace_->largest, gold_.size(), test_.size()});
  row.gold = gold_.counted + std::ssize(gold_placer_.silent());
  row.test = test_.counted + std::ssize(test_placer_.silent());
  const int64_t test_nodes = test.unfaithful(test_index) ? row.test : 0;
  if (test.faulty(test_index)) {
    test_.clear(0);
    row.test = 0;
    row.reason = reason::kTestFault;
  } else if (row.gold == 0 || row.test == 0) {
    row.reason = row.gold > 0 ? reason::kEmptyTest : row.test > 0 ? reason::kEmptyGold : reason::kBothEmpty;
  } else {
    row.differs_at = first_difference(gold_tree, test_tree);
  }
  try {
    row.overlap = mapper_.solve(gold_, test_);
  } catch (const TooComplex& problem) {
    row.reason = reason::kTooComplex;
    row.detail =
        problem.seconds == TooComplex::kAboveLimit ? reason::kAboveLimit : reason::milliseconds(problem.seconds);
  } catch (const std::bad_alloc&) {
    row.reason = reason::kTooComplex;
    row.detail = reason::kMemory;
  }
  if (row.reason == reason::kTooComplex) {
    row.errors = row.lost = 1;
    row.gold = row.test = row.overlap = 0;
    return row;
  }
  if (row.gold + row.test == 0) {
    row.excluded = 1;
    return row;
  }
  if (row.reason == reason::kTestFault || row.reason == reason::kEmptyTest)
    set_failed(row, row.gold, std::max(row.test, test_nodes));
  else
    set_scored(row);
  set_outer();
  aligned_ = true;
  row.valid = 1;
  row.sentence_score = sentence_score(row.overlap, row.gold + row.test);
  row.exact = row.gold == row.test && row.overlap == row.gold << kWeightBits;
  return row;
}

void StructIouScorer::append_alignment(std::vector<Aligned>& out) {
  if (!aligned_) return;
  std::vector<Aligned>& by_number = workspace_->by_number;  // of the gold nodes
  by_number.clear();
  for (const Mapper::Pair& pair : mapper_.align()) {
    const auto number = static_cast<size_t>(gold_.nodes[pair.a].number);
    if (number >= by_number.size()) by_number.resize(number + 1, {-1, -1, 0});
    by_number[number] = {gold_.nodes[pair.a].number, test_.nodes[pair.b].number, mapper_.iou(pair)};
  }
  for (const Aligned& pair : by_number)
    if (pair.gold >= 0) out.push_back(pair);
}

void StructIouScorer::add_by_label(const Columns& gold, size_t gold_index, const Columns& test, size_t test_index,
                                   std::vector<LabelSums>& table) {
  const StructIouRow row = score(gold, gold_index, test, test_index);
  if (!row.valid && !row.failed) return;
  const IntervalTree *gold_labels = &gold_, *test_labels = &test_;
  const Placer *gold_placer = &gold_placer_, *test_placer = &test_placer_;
  Placer labelled_gold(rules_.gold, rules_, true), labelled_test(rules_.test, rules_, true);
  if (!rules_.labelled) {  // if labels are not compared, the table still has them
    labelled_gold.place(gold.tree(gold_index), gold_labels_);
    if (!row.failed) labelled_test.place(test.tree(test_index), test_labels_);
    gold_labels = &gold_labels_;
    test_labels = &test_labels_;
    gold_placer = &labelled_gold;
    test_placer = &labelled_test;
  }
  const auto entry = [&](int32_t label) -> LabelSums& {
    const auto key = static_cast<size_t>(label);
    if (key >= table.size()) table.resize(key + 1);
    return table[key];
  };
  const auto count = [&](const IntervalTree& tree, const Placer& placer, int64_t LabelSums::* nodes) {
    for (int32_t node = 0; node < tree.size(); ++node)
      if (tree.nodes[node].label != IntervalTree::kUnmatched) ++(entry(tree.nodes[node].label).*nodes);
    for (const Placer::Silent& node : placer.silent()) ++(entry(node.label).*nodes);
  };
  count(*gold_labels, *gold_placer, &LabelSums::gold_all);
  if (row.failed)
    count(*gold_labels, *gold_placer, &LabelSums::test_all);
  else
    count(*test_labels, *test_placer, &LabelSums::test_all);
  if (!row.valid) return;
  count(*gold_labels, *gold_placer, &LabelSums::gold);
  if (row.failed) return;
  count(*test_labels, *test_placer, &LabelSums::test);
  for (const Mapper::Pair& pair : mapper_.align()) {
    const Weight overlap = mapper_.weight(pair);
    entry(gold_labels->nodes[pair.a].label).gold_overlap.add(overlap);
    entry(test_labels->nodes[pair.b].label).test_overlap.add(overlap);
  }
  release();
}

void score_all(const Columns& gold, size_t gold_begin, const Columns& test, size_t test_begin, size_t count,
               const StructIouRules& rules, unsigned threads, const ColumnsOf<StructIouRow>& columns,
               Progress* progress) {
  in_parallel(count, kBlock, threads, progress, [&](const std::function<void()>& poll) {
    return [&, scorer = std::make_unique<StructIouScorer>(rules, poll)](size_t pair) {
      write_row(scorer->score(gold, gold_begin + pair, test, test_begin + pair), pair, columns);
      scorer->release();
    };
  });
}

void align_all(const Columns& gold, size_t gold_begin, const Columns& test, size_t test_begin, size_t count,
               const StructIouRules& rules, unsigned threads, const ColumnsOf<StructIouRow>& columns,
               std::vector<StructIouScorer::Aligned>& out, std::vector<int64_t>& ends, Progress* progress) {
  collect_in_parallel(count, kBlock, threads, progress, out, ends, [&](const std::function<void()>& poll) {
    return [&, scorer = std::make_unique<StructIouScorer>(rules, poll)](size_t pair,
                                                                        std::vector<StructIouScorer::Aligned>& found) {
      write_row(scorer->score(gold, gold_begin + pair, test, test_begin + pair), pair, columns);
      scorer->append_alignment(found);
      scorer->release();
    };
  });
}

std::vector<double> score_pairwise(const Columns& trees, size_t begin, size_t count, const StructIouRules& rules,
                                   unsigned threads, Progress* progress) {
  constexpr double kUndefined = std::numeric_limits<double>::quiet_NaN();
  std::vector<std::unique_ptr<IntervalTree>> placed;  // empty if a tree cannot be compared with any other
  std::vector<int64_t> nodes(count, 0);
  Placer placer(rules.gold, rules, rules.labelled);
  for (size_t index = 0; index < count; ++index) {
    const TreeView tree = trees.tree(begin + index);
    placed.emplace_back();
    if (why_not_placed(tree, rules.axis) != reason::kScored) continue;
    placed.back() = std::make_unique<IntervalTree>();
    if (trees.faulty(begin + index)) continue;
    placer.place(tree, *placed.back());
    nodes[index] = placed.back()->counted + std::ssize(placer.silent());
  }
  std::vector<double> out(count * count, kUndefined);
  in_parallel(count, 1, threads, progress, [&](const std::function<void()>& poll) {
    auto workspace = std::make_unique<Mapper>();
    workspace->set(rules.mapping, poll);
    return [&, mapper = std::move(workspace)](size_t row) {
      for (size_t column = row; column < count; ++column) {
        if (!placed[row] || !placed[column]) continue;
        const IntervalTree &a = *placed[row], &b = *placed[column];
        if (nodes[row] + nodes[column] == 0) continue;
        try {
          const int64_t score = sentence_score(mapper->solve(a, b), nodes[row] + nodes[column]);
          out[row * count + column] = out[column * count + row] = std::ldexp(static_cast<double>(score), -kWeightBits);
        } catch (const TooComplex&) {  // stays NaN
        } catch (const std::bad_alloc&) {
        }
        mapper->release();
      }
    };
  });
  return out;
}

}  // namespace treescore
