// EVALB's reader of two files in step.
#include "fuzz.hpp"

using namespace treescore;
using namespace treescore::fuzz;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  Input options = options_of(data, size);
  std::string_view text = text_of(data, size);
  const std::string_view gold_text = take_part(text);
  const auto vocabulary = std::make_shared<Vocabulary>();
  const bool keep_parents = options.flag();
  const size_t line_limit = options.flag() ? 20 + options.byte() : 5000;
  const size_t most = 1 + options.byte();
  EvalbReader reader(gold_text, text, line_limit);
  std::vector<Message> messages;
  size_t pairs = 0;
  while (reader.end() == EvalbEnd::kNotYet) {
    Columns gold(vocabulary, keep_parents), test(vocabulary, keep_parents);
    reader.read(most, gold, test, messages);
    require(gold.size() == test.size(), "both sides have as many trees");
    require(gold.size() > 0 || reader.end() != EvalbEnd::kNotYet, "the reader comes to an end");
    pairs += gold.size();
    for (size_t tree = 0; tree < gold.size(); ++tree) {
      gold.tree(tree).leaf_parents();
      test.tree(tree).leaf_parents();
    }
    require(pairs <= size + 1, "there are no more pairs than lines");
  }
  for (const Message& message : messages) {
    const std::string_view side = message.side == 0 ? gold_text : text;
    require(message.side < 2 && message.offset <= side.size() && message.line_end <= side.size(),
            "a message has a place in its file");
  }
  return 0;
}
