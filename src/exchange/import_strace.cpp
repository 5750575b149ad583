// The files of `strace -ff -ttt -y [-T] -o NAME`: NAME.PID for every process and every thread. Threads are
// told by the calls of clone that made them; their calls are put in the order of time, because they share
// descriptors. Files of the system itself (libraries that are loaded, locales) are left out, as are pipes and
// sockets. A descriptor whose opening was not seen is introduced, as a recorder does.
#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>

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

/// System calls that are imported: those that are called as the functions that make them, and others.
constexpr auto same_names = std::to_array<std::string_view>({
    "open",      "openat",          "creat",           "close",      "read",     "write",
    "readv",     "writev",          "preadv",          "pwritev",    "lseek",    "fsync",
    "fdatasync", "ftruncate",       "truncate",        "fallocate",  "unlink",   "unlinkat",
    "mkdir",     "mkdirat",         "rmdir",           "rename",     "renameat", "stat",
    "lstat",     "fstat",           "access",          "dup",        "dup2",     "dup3",
    "chdir",     "readahead",       "copy_file_range", "sendfile",   "splice",   "preadv2",
    "pwritev2",  "sync_file_range", "syncfs",          "renameat2",  "link",     "linkat",
    "symlink",   "symlinkat",       "readlink",        "readlinkat", "mknod",    "statx",
    "statfs",    "fstatfs",         "faccessat",       "chmod",      "fchmod",   "fchmodat",
    "chown",     "fchown",          "lchown",          "fchownat",   "flock",    "fchdir",
});
struct SystemCall {
  std::string_view name, function;
};
constexpr std::array other_names{
    SystemCall{"pread64", "pread"},        SystemCall{"pwrite64", "pwrite"},
    SystemCall{"newfstatat", "fstatat"},   SystemCall{"fadvise64", "posix_fadvise"},
    SystemCall{"faccessat2", "faccessat"}, SystemCall{"sendfile64", "sendfile"},
};

/// Null if the call is not imported.
const api::Row* row_of(std::string_view name) {
  if (std::find(same_names.begin(), same_names.end(), name) != same_names.end()) return api::find_row(name);
  for (const SystemCall& c : other_names)
    if (c.name == name) return api::find_row(c.function);
  return nullptr;
}

/// How many calls of which name were left out, though they concern files that count.
using LeftOutCalls = std::map<std::string, uint64_t>;
constexpr size_t most_left_out_names = 100;

/// Calls that say something about a descriptor, not about its file, and rings, whose entries strace can't
/// see.
constexpr auto of_no_file =
    std::to_array<std::string_view>({"fcntl", "epoll_ctl", "close_range", "mmap", "execveat"});
constexpr auto rings = std::to_array<std::string_view>({"io_uring_enter", "io_submit"});

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

