// Any bytes as what a killed process left: a saved state of a lane, and a journal that continues it. Either
// they are refused, or folding goes on and gives trees that can be run. The input is the state's length (0:
// no state), the state, and the journal.
#include <algorithm>
#include <cstring>

#include "part/part_file.hpp"
#include "part/process_info.hpp"
#include "part/state.hpp"
#include "trace/expand.hpp"

namespace {

constexpr size_t most_expanded = 2000;

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace refrain;
  ByteReader info({data, size});
  record::read_process_info(info);

  ByteReader in({data, size});
  auto bytes = in.raw(std::min<uint64_t>(in.varint(), in.left()));
  if (!in.ok()) return 0;
  record::LaneState state;
  if (!bytes.empty()) {
    ByteReader from(bytes);
    state = record::LaneState::restore(from);
    if (!from.ok()) return 0;
  }
  size_t used = in.left();
  std::vector<uint64_t> journal((used + record::journal_slack + 7) / 8);
  if (used > 0) std::memcpy(journal.data(), in.raw(used).data(), used);
  record::fold_journal(state, reinterpret_cast<const uint8_t*>(journal.data()), 0, used);
  for (auto& stream : state.streams) {
    if (!stream) continue;
    auto nodes = stream->folder.finish();
    trace::Expander run(nodes);
    for (size_t n = 0; n < most_expanded && run.next().node != nullptr; ++n) {
    }
  }
  return 0;
}
