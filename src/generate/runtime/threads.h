#include <pthread.h>  // pthread_* PTHREAD_*
static pthread_t thread_handles[THREADS];
static int thread_count;
static struct total thread_totals[layers];
static pthread_mutex_t thread_lock = PTHREAD_MUTEX_INITIALIZER;
static inline void* run_thread(void* body) {
  (*(void (**)(void))body)();
  pthread_mutex_lock(&thread_lock);
  for (int l = 0; l < layers; ++l) {
    thread_totals[l].calls += totals[l].calls;
    thread_totals[l].read += totals[l].read;
    thread_totals[l].written += totals[l].written;
    thread_totals[l].seconds += totals[l].seconds;
  }
  pthread_mutex_unlock(&thread_lock);
  return NULL;
}
static inline void start_thread(void (*body)(void)) {
  static void (*bodies[THREADS])(void);
  bodies[thread_count] = body;
  wall_shared = 1;
  int error = pthread_create(&thread_handles[thread_count], NULL, run_thread, &bodies[thread_count]);
  if (error) stop("pthread_create", strerror(error));
  ++thread_count;
}
static inline void join_threads(void) {
  for (int t = 0; t < thread_count; ++t) pthread_join(thread_handles[t], NULL);
  thread_count = 0;
  for (int l = 0; l < layers; ++l) {
    totals[l].calls += thread_totals[l].calls;
    totals[l].read += thread_totals[l].read;
    totals[l].written += thread_totals[l].written;
    totals[l].seconds += thread_totals[l].seconds;
  }
  memset(thread_totals, 0, sizeof thread_totals);
}
