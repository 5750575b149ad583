"""What each tool is: where it is found, how a command runs under it, and what its log says afterwards.

A tool that isn't installed is left out, with a word. It is found by an option (`--darshan FOLDER`, the folder that it was
installed to), or beside its programs in PATH."""
import glob
import json
import os
import re
import shutil
import subprocess

WRITE = re.compile(r"\b(pwrite|pwrite64|write|fwrite|pwritev|writev)\b")


def output_of(command):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL)
    return done.stdout.decode(errors="replace")


def bytes_below(folder):
    return sum(os.path.getsize(os.path.join(at, name)) for at, _, names in os.walk(folder) for name in names)


class Bare:
    """No tool at all: what the others are compared with."""

    def command(self, command, launcher, log):
        return [*launcher, *command]


class Refrain:
    name = "Refrain"

    def __init__(self, program):
        self.program = program

    def command(self, command, launcher, log):
        return [self.program, "record", "-q", "-o", log + "/trace.rfn", "--", *launcher, *command]

    def known_bytes(self, log, data):
        """The bytes that a log has as written to files whose names contain `data`."""
        total = 0
        for trace in glob.glob(log + "/*.rfn"):
            text = output_of([self.program, "info", "--json", "--files", trace])
            files = json.loads(text)["file_table"]["files"] if text else []
            total += sum(f["bytes_written"] for f in files if data in os.path.basename(f["path"]))
        return total


class Preloaded:
    """A library that is preloaded into the ranks, and told by the environment where its log goes."""

    def __init__(self, preload, programs):
        self.preload, self.programs = preload, programs

    @classmethod
    def find(cls, prefix):
        for folder in filter(None, [prefix, *installed_with(cls.program)]):
            for found in glob.glob(folder + "/**/" + cls.preloaded, recursive=True):
                return cls(os.path.abspath(found), os.path.dirname(shutil.which(cls.program, path=paths(folder)) or ""))
        return None

    def command(self, command, launcher, log):
        settings = [f"{name}={value}" for name, value in self.settings(log, bool(launcher)).items()]
        return [*launcher, "env", f"LD_PRELOAD={self.preloads(command)}", *settings, *command]

    def preloads(self, command):
        return self.preload


def installed_with(program):
    """The folder above the one where a program of PATH is."""
    found = shutil.which(program)
    return [os.path.dirname(os.path.dirname(os.path.realpath(found)))] if found else []


def paths(folder):
    return os.pathsep.join(at for at, _, _ in os.walk(folder))


class Darshan(Preloaded):
    name, preloaded, program = "Darshan", "libdarshan.so", "darshan-parser"

    def settings(self, log, parallel):
        """A build that takes its log path from the environment (--with-log-path-by-env=DARSHAN_LOG_DIR) has a log for
        each process; others are told the name of the one log, which a second process can't have."""
        by_environment = output_of([self.programs + "/darshan-config", "--log-path"]).strip() == ""
        place = {"DARSHAN_LOG_DIR": log} if by_environment else {"DARSHAN_LOGFILE": log + "/log.darshan"}
        # With this in an MPI program, each rank would be a program of its own, with a log of its own.
        return place if parallel else {"DARSHAN_ENABLE_NONMPI": "1", **place}

    def preloads(self, command):
        """Its HDF5 module calls HDF5 by name, which a Python that loads h5py later doesn't have in sight."""
        if not command[0].endswith(".py"):
            return self.preload
        libraries = glob.glob("/usr/lib/*/libhdf5_openmpi.so.[0-9]*")
        return ":".join([self.preload, *libraries[:1]])

    def known_bytes(self, log, data):
        total = 0
        for file in glob.glob(log + "/**/*.darshan", recursive=True):
            for line in output_of([self.programs + "/darshan-parser", file]).splitlines():
                word = line.split("\t")
                if len(word) > 5 and word[3] in ("POSIX_BYTES_WRITTEN", "STDIO_BYTES_WRITTEN") and data in word[5]:
                    total += int(word[4])
        return total


class Recorder(Preloaded):
    name, preloaded, program = "Recorder", "librecorder.so", "recorder2text"

    def settings(self, log, parallel):
        return {"RECORDER_WITH_NON_MPI": "1", "RECORDER_TRACES_DIR": log}

    def known_bytes(self, log, data):
        total = 0
        for marker in glob.glob(log + "/**/recorder.mt", recursive=True):
            folder = os.path.dirname(marker)
            output_of([self.programs + "/recorder2text", folder])
            for text in glob.glob(folder + "/_text/*.txt"):
                with open(text, errors="replace") as lines:
                    total += sum(written(line, data) for line in lines)
        return total


def written(line, data):
    """The bytes of a call in Recorder's text: `... pwrite( PATH BUFFER SIZE OFFSET ...)`."""
    if not WRITE.search(line) or data not in line:
        return 0
    sizes = re.search(r"\((.*)\)", line)
    words = sizes.group(1).split() if sizes else []
    numbers = [int(w) for w in words if w.isdigit()]
    return numbers[0] if numbers else 0


class DFTracer(Preloaded):
    name, preloaded, program = "DFTracer", "libdftracer_preload.so", "dftracer_event_count"

    def settings(self, log, parallel):
        return {"DFTRACER_ENABLE": "1", "DFTRACER_INIT": "PRELOAD", "DFTRACER_INC_METADATA": "1",
                "DFTRACER_DATA_DIR": "all", "DFTRACER_LOG_FILE": log + "/trace"}

    def known_bytes(self, log, data):
        total = 0
        for file in glob.glob(log + "/*.pfw*"):
            hashes = set()
            for line in output_of(["zcat", "-f", file]).splitlines():
                try:
                    event = json.loads(line.lstrip("]"))
                except ValueError:
                    continue
                words = event.get("args", {})
                if event.get("name") == "FH" and data in os.path.basename(words["name"]):
                    hashes.add(words["value"])
                elif WRITE.search(event.get("name", "")) and words.get("fhash") in hashes:
                    total += max(0, int(words.get("ret", 0))) * (int(words["size"]) if event["name"] == "fwrite" else 1)
        return total


PEERS = [Darshan, Recorder, DFTracer]
