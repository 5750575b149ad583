#include "record/known_memory.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <string>

namespace refrain::record {
namespace {

std::span<const char> bytes_of(const std::string& text) { return {text.data(), text.size()}; }
std::string number(uint32_t i) { return {reinterpret_cast<const char*>(&i), sizeof i}; }

TEST(KnownMemory, KnowsContentAgain) {
  KnownMemory known;
  EXPECT_FALSE(known.find(bytes_of("one")));
  EXPECT_EQ(known.put(bytes_of("one")), 0u);
  EXPECT_EQ(known.put(bytes_of("two")), 1u);
  EXPECT_EQ(known.put(bytes_of("one")), 0u);
  EXPECT_EQ(known.find(bytes_of("two")), 1u);
  EXPECT_FALSE(known.find(bytes_of("tw")));
  EXPECT_FALSE(known.put({}));
}

TEST(KnownMemory, FindsWhatTellsItsOwnLength) {
  KnownMemory known;
  known.put(bytes_of("a;"));
  known.put(bytes_of("abc;"));
  EXPECT_EQ(known.find_at("abc;rest"), 1u);
  EXPECT_EQ(known.find_at("a;bc;"), 0u);
  EXPECT_FALSE(known.find_at("ab;"));
}

TEST(KnownMemory, ReplacesTheOldest) {
  KnownMemory known;
  for (uint32_t i = 0; i < KnownMemory::limit; ++i) EXPECT_EQ(known.put(bytes_of(number(i))), i);
  EXPECT_EQ(known.put(bytes_of("further")), 0u);
  EXPECT_FALSE(known.find(bytes_of(number(0))));
  EXPECT_EQ(known.find(bytes_of(number(1))), 1u);
  EXPECT_EQ(known.put(bytes_of(number(0))), 1u);
}

TEST(KnownMemory, IsBounded) {
  KnownMemory known;
  std::string large(KnownMemory::piece_bytes + 1, 'x');
  EXPECT_FALSE(known.put(bytes_of(large)));
  large.pop_back();
  uint32_t last = 0;
  for (uint32_t i = 0; i < 2 * KnownMemory::limit_bytes / KnownMemory::piece_bytes; ++i) {
    std::memcpy(large.data(), &i, sizeof i);
    last = known.put(bytes_of(large)).value();
  }
  EXPECT_EQ(known.find(bytes_of(large)), last);
  uint32_t first = 0;
  std::memcpy(large.data(), &first, sizeof first);
  EXPECT_FALSE(known.find(bytes_of(large)));
}

}  // namespace
}  // namespace refrain::record
