# The application comes first: functions of every group of layer posix, results and errors as ever, and all recorded.
source "$(dirname "$0")/lib.sh"

expect_transparent "$programs/every_posix"
while read -r line; do expect_contains "$out" "  $line"; done <<'END'
writev(fd0, [100, 200, 300]) -> 600
pwritev2(fd0, [100, 200], 9500, 0) -> 300
dprintf(fd0, data) -> 10
pread(fd0, data, 8000, 5000) -> 4800
preadv2(fd0, [100, 200], 78, 0) -> 300
lseek(fd0, -10, SEEK_END) -> 9790
sendfile(fd1, fd0, 10, 1000) -> 1000
copy_file_range(fd0, 0, fd1, 2000, 3000, 0) -> 3000
splice(fd0, 5, other, NULL, 500, 0) -> 500
splice(other, NULL, fd1, 7000, 500, 0) -> 500
sync_file_range(fd0, 0, 4096, SYNC_FILE_RANGE_WRITE)
fallocate(fd0, FALLOC_FL_KEEP_SIZE, 0, 40000)
posix_fadvise(fd0, 0, 0, POSIX_FADV_RANDOM)
lstat("nothing", data) -> ENOENT
statx(AT_FDCWD, "data", 0, 0x200, data)
fcntl(fd0, F_SETFL, O_RDONLY|O_APPEND) -> 0
openat(fd1, "inside", O_RDWR|O_CREAT, 0644) -> fd2
linkat(AT_FDCWD, "data", fd1, "hard", 0)
readlinkat(fd1, "soft", data, 100) -> 6
renameat2(AT_FDCWD, "moved", fd1, "inside", RENAME_NOREPLACE) -> EEXIST
unlinkat(fd1, "sub", AT_REMOVEDIR)
rmdir("folder") -> ENOTEMPTY
fdopendir(fd1) -> dir0
readdir(dir0) -> 0
closedir(dir0)
dirfd(dir0) -> fd1
dup2(fd0, 50) -> fd2
dup3(fd0, 51, O_RDONLY|O_CLOEXEC) -> fd3
fcntl(fd0, F_DUPFD, 60) -> fd4
pwrite(fd4, data, 10, 300) -> 10
flock(fd0, LOCK_EX|LOCK_NB)
lockf(fd0, F_TLOCK, 100)
fcntl(fd0, F_SETLK, [1, 0, 10, 20]) -> 0
mmap(8192, PROT_READ|PROT_WRITE, MAP_SHARED, fd0, 4096) -> map0
msync(map0, 4096, 4096, MS_ASYNC)
munmap(map0, 0, 8192)
aio_write(aio0, fd0, 512, 1024)
aio_read(aio0, fd0, 512, 1024)
aio_return(aio0) -> 512
lio_listio(LIO_WAIT, [0, 1], [0, 0], [0, 1], [512, 256], [1024, 2048])
aio_return(aio1) -> 256
fgetxattr(fd0, user.none, data, 100) -> E
open(unreadable, O_RDONLY) -> EFAULT
open(NULL, O_RDONLY) -> EFAULT
rename("data", unreadable) -> EFAULT
writev(fd0, unreadable) -> EFAULT
fcntl(fd0, F_SETLK, unreadable) -> EFAULT
fopen(unreadable, r) -> EFAULT
END
# A mapping's or a copy's end leaves the original in use.
expect_calls 1 '^ +close\(fd0\)$'
expect_calls 1 '^ +mkstemp\("made_\{name0\}"\) -> fd1$'
