// mremap, which is not recorded: a mapping that it moves or makes larger or smaller is not known any more,
// and neither are stores into it from then on.
#include <stdarg.h>
#include <sys/mman.h>

#include "record/look.hpp"
#include "record/mapped_stores.hpp"
#include "record/real.hpp"

namespace refrain::record {

RF_REAL(mremap, void*(void*, size_t, size_t, int, ...))
RF_HOOK void* hook_mremap(void* old, size_t old_length, size_t length, int flags, ...) RF_SYMBOL(mremap);
void* hook_mremap(void* old, size_t old_length, size_t length, int flags, ...) {
  va_list rest;
  va_start(rest, flags);
  void* target = (flags & MREMAP_FIXED) != 0 ? va_arg(rest, void*) : nullptr;
  va_end(rest);
  Lane* lane = enter(RF_FRAME);
  if (lane == nullptr) return real_mremap()(old, old_length, length, flags, target);
  settle_stores(*lane, old, old_length, {RF_SITE, RF_FRAME});
  if (target != nullptr) settle_stores(*lane, target, length, {RF_SITE, RF_FRAME});
  void* made = real_mremap()(old, old_length, length, flags, target);
  if (made == MAP_FAILED) return made;
  Busy busy(*lane, RF_FRAME);
  forget_stores(old, old_length);
  end_map(*lane, shared.maps.remove(old, old_length));
  if (target != nullptr) {
    forget_stores(target, length);
    end_map(*lane, shared.maps.remove(target, length));
  }
  return made;
}

/// Ahead of its first use, which may be in a signal handler.
void find_mapping_functions() { (void)real_mremap(); }

}  // namespace refrain::record
