// See client_process.hpp. Two threads: one sleeps on the page's futex and turns its changes into events of a
// descriptor, the other waits for those, for messages, and for time to pass.
#include "coordinate/client_process.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#include <zmq.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <new>
#include <thread>
#include <utility>

#include "base/clock.hpp"
#include "coordinate/sockets.hpp"

namespace refrain::coordinate {

namespace {

constexpr char stop_word = 'q';
constexpr int stop_waiting = SIGUSR1;  ///< ends a client that has no page to serve yet
constexpr uint64_t look_for_dead_ns = 100'000'000;

/// The state of a process as /proc has it (R, S, D, T, Z …); 0 if there is none.
char process_state(uint32_t pid) {
  char path[32];
  char text[512];
  std::snprintf(path, sizeof path, "/proc/%u/stat", pid);
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return kill(static_cast<pid_t>(pid), 0) == 0 || errno == EPERM ? '?' : 0;
  ssize_t n = ::read(fd, text, sizeof text - 1);
  close(fd);
  text[n > 0 ? n : 0] = 0;
  const char* name_end = std::strrchr(text, ')');
  return name_end != nullptr && name_end[1] == ' ' ? name_end[2] : 0;
}

/// The coordinator's end of the client. Nothing here blocks: what can't be sent now is said again later.
class Line {
 public:
  explicit Line(const Connection& connection) : socket_(context_, ZMQ_DEALER) {
    // Messages to nobody are not kept, connections that stand still are made anew.
    for (auto [option, value] : {std::pair{ZMQ_LINGER, 200},
                                 {ZMQ_IMMEDIATE, 1},
                                 {ZMQ_SNDHWM, 64},
                                 {ZMQ_RCVHWM, 1000},
                                 {ZMQ_RECONNECT_IVL, 50},
                                 {ZMQ_RECONNECT_IVL_MAX, 200},
                                 {ZMQ_CONNECT_TIMEOUT, 2000},
                                 {ZMQ_HANDSHAKE_IVL, 2000},
                                 {ZMQ_HEARTBEAT_IVL, 500},
                                 {ZMQ_HEARTBEAT_TIMEOUT, 1500}})
      socket_.set(option, value);
    socket_.set(ZMQ_MAXMSGSIZE, static_cast<int64_t>(max_message_bytes));
    if (!connection.keys.public_key.empty()) socket_.connect_with(connection.keys);
    (void)socket_.connect(connection.address);  // an address that is none is one where nobody answers
  }

  void* socket() const { return socket_.get(); }
  /// False if nobody is connected.
  bool send(const ClientMessage& message) {
    std::vector<uint8_t> bytes = encode(message);
    return socket_.send({std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size())});
  }
  /// Calls `hear` with each message that has arrived; what is none is dropped.
  template <class F>
  void receive(F hear) {
    while (socket_.receive(frames_, 1)) {
      if (frames_.size() != 1) continue;
      auto* data = reinterpret_cast<const uint8_t*>(frames_[0].data());
      if (auto message = decode_coordinator_message({data, frames_[0].size()})) hear(*message);
    }
  }

 private:
  ZmqContext context_;
  ZmqSocket socket_;
  std::vector<std::string> frames_;
};

/// Turns the page's futex into a descriptor that can be waited for.
class Bell {
 public:
  explicit Bell(gate::Page& page) : page_(page), fd_(eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)) {
    thread_ = std::thread([this] { ring(); });
  }
  ~Bell() {
    ended_ = true;
    gate::wake_client(page_);
    thread_.join();
    close(fd_);
  }
  Bell(const Bell&) = delete;
  Bell& operator=(const Bell&) = delete;

  int fd() const { return fd_; }
  void silence() const {
    uint64_t count = 0;
    (void)!::read(fd_, &count, sizeof count);
  }

