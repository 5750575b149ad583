# What gcov counted, as scripts/coverage prints it:  coverage_report.py BUILD FILES
# A line of a header or of a file that several libraries compile has run if it has run in one of them. Rows of tables
# (.def) are no code of their own.
import collections, json, os, subprocess, sys

build, shown = os.path.abspath(sys.argv[1]), int(sys.argv[2])
source = os.path.abspath("src") + os.sep
counted = [os.path.join(folder, name)
           for folder, _, names in os.walk(build) for name in names if name.endswith(".gcno")]
lines = collections.defaultdict(dict)  # path below src: line: runs
for begin in range(0, len(counted), 20):
    batch = counted[begin:begin + 20]
    text = subprocess.run(["gcov", "--json-format", "--stdout", *batch], cwd=build, check=True,
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True).stdout
    for unit in filter(None, text.splitlines()):
        unit = json.loads(unit)
        for file in unit["files"]:
            path = os.path.normpath(os.path.join(unit["current_working_directory"], file["file"]))
            if not path.startswith(source) or path.endswith(("_test.cpp", ".def")):
                continue
            of_file = lines[path[len(source):]]
            for line in file["lines"]:
                number = line["line_number"]
                of_file[number] = of_file.get(number, 0) + line["count"]

def share(run, all):
    return f"{100 * run / all:5.1f}%"

folders = collections.defaultdict(lambda: [0, 0])
for path, of_file in lines.items():
    folder = folders[path.split(os.sep)[0]]
    folder[0] += sum(1 for runs in of_file.values() if runs)
    folder[1] += len(of_file)
print("| folder | lines | run | share |\n|---|---|---|---|")
for folder, (run, all) in sorted(folders.items()):
    print(f"| {folder} | {all} | {run} | {share(run, all)} |")
total = [sum(column) for column in zip(*folders.values())]
print(f"| all | {total[1]} | {total[0]} | {share(*total)} |\n")

files = sorted((sum(1 for runs in f.values() if runs) / len(f), path) for path, f in lines.items() if len(f) >= 30)
print("| file | lines | share |\n|---|---|---|")
for part, path in files[:shown]:
    print(f"| {path} | {len(lines[path])} | {share(part, 1)} |")

for path, of_file in lines.items():
    missed = [number for number, runs in sorted(of_file.items()) if not runs]
    place = os.path.join(build, "not-run", path)
    os.makedirs(os.path.dirname(place), exist_ok=True)
    with open(source + path) as text, open(place, "w") as out:
        all_lines = text.read().split("\n")
        out.writelines(f"{number}: {all_lines[number - 1]}\n" for number in missed if number <= len(all_lines))
