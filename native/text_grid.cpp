#include "text_grid.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace treescore {
namespace {

constexpr double kLongest = 1e9;   // no list is longer; as in words/timeline.py
constexpr size_t kShown = 40 * 4;  // bytes of a token in a message, enough for 40 characters
constexpr std::string_view kIntervals = "IntervalTier", kPoints = "TextTier";

bool is_ascii_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

// What a byte means outside of strings. Some bytes may be the first of a blank in UTF-8.
enum ByteClass : uint8_t { kPlain, kBlank, kQuote, kPerhapsBlank };

constexpr std::array<uint8_t, 256> kByteClass = [] {
  std::array<uint8_t, 256> table{};
  for (size_t byte = 9; byte <= 13; ++byte) table[byte] = kBlank;
  for (size_t byte = 28; byte <= 32; ++byte) table[byte] = kBlank;
  table['"'] = kQuote;
  for (const size_t byte : std::array<size_t, 4>{0xC2, 0xE1, 0xE2, 0xE3}) table[byte] = kPerhapsBlank;
  return table;
}();

uint8_t class_of_byte(char c) { return kByteClass[static_cast<uint8_t>(c)]; }

// The end of a number at the beginning of a text, which is followed by a blank or nothing; 0 if there is none.
size_t number_size(std::string_view text) {
  size_t at = !text.empty() && (text[0] == '-' || text[0] == '+');
  const auto take_digits = [&] {
    const size_t from = at;
    while (at < text.size() && is_digit(text[at])) ++at;
    return at - from;
  };
  const size_t whole = take_digits();
  size_t part = 0;
  if (at < text.size() && text[at] == '.') {
    ++at;
    part = take_digits();
  }
  if (whole + part == 0) return 0;
  if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
    ++at;
    if (at < text.size() && (text[at] == '-' || text[at] == '+')) ++at;
    if (take_digits() == 0) return 0;
  }
  return at == text.size() || blank_size(text, at) > 0 ? at : 0;
}

// The end of <flag>; 0 if there is none.
size_t flag_size(std::string_view text) {
  for (size_t at = 1; at < text.size(); ++at) {
    if (text[at] == '>') return at + 1;
    if (text[at] == '<' || text[at] == '"' || blank_size(text, at) > 0) return 0;
  }
  return 0;
}

// The end of a string in quotes, in which two quotes are one; `closed` tells whether it has an end.
size_t string_size(std::string_view text, bool& closed) {
  closed = false;
  for (size_t at = 1;;) {
    const size_t quote = text.find('"', at);
    if (quote == std::string_view::npos) return text.size();
    if (quote + 1 == text.size() || text[quote + 1] != '"') {
      closed = true;
      return quote + 1;
    }
    at = quote + 2;
  }
}

std::string_view without_quotes(std::string_view text) {
  while (text.starts_with('"')) text.remove_prefix(1);
  while (text.ends_with('"')) text.remove_suffix(1);
  return text;
}

uint32_t characters(std::string_view text) {
  return static_cast<uint32_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<uint8_t>(c) & 0xC0) != 0x80; }));
}

}  // namespace

size_t blank_size(std::string_view text, size_t at) {
  const auto byte = [&](size_t place) { return place < text.size() ? static_cast<uint8_t>(text[place]) : uint8_t{0}; };
  const uint8_t first = byte(at);
  if (first < 0x80)
    return at < text.size() && (first == ' ' || (first >= 9 && first <= 13) || (first >= 28 && first <= 31));
  const uint8_t second = byte(at + 1), third = byte(at + 2);
  if (first == 0xC2) return second == 0x85 || second == 0xA0 ? 2 : 0;  // U+0085, U+00A0
  if (first == 0xE1) return second == 0x9A && third == 0x80 ? 3 : 0;   // U+1680
  if (first == 0xE3) return second == 0x80 && third == 0x80 ? 3 : 0;   // U+3000
  if (first != 0xE2) return 0;
  if (second == 0x81) return third == 0x9F ? 3 : 0;                           // U+205F
  const bool is_space = third >= 0x80 && third <= 0x8A;                       // U+2000 to U+200A
  const bool is_separator = third == 0xA8 || third == 0xA9 || third == 0xAF;  // U+2028, U+2029, U+202F
  return second == 0x80 && (is_space || is_separator) ? 3 : 0;
}

