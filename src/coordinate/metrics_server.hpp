// The least of an HTTP server: whoever connects and sends a request gets the counters as text and is
// disconnected. Nothing blocks; connections are few, short and bounded, so that nobody can hold up the
// coordinator, in whose thread this runs.
#pragma once

#include <zmq.h>

#include <functional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "schedule/time.hpp"

namespace refrain::coordinate {

class MetricsServer {
 public:
  /// Listens at "PORT" of this machine only, or at "ADDRESS:PORT", where an address is one of IPv4.
  static Result<MetricsServer> listen(const std::string& where);
  MetricsServer(MetricsServer&& other) noexcept;
  MetricsServer& operator=(MetricsServer&&) = delete;
  ~MetricsServer();

  /// What is to be polled.
  void add_to(std::vector<zmq_pollitem_t>& items) const;
  /// Takes what has come. `text` makes the answer.
  void serve(schedule::Time now, const std::function<std::string()>& text);

 private:
  struct Connection {
    int descriptor = -1;
    schedule::Time since = 0;
    std::string request{};
    std::string answer{};
  };
  explicit MetricsServer(int descriptor) : listening_(descriptor) {}
  void accept_all(schedule::Time now);
  /// Whether the connection goes on.
  static bool go_on(Connection& connection, const std::function<std::string()>& text);

  int listening_;
  std::vector<Connection> connections_;
};

}  // namespace refrain::coordinate
