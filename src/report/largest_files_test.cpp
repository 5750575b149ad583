#include "report/largest_files.hpp"

#include <gtest/gtest.h>

#include "report/info_json.hpp"

namespace refrain::report {
namespace {

using measure::FileUsage;
using measure::Usage;

FileUsage file_of(const std::string& path, uint64_t bytes, uint64_t calls) {
  FileUsage file{.path = path};
  file.outer.bytes_written = bytes;
  file.outer.calls = calls;
  return file;
}

std::string paths_of(const Usage& usage) {
  std::string paths;
  for (const FileUsage& file : usage.files) paths += file.path;
  return paths;
}

TEST(LargestFiles, HaveTheMostBytesThenTheMostCalls) {
  Usage usage{.files = {file_of("a", 0, 1), file_of("b", 10, 1), file_of("c", 0, 7), file_of("d", 20, 2)}};
  LargestFiles kept = largest_files(usage, 3);
  EXPECT_EQ(paths_of(kept.usage), "bcd");
  EXPECT_EQ(kept.files_left_out, 1u);
  kept = largest_files(usage, 1);
  EXPECT_EQ(paths_of(kept.usage), "d");
  EXPECT_EQ(kept.files_left_out, 3u);
  EXPECT_EQ(kept.left_out.outer.calls, 9u);
  EXPECT_EQ(kept.left_out.outer.bytes_written, 10u);
  EXPECT_EQ(largest_files(usage, 4).files_left_out, 0u);
}

TEST(LargestFiles, CountWhatLayersBelowDidWhereProgramsDidNothing) {
  FileUsage below{.path = "below"};
  below.layers = {{.layer = "mpiio", .figures = {.calls = 1}}, {.layer = "posix", .figures = {.calls = 90}}};
  EXPECT_EQ(layer_inside(below), "posix");
  EXPECT_EQ(layer_inside(file_of("x", 1, 1)), "");
  Usage usage{.files = {below, file_of("x", 0, 5), file_of("y", 0, 4)}};
  LargestFiles kept = largest_files(usage, 1);
  EXPECT_EQ(paths_of(kept.usage), "below");
  usage.files[0].layers[1].figures.calls = 2;
  kept = largest_files(usage, 1);
  EXPECT_EQ(paths_of(kept.usage), "x");
  ASSERT_EQ(kept.left_out.layers.size(), 2u);
  EXPECT_EQ(kept.left_out.layers[1].figures.calls, 2u);
}

TEST(LargestFiles, KeepAsManyObjectsInAll) {
  FileUsage many = file_of("many", 100, 3), few = file_of("few", 1, 1);
  for (uint64_t i = 0; i < 3; ++i)
    many.objects.push_back({.kind = "dataset", .name = std::to_string(i), .figures = {.bytes_read = i}});
  few.objects.push_back({.kind = "dataset", .name = "x", .figures = {.bytes_read = 9}});
  LargestFiles kept = largest_files({.files = {few, many}}, 2);
  ASSERT_EQ(kept.usage.files[1].objects.size(), 1u);
  EXPECT_EQ(kept.usage.files[1].objects[0].name, "2");
  EXPECT_EQ(kept.usage.files[0].objects.size(), 1u);
  EXPECT_EQ(kept.objects_left_out, (std::map<std::string, size_t>{{"many", 2}}));
}

TEST(LargestFiles, AsJsonSayWhatIsMissing) {
  FileUsage below{.path = "below"};
  below.layers = {{.layer = "mpiio", .figures = {.calls = 1}}, {.layer = "posix", .figures = {.calls = 90}}};
  Json all = files_json(Usage{.files = {below, file_of("x", 0, 5)}});
  EXPECT_EQ(all["files"][0]["inside"], "posix");
  EXPECT_EQ(all["files"][1]["inside"], "");
  EXPECT_FALSE(all.contains("left_out"));
  Json some = files_json(largest_files({.files = {below, file_of("x", 0, 5)}}, 1));
  EXPECT_EQ(some["files"].size(), 1u);
  EXPECT_EQ(some["left_out"]["files"], 1);
  EXPECT_EQ(some["left_out"]["calls"], 5);
}

TEST(LargestFiles, AndTheRanksThatMoveMost) {
  Usage usage;
  for (uint32_t i = 0; i < 5; ++i)
    usage.ranks.push_back(
        {.ranks = trace::RankSet::range(2 * i, 2), .each = {.calls = 1, .bytes_written = i}});
  EXPECT_FALSE(ranks_json(usage, 5).contains("left_out"));
  Json some = ranks_json(usage, 2);
  ASSERT_EQ(some["groups"].size(), 2u);
  EXPECT_EQ(some["groups"][0]["ranks"], "6..7");
  EXPECT_EQ(some["groups"][1]["ranks"], "8..9");
  EXPECT_EQ(some["left_out"]["groups"], 3);
  EXPECT_EQ(some["left_out"]["count"], 6);
  EXPECT_EQ(some["left_out"]["bytes_written"], 2 * (0 + 1 + 2));
}

}  // namespace
}  // namespace refrain::report
