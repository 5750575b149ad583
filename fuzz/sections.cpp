// Framing of fuzzer inputs; see sections.hpp.
#include "sections.hpp"

#include <algorithm>
#include <string_view>

#include "format/compression.hpp"
#include "trace/trace.hpp"

namespace refrain::fuzz {
namespace {

constexpr std::string_view tags[] = {"HEAD", "TMPL", "LIST", "SIGN", "PROC",
                                     "TREE", "TIME", "FREE", "MODL", "HEAT"};

}  // namespace

bool is_file(std::span<const uint8_t> input) {
  return input.size() > 3 && input[0] == 'R' && input[1] == 'F' && input[2] == 'N';
}

std::vector<Piece> pieces_of(std::span<const uint8_t> input) {
  std::vector<Piece> pieces;
  for (ByteReader in(input); in.ok() && in.left() > 0;) {
    auto tag = static_cast<uint8_t>(in.u8() % std::size(tags));
    uint64_t length = in.varint();
    auto content = in.raw(std::min<uint64_t>(length, in.left()));
    if (in.ok()) pieces.push_back({tag, {content.begin(), content.end()}});
  }
  return pieces;
}

std::vector<uint8_t> joined(const std::vector<Piece>& pieces) {
  ByteWriter out;
  for (const Piece& piece : pieces) {
    out.u8(piece.tag);
    out.varint(piece.content.size());
    out.raw(piece.content);
  }
  return out.take();
}

std::vector<uint8_t> as_file(std::span<const uint8_t> input) {
  if (is_file(input)) return {input.begin(), input.end()};
  format::SectionWriter out(trace::Trace::format_version);
  for (const Piece& piece : pieces_of(input)) out.add(tags[piece.tag], piece.content);
  return out.finish();
}

std::vector<uint8_t> as_input(std::span<const uint8_t> file) {
  std::vector<Piece> pieces;
  format::SectionReader reader(file, &format::zstd_codec);
  if (!reader.open(trace::Trace::format_version)) return {};
  for (auto section = reader.next(); section && section->tag != format::SectionReader::end_tag;
       section = reader.next()) {
    auto tag = std::find(std::begin(tags), std::end(tags), section->tag);
    pieces.push_back({static_cast<uint8_t>(tag - std::begin(tags)), std::move(section->content)});
  }
  return joined(pieces);
}

}  // namespace refrain::fuzz
