// Looks through the notes of the program as they are in memory; see linked_note.hpp.
#include "part/linked_note.hpp"

#include <elf.h>
#include <sys/auxv.h>

#include <cstddef>
#include <cstring>

namespace refrain::record {
namespace {

/// Whether one of the notes that lie there is ours.
bool holds_note(const char* at, size_t size) {
  while (size >= sizeof(Elf64_Nhdr)) {
    Elf64_Nhdr note;
    std::memcpy(&note, at, sizeof note);
    uint64_t length =
        sizeof note + (uint64_t{note.n_namesz} + 3) / 4 * 4 + (uint64_t{note.n_descsz} + 3) / 4 * 4;
    if (size < length) return false;
    if (length == sizeof linked_note && std::memcmp(at, &linked_note, sizeof linked_note) == 0) return true;
    at += length;
    size -= length;
  }
  return false;
}

}  // namespace

bool has_linked_note() {
  auto* segments = reinterpret_cast<const Elf64_Phdr*>(getauxval(AT_PHDR));
  size_t count = getauxval(AT_PHNUM);
  if (segments == nullptr || getauxval(AT_PHENT) != sizeof(Elf64_Phdr)) return false;
  const char* base = nullptr;
  for (size_t i = 0; i < count; ++i)
    if (segments[i].p_type == PT_PHDR) base = reinterpret_cast<const char*>(segments) - segments[i].p_vaddr;
  for (size_t i = 0; base != nullptr && i < count; ++i)
    if (segments[i].p_type == PT_NOTE && holds_note(base + segments[i].p_vaddr, segments[i].p_filesz))
      return true;
  return false;
}

}  // namespace refrain::record
