#include "completions.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <vector>

#include "graph.hpp"
#include "tokens.hpp"

namespace treescore {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
constexpr std::string_view kTraceTag = "-NONE-";
constexpr std::array<std::string_view, 3> kReasoning = {"think>", "thinking>", "reasoning>"};

bool starts_in_any_case(std::string_view text, std::string_view small_letters) {
  if (text.size() < small_letters.size()) return false;
  return std::equal(small_letters.begin(), small_letters.end(), text.begin(),
                    [](char small, char c) { return small == (c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c); });
}

// The size of the mark of reasoning at the beginning of a text, 0 if there is none.
size_t mark_size(std::string_view text, std::string_view opening) {
  for (const std::string_view name : kReasoning)
    if (starts_in_any_case(text.substr(opening.size()), name)) return opening.size() + name.size();
  return 0;
}

// The text without everything up to the last mark that closes reasoning, and from an opening mark after that on.
std::string_view without_reasoning(std::string_view text) {
  size_t begin = 0, end = std::string_view::npos;
  for (size_t at = text.find('<'); at != std::string_view::npos; at = text.find('<', at + 1)) {
    const std::string_view rest = text.substr(at);
    const bool closes = rest.starts_with("</");
    const size_t size = mark_size(rest, closes ? "</" : "<");
    if (size == 0) continue;
    if (closes) {
      begin = at + size;
      end = std::string_view::npos;
    } else if (end == std::string_view::npos) {
      end = at;
    }
  }
  return text.substr(begin, end == std::string_view::npos ? end : end - begin);
}

// Is there a blank that is not ASCII, or a mark of direction or of no width, at the beginning of the text?
bool starts_with_odd_blank(std::string_view text) {
  const auto byte = [&](size_t at) { return at < text.size() ? static_cast<uint8_t>(text[at]) : uint8_t{0}; };
  const uint8_t second = byte(1), third = byte(2);
  const auto third_in = [&](uint8_t low, uint8_t high) { return third >= low && third <= high; };
  switch (byte(0)) {
    case 0xC2:
      return second == 0xA0;  // U+00A0
    case 0xE1:
      return second == 0x9A && third == 0x80;  // U+1680
    case 0xE2:
      if (second == 0x80)  // U+2000 to U+200B, U+200E, U+200F, U+202A to U+202F
        return third_in(0x80, 0x8B) || third_in(0x8E, 0x8F) || third_in(0xAA, 0xAF);
      return second == 0x81 && (third_in(0x9F, 0xA0) || third_in(0xA6, 0xA9));  // U+205F, U+2060, U+2066 to U+2069
    case 0xE3:
      return second == 0x80 && third == 0x80;  // U+3000
    case 0xEF:
      return second == 0xBB && third == 0xBF;  // U+FEFF
    default:
      return false;
  }
}

bool has_odd_blank(std::string_view text) {
  constexpr uint64_t kHigh = 0x8080808080808080ull;
  size_t at = 0;
  while (at < text.size()) {
    uint64_t bytes;
    if (text.size() - at >= sizeof bytes) {
      std::memcpy(&bytes, text.data() + at, sizeof bytes);
      if ((bytes & kHigh) == 0) {
        at += sizeof bytes;
        continue;
      }
    }
    const size_t end = std::min(text.size(), at + sizeof bytes);
    for (; at < end; ++at)
      if (starts_with_odd_blank(text.substr(at))) return true;
  }
  return false;
}

class FaithfulReader {
 public:
  FaithfulReader(std::string_view text, const TreeView& sentence, size_t most_phrases, Columns& out)
      : at_(text.data()), end_(at_ + text.size()), sentence_(sentence), most_phrases_(most_phrases), out_(out) {}

  bool read() {
    skip_blanks();
    if (at_ == end_ || *at_ != '(') return false;
    do {
      if (!step()) return false;
      skip_blanks();
    } while (node_ != -1 && at_ < end_);
    return node_ == -1 && at_ == end_ && leaves_ == sentence_.leaves.size();
  }

 private:
  bool step() {
    switch (*at_) {
      case '(':
        return open_bracket();
      case ')':
        ++at_;
        out_.close(node_);
        node_ = out_.open_node(node_).parent;
        return true;
      default:
        return add_leaf(kNone, take_text());
    }
  }

