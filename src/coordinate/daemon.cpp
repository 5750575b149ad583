// One round of the daemon: wait until something comes or is due; take what has come, up to a bound, as having
// come at one instant; let the coordinator settle; send its answers; tell its events. Whatever a client does
// costs it its own connection at most: messages and their numbers are bounded, and answers that it doesn't
// take are dropped.
#include "coordinate/daemon.hpp"

#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <ctime>
#include <optional>

#include "base/clock.hpp"
#include "coordinate/doorkeeper.hpp"
#include "coordinate/journal_writer.hpp"
#include "coordinate/metrics_server.hpp"
#include "coordinate/snapshot.hpp"
#include "coordinate/sockets.hpp"

namespace refrain::coordinate {

namespace {

constexpr size_t messages_per_round = 512;
constexpr Time status_period = schedule::second;
constexpr Time status_at_most_every = schedule::second / 20;
constexpr long longest_wait_ms = 1000;

/// Since the epoch, but steady: the system's clock is only asked once.
class Clock {
 public:
  Clock() {
    timespec t{};
    clock_gettime(CLOCK_REALTIME, &t);
    base_ = static_cast<Time>(t.tv_sec) * schedule::second + t.tv_nsec - static_cast<Time>(monotonic_ns());
  }
  Time now() const { return base_ + static_cast<Time>(monotonic_ns()); }

 private:
  Time base_ = 0;
};

/// SIGTERM and SIGINT as something to be polled. Must be there before ZeroMQ starts its thread, which takes
/// over what is blocked.
class EndSignals {
 public:
  EndSignals() {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGTERM);
    sigaddset(&set, SIGINT);
    pthread_sigmask(SIG_BLOCK, &set, &before_);
    descriptor_ = signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC);
  }
  ~EndSignals() {
    signalfd_siginfo taken{};
    while (read(descriptor_, &taken, sizeof(taken)) > 0) {
    }
    close(descriptor_);
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }
  EndSignals(const EndSignals&) = delete;
  EndSignals& operator=(const EndSignals&) = delete;
  int descriptor() const { return descriptor_; }

 private:
  sigset_t before_{};
  int descriptor_ = -1;
};

/// Every client is a descriptor.
void allow_many_descriptors() {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit);
}

/// What is told to whoever subscribes: "event" or "status", then JSON.
class Publisher {
 public:
  explicit Publisher(ZmqContext& context) : socket_(context, ZMQ_XPUB) {
    socket_.set(ZMQ_XPUB_VERBOSER, 1);
    socket_.set(ZMQ_MAXMSGSIZE, int64_t{max_subscription_bytes});
  }
  ZmqSocket& socket() { return socket_; }

  /// Notes who has come and gone. Returns whether somebody new wants to know the status.
  bool look_for_subscribers() {
    bool is_new = false;
    std::vector<std::string> frames;
    for (size_t i = 0; i < messages_per_round && socket_.receive(frames, 1); ++i) {
      if (frames.size() != 1 || frames[0].empty()) continue;
      int change = frames[0][0] == 1 ? 1 : -1;
      std::string_view topic = std::string_view(frames[0]).substr(1);
      if (std::string_view("event").starts_with(topic)) events_ += change;
      if (!std::string_view("status").starts_with(topic)) continue;
      status_ += change;
      is_new = is_new || change > 0;
    }
    return is_new;
  }
  bool wants_events() const { return events_ > 0; }
  bool wants_status() const { return status_ > 0; }
  void tell(std::string_view topic, std::string_view text) { socket_.send({topic, text}); }

 private:
  static constexpr int64_t max_subscription_bytes = 4096;  ///< the handshake counts, too
  ZmqSocket socket_;
  int64_t events_ = 0;
  int64_t status_ = 0;
};

class Daemon {
 public:
  Daemon(const DaemonOptions& options, const Say& say)
      : options_(options),
        say_(say),
        coordinator_(with_lease_numbers(options.settings, clock_.now()), clock_.now()),
        clients_(context_, ZMQ_ROUTER),
        publisher_(context_) {}

  Result<void> open() {
    allow_many_descriptors();
    for (ZmqSocket* socket : {&clients_, &publisher_.socket()}) {
      socket->set(ZMQ_BACKLOG, 4096);
      socket->set(ZMQ_HANDSHAKE_IVL, 5000);
      socket->set(ZMQ_IPV6, 1);
      socket->set(ZMQ_TCP_KEEPALIVE, 1);  // machines that vanish leave connections behind
      socket->set(ZMQ_TCP_KEEPALIVE_IDLE, 60);
    }
    clients_.set(ZMQ_MAXMSGSIZE, static_cast<int64_t>(max_message_bytes));
    if (Result<void> guarded = guard(); !guarded) return guarded;
    if (!options_.journal.empty()) {
      Result<JournalWriter> journal = JournalWriter::open(options_.journal);
      if (!journal) return tl::unexpected(journal.error());
      journal_ = std::move(*journal);
      journal_.line(start_json(coordinator_.settings(), clock_.now()));
    }
    if (!options_.metrics.empty()) {
      Result<MetricsServer> server = MetricsServer::listen(options_.metrics);
      if (!server) return tl::unexpected(server.error());
      metrics_.emplace(std::move(*server));
    }
    // Without keys, only this user may connect to a socket in the file system.
    mode_t before = options_.insecure ? umask(S_IRWXG | S_IRWXO) : umask(0);
    Result<void> bound = clients_.bind(options_.address.text);
    if (bound) bound = publisher_.socket().bind(options_.address.events);
    umask(before);
    return bound;
  }