 private:
  void ring() {
    constexpr uint64_t second = 1'000'000'000;
    uint32_t seen = page_.asked.load();
    while (!ended_) {
      gate::sleep_at(page_.asked, seen, second);
      uint32_t now = page_.asked.load();
      uint64_t one = 1;
      if (now != seen) (void)!::write(fd_, &one, sizeof one);
      seen = now;
    }
  }

  gate::Page& page_;
  int fd_;
  std::atomic<bool> ended_{false};
  std::thread thread_;
};

class Service {
 public:
  Service(gate::Page& page, const Connection& connection, const ClientOptions& options, int life)
      : page_(page),
        line_(connection),
        client_(with_identity(page, options), monotonic_ns(), adopted_from(page)),
        base_(std::array{page.account.phases.load(), page.account.waited_ns.load(),
                         page.account.uncoordinated_ns.load()}),
        life_(life) {}

  /// True if the process that started us was killed.
  bool run() {
    page_.client_pid.store(static_cast<uint32_t>(getpid()), std::memory_order_relaxed);
    Bell bell(page_);
    bool parent_lives = true;
    for (;;) {
      turn();
      short line_events = connecting_ ? ZMQ_POLLIN | ZMQ_POLLOUT : ZMQ_POLLIN;
      std::array<zmq_pollitem_t, 3> events{{{line_.socket(), 0, line_events, 0},
                                            {nullptr, bell.fd(), ZMQ_POLLIN, 0},
                                            {nullptr, life_, ZMQ_POLLIN, 0}}};
      constexpr uint64_t nap_unit = 1'000'000;  // milliseconds
      auto nap = static_cast<long>(std::max<uint64_t>(client_.nap_ns() / nap_unit, 1));
      zmq_poll(events.data(), parent_lives ? 3 : 2, nap);
      if ((events[0].revents & ZMQ_POLLOUT) != 0) connecting_ = false;
      if ((events[1].revents & ZMQ_POLLIN) != 0) bell.silence();
      if (parent_lives && events[2].revents != 0) {
        char word = 0;
        if (::read(life_, &word, 1) == 1 && word == stop_word) break;
        parent_lives = false;  // it was killed; its command may go on
      }
      if (!parent_lives && nobody_left()) break;
    }
    if (page_.members.load() <= 1) client_.leave(observe(page_, stopped_));
    say();
    return !parent_lives;
  }

 private:
  static ClientOptions with_identity(gate::Page& page, ClientOptions options) {
    options.identity.client = page.handover.client;
    options.idle_ns = page.idle_ns;
    options.patience_ns = page.patience_ns;
    return options;
  }
  static Adopted adopted_from(const gate::Page& page) {
    return {page.handover.started_ns, page.handover.phase, page.handover.lease, page.handover.held_ns,
            page.handover.phase_bytes};
  }

  void turn() {
    uint64_t now = monotonic_ns();
    if (now - looked_for_dead_ >= look_for_dead_ns) {
      looked_for_dead_ = now;
      look_at_processes();
    }
    line_.receive([&](const CoordinatorMessage& message) { client_.receive(now, message); });
    client_.look(now, observe(page_, stopped_));
    say();
    note_standing();
    gate::set_gate(page_, client_.gate());
    page_.client_seen_ns.store(now, std::memory_order_release);
  }

  /// Connecting takes a moment; who registers late makes the first phase wait.
  void say() {
    for (const ClientMessage& message : client_.take_messages()) {
      if (line_.send(message) || !std::holds_alternative<Register>(message)) continue;
      client_.register_was_not_sent();
      connecting_ = true;
    }
  }

  void look_at_processes() {
    stopped_.clear();
    living_ = 0;
    gate::free_dead_slots(page_, [&](uint32_t pid) {
      char state = process_state(pid);
      bool living = state != 0 && state != 'Z' && state != 'X';
      if (state == 'T' || state == 't') stopped_.push_back(pid);
      living_ += living ? 1 : 0;
      return living;
    });
    resting_.look(page_);
  }

  bool nobody_left() {
    look_at_processes();
    return living_ == 0;
  }

