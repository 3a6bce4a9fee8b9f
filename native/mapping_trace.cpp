// The alignment of the mapper: the best chain is found once more inside each chosen pair, this time with links.
#include <tuple>

#include "mapping.hpp"
#include "staircase.hpp"

namespace treescore {
namespace {

constexpr double kPlainTrace = 0.25;  // seconds after which a trace begins anew, without what cannot help

}  // namespace

// Finds the best chain of a region, whose sum is known. With kPrunes, pairs that cannot be in it are left out: those
// that fall short of the sum even if every node beside them had an equal partner. This changes no tie, since such a
// pair never takes the place of one that is in a best chain.
template <bool kPrunes>
class Mapper::Trace {
 public:
  Trace(Mapper& mapper, const Region& region);
  // Adds the pairs of the best chain to the alignment, and the regions below them to those that wait.
  void run();

 private:
  struct Range {
    uint32_t first, end;  // of candidates
  };

  void add_row(int32_t row);
  Range candidates(int32_t node) const;
  bool is_of_use(const Candidate& candidate, int32_t node) const;
  template <class Use>
  void for_candidates(int32_t node, const Use& use);
  void enter(int32_t node);
  void collect(int32_t last_link);
  void collect_chain(int32_t link);

  Mapper& mapper_;
  const PathTree &x_, &y_;
  const Region region_;
  const List* const lists_;
  Candidate* const pool_;
  const Weight* const highest_;
  int32_t* const link_before_;
  int32_t room_x_ = 0, room_y_ = 0;
  Staircase<true> chain_;
  uint64_t work_ = 0;
};

template <bool kPrunes>
Mapper::Trace<kPrunes>::Trace(Mapper& mapper, const Region& region)
    : mapper_(mapper),
      x_(*mapper.x_),
      y_(*mapper.y_),
      region_(region),
      lists_(mapper.lists_.data()),
      pool_(mapper.pool_.data()),
      highest_(mapper.highest_.data()),
      link_before_(mapper.link_before_.data()),
      chain_(mapper.stair_column_.data(), mapper.stair_value_.data(), mapper.stair_link_.data(), region.y_first - 1) {
  mapper.links_.clear();
  if constexpr (kPrunes) {
    room_x_ = mapper.outlook_x_.room(x_, *mapper.a_, region.x_first, region.x_last);
    room_y_ = mapper.outlook_y_.room(y_, *mapper.b_, region.y_first, region.y_last);
  }
}

template <bool kPrunes>
void Mapper::Trace<kPrunes>::run() {
  for (int32_t row = region_.x_first; row <= region_.x_last; ++row) {
    add_row(row);
    work_ += 2 * chain_.take_moves();
    if (work_ >= kWorkUncounted) mapper_.worked(std::exchange(work_, 0));
  }
  mapper_.worked(work_);
  collect(chain_.last_link());
}

template <bool kPrunes>
inline void Mapper::Trace<kPrunes>::add_row(int32_t row) {
  if (x_.is_leaf(row)) {
    const int32_t leaf = x_[row].first_leaf;
    enter(row);
    for (int32_t t = x_.path_begin[leaf]; t < x_.path_begin[leaf + 1] && x_.path_nodes[t] <= region_.x_last; ++t)
      enter(x_.path_nodes[t]);
  }
  std::vector<Link>& links = mapper_.links_;
  const size_t first = links.size();
  // Where both nodes start with the region, the chain so far is the one that would be found below the pair alone.
  const bool starts_region = !kPrunes && x_[row].leftmost == region_.x_first;
  for_candidates(row, [&](uint32_t k, int32_t v) {
    const bool is_known = starts_region && y_[v].leftmost == region_.y_first;
    if constexpr (!kPrunes) mapper_.need(&Needs::links, (links.size() + 1) * sizeof(Link));
    links.push_back({k, row, link_before_[k], is_known ? chain_.link_at(v - 1) : Link::kUnknown});
  });
  auto number = static_cast<int32_t>(first);
  for (const Link& link : std::span(links).subspan(first)) {
    const Candidate& known = pool_[link.candidate];
    chain_.insert(known.y, known.sum + known.before, number++);
  }
}

// The candidates of a node without those that are after the region or, for the lack of room beside the node, of no use.
template <bool kPrunes>
auto Mapper::Trace<kPrunes>::candidates(int32_t node) const -> Range {
  const List& list = lists_[node];
  Range range{list.at, list.at + list.size};
  if constexpr (kPrunes) {
    if (range.first == range.end) return range;
    const Weight least = region_.sum - (Weight{room_x_ - mapper_.outlook_x_.taken[node]} << kWeightBits);
    if (highest_[range.end - 1] < least) return {range.end, range.end};
    if (pool_[range.end - 1].y > region_.y_last) {
      const auto is_after = [](int32_t column, const Candidate& known) { return column < known.y; };
      const Candidate* const end = std::upper_bound(pool_ + range.first, pool_ + range.end, region_.y_last, is_after);
      range.end = static_cast<uint32_t>(end - pool_);
    }
    range.first =
        static_cast<uint32_t>(std::lower_bound(highest_ + range.first, highest_ + range.end, least) - highest_);
  }
  return range;
}

template <bool kPrunes>
bool Mapper::Trace<kPrunes>::is_of_use(const Candidate& candidate, int32_t node) const {
  if (candidate.y < region_.y_first || candidate.y > region_.y_last) return false;
  if constexpr (!kPrunes) return true;
  const int32_t outside =
      std::min(room_x_ - mapper_.outlook_x_.taken[node], room_y_ - mapper_.outlook_y_.taken[candidate.y]);
  return candidate.sum + (Weight{outside} << kWeightBits) >= region_.sum;
}

// Calls use(k, y) for those candidates of a node that may be in the chain.
template <bool kPrunes>
template <class Use>
inline void Mapper::Trace<kPrunes>::for_candidates(int32_t node, const Use& use) {
  const Range range = candidates(node);
  work_ += kNodeWork + kCandidateWork * (range.end - range.first);
  const Candidate* known = pool_ + range.first;
  for (uint32_t k = range.first; k < range.end; ++k, ++known)
    if (is_of_use(*known, node)) use(k, known->y);
}

template <bool kPrunes>
inline void Mapper::Trace<kPrunes>::enter(int32_t node) {
  for_candidates(node, [&](uint32_t k, int32_t v) {
    std::tie(pool_[k].before, link_before_[k]) = chain_.with_link_at(y_[v].leftmost - 1);
  });
}

template <bool kPrunes>
void Mapper::Trace<kPrunes>::collect(int32_t last_link) {
  std::vector<int32_t>& ends = mapper_.ends_;
  ends.assign(1, last_link);
  while (!ends.empty()) {
    const int32_t link = ends.back();
    ends.pop_back();
    collect_chain(link);
  }
}

template <bool kPrunes>
void Mapper::Trace<kPrunes>::collect_chain(int32_t at) {
  while (at >= 0) {
    const Link& link = mapper_.links_[static_cast<size_t>(at)];
    const Candidate& chosen = pool_[link.candidate];
    const Node &u = x_[link.x], &v = y_[chosen.y];
    mapper_.emit(link.x, chosen.y);
    if (link.below != Link::kUnknown) {
      mapper_.ends_.push_back(link.below);
    } else if (!x_.is_leaf(link.x) && !y_.is_leaf(chosen.y)) {
      const Weight rest = chosen.sum - mapper_.weight(u, v);
      if (rest > 0) mapper_.waiting_.push_back({u.leftmost, link.x - 1, v.leftmost, chosen.y - 1, rest});
    }
    at = link.previous;
  }
}

void Mapper::emit(int32_t x, int32_t y) {
  const int32_t a = (*x_)[x].origin, b = (*y_)[y].origin;
  const int32_t first = (*x_)[x].twin >= 0 ? a_->nodes[a].leftmost : a;
  for (int32_t node = first; node <= a; ++node) pairs_.push_back({node, node + b - a});
}

void Mapper::Outlook::prepare(const PathTree& tree, const IntervalTree& original) {
  before.set_size(original.nodes.size() + 1);
  before[0] = 0;
  for (int32_t p = 0; p < original.size(); ++p)
    before[p + 1] = before[p] + (original.nodes[p].label != IntervalTree::kUnmatched);
  above.set_size(static_cast<size_t>(tree.size));
  taken.set_size(static_cast<size_t>(tree.size));
  for (int32_t node = tree.size - 1; node >= 0; --node) {
    const int32_t up = tree[node].parent;
    above[node] = up < 0 ? 0 : above[up] + (tree[up].label != IntervalTree::kUnmatched);
    taken[node] = room(tree, original, node, node);
  }
}

int32_t Mapper::Outlook::room(const PathTree& tree, const IntervalTree& original, int32_t first, int32_t last) const {
  return before[tree[last].origin + 1] - before[original.nodes[tree[first].origin].leftmost] + above[last];
}

template <bool kPrunes>
void Mapper::trace_all() {
  pairs_.clear();
  waiting_.assign(1, {0, x_->size - 1, 0, y_->size - 1, result_});
  while (!waiting_.empty()) {
    const Region region = waiting_.back();
    waiting_.pop_back();
    Trace<kPrunes>(*this, region).run();
  }
}

// Brings candidates found from right to left back into reading order, so that ties do not depend on the direction.
void Mapper::unmirror() {
  PathTree &a = plain_[0], &b = plain_[1];
  Column<int32_t>& back = kept_b_;  // of no more use for its own purpose
  back.set_size(static_cast<size_t>(b.size));
  for (int32_t p = 0; p < b.size; ++p) back[order_b_[p]] = p;
  lists_copy_.set_size(static_cast<size_t>(a.size));
  pool_copy_.set_size(0);
  for (int32_t p = 0; p < a.size; ++p) {
    const List& list = lists_[order_a_[p]];
    lists_copy_[p] = {static_cast<uint32_t>(pool_copy_.size()), list.size, list.size};
    for (uint32_t k = list.at; k < list.at + list.size; ++k) {
      pool_copy_.push_back(pool_[k]);
      pool_copy_[pool_copy_.size() - 1].y = back[pool_[k].y];
    }
  }
  a.connect();
  b.connect();
  x_ = &a;
  y_ = &b;
  mirrored_ = false;
  pool_.swap(pool_copy_);
  lists_.swap(lists_copy_);
}

// In ascending order of the columns, so that ties do not depend on the order in which the candidates were found.
void Mapper::sort_candidates() {
  const auto by_column = [](const Candidate& p, const Candidate& q) { return p.y < q.y; };
  for (int32_t row = 0; row < x_->size; ++row)
    if (const List& list = lists_[row]; list.size > 1)
      std::sort(pool_.data() + list.at, pool_.data() + list.at + list.size, by_column);
}

void Mapper::prepare_to_prune() {
  outlook_x_.prepare(*x_, *a_);
  outlook_y_.prepare(*y_, *b_);
  highest_.set_size(pool_.size());
  for (int32_t row = 0; row < x_->size; ++row) {
    Weight highest = 0;
    for (uint32_t k = lists_[row].at; k < lists_[row].at + lists_[row].size; ++k)
      highest_[k] = highest = std::max(highest, pool_[k].sum);
  }
}

const std::vector<Mapper::Pair>& Mapper::align() {
  const auto solve_and_trace = [&] {
    if (!solved_) solve_once(*a_, *b_);
    trace_once();
  };
  within_budget(*memory_, solve_and_trace, [&] { free_memory(); });
  return pairs_;
}

void Mapper::trace_once() {
  pairs_.clear();
  if (identical_) {
    for (int32_t node = 0; node < a_->size(); ++node) pairs_.push_back({node, node});
    return;
  }
  if (plain_[0].size == 0) return;
  if (mirrored_) unmirror();
  sort_candidates();
  stair_link_.set_size(stair_column_.size());
  link_before_.set_size(pool_.size());
  allow(kCellCost * static_cast<double>(spent_) + kPlainTrace);
  try {
    if (!choice_.prune) {
      trace_all<false>();
      return;
    }
  } catch (const TooComplex&) {
  }
  prepare_to_prune();
  allow(kNoLimit);
  trace_all<true>();
}

}  // namespace treescore
