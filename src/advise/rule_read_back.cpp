// Reading what the same process has just written.
#include <algorithm>

#include "advise/rule.hpp"

namespace refrain::advise {
namespace {
namespace read_back_rule {

constexpr uint64_t least_bytes = mib;

void check(const View& view, Findings& findings) {
  for (const File& file : view.files()) {
    auto first_write = std::find_if(file.calls.begin(), file.calls.end(), [&](size_t number) {
      const Call& call = view.calls()[number];
      return view.outer(call) && call.writes() && call.bytes > 0;
    });
    if (first_write == file.calls.end()) continue;
    Sum written =
        sum_of_calls(view, file, [&](const Call& call) { return view.outer(call) && call.writes(); });
    const Call& from = view.calls()[*first_write];
    Sum read = sum_of_calls(view, file, [&](const Call& call) {
      return view.outer(call) && call.reads() && call.stream == from.stream && &call > &from;
    });
    if (read.bytes < least_bytes || read.bytes < written.bytes / 2 || !matters(view, read.time_ns)) continue;
    Finding finding = finding_at(view, *read.most);
    finding.file = file.name;
    finding.title = "the program reads what it has just written";
    finding.figures = {
        {"written", written.bytes, "B"}, {"read", read.bytes, "B"}, {"time to read", read.time_ns, "ns"}};
    finding.time_ns = read.time_ns;
    finding.cost =
        "the data was in memory; on other nodes than the writer's it has to come back from the servers";
    finding.change =
        "keep it in memory or send it to where it is needed; scratch files belong on local disks";
    findings.push_back(std::move(finding));
  }
}

}  // namespace read_back_rule
}  // namespace

const Rule read_back{"read-back", "files that are read by who has just written them", read_back_rule::check};

}  // namespace refrain::advise
