// Programs that ask again and again whether files exist and what they are.
#include "advise/rule.hpp"

namespace refrain::advise {
namespace {
namespace stat_storm_rule {

constexpr uint64_t least_calls = 1000;

void check(const View& view, Findings& findings) {
  uint64_t failed = 0;
  Sum asked = sum_of_calls(view, [&](const Call& call) {
    bool asks = view.outer(call) && call.is(api::Trait::asks_about_file);
    if (asks && call.failed()) failed += call.calls;
    return asks;
  });
  Sum accesses = sum_of_calls(view, [&](const Call& call) { return view.outer(call) && call.moves_data(); });
  if (asked.calls < least_calls || asked.calls < accesses.calls || !matters(view, asked.time_ns)) return;
  Finding finding = finding_at(view, *asked.most);
  finding.title = "more questions about files than accesses to them";
  finding.figures = {{"questions", asked.calls},
                     {"of these, about what isn't there", failed},
                     {"accesses", accesses.calls},
                     {"time", asked.time_ns, "ns"}};
  finding.time_ns = asked.time_ns;
  finding.cost = "each question goes to the metadata server, which all jobs of the machine share";
  finding.change =
      view.ranks() > 1
          ? "ask on one rank and broadcast the answer; keep what is known instead of asking again; open and "
            "handle "
            "the error"
          : "keep what is known instead of asking again; open and handle the error; shorten search paths";
  findings.push_back(std::move(finding));
}

}  // namespace stat_storm_rule
}  // namespace

const Rule stat_storm{"stat-storm", "more questions about files than accesses to them",
                      stat_storm_rule::check};

}  // namespace refrain::advise