  void run() {
    say_("listening at " + options_.address.text + ", telling events at " + options_.address.events +
         (options_.insecure ? ", without keys; " : "; ") + std::string(coordinator_.settings().policy->name) +
         " for " + std::to_string(coordinator_.io_nodes().size()) + " I/O nodes");
    while (wait()) {
      Time now = clock_.now();
      if (doorkeeper_) doorkeeper_->answer();
      take_messages(now);
      coordinator_.settle(now);
      for (const Outgoing& sent : coordinator_.take_messages()) {
        if (!clients_.send(sent.address, encode(sent.message))) ++counters_.unsent;
      }
      tell_events();
      if (publisher_.look_for_subscribers())
        status_at_ = std::min(status_at_, status_told_ + status_at_most_every);
      if (now >= status_at_) tell_status(now);
      if (metrics_) metrics_->serve(now, [&] { return metrics_text(coordinator_, counters(), now); });
    }
    tell_events();
  }

 private:
  /// Numbers of leases grow with the time at which a coordinator starts, so that no two give the same one.
  static Settings with_lease_numbers(Settings settings, Time now) {
    settings.first_lease = static_cast<uint64_t>(now);
    return settings;
  }

  Result<void> guard() {
    if (options_.insecure) {
      if (options_.address.is_local) return {};
      return fail(ErrorKind::usage, "--insecure is only for ipc:// and for addresses of this machine",
                  options_.address.text);
    }
    Result<Keys> keys = read_keys(coordinator_key_file(options_.key_folder), false);
    if (!keys) return tl::unexpected(keys.error());
    Result<Doorkeeper> doorkeeper = Doorkeeper::open(context_, known_clients_file(options_.key_folder));
    if (!doorkeeper) return tl::unexpected(doorkeeper.error());
    doorkeeper_.emplace(std::move(*doorkeeper));
    clients_.serve_with(*keys);
    publisher_.socket().serve_with(*keys);
    return {};
  }

  /// Until there is something to do. Returns whether to go on.
  bool wait() {
    items_.assign({{nullptr, signals_.descriptor(), ZMQ_POLLIN, 0},
                   {clients_.get(), 0, ZMQ_POLLIN, 0},
                   {publisher_.socket().get(), 0, ZMQ_POLLIN, 0}});
    if (doorkeeper_) items_.push_back({doorkeeper_->socket(), 0, ZMQ_POLLIN, 0});
    if (metrics_) metrics_->add_to(items_);
    Time due = std::min(coordinator_.next_deadline(), status_at_);
    Time now = clock_.now();
    constexpr Time millisecond = 1'000'000;
    long ms =
        due <= now ? 0 : static_cast<long>(std::min<Time>((due - now) / millisecond + 1, longest_wait_ms));
    zmq_poll(items_.data(), static_cast<int>(items_.size()), ms);
    return (items_[0].revents & ZMQ_POLLIN) == 0;
  }

  void take_messages(Time now) {
    for (size_t i = 0; i < messages_per_round && clients_.receive(frames_, 2); ++i) {
      if (frames_.size() != 2) {
        ++counters_.malformed;
        continue;
      }
      std::span<const uint8_t> bytes(reinterpret_cast<const uint8_t*>(frames_[1].data()), frames_[1].size());
      Result<ClientMessage> message = decode_client_message(bytes);
      if (message) {
        coordinator_.receive(now, frames_[0], *message);
      } else {
        ++counters_.malformed;
      }
    }
  }

  void tell_events() {
    std::vector<Event> events = coordinator_.take_events();
    if (journal_.is_open() || publisher_.wants_events()) {
      for (const Event& event : events) {
        std::string text = event_json(event);
        journal_.line(text);
        if (publisher_.wants_events()) publisher_.tell("event", text);
      }
    }
    size_t lost = journal_.flush();
    if (lost > 0 && counters_.journal_lost == 0)
      say_(options_.journal + ": can't be written, events are lost");
    counters_.journal_lost += lost;
  }

  void tell_status(Time now) {
    if (publisher_.wants_status()) publisher_.tell("status", snapshot_json(coordinator_, counters(), now));
    status_told_ = now;
    status_at_ = now + status_period;
  }

  DaemonCounters counters() {
    counters_.turned_away = doorkeeper_ ? doorkeeper_->turned_away() : 0;
    return counters_;
  }

  const DaemonOptions& options_;
  const Say& say_;
  EndSignals signals_;
  Clock clock_;
  Coordinator coordinator_;
  ZmqContext context_;
  std::optional<Doorkeeper> doorkeeper_;
  ZmqSocket clients_;
  Publisher publisher_;
  JournalWriter journal_;
  std::optional<MetricsServer> metrics_;
  DaemonCounters counters_;
  Time status_at_ = 0;
  Time status_told_ = 0;
  std::vector<zmq_pollitem_t> items_;
  std::vector<std::string> frames_;
};

}  // namespace

Result<void> run_daemon(const DaemonOptions& options, const Say& say) {
  Daemon daemon(options, say);
  if (Result<void> opened = daemon.open(); !opened) return opened;
  daemon.run();
  return {};
}

Result<Keys> make_keys() {
  char public_key[key_characters + 1];
  char secret_key[key_characters + 1];
  if (zmq_curve_keypair(public_key, secret_key) != 0) {
    return fail(ErrorKind::limit, "this ZeroMQ was built without CURVE");
  }
  return Keys{public_key, secret_key, {}};
}

}  // namespace refrain::coordinate
