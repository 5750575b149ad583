// An integer of a merged trace as a function of the rank: what all ranks' values of one argument become
// when a closed form explains them, as in `rank/16%16*100`. Expressions are immutable trees that share their
// branches. They compute as C does on 64-bit integers, except that overflow wraps: the text of an expression
// is the C expression with the same value. merge::express finds them; this file holds, evaluates, prints
// and stores them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/bytes.hpp"
#include "trace/column.hpp"

namespace refrain::trace {

/// What a node of an expression computes from its operands a, b, c. The numbers are those of the file.
enum class Operation : uint8_t {
  constant,
  variable,
  add,           ///< a + b
  subtract,      ///< a - b
  multiply,      ///< a * b
  divide,        ///< a / number, truncating
  modulo,        ///< a % number, with the sign of a
  minimum,       ///< the smaller of a and b
  exclusive_or,  ///< a ^ b
  bit_and,       ///< a & b
  power_of_two,  ///< 1 << a; 0 unless 0 <= a < 64
  less,          ///< a < b: 0 or 1
  at_least,      ///< a >= b
  equal,         ///< a == b
  select,        ///< a ? b : c
  linear,        ///< the exclusive or of table[i] over the bits i that are set in a
  table,         ///< table[a]; 0 outside
  prefix_sum,    ///< table[0] + … + table[a - 1]
  both,          ///< a && b: 0 or 1
  quotient,      ///< a / b, truncating; 0 if b is 0
  remainder,     ///< a % b, with the sign of a; 0 if b is 0
  root,          ///< the largest x with x^number <= a; 0 if there is none (number is 2 or 3)
  logarithm,     ///< the largest x with 2^x <= a; 0 if there is none
  grid,          ///< an extent of the grid that MPI_Dims_create makes of a ranks; number: see grid_number
  divisor,       ///< the largest divisor of a that is at most b; 0 if there is none
  power,         ///< number^a, for numbers from 3 on; 0 if a is negative or 64 bits don't hold it
};

/// What an expression may depend on. The number of ranks and the place in a list appear in scale-free traces
/// only; at_size puts numbers in their place.
enum class Variable : uint8_t { rank, nprocs, index };

/// Which extent of which grid, as the number of an operation: place `i` of `dimensions` (2 or 3).
constexpr int64_t grid_number(int64_t dimensions, int64_t i) { return dimensions * 4 + i; }

/// How an expression is printed.
struct ExpressionStyle {
  std::string_view rank = "rank";
  std::string_view index = "k";           ///< the place in a list
  bool spaced = false;                    ///< `rank*8 + 512` and not `rank*8+512`
  uint64_t longest_table = ~uint64_t{0};  ///< longer ones print as `[… 4096 values]`
};

/// A value; copying shares the tree. The default is the constant 0.
class RankExpression {
 public:
  /// Bounds of what `read` accepts, and so of what is worth writing.
  static constexpr size_t max_depth = 32;
  static constexpr size_t max_nodes = 512;

  RankExpression() = default;
  static RankExpression constant(int64_t value);
  static RankExpression variable(Variable which);
  static RankExpression rank() { return variable(Variable::rank); }
  static RankExpression nprocs() { return variable(Variable::nprocs); }
  static RankExpression index() { return variable(Variable::index); }

  /// What the variables are.
  struct Point {
    uint32_t rank = 0;
    int64_t nprocs = 0;
    int64_t index = 0;
  };
  /// The value at one rank. Defined for every rank, never traps.
  int64_t at(uint32_t rank) const { return at(Point{.rank = rank}); }
  int64_t at(const Point& point) const;
  /// The same at many ranks: out[k] belongs to ranks[k]. Much faster than one by one.
  void evaluate(std::span<const uint32_t> ranks, std::span<int64_t> out, int64_t nprocs = 0) const;

  /// The C expression with this value, without needless parentheses; equal expressions print equal text.
  /// Where C has no notation: `[1, 5, 2][rank%3]` is an element of a table, `sum([1, 5, 2],rank)` the sum of
  /// the first elements, `bits([1, 3, 6],rank)` the exclusive or of those whose bit is set in rank.
  std::string text(std::string_view rank_name = "rank") const;
  std::string text(const ExpressionStyle& style) const;
  /// Length of the shortest text: what the search for expressions makes small.
  size_t length() const { return text("r").size(); }

