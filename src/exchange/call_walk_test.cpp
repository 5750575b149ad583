#include "exchange/call_walk.hpp"

#include "exchange/operations.hpp"
#include "exchange/sample_calls.hpp"
#include "trace/sample.hpp"

namespace refrain::exchange {
namespace {

using sample::Calls;

TEST(CallWalk, TimesAddUpFromGapsAndDurations) {
  Calls calls;
  calls.open("a", O_RDWR, 0).write(0, 1).close(0);
  trace::Trace t = alone(calls);
  trace::Process program = program_of(members_of(t)[0]);
  CallWalk walk(t, program, 0, {});
  std::vector<uint64_t> starts;
  for (Call call = walk.next(); call.signature != nullptr; call = walk.next())
    starts.push_back(call.start_ns);
  EXPECT_EQ(starts, (std::vector<uint64_t>{10, 25, 40}));
}

TEST(CallWalk, ThreadsAreInTheOrderOfTime) {
  Calls calls;
  for (int i = 0; i < 3; ++i) calls.add("sync", {}, 0, 0);
  for (int i = 0; i < 2; ++i) calls.add("sync", {}, 0, 1);
  trace::Trace t = alone(calls);
  trace::Process program = program_of(members_of(t)[0]);
  MemberWalk walk(t, program, {});
  std::string threads;
  for (Call call = walk.next(); call.signature != nullptr; call = walk.next())
    threads += std::to_string(call.thread);
  EXPECT_EQ(threads, "01010");
}

TEST(CallWalk, ALayerIsItsStreamOrItsCallsAmongTheOuterOnes) {
  trace::Trace t = trace::sample::everything();
  for (const Member& member : members_of(t)) {
    trace::Process program = program_of(member);
    MemberWalk all(t, program, {}), posix(t, program, {"posix"});
    bool has_stream = std::any_of(program.streams.begin(), program.streams.end(),
                                  [](const trace::Stream& s) { return s.layer == "posix"; });
    uint64_t expected = 0, found = 0;
    for (Call call = all.next(); call.signature != nullptr; call = all.next())
      expected += call.signature->in_stream_of("posix");
    for (Call call = posix.next(); call.signature != nullptr; call = posix.next()) ++found;
    EXPECT_TRUE(has_stream || found == expected) << found << " " << expected;
  }
}

/// "write a 0+100" of all operations of a rank.
std::vector<std::string> operations(const trace::Trace& t, uint32_t rank,
                                    const OperationOptions& options = {}) {
  static constexpr const char* kinds[] = {"end", "pause", "open", "close", "read", "write", "barrier"};
  std::vector<CallFacts> facts = call_facts(t);
  RankOperations walk(t, facts, rank, options);
  std::vector<std::string> list;
  for (Operation o = walk.next(); o.kind != Operation::Kind::end; o = walk.next()) {
    std::string text = kinds[static_cast<size_t>(o.kind)];
    if (o.file != 0) (text += " ") += o.path;
    if (o.bytes > 0) text += " " + std::to_string(o.offset) + "+" + std::to_string(o.bytes);
    if (o.pause_ns > 0) text += " " + std::to_string(o.pause_ns);
    list.push_back(text);
  }
  EXPECT_EQ(walk.next().kind, Operation::Kind::end);
  return list;
}

using Lines = std::vector<std::string>;

TEST(RankOperations, OtherCallsAreTime) {
  Calls calls;
  calls.open("a", O_RDWR, 0).add("fsync", {{0}}).write(0, 7).close(0).add("sync", {});
  EXPECT_EQ(operations(alone(calls), 0),
            (Lines{"pause 10", "open a", "pause 25", "write a 0+7", "pause 10", "close a", "pause 15"}));
}

TEST(RankOperations, LargeTransfersAreSplit) {
  trace::Trace t = sample::parallel(3, [](Calls& calls, uint32_t rank) {
    calls.open("shared", O_RDWR, 0).pwrite(0, 10, rank * 10).close(0);
  });
  EXPECT_EQ(operations(t, 2, {"", 4}),
            (Lines{"pause 10", "open shared", "pause 10", "write shared 20+4", "write shared 24+4",
                   "write shared 28+2", "pause 10", "close shared"}));
  EXPECT_EQ(operations(t, 3), Lines{});
  EXPECT_EQ(rank_count(t), 3u);
}

TEST(RankOperations, TransfersWithoutAPlaceStandBehindEachOther) {
  Calls calls(0);
  calls.add("MPI_File_open", {{0, "MPI_COMM_WORLD"}, {0, "x"}, {0, "MPI_MODE_RDWR"}, {0, "MPI_INFO_NULL"}},
            0);
  for (int i = 0; i < 2; ++i) calls.add("MPI_File_write_shared", {{0}, {8}, {8}, {0, "MPI_BYTE"}});
  std::vector<trace::Trace> pieces;
  pieces.push_back(calls.piece(1));
  trace::Trace t = assemble_members(std::move(pieces), "test", {});
  EXPECT_EQ(operations(t, 0),
            (Lines{"pause 10", "open x", "pause 10", "write x 0+8", "pause 10", "write x 8+8"}));
}

}  // namespace
}  // namespace refrain::exchange
