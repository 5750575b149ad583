#include "replay/prepare.hpp"

#include <errno.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "base/classic_netcdf.h"
#include "base/launcher.hpp"
#include "replay/library_facts.hpp"
#include "replay/replay_error.hpp"
#include "replay/thread_context.hpp"

namespace refrain::replay {
namespace {

namespace fs = std::filesystem;

constexpr int wait_for_inputs_s = 600;

/// The content of a file: lines of the given lengths, then the usual pattern of replays.
class Content {
 public:
  explicit Content(const plan::InputFile& file) : lines_(file.lines) {}
  char next() {
    if (line_ == lines_.size()) return static_cast<char>('a' + at_++ % 23);
    bool ends = ++at_ >= lines_[line_];
    if (!ends) return static_cast<char>('a' + at_ % 23);
    ++line_;
    at_ = 0;
    return '\n';
  }

 private:
  const std::vector<int64_t>& lines_;
  size_t line_ = 0;
  int64_t at_ = 0;
};

void make_file(const plan::InputFile& file, Root& root) {
  std::string path = root.place(file.path, {.make_above = true});
  struct stat status {};
  if (stat(path.c_str(), &status) == 0 &&
      (S_ISDIR(status.st_mode) || status.st_size >= static_cast<off_t>(file.size)))
    return;
  FILE* out = fopen(path.c_str(), "w");
  if (out == nullptr) throw ReplayError{fmt::format("{}: {}", path, strerror(errno))};
  Content content(file);
  for (uint64_t i = 0; i < file.size; ++i) putc(content.next(), out);
  if (fclose(out) != 0) throw ReplayError{fmt::format("{}: {}", path, strerror(errno))};
  chmod(path.c_str(), 0755);  // programs may have asked whether they could run it
}

void make_netcdf(const plan::InputFile& file, Root& root) {
  std::string path = root.place(file.path, {.make_above = true});
  std::vector<long long> numbers(file.header.begin(), file.header.end());
  const char* wrong = make_classic_netcdf(path.c_str(), numbers.data(),
                                          static_cast<long long>(numbers.size()), file.names.c_str());
  if (wrong != nullptr) throw ReplayError{fmt::format("{}: {}", path, wrong)};
}

void find_copy(const plan::InputFile& file, Root& root) {
  std::string path = root.place(file.path, {.make_above = true});
  if (access(path.c_str(), F_OK) != 0)
    throw ReplayError{fmt::format("{}: {}", path, plan::must_be_copied_text)};
}

/// Makes a link to a name of the right length in the same folder.
void make_link(const plan::InputFile& file, Root& root) {
  std::string path = root.place(file.path, {.follow = false, .make_above = true});
  struct stat status {};
  if (lstat(path.c_str(), &status) == 0 || file.link > 255) return;
  std::string target(file.link, 'x');
  size_t folder = file.path.rfind('/') + 1;  // 0 if there is none
  make_file({.path = file.path.substr(0, folder) + target}, root);
  if (symlink(target.c_str(), path.c_str()) != 0)
    throw ReplayError{fmt::format("{}: {}", path, strerror(errno))};
}

void make_folder(const std::string& name, uint64_t entries, Root& root) {
  std::string path = root.place(name, {.make_above = true});
  std::error_code error;
  fs::create_directories(path, error);
  uint64_t found = 2;  // every folder lists itself and the one above
  for ([[maybe_unused]] const auto& entry : fs::directory_iterator(path, error)) ++found;
  for (uint64_t i = 0; found < entries; ++i, ++found)
    make_file({.path = fmt::format("{}/entry_{}", name, i)}, root);
}

/// The objects of one HDF5 file, made by the library that the replay uses.
class Hdf5File {
 public:
  Hdf5File(Libraries& libraries, const std::string& path) : libraries_(libraries), path_(path) {
    call<int>("H5Eset_auto2", 0, 0, 0);
    file_ = call("H5Fopen", path.c_str(), 1u, 0);
    constexpr unsigned exclusively = 4;
    if (file_ < 0) file_ = call("H5Fcreate", path.c_str(), exclusively, 0, 0);
    if (file_ < 0) throw ReplayError{fmt::format("{}: HDF5 can't make it", path)};
    parents_ = call("H5Pcreate", id("H5P_LINK_CREATE"));
    call<int>("H5Pset_create_intermediate_group", parents_, 1u);
  }
  ~Hdf5File() { call<int>("H5Fclose", file_); }
  Hdf5File(const Hdf5File&) = delete;
  Hdf5File& operator=(const Hdf5File&) = delete;

