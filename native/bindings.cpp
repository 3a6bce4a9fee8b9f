#include "bindings.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <unordered_set>

#include "graph.hpp"
#include "graph_reader.hpp"
#include "known_names.hpp"
#include "labels.hpp"
#include "parseval.hpp"
#include "reader.hpp"
#include "same_words.hpp"
#include "spans.hpp"
#include "struct_iou.hpp"
#include "text.hpp"
#include "tree_edit.hpp"

namespace nb = nanobind;
using namespace nb::literals;
using namespace treescore;
using namespace treescore::python;

namespace {

struct TreeBuilder {
  std::shared_ptr<Columns> columns = std::make_shared<Columns>(std::make_shared<Vocabulary>());
  int32_t node = -1;

  uint32_t id(const nb::bytes& name) { return columns->vocabulary().intern(name.c_str(), name.size()); }
  void open(const nb::bytes& label) { node = columns->open(id(label), node); }
  void leaf(const nb::bytes& word, std::optional<nb::bytes> tag) {
    columns->leaf(tag ? id(*tag) : kNone, node, word.c_str(), word.size());
  }
  void close() {
    if (node == -1) throw nb::value_error("no phrase is open");
    columns->close(node);
    node = columns->open_node(node).parent;
  }
  void set_times(const std::vector<std::pair<double, double>>& times) {
    std::vector<Interval> intervals;
    for (const auto& [start, end] : times) intervals.push_back({start, end});
    columns->set_times(intervals);
  }
  // Adds a whole tree: label, parent and function of each phrase; word, tag, parent and function of each word. If this
  // is not a tree, returns the fault and the first phrase that has it.
  std::optional<std::pair<int, size_t>> graph(
      const std::vector<std::tuple<nb::bytes, int32_t, std::optional<nb::bytes>>>& phrases,
      const std::vector<std::tuple<nb::bytes, std::optional<nb::bytes>, int32_t, std::optional<nb::bytes>>>& words,
      uint32_t line, bool has_functions) {
    check_between_trees();
    Graph graph;
    graph.has_functions = has_functions;
    const auto checked = [&](int32_t parent) {
      if (parent < -1 || parent >= static_cast<int32_t>(phrases.size())) throw nb::index_error("no such phrase");
      return parent;
    };
    const auto optional_id = [&](const std::optional<nb::bytes>& name) { return name ? id(*name) : kNone; };
    for (const auto& [label, parent, function] : phrases)
      graph.phrases.push_back({id(label), checked(parent), optional_id(function)});
    for (const auto& [word, tag, parent, function] : words)
      graph.words.push_back({optional_id(tag), checked(parent), optional_id(function), std::string(view(word))});
    const GraphFault fault = GraphBuilder().append(graph, *columns, line);
    if (fault.kind == GraphFault::Kind::kSound) return std::nullopt;
    return std::pair{static_cast<int>(fault.kind), fault.phrase};
  }
  void finish(uint32_t line, bool faulty) {
    if (node != -1) throw nb::value_error("a phrase is still open");
    columns->finish(line, faulty ? Columns::kFaulty : 0);
  }
  void extend(const Trees& trees, uint32_t line) {
    check_between_trees();
    columns->append(*trees.columns, trees.begin, trees.end, line);
  }
  // The words of a finished tree are not those of its sentence.
  void set_unfaithful(size_t index) {
    if (index >= columns->size()) throw nb::index_error("no such tree");
    columns->set_unfaithful(index);
  }
  Trees trees() {
    check_between_trees();
    return whole(std::exchange(columns, std::make_shared<Columns>(std::make_shared<Vocabulary>())));
  }
  void check_between_trees() const {
    if (columns->open_nodes() + columns->open_leaves() > 0) throw nb::value_error("a tree is not finished");
  }
};

using FaultTuple = TupleOf<int, size_t, size_t, size_t, size_t>;

ListOf<FaultTuple> as_list(const std::vector<Fault>& faults) {
  nb::list out;
  for (const Fault& fault : faults)
    out.append(nb::make_tuple(static_cast<int>(fault.code), fault.tree, fault.line, fault.column, fault.number));
  return out;
}

// With the number of blank lines.
using TreesAndFaults = TupleOf<Trees, ListOf<FaultTuple>, size_t>;

TreesAndFaults trees_and_faults(std::shared_ptr<Columns> columns, const ReadResult& result) {
  return nb::make_tuple(whole(std::move(columns)), as_list(result.faults), result.blank_lines);
}

// The UTF-8 of a string; nothing for other objects, and for strings with lone surrogates.
std::optional<nb::bytes> utf8_of(nb::handle item) {
  if (!PyUnicode_CheckExact(item.ptr())) return std::nullopt;
  const nb::object encoded = nb::steal(PyUnicode_AsUTF8String(item.ptr()));
  if (encoded.is_valid()) return nb::borrow<nb::bytes>(encoded);
  PyErr_Clear();
  return std::nullopt;
}

// Joins strings as lines of one text if they can only be trees in brackets. Other text needs a closer look.
std::optional<std::string> plain_lines(const ListOf<nb::object>& items) {
  std::string text;
  for (const nb::handle item : items) {
    const std::optional<nb::bytes> encoded = utf8_of(item);
    if (!encoded) return std::nullopt;
    const std::string_view line = view(*encoded);
    const bool has_breaks = line.find('\n') != std::string_view::npos;
    if (line.find('=') != std::string_view::npos && (has_breaks || is_discbracket(line))) return std::nullopt;
    const size_t begin = text.size();
    text.append(line);
    if (has_breaks) std::replace(text.begin() + static_cast<std::ptrdiff_t>(begin), text.end(), '\n', ' ');
    text.push_back('\n');
  }
  if (!is_plain_brackets(text)) return std::nullopt;
  return text;
}

// The trees of a text in brackets that certainly have labels, and words that are not spans of time.
std::optional<TreesAndFaults> labelled_trees(std::string_view text, Layout layout, Progress* progress) {
  auto columns = std::make_shared<Columns>(std::make_shared<Vocabulary>());
  ReadResult result;
  released(progress, [&](Progress& seen) { result = read_brackets(text, layout, false, *columns, &seen); });
  if (are_spans(*columns, 0, columns->size())) return std::nullopt;
  if (labels_of(*columns, 0, columns->size()) != Labels::kLabelled) return std::nullopt;
  return trees_and_faults(std::move(columns), result);
}

// The messages of EVALB's reader.
TREESCORE_STUB_TYPE(MessageTuple, nb::tuple, "Message", PyTuple_Check);

// Keeps the two buffers alive that the reader looks into.
struct PairReader {
  Buffer gold, test;
  std::shared_ptr<Vocabulary> vocabulary = std::make_shared<Vocabulary>();
  EvalbReader reader;

