// Reading and writing the file as a whole, compressed. A new trace is written beside the old one, flushed and
// renamed, so that a full disk or a crash leaves either the old file or the new one, never a part.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "format/compression.hpp"
#include "format/file.hpp"
#include "format/file_code.hpp"

namespace refrain::format {

using namespace trace;

namespace {

namespace fs = std::filesystem;

class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int get() const { return fd_; }
  bool ok() const { return fd_ >= 0; }

 private:
  int fd_;
};

tl::unexpected<Error> system_error(const fs::path& path, int code) {
  return fail(ErrorKind::io, std::strerror(code), path.string());
}

/// 0 or the error code.
int write_all(int fd, std::span<const uint8_t> bytes) {
  while (!bytes.empty()) {
    ssize_t n = ::write(fd, bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return errno;
    bytes = bytes.subspan(static_cast<size_t>(n));
  }
  return 0;
}

int write_and_sync(const fs::path& path, std::span<const uint8_t> bytes, int flags) {
  Descriptor file(::open(path.c_str(), O_WRONLY | O_CLOEXEC | flags, 0666));
  if (!file.ok()) return errno;
  if (int code = write_all(file.get(), bytes)) return code;
  bool regular = flags & O_CREAT;
  return regular && ::fsync(file.get()) != 0 ? errno : 0;
}

/// Makes a rename in this folder durable; failing to is no reason to give up the file.
void sync_folder(const fs::path& folder) {
  Descriptor fd(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (fd.ok()) (void)::fsync(fd.get());
}

/// Where the bytes go in the end: behind symbolic links.
fs::path target_of(const fs::path& path) {
  std::error_code code;
  if (!fs::is_symlink(path, code)) return path;
  fs::path target = fs::weakly_canonical(path, code);
  return code ? path : target;
}

bool is_device(const fs::path& path) {
  struct stat status;
  return ::stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode);
}

}  // namespace

std::vector<uint8_t> encode(const Trace& trace) {
  bool over_limit = false;
  return encode_with(trace, &zstd_codec, over_limit);
}

Result<std::vector<uint8_t>> encode_within_limits(const Trace& trace) {
  bool over_limit = false;
  std::vector<uint8_t> bytes = encode_with(trace, &zstd_codec, over_limit);
  if (over_limit) return fail(ErrorKind::limit, "the trace is larger than readers accept");
  return bytes;
}

Result<Trace> decode(std::span<const uint8_t> bytes) { return decode_with(bytes, &zstd_codec); }

Result<Trace> read_file(const fs::path& path) {
  Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.ok()) return system_error(path, errno);
  std::vector<uint8_t> bytes;
  for (;;) {
    constexpr size_t chunk = size_t{1} << 20;
    size_t have = bytes.size();
    bytes.resize(have + chunk);
    ssize_t n = ::read(file.get(), bytes.data() + have, chunk);
    bytes.resize(have + static_cast<size_t>(n > 0 ? n : 0));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return system_error(path, errno);
    if (n == 0) break;
  }
  Result<Trace> trace = decode(bytes);
  if (trace) return trace;
  Error error = trace.error();
  error.where = path.string() + (error.where.empty() ? "" : ": " + error.where);
  return tl::unexpected(std::move(error));
}

Result<void> write_file(const Trace& trace, const fs::path& path) {
  Result<std::vector<uint8_t>> bytes = encode_within_limits(trace);
  if (!bytes) return within(path.string(), bytes.error());
  fs::path target = target_of(path);
  if (is_device(target)) {
    int code = write_and_sync(target, *bytes, 0);
    if (code) return system_error(path, code);
    return {};
  }
  fs::path beside = target;
  beside += ".tmp" + std::to_string(::getpid());
  int code = write_and_sync(beside, *bytes, O_CREAT | O_TRUNC);
  if (code == 0 && ::rename(beside.c_str(), target.c_str()) != 0) code = errno;
  if (code) {
    ::unlink(beside.c_str());
    return system_error(path, code);
  }
  sync_folder(target.has_parent_path() ? target.parent_path() : fs::path("."));
  return {};
}

}  // namespace refrain::format
