// The ranks of an MPI program merge what they recorded when they finalise, and rank 0 writes one file into
// the parts folder. The parts stay as they are until `refrain record` has read that file, so whatever goes
// wrong here costs nothing but time.
#pragma once

#include <cstdint>

#include "record/lane.hpp"

namespace refrain::record {

/// Around MPI_Init, in this order, on a lane that is quiet; the second one if it succeeded, in the world that
/// the launcher started.
void before_mpi_init();
void after_mpi_init(uint32_t rank, uint32_t size);
/// Before MPI_Finalize does its work, when the event for it is recorded already; on the lane that called it.
void merge_in_place(Lane& lane, const char* frame);

}  // namespace refrain::record
