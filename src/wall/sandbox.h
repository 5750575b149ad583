/* Underneath the rest stands a wall that doesn't depend on our being right: Landlock, by which the kernel of
 * the system refuses to change files elsewhere than where it was allowed beforehand. Reading is not
 * restricted. */
#include <glob.h>       // glob glob_t globfree
#include <strings.h>    // strncasecmp
#include <sys/prctl.h>  // prctl PR_*
enum {
  landlock_create_ruleset = 444, /* system calls, numbered alike everywhere; headers may be older */
  landlock_add_rule = 445,
  landlock_restrict_self = 446,
};
enum {
  may_write = 1 << 1,
  may_make_devices = 1 << 6 | 1 << 11,
  may_rearrange = 0x1ff0, /* remove and make entries of folders, of all sorts */
  may_move = 1 << 13,
  may_truncate = 1 << 14,
  may_ask_devices = 1 << 15,
  may_change_files = may_write | may_truncate | may_ask_devices,
};
struct wall_gate {
  uint64_t rights;
  int32_t folder;
} __attribute__((packed));
/* Allows what is handled, of `rights`, to the file of this name or below the folder; nothing if there is
 * none. */
static inline void wall_open_gate(int rules, const char* path, uint64_t rights) {
  struct statx status;
  struct wall_gate gate = {rights, (int)syscall(SYS_openat, AT_FDCWD, path, O_PATH | O_CLOEXEC)};
  if (gate.folder < 0) return;
  if (syscall(SYS_statx, gate.folder, "", AT_EMPTY_PATH, STATX_TYPE, &status) == 0 &&
      !S_ISDIR(status.stx_mode))
    gate.rights &= may_change_files;
  syscall(landlock_add_rule, rules, 1, &gate, 0);
  syscall(SYS_close, gate.folder);
}
static inline void wall_open_gates(int rules, const char* pattern, uint64_t rights) {
  glob_t found;
  if (glob(pattern, 0, NULL, &found) != 0) return;
  for (size_t i = 0; i < found.gl_pathc; ++i) wall_open_gate(rules, found.gl_pathv[i], rights);
  globfree(&found);
}
/* The folder that Slurm has made for this step's ranks, below its TmpFS. */
static inline void wall_open_gate_of_slurm(int rules, uint64_t rights) {
  const char *job = getenv("SLURM_JOB_ID"), *step = getenv("SLURM_STEP_ID"),
             *node = getenv("SLURMD_NODENAME");
  const char* settings = getenv("SLURM_CONF");
  char line[1000], folder[1000] = "/tmp", path[4300];
  if (!job || !step) return;
  FILE* file = fopen(settings ? settings : "/etc/slurm/slurm.conf", "re");
  while (file && fgets(line, sizeof line, file))
    if (strncasecmp(line, "TmpFS=", 6) == 0)
      snprintf(folder, sizeof folder, "%.*s", (int)strcspn(line + 6, " \t\r\n"), line + 6);
  if (file) fclose(file);
  char* name = strstr(folder, "%n");
  int before = name ? (int)(name - folder) : (int)strlen(folder);
  snprintf(path, sizeof path, "%.*s%s%s/spmix_appdir_%u_%s.%s", before, folder, name && node ? node : "",
           name ? name + 2 : "", (unsigned)geteuid(), job, step);
  wall_open_gate(rules, path, rights);
}
/* What MPI needs for itself: memory that ranks share, folders that its launcher has made, devices of
 * networks. Where that launcher isn't Open MPI's own, which makes a folder for each job, ranks get one for
 * what they would put into /tmp. */
static inline void wall_open_gates_of_mpi(int rules, uint64_t rights) {
  static const char* const devices[] = {"shm",   "infiniband", "knem", "xpmem", "cxi*",  "hfi1*",
                                        "kgni*", "nvidia*",    "kfd",  "dri",   "gdrdrv"};
  static const char* const sessions[] = {"ompi.*", "openmpi-sessions-*", "prte.*", "prterun.*", "pmix*"};
  const char *temporary[] = {"/tmp", getenv("TMPDIR")}, *server = getenv("PMIX_SERVER_TMPDIR");
  char path[4300];
  for (size_t i = 0; i < sizeof devices / sizeof *devices; ++i) {
    snprintf(path, sizeof path, "/dev/%s", devices[i]);
    wall_open_gates(rules, path, rights | may_ask_devices);
  }
  if (server && strcmp(server, "/tmp") != 0 && (!temporary[1] || strcmp(server, temporary[1]) != 0))
    wall_open_gate(rules, server, rights);
  wall_open_gate_of_slurm(rules, rights);
  if (!getenv("OMPI_COMM_WORLD_RANK")) {
    const char* above = temporary[1] ? temporary[1] : temporary[0];
    snprintf(path, sizeof path, "%s/refrain-mpi.%u", above, (unsigned)geteuid());
    struct statx status;
    syscall(SYS_mkdirat, AT_FDCWD, path, 0700);
    int found = (int)syscall(SYS_statx, AT_FDCWD, path, AT_SYMLINK_NOFOLLOW, STATX_TYPE | STATX_UID, &status);
    if (found == 0 && S_ISDIR(status.stx_mode) && status.stx_uid == geteuid()) {
      wall_open_gate(rules, path, rights);
      setenv("TMPDIR", path, 1);
    }
    return;
  }
  for (size_t t = 0; t < 2; ++t)
    for (size_t i = 0; temporary[t] && i < sizeof sessions / sizeof *sessions; ++i) {
      snprintf(path, sizeof path, "%s/%s", temporary[t], sessions[i]);
      wall_open_gates(rules, path, rights);
    }
}
/* Processes behind walls of their own can't read each other's memory: MPI is told not to try. MPICH may hang
 * at its end if UCX is told to do without; but UCX tries only for messages above a size. */
