// The hooks of communication, which is timed by class: a part of the gap before the next event. I/O that MPI
// makes on the way, to get on with requests, is inner.
#include "record/machine_words.hpp"
#include "record/mpi_call.hpp"

namespace refrain::record {
namespace {

template <class... Words>
int time_communication(trace::CommunicationClass c, int (*real)(Words...), const char* frame,
                       Words... words) {
  Lane* lane = enter(frame);
  if (lane == nullptr || lane->inside_mpi) return real(words...);
  InsideMpi inside(*lane);
  Running running(*lane, frame);
  uint64_t start = ticks();
  int result = real(words...);
  uint64_t end = ticks();
  if (running.outer()) lane->add_communication(c, end - start);
  return result;
}

/// Afterwards argument `at` leads to a communicator with processes that are no part of this world.
template <class... Words>
int time_meeting(size_t at, int (*real)(Words...), const char* frame, Words... words) {
  Lane* lane = enter(frame);
  const api::MpiLibrary* library = mpi_library();
  bool known = lane != nullptr && !lane->inside_mpi && library != nullptr;
  int result = time_communication(trace::CommunicationClass::collective, real, frame, words...);
  const uint64_t all[] = {words...};
  constexpr int success = 0;  // MPI_SUCCESS, without MPI's header
  if (!known || result != success || all[at] == 0) return result;
  Busy busy(*lane, frame);
  meet_processes(
      word_of_handle_at(*library, HandleClass::communicator, reinterpret_cast<const void*>(all[at])));
  return result;
}

}  // namespace

#define RF_TIMED(symbol, type, words)                                                     \
  RF_LIBRARY_REAL(symbol, int(RF_WORDS(words)))                                           \
  RF_HOOK int hook_##symbol(RF_WORDS(words)) RF_SYMBOL(symbol);                           \
  int hook_##symbol(RF_WORDS(words)) {                                                    \
    return time_communication(trace::CommunicationClass::type, real_##symbol(), RF_FRAME, \
                              RF_WORD_NAMES(words));                                      \
  }
#define COMMUNICATION(symbol, type, words) RF_TIMED(symbol, type, words) RF_TIMED(P##symbol, type, words)
#include "api/mpi/communication.def"
#undef COMMUNICATION

#define RF_MEETING(symbol, words, communicator)                                         \
  RF_LIBRARY_REAL(symbol, int(RF_WORDS(words)))                                         \
  RF_HOOK int hook_##symbol(RF_WORDS(words)) RF_SYMBOL(symbol);                         \
  int hook_##symbol(RF_WORDS(words)) {                                                  \
    return time_meeting(communicator, real_##symbol(), RF_FRAME, RF_WORD_NAMES(words)); \
  }
#define MEETING(symbol, words, communicator) \
  RF_MEETING(symbol, words, communicator) RF_MEETING(P##symbol, words, communicator)
#include "api/mpi/meetings.def"
#undef MEETING

}  // namespace refrain::record
