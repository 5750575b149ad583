// Folds one thread's stream of events into loops, online. See the essay in folder.cpp.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/bytes.hpp"
#include "fold/shape.hpp"
#include "trace/trace.hpp"

namespace refrain::fold {

struct Options {
  uint32_t window = 8192;    ///< longest loop body found, in nodes
  uint32_t candidates = 8;   ///< earlier positions tried as the start of a period
  bool adapt = true;         ///< absorb irregular iterations
  bool alternatives = true;  ///< turn what stays irregular into a choice
  bool rests = true;         ///< put irregular events by, and fold them in finish()
};

class Folder {
 public:
  explicit Folder(Options options = {});
  ~Folder();
  Folder(Folder&&) noexcept;
  Folder& operator=(Folder&&) noexcept;

  /// Declares signature number `signature` (in any order, each before its first event).
  void declare(uint32_t signature, Shape shape);
  /// Takes the next event: as many parameters as its shape says, and its times.
  void event(uint32_t signature, const int64_t* parameters, const Times& times);

  /// If the next events are predicted to be those of a loop that holds nothing but events, again and again:
  /// how many events it has. Else 0.
  uint32_t period() const;
  /// The signature of the event that is predicted after `ahead` others, less than period().
  uint32_t predicted(uint32_t ahead) const;
  /// Takes `rounds` times all events of the loop at once: first, for each `ahead` below period(), the events
  /// that come there, `rounds` of them; then next(). Leaves what event() would have left.
  void take(uint32_t ahead, const Series& series);
  void next(uint64_t rounds);

  uint64_t events() const;
  /// Elementary steps done so far; at most a constant times events(), plus a constant.
  uint64_t work() const;

  /// Closes all loops, explains the values, and returns the tree. With `signatures`, those declared, numbers
  /// and references into the trace's tables stay apart. The folder is empty afterwards, but
  /// keeps its declarations: it can take the events that follow.
  std::vector<trace::Node> finish(std::span<const trace::Signature> signatures = {});

  /// Bytes held, approximately; grows with structure, not with events.
  size_t memory() const;

  /// The whole state, so that folding can go on from it in another process with the same result.
  void save(ByteWriter& out) const;
  /// Accepts any bytes; on failure `in` says why and the folder is empty. `older`: saved before folders put
  /// events by.
  static Folder restore(ByteReader& in, Options options = {}, bool older = false);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace refrain::fold
