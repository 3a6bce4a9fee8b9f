#include "dependency_score.hpp"

#include <algorithm>
#include <functional>
#include <memory>

#include "sequences.hpp"

namespace treescore {
namespace {

constexpr size_t kBlock = 16;                       // units that a thread takes at once
constexpr uint32_t kNobody = UINT32_MAX;            // no aligned word
constexpr uint64_t kMostCells = uint64_t{1} << 32;  // of the table for the words of a stretch
constexpr WordCosts kSubsequence{1, 1, 3};          // never a pair of different characters

void append_text(const DependencySide& side, size_t first_token, size_t last_token, std::vector<uint32_t>& out) {
  for (size_t token = first_token; token < last_token; ++token) {
    const std::span<const uint32_t> characters = side.keys.characters.of(side.columns.token_form[token]);
    out.insert(out.end(), characters.begin(), characters.end());
  }
}

}  // namespace

bool place_characters(std::span<const uint32_t> gold, std::span<const uint32_t> test,
                      std::vector<uint32_t>& gold_places, std::vector<uint32_t>& test_places, Progress& progress) {
  gold_places.clear();
  test_places.clear();
  const size_t shorter = std::min(gold.size(), test.size());
  size_t before = 0, behind = 0;
  while (before < shorter && gold[before] == test[before]) ++before;
  while (behind < shorter - before && gold[gold.size() - behind - 1] == test[test.size() - behind - 1]) ++behind;
  uint32_t place = 0;
  const auto share = [&](size_t count) {
    for (size_t k = 0; k < count; ++k, ++place) {
      gold_places.push_back(place);
      test_places.push_back(place);
    }
  };
  share(before);
  const auto a = gold.subspan(before, gold.size() - before - behind);
  const auto b = test.subspan(before, test.size() - before - behind);
  const bool swapped = b.size() < a.size() ||
                       (a.size() == b.size() && std::lexicographical_compare(b.begin(), b.end(), a.begin(), a.end()));
  bool aligned = true;
  try {
    const WordPath path = swapped ? align_words({b, {}}, {a, {}}, kSubsequence, {}, Ties::kEarlyGap, progress)
                                  : align_words({a, {}}, {b, {}}, kSubsequence, {}, Ties::kEarlyGap, progress);
    for (const WordStep& step : path.steps) {
      if ((swapped ? step.hyp : step.ref) >= 0) gold_places.push_back(place);
      if ((swapped ? step.ref : step.hyp) >= 0) test_places.push_back(place);
      ++place;
    }
  } catch (const SequencesTooLong&) {
    aligned = false;
    for (size_t k = 0; k < a.size(); ++k) gold_places.push_back(place++);
    for (size_t k = 0; k < b.size(); ++k) test_places.push_back(place++);
  }
  share(behind);
  return aligned;
}

std::optional<TextDifference> first_difference(const DependencySide& gold, const DependencySide& test) {
  const std::array sides{&gold, &test};
  std::array<std::vector<uint32_t>, 2> texts;
  for (size_t side = 0; side < 2; ++side) append_text(*sides[side], 0, sides[side]->columns.tokens(), texts[side]);
  if (texts[0] == texts[1]) return std::nullopt;
  const auto [at, _] = std::mismatch(texts[0].begin(), texts[0].end(), texts[1].begin(), texts[1].end());
  TextDifference found{static_cast<size_t>(at - texts[0].begin()), {}, {}};
  for (size_t side = 0; side < 2; ++side) {
    const auto& [columns, keys] = *sides[side];
    size_t token = 0;
    for (size_t end = 0; token < columns.tokens(); ++token) {
      end += keys.characters.of(columns.token_form[token]).size();
      if (end > found.character) break;
    }
    const auto& begins = columns.sentence_token;
    found.sentence[side] =
        token == columns.tokens()
            ? columns.sentences()
            : static_cast<size_t>(std::upper_bound(begins.begin(), begins.end(), token) - begins.begin()) - 1;
    const size_t end = std::min(texts[side].size(), found.character + TextDifference::kShown);
    found.rest[side].assign(texts[side].begin() + static_cast<ptrdiff_t>(found.character),
                            texts[side].begin() + static_cast<ptrdiff_t>(end));
  }
  return found;
}

namespace {

class Scorer {
 public:
  Scorer(const DependencySide& gold, const DependencySide& test, std::function<void()> poll)
      : gold_(gold), test_(test) {
    progress_.poll = std::move(poll);
  }

