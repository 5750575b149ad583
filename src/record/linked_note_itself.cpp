// The note, in a member of its own of the archive, which the linker takes if it is asked for by this name.
#include "part/linked_note.hpp"

extern "C" __attribute__((section(".note.refrain"), aligned(4), used))
const refrain::record::LinkedNote refrain_instead_of_preloading = refrain::record::linked_note;
