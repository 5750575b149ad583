// The hooks of layer hdf5, which all follow from their rows. Built where HDF5's header is.
#include <hdf5.h>

#include "record/hdf5_call.hpp"

#ifndef H5_HAVE_PARALLEL
#define REFRAIN_SERIAL_HDF5
#endif

namespace refrain::record {

#define API(...) RF_LIBRARY_HOOK(Hdf5, __VA_ARGS__)
#include "api/hdf5.def"
#undef API

}  // namespace refrain::record
