#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""`collscope tune` measures Open MPI's algorithms, rejects wrong ones, writes rules that Open MPI reads, and can be continued.

Usage: tune_live_test.py SOURCE_DIR PROGRAM
"""
import csv
import json
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time

program = pathlib.Path(sys.argv[2])
if not all(map(shutil.which, ("mpirun", "ompi_info"))) or not (program.parent / "collscope-mpi").exists():
    print("skipped: Open MPI or collscope-mpi is missing")
    sys.exit(77)
failures = []


def expect(true, words):
    if not true:
        failures.append(words)


def tune(*words, timeout=300):
    return subprocess.run([program, "tune", *map(str, words)], capture_output=True, text=True, timeout=timeout)


with tempfile.TemporaryDirectory() as scratch:
    folder = pathlib.Path(scratch)
    rules = folder / "rules.conf"

    # Without --commutative the ring of an allreduce, which changes the order of its operands, is no candidate.
    answer = tune("allreduce,bcast", "-n", 3, "--sizes", "4,64KiB", "--budget", "20s", "-o", rules, "--format", "json")
    expect(answer.returncode == 0, f"tune: {answer.stderr}")
    if answer.returncode == 0:
        found = json.loads(answer.stdout)
        faults = [fault for cell in found["cells"] for fault in cell["faults"]]
        expect(any("ring" in fault and "does not commute" in fault for fault in faults), f"the ring passed all tests: {faults}")
        expect(not any("recursive_doubling" in fault or "bcast" in fault.lower() for fault in faults), f"right algorithms failed: {faults}")
        expect(len(found["cells"]) == 4 and all(cell["default_s"] > 0 for cell in found["cells"]), "cells without times")
        check = tune("check", rules)
        expect(check.returncode == 0, f"its own rules have faults: {check.stdout}")
        expect(len(list(csv.DictReader((folder / "rules.csv").open()))) == 4, "the map has other rows")
        expect("What was measured" in (folder / "rules.md").read_text(), "the page is empty")
        expect(not (folder / "rules.conf.measured").exists(), "the measurement was left behind")
        again = tune("bcast", "-n", 3, "--sizes", "4", "--budget", "5s", "-o", rules)
        expect(again.returncode == 2 and "rules.conf" in again.stderr, f"overwrote the rules: {again.stderr}")

    # Killed half-way, nothing is lost: what was measured is not measured again.
    slow = folder / "slow.conf"
    arguments = ["bcast,reduce", "-n", "3", "--sizes", "4..1MiB", "--budget", "60s", "-o", str(slow)]
    running = subprocess.Popen([program, "tune", *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    measured = folder / "slow.conf.measured"
    until = time.monotonic() + 60
    while time.monotonic() < until and not (measured.exists() and measured.read_text().count("\t.\n") > 40):
        time.sleep(0.05)
    running.send_signal(signal.SIGKILL)
    running.wait()
    before = measured.read_text()
    expect(before.count("\t.\n") > 40, "no times came in")
    refused = tune(*arguments)
    expect(refused.returncode == 2 and "--resume" in refused.stderr, f"began again: {refused.stderr}")
    other = tune("bcast", "-n", 2, "--sizes", "4", "-o", slow, "--resume")
    expect(other.returncode == 2, "continued another measurement")
    running = subprocess.Popen([program, "tune", *arguments, "--resume"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    until = time.monotonic() + 60
    while time.monotonic() < until and running.poll() is None and len(measured.read_text()) < len(before) + 200:
        time.sleep(0.05)
    running.send_signal(signal.SIGINT)
    out, err = running.communicate(timeout=60)
    expect(running.returncode == 130, f"cancelled with {running.returncode}: {err}")
    if running.returncode == 130:
        after = measured.read_text()
        expect(after.startswith(before.rstrip("\n").rsplit("\n", 1)[0]), "earlier times were lost")
        expect(len(after) > len(before), "nothing was measured after --resume")
    refused = tune(*arguments, "--commutative", "--resume")
    expect(refused.returncode == 2 and "--commutative" in refused.stderr, f"joined times of other conditions: {refused.stderr}")
    refused = tune("bcast", "-n", "2", "-o", folder / "new.conf", "--resume")
    expect(refused.returncode == 2 and "does not exist" in refused.stderr, f"resumed nothing: {refused.stderr}")
    refused = tune("bcast", "-n", "2", "-o", folder / "x.csv")
    expect(refused.returncode == 2 and ".conf" in refused.stderr and not (folder / "x.csv.measured").exists(), f"two files of one name: {refused.stderr}")

for failure in failures:
    print("FAILED:", failure)
print(f"{len(failures)} failures")
sys.exit(1 if failures else 0)
