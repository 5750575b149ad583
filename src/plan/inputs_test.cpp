#include "plan/inputs.hpp"

#include <gtest/gtest.h>

#include "plan/calls_one_by_one.hpp"

namespace refrain::plan {
namespace {

TEST(Inputs, AFileIsAsLargeAsWhatWasRead) {
  Calls calls;
  calls.open("/data/in_7.dat", "O_RDONLY", 0);
  calls.read(0, 100, 100);
  calls.read(0, 100, 42);
  calls.read(0, 100, 0);
  auto inputs = calls.inputs();
  ASSERT_EQ(inputs.files.size(), 1u);
  EXPECT_EQ(inputs.files[0].path, "data/in_7.dat");
  EXPECT_EQ(inputs.files[0].size, 142u);
  EXPECT_EQ(inputs.folders.count("data"), 1u);
}

TEST(Inputs, FoldersHoldWhatWasFirstListedLessWhatTheProgramMade) {
  Calls calls;
  calls.open_folder("found", 0);
  calls.list(0, 5);
  calls.open("found/a", "O_WRONLY|O_CREAT|O_EXCL", 0);
  calls.open_folder("found", 1);
  calls.list(1, 6);  // with `a`
  calls.open("out/b", "O_WRONLY|O_CREAT|O_EXCL", 0);
  calls.open("out/c", "O_WRONLY|O_CREAT|O_EXCL", 0);
  calls.name("unlink", "out/c");
  calls.open_folder("out", 2);
  calls.list(2, 4);  // with `b`
  auto inputs = calls.inputs();
  EXPECT_EQ(inputs.folders.at("found"), 5u);
  EXPECT_EQ(inputs.folders.at("out"), 3u);
}

TEST(Inputs, NetcdfFilesWithoutAHeaderMustBeCopied) {
  Calls calls;
  calls.open_netcdf("classic.nc", true);
  calls.open_netcdf("four.nc", false);
  auto inputs = calls.inputs();
  ASSERT_EQ(inputs.files.size(), 2u);
  EXPECT_FALSE(inputs.files[0].must_be_copied);
  EXPECT_EQ(inputs.files[0].header, (std::vector<int64_t>{1, 0}));
  EXPECT_TRUE(inputs.files[1].must_be_copied);
  EXPECT_NE(inputs.copied_note().find(": four.nc ("), std::string::npos);
}

TEST(Inputs, WhatTheProgramMakesIsNoInput) {
  Calls calls;
  calls.open("out", "O_RDWR|O_CREAT", 0);
  calls.write(0, 10);
  calls.open("out", "O_RDONLY", 1);
  calls.read(1, 10, 10);
  EXPECT_TRUE(calls.inputs().files.empty());
}

TEST(Inputs, WhatIsReadAndNobodyWroteWasThere) {
  Calls calls;
  calls.open("state", "O_RDWR|O_CREAT", 0);
  calls.read(0, 8192, 4);
  calls.seek(0, 0, "SEEK_SET", 0);
  calls.write(0, 1000);
  calls.seek(0, 0, "SEEK_SET", 0);
  calls.read(0, 8192, 1000);
  auto inputs = calls.inputs();
  ASSERT_EQ(inputs.files.size(), 1u);
  EXPECT_EQ(inputs.files[0].size, 4u);
}

TEST(Inputs, WhatIsReadAfterItWasWrittenNeedNotHaveBeenThere) {
  Calls calls;
  calls.open("out", "O_RDWR|O_CREAT", 0);
  calls.write(0, 1000);
  calls.seek(0, 0, "SEEK_END", 1000);
  calls.seek(0, 0, "SEEK_SET", 0);
  calls.read(0, 8192, 1000);
  calls.open("log", "O_RDWR|O_CREAT|O_APPEND", 1);
  calls.write(1, 10);
  calls.seek(1, 0, "SEEK_SET", 0);
  calls.read(1, 8192, 10);
  EXPECT_TRUE(calls.inputs().files.empty());
}

TEST(Inputs, AnEndBeyondWhatWasWrittenWasThere) {
  Calls calls;
  calls.open("log", "O_RDWR|O_CREAT|O_APPEND", 0);
  calls.write(0, 10);
  calls.seek(0, 0, "SEEK_END", 110);
  auto inputs = calls.inputs();
  ASSERT_EQ(inputs.files.size(), 1u);
  EXPECT_EQ(inputs.files[0].size, 100u);
}

TEST(Inputs, WhatWasFoundOrRemovedBeforeItWasMadeWasThere) {
  Calls calls;
  calls.name("stat", "found");
  calls.open("found", "O_RDWR|O_CREAT", 0);
  calls.name("unlink", "removed");
  calls.open("removed", "O_WRONLY|O_CREAT|O_TRUNC", 1);
  calls.open("mine", "O_RDWR|O_CREAT", 2);
  calls.name("stat", "mine");
  auto inputs = calls.inputs();
  ASSERT_EQ(inputs.files.size(), 2u);
  EXPECT_EQ(inputs.files[0].path, "found");
  EXPECT_EQ(inputs.files[1].path, "removed");
}

TEST(Inputs, WhatAnotherThreadMakesIsAwaitedWithItsData) {
  Calls calls;
  calls.next_thread();
  calls.open("b", "O_RDONLY", 0);
  calls.read(0, 100, 100);
  calls.next_thread();
  calls.open("b", "O_WRONLY|O_CREAT|O_TRUNC", 0);
  calls.write(0, 100);
  auto inputs = calls.inputs();
  EXPECT_TRUE(inputs.files.empty());
  AwaitedPaths expected{{{0, 0}, Awaited::file}, {{1, 0}, Awaited::data}};
  EXPECT_EQ(inputs.awaited, expected);
}

TEST(Inputs, WhoCameTooLateToRemoveAFileWaitsUntilItIsNoMore) {
  Calls calls;
  calls.name("unlink", "old");
  calls.name("stat", "alone", "ENOENT");
  calls.next_thread();
  calls.name("unlink", "old", "ENOENT");
  calls.name("stat", "old", "ENOENT");
  calls.name("unlink", "mine");
  auto inputs = calls.inputs();
  trace::Races races{{0, trace::Race::outcome}, {2, trace::Race::outcome}, {3, trace::Race::attempt}};
  EXPECT_EQ(inputs.races, races);
  AwaitedPaths awaited{{{2, 0}, Awaited::absence}};
  EXPECT_EQ(inputs.awaited, awaited);
}

TEST(Inputs, AFileIsTheSameThroughALink) {
  Calls calls;
  calls.name("mkdir", "run");
  calls.symlink("run", "now");
  calls.open("run/out", "O_WRONLY|O_CREAT|O_TRUNC", 0);
  calls.open("now/out", "O_RDONLY", 1);
  EXPECT_TRUE(calls.inputs().files.empty());
}

/// Stores into mapped pages don't make a file longer.
TEST(Inputs, AFileIsAsLongAsWhatIsStoredIntoItsPages) {
  Calls calls;
  calls.open("state", "O_RDWR", 0);
  calls.map(0, 65536, 8192, 0);
  calls.store(0, 4096, 8192);
  auto inputs = calls.inputs();
  ASSERT_EQ(inputs.files.size(), 1u);
  EXPECT_EQ(inputs.files[0].size, 20480u);
}

TEST(Inputs, WhatLiesOutsideOfAMappingNeedsNoFile) {
  Calls calls;
  calls.open("state", "O_RDWR", 0);
  calls.map(0, 65536, 8192, 0);
  for (int64_t offset : {int64_t{-4096}, int64_t{65536}, INT64_MIN, INT64_MAX - 1})
    calls.store(0, offset, int64_t{1} << 40);
  auto inputs = calls.inputs();
  ASSERT_EQ(inputs.files.size(), 1u);
  EXPECT_EQ(inputs.files[0].size, 0u);
}

TEST(Inputs, AllSpellingsOfAPathAreOne) {
  Calls calls;
  calls.open("out//log/", "O_WRONLY|O_CREAT", 0);
  calls.open("./out/log", "O_RDONLY", 1);
  EXPECT_TRUE(calls.inputs().files.empty());
}

TEST(Inputs, AnAttributeThatIsOpenedByNumberLeavesItsObjectWhatItIs) {
  const Operand text{.kind = OperandKind::text}, constant{.kind = OperandKind::name, .text = "H5P_DEFAULT"},
      number{.kind = OperandKind::integer};
  auto slot = [](const char* of) { return Operand{.kind = OperandKind::slot, .text = of}; };
  Calls calls;
  calls.open_object("H5Fopen", {text, constant, constant}, {calls.text("in.h5")}, "file");
  calls.open_object("H5Dopen2", {slot("file"), text, constant}, {0, calls.text("/d")}, "dataset");
  calls.open_object("H5Aopen_by_idx", {slot("dataset"), text, constant, constant, number, constant, constant},
                    {0, calls.text("."), 3}, "attribute");
  auto inputs = calls.inputs();
  ASSERT_EQ(inputs.objects.size(), 5u);  // numbers 0 to 3 must be there
  EXPECT_EQ(inputs.objects[0].kind, InputObject::Kind::dataset);
  EXPECT_EQ(inputs.objects[4].kind, InputObject::Kind::attribute);
  EXPECT_EQ(inputs.objects[4].attribute, "attribute_3");
}

TEST(Inputs, ANumberThatIsNoneLeadsNowhere) {
  const Operand text{.kind = OperandKind::text}, constant{.kind = OperandKind::name, .text = "H5P_DEFAULT"};
  auto slot = [](const char* of) { return Operand{.kind = OperandKind::slot, .text = of}; };
  Calls calls;
  calls.open_object("H5Fopen", {text, constant, constant}, {calls.text("in.h5")}, "file");
  calls.open_object("H5Dopen2", {slot("file"), text, constant}, {0, calls.text("/d")}, "dataset");
  calls.open_object("H5Aopen_idx", {slot("dataset"), constant}, {0}, "attribute");
  EXPECT_EQ(calls.inputs().objects.size(), 1u);
}

TEST(Inputs, WhatItReadsBeforeItMakesItIsOne) {
  Calls calls;
  calls.open("state", "O_RDONLY", 0);
  calls.read(0, 10, 10);
  calls.open("state", "O_WRONLY|O_CREAT|O_TRUNC", 1);
  ASSERT_EQ(calls.inputs().files.size(), 1u);
}

/// Two ranks: the first makes a file in a folder, the second opens it and makes one of its own there.
TEST(Inputs, WhatAnotherRankMakesIsAwaited) {
  trace::Trace trace;
  trace.nprocs = 2;
  auto name = [&](const char* path) {
    std::vector<int64_t> fields;
    trace.templates.push_back(trace::Template::parse(path, fields));
    return static_cast<int64_t>(trace.templates.size()) - 1;
  };
  trace::Process process{.ranks = trace::RankSet::range(0, 2)};
  process.streams.resize(1);
  auto call = [&](const char* function, const char* flags, const char* path, uint32_t rank) {
    trace::Signature s{.function = function, .layer = "posix"};
    s.operands = {{.kind = OperandKind::text}, {.kind = OperandKind::name, .text = flags}};
    Node node{.signature = static_cast<uint32_t>(trace.signatures.size())};
    node.parameters.push_back(Value::constant(name(path)));
    if (s.function == "open") {
      s.bracket = trace::Bracket::opens;
      s.result = {.kind = OperandKind::slot, .text = "fd"};
      node.parameters.push_back(Value::constant(0));
    }
    node.ranks = trace::RankSet::range(rank, 1);
    trace.signatures.push_back(s);
    process.streams[0].nodes.push_back(node);
  };
  call("mkdir", "0755", "run", 0);
  call("open", "O_WRONLY|O_CREAT", "run/a", 0);
  call("open", "O_RDONLY", "run/a", 0);
  call("open", "O_RDONLY", "run/a", 1);
  call("open", "O_WRONLY|O_CREAT", "run/b", 1);
  call("open", "O_RDONLY", "run/b", 1);
  trace.processes = {process};
  AwaitedPaths expected{{{3, 0}, Awaited::file}, {{4, 0}, Awaited::folder}};
  EXPECT_EQ(find_inputs(trace, trace.processes[0]).awaited, expected);
}

/// Calls of two ranks that open files by libraries.
class LibraryCalls {
 public:
  static Operand constant(const char* name) { return {.kind = OperandKind::name, .text = name}; }
  static Operand slot(const char* of) { return {.kind = OperandKind::slot, .text = of}; }
  static Operand path() { return {.kind = OperandKind::text}; }

