// Process information of a part; see process_info.hpp. The gathering half runs in the application.
#include "part/process_info.hpp"

#include <sys/utsname.h>

#include <algorithm>
#include <cstring>

#include "base/launcher.hpp"
#include "part/raw.hpp"

namespace refrain::record {
namespace {

constexpr size_t longest_arguments = 64 << 10;

/// The program as is_launcher() found it: a process that gave up its rights may not ask again.
char known_program[4096];

std::string link_target(const char* path) {
  std::string target(4096, 0);  // on the heap: the application's stack may be small
  long n = raw::readlink(path, target.data(), target.size());
  target.resize(n > 0 ? static_cast<size_t>(n) : 0);
  return target;
}

std::vector<std::string> arguments() {
  std::vector<char> text(longest_arguments);
  int fd = raw::open("/proc/self/cmdline", O_RDONLY);
  long n = fd < 0 ? 0 : raw::pread(fd, text.data(), text.size(), 0);
  if (fd >= 0) raw::close(fd);
  std::vector<std::string> words;
  for (long at = 0; at < n;) {
    size_t length = strnlen(text.data() + at, static_cast<size_t>(n - at));
    words.emplace_back(text.data() + at, length);
    at += static_cast<long>(length) + 1;
  }
  return words;
}

}  // namespace

const char* host_name() {
  static utsname name = [] {
    utsname n;
    if (uname(&n) != 0) std::strcpy(n.nodename, "host");
    n.nodename[40] = 0;
    for (char* c = n.nodename; *c != 0; ++c)
      if (!((*c >= '0' && *c <= '9') || (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') || *c == '.'))
        *c = '_';
    return n;
  }();
  return name.nodename;
}

bool has_library(std::string_view path_end) {
  int fd = raw::open("/proc/self/maps", O_RDONLY);
  if (fd < 0) return false;
  char text[4096];
  size_t kept = 0;  // of the piece before, in case the path was cut
  bool found = false;
  while (!found) {
    long n = raw::read(fd, text + kept, sizeof text - kept);
    if (n <= 0) break;
    std::string_view piece(text, kept + static_cast<size_t>(n));
    found = piece.find(path_end) != std::string_view::npos;
    kept = std::min(piece.size(), path_end.size());
    std::memmove(text, piece.data() + piece.size() - kept, kept);
  }
  raw::close(fd);
  return found;
}

bool starts_ranks() {
  long n = raw::readlink("/proc/self/exe", known_program, sizeof known_program - 1);
  known_program[n > 0 ? n : 0] = 0;
  const char* slash = std::strrchr(known_program, '/');
  const char* name = slash == nullptr ? known_program : slash + 1;
  if (is_launcher(name)) return true;
  // By which launchers reach other hosts.
  bool remote_shell = std::strcmp(name, "ssh") == 0 || std::strcmp(name, "rsh") == 0;
  return remote_shell && parent_is_launcher() && !launched().is_rank();
}

std::vector<uint8_t> process_info(const ProcessKey& key) {
  ByteWriter out;
  out.varint(1);  // version
  out.varint(key.lane);
  out.varint(raw::pid());
  out.varint(raw::parent_pid());
  out.varint(key.start_ns);
  out.string(host_name());
  std::string program = link_target("/proc/self/exe");
  out.string(program.empty() ? known_program : program);
  out.string(link_target("/proc/self/cwd"));
  auto words = arguments();
  out.varint(words.size());
  for (const std::string& word : words) out.string(word);
  Launched place = launched();
  out.svarint(place.rank);
  out.svarint(place.size);
  return out.take();
}

PartOwner read_process_info(ByteReader& in) {
  PartOwner owner;
  if (in.varint() != 1) in.fail("process information of another version");
  owner.lane = static_cast<uint32_t>(in.bounded(1 << 16, "bad thread number"));
  owner.process.pid = static_cast<uint32_t>(in.bounded(~uint32_t{0}, "bad process number"));
  owner.process.parent_pid = static_cast<uint32_t>(in.bounded(~uint32_t{0}, "bad process number"));
  owner.process.start_ns = in.varint();
  owner.host = in.string();
  owner.process.program = in.string();
  owner.process.directory = in.string();
  for (size_t n = in.count(1, "too many arguments"); n > 0 && in.ok(); --n)
    owner.process.arguments.emplace_back(in.string());
  int64_t rank = in.svarint();
  set_rank(owner, rank, in.svarint());
  return owner;
}

void set_rank(PartOwner& owner, int64_t rank, int64_t size) {
  owner.process.ranks = {};
  owner.nprocs = 0;
  if (size > 0 && rank >= size) return;  // of different launchers
  if (rank >= 0 && static_cast<uint64_t>(rank) <= trace::RankSet::max_rank)
    owner.process.ranks = trace::RankSet::range(static_cast<uint32_t>(rank), 1);
  if (size > 0 && static_cast<uint64_t>(size) <= trace::RankSet::max_rank)
    owner.nprocs = static_cast<uint32_t>(size);
}

}  // namespace refrain::record
