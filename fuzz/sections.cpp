// Framing of fuzzer inputs; see sections.hpp.
#include "sections.hpp"

#include <algorithm>
#include <string_view>

#include "trace/section.hpp"
#include "trace/trace.hpp"

namespace refrain::fuzz {
namespace {

constexpr std::string_view tags[] = {"HEAD", "TMPL", "LIST", "SIGN", "PROC", "TREE", "TIME"};

}  // namespace

std::vector<uint8_t> as_file(std::span<const uint8_t> input) {
  if (input.size() > 3 && input[0] == 'R' && input[1] == 'F' && input[2] == 'N')
    return {input.begin(), input.end()};
  trace::SectionWriter out(trace::Trace::format_version);
  for (ByteReader in(input); in.ok() && in.left() > 0;) {
    std::string_view tag = tags[in.u8() % std::size(tags)];
    uint64_t length = in.varint();
    auto content = in.raw(std::min<uint64_t>(length, in.left()));
    if (in.ok()) out.add(tag, content, false);
  }
  return out.finish();
}

std::vector<uint8_t> as_input(std::span<const uint8_t> file) {
  ByteWriter out;
  trace::SectionReader reader(file);
  if (!reader.open(trace::Trace::format_version)) return {};
  for (auto section = reader.next(); section && section->tag != trace::SectionReader::end_tag;
       section = reader.next()) {
    auto tag = std::find(std::begin(tags), std::end(tags), section->tag);
    out.u8(static_cast<uint8_t>(tag - std::begin(tags)));
    out.varint(section->content.size());
    out.raw(section->content);
  }
  return out.take();
}

}  // namespace refrain::fuzz
