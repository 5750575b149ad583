// Arguments of HDF5 that are structures, which only its header knows: configurations of the metadata cache,
// and what the application made known to HDF5, with stand-ins for its functions: filters that change nothing,
// links that lead to the group they are in, drivers that work like HDF5's own for ordinary files.
#include <cstring>

#include "api/names.hpp"
#include "replay/argument_words.hpp"
#include "replay/replay_error.hpp"
#include "replay/special.hpp"
#ifdef REFRAIN_REPLAY_HDF5
#include <hdf5.h>
#endif

namespace refrain::replay {
namespace {

#ifdef REFRAIN_REPLAY_HDF5
size_t pass_on(unsigned, size_t, const unsigned*, size_t bytes, size_t*, void**) { return bytes; }

Libraries* known_libraries = nullptr;  ///< for same_group, to which HDF5 can't pass it
hid_t same_group(const char*, hid_t group, const void*, size_t, hid_t access, hid_t) {
  using Open = hid_t(hid_t, const char*, hid_t);
  return known_libraries->get<Open>("H5Oopen")(group, ".", access);
}

constexpr unsigned read_only = 0;  ///< H5F_ACC_RDONLY, whose macro needs the library

/// The largest size of an application's driver settings.
constexpr size_t setting_bytes = 8;
#else
constexpr const char* no_hdf5 = "this Refrain was built without HDF5";
#endif

}  // namespace

/// The operands are integers, then real numbers, then the name of a debugging file, which is left out.
uint64_t Arguments::cache_config(const GivenArgument& g) {
  const Operand& first = operand(g);
  if (first.kind == trace::OperandKind::name && first.text == "NULL") return 0;
#ifdef REFRAIN_REPLAY_HDF5
  constexpr size_t whole_numbers = 21, real_numbers = 8;
  std::vector<int64_t> n = numbers(g);
  if (n.size() != whole_numbers || g.count != 2 + real_numbers)
    throw ReplayError{"takes a configuration of another shape"};
  double r[real_numbers];
  for (size_t k = 0; k < real_numbers; ++k) {
    auto bits = api::value_of(Kind::h5_real, operand(g, k + 1).text);
    if (!bits) throw ReplayError{"a value that can't be read"};
    std::memcpy(&r[k], &*bits, sizeof r[k]);
  }
  auto* c = stage_.buffers.list<H5AC_cache_config_t>(1);
  auto size = [](int64_t v) { return static_cast<size_t>(v); };
  c->version = static_cast<int>(n[0]);
  c->rpt_fcn_enabled = n[1] != 0;
  c->evictions_enabled = n[4] != 0;
  c->set_initial_size = n[5] != 0;
  c->initial_size = size(n[6]);
  c->min_clean_fraction = r[0];
  c->max_size = size(n[7]);
  c->min_size = size(n[8]);
  c->epoch_length = static_cast<long>(n[9]);
  c->incr_mode = static_cast<H5C_cache_incr_mode>(n[10]);
  c->lower_hr_threshold = r[1];
  c->increment = r[2];
  c->apply_max_increment = n[11] != 0;
  c->max_increment = size(n[12]);
  c->flash_incr_mode = static_cast<H5C_cache_flash_incr_mode>(n[13]);
  c->flash_multiple = r[3];
  c->flash_threshold = r[4];
  c->decr_mode = static_cast<H5C_cache_decr_mode>(n[14]);
  c->upper_hr_threshold = r[5];
  c->decrement = r[6];
  c->apply_max_decrement = n[15] != 0;
  c->max_decrement = size(n[16]);
  c->epochs_before_eviction = static_cast<int>(n[17]);
  c->apply_empty_reserve = n[18] != 0;
  c->empty_reserve = r[7];
  c->dirty_bytes_threshold = size(n[19]);
  c->metadata_write_strategy = static_cast<int>(n[20]);
  return reinterpret_cast<uint64_t>(c);
#else
  throw ReplayError{no_hdf5};
#endif
}

uint64_t Arguments::image_config(const GivenArgument& g) {
  std::vector<int64_t> n = numbers(g);
  if (n.empty()) return 0;
#ifdef REFRAIN_REPLAY_HDF5
  if (n.size() != 4) throw ReplayError{"takes a configuration of another shape"};
  auto* c = stage_.buffers.list<H5AC_cache_image_config_t>(1);
  c->version = static_cast<int>(n[0]);
  c->generate_image = n[1] != 0;
  c->save_resize_status = n[2] != 0;
  c->entry_ageout = static_cast<int>(n[3]);
  return reinterpret_cast<uint64_t>(c);
#else
  throw ReplayError{no_hdf5};
#endif
}

uint64_t Arguments::filter(const GivenArgument& g) {
  auto number = api::value_of(Kind::h5_filter, operand(g).text);
  if (!number) throw ReplayError{"a filter without a number"};
#ifdef REFRAIN_REPLAY_HDF5
  auto* f = stage_.buffers.list<H5Z_class2_t>(1);
  f->version = H5Z_CLASS_T_VERS;
  f->id = static_cast<H5Z_filter_t>(*number);
  f->encoder_present = f->decoder_present = 1;
  f->name = "replay";
  f->filter = pass_on;
  return reinterpret_cast<uint64_t>(f);
#else
  throw ReplayError{no_hdf5};
#endif
}

uint64_t Arguments::link_class(const GivenArgument& g) {
  auto number = api::value_of(Kind::h5_link_type, operand(g).text);
  if (!number) throw ReplayError{"a class of links without a number"};
#ifdef REFRAIN_REPLAY_HDF5
  known_libraries = &stage_.libraries;
  auto* c = stage_.buffers.list<H5L_class_t>(1);
  c->version = H5L_LINK_CLASS_T_VERS;
  c->id = static_cast<H5L_type_t>(*number);
  c->trav_func = same_group;
  return reinterpret_cast<uint64_t>(c);
#else
  throw ReplayError{no_hdf5};
#endif
}

/// Finds the driver of ordinary files by opening one.
uint64_t make_h5_driver(Arguments& a) {
#ifdef REFRAIN_REPLAY_HDF5
  Libraries& libraries = a.stage().libraries;
  H5FD_class_t driver;
  {
    Quiet quiet;
    using Open = H5FD_t*(const char*, unsigned, hid_t, haddr_t);
    H5FD_t* file = libraries.get<Open>("H5FDopen")("/dev/null", read_only, H5P_DEFAULT, HADDR_UNDEF);
    if (file == nullptr) throw ReplayError{"HDF5 has no driver for ordinary files"};
    driver = *file->cls;
    libraries.get<herr_t(H5FD_t*)>("H5FDclose")(file);
  }
  driver.name = "replay";
  driver.terminate = nullptr;
  driver.fapl_size = setting_bytes;
  return static_cast<uint64_t>(libraries.get<hid_t(const H5FD_class_t*)>("H5FDregister")(&driver));
#else
  (void)a;
  throw ReplayError{no_hdf5};
#endif
}

}  // namespace refrain::replay
