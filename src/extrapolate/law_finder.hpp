// Looks for laws on behalf of a whole trace, and remembers what was found: equal tables are looked at once,
// and what is learnt from some helps with others.
//
// The largest run is held out: each law is looked for without it, too. Where the law that was found so isn't
// the one that fits all runs, only the largest run tells, and nothing confirms it: that is a doubt.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "extrapolate/fit.hpp"
#include "extrapolate/laws.hpp"

namespace refrain::extrapolate {

constexpr int slack = 2;  ///< how much more complicated another law may be to be worth a doubt

class LawFinder {
 public:
  LawFinder(const std::vector<uint32_t>& sizes, const Options& options);

  struct Found {
    std::vector<Candidate> laws{};  ///< the simplest first; empty: none
    bool confirmed = false;         ///< the largest run is as the others predict
  };
  /// Valid until something is looked at again.
  const Found& find(const Sequence& s);

  /// Something may be cut into blocks of this size.
  void cut_at(int64_t block);
  /// What had no simple law is looked at again, with what was learnt meanwhile.
  void try_again();
  /// Everything is looked at again, and constants of the trace are known into which something may be cut.
  void look_again(std::vector<int64_t> chunks);

 private:
  using Key = std::vector<int64_t>;
  static Key key_of(const Sequence& s);
  bool needs_grid(int64_t dimensions, int margin) const;
  int64_t dimensions_of_grids() const;
  /// What the other runs predict, if the largest one is so.
  std::optional<RankExpression> confirmation(const Sequence& s, const Candidate& law);

  Knowledge all_, fewer_;
  int64_t largest_;
  std::map<Key, Found> known_;
};

}  // namespace refrain::extrapolate
