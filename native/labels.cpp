#include "labels.hpp"

#include <algorithm>
#include <string_view>
#include <vector>

#include "spans.hpp"

namespace treescore {
namespace {

constexpr int kEnough = 16;         // the lead of one kind of trees over the other that decides, whatever follows
constexpr size_t kExamined = 1024;  // trees

// What stands in the brackets of one tree or of several ones.
struct Brackets {
  bool unlabelled = false;     // a bracket that begins with a bracket, and has more than this
  bool inner = false;          // such a bracket inside another one
  bool untagged = false;       // a word without a bracket of its own
  bool wide = false;           // a labelled bracket around several others, and nothing else
  bool chain = false;          // a labelled bracket around something
  bool other_names = false;    // a label or tag that does not begin with a capital letter, as NP and -NONE- do
  bool small_letters = false;  // in a label or tag, or it is no name: **LP**
  bool capitals = false;       // a label of several capital letters, unlike the words A and I

  void add(const Brackets& other) {
    unlabelled |= other.unlabelled;
    inner |= other.inner;
    untagged |= other.untagged;
    wide |= other.wide;
    chain |= other.chain;
    other_names |= other.other_names;
    small_letters |= other.small_letters;
    capitals |= other.capitals;
  }
};

bool is_capital(char c) { return c >= 'A' && c <= 'Z'; }

bool is_letter_or_digit(char c) {
  return (c >= 'a' && c <= 'z') || is_capital(c) || (c >= '0' && c <= '9') || static_cast<uint8_t>(c) >= 0x80;
}

// Punctuation is also a tag.
bool looks_like_label(std::string_view name) {
  const auto first = std::find_if(name.begin(), name.end(), is_letter_or_digit);
  return first == name.end() || is_capital(*first);
}

class Examiner {
 public:
  explicit Examiner(const Columns& columns) : names_(columns.vocabulary()) {}

  Brackets operator()(const TreeView& tree) {
    found_ = {};
    children_.assign(tree.nodes.size(), {});
    for (const Node& node : tree.nodes) {
      if (node.parent >= 0) ++children_[static_cast<size_t>(node.parent)].brackets;
      const std::string_view label = names_.at(node.label);
      look_at(label);
      found_.capitals |= std::count_if(label.begin(), label.end(), is_capital) > 1;
    }
    const std::vector<int32_t> parents = tree.leaf_parents();
    for (size_t leaf = 0; leaf < tree.leaves.size(); ++leaf) {
      const uint32_t tag = tree.leaves[leaf].tag;
      const std::string_view name = tag == kNone ? std::string_view() : names_.at(tag);
      const bool is_tagged = !name.empty();
      found_.untagged |= !is_tagged;
      look_at(name);
      if (parents[leaf] < 0) continue;
      Children& siblings = children_[static_cast<size_t>(parents[leaf])];
      ++(tag == kNone ? siblings.words : siblings.brackets);
      siblings.has_id |= name == "ID";
    }
    for (size_t node = 0; node < tree.nodes.size(); ++node)
      look_at(children_[node], names_.at(tree.nodes[node].label).empty(), tree.nodes[node].parent >= 0);
    return found_;
  }

 private:
  struct Children {
    int32_t brackets = 0, words = 0;
    bool has_id = false;  // the outermost bracket of some treebanks has the number of the sentence: (ID …)
  };

  void look_at(std::string_view name) {
    found_.other_names |= !looks_like_label(name);
    found_.small_letters |= name.starts_with('*');
    found_.small_letters |=
        std::any_of(name.begin(), name.end(), [](char c) { return is_letter_or_digit(c) && !(c >= '0' && c <= 'Z'); });
  }
  void look_at(const Children& children, bool unlabelled, bool is_inner) {
    const int32_t size = children.brackets + children.words;
    if (!unlabelled) {
      found_.chain |= size > 0;
      found_.wide |= size > 1 && children.words == 0;
    } else if (size > 1 && (is_inner || !children.has_id)) {
      found_.unlabelled = true;
      found_.inner |= is_inner;
    }
  }

  const Vocabulary& names_;
  Brackets found_;
  std::vector<Children> children_;
};

}  // namespace

Labels labels_of(const Columns& columns, size_t begin, size_t end) {
  if (are_spans(columns, begin, end)) return Labels::kLabelled;
  Examiner examine(columns);
  Brackets all;
  int lead = 0;  // of trees without labels over trees with labels
  bool any_labelled = false, any_labelless = false;
  end = std::min(end, begin + kExamined);
  for (size_t index = begin; index < end && std::abs(lead) < kEnough; ++index) {
    if (columns.tree(index).leaves.empty()) continue;
    const Brackets tree = examine(columns.tree(index));
    const bool labelless = tree.unlabelled && tree.untagged;
    const bool labelled = tree.wide && !labelless;
    lead += labelless - labelled;
    any_labelless |= labelless;
    any_labelled |= labelled;
    all.add(tree);
  }
  if (lead > 0 && all.capitals && !all.small_letters) return Labels::kPerhapsLabelled;
  if (lead > 0) return any_labelled ? Labels::kPerhapsLabelless : Labels::kLabelless;
  if (any_labelled) return any_labelless || all.inner ? Labels::kPerhapsLabelled : Labels::kLabelled;
  if (!all.other_names) return Labels::kLabelled;
  if (all.unlabelled) return all.untagged ? Labels::kLabelless : Labels::kPerhapsLabelless;
  return all.chain ? Labels::kPerhapsLabelled : Labels::kLabelled;
}

bool lack_labels(const Columns& columns, size_t begin, size_t end) {
  bool any = false;
  for (size_t index = begin; index < end; ++index)
    for (const Node& node : columns.tree(index).nodes) {
      if (!columns.vocabulary().at(node.label).empty()) return false;
      any |= node.first < node.end;
    }
  return any;
}

}  // namespace treescore
