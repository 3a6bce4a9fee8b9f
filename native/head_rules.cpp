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

template <class Try>
int32_t HeadRules::first_success(const SpeechTree& tree, int32_t node, const Try& attempt) const {
  const auto label = static_cast<size_t>(tree[node].label);
  const int32_t rule = label < rule_of_.size() ? rule_of_[label] : -1;
  for (const std::vector<Compiled>* groups : {rule >= 0 ? &rules_[static_cast<size_t>(rule)] : nullptr, &default_}) {
    if (!groups) continue;
    for (const Compiled& group : *groups)
      if (const int32_t found = attempt(group); found >= 0) return found;
  }
  return -1;
}

int32_t HeadRules::find(const SpeechTree& tree, int32_t node) const {
  return first_success(tree, node, [&](const Compiled& group) {
    int32_t edit = -1;
    for (int32_t child = group.first(tree[node]); child >= 0; child = group.next(tree[child])) {
      if (!group.fits(tree[child])) continue;
      if (!tree[child].is(SpeechTree::kEdit)) return child;
      if (edit < 0) edit = child;
    }
    return edit;
  });
}

int32_t HeadRules::find_leniently(const SpeechTree& tree, int32_t node) const {
  constexpr uint8_t kMarks = SpeechTree::kSkipped | SpeechTree::kEdit;
  const auto level = [&](int32_t child) { return tree[child].flags & kMarks; };  // skipped is worse than an edit
  int least = 0xFF;
  for (int32_t child = tree[node].first; child >= 0; child = tree[child].next) least = std::min(least, level(child));
  const auto counts = [&](int32_t child) { return level(child) == least; };
  int32_t head = first_success(tree, node, [&](const Compiled& group) {
    for (int32_t child = group.first(tree[node]); child >= 0; child = group.next(tree[child]))
      if (counts(child) && group.fits(tree[child])) return child;
    return -1;
  });
  for (int32_t child = tree[node].first; head < 0; child = tree[child].next)
    if (counts(child)) head = child;
  const auto before = [&](int32_t child) {
    do child = tree[child].previous;
    while (child >= 0 && !counts(child));
    return child;
  };
  if (conjunctions_.empty()) return head;
  int32_t other = before(head);
  if (other < 0 || !is_conjunction(tree[other].label)) return head;
  while (other >= 0 && is_conjunction(tree[other].label)) other = before(other);
  return other >= 0 ? other : head;
}

void HeadRules::set_conjunctions(std::span<const int32_t> labels) {
  for (const int32_t label : labels) {
    conjunctions_.resize(std::max(conjunctions_.size(), static_cast<size_t>(label) + 1));
    conjunctions_[static_cast<size_t>(label)] = 1;
  }
}

bool HeadRules::is_conjunction(int32_t label) const {
  return static_cast<size_t>(label) < conjunctions_.size() && conjunctions_[static_cast<size_t>(label)] != 0;
}

}  // namespace treescore
