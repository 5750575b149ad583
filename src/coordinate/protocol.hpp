// What the clients of jobs and the coordinator say to each other, as bytes. Pure functions: no socket, no
// clock. How it travels, and what the messages mean together:
//
// - A client is a DEALER, the coordinator a ROUTER; a message is one frame: version, type, then numbers as
//   LEB128 varints and strings with their length (base/bytes.hpp). Nothing is longer than
//   `max_message_bytes`. Points in time never travel, only durations, in nanoseconds.
// - A job is known by (job, step, io_node): all clients that say the same three are nodes of one job. `job`
// is
//   the id that policies break ties by (Slurm's, say); `step` is any number that the nodes of a job agree on
//   and that tells it from others with the same id. A job that does I/O through two I/O nodes is two jobs
//   here.
// - A client registers, then goes through phases numbered 0, 1, 2 …: `Ask` for phase n, wait for `Granted` of
//   phase n, transfer, `End` of phase n. A lease belongs to the job: a node that asks while its job has the
//   lease joins it at once, and the lease ends with the last node that ends its phase.
// - Every `Welcome::keep_alive_ns` at least a client says `KeepAlive` with what it believes: idle (phase n is
//   next), waiting for phase n, or holding a lease for phase n. `Alive` answers with what the coordinator
//   believes; so a lost message is noticed and healed by the next `KeepAlive`: a client that waits for what
//   was granted gets `Granted` again, one that is idle holds nothing any more, one that waits without having
//   asked has asked now. Who is silent for `Welcome::lease_ns` is forgotten, and its lease is free.
// - `Unknown` answers whoever is not registered, because the coordinator was restarted, has forgotten the
//   client, or the connection is a new one: register again, with what you believe. A lease believed to be
//   held is honored if the I/O node has room (`Welcome::standing` says it); otherwise ask again.
// - `Refused` answers a registration that can't be accepted; to send it again is pointless.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "base/result.hpp"
#include "schedule/model.hpp"

namespace refrain::coordinate {

inline constexpr uint8_t protocol_version = 2;
inline constexpr size_t max_message_bytes = 256 * 1024;
inline constexpr size_t max_name_bytes = 128;
inline constexpr size_t max_profile_phases = 8192;  ///< distinct ones
inline constexpr size_t max_profile_blocks = 4096;
inline constexpr uint32_t max_nodes = 1U << 30U;

/// What a client does just now, as it or as the coordinator believes.
enum class State : uint8_t { idle, waiting, holding };

struct Standing {
  State state = State::idle;
  uint64_t phase = 0;  ///< that it waits or has the lease for; if idle, the one that comes next
  uint64_t lease = 0;  ///< if it holds one, else 0
  bool operator==(const Standing&) const = default;
};

/// What the job will do, as `refrain jobs` says it: compute times and volumes of the whole job, volumes in
/// the unit of the coordinator's bandwidth. Without phases: nothing is known.
struct Profile {
  std::vector<schedule::Phase> phases{};
  std::vector<schedule::Block> blocks{};
  bool operator==(const Profile&) const = default;
};

struct Register {
  uint32_t job = 0;
  uint64_t step = 0;
  uint32_t io_node = 0;
  uint64_t client = 0;  ///< a random number: the same client after a reconnect, another node otherwise
  uint32_t nodes = 1;   ///< compute nodes of the job
  std::string name{};
  uint64_t age_ns = 0;      ///< since the job started
  uint64_t io_done_ns = 0;  ///< time it had leases for until now; matters only without a profile
  Standing standing{};
  Profile profile{};  ///< one node of a job may say it for all
  bool operator==(const Register&) const = default;
};

struct Ask {
  uint64_t phase = 0;
  uint64_t bytes = 0;  ///< that this node is about to transfer; 0: not known
  bool operator==(const Ask&) const = default;
};

struct End {
  uint64_t phase = 0;
  uint64_t lease = 0;
  uint64_t bytes = 0;  ///< that this node transferred, for those who watch; 0: not known
  bool operator==(const End&) const = default;
};

struct KeepAlive {
  Standing standing{};
  uint64_t bytes = 0;  ///< that this node has transferred in the phase it holds a lease for, until now
  bool operator==(const KeepAlive&) const = default;
};

struct Leave {
  bool operator==(const Leave&) const = default;
};

using ClientMessage = std::variant<Register, Ask, End, KeepAlive, Leave>;

struct Welcome {
  uint64_t keep_alive_ns = 0;  ///< say `KeepAlive` at least so often
  uint64_t lease_ns = 0;       ///< a lease and a registration last so long after the last message
  Standing standing{};
  bool operator==(const Welcome&) const = default;
};

struct Granted {
  uint64_t phase = 0;
  uint64_t lease = 0;
  uint64_t lease_ns = 0;  ///< until it expires, unless renewed by a `KeepAlive`
  bool operator==(const Granted&) const = default;
};

struct Alive {
  Standing standing{};
  bool operator==(const Alive&) const = default;
};

struct Unknown {
  bool operator==(const Unknown&) const = default;
};

enum class Reason : uint8_t { no_such_io_node, too_many_clients, too_large_profile };

struct Refused {
  Reason reason = Reason::no_such_io_node;
  std::string text{};  ///< one line for people
  bool operator==(const Refused&) const = default;
};

using CoordinatorMessage = std::variant<Welcome, Granted, Alive, Unknown, Refused>;

/// Names and lists longer than allowed are cut, so that what is encoded can be decoded; a profile that is
/// too long is left out as a whole.
std::vector<uint8_t> encode(const ClientMessage& message);
std::vector<uint8_t> encode(const CoordinatorMessage& message);

/// Any bytes: either a message within all bounds, or an error that says what is wrong where.
Result<ClientMessage> decode_client_message(std::span<const uint8_t> bytes);
Result<CoordinatorMessage> decode_coordinator_message(std::span<const uint8_t> bytes);

}  // namespace refrain::coordinate
