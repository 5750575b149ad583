#include "trace/path_image.hpp"

#include <algorithm>
#include <vector>

namespace refrain::trace {
namespace {

std::vector<std::string_view> resolved(std::string_view path) {
  std::vector<std::string_view> components;
  while (!path.empty()) {
    size_t length = std::min(path.find('/'), path.size());
    std::string_view component = path.substr(0, length);
    path.remove_prefix(std::min(length + 1, path.size()));
    if (component.empty() || component == ".") continue;
    if (component != "..")
      components.push_back(component);
    else if (!components.empty())
      components.pop_back();
  }
  return components;
}

bool climbs(std::string_view path) {
  for (size_t at = path.find(".."); at != std::string_view::npos; at = path.find("..", at + 1)) {
    bool starts = at == 0 || path[at - 1] == '/';
    bool ends = at + 2 == path.size() || path[at + 2] == '/';
    if (starts && ends) return true;
  }
  return false;
}

}  // namespace

std::string path_image(std::string_view path, std::string_view root) {
  bool absolute = path.starts_with('/');
  if (!absolute && !climbs(path)) return std::string(path);
  auto components = resolved(path), above = resolved(root);
  bool below = absolute && !above.empty() && above.size() <= components.size() &&
               std::equal(above.begin(), above.end(), components.begin());
  std::string image;
  for (size_t i = below ? above.size() : 0; i < components.size(); ++i) {
    if (!image.empty()) image += '/';
    image += components[i];
  }
  return image.empty() ? "." : image;
}

std::string library_image(std::string_view path, std::string_view root) {
  size_t end = path.find_first_of(":/");
  size_t prefix = end == std::string_view::npos || path[end] == '/' ? 0 : end + 1;
  return std::string(path.substr(0, prefix)) + path_image(path.substr(prefix), root);
}

std::string plain_image(std::string_view path) {
  return path.empty() ? std::string() : path_image("/" + std::string(path));
}

}  // namespace refrain::trace
