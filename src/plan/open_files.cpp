#include "plan/open_files.hpp"

#include <algorithm>

#include "trace/column.hpp"

namespace refrain::plan {

using api::Trait;
using measure::AccessRule;
using trace::OperandKind;
using Effect = AccessRule::Effect;

uint64_t FileCall::length() const {
  const GivenArgument& g = plan.named("length");
  bool known = g.count > 0 && signature.operands[g.first].kind == OperandKind::integer;
  return known ? static_cast<uint64_t>(std::max<int64_t>(parameters[g.parameter], 0)) : FileFacts::unmeasured;
}

void OpenFiles::begin_thread(int32_t thread) {
  thread_ = thread;
  handles_.clear();
  requests_.clear();
  current.clear();
}

std::shared_ptr<OpenFile> OpenFiles::find(const trace::Operand& o, int64_t slot) const {
  if (o.kind != OperandKind::slot) return nullptr;
  bool own = o.thread == trace::Operand::own_thread || o.thread == thread_;
  const auto& handles = own ? handles_ : left_open_;
  auto found = handles.find({own ? thread_ : o.thread, o.text, slot});
  return found == handles.end() ? nullptr : found->second;
}

std::shared_ptr<OpenFile> OpenFiles::find(const FileCall& call, std::string_view argument) const {
  const GivenArgument& g = call.plan.named(argument);
  return g.count == 0 ? nullptr : find(call.signature.operands[g.first], call.parameters[g.parameter]);
}

void OpenFiles::keep(const FileCall& call, std::shared_ptr<OpenFile> file) {
  const std::string& handle_class = call.signature.result.text;
  int64_t slot = call.parameters[call.rule.made.parameter];
  handles_[{thread_, handle_class, slot}] = file;
  left_open_[{thread_, handle_class, slot}] = std::move(file);
}

bool OpenFiles::reach(const FileCall& call, const OpenFile& file, int64_t end) {
  return end > 0 && facts(file).reach(call.actor, static_cast<uint64_t>(end));
}

void OpenFiles::take(const FileCall& call, const std::string& opened) {
  for (const GivenArgument& g : call.plan.arguments)
    if (g.argument->name == "in_fd") return copied(call, g);
  const AccessRule& rule = call.rule;
  bool is_part = opened.empty() && rule.handle;  // of a file that is open: a group
  if (rule.effect == Effect::open && !is_part) {
    auto file = std::make_shared<OpenFile>();
    file->path = opened;
    file->appends = opens_to_append(call.signature);
    return keep(call, file);
  }
  if (!rule.handle) return;
  const auto& operands = call.signature.operands;
  auto operand = operands.begin();
  for (uint32_t at = 0; at != rule.handle.parameter; ++operand) at += operand->parameters();
  while (operand->kind != OperandKind::slot) ++operand;  // past those without parameters
  int64_t slot = call.parameters[rule.handle.parameter];
  std::shared_ptr<OpenFile> file = find(*operand, slot);
  if (call.is(Trait::is_asynchronous)) return asynchronous(call);
  if (!file) return;
  switch (rule.effect) {
    case Effect::open:
    case Effect::share:
      if (call.is(Trait::maps_file) && rule.offset != AccessRule::absent)
        file = file->mapped(call.parameters[rule.offset], call.length());
      keep(call, file);
      break;
    case Effect::close:
      handles_.erase({thread_, operand->text, slot});
      break;
    case Effect::seek:
      seek(call, *file);
      break;
    case Effect::data:
      data(call, *file, static_cast<size_t>(operand - operands.begin()));
      break;
    default:
      other(call, *file);
  }
}

/// Data that is copied from one descriptor to another is read from the first: at the given offset, or at
/// its position. The size of the second file is not tracked.
void OpenFiles::copied(const FileCall& call, const GivenArgument& from) {
  if (auto to = find(call, "out_fd")) facts(*to).write(call.actor, FileFacts::unmeasured);
  auto found = find(call, "in_fd");
  if (!found || call.signature.result.kind != OperandKind::integer) return;
  OpenFile& file = *found;
  const GivenArgument& offset = *(&from + 1);
  bool fixed = offset.count > 0 && call.signature.operands[offset.first].kind == OperandKind::integer;
  int64_t end = (fixed ? call.parameters[offset.parameter] : file.position) + call.result();
  reach(call, file, end);
  file.by_lines = false;
  if (!fixed) file.position = end;
}

void OpenFiles::seek(const FileCall& call, OpenFile& file) {
  const AccessRule& rule = call.rule;
  int64_t offset = rule.offset == AccessRule::absent ? 0 : call.parameters[rule.offset];
  int64_t base = rule.whence == AccessRule::Whence::current ? file.position : 0;
  file.position = rule.result != AccessRule::absent ? call.parameters[rule.result] : base + offset;
  file.by_lines = false;
  if (file.appends) facts(file).tell_end(call.actor, call.number);
  if (rule.whence == AccessRule::Whence::end && rule.result != AccessRule::absent && offset <= 0)
    reach(call, file, file.position - offset);
}

void OpenFiles::data(const FileCall& call, OpenFile& file, size_t operand) {
  const AccessRule& rule = call.rule;
  auto p = call.parameters;
  int64_t bytes = 0;
  for (uint32_t i = 0; i < rule.byte_parameters; ++i) bytes += p[rule.bytes + i];
  if (bytes < 0) return;
  bool fixed = rule.offset != AccessRule::absent;
  int64_t begin = fixed ? trace::wrap_add(p[rule.offset], file.mapped_at) : file.position;
  FileFacts& known = facts(file);
  if (call.is(Trait::stores_into_map)) {
    if (!fixed || !file.holds(p[rule.offset], bytes)) return;  // nor will it be repeated
    reach(call, file, begin + bytes);
  }
  if (rule.writes && !rule.positioned)
    known.write(call.actor, FileFacts::unmeasured);
  else if (rule.writes && file.appends)
    known.append(call.actor, static_cast<uint64_t>(bytes));
  else if (rule.writes && begin + bytes > 0)
    known.write(call.actor, static_cast<uint64_t>(begin + bytes));
  else if (!rule.writes)
    read(call, file, begin, bytes, operand);
  if (!fixed) file.position = begin + bytes;
}

void OpenFiles::read(const FileCall& call, OpenFile& file, int64_t begin, int64_t bytes, size_t operand) {
  FileFacts& known = facts(file);
  bool line = call.is(Trait::reads_line);
  bool found = bytes > 0 && reach(call, file, begin + bytes);
  if (found) known.need(call.actor, call.number, operand, Awaited::data);
  if (!line && bytes > 0) file.by_lines = false;
  if (line && file.by_lines && found && file.lines++ == known.lines.size()) known.lines.push_back(bytes);
}

/// The call read words, and how many bytes is not known: each call gets a line of its own. Kernels and
/// replays repeat it by reading words of one character and then the rest of the line, which must not be
/// empty.
void OpenFiles::scanned(const FileCall& call, OpenFile& file) {
  int64_t words = call.result();
  if (words <= 0) return;
  int64_t line = words + 2;
  FileFacts& known = facts(file);
  bool found = reach(call, file, file.position + line);
  if (file.by_lines && found && file.lines++ == known.lines.size()) known.lines.push_back(line);
  file.position += line;
}

/// The result of a request says how much it read.
void OpenFiles::asynchronous(const FileCall& call) {
  auto value = [&](std::string_view name) { return call.parameters[call.plan.named(name).parameter]; };
  if (call.is(Trait::starts_writing)) {
    if (auto file = find(call, "fd")) facts(*file).write(call.actor, FileFacts::unmeasured);
  } else if (call.is(Trait::starts_reading)) {
    if (auto file = find(call, "fd")) requests_[value("request")] = {file, value("offset")};
  } else if (call.is(Trait::ends_request) && call.signature.result.kind == OperandKind::integer) {
    auto found = requests_.find(value("request"));
    int64_t bytes = call.result();
    if (found != requests_.end() && bytes > 0)
      reach(call, *found->second.first, found->second.second + bytes);
  }
}

/// Another entry of a folder. What was in it beforehand shows in the first listing, less what the actor had
/// made by then; others also show what the program, or another process of it, has made since.
void OpenFiles::list(const FileCall& call, OpenFile& file) {
  FileFacts& known = facts(file);
  if (file.entries++ == 0) {
    file.is_first_listing = !std::exchange(known.listed, true);
    file.own_entries = 0;
    bool top = file.path == ".";
    std::string prefix = top ? "" : file.path + "/";
    for (auto other = files_.lower_bound(prefix); other != files_.end(); ++other) {
      const auto& [path, facts] = *other;
      if (!path.starts_with(prefix)) break;
      bool below = path.find('/', prefix.size()) == std::string::npos && path != file.path;
      if (below && facts.is_new_by(call.actor)) ++file.own_entries;
    }
  }
  if (file.is_first_listing && file.entries > file.own_entries)
    known.entries = std::max(known.entries, file.entries - file.own_entries);
}

void OpenFiles::other(const FileCall& call, OpenFile& file) {
  FileFacts& known = facts(file);
  const AccessRule& rule = call.rule;
  if (call.is(Trait::scans_text) && call.signature.result.kind == OperandKind::integer)
    return scanned(call, file);
  if (call.is(Trait::tells_position) && file.appends) known.tell_end(call.actor, call.number);
  bool has_result = rule.result != AccessRule::absent;
  if (call.is(Trait::lists_folder) && has_result && call.parameters[rule.result] != 0) list(call, file);
  if (call.is(Trait::lists_again)) file.entries = 0;
  if (call.is(Trait::enters_folder)) current = file.path;
  bool tells = call.is(Trait::tells_size) && !call.is(Trait::stores_into_map);  // that lies in a mapping
  if (tells && has_result) reach(call, file, call.parameters[rule.result]);
  if (call.is(Trait::sets_size))
    known.write(call.actor, call.length());
  else if (changes_file(call.signature))
    known.write(call.actor, FileFacts::unmeasured);
}

}  // namespace refrain::plan
