// A client of a coordinator for end-to-end tests, in several roles. ADDRESS may be followed by '@' and a key
// file.
//   coordinate_client play ADDRESS JOB IO_NODE PHASES COMPUTE_MS IO_MS   goes through phases, prints what
//   happens coordinate_client hold ADDRESS JOB                                   gets a lease and keeps it
//   until killed coordinate_client crowd ADDRESS CLIENTS PHASES   so many jobs at once; no two may hold a
//   lease together coordinate_client noise ADDRESS MESSAGES SEED    random bytes, halves of messages,
//   messages nobody expects
#include <fmt/core.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <random>

#include "base/clock.hpp"
#include "coordinate/sample_client.hpp"

namespace {

using namespace refrain;
using namespace refrain::coordinate;

constexpr uint64_t keep_alive_ms = 200;
constexpr uint64_t give_up_ms = 60'000;

[[noreturn]] void end_with(const std::string& problem) {
  fmt::print("{}\n", problem);
  std::fflush(stdout);
  std::_Exit(1);
}

struct Where {
  std::string address{};
  std::optional<Keys> keys{};
};

Where parse_where(const std::string& text) {
  size_t at = text.find('@');
  if (at == std::string::npos) return {text, {}};
  Result<Keys> keys = read_keys(text.substr(at + 1), true);
  if (!keys) end_with(keys.error().text());
  return {text.substr(0, at), *keys};
}

/// One job on one node: registers whenever it has to, keeps alive, and knows its standing.
class Player {
 public:
  Player(ZmqContext& context, const Where& where, const Register& identity)
      : client_(context, where.address, where.keys), identity_(identity), began_ms_(monotonic_ms()) {
    enroll();
  }

  State state() const { return standing_.state; }
  uint64_t phase() const { return standing_.phase; }
  uint64_t lease() const { return standing_.lease; }
  bool is_welcome() const { return is_welcome_; }
  uint64_t registrations() const { return registrations_; }
  uint64_t lost() const { return lost_; }

  void ask() {
    standing_.state = State::waiting;
    say(Ask{standing_.phase, 1000});
  }
  void end() {
    say(End{standing_.phase, standing_.lease, 1000});
    standing_ = {State::idle, standing_.phase + 1, 0};
  }
  void leave() { say(Leave{}); }
  SampleClient& client() { return client_; }

  /// Takes what has come and says what is due.
  void step(long wait_ms) {
    while (std::optional<CoordinatorMessage> message = client_.hear(wait_ms)) {
      wait_ms = 0;
      heard_ms_ = monotonic_ms();
      std::visit([this](const auto& fields) { on(fields); }, *message);
    }
    if (monotonic_ms() - said_ms_ < keep_alive_ms) return;
    if (is_welcome_) {
      say(KeepAlive{standing_});
    } else {
      enroll();
    }
  }

 private:
  void on(const Welcome& message) {
    is_welcome_ = true;
    take(message.standing);
  }
  void on(const Granted& message) {
    if (standing_.state == State::waiting && message.phase == standing_.phase) {
      standing_ = {State::holding, message.phase, message.lease};
    }
  }
  void on(const Alive& message) { take(message.standing); }
  void on(const Unknown&) { enroll(); }
  void on(const Refused& message) { end_with("refused: " + message.text); }

  /// A lease that the coordinator doesn't know any more is asked for again.
  void take(const Standing& known) {
    if (standing_.state != State::holding || known.state == State::holding) return;
    if (known.phase != standing_.phase) return;
    ++lost_;
    ask();
  }

  void enroll() {
    is_welcome_ = false;
    ++registrations_;
    identity_.standing = standing_;
    identity_.age_ns = (monotonic_ms() - began_ms_) * 1'000'000;
    say(identity_);
  }
  void say(const ClientMessage& message) {
    said_ms_ = monotonic_ms();
    client_.say(message);
  }

