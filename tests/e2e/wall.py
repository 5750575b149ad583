"""What strace saw a replay change outside its root; used by lib_wall.sh.

  wall.py START ROOT LOG... -- [ALLOWED...]
      reads what strace -f -y wrote of processes that began in the folder START, and names each call that changed
      something that is neither below ROOT nor below one of the ALLOWED folders, or was kept from it
"""
import functools
import os
import re
import sys


CALL = re.compile(r"^(?:(\d+) +)?(?:<\.\.\. )?(\w+)(?: resumed>|\()(.*?)\)? += (-?\d+|\?|0x[0-9a-f]+)(.*)$")
# For each call: the arguments that name what it changes; a pair is a folder's descriptor and a path.
PATHS = {
    "creat": [0], "mkdir": [0], "rmdir": [0], "unlink": [0], "truncate": [0], "mknod": [0], "chmod": [0],
    "chown": [0], "lchown": [0], "utime": [0], "utimes": [0], "setxattr": [0], "lsetxattr": [0],
    "removexattr": [0], "lremovexattr": [0], "symlink": [1], "link": [0, 1], "rename": [0, 1],
    "mkdirat": [(0, 1)], "unlinkat": [(0, 1)], "mknodat": [(0, 1)], "fchmodat": [(0, 1)],
    "fchmodat2": [(0, 1)], "fchownat": [(0, 1)], "futimesat": [(0, 1)], "utimensat": [(0, 1)],
    "symlinkat": [(1, 2)], "linkat": [(0, 1), (2, 3)], "renameat": [(0, 1), (2, 3)],
    "renameat2": [(0, 1), (2, 3)],
}
DESCRIPTORS = ["fchmod", "fchown", "ftruncate", "fallocate", "fsetxattr", "fremovexattr"]
NEVER = ["mount", "umount2", "pivot_root", "chroot", "open_by_handle_at", "swapon", "reboot"]
# Requests that tell something, set a flag of the descriptor alone, or copy from one file of the trace to another.
# FS_IOC_GETFLAGS and its relatives only tell something as well.
REQUESTS = ["TCGETS", "TIOCGWINSZ", "TIOCGPGRP", "FIONREAD", "FIONBIO", "FIOCLEX", "FIONCLEX", "FICLONE",
            "FICLONERANGE", "FS_IOC_GETFLAGS", "FS_IOC_FSGETXATTR", "FS_IOC_FIEMAP", "FIGETBSZ", "FIBMAP"]
# May be opened and written to; their rights, owners and times are not to be touched.
DEVICES = ["/dev/null", "/dev/tty", "/proc/self/coredump_filter"]
# Threads of MPI give themselves names.
THREAD_NAME = re.compile(r"^/proc/(self|\d+)/task/\d+/comm$")
REFUSED = ("EACCES", "EPERM", "EXDEV", "EROFS")


def arguments_of(text):
    """Splits at the commas outside strings, structures and annotations of descriptors."""
    out, depth, quoted, at, i = [], 0, False, 0, 0
    while i < len(text):
        c = text[i]
        if quoted:
            if c == "\\":
                i += 1
            elif c == '"':
                quoted = False
        elif c == '"':
            quoted = True
        elif c in "[{<(":
            depth += 1
        elif c in "]}>)":
            depth -= 1
        elif c == "," and depth <= 0:
            out.append(text[at:i].strip())
            at = i + 1
        i += 1
    return out + [text[at:].strip()]


def behind(descriptor):
    """What a descriptor leads to, as strace says: 5</tmp/x>."""
    found = re.match(r"^(?:-?\d+|AT_FDCWD)<(.*)>$", descriptor)
    return found.group(1).replace("(deleted)", "") if found else ""


def plain(text):
    found = re.match(r'^"((?:\\.|[^"\\])*)"(?:\.\.\.)?$', text)
    if not found:
        return None
    return found.group(1).encode().decode("unicode_escape").encode("latin-1").decode(errors="replace")


@functools.lru_cache(maxsize=None)
def real_folder(path):
    return os.path.realpath(path)


