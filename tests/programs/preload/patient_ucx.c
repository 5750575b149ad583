// For more ranks of MPICH than cores: over UCX they wait by asking again and again and never let go of the
// processor, so that 16 ranks on two cores take half a minute for what takes a second. Preloaded, this sleeps
// a moment after a few questions without an answer.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <time.h>

unsigned ucp_worker_progress(void* worker) {
  static unsigned (*ask)(void*);
  static _Thread_local int in_vain;
  if (!ask) *(void**)&ask = dlsym(RTLD_NEXT, "ucp_worker_progress");
  unsigned news = ask(worker);
  if (news > 0) {
    in_vain = 0;
  } else if (++in_vain > 20) {
    struct timespec moment = {0, 50000};
    nanosleep(&moment, NULL);
  }
  return news;
}
