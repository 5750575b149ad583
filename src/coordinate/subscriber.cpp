// See subscriber.hpp.
#include "coordinate/subscriber.hpp"

#include "coordinate/sockets.hpp"

namespace refrain::coordinate {

struct Subscriber::Connection {
  ZmqContext context{};
  ZmqSocket socket{context, ZMQ_SUB};
};

Subscriber::Subscriber(std::unique_ptr<Connection> connection) : connection_(std::move(connection)) {}
Subscriber::Subscriber(Subscriber&&) noexcept = default;
Subscriber::~Subscriber() = default;

Result<Subscriber> Subscriber::connect(const Address& address, const std::optional<Keys>& keys, bool events) {
  auto connection = std::make_unique<Connection>();
  if (keys) connection->socket.connect_with(*keys);
  connection->socket.set(ZMQ_RCVHWM, 100'000);
  connection->socket.set(ZMQ_IPV6, 1);
  connection->socket.set(ZMQ_SUBSCRIBE, std::string_view("status"));
  if (events) connection->socket.set(ZMQ_SUBSCRIBE, std::string_view("event"));
  if (Result<void> connected = connection->socket.connect(address.events); !connected) {
    return tl::unexpected(connected.error());
  }
  return Subscriber(std::move(connection));
}

std::optional<Told> Subscriber::next(int timeout_ms) {
  std::vector<std::string> frames;
  if (!connection_->socket.receive(frames, 2)) {
    zmq_pollitem_t item{connection_->socket.get(), 0, ZMQ_POLLIN, 0};
    zmq_poll(&item, 1, timeout_ms);
    if (!connection_->socket.receive(frames, 2)) return std::nullopt;
  }
  if (frames.size() != 2) return std::nullopt;
  return Told{frames[0], frames[1]};
}

}  // namespace refrain::coordinate
