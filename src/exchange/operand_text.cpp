#include "exchange/operand_text.hpp"

#include <array>
#include <charconv>

#include "exchange/file_tracker.hpp"
#include "trace/long_list.hpp"
#include "trace/text.hpp"

namespace refrain::exchange {

using namespace trace;

namespace {

struct KindName {
  OperandKind kind;
  std::string_view name;
};
constexpr std::array kind_names{
    KindName{OperandKind::none, "none"}, KindName{OperandKind::integer, "int"},
    KindName{OperandKind::slot, "slot"}, KindName{OperandKind::text, "text"},
    KindName{OperandKind::list, "list"}, KindName{OperandKind::name, "name"},
    KindName{OperandKind::data, "data"}, KindName{OperandKind::sized_data, "sized"},
};

struct RoleName {
  Role role;
  std::string_view name;
};
constexpr std::array role_names{
    RoleName{Role::bytes_read, "read"}, RoleName{Role::bytes_written, "written"},
    RoleName{Role::offset, "offset"},   RoleName{Role::size, "size"},
    RoleName{Role::extent, "extent"},
};

std::string kind_text(const Operand& o) {
  // Whether a list stands in the call or apart is how the trace keeps it, not what it is.
  OperandKind kind = o.kind == OperandKind::long_list ? OperandKind::list : o.kind;
  std::string text;
  for (const KindName& k : kind_names)
    if (k.kind == kind) text = k.name;
  if (o.kind == OperandKind::slot) text += ":" + plain_name(o.text);
  if (o.kind == OperandKind::slot && o.thread != Operand::own_thread) text += "@" + std::to_string(o.thread);
  for (const RoleName& r : role_names)
    if (r.role == o.role) text += ":" + std::string(r.name);
  return text;
}

std::string list_text(const std::vector<int64_t>& values) {
  std::string text = "[";
  for (int64_t v : values) text += (text.size() > 1 ? " " : "") + std::to_string(v);
  return text + "]";
}

std::string value_text(const Trace& trace, const Operand& o, std::span<const int64_t> parameters,
                       uint32_t at) {
  switch (o.kind) {
    case OperandKind::integer:
    case OperandKind::sized_data:
      return std::to_string(parameters[at]);
    case OperandKind::slot:
      return plain_name(o.text) + std::to_string(parameters[at]);
    case OperandKind::text:
      return refrain::trace::quoted(text_at(trace.templates, parameters.subspan(at), o.width).value_or("?"));
    case OperandKind::list: {
      auto values = parameters.subspan(at, o.width);
      return list_text({values.begin(), values.end()});
    }
    case OperandKind::long_list: {
      int64_t number = parameters[at];
      bool known = number >= 0 && static_cast<uint64_t>(number) < trace.lists.size();
      return list_text(known ? trace.lists[static_cast<size_t>(number)].expand(longest_list)
                             : std::vector<int64_t>{});
    }
    case OperandKind::name:
      return refrain::trace::quoted(o.text);
    case OperandKind::data:
      return "data";
    default:
      return {};
  }
}

std::string_view take_word(std::string_view& text, char separator) {
  size_t end = std::min(text.find(separator), text.size());
  std::string_view word = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return word;
}

Result<int64_t> number_of(std::string_view text) {
  int64_t number = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || text.empty())
    return fail(ErrorKind::bad_input, "'" + plain_name(text.substr(0, 40)) + "' is no number");
  return number;
}

Result<Operand> read_kind(std::string_view text) {
  Operand o;
  std::string_view rest = text;
  std::string_view name = take_word(rest, ':');
  bool known = false;
  for (const KindName& k : kind_names) {
    if (k.name != name) continue;
    o.kind = k.kind;
    known = true;
  }
  if (o.kind == OperandKind::slot) {
    std::string_view handle = take_word(rest, ':');
    o.text = std::string(take_word(handle, '@'));
    if (!handle.empty()) {
      Result<int64_t> thread = number_of(handle);
      if (!thread || *thread < 0 || *thread > INT32_MAX)
        return fail(ErrorKind::bad_input, "'" + plain_name(handle.substr(0, 40)) + "' is no thread");
      o.thread = static_cast<int32_t>(*thread);
    }
    known &= !o.text.empty();
  }
  bool has_role = rest.empty();
  for (const RoleName& r : role_names) {
    if (r.name != rest) continue;
    o.role = r.role;
    has_role = true;
  }
  if (!known || !has_role)
    return fail(ErrorKind::bad_input, "'" + plain_name(text.substr(0, 40)) + "' is no kind of operand");
  return o;
}

/// Cuts the next value off: up to a comma that stands in neither a literal nor a list.
std::string_view take_value(std::string_view& text) {
  bool quotes = false;
  size_t depth = 0, end = 0;
  for (; end < text.size(); ++end) {
    char c = text[end];
    if (quotes && c == '\\') {
      ++end;
      continue;
    }
    if (c == '"') quotes = !quotes;
    if (quotes) continue;
    depth += c == '[';
    depth -= c == ']' && depth > 0;
    if (c == ',' && depth == 0) break;
  }
  end = std::min(end, text.size());
  std::string_view value = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  return value;
}

Result<std::vector<int64_t>> read_list(std::string_view text) {
  if (text.size() < 2 || text.front() != '[' || text.back() != ']')
    return fail(ErrorKind::bad_input, "'" + plain_name(text.substr(0, 40)) + "' is no list");
  std::string_view rest = text.substr(1, text.size() - 2);
  std::vector<int64_t> values;
  while (!rest.empty()) {
    Result<int64_t> value = number_of(take_word(rest, ' '));
    if (!value) return tl::unexpected(value.error());
    values.push_back(*value);
  }
  if (values.size() > longest_list) return fail(ErrorKind::limit, "a list of more than 4194304 values");
  return values;
}

Result<OperandValue> read_value(Operand operand, std::string_view text) {
  OperandValue value{.operand = std::move(operand)};
  auto take = [&](std::string_view digits) -> Result<OperandValue> {
    Result<int64_t> number = number_of(digits);
    if (!number) return tl::unexpected(number.error());
    value.number = *number;
    return value;
  };
  switch (value.operand.kind) {
    case OperandKind::integer:
    case OperandKind::sized_data:
      return take(text);
    case OperandKind::slot:
      if (!text.starts_with(value.operand.text))
        return fail(ErrorKind::bad_input, "'" + plain_name(text.substr(0, 40)) + "' is no handle of class " +
                                              plain_name(value.operand.text));
      return take(text.substr(value.operand.text.size()));
    case OperandKind::text:
    case OperandKind::name: {
      Result<std::string> inside = unquoted(text);
      if (!inside) return tl::unexpected(inside.error());
      (value.operand.kind == OperandKind::name ? value.operand.text : value.text) = std::move(*inside);
      return value;
    }
    case OperandKind::list: {
      Result<std::vector<int64_t>> list = read_list(text);
      if (!list) return tl::unexpected(list.error());
      value.list = std::move(*list);
      return value;
    }
    default:
      return value;
  }
}

}  // namespace

