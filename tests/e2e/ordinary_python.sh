# The system's Python: its own start-up, text and binary files, a child process, threads.
source "$(dirname "$0")/lib.sh"
prepare() {
  cat >work.py <<'PYTHON'
import os, subprocess, sys, threading

def write(number):
    with open(f"thread_{number}.txt", "w") as file:
        for line in range(1000):
            file.write(f"{number} {line}\n")

threads = [threading.Thread(target=write, args=(n,)) for n in range(3)]
for thread in threads: thread.start()
for thread in threads: thread.join()
with open("random.bin", "wb", buffering=0) as file:
    for block in range(50):
        os.pwrite(file.fileno(), bytes([block]) * 1000, block * 4096)
print(sum(len(open(f"thread_{n}.txt").read()) for n in range(3)))
print(subprocess.run(["wc", "-c", "random.bin"], capture_output=True, text=True).stdout)
sys.exit(5)
PYTHON
}
expect_transparent -x __pycache__ /usr/bin/python3 work.py
