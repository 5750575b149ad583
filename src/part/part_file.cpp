// Part files from the outside; see part_layout.hpp for the layout.
#include "part/part_file.hpp"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <cstring>

#include "base/bit_cast.hpp"
#include "part/raw.hpp"

namespace refrain::record {

/// Also used inside the application, hence system calls that no hook sees.
class OpenPart {
 public:
  explicit OpenPart(const char* path) : fd_(raw::open(path, O_RDONLY | O_NOFOLLOW)) {
    struct stat info;
    if (fd_ >= 0 && raw::fstat(fd_, &info) == 0 && S_ISREG(info.st_mode))
      size_ = static_cast<uint64_t>(info.st_size), regular_ = true;
  }
  ~OpenPart() {
    if (fd_ >= 0) raw::close(fd_);
  }
  OpenPart(const OpenPart&) = delete;
  OpenPart& operator=(const OpenPart&) = delete;

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

namespace {

constexpr uint64_t largest_segment = uint64_t{1} << 30;

/// The header as plain numbers.
struct PlainHeader {
  uint64_t magic, info, commit;
  Anchor anchors[2];
  uint64_t events, unsaved, lost_no_space, lost_in_handlers, lost_abandoned, lost_unknown, ending,
      start_ticks, rate, owner_pid, offered, world, rank, ranks, empty_tests, start_ns;
};
static_assert(sizeof(PlainHeader) == sizeof(PartHeader));

std::string place_of_segment(uint64_t offset) { return "segment at byte " + std::to_string(offset); }

Result<SegmentHeader> read_segment_header(const OpenPart& file, uint64_t offset) {
  SegmentHeader head;
  if (!file.read(offset, &head, sizeof head) || head.magic != segment_magic)
    return fail(ErrorKind::bad_input, "not a segment", place_of_segment(offset));
  if (head.bytes > largest_segment || head.bytes > file.size())
    return fail(ErrorKind::bad_input, "too long", place_of_segment(offset));
  return head;
}

Result<std::vector<uint8_t>> read_segment(const OpenPart& file, uint64_t offset) {
  auto head = read_segment_header(file, offset);
  if (!head) return tl::unexpected(head.error());
  std::vector<uint8_t> payload(head->bytes);
  if (!file.read(offset + sizeof *head, payload.data(), payload.size()))
    return fail(ErrorKind::bad_input, "cut short", place_of_segment(offset));
  if (XXH3_64bits(payload.data(), payload.size()) != head->checksum)
    return fail(ErrorKind::bad_input, "checksum does not match", place_of_segment(offset));
  return payload;
}

}  // namespace

bool is_unbegun(const char* path) {
  OpenPart file(path);
  PlainHeader header;
  if (file.error() != 0) return false;
  // The magic number is written last; before it there are no events. A process may be killed earlier still.
  if (file.is_empty()) return true;
  return file.read(0, &header, sizeof header) && header.magic == 0 && header.commit == 0 &&
         header.events == 0;
}

Result<PartContents> read_part_file(const char* path) {
  PartContents part;
  part.file = std::make_shared<const OpenPart>(path);
  const OpenPart& file = *part.file;
  if (file.error() != 0) return fail(ErrorKind::io, std::strerror(file.error()));
  PlainHeader header;
  if (!file.read(0, &header, sizeof header) || header.magic != part_magic)
    return fail(ErrorKind::bad_input, "not a part of a recording", "byte 0");
  auto info = read_segment(file, header.info);
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
    auto segment = read_segment_header(file, at);
    if (!segment) return tl::unexpected(segment.error());
    uint64_t bytes = sizeof(SegmentHeader) + segment->bytes;
    if (bytes > left) return fail(ErrorKind::bad_input, "overlaps another", place_of_segment(at));
    left -= bytes;
    part.closed.push_back(at);
    at = segment->previous;
  }
  std::reverse(part.closed.begin(), part.closed.end());
  part.offered = found_offer ? part.closed.size() - after_offer : 0;
  part.world = header.world;
  if (anchor.live != 0) {
    auto segment = read_segment(file, anchor.live);
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

Result<std::vector<uint8_t>> read_closed(const PartContents& part, size_t i) {
  return read_segment(*part.file, part.closed[i]);
}

}  // namespace refrain::record
