# SPDX-License-Identifier: BSD-3-Clause
"""The program as users start it: exit codes, one sentence on stderr, pipes and interruptions.

Usage: cli_errors_test.py SOURCE_DIR PROGRAM
"""
import os
import signal
import subprocess
import sys
import tempfile
import time

program = sys.argv[2]
failures = []


def check(condition, words):
    if not condition:
        failures.append(words)
        print("FAILED:", words)


def run(*arguments, **more):
    return subprocess.run([program, *arguments], capture_output=True, text=True, timeout=60, **more)


mistakes = [
    ["lst"],
    ["--fast"],
    ["run"],
    ["run", "bcast/falt", "-n", "4"],
    ["run", "bcast/flat", "-n", "4", "--topolgy", "ring"],
    ["run", "bcast/flat", "-n", "4", "--set", "gruops=2"],
    ["run", "bcast/flat"],
    ["run", "bcast/flat", "-n"],
    ["run", "bcast/flat", "-n", "4\n5"],
    ["verify", "bcast/flat", "-n", "9..1"],
    ["open", "/no/such/trace"],
    ["open", "/dev/null"],
    ["export", "bcast/flat", "-n", "4", "-o", "/no/such/folder/x.csv"],
    ["run", "bcast/flat", "-n", "4", "--trace", "/proc/nowhere"],
]
for arguments in mistakes:
    done = run(*arguments)
    check(done.returncode == 2, f"{arguments}: exit code {done.returncode}, not 2")
    check(done.stdout == "", f"{arguments}: something on stdout")
    check(done.stderr.startswith("collscope: ") and done.stderr.count("\n") == 1 and done.stderr.endswith("\n"),
          f"{arguments}: stderr is not one line: {done.stderr!r}")

for arguments in (["list"], ["--help"], ["run", "--help"], ["--version"], ["verify", "bcast/flat", "-n", "1..9"],
                  ["run", "bcast/flat", "-n", "4", "--on", "threads"]):
    done = run(*arguments)
    check(done.returncode == 0 and done.stderr == "", f"{arguments}: {done.returncode} {done.stderr!r}")
    check("\033" not in done.stdout, f"{arguments}: colour in a pipe")

# A reader that leaves early ends the writer quietly.
writer = subprocess.Popen([program, "show", "allgatherv/linear-ring", "-n", "2000", "--format", "json"],
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE)
writer.stdout.readline()
writer.stdout.close()
complaint = writer.stderr.read()
check(writer.wait(60) != 1 and complaint == b"", f"broken pipe: {complaint!r}")

# A full disk is named.
if os.path.exists("/dev/full"):
    with open("/dev/full", "w") as full:
        done = subprocess.run([program, "list"], stdout=full, stderr=subprocess.PIPE, text=True, timeout=60)
    check(done.returncode == 2 and done.stderr.count("\n") == 1, f"full disk: {done.returncode} {done.stderr!r}")

# Ctrl-C ends long work with 130 and leaves no archive behind.
with tempfile.TemporaryDirectory() as folder:
    trace = os.path.join(folder, "trace")
    long = subprocess.Popen([program, "run", "allgatherv/linear-ring", "-n", "30000", "--trace", trace],
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    time.sleep(1)
    long.send_signal(signal.SIGINT)
    out, err = long.communicate(timeout=60)
    check(long.returncode == 130, f"interrupted: exit code {long.returncode}")
    check(err == "collscope: interrupted; nothing was left half done\n", f"interrupted: {err!r}")
    check(os.listdir(folder) == [], f"interrupted: left {os.listdir(folder)}")

# Messages are kept only where a trace is to hold them; nothing else of the answer changes.
def measured(*arguments):
    child = subprocess.Popen([program, "run", "allgatherv/linear-ring", "-n", "1200", "--format", "json", *arguments],
                             stdout=subprocess.PIPE)
    answer = child.stdout.read()
    _, status, used = os.wait4(child.pid, 0)
    check(status == 0, f"run {arguments}: {status}")
    return answer, used.ru_maxrss


with tempfile.TemporaryDirectory() as folder:
    alone, small = measured()
    recorded, large = measured("--trace", os.path.join(folder, "trace"))
    check(alone == recorded, "a run says something else when it is recorded")
    check(2 * small < large, f"a run that nobody records needs {small} KiB, recorded {large} KiB")

sys.exit(1 if failures else 0)
