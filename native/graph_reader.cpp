#include "graph_reader.hpp"

#include <algorithm>
#include <charconv>

namespace treescore {
namespace {

using Code = GraphTextFault::Code;

constexpr int64_t kFirstPhrase = 500;  // phrases have numbers from here on
constexpr std::string_view kNoFunction = "--";
constexpr std::string_view kBom = "\xEF\xBB\xBF";

// The form of phrases in the first column.
std::string phrase_name(int64_t number) { return std::string(1, '#').append(std::to_string(number)); }

bool is_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

uint64_t column_of(std::string_view line, size_t at) {
  return 1 + static_cast<uint64_t>(std::count_if(line.begin(), line.begin() + static_cast<std::ptrdiff_t>(at),
                                                 [](char c) { return (static_cast<uint8_t>(c) & 0xC0) != 0x80; }));
}

// A number without a sign; -1 for anything else.
int64_t whole_number(std::string_view text) {
  int64_t value = -1;
  if (text.empty() || !is_digit(text[0])) return -1;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() && value <= INT32_MAX ? value : -1;
}

// Lines without their ends, after a byte order mark.
class LineReader {
 public:
  explicit LineReader(std::string_view text) : text_(text), at_(text.starts_with(kBom) ? kBom.size() : 0) {}
  bool next(std::string_view& line) {
    if (at_ >= text_.size()) return false;
    const size_t end = std::min(text_.find('\n', at_), text_.size());
    line = text_.substr(at_, end - at_);
    if (line.ends_with('\r')) line.remove_suffix(1);
    at_ = end + 1;
    ++number_;
    return true;
  }
  bool next_starts_with(char c) const { return at_ < text_.size() && text_[at_] == c; }
  uint64_t number() const { return number_; }
  size_t position() const { return std::min(at_, text_.size()); }

 private:
  std::string_view text_;
  size_t at_;
  uint64_t number_ = 0;
};

// How both readers handle a sentence that is complete, or broken.
class SentenceWriter {
 public:
  explicit SentenceWriter(Columns& columns) : out(columns) {}

  uint32_t intern(std::string_view text) { return out.vocabulary().intern(text.data(), text.size()); }
  void fail(Code code, uint64_t line, uint64_t column, std::string_view text) {
    if (!broken) result.faults.push_back({code, out.size(), line, column, std::string(text)});
    broken = true;
  }
  GraphFault finish(const Graph& graph, uint64_t line) {
    GraphFault fault;
    if (!broken) fault = builder.append(graph, out, static_cast<uint32_t>(std::min<uint64_t>(line, UINT32_MAX)));
    return fault;
  }
  void end_sentence(uint64_t line) {
    if (broken) out.finish(static_cast<uint32_t>(std::min<uint64_t>(line, UINT32_MAX)), Columns::kFaulty);
    broken = false;
  }

  Columns& out;
  GraphBuilder builder;
  GraphText result;
  bool broken = false;
};

// ---- Export

class ExportReader {
 public:
  ExportReader(std::string_view text, bool join_functions, Columns& out, Progress* progress)
      : lines_(text), writer_(out), join_functions_(join_functions) {
    graph_.has_functions = !join_functions;
    std::string_view line;
    for (bool in_table = false; lines_.next(line);) {
      if (progress) progress->at(lines_.position());
      split(line);
      const std::string_view first = fields_.empty() ? std::string_view() : fields_[0];
      if (in_table) {
        in_table = first != "#EOT";
      } else if (first == "#BOS") {
        if (in_sentence_) {
          fail(Code::kUnclosed, {});
          end();
        }
        begin();
      } else if (in_sentence_ && first == "#EOS") {
        if (fields_.size() > 1 && fields_[1] != id_) fail(Code::kEnd, fields_[1]);
        end();
      } else if (fields_.empty()) {
        continue;
      } else if (in_sentence_) {
        if (!writer_.broken) add(line);
      } else if (first == "#FORMAT") {
        declared_ = fields_.size() > 1 ? static_cast<size_t>(whole_number(fields_[1])) + 2 : 0;
        if (declared_ != 5 && declared_ != 6) {
          loose(Code::kFormat, line);
          declared_ = 0;
        }
      } else if (first == "#BOT") {
        in_table = true;
      } else {
        loose(Code::kLooseText, line);
      }
    }
    if (in_sentence_) {
      fail(Code::kUnclosed, {});
      end();
    }
    if (progress) progress->at(lines_.position());
  }
  GraphText take() { return std::move(writer_.result); }

 private:
  struct Parent {
    int64_t number;
    uint64_t line, column;
  };

