// Every message comes back as it was sent; every other sequence of bytes is refused, without reading behind
// its end.
#include "coordinate/protocol.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <random>

namespace refrain::coordinate {
namespace {

using Bytes = std::vector<uint8_t>;

Register full_registration() {
  return {.job = 4711,
          .step = UINT64_MAX,
          .io_node = 3,
          .client = 0x123456789abcdef0,
          .nodes = 16,
          .name = "jacobi",
          .age_ns = 5'000'000'000,
          .io_done_ns = 17,
          .standing = {State::holding, 12, 99},
          .profile = {{{32'000'000'000, 10}, {0, 2.5}, {1, 0}}, {{0, 2, 250}, {2, 1, 1}}}};
}

std::vector<ClientMessage> client_messages() {
  return {Register{},
          full_registration(),
          Ask{7, 1 << 30},
          End{UINT64_MAX, 99, 0},
          KeepAlive{{State::waiting, 3, 0}},
          KeepAlive{{State::holding, 3, 9}, 1ULL << 40U},
          Leave{}};
}

std::vector<CoordinatorMessage> coordinator_messages() {
  return {Welcome{333'000'000, 1'000'000'000, {State::idle, 4, 0}}, Granted{7, UINT64_MAX, 1'000'000'000},
          Alive{{State::holding, 8, 5}}, Unknown{}, Refused{Reason::too_many_clients, "no room"}};
}

TEST(Protocol, ClientMessagesComeBack) {
  for (const ClientMessage& message : client_messages()) {
    Result<ClientMessage> again = decode_client_message(encode(message));
    ASSERT_TRUE(again) << again.error().text();
    EXPECT_EQ(*again, message);
  }
}

TEST(Protocol, CoordinatorMessagesComeBack) {
  for (const CoordinatorMessage& message : coordinator_messages()) {
    Result<CoordinatorMessage> again = decode_coordinator_message(encode(message));
    ASSERT_TRUE(again) << again.error().text();
    EXPECT_EQ(*again, message);
  }
}

/// Each beginning of a message, and each message with something behind it.
TEST(Protocol, HalfMessagesAndLongOnesAreRefused) {
  for (const ClientMessage& message : client_messages()) {
    Bytes bytes = encode(message);
    for (size_t size = 0; size < bytes.size(); ++size) {
      EXPECT_FALSE(decode_client_message(std::span(bytes).first(size))) << message.index() << ", " << size;
    }
    bytes.push_back(0);
    EXPECT_FALSE(decode_client_message(bytes)) << message.index();
  }
}

TEST(Protocol, NeitherSideTakesTheOthersMessages) {
  for (const CoordinatorMessage& message : coordinator_messages()) {
    EXPECT_FALSE(decode_client_message(encode(message)));
  }
  for (const ClientMessage& message : client_messages()) {
    EXPECT_FALSE(decode_coordinator_message(encode(message)));
  }
}

TEST(Protocol, AnotherVersionIsRefused) {
  Bytes bytes = encode(ClientMessage(Leave{}));
  bytes[0] = protocol_version + 1;
  Result<ClientMessage> message = decode_client_message(bytes);
  ASSERT_FALSE(message);
  EXPECT_NE(message.error().text().find("version"), std::string::npos);
}

/// Random bytes, and messages with random bytes changed: an error of one line, or a message that is
/// encoded and decoded again without a change.
TEST(Protocol, AnyBytesGiveAnErrorOrAMessage) {
  std::mt19937_64 random(1);
  auto below = [&random](size_t limit) { return static_cast<size_t>(random() % limit); };
  std::vector<ClientMessage> messages = client_messages();
  for (int round = 0; round < 20000; ++round) {
    Bytes bytes = round % 2 == 0 ? Bytes(below(64)) : encode(messages[below(messages.size())]);
    for (uint8_t& byte : bytes) {
      if (round % 2 == 0 || below(16) == 0) byte = static_cast<uint8_t>(random());
    }
    if (bytes.size() > 1 && below(2) == 0) bytes[0] = protocol_version;
    Result<ClientMessage> message = decode_client_message(bytes);
    if (message) {
      Result<ClientMessage> again = decode_client_message(encode(*message));
      ASSERT_TRUE(again);
      EXPECT_EQ(*again, *message);
    } else {
      EXPECT_EQ(message.error().text().find('\n'), std::string::npos);
    }
  }
}

Result<ClientMessage> decoded_profile(const Profile& profile) {
  Register message = full_registration();
  message.profile = profile;
  return decode_client_message(encode(message));
}

TEST(Protocol, ProfilesAreChecked) {
  double nan = std::numeric_limits<double>::quiet_NaN();
  double infinity = std::numeric_limits<double>::infinity();
  for (double volume : {nan, infinity, -1.0, 1e31}) {
    EXPECT_FALSE(decoded_profile({{{1, volume}}, {{0, 1, 1}}})) << volume;
  }
  EXPECT_FALSE(decoded_profile({{{-1, 1}}, {{0, 1, 1}}}));
  EXPECT_FALSE(decoded_profile({{{schedule::longest_time + 1, 1}}, {{0, 1, 1}}}));
  EXPECT_FALSE(decoded_profile({{{1, 1}}, {{0, 2, 1}}}));
  EXPECT_FALSE(decoded_profile({{{1, 1}}, {{1, 1, 1}}}));
  EXPECT_FALSE(decoded_profile({{{1, 1}}, {{UINT32_MAX, UINT32_MAX, 1}}}));
  EXPECT_FALSE(decoded_profile({{{1, 1}}, {{0, 0, 1}}}));
  EXPECT_FALSE(decoded_profile({{{1, 1}}, {{0, 1, 0}}}));
  EXPECT_FALSE(decoded_profile({{{1, 1}}, {{0, 1, UINT64_MAX}}}));
  EXPECT_FALSE(decoded_profile({{{1, 1}}, {{0, 1, 60'000'000}, {0, 1, 60'000'000}}}));
  EXPECT_TRUE(decoded_profile({{{1, 1}}, {{0, 1, 60'000'000}, {0, 1, 40'000'000}}}));
}

/// The largest that may be sent arrives; what is larger goes without its profile.
TEST(Protocol, LongNamesAndProfilesAreCutBySenders) {
  Register message = full_registration();
  message.name = std::string(500, 'x');
  message.profile = {std::vector<schedule::Phase>(max_profile_phases, {schedule::longest_time, 1e30}),
                     std::vector<schedule::Block>(max_profile_blocks, {max_profile_phases - 1, 1, 10'000})};
  Bytes bytes = encode(message);
  EXPECT_LE(bytes.size(), max_message_bytes);
  Result<ClientMessage> again = decode_client_message(bytes);
  ASSERT_TRUE(again) << again.error().text();
  EXPECT_EQ(std::get<Register>(*again).name, std::string(max_name_bytes, 'x'));
  EXPECT_EQ(std::get<Register>(*again).profile, message.profile);
  message.profile.phases.push_back({});
  again = decode_client_message(encode(message));
  ASSERT_TRUE(again);
  EXPECT_EQ(std::get<Register>(*again).profile, Profile{});
  EXPECT_FALSE(decode_client_message(Bytes(max_message_bytes + 1, protocol_version)));
}

}  // namespace
}  // namespace refrain::coordinate
