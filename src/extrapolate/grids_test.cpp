// Programs on grids: the laws of all their numbers are of one grid, and of the simplest that explains them.
#include "extrapolate/grids.hpp"

#include <gtest/gtest.h>

#include "extrapolate/extrapolate.hpp"
#include "extrapolate/made_up_runs.hpp"
#include "trace/factors.hpp"
#include "trace/text.hpp"

namespace refrain::extrapolate {
namespace {

using Nodes = std::vector<trace::Node>;

int64_t extent(int64_t p, int64_t dimensions, int64_t i) { return trace::grid_extent(p, dimensions, i); }

std::string laws_of(const Program& program, const std::vector<uint32_t>& sizes) {
  std::vector<trace::Trace> runs;
  for (uint32_t size : sizes) runs.push_back(run_of(program, size));
  auto free = extrapolate(runs, {.times = false});
  EXPECT_TRUE(free) << free.error().text();
  std::string text;
  if (free) print(*free, {.times = false}, [&](std::string_view piece) { text += piece; });
  return text;
}

bool has(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

/// Rows and columns of a plane in blocks of 4 by 5. On 4, 8, 12 and 16 ranks, a 2-D grid is as wide as a 3-D
/// one is long, and twice as long as that is high.
TEST(Grids, OfTwoDimensionsAreTakenBeforeThoseOfThree) {
  auto plane = [](int64_t r, int64_t p) {
    int64_t rows = extent(p, 2, 0), columns = extent(p, 2, 1);
    return Nodes{transfer(rows * 4, columns * 5), transfer(r / columns * 4, r % columns * 5)};
  };
  for (const std::vector<uint32_t>& sizes :
       {std::vector<uint32_t>{4, 8, 16}, {4, 8, 12, 16}, {8, 16, 32}, {4, 8, 16, 32}, {4, 6, 8, 16}}) {
    std::string text = laws_of(plane, sizes);
    EXPECT_TRUE(has(text, "dims(P, 2)")) << text;
    EXPECT_FALSE(has(text, "dims(P, 3)")) << text;
  }
}

TEST(Grids, OfThreeDimensionsAreTakenWhereTheyAreNeeded) {
  auto volume = [](int64_t r, int64_t p) {
    int64_t y = extent(p, 3, 1), z = extent(p, 3, 2);
    return Nodes{transfer(extent(p, 3, 0) * 4, y * 5), transfer(z * 6, 0),
                 transfer(r / (y * z) * 4, r % z * 6)};
  };
  for (const std::vector<uint32_t>& sizes :
       {std::vector<uint32_t>{4, 8, 12, 16}, {4, 8, 16, 32}, {6, 16, 27, 32}}) {
    std::string text = laws_of(volume, sizes);
    EXPECT_TRUE(has(text, "dims(P, 3)")) << text;
    EXPECT_FALSE(has(text, "dims(P, 2)")) << text;
  }
}

}  // namespace
}  // namespace refrain::extrapolate
