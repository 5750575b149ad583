// Runs a little of what a rank did, and finds out what its handles stand for: files by name, property lists
// by what they were set to, dataspaces by what is selected in them.
#pragma once

#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "advise/view.hpp"
#include "trace/expand.hpp"

namespace refrain::advise {

class SampleRun {
 public:
  SampleRun(const trace::Trace& trace, std::vector<Call>& calls, std::vector<Object>& objects,
            std::vector<File>& files)
      : trace_(trace), calls_(calls), objects_(objects), files_(files) {}

  /// A rank that has no handles yet.
  void begin(uint32_t rank);
  /// What the rank runs of a stream: plain, with numbers of calls in the place of signatures.
  void run(const std::vector<trace::Node>& nodes, const trace::Stream& stream);
  /// The first `events` calls of the stream's layer stand in this tree, the outer one, instead.
  void skip(const std::vector<trace::Node>& outer, const trace::Stream& stream, uint64_t events);

 private:
  using Slot = std::tuple<std::string, int64_t, int64_t>;  ///< class, thread, number

  void event(const trace::Expander::Event& e, uint32_t thread, bool keep);
  void make(size_t number, const Sample& sample, uint32_t thread);
  void set(const Call& call, size_t number, const Sample& sample);
  std::string path(const Call& call, const Sample& sample) const;
  size_t file(const std::string& layer, std::string name);
  Slot slot(const trace::Operand& operand, int64_t number, uint32_t thread) const;

  const trace::Trace& trace_;
  std::vector<Call>& calls_;
  std::vector<Object>& objects_;
  std::vector<File>& files_;
  std::map<std::pair<std::string, std::string>, size_t> file_numbers_;
  std::map<Slot, size_t> slots_;
  std::map<size_t, size_t> kept_;  ///< samples of this rank, by call
  uint32_t rank_ = 0;
};

}  // namespace refrain::advise
