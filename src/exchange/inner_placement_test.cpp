#include "exchange/inner_placement.hpp"

#include "exchange/sample_calls.hpp"

namespace refrain::exchange {
namespace {

using sample::Calls;

/// The times of all calls of a layer, placed.
std::vector<Call> placed(const trace::Trace& t, const std::string& layer) {
  const trace::Process& program = t.processes.at(0);
  std::vector<CallFacts> facts = call_facts(t);
  auto placements = inner_placements(t, program, 0, facts);
  std::vector<Call> calls;
  CallWalk walk(t, program, 0, {layer});
  for (Call call = walk.next(); call.signature != nullptr; call = walk.next()) {
    if (auto found = placements.find(layer); found != placements.end())
      found->second.place(call, calls.size());
    calls.push_back(call);
  }
  return calls;
}

Calls& open_by_mpi(Calls& calls) {
  return calls.add("MPI_File_open",
                   {{0, "MPI_COMM_SELF"}, {0, "f"}, {0, "MPI_MODE_RDWR"}, {0, "MPI_INFO_NULL"}}, 0);
}

TEST(InnerPlacement, BeginsWithTheCallThatOpensTheFile) {
  Calls calls;
  // Outer calls are 15 ns apart: the second one opens.
  calls.add("MPI_Barrier", {{0, "MPI_COMM_WORLD"}});
  open_by_mpi(calls);
  for (int i = 0; i < 4; ++i) calls.add("MPI_File_write_at", {{0}, {i * 8}, {8}, {8}, {0, "MPI_BYTE"}});
  calls.add("open", {{0, "f"}, {O_RDWR}, {0644}}, 0, 0, "posix");
  for (int i = 0; i < 2; ++i) calls.add("pwrite", {{0}, {0}, {8}, {i * 8}}, 8, 0, "posix");
  trace::Trace t = alone(calls);
  std::vector<Call> outer = placed(t, ""), inner = placed(t, "posix");
  ASSERT_EQ(outer.size(), 6u);
  ASSERT_EQ(inner.size(), 3u);
  EXPECT_EQ(inner[0].start_ns, outer[1].start_ns);
  EXPECT_EQ(inner[1].start_ns, inner[0].start_ns + 15);
  EXPECT_LE(inner.back().start_ns + inner.back().duration_ns,
            outer.back().start_ns + outer.back().duration_ns);
}

TEST(InnerPlacement, LayersInBetweenOpenFirst) {
  trace::Process process{.pid = 7, .ending = trace::Ending::exited};
  MemberBuilder builder(std::move(process));
  auto add = [&](Result<ImportedCall> call, uint64_t start, uint64_t end, const std::string& layer) {
    ASSERT_TRUE(call) << call.error().message;
    call->start_ns = start;
    call->end_ns = end;
    ASSERT_TRUE(builder.add(*call, 0, layer));
  };
  add(call_of_row("H5Fcreate", {{0, "f"}, {0, "H5F_ACC_TRUNC"}, {0, "H5P_DEFAULT"}, {0, "H5P_DEFAULT"}}, 0),
      100, 900, "");
  std::vector<Given> opens{{0, "MPI_COMM_SELF"}, {0, "f"}, {0, "MPI_MODE_RDWR"}, {0, "MPI_INFO_NULL"}};
  add(call_of_row("MPI_Barrier", {{0, "MPI_COMM_WORLD"}}, 0), 0, 10, "mpi");
  add(call_of_row("MPI_File_open", opens, 0), 200, 300, "mpi");
  add(call_of_row("open", {{0, "f"}, {O_RDWR}, {0644}}, 0), 0, 10, "posix");
  std::vector<trace::Trace> pieces;
  pieces.push_back(builder.finish());
  trace::Trace t = assemble_members(std::move(pieces), "test", {});
  std::vector<Call> mpi = placed(t, "mpi"), posix = placed(t, "posix");
  ASSERT_EQ(mpi.size(), 2u);
  ASSERT_EQ(posix.size(), 1u);
  EXPECT_EQ(mpi[0].start_ns, 100u);
  EXPECT_EQ(mpi[1].start_ns, 300u);
  EXPECT_EQ(posix[0].start_ns, 300u);
}

TEST(InnerPlacement, EndsWithTheLastOuterCall) {
  Calls calls;
  open_by_mpi(calls);
  calls.add("MPI_File_close", {{0}});
  calls.add("open", {{0, "f"}, {O_RDWR}, {0644}}, 0, 0, "posix");
  for (int i = 0; i < 50; ++i) calls.add("pwrite", {{0}, {0}, {8}, {i * 8}}, 8, 0, "posix");
  trace::Trace t = alone(calls);
  std::vector<Call> outer = placed(t, ""), inner = placed(t, "posix");
  EXPECT_EQ(inner[0].start_ns, outer[0].start_ns);
  EXPECT_LE(inner.back().start_ns + inner.back().duration_ns,
            outer.back().start_ns + outer.back().duration_ns);
  for (size_t i = 1; i < inner.size(); ++i) EXPECT_LE(inner[i - 1].start_ns, inner[i].start_ns);
}

TEST(InnerPlacement, CallsOfTheProgramBeforeKeepTheirTimes) {
  Calls calls;
  calls.open("own", O_RDWR, 0).write(0, 5).close(0);
  open_by_mpi(calls);
  calls.add("open", {{0, "f"}, {O_RDWR}, {0644}}, 0, 0, "posix");
  trace::Trace t = alone(calls);
  for (trace::Stream& s : t.processes[0].streams)
    if (s.layer == "posix") s.prefix = 3;
  std::vector<Call> outer = placed(t, ""), posix = placed(t, "posix");
  ASSERT_EQ(posix.size(), 4u);
  for (size_t i = 0; i < 4; ++i) EXPECT_EQ(posix[i].start_ns, outer[i].start_ns) << i;
}

}  // namespace
}  // namespace refrain::exchange