  bool keep_parents;

  PairReader(BufferObject gold_, BufferObject test_, size_t line_limit, bool keep_parents_)
      : gold(gold_), test(test_), reader(gold.text(), test.text(), line_limit), keep_parents(keep_parents_) {}

  // Reuses the columns of the last batch if nothing else refers to them.
  std::shared_ptr<Columns> columns[2];

  TupleOf<Trees, Trees, ListOf<MessageTuple>> read(size_t most) {
    for (std::shared_ptr<Columns>& side : columns) {
      if (side && side.use_count() == 1)
        side->drop_from(0);
      else
        side = std::make_shared<Columns>(vocabulary, keep_parents);
    }
    std::vector<Message> messages;
    {
      nb::gil_scoped_release release;
      reader.read(most, *columns[0], *columns[1], messages);
    }
    nb::list said;
    for (const Message& message : messages)
      said.append(nb::make_tuple(message.pair, message.side, static_cast<int>(message.complaint), message.offset,
                                 message.line_end));
    return nb::make_tuple(whole(columns[0]), whole(columns[1]), said);
  }
};

// The meaning of the names of a pair of treebanks, and the texts of the keys.
struct PairNames {
  std::shared_ptr<const KnownNames> known;
  NamedRules rules;

  ListOf<nb::bytes> texts(const std::vector<uint32_t>& ids) const {
    nb::list out;
    for (const uint32_t id : ids) out.append(as_bytes(known->text(id)));
    return out;
  }
};

// The end of each tree's leaves, and the surface word of each leaf.
using SurfaceColumns = std::optional<std::pair<BufferObject, BufferObject>>;

std::optional<SurfaceWords> surface_words(const SurfaceColumns& columns) {
  if (!columns) return std::nullopt;
  const Buffer ends(columns->first), words(columns->second);
  SurfaceWords out;
  out.ends.assign(ends.numbers().begin(), ends.numbers().end());
  int64_t before = 0;
  for (const int64_t end : out.ends) {
    if (end < before || end > static_cast<int64_t>(words.numbers().size())) throw nb::value_error("ends out of order");
    before = end;
  }
  out.words.reserve(words.numbers().size());
  for (const int64_t word : words.numbers()) out.words.push_back(static_cast<uint32_t>(word));
  return out;
}

void check_edits(const Trees& gold, const Trees& test, const TreeEditRules& rules) {
  if (rules.roots != TreeEditRules::kAsTheyAre && (rules.gold_root.size() < gold.columns->vocabulary().size() ||
                                                   rules.test_root.size() < test.columns->vocabulary().size()))
    throw nb::value_error("the roots do not cover the vocabulary of the trees");
  for (const auto& [trees, in] : {std::pair(&gold, &rules.gold_in), std::pair(&test, &rules.test_in)})
    if (*in && (*in)->ends.size() != trees->size()) throw nb::value_error("surface words for other trees");
}

// Pairs of nodes and a number for each, as columns by name; `ends` has the end of each pair of trees.
template <class Pair>
DictOf<nb::str, nb::bytes> pair_columns(const std::vector<int64_t>& ends, const std::vector<Pair>& pairs) {
  const auto [end_bytes, end] = blank_bytes<int64_t>(ends.size());
  const auto [gold_bytes, gold_node] = blank_bytes<int32_t>(pairs.size());
  const auto [test_bytes, test_node] = blank_bytes<int32_t>(pairs.size());
  const auto [value_bytes, value] = blank_bytes<double>(pairs.size());
  std::copy(ends.begin(), ends.end(), end);
  for (size_t pair = 0; pair < pairs.size(); ++pair) {
    const auto& [a, b, of_both] = pairs[pair];
    gold_node[pair] = a;
    test_node[pair] = b;
    value[pair] = of_both;
  }
  nb::dict out;
  out["ends"] = end_bytes;
  out["gold"] = gold_bytes;
  out["test"] = test_bytes;
  out["iou"] = value_bytes;
  return out;
}

using ColumnsByName = nb::typed<nb::mapping, nb::str, BufferObject>;
using Pairs = ListOf<TupleOf<int64_t, int64_t>>;
using Quadruples = ListOf<TupleOf<int64_t, int64_t, int64_t, int64_t>>;
// Words, phrases and quotes of both sides, insertions, and whether the lengths differed.
using Explanation = TupleOf<TupleOf<Pairs, Pairs>, TupleOf<Quadruples, Quadruples>, TupleOf<Pairs, Pairs>,
                            ListOf<TupleOf<int64_t, int64_t, int64_t, int64_t, Pairs>>, bool>;
// The rows, and pairs of nodes as columns.
using RowsAndPairs = TupleOf<Rows, DictOf<nb::str, nb::bytes>>;

}  // namespace

