// What a coordinator costs: how long a grant takes, how many there are in a second with 1,000 jobs, and what
// a job takes of its memory. A real daemon on this machine, clients in this process; and the state machine
// alone.
//   build/release/bin/coordinate_bench
// Processor time of the daemon stands beside the time on the clock, which means little on a busy machine.
#include <fmt/core.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "base/clock.hpp"
#include "coordinate/coordinator.hpp"
#include "coordinate/sample_client.hpp"

namespace {

using namespace refrain;
using namespace refrain::coordinate;

constexpr int latency_rounds = 20'000;
constexpr uint32_t crowd_size = 1000;
constexpr double crowd_seconds = 3;

/// `refrain coordinate`, ended with this.
class DaemonProcess {
 public:
  DaemonProcess(const std::string& address, const std::vector<std::string>& more) {
    std::vector<std::string> words{REFRAIN,   "coordinate", "--listen", address,
                                   "--grace", "0",          "--lease",  "60"};
    words.insert(words.end(), more.begin(), more.end());
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    pid_ = fork();
    if (pid_ == 0) {
      if (freopen("/dev/null", "w", stderr) == nullptr) _exit(126);
      execv(REFRAIN, arguments.data());
      _exit(127);
    }
  }
  ~DaemonProcess() {
    kill(pid_, SIGTERM);
    waitpid(pid_, nullptr, 0);
  }
  DaemonProcess(const DaemonProcess&) = delete;
  DaemonProcess& operator=(const DaemonProcess&) = delete;

  /// Processor time so far.
  double seconds() const {
    std::ifstream file(fmt::format("/proc/{}/stat", pid_));
    std::string text{std::istreambuf_iterator<char>(file), {}};
    unsigned long user = 0;
    unsigned long system = 0;
    std::sscanf(text.c_str() + text.rfind(')'), ") %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu",
                &user, &system);
    return static_cast<double>(user + system) / static_cast<double>(sysconf(_SC_CLK_TCK));
  }
  uint64_t resident_kb() const {
    std::ifstream file(fmt::format("/proc/{}/status", pid_));
    for (std::string line; std::getline(file, line);) {
      if (line.starts_with("VmRSS:")) return std::stoull(line.substr(6));
    }
    return 0;
  }

