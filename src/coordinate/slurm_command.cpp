// See slurm_command.hpp.
#include "coordinate/slurm_command.hpp"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>

extern char** environ;

namespace refrain::coordinate {

namespace {

using SteadyClock = std::chrono::steady_clock;

/// Both ends are closed with it.
struct Pipe {
  int read_end = -1;
  int write_end = -1;

  Pipe() {
    std::array<int, 2> ends{};
    if (pipe2(ends.data(), O_CLOEXEC) != 0) return;
    read_end = ends[0];
    write_end = ends[1];
  }
  ~Pipe() {
    if (read_end >= 0) close(read_end);
    close_write_end();
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  void close_write_end() {
    if (write_end >= 0) close(write_end);
    write_end = -1;
  }
};

/// Starts the program with the pipes as its output; gives its number, or the error as a negative one.
pid_t spawn(const std::vector<std::string>& words, const Pipe& out, const Pipe& err) {
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, out.write_end, 1);
  posix_spawn_file_actions_adddup2(&actions, err.write_end, 2);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t none;
  sigemptyset(&none);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
  pid_t pid = 0;
  int error = posix_spawnp(&pid, arguments[0], &actions, &attributes, arguments.data(), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return error == 0 ? pid : -error;
}

/// Reads what is there. Returns whether more may come.
bool read_some(int descriptor, std::string& text) {
  std::array<char, 65536> buffer;
  ssize_t got = read(descriptor, buffer.data(), buffer.size());
  if (got > 0) text.append(buffer.data(), static_cast<size_t>(got));
  return got > 0 || (got < 0 && errno == EINTR);
}

/// Collects both streams to their end. An empty string, or what went wrong.
std::string collect(Pipe& out, Pipe& err, const CommandLimits& limits, CommandOutcome& outcome) {
  std::array<pollfd, 2> streams{pollfd{out.read_end, POLLIN, 0}, pollfd{err.read_end, POLLIN, 0}};
  SteadyClock::time_point deadline = SteadyClock::now() + limits.time;
  while (streams[0].fd >= 0 || streams[1].fd >= 0) {
    auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - SteadyClock::now()).count();
    if (left <= 0) return "did not answer in time";
    int ready = poll(streams.data(), streams.size(), static_cast<int>(std::min<long long>(left, 1'000'000)));
    if (ready < 0 && errno != EINTR) return std::strerror(errno);
    for (pollfd& stream : streams) {
      if (ready <= 0 || stream.fd < 0 || stream.revents == 0) continue;
      if (!read_some(stream.fd, &stream == streams.data() ? outcome.out : outcome.err)) stream.fd = -1;
    }
    if (outcome.out.size() + outcome.err.size() > limits.bytes) return "prints more than it should";
  }
  return {};
}

}  // namespace

std::string CommandOutcome::complaint() const {
  size_t begin = std::min(err.find_first_not_of(" \n"), err.size());
  std::string line = err.substr(begin, std::min(err.find('\n', begin), err.size()) - begin);
  size_t word = line.find(": error: ");
  if (word != std::string::npos) line.erase(0, word + 9);
  if (line.size() > 300) line.resize(300);
  return line.empty() ? "exit code " + std::to_string(exit_code) : line;
}

Result<CommandOutcome> run_command(const std::vector<std::string>& words, const CommandLimits& limits) {
  Pipe out;
  Pipe err;
  if (out.read_end < 0 || err.read_end < 0) return fail(ErrorKind::io, std::strerror(errno), words[0]);
  pid_t pid = spawn(words, out, err);
  if (pid == -ENOENT)
    return fail(ErrorKind::usage, "there is no such program; is Slurm installed?", words[0]);
  if (pid < 0) return fail(ErrorKind::io, std::strerror(-pid), words[0]);
  out.close_write_end();
  err.close_write_end();
  CommandOutcome outcome;
  std::string trouble = collect(out, err, limits, outcome);
  if (!trouble.empty()) kill(pid, SIGKILL);
  int status = 0;
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) continue;
  if (!trouble.empty()) return fail(ErrorKind::io, trouble, words[0]);
  outcome.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return outcome;
}

}  // namespace refrain::coordinate
