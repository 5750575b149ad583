// Cuts a stream into pieces that make good functions: what is done to one file, or between two files, and
// what starts and ends MPI by itself.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "trace/trace.hpp"

namespace refrain::generate {

struct Piece {
  size_t begin = 0, end = 0;  ///< nodes of the stream
  std::string name{};         ///< of the function
};

/// How often each name was given to a function.
using PieceNames = std::map<std::string, size_t>;

/// `also`: further nodes at which a piece must begin.
std::vector<Piece> cut(const trace::Trace& trace, const std::vector<trace::Node>& nodes,
                       const std::vector<size_t>& also, PieceNames& names);

/// Calls and loops among the nodes from `begin` to `end`, and inside them.
size_t count_statements(const std::vector<trace::Node>& nodes, size_t begin, size_t end);

}  // namespace refrain::generate
