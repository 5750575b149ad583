// Traces that can't become a program are refused with the call and the reason: they come from elsewhere, or
// use what was there before recording began.
#include <gtest/gtest.h>

#include "generate/kernel.hpp"
#include "trace/trace.hpp"

namespace refrain::generate {
namespace {

using trace::Operand;
using trace::OperandKind;

const Operand path{.kind = OperandKind::text};
const Operand number{.kind = OperandKind::integer};
Operand name(const char* text) { return {.kind = OperandKind::name, .text = text}; }
Operand slot(const char* handle_class) { return {.kind = OperandKind::slot, .text = handle_class}; }

/// What is said of a program that makes this one call.
std::string refusal_of(const char* layer, const char* function, std::vector<Operand> operands) {
  trace::Trace t{.command = "app", .layers = {layer}, .nprocs = 1};
  t.templates.push_back({.literals = {"file"}, .widths = {}});
  t.lists.push_back(trace::Column::of({0, 1, 2}));
  trace::Signature& s = t.signatures.emplace_back();
  s.layer = layer;
  s.function = function;
  s.operands = std::move(operands);
  s.result = {.kind = OperandKind::integer};
  trace::Node call{};
  for (size_t i = 0; i < s.parameters(); ++i) call.parameters.push_back(trace::Value::constant(0));
  trace::Process& p = t.processes.emplace_back();
  p.program = "app";
  p.ranks = trace::RankSet::range(0, 1);
  p.streams.push_back({.nodes = {call}});
  auto kernel = generate(t, {});
  EXPECT_FALSE(kernel) << kernel->files[0].text;
  return kernel ? "" : kernel.error().text();
}

TEST(Refusals, OfFunctions) {
  EXPECT_EQ(refusal_of("posix", "teleport", {path}),
            "teleport can't be generated: the function is not known");
  EXPECT_EQ(refusal_of("posix", "pwrite", {slot("fd")}),
            "pwrite can't be generated: has fewer arguments than its declaration");
}

TEST(Refusals, OfFlagsNumbersAndStrings) {
  EXPECT_EQ(refusal_of("posix", "open", {path, name("O_SIDEWAYS"), name("0644")}),
            "open can't be generated: the unknown name O_SIDEWAYS");
  EXPECT_EQ(refusal_of("posix", "open", {path, number, name("0644")}),
            "open can't be generated: a flag that is no name");
  EXPECT_EQ(refusal_of("posix", "open", {name("somewhere"), name("O_RDONLY"), name("0644")}),
            "open can't be generated: a string that is no string");
  EXPECT_EQ(refusal_of("posix", "ftruncate", {slot("fd"), name("many")}),
            "ftruncate can't be generated: a number that is none");
}

TEST(Refusals, OfObjectsThatTheTraceDoesNotMake) {
  EXPECT_EQ(refusal_of("mpi", "MPI_Comm_dup", {name("unknown")}),
            "MPI_Comm_dup can't be generated: uses an object that it did not make (unknown)");
  EXPECT_EQ(
      refusal_of("mpi", "MPI_Comm_dup", {name("foreign")}),
      "MPI_Comm_dup can't be generated: uses a communicator with processes that the trace doesn't hold");
  EXPECT_EQ(refusal_of("mpi", "MPI_Comm_dup", {slot("info")}),
            "MPI_Comm_dup can't be generated: a handle of another class than it takes");
  EXPECT_EQ(refusal_of("mpi", "MPI_Comm_dup", {number}),
            "MPI_Comm_dup can't be generated: a handle that is none");
}

TEST(Refusals, OfMoreRequestsThanAListKeeps) {
  EXPECT_EQ(refusal_of("posix", "aio_suspend", {{.kind = OperandKind::long_list}}),
            "aio_suspend can't be generated: takes too many requests at once");
}

}  // namespace
}  // namespace refrain::generate
