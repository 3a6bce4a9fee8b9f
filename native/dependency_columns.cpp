#include "dependency_columns.hpp"

#include <algorithm>
#include <array>
#include <optional>

#include "dependencies.hpp"

namespace treescore {

void DependencyColumns::begin_sentence(uint32_t at) {
  line.push_back(at);
  sentence_token.push_back(static_cast<uint32_t>(tokens()));
  sentence_word.push_back(static_cast<uint32_t>(words()));
}

void DependencyColumns::begin_token(uint32_t token, bool range) {
  token_form.push_back(token);
  token_word.push_back(static_cast<uint32_t>(words()));
  is_range.push_back(range);
}

void DependencyColumns::close() {
  sentence_token.push_back(static_cast<uint32_t>(tokens()));
  sentence_word.push_back(static_cast<uint32_t>(words()));
  token_word.push_back(static_cast<uint32_t>(words()));
  word_edge.push_back(static_cast<uint32_t>(edges.size()));
}

// ---- CoNLL-U

namespace {

constexpr size_t kColumnCount = 10;
enum Field { kIdField, kForm, kLemma, kUpos, kXpos, kFeats, kHeadField, kRelation, kDeps };

// A whole number of at most nine digits; blanks around it and a plus sign are ignored.
std::optional<int32_t> number_in(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  if (!text.empty() && text.front() == '+') text.remove_prefix(1);
  while (text.size() > 1 && text.front() == '0') text.remove_prefix(1);
  if (text.empty() || text.size() > 9) return std::nullopt;
  int32_t number = 0;
  for (const char digit : text) {
    if (digit < '0' || digit > '9') return std::nullopt;
    number = 10 * number + (digit - '0');
  }
  return number;
}

bool is_blank(std::string_view line) { return line.find_first_not_of(" \t\v\f\r") == std::string_view::npos; }

class ConlluReader {
 public:
  ConlluReader(std::string_view text, const ConlluOptions& options, std::vector<ConlluProblem>& found)
      : text_(text), options_(options), found_(found) {}

  DependencyColumns read() {
    std::string_view rest = text_;
    bool ended = true;  // by a blank line
    while (!rest.empty()) {
      const size_t end = rest.find('\n');
      std::string_view line = rest.substr(0, end);
      rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
      if (line.ends_with('\r')) line.remove_suffix(1);
      ++line_;
      if (is_blank(line)) {
        if (!is_open_ ? !has_surplus_ : !line.empty()) fault(ConlluFault::kBlankLine, is_open_);
        has_surplus_ = !is_open_;
        finish();
        ended = true;
      } else if (line.front() == '#' && !is_open_) {
        continue;
      } else {
        take(line);
        ended = has_surplus_ = false;
      }
    }
    if (!ended) fault(ConlluFault::kNoBlankLine);
    finish();
    out_.close();
    return std::move(out_);
  }

 private:
  void fault(ConlluFault kind, uint32_t number = 0) { fault_at(kind, line_, number); }
  void fault_at(ConlluFault kind, uint32_t line, uint32_t number) {
    const uint32_t bit = 1u << static_cast<unsigned>(kind);
    if ((seen_ & bit) != 0) return;
    if (is_open_) seen_ |= bit;
    found_.push_back({kind, line, static_cast<uint32_t>(out_.sentences()) - (is_open_ ? 1 : 0), number});
  }

  void take(std::string_view line) {
    if (!is_open_) {
      is_open_ = true;
      first_word_ = out_.words();
      range_left_ = 0;
      seen_ = 0;
      out_.begin_sentence(line_);
      head_lines_.clear();
    }
    if (line.front() == '#') return fault(ConlluFault::kComment);
    std::array<std::string_view, kColumnCount> fields;
    fields.fill("_");
    size_t count = 0;
    for (size_t at = 0; at <= line.size();) {
      const size_t end = std::min(line.find('\t', at), line.size());
      if (count < kColumnCount) fields[count] = line.substr(at, end - at);
      ++count;
      at = end + 1;
    }
    if (count < 2) return fault(ConlluFault::kNoForm);
    if (count != kColumnCount) fault(ConlluFault::kColumns, static_cast<uint32_t>(count));
    const std::string_view id = fields[kIdField];
    if (id.find('.') != std::string_view::npos) {
      if (!options_.empty_nodes) fault(ConlluFault::kEmptyNode);
      return;
    }
    if (id.find('-') != std::string_view::npos)
      take_range(id, fields[kForm]);
    else
      take_word(fields);
  }

