#include "text.hpp"

#include <algorithm>
#include <charconv>

namespace treescore {
namespace {

constexpr int kDeepestIndent = 60;  // levels; deeper phrases stay there, so that a page is not lost to blanks

void write_escaped(std::string_view text, std::string& out) {
  for (const char c : text) {
    switch (c) {
      case '(':
        out += "-LRB-";
        break;
      case ')':
        out += "-RRB-";
        break;
      case ' ':
      case '\t':
      case '\n':
      case '\v':
      case '\f':
      case '\r':
        out += '_';
        break;
      default:
        out += c;
    }
  }
}

void write_padded(const char* text, size_t size, int width, std::string& out) {
  if (size < static_cast<size_t>(width)) out.append(static_cast<size_t>(width) - size, ' ');
  out.append(text, size);
}

}  // namespace

void write_brackets(const Columns& columns, size_t index, bool pretty, std::string& out) {
  const TreeView tree = columns.tree(index);
  const Vocabulary& names = columns.vocabulary();
  if (tree.nodes.empty() && tree.leaves.empty()) {
    out += "()";
    return;
  }
  const std::vector<int32_t> parents = tree.leaf_parents();
  int depth = 0;
  int32_t node = -1;  // the innermost open phrase
  const auto separate = [&](bool phrase) {
    if (out.empty()) return;
    if (pretty && phrase && depth > 0) {
      out += '\n';
      out.append(static_cast<size_t>(2 * std::min(depth, kDeepestIndent)), ' ');
    } else {
      out += ' ';
    }
  };
  const auto close_until = [&](int32_t parent) {
    for (; node != parent && node != -1; node = tree.nodes[static_cast<size_t>(node)].parent, --depth) out += ')';
  };
  size_t next_node = 0;
  for (size_t leaf = 0; leaf <= tree.leaves.size(); ++leaf) {
    for (; next_node < tree.nodes.size() && tree.nodes[next_node].first <= static_cast<int32_t>(leaf); ++next_node) {
      close_until(tree.nodes[next_node].parent);
      separate(true);
      out += '(';
      write_escaped(names.at(tree.nodes[next_node].label), out);
      node = static_cast<int32_t>(next_node);
      ++depth;
    }
    if (leaf == tree.leaves.size()) break;
    close_until(parents[leaf]);
    separate(false);
    const uint32_t tag = tree.leaves[leaf].tag;
    if (tag != kNone) {
      out += '(';
      write_escaped(names.at(tag), out);
      out += ' ';
    }
    write_escaped(tree.word(leaf), out);
    if (tag != kNone) out += ')';
  }
  close_until(-1);
}

void write_rows(std::span<const Field> fields, std::span<const std::span<const int64_t>> columns, size_t begin,
                size_t end, int64_t first, std::string& out) {
  char buffer[400];
  for (size_t row = begin; row < end; ++row) {
    for (const Field& field : fields) {
      out += field.before;
      std::to_chars_result done{};
      if (field.kind == Field::Kind::kPercent) {
        const int64_t whole = columns[field.whole][row];
        const double value =
            whole == 0 ? 0.0 : 100.0 * static_cast<double>(columns[field.column][row]) / static_cast<double>(whole);
        done = std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::fixed, 2);
      } else {
        const int64_t value = field.kind == Field::Kind::kRowNumber ? first + static_cast<int64_t>(row - begin)
                                                                    : columns[field.column][row];
        done = std::to_chars(buffer, buffer + sizeof buffer, value);
      }
      write_padded(buffer, static_cast<size_t>(done.ptr - buffer), field.width, out);
    }
    out += '\n';
  }
}

}  // namespace treescore
