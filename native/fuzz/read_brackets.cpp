// The reader of bracketed text: trees are sound, reading in blocks gives the same trees, and trees are read back as
// they were from their text and from their stored form.
#include "../labels.hpp"
#include "../text.hpp"
#include "fuzz.hpp"

using namespace treescore;
using namespace treescore::fuzz;

namespace {

std::shared_ptr<Columns> new_columns() { return std::make_shared<Columns>(std::make_shared<Vocabulary>()); }

void check_sound(const Columns& trees) {
  const std::string saved = trees.saved();
  require(Columns::loaded(saved)->saved() == saved, "sound trees are loaded as they were saved");
}

// The text in blocks whose sizes are multiples of `step`, as a stream delivers it.
void check_blocks(std::string_view text, bool labelless, size_t step, const Columns& whole, Break rule) {
  auto parts = new_columns();
  uint64_t line = 1;
  size_t size = step;
  while (!text.empty()) {
    const bool more = size < text.size();
    std::string_view block = text.substr(0, size);
    if (more && rule >= Break::kAtColumnOne) block = block.substr(0, block_size(block, rule));
    auto trees = new_columns();
    const ReadResult result = read_block(block, rule, line, more, labelless, *trees);
    require(result.size <= block.size(), "no more is read than there is");
    rule = result.rule;
    if (result.size == 0 || block.empty()) {
      if (!more) break;
      size += step;
      continue;
    }
    parts->append(*trees, 0, trees->size());
    line = result.next_line;
    text.remove_prefix(result.size);
    size = step;
  }
  auto same = new_columns();  // with labels in the same order
  same->append(whole, 0, whole.size());
  require(parts->saved() == same->saved(), "reading in blocks gives the same trees");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  Input options = options_of(data, size);
  const std::string_view text = text_of(data, size);
  const auto layout = static_cast<Layout>(options.below(3));
  const bool labelless = options.flag();
  // Not many blocks, because reading parts of a long tree again and again is quadratic.
  const size_t step = std::max(size_t{16} * (size_t{1} + options.byte()), text.size() / 8);
  auto trees = new_columns();
  const ReadResult result = read_brackets(text, layout, labelless, *trees, nullptr);
  check_sound(*trees);
  for (const Fault& fault : result.faults) {
    require(fault.tree < trees->size() && trees->faulty(fault.tree), "a fault belongs to a faulty tree");
    require(trees->tree(fault.tree).leaves.empty(), "a faulty tree is empty");
    require(fault.line > 0 && fault.column > 0, "lines and columns are counted from 1");
  }
  labels_of(*trees, 0, trees->size());
  lack_labels(*trees, 0, trees->size());
  are_spans(*trees, 0, trees->size());
  is_plain_brackets(text);
  is_discbracket(text);
  const Break rule = layout == Layout::kLine        ? Break::kAtNewline
                     : layout == Layout::kMultiline ? Break::kNever
                                                    : Break::kUndecided;
  check_blocks(text, labelless, step, *trees, rule);
  if (labelless) return 0;
  std::string written;
  for (size_t tree = 0; tree < trees->size(); ++tree) {
    write_brackets(*trees, tree, options.flag(), false, written);
    written += '\n';
  }
  return 0;
}
