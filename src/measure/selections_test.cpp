// What traces select, as calls of real programs do it, and that leaps over loops change nothing of it.
#include "measure/selections.hpp"

#include <gtest/gtest.h>

#include <random>
#include <set>

#include "api/table.hpp"
#include "base/test_rounds.hpp"
#include "measure/file_usage.hpp"
#include "trace/sample.hpp"

namespace refrain::measure {

using namespace trace;

namespace {

using sample::affine;
using sample::event;
using sample::loop;
using sample::number;

enum SelectionCalls : uint32_t {
  open_h5,
  make_space,
  make_set,
  select_part,
  write_part,
  open_mpi,
  cut_array,
  see,
  write_seen,
  write_there
};

Operand handle_of(const char* kind) { return {.kind = OperandKind::slot, .text = kind}; }
Operand name_of(const char* text) { return {.kind = OperandKind::name, .text = text}; }
Operand list_of(uint32_t width) { return {.kind = OperandKind::list, .width = width}; }

Signature call_of(const char* function, const char* layer, std::vector<Operand> operands,
                  Operand result = {}) {
  Signature s{.function = function, .layer = layer};
  s.operands = std::move(operands);
  s.result = std::move(result);
  if (s.result.kind == OperandKind::slot) s.bracket = Bracket::opens;
  return s;
}

/// Files "a.h5" and "b.dat"; arrays of two dimensions.
Trace selection_sample(std::vector<Node> nodes, uint32_t ranks = 0) {
  Trace t{.command = "sample", .nprocs = ranks};
  Operand path{.kind = OperandKind::text}, count{.kind = OperandKind::integer};
  Operand data{.kind = OperandKind::sized_data, .role = Role::bytes_written};
  Operand offset{.kind = OperandKind::integer, .role = Role::offset};
  t.signatures = {
      call_of("H5Fcreate", "hdf5", {path}, handle_of("file")),
      call_of("H5Screate_simple", "hdf5", {count, list_of(2), name_of("NULL")}, handle_of("space")),
      call_of("H5Dcreate2", "hdf5", {handle_of("file"), path, name_of("H5T_NATIVE_INT"), handle_of("space")},
              handle_of("dataset")),
      call_of("H5Sselect_hyperslab", "hdf5",
              {handle_of("space"), name_of("H5S_SELECT_SET"), list_of(2), name_of("NULL"), list_of(2),
               name_of("NULL")}),
      call_of(
          "H5Dwrite", "hdf5",
          {handle_of("dataset"), name_of("H5T_NATIVE_INT"), name_of("H5S_ALL"), handle_of("space"), data}),
      call_of("MPI_File_open", "mpiio", {name_of("MPI_COMM_WORLD"), path}, handle_of("fh")),
      call_of("MPI_Type_create_subarray", "mpi",
              {list_of(2), list_of(2), list_of(2), name_of("MPI_ORDER_C"), name_of("MPI_DOUBLE")},
              handle_of("mpitype")),
      call_of("MPI_File_set_view", "mpiio",
              {handle_of("fh"), offset, name_of("MPI_DOUBLE"), handle_of("mpitype"), name_of("native")}),
      call_of("MPI_File_write_all", "mpiio", {handle_of("fh"), data, count, name_of("MPI_DOUBLE")}),
      call_of("MPI_File_write_at", "mpiio", {handle_of("fh"), offset, data, count, name_of("MPI_DOUBLE")}),
  };
  for (const char* name : {"a.h5", "b.dat", "numbers"}) {
    std::vector<int64_t> fields;
    t.templates.push_back(Template::parse(name, fields));
  }
  Process& p = t.processes.emplace_back();
  if (ranks > 0) p.ranks = RankSet::range(0, ranks);
  p.streams.push_back({.nodes = std::move(nodes)});
  return t;
}

Value times_rank(int64_t factor, std::vector<Number> slopes = {}) {
  return {.base = Number(RankExpression::rank() * RankExpression::constant(factor)),
          .slopes = std::move(slopes)};
}

/// A space of 100 x 400 elements, a dataset in it; a file of MPI-IO.
std::vector<Node> opened_files() {
  return {event(open_h5, {number(0), number(0)}),
          event(make_space, {number(2), number(100), number(400), number(0)}),
          event(make_set, {number(0), number(2), number(0), number(0)}),
          event(open_mpi, {number(1), number(0)})};
}

Usage usage_of(std::vector<Node> nodes, uint32_t ranks, UsageOptions options = {}) {
  std::vector<Node> all = opened_files();
  for (Node& n : nodes) all.push_back(std::move(n));
  return measure_usage(selection_sample(std::move(all), ranks), options);
}

Node selected(Value row, Value column, int64_t rows, int64_t columns) {
  return event(select_part, {number(0), std::move(row), std::move(column), number(rows), number(columns)});
}
Node written(int64_t bytes) { return event(write_part, {number(0), number(0), number(bytes)}); }

TEST(Selections, OfADatasetThatGrows) {
  Usage usage =
      usage_of({loop(number(100), {selected(affine(0, {1}), times_rank(100), 1, 100), written(400)})}, 4);
  ASSERT_EQ(usage.files.size(), 2u);
  EXPECT_EQ(usage.files[0].write_pattern,
            "dataset numbers: each rank a block of 100 x 100 of 100 x 400 elements (39.1 KiB), one behind "
            "the other, "
            "in 100 pieces of 1 x 100");
  EXPECT_EQ(usage.files[0].pattern_layer, "");
}

TEST(Selections, OfViews) {
  Usage usage = usage_of(
      {event(cut_array, {number(8), number(8), number(4), number(4), times_rank(4), number(0), number(0)}),
       loop(number(3), {event(see, {number(0), affine(0, {512}), number(0)}),
                        event(write_seen, {number(0), number(128), number(16)})}),
       event(see, {number(0), number(4096), number(0)}),
       event(write_seen, {number(0), number(100), number(12)})},
      2);
  EXPECT_EQ(
      usage.files[1].write_pattern,
      "each rank a block of 4 x 4 of 8 x 8 elements (128 bytes), one behind the other, 3 times, 512 bytes "
      "further on each time; each rank irregular parts (100 bytes)")
      << "the last access ends inside of an element";
}

TEST(Selections, WithoutAView) {
  Usage usage = usage_of(
      {loop(number(1000),
            {event(write_there, {number(0), times_rank(1 << 20, {1024}), number(1024), number(128)})})},
      4);
  EXPECT_EQ(usage.files[1].write_pattern, "each rank a contiguous block of 1000 KiB, one every 1 MiB");
}

TEST(Selections, HugeLoopsCostNothing) {
  constexpr int64_t turns = int64_t{1} << 40;
  Usage usage = usage_of({loop(number(turns), {selected(affine(0, {1}), number(0), 1, 400), written(1600)}),
                          loop(number(turns), {event(write_seen, {number(0), number(64), number(8)})})},
                         0);
  EXPECT_TRUE(usage.complete);
  EXPECT_EQ(usage.files[0].outer.writes, static_cast<uint64_t>(turns));
  EXPECT_EQ(usage.files[1].write_pattern,
            "a contiguous block of 64 TiB in 1,099,511,627,776 pieces of 64 bytes");
}

/// Selections, views and accesses in nested loops.
std::vector<Node> random_selections(std::mt19937& random, size_t depth) {
  auto pick = [&](int64_t n) { return static_cast<int64_t>(random() % static_cast<uint64_t>(n)); };
  auto some = [&](int64_t unit) {
    std::vector<int64_t> slopes;
    for (size_t d = 0; d < depth; ++d) slopes.push_back(unit * pick(3));
    return affine(unit * pick(4), slopes);
  };
  std::vector<Node> nodes;
  for (int64_t n = 1 + pick(3); n > 0; --n) {
    if (depth < 3 && pick(2) == 0) {
      nodes.push_back(loop(number(1 + pick(8)), random_selections(random, depth + 1)));
      continue;
    }
    switch (pick(6)) {
      case 0:
        nodes.push_back(selected(some(1), some(10), 1 + pick(2), 10));
        break;
      case 1:
        nodes.push_back(written(4 * (1 + pick(3))));
        break;
      case 2:
        nodes.push_back(
            event(cut_array, {number(8), number(8), number(4), number(4), some(1), number(0), number(0)}));
        break;
      case 3:
        nodes.push_back(event(see, {number(0), some(512), number(0)}));
        break;
      case 4:
        nodes.push_back(event(write_seen, {number(0), number(128), number(16)}));
        break;
      default:
        nodes.push_back(event(write_there, {number(0), some(16), number(128), number(16)}));
    }
  }
  return nodes;
}

/// Traces come from anybody: every function, with any operands.
TEST(Selections, OperandsThatFunctionsDontHave) {
  std::mt19937 random(5);
  auto pick = [&](size_t n) { return random() % n; };
  for (int round = 0; round < test_rounds(40); ++round)
    for (const api::Row& row : api::rows()) {
      Signature s{.function = std::string(row.name), .layer = std::string(row.layer)};
      for (size_t n = pick(6); n > 0; --n) {
        const char* classes[] = {"space", "dataset", "mpitype", "fh", "fd", "file"};
        const char* names[] = {"NULL",           "H5S_ALL",       "MPI_DOUBLE",
                               "H5S_SELECT_SET", "H5S_SELECT_OR", "SEEK_SET"};
        switch (pick(5)) {
          case 0:
            s.operands.push_back(handle_of(classes[pick(6)]));
            break;
          case 1:
            s.operands.push_back(name_of(names[pick(6)]));
            break;
          case 2:
            s.operands.push_back(list_of(static_cast<uint32_t>(pick(4))));
            break;
          default:
            s.operands.push_back({.kind = OperandKind::integer, .role = static_cast<Role>(pick(6))});
        }
      }
      if (pick(2) == 0) s.result = handle_of(pick(2) == 0 ? "space" : "mpitype");
      std::vector<Signature> list{s};
      SelectionRule rule = selection_rules(list, access_rules(list))[0];
      std::vector<int64_t> parameters(s.parameters());
      for (int64_t& p : parameters) p = pick(4) == 0 ? INT64_MIN : static_cast<int64_t>(pick(5));
      Selections selections;
      for (int i = 0; i < 3; ++i) selections.take(rule, parameters, pick(2) == 0 ? UINT64_MAX : 8);
    }
}

TEST(Selections, LeapsChangeNothing) {
  std::mt19937 random(11);
  std::set<std::string> seen;
  for (int round = 0; round < test_rounds(1000); ++round) {
    std::vector<Node> nodes = random_selections(random, 0);
    Usage leaped = usage_of(nodes, 0), run = usage_of(nodes, 0, {.leaps = false});
    for (size_t i = 0; i < run.files.size(); ++i) {
      ASSERT_EQ(leaped.files[i].outer.bytes_written, run.files[i].outer.bytes_written) << round;
      ASSERT_EQ(leaped.files[i].write_pattern, run.files[i].write_pattern) << round;
      seen.insert(run.files[i].write_pattern);
    }
  }
  EXPECT_GT(seen.size(), 100u) << "the programs are all alike";
}

}  // namespace
}  // namespace refrain::measure