  SampleClient client_;
  Register identity_;
  uint64_t began_ms_;
  Standing standing_{};
  bool is_welcome_ = false;
  uint64_t said_ms_ = 0;
  uint64_t heard_ms_ = 0;
  uint64_t registrations_ = 0;
  uint64_t lost_ = 0;
};

void wait_for(Player& player, State state) {
  for (uint64_t from = monotonic_ms(); player.state() != state || !player.is_welcome();) {
    if (monotonic_ms() - from > give_up_ms) end_with("no answer");
    player.step(10);
  }
}

void spend(Player& player, uint64_t ms) {
  constexpr uint64_t look_every_ms = 20;
  uint64_t until = monotonic_ms() + ms;
  for (uint64_t now = monotonic_ms(); now < until; now = monotonic_ms()) {
    player.step(static_cast<long>(std::min(until - now, look_every_ms)));
  }
}

/// Prints when it held its leases, in milliseconds of the monotonic clock.
int play(const Where& where, char** words) {
  ZmqContext context;
  uint64_t phases = std::stoul(words[2]);
  uint64_t compute_ms = std::stoul(words[3]);
  uint64_t io_ms = std::stoul(words[4]);
  Register identity{.job = static_cast<uint32_t>(std::stoul(words[0])),
                    .io_node = static_cast<uint32_t>(std::stoul(words[1])),
                    .client = std::random_device{}(),
                    .name = std::string("play ") + words[0]};
  double seconds = static_cast<double>(io_ms) / 1000;
  identity.profile = {{{static_cast<schedule::Time>(compute_ms) * 1'000'000, seconds}},
                      {{0, 1, std::max<uint64_t>(phases, 1)}}};
  Player player(context, where, identity);
  wait_for(player, State::idle);
  for (uint64_t phase = 0; phase < phases; ++phase) {
    spend(player, compute_ms);
    player.ask();
    wait_for(player, State::holding);
    uint64_t from = monotonic_ms();
    spend(player, io_ms);
    wait_for(player, State::holding);
    fmt::print("{} {} {}\n", words[0], from, monotonic_ms());
    player.end();
  }
  player.leave();
  player.step(1);
  fmt::print("done after {} registrations, {} leases lost\n", player.registrations(), player.lost());
  return 0;
}

int hold(const Where& where, char** words) {
  ZmqContext context;
  Player player(
      context, where,
      {.job = static_cast<uint32_t>(std::stoul(words[0])), .client = std::random_device{}(), .name = "hold"});
  player.ask();
  wait_for(player, State::holding);
  fmt::print("holding {}\n", player.lease());
  std::fflush(stdout);
  while (access(words[1], F_OK) != 0) player.step(20);
  wait_for(player, State::holding);
  player.end();
  player.leave();
  player.step(1);
  fmt::print("done after {} registrations, {} leases lost\n", player.registrations(), player.lost());
  return 0;
}

/// Very many players, of whom at most one may hold a lease.
class Crowd {
 public:
  Crowd(const Where& where, uint32_t count, uint64_t phases) : phases_(phases), left_(count) {
    for (uint32_t i = 0; i < count; ++i) {
      players_.push_back(std::make_unique<Player>(context_, where, Register{.job = i + 1, .client = i + 1}));
      listeners_.add(players_[i]->client(), i);
      listeners_.again(i);
    }
  }

  uint64_t run() {
    uint64_t from = monotonic_ms();
    uint64_t looked_ms = from;
    while (left_ > 0) {
      if (monotonic_ms() - from > give_up_ms) end_with(fmt::format("{} clients have had no turn", left_));
      for (uint32_t number : listeners_.wait(10)) look_at(number);
      if (monotonic_ms() - looked_ms < keep_alive_ms / 2) continue;
      looked_ms = monotonic_ms();
      for (uint32_t i = 0; i < players_.size(); ++i) look_at(i);
    }
    return grants_;
  }

