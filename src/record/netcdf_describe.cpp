// How a call of PnetCDF or netCDF is described: its arguments by kind, for the visitors, and what it made or
// told as the result.
#include <cstdio>

#include "record/netcdf_call.hpp"
#include "record/put_lists.hpp"

namespace refrain::record {
namespace {

using api::Form;
using api::Use;

/// Values of attributes are kept up to this size.
constexpr int64_t longest_kept_value = 256;

/// `text:meters` or `hex:2a000000`.
std::string kept_value(const char* bytes, int64_t count, bool is_text) {
  auto length = static_cast<size_t>(count);
  if (is_text) return "text:" + std::string(bytes, strnlen(bytes, length));
  std::string text = "hex:";
  for (size_t k = 0; k < length; ++k) {
    char digits[3];
    std::snprintf(digits, sizeof digits, "%02x", static_cast<unsigned char>(bytes[k]));
    text += digits;
  }
  return text;
}

}  // namespace

template <class V>
void NetcdfCall::describe(V& v) const {
  for (size_t i = 0; i < row_.count; ++i) describe_argument(v, i);
}

template <class V>
void NetcdfCall::describe_argument(V& v, size_t i) const {
  Kind kind = row_.kinds[i];
  const api::KindFacts& facts = api::facts_of(kind);
  // Bytes count as moved only if the call succeeded.
  Role moved = outcome_.error != 0 ? Role::size : facts.fills ? Role::bytes_read : Role::bytes_written;
  auto numbers = [&](int64_t count) {
    if (count < 0 && words_[i] != 0) return v.fixed("data");
    put_list(v, Role::plain, words_[i] == 0 ? nullptr : pointer<const int64_t>(i),
             count < 0 || words_[i] == 0 ? 1 : static_cast<size_t>(count));
  };
  if (facts.handle == row_.files && facts.form != Form::made_behind) {
    if (handles_[i].handle.tracked()) return v.slot(handles_[i].handle);
    return v.fixed(outcome_.error != 0 ? "invalid" : "other");
  }
  if (facts.use == Use::given) return show(v, handles_[i]);
  switch (facts.form) {
    case Form::implied:
    case Form::list_length:
      return;
    case Form::number_behind:
      return words_[i] == 0 ? v.fixed("NULL") : v.integer(Role::plain, hint_);
    case Form::made_behind:
      if (facts.operands != api::Operands::rest || outcome_.error != 0 || header_.numbers.empty()) return;
      put_list(v, Role::plain, header_.numbers.data(), header_.numbers.size());
      for (const std::string& names : header_.names) v.text(names.c_str());
      return;
    case Form::path:
      return words_[i] == 0 ? v.fixed("NULL") : v.path(pointer<const char>(i));
    case Form::string:
      return words_[i] == 0 ? v.fixed("NULL") : v.text(pointer<const char>(i));
    case Form::number: {
      auto value = static_cast<uint32_t>(words_[i]);
      bool is_named = (kind == Kind::nc_var && integer(i) == -1) ||
                      (kind == Kind::nc_length && integer(i) == 0) ||
                      (kind == Kind::nc_request_count && integer(i) < 0 && integer(i) >= -3);
      return is_named ? v.name(kind, value) : v.integer(Role::plain, integer(i));
    }
    case Form::name:
      return v.name(kind,
                    facts.spelling == api::Spelling::real ? words_[i] : static_cast<uint32_t>(words_[i]));
    case Form::output:
      return v.optional_data(pointer<const void>(i));
    case Form::int_list:
      if (kind == Kind::nc_requests)
        return words_[i] == 0 ? v.fixed("NULL")
                              : put_list(v, Role::plain, requests_.data(), requests_.size());
      return words_[i] == 0 ? v.fixed("NULL") : put_list(v, Role::plain, pointer<const int>(i), several());
    case Form::wide_list:
      if (kind == Kind::nc_chunk && integer(i - 1) != 0) return v.fixed("NULL");  // not NC_CHUNKED
      return numbers(kind == Kind::nc_buffer_counts ? static_cast<int64_t>(several()) : dimensions_);
    case Form::number_rows:
      return describe_rows(v, i);
    case Form::handle_list:
      return put_types(v, *lane_, words_[i] == 0 || mpi_library() == nullptr ? 0 : several(), [&](size_t k) {
        return word_of_handle_at(*mpi_library(), HandleClass::mpi_type, pointer<const void>(i), k);
      });
    case Form::variable_data:
      if (bytes_ < 0) return v.fixed("data");
      v.sized_data(moved, static_cast<uint64_t>(bytes_));
      return kind == Kind::nc_attribute_in ? describe_attribute(v, i) : void();
    case Form::string_data:
      bytes_ < 0 ? v.fixed("data") : v.sized_data(moved, static_cast<uint64_t>(bytes_));
      return put_list(v, Role::plain, lengths_.data(), lengths_.size());
    case Form::several_data:
      bytes_ < 0 ? v.fixed("data") : v.sized_data(moved, static_cast<uint64_t>(bytes_));
      return put_list(v, Role::plain, rooms_.data(), rooms_.size());
    case Form::bytes:
      return words_[i] == 0 ? v.fixed("NULL") : fill_.empty() ? v.fixed("data") : v.word(fill_.c_str());
    default:
      return v.data();
  }
}

/// What each pointer leads to, one row behind the other: as many numbers as the variable has dimensions. A
/// row that is left out, of numbers of elements, stands for ones.
template <class V>
void NetcdfCall::describe_rows(V& v, size_t i) const {
  if (words_[i] == 0) return v.fixed("NULL");
  size_t variables = find(Kind::int_list);
  std::vector<int64_t> all;
  for (size_t k = 0; k < several(); ++k) {
    bool own = variables < row_.count;
    if (own && words_[variables] == 0) return v.fixed("data");
    int64_t dimensions = own ? dimensions_of(pointer<const int>(variables)[k]) : dimensions_;
    auto* row = pointer<const int64_t* const>(i)[k];
    if (dimensions < 0 || all.size() > longest_kept_list) return v.fixed("data");
    for (int64_t d = 0; d < dimensions; ++d) all.push_back(row == nullptr ? 1 : row[d]);
  }
  put_list(v, Role::plain, all.data(), all.size());
}

/// What an attribute was written with, on request, as one more operand.
template <class V>
void NetcdfCall::describe_attribute(V& v, size_t i) const {
  bool wanted = outcome_.error == 0 && keeps_attributes() && words_[i] != 0;
  if (!wanted || bytes_ > longest_kept_value) return;
  bool is_text = !has(Kind::nc_type) || integer(find(Kind::nc_type)) == 2;  // NC_CHAR
  v.text(kept_value(pointer<const char>(i), bytes_, is_text).c_str());
}

template <class V>
void NetcdfCall::describe_result(V& v) const {
  size_t i = find(Form::made_behind);
  if (i == row_.count) return;
  if (words_[i] == 0) return v.mark();  // unlike a call that told something
  const api::KindFacts& facts = api::facts_of(row_.kinds[i]);
  if (facts.use != Use::none) return show(v, made_);
  if (facts.named_like != Kind::end)
    return v.name(row_.kinds[i], static_cast<uint32_t>(*pointer<const int>(i)));
  if (row_.kinds[i] == Kind::out_offset) return v.integer(Role::plain, *pointer<const int64_t>(i));
  v.integer(Role::plain, *pointer<const int>(i));
}

template void NetcdfCall::describe(KeyVisitor&) const;
template void NetcdfCall::describe(SignatureVisitor&) const;
template void NetcdfCall::describe_result(KeyVisitor&) const;
template void NetcdfCall::describe_result(SignatureVisitor&) const;

}  // namespace refrain::record
