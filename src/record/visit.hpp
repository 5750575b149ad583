// Two readers of the same description of a call. Keys run for every event and keep only words and integers: a
// ComparingVisitor, which keeps no words, and where it finds that they are others than last, a KeyVisitor.
// SignatureVisitor runs once per signature and spells it out. A describing function is a template
// over the visitor, so the two can't disagree on the order of operands.
#pragma once

#include <algorithm>
#include <cstring>

#include "api/names.hpp"
#include "record/lane.hpp"
#include "record/made_name_slots.hpp"

namespace refrain::record {

using api::Kind;
using trace::Role;

/// Paths as far as the system reads them.
inline std::string_view bounded_text(const char* text) { return {text, strnlen(text, 4096)}; }

// What these find is not put down by a visitor that they know of: it would be kept in memory for that.
/// The template of a text, defined if it is new; the values of its fields are in the lane's draft.
[[gnu::noinline]] inline TemplateTable::Found find_text(Lane& lane, const char* text) {
  auto found = lane.templates.find(bounded_text(text), lane.draft.fields);
  if (found.fresh) lane.define(lane.templates.latest());
  return found;
}
/// The same for a path, which is remembered if it has a place in KnownPaths.
[[gnu::noinline]] inline TemplateTable::Found find_path(Lane& lane, const char* path,
                                                        KnownPaths::Path* known) {
  const char* text = path_in_trace(lane, path);
  auto found = find_text(lane, text);
  if (known == nullptr || text != path || found.fresh || found.fields > KnownPaths::most_fields) return found;
  known->text_era = lane.text_era();
  known->text = found;
  std::copy_n(lane.draft.fields, found.fields, known->fields);
  return found;
}

/// Whether words are kept, in the lane's draft.
enum class Words : bool { compared, kept };

template <Words words_are>
class Keys {
 public:
  // What most calls need is always inlined: one call that isn't, and all this is kept in memory.
  /// Words are compared with a guess; integers go to `parameters`.
  Keys(Lane& lane, const SignatureTable::Guess& guess, int64_t* parameters)
      : lane_(lane), guess_(guess.words), parameters_(parameters) {}
  uint32_t words() const { return word_count_; }
  uint32_t parameters() const { return parameter_count_; }
  bool too_large() const { return too_large_; }
  /// Whether the words are those of the guess.
  [[gnu::always_inline]] bool is(const SignatureTable::Guess& guess) const {
    return differs_ == 0 && word_count_ == guess.count && !too_large_;
  }

  [[gnu::always_inline]] void put(uint64_t word) {
    if (word_count_ == Draft::max_words) [[unlikely]] {
      too_large_ = true;
      return;
    }
    if constexpr (words_are == Words::kept) lane_.draft.words[word_count_] = word;
    differs_ |= word ^ guess_[word_count_++];
  }

  [[gnu::always_inline]] void integer(Role, int64_t value) {
    if (parameter_count_ == trace::Signature::max_parameters) [[unlikely]]
      too_large_ = true;
    else
      parameters_[parameter_count_++] = value;
  }
  [[gnu::always_inline]] void slot(Handle h) {
    uint64_t who = h.lane() == lane_.number() ? 0 : uint64_t{h.lane()} + 1;
    put(1 | static_cast<uint64_t>(h.handle_class()) << 8 | who << 16);
    integer(Role::plain, h.slot());
  }
  [[gnu::always_inline]] void name(Kind, uint64_t value) { put(value); }
  /// A predefined thing: `spelling` is a literal, so its address tells it apart.
  [[gnu::always_inline]] void fixed(const char* spelling) { put(reinterpret_cast<uint64_t>(spelling)); }
  void word(const char* spelling) {
    size_t length = strnlen(spelling, longest_word);
    put(2 | length << 8);
    for (size_t i = 0; i < length; i += 8) {
      uint64_t bytes = 0;
      std::memcpy(&bytes, spelling + i, length - i < 8 ? length - i : 8);
      put(bytes);
    }
  }
  void text(const char* value) { put(find_text(lane_, value)); }
  void path(const char* value) { text(path_in_trace(lane_, value)); }
  /// The same for a path of which the lane may know how it stands in a trace.
  [[gnu::always_inline]] void path(const char* value, KnownPaths::Path* known) {
    if (known == nullptr || known->text_era != lane_.text_era()) [[unlikely]]
      return put(find_path(lane_, value, known));
    put(known->text, known->fields);
  }
  [[gnu::always_inline]] void list(Role, const int64_t* values, size_t count) {
    if (count > trace::Operand::max_width) [[unlikely]] {
      put(4);
      uint32_t defined = lane_.definitions();
      uint32_t number = lane_.list(values, count);
      if (lane_.definitions() != defined) parameters_ = lane_.draft.discarded;
      integer(Role::plain, number);
      return;
    }
    put(5 | uint64_t{count} << 8);
    for (size_t i = 0; i < count; ++i) integer(Role::plain, values[i]);
  }
  /// A short list of numbers of type T, which may lie anywhere.
  template <class T>
  [[gnu::always_inline]] void short_list(Role, const char* from, size_t count) {
    put(5 | uint64_t{count} << 8);
    for (size_t i = 0; i < count; ++i) {
      T number;
      std::memcpy(&number, from + i * sizeof number, sizeof number);
      integer(Role::plain, static_cast<int64_t>(number));
    }
  }
  [[gnu::always_inline]] void data() {}
  /// A buffer that may be left out.
  void optional_data(const void* place) { put(place == nullptr ? 0 : 1); }
  [[gnu::always_inline]] void sized_data(Role, uint64_t bytes) {
    integer(Role::plain, static_cast<int64_t>(bytes));
  }
  /// The integers so far stay apart from what follows.
  [[gnu::always_inline]] void mark() { put(6); }

  static constexpr size_t longest_word = 256;

 private:
  [[gnu::always_inline]] void put(const TemplateTable::Found& found, const int64_t* fields) {
    put(3 | uint64_t{found.fields} << 8);
    integer(Role::plain, found.index);
    for (uint32_t i = 0; i < found.fields; ++i) integer(Role::plain, fields[i]);
  }
  /// The same for one whose fields are in the draft.
  [[gnu::always_inline]] void put(const TemplateTable::Found& found) {
    if (found.fresh) [[unlikely]]
      parameters_ = lane_.draft.discarded;
    put(found, lane_.draft.fields);
  }

  Lane& lane_;
  // Kept here, and so in registers: counting in the draft would make each word wait for the one before it.
  const uint64_t* guess_;
  int64_t* parameters_;  ///< elsewhere once a definition has taken their place in the journal
  uint32_t word_count_ = 0, parameter_count_ = 0;
  uint64_t differs_ = 0;
  bool too_large_ = false;
};

using KeyVisitor = Keys<Words::kept>;
using ComparingVisitor = Keys<Words::compared>;

class SignatureVisitor {
 public:
  SignatureVisitor(Lane& lane, trace::Signature& signature) : lane_(lane), signature_(signature) {}

  void integer(Role role, int64_t) { add({.kind = trace::OperandKind::integer, .role = role}); }
  void slot(Handle h) {
    add({.kind = trace::OperandKind::slot,
         .text = std::string(api::facts_of(h.handle_class()).name),
         .thread = h.lane() == lane_.number() ? trace::Operand::own_thread : h.lane()});
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
  void path(const char* value) { text(path_in_trace(lane_, value)); }
  void path(const char* value, const KnownPaths::Path*) { path(value); }
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
  Lane& lane_;
  trace::Signature& signature_;
  bool at_result_ = false;
};

}  // namespace refrain::record
