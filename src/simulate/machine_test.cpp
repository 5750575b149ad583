// Machine files: what is accepted, and how each kind of mistake is reported.
#include "simulate/machine.hpp"

#include <gtest/gtest.h>

namespace refrain::simulate {
namespace {

std::string with(const std::string& more) {
  return R"({"nodes": 4, "target": {"read_bandwidth": 2e9, "write_bandwidth": 1e9})" + more + "}";
}

std::string wrong(const std::string& text) {
  Result<Machine> machine = parse_machine(text);
  return machine ? "accepted" : machine.error().text();
}

TEST(Machine, LittleIsEnough) {
  Result<Machine> machine = parse_machine(with(""));
  ASSERT_TRUE(machine) << machine.error().text();
  EXPECT_EQ(machine->nodes, 4U);
  EXPECT_EQ(machine->targets(), 1U);
  EXPECT_EQ(machine->target.write_bandwidth, 1e9);
  EXPECT_EQ(machine->metadata_rate, 0);
  EXPECT_EQ(machine->cache_bytes, 0U);
  EXPECT_EQ(machine->striping_of("any").count, 1U);
}

TEST(Machine, ComesBackAsItWasWritten) {
  Result<Machine> machine = parse_machine(with(
      R"(, "name": "m", "ranks_per_node": 2, "node": {"bandwidth": 3e9, "rank_bandwidth": 1e9, "call": 1e-6,
      "cache": 1000, "cache_bandwidth": 5e9}, "network": {"bandwidth": 1e10, "latency": 1e-6},
      "io_nodes": {"count": 2, "bandwidth": 4e9}, "servers": {"count": 2, "bandwidth": 3e9, "targets": 3},
      "metadata": {"operations": 100}, "striping": [{"pattern": "*.h5", "size": 65536, "count": 0}, {"count": 2}])"));
  ASSERT_TRUE(machine) << machine.error().text();
  Result<Machine> again = parse_machine(machine_text(*machine));
  ASSERT_TRUE(again) << again.error().text();
  EXPECT_EQ(machine_text(*again), machine_text(*machine));
  EXPECT_EQ(again->targets(), 6U);
  EXPECT_EQ(again->io_nodes, 2U);
  EXPECT_EQ(again->nodes_per_io_node(), 2U);
  EXPECT_EQ(again->striping_of("a/b.h5").size, 65536U);
  EXPECT_EQ(again->striping_of("a/b.dat").count, 2U);
}

TEST(Machine, SharedFilesMayBeSlower) {
  Result<Machine> machine = parse_machine(
      R"({"nodes": 1, "target": {"read_bandwidth": 10, "write_bandwidth": 8, "shared_write_bandwidth": 5}})");
  ASSERT_TRUE(machine) << machine.error().text();
  EXPECT_EQ(machine->target.shared_write_bandwidth, 5);
  EXPECT_EQ(machine->target.shared_read_bandwidth, 0);
  Result<Machine> again = parse_machine(machine_text(*machine));
  ASSERT_TRUE(again) << again.error().text();
  EXPECT_EQ(machine_text(*again), machine_text(*machine));
}

TEST(Machine, MistakesNameTheField) {
  EXPECT_EQ(
      wrong(
          R"({"nodes": 1, "target": {"read_bandwidth": 9, "write_bandwidth": 9, "shared_read_bandwidth": 10}})"),
      "target.shared_read_bandwidth: must not be more than target.read_bandwidth, which is 9, is 10");
  EXPECT_EQ(wrong(R"({"nodes": 4})"), "target: is missing");
  EXPECT_EQ(wrong("[]"), "must be an object that describes a machine");
  EXPECT_EQ(wrong(with(R"(, "nodez": 4)")), "\"nodez\": is no field of this object");
  EXPECT_EQ(wrong(with(R"(, "servers": {"count": 0})")), "servers.count: must be at least 1, is 0");
  EXPECT_EQ(wrong(with(R"(, "servers": 3)")), "servers: must be an object, is 3");
  EXPECT_EQ(wrong(with(R"(, "servers": {"speed": 3})")), "servers.\"speed\": is no field of this object");
  EXPECT_EQ(wrong(with(R"(, "servers": {"count": 1000, "targets": 1000})")),
            "servers.targets: gives 1000000 targets, more than the 16384 allowed");
  EXPECT_EQ(wrong(with(R"(, "io_nodes": {"count": 2})")), "io_nodes.bandwidth: is missing");
  EXPECT_EQ(wrong(with(R"(, "node": {"cache": 10})")), "node.cache_bandwidth: is missing");
  EXPECT_EQ(wrong(with(R"(, "network": {"latency": -1})")), "network.latency: must not be negative, is -1");
  EXPECT_EQ(wrong(with(R"(, "striping": [{"size": 1000}])")),
            "striping[0].size: must be a multiple of target.block, which is 4096, is 1000");
  EXPECT_EQ(wrong(with(R"(, "striping": [{}, {"count": 2}])")),
            "striping[1].count: 2 is more than the 1 allowed");
  EXPECT_EQ(wrong(R"({"nodes": 4, "target": {"read_bandwidth": 0, "write_bandwidth": 1}})"),
            "target.read_bandwidth: must be positive, is 0");
  EXPECT_NE(wrong("{\"nodes\": "), "accepted");
  EXPECT_NE(wrong(R"({"nodes": 1e999})"), "accepted");
  EXPECT_NE(wrong(std::string(100'000, '[')), "accepted");
}

}  // namespace
}  // namespace refrain::simulate
