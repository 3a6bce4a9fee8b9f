// The verdict on each node, for Python.
#include "bindings.hpp"
#include "verdicts.hpp"

namespace treescore::python {

using namespace nb::literals;

namespace {

template <class Rules>
DictOf<nb::str, nb::bytes> verdicts(const Trees& gold, const Trees& test, const Rules& rules, unsigned threads,
                                    Progress* progress) {
  check_pair(gold, test, rules);
  std::vector<Verdict> found;
  std::vector<int64_t> ends;
  released(progress, [&](Progress& seen) {
    judge_all(*gold.columns, gold.begin, *test.columns, test.begin, gold.size(), rules, threads, found, ends, &seen);
  });
  const auto [end_bytes, end_of] = blank_bytes<int64_t>(ends.size());
  std::copy(ends.begin(), ends.end(), end_of);
  nb::dict out;
  out["ends"] = end_bytes;
  const auto add = [&]<class T>(const char* name, T Verdict::* member) {
    const auto [bytes, values] = blank_bytes<T>(found.size());
    for (size_t node = 0; node < found.size(); ++node) values[node] = found[node].*member;
    out[name] = bytes;
  };
  Verdict::each_column(add);
  return out;
}

}  // namespace

void bind_verdicts(nb::module_& module) {
  module.def("struct_iou_verdicts", verdicts<StructIouRules>, "gold"_a, "test"_a, "rules"_a, "threads"_a,
             "progress"_a.none() = nb::none());
  module.def("parseval_verdicts", verdicts<ParsevalRules>, "gold"_a, "test"_a, "rules"_a, "threads"_a,
             "progress"_a.none() = nb::none());
}

}  // namespace treescore::python