  /// `read` accepts any bytes: nodes, depth and tables are bounded, and what it returns can be evaluated.
  void write(ByteWriter& out) const;
  static RankExpression read(ByteReader& in);
  bool within_bounds() const;

  /// Same tree (and so the same text), not only the same values.
  bool operator==(const RankExpression& other) const;

  /// The parts of a node, for those who print or translate expressions themselves.
  Operation operation() const;
  /// Value of a constant; divisor (at least 1) of divide and modulo; base of a power; which variable, root or
  /// extent of a grid.
  int64_t number() const;
  size_t operands() const;
  const RankExpression& operand(size_t i) const;
  /// The table of linear, table and prefix_sum.
  const Column& table() const;
  bool is_constant() const { return operation() == Operation::constant; }
  bool is_constant(int64_t value) const { return is_constant() && number() == value; }
  bool depends_on(Variable which) const;
  /// The comparison c of an expression 1 - c, which is better said as its opposite.
  std::optional<RankExpression> negated_comparison() const;
  /// The same operation on other operands, with another table if it has one. Nothing is folded.
  RankExpression with(std::span<const RankExpression> operands, Column table) const;

  // Building. Constants are folded and neutral elements dropped; otherwise the tree is as asked for.
  friend RankExpression operator+(const RankExpression& a, const RankExpression& b);
  friend RankExpression operator-(const RankExpression& a, const RankExpression& b);
  friend RankExpression operator*(const RankExpression& a, const RankExpression& b);
  /// Divisors below 1 count as 1.
  friend RankExpression operator/(const RankExpression& a, int64_t divisor);
  friend RankExpression operator%(const RankExpression& a, int64_t divisor);
  friend RankExpression operator^(const RankExpression& a, const RankExpression& b);
  friend RankExpression operator&(const RankExpression& a, const RankExpression& b);
  static RankExpression minimum(const RankExpression& a, const RankExpression& b);
  static RankExpression power_of_two(const RankExpression& a);
  /// base^a; the base is at least 2.
  static RankExpression power(int64_t base, const RankExpression& a);
  static RankExpression less(const RankExpression& a, const RankExpression& b);
  static RankExpression at_least(const RankExpression& a, const RankExpression& b);
  static RankExpression equal(const RankExpression& a, const RankExpression& b);
  static RankExpression both(const RankExpression& a, const RankExpression& b);
  static RankExpression select(const RankExpression& condition, const RankExpression& yes,
                               const RankExpression& no);
  // These become divide, modulo or constants where their operands are constants.
  static RankExpression quotient(const RankExpression& a, const RankExpression& b);
  static RankExpression remainder(const RankExpression& a, const RankExpression& b);
  static RankExpression root(const RankExpression& a, int64_t degree);
  static RankExpression logarithm(const RankExpression& a);
  static RankExpression grid(const RankExpression& a, int64_t dimensions, int64_t i);
  static RankExpression divisor(const RankExpression& a, const RankExpression& most);
  /// At most 64 images, of bit 0, bit 1, …; further ones are ignored.
  static RankExpression linear(Column images, const RankExpression& a);
  static RankExpression lookup(Column table, const RankExpression& index);
  static RankExpression prefix_sum(Column table, const RankExpression& index);

 private:
  struct Node;
  class Reader;
  /// At most a block of ranks. True if the value is the same at all of them: then only out[0] is set.
  bool evaluate_block(std::span<const uint32_t> ranks, int64_t nprocs, int64_t* out) const;
  static RankExpression make_folded(Operation operation, int64_t number,
                                    std::span<const RankExpression> operands);
  explicit RankExpression(std::shared_ptr<const Node> node) : node_(std::move(node)) {}
  static RankExpression make(Operation operation, int64_t number, std::span<const RankExpression> operands);
  static RankExpression make(Operation operation, const RankExpression& a, const RankExpression& b);
  static RankExpression make(Operation operation, Column table, const RankExpression& a);

  std::shared_ptr<const Node> node_;  ///< none: the constant 0
};

/// Number of operands that an operation takes.
size_t operands_of(Operation operation);
/// Whether it has a table.
bool has_table(Operation operation);

}  // namespace refrain::trace
