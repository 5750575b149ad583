// See sockets.hpp.
#include "coordinate/sockets.hpp"

#include <cerrno>
#include <utility>

#include "base/check.hpp"

namespace refrain::coordinate {

ZmqContext::ZmqContext() : context_(zmq_ctx_new()) {
  REFRAIN_CHECK(context_ != nullptr);
  int most = zmq_ctx_get(context_, ZMQ_SOCKET_LIMIT);
  zmq_ctx_set(context_, ZMQ_MAX_SOCKETS, most);
}

ZmqContext::~ZmqContext() { zmq_ctx_term(context_); }

ZmqSocket::ZmqSocket(ZmqContext& context, int type) : socket_(zmq_socket(context.get(), type)) {
  REFRAIN_CHECK(socket_ != nullptr);
  set(ZMQ_LINGER, 0);
}

ZmqSocket::~ZmqSocket() {
  if (socket_ != nullptr) zmq_close(socket_);
}

void ZmqSocket::set(int option, int value) {
  REFRAIN_CHECK(zmq_setsockopt(socket_, option, &value, sizeof(value)) == 0);
}

void ZmqSocket::set(int option, int64_t value) {
  REFRAIN_CHECK(zmq_setsockopt(socket_, option, &value, sizeof(value)) == 0);
}

void ZmqSocket::set(int option, std::string_view value) {
  REFRAIN_CHECK(zmq_setsockopt(socket_, option, value.data(), value.size()) == 0);
}

void ZmqSocket::serve_with(const Keys& keys) {
  set(ZMQ_CURVE_SERVER, 1);
  set(ZMQ_CURVE_SECRETKEY, keys.secret_key);
  set(ZMQ_ZAP_DOMAIN, std::string_view("refrain"));
}

void ZmqSocket::connect_with(const Keys& keys) {
  set(ZMQ_CURVE_SERVERKEY, keys.server_key);
  set(ZMQ_CURVE_PUBLICKEY, keys.public_key);
  set(ZMQ_CURVE_SECRETKEY, keys.secret_key);
}

Result<void> ZmqSocket::bind(const std::string& address) {
  if (zmq_bind(socket_, address.c_str()) == 0) return {};
  return fail(ErrorKind::io, zmq_strerror(zmq_errno()), address);
}

Result<void> ZmqSocket::connect(const std::string& address) {
  if (zmq_connect(socket_, address.c_str()) == 0) return {};
  return fail(ErrorKind::io, zmq_strerror(zmq_errno()), address);
}

bool ZmqSocket::receive(std::vector<std::string>& frames, size_t most) {
  frames.clear();
  zmq_msg_t frame;
  zmq_msg_init(&frame);
  bool more = true;
  while (more && zmq_msg_recv(&frame, socket_, ZMQ_DONTWAIT) >= 0) {
    more = zmq_msg_more(&frame) != 0;
    if (frames.size() < most) {
      frames.emplace_back(static_cast<const char*>(zmq_msg_data(&frame)), zmq_msg_size(&frame));
    } else if (frames.size() == most) {
      frames.emplace_back();
    }
  }
  zmq_msg_close(&frame);
  return !frames.empty();
}

bool ZmqSocket::send(std::initializer_list<std::string_view> frames) {
  size_t left = frames.size();
  for (std::string_view frame : frames) {
    int flags = ZMQ_DONTWAIT | (--left > 0 ? ZMQ_SNDMORE : 0);
    if (zmq_send(socket_, frame.data(), frame.size(), flags) < 0) return false;
  }
  return true;
}

bool ZmqSocket::send(std::string_view address, std::span<const uint8_t> payload) {
  return send({address, {reinterpret_cast<const char*>(payload.data()), payload.size()}});
}

}  // namespace refrain::coordinate
