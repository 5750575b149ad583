// What `refrain dispatch` has decided about a job, in the job's administrative comment: Slurm keeps it, only
// operators can write it, and a dispatcher that is started anew finds it there. Before the start it names the
// pack, from the start on also the I/O node and who coordinates it.
//
//   refrain/1 pack=12 on=io2 by=make-pack/1
//   refrain/1 pack=12 on=io2 by=make-pack/1 io-node=2 coordinator=tcp://10.0.0.1:7000
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace refrain::coordinate {

struct DispatchNote {
  uint64_t pack = 0;  ///< packs of a partition run in ascending order; 0: none
  std::string partition{};
  std::string mapping{};  ///< that made the pack; another one makes its own
  std::optional<uint32_t> io_node{};
  std::string coordinator{};
  bool operator==(const DispatchNote&) const = default;
};

std::string note_text(const DispatchNote& note);
/// Nothing if the comment is somebody else's.
std::optional<DispatchNote> read_note(std::string_view admin_comment);

/// Whether the text can stand in a note: not empty, no spaces, nothing that a shell would look at twice.
bool is_plain_word(std::string_view text);

}  // namespace refrain::coordinate
