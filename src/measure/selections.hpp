// Which part of an array, or of a file, each call of a run reads or writes: spaces of HDF5 and what is
// selected in them, datatypes and views of MPI are followed from the calls that make them.
#pragma once

#include <span>
#include <unordered_map>
#include <vector>

#include "measure/handle_key.hpp"
#include "measure/selection_rule.hpp"
#include "measure/slab.hpp"
#include "measure/type_layout.hpp"

namespace refrain::measure {

class Selections {
 public:
  using Parameters = std::span<const int64_t>;

  struct Part {
    enum class Kind : uint8_t {
      none,     ///< the call moves no data, or data of another kind
      bytes,    ///< of a file: from `begin` on
      slab,     ///< of an array
      unknown,  ///< of an array or a file
    };
    Kind kind = Kind::none;
    int64_t begin = 0;
    Slab slab{};
    int64_t variable = -1;  ///< which array of the file, where the call says so by number
  };

  /// What comes now is done by this thread. Handles of threads before it are remembered.
  void begin_thread(uint32_t thread) { thread_ = static_cast<int32_t>(thread); }
  /// Carries out a call; `bytes`: that it moves.
  Part take(const SelectionRule& rule, Parameters parameters, uint64_t bytes);

  /// Where the handles of files stand.
  using Positions = std::vector<int64_t>;
  Positions positions() const;
  /// As if `turns` more rounds had been made, each of which moves them as far as since `before`.
  void leap(const Positions& before, uint64_t turns);

 private:
  enum class Selected : uint8_t { all, nothing, slab, unknown };
  /// What is known of a space or an array.
  struct Space {
    std::vector<int64_t> size{};
    Selected selected = Selected::all;
    Slab slab{};
  };
  struct View {
    int64_t before = 0;  ///< bytes of the file
    int64_t unit = 1;    ///< bytes that offsets count; 0: not known
    KnownLayout type{};  ///< nothing: all bytes, or not known
    bool known = true;
    bool has_gaps = false;
    size_t position = 0;  ///< number of the position
  };

  HandleKey key(const SelectionRule::Slot& slot, Parameters parameters) const;
  std::vector<int64_t> list(const SelectionRule& rule, size_t number, Parameters parameters) const;
  KnownLayout layout(const SelectionRule::Slot& type, Parameters parameters) const;
  void forget(const SelectionRule& rule, Parameters parameters);
  void copy(const SelectionRule& rule, Parameters parameters);
  void select(const SelectionRule& rule, Parameters parameters);
  KnownLayout made_type(const SelectionRule& rule, Parameters parameters) const;
  void make_space(const SelectionRule& rule, Parameters parameters);
  View& view(const SelectionRule& rule, Parameters parameters);
  void set_view(const SelectionRule& rule, Parameters parameters);
  void seek(const SelectionRule& rule, Parameters parameters);
  Part array_part(const SelectionRule& rule, Parameters parameters) const;
  Part listed_part(const SelectionRule& rule, Parameters parameters) const;
  Part seen_part(const SelectionRule& rule, Parameters parameters, uint64_t bytes);

  int32_t thread_ = 0;
  std::unordered_map<HandleKey, Space, HandleKeyHash> spaces_;
  std::unordered_map<HandleKey, KnownLayout, HandleKeyHash> types_;
  std::unordered_map<HandleKey, View, HandleKeyHash> views_;
  Positions positions_;
};

}  // namespace refrain::measure
