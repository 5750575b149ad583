// Each rule on a job that has the fault, and on one that hasn't.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>

#include "advise/findings_json.hpp"
#include "advise/made_up_job.hpp"

namespace refrain::advise {
namespace {

using namespace made_up;

Node open_own(Job& job, uint64_t ranks = 1) {
  return job.call("posix", "open", {job.path("own.", by_rank(1)), name("O_RDWR|O_CREAT")}, slot("fd", 0),
                  ranks, 10 * us);
}
Node open_shared(Job& job, uint64_t ranks) {
  return job.call("posix", "open", {job.path("shared"), name("O_RDWR")}, slot("fd", 0), ranks, 10 * us);
}
Node write_call(Job& job, int64_t bytes, uint64_t calls, uint64_t ns) {
  return job.call("posix", "write", {slot("fd", 0), data(), number(bytes, Role::size)}, written(bytes), calls,
                  ns);
}
Node pwrite_call(Job& job, int64_t bytes, Value at, uint64_t calls, uint64_t ns) {
  return job.call("posix", "pwrite",
                  {slot("fd", 0), data(), number(bytes, Role::size), offset(std::move(at))}, written(bytes),
                  calls, ns);
}
Node read_call(Job& job, int64_t bytes, uint64_t calls, uint64_t ns) {
  return job.call("posix", "read", {slot("fd", 0), data(), number(bytes, Role::size)}, read(bytes), calls,
                  ns);
}

Names small(int64_t bytes, int64_t calls, const char* layer = "posix", const char* function = "write") {
  Job job(0);
  auto n = static_cast<uint64_t>(calls);
  const char* handle = std::string(layer) == "stdio" ? "stream" : "fd";
  const char* open = std::string(layer) == "stdio" ? "fopen" : "open";
  job.outer({job.call(layer, open, {job.path("own"), name("w")}, slot(handle, 0), 1, 10 * us),
             loop(calls, {job.call(layer, function, {slot(handle, 0), data(), number(bytes)}, written(bytes),
                                   n, 50 * ms)})});
  return job.rules();
}

TEST(Rules, SmallAccesses) {
  EXPECT_EQ(small(512, 100'000), Names{"small-accesses"});
  EXPECT_EQ(small(512, 100), Names{});
  EXPECT_EQ(small(mib, 100'000), Names{});
  EXPECT_EQ(small(512, 100'000, "stdio", "fwrite"), Names{}) << "stdio has a buffer";
}

/// 16 ranks write parts of a variable, or attributes, of a file of PnetCDF: the call, with so many bytes
/// each.
Names pnetcdf(const char* function) {
  Job job(16);
  bool attribute = std::string(function).find("_att") != std::string::npos;
  Node call = job.call(
      "pnetcdf", function,
      attribute ? std::vector<Word>{slot("ncid", 0), name("NC_GLOBAL"), job.path("title"), data_written(16)}
                : std::vector<Word>{slot("ncid", 0), number(0), list({by_rank(4, 64)}), list({constant(4)}),
                                    data_written(16)},
      number(0), 16 * 5000, 300 * ms);
  job.outer(
      {job.call("pnetcdf", "ncmpi_create", {name("MPI_COMM_WORLD"), job.path("a.nc"), name("NC_CLOBBER")},
                slot("ncid", 0), 16, us),
       loop(5000, {std::move(call)}),
       job.call("pnetcdf", "ncmpi_wait_all", {slot("ncid", 0), name("NC_REQ_ALL")}, number(0), 16, 50 * ms)});
  return job.rules();
}

TEST(Rules, RequestsAndAttributesOfLibrariesAreNoAccesses) {
  EXPECT_EQ(pnetcdf("ncmpi_iput_vara_int"), Names{});
  EXPECT_EQ(pnetcdf("ncmpi_put_att_int"), Names{});
  EXPECT_EQ(pnetcdf("ncmpi_put_vara_int_all"), Names{});
  EXPECT_EQ(pnetcdf("ncmpi_put_vara_int"), (Names{"small-accesses", "uncoordinated-ranks"}));
}

TEST(Rules, FiguresWithoutTimes) {
  Job job(0);
  job.outer({open_own(job), loop(100'000, {write_call(job, 512, 100'000, 0)})});
  job.trace().processes[0].streams[0].nodes[0].timing = {};
  Advice advice = advise(job.trace());
  ASSERT_EQ(advice.findings.size(), 1u);
  for (const Figure& f : advice.findings[0].figures) EXPECT_NE(f.unit, "ns") << f.name;
}

TEST(Rules, SmallAccessesBelowALibrary) {
  for (int64_t bytes : {512 * int64_t{1}, 4 * mib}) {
    Job job(0);
    job.outer(
        {job.call("hdf5", "H5Fcreate", {job.path("a.h5"), name("H5F_ACC_TRUNC")}, slot("file", 0), 1, us),
         job.call("hdf5", "H5Dwrite", {slot("dataset", 0), data_written(64 * mib)}, nothing(), 1, 50 * ms)});
    job.inside("posix", {open_own(job), loop(5000, {write_call(job, bytes, 5000, 40 * ms)})});
    EXPECT_EQ(job.rules(), bytes < mib ? Names{"small-accesses"} : Names{});
  }
}

TEST(Rules, WhatTakesNoTimeIsNotWorthAWord) {
  Job job(0);
  job.outer({open_own(job), loop(2000, {write_call(job, 8, 2000, 100 * us)}),
             write_call(job, 100 * mib, 1, 900 * ms)});
  EXPECT_EQ(job.rules(), Names{});
}

Names unaligned(int64_t stride, bool shared) {
  Job job(8);
  job.outer({shared ? open_shared(job, 8) : open_own(job, 8),
             loop(100, {pwrite_call(job, 4 * mib, by_rank(stride * 100, stride), 800, 90 * ms)})});
  return job.rules();
}

TEST(Rules, UnalignedAccesses) {
  EXPECT_EQ(unaligned(4 * mib + 100, true), Names{"unaligned-accesses"});
  EXPECT_EQ(unaligned(4 * mib, true), Names{});
  EXPECT_EQ(unaligned(4 * mib + 100, false), Names{});
}

Names mpiio(const char* function, int64_t bytes, const char* communicator = "MPI_COMM_WORLD") {
  Job job(16);
  job.outer(
      {job.call("mpiio", "MPI_File_open", {name(communicator), job.path("shared"), name("MPI_MODE_WRONLY")},
                slot("fh", 0), 16, us),
       loop(100, {job.call("mpiio", function,
                           {slot("fh", 0), offset(by_rank(bytes, 16 * bytes)), data_written(bytes)},
                           nothing(), 1600, 80 * ms)})});
  return job.rules();
}

TEST(Rules, UncoordinatedRanks) {
  EXPECT_EQ(mpiio("MPI_File_write_at", 100 * kib), Names{"uncoordinated-ranks"});
  EXPECT_EQ(mpiio("MPI_File_write_at_all", 100 * kib), Names{});
  EXPECT_EQ(mpiio("MPI_File_write_at", 8 * mib), Names{});
  EXPECT_EQ(mpiio("MPI_File_write_at", 100 * kib, "MPI_COMM_SELF"), Names{});
}

TEST(Rules, UncoordinatedRanksOfPosix) {
  Job job(8);
  job.outer({open_shared(job, 8),
             loop(100, {pwrite_call(job, 64 * kib, by_rank(64 * kib, 8 * 64 * kib), 800, 90 * ms)})});
  EXPECT_EQ(job.rules(), Names{"uncoordinated-ranks"});
}

Names collective_writes(int64_t below, uint64_t calls_below) {
  Job job(4);
  job.outer(
      {job.call("mpiio", "MPI_File_open",
                {name("MPI_COMM_WORLD"), job.path("shared"), name("MPI_MODE_WRONLY")}, slot("fh", 0), 4, us),
       loop(10, {job.call("mpiio", "MPI_File_write_all", {slot("fh", 0), data_written(mib)}, nothing(), 40,
                          80 * ms)})});
  job.inside("posix", {open_shared(job, 4),
                       loop(static_cast<int64_t>(calls_below) / 4,
                            {pwrite_call(job, below, by_rank(mib, below), calls_below, 60 * ms)})});
  return job.rules();
}

TEST(Rules, BrokenCollectivesOfMpiIo) {
  EXPECT_EQ(collective_writes(4 * kib, 10240), (Names{"broken-collectives", "small-accesses"}));
  EXPECT_EQ(collective_writes(mib, 40), Names{});
}

Names synchronized(int64_t bytes, int64_t turns, const char* function = "fsync") {
  Job job(0);
  auto n = static_cast<uint64_t>(turns);
  job.outer(
      {open_own(job), loop(turns, {write_call(job, bytes, n, 2 * ms),
                                   job.call("posix", function, {slot("fd", 0)}, number(0), n, 70 * ms)})});
  return job.rules();
}

TEST(Rules, SyncStorm) {
  EXPECT_EQ(synchronized(100 * kib, 100), Names{"sync-storm"});
  EXPECT_EQ(synchronized(100 * kib, 100, "fdatasync"), Names{"sync-storm"});
  EXPECT_EQ(synchronized(100 * kib, 100, "fstat"), Names{});
  EXPECT_EQ(synchronized(100 * mib, 100), Names{});
  EXPECT_EQ(synchronized(100 * kib, 2), Names{});
}

Names reopened(bool other_names, int64_t writes) {
  Job job(0);
  Word path = other_names ? job.path("step.", by_turn(1)) : job.path("log");
  auto n = static_cast<uint64_t>(100 * writes);
  job.outer(
      {loop(100, {job.call("posix", "open", {path, name("O_WRONLY|O_APPEND")}, slot("fd", 0), 100, 40 * ms),
                  loop(writes, {write_call(job, 100 * kib, n, 5 * ms)}),
                  job.call("posix", "close", {slot("fd", 0)}, number(0), 100, 10 * ms)})});
  return job.rules();
}

TEST(Rules, ReopenedFiles) {
  EXPECT_EQ(reopened(false, 1), Names{"reopened-files"});
  EXPECT_EQ(reopened(true, 1), Names{});
  EXPECT_EQ(reopened(false, 50), Names{});
}

Names asking(int64_t questions, const char* error = "") {
  Job job(0);
  auto n = static_cast<uint64_t>(questions);
  job.outer({open_own(job), write_call(job, 2 * mib, 1, 2 * ms),
             loop(questions, {job.call("posix", "stat", {job.path("flag"), data()},
                                       *error ? nothing() : number(0), n, 30 * ms, error)})});
  return job.rules();
}

TEST(Rules, StatStorm) {
  EXPECT_EQ(asking(20'000), Names{"stat-storm"});
  EXPECT_EQ(asking(20'000, "ENOENT"), Names{"stat-storm"});
  EXPECT_EQ(asking(20), Names{});
}

TEST(Rules, OneRank) {
  for (bool alone : {true, false}) {
    Job job(8);
    Node open = open_own(job, alone ? 1 : 8), write = write_call(job, 64 * mib, alone ? 1 : 8, 300 * ms);
    if (alone) open.ranks = write.ranks = trace::RankSet::of({3});
    job.outer({open, write});
    EXPECT_EQ(job.rules(), alone ? Names{"one-rank"} : Names{});
    if (!alone) continue;
    Finding found = advise(job.trace()).findings.at(0);
    EXPECT_EQ(found.figures.at(1).value, 3);
    EXPECT_EQ(found.figures.at(2).value, 100);
  }
}

TEST(Rules, ImbalanceOfBytes) {
  for (int64_t first : {int64_t{200} * mib, 40 * mib}) {
    Job job(8);
    Node open = open_own(job, 8), heavy = write_call(job, first, 1, 400 * ms),
         others = write_call(job, 40 * mib, 7, 300 * ms);
    heavy.ranks = trace::RankSet::of({0});
    others.ranks = trace::RankSet::range(1, 7);
    job.outer({open, heavy, others});
    EXPECT_EQ(job.rules(), first > 40 * mib ? Names{"imbalance"} : Names{});
  }
}

TEST(Rules, ImbalanceOfTime) {
  for (uint64_t slow : {9000 * ms, 900 * ms}) {
    Job job(4);
    job.outer({open_own(job, 4), write_call(job, 40 * mib, 4, slow + 2700 * ms)});
    trace::HeatMap& heat = job.trace().processes[0].heat;
    for (uint32_t rank = 0; rank < 4; ++rank)
      heat.rows.push_back({rank, {{0, trace::HeatKind::written, 40 * mib, rank == 2 ? slow : 900 * ms}}});
    EXPECT_EQ(job.rules(), slow > 900 * ms ? Names{"imbalance"} : Names{});
  }
}

TEST(Rules, ReadBack) {
  for (bool after : {true, false}) {
    Job job(0);
    Node write = loop(10, {write_call(job, 10 * mib, 10, 50 * ms)}),
         read = loop(10, {read_call(job, 10 * mib, 10, 50 * ms)});
    job.outer({open_own(job), after ? write : read, after ? read : write});
    EXPECT_EQ(job.rules(), after ? Names{"read-back"} : Names{});
  }
}

TEST(Rules, DataSieving) {
  for (bool reads : {true, false}) {
    Job job(4);
    job.outer(
        {job.call("mpiio", "MPI_File_open",
                  {name("MPI_COMM_WORLD"), job.path("shared"), name("MPI_MODE_RDWR")}, slot("fh", 0), 4, us),
         loop(4, {job.call("mpiio", "MPI_File_write", {slot("fh", 0), data_written(mib)}, nothing(), 16,
                           80 * ms)})});
    std::vector<Node> below{open_shared(job, 4),
                            loop(4, {pwrite_call(job, 4 * mib, by_rank(4 * mib), 16, 20 * ms)})};
    if (reads)
      below[1].body.insert(
          below[1].body.begin(),
          job.call("posix", "pread", {slot("fd", 0), data(), number(4 * mib), offset(by_rank(4 * mib))},
                   read(4 * mib), 16, 20 * ms));
    job.inside("posix", std::move(below));
    EXPECT_EQ(job.rules(), reads ? Names{"data-sieving"} : Names{});
  }
}

TEST(Rules, FindingsSayWhereAndWhatToDo) {
  Job job(0);
  job.outer({open_own(job), loop(5000, {write_call(job, 100, 5000, 50 * ms)})});
  Advice advice = advise(job.trace());
  ASSERT_EQ(advice.findings.size(), 1u);
  const Finding& f = advice.findings[0];
  EXPECT_EQ(f.file, "own.0");
  EXPECT_EQ(f.place.lines, (Names{"loop i 5000", "write(fd0, data, 100) -> 100"}));
  EXPECT_EQ(f.time_ns, 50 * ms);
  EXPECT_FALSE(f.cost.empty());
  EXPECT_FALSE(f.change.empty());
  nlohmann::json json = findings_json(advice);
  EXPECT_EQ(json["findings"][0]["rule"], "small-accesses");
  EXPECT_EQ(json["findings"][0]["place"]["path"], (std::vector<uint32_t>{1, 0}));
  EXPECT_EQ(json["findings"][0]["figures"][0]["value"], 5000);
  EXPECT_EQ(json["io_time_ns"], 50 * ms + 10 * us);
}

TEST(Rules, HaveNamesOfTheirOwn) {
  std::set<std::string> names;
  for (const RuleName& rule : rule_names()) {
    EXPECT_TRUE(names.insert(rule.name).second) << rule.name;
    EXPECT_FALSE(rule.about.empty());
  }
  EXPECT_EQ(names.size(), 15u);
}

}  // namespace
}  // namespace refrain::advise
