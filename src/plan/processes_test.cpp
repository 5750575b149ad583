#include "plan/processes.hpp"

#include <gtest/gtest.h>

namespace refrain::plan {
namespace {

TEST(EarlyRanks, AreOfAllRanksOrOfSome) {
  trace::Trace trace;
  trace.processes.resize(3);
  trace.processes[0].ranks = trace::RankSet::range(0, 4);
  trace.processes[0].ending = trace::Ending::exited;
  trace.processes[0].ended_early = trace::RankSet::of({1, 3});
  trace.processes[1].ranks = trace::RankSet::range(4, 2);
  trace.processes[1].ending = trace::Ending::exited;
  trace.processes[2].ranks = trace::RankSet::range(6, 2);
  trace.processes[2].ending = trace::Ending::early;
  EXPECT_EQ(early_ranks(trace).expand(), (std::vector<uint32_t>{1, 3, 6, 7}));
}

/// A script on two ranks: a shell, a tool, and the application that starts MPI.
trace::Trace script() {
  trace::Trace trace;
  trace.nprocs = 2;
  trace.signatures = {trace::Signature{.function = "sync", .layer = "posix"},
                      trace::Signature{.function = "MPI_Init", .layer = "mpi"}};
  for (uint32_t signature : {0u, 0u, 1u}) {
    trace::Node event;
    event.kind = trace::NodeKind::event;
    event.signature = signature;
    trace::Process process{.program = "/bin/p" + std::to_string(trace.processes.size())};
    process.ranks = trace::RankSet::range(0, 2);
    process.ending = trace::Ending::exited;
    process.streams.push_back({.nodes = {event}});
    trace.processes.push_back(process);
  }
  trace.processes[0].ending = trace::Ending::early;
  return trace;
}

TEST(ChooseProcess, TakesTheOneThatStartsMpi) {
  EXPECT_EQ(choose_process(script(), {}, {}).value(), 2u);
  EXPECT_EQ(choose_process(script(), {}, 1).value(), 2u);
  EXPECT_EQ(choose_process(script(), 1, 1).value(), 1u);
  EXPECT_FALSE(choose_process(script(), 3, 1));
  EXPECT_TRUE(early_ranks(script()).empty());
}

TEST(ChooseProcess, NamesThoseThereAreIfItCantTell) {
  trace::Trace trace = script();
  trace.processes[2].streams[0].nodes[0].signature = 0;
  trace.processes[1].program = "a\nb";
  EXPECT_EQ(choose_process(trace, {}, {}).error().message,
            "the trace holds the calls of 3 processes (0 \"p0\", 1 \"a\\nb\", 2 \"p2\"); choose one with "
            "--process");
}

TEST(ChooseProcess, TakesThatOfARank) {
  trace::Trace trace = script();
  trace.processes[0].ranks = {};
  trace.processes[1].ranks = trace::RankSet::range(0, 1);
  trace.processes[2].ranks = trace::RankSet::range(1, 1);
  EXPECT_EQ(choose_process(trace, {}, 0).value(), 1u);
  EXPECT_EQ(choose_process(trace, {}, 1).value(), 2u);
}

TEST(ChooseProcess, FindsNoneWithoutCalls) {
  EXPECT_EQ(choose_process(trace::Trace(), {}, {}).error().message, "the trace holds no calls");
}

TEST(CheckRepeatable, NamesWhatHasALibraryDoIOInThreadsOfItsOwn) {
  trace::Trace trace;
  trace.signatures = {trace::Signature{.function = "H5Pset_alignment", .layer = "hdf5"}};
  EXPECT_TRUE(check_repeatable(trace));
  trace.signatures.push_back({.function = "H5Pset_fapl_subfiling", .layer = "hdf5"});
  Result<void> refused = check_repeatable(trace);
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().text().find("the program calls H5Pset_fapl_subfiling"), std::string::npos);
}

}  // namespace
}  // namespace refrain::plan
