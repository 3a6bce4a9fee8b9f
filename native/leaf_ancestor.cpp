#include "leaf_ancestor.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace treescore {
namespace {

constexpr size_t kBlock = 32;  // pairs that a thread takes at once
constexpr double kSecondsPerStep = 1.5e-9;
constexpr double kPollAfter = 1 << 22;     // steps
constexpr int32_t kMostWords = 1 << 22;    // so that their similarities fit one sum
constexpr size_t kMostSymbols = 1 << 28;   // so that twice the cost of a path fits a number
constexpr size_t kMostShown = 20'000'000;  // symbols of paths that are written out
constexpr Weight kOne = Weight{1} << kWeightBits;
constexpr int64_t kGap = 2;  // twice the cost of inserting or deleting

std::vector<PathSymbol> symbols(const SideRules& side, const LeafAncestorRules& rules) {
  std::vector<PathSymbol> out;
  out.reserve(side.label_key.size());
  for (const uint32_t key : side.label_key)
    out.push_back(rules.labelled ? PathSymbol{key, rules.kind[key]} : PathSymbol{0, 0});
  return out;
}

// A share of 1 for a distance, which is at most twice the length of both paths.
Weight similarity(int64_t distance, size_t length) {
  if (distance == 0) return kOne;
  const auto most = static_cast<double>(kGap) * static_cast<double>(length);
  return std::llround(std::ldexp((most - static_cast<double>(distance)) / most, kWeightBits));
}

}  // namespace

// ---- Paths

void LeafAncestorScorer::Side::begin() {
  labels.clear();
  nodes.clear();
  labels.reserve(static_cast<size_t>(lineages->phrases()));
  nodes.reserve(static_cast<size_t>(lineages->phrases()));
}

void LeafAncestorScorer::Side::take(int32_t word) {
  const auto kept = static_cast<size_t>(lineages->shared(word));
  const auto opened = lineages->opened(word);
  labels.resize(kept + opened.size());
  nodes.resize(kept + opened.size());
  for (size_t place = 0; place < opened.size(); ++place) {
    nodes[kept + place] = opened[place];
    labels[kept + place] = symbols[tree->nodes[static_cast<size_t>(opened[place])].label];
  }
}

// A phrase begins at a word if it is not above the word before, and ends there if it is not above the next one. Unless
// the word is the first or last one of the phrase, this is at a gap.
void LeafAncestorScorer::Side::find_marks(int32_t word, Marks kind) {
  mark_count = 0;
  if (kind == Marks::kUnmarked) return;
  if (lineages->has_gaps()) return find_marks_beside_gaps(word, kind);
  const auto depth = static_cast<int32_t>(nodes.size());
  const int32_t first = lineages->shared(word), last = lineages->shared(word + 1);
  if (last < depth) add_mark(2 * last, PathSymbol::kEnd);
  if (first < depth) add_mark(kind == Marks::kOutside && first == 0 ? 0 : 2 * first + 1, PathSymbol::kBegin);
}

void LeafAncestorScorer::Side::find_marks_beside_gaps(int32_t word, Marks kind) {
  // The places of the highest phrase, from `place` on, that has its first (or last) word here and of one that has not.
  struct Places {
    int32_t edge = -1, gap = -1;
  };
  const auto highest = [&](int32_t place, const auto& is_edge) {
    Places places;
    for (; place < std::ssize(nodes) && (places.edge < 0 || places.gap < 0); ++place) {
      int32_t& highest_place = is_edge(nodes[static_cast<size_t>(place)]) ? places.edge : places.gap;
      if (highest_place < 0) highest_place = place;
    }
    return places;
  };
  const Places begin = highest(lineages->shared(word), [&](int32_t node) { return lineages->first(node) == word; });
  const Places end = highest(lineages->shared(word + 1), [&](int32_t node) { return lineages->end(node) == word + 1; });
  if (end.edge >= 0) add_mark(2 * end.edge, PathSymbol::kEnd);
  if (kind == Marks::kOutside) {
    if (begin.edge >= 0) add_mark(begin.edge == 0 ? 0 : 2 * begin.edge + 1, PathSymbol::kBegin);
    return;
  }
  if (end.gap >= 0) add_mark(2 * end.gap, PathSymbol::kGapEnd);
  if (begin.edge >= 0) add_mark(2 * begin.edge + 1, PathSymbol::kBegin);
  if (begin.gap >= 0) add_mark(2 * begin.gap + 1, PathSymbol::kGapBegin);
}

