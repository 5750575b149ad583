// Jobs that did not end in order: cut off, or aborted.
/* The recorded job was cut off. A rank may have come out of a call that another one, which takes part in it,
 * was still in when it ended: that call can't be made again, and who tries waits for ever. So each rank notes
 * in a file that all of them see when it made its last call; those that have made all theirs wait until the
 * others have, or until nothing has happened for a while. */
#include <signal.h>  // signal
static int notes = -1;
static const char* const notes_file = "." KERNEL ".ranks";
static double patience = 30;
static inline double clock_time(void) {
  struct timespec t;
  clock_gettime(CLOCK_REALTIME, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}
/* Busy until then; 0: all calls have been made. */
static inline void note_time(double until) {
  quiet(1);
  if (pwrite(notes, &until, sizeof until, (off_t)(rank * (long long)sizeof until)) != sizeof until)
    stop(notes_file, strerror(errno));
  quiet(0);
}
static inline void note_busy(double seconds) {
  static _Thread_local double noted;
  double time = clock_time();
  if (time + seconds < noted + 0.5) return;
  noted = time + seconds;
  note_time(noted);
}
/* Once MPI has started. */
static inline void meet_ranks(void) {
  const char* granted = getenv("REFRAIN_PATIENCE");
  if (granted && atof(granted) > 0) patience = atof(granted);
  quiet(1);
  notes = out_of_reach(open(notes_file, O_RDWR | O_CREAT | O_CLOEXEC, 0666));
  if (notes < 0) stop(notes_file, strerror(errno));
  note_time(clock_time());
  MPI_Barrier(MPI_COMM_WORLD);
  note = note_busy;
  quiet(0);
}
static inline void give_up(int signal) {
  static const char words[] =
      KERNEL ": ended in a call that not all ranks had come to when the recorded job was cut off\n";
  (void)signal;
  if (write(errors, words, sizeof words - 1) < 0) _exit(4);
  _exit(3);
}
/* When a rank has made all its calls. The end of MPI is a call of all ranks, too: it gets as much time. */
static inline void wait_for_ranks(void) {
  long long waiting = -1;
  quiet(1);
  note = NULL;
  note_time(0);
  while (waiting != 0) {
    double latest = 0, time;
    waiting = 0;
    for (long long r = 0; r < nprocs; ++r) {
      if (pread(notes, &time, sizeof time, (off_t)(r * (long long)sizeof time)) != sizeof time || time == 0)
        continue;
      ++waiting;
      if (time > latest) latest = time;
    }
    if (waiting && clock_time() > latest + patience) {
      dprintf(errors,
              KERNEL
              ": rank %lld has made all its calls; %lld other ranks are in a call that not all ranks had "
              "come to when the recorded job was cut off\n",
              rank, waiting);
      unlink(notes_file);
      MPI_Abort(MPI_COMM_WORLD, 3);
    }
    struct timespec nap = {0, 5000000};
    if (waiting) nanosleep(&nap, NULL);
  }
  unlink(notes_file);
  signal(SIGALRM, give_up);
  alarm((unsigned)patience + 1);
  quiet(0);
}
/* The recorded program ended its job in the middle. Here that is left to the end, so that all ranks make the
 * calls that they made. */
static MPI_Comm abort_comm;
static int abort_code, abort_due;
static inline int abort_in_the_end(MPI_Comm comm, int with_code) {
  abort_due = 1;
  abort_comm = comm;
  abort_code = with_code;
  return MPI_SUCCESS;
}
static inline void abort_as_recorded(void) {
  quiet(1);
  if (mpi_on) MPI_Barrier(MPI_COMM_WORLD); /* the summary has been printed */
  if (abort_due)
    dprintf(errors, KERNEL ": rank %lld ends the job by MPI_Abort with code %d, as the recorded one did\n",
            rank, abort_code);
  quiet(0);
  if (abort_due) MPI_Abort(abort_comm, abort_code);
}
