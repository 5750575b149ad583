// The outside of a recording: the folder that receives the parts, and the environment that makes a
// program record itself into it. Used by `refrain record`; nothing here runs in the application.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/result.hpp"

namespace refrain::record {

/// `+/dev/shm/**` or `-/usr/**`: later rules win over earlier ones and over the defaults.
struct Rule {
  bool include;
  std::string pattern;
};

struct SessionOptions {
  std::filesystem::path output{};   ///< the trace to be; the parts folder is beside it
  std::filesystem::path preload{};  ///< the preload library
  std::vector<std::string> command{};
  std::vector<std::string> layers{};  ///< empty: all
  std::vector<Rule> rules{};          ///< in the order given
  bool all_files = false;             ///< also those that an interpreter needs to run a script
  bool keep_attributes = false;       ///< small values of attributes are part of the trace
  bool heat_map = true;               ///< when I/O happened is part of the trace
};

class Session {
 public:
  /// Makes the parts folder `OUTPUT.parts`, or joins it when a parallel launcher starts several recorders of
  /// one job. A folder that holds another recording, live or never merged, is an error.
  static Result<Session> start(const SessionOptions& options);
  Session(Session&& other) noexcept;
  Session& operator=(Session&& other) = delete;
  ~Session();

  /// The library that is preloaded.
  const std::filesystem::path& preload() const { return preload_; }
  const std::filesystem::path& parts() const { return parts_; }
  /// The environment for the command: the given one with our settings. An LD_PRELOAD in it is kept, behind
  /// ours.
  std::vector<std::string> environment(const char* const* environment) const;
  /// How many processes loaded the recorder so far, on all hosts.
  uint64_t processes_seen() const;
  /// Notes that this recorder's command has ended. True for the last one of the job: it merges the parts.
  bool leave();
  /// After leave() said false: true if nobody else seems to come who could be the last, as when some ranks of
  /// the job are not recorded, or don't share the folder.
  bool left_alone() const;
  /// Deletes the parts folder with what a recording puts there; leaves foreign files alone.
  Result<void> remove() const;

 private:
  Session() = default;
  std::filesystem::path parts_, preload_;
  std::string layers_, rules_;
  bool keep_attributes_ = false, heat_map_ = true;
  struct SessionPage* page_ = nullptr;
  int fd_ = -1;  ///< holds the lock that tells others the recording is live
};

/// What a parts folder says about its recording.
struct SessionInfo {
  std::string command, version, job;
  std::vector<std::string> layers{};
  uint64_t unrecorded = 0;
  std::string last_error;
  uint64_t cleared = 0;   ///< programs started in an environment that leaves the recorder out
  uint64_t unsuited = 0;  ///< programs started that can't load the recorder
  uint64_t emptied = 0;   ///< calls that wrote more data of variable length than a trace tells
  uint64_t unseen_read = 0, unseen_written = 0;  ///< bytes that went past the recorder, by the kernel's count
  uint64_t unseen_processes = 0;                 ///< whose they were
  uint64_t processes = 0, ended = 0;  ///< that loaded the recorder; of these, those that said that they ended
  uint64_t ring_processes = 0;        ///< that had rings of io_uring at their end
  uint64_t meetings = 0;              ///< calls that started processes by MPI, or met some
  bool other_mpi = false;             ///< a process has an MPI library that Refrain has no table of
  std::string kernel_of{};            ///< the command of which a recorded program is a kernel
};
Result<SessionInfo> read_session(const std::filesystem::path& parts);

/// How many processes of this host, recorders left out, are recorded into this folder now. They may have no
/// part yet.
uint64_t processes_recorded_into(const std::filesystem::path& parts);

/// Whether a process of this host has the file mapped.
bool maps_file(uint32_t pid, const std::filesystem::path& file);

}  // namespace refrain::record
