// Sessions; see session.hpp. The folder holds one page, `session`, that all processes share, and the parts.
#include "record/session.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <fstream>
#include <thread>

#include "api/names.hpp"
#include "api/table.hpp"
#include "base/bytes.hpp"
#include "base/launcher.hpp"
#include "record/part_layout.hpp"

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
  out.string(REFRAIN_VERSION);
  out.string(job_name().text);
  auto known = api::layers();
  out.varint(options.layers.empty() ? known.size() : options.layers.size());
  if (options.layers.empty())
    for (auto layer : known) out.string(layer);
  for (const std::string& layer : options.layers) out.string(layer);
  return out.take();
}

Error system_error(const fs::path& path) {
  bool full = errno == ENOSPC || errno == EDQUOT;
  return {full ? ErrorKind::no_space : ErrorKind::io, std::strerror(errno), path.string()};
}

SessionPage* map_page(int fd) {
  void* page = mmap(nullptr, header_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  return page == MAP_FAILED ? nullptr : static_cast<SessionPage*>(page);
}

/// Writes the session file; it appears whole.
Result<void> write_session(const fs::path& parts, const SessionOptions& options) {
  auto text = describe(options);
  std::vector<uint8_t> bytes(header_bytes + text.size());
  SessionPage page{};
  page.magic = session_magic;
  page.description_bytes = text.size();
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
  struct {
    uint64_t magic, processes, unrecorded, last_error, other_mpi, meetings, joined, left, description_bytes;
  } page;
  static_assert(sizeof page == offsetof(SessionPage, gatherings));
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
  info.unrecorded = page.unrecorded;
  info.other_mpi = page.other_mpi > 0;
  info.meetings = page.meetings;
  info.kernel_of = read_origin(parts);
  if (info.unrecorded > 0) info.last_error = api::errno_name(static_cast<int>(page.last_error & 0xffff));
  return info;
}

Result<Session> Session::start(const SessionOptions& options) {
  Session session;
  session.parts_ = options.output.string() + ".parts";
  session.preload_ = options.preload;
  session.layers_ = joined(options.layers, ',');
  session.keep_attributes_ = options.keep_attributes;
  for (const Rule& rule : options.rules) session.rules_ += (rule.include ? "+" : "-") + rule.pattern + "\n";
  bool ours = mkdir(session.parts_.c_str(), 0700) == 0;
  if (!ours && errno != EEXIST) return tl::unexpected(system_error(session.parts_));
  bool parallel = launched().size > 1;
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
  session.page_ = session.fd_ < 0 ? nullptr : map_page(session.fd_);
  if (session.page_ == nullptr) return tl::unexpected(system_error(file));
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
      page_(std::exchange(other.page_, nullptr)),
      fd_(std::exchange(other.fd_, -1)) {}

Session::~Session() {
  if (page_ != nullptr) munmap(page_, header_bytes);
  if (fd_ >= 0) ::close(fd_);
}

std::vector<std::string> Session::environment(const char* const* environment) const {
  std::vector<std::string> out;
  std::string preload = preload_.string();
  for (; environment != nullptr && *environment != nullptr; ++environment) {
    std::string_view setting = *environment;
    if (setting.starts_with("REFRAIN_PARTS=") || setting.starts_with("REFRAIN_RULES=") ||
        setting.starts_with("REFRAIN_LAYERS=") || setting.starts_with("REFRAIN_KEEP_ATTRIBUTES="))
      continue;
    if (setting.starts_with("LD_PRELOAD=")) {
      auto others = setting.substr(std::strlen("LD_PRELOAD="));
      if (!others.empty() && others.find(preload_.string()) == std::string_view::npos)
        preload.append(":").append(others);
      continue;
    }
    out.emplace_back(setting);
  }
  out.push_back("LD_PRELOAD=" + preload);
  out.push_back("REFRAIN_PARTS=" + fs::absolute(parts_).string());
  if (!rules_.empty()) out.push_back("REFRAIN_RULES=" + rules_);
  if (!layers_.empty()) out.push_back("REFRAIN_LAYERS=" + layers_);
  if (keep_attributes_) out.emplace_back("REFRAIN_KEEP_ATTRIBUTES=1");
  return out;
}

uint64_t Session::processes_seen() const { return page_->processes.load(std::memory_order_relaxed); }

bool Session::leave() {
  auto ranks = static_cast<uint64_t>(std::max(launched().size, int64_t{1}));
  return page_->left.fetch_add(1, std::memory_order_acq_rel) + 1 >= ranks;
}

bool Session::left_alone() const {
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
        entry.path().filename() == "origin" || is_merged(entry.path()))
      fs::remove(entry.path(), error);
  if (rmdir(parts_.c_str()) != 0) return tl::unexpected(system_error(parts_));
  return {};
}

}  // namespace refrain::record
