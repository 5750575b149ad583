// A program that is several processes: workers write parts of one file through the descriptor that they were
// handed down, a pipe tells one of them when to begin and another one that no more will come, one is killed
// in the middle.
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static char block[4096];

static void check(int good, const char* what) {
  if (good) return;
  perror(what);
  _exit(1);
}

/// Writes blocks of its own, then ends without a word.
static void write_part(int fd, int worker) {
  for (int i = 0; i < 8; ++i)
    check(pwrite(fd, block, sizeof block, (off_t)(4096 + (worker * 8 + i) * 4096)) == sizeof block, "pwrite");
  _exit(0);
}

/// Hears what the parent has written before, and reads it from the file; then that nothing more comes.
static void follow(int tasks) {
  char task[8];
  check(read(tasks, task, 1) == 1, "a task");
  int in = open("first", O_RDONLY);
  check(in >= 0 && read(in, task, sizeof task) == 5, "first");
  close(in);
  while (read(tasks, task, sizeof task) > 0) {
  }
  in = open("second", O_RDONLY);
  check(in >= 0 && read(in, task, sizeof task) == 6, "second");
  close(in);
  FILE* done = fopen("done", "w");
  check(done != NULL && fputs("done", done) >= 0, "done");
  exit(0);
}

static void write_file(const char* name, const char* text) {
  int fd = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0644);
  check(fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text), name);
  close(fd);
}

int main(void) {
  int fd = open("parts", O_RDWR | O_CREAT | O_TRUNC, 0644);
  check(fd >= 0 && write(fd, "header", 6) == 6, "parts");
  for (int worker = 0; worker < 4; ++worker)
    if (fork() == 0) write_part(fd, worker);
  while (wait(NULL) > 0) {
  }

  // The position belongs to both: the child writes behind the header, the parent behind the child.
  pid_t child = fork();
  if (child == 0) {
    check(write(fd, "child", 5) == 5, "child");
    exit(0);
  }
  check(waitpid(child, NULL, 0) == child && write(fd, "parent", 6) == 6, "parent");

  int tasks[2];
  check(pipe(tasks) == 0, "pipe");
  child = fork();
  if (child == 0) {
    close(tasks[1]);
    follow(tasks[0]);
  }
  close(tasks[0]);
  write_file("first", "first");
  check(write(tasks[1], "t", 1) == 1, "task");
  write_file("second", "second");
  check(write(tasks[1], "u", 1) == 1, "task");
  close(tasks[1]);
  check(waitpid(child, NULL, 0) == child, "waitpid");

  child = fork();
  if (child == 0) {
    write_file("victim", "written");
    fputs("lost", fopen("never_flushed", "w"));
    raise(SIGKILL);
  }
  check(waitpid(child, NULL, 0) == child, "waitpid");

  check(system("cat first second >both") == 0, "system");
  FILE* sorted = popen("sort -r both", "r");
  char line[64];
  check(sorted != NULL && fgets(line, sizeof line, sorted) != NULL, "popen");
  check(pclose(sorted) == 0, "pclose");
  write_file("line", line);
  close(fd);
  puts("four workers, a follower and a victim have written");
  return 0;
}