  int32_t next_word() const { return static_cast<int32_t>(out_.words() - first_word_) + 1; }

  void take_range(std::string_view id, std::string_view form) {
    const size_t hyphen = id.find('-');
    const auto from = number_in(id.substr(0, hyphen)), to = number_in(id.substr(hyphen + 1));
    if (!from || !to || *from != next_word() || *to < *from || range_left_ > 0) {
      fault(ConlluFault::kRange, static_cast<uint32_t>(next_word()));
      return;
    }
    out_.begin_token(interned(out_.forms, form), true);
    range_left_ = *to - *from + 1;
    range_line_ = line_;
  }

  void take_word(const std::array<std::string_view, kColumnCount>& fields) {
    const int32_t expected = next_word();
    if (number_in(fields[kIdField]) != expected) fault(ConlluFault::kId, static_cast<uint32_t>(expected));
    const uint32_t form = interned(out_.forms, fields[kForm]);
    if (range_left_ > 0)
      --range_left_;
    else
      out_.begin_token(form, false);
    out_.form.push_back(form);
    out_.lemma.push_back(interned(out_.names, fields[kLemma]));
    out_.upos.push_back(interned(out_.names, fields[kUpos]));
    out_.xpos.push_back(interned(out_.names, fields[kXpos]));
    out_.feats.push_back(interned(out_.names, fields[kFeats]));
    out_.relation.push_back(interned(out_.names, fields[kRelation]));
    const auto head = number_in(fields[kHeadField]);
    if (!head) fault(ConlluFault::kHead);
    out_.head.push_back(head.value_or(kNoHead));  // a number in the sentence until this is finished
    head_lines_.push_back(line_);
    out_.word_edge.push_back(static_cast<uint32_t>(out_.edges.size()));
    if (options_.with_edges) take_edges(fields[kDeps]);
  }

  void take_edges(std::string_view text) {
    if (text == "_") return;
    while (true) {
      const size_t end = std::min(text.find('|'), text.size());
      const std::string_view edge = text.substr(0, end);
      const size_t colon = edge.find(':');
      const std::string_view head = edge.substr(0, colon);
      const auto number = number_in(head);
      if (colon == std::string_view::npos || (!number && head.find('.') == std::string_view::npos))
        fault(ConlluFault::kEdges);
      else if (number)  // edges from empty nodes do not count
        out_.edges.push_back({*number, interned(out_.names, edge.substr(colon + 1))});
      if (end == text.size()) return;
      text.remove_prefix(end + 1);
    }
  }

  static uint32_t interned(Vocabulary& vocabulary, std::string_view text) {
    return vocabulary.intern(text.data(), text.size());
  }

  void finish() {
    if (!is_open_) return;
    if (range_left_ > 0) fault_at(ConlluFault::kRange, range_line_, 0);
    const auto first = static_cast<int32_t>(first_word_);
    const int32_t count = next_word() - 1;
    int32_t roots = 0;
    for (int32_t word = 0; word < count; ++word) {
      int32_t& head = out_.head[first_word_ + static_cast<size_t>(word)];
      if (head > count) {
        fault_at(ConlluFault::kHeadOutside, head_lines_[static_cast<size_t>(word)], static_cast<uint32_t>(head));
        head = kNoHead;
      } else if (head != kNoHead) {
        roots += head == 0;
        if (roots > 1 && head == 0 && !options_.many_roots)
          fault_at(ConlluFault::kRoots, head_lines_[static_cast<size_t>(word)], 0);
        head = head == 0 ? kRootHead : first + head - 1;
      }
    }
    find_cycle(first, count);
    finish_edges(count);
    if (out_.tokens() == out_.sentence_token.back()) {  // nothing but faults, comments and empty nodes
      out_.line.pop_back();
      out_.sentence_token.pop_back();
      out_.sentence_word.pop_back();
    }
    is_open_ = false;
    seen_ = 0;
  }

