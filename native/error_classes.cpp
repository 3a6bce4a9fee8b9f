#include "error_classes.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdlib>
#include <memory>
#include <tuple>

namespace treescore {
namespace {

constexpr size_t kBlock = 16;  // pairs that a thread takes at once

size_t hash_of(int32_t start, int32_t end, uint32_t label) {
  uint64_t mixed = (uint64_t{static_cast<uint32_t>(start)} << 32 | static_cast<uint32_t>(end)) * 0x9E3779B97F4A7C15ull;
  mixed = (mixed ^ mixed >> 29 ^ label) * 0xBF58476D1CE4E5B9ull;
  return static_cast<size_t>(mixed ^ mixed >> 32);
}

int64_t key_or_none(uint32_t key) { return key == kNone ? -1 : int64_t{key}; }

}  // namespace

// Which words are compared.

uint32_t ErrorFinder::tag_key(const TreeView& tree, size_t leaf, const std::vector<uint32_t>& keys) const {
  const uint32_t tag = tree.leaves[leaf].tag;
  const uint32_t key = tag == kNone ? rules_.no_tag_key : keys[tag];
  if (rules_.key_flags[key] & ErrorRules::kEmpty) return key;
  const std::string_view word = tree.word(leaf);
  if (word.size() > rules_.longest_retagged) return key;
  const auto found = rules_.tag_of_word.find(std::string(word));
  return found == rules_.tag_of_word.end() ? key : found->second;
}

void ErrorFinder::collect_tags(const TreeView& tree, const std::vector<uint32_t>& keys, int side) {
  tags_[side].clear();
  kept_[side].clear();
  for (size_t leaf = 0; leaf < tree.leaves.size(); ++leaf) {
    tags_[side].push_back(tag_key(tree, leaf, keys));
    if ((rules_.key_flags[tags_[side].back()] & ErrorRules::kEmpty) == 0)
      kept_[side].push_back(static_cast<uint32_t>(leaf));
  }
}

void ErrorFinder::compared(const TreeView& gold, const TreeView& test) {
  collect_tags(gold, rules_.gold_keys, 0);
  collect_tags(test, rules_.test_keys, 1);
  const auto is_punctuation = [&](int side, size_t place) {
    return (rules_.key_flags[tags_[side][kept_[side][place]]] & ErrorRules::kPunctuation) != 0;
  };
  const bool as_many = kept_[0].size() == kept_[1].size();
  differs_at_ = as_many ? first_difference(gold, test) : kNoDifference;
  // A comma with a wrong tag is still a comma, but a comma beside a different word is not the same one.
  const bool by_gold = rules_.punctuation_by_gold && as_many && differs_at_ == kNoDifference;
  for (const int side : {1, 0}) {  // test as long as all of gold is left
    size_t left = 0;
    for (size_t place = 0; place < kept_[side].size(); ++place)
      if (!is_punctuation(by_gold ? 0 : side, place)) kept_[side][left++] = kept_[side][place];
    kept_[side].resize(left);
  }
  if (!as_many && kept_[0].size() == kept_[1].size()) differs_at_ = first_difference(gold, test);
}

// The first two leaves that are left and have different words.
std::array<int64_t, 2> ErrorFinder::first_difference(const TreeView& gold, const TreeView& test) const {
  for (size_t place = 0; place < kept_[0].size(); ++place) {
    const std::string_view a = gold.word(kept_[0][place]), b = test.word(kept_[1][place]);
    if (a == b) continue;
    const auto first = rules_.tag_of_word.find(std::string(a)), second = rules_.tag_of_word.find(std::string(b));
    const bool known = first != rules_.tag_of_word.end() && second != rules_.tag_of_word.end();
    if (!known || first->second != second->second) return {kept_[0][place], kept_[1][place]};  // { and -LCB- are equal
  }
  return kNoDifference;
}

// The trees.

// The tree over the words that count: without phrases that have none, and with one root above all of it.
void ErrorFinder::build(const TreeView& tree, const std::vector<uint32_t>& keys, int side) {
  words_ = static_cast<int32_t>(kept_[side].size());
  root_ = words_;
  items_.clear();
  kept_before_.assign(tree.leaves.size() + 1, 0);
  const auto item = [](uint32_t label, int32_t start, int32_t end) {
    return Item{.label = label, .start = start, .end = end};
  };
  for (int32_t word = 0; word < words_; ++word) {
    const uint32_t leaf = kept_[side][static_cast<size_t>(word)];
    kept_before_[leaf + 1] = 1;
    items_.push_back(item(tags_[side][leaf], word, word + 1));
  }
  for (size_t leaf = 0; leaf < tree.leaves.size(); ++leaf) kept_before_[leaf + 1] += kept_before_[leaf];
  items_.push_back(item(rules_.root_key, 0, words_));
  item_of_.assign(tree.nodes.size(), kNothing);
  const auto attach = [&](int32_t child, int32_t parent) {
    const int32_t above = parent == -1 ? root_ : item_of_[static_cast<size_t>(parent)];
    link(child, child, above, at(above).last, kNothing);
  };
  const std::vector<int32_t> parents = tree.leaf_parents();
  size_t next = 0;
  for (size_t leaf = 0; leaf < tree.leaves.size(); ++leaf) {
    for (; next < tree.nodes.size() && static_cast<size_t>(tree.nodes[next].first) <= leaf; ++next) {
      const Node& node = tree.nodes[next];
      const int32_t start = kept_before_[static_cast<size_t>(node.first)];
      const int32_t end = kept_before_[static_cast<size_t>(std::max(node.first, node.end))];
      if (start == end) continue;
      item_of_[next] = static_cast<int32_t>(items_.size());
      items_.push_back(item(keys[node.label], start, end));
      items_.back().origin = static_cast<int32_t>(next);
      attach(item_of_[next], node.parent);
    }
    if (kept_before_[leaf] < kept_before_[leaf + 1]) attach(kept_before_[leaf], parents[leaf]);
  }
  // The outer bracket, of whatever name, is the root.
  for (int32_t top = at(root_).first; top != kNothing && !is_leaf(top);) {
    const Item& outer = at(top);
    if (outer.after != kNothing || (rules_.key_flags[outer.label] & ErrorRules::kOuter) == 0) break;
    splice(top);
    top = at(root_).first;
  }
}

// The tree that was built is gold.
void ErrorFinder::take_gold() {
  list_phrases();
  gold_.clear();
  item_of_.assign(items_.size(), kNothing);
  for (const int32_t phrase : order_) {
    if (phrase == root_) continue;
    const Item& item = at(phrase);
    item_of_[static_cast<size_t>(phrase)] = static_cast<int32_t>(gold_.size());
    gold_.push_back(
        {item.label, item_of_[static_cast<size_t>(item.parent)], item.start, item.end, kNothing, 0, item.origin});
  }
  gold_of_leaf_.clear();
  for (int32_t word = 0; word < words_; ++word) gold_of_leaf_.push_back(item_of_[static_cast<size_t>(at(word).parent)]);
  entries_.clear();
  slots_.assign(std::bit_ceil(2 * gold_.size() + 1), kNothing);
  for (Gold& node : gold_) {
    node.entry = entry_of(node.start, node.end, node.label);
    if (node.entry == kNothing) {
      size_t slot = hash_of(node.start, node.end, node.label) & (slots_.size() - 1);
      while (slots_[slot] != kNothing) slot = (slot + 1) & (slots_.size() - 1);
      slots_[slot] = node.entry = static_cast<int32_t>(entries_.size());
      entries_.push_back({node.label, node.start, node.end, 0, 0});
    }
    Entry& entry = entries_[static_cast<size_t>(node.entry)];
    node.occurrence = entry.gold++;
    --entry.surplus;
  }
  errors_ = static_cast<int64_t>(gold_.size());
}

int32_t ErrorFinder::entry_of(int32_t start, int32_t end, uint32_t label) const {
  for (size_t slot = hash_of(start, end, label) & (slots_.size() - 1); slots_[slot] != kNothing;
       slot = (slot + 1) & (slots_.size() - 1)) {
    const Entry& entry = entries_[static_cast<size_t>(slots_[slot])];
    if (entry.start == start && entry.end == end && entry.label == label) return slots_[slot];
  }
  return kNothing;
}

void ErrorFinder::list_phrases() {
  order_.clear();
  for (int32_t item = root_; item != kNothing;) {
    const Item& now = at(item);
    if (!is_leaf(item)) order_.push_back(item);
    if (now.first != kNothing) {
      item = now.first;
      continue;
    }
    while (item != root_ && at(item).after == kNothing) item = at(item).parent;
    item = item == root_ ? kNothing : at(item).after;
  }
}

// Puts siblings first to last under a parent, between two of its children.
void ErrorFinder::link(int32_t first, int32_t last, int32_t parent, int32_t before, int32_t after) {
  for (int32_t child = first; child != kNothing; child = at(child).after) {
    at(child).parent = parent;
    if (child == last) break;
  }
  Item& above = at(parent);
  at(first).before = before;
  at(last).after = after;
  (before == kNothing ? above.first : at(before).after) = first;
  (after == kNothing ? above.last : at(after).before) = last;
}

void ErrorFinder::unlink(int32_t first, int32_t last) {
  const int32_t before = at(first).before, after = at(last).after;
  Item& above = at(at(first).parent);
  (before == kNothing ? above.first : at(before).after) = after;
  (after == kNothing ? above.last : at(after).before) = before;
}

// Removes a phrase; its children take its place.
void ErrorFinder::splice(int32_t phrase) {
  const Item gone = at(phrase);
  link(gone.first, gone.last, gone.parent, gone.before, gone.after);
}

// The errors.

void ErrorFinder::count(int32_t node, int32_t by) {
  const int32_t entry = at(node).entry;
  if (entry == kNothing) {
    errors_ += by;
    return;
  }
  int32_t& surplus = entries_[static_cast<size_t>(entry)].surplus;
  errors_ += std::abs(surplus + by) - std::abs(surplus);
  surplus += by;
}

bool ErrorFinder::crosses(int32_t start, int32_t end, const Run* moved) const {
  const auto owner = [&](int32_t place) {
    if (moved && place == moved->start && start_owner_ != kNothing) return start_owner_;
    if (moved && place == moved->end && end_owner_ != kNothing) return end_owner_;
    return owner_[static_cast<size_t>(place)];
  };
  return (start > 0 && at(owner(start)).end < end) || (end < words_ && at(owner(end)).start > start);
}

void ErrorFinder::analyse() {
  list_phrases();
  look(order_.size() + gold_.size());
  seen_.assign(entries_.size(), 0);
  extras_.clear();
  for (size_t place = 0; place < order_.size(); ++place) {
    Item& phrase = at(order_[place]);
    for (int32_t child = phrase.first; child != kNothing; child = at(child).after)
      if (child != phrase.first) owner_[static_cast<size_t>(at(child).start)] = order_[place];
    phrase.is_extra = false;
    if (order_[place] == root_) continue;
    const auto entry = static_cast<size_t>(phrase.entry);
    phrase.is_extra = phrase.entry == kNothing || entries_[entry].surplus > 0;
    if (phrase.entry == kNothing || ++seen_[entry] > entries_[entry].gold)
      extras_.push_back({phrase.start, phrase.end, static_cast<int32_t>(place), order_[place]});
  }
  for (size_t place = order_.size(); place-- > 0;) {
    Item& phrase = at(order_[place]);
    phrase.extra_right = phrase.is_extra || (!is_leaf(phrase.last) && at(phrase.last).extra_right);
    phrase.extra_left = phrase.is_extra || (!is_leaf(phrase.first) && at(phrase.first).extra_left);
  }
}

// Steps that change one phrase. All steps of a kind are worth the same, so the first one is taken.
void ErrorFinder::find_simple() {
  best_ = {};
  const int32_t first_extra = extras_.empty() ? kNothing : extras_.front().node;
  const auto before = [](const Spanned& a, const Spanned& b) {
    return a.start != b.start ? a.start < b.start : a.end != b.end ? a.end < b.end : a.place < b.place;
  };
  std::ranges::sort(extras_, before);
  int32_t added = kNothing;
  for (size_t place = 0; place < gold_.size(); ++place) {
    const Gold& node = gold_[place];
    if (!is_missing(node)) continue;
    const auto same = std::ranges::lower_bound(extras_, Spanned{node.start, node.end, -1, -1}, before);
    if (same != extras_.end() && same->start == node.start && same->end == node.end) {
      best_ = {
          .score = 2, .repair = Repair::kRelabel, .node = topmost(same->node), .gold = static_cast<int32_t>(place)};
      return;
    }
    if (added == kNothing && !crosses(node.start, node.end, nullptr)) added = static_cast<int32_t>(place);
  }
  best_.score = 1;
  best_.repair = added == kNothing ? Repair::kRemove : Repair::kAdd;
  best_.gold = added;
  if (added == kNothing) best_.node = topmost(first_extra);
}

// The topmost phrase with the span and label of this one.
int32_t ErrorFinder::topmost(int32_t node) {
  const Item& wanted = at(node);
  int32_t found = node;
  for (int32_t above = wanted.parent; above != root_; above = at(above).parent) {
    const Item& item = at(above);
    look(1);
    if (item.start != wanted.start || item.end != wanted.end) break;
    if (item.label == wanted.label) found = above;
  }
  return found;
}

// Moves. Only changes are counted: spans are changed, the errors are counted, and the spans are changed back.

void ErrorFinder::change(int32_t node, int32_t start, int32_t end) {
  look(1);
  Item& item = at(node);
  changes_.push_back({node, item.start, item.end, item.entry, false});
  respan(node, start, end);
}

void ErrorFinder::respan(int32_t node, int32_t start, int32_t end) {
  Item& item = at(node);
  count(node, -1);
  item.start = start;
  item.end = end;
  item.entry = entry_of(start, end, item.label);
  count(node, 1);
}

void ErrorFinder::lose(int32_t node) {
  const Item& item = at(node);
  changes_.push_back({node, item.start, item.end, item.entry, true});
  count(node, -1);
}

void ErrorFinder::take_back() {
  for (; !changes_.empty(); changes_.pop_back()) {
    const Change& done = changes_.back();
    Item& item = at(done.node);
    if (!done.gone) count(done.node, -1);
    item.start = done.start;
    item.end = done.end;
    item.entry = done.entry;
    count(done.node, 1);
  }
  start_owner_ = end_owner_ = kNothing;
}

void ErrorFinder::find_moves() {
  errors_before_ = errors_;
  for (const int32_t source : order_) {
    if (best_.score >= errors_) return;  // no other step can be better
    moves_of(source);
  }
}

void ErrorFinder::moves_of(int32_t source) {
  const Item& above = at(source);
  if (above.first == above.last) return;
  children_.clear();
  right_places_.clear();  // of children followed by a phrase with something extra down its edge
  for (int32_t child = above.first; child != kNothing; child = at(child).after) {
    if (!children_.empty() && at(child).extra_left) right_places_.push_back(static_cast<int32_t>(children_.size()) - 1);
    children_.push_back(child);
  }
  const auto size = static_cast<int32_t>(children_.size());
  look(static_cast<uint64_t>(size));
  if (right_places_.empty() && !above.is_extra &&
      std::ranges::none_of(children_, [&](int32_t child) { return at(child).extra_right; }))
    return;
  size_t right = 0;
  for (int32_t first = 0; first < size; ++first) {
    while (right < right_places_.size() && right_places_[right] < first) ++right;
    const bool from_left = first > 0 && at(children_[static_cast<size_t>(first) - 1]).extra_right;
    if (from_left || (first == 0 && above.is_extra)) {
      for (int32_t last = first; last < size; ++last) try_run(source, first, last);
      continue;
    }
    for (size_t place = right; place < right_places_.size(); ++place) try_run(source, first, right_places_[place]);
    if (above.is_extra) try_run(source, first, size - 1);
  }
}

void ErrorFinder::try_run(int32_t source, int32_t first, int32_t last) {
  const auto size = static_cast<int32_t>(children_.size());
  if (last - first + 1 == size) return;
  look(1);
  const auto child = [&](int32_t place) { return children_[static_cast<size_t>(place)]; };
  const Item& above = at(source);
  Run run{source, child(first), child(last), at(child(first)).start, at(child(last)).end, kNothing};
  if (source != root_ && last - first + 2 == size) {
    const int32_t remaining = child(first == 0 ? size - 1 : 0);
    if (!is_leaf(remaining) && at(remaining).label == above.label) run.merged = remaining;
  }
  if (first > 0) try_down(run, child(first - 1), Route::kDownLeft);
  if (last < size - 1) try_down(run, child(last + 1), Route::kDownRight);
  if (!above.is_extra) return;
  if (first == 0) {
    try_across(run, Route::kDownLeft);
    try_up(run, Route::kUpLeft);
  } else if (last == size - 1) {
    try_across(run, Route::kDownRight);
    try_up(run, Route::kUpRight);
  }
}

// Into the phrases down the edge of a neighbour.
void ErrorFinder::try_down(const Run& run, int32_t neighbour, Route route) {
  if (is_leaf(neighbour) || !has_extra(neighbour, route)) return;
  if (run.merged != kNothing) lose(run.source);
  go_down(run, neighbour, route);
  take_back();
}

// Into the phrases that end where it starts, or start where it ends, beyond its own phrase.
void ErrorFinder::try_across(const Run& run, Route route) {
  const bool left = route == Route::kDownLeft;
  const auto beside = [&](int32_t item) {
    const Item& it = at(item);
    return left ? it.before : it.after;
  };
  int32_t top = run.source;
  for (; top != root_ && beside(top) == kNothing; top = at(top).parent) look(1);
  if (top == root_ || is_leaf(beside(top)) || !has_extra(beside(top), route)) return;
  shrink_source(run, left);
  for (int32_t node = run.source; node != top;) {
    node = at(node).parent;
    shrink(node, run, left);
  }
  (left ? end_owner_ : start_owner_) = at(top).parent;
  go_down(run, beside(top), route);
  take_back();
}

void ErrorFinder::go_down(const Run& run, int32_t node, Route route) {
  const bool left = route == Route::kDownLeft;
  while (!is_leaf(node) && has_extra(node, route)) {
    const Item& item = at(node);
    change(node, left ? item.start : run.start, left ? run.end : item.end);
    (left ? start_owner_ : end_owner_) = node;
    if (item.is_extra) consider(run, node, route);
    node = left ? item.last : item.first;
  }
}

// Out of its phrase, to the phrases above.
void ErrorFinder::try_up(const Run& run, Route route) {
  const bool left = route == Route::kUpLeft;
  shrink_source(run, left);
  for (int32_t target = at(run.source).parent; target != root_;) {
    (left ? end_owner_ : start_owner_) = target;
    consider(run, target, route);
    const Item& above = at(at(target).parent);
    if (left ? above.start < run.start : above.end > run.end) break;
    shrink(target, run, left);
    target = at(target).parent;
  }
  take_back();
}

void ErrorFinder::shrink_source(const Run& run, bool left) {
  if (run.merged != kNothing)
    lose(run.source);
  else
    shrink(run.source, run, left);
}

void ErrorFinder::shrink(int32_t node, const Run& run, bool left) {
  const Item& item = at(node);
  change(node, left ? run.end : item.start, left ? item.end : run.start);
}

bool ErrorFinder::has_extra(int32_t node, Route route) const {
  const Item& item = at(node);
  return route == Route::kDownLeft ? item.extra_right : item.extra_left;
}

void ErrorFinder::consider(const Run& run, int32_t target, Route route) {
  int64_t score = errors_before_ - errors_;
  if (score + 1 <= best_.score) return;
  // If the new parent itself has been removed, nothing is added, as in the original.
  const int32_t added = target == run.merged ? kNothing : tightest_missing(run, target);
  score += added != kNothing;
  if (score <= best_.score) return;
  best_ = {score, Repair::kMove, kNothing, added, run.source, run.first, run.last, target, route};
}

// The smallest missing phrase around the moved nodes and inside their new parent.
int32_t ErrorFinder::tightest_missing(const Run& run, int32_t target) {
  const Item& parent = at(target);
  int32_t found = kNothing;
  for (int32_t at = gold_of_leaf_[static_cast<size_t>(run.start)]; at != kNothing;
       at = gold_[static_cast<size_t>(at)].parent) {
    const Gold& node = gold_[static_cast<size_t>(at)];
    look(1);
    if (node.end < run.end) continue;
    if (node.start < parent.start || node.end > parent.end) break;
    if (found != kNothing) {
      const Gold& inner = gold_[static_cast<size_t>(found)];
      if (inner.start != node.start || inner.end != node.end)
        break;  // the outermost one of several over the same words
    }
    if ((node.start == run.start && node.end == run.end) || !is_missing(node)) continue;
    if (!crosses(node.start, node.end, &run)) found = at;
  }
  return found;
}

// Taking steps.

int32_t ErrorFinder::add(const Gold& node) {
  int32_t first = node.start;
  for (int32_t above = at(first).parent; above != root_; above = at(above).parent) {
    const Item& item = at(above);
    look(1);
    if (item.start < node.start || item.end > node.end) break;
    first = above;
  }
  int32_t last = first;
  while (at(last).end < node.end) last = at(last).after;
  const int32_t parent = at(first).parent;
  const int32_t before = at(first).before, after = at(last).after;
  const auto made = static_cast<int32_t>(items_.size());
  items_.push_back({.label = node.label, .start = node.start, .end = node.end, .entry = node.entry});
  link(first, last, made, kNothing, kNothing);
  link(made, made, parent, before, after);
  count(made, 1);
  return made;
}

void ErrorFinder::remove(int32_t node) {
  count(node, -1);
  splice(node);
}

// From here upward, spans as those of the children.
void ErrorFinder::settle(int32_t node) {
  for (; node != root_; node = at(node).parent) {
    const Item& item = at(node);
    const int32_t start = at(item.first).start;
    const int32_t end = at(item.last).end;
    if (start == item.start && end == item.end) return;
    look(1);
    respan(node, start, end);
  }
}

void ErrorFinder::move() {
  const Best& chosen = best_;
  const auto label = [&](int32_t item) { return item == kNothing ? kNone : at(item).label; };
  const auto see_beside = [&] {
    facts_.beside.push_back(label(at(chosen.first).before));
    facts_.beside.push_back(label(at(chosen.last).after));
  };
  facts_.parent = label(chosen.source);
  facts_.new_parent = label(chosen.target);
  facts_.start = at(chosen.first).start;
  facts_.end = at(chosen.last).end;
  for (int32_t mover = chosen.first;; mover = at(mover).after) {
    facts_.children.push_back(at(mover));
    if (mover == chosen.last) break;
  }
  see_beside();
  unlink(chosen.first, chosen.last);
  int32_t before = kNothing, after = kNothing;
  const Item& target = at(chosen.target);
  if (chosen.route == Route::kDownLeft) {
    before = target.last;
  } else if (chosen.route == Route::kDownRight) {
    after = target.first;
  } else {
    int32_t below = chosen.source;
    while (at(below).parent != chosen.target) below = at(below).parent;
    const bool left = chosen.route == Route::kUpLeft;
    before = left ? at(below).before : below;
    after = left ? below : at(below).after;
  }
  link(chosen.first, chosen.last, chosen.target, before, after);
  see_beside();
  settle(chosen.target);
  settle(chosen.source);
  const Item& source = at(chosen.source);
  if (chosen.source != root_ && source.first == source.last && !is_leaf(source.first) &&
      label(source.first) == source.label)
    remove(source.first);
  if (chosen.gold != kNothing) add(gold_[static_cast<size_t>(chosen.gold)]);
}

void ErrorFinder::describe(int32_t node) {
  const Item& item = at(node);
  facts_.label = item.label;
  facts_.parent = at(item.parent).label;
  facts_.next = item.after == kNothing ? kNone : at(item.after).label;
  facts_.start = item.start;
  facts_.end = item.end;
  facts_.only_child = item.before == kNothing && item.after == kNothing;
  for (int32_t child = item.first; child != kNothing; child = at(child).after) facts_.children.push_back(at(child));
}

void ErrorFinder::perform(std::vector<int64_t>& out) {
  facts_ = {};
  facts_.repair = best_.repair;
  const Gold* added = best_.gold == kNothing ? nullptr : &gold_[static_cast<size_t>(best_.gold)];
  if (best_.repair == Repair::kMove) {
    move();
  } else if (best_.repair == Repair::kAdd) {
    describe(add(*added));
  } else {
    describe(best_.node);
    if (best_.repair == Repair::kRemove) {
      remove(best_.node);
    } else {
      facts_.new_label = added->label;
      Item& item = at(best_.node);
      count(best_.node, -1);
      item.label = added->label;
      item.entry = added->entry;
      count(best_.node, 1);
    }
  }
  write(best_.repair == Repair::kMove ? added : nullptr, out);
}

void ErrorFinder::write(const Gold* added, std::vector<int64_t>& out) const {
  StepRecord record;
  record.size = static_cast<int64_t>(kStepNumbers + 3 * facts_.children.size());
  record.children = static_cast<int64_t>(facts_.children.size());
  record.first_leaf = kept_[0][static_cast<size_t>(facts_.start)];
  record.end_leaf = kept_[0][static_cast<size_t>(facts_.end) - 1] + 1;
  record.repair = static_cast<int64_t>(facts_.repair);
  record.of_class = class_of();
  record.brackets = best_.score;
  record.label = key_or_none(facts_.label);
  record.new_label = added ? int64_t{added->label} : key_or_none(facts_.new_label);
  record.start = facts_.start;
  record.end = facts_.end;
  record.parent = key_or_none(facts_.parent);
  record.new_parent = key_or_none(facts_.new_parent);
  record.added_start = added ? added->start : -1;
  record.added_end = added ? added->end : -1;
  const auto numbers = std::bit_cast<std::array<int64_t, kStepNumbers>>(record);
  out.insert(out.end(), numbers.begin(), numbers.end());
  for (const Item& child : facts_.children) out.insert(out.end(), {int64_t{child.label}, child.start, child.end});
}

// Which step repairs which phrase.

void ErrorFinder::note_wrong() {
  missing_.clear();
  extra_.clear();
  for (size_t place = 0; place < gold_.size(); ++place) {
    const Gold& node = gold_[place];
    if (is_missing(node))
      missing_.push_back({node.start, node.end, node.label, node.origin, static_cast<int32_t>(place), 0, true});
  }
  for (const Spanned& extra : extras_) {
    const Item& item = at(extra.node);
    extra_.push_back({item.start, item.end, item.label, item.origin, kNothing, 0, true});
  }
  std::ranges::sort(extra_, {},
                    [](const Wrong& wrong) { return std::tuple(wrong.start, wrong.end, wrong.label, wrong.origin); });
}

// After a step: a phrase that a later step makes wrong again is repaired by the step that makes it right once more.
void ErrorFinder::note_repaired(int64_t step) {
  const auto note = [&](Wrong& wrong, bool is_wrong) {
    if (wrong.is_wrong && !is_wrong) wrong.repaired_by = step;
    wrong.is_wrong = is_wrong;
  };
  for (Wrong& wrong : missing_) note(wrong, is_missing(gold_[static_cast<size_t>(wrong.gold)]));
  spanned_.clear();
  for (const Spanned& extra : extras_) spanned_.push_back({extra.start, extra.end, int64_t{at(extra.node).label}});
  std::ranges::sort(spanned_);
  std::array<int64_t, 3> before{-1, -1, -1};
  int64_t occurrence = 0;
  for (Wrong& wrong : extra_) {
    const std::array<int64_t, 3> key{wrong.start, wrong.end, int64_t{wrong.label}};
    occurrence = key == before ? occurrence + 1 : 0;
    before = key;
    note(wrong, occurrence < static_cast<int64_t>(std::ranges::equal_range(spanned_, key).size()));
  }
}

// Completes the records of the steps by the phrases that they repair.
void ErrorFinder::append_phrases(size_t begin, std::vector<int64_t>& out) {
  const std::vector<int64_t> records(out.begin() + static_cast<std::ptrdiff_t>(begin), out.end());
  out.resize(begin);
  int64_t step = 0;
  for (size_t place = 0; place < records.size(); ++step) {
    const auto size = static_cast<size_t>(records[place]);
    const size_t start = out.size();
    out.insert(out.end(), records.begin() + static_cast<std::ptrdiff_t>(place),
               records.begin() + static_cast<std::ptrdiff_t>(place + size));
    const auto append = [&](const std::vector<Wrong>& phrases, size_t field) {
      const size_t first = out.size();
      for (const Wrong& wrong : phrases)
        if (wrong.repaired_by == step) out.push_back(wrong.origin);
      out[start + field] = static_cast<int64_t>(out.size() - first);
    };
    append(missing_, offsetof(StepRecord, gold_phrases) / sizeof(int64_t));
    append(extra_, offsetof(StepRecord, test_phrases) / sizeof(int64_t));
    out[start] = static_cast<int64_t>(out.size() - start);
    place += size;
  }
}

int64_t ErrorFinder::class_of() const {
  const bool children_same =
      std::ranges::all_of(facts_.children, [&](const Item& child) { return child.label == facts_.label; });
  const auto known = static_cast<uint8_t>(
      (facts_.end - facts_.start == 1 ? ClassRule::kOneWord : 0) |
      (facts_.children.size() == 1 ? ClassRule::kOneChild : 0) | (facts_.only_child ? ClassRule::kOnlyChild : 0) |
      (children_same ? ClassRule::kChildrenSame : 0) | (facts_.parent == facts_.label ? ClassRule::kParentSame : 0));
  for (const ClassRule& rule : rules_.rules)
    if ((rule.repairs >> static_cast<unsigned>(facts_.repair) & 1) != 0 && (rule.facts & ~known) == 0 &&
        std::ranges::all_of(rule.places, [&](const auto& it) { return holds(it.first, uint64_t{1} << it.second); }))
      return rule.of_class;
  return rules_.other_class[static_cast<size_t>(facts_.repair)];
}

bool ErrorFinder::holds(Place place, uint64_t set) const {
  const std::vector<Item>& children = facts_.children;
  const auto in_set = [&](uint32_t key) { return key != kNone && (rules_.key_sets[key] & set) != 0; };
  const auto of_item = [&](const Item& item) { return in_set(item.label); };
  switch (place) {
    case Place::kLabel:
      return in_set(facts_.label);
    case Place::kNewLabel:
      return in_set(facts_.new_label);
    case Place::kParent:
      return in_set(facts_.parent);
    case Place::kNewParent:
      return in_set(facts_.new_parent);
    case Place::kMover:
    case Place::kChild:
      return std::ranges::any_of(children, of_item);
    case Place::kEndMover:
      return of_item(children.front()) || of_item(children.back());
    case Place::kBeside:
      return std::ranges::any_of(facts_.beside, in_set);
    case Place::kNext:
      return in_set(facts_.next);
    case Place::kLaterChild:
      return std::any_of(children.begin() + 1, children.end(), of_item);
    case Place::kNoChild:
      return std::ranges::none_of(children, of_item);
  }
  return false;
}

ErrorRow ErrorFinder::find(const Columns& gold, size_t gold_index, const Columns& test, size_t test_index,
                           std::vector<int64_t>& out) {
  ErrorRow row;
  const TreeView gold_tree = gold.tree(gold_index), test_tree = test.tree(test_index);
  const bool no_gold = gold_tree.leaves.empty(), no_test = test_tree.leaves.empty();
  if (gold.faulty(gold_index))
    row.reason = ErrorReason::kGoldFault;
  else if (test.faulty(test_index))
    row.reason = ErrorReason::kTestFault;
  else if (no_gold || no_test)
    row.reason = no_gold && no_test ? ErrorReason::kBothEmpty
                 : no_gold          ? ErrorReason::kEmptyGold
                                    : ErrorReason::kEmptyTest;
  else if (!gold_tree.nested || !test_tree.nested)
    row.reason = ErrorReason::kCrossing;
  if (row.reason != ErrorReason::kRepaired) return row;
  compared(gold_tree, test_tree);
  row.length = static_cast<int64_t>(kept_[0].size());
  row.test_length = static_cast<int64_t>(kept_[1].size());
  if (row.length != row.test_length) {
    row.reason = ErrorReason::kLengths;
    return row;
  }
  row.differs_at = differs_at_[0];
  row.test_differs_at = differs_at_[1];
  if (row.length == 0) return row;
  build(gold_tree, rules_.gold_keys, 0);
  take_gold();
  build(test_tree, rules_.test_keys, 1);
  list_phrases();
  for (const int32_t phrase : order_) {
    if (phrase == root_) continue;
    Item& item = at(phrase);
    item.entry = entry_of(item.start, item.end, item.label);
    count(phrase, 1);
  }
  row.gold = static_cast<int64_t>(gold_.size());
  row.test = static_cast<int64_t>(order_.size()) - 1;
  owner_.assign(static_cast<size_t>(words_) + 1, root_);
  work_ = polled_at_ = 0;
  const size_t begin = out.size();
  const int64_t errors = errors_;
  try {
    while (errors_ > 0 && row.steps < kMostSteps) {
      analyse();
      if (row.steps == 0)
        note_wrong();
      else
        note_repaired(row.steps - 1);
      if (row.steps == 0) {
        row.extra = static_cast<int64_t>(extras_.size());
        for (const Gold& node : gold_)
          if (is_missing(node)) ++(crosses(node.start, node.end, nullptr) ? row.crossing : row.missing);
      }
      find_simple();
      find_moves();
      perform(out);
      ++row.steps;
    }
    if (errors_ > 0) row.reason = ErrorReason::kTooManySteps;
  } catch (const TooDifferent&) {
    row.reason = ErrorReason::kTooDifferent;
  }
  if (row.reason == ErrorReason::kRepaired) {
    row.brackets = errors;
    if (row.steps > 0) {
      extras_.clear();
      note_repaired(row.steps - 1);
      append_phrases(begin, out);
    }
  } else {
    out.resize(begin);
    row.steps = 0;
    changes_.clear();
    start_owner_ = end_owner_ = kNothing;
  }
  return row;
}

void find_errors(const Columns& gold, size_t gold_begin, const Columns& test, size_t test_begin, size_t count,
                 const ErrorRules& rules, unsigned threads, const ColumnsOf<ErrorRow>& columns,
                 std::vector<int64_t>& steps, std::vector<int64_t>& ends, Progress* progress) {
  collect_in_parallel(count, kBlock, threads, progress, steps, ends, [&](const std::function<void()>& poll) {
    return [&, finder = std::make_unique<ErrorFinder>(rules, poll)](size_t pair, std::vector<int64_t>& out) {
      write_row(finder->find(gold, gold_begin + pair, test, test_begin + pair, out), pair, columns);
    };
  });
}

}  // namespace treescore
