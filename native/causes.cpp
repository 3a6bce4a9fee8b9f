#include "causes.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace treescore {
namespace {

std::string joined(std::string_view a, std::string_view b) {
  std::string both(a);
  both.push_back('\0');
  both.append(b);
  return both;
}

// Letters from `first` to `last`, each or every second one, are the upper case of the letters `lower` further on.
struct UpperCase {
  uint32_t first, last, step;
  int32_t lower;
};

// The alphabets of texts, in the order of Unicode.
constexpr UpperCase kUpperCase[] = {
    {0xB5, 0xB5, 1, 775},       {0xC0, 0xD6, 1, 32},       {0xD8, 0xDE, 1, 32},  // Latin
    {0x100, 0x12E, 2, 1},       {0x132, 0x136, 2, 1},      {0x139, 0x147, 2, 1},      {0x14A, 0x176, 2, 1},
    {0x178, 0x178, 1, -121},    {0x179, 0x17D, 2, 1},      {0x17F, 0x17F, 1, -268},   {0x18F, 0x18F, 1, 202},
    {0x1A0, 0x1A4, 2, 1},       {0x1AF, 0x1AF, 1, 1},      {0x1C4, 0x1C4, 1, 2},      {0x1C5, 0x1C5, 1, 1},
    {0x1C7, 0x1C7, 1, 2},       {0x1C8, 0x1C8, 1, 1},      {0x1CA, 0x1CA, 1, 2},      {0x1CB, 0x1DB, 2, 1},
    {0x1DE, 0x1EE, 2, 1},       {0x1F8, 0x21E, 2, 1},      {0x222, 0x232, 2, 1},      {0x386, 0x386, 1, 38},
    {0x388, 0x38A, 1, 37},  // Greek
    {0x38C, 0x38C, 1, 64},      {0x38E, 0x38F, 1, 63},     {0x391, 0x3A1, 1, 32},     {0x3A3, 0x3AB, 1, 32},
    {0x3C2, 0x3C2, 1, 1},       {0x3D8, 0x3EE, 2, 1},      {0x400, 0x40F, 1, 80},     {0x410, 0x42F, 1, 32},
    {0x460, 0x480, 2, 1},  // Cyrillic
    {0x48A, 0x4BE, 2, 1},       {0x4C0, 0x4C0, 1, 15},     {0x4C1, 0x4CD, 2, 1},      {0x4D0, 0x52E, 2, 1},
    {0x531, 0x556, 1, 48},      {0x10A0, 0x10C5, 1, 7264},                           // Armenian, Georgian
    {0x1C90, 0x1CBA, 1, -3008}, {0x1E00, 0x1E94, 2, 1},    {0x1EA0, 0x1EFE, 2, 1},   // Vietnamese
    {0x1F08, 0x1F0F, 1, -8},    {0x1F18, 0x1F1D, 1, -8},   {0x1F28, 0x1F2F, 1, -8},  // ancient Greek
    {0x1F38, 0x1F3F, 1, -8},    {0x1F48, 0x1F4D, 1, -8},   {0x1F59, 0x1F5F, 2, -8},   {0x1F68, 0x1F6F, 1, -8},
    {0x1FB8, 0x1FB9, 1, -8},    {0x1FBA, 0x1FBB, 1, -74},  {0x1FC8, 0x1FCB, 1, -86},  {0x1FD8, 0x1FD9, 1, -8},
    {0x1FDA, 0x1FDB, 1, -100},  {0x1FE8, 0x1FE9, 1, -8},   {0x1FEA, 0x1FEB, 1, -112}, {0x1FEC, 0x1FEC, 1, -7},
    {0x1FF8, 0x1FF9, 1, -128},  {0x1FFA, 0x1FFB, 1, -126}, {0x2C00, 0x2C2F, 1, 48},  // Glagolitic
    {0x2C80, 0x2CE2, 2, 1},     {0xA640, 0xA66C, 2, 1},    {0xFF21, 0xFF3A, 1, 32},  // Coptic, full width
};

uint32_t folded(uint32_t letter) {
  const UpperCase* range = std::ranges::lower_bound(kUpperCase, letter, {}, &UpperCase::last);
  const bool is_upper =
      range != std::end(kUpperCase) && letter >= range->first && (letter - range->first) % range->step == 0;
  return is_upper ? letter + static_cast<uint32_t>(range->lower) : letter;
}

// The length of a letter of UTF-8 by its first byte, if it has two or three bytes, else 1.
size_t letter_length(unsigned char first) {
  return first >= 0xC2 && first <= 0xDF ? 2 : (first & 0xF0u) == 0xE0u ? 3 : 1;
}

std::string folded(std::string_view word) {
  std::string out;
  const auto push = [&out](uint32_t byte) { out.push_back(static_cast<char>(byte)); };
  for (size_t at = 0; at < word.size(); ++at) {
    const auto byte = static_cast<unsigned char>(word[at]);
    const size_t length = letter_length(byte);
    const std::string_view rest = word.substr(at + 1, length - 1);
    const auto is_continuation = [](char next) { return (static_cast<unsigned char>(next) & 0xC0u) == 0x80u; };
    if (length == 1 || rest.size() + 1 < length || !std::ranges::all_of(rest, is_continuation)) {
      push(byte >= 'A' && byte <= 'Z' ? byte + 32u : byte);
      continue;
    }
    uint32_t letter = byte & (length == 2 ? 0x1Fu : 0x0Fu);
    for (const char next : rest) letter = letter << 6u | (static_cast<unsigned char>(next) & 0x3Fu);
    letter = folded(letter);
    at += rest.size();
    if (letter < 0x80) {
      push(letter);
    } else if (letter < 0x800) {
      push(0xC0u | letter >> 6u);
      push(0x80u | (letter & 0x3Fu));
    } else {
      push(0xE0u | letter >> 12u);
      push(0x80u | (letter >> 6u & 0x3Fu));
      push(0x80u | (letter & 0x3Fu));
    }
  }
  return out;
}

void replace_all(std::string& text, std::string_view what, char with) {
  for (size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) {
    text.replace(at, what.size(), 1, with);
  }
}

std::string unescaped(std::string text) {
  constexpr std::pair<std::string_view, char> kBrackets[] = {
      {"-lrb-", '('}, {"-LRB-", '('}, {"-rrb-", ')'}, {"-RRB-", ')'}, {"-lsb-", '['}, {"-LSB-", '['},
      {"-rsb-", ']'}, {"-RSB-", ']'}, {"-lcb-", '{'}, {"-LCB-", '{'}, {"-rcb-", '}'}, {"-RCB-", '}'}};
  for (const auto& [written, bracket] : kBrackets) replace_all(text, written, bracket);
  std::string out;
  for (size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '\\' && at + 1 < text.size()) ++at;
    out.push_back(text[at]);
  }
  return out;
}

