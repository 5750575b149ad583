// See client.hpp.
#include "coordinate/client.hpp"

#include <algorithm>

namespace refrain::coordinate {

namespace {

constexpr uint64_t millisecond_ns = 1'000'000;
/// Between two attempts to register.
constexpr uint64_t register_again_ns = 250 * millisecond_ns;
/// A library's call that moves nothing for so many idle times is waiting for something else.
constexpr uint64_t patience_with_libraries = 50;

}  // namespace

NodeClient::NodeClient(ClientOptions options, uint64_t now_ns, const Adopted& adopted)
    : options_(std::move(options)),
      volume_(options_.identity.profile, options_.share),
      phase_(adopted.phase),
      now_(now_ns),
      started_(adopted.started_ns == 0 ? now_ns : adopted.started_ns),
      last_heard_(now_ns),
      last_looked_(now_ns),
      phase_bytes_(adopted.phase_bytes),
      held_ns_(adopted.held_ns) {
  if (adopted.lease == 0) return;
  step_ = Step::holding;
  lease_ = adopted.lease;
  last_active_ = now_ns;
  (void)volume_.left(static_cast<double>(phase_bytes_));
}

gate::GateState NodeClient::gate() const {
  if (step_ == Step::holding) return gate::GateState::open;
  return uncoordinated_ ? gate::GateState::uncoordinated : gate::GateState::closed;
}

uint64_t NodeClient::poll_ns() const {
  return std::clamp(options_.idle_ns / 4, millisecond_ns / 2, 5 * millisecond_ns);
}

uint64_t NodeClient::nap_ns() const {
  if (in_phase()) return poll_ns();
  return std::min(gate::client_beat_ns, keep_alive_ns_ / 2);
}

Standing NodeClient::standing() const {
  switch (step_) {
    case Step::asking:
      return {State::waiting, phase_, 0};
    case Step::holding:
    case Step::closing:
      return {State::holding, phase_, lease_};
    case Step::resting:
      break;
  }
  return {State::idle, phase_, 0};
}

template <class Message>
void NodeClient::send(Message message) {
  last_sent_ = now_;
  outbox_.emplace_back(std::in_place_type<Message>, std::move(message));
}

void NodeClient::send_register() {
  Register message = options_.identity;
  message.age_ns = now_ - started_;
  message.io_done_ns = held_ns_;
  message.standing = standing();
  registered_at_ = now_;
  registered_once_ = true;
  send(std::move(message));
}

void NodeClient::receive(uint64_t now_ns, const CoordinatorMessage& message) {
  now_ = now_ns;
  last_heard_ = now_ns;
  std::visit([this](const auto& one) { hear(one); }, message);
}

void NodeClient::hear(const Welcome& welcome) {
  welcomed_ = true;
  uncoordinated_ = false;
  refusal_.clear();
  if (welcome.keep_alive_ns > 0)
    keep_alive_ns_ = std::max(std::min(welcome.keep_alive_ns, options_.patience_ns / 4), millisecond_ns);
  reconcile(welcome.standing);
}

void NodeClient::hear(const Granted& granted) {
  if (step_ == Step::asking && granted.phase == phase_) return begin_phase(granted.lease);
  // Nobody wants it any more.
  if (step_ == Step::resting && granted.phase >= phase_) {
    send(End{granted.phase, granted.lease, 0});
    phase_ = granted.phase + 1;
  }
}

void NodeClient::hear(const Alive& alive) { reconcile(alive.standing); }

void NodeClient::reconcile(const Standing& theirs) {
  bool same_phase = theirs.phase == phase_;
  if (step_ == Step::asking && same_phase && theirs.state == State::holding) begin_phase(theirs.lease);
  // What was asked or granted before we changed our mind has another phase, or is healed by the next message.
  if (!in_phase() || !same_phase || (theirs.state == State::holding && theirs.lease == lease_)) return;
  if (theirs.state == State::holding) {
    lease_ = theirs.lease;
    return;
  }
  // The lease is somebody else's by now.
  step_ = Step::resting;
  lease_ = 0;
}

void NodeClient::hear(const Unknown& /*unknown*/) {
  welcomed_ = false;
  send_register();
}

void NodeClient::hear(const Refused& refused) { refusal_ = refused.text.empty() ? "refused" : refused.text; }

void NodeClient::begin_phase(uint64_t lease) {
  step_ = Step::holding;
  lease_ = lease;
  last_active_ = now_;
  was_declared_ = false;
  phase_bytes_ = last_seen_.bytes;
  (void)volume_.left(static_cast<double>(last_seen_.bytes));
}

void NodeClient::end_phase(const gate::Observation& seen) {
  send(End{phase_, lease_, seen.bytes - phase_bytes_});
  step_ = Step::resting;
  lease_ = 0;
  ++phase_;
  ++phases_done_;
}

void NodeClient::ask(const gate::Observation& seen) {
  step_ = Step::asking;
  double left = volume_.left(static_cast<double>(seen.bytes));
  phase_ = std::max(phase_, volume_.index());  // several phases of the profile may have been one here
  uint64_t bytes = seen.declared || left < 1 ? seen.planned : static_cast<uint64_t>(left);
  if (welcomed_) send(Ask{phase_, bytes});
}

void NodeClient::count_time(uint64_t now_ns, const gate::Observation& seen) {
  uint64_t passed = now_ns > last_looked_ ? now_ns - last_looked_ : 0;
  if (step_ == Step::asking) waited_ns_ += passed;
  if (in_phase()) held_ns_ += passed;
  bool used = seen.calls != last_seen_.calls || seen.calling;
  if (uncoordinated_ && used) uncoordinated_ns_ += passed;
  last_looked_ = now_ns;
}

void NodeClient::note_activity(const gate::Observation& seen) {
  // Those who wait while the gate is open are about to wake up.
  bool waking = seen.waiting && step_ == Step::holding;
  if (seen.moving || seen.declared || waking || seen.calls != last_seen_.calls) last_active_ = now_;
  was_declared_ |= seen.declared;
}

bool NodeClient::phase_is_over(const gate::Observation& seen) const {
  if (seen.declared || seen.moving) return false;
  uint64_t rest = now_ - last_active_;
  if (was_declared_ && !seen.calling) return true;
  if (volume_.completes(static_cast<double>(seen.bytes)) && !seen.calling && rest >= poll_ns()) return true;
  return rest >= (seen.calling ? options_.idle_ns * patience_with_libraries : options_.idle_ns);
}

void NodeClient::look_at_phase(const gate::Observation& seen) {
  note_activity(seen);
  switch (step_) {
    case Step::resting:
      if (seen.waiting && !uncoordinated_) ask(seen);
      break;
    case Step::asking:
      if (!seen.waiting || uncoordinated_) {
        step_ = Step::resting;
        if (welcomed_) send(KeepAlive{standing()});
      }
      break;
    case Step::holding:
      if (!phase_is_over(seen)) break;
      step_ = Step::closing;
      closing_since_ = now_;
      break;
    case Step::closing:
      if (last_active_ > closing_since_) {
        step_ = Step::holding;  // somebody had looked before the gate was closed
        was_declared_ = seen.declared;
      } else if (now_ - closing_since_ >= poll_ns()) {
        end_phase(seen);
        if (seen.waiting && !uncoordinated_) ask(seen);
      }
      break;
  }
}

void NodeClient::keep_in_touch() {
  if (!welcomed_) {
    bool due = !registered_once_ || now_ - registered_at_ >= register_again_ns;
    if (due && refusal_.empty()) send_register();
  } else if (now_ - last_sent_ >= keep_alive_ns_ - keep_alive_ns_ / 4) {
    send(KeepAlive{standing(), in_phase() ? last_seen_.bytes - phase_bytes_ : 0});
  }
}

void NodeClient::leave(const gate::Observation& seen) {
  if (in_phase()) end_phase(seen);
  outbox_.emplace_back(std::in_place_type<Leave>);
}

void NodeClient::look(uint64_t now_ns, const gate::Observation& seen) {
  count_time(now_ns, seen);
  now_ = now_ns;
  uncoordinated_ = !refusal_.empty() || now_ - last_heard_ >= options_.patience_ns;
  look_at_phase(seen);
  last_seen_ = seen;
  keep_in_touch();
}

}  // namespace refrain::coordinate
