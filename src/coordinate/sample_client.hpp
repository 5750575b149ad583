// A client for tests and benchmarks: says what it is told to say, and what it hears can be asked for. Needs
// ZeroMQ.
#pragma once

#include <sys/epoll.h>
#include <unistd.h>

#include <cstdlib>
#include <optional>
#include <utility>

#include "coordinate/protocol.hpp"
#include "coordinate/sockets.hpp"

namespace refrain::coordinate {

class SampleClient {
 public:
  SampleClient(ZmqContext& context, const std::string& address, const std::optional<Keys>& keys)
      : socket_(context, ZMQ_DEALER) {
    if (keys) socket_.connect_with(*keys);
    socket_.set(ZMQ_RECONNECT_IVL, 20);
    socket_.set(ZMQ_LINGER, 1000);  // what it says last is to arrive
    if (!socket_.connect(address)) std::abort();
  }

  void say(const ClientMessage& message) { say_bytes(encode(message)); }
  void say_bytes(std::span<const uint8_t> bytes) {
    socket_.send({{reinterpret_cast<const char*>(bytes.data()), bytes.size()}});
  }
  /// The next message, waiting for it so long at most; what can't be understood ends the program.
  std::optional<CoordinatorMessage> hear(long timeout_ms = 0) {
    if (!socket_.receive(frames_, 1)) {
      if (timeout_ms == 0) return std::nullopt;
      zmq_pollitem_t item{socket_.get(), 0, ZMQ_POLLIN, 0};
      zmq_poll(&item, 1, timeout_ms);
      if (!socket_.receive(frames_, 1)) return std::nullopt;
    }
    Result<CoordinatorMessage> message =
        decode_coordinator_message({reinterpret_cast<const uint8_t*>(frames_[0].data()), frames_[0].size()});
    if (frames_.size() != 1 || !message) std::abort();
    return *message;
  }
  ZmqSocket& socket() { return socket_; }

 private:
  ZmqSocket socket_;
  std::vector<std::string> frames_;
};

/// Which of very many clients may have heard something. ZeroMQ's descriptors tell of changes only: whoever
/// was told of, or has said something, is to be asked until it hears nothing more.
class Listeners {
 public:
  Listeners() : epoll_(epoll_create1(EPOLL_CLOEXEC)) {}
  ~Listeners() { close(epoll_); }
  Listeners(const Listeners&) = delete;
  Listeners& operator=(const Listeners&) = delete;

  void add(SampleClient& client, uint32_t number) {
    int descriptor = -1;
    size_t size = sizeof(descriptor);
    zmq_getsockopt(client.socket().get(), ZMQ_FD, &descriptor, &size);
    epoll_event event{};
    event.events = EPOLLIN | EPOLLET;
    event.data.u32 = number;
    epoll_ctl(epoll_, EPOLL_CTL_ADD, descriptor, &event);
  }
  /// Is to be looked at in any case.
  void again(uint32_t number) { again_.push_back(number); }
  std::vector<uint32_t> wait(int timeout_ms) {
    std::vector<uint32_t> numbers = std::exchange(again_, {});
    epoll_event events[256];
    int count = epoll_wait(epoll_, events, 256, numbers.empty() ? timeout_ms : 0);
    for (int i = 0; i < count; ++i) numbers.push_back(events[i].data.u32);
    return numbers;
  }

 private:
  int epoll_;
  std::vector<uint32_t> again_;
};

}  // namespace refrain::coordinate
