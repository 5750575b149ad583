// What the client of a node does, as a pure state machine: it looks at its node's page (gate/page.hpp) and
// hears the coordinator, and decides what to say and whether the gate is open. No clock, no socket.
//
//   resting --somebody waits: Ask--> asking --Granted--> holding --idle, or its volume is done--> closing
//      ^                                                     ^                                       |
//      |                                                     +---- somebody got in before it closed -+
//      +--------------------------------- End, after a moment's rest ---------------------------------+
//
// Everything fails open: a coordinator that is silent for as long as the patience lasts is taken for absent
// and the gate stands open until something is heard again. The phases of the application go on meanwhile as
// if granted, so that the coordinator can be told, when it is back, what the node believes to hold.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "coordinate/client_volume.hpp"
#include "coordinate/protocol.hpp"
#include "gate/page.hpp"

namespace refrain::coordinate {

struct ClientOptions {
  Register identity{};  ///< but for age, I/O time and standing
  uint64_t idle_ns = 20'000'000;
  uint64_t patience_ns = 2'000'000'000;
  double share = 1;  ///< of the profile's volumes that this node moves
};

/// Where an earlier client of the node stopped.
struct Adopted {
  uint64_t started_ns = 0;
  uint64_t phase = 0;
  uint64_t lease = 0;  ///< 0: none
  uint64_t held_ns = 0;
  uint64_t phase_bytes = 0;  ///< that all processes had moved when the phase of the lease began
};

class NodeClient {
 public:
  NodeClient(ClientOptions options, uint64_t now_ns, const Adopted& adopted);

  void receive(uint64_t now_ns, const CoordinatorMessage& message);
  /// To be called at least every `nap_ns()`, and when the page asks for it.
  void look(uint64_t now_ns, const gate::Observation& seen);
  /// The last Register could not be sent, as there is no connection yet: the next look says it again.
  void register_was_not_sent() { registered_once_ = false; }
  /// The application has ended, and its phase with it.
  void leave(const gate::Observation& seen);

  std::vector<ClientMessage> take_messages() { return std::exchange(outbox_, {}); }
  gate::GateState gate() const;
  uint64_t nap_ns() const;

  Standing standing() const;
  bool welcomed() const { return welcomed_; }
  bool uncoordinated() const { return uncoordinated_; }
  uint64_t phases_done() const { return phases_done_; }
  uint64_t waited_ns() const { return waited_ns_; }
  uint64_t uncoordinated_ns() const { return uncoordinated_ns_; }
  uint64_t held_ns() const { return held_ns_; }
  uint64_t phase_bytes() const { return phase_bytes_; }
  const std::string& refusal() const { return refusal_; }

 private:
  enum class Step { resting, asking, holding, closing };

  bool in_phase() const { return step_ == Step::holding || step_ == Step::closing; }
  void hear(const Welcome& welcome);
  void hear(const Granted& granted);
  void hear(const Alive& alive);
  void hear(const Unknown& unknown);
  void hear(const Refused& refused);
  /// The coordinator says what it believes.
  void reconcile(const Standing& theirs);

  void count_time(uint64_t now_ns, const gate::Observation& seen);
  void note_activity(const gate::Observation& seen);
  bool phase_is_over(const gate::Observation& seen) const;
  void look_at_phase(const gate::Observation& seen);
  void keep_in_touch();
  void ask(const gate::Observation& seen);
  void end_phase(const gate::Observation& seen);
  void begin_phase(uint64_t lease);
  template <class Message>
  void send(Message message);
  void send_register();
  /// How long the client sleeps while the phase is going on.
  uint64_t poll_ns() const;

  ClientOptions options_;
  VolumeCursor volume_;
  Step step_ = Step::resting;
  uint64_t phase_ = 0;
  uint64_t lease_ = 0;
  uint64_t now_ = 0, started_, last_heard_, last_looked_;
  uint64_t last_sent_ = 0, registered_at_ = 0;
  uint64_t keep_alive_ns_ = 200'000'000;
  bool welcomed_ = false, uncoordinated_ = false, registered_once_ = false;
  std::string refusal_;
  gate::Observation last_seen_{};
  uint64_t last_active_ = 0, closing_since_ = 0, phase_bytes_ = 0;
  bool was_declared_ = false;  ///< the phase was somebody's word, and it is given back
  uint64_t phases_done_ = 0, waited_ns_ = 0, uncoordinated_ns_ = 0, held_ns_ = 0;
  std::vector<ClientMessage> outbox_;
};

}  // namespace refrain::coordinate
