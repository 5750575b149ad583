// ZeroMQ as we use it: contexts and sockets that close themselves, messages of few frames, nothing that
// blocks.
#pragma once

#include <zmq.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "coordinate/keys.hpp"

namespace refrain::coordinate {

class ZmqContext {
 public:
  ZmqContext();
  ~ZmqContext();
  ZmqContext(const ZmqContext&) = delete;
  ZmqContext& operator=(const ZmqContext&) = delete;
  void* get() const { return context_; }

 private:
  void* context_;
};

class ZmqSocket {
 public:
  /// `type` as ZMQ_ROUTER. The context must outlive it.
  ZmqSocket(ZmqContext& context, int type);
  ~ZmqSocket();
  ZmqSocket(ZmqSocket&& other) noexcept : socket_(std::exchange(other.socket_, nullptr)) {}
  ZmqSocket& operator=(ZmqSocket&&) = delete;

  void set(int option, int value);
  void set(int option, int64_t value);
  void set(int option, std::string_view value);
  /// CURVE as the server: who connects is looked at by a ZAP handler.
  void serve_with(const Keys& keys);
  /// CURVE as a client.
  void connect_with(const Keys& keys);
  Result<void> bind(const std::string& address);
  Result<void> connect(const std::string& address);

  /// The frames of the next message, if there is one. Of those behind the first `most` only their number is
  /// kept: as many empty ones, at most one more than `most`.
  bool receive(std::vector<std::string>& frames, size_t most);
  /// All or nothing; what can't be sent at once is dropped, and the result is false.
  bool send(std::initializer_list<std::string_view> frames);
  bool send(std::string_view address, std::span<const uint8_t> payload);
  void* get() const { return socket_; }

 private:
  void* socket_;
};

}  // namespace refrain::coordinate
