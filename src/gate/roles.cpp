// See roles.hpp.
#include "gate/roles.hpp"

#include <algorithm>
#include <initializer_list>

namespace refrain::gate {

namespace {

using api::Kind;

bool has_any(const api::Row& row, std::initializer_list<Kind> wanted) {
  auto is_wanted = [&](Kind kind) { return std::find(wanted.begin(), wanted.end(), kind) != wanted.end(); };
  return std::any_of(row.arguments.begin(), row.arguments.end(),
                     [&](const api::Argument& argument) { return is_wanted(argument.kind); });
}

/// Through which data gets to a file, or from it.
bool has_file(const api::Row& row) {
  return has_any(row, {Kind::fd, Kind::stream, Kind::mpi_file, Kind::new_aio_list});
}

/// Attributes are small, and gathering or scattering stays in memory.
bool moves_elements(const api::Row& row) {
  return has_any(row, {Kind::h5_data_in, Kind::h5_data_out, Kind::h5_several_in, Kind::h5_several_out,
                       Kind::h5_read, Kind::h5_written}) ||
         (has_any(row, {Kind::h5_extent}) && has_any(row, {Kind::data_in, Kind::data_out}));
}

bool moves_data(const api::Row& row) {
  if (api::layer_named(row.layer).has_objects) return row.group == "data" && moves_elements(row);
  if (row.group == "data") return has_file(row) && !row.is(api::Trait::returns_character);
  // Of calls that don't wait, those that start something.
  return row.group == "async" && has_file(row) &&
         has_any(row, {Kind::size, Kind::moved_in, Kind::moved_out, Kind::new_aio_list});
}

}  // namespace

Role role_of(const api::Row& row) {
  if (!row.is_function) return Role::none;
  if (moves_data(row)) return Role::transfer;
  if (has_any(row, {Kind::closed_fd, Kind::target_fd, Kind::closed_stream})) return Role::release;
  if (row.group == "sync" && has_any(row, {Kind::fd, Kind::stream, Kind::mpi_file})) return Role::sync;
  return Role::none;
}

}  // namespace refrain::gate
