// What the parts of every_mpiio share: who we are, calls that must succeed, and notes of results, which rank
// 0 prints in the end so that the output is the same in every run.
#ifndef EVERY_MPIIO_H
#define EVERY_MPIIO_H
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern int rank;
extern int ranks;

#define MUST(call) must((call), #call)
// The call must fail; the class of its error is noted.
#define MUST_FAIL(call) must_fail((call), #call)

void must(int code, const char* call);
void must_fail(int code, const char* call);
void note(const char* format, ...) __attribute__((format(printf, 1, 2)));

enum { block_count = 64 };
// Integers that tell their writer, their place and an occasion.
void fill(int* values, int count, int writer, int occasion);
void expect_filled(const int* values, int count, int writer, int occasion);
void expect_count(const MPI_Status* status, MPI_Datatype type, int count);
// A fresh file, open for everything, on all ranks of the communicator.
MPI_File open_fresh(MPI_Comm comm, const char* name);
// All ranks see what all ranks have written; collective data may still be on its way through other ranks.
void settle(MPI_File file);

void describe_files(void);
void watch_errors(void);
void access_at_offsets(void);
void access_at_own_pointer(void);
void access_at_shared_pointer(void);
void look_through_types(void);
void describe_types(void);
void complete_requests(void);
void restart_requests(void);
void make_groups(void);
void make_communicators(void);
void exchange_messages(void);
#endif
