// Neutral names in place of those that tell what a program is about: files, folders, HDF5 objects,
// attributes. Words become other words of the same length, equal ones equal and different ones different;
// numbers, punctuation and the structure of paths stay, so that the kernel makes the same calls.
#pragma once

#include <string>
#include <unordered_map>

#include "trace/trace.hpp"

namespace refrain::generate {

/// Replaces words by neutral ones, the same word always by the same one.
class NeutralWords {
 public:
  /// The text with all words replaced.
  std::string text(const std::string& from);

 private:
  std::string word(const std::string& from);
  std::unordered_map<std::string, std::string> words_;
  std::unordered_map<size_t, uint64_t> given_;  ///< by length
};

/// The trace under neutral names, without the command that was recorded.
trace::Trace anonymized(trace::Trace trace);

}  // namespace refrain::generate
