// Files that are synchronized again and again after little has been written.
#include "advise/rule.hpp"

namespace refrain::advise {
namespace {
namespace sync_storm_rule {

constexpr uint64_t least_calls = 10, enough_bytes = 16 * mib;

/// Flushing a stream of stdio reaches the system, not the disk.
bool synchronizes(const Call& call) { return call.in_group("sync") && call.signature->layer != "stdio"; }

void check(const View& view, Findings& findings) {
  for (const File& file : view.files()) {
    Sum syncs = sum_of_calls(view, file, [&](const Call& call) {
      return view.outer(call) && synchronizes(call) && repeats_on(view, call, file);
    });
    Sum writes =
        sum_of_calls(view, file, [&](const Call& call) { return view.outer(call) && call.writes(); });
    if (syncs.calls == 0 || syncs.calls / syncs.most->ranks < least_calls) continue;
    uint64_t between = writes.bytes / syncs.calls;
    if (between >= enough_bytes || !matters(view, syncs.time_ns)) continue;
    Finding finding = finding_at(view, *syncs.most);
    finding.title = "the file is synchronized after every few bytes";
    finding.figures = {
        {"calls", syncs.calls}, {"written between them", between, "B"}, {"time", syncs.time_ns, "ns"}};
    finding.time_ns = syncs.time_ns;
    finding.cost =
        "each call waits for the disk or the server, and nothing is written behind the program's back";
    finding.change = "synchronize once, at the end of a checkpoint or before the file is handed on";
    findings.push_back(std::move(finding));
  }
}

}  // namespace sync_storm_rule
}  // namespace

const Rule sync_storm{"sync-storm", "files that are synchronized after every few bytes",
                      sync_storm_rule::check};

}  // namespace refrain::advise
