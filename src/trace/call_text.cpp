// Printing of calls; see call_text.hpp. Strings print as quoted templates whose fields stand in braces, so
// braces of the string itself are doubled. A string whose template varies prints as a table of the
// templates, `["a{i}", "b{i}"][t]`, and if there is no short table as `names[…](fields)`.
#include "trace/call_text.hpp"

#include <utility>

#include "trace/made_names.hpp"
#include "trace/name_list.hpp"
#include "trace/text.hpp"

namespace refrain::trace {
namespace {

constexpr char hex_digits[] = "0123456789abcdef";

std::string hex_escape(char c) {
  auto byte = static_cast<unsigned char>(c);
  return {'\\', 'x', hex_digits[byte >> 4], hex_digits[byte & 15]};
}

bool is_printable(char c) { return c >= 0x20 && c < 0x7f; }

/// The inside of a string literal. Octal escapes, as those can't swallow the character that follows.
void append_escaped(std::string& out, char c) {
  auto byte = static_cast<unsigned char>(c);
  switch (c) {
    case '"':
      out += "\\\"";
      return;
    case '\\':
      out += "\\\\";
      return;
    case '\n':
      out += "\\n";
      return;
    case '\t':
      out += "\\t";
      return;
    default:
      break;
  }
  if (is_printable(c)) {
    out += c;
    return;
  }
  out += {'\\', static_cast<char>('0' + (byte >> 6)), static_cast<char>('0' + (byte >> 3 & 7)),
          static_cast<char>('0' + (byte & 7))};
}

std::string escaped_literal(std::string_view text, bool double_braces = true) {
  std::string out;
  for (char c : text) {
    if (c == made_name_begin)
      out += "{name";
    else if (c == made_name_end)
      out += "}";
    else
      append_escaped(out, c);
    if (double_braces && (c == '{' || c == '}')) out += c;
  }
  return out;
}

void put_width(TextOut& out, uint8_t width) {
  if (width > 1) out << ":" << (width < 10 ? "0" : "") << uint64_t{width};
}

/// The operands of one call, taken off its parameters one by one.
class CallPrinter {
 public:
  CallPrinter(TextOut& out, const Trace& trace, const Parameters& parameters)
      : out_(out), trace_(trace), parameters_(parameters) {}

  void operand(const Operand& o) {
    switch (o.kind) {
      case OperandKind::none:
        break;
      case OperandKind::integer:
        parameters_.put(out_, at_);
        break;
      case OperandKind::slot:
        slot(o);
        break;
      case OperandKind::text:
        text(o);
        break;
      case OperandKind::list:
        list(o);
        break;
      case OperandKind::long_list:
        long_list();
        break;
      case OperandKind::law_list:
        out_ << "[";
        parameters_.put(out_, at_ + 1);
        out_ << " for k < ";
        parameters_.put(out_, at_);
        out_ << "]";
        break;
      case OperandKind::law_names:
        law_names(o);
        break;
      case OperandKind::name:
        out_ << plain_name(o.text);
        break;
      case OperandKind::data:
        out_ << "data";
        break;
      case OperandKind::sized_data:
        out_ << "data ";
        parameters_.put(out_, at_);
        break;
    }
    at_ += o.parameters();
  }

 private:
  void slot(const Operand& o) {
    out_ << plain_name(o.text);
    auto number = parameters_.constant(at_);
    if (number && *number >= 0) {
      out_ << *number;
    } else {
      out_ << "{";
      parameters_.put(out_, at_);
      out_ << "}";
    }
    if (o.thread != Operand::own_thread) out_ << "@" << int64_t{o.thread};
  }

  void law_names(const Operand& o) {
    auto names = name_runs("[" + o.text + "]");
    out_ << "[";
    for (uint32_t k = 0; names && k < names->size() && k < o.width; ++k) {
      if (k > 0) out_ << ", ";
      auto count = parameters_.constant(at_ + k);
      if (!count) out_ << "{";
      if (count != int64_t{1}) parameters_.put(out_, at_ + k);
      if (count != int64_t{1}) out_ << (count ? " x " : "} x ");
      out_ << plain_name((*names)[k].name);
    }
    out_ << "]";
  }

  void list(const Operand& o) {
    out_ << "[";
    for (uint32_t k = 0; k < o.width; ++k) {
      if (k > 0) out_ << ", ";
      if (o.role == Role::extent && parameters_.constant(at_ + k) == int64_t{-1})
        out_ << "H5S_UNLIMITED";
      else
        parameters_.put(out_, at_ + k);
    }
    out_ << "]";
  }

  void long_list() {
    auto index = parameters_.constant(at_);
    if (index && *index >= 0 && static_cast<uint64_t>(*index) < trace_.lists.size())
      return put_column(out_, trace_.lists[static_cast<size_t>(*index)]);
    out_ << "lists[";
    parameters_.put(out_, at_);
    out_ << "]";
  }

