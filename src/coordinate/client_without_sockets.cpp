// In place of client_process.cpp where Refrain was built without ZeroMQ: applications run uncoordinated.
#include <utility>

#include "coordinate/client_process.hpp"

namespace refrain::coordinate {

Result<ClientProcess> ClientProcess::start(const PageFile& /*page*/, const Connection& /*connection*/,
                                           const ClientOptions& /*options*/) {
  return fail(ErrorKind::io, "this refrain was built without ZeroMQ, by which coordinators are reached");
}

ClientProcess::ClientProcess(ClientProcess&& other) noexcept : pid_(std::exchange(other.pid_, -1)) {}

ClientProcess::~ClientProcess() = default;

void ClientProcess::stop() { (void)life_; }

}  // namespace refrain::coordinate
