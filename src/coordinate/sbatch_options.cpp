// See sbatch_options.hpp.
#include "coordinate/sbatch_options.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

namespace refrain::coordinate {

namespace {

/// Long options without a value, or whose value can only follow "=". All others take the next word.
constexpr std::array flags = {"contiguous",    "exclusive",  "get-user-env", "help",       "hold",
                              "ignore-pbs",    "no-kill",    "nice",         "no-requeue", "overcommit",
                              "oversubscribe", "parsable",   "propagate",    "quiet",      "reboot",
                              "requeue",       "spread-job", "test-only",    "usage",      "use-min-nodes",
                              "verbose",       "version",    "wait"};

struct ShortOption {
  char letter;
  const char* name;
};
constexpr std::array short_with_value = {
    ShortOption{'a', "array"},           ShortOption{'A', "account"},       ShortOption{'b', "begin"},
    ShortOption{'B', "extra-node-info"}, ShortOption{'c', "cpus-per-task"}, ShortOption{'C', "constraint"},
    ShortOption{'d', "dependency"},      ShortOption{'D', "chdir"},         ShortOption{'e', "error"},
    ShortOption{'F', "nodefile"},        ShortOption{'G', "gpus"},          ShortOption{'i', "input"},
    ShortOption{'J', "job-name"},        ShortOption{'L', "licenses"},      ShortOption{'m', "distribution"},
    ShortOption{'M', "clusters"},        ShortOption{'n', "ntasks"},        ShortOption{'N', "nodes"},
    ShortOption{'o', "output"},          ShortOption{'p', "partition"},     ShortOption{'q', "qos"},
    ShortOption{'S', "core-spec"},       ShortOption{'t', "time"},          ShortOption{'w', "nodelist"},
    ShortOption{'x', "exclude"}};
constexpr std::array short_flags = {ShortOption{'H', "hold"},          ShortOption{'k', "no-kill"},
                                    ShortOption{'O', "overcommit"},    ShortOption{'Q', "quiet"},
                                    ShortOption{'s', "oversubscribe"}, ShortOption{'v', "verbose"},
                                    ShortOption{'W', "wait"}};

const char* name_in(const auto& table, char letter) {
  auto found =
      std::find_if(table.begin(), table.end(), [letter](const ShortOption& o) { return o.letter == letter; });
  return found == table.end() ? nullptr : found->name;
}

bool is_flag(std::string_view name) { return std::find(flags.begin(), flags.end(), name) != flags.end(); }

bool is_option(std::string_view word) { return word.size() > 1 && word.front() == '-'; }

std::optional<uint32_t> number_in(const OptionValues& values, const char* name) {
  auto found = values.find(name);
  if (found == values.end()) return std::nullopt;
  const std::string& text = found->second;
  uint32_t number = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  bool whole = error == std::errc() && end == text.data() + text.size() && number > 0;
  return whole ? std::optional(number) : std::nullopt;
}

/// The words of a line as a shell would see them, without expansions.
void add_words(std::string_view line, std::vector<std::string>& words) {
  std::string word;
  bool in_word = false;
  char quote = 0;
  for (char c : line) {
    if (quote != 0) {
      if (c == quote)
        quote = 0;
      else
        word += c;
    } else if (c == '"' || c == '\'') {
      quote = c;
      in_word = true;
    } else if (c == ' ' || c == '\t' || c == '\r') {
      if (in_word) words.push_back(std::exchange(word, {}));
      in_word = false;
    } else if (c == '#' && !in_word) {
      break;
    } else {
      word += c;
      in_word = true;
    }
  }
  if (in_word) words.push_back(word);
}

}  // namespace

size_t option_words(const std::vector<std::string>& words, size_t at) {
  const std::string& word = words[at];
  if (!is_option(word)) return 0;
  bool takes_next = false;
  if (word.starts_with("--")) {
    takes_next = word.find('=') == std::string::npos && !is_flag(std::string_view(word).substr(2));
  } else {
    for (size_t i = 1; i < word.size(); ++i) {
      if (name_in(short_with_value, word[i]) == nullptr) continue;
      takes_next = i + 1 == word.size();
      break;
    }
  }
  return takes_next && at + 1 < words.size() ? 2 : 1;
}

SbatchLine split_sbatch_line(const std::vector<std::string>& words) {
  size_t at = 0;
  while (at < words.size() && words[at] != "--") {
    size_t count = option_words(words, at);
    if (count == 0) break;
    at += count;
  }
  auto end = words.begin() + static_cast<std::ptrdiff_t>(at);
  SbatchLine line{{words.begin(), end}, {}};
  if (at < words.size() && words[at] == "--") ++end;
  line.script.assign(end, words.end());
  return line;
}

OptionValues option_values(const std::vector<std::string>& options) {
  OptionValues values;
  for (size_t at = 0; at < options.size();) {
    size_t count = std::max<size_t>(option_words(options, at), 1);
    const std::string& word = options[at];
    std::string next = count == 2 ? options[at + 1] : std::string();
    at += count;
    if (!is_option(word)) continue;
    if (word.starts_with("--")) {
      size_t sign = std::min(word.find('='), word.size());
      values[word.substr(2, sign - 2)] = sign < word.size() ? word.substr(sign + 1) : next;
      continue;
    }
    for (size_t i = 1; i < word.size(); ++i) {
      if (const char* name = name_in(short_with_value, word[i])) {
        values[name] = i + 1 < word.size() ? word.substr(i + 1) : next;
        break;
      }
      if (const char* name = name_in(short_flags, word[i])) values[name] = "";
    }
  }
  return values;
}

std::vector<std::string> script_options(std::string_view script) {
  std::vector<std::string> words;
  while (!script.empty()) {
    size_t end = std::min(script.find('\n'), script.size());
    std::string_view line = script.substr(0, end);
    script.remove_prefix(std::min(end + 1, script.size()));
    if (line.starts_with("#SBATCH")) add_words(line.substr(7), words);
    size_t first = line.find_first_not_of(" \t\r");
    if (first != std::string_view::npos && line[first] != '#')
      break;  // from here on, sbatch does not look either
  }
  return words;
}

std::optional<uint32_t> ranks_asked(const OptionValues& values) {
  if (std::optional<uint32_t> tasks = number_in(values, "ntasks")) return tasks;
  std::optional<uint32_t> nodes = number_in(values, "nodes");
  std::optional<uint32_t> each = number_in(values, "ntasks-per-node");
  if (!nodes || !each || *nodes > UINT32_MAX / *each) return std::nullopt;
  return *nodes * *each;
}

}  // namespace refrain::coordinate
