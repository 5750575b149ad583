// Walks the tables: every function that is recorded can be replayed, or there is a reason why not.
#include <gtest/gtest.h>

#include <set>

#include "api/table.hpp"
#include "replay/call.hpp"

namespace refrain::replay {
namespace {

TEST(Rows, CanBeReplayedButForThoseWithAReason) {
  std::set<std::string> refused;
  for (const api::Row& row : api::rows())
    if (!why_not_replayed(row).empty()) refused.insert(std::string(row.name));
  std::set<std::string> known{"MPI_Comm_spawn", "MPI_Comm_spawn_multiple", "inherited_object"};
  EXPECT_EQ(refused, known);
}

}  // namespace
}  // namespace refrain::replay
