// The files of `strace -ff -ttt -y [-T] -o NAME`: NAME.PID for every process and every thread. Threads are
// told by the calls of clone that made them; their calls are put in the order of time, because they share
// descriptors. Files of the system itself (libraries that are loaded, locales) are left out, as are pipes and
// sockets. A descriptor whose opening was not seen is introduced, as a recorder does.
#include <fcntl.h>
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <set>

#include "api/names.hpp"
#include "exchange/free_slots.hpp"
#include "exchange/importers.hpp"
#include "exchange/input_lines.hpp"
#include "exchange/strace_line.hpp"
#include "exchange/trace_builder.hpp"
#include "part/filter.hpp"
#include "trace/text.hpp"

namespace refrain::exchange {

using namespace trace;

namespace {

/// System calls that are imported, and the functions that make them.
struct SystemCall {
  std::string_view name, function;
};
constexpr std::array system_calls{
    SystemCall{"open", "open"},
    SystemCall{"openat", "openat"},
    SystemCall{"creat", "creat"},
    SystemCall{"close", "close"},
    SystemCall{"read", "read"},
    SystemCall{"write", "write"},
    SystemCall{"pread64", "pread"},
    SystemCall{"pwrite64", "pwrite"},
    SystemCall{"readv", "readv"},
    SystemCall{"writev", "writev"},
    SystemCall{"preadv", "preadv"},
    SystemCall{"pwritev", "pwritev"},
    SystemCall{"lseek", "lseek"},
    SystemCall{"fsync", "fsync"},
    SystemCall{"fdatasync", "fdatasync"},
    SystemCall{"ftruncate", "ftruncate"},
    SystemCall{"truncate", "truncate"},
    SystemCall{"fallocate", "fallocate"},
    SystemCall{"unlink", "unlink"},
    SystemCall{"unlinkat", "unlinkat"},
    SystemCall{"mkdir", "mkdir"},
    SystemCall{"mkdirat", "mkdirat"},
    SystemCall{"rmdir", "rmdir"},
    SystemCall{"rename", "rename"},
    SystemCall{"renameat", "renameat"},
    SystemCall{"stat", "stat"},
    SystemCall{"lstat", "lstat"},
    SystemCall{"fstat", "fstat"},
    SystemCall{"newfstatat", "fstatat"},
    SystemCall{"access", "access"},
    SystemCall{"dup", "dup"},
    SystemCall{"dup2", "dup2"},
    SystemCall{"dup3", "dup3"},
    SystemCall{"chdir", "chdir"},
};

constexpr std::string_view own_rules = "-/usr/**\n-/lib/**\n-/lib64/**\n-/etc/**\n";

/// A call with where it was found.
struct FoundCall {
  StraceLine line{};
  uint32_t thread = 0;
  std::string place{};
};

/// What one file says before its calls are looked at.
struct TracedTask {
  std::filesystem::path file{};
  uint32_t pid = 0;
  uint32_t process = 0;  ///< pid of the process it is a thread of, or its own
};

Result<void> for_each_call(const std::filesystem::path& file,
                           const std::function<Result<void>(StraceLine&, const InputLines&)>& use) {
  InputLines lines;
  if (Result<void> opened = lines.open(file); !opened) return opened;
  return for_each_line(lines, [&]() -> Result<void> {
    if (lines.line().empty()) return {};
    Result<std::optional<StraceLine>> parsed = parse_strace_line(lines.line());
    if (!parsed) return lines.bad(parsed.error().message);
    return *parsed ? use(**parsed, lines) : Result<void>{};
  });
}

/// Lengths of the buffers of "[{iov_base="a"..., iov_len=10}, {...}]".
std::vector<int64_t> buffer_lengths(std::string_view text) {
  constexpr std::string_view key = "iov_len=";
  std::vector<int64_t> lengths;
  for (size_t at = text.find(key); at != text.npos; at = text.find(key, at)) {
    at += key.size();
    size_t end = std::min(text.find_first_not_of("0123456789", at), text.size());
    lengths.push_back(decimal(text.substr(at, end - at)).value_or(0));
  }
  return lengths;
}

/// The calls of one process, all threads in the order of time.
class StraceProcess {
 public:
  explicit StraceProcess(Process process) : member_(std::move(process)) { filter_.set_rules(own_rules); }

  Result<void> add(const FoundCall& found) {
    const StraceLine& line = found.line;
    if (begin_ns_ == 0) begin_ns_ = member_.process().start_ns = line.start_ns;
    if (line.name == "execve" && line.error.empty()) began(line);
    if (line.name == "fcntl" && line.arguments.size() > 1 && line.arguments[1].starts_with("F_DUPFD")) {
      FoundCall copy = found;
      copy.line.name = "dup";
      copy.line.arguments.resize(1);
      return add(copy);
    }
    const auto* known = std::find_if(system_calls.begin(), system_calls.end(),
                                     [&](const SystemCall& c) { return c.name == line.name; });
    if (known == system_calls.end()) return {};
    const api::Row& row = *api::find_row(known->function);
    Result<bool> done = call(row, found);
    if (!done) return fail(done.error().kind, done.error().message, found.place);
    if (line.name == "chdir" && line.error.empty()) chdir_seen_ = true;
    return {};
  }

