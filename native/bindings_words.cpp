// Alignment of words for Python. Sequences are passed and returned as buffers of numbers.
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <optional>

#include "bindings.hpp"
#include "sequences.hpp"

namespace treescore::python {
namespace {

using namespace nb::literals;

using Keys = Numbers<uint32_t>;
using Costs = Numbers<int64_t>;
using Similar = std::vector<std::pair<uint32_t, uint32_t>>;

TREESCORE_STUB_TYPE(PathTuple, nb::tuple, "Path", PyTuple_Check);

// The cost, and for each step its letter and the numbers of its words or None.
PathTuple as_tuple(const WordPath& path) {
  const nb::object letters[] = {nb::str("C"), nb::str("S"), nb::str("D"), nb::str("I")};
  nb::list steps;
  for (const WordStep& step : path.steps) {
    const nb::object ref = step.ref < 0 ? nb::none() : nb::object(nb::int_(step.ref));
    const nb::object hyp = step.hyp < 0 ? nb::none() : nb::object(nb::int_(step.hyp));
    const int letter = step.hyp < 0 ? 2 : step.ref < 0 ? 3 : step.equal ? 0 : 1;
    steps.append(nb::make_tuple(letters[letter], ref, hyp));
  }
  return nb::make_tuple(path.cost, steps);
}

Ties ties(bool late) { return late ? Ties::kLateGap : Ties::kEarlyGap; }

void check_costs(const WordCosts& costs) {
  if (!costs.in_range()) throw nb::value_error("a cost out of range");
}

void check_gaps(std::span<const uint32_t> keys, std::span<const int64_t> gaps, bool all) {
  if (gaps.size() != keys.size() && (all || !gaps.empty())) throw nb::value_error("a cost for each word is needed");
  for (const int64_t gap : gaps)
    if (gap < 1 || gap > WordCosts::kMost) throw nb::value_error("a cost out of range");
}

// Checks that every word leads to a higher node, that every node but the first can be reached, and that every node but
// the last has a successor.
void check_lattice(const WordLattice& lattice) {
  const size_t words = lattice.keys.size();
  if (lattice.nodes == 0 || lattice.from.size() != words || lattice.to.size() != words || lattice.nodes > words + 1)
    throw nb::value_error("not a lattice");
  check_gaps(lattice.keys, lattice.gaps, true);
  std::vector<bool> reached(lattice.nodes, false), left(lattice.nodes, false);
  for (size_t word = 0; word < words; ++word) {
    if (lattice.from[word] >= lattice.to[word] || lattice.to[word] >= lattice.nodes)
      throw nb::value_error("not a lattice");
    reached[lattice.to[word]] = left[lattice.from[word]] = true;
  }
  for (uint32_t node = 0; node < lattice.nodes; ++node)
    if (reached[node] != (node > 0) || left[node] != (node + 1 < lattice.nodes)) throw nb::value_error("not a lattice");
}

using LatticeArguments = std::tuple<NumbersObject, NumbersObject, NumbersObject, NumbersObject, uint32_t>;

using TimedArguments = std::tuple<NumbersObject, NumbersObject, NumbersObject>;

}  // namespace

void bind_words(nb::module_& module) {
  nb::exception<SequencesTooLong>(module, "SequencesTooLong", PyExc_ValueError);
  module.attr("NULL_WORD") = kNullWord;

  module.def(
      "align_words",
      [](NumbersObject ref, NumbersObject hyp, std::optional<NumbersObject> ref_gaps,
         std::optional<NumbersObject> hyp_gaps, std::tuple<int64_t, int64_t, int64_t> prices, const Similar& similar,
         bool late, size_t small_table) {
        const Keys ref_keys(ref), hyp_keys(hyp);
        const Costs ref_costs(ref_gaps), hyp_costs(hyp_gaps);
        const auto [insertion, deletion, substitution] = prices;
        const WordCosts costs{insertion, deletion, substitution};
        check_costs(costs);
        check_gaps(ref_keys.all(), ref_costs.all(), false);
        check_gaps(hyp_keys.all(), hyp_costs.all(), false);
        return as_tuple(released(nullptr, [&](Progress& progress) {
          return align_words({ref_keys.all(), ref_costs.all()}, {hyp_keys.all(), hyp_costs.all()}, costs, similar,
                             ties(late), progress, small_table);
        }));
      },
      "ref"_a, "hyp"_a, "ref_gaps"_a.none(), "hyp_gaps"_a.none(), "costs"_a, "similar"_a, "late_gap"_a,
      "small_table"_a = kSmallTable);

  module.def(
      "align_lattices",
      [](const LatticeArguments& ref, const LatticeArguments& hyp, std::tuple<int64_t, int64_t, int64_t> prices,
         const Similar& similar, bool late) {
        const Keys ref_keys(std::get<0>(ref)), ref_from(std::get<2>(ref)), ref_to(std::get<3>(ref));
        const Keys hyp_keys(std::get<0>(hyp)), hyp_from(std::get<2>(hyp)), hyp_to(std::get<3>(hyp));
        const Costs ref_costs(std::get<1>(ref)), hyp_costs(std::get<1>(hyp));
        const auto [insertion, deletion, substitution] = prices;
        const WordCosts costs{insertion, deletion, substitution};
        check_costs(costs);
        const WordLattice ref_lattice{ref_keys.all(), ref_costs.all(), ref_from.all(), ref_to.all(), std::get<4>(ref)};
        const WordLattice hyp_lattice{hyp_keys.all(), hyp_costs.all(), hyp_from.all(), hyp_to.all(), std::get<4>(hyp)};
        check_lattice(ref_lattice);
        check_lattice(hyp_lattice);
        return as_tuple(released(nullptr, [&](Progress& progress) {
          return align_lattices(ref_lattice, hyp_lattice, costs, similar, ties(late), progress);
        }));
      },
      "ref"_a, "hyp"_a, "costs"_a, "similar"_a, "late_gap"_a);

  module.def(
      "align_times",
      [](const TimedArguments& ref, const TimedArguments& hyp, int64_t different, const Similar& similar, bool late,
         size_t small_table) {
        const Keys ref_keys(std::get<0>(ref)), hyp_keys(std::get<0>(hyp));
        const Costs ref_begin(std::get<1>(ref)), ref_end(std::get<2>(ref));
        const Costs hyp_begin(std::get<1>(hyp)), hyp_end(std::get<2>(hyp));
        const TimedWords ref_words{ref_keys.all(), ref_begin.all(), ref_end.all()};
        const TimedWords hyp_words{hyp_keys.all(), hyp_begin.all(), hyp_end.all()};
        check_costs({0, 0, different});
        // Each cell of the table is at most the sum of all lengths, a pair, and `different` above another: below 2^55.
        constexpr int64_t kMost = int64_t{1} << 52;
        for (const TimedWords& words : {ref_words, hyp_words}) {
          if (words.begin.size() != words.keys.size() || words.end.size() != words.keys.size())
            throw nb::value_error("two times for each word are needed");
          int64_t whole = 0;
          for (size_t word = 0; word < words.keys.size(); ++word) {
            if (words.begin[word] > words.end[word] || words.begin[word] < -kMost || words.end[word] > kMost)
              throw nb::value_error("a time out of range");
            whole += words.end[word] - words.begin[word];
            if (whole > kMost) throw nb::value_error("a time out of range");
          }
        }
        return as_tuple(released(nullptr, [&](Progress& progress) {
          return align_times(ref_words, hyp_words, different, similar, ties(late), progress, small_table);
        }));
      },
      "ref"_a, "hyp"_a, "different"_a, "similar"_a, "late_gap"_a, "small_table"_a = kSmallTable);

  module.def(
      "lcs_length",
      [](NumbersObject a, NumbersObject b) {
        const Keys a_keys(a), b_keys(b);
        return released(nullptr, [&](Progress& progress) { return lcs_length(a_keys.all(), b_keys.all(), progress); });
      },
      "a"_a, "b"_a);
}

}  // namespace treescore::python
