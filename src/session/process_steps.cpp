// A process that becomes another program by exec leaves several images, one after the other, which are
// processes of the trace. Images of one process number (pid) are one *life* if each but the last became
// another program. Marks name processes by their numbers; numbers that are used again stand for one life
// after the other.
//
// A pipe orders processes if it is known who wrote what was read: what comes first, if only one process
// writes; that nothing more comes, after all that wrote have closed it or ended. Each such fact is a step of
// the one that tells and of the one that hears. An end that comes without a mark (dup2 onto the descriptor,
// the end of the process) is taken to come with the end of the process, unless that is the reader's own
// ancestor, which may wait for it.
#include "session/process_steps.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace refrain::record {
namespace {

using trace::Step;

constexpr size_t nowhere = SIZE_MAX;

/// One process from fork to its end, as the images of it that were recorded.
struct Lifetime {
  std::vector<size_t> images{};  ///< in order
  size_t starter = nowhere;      ///< image
  size_t started_by = nowhere;   ///< its mark
};

class Stepper {
 public:
  Stepper(trace::Trace& trace, const std::vector<MarkedProcess>& marked)
      : trace_(trace), marks_(trace.processes.size()), steps_(trace.processes.size()) {
    std::map<std::pair<uint64_t, uint32_t>, const PartMarks*> by_process;
    for (const MarkedProcess& one : marked) by_process.emplace(std::pair(one.start_ns, one.pid), &one.marks);
    static const PartMarks none;
    for (size_t p = 0; p < marks_.size(); ++p) {
      auto found = by_process.find({trace.processes[p].start_ns, trace.processes[p].pid});
      marks_[p] = found == by_process.end() ? &none : found->second;
    }
  }

  void run() {
    find_lives();
    find_starts();
    find_unnamed_starts();
    for (size_t life = 0; life < lives_.size(); ++life) follow(life);
    tie_pipes();
    settle();
  }

 private:
  /// Where a step stands among those of its process: by the mark that it is made of.
  static constexpr size_t at_end = SIZE_MAX - 1;
  struct Placed {
    size_t mark = 0;
    Step step{};
  };

  void place(size_t p, size_t mark, Step::Kind kind, size_t number) {
    uint64_t at = mark >= at_end ? marks_[p]->events : marks_[p]->marks[mark].at;
    steps_[p].push_back({mark, {kind, at, static_cast<uint32_t>(number)}});
  }

  void find_lives() {
    std::map<uint32_t, std::vector<size_t>> by_pid;
    for (size_t p = 0; p < marks_.size(); ++p) by_pid[trace_.processes[p].pid].push_back(p);
    for (auto& [pid, images] : by_pid) {
      std::stable_sort(images.begin(), images.end(), [&](size_t a, size_t b) {
        return trace_.processes[a].start_ns < trace_.processes[b].start_ns;
      });
      for (size_t i = 0; i < images.size(); ++i) {
        bool goes_on = i > 0 && trace_.processes[images[i - 1]].ending == trace::Ending::replaced;
        if (!goes_on) lives_.emplace_back();
        if (goes_on) place(images[i - 1], at_end + 1, Step::Kind::becomes, images[i]);
        lives_.back().images.push_back(images[i]);
        life_of_[images[i]] = lives_.size() - 1;
      }
    }
  }

  uint64_t begin_of(size_t life) const { return trace_.processes[lives_[life].images[0]].start_ns; }

  void start(size_t life, size_t p, size_t mark) {
    lives_[life].starter = p;
    lives_[life].started_by = mark;
    place(p, mark, Step::Kind::starts, lives_[life].images[0]);
  }

  void find_starts() {
    std::map<uint32_t, std::vector<size_t>> by_pid;
    for (size_t life = 0; life < lives_.size(); ++life)
      by_pid[trace_.processes[lives_[life].images[0]].pid].push_back(life);
    for (size_t p = 0; p < marks_.size(); ++p)
      for (size_t m = 0; m < marks_[p]->marks.size(); ++m) {
        const Mark& mark = marks_[p]->marks[m];
        if (mark.what != MarkKind::started) continue;
        for (size_t life : by_pid[mark.number])
          if (lives_[life].starter == nowhere && begin_of(life) > trace_.processes[p].start_ns) {
            start(life, p, m);
            break;
          }
      }
  }

  /// What the C library started on behalf of system() and popen() is known by its parent and the time.
  void find_unnamed_starts() {
    std::map<uint32_t, std::vector<size_t>> by_parent;
    for (size_t life = 0; life < lives_.size(); ++life)
      if (lives_[life].starter == nowhere)
        by_parent[trace_.processes[lives_[life].images[0]].parent_pid].push_back(life);
    for (auto& [pid, some] : by_parent)
      std::sort(some.begin(), some.end(), [&](size_t a, size_t b) { return begin_of(a) < begin_of(b); });
    for (size_t p = 0; p < marks_.size(); ++p) {
      const std::vector<Mark>& marks = marks_[p]->marks;
      for (size_t m = 0; m < marks.size(); ++m) {
        if (marks[m].what != MarkKind::unnamed_started) continue;
        auto next = std::find_if(marks.begin() + static_cast<std::ptrdiff_t>(m) + 1, marks.end(),
                                 [](const Mark& mark) { return mark.what == MarkKind::unnamed_started; });
        uint64_t until = next == marks.end() ? UINT64_MAX : next->ticks;
        for (size_t life : by_parent[trace_.processes[p].pid])
          if (lives_[life].starter == nowhere && begin_of(life) >= marks[m].ticks && begin_of(life) < until) {
            start(life, p, m);
            break;
          }
      }
    }
  }

