// Writes the seeds of the trace fuzzer, `seed_corpus DIR`: valid traces as files and as bare sections, and
// a few damaged ones. Run it when the format changes and commit the result.
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>

#include "sections.hpp"
#include "trace/file.hpp"
#include "trace/sample.hpp"

namespace {

using refrain::trace::Trace;

void write(const std::filesystem::path& path, std::span<const uint8_t> bytes) {
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
}

void write_trace(const std::filesystem::path& folder, const std::string& name, const Trace& trace) {
  std::vector<uint8_t> file = refrain::trace::encode(trace);
  write(folder / (name + ".rfn"), file);
  write(folder / (name + ".sections"), refrain::fuzz::as_input(file));
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: seed_corpus DIR\n");
    return 2;
  }
  std::filesystem::path folder = argv[1];
  std::filesystem::create_directories(folder);
  write_trace(folder, "empty", Trace{});
  write_trace(folder, "copy", refrain::trace::sample::copy());
  write_trace(folder, "everything", refrain::trace::sample::everything());
  std::vector<uint8_t> file = refrain::trace::encode(refrain::trace::sample::copy());
  std::span<const uint8_t> half(file.data(), file.size() / 2);
  write(folder / "truncated.rfn", half);
  std::vector<uint8_t> newer = file;
  newer[4] = 200;
  write(folder / "newer.rfn", newer);
  std::vector<uint8_t> sections = refrain::fuzz::as_input(file);
  for (size_t i = 0; i < sections.size(); i += 37) sections[i] ^= 0x55;
  write(folder / "damaged.sections", sections);
  return 0;
}
