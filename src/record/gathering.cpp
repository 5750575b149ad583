// Meeting of ranks; see gathering.hpp.
#include "record/gathering.hpp"

#include <time.h>

#include "base/clock.hpp"
#include "base/hash.hpp"
#include "base/launcher.hpp"

namespace refrain::record {
namespace {

/// Decides unless somebody has; returns what holds.
Decision settle(Gathering& place, Decision wish) {
  uint64_t open = 0;
  if (place.decision.compare_exchange_strong(open, static_cast<uint64_t>(wish), std::memory_order_acq_rel))
    return wish;
  return static_cast<Decision>(open);
}

}  // namespace

uint64_t job_number() {
  JobName name = job_name();
  if (name.empty()) return 0;
  uint64_t hash = 1;
  for (const char* c = name.text; *c != 0; ++c) hash = hash_combine(hash, static_cast<unsigned char>(*c));
  return hash == 0 ? 1 : hash;
}

Gathering* find_gathering(SessionPage& page, uint64_t job) {
  for (Gathering& place : page.gatherings) {
    uint64_t found = 0;
    if (place.job.compare_exchange_strong(found, job, std::memory_order_acq_rel) || found == job)
      return &place;
  }
  return nullptr;
}

void arrive(Gathering& place) { place.arrived.fetch_add(1, std::memory_order_acq_rel); }

void stay_away(Gathering& place) { settle(place, Decision::apart); }

Decision decide(Gathering& place, uint64_t size, uint32_t patience_ms) {
  for (uint64_t end = monotonic_ms() + patience_ms;;) {
    auto decision = static_cast<Decision>(place.decision.load(std::memory_order_acquire));
    if (decision != Decision::open) return decision;
    if (place.arrived.load(std::memory_order_acquire) >= size) return settle(place, Decision::together);
    if (monotonic_ms() >= end) return settle(place, Decision::apart);
    timespec pause{0, 200'000};
    nanosleep(&pause, nullptr);
  }
}

}  // namespace refrain::record
