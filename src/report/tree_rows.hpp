// The trace in short, for the page: a node is a list of its text, calls, nanoseconds inside and before them,
// and the nodes below it, if it has any.
#pragma once

#include <cstdint>
#include <set>
#include <string>

#include "report/info_json.hpp"

namespace refrain::report {

struct TreeRows {
  Json roots = Json::array();      ///< a node per process
  bool cut = false;                ///< there were more nodes than asked for
  std::set<std::string> layers{};  ///< those with streams of their own, which are not shown
};

TreeRows tree_rows(const trace::Trace& trace, uint64_t most_nodes);

}  // namespace refrain::report
