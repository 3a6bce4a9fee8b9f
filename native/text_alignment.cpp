#include "text_alignment.hpp"

#include <algorithm>
#include <array>
#include <cassert>
#include <limits>
#include <tuple>

#include "parallel.hpp"
#include "sequences.hpp"

namespace treescore {
namespace {

// A table with more cells would need more than a third of a gigabyte.
constexpr size_t kMostCells = size_t{1} << 24;
// Work up to which groups of sentences are compared one by one.
constexpr int64_t kMostCompared = int64_t{1} << 25;
constexpr SegmentCosts kSentenceCosts{.edit = 2, .extra = 1, .leave_out = true, .count_equal = false};
constexpr SegmentCosts kWordCosts{.edit = 1, .extra = 0, .leave_out = false, .count_equal = true};

uint64_t mixed(uint64_t value) {
  value = (value ^ value >> 30) * 0xBF58476D1CE4E5B9ull;
  value = (value ^ value >> 27) * 0x94D049BB133111EBull;
  return value ^ value >> 31;
}

// Cuts two texts of the same characters at every end that they have in common; both lists have the same last end.
template <class Ends>
void cut_at_common_ends(const Ends& gold, const Ends& test, std::vector<SegmentGroup>& groups) {
  size_t i = 0, j = 0, gold_from = 0, test_from = 0;
  while (i < gold.size() && j < test.size()) {
    const auto a = gold[i], b = test[j];
    if (a <= b) ++i;
    if (b <= a) ++j;
    if (a != b) continue;
    groups.push_back({static_cast<uint32_t>(i - gold_from), static_cast<uint32_t>(j - test_from)});
    gold_from = i;
    test_from = j;
  }
}

// Two places with the same text, whose weight is the length of that text.
struct Anchor {
  uint32_t gold, test;
  uint64_t weight;
};

// The anchors in common order with the greatest sum of weights, then the most, then from the left the earliest in gold.
// They come in the order of gold; no two have a place in common.
std::vector<Anchor> in_common_order(const std::vector<Anchor>& anchors, size_t test_size) {
  struct Sum {
    uint64_t weight = 0, count = 0;
    auto operator<=>(const Sum&) const = default;
  };
  std::vector<Sum> tree(test_size + 1);  // greatest sum of anchors from a test place on
  const auto greatest_from = [&](size_t place) {
    Sum best;
    for (size_t at = test_size - place; at > 0; at &= at - 1) best = std::max(best, tree[at]);
    return best;
  };
  std::vector<Sum> from(anchors.size());
  for (size_t number = anchors.size(); number-- > 0;) {
    const Anchor& anchor = anchors[number];
    Sum sum = greatest_from(anchor.test + 1);
    sum.weight += anchor.weight;
    ++sum.count;
    from[number] = sum;
    for (size_t at = test_size - anchor.test; at <= test_size; at += at & -at) tree[at] = std::max(tree[at], sum);
  }
  Sum wanted = greatest_from(0);
  std::vector<Anchor> chain;
  for (size_t number = 0; number < anchors.size() && wanted.count > 0; ++number) {
    const Anchor& anchor = anchors[number];
    if (from[number] != wanted || (!chain.empty() && anchor.test <= chain.back().test)) continue;
    chain.push_back(anchor);
    wanted.weight -= anchor.weight;
    --wanted.count;
  }
  return chain;
}

// Numbers that each side has once, and where: the anchors in the order of gold.
class Anchors {
 public:
  void add(int side, uint64_t number, size_t place) {
    Seen& seen = seen_[number];
    if (++seen.count[side] == 1) seen.place[side] = static_cast<uint32_t>(place);
  }
  template <class Weight>
  std::vector<Anchor> unique(const Weight& weight) const {
    std::vector<Anchor> out;
    for (const auto& [number, seen] : seen_)
      if (seen.count[0] == 1 && seen.count[1] == 1)
        if (const uint64_t worth = weight(seen.place[0], seen.place[1]))
          out.push_back({seen.place[0], seen.place[1], worth});
    std::ranges::sort(out, {}, &Anchor::gold);
    return out;
  }

