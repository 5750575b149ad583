// Merging with several threads gives the same trace.
#include <gtest/gtest.h>

#include "format/file.hpp"
#include "merge/merge_ranks.hpp"
#include "merge/spmd_streams.hpp"

namespace refrain::merge {
namespace {

/// Every number of ranks ends in another mixture of full and broken subtrees.
TEST(Threads, MergeToTheSameTrace) {
  for (const spmd::Program& program : spmd::programs())
    for (int64_t ranks : {1, 15, 16, 17, 48, 60, 120}) {
      std::vector<trace::Trace> parts = spmd::traces_of(program, ranks);
      std::vector<uint8_t> alone = format::encode(merge_ranks(parts));
      for (unsigned threads : {2u, 5u})
        EXPECT_EQ(format::encode(merge_ranks(parts, {.threads = threads})), alone)
            << program.name << " with " << ranks << " ranks and " << threads << " threads";
    }
}

}  // namespace
}  // namespace refrain::merge
