// SParseval's programs on its files: gold, test, and an alignment or the text of one.
#include "../sparseval.hpp"

#include "fuzz.hpp"

using namespace treescore;
using namespace treescore::fuzz;

namespace {

SparsevalRules rules_of(Input& options) {
  SparsevalRules rules;
  const uint8_t choices = options.byte(), flags = options.byte();
  if ((choices & 1) != 0) rules.deleted = {"TOP", ".", ",", "''"};
  if ((choices & 2) != 0) rules.empty = {"-NONE-", "NN"};
  if ((choices & 4) != 0) rules.edits = {"EDITED", "NP"};
  if ((choices & 8) != 0) rules.closed = {"DT", "IN"};
  if ((choices & 16) != 0) rules.rewritten = {{"PRT", "ADVP"}, {"ADVP", "PRT"}, {"NP", "NX"}};
  if ((choices & 32) != 0) rules.equal_words = {{"the", "a"}, {"a", "an"}, {"dog", "dogs"}};
  if ((choices & 64) != 0) rules.pauses = {{'a', "uh"}, {'a', "um"}, {'b', "you"}};
  rules.has_heads = (flags & 1) != 0;
  rules.heads = {
      {"S", {{false, {"VP"}}, {true, {}}}}, {"NP", {{false, {"NN", "NNS"}}}}, {"VP", {{true, {"VBD", "VB"}}}}};
  if ((flags & 2) != 0) rules.default_head = {{(flags & 4) != 0, {}}};
  rules.bag = (flags & 8) != 0;
  rules.whole_files = (flags & 16) != 0;
  rules.unlabelled = (flags & 32) != 0;
  return rules;
}

// What the original does with a run that it stops.
template <class Run>
void run(const Run& program) {
  try {
    program();
  } catch (const SparsevalError&) {
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  Input options = options_of(data, size);
  const SparsevalRules rules = rules_of(options);
  std::string_view text = text_of(data, size);
  const std::string_view gold = take_part(text), test = take_part(text);
  Sparseval program(rules);
  SparsevalPair files{gold, test, "gold", "test", std::nullopt};
  run([&] { program.score(files); });
  for (const SparsevalRow& row : program.rows()) {
    require(row.matched <= std::min(row.gold, row.test), "no more brackets match than there are");
    require(row.crossing <= row.test, "no more brackets cross than there are");
    require(
        row.head_gold >= 0 && row.head_test >= 0 && row.open_gold <= row.head_gold && row.open_test <= row.head_test,
        "dependencies of the open class are dependencies");
    require(row.head_matched <= std::min(row.head_gold, row.head_test), "no more dependencies match than there are");
  }
  program.take_warnings();
  files.alignment = text;
  run([&] { program.score(files); });
  std::string out;
  run([&] { program.annotate(gold, "gold", out); });
  run([&] { out += program.realign(files, text); });
  return 0;
}
