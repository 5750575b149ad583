#include "part/host_page.hpp"

#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/mman.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "base/test_folder.hpp"
#include "session/session.hpp"

namespace refrain::record {
namespace {

namespace fs = std::filesystem;

class HostPages : public testing::Test {
 protected:
  void TearDown() override {
    for (const char* name : {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "PMIX_NAMESPACE"})
      unsetenv(name);
  }
  Result<Session> start() {
    return Session::start({.output = folder_.path() / "a.rfn", .preload = "lib.so", .command = {"app"}});
  }
  /// As if the recording had begun on another host.
  void move_session() {
    std::fstream file(parts() / "session", std::ios::binary | std::ios::in | std::ios::out);
    file.seekp(offsetof(PlainPage, host));
    uint64_t other = host_number() + 1;
    file.write(reinterpret_cast<const char*>(&other), sizeof other);
  }
  fs::path parts() const { return folder_.path() / "a.rfn.parts"; }
  long pages() const {
    return std::count_if(fs::directory_iterator(parts()), fs::directory_iterator(),
                         [](const fs::directory_entry& e) { return e.path().extension() == ".page"; });
  }
  TestFolder folder_;
};

TEST_F(HostPages, TheHostWhereItBeganUsesTheSessionItself) {
  auto session = start();
  ASSERT_TRUE(session.has_value());
  HostPage here = map_host_page(parts().c_str());
  ASSERT_NE(here.page, nullptr);
  EXPECT_TRUE(here.home);
  EXPECT_EQ(here.page->joined.load(), 1u);
  EXPECT_EQ(pages(), 0);
  munmap(here.page, header_bytes);
}

TEST_F(HostPages, AnotherHostHasOneOfItsOwnAndReadersAddThemUp) {
  auto session = start();
  ASSERT_TRUE(session.has_value());
  move_session();
  HostPage first = map_host_page(parts().c_str()), second = map_host_page(parts().c_str());
  ASSERT_NE(first.page, nullptr);
  ASSERT_NE(second.page, nullptr);
  EXPECT_FALSE(first.home);
  EXPECT_EQ(pages(), 1);
  first.page->processes.fetch_add(2);
  second.page->meetings.fetch_add(1);
  EXPECT_EQ(first.page->meetings.load(), 1u);
  EXPECT_EQ(session->processes_seen(), 2u);
  auto info = read_session(parts());
  ASSERT_TRUE(info.has_value());
  EXPECT_EQ(info->meetings, 1u);
  EXPECT_TRUE(session->leave());
  EXPECT_TRUE(session->remove().has_value());
  munmap(first.page, header_bytes);
  munmap(second.page, header_bytes);
}

TEST_F(HostPages, AFolderThatIsNotThereHasNone) {
  EXPECT_EQ(map_host_page((folder_.path() / "missing").c_str()).error, ENOENT);
  fs::create_directory(parts());
  std::ofstream(parts() / "session") << "something else";
  EXPECT_EQ(map_host_page(parts().c_str()).error, EINVAL);
}

TEST_F(HostPages, TheLastRecorderOfAllHostsMerges) {
  setenv("OMPI_COMM_WORLD_RANK", "0", 1);
  setenv("OMPI_COMM_WORLD_SIZE", "3", 1);
  setenv("PMIX_NAMESPACE", "job", 1);
  auto here = start();
  ASSERT_TRUE(here.has_value());
  move_session();
  auto there = start(), there_too = start();
  ASSERT_TRUE(there.has_value() && there_too.has_value());
  EXPECT_FALSE(there->leave());
  EXPECT_FALSE(there_too->leave());
  EXPECT_TRUE(here->leave());
  EXPECT_TRUE(here->remove().has_value());
}

}  // namespace
}  // namespace refrain::record