  void make(const plan::InputObject& object) {
    using Kind = plan::InputObject::Kind;
    if (object.kind == Kind::attribute) return make_attribute(object);
    if (int64_t there = call("H5Oopen", file_, object.path.c_str(), 0); there >= 0) {
      call<int>("H5Oclose", there);
      return;
    }
    int64_t made = object.kind == Kind::group ? call("H5Gcreate2", file_, object.path.c_str(), parents_, 0, 0)
                                              : make_dataset(object);
    if (made < 0) throw ReplayError{fmt::format("{}: HDF5 can't make {}", path_, object.path)};
    call<int>("H5Oclose", made);
  }

 private:
  /// HDF5's functions take identifiers, which are 64 bits wide, and words; zero is H5P_DEFAULT and H5S_ALL.
  template <class R = int64_t, class... Words>
  R call(const char* name, Words... words) {
    return libraries_.get<R(decltype(wide(words))...)>(name)(wide(words)...);
  }
  static int64_t wide(int64_t v) { return v; }
  static int64_t wide(int v) { return v; }
  static unsigned wide(unsigned v) { return v; }
  static const void* wide(const void* p) { return p; }

  int64_t id(const char* name) { return static_cast<int64_t>(libraries_.predefined(name)); }
  int64_t type_of(const plan::InputObject& object) {
    return id(object.type.empty() ? "H5T_NATIVE_SCHAR" : object.type.c_str());
  }

  /// If no extent is known: the number of elements along the first dimension.
  int64_t make_space(std::vector<uint64_t>& extent, int dimensions, uint64_t elements, bool grows) {
    if (extent.empty() && dimensions == 0) return call("H5Screate", 0);
    if (extent.empty()) {
      extent.assign(static_cast<size_t>(dimensions), 1);
      extent[0] = elements;
    }
    std::vector<uint64_t> unlimited(extent.size(), UINT64_MAX);
    const void* most = grows ? unlimited.data() : nullptr;
    return call("H5Screate_simple", static_cast<int>(extent.size()), extent.data(), most);
  }

  /// Chunks for a dataset whose extent the program changes.
  int64_t make_layout(const std::vector<uint64_t>& extent) {
    int64_t layout = call("H5Pcreate", id("H5P_DATASET_CREATE"));
    std::vector<uint64_t> chunk(extent.size());
    for (size_t d = 0; d < extent.size(); ++d)
      chunk[d] = extent[d] > 0 && extent[d] < 1024 ? extent[d] : d == 0 ? 1024 : 1;
    call<int>("H5Pset_chunk", layout, static_cast<int>(chunk.size()), chunk.data());
    return layout;
  }

  int64_t make_dataset(const plan::InputObject& object) {
    int64_t type = type_of(object);
    std::vector<uint64_t> extent(object.extent.begin(), object.extent.end());
    uint64_t size = std::max<uint64_t>(hdf5_type_size(libraries_, static_cast<uint64_t>(type)), 1);
    int64_t space = make_space(extent, object.dimensions_made(), object.bytes / size, object.grows);
    int64_t layout = object.grows ? make_layout(extent) : 0;
    int64_t made = call("H5Dcreate2", file_, object.path.c_str(), type, space, parents_, layout, 0);
    if (layout != 0) call<int>("H5Pclose", layout);
    uint64_t elements = 1;
    for (uint64_t n : extent) elements = Buffers::bytes_of(elements, std::max<uint64_t>(n, 1));
    std::vector<char> zeros(Buffers::bytes_of(elements, size));
    if (made >= 0) call<int>("H5Dwrite", made, type, 0, 0, 0, zeros.data());
    call<int>("H5Sclose", space);
    return made;
  }