static inline void wall_share_by_copies(void) {
  int is_mpich = getenv("PMI_FD") || getenv("PMI_PORT");
  setenv("OMPI_MCA_btl_vader_single_copy_mechanism", "none", 0); /* Open MPI 3 and 4 */
  setenv("OMPI_MCA_smsc", "^cma", 0);                            /* Open MPI 5 */
  setenv(is_mpich ? "UCX_RNDV_THRESH" : "UCX_TLS", is_mpich ? "inf" : "^cma", 0);
  setenv("UCX_POSIX_USE_PROC_LINK", "n", 0);
  setenv("MPIR_CVAR_CH4_CMA_ENABLE", "0", 0); /* MPICH */
  setenv("FI_SHM_DISABLE_CMA", "1", 0);       /* libfabric */
  setenv("MV2_SMP_USE_CMA", "0", 0);          /* MVAPICH2 */
}
/* A superuser's power over more than files, which no calls about files need. */
static inline void wall_give_up_powers(void) {
  static const int given_up[] = {9,  16, 17,
                                 21, 22, 27}; /* immutable files, modules, raw I/O, admin, reboot, mknod */
  struct {
    uint32_t version;
    int32_t process;
  } about = {0x20080522, 0};
  struct {
    uint32_t effective, permitted, inheritable;
  } powers[2];
  if (syscall(SYS_capget, &about, powers) != 0) return;
  for (size_t i = 0; i < sizeof given_up / sizeof *given_up; ++i) {
    powers[0].effective &= ~(UINT32_C(1) << given_up[i]);
    powers[0].permitted &= ~(UINT32_C(1) << given_up[i]);
    powers[0].inheritable &= ~(UINT32_C(1) << given_up[i]);
  }
  syscall(SYS_capset, &about, powers);
}
/* Which Landlock there is; 0, with the reason, if none that will do. */
static inline int wall_version(const char** reason) {
  long version = syscall(landlock_create_ruleset, NULL, 0, 1);
  *reason = version < 0 && errno == EOPNOTSUPP ? "Landlock is switched off in this system's kernel"
            : version < 0                      ? "this system's kernel has no Landlock (Linux 5.19 has)"
            : version < 2 ? "this system's Landlock forbids moving files (that of Linux 5.19 doesn't)"
                          : NULL;
  return *reason ? 0 : (int)version;
}
/* From now on this thread, and those that it starts, change files below the root only, and those that must
 * be: what MPI needs for itself if `uses_mpi`, what a recorder writes. NULL, or why there is no such wall. */
static inline const char* wall_raise(int uses_mpi) {
  wall_give_up_powers();
  const char* reason = NULL;
  int version = wall_version(&reason);
  if (reason) return reason;
  uint64_t rights = may_write | may_rearrange | may_move;
  if (version >= 3) rights |= may_truncate;
  if (version >= 5) rights |= may_ask_devices;
  int rules = (int)syscall(landlock_create_ruleset, &rights, sizeof rights, 0);
  if (rules < 0) return strerror(errno);
  uint64_t ordinary = rights & ~(uint64_t)(may_make_devices | may_ask_devices);
  wall_open_gate(rules, wall_folder[0] ? wall_folder : "/", ordinary);
  if (getenv("REFRAIN_PARTS")) wall_open_gate(rules, getenv("REFRAIN_PARTS"), ordinary);
  wall_open_gate(rules, "/dev/null", rights);
  wall_open_gate(rules, "/dev/zero", rights);
  wall_open_gate(rules, "/dev/tty", rights);
  if (uses_mpi) wall_open_gates_of_mpi(rules, ordinary);
  long failed = prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || syscall(landlock_restrict_self, rules, 0);
  if (failed) reason = strerror(errno);
  syscall(SYS_close, rules);
  if (!failed && uses_mpi) wall_share_by_copies();
  return reason;
}
