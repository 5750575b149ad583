// Walks the tables: every function that is recorded can be replayed.
#include <gtest/gtest.h>

#include "api/table.hpp"
#include "replay/call.hpp"

namespace refrain::replay {
namespace {

TEST(Rows, OfFunctionsCanAllBeReplayed) {
  for (const api::Row& row : api::rows())
    if (row.is_function) EXPECT_EQ(why_not_replayed(row), "") << row.name;
}

}  // namespace
}  // namespace refrain::replay
