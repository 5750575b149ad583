// What must exist before the calls of a trace can be made again: files and folders that the program found, as
// large as what it read of them, and the folders in which it made its own.
//
// A file is identified by the image of its path, with the links that the program makes resolved (links.hpp).
// file_facts.hpp says when a file is an input.
//
// Only calls that matter are run (slice.hpp): if a program reads nothing, those that name files. If ranks
// make the same such calls, a few of them are examined for all (rank_classes.hpp), so that the time doesn't
// grow with the number of ranks unless what they read does.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "plan/arguments.hpp"
#include "plan/turn_order.hpp"
#include "trace/race.hpp"
#include "trace/trace.hpp"

namespace refrain::plan {

struct InputFile {
  std::string path{};
  uint64_t size = 0;
  std::vector<int64_t> lines{};  ///< lengths of the lines that were read one by one, from the beginning
  bool hdf5 = false;
  bool changed = false;  ///< HDF5: the program writes to it
  uint64_t link = 0;     ///< if it is a link: the length of its target's name; otherwise 0
  // Of a netCDF file, what it holds; see record/netcdf_header.cpp.
  std::vector<int64_t> header{};
  std::string names{};
  bool must_be_copied = false;  ///< the trace doesn't hold what is in it, so that it can't be made

  /// A file that is known by its path and size only.
  bool is_plain() const { return !hdf5 && header.empty() && lines.empty() && link == 0 && !must_be_copied; }
};
/// Why a file can't be made, and what to do; goes behind its path.
inline constexpr const char* must_be_copied_text =
    "this netCDF file can't be made, because the trace doesn't hold what is in it (netCDF-4, or a very long "
    "header): copy it below --root";

/// An object of an HDF5 file that was opened and never made.
struct InputObject {
  enum class Kind : uint8_t { group, dataset, attribute };
  Kind kind = Kind::group;
  std::string file{};
  std::string path{};       ///< from the root of the file; of an attribute, that of its object
  std::string attribute{};  ///< its name
  std::string type{};       ///< predefined datatype in which it was read, or a similar one; may be empty
  std::vector<int64_t>
      extent{};              ///< of a dataset: how far selections reached; empty if only `bytes` is known
  uint64_t bytes = 0;        ///< the most that one call read or wrote
  bool grows = false;        ///< dataset: the program changed its extent
  int dimensions = -1;       ///< if the program asked for their number, 0 for a scalar
  int64_t elements = 0;      ///< if it asked for their number
  std::string type_class{};  ///< if it asked
  int64_t type_size = 0;     ///< likewise

  /// Of a dataset.
  int dimensions_made() const {
    return !extent.empty() ? static_cast<int>(extent.size()) : dimensions < 0 ? 1 : dimensions;
  }
};

/// What an argument needs from other ranks or threads. The recorded program may have known by messages when
/// it was ready; messages are not repeated, so kernels and replays wait. For a path they wait for the file
/// that another makes, for the folder in which the call makes a file, for a turn with a file of a library
/// like HDF5, which only one may write at a time, until nobody has such a turn, until the file is gone, for a
/// file that exists for a moment only because others remove it as well, or, where the call appends to a file
/// that another has made anew, until nobody writes to it. For a handle they wait for the data that others
/// write.
enum class Awaited : uint8_t { file, folder, turn, end_of_turn, data, absence, moment, end_of_writing };
/// By number of the signature and of the operand.
using AwaitedPaths = std::map<std::pair<uint32_t, size_t>, Awaited>;

/// The handle argument through which a call reads awaited data; null if it reads none.
const GivenArgument* awaited_handle(const CallPlan& plan, const AwaitedPaths& awaited, uint32_t signature);

/// Whether a call whose outcome other ranks decide may end differently when it is repeated. A call that opens
/// a file for later calls must not fail.
bool may_end_otherwise(const trace::Races& races, uint32_t number, const trace::Signature& signature);

struct Inputs {
  std::vector<InputFile> files{};             ///< by path
  std::map<std::string, uint64_t> folders{};  ///< number of entries that were listed
  std::vector<InputObject> objects{};         ///< parents first
  AwaitedPaths awaited{};
  TurnPlaces turns{};
  trace::Races races{};
  bool complete = true;  ///< false: the trace is too long, and some ranks were not examined

  bool empty() const { return files.empty() && folders.empty() && objects.empty(); }

  /// Whether a folder was seen to hold something, so many entries having been listed: it lists itself and the
  /// one above in any case.
  static bool holds_something(uint64_t entries) { return entries > 2; }
  /// Whether there is more to be made than empty folders. These are made without being asked for; all else
  /// only with --prepare, by kernels and replays alike.
  bool needs_prepare() const;
  /// What is to be said of an HDF5 file that is made up and that the program writes to; empty if there is
  /// none.
  std::string changed_note() const;
  /// What is to be said of files that can't be made; empty if there are none.
  std::string copied_note() const;
  /// The folders alone, empty.
  Inputs folders_only() const;
};

/// Runs the outer streams of the process, up to `events` events.
Inputs find_inputs(const trace::Trace& trace, const trace::Process& process, uint64_t events = 4'000'000);

/// The same of several processes, in whatever order they run: what none of them makes before another one
/// needs it.
Inputs find_inputs(const trace::Trace& trace, const std::vector<const trace::Process*>& processes,
                   uint64_t events = 4'000'000);

}  // namespace refrain::plan
