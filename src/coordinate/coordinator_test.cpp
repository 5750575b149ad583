// The coordinator message by message; and with clients that lose messages, die, say anything, and with
// restarts.
#include "coordinate/coordinator.hpp"

#include <gtest/gtest.h>

#include <optional>
#include <random>

namespace refrain::coordinate {
namespace {

using schedule::second;

constexpr Time start = 1000 * second;

Settings one_io_node(uint32_t at_once = 1, const char* policy = "fifo") {
  return {.policy = *schedule::find_policy(policy), .io_nodes = {{1, at_once}}};
}

Register job(uint32_t id, uint64_t client = 0, Standing standing = {}) {
  return {.job = id, .client = client != 0 ? client : id, .standing = standing};
}

/// A coordinator, and what it answers, by address.
class Talk {
 public:
  explicit Talk(const Settings& settings) : coordinator(settings, start) {}

  /// Settles afterwards.
  void say(const std::string& address, const ClientMessage& message, Time now = start) {
    coordinator.receive(now, address, message);
    settle(now);
  }
  void settle(Time now) {
    coordinator.settle(now);
    EXPECT_EQ(coordinator.broken_promise(), "");
    for (Outgoing& sent : coordinator.take_messages()) heard[sent.address].push_back(std::move(sent.message));
  }
  /// The last message of this type since the last question.
  template <class Message>
  std::optional<Message> last(const std::string& address) {
    std::optional<Message> found;
    for (const CoordinatorMessage& message : std::exchange(heard[address], {})) {
      if (const auto* fields = std::get_if<Message>(&message)) found = *fields;
    }
    return found;
  }
  bool is_granted(const std::string& address) { return last<Granted>(address).has_value(); }

