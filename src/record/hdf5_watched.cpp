// Functions of HDF5 that are hooked without being events.
//
// Iterators (H5Literate, H5Ovisit, …) call back into the application. A generated program can't have its
// callbacks, so a trace holds what these did, as if the application had called it in a loop of its own: what
// a callback calls is outer, what the iterator itself reads is inner. The callback sees an identifier of the
// object that is iterated, made for the occasion; it stands for the identifier that the application passed.
// If the object was given by a name below that, the trace opens it before the first callback and closes it at
// the end:
//
//     H5Literate_by_name(file, "runs", …, visit, …)       H5Oopen(file0, "runs", H5P_DEFAULT) -> group0
//       visit(group, "a", …)  calls H5Dopen2(group, "a")  H5Dopen2(group0, "a", H5P_DEFAULT) -> dataset0
//       visit(group, "b", …)  calls H5Dopen2(group, "b")  H5Dopen2(group0, "b", H5P_DEFAULT) -> dataset1
//                                                         H5Oclose(group0)
//
// H5open and the functions behind H5FD_SEC2 and the like are called by the constants of HDF5's header.
#include <cstdlib>
#include <cstring>
#include <tuple>

#include "api/hdf5/words.hpp"
#include "record/hdf5_call.hpp"
#include "record/hdf5_callers.hpp"
#include "record/hdf5_facts.hpp"
#include "record/look.hpp"

namespace refrain::record {
namespace {

using api::RowId;
using namespace hdf5_words;

// What the library calls back. Structures are passed on as they are.
using AttributeVisit1 = herr_t (*)(hid_t, const char*, void*);
using AttributeVisit2 = herr_t (*)(hid_t, const char*, const void* info, void*);
using ElementVisit = herr_t (*)(void*, hid_t, unsigned, const hsize_t*, void*);
using GroupVisit = herr_t (*)(hid_t, const char*, void*);
using LinkVisit = herr_t (*)(hid_t, const char*, const void* info, void*);
using ObjectVisit = herr_t (*)(hid_t, const char*, const void* info, void*);
using PropertyVisit = herr_t (*)(hid_t, const char*, void*);
using ChunkVisit = int (*)(const hsize_t*, unsigned, haddr_t, hsize_t, void*);

/// The object that is iterated: `name` below `location`, or the location itself.
struct Root {
  hid_t location;
  const char* name = nullptr;
  hid_t lapl = 0;  // H5P_DEFAULT

  bool named() const { return name != nullptr && std::strcmp(name, ".") != 0; }
};

/// An iteration under way: what its callbacks need to know.
class Iteration {
 public:
  Iteration(Lane& lane, const void* site, const Root& root)
      : lane_(lane), site_(site), root_(root), depth_(lane.depth), frame_(lane.outer_frame) {
    location_ = hdf5::look_at(lane, root.location).handle;
    lapl_ = hdf5::look_at(lane, root.lapl).handle;
  }

  /// Lets the identifier that a callback gets stand for what the application knows. Under Busy.
  void meet(hid_t id) {
    if (id <= 0 || id == alias_ || shared.addresses.get(key(id)).state() != Handle::State::unknown) return;
    forget_alias();
    if (root_.named()) {
      if (!opened_.tracked()) open(id);
    } else {
      opened_ = location_;
    }
    alias_ = id;
    shared.addresses.set(key(id), opened_);
  }

  /// Under Busy.
  void finish() {
    forget_alias();
    if (!root_.named() || !opened_.tracked()) return;
    free_slot(opened_);
    note(
        RowId::hdf5_H5Oclose, trace::Bracket::closes, [&](auto& v) { v.slot(opened_); }, [](auto&) {});
  }

  Lane& lane() const { return lane_; }
  uint32_t depth() const { return depth_; }
  const char* frame() const { return frame_; }

 private:
  static uint64_t key(hid_t id) { return static_cast<uint64_t>(id); }

  void forget_alias() {
    if (alias_ > 0) shared.addresses.take(key(alias_));
    alias_ = 0;
  }

