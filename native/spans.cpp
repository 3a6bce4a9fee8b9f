#include "spans.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <clocale>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <system_error>

#include "numbers.hpp"

namespace treescore {
namespace {

constexpr double kRounding = 1e-6;   // overlaps up to this many seconds are closed
constexpr double kLast = 1e300;      // seconds up to which every length of time is a number, too
constexpr int64_t kEnoughText = 16;  // after this many more trees of text than of spans, no more are examined

// The shortest text that is read as the same number.
std::string number_text(double value) {
  char text[40];
#ifdef __cpp_lib_to_chars
  std::string out(text, std::to_chars(text, text + sizeof text, value).ptr);
#else
  std::string out;
  for (const int digits : {15, 16, 17}) {
    std::snprintf(text, sizeof text, "%.*g", digits, value);
    out = text;
    const size_t point = out.find(std::localeconv()->decimal_point);
    if (point != std::string::npos) out.replace(point, std::strlen(std::localeconv()->decimal_point), ".");
    std::string_view rest(out);
    double back;
    if (take_number(rest, back) && back == value) break;
  }
#endif
  if (out.find_first_of(".e") == std::string::npos) out += ".0";  // otherwise it would not be recognised
  return out;
}

// Phrases and words in the order in which they open.
struct Item {
  static constexpr int32_t kPhrase = -1;
  uint32_t label;  // or tag
  int32_t parent;  // number of an item, -1 for a root
  int32_t word;    // its place in the list of words; kPhrase for a phrase
};

class SpanPlacer {
 public:
  SpanPlacer(const Columns& from, Columns& out)
      : from_(from), out_(out), ids_(from.vocabulary().size(), kNone), no_label_(out.vocabulary().intern("", 0)) {}

  // False: there is a fault, and nothing was appended.
  bool append(size_t index, SpanFault& fault) {
    collect(from_.tree(index));
    order_.resize(items_.size());
    for (size_t item = 0; item < items_.size(); ++item) order_[item] = static_cast<int32_t>(item);
    if (!check_words(fault)) return false;
    if (!set_times(nullptr)) {
      sort();
      if (!set_times(&fault)) return false;
    }
    emit();
    out_.set_times(times_);
    out_.finish(from_.line(index), from_.faulty(index) ? Columns::kFaulty : 0);
    return true;
  }

 private:
  uint32_t translated(uint32_t id) {
    if (id == kNone) return kNone;
    if (ids_[id] == kNone) {
      const std::string_view text = from_.vocabulary().at(id);
      ids_[id] = out_.vocabulary().intern(text.data(), text.size());
    }
    return ids_[id];
  }
  std::string_view name(uint32_t id) const { return from_.vocabulary().at(id); }
  bool is_span(uint32_t id) const { return id != kNone && parse_span(name(id)).has_value(); }

  int32_t add_phrase(uint32_t label, int32_t parent) {
    items_.push_back({label, parent, Item::kPhrase});
    return static_cast<int32_t>(items_.size()) - 1;
  }
  void add_word(uint32_t tag, int32_t parent, std::string_view word) {
    items_.push_back({tag == kNone ? no_label_ : tag, parent, static_cast<int32_t>(words_.size())});
    words_.push_back(word);
  }

  void collect(const TreeView& tree) {
    items_.clear();
    words_.clear();
    item_of_.resize(tree.nodes.size());
    const std::vector<int32_t> parents = tree.leaf_parents();
    const auto above = [&](int32_t node) { return node < 0 ? -1 : item_of_[static_cast<size_t>(node)]; };
    size_t next = 0;
    for (size_t leaf = 0; leaf <= tree.leaves.size(); ++leaf) {
      for (; next < tree.nodes.size() && static_cast<size_t>(tree.nodes[next].first) <= leaf; ++next) {
        const Node& node = tree.nodes[next];
        const bool has_children = node.end > node.first || (next + 1 < tree.nodes.size() &&
                                                            tree.nodes[next + 1].parent == static_cast<int32_t>(next));
        if (!is_span(node.label)) {
          item_of_[next] = add_phrase(translated(node.label), above(node.parent));
        } else if (has_children) {
          item_of_[next] = add_phrase(no_label_, above(node.parent));
          add_word(kNone, item_of_[next], name(node.label));
        } else {
          add_word(no_label_, above(node.parent), name(node.label));
        }
      }
      if (leaf == tree.leaves.size()) break;
      const uint32_t tag = tree.leaves[leaf].tag;
      int32_t parent = above(parents[leaf]);
      if (is_span(tag)) {
        parent = add_phrase(no_label_, parent);
        add_word(kNone, parent, name(tag));
        add_word(kNone, parent, tree.word(leaf));
      } else {
        add_word(translated(tag), parent, tree.word(leaf));
      }
    }
  }

