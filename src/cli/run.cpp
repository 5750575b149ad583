// `refrain run -- COMMAND`: runs the command with the gate preloaded, and beside it the client of this node,
// which asks a coordinator for the job's turns at I/O. The exit code is the command's own.
#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <memory>

#include "base/clock.hpp"
#include "base/environment.hpp"
#include "base/hash.hpp"
#include "base/launcher.hpp"
#include "cli/command.hpp"
#include "cli/coordinate.hpp"
#include "cli/installation.hpp"
#include "cli/launch.hpp"
#include "cli/preloadable.hpp"
#include "cli/readable.hpp"
#include "cli/sized_trace.hpp"
#include "coordinate/address.hpp"
#include "coordinate/client_page.hpp"
#include "coordinate/client_process.hpp"
#include "jobs/job_phases.hpp"

extern char** environ;

namespace refrain::cli {

namespace {

namespace fs = std::filesystem;

struct RunOptions {
  ConnectionOptions connection;
  std::string profile;
  uint32_t ranks = 0;
  uint32_t io_node = 0;
  uint32_t job = 0;
  uint32_t nodes = 0;
  double idle_ms = 20;
  double patience_s = 2;
  uint64_t gate_bytes = 65536;
  std::vector<std::string> included, excluded;
  std::string rules;  ///< both of them, in the order given
  std::vector<std::string> command;
  bool quiet = false;
};

uint64_t in_ns(double seconds) { return static_cast<uint64_t>(seconds * 1e9); }

uint64_t hash_of(std::string_view text) {
  uint64_t hash = 1;
  for (char c : text) hash = hash_combine(hash, static_cast<unsigned char>(c));
  return hash;
}

uint64_t own_number() { return hash_combine(monotonic_ns(), static_cast<uint64_t>(getpid())); }

/// What the job's processes on this node have in common. Around a launcher we are alone; inside, all that
/// were started by it on this node share a page.
std::string page_key() {
  if (launched().is_rank() && !job_name().empty()) return job_name().text;
  return fmt::format("{}.{:x}", getpid(), own_number());
}

uint32_t number_from(const char* variable) {
  const char* text = std::getenv(variable);
  return text == nullptr ? 0 : static_cast<uint32_t>(std::strtoul(text, nullptr, 10));
}

/// The numbers by which the nodes of the job find each other.
void name_job(const RunOptions& options, coordinate::Register& identity) {
  constexpr uint64_t positive = 0x7fff'ffff;
  Launched here = launched();
  bool inside = here.is_rank() && !job_name().empty();
  identity.step = inside ? hash_of(job_name().text) : own_number();
  identity.job = options.job != 0 ? options.job : number_from("SLURM_JOB_ID");
  if (identity.job == 0)
    identity.job = inside ? static_cast<uint32_t>(identity.step & positive) : static_cast<uint32_t>(getpid());
  identity.io_node = options.io_node;
  identity.name = fs::path(options.command[0]).filename().string();
  identity.nodes = options.nodes;
  if (identity.nodes == 0 && here.on_several_hosts())
    identity.nodes = static_cast<uint32_t>((here.size + here.local_size - 1) / here.local_size);
}

/// The phases of a trace are cut where the gate cuts those of the application.
Result<void> add_profile(const RunOptions& options, coordinate::ClientOptions& client) {
  if (options.profile.empty()) return {};
  Launched here = launched();
  uint32_t ranks = options.ranks == 0 && here.size > 0 ? static_cast<uint32_t>(here.size) : options.ranks;
  Result<trace::Trace> trace = read_sized(options.profile, ranks, StreamsUsed::outer);
  if (!trace) return tl::unexpected(trace.error());
  Result<jobs::TraceJob> job = jobs::job_of(*trace, {.gap_seconds = options.idle_ms / 1e3});
  if (!job) return within(options.profile, job.error());
  client.identity.profile = {job->job.phases, job->job.blocks};
  if (client.identity.nodes == 0) client.identity.nodes = job->job.nodes;
  if (here.on_several_hosts())
    client.share = static_cast<double>(here.local_size) / static_cast<double>(here.size);
  return {};
}

Result<coordinate::Connection> find_coordinator(const RunOptions& options) {
  Result<coordinate::Address> address = coordinate::parse_address(options.connection.address);
  if (!address) return tl::unexpected(address.error());
  coordinate::Connection connection{.address = address->text};
  if (options.connection.insecure) return connection;
  std::string file =
      options.connection.keys.empty() ? coordinate::default_key_folder() : options.connection.keys;
  if (std::error_code ignored; fs::is_directory(file, ignored)) file = coordinate::client_key_file(file);
  Result<coordinate::Keys> keys = coordinate::read_keys(file, true);
  if (!keys) return tl::unexpected(keys.error());
  connection.keys = *keys;
  return connection;
}

/// Everything there is to be told before the command starts.
struct Prepared {
  fs::path gate;
  coordinate::Connection connection;
  coordinate::ClientOptions client;
};

Result<Prepared> prepare(const RunOptions& options) {
  if (options.command.empty())
    return fail(ErrorKind::usage, "which command should be run? Try 'refrain run --help'");
  Prepared prepared;
  Result<fs::path> library = preload_path("librefrain_gate.so");
  if (!library) return tl::unexpected(library.error());
  prepared.gate = *library;
  Result<coordinate::Connection> connection = find_coordinator(options);
  if (!connection) return tl::unexpected(connection.error());
  prepared.connection = *connection;
  name_job(options, prepared.client.identity);
  if (Result<void> added = add_profile(options, prepared.client); !added)
    return tl::unexpected(added.error());
  prepared.client.identity.nodes = std::max(prepared.client.identity.nodes, 1U);
  return prepared;
}

/// The given environment with the gate, which stands before whatever else is preloaded: the time spent
/// waiting is not part of the calls that a recorder sees.
std::vector<std::string> gated_environment(const fs::path& library, const std::string& page) {
  std::vector<std::string> out;
  std::string preload = library.string();
  for (char** setting = environ; setting != nullptr && *setting != nullptr; ++setting) {
    std::string_view text = *setting;
    constexpr std::string_view preloads = "LD_PRELOAD=";
    if (assigns(text, environment::gate)) continue;
    if (!text.starts_with(preloads)) {
      out.emplace_back(text);
    } else if (text = text.substr(preloads.size());
               !text.empty() && text.find(library.string()) == std::string_view::npos) {
      preload.append(":").append(text);
    }
  }
  out.push_back("LD_PRELOAD=" + preload);
  out.push_back(assigned(environment::gate, page));
  return out;
}

std::vector<std::string> plain_environment() {
  std::vector<std::string> out;
  for (char** setting = environ; *setting != nullptr; ++setting) out.emplace_back(*setting);
  return out;
}

/// The application comes first.
int run_uncoordinated(const RunOptions& options, const Error& error) {
  Launched here = launched();
  if (!here.in_company() || here.rank == 0 || here.local_rank == 0)
    say("the application runs uncoordinated: " + error.text());
  Outcome outcome = launch(options.command, plain_environment());
  if (!outcome.not_started.empty()) say(outcome.not_started);
  return outcome.exit_code;
}

/// Why processes of this node moved data without having been granted anything; empty if none did.
std::string reason_of(const gate::Account& account, const RunOptions& options, bool client_died) {
  std::string seconds = duration_text(account.uncoordinated_ns.load());
  if (account.refusal[0] != 0)
    return fmt::format("the coordinator refused the job: {}; it ran uncoordinated", account.refusal);
  if (client_died) return "the client of this node was ended from outside; the application ran uncoordinated";
  if (account.deserted.load() > 0)
    return "the client of this node was silent for a while; meanwhile the application ran uncoordinated";
  if (account.ever_joined.load() == 0)
    return fmt::format("no coordinator answered at {}; the application ran uncoordinated",
                       printable(options.connection.address));
  if (account.uncoordinated_ns.load() > 0)
    return fmt::format("the coordinator was silent for a while; the application ran uncoordinated for {}",
                       seconds);
  return {};
}

void say_how_it_went(const gate::Page& page, const RunOptions& options, bool client_died,
                     uint64_t lasted_ns) {
  const gate::Account& account = page.account;
  if (std::string unable = why_not_preloadable(options.command[0]); page.used.load() == 0 && !unable.empty())
    return say("the application ran uncoordinated: " + unable);
  std::string reason = reason_of(account, options, client_died);
  // Nothing was asked of a coordinator that had no time to answer.
  bool short_run = lasted_ns < in_ns(options.patience_s) && account.uncoordinated_ns.load() == 0 &&
                   account.refusal[0] == 0 && account.waited_ns.load() == 0 && !client_died;
  if (reason.empty() || short_run || options.quiet) return;
  say(reason);
}

Result<int> run_command(const RunOptions& options) {
  Result<Prepared> prepared = prepare(options);
  if (!prepared && prepared.error().kind != ErrorKind::usage && launched().in_company())
    return run_uncoordinated(options, prepared.error());
  if (!prepared) return tl::unexpected(prepared.error());
  Result<coordinate::PageFile> page = coordinate::PageFile::join({.key = page_key(),
                                                                  .idle_ns = in_ns(options.idle_ms / 1e3),
                                                                  .patience_ns = in_ns(options.patience_s),
                                                                  .gate_bytes = options.gate_bytes,
                                                                  .rules = options.rules});
  if (!page) return run_uncoordinated(options, page.error());
  Result<coordinate::ClientProcess> client =
      coordinate::ClientProcess::start(*page, prepared->connection, prepared->client);
  if (!client) {
    page->leave();
    return run_uncoordinated(options, client.error());
  }
  std::vector<std::string> environment = gated_environment(prepared->gate, page->path());
  suit_preload(options.command[0], prepared->gate.string(), environment);
  uint64_t began = monotonic_ns();
  Outcome outcome = launch(options.command, environment);
  if (!outcome.not_started.empty()) say(outcome.not_started);
  client->stop();
  bool last = page->page().members.load() == 1;
  if (last && outcome.not_started.empty() && page->page().account.said.exchange(1) == 0)
    say_how_it_went(page->page(), options, client->died(), monotonic_ns() - began);
  page->leave();
  return outcome.exit_code;
}

/// CLI11 collects each option by itself; among rules, the order on the command line matters.
void order_rules(const CLI::App& command, const CLI::Option* include, RunOptions& options) {
  size_t included = 0;
  size_t excluded = 0;
  for (const CLI::Option* option : command.parse_order()) {
    if (option == include)
      options.rules += "+" + options.included.at(included++) + "\n";
    else if (option->check_lname("exclude"))
      options.rules += "-" + options.excluded.at(excluded++) + "\n";
  }
}

void add_job_options(CLI::App& command, RunOptions& options) {
  add_connection_options(command, options.connection);
  command
      .add_option("--profile", options.profile, "A trace of the application: when phases end, what is left")
      ->type_name("TRACE");
  add_ranks_option(command, options.ranks);
  command.add_option("--io-node", options.io_node, "The I/O node that the job's I/O goes through")
      ->type_name("K")
      ->envname(environment::io_node.name)
      ->capture_default_str();
  command.add_option("--job", options.job, "The job's number (default: Slurm's)")->type_name("N");
  command.add_option("--nodes", options.nodes, "Compute nodes of the job (default: as the launcher says)")
      ->type_name("N");
}

}  // namespace

void add_run(CLI::App& root, Action& action, const std::vector<std::string>& rest) {
  CLI::App* command =
      add_command(root, "run", "Run a command that takes turns at I/O with others",
                  "refrain run --coordinator tcp://login1:5570 --profile app.rfn -- mpirun -n 16 ./app\n"
                  "  srun refrain run --coordinator tcp://login1:5570 -- ./app");
  auto options = std::make_shared<RunOptions>();
  set_usage(*command, "[OPTIONS] -- COMMAND [ARGUMENT...]");
  add_job_options(*command, *options);
  command->add_option("--idle", options->idle_ms, "A phase ends when nothing was moved for so long")
      ->type_name("MS")
      ->check(CLI::Range(1.0, 60'000.0))
      ->capture_default_str();
  command->add_option("--patience", options->patience_s, "How long to wait for a silent coordinator, once")
      ->type_name("SECONDS")
      ->check(CLI::Range(0.0, 86'400.0))
      ->capture_default_str();
  command
      ->add_option("--gate-bytes", options->gate_bytes, "So much passes without asking, per thread and pause")
      ->type_name("N")
      ->capture_default_str();
  CLI::Option* include = command->add_option("--include", options->included, "Also gate files that match");
  include->allow_extra_args(false)->type_name("PATTERN");
  command->add_option("--exclude", options->excluded, "Let files that match pass; the last rule wins")
      ->allow_extra_args(false)
      ->type_name("PATTERN");
  command->add_flag("-q,--quiet", options->quiet, "No message if the application ran uncoordinated");
  command->callback([&action, &rest, options, command, include] {
    options->command = rest;
    order_rules(*command, include, *options);
    action = [options](Output&) { return run_command(*options); };
  });
}

}  // namespace refrain::cli