  /// For a client that goes on after this one, and for the line at the end.
  void note_standing() {
    Standing standing = client_.standing();
    page_.handover.phase.store(standing.phase, std::memory_order_relaxed);
    page_.handover.lease.store(standing.lease, std::memory_order_relaxed);
    page_.handover.held_ns.store(client_.held_ns(), std::memory_order_relaxed);
    page_.handover.phase_bytes.store(client_.phase_bytes(), std::memory_order_relaxed);
    page_.account.phases.store(base_[0] + client_.phases_done(), std::memory_order_relaxed);
    page_.account.waited_ns.store(base_[1] + client_.waited_ns(), std::memory_order_relaxed);
    page_.account.uncoordinated_ns.store(base_[2] + client_.uncoordinated_ns(), std::memory_order_relaxed);
    if (client_.welcomed()) page_.account.ever_joined.store(1, std::memory_order_relaxed);
    std::snprintf(page_.account.refusal, sizeof page_.account.refusal, "%s", client_.refusal().c_str());
  }

  gate::Page& page_;
  Line line_;
  NodeClient client_;
  std::array<uint64_t, 3> base_;  ///< what earlier clients of the page have counted
  int life_;
  gate::RestingThreads resting_;
  std::vector<uint32_t> stopped_;
  size_t living_ = 0;
  uint64_t looked_for_dead_ = 0;
  bool connecting_ = false;  ///< we are to register as soon as somebody is connected
};

/// Nobody should wait for us by our streams, and nobody's keyboard is ours.
void detach_streams() {
  int nowhere = open("/dev/null", O_RDWR);
  if (nowhere >= 0) {
    for (int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) dup2(nowhere, fd);
    if (nowhere > STDERR_FILENO) close(nowhere);
  }
  for (int ignored : {SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGPIPE, SIGTSTP}) signal(ignored, SIG_IGN);
  signal(stop_waiting, SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
}

/// Waits for the page's lock while the command goes on, which may be all the time.
void serve(const PageFile& file, const Connection& connection, const ClientOptions& options, int life) {
  detach_streams();
  prctl(PR_SET_NAME, "refrain-client");
  file.lock();
  signal(stop_waiting, SIG_IGN);
  if (Service(file.page(), connection, options, life).run()) file.leave();
}

}  // namespace

Result<ClientProcess> ClientProcess::start(const PageFile& page, const Connection& connection,
                                           const ClientOptions& options) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
    return fail(ErrorKind::io, std::strerror(errno), "socketpair");
  pid_t pid = fork();
  if (pid == 0) {
    close(ends[1]);
    try {
      serve(page, connection, options, ends[0]);
    } catch (const std::bad_alloc&) {
      _exit(1);
    }
    _exit(0);
  }
  int error = errno;
  close(ends[0]);
  if (pid < 0) {
    close(ends[1]);
    return fail(ErrorKind::io, std::strerror(error), "fork");
  }
  ClientProcess process;
  process.pid_ = pid;
  process.life_ = ends[1];
  return process;
}

ClientProcess::ClientProcess(ClientProcess&& other) noexcept
    : pid_(std::exchange(other.pid_, -1)), life_(std::exchange(other.life_, -1)), died_(other.died_) {}

ClientProcess::~ClientProcess() { stop(); }

void ClientProcess::stop() {
  if (pid_ < 0) return;
  constexpr int tries = 1000;
  died_ = waitpid(pid_, nullptr, WNOHANG) != 0;
  (void)!::send(life_, &stop_word, 1, MSG_NOSIGNAL);
  close(life_);
  for (int i = 0; i < tries && !died_; ++i) {
    if (waitpid(pid_, nullptr, WNOHANG) != 0) {
      pid_ = -1;
      return;
    }
    // One that waits for the lock doesn't listen.
    if (i == 20) kill(pid_, stop_waiting);
    if (i == tries / 2) kill(pid_, SIGKILL);
    usleep(1000);
  }
  pid_ = -1;
}

}  // namespace refrain::coordinate
