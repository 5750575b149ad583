/* The traces of Refrain in C: open one, choose a number of ranks, go through what a rank does to files.
 *
 *   refrain_trace *trace = refrain_open("app.rfn", 1024);
 *   refrain_rank *rank = trace ? refrain_rank_open(trace, 7, NULL, 0) : NULL;
 *   struct refrain_operation operation;
 *   while (rank && refrain_next(rank, &operation) == 1)
 *     if (operation.kind == REFRAIN_WRITE)
 *       printf("%s %lld %llu\n", operation.path, (long long)operation.offset,
 *              (unsigned long long)operation.bytes);
 *   refrain_rank_close(rank);
 *   refrain_close(trace);
 *
 * Link with -lrefrain-trace. A function that fails says so by its result, and refrain_error() says why.
 * Different ranks may be gone through by different threads at the same time. What is declared here stays as
 * it is within a REFRAIN_API_VERSION; structures only grow at their end, with the version. */
#ifndef REFRAIN_H
#define REFRAIN_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define REFRAIN_API_VERSION 1

/* REFRAIN_API_VERSION of the library that was loaded. */
int refrain_api_version(void);

/* Why the last call of this thread failed; valid until its next call. Never NULL. */
const char* refrain_error(void);

typedef struct refrain_trace refrain_trace;
typedef struct refrain_rank refrain_rank;

/* Opens a trace. A scale-free one becomes one of `ranks` ranks; of others, `ranks` is their own number or 0.
 * NULL if that can't be done. */
refrain_trace* refrain_open(const char* path, uint64_t ranks);

/* Ranks of the trace; of one that is not parallel, its processes. What else ran beside the ranks of a
 * parallel one, a script that started them for instance, has no number here. */
uint64_t refrain_ranks(const refrain_trace* trace);

/* The command that was recorded; valid until the trace is closed. */
const char* refrain_command(const refrain_trace* trace);

/* Ranks that are still open stay usable. NULL is allowed. */
void refrain_close(refrain_trace* trace);

enum refrain_kind {
  REFRAIN_END = 0,
  REFRAIN_PAUSE,  /* computing, communicating, calls that don't touch data: pause_ns */
  REFRAIN_OPEN,   /* file, path */
  REFRAIN_CLOSE,  /* file, path */
  REFRAIN_READ,   /* file, path, offset, bytes, flags */
  REFRAIN_WRITE,  /* file, path, offset, bytes, flags */
  REFRAIN_BARRIER /* of all ranks */
};

/* The trace doesn't say where in the file the transfer is: it stands behind the rank's earlier ones. */
#define REFRAIN_UNPLACED 1u
/* The transfer is collective. */
#define REFRAIN_COLLECTIVE 2u

struct refrain_operation {
  int32_t kind; /* enum refrain_kind */
  uint32_t flags;
  uint64_t file;  /* the same for equal paths on all ranks and in all traces; never 0 */
  int64_t offset; /* bytes */
  uint64_t bytes;
  uint64_t pause_ns; /* reconstructed from mean times */
  const char* path;  /* valid until the next call for this rank; NULL if there is none */
};

/* Begins to go through a rank. With a layer ("posix", "mpiio", ...) the operations are all those of that
 * layer, with NULL what the program called. Transfers of more than `max_block` bytes come in several
 * operations; 0: they don't. NULL if that can't be done. */
refrain_rank* refrain_rank_open(const refrain_trace* trace, uint64_t rank, const char* layer,
                                uint64_t max_block);

/* 1 and the next operation; 0 at the end, and from then on; -1 if the trace is damaged. */
int refrain_next(refrain_rank* rank, struct refrain_operation* operation);

/* NULL is allowed. */
void refrain_rank_close(refrain_rank* rank);

#ifdef __cplusplus
}
#endif

#endif
