// Columns of the report page, for Python.
#include <algorithm>

#include "bindings.hpp"
#include "page_columns.hpp"
#include "same_words.hpp"

namespace treescore::python {

using namespace nb::literals;

namespace {

TREESCORE_STUB_TYPE(PageColumns, nb::dict, "PageColumns", PyDict_Check);
using PiecesObject = TupleOf<nb::bytes, nb::bytes>;

template <class T>
nb::bytes bytes_of(const std::vector<T>& numbers) {
  const auto [bytes, values] = blank_bytes<T>(numbers.size());
  std::copy(numbers.begin(), numbers.end(), values);
  return bytes;
}

PiecesObject object_of(const Pieces& pieces) { return nb::make_tuple(as_bytes(pieces.bytes), bytes_of(pieces.ends)); }

// The words of a tree with tabs between them, if none of them has a control character.
bool add_words(const TreeView& tree, Pieces& out) {
  bool is_plain = true;
  for (size_t leaf = 0; leaf < tree.leaves.size(); ++leaf) {
    if (leaf) out.bytes += '\t';
    for (const char character : tree.word(leaf)) {
      is_plain = is_plain && static_cast<unsigned char>(character) >= 0x20 && character != 0x7F;
      out.bytes += character;
    }
  }
  return is_plain;
}

PageColumns page_trees(const Trees& trees, const Trees* gold, const BufferObject& skipped, const NumbersObject& numbers,
                       int32_t next) {
  const Buffer skip(skipped);
  const Numbers<int32_t> known(numbers);
  if (skip.text().size() != trees.size() || (gold && gold->size() != trees.size()))
    throw nb::value_error("as many trees on both sides");
  if (known.all().size() != 2 * size_t{trees.columns->vocabulary().size()} + 1)
    throw nb::value_error("two numbers for each name, and one");
  PageTrees encoded({known.all().begin(), known.all().end()}, next);
  Pieces words;
  std::vector<int64_t> odd;
  for (size_t index = 0; index < trees.size(); ++index) {
    const TreeView tree = trees.tree(index);
    const bool has_own_words = !gold || !have_same_words(gold->tree(index), tree);
    const bool is_skipped = skip.text()[index] != 0;
    if (is_skipped) {
      encoded.add_absent();
    } else {
      encoded.add(tree, gold && has_own_words);
    }
    if ((!is_skipped || !gold) && has_own_words && !add_words(tree, words)) odd.push_back(static_cast<int64_t>(index));
    words.finish();
  }
  nb::dict out;
  out["head"] = object_of(encoded.head);
  out["items"] = object_of(encoded.items);
  out["ups"] = object_of(encoded.ups);
  out["order"] = object_of(encoded.order);
  out["words"] = object_of(words);
  out["odd"] = bytes_of(odd);
  out["symbols"] = bytes_of(encoded.new_symbols());
  return out;
}

PageColumns page_verdicts(const Trees& gold, const Trees& test, const BufferObject& skipped,
                          const DictOf<nb::str, BufferObject>& verdicts, const ListOf<NumbersObject>& names,
                          size_t compared, const NumbersObject& columns, size_t column_count) {
  const Buffer skip(skipped);
  const auto column = [&](const char* name) -> nb::handle { return nb::object(verdicts[name]); };  // the dict keeps it
  const Numbers<int64_t> ends(column("ends"));
  const Numbers<int32_t> side(column("side")), number(column("number")), partner(column("partner")),
      crossing(column("crossing"));
  const Numbers<double> iou(column("iou")), start(column("start")), end(column("end"));
  if (gold.size() != test.size() || skip.text().size() != gold.size() || ends.all().size() != gold.size())
    throw nb::value_error("as many trees on both sides");
  if (names.size() != 6) throw nb::value_error("three columns of names for each side");
  std::vector<std::unique_ptr<Numbers<int32_t>>> tables;
  for (const nb::handle table : names) tables.push_back(std::make_unique<Numbers<int32_t>>(table));
  for (size_t table = 0; table < tables.size(); ++table)
    if (tables[table]->all().size() < (table % 2 ? test : gold).columns->vocabulary().size())
      throw nb::value_error("a number for each name");
  const Numbers<int32_t> credit_columns(columns);
  if (credit_columns.all().size() != compared) throw nb::value_error("a column for each compared label");
  const ComparedNames by_side{
      {tables[0]->all(), tables[1]->all()}, {tables[2]->all(), tables[3]->all()}, {tables[4]->all(), tables[5]->all()}};
  PageVerdicts encoded(by_side, compared, credit_columns.all(), column_count);
  int64_t begin = 0;
  for (size_t index = 0; index < gold.size(); ++index) {
    const auto first = static_cast<size_t>(begin), size = static_cast<size_t>(ends.all()[index] - begin);
    begin = ends.all()[index];
    if (skip.text()[index] != 0 || size == 0) {
      encoded.add_absent();
      continue;
    }
    encoded.add(gold.tree(index), test.tree(index),
                {side.all().subspan(first, size), number.all().subspan(first, size), partner.all().subspan(first, size),
                 crossing.all().subspan(first, size), iou.all().subspan(first, size), start.all().subspan(first, size),
                 end.all().subspan(first, size)});
  }
  nb::dict out;
  out["head"] = object_of(encoded.head);
  out["gold"] = object_of(encoded.gold);
  out["test"] = object_of(encoded.test);
  out["details"] = object_of(encoded.details);
  out["missing"] = object_of(encoded.missing);
  out["extra"] = object_of(encoded.extra);
  out["confused"] = nb::make_tuple(bytes_of(encoded.confused), bytes_of(encoded.confused_ends));
  out["sentences"] = nb::make_tuple(bytes_of(encoded.missing_in), bytes_of(encoded.extra_in));
  out["alone"] = nb::make_tuple(bytes_of(encoded.alone_gold), bytes_of(encoded.alone_test));
  nb::list credits, nodes;
  for (size_t column = 0; column < column_count; ++column) {
    credits.append(bytes_of(encoded.credits[column]));
    nodes.append(bytes_of(encoded.nodes[column]));
  }
  out["credits"] = credits;
  out["nodes"] = nodes;
  return out;
}

}  // namespace

void bind_page(nb::module_& module) {
  module.def("page_trees", page_trees, "trees"_a, "gold"_a.none(), "skipped"_a, "numbers"_a, "next"_a);
  module.def("page_verdicts", page_verdicts, "gold"_a, "test"_a, "skipped"_a, "verdicts"_a, "names"_a, "compared"_a,
             "columns"_a, "column_count"_a);
}

}  // namespace treescore::python
