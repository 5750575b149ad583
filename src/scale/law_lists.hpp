// Arguments of a scale-free trace that are lists of a length that depends on the number of ranks, such as one
// block per rank. At a number of ranks they become what recording would have kept: a list that is part of the
// call while it is short and equally long on all ranks, else lists of the trace, by number.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "trace/trace.hpp"

namespace refrain::scale {

class LawLists {
 public:
  /// Adds signatures and lists to `out`, a trace of `nprocs` ranks.
  LawLists(trace::Trace& out, uint32_t nprocs) : out_(out), nprocs_(nprocs) {}

  /// Gives `event`, which has its other numbers already, the lists of `free`, the same event of the
  /// scale-free trace. `ranks` run it. Fails if lists would be too long, or numbers leave 64 bits.
  Result<void> write_out(trace::Node& event, const trace::Node& free, const trace::RankSet& ranks);
  /// Signatures that nobody uses any more lose their laws.
  void finish();

 private:
  struct Law {
    trace::RankExpression length{}, element{};
  };
  Result<void> one(const Law& law, const std::vector<uint32_t>& ranks, trace::Operand& operand,
                   std::vector<trace::Value>& parameters);
  Result<void> names(const std::vector<trace::RankExpression>& counts, const std::vector<uint32_t>& ranks,
                     trace::Operand& operand);
  Result<int64_t> number_of(const Law& law, int64_t length, uint32_t rank);
  uint32_t signature(const trace::Signature& s);

  trace::Trace& out_;
  uint32_t nprocs_;
  std::map<std::string, uint32_t> signatures_{};     ///< by their encoding
  std::map<std::vector<int64_t>, int64_t> lists_{};  ///< those made here, with their numbers
  uint64_t elements_ = 0;                            ///< of all lists
};

}  // namespace refrain::scale
