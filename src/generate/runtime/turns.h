/* HDF5 lets one process at a time write a file. Ranks that hand one on, by messages which are not repeated,
 * take turns with it: from opening it until it is closed, each holds a lock on the byte of a file that stands
 * for its name. */
struct held_turn {
  hid_t file;
  int lock;
  long long place;
};
static struct held_turn held_turns[64];
static int turn_taken = -1;
static long long place_taken;
static inline long long place_of_turn(const char* path) {
  unsigned long long place = 5381;
  for (const char* c = path; *c; ++c) place = place * 33 + (unsigned char)*c;
  return (long long)(place >> 2);
}
static inline const char* turns_file(void) {
  static char path[4300];
  snprintf(path, sizeof path, "%s/.refrain_turns", getenv("PWD"));
  return path;
}
static inline void take_turn(const char* path, short type) {
  static const double patience_for_turns = 60;
  place_taken = place_of_turn(path);
  quiet(1);
  turn_taken = out_of_reach(open(turns_file(), O_RDWR | O_CREAT | O_CLOEXEC, 0666));
  struct flock lock = {.l_type = type, .l_whence = SEEK_SET, .l_start = (off_t)place_taken, .l_len = 1};
  for (double end = now() + patience_for_turns; fcntl(turn_taken, F_OFD_SETLK, &lock) != 0 && now() < end;) {
    struct timespec nap = {0, 500000};
    nanosleep(&nap, NULL);
  }
  quiet(0);
  began = now(); /* this was no part of the call */
}
static inline const char* first_turn(const char* path) {
  take_turn(path, F_WRLCK);
  return path;
}
static inline const char* my_turn(const char* path) { return first_turn(there(path)); }
static inline const char* turn_to_read(const char* path) {
  take_turn(there(path), F_RDLCK);
  return path;
}
/* For calls past HDF5: when no other rank has the file open. */
static inline const char* after_turn(const char* path) {
  there(path);
  for (int i = 0; i < 64; ++i)
    if (held_turns[i].lock > 0 && held_turns[i].place == place_of_turn(path)) return path;
  take_turn(path, F_RDLCK);
  quiet(1);
  close(turn_taken);
  turn_taken = -1;
  quiet(0);
  return path;
}
static inline long long hold_turn(long long file) {
  for (int i = 0; i < 64 && turn_taken >= 0; ++i)
    if (held_turns[i].lock == 0) {
      held_turns[i].file = (hid_t)file;
      held_turns[i].lock = turn_taken;
      held_turns[i].place = place_taken;
      turn_taken = -1;
    }
  return file;
}
static inline void end_turn(hid_t file) {
  for (int i = 0; i < 64; ++i)
    if (held_turns[i].lock > 0 && held_turns[i].file == file) {
      quiet(1);
      close(held_turns[i].lock);
      held_turns[i].lock = 0;
      quiet(0);
    }
}
/* When all ranks have made their calls. */
static inline void end_turns(void) {
  quiet(1);
  if (rank == 0) unlink(turns_file());
  quiet(0);
}
#define H5_HELD(call) hold_turn(H5(call))
#define H5_LEFT(file, call) ((void)H5(call), end_turn(file))
