/* What launchers of parallel jobs tell their ranks through the environment: one row each, used by the
 * recorder, by the tool, and, as text, by kernels; hence C that is C++ as well, and functions that only read:
 * the environment, and /proc by system calls that no recorder sees. A launcher stands before those that may
 * have started it: below mpirun in an allocation of Slurm there are variables of both. The last two rows are
 * for launchers that we don't know by name. */
struct Launcher {
  const char* mark; /* set for ranks, and for nothing else that has the other variables */
  const char *rank, *size, *local_rank, *local_size;
  const char *job, *step; /* together they tell this job from others; none: see launcher_process_name */
  const char* programs;   /* that are no part of the application */
};
static const struct Launcher launchers[] = {
    /* jsrun */
    {"JSM_NAMESPACE_RANK", "JSM_NAMESPACE_RANK", "JSM_NAMESPACE_SIZE", "JSM_NAMESPACE_LOCAL_RANK",
     "JSM_NAMESPACE_LOCAL_SIZE", "LSB_JOBID", "PMIX_NAMESPACE", "jsrun jsmd jskm"},
    /* Open MPI, by ORTE (2 to 4) or PRRTE (from 5 on) */
    {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_RANK",
     "OMPI_COMM_WORLD_LOCAL_SIZE", "PMIX_NAMESPACE", NULL,
     "orterun orted mpirun mpiexec mpirun.openmpi mpiexec.openmpi prterun prte prted prun"},
    /* Hydra: MPICH, Intel MPI, MVAPICH; and with -pmi-port, which leaves the size to MPI */
    {"MPI_LOCALRANKID", "PMI_RANK", "PMI_SIZE", "MPI_LOCALRANKID", "MPI_LOCALNRANKS", NULL, NULL,
     "mpiexec.hydra mpiexec.mpich mpirun.mpich hydra_pmi_proxy hydra_bstrap_proxy pmi_proxy"},
    {"MPI_LOCALRANKID", "PMI_ID", NULL, "MPI_LOCALRANKID", "MPI_LOCALNRANKS", NULL, NULL, ""},
    /* Flux */
    {"FLUX_TASK_RANK", "FLUX_TASK_RANK", "FLUX_JOB_SIZE", "FLUX_TASK_LOCAL_ID", NULL, "FLUX_JOB_ID", NULL,
     "flux flux-broker flux-shell"},
    /* PALS (Cray); Slurm and Flux set its variables, too */
    {"PALS_RANKID", "PALS_RANKID", "PMI_SIZE", "PALS_LOCAL_RANKID", "PMI_LOCAL_SIZE", "PALS_APID", NULL,
     "aprun palsd"},
    /* Slurm. A batch script has all of them but the step: it is alone, whatever SLURM_NTASKS says. */
    {"SLURM_STEP_ID", "SLURM_PROCID", "SLURM_STEP_NUM_TASKS", "SLURM_LOCALID", "SLURM_STEP_TASKS_PER_NODE",
     "SLURM_JOB_ID", "SLURM_STEP_ID", "srun salloc sbatch slurmstepd"},
    /* PMI */
    {"PMI_RANK", "PMI_RANK", "PMI_SIZE", "PMI_LOCAL_RANK", "PMI_LOCAL_SIZE", "PMI_JOBID", NULL, ""},
    /* PMIx: how many ranks there are only MPI knows */
    {"PMIX_RANK", "PMIX_RANK", NULL, NULL, NULL, "PMIX_NAMESPACE", NULL, ""},
    {NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL},
};

/* A number of the environment, or -1. Of a list, as in `2(x3),1`, the first. */
static inline long long launcher_number(const char* variable) {
  const char* text = variable ? getenv(variable) : NULL;
  return text && *text >= '0' && *text <= '9' ? strtoll(text, NULL, 10) : -1;
}

