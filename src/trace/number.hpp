// The integers inside elastic values. In a trace of one process they are plain numbers; when ranks are
// merged, a number that isn't the same on all ranks becomes a function of the rank: first a table, one value
// per rank, and in the end an expression, if there is one.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "trace/column.hpp"
#include "trace/rank_expression.hpp"

namespace refrain::trace {

/// A value type that costs little more than an integer as long as it is one.
class Number {
 public:
  Number(int64_t constant = 0) : constant_(constant) {}
  /// A table: values[k] belongs to the k-th rank of the rank set that the number stands in.
  explicit Number(Column values);
  explicit Number(RankExpression expression);

  Number(const Number& other);
  Number& operator=(const Number& other);
  Number(Number&&) = default;
  Number& operator=(Number&&) = default;
  ~Number() = default;

  bool is_constant() const { return !varying_; }
  /// The number, if it is_constant().
  int64_t constant() const { return constant_; }
  /// The table; null unless it is one. The writable one is for those who build it.
  const Column* table() const;
  Column* table();
  /// The expression; null unless it is one.
  const RankExpression* expression() const;

  /// The number on one rank, which stands at `position` in the rank set.
  int64_t at(uint32_t rank, uint64_t position) const;

  /// Adds a constant on every rank.
  void shift(int64_t by);

  void write(ByteWriter& out) const;
  /// Number of bytes that write() writes.
  size_t encoded_size() const;
  /// Accepts any bytes.
  static Number read(ByteReader& in);
  bool operator==(const Number& other) const;

 private:
  struct Varying {
    std::optional<RankExpression> expression;
    Column table;
  };
  int64_t constant_ = 0;
  std::unique_ptr<Varying> varying_;
};

}  // namespace refrain::trace
