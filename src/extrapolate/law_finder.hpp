// Looks for laws on behalf of a whole trace, and remembers what was found: equal tables are looked at once,
// and what is learned from some helps with others.
//
// The largest run is held out: each law is looked for without it, too. Where none of the simplest laws that
// were found so is right about the largest run, that run alone tells, and nothing confirms it: that is a
// doubt.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "extrapolate/fit_law.hpp"
#include "extrapolate/grids.hpp"
#include "extrapolate/laws.hpp"

namespace refrain::extrapolate {

class LawFinder {
 public:
  LawFinder(const std::vector<uint32_t>& sizes, const Options& options);

  struct Found {
    std::vector<Candidate> laws{};  ///< the simplest first; empty: none
    bool confirmed = false;         ///< one of the simplest laws of the other runs holds in the largest
  };
  /// Valid until something is looked at again.
  const Found& find(const Sequence& s);

  /// Something may be cut into blocks of this size.
  void cut_at(int64_t block);
  /// What had no simple law is looked at again, with what was learned meanwhile.
  void try_again();
  /// Everything is looked at again, and constants of the trace are known into which something may be cut.
  void look_again(std::vector<int64_t> chunks);

  /// What is looked at next is in a part of the trace with such grids; none: as the whole. To be used after
  /// `look_again`.
  void prefer_grids(const GridNeeds::Grids& grids);
  /// Those of what is looked at.
  const GridNeeds::Grids& grids() const { return grids_; }
  /// What is known of the trace.
  const Knowledge& knowledge() const { return views_[view_].all; }

 private:
  using Key = std::vector<int64_t>;
  static Key key_of(const Sequence& s);
  /// What is known from all runs, and without the largest; under an assumption about grids.
  struct View {
    Knowledge all, fewer;
    std::map<Key, Found> known{};
  };
  /// A law of the other runs that the largest one follows: one of the simplest, which it is told apart from.
  std::optional<RankExpression> prediction(const Sequence& s, const Candidate& law);

  std::vector<View> views_;  ///< of the trace as a whole; where grids of 2, of 3 dimensions are preferred
  size_t view_ = 0;
  GridNeeds::Grids whole_{}, grids_{};  ///< of the trace as a whole; of what is looked at
  int64_t largest_;
};

}  // namespace refrain::extrapolate
