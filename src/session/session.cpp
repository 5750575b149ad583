// Sessions; see session.hpp. The folder holds the parts, a page per host (host_page.hpp), and marks by which
// recorders on several hosts agree who is the last.
#include "session/session.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>
#include <optional>
#include <thread>

#include "api/names.hpp"
#include "api/table.hpp"
#include "base/bytes.hpp"
#include "base/environment.hpp"
#include "base/launcher.hpp"
#include "base/version.hpp"
#include "part/filter.hpp"
#include "part/host_page.hpp"

namespace refrain::record {
namespace {

namespace fs = std::filesystem;

constexpr size_t longest_description = 1 << 20;

std::string joined(const std::vector<std::string>& words, char between) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : std::string(1, between)) + word;
  return text;
}

std::vector<uint8_t> describe(const SessionOptions& options) {
  ByteWriter out;
  out.string(joined(options.command, ' '));
  out.string(version());
  out.string(job_name().text);
  out.varint(options.layers.empty() ? std::size(api::layers) : options.layers.size());
  if (options.layers.empty())
    for (const api::LayerFacts& layer : api::layers) out.string(layer.name);
  for (const std::string& layer : options.layers) out.string(layer);
  return out.take();
}

Error system_error(const fs::path& path) {
  bool full = errno == ENOSPC || errno == EDQUOT;
  return {full ? ErrorKind::no_space : ErrorKind::io, std::strerror(errno), path.string()};
}

/// Each of them whole at once, also for other hosts: false if it is there already.
bool make_mark(const fs::path& path) {
  int fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (fd >= 0) ::close(fd);
  return fd >= 0 || errno != EEXIST;
}

std::string text_of(uint64_t number) {
  char text[17];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(number));
  return text;
}

bool is_host_page(const fs::path& path) {
  return path.extension() == ".page" && path.filename().string().starts_with("host-");
}

/// `left-HOST-COUNT`: so many recorders of a host have ended.
struct LeftMark {
  std::string host;
  uint64_t count = 0;
};
std::optional<LeftMark> read_left_mark(const fs::path& path) {
  std::string name = path.filename().string();
  if (!name.starts_with("left-") || name.size() < 23 || name[21] != '-') return std::nullopt;
  return LeftMark{name.substr(5, 16), std::strtoull(name.c_str() + 22, nullptr, 10)};
}

/// How many recorders have ended on all hosts together, by the marks that the hosts left.
uint64_t count_left(const fs::path& parts) {
  std::map<std::string, uint64_t> most;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(parts, error))
    if (auto mark = read_left_mark(entry.path())) most[mark->host] = std::max(most[mark->host], mark->count);
  uint64_t sum = 0;
  for (const auto& [host, count] : most) sum += count;
  return sum;
}

/// The pages of hosts other than the one where the recording began.
std::vector<PlainPage> read_host_pages(const fs::path& parts) {
  std::vector<PlainPage> pages;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(parts, error)) {
    if (!is_host_page(entry.path())) continue;
    PlainPage page{};
    std::ifstream in(entry.path(), std::ios::binary);
    in.read(reinterpret_cast<char*>(&page), sizeof page);
    if (in.gcount() == sizeof page && page.magic == session_magic) pages.push_back(page);
  }
  return pages;
}

/// What the remote shells of Open MPI start on other hosts: they pass on no environment. Nothing where a
/// setting could mean something to a shell.
std::string launch_agent(const std::vector<std::string>& settings, const char* variable, const char* daemon) {
  std::string agent = std::string(variable) + "=env";
  for (const std::string& setting : settings) {
    for (char c : setting)
      if (!std::isalnum(static_cast<unsigned char>(c)) && std::strchr("/._-+=:,%", c) == nullptr) return {};
    agent += " " + setting;
  }
  return agent + " " + daemon;
}

