// Which processes of a trace a replay makes the calls of, and what the processes of a tree are told.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "plan/inputs.hpp"
#include "plan/processes.hpp"

namespace refrain::cli {

/// The command line of this process, with the trace under a name that is good in any folder.
std::vector<std::string> own_words(const std::string& file);

struct ReplayChoice {
  std::optional<size_t> process{};  ///< that was asked for
  uint32_t rank = 0;
  int tree_number = 0;  ///< which process of the tree this is; 0: the first
  bool one_layer = false;
  bool repeats = false;
};
/// A tree is replayed as a whole only: all calls of all its processes, once.
Result<plan::Chosen> choose_for_replay(const trace::Trace& trace, const ReplayChoice& choice);

/// What must be there beforehand: for the first process of a tree, what any of them needs.
plan::Inputs inputs_of(const trace::Trace& trace, const plan::Chosen& chosen, int tree_number);

}  // namespace refrain::cli
