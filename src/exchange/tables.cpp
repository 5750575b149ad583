#include "exchange/tables.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "exchange/call_walk.hpp"
#include "exchange/file_tracker.hpp"
#include "exchange/operand_text.hpp"
#include "jobs/job_phases.hpp"

namespace refrain::exchange {

using namespace trace;

namespace {

constexpr Column calls_table[] = {
    {"process", true}, {"rank", true},       {"thread", true},        {"stream", false},
    {"call", true},    {"start_ns", true},   {"gap_ns", true},        {"duration_ns", true},
    {"layer", false},  {"function", false},  {"arguments", false},    {"result", false},
    {"error", false},  {"bytes_read", true}, {"bytes_written", true}, {"file", true},
    {"offset", true},  {"kinds", false},     {"bracket", true},
};
constexpr Column files_table[] = {
    {"file", true},  {"path", false},  {"members", true},    {"opens", true},
    {"reads", true}, {"writes", true}, {"bytes_read", true}, {"bytes_written", true},
};
constexpr Column ranks_table[] = {
    {"process", true},    {"rank", true},       {"pid", true},        {"program", false},
    {"arguments", false}, {"directory", false}, {"start_ns", true},   {"elapsed_ns", true},
    {"ending", false},    {"calls", true},      {"bytes_read", true}, {"bytes_written", true},
    {"lost", true},
};
constexpr Column phases_table[] = {
    {"phase", true},
    {"repeat", true},
    {"compute_ns", true},
    {"bytes", true},
};
constexpr Column trace_table[] = {
    {"key", false},
    {"value", false},
};

/// What is added up of a file or a member.
struct Sums {
  uint64_t members = 0, opens = 0, reads = 0, writes = 0, bytes_read = 0, bytes_written = 0;
  size_t last_member = SIZE_MAX;

  void add(const Access& access, size_t member) {
    if (last_member != member) ++members;
    last_member = member;
    opens += access.kind == Access::Kind::open;
    reads += access.kind == Access::Kind::read;
    writes += access.kind == Access::Kind::write;
    (access.kind == Access::Kind::write ? bytes_written : bytes_read) += access.bytes;
  }
};

Cell cell(uint64_t number) { return static_cast<int64_t>(number); }
Cell maybe(std::optional<uint32_t> number) { return number ? cell(*number) : Cell{}; }

const char* ending_name(Ending ending) {
  switch (ending) {
    case Ending::exited:
      return "exited";
    case Ending::replaced:
      return "replaced";
    case Ending::early:
      return "early";
  }
  return "";
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
  return text;
}

class TraceTables {
 public:
  TraceTables(const Trace& trace, const ExportOptions& options, TableWriter& out)
      : trace_(trace), options_(options), out_(out), facts_(call_facts(trace)), members_(members_of(trace)) {
    for (const Signature& s : trace.signatures) kinds_.push_back(kinds_text(s));
    first_start_ = UINT64_MAX;
    for (const Process& p : trace.processes) first_start_ = std::min(first_start_, p.start_ns);
  }

  Result<Exported> run() {
    for (auto write : {&TraceTables::facts, &TraceTables::calls, &TraceTables::files, &TraceTables::ranks,
                       &TraceTables::phases})
      if (Result<void> done = (this->*write)(); !done) return tl::unexpected(done.error());
    Exported exported{.summary = fmt::format("{} calls, {} files", calls_, files_.size())};
    exported.notes.emplace_back(times_note(trace_));
    if (damaged_) exported.notes.push_back("the trace is damaged: calls are missing");
    return exported;
  }

 private:
  Result<void> facts() {
    if (Result<void> begun = out_.table("trace", trace_table); !begun) return begun;
    auto row = [&](std::string_view key, std::string_view value) {
      out_.row(std::array<Cell, 2>{key, value});
    };
    row("command", trace_.command);
    row("host", trace_.host);
    row("recorder", trace_.recorder);
    row("ranks", std::to_string(trace_.nprocs));
    for (const std::string& layer : trace_.layers) row("layer", layer);
    for (const std::string& note : trace_.notes) row("note", note);
    row("times", times_note(trace_));
    return {};
  }

  Result<void> calls() {
    if (Result<void> begun = out_.table("calls", calls_table); !begun) return begun;
    sums_.resize(members_.size());
    call_counts_.resize(members_.size());
    for (size_t m = 0; m < members_.size(); ++m) {
      Process program = program_of(members_[m]);
      std::set<std::string> layers{options_.layer};
      if (options_.layer_streams)
        for (const Stream& s : program.streams) layers.insert(s.layer);
      for (const std::string& layer : layers)
        for (uint32_t thread : threads_of(program)) stream(m, program, thread, layer);
    }
    return {};
  }

