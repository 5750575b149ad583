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

#include <algorithm>
#include <charconv>
#include <iterator>
#include <span>

#include "base/bit_cast.hpp"
#include "base/real_text.hpp"

namespace refrain::api {
namespace {

// The kernel's bit, which glibc hides on 64-bit systems but fcntl(F_GETFL) shows.
#if defined(__aarch64__) || defined(__arm__)
constexpr uint64_t kernel_large_file = 0400000;
#else
constexpr uint64_t kernel_large_file = 0100000;
#endif

struct Name {
  Kind kind;
  std::string_view text;
  uint64_t value;
  uint64_t mask;  ///< bits that must equal `value`; all bits for an enumerator
};
constexpr uint64_t all_bits = ~uint64_t{0};

/// Enumerators are 32-bit numbers.
constexpr uint64_t enumerator(int64_t value) { return static_cast<uint32_t>(value); }

constexpr Name all_names[] = {
#define FLAG(kind, name, value, bits) {Kind::kind, #name, static_cast<uint64_t>(value), bits},
#define CASE(kind, name, value) {Kind::kind, #name, enumerator(value), all_bits},
#define SYSTEM_FLAG(kind, name) {Kind::kind, #name, static_cast<uint64_t>(name), static_cast<uint64_t>(name)},
#define SYSTEM_FIELD(kind, name, bits) \
  {Kind::kind, #name, static_cast<uint64_t>(name), static_cast<uint64_t>(bits)},
#define SYSTEM_CASE(kind, name) {Kind::kind, #name, enumerator(name), all_bits},
#include "api/layers.def"
};

/// Names of one kind are neighbors.
std::span<const Name> names_of(Kind kind) {
  if (Kind other = facts_of(kind).named_like; other != Kind::end) kind = other;
  auto of_kind = [&](const Name& name) { return name.kind == kind; };
  const Name* first = std::find_if(std::begin(all_names), std::end(all_names), of_kind);
  return {first, std::find_if_not(first, std::end(all_names), of_kind)};
}

std::string digits_of(uint64_t value, int base) {
  char digits[24];
  auto end = std::to_chars(digits, digits + sizeof digits, value, base).ptr;
  return (base == 16 ? "0x" : base == 8 && value ? "0" : "") + std::string(digits, end);
}

std::optional<uint64_t> real_bits(std::string_view text) {
  double value = 0;
  auto [end, error] = read_real(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return bit_cast<uint64_t>(value);
}

#if !__GLIBC_PREREQ(2, 32)
const char* strerrorname_np(int number) {
  switch (number) {
#define ERROR(name) \
  case name:        \
    return #name;
#include "api/posix/errors.def"
  }
  return nullptr;
}
#endif

}  // namespace

std::string name_of(Kind kind, uint64_t value) {
  Spelling spelling = facts_of(kind).spelling;
  if (spelling == Spelling::octal) return digits_of(value, 8);
  if (spelling == Spelling::real) return real_text(bit_cast<double>(value));
  auto names = names_of(kind);
  std::string text;
  uint64_t left = value;
  for (const Name& name : names) {
    bool whole = name.mask == all_bits;
    if (whole ? value != name.value : (value & name.mask) != name.value) continue;
    if (!whole && name.value != 0 && (left & name.value) == 0) continue;  // part of a flag already named
    left &= ~name.value;
    if (!text.empty()) text += '|';
    text += name.text;
    if (whole) return text;
  }
  if (left != 0 && spelling == Spelling::decimal) return digits_of(left, 10);
  if (left != 0) text += (text.empty() ? "" : "|") + digits_of(left, 16);
  if (text.empty()) text = "0";
  return text;
}

std::optional<uint64_t> value_of(Kind kind, std::string_view text) {
  if (facts_of(kind).spelling == Spelling::real) return real_bits(text);
  uint64_t value = 0;
  while (!text.empty()) {
    auto bar = text.find('|');
    auto word = text.substr(0, bar);
    text = bar == std::string_view::npos ? std::string_view() : text.substr(bar + 1);
    bool known = word == "0";
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

std::string mpi_error_name(int error_class) {
  for (const Name& name : names_of(Kind::mpi_error))
    if (static_cast<int>(name.value) == error_class) return std::string(name.text);
  return "MPI error " + std::to_string(error_class);
}

}  // namespace refrain::api
