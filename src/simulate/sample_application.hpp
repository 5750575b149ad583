// Applications made by hand, for tests: trees over a handful of calls, and a machine whose times can be
// computed on paper.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "simulate/machine.hpp"
#include "trace/sample.hpp"
#include "trace/trace.hpp"

namespace refrain::simulate::sample {

using trace::Node;
using trace::Value;
using trace::sample::affine;
using trace::sample::loop;
using trace::sample::number;

enum Call : uint32_t {
  open_shared,
  open_own,
  pwrite,
  pread,
  close,
  barrier,
  open_together,
  write_together,
  write,
  stat,
  give_hint
};

inline std::vector<trace::Signature> signatures() {
  using K = trace::OperandKind;
  using trace::Operand;
  using trace::Role;
  Operand fd{.kind = K::slot, .text = "fd"}, fh{.kind = K::slot, .text = "fh"}, data{.kind = K::data};
  Operand offset{.kind = K::integer, .role = Role::offset}, count{.kind = K::integer, .role = Role::size};
  Operand path{.kind = K::text}, numbered{.kind = K::text, .width = 1};
  Operand written{.kind = K::integer, .role = Role::bytes_written},
      read{.kind = K::integer, .role = Role::bytes_read};
  auto made = [](const char* function, const char* layer, std::vector<Operand> operands, Operand result) {
    trace::Signature s{.function = function, .layer = layer};
    s.operands = std::move(operands);
    s.result = std::move(result);
    return s;
  };
  std::vector<trace::Signature> all{
      made("open", "posix", {path}, fd),
      made("open", "posix", {numbered}, fd),
      made("pwrite", "posix", {fd, data, count, offset}, written),
      made("pread", "posix", {fd, data, count, offset}, read),
      made("close", "posix", {fd}, {}),
      made("MPI_Barrier", "mpi", {}, {}),
      made("MPI_File_open", "mpiio", {path}, fh),
      made("MPI_File_write_at_all", "mpiio", {fh, offset, written}, {}),
      made("write", "posix", {fd, data, count}, written),
      made("stat", "posix", {path}, {}),
      made("MPI_Info_set", "mpi", {path, numbered}, {}),
  };
  all[close].bracket = trace::Bracket::closes;
  return all;
}

/// A value that depends on the rank: base + rank · by_rank + slope · the index of the outermost loop.
inline Value ranked(int64_t base, int64_t by_rank, std::vector<int64_t> slopes = {}) {
  Value v = affine(base, slopes);
  v.base = trace::Number(trace::RankExpression::constant(base) +
                         trace::RankExpression::constant(by_rank) * trace::RankExpression::rank());
  return v;
}

/// A call after so many seconds of compute, on average.
inline Node call(Call which, std::vector<Value> parameters, double gap_s = 0) {
  Node node{.signature = which};
  node.parameters = std::move(parameters);
  node.timing.gap.add(static_cast<uint64_t>(gap_s * 1e9));
  node.timing.duration.add(0);
  return node;
}
inline Node opened(double gap_s = 0) { return call(open_shared, {number(0), number(3)}, gap_s); }
inline Node written(Value offset, Value size, double gap_s = 0) {
  return call(pwrite, {number(3), size, std::move(offset), size}, gap_s);
}
inline Node read(Value offset, Value size, double gap_s = 0) {
  return call(pread, {number(3), size, std::move(offset), size}, gap_s);
}
/// A hint for collective transfers: text 2 is "cb_nodes", 3 "cb_buffer_size", 4 any number.
inline Node hinted(int64_t key, int64_t value) {
  return call(give_hint, {number(key), number(4), number(value)});
}
inline Node waited(double gap_s = 0) { return call(barrier, {}, gap_s); }

inline trace::Trace application(uint32_t ranks, std::vector<Node> nodes) {
  trace::Trace made;
  made.nprocs = ranks;
  made.signatures = signatures();
  std::vector<int64_t> fields;
  for (const char* text : {"data", "part_0", "cb_nodes", "cb_buffer_size", "0", "results/field.h5"})
    made.templates.push_back(trace::Template::parse(text, fields));
  trace::Process process{.program = "solver"};
  process.ranks = trace::RankSet::range(0, ranks);
  process.streams.push_back({.nodes = std::move(nodes)});
  made.processes.push_back(std::move(process));
  return made;
}

/// One target of 100 bytes per second for writing and 200 for reading, nothing else takes time.
inline Machine plain_machine(uint32_t nodes = 64, uint32_t targets = 1) {
  Machine machine{.name = "plain", .nodes = nodes, .servers = targets};
  machine.target = {.read_bandwidth = 200, .write_bandwidth = 100, .block = 1};
  machine.striping = {{.pattern = "*", .size = 10, .count = 0}};
  return machine;
}

}  // namespace refrain::simulate::sample
