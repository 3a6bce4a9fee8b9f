#include "sparseval.hpp"

#include <algorithm>

namespace treescore {
namespace {

constexpr size_t kLongestLine = 80919;  // bytes that the original reads at once
constexpr size_t kUnitsUnpolled = 256;
constexpr std::string_view kRootLabel = "TOP";
constexpr std::string_view kNothing = "(null)";
constexpr std::string_view kRawHeader = " ref del ins sub ";
constexpr size_t kRawGold = 16, kRawTest = 62;  // columns of the words

bool is_blank(char byte) { return byte == ' ' || byte == '\t'; }

// The byte at a place of a line. Every end of a line is a newline here.
char byte_at(std::string_view line, size_t at) {
  if (at >= line.size()) return '\n';
  const char byte = line[at];
  return byte == '\0' || byte == '\xff' ? '\n' : byte;
}

bool at_end(std::string_view line, size_t at) { return byte_at(line, at) == '\n'; }

void skip_blanks(std::string_view line, size_t& at) {
  while (is_blank(byte_at(line, at))) ++at;
}

// Up to a blank or the end of the line.
std::string_view take_field(std::string_view line, size_t& at) {
  const size_t begin = at;
  while (!is_blank(byte_at(line, at)) && !at_end(line, at)) ++at;
  return line.substr(begin, at - begin);
}

bool has(const std::vector<std::string>& list, std::string_view label) {
  return std::find(list.begin(), list.end(), label) != list.end();
}

// Function tags: from the first hyphen or equals sign inside the label on.
std::string_view without_functions(std::string_view label) {
  for (size_t at = 1; at + 1 < label.size(); ++at)
    if (label[at] == '-' || label[at] == '=') return label.substr(0, at);
  return label;
}

HeadRules::Rule rule_of(const std::vector<SparsevalRules::HeadGroup>& groups, Vocabulary& labels) {
  HeadRules::Rule rule;
  for (const SparsevalRules::HeadGroup& group : groups) {
    HeadRules::Group& made = rule.emplace_back(HeadRules::Group{group.from_left, {}});
    for (const std::string& label : group.labels)
      made.labels.push_back(static_cast<int32_t>(labels.intern(label.data(), label.size())));
  }
  return rule;
}

void append_number(std::string& out, int64_t number) { out += std::to_string(number); }

}  // namespace

Sparseval::Sparseval(const SparsevalRules& rules, std::function<void()> poll)
    : rules_(rules), poll_(std::move(poll)), dependencies_(words_, !rules.unlabelled, poll_) {
  root_ = {static_cast<int32_t>(intern(kRootLabel)), flags_of(kRootLabel)};
  for (const SparsevalRules::HeadLine& line : rules.heads)
    heads_.add(static_cast<int32_t>(intern(line.category)), rule_of(line.groups, labels_));
  heads_.set_default(rule_of(rules.default_head, labels_));
  for (const auto& [a, b] : rules.equal_words) words_.add_pair(a, b);
  for (const auto& [group, word] : rules.pauses) words_.add_pause(group, word);
}

// ---- Labels and trees

uint8_t Sparseval::flags_of(std::string_view label) const {
  return static_cast<uint8_t>((has(rules_.closed, label) ? SpeechTree::kClosed : 0) |
                              (has(rules_.deleted, label) ? SpeechTree::kDeletable : 0) |
                              (has(rules_.edits, label) ? SpeechTree::kEdit : 0) |
                              (has(rules_.empty, label) ? SpeechTree::kVoid : 0));
}

Sparseval::Meaning Sparseval::meaning(std::string_view label) {
  const auto read = static_cast<size_t>(intern(label));
  if (read >= meanings_.size()) meanings_.resize(read + 1);
  if (meanings_[read].label < 0) {
    const std::string cut(without_functions(label));
    const auto rewrite = std::find_if(rules_.rewritten.rbegin(), rules_.rewritten.rend(),
                                      [&](const auto& pair) { return pair.first == cut; });
    const std::string& meant = rewrite == rules_.rewritten.rend() ? cut : rewrite->second;
    meanings_[read] = {static_cast<int32_t>(intern(meant)), flags_of(meant)};
  }
  return meanings_[read];
}

bool Sparseval::Lines::read(std::string_view& line) {
  if (next >= text.size()) return false;
  const size_t end = text.find('\n', next);
  const size_t size = std::min(end == std::string_view::npos ? text.size() - next : end + 1 - next, kLongestLine);
  line = text.substr(next, size);
  next += size;
  return true;
}

// Reads a tree, or adds the children of one more to the root.
void Sparseval::read_tree(std::string_view line, size_t at, SpeechTree& tree, Side side, const SparsevalPair& files,
                          bool further) {
  if (byte_at(line, at) != '(') throw SparsevalError("oops, misparse\n");
  const std::string_view missing = side == Side::kGold ? "gU~l" : "tU~l";
  line_ = line;
  doubled_.clear();
  open_.clear();
  const bool checks_rest = at == 0;
  // Skips an opening bracket. A second one immediately after it turns the first into a blank, before which nothing is
  // read.
  const auto open_bracket = [&] {
    if (byte_at(line, at + 1) == '(') {
      doubled_.push_back(at);
      ++at;
      return true;
    }
    ++at;
    return false;
  };
  const auto read_label = [&](bool tabs_end) {
    const size_t begin = at;
    while (!at_end(line, at) && line[at] != ' ' && !(tabs_end && line[at] == '\t')) ++at;
    return line.substr(begin, at - begin);
  };
  if (further) {
    if (!tree[SpeechTree::kRoot].is_inner())
      throw SparsevalError("sparseval: a tree is to be joined to one that has no words left\n");
    if (!open_bracket()) read_label(true);
  } else {
    tree.clear();
    if (!open_bracket()) read_label(false);
    tree.add(root_.label, root_.flags);
  }
  const int32_t last_before = tree[SpeechTree::kRoot].last;
  open_.push_back(SpeechTree::kRoot);
  while (!open_.empty()) {
    const int32_t node = open_.back();
    const char byte = byte_at(line, at);
    if (byte == ')') {
      if (!tree[node].has_word() && !tree[node].is_inner()) tree[node].flags |= SpeechTree::kVoid;
      ++at;
      skip_blanks(line, at);
      open_.pop_back();
      if (open_.empty()) {
        if (checks_rest && !at_end(line, at)) misbracketing(tree, node, files);
      } else if (!tree[node].is(SpeechTree::kVoid)) {
        tree.append(open_.back(), node);
      }
      continue;
    }
    skip_blanks(line, at);
    if (at_end(line, at)) misbracketing(tree, node, files);
    if (line[at] == '(') {
      const std::string_view label = open_bracket() ? std::string_view() : read_label(false);
      const Meaning meant = meaning(label.empty() ? missing : label);
      open_.push_back(tree.add(meant.label, meant.flags));
      continue;
    }
    const size_t begin = at;
    while (!at_end(line, at) && line[at] != ')') ++at;
    tree[node].word = at > begin ? line.substr(begin, at - begin) : missing;
  }
  if (load_deletes_) tree.remove_marked(last_before >= 0 ? tree[last_before].next : tree[SpeechTree::kRoot].first);
}

void Sparseval::misbracketing(const SpeechTree& tree, int32_t node, const SparsevalPair& files) const {
  std::string said;
  write(tree, node, false, said);
  said += "misbracketing:\n";
  const size_t begin = said.size();
  said += line_;
  for (const size_t at : doubled_) said[begin + at] = ' ';
  if (const size_t end = said.find('\0', begin); end != std::string::npos) said.resize(end);
  said += "Node:";
  said += labels_.at(static_cast<uint32_t>(tree[node].label));
  said += "\ngold file: ";
  said += files.gold_name;
  said += "\ntest file ";
  said += files.test_name;
  said += "\n";
  throw SparsevalError(said);
}

// The first tree of a unit. In the test file a line of blanks moves the place where the next one is looked at.
bool Sparseval::first_tree(Lines& lines, SpeechTree& tree, Side side, const SparsevalPair& files) {
  size_t at = 0;
  for (std::string_view line; lines.read(line);) {
    if (side == Side::kGold) at = 0;
    at = std::min(at, line.size());
    skip_blanks(line, at);
    if (at_end(line, at)) continue;
    read_tree(line, at, tree, side, files, false);
    return true;
  }
  return false;
}

void Sparseval::further_trees(Lines& lines, SpeechTree& tree, Side side, const SparsevalPair& files) {
  size_t count = 0;
  for (std::string_view line; lines.read(line);) {
    size_t at = 0;
    skip_blanks(line, at);
    if (!at_end(line, at)) read_tree(line, at, tree, side, files, true);
    if (poll_ && ++count % kUnitsUnpolled == 0) poll_();
  }
}

// ---- Text

void Sparseval::write_leaf(const SpeechTree& tree, int32_t node, std::string& out) const {
  out += '(';
  out += labels_.at(static_cast<uint32_t>(tree[node].label));
  out += ' ';
  out += tree[node].has_word() ? tree[node].word : kNothing;
  out += ')';
}

// Each child of the node on a separate line.
void Sparseval::write(const SpeechTree& tree, int32_t top, bool with_heads, std::string& out) const {
  if (!tree[top].is_inner()) return write_leaf(tree, top, out);
  for (int32_t child = tree[top].first; child >= 0; child = tree[child].next) {
    out += '(';
    out += labels_.at(static_cast<uint32_t>(tree[top].label));
    for (int32_t node = child; node >= 0;) {
      out += ' ';
      if (tree[node].is_inner()) {
        out += '(';
        out += labels_.at(static_cast<uint32_t>(tree[node].label));
        if (with_heads && tree[node].head >= 0) {
          out += '^';
          out += tree[tree[node].head].word;
        }
        node = tree[node].first;
        continue;
      }
      write_leaf(tree, node, out);
      while (node != child && tree[node].next < 0) {
        node = tree[node].parent;
        out += ')';
      }
      node = node == child ? -1 : tree[node].next;
    }
    out += ")\n";
  }
}

// ---- Rows of aligned words

int32_t Sparseval::add_row(int32_t after) {
  const auto row = static_cast<int32_t>(aligned_.size());
  aligned_.emplace_back();
  if (after >= 0) {
    aligned_.back().next = aligned_[static_cast<size_t>(after)].next;
    aligned_[static_cast<size_t>(after)].next = row;
  }
  return row;
}

Sparseval::Row& Sparseval::add_numbered_row() {
  const auto number = static_cast<int32_t>(aligned_.size());
  Row& row = aligned_[static_cast<size_t>(add_row(number - 1))];
  row.unit = static_cast<int32_t>(rows_.size());
  row.number = number + 1;
  return row;
}

void Sparseval::rows_from_words(const SpeechTree& gold) {
  aligned_.clear();
  for (int32_t node = SpeechTree::kRoot; node >= 0;) {
    if (gold[node].has_word()) add_numbered_row().gold = gold[node].word;
    node = gold[node].has_word() ? gold.next_beside(node) : gold.next_opening(node);
  }
}

void Sparseval::rows_from_file(std::string_view alignment) {
  aligned_.clear();
  Lines lines{alignment};
  for (std::string_view line; lines.read(line);) {
    size_t at = 0;
    const std::string_view gold = take_field(line, at);
    skip_blanks(line, at);
    const std::string_view test = take_field(line, at);
    Row& row = add_numbered_row();
    if (!gold.empty()) row.gold = gold;
    if (at_end(line, at)) {
      if (test != "100") throw SparsevalError("disagreement in alignment c\n");
      row.deleted = true;
      continue;
    }
    skip_blanks(line, at);
    const char inserted = byte_at(line, at + 1);
    if (gold.empty() && inserted == '0')
      throw SparsevalError(std::string(line.substr(0, line.find('\0'))) + "\ndisagreement in alignment a\n");
    if (!gold.empty() && inserted == '1') throw SparsevalError("disagreement in alignment b\n");
    if (test != gold) row.test = test;
  }
  if (aligned_.empty()) throw SparsevalError("no alignment data in file!\n\n");
}

void Sparseval::rows_from_columns(std::string_view raw) {
  aligned_.clear();
  Lines lines{raw};
  std::string_view line;
  while (lines.read(line) && !line.starts_with(kRawHeader)) {
  }
  while (lines.read(line) && !at_end(line, 0)) {
    const auto word_from = [&](size_t at) {
      skip_blanks(line, at);
      return at < line.size() ? take_field(line, at) : std::string_view("");
    };
    Row& row = aligned_[static_cast<size_t>(add_row(static_cast<int32_t>(aligned_.size()) - 1))];
    const char deleted = byte_at(line, 7);
    row.deleted = deleted == '0' || deleted == '1';
    if (byte_at(line, 3) == '1') row.gold = word_from(kRawGold);
    if (!row.deleted)
      if (const std::string_view test = word_from(kRawTest); test != row.gold) row.test = test;
  }
  if (aligned_.empty()) throw SparsevalError("no alignment data in file!\n\n");
}

bool Sparseval::joins(SpokenWord word, SpokenWord first, int32_t next, Side side) const {
  if (next < 0) return false;
  const Row& row = aligned_[static_cast<size_t>(next)];
  SpokenWord second = side == Side::kTest && is_there(row.test) ? row.test : row.gold;
  if (!is_there(second)) second = kNothing;
  std::string both(first);
  both += second;
  return word == both || WordEquivalence::same_surface(both, word) ||
         word == std::string(first) + "-" + std::string(second);
}

// Gives each word of a tree its row; words and rows may be cut or joined to fit.
void Sparseval::walk(SpeechTree& tree, Side side, bool skips_deletable) {
  const bool is_gold = side == Side::kGold;
  const std::string_view name = is_gold ? "gold" : "test";
  const auto row_at = [&](int32_t row) -> Row& { return aligned_[static_cast<size_t>(row)]; };
  const auto place = [](const Row* row, int32_t more) {
    std::string text = "(";
    append_number(text, row ? row->unit : -1);
    text += ',';
    append_number(text, row ? row->number + more : -1);
    return text + ")";
  };
  int32_t at = aligned_.empty() ? -1 : 0;
  for (int32_t node = SpeechTree::kRoot; node >= 0; node = tree.next_opening(node)) {
    if (!tree[node].has_word() || (skips_deletable && tree[node].is(SpeechTree::kDeletable))) continue;
    const SpokenWord word = tree[node].word;
    const int32_t from = at;
    while (at >= 0 && (is_gold ? !is_there(row_at(at).gold) : row_at(at).deleted)) at = row_at(at).next;
    if (at < 0) {
      std::string said = "warning: " + std::string(name) + " mis-alignment: ";
      said += place(from >= 0 ? &row_at(from) : nullptr, 0) + " ";
      throw SparsevalError(said + std::string(word) + "\n");
    }
    (is_gold ? row_at(at).gold_leaf : row_at(at).test_leaf) = node;
    const bool has_own = is_gold || is_there(row_at(at).test);
    SpokenWord& there = is_gold || !has_own ? row_at(at).gold : row_at(at).test;
    if (word == there) {
      at = row_at(at).next;
    } else if (has_own && word.size() < there.size() && there.starts_with(word)) {
      const SpokenWord rest = there.substr(word.size());
      there = word;
      if (is_gold) {
        const int32_t added = add_row(at);
        Row& row = row_at(at);
        row_at(added).gold = rest;
        row_at(added).deleted = is_there(row.test) || row.deleted;
        if (row.test == word) row.test = {};
      } else if (const int32_t next = row_at(at).next; next >= 0 && row_at(next).deleted) {
        row_at(next).deleted = false;
        row_at(next).test = rest;
      } else {
        row_at(add_row(at)).test = rest;
      }
      at = row_at(at).next;
    } else {
      const int32_t next = row_at(at).next;
      if (joins(word, there, next, side)) {
        at = row_at(next).next;
      } else {
        warnings_ += "warning, potential " + std::string(name) + " mis-alignment ";
        warnings_ += place(&row_at(at), 1) + ": ";
        warnings_ += word;
        warnings_ += ' ';
        warnings_ += there;
        warnings_ += '\n';
        at = next;
      }
    }
  }
}

// ---- Units

void Sparseval::score(const SparsevalPair& files) {
  const bool aligned = files.alignment.has_value();
  load_deletes_ = aligned || rules_.bag;
  if (aligned) rows_from_file(*files.alignment);
  Lines gold{files.gold}, test{files.test};
  while (first_tree(gold, gold_, Side::kGold, files)) {
    const bool whole_files = rules_.whole_files || aligned;
    if (whole_files) further_trees(gold, gold_, Side::kGold, files);
    if (!first_tree(test, test_, Side::kTest, files))
      throw SparsevalError("file length mismatch (files): " + std::string(files.gold_name) + " " +
                           std::string(files.test_name) + "\n");
    if (whole_files) further_trees(test, test_, Side::kTest, files);
    score_unit(aligned);
    if (poll_ && rows_.size() % kUnitsUnpolled == 0) poll_();
  }
}

void Sparseval::score_unit(bool aligned) {
  for (SpeechTree* tree : {&gold_, &test_})
    if (!tree->normalise_edits(true))
      throw SparsevalError("sparseval: an edit label on a word beside another edit is not defined\n");
  bool in_bag = rules_.bag && !aligned;
  if (!in_bag && !aligned) {
    rows_from_words(gold_);
    in_bag = aligned_.empty();
  }
  SparsevalRow row;
  if (!in_bag) {
    walk(gold_, Side::kGold, false);
    walk(test_, Side::kTest, false);
    int32_t position = 0;
    for (int32_t at = 0; at >= 0; at = aligned_[static_cast<size_t>(at)].next, ++position) {
      const Row& found = aligned_[static_cast<size_t>(at)];
      if (found.gold_leaf >= 0) gold_[found.gold_leaf].row = position;
      if (found.test_leaf < 0) continue;
      test_[found.test_leaf].row = position;
      if (!aligned && found.gold_leaf >= 0 && gold_[found.gold_leaf].is(SpeechTree::kDeletable))
        test_[found.test_leaf].flags |= SpeechTree::kDeletable;
    }
  }
  for (SpeechTree* tree : {&gold_, &test_}) {
    tree->remove_marked();
    if (!in_bag) tree->set_spans();
  }
  gold_dependencies_.clear();
  test_dependencies_.clear();
  if (rules_.has_heads) {
    try {
      find_heads(gold_, heads_, !in_bag);
      find_heads(test_, heads_, !in_bag);
    } catch (const NoHead&) {
      throw SparsevalError("Head rules with insufficient default conditions");
    }
    const auto find = in_bag ? dependencies_in_sequence : dependencies_by_position;
    find(gold_, kRootLabel, gold_dependencies_);
    find(test_, kRootLabel, test_dependencies_);
    const DependencyCounts found = in_bag ? dependencies_.in_band(gold_dependencies_, test_dependencies_)
                                          : dependencies_.by_position(gold_dependencies_, test_dependencies_);
    row.head_matched = found.matched;
    row.head_gold = found.gold;
    row.head_test = found.test;
    row.open_matched = found.open_matched;
    row.open_gold = found.open_gold;
    row.open_test = found.open_test;
  }
  if (!in_bag) {
    gold_brackets_.clear();
    test_brackets_.clear();
    gold_.append_brackets(!rules_.unlabelled, gold_brackets_);
    test_.append_brackets(!rules_.unlabelled, test_brackets_);
    const BracketMatcher::Result found = brackets_.count(gold_brackets_, test_brackets_, {}, true);
    row.matched = found.matched;
    row.crossing = found.crossing;
    row.gold = static_cast<int64_t>(gold_brackets_.size());
    row.test = static_cast<int64_t>(test_brackets_.size());
  }
  rows_.push_back(row);
}

// ---- The companions

void Sparseval::annotate(std::string_view trees, std::string_view name, std::string& out) {
  const SparsevalPair files{trees, {}, name, {}, {}};
  load_deletes_ = true;
  Lines lines{trees};
  for (std::string_view line; lines.read(line);) {
    size_t at = 0;
    skip_blanks(line, at);
    if (at < line.size() && line[at] == '\n') continue;
    read_tree(line, at, gold_, Side::kGold, files, false);
    try {
      find_heads(gold_, heads_, false);
    } catch (const NoHead&) {
      throw SparsevalError("Head rules with insufficient default conditions");
    }
    write(gold_, SpeechTree::kRoot, true, out);
  }
}

std::string Sparseval::realign(const SparsevalPair& files, std::string_view raw) {
  load_deletes_ = false;
  rows_from_columns(raw);
  Lines gold{files.gold}, test{files.test};
  if (!first_tree(gold, gold_, Side::kGold, files) || !first_tree(test, test_, Side::kTest, files))
    throw SparsevalError("strealign: a file without trees cannot be aligned\n");
  further_trees(gold, gold_, Side::kGold, files);
  further_trees(test, test_, Side::kTest, files);
  walk(gold_, Side::kGold, true);
  walk(test_, Side::kTest, true);
  std::string out;
  for (int32_t at = 0; at >= 0; at = aligned_[static_cast<size_t>(at)].next) {
    const Row& row = aligned_[static_cast<size_t>(at)];
    if (row.gold_leaf < 0 && row.test_leaf < 0) continue;
    const SpokenWord gold_word = row.gold_leaf >= 0 ? gold_[row.gold_leaf].word : SpokenWord();
    const SpokenWord test_word = row.test_leaf >= 0 ? test_[row.test_leaf].word : SpokenWord();
    for (const SpokenWord word : {gold_word, test_word}) {
      out += word;
      out += word.size() < 8 ? "\t\t" : "\t";
    }
    const bool both = is_there(gold_word) && is_there(test_word);
    out += is_there(test_word) ? '0' : '1';
    out += is_there(gold_word) ? '0' : '1';
    out += both && !words_.same(gold_word, test_word) ? '1' : '0';
    out += '\n';
  }
  return out;
}

}  // namespace treescore
