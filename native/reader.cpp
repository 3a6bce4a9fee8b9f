#include "reader.hpp"

#include <algorithm>

#include "tokens.hpp"

namespace treescore {
namespace {

// Reserves the columns once, so that they need not be copied while they grow: counts brackets and the words in them.
void reserve_for(std::string_view text, Columns& out) {
  constexpr size_t kBlock = 255;  // one byte is enough to count a block, and lets the compiler count many at once
  const auto count = [&](auto&& wanted) {
    size_t sum = 0;
    for (size_t at = 1; at < text.size(); at += kBlock) {
      const size_t end = std::min(text.size(), at + kBlock);
      uint8_t block = 0;
      for (size_t i = at; i < end; ++i) block = static_cast<uint8_t>(block + wanted(text[i - 1], text[i]));
      sum += block;
    }
    return sum;
  };
  const size_t opens = 1 + count([](char, char c) { return c == '('; });
  const size_t words = count([](char before, char c) { return (c == ')') & (before != ')') & (before != '('); });
  const size_t lines = count([](char, char c) { return c == '\n'; });
  const size_t word_bytes = text.size() / 3;  // more than usual; unused memory is never touched
  out.reserve(opens > words ? opens - words : 0, words, word_bytes, std::min(lines + 1, opens));
}

// A first tree that continues over lines that start with "(" is assumed to be unclosed if it is longer than this.
constexpr ptrdiff_t kLongestFirst = ptrdiff_t{1} << 24;

Break rule_of(Layout layout) {
  if (layout == Layout::kLine) return Break::kAtNewline;
  return layout == Layout::kAuto ? Break::kUndecided : Break::kNever;
}

// Whether the text is complete, ends where a tree must end, or may end inside a tree.
enum class End { kOfText, kOfTree, kAnywhere };

template <bool kLabelless>
class BracketReader {
 public:
  BracketReader(std::string_view text, Break rule, uint64_t first_line, End end, Columns& out, Progress* progress)
      : begin_(text.data()),
        text_end_(begin_ + text.size()),
        end_(text_end_),
        ends_(end),
        out_(out),
        progress_(progress) {
    const bool marked = first_line == 1 && text.starts_with("\xEF\xBB\xBF");
    const char* first = begin_ + (marked ? 3 : 0);  // after a byte order mark
    go_to({first, first, first_line});
    keep_safe();
    if (rule == Break::kAtNewline) {
      result_.rule = rule;
      read_lines();
    } else if (!read_free(rule)) {
      // The first tree continued over lines that start with "(" and was never closed: those lines are separate trees.
      result_ = {};
      go_to({first, first, first_line});
      keep_safe();
      read_free(Break::kAtColumnOne);
    }
    result_.names = out_.vocabulary().size();
    if (ends_ == End::kAnywhere) go_back_to_safe(rule);
    result_.size = static_cast<size_t>(at_ - begin_);
    result_.next_line = line_;
    report();
  }
  ReadResult take() { return std::move(result_); }

 private:
  struct Place {
    const char* at;
    const char* line_start;
    uint64_t line;
  };

  Place place() const { return {at_, line_start_, line_}; }
  void go_to(const Place& place) {
    out_.abandon();
    at_ = place.at;
    line_start_ = place.line_start;
    line_ = place.line;
    last_end_line_ = 0;
    node_ = -1;
    in_tree_ = false;
  }
  void pass_newline() {
    if (!in_tree_ && last_end_line_ != line_) ++result_.blank_lines;
    line_start_ = ++at_;
    ++line_;
    if (!in_tree_ && ends_ == End::kAnywhere) keep_safe();
  }
  // Between trees at the start of a line: nothing that follows changes what has been read.
  void keep_safe() {
    safe_ = {place(), out_.size(), out_.vocabulary().size(), result_.faults.size(), result_.blank_lines};
  }
  void go_back_to_safe(Break known_before) {
    go_to(safe_.place);
    out_.drop_from(safe_.trees);
    result_.faults.resize(safe_.faults);
    result_.blank_lines = safe_.blank_lines;
    result_.names = safe_.names;  // there may be pieces of others, which are never used
    if (safe_.trees == 0) result_.rule = known_before;
  }
  void skip_blanks() {
    while (at_ < end_ && class_of(*at_) == kBlank) {
      if (*at_ == '\n')
        pass_newline();
      else
        ++at_;
    }
  }
  const char* take_text() {
    const char* from = at_;
    at_ = skip_text(at_, end_);
    return from;
  }

