#include "record/written_pages.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdio>
#include <utility>
#include <vector>

namespace refrain::record {
namespace {

/// A file of sixteen pages, mapped.
class WrittenPages : public testing::Test {
 protected:
  static constexpr size_t pages = 16;
  void SetUp() override {
    ASSERT_NE(file_, nullptr);
    ASSERT_EQ(ftruncate(fileno(file_), static_cast<off_t>(pages * page_)), 0);
    void* made = mmap(nullptr, pages * page_, PROT_READ | PROT_WRITE, MAP_SHARED, fileno(file_), 0);
    ASSERT_NE(made, MAP_FAILED);
    map_ = static_cast<char*>(made);
  }
  void TearDown() override {
    munmap(map_, pages * page_);
    fclose(file_);
    stop_watching_pages();
  }
  uint64_t begin() const { return reinterpret_cast<uint64_t>(map_); }
  uint64_t end() const { return begin() + pages * page_; }
  void store(size_t page) { map_[page * page_] = 'x'; }

  using Runs = std::vector<std::pair<uint64_t, uint64_t>>;  ///< first page, number of pages
  Runs take() {
    struct Context {
      WrittenPages* test;
      Runs runs{};
    } context{this};
    auto add = [](void* to, uint64_t from, uint64_t until) {
      auto& c = *static_cast<Context*>(to);
      c.runs.emplace_back((from - c.test->begin()) / c.test->page_, (until - from) / c.test->page_);
    };
    known_ = take_written_pages(begin(), end(), add, &context);
    return context.runs;
  }

  uint64_t page_ = page_bytes(), known_ = 0;
  FILE* file_ = tmpfile();
  char* map_ = nullptr;
};

TEST_F(WrittenPages, EachIsToldOnce) {
  if (!watch_pages(begin(), end())) GTEST_SKIP() << "this system doesn't tell";
  EXPECT_EQ(take(), Runs{});
  EXPECT_EQ(known_, end());
  for (size_t page : {3, 4, 9, 15}) store(page);
  volatile char read = map_[6 * page_];
  (void)read;
  EXPECT_EQ(take(), (Runs{{3, 2}, {9, 1}, {15, 1}}));
  EXPECT_EQ(take(), Runs{});
  store(4);
  EXPECT_EQ(take(), (Runs{{4, 1}}));
}

TEST_F(WrittenPages, RunsOfAnyNumberAndLengthArePutTogether) {
  if (!watch_pages(begin(), end())) GTEST_SKIP() << "this system doesn't tell";
  for (size_t page = 0; page < pages; ++page) store(page);
  madvise(map_ + 4 * page_, page_, MADV_DONTNEED);
  EXPECT_EQ(take(), (Runs{{0, pages}}));
}

TEST_F(WrittenPages, WhatIsCutOffTheFileIsLeftOut) {
  if (!watch_pages(begin(), end())) GTEST_SKIP() << "this system doesn't tell";
  store(2);
  store(12);
  ASSERT_EQ(ftruncate(fileno(file_), static_cast<off_t>(8 * page_)), 0);
  EXPECT_EQ(take(), (Runs{{2, 1}}));
}

TEST_F(WrittenPages, WithoutTheDescriptorNothingIsKnown) {
  if (!watch_pages(begin(), end())) GTEST_SKIP() << "this system doesn't tell";
  int fd = watching_descriptor();
  EXPECT_GE(fd, 0);
  EXPECT_TRUE(is_watching_descriptor(fd));
  close(fd);
  EXPECT_EQ(watching_descriptor(), -1);
  store(1);
  EXPECT_EQ(take(), Runs{});
  EXPECT_EQ(known_, begin());
}

TEST_F(WrittenPages, TheEndOfAFileIsFound) {
  for (size_t size : {0, 1, 5, 15, 16}) {
    ASSERT_EQ(ftruncate(fileno(file_), static_cast<off_t>(size * page_)), 0);
    EXPECT_EQ(end_of_file_in(begin(), end()), begin() + size * page_);
  }
}

}  // namespace
}  // namespace refrain::record
