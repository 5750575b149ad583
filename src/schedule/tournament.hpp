// The most urgent of many requests whose urgencies grow along different lines. See the essay in
// tournament.cpp.
#pragma once

#include <cstdint>
#include <vector>

#include "schedule/request.hpp"

namespace refrain::schedule {

class Tournament {
 public:
  bool empty() const { return size_ == 0; }
  /// `now` must not decrease from call to call, here and in pop.
  void push(Time now, uint64_t job, Urgency urgency);
  /// Takes out the most urgent request at `now` and returns its job. There must be one.
  uint64_t pop(Time now);

  /// How many matches were played so far: what all this costs.
  uint64_t played() const { return played_; }

 private:
  static constexpr uint32_t none = UINT32_MAX;
  struct Line {
    Urgency urgency{};
    uint64_t job = 0;
  };
  struct Match {
    uint32_t winner = none;  ///< leaf
    Time until = never;      ///< the first instant at which a match here or below has another winner
  };

  bool beats(uint32_t a, uint32_t b, Time now) const;
  Time overtaken_at(uint32_t winner, uint32_t loser) const;
  void play(size_t match, Time now);
  void play_up(uint32_t leaf, Time now);
  void advance(size_t match, Time now);
  void grow(Time now);

  size_t size_ = 0;
  uint64_t played_ = 0;
  std::vector<Line> lines_;       ///< by leaf
  std::vector<uint32_t> free_;    ///< leaves that hold no request
  std::vector<Match> matches_{};  ///< matches_[1] is the final; match m is played by 2m and 2m + 1
};

}  // namespace refrain::schedule
