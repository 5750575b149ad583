// Writes the seeds of the fuzzers, `seed_corpus DIR`: for `trace`, valid traces as files and as bare
// sections, and a few damaged ones; for `folder`, states saved in the middle of loops. Run it when a format
// changes and commit the result.
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>

#include "fold/folder.hpp"
#include "format/file.hpp"
#include "sections.hpp"
#include "trace/sample.hpp"

namespace {

using refrain::trace::Trace;

void write(const std::filesystem::path& path, std::span<const uint8_t> bytes) {
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
}

void write_trace(const std::filesystem::path& folder, const std::string& name, const Trace& trace) {
  std::vector<uint8_t> file = refrain::format::encode(trace);
  write(folder / (name + ".rfn"), file);
  write(folder / (name + ".sections"), refrain::fuzz::as_input(file));
}

void write_traces(const std::filesystem::path& folder) {
  std::filesystem::create_directories(folder);
  write_trace(folder, "empty", Trace{});
  write_trace(folder, "copy", refrain::trace::sample::copy());
  write_trace(folder, "everything", refrain::trace::sample::everything());
  write_trace(folder, "scale_free", refrain::trace::sample::scale_free());
  write_trace(folder, "law_names", refrain::trace::sample::law_names());
  write_trace(folder, "side_by_side", refrain::trace::sample::side_by_side());
  write_trace(folder, "powers", refrain::trace::sample::powers());
  write_trace(folder, "heat", refrain::trace::sample::heat());
  write_trace(folder, "made_names", refrain::trace::sample::made_names());
  std::vector<uint8_t> file = refrain::format::encode(refrain::trace::sample::copy());
  write(folder / "truncated.rfn", std::span<const uint8_t>(file.data(), file.size() / 2));
  std::vector<uint8_t> newer = file;
  newer[4] = 200;
  write(folder / "newer.rfn", newer);
  std::vector<uint8_t> sections = refrain::fuzz::as_input(file);
  for (size_t i = 0; i < sections.size(); i += 37) sections[i] ^= 0x55;
  write(folder / "damaged.sections", sections);
}

/// Open, a loop of writes whose length varies, sometimes a sync, close; stopped after `events` events.
void write_state(const std::filesystem::path& path, int events) {
  refrain::fold::Folder folder;
  folder.declare(0, {.parameters = 2, .bracket = refrain::trace::Bracket::opens});
  folder.declare(1, {.parameters = 3});
  folder.declare(2, {.parameters = 0});
  folder.declare(3, {.parameters = 1, .bracket = refrain::trace::Bracket::closes});
  auto limit = static_cast<uint64_t>(events);
  auto event = [&](uint32_t signature, std::initializer_list<int64_t> values) {
    if (folder.events() < limit) folder.event(signature, values.begin(), {7, 9});
  };
  for (int file = 0; folder.events() < limit; ++file) {
    event(0, {file, 3});
    for (int k = 0; k < 3 + file % 4; ++k) event(1, {3, 4096 * k, file * file % 11});
    if (file % 5 == 2) event(2, {});
    event(3, {3});
  }
  refrain::ByteWriter state, input;
  folder.save(state);
  input.varint(state.size());
  input.raw(state.bytes());
  for (int next : {1, 131, 128, 140, 1, 131, 129, 140, 3, 131, 0, 200, 131})
    input.u8(static_cast<uint8_t>(next));
  write(path, input.bytes());
}

void write_states(const std::filesystem::path& folder) {
  std::filesystem::create_directories(folder);
  for (int events : {0, 3, 17, 60, 400})
    write_state(folder / (std::to_string(events) + "_events.state"), events);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: seed_corpus DIR\n");
    return 2;
  }
  for (const char* target : {"trace", "merge", "commands"})
    write_traces(std::filesystem::path(argv[1]) / target);
  write_states(std::filesystem::path(argv[1]) / "folder");
  return 0;
}
