// Rank expressions as bytes: each node in front of its operands. See docs/trace-format.md.
#include <array>
#include <span>

#include "trace/rank_expression_node.hpp"

namespace refrain::trace {
namespace {

constexpr uint8_t last_operation = static_cast<uint8_t>(Operation::power);
constexpr uint8_t last_variable = static_cast<uint8_t>(Variable::index);

}  // namespace

void RankExpression::write(ByteWriter& out) const {
  out.u8(static_cast<uint8_t>(operation()));
  if (operation() == Operation::constant) out.svarint(number());
  if (operation() == Operation::variable) out.u8(static_cast<uint8_t>(number()));
  if (operation() == Operation::divide || operation() == Operation::modulo || operation() == Operation::power)
    out.varint(static_cast<uint64_t>(number()));
  if (operation() == Operation::root || operation() == Operation::grid)
    out.u8(static_cast<uint8_t>(number()));
  if (has_table(operation())) table().write(out);
  for (size_t i = 0; i < operands(); ++i) operand(i).write(out);
}

class RankExpression::Reader {
 public:
  explicit Reader(ByteReader& in) : in_(in) {}

  RankExpression read(size_t depth) {
    uint8_t code = in_.u8();
    if (code > last_operation) in_.fail("unknown operation in an expression");
    if (++nodes_ > max_nodes || depth > max_depth) in_.fail("expression too large");
    if (!in_.ok()) return {};
    auto operation = static_cast<Operation>(code);
    int64_t number = read_number(operation);
    Column table;
    if (has_table(operation)) table = Column::read(in_);
    if (operation == Operation::linear && table.size() > 64) in_.fail("more images than bits");
    std::array<RankExpression, 3> operands;
    for (size_t i = 0; i < operands_of(operation) && in_.ok(); ++i) operands[i] = read(depth + 1);
    if (!in_.ok()) return {};
    if (operation == Operation::constant) return constant(number);
    if (has_table(operation)) return make(operation, std::move(table), operands[0]);
    return make(operation, number, std::span(operands).first(operands_of(operation)));
  }

 private:
  int64_t read_number(Operation operation) {
    if (operation == Operation::constant) return in_.svarint();
    if (operation == Operation::variable) {
      uint8_t which = in_.u8();
      if (which > last_variable) in_.fail("unknown variable in an expression");
      return which;
    }
    if (operation == Operation::root || operation == Operation::grid) return read_code(operation);
    if (operation == Operation::power) return read_base();
    if (operation != Operation::divide && operation != Operation::modulo) return 0;
    uint64_t divisor = in_.bounded(INT64_MAX, "divisor out of range");
    if (divisor == 0) in_.fail("division by zero");
    return static_cast<int64_t>(divisor);
  }

  int64_t read_base() {
    uint64_t base = in_.bounded(INT64_MAX, "power of a number out of range");
    if (base < 3) in_.fail("power of a number out of range");
    return static_cast<int64_t>(base);
  }

  int64_t read_code(Operation operation) {
    int64_t code = in_.u8();
    bool known = operation == Operation::root ? code == 2 || code == 3
                                              : (code >= grid_number(2, 0) && code <= grid_number(2, 1)) ||
                                                    (code >= grid_number(3, 0) && code <= grid_number(3, 2));
    if (!known) in_.fail("unknown root or grid in an expression");
    return code;
  }

  ByteReader& in_;
  size_t nodes_ = 0;
};

RankExpression RankExpression::read(ByteReader& in) { return Reader(in).read(1); }

}  // namespace refrain::trace
