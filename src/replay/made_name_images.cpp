#include "replay/made_name_images.hpp"

#include <map>
#include <mutex>
#include <utility>

#include "trace/made_names.hpp"

namespace refrain::replay {
namespace {

constexpr std::string_view unmade = "XXXXXX";
using Key = std::pair<uint32_t, uint32_t>;  // slot, thread

std::mutex names_lock;
std::map<Key, std::string>& names() {
  static std::map<Key, std::string> all;
  return all;
}

std::string name(const Key& key) {
  std::lock_guard guard(names_lock);
  auto found = names().find(key);
  return found == names().end() ? std::string(unmade) : found->second;
}

/// The last made-up name in the path.
Key last_name(std::string_view path) {
  Key last{};
  trace::with_made_names(path, [&](uint32_t slot, uint32_t thread) {
    last = {slot, thread};
    return std::string();
  });
  return last;
}

}  // namespace

std::string with_made_names(std::string_view path) {
  return trace::with_made_names(path, [](uint32_t slot, uint32_t thread) { return name({slot, thread}); });
}

std::string before_made_name(std::string_view path) {
  Key last = last_name(path);
  return trace::with_made_names(path, [&](uint32_t slot, uint32_t thread) {
    Key key{slot, thread};
    return key == last ? std::string(unmade) : name(key);
  });
}

void keep_made_name(std::string_view path, std::string_view made) {
  Key key = last_name(path);
  std::lock_guard guard(names_lock);
  names()[key] = made;
}

}  // namespace refrain::replay