  void find_cycle(int32_t first, int32_t count) {
    state_.assign(static_cast<size_t>(count), 0);  // the number of the walk that reached the word first
    for (int32_t start = 0; start < count; ++start) {
      int32_t word = start;
      while (word >= 0 && state_[static_cast<size_t>(word)] == 0) {
        state_[static_cast<size_t>(word)] = start + 1;
        const int32_t head = out_.head[first_word_ + static_cast<size_t>(word)];
        word = head < 0 ? -1 : head - first;
      }
      if (word >= 0 && state_[static_cast<size_t>(word)] == start + 1)
        return fault_at(ConlluFault::kCycle, head_lines_[static_cast<size_t>(word)], static_cast<uint32_t>(word + 1));
    }
  }

  // Their heads become words of the file; heads outside the sentence are dropped.
  void finish_edges(int32_t count) {
    if (out_.words() == first_word_) return;
    const size_t begin = out_.word_edge[first_word_];
    bool outside = false;
    for (size_t edge = begin; edge < out_.edges.size(); ++edge) outside |= out_.edges[edge].head > count;
    if (!outside) {
      for (size_t edge = begin; edge < out_.edges.size(); ++edge) place(out_.edges[edge]);
      return;
    }
    fault_at(ConlluFault::kEdges, out_.line.back(), 0);
    size_t kept = begin;
    for (size_t word = first_word_; word < out_.words(); ++word) {
      const size_t from = out_.word_edge[word];
      const size_t to = word + 1 < out_.words() ? out_.word_edge[word + 1] : out_.edges.size();
      out_.word_edge[word] = static_cast<uint32_t>(kept);
      for (size_t edge = from; edge < to; ++edge) {
        if (out_.edges[edge].head > count) continue;
        out_.edges[kept] = out_.edges[edge];
        place(out_.edges[kept++]);
      }
    }
    out_.edges.resize(kept);
  }
  void place(DependencyEdge& edge) const {
    edge.head = edge.head == 0 ? kRootHead : static_cast<int32_t>(first_word_) + edge.head - 1;
  }

  const std::string_view text_;
  const ConlluOptions& options_;
  std::vector<ConlluProblem>& found_;
  DependencyColumns out_;
  uint32_t line_ = 0;
  bool has_surplus_ = false;  // more than one blank line, which has been reported
  bool is_open_ = false;      // inside a sentence, whose
  size_t first_word_ = 0;     // first word is this one,
  uint32_t seen_ = 0;         // with faults of these kinds
  int32_t range_left_ = 0;    // words still inside a range
  uint32_t range_line_ = 0;
  std::vector<uint32_t> head_lines_;
  std::vector<int32_t> state_;
};

}  // namespace

DependencyColumns read_conllu(std::string_view text, const ConlluOptions& options, std::vector<ConlluProblem>& found) {
  return ConlluReader(text, options, found).read();
}

// ---- Trees

namespace {

class TreeConverter {
 public:
  explicit TreeConverter(const TreeHeads& heads) : heads_(heads) {}

  void add(const TreeView& view, uint32_t no_tag, DependencyColumns& out) {
    build(view, no_tag);
    if (leaves_.empty()) return;
    find_heads(tree_, heads_.rules, false, true);
    tree_[SpeechTree::kRoot].head_child = heads_.rules.find_leniently(tree_, SpeechTree::kRoot);
    const auto first = static_cast<int32_t>(out.words());
    for (size_t leaf = 0; leaf < leaves_.size(); ++leaf) number_at_[static_cast<size_t>(leaves_[leaf])] = leaf;
    for (const int32_t leaf : leaves_) {
      int32_t top = leaf;
      while (tree_[top].parent != SpeechTree::kRoot && tree_[tree_[top].parent].head_child == top)
        top = tree_[top].parent;
      const SpeechTree::Node& mother = tree_[tree_[top].parent];
      const bool is_root = tree_[top].parent == SpeechTree::kRoot && mother.head_child == top;
      const uint32_t form = out.forms.intern(tree_[leaf].word.data(), tree_[leaf].word.size());
      out.begin_token(form, false);
      out.form.push_back(form);
      out.relation.push_back(relation_at_[static_cast<size_t>(top)]);
      out.head.push_back(
          is_root ? kRootHead
                  : first + static_cast<int32_t>(number_at_[static_cast<size_t>(tree_[mother.head_child].head)]));
      out.upos.push_back(label_at_[static_cast<size_t>(leaf)]);
    }
  }

