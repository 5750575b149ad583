// What the wall promises, in processes of their own: each has one root.
#include "wall/wall.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <linux/fiemap.h>
#include <linux/fs.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <functional>
#include <string>

namespace {

namespace fs = std::filesystem;

/// A folder with a root in it, entered by a child, which runs `body`; what is outside is to stay as it is.
class Wall : public testing::Test {
 protected:
  void SetUp() override {
    char name[] = "/tmp/wall_test.XXXXXX";
    base_ = mkdtemp(name);
    fs::create_directories(base_ / "root/a/b");
    fs::create_directories(base_ / "rootother");
    fs::create_directories(base_ / "outside");
  }
  void TearDown() override { fs::remove_all(base_); }

  /// Expectations that fail in the child are printed there.
  void inside(const std::function<void()>& body) {
    pid_t child = fork();
    if (child == 0) {
      if (chdir((base_ / "root").c_str()) != 0 || refrain_wall_begin() != 0) _exit(2);
      body();
      _exit(testing::Test::HasFailure() ? 1 : 0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
  }

  fs::path base_;
};

/// What a call is given for a path, or why not; both ways of looking it up agree.
std::string placed(const std::string& path, int at = AT_FDCWD, bool follow = true) {
  char image[9000], physical[9000];
  const char* reason = nullptr;
  std::string given = refrain_wall_place(at, path.c_str(), follow, image, sizeof image, &reason);
  std::error_code removed;
  bool at_root = at == AT_FDCWD && fs::current_path(removed).filename() == "root";
  bool walks = refrain_wall_walk(given.c_str(), follow, physical, sizeof physical) == nullptr;
  EXPECT_TRUE(!at_root || walks == (reason == nullptr)) << path;
  return reason == nullptr ? given : "! " + std::string(reason);
}
const std::string leads_out = "! leads out of the root";

std::string target(const std::string& link, const std::string& of) {
  char image[9000];
  return refrain_wall_target(AT_FDCWD, link.c_str(), of.c_str(), image, sizeof image);
}

TEST_F(Wall, paths_stay_below) {
  inside([] {
    EXPECT_EQ(placed("file"), "file");
    EXPECT_EQ(placed("a//b/./file"), "a//b/./file");
    EXPECT_EQ(placed("a/../file"), "a/../file");
    EXPECT_EQ(placed("../file"), "file");
    EXPECT_EQ(placed("a/../../../file"), "file");
    EXPECT_EQ(placed("/etc/passwd"), "etc/passwd");
    EXPECT_EQ(placed("/"), ".");
    EXPECT_EQ(placed("/.."), ".");
    EXPECT_EQ(placed(""), "");
    EXPECT_EQ(placed(std::string(5000, 'x')), std::string(5000, 'x'));  // no call takes it
    EXPECT_EQ(placed(std::string(300, 'x')), std::string(300, 'x'));
  });
}

TEST_F(Wall, links_are_followed_as_the_call_would) {
  inside([] {
    fs::create_symlink(".", "here");
    fs::create_symlink("../..", "a/up");
    fs::create_symlink("/etc", "absolute");
    fs::create_symlink("../outside/new", "dangling");
    fs::create_symlink("a/b", "down");
    fs::create_symlink("loop", "loop");
    EXPECT_EQ(placed("here/file"), "here/file");
    EXPECT_EQ(placed("here/../file"), leads_out);
    EXPECT_EQ(placed("a/up/file"), leads_out);
    EXPECT_EQ(placed("absolute/passwd"), leads_out);
    EXPECT_EQ(placed("dangling"), leads_out);
    EXPECT_EQ(placed("dangling", AT_FDCWD, false), "dangling");
    EXPECT_EQ(placed("dangling/", AT_FDCWD, false), leads_out);
    EXPECT_EQ(placed("down/../file"), "down/../file");
    EXPECT_EQ(placed("down/../../../file"), "file");
    EXPECT_EQ(placed("loop"), "loop");  // no call gets past it
    EXPECT_EQ(placed("missing/../../file"), "file");
  });
}

/// Links of /proc lead anywhere, whatever they say; a loop of ordinary links is left to the call.
TEST_F(Wall, links_of_proc_are_not_followed) {
  inside([] {
    fs::create_symlink("loop", "loop");
    EXPECT_EQ(placed("loop/file"), "loop/file");
    ASSERT_EQ(chdir("/"), 0);
    ASSERT_EQ(refrain_wall_begin(), 0);
    int ends[2];
    ASSERT_EQ(pipe(ends), 0);
    EXPECT_EQ(placed("proc/self/cwd/file"), leads_out);
    EXPECT_EQ(placed("proc/self/root"), leads_out);
    EXPECT_EQ(placed("proc/self/fd/" + std::to_string(ends[1])), leads_out);
    EXPECT_EQ(placed("proc/self/status"), "proc/self/status");
  });
}

TEST_F(Wall, places_are_seen_from_where_the_process_is) {
  inside([this] {
    refrain_wall_moves();
    ASSERT_EQ(chdir("a/b"), 0);
    fs::create_symlink(".", "s");
    EXPECT_EQ(placed("../../file"), "../../file");
    EXPECT_EQ(placed("../../../file"), "../../file");
    EXPECT_EQ(placed("/file"), "../../file");
    EXPECT_EQ(placed("s/../../../file"), leads_out);
    EXPECT_TRUE(refrain_wall_holds(AT_FDCWD));
    // A folder that was moved, or removed, while the process is in it.
    fs::rename(base_ / "root/a/b", base_ / "root/b");
    EXPECT_EQ(placed("../../file"), "../file");
    fs::remove_all(base_ / "root/b");
    EXPECT_NE(placed("../file"), "../file");
    ASSERT_EQ(chdir((base_ / "rootother").c_str()), 0);
    EXPECT_FALSE(refrain_wall_holds(AT_FDCWD));
    EXPECT_EQ(placed("file"), "! starts from a folder that is not below the root");
  });
}

TEST_F(Wall, places_are_seen_from_an_open_folder) {
  inside([] {
    int deep = open("a/b", O_RDONLY | O_DIRECTORY), out = open("../outside", O_RDONLY | O_DIRECTORY);
    EXPECT_EQ(placed("../file", deep), "../file");
    EXPECT_EQ(placed("../../../file", deep), "../../file");
    EXPECT_EQ(placed("/file", deep), "../../file");
    EXPECT_EQ(placed("file", out), "! starts from a folder that is not below the root");
    fs::remove_all("a/b");
    fs::create_symlink(".", "s");
    EXPECT_NE(placed("../../s/../file", deep), "../../s/../file");
  });
}

TEST_F(Wall, what_others_change_meanwhile_does_not_matter) {
  inside([this] {
    refrain_wall_moves();
    refrain_wall_share();
    ASSERT_EQ(chdir("a/b"), 0);
    EXPECT_EQ(placed("file"), "file");
    EXPECT_EQ(placed("../../file"), (base_ / "root/file").string());
    EXPECT_EQ(placed("/file"), (base_ / "root/file").string());
    EXPECT_EQ(placed("../../../file"), (base_ / "root/file").string());
  });
}

TEST_F(Wall, links_that_are_made_stay_below) {
  inside([] {
    EXPECT_EQ(target("link", "a/b"), "a/b");
    EXPECT_EQ(target("a/b/link", "../../file"), "../../file");
    EXPECT_EQ(target("a/b/link", "../../../file"), "../../file");
    EXPECT_EQ(target("a/b/link", "/etc/passwd"), "../../etc/passwd");
    EXPECT_EQ(target("link", ".."), ".");
    EXPECT_EQ(target("link", "s/../../file"), "file");
    EXPECT_EQ(target("a/link", "s/../../file"), "../file");  // s may become a link
    EXPECT_EQ(target("link", "/proc/self/cwd/.."), "proc/self");
  });
}

TEST_F(Wall, links_that_are_moved_stay_below) {
  inside([] {
    fs::create_symlink("../../file", "a/b/link");
    fs::create_symlink("../b", "a/beside");
    EXPECT_EQ(refrain_wall_move(AT_FDCWD, "a/b/link", AT_FDCWD, "a/b/other"), nullptr);
    EXPECT_NE(refrain_wall_move(AT_FDCWD, "a/b/link", AT_FDCWD, "link"), nullptr);
    EXPECT_NE(refrain_wall_move(AT_FDCWD, "a/b", AT_FDCWD, "b"), nullptr);
    EXPECT_EQ(refrain_wall_move(AT_FDCWD, "a", AT_FDCWD, "c"), nullptr);
    EXPECT_NE(refrain_wall_move(AT_FDCWD, "a/beside", AT_FDCWD, "beside"), nullptr);
    fs::remove("a/b/link");
    EXPECT_EQ(refrain_wall_move(AT_FDCWD, "a/b", AT_FDCWD, "b"), nullptr);
  });
}

TEST_F(Wall, descriptors_are_out_of_reach) {
  inside([] {
    int file = open("file", O_RDWR | O_CREAT, 0600);
    int ours = refrain_wall_out_of_reach(dup(file));
    EXPECT_EQ(dup2(file, ours), -1);
    struct rlimit limit {};
    getrlimit(RLIMIT_NOFILE, &limit);
    EXPECT_GE(static_cast<rlim_t>(ours), limit.rlim_cur);
    EXPECT_EQ(refrain_wall_close_around(3, ~0u, 0), 0);
    EXPECT_EQ(fcntl(file, F_GETFD), -1);
    EXPECT_NE(fcntl(ours, F_GETFD), -1);
    EXPECT_EQ(placed("a/b"), "a/b");
    EXPECT_EQ(refrain_wall_close_around(5, 4, 0), -1);
    EXPECT_EQ(refrain_wall_close_around(3, static_cast<unsigned>(ours), 0), 0);
    EXPECT_NE(fcntl(ours, F_GETFD), -1);
  });
}

TEST_F(Wall, only_what_was_mapped_is_unmapped) {
  inside([] {
    auto page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
    void* map = mmap(nullptr, 4 * page, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    refrain_wall_take_mapped(map, 4 * page - 5);
    auto at = reinterpret_cast<uintptr_t>(map);
    EXPECT_TRUE(refrain_wall_is_mapped(at, 4 * page, false));
    EXPECT_FALSE(refrain_wall_is_mapped(at, 4 * page + 1, false));
    EXPECT_FALSE(refrain_wall_is_mapped(at - page, page, false));
    EXPECT_FALSE(refrain_wall_is_mapped(at, ~size_t{0}, true));
    EXPECT_TRUE(refrain_wall_is_mapped(at + page, page, true));
    EXPECT_FALSE(refrain_wall_is_mapped(at + page, page, true));
    EXPECT_TRUE(refrain_wall_is_mapped(at, page, true));
    EXPECT_TRUE(refrain_wall_is_mapped(at + 2 * page, 2 * page, true));
    EXPECT_FALSE(refrain_wall_is_mapped(at, 1, false));
  });
}

TEST_F(Wall, stores_keep_what_pages_hold_and_raise_no_signal) {
  inside([] {
    auto page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
    int fd = open("mapped", O_RDWR | O_CREAT, 0644);
    ASSERT_EQ(ftruncate(fd, static_cast<off_t>(3 * page)), 0);
    ASSERT_EQ(pwrite(fd, "kept", 4, static_cast<off_t>(page)), 4);
    auto map = [&](int protection) {
      return static_cast<char*>(mmap(nullptr, 8 * page, protection, MAP_SHARED, fd, 0));
    };
    char* at = map(PROT_READ | PROT_WRITE);
    EXPECT_EQ(refrain_wall_store_pages(at, 3 * page), static_cast<ssize_t>(3 * page));
    EXPECT_EQ(refrain_wall_store_pages(at + page + 5, 1), 1);
    EXPECT_EQ(std::string(at + page, 4), "kept");
    EXPECT_EQ(refrain_wall_store_pages(at, 4 * page), -1);  // the file ends before
    EXPECT_EQ(refrain_wall_store_pages(map(PROT_READ), page), -1);
    struct stat info;
    ASSERT_EQ(fsync(fd), 0);
    ASSERT_EQ(fstat(fd, &info), 0);
    EXPECT_GE(static_cast<size_t>(info.st_blocks) * 512, 3 * page);
    EXPECT_EQ(info.st_size, static_cast<off_t>(3 * page));
  });
}

TEST_F(Wall, names_that_libraries_take_apart) {
  EXPECT_EQ(refrain_wall_prefix_length("ufs:/x"), 4u);
  EXPECT_EQ(refrain_wall_prefix_length("a/b:c"), 0u);
  EXPECT_TRUE(refrain_wall_is_plain_extension("-meta.h5"));
  EXPECT_TRUE(refrain_wall_is_plain_extension("%s-meta.h5"));
  for (const char* bad : {"/tmp/%s", "./x", "%s%s", "%n", "%sx%d", "%"})
    EXPECT_FALSE(refrain_wall_is_plain_extension(bad)) << bad;
  EXPECT_TRUE(refrain_wall_is_plain_series("family_%05d.h5"));
  EXPECT_TRUE(refrain_wall_is_plain_series("plain.h5"));
  for (const char* bad : {"%s", "%c", "%5$d", "%*d", "%n", "50%", "l%d/../x"})
    EXPECT_FALSE(refrain_wall_is_plain_series(bad)) << bad;
}

TEST_F(Wall, only_harmless_requests_are_made) {
  EXPECT_TRUE(refrain_wall_is_harmless_request(FICLONE));
  EXPECT_TRUE(refrain_wall_is_harmless_request(FICLONERANGE));
  EXPECT_TRUE(refrain_wall_is_harmless_request(FS_IOC_GETFLAGS));
  EXPECT_TRUE(refrain_wall_is_harmless_request(FS_IOC_FIEMAP));
  EXPECT_FALSE(refrain_wall_is_harmless_request(FIFREEZE));
  EXPECT_FALSE(refrain_wall_is_harmless_request(FS_IOC_SETFLAGS));
  EXPECT_FALSE(refrain_wall_is_harmless_request(FITRIM));
  EXPECT_FALSE(refrain_wall_is_harmless_request(TIOCSTI));
  EXPECT_TRUE(refrain_wall_is_device(S_IFBLK | 0600));
  EXPECT_FALSE(refrain_wall_is_device(S_IFIFO | 0600));
}

/// By itself, whatever paths are used.
TEST_F(Wall, sandbox_keeps_files_outside_as_they_are) {
  const char* lack = nullptr;
  if (refrain_wall_version(&lack) == 0) GTEST_SKIP() << lack;
  std::string file = base_ / "outside/file";
  close(open(file.c_str(), O_WRONLY | O_CREAT, 0600));
  inside([&] {
    ASSERT_STREQ(refrain_wall_raise(false), nullptr);
    EXPECT_GE(open("file", O_WRONLY | O_CREAT, 0600), 0);
    EXPECT_EQ(rename("file", "a/file"), 0);
    EXPECT_EQ(truncate("a/file", 10), 0);
    EXPECT_EQ(mkfifo("fifo", 0600), 0);
    EXPECT_EQ(symlink("x", "link"), 0);
    EXPECT_GE(open("/dev/null", O_RDWR), 0);
    EXPECT_GE(open(file.c_str(), O_RDONLY), 0);
    EXPECT_LT(open(file.c_str(), O_WRONLY), 0);
    EXPECT_LT(open("../outside/new", O_WRONLY | O_CREAT, 0600), 0);
    EXPECT_LT(open("../rootother/new", O_WRONLY | O_CREAT, 0600), 0);
    EXPECT_LT(unlink(file.c_str()), 0);
    EXPECT_LT(rename(file.c_str(), "got"), 0);
    EXPECT_LT(rename("a/file", "../outside/got"), 0);
    EXPECT_LT(mkdir("../outside/folder", 0700), 0);
    EXPECT_LT(rmdir("../rootother"), 0);
    EXPECT_LT(symlink("x", "../outside/link"), 0);
    EXPECT_LT(mknod("device", S_IFCHR | 0600, 0x103), 0);
  });
  EXPECT_TRUE(fs::exists(file));
}

}  // namespace
