// Trees whose words are spans of time: from text to times, and back.
#include "../boundaries.hpp"
#include "fuzz.hpp"

using namespace treescore;
using namespace treescore::fuzz;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  Input options = options_of(data, size);
  const std::string_view text = text_of(data, size);
  parse_span(text.substr(0, text.find('\n')));
  Columns read(std::make_shared<Vocabulary>()), placed(std::make_shared<Vocabulary>());
  read_brackets(text, Layout::kLine, options.flag(), read, nullptr);
  are_spans(read, 0, read.size());
  are_surely_text(read, 0, read.size());
  for (const SpanFault& fault : place_spans(read, 0, read.size(), placed, nullptr))
    require(fault.tree < placed.size() && placed.faulty(fault.tree), "a fault belongs to a faulty tree");
  require(placed.size() == read.size(), "no tree is lost");
  const std::string saved = placed.saved();
  require(Columns::loaded(saved)->saved() == saved, "times are in order, and loaded as they were saved");
  const BoundaryRules rules{0.01 * options.byte(), options.flag(), 0.01 * options.below(8)};
  BoundaryScorer scorer(rules);
  for (size_t tree = 0; tree < placed.size(); ++tree) {
    const BoundaryRow own = scorer.score(placed, tree, placed, tree);
    check_outcome(own);
    require(!own.valid || (own.hits == own.gold && own.hits == own.test), "a tree has its own boundaries");
    const BoundaryRow row = scorer.score(placed, tree, placed, placed.size() - 1 - tree);
    const BoundaryRow swapped = scorer.score(placed, placed.size() - 1 - tree, placed, tree);
    check_outcome(row);
    require(row.hits <= std::min(row.gold, row.test), "no more boundaries match than there are");
    require(!row.valid || !swapped.valid || row.hits == swapped.hits, "matching boundaries are symmetric");
  }
  if (first_without_spans(placed, 0, placed.size())) return 0;
  Columns written(std::make_shared<Vocabulary>()), again(std::make_shared<Vocabulary>());
  write_spans(placed, 0, placed.size(), written);
  place_spans(written, 0, written.size(), again, nullptr);
  require(again.size() == placed.size(), "no tree is lost when it is written");
  return 0;
}
