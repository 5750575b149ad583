// See call_walk.hpp. The stream of a layer begins with calls that stand in the outer stream only (its
// prefix): they are taken from there first.
#include "exchange/call_walk.hpp"

#include <algorithm>

#include "trace/at_rank.hpp"

namespace refrain::exchange {

using namespace trace;

namespace {

uint64_t mean_ns(const Histogram& h) { return h.count() == 0 ? 0 : h.sum_ns() / h.count(); }

bool is_parallel(const Trace& trace) {
  return std::any_of(trace.processes.begin(), trace.processes.end(),
                     [](const Process& p) { return !p.ranks.empty(); });
}

bool any_time(const std::vector<Node>& nodes) {
  return std::any_of(nodes.begin(), nodes.end(), [](const Node& n) {
    return n.timing.duration.sum_ns() > 0 || n.timing.gap.sum_ns() > 0 || any_time(n.body);
  });
}

}  // namespace

const char* times_note(const Trace& trace) {
  for (const Process& p : trace.processes)
    for (const Stream& s : p.streams)
      if (any_time(s.nodes))
        return "times are reconstructed: the trace keeps mean gaps and durations of its calls, not the time "
               "of each";
  return "the trace has no times: every call stands at the beginning of its process";
}

std::vector<Member> members_of(const Trace& trace) {
  std::vector<Member> members;
  for (size_t i = 0; i < trace.processes.size(); ++i) {
    const Process& process = trace.processes[i];
    if (process.ranks.empty()) members.push_back({&process, i, std::nullopt});
    for (uint32_t rank : process.ranks.expand()) members.push_back({&process, i, rank});
  }
  return members;
}

std::vector<Member> members_of(const Trace& trace, uint32_t rank) {
  std::vector<Member> members;
  bool parallel = is_parallel(trace);
  for (size_t i = 0; i < trace.processes.size(); ++i) {
    const Process& process = trace.processes[i];
    if (parallel && process.ranks.contains(rank)) members.push_back({&process, i, rank});
    if (!parallel && i == rank) members.push_back({&process, i, std::nullopt});
  }
  return members;
}

uint64_t rank_count(const Trace& trace) {
  if (!is_parallel(trace)) return trace.processes.size();
  uint64_t ranks = trace.nprocs;
  for (const Process& p : trace.processes)
    if (!p.ranks.empty()) ranks = std::max<uint64_t>(ranks, uint64_t{p.ranks.last()} + 1);
  return ranks;
}

Process program_of(const Member& member) {
  if (!member.rank) return *member.process;
  return at_rank(*member.process, *member.rank, Times::keep);
}

std::vector<uint32_t> threads_of(const Process& program) {
  std::vector<uint32_t> threads;
  for (const Stream& s : program.streams) threads.push_back(s.thread);
  std::sort(threads.begin(), threads.end());
  threads.erase(std::unique(threads.begin(), threads.end()), threads.end());
  return threads;
}

CallWalk::CallWalk(const Trace& trace, const Process& program, uint32_t thread, StreamChoice choice)
    : trace_(trace), thread_(thread), layer_(std::move(choice.layer)) {
  const Stream* outer = nullptr;
  const Stream* layer = nullptr;
  for (const Stream& s : program.streams) {
    if (s.thread != thread) continue;
    if (s.layer.empty()) outer = &s;
    if (!layer_.empty() && s.layer == layer_) layer = &s;
  }
  if (outer != nullptr && layer_.empty()) add(*outer, false, UINT64_MAX);
  if (layer_.empty()) return;
  // A layer without a stream of its own has no inner calls: all of its calls stand in the outer stream.
  uint64_t before = layer == nullptr ? UINT64_MAX : static_cast<uint64_t>(layer->prefix.constant());
  if (outer != nullptr && before > 0) add(*outer, true, before);
  if (layer != nullptr) add(*layer, false, UINT64_MAX);
}

CallWalk::~CallWalk() = default;
CallWalk::CallWalk(CallWalk&&) noexcept = default;

void CallWalk::add(const Stream& stream, bool filtered, uint64_t left) {
  sources_.push_back({std::make_unique<Expander>(stream.nodes), filtered, left});
}

Call CallWalk::next() {
  uint64_t passed_ns = 0;
  while (at_ < sources_.size()) {
    Source& source = sources_[at_];
    Expander::Event e{};
    if (source.left > 0) e = source.expander->next();
    if (e.node == nullptr) {
      damaged_ |= source.expander->damaged();
      ++at_;
      continue;
    }
    Call call{&trace_.signatures[e.node->signature], e.node->signature, e.parameters, thread_};
    uint64_t gap_ns = mean_ns(e.node->timing.gap);
    call.duration_ns = mean_ns(e.node->timing.duration);
    now_ns_ += gap_ns;
    call.start_ns = now_ns_;
    now_ns_ += call.duration_ns;
    if (source.filtered && !call.signature->in_stream_of(layer_)) {
      passed_ns += gap_ns + call.duration_ns;
      continue;
    }
    --source.left;
    call.gap_ns = passed_ns + gap_ns;
    return call;
  }
  return {};
}

MemberWalk::MemberWalk(const Trace& trace, const Process& program, const StreamChoice& choice) {
  for (uint32_t thread : threads_of(program)) {
    threads_.push_back({CallWalk(trace, program, thread, choice)});
    advance(threads_.back());
  }
}

void MemberWalk::advance(Thread& thread) {
  thread.ahead = thread.walk.next();
  thread.parameters.assign(thread.ahead.parameters.begin(), thread.ahead.parameters.end());
  thread.ahead.parameters = thread.parameters;
  damaged_ |= thread.walk.damaged();
}

Call MemberWalk::next() {
  if (given_ < threads_.size()) advance(threads_[given_]);
  given_ = SIZE_MAX;
  for (size_t i = 0; i < threads_.size(); ++i) {
    if (threads_[i].ahead.signature == nullptr) continue;
    if (given_ == SIZE_MAX || threads_[i].ahead.start_ns < threads_[given_].ahead.start_ns) given_ = i;
  }
  return given_ == SIZE_MAX ? Call{} : threads_[given_].ahead;
}

}  // namespace refrain::exchange
