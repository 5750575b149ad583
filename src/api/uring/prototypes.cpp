// Holds layer uring against liburing's header: that its functions exist, the values behind names, and the
// layout of rings.
#include <liburing.h>

#include <cstddef>

namespace refrain::api {
namespace {

#define API_HAND(layer, name, ...) [[maybe_unused]] constexpr auto check_##name = &::name;
#define API(...)
#include "api/undefine_rows.def"
#include "api/uring/rows.def"

#define FLAG(kind, name, value, bits) static_assert(static_cast<unsigned>(name) == (value));
#define CASE(kind, name, value) static_assert(static_cast<int>(name) == (value));
#include "api/uring/names.def"

namespace ours {
using ::io_uring_cqe;
using ::io_uring_sqe;
#include "api/uring/user_ring.h"
}  // namespace ours

#define SAME_PLACE(type, member)                                            \
  static_assert(offsetof(::type, member) == offsetof(ours::type, member) && \
                sizeof(::type::member) == sizeof(ours::type::member));
SAME_PLACE(io_uring, sq)
SAME_PLACE(io_uring, cq)
SAME_PLACE(io_uring, flags)
SAME_PLACE(io_uring, features)
SAME_PLACE(io_uring_sq, khead)
SAME_PLACE(io_uring_sq, ktail)
SAME_PLACE(io_uring_sq, kring_mask)
SAME_PLACE(io_uring_sq, kring_entries)
SAME_PLACE(io_uring_sq, sqes)  // NOLINT(bugprone-sizeof-expression): a pointer is what is meant
SAME_PLACE(io_uring_sq, sqe_head)
SAME_PLACE(io_uring_sq, sqe_tail)
SAME_PLACE(io_uring_cq, khead)
SAME_PLACE(io_uring_cq, ktail)
SAME_PLACE(io_uring_cq, kring_mask)
SAME_PLACE(io_uring_cq, kring_entries)
SAME_PLACE(io_uring_cq, cqes)  // NOLINT(bugprone-sizeof-expression)
static_assert(sizeof(::io_uring) == sizeof(ours::io_uring));

}  // namespace
}  // namespace refrain::api
