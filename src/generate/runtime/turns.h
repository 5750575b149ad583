/* A file of HDF5, netCDF or PnetCDF is complete when it is closed, and one process at a time may write it.
 * Ranks and threads that hand one on, by messages which are not repeated, take turns with it, in the recorded
 * order: from opening it until it is closed, each holds a lock on the byte of a file that stands for its
 * name; there it also notes that a turn has ended, for those that come after. */
struct held_turn {
  long long file;
  int lock; /* 0: none; negative: another thread is about to take or end it */
  long long place;
};
static struct held_turn held_turns[64];
static int order_lost;
static long long turns_round;
static _Thread_local int turn_taken = -1;
static _Thread_local long long place_taken;
static inline long long place_of_turn(const char* path) {
  unsigned long long place = 5381 + (unsigned long long)turns_round;
  for (const char* c = path; *c; ++c) place = place * 33 + (unsigned char)*c;
  return (long long)(place >> 2);
}
static inline const char* turns_file(void) {
  static _Thread_local char path[4600];
  char job[256];
  job_name(job, sizeof job);
  if (!path[0]) snprintf(path, sizeof path, "%s/.refrain_turns.%s", getenv("PWD"), job);
  return path;
}
/* Adds the turns with the file of that place that have ended, from a note on; false if there is no other. */
static inline int count_turns(int file, long long place, off_t* at, long long* ended) {
  long long places[512];
  ssize_t got = pread(file, places, sizeof places, *at);
  for (ssize_t i = 0; i < got / (ssize_t)sizeof *places; ++i) *ended += places[i] == place;
  if (got > 0) *at += got / (ssize_t)sizeof *places * (ssize_t)sizeof *places;
  return got >= (ssize_t)sizeof *places;
}
static inline void take_turn(const char* path, short type, long long after) {
  static const double patience_for_turns = 60;
  place_taken = place_of_turn(path);
  quiet(1);
  turn_taken = out_of_reach(open(turns_file(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666));
  struct flock lock = {.l_type = type, .l_whence = SEEK_SET, .l_start = (off_t)place_taken, .l_len = 1};
  off_t at = 0;
  long long ended = 0;
  for (double end = now() + patience_for_turns; now() < end;) {
    if (count_turns(turn_taken, place_taken, &at, &ended)) {
      end = now() + patience_for_turns; /* others get on */
      continue;
    }
    if ((ended >= after || order_lost) && fcntl(turn_taken, F_OFD_SETLK, &lock) == 0) break;
    nanosleep(&(struct timespec){0, 500000}, NULL);
  }
  if (ended < after && !order_lost) {
    dprintf(errors, KERNEL ": rank %lld waited in vain for its turn with %s; the order may be another now\n",
            rank, path);
    order_lost = 1;
  }
  quiet(0);
  began = now(); /* this was no part of the call */
}
static inline const char* first_turn(const char* path, long long after) {
  take_turn(folder_there(path), F_WRLCK, after);
  return path;
}
static inline const char* my_turn(const char* path, long long after) {
  take_turn(there(path), F_WRLCK, after);
  return path;
}
static inline const char* turn_to_read(const char* path, long long after) {
  take_turn(there(path), F_RDLCK, after);
  return path;
}
/* How many turns come before that of a call which is made several times. */
static inline long long next_turn(long long* made, long long first, long long step) {
  return first + step * (*made)++;
}
/* For calls past the library: when no other rank has the file open. */
static inline const char* after_turn(const char* path) {
  there(path);
  for (int i = 0; i < 64; ++i)
    if (held_turns[i].lock > 0 && held_turns[i].place == place_of_turn(path)) return path;
  take_turn(path, F_RDLCK, 0);
  quiet(1);
  close(turn_taken);
  turn_taken = -1;
  quiet(0);
  return path;
}
static inline void hold_turn(long long file) {
  for (int i = 0, none = 0; i < 64 && turn_taken >= 0; ++i, none = 0)
    if (__atomic_compare_exchange_n(&held_turns[i].lock, &none, -1, 0, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED)) {
      held_turns[i].file = file;
      held_turns[i].place = place_taken;
      __atomic_store_n(&held_turns[i].lock, turn_taken, __ATOMIC_RELEASE);
      turn_taken = -1;
    }
}
static inline void end_turn(long long file) {
  for (int i = 0; i < 64; ++i) {
    int lock = __atomic_load_n(&held_turns[i].lock, __ATOMIC_ACQUIRE);
    if (lock <= 0 || held_turns[i].file != file) continue;
    quiet(1);
    if (write(lock, &held_turns[i].place, sizeof held_turns[i].place) < 0)
      stop(turns_file(), strerror(errno));
    close(lock);
    __atomic_store_n(&held_turns[i].lock, 0, __ATOMIC_RELEASE);
    quiet(0);
  }
}
/* Before everything is done once more. */
static inline void begin_turns(long long round) {
  quiet(1);
  if (round > 0) MPI_Barrier(MPI_COMM_WORLD);
  turns_round = round;
  quiet(0);
}
/* When all ranks have made their calls. */
static inline void end_turns(void) {
  quiet(1);
  if (rank == 0) unlink(turns_file());
  quiet(0);
}
#define HELD(file, call) ((void)(call), hold_turn((long long)(file)))
#define LEFT(file, call) ((void)(call), end_turn((long long)(file)))
