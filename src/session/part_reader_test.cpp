// Parts survive at every instant: a file is copied after each step, as a kill would leave it, and read back.
#include <gtest/gtest.h>
#include <stdlib.h>

#include <cstring>
#include <filesystem>
#include <fstream>

#include "base/test_folder.hpp"
#include "format/file.hpp"
#include "part/part_file.hpp"
#include "part/part_writer.hpp"
#include "part/process_info.hpp"
#include "part/state.hpp"
#include "session/part_reader.hpp"
#include "session/session.hpp"
#include "trace/expand.hpp"

namespace refrain::record {
namespace {

namespace fs = std::filesystem;

class PartTest : public testing::Test {
 protected:
  void SetUp() override {
    auto session =
        Session::start({.output = folder_.path() / "a.rfn", .preload = "lib.so", .command = {"app", "x"}});
    ASSERT_TRUE(session.has_value()) << session.error().text();
    parts_ = session->parts();
  }

  fs::path part_path() const { return parts_ / "host-1-2.0.part"; }

  void open() { ASSERT_EQ(writer_.create(part_path().c_str(), process_info({.lane = 0, .start_ns = 5})), 0); }

  void put(const void* bytes, size_t size) {
    ASSERT_LE(used_ + padded(size), writer_.capacity());
    std::memcpy(writer_.journal() + used_, bytes, size);
    used_ += padded(size);
    writer_.commit(used_);
  }

  /// Signature 0: write(fd, data, size) with one parameter.
  void define() {
    trace::Signature s;
    s.function = "write";
    s.layer = "posix";
    s.operands.push_back({.kind = trace::OperandKind::integer});
    ByteWriter out;
    s.write(out);
    std::vector<uint8_t> record(sizeof(DefinitionRecord) + out.size());
    DefinitionRecord head{RecordKind::define_signature, 0, static_cast<uint32_t>(out.size())};
    std::memcpy(record.data(), &head, sizeof head);
    std::memcpy(record.data() + sizeof head, out.bytes().data(), out.size());
    put(record.data(), record.size());
  }

  void event(int64_t value, uint64_t gap = 1, uint32_t own_ticks = 0) {
    struct {
      EventRecord head;
      int64_t value;
    } record{{RecordKind::event, 1, 1, 0, 0, own_ticks, ticks_ + gap, ticks_ + gap + 1}, value};
    ticks_ += gap + 1;
    put(&record, sizeof record);
    expected_.push_back(value);
  }

  /// Folds the journal and saves, as a lane does when it is full.
  void save(bool close) {
    ASSERT_EQ(fold_journal(state_, writer_.journal(), 0, used_), used_);
    ByteWriter out;
    state_.save(out);
    ASSERT_EQ(writer_.save(out.bytes(), close, writer_.capacity()), 0);
    used_ = 0;
    if (close) state_ = LaneState();
  }

  void expect_all() {
    auto trace = read_parts(parts_);
    ASSERT_TRUE(trace.has_value()) << trace.error().text();
    EXPECT_EQ(trace->command, "app x");
    ASSERT_EQ(trace->processes.size(), 1u);
    ASSERT_EQ(trace->processes[0].streams.size(), expected_.empty() ? 0u : 1u);
    if (expected_.empty()) return;
    std::vector<int64_t> got;
    trace::Expander run(trace->processes[0].streams[0].nodes);
    for (auto e = run.next(); e.node != nullptr; e = run.next()) got.push_back(e.parameters[0]);
    EXPECT_FALSE(run.damaged());
    EXPECT_EQ(got, expected_);
  }

