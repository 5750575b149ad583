// Darshan's extended traces (DXT): the text of darshan-dxt-parser, which lists every transfer of its POSIX
// and MPI-IO modules by file and rank; the text of darshan-parser may stand beside it, for names and facts of
// the job. DXT knows transfers only, so a rank opens a file before its first one and closes it behind its
// last. Transfers of system calls on files that are used through MPI-IO are what MPI-IO caused: they stand in
// the stream of their layer, as those of a recorded trace do.
#include <fcntl.h>
#include <fmt/core.h>

#include <algorithm>
#include <map>

#include "exchange/free_slots.hpp"
#include "exchange/importers.hpp"
#include "exchange/input_lines.hpp"
#include "exchange/trace_builder.hpp"
#include "trace/notes.hpp"

namespace refrain::exchange {

using namespace trace;

namespace {

constexpr int64_t most_ranks_imported = 1 << 16;

struct DxtTransfer {
  uint64_t start_ns = 0, end_ns = 0;
  int64_t offset = 0, bytes = 0;  ///< offset -1: not known, of MPI-IO
  uint32_t file = 0;
  bool writes = false;
  bool by_mpi = false;
};

struct DxtFile {
  std::string path{};
  bool by_mpi = false;
};

/// All that the files say.
struct DxtLog {
  std::vector<DxtFile> files{};
  std::map<std::string, uint32_t> by_path{};
  std::map<std::string, std::string> names{};  ///< by record id, from the text of darshan-parser
  std::map<uint32_t, std::vector<DxtTransfer>> ranks{};
  std::string command{}, host{};
  int64_t nprocs = 0, start_s = 0;
  uint64_t stdio_bytes = 0;
  uint64_t unplaced = 0, deduced = 0;
  bool incomplete = false;

  uint32_t file(const std::string& path) {
    auto [entry, is_new] = by_path.try_emplace(path, static_cast<uint32_t>(files.size()));
    if (is_new) files.push_back({path});
    return entry->second;
  }
};

class DxtReader {
 public:
  DxtReader(DxtLog& log, InputLines& lines) : log_(log), lines_(lines) {}

  Result<void> run() {
    return for_each_line(lines_, [&] { return line(lines_.line()); });
  }

 private:
  Result<void> line(std::string_view text) {
    if (text.starts_with("# DXT, ")) return about_file(text.substr(7));
    if (text.starts_with('#')) return about_job(text);
    std::vector<std::string_view> words = split_words(text);
    if (words.empty()) return {};
    if (words[0] == "X_POSIX" || words[0] == "X_MPIIO") return transfer(words);
    return counter(text);
  }

  Result<void> about_job(std::string_view text) {
    auto value = [&](std::string_view key) -> std::optional<std::string_view> {
      if (!text.starts_with(key)) return {};
      return text.substr(key.size());
    };
    if (auto exe = value("# exe: ")) log_.command = std::string(*exe);
    if (auto start = value("# start_time: ")) log_.start_s = decimal(*start).value_or(0);
    if (auto nprocs = value("# nprocs: ")) {
      std::optional<int64_t> number = decimal(*nprocs);
      if (!number || *number < 1 || *number > most_ranks_imported)
        return lines_.bad(fmt::format("the number of processes is not one of 1 to {}", most_ranks_imported));
      log_.nprocs = *number;
    }
    log_.incomplete |= text.find("incomplete data") != text.npos;
    return {};
  }

  /// "file_id: 123, file_name: /a/b" and "rank: 3, hostname: n1"
  Result<void> about_file(std::string_view text) {
    constexpr std::string_view id_key = "file_id: ", name_key = ", file_name: ", host_key = ", hostname: ";
    if (text.starts_with(id_key)) {
      size_t name = text.find(name_key);
      if (name == text.npos) return lines_.bad("a file without a name");
      std::string id(text.substr(id_key.size(), name - id_key.size()));
      std::string path(text.substr(name + name_key.size()));
      auto better = log_.names.find(id);
      if (better != log_.names.end()) path = better->second;
      if (path.empty() || path == "(null)") path = fmt::format("file_{}", id);
      file_ = log_.file(path);
    }
    if (size_t host = text.find(host_key); host != text.npos && log_.host.empty())
      log_.host = std::string(text.substr(host + host_key.size()));
    return {};
  }

