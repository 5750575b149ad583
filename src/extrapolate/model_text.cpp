// See model_text.hpp. A reader by recursive descent; its depth is bounded by counting parentheses.
#include "extrapolate/model_text.hpp"

#include <cctype>
#include <charconv>
#include <utility>

namespace refrain::extrapolate {
namespace {

struct Wrong {
  std::string text;
};

class ModelReader {
 public:
  explicit ModelReader(std::string_view text) : text_(text) {}

  GivenModel read() {
    GivenModel model;
    model.name = word();
    if (model.name.empty()) throw Wrong{"a model looks like: width = sqrt(P)*8"};
    expect('=');
    model.law = whole(&ModelReader::sum);
    return model;
  }

  RankExpression read_condition() { return whole(&ModelReader::condition); }

 private:
  /// What is left of the text.
  RankExpression whole(RankExpression (ModelReader::*part)()) {
    RankExpression e = (this->*part)();
    skip();
    if (at_ < text_.size()) throw Wrong{"what does '" + std::string(text_.substr(at_)) + "' mean?"};
    if (!e.within_bounds()) throw Wrong{"too long"};
    return e;
  }

  void skip() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_]))) ++at_;
  }
  bool take(char c) {
    skip();
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  void expect(char c) {
    if (!take(c)) throw Wrong{std::string("expected '") + c + "' at character " + std::to_string(at_ + 1)};
  }
  std::string word() {
    skip();
    size_t start = at_;
    while (at_ < text_.size() && (std::isalnum(static_cast<unsigned char>(text_[at_])) || text_[at_] == '_'))
      ++at_;
    return std::string(text_.substr(start, at_ - start));
  }

  bool take_word(std::string_view mark) {
    skip();
    if (!text_.substr(at_).starts_with(mark)) return false;
    at_ += mark.size();
    return true;
  }

  static RankExpression negation(const RankExpression& a) {
    return RankExpression::equal(a, RankExpression());
  }

  RankExpression condition() {
    RankExpression a = conditions_together();
    while (take_word("||")) a = negation(RankExpression::both(negation(a), negation(conditions_together())));
    return a;
  }

  RankExpression conditions_together() {
    RankExpression a = comparison();
    while (take_word("&&")) a = RankExpression::both(a, comparison());
    return a;
  }

  RankExpression comparison() {
    RankExpression a = sum();
    if (take_word("==")) return RankExpression::equal(a, sum());
    if (take_word("!=")) return negation(RankExpression::equal(a, sum()));
    if (take_word("<=")) return RankExpression::at_least(sum(), a);
    if (take_word(">=")) return RankExpression::at_least(a, sum());
    if (take_word("<")) return RankExpression::less(a, sum());
    if (take_word(">")) return RankExpression::less(sum(), a);
    throw Wrong{"a condition looks like: P%4 == 0"};
  }

  RankExpression sum() {
    RankExpression a = product();
    for (;;) {
      if (take('+'))
        a = a + product();
      else if (take('-'))
        a = a - product();
      else
        return a;
    }
  }

  RankExpression product() {
    RankExpression a = factor();
    for (;;) {
      if (take('*'))
        a = a * factor();
      else if (take('/'))
        a = RankExpression::quotient(a, factor());
      else if (take('%'))
        a = RankExpression::remainder(a, factor());
      else
        return a;
    }
  }

  RankExpression factor() {
    constexpr size_t deepest = 16;
    if (++depth_ > deepest) throw Wrong{"too deep"};
    RankExpression a = bare_factor();
    --depth_;
    return a;
  }

  RankExpression bare_factor() {
    if (take('(')) {
      RankExpression a = sum();
      expect(')');
      return a;
    }
    if (take('-')) return RankExpression() - factor();
    std::string name = word();
    if (name == "P") return RankExpression::nprocs();
    if (name == "rank") return RankExpression::rank();
    if (!name.empty() && std::isdigit(static_cast<unsigned char>(name[0]))) return integer(name);
    return function(name);
  }

  static RankExpression integer(const std::string& text) {
    int64_t value = 0;
    auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size()) throw Wrong{"'" + text + "' is no number"};
    return RankExpression::constant(value);
  }

  RankExpression function(const std::string& name) {
    if (name.empty()) throw Wrong{"an expression is missing at character " + std::to_string(at_ + 1)};
    bool two = name == "min" || name == "divisor" || name == "dims";
    if (!two && name != "sqrt" && name != "cbrt" && name != "log2") throw Wrong{"there is no '" + name + "'"};
    expect('(');
    RankExpression a = sum(), b;
    if (two) {
      expect(',');
      b = sum();
    }
    expect(')');
    if (name == "min") return RankExpression::minimum(a, b);
    if (name == "divisor") return RankExpression::divisor(a, b);
    if (name == "dims") return extent(a, b);
    if (name == "log2") return RankExpression::logarithm(a);
    return RankExpression::root(a, name == "sqrt" ? 2 : 3);
  }

  RankExpression extent(const RankExpression& a, const RankExpression& dimensions) {
    expect('[');
    RankExpression i = sum();
    expect(']');
    bool known = dimensions.is_constant() && i.is_constant() &&
                 (dimensions.number() == 2 || dimensions.number() == 3) && i.number() >= 0 &&
                 i.number() < dimensions.number();
    if (!known) throw Wrong{"dims(a, 2)[0 or 1] or dims(a, 3)[0, 1 or 2]"};
    return RankExpression::grid(a, dimensions.number(), i.number());
  }

  std::string_view text_;
  size_t at_ = 0, depth_ = 0;
};

template <class Read>
auto read_by(std::string_view text, Read read) -> Result<decltype(read(std::declval<ModelReader&>()))> {
  try {
    ModelReader reader(text);
    return read(reader);
  } catch (const Wrong& wrong) {
    return fail(ErrorKind::usage, wrong.text, "'" + std::string(text) + "'");
  }
}

}  // namespace

Result<GivenModel> read_model(std::string_view text) {
  return read_by(text, [](ModelReader& reader) { return reader.read(); });
}

Result<RankExpression> read_condition(std::string_view text) {
  Result<RankExpression> condition =
      read_by(text, [](ModelReader& reader) { return reader.read_condition(); });
  if (condition && condition->depends_on(trace::Variable::rank))
    return fail(ErrorKind::usage, "a condition on P, not on rank", "'" + std::string(text) + "'");
  return condition;
}

}  // namespace refrain::extrapolate
