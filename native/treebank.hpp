// Many trees in columns, and the vocabulary of their labels.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "column.hpp"

namespace treescore {

constexpr uint32_t kNone = 0xFFFFFFFFu;  // no tag: a word directly under a phrase

// Labels and tags as small numbers, in order of first appearance.
class Vocabulary {
 public:
  Vocabulary();
  // `readable`: how many bytes can be read from `data` on; eight or more make this faster.
  uint32_t intern(const char* data, size_t size, size_t readable = 0) {
    if (size - 1 < 8 && readable >= 8) {
      const Slot& slot = slots_[slot_of(short_key(data, size))];
      if (slot.key == short_key(data, size) && slot.size == size && slot.id != kNone) return slot.id;
    }
    return intern_slowly(data, size);
  }
  std::string_view at(uint32_t id) const {
    return {bytes_.data() + begin_[id], static_cast<size_t>(begin_[id + 1] - begin_[id])};
  }
  uint32_t size() const { return static_cast<uint32_t>(begin_.size() - 1); }

 private:
  struct Slot {
    uint64_t key;  // the bytes themselves if there are up to eight, otherwise their hash
    uint32_t size;
    uint32_t id;
  };
  // One to eight bytes as a number; eight must be readable.
  static uint64_t short_key(const char* data, size_t size) {
    uint64_t bytes;
    std::memcpy(&bytes, data, 8);
    const auto unused = static_cast<unsigned>(64 - 8 * size);
    return std::endian::native == std::endian::little ? bytes << unused >> unused : bytes >> unused << unused;
  }
  uint32_t intern_slowly(const char* data, size_t size);
  void grow();
  size_t slot_of(uint64_t key) const { return static_cast<size_t>((key * 0x9E3779B97F4A7C15ull) >> shift_); }

  std::vector<Slot> slots_;
  unsigned shift_;
  std::string bytes_;
  std::vector<uint64_t> begin_{0};
};

// A phrase over the leaves [first, end) of its tree.
struct Node {
  uint32_t label;
  int32_t parent;  // node number inside the tree, -1 for a root
  int32_t first;
  int32_t end;
};

struct Leaf {
  uint32_t tag;       // kNone: the word has no preterminal of its own
  uint32_t word_end;  // its last byte plus one, counted from the first word of the tree
};

// When a leaf was spoken, in seconds. Leaves that were not spoken, such as commas and traces, have no length.
struct Interval {
  double start, end;
};

struct TreeView {
  std::span<const Node> nodes;
  std::span<const Leaf> leaves;
  const char* text;
  std::span<const int32_t> parents;  // of the leaves; empty where they follow from the spans
  std::span<const Interval> times;   // of the leaves; empty where they are not known
  // Grammatical functions, kNone for no function; empty where they are not kept apart from the labels.
  std::span<const uint32_t> node_functions, leaf_functions;
  bool nested;         // phrases lie inside or beside each other, as the brackets of a proper tree
  bool discontinuous;  // a proper tree, but some phrase has a gap: its leaves are determined by `parents`, not by its
                       // span

  std::string_view word(size_t leaf) const {
    const uint32_t begin = leaf == 0 ? 0 : leaves[leaf - 1].word_end;
    return {text + begin, leaves[leaf].word_end - begin};
  }
  size_t text_size() const { return leaves.empty() ? 0 : leaves.back().word_end; }
  std::vector<int32_t> leaf_parents() const;  // node number inside the tree, -1 for a bare word
};

struct TreeTooLarge : std::length_error {
  using std::length_error::length_error;
};

// The store behind a treebank. Trees are appended one at a time: open, leaf and close in text order, then finish.
class Columns {
 public:
  // States of a tree.
  static constexpr uint8_t kFaulty = 1;    // its text could not be read, or only with complaints
  static constexpr uint8_t kCrossing = 2;  // its brackets were not balanced: phrases may cross
  // Some phrase has a gap. Its span is its extent; phrases come before those below them, siblings in the order of their
  // first leaves.
  static constexpr uint8_t kDiscontinuous = 4;
  static constexpr uint8_t kFunctions = 8;  // it has functions apart from its labels
  // Its words are not those of its sentence, so that it fails like a faulty tree; its brackets count as wrong.
  static constexpr uint8_t kUnfaithful = 16;

  // Leaf parents are stored only where they do not follow from the spans: on request for unbalanced trees, and from the
  // first discontinuous tree on.
  explicit Columns(std::shared_ptr<Vocabulary> vocabulary, bool keep_parents = false)
      : vocabulary_(std::move(vocabulary)), keep_parents_(keep_parents) {}

