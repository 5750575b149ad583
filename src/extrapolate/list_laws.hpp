// Laws of whole lists: how long they are, and what stands at a place in them. Lists have more shapes than can
// be looked for at once over place, rank and number of ranks; those that programs make come apart into
// integers with a value at every rank of every run (lists.hpp), and lists that are the same on all ranks,
// with a value at every place of every run.
//
//   the same on all ranks           [k*(N/P) + min(k, N%P) for k < P]
//   pieces, lines                   [k*P + rank for k < 8]
//   a first element, and the rest   [rank*(100/P) + k*(k+1)/2 for k < P]
//   turned by the rank              [(rank + k)%P*8 for k < P]
//   rows of the same length         [k/4*256 + k%4*8 for k < P]
//   two or three lists in one       coordinates of points, one after the other
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "extrapolate/lists.hpp"

namespace refrain::extrapolate {

/// Where laws of integers come from.
class LawSource {
 public:
  virtual ~LawSource() = default;
  virtual bool has_law(const Sequence& s) = 0;
  /// Notes what isn't certain about it. `what` names the integer.
  virtual RankExpression law_of(const Sequence& s, const std::string& what) = 0;
  /// The same for integers at places of a list of a length; the law is one of the place, as a rank.
  virtual RankExpression law_of_places(const Sequence& s, const RankExpression& length,
                                       const std::string& what) = 0;
  /// Something is cut into blocks of this size.
  virtual void cut_at(int64_t block) = 0;
};

using SharedListLaw = std::shared_ptr<const trace::ListLaw>;

/// Of the lists over the index of a loop. Null if they have none.
SharedListLaw law_of_pieces(const std::vector<PlacedList>& lists, LawSource& source, const std::string& what);
SharedListLaw law_of_lines(const std::vector<PlacedList>& lists, LawSource& source, const std::string& what);
/// Of those that begin at the rank's place in a list that is the same for all: places after its end are those
/// at its beginning, or it is long enough.
SharedListLaw law_of_turned(const std::vector<PlacedList>& lists, LawSource& source, const std::string& what);
/// Of rows in rows, as nested loops leave them. Where these begin may be several of the other lists at once,
/// in digits: 2880*k + 120*((rank + k)%P).
SharedListLaw law_of_rows(const std::vector<PlacedList>& lists, LawSource& source, const std::string& what);

/// base + factor·ratio^index
struct PowerLaw {
  RankExpression base{}, factor{};
};
std::optional<PowerLaw> law_of_powers(const std::vector<PlacedList>& lists, int64_t ratio, LawSource& source,
                                      const std::string& what);

/// Of the same lists on all ranks of each run; null if they aren't.
SharedListLaw law_of_same(const std::vector<PlacedList>& lists, LawSource& source, const std::string& what);

/// Of arguments that are lists, of any of the shapes above; they may be empty. Null if they have none.
SharedListLaw law_of_arguments(const std::vector<PlacedList>& lists, LawSource& source,
                               const std::string& what);

}  // namespace refrain::extrapolate
