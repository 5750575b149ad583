// The key of a template is its skeleton: the text with each run of digits replaced by its width, where the
// width of a number without leading zeros is 0. Literals of a template with fields hold no digits, so a
// skeleton means one template: "out/part_00012.h5" -> "Fout/part_5.h0" ("5" the width of 00012, "0" that of
// the 5 in h5). Text with too many runs to be a template is its own skeleton behind an "L".
//
// A number without leading zeros fits a padded template as well if it has at least as many digits
// ("file_10000" after "file_09999"): such a template is preferred when it is there already.
#include "record/templates.hpp"

#include <algorithm>
#include <cstring>

#include "base/hash.hpp"

namespace refrain::record {
namespace {

using trace::Template;

struct Scan {
  size_t starts[Template::max_fields], lengths[Template::max_fields];
  uint8_t widths[Template::max_fields];
  uint32_t fields = 0;
};

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// False if the text is better kept whole.
bool scan(std::string_view text, Scan& out, int64_t* values) {
  for (size_t i = 0; i < text.size();) {
    if (!is_digit(text[i])) {
      ++i;
      continue;
    }
    size_t end = i;
    int64_t value = 0;
    while (end < text.size() && is_digit(text[end])) {
      if (end - i >= Template::max_digits) return false;
      value = value * 10 + (text[end++] - '0');
    }
    if (out.fields == Template::max_fields) return false;
    bool padded = text[i] == '0' && end - i > 1;
    out.starts[out.fields] = i;
    out.lengths[out.fields] = end - i;
    out.widths[out.fields] = padded ? static_cast<uint8_t>(end - i) : 0;
    values[out.fields++] = value;
    i = end;
  }
  return true;
}

uint64_t hash_of(std::string_view s) {
  uint64_t h = s.size();
  while (s.size() >= 8) {
    uint64_t word;
    std::memcpy(&word, s.data(), 8);
    h = hash_combine(h, word);
    s.remove_prefix(8);
  }
  uint64_t tail = 0;
  std::memcpy(&tail, s.data(), s.size());
  return hash_combine(h, tail);
}

/// The skeleton in `out`, which has room for the text and three more characters per field.
std::string_view skeleton_of(std::string_view text, const Scan& scan, char* out) {
  char* at = out;
  *at++ = 'F';
  size_t from = 0;
  for (uint32_t f = 0; f < scan.fields; ++f) {
    size_t literal = scan.starts[f] - from;
    std::memcpy(at, text.data() + from, literal);
    at += literal;
    if (scan.widths[f] >= 10) *at++ = '1';
    *at++ = static_cast<char>('0' + scan.widths[f] % 10);
    from = scan.starts[f] + scan.lengths[f];
  }
  std::memcpy(at, text.data() + from, text.size() - from);
  at += text.size() - from;
  return {out, static_cast<size_t>(at - out)};
}

}  // namespace

size_t TemplateTable::Recent::place(std::string_view text) {
  uint64_t first, last;
  std::memcpy(&first, text.data(), sizeof first);
  std::memcpy(&last, text.data() + text.size() - sizeof last, sizeof last);
  return (first * 3 + last + text.size()) * 0x9e3779b97f4a7c15ULL >> (64 - recent_bits);
}

bool TemplateTable::Recent::is(std::string_view text) const {
  return text.size() == length_ && std::memcmp(text_, text.data(), text.size()) == 0;
}

void TemplateTable::Recent::keep(std::string_view text, Found found, const int64_t* fields) {
  if (found.fields > most_fields) return;
  length_ = static_cast<uint32_t>(text.size());
  index_ = found.index;
  fields_ = found.fields;
  std::memcpy(text_, text.data(), text.size());
  std::copy_n(fields, found.fields, values_);
}

TemplateTable::Found TemplateTable::Recent::found(int64_t* fields) const {
  std::copy_n(values_, fields_, fields);
  return {index_, fields_, false};
}

TemplateTable::Found TemplateTable::find(std::string_view text, int64_t* fields) {
  if (text.size() < Recent::shortest || text.size() > Recent::longest) return take_apart(text, fields);
  Recent& recent = recent_[Recent::place(text)];
  if (recent.is(text)) return recent.found(fields);
  Found found = take_apart(text, fields);
  recent.keep(text, found, fields);
  return found;
}

TemplateTable::Found TemplateTable::take_apart(std::string_view text, int64_t* fields) {
  constexpr size_t longest = 4096;
  if (text.size() > longest) text = text.substr(0, longest);
  size_t room = text.size() + 3 * Template::max_fields + 1;
  if (buffer_.size() < room) buffer_.resize(room);
  char* buffer = buffer_.data();
  Scan found;
  bool split = scan(text, found, fields);
  std::string_view skeleton;
  if (split) {
    skeleton = skeleton_of(text, found, buffer);
  } else {
    found.fields = 0;
    buffer[0] = 'L';
    std::memcpy(buffer + 1, text.data(), text.size());
    skeleton = {buffer, text.size() + 1};
  }
  uint64_t hash = hash_of(skeleton);
  if (int64_t index = look_up(skeleton, hash); index >= 0)
    return {static_cast<uint32_t>(index), found.fields, false};
  for (uint32_t f = 0; f < found.fields; ++f) {  // a padded template that this text fits?
    if (found.widths[f] != 0) continue;
    for (size_t width = found.lengths[f]; width >= 2; --width) {
      found.widths[f] = static_cast<uint8_t>(width);
      std::string_view padded = skeleton_of(text, found, buffer);
      if (int64_t index = look_up(padded, hash_of(padded)); index >= 0)
        return {static_cast<uint32_t>(index), found.fields, false};
    }
    found.widths[f] = 0;
    skeleton = skeleton_of(text, found, buffer);
  }
  latest_.literals.clear();
  latest_.widths.assign(found.widths, found.widths + found.fields);
  size_t from = 0;
  for (uint32_t f = 0; f < found.fields; ++f) {
    latest_.literals.emplace_back(text.substr(from, found.starts[f] - from));
    from = found.starts[f] + found.lengths[f];
  }
  latest_.literals.emplace_back(text.substr(from));
  insert(skeleton, hash);
  return {size_ - 1, found.fields, true};
}

int64_t TemplateTable::look_up(std::string_view skeleton, uint64_t hash) const {
  if (entries_.empty()) return -1;
  for (size_t i = hash & (entries_.size() - 1);; i = (i + 1) & (entries_.size() - 1)) {
    const Entry& e = entries_[i];
    if (e.length == 0) return -1;
    if (e.hash == hash && e.length == skeleton.size() &&
        std::memcmp(pool_.data() + e.at, skeleton.data(), skeleton.size()) == 0)
      return e.index;
  }
}

void TemplateTable::insert(std::string_view skeleton, uint64_t hash) {
  if (2 * (size_ + 1) > entries_.size()) {
    std::vector<Entry> old(entries_.empty() ? 64 : 2 * entries_.size());
    old.swap(entries_);
    for (const Entry& e : old) {
      if (e.length == 0) continue;
      size_t i = e.hash & (entries_.size() - 1);
      while (entries_[i].length != 0) i = (i + 1) & (entries_.size() - 1);
      entries_[i] = e;
    }
  }
  size_t i = hash & (entries_.size() - 1);
  while (entries_[i].length != 0) i = (i + 1) & (entries_.size() - 1);
  entries_[i] = {hash, static_cast<uint32_t>(pool_.size()), static_cast<uint32_t>(skeleton.size()), size_++};
  pool_.insert(pool_.end(), skeleton.begin(), skeleton.end());
}

size_t TemplateTable::memory() const { return pool_.capacity() + entries_.capacity() * sizeof(Entry); }

}  // namespace refrain::record
