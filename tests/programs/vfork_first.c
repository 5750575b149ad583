// A program whose very first call on files comes from the child of a vfork.
#include <fcntl.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

int main(void) {
  pid_t pid = vfork();
  if (pid == 0) {
    close(0);
    dup2(1, 7);
    execlp("cat", "cat", "input", (char*)NULL);
    _exit(127);
  }
  int status;
  waitpid(pid, &status, 0);
  int fd = open("after", O_CREAT | O_WRONLY, 0644);
  if (write(fd, "parent\n", 7) != 7) return 1;
  close(fd);
  return WEXITSTATUS(status);
}
