#include "coordinate/client.hpp"

#include <gtest/gtest.h>

namespace refrain::coordinate {
namespace {

constexpr uint64_t ms = 1'000'000;

/// A client with a page that the test makes up and a coordinator that the test plays.
struct Scene {
  explicit Scene(ClientOptions options = {}, const Adopted& adopted = {}, uint64_t start = 1000 * ms)
      : now(start), client(std::move(options), start, adopted) {}

  void pass(uint64_t duration) {
    for (uint64_t end = now + duration; now < end;) {
      now += std::min(client.nap_ns(), end - now);
      look();
    }
  }
  void look() {
    client.look(now, page);
    for (ClientMessage& message : client.take_messages()) said.push_back(std::move(message));
  }
  void hear(const CoordinatorMessage& message) {
    client.receive(now, message);
    look();
  }
  void join() {
    look();
    hear(Welcome{200 * ms, 800 * ms, client.standing()});
    said.clear();
  }
  /// Somebody comes to the gate, and the coordinator grants.
  void come_in(uint64_t lease) {
    page.waiting = true;
    look();
    hear(Granted{client.standing().phase, lease, 800 * ms});
    page.waiting = false;
    said.clear();
  }
  template <class T>
  size_t count() const {
    return static_cast<size_t>(std::count_if(
        said.begin(), said.end(), [](const ClientMessage& m) { return std::holds_alternative<T>(m); }));
  }
  template <class T>
  T last() const {
    for (size_t i = said.size(); i > 0; --i)
      if (auto* found = std::get_if<T>(&said[i - 1])) return *found;
    ADD_FAILURE() << "no such message was said";
    return {};
  }

