#include "aligned_parseval.hpp"

#include <algorithm>

namespace treescore {
namespace {

int32_t characters_in(std::string_view utf8) {
  return static_cast<int32_t>(std::ranges::count_if(utf8, [](char byte) { return (byte & 0xC0) != 0x80; }));
}

}  // namespace

void AlignedScorer::collect_words(const TextSide& text, const TreeRange& trees, const SideRules& rules, size_t begin,
                                  size_t end, Side& side) const {
  side.words.clear();
  side.length = 0;
  for (size_t sentence = begin; sentence < end; ++sentence) {
    const TreeView tree = trees.tree(sentence);
    for (size_t leaf = 0; leaf < tree.leaves.size(); ++leaf) {
      const uint32_t tag = tree.leaves[leaf].tag;
      const bool uncounted = tag != kNone && (rules.tag_flags[tag] & SideRules::kUncounted) != 0;
      if (!uncounted) ++side.length;
      const uint64_t number = text.sentences[sentence] + leaf;
      if (!text.kept[number]) continue;
      const auto place = static_cast<int32_t>(side.words.size());
      side.words.push_back({number, tag == kNone ? rules.no_tag_key : rules.tag_key[tag], place, place + 1,
                            characters_in(tree.word(leaf))});
    }
  }
}

// The brackets that count and have words, between the places of their first and last word.
void AlignedScorer::collect_brackets(const TextSide& text, const TreeRange& trees, const SideRules& rules, size_t begin,
                                     size_t end, Side& side) {
  side.brackets.clear();
  side.keys.clear();
  size_t before = 0;  // words of earlier sentences
  for (size_t sentence = begin; sentence < end; ++sentence) {
    const TreeView tree = trees.tree(sentence);
    kept_before_.assign(1, 0);
    for (size_t leaf = 0; leaf < tree.leaves.size(); ++leaf)
      kept_before_.push_back(kept_before_.back() + (text.kept[text.sentences[sentence] + leaf] ? 1 : 0));
    for (const Node& node : tree.nodes) {
      if (rules.label_deleted[node.label]) continue;
      const int32_t first = kept_before_[static_cast<size_t>(node.first)];
      const int32_t last = kept_before_[static_cast<size_t>(std::max(node.first, node.end))];
      if (first >= last) continue;
      const uint32_t key = rules.label_key[node.label];
      side.brackets.push_back({side.words[before + static_cast<size_t>(first)].start,
                               side.words[before + static_cast<size_t>(last) - 1].end, rules_.labelled ? key : 0});
      side.keys.push_back(key);
    }
    before += static_cast<size_t>(kept_before_.back());
  }
}

uint32_t AlignedScorer::text_key(const TextSide& text, const Word& word, bool expanded) const {
  return texts_.form(text, word.number, expanded).key;
}

int64_t AlignedScorer::size(std::span<const Word> words) {
  int64_t sum = 0;
  for (const Word& word : words) sum += word.size;
  return sum;
}

// Words of a group that have the same tag and the same text.
int64_t AlignedScorer::common_tags(size_t gold, size_t gold_end, size_t test, size_t test_end, bool expanded) {
  gold_tags_.clear();
  test_tags_.clear();
  for (size_t word = gold; word < gold_end; ++word)
    gold_tags_.emplace_back(text_key(texts_.gold(), gold_.words[word], expanded), gold_.words[word].tag_key);
  for (size_t word = test; word < test_end; ++word)
    test_tags_.emplace_back(text_key(texts_.test(), test_.words[word], expanded), test_.words[word].tag_key);
  int64_t common = 0;
  if (!rules_.equal_tags.empty()) {  // tags equal to others but not to each other are paired in order
    for (const auto& word : gold_tags_) {
      const auto partner = std::ranges::find_if(test_tags_, [&](const auto& other) {
        return other.first == word.first && rules_.equal_tags.equal(word.second, other.second);
      });
      if (partner == test_tags_.end()) continue;
      test_tags_.erase(partner);
      ++common;
    }
    return common;
  }
  std::ranges::sort(gold_tags_);
  std::ranges::sort(test_tags_);
  for (size_t i = 0, j = 0; i < gold_tags_.size() && j < test_tags_.size();) {
    const bool same = gold_tags_[i] == test_tags_[j], earlier = gold_tags_[i] < test_tags_[j];
    common += same;
    i += same || earlier;
    j += same || !earlier;
  }
  return common;
}

// Puts the words of both sides into the groups of the block; false if there are none.
bool AlignedScorer::place_by_groups(size_t block, AlignedRow& row) {
  const bool expanded = texts_.expanded(block);
  if (gold_.words.empty() || test_.words.empty()) return false;
  if (texts_.identical()) {
    for (size_t word = 0; word < gold_.words.size(); ++word)
      row.tags += rules_.equal_tags.equal(gold_.words[word].tag_key, test_.words[word].tag_key);
    row.tokens = row.words;
    return true;
  }
  size_t gold = 0, test = 0;
  int32_t number = 0;
  for (const SegmentGroup& group : texts_.groups(block)) {
    const size_t gold_end = gold + group.gold, test_end = test + group.test;
    for (size_t word = gold; word < gold_end; ++word)
      gold_.words[word].start = number, gold_.words[word].end = number + 1;
    for (size_t word = test; word < test_end; ++word)
      test_.words[word].start = number, test_.words[word].end = number + 1;
    if (group.gold == 1 && group.test == 1) {
      ++row.tokens;
      row.tags += rules_.equal_tags.equal(gold_.words[gold].tag_key, test_.words[test].tag_key);
    } else {
      row.tags += common_tags(gold, gold_end, test, test_end, expanded);
      row.widened += size(std::span(gold_.words).subspan(gold, group.gold)) +
                     size(std::span(test_.words).subspan(test, group.test));
      gold_.nested = gold_.nested && group.gold == 1;
    }
    gold = gold_end;
    test = test_end;
    ++number;
  }
  return true;
}

bool AlignedScorer::place_by_characters(AlignedRow& row) {
  int32_t lengths[2];
  const TextSide* texts[] = {&texts_.gold(), &texts_.test()};
  Side* sides[] = {&gold_, &test_};
  for (int side = 0; side < 2; ++side) {
    int32_t at = 0;
    for (Word& word : sides[side]->words) {
      word.start = at;
      // Blocks of any length are compared where both sides have the same words.
      at += texts_.identical() ? 1 : static_cast<int32_t>(texts_.form(*texts[side], word.number, false).size());
      word.end = at;
    }
    lengths[side] = at;
  }
  row.unequal = row.paired && lengths[0] != lengths[1];
  if (row.unequal || lengths[0] == 0 || lengths[1] == 0) return false;
  for (size_t i = 0, j = 0; i < gold_.words.size() && j < test_.words.size();) {
    const Word &a = gold_.words[i], &b = test_.words[j];
    if (a.start == b.start && a.end == b.end) {
      ++row.tokens;
      row.tags += rules_.equal_tags.equal(a.tag_key, b.tag_key);
    }
    i += a.end <= b.end;
    j += b.end <= a.end;
  }
  return true;
}

void AlignedScorer::collect(size_t block) {
  const Block& own = texts_.blocks()[block];
  AlignedRow& row = row_;
  row = {};
  row.gold_first = own.gold_begin;
  row.test_first = own.test_begin;
  row.gold_sentences = own.gold_end - own.gold_begin;
  row.test_sentences = own.test_end - own.test_begin;
  row.paired = own.paired();
  row.given_up = texts_.given_up(block);
  row.one_to_one = row.gold_sentences == 1 && row.test_sentences == 1;
  row.test_only = row.gold_sentences == 0;
  failed_keys_.clear();
  collect_words(texts_.gold(), trees_[0], rules_.gold, own.gold_begin, own.gold_end, gold_);
  collect_words(texts_.test(), trees_[1], rules_.test, own.test_begin, own.test_end, test_);
  row.length = gold_.length;
  row.skipped = rules_.most_length >= 0 && row.length > rules_.most_length;
  const auto nested_trees = [](const TreeRange& trees, size_t begin, size_t end) {
    for (size_t sentence = begin; sentence < end; ++sentence)
      if (!trees.tree(sentence).nested) return false;
    return true;
  };
  row.errors = !row.skipped && !(nested_trees(trees_[0], own.gold_begin, own.gold_end) &&
                                 nested_trees(trees_[1], own.test_begin, own.test_end));
  row.valid = !row.skipped && !row.errors;
  if (!row.valid) {
    row.left_out_sentences = row.gold_sentences + row.test_sentences;
    row.paired = row.one_to_one = 0;
    row.excluded = row.skipped;
    row.gold_faults = row.errors && !nested_trees(trees_[0], own.gold_begin, own.gold_end);
    if (!row.excluded && !row.gold_faults && !row.test_only) {
      collect_brackets(texts_.gold(), trees_[0], rules_.gold, own.gold_begin, own.gold_end, gold_);
      set_failed(row, std::ssize(gold_.brackets), 0);
      row.words_all = std::ssize(gold_.words);
      row.paired_all = row.valid_all = 1;
      failed_keys_.swap(gold_.keys);
    }
    for (Side* side : {&gold_, &test_}) {
      side->brackets.clear();
      side->keys.clear();
    }
    return;
  }
  row.words = static_cast<int64_t>(gold_.words.size());
  row.test_words = static_cast<int64_t>(test_.words.size());
  row.characters = size(gold_.words) + size(test_.words);
  gold_.nested = true;
  const bool common = rules_.characters ? place_by_characters(row) : place_by_groups(block, row);
  collect_brackets(texts_.gold(), trees_[0], rules_.gold, own.gold_begin, own.gold_end, gold_);
  collect_brackets(texts_.test(), trees_[1], rules_.test, own.test_begin, own.test_end, test_);
  row.gold = static_cast<int64_t>(gold_.brackets.size());
  row.test = static_cast<int64_t>(test_.brackets.size());
  if (row.test_only || row.paired || !gold_.words.empty()) {
    if (!row.test_only && !gold_.words.empty() && test_.words.empty()) {
      set_failed(row, row.gold, row.test);
      failed_keys_ = gold_.keys;
    } else {
      set_scored(row);
    }
    row.words_all = row.words;
  } else {  // gold has nothing here, for a good reason or not
    row.gold_faults = trees_[0].faulty(own.gold_begin);
    row.excluded = !row.gold_faults;
  }
  row.paired_all = row.paired || row.failed;
  row.valid_all = 1;
  if (!common) {  // nothing can match
    gold_.brackets.clear();
    test_.brackets.clear();
  }
}

AlignedRow AlignedScorer::score(size_t block) {
  collect(block);
  const Block& own = texts_.blocks()[block];
  if (own.paired() && !row_.excluded && !row_.gold_faults) {
    const TreeView gold = trees_[0].tree(own.gold_begin), test = trees_[1].tree(own.test_begin);
    row_.outer_differs = outer_differs({gold, rules_.gold, trees_[0].columns->vocabulary()},
                                       {test, rules_.test, trees_[1].columns->vocabulary()});
  }
  const BracketMatcher::Result result =
      matcher_.count(gold_.brackets, test_.brackets, rules_.equal_labels, gold_.nested);
  row_.matched = rules_.labelled ? result.matched : result.unlabelled;
  row_.unlabelled = result.unlabelled;
  row_.crossing = result.crossing;
  row_.no_crossing = row_.paired && result.crossing == 0;
  row_.two_or_less_crossing = row_.paired && result.crossing <= 2;
  row_.exact = row_.paired && row_.matched == row_.gold && row_.matched == row_.test;
  return row_;
}

void AlignedScorer::add_by_label(size_t block, std::vector<LabelCount>& table) {
  collect(block);
  const auto at = [&](uint32_t key) -> LabelCount& {
    if (key >= table.size()) table.resize(key + 1);
    return table[key];
  };
  add_failed(failed_keys_, {}, table);
  for (const uint32_t key : gold_.keys) ++at(key).gold, at(key).gold_all += !row_.failed;
  for (const uint32_t key : test_.keys) ++at(key).test, at(key).test_all += !row_.failed;
  const auto partners = matcher_.pair_up(gold_.brackets, test_.brackets, rules_.equal_labels);
  for (size_t bracket = 0; bracket < partners.size(); ++bracket) {
    if (partners[bracket] < 0) continue;
    ++at(gold_.keys[bracket]).found_in_gold;
    ++at(test_.keys[static_cast<size_t>(partners[bracket])]).found_in_test;
  }
}

void score_aligned(const TextAlignment& texts, TreeRange gold, TreeRange test, const AlignedRules& rules,
                   unsigned threads, const ColumnsOf<AlignedRow>& columns, Progress* progress) {
  in_parallel(texts.blocks().size(), 64, threads, progress, [&](const std::function<void()>&) {
    return [&, scorer = std::make_shared<AlignedScorer>(texts, gold, test, rules)](size_t block) {
      write_row(scorer->score(block), block, columns);
    };
  });
}

}  // namespace treescore
