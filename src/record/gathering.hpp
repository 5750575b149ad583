// Whether all ranks of a parallel job are being recorded. The recorder may only make a communicator of its
// own if they are: that is collective, and a rank without a recorder would leave the others waiting for
// ever. Ranks therefore meet in the page of their host (host_page.hpp): each arrives before it calls
// MPI_Init; afterwards, when it knows how many there are, it waits a moment for the others. The first rank
// that has seen all of them, or has waited long enough, decides for all, once. Ranks on several hosts never
// see all of them and are apart, unless the user says that all are recorded (REFRAIN_IN_PLACE=always).
#pragma once

#include <cstdint>

#include "part/part_layout.hpp"

namespace refrain::record {

/// The job that started this process, as a number that its ranks agree on; 0 if no launcher says.
uint64_t job_number();

/// The place in their host's page where the ranks of `job` meet; nullptr if there is no room.
Gathering* find_gathering(SessionPage& page, uint64_t job);

enum class Decision : uint64_t { open = 0, together = 1, apart = 2 };

void arrive(Gathering& place);
/// This rank can't take part: nobody needs to wait.
void stay_away(Gathering& place);
/// The decision for a job of `size` ranks, waiting at most `patience_ms` for the last to arrive.
Decision decide(Gathering& place, uint64_t size, uint32_t patience_ms);

}  // namespace refrain::record
