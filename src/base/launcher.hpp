// Which launcher of parallel jobs started this process, and as which rank: the table launchers.h as seen from
// C++. Safe inside the application: it reads the environment and /proc, takes no memory and makes no call
// that a hook could see.
#pragma once

#include <cstddef>
#include <cstdint>

namespace refrain {

/// What a launcher says of one rank; -1 where it says nothing.
struct Launched {
  int64_t rank = -1;
  int64_t size = -1;
  int64_t local_rank = -1;  ///< among the ranks of this host
  int64_t local_size =
      -1;  ///< how many those are; with uneven ones, at least less than `size` on several hosts

  /// Started by a launcher.
  bool is_rank() const { return rank >= 0; }
  /// With other ranks, as far as the launcher says.
  bool in_company() const { return is_rank() && size != 1; }
  bool on_several_hosts() const { return local_size > 0 && local_size < size; }
};
Launched launched();

constexpr size_t longest_job_name = 256;
/// What all ranks of a job have in common and other jobs don't, fit for a file's name; empty outside of
/// launchers.
struct JobName {
  char text[longest_job_name] = {};
  bool empty() const { return text[0] == 0; }
};
JobName job_name();

/// Whether ranks find each other by PMI, as MPICH and its family do, and not by PMIx, as Open MPI does.
bool ranks_meet_by_pmi();

/// Whether a program of this name only starts ranks: what it does is not the application's.
bool is_launcher(const char* program);
/// Whether the process that started this one is such a program.
bool parent_is_launcher();

}  // namespace refrain