  // Labels are read as `BracketReader` reads them. The tag "$(" may need a repair.
  bool open_bracket() {
    if (node_ != -1 && at_[-1] == '$') return false;
    ++at_;
    std::string_view label = take_text();
    skip_blanks();
    if (label.empty() && at_text()) {
      label = take_text();
      skip_blanks();
    }
    if (at_ == end_ || *at_ == ')') return false;
    const uint32_t id = out_.vocabulary().intern(label.data(), label.size(), static_cast<size_t>(end_ - label.data()));
    if (!at_text()) return open_phrase(id);
    const std::string_view word = take_text();
    skip_blanks();
    if (at_ < end_ && *at_ == ')') {
      ++at_;
      return add_leaf(id, word);
    }
    return open_phrase(id) && add_leaf(kNone, word);
  }

  bool open_phrase(uint32_t label) {
    if (static_cast<size_t>(out_.open_nodes()) >= most_phrases_) return false;
    node_ = out_.open(label, node_);
    return true;
  }

  bool add_leaf(uint32_t tag, std::string_view word) {
    if (leaves_ == sentence_.leaves.size() || word != sentence_.word(leaves_)) return false;
    ++leaves_;
    out_.leaf(tag, node_, word.data(), word.size(), static_cast<size_t>(end_ - word.data()));
    return true;
  }

  bool at_text() const { return at_ < end_ && class_of(*at_) == kText; }
  void skip_blanks() {
    while (at_ < end_ && class_of(*at_) == kBlank) ++at_;
  }
  std::string_view take_text() {
    const char* from = at_;
    at_ = skip_text(at_, end_);
    return {from, static_cast<size_t>(at_ - from)};
  }

  const char* at_;
  const char* end_;
  const TreeView& sentence_;
  size_t most_phrases_;
  Columns& out_;
  int32_t node_ = -1;  // the innermost open phrase
  size_t leaves_ = 0;
};

// How many leaves before each leaf, and in all, are no traces; nothing if there are no traces.
std::vector<int32_t> kept_before(const TreeView& tree, uint32_t trace) {
  std::vector<int32_t> out;
  const auto is_trace = [&](const Leaf& leaf) { return leaf.tag == trace; };
  if (std::none_of(tree.leaves.begin(), tree.leaves.end(), is_trace)) return out;
  out.reserve(tree.leaves.size() + 1);
  out.push_back(0);
  for (const Leaf& leaf : tree.leaves) out.push_back(out.back() + !is_trace(leaf));
  return out;
}

void append_nested(const TreeView& tree, const std::vector<uint32_t>& names, const std::vector<int32_t>& kept,
                   uint32_t trace, Columns& out) {
  std::vector<int32_t> number(tree.nodes.size(), -1);
  const auto number_of = [&](int32_t node) { return node < 0 ? -1 : number[static_cast<size_t>(node)]; };
  for (size_t node = 0; node < tree.nodes.size(); ++node) {
    const auto& [label, parent, first, end] = tree.nodes[node];
    const int32_t from = kept[static_cast<size_t>(first)], to = kept[static_cast<size_t>(end)];
    if (from == to) continue;
    number[node] = out.open(names[label], number_of(parent));
    out.open_node(number[node]).first = from;
    out.open_node(number[node]).end = to;
  }
  const std::vector<int32_t> parents = tree.leaf_parents();
  std::vector<Interval> times;
  for (size_t leaf = 0; leaf < tree.leaves.size(); ++leaf) {
    const uint32_t tag = tree.leaves[leaf].tag;
    if (tag == trace) continue;
    const std::string_view word = tree.word(leaf);
    out.leaf(tag == kNone ? kNone : names[tag], number_of(parents[leaf]), word.data(), word.size());
    if (!tree.times.empty()) times.push_back(tree.times[leaf]);
  }
  if (!times.empty()) out.set_times(times);
  if (tree.node_functions.empty() && tree.leaf_functions.empty()) return;
  std::vector<uint32_t> functions[2];
  const auto named = [&](uint32_t function) { return function == kNone ? kNone : names[function]; };
  for (size_t node = 0; node < tree.nodes.size(); ++node)
    if (number[node] != -1) functions[0].push_back(named(tree.node_functions[node]));
  for (size_t leaf = 0; leaf < tree.leaves.size(); ++leaf)
    if (tree.leaves[leaf].tag != trace) functions[1].push_back(named(tree.leaf_functions[leaf]));
  out.set_functions(functions[0], functions[1]);
}

// Without traces phrases may have no more gaps, or begin in another order.
void append_discontinuous(const TreeView& tree, const std::vector<uint32_t>& names, uint32_t trace, uint32_t line,
                          Columns& out) {
  std::vector<bool> has_words(tree.nodes.size(), false);
  for (size_t leaf = 0; leaf < tree.leaves.size(); ++leaf) {
    if (tree.leaves[leaf].tag == trace) continue;
    for (int32_t node = tree.parents[leaf]; node >= 0 && !has_words[static_cast<size_t>(node)];
         node = tree.nodes[static_cast<size_t>(node)].parent)
      has_words[static_cast<size_t>(node)] = true;
  }
  Graph graph;
  graph.has_functions = !tree.node_functions.empty() || !tree.leaf_functions.empty();
  const auto named = [&](uint32_t id) { return id == kNone ? kNone : names[id]; };
  const auto function = [&](std::span<const uint32_t> functions, size_t at) {
    return functions.empty() ? kNone : named(functions[at]);
  };
  std::vector<int32_t> number(tree.nodes.size(), -1);
  const auto number_of = [&](int32_t node) { return node < 0 ? -1 : number[static_cast<size_t>(node)]; };
  for (size_t node = 0; node < tree.nodes.size(); ++node) {
    if (!has_words[node]) continue;
    number[node] = static_cast<int32_t>(graph.phrases.size());
    const auto& [label, parent, first, end] = tree.nodes[node];
    graph.phrases.push_back({names[label], number_of(parent), function(tree.node_functions, node)});
  }
  for (size_t leaf = 0; leaf < tree.leaves.size(); ++leaf) {
    const uint32_t tag = tree.leaves[leaf].tag;
    if (tag == trace) continue;
    graph.words.push_back(
        {named(tag), number_of(tree.parents[leaf]), function(tree.leaf_functions, leaf), std::string(tree.word(leaf))});
  }
  GraphBuilder().append(graph, out, line);
}

}  // namespace