 private:
  struct Seen {
    uint32_t count[2] = {}, place[2] = {};
  };
  std::unordered_map<uint64_t, Seen> seen_;
};

// A range of sentences of either side.
using Gap = Block;

}  // namespace

WordForms::WordForms(const std::vector<std::u32string>& plain, const std::vector<std::u32string>& expanded,
                     const std::vector<Before>& before) {
  plain_.reserve(plain.size());
  expanded_.reserve(plain.size());
  for (const std::u32string& text : plain) plain_.push_back(add(text));
  for (const std::u32string& text : expanded) expanded_.push_back(add(text));
  for (const Before& each : before) before_[uint64_t{each.word} << 32 | each.next] = add(each.text);
}

WordForms::Form WordForms::add(const std::u32string& text) {
  if (text.empty()) throw std::invalid_argument("a word without characters");
  const auto begin = static_cast<uint32_t>(characters_.size());
  characters_.insert(characters_.end(), text.begin(), text.end());
  const uint32_t key = keys_.try_emplace(text, static_cast<uint32_t>(keys_.size())).first->second;
  return {begin, static_cast<uint32_t>(characters_.size()), key};
}

const WordForms::Form& WordForms::expanded(uint32_t word, uint32_t next) const {
  if (!before_.empty()) {
    const auto found = before_.find(uint64_t{word} << 32 | next);
    if (found != before_.end()) return found->second;
  }
  return expanded_[word];
}

TextAlignment::TextAlignment(const Columns& gold, size_t gold_begin, size_t gold_end, const SideRules* gold_rules,
                             const Columns& test, size_t test_begin, size_t test_end, const SideRules* test_rules) {
  const Columns* columns[] = {&gold, &test};
  const SideRules* rules[] = {gold_rules, test_rules};
  const size_t begins[] = {gold_begin, test_begin}, ends[] = {gold_end, test_end};
  for (int side = 0; side < 2; ++side) {
    TextSide& text = sides_[side];
    text.sentences = {0};
    for (size_t index = begins[side]; index < ends[side]; ++index) {
      const TreeView tree = columns[side]->tree(index);
      for (const Leaf& leaf : tree.leaves) {
        const bool deleted =
            rules[side] && leaf.tag != kNone && (rules[side]->tag_flags[leaf.tag] & SideRules::kDeleted) != 0;
        text.kept.push_back(!deleted && !columns[side]->unfaithful(index));
      }
      text.sentences.push_back(text.kept.size());
    }
  }
  identical_ = sides_[0].sentences == sides_[1].sentences && sides_[0].kept == sides_[1].kept;
  for (size_t index = 0; index < sides_[0].size() && identical_; ++index) {
    const TreeView a = gold.tree(gold_begin + index), b = test.tree(test_begin + index);
    const auto same_end = [](const Leaf& x, const Leaf& y) { return x.word_end == y.word_end; };
    identical_ = std::ranges::equal(a.leaves, b.leaves, same_end) &&
                 std::string_view(a.text, a.text_size()) == std::string_view(b.text, b.text_size());
  }
  vocabulary_ = std::make_unique<Vocabulary>();
  if (identical_) {
    for (uint32_t index = 0; index < sides_[0].size(); ++index) blocks_.push_back({index, index + 1, index, index + 1});
    return;
  }
  for (int side = 0; side < 2; ++side) {
    sides_[side].words.reserve(sides_[side].kept.size());
    for (size_t index = begins[side]; index < ends[side]; ++index) {
      const TreeView tree = columns[side]->tree(index);
      for (size_t leaf = 0; leaf < tree.leaves.size(); ++leaf) {
        const std::string_view word = tree.word(leaf);
        sides_[side].words.push_back(vocabulary_->intern(word.data(), word.size()));
      }
    }
  }
}

std::span<const SegmentGroup> TextAlignment::groups(size_t block) const {
  const auto begin = static_cast<size_t>(block == 0 ? 0 : group_ends_[block - 1]);
  return std::span(groups_).subspan(begin, static_cast<size_t>(group_ends_[block]) - begin);
}

namespace {

template <class OnCharacter>
void each_character(const TextAlignment& texts, const TextSide& side, size_t sentence,
                    const OnCharacter& on_character) {
  for (uint64_t word = side.sentences[sentence]; word < side.sentences[sentence + 1]; ++word)
    for (const uint32_t character : texts.characters(texts.form(side, word, false))) on_character(character);
}

// A number that equal sentences have in common.
uint64_t fingerprint(const TextAlignment& texts, const TextSide& side, size_t sentence) {
  uint64_t number = 0;
  each_character(texts, side, sentence, [&](uint32_t character) { number = mixed(number + character + 1); });
  return number;
}

}  // namespace

// Groups of sentences between two places where the texts surely meet.
class SentenceAligner {
 public:
  SentenceAligner(const TextAlignment& texts, const std::function<void()>& poll)
      : texts_(texts), poll_(poll), aligner_(poll) {}

  // Appends the groups; true if some of the text was too much to compare.
  bool solve(const Gap& gap, std::vector<SegmentGroup>& groups);

 private:
  struct Readings {
    SegmentedText plain, expanded;
    bool differ = false;
    const SegmentedText& text(bool written_out) const { return written_out ? expanded : plain; }
  };
  enum class Outcome { kDone, kTooLarge };
  Outcome solve_piece(const Gap& gap, std::vector<SegmentGroup>& groups);
  void collect(const Gap& gap, bool with_empty);
  void collect(const TextSide& side, size_t begin, size_t end, bool with_empty, Readings& out) const;
  void put_empty_back(const Gap& gap, std::vector<SegmentGroup>& groups) const;
  int64_t cost_if_allowed(SegmentGroup group, size_t gold, size_t test);
  bool compare_all(int64_t most, std::vector<SegmentGroup>& groups);
  template <class OnGroup>
  void groups_from(size_t gold, size_t test, int64_t most, const OnGroup& on_group);
  void near_groups(size_t gold, size_t test, int64_t most, bool written_out);
  struct CommonWords {
    std::vector<uint32_t> sentence[2];  // of each word
    std::vector<Anchor> chain;          // words in a row that are the same
  };
  CommonWords common_words(const Gap& gap, size_t length) const;
  std::vector<Gap> cut_at_equal_sentences(const Gap& gap) const;
  std::vector<Gap> cut_at_common_words(const Gap& gap, size_t length) const;
  std::vector<Gap> cut_by_likeness(const Gap& gap) const;
  void group_by_common_words(const Gap& gap, std::vector<SegmentGroup>& groups) const;

