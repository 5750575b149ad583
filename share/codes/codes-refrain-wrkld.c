/* A workload method of CODES that takes a rank's operations straight from a trace of Refrain: no files per
 * rank, so that 10^6 ranks of a scale-free trace cost the memory of those that are running. Compile it into
 * the model and link with -lrefrain-trace; it adds itself under the name "refrain". See README.md. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "codes/codes-workload.h"
#include "refrain.h"
#include "ross.h"

enum { slots = 4096 };

/* What a configuration says; models that have none fill it in themselves. */
struct refrain_params {
  char trace[MAX_NAME_LENGTH_WKLD];
  char layer[MAX_NAME_LENGTH_WKLD]; /* empty: what the program called */
  int ranks;                        /* of a scale-free trace */
  long max_block;                   /* bytes; 0: transfers are not split */
};

/* Traces that are open, one per application. */
struct opened_trace {
  int app_id;
  refrain_trace* trace;
  struct opened_trace* next;
};

/* Ranks that have operations left, found by application and rank. */
struct running_rank {
  int app_id, rank;
  int ranks; /* of the application */
  refrain_rank* cursor;
  struct running_rank* next;
};

static struct opened_trace* traces;
static struct running_rank* running[slots];

static struct running_rank** place_of(int app_id, int rank) {
  struct running_rank** place = &running[((unsigned)rank * 31u + (unsigned)app_id) % slots];
  while (*place && ((*place)->app_id != app_id || (*place)->rank != rank)) place = &(*place)->next;
  return place;
}

static refrain_trace* trace_of(const struct refrain_params* params, int app_id) {
  struct opened_trace* t;
  for (t = traces; t; t = t->next)
    if (t->app_id == app_id) return t->trace;
  t = malloc(sizeof *t);
  if (!t) return NULL;
  t->trace = refrain_open(params->trace, params->ranks > 0 ? (uint64_t)params->ranks : 0);
  if (!t->trace) {
    fprintf(stderr, "refrain: %s\n", refrain_error());
    free(t);
    return NULL;
  }
  t->app_id = app_id;
  t->next = traces;
  traces = t;
  return t->trace;
}

static void* refrain_read_config(ConfigHandle* handle, char const* section, char const* annotation,
                                 int num_ranks) {
  struct refrain_params* params = calloc(1, sizeof *params);
  char number[64];
  if (!params) return NULL;
  if (configuration_get_value_relpath(handle, section, "trace", annotation, params->trace,
                                      sizeof params->trace) <= 0) {
    fprintf(stderr, "refrain: the configuration names no trace\n");
    free(params);
    return NULL;
  }
  params->ranks = num_ranks;
  if (configuration_get_value(handle, section, "layer", annotation, params->layer, sizeof params->layer) <= 0)
    params->layer[0] = '\0';
  if (configuration_get_value(handle, section, "max_block", annotation, number, sizeof number) > 0)
    params->max_block = atol(number);
  return params;
}

static int refrain_load(const void* given, int app_id, int rank) {
  const struct refrain_params* params = given;
  struct running_rank** place = place_of(app_id, rank);
  struct running_rank* entry;
  refrain_trace* trace = trace_of(params, app_id);
  if (!trace || *place) return -1;
  entry = malloc(sizeof *entry);
  if (!entry) return -1;
  entry->cursor = refrain_rank_open(trace, (uint64_t)rank, params->layer[0] ? params->layer : NULL,
                                    params->max_block > 0 ? (uint64_t)params->max_block : 0);
  if (!entry->cursor) {
    fprintf(stderr, "refrain: %s\n", refrain_error());
    free(entry);
    return -1;
  }
  entry->app_id = app_id;
  entry->rank = rank;
  entry->ranks = (int)refrain_ranks(trace);
  entry->next = NULL;
  *place = entry;
  return 0;
}

static void fill(struct codes_workload_op* op, const struct refrain_operation* from, int ranks) {
  switch (from->kind) {
    case REFRAIN_PAUSE:
      op->op_type = CODES_WK_DELAY;
      op->u.delay.seconds = (double)from->pause_ns / 1e9;
      op->u.delay.nsecs = (double)from->pause_ns;
      break;
    case REFRAIN_OPEN:
      op->op_type = CODES_WK_OPEN;
      op->u.open.file_id = from->file;
      op->u.open.create_flag = 1;
      break;
    case REFRAIN_CLOSE:
      op->op_type = CODES_WK_CLOSE;
      op->u.close.file_id = from->file;
      break;
    case REFRAIN_READ:
      op->op_type = CODES_WK_READ;
      op->u.read.file_id = from->file;
      op->u.read.offset = (off_t)from->offset;
      op->u.read.size = (size_t)from->bytes;
      break;
    case REFRAIN_WRITE:
      op->op_type = CODES_WK_WRITE;
      op->u.write.file_id = from->file;
      op->u.write.offset = (off_t)from->offset;
      op->u.write.size = (size_t)from->bytes;
      break;
    default:
      op->op_type = CODES_WK_BARRIER;
      op->u.barrier.count = ranks;
      op->u.barrier.root = 0;
  }
}

static void refrain_get_next(int app_id, int rank, struct codes_workload_op* op) {
  struct running_rank** place = place_of(app_id, rank);
  struct running_rank* entry = *place;
  struct refrain_operation next;
  int more = entry ? refrain_next(entry->cursor, &next) : 0;
  if (more > 0) {
    fill(op, &next, entry->ranks);
    return;
  }
  if (more < 0) fprintf(stderr, "refrain: rank %d: %s\n", rank, refrain_error());
  op->op_type = CODES_WK_END;
  if (!entry) return;
  refrain_rank_close(entry->cursor);
  *place = entry->next;
  free(entry);
}

static int refrain_get_rank_cnt(const char* given, int app_id) {
  refrain_trace* trace = trace_of((const struct refrain_params*)(const void*)given, app_id);
  return trace ? (int)refrain_ranks(trace) : -1;
}

static struct codes_workload_method refrain_method = {
    .method_name = "refrain",
    .codes_workload_read_config = refrain_read_config,
    .codes_workload_load = refrain_load,
    .codes_workload_get_next = refrain_get_next,
    .codes_workload_get_rank_cnt = refrain_get_rank_cnt,
};

/* Before main, so that models find it without being changed. */
__attribute__((constructor)) static void add_method(void) { codes_workload_add_method(&refrain_method); }
