// What a call says about the parts of files that are read and written by element, not by byte: it makes a
// space, selects in it, makes a datatype or an array, sets a view, moves data. Read off its signature.
#pragma once

#include <cstdint>
#include <vector>

#include "measure/access_rule.hpp"
#include "trace/signature.hpp"

namespace refrain::measure {

enum class SelectionEffect : uint8_t {
  none,
  forget,      ///< what the call makes or changes is not known
  make_space,  ///< of the size that its first list says
  copy,        ///< what it makes is as its first handle
  give_space,  ///< what it makes has the size of the array that its first handle stands for
  select,      ///< lists: start, stride, count, block
  select_all,
  select_none,
  make_array,   ///< of the size of a space
  set_size,     ///< of an array
  repeat_type,  ///< numbers: count
  stride_type,  ///< numbers: count, block, stride
  cut_type,     ///< lists: sizes of the array, sizes of the part, where it begins
  resize_type,  ///< numbers: lower bound, bytes
  set_view,
  seek,
  move_array,   ///< data: what a space selects of an array
  move_listed,  ///< data: what its lists say of a variable: start, count, stride
  move_seen,    ///< data: what a view shows
};

struct SelectionRule {
  static constexpr uint32_t absent = AccessRule::absent;

  struct Slot {
    uint32_t parameter = absent;
    uint32_t handle_class = 0;
    int32_t thread = trace::Operand::own_thread;
    int64_t predefined = 0;  ///< a datatype without a slot: bytes of an element, 0 if they aren't known
    explicit operator bool() const { return parameter != absent; }
  };
  struct List {
    uint32_t parameter = absent;
    uint32_t width = 0;  ///< 0: the argument was NULL
  };

  SelectionEffect effect = SelectionEffect::none;
  Slot handle{};  ///< the first that the call takes
  Slot made{};
  Slot space{};               ///< make_array, move_array: the last; none: all
  std::vector<Slot> types{};  ///< datatypes
  std::vector<List> lists{};
  std::vector<uint32_t> numbers{};  ///< parameters
  bool adds = false;                ///< select: to what is selected
  bool is_set = true;               ///< select: the selection is a new one
  bool in_bytes = false;            ///< stride_type
  bool last_is_slowest = false;     ///< cut_type: Fortran's order
  AccessRule::Whence whence{};      ///< seek
  uint32_t offset = absent;         ///< seek, set_view, move_seen
  bool whole = false;               ///< move_listed: all of the variable
  bool is_shared = false;           ///< move_seen: at the position that ranks share

  bool moves_data() const {
    return effect == SelectionEffect::move_array || effect == SelectionEffect::move_listed ||
           effect == SelectionEffect::move_seen;
  }
};

/// One rule per signature, in their order; `accesses` are theirs as well.
std::vector<SelectionRule> selection_rules(const std::vector<trace::Signature>& signatures,
                                           const std::vector<AccessRule>& accesses);

}  // namespace refrain::measure
