// A program that holds static libraries whose calls are to be recorded carries the recorder itself, and a
// note that says so: a preloaded recorder, which would not see these calls, then stays out of the way.
// `refrain link-flags
// --static` puts it in.
#pragma once

#include <cstdint>

namespace refrain::record {

struct LinkedNote {
  uint32_t name_size, text_size, type;
  char name[8];
};
inline constexpr LinkedNote linked_note{8, 0, 1, "Refrain"};

/// Whether this process's program carries the note.
bool has_linked_note();

}  // namespace refrain::record
