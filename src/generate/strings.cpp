#include "generate/strings.hpp"

#include "generate/c_text.hpp"
#include "generate/refusal.hpp"
#include "trace/made_names.hpp"
#include "trace/path_image.hpp"

namespace refrain::generate {

using trace::Template;

/// Literal text, or a number that varies.
struct Strings::Piece {
  std::string literal{};
  const Expression* field = nullptr;
  uint8_t width = 0;
};

namespace {

constexpr int64_t most_names = 4096;

/// A zero byte would end the string in C.
std::string up_to_zero(const std::string& text) { return text.substr(0, text.find('\0')); }

}  // namespace

/// Constant numbers are part of the text. To compute a path's image, each varying number is replaced by a
/// zero byte and its index: a number never contains slashes or dots.
std::vector<Strings::Piece> Strings::pieces(const Template& t, const std::vector<Expression>& fields,
                                            Spelling spelling) const {
  std::string marked = up_to_zero(t.literals[0]);
  for (size_t i = 0; i < t.fields(); ++i) {
    if (fields[i].is_constant()) {
      Template alone{{"", ""}, {t.widths[i]}};
      marked += alone.fill(&fields[i].range.low);
    } else {
      marked += {'\0', static_cast<char>('A' + i)};
    }
    marked += up_to_zero(t.literals[i + 1]);
  }
  if (spelling == Spelling::later || (spelling == Spelling::image && !moves_))
    marked = trace::path_image(marked);
  if (spelling == Spelling::library && !moves_) marked = trace::library_image(marked);
  std::vector<Piece> out;
  for (size_t at = 0; at < marked.size();) {
    size_t end = std::min(marked.find('\0', at), marked.size());
    if (end > at) out.push_back({marked.substr(at, end - at)});
    at = end;
    if (at == marked.size()) break;
    auto field = static_cast<size_t>(marked[at + 1] - 'A');
    out.push_back({{}, &fields[field], t.widths[field]});
    at += 2;
  }
  return out;
}

std::string Strings::named(const std::string& literal) {
  auto [found, fresh] = names_.try_emplace(literal);
  if (!fresh) return found->second;
  std::string readable;
  for (size_t i = 0; i < literal.size(); ++i) {
    if (literal[i] == '%') {  // a number, or a doubled sign
      i = std::min(literal.find_first_of("d%", i + 1), literal.size());
      readable += "_";
    } else if (literal[i] == '\\' && literal.compare(i, 4, "\\001") == 0) {  // a name that a call makes up
      i = std::min(literal.find("\\002", i + 4), literal.size() - 4) + 3;
      readable += "_MADE";
    } else {
      readable += literal[i];
    }
  }
  size_t cut = readable.rfind('/');
  std::string name = identifier(cut == std::string::npos ? readable : readable.substr(cut + 1), 24);
  for (char& c : name)
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  name = "FILE_" + (name.empty() ? "NAME" : name);
  if (size_t before = used_[name]++; before > 0) name += "_X" + std::to_string(before + 1);
  definitions_ += "#define " + name + " " + literal + "\n";
  return found->second = name;
}

std::string Strings::one(const Template& t, const std::vector<Expression>& fields, Spelling spelling) {
  std::string plain, format, arguments;
  for (const Piece& piece : pieces(t, fields, spelling)) {
    plain += piece.literal;
    format += format_text(piece.literal);
    if (piece.field == nullptr) continue;
    format += "%" + (piece.width > 1 ? "0" + std::to_string(piece.width) : "") + "lld";
    arguments += ", " + piece.field->widened().text;
  }
  if (arguments.empty()) return spelling != Spelling::text ? named(c_string(plain)) : c_string(plain);
  return "name(" + (spelling != Spelling::text ? named(c_string(format)) : c_string(format)) + arguments +
         ")";
}

/// One of several templates: a table of literals or of formats with equally many numbers.
std::string Strings::several(const Expression& index, const std::vector<Expression>& fields,
                             Spelling spelling) {
  int64_t low = std::max<int64_t>(index.range.low, 0);
  int64_t high = std::min(index.range.high, static_cast<int64_t>(templates_.size()) - 1);
  if (high < low || high - low >= most_names) throw Refusal{"a name chosen among too many"};
  std::vector<std::string> strings;
  for (int64_t i = low; i <= high; ++i) {
    const Template& t = templates_[static_cast<size_t>(i)];
    if (t.fields() != fields.size()) {
      strings.emplace_back();
      continue;
    }
    std::vector<Expression> varying = fields;
    for (Expression& field : varying) field.range = {};  // all formats take all numbers
    std::string format;
    for (const Piece& piece : pieces(t, varying, spelling)) {
      format += fields.empty() ? piece.literal : format_text(piece.literal);
      if (piece.field != nullptr)
        format += "%" + (piece.width > 1 ? "0" + std::to_string(piece.width) : "") + "lld";
    }
    strings.push_back(c_string(format));
  }
  std::string chosen = tables_.of_strings(strings) + "[" + subtract(index, constant(low)).text + "]";
  if (fields.empty()) return chosen;
  std::string arguments;
  for (const Expression& field : fields)
    arguments += ", " + (field.narrow ? "(long long)" + field.at_least(Binding::unary) : field.text);
  return "name(" + chosen + arguments + ")";
}

std::string Strings::print(const Expression& index, const std::vector<Expression>& fields,
                           Spelling spelling) {
  if (!index.is_constant()) return several(index, fields, spelling);
  int64_t number = index.range.low;
  if (number < 0 || static_cast<uint64_t>(number) >= templates_.size() ||
      templates_[static_cast<size_t>(number)].fields() != fields.size())
    throw Refusal{"a name that the trace doesn't have"};
  return one(templates_[static_cast<size_t>(number)], fields, spelling);
}

bool Strings::may_hold_made_name(const Expression& index) const {
  for (size_t i = 0; i < templates_.size(); ++i)
    if (index.range.low <= static_cast<int64_t>(i) && static_cast<int64_t>(i) <= index.range.high)
      for (const std::string& literal : templates_[i].literals)
        if (trace::holds_made_name(literal)) return true;
  return false;
}

std::string Strings::text(const Expression& index, const std::vector<Expression>& fields) {
  return print(index, fields, Spelling::text);
}
std::string Strings::path(const Expression& index, const std::vector<Expression>& fields, Spelling spelling) {
  return print(index, fields, spelling);
}

}  // namespace refrain::generate
