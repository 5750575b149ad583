// Files, ranks and layers with their figures, for people.
#pragma once

#include "cli/output.hpp"
#include "measure/file_usage.hpp"
#include "measure/summary.hpp"

namespace refrain::cli {

/// Each with the objects in it, then the patterns of accesses in words.
void print_files(const measure::Usage& usage, Output& out);
/// Ranks that did the same on one line.
void print_ranks(const measure::Usage& usage, Output& out);
/// What the program called, and what became of that below.
void print_layers(const measure::Summary& summary, Output& out);

}  // namespace refrain::cli
