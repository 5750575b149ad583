// See protocol.hpp. Each message has one function that writes its fields and one that reads them, in the same
// order; the type byte is the position in the variant, with the highest bit set for the coordinator's.
#include "coordinate/protocol.hpp"

#include <cmath>

#include "base/bit_cast.hpp"
#include "base/bytes.hpp"

namespace refrain::coordinate {

namespace {

constexpr uint8_t from_coordinator = 128;
constexpr uint64_t longest_ns = static_cast<uint64_t>(schedule::longest_time);
constexpr double largest_volume = 1e30;
constexpr uint64_t most_phases_run = 100'000'000;  ///< of a job, repetitions included, as in a job file

std::string_view cut(std::string_view text) { return text.substr(0, max_name_bytes); }

void write(ByteWriter& out, const Standing& standing) {
  out.u8(static_cast<uint8_t>(standing.state));
  out.varint(standing.phase);
  out.varint(standing.lease);
}

Standing read_standing(ByteReader& in) {
  Standing standing;
  uint8_t state = in.u8();
  if (state > static_cast<uint8_t>(State::holding)) in.fail("no such state");
  standing.state = static_cast<State>(state);
  standing.phase = in.varint();
  standing.lease = in.varint();
  return standing;
}

void write(ByteWriter& out, const Profile& profile) {
  bool fits = profile.phases.size() <= max_profile_phases && profile.blocks.size() <= max_profile_blocks;
  out.varint(fits ? profile.phases.size() : 0);
  out.varint(fits ? profile.blocks.size() : 0);
  if (!fits) return;
  for (const schedule::Phase& phase : profile.phases) {
    out.varint(static_cast<uint64_t>(phase.compute));
    out.u64(bit_cast<uint64_t>(phase.volume));
  }
  for (const schedule::Block& block : profile.blocks) {
    out.varint(block.first);
    out.varint(block.count);
    out.varint(block.repeat);
  }
}

schedule::Block read_block(ByteReader& in, size_t phases) {
  schedule::Block block;
  block.first = static_cast<uint32_t>(in.bounded(phases, "a block begins behind the last phase"));
  block.count = static_cast<uint32_t>(in.bounded(phases - block.first, "a block ends behind the last phase"));
  block.repeat = in.bounded(most_phases_run, "a block repeats too often");
  if (block.count == 0 || block.repeat == 0) in.fail("a block is empty");
  return block;
}

Profile read_profile(ByteReader& in) {
  Profile profile;
  uint64_t phases = in.bounded(max_profile_phases, "too many phases");
  uint64_t blocks = in.bounded(max_profile_blocks, "too many blocks");
  for (uint64_t i = 0; i < phases && in.ok(); ++i) {
    auto compute = static_cast<schedule::Time>(in.bounded(longest_ns, "a phase computes too long"));
    auto volume = bit_cast<double>(in.u64());
    if (!(volume >= 0 && volume <= largest_volume)) in.fail("a volume is no number, negative or too large");
    profile.phases.push_back({compute, volume});
  }
  uint64_t run = 0;
  for (uint64_t i = 0; i < blocks && in.ok(); ++i) {
    profile.blocks.push_back(read_block(in, profile.phases.size()));
    run += profile.blocks.back().count * profile.blocks.back().repeat;
    if (run > most_phases_run) in.fail("the phases repeat too often");
  }
  return profile;
}

void write(ByteWriter& out, const Register& message) {
  out.varint(message.job);
  out.varint(message.step);
  out.varint(message.io_node);
  out.varint(message.client);
  out.varint(message.nodes);
  out.string(cut(message.name));
  out.varint(message.age_ns);
  out.varint(message.io_done_ns);
  write(out, message.standing);
  write(out, message.profile);
}

Register read_register(ByteReader& in) {
  Register message;
  message.job = static_cast<uint32_t>(in.bounded(UINT32_MAX, "the job id is too large"));
  message.step = in.varint();
  message.io_node = static_cast<uint32_t>(in.bounded(UINT32_MAX, "the I/O node is too large"));
  message.client = in.varint();
  message.nodes = static_cast<uint32_t>(in.bounded(max_nodes, "the job has too many nodes"));
  message.name = in.string(max_name_bytes);
  message.age_ns = in.bounded(longest_ns, "the job is too old");
  message.io_done_ns = in.bounded(longest_ns, "the I/O time is too long");
  message.standing = read_standing(in);
  message.profile = read_profile(in);
  return message;
}

void write(ByteWriter& out, const Ask& message) {
  out.varint(message.phase);
  out.varint(message.bytes);
}

void write(ByteWriter& out, const End& message) {
  out.varint(message.phase);
  out.varint(message.lease);
  out.varint(message.bytes);
}

void write(ByteWriter& out, const KeepAlive& message) {
  write(out, message.standing);
  out.varint(message.bytes);
}

void write(ByteWriter&, const Leave&) {}

void write(ByteWriter& out, const Welcome& message) {
  out.varint(message.keep_alive_ns);
  out.varint(message.lease_ns);
  write(out, message.standing);
}

void write(ByteWriter& out, const Granted& message) {
  out.varint(message.phase);
  out.varint(message.lease);
  out.varint(message.lease_ns);
}

void write(ByteWriter& out, const Alive& message) { write(out, message.standing); }
void write(ByteWriter&, const Unknown&) {}

void write(ByteWriter& out, const Refused& message) {
  out.u8(static_cast<uint8_t>(message.reason));
  out.string(cut(message.text));
}

// Members of an initializer list are read from left to right.

ClientMessage read_client(ByteReader& in, uint8_t type) {
  switch (type) {
    case 0:
      return read_register(in);
    case 1:
      return Ask{in.varint(), in.varint()};
    case 2:
      return End{in.varint(), in.varint(), in.varint()};
    case 3:
      return KeepAlive{read_standing(in), in.varint()};
    case 4:
      return Leave{};
    default:
      in.fail("no such type of message");
      return Leave{};
  }
}

Refused read_refused(ByteReader& in) {
  uint8_t reason = in.u8();
  if (reason > static_cast<uint8_t>(Reason::too_large_profile)) in.fail("no such reason");
  return {static_cast<Reason>(reason), std::string(in.string(max_name_bytes))};
}

CoordinatorMessage read_coordinator(ByteReader& in, uint8_t type) {
  switch (type) {
    case from_coordinator:
      return Welcome{in.varint(), in.varint(), read_standing(in)};
    case from_coordinator + 1:
      return Granted{in.varint(), in.varint(), in.varint()};
    case from_coordinator + 2:
      return Alive{read_standing(in)};
    case from_coordinator + 3:
      return Unknown{};
    case from_coordinator + 4:
      return read_refused(in);
    default:
      in.fail("no such type of message");
      return Unknown{};
  }
}

template <class Message>
std::vector<uint8_t> encode_as(const Message& message, uint8_t first_type) {
  ByteWriter out;
  out.u8(protocol_version);
  out.u8(static_cast<uint8_t>(first_type + message.index()));
  std::visit([&out](const auto& fields) { write(out, fields); }, message);
  return out.take();
}

template <class Message>
Result<Message> decode_as(std::span<const uint8_t> bytes, Message (*read)(ByteReader&, uint8_t)) {
  if (bytes.size() > max_message_bytes) return fail(ErrorKind::limit, "the message is too long");
  ByteReader in(bytes);
  if (in.u8() != protocol_version) in.fail("another version of the protocol");
  Message message = read(in, in.u8());
  if (in.left() > 0) in.fail("bytes behind the end of the message");
  if (!in.ok()) return fail(ErrorKind::bad_input, in.reason(), "byte " + std::to_string(in.offset()));
  return message;
}

}  // namespace

std::vector<uint8_t> encode(const ClientMessage& message) { return encode_as(message, 0); }
std::vector<uint8_t> encode(const CoordinatorMessage& message) {
  return encode_as(message, from_coordinator);
}

Result<ClientMessage> decode_client_message(std::span<const uint8_t> bytes) {
  return decode_as<ClientMessage>(bytes, read_client);
}

Result<CoordinatorMessage> decode_coordinator_message(std::span<const uint8_t> bytes) {
  return decode_as<CoordinatorMessage>(bytes, read_coordinator);
}

}  // namespace refrain::coordinate
