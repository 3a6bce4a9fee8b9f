// The reader of CoNLL-U, and the comparison of two such files.
#include <algorithm>

#include "../dependency_score.hpp"
#include "fuzz.hpp"

using namespace treescore;
using namespace treescore::fuzz;

namespace {

// Names are compared by their first two bytes.
DependencyKeys keys_of(const DependencyColumns& columns) {
  DependencyKeys keys;
  keys.characters.begin.push_back(0);
  for (uint32_t form = 0; form < columns.forms.size(); ++form) {
    for (const char byte : columns.forms.at(form))
      if (byte != ' ') keys.characters.characters.push_back(static_cast<uint8_t>(byte));
    keys.characters.begin.push_back(keys.characters.characters.size());
    const std::string_view text = columns.forms.at(form);
    keys.form.push_back(text.empty() ? 0 : static_cast<uint8_t>(text.front()));
  }
  for (uint32_t name = 0; name < columns.names.size(); ++name) {
    const std::string_view text = columns.names.at(name);
    const uint32_t key = text.empty() ? 0 : static_cast<uint8_t>(text[0]) + 256u * static_cast<uint8_t>(text.back());
    keys.name.push_back(key);
    keys.feats.push_back(key);
    keys.relation.push_back(key);
    keys.edge_type.push_back(key);
    keys.kind.push_back(static_cast<uint8_t>(key % 8));
  }
  return keys;
}

void check_columns(const DependencyColumns& columns, const std::vector<ConlluProblem>& problems) {
  const size_t words = columns.words(), sentences = columns.sentences();
  require(columns.sentence_word.size() == sentences + 1 && columns.sentence_word.back() == words,
          "words are in sentences");
  require(columns.sentence_token.size() == sentences + 1, "tokens are in sentences");
  require(columns.token_word.size() == columns.tokens() + 1, "words are in tokens");
  for (const auto* column :
       {&columns.form, &columns.lemma, &columns.upos, &columns.xpos, &columns.feats, &columns.relation})
    require(column->size() == words, "a column has every word");
  for (size_t sentence = 0; sentence < sentences; ++sentence) {
    const auto begin = static_cast<int32_t>(columns.sentence_word[sentence]);
    const auto end = static_cast<int32_t>(columns.sentence_word[sentence + 1]);
    for (int32_t word = begin; word < end; ++word) {
      const int32_t head = columns.head[static_cast<size_t>(word)];
      require(head == kRootHead || head == kNoHead || (head >= begin && head < end), "a head is in its sentence");
    }
  }
  for (const ConlluProblem& problem : problems) require(problem.line > 0, "lines are counted from 1");
}

std::vector<DependencyRow> rows_of(const DependencySide& gold, const DependencySide& test) {
  std::vector<DependencyUnit> units;
  const size_t size = gold.columns.sentences();
  if (size == test.columns.sentences())
    for (size_t sentence = 0; sentence < size; ++sentence)
      units.push_back({sentence, sentence + 1, sentence, sentence + 1});
  else
    units.push_back({0, size, 0, test.columns.sentences()});
  std::vector<int64_t> numbers(DependencyRow::kNames.size() * size);
  ColumnsOf<DependencyRow> columns;
  for (size_t place = 0; place < columns.size(); ++place) columns[place] = numbers.data() + place * size;
  score_dependencies(gold, test, units, 1, columns, nullptr);
  std::vector<DependencyRow> rows(size);
  for (size_t row = 0; row < size; ++row) {
    std::array<int64_t, DependencyRow::kNames.size()> values;
    for (size_t place = 0; place < values.size(); ++place) values[place] = columns[place][row];
    rows[row] = std::bit_cast<DependencyRow>(values);
  }
  return rows;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  Input options = options_of(data, size);
  std::string_view text = text_of(data, size);
  const ConlluOptions choices{options.flag(), options.flag(), options.flag()};
  std::vector<ConlluProblem> problems;
  const std::string_view gold_text = take_part(text);
  const DependencyColumns gold = read_conllu(gold_text, choices, problems);
  check_columns(gold, problems);
  problems.clear();
  const DependencyColumns test = read_conllu(text, choices, problems);
  check_columns(test, problems);
  const DependencyKeys gold_keys = keys_of(gold), test_keys = keys_of(test);
  const DependencySide gold_side{gold, gold_keys}, test_side{test, test_keys};
  const auto difference = first_difference(gold_side, test_side);
  int64_t words = 0;
  for (const DependencyRow& row : rows_of(gold_side, test_side)) {
    require(row.words <= std::min(row.words_gold, row.words_test) || difference, "aligned words are on both sides");
    require(row.las <= row.uas && row.uas <= row.words_gold, "labelled attachments are attachments");
    words += row.words_gold;
  }
  require(words == static_cast<int64_t>(gold.words()), "every gold word is counted once");
  for (const DependencyRow& row : rows_of(gold_side, gold_side)) {
    require(row.words == row.words_gold && row.words == row.words_test, "a file has its own words");
    require(row.tokens == row.tokens_gold && row.tokens == row.tokens_test, "a file has its own tokens");
  }
  aligned_words(gold_side, test_side, {0, gold.sentences(), 0, test.sentences()});
  return 0;
}
