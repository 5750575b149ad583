// The process that serves a node's page: ZeroMQ on one side, the page on the other. `refrain run` forks it
// before it starts the command; it says nothing, and outlives neither the command nor its job's processes.
#pragma once

#include <sys/types.h>

#include <string>

#include "coordinate/client.hpp"
#include "coordinate/client_page.hpp"
#include "coordinate/keys.hpp"

namespace refrain::coordinate {

struct Connection {
  std::string address{};  ///< as ZeroMQ has them: tcp://host:port, ipc://path
  Keys keys{};            ///< without a public key: none are used
};

class ClientProcess {
 public:
  /// Forks. A client that fails leaves a page without one, which the application notices.
  static Result<ClientProcess> start(const PageFile& page, const Connection& connection,
                                     const ClientOptions& options);
  ClientProcess(ClientProcess&& other) noexcept;
  ClientProcess& operator=(ClientProcess&&) = delete;
  ~ClientProcess();

  pid_t pid() const { return pid_; }
  /// Tells it that the command has ended, and waits for its end.
  void stop();
  /// After stop(): somebody else had ended it.
  bool died() const { return died_; }

 private:
  ClientProcess() = default;
  pid_t pid_ = -1;
  int life_ = -1;  ///< the socket by which it notices our end
  bool died_ = false;
};

}  // namespace refrain::coordinate
