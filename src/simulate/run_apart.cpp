// A simulation in a process of its own: the child sends its result through a pipe and leaves without
// running exit handlers, which belong to the parent.
#include <fmt/core.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "simulate/engine.hpp"

namespace refrain::simulate {

namespace {

void send_all(int to, const std::string& text) {
  for (size_t sent = 0; sent < text.size();) {
    ssize_t n = write(to, text.data() + sent, text.size() - sent);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) _exit(1);
    sent += static_cast<size_t>(n);
  }
}

std::string receive_all(int from) {
  std::string text;
  char buffer[65536];
  while (true) {
    ssize_t n = read(from, buffer, sizeof buffer);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return text;
    text.append(buffer, static_cast<size_t>(n));
  }
}

}  // namespace

Result<std::string> run_apart(const std::function<std::string()>& make) {
  int ends[2];
  if (pipe(ends) != 0) return fail(ErrorKind::io, std::strerror(errno), "pipe");
  std::fflush(nullptr);  // or the child would print it again
  pid_t child = fork();
  if (child < 0) {
    Error error{ErrorKind::io, std::strerror(errno), "fork"};
    close(ends[0]);
    close(ends[1]);
    return tl::unexpected(error);
  }
  if (child == 0) {
    close(ends[0]);
    send_all(ends[1], make());
    _exit(0);
  }
  close(ends[1]);
  std::string text = receive_all(ends[0]);
  close(ends[0]);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return text;
  std::string how = WIFSIGNALED(status) ? fmt::format("was killed by signal {}", WTERMSIG(status))
                                        : fmt::format("ended with code {}", WEXITSTATUS(status));
  return fail(ErrorKind::limit, "the process that simulates " + how);
}

}  // namespace refrain::simulate
