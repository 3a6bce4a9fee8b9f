// Two texts whose words and sentences may differ: blocks and groups have every sentence and word once, in order, and
// brackets over them obey laws.
#include "../text_alignment.hpp"

#include "../aligned_parseval.hpp"
#include "../common_phrases.hpp"
#include "fuzz.hpp"

using namespace treescore;
using namespace treescore::fuzz;

namespace {

std::u32string characters_of(std::string_view word) {
  std::u32string out;
  for (const char byte : word)
    if (byte != '\\') out.push_back(static_cast<uint8_t>(byte));
  if (out.empty()) out.push_back(U'?');
  return out;
}

WordForms forms_of(const Vocabulary& words, uint8_t choice) {
  std::vector<std::u32string> plain, expanded;
  std::vector<WordForms::Before> before;
  for (uint32_t word = 0; word < words.size(); ++word) {
    plain.push_back(characters_of(words.at(word)));
    expanded.push_back(plain.back());
    if (choice != 0 && plain.back().size() % 4 == 3) expanded.back() += U"not";
    if (choice > 128 && word > 0) before.push_back({word, word - 1, U"ca"});
  }
  return {plain, expanded, before};
}

void check_blocks(const TextAlignment& texts) {
  uint32_t gold = 0, test = 0;
  for (size_t number = 0; number < texts.blocks().size(); ++number) {
    const Block& block = texts.blocks()[number];
    require(block.gold_begin == gold && block.test_begin == test, "blocks follow one another");
    require(block.gold_end >= gold && block.test_end >= test, "blocks are in order");
    require(block.gold_end > gold || block.test_end > test, "no block is empty");
    gold = block.gold_end;
    test = block.test_end;
    if (texts.identical()) continue;
    size_t kept[2] = {0, 0}, grouped[2] = {0, 0};
    const TextSide* sides[] = {&texts.gold(), &texts.test()};
    const uint32_t begins[] = {block.gold_begin, block.test_begin}, ends[] = {block.gold_end, block.test_end};
    for (size_t side = 0; side < 2; ++side)
      for (uint64_t word = sides[side]->sentences[begins[side]]; word < sides[side]->sentences[ends[side]]; ++word)
        kept[side] += sides[side]->kept[word] != 0;
    for (const SegmentGroup& group : texts.groups(number)) {
      grouped[0] += group.gold;
      grouped[1] += group.test;
    }
    if (!texts.groups(number).empty())
      require(grouped[0] == kept[0] && grouped[1] == kept[1], "every word that is left is in a group");
  }
  require(gold == texts.gold().size() && test == texts.test().size(), "every sentence is in a block");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  Input options = options_of(data, size);
  const Form form = static_cast<Form>(options.below(3));
  const Pairs pairs = read_pairs(text_of(data, size), form);
  const auto gold = std::make_shared<Columns>(std::make_shared<Vocabulary>());
  const auto test = std::make_shared<Columns>(std::make_shared<Vocabulary>());
  for (size_t tree = 0; tree < pairs.trees->size(); ++tree)
    (tree % 2 == 0 ? gold : test)->append(*pairs.trees, tree, tree + 1);
  AlignedRules rules;
  const uint8_t choices = options.byte(), flags = options.byte();
  // Keys are first bytes, so that equal labels have equal keys on both sides.
  for (const auto& [columns, side] : {std::pair(gold.get(), &rules.gold), std::pair(test.get(), &rules.test)}) {
    *side = side_rules(columns->vocabulary(), choices);
    for (uint32_t id = 0; id < columns->vocabulary().size(); ++id) {
      const std::string_view name = columns->vocabulary().at(id);
      side->label_key[id] = side->tag_key[id] = name.empty() ? 0 : static_cast<uint8_t>(name.front());
    }
  }
  rules.labelled = (flags & 1) == 0;
  rules.characters = (flags & 2) != 0;
  rules.most_length = (flags & 4) != 0 ? options.byte() : -1;
  const bool with_rules = (flags & 8) != 0;
  TextAlignment texts(*gold, 0, gold->size(), with_rules ? &rules.gold : nullptr, *test, 0, test->size(),
                      with_rules ? &rules.test : nullptr);
  Progress progress;
  if (!texts.identical()) texts.align(forms_of(texts.vocabulary(), options.byte()), 1, &progress);
  check_blocks(texts);
  AlignedScorer scorer(texts, {gold.get(), 0}, {test.get(), 0}, rules);
  std::vector<LabelCount> table;
  for (size_t block = 0; block < texts.blocks().size(); ++block) {
    const AlignedRow row = scorer.score(block);
    check_outcome(row);
    require(row.matched <= row.unlabelled && row.unlabelled <= std::min(row.gold, row.test),
            "no more brackets match than there are");
    require(row.crossing <= row.test && row.tags <= row.words, "no more brackets cross, or tags match, than there are");
    scorer.add_by_label(block, table);
  }
  try {
    const CommonPhrases common(texts, {gold.get(), 0}, rules.gold, {test.get(), 0}, rules.test, (flags & 16) != 0,
                               progress);
    require(common.aligned_words() <= std::min(common.side(0).words, common.side(1).words),
            "aligned words are on both sides");
    common.by_labels();
  } catch (const std::length_error&) {
  }
  return 0;
}
