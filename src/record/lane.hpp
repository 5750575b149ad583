// A lane records the calls of one thread at a time: it turns each into an event, keeps the event safe in
// its part's journal, and folds the journal into loops every few hundred events. Its number is the thread
// number in the trace (see thread_numbers.hpp); threads that get the same number one after another share it.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <new>

#include "api/table.hpp"
#include "part/part_writer.hpp"
#include "part/state.hpp"
#include "record/arena.hpp"
#include "record/copied.hpp"
#include "record/known_memory.hpp"
#include "record/known_paths.hpp"
#include "record/mpi_addresses.hpp"
#include "record/recorded_handles.hpp"
#include "record/seen_bytes.hpp"
#include "record/signals.hpp"
#include "record/signatures.hpp"
#include "record/templates.hpp"

namespace refrain::record {

/// What a call looked like: `words` for what belongs to its signature. Its integers go straight to the
/// journal.
struct Draft {
  static constexpr uint32_t max_words = SignatureTable::max_words;
  uint64_t words[max_words];
  int64_t discarded[trace::Signature::max_parameters];  ///< integers of a call that will be described again
  int64_t fields[trace::Template::max_fields];          ///< of the text found last

  // Room to gather paths and lists in: the application's stack may be small.
  static constexpr int max_list = 1024;
  char path[4096], path_in_trace[4096 + 64];
  int64_t lists[5][max_list];
};

class Lane {
 public:
  explicit Lane(uint16_t number) : number_(number) {}

  uint16_t number() const { return number_; }

  // What the hooks look at first; only the lane's own thread writes them.
  enum Flag : uint32_t { busy = 1, vfork_pending = 2, quiet = 4, clockless = 8 };
  volatile uint32_t flags = 0;
  uint32_t depth = 0;  ///< recorded calls running on this thread, or in the handler that interrupted it
  std::atomic<uint32_t> signals_waiting{0};  ///< in `waiting`, until the recorder has finished
  const char* outer_frame = nullptr;
  const char* busy_frame = nullptr;
  uint32_t handlers = 0;               ///< of the application, for signals, running on this thread
  uint32_t interrupted = 0;            ///< recorded calls that they interrupted
  int* errno_place = nullptr;          ///< of the thread whose lane it is
  bool inside_mpi = false;             ///< what MPI calls of MPI is its own affair
  uint32_t inside_layers = 0;          ///< bit n: the same for the library of layer n
  const void* fortran_site = nullptr;  ///< where the program called the Fortran function that is running

  /// Names that calls of this thread made up, by slot; see made_names.hpp. Further ones are not used twice.
  static constexpr uint32_t reused_names = 256;
  uint64_t paused_at = 0;  ///< ticks; when a kernel last said that what follows is its own

  /// Makes the part; 0 or an errno.
  int open(const char* path, std::span<const uint8_t> process_info);
  bool recording() const { return part_.open(); }
  PartHeader& header() { return part_.header(); }

  /// What KnownPaths::Path::text_era is compared with.
  uint64_t text_era() const {
    return uint64_t{templates_era_} << 32 | made_names_era.load(std::memory_order_relaxed);
  }

  /// Makes room for one more event of any size, which may start new tables: before drafting.
  void prepare() {
    if (part_.capacity() - used_ < largest_event) make_room();
  }
  /// How many there were. What they stand on in the journal is no place for an event's integers any more.
  uint32_t definitions() const { return definitions_; }
  /// The place in the journal for the integers of the next event.
  int64_t* parameters_of_next(bool outer) {
    size_t before = outer && communicated_ ? sizeof(CommunicationRecord) : 0;
    return reinterpret_cast<int64_t*>(part_.journal() + used_ + before + sizeof(EventRecord));
  }
  SignatureTable::Guess guess(uint64_t word_0, uint64_t word_1) const { return known_.guess(word_0, word_1); }
  /// The signature of the first words of the draft; `none` if it is new: then call define().
  uint32_t signature(uint32_t words) const { return known_.find(draft.words, words); }
  /// Defines a new signature for them.
  void define(const trace::Signature& signature, uint32_t words);
  void define(const trace::Template& fresh);
  /// The number of a long list, defining it if it is new.
  uint32_t list(const int64_t* values, size_t count);

  /// Time spent communicating, for the gap before the next outer event.
  void add_communication(trace::CommunicationClass c, uint64_t ticks) {
    communication_ticks_[static_cast<size_t>(c)] += ticks;
    communicated_ = true;
  }

  /// Time that is not the application's, in the gap before the next outer event.
  void add_own(uint64_t ticks) {
    own_ticks_ = static_cast<uint32_t>(std::min<uint64_t>(own_ticks_ + ticks, UINT32_MAX));
  }

