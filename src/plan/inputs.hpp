// What must exist before the calls of a trace can be made again: files and folders that the program found, as
// large as what it read of them, and the folders in which it made its own.
//
// Files are told apart by the image of their path, with the links that the program makes resolved
// (links.hpp). What makes a file an input is said in file_facts.hpp.
//
// Only calls that can tell something are run (slice.hpp): of a program that reads nothing, those that name
// files. Of ranks that make the same such calls, a few stand for all (rank_classes.hpp), so that the time
// this takes doesn't grow with the number of ranks unless what they read does.
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
  uint64_t link = 0;     ///< length of the name that it is a link to; 0: it is none
  // Of a netCDF file, what it holds; see record/netcdf_header.cpp.
  std::vector<int64_t> header{};
  std::string names{};
};

/// An object of an HDF5 file that was opened and never made.
struct InputObject {
  enum class Kind : uint8_t { group, dataset, attribute };
  Kind kind = Kind::group;
  std::string file{};
  std::string path{};             ///< from the root of the file; of an attribute, that of its object
  std::string attribute{};        ///< its name
  std::string type{};             ///< predefined datatype in which it was read, or one like it; else empty
  std::vector<int64_t> extent{};  ///< dataset: as far as selections reached; empty if only `bytes` is known
  uint64_t bytes = 0;             ///< most that one call read or wrote of it
  bool grows = false;             ///< dataset: the program changed its extent
  int dimensions = -1;            ///< if the program asked for their number, 0 for a scalar
  int64_t elements = 0;           ///< if it asked for their number
  std::string type_class{};       ///< if it asked
  int64_t type_size = 0;          ///< likewise

  /// Of a dataset.
  int dimensions_made() const {
    return !extent.empty() ? static_cast<int>(extent.size()) : dimensions < 0 ? 1 : dimensions;
  }
};

/// What an argument needs of other ranks or threads. A path: the file that one of them makes, the folder in
/// which the call makes it, a turn with an HDF5 file, which only one may write at a time, or that nobody has
/// such a turn just then, that the file is no more, or, if others remove it as well, that it is there for a
/// moment; or, where the call appends to what another has made anew, that nobody writes to it any more. A
/// handle: the data that they write. In the recorded program messages may have told when; they are not
/// repeated, so it is waited for.
enum class Awaited : uint8_t { file, folder, turn, end_of_turn, data, absence, moment, end_of_writing };
/// By number of the signature and of the operand.
using AwaitedPaths = std::map<std::pair<uint32_t, size_t>, Awaited>;

/// The handle among the arguments through which a call reads data that is awaited; null if it reads none.
const GivenArgument* awaited_handle(const CallPlan& plan, const AwaitedPaths& awaited, uint32_t signature);

/// Whether a call that others decide may also end otherwise than recorded when it is made again. What opens a
/// file for the calls that follow may not fail.
bool may_end_otherwise(const trace::Races& races, uint32_t number, const trace::Signature& signature);

struct Inputs {
  std::vector<InputFile> files{};             ///< by path
  std::map<std::string, uint64_t> folders{};  ///< with the number of entries that were listed
  std::vector<InputObject> objects{};         ///< those that hold others first
  AwaitedPaths awaited{};
  TurnPlaces turns{};
  trace::Races races{};
  bool complete = true;  ///< false: the trace is too long, some ranks were not looked at

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
  /// The folders alone, empty.
  Inputs folders_only() const;
};

/// Runs the outer streams of the process, up to `events` events.
Inputs find_inputs(const trace::Trace& trace, const trace::Process& process, uint64_t events = 4'000'000);

}  // namespace refrain::plan
