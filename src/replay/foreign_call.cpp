// See foreign_call.hpp. On the processors that Refrain runs on, an argument of less than 64 bits is the low
// part of a word; of the result only as much is looked at as the row says.
//
// The first six arguments, if they are integers or addresses, are passed in registers that the caller gives
// up (x0 to x5, rdi to r9), and a function looks only at those that it declares. So a function of up to six
// such arguments can be called as one of six, and costs what any call costs. Functions with further arguments
// ("...") and real numbers go the long way.
#include "replay/foreign_call.hpp"

#include <algorithm>
#include <array>
#include <iterator>

#include "base/bit_cast.hpp"
#include "base/check.hpp"

namespace refrain::replay {
namespace {

/// The number of named arguments of a variadic function; 0 for other functions.
unsigned fixed_arguments(const api::Row& row) {
  return row.is(api::Trait::is_variadic) ? static_cast<unsigned>(row.arguments.size()) - 1 : 0;
}

/// The file, function and line that calls say they come from, where the function wants to know.
const std::array<uint64_t, 3> call_place = {reinterpret_cast<uint64_t>("replay"),
                                            reinterpret_cast<uint64_t>("replay"), 0};

bool is_wide(std::string_view type) {
  constexpr std::string_view wide[] = {"ssize_t", "size_t",  "off_t",    "long",
                                       "hid_t",   "hsize_t", "hssize_t", "haddr_t"};
  return type.ends_with('*') || type == "H5T_conv_t" ||
         std::find(std::begin(wide), std::end(wide), type) != std::end(wide);
}

}  // namespace

ForeignCall::ForeignCall(void* function, const api::Row& row, size_t arguments)
    : function_(reinterpret_cast<void (*)()>(function)) {
  if (row.placed) types_.assign(call_place.size(), &ffi_type_uint64);
  for (const api::Argument& argument : row.arguments.first(arguments))
    types_.push_back(argument.type == "double"  ? &ffi_type_double
                     : argument.type == "float" ? &ffi_type_float
                                                : &ffi_type_uint64);
  placed_ = row.placed;
  if (placed_) words_.resize(types_.size());
  arguments = types_.size();
  places_.resize(arguments);
  width_ = row.result_type == "void"  ? Width::nothing
           : is_wide(row.result_type) ? Width::word
                                      : Width::signed32;
  ffi_type* result = width_ == Width::nothing    ? &ffi_type_void
                     : width_ == Width::signed32 ? &ffi_type_sint32
                                                 : &ffi_type_uint64;
  auto count = static_cast<unsigned>(arguments);
  unsigned fixed = fixed_arguments(row);
#if defined(__aarch64__) || defined(__x86_64__)
  bool all_words =
      std::count(types_.begin(), types_.end(), &ffi_type_uint64) == static_cast<ptrdiff_t>(count);
  fits_registers_ = all_words && fixed == 0 && arguments <= register_words;
#endif
  ffi_status status =
      fixed > 0 && count > fixed
          ? ffi_prep_cif_var(&interface_, FFI_DEFAULT_ABI, fixed, count, result, types_.data())
          : ffi_prep_cif(&interface_, FFI_DEFAULT_ABI, count, result, types_.data());
  REFRAIN_CHECK(status == FFI_OK);
}

uint64_t ForeignCall::in_registers(std::span<const uint64_t> words) const {
  uint64_t w[register_words] = {};
  std::copy(words.begin(), words.end(), w);
  using Function = uint64_t(uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t);
  return reinterpret_cast<Function*>(function_)(w[0], w[1], w[2], w[3], w[4], w[5]);
}

uint64_t ForeignCall::operator()(std::span<uint64_t> words) {
  if (placed_) {
    std::copy(call_place.begin(), call_place.end(), words_.begin());
    std::copy(words.begin(), words.end(), words_.begin() + call_place.size());
    words = words_;
  }
  ffi_arg result = 0;
  if (fits_registers_) {
    result = in_registers(words);
  } else {
    for (size_t i = 0; i < places_.size(); ++i) {
      places_[i] = &words[i];
      if (types_[i] != &ffi_type_float) continue;  // traces hold doubles
      narrow_ = static_cast<float>(bit_cast<double>(words[i]));
      places_[i] = &narrow_;
    }
    ffi_call(&interface_, function_, &result, places_.data());
  }
  if (width_ == Width::signed32)
    return static_cast<uint64_t>(static_cast<int64_t>(static_cast<int32_t>(result)));
  return width_ == Width::nothing ? 0 : static_cast<uint64_t>(result);
}

}  // namespace refrain::replay
