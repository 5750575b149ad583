// Collective calls that were made, but not carried out as such: HDF5 fell back to independent MPI-IO (a type
// that is converted, a selection it can't describe), or MPI-IO went on without collective buffering.
#include "advise/rule.hpp"

namespace refrain::advise {
namespace {
namespace broken_collectives_rule {

constexpr uint64_t small = 64 * kib, pieces = 8;

void check_hdf5(const View& view, Findings& findings) {
  bool all_collective = true;
  Sum asked = sum_of_calls(view, [&](const Call& call) {
    if (!view.outer(call) || !moves_elements(call) || call.ranks < 2) return false;
    bool collective = is_collective(view, call);
    all_collective &= collective;
    return collective;
  });
  Sum done = sum_of_calls(view, [&](const Call& call) {
    return view.layer(call) == "mpiio" && call.moves_data() && !call.is(api::Trait::moves_together);
  });
  if (asked.calls == 0 || !all_collective || done.bytes * 2 < asked.bytes || !matters(view, asked.time_ns))
    return;
  Finding finding = finding_at(view, *asked.most);
  finding.title = "collective transfers of HDF5 were carried out independently";
  finding.figures = {{"collective calls", asked.calls},
                     {"independent calls below", done.calls},
                     {"mean size below", done.mean_bytes(), "B"}};
  finding.time_ns = asked.time_ns;
  finding.cost = "all ranks wait for each other, and still each of them writes its own pieces";
  finding.change =
      "ask H5Pget_mpio_no_collective_cause why: usually a memory type that differs from the file's, a point "
      "selection or a data transform";
  findings.push_back(std::move(finding));
}

void check_mpiio(const View& view, Findings& findings) {
  Sum asked = sum_of_calls(view, [&](const Call& call) {
    return view.outer(call) && call.signature->layer == "mpiio" && call.writes() && call.ranks > 1 &&
           call.is(api::Trait::moves_together);
  });
  bool by_all = false;
  Sum done = sum_of_calls(view, [&](const Call& call) {
    if (view.layer(call) != "posix" || !call.writes()) return false;
    by_all |= call.ranks == view.ranks();
    return true;
  });
  if (asked.calls == 0 || !by_all || done.calls < pieces * asked.calls || done.mean_bytes() >= small) return;
  if (!matters(view, asked.time_ns)) return;
  Finding finding = finding_at(view, *asked.most);
  finding.title = "collective writes reach the file system in small pieces from every rank";
  finding.figures = {{"collective calls", asked.calls},
                     {"writes below", done.calls},
                     {"mean size below", done.mean_bytes(), "B"}};
  finding.time_ns = asked.time_ns;
  finding.cost = "collective buffering, which would put the pieces together, is off";
  finding.change =
      "hint romio_cb_write=enable (or OMPI_MCA_fcoll=two_phase), and cb_buffer_size of 16 MiB or more";
  findings.push_back(std::move(finding));
}

void check(const View& view, Findings& findings) {
  if (view.ranks() < 2) return;
  check_hdf5(view, findings);
  check_mpiio(view, findings);
}

}  // namespace broken_collectives_rule
}  // namespace

const Rule broken_collectives{"broken-collectives", "collective calls that were carried out independently",
                              broken_collectives_rule::check};

}  // namespace refrain::advise