  const TextAlignment& texts_;
  std::function<void()> poll_;
  SegmentAligner aligner_;
  Readings gold_, test_;
  struct Found {
    SegmentGroup group;
    int64_t distance, longer;
  };
  std::vector<Found> found_;
  std::vector<int32_t> row_, above_;
};

void SentenceAligner::collect(const Gap& gap, bool with_empty) {
  collect(texts_.gold(), gap.gold_begin, gap.gold_end, with_empty, gold_);
  collect(texts_.test(), gap.test_begin, gap.test_end, with_empty, test_);
}

void SentenceAligner::collect(const TextSide& side, size_t begin, size_t end, bool with_empty, Readings& out) const {
  out.plain.clear();
  out.expanded.clear();
  out.differ = false;
  const auto add = [&](SegmentedText& text, const WordForms::Form& form) {
    const auto characters = texts_.characters(form);
    text.characters.insert(text.characters.end(), characters.begin(), characters.end());
  };
  for (size_t sentence = begin; sentence < end; ++sentence) {
    if (side.empty(sentence) && !with_empty) continue;
    for (uint64_t word = side.sentences[sentence]; word < side.sentences[sentence + 1]; ++word) {
      const WordForms::Form &plain = texts_.form(side, word, false), &expanded = texts_.form(side, word, true);
      add(out.plain, plain);
      add(out.expanded, expanded);
      out.differ = out.differ || plain.key != expanded.key;
    }
    out.plain.ends.push_back(static_cast<uint32_t>(out.plain.characters.size()));
    out.expanded.ends.push_back(static_cast<uint32_t>(out.expanded.characters.size()));
  }
}

bool SentenceAligner::solve(const Gap& gap, std::vector<SegmentGroup>& groups) {
  struct Piece {
    Gap gap;
    bool tried = false, done = false;
    std::vector<SegmentGroup> groups = {};
  };
  std::vector<Piece> pieces{{gap}}, cut;
  bool given_up = false;
  // A piece that is too large is cut in several ways, one after the other.
  const std::function<std::vector<Gap>(const Gap&)> ways[] = {
      [&](const Gap& large) { return cut_at_equal_sentences(large); },
      [&](const Gap& large) { return cut_at_common_words(large, 8); },
      [&](const Gap& large) { return cut_at_common_words(large, 3); },
      [&](const Gap& large) { return cut_by_likeness(large); },
      nullptr,
  };
  for (const auto& way : ways) {
    cut.clear();
    for (Piece& piece : pieces) {
      if (!piece.tried) piece.done = solve_piece(piece.gap, piece.groups) == Outcome::kDone;
      piece.tried = true;
      if (!piece.done && !way) {
        group_by_common_words(piece.gap, piece.groups);
        piece.done = given_up = true;
      }
      if (!piece.done) {
        const std::vector<Gap> parts = way(piece.gap);
        if (parts.size() > 1) {
          for (const Gap& part : parts) cut.push_back({part});
          continue;
        }
      }
      cut.push_back(std::move(piece));
    }
    pieces.swap(cut);
  }
  for (const Piece& piece : pieces) groups.insert(groups.end(), piece.groups.begin(), piece.groups.end());
  return given_up;
}

// Cuts a large gap around sentences that are the same on both sides, as many as possible in common order.
std::vector<Gap> SentenceAligner::cut_at_equal_sentences(const Gap& gap) const {
  std::vector<uint32_t> keys[2];
  std::unordered_map<uint64_t, uint32_t> known;
  const auto number = [&](const TextSide& side, size_t begin, size_t end, std::vector<uint32_t>& out) {
    for (size_t sentence = begin; sentence < end; ++sentence)
      out.push_back(
          known.try_emplace(fingerprint(texts_, side, sentence), static_cast<uint32_t>(known.size())).first->second);
  };
  number(texts_.gold(), gap.gold_begin, gap.gold_end, keys[0]);
  number(texts_.test(), gap.test_begin, gap.test_end, keys[1]);
  std::vector<Gap> pieces;
  Gap rest = gap;
  Progress progress;
  progress.poll = poll_;
  try {
    constexpr WordCosts kSubsequence{1, 1, 3};  // never a pair of different sentences
    for (const WordStep& step :
         align_words({keys[0], {}}, {keys[1], {}}, kSubsequence, {}, Ties::kLateGap, progress).steps) {
      if (step.ref < 0 || step.hyp < 0) continue;
      const uint32_t gold = gap.gold_begin + static_cast<uint32_t>(step.ref);
      const uint32_t test = gap.test_begin + static_cast<uint32_t>(step.hyp);
      if (rest.gold_begin < gold || rest.test_begin < test)
        pieces.push_back({rest.gold_begin, gold, rest.test_begin, test});
      pieces.push_back({gold, gold + 1, test, test + 1});
      rest.gold_begin = gold + 1;
      rest.test_begin = test + 1;
    }
  } catch (const SequencesTooLong&) {
    return {gap};
  }
  if (rest.gold_begin < rest.gold_end || rest.test_begin < rest.test_end) pieces.push_back(rest);
  return pieces;
}

SentenceAligner::Outcome SentenceAligner::solve_piece(const Gap& gap, std::vector<SegmentGroup>& groups) {
  collect(gap, false);
  if (gold_.plain.characters == test_.plain.characters) {
    cut_at_common_ends(gold_.plain.ends, test_.plain.ends, groups);
    put_empty_back(gap, groups);
    return Outcome::kDone;
  }
  if (!aligner_.align(gold_.plain, test_.plain, kSentenceCosts, kMostCells, groups)) return Outcome::kTooLarge;
  // Here the texts are compared as they are written, and any two sentences may be a group. The result is the best one
  // unless the sides of a group differ too much, contractions make some texts more similar, or there are sentences
  // without words.
  int64_t cost = 0;
  bool allowed = true;
  std::vector<SegmentGroup> repaired;
  size_t gold = 0, test = 0;
  for (const SegmentGroup& group : groups) {
    const int64_t own = cost_if_allowed(group, gold, test);
    if (own >= 0) {
      repaired.push_back(group);
      cost += own;
    } else {
      allowed = false;
      repaired.insert(repaired.end(), group.test, {0, 1});
      repaired.insert(repaired.end(), group.gold, {1, 0});
      cost += 2 * static_cast<int64_t>(gold_.plain.range(gold, gold + group.gold).size() +
                                       test_.plain.range(test, test + group.test).size());
    }
    gold += group.gold;
    test += group.test;
  }
  const bool some_empty = gold < gap.gold_end - gap.gold_begin || test < gap.test_end - gap.test_begin;
  if (allowed && !gold_.differ && !test_.differ && (!some_empty || gold == 0 || test == 0)) {
    put_empty_back(gap, groups);
    return Outcome::kDone;
  }
  collect(gap, true);
  if (!compare_all(cost, groups)) {
    groups = repaired;
    put_empty_back(gap, groups);
  }
  return Outcome::kDone;
}

// Turns groups of sentences with words into groups of all sentences. One without words belongs to the group in which it
// stands; between groups it is paired with another one that was left out, as many as possible, in order.
void SentenceAligner::put_empty_back(const Gap& gap, std::vector<SegmentGroup>& groups) const {
  const TextSide &gold_side = texts_.gold(), &test_side = texts_.test();
  const std::vector<SegmentGroup> with_words = std::move(groups);
  groups.clear();
  std::vector<uint8_t> gold_slot, test_slot;  // left out between two groups: whether the sentence has no words
  uint32_t gold = gap.gold_begin, test = gap.test_begin;
  const auto pair_slots = [&] {
    const size_t rows = gold_slot.size(), columns = test_slot.size();
    const bool small = rows * columns <= kMostCells;  // otherwise the first ones that fit
    MemoryClaim memory(poll_);
    if (small) memory.grow_to((rows + 1) * (columns + 1) * sizeof(uint32_t));
    std::vector<uint32_t> most(small ? (rows + 1) * (columns + 1) : 0);
    const auto from = [&](size_t i, size_t j) -> uint32_t& { return most[i * (columns + 1) + j]; };
    const auto fit = [&](size_t i, size_t j) { return gold_slot[i] || test_slot[j]; };
    for (size_t i = rows; small && i-- > 0;)
      for (size_t j = columns; j-- > 0;)
        from(i, j) = std::max({from(i + 1, j), from(i, j + 1), fit(i, j) ? from(i + 1, j + 1) + 1 : 0});
    for (size_t i = 0, j = 0; i < rows || j < columns;) {
      if (i < rows && j < columns && fit(i, j) && (!small || from(i + 1, j + 1) + 1 == from(i, j))) {
        groups.push_back({1, 1});
        ++i, ++j;
      } else if (j < columns && (i == rows || !small || from(i, j + 1) == from(i, j))) {
        groups.push_back({0, 1});
        ++j;
      } else {
        groups.push_back({1, 0});
        ++i;
      }
    }
    gold_slot.clear();
    test_slot.clear();
  };
  const auto skip_empty = [](const TextSide& side, uint32_t& at, uint32_t end, std::vector<uint8_t>& slot) {
    for (; at < end && side.empty(at); ++at) slot.push_back(1);
  };
  const auto take = [](const TextSide& side, uint32_t& at, uint32_t count) {
    const uint32_t begin = at;
    while (count > 0) count -= side.empty(at++) ? 0 : 1;
    return at - begin;
  };
  for (const SegmentGroup& group : with_words) {
    if (group.gold > 0 || group.test == 0) skip_empty(gold_side, gold, gap.gold_end, gold_slot);
    if (group.test > 0 || group.gold == 0) skip_empty(test_side, test, gap.test_end, test_slot);
    if (group.gold > 0 && group.test > 0) {
      pair_slots();
      const uint32_t of_gold = take(gold_side, gold, group.gold);
      groups.push_back({of_gold, take(test_side, test, group.test)});
      continue;
    }
    gold += group.gold;
    test += group.test;
    gold_slot.insert(gold_slot.end(), group.gold, 0);
    test_slot.insert(test_slot.end(), group.test, 0);
  }
  skip_empty(gold_side, gold, gap.gold_end, gold_slot);
  skip_empty(test_side, test, gap.test_end, test_slot);
  pair_slots();
}

// The cost of a group, in halves of a character; -1 if its sides are too different even in the reading in which they
// are more similar.
int64_t SentenceAligner::cost_if_allowed(SegmentGroup group, size_t gold, size_t test) {
  const auto longer_side = [&](bool written_out) {
    return static_cast<int64_t>(std::max(gold_.text(written_out).range(gold, gold + group.gold).size(),
                                         test_.text(written_out).range(test, test + group.test).size()));
  };
  const int64_t most = std::max(longer_side(false), longer_side(true)) / 2;  // beyond it, nothing is allowed
  int64_t least = most + 1, longer = 0;
  for (const bool written_out : {false, true}) {
    if (written_out && !gold_.differ && !test_.differ) break;
    const auto a = gold_.text(written_out).range(gold, gold + group.gold);
    const auto b = test_.text(written_out).range(test, test + group.test);
    if (group.gold == 0 || group.test == 0) return 2 * static_cast<int64_t>(a.size() + b.size());
    const int64_t size = longer_side(written_out), distance = aligner_.distance(a, b, most);
    if (distance >= least) continue;
    least = distance;
    longer = size;
  }
  return 2 * least > longer ? -1 : 2 * least + group.gold + group.test - 2;
}

// Calls on_group(group, cost) for every allowed group that begins here and whose sides differ by no more than `most`
// characters.
template <class OnGroup>
void SentenceAligner::groups_from(size_t gold, size_t test, int64_t most, const OnGroup& on_group) {
  found_.clear();
  for (const bool written_out : {false, true})
    if (!written_out || gold_.differ || test_.differ) near_groups(gold, test, most, written_out);
  // Of two readings of a group the one with more similar sides counts, or, if they are equal, the text as written.
  std::ranges::stable_sort(
      found_, {}, [](const Found& each) { return std::tuple(each.group.gold, each.group.test, each.distance); });
  for (size_t number = 0; number < found_.size(); ++number) {
    const auto& [group, distance, longer] = found_[number];
    if (number > 0 && found_[number - 1].group == group) continue;
    const bool one_is_empty = group.gold == 1 && group.test == 1 && distance == longer &&
                              (gold_.plain.empty(gold) || test_.plain.empty(test));
    if (2 * distance <= longer || one_is_empty) on_group(group, 2 * distance + group.gold + group.test - 2);
  }
}

// Finds all groups that begin here and whose sides differ by no more than `most` characters in one reading.
void SentenceAligner::near_groups(size_t gold, size_t test, int64_t most, bool written_out) {
  const SegmentedText &gold_text = gold_.text(written_out), &test_text = test_.text(written_out);
  const auto a = gold_text.range(gold, gold_text.size()), b = test_text.range(test, test_text.size());
  const auto columns = static_cast<int64_t>(b.size());
  const auto gold_begin = gold_text.begin_of(gold), test_begin = test_text.begin_of(test);
  constexpr int32_t kFar = std::numeric_limits<int32_t>::max() / 4;
  row_.assign(b.size() + 2, kFar);
  above_.assign(b.size() + 2, kFar);
  size_t sentence = gold;
  for (int64_t row = 0; row <= static_cast<int64_t>(a.size()); ++row) {
    if (row % 256 == 0 && poll_) poll_();
    const int64_t low = std::max<int64_t>(0, row - most), high = std::min(columns, row + most);
    if (low > high) break;
    int32_t least = kFar;
    for (int64_t column = low; column <= high; ++column) {
      const auto at = static_cast<size_t>(column);
      int32_t best = row == 0 && column == 0 ? 0 : above_[at] + 1;
      if (column > low) best = std::min(best, row_[at - 1] + 1);
      if (row > 0 && column > 0)
        best = std::min(best, above_[at - 1] + (a[static_cast<size_t>(row - 1)] == b[at - 1] ? 0 : 1));
      row_[at] = best;
      least = std::min(least, best);
    }
    row_[static_cast<size_t>(high) + 1] = kFar;
    if (low > 0) row_[static_cast<size_t>(low) - 1] = kFar;
    if (least > most) break;
    for (; sentence < gold_text.size() && gold_text.ends[sentence] == gold_begin + static_cast<size_t>(row);
         ++sentence) {
      for (size_t end = test; end < test_text.size() && test_text.ends[end] <= test_begin + static_cast<size_t>(high);
           ++end) {
        const auto column = static_cast<int64_t>(test_text.ends[end] - test_begin);
        if (column < low || row_[static_cast<size_t>(column)] > most) continue;
        const SegmentGroup group{static_cast<uint32_t>(sentence + 1 - gold), static_cast<uint32_t>(end + 1 - test)};
        found_.push_back({group, row_[static_cast<size_t>(column)], std::max(row, column)});
      }
    }
    std::swap(row_, above_);
  }
}

// The best groups among all that are allowed, if they can be found without too much work; none costs more than `most`.
bool SentenceAligner::compare_all(int64_t most, std::vector<SegmentGroup>& groups) {
  const size_t rows = gold_.plain.size(), columns = test_.plain.size();
  const auto length = [](const SegmentedText& text) { return static_cast<int64_t>(text.characters.size()); };
  const int64_t width = std::min(most + 1, length(test_.plain));
  const auto pairs = static_cast<int64_t>(rows * columns);
  if (pairs > int64_t{1} << 20 || pairs * (length(gold_.plain) * width / 4 + pairs) > kMostCompared) return false;
  constexpr int64_t kNever = std::numeric_limits<int64_t>::max() / 4;
  constexpr int kShift = 32;  // costs come first, then numbers of groups
  std::vector<int64_t> values((rows + 1) * (columns + 1), kNever);
  const auto value = [&](size_t gold, size_t test) -> int64_t& { return values[gold * (columns + 1) + test]; };
  // A lower bound of the distance of the texts before two sentences.
  const auto apart = [&](size_t gold, size_t test) {
    const size_t a[] = {gold_.plain.begin_of(gold), gold_.expanded.begin_of(gold)};
    const size_t b[] = {test_.plain.begin_of(test), test_.expanded.begin_of(test)};
    const auto [a_least, a_most] = std::minmax(a[0], a[1]);
    const auto [b_least, b_most] = std::minmax(b[0], b[1]);
    return static_cast<int64_t>(a_least > b_most ? a_least - b_most : b_least > a_most ? b_least - a_most : 0);
  };
  const auto sentence = [](const Readings& side, size_t number) {
    return 2 * static_cast<int64_t>(side.plain.range(number, number + 1).size()) << kShift;
  };
  value(rows, columns) = 0;
  for (size_t gold = rows + 1; gold-- > 0;) {
    for (size_t test = columns + 1; test-- > 0;) {
      const int64_t rest = most - 2 * apart(gold, test);
      if (rest < 0) continue;
      int64_t best = value(gold, test);
      if (gold < rows) best = std::min(best, value(gold + 1, test) + sentence(gold_, gold));
      if (test < columns) best = std::min(best, value(gold, test + 1) + sentence(test_, test));
      if (gold < rows && test < columns)
        groups_from(gold, test, rest / 2, [&](SegmentGroup group, int64_t cost) {
          best = std::min(best, (cost << kShift) - 1 + value(gold + group.gold, test + group.test));
        });
      value(gold, test) = best;
    }
  }
  groups.clear();
  for (size_t gold = 0, test = 0; gold < rows || test < columns;) {
    const int64_t here = value(gold, test);
    SegmentGroup next{0, 0};
    if (gold < rows && test < columns)
      groups_from(gold, test, (most - 2 * apart(gold, test)) / 2, [&](SegmentGroup group, int64_t cost) {
        if ((cost << kShift) - 1 + value(gold + group.gold, test + group.test) != here) return;
        const uint32_t size = group.gold + group.test, known = next.gold + next.test;
        if (known == 0 || size < known || (size == known && group.gold < next.gold)) next = group;
      });
    if (next.gold == 0)
      next = test < columns && value(gold, test + 1) + sentence(test_, test) == here ? SegmentGroup{0, 1}
                                                                                     : SegmentGroup{1, 0};
    groups.push_back(next);
    gold += next.gold;
    test += next.test;
  }
  return true;
}

// Where `length` words in a row that occur only once are the same on both sides, in common order.
SentenceAligner::CommonWords SentenceAligner::common_words(const Gap& gap, size_t length) const {
  const TextSide* sides[] = {&texts_.gold(), &texts_.test()};
  const size_t begins[] = {gap.gold_begin, gap.test_begin}, ends[] = {gap.gold_end, gap.test_end};
  CommonWords out;
  std::vector<uint32_t> keys[2];
  Anchors anchors;
  for (int side = 0; side < 2; ++side) {
    const TextSide& text = *sides[side];
    for (size_t sentence = begins[side]; sentence < ends[side]; ++sentence) {
      for (uint64_t word = text.sentences[sentence]; word < text.sentences[sentence + 1]; ++word) {
        keys[side].push_back(texts_.form(text, word, false).key);
        out.sentence[side].push_back(static_cast<uint32_t>(sentence));
      }
    }
    for (size_t word = 0; word + length <= keys[side].size(); ++word) {
      uint64_t number = 0;
      for (size_t k = 0; k < length; ++k) number = mixed(number + keys[side][word + k] + 1);
      anchors.add(side, number, word);
    }
  }
  const auto same = [&](size_t gold, size_t test) {
    return std::ranges::equal(std::span(keys[0]).subspan(gold, length), std::span(keys[1]).subspan(test, length)) ? 1u
                                                                                                                  : 0u;
  };
  out.chain = in_common_order(anchors.unique(same), keys[1].size());
  return out;
}

// Cuts a large gap between common words where both sides have the end of a sentence.
std::vector<Gap> SentenceAligner::cut_at_common_words(const Gap& gap, size_t length) const {
  const CommonWords common = common_words(gap, length);
  std::vector<Gap> pieces;
  Gap rest = gap;
  for (const Anchor& anchor : common.chain) {
    for (size_t k = 1; k < length; ++k) {
      const size_t gold_word = anchor.gold + k, test_word = anchor.test + k;
      const uint32_t gold = common.sentence[0][gold_word], test = common.sentence[1][test_word];
      if (gold == common.sentence[0][gold_word - 1] || test == common.sentence[1][test_word - 1]) continue;
      if (gold <= rest.gold_begin || test <= rest.test_begin) continue;
      pieces.push_back({rest.gold_begin, gold, rest.test_begin, test});
      rest.gold_begin = gold;
      rest.test_begin = test;
    }
  }
  pieces.push_back(rest);
  return pieces;
}

// Approximately how often each pair of neighbouring characters occurs in a sentence.
class Likeness {
 public:
  static constexpr size_t kKinds = 128;
  Likeness(const TextAlignment& texts, const TextSide& side, size_t sentence) {
    uint64_t last = 0;
    each_character(texts, side, sentence, [&](uint32_t character) {
      uint16_t& count = counts_[mixed(last << 32 | character) % kKinds];
      count = static_cast<uint16_t>(std::min<uint32_t>(count + 1u, UINT16_MAX));
      last = character;
      ++size_;
    });
  }
  int64_t size() const { return size_; }
  // How many of these pairs of characters two groups of sentences do not share, at least.
  static int64_t difference(std::span<const Likeness> a, std::span<const Likeness> b) {
    int64_t more = 0, less = 0;
    for (size_t kind = 0; kind < kKinds; ++kind) {
      int64_t surplus = 0;
      for (const Likeness& each : a) surplus += each.counts_[kind];
      for (const Likeness& each : b) surplus -= each.counts_[kind];
      (surplus > 0 ? more : less) += surplus > 0 ? surplus : -surplus;
    }
    return std::max(more, less);
  }

