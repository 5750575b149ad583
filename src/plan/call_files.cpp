#include "plan/call_files.hpp"

#include <algorithm>

#include "trace/path_image.hpp"

namespace refrain::plan {
namespace {

using api::HandleClass;
using api::Kind;
using trace::Operand;
using trace::OperandKind;
using trace::Role;
using trace::Signature;
using Use = CallFiles::Slot::Use;

const api::HandleFacts& facts_of(const std::string& handle_class) {
  return api::facts_of(api::handle_class_named(handle_class));
}

/// What objects of this class have in common.
std::optional<FileTies::Common> common_of(const std::string& handle_class) {
  api::HandleClass whole = facts_of(handle_class).belongs_with;
  bool tied = whole != HandleClass::end && whole != HandleClass::request && whole != HandleClass::aio;
  return tied ? std::optional(FileTies::common_of(whole)) : std::nullopt;
}

/// Whether the call has an argument of one of these kinds.
bool takes(const CallPlan& plan, std::initializer_list<Kind> kinds) {
  return std::any_of(plan.arguments.begin(), plan.arguments.end(), [&](const GivenArgument& g) {
    return std::find(kinds.begin(), kinds.end(), g.argument->kind) != kinds.end();
  });
}
/// The same for one or several handles of a class.
bool takes(const CallPlan& plan, HandleClass handle_class) {
  return std::any_of(plan.arguments.begin(), plan.arguments.end(), [&](const GivenArgument& g) {
    return api::facts_of(g.argument->kind).handle == handle_class;
  });
}

/// "a" and "a/b" for "a/b/c".
std::vector<std::string> folders_of(const std::string& path) {
  std::vector<std::string> out;
  for (size_t slash = path.find('/', 1); slash != std::string::npos; slash = path.find('/', slash + 1))
    out.push_back(path.substr(0, slash));
  return out;
}

}  // namespace

FileTies::FileTies() : files_(commons), same_(commons), needs_(commons) {
  for (size_t f = 0; f < commons; ++f) same_[f] = f;
}

size_t FileTies::file(const std::string& name, bool has_path) {
  auto [found, fresh] = by_name_.try_emplace(has_path ? "/" + name : name, files_.size());
  if (fresh) {
    same_.push_back(files_.size());
    files_.push_back({name, has_path});
    needs_.emplace_back();
  }
  return found->second;
}

size_t FileTies::root(size_t file) {
  while (same_[file] != file) file = same_[file] = same_[same_[file]];
  return file;
}

void FileTies::tie(size_t a, size_t b) {
  a = root(a), b = root(b);
  if (a != b) same_[std::max(a, b)] = std::min(a, b);
}

void FileTies::need(size_t file, size_t needed) {
  std::vector<size_t>& needs = needs_[file];
  auto recent = needs.end() - static_cast<ptrdiff_t>(std::min<size_t>(needs.size(), commons));
  bool known = std::find(recent, needs.end(), needed) != needs.end();
  if (file != needed && !known) needs.push_back(needed);
}

/// A file needs the folders that it is in. A list of a folder needs all that is there.
void FileTies::need_folders(size_t file) {
  if (!files_[file].has_path) return;
  std::vector<std::string> folders = folders_of(files_[file].name);
  for (const std::string& folder : folders)
    if (auto found = by_name_.find("/" + folder); found != by_name_.end()) need(file, found->second);
  std::string listing = folders.empty() ? "./" : folders.back() + "/";
  if (auto found = by_name_.find("/" + listing); found != by_name_.end()) need(found->second, file);
}

std::vector<bool> FileTies::kept(uint64_t above) {
  for (size_t f = commons; f < files_.size(); ++f) need_folders(f);
  std::vector<bool> roots(files_.size());
  roots[root(always)] = true;
  for (size_t f = 0; f < files_.size(); ++f)
    if (files_[f].bytes > above) roots[root(f)] = true;
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t f = 0; f < files_.size(); ++f) {
      if (!roots[root(f)]) continue;
      for (size_t needed : needs_[f]) {
        changed |= !roots[root(needed)];
        roots[root(needed)] = true;
      }
    }
  }
  std::vector<bool> out(files_.size());
  for (size_t f = 0; f < files_.size(); ++f) out[f] = roots[root(f)];
  return out;
}

