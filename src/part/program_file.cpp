// See program_file.hpp. Of an ELF file: its header, the dynamic linker it asks for, and the names of the
// libraries that it needs itself.
#include "part/program_file.hpp"

#include <elf.h>
#include <stdlib.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <string_view>

#include "part/raw.hpp"

namespace refrain::record {
namespace {

constexpr unsigned char native_data = std::endian::native == std::endian::little ? ELFDATA2LSB : ELFDATA2MSB;
#if defined(__x86_64__)
constexpr uint16_t native_machine = EM_X86_64;
#elif defined(__aarch64__)
constexpr uint16_t native_machine = EM_AARCH64;
#elif defined(__riscv)
constexpr uint16_t native_machine = EM_RISCV;
#elif defined(__powerpc64__)
constexpr uint16_t native_machine = EM_PPC64;
#else
constexpr uint16_t native_machine = EM_NONE;
#endif

class ProgramBytes {
 public:
  explicit ProgramBytes(const char* path) : fd_(raw::open(path, O_RDONLY | O_NONBLOCK)) {
    struct stat info;
    if (fd_ < 0 || raw::fstat(fd_, &info) != 0 || !S_ISREG(info.st_mode)) return;
    regular_ = true;
    privileged_ = (info.st_mode & (S_ISUID | S_ISGID)) != 0;
  }
  ~ProgramBytes() {
    if (fd_ >= 0) raw::close(fd_);
  }
  ProgramBytes(const ProgramBytes&) = delete;
  ProgramBytes& operator=(const ProgramBytes&) = delete;

  bool privileged() const { return privileged_; }
  /// As many bytes as there are, up to `size`.
  size_t read(uint64_t offset, void* out, size_t size) const {
    if (!regular_ || offset > INT64_MAX) return 0;
    long n = raw::pread(fd_, out, size, offset);
    return n > 0 ? static_cast<size_t>(n) : 0;
  }
  template <class T>
  bool get(uint64_t offset, T& out) const {
    return read(offset, &out, sizeof out) == sizeof out;
  }
  /// The text at `offset`, as far as it fits.
  template <size_t size>
  std::string_view text(uint64_t offset, char (&buffer)[size]) const {
    size_t n = read(offset, buffer, size);
    return {buffer, strnlen(buffer, n)};
  }

 private:
  int fd_;
  bool regular_ = false, privileged_ = false;
};

/// The libraries of glibc's world are loaded by a linker of one of these names.
bool is_usual_linker(std::string_view path) {
  std::string_view name = path.substr(path.rfind('/') + 1);
  return name.starts_with("ld-linux") || name.starts_with("ld64") || name.starts_with("ld.so");
}

/// Those that intercept calls of the C library.
bool is_sanitizer(std::string_view library) {
  for (std::string_view name : {"libasan.so", "libhwasan.so", "libtsan.so", "liblsan.so"})
    if (library.starts_with(name)) return true;
  return false;
}

class Elf {
 public:
  Elf(const ProgramBytes& file, const Elf64_Ehdr& header)
      : file_(file), header_(header), segments_(std::min<uint16_t>(header.e_phnum, 64)) {}

  /// Whether all of what find() looks at is there.
  bool readable() const {
    Elf64_Phdr last;
    return segments_ == 0 || segment(static_cast<uint16_t>(segments_ - 1), last);
  }
  /// False if there is none.
  bool find(uint32_t type, Elf64_Phdr& out) const {
    for (uint16_t i = 0; i < segments_; ++i)
      if (segment(i, out) && out.p_type == type) return true;
    return false;
  }

