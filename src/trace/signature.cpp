// Signatures as bytes. An operand is one byte (kind, role, whether it has text) and then only what its
// kind uses.
#include "trace/signature.hpp"

#include <algorithm>

#include "api/layers.hpp"

namespace refrain::trace {
namespace {

constexpr uint8_t last_kind = static_cast<uint8_t>(OperandKind::law_names);
constexpr uint8_t last_role = static_cast<uint8_t>(Role::extent);
constexpr uint8_t with_text = 0x80;

bool has_width(OperandKind kind) {
  return kind == OperandKind::text || kind == OperandKind::list || kind == OperandKind::law_names;
}

void write_operand(ByteWriter& out, const Operand& operand) {
  uint8_t head =
      static_cast<uint8_t>(static_cast<unsigned>(operand.kind) | static_cast<unsigned>(operand.role) << 4);
  if (!operand.text.empty()) head |= with_text;
  out.u8(head);
  if (!operand.text.empty()) out.string(operand.text);
  if (has_width(operand.kind)) out.varint(operand.width);
  if (operand.kind == OperandKind::slot) out.svarint(operand.thread);
}

uint32_t widest(OperandKind kind) {
  return kind == OperandKind::text ? static_cast<uint32_t>(Template::max_fields) : Operand::max_width;
}

int32_t read_thread(ByteReader& in) {
  int64_t thread = in.svarint();
  if (thread < Operand::own_thread || thread > INT32_MAX) in.fail("thread number out of range");
  return in.ok() ? static_cast<int32_t>(thread) : Operand::own_thread;
}

Operand read_operand(ByteReader& in) {
  uint8_t head = in.u8();
  uint8_t kind = head & 15, role = head >> 4 & 7;
  if (kind > last_kind) in.fail("unknown kind of operand");
  if (role > last_role) in.fail("unknown role of operand");
  if (!in.ok()) return {};
  Operand operand{.kind = static_cast<OperandKind>(kind), .role = static_cast<Role>(role)};
  if (head & with_text) operand.text = in.string();
  if (has_width(operand.kind))
    operand.width = static_cast<uint32_t>(in.bounded(widest(operand.kind), "operand too wide"));
  if (operand.kind == OperandKind::slot) operand.thread = read_thread(in);
  return operand;
}

Bracket read_bracket(ByteReader& in) {
  uint8_t code = in.u8();
  if (code > 2) in.fail("unknown bracket of a signature");
  return in.ok() ? static_cast<Bracket>(code - 1) : Bracket::neither;
}

}  // namespace

uint32_t Operand::parameters() const {
  switch (kind) {
    case OperandKind::none:
    case OperandKind::name:
    case OperandKind::data:
      return 0;
    case OperandKind::integer:
    case OperandKind::slot:
    case OperandKind::long_list:
    case OperandKind::sized_data:
      return 1;
    case OperandKind::law_list:
      return 2;
    case OperandKind::text:
      return 1 + width;
    case OperandKind::list:
    case OperandKind::law_names:
      return width;
  }
  return 0;
}

uint32_t Signature::parameters() const {
  uint32_t n = result.parameters();
  for (const Operand& operand : operands) n += operand.parameters();
  return n;
}

bool has_law_lists(const Signature& s) {
  auto by_law = [](const Operand& o) {
    return o.kind == OperandKind::law_list || o.kind == OperandKind::law_names;
  };
  return by_law(s.result) || std::any_of(s.operands.begin(), s.operands.end(), by_law);
}

bool has_law_names(const Signature& s) {
  return std::any_of(s.operands.begin(), s.operands.end(),
                     [](const Operand& o) { return o.kind == OperandKind::law_names; });
}

bool Signature::in_stream_of(std::string_view of_layer) const {
  return layer == of_layer || (api::is_layer(layer) && api::layer_named(layer).stream == of_layer);
}

void Signature::write(ByteWriter& out) const {
  out.string(function);
  out.string(layer);
  out.u64(site);
  out.string(error);
  out.u8(static_cast<uint8_t>(static_cast<int>(bracket) + 1));
  out.varint(operands.size());
  for (const Operand& operand : operands) write_operand(out, operand);
  write_operand(out, result);
}

Signature Signature::read(ByteReader& in) {
  Signature s;
  s.function = in.string();
  s.layer = in.string();
  s.site = in.u64();
  s.error = in.string();
  s.bracket = read_bracket(in);
  size_t n = in.bounded(max_operands, "too many operands");
  for (size_t i = 0; i < n && in.ok(); ++i) s.operands.push_back(read_operand(in));
  s.result = read_operand(in);
  if (in.ok() && s.parameters() > max_parameters) in.fail("too many parameters");
  return in.ok() ? s : Signature{};
}

}  // namespace refrain::trace
