// The container under the trace file: magic, version, and sections that are compressed, bounded and
// checksummed one by one, so that damage is found and named before any content is interpreted. How sections
// are compressed is up to the caller: inside an application nothing is, so that no compressor comes along.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/bytes.hpp"
#include "base/result.hpp"

namespace refrain::format {

/// What may stand in a file. The content of all sections up to a place may be at most `slack_bytes` plus
/// `ratio` times the bytes of the file up to there: a small file can't ask for much memory. Writers store
/// a section uncompressed where compressing it would break that rule.
struct FileLimits {
  static constexpr uint64_t section_bytes = uint64_t{1} << 30;
  static constexpr uint64_t slack_bytes = uint64_t{1} << 20;
  static constexpr uint64_t ratio = 64;
};

/// How the content of sections is made smaller.
struct Codec {
  /// Empty if it can't be done.
  std::vector<uint8_t> (*compress)(std::span<const uint8_t> content);
  /// Fills `content`, the size of which is known; false if the bytes don't give exactly that.
  bool (*decompress)(std::span<const uint8_t> stored, std::span<uint8_t> content);
};

class SectionWriter {
 public:
  /// Without a codec, sections are stored as they are.
  explicit SectionWriter(uint32_t version, const Codec* codec = nullptr);
  /// `tag` has four letters. Compresses where that helps.
  void add(std::string_view tag, std::span<const uint8_t> content);
  /// Appends the end section and hands over the file.
  std::vector<uint8_t> finish();
  /// A section was longer than readers accept.
  bool over_limit() const { return over_limit_; }

 private:
  void frame(std::string_view tag, bool compressed, std::span<const uint8_t> stored, uint64_t content_bytes);
  ByteWriter out_;
  const Codec* codec_;
  uint64_t content_bytes_ = 0;
  uint32_t sections_ = 0;
  bool over_limit_ = false;
};

struct Section {
  std::string tag{};
  uint64_t offset = 0;  ///< of its head in the file
  std::vector<uint8_t> content{};
  /// "section TREE at byte 1234"
  std::string where() const;
};

class SectionReader {
 public:
  /// Without a codec, compressed sections are refused.
  explicit SectionReader(std::span<const uint8_t> file, const Codec* codec = nullptr)
      : file_(file), in_(file), codec_(codec) {}
  /// Checks magic and version; to be called first. Versions above `newest` are refused.
  Result<uint32_t> open(uint32_t newest);
  /// The next section, decompressed and verified. The end section comes last, and nothing after it.
  Result<Section> next();

  static constexpr std::string_view end_tag = "END.";

 private:
  Result<void> take_content(Section& section, std::span<const uint8_t> stored, uint64_t content_bytes,
                            bool compressed);
  Result<void> check_end(const Section& section);
  std::span<const uint8_t> file_;
  ByteReader in_;
  const Codec* codec_;
  uint64_t content_bytes_ = 0;
  uint32_t sections_ = 0;
};

}  // namespace refrain::format
