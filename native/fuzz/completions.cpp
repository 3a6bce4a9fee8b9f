// Completions of language models: what is taken as printed is a sound tree over the words of its sentence, and the one
// that the reader of brackets finds. The first line is the gold tree, the rest the completion.
#include "../completions.hpp"

#include "../same_words.hpp"
#include "fuzz.hpp"

using namespace treescore;
using namespace treescore::fuzz;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  Input options = options_of(data, size);
  const std::string_view text = text_of(data, size);
  const size_t line = std::min(text.find('\n'), text.size());
  const std::string_view gold_text = text.substr(0, line), completion = text.substr(std::min(line + 1, text.size()));
  Columns gold(std::make_shared<Vocabulary>()), plain(std::make_shared<Vocabulary>());
  read_brackets(gold_text, Layout::kMultiline, false, gold, nullptr);
  if (gold.size() == 0) return 0;
  write_without_traces(gold, 0, gold.size(), plain);
  for (size_t tree = 0; tree < plain.size(); ++tree)
    for (const Leaf& leaf : plain.tree(tree).leaves)
      require(leaf.tag == kNone || plain.vocabulary().at(leaf.tag) != "-NONE-", "no trace is left");
  require(Columns::loaded(plain.saved())->size() == gold.size(), "trees without traces are sound");
  const size_t most_nodes = options.flag() ? options.byte() : 10'000;
  Columns trees(std::make_shared<Vocabulary>());
  for (const Columns* sentence : {&gold, &plain}) {
    if (!append_faithful(completion, sentence->tree(0), most_nodes, trees)) {
      require(trees.open_nodes() + trees.open_leaves() == 0, "nothing is left of a completion that is not taken");
      continue;
    }
    trees.finish(1);
    const TreeView tree = trees.tree(trees.size() - 1);
    require(have_same_words(tree, sentence->tree(0)), "a tree that is taken has the words of its sentence");
    require(tree.nodes.size() + tree.leaves.size() <= most_nodes, "a tree that is taken is not too large");
  }
  require(Columns::loaded(trees.saved())->size() == trees.size(), "trees that are taken are sound");
  return 0;
}
