// Any bytes as a trace that is replayed: arguments are put together, folders are looked up, buffers are made,
// and then nothing is called, because the libraries are stubs. Whatever the trace says, that ends with a call
// or a reason.
#include <fcntl.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "format/file.hpp"
#include "replay/replay_error.hpp"
#include "replay/replayed_call.hpp"
#include "replay/thread_context.hpp"
#include "scale/at_size.hpp"
#include "sections.hpp"
#include "trace/at_rank.hpp"
#include "trace/expand.hpp"

namespace {

using namespace refrain;

constexpr uint64_t most_events = 300;
constexpr uint32_t some_ranks = 3;

// Called by whatever type a function has.
alignas(64) char object[1 << 12];
__attribute__((no_sanitize("function"))) uint64_t succeed() { return 0; }
__attribute__((no_sanitize("function"))) void* make_object() { return object; }

void* stub(std::string_view name) {
  if (name.ends_with("_g")) return object;  // a variable of HDF5
  for (std::string_view maker : {"fopen", "fdopen", "freopen", "opendir", "fdopendir", "tmpfile"})
    if (name.starts_with(maker)) return reinterpret_cast<void*>(make_object);
  return reinterpret_cast<void*>(succeed);
}

/// The folder of the fuzzer itself, where its corpus is.
const int home = open(".", O_PATH | O_DIRECTORY | O_CLOEXEC);

/// A folder of this process, which is its working directory while a replay goes on.
replay::Root& root() {
  static std::string folder = [] {
    char made[] = "/tmp/fuzz_replay.XXXXXX";
    if (mkdtemp(made) == nullptr) std::abort();
    return std::string(made);
  }();
  static replay::Root entered = *replay::Root::enter(folder);
  static int at_exit = std::atexit([] { std::filesystem::remove_all(folder); });
  (void)at_exit;
  return entered;
}

void play(const trace::Trace& t, const trace::Stream& stream, replay::Handles& handles) {
  replay::Libraries libraries(stub);
  const plan::TurnPlaces no_order{};
  replay::ThreadContext context{.trace = t,
                                .libraries = libraries,
                                .handles = handles,
                                .root = root(),
                                .buffers = replay::Buffers(replay::Fill::zero),
                                .turns = replay::Turns(root().folder(), no_order, 0)};
  std::vector<std::unique_ptr<replay::Call>> calls;
  trace::Expander events(stream.nodes);
  for (uint64_t n = 0; n < most_events; ++n) {
    auto event = events.next();
    if (!event.node) break;
    if (event.number >= calls.size()) calls.resize(event.number + 1);
    std::unique_ptr<replay::Call>& call = calls[event.number];
    try {
      if (!call) call = std::make_unique<replay::Call>(context, t.signatures[event.node->signature]);
      call->prepare(event.parameters);
      call->make();
    } catch (const replay::ReplayError& trouble) {
      if (trouble.reason.empty()) std::abort();
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  auto t = format::decode(fuzz::as_file({data, size}));
  if (!t) return 0;
  if (t->scale_free()) t = scale::at_size(*t, some_ranks);
  if (!t) return 0;
  if (chdir(root().folder().c_str()) != 0) std::abort();
  for (const trace::Process& process : t->processes) {
    replay::Handles handles;
    trace::Process mine =
        trace::at_rank(process, process.ranks.empty() ? 0 : process.ranks.first(), trace::Times::drop);
    for (const trace::Stream& stream : mine.streams) play(*t, stream, handles);
  }
  if (fchdir(home) != 0) std::abort();
  return 0;
}
