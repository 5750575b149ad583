// Files that commands write: what stands at their place before decides how.
#include "base/output_file.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>
#include <iterator>
#include <thread>

#include "base/test_folder.hpp"

namespace refrain {
namespace {

namespace fs = std::filesystem;

std::string text_of(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

size_t entries(const fs::path& folder) {
  return static_cast<size_t>(std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

TEST(OutputFile, ReplacesAFileWhenItIsClosed) {
  TestFolder folder;
  fs::path path = folder.path() / "a";
  ASSERT_TRUE(write_whole_file(path, "old"));
  OutputFile file;
  ASSERT_TRUE(file.open(path));
  file.write(std::string(200'000, 'n'));
  EXPECT_EQ(text_of(path), "old");
  ASSERT_TRUE(file.close());
  EXPECT_EQ(text_of(path), std::string(200'000, 'n'));
  EXPECT_EQ(entries(folder.path()), 1u);
}

TEST(OutputFile, LeavesTheOldOneIfItIsNotClosed) {
  TestFolder folder;
  fs::path path = folder.path() / "a";
  ASSERT_TRUE(write_whole_file(path, "old"));
  {
    OutputFile file;
    ASSERT_TRUE(file.open(path));
    file.write("new");
  }
  EXPECT_EQ(text_of(path), "old");
  EXPECT_EQ(entries(folder.path()), 1u);
}

TEST(OutputFile, WritesThroughSymbolicLinks) {
  TestFolder folder;
  fs::create_directory(folder.path() / "there");
  fs::path target = folder.path() / "there" / "target", link = folder.path() / "link";
  fs::create_symlink("there/target", link);
  ASSERT_TRUE(write_whole_file(link, "first"));
  ASSERT_TRUE(write_whole_file(link, "second"));
  EXPECT_TRUE(fs::is_symlink(link));
  EXPECT_EQ(text_of(target), "second");
  EXPECT_EQ(entries(target.parent_path()), 1u);
}

TEST(OutputFile, WritesIntoPipesAndLeavesThem) {
  TestFolder folder;
  fs::path pipe = folder.path() / "pipe", link = folder.path() / "link";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  fs::create_symlink("pipe", link);
  for (const fs::path& name : {pipe, link}) {
    std::string read;
    std::thread reader([&] { read = text_of(pipe); });
    Result<void> written = write_whole_file(name, "through");
    reader.join();
    EXPECT_TRUE(written);
    EXPECT_EQ(read, "through");
  }
  EXPECT_TRUE(fs::is_fifo(pipe));
  EXPECT_TRUE(fs::is_symlink(link));
  EXPECT_EQ(entries(folder.path()), 2u);
}

TEST(OutputFile, RefusesFoldersAndWhatIsInNone) {
  TestFolder folder;
  fs::create_directory(folder.path() / "a");
  EXPECT_FALSE(write_whole_file(folder.path() / "a", "x"));
  EXPECT_FALSE(write_whole_file(folder.path() / "b" / "c", "x"));
  EXPECT_EQ(entries(folder.path()), 1u);
}

TEST(OutputFile, MakesOneFolder) {
  TestFolder folder;
  EXPECT_TRUE(make_output_folder(folder.path() / "a"));
  EXPECT_TRUE(make_output_folder(folder.path() / "a"));
  Result<void> below = make_output_folder(folder.path() / "b" / "c");
  ASSERT_FALSE(below);
  EXPECT_EQ(below.error().kind, ErrorKind::io);
  EXPECT_FALSE(fs::exists(folder.path() / "b"));
  ASSERT_TRUE(write_whole_file(folder.path() / "a" / "file", "x"));
  EXPECT_FALSE(make_output_folder(folder.path() / "a"));
  EXPECT_FALSE(make_output_folder(folder.path() / "a" / "file"));
}

}  // namespace
}  // namespace refrain
