#include "measure/file_positions.hpp"

#include <algorithm>

#include "trace/column.hpp"

namespace refrain::measure {

using namespace trace;

namespace {

constexpr auto absent = AccessRule::absent;

uint64_t moved_bytes(const AccessRule& rule, FilePositions::Parameters parameters) {
  uint64_t bytes = 0;
  for (int64_t n : parameters.subspan(rule.bytes, rule.byte_parameters)) bytes += static_cast<uint64_t>(n);
  return bytes;
}

}  // namespace

size_t FilePositions::new_handle(Handle handle) {
  if (free_handles_.empty()) {
    handles_.push_back(handle);
    return handles_.size() - 1;
  }
  size_t number = free_handles_.back();
  free_handles_.pop_back();
  handles_[number] = handle;
  return number;
}

void FilePositions::release(size_t handle) {
  if (--handles_[handle].slots == 0) free_handles_.push_back(handle);
}

void FilePositions::bind(Key key, size_t handle) {
  ++handles_[handle].slots;
  auto [entry, is_new] = by_slot_.try_emplace(key, handle);
  if (is_new) return;
  release(entry->second);
  entry->second = handle;
}

/// A handle that nobody was seen to open stands at the beginning of a file of its own.
size_t FilePositions::handle(const AccessRule::Slot& slot, Parameters parameters) {
  auto found = by_slot_.find(key(slot, parameters));
  if (found != by_slot_.end()) return found->second;
  files_.emplace_back();
  size_t number = new_handle({.file = files_.size() - 1});
  bind(key(slot, parameters), number);
  return number;
}

size_t FilePositions::file(const AccessRule& rule, Parameters parameters) {
  size_t fresh = files_.size(), found = fresh;
  if (auto path = text_at(templates_, parameters.subspan(rule.path), rule.path_fields))
    found = by_path_.try_emplace(std::move(*path), fresh).first->second;
  if (found == fresh) files_.emplace_back();
  return found;
}

void FilePositions::open(const AccessRule& rule, Parameters parameters) {
  Handle made{.file = file(rule, parameters), .appends = rule.appends};
  if (rule.offset != absent) made.position = parameters[rule.offset];
  bind(key(rule.made, parameters), new_handle(made));
}

void FilePositions::seek(const AccessRule& rule, Parameters parameters) {
  Handle& h = handles_[handle(rule.handle, parameters)];
  int64_t offset = rule.offset == absent ? 0 : parameters[rule.offset];
  if (rule.result != absent)
    h.position = parameters[rule.result];
  else if (rule.whence == AccessRule::Whence::current)
    h.position = wrap_add(h.position, offset);
  else
    h.position = rule.whence == AccessRule::Whence::end ? wrap_add(files_[h.file].end, offset) : offset;
}

std::optional<FilePositions::Access> FilePositions::access(const AccessRule& rule, Parameters parameters,
                                                           AccessTotals& totals) {
  uint64_t bytes = moved_bytes(rule, parameters);
  ++totals.accesses;
  ++totals.sizes[size_class(bytes)];
  if (!rule.positioned) return {};
  Handle& h = handles_[handle(rule.handle, parameters)];
  File& f = files_[h.file];
  bool at_position = rule.offset == absent;
  if (h.appends && rule.writes && at_position) h.position = f.end;
  int64_t begin = at_position ? h.position : parameters[rule.offset];
  int64_t end = wrap_add(begin, static_cast<int64_t>(bytes));
  int64_t& last = rule.writes ? f.last_written : f.last_read;
  totals.sequential += begin > last;
  totals.consecutive += begin == wrap_add(last, 1);
  last = wrap_sub(end, 1);
  f.end = std::max(f.end, end);
  if (at_position) h.position = end;
  return Access{end, at_position};
}

void FilePositions::apply(const AccessRule& rule, Parameters parameters) {
  switch (rule.effect) {
    case AccessRule::Effect::none:
    case AccessRule::Effect::data:
      return;
    case AccessRule::Effect::seek:
      return seek(rule, parameters);
    case AccessRule::Effect::open:
      return open(rule, parameters);
    case AccessRule::Effect::share:
      return bind(key(rule.made, parameters), handle(rule.handle, parameters));
    case AccessRule::Effect::close:
      break;
  }
  auto found = by_slot_.find(key(rule.handle, parameters));
  if (found == by_slot_.end()) return;
  release(found->second);
  by_slot_.erase(found);
}

}  // namespace refrain::measure