def real(folder, path):
    """Where it leads, now that all is over: links are followed but for the last name, `..` is taken from there."""
    above, name = os.path.split(os.path.join(folder, path).rstrip("/"))
    return real_folder(os.path.join(above, name)) if name in ("", ".", "..") else os.path.join(real_folder(above), name)


class Witness:
    def __init__(self, start, root, allowed):
        self.root = os.path.realpath(root)
        self.allowed = [os.path.realpath(a) for a in allowed]
        self.folder = start  # of the process and its threads; children that prepare inputs stay where they began
        self.cut = {}  # calls that were interrupted by those of other threads
        self.bad, self.refused = [], []

    def is_inside(self, path):
        return any(path == a or path.startswith(a.rstrip("/") + "/") for a in [self.root] + self.allowed)

    def check(self, line, path, result, opened=False):
        if self.is_inside(path) or (opened and (path in DEVICES or THREAD_NAME.match(path))):
            return
        if any(e in result for e in REFUSED):
            self.refused.append(line)
        elif not result.startswith("-"):
            self.bad.append(f"{path}: {line}")

    def take(self, line):
        if line.endswith("<unfinished ...>"):
            pid = line.split(" ", 1)[0]
            self.cut[pid] = line[:-len("<unfinished ...>")]
            return
        resumed = re.match(r"^(\d+) +<\.\.\. \w+ resumed>(.*)$", line)
        if resumed and resumed.group(1) in self.cut:
            line = self.cut.pop(resumed.group(1)) + resumed.group(2)
        found = CALL.match(line)
        if not found:
            return
        _, name, text, number, rest = found.groups()
        result = number + rest
        arguments = arguments_of(text)
        here = self.folder
        if name == "chdir" and number == "0":
            self.folder = os.path.realpath(os.path.join(here, plain(arguments[0])))
        elif name == "fchdir" and number == "0":
            self.folder = behind(arguments[0])
        elif name in ("open", "openat", "openat2", "creat"):
            self.opened(line, name, arguments, here, result)
        elif name == "bind" and "sun_path=" in text and "@" not in text:
            self.check(line, real(here, text.split('sun_path="')[1].split('"')[0]), result)
        elif name in NEVER and number != "-1":
            self.bad.append(line)
        elif name == "ioctl":
            request = arguments[1].split(" ")[0]
            path = behind(arguments[0])
            if path.startswith("/") and not path.startswith("/dev/") and request not in REQUESTS:
                self.bad.append(line)
        elif name in DESCRIPTORS:
            self.check(line, behind(arguments[0]), result)
        elif name in PATHS:
            if name.startswith("mknod") and ("S_IFCHR" in text or "S_IFBLK" in text) and number == "0":
                self.bad.append(line)
            for which in PATHS[name]:
                self.changed(line, arguments, which, here, result)

    def opened(self, line, name, arguments, here, result):
        flags = "|".join(arguments[1:]) + ("|O_CREAT" if name == "creat" else "")
        if not re.search(r"O_WRONLY|O_RDWR|O_CREAT|O_TRUNC|O_TMPFILE|__O_TMPFILE", flags):
            return
        found = re.match(r"^\d+<(.*)>", result)  # the kernel says where it led
        if found:
            self.check(line, re.sub(r"(<char [0-9:]+>)? ?(\(deleted\))?$", "", found.group(1)), result, True)
        else:
            at = name in ("openat", "openat2")
            self.changed(line, arguments, (0, 1) if at else 0, here, result, True)

    def changed(self, line, arguments, which, here, result, opened=False):
        if isinstance(which, tuple):
            folder = behind(arguments[which[0]]) or here
            path = plain(arguments[which[1]])
        else:
            folder, path = here, plain(arguments[which])
        if path is None:  # NULL: what the descriptor leads to
            path = ""
        self.check(line, real(folder, path) if path else folder, result, opened)


def main():
    start, root, *rest = sys.argv[1:]
    logs, allowed = rest[:rest.index("--")], rest[rest.index("--") + 1:]
    for name in logs:
        witness = Witness(start, root, allowed)
        with open(name, errors="replace") as log:
            for line in log:
                witness.take(line.rstrip("\n"))
        for line in witness.bad:
            print(f"CHANGED {line}")
        for line in witness.refused:
            print(f"REFUSED {line}")


main()
