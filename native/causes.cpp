#include "causes.hpp"

#include <algorithm>
#include <utility>

namespace treescore {
namespace {

std::string joined(std::string_view a, std::string_view b) {
  std::string both(a);
  both.push_back('\0');
  both.append(b);
  return both;
}

// Every second letter from `first` to `last` is the upper case of the one behind it.
bool in_pairs(uint32_t letter, uint32_t first, uint32_t last) {
  return letter >= first && letter <= last && (letter - first) % 2 == 0;
}

// Letters of two bytes in UTF-8.
uint32_t folded(uint32_t letter) {
  const auto in = [letter](uint32_t first, uint32_t last) { return letter >= first && letter <= last; };
  if (in(0xC0, 0xDE)) return letter == 0xD7 ? letter : letter + 32;
  if (in_pairs(letter, 0x100, 0x12E) || in_pairs(letter, 0x132, 0x136) || in_pairs(letter, 0x139, 0x147) ||
      in_pairs(letter, 0x14A, 0x176) || in_pairs(letter, 0x179, 0x17D))
    return letter + 1;
  if (letter == 0x178) return 0xFF;
  if (letter == 0x17F) return 's';
  if (letter == 0xB5) return 0x3BC;
  if (letter == 0x386) return 0x3AC;
  if (in(0x388, 0x38A)) return letter + 37;
  if (letter == 0x38C) return 0x3CC;
  if (in(0x38E, 0x38F)) return letter + 63;
  if (in(0x391, 0x3A1) || in(0x3A3, 0x3AB)) return letter + 32;
  if (letter == 0x3C2) return 0x3C3;
  if (in(0x400, 0x40F)) return letter + 80;
  if (in(0x410, 0x42F)) return letter + 32;
  if (in_pairs(letter, 0x460, 0x480) || in_pairs(letter, 0x48A, 0x4BE) || in_pairs(letter, 0x4C1, 0x4CD) ||
      in_pairs(letter, 0x4D0, 0x52E))
    return letter + 1;
  if (letter == 0x4C0) return 0x4CF;
  if (in(0x531, 0x556)) return letter + 48;
  return letter;
}

bool is_continuation(char byte) { return (static_cast<unsigned char>(byte) & 0xC0u) == 0x80u; }

std::string folded(std::string_view word) {
  std::string out;
  for (size_t at = 0; at < word.size(); ++at) {
    const auto byte = static_cast<unsigned char>(word[at]);
    if (byte >= 'A' && byte <= 'Z') {
      out.push_back(static_cast<char>(byte + 32));
    } else if (byte >= 0xC2 && byte <= 0xDF && at + 1 < word.size() && is_continuation(word[at + 1])) {
      const uint32_t second = static_cast<unsigned char>(word[++at]) & 0x3Fu;
      const uint32_t letter = folded((byte & 0x1Fu) << 6u | second);
      if (letter >= 0x80) out.push_back(static_cast<char>(0xC0u | letter >> 6u));
      out.push_back(static_cast<char>(letter < 0x80 ? letter : 0x80u | (letter & 0x3Fu)));
    } else {
      out.push_back(word[at]);
    }
  }
  return out;
}

void replace_all(std::string& text, std::string_view what, char with) {
  for (size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) {
    text.replace(at, what.size(), 1, with);
  }
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

std::string unescaped(std::string_view word, bool fold) {
  constexpr std::pair<std::string_view, char> kBrackets[] = {
      {"-lrb-", '('}, {"-LRB-", '('}, {"-rrb-", ')'}, {"-RRB-", ')'}, {"-lsb-", '['}, {"-LSB-", '['},
      {"-rsb-", ']'}, {"-RSB-", ']'}, {"-lcb-", '{'}, {"-LCB-", '{'}, {"-rcb-", '}'}, {"-RCB-", '}'}};
  std::string text = fold ? folded(word) : std::string(word);
  for (const auto& [written, bracket] : kBrackets) replace_all(text, written, bracket);
  std::string out;
  for (size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '\\' && at + 1 < text.size()) ++at;
    out.push_back(text[at]);
  }
  return out;
}

FailureCauses failure_causes(const TreeView& gold, Kept gold_kept, const TreeView& test, Kept test_kept,
                             const WordRules& words) {
  const bool as_many = gold.leaves.size() == test.leaves.size();
  if (gold_kept.empty() || (gold_kept.size() != test_kept.size() && !as_many)) return {};
  const auto same = [&](std::string_view a, std::string_view b) { return words.same(a, b); };
  const auto alike = [&](bool fold) {
    return [&words, fold](std::string_view a, std::string_view b) {
      return words.same(a, b) || unescaped(words.text(a), fold) == unescaped(words.text(b), fold);
    };
  };
  if (as_many && same_leaves(gold, gold_kept, test, gold_kept, same)) return {.tags = true};
  for (const bool fold : {false, true})
    if (same_leaves(gold, gold_kept, test, test_kept, alike(fold))) return {.escapes = !fold, .letter_case = fold};
  for (const bool fold : {false, true})
    if (as_many && same_leaves(gold, gold_kept, test, gold_kept, alike(fold)))
      return {.tags = true, .escapes = !fold, .letter_case = fold};
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
