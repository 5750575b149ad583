// See address.hpp.
#include "coordinate/address.hpp"

#include <charconv>
#include <optional>
#include <string_view>

namespace refrain::coordinate {

namespace {

constexpr size_t max_ipc_path = 100;  // that of a socket has 108 bytes, and ".events" is to fit
constexpr unsigned last_port = 65534;

std::optional<unsigned> port_of(std::string_view text) {
  unsigned port = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), port);
  if (error != std::errc{} || end != text.data() + text.size() || port == 0 || port > last_port) return {};
  return port;
}

bool is_loopback(std::string_view host) {
  return host == "localhost" || host == "[::1]" ||
         (host.starts_with("127.") && host.find_first_not_of("0123456789.") == std::string_view::npos);
}

}  // namespace

Result<Address> parse_address(const std::string& text) {
  if (text.starts_with("ipc://")) {
    if (text.size() <= 6 || text.size() > max_ipc_path) {
      return fail(ErrorKind::usage, "the path must have 1 to 94 characters", text);
    }
    return Address{text, text + ".events", true};
  }
  std::string rest = text.starts_with("tcp://") ? text.substr(6) : text;
  size_t colon = rest.rfind(':');
  std::optional<unsigned> port;
  if (colon != std::string::npos && colon > 0) port = port_of(std::string_view(rest).substr(colon + 1));
  if (!port || rest.find('/') != std::string::npos) {
    return fail(ErrorKind::usage, "must be tcp://HOST:PORT, with a port up to 65534, or ipc://PATH", text);
  }
  std::string host = rest.substr(0, colon);
  return Address{"tcp://" + rest, "tcp://" + host + ":" + std::to_string(*port + 1), is_loopback(host)};
}

}  // namespace refrain::coordinate
