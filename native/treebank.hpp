// Many trees in columns, and the vocabulary of their labels.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace treescore {

constexpr uint32_t kNone = 0xFFFFFFFFu;  // no tag: a word that stands directly under a phrase

// Labels and tags as small numbers, in order of first appearance.
class Vocabulary {
 public:
  Vocabulary();
  uint32_t intern(const char* data, size_t size);
  std::string_view at(uint32_t id) const {
    return {bytes_.data() + begin_[id], static_cast<size_t>(begin_[id + 1] - begin_[id])};
  }
  uint32_t size() const { return static_cast<uint32_t>(begin_.size() - 1); }

 private:
  struct Slot {
    uint64_t key;  // the bytes themselves up to eight of them, else their hash
    uint32_t size;
    uint32_t id;
  };
  void grow();
  size_t slot_of(uint64_t key) const { return static_cast<size_t>((key * 0x9E3779B97F4A7C15ull) >> shift_); }

  std::vector<Slot> slots_;
  unsigned shift_;
  std::string bytes_;
  std::vector<uint64_t> begin_{0};
};

// A phrase. `first` and `end` are leaf numbers inside the tree, [first, end). A discontinuous phrase keeps its extent
// there; its leaves are those whose `parent` chains lead to it.
struct Node {
  uint32_t label;
  int32_t parent;  // node number inside the tree, -1 for a root
  int32_t first;
  int32_t end;
};

struct Leaf {
  uint32_t tag;       // kNone: the word has no preterminal of its own
  int32_t parent;     // node number inside the tree, -1 for a bare word
  uint32_t word_end;  // its last byte plus one, counted from the first word of the tree
};

struct TreeView {
  std::span<const Node> nodes;
  std::span<const Leaf> leaves;
  const char* text;
  bool nested;  // phrases lie inside or beside each other, as in every proper tree

  std::string_view word(size_t leaf) const {
    const uint32_t begin = leaf == 0 ? 0 : leaves[leaf - 1].word_end;
    return {text + begin, leaves[leaf].word_end - begin};
  }
  size_t text_size() const { return leaves.empty() ? 0 : leaves.back().word_end; }
};

struct TreeTooLarge : std::length_error {
  using std::length_error::length_error;
};

// Bytes that grow at the end; made for very many very short appends.
class Text {
 public:
  Text() = default;
  ~Text() { std::free(data_); }
  Text(const Text&) = delete;
  Text& operator=(const Text&) = delete;
  const char* data() const { return data_; }
  size_t size() const { return size_; }
  size_t capacity() const { return capacity_; }
  void append(const char* from, size_t size) {
    if (capacity_ - size_ < size + kSlack) reserve(std::max(capacity_ * 3 / 2, size_ + size + kSlack));
    char* to = data_ + size_;
    size_ += size;
    if (size > 16) {
      std::memcpy(to, from, size);
    } else if (size >= 8) {
      std::memcpy(to, from, 8);
      std::memcpy(to + size - 8, from + size - 8, 8);
    } else if (size >= 4) {
      std::memcpy(to, from, 4);
      std::memcpy(to + size - 4, from + size - 4, 4);
    } else {
      for (; size > 0; --size) *to++ = *from++;
    }
  }
  void reserve(size_t capacity) {
    if (capacity <= capacity_) return;
    void* grown = std::realloc(data_, capacity);
    if (!grown) throw std::bad_alloc();
    data_ = static_cast<char*>(grown);
    capacity_ = capacity;
  }
  void shrink_to(size_t size) { size_ = size; }

 private:
  static constexpr size_t kSlack = 64;
  char* data_ = nullptr;
  size_t size_ = 0, capacity_ = 0;
};

// The store behind a treebank. Trees are appended one at a time: open, leaf and close in text order, then finish.
class Columns {
 public:
  // States of a tree.
  static constexpr uint8_t kFaulty = 1;    // its text could not be read, or only with complaints
  static constexpr uint8_t kCrossing = 2;  // its brackets were not balanced: phrases may cross

  explicit Columns(std::shared_ptr<Vocabulary> vocabulary) : vocabulary_(std::move(vocabulary)) {}

  size_t size() const { return line_.size(); }
  TreeView tree(size_t index) const;
  uint32_t line(size_t index) const { return line_[index]; }
  bool faulty(size_t index) const { return (state_[index] & kFaulty) != 0; }
  Vocabulary& vocabulary() const { return *vocabulary_; }
  const std::shared_ptr<Vocabulary>& shared_vocabulary() const { return vocabulary_; }
  size_t bytes() const;

  // How much of the current, unfinished tree is there.
  int32_t open_nodes() const { return static_cast<int32_t>(nodes_.size() - node_begin_.back()); }
  int32_t open_leaves() const { return static_cast<int32_t>(leaves_.size() - leaf_begin_.back()); }
  Node& open_node(int32_t index) { return nodes_[node_begin_.back() + static_cast<size_t>(index)]; }

  int32_t open(uint32_t label, int32_t parent) {
    const size_t index = nodes_.size() - node_begin_.back();
    if (index >= kMost) throw TreeTooLarge("a tree has more than 2,147,483,646 phrases");
    nodes_.push_back({label, parent, open_leaves(), -1});
    return static_cast<int32_t>(index);
  }
  void leaf(uint32_t tag, int32_t parent, const char* word, size_t size) {
    words_.append(word, size);
    const uint64_t end = words_.size() - word_begin_.back();
    if (end >= kNone || leaves_.size() - leaf_begin_.back() >= kMost)
      throw TreeTooLarge("a tree has more than 4 GB of words");
    leaves_.push_back({tag, parent, static_cast<uint32_t>(end)});
  }
  void close(int32_t node) { open_node(node).end = open_leaves(); }
  void finish(uint32_t line, uint8_t state = 0);
  void abandon();               // forget the unfinished tree
  void drop_from(size_t tree);  // forget finished trees from this one on, and the unfinished one
  void append(const Columns& other, size_t begin, size_t end);
  void reserve(size_t nodes, size_t leaves, size_t trees);

  std::string saved() const;
  static std::shared_ptr<Columns> loaded(std::string_view data);  // throws std::invalid_argument

 private:
  static constexpr size_t kMost = 0x7FFFFFFEu;
  std::shared_ptr<Vocabulary> vocabulary_;
  std::vector<Node> nodes_;
  std::vector<Leaf> leaves_;
  Text words_;
  std::vector<uint64_t> node_begin_{0}, leaf_begin_{0}, word_begin_{0};
  std::vector<uint32_t> line_;
  std::vector<uint8_t> state_;
};

}  // namespace treescore