void LeafAncestorScorer::Side::add_mark(int32_t slot, uint32_t which) {
  size_t place = mark_count++;
  for (; place > 0 && marks[place - 1].slot > slot; --place) marks[place] = marks[place - 1];
  marks[place] = {slot, PathSymbol::mark(which)};
}

// The path from this label on; there is no mark before it.
void LeafAncestorScorer::Side::write_path(size_t from) {
  path.clear();
  for (size_t mark = 0; mark < mark_count; ++mark) {
    const size_t before = marks[mark].labels_before();
    path.insert(path.end(), labels.begin() + static_cast<std::ptrdiff_t>(from),
                labels.begin() + static_cast<std::ptrdiff_t>(before));
    path.push_back(marks[mark].symbol);
    from = before;
  }
  path.insert(path.end(), labels.begin() + static_cast<std::ptrdiff_t>(from), labels.end());
}

// ---- Distances

// Whether there is time for this many more steps.
void LeafAncestorScorer::check(double steps) const {
  if ((steps_ + steps) * kSecondsPerStep > rules_.limit) throw TooMuch();
}

void LeafAncestorScorer::charge(double steps) {
  check(steps);
  steps_ += steps;
  unpolled_ += steps;
  if (unpolled_ < kPollAfter) return;
  unpolled_ = 0;
  if (poll_) poll_();
}

// The distance of the paths of the current word, whose first labels are the same.
int64_t LeafAncestorScorer::distance(size_t same_labels) {
  size_t from = same_labels;
  for (const Side* side : {&gold_, &test_})
    for (size_t mark = 0; mark < side->mark_count; ++mark) from = std::min(from, side->marks[mark].labels_before());
  charge(static_cast<double>(gold_.length() + test_.length() - 2 * from));
  gold_.write_path(from);
  test_.write_path(from);
  return edit_distance(gold_.path, test_.path);
}

// Equal symbols at either end belong together in some optimal edit, as all insertions and deletions cost the same.
int64_t LeafAncestorScorer::edit_distance(std::span<const PathSymbol> a, std::span<const PathSymbol> b) {
  if (a.size() > b.size()) std::swap(a, b);
  const auto begins = static_cast<size_t>(std::mismatch(a.begin(), a.end(), b.begin()).first - a.begin());
  a = a.subspan(begins);
  b = b.subspan(begins);
  const auto ends = static_cast<size_t>(std::mismatch(a.rbegin(), a.rend(), b.rbegin()).first - a.rbegin());
  a = a.first(a.size() - ends);
  b = b.first(b.size() - ends);
  if (a.empty()) return kGap * static_cast<int64_t>(b.size());
  if (a.size() + b.size() > kMostSymbols) throw std::length_error("paths too long");
  // An edit that strays further than `margin` from the diagonals of both ends costs at least this much more.
  const auto longer = static_cast<int64_t>(b.size() - a.size());
  for (int64_t margin = 8;; margin *= 2) {
    const int64_t found = banded(a, b, margin);
    if (margin >= static_cast<int64_t>(a.size()) || found < kGap * (longer + 2 * (margin + 1))) return found;
  }
}

