// What the report page stores of trees and verdicts: columns of bytes with a piece for each sentence. Integers are in
// groups of seven bits, the lowest first.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "treebank.hpp"

namespace treescore {

// Bytes of consecutive sentences, with the end of each piece.
struct Pieces {
  std::string bytes;
  std::vector<int64_t> ends;

  void add(uint64_t value) {
    for (; value >= 128; value >>= 7) bytes += static_cast<char>((value & 127) | 128);
    bytes += static_cast<char>(value);
  }
  void add_signed(int64_t value) { add(static_cast<uint64_t>(value >= 0 ? 2 * value : -2 * value - 1)); }
  void finish() { ends.push_back(static_cast<int64_t>(bytes.size())); }
};

// The flags of a stored tree.
enum class TreeFlag : uint8_t { kAbsent = 1, kOrder = 2, kOwnWords = 4 };

// The trees of one side. An item is a phrase, a tag with its word, or a word without a tag.
class PageTrees {
 public:
  // `numbers` has the number of each symbol, or -1: of names as phrases, of names as tags, and of words without a tag.
  // Further symbols are numbered from `next` on.
  PageTrees(std::vector<int32_t> numbers, int32_t next) : numbers_(std::move(numbers)), next_(next) {}

  void add(const TreeView& tree, bool has_own_words);
  void add_absent();

  Pieces head, items, ups, order;
  const std::vector<int32_t>& new_symbols() const { return new_symbols_; }  // places in `numbers`, in order

 private:
  int32_t number(size_t symbol);

  std::vector<int32_t> numbers_;
  int32_t next_;
  std::vector<int32_t> new_symbols_;
  std::vector<int32_t> leaves_;
};

// The verdicts of one pair, in parallel columns; gold first.
struct PairVerdicts {
  std::span<const int32_t> side, number, partner, crossing;
  std::span<const double> iou, start, end;
};

// The numbers by which labels are compared, for each name of each side; `same` distinguishes the names themselves.
struct ComparedNames {
  std::span<const int32_t> labels[2], tags[2], same[2];
};

// The outcomes of the nodes of all pairs by one metric.
class PageVerdicts {
 public:
  // `columns` has for each compared number its column of `credits`, or -1.
  PageVerdicts(const ComparedNames& names, size_t compared, std::span<const int32_t> columns, size_t credit_columns)
      : missing_in(compared),
        extra_in(compared),
        alone_gold(compared),
        alone_test(compared),
        credits(credit_columns),
        nodes(credit_columns),
        names_(names),
        columns_(columns) {}

  void add(const TreeView& gold, const TreeView& test, const PairVerdicts& verdicts);
  void add_absent();

  Pieces head, gold, test, details;
  Pieces missing, extra;                        // the compared numbers of each sentence, after how many there are
  std::vector<int32_t> confused;                // pairs of compared numbers
  std::vector<int64_t> confused_ends;           // of the pairs of each sentence
  std::vector<int64_t> missing_in, extra_in;    // in how many sentences a label is missing or extra
  std::vector<int64_t> alone_gold, alone_test;  // how many nodes have no twin
  // For each column and sentence, the overlap of the nodes with a label in millionths, and the number of the nodes.
  std::vector<std::vector<int64_t>> credits, nodes;

 private:
  struct Shape {  // nodes in the order in which they open
    std::vector<uint32_t> names;
    std::vector<uint8_t> is_phrase;
    std::vector<std::vector<int32_t>> leaves;  // of each node, if one of the trees is discontinuous
    void set(const TreeView& tree, bool with_leaves);
  };
  int32_t compared(int side, int32_t node) const;
  void mark(const PairVerdicts& verdicts, size_t golds);
  void find_twins(const PairVerdicts& verdicts, size_t golds, bool with_leaves);
  void count(const PairVerdicts& verdicts, size_t golds);
  static void add_set(std::vector<int32_t>& numbers, Pieces& out, std::vector<int64_t>& sentences);

  ComparedNames names_;
  std::span<const int32_t> columns_;
  Shape shapes_[2];
  std::vector<int32_t> twins_;  // the row of the twin of each row, or -1
  std::string marks_[2];
};

}  // namespace treescore
