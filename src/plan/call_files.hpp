// Which files the calls of a trace concern, found by running it: handles are followed from the call that
// makes them to the one that closes them, paths from folder to folder.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "plan/arguments.hpp"
#include "trace/trace.hpp"

namespace refrain::plan {

/// Files by number, and dependencies between them. The first few numbers are not files: they stand for groups
/// of library calls that must be kept or dropped together.
class FileTies {
 public:
  /// Groups of calls that are kept all or not at all. Each class of handles is such a group, too:
  /// communicators, which ranks make together, requests, which are waited for together, and so on.
  enum Common : size_t {
    always,   ///< calls that are always kept: start and end of MPI, changes of folder
    objects,  ///< all calls of a library whose objects depend on each other
    first_class,
    commons = first_class + static_cast<size_t>(api::HandleClass::end)
  };
  static Common common_of(api::HandleClass c) {
    return static_cast<Common>(first_class + static_cast<size_t>(c));
  }
  struct File {
    std::string name{};  ///< path, or the function that made it
    bool has_path = false;
    uint64_t bytes = 0, calls = 0;
  };

  FileTies();

  size_t file(const std::string& name, bool has_path);
  /// Keeps both files or neither.
  void tie(size_t a, size_t b);
  /// If `file` is kept, so is `needed`.
  void need(size_t file, size_t needed);
  std::vector<File>& files() { return files_; }

  /// Which files are kept: those with more than `above` bytes, files tied to them, files they need, and the
  /// folders that hold them.
  std::vector<bool> kept(uint64_t above);

 private:
  size_t root(size_t file);
  void need_folders(size_t file);
  std::vector<File> files_;
  std::vector<size_t> same_;
  std::vector<std::vector<size_t>> needs_;
  std::unordered_map<std::string, size_t> by_name_;
};

/// Goes through the calls of one thread of one rank.
class CallFiles {
 public:
  using Parameters = std::span<const int64_t>;
  CallFiles(const trace::Trace& trace, FileTies& ties);

  /// A handle among the parameters of a call.
  struct Slot {
    size_t parameter = 0;
    std::string handle_class{};
    enum class Use : uint8_t { used, made, same, closed } use = Use::used;
  };
  const std::vector<Slot>& slots(uint32_t signature) const { return rules_[signature].slots; }

  void begin();
  /// The file that the next call concerns. What it ties to others is tied on the way.
  size_t take(uint32_t signature, Parameters parameters);
  /// Bytes that the call moves.
  uint64_t bytes(uint32_t signature, Parameters parameters) const;

 private:
  struct Path {
    size_t parameter = 0;
    uint32_t fields = 0;
    std::optional<size_t> folder{};  ///< parameter with the descriptor that it is relative to
  };
  struct Rule {
    std::vector<Slot> slots{};
    std::vector<Path> paths{};
    std::vector<std::pair<size_t, size_t>> bytes{};  ///< first parameter, and how many
    std::vector<FileTies::Common> commons{};         ///< that it belongs to
    std::vector<FileTies::Common> needs{};           ///< that must be there
    bool failed = false, moves = false, anonymous = false;
  };
  Rule rule_of(const trace::Signature& signature) const;
  static void rule_of_objects(const trace::Signature& signature, const CallPlan& plan, Rule& rule);
  size_t path(const Path& path, Parameters p);
  size_t handle(const Slot& slot, Parameters p);

  const trace::Trace& trace_;
  FileTies& ties_;
  std::vector<Rule> rules_;
  std::map<std::pair<std::string, int64_t>, size_t> handles_;  ///< files
  std::string current_;                                        ///< folder in which the program is
};

}  // namespace refrain::plan
