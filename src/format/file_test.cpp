// The file format: nothing is lost, equal traces are equal files, and every kind of damage is found and
// named in one line.
#include "format/file.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>
#include <random>

#include "format/compression.hpp"
#include "format/section.hpp"
#include "trace/long_list.hpp"
#include "trace/sample.hpp"
#include "trace/text.hpp"

namespace refrain::format {

using namespace trace;

namespace {

namespace fs = std::filesystem;

class FileTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("refrain_file_test_" + std::to_string(::getpid()));
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }
  fs::path folder_;
};

std::string error_of(std::span<const uint8_t> bytes) {
  auto trace = decode(bytes);
  return trace ? "accepted" : trace.error().text();
}

std::span<const uint8_t> front(const std::vector<uint8_t>& bytes, size_t n) {
  return std::span<const uint8_t>(bytes).first(n);
}

/// Offset of the first section with this tag.
size_t offset_of(const std::vector<uint8_t>& bytes, const std::string& tag) {
  return std::search(bytes.begin(), bytes.end(), tag.begin(), tag.end()) - bytes.begin();
}

TEST_F(FileTest, DecodingAndEncodingAgain) {
  for (const Trace& t :
       {sample::copy(), sample::everything(), sample::powers(), sample::made_names(), Trace{}}) {
    std::vector<uint8_t> bytes = encode(t);
    Result<Trace> back = decode(bytes);
    ASSERT_TRUE(back) << back.error().text();
    EXPECT_EQ(encode(*back), bytes);
    EXPECT_EQ(back->command, t.command);
    EXPECT_EQ(back->layers, t.layers);
    EXPECT_EQ(back->signatures, t.signatures);
    EXPECT_EQ(back->templates, t.templates);
    ASSERT_EQ(back->processes.size(), t.processes.size());
    for (size_t p = 0; p < t.processes.size(); ++p) {
      EXPECT_EQ(back->processes[p].loss, t.processes[p].loss);
      EXPECT_EQ(back->processes[p].ending, t.processes[p].ending);
      EXPECT_EQ(back->processes[p].ranks, t.processes[p].ranks);
      EXPECT_EQ(back->processes[p].streams.size(), t.processes[p].streams.size());
    }
  }
}

TEST_F(FileTest, WritingAgainGivesTheSameBytesWhateverTheItems) {
  Trace t;
  t.lists.push_back(
      Column({{1, 0, 1, 0}, {2, 0, 1, 0}, {3, 0, 1, 0}, {4, 0, 1, 0}, {5, 0, 1, 0}, {6, 0, 1, 0}}, {}));
  t.lists.push_back(Column({{0, 2, 40, 1}}, {{{0, 0, 1, 0}, {1, 0, 1, 0}}}));
  std::vector<uint8_t> bytes = encode(t);
  EXPECT_EQ(encode(*decode(bytes)), bytes);
}

TEST_F(FileTest, AListOfMoreValuesThanRecordersKeepIsRefused) {
  Trace t;
  t.lists.push_back(Column({{0, 1, longest_list, 0}}, {}));
  EXPECT_TRUE(decode(encode(t)).has_value());
  t.lists.push_back(Column({{0, 1, longest_list + 1, 0}}, {}));
  auto read = decode(encode(t));
  ASSERT_FALSE(read.has_value());
  EXPECT_NE(read.error().text().find("a list of more than 4194304 values"), std::string::npos);
}

TEST_F(FileTest, SmallTracesAreSmall) { EXPECT_LT(encode(sample::copy()).size(), 1200u); }

TEST_F(FileTest, EveryTruncationIsRefused) {
  std::vector<uint8_t> bytes = encode(sample::everything());
  for (size_t n = 0; n < bytes.size(); ++n) EXPECT_NE(error_of(front(bytes, n)), "accepted") << n;
  size_t border = offset_of(bytes, "TREE");
  EXPECT_EQ(error_of(front(bytes, border)),
            "byte " + std::to_string(border) + ": file ends without its end section: truncated");
  EXPECT_EQ(error_of(front(bytes, border + 9)),
            "section TREE at byte " + std::to_string(border) + ": truncated");
}

TEST_F(FileTest, EveryFlippedBitIsRefused) {
  std::vector<uint8_t> bytes = encode(sample::copy());
  for (size_t i = 0; i < bytes.size(); ++i)
    for (int bit = 0; bit < 8; ++bit) {
      bytes[i] ^= static_cast<uint8_t>(1 << bit);
      EXPECT_NE(error_of(bytes), "accepted") << i << " " << bit;
      bytes[i] ^= static_cast<uint8_t>(1 << bit);
    }
}