std::string kinds_text(const Signature& signature) {
  std::string text;
  for (const Operand& o : signature.operands) text += (text.empty() ? "" : " ") + kind_text(o);
  if (signature.result.kind != OperandKind::none)
    text += (text.empty() ? "> " : " > ") + kind_text(signature.result);
  return text;
}

OperandTexts operand_texts(const Trace& trace, const Call& call) {
  OperandTexts texts;
  uint32_t at = 0;
  bool first = true;
  for (const Operand& o : call.signature->operands) {
    if (!first) texts.arguments += ", ";
    first = false;
    texts.arguments += value_text(trace, o, call.parameters, at);
    at += o.parameters();
  }
  texts.result = value_text(trace, call.signature->result, call.parameters, at);
  return texts;
}

Result<std::string> unquoted(std::string_view literal) {
  auto bad = [&] {
    return fail(ErrorKind::bad_input, "'" + plain_name(literal.substr(0, 40)) + "' is no string");
  };
  if (literal.size() < 2 || literal.front() != '"' || literal.back() != '"') return bad();
  std::string out;
  std::string_view inside = literal.substr(1, literal.size() - 2);
  for (size_t i = 0; i < inside.size(); ++i) {
    if (inside[i] == '"') return bad();
    if (inside[i] != '\\') {
      out += inside[i];
      continue;
    }
    if (++i >= inside.size()) return bad();
    char c = inside[i];
    if (c >= '0' && c <= '7') {
      unsigned value = 0;
      size_t digits = 0;
      while (digits < 3 && i + digits < inside.size() && inside[i + digits] >= '0' &&
             inside[i + digits] <= '7')
        value = value * 8 + static_cast<unsigned>(inside[i + digits++] - '0');
      i += digits - 1;
      out += static_cast<char>(static_cast<unsigned char>(value));
      continue;
    }
    static constexpr std::string_view letters = "ntrvfabe\"\\", bytes = "\n\t\r\v\f\a\b\x1b\"\\";
    size_t place = letters.find(c);
    if (place == letters.npos) return bad();
    out += bytes[place];
  }
  return out;
}

Result<ReadOperands> read_operands(std::string_view kinds, std::string_view arguments,
                                   std::string_view result) {
  ReadOperands out;
  bool at_result = false;
  while (!kinds.empty()) {
    std::string_view word = take_word(kinds, ' ');
    if (word == ">" && !at_result) {
      at_result = true;
      continue;
    }
    Result<Operand> operand = read_kind(word);
    if (!operand) return tl::unexpected(operand.error());
    Result<OperandValue> value = read_value(std::move(*operand), at_result ? result : take_value(arguments));
    if (!value) return tl::unexpected(value.error());
    if (!at_result) {
      out.arguments.push_back(std::move(*value));
      continue;
    }
    out.result = std::move(*value);
    if (!kinds.empty()) return fail(ErrorKind::bad_input, "there are operands behind the result");
  }
  if (!arguments.empty()) return fail(ErrorKind::bad_input, "there are more arguments than kinds");
  return out;
}

}  // namespace refrain::exchange
