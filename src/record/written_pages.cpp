// See written_pages.hpp.
#include "record/written_pages.hpp"

#include <linux/userfaultfd.h>
#include <sys/auxv.h>
#include <sys/ioctl.h>
#include <sys/resource.h>

#include <algorithm>
#include <atomic>

#include "part/kept_folder.hpp"
#include "record/readable_memory.hpp"

namespace refrain::record {
namespace {

// As in headers of Linux 6.7, which may be newer than those that this is compiled with.
constexpr uint64_t only_faults_of_users = 1;     // UFFD_USER_MODE_ONLY: needs no privilege
constexpr uint64_t without_messages = 1 << 15;   // UFFD_FEATURE_WP_ASYNC
constexpr uint64_t is_written = 1 << 1;          // PAGE_IS_WRITTEN
constexpr uint64_t is_present = 1 << 3;          // PAGE_IS_PRESENT
constexpr uint64_t is_swapped = 1 << 4;          // PAGE_IS_SWAPPED: or marked, without a page
constexpr uint64_t protect_again = 1 << 0;       // PM_SCAN_WP_MATCHING
constexpr uint64_t only_if_registered = 1 << 1;  // PM_SCAN_CHECK_WPASYNC
struct PageRegion {
  uint64_t begin, end, categories;
};
struct PageScan {
  uint64_t size = 0, flags = 0, start = 0, end = 0, walk_end = 0, regions = 0, region_count = 0,
           max_pages = 0;
  uint64_t category_inverted = 0, category_mask = 0, category_anyof_mask = 0, return_mask = 0;
};
constexpr unsigned long scan_request = _IOWR('f', 16, PageScan);

/// Marking takes a word of a page table per page, for pages that nobody uses, too: 128 MiB for this much.
constexpr uint64_t most_bytes = uint64_t{64} << 30;

enum : int { not_tried = -1, impossible = -2 };
std::atomic<int> descriptor{not_tried};
std::atomic<uint64_t> descriptor_inode{0};

bool watches_still(int fd) {
  struct stat info;
  return fd >= 0 && raw::fstat(fd, &info) == 0 &&
         info.st_ino == descriptor_inode.load(std::memory_order_relaxed) && !S_ISREG(info.st_mode);
}

int open_pagemap() { return raw::open("/proc/self/pagemap", O_RDONLY); }

/// A userfaultfd that write-protects without messages, or a negative number.
int open_watching_descriptor() {
  int pages = open_pagemap();
  if (pages < 0) return impossible;
  raw::close(pages);
  int low = static_cast<int>(raw::call(SYS_userfaultfd, O_CLOEXEC | O_NONBLOCK | only_faults_of_users));
  if (low < 0) return impossible;
  uffdio_api api{.api = UFFD_API, .features = without_messages, .ioctls = 0};
  int fd = raw::call(SYS_ioctl, low, UFFDIO_API, &api) == 0 ? high_copy(low) : impossible;
  raw::close(low);
  struct stat info;
  if (fd < 0 || raw::fstat(fd, &info) != 0) return impossible;
  descriptor_inode.store(info.st_ino, std::memory_order_relaxed);
  return fd;
}

/// Two threads that come here at the same time open one each; the second stays open, unused.
int get_descriptor() {
  int fd = descriptor.load(std::memory_order_acquire);
  if (fd == not_tried) {
    fd = open_watching_descriptor();
    descriptor.store(fd, std::memory_order_release);
  }
  return watches_still(fd) ? fd : impossible;
}

bool protect(int fd, uint64_t begin, uint64_t end) {
  uffdio_writeprotect request{.range = {.start = begin, .len = end - begin},
                              .mode = UFFDIO_WRITEPROTECT_MODE_WP};
  return raw::call(SYS_ioctl, fd, UFFDIO_WRITEPROTECT, &request) == 0;
}

/// Puts together what is next to each other.
class Runs {
 public:
  Runs(VisitRun visit, void* context) : visit_(visit), context_(context) {}
  void add(uint64_t begin, uint64_t end) {
    if (begin != end_) finish();
    if (begin_ == end_) begin_ = begin;
    end_ = end;
  }
  void finish() {
    if (begin_ < end_) visit_(context_, begin_, end_);
    begin_ = end_ = 0;
  }

 private:
  VisitRun visit_;
  void* context_;
  uint64_t begin_ = 0, end_ = 0;
};

/// A page that was stored into and has no entry any more was written back and dropped, or lay in a part of
/// the file that was cut off. `fd` protects those again that the scan leaves out.
void add_region(const PageRegion& region, int fd, Runs& runs) {
  bool present = (region.categories & is_present) != 0, marked = (region.categories & is_swapped) != 0;
  bool written = (region.categories & is_written) != 0;
  if (!written && (present || marked)) return;
  if (!written) protect(fd, region.begin, region.end);
  uint64_t end = present ? region.end : end_of_file_in(region.begin, region.end);
  if (region.begin < end) runs.add(region.begin, end);
}

}  // namespace

uint64_t page_bytes() { return getauxval(AT_PAGESZ); }

bool watch_pages(uint64_t begin, uint64_t end) {
  if (end - begin > most_bytes) return false;
  int fd = get_descriptor();
  if (fd < 0) return false;
  uffdio_register request{
      .range = {.start = begin, .len = end - begin}, .mode = UFFDIO_REGISTER_MODE_WP, .ioctls = 0};
  return raw::call(SYS_ioctl, fd, UFFDIO_REGISTER, &request) == 0 && protect(fd, begin, end);
}

uint64_t take_written_pages(uint64_t begin, uint64_t end, VisitRun visit, void* context) {
  int fd = get_descriptor(), pages = fd < 0 ? -1 : open_pagemap();
  if (pages < 0) return begin;
  constexpr size_t most = 64;  // at a time: the stack may be a small one
  PageRegion regions[most];
  Runs runs(visit, context);
  uint64_t at = begin;
  while (at < end) {
    PageScan scan{.size = sizeof(PageScan),
                  .flags = protect_again | only_if_registered,
                  .start = at,
                  .end = end,
                  .regions = reinterpret_cast<uint64_t>(regions),
                  .region_count = most,
                  .return_mask = is_written | is_present | is_swapped};
    long found = raw::call(SYS_ioctl, pages, scan_request, &scan);
    if (found < 0 || scan.walk_end <= at) break;
    for (long i = 0; i < found; ++i) add_region(regions[i], fd, runs);
    at = scan.walk_end;
  }
  raw::close(pages);
  runs.finish();
  return at;
}

uint64_t end_of_file_in(uint64_t begin, uint64_t end) {
  uint64_t page = page_bytes();
  if (begin >= end || readable_word(end - page)) return end;
  while (begin < end) {
    uint64_t middle = begin + (end - begin) / page / 2 * page;
    if (readable_word(middle))
      begin = middle + page;
    else
      end = middle;
  }
  return end;
}

int watching_descriptor() {
  int fd = descriptor.load(std::memory_order_acquire);
  return is_watching_descriptor(fd) ? fd : -1;
}

bool is_watching_descriptor(int fd) {
  if (fd < 0 || fd != descriptor.load(std::memory_order_acquire)) [[likely]]
    return false;
  KeepErrno keep;
  return watches_still(fd);
}

void stop_watching_pages() {
  int fd = descriptor.exchange(not_tried, std::memory_order_acq_rel);
  if (watches_still(fd)) raw::close(fd);
}

}  // namespace refrain::record
