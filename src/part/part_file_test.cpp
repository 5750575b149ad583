// What is wrong with a damaged part is named, with the place.
#include "part/part_file.hpp"

#include <gtest/gtest.h>
#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "base/test_folder.hpp"
#include "part/part_trace.hpp"
#include "part/part_writer.hpp"
#include "part/process_info.hpp"
#include "part/state.hpp"

namespace refrain::record {
namespace {

namespace fs = std::filesystem;

class PartFile : public testing::Test {
 protected:
  void SetUp() override {
    path_ = (folder_.path() / "host-1-2.0.part").string();
    PartWriter writer;
    ASSERT_EQ(writer.create(path_.c_str(), process_info({.lane = 0, .start_ns = 5})), 0);
    ByteWriter state;
    LaneState().save(state);
    for (bool close : {true, true, false}) ASSERT_EQ(writer.save(state.bytes(), close, writer.capacity()), 0);
    writer.abandon();
    ASSERT_TRUE(read_part_file(path_.c_str())) << read_part_file(path_.c_str()).error().text();
  }

  uint64_t word(uint64_t at) const {
    uint64_t value = 0;
    std::ifstream file(path_, std::ios::binary);
    file.seekg(static_cast<std::streamoff>(at));
    file.read(reinterpret_cast<char*>(&value), sizeof value);
    return value;
  }
  void put(uint64_t at, uint64_t value) const {
    std::fstream file(path_, std::ios::binary | std::ios::in | std::ios::out);
    file.seekp(static_cast<std::streamoff>(at));
    file.write(reinterpret_cast<const char*>(&value), sizeof value);
  }
  /// Of the anchor in force.
  uint64_t anchor() const {
    uint64_t epoch = word(offsetof(PartHeader, commit)) >> 32;
    return offsetof(PartHeader, anchors) + epoch % 2 * sizeof(Anchor);
  }
  uint64_t closed() const { return word(anchor() + offsetof(Anchor, closed)); }

  void expect(const std::string& reason, const std::string& place) const {
    Result<std::vector<trace::Trace>> pieces = this->pieces();
    ASSERT_FALSE(pieces);
    EXPECT_NE(pieces.error().text().find(reason), std::string::npos) << pieces.error().text();
    EXPECT_NE(pieces.error().text().find(place), std::string::npos) << pieces.error().text();
  }
  Result<std::vector<trace::Trace>> pieces() const {
    Result<PartContents> part = read_part_file(path_.c_str());
    if (!part) return tl::unexpected(part.error());
    return part_pieces(*part, Extent::all);
  }
  static std::string segment(uint64_t at) { return "segment at byte " + std::to_string(at); }

  TestFolder folder_;
  std::string path_;
};

TEST_F(PartFile, ThatIsNone) {
  put(0, 7);
  expect("not a part of a recording", "byte 0");
  EXPECT_FALSE(is_unbegun(path_.c_str()));
  fs::remove(path_);
  expect(std::strerror(ENOENT), "");
}

TEST_F(PartFile, WithADamagedSegment) {
  uint64_t at = closed();
  put(at + sizeof(SegmentHeader), ~word(at + sizeof(SegmentHeader)));
  expect("checksum does not match", segment(at));
  put(at + offsetof(SegmentHeader, bytes), uint64_t{1} << 40);
  expect("too long", segment(at));
  put(at, 0);
  expect("not a segment", segment(at));
}

TEST_F(PartFile, WithoutProcessInformation) {
  put(offsetof(PartHeader, info), uint64_t{1} << 50);
  expect("not a segment", segment(uint64_t{1} << 50));
}

TEST_F(PartFile, ThatWasCutShort) {
  uint64_t at = closed(), live = word(anchor() + offsetof(Anchor, live));
  uint64_t last = std::max(at, live);
  fs::resize_file(path_, last + sizeof(SegmentHeader) + 1);
  expect("cut short", segment(last));
}

TEST_F(PartFile, WithAJournalThatIsLongerThanItself) {
  put(offsetof(PartHeader, commit), word(offsetof(PartHeader, commit)) | 0xfffffff8);
  expect("bad journal", "byte 16");
}

TEST_F(PartFile, WithAJournalBehindItsEnd) {
  put(offsetof(PartHeader, commit), word(offsetof(PartHeader, commit)) | 64);
  put(anchor() + offsetof(Anchor, journal), uint64_t{1} << 50);
  expect("cut short", "journal at byte");
}

/// Each closed segment leads to the one before: a circle must not be followed for ever.
TEST_F(PartFile, WithSegmentsInACircle) {
  uint64_t at = closed();
  put(at + offsetof(SegmentHeader, previous), at);
  expect("overlaps another", segment(at));
}

TEST_F(PartFile, WithAMalformedRecord) {
  uint64_t journal = word(anchor() + offsetof(Anchor, journal));
  put(journal, 0xffff);
  put(offsetof(PartHeader, commit), word(offsetof(PartHeader, commit)) | 8);
  Result<PartContents> part = read_part_file(path_.c_str());
  ASSERT_TRUE(part) << part.error().text();
  Result<std::vector<trace::Trace>> pieces = part_pieces(*part, Extent::all);
  ASSERT_FALSE(pieces);
  EXPECT_NE(pieces.error().text().find("malformed record"), std::string::npos) << pieces.error().text();
}

TEST_F(PartFile, WithProcessInformationThatEndsEarly) {
  PartContents part;
  part.process_info = {1, 2, 3};
  Result<PartOwner> owner = owner_of(part);
  ASSERT_FALSE(owner);
  EXPECT_NE(owner.error().text().find("process information"), std::string::npos) << owner.error().text();
}

}  // namespace
}  // namespace refrain::record