  // Reads trees anywhere in the text. False: the guess about the layout was wrong, and the columns are empty.
  bool read_free(Break rule) {
    bool crossed = false;  // the first tree continued over a "(" in column one
    for (skip_blanks(); at_ < end_; skip_blanks()) {
      if (*at_ == '(' && in_tree_ && at_ == line_start_) {
        if (rule == Break::kAtColumnOne) {
          unclosed();
          continue;
        }
        crossed = true;
      }
      if (!step() && !skip_word_alone())
        outside_fault();
      else if (!in_tree_)
        finish(false);
      if (rule == Break::kUndecided && !in_tree_) rule = crossed ? Break::kNever : Break::kAtColumnOne;
      if (rule == Break::kUndecided && crossed && at_ - tree_start_.at > kLongestFirst) return false;
    }
    result_.rule = rule;
    if (in_tree_ && ends_ != End::kAnywhere) {
      if (rule == Break::kUndecided && crossed) return false;
      unclosed(ends_ == End::kOfText ? FaultCode::kUnfinished : FaultCode::kUnclosed);
    }
    return true;
  }

  // One sentence per line, whatever is on it.
  void read_lines() {
    while (at_ < text_end_) {
      const void* newline = std::memchr(at_, '\n', static_cast<size_t>(text_end_ - at_));
      end_ = newline ? static_cast<const char*>(newline) : text_end_;
      tree_start_ = place();
      bool sound = true;
      for (skip_blanks(); sound && at_ < end_; skip_blanks()) sound = step() || skip_word_alone();
      if (!sound)
        add_fault(outside_code(), place(), 0);
      else if (in_tree_)
        unclosed();
      else
        finish(false);
      at_ = end_;
      if (newline) {
        last_end_line_ = line_;
        pass_newline();
      }
    }
  }

  // Reads one bracket or word. False: at_ is at something that must not occur outside a tree.
  bool step() {
    if (*at_ == '(') {
      if (!in_tree_) {
        in_tree_ = true;
        tree_start_ = place();
      }
      ++at_;
      open_bracket();
    } else if (!in_tree_) {
      return false;
    } else if (*at_ == ')') {
      ++at_;
      out_.close(node_);
      node_ = out_.open_node(node_).parent;
    } else {
      const std::string_view word = take_word();
      out_.leaf(kNone, node_, word.data(), word.size());
    }
    in_tree_ = node_ != -1;
    return true;
  }

  // MISMATCH instead of a tree: at_ stands on the only word of a line.
  bool skip_word_alone() {
    if (!kLabelless || !at_text() || last_end_line_ == line_) return false;
    const char* end = skip_text(at_, end_);
    while (end < end_ && class_of(*end) == kBlank && *end != '\n') ++end;
    if (end < end_ && *end != '\n') return false;
    const char* before = at_;
    while (before > line_start_ && class_of(before[-1]) == kBlank) --before;
    if (before != line_start_) return false;
    tree_start_ = place();
    at_ = end;
    return true;
  }

  void open_bracket() {
    if constexpr (kLabelless) return open_labelless();
    const char* label = take_text();
    size_t label_size = static_cast<size_t>(at_ - label);
    skip_blanks();
    if (label_size == 0 && at_text()) {
      // "( NP (NN a))": the label follows a blank. "( a)": a word with an empty tag.
      const char* text = take_text();
      const size_t size = static_cast<size_t>(at_ - text);
      skip_blanks();
      if (take_close()) return out_.leaf(out_.vocabulary().intern(text, 0), node_, text, size);
      label = text;
      label_size = size;
    }
    const uint32_t id = out_.vocabulary().intern(label, label_size, static_cast<size_t>(text_end_ - label));
    if (!at_text()) {
      node_ = out_.open(id, node_);
      return;
    }
    const char* word = take_text();
    const size_t size = static_cast<size_t>(at_ - word);
    skip_blanks();
    if (take_close()) return out_.leaf(id, node_, word, size, static_cast<size_t>(text_end_ - word));
    node_ = out_.open(id, node_);  // "(NP the cat)": several words, or words and phrases, under one phrase
    out_.leaf(kNone, node_, word, size);
  }
  // A word in a bracket of its own is that word.
  void open_labelless() {
    skip_blanks();
    const uint32_t no_label = out_.vocabulary().intern(at_, 0);
    if (!at_text()) {
      node_ = out_.open(no_label, node_);
      return;
    }
    const std::string_view word = take_word();
    skip_blanks();
    const bool is_alone = take_close();
    if (!is_alone) node_ = out_.open(no_label, node_);
    out_.leaf(kNone, node_, word.data(), word.size());
  }
  // VG-NSL writes parentheses so that they are no brackets.
  std::string_view take_word() {
    const char* from = take_text();
    const std::string_view word(from, static_cast<size_t>(at_ - from));
    if (kLabelless && word == "**LP**") return "-LRB-";
    if (kLabelless && word == "**RP**") return "-RRB-";
    return word;
  }
  bool at_text() const { return at_ < end_ && class_of(*at_) == kText; }
  bool take_close() {
    if (at_ == end_ || *at_ != ')') return false;
    ++at_;
    return true;
  }