 private:
  int32_t added(int32_t parent, int32_t category, uint8_t flags, uint32_t label, uint32_t relation) {
    const int32_t node = tree_.add(category, flags);
    tree_.append(parent, node);
    label_at_.push_back(label);
    relation_at_.push_back(relation);
    number_at_.push_back(0);
    return node;
  }

  void build(const TreeView& view, uint32_t no_tag) {
    tree_.clear();
    leaves_.clear();
    label_at_.assign(1, no_tag);
    relation_at_.assign(1, no_tag);
    number_at_.assign(1, 0);
    tree_.add(heads_.root, 0);
    const std::vector<int32_t> parents = view.leaf_parents();
    at_.assign(view.nodes.size(), SpeechTree::kRoot);
    const bool has_root = is_rooted(view, parents);
    const bool apart = heads_.functions && !view.leaf_functions.empty();
    const auto relation = [&](std::span<const uint32_t> functions, size_t place, uint32_t label) {
      if (!apart) return label;
      return functions[place] == kNone ? no_tag : no_tag + 1 + functions[place];
    };
    size_t next = 0;
    for (size_t leaf = 0; leaf < view.leaves.size(); ++leaf) {
      for (; next < view.nodes.size() && view.nodes[next].first <= static_cast<int32_t>(leaf); ++next) {
        const treescore::Node& phrase = view.nodes[next];
        if (next == 0 && has_root) continue;
        const auto flags = static_cast<uint8_t>(heads_.phrase_flags[phrase.label] & ~SpeechTree::kOuter);
        const int32_t parent = phrase.parent < 0 ? SpeechTree::kRoot : at_[static_cast<size_t>(phrase.parent)];
        at_[next] = added(parent, heads_.category[phrase.label], flags, phrase.label,
                          relation(view.node_functions, next, phrase.label));
      }
      const uint32_t tag = view.leaves[leaf].tag;
      const uint8_t flags = tag == kNone ? 0 : heads_.tag_flags[tag];
      if ((flags & SpeechTree::kVoid) != 0) continue;
      const int32_t parent = parents[leaf] < 0 ? SpeechTree::kRoot : at_[static_cast<size_t>(parents[leaf])];
      const uint32_t label = tag == kNone ? no_tag : tag;
      const int32_t node = added(parent, tag == kNone ? heads_.no_tag : heads_.category[tag], flags, label,
                                 relation(view.leaf_functions, leaf, label));
      tree_[node].word = view.word(leaf);
      leaves_.push_back(node);
    }
    drop_phrases_without_words();
  }

  bool is_rooted(const TreeView& view, const std::vector<int32_t>& parents) const {
    if (view.nodes.empty() || (heads_.phrase_flags[view.nodes[0].label] & SpeechTree::kOuter) == 0) return false;
    for (size_t node = 1; node < view.nodes.size(); ++node)
      if (view.nodes[node].parent < 0) return false;
    for (const int32_t parent : parents)
      if (parent < 0) return false;
    return true;
  }

  void drop_phrases_without_words() {
    for (const int32_t phrase : at_)
      if (phrase != SpeechTree::kRoot && !tree_[phrase].is_inner()) tree_[phrase].flags |= SpeechTree::kVoid;
    tree_.remove_marked();
  }

  const TreeHeads& heads_;
  SpeechTree tree_;
  std::vector<int32_t> leaves_, at_;
  std::vector<uint32_t> label_at_;     // of each node, as in the tree
  std::vector<uint32_t> relation_at_;  // of the word whose largest phrase each node may be
  std::vector<size_t> number_at_;      // of each leaf
};

}  // namespace

DependencyColumns dependencies_of(const Columns& trees, size_t begin, size_t end, const TreeHeads& heads) {
  DependencyColumns out;
  TreeConverter converter(heads);
  const uint32_t no_tag = trees.vocabulary().size();
  for (size_t index = begin; index < end; ++index) {
    out.begin_sentence(trees.line(index));
    if (!trees.faulty(index)) converter.add(trees.tree(index), no_tag, out);
  }
  for (std::vector<uint32_t>* column : {&out.lemma, &out.xpos, &out.feats}) column->assign(out.words(), no_tag);
  out.word_edge.assign(out.words(), 0);
  out.close();
  return out;
}

}  // namespace treescore