  Result<void> transfer(const std::vector<std::string_view>& words) {
    if (!file_) return lines_.bad("a transfer before the name of its file");
    if (words.size() < 8) return lines_.bad("a transfer of less than eight columns");
    DxtTransfer t{.file = *file_};
    std::optional<int64_t> rank = decimal(words[1]), offset = decimal(words[4]), bytes = decimal(words[5]);
    std::optional<uint64_t> start = seconds_as_ns(words[6]), end = seconds_as_ns(words[7]);
    if (!rank || *rank < 0 || *rank >= most_ranks_imported) return lines_.bad("a transfer of no rank");
    if (words[2] != "write" && words[2] != "read")
      return lines_.bad("a transfer that neither reads nor writes");
    bool by_mpi = words[0] == "X_MPIIO";
    if (!offset || !bytes || *offset < (by_mpi ? -1 : 0) || *bytes < 0)
      return lines_.bad("bad offset or length");
    if (!start || !end) return lines_.bad("bad time");
    t.start_ns = *start;
    t.end_ns = *end;
    t.offset = *offset;
    t.bytes = *bytes;
    t.writes = words[2] == "write";
    t.by_mpi = by_mpi;
    log_.files[*file_].by_mpi |= t.by_mpi;
    log_.ranks[static_cast<uint32_t>(*rank)].push_back(t);
    return {};
  }

  /// A line of darshan-parser: module, rank, record, counter, value, name, separated by tabs.
  Result<void> counter(std::string_view text) {
    std::vector<std::string_view> columns;
    while (columns.size() < 6) {
      size_t end = std::min(text.find('\t'), text.size());
      columns.push_back(text.substr(0, end));
      if (end == text.size()) break;
      text.remove_prefix(end + 1);
    }
    if (columns.size() < 6) return lines_.bad("neither a transfer nor a counter");
    log_.names.try_emplace(std::string(columns[2]), columns[5]);
    if (columns[3] == "STDIO_BYTES_READ" || columns[3] == "STDIO_BYTES_WRITTEN")
      if (std::optional<int64_t> value = decimal(columns[4]); value && *value > 0)
        log_.stdio_bytes += static_cast<uint64_t>(*value);
    return {};
  }

  DxtLog& log_;
  InputLines& lines_;
  std::optional<uint32_t> file_;
};

/// The calls of one rank in one stream.
class DxtCalls {
 public:
  DxtCalls(const DxtLog& log, MemberBuilder& member, std::string layer)
      : log_(log), member_(member), layer_(std::move(layer)) {}

  Result<void> run(const std::vector<const DxtTransfer*>& transfers) {
    std::map<Key, Use> uses;
    for (size_t i = 0; i < transfers.size(); ++i) {
      Use& use = uses[key(*transfers[i])];
      use.last = i;
      (transfers[i]->writes ? use.writes : use.reads) = true;
    }
    std::map<Key, int64_t> slots;
    for (size_t i = 0; i < transfers.size(); ++i) {
      const DxtTransfer& t = *transfers[i];
      const Use& use = uses[key(t)];
      auto [slot, fresh] = slots.try_emplace(key(t), 0);
      if (fresh) {
        slot->second = free_[t.by_mpi].take();
        if (Result<void> done = put(open_call(t, use, slot->second), t.start_ns, t.start_ns); !done)
          return done;
      }
      if (Result<void> done = put(transfer_call(t, slot->second), t.start_ns, t.end_ns); !done) return done;
      if (use.last != i) continue;
      if (Result<void> done = put(close_call(t, slot->second), t.end_ns, t.end_ns); !done) return done;
      free_[t.by_mpi].give_back(slot->second);
      slots.erase(slot);
    }
    return {};
  }

