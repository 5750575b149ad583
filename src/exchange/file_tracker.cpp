#include "exchange/file_tracker.hpp"

#include <algorithm>

#include "api/handle_class.hpp"
#include "api/layers.hpp"
#include "api/table.hpp"
#include "base/hash.hpp"
#include "trace/column.hpp"

namespace refrain::exchange {

using namespace trace;
using measure::AccessRule;

namespace {

constexpr auto absent = AccessRule::absent;
using api::Trait;

/// The operand whose first parameter is this one.
const Operand* operand_at(const Signature& s, uint32_t parameter) {
  uint32_t at = 0;
  for (const Operand& o : s.operands) {
    if (at == parameter && o.parameters() > 0) return &o;
    at += o.parameters();
  }
  return at == parameter && s.result.parameters() > 0 ? &s.result : nullptr;
}

CallFacts facts_of(const Signature& s, const AccessRule& rule, const measure::FileRule& file) {
  CallFacts facts{.rule = rule, .file = file};
  if (rule.handle) facts.handle = operand_at(s, rule.handle.parameter);
  if (rule.made) facts.made = operand_at(s, rule.made.parameter);
  api::Traits traits = api::traits_of(s.function);
  const api::LayerFacts& layer = api::layer_named(s.layer);
  bool worked = s.error.empty();
  facts.opens = facts.made != nullptr && file.opens();
  facts.closes = worked && rule.effect == AccessRule::Effect::close;
  facts.is_data = rule.effect == AccessRule::Effect::data && facts.handle != nullptr;
  facts.moves_together = traits.has(Trait::moves_together);
  facts.asks_about_file = traits.has(Trait::asks_about_file);
  facts.settles = traits.has(Trait::syncs_file) || traits.has(Trait::syncs_data);
  facts.sets_view = layer.has_typed_buffers && traits.has(Trait::keeps_distances) && rule.offset != absent;
  facts.tells_place =
      facts.is_data && (rule.positioned || (layer.has_typed_buffers && !traits.has(Trait::shares_position)));
  uint32_t at = 0;
  for (const Operand& o : s.operands) {
    // Of some ranks, it is only time: simulators know barriers of all.
    bool is_world = o.kind == OperandKind::name && o.text == "MPI_COMM_WORLD";
    facts.is_barrier |= is_world && traits.has(Trait::is_barrier);
    if (o.kind == OperandKind::slot && o.text == "plist") facts.lists.push_back(at);
    facts.marks_lists |=
        o.kind == OperandKind::name && o.text.find("H5FD_MPIO_COLLECTIVE") != std::string::npos;
    at += o.parameters();
  }
  return facts;
}

}  // namespace

std::vector<CallFacts> call_facts(const Trace& trace) {
  std::vector<AccessRule> rules = measure::access_rules(trace.signatures);
  std::vector<measure::FileRule> files = measure::file_rules(trace.signatures);
  std::vector<CallFacts> facts;
  for (size_t i = 0; i < rules.size(); ++i)
    facts.push_back(facts_of(trace.signatures[i], rules[i], files[i]));
  return facts;
}

uint64_t file_id(std::string_view path) {
  uint64_t hash = path.size();
  for (char c : path) hash = hash_combine(hash, static_cast<unsigned char>(c));
  hash &= INT64_MAX;
  return hash == 0 ? 1 : hash;
}

size_t FileTable::number(const std::string& path) {
  // Beyond the limit all further files are one: exports stay bounded whatever a trace says.
  if (is_full() && !by_path_.contains(path)) return files_.size() - 1;
  auto [entry, is_new] = by_path_.try_emplace(path, files_.size());
  if (is_new) files_.push_back({path, file_id(path)});
  return entry->second;
}

FileTracker::FileTracker(const Trace& trace, const Process& process, const std::vector<CallFacts>& facts,
                         FileTable& files)
    : facts_(facts), files_(files), names_(trace.templates, FileTable::most_files, 0) {
  names_.begin(process.directory);
}

FileTracker::Key FileTracker::key(const Operand& operand, uint32_t parameter, const Call& call) const {
  uint32_t thread =
      operand.thread == Operand::own_thread ? call.thread : static_cast<uint32_t>(operand.thread);
  return {operand.text, thread, call.parameters[parameter]};
}

std::optional<size_t> FileTracker::file(const CallFacts& facts, const Call& call) {
  names_.begin_thread(call.thread);
  uint32_t named = names_.take(facts.file, call.parameters).file;
  while (numbers_.size() < names_.paths().size())
    numbers_.push_back(files_.number(names_.paths()[numbers_.size()]));
  if (named == measure::NamedFiles::none) return {};
  return numbers_[named];
}

FileTracker::Handle FileTracker::opened() {
  positions_.push_back(0);
  return {.position = positions_.size() - 1};
}

FileTracker::Handle& FileTracker::handle(const CallFacts& facts, const Call& call) {
  Key which = key(*facts.handle, facts.rule.handle.parameter, call);
  auto found = handles_.find(which);
  return found != handles_.end() ? found->second : handles_.emplace(which, opened()).first->second;
}

void FileTracker::open(const CallFacts& facts, const Call& call) {
  const AccessRule& rule = facts.rule;
  Handle made = opened();
  made.appends = rule.appends;
  made.was_opened = true;
  if (rule.offset != absent) positions_[made.position] = call.parameters[rule.offset];
  handles_[key(*facts.made, rule.made.parameter, call)] = made;
}

/// A copy of a descriptor shares its position, as do objects of HDF5, which have none.
void FileTracker::share(const CallFacts& facts, const Call& call) {
  auto found = handles_.find(key(*facts.handle, facts.rule.handle.parameter, call));
  if (found == handles_.end()) return;
  Handle made = found->second;
  made.was_opened = false;
  handles_[key(*facts.made, facts.rule.made.parameter, call)] = made;
}

void FileTracker::seek(const CallFacts& facts, const Call& call, size_t file) {
  const AccessRule& rule = facts.rule;
  int64_t& position = positions_[handle(facts, call).position];
  int64_t offset = rule.offset == absent ? 0 : call.parameters[rule.offset];
  if (rule.result != absent)
    position = call.parameters[rule.result];
  else if (rule.whence == AccessRule::Whence::current)
    position = wrap_add(position, offset);
  else
    position = rule.whence == AccessRule::Whence::end ? wrap_add(ends_[file], offset) : offset;
}

void FileTracker::transfer(const CallFacts& facts, const Call& call, Access& access) {
  const AccessRule& rule = facts.rule;
  access.kind = rule.writes ? Access::Kind::write : Access::Kind::read;
  access.together = facts.moves_together;
  for (uint32_t list : facts.lists) {
    auto found = together_.find(call.parameters[list]);
    access.together |= found != together_.end() && found->second;
  }
  for (uint32_t i = 0; i < rule.byte_parameters; ++i)
    access.bytes += static_cast<uint64_t>(std::max<int64_t>(0, call.parameters[rule.bytes + i]));
  Handle& h = handle(facts, call);
  if (!facts.tells_place || h.has_view || !access.file) return;
  bool at_position = rule.offset == absent;
  int64_t& position = positions_[h.position];
  int64_t& end = ends_[*access.file];
  if (at_position && h.appends && rule.writes) position = end;
  access.offset = at_position ? position : call.parameters[rule.offset];
  int64_t behind = wrap_add(*access.offset, static_cast<int64_t>(access.bytes));
  end = std::max(end, behind);
  if (at_position) position = behind;
}

Access FileTracker::call(const Call& call) {
  const CallFacts& facts = facts_[call.number];
  const AccessRule& rule = facts.rule;
  Access access;
  if (facts.marks_lists && !facts.lists.empty()) together_[call.parameters[facts.lists.front()]] = true;
  if (facts.is_barrier) access.kind = Access::Kind::barrier;
  access.file = file(facts, call);
  if (!call.signature->error.empty()) return access;
  if (facts.is_data) {
    transfer(facts, call, access);
  } else if (facts.opens) {
    open(facts, call);
    access.kind = Access::Kind::open;
  } else if (facts.made != nullptr && facts.handle != nullptr && rule.effect != AccessRule::Effect::none) {
    share(facts, call);
  } else if (rule.effect == AccessRule::Effect::seek && facts.handle != nullptr && access.file) {
    seek(facts, call, *access.file);
  } else if (facts.handle != nullptr) {
    auto found = handles_.find(key(*facts.handle, rule.handle.parameter, call));
    if (found == handles_.end()) return access;
    if (facts.sets_view) found->second.has_view = true;
    if (!facts.closes) return access;
    if (found->second.was_opened) access.kind = Access::Kind::close;
    handles_.erase(found);
  }
  return access;
}

}  // namespace refrain::exchange
