// Process information of a part; see process_info.hpp. The gathering half runs in the application.
#include "record/process_info.hpp"

#include <stdlib.h>
#include <sys/utsname.h>

#include <algorithm>
#include <cstring>

#include "record/raw.hpp"

namespace refrain::record {
namespace {

constexpr size_t longest_arguments = 64 << 10;

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

/// A number that a launcher put into the environment, or -1.
int64_t launcher_number(std::initializer_list<const char*> names) {
  for (const char* name : names)
    if (const char* value = getenv(name); value != nullptr && *value >= '0' && *value <= '9')
      return strtol(value, nullptr, 10);
  return -1;
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
    long n = raw::call(SYS_read, fd, text + kept, sizeof text - kept);
    if (n <= 0) break;
    std::string_view piece(text, kept + static_cast<size_t>(n));
    found = piece.find(path_end) != std::string_view::npos;
    kept = std::min(piece.size(), path_end.size());
    std::memmove(text, piece.data() + piece.size() - kept, kept);
  }
  raw::close(fd);
  return found;
}

bool is_launcher() {
  char path[4096];
  long n = raw::readlink("/proc/self/exe", path, sizeof path);
  std::string_view name(path, n > 0 ? static_cast<size_t>(n) : 0);
  name = name.substr(name.rfind('/') + 1);
  for (std::string_view launcher : {"orterun", "orted", "mpirun", "mpiexec", "mpiexec.hydra",
                                    "hydra_pmi_proxy", "prterun", "prte", "prted", "srun", "slurmstepd"})
    if (name == launcher) return true;
  return false;
}

std::vector<uint8_t> process_info(const ProcessKey& key) {
  ByteWriter out;
  out.varint(1);  // version
  out.varint(key.lane);
  out.varint(raw::pid());
  out.varint(raw::parent_pid());
  out.varint(key.start_ns);
  out.string(host_name());
  out.string(link_target("/proc/self/exe"));
  out.string(link_target("/proc/self/cwd"));
  auto words = arguments();
  out.varint(words.size());
  for (const std::string& word : words) out.string(word);
  out.svarint(launcher_number({"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK"}));
  out.svarint(launcher_number({"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"}));
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
  if (rank >= 0 && static_cast<uint64_t>(rank) <= trace::RankSet::max_rank)
    owner.process.ranks = trace::RankSet::range(static_cast<uint32_t>(rank), 1);
  if (size > 0 && static_cast<uint64_t>(size) <= trace::RankSet::max_rank)
    owner.nprocs = static_cast<uint32_t>(size);
}

}  // namespace refrain::record
