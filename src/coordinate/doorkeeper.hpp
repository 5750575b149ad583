// Decides whom the coordinator lets in: clients whose CURVE key stands in a file. ZeroMQ asks by messages of
// its own (ZAP, rfc.zeromq.org/spec/27), before anything of a client gets through.
#pragma once

#include <ctime>
#include <string>
#include <unordered_set>

#include "coordinate/sockets.hpp"

namespace refrain::coordinate {

class Doorkeeper {
 public:
  /// There can be one in a context, and it must be there before the sockets that it guards.
  static Result<Doorkeeper> open(ZmqContext& context, const std::string& known_clients_file);

  void* socket() const { return socket_.get(); }
  /// Answers all that was asked. A file that has changed is read again, so that new clients need no restart.
  void answer();
  uint64_t turned_away() const { return turned_away_; }

 private:
  Doorkeeper(ZmqSocket socket, std::string file) : socket_(std::move(socket)), file_(std::move(file)) {}
  Result<void> read_again();
  bool knows(const std::vector<std::string>& frames);

  ZmqSocket socket_;
  std::string file_;
  timespec changed_{};
  std::unordered_set<std::string> keys_;
  uint64_t turned_away_ = 0;
};

}  // namespace refrain::coordinate
