// STRUCT-IOU: all engines find the value that a plain table finds, and an alignment that is worth as much.
#include "../struct_iou.hpp"

#include "../verdicts.hpp"
#include "fuzz.hpp"
#include "ordered_mapping.hpp"

using namespace treescore;
using namespace treescore::fuzz;

namespace {

constexpr int32_t kMostInTable = 24;  // nodes of a tree that is compared with the plain table

std::vector<int32_t> leftmost_of(const IntervalTree& tree) {
  std::vector<int32_t> out;
  for (int32_t node = 0; node < tree.size(); ++node) out.push_back(tree.nodes[node].leftmost);
  return out;
}

// From the definition: the intersection over the union, if the pair may be aligned and counts.
Weight weight_of(const IntervalTree& a, int32_t x, const IntervalTree& b, int32_t y, const MappingRules& rules) {
  const IntervalTree::Node &u = a.nodes[x], &v = b.nodes[y];
  if (u.label == IntervalTree::kUnmatched || v.label == IntervalTree::kUnmatched) return 0;
  const bool has_leaf = u.leftmost == x || v.leftmost == y;
  if (u.label != v.label && !(rules.flexible && has_leaf)) return 0;
  const double common = std::min(u.end, v.end) - std::max(u.start, v.start);
  if (!(common > 0) || common < rules.least_overlap) return 0;
  const double iou = common / (std::max(u.end, v.end) - std::min(u.start, v.start));
  if (!(iou > rules.threshold) || iou < rules.least_iou) return 0;
  return static_cast<Weight>(iou * static_cast<double>(Weight{1} << kWeightBits) + 0.5);
}

void check_alignment(const IntervalTree& a, const IntervalTree& b, Mapper& mapper, Weight expected) {
  std::vector<std::pair<int32_t, int32_t>> pairs;
  Weight sum = 0;
  for (const Mapper::Pair& pair : mapper.align()) {
    pairs.emplace_back(pair.a, pair.b);
    sum += mapper.weight(pair);
  }
  require(sum == expected, "the alignment is worth the value");
  require(is_mapping(leftmost_of(a), leftmost_of(b), pairs), "the alignment keeps ancestors and order");
}

void compare_engines(const IntervalTree& a, const IntervalTree& b, const MappingRules& rules) {
  Mapper mapper;
  mapper.set(rules);
  const Weight value = mapper.solve(a, b);
  check_alignment(a, b, mapper, value);
  require(mapper.solve(b, a) == value, "the value is symmetric");
  for (const MapperEngine engine : {MapperEngine::kSweep, MapperEngine::kWindow})
    for (const MapperPaths paths : {MapperPaths::kLeft, MapperPaths::kRight})
      for (const bool contract : {false, true}) {
        mapper.choose({contract, engine, paths, contract});
        require(mapper.solve(a, b) == value, "all engines find the same value");
        check_alignment(a, b, mapper, value);
      }
  if (a.size() > kMostInTable || b.size() > kMostInTable) return;
  const Weight best =
      best_mapping(leftmost_of(a), leftmost_of(b), [&](int32_t x, int32_t y) { return weight_of(a, x, b, y, rules); });
  require(value == best, "the value is that of the plain table");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  Input options = options_of(data, size);
  const Form form = static_cast<Form>(options.below(4));
  const uint8_t choices = options.byte(), flags = options.byte();
  const Pairs pairs = read_pairs(text_of(data, size), form);
  StructIouRules rules;
  rules.gold = rules.test = side_rules(pairs.trees->vocabulary(), choices);
  rules.labelled = (flags & 1) == 0;
  rules.axis = form == Form::kSpans ? Axis::kSeconds : (flags & 2) != 0 ? Axis::kCharacters : Axis::kWords;
  rules.count_silent = (flags & 4) != 0;
  rules.close_gaps = (flags & 8) != 0;
  rules.mapping.flexible = (flags & 16) == 0;
  rules.mapping.threshold = (flags & 32) != 0 ? 0.01 * options.byte() : 0;
  rules.mapping.least_overlap = (flags & 64) != 0 ? 0.1 * options.byte() : 0;
  rules.mapping.least_iou = (flags & 128) != 0 ? options.byte() / 255.0 : 0;
  rules.mapping.limit = 5;
  StructIouScorer scorer(rules);
  for (size_t pair = 0; pair < pairs.size(); ++pair) {
    const TreeView gold = pairs.trees->tree(Pairs::gold(pair)), test = pairs.trees->tree(Pairs::test(pair));
    const StructIouRow row = scorer.score(*pairs.trees, Pairs::gold(pair), *pairs.trees, Pairs::test(pair));
    check_outcome(row);
    require(row.overlap <= std::min(row.gold, row.test) << kWeightBits, "no pair is worth more than 1");
    require(row.sentence_score <= Weight{1} << kWeightBits, "a score is at most 1");
    std::vector<StructIouScorer::Aligned> aligned;
    scorer.append_alignment(aligned);
    std::vector<Verdict> verdicts;
    if (row.valid) scorer.append_verdicts(row, verdicts);
    std::vector<StructIouScorer::LabelSums> table;
    scorer.add_by_label(*pairs.trees, Pairs::gold(pair), *pairs.trees, Pairs::test(pair), table);
    if (!row.valid || row.failed || gold.nodes.size() + gold.leaves.size() > 200 ||
        test.nodes.size() + test.leaves.size() > 200)
      continue;
    Placer placer(rules.gold, rules, rules.labelled);
    IntervalTree a, b;
    placer.place(gold, a);
    placer.place(test, b);
    compare_engines(a, b, rules.mapping);
  }
  return 0;
}
