// A replay of several processes runs each as a process of its own, which is this program again; see
// wall/tree.h. Here is what one of them does with the others.
#pragma once

#include <string>
#include <vector>

#include "base/result.hpp"
#include "replay/player.hpp"
#include "trace/process_tree.hpp"
#include "wall/wall.hpp"

namespace refrain::replay {

class TreeMember {
 public:
  /// `number`: which process of the tree, as refrain_tree_number() says. `words`: the command line of all of
  /// them.
  TreeMember(const trace::Trace& trace, const trace::ProcessTree& tree, int number,
             std::vector<std::string> words);
  TreeMember(const TreeMember&) = delete;
  TreeMember& operator=(const TreeMember&) = delete;

  bool is_first() const { return number_ == 0; }
  /// Whether it reports what all did.
  bool is_last() const { return tree_.is_last(static_cast<size_t>(number_)); }
  /// Whether its standard streams may be lost, as those of a program that was cut off, or became another one.
  bool drops_streams() const { return drops_streams_; }
  const trace::Process& process() const { return process_; }
  /// The first process makes what all share, once the root has been entered.
  Result<void> begin();
  /// Takes the steps between the calls of a replay.
  void attach(PlayOptions& options);
  /// Adds to the sums of all what this process did. The last one waits for all others, gets the sums, and
  /// returns true.
  bool sum_up(Totals& totals);
  /// Goes on as the program that this process becomes, if it becomes one.
  void change();

 private:
  const trace::ProcessTree& tree_;
  const trace::Process& process_;
  int number_;
  bool drops_streams_ = false;
  std::vector<std::string> words_;
  std::vector<char*> arguments_;
  std::vector<refrain_tree_step> steps_;
};

}  // namespace refrain::replay
