// What arguments of MPI functions mean; part of the list in kinds.hpp.
#pragma once

// KIND(name, what it means)
#define REFRAIN_MPI_KINDS(KIND)                                                                   \
  /* MPI: handles */                                                                              \
  KIND(mpi_file, "MPI file")                                                                      \
  KIND(new_mpi_file, "MPI file that the call opens")                                              \
  KIND(closed_mpi_file, "MPI file that the call closes")                                          \
  KIND(comm, "communicator")                                                                      \
  KIND(new_comm, "communicator that the call makes")                                              \
  KIND(freed_comm, "communicator that the call frees")                                            \
  KIND(mpi_group, "group of processes")                                                           \
  KIND(new_mpi_group, "group of processes that the call makes")                                   \
  KIND(freed_mpi_group, "group of processes that the call frees")                                 \
  KIND(mpi_type, "MPI datatype")                                                                  \
  KIND(new_mpi_type, "MPI datatype that the call makes")                                          \
  KIND(committed_mpi_type, "MPI datatype that the call makes ready for use")                      \
  KIND(seen_mpi_type, "MPI datatype that the call tells")                                         \
  KIND(freed_mpi_type, "MPI datatype that the call frees")                                        \
  KIND(mpi_types, "several MPI datatypes: predefined ones by name, then the slots of the others") \
  KIND(mpi_info, "info object")                                                                   \
  KIND(new_mpi_info, "info object that the call makes")                                           \
  KIND(freed_mpi_info, "info object that the call frees")                                         \
  KIND(errhandler, "MPI error handler")                                                           \
  KIND(new_errhandler, "MPI error handler that the call makes")                                   \
  KIND(freed_errhandler, "MPI error handler that the call frees")                                 \
  KIND(new_mpi_op, "MPI operation that the call makes")                                           \
  KIND(freed_mpi_op, "MPI operation that the call frees")                                         \
  KIND(request, "request of a file function")                                                     \
  KIND(new_request, "request that the call starts")                                               \
  KIND(freed_request, "request that the call ends")                                               \
  KIND(cancelled_request, "request that the call cancels")                                        \
  KIND(requests, "several requests, as their slots; -1 where it is not of a file function")       \
  KIND(seen_object, "MPI object that was made unseen")                                            \
  /* MPI: lists and strings */                                                                    \
  KIND(list_size, "number of elements of the lists that follow")                                  \
  KIND(int_list, "list of int")                                                                   \
  KIND(aint_list, "list of MPI_Aint")                                                             \
  KIND(ranges, "list of triples: first, last, stride")                                            \
  KIND(last_list, "list of as many int as the last of the list before says")                      \
  KIND(sum_list, "list of as many int as the list before adds up to")                             \
  KIND(weights, "list of int, MPI_UNWEIGHTED or MPI_WEIGHTS_EMPTY")                               \
  KIND(sum_weights, "weights, as many as the list before the last adds up to")                    \
  KIND(cart_list, "list of int, one per dimension of the communicator")                           \
  KIND(string, "string whose digits may vary from call to call")                                  \
  /* MPI: named constants */                                                                      \
  KIND(amode, "MPI_MODE_ flags")                                                                  \
  KIND(mpi_whence, "MPI_SEEK_ constant")                                                          \
  KIND(mpi_order, "MPI_ORDER_ constant")                                                          \
  KIND(distribution, "MPI_DISTRIBUTE_ constant")                                                  \
  KIND(distributions, "list of MPI_DISTRIBUTE_ constants")                                        \
  KIND(thread_level, "MPI_THREAD_ constant")                                                      \
  KIND(split_type, "MPI_COMM_TYPE_ constant")                                                     \
  KIND(type_class, "MPI_TYPECLASS_ constant")                                                     \
  /* MPI: what calls tell */                                                                      \
  KIND(io_status, "status, with the bytes moved")                                                 \
  KIND(out_int, "int that the call tells")                                                        \
  KIND(out_offset, "position or size that the call tells")                                        \
  KIND(out_amode, "MPI_MODE_ flags that the call tells")                                          \
  KIND(out_thread_level, "MPI_THREAD_ constant that the call tells")                              \
  KIND(out_text, "string that the call tells")                                                    \
  KIND(out_flag, "whether it is done; if not, the call is only counted")                          \
  KIND(out_indices, "list of the requests that are done, after their number")                     \
  KIND(mpi_error, "MPI_SUCCESS, or an error class")
