/* Of two threads the first makes no calls: it only takes a number. */
#include <pthread.h>
#include <stdio.h>

static void* idle(void* nothing) { return nothing; }

static void* writer(void* nothing) {
  FILE* file = fopen("by_the_second", "w");
  if (file == NULL) return nothing;
  fputs("text\n", file);
  fclose(file);
  return nothing;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, idle, NULL);
  pthread_create(&threads[1], NULL, writer, NULL);
  pthread_join(threads[0], NULL);
  pthread_join(threads[1], NULL);
  return 0;
}