  TestFolder folder_;
  fs::path parts_;
  PartWriter writer_;
  LaneState state_;
  size_t used_ = 0;
  uint64_t ticks_ = 1000;
  std::vector<int64_t> expected_;
};

TEST_F(PartTest, HoldsEveryEventAtEveryStep) {
  open();
  expect_all();
  for (int round = 0; round < 3; ++round) {
    define();
    for (int i = 0; i < 50; ++i) {
      event(round * 1000 + i * i);
      if (i % 10 == 0) expect_all();
      if (i % 17 == 0) {
        save(false);
        expect_all();
      }
    }
    save(true);
    expect_all();
  }
}

TEST_F(PartTest, TheHeatMapIsWholeAtEveryStep) {
  open();
  writer_.header().start_ticks = state_.start_ticks = 1000;
  writer_.header().start_ns = state_.start_ns = 1'700'000'000'000'000'000;
  auto expect_heat = [&] {
    auto trace = read_parts(parts_);
    ASSERT_TRUE(trace.has_value()) << trace.error().text();
    uint64_t time_ns = 0, calls = expected_.size();
    for (const trace::HeatRow& row : trace->processes[0].heat.rows)
      for (const trace::HeatCell& cell : row.cells) time_ns += cell.time_ns;
    EXPECT_EQ(time_ns, calls);  // a tick each
    if (calls == 0) return;
    uint64_t start_ns = trace->processes[0].heat.start_ns();
    EXPECT_LE(start_ns, writer_.header().start_ns + 1'000'000);
    EXPECT_GE(start_ns + 100'000, writer_.header().start_ns);
  };
  expect_heat();
  for (int round = 0; round < 3; ++round) {
    define();
    for (int i = 0; i < 20; ++i) {
      event(i, 1'000'000);
      if (i % 5 == 0) expect_heat();
      if (i % 7 == 0) {
        save(false);
        state_.start_ticks = 1000;
        expect_heat();
      }
    }
    save(true);
    state_.start_ticks = 1000;
    state_.start_ns = writer_.header().start_ns;
    expect_heat();
  }
}

TEST_F(PartTest, CommunicationBelongsToTheEventThatFollows) {
  open();
  define();
  event(1);
  CommunicationRecord record{RecordKind::communication, {}, {0, 70, 5}};
  put(&record, sizeof record);
  event(2);
  event(3);
  auto trace = read_parts(parts_);
  ASSERT_TRUE(trace.has_value()) << trace.error().text();
  trace::Communication sum;
  for (const trace::Node& node : trace->processes[0].streams[0].nodes) {
    sum.add(node.timing.communication);
    for (const trace::Node& inner : node.body) sum.add(inner.timing.communication);
  }
  EXPECT_GT(sum.ns[1], sum.ns[2]);
  EXPECT_EQ(sum.ns[0], 0u);
  writer_.header().rank.store(4);
  writer_.header().ranks.store(8);
  trace = read_parts(parts_);
  ASSERT_TRUE(trace.has_value()) << trace.error().text();
  EXPECT_TRUE(trace->processes[0].ranks == trace::RankSet::range(3, 1))
      << "MPI knows better than the launcher";
  EXPECT_EQ(trace->nprocs, 8u);
}

TEST_F(PartTest, WhatTheRecorderTookIsNoPartOfAGap) {
  open();
  state_.ns_per_tick = 1;
  define();
  event(1);
  event(2, 100, 30);
  event(3, 10, 50);  // more than there is
  ASSERT_EQ(fold_journal(state_, writer_.journal(), 0, used_), used_);
  uint64_t gaps = 0;
  std::vector<trace::Signature> write(1);
  write[0].operands.push_back({.kind = trace::OperandKind::integer});
  auto add = [&](auto& again, const std::vector<trace::Node>& nodes) -> void {
    for (const trace::Node& node : nodes) {
      gaps += node.timing.gap.sum_ns();
      again(again, node.body);
    }
  };
  add(add, state_.streams[0]->folder.finish(write));
  EXPECT_EQ(gaps, 70u);
}

TEST_F(PartTest, SaysHowTheProcessEnded) {
  open();
  define();
  event(1);
  auto early = read_parts(parts_);
  ASSERT_TRUE(early.has_value());
  EXPECT_EQ(early->processes[0].ending, trace::Ending::early);
  writer_.header().ending.store(1);
  writer_.header().lost_in_handlers.store(3);
  writer_.header().unsaved.store(2);
  auto exited = read_parts(parts_);
  ASSERT_TRUE(exited.has_value());
  EXPECT_EQ(exited->processes[0].ending, trace::Ending::exited);
  EXPECT_EQ(exited->processes[0].loss.in_handlers, 3u);
  EXPECT_EQ(exited->processes[0].loss.no_space, 2u);
}

TEST_F(PartTest, ADamagedPartIsNamedAndTheOthersAreRead) {
  open();
  define();
  event(7);
  std::ofstream(parts_ / "host-1-3.0.part") << "nonsense";
  PartsReport report;
  auto trace = read_parts(parts_, &report);
  ASSERT_TRUE(trace.has_value());
  ASSERT_EQ(report.damaged.size(), 1u);
  EXPECT_NE(report.damaged[0].find("host-1-3.0.part"), std::string::npos);
  EXPECT_EQ(trace->notes.size(), 1u);
  EXPECT_EQ(trace->processes.size(), 1u);
}

/// A thread or process may be killed while it makes its part.
TEST_F(PartTest, APartThatWasNotBegunHoldsNothing) {
  open();
  define();
  event(7);
  std::ofstream(parts_ / "host-1-3.1.part") << std::string(266'240, '\0');
  std::ofstream(parts_ / "host-1-3.2.part") << "";
  PartsReport report;
  auto trace = read_parts(parts_, &report);
  ASSERT_TRUE(trace.has_value());
  EXPECT_TRUE(report.damaged.empty());
  EXPECT_TRUE(trace->notes.empty());
  EXPECT_EQ(trace->processes.size(), 1u);
}

/// What ranks merged in place stands for the part up to there; if it can't be read, the parts are still
/// whole.
TEST_F(PartTest, MergedInPlaceOrFromThePartsAgain) {
  open();
  writer_.header().rank.store(1);
  writer_.header().ranks.store(1);
  writer_.header().ending.store(1);
  define();
  for (int i = 0; i < 10; ++i) event(i * i);
  save(true);
  auto merged = read_parts(parts_);
  ASSERT_TRUE(merged.has_value()) << merged.error().text();
  writer_.offer(0xabc);
  define();
  event(4711);

  fs::path place = parts_ / "merged-0000000000000abc.rfn";
  ASSERT_TRUE(format::write_file(*merged, place));
  PartsReport report;
  auto whole = read_parts(parts_, &report);
  ASSERT_TRUE(whole.has_value()) << whole.error().text();
  EXPECT_TRUE(report.remarks.empty());
  expect_all();

  std::ofstream(place) << "nonsense";
  auto again = read_parts(parts_, &report);
  ASSERT_TRUE(again.has_value()) << again.error().text();
  ASSERT_EQ(report.remarks.size(), 1u);
  EXPECT_TRUE(report.remarks[0].starts_with("merged from the parts again: ")) << report.remarks[0];
  expect_all();
}

TEST_F(PartTest, SaysThatTheProcessStillRuns) {
  open();
  define();
  event(7);
  PartsReport report;
  ASSERT_TRUE(read_parts(parts_, &report).has_value());
  EXPECT_EQ(report.still_running, 1u) << "this one";
  EXPECT_EQ(report.unended_elsewhere, 0u);
}

TEST_F(PartTest, AnyDamageIsNoticedOrHarmless) {
  open();
  define();
  for (int i = 0; i < 20; ++i) event(i * 3);
  save(false);
  for (int i = 0; i < 20; ++i) event(i * 5);
  std::ifstream in(part_path(), std::ios::binary);
  std::string whole((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
  // Header, anchors and the segments; the unused rest of the journal holds nothing.
  for (size_t at = 0; at < whole.size(); at += at < 256 ? 1 : 4099) {
    std::string damaged = whole;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x55);
    std::ofstream(part_path(), std::ios::binary | std::ios::trunc) << damaged;
    auto trace = read_parts(parts_);
    if (!trace) {
      EXPECT_FALSE(trace.error().text().empty());
    }
  }
  for (size_t size : {size_t{1}, size_t{8}, size_t{100}, size_t{4096}, whole.size() / 2, whole.size() - 1}) {
    std::ofstream(part_path(), std::ios::binary | std::ios::trunc) << whole.substr(0, size);
    auto trace = read_parts(parts_);
    if (size < 200) {
      EXPECT_FALSE(trace.has_value()) << size;
    }
  }
}

TEST(Session, RefusesAFolderThatHoldsAnotherRecording) {
  std::string name = testing::TempDir() + "refrain_session_XXXXXX";
  ASSERT_NE(mkdtemp(name.data()), nullptr);
  SessionOptions options{.output = fs::path(name) / "a.rfn", .preload = "lib.so", .command = {"app"}};
  {
    auto first = Session::start(options);
    ASSERT_TRUE(first.has_value());
    auto second = Session::start(options);
    ASSERT_FALSE(second.has_value());
    EXPECT_NE(second.error().message.find("another recording"), std::string::npos);
  }
  auto third = Session::start(options);
  ASSERT_FALSE(third.has_value());
  EXPECT_NE(third.error().message.find("refrain merge"), std::string::npos);
  fs::remove_all(name);
}

TEST(Session, KeepsOtherPreloads) {
  std::string name = testing::TempDir() + "refrain_session_XXXXXX";
  ASSERT_NE(mkdtemp(name.data()), nullptr);
  auto session = Session::start({.output = fs::path(name) / "a.rfn",
                                 .preload = "/lib/librefrain.so",
                                 .command = {"app"},
                                 .layers = {"posix"},
                                 .rules = {{true, "/dev/shm/**"}, {false, "/usr/**"}}});
  ASSERT_TRUE(session.has_value());
  const char* const given[] = {"HOME=/root", "LD_PRELOAD=/lib/other.so", "REFRAIN_RULES=old", nullptr};
  std::vector<std::string> wanted = {"HOME=/root",
                                     "",
                                     "",
                                     "UCX_VFS_ENABLE=n",
                                     "LD_PRELOAD=/lib/librefrain.so:/lib/other.so",
                                     "REFRAIN_PARTS=" + (fs::path(name) / "a.rfn.parts").string(),
                                     "REFRAIN_RULES=+/dev/shm/%2a%2a%0a-/usr/%2a%2a%0a",
                                     "REFRAIN_LAYERS=posix"};
  std::string ours = "=env " + wanted[4] + " " + wanted[5] + " " + wanted[6] + " " + wanted[7];
  wanted[1] = "OMPI_MCA_orte_launch_agent" + ours + " orted";
  wanted[2] = "PRTE_MCA_prte_launch_agent" + ours + " prted";
  EXPECT_EQ(session->environment(given), wanted);
  EXPECT_TRUE(session->leave());
  EXPECT_TRUE(session->remove().has_value());
  EXPECT_FALSE(fs::exists(session->parts()));
  fs::remove_all(name);
}

}  // namespace
}  // namespace refrain::record
