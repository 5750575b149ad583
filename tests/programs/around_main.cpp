// I/O before main and after it: constructors, objects with static storage, atexit handlers, destructors.
#include <fcntl.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>

namespace {

void note(const char* text) {
  int fd = open("notes", O_CREAT | O_WRONLY | O_APPEND, 0644);
  if (write(fd, text, std::strlen(text)) < 0) std::abort();
  close(fd);
}

__attribute__((constructor(101))) void very_early() { note("early constructor\n"); }
__attribute__((constructor)) void constructor() { note("constructor\n"); }
__attribute__((destructor)) void destructor() { note("destructor\n"); }
__attribute__((destructor(101))) void very_late() { note("late destructor\n"); }

struct Global {
  Global() : file("global") { file << "made\n"; }
  ~Global() {
    file << "gone\n";
    note("global's destructor\n");
  }
  std::ofstream file;
} global;

thread_local struct PerThread {
  ~PerThread() { note("thread's destructor\n"); }
  int used = 0;
} per_thread;

}  // namespace

int main() {
  per_thread.used = 1;
  std::atexit([] { note("atexit\n"); });
  FILE* left_open = std::fopen("left_open", "w");
  std::fputs("flushed by exit\n", left_open);
  note("main\n");
  std::puts("main");
  return 5;
}