/// "STATX_TYPE|STATX_SIZE" as a number; nothing if it is something else.
std::optional<uint64_t> statx_mask(std::string_view text) {
  struct Name {
    std::string_view name;
    uint64_t value;
  };
  constexpr std::array names{
      Name{"STATX_TYPE", STATX_TYPE},
      Name{"STATX_MODE", STATX_MODE},
      Name{"STATX_NLINK", STATX_NLINK},
      Name{"STATX_UID", STATX_UID},
      Name{"STATX_GID", STATX_GID},
      Name{"STATX_ATIME", STATX_ATIME},
      Name{"STATX_MTIME", STATX_MTIME},
      Name{"STATX_CTIME", STATX_CTIME},
      Name{"STATX_INO", STATX_INO},
      Name{"STATX_SIZE", STATX_SIZE},
      Name{"STATX_BLOCKS", STATX_BLOCKS},
      Name{"STATX_BTIME", STATX_BTIME},
      Name{"STATX_BASIC_STATS", STATX_BASIC_STATS},
      Name{"STATX_ALL", 0xfff},
      Name{"STATX_MNT_ID", 0x1000},
  };
  uint64_t mask = 0;
  while (!text.empty()) {
    size_t end = std::min(text.find('|'), text.size());
    const auto* known = std::find_if(names.begin(), names.end(),
                                     [&](const Name& n) { return n.name == text.substr(0, end); });
    if (known == names.end()) return {};
    mask |= known->value;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return mask;
}

/// The words of a list of strings, as far as strace prints them: ["dd", "if=in"...]
std::string words_of(std::string_view list) {
  std::string text;
  bool inside = false;
  for (size_t i = 0; i < list.size(); ++i) {
    if (list[i] == '"') {
      if (!inside && !text.empty()) text += ' ';
      inside = !inside;
      continue;
    }
    if (inside && list[i] == '\\' && i + 1 < list.size()) ++i;
    if (inside || list[i] == '.') text += list[i];
  }
  return text;
}

/// The calls of one process, all threads in the order of time.
class StraceProcess {
 public:
  StraceProcess(Process process, LeftOutCalls& left_out) : member_(std::move(process)), left_out_(left_out) {
    filter_.set_rules(own_rules);
  }

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
    const api::Row* row = row_of(line.name);
    if (row == nullptr) {
      leave_out(line);
      return {};
    }
    Result<bool> done = call(*row, found);
    if (!done) return fail(done.error().kind, done.error().message, found.place);
    if (row->is(api::Trait::enters_folder) && line.error.empty()) chdir_seen_ = true;
    return {};
  }

  uint64_t calls() const { return member_.calls(); }
  Trace finish() {
    Trace trace = member_.finish();
    trace.command = command_;
    return trace;
  }

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
    if (command_.empty() && line.arguments.size() > 1) command_ = words_of(line.arguments[1]);
    descriptors_.clear();
  }

  bool wants(const std::string& path) const {
    return filter_.judge(path) != record::Filter::Verdict::excluded;
  }

  void leave_out(const StraceLine& line) {
    auto among = [&](const auto& names) {
      return std::find(names.begin(), names.end(), line.name) != names.end();
    };
    if (!line.error.empty() || among(of_no_file)) return;
    bool concerns =
        among(rings) || std::any_of(line.arguments.begin(), line.arguments.end(), [&](const auto& text) {
          Result<ShownDescriptor> shown = parse_descriptor(text);
          return shown && shown->is_file() && wants(shown->path);
        });
    if (concerns && (left_out_.size() < most_left_out_names || left_out_.contains(line.name)))
      ++left_out_[line.name];
  }

  /// False if the call is none of a file that counts.
  Result<bool> call(const api::Row& row, const FoundCall& found) {
    std::vector<Given> given;
    bool wanted = false;
    std::optional<int64_t> closed;
    size_t at = 0;
    for (const api::Argument& a : row.arguments) {
      bool is_last = at >= found.line.arguments.size();
      // The system call has no flags where the function has.
      if (is_last &&
          (api::form_of(a.kind) != api::Form::name || api::facts_of(a.kind).operands == api::Operands::maybe))
        break;
      const std::string text = is_last ? "0" : found.line.arguments[at++];
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
      case api::Form::number_behind: {
        // "[0]", "[0 => 4096]" or NULL
        if (!text.starts_with('[')) return Given{0, "NULL"};
        std::optional<int64_t> number = decimal(text.substr(1, text.find_first_of(" ]") - 1));
        if (!number)
          return fail(ErrorKind::bad_input, "'" + plain_name(text.substr(0, 40)) + "' is no position");
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
    // A word for no flag at all, which stands first.
    constexpr std::string_view nothing = "AT_STATX_SYNC_AS_STAT";
    if (text.starts_with(nothing)) return name(kind, text == nothing ? "0" : text.substr(nothing.size() + 1));
    std::optional<uint64_t> value = kind == api::Kind::hex ? statx_mask(text) : std::nullopt;
    if (!value) value = api::value_of(kind, text);
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
    if (!known->second.wanted) return Given{0, "other"};
    wanted = true;
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
  LeftOutCalls& left_out_;
  record::Filter filter_;
  std::map<int64_t, Descriptor> descriptors_;
  std::map<uint32_t, FreeSlots> free_;  ///< by thread
  std::string command_{};               ///< of the first program, as it was called
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

Result<Trace> strace_process(const std::vector<TracedTask>& threads, std::optional<uint32_t> rank,
                             LeftOutCalls& left_out) {
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
  StraceProcess builder(std::move(process), left_out);
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
  LeftOutCalls left_out;
  for (uint32_t i = 0; i < order.size(); ++i) {
    std::optional<uint32_t> rank = options.as_ranks ? std::optional<uint32_t>(i) : std::nullopt;
    Result<Trace> one = strace_process(processes[order[i]], rank, left_out);
    if (!one) return one;
    if (options.as_ranks) one->nprocs = static_cast<uint32_t>(order.size());
    members.push_back(std::move(*one));
  }
  std::vector<std::string> notes{
      "imported from strace, which sees system calls only: no MPI-IO, no HDF5, and buffers of stdio rather "
      "than its calls; files below /usr, /lib and /etc are left out, and what is mapped into memory"};
  if (!left_out.empty()) notes.push_back("left out: " + counted_names(left_out));
  std::string command;
  uint64_t first = UINT64_MAX;
  for (const Trace& one : members)
    for (const Process& p : one.processes)
      if (p.start_ns < first) first = p.start_ns, command = one.command;
  Trace whole = assemble_members(std::move(members), "strace", std::move(notes));
  whole.command = std::move(command);
  bool any = std::any_of(whole.processes.begin(), whole.processes.end(),
                         [](const Process& p) { return !p.streams.empty(); });
  if (!any) return fail(ErrorKind::bad_input, "no calls on files", files.front().string());
  return whole;
}

}  // namespace refrain::exchange
