// One function as a trace calls it: all that doesn't change from event to event is found out once, then each
// event is one call.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "replay/argument_words.hpp"
#include "replay/foreign_call.hpp"
#include "replay/special.hpp"

namespace refrain::replay {

/// Why some or all calls of a function can't be replayed; empty if they can.
std::string_view why_not_replayed(const api::Row& row);

struct Outcome {
  bool failed = false;
  std::string reason{};     ///< of an unexpected failure
  bool by_absence = false;  ///< it failed because a file existed, or did not
  uint64_t read = 0;        ///< bytes
  uint64_t written = 0;
  uint64_t missing = 0;  ///< how much less data it returned than the recorded call
};

class Call {
 public:
  /// Throws ReplayError if such calls can't be made. `signature` and `stage` must outlive this.
  Call(ThreadContext& stage, const trace::Signature& signature);

  /// Whether the recorded call failed.
  bool expected_to_fail() const { return !arguments_.signature().error.empty(); }
  /// Builds the arguments of an event; throws ReplayError if that isn't possible.
  void prepare(std::span<const int64_t> parameters);
  /// Makes the call that was prepared last.
  Outcome make();

 private:
  uint64_t invoke();
  bool has_failed(uint64_t result) const;
  std::string reason(uint64_t result, int error);
  void count(Outcome& outcome, uint64_t result);
  uint64_t brought(uint64_t result);
  uint64_t recorded() const;

  Arguments arguments_;
  Maker maker_ = nullptr;
  ForeignCall function_;
  std::span<uint64_t> words_;
  bool moves_ = false;         ///< changes the working directory
  bool opens_format_ = false;  ///< a file of a library (plan/file_calls.hpp)
  bool closes_format_ = false;
  std::optional<size_t> flag_;  ///< argument in which MPI says whether a request is done
  trace::Role result_role_;
  bool counts_words_ = false;  ///< the result is not a number of bytes
  bool copies_ = false;        ///< the result is the number of bytes read, which are counted as written
};

}  // namespace refrain::replay
