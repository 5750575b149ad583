// See keys.hpp.
#include "coordinate/keys.hpp"
#include "base/environment.hpp"

#include <sys/stat.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

namespace refrain::coordinate {

namespace {

constexpr size_t max_key_file_bytes = 16 * 1024 * 1024;
constexpr std::string_view z85 =
    "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.-:+=^!/*?&<>()[]{}@%$#";

bool is_key(std::string_view text) {
  return text.size() == key_characters && text.find_first_not_of(z85) == std::string_view::npos;
}

struct KeyLine {
  size_t number = 0;
  std::string first{};
  std::string second{};
};

/// Lines of one or two words, without empty ones and comments. A key may hold '#', so a comment is a line.
std::vector<KeyLine> key_lines(std::string_view text) {
  std::vector<KeyLine> lines;
  std::istringstream in{std::string(text)};
  std::string line;
  for (size_t number = 1; std::getline(in, line); ++number) {
    std::istringstream words(line);
    KeyLine read{.number = number};
    words >> read.first >> read.second;
    if (!read.first.empty() && (read.first[0] != '#' || is_key(read.first))) lines.push_back(read);
  }
  return lines;
}

std::string at_line(const KeyLine& line) { return "line " + std::to_string(line.number); }

Result<std::string> read_key_text(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) return fail(ErrorKind::io, "can't be read; make keys with 'refrain coordinate keygen'", path);
  std::string text(max_key_file_bytes, '\0');
  in.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<size_t>(in.gcount()));
  return text;
}

}  // namespace

std::string default_key_folder() {
  if (const char* folder = std::getenv(environment::keys.name); folder != nullptr && *folder != '\0')
    return folder;
  const char* home = std::getenv("HOME");
  return std::string(home != nullptr ? home : "") + "/.config/refrain/coordinate";
}

Result<Keys> parse_keys(std::string_view text, bool is_client) {
  Keys keys;
  for (const KeyLine& line : key_lines(text)) {
    std::string* key = nullptr;
    if (line.first == "public") key = &keys.public_key;
    if (line.first == "secret") key = &keys.secret_key;
    if (line.first == "server") key = &keys.server_key;
    if (key == nullptr) return fail(ErrorKind::bad_input, "neither public, secret nor server", at_line(line));
    if (!is_key(line.second)) return fail(ErrorKind::bad_input, "no key of 40 characters", at_line(line));
    *key = line.second;
  }
  if (keys.public_key.empty()) return fail(ErrorKind::bad_input, "no line 'public KEY'");
  if (keys.secret_key.empty()) return fail(ErrorKind::bad_input, "no line 'secret KEY'");
  if (is_client && keys.server_key.empty()) return fail(ErrorKind::bad_input, "no line 'server KEY'");
  return keys;
}

std::string keys_text(const Keys& keys) {
  std::string text = "public " + keys.public_key + "\nsecret " + keys.secret_key + "\n";
  if (!keys.server_key.empty()) text += "server " + keys.server_key + "\n";
  return text;
}

Result<std::vector<KnownClient>> parse_known_clients(std::string_view text) {
  std::vector<KnownClient> clients;
  for (const KeyLine& line : key_lines(text)) {
    if (!is_key(line.first)) return fail(ErrorKind::bad_input, "no key of 40 characters", at_line(line));
    clients.push_back({line.first, line.second});
  }
  return clients;
}

Result<Keys> read_keys(const std::string& path, bool is_client) {
  struct stat status {};
  if (stat(path.c_str(), &status) == 0 && (status.st_mode & (S_IRWXG | S_IRWXO)) != 0) {
    return fail(ErrorKind::bad_input, "others may read this secret; chmod 600 it", path);
  }
  Result<std::string> text = read_key_text(path);
  if (!text) return tl::unexpected(text.error());
  Result<Keys> keys = parse_keys(*text, is_client);
  if (!keys) return within(path, keys.error());
  return keys;
}

Result<std::vector<KnownClient>> read_known_clients(const std::string& path) {
  Result<std::string> text = read_key_text(path);
  if (!text) return tl::unexpected(text.error());
  Result<std::vector<KnownClient>> clients = parse_known_clients(*text);
  if (!clients) return within(path, clients.error());
  return clients;
}

}  // namespace refrain::coordinate