/* The row of the launcher that started this process as a rank, or NULL. */
static inline const struct Launcher* own_launcher(void) {
  for (const struct Launcher* row = launchers; row->mark; ++row) {
    long long rank_here = launcher_number(row->rank), ranks = launcher_number(row->size);
    if (getenv(row->mark) && rank_here >= 0 && (ranks < 0 || rank_here < ranks)) return row;
  }
  return NULL;
}

/* Whether a program of this name is a launcher. The system keeps only 15 characters of a process's name. */
static inline int is_launcher_name(const char* name) {
  size_t length = strlen(name);
  for (const struct Launcher* row = launchers; length > 0 && row->mark; ++row)
    for (const char* word = row->programs; *word;) {
      size_t end = strcspn(word, " ");
      if ((end == length || (end > length && length == 15)) && strncmp(word, name, length) == 0) return 1;
      word += end + strspn(word + end, " ");
    }
  return 0;
}

/* Reads the beginning of a file in /proc; how much, or 0. A zero follows. */
static inline long read_process(long pid, const char* file, char* text, size_t size) {
  char path[64];
  snprintf(path, sizeof path, "/proc/%ld/%s", pid, file);
  long fd = syscall(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC, 0);
  long length = fd < 0 ? 0 : syscall(SYS_read, fd, text, size - 1);
  if (fd >= 0) syscall(SYS_close, fd);
  if (length < 0) length = 0;
  text[length] = 0;
  return length;
}

/* The nearest launcher's process above this one, or 0; `began` receives when it was started. */
static inline long launcher_process(long long* began) {
  char stat[1024];
  long pid = syscall(SYS_getppid);
  for (int level = 0; level < 100 && pid > 0; ++level) {
    if (!read_process(pid, "stat", stat, sizeof stat)) return 0;
    char *name = strchr(stat, '('), *rest = strrchr(stat, ')');
    if (!name || !rest) return 0;
    *rest = 0;
    char* field = rest + 1;
    for (int i = 0; i < 20 && field; ++i) field = strchr(field + 1, ' ');
    *began = field ? strtoll(field, NULL, 10) : 0;
    if (is_launcher_name(name + 1)) return pid;
    pid = strlen(rest + 1) > 3 ? strtol(rest + 4, NULL, 10) : 0;
  }
  return 0;
}

/* Hydra gives its jobs no names. But its process above the ranks was told where to find the one that started
 * it: the same on all hosts of a job, and another for every job that runs. Any other launcher has its number.
 */
static inline int launcher_process_name(char* name, size_t size) {
  static const char options[] = "--control-port --upstream-host --upstream-port --pgid ";
  char words[4096];
  long long began = 0;
  long pid = launcher_process(&began);
  size_t used = 0;
  if (pid == 0) return 0;
  long length = read_process(pid, "cmdline", words, sizeof words);
  name[0] = 0;
  for (const char* word = words; word < words + length;) {
    const char* next = word + strlen(word) + 1;
    const char* option = next < words + length ? strstr(options, word) : NULL;
    if (option && word[0] == '-' && word[1] == '-' && option[strlen(word)] == ' ' && used < size)
      used += snprintf(name + used, size - used, used ? ".%s" : "%s", next);
    word = next;
  }
  if (used == 0) snprintf(name, size, "%ld.%lld", pid, began);
  return 1;
}

/* What all ranks of this job have in common and other jobs don't, fit for a file's name; 0 if no launcher
 * started us. */
static inline int job_name(char* name, size_t size) {
  const struct Launcher* row = own_launcher();
  size_t used = 0;
  name[0] = 0;
  if (!row) return 0;
  const char* variables[] = {row->job, row->step};
  for (int i = 0; i < 2; ++i) {
    const char* part = variables[i] ? getenv(variables[i]) : NULL;
    if (part && used < size) used += snprintf(name + used, size - used, used ? ".%s" : "%s", part);
  }
  if (used == 0 && !launcher_process_name(name, size)) return 0;
  for (char* c = name; *c; ++c)
    if (!strchr("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789.-", *c)) *c = '_';
  return 1;
}
