// Those who watch a coordinator: a subscription to what it tells.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "base/result.hpp"
#include "coordinate/address.hpp"
#include "coordinate/keys.hpp"

namespace refrain::coordinate {

struct Told {
  std::string topic{};  ///< "event" or "status"
  std::string json{};
};

class Subscriber {
 public:
  /// Without keys if there are none. Gets at most the newest thousands: who is slow misses some.
  static Result<Subscriber> connect(const Address& address, const std::optional<Keys>& keys, bool events);
  Subscriber(Subscriber&&) noexcept;
  Subscriber& operator=(Subscriber&&) = delete;
  ~Subscriber();

  /// The next message, or none within the time.
  std::optional<Told> next(int timeout_ms);

 private:
  struct Connection;
  explicit Subscriber(std::unique_ptr<Connection> connection);
  std::unique_ptr<Connection> connection_;
};

}  // namespace refrain::coordinate