/// Writes the session file; it appears whole.
Result<void> write_session(const fs::path& parts, const SessionOptions& options) {
  auto text = describe(options);
  std::vector<uint8_t> bytes(header_bytes + text.size());
  SessionPage page{};
  page.magic = session_magic;
  page.description_bytes = text.size();
  page.host = host_number();
  for (int i = 0; i < 2; ++i) {
    struct stat output;
    if (fstat(STDOUT_FILENO + i, &output) != 0 || !S_ISREG(output.st_mode)) continue;
    page.output_device[i] = output.st_dev;
    page.output_inode[i] = output.st_ino;
  }
  std::memcpy(bytes.data(), static_cast<const void*>(&page), sizeof page);
  std::copy(text.begin(), text.end(), bytes.begin() + header_bytes);
  fs::path fresh = parts / ("session." + std::to_string(getpid()));
  std::ofstream out(fresh, std::ios::binary);
  out.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  out.close();
  bool linked = out.good() && link(fresh.c_str(), (parts / "session").c_str()) == 0;
  Error error = system_error(parts);
  unlink(fresh.c_str());
  if (!linked) return tl::unexpected(error);
  return {};
}

/// What a kernel left about the command it was made of; see kernel_entries.cpp.
std::string read_origin(const fs::path& parts) {
  std::ifstream in(parts / "origin", std::ios::binary);
  std::string text(header_bytes, '\0');
  in.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<size_t>(in.gcount()));
  return text;
}

/// What the ranks merged in place, or began to.
bool is_merged(const fs::path& path) {
  std::string name = path.filename().string();
  return name.starts_with("merged-") && (name.ends_with(".rfn") || name.ends_with(".rfn.new"));
}

}  // namespace

Result<SessionInfo> read_session(const fs::path& parts) {
  std::error_code error;
  if (!fs::is_directory(parts, error)) return fail(ErrorKind::io, "no such folder", parts.string());
  fs::path file = parts / "session";
  std::ifstream in(file, std::ios::binary);
  std::vector<uint8_t> bytes(header_bytes + longest_description);
  in.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  auto got = static_cast<size_t>(in.gcount());
  PlainPage page;
  if (got < header_bytes) return fail(ErrorKind::bad_input, "not a folder of a recording", file.string());
  std::memcpy(&page, bytes.data(), sizeof page);
  if (page.magic != session_magic || page.description_bytes > got - header_bytes)
    return fail(ErrorKind::bad_input, "not a folder of a recording", file.string());
  ByteReader text(std::span<const uint8_t>(bytes).subspan(header_bytes, page.description_bytes));
  SessionInfo info;
  info.command = text.string();
  info.version = text.string();
  info.job = text.string();
  for (size_t n = text.count(1, "too many layers"); n > 0 && text.ok(); --n)
    info.layers.emplace_back(text.string());
  if (!text.ok()) return fail(ErrorKind::bad_input, text.reason(), file.string() + ", description");
  for (const PlainPage& other : read_host_pages(parts)) {
    if (other.unrecorded > 0) page.last_error = other.last_error;
    page.unrecorded += other.unrecorded;
    page.other_mpi += other.other_mpi;
    page.meetings += other.meetings;
    page.cleared += other.cleared;
    page.unsuited += other.unsuited;
    page.emptied += other.emptied;
    page.unseen_read += other.unseen_read;
    page.unseen_written += other.unseen_written;
    page.unseen_processes += other.unseen_processes;
    page.ring_processes += other.ring_processes;
    page.processes += other.processes;
    page.ended += other.ended;
  }
  info.unrecorded = page.unrecorded;
  info.other_mpi = page.other_mpi > 0;
  info.meetings = page.meetings;
  info.cleared = page.cleared;
  info.unsuited = page.unsuited;
  info.emptied = page.emptied;
  info.unseen_read = page.unseen_read;
  info.unseen_written = page.unseen_written;
  info.unseen_processes = page.unseen_processes;
  info.ring_processes = page.ring_processes;
  info.processes = page.processes;
  info.ended = page.ended;
  info.kernel_of = read_origin(parts);
  if (info.unrecorded > 0) info.last_error = api::errno_name(static_cast<int>(page.last_error & 0xffff));
  return info;
}