 private:
  using Key = std::pair<uint32_t, bool>;  ///< file, by MPI
  struct Use {
    size_t last = 0;
    bool reads = false, writes = false;
  };
  static Key key(const DxtTransfer& t) { return {t.file, t.by_mpi}; }

  Result<ImportedCall> open_call(const DxtTransfer& t, const Use& use, int64_t slot) const {
    const std::string& path = log_.files[t.file].path;
    if (t.by_mpi) {
      const char* mode = use.reads && use.writes ? "MPI_MODE_CREATE|MPI_MODE_RDWR"
                         : use.writes            ? "MPI_MODE_CREATE|MPI_MODE_WRONLY"
                                                 : "MPI_MODE_RDONLY";
      return call_of_row("MPI_File_open", {{0, "MPI_COMM_SELF"}, {0, path}, {0, mode}, {0, "MPI_INFO_NULL"}},
                         slot);
    }
    if (!use.writes) return call_of_row("open", {{0, path}, {O_RDONLY}}, slot);
    constexpr int64_t usual_mode = 0644;
    return call_of_row("open", {{0, path}, {(use.reads ? O_RDWR : O_WRONLY) | O_CREAT}, {usual_mode}}, slot);
  }

  static Result<ImportedCall> transfer_call(const DxtTransfer& t, int64_t slot) {
    if (t.by_mpi && t.offset < 0)
      return call_of_row(t.writes ? "MPI_File_write" : "MPI_File_read",
                         {{slot}, {t.bytes}, {t.bytes}, {0, "MPI_BYTE"}}, 0);
    if (t.by_mpi)
      return call_of_row(t.writes ? "MPI_File_write_at" : "MPI_File_read_at",
                         {{slot}, {t.offset}, {t.bytes}, {t.bytes}, {0, "MPI_BYTE"}}, 0);
    return call_of_row(t.writes ? "pwrite" : "pread", {{slot}, {0}, {t.bytes}, {t.offset}}, t.bytes);
  }

  static Result<ImportedCall> close_call(const DxtTransfer& t, int64_t slot) {
    return call_of_row(t.by_mpi ? "MPI_File_close" : "close", {{slot}}, 0);
  }

  Result<void> put(Result<ImportedCall> call, uint64_t start_ns, uint64_t end_ns) {
    if (!call) return tl::unexpected(call.error());
    call->start_ns = start_ns;
    call->end_ns = end_ns;
    return member_.add(*call, 0, layer_);
  }