// The least cost of an edit that stays within this many diagonals; a is not longer than b.
int64_t LeafAncestorScorer::banded(std::span<const PathSymbol> a, std::span<const PathSymbol> b, int64_t margin) {
  constexpr int32_t kFar = std::numeric_limits<int32_t>::max() / 2;
  constexpr auto kStep = static_cast<int32_t>(kGap);
  const auto n = static_cast<int64_t>(a.size()), m = static_cast<int64_t>(b.size());
  const int64_t right = m - n + margin;
  const double width = static_cast<double>(std::min(m, margin + right) + 1);
  check(static_cast<double>(n) * width);  // before any of it is done
  row_.resize(b.size() + 1);
  for (int64_t j = 0; j <= std::min(m, right); ++j) row_[static_cast<size_t>(j)] = static_cast<int32_t>(j) * kStep;
  for (int64_t i = 1; i <= n; ++i) {
    charge(width);
    const int64_t first = std::max<int64_t>(0, i - margin), last = std::min(m, i + right);
    const PathSymbol symbol = a[static_cast<size_t>(i - 1)];
    int32_t diagonal = first > 0 ? row_[static_cast<size_t>(first - 1)] : kFar, left = kFar;
    if (last == i + right) row_[static_cast<size_t>(last)] = kFar;  // not in the row above
    for (int64_t j = first; j <= last; ++j) {
      int32_t& here = row_[static_cast<size_t>(j)];
      int32_t best = std::min(here, left) + kStep;
      if (j > 0) {
        const PathSymbol other = b[static_cast<size_t>(j - 1)];
        const int32_t cost = symbol == other             ? 0
                             : symbol.kind == other.kind ? rules_.costs.similar
                                                         : rules_.costs.other;
        best = std::min(best, diagonal + cost);
      }
      diagonal = here;
      here = left = best;
    }
  }
  return row_[b.size()];
}

// ---- Scoring

LeafAncestorScorer::LeafAncestorScorer(const LeafAncestorRules& rules, std::function<void()> poll)
    : rules_(rules), poll_(std::move(poll)) {
  gold_.lineages = &pair_.gold;
  gold_.tree = &pair_.gold_tree;
  gold_.symbols = symbols(rules.gold, rules);
  test_.lineages = &pair_.test;
  test_.tree = &pair_.test_tree;
  test_.symbols = symbols(rules.test, rules);
}

LeafAncestorRow LeafAncestorScorer::score(const Columns& gold, size_t gold_index, const Columns& test,
                                          size_t test_index) {
  return score(gold, gold_index, test, test_index, nullptr, nullptr);
}

LeafAncestorRow LeafAncestorScorer::paths(const Columns& gold, size_t gold_index, const Columns& test,
                                          size_t test_index, std::vector<WordPaths>& out) {
  return score(gold, gold_index, test, test_index, nullptr, &out);
}

LeafAncestorRow LeafAncestorScorer::score(const Columns& gold, size_t gold_index, const Columns& test,
                                          size_t test_index, std::vector<Word>* words, std::vector<WordPaths>* paths) {
  LeafAncestorRow row;
  steps_ = 0;
  try {
    std::array<int64_t, 2> detail{};
    row.reason = pair_.read(gold, gold_index, test, test_index, rules_, detail);
    row.detail = detail[0];
    row.other_detail = detail[1];
    row.length = pair_.gold.words();
    if (row.length > kMostWords) {
      row.reason = reason::kTooComplex;
      row.detail = reason::kSums;
    } else if (row.reason == reason::kScored) {
      score_words(row, words, paths);
    }
  } catch (const TooMuch&) {
    row.reason = reason::kTooComplex;
    row.detail = reason::kAboveLimit;
  } catch (const TooLongToShow&) {
    throw;
  } catch (const std::length_error&) {
    row.reason = reason::kTooComplex;
    row.detail = reason::kMemory;
  }
  const bool unparsed = is_unparsed(row.reason), counts = unparsed || row.reason == reason::kScored;
  row.valid = counts;
  row.errors = !counts && row.reason != reason::kBothEmpty;
  row.lost = row.reason == reason::kTooComplex;
  row.gold_faults = row.reason == reason::kGoldFault;
  row.excluded = !counts && !row.lost && !row.gold_faults && row.length == 0;
  row.words_all = row.lost || row.gold_faults ? 0 : row.length;
  if (!row.lost && !row.gold_faults && !row.excluded)
    pair_.set_causes(rules_, gold.vocabulary(), test.vocabulary(), row);
  if (!counts) {
    row.words = row.word_score = row.exact_words = 0;
    if (row.words_all > 0) set_failed(row, pair_.gold.phrases(), pair_.test.phrases());
    return row;
  }
  row.words = row.length;
  row.gold = pair_.gold.phrases();
  row.test = pair_.test.phrases();
  row.sentence_score = (row.word_score + row.words / 2) / row.words;
  row.exact = row.exact_words == row.words;
  if (unparsed)
    set_failed(row, row.gold, row.test);
  else
    set_scored(row);
  for (const TreeView* tree : {&pair_.gold_tree, &pair_.test_tree}) {
    if (tree->leaves.empty()) continue;
    row.empty_phrases +=
        std::count_if(tree->nodes.begin(), tree->nodes.end(), [](const Node& node) { return node.end <= node.first; });
  }
  return row;
}

