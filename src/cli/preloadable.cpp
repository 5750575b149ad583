// See preloadable.hpp. Only the first bytes of an ELF file are looked at: its header, and the program headers
// in search of one that asks for a dynamic linker.
#include "cli/preloadable.hpp"

#include <elf.h>
#include <sys/stat.h>
#include <unistd.h>

#include <bit>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>

namespace refrain::cli {

namespace {

std::string find_program(const std::string& name) {
  if (name.find('/') != std::string::npos) return name;
  const char* path = std::getenv("PATH");
  std::istringstream folders(path != nullptr ? path : "/bin:/usr/bin");
  for (std::string folder; std::getline(folders, folder, ':');) {
    std::string candidate = (folder.empty() ? "." : folder) + "/" + name;
    if (access(candidate.c_str(), X_OK) == 0) return candidate;
  }
  return name;
}

template <class T>
bool read_at(std::ifstream& file, std::streamoff offset, T& value) {
  file.seekg(offset);
  file.read(reinterpret_cast<char*>(&value), sizeof value);
  return file.good();
}

constexpr unsigned char native_data = std::endian::native == std::endian::little ? ELFDATA2LSB : ELFDATA2MSB;

/// The header of this very program: whatever it was built for is what the recorder was built for.
uint16_t own_machine() {
  std::ifstream self("/proc/self/exe", std::ios::binary);
  Elf64_Ehdr header{};
  return read_at(self, 0, header) ? header.e_machine : uint16_t{EM_NONE};
}

bool asks_for_linker(std::ifstream& file, const Elf64_Ehdr& header) {
  for (uint16_t i = 0; i < header.e_phnum; ++i) {
    Elf64_Phdr segment{};
    auto offset = static_cast<std::streamoff>(header.e_phoff + uint64_t{i} * header.e_phentsize);
    if (!read_at(file, offset, segment)) return true;
    if (segment.p_type == PT_INTERP) return true;
  }
  return false;
}

}  // namespace

std::string why_not_preloadable(const std::string& name) {
  std::string program = find_program(name);
  struct stat status {};
  if (stat(program.c_str(), &status) != 0) return {};
  if ((status.st_mode & (S_ISUID | S_ISGID)) != 0)
    return program + " is privileged (set-user-id), which forbids preloading";
  std::ifstream file(program, std::ios::binary);
  Elf64_Ehdr header{};
  if (!read_at(file, 0, header) || std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0) return {};
  if (header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_ident[EI_DATA] != native_data ||
      header.e_machine != own_machine()) {
    return program + " was built for another machine than this recorder";
  }
  if (!asks_for_linker(file, header)) {
    return program + " is statically linked; see 'refrain help link-flags'";
  }
  return {};
}

}  // namespace refrain::cli
