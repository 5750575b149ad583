// An exception thrown by a stream's write function travels through the C library's frames and the recorder's.
#include <fcntl.h>
#include <unistd.h>

#include <cstdio>
#include <stdexcept>

namespace {

ssize_t throwing(void*, const char*, size_t) { throw std::runtime_error("no room"); }

}  // namespace

int main() {
  int fd = open("data", O_CREAT | O_WRONLY, 0644);
  for (int i = 0; i < 3; ++i) {
    FILE* stream = fopencookie(nullptr, "w", {nullptr, throwing, nullptr, nullptr});
    std::setvbuf(stream, nullptr, _IONBF, 0);
    try {
      std::fputs("text", stream);
      std::puts("not thrown");
    } catch (const std::exception& error) {
      std::puts(error.what());
    }
    if (write(fd, "after\n", 6) != 6) return 1;
  }
  close(fd);
  return 0;
}