 private:
  pid_t pid_ = -1;
};

template <class Message>
Message await(SampleClient& client) {
  for (uint64_t from = monotonic_ms(); monotonic_ms() - from < 30'000;) {
    std::optional<CoordinatorMessage> message = client.hear(100);
    if (message && std::holds_alternative<Message>(*message)) return std::get<Message>(*message);
  }
  fmt::print("no answer\n");
  std::exit(1);
}

void measure_latency(const std::string& address, const std::optional<Keys>& keys,
                     const std::vector<std::string>& options) {
  DaemonProcess daemon(address, options);
  ZmqContext context;
  SampleClient client(context, address, keys);
  client.say(Register{.job = 1, .client = 1});
  await<Welcome>(client);
  std::vector<uint64_t> times;
  double before = daemon.seconds();
  for (uint64_t phase = 0; phase < latency_rounds; ++phase) {
    uint64_t from = monotonic_ns();
    client.say(Ask{phase, 0});
    Granted granted = await<Granted>(client);
    times.push_back(monotonic_ns() - from);
    client.say(End{phase, granted.lease, 0});
  }
  double cpu = (daemon.seconds() - before) / latency_rounds;
  std::sort(times.begin(), times.end());
  auto at = [&times](double share) {
    return static_cast<double>(times[static_cast<size_t>(static_cast<double>(times.size() - 1) * share)]) /
           1000;
  };
  fmt::print(
      "grant latency, {:<24} {}: p10 {:.0f} us, p50 {:.0f} us, p99 {:.0f} us; {:.0f} us of the daemon's "
      "processor each\n",
      address, keys ? "CURVE" : "plain", at(0.1), at(0.5), at(0.99), cpu * 1e6);
}

void measure_throughput(const std::string& address, const std::optional<Keys>& keys,
                        std::vector<std::string> options, uint32_t io_nodes) {
  options.insert(options.end(), {"--io-nodes", std::to_string(io_nodes), "--policy", "stretch"});
  DaemonProcess daemon(address, options);
  ZmqContext context;
  Listeners listeners;
  std::vector<std::unique_ptr<SampleClient>> clients;
  std::vector<uint64_t> phase(crowd_size);
  for (uint32_t i = 0; i < crowd_size; ++i) {
    clients.push_back(std::make_unique<SampleClient>(context, address, keys));
    listeners.add(*clients[i], i);
    clients[i]->say(Register{
        .job = i + 1, .io_node = i % io_nodes, .client = 1, .profile = {{{1000, 1.0}}, {{0, 1, 1'000'000}}}});
  }
  for (std::unique_ptr<SampleClient>& client : clients) await<Welcome>(*client);
  for (uint32_t i = 0; i < crowd_size; ++i) {
    clients[i]->say(Ask{0, 0});
    listeners.again(i);
  }
  uint64_t grants = 0;
  double before = daemon.seconds();
  uint64_t from = monotonic_ns();
  uint64_t until = from + static_cast<uint64_t>(crowd_seconds * 1e9);
  while (monotonic_ns() < until) {
    for (uint32_t i : listeners.wait(10)) {
      while (std::optional<CoordinatorMessage> message = clients[i]->hear()) {
        const auto* granted = std::get_if<Granted>(&*message);
        if (granted == nullptr) continue;
        ++grants;
        clients[i]->say(End{phase[i], granted->lease, 0});
        clients[i]->say(Ask{++phase[i], 0});
      }
    }
  }
  double seconds = static_cast<double>(monotonic_ns() - from) / 1e9;
  double cpu = daemon.seconds() - before;
  fmt::print("{} jobs on {:>3} I/O nodes, {}: {:.0f} grants/s; {:.0f} per second of the daemon's processor\n",
             crowd_size, io_nodes, keys ? "CURVE" : "plain", static_cast<double>(grants) / seconds,
             static_cast<double>(grants) / cpu);
}

void measure_memory(const std::string& address) {
  DaemonProcess daemon(address, {"--insecure"});
  ZmqContext context;
  std::vector<std::unique_ptr<SampleClient>> clients;
  auto add = [&](uint32_t until) {
    for (auto i = static_cast<uint32_t>(clients.size()); i < until; ++i) {
      clients.push_back(std::make_unique<SampleClient>(context, address, std::nullopt));
      clients[i]->say(Register{
          .job = i + 1, .client = 1, .name = "job", .profile = {{{1000, 1.0}, {2000, 2.0}}, {{0, 2, 100}}}});
      clients[i]->say(Ask{0, 0});
      await<Welcome>(*clients[i]);
    }
    return daemon.resident_kb();
  };
  uint64_t few = add(100);
  uint64_t many = add(2100);
  fmt::print(
      "memory of the daemon: {} KB with 100 jobs that wait, {:.1f} KB per further job, its connection "
      "included\n",
      few, static_cast<double>(many - few) / 2000);
}

/// The state machine alone, one I/O node, all jobs waiting.
void measure_alone() {
  for (const schedule::Policy& policy : schedule::policies()) {
    Settings settings{.policy = &policy, .io_nodes = {{1, 1}}, .lease = schedule::longest_time};
    Time now = 1'000'000'000'000;
    Coordinator coordinator(settings, now);
    std::vector<uint64_t> phase(crowd_size);
    for (uint32_t i = 0; i < crowd_size; ++i) {
      std::string address = std::to_string(i);
      coordinator.receive(now, address,
                          Register{.job = i, .client = 1, .profile = {{{1000, 1e-6}}, {{0, 1, 1'000'000}}}});
      coordinator.receive(now, address, Ask{0, 0});
    }
    coordinator.take_messages();
    uint64_t grants = 0;
    uint64_t from = monotonic_ns();
    while (monotonic_ns() - from < 300'000'000) {
      now += 1000;
      coordinator.settle(now);
      for (const Outgoing& sent : coordinator.take_messages()) {
        const auto* granted = std::get_if<Granted>(&sent.message);
        if (granted == nullptr) continue;
        ++grants;
        uint64_t& at = phase[std::stoul(sent.address)];
        coordinator.receive(now, sent.address, End{at, granted->lease, 0});
        coordinator.receive(now, sent.address, Ask{++at, 0});
      }
      coordinator.take_events();
    }
    fmt::print("state machine alone, {} jobs, {:<18} {:.0f} grants/s\n", crowd_size, policy.name,
               static_cast<double>(grants) * 1e9 / static_cast<double>(monotonic_ns() - from));
  }
}

}  // namespace

int main() {
  std::string folder =
      (std::filesystem::temp_directory_path() / fmt::format("coordinate_bench.{}", getpid())).string();
  std::filesystem::create_directory(folder);
  if (std::system(fmt::format("{} coordinate keygen --keys {} 2>/dev/null", REFRAIN, folder).c_str()) != 0)
    return 1;
  Result<Keys> keys = read_keys(client_key_file(folder), true);
  if (!keys) return 1;
  std::string ipc = "ipc://" + folder + "/io";
  std::string tcp = "tcp://127.0.0.1:15581";
  measure_alone();
  measure_latency(ipc, {}, {"--insecure"});
  measure_latency(tcp, {}, {"--insecure"});
  measure_latency(tcp, *keys, {"--keys", folder});
  measure_throughput(tcp, {}, {"--insecure"}, 1);
  measure_throughput(tcp, {}, {"--insecure"}, 100);
  measure_throughput(tcp, *keys, {"--keys", folder}, 100);
  measure_memory(ipc);
  std::filesystem::remove_all(folder);
  return 0;
}