  uint64_t calls() const { return member_.calls(); }
  Trace finish() { return member_.finish(); }

 private:
  struct Descriptor {
    int64_t slot = 0;
    uint32_t thread = 0;  ///< that made it
    bool wanted = false;
  };

  void began(const StraceLine& line) {
    Process& process = member_.process();
    if (line.arguments.empty()) return;
    if (Result<std::string> program = unquoted(line.arguments[0])) process.program = *program;
    process.arguments = {process.program};
    descriptors_.clear();
  }

  bool wants(const std::string& path) const {
    return filter_.judge(path) != record::Filter::Verdict::excluded;
  }

  /// False if the call is none of a file that counts.
  Result<bool> call(const api::Row& row, const FoundCall& found) {
    std::vector<Given> given;
    bool wanted = false;
    std::optional<int64_t> closed;
    size_t at = 0;
    for (const api::Argument& a : row.arguments) {
      if (at >= found.line.arguments.size()) break;
      const std::string& text = found.line.arguments[at++];
      if (api::form_of(a.kind) == api::Form::implied) continue;
      Result<Given> one = argument(a.kind, text, found, wanted);
      if (!one) return tl::unexpected(one.error());
      if (api::ends(a.kind)) closed = parse_descriptor(text)->number;
      given.push_back(std::move(*one));
    }
    int64_t result = found.line.result;
    bool makes = api::facts_of(row.result).use == api::Use::made && found.line.error.empty();
    if (wanted && makes) result = made(found);
    if (makes && !wanted) descriptors_[found.line.result] = {};
    if (wanted)
      if (Result<void> done = put(row, given, result, found); !done) return tl::unexpected(done.error());
    if (closed && found.line.error.empty()) close(*closed);
    return wanted;
  }

  Result<Given> argument(api::Kind kind, const std::string& text, const FoundCall& found, bool& wanted) {
    switch (api::form_of(kind)) {
      case api::Form::system_handle:
        return handle(text, found, wanted);
      case api::Form::path: {
        Result<std::string> path = unquoted(text);
        if (!path) return tl::unexpected(path.error());
        // An empty one stands for the descriptor before it.
        wanted |= !path->empty() && wants(path->starts_with('/') ? *path : folder_ + "/" + *path);
        return Given{0, *path};
      }
      case api::Form::name:
        return name(kind, text);
      case api::Form::number: {
        std::optional<int64_t> number = decimal(text.substr(0, text.find('<')));
        if (!number)
          return fail(ErrorKind::bad_input, "'" + plain_name(text.substr(0, 40)) + "' is no number");
        return Given{*number};
      }
      case api::Form::vector:
        return Given{0, "", Operand::own_thread, buffer_lengths(text)};
      default:
        return Given{};
    }
  }

  /// As the tables of names spell it, so that imported calls equal recorded ones.
  static Given name(api::Kind kind, const std::string& text) {
    std::optional<uint64_t> value = api::value_of(kind, text);
    return value ? Given{static_cast<int64_t>(*value)} : Given{0, text};
  }

  Result<Given> handle(const std::string& text, const FoundCall& found, bool& wanted) {
    Result<ShownDescriptor> shown = parse_descriptor(text);
    if (!shown) return tl::unexpected(shown.error());
    if (shown->number == ShownDescriptor::at_working_folder) {
      if (!shown->path.empty()) folder_ = shown->path;
      if (!chdir_seen_ && member_.process().directory.empty()) member_.process().directory = shown->path;
      return Given{0, "AT_FDCWD"};
    }
    auto known = descriptors_.find(shown->number);
    if (known == descriptors_.end()) {
      Result<Descriptor> introduced = introduce(*shown, found);
      if (!introduced) return tl::unexpected(introduced.error());
      known = descriptors_.emplace(shown->number, *introduced).first;
    }
    wanted |= known->second.wanted;
    Given given{known->second.slot};
    if (known->second.thread != found.thread) given.thread = static_cast<int32_t>(known->second.thread);
    return given;
  }

  /// A descriptor from before the first line.
  Result<Descriptor> introduce(const ShownDescriptor& shown, const FoundCall& found) {
    if (!shown.is_file() || !wants(shown.path)) return Descriptor{};
    Descriptor made{free_[found.thread].take(), found.thread, true};
    const api::Row& row = *api::find_row("inherited");
    FoundCall before = found;
    before.line.duration_ns = 0;
    before.line.error.clear();
    Result<void> done = put(row, {{shown.number}, {0, shown.path}, {O_RDWR}, {0}}, made.slot, before);
    if (!done) return tl::unexpected(done.error());
    return made;
  }

  int64_t made(const FoundCall& found) {
    close(found.line.result);
    Descriptor fresh{free_[found.thread].take(), found.thread, true};
    descriptors_[found.line.result] = fresh;
    return fresh.slot;
  }

  void close(int64_t number) {
    auto known = descriptors_.find(number);
    if (known == descriptors_.end()) return;
    if (known->second.wanted) free_[known->second.thread].give_back(known->second.slot);
    descriptors_.erase(known);
  }