  // A row for each gold sentence of the unit. Test sentences in a unit without gold sentences are not counted.
  void score(const DependencyUnit& unit, std::vector<DependencyRow>& rows) {
    rows.assign(unit.gold_end - unit.gold_begin, {});
    if (rows.empty()) return;
    align(unit);
    rows[0].text = text_;
    find_row_starts();
    count_ranges(rows, gold_.tokens, test_.tokens, &DependencyRow::tokens, &DependencyRow::tokens_gold,
                 &DependencyRow::tokens_test);
    count_ranges(rows, gold_.sentences, test_.sentences, &DependencyRow::sentences, &DependencyRow::sentences_gold,
                 &DependencyRow::sentences_test);
    list_function_words(gold_);
    list_function_words(test_);
    for (size_t sentence = 0; sentence < rows.size(); ++sentence) {
      const auto& begins = gold_.columns.sentence_word;
      for (size_t word = begins[unit.gold_begin + sentence]; word < begins[unit.gold_begin + sentence + 1]; ++word)
        count_gold_word(word - gold_.first_word, rows[sentence]);
    }
    for (size_t word = 0; word < test_.ranges.size(); ++word) {
      DependencyRow& row = rows[row_at(test_.ranges[word].start)];
      const size_t at = test_.first_word + word;
      ++row.words_test;
      row.content_test += test_.kind(at, DependencyKeys::kContent);
      row.edges_test += test_.edge_count(at);
    }
  }

  void align(const DependencyUnit& unit) {
    gold_.set(unit.gold_begin, unit.gold_end);
    test_.set(unit.test_begin, unit.test_end);
    text_ = place();
    align_words_of_unit();
  }

  std::vector<std::pair<uint32_t, uint32_t>> pairs() const {
    std::vector<std::pair<uint32_t, uint32_t>> out;
    for (size_t word = 0; word < partner_of_gold_.size(); ++word)
      if (partner_of_gold_[word] != kNobody)
        out.emplace_back(static_cast<uint32_t>(gold_.first_word + word),
                         static_cast<uint32_t>(test_.first_word + partner_of_gold_[word]));
    return out;
  }

 private:
  struct Side {
    explicit Side(const DependencySide& side) : given(side), columns(side.columns), keys(side.keys) {}

    const DependencySide given;
    const DependencyColumns& columns;
    const DependencyKeys& keys;
    size_t first_sentence = 0, last_sentence = 0, first_token = 0, last_token = 0, first_word = 0, last_word = 0;
    std::vector<uint32_t> text, places;
    std::vector<PlaceRange> tokens, sentences, ranges;     // the last of words; all from the beginning of the unit
    std::vector<uint8_t> in_range;                         // of words: they belong to a multi-word token
    std::vector<uint32_t> function_begin, function_words;  // below each word

    void set(size_t begin, size_t end) {
      first_sentence = begin, last_sentence = end;
      first_token = columns.sentence_token[begin], last_token = columns.sentence_token[end];
      first_word = columns.sentence_word[begin], last_word = columns.sentence_word[end];
      text.clear();
      append_text(given, first_token, last_token, text);
    }
    bool kind(size_t word, uint8_t what) const { return (keys.kind[columns.relation[word]] & what) != 0; }
    int64_t edge_count(size_t word) const { return columns.word_edge[word + 1] - columns.word_edge[word]; }

    // From the places of the characters.
    void set_ranges() {
      tokens.clear();
      sentences.clear();
      ranges.clear();
      in_range.clear();
      size_t at = 0;
      uint32_t here = 0;
      for (size_t sentence = first_sentence; sentence < last_sentence; ++sentence) {
        const size_t before = tokens.size();
        for (size_t token = columns.sentence_token[sentence]; token < columns.sentence_token[sentence + 1]; ++token) {
          const size_t size = keys.characters.of(columns.token_form[token]).size();
          const PlaceRange range =
              size == 0 ? PlaceRange{here, here} : PlaceRange{places[at], places[at + size - 1] + 1};
          at += size;
          here = range.end;
          tokens.push_back(range);
          const size_t words = columns.token_word[token + 1] - columns.token_word[token];
          ranges.insert(ranges.end(), words, range);
          in_range.insert(in_range.end(), words, columns.is_range[token]);
        }
        if (tokens.size() > before) sentences.push_back({tokens[before].start, tokens.back().end});
      }
    }
  };

  // ---- Places

