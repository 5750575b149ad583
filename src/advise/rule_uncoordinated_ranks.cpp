// Many ranks that access one file in small pieces, each for itself: no collective call puts the pieces
// together.
#include "advise/rule.hpp"

namespace refrain::advise {
namespace {
namespace uncoordinated_ranks_rule {

constexpr uint64_t least_calls = 64, enough_bytes = 4 * mib;

bool opened_alone(const View& view, const File& file) {
  return file.opened.call != none && view.calls()[file.opened.call].has_name("MPI_COMM_SELF");
}

void check(const View& view, Findings& findings) {
  if (view.ranks() < 2) return;
  for (const File& file : view.files()) {
    const api::LayerFacts& layer = api::layer_named(file.layer);
    bool for_ranks = layer.needs_mpi;
    if (!view.shared(file) || opened_alone(view, file) || (!for_ranks && !layer.is_system)) continue;
    Sum sum = sum_of_calls(view, file, [&](const Call& call) {
      return view.outer(call) && call.moves_data() && (for_ranks || call.writes()) && call.ranks > 1 &&
             !call.is(api::Trait::moves_together) && !call.is_request();
    });
    if (sum.calls < least_calls || sum.mean_bytes() >= enough_bytes || !matters(view, sum.time_ns)) continue;
    Finding finding = finding_at(view, *sum.most);
    finding.title = "ranks access one file in small pieces, without collective calls";
    finding.figures = {
        {"ranks", sum.most->ranks}, {"calls", sum.calls}, {"mean size", sum.mean_bytes(), "B"}};
    finding.time_ns = sum.time_ns;
    finding.cost = "the file system sees every piece, in no order, and ranks wait for each other's locks";
    finding.change =
        file.layer == "pnetcdf"
            ? "use the collective functions (_all), or non-blocking ones with ncmpi_wait_all"
        : for_ranks ? "use collective calls (MPI_File_write_at_all, MPI_File_write_all with a view); hints "
                      "romio_cb_write=enable, cb_nodes, striping_factor"
                    : "write through MPI-IO with collective calls, or gather the pieces on a few ranks";
    findings.push_back(std::move(finding));
  }
}

}  // namespace uncoordinated_ranks_rule
}  // namespace

const Rule uncoordinated_ranks{"uncoordinated-ranks", "many ranks in one file without collective calls",
                               uncoordinated_ranks_rule::check};

}  // namespace refrain::advise
