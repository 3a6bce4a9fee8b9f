#include "page_columns.hpp"

#include <algorithm>
#include <cmath>

#include "tree_order.hpp"

namespace treescore {
namespace {

constexpr double kMillion = 1e6;

}  // namespace

// ---- trees

int32_t PageTrees::number(size_t symbol) {
  if (numbers_[symbol] < 0) {
    numbers_[symbol] = next_++;
    new_symbols_.push_back(static_cast<int32_t>(symbol));
  }
  return numbers_[symbol];
}

void PageTrees::add_absent() {
  head.add(static_cast<uint64_t>(TreeFlag::kAbsent));
  for (Pieces* column : {&head, &items, &ups, &order}) column->finish();
}

void PageTrees::add(const TreeView& tree, bool has_own_words) {
  const size_t names = (numbers_.size() - 1) / 2;
  TreeOrder traversal;
  traversal.set(tree);
  size_t size = 0;
  uint64_t closed = 0;
  leaves_.clear();
  const auto add_item = [&](size_t symbol) {
    if (size++) ups.add(closed);
    closed = 0;
    items.add(static_cast<uint64_t>(number(symbol)));
  };
  traversal.walk(
      tree, [&](int32_t phrase) { add_item(tree.nodes[static_cast<size_t>(phrase)].label); },
      [&](int32_t leaf) {
        const uint32_t tag = tree.leaves[static_cast<size_t>(leaf)].tag;
        add_item(tag == kNone ? 2 * names : names + tag);
        leaves_.push_back(leaf);
      },
      [&](int32_t) { ++closed; });
  if (size) ups.add(0);  // nothing follows the last item
  const bool has_order = tree.discontinuous || !std::is_sorted(leaves_.begin(), leaves_.end());
  if (has_order)
    for (const int32_t leaf : leaves_) order.add(static_cast<uint64_t>(leaf));
  head.add((has_order ? static_cast<uint64_t>(TreeFlag::kOrder) : 0) |
           (has_own_words ? static_cast<uint64_t>(TreeFlag::kOwnWords) : 0));
  head.add(size);
  for (Pieces* column : {&head, &items, &ups, &order}) column->finish();
}

// ---- verdicts

void PageVerdicts::Shape::set(const TreeView& tree, bool with_leaves) {
  names.clear();
  is_phrase.clear();
  leaves.clear();
  TreeOrder traversal;
  traversal.set(tree);
  std::vector<size_t> open;
  const auto add_node = [&](uint32_t name, bool phrase) {
    names.push_back(name);
    is_phrase.push_back(phrase);
    if (with_leaves) leaves.emplace_back();
  };
  traversal.walk(
      tree,
      [&](int32_t phrase) {
        open.push_back(names.size());
        add_node(tree.nodes[static_cast<size_t>(phrase)].label, true);
      },
      [&](int32_t leaf) {
        const uint32_t tag = tree.leaves[static_cast<size_t>(leaf)].tag;
        if (tag != kNone) add_node(tag, false);
        if (!with_leaves) return;
        if (tag != kNone) leaves.back().push_back(leaf);
        for (const size_t node : open) leaves[node].push_back(leaf);
      },
      [&](int32_t) { open.pop_back(); });
  for (std::vector<int32_t>& below : leaves) std::sort(below.begin(), below.end());
}

int32_t PageVerdicts::compared(int side, int32_t node) const {
  const auto place = static_cast<size_t>(node);
  const uint32_t name = shapes_[side].names[place];
  return (shapes_[side].is_phrase[place] ? names_.labels : names_.tags)[side][name];
}

void PageVerdicts::add_absent() {
  head.add(0);
  missing.add(0);
  extra.add(0);
  for (Pieces* column : {&head, &gold, &test, &details, &missing, &extra}) column->finish();
  confused_ends.push_back(static_cast<int64_t>(confused.size() / 2));
  for (auto* table : {&credits, &nodes})
    for (std::vector<int64_t>& column : *table) column.push_back(0);
}

void PageVerdicts::add(const TreeView& gold_tree, const TreeView& test_tree, const PairVerdicts& verdicts) {
  const bool with_leaves = gold_tree.discontinuous || test_tree.discontinuous;
  shapes_[0].set(gold_tree, with_leaves);
  shapes_[1].set(test_tree, with_leaves);
  const auto golds = static_cast<size_t>(std::count(verdicts.side.begin(), verdicts.side.end(), 0));
  find_twins(verdicts, golds, with_leaves);
  for (const int side : {0, 1}) marks_[side].assign(shapes_[side].names.size(), '\0');
  mark(verdicts, golds);
  bool only_phrases = true;
  for (const int side : {0, 1})
    for (size_t node = 0; node < marks_[side].size(); ++node)
      only_phrases = only_phrases && (shapes_[side].is_phrase[node] || marks_[side][node] == '\0');
  for (const int side : {0, 1})
    for (size_t node = 0; node < marks_[side].size(); ++node)
      if (!only_phrases || shapes_[side].is_phrase[node]) (side == 0 ? gold : test).bytes += marks_[side][node];
  head.add(only_phrases ? 3 : 1);
  for (Pieces* column : {&head, &gold, &test, &details}) column->finish();
  count(verdicts, golds);
}

// An unmatched gold node and the first unmatched test node over the same words whose label has another name.
void PageVerdicts::find_twins(const PairVerdicts& verdicts, size_t golds, bool with_leaves) {
  const size_t size = verdicts.side.size();
  twins_.assign(size, -1);
  const auto node_of = [&](size_t row) { return static_cast<size_t>(verdicts.number[row]); };
  for (size_t row = 0; row < golds; ++row) {
    if (verdicts.partner[row] >= 0) continue;
    const size_t node = node_of(row);
    for (size_t other = golds; other < size; ++other) {
      if (verdicts.partner[other] >= 0 || twins_[other] >= 0) continue;
      const size_t candidate = node_of(other);
      if (verdicts.start[row] != verdicts.start[other] || verdicts.end[row] != verdicts.end[other] ||
          shapes_[0].is_phrase[node] != shapes_[1].is_phrase[candidate] ||
          names_.same[0][shapes_[0].names[node]] == names_.same[1][shapes_[1].names[candidate]])
        continue;
      if (with_leaves && shapes_[0].leaves[node] != shapes_[1].leaves[candidate]) continue;
      twins_[row] = static_cast<int32_t>(other);
      twins_[other] = static_cast<int32_t>(row);
      break;
    }
  }
}

// The marks of nodes: 1 without a partner, 3 with one, 5 with one that the details describe; 1 more if the node
// crosses.
void PageVerdicts::mark(const PairVerdicts& verdicts, size_t golds) {
  const auto twin_of = [&](size_t row) {
    return twins_[row] < 0 ? 0 : static_cast<uint64_t>(verdicts.number[static_cast<size_t>(twins_[row])]) + 1;
  };
  int64_t offset = 0;
  for (size_t row = 0; row < verdicts.side.size(); ++row) {
    const bool is_gold = row < golds;
    const int32_t node = verdicts.number[row], partner = verdicts.partner[row];
    int32_t code = 3;
    if (partner < 0) {
      code = 1;
      details.add(twin_of(row));
    } else if (is_gold && (verdicts.iou[row] != 1 || partner - node != offset)) {
      code = 5;
      details.add_signed(partner - node - offset);
      details.add(static_cast<uint64_t>(std::nearbyint((1 - verdicts.iou[row]) * kMillion)));
      offset = partner - node;
    }
    marks_[is_gold ? 0 : 1][static_cast<size_t>(node)] = static_cast<char>(code + (verdicts.crossing[row] != 0));
  }
}

void PageVerdicts::add_set(std::vector<int32_t>& numbers, Pieces& out, std::vector<int64_t>& sentences) {
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  out.add(numbers.size());
  for (const int32_t number : numbers) {
    out.add(static_cast<uint64_t>(number));
    ++sentences[static_cast<size_t>(number)];
  }
  out.finish();
}

void PageVerdicts::count(const PairVerdicts& verdicts, size_t golds) {
  for (auto* table : {&credits, &nodes})
    for (std::vector<int64_t>& column : *table) column.push_back(0);
  std::vector<int32_t> wrong[2];
  std::vector<std::pair<int32_t, int32_t>> pairs;
  for (size_t row = 0; row < verdicts.side.size(); ++row) {
    const int side = row < golds ? 0 : 1;
    const int32_t number = compared(side, verdicts.number[row]);
    const int32_t column = columns_[static_cast<size_t>(number)];
    const bool is_matched = verdicts.partner[row] >= 0;
    if (column >= 0) {
      ++nodes[static_cast<size_t>(column)].back();
      if (is_matched)
        credits[static_cast<size_t>(column)].back() +=
            static_cast<int64_t>(std::nearbyint(verdicts.iou[row] * kMillion));
    }
    if (is_matched) continue;
    wrong[side].push_back(number);
    if (twins_[row] < 0) {
      ++(side == 0 ? alone_gold : alone_test)[static_cast<size_t>(number)];
    } else if (side == 0) {
      const int32_t other = compared(1, verdicts.number[static_cast<size_t>(twins_[row])]);
      if (other != number) pairs.emplace_back(number, other);
    }
  }
  add_set(wrong[0], missing, missing_in);
  add_set(wrong[1], extra, extra_in);
  std::sort(pairs.begin(), pairs.end());
  for (const auto& [own, other] : pairs) confused.insert(confused.end(), {own, other});
  confused_ends.push_back(static_cast<int64_t>(confused.size() / 2));
}

}  // namespace treescore
