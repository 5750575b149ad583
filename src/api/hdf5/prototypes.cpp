// Holds the rows of layer hdf5, the values behind names and the types without a header (words.hpp) against
// HDF5's header.
#define H5_USE_110_API  // so that names without a number mean what they meant before there were others
#include <hdf5.h>

#include <cstddef>
#include <type_traits>

#include "api/expand_rows.hpp"
#include "api/hdf5/words.hpp"

#define REFRAIN_HDF5_VERSION (H5_VERS_MAJOR * 100 + H5_VERS_MINOR)
#ifndef H5_HAVE_PARALLEL
#define REFRAIN_SERIAL_HDF5
#endif
#ifndef H5_HAVE_SUBFILING_VFD
#define REFRAIN_HDF5_WITHOUT_SUBFILING
#endif
#if H5_VERSION_GE(1, 14, 0) && !defined H5_HAVE_LIBHDFS
#define REFRAIN_HDF5_WITHOUT_HDFS
#endif
#ifndef H5_HAVE_DIRECT
#define REFRAIN_HDF5_WITHOUT_DIRECT
#endif
// The header's constants start the library before they give their value.
#undef H5OPEN
#undef H5CHECK
#define H5OPEN
#define H5CHECK

namespace refrain::api {
namespace {

/// Versions differ in what they promise not to change behind a pointer.
template <class T>
struct Passed {
  using Type = T;
};
template <class T>
struct Passed<const T*> {
  using Type = T*;
};
template <class F>
struct Prototype;
template <class R, class... A>
struct Prototype<R (*)(A...)> {
  using Type = R(typename Passed<A>::Type...);
};
template <class Row, class Header>
constexpr bool agree = std::is_same_v<typename Prototype<Row>::Type, typename Prototype<Header>::Type>;

#define RF_CHECK(name, result, ...) \
  static_assert(agree<RF_RESULT_TYPE result (*)(__VA_ARGS__), decltype(&::name)>, #name);
#define API(layer, name, group, result, ...) RF_CHECK(name, result, RF_LIST(RF_ARG_TYPE, __VA_ARGS__))
#define API_PLACED(layer, name, group, result, ...) \
  RF_CHECK(name, result, const char*, const char*, unsigned, RF_LIST(RF_ARG_TYPE, __VA_ARGS__))
#include "api/hdf5/rows.def"
#include "api/undefine_rows.def"

#define CASE(kind, name, value) static_assert(static_cast<long>(name) == (value));
#define FLAG(kind, name, value, bits) static_assert(static_cast<long>(name) == (value));
#include "api/hdf5/names.def"

#define HDF5_WORD(name, type) static_assert(sizeof(::name) == sizeof(type));
#define HDF5_STRUCT(name)
#define HDF5_FUNCTION(name) static_assert(sizeof(::name) == sizeof(void*));
#include "api/hdf5/words.def"

#define SAME_SIZE(name) static_assert(sizeof(::name) == sizeof(hdf5_words::name));
#define SAME_PLACE(name, member) \
  static_assert(offsetof(::name, member) == offsetof(hdf5_words::name, member));
SAME_SIZE(H5AC_cache_config_t)
SAME_PLACE(H5AC_cache_config_t, trace_file_name)
SAME_PLACE(H5AC_cache_config_t, min_clean_fraction)
SAME_PLACE(H5AC_cache_config_t, incr_mode)
SAME_PLACE(H5AC_cache_config_t, apply_max_increment)
SAME_PLACE(H5AC_cache_config_t, flash_incr_mode)
SAME_PLACE(H5AC_cache_config_t, decr_mode)
SAME_PLACE(H5AC_cache_config_t, epochs_before_eviction)
SAME_PLACE(H5AC_cache_config_t, empty_reserve)
SAME_PLACE(H5AC_cache_config_t, metadata_write_strategy)
SAME_SIZE(H5AC_cache_image_config_t)
SAME_PLACE(H5AC_cache_image_config_t, entry_ageout)
SAME_SIZE(H5Z_class2_t)
SAME_PLACE(H5Z_class2_t, name)
SAME_PLACE(H5Z_class2_t, filter)
SAME_SIZE(H5L_class_t)
SAME_PLACE(H5L_class_t, trav_func)
#if H5_VERSION_GE(1, 12, 0)
SAME_SIZE(H5O_token_t)
#endif

}  // namespace
}  // namespace refrain::api
