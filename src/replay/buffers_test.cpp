#include "replay/buffers.hpp"

#include <gtest/gtest.h>

namespace refrain::replay {
namespace {

TEST(Buffers, BeginOnAPage) {
  Buffers buffers(Fill::pattern);
  for (uint64_t bytes : {uint64_t{1}, uint64_t{4096}, uint64_t{100'000}, uint64_t{3} << 20}) {
    EXPECT_EQ(reinterpret_cast<uintptr_t>(buffers.to_write(bytes)) % 4096, 0u) << bytes;
    EXPECT_EQ(reinterpret_cast<uintptr_t>(buffers.to_read(bytes)) % 4096, 0u) << bytes;
  }
}

TEST(Buffers, KeepWhatACallLeftThere) {
  Buffers buffers(Fill::zero);
  EXPECT_TRUE(buffers.kept(3).empty());
  buffers.kept(3) = {'a', 'b'};
  buffers.kept(7).resize(100);
  EXPECT_EQ(buffers.kept(3), (std::vector<char>{'a', 'b'}));
}

}  // namespace
}  // namespace refrain::replay