  /// The waits of all images of a life for those that it started.
  void follow(size_t life) {
    std::map<uint32_t, size_t> named, unnamed;  // lives by pid and by tag
    for (size_t p : lives_[life].images) {
      std::map<size_t, size_t> started;  // lives by mark
      for (const Placed& placed : steps_[p])
        if (placed.step.kind == Step::Kind::starts) started[placed.mark] = life_of_[placed.step.number];
      for (size_t m = 0; m < marks_[p]->marks.size(); ++m) {
        const Mark& mark = marks_[p]->marks[m];
        auto& waited_for = mark.what <= MarkKind::awaited ? named : unnamed;
        if (mark.what == MarkKind::started || mark.what == MarkKind::unnamed_started) {
          waited_for.erase(mark.number);
          if (started.contains(m)) waited_for[mark.number] = started[m];
        } else if (mark.what == MarkKind::awaited || mark.what == MarkKind::unnamed_ended) {
          auto found = waited_for.find(mark.number);
          if (found == waited_for.end()) continue;
          place(p, m, Step::Kind::awaits, lives_[found->second].images[0]);
          waited_for.erase(found);
        }
      }
    }
  }

  /// Who uses a pipe, and at which mark.
  struct Pipe {
    std::map<size_t, size_t> written{}, closed{}, read{}, ended{};
  };

  void tie_pipes() {
    std::map<uint32_t, Pipe> pipes;
    for (size_t p = 0; p < marks_.size(); ++p)
      for (size_t m = 0; m < marks_[p]->marks.size(); ++m) {
        const Mark& mark = marks_[p]->marks[m];
        if (mark.what == MarkKind::pipe_written) pipes[mark.number].written.emplace(p, m);
        if (mark.what == MarkKind::pipe_closed) pipes[mark.number].closed.insert_or_assign(p, m);
        if (mark.what == MarkKind::pipe_read) pipes[mark.number].read.emplace(p, m);
        if (mark.what == MarkKind::pipe_ended) pipes[mark.number].ended.emplace(p, m);
      }
    for (const auto& [number, pipe] : pipes) {
      if (pipe.written.size() == 1)
        for (const auto& [reader, mark] : pipe.read)
          tie(pipe.written.begin()->first, pipe.written.begin()->second, reader, mark);
      for (const auto& [reader, mark] : pipe.ended)
        for (const auto& [writer, written] : pipe.written) {
          auto closed = pipe.closed.find(writer);
          if (closed != pipe.closed.end())
            tie(writer, closed->second, reader, mark);
          else if (!descends(reader, writer))
            tie(writer, at_end, reader, mark);
        }
    }
  }

  void tie(size_t writer, size_t told, size_t reader, size_t heard) {
    if (life_of_[writer] == life_of_[reader]) return;
    place(writer, told, Step::Kind::tells, links_);
    place(reader, heard, Step::Kind::hears, links_);
    ++links_;
  }

  bool descends(size_t p, size_t from) const {
    size_t life = life_of_.at(p);
    for (size_t left = lives_.size(); left > 0 && lives_[life].starter != nowhere; --left) {
      life = life_of_.at(lives_[life].starter);
      if (life == life_of_.at(from)) return true;
    }
    return false;
  }

  /// Steps in their order, and processes in that of a walk over the tree.
  void settle() {
    std::vector<size_t> order, ahead;
    std::set<size_t> met;
    for (size_t p = 0; p < steps_.size(); ++p)
      std::stable_sort(steps_[p].begin(), steps_[p].end(),
                       [](const Placed& a, const Placed& b) { return a.mark < b.mark; });
    for (size_t root = 0; root < steps_.size(); ++root) {
      const Lifetime& life = lives_[life_of_[root]];
      if (life.images[0] != root || life.starter != nowhere) continue;
      ahead.push_back(root);
      while (!ahead.empty()) {
        size_t p = ahead.back();
        ahead.pop_back();
        if (!met.insert(p).second) continue;
        order.push_back(p);
        for (auto placed = steps_[p].rbegin(); placed != steps_[p].rend(); ++placed)
          if (placed->step.kind <= Step::Kind::becomes) ahead.push_back(placed->step.number);
      }
    }
    if (order.size() != steps_.size()) return;  // numbers of processes that can't be told apart
    std::vector<uint32_t> place_of(order.size());
    for (size_t i = 0; i < order.size(); ++i) place_of[order[i]] = static_cast<uint32_t>(i);
    std::vector<trace::Process> processes;
    for (size_t p : order) {
      trace::Process& process = processes.emplace_back(std::move(trace_.processes[p]));
      for (const Placed& placed : steps_[p]) {
        Step step = placed.step;
        if (step.kind <= Step::Kind::awaits) step.number = place_of[step.number];
        process.steps.push_back(step);
      }
    }
    trace_.processes = std::move(processes);
  }

  trace::Trace& trace_;
  std::vector<const PartMarks*> marks_;     ///< by process
  std::vector<std::vector<Placed>> steps_;  ///< likewise
  std::vector<Lifetime> lives_;
  std::map<size_t, size_t> life_of_;  ///< by process
  size_t links_ = 0;
};

}  // namespace

void add_steps(trace::Trace& trace, const std::vector<MarkedProcess>& marked) {
  bool parallel = trace.nprocs > 0 || std::any_of(trace.processes.begin(), trace.processes.end(),
                                                  [](const trace::Process& p) { return !p.ranks.empty(); });
  bool one_host = std::all_of(marked.begin(), marked.end(),
                              [&](const MarkedProcess& one) { return one.host == marked[0].host; });
  if (parallel || !one_host || trace.processes.size() < 2) return;
  Stepper(trace, marked).run();
}

}  // namespace refrain::record
