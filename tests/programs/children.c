// All ways to get a child process, one after the other: `children KIND`. The parent has a descriptor and a
// stream open throughout, uses them before and after, and the child uses what it inherits.
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

static int log_fd;

static void put(int fd, const char* text) {
  if (write(fd, text, strlen(text)) < 0) abort();
}

static int wait_for(pid_t pid) {
  int status;
  if (waitpid(pid, &status, 0) != pid) abort();
  return WEXITSTATUS(status);
}

static void make_file(const char* name, const char* text) {
  int fd = open(name, O_CREAT | O_WRONLY | O_TRUNC, 0644);
  put(fd, text);
  close(fd);
}

static char* cat_words[] = {"cat", "input", NULL};

static int child_forks(void) {
  pid_t pid = fork();
  if (pid == 0) {
    put(log_fd, "child writes\n");
    make_file("made_by_child", "child's own\n");
    exit(3);
  }
  return wait_for(pid);
}

// The child changes descriptors before it becomes another program; the parent must not notice.
static void redirect_and_exec(void) {
  int fd = open("redirected", O_CREAT | O_WRONLY | O_TRUNC, 0644);
  dup2(fd, 1);
  close(fd);
  close(log_fd);
  execvp("cat", cat_words);
  _exit(127);
}

static int child_forks_and_execs(void) {
  pid_t pid = fork();
  if (pid == 0) redirect_and_exec();
  return wait_for(pid);
}

static int child_vforks_and_execs(void) {
  pid_t pid = vfork();
  if (pid == 0) redirect_and_exec();
  return wait_for(pid);
}

static int child_vforks_and_fails(void) {
  pid_t pid = vfork();
  if (pid == 0) {
    close(log_fd);
    execlp("./no-such-program", "no-such-program", (char*)NULL);
    _exit(9);
  }
  return wait_for(pid);
}

static int child_spawns(void) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 1, "redirected", O_CREAT | O_WRONLY | O_TRUNC, 0644);
  posix_spawn_file_actions_addclose(&actions, log_fd);
  pid_t pid;
  if (posix_spawnp(&pid, "cat", &actions, NULL, cat_words, environ) != 0) abort();
  posix_spawn_file_actions_destroy(&actions);
  return wait_for(pid);
}

static int child_of_shell(void) { return WEXITSTATUS(system("cat input >redirected; exit 4")); }

static int child_pipes(void) {
  FILE* pipe = popen("cat input", "r");
  FILE* copy = fopen("redirected", "w");
  char line[100];
  while (fgets(line, sizeof line, pipe)) fputs(line, copy);
  fclose(copy);
  return WEXITSTATUS(pclose(pipe));
}

// Parent and child go on after the fork, each with the stream it has.
static int child_of_child(void) {
  pid_t pid = fork();
  if (pid == 0) {
    pid_t inner = fork();
    if (inner == 0) {
      make_file("made_by_grandchild", "grandchild\n");
      _exit(5);
    }
    _exit(wait_for(inner) + 1);
  }
  return wait_for(pid);
}

int main(int argc, char** argv) {
  static const struct {
    const char* name;
    int (*run)(void);
  } kinds[] = {{"fork", child_forks},
               {"fork_exec", child_forks_and_execs},
               {"vfork_exec", child_vforks_and_execs},
               {"vfork_fail", child_vforks_and_fails},
               {"spawn", child_spawns},
               {"system", child_of_shell},
               {"popen", child_pipes},
               {"grandchild", child_of_child}};
  make_file("input", "one line\nanother line\n");
  log_fd = open("log", O_CREAT | O_WRONLY | O_APPEND, 0644);
  FILE* stream = fopen("stream", "w");
  fputs("before\n", stream);
  fflush(stream);
  put(log_fd, "before\n");
  for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; ++i)
    if (argc > 1 && strcmp(argv[1], kinds[i].name) == 0) printf("child ended with %d\n", kinds[i].run());
  put(log_fd, "after\n");
  fputs("after\n", stream);
  fclose(stream);
  close(log_fd);
  make_file("last", "the end\n");
  return 0;
}
