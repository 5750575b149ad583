#include "coordinate/address.hpp"

#include <gtest/gtest.h>

namespace refrain::coordinate {
namespace {

TEST(Address, BothForms) {
  Address tcp = parse_address("tcp://10.0.0.1:5570").value();
  EXPECT_EQ(tcp.text, "tcp://10.0.0.1:5570");
  EXPECT_EQ(tcp.events, "tcp://10.0.0.1:5571");
  EXPECT_FALSE(tcp.is_local);
  EXPECT_EQ(parse_address("node7:99").value().text, "tcp://node7:99");
  Address ipc = parse_address("ipc:///tmp/x").value();
  EXPECT_EQ(ipc.events, "ipc:///tmp/x.events");
  EXPECT_TRUE(ipc.is_local);
}

TEST(Address, WhoIsLocal) {
  for (const char* local : {"127.0.0.1:1", "tcp://127.1.2.3:65534", "localhost:5", "tcp://[::1]:7"}) {
    EXPECT_TRUE(parse_address(local).value().is_local) << local;
  }
  for (const char* other : {"*:1", "0.0.0.0:2", "127.evil.org:3", "[::]:4", "127.0.0.1.example:5"}) {
    EXPECT_FALSE(parse_address(other).value().is_local) << other;
  }
}

TEST(Address, OthersAreRefused) {
  for (const char* bad : {"", "tcp://", "tcp://x", "x:", ":5", "x:0", "x:65535", "x:7y", "x:-1", "udp://x:5",
                          "ipc://", "inproc://x", "http://x:5/y"}) {
    EXPECT_FALSE(parse_address(bad)) << bad;
  }
  EXPECT_FALSE(parse_address("ipc://" + std::string(100, 'x')));
}

}  // namespace
}  // namespace refrain::coordinate