  int64_t place() {
    int64_t state = DependencyText::kSameText;
    if (gold_.text == test_.text) {
      gold_.places.resize(gold_.text.size());
      for (size_t k = 0; k < gold_.places.size(); ++k) gold_.places[k] = static_cast<uint32_t>(k);
      test_.places = gold_.places;
    } else {
      const bool placed = place_characters(gold_.text, test_.text, gold_.places, test_.places, progress_);
      state = placed ? DependencyText::kOtherText : DependencyText::kTooDifferent;
    }
    gold_.set_ranges();
    test_.set_ranges();
    return state;
  }

  // The gold sentence that contains a place; a gap belongs to the sentence before it.
  void find_row_starts() {
    row_starts_.clear();
    uint32_t here = 0;
    size_t next = 0;
    for (size_t sentence = gold_.first_sentence; sentence < gold_.last_sentence; ++sentence) {
      const bool has_words = gold_.columns.sentence_token[sentence] < gold_.columns.sentence_token[sentence + 1];
      if (has_words) here = gold_.sentences[next++].start;
      row_starts_.push_back(has_words || sentence == gold_.first_sentence ? here : UINT32_MAX);
    }
    for (size_t row = row_starts_.size() - 1;
         row-- > 0;)  // a sentence without words has no places and is never returned
      if (row_starts_[row] == UINT32_MAX) row_starts_[row] = row_starts_[row + 1];
  }
  size_t row_at(uint32_t place) const {
    const auto behind = std::upper_bound(row_starts_.begin(), row_starts_.end(), place);
    return behind == row_starts_.begin() ? 0 : static_cast<size_t>(behind - row_starts_.begin()) - 1;
  }

  using Count = int64_t DependencyRow::*;
  void count_ranges(std::vector<DependencyRow>& rows, const std::vector<PlaceRange>& gold,
                    const std::vector<PlaceRange>& test, Count matched, Count of_gold, Count of_test) const {
    for (const PlaceRange& range : gold) ++(rows[row_at(range.start)].*of_gold);
    for (const PlaceRange& range : test) ++(rows[row_at(range.start)].*of_test);
    for (size_t g = 0, t = 0; g < gold.size() && t < test.size();) {
      const auto order = gold[g] <=> test[t];
      if (order == 0) ++(rows[row_at(gold[g].start)].*matched);
      g += order <= 0;
      t += order >= 0;
    }
  }

  // ---- Words

  // One walk over both sides, as the original does it. Words of the same range are a pair, and else the word that
  // begins first is passed over: if both do, the one without characters, which the original refuses, or that of gold. A
  // multi-word token opens a stretch, in which words are paired by their forms. The walk may have passed over more
  // words on one side than on the other: then the stretch takes in some that lie before it.
  void align_words_of_unit() {
    partner_of_gold_.assign(gold_.ranges.size(), kNobody);
    partner_of_test_.assign(test_.ranges.size(), kNobody);
    for (size_t g = 0, t = 0; g < gold_.ranges.size() && t < test_.ranges.size();) {
      const PlaceRange &gold = gold_.ranges[g], &test = test_.ranges[t];
      const bool gold_opens = opens_stretch(gold_, g), test_opens = opens_stretch(test_, t);
      if (!gold_opens && !test_opens) {
        if (gold == test)
          pair(g++, t++);
        else
          ++(gold.start < test.start || (gold.start == test.start && !is_empty(test)) ? g : t);
        continue;
      }
      uint32_t end = gold_opens ? gold.end : test.end;
      if (gold_opens && !test_opens)
        t += test.start < gold.start;
      else if (!gold_opens)
        g += gold.start < test.start;
      const size_t first_gold = g, first_test = t;
      const auto take = [&end](const Side& side, size_t& word) {
        if (side.in_range[word]) end = std::max(end, side.ranges[word].end);
        ++word;
      };
      while (!is_beyond(gold_, g, end) || !is_beyond(test_, t, end)) {
        const bool gold_is_next =
            g < gold_.ranges.size() && (t == test_.ranges.size() || gold_.ranges[g].start <= test_.ranges[t].start);
        if (gold_is_next)
          take(gold_, g);
        else
          take(test_, t);
      }
      align_stretch(first_gold, g, first_test, t);
    }
  }

