// Trees whose shape is changed before they are compared: nodes are spliced out, edits are flattened, moved and merged.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "brackets.hpp"
#include "names.hpp"

namespace treescore {

// A word as in the input; one without data is not a word.
using SpokenWord = std::string_view;

inline bool is_there(SpokenWord word) { return word.data() != nullptr; }

#define TREESCORE_SPEECH_FLAGS(VALUE) \
  VALUE(kClosed, CLOSED)              \
  VALUE(kDeletable, DELETABLE)        \
  VALUE(kEdit, EDIT)                  \
  VALUE(kVoid, VOID)                  \
  VALUE(kSkipped, SKIPPED)            \
  VALUE(kOuter, OUTER) /* of labels only: a bracket around a whole tree */

class SpeechTree {
 public:
  TREESCORE_FLAGS(TREESCORE_SPEECH_FLAGS);

  struct Node {
    SpokenWord word;
    int32_t label = 0;
    int32_t parent = -1, first = -1, last = -1, next = -1, previous = -1;
    int32_t row = -1;            // its place among the aligned words, and
    int32_t rows = 1;            // how many places it has
    int32_t start = 0, end = 0;  // of a phrase
    int32_t head_child = -1;
    int32_t head = -1;  // the leaf with the head word
    uint8_t flags = 0;
    bool open = true;  // the head word is of the open class

    bool is(uint8_t flag) const { return (flags & flag) != 0; }
    bool is_inner() const { return first >= 0; }
    bool has_word() const { return is_there(word); }
    bool has_width() const { return has_word() || !is_inner() ? row >= 0 : start < end; }
  };
  static constexpr int32_t kRoot = 0;

  void clear() { nodes_.clear(); }
  size_t size() const { return nodes_.size(); }
  Node& operator[](int32_t node) { return nodes_[static_cast<size_t>(node)]; }
  const Node& operator[](int32_t node) const { return nodes_[static_cast<size_t>(node)]; }

  int32_t add(int32_t label, uint8_t flags);  // a node without a place in the tree so far
  void append(int32_t parent, int32_t child);

  // The next node in the order of opening, below `node` or not; -1 at the end of the subtree of `top`.
  int32_t next_opening(int32_t node, int32_t top = kRoot) const;
  int32_t next_beside(int32_t node, int32_t top = kRoot) const;
  // The order of closing begins at the first leaf below a node.
  int32_t first_closing(int32_t node) const;
  int32_t next_closing(int32_t node) const;  // -1 after the root

  // Splices out deletable and void nodes, below the root's children from this one on.
  void remove_marked(int32_t from);
  void remove_marked() { remove_marked((*this)[kRoot].first); }
  void splice(int32_t node);  // the children of this one take its place

  // Below `top`, edits get the words below them as children, leave the edges of phrases, and merge with their
  // neighbours, or only with those of the same label. False if an edit of any label has a word by itself beside it.
  bool normalise_edits(bool any_label, int32_t top = kRoot);

  // Phrases start where the last leaf before them ended, and end where their last leaf ends.
  void set_spans();
  // Phrases reach from their first to their last place that is `common` to both sides. One without any has no such
  // span, but the one of its words, and is void.
  void set_common_spans(const std::vector<uint8_t>& common);
  // Every phrase of some width, in the order of opening.
  void append_brackets(bool labelled, std::vector<Bracket>& out) const;

 private:
  void detach(int32_t node);
  // Of runs of siblings, from the first to the last. Their parent is not updated until it is renewed.
  void cut_run(int32_t parent, int32_t first, int32_t last);
  void insert_run(int32_t parent, int32_t previous, int32_t first, int32_t last);
  void put_children_in_place(int32_t node);
  void renew_parents(int32_t parent, int32_t from);  // below the children from this one on

  void flatten_edits(int32_t top);
  void move_edits_up(int32_t top);
  bool merge_edits(bool any_label, int32_t top);

  std::vector<Node> nodes_;
  std::vector<int32_t> waiting_;
  std::vector<int32_t> run_;  // of the first and the last edit of a run: the other one
};

}  // namespace treescore