  bool check_words(SpanFault& fault) {
    spans_.clear();
    const auto fail = [&](SpanFault::Kind kind) {
      fault.kind = kind;
      fault.word = words_[spans_.size()];
      return false;
    };
    for (const std::string_view word : words_) {
      const auto span = parse_span(word);
      if (!span) return fail(SpanFault::Kind::kNoSpan);
      if (!(span->start >= 0 && span->start <= kLast && span->end >= 0 && span->end <= kLast))
        return fail(SpanFault::Kind::kOutside);
      if (span->end <= span->start) return fail(SpanFault::Kind::kNoLength);
      spans_.push_back(*span);
    }
    return true;
  }

  // The times in the order of the items; false if words overlap.
  bool set_times(SpanFault* fault) {
    times_.clear();
    for (const int32_t item : order_) {
      const int32_t word = items_[static_cast<size_t>(item)].word;
      if (word == Item::kPhrase) continue;
      Interval span = spans_[static_cast<size_t>(word)];
      const double last = times_.empty() ? span.start : times_.back().end;
      if (span.start < last) {
        if (last - span.start > kRounding || last >= span.end) {
          if (fault) {
            fault->kind = SpanFault::Kind::kOverlap;
            fault->word = words_[static_cast<size_t>(word)];
          }
          return false;
        }
        span.start = last;
      }
      times_.push_back(span);
    }
    return true;
  }

  // Puts siblings in the order of their first words. A phrase without words stays after its sibling.
  void sort() {
    constexpr double kNowhere = std::numeric_limits<double>::infinity();
    starts_.assign(items_.size(), kNowhere);
    begins_.assign(items_.size() + 2, 0);  // of the children of each item; the roots first
    for (size_t at = items_.size(); at-- > 0;) {
      const Item& item = items_[at];
      if (item.word != Item::kPhrase) starts_[at] = spans_[static_cast<size_t>(item.word)].start;
      if (item.parent >= 0) {
        double& above = starts_[static_cast<size_t>(item.parent)];
        above = std::min(above, starts_[at]);
      }
      ++begins_[static_cast<size_t>(item.parent + 2)];
    }
    for (size_t at = 1; at < begins_.size(); ++at) begins_[at] += begins_[at - 1];
    children_.resize(items_.size());
    std::vector<size_t> ends(begins_);
    for (size_t at = 0; at < items_.size(); ++at) {
      const auto parent = static_cast<size_t>(items_[at].parent + 1);
      if (starts_[at] == kNowhere)
        starts_[at] =
            ends[parent] == begins_[parent] ? -kNowhere : starts_[static_cast<size_t>(children_[ends[parent] - 1])];
      children_[ends[parent]++] = static_cast<int32_t>(at);
    }
    order_.clear();
    std::vector<int32_t> waiting;
    const auto push = [&](size_t parent) {
      const auto first = children_.begin() + static_cast<ptrdiff_t>(begins_[parent]);
      const auto last = children_.begin() + static_cast<ptrdiff_t>(begins_[parent + 1]);
      std::stable_sort(first, last, [&](int32_t a, int32_t b) {
        return starts_[static_cast<size_t>(a)] < starts_[static_cast<size_t>(b)];
      });
      waiting.insert(waiting.end(), std::make_reverse_iterator(last), std::make_reverse_iterator(first));
    };
    for (push(0); !waiting.empty();) {
      const int32_t item = waiting.back();
      waiting.pop_back();
      order_.push_back(item);
      push(static_cast<size_t>(item) + 1);
    }
  }

  void emit() {
    item_of_.assign(items_.size(), -1);  // now the nodes of the items
    int32_t open = -1;
    const auto close_until = [&](int32_t parent) {
      for (; open != parent; open = items_[static_cast<size_t>(open)].parent)
        out_.close(item_of_[static_cast<size_t>(open)]);
    };
    for (const int32_t number : order_) {
      const Item& item = items_[static_cast<size_t>(number)];
      close_until(item.parent);
      const int32_t above = open < 0 ? -1 : item_of_[static_cast<size_t>(open)];
      if (item.word == Item::kPhrase) {
        item_of_[static_cast<size_t>(number)] = out_.open(item.label, above);
        open = number;
      } else {
        const std::string_view word = words_[static_cast<size_t>(item.word)];
        out_.leaf(item.label, above, word.data(), word.size());
      }
    }
    close_until(-1);
  }

