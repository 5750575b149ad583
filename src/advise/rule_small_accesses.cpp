// Many calls that move little each. The system calls below a library are looked at if the program's own calls
// are fine. Streams of stdio have a buffer, so their calls are none of the file system's; collective calls
// are gathered by MPI.
#include "advise/rule.hpp"

namespace refrain::advise {
namespace {
namespace small_accesses_rule {

constexpr uint64_t least_calls = 1000, least_of_a_rank = 64;

/// What a call of the layer should move at least: libraries with formats of their own gather small pieces.
uint64_t enough(const std::string& layer) { return api::layer_named(layer).has_format ? 4 * kib : 64 * kib; }

bool report(const View& view, bool writes, bool outer, Findings& findings) {
  bool found = false;
  for (const File& file : view.files()) {
    const api::LayerFacts& layer = api::layer_named(file.layer);
    if (layer.has_positions && !layer.is_system && file.layer == "stdio") continue;
    Sum sum = sum_of_calls(view, file, [&](const Call& call) {
      return view.outer(call) == outer && call.moves_data() && call.writes() == writes &&
             !call.is(api::Trait::moves_together) && !call.is_request() &&
             call.mean_bytes() < enough(file.layer);
    });
    if (sum.calls < least_calls || sum.calls < least_of_a_rank * sum.most->ranks ||
        !matters(view, sum.time_ns))
      continue;
    Finding finding = finding_at(view, *sum.most);
    finding.title = std::string(outer ? "" : "below the program's own calls, ") +
                    (writes ? "many small writes" : "many small reads");
    finding.figures = {
        {"calls", sum.calls}, {"mean size", sum.mean_bytes(), "B"}, {"time", sum.time_ns, "ns"}};
    finding.time_ns = sum.time_ns;
    finding.cost = "every call takes a trip to the file system, whatever it moves";
    finding.change = layer.has_format ? "move larger selections per call; for HDF5, larger chunks and a "
                                        "larger chunk cache (H5Pset_chunk_cache)"
                                      : "gather data in memory and move at least 1 MiB per call, or use "
                                        "stdio with a large buffer (setvbuf)";
    findings.push_back(std::move(finding));
    found = true;
  }
  return found;
}

void check(const View& view, Findings& findings) {
  for (bool writes : {true, false})
    if (!report(view, writes, true, findings)) report(view, writes, false, findings);
}

}  // namespace small_accesses_rule
}  // namespace

const Rule small_accesses{"small-accesses", "many calls that move little each", small_accesses_rule::check};

}  // namespace refrain::advise
