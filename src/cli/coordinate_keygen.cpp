// `refrain coordinate keygen`: the keys of a coordinator and of those it lets in.
#include <fcntl.h>
#include <fmt/core.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <memory>

#include "cli/coordinate.hpp"
#include "coordinate/daemon.hpp"

namespace refrain::cli {

namespace {

namespace fs = std::filesystem;

struct KeygenOptions {
  std::string folder;
  std::string client;
};

/// `flags` as O_EXCL or O_APPEND.
Result<void> put_text(const std::string& path, const std::string& text, int flags, mode_t mode) {
  int descriptor = open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | flags, mode);
  if (descriptor < 0) return fail(ErrorKind::io, std::strerror(errno), path);
  ssize_t written = write(descriptor, text.data(), text.size());
  int error = errno;
  bool closed = close(descriptor) == 0;
  if (written == static_cast<ssize_t>(text.size()) && closed) return {};
  return fail(ErrorKind::io, written < 0 ? std::strerror(error) : "could not be written", path);
}

/// The coordinator's own pair: new, if there is none.
Result<coordinate::Keys> coordinator_keys(const std::string& folder) {
  std::string path = coordinate::coordinator_key_file(folder);
  if (fs::exists(path)) return coordinate::read_keys(path, false);
  Result<coordinate::Keys> keys = coordinate::make_keys();
  if (!keys) return keys;
  Result<void> written = put_text(path, coordinate::keys_text(*keys), O_EXCL, 0600);
  if (!written) return tl::unexpected(written.error());
  say("made " + path + ", the coordinator's own key");
  return keys;
}

Result<int> generate_keys(const KeygenOptions& options) {
  if (options.client.empty() || options.client.find_first_of("/ \t\n") != std::string::npos ||
      options.client == "coordinator") {
    return fail(ErrorKind::usage, "a client's name has neither slashes nor spaces, and is not 'coordinator'");
  }
  std::string folder = options.folder.empty() ? coordinate::default_key_folder() : options.folder;
  std::string path = folder + "/" + options.client + ".key";
  if (fs::exists(path))
    return fail(ErrorKind::usage, "is there already; --client NAME makes another one", path);
  std::error_code error;
  bool made = fs::create_directories(folder, error);
  if (error) return fail(ErrorKind::io, error.message(), folder);
  if (made) fs::permissions(folder, fs::perms::owner_all, error);
  Result<coordinate::Keys> server = coordinator_keys(folder);
  if (!server) return tl::unexpected(server.error());
  Result<coordinate::Keys> client = coordinate::make_keys();
  if (!client) return tl::unexpected(client.error());
  client->server_key = server->public_key;
  Result<void> written = put_text(path, coordinate::keys_text(*client), O_EXCL, 0600);
  if (written) {
    written = put_text(coordinate::known_clients_file(folder),
                       client->public_key + " " + options.client + "\n", O_APPEND, 0644);
  }
  if (!written) return tl::unexpected(written.error());
  say(fmt::format("made {}; the coordinator lets in who has it", path));
  return 0;
}

}  // namespace

void add_coordinate_keygen(CLI::App& group, Action& action) {
  CLI::App* command = add_command(group, "keygen", "Make the keys of a coordinator and of a client",
                                  "refrain coordinate keygen\n"
                                  "  refrain coordinate keygen --keys /etc/refrain --client alice");
  auto options = std::make_shared<KeygenOptions>();
  options->client = "client";
  command
      ->add_option("--keys", options->folder,
                   "Folder of keys (default: $REFRAIN_KEYS or ~/.config/refrain/coordinate)")
      ->type_name("FOLDER");
  command->add_option("--client", options->client, "Name of the client to make a key for: NAME.key")
      ->type_name("NAME")
      ->capture_default_str();
  command->callback([&action, options] { action = [options](Output&) { return generate_keys(*options); }; });
}

}  // namespace refrain::cli
