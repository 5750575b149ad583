// See client_page.hpp.
#include "coordinate/client_page.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <new>
#include <utility>

#include "base/clock.hpp"

namespace refrain::coordinate {

namespace {

tl::unexpected<Error> page_error(const std::string& path, int error) {
  return fail(error == ENOSPC ? ErrorKind::no_space : ErrorKind::io, std::strerror(error), path);
}

uint64_t random_number() {
  uint64_t number = 0;
  if (getrandom(&number, sizeof number, 0) != sizeof number) number = monotonic_ns() ^ getpid();
  return number == 0 ? 1 : number;
}

/// Writes the page to a file of its own and gives it its name when it is complete.
int make_page(const std::string& path, const PageSettings& settings) {
  std::string fresh = path + "." + std::to_string(getpid());
  unlink(fresh.c_str());
  int fd = open(fresh.c_str(), O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
  if (fd < 0) return errno;
  int error = posix_fallocate(fd, 0, sizeof(gate::Page));
  void* memory =
      error != 0 ? MAP_FAILED : mmap(nullptr, sizeof(gate::Page), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (error == 0 && memory == MAP_FAILED) error = errno;
  if (error == 0) {
    auto* page = new (memory) gate::Page;
    page->bytes = sizeof(gate::Page);
    page->gate_bytes = settings.gate_bytes;
    page->patience_ns = settings.patience_ns;
    page->idle_ns = settings.idle_ns;
    page->handover.client = random_number();
    page->handover.started_ns = monotonic_ns();
    page->client_seen_ns = monotonic_ns() + settings.patience_ns;  // it will come
    std::memcpy(page->rules, settings.rules.data(), settings.rules.size());
    page->magic = gate::page_magic;
    munmap(memory, sizeof(gate::Page));
    if (link(fresh.c_str(), path.c_str()) != 0 && errno != EEXIST) error = errno;
  }
  unlink(fresh.c_str());
  close(fd);
  return error;
}

/// A file that another user could have put there is none of ours.
bool is_ours(int fd) {
  struct stat status {};
  return fstat(fd, &status) == 0 && S_ISREG(status.st_mode) && status.st_uid == geteuid() &&
         (status.st_mode & (S_IWGRP | S_IWOTH)) == 0 && status.st_size == sizeof(gate::Page);
}

/// Whether nobody serves the page, nor has for a while: then all that would have are gone, killed.
bool is_abandoned(const std::string& path) {
  constexpr uint64_t a_while_ns = 60'000'000'000;
  int fd = open(path.c_str(), O_RDWR | O_NOFOLLOW | O_CLOEXEC);
  if (fd < 0) return false;
  bool abandoned = false;
  if (is_ours(fd) && flock(fd, LOCK_EX | LOCK_NB) == 0) {
    void* memory = mmap(nullptr, sizeof(gate::Page), PROT_READ, MAP_SHARED, fd, 0);
    const auto* page = static_cast<const gate::Page*>(memory);
    if (memory != MAP_FAILED) {
      abandoned = page->magic == gate::page_magic && page->client_seen_ns + a_while_ns < monotonic_ns();
      munmap(memory, sizeof(gate::Page));
    }
  }
  close(fd);
  return abandoned;
}

/// Pages of jobs that were killed as a whole stay behind; the next job removes them.
void remove_abandoned(const std::string& folder, const std::string& beginning) {
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error))
    if (entry.path().filename().string().starts_with(beginning) && is_abandoned(entry.path()))
      std::filesystem::remove(entry.path(), error);
}

}  // namespace

Result<PageFile> PageFile::join(const PageSettings& settings) {
  if (settings.rules.size() >= gate::max_rule_bytes)
    return fail(ErrorKind::usage, "the rules for files are longer than the gate keeps");
  PageFile file;
  std::string folder = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp";
  std::string beginning = "refrain-gate." + std::to_string(geteuid()) + ".";
  remove_abandoned(folder, beginning);
  file.path_ = folder + "/" + beginning + settings.key;
  if (int error = make_page(file.path_, settings)) return page_error(file.path_, error);
  file.fd_ = open(file.path_.c_str(), O_RDWR | O_NOFOLLOW | O_CLOEXEC);
  if (file.fd_ < 0) return page_error(file.path_, errno);
  if (!is_ours(file.fd_)) return fail(ErrorKind::io, "is not a page of this user's gate", file.path_);
  void* memory = mmap(nullptr, sizeof(gate::Page), PROT_READ | PROT_WRITE, MAP_SHARED, file.fd_, 0);
  if (memory == MAP_FAILED) return page_error(file.path_, errno);
  file.page_ = static_cast<gate::Page*>(memory);
  if (file.page_->magic != gate::page_magic || file.page_->bytes != sizeof(gate::Page))
    return fail(ErrorKind::io, "is a page of another version of Refrain", file.path_);
  file.page_->members.fetch_add(1);
  return file;
}

PageFile::PageFile(PageFile&& other) noexcept
    : path_(std::move(other.path_)),
      fd_(std::exchange(other.fd_, -1)),
      page_(std::exchange(other.page_, nullptr)) {}

PageFile::~PageFile() {
  if (page_ != nullptr) munmap(page_, sizeof(gate::Page));
  if (fd_ >= 0) close(fd_);
}

void PageFile::lock() const {
  // A description of its own: the one that was inherited is shared with the process that waits for us.
  int own = open(path_.c_str(), O_RDWR | O_CLOEXEC);
  if (own < 0) return;
  while (flock(own, LOCK_EX) != 0 && errno == EINTR) {
  }
}

void PageFile::leave() const {
  if (page_->members.fetch_sub(1) == 1) unlink(path_.c_str());
}

}  // namespace refrain::coordinate
