// See launch.hpp. Signals stay blocked from before the fork until we know the child's number, so that
// none can fall between the two.
#include "cli/launch.hpp"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fstream>

namespace refrain::cli {

namespace {

constexpr std::array ignored_signals{SIGINT, SIGQUIT};
constexpr std::array forwarded_signals{SIGTERM, SIGHUP};

volatile pid_t child_pid = 0;

void forward(int signal) {
  int saved = errno;
  if (child_pid > 0) kill(child_pid, signal);
  errno = saved;
}

/// While it lives, our signals are arranged for waiting; restores what was before.
class WaitingSignals {
 public:
  WaitingSignals() {
    sigset_t all;
    sigemptyset(&all);
    size_t slot = 0;
    for (int signal : ignored_signals) arrange(signal, SIG_IGN, all, slot);
    for (int signal : forwarded_signals) arrange(signal, forward, all, slot);
    sigprocmask(SIG_BLOCK, &all, &mask_);
    for (size_t i = 0; i < slot; ++i) install(i);
  }
  ~WaitingSignals() { restore(); }
  WaitingSignals(const WaitingSignals&) = delete;
  WaitingSignals& operator=(const WaitingSignals&) = delete;

  /// For the child: everything as it was when we were started.
  void restore() const {
    for (const Kept& kept : kept_) sigaction(kept.signal, &kept.before, nullptr);
    sigprocmask(SIG_SETMASK, &mask_, nullptr);
  }
  void unblock() const { sigprocmask(SIG_SETMASK, &mask_, nullptr); }

 private:
  struct Kept {
    int signal;
    void (*handler)(int);
    struct sigaction before;
  };

  void arrange(int signal, void (*handler)(int), sigset_t& all, size_t& slot) {
    kept_[slot++] = {signal, handler, {}};
    sigaddset(&all, signal);
  }
  void install(size_t slot) {
    Kept& kept = kept_[slot];
    sigaction(kept.signal, nullptr, &kept.before);
    // What was ignored stays ignored (nohup).
    if (kept.before.sa_handler == SIG_IGN) return;
    struct sigaction now {};
    now.sa_handler = kept.handler;
    sigaction(kept.signal, &now, nullptr);
  }

  std::array<Kept, ignored_signals.size() + forwarded_signals.size()> kept_{};
  sigset_t mask_{};
};

std::vector<char*> pointers(const std::vector<std::string>& strings) {
  std::vector<char*> result;
  for (const std::string& s : strings) result.push_back(const_cast<char*>(s.c_str()));
  result.push_back(nullptr);
  return result;
}

/// The errno that the child wrote because exec failed; 0 when the pipe was closed by a successful exec.
int exec_error(int pipe_end) {
  int error = 0;
  ssize_t got = 0;
  do {
    got = read(pipe_end, &error, sizeof error);
  } while (got < 0 && errno == EINTR);
  close(pipe_end);
  return got == static_cast<ssize_t>(sizeof error) ? error : 0;
}

/// What the kernel has counted of a process, which may have ended already, as long as nobody waited for it.
void add_kernel_count(pid_t pid, Outcome& outcome) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/io");
  std::string name;
  for (uint64_t number = 0; file >> name >> number;) {
    if (name == "rchar:") outcome.bytes_read = number;
    if (name == "wchar:") outcome.bytes_written = number;
  }
}

Outcome wait_for(pid_t pid) {
  Outcome outcome;
  siginfo_t ended;
  while (waitid(P_PID, static_cast<id_t>(pid), &ended, WEXITED | WNOWAIT) < 0 && errno == EINTR) {
  }
  add_kernel_count(pid, outcome);
  int status = 0;
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFSIGNALED(status)) outcome.signal = WTERMSIG(status);
  outcome.exit_code = outcome.signal != 0 ? 128 + outcome.signal : WEXITSTATUS(status);
  return outcome;
}

Outcome could_not_start(const std::string& what, int error) {
  Outcome outcome;
  outcome.exit_code = error == ENOENT ? exit_not_found : exit_not_executable;
  outcome.not_started = what + ": " + std::strerror(error);
  return outcome;
}

}  // namespace

Outcome launch(const std::vector<std::string>& command, const std::vector<std::string>& environment) {
  std::vector<char*> arguments = pointers(command);
  std::vector<char*> variables = pointers(environment);
  int report[2];
  if (pipe2(report, O_CLOEXEC) != 0) return could_not_start("pipe", errno);

  WaitingSignals signals;
  pid_t pid = fork();
  if (pid == 0) {
    signals.restore();
    execvpe(arguments[0], arguments.data(), variables.data());
    int error = errno;
    while (write(report[1], &error, sizeof error) < 0 && errno == EINTR) {
    }
    _exit(exit_not_found);
  }
  int fork_error = errno;
  close(report[1]);
  if (pid < 0) {
    close(report[0]);
    return could_not_start("fork", fork_error);
  }
  child_pid = pid;
  signals.unblock();
  int error = exec_error(report[0]);
  Outcome outcome = wait_for(pid);
  child_pid = 0;
  return error == 0 ? outcome : could_not_start(command[0], error);
}

}  // namespace refrain::cli
