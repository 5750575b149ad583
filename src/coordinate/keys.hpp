// The CURVE keys of a coordinator and its clients, as files of a folder that `refrain coordinate keygen`
// makes:
//   coordinator.key  the coordinator's own pair              (public, secret)
//   client.key       what a client needs: its own pair, and whom it trusts  (public, secret, server)
//   clients          the public keys that the coordinator lets in: "KEY name" per line
// A key is 40 characters of Z85, as ZeroMQ prints and takes them. Lines are "word KEY"; '#' begins a comment.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"

namespace refrain::coordinate {

inline constexpr size_t key_characters = 40;

struct Keys {
  std::string public_key{};
  std::string secret_key{};
  std::string server_key{};  ///< in a client's file
  bool operator==(const Keys&) const = default;
};

struct KnownClient {
  std::string public_key{};
  std::string name{};
  bool operator==(const KnownClient&) const = default;
};

/// $REFRAIN_KEYS, else ~/.config/refrain/coordinate.
std::string default_key_folder();
inline std::string coordinator_key_file(const std::string& folder) { return folder + "/coordinator.key"; }
inline std::string client_key_file(const std::string& folder) { return folder + "/client.key"; }
inline std::string known_clients_file(const std::string& folder) { return folder + "/clients"; }

/// The text of a key file. A server key is required of a client's.
Result<Keys> parse_keys(std::string_view text, bool is_client);
std::string keys_text(const Keys& keys);
Result<std::vector<KnownClient>> parse_known_clients(std::string_view text);

/// Reads a key file. One whose secret others may read is refused.
Result<Keys> read_keys(const std::string& path, bool is_client);
Result<std::vector<KnownClient>> read_known_clients(const std::string& path);

}  // namespace refrain::coordinate
