// Elastic values: every integer of a trace (an argument, a trip count, a selector) is an exact function of
// where it is evaluated: the indices of the enclosing loops, outermost first, how often its node has been
// executed before, and, when ranks have been merged, the rank. The form says how indices and executions
// enter; the numbers in it may depend on the rank. Ranks whose values don't have the same form keep
// alternatives.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <vector>

#include "trace/column.hpp"
#include "trace/number.hpp"
#include "trace/rank_set.hpp"

namespace refrain::trace {

enum class Form : uint8_t {
  affine,   ///< base + Σ slopes[d] · index[d]; a constant is the case without slopes
  counter,  ///< base + step · t, t = executions of the node so far (running offsets over varying trip counts)
  running,  ///< base at t = 0, then the previous value + step · (previous value of parameter `parameter` of
            ///< this node)
  copy,  ///< base + the value of parameter `parameter` of the event at position `sibling` of the same body,
         ///  in its execution number t (t counts this node's executions; both run equally often)
  separable,  ///< base + Σ slopes[d] · index[d] + list[index[depth]], the list being `column` or `entries`
  column,     ///< base + list[t]
  by_rank,    ///< that of the alternative to which the rank belongs
  power,  ///< base + Σ slopes[d] · index[d] + step · ratio^index[depth]; no value where 64 bits don't hold
          ///  the last term
};

struct Value;

/// The value on some of the ranks. Positions of its numbers are those in `ranks`; never by_rank itself. (A
/// template, because a value holds alternatives and an alternative a value.)
template <class V>
struct AlternativeOf {
  RankSet ranks{};
  V value{};
  bool operator==(const AlternativeOf&) const = default;
};
using Alternative = AlternativeOf<Value>;

/// A list of alternatives. It has a name of its own because values hold one and alternatives hold values.
class Alternatives : public std::vector<Alternative> {
 public:
  Alternatives();
  Alternatives(std::vector<Alternative> list);
  Alternatives(std::initializer_list<Alternative> list);
  Alternatives(const Alternatives& other);
  Alternatives(Alternatives&& other) noexcept;
  Alternatives& operator=(const Alternatives& other);
  Alternatives& operator=(Alternatives&& other) noexcept;
  ~Alternatives();
};

/// A list of a scale-free trace, whose length depends on the number of ranks: element number `index`.
struct ListLaw {
  RankExpression element{};  ///< a function of index, rank and number of ranks
  RankExpression length{};   ///< of rank and number of ranks
  bool operator==(const ListLaw&) const = default;
};

/// What only files of version 6 have, because it makes them smaller: lists of tables as one table, values as
/// differences to others.
struct Closeness {
  bool used = false;  ///< something was written so
};

struct Value {
  /// Slope of a loop that never ran more than once: its index is zero and any slope is right. Reads as zero.
  static constexpr int64_t any_slope = INT64_MIN;

  Form form = Form::affine;
  Number base{};
  Number step{};
  std::vector<Number> slopes{};  ///< affine, separable, power: by loop depth, outermost first; missing ones
                                 ///< are zero
  uint32_t parameter = 0;        ///< running, copy
  uint32_t sibling = 0;          ///< copy
  uint32_t depth = 0;            ///< separable, power
  int64_t ratio = 0;             ///< power: at least 2
  std::shared_ptr<const Column> column{};  ///< separable, column; shared because trees are copied
  std::vector<Number> entries{};           ///< in place of `column`: a list whose elements depend on the rank
  std::shared_ptr<const ListLaw> law{};    ///< in place of either, in a scale-free trace
  Alternatives alternatives{};             ///< by_rank

  static Value constant(int64_t v);
  /// The same everywhere, on every rank.
  bool is_constant() const;
  /// The constant, if is_constant().
  int64_t constant_value() const { return base.constant(); }
  /// The same on every rank: as in the trace of a single process.
  bool is_plain() const;
  /// What the value is on one rank, which stands at `position` in the rank set of its node. A rank that
  /// belongs to no alternative gets an empty column.
  Value at(uint32_t rank, uint64_t position) const;

  /// With `close`, as closely as files from version 6 on may have it.
  void write(ByteWriter& out, Closeness* close = nullptr) const;
  static Value read(ByteReader& in);
  bool operator==(const Value& other) const;
};

inline Value Value::constant(int64_t v) { return {.base = v}; }

}  // namespace refrain::trace
