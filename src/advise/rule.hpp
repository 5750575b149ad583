// What rules are made of. A rule is a name, a line about it, and a function that looks at the view of a
// process; each has a file of its own, and all of them stand in rules.cpp.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "advise/finding.hpp"
#include "advise/view.hpp"

namespace refrain::advise {

using Findings = std::vector<Finding>;

struct Rule {
  std::string_view name;
  std::string_view about;
  void (*check)(const View& view, Findings& findings);
};

inline constexpr uint64_t kib = 1024, mib = 1024 * kib;

/// Whether so much time in calls is worth a finding: a hundredth of all I/O and a millisecond, or times are
/// not known.
bool matters(const View& view, uint64_t time_ns);

/// A finding about a call, without figures and words.
Finding finding_at(const View& view, const Call& call);

/// Calls with numbers in a file, or all.
struct Sum {
  uint64_t calls = 0, bytes = 0, time_ns = 0;
  const Call* most = nullptr;     ///< the one that ran most often
  const Call* slowest = nullptr;  ///< the one that took most time

  /// `share`: how much of it counts.
  void add(const Call& call, double share = 1);
  /// No more calls than these, which took their part of the time.
  void limit(uint64_t most_calls);
  uint64_t mean_bytes() const { return calls == 0 ? 0 : bytes / calls; }
};

/// How much of a call is about a file, as far as its samples tell: in a loop over files, each has its part.
double share_of(const View& view, const Call& call, const File& file);
/// Whether a rank makes the call more than once on the file.
bool repeats_on(const View& view, const Call& call, const File& file);

/// Sum over those calls on a file for which `wanted(call)`, as far as they are about it.
template <class Wanted>
Sum sum_of_calls(const View& view, const File& file, Wanted wanted) {
  Sum sum;
  for (size_t number : file.calls)
    if (const Call& call = view.calls()[number]; wanted(call)) sum.add(call, share_of(view, call, file));
  if (sum.calls > 0 && view.files().size() > 1) sum.limit(view.most_calls_on(file));
  return sum;
}

/// Over the whole process.
template <class Wanted>
Sum sum_of_calls(const View& view, Wanted wanted) {
  Sum sum;
  for (const Call& call : view.calls())
    if (wanted(call)) sum.add(call);
  return sum;
}

/// Whether a property list that the file was opened with has the setting.
bool opened_with(const View& view, const File& file, api::Trait trait);
/// Whether a file of HDF5 was opened through MPI.
bool is_parallel(const View& view, const File& file);
/// Whether a transfer of HDF5 was asked to be collective, as far as its samples show.
bool is_collective(const View& view, const Call& call);
/// Whether a call moves elements of a dataset.
bool moves_elements(const Call& call);

extern const Rule broken_collectives, crossed_chunks, imbalance, independent_metadata, independent_transfers,
    one_rank, read_back, reopened_files, sieving, small_accesses, stat_storm, sync_storm, unaligned_accesses,
    unaligned_objects, uncoordinated_ranks;

}  // namespace refrain::advise