  void finish(bool faulty) {
    if (last_end_line_ != line_) {
      last_end_line_ = line_;
      first_on_line_ = out_.size();
    }
    out_.finish(static_cast<uint32_t>(std::min<uint64_t>(tree_start_.line, kNone)), faulty ? Columns::kFaulty : 0);
    node_ = -1;
    in_tree_ = false;
    report();
  }

  // The tree is replaced by an empty, faulty one, so that the following trees keep their numbers.
  void add_fault(FaultCode code, const Place& where, uint64_t number) {
    out_.abandon();
    result_.faults.push_back({code, out_.size(), where.line, characters(where.line_start, where.at) + 1, number});
    finish(true);
  }
  void unclosed(FaultCode code = FaultCode::kUnclosed) {
    uint64_t open = 0;
    for (int32_t node = node_; node != -1; node = out_.open_node(node).parent) ++open;
    add_fault(code, tree_start_, open);
    last_end_line_ = 0;
  }
  // A fault outside brackets invalidates its line: the trees that ended on it were cut in the wrong place.
  void outside_fault() {
    tree_start_ = place();
    if (last_end_line_ == line_) {
      out_.drop_from(first_on_line_);
      while (!result_.faults.empty() && result_.faults.back().tree >= first_on_line_) result_.faults.pop_back();
    }
    add_fault(outside_code(), place(), 0);
    const void* newline = std::memchr(at_, '\n', static_cast<size_t>(end_ - at_));
    at_ = newline ? static_cast<const char*>(newline) : end_;
  }

  FaultCode outside_code() const { return *at_ == ')' ? FaultCode::kSurplusClose : FaultCode::kLooseText; }

  static uint64_t characters(const char* from, const char* to) {
    return static_cast<uint64_t>(
        std::count_if(from, to, [](char c) { return (static_cast<uint8_t>(c) & 0xC0) != 0x80; }));
  }
  void report() {
    if (progress_) progress_->at(static_cast<uint64_t>(at_ - begin_));
  }

