"""Reads a workload in CODES' I/O language as CODES does, and prints "RANK KIND FILE SIZE OFFSET" per operation.

    iolang.py FOLDER RANKS

Follows codesparser.y for the statements that exports use: the first one is swallowed when a file is loaded; it
ends with `exit`. Group 0 is reserved, and a rank takes the first line of meta.txt whose range holds it."""
import re
import sys

TOKEN = re.compile(r"[a-z_]+|0|[1-9][0-9]*|[-,;]|\s+")
OPERANDS = {"open": 1, "close": 1, "sync": 1, "sleep": 1, "exit": 1, "writeat": 3, "readat": 3}


def statements(text):
    tokens, at = [], 0
    while at < len(text):
        found = TOKEN.match(text, at)
        assert found, f"unknown character {text[at]!r}"
        at = found.end()
        if not found.group().isspace():
            tokens.append(found.group())
    at = 0
    while at < len(tokens):
        name = tokens[at]
        end = tokens.index(";", at)
        operands, sign = [], 1
        for k, token in enumerate(tokens[at + 1:end]):
            if token == "-":
                sign = -1
            elif token == ",":
                continue
            else:
                operands.append(sign * int(token))
                sign = 1
        assert name in OPERANDS and len(operands) == OPERANDS[name], f"bad statement {tokens[at:end]}"
        assert all(-2**63 <= n < 2**63 for n in operands)
        yield name, operands
        at = end + 1


def kernel_of(meta, rank):
    for line in meta:
        group, first, last, name = line.split()
        assert int(group) != 0, "group 0 is reserved"
        if int(first) <= rank and (int(last) == -1 or rank <= int(last)):
            return name
    raise AssertionError(f"no kernel of rank {rank}")


def main(folder, ranks):
    meta = open(f"{folder}/meta.txt").read().splitlines()
    for rank in range(ranks):
        program = statements(open(f"{folder}/{kernel_of(meta, rank)}").read())
        next(program)  # swallowed
        ended = False
        for name, operands in program:
            assert not ended, "statements behind exit"
            ended = name == "exit"
            if name in ("open", "close"):
                print(rank, name, operands[0], 0, 0)
            elif name in ("writeat", "readat"):
                print(rank, name[:-2], *operands)
            elif name == "sync":
                print(rank, "barrier", 0, 0, 0)
        assert ended, "no exit"


main(sys.argv[1], int(sys.argv[2]))