uint64_t processes_recorded_into(const fs::path& parts) {
  std::error_code error;
  std::string folder = fs::canonical(parts, error).string() + "/";
  fs::path own = fs::read_symlink("/proc/self/exe", error);
  uint64_t count = 0;
  for (const auto& entry : fs::directory_iterator("/proc", error)) {
    std::string name = entry.path().filename().string();
    if (!std::all_of(name.begin(), name.end(), [](unsigned char c) { return std::isdigit(c); })) continue;
    std::error_code gone;
    if (fs::read_symlink(entry.path() / "exe", gone) == own || gone) continue;
    std::ifstream maps(entry.path() / "maps");
    bool recorded = false;
    for (std::string line; !recorded && std::getline(maps, line);)
      recorded =
          line.ends_with(folder + "session") || (line.ends_with(".page") && line.find(folder) != line.npos);
    count += recorded ? 1 : 0;
  }
  return count;
}

Result<Session> Session::start(const SessionOptions& options) {
  Session session;
  session.parts_ = options.output.string() + ".parts";
  session.preload_ = options.preload;
  session.layers_ = joined(options.layers, ',');
  session.keep_attributes_ = options.keep_attributes;
  session.heat_map_ = options.heat_map;
  if (options.all_files) session.rules_ = all_files_rule;
  for (const Rule& rule : options.rules) session.rules_ += (rule.include ? "+" : "-") + rule.pattern + "\n";
  session.rules_ = encoded_rules(session.rules_);
  bool parallel = launched().in_company();
  if (parallel && (launched().size < 1 || job_name().empty()))
    return fail(ErrorKind::io, "the launcher doesn't tell ranks how many they are, or of which job");
  bool ours = mkdir(session.parts_.c_str(), 0700) == 0;
  if (!ours && errno != EEXIST) return tl::unexpected(system_error(session.parts_));
  if (ours || parallel) {
    auto written = write_session(session.parts_, options);
    if (!written && !fs::exists(session.parts_ / "session")) {
      rmdir(session.parts_.c_str());
      return tl::unexpected(written.error());
    }
    ours = ours || written.has_value();
  }
  fs::path file = session.parts_ / "session";
  session.fd_ = ::open(file.c_str(), O_RDWR | O_CLOEXEC);
  if (session.fd_ < 0 && !ours)
    return fail(ErrorKind::io, "exists already, and is not a recording's folder", session.parts_.string());
  if (session.fd_ < 0) return tl::unexpected(system_error(file));
  if (!ours) {
    auto info = read_session(session.parts_);
    if (!info) return tl::unexpected(info.error());
    bool same_job = parallel && !info->job.empty() && info->job == job_name().text;
    if (!same_job) {
      bool live = flock(session.fd_, LOCK_SH | LOCK_NB) != 0 || flock(session.fd_, LOCK_EX | LOCK_NB) != 0;
      if (live) return fail(ErrorKind::io, "another recording is writing there", session.parts_.string());
      return fail(ErrorKind::io, "holds an earlier recording; run 'refrain merge' on it, or remove it",
                  session.parts_.string());
    }
  }
  HostPage here = map_host_page(session.parts_.c_str());
  if (here.page == nullptr) {
    errno = here.error;
    return tl::unexpected(system_error(file));
  }
  session.page_ = here.page;
  flock(session.fd_, LOCK_SH | LOCK_NB);
  session.page_->joined.fetch_add(1, std::memory_order_acq_rel);
  return session;
}

Session::Session(Session&& other) noexcept
    : parts_(std::move(other.parts_)),
      preload_(std::move(other.preload_)),
      layers_(std::move(other.layers_)),
      rules_(std::move(other.rules_)),
      keep_attributes_(other.keep_attributes_),
      heat_map_(other.heat_map_),
      page_(std::exchange(other.page_, nullptr)),
      fd_(std::exchange(other.fd_, -1)) {}

Session::~Session() {
  if (page_ != nullptr) munmap(page_, header_bytes);
  if (fd_ >= 0) ::close(fd_);
}

