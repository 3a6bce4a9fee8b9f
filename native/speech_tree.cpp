#include "speech_tree.hpp"

#include <algorithm>

namespace treescore {

int32_t SpeechTree::add(int32_t label, uint8_t flags) {
  Node& node = nodes_.emplace_back();
  node.label = label;
  node.flags = flags;
  return static_cast<int32_t>(nodes_.size()) - 1;
}

void SpeechTree::append(int32_t parent, int32_t child) {
  Node &mother = (*this)[parent], &node = (*this)[child];
  node.parent = parent;
  node.previous = mother.last;
  node.next = -1;
  (mother.last >= 0 ? (*this)[mother.last].next : mother.first) = child;
  mother.last = child;
}

void SpeechTree::detach(int32_t node) { cut_run((*this)[node].parent, node, node); }

void SpeechTree::cut_run(int32_t parent, int32_t first, int32_t last) {
  const int32_t before = (*this)[first].previous, after = (*this)[last].next;
  (before >= 0 ? (*this)[before].next : (*this)[parent].first) = after;
  (after >= 0 ? (*this)[after].previous : (*this)[parent].last) = before;
}

void SpeechTree::insert_run(int32_t parent, int32_t previous, int32_t first, int32_t last) {
  int32_t& link = previous >= 0 ? (*this)[previous].next : (*this)[parent].first;
  const int32_t after = link;
  link = first;
  (after >= 0 ? (*this)[after].previous : (*this)[parent].last) = last;
  (*this)[first].previous = previous;
  (*this)[last].next = after;
}

void SpeechTree::renew_parents(int32_t parent, int32_t from) {
  waiting_.clear();
  for (int32_t child = from, mother = parent;;) {
    for (; child >= 0; child = (*this)[child].next) {
      (*this)[child].parent = mother;
      if ((*this)[child].is_inner()) waiting_.push_back(child);
    }
    if (waiting_.empty()) return;
    mother = waiting_.back();
    waiting_.pop_back();
    child = (*this)[mother].first;
  }
}

int32_t SpeechTree::next_opening(int32_t node, int32_t top) const {
  const int32_t first = (*this)[node].first;
  return first >= 0 ? first : next_beside(node, top);
}

int32_t SpeechTree::next_beside(int32_t node, int32_t top) const {
  while (node != top) {
    if ((*this)[node].next >= 0) return (*this)[node].next;
    node = (*this)[node].parent;
  }
  return -1;
}

int32_t SpeechTree::first_closing(int32_t node) const {
  while ((*this)[node].first >= 0) node = (*this)[node].first;
  return node;
}

int32_t SpeechTree::next_closing(int32_t node) const {
  const int32_t next = (*this)[node].next;
  return next >= 0 ? first_closing(next) : (*this)[node].parent;
}

void SpeechTree::remove_marked(int32_t from) {
  if (from < 0) return;
  const int32_t before = (*this)[from].previous;
  bool changed = false;
  for (int32_t node = first_closing(from), next; node != kRoot; node = next) {
    next = next_closing(node);
    const Node& removed = (*this)[node];
    if (!removed.is(kDeletable | kVoid)) continue;
    const int32_t mother = removed.parent;
    put_children_in_place(node);
    changed = true;
    if ((*this)[mother].first < 0) (*this)[mother].flags |= kVoid;
  }
  if (changed) renew_parents(kRoot, before >= 0 ? (*this)[before].next : (*this)[kRoot].first);
}

void SpeechTree::put_children_in_place(int32_t node) {
  const Node& removed = (*this)[node];
  const int32_t mother = removed.parent, first = removed.first, last = removed.last, before = removed.previous;
  detach(node);
  if (first >= 0) insert_run(mother, before, first, last);
}

void SpeechTree::splice(int32_t node) {
  const int32_t mother = (*this)[node].parent;
  for (int32_t child = (*this)[node].first; child >= 0; child = (*this)[child].next) (*this)[child].parent = mother;
  put_children_in_place(node);
}

bool SpeechTree::normalise_edits(bool any_label, int32_t top) {
  flatten_edits(top);
  if ((*this)[top].is(kEdit)) return true;
  move_edits_up(top);
  return merge_edits(any_label, top);
}

void SpeechTree::flatten_edits(int32_t top) {
  for (int32_t node = top; node >= 0;) {
    if (!(*this)[node].is(kEdit)) {
      node = next_opening(node, top);
      continue;
    }
    waiting_.clear();
    for (int32_t below = (*this)[node].first; below >= 0; below = next_opening(below, node))
      if (!(*this)[below].is_inner()) waiting_.push_back(below);
    (*this)[node].first = (*this)[node].last = -1;
    for (const int32_t word : waiting_) append(node, word);
    node = next_beside(node, top);
  }
}

// A run that has moved is remembered by its ends, so that it moves on in one step.
void SpeechTree::move_edits_up(int32_t top) {
  run_.assign(nodes_.size(), -1);
  bool changed = false;
  for (int32_t node = first_closing(top), next; node != top; node = next) {
    next = next_closing(node);
    if (!(*this)[node].is_inner() || (*this)[node].is(kEdit)) continue;
    const auto is_edit = [&](int32_t child) { return child >= 0 && (*this)[child].is(kEdit); };
    const auto other_end = [&](int32_t edit) {
      const int32_t known = run_[static_cast<size_t>(edit)];
      return known >= 0 ? known : edit;
    };
    const auto remember = [&](int32_t first, int32_t last) {
      run_[static_cast<size_t>(first)] = last;
      run_[static_cast<size_t>(last)] = first;
      changed = true;
    };
    const int32_t mother = (*this)[node].parent;
    if (const int32_t first = (*this)[node].first; is_edit(first)) {
      int32_t last = other_end(first);
      while (is_edit((*this)[last].next)) last = other_end((*this)[last].next);
      cut_run(node, first, last);
      insert_run(mother, (*this)[node].previous, first, last);
      remember(first, last);
    }
    if (!(*this)[node].is_inner()) {
      cut_run(mother, node, node);
      continue;
    }
    if (const int32_t last = (*this)[node].last; is_edit(last)) {
      int32_t first = other_end(last);
      while (is_edit((*this)[first].previous)) first = other_end((*this)[first].previous);
      cut_run(node, first, last);
      insert_run(mother, node, first, last);
      remember(first, last);
    }
  }
  if (changed) renew_parents(top, (*this)[top].first);
}

bool SpeechTree::merge_edits(bool any_label, int32_t top) {
  for (int32_t node = (*this)[top].first; node >= 0;) {
    Node& edit = (*this)[node];
    if (!edit.is(kEdit)) {
      node = next_opening(node, top);
      continue;
    }
    const int32_t other = edit.next;
    const bool may_merge = other >= 0 && (*this)[other].is(kEdit) && (any_label || (*this)[other].label == edit.label);
    if (!may_merge || !edit.is_inner() || !(*this)[other].is_inner()) {
      if (may_merge && any_label) return false;
      node = next_beside(node, top);
      continue;
    }
    for (int32_t child = (*this)[other].first, later; child >= 0; child = later) {
      later = (*this)[child].next;
      append(node, child);
    }
    detach(other);
  }
  return true;
}

void SpeechTree::set_spans() {
  int32_t cursor = 0;
  for (int32_t node = kRoot; node >= 0;) {
    Node& opened = (*this)[node];
    opened.start = opened.end = cursor;
    if (!opened.has_word() && opened.is_inner()) {
      node = opened.first;
      continue;
    }
    if (opened.row >= 0) cursor = opened.row + opened.rows;
    // Whatever closes here.
    while (node != kRoot && (*this)[node].next < 0) {
      node = (*this)[node].parent;
      (*this)[node].end = cursor;
    }
    node = node == kRoot ? -1 : (*this)[node].next;
  }
}

void SpeechTree::set_common_spans(const std::vector<uint8_t>& common) {
  // First the words' own places, then, where there are any, the common ones.
  for (const bool only_common : {false, true}) {
    for (int32_t node = first_closing(kRoot); node >= 0; node = next_closing(node)) {
      Node& phrase = (*this)[node];
      if (!phrase.is_inner()) continue;
      int32_t start = INT32_MAX, end = -1;
      for (int32_t child = phrase.first; child >= 0; child = (*this)[child].next) {
        const Node& below = (*this)[child];
        if (below.is_inner()) {
          if (only_common && below.is(kVoid)) continue;
          start = std::min(start, below.start);
          end = std::max(end, below.end);
        } else if (below.row >= 0 && (!only_common || common[static_cast<size_t>(below.row)])) {
          start = std::min(start, below.row);
          end = std::max(end, below.row + below.rows);
        }
      }
      if (end >= 0) {
        phrase.start = start;
        phrase.end = end;
      }
      if (only_common && end < 0) phrase.flags |= kVoid;
    }
  }
}

void SpeechTree::append_brackets(bool labelled, std::vector<Bracket>& out) const {
  for (int32_t node = kRoot; node >= 0;) {
    const Node& phrase = (*this)[node];
    if (phrase.has_word() || !phrase.is_inner()) {
      node = next_beside(node);
      continue;
    }
    if (phrase.start < phrase.end && !phrase.is(kDeletable))
      out.push_back({phrase.start, phrase.end, labelled ? static_cast<uint32_t>(phrase.label) : 0});
    node = next_opening(node);
  }
}

}  // namespace treescore
