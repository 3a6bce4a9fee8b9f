// Shared by all fuzzers: options from the first bytes of an input, trees from the rest, and checks.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "../graph_reader.hpp"
#include "../names.hpp"
#include "../reader.hpp"
#include "../rules.hpp"
#include "../spans.hpp"
#include "../treebank.hpp"

namespace treescore::fuzz {

// Ends the process if a law does not hold, so that the fuzzer keeps the input.
inline void require(bool holds, const char* law) {
  if (holds) return;
  std::fprintf(stderr, "this does not hold: %s\n", law);
  std::abort();
}

// Numbers from the front of an input, 0 after its end, and the text that is left.
class Input {
 public:
  Input(const uint8_t* data, size_t size) : rest_(reinterpret_cast<const char*>(data), size) {}

  uint8_t byte() {
    if (rest_.empty()) return 0;
    const char first = rest_.front();
    rest_.remove_prefix(1);
    return static_cast<uint8_t>(first);
  }
  bool flag() { return (byte() & 1) != 0; }
  uint32_t below(uint32_t count) { return byte() % count; }
  std::string_view rest() const { return rest_; }
  bool empty() const { return rest_.empty(); }

 private:
  std::string_view rest_;
};

// The bytes before the text of trees: each has the options of one fuzzer. The mutator of trees leaves them alone.
constexpr size_t kOptions = 8;

inline Input options_of(const uint8_t* data, size_t size) { return {data, std::min(size, kOptions)}; }
inline std::string_view text_of(const uint8_t* data, size_t size) {
  const size_t options = std::min(size, kOptions);
  return {reinterpret_cast<const char*>(data) + options, size - options};
}

// A text in parts that end with a zero byte.
inline std::string_view take_part(std::string_view& text) {
  const size_t end = std::min(text.find('\0'), text.size());
  const std::string_view part = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return part;
}

// Trees of gold and test in turn, in one treebank.
struct Pairs {
  std::shared_ptr<Columns> trees = std::make_shared<Columns>(std::make_shared<Vocabulary>());

  size_t size() const { return trees->size() / 2; }
  static size_t gold(size_t pair) { return 2 * pair; }
  static size_t test(size_t pair) { return 2 * pair + 1; }
};

enum class Form { kLabelled, kLabelless, kNumbered, kSpans };

inline Pairs read_pairs(std::string_view text, Form form) {
  Pairs pairs;
  if (form == Form::kNumbered) {
    read_discbracket(text, true, *pairs.trees, nullptr);
    return pairs;
  }
  read_brackets(text, Layout::kLine, form == Form::kLabelless, *pairs.trees, nullptr);
  if (form != Form::kSpans) return pairs;
  Pairs placed;
  place_spans(*pairs.trees, 0, pairs.trees->size(), *placed.trees, nullptr);
  return placed;
}

// Labels and tags as they are, or some of them equal, deleted or flagged, by the bits of `choices`.
inline SideRules side_rules(const Vocabulary& names, uint8_t choices) {
  SideRules rules;
  for (uint32_t id = 0; id < names.size(); ++id) {
    const std::string_view name = names.at(id);
    const uint32_t kind = name.empty() ? 0 : static_cast<uint8_t>(name.front()) % 8;
    rules.label_key.push_back((choices & 1) != 0 && kind == 1 ? 0 : id);
    rules.tag_key.push_back(rules.label_key.back());
    uint8_t label_deleted = 0, tag_flags = 0;
    if ((choices & 2) != 0 && kind == 2) label_deleted = 1;
    if ((choices & 4) != 0 && kind == 3) label_deleted = SideRules::kDeletedWithWords;
    if ((choices & 8) != 0 && kind == 4) tag_flags = SideRules::kDeleted | SideRules::kListed;
    if ((choices & 16) != 0 && kind == 5) tag_flags = SideRules::kQuote | SideRules::kDeleted;
    if ((choices & 32) != 0 && kind == 6) tag_flags = SideRules::kAside;
    if ((choices & 64) != 0 && kind == 7) tag_flags = SideRules::kUncounted;
    rules.sets_aside |= (tag_flags & SideRules::kAside) != 0;
    rules.deletes_phrases |= label_deleted == SideRules::kDeletedWithWords;
    rules.label_deleted.push_back(label_deleted);
    rules.tag_flags.push_back(tag_flags);
  }
  if ((choices & 128) != 0) rules.outer_labels = {"ROOT", "S1", "TOP"};
  return rules;
}

// The rows of an engine for all pairs, by columns.
template <class Row>
class RowsOf {
 public:
  explicit RowsOf(size_t size) : numbers_(Row::kNames.size() * size), size_(size) {}
  ColumnsOf<Row> columns() {
    ColumnsOf<Row> out;
    for (size_t place = 0; place < out.size(); ++place) out[place] = numbers_.data() + place * size_;
    return out;
  }

 private:
  std::vector<int64_t> numbers_;
  size_t size_;
};

template <class Row>
bool same_row(const Row& a, const Row& b) {
  using Values = std::array<int64_t, Row::kNames.size()>;
  return std::bit_cast<Values>(a) == std::bit_cast<Values>(b);
}

// What every metric's row over all sentences obeys.
template <class Row>
void check_outcome(const Row& row) {
  require(row.failed + row.excluded + row.gold_faults + row.lost <= 1, "a row has one outcome");
  require(row.gold_all >= 0 && row.test_all >= 0, "counts are not negative");
  require(!row.failed || row.test_all >= row.gold_all, "a failed row has no fewer items in test than in gold");
}

}  // namespace treescore::fuzz

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);