 private:
  std::array<uint16_t, kKinds> counts_{};
  int64_t size_ = 0;
};

// Cuts a large gap between similar sentences: an approximate alignment by the characters they have in common, near the
// straight path through both texts.
std::vector<Gap> SentenceAligner::cut_by_likeness(const Gap& gap) const {
  constexpr int64_t kReach = 64;  // sentences off the straight path
  constexpr size_t kPiece = 8;    // groups in a piece, at least
  constexpr int64_t kNever = std::numeric_limits<int64_t>::max() / 4;
  constexpr std::array<SegmentGroup, 5> kMoves{{{1, 1}, {1, 0}, {0, 1}, {1, 2}, {2, 1}}};
  std::vector<Likeness> gold, test;
  std::vector<int64_t> gold_before{0}, test_before{0};
  for (size_t sentence = gap.gold_begin; sentence < gap.gold_end; ++sentence) {
    gold.emplace_back(texts_, texts_.gold(), sentence);
    gold_before.push_back(gold_before.back() + gold.back().size());
  }
  for (size_t sentence = gap.test_begin; sentence < gap.test_end; ++sentence) {
    test.emplace_back(texts_, texts_.test(), sentence);
    test_before.push_back(test_before.back() + test.back().size());
  }
  if (gold.size() < 2 || test.size() < 2) return {gap};
  const auto rows = static_cast<int64_t>(gold.size()), columns = static_cast<int64_t>(test.size());
  std::vector<int64_t> low(gold.size() + 1);
  constexpr int64_t kWidth = 2 * kReach + 1;
  for (int64_t row = 0, column = 0; row <= rows; ++row) {
    const double share = static_cast<double>(gold_before[static_cast<size_t>(row)]) /
                         static_cast<double>(std::max<int64_t>(1, gold_before.back()));
    while (column < columns && static_cast<double>(test_before[static_cast<size_t>(column)]) <
                                   share * static_cast<double>(test_before.back()))
      ++column;
    low[static_cast<size_t>(row)] = std::max<int64_t>(0, std::min(column, columns) - kReach);
  }
  std::vector<int64_t> cost(static_cast<size_t>((rows + 1) * kWidth), kNever);
  std::vector<uint8_t> move(cost.size(), 0);
  const auto at = [&](int64_t row, int64_t column) -> size_t {
    const int64_t place = column - low[static_cast<size_t>(row)];
    return place < 0 || place >= kWidth ? SIZE_MAX : static_cast<size_t>(row * kWidth + place);
  };
  cost[at(0, 0)] = 0;
  for (int64_t row = 0; row <= rows; ++row) {
    if (poll_ && row % 64 == 0) poll_();
    const int64_t first = low[static_cast<size_t>(row)];
    for (int64_t column = first; column <= std::min(columns, first + kWidth - 1); ++column) {
      const int64_t here = cost[at(row, column)];
      if (here >= kNever) continue;
      for (uint8_t number = 0; number < kMoves.size(); ++number) {
        const SegmentGroup& group = kMoves[number];
        const int64_t to_row = row + group.gold, to_column = column + group.test;
        if (to_row > rows || to_column > columns || at(to_row, to_column) == SIZE_MAX) continue;
        const auto own = std::span(gold).subspan(static_cast<size_t>(row), group.gold);
        const auto other = std::span(test).subspan(static_cast<size_t>(column), group.test);
        const int64_t total = here + Likeness::difference(own, other) + (group.gold + group.test > 2 ? 1 : 0);
        const size_t to = at(to_row, to_column);
        if (total >= cost[to]) continue;
        cost[to] = total;
        move[to] = number;
      }
    }
  }
  if (at(rows, columns) == SIZE_MAX || cost[at(rows, columns)] >= kNever) return {gap};
  std::vector<SegmentGroup> path;
  for (int64_t row = rows, column = columns; row > 0 || column > 0;) {
    path.push_back(kMoves[move[at(row, column)]]);
    row -= path.back().gold;
    column -= path.back().test;
  }
  std::ranges::reverse(path);
  std::vector<Gap> pieces;
  Gap rest = gap;
  uint32_t gold_at = gap.gold_begin, test_at = gap.test_begin;
  size_t taken = 0;
  for (size_t number = 0; number < path.size(); ++number) {
    gold_at += path[number].gold;
    test_at += path[number].test;
    const bool sure = path[number] == kMoves[0] && number + 1 < path.size() && path[number + 1] == kMoves[0];
    if (++taken < kPiece || !sure) continue;
    pieces.push_back({rest.gold_begin, gold_at, rest.test_begin, test_at});
    rest.gold_begin = gold_at;
    rest.test_begin = test_at;
    taken = 0;
  }
  if (rest.gold_begin < rest.gold_end || rest.test_begin < rest.test_end) pieces.push_back(rest);
  return pieces;
}

// The last resort, where there is too much text to compare: sentences that have many words in a row in common belong
// together. Sentences of which none have are left out.
void SentenceAligner::group_by_common_words(const Gap& gap, std::vector<SegmentGroup>& groups) const {
  constexpr size_t kLength = 3;
  constexpr uint64_t kShare = 10;  // one in this many words of the shorter sentence must be among them
  const CommonWords common = common_words(gap, kLength);
  struct Link {
    uint32_t gold, test;
    uint64_t count;
  };
  std::vector<Link> links;
  for (const Anchor& anchor : common.chain) {
    const uint32_t gold = common.sentence[0][anchor.gold], test = common.sentence[1][anchor.test];
    if (gold != common.sentence[0][anchor.gold + kLength - 1] || test != common.sentence[1][anchor.test + kLength - 1])
      continue;
    if (links.empty() || links.back().gold != gold || links.back().test != test) links.push_back({gold, test, 0});
    ++links.back().count;
  }
  const auto words = [](const TextSide& side, size_t sentence) {
    return side.sentences[sentence + 1] - side.sentences[sentence];
  };
  std::erase_if(links, [&](const Link& link) {
    return link.count * kShare < std::min(words(texts_.gold(), link.gold), words(texts_.test(), link.test));
  });
  uint32_t gold = gap.gold_begin, test = gap.test_begin;
  const auto leave_out = [&](uint32_t gold_end, uint32_t test_end) {
    groups.insert(groups.end(), test_end - test, {0, 1});
    groups.insert(groups.end(), gold_end - gold, {1, 0});
    gold = gold_end;
    test = test_end;
  };
  for (size_t first = 0; first < links.size();) {
    size_t end = first + 1;
    while (end < links.size() && (links[end].gold == links[end - 1].gold || links[end].test == links[end - 1].test))
      ++end;
    leave_out(links[first].gold, links[first].test);
    groups.push_back({links[end - 1].gold + 1 - gold, links[end - 1].test + 1 - test});
    gold = links[end - 1].gold + 1;
    test = links[end - 1].test + 1;
    first = end;
  }
  leave_out(gap.gold_end, gap.test_end);
}

namespace {

// Sentences with words that are the same on both sides and occur once on each.
std::vector<Anchor> equal_sentences(const TextAlignment& texts) {
  Anchors anchors;
  const TextSide* sides[] = {&texts.gold(), &texts.test()};
  for (int side = 0; side < 2; ++side) {
    for (size_t sentence = 0; sentence < sides[side]->size(); ++sentence) {
      if (sides[side]->empty(sentence)) continue;
      anchors.add(side, fingerprint(texts, *sides[side], sentence), sentence);
    }
  }
  std::vector<uint32_t> a, b;
  return in_common_order(anchors.unique([&](size_t gold, size_t test) {
    a.clear();
    b.clear();
    each_character(texts, texts.gold(), gold, [&](uint32_t character) { a.push_back(character); });
    each_character(texts, texts.test(), test, [&](uint32_t character) { b.push_back(character); });
    return a == b ? a.size() : 0;
  }),
                         texts.test().size());
}

// Whether both texts are the same except for their cuts.
bool same_characters(const TextAlignment& texts) {
  const TextSide &gold = texts.gold(), &test = texts.test();
  size_t i = 0, j = 0;
  std::span<const uint32_t> a, b;
  for (;;) {
    if (a.empty() && i < gold.words.size()) a = texts.characters(texts.form(gold, i++, false));
    if (b.empty() && j < test.words.size()) b = texts.characters(texts.form(test, j++, false));
    const size_t size = std::min(a.size(), b.size());
    if (size == 0) return a.empty() && b.empty();
    if (!std::equal(a.begin(), a.begin() + static_cast<ptrdiff_t>(size), b.begin())) return false;
    a = a.subspan(size);
    b = b.subspan(size);
  }
}

// The groups of the words of a block.
class WordGrouper {
 public:
  WordGrouper(const TextAlignment& texts, const std::function<void()>& poll) : texts_(texts), aligner_(poll) {}