  void make_attribute(const plan::InputObject& object) {
    const char *path = object.path.c_str(), *name = object.attribute.c_str();
    if (call<int>("H5Aexists_by_name", file_, path, name, 0) > 0) return;
    int64_t type = type_of(object);
    uint64_t size = std::max<uint64_t>(hdf5_type_size(libraries_, static_cast<uint64_t>(type)), 1);
    uint64_t elements = object.bytes / size;
    int dimensions = object.dimensions >= 0 ? object.dimensions : elements == 1 ? 0 : 1;
    std::vector<uint64_t> extent;
    int64_t space = make_space(extent, dimensions, elements, false);
    int64_t made = call("H5Acreate_by_name", file_, path, name, type, space, 0, 0, 0);
    if (made < 0)
      throw ReplayError{fmt::format("{}: HDF5 can't make the attribute {}", path_, object.attribute)};
    std::vector<char> zeros(Buffers::bytes_of(elements + 1, size));
    call<int>("H5Awrite", made, type, zeros.data());
    call<int>("H5Aclose", made);
    call<int>("H5Sclose", space);
  }

  Libraries& libraries_;
  std::string path_;
  int64_t file_ = -1;
  int64_t parents_ = 0;
};

void make_all(const plan::Inputs& inputs, Root& root, bool parallel_hdf5) {
  for (const auto& [folder, entries] : inputs.folders) make_folder(folder, 0, root);
  for (const plan::InputFile& file : inputs.files)
    if (file.must_be_copied) find_copy(file, root);
  Libraries libraries(parallel_hdf5);
  for (const plan::InputFile& file : inputs.files) {
    if (file.must_be_copied) continue;
    if (!file.header.empty()) {
      make_netcdf(file, root);
      continue;
    }
    if (!file.hdf5) {
      file.link > 0 ? make_link(file, root) : make_file(file, root);
      continue;
    }
    Hdf5File made(libraries, root.place(file.path, {.make_above = true}));
    for (const plan::InputObject& object : inputs.objects)
      if (object.file == file.path) made.make(object);
  }
  // Last, when what is known by name is there: fill up to as many entries as were listed.
  for (const auto& [folder, entries] : inputs.folders) make_folder(folder, entries, root);
}

/// Runs in a child process, which reports the reason of a failure through a pipe.
Result<void> make_apart(const plan::Inputs& inputs, Root& root, bool parallel_hdf5) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return fail(ErrorKind::io, strerror(errno), "--prepare");
  pid_t child = fork();
  if (child == 0) {
    leave_recording();
    try {
      make_all(inputs, root, parallel_hdf5);
      _exit(0);
    } catch (const ReplayError& trouble) {
      (void)!write(ends[1], trouble.reason.data(), trouble.reason.size());
    }
    _exit(1);
  }
  close(ends[1]);
  char reason[1000];
  ssize_t length = child < 0 ? 0 : read(ends[0], reason, sizeof reason);
  close(ends[0]);
  int status = 1;
  if (child < 0 || waitpid(child, &status, 0) != child || status != 0)
    return fail(ErrorKind::io,
                length > 0 ? std::string(reason, static_cast<size_t>(length)) : "inputs can't be made",
                "--prepare");
  return {};
}

/// The file by which rank 0 tells the others that it is done.
std::string mark_of_job(const Root& root) {
  return fmt::format("{}/.refrain.prepared.{}", root.folder(), job_name().text);
}

}  // namespace

bool lacks_inputs(const plan::Inputs& inputs, Root& root) {
  return std::any_of(inputs.files.begin(), inputs.files.end(), [&](const plan::InputFile& file) {
    try {
      struct stat status {};
      return lstat(root.place(file.path, {.follow = false}).c_str(), &status) != 0;
    } catch (const ReplayError&) {
      return false;
    }
  });
}

void end_preparation(const Root& root, const Place& place) {
  if (place.rank == 0) unlink(mark_of_job(root).c_str());
}

Result<void> prepare(const plan::Inputs& inputs, Root& root, const Place& place, bool parallel_hdf5) {
  std::string mark = mark_of_job(root);
  if (place.rank == 0) {
    Result<void> made = make_apart(inputs, root, parallel_hdf5);
    if (!made || place.size == 1) return made;
    close(open(mark.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0644));
    return {};
  }
  for (int i = 0; access(mark.c_str(), F_OK) != 0; ++i) {
    if (i == wait_for_inputs_s * 100)
      return fail(ErrorKind::limit, "rank 0 has not made the inputs", "--prepare");
    timespec nap{0, 10'000'000};
    nanosleep(&nap, nullptr);
  }
  return {};
}

}  // namespace refrain::replay
