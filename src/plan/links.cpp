#include "plan/links.hpp"

#include <algorithm>
#include <vector>

#include "trace/path_image.hpp"

namespace refrain::plan {
namespace {

/// A path with more links than this is taken for a cycle, as the operating system does.
constexpr int most_links = 40;

}  // namespace

std::string Links::resolve(const std::string& folder, std::string_view path, bool follow) const {
  if (path.empty()) return {};
  if (targets_.empty())
    return trace::plain_image(path.starts_with('/') ? path : folder + "/" + std::string(path));
  std::string name = path.starts_with('/') || folder == "." ? std::string() : folder;
  std::vector<std::string> ahead;  // the next component is the last
  auto put = [&](std::string_view more) {
    std::vector<std::string> parts;
    for (size_t at = 0; at < more.size();) {
      size_t end = std::min(more.find('/', at), more.size());
      if (end > at) parts.emplace_back(more.substr(at, end - at));
      at = end + 1;
    }
    ahead.insert(ahead.end(), parts.rbegin(), parts.rend());
  };
  put(path);
  for (int links = 0; !ahead.empty();) {
    std::string part = std::move(ahead.back());
    ahead.pop_back();
    if (part == ".") continue;
    if (part == "..") {
      size_t slash = name.rfind('/');
      name.erase(slash == std::string::npos ? 0 : slash);
      continue;
    }
    std::string next = name.empty() ? part : name + "/" + part;
    auto link = targets_.find(next);
    if (link == targets_.end() || (ahead.empty() && !follow) || ++links > most_links) {
      name = std::move(next);
      continue;
    }
    if (link->second.starts_with('/')) name.clear();
    put(link->second);
  }
  return name.empty() ? "." : name;
}

}  // namespace refrain::plan