  const Columns& from_;
  Columns& out_;
  std::vector<uint32_t> ids_;
  const uint32_t no_label_;
  std::vector<Item> items_;
  std::vector<std::string_view> words_;
  std::vector<Interval> spans_, times_;  // of the words as they were written, and in order
  std::vector<int32_t> item_of_, order_, children_;
  std::vector<double> starts_;
  std::vector<size_t> begins_;
};

bool is_spoken(const Interval& time) { return time.end > time.start; }

}  // namespace

std::optional<Interval> parse_span(std::string_view word) {
  Interval span;
  if (!take_number(word, span.start) || word.empty() || (word[0] != '-' && word[0] != ':')) return std::nullopt;
  word.remove_prefix(1);
  if (!take_number(word, span.end) || !word.empty()) return std::nullopt;
  return span;
}

namespace {

struct Vote {
  int64_t lead = 0;  // of trees of spans over trees of text
  bool has_point = false;
};

Vote vote(const Columns& columns, size_t begin, size_t end) {
  Vote found;
  for (size_t index = begin; index < end && found.lead > -kEnoughText; ++index) {
    const TreeView tree = columns.tree(index);
    bool all = true, any = false;
    const auto look_at = [&](std::string_view word) {
      if (word.empty()) return;  // the node of a tree without words: ()
      any = true;
      all = parse_span(word).has_value();
      found.has_point |= all && word.find_first_of(".eE") != std::string_view::npos;
    };
    for (size_t leaf = 0; leaf < tree.leaves.size() && all; ++leaf) look_at(tree.word(leaf));
    for (size_t node = 0; node < tree.nodes.size() && tree.leaves.empty() && all; ++node)  // ((0.1-0.2) (0.2-0.3))
      if (node + 1 == tree.nodes.size() || tree.nodes[node + 1].parent != static_cast<int32_t>(node))
        look_at(columns.vocabulary().at(tree.nodes[node].label));
    if (any) found.lead += all ? 1 : -1;
  }
  return found;
}

}  // namespace

// Years and scores are whole numbers, `1990-1995`: at least one number must have a point or an exponent.
bool are_spans(const Columns& columns, size_t begin, size_t end) {
  const Vote found = vote(columns, begin, end);
  return found.has_point && found.lead > 0;
}

bool are_surely_text(const Columns& columns, size_t begin, size_t end) {
  return vote(columns, begin, end).lead <= -kEnoughText;
}

std::vector<SpanFault> place_spans(const Columns& columns, size_t begin, size_t end, Columns& out, Progress* progress) {
  std::vector<SpanFault> faults;
  SpanPlacer placer(columns, out);
  for (size_t index = begin; index < end; ++index) {
    SpanFault fault{SpanFault::Kind::kNoSpan, index - begin, {}};
    if (!placer.append(index, fault)) {
      faults.push_back(std::move(fault));
      out.finish(columns.line(index), Columns::kFaulty);
    }
    if (progress) progress->at(index - begin);
  }
  return faults;
}

std::optional<size_t> first_without_spans(const Columns& columns, size_t begin, size_t end) {
  for (size_t index = begin; index < end; ++index) {
    const TreeView tree = columns.tree(index);
    if (tree.leaves.empty()) continue;
    if (tree.times.empty() || !tree.nested || tree.times.front().start < 0) return index - begin;
  }
  return std::nullopt;
}

void write_spans(const Columns& columns, size_t begin, size_t end, Columns& out) {
  std::vector<int32_t> numbers, spoken;  // new numbers of the phrases; spoken words before each word
  const auto intern = [&](uint32_t id) {
    const std::string_view text = columns.vocabulary().at(id);
    return out.vocabulary().intern(text.data(), text.size());
  };
  std::vector<Interval> times;
  for (size_t index = begin; index < end; ++index) {
    const TreeView tree = columns.tree(index);
    const std::vector<int32_t> parents = tree.leaf_parents();
    spoken.assign(1, 0);
    for (const Interval& time : tree.times) spoken.push_back(spoken.back() + is_spoken(time));
    numbers.assign(tree.nodes.size(), -1);
    times.clear();
    const auto above = [&](int32_t node) { return node < 0 ? -1 : numbers[static_cast<size_t>(node)]; };
    size_t next = 0;
    for (size_t leaf = 0; leaf < tree.leaves.size(); ++leaf) {
      for (; next < tree.nodes.size() && static_cast<size_t>(tree.nodes[next].first) <= leaf; ++next) {
        const Node& node = tree.nodes[next];
        const int32_t size = spoken[static_cast<size_t>(node.end)] - spoken[static_cast<size_t>(node.first)];
        if (size == 0) continue;
        numbers[next] = out.open(intern(node.label), above(node.parent));
        out.open_node(numbers[next]).end = spoken[static_cast<size_t>(node.end)];
      }
      if (!is_spoken(tree.times[leaf])) continue;
      const auto& [start, stop] = tree.times[leaf];
      const std::string word = number_text(start) + '-' + number_text(stop);
      const uint32_t tag = tree.leaves[leaf].tag;
      out.leaf(tag == kNone ? kNone : intern(tag), above(parents[leaf]), word.data(), word.size());
      times.push_back({start, stop});
    }
    out.set_times(times);
    out.finish(columns.line(index), columns.faulty(index) ? Columns::kFaulty : 0);
  }
}

}  // namespace treescore