  // Columns between blanks, up to a comment.
  void split(std::string_view line) {
    fields_.clear();
    for (size_t at = 0;;) {
      while (at < line.size() && is_blank(line[at])) ++at;
      if (at == line.size() || line.substr(at, 2) == "%%") return;
      const size_t from = at;
      while (at < line.size() && !is_blank(line[at])) ++at;
      fields_.push_back(line.substr(from, at - from));
    }
  }
  uint64_t column(std::string_view line, size_t field) const {
    return column_of(line, static_cast<size_t>(fields_[field].data() - line.data()));
  }
  void fail(Code code, std::string_view text, uint64_t line = 0, uint64_t column = 1) {
    writer_.fail(code, line ? line : code == Code::kUnclosed ? begin_line_ : lines_.number(), column, text);
  }
  void loose(Code code, std::string_view line) {
    if (std::exchange(is_loose_, true)) return;  // only the first fault is reported
    writer_.result.faults.push_back(
        {code, GraphTextFault::kNoTree, lines_.number(), column(line, 0), std::string(fields_[0].substr(0, 40))});
  }

  void begin() {
    in_sentence_ = true;
    begin_line_ = lines_.number();
    width_ = declared_;
    id_ = fields_.size() > 1 ? fields_[1] : std::string_view();
    graph_.clear();
    numbers_.clear();
    parents_[0].clear();
    parents_[1].clear();
  }

  void add(std::string_view line) {
    // Secondary edges are pairs of columns after all others, so the format is recognised by whether the number of
    // columns is even. This is done for each sentence, so that a broken one does not affect others.
    if (width_ == 0) width_ = 6 - fields_.size() % 2;
    const size_t count = fields_.size();
    if (count < width_ || (count - width_) % 2 != 0)
      return fail(Code::kColumns, std::to_string(count), 0, column(line, std::min(count, width_) - 1));
    const size_t shift = width_ - 5;  // after the lemma
    const std::string_view first = fields_[0], label = fields_[1 + shift], function = fields_[3 + shift];
    const int64_t parent = whole_number(fields_[4 + shift]);
    const uint64_t parent_column = column(line, 4 + shift);
    if (parent < 0) return fail(Code::kParent, fields_[4 + shift], 0, parent_column);
    const int64_t number = first[0] == '#' ? whole_number(first.substr(1)) : -1;
    const bool is_phrase = number >= kFirstPhrase;
    std::string name = escaped_for_brackets(label);
    const bool has_function = function != kNoFunction;
    uint32_t apart = kNone;
    if (has_function && join_functions_)
      name.append("-").append(escaped_for_brackets(function));
    else if (has_function)
      apart = writer_.intern(escaped_for_brackets(function));
    if (is_phrase) {
      numbers_.emplace_back(number, static_cast<int32_t>(graph_.phrases.size()));
      graph_.phrases.push_back({writer_.intern(name), -1, apart});
      phrase_lines_.resize(graph_.phrases.size());
      phrase_lines_.back() = lines_.number();
    } else {
      graph_.words.push_back({writer_.intern(name), -1, apart, escaped_for_brackets(first)});
    }
    parents_[is_phrase].push_back({parent, lines_.number(), parent_column});
  }

  // Replaces the numbers of phrases by their places.
  void find_parents() {
    std::vector<std::pair<int64_t, int32_t>> sorted(numbers_);
    std::sort(sorted.begin(), sorted.end());
    for (size_t next = 1; next < sorted.size(); ++next)
      if (sorted[next].first == sorted[next - 1].first)
        return fail(Code::kTwice, phrase_name(sorted[next].first),
                    phrase_lines_[static_cast<size_t>(sorted[next].second)]);
    const auto find = [&](const Parent& parent, int32_t& place) {
      if (parent.number == 0) return;
      const auto found = std::lower_bound(sorted.begin(), sorted.end(), std::pair{parent.number, int32_t{0}});
      if (found == sorted.end() || found->first != parent.number)
        fail(Code::kParent, std::to_string(parent.number), parent.line, parent.column);
      else
        place = found->second;
    };
    for (size_t word = 0; word < graph_.words.size(); ++word) find(parents_[0][word], graph_.words[word].parent);
    for (size_t phrase = 0; phrase < graph_.phrases.size(); ++phrase)
      find(parents_[1][phrase], graph_.phrases[phrase].parent);
  }

  void end() {
    if (!writer_.broken) find_parents();
    const GraphFault fault = writer_.finish(graph_, begin_line_);
    if (fault.kind != GraphFault::Kind::kSound)
      fail(fault.kind == GraphFault::Kind::kCycle ? Code::kCycle : Code::kNoWords,
           phrase_name(numbers_[fault.phrase].first), phrase_lines_[fault.phrase]);
    writer_.end_sentence(begin_line_);
    writer_.result.ids.emplace_back(id_);
    in_sentence_ = false;
  }