TextGrid::TextGrid(std::string_view text) : text_(text) {
  std::string* parts[] = {&head_.type, &head_.object_class};
  size_t count = 0;
  for (Token token; count < 2 && next_token(token);)
    if (token.kind == GridToken::kString) {
      *parts[count++] = without_quotes(token.text);
      if (head_.type == "Praat chronological TextGrid text file") break;
    }
}

void TextGrid::read(bool chronological, Progress& progress) {
  progress.total = text_.size();
  try {
    if (chronological)
      read_chronological(progress);
    else
      read_by_tier(progress);
  } catch (const Broken&) {
  }
}

void TextGrid::read_by_tier(Progress& progress) {
  const double begin = number();
  limits_ = {begin, number()};
  if (next(GridToken::kFlag) == "<absent>") return;
  for (uint64_t tiers = size_of_list(); tiers > 0; --tiers) {
    read_tier();
    for (uint64_t items = size_of_list(); items > 0; --items) {
      read_item(tiers_.back());
      progress.at(at_);
    }
  }
}

void TextGrid::read_chronological(Progress& progress) {
  const double begin = number();
  limits_ = {begin, number()};
  for (uint64_t tiers = size_of_list(); tiers > 0; --tiers) read_tier();
  for (;;) {
    const size_t before = at_;
    Token token;
    if (!next_token(token)) return;  // the only place where the text may end
    at_ = before;
    const double tier = number();
    if (!(1 <= tier && tier <= static_cast<double>(tiers_.size()) && tier == std::floor(tier)))
      fail({.kind = GridFaultKind::kNoTier, .at = begin_, .number = tier, .text = {}});
    read_item(tiers_[static_cast<size_t>(tier) - 1]);
    progress.at(at_);
  }
}

void TextGrid::read_tier() {
  std::string kind(next(GridToken::kString));
  if (kind != kIntervals && kind != kPoints)
    fail({.kind = GridFaultKind::kTierKind, .at = begin_, .text = std::move(kind)});
  Tier tier{
      .has_intervals = kind == kIntervals, .name = std::string(next(GridToken::kString)), .labels = {}, .words = {}};
  number();
  number();
  tiers_.push_back(std::move(tier));
}

void TextGrid::read_item(Tier& tier) {
  const double begin = number();
  const double end = tier.has_intervals ? number() : begin;
  const std::string_view label = next(GridToken::kString);
  if (!tier.has_intervals) return;
  for (size_t at = 0; at < label.size();) {
    while (at < label.size() && is_ascii_blank(label[at])) ++at;
    const size_t from = at;
    while (at < label.size() && !is_ascii_blank(label[at])) ++at;
    if (at > from) tier.words.push_back(texts_.intern(label.data() + from, at - from));
  }
  line_ += static_cast<uint32_t>(std::count(text_.begin() + static_cast<std::ptrdiff_t>(counted_),
                                            text_.begin() + static_cast<std::ptrdiff_t>(begin_), '\n'));
  counted_ = begin_;
  tier.labels.push_back({.end = tier.words.size(), .line = line_, .when = {begin, end}});
}

uint64_t TextGrid::size_of_list() {
  const double size = number();
  if (!(0 <= size && size < kLongest && size == std::floor(size)))
    fail({.kind = GridFaultKind::kNoSize, .at = begin_, .number = size, .text = {}});
  return static_cast<uint64_t>(size);
}

double TextGrid::number() {
  std::string_view text = next(GridToken::kNumber);
  double value = 0;
  if (text.starts_with('+')) text.remove_prefix(1);
  take_number(text, value);
  return value;
}

