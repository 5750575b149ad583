// `refrain schedule COMMAND`: jobs that share I/O nodes, simulated.
#include "cli/schedule.hpp"

namespace refrain::cli {

void add_schedule(CLI::App& root, Action& action) {
  CLI::App* group =
      add_command(root, "schedule", "Simulate and plan jobs that share I/O nodes",
                  "refrain schedule generate --load 3 --seed 7 -o jobs.json\n"
                  "  refrain schedule simulate jobs.json --policy stretch --mapping easy --sensibility 1.5\n"
                  "  refrain help schedule simulate");
  group->require_subcommand(1);
  add_schedule_generate(*group, action);
  add_schedule_simulate(*group, action);
  add_schedule_compare(*group, action);
  add_schedule_plan(*group, action);
  add_schedule_gantt(*group, action);
}

}  // namespace refrain::cli
