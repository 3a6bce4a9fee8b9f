#include "graph.hpp"

#include <algorithm>

namespace treescore {

// Finds the extent and the size of every phrase, from the words upwards.
GraphFault GraphBuilder::place(const Graph& graph) {
  places_.assign(graph.phrases.size(), {});
  const auto at = [&](int32_t phrase) -> Place& { return places_[static_cast<size_t>(phrase)]; };
  for (const Graph::Phrase& phrase : graph.phrases)
    if (phrase.parent >= 0) ++at(phrase.parent).waiting;
  const auto widen = [&](int32_t parent, int32_t first, int32_t end, int32_t size) {
    if (parent < 0) return;
    Place& place = at(parent);
    place.first = std::min(place.first, first);
    place.end = std::max(place.end, end);
    place.size += size;
  };
  for (size_t word = 0; word < graph.words.size(); ++word)
    widen(graph.words[word].parent, static_cast<int32_t>(word), static_cast<int32_t>(word) + 1, 1);
  order_.clear();
  for (size_t phrase = 0; phrase < places_.size(); ++phrase)
    if (places_[phrase].waiting == 0) order_.push_back(static_cast<int32_t>(phrase));
  for (size_t next = 0; next < order_.size(); ++next) {
    const Place& placed = at(order_[next]);
    const int32_t parent = graph.phrases[static_cast<size_t>(order_[next])].parent;
    if (placed.size == 0) return {GraphFault::Kind::kNoWords, static_cast<size_t>(order_[next])};
    widen(parent, placed.first, placed.end, placed.size);
    if (parent >= 0 && --at(parent).waiting == 0) order_.push_back(parent);
  }
  for (size_t phrase = 0; phrase < places_.size(); ++phrase)
    if (places_[phrase].waiting > 0) return {GraphFault::Kind::kCycle, phrase};
  return {};
}

GraphFault GraphBuilder::append(const Graph& graph, Columns& out, uint32_t line) {
  if (const GraphFault fault = place(graph); fault.kind != GraphFault::Kind::kSound) return fault;
  // Siblings in the order of their first words, parents before children.
  std::sort(order_.begin(), order_.end(), [&](int32_t a, int32_t b) {
    return places_[static_cast<size_t>(a)].first > places_[static_cast<size_t>(b)].first;
  });
  int32_t root = -1;
  for (const int32_t phrase : order_) {
    const int32_t parent = graph.phrases[static_cast<size_t>(phrase)].parent;
    int32_t& first = parent < 0 ? root : places_[static_cast<size_t>(parent)].child;
    places_[static_cast<size_t>(phrase)].next = first;
    first = phrase;
  }
  const bool discontinuous = std::any_of(places_.begin(), places_.end(),
                                         [](const Place& place) { return place.end - place.first != place.size; });
  if (discontinuous) out.keep_parents();
  functions_[0].clear();
  functions_[1].clear();
  const auto number_of = [&](int32_t phrase) { return phrase < 0 ? -1 : places_[static_cast<size_t>(phrase)].number; };
  for (int32_t phrase = root; phrase >= 0;) {
    Place& place = places_[static_cast<size_t>(phrase)];
    const Graph::Phrase& given = graph.phrases[static_cast<size_t>(phrase)];
    place.number = out.open(given.label, number_of(given.parent));
    Node& node = out.open_node(place.number);
    node.first = place.first;
    node.end = place.end;
    functions_[0].push_back(given.function);
    int32_t next = place.child;
    while (next < 0 && phrase >= 0) {
      next = places_[static_cast<size_t>(phrase)].next;
      phrase = graph.phrases[static_cast<size_t>(phrase)].parent;
    }
    phrase = next;
  }
  for (const Graph::Word& word : graph.words) {
    out.leaf(word.tag, number_of(word.parent), word.text.data(), word.text.size());
    functions_[1].push_back(word.function);
  }
  if (graph.has_functions) out.set_functions(functions_[0], functions_[1]);
  out.finish(line, static_cast<uint8_t>((discontinuous ? Columns::kDiscontinuous : 0) |
                                        (graph.has_functions ? Columns::kFunctions : 0)));
  return {};
}

}  // namespace treescore
