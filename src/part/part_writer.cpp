// Part files; see part_layout.hpp for why they are complete at every instant.
#include "part/part_writer.hpp"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <sys/resource.h>

#include <cerrno>
#include <cstring>

#include "part/kept_folder.hpp"
#include "part/raw.hpp"

namespace refrain::record {
namespace {

constexpr uint64_t rounded(uint64_t bytes, uint64_t unit = header_bytes) {
  return (bytes + unit - 1) & ~uint64_t{unit - 1};
}

/// Writing beyond the largest file that the application may make would be its end (SIGXFSZ).
bool too_large(uint64_t end) {
  struct rlimit limit {};
  return raw::call(SYS_prlimit64, 0, RLIMIT_FSIZE, nullptr, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY &&
         end > limit.rlim_cur;
}

/// 0 or an errno.
int write_all(int fd, const void* data, size_t size, uint64_t offset) {
  auto* at = static_cast<const uint8_t*>(data);
  while (size > 0) {
    long n = raw::pwrite(fd, at, size, offset);
    if (n == -EINTR) continue;
    if (n <= 0) return n == 0 ? ENOSPC : static_cast<int>(-n);
    at += n, offset += static_cast<uint64_t>(n), size -= static_cast<size_t>(n);
  }
  return 0;
}

/// Real blocks for a range that will be mapped: storing to a mapped hole of a full disk raises SIGBUS.
int reserve(int fd, uint64_t offset, size_t size) {
  long error = raw::fallocate(fd, offset, size);
  if (error == 0) return 0;
  if (error != -EOPNOTSUPP && error != -ENOSYS) return static_cast<int>(-error);
  static constexpr uint8_t zeros[header_bytes] = {};
  for (size_t done = 0; done < size; done += sizeof zeros)
    if (int e = write_all(fd, zeros, sizeof zeros, offset + done)) return e;
  return 0;
}

}  // namespace

int PartWriter::create(const char* path, std::span<const uint8_t> process_info) {
  if (std::strlen(path) >= sizeof path_) return ENAMETOOLONG;
  std::strcpy(path_, path);
  uint64_t journal_at = mapping_alignment;
  end_ = journal_at + first_journal_bytes;
  if (too_large(end_ + sizeof(SegmentHeader) + process_info.size())) return EFBIG;
  int fd = open_in_folder(path, O_RDWR | O_CREAT | O_EXCL, 0600);
  if (fd < 0) return -fd;
  int error = reserve(fd, 0, header_bytes);
  if (error == 0) error = reserve(fd, journal_at, first_journal_bytes);
  if (error == 0) error = write_segment(fd, end_, process_info, 0);
  void* page = error ? nullptr : raw::map(header_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (page != nullptr) journal_ = map_journal(fd, journal_at, first_journal_bytes);
  raw::close(fd);
  if (journal_ == nullptr) {
    if (page != nullptr) raw::unmap(page, header_bytes);
    raw::unlink(path);
    return error ? error : ENOMEM;
  }
  raw::advise(page, header_bytes, MADV_DONTFORK);
  header_ = static_cast<PartHeader*>(page);
  header_->info = end_;
  header_->owner_pid.store(raw::pid(), std::memory_order_relaxed);
  end_ = rounded(end_ + sizeof(SegmentHeader) + process_info.size());
  anchor_ = {.closed = 0, .live = 0, .journal = journal_at, .journal_bytes = first_journal_bytes};
  header_->anchors[0] = anchor_;
  capacity_ = first_journal_bytes;
  commit(0);
  header_->magic = part_magic;
  return 0;
}

void PartWriter::abandon() {
  header_ = nullptr;
  journal_ = nullptr;
}

void PartWriter::sync() {
  raw::call(SYS_msync, journal_, capacity_, MS_SYNC);
  raw::call(SYS_msync, header_, header_bytes, MS_SYNC);
}

uint8_t* PartWriter::map_journal(int fd, uint64_t offset, size_t bytes) {
  void* memory = raw::map(bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, offset);
  if (memory != nullptr) raw::advise(memory, bytes, MADV_DONTFORK);
  return static_cast<uint8_t*>(memory);
}

int PartWriter::write_segment(int fd, uint64_t offset, std::span<const uint8_t> payload, uint64_t previous) {
  SegmentHeader head{segment_magic, payload.size(), XXH3_64bits(payload.data(), payload.size()), previous};
  if (int error = write_all(fd, payload.data(), payload.size(), offset + sizeof head)) return error;
  return write_all(fd, &head, sizeof head, offset);
}

void PartWriter::advance(Anchor next) {
  anchor_ = next;
  header_->anchors[(epoch_ + 1) & 1] = next;
  ++epoch_;
  commit(0);
}

void PartWriter::put_segment(const Place& place, std::span<const uint8_t> payload) {
  SegmentHeader head{segment_magic, payload.size(), XXH3_64bits(payload.data(), payload.size()),
                     anchor_.closed};
  std::memcpy(place.memory + sizeof head, payload.data(), payload.size());
  std::memcpy(place.memory, &head, sizeof head);
}

int PartWriter::settle(size_t state_bytes) {
  int fd = open_in_folder(path_, O_RDWR);
  if (fd < 0) return -fd;
  int error = 0;
  for (Place& place : places_) {
    uint64_t at = rounded(end_, mapping_alignment);
    error = too_large(at + state_bytes) ? EFBIG : reserve(fd, at, state_bytes);
    uint8_t* memory = error == 0 ? map_journal(fd, at, state_bytes) : nullptr;
    if (memory == nullptr) break;
    place = {at, state_bytes, memory};
    end_ = at + state_bytes;
  }
  raw::close(fd);
  return error;
}

int PartWriter::save(std::span<const uint8_t> state, bool close, size_t journal_bytes) {
  size_t need = sizeof(SegmentHeader) + state.size();
  int other = live_place_ ^ 1;
  if (!close && places_[other].memory != nullptr && places_[other].capacity >= need) {
    put_segment(places_[other], state);
    live_place_ = other;
    Anchor next = anchor_;
    next.live = places_[other].offset;
    advance(next);
    return 0;
  }
  if (too_large(rounded(end_ + 2 * rounded(need), mapping_alignment) + journal_bytes)) return EFBIG;
  int fd = open_in_folder(path_, O_RDWR);
  if (fd < 0) return -fd;
  Place place = close ? Place{} : places_[other];
  if (place.capacity < need) place = {end_, close ? need : 2 * rounded(need), nullptr};
  int error = write_segment(fd, place.offset, state, anchor_.closed);
  if (error != 0) {
    raw::close(fd);
    return error;
  }
  if (place.offset == end_) end_ = rounded(end_ + place.capacity);
  Anchor next = anchor_;
  if (close) {
    next.closed = place.offset;
    next.live = 0;
  } else {
    places_[other] = place;
    live_place_ = other;
    next.live = place.offset;
  }
  uint8_t* old = nullptr;
  size_t old_bytes = capacity_;
  uint64_t journal_at = rounded(end_, mapping_alignment);
  if (journal_bytes > capacity_ && reserve(fd, journal_at, journal_bytes) == 0) {
    if (uint8_t* larger = map_journal(fd, journal_at, journal_bytes)) {
      old = journal_;
      next.journal = journal_at;
      next.journal_bytes = journal_bytes;
      journal_ = larger;
      capacity_ = journal_bytes;
      end_ = rounded(journal_at + journal_bytes);
    }
  }
  raw::close(fd);
  advance(next);
  if (old != nullptr) raw::unmap(old, old_bytes);
  return 0;
}

void PartWriter::close_live() {
  Anchor next = anchor_;
  if (next.live != 0) next.closed = next.live;
  next.live = 0;
  places_[live_place_] = {};  // its bytes stay as they are from now on
  advance(next);
}

}  // namespace refrain::record