  /// Calls `visit(name)` for each library that the program needs.
  template <class Visit>
  void for_each_needed(Visit visit) const {
    Elf64_Phdr dynamic;
    if (!find(PT_DYNAMIC, dynamic)) return;
    uint64_t entries = std::min<uint64_t>(dynamic.p_filesz / sizeof(Elf64_Dyn), 512), strings = 0;
    Elf64_Dyn entry;
    auto read_entry = [&](uint64_t i) {
      return file_.get(dynamic.p_offset + i * sizeof entry, entry) && entry.d_tag != DT_NULL;
    };
    for (uint64_t i = 0; i < entries && read_entry(i); ++i)
      if (entry.d_tag == DT_STRTAB) strings = offset_of(entry.d_un.d_ptr);
    for (uint64_t i = 0; strings != 0 && i < entries && read_entry(i); ++i) {
      char buffer[64];
      if (entry.d_tag == DT_NEEDED) visit(file_.text(strings + entry.d_un.d_val, buffer));
    }
  }

 private:
  bool segment(uint16_t i, Elf64_Phdr& out) const {
    return file_.get(header_.e_phoff + uint64_t{i} * header_.e_phentsize, out);
  }
  /// Where in the file an address of the program is.
  uint64_t offset_of(uint64_t address) const {
    Elf64_Phdr load;
    for (uint16_t i = 0; i < segments_; ++i)
      if (segment(i, load) && load.p_type == PT_LOAD && address - load.p_vaddr < load.p_filesz)
        return load.p_offset + (address - load.p_vaddr);
    return 0;
  }

  const ProgramBytes& file_;
  const Elf64_Ehdr& header_;
  uint16_t segments_;
};

ProgramFile look_at_elf(const ProgramBytes& file, const Elf64_Ehdr& header) {
  ProgramFile found{.privileged = file.privileged()};
  if (header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_ident[EI_DATA] != native_data ||
      (native_machine != EM_NONE && header.e_machine != native_machine)) {
    found.preloading = Preloading::other_machine;
    return found;
  }
  Elf elf(file, header);
  Elf64_Phdr linker;
  char buffer[256];
  if (!elf.readable()) return found;
  if (!elf.find(PT_INTERP, linker))
    found.preloading = Preloading::is_static;
  else if (!is_usual_linker(file.text(linker.p_offset, buffer)))
    found.preloading = Preloading::other_c_library;
  if (found.preloading != Preloading::works) return found;
  elf.for_each_needed([&](std::string_view name) {
    if (found.first_library[0] != 0 || !is_sanitizer(name) || name.size() >= sizeof found.first_library)
      return;
    name.copy(found.first_library, name.size());
  });
  return found;
}

}  // namespace

ProgramFile look_at_program(const char* path) {
  char next[256];
  for (int scripts = 0; scripts < 5; ++scripts) {
    ProgramBytes file(path);
    Elf64_Ehdr header{};
    if (file.get(0, header) && std::memcmp(header.e_ident, ELFMAG, SELFMAG) == 0)
      return look_at_elf(file, header);
    char line[256];
    size_t n = file.read(0, line, sizeof line - 1);
    line[n] = 0;
    if (n < 3 || line[0] != '#' || line[1] != '!') break;
    const char* first = line + 2 + std::strspn(line + 2, " \t");
    size_t length = std::strcspn(first, " \t\r\n");
    std::memcpy(next, first, length);
    next[length] = 0;
    path = next;
  }
  return {};
}

bool find_program(const char* name, char* path, size_t size) {
  auto put = [&](std::string_view folder) {
    if (folder.size() + std::strlen(name) + 2 > size) return false;
    size_t at = folder.copy(path, folder.size());
    if (at > 0) path[at++] = '/';
    std::strcpy(path + at, name);
    return true;
  };
  if (std::strchr(name, '/') != nullptr) return put({});
  const char* setting = getenv("PATH");
  std::string_view folders = setting != nullptr ? setting : "/bin:/usr/bin";
  for (size_t at = 0; at <= folders.size();) {
    size_t end = std::min(folders.find(':', at), folders.size());
    std::string_view folder = folders.substr(at, end - at);
    if (put(folder.empty() ? "." : folder) && raw::call(SYS_faccessat, AT_FDCWD, path, X_OK) == 0)
      return true;
    at = end + 1;
  }
  return false;
}

}  // namespace refrain::record
