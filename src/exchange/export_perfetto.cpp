// The JSON of Chrome's trace viewer, which Perfetto opens: one process per rank, in it one track per thread
// and layer, one slice per call. Calls that a layer made on behalf of another stand in the track of their own
// layer, from the call on that can have caused them: both are put together from mean times and may drift
// apart.
#include <fmt/core.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "api/layers.hpp"
#include "base/output_file.hpp"
#include "exchange/exporters.hpp"
#include "exchange/file_tracker.hpp"
#include "exchange/inner_placement.hpp"
#include "exchange/operand_text.hpp"

namespace refrain::exchange {

using namespace trace;

namespace {

std::string json_text(std::string_view text) {
  return nlohmann::json(std::string(text)).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

/// Microseconds, with all digits.
std::string microseconds(uint64_t ns) { return fmt::format("{}.{:03}", ns / 1000, ns % 1000); }

class PerfettoWriter {
 public:
  PerfettoWriter(const Trace& trace, OutputFile& file)
      : trace_(trace), file_(file), facts_(call_facts(trace)) {
    first_start_ = UINT64_MAX;
    for (const Process& p : trace.processes) first_start_ = std::min(first_start_, p.start_ns);
  }

  void run() {
    file_.write("{\"displayTimeUnit\": \"ns\",\n\"otherData\": {\"command\": " + json_text(trace_.command) +
                ", \"host\": " + json_text(trace_.host) + ", \"times\": " + json_text(times_note(trace_)) +
                "},\n\"traceEvents\": [\n");
    for (const Member& member : members_of(trace_)) this->member(member);
    file_.write("\n]}\n");
  }

  uint64_t slices() const { return slices_; }
  bool damaged() const { return damaged_; }

 private:
  void event(const std::string& text) {
    file_.write((first_ ? "" : ",\n") + text);
    first_ = false;
  }

  /// Ranks keep their numbers; processes that are none come behind them.
  uint64_t number_of(const Member& member) const {
    return member.rank ? *member.rank : rank_count(trace_) * (trace_.nprocs > 0) + member.number;
  }

  void member(const Member& member) {
    uint64_t pid = number_of(member);
    Process program = program_of(member);
    std::string name =
        (member.rank ? fmt::format("rank {}: ", *member.rank) : std::string()) + program.program;
    event(fmt::format(R"({{"ph": "M", "name": "process_name", "pid": {}, "args": {{"name": {}}}}})", pid,
                      json_text(name)));
    event(fmt::format(
        R"({{"ph": "M", "name": "process_sort_index", "pid": {}, "args": {{"sort_index": {}}}}})", pid, pid));
    std::set<std::string> streams;
    for (const Stream& s : program.streams)
      if (!s.layer.empty()) streams.insert(s.layer);
    named_.clear();
    uint64_t start = member.process->start_ns - first_start_;
    for (uint32_t thread : threads_of(program)) {
      placements_ = inner_placements(trace_, program, thread, facts_);
      calls(program, pid, start, thread, "", streams);
      for (const std::string& layer : streams) calls(program, pid, start, thread, layer, {});
    }
  }

  /// Without those of layers that have a stream of their own, which holds them as well.
  void calls(const Process& program, uint64_t pid, uint64_t start, uint32_t thread, const std::string& layer,
             const std::set<std::string>& left_out) {
    CallWalk walk(trace_, program, thread, {layer});
    FileTracker tracker(trace_, program, facts_, files_);
    auto placement = placements_.find(layer);
    uint64_t number = 0;
    for (Call call = walk.next(); call.signature != nullptr; call = walk.next()) {
      if (placement != placements_.end()) placement->second.place(call, number++);
      Access access = tracker.call(call);
      bool elsewhere = std::any_of(left_out.begin(), left_out.end(), [&](const std::string& other) {
        return call.signature->in_stream_of(other);
      });
      if (!elsewhere) slice(call, access, pid, start);
    }
    damaged_ |= walk.damaged();
  }

  /// Tracks in the order of layers, system calls last.
  uint64_t track(const Call& call, uint64_t pid) {
    auto layer = static_cast<uint64_t>(api::layer_number(call.signature->layer));
    uint64_t tid = uint64_t{call.thread} * (std::size(api::layers) + 1) + std::size(api::layers) - layer + 1;
    if (!named_.insert(tid).second) return tid;
    std::string name = call.signature->layer;
    if (call.thread > 0) name += fmt::format(", thread {}", call.thread);
    event(fmt::format(R"({{"ph": "M", "name": "thread_name", "pid": {}, "tid": {}, "args": {{"name": {}}}}})",
                      pid, tid, json_text(name)));
    return tid;
  }

  void slice(const Call& call, const Access& access, uint64_t pid, uint64_t start) {
    uint64_t tid = track(call, pid);
    OperandTexts texts = operand_texts(trace_, call);
    std::string args = "\"arguments\": " + json_text(texts.arguments);
    if (!texts.result.empty()) args += ", \"result\": " + json_text(texts.result);
    if (!call.signature->error.empty()) args += ", \"error\": " + json_text(call.signature->error);
    if (access.file) args += ", \"file\": " + json_text(files_[*access.file].path);
    if (access.is_data()) args += fmt::format(", \"bytes\": {}", access.bytes);
    if (access.offset) args += fmt::format(", \"offset\": {}", *access.offset);
    event(fmt::format(
        R"({{"ph": "X", "name": {}, "cat": {}, "pid": {}, "tid": {}, "ts": {}, "dur": {}, "args": {{{}}}}})",
        json_text(call.signature->function), json_text(call.signature->layer), pid, tid,
        microseconds(start + call.start_ns), microseconds(call.duration_ns), args));
    ++slices_;
  }

  const Trace& trace_;
  OutputFile& file_;
  std::vector<CallFacts> facts_;
  FileTable files_;
  std::set<uint64_t> named_;                          ///< tracks of the member
  std::map<std::string, InnerPlacement> placements_;  ///< of the thread
  uint64_t first_start_ = 0, slices_ = 0;
  bool first_ = true, damaged_ = false;
};

}  // namespace

Result<Exported> export_perfetto(const Trace& trace, const ExportOptions&, const std::filesystem::path& to) {
  OutputFile file;
  if (Result<void> opened = file.open_or_stdout(to); !opened) return tl::unexpected(opened.error());
  PerfettoWriter writer(trace, file);
  writer.run();
  if (Result<void> done = file.close(); !done) return tl::unexpected(done.error());
  Exported exported{fmt::format("{} calls", writer.slices()), {times_note(trace)}};
  if (writer.damaged()) exported.notes.push_back("the trace is damaged: calls are missing");
  return exported;
}

}  // namespace refrain::exchange