 private:
  void look_at(uint32_t number) {
    std::unique_ptr<Player>& player = players_[number];
    if (!player) return;
    player->step(0);
    if (!player->is_welcome()) return;
    if (player->state() == State::holding && holder_ != number) {
      if (holder_) end_with("two clients hold a lease at once");
      holder_ = number;  // until it is looked at again
      listeners_.again(number);
      return;
    }
    if (player->state() == State::holding) {
      ++grants_;
      player->end();
      holder_.reset();
      if (player->phase() == phases_) {
        player->leave();
        leaving_.push_back(std::move(player));
        --left_;
        return;
      }
    }
    if (player->state() != State::idle) return;
    player->ask();
    listeners_.again(number);
  }

  ZmqContext context_;
  Listeners listeners_;
  std::vector<std::unique_ptr<Player>> players_;
  std::vector<std::unique_ptr<Player>> leaving_;  ///< what they said last is on its way
  uint64_t phases_;
  uint32_t left_;
  uint64_t grants_ = 0;
  std::optional<uint32_t> holder_;
};

int crowd(const Where& where, char** words) {
  auto count = static_cast<uint32_t>(std::stoul(words[0]));
  Crowd all(where, count, std::stoul(words[1]));
  fmt::print("{} clients have had {} grants\n", count, all.run());
  return 0;
}

ClientMessage any_message(std::mt19937_64& random) {
  Standing standing{static_cast<State>(random() % 3), random() % 9, random()};
  switch (random() % 5) {
    case 0:
      return Register{
          .job = static_cast<uint32_t>(random() % 50 + 1000),
          .io_node = static_cast<uint32_t>(random() % 3),
          .client = random() % 5,
          .name = "noise",
          .standing = standing,
          .profile = {{{static_cast<schedule::Time>(random() % 1000), 1.0}}, {{0, 1, 1 + random() % 9}}}};
    case 1:
      return Ask{random() % 9, random()};
    case 2:
      return End{random() % 9, random(), random()};
    case 3:
      return KeepAlive{standing};
    default:
      return Leave{};
  }
}

int noise(const Where& where, char** words) {
  ZmqContext context;
  uint64_t count = std::stoul(words[0]);
  std::mt19937_64 random(std::stoul(words[1]));
  std::vector<std::unique_ptr<SampleClient>> clients(8);
  uint64_t heard = 0;
  for (uint64_t i = 0; i < count; ++i) {
    std::unique_ptr<SampleClient>& client = clients[random() % clients.size()];
    if (!client || random() % 500 == 0)
      client = std::make_unique<SampleClient>(context, where.address, where.keys);
    std::vector<uint8_t> bytes = encode(any_message(random));
    switch (random() % 4) {
      case 0:
        bytes.resize(random() % (bytes.size() + 1));
        break;
      case 1:
        for (uint8_t& byte : bytes) byte = random() % 8 == 0 ? static_cast<uint8_t>(random()) : byte;
        break;
      case 2:
        if (random() % 50 == 0) bytes.assign(random() % (2 * max_message_bytes), 1);
        break;
      default:
        break;
    }
    if (random() % 100 == 0) {
      client->socket().send({"several", "frames", ""});
    }
    client->say_bytes(bytes);
    while (client->hear(random() % 64 == 0 ? 5 : 0)) ++heard;
  }
  fmt::print("said {} messages\n", count);
  return heard > 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  std::string role = argc > 2 ? argv[1] : "";
  char** words = argv + 3;
  if (role == "play" && argc == 8) return play(parse_where(argv[2]), words);
  if (role == "hold" && argc == 5) return hold(parse_where(argv[2]), words);
  if (role == "crowd" && argc == 5) return crowd(parse_where(argv[2]), words);
  if (role == "noise" && argc == 5) return noise(parse_where(argv[2]), words);
  fmt::print("see the first lines of coordinate_client.cpp\n");
  return 2;
}
