#include "treebank.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace treescore {
namespace {

template <class Word>
uint64_t load(const char* data) {
  Word word;
  std::memcpy(&word, data, sizeof word);
  return word;
}

// Unique among strings of the same size up to eight bytes; a hash for longer ones.
uint64_t key_of(const char* data, size_t size) {
  if (size <= 8) {
    char copy[8] = {};
    std::copy(data, data + size, copy);
    return load<uint64_t>(copy);
  }
  uint64_t hash = 0xCBF29CE484222325ull ^ size;
  for (; size >= 8; size -= 8, data += 8) {
    hash = (hash ^ load<uint64_t>(data)) * 0x9E3779B97F4A7C15ull;
    hash ^= hash >> 29;
  }
  uint64_t part = 0;
  std::memcpy(&part, data, size);
  hash = (hash ^ part) * 0x9E3779B97F4A7C15ull;
  return hash ^ (hash >> 32);
}

template <class T>
void save(std::span<const T> values, std::string& out) {
  const uint64_t size = values.size();
  out.append(reinterpret_cast<const char*>(&size), sizeof size);
  out.append(reinterpret_cast<const char*>(values.data()), values.size_bytes());
}

constexpr uint64_t kFormat = 0x0331'6565'7274'6373ull;  // name, version and byte order of saved columns

[[noreturn]] void damaged() { throw std::invalid_argument("damaged treebank data"); }

class Loader {
 public:
  explicit Loader(std::string_view data) : data_(data) {}

  template <class T>
  void take(Column<T>& values) {
    uint64_t size = 0;
    copy(&size, sizeof size);
    if (size > data_.size() / sizeof(T)) damaged();
    values.reserve(size);
    for (; size > 0; --size) {
      T value;
      copy(&value, sizeof value);
      values.push_back(value);
    }
  }
  bool done() const { return data_.empty(); }

 private:
  void copy(void* to, size_t size) {
    if (size > data_.size()) damaged();
    std::memcpy(to, data_.data(), size);
    data_.remove_prefix(size);
  }
  std::string_view data_;
};

bool is_ladder(std::span<const uint64_t> begin, size_t steps, size_t last) {
  return begin.size() == steps + 1 && begin.front() == 0 && begin.back() == last &&
         std::is_sorted(begin.begin(), begin.end());
}

// Checks that the span of each phrase reaches from its first leaf to its last one, and that phrases are in order.
void check_discontinuous(const TreeView& tree) {
  std::vector<std::pair<int32_t, int32_t>> extent(tree.nodes.size(), {INT32_MAX, -1});
  const auto widen = [&](int32_t parent, int32_t first, int32_t end) {
    if (parent < 0) return;
    auto& [from, to] = extent[static_cast<size_t>(parent)];
    from = std::min(from, first);
    to = std::max(to, end);
  };
  for (size_t leaf = 0; leaf < tree.leaves.size(); ++leaf)
    widen(tree.parents[leaf], static_cast<int32_t>(leaf), static_cast<int32_t>(leaf) + 1);
  for (size_t node = tree.nodes.size(); node-- > 0;) {
    if (extent[node] != std::pair{tree.nodes[node].first, tree.nodes[node].end}) damaged();
    widen(tree.nodes[node].parent, extent[node].first, extent[node].second);
  }
  std::vector<int32_t> last(tree.nodes.size() + 1, -1);  // first leaf of the last child of each phrase; the roots first
  int32_t open = -1;
  for (size_t node = 0; node < tree.nodes.size(); ++node) {
    const auto& [label, parent, first, end] = tree.nodes[node];
    while (open != parent && open >= 0) open = tree.nodes[static_cast<size_t>(open)].parent;
    if (open != parent || last[static_cast<size_t>(parent + 1)] >= first) damaged();
    last[static_cast<size_t>(parent + 1)] = first;
    open = static_cast<int32_t>(node);
  }
}

// Whether all times are finite and in order. Leaves that are not spoken have no length.
bool is_timeline(std::span<const Interval> times) {
  double last = -std::numeric_limits<double>::infinity();
  for (const auto& [start, end] : times) {
    if (!std::isfinite(start) || !std::isfinite(end) || start < last || end < start) return false;
    last = end;
  }
  return true;
}

// `covered` has the end of the last child of each phrase so far, after that of the last root.
void check_phrases(const TreeView& tree, size_t labels, std::vector<int32_t>& covered) {
  const auto leaf_count = static_cast<int64_t>(tree.leaves.size());
  int32_t number = 0;
  covered.assign(tree.nodes.size() + 1, 0);
  for (const Node& node : tree.nodes) {
    if (node.label >= labels || node.parent < -1 || node.parent >= number++ || node.first < 0 ||
        node.first > leaf_count || node.end < -1 || node.end > leaf_count)
      damaged();
    if (!tree.nested) continue;
    int32_t& siblings = covered[static_cast<size_t>(node.parent + 1)];
    const bool is_inside = node.parent < 0 || node.end <= tree.nodes[static_cast<size_t>(node.parent)].end;
    if (node.first < siblings || node.end < node.first || !is_inside) damaged();
    siblings = node.end;
    covered[static_cast<size_t>(number)] = node.first;
  }
}

void check_leaves(const TreeView& tree, size_t labels, size_t text_size) {
  uint32_t last = 0;
  for (const Leaf& leaf : tree.leaves) {
    if ((leaf.tag != kNone && leaf.tag >= labels) || leaf.word_end < last) damaged();
    last = leaf.word_end;
  }
  if (last != text_size || !is_timeline(tree.times)) damaged();
  for (const int32_t parent : tree.parents)
    if (parent < -1 || parent >= std::ssize(tree.nodes)) damaged();
}

void check_functions(const TreeView& tree, size_t labels) {
  for (const auto functions : {tree.node_functions, tree.leaf_functions})
    for (const uint32_t function : functions)
      if (function != kNone && function >= labels) damaged();
}

}  // namespace

