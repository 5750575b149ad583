// Names that a call made up, as mkstemp() does: every run gets another. In a path that a call is given, what
// the call made up is written as the slot of the name between two marks,
//
//     part_<begin>0<end>.txt        name 0 of the main thread
//     part_<begin>0,2<end>.txt      of thread 2
//
// and whoever makes the calls again puts in what its own call made up. A path that holds `begin` itself has
// it twice.
#pragma once

#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>

namespace refrain::trace {

constexpr char made_name_begin = '\x01', made_name_end = '\x02';
/// What glibc puts in place of the six X.
constexpr size_t made_name_length = 6;

/// Whether a path or a literal of its template holds such a name.
inline bool holds_made_name(std::string_view text) { return text.find(made_name_begin) != text.npos; }

/// The path with `name(slot, thread)` in place of each made-up name.
template <class Name>
std::string with_made_names(std::string_view path, Name name) {
  std::string out;
  for (size_t at = 0; at < path.size(); ++at) {
    if (path[at] != made_name_begin) {
      out += path[at];
      continue;
    }
    const char* end = path.data() + path.size();
    uint32_t slot = 0, thread = 0;
    auto number = std::from_chars(path.data() + at + 1, end, slot);
    if (number.ec == std::errc() && number.ptr != end && *number.ptr == ',')
      number = std::from_chars(number.ptr + 1, end, thread);
    if (number.ec != std::errc() || number.ptr == end || *number.ptr != made_name_end) {
      out += path[at];
      at += path.substr(at + 1).starts_with(made_name_begin);
      continue;
    }
    out += name(slot, thread);
    at = static_cast<size_t>(number.ptr - path.data());
  }
  return out;
}

}  // namespace refrain::trace
