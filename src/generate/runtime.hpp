// The fixed part of every kernel, refrain_kernel.h: functions, variables, types and macros, of which a kernel
// gets those that it uses.
#pragma once

#include <string>
#include <string_view>

namespace refrain::generate {

/// The header for the text `program`. `parallel`: it runs under MPI.
std::string runtime_header(std::string_view program, bool parallel);

}  // namespace refrain::generate
