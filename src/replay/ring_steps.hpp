// Steps of a replay for layer uring: rings, what is submitted through them, and completions. The rings
// themselves are C text that kernels share (base/io_ring.h).
#pragma once

#include <cstdint>

namespace refrain::replay {

class Arguments;

/// Stands for a registered file in place of its descriptor, by its place in the table.
int64_t registered_file(int64_t place);

uint64_t make_ring(Arguments& a);
uint64_t end_ring(Arguments& a);
uint64_t submit_ring(Arguments& a);
uint64_t register_files(Arguments& a);
uint64_t unregister_files(Arguments& a);
uint64_t register_buffers(Arguments& a);
uint64_t unregister_buffers(Arguments& a);
uint64_t put_transfer(Arguments& a);
uint64_t put_vector(Arguments& a);
uint64_t put_fixed(Arguments& a);
uint64_t put_fsync(Arguments& a);
uint64_t put_sync_file_range(Arguments& a);
uint64_t put_openat(Arguments& a);
uint64_t put_close(Arguments& a);
uint64_t put_fallocate(Arguments& a);
uint64_t put_ftruncate(Arguments& a);
uint64_t put_fadvise(Arguments& a);
uint64_t put_statx(Arguments& a);
uint64_t put_unlinkat(Arguments& a);
uint64_t put_mkdirat(Arguments& a);
uint64_t put_nop(Arguments& a);
uint64_t take_completions(Arguments& a);

}  // namespace refrain::replay
