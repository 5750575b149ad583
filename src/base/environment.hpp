// The environment variables of Refrain, each described once: `refrain help environment` and the manual pages
// print this list, and a test holds it against the sources. Files that are copied into kernels
// (generate/runtime, wall) write the names out.
#pragma once

#include <string>
#include <string_view>

namespace refrain::environment {

struct Variable {
  const char* name;
  const char* commands;  ///< that it concerns, between blanks
  const char* meaning;
  bool for_users = true;  ///< else Refrain sets it for the programs that it starts
};

constexpr Variable coordinator{"REFRAIN_COORDINATOR", " run coordinate submit ",
                               "Address of the coordinator, where --coordinator isn't given."};
constexpr Variable io_node{"REFRAIN_IO_NODE", " run ",
                           "Which I/O node a job uses, where --io-node isn't given."};
constexpr Variable keys{"REFRAIN_KEYS", " run coordinate submit dispatch ",
                        "Folder of the keys by which a coordinator and its clients know each other."};
constexpr Variable run_options{
    "REFRAIN_RUN_OPTIONS", " submit ",
    "Further options of 'refrain run' in scripts that 'refrain submit' hands to Slurm."};
constexpr Variable in_place{
    "REFRAIN_IN_PLACE", " record ",
    "never: ranks leave merging to 'refrain record'. always: they merge in MPI_Finalize although they are on "
    "several hosts; the job hangs if not all of them are recorded."};
constexpr Variable patience{
    "REFRAIN_PATIENCE", " record generate ",
    "Seconds that ranks wait for each other when they merge (10), and that kernels of killed jobs wait at "
    "their end (30)."};
constexpr Variable mpi_library{"REFRAIN_MPI_LIBRARY", " replay ", "The MPI library that a replay opens."};
constexpr Variable hdf5_library{"REFRAIN_HDF5_LIBRARY", " replay ", "The HDF5 library that a replay opens."};
constexpr Variable netcdf_library{"REFRAIN_NETCDF_LIBRARY", " replay ",
                                  "The netCDF library that a replay opens."};
constexpr Variable pnetcdf_library{"REFRAIN_PNETCDF_LIBRARY", " replay ",
                                   "The PnetCDF library that a replay opens."};
constexpr Variable uring_library{"REFRAIN_URING_LIBRARY", " replay ", "The liburing that a replay opens."};
constexpr Variable parts{"REFRAIN_PARTS", " record ",
                         "Folder in which recorded processes leave what they record.", false};
constexpr Variable rules{"REFRAIN_RULES", " record ",
                         "Which files are recorded, from --include and --exclude.", false};
constexpr Variable layers{"REFRAIN_LAYERS", " record ", "Which layers are recorded, from --layers.", false};
constexpr Variable keep_attributes{"REFRAIN_KEEP_ATTRIBUTES", " record ",
                                   "Values of small attributes are kept, from --keep-attributes.", false};
constexpr Variable no_heat_map{"REFRAIN_NO_HEAT_MAP", " record ",
                               "When I/O happened is not kept, from --no-heat-map.", false};
constexpr Variable tree{"REFRAIN_TREE", " generate replay ",
                        "Which process of a tree a program is, in kernels and replays of several.", false};
constexpr Variable gate{"REFRAIN_GATE", " run ",
                        "The page that 'refrain run' shares with the programs of its job.", false};

constexpr const Variable* all[] = {
    &coordinator,   &io_node,     &keys,         &run_options,    &in_place,
    &patience,      &mpi_library, &hdf5_library, &netcdf_library, &pnetcdf_library,
    &uring_library, &parts,       &rules,        &layers,         &keep_attributes,
    &no_heat_map,   &tree,        &gate};

/// As a process is given it: `NAME=value`.
inline std::string assigned(const Variable& variable, std::string_view value) {
  return std::string(variable.name).append("=").append(value);
}
/// Whether an entry of an environment is about the variable.
inline bool assigns(std::string_view entry, const Variable& variable) {
  std::string_view name = variable.name;
  return entry.starts_with(name) && entry.substr(name.size()).starts_with('=');
}

}  // namespace refrain::environment
