// Changes trees in brackets, after the bytes of options: subtrees are deleted, doubled, moved, wrapped and unwrapped,
// labels and words exchanged, lines copied. One change in four is of bytes, so that brackets get damaged too.
#include <algorithm>
#include <cstring>
#include <random>

#include "fuzz.hpp"

extern "C" size_t LLVMFuzzerMutate(uint8_t* data, size_t size, size_t max_size);

namespace treescore::fuzz {
namespace {

struct Range {
  size_t begin, end;
};

class TreeText {
 public:
  TreeText(std::string text, uint32_t seed) : text_(std::move(text)), random_(seed) { find(); }

  const std::string& text() const { return text_; }

  void change() {
    if (brackets_.empty() || lines_.empty()) return;
    const Range a = any(brackets_), b = any(brackets_);
    switch (random_() % 10) {
      case 0:
        return replace(a, "");
      case 1:
        return replace({a.end, a.end}, part(a));
      case 2:
        return replace(a, part(b));
      case 3:
        return replace({b.begin, b.begin}, part(a));
      case 4:
        return wrap(a, b);
      case 5:
        return unwrap(a);
      case 6:
        return exchange_token(labels_);
      case 7:
        return exchange_token(words_);
      case 8:
        return replace(any(lines_), part(any(lines_)));
      default:
        return copy_to_next_line();
    }
  }

 private:
  void find() {
    std::vector<size_t> open;
    size_t line = 0;
    for (size_t at = 0; at < text_.size(); ++at) {
      const char byte = text_[at];
      if (byte == '\n') {
        lines_.push_back({line, at});
        line = at + 1;
        open.clear();
      } else if (byte == '(') {
        open.push_back(at);
      } else if (byte == ')') {
        if (open.empty()) continue;
        brackets_.push_back({open.back(), at + 1});
        open.pop_back();
      } else if (!is_blank(byte)) {
        const size_t begin = at;
        while (at + 1 < text_.size() && !is_blank(text_[at + 1]) && text_[at + 1] != '(' && text_[at + 1] != ')') ++at;
        const bool is_label = begin > 0 && text_[begin - 1] == '(';
        (is_label ? labels_ : words_).push_back({begin, at + 1});
      }
    }
    lines_.push_back({line, text_.size()});
  }
  static bool is_blank(char byte) { return byte == ' ' || byte == '\n' || byte == '\t'; }
  const Range& any(const std::vector<Range>& ranges) { return ranges[random_() % ranges.size()]; }
  std::string part(Range range) const { return text_.substr(range.begin, range.end - range.begin); }
  void replace(Range range, const std::string& by) { text_.replace(range.begin, range.end - range.begin, by); }
  void wrap(Range range, Range other) {
    std::string label = "X";
    for (const Range& own : labels_)
      if (own.begin == other.begin + 1) label = part(own);
    replace(range, "(" + label + " " + part(range) + ")");
  }
  void unwrap(Range range) {
    size_t begin = range.begin + 1;
    for (const Range& label : labels_)
      if (label.begin == begin) begin = label.end;
    const std::string inner = text_.substr(begin, range.end - 1 - begin);
    replace(range, inner);
  }
  void exchange_token(const std::vector<Range>& tokens) {
    if (!tokens.empty()) replace(any(tokens), part(any(tokens)));
  }
  void copy_to_next_line() {
    const size_t line = random_() % lines_.size();
    if (line + 1 < lines_.size()) replace(lines_[line + 1], part(lines_[line]));
  }

  std::string text_;
  std::mt19937 random_;
  std::vector<Range> brackets_, labels_, words_, lines_;
};

}  // namespace
}  // namespace treescore::fuzz

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t max_size, unsigned int seed) {
  using namespace treescore::fuzz;
  if (size <= kOptions || seed % 4 == 0) return LLVMFuzzerMutate(data, size, max_size);
  if (seed % 8 == 1) {
    LLVMFuzzerMutate(data, kOptions, kOptions);
    return size;
  }
  std::string text(text_of(data, size));
  for (unsigned int change = 0; change <= seed / 8 % 3; ++change) {
    TreeText tree(std::move(text), seed + change);
    tree.change();
    text = tree.text();
  }
  const size_t kept = std::min(text.size(), max_size - kOptions);
  std::memcpy(data + kOptions, text.data(), kept);
  return kOptions + kept;
}
