// Stored trees, as pickles have them: damaged ones are refused, all others can be scored, written and stored again.
#include <cstring>
#include <random>

#include "../leaf_ancestor.hpp"
#include "../parseval.hpp"
#include "../struct_iou.hpp"
#include "../text.hpp"
#include "../tree_edit.hpp"
#include "fuzz.hpp"

using namespace treescore;
using namespace treescore::fuzz;

extern "C" size_t LLVMFuzzerMutate(uint8_t* data, size_t size, size_t max_size);

namespace {

void score_all_with_themselves(const Columns& trees) {
  const SideRules side = side_rules(trees.vocabulary(), 0);
  ParsevalRules brackets;
  brackets.gold = brackets.test = side;
  StructIouRules intervals;
  intervals.gold = intervals.test = side;
  intervals.mapping.limit = 1;
  TreeEditRules edits;
  edits.gold = edits.test = side;
  edits.limit = 1;
  LeafAncestorRules paths;
  paths.gold = paths.test = side;
  for (uint32_t key = 0; key < trees.vocabulary().size(); ++key) paths.kind.push_back(key);
  ParsevalScorer parseval(brackets);
  StructIouScorer struct_iou(intervals);
  TreeEditScorer tree_edit(edits);
  LeafAncestorScorer leaf_ancestor(paths);
  for (size_t tree = 0; tree < trees.size(); ++tree) {
    const size_t other = trees.size() - 1 - tree;
    parseval.score(trees, tree, trees, tree);
    struct_iou.score(trees, tree, trees, tree);
    tree_edit.score(trees, tree, trees, tree, tree);
    leaf_ancestor.score(trees, tree, trees, tree);
    parseval.score(trees, tree, trees, other);
    struct_iou.score(trees, tree, trees, other);
    tree_edit.score(trees, tree, trees, other, tree);
    leaf_ancestor.score(trees, tree, trees, other);
  }
}

// The columns of the stored form: where each begins, behind its number of entries, and the size of an entry.
struct StoredColumn {
  size_t begin, count, entry;
};
constexpr size_t kNodes = 3, kLeaves = 4, kTimes = 6;

std::vector<StoredColumn> columns_of(const uint8_t* data, size_t size) {
  constexpr size_t kEntries[] = {8, 1, 8, sizeof(Node), sizeof(Leaf), 4, 16, 4, 4, 1, 8, 8, 8, 4, 1};
  std::vector<StoredColumn> out;
  size_t at = 0;
  for (const size_t entry : kEntries) {
    uint64_t count = 0;
    if (size - at < sizeof count) break;
    std::memcpy(&count, data + at, sizeof count);
    at += sizeof count;
    if (count > (size - at) / entry) break;
    out.push_back({at, count, entry});
    at += count * entry;
  }
  return out;
}

// Changes one number of one entry, or adds or removes an entry.
size_t change_column(uint8_t* data, size_t size, size_t max_size, std::mt19937& random) {
  const std::vector<StoredColumn> columns = columns_of(data, size);
  if (columns.size() < 2) return LLVMFuzzerMutate(data, size, max_size);
  const StoredColumn& column = columns[1 + random() % (columns.size() - 1)];
  const size_t place = column.count == 0 ? 0 : random() % column.count;
  uint8_t* entry = data + column.begin + place * column.entry;
  const auto set_count = [&](uint64_t count) { std::memcpy(data + column.begin - sizeof count, &count, sizeof count); };
  if (const auto kind = random() % 8; kind == 0 && column.count > 0) {
    std::memmove(entry, entry + column.entry, size - static_cast<size_t>(entry - data) - column.entry);
    set_count(column.count - 1);
    return size - column.entry;
  } else if (kind == 1 && size + column.entry <= max_size) {
    std::memmove(entry + column.entry, entry, size - static_cast<size_t>(entry - data));
    set_count(column.count + 1);
    return size + column.entry;
  }
  if (column.count == 0) return size;
  if (column.entry == 1) {
    *entry = static_cast<uint8_t>(random() % 3 == 0 ? random() : *entry ^ (1u << random() % 8));
  } else if (columns.size() > kTimes && column.begin == columns[kTimes].begin) {
    double time = static_cast<double>(random() % 100) / 8;
    if (random() % 8 == 0) time = random() % 2 ? 1e300 : -0.0;
    std::memcpy(entry + random() % 2 * sizeof time, &time, sizeof time);
  } else {
    uint8_t* number = entry + random() % (column.entry / sizeof(int32_t)) * sizeof(int32_t);
    int32_t value = 0;
    std::memcpy(&value, number, sizeof value);
    const auto by = static_cast<int32_t>(random() % 5) - 2;
    value = random() % 4 == 0 ? by : static_cast<int32_t>(static_cast<uint32_t>(value) + static_cast<uint32_t>(by));
    std::memcpy(number, &value, sizeof value);
  }
  return size;
}

std::shared_ptr<Columns> loaded_or_null(const uint8_t* data, size_t size) {
  try {
    return Columns::loaded({reinterpret_cast<const char*>(data), size});
  } catch (const std::invalid_argument&) {
    return nullptr;
  }
}

// The size of the stored form; `size`, and no change, if there is no space for it.
size_t store(const Columns& trees, uint8_t* data, size_t size, size_t max_size) {
  const std::string saved = trees.saved();
  if (saved.size() > max_size) return size;
  std::memcpy(data, saved.data(), saved.size());
  return saved.size();
}

// The label of a phrase for another phrase or a word.
void copy_label(uint8_t* data, const std::vector<StoredColumn>& columns, std::mt19937& random) {
  const StoredColumn &nodes = columns[kNodes], &target = columns[random() % 2 ? kNodes : kLeaves];
  if (nodes.count == 0 || target.count == 0) return;
  std::memcpy(data + target.begin + random() % target.count * target.entry,
              data + nodes.begin + random() % nodes.count * nodes.entry, sizeof(Node::label));
}

std::vector<Interval> new_times(const Columns& trees, size_t begin, size_t end, std::mt19937& random) {
  std::vector<Interval> times;
  for (size_t tree = begin; tree < end; ++tree) {
    double time = 0;
    for (size_t leaf = trees.tree(tree).leaves.size(); leaf > 0; --leaf) {
      const double start = time + 0.5 * static_cast<double>(random() % 3);
      time = start + 0.25 * static_cast<double>(random() % 4);
      times.push_back({start, time});
    }
  }
  return times;
}

// Other sound trees: some of these again, or all of them with new times, or some joined.
std::shared_ptr<Columns> changed_trees(const Columns& trees, std::mt19937& random) {
  const auto below = [&](size_t count) { return static_cast<size_t>(random()) % count; };
  auto out = std::make_shared<Columns>(std::make_shared<Vocabulary>());
  const size_t begin = below(trees.size() + 1), end = begin + below(trees.size() - begin + 1);
  const auto kind = below(3);
  if (kind == 0 && trees.size() > 0) {
    std::vector<size_t> places;
    for (size_t count = below(5); count > 0; --count) places.push_back(below(trees.size()));
    out->append_at(trees, places);
    return out;
  }
  out->append(trees, 0, begin);
  if (kind == 1) {
    try {
      out->append_joined(trees, begin, end, 0);
    } catch (const std::invalid_argument&) {  // a discontinuous tree, or times that go back
      out->abandon();
    }
  } else {
    out->append_timed(trees, begin, end, new_times(trees, begin, end, random));
  }
  out->append(trees, end, trees.size());
  return out;
}

}  // namespace

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t max_size, unsigned int seed) {
  std::mt19937 random(seed);
  const auto kind = random() % 16;
  if (kind == 0) return LLVMFuzzerMutate(data, size, max_size);
  if (kind < 9) {
    const auto trees = loaded_or_null(data, size);
    if (trees && kind % 2 == 0) return store(*changed_trees(*trees, random), data, size, max_size);
    if (trees) {
      copy_label(data, columns_of(data, size), random);
      return size;
    }
  }
  for (auto changes = 1 + random() % 3; changes > 0; --changes) size = change_column(data, size, max_size, random);
  return size;
}

