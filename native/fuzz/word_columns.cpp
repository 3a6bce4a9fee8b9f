// Readers of words with times: columns have the same length, corrected times increase, and words of a text are kept.
#include "../word_columns.hpp"

#include "../text_grid.hpp"
#include "fuzz.hpp"

using namespace treescore;
using namespace treescore::fuzz;

namespace {

void check_columns(const WordColumns& columns) {
  require(columns.times.size() == columns.words.size(), "a time for each word");
  require(columns.lines.size() == columns.words.size(), "a line for each word");
  require(columns.ends.size() == columns.size() + 1, "an end for each utterance");
  require(columns.ends.back() == columns.words.size(), "each word is in an utterance");
  for (size_t utterance = 0; utterance < columns.size(); ++utterance)
    require(columns.begin_of(utterance) <= columns.end_of(utterance), "utterances are in order");
  for (size_t word = 0; word < columns.words.size(); ++word)
    require(columns.words[word] < columns.texts.size(), "each word has a text");
}

void check_corrected(WordColumns& columns) {
  std::vector<TimeFault> faults;
  for (size_t utterance = 0; utterance < columns.size(); ++utterance) {
    put_in_order(columns, utterance, true);
    const size_t begin = columns.begin_of(utterance), size = columns.end_of(utterance) - begin;
    const std::span<WordTimes> times(columns.times.data() + begin, size);
    WordTimes limits{columns.utterances[utterance].begin, columns.utterances[utterance].end};
    correct_times(times, limits, utterance, faults);
    double last = 0;
    for (const WordTimes& when : times) {
      if (!when.are_known()) continue;
      require(last <= when.begin && when.begin < when.end, "corrected times increase");
      last = when.end;
    }
    const size_t before = faults.size();
    correct_times(times, limits, utterance, faults);
    require(faults.size() == before, "corrected times need no correction");
  }
}

void check_lines(const std::vector<LineFault>& faults, std::string_view text) {
  uint32_t last = 0;
  for (const LineFault& fault : faults) {
    require(fault.begin <= fault.end && fault.end <= text.size(), "a fault is in the text");
    require(last < fault.line, "a line has at most one fault");
    last = fault.line;
  }
}

void check_grid(std::string_view text, bool chronological) {
  Progress progress;
  TextGrid grid(text);
  grid.read(chronological, progress);
  const std::vector<uint8_t> kept(grid.texts().size(), 1);
  for (const TextGrid::Tier& tier : grid.tiers()) {
    WordColumns columns;
    grid.are_utterances(tier, kept);
    grid.append(tier, kept, columns);
    check_columns(columns);
    require(columns.words.size() == tier.words.size(), "a tier keeps its words");
    check_corrected(columns);
  }
  if (grid.fault()) require(grid.fault()->at <= text.size(), "a fault is in the text");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  const uint8_t kind = data[0];
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  if (kind % 4 == 3) {
    check_grid(text, kind & 4);
    return 0;
  }
  Progress progress;
  WordColumns columns;
  std::vector<LineFault> faults;
  const TableLayout layout =
      kind & 4 ? TableLayout{4, 1, 2, 3, 0, -1, -1, -1, {0}} : TableLayout{5, 0, 1, 2, -1, -1, 3, 4, {3, 4}};
  if (kind % 4 == 0) read_word_table(text, 1, layout, progress, columns, faults);
  if (kind % 4 == 1) read_ctm(text, kind & 4, progress, columns, faults);
  if (kind % 4 == 2) read_word_lines(text, progress, columns, faults);
  check_columns(columns);
  if (kind % 4 != 1) check_lines(faults, text);
  check_corrected(columns);
  const std::vector<uint8_t> texts(columns.texts.size(), kind & 8 ? 1 : 0), utterances(columns.size(), 1);
  keep_only(columns, texts, utterances);
  check_columns(columns);
  return 0;
}