void LeafAncestorScorer::score_words(LeafAncestorRow& row, std::vector<Word>* words, std::vector<WordPaths>* paths) {
  gold_.begin();
  test_.begin();
  size_t same = 0;  // labels at the top of both paths
  size_t shown = 0;
  int64_t unmarked = -1;  // the distance of the paths without marks, if it was asked for since they last changed
  for (int32_t word = 0; word < pair_.gold.words(); ++word) {
    for (Side* side : {&gold_, &test_}) {
      const auto depth = static_cast<size_t>(side->lineages->shared(word));
      if (depth < side->labels.size() || !side->lineages->opened(word).empty()) unmarked = -1;
      same = std::min(same, depth);
      side->take(word);
      side->find_marks(word, rules_.marks);
    }
    const size_t shorter = std::min(gold_.labels.size(), test_.labels.size());
    while (same < shorter && gold_.labels[same] == test_.labels[same]) ++same;
    const bool marked = gold_.mark_count + test_.mark_count > 0;
    int64_t apart = 0;
    if (same < gold_.labels.size() || same < test_.labels.size() || !gold_.same_marks(test_)) {
      apart = marked || unmarked < 0 ? distance(same) : unmarked;
      if (!marked) unmarked = apart;
    }
    const Weight alike = similarity(apart, gold_.length() + test_.length());
    row.word_score += alike;
    row.exact_words += apart == 0;
    if (words) words->push_back({innermost_key(), alike, apart == 0});
    if (paths) {
      shown += gold_.length() + test_.length();
      if (shown > kMostShown) throw TooLongToShow("the paths of these trees are too long to be shown");
      gold_.write_path(0);
      test_.write_path(0);
      paths->push_back({pair_.gold.leaf(word), pair_.test.leaf(word), gold_.path, test_.path, alike});
    }
  }
}

uint32_t LeafAncestorScorer::innermost_key() const {
  if (gold_.nodes.empty()) return kNone;
  return rules_.gold.label_key[gold_.tree->nodes[static_cast<size_t>(gold_.nodes.back())].label];
}

void LeafAncestorScorer::add_by_label(const Columns& gold, size_t gold_index, const Columns& test, size_t test_index,
                                      std::vector<LabelSums>& table) {
  table.resize(rules_.kind.size() + 1);
  std::vector<Word> words;
  const LeafAncestorRow row = score(gold, gold_index, test, test_index, &words, nullptr);
  if (!row.valid && !row.failed) return;
  if (row.failed) {  // its words were not compared, and all score 0
    gold_.begin();
    for (int32_t word = 0; word < pair_.gold.words(); ++word) {
      gold_.take(word);
      words.push_back({innermost_key(), 0, false});
    }
  }
  for (const Word& word : words) {
    LabelSums& sums = table[word.key == kNone ? rules_.kind.size() : word.key];
    ++sums.words_all;
    sums.words += row.valid;
    sums.exact += word.exact;
    sums.score.add(word.score);
  }
}

void score_all(const Columns& gold, size_t gold_begin, const Columns& test, size_t test_begin, size_t count,
               const LeafAncestorRules& rules, unsigned threads, const ColumnsOf<LeafAncestorRow>& columns,
               Progress* progress) {
  in_parallel(count, kBlock, threads, progress, [&](const std::function<void()>& poll) {
    return [&, scorer = std::make_unique<LeafAncestorScorer>(rules, poll)](size_t pair) {
      write_row(scorer->score(gold, gold_begin + pair, test, test_begin + pair), pair, columns);
    };
  });
}

}  // namespace treescore
