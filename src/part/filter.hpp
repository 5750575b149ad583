// Which files are recorded. The rules come from the command line in one string; matching allocates nothing.
#pragma once

#include <string>
#include <string_view>

namespace refrain::record {

/// `*` matches within one component of a path, `**` across components, `?` one character.
bool matches(std::string_view pattern, std::string_view path);

/// Rules as a setting that passes unharmed through shells and launchers, and back, in place.
std::string encoded_rules(std::string_view rules);
std::string_view decode_rules(char* rules);

/// Goes on from a folder, an absolute path that stands in `whole`, as `path` says; `..` is resolved by name.
/// False if there is no room.
bool append_path(char* whole, size_t size, std::string_view path);

/// Whether a program of this name, without folders, is an interpreter of Python.
bool is_python(std::string_view program);

/// Stands before the rules if nothing of an interpreter is to be left out.
constexpr std::string_view all_files_rule = "@all-files\n";

class Filter {
 public:
  enum class Verdict {
    excluded,
    ordinary,  ///< no rule: regular files and directories are recorded, other kinds are not
    included,  ///< asked for: recorded whatever it is
  };
  /// Rules separated by '\n', each `+PATTERN` or `-PATTERN`, possibly behind all_files_rule; the text must
  /// outlive the filter.
  void set_rules(std::string_view rules);
  /// What runs is a program of this name: an interpreter's modules are its own business.
  void set_program(std::string_view name) { leaves_out_modules_ = is_python(name) && !keeps_all_; }
  Verdict judge(std::string_view path) const;

 private:
  std::string_view rules_;
  bool keeps_all_ = false, leaves_out_modules_ = false;
};

}  // namespace refrain::record
