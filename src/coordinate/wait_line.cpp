// See wait_line.hpp.
#include "coordinate/wait_line.hpp"

#include "base/check.hpp"

namespace refrain::coordinate {

namespace {

constexpr size_t withdrawn_allowed = 64;
constexpr unsigned ticket_bits = 32;

}  // namespace

std::variant<WaitLine::Steady, WaitLine::Aging> WaitLine::new_queue(const schedule::Policy& policy) {
  if (policy.ages) return Aging(policy);
  return Steady(policy);
}

WaitLine::WaitLine(const schedule::Policy& policy) : policy_(&policy), queue_(new_queue(policy)) {}

uint32_t WaitLine::push(schedule::Time now, uint32_t id, JobState* job, schedule::Request request) {
  if (free_.empty()) {
    free_.push_back(static_cast<uint32_t>(tickets_.size()));
    tickets_.emplace_back();
  }
  uint32_t ticket = free_.back();
  free_.pop_back();
  request.job = uint64_t{id} << ticket_bits | ticket;
  tickets_[ticket] = {job, request};
  std::visit([&](auto& queue) { queue.push(now, request); }, queue_);
  ++live_;
  return ticket;
}

void WaitLine::withdraw(schedule::Time now, uint32_t ticket) {
  REFRAIN_CHECK(tickets_[ticket].job != nullptr);
  tickets_[ticket].job = nullptr;
  --live_;
  if (kept() - live_ > live_ + withdrawn_allowed) make_anew(now);
}

JobState* WaitLine::pop(schedule::Time now) {
  while (true) {
    uint32_t ticket = take_out(now);
    JobState* job = tickets_[ticket].job;
    tickets_[ticket].job = nullptr;
    free_.push_back(ticket);
    if (job == nullptr) continue;
    --live_;
    return job;
  }
}

uint32_t WaitLine::take_out(schedule::Time now) {
  return std::visit([&](auto& queue) { return static_cast<uint32_t>(queue.pop(now)); }, queue_);
}

void WaitLine::make_anew(schedule::Time now) {
  queue_ = new_queue(*policy_);
  free_.clear();
  for (size_t i = tickets_.size(); i-- > 0;) {
    if (tickets_[i].job == nullptr) {
      free_.push_back(static_cast<uint32_t>(i));
    } else {
      std::visit([&](auto& queue) { queue.push(now, tickets_[i].request); }, queue_);
    }
  }
}

}  // namespace refrain::coordinate
