// Holds every row of the layers posix and stdio against the prototype in the system's headers: a row with a
// wrong type doesn't compile.
#include <aio.h>
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/vfs.h>
#include <sys/xattr.h>
#include <unistd.h>
#include <utime.h>
#include <wchar.h>

#include "api/expand_rows.hpp"
#include "api/kinds.hpp"

// Names that the headers replace by macros or reach only through a build flag.
#undef getc
#undef putc
#undef fread_unlocked
#undef fwrite_unlocked

namespace refrain::api {
namespace {

#define API(layer, name, group, result, ...)                                                            \
  [[maybe_unused]] constexpr RF_RESULT_TYPE result (*check_##name)(RF_LIST(RF_ARG_TYPE, __VA_ARGS__)) = \
      &::name;
// By hand: the prototype differs from the row by design, so only the existence is checked.
#define API_HAND(layer, name, ...) [[maybe_unused]] constexpr auto check_##name = &::name;
#include "api/posix/rows.def"
#include "api/stdio/rows.def"
#include "api/undefine_rows.def"

}  // namespace
}  // namespace refrain::api
