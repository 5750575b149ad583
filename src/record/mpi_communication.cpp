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

}  // namespace

#define RF_TIMED(symbol, type, words)                                                     \
  RF_LIBRARY_REAL(symbol, int(RF_WORDS(words)))                                           \
  RF_HOOK int hook_##symbol(RF_WORDS(words)) RF_SYMBOL(symbol);                           \
  int hook_##symbol(RF_WORDS(words)) {                                                    \
    return time_communication(trace::CommunicationClass::type, real_##symbol(), RF_FRAME, \
                              RF_WORD_NAMES(words));                                      \
  }
#define COMMUNICATION(symbol, type, words) RF_TIMED(symbol, type, words) RF_TIMED(P##symbol, type, words)
#include "api/communication.def"
#undef COMMUNICATION

}  // namespace refrain::record