  Result<void> put(const api::Row& row, const std::vector<Given>& given, int64_t result,
                   const FoundCall& found) {
    Result<ImportedCall> call = call_of_row(row.name, given, result);
    if (!call) return tl::unexpected(call.error());
    call->error = found.line.error;
    call->start_ns = found.line.start_ns > begin_ns_ ? found.line.start_ns - begin_ns_ : 0;
    call->end_ns = call->start_ns + found.line.duration_ns;
    return member_.add(*call, found.thread);
  }

  MemberBuilder member_;
  record::Filter filter_;
  std::map<int64_t, Descriptor> descriptors_;
  std::map<uint32_t, FreeSlots> free_;  ///< by thread
  std::string folder_ = "/";
  uint64_t begin_ns_ = 0;
  bool chdir_seen_ = false;
};

/// The number behind the last dot of NAME.PID.
std::optional<uint32_t> pid_of(const std::filesystem::path& file) {
  std::string extension = file.extension().string();
  if (extension.size() < 2) return {};
  std::optional<int64_t> pid = decimal(std::string_view(extension).substr(1));
  if (!pid || *pid < 1 || *pid > INT32_MAX) return {};
  return static_cast<uint32_t>(*pid);
}

/// Finds out which files are threads of which.
Result<std::vector<TracedTask>> tasks_of(const std::vector<std::filesystem::path>& files) {
  std::vector<TracedTask> tasks;
  std::map<uint32_t, uint32_t> parents;  // threads
  for (size_t i = 0; i < files.size(); ++i) {
    uint32_t pid = pid_of(files[i]).value_or(static_cast<uint32_t>(i + 1));
    tasks.push_back({files[i], pid, pid});
    Result<void> done = for_each_call(files[i], [&](StraceLine& line, const InputLines&) -> Result<void> {
      bool clones = line.name == "clone" || line.name == "clone3";
      bool is_thread = clones && std::any_of(line.arguments.begin(), line.arguments.end(),
                                             [](const auto& a) { return a.find("CLONE_THREAD") != a.npos; });
      if (is_thread && line.result > 0) parents[static_cast<uint32_t>(line.result)] = pid;
      return {};
    });
    if (!done) return tl::unexpected(done.error());
  }
  for (TracedTask& task : tasks)
    for (size_t steps = 0; parents.contains(task.process) && steps < tasks.size(); ++steps)
      task.process = parents[task.process];
  return tasks;
}

Result<Trace> strace_process(const std::vector<TracedTask>& threads, std::optional<uint32_t> rank) {
  std::vector<FoundCall> calls;
  for (uint32_t t = 0; t < threads.size(); ++t) {
    auto keep = [&](StraceLine& line, const InputLines& lines) -> Result<void> {
      calls.push_back({std::move(line), t, lines.place()});
      return {};
    };
    if (Result<void> done = for_each_call(threads[t].file, keep); !done) return tl::unexpected(done.error());
  }
  std::stable_sort(calls.begin(), calls.end(),
                   [](const FoundCall& a, const FoundCall& b) { return a.line.start_ns < b.line.start_ns; });
  Process process{.pid = threads[0].pid, .ending = Ending::exited};
  if (rank) process.ranks = RankSet::range(*rank, 1);
  if (rank) process.pid = 0;
  StraceProcess builder(std::move(process));
  for (const FoundCall& found : calls)
    if (Result<void> done = builder.add(found); !done) return tl::unexpected(done.error());
  return builder.finish();
}

}  // namespace

Result<Trace> import_strace(const std::vector<std::filesystem::path>& files, const ImportOptions& options) {
  Result<std::vector<TracedTask>> tasks = tasks_of(files);
  if (!tasks) return tl::unexpected(tasks.error());
  std::vector<uint32_t> order;
  std::map<uint32_t, std::vector<TracedTask>> processes;
  for (const TracedTask& task : *tasks) {
    auto& threads = processes[task.process];
    if (threads.empty()) order.push_back(task.process);
    threads.insert(task.pid == task.process ? threads.begin() : threads.end(), task);
  }
  std::vector<Trace> members;
  for (uint32_t i = 0; i < order.size(); ++i) {
    Result<Trace> one =
        strace_process(processes[order[i]], options.as_ranks ? std::optional<uint32_t>(i) : std::nullopt);
    if (!one) return one;
    if (options.as_ranks) one->nprocs = static_cast<uint32_t>(order.size());
    members.push_back(std::move(*one));
  }
  Trace whole = assemble_members(
      std::move(members), "strace",
      {"imported from strace, which sees system calls only: no MPI-IO, no HDF5, and buffers of stdio rather "
       "than its calls; files below /usr, /lib and /etc are left out, and what is mapped into memory"});
  bool any = std::any_of(whole.processes.begin(), whole.processes.end(),
                         [](const Process& p) { return !p.streams.empty(); });
  if (!any) return fail(ErrorKind::bad_input, "no calls on files", files.front().string());
  return whole;
}

}  // namespace refrain::exchange