  void stream(size_t m, const Process& program, uint32_t thread, const std::string& layer) {
    bool counted = layer == options_.layer;
    FileTracker tracker(trace_, program, facts_, files_);
    CallWalk walk(trace_, program, thread, {layer});
    uint64_t number = 0;
    for (Call call = walk.next(); call.signature != nullptr; call = walk.next(), ++number) {
      Access access = tracker.call(call);
      if (access.file && counted) file(*access.file).add(access, m);
      if (counted) sums_[m].add(access, m);
      call_row(m, call, access, number, layer);
      ++calls_;
      if (counted) ++call_counts_[m];
    }
    damaged_ |= walk.damaged();
  }

  void call_row(size_t m, const Call& call, const Access& access, uint64_t number, const std::string& layer) {
    const Member& member = members_[m];
    OperandTexts texts = operand_texts(trace_, call);
    uint64_t start = member.process->start_ns - first_start_ + call.start_ns;
    Cell none;
    bool read = access.kind == Access::Kind::read, written = access.kind == Access::Kind::write;
    out_.row(std::array<Cell, std::size(calls_table)>{
        cell(member.number), maybe(member.rank), cell(call.thread), std::string_view(layer), cell(number),
        cell(start), cell(call.gap_ns), cell(call.duration_ns), std::string_view(call.signature->layer),
        std::string_view(call.signature->function), std::string_view(texts.arguments),
        std::string_view(texts.result), std::string_view(call.signature->error),
        read ? cell(access.bytes) : none, written ? cell(access.bytes) : none,
        access.file ? cell(*access.file) : none, access.offset ? Cell(*access.offset) : none,
        std::string_view(kinds_[call.number]), Cell(static_cast<int64_t>(call.signature->bracket))});
  }

  Sums& file(size_t number) {
    if (number >= file_sums_.size()) file_sums_.resize(number + 1);
    return file_sums_[number];
  }

  Result<void> files() {
    if (Result<void> begun = out_.table("files", files_table); !begun) return begun;
    for (size_t i = 0; i < files_.size(); ++i) {
      const Sums& s = file(i);
      out_.row(std::array<Cell, std::size(files_table)>{
          cell(i), std::string_view(files_[i].path), cell(s.members), cell(s.opens), cell(s.reads),
          cell(s.writes), cell(s.bytes_read), cell(s.bytes_written)});
    }
    return {};
  }

  Result<void> ranks() {
    if (Result<void> begun = out_.table("ranks", ranks_table); !begun) return begun;
    for (size_t m = 0; m < members_.size(); ++m) {
      const Member& member = members_[m];
      const Process& p = *member.process;
      std::string arguments = joined(p.arguments);
      bool early = member.rank && p.ended_early.contains(*member.rank);
      uint64_t lost = p.ranks.size() > 1 ? 0 : p.loss.total();
      for (const RankLoss& loss : p.losses)
        if (member.rank == loss.rank) lost = loss.loss.total();
      out_.row(std::array<Cell, std::size(ranks_table)>{
          cell(member.number), maybe(member.rank), p.pid == 0 ? Cell{} : cell(p.pid),
          std::string_view(p.program), std::string_view(arguments), std::string_view(p.directory),
          cell(p.start_ns), cell(p.elapsed_ns), ending_name(early ? Ending::early : p.ending),
          cell(call_counts_[m]), cell(sums_[m].bytes_read), cell(sums_[m].bytes_written), cell(lost)});
    }
    return {};
  }

  /// Compute and I/O of the job, as `refrain jobs` cuts them; none if nothing was read or written.
  Result<void> phases() {
    if (Result<void> begun = out_.table("phases", phases_table); !begun) return begun;
    Result<jobs::TraceJob> job = jobs::job_of(trace_, {});
    if (!job) return {};
    for (const schedule::Block& block : job->job.blocks)
      for (uint32_t i = 0; i < block.count; ++i) {
        const schedule::Phase& phase = job->job.phases[block.first + i];
        out_.row(std::array<Cell, std::size(phases_table)>{cell(block.first + i), cell(block.repeat),
                                                           Cell(int64_t{phase.compute}),
                                                           Cell(std::llround(phase.volume))});
      }
    return {};
  }

  const Trace& trace_;
  const ExportOptions& options_;
  TableWriter& out_;
  std::vector<CallFacts> facts_;
  std::vector<Member> members_;
  std::vector<std::string> kinds_;
  uint64_t first_start_ = 0;
  FileTable files_;
  std::vector<Sums> file_sums_, sums_;
  std::vector<uint64_t> call_counts_;
  uint64_t calls_ = 0;
  bool damaged_ = false;
};

}  // namespace

std::span<const Column> call_columns() { return calls_table; }

Result<Exported> write_tables(const Trace& trace, const ExportOptions& options, TableWriter& out) {
  return TraceTables(trace, options, out).run();
}

}  // namespace refrain::exchange
