// Part files from the outside; see part_layout.hpp for the layout.
#include "part/part_file.hpp"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <cstring>

#include "base/bit_cast.hpp"
#include "part/raw.hpp"

namespace refrain::record {
namespace {

constexpr uint64_t largest_segment = uint64_t{1} << 30;

/// Also used inside the application, hence system calls that no hook sees.
class File {
 public:
  explicit File(const char* path) : fd_(raw::open(path, O_RDONLY | O_NOFOLLOW)) {
    struct stat info;
    if (fd_ >= 0 && raw::fstat(fd_, &info) == 0 && S_ISREG(info.st_mode))
      size_ = static_cast<uint64_t>(info.st_size), regular_ = true;
  }
  ~File() {
    if (fd_ >= 0) raw::close(fd_);
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;

  /// 0 or an errno.
  int error() const { return fd_ >= 0 ? 0 : -fd_; }
  uint64_t size() const { return size_; }
  bool is_empty() const { return regular_ && size_ == 0; }
  bool read(uint64_t offset, void* out, size_t bytes) const {
    auto* at = static_cast<uint8_t*>(out);
    if (offset > size_ || bytes > size_ - offset) return false;
    while (bytes > 0) {
      long n = raw::pread(fd_, at, bytes, offset);
      if (n == -EINTR) continue;
      if (n <= 0) return false;
      at += n, offset += static_cast<uint64_t>(n), bytes -= static_cast<size_t>(n);
    }
    return true;
  }

 private:
  int fd_;
  uint64_t size_ = 0;
  bool regular_ = false;
};

/// The header as plain numbers.
struct PlainHeader {
  uint64_t magic, info, commit;
  Anchor anchors[2];
  uint64_t events, unsaved, lost_no_space, lost_in_handlers, lost_abandoned, lost_unknown, ending,
      start_ticks, rate, owner_pid, offered, world, rank, ranks, empty_tests, start_ns;
};
static_assert(sizeof(PlainHeader) == sizeof(PartHeader));

Result<std::vector<uint8_t>> read_segment(const File& file, uint64_t offset, uint64_t* previous) {
  SegmentHeader head;
  auto place = "segment at byte " + std::to_string(offset);
  if (!file.read(offset, &head, sizeof head) || head.magic != segment_magic)
    return fail(ErrorKind::bad_input, "not a segment", place);
  if (head.bytes > largest_segment || head.bytes > file.size())
    return fail(ErrorKind::bad_input, "too long", place);
  std::vector<uint8_t> payload(head.bytes);
  if (!file.read(offset + sizeof head, payload.data(), payload.size()))
    return fail(ErrorKind::bad_input, "cut short", place);
  if (XXH3_64bits(payload.data(), payload.size()) != head.checksum)
    return fail(ErrorKind::bad_input, "checksum does not match", place);
  if (previous != nullptr) *previous = head.previous;
  return payload;
}

}  // namespace

bool is_unbegun(const char* path) {
  File file(path);
  PlainHeader header;
  if (file.error() != 0) return false;
  // The magic number is written last; before it there are no events. A process may be killed earlier still.
  if (file.is_empty()) return true;
  return file.read(0, &header, sizeof header) && header.magic == 0 && header.commit == 0 &&
         header.events == 0;
}

Result<PartContents> read_part_file(const char* path) {
  File file(path);
  if (file.error() != 0) return fail(ErrorKind::io, std::strerror(file.error()));
  PlainHeader header;
  if (!file.read(0, &header, sizeof header) || header.magic != part_magic)
    return fail(ErrorKind::bad_input, "not a part of a recording", "byte 0");
  PartContents part;
  auto info = read_segment(file, header.info, nullptr);
  if (!info) return tl::unexpected(info.error());
  part.process_info = std::move(*info);

  const Anchor& anchor = header.anchors[header.commit >> 32 & 1];
  uint64_t used = header.commit & 0xffffffff;
  if (anchor.journal_bytes > largest_journal_bytes || used > anchor.journal_bytes)
    return fail(ErrorKind::bad_input, "bad journal", "byte 16");
  part.journal.resize(used + journal_slack);
  if (!file.read(anchor.journal, part.journal.data(), used))
    return fail(ErrorKind::bad_input, "cut short", "journal at byte " + std::to_string(anchor.journal));
  part.journal_used = used;

  // Segments lie in any order but never in each other's place: together they are no longer than the file.
  uint64_t left = file.size();
  size_t after_offer = 0;
  bool found_offer = false;
  for (uint64_t at = anchor.closed; at != 0;) {
    found_offer |= at == header.offered;
    if (!found_offer) ++after_offer;
    auto place = "segment at byte " + std::to_string(at);
    auto segment = read_segment(file, at, &at);
    if (!segment) return tl::unexpected(segment.error());
    uint64_t bytes = sizeof(SegmentHeader) + segment->size();
    if (bytes > left) return fail(ErrorKind::bad_input, "overlaps another", place);
    left -= bytes;
    part.closed.push_back(std::move(*segment));
  }
  std::reverse(part.closed.begin(), part.closed.end());
  part.offered = found_offer ? part.closed.size() - after_offer : 0;
  part.world = header.world;
  if (anchor.live != 0) {
    auto segment = read_segment(file, anchor.live, nullptr);
    if (!segment) return tl::unexpected(segment.error());
    part.live = std::move(*segment);
  }
  part.unsaved = header.unsaved;
  part.lost_no_space = header.lost_no_space;
  part.lost_in_handlers = header.lost_in_handlers;
  part.lost_abandoned = header.lost_abandoned;
  part.lost_unknown = header.lost_unknown;
  part.ending = header.ending;
  part.start_ticks = header.start_ticks;
  part.start_ns = header.start_ns;
  part.owner_pid = header.owner_pid;
  part.rank = header.rank;
  part.ranks = header.ranks;
  part.empty_tests = header.empty_tests;
  part.ns_per_tick = bit_cast<double>(header.rate);
  if (!(part.ns_per_tick > 0 && part.ns_per_tick < 1e6)) part.ns_per_tick = 1;
  return part;
}

}  // namespace refrain::record
