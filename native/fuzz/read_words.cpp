// The readers of words with their times: columns are sound, and corrected times follow one another.
#include <algorithm>
#include <cmath>

#include "../text_grid.hpp"
#include "../word_columns.hpp"
#include "fuzz.hpp"

using namespace treescore;
using namespace treescore::fuzz;

namespace {

enum class Kind { kTable, kCtm, kLines, kGrid };

void check_sound(const WordColumns& columns) {
  require(columns.ends.size() == columns.size() + 1 && columns.ends.front() == 0, "every utterance has an end");
  require(std::is_sorted(columns.ends.begin(), columns.ends.end()), "utterances are in order");
  require(columns.ends.back() == columns.words.size(), "every word is in an utterance");
  require(columns.times.size() == columns.words.size() && columns.lines.size() == columns.words.size(),
          "a column has every word");
  for (size_t word = 0; word < columns.words.size(); ++word)
    require(columns.words[word] < columns.texts.size(), "every word has a text");
  for (const WordColumns::Utterance& utterance : columns.utterances)
    for (const uint32_t name : {utterance.id, utterance.speaker, utterance.file, utterance.channel})
      require(name == kNone || name < columns.names.size(), "every name is known");
}

void check_faults(const std::vector<LineFault>& faults, Kind kind, std::string_view text, const WordColumns& columns) {
  uint32_t last = 0;
  for (const LineFault& fault : faults) {
    require(fault.line > last || (kind == Kind::kCtm && fault.line == last && last > 0),
            "faults are in order of lines");
    last = fault.line;
    require(fault.begin <= fault.end && fault.end <= text.size(), "a faulty line is in the text");
    if (fault.kind == LineFaultKind::kOther)
      require(fault.place <= columns.size(), "a line for another reader is before or behind utterances");
  }
}

void read_grid(std::string_view text, bool chronological, const uint8_t leave_out, WordColumns& out) {
  Progress progress;
  TextGrid grid(text);
  grid.read(chronological, progress);
  if (grid.fault()) require(grid.fault()->at <= text.size(), "a fault is in the text");
  std::vector<uint8_t> kept(grid.texts().size());
  for (size_t word = 0; word < kept.size(); ++word) kept[word] = leave_out == 0 || word % leave_out != 0;
  for (const TextGrid::Tier& tier : grid.tiers()) {
    uint64_t begin = 0;
    for (const TextGrid::Label& label : tier.labels) {
      require(begin <= label.end && label.line > 0, "labels are in order");
      begin = label.end;
    }
    require(begin == tier.words.size(), "every word is in a label");
    grid.are_utterances(tier, kept);
    const size_t before = out.words.size();
    grid.append(tier, kept, out);
    require(leave_out > 0 || out.words.size() == before + tier.words.size(), "a tier keeps its words");
  }
}

// All times of an utterance after they have been corrected.
void check_times(WordColumns& columns, size_t utterance) {
  const size_t begin = columns.begin_of(utterance), size = columns.end_of(utterance) - begin;
  const std::span<WordTimes> times(columns.times.data() + begin, size);
  WordTimes limits{columns.utterances[utterance].begin, columns.utterances[utterance].end};
  std::vector<TimeFault> faults;
  correct_times(times, limits, utterance, faults);
  double last = 0;
  for (const WordTimes& when : times) {
    if (!when.are_known()) continue;
    require(when.begin >= last && when.end > when.begin && std::isfinite(when.end), "words follow one another");
    last = when.end;
  }
  require(!limits.are_known() || limits.begin <= limits.end, "an utterance does not end before it begins");
  for (const TimeFault& fault : faults)
    require(fault.utterance == utterance && fault.word <= size, "a fault belongs to a word");
  const size_t count = faults.size();
  correct_times(times, limits, utterance, faults);
  require(faults.size() == count, "corrected times are not corrected again");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  Input options = options_of(data, size);
  const std::string_view text = text_of(data, size);
  const auto kind = static_cast<Kind>(options.below(4));
  const bool flag = options.flag(), usable_only = options.flag();
  const uint8_t leave_out = options.byte(), choices = options.byte();
  Progress progress;
  WordColumns columns;
  std::vector<LineFault> faults;
  if (kind == Kind::kTable) {
    TableLayout layout{3 + choices % 4, 0, 1, 2, -1, -1, -1, -1, {}};
    if (layout.columns > 3) layout.keys.push_back(layout.id = 3);
    if (layout.columns > 4) layout.keys.push_back(layout.speaker = 4);
    if (layout.columns > 5) layout.channel = 5;
    read_word_table(text, 1, layout, progress, columns, faults);
  } else if (kind == Kind::kCtm) {
    read_ctm(text, flag, progress, columns, faults);
  } else if (kind == Kind::kLines) {
    read_word_lines(text, progress, columns, faults);
  } else {
    read_grid(text, flag, leave_out, columns);
  }
  check_sound(columns);
  check_faults(faults, kind, text, columns);
  const size_t words = columns.words.size();
  for (size_t utterance = 0; utterance < columns.size(); ++utterance) {
    put_in_order(columns, utterance, usable_only);
    require(!put_in_order(columns, utterance, usable_only), "words that are in order stay in order");
    check_times(columns, utterance);
  }
  std::vector<uint8_t> texts(columns.texts.size()), utterances(columns.size());
  for (size_t id = 0; id < texts.size(); ++id) texts[id] = leave_out == 0 || id % leave_out != 0;
  for (size_t utterance = 0; utterance < utterances.size(); ++utterance)
    utterances[utterance] = choices % 2 == 0 || utterance % 3 != 1;
  keep_only(columns, texts, utterances);
  check_sound(columns);
  require(columns.words.size() <= words, "words are left out, not added");
  double number = 0;
  parse_number(text, number);
  for (size_t at = 0; at < text.size(); ++at)
    require(blank_size(text, at) <= text.size() - at, "a blank is in the text");
  return 0;
}
