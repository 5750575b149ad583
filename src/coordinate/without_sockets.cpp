// What stands in for the daemon and its watchers where ZeroMQ was missing when Refrain was built.
#include "coordinate/daemon.hpp"
#include "coordinate/subscriber.hpp"

namespace refrain::coordinate {

namespace {

tl::unexpected<Error> without_sockets() {
  return fail(ErrorKind::limit,
              "this refrain was built without ZeroMQ; install libzmq3-dev and build it again");
}

}  // namespace

Result<void> run_daemon(const DaemonOptions&, const Say&) { return without_sockets(); }
Result<Keys> make_keys() { return without_sockets(); }

struct Subscriber::Connection {};
Subscriber::Subscriber(std::unique_ptr<Connection> connection) : connection_(std::move(connection)) {}
Subscriber::Subscriber(Subscriber&&) noexcept = default;
Subscriber::~Subscriber() = default;
Result<Subscriber> Subscriber::connect(const Address&, const std::optional<Keys>&, bool) {
  return without_sockets();
}
std::optional<Told> Subscriber::next(int) { return std::nullopt; }

}  // namespace refrain::coordinate
