// See static_libraries.hpp.
#include "session/static_libraries.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstring>
#include <string_view>

#include "part/linked_note.hpp"
#include "part/program_file.hpp"

namespace refrain::record {
namespace {

/// A file in memory, empty if it can't be.
class MappedFile {
 public:
  explicit MappedFile(const std::string& path) {
    int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    struct stat info {};
    if (fd >= 0 && fstat(fd, &info) == 0 && S_ISREG(info.st_mode) && info.st_size > 0) {
      size_ = static_cast<size_t>(info.st_size);
      address_ = mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, fd, 0);
    }
    if (fd >= 0) close(fd);
  }
  ~MappedFile() {
    if (address_ != MAP_FAILED) munmap(address_, size_);
  }
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  bool begins_with(std::string_view text) const {
    return holds_file() && size_ >= text.size() && std::memcmp(address_, text.data(), text.size()) == 0;
  }
  bool contains(std::string_view text) const {
    return holds_file() && memmem(address_, size_, text.data(), text.size()) != nullptr;
  }

 private:
  bool holds_file() const { return address_ != MAP_FAILED; }

  void* address_ = MAP_FAILED;
  size_t size_ = 0;
};

/// Names of functions inside the libraries, which nobody else calls; the libraries keep them for their
/// messages.
struct ProductMark {
  const char* product;
  std::string_view text;
};
constexpr ProductMark marks[] = {
    {"HDF5", "H5D__chunk_allocate"}, {"MPI", "ompi_mpi_init"}, {"MPI", "MPID_Init"}};

}  // namespace

std::vector<std::string> static_libraries(const std::string& program) {
  std::vector<std::string> found;
  MappedFile file(program);
  if (!file.begins_with("\177ELF") || look_at_program(program.c_str()).preloading != Preloading::works)
    return found;
  if (file.contains({reinterpret_cast<const char*>(&linked_note), sizeof linked_note})) return found;
  for (const ProductMark& mark : marks)
    if ((found.empty() || found.back() != mark.product) && file.contains(mark.text))
      found.emplace_back(mark.product);
  return found;
}

std::string unseen_libraries(const std::string& program) {
  std::string names;
  for (const std::string& library : static_libraries(program))
    names += (names.empty() ? "" : " and ") + library;
  if (names.empty()) return {};
  return program + " holds " + names +
         " as a static library, whose calls can't be seen, only what they lead to: link it with the shared "
         "one, or with "
         "the recorder (see 'refrain help link-flags')";
}

}  // namespace refrain::record
