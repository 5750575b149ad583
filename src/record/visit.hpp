// Two readers of the same description of a call. KeyVisitor runs for every event and keeps only words and
// integers; SignatureVisitor runs once per signature and spells it out. A describing function is a template
// over the visitor, so the two can't disagree on the order of operands.
#pragma once

#include <cstring>

#include "api/names.hpp"
#include "record/lane.hpp"

namespace refrain::record {

using api::Kind;
using trace::Role;

/// Paths as far as the system reads them.
inline std::string_view bounded_text(const char* text) { return {text, strnlen(text, 4096)}; }

class KeyVisitor {
 public:
  explicit KeyVisitor(Lane& lane) : lane_(lane), draft_(lane.draft) {}

  void integer(Role, int64_t value) { draft_.parameter(value); }
  void slot(Handle h) {
    uint64_t who = h.lane == lane_.number() ? 0 : uint64_t{h.lane} + 1;
    draft_.word(1 | static_cast<uint64_t>(h.handle_class) << 8 | who << 16);
    draft_.parameter(h.slot);
  }
  void name(Kind, uint64_t value) { draft_.word(value); }
  /// A predefined thing: `spelling` is a literal, so its address tells it apart.
  void fixed(const char* spelling) { draft_.word(reinterpret_cast<uint64_t>(spelling)); }
  void word(const char* spelling) {
    size_t length = strnlen(spelling, longest_word);
    draft_.word(2 | length << 8);
    for (size_t i = 0; i < length; i += 8) {
      uint64_t bytes = 0;
      std::memcpy(&bytes, spelling + i, length - i < 8 ? length - i : 8);
      draft_.word(bytes);
    }
  }
  void text(const char* value) {
    int64_t fields[trace::Template::max_fields];
    auto found = lane_.templates.find(bounded_text(value), fields);
    if (found.fresh) lane_.define(lane_.templates.latest());
    draft_.word(3 | uint64_t{found.fields} << 8);
    draft_.parameter(found.index);
    for (uint32_t i = 0; i < found.fields; ++i) draft_.parameter(fields[i]);
  }
  void list(Role, const int64_t* values, size_t count) {
    if (count > trace::Operand::max_width) {
      draft_.word(4);
      draft_.parameter(lane_.list(values, count));
      return;
    }
    draft_.word(5 | uint64_t{count} << 8);
    for (size_t i = 0; i < count; ++i) draft_.parameter(values[i]);
  }
  /// A short list of numbers of type T, which may lie anywhere.
  template <class T>
  void short_list(Role, const char* from, size_t count) {
    draft_.word(5 | uint64_t{count} << 8);
    for (size_t i = 0; i < count; ++i) {
      T number;
      std::memcpy(&number, from + i * sizeof number, sizeof number);
      draft_.parameter(static_cast<int64_t>(number));
    }
  }
  void data() {}
  /// A buffer that may be left out.
  void optional_data(const void* place) { draft_.word(place == nullptr ? 0 : 1); }
  void sized_data(Role, uint64_t bytes) { draft_.parameter(static_cast<int64_t>(bytes)); }
  /// The integers so far stay apart from what follows.
  void mark() { draft_.word(6); }

  static constexpr size_t longest_word = 256;

 private:
  Lane& lane_;
  Draft& draft_;
};

class SignatureVisitor {
 public:
  SignatureVisitor(const Lane& lane, trace::Signature& signature) : lane_(lane), signature_(signature) {}

  void integer(Role role, int64_t) { add({.kind = trace::OperandKind::integer, .role = role}); }
  void slot(Handle h) {
    add({.kind = trace::OperandKind::slot,
         .text = handle_class_name(h.handle_class),
         .thread = h.lane == lane_.number() ? trace::Operand::own_thread : h.lane});
  }
  void name(Kind kind, uint64_t value) {
    add({.kind = trace::OperandKind::name, .text = api::name_of(kind, value)});
  }
  void fixed(const char* spelling) { add({.kind = trace::OperandKind::name, .text = spelling}); }
  void word(const char* spelling) {
    add({.kind = trace::OperandKind::name,
         .text = std::string(spelling, strnlen(spelling, KeyVisitor::longest_word))});
  }
  void text(const char* value) {
    std::vector<int64_t> fields;
    trace::Template::parse(bounded_text(value), fields);
    add({.kind = trace::OperandKind::text, .width = static_cast<uint32_t>(fields.size())});
  }
  void list(Role role, const int64_t*, size_t count) {
    if (count > trace::Operand::max_width)
      add({.kind = trace::OperandKind::long_list, .role = role});
    else
      add({.kind = trace::OperandKind::list, .role = role, .width = static_cast<uint32_t>(count)});
  }
  template <class T>
  void short_list(Role role, const char*, size_t count) {
    list(role, nullptr, count);
  }
  void data() { add({.kind = trace::OperandKind::data}); }
  void optional_data(const void* place) { place == nullptr ? fixed("NULL") : data(); }
  void sized_data(Role role, uint64_t) { add({.kind = trace::OperandKind::sized_data, .role = role}); }
  void mark() {}

  /// What follows is the result.
  void result() { at_result_ = true; }

 private:
  void add(trace::Operand operand) {
    if (at_result_)
      signature_.result = std::move(operand);
    else
      signature_.operands.push_back(std::move(operand));
  }
  const Lane& lane_;
  trace::Signature& signature_;
  bool at_result_ = false;
};

}  // namespace refrain::record
