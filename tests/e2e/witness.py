"""Compares what Refrain recorded with what strace saw the kernel do: per file, the sequence of calls with their sizes,
offsets and results. Usage: witness.py DUMP STRACE FOLDER  (DUMP: of `refrain dump --expand --no-times`)

Only files in FOLDER count. That leaves out, in one place, what is no call of the application: the dynamic linker's own
reads of libraries and its cache, and the locale and configuration files that the C library reads for itself.

Left out as well, because libc and kernel differ in them: directories (opendir is an openat and a few calls more), dup
and its relatives (other names on other machines), and metadata by path.
"""
import collections
import os
import re
import sys

# System calls and functions by the name they are compared under, with the positions of (descriptor, size, offset).
SHAPES = {
    "read": (0, 2, None), "write": (0, 2, None),
    "pread": (0, 2, 3), "pwrite": (0, 2, 3),
    "readv": (0, 1, None), "writev": (0, 1, None),
    "preadv": (0, 1, -1), "pwritev": (0, 1, -1),
    "lseek": (0, 1, 2),
    "ftruncate": (0, 1, None), "fallocate": (0, 3, 2),
    "fsync": (0, None, None), "fdatasync": (0, None, None),
    "close": (0, None, None),
}
PAIRS = {"copy_file_range": (0, 2, 4), "sendfile": (1, 0, 3)}  # from, to, size
SAME = {"pread64": "pread", "pwrite64": "pwrite", "preadv2": "preadv", "pwritev2": "pwritev", "fclose": "close"}
LINE = re.compile(r"^ *(\w+)\((.*)\)(?: +-> (.*))?$")
CALL = re.compile(r"^(\d+) +(\w+)\((.*)\) += (.*)$")
OPENED = re.compile(r"^\d+<(.*)>$")


def split(text):
    """Arguments of a call: cut at commas outside quotes and brackets."""
    parts, depth, quoted, escaped, at = [], 0, False, False, 0
    for i, c in enumerate(text):
        if quoted:
            quoted = escaped or c != '"'
            escaped = c == "\\" and not escaped
        elif c == '"':
            quoted, escaped = True, False
        elif c in "[{(":
            depth += 1
        elif c in "]})":
            depth -= 1
        elif c == "," and depth == 0:
            parts.append(text[at:i].strip())
            at = i + 1
    return parts + [text[at:].strip()] if text else []


def sizes(text):
    """A number, or the lengths of a vector, from either notation."""
    lengths = re.findall(r"iov_len=(\d+)", text)
    return [int(n) for n in lengths or re.findall(r"-?\d+", text)]


def error_or(result, number):
    found = re.search(r"\b(E[A-Z]+)\b", result)
    return found.group(1) if found else number


class Files:
    """The sequence of calls on each file of a folder."""

    def __init__(self, folder):
        self.folder = folder
        self.calls = collections.defaultdict(list)
        self.folders = set()

    def add(self, path, *what):
        if path and path.startswith(self.folder + "/"):
            self.calls[path].append(what)

    def opened(self, path, flags, mode, result):
        if "O_DIRECTORY" in flags:
            if error_or(result, None) is None:
                self.folders.add(path)
            return
        words = tuple(sorted(set(flags.split("|")) - {"O_RDONLY", "O_LARGEFILE"}))
        self.add(path, "open", words, int(mode, 8) if mode else None, error_or(result, "opened"))

    def moved(self, name, arguments, path_of, result):
        if name in PAIRS:
            source, target, size = PAIRS[name]
            for place in (source, target):
                self.add(path_of(arguments[place]), name, int(arguments[size]), error_or(result, result.split()[0]))
            return
        fd, size, offset = SHAPES[name]
        values = [sizes(arguments[size]) if size is not None else None]
        if offset == -1:
            offset = 3 if len(arguments) > 3 and "iov_base" in arguments[1] else 2
        if offset is not None:
            values.append(arguments[offset])
        number = "done" if name in ("close", "fsync", "fdatasync", "ftruncate", "fallocate") else (result.split() or [""])[0]
        self.add(path_of(arguments[fd]), name, *map(str, values), error_or(result, number))