  const Template* find(int64_t index, uint32_t fields) const {
    if (index < 0 || static_cast<uint64_t>(index) >= trace_.templates.size()) return nullptr;
    const Template& t = trace_.templates[static_cast<size_t>(index)];
    return t.fields() == fields ? &t : nullptr;
  }

  void text(const Operand& o) {
    if (auto index = parameters_.constant(at_)) {
      if (const Template* t = find(*index, o.width)) return filled(*t);
    } else if (table(o)) {
      return;
    }
    out_ << "names[";
    parameters_.put(out_, at_);
    out_ << "]";
    for (uint32_t k = 0; k < o.width; ++k) {
      out_ << (k == 0 ? "(" : ", ");
      parameters_.put(out_, at_ + 1 + k);
    }
    if (o.width > 0) out_ << ")";
  }

  /// `["a", 3 x "b"][t]`; false if the index isn't a table of templates that fit.
  bool table(const Operand& o) {
    std::string index;
    auto values = parameters_.table(at_, index);
    if (!values) return false;
    for (int64_t v : *values)
      if (!find(v, o.width)) return false;
    out_ << "[";
    for (size_t i = 0; i < values->size();) {
      size_t end = i + 1;
      while (end < values->size() && (*values)[end] == (*values)[i]) ++end;
      if (i > 0) out_ << ", ";
      if (end - i > 1) out_ << uint64_t{end - i} << " x ";
      filled(*find((*values)[i], o.width));
      i = end;
    }
    out_ << "][" << index << "]";
    return true;
  }

  void filled(const Template& t) {
    bool symbolic = parameters_.symbolic();
    out_ << "\"" << escaped_literal(t.literals[0], symbolic);
    for (size_t k = 0; k < t.fields(); ++k) {
      field(t.widths[k], at_ + 1 + k);
      out_ << escaped_literal(t.literals[k + 1], symbolic);
    }
    out_ << "\"";
  }

  void field(uint8_t width, size_t parameter) {
    if (auto number = parameters_.constant(parameter)) {
      std::string digits = std::to_string(*number);
      if (*number >= 0 && digits.size() < width) out_ << std::string(width - digits.size(), '0');
      out_ << digits;
      return;
    }
    out_ << "{";
    parameters_.put(out_, parameter);
    put_width(out_, width);
    out_ << "}";
  }

  TextOut& out_;
  const Trace& trace_;
  const Parameters& parameters_;
  size_t at_ = 0;
};

}  // namespace

std::string plain_name(std::string_view text) {
  std::string out;
  for (char c : text) {
    if (c == '\\') out += c;
    if (is_printable(c))
      out += c;
    else
      out += hex_escape(c);
  }
  return out;
}

std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (char c : text) append_escaped(out, c);
  return out + '"';
}

std::optional<int64_t> ValueParameters::constant(size_t i) const {
  const Value& v = scope_.node.parameters[i];
  if (v.is_constant()) return v.constant_value();
  return {};
}

std::optional<std::vector<int64_t>> ValueParameters::table(size_t i, std::string& index) const {
  const Value& v = scope_.node.parameters[i];
  if (!v.is_plain()) return {};
  bool separable = v.form == Form::separable && Value{.base = 0, .slopes = v.slopes}.is_constant();
  if ((v.form != Form::column && !separable) || !v.column || v.column->size() > normalized_column) return {};
  index = separable ? loop_variable(v.depth) : "t";
  std::vector<int64_t> values = v.column->expand();
  for (int64_t& x : values) x = wrap_add(x, v.base.constant());
  return values;
}

void put_call(TextOut& out, const Trace& trace, const Signature& signature, const Parameters& parameters) {
  out << plain_name(signature.function) << "(";
  CallPrinter printer(out, trace, parameters);
  for (size_t k = 0; k < signature.operands.size(); ++k) {
    if (k > 0) out << ", ";
    printer.operand(signature.operands[k]);
  }
  out << ")";
  bool has_result = signature.result.kind != OperandKind::none;
  if (!has_result && signature.error.empty()) return;
  out << " -> ";
  printer.operand(signature.result);
  if (!signature.error.empty()) out << (has_result ? " " : "") << plain_name(signature.error);
}

CallPieces call_pieces(const Trace& trace, const Signature& signature, const Parameters& parameters) {
  std::string text;
  const Sink sink = [&](std::string_view piece) { text += piece; };
  TextOut out(sink);
  CallPrinter printer(out, trace, parameters);
  auto piece = [&](const Operand& o) {
    printer.operand(o);
    out.flush();
    return std::exchange(text, {});
  };
  CallPieces pieces;
  for (const Operand& o : signature.operands) pieces.arguments.push_back(piece(o));
  if (signature.result.kind != OperandKind::none) pieces.result = piece(signature.result);
  return pieces;
}

void put_template(TextOut& out, const Template& t) {
  out << "\"" << escaped_literal(t.literals[0]);
  for (size_t k = 0; k < t.fields(); ++k) {
    out << "{";
    put_width(out, t.widths[k]);
    out << "}" << escaped_literal(t.literals[k + 1]);
  }
  out << "\"";
}

}  // namespace refrain::trace
