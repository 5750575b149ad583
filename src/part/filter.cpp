// Path rules; see filter.hpp.
#include "part/filter.hpp"

#include <algorithm>

namespace refrain::record {
namespace {

/// What MPI keeps for itself, by how a path goes on behind a slash.
bool is_of_mpi(std::string_view rest) {
  if (rest.empty() || std::string_view("opul.").find(rest[0]) == std::string_view::npos) return false;
  for (std::string_view start :
       {"ompi.", "pmix-", "prte.", "prterun.", "lib/openmpi", "ucx.conf", ".openmpi/", ".pmix/", ".prte/"})
    if (rest.starts_with(start)) return true;
  return false;
}

/// What programs touch without meaning to store anything, and the recorder's own files.
bool excluded_by_default(std::string_view path) {
  for (std::string_view tree : {"/proc", "/sys", "/dev"})
    if (path.starts_with(tree) && (path.size() == tree.size() || path[tree.size()] == '/')) return true;
  for (std::string_view settings :  // of MPI, and of libraries that it brings along
       {"/etc/openmpi/", "/etc/pmix/", "/etc/prte/", "/etc/libnl/", "/etc/gnutls/"})
    if (path.starts_with(settings)) return true;
  if (path.starts_with("/run/user/") && path.ends_with("/ucx")) return true;
  for (size_t start = 0; start <= path.size();) {
    size_t end = std::min(path.find('/', start), path.size());
    if (path.substr(start, end - start).ends_with(".rfn.parts")) return true;
    if (start > 0 && is_of_mpi(path.substr(start))) return true;
    start = end + 1;
  }
  return false;
}

/// What an interpreter of Python reads and looks for to run a script: modules, the script among them.
bool is_of_python(std::string_view path) {
  for (std::string_view end :
       {".py", ".pyc", ".pth", "._pth", "/pyvenv.cfg", "/pybuilddir.txt", "/Modules/Setup.local"})
    if (path.ends_with(end)) return true;
  for (std::string_view part :
       {"/__pycache__", "/lib/python", "/lib64/python", "/site-packages", "/dist-packages"})
    if (path.find(part) != std::string_view::npos) return true;
  return is_python(path.substr(path.rfind('/') + 1));
}

}  // namespace

bool is_python(std::string_view program) {
  constexpr std::string_view name = "python";
  return program.starts_with(name) &&
         program.find_first_not_of("0123456789.", name.size()) == std::string_view::npos;
}

bool matches(std::string_view pattern, std::string_view path) {
  // Backtracks to the last star only, which is enough as long as `**` is the wider of the two kinds.
  size_t p = 0, s = 0;
  size_t star = std::string_view::npos, star_at = 0;  // last '*'
  size_t wide = std::string_view::npos, wide_at = 0;  // last '**'
  while (s < path.size()) {
    bool alike = p < pattern.size() && pattern[p] != '*' &&
                 (pattern[p] == path[s] || (pattern[p] == '?' && path[s] != '/'));
    if (alike) {
      ++p, ++s;
    } else if (p + 1 < pattern.size() && pattern[p] == '*' && pattern[p + 1] == '*') {
      if (p + 2 == pattern.size()) return true;
      wide = p, wide_at = s;
      star = std::string_view::npos;
      p += 2;
    } else if (p < pattern.size() && pattern[p] == '*') {
      star = p, star_at = s;
      p += 1;
    } else if (star != std::string_view::npos && path[star_at] != '/') {
      s = ++star_at;
      p = star + 1;
    } else if (wide != std::string_view::npos) {
      s = ++wide_at;
      p = wide + 2;
      star = std::string_view::npos;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

std::string encoded_rules(std::string_view rules) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string out;
  for (char c : rules) {
    auto byte = static_cast<unsigned char>(c);
    bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '/' ||
                 c == '.' || c == '_' || c == '-' || c == '+';
    if (plain)
      out += c;
    else
      out.append({'%', digits[byte >> 4], digits[byte & 15]});
  }
  return out;
}

std::string_view decode_rules(char* rules) {
  auto value = [](char c) { return c >= 'a' ? c - 'a' + 10 : c - '0'; };
  char* out = rules;
  for (const char* at = rules; *at != 0; ++at) {
    bool code = *at == '%' && at[1] != 0 && at[2] != 0;
    *out++ = code ? static_cast<char>(value(at[1]) * 16 + value(at[2])) : *at;
    if (code) at += 2;
  }
  return {rules, static_cast<size_t>(out - rules)};
}

bool append_path(char* whole, size_t size, std::string_view path) {
  size_t length = std::string_view(whole).size();
  if (length == 1) length = 0;  // the root
  while (!path.empty()) {
    size_t end = std::min(path.find('/'), path.size());
    std::string_view part = path.substr(0, end);
    path.remove_prefix(std::min(end + 1, path.size()));
    if (part.empty() || part == ".") continue;
    if (part == "..") {
      size_t slash = std::string_view(whole, length).rfind('/');
      length = slash == std::string_view::npos ? 0 : slash;
      continue;
    }
    if (length + part.size() + 2 > size) return false;
    whole[length] = '/';
    part.copy(whole + length + 1, part.size());
    length += 1 + part.size();
  }
  if (length == 0) whole[length++] = '/';
  whole[length] = 0;
  return true;
}

void Filter::set_rules(std::string_view rules) {
  keeps_all_ = rules.starts_with(all_files_rule);
  rules_ = keeps_all_ ? rules.substr(all_files_rule.size()) : rules;
}

Filter::Verdict Filter::judge(std::string_view path) const {
  std::string_view last;  // rule that matches
  for (std::string_view left = rules_; !left.empty();) {
    size_t end = left.find('\n');
    std::string_view rule = left.substr(0, end);
    left = end == std::string_view::npos ? std::string_view() : left.substr(end + 1);
    if (rule.size() > 1 && matches(rule.substr(1), path)) last = rule;
  }
  if (!last.empty()) return last[0] == '+' ? Verdict::included : Verdict::excluded;
  bool left_out = excluded_by_default(path) || (leaves_out_modules_ && is_of_python(path));
  return left_out ? Verdict::excluded : Verdict::ordinary;
}

}  // namespace refrain::record