def read_dump(path, folder):
    files, slots = Files(folder), {}
    for line in open(path, errors="replace"):
        if line.startswith("process "):
            slots = {}
        found = LINE.match(line.rstrip("\n"))
        if not found:
            continue
        function, arguments, result = found.group(1), split(found.group(2)), found.group(3) or ""
        name = SAME.get(function, function)
        absolute = lambda text, base=folder: os.path.normpath(os.path.join(base, text.strip('"')))
        if function in ("inherited", "inherited_stream"):
            output = arguments[1].startswith('"<')  # of the recording, which is no file of the program
            slots[result] = "" if output else absolute(arguments[1])
        elif function in ("open", "creat", "openat"):
            if function == "openat":
                base = folder if arguments[0] == "AT_FDCWD" else slots.get(arguments.pop(0), "")
                arguments = arguments[1:] if arguments[0] == "AT_FDCWD" else arguments
            else:
                base = folder
            file = absolute(arguments[0], base)
            if function == "creat":
                arguments.insert(1, "O_WRONLY|O_CREAT|O_TRUNC")
            files.opened(file, arguments[1], arguments[2] if len(arguments) > 2 else None, result)
            slots[result] = file
        elif function in ("dup", "dup2", "dup3") or function == "fcntl" and "F_DUPFD" in arguments[1]:
            slots[result] = slots.get(arguments[0], "")
        elif function == "fdopendir":
            files.folders.add(slots.get(arguments[0], ""))
        elif function == "fileno":
            slots.setdefault(result, slots.get(arguments[0], ""))
        elif name in SHAPES or name in PAIRS:
            files.moved(name, arguments, lambda slot: slots.get(slot, ""), result)
            if name == "close":
                slots.pop(arguments[0], None)
    return files


def read_strace(path, folder):
    files, waiting = Files(folder), {}
    for line in open(path, errors="replace"):
        line = line.rstrip("\n")
        pid = line.split(" ", 1)[0]
        if line.endswith("<unfinished ...>"):
            waiting[pid] = line[: -len("<unfinished ...>")]
            continue
        resumed = re.match(r"^\d+ +<\.\.\. \w+ resumed>(.*)$", line)
        if resumed:
            line = waiting.pop(pid, "") + resumed.group(1)
        found = CALL.match(line)
        if not found:
            continue
        call, arguments, result = found.group(2), split(found.group(3)), found.group(4)
        name = SAME.get(call, call)
        target = OPENED.match(result)
        if call in ("openat", "open", "creat"):  # the last two only where the machine has them
            if call == "creat":
                arguments.insert(1, "O_WRONLY|O_CREAT|O_TRUNC")
            if call != "openat":
                arguments.insert(0, f"AT_FDCWD<{folder}>")
            base = arguments[0][arguments[0].index("<") + 1 : -1] if "<" in arguments[0] else folder  # before strace 5.15
            file = target.group(1) if target else os.path.normpath(os.path.join(base, arguments[1].strip('"')))
            files.opened(file, arguments[2], arguments[3] if len(arguments) > 3 else None, result)
        elif name in SHAPES or name in PAIRS:
            of = lambda fd: fd[fd.index("<") + 1 : -1] if "<" in fd else ""
            files.moved(name, arguments, of, result)
    return files


def main():
    dump, strace, folder = sys.argv[1:]
    recorded, witnessed = read_dump(dump, folder), read_strace(strace, folder)
    folders = recorded.folders | witnessed.folders
    bad = calls = 0
    paths = sorted((set(recorded.calls) | set(witnessed.calls)) - folders)
    for path in paths:
        ours, theirs = recorded.calls[path], witnessed.calls[path]
        calls += len(theirs)
        for i in range(max(len(ours), len(theirs))):
            a, b = (s[i] if i < len(s) else "nothing" for s in (ours, theirs))
            if a != b:
                print(f"{path}, call {i}: recorded {a}, the kernel saw {b}")
                bad += 1
                break
    print(f"{len(paths)} files, {calls} calls")
    return 1 if bad or not paths else 0


if __name__ == "__main__":
    sys.exit(main())
