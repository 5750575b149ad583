// The statements of one stream of a program: functions for its pieces, loops, conditions, calls.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "generate/calls.hpp"
#include "generate/pieces.hpp"
#include "generate/rank_text.hpp"
#include "generate/statements.hpp"
#include "generate/think_times.hpp"
#include "plan/levels.hpp"
#include "trace/trace.hpp"

namespace refrain::generate {

class StreamPrinter {
 public:
  /// Adds to `think` and `names`.
  StreamPrinter(const CallContext& context, RankText& ranks, ThinkTimes& think, plan::Levels levels,
                PieceNames& names)
      : c_(context), ranks_(ranks), think_(think), levels_(std::move(levels)), names_(names) {}

  /// Definitions of the names of loop counts.
  std::string constants() const { return constants_; }

  /// The function of a piece, preceded by those that it calls.
  std::string function(const std::vector<trace::Node>& list, const Piece& piece,
                       const trace::RankSet& around);

 private:
  /// The loops around statements, and the ranks that run them.
  struct Scope {
    std::vector<LoopScope> loops{};
    const trace::RankSet* ranks = nullptr;
    bool regular = true;
    int64_t executions = 1;  ///< upper bound
  };

  /// Prints the function of a piece and returns the statement that calls it. Times are stored in the order in
  /// which calls stand in the text, so those of inner functions come first.
  std::string function(const std::vector<trace::Node>& list, const Piece& piece, const Scope& scope);
  /// Prints the body of a loop; a long one is cut into functions by file.
  void body(const std::vector<trace::Node>& list, const Scope& scope);
  void print(const std::vector<trace::Node>& list, size_t begin, size_t end, const Scope& scope,
             bool with_siblings = true);
  const trace::Signature& signature(const trace::Node& node) const;
  bool starts_mpi(const trace::Node& n) const;
  bool ends_mpi(const trace::Node& n) const;
  void node(const Place& place);
  /// Prints a statement between the upkeep of its values.
  template <class Print>
  void with_upkeep(const trace::Node& node, Print print);
  void event(const Place& place);
  void loop(const Place& place);
  /// Gives a loop count a name that can be changed at the top of the program.
  Expression named_count(int64_t count);
  void choice(const Place& place);

  const CallContext& c_;
  RankText& ranks_;
  ThinkTimes& think_;
  plan::Levels levels_;
  PieceNames& names_;
  Statements lines_;  ///< of the function that is being printed
  ThinkTimes here_;   ///< of its calls
  std::string functions_;
  std::string constants_;
  size_t counts_ = 0;
};

}  // namespace refrain::generate
