#include "replay/async_requests.hpp"

#include <memory>
#include <vector>

#include "replay/replay_error.hpp"
#include "replay/replayed_handles.hpp"

namespace refrain::replay {

aiocb* new_async_request(int64_t slot) {
  thread_local std::vector<std::unique_ptr<aiocb>> blocks;
  if (slot < 0 || slot >= Handles::max_slot) throw ReplayError{"a request with an impossible number"};
  auto at = static_cast<size_t>(slot);
  if (at >= blocks.size()) blocks.resize(at + 1);
  if (!blocks[at]) blocks[at] = std::make_unique<aiocb>();
  *blocks[at] = {};
  return blocks[at].get();
}

}  // namespace refrain::replay
