#include "base/launcher.hpp"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace refrain {
namespace table {
#include "base/launchers.h"
}

Launched launched() {
  const table::Launcher* row = table::own_launcher();
  if (row == nullptr) return {};
  return {table::launcher_number(row->rank), table::launcher_number(row->size),
          table::launcher_number(row->local_rank), table::launcher_number(row->local_size)};
}

JobName job_name() {
  JobName name;
  table::job_name(name.text, sizeof name.text);
  return name;
}

bool ranks_meet_by_pmi() {
  bool pmi = getenv("PMI_FD") != nullptr || getenv("PMI_PORT") != nullptr;
  return pmi && getenv("PMIX_NAMESPACE") == nullptr;
}

bool is_launcher(const char* program) { return table::is_launcher_name(program) != 0; }

bool parent_is_launcher() {
  char name[64];
  if (table::read_process(syscall(SYS_getppid), "comm", name, sizeof name) == 0) return false;
  name[strcspn(name, "\n")] = 0;
  return is_launcher(name);
}

}  // namespace refrain
