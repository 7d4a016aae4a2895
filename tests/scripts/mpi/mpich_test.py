#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Runs over MPICH as users start them, beside those over the MPI that the rest of the build has.

Usage: mpich_test.py SOURCE_DIR PROGRAM
"""
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile

from mpi_programs import check, finish

program = pathlib.Path(sys.argv[2]).resolve()
worker = program.with_name("collscope-mpi-mpich")
if not worker.exists() or not shutil.which("mpiexec.mpich"):
    print("skipped: this build has no MPICH (-DCOLLSCOPE_MPICH=ON; Debian: mpich, libmpich-dev)")
    sys.exit(77)

scratch = tempfile.TemporaryDirectory()
surroundings = dict(os.environ, TMPDIR=scratch.name, COLLSCOPE_NAP="20")


def start(*command):
    return subprocess.run(command, capture_output=True, text=True, timeout=120, env=surroundings)


def run(*arguments):
    return start(program, "run", *arguments, "--on", "mpi", "--format", "json")


def is_rank(folder):
    """Whether a folder of /proc is a process of a run of ours."""
    try:
        words = (folder / "cmdline").read_bytes().decode().split("\0")
    except OSError:
        return False
    return words[0] == str(worker) and words[1:2] == ["rank"] and scratch.name in words[2]


def check_answer(done, library, words):
    check(done.returncode == 0 and done.stderr == "", f"{words}: {done.returncode} {done.stderr!r}")
    report = json.loads(done.stdout or "{}")
    check(report.get("verified") is True, f"{words}: not verified")
    check(report.get("measurement", {}).get("library", "").startswith(library), f"{words}: {report.get('measurement')}")
    return report


# The launcher decides: its own program, its own library; one word gets what it needs, several are taken as they are.
done = run("bcast/binomial-tree", "-n", "4", "--size", "64KiB", "--mpirun", "mpiexec.mpich -n 4", "--repeat", "3", "--against", "native")
report = check_answer(done, "MPICH", "several words")
check([m["id"] for m in report["measurement"]["methods"]] == ["bcast/binomial-tree", "bcast/native"], "measured in turn")
report = check_answer(run("allgatherv/linear-ring", "-n", "3", "--mpirun", "mpiexec.mpich"), "MPICH", "one word")
check(report["messages"] == 6, f"messages: {report['messages']}")
check_answer(run("allgatherv/linear-ring", "-n", "3", "--mpirun", "mpirun.openmpi"), "Open MPI", "the other MPI")

# What differs between libraries: windows, intercommunicators, Cartesian communicators.
for transport in ("one-sided", "two-sided"):
    done = run("allreduce/dissemination", "-n", "4", "--split-phase", "--transport", transport, "--mpirun", "mpiexec.mpich")
    check_answer(done, "MPICH", f"split-phase {transport}")
done = run("halfduplex-allgather/ring-streams", "-p", "3", "-q", "2", "--neighbours-only", "--against", "native", "--mpirun", "mpiexec.mpich")
check_answer(done, "MPICH", "neighbours and an intercommunicator")

# Started from outside, all processes together.
done = start("mpiexec.mpich", "-n", "3", worker, "run", "bcast/flat", "-n", "3", "--on", "mpi", "--format", "json")
check_answer(done, "MPICH", "under mpiexec")

# The program of one library under the launcher of another.
done = start("mpiexec.mpich", "-n", "2", program.with_name("collscope-mpi"), "run", "bcast/flat", "-n", "2", "--on", "mpi")
check(done.returncode != 0 and "Open MPI" in done.stderr and "start it with the launcher" in done.stderr, f"strangers: {done.returncode} {done.stderr!r}")

# kill -9 of one rank: Hydra kills the others, most of them without a word, so nobody can say which was the first.
process = subprocess.Popen([program, "run", "barrier/dissemination", "-n", "4", "--on", "mpi", "--repeat", "100000", "--mpirun", "mpiexec.mpich"],
                           stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=surroundings)
while (line := process.stderr.readline()) and not re.search(r"running [1-9]", line):
    pass  # under way, however slow the machine is
ranks = [folder for folder in pathlib.Path("/proc").glob("[0-9]*") if is_rank(folder)]
check(len(ranks) == 4, f"processes: {len(ranks)}")
os.kill(int(ranks[-1].name), signal.SIGKILL)
err = "".join(line for line in process.stderr if "running" not in line)
process.wait()
check(process.returncode == 1 and "ended without a word" in err and err.count("\n") == 1, f"killed rank: {process.returncode} {err!r}")

left = [name for name in os.listdir(scratch.name) if name.startswith("collscope-")]
check(left == [], f"left {left}")
finish()
