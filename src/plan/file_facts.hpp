// What the calls of a trace show about one file: who makes it, who needs it, and how much was read of it that
// the program had not written. From this follows whether it existed before the program began.
//
// Calls are made by *actors*, the threads of all ranks. Each actor is examined from its beginning to its end,
// and the order between actors is not known. So a file existed before if
// - no actor makes it, and some actor uses it;
// - every actor that makes it had used or found it before: then so had the first one;
// - an actor read more of it than it had written itself by then, and than any other actor ever writes. A call
// that
//   makes a file only if it is missing (O_CREAT alone) keeps an existing file.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "plan/file_calls.hpp"
#include "plan/inputs.hpp"

namespace refrain::plan {

using Actor = uint32_t;

class FileFacts {
 public:
  static constexpr Actor nobody = ~0u;
  static constexpr uint64_t unmeasured = ~uint64_t{0};

  bool folder = false;
  bool hdf5 = false;
  uint64_t entries = 0;  ///< of a folder, as they were first listed
  bool listed = false;
  uint64_t link = 0;
  std::vector<int64_t> lines{};
  std::vector<int64_t> header{};  ///< of a netCDF file, as it was when it was first opened
  std::string names{};
  bool must_be_copied = false;  ///< a netCDF file that was opened, but the trace doesn't hold what is in it
  // Openings by libraries, as of HDF5 files (opens_format in file_calls.hpp).
  std::set<std::pair<uint32_t, size_t>> openings{};  ///< arguments
  std::map<Actor, bool> openers{};                   ///< who opens it; true: to write
  /// From when to when it was open: how many barriers of all ranks the actor had passed.
  struct Span {
    Actor actor = nobody;
    bool alone = true;  ///< to write
    uint64_t opened = 0, closed = 0;
  };
  std::vector<Span> spans{};

  /// The actor found the file, or failed because it existed.
  void use(Actor actor);
  /// The actor made the file; unless `surely`, it may have existed before.
  void make(Actor actor, bool surely);
  /// The actor removed it.
  void remove(Actor actor);
  /// The actor wrote up to this offset; `unmeasured` if that isn't known.
  void write(Actor actor, uint64_t end);
  /// The actor appended this many bytes.
  void append(Actor actor, uint64_t bytes);
  /// The actor saw that the file is at least this long. True if it had not written that much itself.
  bool reach(Actor actor, uint64_t end);
  /// An argument needs the file, its folder, or data that others write to it, unless the actor made it.
  void need(Actor actor, uint32_t signature, size_t operand, Awaited what);

  /// The actor made a call whose outcome depends on whether the file is there.
  struct Attempt {
    Actor actor = nobody;
    uint32_t signature = 0;
    size_t operand = 0;
    Contest how = Contest::none;
    bool opens = false;
    bool failed = false;
    auto operator<=>(const Attempt&) const = default;
  };
  void contend(const Attempt& attempt);
  /// The actor learned where the file ends to which it appends.
  void tell_end(Actor actor, uint32_t signature) { told_ends_.insert({actor, signature}); }

  bool is_made() const { return first_maker_ != nobody; }
  /// Whether it is there because the actor made it, and only because of that.
  bool is_new_by(Actor actor) const {
    auto deeds = deeds_.find(actor);
    return made_by_ == actor && !used_ && deeds != deeds_.end() && !deeds->second.gone;
  }
  bool is_known() const { return used_ || is_made(); }
  /// `complete`: all calls on the file were reported here.
  bool is_input(bool complete) const;
  /// How large the file must be at the beginning.
  uint64_t size() const;
  /// Adds the arguments that wait for another actor. `in_turns`: only one actor at a time may
  /// write it, and others open it when it is closed.
  void await(AwaitedPaths& awaited, bool in_turns) const;
  /// Somebody opens it by a library to write.
  bool is_changed() const;
  /// Barriers show that it was open to be written while another actor had it open.
  bool is_open_at_once() const;
  /// The same of a file that was there before the program began.
  void await_turns(AwaitedPaths& awaited) const;
  /// Adds the calls whose outcome another actor may have decided. A call that came too late to remove the
  /// file waits until the other actor has removed it.
  void find_races(trace::Races& races, AwaitedPaths& awaited) const;

 private:
  struct Deeds {
    uint64_t written = 0;   ///< as far as it has written since it made the file anew
    uint64_t furthest = 0;  ///< ever
    uint64_t appended = 0;
    uint64_t found = 0;  ///< how far it saw data that it had not written
    bool used_first = false;
    bool made_anew = false;  ///< what it sees there is the program's
    bool gone = false;
  };
  bool others_make(Actor actor) const {
    return is_made() && (first_maker_ != actor || other_maker_ != nobody);
  }
  /// And this one never does.
  bool made_anew_by_others(Actor actor) const;
  /// How far anybody else ever writes.
  uint64_t written_by_others(Actor actor) const;
  /// Somebody read what nobody writes.
  bool holds_unwritten() const;

  bool used_ = false;
  bool made_unseen_ = false;  ///< by somebody who had not used it before
  Actor made_by_ = nobody;    ///< the last one that did
  Actor first_maker_ = nobody, other_maker_ = nobody;
  std::map<Actor, Deeds> deeds_{};
  std::set<std::tuple<uint32_t, size_t, Awaited, Actor>> users_{};
  /// Whether anybody else does that.
  template <class Does>
  bool others(Actor actor, Does does) const;
  std::set<Attempt> attempts_{};
  std::set<std::pair<Actor, uint32_t>> told_ends_{};
};

}  // namespace refrain::plan
