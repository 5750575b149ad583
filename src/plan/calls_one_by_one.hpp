// A trace made call by call, for tests of what must exist beforehand.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "plan/inputs.hpp"

namespace refrain::plan {

using trace::Node;
using trace::Operand;
using trace::OperandKind;
using trace::Role;
using trace::Value;

/// A trace of one process, call by call.
class Calls {
 public:
  void open(const std::string& path, const char* flags, int64_t fd) {
    std::vector<int64_t> fields;
    trace_.templates.push_back(trace::Template::parse(path, fields));
    trace::Signature s{.function = "open", .layer = "posix", .bracket = trace::Bracket::opens};
    s.operands = {{.kind = OperandKind::text, .width = static_cast<uint32_t>(fields.size())},
                  {.kind = OperandKind::name, .text = flags}};
    s.result = {.kind = OperandKind::slot, .text = "fd"};
    std::vector<int64_t> parameters{static_cast<int64_t>(trace_.templates.size()) - 1};
    parameters.insert(parameters.end(), fields.begin(), fields.end());
    parameters.push_back(fd);
    add(s, parameters);
  }
  void read(int64_t fd, int64_t asked, int64_t got) { transfer("read", Role::bytes_read, fd, asked, got); }
  void write(int64_t fd, int64_t bytes) { transfer("write", Role::bytes_written, fd, bytes, bytes); }
  void seek(int64_t fd, int64_t offset, const char* whence, int64_t result) {
    trace::Signature s{.function = "lseek", .layer = "posix"};
    s.operands = {{.kind = OperandKind::slot, .text = "fd"},
                  {.kind = OperandKind::integer, .role = Role::offset},
                  {.kind = OperandKind::name, .text = whence}};
    s.result = {.kind = OperandKind::integer};
    add(s, {fd, offset, result});
  }
  void map(int64_t fd, int64_t length, int64_t offset, int64_t map) {
    trace::Signature s{.function = "mmap", .layer = "posix", .bracket = trace::Bracket::opens};
    s.operands = {{.kind = OperandKind::integer, .role = Role::size},
                  {.kind = OperandKind::name, .text = "PROT_READ|PROT_WRITE"},
                  {.kind = OperandKind::name, .text = "MAP_SHARED"},
                  {.kind = OperandKind::slot, .text = "fd"},
                  {.kind = OperandKind::integer, .role = Role::offset}};
    s.result = {.kind = OperandKind::slot, .text = "map"};
    add(s, {length, fd, offset, map});
  }
  void store(int64_t map, int64_t offset, int64_t length) {
    trace::Signature s{.function = "stored", .layer = "posix"};
    s.operands = {{.kind = OperandKind::slot, .text = "map"},
                  {.kind = OperandKind::integer, .role = Role::offset},
                  {.kind = OperandKind::integer, .role = Role::size}};
    s.result = {.kind = OperandKind::integer, .role = Role::bytes_written};
    add(s, {map, offset, length, length});
  }
  /// A call that takes one path.
  void name(const char* function, const std::string& path, const char* error = "") {
    trace::Signature s{.function = function, .layer = "posix", .error = error};
    s.operands = {{.kind = OperandKind::text}};
    if (s.function == "stat") s.operands.push_back({.kind = OperandKind::data});
    add(s, {text(path)});
  }
  void open_folder(const std::string& path, int64_t dir) {
    trace::Signature s{.function = "opendir", .layer = "posix", .bracket = trace::Bracket::opens};
    s.operands = {{.kind = OperandKind::text}};
    s.result = {.kind = OperandKind::slot, .text = "dir"};
    add(s, {text(path), dir});
  }
  /// So many entries, then the end.
  void list(int64_t dir, int entries) {
    trace::Signature s{.function = "readdir", .layer = "posix"};
    s.operands = {{.kind = OperandKind::slot, .text = "dir"}};
    s.result = {.kind = OperandKind::integer};
    for (int i = 0; i <= entries; ++i) add(s, {dir, i < entries});
  }
  void symlink(const std::string& target, const std::string& path) {
    trace::Signature s{.function = "symlink", .layer = "posix"};
    s.operands = {{.kind = OperandKind::text}, {.kind = OperandKind::text}};
    add(s, {text(target), text(path)});
  }
  /// What follows is done by another thread.
  void next_thread() { threads_.push_back(std::exchange(nodes_, {})); }
  /// A call of HDF5 that opens something; what isn't given is the name of a constant.
  void open_object(const char* function, const std::vector<Operand>& operands,
                   std::vector<int64_t> parameters, const std::string& made) {
    trace::Signature s{.function = function, .layer = "hdf5", .bracket = trace::Bracket::opens};
    s.operands = operands;
    s.result = {.kind = OperandKind::slot, .text = made};
    parameters.push_back(0);
    add(s, parameters);
  }
  /// With a header that leads nowhere but is there, or without any, as of a file of netCDF-4.
  void open_netcdf(const std::string& path, bool with_header) {
    trace::Signature s{.function = "nc_open", .layer = "netcdf", .bracket = trace::Bracket::opens};
    s.operands = {{.kind = OperandKind::text}, {.kind = OperandKind::name, .text = "NC_NOWRITE"}};
    std::vector<int64_t> parameters{text(path)};
    if (with_header) {
      s.operands.push_back({.kind = OperandKind::list, .width = 2});
      parameters.insert(parameters.end(), {1, 0});
    }
    s.result = {.kind = OperandKind::slot, .text = "nc"};
    parameters.push_back(0);
    add(s, parameters);
  }
  int64_t text(const std::string& name) {
    trace_.templates.push_back({{name}, {}});
    return static_cast<int64_t>(trace_.templates.size()) - 1;
  }
  Inputs inputs() {
    next_thread();
    trace_.processes = {{}};
    for (uint32_t t = 0; t < threads_.size(); ++t)
      trace_.processes[0].streams.push_back({.thread = t, .nodes = threads_[t]});
    return find_inputs(trace_, trace_.processes[0]);
  }

 private:
  void transfer(const char* function, Role role, int64_t fd, int64_t asked, int64_t moved) {
    trace::Signature s{.function = function, .layer = "posix"};
    s.operands = {{.kind = OperandKind::slot, .text = "fd"},
                  {.kind = OperandKind::data},
                  {.kind = OperandKind::integer, .role = Role::size}};
    s.result = {.kind = OperandKind::integer, .role = role};
    add(s, {fd, asked, moved});
  }
  void add(const trace::Signature& s, const std::vector<int64_t>& parameters) {
    trace_.signatures.push_back(s);
    Node node{.signature = static_cast<uint32_t>(trace_.signatures.size()) - 1};
    for (int64_t p : parameters) node.parameters.push_back(Value::constant(p));
    nodes_.push_back(node);
  }
  trace::Trace trace_;
  std::vector<Node> nodes_;
  std::vector<std::vector<Node>> threads_;
};

}  // namespace refrain::plan
