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
  std::filesystem::path output;      ///< the trace to be; the parts folder is beside it
  std::filesystem::path library;     ///< the preload library
  std::vector<std::string> command;
  std::vector<std::string> layers;   ///< empty: all
  std::vector<Rule> rules;           ///< in the order given
};

class Session {
 public:
  /// Makes the parts folder `OUTPUT.parts`. It is an error if one exists that is in use by a live recording
  /// or holds parts of an earlier one that was never merged.
  static Result<Session> start(const SessionOptions& options);

  const std::filesystem::path& parts() const { return parts_; }
  /// NAME=VALUE settings for the command. An LD_PRELOAD in `environment` is kept, behind ours.
  std::vector<std::string> environment(const char* const* environment) const;
  /// How many processes loaded the recorder so far.
  uint64_t processes_seen() const;
  /// Deletes the parts folder with what a recording puts there; leaves foreign files alone.
  Result<void> remove() const;

 private:
  std::filesystem::path parts_, library_;
  std::string layers_, rules_;
};

}  // namespace refrain::record
