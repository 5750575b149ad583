// Calls functions of every group of layer posix, with results that are the same each time. Prints what it
// gets.
#define _GNU_SOURCE
#include <aio.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/vfs.h>
#include <sys/xattr.h>
#include <unistd.h>

#define SHOW(call) show(#call, (long)(call))

static void show(const char* what, long result) {
  printf("%s = %ld%s%s\n", what, result, result == -1 ? " " : "", result == -1 ? strerror(errno) : "");
}

static char block[8192];

static int data_and_position(void) {
  int fd = open("data", O_CREAT | O_RDWR, 0644);
  struct iovec parts[3] = {{block, 100}, {block + 100, 200}, {block + 300, 300}};
  SHOW(write(fd, block, 4096));
  SHOW(pwrite(fd, block, 4096, 4096));
  SHOW(writev(fd, parts, 3));
  SHOW(pwritev(fd, parts, 2, 9000));
  SHOW(pwritev2(fd, parts, 2, 9500, 0));
  SHOW(dprintf(fd, "number %d\n", 17));
  SHOW(lseek(fd, 0, SEEK_SET));
  SHOW(read(fd, block, 1000));
  SHOW(pread(fd, block, 8000, 5000) > 0);
  SHOW(readv(fd, parts, 3));
  SHOW(preadv(fd, parts, 2, 77));
  SHOW(preadv2(fd, parts, 2, 78, 0));
  SHOW(lseek(fd, -10, SEEK_END));
  SHOW(lseek(fd, 0, SEEK_CUR));
  SHOW(readahead(fd, 0, 4096));
  int copy = creat("copy", 0600);
  off_t from = 10;
  SHOW(sendfile(copy, fd, &from, 1000));
  off64_t in = 0, out = 2000;
  SHOW(copy_file_range(fd, &in, copy, &out, 3000, 0));
  int ends[2];
  if (pipe(ends) != 0) abort();
  in = 5;
  SHOW(splice(fd, &in, ends[1], NULL, 500, 0));
  out = 7000;
  SHOW(splice(ends[0], NULL, copy, &out, 500, 0));
  close(ends[0]), close(ends[1]);
  SHOW(close(copy));
  return fd;
}

static void space_and_sync(int fd) {
  SHOW(fsync(fd));
  SHOW(fdatasync(fd));
  SHOW(syncfs(fd));
  SHOW(sync_file_range(fd, 0, 4096, SYNC_FILE_RANGE_WRITE));
  SHOW(ftruncate(fd, 20000));
  SHOW(truncate("copy", 5000));
  SHOW(posix_fallocate(fd, 0, 30000));
  SHOW(fallocate(fd, FALLOC_FL_KEEP_SIZE, 0, 40000));
  SHOW(posix_fadvise(fd, 0, 0, POSIX_FADV_RANDOM));
}

static void metadata(int fd) {
  struct stat info;
  struct statx extended;
  struct statfs system;
  struct statvfs vfs;
  int bytes;
  SHOW(stat("data", &info));
  SHOW(lstat("nothing", &info));
  SHOW(fstat(fd, &info));
  SHOW(fstatat(AT_FDCWD, "data", &info, AT_SYMLINK_NOFOLLOW));
  SHOW(statx(AT_FDCWD, "data", 0, STATX_SIZE, &extended));
  SHOW(statfs(".", &system));
  SHOW(fstatfs(fd, &system));
  SHOW(statvfs(".", &vfs));
  SHOW(fstatvfs(fd, &vfs));
  SHOW(access("data", R_OK | W_OK));
  SHOW(faccessat(AT_FDCWD, "nothing", F_OK, 0));
  SHOW(euidaccess("data", R_OK));
  SHOW(chmod("data", 0640));
  SHOW(fchmod(fd, 0644));
  SHOW(fchmodat(AT_FDCWD, "data", 0600, 0));
  SHOW(chown("data", getuid(), getgid()));
  SHOW(fchown(fd, getuid(), (gid_t)-1));
  SHOW(lchown("data", (uid_t)-1, getgid()));
  SHOW(fchownat(AT_FDCWD, "data", getuid(), getgid(), 0));
  struct timeval when[2] = {{1000, 0}, {2000, 0}};
  struct timespec exactly[2] = {{3000, 0}, {4000, 0}};
  SHOW(utimes("data", when));
  SHOW(futimes(fd, when));
  SHOW(utimensat(AT_FDCWD, "data", exactly, 0));
  SHOW(futimens(fd, exactly));
  SHOW(fcntl(fd, F_GETFL) & O_ACCMODE);
  SHOW(fcntl(fd, F_SETFL, O_APPEND));
  SHOW(fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) & ~O_APPEND));  // with what the system shows beside
  SHOW(ioctl(fd, FIONREAD, &bytes));
}

