// Traces of every format version stay readable for ever. tests/golden/vN.rfn was written by the first
// program that knew version N, vN.txt is its text. To add a version, run this test with REFRAIN_GOLDEN set
// to the folder: it writes the files that don't exist yet, and never changes those that do.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <set>
#include <sstream>

#include "format/file.hpp"
#include "trace/sample.hpp"
#include "trace/text.hpp"

namespace refrain::format {

using namespace trace;

namespace {

namespace fs = std::filesystem;

const fs::path folder = REFRAIN_GOLDEN_FOLDER;

std::string text_of(const Trace& t) {
  std::string text;
  print(t, {.times = true, .layers = true}, [&](std::string_view piece) { text += piece; });
  return text;
}

std::string content(const fs::path& path) {
  std::ostringstream out;
  out << std::ifstream(path, std::ios::binary).rdbuf();
  return out.str();
}

TEST(Golden, EveryVersionPrintsAsItAlwaysDid) {
  for (uint32_t version = 1; version <= Trace::format_version; ++version) {
    fs::path base = folder / ("v" + std::to_string(version));
    auto trace = read_file(fs::path(base) += ".rfn");
    ASSERT_TRUE(trace) << trace.error().text();
    EXPECT_EQ(text_of(*trace), content(fs::path(base) += ".txt"));
    auto again = decode(encode(*trace));
    ASSERT_TRUE(again) << again.error().text();
    EXPECT_EQ(text_of(*again), text_of(*trace));
  }
}

TEST(Golden, HeatMapsAreReadAsTheyWere) {
  auto trace = read_file(folder / "v11.rfn");
  ASSERT_TRUE(trace) << trace.error().text();
  Trace expected = sample::heat();
  ASSERT_EQ(trace->processes.size(), expected.processes.size());
  for (size_t i = 0; i < expected.processes.size(); ++i)
    EXPECT_EQ(trace->processes[i].heat, expected.processes[i].heat);
}

TEST(Golden, StepsAreReadAsTheyWere) {
  auto trace = read_file(folder / "v12.rfn");
  ASSERT_TRUE(trace) << trace.error().text();
  Trace expected = sample::pipeline();
  ASSERT_EQ(trace->processes.size(), expected.processes.size());
  for (size_t i = 0; i < expected.processes.size(); ++i)
    EXPECT_EQ(trace->processes[i].steps, expected.processes[i].steps);
}

TEST(Golden, TheSampleUsesEveryEncodingOfColumns) {
  std::set<uint8_t> codes;
  for (const Column& list : sample::everything().lists) {
    ByteWriter w;
    list.write(w);
    codes.insert(w.bytes()[0]);
  }
  for (uint8_t code = 0; code <= 8; ++code) EXPECT_TRUE(codes.contains(code)) << int{code};
}

TEST(Golden, WritesNewVersionsOnRequest) {
  const char* target = std::getenv("REFRAIN_GOLDEN");
  if (!target) GTEST_SKIP() << "REFRAIN_GOLDEN is not set";
  fs::path base = fs::path(target) / ("v" + std::to_string(Trace::format_version));
  fs::path binary = fs::path(base) += ".rfn", text = fs::path(base) += ".txt";
  if (fs::exists(binary)) GTEST_SKIP() << binary << " exists";
  ASSERT_TRUE(write_file(sample::pipeline(), binary));
  std::ofstream(text, std::ios::binary) << text_of(sample::pipeline());
}

}  // namespace
}  // namespace refrain::format
