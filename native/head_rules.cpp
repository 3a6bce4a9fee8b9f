#include "head_rules.hpp"

#include <algorithm>

namespace treescore {

std::vector<HeadRules::Compiled> HeadRules::compiled(Rule groups) {
  std::vector<Compiled> out;
  for (const Group& group : groups) {
    Compiled& made = out.emplace_back(Compiled{group.from_left, {}, group.labels.empty()});
    for (const int32_t label : group.labels) {
      made.has.resize(std::max(made.has.size(), static_cast<size_t>(label) + 1));
      made.has[static_cast<size_t>(label)] = 1;
    }
  }
  return out;
}

void HeadRules::add(int32_t category, Rule groups) {
  const auto at = static_cast<size_t>(category);
  if (at >= rule_of_.size()) rule_of_.resize(at + 1, -1);
  if (rule_of_[at] >= 0) return;
  rule_of_[at] = static_cast<int32_t>(rules_.size());
  rules_.push_back(compiled(std::move(groups)));
}

int32_t HeadRules::find_in(const SpeechTree& tree, int32_t node, const std::vector<Compiled>& groups,
                           bool edits) const {
  for (const Compiled& group : groups) {
    int32_t edit = -1;
    for (int32_t child = group.from_left ? tree[node].first : tree[node].last; child >= 0;
         child = group.from_left ? tree[child].next : tree[child].previous) {
      const auto label = static_cast<size_t>(tree[child].label);
      if (!group.any && (label >= group.has.size() || !group.has[label])) continue;
      if (!tree[child].is(SpeechTree::kEdit)) return child;
      if (edit < 0) edit = child;
    }
    if (edits && edit >= 0) return edit;
  }
  return -1;
}

int32_t HeadRules::find(const SpeechTree& tree, int32_t node) const {
  const auto label = static_cast<size_t>(tree[node].label);
  const int32_t rule = label < rule_of_.size() ? rule_of_[label] : -1;
  int32_t head = -1;
  for (const bool edits : {takes_edits_early, true}) {
    if (rule >= 0) head = find_in(tree, node, rules_[static_cast<size_t>(rule)], edits);
    if (head < 0) head = find_in(tree, node, default_, edits);
    if (head >= 0) break;
  }
  if (!coordination || head < 0) return head;
  const int32_t before = tree[head].previous;
  const bool joined = before >= 0 && tree[before].label == conjunction && tree[before].previous >= 0;
  return joined ? tree[before].previous : head;
}

}  // namespace treescore
