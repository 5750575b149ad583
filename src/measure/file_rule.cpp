#include "measure/file_rule.hpp"

#include <algorithm>
#include <map>

#include "api/handle_class.hpp"
#include "api/layers.hpp"
#include "api/table.hpp"

namespace refrain::measure {

using namespace trace;

namespace {

/// Whether one of the function's arguments is a path. Of functions that nobody knows, those of the system
/// that make a handle of a name.
bool takes_path(const Signature& s) {
  const api::Row* row = api::find_row(s.function);
  if (!row) return s.result.kind == OperandKind::slot && !api::layer_named(s.layer).has_objects;
  return std::any_of(row->arguments.begin(), row->arguments.end(),
                     [](const api::Argument& a) { return api::is_path(a.kind); });
}

class FileRuleReader {
 public:
  FileRuleReader(const Signature& s, std::map<std::string, uint32_t>& classes) : s_(s), classes_(classes) {}

  FileRule run() {
    bool path = takes_path(s_);
    for (const Operand& o : s_.operands) {
      if (!rule_.handle) rule_.handle = slot(o);
      if (o.kind == OperandKind::text) text(o, path);
      at_ += o.parameters();
    }
    rule_.made = slot(s_.result);
    rule_.leads_on = rule_.made && leads_on();
    if (rule_.made && rule_.name != FileRule::absent) rule_.object_kind = s_.result.text;
    rule_.failed = !s_.error.empty();
    rule_.closes = s_.bracket == Bracket::closes && !rule_.failed;
    rule_.enters_folder = !rule_.failed && api::traits_of(s_.function).has(api::Trait::enters_folder);
    return rule_;
  }

 private:
  /// Handles of files; of layers whose files hold objects, all handles: which of them lead to a file shows
  /// when they are made.
  FileRule::Slot slot(const Operand& o) {
    if (o.kind != OperandKind::slot) return {};
    bool is_file = api::facts_of(api::handle_class_named(o.text)).is_file;
    if (!is_file && !api::layer_named(s_.layer).has_objects) return {};
    uint32_t number = classes_.try_emplace(o.text, static_cast<uint32_t>(classes_.size())).first->second;
    return {at_, number, o.thread, is_file, o.text};
  }

  /// Whether what the call makes leads to the same file as what it takes: not so spaces and property lists.
  bool leads_on() const {
    api::Traits traits = api::traits_of(s_.function);
    return rule_.path != FileRule::absent || rule_.name != FileRule::absent || rule_.made.is_file ||
           rule_.made.handle_class == rule_.handle.handle_class || traits.has(api::Trait::opens_object) ||
           traits.has(api::Trait::creates_object) || traits.has(api::Trait::follows_reference);
  }

  void text(const Operand& o, bool path) {
    if (path && rule_.path == FileRule::absent) {
      rule_.path = at_;
      rule_.path_fields = o.width;
    } else if (!path && rule_.handle && rule_.name == FileRule::absent &&
               api::layer_named(s_.layer).has_objects) {
      rule_.name = at_;
      rule_.name_fields = o.width;
    }
  }

  const Signature& s_;
  std::map<std::string, uint32_t>& classes_;
  FileRule rule_;
  uint32_t at_ = 0;
};

}  // namespace

std::vector<FileRule> file_rules(const std::vector<Signature>& signatures) {
  std::map<std::string, uint32_t> classes;
  std::vector<FileRule> rules;
  rules.reserve(signatures.size());
  for (const Signature& s : signatures) rules.push_back(FileRuleReader(s, classes).run());
  return rules;
}

}  // namespace refrain::measure
