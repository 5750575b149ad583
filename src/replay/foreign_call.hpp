// Calling a function that is known only by its row. All integers and pointers travel as 64-bit words, real
// numbers as the words of their bits; libffi puts them where the function expects them, or, where all of them
// belong into registers anyway, a plain call.
#pragma once

#include <ffi.h>

#include <cstdint>
#include <span>
#include <vector>

#include "api/table.hpp"

namespace refrain::replay {

class ForeignCall {
 public:
  ForeignCall() = default;
  /// `arguments`: the number passed, fewer than in the row if optional ones are missing.
  ForeignCall(void* function, const api::Row& row, size_t arguments);

  /// Makes the call. Returns the result as a word, sign-extended. `words`: one per argument.
  uint64_t operator()(std::span<uint64_t> words);

 private:
  enum class Width : uint8_t { nothing, signed32, word };
  static constexpr size_t register_words = 6;

  uint64_t in_registers(std::span<const uint64_t> words) const;

  void (*function_)() = nullptr;
  Width width_ = Width::word;
  bool fits_registers_ = false;
  bool placed_ = false;          ///< the function takes a place in the source first
  std::vector<uint64_t> words_;  ///< then
  ffi_cif interface_{};
  std::vector<ffi_type*> types_;  ///< outlive the interface, which points to them
  std::vector<void*> places_;
  float narrow_ = 0;  ///< the value of a float argument
};

}  // namespace refrain::replay