CallFiles::CallFiles(const trace::Trace& trace, FileTies& ties) : trace_(trace), ties_(ties) {
  for (const Signature& s : trace.signatures) rules_.push_back(rule_of(s));
}

CallFiles::Rule CallFiles::rule_of(const Signature& s) const {
  Rule rule{.failed = !s.error.empty()};
  size_t at = 0;
  auto operand = [&](const Operand& o) {
    bool counted = o.role == Role::bytes_read || o.role == Role::bytes_written;
    bool whole = o.kind == OperandKind::long_list || o.kind == OperandKind::law_list;
    if (counted && !whole && o.parameters() > 0 && s.error.empty())
      rule.bytes.push_back({at, o.parameters()});
    if (o.kind == OperandKind::slot) rule.slots.push_back({at, o.text});
    at += o.parameters();
  };
  for (const Operand& o : s.operands) operand(o);
  size_t arguments = rule.slots.size();
  operand(s.result);
  if (arguments < rule.slots.size()) rule.slots.back().use = Use::made;
  Result<CallPlan> plan = plan_call(s);
  const api::LayerFacts& layer = api::layer_named(s.layer);
  api::Traits traits = api::traits_of(s.function);
  if (layer.has_objects) {
    rule.commons = {FileTies::objects};
    if (plan) rule_of_objects(s, *plan, rule);
    rule.slots.clear();
  }
  if (!plan) return rule;
  if (rule.slots.size() > arguments && plan->row->result == Kind::same_fd) rule.slots.back().use = Use::same;
  for (const GivenArgument& g : plan->arguments) {
    if (api::is_path(g.argument->kind) && g.count > 0 && s.operands[g.first].kind == OperandKind::text) {
      const GivenArgument* folder = folder_of(s, *plan, g);
      bool relative = folder != nullptr && s.operands[folder->first].kind == OperandKind::slot;
      rule.paths.push_back({g.parameter, s.operands[g.first].width,
                            relative ? std::optional(folder->parameter) : std::nullopt});
    }
    if (g.form == api::Form::fd_list && s.operands[g.first].kind == OperandKind::list)
      for (uint32_t k = 0; k < s.operands[g.first].width; ++k) rule.slots.push_back({g.parameter + k, "fd"});
    bool ends = api::ends(g.argument->kind) || traits.has(api::Trait::unmaps_file);
    for (Slot& slot : rule.slots)
      if (ends && g.count > 0 && slot.parameter == g.parameter && slot.use == Use::used && s.error.empty())
        slot.use = Use::closed;
  }
  if (layer.has_objects) return rule;
  rule.moves = traits.has(api::Trait::enters_folder) && s.error.empty();
  for (HandleClass requests : {HandleClass::request, HandleClass::aio})
    if (takes(*plan, requests)) rule.commons.push_back(FileTies::common_of(requests));
  rule_of_objects(s, *plan, rule);
  if (rule.moves || (!layer.has_files && rule.commons.empty())) rule.commons.push_back(FileTies::always);
  // Of what goes through a ring, nothing can be left out: completions are counted.
  if (std::any_of(rule.slots.begin(), rule.slots.end(),
                  [](const Slot& slot) { return facts_of(slot.handle_class).is_carrier; }))
    rule.commons.push_back(FileTies::always);
  std::erase_if(rule.slots, [](const Slot& slot) { return !facts_of(slot.handle_class).is_file; });
  // Calls with a descriptor that isn't known, and those that make one out of nothing.
  rule.anonymous =
      layer.has_positions && rule.paths.empty() && takes(*plan, {Kind::fd, Kind::stream, Kind::dir});
  return rule;
}

