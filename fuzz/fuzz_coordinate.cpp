// Any bytes as what clients say to a coordinator: each message is either refused or encoded and decoded again
// unchanged, and whatever is said in whatever order, no I/O node is given to too many and nobody is
// forgotten. The same bytes as a journal: refused with one line, or drawn.
#include <cstdio>
#include <cstdlib>
#include <string>

#include "base/bytes.hpp"
#include "coordinate/coordinator.hpp"
#include "coordinate/journal.hpp"
#include "schedule/gantt.hpp"

namespace {

using namespace refrain;
using namespace refrain::coordinate;

void require(bool condition, const char* what) {
  if (condition) return;
  std::fprintf(stderr, "broken promise: %s\n", what);
  std::abort();
}

Standing any_standing(ByteReader& in) {
  return {static_cast<State>(in.u8() % 3), in.u8() % 8U, in.u8() % 16U};
}

/// A message that makes sense more often than bytes do.
ClientMessage any_message(ByteReader& in) {
  switch (in.u8() % 5) {
    case 0: {
      Register message{
          .job = in.u8() % 4U, .step = in.u8() % 2U, .io_node = in.u8() % 3U, .client = in.u8() % 4U};
      message.standing = any_standing(in);
      if (uint8_t repeat = in.u8(); repeat > 128)
        message.profile = {{{repeat, 1.0}, {5, 0}}, {{0, 2, repeat}}};
      return message;
    }
    case 1:
      return Ask{in.u8() % 8U, in.u8()};
    case 2:
      return End{in.u8() % 8U, in.u8() % 16U, in.u8()};
    case 3:
      return KeepAlive{any_standing(in), in.u8()};
    default:
      return Leave{};
  }
}

void check_bytes(std::span<const uint8_t> bytes) {
  if (Result<ClientMessage> message = decode_client_message(bytes)) {
    Result<ClientMessage> again = decode_client_message(encode(*message));
    require(again && *again == *message, "a client's message is the same after encoding");
  } else {
    require(message.error().text().find('\n') == std::string::npos, "errors are one line");
  }
  if (Result<CoordinatorMessage> message = decode_coordinator_message(bytes)) {
    Result<CoordinatorMessage> again = decode_coordinator_message(encode(*message));
    require(again && *again == *message, "a coordinator's message is the same after encoding");
  }
}

void talk(ByteReader& in) {
  Settings settings{.policy = &schedule::policies()[in.u8() % 8], .io_nodes = {{1, 1}, {2.5, 2}}};
  settings.grace = in.u8() * schedule::second / 100;
  settings.max_clients = 6;
  Time now = 1000 * schedule::second;
  Coordinator coordinator(settings, now);
  while (in.ok() && in.left() > 0) {
    uint8_t what = in.u8();
    now += Time{what % 16U} * schedule::second / 20;
    std::string address(1, static_cast<char>('a' + in.u8() % 8));
    if (what < 32) {
      Result<ClientMessage> message = decode_client_message(in.raw(std::min<uint64_t>(in.u8(), in.left())));
      if (message) coordinator.receive(now, address, *message);
    } else {
      coordinator.receive(now, address, any_message(in));
    }
    if (what % 3 == 0) coordinator.settle(now);
    std::string broken = coordinator.broken_promise();
    require(broken.empty(), broken.c_str());
    for (const Outgoing& sent : coordinator.take_messages())
      require(!sent.address.empty(), "answers have addresses");
  }
  coordinator.settle(now + 2 * settings.lease + settings.grace);
  require(coordinator.clients() == 0 && coordinator.jobs().empty(), "the silent are forgotten");
}

void draw(std::string_view text) {
  Result<Happened> happened = parse_journal(text);
  if (!happened) {
    require(happened.error().text().find('\n') == std::string::npos, "errors are one line");
    return;
  }
  if (happened->workload.machine.io_nodes.size() < 50) {
    schedule::gantt_picture(happened->workload, happened->outcome, happened->log, "any");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size > 0 && data[0] == '{') {
    draw({reinterpret_cast<const char*>(data), size});
    return 0;
  }
  check_bytes({data, size});
  ByteReader in({data, size});
  talk(in);
  return 0;
}
