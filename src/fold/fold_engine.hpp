// The state and the moves of the folder. folder.cpp explains how they work together; the moves are spread
// over engine.cpp (learning loops), cursor.cpp (following them) and adapt.cpp (irregular iterations).
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "fold/folder.hpp"
#include "fold/recurrence.hpp"
#include "fold/residue.hpp"
#include "fold/unify.hpp"

namespace refrain::fold {

class Engine {
 public:
  explicit Engine(const Options& options) : options_(options) {}

  void declare(uint32_t signature, Shape shape) { residue_.declare(signature, shape); }
  void event(uint32_t signature, const int64_t* parameters, const Times& times) {
    ++events_;
    if (expected_ != nullptr && expected_->signature == signature) [[likely]] {
      take(*expected_, parameters, times);
      advance();
    } else {
      unexpected_event(signature, parameters, times);
    }
  }
  /// See Folder.
  uint32_t period() const {
    if (expected_ == nullptr) return 0;
    const LiveNode& loop = *frames_.back().loop;
    return loop.height == 1 ? static_cast<uint32_t>(loop.body.size()) : 0;
  }
  LiveNode& predicted(uint32_t ahead) const {
    const Frame& frame = frames_.back();
    size_t place = frame.at + ahead, size = frame.loop->body.size();
    return *frame.loop->body[place < size ? place : place - size];
  }
  void take(uint32_t ahead, const Series& series);
  void next(uint64_t rounds) {
    events_ += rounds * frames_.back().loop->body.size();
    frames_.back().iterations += rounds;
  }
  uint64_t events() const { return events_; }
  uint64_t work() const { return work_.steps; }
  const Options& options() const { return options_; }
  const std::vector<Shape>& shapes() const { return residue_.shapes(); }

  /// Closes all loops and hands over the tree.
  Sequence finish();
  /// Forgets everything but the options and the declarations.
  void start_over();
  size_t memory() const;

  void save(ByteWriter& out) const;
  /// `older`: of a version that kept nothing.
  void restore(ByteReader& in, bool older);

 private:
  /// The cursor is inside `loop`, before node `at` of its body, after `iterations` whole iterations.
  struct Frame {
    LiveNode* loop;
    uint32_t at;
    uint64_t iterations;
  };

  /// A body that began in the middle, and where in the residue it should begin.
  struct Rotated {
    uint64_t cycle = 0;   ///< its cyclic hash
    uint64_t start = 0;   ///< position
    uint64_t prefix = 0;  ///< hash of everything before that position
  };

  /// What the cursor should be moved to.
  struct Wanted {
    uint64_t hash, bloom;
    bool whole;  ///< a loop may be meant; otherwise only events are
    explicit Wanted(uint32_t signature)
        : hash(event_hash(signature)), bloom(bloom_of(signature)), whole(false) {}
    explicit Wanted(const LiveNode& node) : hash(node.hash), bloom(node.bloom), whole(true) {}
  };

  static void take(LiveNode& node, const int64_t* parameters, const Times& times) {
    ++node.executions;
    for (Stream& s : node.parameters) s.push(*parameters++);
    add_times(node, times);
  }
  static void step(Frame& frame) {
    if (++frame.at != frame.loop->body.size()) return;
    frame.at = 0;
    ++frame.iterations;
  }
  void advance() {
    Frame& frame = frames_.back();
    step(frame);
    LiveNode* next = frame.loop->body[frame.at].get();
    expected_ = next->loop ? nullptr : next;
  }
  void expect() {
    expected_ = nullptr;
    if (frames_.empty()) return;
    LiveNode* next = frames_.back().loop->body[frames_.back().at].get();
    if (!next->loop) expected_ = next;
  }

  // engine.cpp: learning
  [[gnu::noinline]] void unexpected_event(uint32_t signature, const int64_t* parameters, const Times& times);
  void feed(Owned node);
  void reduce();
  bool continue_a_loop();
  bool start_a_loop(int32_t earlier);
  bool rotated(size_t n, size_t length, uint64_t hash);
  void join_loops();
  void open_top(LiveNode& loop, uint64_t iterations);
  void close_top(LiveNode& loop, uint64_t iterations);
  bool exhausted();
  bool affords(uint64_t more) const { return work_.steps + more <= allowance(); }
  /// A single event may start more work than there is credit for, within bounds.
  bool affords_overdraft() const { return work_.steps <= allowance() + overdraft; }
  uint64_t allowance() const { return first_credit + events_ * credit_per_event; }

  // rest.cpp: events without rule
  bool rests(uint32_t signature);
  void keep(uint32_t signature, const int64_t* parameters, const Times& times);
  void put_by();
  void take_up(const ByteWriter& kept, uint64_t entries);
  Sequence fold_all_again();

  // cursor.cpp: following
  bool route(const Wanted& wanted);
  bool find_first(const LiveNode& loop, size_t from, const Wanted& wanted);
  void leave_to(size_t level);
  void skip(Frame& frame, size_t up_to);
  void follow_path();
  void mismatch();
  void unwind(Frame& frame, Sequence& pending);
  void leave_loop(Frame frame);
  void unwind_all();

  // adapt.cpp: irregular iterations
  bool absorb(const Wanted& next);
  bool absorb_one(size_t loop_at);
  bool absorb_many(size_t loop_at, const Wanted& next);
  bool find_seed(size_t loop_at, uint64_t& seed, size_t& from) const;
  Sequence take_unrolled(size_t from, uint64_t seed);
  void refine(bool last);
  bool affords_adapting(uint64_t cells) const {
    return work_.cells + cells <= 4096 + events_ * cells_per_event && affords(cells);
  }

  // state.cpp
  void restore_residue(ByteReader& in);
  void restore_kept(ByteReader& in);
  void restore_frames(ByteReader& in);

  static constexpr uint64_t first_credit = 1 << 16;
  static constexpr uint64_t credit_per_event = 192;
  static constexpr uint64_t overdraft = 1 << 16;
  static constexpr uint64_t cells_per_event = 24;
  static constexpr size_t known_rotations = 1 << 16;
  static constexpr uint64_t first_refinement = 1024;

  Options options_;
  Residue residue_;
  std::vector<Frame> frames_;
  LiveNode* expected_ = nullptr;  ///< the event that the cursor stands before, if it does
  std::vector<uint32_t> path_;    ///< found by find_first: position in each body, innermost first
  /// Cyclic hash of a body -> hash of its accepted rotation.
  std::unordered_map<uint64_t, uint64_t> rotations_;
  Rotated rotated_;
  uint64_t events_ = 0;
  Work work_;
  uint64_t folds_ = 0;                     ///< loops made or continued
  uint64_t folds_at_try_ = ~uint64_t{0};   ///< when absorb_many last looked
  uint64_t refine_at_ = first_refinement;  ///< residue length at which the next refinement is due
  uint64_t rest_ = 0;                      ///< credit to regain before folding resumes; 0: folding
  uint64_t next_rest_ = 4096;
  uint32_t mismatch_depth_ = 0;
  /// What came before all that is in the residue, entry by entry as in a saved state; see rest.cpp.
  ByteWriter kept_;
  uint64_t kept_entries_ = 0;
  Recurrence recurrence_;
  bool resting_ = false;
  uint32_t looked_at_ = 0, recurring_ = 0;  ///< events since it was last asked whether to rest
  size_t residue_then_ = 0;                 ///< the residue's length at that time
  mutable size_t node_bytes_ = 0;           ///< as measured last
  mutable uint64_t measure_at_ = 0;         ///< number of events at which it is worth measuring again
};

}  // namespace refrain::fold