  void open(hid_t id) {
    opened_ = location_;
    if (!location_.tracked()) return;
    opened_ = name_address(lane_, hdf5::class_of(id), reinterpret_cast<const void*>(id));
    note(
        RowId::hdf5_H5Oopen, trace::Bracket::opens,
        [&](auto& v) {
          v.slot(location_);
          v.text(root_.name);
          if (lapl_.tracked())
            v.slot(lapl_);
          else
            v.fixed("H5P_DEFAULT");
        },
        [&](auto& v) { v.slot(opened_); });
  }

  template <class Operands, class ResultOf>
  void note(RowId row, trace::Bracket bracket, Operands operands, ResultOf result) {
    uint64_t now = ticks();
    emit(lane_, row,
         Outcome{
             .site = site_, .bracket = bracket, .outer = depth_ == 0, .start_ticks = now, .end_ticks = now},
         operands, result);
  }

  Lane& lane_;
  const void* site_;
  Root root_;
  uint32_t depth_;
  const char* frame_;
  Handle location_, lapl_, opened_;
  hid_t alias_ = 0;
};

/// The application's own code runs, as deep as it was when it called the iterator.
class Outside {
 public:
  explicit Outside(const Iteration& iteration)
      : lane_(iteration.lane()), depth_(lane_.depth), frame_(lane_.outer_frame) {
    lane_.depth = iteration.depth();
    lane_.outer_frame = iteration.frame();
  }
  ~Outside() {
    lane_.depth = depth_;
    lane_.outer_frame = frame_;
  }
  Outside(const Outside&) = delete;
  Outside& operator=(const Outside&) = delete;

 private:
  Lane& lane_;
  uint32_t depth_;
  const char* frame_;
};

/// What is passed to HDF5 in place of the application's callback and its data.
template <class Callback>
struct Passage;
template <class... A>
struct Passage<herr_t (*)(A...)> {
  Iteration& iteration;
  herr_t (*callback)(A...);
  void* data;