  uint64_t now;
  gate::Observation page;
  NodeClient client;
  std::vector<ClientMessage> said;
};

TEST(NodeClient, registers_asks_and_ends_when_idle) {
  Scene scene;
  scene.look();
  EXPECT_EQ(scene.count<Register>(), 1U);
  EXPECT_EQ(scene.client.gate(), gate::GateState::closed);
  scene.hear(Welcome{200 * ms, 800 * ms, {}});
  scene.page.waiting = true;
  scene.page.planned = 4096;
  scene.look();
  EXPECT_EQ(scene.last<Ask>(), (Ask{0, 4096}));
  EXPECT_EQ(scene.client.gate(), gate::GateState::closed);
  scene.hear(Granted{0, 7, 800 * ms});
  EXPECT_EQ(scene.client.gate(), gate::GateState::open);
  scene.page.waiting = false;
  for (int i = 0; i < 10; ++i) {
    scene.page.calls += 1;
    scene.page.bytes += 100;
    scene.pass(15 * ms);
    EXPECT_EQ(scene.client.gate(), gate::GateState::open);
  }
  scene.pass(60 * ms);
  EXPECT_EQ(scene.client.gate(), gate::GateState::closed);
  EXPECT_EQ(scene.last<End>(), (End{0, 7, 1000}));
  EXPECT_EQ(scene.client.standing(), (Standing{State::idle, 1, 0}));
}

TEST(NodeClient, registers_as_soon_as_it_is_connected) {
  Scene scene;
  scene.look();
  scene.client.register_was_not_sent();
  scene.now += 1 * ms;
  scene.look();
  EXPECT_EQ(scene.count<Register>(), 2U);
  scene.now += 1 * ms;
  scene.look();
  EXPECT_EQ(scene.count<Register>(), 2U);  // this one was sent: the answer may take a while
}

TEST(NodeClient, a_call_that_runs_keeps_the_phase) {
  Scene scene;
  scene.join();
  scene.come_in(3);
  scene.page.calling = scene.page.moving = true;
  for (int i = 0; i < 50; ++i) {
    scene.pass(100 * ms);
    scene.hear(Alive{scene.client.standing()});
    EXPECT_EQ(scene.client.gate(), gate::GateState::open);
  }
  // Inside a library that moves nothing it lasts a second.
  scene.page.moving = false;
  scene.pass(500 * ms);
  EXPECT_EQ(scene.client.gate(), gate::GateState::open);
  scene.pass(600 * ms);
  EXPECT_EQ(scene.client.gate(), gate::GateState::closed);
  EXPECT_EQ(scene.count<End>(), 1U);
}

TEST(NodeClient, who_slips_in_while_it_closes_keeps_the_lease) {
  Scene scene;
  scene.join();
  scene.come_in(3);
  while (scene.client.gate() == gate::GateState::open) scene.pass(ms);
  EXPECT_EQ(scene.count<End>(), 0U);
  scene.page.moving = scene.page.calling = true;
  scene.pass(ms);
  EXPECT_EQ(scene.client.gate(), gate::GateState::open);
  scene.page.moving = scene.page.calling = false;
  scene.page.calls = 1;
  scene.pass(100 * ms);
  EXPECT_EQ(scene.count<End>(), 1U);
}

TEST(NodeClient, those_who_wait_at_the_end_of_a_phase_ask_for_the_next) {
  Scene scene;
  scene.join();
  scene.come_in(3);
  while (scene.client.gate() == gate::GateState::open) scene.pass(ms);
  scene.page.waiting = true;
  scene.pass(20 * ms);
  EXPECT_EQ(scene.last<End>().phase, 0U);
  EXPECT_EQ(scene.last<Ask>().phase, 1U);
}

TEST(NodeClient, a_declared_phase_lasts_until_it_is_ended) {
  Scene scene;
  scene.join();
  scene.page.declared = true;
  scene.come_in(3);
  for (int i = 0; i < 20; ++i) {
    scene.pass(100 * ms);
    scene.hear(Alive{scene.client.standing()});
  }
  EXPECT_EQ(scene.client.gate(), gate::GateState::open);
  scene.page.declared = false;
  scene.pass(11 * ms);  // not the 20 of an idle phase
  EXPECT_EQ(scene.count<End>(), 1U);
}

TEST(NodeClient, with_a_profile_the_phase_ends_with_its_volume) {
  ClientOptions options;
  options.identity.profile = {{{0, 1000.0}, {0, 0.0}, {0, 500.0}}, {{0, 3, 2}}};
  Scene scene(options);
  scene.join();
  scene.page.waiting = true;
  scene.look();
  EXPECT_EQ(scene.last<Ask>().bytes, 1000U);
  scene.hear(Granted{0, 1, 800 * ms});
  scene.page.waiting = false;
  scene.page.bytes = 600;
  scene.page.calls = 1;
  scene.pass(15 * ms);
  EXPECT_EQ(scene.count<End>(), 0U);
  scene.page.bytes = 1000;
  scene.page.calls = 2;
  scene.pass(12 * ms);
  scene.pass(4 * ms);
  EXPECT_EQ(scene.count<End>(), 1U) << "it did not wait for the idle time";
  scene.page.waiting = true;
  scene.look();
  EXPECT_EQ(scene.last<Ask>(), (Ask{1, 500}));
}

TEST(NodeClient, phases_of_the_profile_that_were_one_are_counted) {
  ClientOptions options;
  options.identity.profile = {{{0, 1000.0}}, {{0, 1, 10}}};
  Scene scene(options);
  scene.join();
  scene.come_in(1);
  scene.page.bytes = 3000;
  scene.page.calls = 1;
  scene.pass(100 * ms);
  scene.page.waiting = true;
  scene.look();
  EXPECT_EQ(scene.last<Ask>(), (Ask{3, 1000}));
}

TEST(NodeClient, runs_uncoordinated_when_nobody_answers_and_joins_when_somebody_does) {
  Scene scene;
  scene.page.waiting = true;
  scene.pass(1900 * ms);
  EXPECT_EQ(scene.client.gate(), gate::GateState::closed);
  EXPECT_GT(scene.count<Register>(), 5U);
  EXPECT_EQ(scene.count<Ask>(), 0U);
  scene.pass(200 * ms);
  EXPECT_EQ(scene.client.gate(), gate::GateState::uncoordinated);
  scene.page.waiting = false;
  scene.pass(5000 * ms);
  scene.hear(Welcome{200 * ms, 800 * ms, {}});
  EXPECT_EQ(scene.client.gate(), gate::GateState::closed);
  scene.page.waiting = true;
  scene.look();
  EXPECT_EQ(scene.count<Ask>(), 1U);
}

TEST(NodeClient, registers_again_with_the_lease_it_believes_to_have) {
  Scene scene;
  scene.join();
  scene.come_in(9);
  scene.page.moving = scene.page.calling = true;
  scene.pass(300 * ms);
  scene.hear(Unknown{});  // a coordinator that was restarted
  EXPECT_EQ(scene.last<Register>().standing, (Standing{State::holding, 0, 9}));
  EXPECT_EQ(scene.client.gate(), gate::GateState::open);
  scene.hear(Welcome{200 * ms, 800 * ms, {State::holding, 0, 9}});
  EXPECT_EQ(scene.client.gate(), gate::GateState::open);
}

TEST(NodeClient, gives_up_a_lease_that_is_somebody_elses) {
  Scene scene;
  scene.join();
  scene.come_in(9);
  scene.hear(Unknown{});
  scene.hear(Welcome{200 * ms, 800 * ms, {State::idle, 0, 0}});
  EXPECT_EQ(scene.client.gate(), gate::GateState::closed);
  scene.page.waiting = true;
  scene.look();
  EXPECT_EQ(scene.last<Ask>().phase, 0U);
}

TEST(NodeClient, a_lost_grant_is_healed_by_what_the_coordinator_believes) {
  Scene scene;
  scene.join();
  scene.page.waiting = true;
  scene.look();
  scene.hear(Alive{{State::holding, 0, 5}});
  EXPECT_EQ(scene.client.gate(), gate::GateState::open);
}

TEST(NodeClient, gives_back_what_is_granted_when_nobody_wants_it_any_more) {
  Scene scene;
  scene.join();
  scene.page.waiting = true;
  scene.look();
  scene.page.waiting = false;  // killed
  scene.look();
  EXPECT_EQ(scene.last<KeepAlive>().standing.state, State::idle);
  scene.hear(Granted{0, 4, 800 * ms});
  EXPECT_EQ(scene.last<End>(), (End{0, 4, 0}));
  EXPECT_EQ(scene.client.gate(), gate::GateState::closed);
}

TEST(NodeClient, a_refused_job_runs) {
  Scene scene;
  scene.look();
  scene.hear(Refused{Reason::no_such_io_node, "there is no I/O node 7"});
  EXPECT_EQ(scene.client.gate(), gate::GateState::uncoordinated);
  EXPECT_EQ(scene.client.refusal(), "there is no I/O node 7");
  scene.said.clear();
  scene.pass(5000 * ms);
  EXPECT_EQ(scene.count<Register>(), 0U);
}

TEST(NodeClient, the_next_client_of_a_node_goes_on) {
  Scene scene({}, {.started_ns = 500 * ms, .phase = 4, .lease = 11, .held_ns = 60 * ms});
  scene.look();
  EXPECT_EQ(scene.last<Register>().standing, (Standing{State::holding, 4, 11}));
  EXPECT_EQ(scene.last<Register>().age_ns, 500 * ms);
  EXPECT_EQ(scene.client.gate(), gate::GateState::open);
}

TEST(NodeClient, says_while_it_transfers_how_much_and_when_it_leaves) {
  Scene scene;
  scene.page.bytes = 50;  // before the phase
  scene.join();
  scene.come_in(3);
  scene.page.moving = scene.page.calling = true;
  scene.page.bytes = 250;
  scene.pass(400 * ms);
  EXPECT_EQ(scene.last<KeepAlive>(), (KeepAlive{{State::holding, 0, 3}, 200}));
  scene.page.moving = scene.page.calling = false;
  scene.page.bytes = 350;
  scene.client.leave(scene.page);
  std::vector<ClientMessage> farewell = scene.client.take_messages();
  ASSERT_EQ(farewell.size(), 2U);
  EXPECT_EQ(farewell[0], ClientMessage(End{0, 3, 300}));
  EXPECT_EQ(farewell[1], ClientMessage(Leave{}));
}

TEST(NodeClient, the_next_client_counts_the_bytes_of_its_phase_only) {
  Scene scene({}, {.started_ns = 500 * ms, .phase = 4, .lease = 11, .held_ns = 60 * ms, .phase_bytes = 1000});
  scene.page.bytes = 1300;
  scene.pass(100 * ms);
  EXPECT_EQ(scene.last<End>(), (End{4, 11, 300}));
}

TEST(NodeClient, says_that_it_is_alive_as_often_as_it_was_told) {
  Scene scene;
  scene.join();
  scene.pass(1000 * ms);
  EXPECT_GE(scene.count<KeepAlive>(), 5U);
  EXPECT_LE(scene.count<KeepAlive>(), 11U);
}

TEST(VolumeCursor, follows_the_bytes_through_blocks) {
  Profile profile{{{0, 100.0}, {0, 0.0}, {0, 50.0}}, {{0, 3, 2}, {0, 1, 1}}};
  VolumeCursor cursor(profile, 1);
  EXPECT_EQ(cursor.left(0), 100);
  EXPECT_EQ(cursor.index(), 0U);
  EXPECT_EQ(cursor.left(30), 70);
  EXPECT_FALSE(cursor.completes(98));
  EXPECT_TRUE(cursor.completes(99.5));
  EXPECT_EQ(cursor.left(100), 50);
  EXPECT_EQ(cursor.left(220), 30) << "a phase that was skipped";
  EXPECT_EQ(cursor.index(), 2U);
  EXPECT_EQ(cursor.left(300), 100);
  EXPECT_EQ(cursor.index(), 4U);
  EXPECT_EQ(cursor.left(500), 0);
  EXPECT_EQ(cursor.index(), 5U);
  EXPECT_FALSE(cursor.completes(1000));
  EXPECT_EQ(VolumeCursor(profile, 0.5).left(0), 50);
  EXPECT_EQ(VolumeCursor().left(0), 0);
}

}  // namespace
}  // namespace refrain::coordinate