TEST_F(FileTest, SaysWhatIsWrong) {
  EXPECT_EQ(error_of({}), "not a Refrain trace");
  const uint8_t elf[] = {0x7f, 'E', 'L', 'F', 2, 1, 1};
  EXPECT_EQ(error_of(elf), "not a Refrain trace");
  std::vector<uint8_t> bytes = encode(sample::copy());
  std::vector<uint8_t> newer = bytes;
  newer[4] = Trace::format_version + 1;
  EXPECT_EQ(error_of(newer), "format version 13 is newer than this program reads (12): use a newer Refrain");
  EXPECT_EQ(decode(newer).error().kind, ErrorKind::limit);
  std::vector<uint8_t> longer = bytes;
  longer.push_back(0);
  EXPECT_NE(error_of(longer).find("1 bytes follow the end"), std::string::npos);
  std::vector<uint8_t> damaged = bytes;
  damaged[offset_of(bytes, "SIGN") + 30] ^= 1;
  EXPECT_EQ(error_of(damaged), "section SIGN at byte " + std::to_string(offset_of(bytes, "SIGN")) +
                                   ": checksum mismatch: damaged");
}

TEST_F(FileTest, RefusesStrangeMissingAndRepeatedSections) {
  const uint8_t one[] = {0};
  SectionWriter strange(1);
  strange.add("WHAT", one);
  EXPECT_EQ(error_of(strange.finish()), "section WHAT at byte 5: unknown kind of section");
  SectionWriter missing(1);
  missing.add("TMPL", one);
  EXPECT_EQ(error_of(missing.finish()),
            "section TMPL at byte 5: out of place or repeated: HEAD belongs here");
  SectionWriter repeated(1);
  const uint8_t head[] = {0, 0, 0, 0, 0, 0};
  repeated.add("HEAD", head);
  repeated.add("HEAD", head);
  EXPECT_NE(error_of(repeated.finish()).find("out of place or repeated"), std::string::npos);
  SectionWriter longer(1);
  const uint8_t more[] = {0, 0, 0, 0, 0, 0, 0};
  longer.add("HEAD", more);
  EXPECT_EQ(error_of(longer.finish()),
            "section HEAD at byte 5: content continues after its end (at 6 of 7 bytes of content)");
}

TEST_F(FileTest, RefusesIndicesOutsideTheTables) {
  Trace t = sample::copy();
  t.templates.pop_back();
  EXPECT_EQ(error_of(encode(t)), "process 0 thread 0: argument out of range in stat");
  Trace u = sample::copy();
  u.templates[3].widths = {0};
  u.templates[3].literals = {"a", "b"};
  EXPECT_EQ(error_of(encode(u)), "process 0 thread 0: argument out of range in stat");
}

TEST_F(FileTest, NumbersMustFitTheRanks) {
  auto with = [](Value value, RankSet ranks, RankSet node) {
    Trace t = sample::copy();
    t.processes[0].ranks = std::move(ranks);
    Node call = sample::event(5, {std::move(value), sample::number(0)});
    call.ranks = std::move(node);
    t.processes[0].streams[0].nodes = {call};
    return error_of(encode(t));
  };
  Value table{.base = Number(Column::of({4, 1, 7}))};
  Value rank{.base = Number(RankExpression::rank())};
  EXPECT_EQ(with(table, RankSet::range(0, 3), {}), "accepted");
  EXPECT_EQ(with(table, RankSet::range(0, 4), RankSet::of({0, 2, 3})), "accepted");
  EXPECT_EQ(with(table, RankSet::range(0, 4), {}), "process 0 thread 0: table of another number of ranks");
  EXPECT_EQ(with(rank, {}, {}), "process 0 thread 0: table of another number of ranks");
  EXPECT_EQ(with(rank, RankSet::range(0, 2), RankSet::range(0, 3)),
            "process 0 thread 0: node of ranks that don't run what encloses it");
  EXPECT_EQ(with(rank, RankSet::range(0, 5), RankSet::range(64, 4)),
            "process 0 thread 0: node of ranks that don't run what encloses it");
  auto either = [&](RankSet some, RankSet others) {
    return Value{.form = Form::by_rank, .alternatives = {{std::move(some), rank}, {std::move(others), rank}}};
  };
  EXPECT_EQ(with(either(RankSet::of({0, 2}), RankSet::of({1})), RankSet::range(0, 3), {}), "accepted");
  EXPECT_EQ(with(either(RankSet::of({0, 3}), RankSet::of({1})), RankSet::range(0, 3), {}),
            "process 0 thread 0: alternatives of ranks that don't run the node");
  EXPECT_EQ(with(either(RankSet::of({0, 2}), RankSet::of({0, 1})), RankSet::range(0, 3), {}),
            "process 0 thread 0: alternatives of ranks that don't run the node");
}

TEST_F(FileTest, RanksMustBeThoseOfTheJob) {
  auto changed = [](auto change) {
    Trace t = sample::copy();
    t.nprocs = 4;
    t.processes[0].ranks = RankSet::range(0, 4);
    change(t);
    return error_of(encode(t));
  };
  EXPECT_EQ(changed([](Trace&) {}), "accepted");
  EXPECT_EQ(changed([](Trace& t) { t.nprocs = 3; }), "process 0: rank 3 in a job of 3 ranks");
  EXPECT_EQ(changed([](Trace& t) { t.processes[0].ended_early = RankSet::range(4, 1); }),
            "process 0: ranks that ended early aren't ranks of the process");
  EXPECT_EQ(changed([](Trace& t) {
              t.processes[0].losses = {{9, {}}};
            }),
            "process 0: losses of rank 9, which isn't there");
  EXPECT_EQ(changed([](Trace& t) { t.processes[0].streams[0].ranks = RankSet::range(1, 4); }),
            "process 0 thread 0: stream of ranks that the process doesn't have");
}