  /// Of one rank, or of both. Returns the number of the signature.
  uint32_t call(std::vector<uint32_t> ranks, trace::Signature s, const std::vector<int64_t>& parameters) {
    Node node{.signature = static_cast<uint32_t>(trace_.signatures.size())};
    for (int64_t p : parameters) node.parameters.push_back(Value::constant(p));
    node.ranks = trace::RankSet::of(ranks);
    trace_.signatures.push_back(std::move(s));
    nodes_.push_back(node);
    return node.signature;
  }
  uint32_t create(std::vector<uint32_t> ranks, const char* name, Operand list) {
    trace::Signature s{.function = "H5Fcreate", .layer = "hdf5", .bracket = trace::Bracket::opens};
    s.operands = {path(), constant("H5F_ACC_TRUNC"), constant("H5P_DEFAULT"), list};
    return open(std::move(ranks), s, name, list);
  }
  uint32_t open(std::vector<uint32_t> ranks, const char* name, Operand list) {
    trace::Signature s{.function = "H5Fopen", .layer = "hdf5", .bracket = trace::Bracket::opens};
    s.operands = {path(), constant("H5F_ACC_RDONLY"), list};
    return open(std::move(ranks), s, name, list);
  }
  void close(std::vector<uint32_t> ranks) {
    trace::Signature s{.function = "H5Fclose", .layer = "hdf5", .bracket = trace::Bracket::closes};
    s.operands = {slot("file")};
    call(std::move(ranks), s, {0});
  }
  void barrier() {
    trace::Signature s{.function = "MPI_Barrier", .layer = "mpi"};
    s.operands = {constant("MPI_COMM_WORLD")};
    call({0, 1}, s, {});
  }
  void make_list(const char* comm) {
    trace::Signature made{.function = "H5Pcreate", .layer = "hdf5", .bracket = trace::Bracket::opens};
    made.operands = {constant("H5P_FILE_ACCESS")};
    made.result = slot("plist");
    call({0, 1}, made, {0});
    if (comm == nullptr) return;
    trace::Signature given{.function = "H5Pset_fapl_mpio", .layer = "hdf5"};
    given.operands = {slot("plist"), constant(comm), constant("MPI_INFO_NULL")};
    call({0, 1}, given, {0});
  }
  int64_t text(const char* name) {
    trace_.templates.push_back({{name}, {}});
    return static_cast<int64_t>(trace_.templates.size()) - 1;
  }
  AwaitedPaths awaited() {
    trace_.nprocs = 2;
    trace_.processes = {{.ranks = trace::RankSet::range(0, 2)}};
    trace_.processes[0].streams.push_back({.nodes = nodes_});
    return find_inputs(trace_, trace_.processes[0]).awaited;
  }

