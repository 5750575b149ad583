#include "record/made_name_slots.hpp"

#include <cstdio>
#include <cstring>

#include "base/hash.hpp"
#include "record/look.hpp"
#include "record/visit.hpp"
#include "trace/made_names.hpp"

namespace refrain::record {
namespace {

using trace::made_name_begin;
using trace::made_name_end;
using trace::made_name_length;

std::atomic<bool> any_made{false};

bool may_be_made(const char* text) {
  for (size_t i = 0; i < made_name_length; ++i) {
    char c = text[i];
    if (!((c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'))) return false;
  }
  return true;
}

/// Stands in the table of addresses, of which none has the highest bit alone.
uint64_t key_of(const char* made) {
  uint64_t key = 0;
  std::memcpy(&key, made, made_name_length);
  return key | uint64_t{1} << 63;
}

/// How long what stands before it in its component is, and what; never 0.
uint64_t fact_of(const char* before, size_t length) {
  uint64_t hash = 0;
  for (size_t i = 0; i < length; ++i) hash = hash_combine(hash, static_cast<unsigned char>(before[i]));
  return (hash << 16 | length) + 1;
}

/// The name that was made up at `text + at`, if one was.
Handle made_at(std::string_view text, size_t at) {
  if (at + made_name_length > text.size() || !may_be_made(text.data() + at)) return {};
  auto place = shared.addresses.look(key_of(text.data() + at));
  if (!place.handle.tracked()) return {};
  uint64_t fact = place.fact->load(std::memory_order_relaxed);
  size_t before = (fact - 1) & 0xffff;
  if (fact == 0 || before > at || fact != fact_of(text.data() + at - before, before)) return {};
  return place.handle;
}

}  // namespace

void remember_made_name(Lane& lane, const char* path, size_t suffix) {
  std::string_view text = bounded_text(path);
  if (text.size() < made_name_length + suffix) return;
  size_t at = text.size() - suffix - made_name_length;
  if (!may_be_made(path + at)) return;
  size_t slash = text.substr(0, at).rfind('/');
  size_t from = slash == text.npos ? 0 : slash + 1;
  uint64_t key = key_of(path + at);
  Handle handle = name_address(lane, HandleClass::made_name, reinterpret_cast<const void*>(key));
  if (!handle.tracked()) return;
  shared.addresses.look(key).fact->store(fact_of(path + from, at - from), std::memory_order_relaxed);
  if (handle.slot() < Lane::reused_names) {
    uint64_t& last = lane.made_names[handle.slot()];
    if (last != 0 && last != key) shared.addresses.take(last);
    last = key;
  }
  any_made.store(true, std::memory_order_relaxed);
  made_names_era.fetch_add(1, std::memory_order_relaxed);
}

const char* path_in_trace(Lane& lane, const char* path) {
  bool any = any_made.load(std::memory_order_relaxed);
  std::string_view text = bounded_text(path);
  if (!any && !trace::holds_made_name(text)) return path;
  char* out = lane.draft.path_in_trace;
  const char* end = out + sizeof lane.draft.path_in_trace - 32;
  for (size_t at = 0; at < text.size() && out < end;) {
    Handle made = any ? made_at(text, at) : Handle();
    if (made.tracked()) {
      out += made.lane() == 0 ? std::snprintf(out, 32, "%c%u%c", made_name_begin, made.slot(), made_name_end)
                              : std::snprintf(out, 32, "%c%u,%u%c", made_name_begin, made.slot(),
                                              unsigned{made.lane()}, made_name_end);
      at += made_name_length;
      continue;
    }
    if (text[at] == made_name_begin) *out++ = made_name_begin;
    *out++ = text[at++];
  }
  *out = 0;
  return lane.draft.path_in_trace;
}

const char* path_before_made(Lane& lane, const char* path, size_t suffix) {
  const char* text = path_in_trace(lane, path);
  size_t length = bounded_text(text).size();
  if (length < made_name_length + suffix) return text;
  char* out = lane.draft.path_in_trace;
  if (text != out) std::memcpy(out, text, length), out[length] = 0;
  std::memset(out + length - suffix - made_name_length, 'X', made_name_length);
  return out;
}

void note_made_name(const char* path, bool there) {
  if (!any_made.load(std::memory_order_relaxed)) return;
  std::string_view text = bounded_text(path);
  for (size_t at = text.rfind('/') == text.npos ? 0 : text.rfind('/') + 1; at < text.size(); ++at) {
    Handle made = made_at(text, at);
    if (!made.tracked() || made.slot() >= Lane::reused_names) continue;
    Lane* owner = lane_number(made.lane());
    if (owner == nullptr) return;
    SlotPool& pool = owner->slots[static_cast<size_t>(HandleClass::made_name)];
    there ? pool.claim(made.slot()) : pool.release(made.slot());
    return;
  }
}

}  // namespace refrain::record
