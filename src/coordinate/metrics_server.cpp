// See metrics_server.hpp.
#include "coordinate/metrics_server.hpp"

#include <arpa/inet.h>
#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstring>
#include <utility>

namespace refrain::coordinate {

namespace {

constexpr size_t most_connections = 16;
constexpr size_t most_request_bytes = 4096;
constexpr schedule::Time patience = 5 * schedule::second;

}  // namespace

Result<MetricsServer> MetricsServer::listen(const std::string& where) {
  size_t colon = where.rfind(':');
  std::string host = colon == std::string::npos ? "127.0.0.1" : where.substr(0, colon);
  std::string port_text = colon == std::string::npos ? where : where.substr(colon + 1);
  uint16_t port = 0;
  auto [end, error] = std::from_chars(port_text.data(), port_text.data() + port_text.size(), port);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  if (error != std::errc{} || end != port_text.data() + port_text.size() || port == 0 ||
      inet_pton(AF_INET, host.c_str(), &address.sin_addr) != 1) {
    return fail(ErrorKind::usage, "must be PORT or ADDRESS:PORT", where);
  }
  address.sin_port = htons(port);
  int descriptor = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (descriptor < 0) return fail(ErrorKind::io, std::strerror(errno), where);
  MetricsServer server(descriptor);
  int yes = 1;
  setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof(yes));
  if (bind(descriptor, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) != 0 ||
      ::listen(descriptor, most_connections) != 0) {
    return fail(ErrorKind::io, std::strerror(errno), where);
  }
  return server;
}

MetricsServer::MetricsServer(MetricsServer&& other) noexcept
    : listening_(std::exchange(other.listening_, -1)), connections_(std::move(other.connections_)) {
  other.connections_.clear();
}

MetricsServer::~MetricsServer() {
  if (listening_ >= 0) close(listening_);
  for (const Connection& connection : connections_) close(connection.descriptor);
}

void MetricsServer::add_to(std::vector<zmq_pollitem_t>& items) const {
  if (connections_.size() < most_connections) items.push_back({nullptr, listening_, ZMQ_POLLIN, 0});
  for (const Connection& connection : connections_) {
    short awaited = connection.answer.empty() ? ZMQ_POLLIN : ZMQ_POLLOUT;
    items.push_back({nullptr, connection.descriptor, awaited, 0});
  }
}

void MetricsServer::serve(schedule::Time now, const std::function<std::string()>& text) {
  accept_all(now);
  std::erase_if(connections_, [&](Connection& connection) {
    if (now - connection.since < patience && go_on(connection, text)) return false;
    close(connection.descriptor);
    return true;
  });
}

void MetricsServer::accept_all(schedule::Time now) {
  while (connections_.size() < most_connections) {
    int descriptor = accept4(listening_, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (descriptor < 0) return;
    connections_.push_back({.descriptor = descriptor, .since = now});
  }
}

bool MetricsServer::go_on(Connection& connection, const std::function<std::string()>& text) {
  char bytes[1024];
  while (connection.answer.empty()) {
    ssize_t got = recv(connection.descriptor, bytes, sizeof(bytes), 0);
    if (got < 0) return errno == EAGAIN || errno == EINTR;
    connection.request.append(bytes, static_cast<size_t>(got));
    if (got == 0 || connection.request.size() > most_request_bytes) return false;
    if (connection.request.find("\r\n\r\n") == std::string::npos) continue;
    bool is_get = connection.request.starts_with("GET /metrics") || connection.request.starts_with("GET / ");
    std::string body = is_get ? text() : "only GET /metrics\n";
    connection.answer =
        std::string("HTTP/1.1 ") + (is_get ? "200 OK" : "404 Not Found") +
        "\r\nContent-Type: text/plain; version=0.0.4\r\nConnection: close\r\nContent-Length: " +
        std::to_string(body.size()) + "\r\n\r\n" + body;
  }
  ssize_t sent =
      send(connection.descriptor, connection.answer.data(), connection.answer.size(), MSG_NOSIGNAL);
  if (sent < 0) return errno == EAGAIN || errno == EINTR;
  connection.answer.erase(0, static_cast<size_t>(sent));
  return !connection.answer.empty();
}

}  // namespace refrain::coordinate