  static bool is_empty(const PlaceRange& range) { return range.start == range.end; }
  // A multi-word token without characters has no words before its end.
  static bool opens_stretch(const Side& side, size_t word) {
    return side.in_range[word] && !is_empty(side.ranges[word]);
  }
  // A word without characters at the end is beyond it, so that words behind it do not get into the stretch of one side.
  static bool is_beyond(const Side& side, size_t word, uint32_t end) {
    if (word == side.ranges.size()) return true;
    const PlaceRange& range = side.ranges[word];
    return side.in_range[word] || is_empty(range) ? range.start >= end : range.end > end;
  }

  void pair(size_t gold, size_t test) {
    partner_of_gold_[gold] = static_cast<uint32_t>(test);
    partner_of_test_[test] = static_cast<uint32_t>(gold);
  }

  uint32_t form_key(const Side& side, size_t word) const {
    return side.keys.form[side.columns.form[side.first_word + word]];
  }

  // The longest common subsequence of their forms: from the left, equal ones are a pair; else the gold word is passed
  // over if the rest is as good without it, else the test word.
  void align_stretch(size_t gold, size_t gold_end, size_t test, size_t test_end) {
    const auto equal = [&](size_t g, size_t t) { return form_key(gold_, g) == form_key(test_, t); };
    while (gold < gold_end && test < test_end && equal(gold, test)) pair(gold++, test++);
    const size_t rows = gold_end - gold, columns = test_end - test;
    if (rows == 0 || columns == 0) return;
    if (static_cast<uint64_t>(rows) * columns > kMostCells) throw SequencesTooLong("a multi-word token is too long");
    keeps_.assign(rows * columns, false);
    below_.assign(columns + 1, 0);
    here_.assign(columns + 1, 0);
    for (size_t g = rows; g-- > 0;) {
      if (columns > 1000 && progress_.poll) progress_.poll();
      here_[columns] = 0;
      for (size_t t = columns; t-- > 0;) {
        here_[t] = equal(gold + g, test + t) ? below_[t + 1] + 1 : std::max(below_[t], here_[t + 1]);
        keeps_[g * columns + t] = below_[t] == here_[t];
      }
      std::swap(here_, below_);
    }
    for (size_t g = 0, t = 0; g < rows && t < columns;) {
      if (equal(gold + g, test + t))
        pair(gold + g++, test + t++);
      else if (keeps_[g * columns + t])
        ++g;
      else
        ++t;
    }
  }

  // ---- Counts

  void list_function_words(Side& side) {
    const size_t count = side.ranges.size();
    side.function_begin.assign(count + 1, 0);
    const auto mother = [&](size_t word) -> size_t {
      const int32_t head = side.columns.head[side.first_word + word];
      return head >= 0 && side.kind(side.first_word + word, DependencyKeys::kFunction)
                 ? static_cast<size_t>(head) - side.first_word
                 : count;
    };
    for (size_t word = 0; word < count; ++word)
      if (mother(word) < count) ++side.function_begin[mother(word) + 1];
    for (size_t word = 0; word < count; ++word) side.function_begin[word + 1] += side.function_begin[word];
    side.function_words.resize(side.function_begin[count]);
    filled_.assign(side.function_begin.begin(), side.function_begin.end());
    for (size_t word = 0; word < count; ++word)
      if (mother(word) < count) side.function_words[filled_[mother(word)]++] = static_cast<uint32_t>(word);
  }

  bool same_name(const std::vector<uint32_t> DependencyColumns::* column, size_t g, size_t t) const {
    return gold_.keys.name[(gold_.columns.*column)[g]] == test_.keys.name[(test_.columns.*column)[t]];
  }
  bool same_feats(size_t g, size_t t) const {
    return gold_.keys.feats[gold_.columns.feats[g]] == test_.keys.feats[test_.columns.feats[t]];
  }
  bool same_relation(size_t g, size_t t) const {
    return gold_.keys.relation[gold_.columns.relation[g]] == test_.keys.relation[test_.columns.relation[t]];
  }
  // Heads in the whole file. A word without a partner equals no other word.
  bool same_head(int32_t g, int32_t t) const {
    if (g < 0 || t < 0) return g == kRootHead && t == kRootHead;
    const uint32_t partner = partner_of_test_[static_cast<size_t>(t) - test_.first_word];
    return partner != kNobody && partner + gold_.first_word == static_cast<size_t>(g);
  }
  bool overlapping_head(int32_t g, int32_t t) const {
    if (g < 0 || t < 0) return g == kRootHead && t == kRootHead;
    const PlaceRange &a = gold_.ranges[static_cast<size_t>(g) - gold_.first_word],
                     &b = test_.ranges[static_cast<size_t>(t) - test_.first_word];
    return std::max(a.start, b.start) < std::min(a.end, b.end) || same_head(g, t);
  }

