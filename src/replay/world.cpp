#include "replay/world.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <vector>

#include "base/launcher.hpp"
#include "replay/thread_context.hpp"
#include "wall/wall.hpp"

namespace refrain::replay {

Place launched_place() {
  Launched here = launched();
  if (!here.is_rank() || here.size < 1) return {};
  return {static_cast<uint32_t>(here.rank), static_cast<uint32_t>(here.size), true};
}

bool World::is_on() {
  if (!libraries_.has_mpi()) return false;
  Quiet quiet;
  int begun = 0, ended = 0;
  libraries_.get<int(int*)>("MPI_Initialized")(&begun);
  libraries_.get<int(int*)>("MPI_Finalized")(&ended);
  return begun != 0 && ended == 0;
}

Result<void> World::begin() {
  Quiet quiet;
  libraries_.get<int(int*, char***)>("MPI_Init")(nullptr, nullptr);
  return join();
}

Result<void> World::join() {
  if (communicator_ != 0 || !is_on()) return {};
  Quiet quiet;
  int size = 0;
  libraries_.get<int(uint64_t, int*)>("MPI_Comm_size")(libraries_.predefined("MPI_COMM_WORLD"), &size);
  if (size != static_cast<int>(place_.size))
    return fail(
        ErrorKind::usage,
        fmt::format("the launcher started {} processes, but MPI sees {}: it is not the launcher of {} "
                    "(REFRAIN_MPI_LIBRARY may name the library that it is of)",
                    place_.size, size, libraries_.mpi().name));
  libraries_.get<int(uint64_t, uint64_t*)>("MPI_Comm_dup")(libraries_.predefined("MPI_COMM_WORLD"),
                                                           &communicator_);
  return {};
}

void World::end() {
  Quiet quiet;
  libraries_.get<int()>("MPI_Finalize")();
}

void World::reduce(std::span<double> values, const char* operation) {
  Quiet quiet;
  std::vector<double> mine(values.begin(), values.end());
  using Reduce = int(const void*, void*, int, uint64_t, uint64_t, uint64_t);
  libraries_.get<Reduce>("MPI_Allreduce")(mine.data(), values.data(), static_cast<int>(values.size()),
                                          libraries_.predefined("MPI_DOUBLE"),
                                          libraries_.predefined(operation), communicator_);
}

Result<void> World::add_up(Totals& totals) {
  if (Result<void> joined = join(); !joined) return joined;
  std::vector<double> sums, longest{totals.seconds};
  for (const LayerTotal& l : totals.layers) {
    for (uint64_t n : {l.calls, l.read, l.written}) sums.push_back(static_cast<double>(n));
    longest.push_back(l.seconds);
  }
  for (const PhaseTotal& p : totals.phases) {
    sums.push_back(static_cast<double>(p.bytes));
    longest.insert(longest.end(), {p.recorded_seconds, p.seconds});
  }
  for (uint64_t n : {totals.surprises, totals.failures, totals.short_reads, totals.bytes_missing,
                     totals.races, uint64_t{totals.ends_by_abort}})
    sums.push_back(static_cast<double>(n));
  std::vector<double> first{static_cast<double>(totals.short_reads > 0 ? place_.rank : place_.size)};
  reduce(sums, "MPI_SUM");
  reduce(longest, "MPI_MAX");
  reduce(first, "MPI_MIN");
  if (first[0] != place_.rank) totals.first_short.clear();
  size_t sum = 0, most = 0;
  auto next_sum = [&] { return static_cast<uint64_t>(sums[sum++]); };
  totals.seconds = longest[most++];
  for (LayerTotal& l : totals.layers) {
    for (uint64_t* n : {&l.calls, &l.read, &l.written}) *n = next_sum();
    l.seconds = longest[most++];
  }
  for (PhaseTotal& p : totals.phases) {
    p.bytes = next_sum();
    p.recorded_seconds = longest[most++];
    p.seconds = longest[most++];
  }
  totals.surprises = next_sum();
  totals.failures = next_sum();
  totals.short_reads = next_sum();
  totals.bytes_missing = next_sum();
  totals.races = next_sum();
  totals.ends_by_abort = next_sum() > 0;
  totals.processes = place_.size;
  return {};
}

void World::abort(const RecordedAbort& abort) {
  libraries_.get<int(uint64_t, int)>("MPI_Abort")(abort.communicator, abort.code);
}

void World::meet() {
  Quiet quiet;
  libraries_.get<int(uint64_t)>("MPI_Barrier")(communicator_);
}

void World::abandon() {
  refrain_tree_abandon();
  if (is_on()) {
    Quiet quiet;
    libraries_.get<int(uint64_t, int)>("MPI_Abort")(libraries_.predefined("MPI_COMM_WORLD"), 1);
  }
  _exit(1);
}

}  // namespace refrain::replay
