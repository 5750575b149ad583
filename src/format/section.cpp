// Sections as bytes: tag (4), flags (1; bit 0 "compressed"), stored length and content length (varints),
// checksum (8), stored bytes. The checksum covers the stored bytes, seeded with everything before it and
// with the section's number, so a section that is changed, moved or repeated doesn't verify. The end
// section holds the xxh3 of all bytes before it.
#include "format/section.hpp"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>

#include "base/hash.hpp"

namespace refrain::format {
namespace {

constexpr std::array<uint8_t, 4> magic{'R', 'F', 'N', 0x1a};
constexpr uint8_t flag_compressed = 1;
constexpr size_t never_smaller = 16;  ///< contents up to this size aren't worth a try

uint64_t digest(std::span<const uint8_t> bytes, uint64_t seed = 0) {
  return XXH3_64bits_withSeed(bytes.data(), bytes.size(), seed);
}

uint64_t checksum(std::span<const uint8_t> head, std::span<const uint8_t> stored, uint32_t number) {
  return digest(stored, hash_combine(digest(head), number));
}

bool within_ratio(uint64_t content_bytes, uint64_t file_bytes) {
  return content_bytes <= FileLimits::slack_bytes + FileLimits::ratio * file_bytes;
}

bool is_tag(std::string_view tag) {
  return std::all_of(tag.begin(), tag.end(), [](char c) { return (c >= 'A' && c <= 'Z') || c == '.'; });
}

tl::unexpected<Error> damaged(const Section& section, std::string reason) {
  return fail(ErrorKind::bad_input, std::move(reason), section.where());
}

}  // namespace

SectionWriter::SectionWriter(uint32_t version, const Codec* codec) : codec_(codec) {
  out_.raw(magic);
  out_.varint(version);
}

void SectionWriter::add(std::string_view tag, std::span<const uint8_t> content) {
  over_limit_ |= content.size() > FileLimits::section_bytes;
  content_bytes_ += content.size();
  std::vector<uint8_t> small;
  if (codec_ && content.size() > never_smaller) small = codec_->compress(content);
  bool use = !small.empty() && small.size() < content.size() &&
             within_ratio(content_bytes_, out_.size() + small.size());
  frame(tag, use, use ? small : content, content.size());
}

void SectionWriter::frame(std::string_view tag, bool is_compressed, std::span<const uint8_t> stored,
                          uint64_t content_bytes) {
  ByteWriter head;
  for (char c : tag) head.u8(static_cast<uint8_t>(c));
  head.u8(is_compressed ? flag_compressed : 0);
  head.varint(stored.size());
  head.varint(content_bytes);
  out_.raw(head.bytes());
  out_.u64(checksum(head.bytes(), stored, sections_++));
  out_.raw(stored);
}

std::vector<uint8_t> SectionWriter::finish() {
  ByteWriter content;
  content.u64(digest(out_.bytes()));
  frame(SectionReader::end_tag, false, content.bytes(), content.size());
  return out_.take();
}

std::string Section::where() const { return "section " + tag + " at byte " + std::to_string(offset); }

Result<uint32_t> SectionReader::open(uint32_t newest) {
  auto start = in_.raw(magic.size());
  if (!in_.ok() || !std::equal(magic.begin(), magic.end(), start.begin()))
    return fail(ErrorKind::bad_input, "not a Refrain trace");
  uint64_t version = in_.varint();
  if (!in_.ok() || version == 0) return fail(ErrorKind::bad_input, "format version missing");
  if (version > newest)
    return fail(ErrorKind::limit, "format version " + std::to_string(version) +
                                      " is newer than this program reads (" + std::to_string(newest) +
                                      "): use a newer Refrain");
  return static_cast<uint32_t>(version);
}

Result<Section> SectionReader::next() {
  Section section;
  section.offset = in_.offset();
  if (in_.left() == 0)
    return fail(ErrorKind::bad_input, "file ends without its end section: truncated",
                "byte " + std::to_string(section.offset));
  for (uint8_t c : in_.raw(4)) section.tag += static_cast<char>(c);
  if (in_.ok() && !is_tag(section.tag))
    return fail(ErrorKind::bad_input, "no section starts here", "byte " + std::to_string(section.offset));
  uint8_t flags = in_.u8();
  uint64_t stored_bytes = in_.varint();
  uint64_t content_bytes = in_.varint();
  auto head = file_.subspan(section.offset, in_.ok() ? in_.offset() - section.offset : 0);
  uint64_t expected = in_.u64();
  auto stored = in_.raw(stored_bytes);
  if (!in_.ok()) {
    if (section.tag.empty()) section.tag = "?";
    return damaged(section, "truncated");
  }
  if (checksum(head, stored, sections_++) != expected) return damaged(section, "checksum mismatch: damaged");
  if (flags > flag_compressed) return damaged(section, "unknown flags");
  auto taken = take_content(section, stored, content_bytes, flags & flag_compressed);
  if (!taken) return tl::unexpected(taken.error());
  if (section.tag == end_tag) {
    auto end = check_end(section);
    if (!end) return tl::unexpected(end.error());
  }
  return section;
}

Result<void> SectionReader::take_content(Section& section, std::span<const uint8_t> stored,
                                         uint64_t content_bytes, bool is_compressed) {
  content_bytes_ += std::min(content_bytes, FileLimits::section_bytes);
  if (content_bytes > FileLimits::section_bytes || !within_ratio(content_bytes_, in_.offset()))
    return damaged(section, "content larger than accepted: " + std::to_string(content_bytes) + " bytes");
  if (!is_compressed) {
    if (content_bytes != stored.size()) return damaged(section, "lengths disagree");
    section.content.assign(stored.begin(), stored.end());
    return {};
  }
  if (!codec_) return damaged(section, "compressed where that is not possible");
  section.content.resize(content_bytes);
  if (!codec_->decompress(stored, section.content))
    return damaged(section, "does not decompress to its length");
  return {};
}

Result<void> SectionReader::check_end(const Section& section) {
  ByteReader content(section.content);
  uint64_t expected = content.u64();
  if (!content.ok() || content.left() > 0) return damaged(section, "wrong length");
  if (digest(file_.first(section.offset)) != expected)
    return damaged(section, "file checksum mismatch: damaged");
  if (in_.left() > 0) return damaged(section, std::to_string(in_.left()) + " bytes follow the end");
  return {};
}

}  // namespace refrain::format
