#include "treebank.hpp"

namespace treescore {
namespace {

uint64_t key_of(const char* data, size_t size) {
  if (size <= 8) {
    uint64_t key = 0;
    std::memcpy(&key, data, size);
    return key;
  }
  uint64_t hash = 0xCBF29CE484222325ull ^ size;
  for (; size >= 8; size -= 8, data += 8) {
    uint64_t part;
    std::memcpy(&part, data, 8);
    hash = (hash ^ part) * 0x9E3779B97F4A7C15ull;
    hash ^= hash >> 29;
  }
  uint64_t part = 0;
  std::memcpy(&part, data, size);
  hash = (hash ^ part) * 0x9E3779B97F4A7C15ull;
  return hash ^ (hash >> 32);
}

}  // namespace

Vocabulary::Vocabulary() : slots_(256, Slot{0, 0, kNone}), shift_(64 - 8) {}

uint32_t Vocabulary::intern(const char* data, size_t size) {
  const uint64_t key = key_of(data, size);
  const size_t mask = slots_.size() - 1;
  size_t at = slot_of(key);
  for (;; at = (at + 1) & mask) {
    const Slot& slot = slots_[at];
    if (slot.id == kNone) break;
    if (slot.key == key && slot.size == size && (size <= 8 || std::memcmp(this->at(slot.id).data(), data, size) == 0))
      return slot.id;
  }
  if (bytes_.size() + size < bytes_.size() || this->size() >= kNone - 1 || size > 0xFFFFFFFEu)
    throw TreeTooLarge("too many different labels");
  const uint32_t id = this->size();
  bytes_.append(data, size);
  begin_.push_back(bytes_.size());
  slots_[at] = {key, static_cast<uint32_t>(size), id};
  if (static_cast<size_t>(id) * 2 >= slots_.size()) grow();
  return id;
}

void Vocabulary::grow() {
  std::vector<Slot> old(slots_.size() * 2, Slot{0, 0, kNone});
  old.swap(slots_);
  --shift_;
  const size_t mask = slots_.size() - 1;
  for (const Slot& slot : old) {
    if (slot.id == kNone) continue;
    size_t at = slot_of(slot.key);
    while (slots_[at].id != kNone) at = (at + 1) & mask;
    slots_[at] = slot;
  }
}

TreeView Columns::tree(size_t index) const {
  const size_t node = node_begin_[index], leaf = leaf_begin_[index];
  return {{nodes_.data() + node, static_cast<size_t>(node_begin_[index + 1] - node)},
          {leaves_.data() + leaf, static_cast<size_t>(leaf_begin_[index + 1] - leaf)},
          words_.data() + word_begin_[index]};
}

size_t Columns::bytes() const {
  return nodes_.capacity() * sizeof(Node) + leaves_.capacity() * sizeof(Leaf) + words_.capacity() +
         node_begin_.capacity() * 3 * sizeof(uint64_t) + line_.capacity() * sizeof(uint32_t) + faulty_.capacity();
}

void Columns::finish(uint32_t line, bool faulty) {
  node_begin_.push_back(nodes_.size());
  leaf_begin_.push_back(leaves_.size());
  word_begin_.push_back(words_.size());
  line_.push_back(line);
  faulty_.push_back(faulty ? 1 : 0);
}

void Columns::abandon() {
  nodes_.resize(node_begin_.back());
  leaves_.resize(leaf_begin_.back());
  words_.resize(word_begin_.back());
}

void Columns::drop_from(size_t tree) {
  node_begin_.resize(tree + 1);
  leaf_begin_.resize(tree + 1);
  word_begin_.resize(tree + 1);
  line_.resize(tree);
  faulty_.resize(tree);
  abandon();
}

void Columns::reserve(size_t nodes, size_t leaves, size_t word_bytes, size_t trees) {
  nodes_.reserve(nodes);
  leaves_.reserve(leaves);
  words_.reserve(word_bytes);
  node_begin_.reserve(trees + 1);
  leaf_begin_.reserve(trees + 1);
  word_begin_.reserve(trees + 1);
  line_.reserve(trees);
  faulty_.reserve(trees);
}

void Columns::append(const Columns& other, size_t begin, size_t end) {
  std::vector<uint32_t> ids(other.vocabulary().size(), kNone);
  const auto translated = [&](uint32_t id) {
    if (id == kNone) return kNone;
    if (ids[id] == kNone) {
      const std::string_view text = other.vocabulary().at(id);
      ids[id] = vocabulary_->intern(text.data(), text.size());
    }
    return ids[id];
  };
  for (size_t index = begin; index < end; ++index) {
    const TreeView tree = other.tree(index);
    for (const Node& node : tree.nodes) nodes_.push_back({translated(node.label), node.parent, node.first, node.end});
    for (const Leaf& leaf : tree.leaves) leaves_.push_back({translated(leaf.tag), leaf.parent, leaf.word_end});
    words_.insert(words_.end(), tree.text, tree.text + tree.text_size());
    finish(other.line(index), other.faulty(index));
  }
}

}  // namespace treescore
