// Figures of files must add up to those of the whole trace, and must not depend on whether loops are leaped
// over.
#include "measure/file_usage.hpp"

#include <gtest/gtest.h>

#include <random>

#include "base/test_rounds.hpp"
#include "measure/summary.hpp"
#include "trace/sample.hpp"

namespace refrain::measure {

using namespace trace;

namespace {

using sample::affine;
using sample::event;
using sample::loop;
using sample::number;

enum UsageCalls : uint32_t {
  open_file,
  pwrite_at,
  read_on,
  write_on,
  close_file,
  create_h5,
  create_set,
  write_set,
  fsync_it,
  close_set,
  close_h5,
  duplicate
};

Operand slot_of(const char* kind) { return {.kind = OperandKind::slot, .text = kind}; }
Operand count_of(Role role) { return {.kind = OperandKind::integer, .role = role}; }

Signature signature_of(const char* function, const char* layer, std::vector<Operand> operands, Operand result,
                       Bracket bracket = Bracket::neither) {
  Signature s{.function = function, .layer = layer};
  s.bracket = bracket;
  s.operands = std::move(operands);
  s.result = std::move(result);
  return s;
}

/// Files "a", "b" and "c"; an object "numbers".
Trace usage_sample(std::vector<Node> nodes, uint32_t ranks = 0) {
  Trace t{.command = "sample"};
  Operand path{.kind = OperandKind::text}, data{.kind = OperandKind::sized_data, .role = Role::bytes_written};
  t.signatures = {
      signature_of("open", "posix", {path}, slot_of("fd"), Bracket::opens),
      signature_of("pwrite", "posix", {slot_of("fd"), count_of(Role::offset)}, count_of(Role::bytes_written)),
      signature_of("read", "posix", {slot_of("fd")}, count_of(Role::bytes_read)),
      signature_of("write", "posix", {slot_of("fd")}, count_of(Role::bytes_written)),
      signature_of("close", "posix", {slot_of("fd")}, count_of(Role::plain), Bracket::closes),
      signature_of("H5Fcreate", "hdf5", {path, slot_of("plist")}, slot_of("file"), Bracket::opens),
      signature_of("H5Dcreate2", "hdf5", {slot_of("file"), path, slot_of("space")}, slot_of("dataset"),
                   Bracket::opens),
      signature_of("H5Dwrite", "hdf5", {slot_of("dataset"), data}, {}),
      signature_of("fsync", "posix", {slot_of("fd")}, count_of(Role::plain)),
      signature_of("H5Dclose", "hdf5", {slot_of("dataset")}, {}, Bracket::closes),
      signature_of("H5Fclose", "hdf5", {slot_of("file")}, {}, Bracket::closes),
      signature_of("dup", "posix", {slot_of("fd")}, slot_of("fd"), Bracket::opens),
  };
  for (const char* name : {"a", "b", "./c", "numbers"}) {
    std::vector<int64_t> fields;
    t.templates.push_back(Template::parse(name, fields));
  }
  t.nprocs = ranks;
  Process& p = t.processes.emplace_back();
  if (ranks > 0) p.ranks = RankSet::range(0, ranks);
  p.directory = "/home/someone";
  p.streams.push_back({.nodes = std::move(nodes)});
  return t;
}

const FileUsage* find_file(const Usage& usage, const std::string& path) {
  for (const FileUsage& file : usage.files)
    if (file.path == path) return &file;
  return nullptr;
}

Node opened(int64_t name, int64_t fd) { return event(open_file, {number(name), number(fd)}); }

TEST(FileUsage, OfACopy) {
  Usage usage = measure_usage(sample::copy());
  Summary summary = summarize(sample::copy());
  FileFigures all = usage.without_file;
  for (const FileUsage& file : usage.files) all.add(file.outer);
  EXPECT_EQ(all.calls, summary.outer.events);
  EXPECT_EQ(all.bytes_read, summary.outer.bytes_read);
  EXPECT_EQ(all.bytes_written, summary.outer.bytes_written);
  EXPECT_NEAR(all.time_ns, static_cast<double>(summary.outer.time_ns), 1);
  ASSERT_TRUE(find_file(usage, "out/part_00009.dat"));
  EXPECT_EQ(find_file(usage, "out/part_00009.dat")->outer.bytes_written, 10u * 65536);
  EXPECT_EQ(find_file(usage, "copy.bin")->write_pattern,
            "a contiguous block of 1 MiB in 8 pieces of 128 KiB");
  EXPECT_TRUE(usage.complete);
  ASSERT_EQ(usage.ranks.size(), 1u);
  EXPECT_EQ(usage.ranks[0].each.calls, summary.outer.events);
}

TEST(FileUsage, ObjectsStandBelowTheirFile) {
  Usage usage = measure_usage(usage_sample({
      event(create_h5, {number(0), number(0), number(0)}),
      event(create_set, {number(0), number(3), number(0), number(0)}),
      event(write_set, {number(0), number(800)}),
  }));
  ASSERT_EQ(usage.files.size(), 1u) << "a dataset is no file";
  EXPECT_EQ(usage.files[0].path, "a");
  EXPECT_EQ(usage.files[0].outer.calls, 3u);
  EXPECT_EQ(usage.files[0].outer.opens, 1u);
  EXPECT_EQ(usage.files[0].outer.bytes_written, 800u);
  ASSERT_EQ(usage.files[0].objects.size(), 1u);
  EXPECT_EQ(usage.files[0].objects[0].kind, "dataset");
  EXPECT_EQ(usage.files[0].objects[0].name, "numbers");
  EXPECT_EQ(usage.files[0].objects[0].figures.bytes_written, 800u);
  EXPECT_EQ(summarize(usage_sample({event(create_h5, {number(0), number(0), number(0)}),
                                    event(create_set, {number(0), number(3), number(0), number(0)})}))
                .files,
            std::vector<std::string>{"a"});
}

// Closing an object closes no file, and each close that counts has an open that counts.
TEST(FileUsage, ClosesAreThoseOfWhatWasOpened) {
  Usage usage = measure_usage(usage_sample({
      event(create_h5, {number(0), number(0), number(0)}),
      loop(number(9),
           {event(create_set, {number(0), number(3), number(0), number(0)}), event(close_set, {number(0)})}),
      event(close_h5, {number(0)}),
      opened(1, 0),
      event(duplicate, {number(0), number(1)}),
      event(close_file, {number(1)}),
      event(close_file, {number(0)}),
  }));
  for (const char* path : {"a", "b"}) {
    const FileUsage* file = find_file(usage, path);
    ASSERT_TRUE(file);
    EXPECT_EQ(file->outer.opens, 1u) << path;
    EXPECT_EQ(file->outer.closes, 1u) << path;
  }
  const ObjectUsage& set = find_file(usage, "a")->objects.at(0);
  EXPECT_EQ(set.figures.opens, 9u);
  EXPECT_EQ(set.figures.closes, 9u);
  EXPECT_EQ(usage.ranks.at(0).each.closes, 2u);
}

TEST(FileUsage, RanksOfASharedFile) {
  Value offset{.base = Number(RankExpression::rank() * RankExpression::constant(1 << 20)), .slopes = {65536}};
  Node alone = opened(1, 1);
  alone.ranks = RankSet::range(0, 1);
  Usage usage = measure_usage(usage_sample(
      {opened(0, 0), alone, loop(number(16), {event(pwrite_at, {number(0), offset, number(65536)}, 64)})},
      4));
  const FileUsage* shared = find_file(usage, "a");
  ASSERT_TRUE(shared);
  EXPECT_EQ(shared->ranks.text(), "0..3");
  EXPECT_EQ(shared->write_pattern, "each rank a contiguous block of 1 MiB");
  EXPECT_EQ(shared->outer.writes, 64u);
  EXPECT_EQ(shared->outer.aligned, 64u);
  EXPECT_EQ(find_file(usage, "b")->users, 1u);
  ASSERT_EQ(usage.ranks.size(), 2u) << "rank 0 and the others";
  EXPECT_EQ(usage.ranks[0].each.opens, 2u);
  EXPECT_EQ(usage.ranks[1].ranks.text(), "1..3");
}

TEST(FileUsage, HugeLoopsCostNothing) {
  constexpr int64_t turns = int64_t{1} << 40;
  Usage usage = measure_usage(
      usage_sample({opened(2, 0), loop(number(turns), {event(write_on, {number(0), number(100)}, 1)})}));
  ASSERT_EQ(usage.files.size(), 1u);
  EXPECT_EQ(usage.files[0].path, "c") << "in one spelling";
  EXPECT_EQ(usage.files[0].outer.writes, static_cast<uint64_t>(turns));
  EXPECT_EQ(usage.files[0].outer.aligned, static_cast<uint64_t>(turns) / 1024) << "100 * 1024 is the first";
  EXPECT_TRUE(usage.complete);
}

/// A random tree over two open files, in which nothing is opened, with trip counts that invite leaps.
std::vector<Node> random_nodes(std::mt19937& random, size_t depth) {
  auto pick = [&](int64_t n) { return static_cast<int64_t>(random() % static_cast<uint64_t>(n)); };
  std::vector<Node> nodes;
  for (int64_t n = 1 + pick(3); n > 0; --n) {
    Value fd = number(pick(2));
    if (depth < 3 && pick(2) == 0) {
      nodes.push_back(loop(number(1 + pick(9)), random_nodes(random, depth + 1)));
    } else if (pick(2) == 0) {
      std::vector<int64_t> slopes;
      for (size_t d = 0; d < depth; ++d) slopes.push_back(pick(3) == 0 ? 4096 * pick(4) : 100 * pick(50));
      nodes.push_back(event(pwrite_at, {fd, affine(pick(3) * 2048, slopes), number(1 + pick(5000))}));
    } else {
      nodes.push_back(event(pick(3) == 0   ? fsync_it
                            : pick(2) == 0 ? read_on
                                           : write_on,
                            {fd, number(pick(3000))}));
    }
  }
  return nodes;
}

TEST(FileUsage, LeapsChangeNothing) {
  std::mt19937 random(7);
  for (int round = 0; round < test_rounds(500); ++round) {
    std::vector<Node> nodes{opened(0, 0), opened(1, 1)};
    for (Node& n : random_nodes(random, 0)) nodes.push_back(std::move(n));
    Trace t = usage_sample(std::move(nodes));
    Usage leaped = measure_usage(t), run = measure_usage(t, {.leaps = false});
    ASSERT_EQ(leaped.files.size(), run.files.size());
    for (size_t i = 0; i < run.files.size(); ++i) {
      const FileFigures &a = leaped.files[i].outer, &b = run.files[i].outer;
      ASSERT_EQ(a.calls, b.calls) << round;
      ASSERT_EQ(a.reads, b.reads);
      ASSERT_EQ(a.bytes_written, b.bytes_written);
      ASSERT_EQ(a.bytes_read, b.bytes_read);
      ASSERT_EQ(a.placed, b.placed);
      ASSERT_EQ(a.aligned, b.aligned) << round;
      ASSERT_EQ(leaped.files[i].write_pattern, run.files[i].write_pattern) << round;
      ASSERT_EQ(leaped.files[i].read_pattern, run.files[i].read_pattern) << round;
    }
  }
}

TEST(FileUsage, BoundsAreSaid) {
  EXPECT_FALSE(measure_usage(sample::copy(), {.walked_events = 10}).complete);
  EXPECT_FALSE(measure_usage(sample::copy(), {.files = 1}).complete);
  for (const Trace& t : {sample::everything(), sample::powers(), sample::tree(), sample::made_names()})
    EXPECT_FALSE(measure_usage(t).ranks.empty());
}

}  // namespace
}  // namespace refrain::measure