  // Appends the groups; true if the words are compared with contractions written out.
  bool solve(const Block& block, std::vector<SegmentGroup>& groups) {
    collect(texts_.gold(), block.gold_begin, block.gold_end, gold_);
    collect(texts_.test(), block.test_begin, block.test_end, test_);
    if (gold_.words.empty() || test_.words.empty()) return false;
    if (gold_.keys(false) == test_.keys(false)) {
      groups.insert(groups.end(), gold_.words.size(), {1, 1});
      return false;
    }
    const bool both_readings = gold_.plain_keys != gold_.expanded_keys || test_.plain_keys != test_.expanded_keys;
    fill(gold_, false, 0);
    fill(test_, false, 0);
    if (same_text(groups)) return false;
    bool written_out = false;
    if (both_readings) {
      // Texts too different for this are compared as they are written.
      const auto longest = static_cast<int64_t>(std::max(gold_.text.characters.size(), test_.text.characters.size()));
      const int64_t most = std::min(longest, static_cast<int64_t>(4 * kMostCells) / longest);
      const int64_t plain = aligner_.distance(gold_.text.characters, test_.text.characters, most);
      fill(gold_, true, 0);
      fill(test_, true, 0);
      if (same_text(groups)) return true;
      written_out = aligner_.distance(gold_.text.characters, test_.text.characters, plain - 1) < plain;
    }
    // Equal words at the beginning belong together as long as words follow on both sides.
    size_t equal = 0;
    const auto &a = gold_.keys(written_out), &b = test_.keys(written_out);
    while (equal + 1 < a.size() && equal + 1 < b.size() && a[equal] == b[equal]) ++equal;
    groups.insert(groups.end(), equal, {1, 1});
    fill(gold_, written_out, equal);
    fill(test_, written_out, equal);
    if (!aligner_.align(gold_.text, test_.text, kWordCosts, kMostCells, groups)) align_in_pieces(groups);
    return written_out;
  }

