// Calibration: from measured times to costs by hand, and a small run on a real folder.
#include "simulate/calibrate.hpp"

#include <gtest/gtest.h>

#include <filesystem>

#include "base/test_folder.hpp"

namespace refrain::simulate {
namespace {

TEST(Calibrate, CostsFollowFromDifferences) {
  Measured m{.writers = 2};
  double per_byte = 1e-9;
  m.small_write_s = 5e-6 + 4096 * per_byte;
  m.large_write_s = 5e-6 + static_cast<double>(Measured::large_bytes) * per_byte;
  m.small_apart_s = m.small_write_s + 7e-6;
  m.small_unaligned_s = m.small_write_s + 4e-6;
  m.all_write_rate = 1.5e9;
  m.all_read_rate = 3e9;
  m.shared_write_rate = 0.8e9;
  m.shared_read_rate = 3.1e9;
  m.all_small_s = m.small_write_s / 2 + 1e-6;
  m.all_open_s = 1e-5;
  Machine machine = machine_of(m);
  EXPECT_NEAR(machine.rank_bandwidth, 1e9, 1);
  EXPECT_NEAR(machine.call_s, 5e-6, 1e-12);
  EXPECT_EQ(machine.target.shared_write_bandwidth, 0.8e9);
  EXPECT_EQ(machine.target.shared_read_bandwidth, 3e9);  // noise
  EXPECT_NEAR(machine.target.seek_s, 7e-6, 1e-12);
  EXPECT_NEAR(machine.target.unaligned_s, 2e-6, 1e-12);
  EXPECT_NEAR(machine.target.operation_s, 1e-6, 1e-12);
  EXPECT_NEAR(machine.metadata_rate, 1e5, 1e-3);
  EXPECT_EQ(machine.ranks_per_node, 2U);
}

TEST(Calibrate, MeasuresAFolderAndLeavesNothingBehind) {
  TestFolder folder;
  Result<Machine> machine =
      calibrate(folder.path().string(), {.writers = 2, .bytes = 1 << 20, .repetitions = 1});
  ASSERT_TRUE(machine) << machine.error().text();
  EXPECT_GT(machine->target.write_bandwidth, 1e6);
  EXPECT_GT(machine->metadata_rate, 100);
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
  EXPECT_TRUE(parse_machine(machine_text(*machine)));
}

TEST(Calibrate, AFolderThatIsNotThereIsRefused) {
  Result<Machine> machine = calibrate("/nowhere/at/all", {.repetitions = 1});
  ASSERT_FALSE(machine);
  EXPECT_EQ(machine.error().text(), "/nowhere/at/all: No such file or directory");
}

}  // namespace
}  // namespace refrain::simulate
