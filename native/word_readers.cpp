// Readers of formats with a word on each line.
#include <algorithm>
#include <cctype>
#include <numeric>

#include "word_columns.hpp"

namespace treescore {
namespace {

constexpr double kLongest = 1e9;        // seconds; as in words/timeline.py
constexpr size_t kLongestSeconds = 20;  // characters of a time
constexpr std::string_view kUnspoken[] = {"non-lex", "misc"};
constexpr std::string_view kUnknownCells[] = {"", "-", "na", "n/a", "none", "null"};
constexpr std::string_view kMarks[] = {"<ALT_BEGIN>", "<ALT>", "<ALT_END>"};

constexpr bool is_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

std::string_view stripped(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

template <size_t count>
bool is_one_of(std::string_view text, const std::string_view (&choices)[count]) {
  const auto same = [](char a, char b) { return lower(a) == b; };
  return std::any_of(std::begin(choices), std::end(choices), [&](std::string_view choice) {
    return text.size() == choice.size() && std::equal(text.begin(), text.end(), choice.begin(), same);
  });
}

struct Line {
  std::string_view text;
  uint32_t number;
  uint64_t begin;

  LineFault fault(LineFaultKind kind, uint64_t place) const {
    return {kind, number, begin, begin + text.size(), place};
  }
};

// Calls work(line) for all lines that are not blank.
template <class Work>
void each_line(std::string_view text, uint32_t number, Progress& progress, const Work& work) {
  progress.total = text.size();
  for (size_t at = 0; at < text.size(); ++number) {
    const size_t end = std::min(text.find('\n', at), text.size());
    Line line{text.substr(at, end - at), number, at};
    if (line.text.ends_with('\r')) line.text.remove_suffix(1);
    if (!stripped(line.text).empty()) work(line);
    at = end + 1;
    progress.at(at);
  }
}

uint32_t interned(Vocabulary& vocabulary, std::string_view word, const char* end) {
  return vocabulary.intern(word.data(), word.size(), static_cast<size_t>(end - word.data()));
}

uint32_t name_of(Vocabulary& names, std::string_view name) {
  return name.empty() ? kNone : names.intern(name.data(), name.size());
}

// Collects words line by line, each with the number of its utterance.
class Grouping {
 public:
  explicit Grouping(WordColumns& out) : out_(out) {}

  // The utterance with this key; `create(utterance)` sets the facts of a new one.
  template <class Create>
  uint32_t utterance(std::string_view key, uint32_t line, const Create& create) {
    if (last_ != kNone && keys_.at(last_) == key) return last_;
    last_ = keys_.intern(key.data(), key.size());
    if (last_ == out_.size()) {
      out_.utterances.push_back({.line = line});
      create(out_.utterances.back());
    }
    return last_;
  }
  void add(uint32_t utterance, uint32_t word, const WordTimes& when, uint32_t line) {
    is_grouped_ = is_grouped_ && (of_.size() == 0 || of_.back() <= utterance);
    of_.push_back(utterance);
    out_.add(word, when, line);
  }
  // Makes the words of each utterance neighbours, in the order of their lines.
  void finish() {
    std::vector<uint64_t>& ends = out_.ends;
    ends.assign(out_.size() + 1, 0);
    for (size_t word = 0; word < of_.size(); ++word) ++ends[of_[word] + 1];
    std::partial_sum(ends.begin(), ends.end(), ends.begin());
    if (is_grouped_) return;
    Column<uint64_t> places;
    places.set_size(of_.size());
    std::vector<uint64_t> next(ends.begin(), ends.end() - 1);
    for (size_t word = 0; word < of_.size(); ++word) places[word] = next[of_[word]]++;
    scatter(out_.words, places);
    scatter(out_.times, places);
    scatter(out_.lines, places);
  }

 private:
  template <class T>
  static void scatter(Column<T>& values, const Column<uint64_t>& places) {
    Column<T> moved;
    moved.set_size(values.size());
    for (size_t word = 0; word < values.size(); ++word) moved[places[word]] = values[word];
    values.swap(moved);
  }

  WordColumns& out_;
  Vocabulary keys_;  // of the utterances, in their order
  uint32_t last_ = kNone;
  Column<uint32_t> of_;
  bool is_grouped_ = true;
};

class TableReader {
 public:
  TableReader(std::string_view text, const TableLayout& layout, WordColumns& out, std::vector<LineFault>& faults)
      : end_(text.data() + text.size()), layout_(layout), out_(out), faults_(faults), grouping_(out) {
    cells_.resize(static_cast<size_t>(layout.columns));
  }
  void read(const Line& line) {
    const size_t count = split(line.text);
    if (count != cells_.size()) {
      faults_.push_back(line.fault(LineFaultKind::kFields, count));
      return;
    }
    const uint32_t utterance = grouping_.utterance(key(), line.number, [&](WordColumns::Utterance& created) {
      created.id = name(layout_.id);
      created.speaker = name(layout_.speaker);
      created.file = name(layout_.file);
      created.channel = name(layout_.channel);
    });
    WordTimes when;
    const std::string_view begin = cell(layout_.begin), end = cell(layout_.end);
    double first, second;
    const bool has_begin = parse_number(begin, first), has_end = parse_number(end, second);
    if (has_begin && has_end)
      when = {first, second};
    else if (!is_one_of(stripped(begin), kUnknownCells) || !is_one_of(stripped(end), kUnknownCells))
      faults_.push_back(
          line.fault(LineFaultKind::kTime, static_cast<uint64_t>(has_begin ? layout_.end : layout_.begin)));
    const std::string_view word = stripped(cell(layout_.word));
    if (!word.empty()) grouping_.add(utterance, interned(out_.texts, word, end_), when, line.number);
  }
  void finish() { grouping_.finish(); }

 private:
  // The number of cells, of which no more than needed are stored.
  size_t split(std::string_view line) {
    size_t count = 0, at = 0;
    for (;; ++count) {
      const size_t end = std::min(line.find('\t', at), line.size());
      if (count < cells_.size()) cells_[count] = line.substr(at, end - at);
      if (end == line.size()) return count + 1;
      at = end + 1;
    }
  }
  std::string_view cell(int32_t column) const { return cells_[static_cast<size_t>(column)]; }
  uint32_t name(int32_t column) { return column < 0 ? kNone : name_of(out_.names, cell(column)); }
  std::string_view key() {
    if (layout_.keys.size() == 1) return cell(layout_.keys[0]);
    key_.clear();
    for (const int32_t column : layout_.keys) key_.append(cell(column)).push_back('\t');
    return key_;
  }

  const char* end_;
  const TableLayout& layout_;
  WordColumns& out_;
  std::vector<LineFault>& faults_;
  Grouping grouping_;
  std::vector<std::string_view> cells_;
  std::string key_;
};

// A time without sign and exponent.
bool parse_seconds(std::string_view text, double& value) {
  const auto points = std::count(text.begin(), text.end(), '.');
  const auto is_part = [](char c) { return is_digit(c) || c == '.'; };
  if (text.size() > kLongestSeconds || points > 1 || static_cast<size_t>(points) == text.size()) return false;
  if (!std::all_of(text.begin(), text.end(), is_part)) return false;
  return take_number(text, value) && value < kLongest;
}

class CtmReader {
 public:
  CtmReader(std::string_view text, bool keep_words, WordColumns& out, std::vector<LineFault>& faults)
      : end_(text.data() + text.size()), keep_words_(keep_words), out_(out), faults_(faults), grouping_(out) {}

  void read(const Line& line) {
    const size_t count = split(line.text);
    if (fields_[0].starts_with(";;")) return;
    if (count < 5) {
      faults_.push_back(line.fault(LineFaultKind::kFields, 0));
      return;
    }
    const uint32_t utterance = stream(line);
    const std::string_view word = fields_[4];
    const bool is_mark = std::find(std::begin(kMarks), std::end(kMarks), word) != std::end(kMarks);
    if (is_mark) faults_.push_back(line.fault(LineFaultKind::kMark, utterance));
    if (!is_mark && keep_words_ && count > 6 && is_one_of(fields_[6], kUnspoken)) return;
    WordTimes when;
    if (!is_mark && !take_times(line, when)) return;
    grouping_.add(utterance, interned(out_.texts, word, end_), when, line.number);
  }
  void finish() { grouping_.finish(); }

 private:
  // The number of fields, up to seven.
  size_t split(std::string_view line) {
    size_t count = 0;
    const char *at = line.data(), *end = at + line.size();
    for (; count < 7; ++count) {
      while (at < end && is_blank(*at)) ++at;
      if (at == end) break;
      const char* begin = at;
      while (at < end && !is_blank(*at)) ++at;
      fields_[count] = {begin, static_cast<size_t>(at - begin)};
    }
    return count;
  }
  uint32_t stream(const Line& line) {
    const char* begin = fields_[0].data();
    std::string_view key(begin, static_cast<size_t>(fields_[1].data() + fields_[1].size() - begin));
    const size_t blank = fields_[0].size();
    if (key.size() != blank + 1 + fields_[1].size() || key[blank] != ' ') {  // other blanks between both
      key_.assign(fields_[0]).append(1, ' ').append(fields_[1]);
      key = key_;
    }
    return grouping_.utterance(key, line.number, [&](WordColumns::Utterance& created) {
      created.file = name_of(out_.names, fields_[0]);
      created.channel = name_of(out_.names, fields_[1]);
    });
  }
  // False if the word is left out.
  bool take_times(const Line& line, WordTimes& when) {
    const std::string_view begin = fields_[2], length = fields_[3];
    if (begin == "*" && length == "*" && fields_[4] == "@") return true;
    const auto parse = keep_words_ ? parse_number : parse_seconds;
    double first, second;
    const bool has_begin = parse(begin, first);
    if (has_begin && parse(length, second)) {
      when = {first, round_to_nine(first + second)};  // so that 0.1 + 0.2 is 0.3
      return true;
    }
    faults_.push_back(line.fault(LineFaultKind::kTime, has_begin ? 3 : 2));
    return keep_words_;
  }

  const char* end_;
  const bool keep_words_;
  WordColumns& out_;
  std::vector<LineFault>& faults_;
  Grouping grouping_;
  std::string_view fields_[7];
  std::string key_;
};

}  // namespace

bool parse_number(std::string_view text, double& value) {
  text = stripped(text);
  const bool has_sign = !text.empty() && (text[0] == '+' || text[0] == '-');
  std::string_view rest = text.substr(has_sign);
  if (rest.empty() || rest[0] == '+' || rest[0] == '-') return false;
  constexpr std::string_view kInfinite[] = {"inf", "infinity"}, kNoNumber[] = {"nan"};
  if (is_one_of(rest, kInfinite)) {
    value = std::numeric_limits<double>::infinity();
  } else if (is_one_of(rest, kNoNumber)) {
    value = std::numeric_limits<double>::quiet_NaN();
  } else if (!take_number(rest, value) || !rest.empty()) {
    return false;
  }
  if (text[0] == '-') value = -value;
  return true;
}

void read_word_table(std::string_view text, uint32_t first_line, const TableLayout& layout, Progress& progress,
                     WordColumns& out, std::vector<LineFault>& faults) {
  TableReader reader(text, layout, out, faults);
  each_line(text, first_line, progress, [&](const Line& line) { reader.read(line); });
  reader.finish();
}

void read_ctm(std::string_view text, bool keep_words, Progress& progress, WordColumns& out,
              std::vector<LineFault>& faults) {
  CtmReader reader(text, keep_words, out, faults);
  each_line(text, 1, progress, [&](const Line& line) { reader.read(line); });
  reader.finish();
}

}  // namespace treescore