 private:
  uint32_t open(std::vector<uint32_t> ranks, trace::Signature& s, const char* name, const Operand& list) {
    s.result = slot("file");
    std::vector<int64_t> parameters{text(name)};
    if (list.kind == OperandKind::slot) parameters.push_back(0);
    parameters.push_back(0);
    return call(std::move(ranks), s, parameters);
  }
  trace::Trace trace_;
  std::vector<Node> nodes_;
};

TEST(Inputs, FilesThatRanksOpenTogetherLeaveOthersTheirTurns) {
  LibraryCalls calls;
  Operand normal = LibraryCalls::constant("H5P_DEFAULT"), list = LibraryCalls::slot("plist");
  calls.make_list("MPI_COMM_WORLD");
  calls.create({0, 1}, "together.h5", list);
  calls.close({0, 1});
  calls.make_list(nullptr);  // in the same slot
  uint32_t made = calls.create({0}, "handed_on.h5", normal);
  calls.close({0});
  uint32_t read = calls.open({1}, "handed_on.h5", list);
  calls.close({1});
  AwaitedPaths expected{{{made, 0}, Awaited::turn}, {{read, 0}, Awaited::turn}};
  EXPECT_EQ(calls.awaited(), expected);
}

TEST(Inputs, AFileThatSeveralRanksOpenTogetherIsNotHandedOn) {
  for (const char* comm : {"MPI_COMM_WORLD", "MPI_COMM_SELF"}) {
    LibraryCalls calls;
    calls.make_list(comm);
    calls.create({0}, "a.h5", LibraryCalls::slot("plist"));
    calls.close({0});
    uint32_t read = calls.open({1}, "a.h5", LibraryCalls::slot("plist"));
    calls.close({1});
    bool alone = comm == std::string("MPI_COMM_SELF");
    EXPECT_EQ(calls.awaited().at({read, 0}), alone ? Awaited::turn : Awaited::file);
  }
}

TEST(Inputs, AFileThatIsOpenOnBothSidesOfABarrierIsNotHandedOn) {
  for (bool kept_open : {false, true}) {
    LibraryCalls calls;
    Operand normal = LibraryCalls::constant("H5P_DEFAULT");
    calls.create({0}, "a.h5", normal);
    if (!kept_open) calls.close({0});
    calls.barrier();
    uint32_t read = calls.open({1}, "a.h5", normal);
    calls.close({1});
    calls.barrier();
    if (kept_open) calls.close({0});
    EXPECT_EQ(calls.awaited().at({read, 0}), kept_open ? Awaited::file : Awaited::turn);
  }
}

TEST(Inputs, NetcdfFilesAreHandedOnInTurns) {
  LibraryCalls calls;
  trace::Signature s{.function = "nc_create", .layer = "netcdf", .bracket = trace::Bracket::opens};
  s.operands = {LibraryCalls::path(), LibraryCalls::constant("NC_CLOBBER")};
  s.result = LibraryCalls::slot("nc");
  uint32_t made = calls.call({0}, s, {calls.text("a.nc"), 0});
  s.function = "nc_open";
  s.operands = {LibraryCalls::path(),
                LibraryCalls::constant("NC_NOWRITE"),
                {.kind = OperandKind::list, .width = 1},
                LibraryCalls::path()};
  uint32_t read = calls.call({1}, s, {calls.text("a.nc"), 0, calls.text("x/"), 0});
  AwaitedPaths expected{{{made, 0}, Awaited::turn}, {{read, 0}, Awaited::turn}};
  EXPECT_EQ(calls.awaited(), expected);
}

}  // namespace
}  // namespace refrain::plan