 private:
  struct Side {
    const TextSide* side = nullptr;
    std::vector<uint64_t> words;
    std::vector<uint32_t> plain_keys, expanded_keys;
    SegmentedText text;
    const std::vector<uint32_t>& keys(bool written_out) const { return written_out ? expanded_keys : plain_keys; }
  };
  void collect(const TextSide& side, size_t begin, size_t end, Side& out) const {
    out.side = &side;
    out.words.clear();
    out.plain_keys.clear();
    out.expanded_keys.clear();
    for (uint64_t word = side.sentences[begin]; word < side.sentences[end]; ++word) {
      if (!side.kept[word]) continue;
      out.words.push_back(word);
      out.plain_keys.push_back(texts_.form(side, word, false).key);
      out.expanded_keys.push_back(texts_.form(side, word, true).key);
    }
  }
  void fill(Side& side, bool written_out, size_t from) const {
    side.text.clear();
    for (size_t number = from; number < side.words.size(); ++number) {
      const auto characters = texts_.characters(texts_.form(*side.side, side.words[number], written_out));
      side.text.characters.insert(side.text.characters.end(), characters.begin(), characters.end());
      side.text.ends.push_back(static_cast<uint32_t>(side.text.characters.size()));
    }
  }
  bool same_text(std::vector<SegmentGroup>& groups) const {
    if (gold_.text.characters != test_.text.characters) return false;
    cut_at_common_ends(gold_.text.ends, test_.text.ends, groups);
    return true;
  }
  // Words of very long and different sentences: between words in a row that are the same and occur once.
  void align_in_pieces(std::vector<SegmentGroup>& groups);

