#include "extrapolate/max_block.hpp"

#include <gtest/gtest.h>

#include "trace/trace.hpp"

namespace refrain::extrapolate {
namespace {

using trace::OperandKind;

TEST(TransferSizes, names_the_sizes_of_posix_calls) {
  trace::Signature write;
  write.function = "pwrite";
  write.layer = "posix";
  write.operands = {{.kind = OperandKind::integer},
                    {.kind = OperandKind::integer, .role = trace::Role::size},
                    {.kind = OperandKind::integer, .role = trace::Role::offset}};
  EXPECT_EQ(transfer_sizes(write), (std::vector<bool>{false, true, false}));
  write.layer = "mpiio";
  EXPECT_EQ(transfer_sizes(write), (std::vector<bool>{false, false, false}));
}

TEST(TransferSizes, takes_operands_that_are_names) {
  trace::Signature barrier;
  barrier.function = "MPI_Barrier";
  barrier.layer = "mpi";
  barrier.operands = {{.kind = OperandKind::name, .text = "MPI_COMM_WORLD"}};
  ASSERT_EQ(barrier.parameters(), 0u);
  EXPECT_TRUE(transfer_sizes(barrier).empty());
}

}  // namespace
}  // namespace refrain::extrapolate