  LineReader lines_;
  SentenceWriter writer_;
  const bool join_functions_;
  size_t declared_ = 0, width_ = 0;  // columns without secondary edges: 5, with lemmas 6; 0 while that is not known
  bool in_sentence_ = false, is_loose_ = false;
  uint64_t begin_line_ = 0;
  std::string_view id_;
  std::vector<std::string_view> fields_;
  Graph graph_;
  std::vector<std::pair<int64_t, int32_t>> numbers_;  // of the phrases, and their places in the graph
  std::vector<uint64_t> phrase_lines_;
  std::vector<Parent> parents_[2];  // of words and phrases
};

// ---- Brackets with numbered words

// The text with #LRB# and #RRB# written as -LRB- and -RRB-.
std::string unescaped(std::string_view text) {
  std::string out(text);
  for (const auto& [from, to] : {std::pair{"#LRB#", "-LRB-"}, std::pair{"#RRB#", "-RRB-"}})
    for (size_t at = out.find(from); at != std::string::npos; at = out.find(from, at + 5)) out.replace(at, 5, to);
  return out;
}

// The number of digits before an equals sign at the start of a word; 0 if there is no such number, or nothing after it.
size_t index_size(std::string_view word) {
  size_t size = 0;
  while (size < word.size() && is_digit(word[size])) ++size;
  return size > 0 && size + 1 < word.size() && word[size] == '=' ? size : 0;
}

class DiscbracketReader {
 public:
  explicit DiscbracketReader(Columns& out) : writer_(out) {}

  void read(std::string_view text, bool by_line, Progress* progress) {
    LineReader lines(text);
    std::string_view line;
    while (lines.next(line)) {
      if (progress) progress->at(lines.position());
      if (std::all_of(line.begin(), line.end(), is_blank)) {
        if (by_line)
          writer_.out.finish(static_cast<uint32_t>(lines.number()));
        else
          ++writer_.result.blank_lines;
        continue;
      }
      begin(lines.number());
      add_line(line, lines.number());
      while (!by_line && open_ && !lines.next_starts_with('(') && lines.next(line)) add_line(line, lines.number());
      end();
    }
  }

  // Only whether the words of this sentence are numbered.
  bool is_numbered(std::string_view text) {
    begin(1);
    add_line(text, 1);
    if (words_.size() == numbered_ && numbered_ > 1) return true;
    return numbered_ == 1 && words_.size() == 1 && words_[0].index == 0 && !writer_.broken && !open_;
  }
  GraphText take() { return std::move(writer_.result); }

 private:
  // A place in the text. Its column is counted only if it is reported.
  struct Place {
    std::string_view line;
    size_t at;
    uint64_t number;  // of the line
  };
  struct Item {
    int64_t index;  // -1: none
    Place place;
  };
  struct Open {
    int32_t phrase;
    uint32_t words, brackets;  // directly below it
    Place place;
  };

  void fail(Code code, const Place& place, std::string_view text = {}) {
    writer_.fail(code, place.number, column_of(place.line, place.at), text);
  }

  void begin(uint64_t line) {
    line_ = line;
    graph_.clear();
    words_.clear();
    stack_.clear();
    numbered_ = 0;
    open_ = false;
    writer_.broken = false;
  }

  void add_line(std::string_view line, uint64_t number) {
    const auto text_end = [&](size_t at) {
      while (at < line.size() && !is_blank(line[at]) && line[at] != '(' && line[at] != ')') ++at;
      return at;
    };
    for (size_t at = 0; at < line.size() && !writer_.broken;) {
      const char c = line[at];
      if (c == '(') {
        size_t from = at + 1;
        while (from < line.size() && is_blank(line[from])) ++from;
        size_t end = text_end(from);
        if (from > at + 1 && index_size(line.substr(from, end - from)) > 0) end = from;  // a word, not a label
        if (!stack_.empty()) ++stack_.back().brackets;
        const int32_t parent = stack_.empty() ? -1 : stack_.back().phrase;
        stack_.push_back({static_cast<int32_t>(graph_.phrases.size()), 0, 0, {line, at, number}});
        graph_.phrases.push_back({writer_.intern(unescaped(line.substr(from, end - from))), parent});
        at = end;
      } else if (c == ')') {
        if (stack_.empty()) return fail(Code::kSurplus, {line, at, number});
        close();
        ++at;
      } else if (is_blank(c)) {
        if (c == '\t' && stack_.empty() && !graph_.words.empty()) break;  // the rest is a comment
        ++at;
      } else {
        if (stack_.empty()) return fail(Code::kLooseText, {line, at, number});
        const size_t end = text_end(at);
        add_word(line.substr(at, end - at), {line, at, number});
        at = end;
      }
    }
    open_ = !stack_.empty();
  }

