// From what the application holds to slots: looks handles up, classifies those never seen, and gives slots
// to new ones.
#pragma once

#include <stdio.h>

#include "record/known_paths.hpp"
#include "record/recorder.hpp"

namespace refrain::record {

/// The descriptor's handle. One not seen before is judged by what it is open on; if it is to be recorded, an
/// `inherited` event introduces it.
Handle meet_fd(Lane& lane, int fd);
inline Handle look_at_fd(Lane& lane, int fd) {
  Handle handle = shared.descriptors.get(fd);
  return handle.state() != Handle::State::unknown ? handle : meet_fd(lane, fd);
}
/// The same for a stream.
Handle meet_stream(Lane& lane, FILE* stream);
inline Handle look_at_stream(Lane& lane, FILE* stream) {
  Handle handle = shared.addresses.look(reinterpret_cast<uint64_t>(stream)).handle;
  return handle.state() != Handle::State::unknown ? handle : meet_stream(lane, stream);
}

/// Whether what is open as `fd` is recorded, given what the rules say of its name.
bool fd_counts(int fd, Filter::Verdict verdict);

/// Names a descriptor that a recorded call made for a file. `path`, if it is known, leads to what was opened,
/// and did so when names were as in `era`.
Handle name_new_fd(Lane& lane, int fd, Filter::Verdict verdict, KnownPaths::Path* path, uint32_t era);
/// Names a copy of a descriptor: it is recorded if the original is.
Handle name_copy(Lane& lane, int fd, Handle original);
Handle name_address(Lane& lane, HandleClass c, const void* address);
Handle name_map(Lane& lane, const void* address, size_t length);

/// A slot for a new handle.
Handle fresh_slot(Lane& lane, HandleClass c);
/// Says which descriptor a slot stands for that was given before there was one; frees the slot if what is
/// open there is not recorded.
void name_promised_fd(int fd, Handle promised, Filter::Verdict verdict);

/// Frees the slot in the pool of the lane that gave it.
void free_slot(Handle handle);
/// The same on the thread whose lane this is.
inline void free_slot(Lane& lane, Handle handle) {
  if (!handle.tracked()) return;
  if (handle.lane() != lane.number()) return free_slot(handle);
  lane.slots[static_cast<size_t>(handle.handle_class())].release(handle.slot(), others_at_tables(lane));
}
void forget_fd(int fd);
void forget_fds(unsigned first, unsigned last);
void forget_address(const void* address);
/// The same from outside a recorded call.
void forget_range(unsigned first, unsigned last, const char* frame);

/// The descriptor below a stream, or -1.
int descriptor_of(FILE* stream);

/// A relative path below an ignored directory is ignored like it; everything else goes by the rules.
Filter::Verdict judge_path(const char* path, Handle directory);
/// The same for a path below the folder that a descriptor leads to, judged as the absolute path that it is.
/// `known` is where the lane keeps what it knows of a path that needs no such folder.
Filter::Verdict judge_path_at(Lane& lane, const char* path, Handle directory, int fd,
                              KnownPaths::Path** known = nullptr);

}  // namespace refrain::record
