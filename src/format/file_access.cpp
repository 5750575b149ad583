// Reading and writing the file as a whole, compressed. A full disk or a crash leaves either the old file or
// the new one, never a part.
#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "base/output_file.hpp"
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
  return write_whole_file(path, {reinterpret_cast<const char*>(bytes->data()), bytes->size()});
}

}  // namespace refrain::format
