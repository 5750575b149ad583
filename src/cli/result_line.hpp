// What a command that wrote a trace says about it, in one line or as JSON.
#pragma once

#include <filesystem>
#include <string>

#include "report/info_json.hpp"
#include "trace/trace.hpp"

namespace refrain::cli {

/// "wrote app.rfn: 2 processes (1 ended early), 12,345 calls, 1.20 KB; 3 calls lost"
std::string result_line(const trace::Trace& trace, const std::filesystem::path& file);

/// The same, with the notes of the trace.
report::Json result_json(const trace::Trace& trace, const std::filesystem::path& file);

/// " for process 2 alone (\"solver\")" where a trace holds others beside it, " for 5 processes" if so many
/// are taken together; else nothing.
std::string one_of_several(const trace::Trace& trace, size_t process, size_t together);

/// Calls in the outer streams of a process, without expanding it.
uint64_t count_calls(const trace::Process& process);

}  // namespace refrain::cli
