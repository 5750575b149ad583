// See dispatch_note.hpp.
#include "coordinate/dispatch_note.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>

namespace refrain::coordinate {

namespace {

constexpr std::string_view note_heading = "refrain/1";

template <class Number>
bool read_number(std::string_view text, Number& number) {
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size();
}

bool read_word(std::string_view word, DispatchNote& note) {
  size_t sign = word.find('=');
  if (sign == std::string_view::npos) return false;
  std::string_view name = word.substr(0, sign);
  std::string_view value = word.substr(sign + 1);
  if (!is_plain_word(value)) return false;
  if (name == "pack") return read_number(value, note.pack);
  if (name == "io-node") return read_number(value, note.io_node.emplace());
  if (name == "on") note.partition = value;
  if (name == "by") note.mapping = value;
  if (name == "coordinator") note.coordinator = value;
  return name == "on" || name == "by" || name == "coordinator";
}

}  // namespace

bool is_plain_word(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("-+_.:/@%[]").find(c) != std::string_view::npos;
  });
}

std::string note_text(const DispatchNote& note) {
  std::string text(note_heading);
  if (note.pack > 0) text += fmt::format(" pack={}", note.pack);
  if (!note.partition.empty()) text += " on=" + note.partition;
  if (!note.mapping.empty()) text += " by=" + note.mapping;
  if (note.io_node) text += fmt::format(" io-node={}", *note.io_node);
  if (!note.coordinator.empty()) text += " coordinator=" + note.coordinator;
  return text;
}

std::optional<DispatchNote> read_note(std::string_view admin_comment) {
  if (!admin_comment.starts_with(note_heading)) return std::nullopt;
  admin_comment.remove_prefix(note_heading.size());
  DispatchNote note;
  while (admin_comment.starts_with(' ')) {
    admin_comment.remove_prefix(1);
    size_t space = std::min(admin_comment.find(' '), admin_comment.size());
    if (!read_word(admin_comment.substr(0, space), note)) return std::nullopt;
    admin_comment.remove_prefix(space);
  }
  if (!admin_comment.empty()) return std::nullopt;
  return note;
}

}  // namespace refrain::coordinate
