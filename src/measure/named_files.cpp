#include "measure/named_files.hpp"

#include <filesystem>

namespace refrain::measure {
namespace {

std::string joined_path(const std::string& folder, const std::string& path) {
  if (path.starts_with('/') || folder.empty()) return path;
  return folder + "/" + path;
}

/// One spelling, relative to `start` if it is below that.
std::string spelled(const std::string& path, const std::string& start) {
  std::string plain = std::filesystem::path(path).lexically_normal().string();
  if (plain.size() > 1 && plain.ends_with('/')) plain.pop_back();
  if (!start.empty() && plain.size() > start.size() + 1 && plain.starts_with(start) &&
      plain[start.size()] == '/')
    return plain.substr(start.size() + 1);
  return plain;
}

}  // namespace

void NamedFiles::begin(const std::string& folder) {
  start_ = folder;
  current_ = folder;
  handles_.clear();
  thread_ = 0;
}

HandleKey NamedFiles::key(const FileRule::Slot& slot, Parameters parameters) const {
  int32_t thread = slot.thread == trace::Operand::own_thread ? thread_ : slot.thread;
  return {slot.handle_class, thread, parameters[slot.parameter]};
}

NamedFiles::Place NamedFiles::handle(const FileRule::Slot& slot, Parameters parameters) {
  auto found = handles_.find(key(slot, parameters));
  if (found != handles_.end()) return found->second;
  if (!slot.is_file) return {};
  // Nobody was seen to open it.
  return {file("(open from the beginning: " + std::string(slot.kind) +
               std::to_string(parameters[slot.parameter]) + ")"),
          none};
}

std::string NamedFiles::text(uint32_t parameter, uint32_t fields, Parameters parameters) const {
  return text_at(templates_, parameters.subspan(parameter), fields).value_or("");
}

uint32_t NamedFiles::file(const std::string& path) {
  auto found = by_path_.find(path);
  if (found != by_path_.end()) return found->second;
  if (paths_.size() >= most_files_) {
    complete_ = false;
    return none;
  }
  paths_.push_back(path);
  return by_path_.emplace(path, static_cast<uint32_t>(paths_.size() - 1)).first->second;
}

NamedFiles::Place NamedFiles::path(const FileRule& rule, Parameters parameters) {
  std::string folder = current_;
  if (rule.handle) {
    auto found = handles_.find(key(rule.handle, parameters));
    if (found != handles_.end() && found->second.file != none)
      folder = joined_path(start_, paths_[found->second.file]);
  }
  std::string whole = joined_path(folder, text(rule.path, rule.path_fields, parameters));
  if (rule.enters_folder) current_ = whole;
  return {file(spelled(whole, start_)), none};
}

NamedFiles::Place NamedFiles::object(const FileRule& rule, Place in, Parameters parameters) {
  std::string name = text(rule.name, rule.name_fields, parameters);
  if (in.object != none && !name.starts_with('/')) name = objects_[in.object].name + "/" + name;
  while (name.starts_with('/')) name.erase(0, 1);
  std::string id = std::to_string(in.file) + "/" + rule.object_kind + "/" + name;
  auto found = by_object_.find(id);
  if (found != by_object_.end()) return {in.file, found->second};
  if (objects_.size() >= most_objects_) {
    complete_ = false;
    return in;
  }
  objects_.push_back({in.file, rule.object_kind, std::move(name)});
  return {in.file,
          by_object_.emplace(std::move(id), static_cast<uint32_t>(objects_.size() - 1)).first->second};
}

NamedFiles::Place NamedFiles::take(const FileRule& rule, Parameters parameters) {
  Place place;
  if (rule.path != FileRule::absent)
    place = path(rule, parameters);
  else if (rule.handle)
    place = handle(rule.handle, parameters);
  if (rule.failed) return place;
  if (rule.made && rule.name != FileRule::absent && place.file != none)
    place = object(rule, place, parameters);
  if (rule.leads_on && (rule.path != FileRule::absent || rule.handle))
    handles_[key(rule.made, parameters)] = {place.file, place.object, rule.opens()};
  else if (rule.made)
    handles_.erase(key(rule.made, parameters));
  return place;
}

}  // namespace refrain::measure