TEST_F(FileTest, BombsAreNotUnpacked) {
  // A writer that keeps the rule stores what compresses too well as it is.
  std::vector<uint8_t> zeros(size_t{8} << 20);
  SectionWriter honest(1, &zstd_codec);
  honest.add("HEAD", zeros);
  EXPECT_GT(honest.finish().size(), zeros.size());
  SectionWriter small(1, &zstd_codec);
  small.add("HEAD", front(zeros, size_t{1} << 20));
  std::vector<uint8_t> bytes = small.finish();
  EXPECT_LT(bytes.size(), 1000u);
  SectionReader reader(bytes, &zstd_codec);
  ASSERT_TRUE(reader.open(1));
  EXPECT_TRUE(reader.next());
}

TEST_F(FileTest, NeedsNoCompressor) {
  Trace t = sample::everything();
  std::vector<uint8_t> raw = encode_raw(t), compressed = encode(t);
  EXPECT_GT(raw.size(), compressed.size());
  auto back = decode_raw(raw);
  ASSERT_TRUE(back) << back.error().text();
  EXPECT_EQ(encode(*back), compressed);
  EXPECT_EQ(encode(*decode(raw)), compressed) << "readers with a compressor read both";
  EXPECT_NE(decode_raw(compressed).error().text().find("compressed where that is not possible"),
            std::string::npos);
}

TEST_F(FileTest, WritesReadsAndReplaces) {
  fs::path path = folder_ / "a.rfn";
  ASSERT_TRUE(write_file(sample::everything(), path));
  ASSERT_TRUE(write_file(sample::copy(), path));
  auto back = read_file(path);
  ASSERT_TRUE(back) << back.error().text();
  EXPECT_EQ(encode(*back), encode(sample::copy()));
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()), 1);
}

TEST_F(FileTest, WritesBehindSymbolicLinks) {
  fs::path target = folder_ / "target.rfn", link = folder_ / "link.rfn";
  ASSERT_TRUE(write_file(sample::copy(), target));
  fs::create_symlink("target.rfn", link);
  ASSERT_TRUE(write_file(sample::everything(), link));
  EXPECT_TRUE(fs::is_symlink(link));
  EXPECT_EQ(encode(*read_file(target)), encode(sample::everything()));
}

TEST_F(FileTest, FailuresNameTheFileAndKeepTheOldOne) {
  fs::path nowhere = folder_ / "missing" / "a.rfn";
  auto written = write_file(sample::copy(), nowhere);
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().kind, ErrorKind::io);
  EXPECT_EQ(written.error().text(), nowhere.string() + ": No such file or directory");
  EXPECT_EQ(read_file(nowhere).error().kind, ErrorKind::io);
  EXPECT_EQ(read_file(folder_).error().text(), folder_.string() + ": Is a directory");

  fs::path damaged = folder_ / "damaged.rfn";
  std::ofstream(damaged) << "no trace";
  EXPECT_EQ(read_file(damaged).error().text(), damaged.string() + ": not a Refrain trace");

  fs::path occupied = folder_ / "occupied";
  fs::create_directories(occupied / "inside");
  EXPECT_FALSE(write_file(sample::copy(), occupied));
  EXPECT_TRUE(fs::is_directory(occupied / "inside"));
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()), 2);
}

TEST_F(FileTest, SurvivesRandomDamageBehindValidChecksums) {
  Trace t = sample::everything();
  std::vector<uint8_t> bytes = encode(t);
  std::mt19937 random(9);
  for (int round = 0; round < 3000; ++round) {
    SectionReader reader(bytes, &zstd_codec);
    ASSERT_TRUE(reader.open(Trace::format_version));
    SectionWriter out(Trace::format_version);
    for (auto section = reader.next(); section && section->tag != SectionReader::end_tag;
         section = reader.next()) {
      if (!section->content.empty() && random() % 4 == 0)
        section->content[random() % section->content.size()] = static_cast<uint8_t>(random());
      out.add(section->tag, section->content);
    }
    std::vector<uint8_t> damaged = out.finish();
    auto trace = decode(damaged);
    EXPECT_TRUE(trace || !trace.error().where.empty());
  }
}

std::string text_of(const Trace& t) {
  std::string text;
  print(t, {.layers = true}, [&](std::string_view piece) { text += piece; });
  return text;
}

TEST(Text, SameBeforeAndAfterTheFile) {
  Trace t = sample::everything();
  EXPECT_EQ(text_of(*decode(encode(t))), text_of(t));
}
}  // namespace
}  // namespace refrain::format
