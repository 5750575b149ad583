// One call as text, `function(operands) -> result`, either with numbers (a single execution) or with
// expressions (a node of a tree).
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "trace/expression.hpp"
#include "trace/text_out.hpp"
#include "trace/trace.hpp"

namespace refrain::trace {

/// Where the parameters of the call come from.
class Parameters {
 public:
  virtual ~Parameters() = default;
  /// Whether braces in strings stand for expressions; if so, those of the string itself are doubled.
  virtual bool symbolic() const = 0;
  /// The value, if it is the same in every execution that is printed.
  virtual std::optional<int64_t> constant(size_t i) const = 0;
  virtual void put(TextOut& out, size_t i) const = 0;
  /// The different values that parameter `i` takes and the index that selects among them, when it is a
  /// short table over a loop variable or over t.
  virtual std::optional<std::vector<int64_t>> table(size_t i, std::string& index) const = 0;
};

class NumberParameters final : public Parameters {
 public:
  explicit NumberParameters(std::span<const int64_t> numbers) : numbers_(numbers) {}
  bool symbolic() const override { return false; }
  std::optional<int64_t> constant(size_t i) const override { return numbers_[i]; }
  void put(TextOut& out, size_t i) const override { out << numbers_[i]; }
  std::optional<std::vector<int64_t>> table(size_t, std::string&) const override { return {}; }

 private:
  std::span<const int64_t> numbers_;
};

class ValueParameters final : public Parameters {
 public:
  explicit ValueParameters(const Scope& scope) : scope_(scope) {}
  bool symbolic() const override { return true; }
  std::optional<int64_t> constant(size_t i) const override;
  void put(TextOut& out, size_t i) const override { put_value(out, scope_.node.parameters[i], scope_); }
  std::optional<std::vector<int64_t>> table(size_t i, std::string& index) const override;

 private:
  Scope scope_;
};

/// The call without indentation and line end. `parameters` must have signature.parameters() of them.
void put_call(TextOut& out, const Trace& trace, const Signature& signature, const Parameters& parameters);

/// The same in pieces.
struct CallPieces {
  std::vector<std::string> arguments{};
  std::string result{};  ///< empty if there is none
};
CallPieces call_pieces(const Trace& trace, const Signature& signature, const Parameters& parameters);

/// A template as it prints when referred to by number: fields as `{}` or `{:05}`.
void put_template(TextOut& out, const Template& t);

}  // namespace refrain::trace