NB_MODULE(_core, module) {
#if !defined(Py_LIMITED_API) && PY_VERSION_HEX < 0x030C0000  // from Python 3.12 on, nanobind refuses this
  if (PyInterpreterState_Get() != PyInterpreterState_Main())
    throw nb::import_error("treescore cannot be imported in a sub-interpreter; use threads or processes");
#endif
  nb::set_leak_warnings(false);  // a thread that waits for a pipe when Python ends keeps its trees, which is not a leak

  module.attr("NO_TAG") = -1;
  bind_enum<Labels>(module, "Labels");
  bind_enum<Reason>(module, "ParsevalReason");
  bind_enum<RootRule>(module, "RootRule");
  bind_enum<Duplicates>(module, "Duplicates");
  bind_enum<EmptyRule>(module, "EmptyRule");
  bind_enum<Lengths>(module, "Lengths");
  bind_enum<WordComparison>(module, "WordComparison");
  bind_enum<SideRules>(module, "SideFlag");
  bind_enum<NodeReason>(module, "NodeReason");
  bind_enum<WhyTooComplex>(module, "WhyTooComplex");
  bind_enum<Axis>(module, "Axis");
  bind_enum<MapperEngine>(module, "MapperEngine");
  bind_enum<MapperPaths>(module, "MapperPaths");
  bind_enum<EditWords>(module, "EditWords");
  bind_enum<EditRoots>(module, "EditRoots");
  bind_enum<Layout>(module, "Layout");
  bind_enum<Break>(module, "Break");
  bind_enum<FaultCode>(module, "BracketFault");
  bind_enum<Complaint>(module, "EvalbComplaint");
  bind_enum<EvalbEnd>(module, "EvalbEnd");
  bind_enum<FieldKind>(module, "FieldKind");

  nb::exception<TreeTooLarge>(module, "TreeTooLarge", PyExc_ValueError);
  nb::exception<MemoryClaim::NeverFits>(module, "OverBudget", PyExc_MemoryError);

  module.def("set_memory_limit", [](size_t bytes) { MemoryBudget::of_process().set_limit(bytes); }, "bytes"_a);
  module.def("memory_limit", [] { return MemoryBudget::of_process().limit(); });
  // By all threads together since the limit was set, without what may be used uncounted: for tests.
  module.def("most_memory", [] { return MemoryBudget::of_process().most_used(); });

  nb::class_<Progress>(module, "Progress")
      .def("__init__", [](Progress* self) { (new (self) Progress)->poll = check_signals; })
      .def_prop_ro("position", [](const Progress& self) { return self.position.load(std::memory_order_relaxed); })
      .def_prop_ro("total", [](const Progress& self) { return self.total.load(std::memory_order_relaxed); });

  nb::class_<Rows>(module, "Rows")
      .def("__len__", &Rows::size)
      .def_prop_ro("sums", [](const Rows& self) { return self.names(true); })
      .def_prop_ro("notes", [](const Rows& self) { return self.names(false); })
      .def("column", [](const Rows& self, const nb::str& name) { return self.view(name.c_str()); })
      .def("add_totals", [](const Rows& self, DictOf<nb::str, nb::int_> sums) { self.add_totals(sums); });

  nb::class_<Trees>(module, "Trees")
      .def("__len__", &Trees::size)
      .def("slice",
           [](const Trees& self, size_t begin, size_t end) {
             if (begin > end || end > self.size()) throw nb::index_error("no such slice");
             return Trees{self.columns, self.begin + begin, self.begin + end};
           })
      .def("names",
           [](const Trees& self, uint32_t from) -> ListOf<nb::bytes> {
             nb::list out;
             const Vocabulary& vocabulary = self.columns->vocabulary();
             for (uint32_t id = from; id < vocabulary.size(); ++id) out.append(as_bytes(vocabulary.at(id)));
             return out;
           })
      .def("nodes",
           [](const Trees& self, size_t index) -> ListOf<TupleOf<uint32_t, int32_t, uint32_t, uint32_t>> {
             nb::list out;
             for (const Node& node : self.tree(index).nodes)
               out.append(nb::make_tuple(node.label, node.parent, node.first, node.end));
             return out;
           })
      .def("leaves",
           [](const Trees& self, size_t index) -> ListOf<TupleOf<int64_t, int32_t, nb::bytes>> {
             nb::list out;
             const TreeView tree = self.tree(index);
             const std::vector<int32_t> parents = tree.leaf_parents();
             for (size_t leaf = 0; leaf < tree.leaves.size(); ++leaf)
               out.append(nb::make_tuple(tree.leaves[leaf].tag == kNone ? int64_t{-1} : int64_t{tree.leaves[leaf].tag},
                                         parents[leaf], as_bytes(tree.word(leaf))));
             return out;
           })
      .def("times",
           [](const Trees& self, size_t index) -> std::optional<ListOf<TupleOf<double, double>>> {
             const TreeView tree = self.tree(index);
             if (tree.times.empty()) return std::nullopt;
             nb::list out;
             for (const auto& [start, end] : tree.times) out.append(nb::make_tuple(start, end));
             return out;
           })
      .def("word",
           [](const Trees& self, size_t index, size_t leaf) {
             const TreeView tree = self.tree(index);
             if (leaf >= tree.leaves.size()) throw nb::index_error("no such leaf");
             return as_bytes(tree.word(leaf));
           })
      .def("outer_label",
           [](const Trees& self, size_t index) -> std::optional<nb::bytes> {
             const TreeView tree = self.tree(index);
             if (tree.nodes.empty()) return std::nullopt;
             return as_bytes(self.columns->vocabulary().at(tree.nodes.front().label));
           })
      .def("has_times",
           [](const Trees& self) {
             for (size_t index = 0; index < self.size(); ++index)
               if (!self.tree(index).times.empty()) return true;
             return false;
           })
      // Whether there are trees with words, and all of them have times.
      .def("all_timed",
           [](const Trees& self) {
             bool any = false;
             for (size_t index = 0; index < self.size(); ++index) {
               const TreeView tree = self.tree(index);
               if (tree.leaves.empty()) continue;
               if (tree.times.empty()) return false;
               any = true;
             }
             return any;
           })
      .def("has_times_at", [](const Trees& self, size_t index) { return !self.tree(index).times.empty(); })
      // The same trees with other times, two numbers for each leaf; NaN in trees without.
      .def(
          "with_times",
          [](const Trees& self, NumbersObject times) {
            const Numbers<Interval> held(times);
            auto out = std::make_shared<Columns>(std::make_shared<Vocabulary>());
            out->append_timed(*self.columns, self.begin, self.end, held.all());
            return whole(std::move(out));
          },
          "times"_a)
      // Joins the trees up to each of these ends into one tree with several roots. With `any_fault` it is faulty if one
      // of them is, otherwise only if all are.
      .def(
          "joined",
          [](const Trees& self, const std::vector<size_t>& ends, bool any_fault) {
            auto out = std::make_shared<Columns>(std::make_shared<Vocabulary>());
            size_t begin = 0;
            for (const size_t end : ends) {
              if (end < begin || end > self.size()) throw nb::value_error("ends out of order");
              size_t faults = 0;
              for (size_t index = begin; index < end; ++index) faults += self.columns->faulty(self.at(index));
              const bool faulty = faults > 0 && (any_fault || faults == end - begin);
              out->append_joined(*self.columns, self.begin + begin, self.begin + end, faulty ? Columns::kFaulty : 0);
              begin = end;
            }
            return whole(std::move(out));
          },
          "ends"_a, "any_fault"_a)
      .def("leaf_total",
           [](const Trees& self) {
             size_t total = 0;
             for (size_t index = 0; index < self.size(); ++index) total += self.tree(index).leaves.size();
             return total;
           })
      .def("node_count", [](const Trees& self, size_t index) { return self.tree(index).nodes.size(); })
      .def("leaf_count", [](const Trees& self, size_t index) { return self.tree(index).leaves.size(); })
      .def("most_leaves",
           [](const Trees& self, const std::vector<bool>& tags, const std::vector<nb::bytes>& words) {
             size_t most = 0;
             for (size_t index = 0; index < self.size(); ++index) {
               const TreeView tree = self.tree(index);
               size_t count = 0;
               for (size_t leaf = 0; leaf < tree.leaves.size(); ++leaf) {
                 const uint32_t tag = tree.leaves[leaf].tag;
                 if (tag == kNone || tag >= tags.size() || !tags[tag]) continue;
                 count += std::any_of(words.begin(), words.end(),
                                      [&](const nb::bytes& word) { return view(word) == tree.word(leaf); });
               }
               most = std::max(most, count);
             }
             return most;
           })
      .def("most_nodes",
           [](const Trees& self) {
             size_t most = 0;
             for (size_t index = 0; index < self.size(); ++index) most = std::max(most, self.tree(index).nodes.size());
             return most;
           })
      .def("line", [](const Trees& self, size_t index) { return self.columns->line(self.at(index)); })
      .def("discontinuous", [](const Trees& self, size_t index) { return self.tree(index).discontinuous; })
      .def("any_discontinuous",
           [](const Trees& self) {
             for (size_t index = 0; index < self.size(); ++index)
               if (self.tree(index).discontinuous) return true;
             return false;
           })
      // The functions of phrases and words, if they are kept apart from the labels.
      .def("functions",
           [](const Trees& self, size_t index) -> std::optional<std::pair<ListOf<int64_t>, ListOf<int64_t>>> {
             if (!self.columns->has_functions(self.at(index))) return std::nullopt;
             const TreeView tree = self.tree(index);
             const auto as_list = [](std::span<const uint32_t> functions) {
               nb::list out;
               for (const uint32_t function : functions)
                 out.append(function == kNone ? int64_t{-1} : int64_t{function});
               return out;
             };
             return std::pair{as_list(tree.node_functions), as_list(tree.leaf_functions)};
           })
      .def("faulty", [](const Trees& self, size_t index) { return self.columns->faulty(self.at(index)); })
      .def(
          "brackets",
          [](const Trees& self, size_t index, bool pretty, bool numbered) {
            std::string out;
            write_brackets(*self.columns, self.at(index), pretty, numbered, out);
            return as_bytes(out);
          },
          "index"_a, "pretty"_a, "numbered"_a = false)
      .def("same_words", [](const Trees& self, size_t index, const Trees& other,
                            size_t other_index) { return have_same_words(self.tree(index), other.tree(other_index)); })
      // The words of all trees that differ in their words from the tree with the same number.
      .def("differing_words",
           [](const Trees& self, const Trees& other) -> ListOf<nb::bytes> {
             std::unordered_set<std::string_view> words;
             released(nullptr, [&](Progress& seen) {
               words = differing_words(*self.columns, self.begin, *other.columns, other.begin,
                                       std::min(self.size(), other.size()), seen);
             });
             nb::list out;
             for (const std::string_view word : words) out.append(as_bytes(word));
             return out;
           })
      // The first tree with different words, among those with words on both sides. Do `traces` count as words?
      .def(
          "first_unequal",
          [](const Trees& self, const Trees& other, bool traces) {
            const nb::gil_scoped_release release;
            return first_unequal(*self.columns, self.begin, *other.columns, other.begin,
                                 std::min(self.size(), other.size()), traces);
          },
          "other"_a, "traces"_a = false)
      .def("saved",
           [](const Trees& self) {
             Columns part(std::make_shared<Vocabulary>());
             part.append(*self.columns, self.begin, self.end);
             return as_bytes(part.saved());
           })
      .def_static("loaded", [](nb::bytes data) { return whole(Columns::loaded(view(data))); })
      .def("labels", [](const Trees& self) { return static_cast<int>(labels_of(*self.columns, self.begin, self.end)); })
      .def("lack_labels", [](const Trees& self) { return lack_labels(*self.columns, self.begin, self.end); })
      .def_prop_ro("nbytes", [](const Trees& self) { return self.columns->bytes(); });

  nb::class_<TreeBuilder>(module, "TreeBuilder")
      .def(nb::init<>())
      .def("open", &TreeBuilder::open)
      .def("leaf", &TreeBuilder::leaf, "word"_a, "tag"_a.none())
      .def("close", &TreeBuilder::close)
      .def("set_times", &TreeBuilder::set_times)
      .def("graph", &TreeBuilder::graph, "phrases"_a, "words"_a, "line"_a = 0, "has_functions"_a = false)
      .def("finish", &TreeBuilder::finish, "line"_a, "faulty"_a = false)
      .def("extend", &TreeBuilder::extend, "trees"_a, "line"_a = 0)
      .def("set_unfaithful", &TreeBuilder::set_unfaithful)
      .def("trees", &TreeBuilder::trees);

  module.def(
      "read_brackets",
      [](BufferObject text, int layout, Progress* progress, bool labelless) {
        const Buffer buffer(text);
        auto columns = std::make_shared<Columns>(std::make_shared<Vocabulary>());
        ReadResult result;
        released(progress, [&](Progress& seen) {
          result = read_brackets(buffer.text(), static_cast<Layout>(layout), labelless, *columns, &seen);
        });
        return trees_and_faults(std::move(columns), result);
      },
      "text"_a, "layout"_a, "progress"_a.none() = nb::none(), "labelless"_a = false);
  module.def(
      "read_strings",
      [](const ListOf<nb::object>& items, Progress* progress) -> std::optional<TreesAndFaults> {
        const std::optional<std::string> text = plain_lines(items);
        return text ? labelled_trees(*text, Layout::kLine, progress) : std::nullopt;
      },
      "items"_a, "progress"_a.none() = nb::none());
  module.def(
      "read_string",
      [](nb::str source, int layout, Progress* progress) -> std::optional<TreesAndFaults> {
        const std::optional<nb::bytes> text = utf8_of(source);
        if (!text || !is_plain_brackets(view(*text))) return std::nullopt;
        return labelled_trees(view(*text), static_cast<Layout>(layout), progress);
      },
      "source"_a, "layout"_a, "progress"_a.none() = nb::none());
  module.def(
      "read_block",
      [](BufferObject text, int rule, uint64_t first_line, bool more,
         bool labelless) -> TupleOf<Trees, ListOf<FaultTuple>, size_t, int, size_t, size_t, size_t> {
        const Buffer buffer(text);
        auto columns = std::make_shared<Columns>(std::make_shared<Vocabulary>());
        ReadResult result;
        {
          const nb::gil_scoped_release release;
          result = read_block(buffer.text(), static_cast<Break>(rule), first_line, more, labelless, *columns);
        }
        return nb::make_tuple(whole(columns), as_list(result.faults), result.blank_lines, static_cast<int>(result.rule),
                              result.size, result.names, result.next_line);
      },
      "text"_a, "rule"_a, "first_line"_a, "more"_a, "labelless"_a = false);
  module.def("block_size", [](BufferObject text, int rule) {
    const Buffer buffer(text);
    return block_size(buffer.text(), static_cast<Break>(rule));
  });

  nb::class_<PairReader>(module, "EvalbReader")
      .def(nb::init<BufferObject, BufferObject, size_t, bool>())
      .def("read", &PairReader::read)
      .def_prop_ro("end", [](const PairReader& self) { return static_cast<int>(self.reader.end()); })
      .def_prop_ro("extents",
                   [](const PairReader& self) -> ListOf<TupleOf<TupleOf<size_t, size_t>, TupleOf<size_t, size_t>>> {
                     nb::list out;
                     for (const EvalbReader::Extent& it : self.reader.extents())
                       out.append(nb::make_tuple(nb::make_tuple(it.begin[0], it.end[0]),
                                                 nb::make_tuple(it.begin[1], it.end[1])));
                     return out;
                   })
      .def_prop_ro("longest_uncut", [](const PairReader& self) { return self.reader.longest_uncut(); })
      .def_prop_ro("longest_word", [](const PairReader& self) { return self.reader.longest_word(); });

  nb::class_<SideRules>(module, "SideRules")
      .def_prop_ro("label_keys", [](const SideRules& self) { return self.label_key; })
      .def_prop_ro("tag_keys", [](const SideRules& self) { return self.tag_key; });

  nb::class_<PairNames>(module, "PairNames")
      .def_prop_ro(
          "gold", [](const PairNames& self) -> const SideRules& { return self.rules.gold; },
          nb::rv_policy::reference_internal)
      .def_prop_ro(
          "test", [](const PairNames& self) -> const SideRules& { return self.rules.test; },
          nb::rv_policy::reference_internal)
      .def_prop_ro("labels", [](const PairNames& self) { return self.texts(self.rules.labels); })
      .def_prop_ro("tags", [](const PairNames& self) { return self.texts(self.rules.tags); });

  using SharedNames = std::shared_ptr<KnownNames>;
  nb::class_<SharedNames>(module, "KnownNames")
      .def(
          "__init__",
          [](SharedNames* self, bool tags_are_labels, bool labelled, std::vector<std::string> outer_labels) {
            new (self) SharedNames(std::make_shared<KnownNames>(tags_are_labels, labelled, std::move(outer_labels)));
          },
          "tags_are_labels"_a, "labelled"_a, "outer_labels"_a)
      .def("__len__", [](const SharedNames& self) { return self->size(); })
      .def("learn",
           [](SharedNames& self, const nb::bytes& name, const nb::bytes& label, uint8_t label_deleted,
              const nb::bytes& tag,
              uint8_t tag_flags) { self->learn(view(name), view(label), label_deleted, view(tag), tag_flags); })
      .def("unknown",
           [](SharedNames& self, const Trees& gold, const Trees& test) -> ListOf<nb::bytes> {
             std::vector<std::string_view> names;
             self->append_unknown(gold.columns->vocabulary(), names);
             self->append_unknown(test.columns->vocabulary(), names);
             nb::list out;
             for (const std::string_view name : names) out.append(as_bytes(name));
             return out;
           })
      // None if there are unknown names.
      .def("pair", [](SharedNames& self, const Trees& gold, const Trees& test) -> std::optional<PairNames> {
        PairNames out{self, {}};
        if (!self->rules(gold.columns->vocabulary(), test.columns->vocabulary(), out.rules)) return std::nullopt;
        return out;
      });

  nb::class_<ParsevalRules>(module, "ParsevalRules")
      .def(
          "__init__",
          [](ParsevalRules* self, const BytesPairs& equal_words, const std::vector<nb::bytes>& deleted_forms,
             bool labelled, bool delete_by_gold, bool may_be_kept_words, bool only_gaps, int words, int lengths,
             int least_width, int least_words, int64_t least_length, int64_t most_length, bool unwrap, int root,
             int duplicates, bool label_root, bool label_members, int empty, bool overlook_length, bool score_faulty) {
            new (self) ParsevalRules{.gold = {},
                                     .test = {},
                                     .equal_labels = {},
                                     .equal_tags = {},
                                     .words = word_rules({}, equal_words),
                                     .deleted_forms = {},
                                     .labelled = labelled,
                                     .delete_by_gold = delete_by_gold,
                                     .may_be_kept_words = may_be_kept_words,
                                     .only_gaps = only_gaps,
                                     .word_comparison = static_cast<WordComparison>(words),
                                     .partners = nullptr,
                                     .lengths = static_cast<Lengths>(lengths),
                                     .least_width = least_width,
                                     .least_words = least_words,
                                     .least_length = least_length,
                                     .most_length = most_length,
                                     .unwrap = unwrap,
                                     .root = static_cast<RootRule>(root),
                                     .duplicates = static_cast<Duplicates>(duplicates),
                                     .label_root = label_root,
                                     .label_members = label_members,
                                     .empty = static_cast<EmptyRule>(empty),
                                     .overlook_length = overlook_length,
                                     .score_faulty = score_faulty};
            for (const nb::bytes& form : deleted_forms) self->deleted_forms.add(view(form));
          },
          nb::kw_only(), "equal_words"_a, "deleted_forms"_a, "labelled"_a, "delete_by_gold"_a, "may_be_kept_words"_a,
          "only_gaps"_a, "words"_a, "lengths"_a, "least_width"_a, "least_words"_a, "least_length"_a, "most_length"_a,
          "unwrap"_a, "root"_a, "duplicates"_a, "label_root"_a, "label_members"_a, "empty"_a, "overlook_length"_a,
          "score_faulty"_a)
      // The same rules for these names and words; keys of labels and of tags that count as equal beside equal keys.
      .def(
          "with_names",
          [](const ParsevalRules& self, const PairNames& names,
             const std::vector<std::pair<uint32_t, uint32_t>>& equal_labels,
             const std::vector<std::pair<uint32_t, uint32_t>>& equal_tags, const BytesPairs& word_texts) {
            ParsevalRules out = self;
            out.gold = names.rules.gold;
            out.test = names.rules.test;
            out.equal_labels = KeyPairs(equal_labels);
            out.equal_tags = KeyPairs(equal_tags);
            if (!word_texts.empty()) out.words.texts = word_rules(word_texts, {}).texts;
            return out;
          },
          "names"_a, "equal_labels"_a, "equal_tags"_a, "word_texts"_a)
      // The same rules for gold trees whose words have these partners in test, by leaf, or -1.
      .def(
          "with_partners",
          [](const ParsevalRules& self, const Trees& gold, const Trees& test,
             const std::vector<std::vector<int32_t>>& partners) {
            WordPartners made{.first_tree = gold.begin, .begin = {0}, .partner = {}};
            if (partners.size() != gold.size() || partners.size() != test.size())
              throw nb::value_error("not one list of partners for each pair of trees");
            for (size_t pair = 0; pair < partners.size(); ++pair) {
              if (partners[pair].size() != gold.columns->tree(gold.begin + pair).leaves.size())
                throw nb::value_error("not one partner for each word");
              const auto words = static_cast<int32_t>(test.columns->tree(test.begin + pair).leaves.size());
              for (const int32_t partner : partners[pair])
                if (partner >= words) throw nb::value_error("a partner that is no word of test");
              made.partner.insert(made.partner.end(), partners[pair].begin(), partners[pair].end());
              made.begin.push_back(made.partner.size());
            }
            ParsevalRules out = self;
            out.partners = std::make_shared<const WordPartners>(std::move(made));
            return out;
          },
          "gold"_a, "test"_a, "partners"_a);

  module.def(
      "parseval_rows",
      [](const Trees& gold, const Trees& test, const ParsevalRules& rules, unsigned threads, Progress* progress) {
        return rows<ParsevalRow>(gold, test, rules, threads, progress);
      },
      "gold"_a, "test"_a, "rules"_a, "threads"_a, "progress"_a.none() = nb::none());

  module.def("parseval_by_label", [](const Trees& gold, const Trees& test, const ParsevalRules& rules) -> LabelTable {
    check_pair(gold, test, rules);
    std::vector<LabelCount> table;
    released(nullptr, [&](Progress& seen) {
      ParsevalScorer scorer(rules);
      for (size_t index = 0; index < gold.size(); ++index) {
        scorer.add_by_label(*gold.columns, gold.begin + index, *test.columns, test.begin + index, table);
        seen.at(index);
      }
    });
    nb::list out;
    for (size_t key = 0; key < table.size(); ++key)
      if (table[key].gold_all || table[key].test_all) out.append(nb::make_tuple(key, row_by_name(table[key])));
    return out;
  });

  module.def("parseval_explain",
             [](const Trees& gold, size_t gold_index, const Trees& test, size_t test_index,
                const ParsevalRules& rules) -> Explanation {
               check_rules(gold, rules.gold);
               check_rules(test, rules.test);
               Explained explained;
               ParsevalScorer(rules).score(*gold.columns, gold.at(gold_index), *test.columns, test.at(test_index),
                                           &explained);
               nb::list words[2], phrases[2], quotes[2], insertions;
               for (const int side : {0, 1}) {
                 for (const auto& word : explained.words[side])
                   words[side].append(nb::make_tuple(word.leaf, word.result));
                 for (const auto& phrase : explained.phrases[side])
                   phrases[side].append(nb::make_tuple(phrase.start, phrase.end, phrase.result, phrase.partner));
                 for (const auto& quote : explained.quotes[side])
                   quotes[side].append(nb::make_tuple(quote.position, quote.leaf));
               }
               for (const auto& insertion : explained.insertions) {
                 nb::list spans;
                 for (const auto& [start, end] : insertion.spans) spans.append(nb::make_tuple(start, end));
                 insertions.append(
                     nb::make_tuple(insertion.side, insertion.nodes_before, insertion.position, insertion.open, spans));
               }
               return nb::make_tuple(nb::make_tuple(words[0], words[1]), nb::make_tuple(phrases[0], phrases[1]),
                                     nb::make_tuple(quotes[0], quotes[1]), insertions, explained.lengths_differed);
             });

  nb::class_<StructIouRules>(module, "StructIouRules")
      .def(
          "__init__",
          [](StructIouRules* self, bool labelled, int axis, bool count_silent, bool close_gaps, double crossing,
             bool flexible, double threshold, double least_overlap, double least_iou, double limit) {
            if (!(threshold >= 0) || !(least_overlap >= 0) || !(least_iou >= 0) || least_iou > 1 || !(crossing >= 0))
              throw nb::value_error("a threshold is negative, or least_iou is above 1");
            new (self) StructIouRules{.gold = {},
                                      .test = {},
                                      .labelled = labelled,
                                      .axis = static_cast<Axis>(axis),
                                      .count_silent = count_silent,
                                      .close_gaps = close_gaps,
                                      .crossing = crossing,
                                      .mapping = {.flexible = flexible,
                                                  .threshold = threshold,
                                                  .least_overlap = least_overlap,
                                                  .least_iou = least_iou,
                                                  .limit = limit}};
          },
          nb::kw_only(), "labelled"_a, "axis"_a, "count_silent"_a, "close_gaps"_a, "crossing"_a, "flexible"_a,
          "threshold"_a, "least_overlap"_a, "least_iou"_a, "limit"_a)
      .def(
          "with_names",
          [](const StructIouRules& self, const PairNames& names) {
            StructIouRules out = self;
            out.gold = names.rules.gold;
            out.test = names.rules.test;
            return out;
          },
          "names"_a);

  module.def(
      "struct_iou_rows",
      [](const Trees& gold, const Trees& test, const StructIouRules& rules, unsigned threads, Progress* progress) {
        return rows<StructIouRow>(gold, test, rules, threads, progress);
      },
      "gold"_a, "test"_a, "rules"_a, "threads"_a, "progress"_a.none() = nb::none());

  // The rows as above, and the aligned nodes.
  module.def(
      "struct_iou_alignments",
      [](const Trees& gold, const Trees& test, const StructIouRules& rules, unsigned threads,
         Progress* progress) -> RowsAndPairs {
        check_pair(gold, test, rules);
        const auto [out, blank] = blank_rows<StructIouRow>(gold.size());
        std::vector<StructIouScorer::Aligned> aligned;
        std::vector<int64_t> ends;
        released(progress, [&, &columns = blank](Progress& seen) {
          align_all(*gold.columns, gold.begin, *test.columns, test.begin, gold.size(), rules, threads, columns, aligned,
                    ends, &seen);
        });
        return nb::make_tuple(out, pair_columns(ends, aligned));
      },
      "gold"_a, "test"_a, "rules"_a, "threads"_a, "progress"_a.none() = nb::none());

  module.def("struct_iou_by_label",
             [](const Trees& gold, const Trees& test, const StructIouRules& rules) -> LabelTable {
               check_pair(gold, test, rules);
               std::vector<StructIouScorer::LabelSums> table;
               released(nullptr, [&](Progress& seen) {
                 StructIouScorer scorer(rules, seen.poll);
                 for (size_t index = 0; index < gold.size(); ++index) {
                   scorer.add_by_label(*gold.columns, gold.begin + index, *test.columns, test.begin + index, table);
                   seen.at(index);
                 }
               });
               nb::list out;
               for (size_t key = 0; key < table.size(); ++key) {
                 const StructIouScorer::LabelSums& sums = table[key];
                 if (!sums.gold_all && !sums.test_all) continue;
                 nb::dict named;
                 named["gold"] = sums.gold;
                 named["test"] = sums.test;
                 named["gold_all"] = sums.gold_all;
                 named["test_all"] = sums.test_all;
                 named["gold_overlap"] = as_int(sums.gold_overlap);
                 named["test_overlap"] = as_int(sums.test_overlap);
                 out.append(nb::make_tuple(key, named));
               }
               return out;
             });

  module.def(
      "struct_iou_pairwise",
      [](const Trees& trees, const StructIouRules& rules, unsigned threads, Progress* progress) {
        check_rules(trees, rules.gold);
        std::vector<double> scores;
        released(progress, [&](Progress& seen) {
          scores = score_pairwise(*trees.columns, trees.begin, trees.size(), rules, threads, &seen);
        });
        return as_bytes({reinterpret_cast<const char*>(scores.data()), scores.size() * sizeof(double)});
      },
      "trees"_a, "rules"_a, "threads"_a, "progress"_a.none() = nb::none());

  // One way of finding the optimum: tests check that all ways agree.
  module.def(
      "struct_iou_variant",
      [](const Trees& gold, const Trees& test, const StructIouRules& rules, bool contract, int engine, int paths,
         bool prune) -> ListOf<TupleOf<int64_t, Pairs>> {
        check_pair(gold, test, rules);
        nb::list out;
        StructIouScorer scorer(rules, check_signals);
        scorer.mapper().choose(
            {contract, static_cast<Mapper::Engine>(engine), static_cast<Mapper::Paths>(paths), prune});
        for (size_t index = 0; index < gold.size(); ++index) {
          StructIouRow row;
          std::vector<StructIouScorer::Aligned> aligned;
          {
            const nb::gil_scoped_release release;  // while the scorer may wait for memory
            row = scorer.score(*gold.columns, gold.begin + index, *test.columns, test.begin + index);
            scorer.append_alignment(aligned);
            scorer.release();
          }
          nb::list pairs;
          for (const StructIouScorer::Aligned& pair : aligned) pairs.append(nb::make_tuple(pair.gold, pair.test));
          out.append(nb::make_tuple(row.overlap, pairs));
        }
        return out;
      },
      "gold"_a, "test"_a, "rules"_a, nb::kw_only(), "contract"_a, "engine"_a, "paths"_a, "prune"_a = false);

  nb::class_<TreeEditRules>(module, "TreeEditRules")
      .def(
          "__init__",
          [](TreeEditRules* self, const SideRules& gold, const SideRules& test, bool labelled, int words, int roots,
             nb::bytes gold_root, nb::bytes test_root, const SurfaceColumns& gold_in, const SurfaceColumns& test_in,
             int64_t insert, int64_t remove, int64_t rename, double limit) {
            constexpr int64_t kMostCost = int64_t{1} << 60;  // sums are checked for each pair
            for (const int64_t cost : {insert, remove, rename})
              if (cost < 0 || cost > kMostCost) throw nb::value_error("a cost out of range");
            const std::string_view gold_flags = view(gold_root), test_flags = view(test_root);
            new (self) TreeEditRules{.gold = gold,
                                     .test = test,
                                     .labelled = labelled,
                                     .words = static_cast<TreeEditRules::Words>(words),
                                     .roots = static_cast<TreeEditRules::Roots>(roots),
                                     .gold_root = {gold_flags.begin(), gold_flags.end()},
                                     .test_root = {test_flags.begin(), test_flags.end()},
                                     .gold_in = surface_words(gold_in),
                                     .test_in = surface_words(test_in),
                                     .costs = {.insert = insert, .remove = remove, .rename = rename},
                                     .limit = limit};
          },
          nb::kw_only(), "gold"_a, "test"_a, "labelled"_a, "words"_a,
          "roots"_a = static_cast<int>(TreeEditRules::kAsTheyAre), "gold_root"_a = nb::bytes("", 0),
          "test_root"_a = nb::bytes("", 0), "gold_in"_a = nb::none(), "test_in"_a = nb::none(), "insert"_a, "remove"_a,
          "rename"_a, "limit"_a);

  module.def(
      "tree_distance_rows",
      [](const Trees& gold, const Trees& test, const TreeEditRules& rules, unsigned threads, Progress* progress) {
        check_edits(gold, test, rules);
        return rows<TreeEditRow>(gold, test, rules, threads, progress);
      },
      "gold"_a, "test"_a, "rules"_a, "threads"_a, "progress"_a.none() = nb::none());

  // The rows as above, and the pairs of nodes; -1 for a node that is removed or inserted, if all steps are wanted.
  module.def(
      "tree_distance_steps",
      [](const Trees& gold, const Trees& test, const TreeEditRules& rules, unsigned threads, bool all,
         Progress* progress) -> RowsAndPairs {
        check_edits(gold, test, rules);
        check_pair(gold, test, rules);
        const auto [out, blank] = blank_rows<TreeEditRow>(gold.size());
        std::vector<EditStep> steps;
        std::vector<int64_t> ends;
        released(progress, [&, &columns = blank](Progress& seen) {
          edit_all(*gold.columns, gold.begin, *test.columns, test.begin, gold.size(), rules, threads, columns, all,
                   steps, ends, &seen);
        });
        return nb::make_tuple(out, pair_columns(ends, steps));
      },
      "gold"_a, "test"_a, "rules"_a, "threads"_a, "all"_a, "progress"_a.none() = nb::none());

  module.def(
      "sum_rows",
      [](const std::vector<BufferObject>& columns,
         const std::vector<std::tuple<BufferObject, int64_t, int64_t>>& where) -> ListOf<nb::int_> {
        std::vector<std::unique_ptr<Buffer>> held;
        const auto numbers = [&](nb::handle object) {
          held.push_back(std::make_unique<Buffer>(object));
          return held.back()->numbers();
        };
        std::vector<std::tuple<std::span<const int64_t>, int64_t, int64_t>> conditions;
        for (const auto& [column, least, most] : where) conditions.emplace_back(numbers(column), least, most);
        nb::list sums;
        for (const BufferObject& column : columns) {
          const auto values = numbers(column);
          for (const auto& [selector, least, most] : conditions)
            if (selector.size() != values.size()) throw nb::value_error("columns of unequal length");
          WeightSum sum;
          for (size_t row = 0; row < values.size(); ++row) {
            bool counts = true;
            for (const auto& [selector, least, most] : conditions)
              counts &= selector[row] >= least && selector[row] <= most;
            sum.add(counts ? values[row] : 0);
          }
          sums.append(as_int(sum));
        }
        return sums;
      },
      "columns"_a, "where"_a);

  // Each field with the names of its columns: none for a row number, part and whole for a percentage.
  module.def("format_rows", [](const std::vector<std::tuple<nb::bytes, int, int, std::vector<nb::str>>>& fields,
                               const ColumnsByName& columns, size_t begin, size_t end, int64_t first) {
    std::vector<std::unique_ptr<Buffer>> held;
    std::vector<Field> layout;
    for (const auto& [before, kind, width, names] : fields) {
      Field field{std::string(view(before)), static_cast<Field::Kind>(kind), width, {}, {}};
      if (names.size() != field.column_count()) throw nb::value_error("not the columns of such a field");
      for (size_t place = 0; place < names.size(); ++place) {
        held.push_back(std::make_unique<Buffer>(columns[names[place]]));
        (place == 0 ? field.column : field.whole) = held.back()->numbers();
        if (end > held.back()->numbers().size() || begin > end) throw nb::index_error("no such rows");
      }
      layout.push_back(std::move(field));
    }
    std::string out;
    write_rows(layout, begin, end, first, out);
    return as_bytes(out);
  });

  bind_lineages(module);
  bind_positions(module);
  bind_graphs(module);
  bind_spans(module);
  bind_sparseval(module);
  bind_word_batch(module);
  bind_word_columns(module);
  bind_words(module);
  bind_texts(module);
  bind_page(module);
  bind_verdicts(module);
  bind_seconds(module);
  bind_dependencies(module);
  bind_error_classes(module);
  bind_boundaries(module);
  bind_resample(module);
  bind_swapped_rates(module);
  bind_breakdown(module);
  bind_completions(module);
  bind_names(module);
}