  const DxtLog& log_;
  MemberBuilder& member_;
  std::string layer_;
  std::map<bool, FreeSlots> free_;  ///< by MPI or not
};

/// Gives transfers of MPI-IO without a place that of the system calls below, where these are as many and as
/// large; returns how many are left without.
uint64_t deduce_places(std::vector<DxtTransfer>& transfers) {
  struct Pair {
    std::vector<DxtTransfer*> above{}, below{};
  };
  std::map<std::pair<uint32_t, bool>, Pair> pairs;  // file, direction
  for (DxtTransfer& t : transfers)
    (t.by_mpi ? pairs[{t.file, t.writes}].above : pairs[{t.file, t.writes}].below).push_back(&t);
  uint64_t left = 0;
  for (auto& [key, pair] : pairs) {
    bool same = std::equal(pair.above.begin(), pair.above.end(), pair.below.begin(), pair.below.end(),
                           [](const DxtTransfer* a, const DxtTransfer* b) { return a->bytes == b->bytes; });
    for (size_t i = 0; i < pair.above.size(); ++i) {
      if (pair.above[i]->offset >= 0) continue;
      if (same) pair.above[i]->offset = pair.below[i]->offset;
      left += !same;
    }
  }
  return left;
}

Result<Trace> rank_trace(const DxtLog& log, uint32_t rank, bool has_inner) {
  Process process{.ranks = RankSet::range(rank, 1), .directory = "/", .ending = Ending::exited};
  for (std::string_view word : split_words(log.command)) process.arguments.emplace_back(word);
  if (!process.arguments.empty()) process.program = process.arguments[0];
  process.start_ns =
      static_cast<uint64_t>(std::clamp<int64_t>(log.start_s, 0, 9'000'000'000)) * 1'000'000'000;
  MemberBuilder member(std::move(process));
  std::vector<const DxtTransfer*> outer, system;
  if (auto found = log.ranks.find(rank); found != log.ranks.end()) {
    for (const DxtTransfer& t : found->second) {
      if (t.by_mpi || !log.files[t.file].by_mpi) outer.push_back(&t);
      if (!t.by_mpi) system.push_back(&t);
    }
  }
  auto by_start = [](const DxtTransfer* a, const DxtTransfer* b) { return a->start_ns < b->start_ns; };
  std::stable_sort(outer.begin(), outer.end(), by_start);
  std::stable_sort(system.begin(), system.end(), by_start);
  if (Result<void> done = DxtCalls(log, member, "").run(outer); !done) return tl::unexpected(done.error());
  if (has_inner)
    if (Result<void> done = DxtCalls(log, member, "posix").run(system); !done)
      return tl::unexpected(done.error());
  Trace piece = member.finish();
  piece.nprocs = static_cast<uint32_t>(log.nprocs);
  piece.command = log.command;
  piece.host = log.host;
  return piece;
}

std::vector<std::string> notes_of(const DxtLog& log) {
  std::vector<std::string> notes{
      "imported from Darshan DXT, which knows transfers of POSIX and MPI-IO only: opens and closes are made "
      "up "
      "around them; there are no seeks, no barriers, no metadata calls, no HDF5, and no telling collective "
      "transfers from "
      "independent ones",
      "times of DXT have four decimals: the order of transfers that begin within 0.1 ms is that of the log"};
  if (log.deduced > 0)
    notes.push_back(fmt::format(
        "the log has no places of {} transfers of MPI-IO: they are those of the system calls below",
        log.deduced));
  if (log.unplaced > 0)
    notes.push_back(fmt::format("the log has no places of {} transfers of MPI-IO: they use the file pointer",
                                log.unplaced));
  if (log.stdio_bytes > 0)
    notes.push_back(
        fmt::format("{}{} bytes moved by stdio, which DXT doesn't trace", missing_note, log.stdio_bytes));
  if (log.incomplete) notes.push_back(fmt::format("{}Darshan's log is incomplete", missing_note));
  return notes;
}

}  // namespace

Result<Trace> import_dxt(const std::vector<std::filesystem::path>& files, const ImportOptions&) {
  DxtLog log;
  for (const std::filesystem::path& file : files) {
    InputLines lines;
    if (Result<void> opened = lines.open(file); !opened) return tl::unexpected(opened.error());
    if (Result<void> done = DxtReader(log, lines).run(); !done) return tl::unexpected(done.error());
  }
  if (log.ranks.empty()) return fail(ErrorKind::bad_input, "no transfers of DXT", files.front().string());
  for (auto& [rank, transfers] : log.ranks) {
    auto unknown = static_cast<uint64_t>(
        std::count_if(transfers.begin(), transfers.end(), [](const DxtTransfer& t) { return t.offset < 0; }));
    uint64_t left = unknown > 0 ? deduce_places(transfers) : 0;
    log.unplaced += left;
    log.deduced += unknown - left;
  }
  log.nprocs = std::max<int64_t>(log.nprocs, int64_t{log.ranks.rbegin()->first} + 1);
  bool has_inner = false;
  for (const auto& [rank, transfers] : log.ranks)
    has_inner |= std::any_of(transfers.begin(), transfers.end(),
                             [&](const DxtTransfer& t) { return !t.by_mpi && log.files[t.file].by_mpi; });
  std::vector<Trace> members;
  for (int64_t rank = 0; rank < log.nprocs; ++rank) {
    Result<Trace> one = rank_trace(log, static_cast<uint32_t>(rank), has_inner);
    if (!one) return one;
    members.push_back(std::move(*one));
  }
  return assemble_members(std::move(members), "Darshan DXT", notes_of(log));
}

}  // namespace refrain::exchange