  bool same_function_words(size_t gold, size_t test) const {
    const auto list = [](const Side& side, size_t word) {
      return std::span(side.function_words)
          .subspan(side.function_begin[word], side.function_begin[word + 1] - side.function_begin[word]);
    };
    const auto a = list(gold_, gold), b = list(test_, test);
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [&](uint32_t g, uint32_t t) {
      const size_t gold_at = gold_.first_word + g, test_at = test_.first_word + t;
      return partner_of_test_[t] == g && same_relation(gold_at, test_at) &&
             same_name(&DependencyColumns::upos, gold_at, test_at) && same_feats(gold_at, test_at);
    });
  }

  // Every pair of edges of the two words that lead to the same head counts.
  void count_edges(size_t g, size_t t, DependencyRow& row) const {
    for (size_t a = gold_.columns.word_edge[g]; a < gold_.columns.word_edge[g + 1]; ++a) {
      for (size_t b = test_.columns.word_edge[t]; b < test_.columns.word_edge[t + 1]; ++b) {
        const DependencyEdge &wanted = gold_.columns.edges[a], &found = test_.columns.edges[b];
        if (!same_head(wanted.head, found.head)) continue;
        row.elas += gold_.keys.name[wanted.label] == test_.keys.name[found.label];
        row.eulas += gold_.keys.edge_type[wanted.label] == test_.keys.edge_type[found.label];
      }
    }
  }

  void count_gold_word(size_t word, DependencyRow& row) const {
    const size_t g = gold_.first_word + word;
    const bool content = gold_.kind(g, DependencyKeys::kContent);
    ++row.words_gold;
    row.content_gold += content;
    row.edges_gold += gold_.edge_count(g);
    if (partner_of_gold_[word] == kNobody) return;
    const size_t partner = partner_of_gold_[word], t = test_.first_word + partner;
    const bool upos = same_name(&DependencyColumns::upos, g, t), xpos = same_name(&DependencyColumns::xpos, g, t);
    const bool feats = same_feats(g, t);
    const bool lemma = same_name(&DependencyColumns::lemma, g, t) ||
                       (gold_.keys.kind[gold_.columns.lemma[g]] & DependencyKeys::kUnspecified) != 0;
    const bool head = same_head(gold_.columns.head[g], test_.columns.head[t]);
    const bool overlap = overlapping_head(gold_.columns.head[g], test_.columns.head[t]);
    const bool relation = same_relation(g, t);
    ++row.words;
    row.upos += upos;
    row.xpos += xpos;
    row.ufeats += feats;
    row.alltags += upos && xpos && feats;
    row.lemmas += lemma;
    row.uas += head;
    row.las += head && relation;
    row.uas_overlap += overlap;
    row.las_overlap += overlap && relation;
    count_edges(g, t, row);
    if (!content) return;
    ++row.content;
    const bool clas = head && relation;
    row.clas += clas;
    row.mlas += clas && upos && feats && same_function_words(word, partner);
    row.blex += clas && lemma;
  }

  Side gold_, test_;
  Progress progress_;
  int64_t text_ = DependencyText::kSameText;
  std::vector<uint32_t> row_starts_;
  std::vector<uint32_t> partner_of_gold_, partner_of_test_;  // from the beginning of the unit
  std::vector<bool> keeps_;
  std::vector<uint32_t> below_, here_, filled_;
};

}  // namespace

void score_dependencies(const DependencySide& gold, const DependencySide& test,
                        const std::vector<DependencyUnit>& units, unsigned threads,
                        const ColumnsOf<DependencyRow>& columns, Progress* progress) {
  in_parallel(units.size(), kBlock, threads, progress, [&](const std::function<void()>& poll) {
    return [&, scorer = std::make_unique<Scorer>(gold, test, poll),
            rows = std::vector<DependencyRow>()](size_t number) mutable {
      scorer->score(units[number], rows);
      for (size_t row = 0; row < rows.size(); ++row) write_row(rows[row], units[number].gold_begin + row, columns);
    };
  });
}

std::vector<std::pair<uint32_t, uint32_t>> aligned_words(const DependencySide& gold, const DependencySide& test,
                                                         const DependencyUnit& unit) {
  Scorer scorer(gold, test, {});
  scorer.align(unit);
  return scorer.pairs();
}

}  // namespace treescore
