// Integers of 128 bits, for sums and products of 64-bit ones that must be exact before they are judged.
#pragma once

namespace refrain {

__extension__ using Wide = __int128;

}  // namespace refrain
