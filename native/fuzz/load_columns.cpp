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
  } else if (column.entry == sizeof(Interval) &&
             column.begin == columns[std::min<size_t>(6, columns.size() - 1)].begin) {
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

}  // namespace

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t max_size, unsigned int seed) {
  std::mt19937 random(seed);
  if (random() % 8 == 0) return LLVMFuzzerMutate(data, size, max_size);
  for (auto changes = 1 + random() % 3; changes > 0; --changes) size = change_column(data, size, max_size, random);
  return size;
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
