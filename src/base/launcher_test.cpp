#include "base/launcher.hpp"

#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <string>
#include <vector>

extern char** environ;

namespace refrain {
namespace {

using Settings = std::vector<std::string>;

/// Nothing but these variables in the environment while it lives.
class Environment {
 public:
  explicit Environment(Settings settings) : settings_(std::move(settings)), before_(environ) {
    for (std::string& s : settings_) pointers_.push_back(s.data());
    pointers_.push_back(nullptr);
    environ = pointers_.data();
  }
  ~Environment() { environ = before_; }
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;

 private:
  Settings settings_;
  std::vector<char*> pointers_;
  char** before_;
};

const Settings batch_script{"SLURM_JOB_ID=5", "SLURM_PROCID=0", "SLURM_LOCALID=0", "SLURM_NTASKS=4",
                            "SLURM_NPROCS=4"};

Settings with(Settings some, const Settings& more) {
  some.insert(some.end(), more.begin(), more.end());
  return some;
}

struct Case {
  const char* name;
  Settings settings;
  int64_t rank, size, local_rank;
  const char* job;
};

TEST(Launcher, EveryLauncherTellsRankSizeAndJob) {
  const Case cases[] = {
      {"Open MPI 4",
       {"OMPI_COMM_WORLD_RANK=3", "OMPI_COMM_WORLD_SIZE=8", "OMPI_COMM_WORLD_LOCAL_RANK=1",
        "OMPI_MCA_ess_base_jobid=586416129", "PMIX_NAMESPACE=586416129", "PMIX_RANK=3"},
       3,
       8,
       1,
       "586416129"},
      {"Open MPI 5",
       {"OMPI_COMM_WORLD_RANK=0", "OMPI_COMM_WORLD_SIZE=2", "OMPI_COMM_WORLD_LOCAL_RANK=0",
        "PMIX_NAMESPACE=prterun-vm-123@1", "PMIX_RANK=0"},
       0,
       2,
       0,
       "prterun-vm-123_1"},
      {"srun",
       {"SLURM_JOB_ID=7", "SLURM_STEP_ID=2", "SLURM_PROCID=1", "SLURM_LOCALID=1", "SLURM_STEP_NUM_TASKS=4",
        "SLURM_NTASKS=16"},
       1,
       4,
       1,
       "7.2"},
      {"srun --mpi=pmi2",
       {"SLURM_JOB_ID=7", "SLURM_STEP_ID=2", "SLURM_PROCID=1", "SLURM_LOCALID=1", "SLURM_STEP_NUM_TASKS=4",
        "PMI_RANK=1", "PMI_SIZE=4", "PMI_JOBID=7.2", "PMI_FD=13"},
       1,
       4,
       1,
       "7.2"},
      {"srun --mpi=pmix",
       {"SLURM_JOB_ID=7", "SLURM_STEP_ID=2", "SLURM_PROCID=1", "SLURM_LOCALID=1", "SLURM_STEP_NUM_TASKS=4",
        "PMIX_RANK=1", "PMIX_NAMESPACE=slurm.pmix.7.2"},
       1,
       4,
       1,
       "7.2"},
      {"PALS",
       {"PALS_RANKID=9", "PALS_LOCAL_RANKID=1", "PALS_APID=3e-4f", "PMI_RANK=9", "PMI_SIZE=16",
        "PMI_LOCAL_SIZE=8"},
       9,
       16,
       1,
       "3e-4f"},
      {"Flux",
       {"FLUX_TASK_RANK=2", "FLUX_TASK_LOCAL_ID=0", "FLUX_JOB_SIZE=3", "FLUX_JOB_ID=f1", "PMI_RANK=2",
        "PMI_SIZE=3", "SLURM_JOB_ID=7", "SLURM_STEP_ID=2", "SLURM_PROCID=0", "SLURM_STEP_NUM_TASKS=1"},
       2,
       3,
       0,
       "f1"},
      {"jsrun",
       {"JSM_NAMESPACE_RANK=5", "JSM_NAMESPACE_SIZE=6", "JSM_NAMESPACE_LOCAL_RANK=5", "LSB_JOBID=99",
        "OMPI_COMM_WORLD_RANK=5", "OMPI_COMM_WORLD_SIZE=6", "PMIX_NAMESPACE=3", "PMIX_RANK=5"},
       5,
       6,
       5,
       "99.3"},
      {"PMI", {"PMI_RANK=1", "PMI_SIZE=2", "PMI_JOBID=job/1"}, 1, 2, -1, "job_1"},
      {"PMIx", {"PMIX_RANK=1", "PMIX_NAMESPACE=x"}, 1, -1, -1, "x"},
      {"mpirun in a batch script",
       with(batch_script, {"OMPI_COMM_WORLD_RANK=1", "OMPI_COMM_WORLD_SIZE=2", "PMIX_NAMESPACE=12"}), 1, 2,
       -1, "12"},
      {"mpirun whose daemon srun started",
       with(batch_script, {"SLURM_STEP_ID=0", "SLURM_STEP_NUM_TASKS=1", "OMPI_COMM_WORLD_RANK=1",
                           "OMPI_COMM_WORLD_SIZE=2", "PMIX_NAMESPACE=12"}),
       1, 2, -1, "12"},
  };
  for (const Case& c : cases) {
    Environment environment(c.settings);
    Launched place = launched();
    EXPECT_EQ(place.rank, c.rank) << c.name;
    EXPECT_EQ(place.size, c.size) << c.name;
    EXPECT_EQ(place.local_rank, c.local_rank) << c.name;
    EXPECT_STREQ(job_name().text, c.job) << c.name;
    EXPECT_TRUE(place.in_company()) << c.name;
  }
}

TEST(Launcher, ABatchScriptIsNoRank) {
  Environment environment(batch_script);
  EXPECT_FALSE(launched().is_rank());
  EXPECT_TRUE(job_name().empty());
}

TEST(Launcher, NonsenseIsNoRank) {
  for (const Settings& s : {Settings{}, Settings{"OMPI_COMM_WORLD_RANK=", "OMPI_COMM_WORLD_SIZE=2"},
                            Settings{"OMPI_COMM_WORLD_RANK=-1", "OMPI_COMM_WORLD_SIZE=2"},
                            Settings{"OMPI_COMM_WORLD_RANK=2", "OMPI_COMM_WORLD_SIZE=2"},
                            Settings{"OMPI_COMM_WORLD_RANK=x", "OMPI_COMM_WORLD_SIZE=2"}}) {
    Environment environment(s);
    EXPECT_FALSE(launched().is_rank());
  }
}

TEST(Launcher, SeveralHostsAreKnownByTheRanksOnThisOne) {
  auto slurm = [](const char* per_node) {
    Environment environment({"SLURM_JOB_ID=7", "SLURM_STEP_ID=0", "SLURM_PROCID=0", "SLURM_STEP_NUM_TASKS=4",
                             std::string("SLURM_STEP_TASKS_PER_NODE=") + per_node});
    return launched().on_several_hosts();
  };
  EXPECT_FALSE(slurm("4"));
  EXPECT_TRUE(slurm("2(x2)"));
  EXPECT_TRUE(slurm("3,1"));
  Environment nothing_said({"FLUX_TASK_RANK=2", "FLUX_JOB_SIZE=3", "FLUX_JOB_ID=f1"});
  EXPECT_FALSE(launched().on_several_hosts());
}

TEST(Launcher, NamesOfLaunchersMayBeCutShort) {
  EXPECT_TRUE(is_launcher("orterun"));
  EXPECT_TRUE(is_launcher("hydra_pmi_proxy"));
  EXPECT_TRUE(is_launcher("hydra_bstrap_pr"));
  EXPECT_TRUE(is_launcher("slurmstepd"));
  EXPECT_FALSE(is_launcher("hydra"));
  EXPECT_FALSE(is_launcher("mpirun2"));
  EXPECT_FALSE(is_launcher(""));
  EXPECT_FALSE(is_launcher("srun salloc"));
}

/// The job's name as a process sees it that stands below a program of that name, with a process between them.
std::string name_below(const char* program) {
  int ends[2];
  if (pipe(ends) != 0) return "no pipe";
  pid_t above = fork();
  if (above == 0) {
    prctl(PR_SET_NAME, program);
    if (fork() == 0) {
      prctl(PR_SET_NAME, "sh");
      if (fork() == 0) {
        Environment environment({"PMI_RANK=0", "PMI_SIZE=2", "MPI_LOCALRANKID=0", "MPI_LOCALNRANKS=2"});
        JobName name = job_name();
        (void)!write(ends[1], name.text, sizeof name.text);
        _exit(0);
      }
      wait(nullptr);
      _exit(0);
    }
    wait(nullptr);
    _exit(0);
  }
  JobName name;
  (void)!read(ends[0], name.text, sizeof name.text);
  waitpid(above, nullptr, 0);
  close(ends[0]);
  close(ends[1]);
  std::string text = name.text;
  return text.starts_with(std::to_string(above) + ".") ? "the process above" : text;
}

TEST(Launcher, AJobWithoutANameIsKnownByTheProcessAboveItsRanks) {
  EXPECT_EQ(name_below("hydra_pmi_proxy"), "the process above");
  EXPECT_NE(name_below("make"), "the process above");
}

}  // namespace
}  // namespace refrain