static void names(void) {
  char target[100];
  SHOW(mkdir("folder", 0755));
  int folder = open("folder", O_RDONLY | O_DIRECTORY);
  int inside = openat(folder, "inside", O_CREAT | O_RDWR, 0644);
  SHOW(close(inside));
  SHOW(mkdirat(folder, "sub", 0700));
  SHOW(link("data", "hard"));
  SHOW(linkat(AT_FDCWD, "data", folder, "hard", 0));
  SHOW(symlink("data", "soft"));
  SHOW(symlinkat("inside", folder, "soft"));
  SHOW(readlink("soft", target, sizeof target));
  SHOW(readlinkat(folder, "soft", target, sizeof target));
  SHOW(rename("hard", "harder"));
  SHOW(renameat(folder, "hard", AT_FDCWD, "moved"));
  SHOW(renameat2(AT_FDCWD, "moved", folder, "inside", RENAME_NOREPLACE));
  SHOW(mkfifo("fifo", 0600));
  SHOW(unlink("fifo"));
  SHOW(unlinkat(folder, "sub", AT_REMOVEDIR));
  SHOW(remove("harder"));
  SHOW(rmdir("folder"));
  SHOW(chdir("folder"));
  SHOW(chdir(".."));
  SHOW(fchdir(folder));
  SHOW(chdir(".."));
  DIR* all = fdopendir(folder);
  int entries = 0;
  while (readdir(all) != NULL) ++entries;
  SHOW(entries);
  rewinddir(all);
  SHOW(readdir(all) != NULL);
  SHOW(closedir(all));
  DIR* none = opendir("nothing");
  SHOW(none != NULL);
  DIR* here = opendir("folder");
  int same = openat(dirfd(here), "inside", O_RDONLY);
  SHOW(same >= 0);
  close(same);
  SHOW(closedir(here));
}

static void handles(int fd) {
  char made[] = "made_XXXXXX";
  int temporary = mkstemp(made);
  SHOW(temporary >= 0);
  SHOW(unlink(made));
  SHOW(close(temporary));
  int copies[4] = {dup(fd), dup2(fd, 50), dup3(fd, 51, O_CLOEXEC), fcntl(fd, F_DUPFD, 60)};
  for (int i = 0; i < 4; ++i) {
    SHOW(pwrite(copies[i], block, 10, i * 100));
    SHOW(close(copies[i]));
  }
}

static void locks(int fd) {
  struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = 10, .l_len = 20};
  SHOW(flock(fd, LOCK_EX | LOCK_NB));
  SHOW(flock(fd, LOCK_UN));
  SHOW(lockf(fd, F_TLOCK, 100));
  SHOW(lockf(fd, F_ULOCK, 100));
  SHOW(fcntl(fd, F_SETLK, &lock));
  lock.l_type = F_UNLCK;
  SHOW(fcntl(fd, F_SETLK, &lock));
}

static void maps(int fd) {
  char* map = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 4096);
  map[100] = 'm';
  SHOW(msync(map, 8192, MS_SYNC));
  SHOW(msync(map + 4096, 4096, MS_ASYNC));
  SHOW(munmap(map, 8192));
}

static void requests(int fd) {
  struct aiocb one = {.aio_fildes = fd, .aio_buf = block, .aio_nbytes = 512, .aio_offset = 1024};
  struct aiocb two = {.aio_fildes = fd, .aio_buf = block + 512, .aio_nbytes = 256, .aio_offset = 2048};
  const struct aiocb* waiting[1] = {&one};
  SHOW(aio_write(&one));
  while (aio_error(&one) == EINPROGRESS) aio_suspend(waiting, 1, NULL);
  SHOW(aio_return(&one));
  SHOW(aio_read(&one));
  while (aio_error(&one) == EINPROGRESS) aio_suspend(waiting, 1, NULL);
  SHOW(aio_return(&one));
  one.aio_lio_opcode = LIO_READ;
  two.aio_lio_opcode = LIO_WRITE;
  struct aiocb* both[2] = {&one, &two};
  SHOW(lio_listio(LIO_WAIT, both, 2, NULL));
  SHOW(aio_return(&one));
  SHOW(aio_return(&two));
}

static void attributes(int fd) {
  char value[100];
  SHOW(setxattr("data", "user.color", "blue", 4, 0) == 0 || errno == ENOTSUP);
  SHOW(getxattr("data", "user.color", value, sizeof value) == 4 || errno == ENOTSUP);
  SHOW(fgetxattr(fd, "user.none", value, sizeof value) == -1);
  SHOW(listxattr("data", value, sizeof value) >= 0 || errno == ENOTSUP);
  SHOW(removexattr("data", "user.color") == 0 || errno == ENOTSUP);
}

// Pointers that lead nowhere: the kernel says so, and the program goes on.
static void nowhere(int fd) {
  struct stat info;
  char* volatile bad = (char*)8;
  char* volatile null = NULL;
  void* hole = mmap(NULL, 8192, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  SHOW(write(fd, bad, 10));
  SHOW(pread(fd, bad, 10, 0));
  SHOW(open(bad, O_RDONLY));
  SHOW(open(null, O_RDONLY));
  SHOW(open(hole, O_RDONLY));
  SHOW(openat(AT_FDCWD, (char*)hole + 4000, O_RDONLY));
  SHOW(stat(bad, &info));
  SHOW(rename("data", bad));
  SHOW(writev(fd, hole, 2));
  SHOW(fcntl(fd, F_SETLK, bad));
  SHOW(sendfile(fd, fd, hole, 10));
  SHOW(getxattr("data", bad, block, 10));
  SHOW(fopen(bad, "r") != NULL);
}

int main(void) {
  memset(block, 'b', sizeof block);
  umask(022);
  int fd = data_and_position();
  space_and_sync(fd);
  metadata(fd);
  names();
  handles(fd);
  locks(fd);
  maps(fd);
  requests(fd);
  attributes(fd);
  nowhere(fd);
  SHOW(close(fd));
  SHOW(close(fd));
  return 0;
}