  const char* begin_;
  const char* text_end_;
  const char* end_;  // of the text, or of the line where lines count
  End ends_;
  Columns& out_;
  Progress* progress_;
  ReadResult result_;
  const char* at_;
  const char* line_start_;
  uint64_t line_ = 1;
  uint64_t last_end_line_ = 0;  // the line on which the last tree ended, and the first tree that ended there
  size_t first_on_line_ = 0;
  Place tree_start_{};
  struct {
    Place place;
    size_t trees, names, faults;
    uint64_t blank_lines;
  } safe_{};
  int32_t node_ = -1;  // the innermost open phrase
  bool in_tree_ = false;
};

ReadResult read(std::string_view text, Break rule, uint64_t first_line, End end, bool labelless, Columns& out,
                Progress* progress) {
  reserve_for(text, out);
  if (labelless) return BracketReader<true>(text, rule, first_line, end, out, progress).take();
  return BracketReader<false>(text, rule, first_line, end, out, progress).take();
}

}  // namespace

ReadResult read_brackets(std::string_view text, Layout layout, bool labelless, Columns& out, Progress* progress) {
  if (progress) progress->total = text.size();
  return read(text, rule_of(layout), 1, End::kOfText, labelless, out, progress);
}

ReadResult read_block(std::string_view text, Break rule, uint64_t first_line, bool more, bool labelless, Columns& out) {
  const bool at_end_of_tree = rule == Break::kAtColumnOne || rule == Break::kAtNewline;
  const End end = !more ? End::kOfText : at_end_of_tree ? End::kOfTree : End::kAnywhere;
  return read(text, rule, first_line, end, labelless, out, nullptr);
}

size_t block_size(std::string_view text, Break rule) {
  const size_t newline = rule == Break::kAtColumnOne ? text.rfind("\n(") : text.rfind('\n');
  return newline == std::string_view::npos ? 0 : newline + 1;
}

// ---------------------------------------------------------------------------------------------------- EVALB's lines

// The length of the next line. Long lines are cut as EVALB cuts them, except where the cut would separate a bracket,
// its label and its word: EVALB's behaviour then depends on stale memory, so such lines are kept whole.
size_t EvalbReader::line_size(int side) {
  const std::string_view rest = text_[side].substr(at_[side]);
  const auto up_to_newline = [](std::string_view text) {
    const size_t newline = text.find('\n');
    return newline == std::string_view::npos ? text.size() : newline + 1;
  };
  const size_t cut = std::min(line_limit_, rest.size());
  const size_t size = up_to_newline(rest.substr(0, cut));
  if (size < line_limit_ || size == rest.size() || rest[size - 1] == '\n' || at_[side] < cut_until_[side]) return size;
  const size_t whole = up_to_newline(rest);
  for (size_t at = cut, next = 0; at < whole; at += line_limit_) {
    next = std::max(next, at);
    while (next < whole && class_of(rest[next]) == kBlank) ++next;
    if (next < whole && class_of(rest[next]) == kText) {
      longest_uncut_ = std::max(longest_uncut_, whole);
      return whole;
    }
  }
  cut_until_[side] = at_[side] + whole;
  return cut;
}

bool EvalbReader::next_line(int side, std::string_view& line) {
  size_t& at = at_[side];
  if (at >= text_[side].size()) return false;
  line = text_[side].substr(at, line_size(side));
  extents_.back().begin[side] = at;
  at += line.size();
  extents_.back().end[side] = at;
  const size_t nul = line.find('\0');
  if (nul != std::string_view::npos) line = line.substr(0, nul);
  return true;
}

void EvalbReader::read(size_t most, Columns& gold, Columns& test, std::vector<Message>& messages) {
  extents_.clear();
  for (uint64_t pair = 0; pair < most && end_ == End::kNotYet; ++pair) {
    std::string_view line[2];
    extents_.emplace_back();
    const bool more_gold = next_line(0, line[0]);
    if (!more_gold) {
      end_ = next_line(1, line[1]) ? End::kTestLonger : End::kBoth;
      return;
    }
    if (!read_line(0, line[0], pair, gold, messages)) {
      end_ = End::kLooseText;
      return;
    }
    if (!next_line(1, line[1])) {
      end_ = End::kGoldLonger;
      gold.drop_from(gold.size() - 1);
      return;
    }
    if (!read_line(1, line[1], pair, test, messages)) {
      end_ = End::kLooseText;
      gold.drop_from(gold.size() - 1);
      return;
    }
    ++pairs_;
  }
}

// Follows EVALB's order of decisions; see docs/differences.md for the quirks that are kept on purpose.
bool EvalbReader::read_line(int side, std::string_view line, uint64_t pair, Columns& out,
                            std::vector<Message>& messages) {
  const char* at = line.data();
  const char* const end = at + line.size();
  const char* const text = text_[side].data();
  const auto complain = [&](Complaint complaint, const char* where) {
    messages.push_back({complaint, static_cast<uint8_t>(side), pair, static_cast<uint64_t>(where - text),
                        static_cast<uint64_t>(end - text)});
  };
  const size_t complaints_before = messages.size();
  int64_t depth = 0;  // may become negative
  bool balanced = true;
  stack_.clear();
  const auto cell = [&](int64_t index) -> int32_t* {
    if (index >= 0) {
      if (static_cast<size_t>(index) >= stack_.size()) stack_.resize(static_cast<size_t>(index) + 1);
      return &stack_[static_cast<size_t>(index)];
    }
    return index >= -kBelow ? &below_[-index - 1] : nullptr;
  };
  while (at < end) {
    const char c = *at;
    if (c == '(') {
      const char* label = ++at;
      at = skip_text(at, end);
      const char* label_end = at;
      const uint32_t id =
          out.vocabulary().intern(label, static_cast<size_t>(label_end - label), static_cast<size_t>(end - label));
      const int32_t parent = depth > 0 ? stack_[static_cast<size_t>(depth) - 1] : -1;
      if (at < end && class_of(*at) == kBlank) {
        do ++at;
        while (at < end && class_of(*at) == kBlank);
        const char* word = at;
        at = skip_text(at, end);
        if (at < end && *at == ')') {
          const size_t size = static_cast<size_t>(at - word);
          longest_word_ = std::max(longest_word_, size);
          out.leaf(id, parent, word, size, static_cast<size_t>(end - word));
          ++at;
          at += at < end && *at == ' ';  // the usual next character; saves an iteration
          continue;
        }
        if (at < end && class_of(*at) == kBlank) complain(Complaint::kTwoElements, at);
        at = label_end;
      }
      const int32_t node = out.open(id, parent);
      if (int32_t* top = cell(depth)) *top = node;
      ++depth;
    } else if (c == ')') {
      if (depth < 0) complain(Complaint::kUnbalancedClose, at);
      --depth;
      balanced &= depth >= 0;
      const int32_t* top = cell(depth);
      if (top && *top < out.open_nodes()) out.close(*top);
      ++at;
      at += at < end && *at == ' ';
    } else if (class_of(c) == kBlank) {
      ++at;
    } else {
      complain(Complaint::kLooseText, at);
      out.abandon();
      return false;
    }
  }
  if (depth != 0) complain(Complaint::kUnbalancedOpen, end);
  const bool complained = messages.size() != complaints_before;
  out.finish(
      static_cast<uint32_t>(std::min<uint64_t>(pairs_ + 1, kNone)),
      static_cast<uint8_t>((complained ? Columns::kFaulty : 0) | (balanced && depth == 0 ? 0 : Columns::kCrossing)));
  return true;
}

}  // namespace treescore