  size_t size() const { return line_.size(); }
  TreeView tree(size_t index) const;
  uint32_t line(size_t index) const { return line_[index]; }
  bool faulty(size_t index) const { return (state_[index] & (kFaulty | kUnfaithful)) != 0; }
  bool unfaithful(size_t index) const { return (state_[index] & kUnfaithful) != 0; }
  void set_unfaithful(size_t index) { state_[index] |= kUnfaithful; }
  bool has_functions(size_t index) const { return (state_[index] & kFunctions) != 0; }
  Vocabulary& vocabulary() const { return *vocabulary_; }
  size_t bytes() const;

  // The size of the current, unfinished tree so far.
  int32_t open_nodes() const { return static_cast<int32_t>(nodes_.size() - node_begin_.back()); }
  int32_t open_leaves() const { return static_cast<int32_t>(leaves_.size() - leaf_begin_.back()); }
  Node& open_node(int32_t index) { return nodes_[node_begin_.back() + static_cast<size_t>(index)]; }

  int32_t open(uint32_t label, int32_t parent) {
    const size_t index = nodes_.size() - node_begin_.back();
    if (index >= kMost) throw TreeTooLarge("a tree has more than 2,147,483,646 phrases");
    nodes_.push_back({label, parent, open_leaves(), -1});
    return static_cast<int32_t>(index);
  }
  void leaf(uint32_t tag, int32_t parent, const char* word, size_t size, size_t readable = 0) {
    words_.append_short(word, size, readable);
    const uint64_t end = words_.size() - word_begin_.back();
    if (end >= kNone || leaves_.size() - leaf_begin_.back() >= kMost)
      throw TreeTooLarge("a tree has more than 4 GB of words");
    leaves_.push_back({tag, static_cast<uint32_t>(end)});
    if (keep_parents_) leaf_parents_.push_back(parent);
  }
  void close(int32_t node) { open_node(node).end = open_leaves(); }
  void set_times(std::span<const Interval> times);  // of the leaves of the current tree; throws std::invalid_argument
  void set_functions(std::span<const uint32_t> nodes, std::span<const uint32_t> leaves);  // of the current tree
  void keep_parents();  // of all leaves, before the first one of a discontinuous tree
  void finish(uint32_t line, uint8_t state = 0);
  void abandon();               // forget the unfinished tree
  void drop_from(size_t tree);  // forget finished trees from this one on, and the unfinished one
  void append(const Columns& other, size_t begin, size_t end, uint32_t line = 0);  // line 0: as they were
  void append_at(const Columns& other, std::span<const size_t> trees);             // these trees, in this order
  // The same with other times of the leaves, NaN in trees without times. Throws std::invalid_argument.
  void append_timed(const Columns& other, size_t begin, size_t end, std::span<const Interval> times);
  // As one tree with several roots, which has times if all of them with leaves have; a leaf that ends after the next
  // one has begun ends there. None may be discontinuous, unless it is the only one; functions are lost.
  void append_joined(const Columns& other, size_t begin, size_t end, uint8_t state);
  void reserve(size_t nodes, size_t leaves, size_t word_bytes, size_t trees);

  std::string saved() const;
  static std::shared_ptr<Columns> loaded(std::string_view data);  // throws std::invalid_argument

 private:
  void check_sizes() const;  // of loaded columns; these throw std::invalid_argument
  void check_state(size_t index) const;
  static constexpr size_t kMost = 0x7FFFFFFEu;
  void fill_times();
  // Labels of other columns as numbers of these.
  class Translation {
   public:
    Translation(const Columns& from, Columns& to)
        : from_(from.vocabulary()), to_(to.vocabulary()), ids_(from_.size(), kNone) {}
    uint32_t operator()(uint32_t id);

   private:
    const Vocabulary& from_;
    Vocabulary& to_;
    std::vector<uint32_t> ids_;
  };
  void copy_tree(const Columns& other, size_t index, uint32_t line, Translation& translated);
  void copy_roots(const TreeView& tree, Translation& translated);  // into the unfinished tree
  void copy_functions(const TreeView& tree, Translation& translated);
  std::shared_ptr<Vocabulary> vocabulary_;
  bool keep_parents_;
  Column<Node> nodes_;
  Column<Leaf> leaves_;
  Column<int32_t> leaf_parents_;
  Column<Interval> times_;  // of the leaves so far, if any tree has times; NaN in trees without
  Column<uint32_t> node_functions_, leaf_functions_;  // likewise; kNone in trees without
  Column<char> words_;
  Column<uint64_t> node_begin_{0}, leaf_begin_{0}, word_begin_{0};
  Column<uint32_t> line_;
  Column<uint8_t> state_;
};

}  // namespace treescore