  static herr_t call(A... arguments) {
    std::tuple<A...> all(arguments...);
    auto& last = std::get<sizeof...(A) - 1>(all);
    auto& passage = *static_cast<Passage*>(last);
    last = passage.data;
    if constexpr (std::is_same_v<std::tuple_element_t<0, std::tuple<A...>>, hid_t>) {
      Busy busy(passage.iteration.lane(), static_cast<const char*>(__builtin_frame_address(0)));
      passage.iteration.meet(std::get<0>(all));
    }
    Outside outside(passage.iteration);
    return std::apply(passage.callback, all);
  }
};

template <class Callback, class Call>
int iterate(const void* site, const char* frame, const Root& root, Callback callback, void* data, Call call) {
  Lane* lane = enter(frame);
  if (lane == nullptr || callback == nullptr || !Hdf5::enabled()) return call(callback, data);
  auto begin = [&] {
    Busy busy(*lane, frame);
    return Iteration(*lane, site, root);
  };
  Iteration iteration = begin();
  Passage<Callback> passage{iteration, callback, data};
  Running running(*lane, frame);
  int result = call(&Passage<Callback>::call, static_cast<void*>(&passage));
  running.leave();
  Busy busy(*lane, frame);
  iteration.finish();
  return result;
}

}  // namespace

// RF_ITERATOR(function, (declarations), root, (arguments)): in the arguments, `op` and `op_data` are
// replaced.
#define RF_ITERATOR(name, callback, declarations, root, arguments)                         \
  RF_HDF5_REAL(name, int declarations)                                                     \
  RF_HOOK int hook_##name declarations RF_SYMBOL(name);                                    \
  int hook_##name declarations {                                                           \
    if (auto* other = hdf5::elsewhere(RF_SITE, #name)) {                                   \
      callback op_ = op;                                                                   \
      void* op_data_ = op_data;                                                            \
      return reinterpret_cast<function_##name*>(other) arguments;                          \
    }                                                                                      \
    return iterate(RF_SITE, RF_FRAME, root, op, op_data,                                   \
                   [&](callback op_, void* op_data_) { return real_##name() arguments; }); \
  }

RF_ITERATOR(H5Aiterate1, AttributeVisit1, (hid_t loc, unsigned* idx, AttributeVisit1 op, void* op_data),
            Root{loc}, (loc, idx, op_, op_data_))
RF_ITERATOR(H5Aiterate2, AttributeVisit2,
            (hid_t loc, H5_index_t index, H5_iter_order_t order, hsize_t* idx, AttributeVisit2 op,
             void* op_data),
            Root{loc}, (loc, index, order, idx, op_, op_data_))
RF_ITERATOR(H5Aiterate_by_name, AttributeVisit2,
            (hid_t loc, const char* name, H5_index_t index, H5_iter_order_t order, hsize_t* idx,
             AttributeVisit2 op, void* op_data, hid_t lapl),
            (Root{loc, name, lapl}), (loc, name, index, order, idx, op_, op_data_, lapl))
RF_ITERATOR(H5Diterate, ElementVisit, (void* buf, hid_t type, hid_t space, ElementVisit op, void* op_data),
            Root{type}, (buf, type, space, op_, op_data_))
RF_ITERATOR(H5Giterate, GroupVisit, (hid_t loc, const char* name, int* idx, GroupVisit op, void* op_data),
            (Root{loc, name}), (loc, name, idx, op_, op_data_))
#define RF_LINKS(name)                                                                                  \
  RF_ITERATOR(                                                                                          \
      name, LinkVisit,                                                                                  \
      (hid_t loc, H5_index_t index, H5_iter_order_t order, hsize_t * idx, LinkVisit op, void* op_data), \
      Root{loc}, (loc, index, order, idx, op_, op_data_))
RF_LINKS(H5Literate)
RF_LINKS(H5Literate1)
RF_LINKS(H5Literate2)
#define RF_LINKS_BY_NAME(symbol)                                                                   \
  RF_ITERATOR(symbol, LinkVisit,                                                                   \
              (hid_t loc, const char* name, H5_index_t index, H5_iter_order_t order, hsize_t* idx, \
               LinkVisit op, void* op_data, hid_t lapl),                                           \
              (Root{loc, name, lapl}), (loc, name, index, order, idx, op_, op_data_, lapl))
RF_LINKS_BY_NAME(H5Literate_by_name)
RF_LINKS_BY_NAME(H5Literate_by_name1)
RF_LINKS_BY_NAME(H5Literate_by_name2)
RF_ITERATOR(H5Literate_async, LinkVisit,
            (const char* in_file, const char* in_function, unsigned in_line, hid_t loc, H5_index_t index,
             H5_iter_order_t order, hsize_t* idx, LinkVisit op, void* op_data, hid_t events),
            Root{loc}, (in_file, in_function, in_line, loc, index, order, idx, op_, op_data_, events))
#define RF_VISITOR(name)                                                                           \
  RF_ITERATOR(name, ObjectVisit,                                                                   \
              (hid_t loc, H5_index_t index, H5_iter_order_t order, ObjectVisit op, void* op_data), \
              Root{loc}, (loc, index, order, op_, op_data_))
RF_VISITOR(H5Lvisit)
RF_VISITOR(H5Lvisit1)
RF_VISITOR(H5Lvisit2)
RF_VISITOR(H5Ovisit)
RF_VISITOR(H5Ovisit1)
#define RF_VISITOR_OF_FIELDS(name)                                                                          \
  RF_ITERATOR(                                                                                              \
      name, ObjectVisit,                                                                                    \
      (hid_t loc, H5_index_t index, H5_iter_order_t order, ObjectVisit op, void* op_data, unsigned fields), \
      Root{loc}, (loc, index, order, op_, op_data_, fields))
RF_VISITOR_OF_FIELDS(H5Ovisit2)
RF_VISITOR_OF_FIELDS(H5Ovisit3)
#define RF_VISITOR_BY_NAME(symbol)                                                                   \
  RF_ITERATOR(symbol, ObjectVisit,                                                                   \
              (hid_t loc, const char* name, H5_index_t index, H5_iter_order_t order, ObjectVisit op, \
               void* op_data, hid_t lapl),                                                           \
              (Root{loc, name, lapl}), (loc, name, index, order, op_, op_data_, lapl))
RF_VISITOR_BY_NAME(H5Lvisit_by_name)
RF_VISITOR_BY_NAME(H5Lvisit_by_name1)
RF_VISITOR_BY_NAME(H5Lvisit_by_name2)
RF_VISITOR_BY_NAME(H5Ovisit_by_name)
RF_VISITOR_BY_NAME(H5Ovisit_by_name1)
#define RF_VISITOR_OF_FIELDS_BY_NAME(symbol)                                                         \
  RF_ITERATOR(symbol, ObjectVisit,                                                                   \
              (hid_t loc, const char* name, H5_index_t index, H5_iter_order_t order, ObjectVisit op, \
               void* op_data, unsigned fields, hid_t lapl),                                          \
              (Root{loc, name, lapl}), (loc, name, index, order, op_, op_data_, fields, lapl))
RF_VISITOR_OF_FIELDS_BY_NAME(H5Ovisit_by_name2)
RF_VISITOR_OF_FIELDS_BY_NAME(H5Ovisit_by_name3)
RF_ITERATOR(H5Dchunk_iter, ChunkVisit, (hid_t dataset, hid_t dxpl, ChunkVisit op, void* op_data),
            Root{dataset}, (dataset, dxpl, op_, op_data_))
RF_ITERATOR(H5Piterate, PropertyVisit, (hid_t id, int* idx, PropertyVisit op, void* op_data), Root{id},
            (id, idx, op_, op_data_))

/// Makes a call that is no event; what it does in turn is not the application's.
template <class Function>
auto call_inside(const char* frame, Function* function) {
  Lane* lane = enter(frame);
  if (lane == nullptr || !Hdf5::enabled()) return function();
  Running running(*lane, frame);
  return function();
}

RF_HDF5_REAL(H5open, int())
RF_HOOK int hook_h5_open() RF_SYMBOL(H5open);
int hook_h5_open() {
  if (auto* other = hdf5::elsewhere(RF_SITE, "H5open")) return reinterpret_cast<int (*)()>(other)();
  if (hdf5::has_started()) [[likely]]
    return real_H5open()();
  hdf5::before_start();
  int result = call_inside(RF_FRAME, real_H5open());
  hdf5::after_start();
  return result;
}

/// The driver gets its name when the application mentions it. Some register themselves by a call of HDF5:
/// what that call named, no call of the application did.
void meet_driver(hid_t id, const char* constant, const char* frame) {
  if (id <= 0 || shared.addresses.get(static_cast<uint64_t>(id)).predefined()) return;
  Lane* lane = enter(frame);
  if (lane == nullptr) return;
  Busy busy(*lane, frame);
  forget_address(reinterpret_cast<const void*>(id));
  hdf5::name_driver(id, constant);
}

#define RF_DRIVER(constant, function)                                                                     \
  RF_HDF5_REAL(function, hid_t())                                                                         \
  RF_HOOK hid_t hook_##function() RF_SYMBOL(function);                                                    \
  hid_t hook_##function() {                                                                               \
    if (auto* other = hdf5::elsewhere(RF_SITE, #function)) return reinterpret_cast<hid_t (*)()>(other)(); \
    hid_t id = call_inside(RF_FRAME, real_##function());                                                  \
    meet_driver(id, #constant, RF_FRAME);                                                                 \
    return id;                                                                                            \
  }
#define PREDEFINED(...)
#define PREDEFINED_VALUE(...)
#define PREDEFINED_DRIVER(handle_class, name, function) RF_DRIVER(name, function)
#include "api/hdf5/predefined.def"
#undef PREDEFINED
#undef PREDEFINED_VALUE
#undef PREDEFINED_DRIVER

}  // namespace refrain::record
