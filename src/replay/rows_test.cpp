// Walks the tables: every function that is recorded can be replayed.
#include <gtest/gtest.h>

#include "api/table.hpp"
#include "replay/replayed_call.hpp"

namespace refrain::replay {
namespace {

TEST(Rows, OfFunctionsCanAllBeReplayed) {
  for (const api::Row& row : api::rows())
    EXPECT_TRUE(!row.is_function || why_not_replayed(row).empty()) << row.name;
}

}  // namespace
}  // namespace refrain::replay
