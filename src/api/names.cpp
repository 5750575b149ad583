// Tables of names; see names.hpp.
#include "api/names.hpp"

#include <aio.h>
#include <fcntl.h>
#include <linux/falloc.h>
#include <linux/fs.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <bit>
#include <charconv>

#include "api/name_table.hpp"

namespace refrain::api {
namespace {

#define FLAG(x) \
  Name { #x, static_cast < uint64_t>(x), static_cast < uint64_t>(x) }
#define FIELD(x, bits) \
  Name { #x, static_cast < uint64_t>(x), static_cast < uint64_t>(bits) }
#define CASE(x)                                                             \
  Name {                                                                    \
#x, static_cast < uint64_t>(static_cast <uint32_t>(x)), ~uint64_t { 0 } \
  }

// The kernel's bit, which glibc hides on 64-bit systems but fcntl(F_GETFL) shows.
#if defined(__aarch64__) || defined(__arm__)
constexpr uint64_t kernel_large_file = 0400000;
#else
constexpr uint64_t kernel_large_file = 0100000;
#endif

// Flags that contain others stand before them.
constexpr Name open_names[] = {FIELD(O_RDONLY, O_ACCMODE),
                               FIELD(O_WRONLY, O_ACCMODE),
                               FIELD(O_RDWR, O_ACCMODE),
                               FLAG(O_CREAT),
                               FLAG(O_EXCL),
                               FLAG(O_TRUNC),
                               FLAG(O_APPEND),
                               FLAG(O_SYNC),
                               FLAG(O_DSYNC),
                               FLAG(O_TMPFILE),
                               FLAG(O_DIRECTORY),
                               FLAG(O_NOFOLLOW),
                               FLAG(O_CLOEXEC),
                               FLAG(O_DIRECT),
                               FLAG(O_NOATIME),
                               FLAG(O_PATH),
                               FLAG(O_NONBLOCK),
                               FLAG(O_NOCTTY),
                               FLAG(O_ASYNC),
                               Name{"O_LARGEFILE", kernel_large_file, kernel_large_file}};
constexpr Name at_names[] = {FLAG(AT_SYMLINK_NOFOLLOW), FLAG(AT_REMOVEDIR),  FLAG(AT_SYMLINK_FOLLOW),
                             FLAG(AT_NO_AUTOMOUNT),     FLAG(AT_EMPTY_PATH), FLAG(AT_STATX_FORCE_SYNC),
                             FLAG(AT_STATX_DONT_SYNC)};
constexpr Name access_names[] = {FLAG(R_OK), FLAG(W_OK), FLAG(X_OK)};
constexpr Name whence_names[] = {CASE(SEEK_SET), CASE(SEEK_CUR), CASE(SEEK_END), CASE(SEEK_DATA),
                                 CASE(SEEK_HOLE)};
constexpr Name advice_names[] = {CASE(POSIX_FADV_NORMAL),     CASE(POSIX_FADV_RANDOM),
                                 CASE(POSIX_FADV_SEQUENTIAL), CASE(POSIX_FADV_WILLNEED),
                                 CASE(POSIX_FADV_DONTNEED),   CASE(POSIX_FADV_NOREUSE)};
constexpr Name fallocate_names[] = {FLAG(FALLOC_FL_KEEP_SIZE),      FLAG(FALLOC_FL_PUNCH_HOLE),
                                    FLAG(FALLOC_FL_COLLAPSE_RANGE), FLAG(FALLOC_FL_ZERO_RANGE),
                                    FLAG(FALLOC_FL_INSERT_RANGE),   FLAG(FALLOC_FL_UNSHARE_RANGE)};
constexpr Name rw_names[] = {FLAG(RWF_HIPRI), FLAG(RWF_DSYNC), FLAG(RWF_SYNC), FLAG(RWF_NOWAIT),
                             FLAG(RWF_APPEND)};
constexpr Name rename_names[] = {FLAG(RENAME_NOREPLACE), FLAG(RENAME_EXCHANGE), FLAG(RENAME_WHITEOUT)};
constexpr Name splice_names[] = {FLAG(SPLICE_F_MOVE), FLAG(SPLICE_F_NONBLOCK), FLAG(SPLICE_F_MORE),
                                 FLAG(SPLICE_F_GIFT)};
constexpr Name sync_names[] = {FLAG(SYNC_FILE_RANGE_WAIT_BEFORE), FLAG(SYNC_FILE_RANGE_WRITE),
                               FLAG(SYNC_FILE_RANGE_WAIT_AFTER)};
constexpr Name prot_names[] = {FLAG(PROT_READ), FLAG(PROT_WRITE), FLAG(PROT_EXEC)};
constexpr Name map_names[] = {FIELD(MAP_SHARED_VALIDATE, MAP_TYPE),
                              FIELD(MAP_SHARED, MAP_TYPE),
                              FIELD(MAP_PRIVATE, MAP_TYPE),
                              FLAG(MAP_FIXED),
                              FLAG(MAP_ANONYMOUS),
                              FLAG(MAP_NORESERVE),
                              FLAG(MAP_POPULATE),
                              FLAG(MAP_LOCKED),
                              FLAG(MAP_DENYWRITE),
                              FLAG(MAP_NONBLOCK),
                              FLAG(MAP_HUGETLB),
                              FLAG(MAP_FIXED_NOREPLACE),
                              FLAG(MAP_STACK),
                              FLAG(MAP_GROWSDOWN),
                              FLAG(MAP_SYNC)};
constexpr Name msync_names[] = {FLAG(MS_ASYNC), FLAG(MS_SYNC), FLAG(MS_INVALIDATE)};
constexpr Name flock_names[] = {FLAG(LOCK_SH), FLAG(LOCK_EX), FLAG(LOCK_UN), FLAG(LOCK_NB)};
constexpr Name lockf_names[] = {CASE(F_ULOCK), CASE(F_LOCK), CASE(F_TLOCK), CASE(F_TEST)};
constexpr Name fcntl_names[] = {CASE(F_DUPFD),           CASE(F_DUPFD_CLOEXEC),
                                CASE(F_GETFD),           CASE(F_SETFD),
                                CASE(F_GETFL),           CASE(F_SETFL),
                                CASE(F_GETLK),           CASE(F_SETLK),
                                CASE(F_SETLKW),          CASE(F_OFD_GETLK),
                                CASE(F_OFD_SETLK),       CASE(F_OFD_SETLKW),
                                CASE(F_GETOWN),          CASE(F_SETOWN),
                                CASE(F_GETSIG),          CASE(F_SETSIG),
                                CASE(F_GETLEASE),        CASE(F_SETLEASE),
                                CASE(F_NOTIFY),          CASE(F_GETPIPE_SZ),
                                CASE(F_SETPIPE_SZ),      CASE(F_ADD_SEALS),
                                CASE(F_GET_SEALS),       CASE(F_GET_RW_HINT),
                                CASE(F_SET_RW_HINT),     CASE(F_GET_FILE_RW_HINT),
                                CASE(F_SET_FILE_RW_HINT)};
constexpr Name buffering_names[] = {CASE(_IOFBF), CASE(_IOLBF), CASE(_IONBF)};
constexpr Name xattr_names[] = {FLAG(XATTR_CREATE), FLAG(XATTR_REPLACE)};
constexpr Name lio_names[] = {CASE(LIO_WAIT), CASE(LIO_NOWAIT)};

std::span<const Name> names_of(Kind kind) {
  switch (kind) {
    case Kind::open_flags:
      return open_names;
    case Kind::at_flags:
      return at_names;
    case Kind::access_mode:
      return access_names;
    case Kind::whence:
      return whence_names;
    case Kind::advice:
      return advice_names;
    case Kind::fallocate_mode:
      return fallocate_names;
    case Kind::rw_flags:
      return rw_names;
    case Kind::rename_flags:
      return rename_names;
    case Kind::splice_flags:
      return splice_names;
    case Kind::sync_flags:
      return sync_names;
    case Kind::prot:
      return prot_names;
    case Kind::map_flags:
      return map_names;
    case Kind::msync_flags:
      return msync_names;
    case Kind::flock_op:
      return flock_names;
    case Kind::lockf_op:
      return lockf_names;
    case Kind::fcntl_op:
      return fcntl_names;
    case Kind::buffering:
      return buffering_names;
    case Kind::xattr_flags:
      return xattr_names;
    case Kind::lio_mode:
      return lio_names;
    default:
      break;
  }
  auto names = mpi_names_of(kind);
  return names.empty() ? hdf5_names_of(kind) : names;
}

std::string digits_of(uint64_t value, int base) {
  char digits[24];
  auto end = std::to_chars(digits, digits + sizeof digits, value, base).ptr;
  return (base == 16 ? "0x" : base == 8 && value ? "0" : "") + std::string(digits, end);
}

/// The shortest digits that give the number back.
std::string real_text(double value) {
  char digits[32];
  return std::string(digits, std::to_chars(digits, digits + sizeof digits, value).ptr);
}

std::optional<uint64_t> real_bits(std::string_view text) {
  double value = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return std::bit_cast<uint64_t>(value);
}

}  // namespace

std::string name_of(Kind kind, uint64_t value) {
  if (kind == Kind::mode) return digits_of(value, 8);
  if (kind == Kind::h5_real) return real_text(std::bit_cast<double>(value));
  auto names = names_of(kind);
  std::string text;
  uint64_t left = value;
  for (const Name& name : names) {
    bool enumerator = name.mask == ~uint64_t{0};
    if (enumerator ? value != name.value : (value & name.mask) != name.value) continue;
    if (!enumerator && name.value != 0 && (left & name.value) == 0) continue;  // part of a flag already named
    left &= ~name.value;
    if (!text.empty()) text += '|';
    text += name.text;
    if (enumerator) return text;
  }
  if (left != 0 && kind == Kind::h5_filter) return digits_of(left, 10);
  if (left != 0) text += (text.empty() ? "" : "|") + digits_of(left, 16);
  if (text.empty()) text = kind == Kind::access_mode ? "F_OK" : "0";
  return text;
}

std::optional<uint64_t> value_of(Kind kind, std::string_view text) {
  if (kind == Kind::h5_real) return real_bits(text);
  uint64_t value = 0;
  while (!text.empty()) {
    auto bar = text.find('|');
    auto word = text.substr(0, bar);
    text = bar == std::string_view::npos ? std::string_view() : text.substr(bar + 1);
    bool known = word == "F_OK" || word == "0";
    for (const Name& name : names_of(kind))
      if (name.text == word) value |= name.value, known = true;
    if (known) continue;
    int base = word.starts_with("0x") ? 16 : word.starts_with("0") ? 8 : 10;
    if (base == 16) word.remove_prefix(2);
    uint64_t plain = 0;
    auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), plain, base);
    if (error != std::errc() || end != word.data() + word.size()) return std::nullopt;
    value |= plain;
  }
  return value;
}

std::string errno_name(int number) {
  if (const char* name = strerrorname_np(number)) return name;
  return "errno " + digits_of(static_cast<uint64_t>(number), 10);
}

}  // namespace refrain::api