Vocabulary::Vocabulary() : slots_(256, Slot{0, 0, kNone}), shift_(64 - 8) {}

uint32_t Vocabulary::intern_slowly(const char* data, size_t size) {
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

std::vector<int32_t> TreeView::leaf_parents() const {
  if (!parents.empty()) return {parents.begin(), parents.end()};
  std::vector<int32_t> out(leaves.size());
  int32_t node = -1;  // the innermost open phrase
  size_t next = 0;
  for (size_t leaf = 0; leaf < leaves.size(); ++leaf) {
    for (; next < nodes.size() && static_cast<size_t>(nodes[next].first) <= leaf; ++next)
      node = static_cast<int32_t>(next);
    while (node != -1 && static_cast<size_t>(nodes[static_cast<size_t>(node)].end) <= leaf)
      node = nodes[static_cast<size_t>(node)].parent;
    out[leaf] = node;
  }
  return out;
}

TreeView Columns::tree(size_t index) const {
  const size_t node = node_begin_[index], leaf = leaf_begin_[index];
  const size_t leaf_count = leaf_begin_[index + 1] - leaf;
  TreeView view{{nodes_.data() + node, static_cast<size_t>(node_begin_[index + 1] - node)},
                {leaves_.data() + leaf, leaf_count},
                words_.data() + word_begin_[index],
                {},
                {},
                {},
                {},
                (state_[index] & (kCrossing | kDiscontinuous)) == 0,
                (state_[index] & kDiscontinuous) != 0};
  if (keep_parents_) view.parents = {leaf_parents_.data() + leaf, leaf_count};
  if (has_functions(index)) {
    view.node_functions = {node_functions_.data() + node, view.nodes.size()};
    view.leaf_functions = {leaf_functions_.data() + leaf, leaf_count};
  }
  if (leaf_count > 0 && leaf + leaf_count <= times_.size() && !std::isnan(times_[leaf].start))
    view.times = {times_.data() + leaf, leaf_count};
  return view;
}

size_t Columns::bytes() const {
  return nodes_.bytes() + leaves_.bytes() + leaf_parents_.bytes() + times_.bytes() + node_functions_.bytes() +
         leaf_functions_.bytes() + words_.bytes() + node_begin_.bytes() + leaf_begin_.bytes() + word_begin_.bytes() +
         line_.bytes() + state_.bytes();
}

void Columns::fill_times() {
  constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
  while (times_.size() < leaves_.size()) times_.push_back({kUnknown, kUnknown});
}

void Columns::set_times(std::span<const Interval> times) {
  if (times.size() != static_cast<size_t>(open_leaves())) throw std::invalid_argument("not one interval for each word");
  if (!is_timeline(times)) throw std::invalid_argument("the words are not one after the other");
  times_.shrink_to(leaf_begin_.back());
  fill_times();
  std::copy(times.begin(), times.end(), times_.data() + leaf_begin_.back());
}

void Columns::set_functions(std::span<const uint32_t> nodes, std::span<const uint32_t> leaves) {
  if (nodes.size() != static_cast<size_t>(open_nodes()) || leaves.size() != static_cast<size_t>(open_leaves()))
    throw std::invalid_argument("not one function for each phrase and word");
  const auto set = [](Column<uint32_t>& column, uint64_t begin, std::span<const uint32_t> values) {
    column.shrink_to(begin);
    while (column.size() < begin) column.push_back(kNone);
    column.append(values.data(), values.size());
  };
  set(node_functions_, node_begin_.back(), nodes);
  set(leaf_functions_, leaf_begin_.back(), leaves);
}

void Columns::keep_parents() {
  if (keep_parents_) return;
  for (size_t index = 0; index < size(); ++index)
    for (const int32_t parent : tree(index).leaf_parents()) leaf_parents_.push_back(parent);
  keep_parents_ = true;
}

void Columns::finish(uint32_t line, uint8_t state) {
  node_begin_.push_back(nodes_.size());
  leaf_begin_.push_back(leaves_.size());
  word_begin_.push_back(words_.size());
  line_.push_back(line);
  state_.push_back(state);
}

void Columns::abandon() {
  nodes_.shrink_to(node_begin_.back());
  leaves_.shrink_to(leaf_begin_.back());
  leaf_parents_.shrink_to(leaf_begin_.back());
  times_.shrink_to(leaf_begin_.back());
  node_functions_.shrink_to(node_begin_.back());
  leaf_functions_.shrink_to(leaf_begin_.back());
  words_.shrink_to(word_begin_.back());
}

void Columns::drop_from(size_t tree) {
  node_begin_.shrink_to(tree + 1);
  leaf_begin_.shrink_to(tree + 1);
  word_begin_.shrink_to(tree + 1);
  line_.shrink_to(tree);
  state_.shrink_to(tree);
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
  state_.reserve(trees);
}

uint32_t Columns::Translation::operator()(uint32_t id) {
  if (id == kNone) return kNone;
  if (ids_[id] == kNone) {
    const std::string_view text = from_.at(id);
    ids_[id] = to_.intern(text.data(), text.size());
  }
  return ids_[id];
}

void Columns::copy_roots(const TreeView& tree, Translation& translated) {
  const int32_t nodes = open_nodes(), leaves = open_leaves();
  const auto characters = static_cast<uint32_t>(words_.size() - word_begin_.back());
  if (tree.text_size() >= kNone - characters || tree.nodes.size() >= kMost - static_cast<size_t>(nodes))
    throw TreeTooLarge("trees are too large to be joined");
  for (const auto& [label, parent, first, end] : tree.nodes)
    nodes_.push_back({translated(label), parent < 0 ? -1 : parent + nodes, first + leaves, end + leaves});
  for (const Leaf& leaf : tree.leaves) leaves_.push_back({translated(leaf.tag), leaf.word_end + characters});
  if (keep_parents_)
    for (const int32_t parent : tree.leaf_parents()) leaf_parents_.push_back(parent < 0 ? -1 : parent + nodes);
  words_.append(tree.text, tree.text_size());
}

void Columns::copy_functions(const TreeView& tree, Translation& translated) {
  std::vector<uint32_t> functions[2];
  for (const uint32_t id : tree.node_functions) functions[0].push_back(translated(id));
  for (const uint32_t id : tree.leaf_functions) functions[1].push_back(translated(id));
  set_functions(functions[0], functions[1]);
}

void Columns::copy_tree(const Columns& other, size_t index, uint32_t line, Translation& translated) {
  const TreeView tree = other.tree(index);
  if (tree.discontinuous) keep_parents();
  copy_roots(tree, translated);
  if (!tree.times.empty()) set_times(tree.times);
  if (other.has_functions(index)) copy_functions(tree, translated);
  finish(line ? line : other.line(index), other.state_[index]);
}

void Columns::append(const Columns& other, size_t begin, size_t end, uint32_t line) {
  Translation translated(other, *this);
  for (size_t index = begin; index < end; ++index) copy_tree(other, index, line, translated);
}

void Columns::append_at(const Columns& other, std::span<const size_t> trees) {
  Translation translated(other, *this);
  for (const size_t index : trees) copy_tree(other, index, 0, translated);
}

void Columns::append_timed(const Columns& other, size_t begin, size_t end, std::span<const Interval> times) {
  Translation translated(other, *this);
  for (size_t index = begin; index < end; ++index) {
    const TreeView tree = other.tree(index);
    if (tree.leaves.size() > times.size()) throw std::invalid_argument("not one interval for each word");
    const std::span<const Interval> own = times.first(tree.leaves.size());
    if (tree.discontinuous) keep_parents();
    copy_roots(tree, translated);
    if (!own.empty() && !std::isnan(own[0].start)) set_times(own);
    if (other.has_functions(index)) copy_functions(tree, translated);
    finish(other.line(index), other.state_[index]);
    times = times.subspan(own.size());
  }
  if (!times.empty()) throw std::invalid_argument("not one interval for each word");
}

void Columns::append_joined(const Columns& other, size_t begin, size_t end, uint8_t state) {
  Translation translated(other, *this);
  std::vector<Interval> times;
  bool timed = true;
  for (size_t index = begin; index < end; ++index) {
    const TreeView tree = other.tree(index);
    if (tree.discontinuous || !tree.nested) {
      if (end - begin > 1) throw std::invalid_argument("a discontinuous tree cannot be joined with others");
      return append(other, begin, end);
    }
    copy_roots(tree, translated);
    timed = timed && (tree.leaves.empty() || !tree.times.empty());
    for (const Interval& time : tree.times) {
      for (size_t at = times.size(); at > 0 && times[at - 1].end > time.start;
           --at) {  // the leaf begins before others have ended
        Interval& before = times[at - 1];
        if (before.start == before.end) before.start = time.start;
        before.end = time.start;
      }
      times.push_back(time);
    }
  }
  if (timed && !times.empty()) set_times(times);
  finish(begin < end ? other.line(begin) : 0, state);
}

std::string Columns::saved() const {
  std::string out, names;
  std::vector<uint64_t> name_end;
  save<uint64_t>({&kFormat, 1}, out);
  for (uint32_t id = 0; id < vocabulary_->size(); ++id) {
    names += vocabulary_->at(id);
    name_end.push_back(names.size());
  }
  save<char>(names, out);
  save<uint64_t>(name_end, out);
  save<Node>(nodes_, out);
  save<Leaf>(leaves_, out);
  save<int32_t>(leaf_parents_, out);
  save<Interval>(times_, out);
  save<uint32_t>(node_functions_, out);
  save<uint32_t>(leaf_functions_, out);
  save<char>(words_, out);
  save<uint64_t>(node_begin_, out);
  save<uint64_t>(leaf_begin_, out);
  save<uint64_t>(word_begin_, out);
  save<uint32_t>(line_, out);
  save<uint8_t>(state_, out);
  return out;
}

std::shared_ptr<Columns> Columns::loaded(std::string_view data) {
  Loader loader(data);
  auto out = std::make_shared<Columns>(std::make_shared<Vocabulary>());
  Column<char> names;
  Column<uint64_t> name_ends, format;
  loader.take(format);
  if (format.size() != 1 || format[0] != kFormat)
    throw std::invalid_argument("treebank data of another version of treescore or another kind of machine");
  loader.take(names);
  loader.take(name_ends);
  uint64_t begin = 0;
  for (const uint64_t end : std::span<const uint64_t>(name_ends)) {
    if (end < begin || end > names.size()) damaged();
    out->vocabulary_->intern(names.data() + begin, end - begin);
    begin = end;
  }
  loader.take(out->nodes_);
  loader.take(out->leaves_);
  loader.take(out->leaf_parents_);
  loader.take(out->times_);
  loader.take(out->node_functions_);
  loader.take(out->leaf_functions_);
  loader.take(out->words_);
  for (Column<uint64_t>* begin_column : {&out->node_begin_, &out->leaf_begin_, &out->word_begin_}) {
    begin_column->shrink_to(0);
    loader.take(*begin_column);
  }
  loader.take(out->line_);
  loader.take(out->state_);
  out->keep_parents_ = out->leaf_parents_.size() > 0;
  if (!loader.done()) damaged();
  out->check_sizes();
  std::vector<int32_t> covered;
  for (size_t index = 0; index < out->size(); ++index) {
    out->check_state(index);
    const TreeView tree = out->tree(index);
    check_phrases(tree, out->vocabulary_->size(), covered);
    check_leaves(tree, out->vocabulary_->size(), out->word_begin_[index + 1] - out->word_begin_[index]);
    check_functions(tree, out->vocabulary_->size());
    if (tree.discontinuous) check_discontinuous(tree);
  }
  return out;
}

void Columns::check_sizes() const {
  const size_t trees = size();
  const bool has_all_parents = !keep_parents_ || leaf_parents_.size() == leaves_.size();
  if (state_.size() != trees || !has_all_parents || times_.size() > leaves_.size() ||
      node_functions_.size() > nodes_.size() || leaf_functions_.size() > leaves_.size() ||
      !is_ladder(node_begin_, trees, nodes_.size()) || !is_ladder(leaf_begin_, trees, leaves_.size()) ||
      !is_ladder(word_begin_, trees, words_.size()))
    damaged();
}

void Columns::check_state(size_t index) const {
  const uint8_t state = state_[index];
  if ((state & kFunctions) != 0 &&
      (node_begin_[index + 1] > node_functions_.size() || leaf_begin_[index + 1] > leaf_functions_.size()))
    damaged();
  if ((state & kDiscontinuous) != 0 && !keep_parents_) damaged();
}

}  // namespace treescore