  const TextAlignment& texts_;
  SegmentAligner aligner_;
  Side gold_, test_;
};

SegmentedText part(const SegmentedText& text, size_t begin, size_t end) {
  SegmentedText out;
  const auto characters = text.range(begin, end);
  out.characters.assign(characters.begin(), characters.end());
  for (size_t segment = begin; segment < end; ++segment)
    out.ends.push_back(text.ends[segment] - static_cast<uint32_t>(text.begin_of(begin)));
  return out;
}

void WordGrouper::align_in_pieces(std::vector<SegmentGroup>& groups) {
  constexpr size_t kLength = 3;
  Anchors anchors;
  const SegmentedText* texts[] = {&gold_.text, &test_.text};
  for (int side = 0; side < 2; ++side) {
    for (size_t word = 0; word + kLength <= texts[side]->size(); ++word) {
      uint64_t number = 0;
      for (size_t k = 0; k < kLength; ++k) {
        for (const uint32_t character : texts[side]->range(word + k, word + k + 1))
          number = mixed(number + character + 1);
        number = mixed(~number);
      }
      anchors.add(side, number, word);
    }
  }
  const auto same = [&](size_t gold, size_t test) {
    for (size_t k = 0; k < kLength; ++k)
      if (!std::ranges::equal(gold_.text.range(gold + k, gold + k + 1), test_.text.range(test + k, test + k + 1)))
        return 0u;
    return 1u;
  };
  size_t gold = 0, test = 0;
  const auto close = [&](size_t gold_end, size_t test_end) {
    const SegmentedText a = part(gold_.text, gold, gold_end), b = part(test_.text, test, test_end);
    if (!aligner_.align(a, b, kWordCosts, kMostCells, groups))
      groups.push_back({static_cast<uint32_t>(a.size()), static_cast<uint32_t>(b.size())});
    gold = gold_end;
    test = test_end;
  };
  for (const Anchor& anchor : in_common_order(anchors.unique(same), test_.text.size()))
    if (anchor.gold + 1 > gold && anchor.test + 1 > test) close(anchor.gold + 1, anchor.test + 1);
  if (gold < gold_.text.size() || test < test_.text.size()) close(gold_.text.size(), test_.text.size());
}

}  // namespace

void TextAlignment::align(WordForms forms, unsigned threads, Progress* progress) {
  assert(!identical_);
  forms_ = std::move(forms);
  std::vector<Gap> gaps;
  Gap rest{0, static_cast<uint32_t>(sides_[0].size()), 0, static_cast<uint32_t>(sides_[1].size())};
  const std::vector<Anchor> anchors = same_characters(*this) ? std::vector<Anchor>() : equal_sentences(*this);
  for (const Anchor& anchor : anchors) {
    gaps.push_back({rest.gold_begin, anchor.gold, rest.test_begin, anchor.test});
    rest.gold_begin = anchor.gold + 1;
    rest.test_begin = anchor.test + 1;
  }
  gaps.push_back(rest);
  std::vector<SegmentGroup> found;
  std::vector<int64_t> ends;
  std::vector<uint8_t> given_up(gaps.size(), 0);
  collect_in_parallel(gaps.size(), 16, threads, progress, found, ends, [&](const std::function<void()>& poll) {
    return [&, aligner = std::make_shared<SentenceAligner>(*this, poll)](size_t gap, std::vector<SegmentGroup>& out) {
      std::vector<SegmentGroup> groups;
      given_up[gap] = aligner->solve(gaps[gap], groups);
      out.insert(out.end(), groups.begin(), groups.end());
    };
  });
  Block block{0, 0, 0, 0};
  const auto add = [&](const SegmentGroup& group) {
    block = {block.gold_end, block.gold_end + group.gold, block.test_end, block.test_end + group.test};
    blocks_.push_back(block);
  };
  size_t at = 0;
  for (size_t gap = 0; gap < gaps.size(); ++gap) {
    if (gap > 0) add({1, 1});  // the anchor before it
    given_up_.resize(blocks_.size(), 0);
    for (; at < static_cast<size_t>(ends[gap]); ++at) add(found[at]);
    given_up_.resize(blocks_.size(), given_up[gap]);
  }
  assert(block.gold_end == sides_[0].size() && block.test_end == sides_[1].size());
  expanded_.assign(blocks_.size(), 0);
  collect_in_parallel(
      blocks_.size(), 64, threads, progress, groups_, group_ends_, [&](const std::function<void()>& poll) {
        return
            [&, grouper = std::make_shared<WordGrouper>(*this, poll)](size_t number, std::vector<SegmentGroup>& out) {
              expanded_[number] = grouper->solve(blocks_[number], out);
            };
      });
}

}  // namespace treescore
