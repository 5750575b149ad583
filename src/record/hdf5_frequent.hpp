// The short way for the calls of HDF5 that come by the million: selecting a hyperslab, and transfers. It is
// compiled for each of these rows, and taken where everything is known that their description needs:
// identifiers that have their slots, the rank of the dataspace, the size of what is transferred. In any other
// case, and after a failure, the interpreter does the work (hdf5_call.hpp). Both describe the call by the
// same code, so no event shows which way it came.
#pragma once

#include <utility>

#include "record/hdf5_call.hpp"
#include "record/hdf5_describe.hpp"

namespace refrain::record {

constexpr bool is_transfer(const RowPlan& plan) {
  for (size_t i = 0; i < plan.count; ++i)
    if (plan.kinds[i] == Kind::h5_data_in || plan.kinds[i] == Kind::h5_data_out) return true;
  return false;
}

template <const RowPlan& plan>
struct FrequentHdf5 {
  using Interpreted = Around<Hdf5>;
  using Facts = std::atomic<uint64_t> * [plan.count];  // of identifiers; the others are never set

  static bool enabled() { return Hdf5::enabled(); }

  /// Only reads tables that take no locks: what a signal handler does meanwhile is recorded before this call.
  static bool begin(LibraryCall& call, const char* frame) {
    call.short_way = hdf5::has_started() && look(call, std::make_index_sequence<plan.count>());
    return call.short_way || Interpreted::begin(call, frame);
  }

  /// A selection that replaces another one is a little work in memory, whatever was selected before: one in a
  /// few is timed.
  static uint64_t end_ticks(LibraryCall& call, uint64_t result) {
    if constexpr (plan.is(api::Trait::selects_in_memory))
      if (call.short_way && call.integer(1) == hdf5::replaces && static_cast<int64_t>(result) >= 0)
        return call.lane.copy_times.end_of(CopyTimes::selecting, static_cast<uint64_t>(call.known),
                                           call.outcome.start_ticks, ticks);
    return ticks();
  }

  [[gnu::noinline]] static void end(LibraryCall& call, uint64_t result, const char* frame) {
    if (!call.short_way || static_cast<int64_t>(result) < 0) return Interpreted::end(call, result, frame);
    Busy busy(call.lane, frame);
    if constexpr (!is_transfer(plan))
      hdf5::note_points_at(shared.addresses.look(call.words[0]), hdf5::hyperslab_points(call));
    emit_repeated(
        call.lane, plan.id, call.outcome,
        [&](auto& v)
            __attribute__((always_inline)) { describe(v, call, std::make_index_sequence<plan.count>()); },
        [](auto&) {}, [&]() __attribute__((always_inline)) { emit_other(call); });
  }

 private:
  [[gnu::noinline, gnu::cold]] static void emit_other(const LibraryCall& call) {
    emit(
        call.lane, plan.id, call.outcome,
        [&](auto& v) { describe(v, call, std::make_index_sequence<plan.count>()); }, [](auto&) {});
  }

  template <size_t... i>
  static bool look(LibraryCall& call, std::index_sequence<i...>) {
    Facts facts;
    bool all = (look_at<i>(call, facts) && ...);
    if (!all) return false;
    auto place = [&](size_t k) { return AddressTable::Place{call.handles[k], facts[k]}; };
    // Those selected in memory, else in the file; a transfer of everything is left to the interpreter.
    call.known = is_transfer(plan)
                     ? hdf5::product(hdf5::known_space(place(call.words[2] != 0 ? 2 : 3)).points,
                                     hdf5::known_type_size(place(1)))
                     : hdf5::known_space(place(0)).rank;
    return call.known >= 0 && (is_transfer(plan) || call.known <= int64_t{trace::Operand::max_width});
  }

  template <size_t i>
  static bool look_at(LibraryCall& call, Facts& facts) {
    if constexpr ((plan.identifiers >> i & 1) != 0) {
      if (call.words[i] == 0) return facts[i] = nullptr, true;
      AddressTable::Place place = shared.addresses.look(call.words[i]);
      call.handles[i] = place.handle, facts[i] = place.fact;
      return place.handle.tracked() || place.handle.predefined();
    }
    return true;
  }

  template <class V, size_t... i>
  [[gnu::always_inline]] static void describe(V& v, const LibraryCall& call, std::index_sequence<i...>) {
    hdf5::Description<V, hdf5::Calls::frequent> description(v, call);
    (description.argument(i, plan.kinds[i]), ...);
  }
};

/// Whether hdf5::Calls::frequent describes all arguments.
constexpr bool is_described_so(const RowPlan& plan) {
  for (size_t i = 0; i < plan.count; ++i) {
    Kind kind = plan.kinds[i];
    if (!is_identifier(kind) && kind != Kind::h5_coordinates && kind != Kind::h5_data_in &&
        kind != Kind::h5_data_out && api::form_of(kind) != api::Form::name)
      return false;
  }
  return true;
}

/// A transfer begins with dataset, datatype, memory space and file space.
constexpr bool is_frequent(const RowPlan& plan) {
  return is_described_so(plan) && plan.result == Kind::h5_status &&
         (plan.is(api::Trait::selects_hyperslab) || is_transfer(plan));
}

template <const RowPlan& plan, bool frequent = is_frequent(plan)>
struct ChooseHalves {
  using Type = Around<Hdf5>;
};
template <const RowPlan& plan>
struct ChooseHalves<plan, true> {
  using Type = FrequentHdf5<plan>;
};
template <const RowPlan& plan>
using HalvesFor = typename ChooseHalves<plan>::Type;

}  // namespace refrain::record