  Coordinator coordinator;
  std::map<std::string, std::vector<CoordinatorMessage>> heard;
};

TEST(Coordinator, OneAfterAnother) {
  Talk talk(one_io_node());
  talk.say("a", job(1));
  std::optional<Welcome> welcome = talk.last<Welcome>("a");
  ASSERT_TRUE(welcome);
  EXPECT_EQ(welcome->lease_ns, 1'000'000'000U);
  EXPECT_LE(welcome->keep_alive_ns, welcome->lease_ns / 3);
  talk.say("b", job(2));
  talk.say("a", Ask{0, 0});
  std::optional<Granted> first = talk.last<Granted>("a");
  ASSERT_TRUE(first);
  talk.say("b", Ask{0, 0});
  EXPECT_FALSE(talk.is_granted("b"));
  talk.say("a", End{0, first->lease, 100});
  std::optional<Granted> then = talk.last<Granted>("b");
  ASSERT_TRUE(then);
  EXPECT_NE(then->lease, first->lease);
  EXPECT_EQ(talk.coordinator.counters().grants, 2U);
  EXPECT_EQ(talk.coordinator.io_nodes()[0].moved, 100U);
}

TEST(Coordinator, SharedWithTwoAtOnce) {
  Talk talk(one_io_node(2));
  for (uint32_t id : {1U, 2U, 3U}) talk.say(std::to_string(id), job(id));
  for (uint32_t id : {1U, 2U, 3U}) talk.say(std::to_string(id), Ask{0, 0});
  EXPECT_TRUE(talk.is_granted("1"));
  EXPECT_TRUE(talk.is_granted("2"));
  EXPECT_FALSE(talk.is_granted("3"));
  talk.say("2", End{0, 2, 0});
  EXPECT_TRUE(talk.is_granted("3"));
}

TEST(Coordinator, IoNodesAreIndependent) {
  Settings settings = one_io_node();
  settings.io_nodes.push_back({1, 1});
  Talk talk(settings);
  talk.say("a", Register{.job = 1, .io_node = 0, .client = 1});
  talk.say("b", Register{.job = 2, .io_node = 1, .client = 2});
  talk.say("a", Ask{});
  talk.say("b", Ask{});
  EXPECT_TRUE(talk.is_granted("a"));
  EXPECT_TRUE(talk.is_granted("b"));
  talk.say("c", Register{.job = 3, .io_node = 2, .client = 3});
  std::optional<Refused> refused = talk.last<Refused>("c");
  ASSERT_TRUE(refused);
  EXPECT_EQ(refused->reason, Reason::no_such_io_node);
}

TEST(Coordinator, SilentClientsLoseTheirLeaseWithinASecond) {
  Talk talk(one_io_node());
  talk.say("a", job(1));
  talk.say("b", job(2));
  talk.say("a", Ask{});
  talk.say("b", Ask{});
  talk.say("b", KeepAlive{{State::waiting, 0, 0}}, start + second / 2);
  EXPECT_EQ(talk.coordinator.next_deadline(), start + second);
  EXPECT_FALSE(talk.is_granted("b"));
  talk.settle(start + second - 1);
  EXPECT_FALSE(talk.is_granted("b"));
  talk.settle(start + second);
  EXPECT_TRUE(talk.is_granted("b"));
  EXPECT_EQ(talk.coordinator.counters().expired, 1U);
  // The first one wakes up: it isn't known, and the I/O node is taken.
  talk.say("a", KeepAlive{{State::holding, 0, 1}}, start + second + 1);
  EXPECT_TRUE(talk.last<Unknown>("a"));
  talk.say("a", job(1, 1, {State::holding, 0, 1}), start + second + 2);
  std::optional<Welcome> welcome = talk.last<Welcome>("a");
  ASSERT_TRUE(welcome);
  EXPECT_EQ(welcome->standing, (Standing{State::idle, 0, 0}));
}

TEST(Coordinator, KeepAliveRenewsAndSaysWhatIsKnown) {
  Talk talk(one_io_node());
  talk.say("a", job(1));
  talk.say("a", Ask{});
  uint64_t lease = talk.last<Granted>("a")->lease;
  for (int i = 1; i < 20; ++i) {
    talk.say("a", KeepAlive{{State::holding, 0, lease}}, start + i * second / 2);
    std::optional<Alive> alive = talk.last<Alive>("a");
    ASSERT_TRUE(alive);
    EXPECT_EQ(alive->standing, (Standing{State::holding, 0, lease}));
  }
  EXPECT_EQ(talk.coordinator.counters().expired, 0U);
}

TEST(Coordinator, BytesAreCountedOnceWhileALeaseLasts) {
  Talk talk(one_io_node());
  talk.say("a", job(1));
  talk.say("a2", job(1, 2));
  auto state = [&talk]() -> const JobState& { return talk.coordinator.jobs().begin()->second; };
  for (uint64_t phase = 0; phase < 2; ++phase) {
    talk.say("a", Ask{phase, 0});
    talk.say("a2", Ask{phase, 0});
    uint64_t lease = state().lease;
    talk.say("a", KeepAlive{{State::holding, phase, lease}, 100});
    talk.say("a2", KeepAlive{{State::holding, phase, lease}, 1000});
    talk.say("a", KeepAlive{{State::holding, phase, lease}, 250});
    talk.say("a", KeepAlive{{State::holding, phase, lease}, 250});
    EXPECT_EQ(state().bytes, 1250U);
    talk.say("a2", End{phase, lease, 1500});
    talk.say("a2", KeepAlive{{State::idle, phase + 1, 0}, 7});
    talk.say("a", End{phase, lease, 300});
    EXPECT_EQ(state().moved, 1800U * (phase + 1));
  }
  EXPECT_EQ(talk.coordinator.io_nodes()[0].moved, 3600U);
}

TEST(Coordinator, LostMessagesAreHealedByAKeepAlive) {
  Talk talk(one_io_node());
  talk.say("a", job(1));
  talk.say("a", Ask{});
  talk.heard.clear();  // the grant is lost
  talk.say("a", KeepAlive{{State::waiting, 0, 0}});
  EXPECT_TRUE(talk.is_granted("a"));
  // An ask that is lost
  talk.say("b", job(2));
  talk.say("b", KeepAlive{{State::waiting, 0, 0}});
  EXPECT_EQ(talk.last<Alive>("b")->standing, (Standing{State::waiting, 0, 0}));
  // An end that is lost
  talk.say("a", KeepAlive{{State::idle, 1, 0}});
  EXPECT_TRUE(talk.is_granted("b"));
  // An end that is lost, before the next ask
  talk.say("a", Ask{1, 0});
  talk.say("b", Ask{1, 0});
  EXPECT_TRUE(talk.is_granted("a"));
}

TEST(Coordinator, ARestartHonorsLeasesBeforeItGrantsNewOnes) {
  Settings settings = one_io_node();
  settings.grace = second / 2;
  settings.first_lease = 100;
  Talk talk(settings);
  talk.say("b", KeepAlive{{State::waiting, 3, 0}});
  EXPECT_TRUE(talk.last<Unknown>("b"));
  talk.say("b", job(2, 2, {State::waiting, 3, 0}));
  EXPECT_FALSE(talk.is_granted("b"));
  talk.say("a", job(1, 1, {State::holding, 5, 42}), start + second / 4);
  EXPECT_EQ(talk.last<Welcome>("a")->standing, (Standing{State::holding, 5, 42}));
  talk.settle(start + second / 2);
  EXPECT_FALSE(talk.is_granted("b"));
  talk.say("a", End{5, 42, 0}, start + second / 2);
  std::optional<Granted> granted = talk.last<Granted>("b");
  ASSERT_TRUE(granted);
  EXPECT_EQ(granted->lease, 100U);
  EXPECT_EQ(granted->phase, 3U);
}

TEST(Coordinator, TheGraceEndsByItself) {
  Settings settings = one_io_node();
  settings.grace = second / 2;
  Talk talk(settings);
  talk.say("a", job(1));
  talk.say("a", Ask{});
  EXPECT_FALSE(talk.is_granted("a"));
  EXPECT_EQ(talk.coordinator.next_deadline(), start + second / 2);
  talk.settle(start + second / 2);
  EXPECT_TRUE(talk.is_granted("a"));
}

TEST(Coordinator, NodesOfAJobShareItsLease) {
  Talk talk(one_io_node());
  talk.say("a1", job(1, 11));
  talk.say("a2", job(1, 12));
  talk.say("b", job(2));
  talk.say("a1", Ask{});
  talk.say("b", Ask{});
  talk.say("a2", Ask{});
  std::optional<Granted> first = talk.last<Granted>("a1");
  std::optional<Granted> second_node = talk.last<Granted>("a2");
  ASSERT_TRUE(first && second_node);
  EXPECT_EQ(first->lease, second_node->lease);
  talk.say("a1", End{0, first->lease, 0}, start + 1);
  EXPECT_FALSE(talk.is_granted("b"));
  // A node that has had its part waits for the next lease, because another job waits.
  talk.say("a1", Ask{1, 0}, start + 2);
  EXPECT_FALSE(talk.is_granted("a1"));
  talk.say("a2", End{0, first->lease, 0}, start + 3);
  EXPECT_TRUE(talk.is_granted("b"));
  EXPECT_FALSE(talk.is_granted("a1"));
  talk.say("b", Leave{}, start + 4);
  EXPECT_TRUE(talk.is_granted("a1"));
}

TEST(Coordinator, AClientKeepsItsStandingAtAnotherAddress) {
  Talk talk(one_io_node());
  talk.say("old", job(1));
  talk.say("old", Ask{});
  uint64_t lease = talk.last<Granted>("old")->lease;
  talk.say("new", job(1, 1, {State::holding, 0, lease}));
  EXPECT_EQ(talk.last<Welcome>("new")->standing, (Standing{State::holding, 0, lease}));
  EXPECT_EQ(talk.coordinator.clients(), 1U);
  talk.say("old", KeepAlive{});
  EXPECT_TRUE(talk.last<Unknown>("old"));
}

TEST(Coordinator, JobsWithTheSameIdAreToldApart) {
  Talk talk(one_io_node());
  talk.say("a", Register{.job = 1, .step = 1, .client = 1});
  talk.say("b", Register{.job = 1, .step = 2, .client = 1});
  talk.say("a", Ask{});
  talk.say("b", Ask{});
  EXPECT_TRUE(talk.is_granted("a"));
  EXPECT_FALSE(talk.is_granted("b"));
}

TEST(Coordinator, ARestartKnowsHowFarJobsAre) {
  // One has 1 s left, the other 4: after a restart the profile and the phase say so.
  for (bool short_first : {true, false}) {
    Talk talk(one_io_node(1, short_first ? "shortest-remaining" : "longest-remaining"));
    Profile profile{{{0, 1.0}}, {{0, 1, 10}}};
    Register near_end = job(2, 2, {State::waiting, 9, 0});
    Register in_midst = job(1, 1, {State::waiting, 6, 0});
    near_end.profile = in_midst.profile = profile;
    talk.coordinator.receive(start, "1", in_midst);
    talk.coordinator.receive(start, "2", near_end);
    talk.settle(start);
    EXPECT_EQ(talk.is_granted("2"), short_first);
    EXPECT_EQ(talk.is_granted("1"), !short_first);
  }
}

TEST(Coordinator, WithoutAProfileItTakesWhatItMeasures) {
  Talk talk(one_io_node(1, "shortest-io"));
  for (uint32_t id : {1U, 2U, 3U}) talk.say(std::to_string(id), job(id));
  talk.say("3", Ask{0, 1});
  talk.say("1", Ask{0, 1000});
  talk.say("2", Ask{0, 10});
  talk.say("3", End{0, 1, 1});
  EXPECT_TRUE(talk.is_granted("2"));
  EXPECT_FALSE(talk.is_granted("1"));
}

TEST(Coordinator, ThereIsALimitOfClientsAndPhases) {
  Settings settings = one_io_node();
  settings.max_clients = 2;
  settings.max_phases = 10;
  Talk talk(settings);
  Register large = job(1);
  large.profile = {std::vector<schedule::Phase>(11, {1, 1.0}), {{0, 11, 1}}};
  talk.say("a", large);
  EXPECT_EQ(talk.last<Refused>("a")->reason, Reason::too_large_profile);
  large.profile = {{{0, 1e30}}, {{0, 1, 1}}};
  talk.say("a", large);
  EXPECT_EQ(talk.last<Refused>("a")->reason, Reason::too_large_profile);
  talk.say("a", job(1));
  talk.say("b", job(2));
  talk.say("c", job(3));
  EXPECT_EQ(talk.last<Refused>("c")->reason, Reason::too_many_clients);
  talk.say("a2", job(1));  // the same client from elsewhere
  EXPECT_TRUE(talk.last<Welcome>("a2"));
  talk.say("b", Leave{});
  talk.say("c", job(3));
  EXPECT_TRUE(talk.last<Welcome>("c"));
}

Standing random_standing(std::mt19937_64& random) {
  return {static_cast<State>(random() % 3), random() % 5, random() % 20};
}

ClientMessage random_message(std::mt19937_64& random) {
  switch (random() % 8) {
    case 0: {
      Register message{
          .job = static_cast<uint32_t>(random() % 4),
          .step = random() % 2,
          .io_node = static_cast<uint32_t>(random() % 4),
          .client = random() % 4,
          .age_ns = random() % 3 == 0 ? static_cast<uint64_t>(schedule::longest_time) : random() % 1000};
      message.standing = random_standing(random);
      if (random() % 2 == 0) message.profile = {{{second, 1.0}, {0, 0}}, {{0, 2, 1 + random() % 3}}};
      return message;
    }
    case 1:
      return Leave{};
    case 2:
    case 3:
      return KeepAlive{random_standing(random)};
    case 4:
    case 5:
      return End{random() % 5, random() % 20, random() % 9};
    default:
      return Ask{random() % 5, random()};
  }
}

/// Whatever is said in whatever order.
TEST(Coordinator, KeepsItsPromisesWhateverClientsSay) {
  for (uint64_t seed = 0; seed < 40; ++seed) {
    std::mt19937_64 random(seed);
    Settings settings{.policy = &schedule::policies()[seed % 8], .io_nodes = {{1, 1}, {2, 1}, {1, 3}}};
    settings.grace = seed % 2 == 0 ? 0 : second;
    Coordinator coordinator(settings, start);
    Time now = start;
    for (int step = 0; step < 2000; ++step) {
      now += static_cast<Time>(random() % 3 == 0 ? random() % 300'000'000 : 0);
      coordinator.receive(now, std::string(1, static_cast<char>('a' + random() % 12)),
                          random_message(random));
      if (random() % 3 == 0) coordinator.settle(now);
      ASSERT_EQ(coordinator.broken_promise(), "") << "seed " << seed << ", step " << step;
    }
    coordinator.settle(now + 2 * second);
    EXPECT_EQ(coordinator.clients(), 0U);
    EXPECT_TRUE(coordinator.jobs().empty());
    EXPECT_EQ(coordinator.next_deadline(), schedule::never);
  }
}

/// A client as it should be, on a network that loses messages.
struct Faithful {
  std::string address{};
  uint32_t job = 0;
  bool registered = false;
  Standing standing{};
  Time valid_until = 0;  ///< until when the lease can be relied on
  Time said = 0;         ///< when it last said something that would renew the lease
  Time changes = 0;      ///< when it goes on
  uint64_t done = 0;

  void take(const CoordinatorMessage& message, Time lease) {
    if (std::holds_alternative<Unknown>(message)) registered = false;
    if (const auto* granted = std::get_if<Granted>(&message)) {
      if (standing.state == State::idle || granted->phase != standing.phase) return;
      standing = {State::holding, granted->phase, granted->lease};
      valid_until = said + lease;
    }
    const Standing* known = nullptr;
    if (const auto* welcome = std::get_if<Welcome>(&message)) known = &welcome->standing;
    if (const auto* alive = std::get_if<Alive>(&message)) known = &alive->standing;
    if (known == nullptr) return;
    if (std::holds_alternative<Welcome>(message)) registered = true;
    if (standing.state != State::holding) return;
    if (known->state == State::holding && known->phase == standing.phase) {
      standing.lease = known->lease;
      valid_until = said + lease;
    } else {
      standing = {State::waiting, standing.phase, 0};
    }
  }
};

/// Messages are lost and the coordinator restarts; still no two jobs rely on a lease of the same I/O node,
/// and in the end everybody has had all its turns.
TEST(Coordinator, LeasesAreExclusiveAndNobodyIsForgotten) {
  for (uint64_t seed = 0; seed < 16; ++seed) {
    std::mt19937_64 random(seed);
    Settings settings = one_io_node(1, schedule::policies()[seed % 8].name.data());
    settings.grace = settings.lease;
    std::optional<Coordinator> coordinator;
    coordinator.emplace(settings, start);
    std::vector<Faithful> clients(6);
    for (uint32_t i = 0; i < clients.size(); ++i) clients[i] = {.address = std::to_string(i), .job = i / 2};
    Time now = start;
    auto say = [&](Faithful& client) {
      client.said = now;
      if (random() % 10 == 0) return;
      if (client.registered) {
        coordinator->receive(now, client.address, KeepAlive{client.standing});
      } else {
        uint64_t number = std::stoul(client.address);
        coordinator->receive(now, client.address, job(client.job, number + 1, client.standing));
      }
    };
    constexpr uint64_t turns = 20;
    for (int step = 0; step < 40000; ++step) {
      now += 20'000'000;
      if (random() % 800 == 0) {
        settings.first_lease += 1'000'000;
        coordinator.emplace(settings, now);
      }
      for (Faithful& client : clients) {
        if (client.done == turns) continue;
        State& state = client.standing.state;
        if (state == State::holding && now >= client.valid_until)
          client.standing = {State::waiting, client.standing.phase, 0};
        if (state != State::waiting && now >= client.changes) {
          bool ends = state == State::holding;
          client.done += ends;
          client.standing = {ends ? State::idle : State::waiting, client.done, 0};
          client.changes = now + static_cast<Time>(random() % 1'500'000'000);
          if (client.done == turns)
            coordinator->receive(now, client.address, Leave{});
          else
            say(client);
        } else if (now - client.said >= 240'000'000) {
          say(client);
        }
      }
      coordinator->settle(now);
      ASSERT_EQ(coordinator->broken_promise(), "");
      for (const Outgoing& sent : coordinator->take_messages()) {
        Faithful& client = clients[std::stoul(sent.address)];
        if (random() % 10 == 0) continue;
        State before = client.standing.state;
        client.take(sent.message, settings.lease);
        if (before == State::waiting && client.standing.state == State::holding)
          client.changes = now + static_cast<Time>(random() % 1'500'000'000);
      }
      std::optional<uint32_t> holder;
      for (const Faithful& client : clients) {
        if (client.standing.state != State::holding || client.valid_until <= now) continue;
        ASSERT_EQ(holder.value_or(client.job), client.job) << "seed " << seed << ", step " << step;
        holder = client.job;
      }
    }
    for (const Faithful& client : clients) EXPECT_EQ(client.done, turns) << "seed " << seed;
  }
}

TEST(Event, ComesBackFromItsLine) {
  Event job{
      .at = 1'700'000'000'123'456'789, .job = {7, UINT64_MAX, 3}, .age = 5, .nodes = 16, .name = "a\"\n\xff"};
  Event read = parse_event(event_json(job)).value();
  EXPECT_EQ(read.at, job.at);
  EXPECT_EQ(read.job, job.job);
  EXPECT_EQ(read.name, "a\"\n\xef\xbf\xbd");
  for (uint8_t kind = 1; kind < 8; ++kind) {
    Event event{.at = 1,
                .kind = static_cast<EventKind>(kind),
                .job = {1, 2, 3},
                .lease = UINT64_MAX,
                .phase = 4,
                .bytes = 5};
    EXPECT_EQ(parse_event(event_json(event)).value(), event);
  }
  for (const char* line : {"", "[]", "{}", "{\"event\": 1}", "{\"event\": \"x\"}", "{"})
    EXPECT_FALSE(parse_event(line));
}

}  // namespace
}  // namespace refrain::coordinate
