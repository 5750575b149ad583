#!/usr/bin/env python3
"""Runs the shell lines of documentation pages and compares what they print with what the page shows.

    tests/run_docs.py PAGE...            compares; exit code 1 if a page is wrong
    tests/run_docs.py --update PAGE...   writes what was printed into the pages

Blocks that begin with three backquotes and `console` are run, one after the other, in one empty folder per page. Lines
that begin with `$ ` are commands (further lines of one end with a backslash before them); what follows is what they
print, on both streams. `...` stands for any text, a line with nothing else for any lines. A block `file NAME` is
written to that file. REFRAIN_BUILD is the build whose programs are run.
"""
import os
import re
import subprocess
import sys
import tempfile

ANY = "..."


def matches(shown, printed):
    """Whether lines that were printed are as the page shows them."""
    pattern = "".join(
        r"(?:.*\n)*" if line.strip() == ANY
        else ".*".join(re.escape(part) for part in line.rstrip().split(ANY)) + r"[ \t]*\n"
        for line in shown)
    return re.fullmatch(pattern, "".join(line + "\n" for line in printed)) is not None


class Page:
    def __init__(self, path, folder, environment):
        self.path, self.folder, self.environment = path, folder, environment
        self.problems, self.lines = [], []
        self.commands = 0

    def run(self, command):
        done = subprocess.run(["bash", "-c", command], cwd=self.folder, env=self.environment, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=300, check=False)
        self.commands += 1
        return done.stdout.decode("utf-8", "replace").splitlines()

    def block(self, lines, number):
        """Runs a block; returns it with what was printed."""
        result, at = [], 0
        while at < len(lines):
            if not lines[at].startswith("$ "):
                self.problems.append(f"{self.path}:{number + at}: output without a command")
                return lines
            command, begin = [lines[at][2:]], at
            while lines[at].endswith("\\") and at + 1 < len(lines):
                at += 1
                command.append(lines[at])
            at += 1
            shown = []
            while at < len(lines) and not lines[at].startswith("$ "):
                shown.append(lines[at])
                at += 1
            printed = self.run("\n".join(command))
            good = matches(shown, printed)
            if not good:
                self.problems.append("\n".join(
                    [f"{self.path}:{number + begin}: $ {command[0]}", "  the page shows:"]
                    + ["    " + line for line in shown] + ["  printed was:"] + ["    " + line for line in printed]))
            result += lines[begin:begin + len(command)] + (shown if good else printed)
        return result

    def check(self):
        with open(self.path, encoding="utf-8") as page:
            lines = page.read().splitlines()
        at = 0
        while at < len(lines):
            self.lines.append(lines[at])
            opened = re.fullmatch(r"```(console|file (\S+))", lines[at])
            at += 1
            if not opened:
                continue
            end = lines.index("```", at)
            body = lines[at:end]
            if opened.group(2):
                with open(os.path.join(self.folder, opened.group(2)), "w", encoding="utf-8") as out:
                    out.write("\n".join(body) + "\n")
            else:
                body = self.block(body, at + 1)
            self.lines += body + ["```"]
            at = end + 1


def main():
    pages = [p for p in sys.argv[1:] if p != "--update"]
    update = len(pages) < len(sys.argv) - 1
    build = os.path.abspath(os.environ["REFRAIN_BUILD"])
    bad = 0
    for path in pages:
        with tempfile.TemporaryDirectory() as folder:
            environment = dict(os.environ, PATH=f"{build}/bin:{build}/examples:{os.environ['PATH']}", HOME=folder,
                               LC_ALL="C.UTF-8", COLUMNS="100")
            page = Page(path, folder, environment)
            page.check()
        if update and page.problems:
            with open(path, "w", encoding="utf-8") as out:
                out.write("\n".join(page.lines) + "\n")
        print(f"{path}: {page.commands} commands, {len(page.problems)} not as shown")
        if page.problems and not update:
            print("\n".join(page.problems))
            bad = 1
        if page.commands == 0:
            print(f"{path}: nothing to run")
            bad = 1
    return bad


sys.exit(main())
