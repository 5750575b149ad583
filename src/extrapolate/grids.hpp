// Which grids a program uses. A 2-D grid of 4, 8, 16 or 32 ranks is as wide as a 3-D one is long, so the law
// of a number may not tell which it is; but another number nearby, an offset beside a size, may have no such
// law without a 2-D grid. What is decided for one is then taken for all around it: those of the call first,
// of the loop it is in next, and of the whole trace in the end.
#pragma once

#include <array>
#include <vector>

#include "extrapolate/features.hpp"

namespace refrain::extrapolate {

constexpr int slack = 2;  ///< how much more complicated another law may be to be worth a doubt

/// What is known about the grids of some part of a trace.
class GridNeeds {
 public:
  /// Takes the laws of a number into account, the simplest first.
  void look_at(const std::vector<Candidate>& laws, const Features& features);
  struct Grids {
    int64_t dimensions =
        0;                 ///< 2 or 3, if numbers need grids of so many and none needs the other; 0: unknown
    bool clearly = false;  ///< with other grids, some number would have a law that is far more complicated
  };
  Grids grids() const;

 private:
  struct Needs {
    bool two = false, three = false;
  };
  Needs clearly_, barely_;  ///< without such a grid a law would be more than `slack` simpler; simpler at all
};

/// The same for every node of a stream, by the order in which they are come by.
class GridSurvey {
 public:
  void enter();
  void leave() { open_.pop_back(); }
  void look_at(const std::vector<Candidate>& laws, const Features& features);
  /// Of the node with this number.
  GridNeeds::Grids grids(size_t node) const {
    return node < needs_.size() ? needs_[node].grids() : GridNeeds::Grids{};
  }

 private:
  std::vector<GridNeeds> needs_;
  std::vector<size_t> open_;
};

}  // namespace refrain::extrapolate
