#include "exchange/file_tracker.hpp"

#include "exchange/sample_calls.hpp"

namespace refrain::exchange {
namespace {

using sample::Calls;

/// Everything the calls of a trace do to files: "write a 0+100", one per call.
std::vector<std::string> accesses(const trace::Trace& t, const std::string& layer = {}) {
  static constexpr const char* kinds[] = {"other", "open", "close", "read", "write", "barrier"};
  std::vector<std::string> list;
  std::vector<CallFacts> facts = call_facts(t);
  FileTable files;
  for (const Member& member : members_of(t)) {
    trace::Process program = program_of(member);
    MemberWalk walk(t, program, {layer});
    FileTracker tracker(t, program, facts, files);
    for (Call call = walk.next(); call.signature != nullptr; call = walk.next()) {
      Access a = tracker.call(call);
      std::string text = kinds[static_cast<size_t>(a.kind)];
      if (a.file) text += " " + files[*a.file].path;
      if (a.is_data())
        text += " " + (a.offset ? std::to_string(*a.offset) : "?") + "+" + std::to_string(a.bytes);
      if (a.together) text += " together";
      list.push_back(text);
    }
  }
  return list;
}

using Lines = std::vector<std::string>;

TEST(FileTracker, FollowsPositionsOfDescriptorsAndTheirCopies) {
  Calls calls;
  calls.open("a", O_RDWR | O_CREAT, 0).write(0, 100).add("dup", {{0}}, 1).write(1, 10).pwrite(0, 5, 1000);
  calls.write(0, 1).add("lseek", {{0}, {20}, {0, "SEEK_SET"}}, 20).read(1, 7).close(0).read(1, 2).close(1);
  EXPECT_EQ(accesses(alone(calls)),
            (Lines{"open a", "write a 0+100", "other a", "write a 100+10", "write a 1000+5", "write a 110+1",
                   "other a", "read a 20+7", "close a", "read a 27+2", "other a"}));
}

TEST(FileTracker, AppendsGoToTheEndThatIsKnown) {
  Calls calls;
  calls.open("log", O_WRONLY | O_APPEND, 0).write(0, 10).pwrite(0, 5, 100).write(0, 1).close(0);
  EXPECT_EQ(accesses(alone(calls)),
            (Lines{"open log", "write log 0+10", "write log 100+5", "write log 105+1", "close log"}));
}

TEST(FileTracker, DescriptorsFromBeforeAndFailedCalls) {
  Calls calls;
  calls.write(5, 3).add("open", {{0, "gone"}, {O_RDONLY}}, 0, 0, {}, "ENOENT");
  calls.add("pwrite", {{5}, {0}, {9}, {0}}, 0, 0, {}, "EIO").write(5, 1);
  EXPECT_EQ(accesses(alone(calls)),
            (Lines{"write (open from the beginning: fd5) 0+3", "other gone",
                   "other (open from the beginning: fd5)", "write (open from the beginning: fd5) 3+1"}));
}

TEST(FileTracker, NamesAreRelativeToFolders) {
  Calls calls;
  calls.open("d", O_RDONLY | O_DIRECTORY, 0);
  calls.add("openat", {{0}, {0, "in_d"}, {O_RDWR | O_CREAT}, {0644}}, 1).write(1, 4).close(1);
  calls.add("chdir", {{0, "d"}}).open("in_d", O_RDONLY, 1).read(1, 4).close(1);
  EXPECT_EQ(accesses(alone(calls)), (Lines{"open d", "open d/in_d", "write d/in_d 0+4", "close d/in_d",
                                           "other d", "open d/in_d", "read d/in_d 0+4", "close d/in_d"}));
}

TEST(FileTracker, ViewsHidePlacesOfMpiFiles) {
  Calls calls(0);
  calls.add("MPI_File_open",
            {{0, "MPI_COMM_WORLD"}, {0, "x"}, {0, "MPI_MODE_CREATE|MPI_MODE_WRONLY"}, {0, "MPI_INFO_NULL"}},
            0);
  calls.add("MPI_File_write_at", {{0}, {64}, {8}, {8}, {0, "MPI_BYTE"}});
  calls.add("MPI_File_write", {{0}, {8}, {8}, {0, "MPI_BYTE"}});
  calls.add("MPI_File_write_all", {{0}, {8}, {8}, {0, "MPI_BYTE"}});
  calls.add("MPI_File_write_shared", {{0}, {8}, {8}, {0, "MPI_BYTE"}});
  calls.add("MPI_File_set_view",
            {{0}, {0}, {0, "MPI_BYTE"}, {0, "MPI_BYTE"}, {0, "native"}, {0, "MPI_INFO_NULL"}});
  calls.add("MPI_File_write_at", {{0}, {64}, {8}, {8}, {0, "MPI_BYTE"}});
  calls.add("MPI_Barrier", {{0, "MPI_COMM_WORLD"}}).add("MPI_File_close", {{0}});
  std::vector<trace::Trace> pieces;
  pieces.push_back(calls.piece(1));
  EXPECT_EQ(accesses(assemble_members(std::move(pieces), "test", {})),
            (Lines{"open x", "write x 64+8", "write x 0+8", "write x 8+8 together", "write x ?+8", "other x",
                   "write x ?+8", "barrier", "close x"}));
}

TEST(FileTracker, IdsArePositiveAndDiffer) {
  EXPECT_EQ(file_id("a"), file_id("a"));
  EXPECT_NE(file_id("a"), file_id("b"));
  EXPECT_NE(file_id(""), 0u);
  EXPECT_LE(file_id("some/long/name"), static_cast<uint64_t>(INT64_MAX));
}

}  // namespace
}  // namespace refrain::exchange
