// See doorkeeper.hpp.
#include "coordinate/doorkeeper.hpp"

#include <sys/stat.h>

namespace refrain::coordinate {

namespace {

// A question has: sender, empty, version, number, domain, address, identity, mechanism, the client's key.
constexpr size_t question_frames = 9;
constexpr size_t raw_key_bytes = 32;

}  // namespace

Result<Doorkeeper> Doorkeeper::open(ZmqContext& context, const std::string& known_clients_file) {
  ZmqSocket socket(context, ZMQ_ROUTER);
  if (Result<void> bound = socket.bind("inproc://zeromq.zap.01"); !bound)
    return tl::unexpected(bound.error());
  Doorkeeper made(std::move(socket), known_clients_file);
  if (Result<void> read = made.read_again(); !read) return tl::unexpected(read.error());
  return made;
}

Result<void> Doorkeeper::read_again() {
  struct stat status {};
  if (stat(file_.c_str(), &status) == 0) {
    bool is_same = status.st_mtim.tv_sec == changed_.tv_sec && status.st_mtim.tv_nsec == changed_.tv_nsec;
    if (is_same && !keys_.empty()) return {};
    changed_ = status.st_mtim;
  }
  Result<std::vector<KnownClient>> clients = read_known_clients(file_);
  if (!clients) return tl::unexpected(clients.error());
  keys_.clear();
  for (const KnownClient& client : *clients) keys_.insert(client.public_key);
  return {};
}

bool Doorkeeper::knows(const std::vector<std::string>& frames) {
  if (frames.size() != question_frames || frames[7] != "CURVE" || frames[8].size() != raw_key_bytes)
    return false;
  char key[key_characters + 1];
  if (zmq_z85_encode(key, reinterpret_cast<const uint8_t*>(frames[8].data()), raw_key_bytes) == nullptr)
    return false;
  // A file that has become unreadable lets nobody new in who wasn't known before.
  static_cast<void>(read_again());
  return keys_.contains(std::string(key, key_characters));
}

void Doorkeeper::answer() {
  std::vector<std::string> frames;
  while (socket_.receive(frames, question_frames)) {
    if (frames.size() < 4) continue;
    bool known = knows(frames);
    if (!known) ++turned_away_;
    socket_.send(
        {frames[0], "", "1.0", frames[3], known ? "200" : "400", known ? "OK" : "no known key", "", ""});
  }
}

}  // namespace refrain::coordinate
