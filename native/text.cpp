#include "text.hpp"

#include <algorithm>
#include <charconv>
#include <cstdio>

#include "tree_order.hpp"

namespace treescore {
namespace {

constexpr int kDeepestIndent =
    60;  // levels; deeper phrases are not indented further, which would fill pages with blanks

// 100 * part / whole as C's "%.2f" prints the quotient of doubles, into `buffer`; returns the end. Whole numbers are
// enough except for exact ties, which the binary fraction decides.
char* write_percent(int64_t part, int64_t whole, char* buffer, char* end) {
  if (whole == 0) part = 0, whole = 1;
  if (part >= 0 && whole > 0 && part < 1'000'000'000 && whole < 1'000'000'000) {
    const int64_t hundredths = 10'000 * part / whole, rest = 10'000 * part % whole;
    if (2 * rest != whole) {
      const int64_t rounded = hundredths + (2 * rest > whole);
      char* at = std::to_chars(buffer, end, rounded / 100).ptr;
      *at++ = '.';
      *at++ = static_cast<char>('0' + rounded / 10 % 10);
      *at++ = static_cast<char>('0' + rounded % 10);
      return at;
    }
  }
  const double value = 100.0 * static_cast<double>(part) / static_cast<double>(whole);
  return buffer + std::snprintf(buffer, static_cast<size_t>(end - buffer), "%.2f", value);
}

// The separator of two brackets or words: a blank, or a new line with the indent of its depth.
void write_blank(bool new_line, int depth, std::string& out) {
  if (out.empty()) return;
  if (new_line && depth > 0) {
    out += '\n';
    out.append(static_cast<size_t>(2 * std::min(depth, kDeepestIndent)), ' ');
  } else {
    out += ' ';
  }
}

// Brackets in the order of the tree, and words with their places in the sentence.
void write_numbered(const TreeView& tree, const Vocabulary& names, bool pretty, std::string& out) {
  int depth = 0;
  const auto separate = [&](bool on_new_line) { write_blank(pretty && on_new_line, depth, out); };
  bool behind_phrase = false;
  TreeOrder order;
  order.set(tree);
  order.walk(
      tree,
      [&](int32_t phrase) {
        separate(true);
        out += '(';
        out += names.at(tree.nodes[static_cast<size_t>(phrase)].label);
        ++depth;
        behind_phrase = false;
      },
      [&](int32_t leaf) {
        const uint32_t tag = tree.leaves[static_cast<size_t>(leaf)].tag;
        separate(behind_phrase);  // there, a word starts a new line
        if (tag != kNone) {
          out += '(';
          out += names.at(tag);
          out += ' ';
        }
        out += std::to_string(leaf);
        out += '=';
        out += tree.word(static_cast<size_t>(leaf));
        if (tag != kNone) out += ')';
        behind_phrase = false;
      },
      [&](int32_t) {
        out += ')';
        --depth;
        behind_phrase = true;
      });
}

}  // namespace

void write_brackets(const Columns& columns, size_t index, bool pretty, bool numbered, std::string& out) {
  const TreeView tree = columns.tree(index);
  const Vocabulary& names = columns.vocabulary();
  if (tree.nodes.empty() && tree.leaves.empty()) {
    out += "()";
    return;
  }
  if (numbered || tree.discontinuous) return write_numbered(tree, names, pretty, out);
  const std::vector<int32_t> parents = tree.leaf_parents();
  int depth = 0;
  int32_t node = -1;  // the innermost open phrase
  const auto separate = [&](bool on_new_line) { write_blank(pretty && on_new_line, depth, out); };
  const auto close_until = [&](int32_t parent) {
    const int32_t before = node;
    for (; node != parent && node != -1; node = tree.nodes[static_cast<size_t>(node)].parent, --depth) out += ')';
    return node != before;
  };
  size_t next_node = 0;
  for (size_t leaf = 0; leaf <= tree.leaves.size(); ++leaf) {
    for (; next_node < tree.nodes.size() && tree.nodes[next_node].first <= static_cast<int32_t>(leaf); ++next_node) {
      close_until(tree.nodes[next_node].parent);
      separate(true);
      out += '(';
      out += names.at(tree.nodes[next_node].label);
      node = static_cast<int32_t>(next_node);
      ++depth;
    }
    if (leaf == tree.leaves.size()) break;
    separate(close_until(parents[leaf]));  // after a phrase, a word starts a new line
    const uint32_t tag = tree.leaves[leaf].tag;
    const bool has_bracket = tag != kNone || parents[leaf] == -1;  // outside brackets a word could not be read
    if (has_bracket) {
      out += '(';
      if (tag != kNone) out += names.at(tag);
      out += ' ';
    }
    out += tree.word(leaf);
    if (has_bracket) out += ')';
  }
  close_until(-1);
}

void write_rows(std::span<const Field> fields, size_t begin, size_t end, int64_t first, std::string& out) {
  constexpr size_t kLongest = 400;  // of one number, whatever it is
  char number[kLongest];
  std::vector<char> line;
  for (size_t row = begin; row < end; ++row) {
    line.clear();
    for (const Field& field : fields) {
      char* done = number;
      if (field.kind == Field::Kind::kPercent)
        done = write_percent(field.column[row], field.whole[row], number, number + kLongest);
      else if (field.kind == Field::Kind::kNumber)
        done = std::to_chars(number, number + kLongest, field.column[row]).ptr;
      else
        done = std::to_chars(number, number + kLongest, first + static_cast<int64_t>(row - begin)).ptr;
      for (const char c : field.before) line.push_back(c);
      for (auto blanks = field.width - (done - number); blanks > 0; --blanks) line.push_back(' ');
      for (const char* c = number; c < done; ++c) line.push_back(*c);
    }
    line.push_back('\n');
    out.append(line.data(), line.size());
  }
}

}  // namespace treescore