/// A call belongs to the objects of MPI of the kind that it makes, or, if it is about nothing else, uses; it
/// needs the others.
void CallFiles::rule_of_objects(const Signature& s, const CallPlan& plan, Rule& rule) {
  bool has_files = api::layer_named(s.layer).has_files;
  auto add = [](std::vector<FileTies::Common>& list, FileTies::Common one) {
    if (std::find(list.begin(), list.end(), one) == list.end()) list.push_back(one);
  };
  for (const Slot& slot : rule.slots)
    if (auto common = common_of(slot.handle_class)) {
      bool made = slot.use == Use::made;
      bool owner = !has_files && rule.commons.empty();
      add(made || owner ? rule.commons : rule.needs, *common);
    }
  if (!takes(plan, {Kind::mpi_types})) return;
  bool owner = !has_files && rule.commons.empty();
  add(owner ? rule.commons : rule.needs, FileTies::common_of(HandleClass::mpi_type));
}

void CallFiles::begin() {
  handles_.clear();
  current_.clear();
}

size_t CallFiles::path(const Path& path, Parameters p) {
  auto text = text_at(trace_.templates, p.subspan(path.parameter), path.fields);
  if (!text) return ties_.file("a name that isn't known", false);
  std::string below = current_;
  size_t folder = FileTies::commons;
  if (path.folder) {
    auto found = handles_.find({"fd", p[*path.folder]});
    if (found != handles_.end()) folder = found->second;
    below = folder < ties_.files().size() && ties_.files()[folder].has_path ? ties_.files()[folder].name : "";
  }
  size_t file = ties_.file(trace::plain_image(text->starts_with('/') ? *text : below + "/" + *text), true);
  if (path.folder && folder < ties_.files().size() && folder >= FileTies::commons) ties_.need(file, folder);
  return file;
}

size_t CallFiles::handle(const Slot& slot, Parameters p) {
  auto found = handles_.find({slot.handle_class, p[slot.parameter]});
  return found != handles_.end() ? found->second : ties_.file("what was open before", false);
}

size_t CallFiles::take(uint32_t signature, Parameters p) {
  const Rule& rule = rules_[signature];
  std::optional<size_t> concerned;
  auto concern = [&](size_t file) {
    if (concerned) ties_.tie(*concerned, file);
    if (!concerned) concerned = file;
  };
  for (const Path& one : rule.paths) concern(path(one, p));
  for (const Slot& slot : rule.slots) {
    bool folder = std::any_of(rule.paths.begin(), rule.paths.end(),
                              [&](const Path& one) { return one.folder == slot.parameter; });
    if (!folder && (slot.use == Use::used || slot.use == Use::closed)) concern(handle(slot, p));
  }
  // What a folder holds is another matter than that it is there.
  bool lists = concerned && !rule.slots.empty() && rule.slots.back().handle_class == "dir" &&
               rule.slots.back().use == Use::made && ties_.files()[*concerned].has_path;
  if (lists) {
    size_t listing = ties_.file(ties_.files()[*concerned].name + "/", true);
    if (rule.paths.empty()) ties_.tie(*concerned, listing);
    concerned = listing;
  }
  for (FileTies::Common common : rule.commons) concern(common);
  if (rule.moves && concerned) current_ = ties_.files()[*concerned].name;
  if (!concerned) {
    const Signature& s = trace_.signatures[signature];
    bool makes = !rule.slots.empty();
    concerned =
        rule.anonymous || makes ? ties_.file(s.function + "() and the like", false) : FileTies::always;
  }
  for (FileTies::Common needed : rule.needs) ties_.need(*concerned, needed);
  if (rule.failed) return *concerned;
  for (const Slot& slot : rule.slots) {
    if (slot.use == Use::closed) handles_.erase({slot.handle_class, p[slot.parameter]});
    if (slot.use == Use::made || slot.use == Use::same)
      handles_[{slot.handle_class, p[slot.parameter]}] = *concerned;
  }
  return *concerned;
}

uint64_t CallFiles::bytes(uint32_t signature, Parameters p) const {
  uint64_t sum = 0;
  for (auto [first, count] : rules_[signature].bytes)
    for (size_t i = first; i < first + count; ++i) sum += p[i] > 0 ? static_cast<uint64_t>(p[i]) : 0;
  return sum;
}

}  // namespace refrain::plan