// The trees of both inputs.
extern "C" size_t LLVMFuzzerCustomCrossOver(const uint8_t* first, size_t first_size, const uint8_t* second,
                                            size_t second_size, uint8_t* out, size_t max_size, unsigned int) {
  const auto trees = loaded_or_null(first, first_size), others = loaded_or_null(second, second_size);
  if (!trees || !others) return 0;
  trees->append(*others, 0, others->size());
  return store(*trees, out, 0, max_size);
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  std::shared_ptr<Columns> trees;
  try {
    trees = Columns::loaded({reinterpret_cast<const char*>(data), size});
  } catch (const std::invalid_argument&) {
    return 0;
  }
  const std::string saved = trees->saved();
  require(Columns::loaded(saved)->saved() == saved, "what is loaded can be saved and loaded again");
  Columns copy(std::make_shared<Vocabulary>());
  copy.append(*trees, 0, trees->size());
  for (size_t tree = 0; tree < trees->size(); ++tree) {
    trees->tree(tree).leaf_parents();
    std::string written;
    write_brackets(*trees, tree, true, false, written);
    write_brackets(*trees, tree, false, true, written);
  }
  require(Columns::loaded(copy.saved())->size() == trees->size(), "a copy is sound");
  score_all_with_themselves(*trees);
  return 0;
}
