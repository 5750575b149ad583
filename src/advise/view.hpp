// What rules look at: every call of a trace's trees once, with what it adds up to over all its ranks and
// turns, and with samples of its executions, in which handles are resolved to files and property lists.
//
// Totals are exact where sums have closed forms (measure/sums.hpp). Samples come from running a few ranks,
// with loops cut to a few turns each: patterns show after some of them, and what it takes doesn't depend on
// how often loops turn.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "advise/file_calls.hpp"
#include "advise/finding.hpp"
#include "api/table.hpp"
#include "measure/access_rule.hpp"
#include "trace/trace.hpp"

namespace refrain::advise {

inline constexpr size_t none = SIZE_MAX;

/// One execution of a call.
struct Sample {
  uint32_t rank = 0;
  std::vector<int64_t> parameters{};
  std::vector<size_t> objects{};  ///< by operand: number of the object that a slot stands for, or `none`
  size_t file = none;             ///< that the call works on
};

/// An event of a tree.
struct Call {
  size_t stream = 0;  ///< number in the view
  const trace::Node* node = nullptr;
  const trace::Signature* signature = nullptr;
  const api::Row* row = nullptr;  ///< null if the function is not known
  measure::AccessRule rule{};
  std::vector<uint32_t> path{};
  uint64_t ranks = 1;  ///< that run it
  uint64_t calls = 0;  ///< of all ranks together, as are
  uint64_t bytes = 0, time_ns = 0;
  std::vector<Sample> samples{};

  bool is(api::Trait trait) const { return row != nullptr && row->is(trait); }
  bool in_group(std::string_view group) const { return row != nullptr && row->group == group; }
  bool failed() const { return !signature->error.empty(); }
  bool moves_data() const { return rule.effect == measure::AccessRule::Effect::data && !moves_attribute(); }
  /// What it moves travels with the header of its file: no access of its own.
  bool moves_attribute() const;
  /// A request to a library that puts many of them together: what becomes of it is seen below.
  bool is_request() const {
    return moves_data() && in_group("async") && api::layer_named(row->layer).has_format;
  }
  bool writes() const { return moves_data() && rule.writes; }
  bool reads() const { return moves_data() && !rule.writes; }
  uint64_t mean_bytes() const { return calls == 0 ? 0 : bytes / calls; }
  /// Whether one of its arguments has this name, as flags and predefined handles do.
  bool has_name(std::string_view name) const;
};

/// What a handle stands for: an open file, something in it, a property list, a dataspace.
struct Object {
  struct Use {
    size_t call = none;
    Sample sample{};
  };
  size_t file = none;
  Use made{};                            ///< the call that made it, with what it was made with
  std::map<api::Trait, Use> settings{};  ///< the last call that changed it, by what the call is
};

/// A file as the calls of one layer name it.
struct File {
  std::string layer{}, name{};
  std::set<uint32_t> ranks{};  ///< of the samples
  std::set<size_t> calls{};    ///< numbers of those that work on it
  Object::Use opened{};        ///< the last call that opened it
};

struct StreamView {
  const trace::Stream* stream = nullptr;
  trace::RankSet ranks{};
};

/// One process, or all ranks of a job.
class View {
 public:
  View(const trace::Trace& trace, size_t process, FileCalls* file_calls = nullptr);

  const trace::Trace& trace() const { return trace_; }
  const trace::Process& process() const { return process_; }
  size_t number() const { return number_; }
  const std::vector<Call>& calls() const { return calls_; }
  const std::vector<Object>& objects() const { return objects_; }
  const std::vector<File>& files() const { return files_; }
  bool outer(const Call& call) const { return streams_[call.stream].stream->layer.empty(); }
  const std::string& layer(const Call& call) const { return streams_[call.stream].stream->layer; }
  Place place(const Call& call) const;
  uint64_t ranks() const { return std::max<uint64_t>(1, process_.ranks.size()); }
  /// In outer calls, all ranks together.
  uint64_t io_time_ns() const { return io_time_ns_; }
  bool complete() const { return complete_; }

  /// The object that stands in a sample for an operand of this class of handles; null if there is none.
  const Object* object(const Call& call, const Sample& sample, std::string_view handle_class) const;
  /// The last such call on an object, if there was one.
  const Object::Use* setting(const Object& object, api::Trait trait) const;
  /// Whether ranks share the file.
  bool shared(const File& file) const { return file.ranks.size() > 1; }
  /// At most so many calls are made on the file.
  uint64_t most_calls_on(const File& file) const;
  /// Bytes that each of some ranks moved in outer calls, by rank; all ranks unless there are very many.
  const std::map<uint32_t, uint64_t>& bytes_by_rank() const { return bytes_by_rank_; }

 private:
  friend class ViewBuilder;
  const trace::Trace& trace_;
  size_t number_;
  const trace::Process& process_;
  std::vector<StreamView> streams_;
  std::vector<Call> calls_;
  std::vector<Object> objects_;
  std::vector<File> files_;
  std::map<uint32_t, uint64_t> bytes_by_rank_;
  FileCalls* file_calls_;
  uint64_t io_time_ns_ = 0;
  bool complete_ = true;
};

}  // namespace refrain::advise
