#include "replay/buffers.hpp"

#include <gtest/gtest.h>

#include "replay/replay_error.hpp"

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
  EXPECT_TRUE(buffers.kept("reference", 3).empty());
  buffers.kept("reference", 3) = {'a', 'b'};
  buffers.kept("reference", 7).resize(100);
  buffers.kept("region", 3).resize(100);
  EXPECT_EQ(buffers.kept("reference", 3), (std::vector<char>{'a', 'b'}));
  EXPECT_THROW(buffers.kept("reference", -1), ReplayError);
  EXPECT_THROW(buffers.kept("reference", Buffers::max_kept), ReplayError);
}

}  // namespace
}  // namespace refrain::replay
