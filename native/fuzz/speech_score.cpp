// Brackets and head dependencies over words that need not agree; dependencies derived from trees.
#include "../speech_score.hpp"

#include "../dependency_columns.hpp"
#include "fuzz.hpp"

using namespace treescore;
using namespace treescore::fuzz;

namespace {

SpeechSide speech_side(const Vocabulary& names, uint8_t choices) {
  SpeechSide side;
  for (uint32_t id = 0; id < names.size(); ++id) {
    side.name.push_back(static_cast<int32_t>(id));
    const std::string_view name = names.at(id);
    const uint32_t kind = name.empty() ? 0 : static_cast<uint8_t>(name.front()) % 8;
    uint8_t flags = 0;
    for (const auto& [bit, flag] :
         {std::pair(0, SpeechTree::kClosed), std::pair(1, SpeechTree::kDeletable), std::pair(2, SpeechTree::kEdit),
          std::pair(3, SpeechTree::kVoid), std::pair(4, SpeechTree::kSkipped), std::pair(5, SpeechTree::kOuter)})
      if ((choices >> bit & 1) != 0 && kind == static_cast<uint32_t>(bit)) flags = static_cast<uint8_t>(flags | flag);
    side.phrase_flags.push_back(flags);
    side.tag_flags.push_back(flags);
  }
  return side;
}

void check_row(const SpeechRow& row) {
  check_outcome(row);
  require(row.matched <= std::min(row.gold, row.test), "no more brackets match than there are");
  require(row.head_matched <= std::min(row.head_gold, row.head_test), "no more dependencies match than there are");
  require(row.correct + row.substituted + row.deleted >= 0 && row.inserted >= 0, "counts are not negative");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  Input options = options_of(data, size);
  const Form form = static_cast<Form>(options.below(3));
  const Pairs pairs = read_pairs(text_of(data, size), form);
  const Columns& trees = *pairs.trees;
  const uint8_t choices = options.byte(), flags = options.byte();
  const auto names = static_cast<int32_t>(trees.vocabulary().size());
  SpeechRules rules;
  rules.gold = rules.test = speech_side(trees.vocabulary(), choices);
  for (int32_t name = 0; name < names + 2; ++name) rules.key.push_back(static_cast<uint32_t>(name));
  rules.root = names;
  rules.no_tag = names + 1;
  for (int32_t category = 0; category < std::min(names, 6); ++category)
    rules.heads.add(category, {{category % 2 == 0, {category / 2, category + 1}}});
  if ((flags & 1) != 0) rules.heads.set_default({{(flags & 2) != 0, {}}});
  if (names > 2) rules.heads.set_conjunctions(std::vector<int32_t>{names - 1});
  rules.has_heads = (flags & 1) != 0 && (flags & 4) == 0;
  rules.labelled = (flags & 8) == 0;
  rules.bag = (flags & 16) != 0 && rules.has_heads;
  rules.common_spans = (flags & 32) != 0;
  rules.same_head = (flags & 64) != 0;
  SpeechWords words;
  words.add(trees, 0, trees.size(), words.gold);
  words.add(trees, 0, trees.size(), words.test);
  for (uint32_t word = 0; word < words.names.size(); ++word) {
    rules.word_key.push_back((flags & 128) != 0 ? word / 2 : word);
    rules.word_closed.push_back(word % 5 == 0);
  }
  SpeechScorer scorer(trees, 0, trees, 0, words, rules, [] {});
  for (size_t pair = 0; pair < pairs.size(); ++pair) {
    const size_t gold = Pairs::gold(pair), test = Pairs::test(pair);
    check_row(scorer.score({gold, gold + 1, test, test + 1}, nullptr));
    const SpeechRow own = scorer.score({gold, gold + 1, gold, gold + 1}, nullptr);
    check_row(own);
    require(!own.valid || own.failed || (own.matched == own.gold && own.gold == own.test),
            "a tree has its own brackets");
    require(own.substituted + own.deleted + own.inserted == 0, "a tree has its own words");
  }
  if (trees.size() > 1) check_row(scorer.score({0, trees.size() / 2, trees.size() / 2, trees.size()}, nullptr));
  TreeHeads heads;
  heads.category = rules.gold.name;
  heads.phrase_flags = rules.gold.phrase_flags;
  heads.tag_flags = rules.gold.tag_flags;
  for (auto* column : {&heads.phrase_flags, &heads.tag_flags})
    for (uint8_t& own : *column) own &= SpeechTree::kVoid | SpeechTree::kSkipped | SpeechTree::kOuter;
  heads.root = rules.root;
  heads.no_tag = rules.no_tag;
  heads.rules = rules.heads;
  heads.rules.set_default({{true, {}}});
  const DependencyColumns dependencies = dependencies_of(trees, 0, trees.size(), heads);
  require(dependencies.sentences() == trees.size(), "every tree is a sentence");
  for (size_t sentence = 0; sentence < dependencies.sentences(); ++sentence)
    for (uint32_t word = dependencies.sentence_word[sentence]; word < dependencies.sentence_word[sentence + 1];
         ++word) {
      const int32_t head = dependencies.head[word];
      require(head < 0 || (head >= static_cast<int32_t>(dependencies.sentence_word[sentence]) &&
                           head < static_cast<int32_t>(dependencies.sentence_word[sentence + 1])),
              "a head is in its sentence");
    }
  return 0;
}
