// Any bytes as what another tool wrote: the first byte chooses the tool, the rest is its file. An importer
// gives a reason that names the place, or a trace, which can be written, read and exported.
#include <sys/mman.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string>

#include "exchange/call_walk.hpp"
#include "exchange/file_tracker.hpp"
#include "exchange/formats.hpp"
#include "exchange/operand_text.hpp"
#include "format/file.hpp"

namespace {

using namespace refrain;

void require(bool condition, const char* what) {
  if (condition) return;
  std::fprintf(stderr, "broken promise: %s\n", what);
  std::abort();
}

/// A file of these bytes that has a name.
class NamedBytes {
 public:
  NamedBytes(const uint8_t* data, size_t size) : descriptor_(memfd_create("import", MFD_CLOEXEC)) {
    require(descriptor_ >= 0 && write(descriptor_, data, size) == static_cast<ssize_t>(size),
            "memory for a file");
  }
  ~NamedBytes() { close(descriptor_); }
  NamedBytes(const NamedBytes&) = delete;
  NamedBytes& operator=(const NamedBytes&) = delete;
  std::string path() const { return "/proc/self/fd/" + std::to_string(descriptor_); }

 private:
  int descriptor_;
};

void walk(const trace::Trace& t) {
  constexpr size_t enough = 1000;
  std::vector<exchange::CallFacts> facts = exchange::call_facts(t);
  exchange::FileTable files;
  for (const exchange::Member& member : exchange::members_of(t)) {
    trace::Process program = exchange::program_of(member);
    exchange::MemberWalk calls(t, program, {});
    exchange::FileTracker tracker(t, program, facts, files);
    exchange::Call call = calls.next();
    for (size_t i = 0; i < enough && call.signature != nullptr; ++i, call = calls.next()) {
      tracker.call(call);
      exchange::OperandTexts texts = exchange::operand_texts(t, call);
      require(exchange::read_operands(exchange::kinds_text(*call.signature), texts.arguments, texts.result)
                  .has_value(),
              "operands are read back");
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  auto formats = exchange::import_formats();
  NamedBytes file(data + 1, size - 1);
  auto t = formats[data[0] % formats.size()].read({file.path()}, {.as_ranks = (data[0] & 64) != 0});
  if (!t) {
    require(!t.error().message.empty() && !t.error().where.empty(), "errors have a reason and a place");
    return 0;
  }
  auto bytes = format::encode_within_limits(*t);
  if (!bytes) return 0;
  auto again = format::decode(*bytes);
  require(again.has_value(), "what was imported can be read");
  walk(*again);
  return 0;
}
