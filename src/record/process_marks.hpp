// Marks of what a process does with others, in the journal between the events of its main thread: processes
// that it starts and waits for, and pipes. session/process_steps.cpp makes the steps of a trace of them.
//
// Pipes are not recorded call by call. Marked are the first call that brings data, the first that writes, the
// one that finds the end, and closing an end that was written to: enough to say who had to wait for whom. The
// handle of a descriptor that leads to a pipe is an ignored one that says which pipe it is, and which end.
#pragma once

#include <sys/stat.h>
#include <sys/types.h>

#include "record/lane.hpp"

namespace refrain::record {

/// The handle of a descriptor that isn't recorded; `info` says what it leads to.
Handle ignored_handle(int fd, const struct stat& info);
inline bool is_pipe(Handle handle) { return handle.state() == Handle::State::ignored && handle.slot() != 0; }

/// A call has moved data through a pipe; `at_end`: or found that no more will come.
void note_pipe_used(Lane& lane, Handle pipe, bool at_end);
void note_pipe_closed(Lane& lane, Handle pipe);

/// The process has started another one, which is not begun anew by a further note: a child of vfork may try
/// several programs.
void note_started(pid_t pid, const char* frame);
/// Called by a child of vfork that is about to become another program.
void note_vforked();
void note_ended(pid_t pid, int status, const char* frame);
/// A child that the C library starts and waits for itself; `tag` tells those that live at the same time
/// apart.
void note_unnamed(bool ended, uint32_t tag, uint64_t at_ticks, const char* frame);

/// Whether another process of the recording came before this one. Ranks are all alike.
bool is_descendant();

/// The process turned out to be a child, or records anew.
void forget_marks();

}  // namespace refrain::record
