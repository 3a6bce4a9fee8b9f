// Trees given by the parents of their phrases and words, in any order, as the formats for discontinuous trees have
// them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "names.hpp"
#include "treebank.hpp"

namespace treescore {

struct Graph {
  struct Phrase {
    uint32_t label;
    int32_t parent;  // number of a phrase, -1 for a root
    uint32_t function = kNone;
  };
  struct Word {
    uint32_t tag;
    int32_t parent;
    uint32_t function = kNone;
    std::string text;
  };
  std::vector<Phrase> phrases;
  std::vector<Word> words;
  bool has_functions = false;

  void clear() {
    phrases.clear();
    words.clear();
  }
};

// Why a graph is not a tree, and the first phrase with this fault.
#define TREESCORE_GRAPH_FAULTS(VALUE) \
  VALUE(kSound, SOUND)                \
  VALUE(kCycle, CYCLE)                \
  VALUE(kNoWords, NO_WORDS)

TREESCORE_ENUM(GraphFaultKind, uint8_t, TREESCORE_GRAPH_FAULTS);

struct GraphFault {
  using Kind = GraphFaultKind;
  Kind kind = Kind::kSound;
  size_t phrase = 0;
};

class GraphBuilder {
 public:
  // Appends a tree to the columns, unless there is a fault. A tree without gaps is stored like any other.
  GraphFault append(const Graph& graph, Columns& out, uint32_t line);

 private:
  struct Place {
    int32_t first = INT32_MAX, end = 0, size = 0;
    int32_t waiting = 0;            // phrases below it without a place so far
    int32_t child = -1, next = -1;  // phrases only
    int32_t number = -1;            // in the order of the tree
  };
  GraphFault place(const Graph& graph);
  std::vector<Place> places_;
  std::vector<int32_t> order_;
  std::vector<uint32_t> functions_[2];
};

}  // namespace treescore
