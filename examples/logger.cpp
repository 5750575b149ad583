// A service's day in miniature: it appends log lines through C++ streams, rotates the log, keeps a
// tab-separated index through stdio, and reads both back for a report.
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <memory>
#include <string>

namespace {

constexpr int rotations = 3;
constexpr int lines_per_log = 400;

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, CloseFile>;

std::string log_name(int rotation) { return "service." + std::to_string(rotation) + ".log"; }

[[noreturn]] void die(const std::string& what) {
  std::perror(what.c_str());
  std::exit(EXIT_FAILURE);
}

void write_log(int rotation) {
  std::ofstream log(log_name(rotation));
  for (int line = 0; line < lines_per_log; ++line) {
    log << "request " << line << " of period " << rotation << " took " << (line * 7919 + rotation) % 503
        << " us\n";
    if (line % 100 == 99) log << std::flush;
  }
  if (!log) die(log_name(rotation));
}

void append_index(int rotation) {
  File index(std::fopen("service.index", rotation == 0 ? "w" : "a"));
  if (!index) die("service.index");
  std::fprintf(index.get(), "%d\t%s\t%d\n", rotation, log_name(rotation).c_str(), lines_per_log);
}

int slow_requests(const std::string& name) {
  std::ifstream log(name);
  std::string word;
  int slow = 0;
  while (log >> word) {
    int microseconds = 0;
    if (word == "took" && log >> microseconds && microseconds > 400) ++slow;
  }
  return slow;
}

}  // namespace

int main() {
  for (int rotation = 0; rotation < rotations; ++rotation) {
    write_log(rotation);
    append_index(rotation);
  }
  File index(std::fopen("service.index", "r"));
  if (!index) die("service.index");
  char name[128];
  int rotation = 0;
  int lines = 0;
  while (std::fscanf(index.get(), "%d\t%127s\t%d\n", &rotation, name, &lines) == 3) {
    std::cout << name << ": " << slow_requests(name) << " of " << lines << " requests were slow\n";
  }
  return 0;
}
