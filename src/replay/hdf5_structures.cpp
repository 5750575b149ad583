// Arguments of HDF5 that are structures: configurations of the metadata cache,
// and what the application made known to HDF5, with stand-ins for its functions: filters that change nothing,
// links that lead to the group they are in, drivers that work like HDF5's own for ordinary files.
#include <cstring>

#include "api/hdf5/words.hpp"
#include "api/names.hpp"
#include "replay/argument_words.hpp"
#include "replay/replay_error.hpp"
#include "replay/special.hpp"

namespace refrain::replay {
namespace {

using namespace hdf5_words;

size_t pass_on(unsigned, size_t, const unsigned*, size_t bytes, size_t*, void**) { return bytes; }

Libraries* known_libraries = nullptr;  ///< for same_group, to which HDF5 can't pass it
int64_t same_group(const char*, int64_t group, const void*, size_t, int64_t access, int64_t) {
  using Open = int64_t(int64_t, const char*, int64_t);
  return known_libraries->get<Open>("H5Oopen")(group, ".", access);
}

constexpr int class_version = 1;  // H5Z_CLASS_T_VERS, H5L_LINK_CLASS_T_VERS

}  // namespace

/// The operands are integers, then real numbers, then the name of a debugging file, which is left out.
uint64_t Arguments::cache_config(const GivenArgument& g) {
  const Operand& first = operand(g);
  if (first.kind == trace::OperandKind::name && first.text == "NULL") return 0;
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
  c->incr_mode = static_cast<int>(n[10]);
  c->lower_hr_threshold = r[1];
  c->increment = r[2];
  c->apply_max_increment = n[11] != 0;
  c->max_increment = size(n[12]);
  c->flash_incr_mode = static_cast<int>(n[13]);
  c->flash_multiple = r[3];
  c->flash_threshold = r[4];
  c->decr_mode = static_cast<int>(n[14]);
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
}

uint64_t Arguments::image_config(const GivenArgument& g) {
  std::vector<int64_t> n = numbers(g);
  if (n.empty()) return 0;
  if (n.size() != 4) throw ReplayError{"takes a configuration of another shape"};
  auto* c = stage_.buffers.list<H5AC_cache_image_config_t>(1);
  c->version = static_cast<int>(n[0]);
  c->generate_image = n[1] != 0;
  c->save_resize_status = n[2] != 0;
  c->entry_ageout = static_cast<int>(n[3]);
  return reinterpret_cast<uint64_t>(c);
}

uint64_t Arguments::filter(const GivenArgument& g) {
  auto number = api::value_of(Kind::h5_filter, operand(g).text);
  if (!number) throw ReplayError{"a filter without a number"};
  auto* f = stage_.buffers.list<H5Z_class2_t>(1);
  f->version = class_version;
  f->id = static_cast<int>(*number);
  f->encoder_present = f->decoder_present = 1;
  f->name = "replay";
  f->filter = pass_on;
  return reinterpret_cast<uint64_t>(f);
}

uint64_t Arguments::link_class(const GivenArgument& g) {
  auto number = api::value_of(Kind::h5_link_type, operand(g).text);
  if (!number) throw ReplayError{"a class of links without a number"};
  known_libraries = &stage_.libraries;
  auto* c = stage_.buffers.list<H5L_class_t>(1);
  c->version = class_version;
  c->id = static_cast<int>(*number);
  c->trav_func = same_group;
  return reinterpret_cast<uint64_t>(c);
}

/// Finds the driver of ordinary files by opening one, and changes in a copy what must be another's. Where
/// these things are depends on the version: since 1.14, eight bytes further.
uint64_t make_h5_driver(Arguments& a) {
  constexpr size_t driver_bytes = 512, before_class = 8;  // of H5FD_class_t, or more; of H5FD_t before it
  constexpr size_t name_at = 0, terminate_at = 24, setting_bytes_at = 56;
  constexpr uint64_t no_address = ~uint64_t{0};  // HADDR_UNDEF
  constexpr unsigned for_reading = 0;            // H5F_ACC_RDONLY
  Libraries& libraries = a.stage().libraries;
  alignas(8) char driver[driver_bytes];
  {
    Quiet quiet;
    using Open = char*(const char*, unsigned, int64_t, uint64_t);
    char* file = libraries.get<Open>("H5FDopen")("/dev/null", for_reading, 0, no_address);
    if (file == nullptr) throw ReplayError{"HDF5 has no driver for ordinary files"};
    const char* own = nullptr;
    memcpy(&own, file + before_class, sizeof own);
    memcpy(driver, own, sizeof driver);
    libraries.get<int(char*)>("H5FDclose")(file);
  }
  auto put = [&](size_t at, uint64_t word) {
    memcpy(driver + at + (libraries.hdf5_version() >= 114 ? 8 : 0), &word, sizeof word);
  };
  put(name_at, reinterpret_cast<uint64_t>("replay"));
  put(terminate_at, 0);
  put(setting_bytes_at, 8);
  return static_cast<uint64_t>(libraries.get<int64_t(const void*)>("H5FDregister")(driver));
}

}  // namespace refrain::replay
