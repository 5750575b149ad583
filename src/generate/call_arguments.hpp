// The arguments of one call as C text, each by the kind that its function's row gives it.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "generate/calls.hpp"

namespace refrain::generate {

class CallArguments {
 public:
  /// Throws Refusal if the event isn't a call of a known function. Both arguments must outlive this.
  CallArguments(const CallContext& context, const Place& place);

  const plan::CallPlan& plan() const { return plan_; }
  const trace::Signature& signature() const { return signature_; }

  std::string text(const plan::GivenArgument& given);
  /// The argument of this name. `made` is the new handle, `result` the recorded result, `bytes` the number of
  /// bytes moved.
  std::string text(std::string_view name);
  /// Bytes that the recorded call read: as counted in its data, or its result.
  std::string brought(bool in_data);
  /// The handle of the file from which the call reads data that others write; null if there is none.
  const plan::GivenArgument* awaited_handle() const;
  /// The variable of the handle that the call makes.
  std::string made();

 private:
  using Kind = api::Kind;
  using Form = api::Form;
  using Operand = trace::Operand;

  const Operand& operand(const plan::GivenArgument& g, size_t k = 0) const {
    return signature_.operands[g.first + k];
  }
  const api::LayerFacts& layer() const { return api::layer_named(signature_.layer); }
  Expression parameter(size_t p) { return c_.values.parameter(place_, p); }
  std::string slot(const Operand& o, size_t p);
  std::string string_of(const plan::GivenArgument& g, Strings::Spelling spelling = Strings::Spelling::text);
  std::string folder_of(const plan::GivenArgument& path);
  std::string placed(const plan::GivenArgument& path);
  std::string path(const plan::GivenArgument& g);
  std::string turns_before(const plan::GivenArgument& path);
  std::string word(const plan::GivenArgument& g) const;
  std::string system_handle(const plan::GivenArgument& g);
  std::string library_handle(const plan::GivenArgument& g);
  std::string behind(const plan::GivenArgument& g);
  std::string made_behind(const plan::GivenArgument& g);
  std::string number(const plan::GivenArgument& g);
  std::string buffer(const plan::GivenArgument& g);
  std::string memory(const plan::GivenArgument& g);
  std::string room(const plan::GivenArgument& g) const;
  std::string size_of_buffer(const plan::GivenArgument& g);
  std::string implied(const plan::GivenArgument& g);
  std::string fcntl_argument(const plan::GivenArgument& g);
  std::string list(const plan::GivenArgument& g, std::string_view element, size_t k = 0);
  std::string ranges(const plan::GivenArgument& g);
  void need_width(const plan::GivenArgument& g, uint32_t width);
  std::string list_length(const plan::GivenArgument& g);
  std::string elements(const plan::GivenArgument& g, size_t k = 0);
  std::span<const trace::Column> lists_at(const Expression& index) const;
  Tables::Lists long_list(size_t p);
  void need_slots(std::string_view own, Range slots);
  void need_slots(const plan::GivenArgument& g, std::string_view own, size_t count);
  std::vector<std::string> names(const plan::GivenArgument& g);
  std::string types_by_law(const plan::GivenArgument& g, const std::string& type);
  std::vector<Expression> slots_of_list(const plan::GivenArgument& g);
  std::string typed_value(const plan::GivenArgument& g);
  std::string handle_list(const plan::GivenArgument& g);
  void need_length_of_lists(size_t length);
  std::string aio_list(const plan::GivenArgument& g);
  std::string descriptor_list(const plan::GivenArgument& g);
  std::string members(const plan::GivenArgument& g);
  std::string function(const plan::GivenArgument& g) const;
  std::string written_elements(const plan::GivenArgument& g);
  std::string cache_config(const plan::GivenArgument& g);
  const plan::GivenArgument* given(Kind kind) const;
  std::string bytes(const plan::GivenArgument& g) const;
  std::string variable_data(const plan::GivenArgument& g);
  std::string several_data(const plan::GivenArgument& g);
  std::string like_file(const plan::GivenArgument& g, const std::string& moved);
  std::string string_data(const plan::GivenArgument& g);
  std::string number_rows(const plan::GivenArgument& g);
  std::string library_argument(const plan::GivenArgument& g);

  const CallContext& c_;
  const Place& place_;
  const trace::Signature& signature_;
  plan::CallPlan plan_;
};

/// `const struct stat*` -> `struct stat`
std::string pointee(std::string_view type);
/// A number as an argument of the type; a constant that doesn't fit gets a cast.
std::string narrowed(const Expression& e, std::string_view type);
/// The address of an anonymous variable with this value.
std::string address_of(const std::string& type, const std::string& value);

/// `[MPI_INT, 2 x mpitype]`, one by one.
std::vector<std::string> bracketed_names(std::string_view text);

}  // namespace refrain::generate