// Takes the next token, which must be of this kind; a string without its quotes is valid until the next is taken.
std::string_view TextGrid::next(GridToken wanted) {
  Token token;
  if (!next_token(token)) fail({.kind = GridFaultKind::kTooShort, .at = text_.size(), .wanted = wanted, .text = {}});
  if (token.kind != wanted)
    fail({.kind = GridFaultKind::kUnexpected,
          .at = begin_,
          .wanted = wanted,
          .actual = token.kind,
          .text = std::string(token.text.substr(0, kShown))});
  if (wanted != GridToken::kString) return token.text;
  if (!token.is_closed) fail({.kind = GridFaultKind::kUnclosed, .at = begin_, .text = {}});
  const std::string_view inside = token.text.substr(1, token.text.size() - 2);
  if (inside.find('"') == std::string_view::npos) return inside;
  label_.clear();
  for (size_t at = 0; at < inside.size(); at += inside[at] == '"' ? 2 : 1) label_.push_back(inside[at]);
  return label_;
}

bool TextGrid::next_token(Token& token) {
  while (at_ < text_.size()) {
    const uint8_t kind = class_of_byte(text_[at_]);
    if (kind == kBlank) {
      ++at_;
      continue;
    }
    if (const size_t blank = kind == kPerhapsBlank ? blank_size(text_, at_) : 0) {
      at_ += blank;
      continue;
    }
    begin_ = at_;
    if (const size_t size = token_size(token)) {
      token.text = text_.substr(at_, size);
      at_ += size;
      return true;
    }
    if (text_[at_] == '!')  // a comment to the end of the line
      at_ = std::min(text_.find('\n', at_), text_.size());
    else
      skip_other();
  }
  return false;
}

// The size of the token that begins here, whose kind is set; 0 if there is none.
size_t TextGrid::token_size(Token& token) const {
  const char first = text_[at_];
  const std::string_view rest = text_.substr(at_);
  if (first == '"') {
    token.kind = GridToken::kString;
    return string_size(rest, token.is_closed);
  }
  if (first == '<') {
    token.kind = GridToken::kFlag;
    return flag_size(rest);
  }
  token.kind = GridToken::kNumber;
  return is_digit(first) || first == '-' || first == '+' || first == '.' ? number_size(rest) : 0;
}

// Passes over text that means nothing, up to a blank or a quote.
void TextGrid::skip_other() {
  for (++at_; at_ < text_.size(); ++at_) {
    const uint8_t kind = class_of_byte(text_[at_]);
    if (kind == kPlain) continue;
    if (kind != kPerhapsBlank || blank_size(text_, at_) > 0) return;
  }
}

void TextGrid::fail(GridFault fault) {
  fault_ = std::move(fault);
  throw Broken();
}

bool TextGrid::are_utterances(const Tier& tier, std::span<const uint8_t> kept) const {
  std::vector<uint64_t> sizes;
  uint64_t begin = 0;
  for (const Label& label : tier.labels) {
    uint64_t size = 0;
    for (uint64_t word = begin; word < label.end; ++word) size += kept[tier.words[word]] != 0;
    begin = label.end;
    if (size > 0) sizes.push_back(size);
  }
  if (sizes.empty()) return false;
  std::sort(sizes.begin(), sizes.end());
  return sizes[(sizes.size() - 1) / 2] + sizes[sizes.size() / 2] >= 4;
}

bool TextGrid::append(const Tier& tier, std::span<const uint8_t> kept, WordColumns& out) const {
  bool are_shared = false;
  uint64_t begin = 0;
  std::vector<uint32_t> numbers(texts_.size(), kNone), sizes;  // numbers of words in `out`
  std::vector<WordTimes> times;
  for (const Label& label : tier.labels) {
    sizes.clear();
    const size_t first = out.words.size();
    for (uint64_t place = begin; place < label.end; ++place) {
      const uint32_t word = tier.words[place];
      if (!kept[word]) continue;
      const std::string_view text = texts_.at(word);
      if (numbers[word] == kNone) numbers[word] = out.texts.intern(text.data(), text.size());
      out.add(numbers[word], label.when, label.line);
      if (begin + 1 < label.end) sizes.push_back(characters(text));
    }
    begin = label.end;
    if (sizes.size() < 2) continue;
    are_shared = true;
    share_by_characters(sizes, label.when, {out.times.data() + first, sizes.size()});
  }
  out.utterances.push_back({.line = 0});
  out.ends.push_back(out.words.size());
  return are_shared;
}

}  // namespace treescore
