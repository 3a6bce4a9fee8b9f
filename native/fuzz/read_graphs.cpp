// The readers of formats for discontinuous trees: NEGRA's export format, and brackets with numbered words.
#include "../text.hpp"
#include "fuzz.hpp"

using namespace treescore;
using namespace treescore::fuzz;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  Input options = options_of(data, size);
  const std::string_view text = text_of(data, size);
  Columns trees(std::make_shared<Vocabulary>());
  const bool is_export = options.flag(), choice = options.flag();
  const GraphText result =
      is_export ? read_export(text, choice, trees, nullptr) : read_discbracket(text, choice, trees, nullptr);
  const std::string saved = trees.saved();
  require(Columns::loaded(saved)->saved() == saved, "sound trees are loaded as they were saved");
  for (const GraphTextFault& fault : result.faults) {
    require(fault.line > 0 && fault.column > 0, "lines and columns are counted from 1");
    if (fault.tree == GraphTextFault::kNoTree) continue;
    require(fault.tree < trees.size(), "a fault belongs to a tree");
  }
  require(result.ids.empty() || result.ids.size() == trees.size(), "every sentence has an id, or none has");
  for (size_t tree = 0; tree < trees.size(); ++tree) {
    std::string written;
    write_brackets(trees, tree, false, true, written);
    if (trees.faulty(tree) || trees.tree(tree).nodes.empty()) continue;
    Columns again(std::make_shared<Vocabulary>());
    read_discbracket(written + "\n", true, again, nullptr);
    require(again.size() == 1, "a written tree is one tree");
    require(again.tree(0).leaves.size() == trees.tree(tree).leaves.size(), "a written tree has the same words");
    require(again.tree(0).nodes.size() == trees.tree(tree).nodes.size(), "a written tree has the same phrases");
    require(again.tree(0).discontinuous == trees.tree(tree).discontinuous, "a written tree has the same gaps");
  }
  return 0;
}
