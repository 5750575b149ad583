// Which files ranks open together, through MPI: by a call that takes a communicator (nc_create_par), or with
// a property list that was given one before (H5Pset_fapl_mpio). Such files are not handed on from rank to
// rank: all have them open at once. A communicator of one rank (MPI_COMM_SELF) opens nothing together.
#pragma once

#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <tuple>

#include "plan/arguments.hpp"
#include "trace/trace.hpp"

namespace refrain::plan {

class SharedOpenings {
 public:
  explicit SharedOpenings(const trace::Trace& trace);

  /// Whether calls of a signature can change which lists have a communicator.
  bool concerns(const trace::Signature& s) const;
  /// The next calls are those of another rank.
  void begin_rank() { shared_lists_.clear(); }
  /// A call that succeeded.
  void take(const CallPlan& plan, const trace::Signature& s, int32_t thread,
            std::span<const int64_t> parameters);
  /// Whether a call that opens a file opens it for several ranks.
  bool opens_together(const CallPlan& plan, const trace::Signature& s, int32_t thread,
                      std::span<const int64_t> parameters) const;

 private:
  using List = std::tuple<int32_t, std::string, int64_t>;  ///< thread that made it, class and slot
  bool has_shared_list(const CallPlan& plan, const trace::Signature& s, int32_t thread,
                       std::span<const int64_t> parameters) const;

  std::set<std::string> classes_{};  ///< of handles that can have a communicator
  std::set<List> shared_lists_{};
};

}  // namespace refrain::plan
