// Words with their heads, many sentences in columns: read from CoNLL-U files, or derived from trees by head rules.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "head_rules.hpp"
#include "names.hpp"
#include "treebank.hpp"

namespace treescore {

constexpr int32_t kRootHead = -1, kNoHead = -2;  // a word that depends on the root; one without a head

// An edge of the enhanced graph.
struct DependencyEdge {
  int32_t head;  // a word of the file, or the root
  uint32_t label;
};

struct DependencyColumns {
  Vocabulary forms, names;  // of FORM, and of all other columns; relations of trees are labels of their treebank

  // Lists of begins have one entry more than there are things.
  std::vector<uint32_t> line;                            // of each sentence
  std::vector<uint32_t> sentence_token, sentence_word;   // where each sentence begins
  std::vector<uint32_t> token_form, token_word;          // of each surface token: its form, and its first word
  std::vector<uint8_t> is_range;                         // of each token: it was written as a range, such as 3-4
  std::vector<uint32_t> form, lemma, upos, xpos, feats;  // of each word
  std::vector<uint32_t> relation;
  std::vector<int32_t> head;
  std::vector<uint32_t> word_edge;  // where the edges of each word begin
  std::vector<DependencyEdge> edges;

  size_t sentences() const { return line.size(); }
  size_t tokens() const { return token_form.size(); }
  size_t words() const { return head.size(); }
  void begin_sentence(uint32_t at);
  void begin_token(uint32_t token, bool range);
  void close();  // the last entries of the lists of begins
};

// Faults of a line or a sentence of a CoNLL-U file. The messages are in readers/conllu.py.
#define TREESCORE_CONLLU_FAULTS(VALUE) \
  VALUE(kColumns, COLUMNS)             \
  VALUE(kNoForm, NO_TABS)              \
  VALUE(kComment, COMMENT)             \
  VALUE(kId, ID)                       \
  VALUE(kRange, RANGE)                 \
  VALUE(kEmptyForm, EMPTY_FORM)        \
  VALUE(kEmptyNode, EMPTY_NODE)        \
  VALUE(kHead, HEAD)                   \
  VALUE(kHeadOutside, HEAD_OUTSIDE)    \
  VALUE(kCycle, CYCLE)                 \
  VALUE(kRoots, ROOTS)                 \
  VALUE(kEdges, EDGES)                 \
  VALUE(kBlankLine, BLANK_LINE)        \
  VALUE(kNoBlankLine, NO_BLANK_LINE)

TREESCORE_ENUM(ConlluFault, uint8_t, TREESCORE_CONLLU_FAULTS);

struct ConlluProblem {
  ConlluFault fault;
  uint32_t line;
  uint32_t sentence;
  uint32_t number;  // number of columns, the expected number, …
};

struct ConlluOptions {
  bool many_roots = false;  // are not a fault
  bool empty_nodes = true;  // are not a fault
  bool with_edges = true;   // of the enhanced graph
};

// Everything that can be read is kept. The first fault of each kind in a sentence is reported.
DependencyColumns read_conllu(std::string_view text, const ConlluOptions& options, std::vector<ConlluProblem>& found);

// Rules for the heads of trees.
struct TreeHeads {
  std::vector<int32_t> category;                 // of each label, as the rules know it
  std::vector<uint8_t> phrase_flags, tag_flags;  // those of SpeechTree: kVoid words are left out, kSkipped are no heads
  int32_t no_tag = 0, root = 0;                  // categories
  bool functions = false;                        // where functions are kept apart from labels, they are the relations
  HeadRules rules;
};

// Tokens are words. The relation of a word is the label of the largest phrase that it heads, or its tag; that of a word
// without a tag is the size of the vocabulary. Functions that are kept apart from labels have numbers above that. Trees
// that could not be read have no words.
DependencyColumns dependencies_of(const Columns& trees, size_t begin, size_t end, const TreeHeads& heads);

}  // namespace treescore