  void add_word(std::string_view text, const Place& place) {
    const size_t digits = index_size(text);
    const int64_t index = digits ? whole_number(text.substr(0, digits)) : -1;
    numbered_ += digits > 0;
    if (digits > 0 && index < 0) fail(Code::kIndex, place, text.substr(0, digits));
    words_.push_back({index, place});
    graph_.words.push_back({kNone, stack_.back().phrase, kNone, unescaped(digits ? text.substr(digits + 1) : text)});
    ++stack_.back().words;
  }

  // One word in a bracket is a tagged word.
  void close() {
    const Open closed = stack_.back();
    stack_.pop_back();
    if (closed.words != 1 || closed.brackets != 0) return;
    Graph::Word& word = graph_.words.back();
    word.tag = graph_.phrases.back().label;
    word.parent = graph_.phrases.back().parent;
    graph_.phrases.pop_back();
  }

  void number_words() {
    std::vector<Graph::Word> in_order(graph_.words.size());
    std::vector<uint8_t> taken(graph_.words.size(), 0);
    for (size_t word = 0; word < words_.size(); ++word) {
      const Item& item = words_[word];
      if (item.index < 0) return fail(Code::kNoIndex, item.place, graph_.words[word].text);
      const auto number = static_cast<size_t>(item.index);
      if (number >= taken.size() || taken[number]) return fail(Code::kIndex, item.place, std::to_string(item.index));
      taken[number] = 1;
      in_order[number] = std::move(graph_.words[word]);
    }
    graph_.words = std::move(in_order);
  }

  void end() {
    if (!stack_.empty()) fail(Code::kUnclosed, stack_.front().place, std::to_string(stack_.size()));
    if (graph_.words.empty()) graph_.phrases.clear();  // a sentence without a parse
    if (!writer_.broken && numbered_ > 0) number_words();
    if (writer_.finish(graph_, line_).kind != GraphFault::Kind::kSound) writer_.fail(Code::kNoWords, line_, 1, {});
    writer_.end_sentence(line_);
  }

  SentenceWriter writer_;
  Graph graph_;
  std::vector<Item> words_;
  std::vector<Open> stack_;
  size_t numbered_ = 0;
  uint64_t line_ = 0;
  bool open_ = false;
};

}  // namespace

std::string escaped_for_brackets(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '(')
      out += "-LRB-";
    else if (c == ')')
      out += "-RRB-";
    else
      out += is_blank(c) ? '_' : c;
  }
  return out.empty() ? "_" : out;
}

GraphText read_export(std::string_view text, bool join_functions, Columns& out, Progress* progress) {
  if (progress) progress->total = text.size();
  return ExportReader(text, join_functions, out, progress).take();
}

GraphText read_discbracket(std::string_view text, bool by_line, Columns& out, Progress* progress) {
  if (progress) progress->total = text.size();
  DiscbracketReader reader(out);
  reader.read(text, by_line, progress);
  return reader.take();
}

bool is_discbracket(std::string_view text) {
  for (size_t at = text.find('='); at != std::string_view::npos; at = text.find('=', at + 1)) {
    size_t from = at;
    while (from > 0 && is_digit(text[from - 1])) --from;
    if (from == at || from == 0 || !is_blank(text[from - 1])) continue;
    const size_t before = text.rfind("\n(", from), after = text.find("\n(", from);
    const size_t begin = before == std::string_view::npos ? text.find('(') : before + 1;
    if (begin == std::string_view::npos || begin > from) continue;
    std::string sentence(text.substr(begin, after == std::string_view::npos ? after : after - begin));
    Columns none(std::make_shared<Vocabulary>());
    return DiscbracketReader(none).is_numbered(sentence);
  }
  return false;
}

bool is_plain_brackets(std::string_view text) {
  constexpr size_t kSeen = size_t{1} << 20;  // the bytes from which the format of a text is detected
  if (!text.starts_with('(')) return false;
  uint8_t controls = 0;
  for (const char c : text.substr(0, kSeen))
    controls |= static_cast<uint8_t>((static_cast<uint8_t>(c) < 0x20) & (c != '\n') & (c != '\r'));
  return controls == 0 && (text.find('=') == std::string_view::npos || !is_discbracket(text));
}

}  // namespace treescore