  /// Records an event whose `parameters` integers are in their place, after prepare(). Inlined: all but the
  /// signature and the times is known where a function is hooked.
  [[gnu::always_inline]] void record(uint32_t signature, uint32_t parameters, uint32_t layer, bool outer,
                                     uint64_t start_ticks, uint64_t end_ticks) {
    uint8_t* at = part_.journal() + used_;
    if (outer && communicated_) [[unlikely]]
      at += put_communication(at);
    if (!outer) layers_inner_ |= 1u << layer;
    uint32_t streams = (outer ? 1u : 0u) | (layers_inner_ >> layer & 1u) << (layer + 1);
    // Made in place: copying what was just written in smaller pieces would wait for them.
    new (at) EventRecord{RecordKind::event,
                         static_cast<uint16_t>(streams),
                         static_cast<uint16_t>(parameters),
                         static_cast<uint16_t>(layer),
                         signature,
                         outer ? own_ticks_ : 0,
                         start_ticks,
                         end_ticks};
    used_ += sizeof(EventRecord) + 8 * size_t{parameters};
    commit();
    OwnTime& own = own_times_[signature % own_times_.size()];
    if (used_ - folded_ >= fold_every || (outer && own.left == 0)) [[unlikely]]
      return after_event(own, outer, end_ticks);
    if (!outer) return;
    --own.left;
    own_ticks_ = own.ticks;
  }

  /// Puts a mark behind the events so far; see process_marks.hpp.
  void mark(MarkKind what, uint32_t number, uint64_t at_ticks);

  /// Readies the lane for recording without system calls, as far as possible.
  void settle();
  /// Writes everything to the part; used at exit and before exec, harmless at any time.
  void flush();
  void abandon() { part_.abandon(); }
  void sync() { part_.sync(); }
  const char* part_path() const { return part_.path(); }
  /// Closes the state and says that the ranks of `world` may merge what was recorded so far; 0 or an errno.
  /// Only on the lane's thread, or when it has none.
  int offer(uint64_t world);
  Arena& arena() { return arena_; }
  uint64_t process_start_ticks = 0;
  uint64_t process_start_ns = 0;  ///< since the epoch; 0: no heat map is kept

 private:
  static constexpr size_t fold_every = 8 << 10;      ///< bytes of journal: still in the nearest cache
  static constexpr size_t largest_event = 48 << 10;  ///< with the definitions it may need
  static constexpr size_t memory_limit = 4 << 20;    ///< a state larger than this is closed
  static constexpr size_t memory_last =
      4 * memory_limit;  ///< if it can't be written, it is dropped beyond this
  // What a lane gets when it settles.
  static constexpr size_t settled_journal_bytes = 1 << 20;
  static constexpr size_t settled_state_bytes = 2 << 20;

  void make_room();
  void stop();
  uint8_t* room(size_t bytes);
  void commit() {
    if (disk_behind_) [[unlikely]]
      return count_unsaved();
    part_.commit(used_);
  }
  void count_unsaved();
  /// What the recorder takes for an event of a signature after its call. Readings of the clock cost as much
  /// as the rest of a short event, so only every few events are measured.
  struct OwnTime {
    uint32_t ticks = 0;
    uint32_t left = 0;  ///< events until the next measurement
  };
  static constexpr uint32_t measured_every = 16;
  [[gnu::noinline]] void after_event(OwnTime& own, bool outer, uint64_t end_ticks);
  size_t put_communication(uint8_t* at);
  void put_definition(RecordKind kind, std::span<const uint8_t> encoded);
  void fold_pending();
  enum class Close { never, when_large, always };
  int save(Close close, size_t journal_bytes = 0);
  void drop();
  void restart();
  void note_rate();

  // What every call needs comes first, side by side: each line of the cache and each page counts after a
  // system call, and after a large library's own work.
  uint16_t number_;
  bool disk_behind_ = false;   ///< the last save failed: the disk holds an older state and no journal
  bool communicated_ = false;  ///< since the last outer event
  uint32_t own_ticks_ = 0;     ///< likewise
  size_t used_ = 0;            ///< of the journal
  size_t folded_ = 0;          ///< of these
  uint32_t definitions_ = 0;
  uint32_t layers_inner_ = 0;            ///< bit n: layer n has a stream of its own
  PartWriter part_;                      ///< what is read of it for every call comes first there, too
  std::array<OwnTime, 64> own_times_{};  ///< by signature; some share a place
  SignatureTable known_;
  uint32_t templates_era_ = 1;  ///< changes when `templates` begins anew

 public:
  SeenBytes seen;
  CopyTimes copy_times;

  /// The predefined datatype of MPI that was last used; see mpi_transfer.hpp.
  struct {
    uint64_t word = 0;
    const char* name = nullptr;
    int64_t size_bytes = 0;
  } recent_type;

  Draft draft;
  KnownPaths known_paths;
  TemplateTable templates;
  SlotPool slots[static_cast<size_t>(HandleClass::end)];
  /// Instead of slots that are freed: h5_reference and all that follow.
  KnownMemory
      known_memory[static_cast<size_t>(HandleClass::end) - static_cast<size_t>(HandleClass::h5_reference)];
  uint64_t made_names[reused_names] = {};
  AskedAddresses asked_addresses;
  WaitingSignal waiting[4];

  /// What the elements hold that a call of HDF5 writes; see hdf5_contents.hpp.
  std::vector<int64_t> contents;

 private:
  Arena arena_;
  LaneState state_;
  std::vector<std::pair<uint64_t, uint32_t>> lists_;
  uint64_t saved_events_ = 0;  ///< of the state's events, those in the part
  bool stopped_ = false;       ///< no memory was left for folding: what the part holds is all there will be
  std::array<uint64_t, trace::communication_classes> communication_ticks_{};
};

}  // namespace refrain::record