bool append_faithful(std::string_view completion, const TreeView& sentence, size_t most_nodes, Columns& out) {
  if (sentence.leaves.size() > most_nodes) return false;
  if (completion.starts_with(kByteOrderMark)) completion.remove_prefix(kByteOrderMark.size());
  const std::string_view text = without_reasoning(completion);
  const size_t most_phrases = most_nodes - sentence.leaves.size();
  if (FaithfulReader(text, sentence, most_phrases, out).read() && !has_odd_blank(text)) return true;
  out.abandon();
  return false;
}

bool has_traces(const Columns& columns) {
  const Vocabulary& names = columns.vocabulary();
  for (uint32_t id = 0; id < names.size(); ++id)
    if (names.at(id) == kTraceTag) return true;
  return false;
}

void write_without_traces(const Columns& columns, size_t begin, size_t end, Columns& out) {
  const Vocabulary& vocabulary = columns.vocabulary();
  std::vector<uint32_t> names(vocabulary.size());
  uint32_t trace = kNone;
  for (uint32_t id = 0; id < vocabulary.size(); ++id) {
    const std::string_view name = vocabulary.at(id);
    names[id] = out.vocabulary().intern(name.data(), name.size());
    if (name == kTraceTag) trace = id;
  }
  size_t copied = begin;
  for (size_t index = begin; index < end && trace != kNone; ++index) {
    const TreeView tree = columns.tree(index);
    const std::vector<int32_t> kept = kept_before(tree, trace);
    if (kept.empty() || (!tree.nested && !tree.discontinuous)) continue;
    out.append(columns, copied, index);
    copied = index + 1;
    if (tree.discontinuous) {
      append_discontinuous(tree, names, trace, columns.line(index), out);
      continue;
    }
    append_nested(tree, names, kept, trace, out);
    const bool has_functions = columns.has_functions(index);
    out.finish(columns.line(index), static_cast<uint8_t>((columns.faulty(index) ? Columns::kFaulty : 0) |
                                                         (has_functions ? Columns::kFunctions : 0)));
  }
  out.append(columns, copied, end);
}

}  // namespace treescore