std::vector<std::string> Session::environment(const char* const* environment) const {
  std::vector<std::string> out;
  std::string preload = preload_.string();
  bool no_agent = launched().is_rank(), no_view = true;
  for (; environment != nullptr && *environment != nullptr; ++environment) {
    std::string_view setting = *environment;
    if (assigns(setting, environment::parts) || assigns(setting, environment::rules) ||
        assigns(setting, environment::layers) || assigns(setting, environment::keep_attributes) ||
        assigns(setting, environment::no_heat_map))
      continue;
    // In an allocation of Slurm mpirun starts its daemons by srun, which passes everything on.
    no_agent |= setting.starts_with("OMPI_MCA_orte_launch_agent=") ||
                setting.starts_with("PRTE_MCA_prte_launch_agent=") || setting.starts_with("SLURM_JOB_ID=");
    no_view &= !setting.starts_with("UCX_VFS_ENABLE=");
    if (setting.starts_with("LD_PRELOAD=")) {
      auto others = setting.substr(std::strlen("LD_PRELOAD="));
      if (!others.empty() && others.find(preload_.string()) == std::string_view::npos)
        preload.append(":").append(others);
      continue;
    }
    out.emplace_back(setting);
  }
  std::vector<std::string> ours{"LD_PRELOAD=" + preload,
                                assigned(environment::parts, fs::absolute(parts_).string())};
  if (!rules_.empty()) ours.push_back(assigned(environment::rules, rules_));
  if (!layers_.empty()) ours.push_back(assigned(environment::layers, layers_));
  if (keep_attributes_) ours.push_back(assigned(environment::keep_attributes, "1"));
  if (!heat_map_) ours.push_back(assigned(environment::no_heat_map, "1"));
  constexpr std::pair<const char*, const char*> agents[] = {
      {"OMPI_MCA_orte_launch_agent", "orted"},   // up to 4
      {"PRTE_MCA_prte_launch_agent", "prted"}};  // from 5 on
  for (const auto& [variable, daemon] : agents)
    if (std::string agent = launch_agent(ours, variable, daemon); !agent.empty() && !no_agent)
      out.push_back(agent);
  // UCX shows what it does in a file system of its own, by a thread of every rank that would be recorded, and
  // numbered before the program's own threads.
  if (no_view) out.emplace_back("UCX_VFS_ENABLE=n");
  out.insert(out.end(), ours.begin(), ours.end());
  return out;
}

uint64_t Session::processes_seen() const {
  uint64_t seen = page_->processes.load(std::memory_order_relaxed);  // also when the folder is gone
  std::vector<PlainPage> pages = read_host_pages(parts_);
  PlainPage home{};
  std::ifstream in(parts_ / "session", std::ios::binary);
  in.read(reinterpret_cast<char*>(&home), sizeof home);
  pages.push_back(home);
  for (const PlainPage& page : pages)
    if (page.host != page_->host) seen += page.processes;
  return seen;
}

bool Session::leave() {
  uint64_t left = page_->left.fetch_add(1, std::memory_order_acq_rel) + 1;
  Launched here = launched();
  if (here.in_company()) {
    // The last of each host leaves a mark, then looks for all. Marks of other hosts are seen by whoever made
    // one after them, so the last of all hosts sees every one.
    if (left < page_->joined.load(std::memory_order_acquire)) return false;
    make_mark(parts_ / ("left-" + text_of(page_->host) + "-" + std::to_string(left)));
    if (count_left(parts_) < static_cast<uint64_t>(here.size)) return false;
  }
  // Also makes an NFS client look at the folder again, which other hosts may have filled.
  return make_mark(parts_ / "merging");
}

bool Session::left_alone() const {
  if (launched().on_several_hosts() && !read_host_pages(parts_).empty()) return false;
  for (int i = 0; i < 10; ++i) {
    if (page_->joined.load(std::memory_order_acquire) > page_->left.load(std::memory_order_acquire))
      return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  return fs::exists(parts_);
}

Result<void> Session::remove() const {
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(parts_, error))
    if (entry.path().extension() == ".part" || entry.path().filename() == "session" ||
        entry.path().filename() == "origin" || entry.path().filename() == "merging" ||
        is_host_page(entry.path()) || read_left_mark(entry.path()) || is_merged(entry.path()))
      fs::remove(entry.path(), error);
  if (rmdir(parts_.c_str()) != 0) return tl::unexpected(system_error(parts_));
  return {};
}

}  // namespace refrain::record
