// JSON lines of utterances. Only lines without any fault are read; others need a reader that can say what is wrong.
#include <algorithm>
#include <string>

#include "word_columns.hpp"

namespace treescore {
namespace {

constexpr size_t kMostDepth = 64;        // of values that are passed over
constexpr size_t kMostWholeDigits = 18;  // of whole numbers

bool is_json_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

void append_utf8(uint32_t code, std::string& out) {
  const auto add = [&](uint32_t byte) { out.push_back(static_cast<char>(byte)); };
  if (code < 0x80) {
    add(code);
  } else if (code < 0x800) {
    add(0xC0 | code >> 6), add(0x80 | (code & 0x3F));
  } else if (code < 0x10000) {
    add(0xE0 | code >> 12), add(0x80 | (code >> 6 & 0x3F)), add(0x80 | (code & 0x3F));
  } else {
    add(0xF0 | code >> 18), add(0x80 | (code >> 12 & 0x3F)), add(0x80 | (code >> 6 & 0x3F)), add(0x80 | (code & 0x3F));
  }
}

// Takes one value after the other from a line. Everything returns false for what is not plain JSON.
class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text) {}

  bool at_end() {
    skip_blanks();
    return at_ == text_.size();
  }
  bool take(char c) {
    skip_blanks();
    if (at_ == text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  char next() {
    skip_blanks();
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  // The text is valid until the next string is taken.
  bool take_string(std::string_view& value) {
    if (!take('"')) return false;
    const size_t begin = at_;
    while (at_ < text_.size() && text_[at_] != '"' && text_[at_] != '\\' && static_cast<uint8_t>(text_[at_]) >= ' ')
      ++at_;
    if (at_ == text_.size()) return false;
    value = text_.substr(begin, at_ - begin);
    if (text_[at_] == '"') return ++at_, true;
    unescaped_.assign(value);
    if (!take_escaped()) return false;
    value = unescaped_;
    return true;
  }
  bool take_null() { return take_word("null"); }
  // A whole number that cannot be too long for Python, or one with a point or an exponent.
  bool take_number(double& value, std::string_view* whole = nullptr) {
    skip_blanks();
    const size_t begin = at_;
    if (at_ < text_.size() && text_[at_] == '-') ++at_;
    const size_t digits = at_;
    while (at_ < text_.size() && is_digit(text_[at_])) ++at_;
    const size_t size = at_ - digits;
    if (size == 0 || (size > 1 && text_[digits] == '0')) return false;
    bool is_whole = true;
    if (at_ < text_.size() && text_[at_] == '.') {
      const size_t point = at_++;
      while (at_ < text_.size() && is_digit(text_[at_])) ++at_;
      if (at_ == point + 1) return false;
      is_whole = false;
    }
    if (at_ < text_.size() && (text_[at_] == 'e' || text_[at_] == 'E')) {
      ++at_;
      if (at_ < text_.size() && (text_[at_] == '-' || text_[at_] == '+')) ++at_;
      const size_t exponent = at_;
      while (at_ < text_.size() && is_digit(text_[at_])) ++at_;
      if (at_ == exponent) return false;
      is_whole = false;
    }
    if (is_whole && size > kMostWholeDigits) return false;
    std::string_view number = text_.substr(begin, at_ - begin);
    if (whole != nullptr) *whole = is_whole ? number : std::string_view{};
    if (!treescore::take_number(number, value)) return false;
    if (is_whole && value == 0) value = 0;  // whole numbers have no negative zero
    return true;
  }
  bool skip_value() {
    uint64_t objects = 0;  // for each open value a bit: is it an object?
    size_t depth = 0;
    for (;;) {
      const char c = next();
      if (c == '{' || c == '[') {
        ++at_;
        const bool is_object = c == '{';
        if (!take(is_object ? '}' : ']')) {
          if (depth == kMostDepth) return false;
          objects = objects << 1 | static_cast<uint64_t>(is_object);
          ++depth;
          if (is_object && !take_key()) return false;
          continue;
        }
      } else if (!skip_scalar(c)) {
        return false;
      }
      // A value has ended, and with it perhaps those around it.
      for (;; --depth, objects >>= 1) {
        if (depth == 0) return true;
        const bool is_object = objects & 1;
        if (take(',')) {
          if (is_object && !take_key()) return false;
          break;
        }
        if (!take(is_object ? '}' : ']')) return false;
      }
    }
  }

 private:
  void skip_blanks() {
    while (at_ < text_.size() && is_json_blank(text_[at_])) ++at_;
  }
  bool take_word(std::string_view word) {
    skip_blanks();
    if (!text_.substr(at_).starts_with(word)) return false;
    at_ += word.size();
    return true;
  }
  bool take_key() {
    std::string_view key;
    return take_string(key) && take(':');
  }
  bool skip_scalar(char c) {
    std::string_view string;
    double number;
    if (c == '"') return take_string(string);
    return c == 'n' ? take_null() : c == 't' ? take_word("true") : c == 'f' ? take_word("false") : take_number(number);
  }
  // The rest of a string, from its first backslash on.
  bool take_escaped() {
    while (at_ < text_.size() && static_cast<uint8_t>(text_[at_]) >= ' ') {
      const char c = text_[at_++];
      if (c == '"') return true;
      if (c != '\\') {
        unescaped_.push_back(c);
        continue;
      }
      if (at_ == text_.size()) return false;
      constexpr std::string_view kLetters = "\"\\/bfnrt", kMeant = "\"\\/\b\f\n\r\t";
      const char letter = text_[at_++];
      if (letter == 'u') {
        if (!take_code()) return false;
        continue;
      }
      const size_t place = kLetters.find(letter);
      if (place == std::string_view::npos) return false;
      unescaped_.push_back(kMeant[place]);
    }
    return false;
  }
  bool take_hex(uint32_t& code) {
    code = 0;
    if (text_.size() - at_ < 4) return false;
    for (int digit = 0; digit < 4; ++digit) {
      const char c = text_[at_++];
      const int value = is_digit(c)            ? c - '0'
                        : c >= 'a' && c <= 'f' ? c - 'a' + 10
                        : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                               : -1;
      if (value < 0) return false;
      code = code << 4 | static_cast<uint32_t>(value);
    }
    return true;
  }
  // Half surrogate pairs have no UTF-8.
  bool take_code() {
    uint32_t code, low;
    if (!take_hex(code)) return false;
    if (code >= 0xD800 && code < 0xE000) {
      if (code >= 0xDC00 || !text_.substr(at_).starts_with("\\u")) return false;
      at_ += 2;
      if (!take_hex(low) || low < 0xDC00 || low >= 0xE000) return false;
      code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
    }
    append_utf8(code, unescaped_);
    return true;
  }

  std::string_view text_;
  size_t at_ = 0;
  std::string unescaped_;
};

bool is_only_blank(std::string_view text) {
  for (size_t at = 0; at < text.size();) {
    const size_t size = blank_size(text, at);
    if (size == 0) return false;
    at += size;
  }
  return true;
}

class UtteranceLine {
 public:
  UtteranceLine(std::string_view text, uint32_t line, WordColumns& out) : json_(text), line_(line), out_(out) {}

  // False for a line that needs another reader; whatever has been added must be taken back.
  bool read() {
    if (!json_.take('{')) return false;
    while (json_.next() != '}') {
      std::string_view key;
      if (seen_ != 0 && !json_.take(',')) return false;
      if (!json_.take_string(key)) return false;
      const unsigned known =
          static_cast<unsigned>(std::find(std::begin(kKeys), std::end(kKeys), key) - std::begin(kKeys));
      if (seen_ >> known & 1 && known < std::size(kKeys)) return false;
      seen_ |= 1u << known;
      if (!json_.take(':') || !take_value(known)) return false;
    }
    if (!json_.take('}') || !json_.at_end() || !(seen_ & 1)) return false;
    facts_.line = line_;
    out_.utterances.push_back(facts_);
    out_.ends.push_back(out_.words.size());
    return true;
  }

 private:
  static constexpr std::string_view kKeys[] = {"words", "id", "speaker", "file", "channel", "begin", "end"};

  bool take_value(unsigned known) {
    switch (known) {
      case 0:
        return take_words();
      case 1:
        return take_name(facts_.id);
      case 2:
        return take_name(facts_.speaker);
      case 3:
        return take_name(facts_.file);
      case 4:
        return take_name(facts_.channel);
      case 5:
        return take_time(facts_.begin);
      case 6:
        return take_time(facts_.end);
      default:
        return json_.skip_value();
    }
  }
  // A string, a whole number, or null.
  bool take_name(uint32_t& name) {
    std::string_view text;
    double number;
    if (json_.next() == 'n') return json_.take_null();
    if (json_.next() == '"') {
      if (!json_.take_string(text)) return false;
    } else if (!json_.take_number(number, &text) || text.empty() || text[0] == '-') {
      return false;
    }
    if (!text.empty()) name = out_.names.intern(text.data(), text.size());
    return true;
  }
  bool take_time(double& time) { return json_.next() == 'n' ? json_.take_null() : json_.take_number(time); }

  bool take_words() {
    if (!json_.take('[')) return false;
    for (bool first = true; json_.next() != ']'; first = false) {
      if (!first && !json_.take(',')) return false;
      const char c = json_.next();
      WordTimes when;
      std::string_view word;
      has_word_ = false;
      if (c == '[' ? !take_list(when) : c == '{' ? !take_object(when) : !json_.take_string(word)) return false;
      if (c == '"') intern(word);
      if (!has_word_ || is_known(when.begin) != is_known(when.end)) return false;
      if (word_ != kNone) out_.add(word_, when, line_);
    }
    return json_.take(']');
  }
  // A word that consists of blanks is left out.
  void intern(std::string_view word) {
    has_word_ = true;
    word_ = is_only_blank(word) ? kNone : out_.texts.intern(word.data(), word.size());
  }
  bool take_list(WordTimes& when) {
    std::string_view word;
    if (!json_.take('[') || !json_.take_string(word)) return false;
    intern(word);
    return json_.take(',') && take_time(when.begin) && json_.take(',') && take_time(when.end) && json_.take(']');
  }
  // An object with the keys word or text, but not both, and start and end.
  bool take_object(WordTimes& when) {
    if (!json_.take('{')) return false;
    bool has_begin = false, has_end = false;
    for (bool first = true; json_.next() != '}'; first = false) {
      std::string_view key;
      if ((!first && !json_.take(',')) || !json_.take_string(key)) return false;
      const bool is_word = key == "word" || key == "text", is_begin = key == "start", is_end = key == "end";
      if (!json_.take(':') || (is_word && has_word_) || (is_begin && has_begin) || (is_end && has_end)) return false;
      has_begin = has_begin || is_begin;
      has_end = has_end || is_end;
      std::string_view word;
      if (is_word    ? !json_.take_string(word)
          : is_begin ? !take_time(when.begin)
          : is_end   ? !take_time(when.end)
                     : !json_.skip_value())
        return false;
      if (is_word) intern(word);
    }
    return json_.take('}');
  }

  Scanner json_;
  const uint32_t line_;
  WordColumns& out_;
  WordColumns::Utterance facts_;
  unsigned seen_ = 0;  // keys, as bits
  bool has_word_ = false;
  uint32_t word_ = kNone;
};

bool is_blank_line(std::string_view line) {
  return std::all_of(line.begin(), line.end(), [](char c) { return c == ' ' || (c >= '\t' && c <= '\r'); });
}

}  // namespace

void read_word_lines(std::string_view text, Progress& progress, WordColumns& out, std::vector<LineFault>& faults) {
  progress.total = text.size();
  uint32_t number = 1;
  for (size_t at = 0; at < text.size(); ++number) {
    const size_t end = std::min(text.find('\n', at), text.size());
    std::string_view line = text.substr(at, end - at);
    if (line.ends_with('\r')) line.remove_suffix(1);
    const size_t before = out.words.size();
    if (!is_blank_line(line) && !UtteranceLine(line, number, out).read()) {
      out.words.shrink_to(before);
      out.times.shrink_to(before);
      out.lines.shrink_to(before);
      faults.push_back({LineFaultKind::kOther, number, at, at + line.size(), out.size()});
    }
    at = end + 1;
    progress.at(at);
  }
}

}  // namespace treescore
