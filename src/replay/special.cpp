// See special.hpp. Functions are found by name at run time: the compiler would replace some calls by others
// (fprintf by fputs), which would then be recorded instead.
#include "replay/special.hpp"

#include <aio.h>
#include <errno.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <iterator>
#include <type_traits>
#include <vector>

#include "replay/async_requests.hpp"
#include "replay/library_facts.hpp"
#include "replay/made_name_images.hpp"
#include "replay/replay_error.hpp"
#include "replay/ring_steps.hpp"
#include "trace/made_names.hpp"
#include "wall/wall.hpp"

namespace refrain::replay {
namespace {

using trace::made_name_length;

uint64_t as_word(int64_t v) { return static_cast<uint64_t>(v); }
template <class T>
uint64_t as_word(T* p) {
  return reinterpret_cast<uint64_t>(p);
}
template <class T>
T* pointer(uint64_t word) {
  return reinterpret_cast<T*>(word);
}

template <class Function>
Function* system_function(Arguments& a, const char* name) {
  return a.stage().libraries.get<Function>(name);
}

/// A line of this many characters.
char* line(Arguments& a, int64_t count) {
  auto n = static_cast<uint64_t>(std::max<int64_t>(count, 0));
  char* at = a.stage().buffers.scratch(n + 1);
  for (uint64_t i = 0; i < n; ++i) at[i] = static_cast<char>(i + 1 < n ? 'a' + i % 23 : '\n');
  return at;
}

/// Opens a descriptor that the recorded program inherited, under the same number.
uint64_t inherit(Arguments& a) {
  Quiet quiet;
  auto number = static_cast<int>(a.word("number"));
  auto* path = pointer<const char>(a.word("path"));
  auto flags = static_cast<int>(a.word("flags"));
  if (number < 0 || number > 1 << 20) throw ReplayError{"a descriptor with an impossible number"};
  if (int given = refrain_tree_handed_down(number, path, flags); given >= 0) {
    if (given != number && syscall(SYS_dup3, given, number, 0) < 0) throw ReplayError{strerror(errno)};
    return as_word(number);
  }
  long made = syscall(SYS_openat, AT_FDCWD, path, (flags & ~(O_EXCL | O_TRUNC)) | O_CREAT, 0644);
  if (made < 0 && errno == EISDIR) made = syscall(SYS_openat, AT_FDCWD, path, flags);
  if (made < 0) throw ReplayError{strerror(errno)};
  syscall(SYS_lseek, made, static_cast<off_t>(a.word("position")), SEEK_SET);
  if (made == number) return as_word(made);
  if (number <= 2) fflush(nullptr);  // the replay keeps its own streams elsewhere
  if (syscall(SYS_dup3, made, number, 0) < 0) throw ReplayError{strerror(errno)};
  syscall(SYS_close, made);
  return as_word(number);
}

uint64_t inherit_stream(Arguments& a) {
  uint64_t number = inherit(a);
  Quiet quiet;
  FILE* standard[] = {stdin, stdout, stderr};
  FILE* stream = number <= 2 ? standard[number] : fdopen(static_cast<int>(number), "r+");
  if (stream == nullptr) throw ReplayError{strerror(errno)};
  return reinterpret_cast<uint64_t>(stream);
}

/// Makes only harmless requests.
uint64_t make_ioctl(Arguments& a) {
  uint64_t request = a.word("request");
  if (!refrain_wall_is_harmless_request(request))
    throw ReplayError{fmt::format("request {:#x} is none of those that a replay makes", request)};
  auto* f = system_function<int(int, unsigned long, void*)>(a, "ioctl");
  const plan::GivenArgument& g = a.plan().named("argument");
  void* argument = g.count == 0 ? a.stage().buffers.scratch(4096) : pointer<void>(a.word(g));
  return as_word(f(static_cast<int>(a.word("fd")), request, argument));
}

/// Replaces the recorded pipe by another one, which is filled before it is read and emptied after it was
/// written.
uint64_t make_splice(Arguments& a) {
  thread_local int ends[2] = {-1, -1};
  bool reads = !a.is_slot("in_fd"), writes = !a.is_slot("out_fd");
  auto bytes = static_cast<uint64_t>(std::max<int64_t>(a.recorded_result(), 0));
  char* memory = a.stage().buffers.to_read(bytes);
  if (ends[0] < 0) {
    int low[2];
    if (syscall(SYS_pipe2, low, O_CLOEXEC | O_NONBLOCK) != 0) throw ReplayError{strerror(errno)};
    for (int i : {0, 1}) ends[i] = refrain_wall_out_of_reach(low[i]);
  }
  syscall(SYS_fcntl, ends[1], F_SETPIPE_SZ, std::max<uint64_t>(bytes, 4096));
  if (reads) syscall(SYS_write, ends[1], memory, bytes);
  auto* f = system_function<ssize_t(int, void*, int, void*, size_t, unsigned)>(a, "splice");
  ssize_t moved =
      f(reads ? ends[0] : static_cast<int>(a.word("in_fd")), pointer<void>(a.word("in_offset")),
        writes ? ends[1] : static_cast<int>(a.word("out_fd")), pointer<void>(a.word("out_offset")),
        a.word("count"), static_cast<unsigned>(a.word("flags")));
  int error = errno;
  char rest[4096];
  while (syscall(SYS_read, ends[0], rest, sizeof rest) > 0) {
  }
  errno = error;
  return as_word(moved);
}

uint64_t make_mknod(Arguments& a) {
  auto* f = system_function<int(const char*, mode_t, dev_t)>(a, "mknod");
  auto mode = static_cast<mode_t>(a.word("mode"));
  if (refrain_wall_is_device(mode)) throw ReplayError{"devices are not made again"};
  return as_word(f(pointer<const char>(a.word("path")), mode, a.word("device")));
}

/// Maps at an address of the system's choice, whatever address was recorded.
uint64_t make_mmap(Arguments& a) {
  auto* f = system_function<void*(void*, size_t, int, int, int, off_t)>(a, "mmap");
  uint64_t length = a.word("length");
  auto flags = static_cast<int>(a.word("flags"));
  auto fd = static_cast<int>(a.word("fd"));
  void* made = f(refrain_wall_room_to_map(length, flags), length, static_cast<int>(a.word("protection")),
                 flags, fd, static_cast<off_t>(a.word("offset")));
  return reinterpret_cast<uint64_t>(refrain_wall_take_mapped(made, length));
}

/// Makes pages dirty that the recorded program stored into, and tells a recorder so.
uint64_t store(Arguments& a, bool somewhere) {
  auto* at = pointer<char>(a.word("address"));
  uint64_t length = a.word("length");
  ssize_t bytes = refrain_wall_store_pages(at, length);
  if (bytes >= 0) tell_of_stores(at, length, somewhere);
  return as_word(bytes);
}
uint64_t make_stores(Arguments& a) { return store(a, false); }
uint64_t make_stores_somewhere(Arguments& a) { return store(a, true); }

uint64_t make_close_range(Arguments& a) {
  auto first = static_cast<unsigned>(a.word("first")), last = static_cast<unsigned>(a.word("last"));
  return as_word(replaced_functions().close_range(first, last, static_cast<int>(a.word("flags"))));
}
uint64_t make_closefrom(Arguments& a) {
  replaced_functions().closefrom(static_cast<int>(a.word("first")));
  return 0;
}
uint64_t make_tmpfile(Arguments&) { return reinterpret_cast<uint64_t>(replaced_functions().tmpfile()); }

uint64_t make_dprintf(Arguments& a) {
  auto* f = system_function<int(int, const char*, ...)>(a, "dprintf");
  return as_word(f(static_cast<int>(a.word("fd")), "%s", line(a, a.recorded_result())));
}

uint64_t make_fprintf(Arguments& a) {
  auto* f = system_function<int(FILE*, const char*, ...)>(a, "fprintf");
  return as_word(f(pointer<FILE>(a.word("stream")), "%s", line(a, a.recorded_result())));
}

/// Reads as many words as the recorded call did, and the rest of the line. If the recorded result was 0, it
/// reads no words; if it was EOF, it reads at the end.
uint64_t make_fscanf(Arguments& a) {
  constexpr int64_t most = 32;
  std::string format;
  char w[4] = {};
  int none = 0;
  int64_t words = std::min(a.recorded_result(), most);
  auto* f = system_function<int(FILE*, const char*, ...)>(a, "fscanf");
  auto* stream = pointer<FILE>(a.word("stream"));
  if (words == 0) return as_word(f(stream, "%n", &none));
  for (int64_t i = 0; i < words; ++i) format += "%1s";
  format += words > 0 ? "%*[^\n]%*1[\n]" : "%1s";
  return as_word(f(stream, format.c_str(), w, w, w, w, w, w, w, w, w, w, w, w, w, w, w, w, w, w, w, w, w, w,
                   w, w, w, w, w, w, w, w, w, w));
}

uint64_t make_fputs(Arguments& a) {
  auto* f = system_function<int(const char*, FILE*)>(a, "fputs");
  auto bytes = static_cast<int64_t>(a.moved(trace::Role::bytes_written));
  return as_word(f(line(a, bytes), pointer<FILE>(a.word("stream"))));
}

uint64_t make_puts(Arguments& a) {
  auto bytes = static_cast<int64_t>(a.moved(trace::Role::bytes_written));
  return as_word(system_function<int(const char*)>(a, "puts")(line(a, bytes - 1)));
}

uint64_t make_fputws(Arguments& a) {
  auto* f = system_function<int(const wchar_t*, FILE*)>(a, "fputws");
  return as_word(f(L"text", pointer<FILE>(a.word("stream"))));
}

uint64_t make_fgetws(Arguments& a) {
  auto size = static_cast<int>(a.word("size"));
  auto* memory = a.stage().buffers.list<wchar_t>(static_cast<size_t>(std::max(size, 0)));
  auto* f = system_function<wchar_t*(wchar_t*, int, FILE*)>(a, "fgetws");
  return reinterpret_cast<uint64_t>(f(memory, size, pointer<FILE>(a.word("stream"))));
}

uint64_t move_items(Arguments& a, const char* function, bool writes) {
  uint64_t size = a.word("size"), count = a.word("count");
  uint64_t all = Buffers::bytes_of(count, size);
  Buffers& buffers = a.stage().buffers;
  auto* f = system_function<size_t(void*, size_t, size_t, FILE*)>(a, function);
  return f(writes ? buffers.to_write(all) : buffers.to_read(all), size, count,
           pointer<FILE>(a.word("stream")));
}
uint64_t make_fread(Arguments& a) { return move_items(a, "fread", false); }
uint64_t make_fwrite(Arguments& a) { return move_items(a, "fwrite", true); }

uint64_t read_line(Arguments& a, const char* function, bool delimited) {
  thread_local char* read = nullptr;
  thread_local size_t capacity = 0;
  auto* stream = pointer<FILE>(a.word("stream"));
  if (!delimited)
    return as_word(system_function<ssize_t(char**, size_t*, FILE*)>(a, function)(&read, &capacity, stream));
  auto* f = system_function<ssize_t(char**, size_t*, int, FILE*)>(a, function);
  return as_word(f(&read, &capacity, static_cast<int>(a.word("delimiter")), stream));
}
uint64_t make_getline(Arguments& a) { return read_line(a, "getline", false); }
uint64_t make_getdelim(Arguments& a) { return read_line(a, "getdelim", true); }
uint64_t make_getchar(Arguments& a) { return as_word(system_function<int()>(a, "getchar")()); }
uint64_t make_putchar(Arguments& a) { return as_word(system_function<int(int)>(a, "putchar")('x')); }

/// Stands in for the application's functions of a stream: reading returns endless made-up lines, and written
/// data is dropped.
struct Cookie {
  off64_t at = 0, end = 0;
};
ssize_t read_cookie(void* cookie, char* to, size_t n) {
  constexpr size_t line_bytes = 64;
  auto& c = *static_cast<Cookie*>(cookie);
  for (size_t i = 0; i < n; ++i, ++c.at)
    to[i] = static_cast<char>(c.at % line_bytes == line_bytes - 1 ? '\n' : 'a' + c.at % 23);
  return static_cast<ssize_t>(n);
}
ssize_t write_cookie(void* cookie, const char*, size_t n) {
  auto& c = *static_cast<Cookie*>(cookie);
  c.end = std::max(c.end, c.at += static_cast<off64_t>(n));
  return static_cast<ssize_t>(n);
}
int seek_cookie(void* cookie, off64_t* offset, int whence) {
  auto& c = *static_cast<Cookie*>(cookie);
  *offset = c.at = std::max<off64_t>(0, *offset + (whence == SEEK_CUR   ? c.at
                                                   : whence == SEEK_END ? c.end
                                                                        : 0));
  return 0;
}
int close_cookie(void* cookie) {
  delete static_cast<Cookie*>(cookie);
  return 0;
}
uint64_t make_fopencookie(Arguments& a) {
  auto* f = system_function<FILE*(void*, const char*, cookie_io_functions_t)>(a, "fopencookie");
  return reinterpret_cast<uint64_t>(f(new Cookie, pointer<const char>(a.word("mode")),
                                      {read_cookie, write_cookie, seek_cookie, close_cookie}));
}

thread_local fpos_t last_position{};
uint64_t make_fgetpos(Arguments& a) {
  return as_word(
      system_function<int(FILE*, fpos_t*)>(a, "fgetpos")(pointer<FILE>(a.word("stream")), &last_position));
}
uint64_t make_fsetpos(Arguments& a) {
  auto* f = system_function<int(FILE*, const fpos_t*)>(a, "fsetpos");
  return as_word(f(pointer<FILE>(a.word("stream")), &last_position));
}
uint64_t make_setvbuf(Arguments& a) {
  auto* f = system_function<int(FILE*, char*, int, size_t)>(a, "setvbuf");
  return as_word(
      f(pointer<FILE>(a.word("stream")), nullptr, static_cast<int>(a.word("mode")), a.word("size")));
}

/// Functions that make up a name. Later calls refer to the name by its slot. Without a slot they have the
/// recorded text, so the file gets that name.
template <class Result, class... Further>
uint64_t make_named(Arguments& a, const char* function, uint64_t suffix, Further... further) {
  const plan::GivenArgument& given = a.plan().named("path");
  std::string recorded = a.string(given), name = a.path(given), literal;
  if (!trace::holds_made_name(recorded) && a.signature().error.empty()) literal = name;
  if (name.size() < made_name_length + suffix && a.signature().error.empty())
    throw ReplayError{"a name that can't have been made up"};
  size_t at = name.size() < made_name_length + suffix ? 0 : name.size() - made_name_length - suffix;
  if (!literal.empty()) name.replace(at, made_name_length, "XXXXXX");
  char* filled = a.stage().buffers.text(name);
  Result made = system_function<Result(char*, Further...)>(a, function)(filled, further...);
  int error = errno;
  bool works = std::is_pointer_v<Result> ? as_word(made) != 0 && *filled != 0 : made >= Result{};
  if (works && !literal.empty() &&
      syscall(SYS_renameat2, AT_FDCWD, filled, AT_FDCWD, literal.c_str(), 0) != 0)
    throw ReplayError{strerror(errno)};
  if (works && literal.empty() && trace::holds_made_name(recorded))
    keep_made_name(recorded, {filled + at, made_name_length});
  errno = error;
  return as_word(made);
}
template <class... Further>
uint64_t make_file(Arguments& a, const char* function, uint64_t suffix, Further... further) {
  return make_named<int>(a, function, suffix, further...);
}
uint64_t make_mkdtemp(Arguments& a) { return make_named<char*>(a, "mkdtemp", 0); }
uint64_t make_mktemp(Arguments& a) { return make_named<char*>(a, "mktemp", 0); }
uint64_t make_mkstemp(Arguments& a) { return make_file(a, "mkstemp", 0); }
uint64_t make_mkostemp(Arguments& a) {
  return make_file(a, "mkostemp", 0, static_cast<int>(a.word("flags")));
}
uint64_t make_mkstemps(Arguments& a) {
  uint64_t suffix = a.word("suffix_length");
  return make_file(a, "mkstemps", suffix, static_cast<int>(suffix));
}
uint64_t make_mkostemps(Arguments& a) {
  uint64_t suffix = a.word("suffix_length");
  return make_file(a, "mkostemps", suffix, static_cast<int>(suffix), static_cast<int>(a.word("flags")));
}

aiocb* new_request(Arguments& a, uint64_t bytes, bool writes) {
  aiocb* request = new_async_request(a.slot_number("request"));
  Buffers& buffers = a.stage().buffers;
  request->aio_fildes = static_cast<int>(a.word("fd"));
  request->aio_buf = writes ? buffers.to_write(bytes) : buffers.to_read(bytes);
  request->aio_nbytes = bytes;
  a.put_operand("request", reinterpret_cast<uint64_t>(request));
  return request;
}
uint64_t start_transfer(Arguments& a, const char* function, bool writes) {
  aiocb* request = new_request(a, a.word("count"), writes);
  request->aio_offset = static_cast<off_t>(a.word("offset"));
  return as_word(system_function<int(aiocb*)>(a, function)(request));
}
uint64_t make_aio_read(Arguments& a) { return start_transfer(a, "aio_read", false); }
uint64_t make_aio_write(Arguments& a) { return start_transfer(a, "aio_write", true); }
uint64_t make_aio_fsync(Arguments& a) {
  auto* f = system_function<int(int, aiocb*)>(a, "aio_fsync");
  return as_word(f(static_cast<int>(a.word("operation")), new_request(a, 0, true)));
}
/// Calls that answered "not done yet" were not recorded.
uint64_t make_aio_error(Arguments& a) {
  auto* f = system_function<int(const aiocb*)>(a, "aio_error");
  auto* request = pointer<const aiocb>(a.word("request"));
  int error = f(request);
  for (timespec nap{0, 50000}; error == EINPROGRESS; error = f(request)) nanosleep(&nap, nullptr);
  return as_word(error);
}

uint64_t make_mpi_init(Arguments& a) {
  return as_word(a.stage().libraries.get<int(int*, char***)>("MPI_Init")(nullptr, nullptr));
}
uint64_t make_mpi_init_thread(Arguments& a) {
  int provided = 0;
  auto* f = a.stage().libraries.get<int(int*, char***, int, int*)>("MPI_Init_thread");
  return as_word(f(nullptr, nullptr, static_cast<int>(a.word("required")), &provided));
}
uint64_t make_mpi_abort(Arguments& a) {
  *a.stage().abort = {true, a.word("comm"), static_cast<int>(a.word("error"))};
  return 0;
}
/// Waits for the request, because the trace doesn't hold the call that completes it.
uint64_t wait_if_started(Libraries& libraries, int code, uint64_t& request) {
  Quiet quiet;
  if (code == 0) libraries.get<int(uint64_t*, uint64_t)>("MPI_Wait")(&request, libraries.mpi().status_ignore);
  return as_word(code);
}
uint64_t make_comm_idup(Arguments& a) {
  uint64_t made = a.word("new_comm"), request = 0;
  Libraries& libraries = a.stage().libraries;
  auto* f = libraries.get<int(uint64_t, uint64_t, uint64_t*)>("MPI_Comm_idup");
  int code = f(a.word("comm"), made, &request);
  return wait_if_started(libraries, code, request);
}
uint64_t make_comm_idup_with_info(Arguments& a) {
  uint64_t made = a.word("new_comm"), request = 0;
  Libraries& libraries = a.stage().libraries;
  auto* f = libraries.get<int(uint64_t, uint64_t, uint64_t, uint64_t*)>("MPI_Comm_idup_with_info");
  int code = f(a.word("comm"), a.word("info"), made, &request);
  return wait_if_started(libraries, code, request);
}
uint64_t make_h5_vlen_reclaim(Arguments& a) {
  auto* f = a.stage().libraries.get<int(int64_t, int64_t, int64_t, void*)>(a.plan().row->name);
  uint64_t type = a.word("type_id"), space = a.word("space_id");
  uint64_t bytes = hdf5_elements(a.stage().libraries, type, space, ~uint64_t{0}).bytes;
  return as_word(f(static_cast<int64_t>(type), static_cast<int64_t>(space),
                   static_cast<int64_t>(a.word(a.plan().row->arguments[2].name)),
                   a.stage().buffers.scratch(bytes)));
}

/// Stand-ins for the application's functions: scatter one element at a time, ignore what was gathered.
int scatter_element(const void** data, size_t* bytes, void* element) {
  auto& memory = *static_cast<std::vector<char>*>(element);
  *data = memory.data();
  *bytes = memory.size();
  return 0;
}
int leave_gathered(const void*, size_t, void*) { return 0; }
uint64_t make_h5_scatter(Arguments& a) {
  using Scatter = int(decltype(scatter_element)*, void*, int64_t, int64_t, void*);
  uint64_t type = a.word("type_id"), space = a.word("dst_space_id");
  Libraries& libraries = a.stage().libraries;
  std::vector<char> element(Buffers::bytes_of(1, hdf5_type_size(libraries, type)));
  char* memory = a.stage().buffers.to_read(hdf5_elements(libraries, type, space, ~uint64_t{0}).bytes);
  return as_word(libraries.get<Scatter>("H5Dscatter")(scatter_element, &element, static_cast<int64_t>(type),
                                                      static_cast<int64_t>(space), memory));
}
uint64_t make_h5_gather(Arguments& a) {
  using Gather = int(int64_t, const void*, int64_t, size_t, void*, decltype(leave_gathered)*, void*);
  uint64_t type = a.word("type_id"), space = a.word("src_space_id"), bytes = a.word("dst_buf_size");
  Libraries& libraries = a.stage().libraries;
  Buffers& buffers = a.stage().buffers;
  const char* memory = buffers.to_write(hdf5_elements(libraries, type, space, ~uint64_t{0}).bytes);
  return as_word(libraries.get<Gather>("H5Dgather")(static_cast<int64_t>(space), memory,
                                                    static_cast<int64_t>(type), bytes, buffers.to_read(bytes),
                                                    leave_gathered, nullptr));
}

/// The image of a file: a call gets the one that was requested last.
char* file_image(uint64_t bytes) {
  thread_local std::vector<char> image;
  if (bytes == 0) return nullptr;
  if (image.size() < bytes) image.resize(Buffers::bytes_of(1, bytes));
  return image.data();
}
uint64_t make_h5_get_image(Arguments& a) {
  auto* f = a.stage().libraries.get<ssize_t(int64_t, void*, size_t)>("H5Fget_file_image");
  uint64_t bytes = a.word("buf_len");
  return as_word(f(static_cast<int64_t>(a.word("file_id")), file_image(bytes), bytes));
}
uint64_t make_h5_set_image(Arguments& a) {
  auto* f = a.stage().libraries.get<int(int64_t, void*, size_t)>("H5Pset_file_image");
  uint64_t bytes = a.word("buf_len");
  return as_word(f(static_cast<int64_t>(a.word("fapl_id")), file_image(bytes), bytes));
}

struct Special {
  std::string_view function;
  Maker maker;
};
constexpr Maker by_row = nullptr;
constexpr Special specials[] = {
#define STEPS(function, check, text, replayed) {#function, replayed},
#include "api/layers.def"
};

}  // namespace

Maker special_maker(std::string_view function) {
  const auto* found = std::find_if(std::begin(specials), std::end(specials),
                                   [&](const Special& s) { return s.function == function; });
  return found == std::end(specials) ? nullptr : found->maker;
}

}  // namespace refrain::replay