std::string as_by(const FailureCauses& causes, std::string word) {
  if (causes.letter_case) word = folded(word);
  return causes.escapes ? unescaped(std::move(word)) : word;
}

using Kept = std::span<const uint32_t>;

bool same_leaves(const TreeView& gold, Kept gold_leaves, const TreeView& test, Kept test_leaves, const auto& same) {
  return std::ranges::equal(gold_leaves, test_leaves,
                            [&](uint32_t a, uint32_t b) { return same(gold.word(a), test.word(b)); });
}

}  // namespace

std::string WordRules::text(std::string_view word) const {
  std::string written(word);
  const auto found = texts.find(written);
  return found == texts.end() ? written : found->second;
}

void WordRules::add_equal(std::string_view a, std::string_view b) {
  equal.insert(joined(a, b));
  equal.insert(joined(b, a));
}

bool WordRules::same_by_rules(std::string_view a, std::string_view b) const {
  const std::string left = text(a), right = text(b);
  return left == right || equal.contains(joined(left, right));
}

FailureCauses failure_causes(const TreeView& gold, Kept gold_kept, const TreeView& test, Kept test_kept,
                             const WordRules& words) {
  const bool as_many = gold.leaves.size() == test.leaves.size();
  if (gold_kept.empty() || (gold_kept.size() != test_kept.size() && !as_many)) return {};
  constexpr FailureCauses kFewestFirst[] = {{.tags = true},
                                            {.escapes = true},
                                            {.letter_case = true},
                                            {.tags = true, .escapes = true},
                                            {.tags = true, .letter_case = true},
                                            {.escapes = true, .letter_case = true},
                                            {.tags = true, .escapes = true, .letter_case = true}};
  for (const FailureCauses& causes : kFewestFirst) {
    if (causes.tags && !as_many) continue;
    const auto same = [&](std::string_view a, std::string_view b) {
      return words.same(a, b) || as_by(causes, words.text(a)) == as_by(causes, words.text(b));
    };
    if (same_leaves(gold, gold_kept, test, causes.tags ? gold_kept : test_kept, same)) return causes;
  }
  return {};
}

bool outer_differs(const RuledTree& gold, const RuledTree& test) {
  if (gold.tree.leaves.empty() || test.tree.leaves.empty()) return false;
  const auto label = [](const RuledTree& side) {
    return side.tree.nodes.empty() ? kNone : side.tree.nodes.front().label;
  };
  const auto counts = [&](const RuledTree& side) {
    const std::vector<std::string>& outer = side.rules.outer_labels;
    return label(side) != kNone && !side.rules.label_deleted[label(side)] &&
           std::ranges::find(outer, side.names.at(label(side))) != outer.end();
  };
  if (label(gold) == kNone || label(test) == kNone) return counts(gold) || counts(test);
  if (gold.names.at(label(gold)) == test.names.at(label(test))) return false;
  if (!counts(gold) || !counts(test)) return counts(gold) || counts(test);
  return gold.rules.labelled && gold.rules.label_key[label(gold)] != test.rules.label_key[label(test)];
}

}  // namespace treescore
