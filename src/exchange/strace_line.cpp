#include "exchange/strace_line.hpp"

#include <algorithm>

#include "exchange/input_lines.hpp"
#include "exchange/operand_text.hpp"
#include "trace/text.hpp"

namespace refrain::exchange {

namespace {

tl::unexpected<Error> bad(std::string message) { return fail(ErrorKind::bad_input, std::move(message)); }

/// Where the argument that begins at `from` ends: at a comma or the closing parenthesis of the call.
size_t end_of_argument(std::string_view text, size_t from) {
  size_t depth = 0;
  bool quotes = false, path = false;
  for (size_t i = from; i < text.size(); ++i) {
    char c = text[i];
    if (quotes) {
      if (c == '\\') ++i;
      quotes = c != '"';
    } else if (path) {
      path = c != '>';
    } else if (c == '"') {
      quotes = true;
    } else if (c == '<' && i > from && text[i - 1] != ' ' && text[i - 1] != '<') {
      path = true;
    } else if (c == '(' || c == '[' || c == '{') {
      ++depth;
    } else if ((c == ')' || c == ']' || c == '}') && depth > 0) {
      --depth;
    } else if (depth == 0 && (c == ')' || c == ',')) {
      return i;
    }
  }
  return text.npos;
}

/// "= 3</a/b> <0.000021>", "= -1 ENOENT (No such file or directory) <0.000012>"
Result<void> parse_result(std::string_view text, StraceLine& line) {
  size_t sign = text.find_first_not_of(' ');
  if (sign == text.npos || text[sign] != '=') return bad("a call without a result");
  std::string_view rest = text.substr(sign + 1);
  if (size_t time = rest.rfind(" <"); time != rest.npos && rest.ends_with('>')) {
    // Without -T this may be the path of a descriptor, which is no number.
    std::optional<uint64_t> duration = seconds_as_ns(rest.substr(time + 2, rest.size() - time - 3));
    if (duration) {
      line.duration_ns = *duration;
      rest = rest.substr(0, time);
    }
  }
  rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
  size_t end = std::min(rest.find_first_of(" <"), rest.size());
  std::string_view number = rest.substr(0, end);
  if (number == "?") return {};
  if (number.starts_with("0x")) {
    line.result = 0;
    return {};
  }
  std::optional<int64_t> value = decimal(number);
  if (!value) return bad("'" + trace::plain_name(number.substr(0, 40)) + "' is no result");
  line.result = *value;
  std::string_view behind = rest.substr(end);
  if (behind.starts_with('<') && behind.find('>') != behind.npos)
    line.result_path = std::string(behind.substr(1, behind.rfind('>') - 1));
  if (*value == -1) line.error = std::string(take_blank_word(behind));
  return {};
}

}  // namespace

Result<std::optional<StraceLine>> parse_strace_line(std::string_view text) {
  StraceLine line;
  std::string_view rest = text;
  std::optional<uint64_t> start = seconds_as_ns(take_blank_word(rest));
  if (!start) return bad("no time: strace needs -ttt");
  line.start_ns = *start;
  rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
  bool is_event = rest.starts_with("+++") || rest.starts_with("---") || rest.starts_with("<...");
  if (rest.empty() || is_event || rest.ends_with("<unfinished ...>")) return std::nullopt;
  size_t open = rest.find('(');
  if (open == rest.npos || open == 0) return bad("no call");
  line.name = std::string(rest.substr(0, open));
  size_t at = open + 1;
  for (;;) {
    size_t end = end_of_argument(rest, at);
    if (end == rest.npos) return bad("a call without an end");
    if (end > at || rest[end] == ',') line.arguments.emplace_back(rest.substr(at, end - at));
    at = end + 1;
    if (rest[end] == ')') break;
    if (at < rest.size() && rest[at] == ' ') ++at;
  }
  if (Result<void> done = parse_result(rest.substr(at), line); !done) return tl::unexpected(done.error());
  return line;
}

Result<ShownDescriptor> parse_descriptor(std::string_view text) {
  ShownDescriptor shown;
  size_t open = std::min(text.find('<'), text.size());
  std::string_view number = text.substr(0, open);
  if (open < text.size() && text.ends_with('>'))
    shown.path = std::string(text.substr(open + 1, text.size() - open - 2));
  if (number == "AT_FDCWD") {
    shown.number = ShownDescriptor::at_working_folder;
    return shown;
  }
  std::optional<int64_t> value = decimal(number);
  if (!value) return bad("'" + trace::plain_name(text.substr(0, 40)) + "' is no descriptor");
  shown.number = *value;
  return shown;
}

}  // namespace refrain::exchange
