// The commands below `refrain schedule`, each in a file of its own.
#pragma once

#include "cli/command.hpp"

namespace refrain::cli {

void add_schedule_generate(CLI::App& group, Action& action);
void add_schedule_simulate(CLI::App& group, Action& action);
void add_schedule_compare(CLI::App& group, Action& action);
void add_schedule_plan(CLI::App& group, Action& action);
void add_schedule_gantt(CLI::App& group, Action& action);

}  // namespace refrain::cli
