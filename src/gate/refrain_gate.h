/* For programs that want to say themselves when they do I/O. Without the gate of `refrain run` both functions
 * do nothing, and nothing has to be linked.
 *
 *   refrain_phase_begin(bytes);   waits until it is this job's turn; bytes: of this process, 0 if not known
 *   ... read and write ...
 *   refrain_phase_end();          others may go on
 *
 * Calls of one thread may be nested; the outermost pair counts. Every process of a job may call them or leave
 * it: the phase of a job lasts until all who have begun one have ended it. */
#ifndef REFRAIN_GATE_H
#define REFRAIN_GATE_H

#include <dlfcn.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Looked up rather than linked: a weak reference doesn't find a preloaded library from every executable. */
static inline void* refrain_gate_function(const char* name) {
  return dlsym((void*)0 /* RTLD_DEFAULT */, name);
}

static inline void refrain_phase_begin(unsigned long long bytes) {
  void (*begin)(unsigned long long) = 0;
  void* found = refrain_gate_function("refrain_gate_begin");
  if (!found) return;
  memcpy(&begin, &found, sizeof begin);
  begin(bytes);
}

static inline void refrain_phase_end(void) {
  void (*end)(void) = 0;
  void* found = refrain_gate_function("refrain_gate_end");
  if (!found) return;
  memcpy(&end, &found, sizeof end);
  end();
}

#ifdef __cplusplus
}
#endif

#endif
