# SPDX-License-Identifier: BSD-3-Clause
"""A program that writes into windows of others is recorded by libcollscope-pmpi.so: what each rank waits is what follows
from when the program itself says that its ranks came to their calls.

Usage: one_sided_live_test.py SOURCE_DIR PROGRAM
"""
import collections
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

source, program = pathlib.Path(sys.argv[1]), os.path.abspath(sys.argv[2])
library = pathlib.Path(program).with_name("libcollscope-pmpi.so")
MPICC = "mpicc.openmpi"
NEAR = 0.05       # of what the program says
JITTER = 0.006    # seconds that a busy machine adds between a call and the program's word for it

if not library.exists() or any(shutil.which(tool) is None for tool in (MPICC, "mpirun")):
    print("skipped: this build has no MPI, or there is no mpicc")
    sys.exit(77)
if b"__asan_init" in library.read_bytes() or b"__tsan_init" in library.read_bytes():
    print("skipped: a library under a sanitizer cannot be loaded before a program that is not")
    sys.exit(77)


def told(folder):
    """By rank and call, when it came."""
    return [dict((call, float(time)) for call, time in
                 (line.split("\t") for line in (folder / str(rank)).read_text().splitlines())) for rank in range(3)]


def right(came):
    """Seconds by (wait, rank), by Scalasca's definitions."""
    waits = collections.Counter()

    def add(wait, rank, since, until):
        if until > since:
            waits[wait, rank] += until - since

    post = came[0]["post"]
    for rank in (1, 2):
        its = came[rank]
        add("late post", rank, its["start"], min(its["started"], post))
        add("early transfer", rank, its["started"], min(its["put"], post))
        if post > its["started"]:
            add("late post", rank, its["complete"], min(its["completed"], post))
    last = max((1, 2), key=lambda rank: came[rank]["complete"])
    wait, operated = came[0]["wait"], came[last]["put"]
    add("early wait", 0, wait, operated)
    add("late complete", 0, max(wait, operated), min(came[0]["waited"], came[last]["complete"]))
    # Whoever unlocks last had to wait for the other, in whatever call that was.
    first, second = sorted((1, 2), key=lambda rank: came[rank]["unlocked"])
    add("window lock contention", second, came[second]["lock"], came[first]["unlocked"])
    add("window lock contention", 2, came[2]["lock all"], came[1]["no longer alone"])
    return waits


def recorded(binary, scratch):
    """One run: what was found, and what is wrong with it (None: nothing)."""
    truth, traces = scratch / "truth", scratch / "traces"
    truth.mkdir()
    ran = subprocess.run(["mpirun", "--allow-run-as-root", "--oversubscribe", "-n", "3", "-x", f"LD_PRELOAD={library}",
                          "-x", f"COLLSCOPE_TRACE={traces}", binary, truth], capture_output=True, text=True, timeout=120)
    if ran.returncode != 0:
        sys.exit(f"the program failed: {ran.stderr}")
    asked = subprocess.run([program, "open", traces, "--tables", "waits,causes,not-recorded", "--format", "json"],
                           capture_output=True, text=True, timeout=60)
    if asked.returncode != 0:
        sys.exit(f"the trace does not open: {asked.stderr}")
    tables = json.loads(asked.stdout)["tables"]
    wanted = right(told(truth))
    kinds = {wait for wait, _ in wanted}
    found = collections.Counter()
    for row in tables["waits"]["rows"]:
        if row["wait"] in ("late post", "early transfer", "early wait", "late complete", "window lock contention"):
            found[row["wait"], row["rank"]] += row["time_s"]
    if not {"late complete", "window lock contention"} <= kinds or not kinds & {"late post", "early transfer"}:
        return found, f"the program did not wait as it should: {wanted}"
    for key in set(found) | set(wanted):
        if abs(found[key] - wanted[key]) > max(NEAR * wanted[key], JITTER):
            return found, f"{key}: {found[key]} s found, {wanted[key]} s by the program's own clock\n{found}\n{wanted}"
    places = {row["wait"]: row for row in tables["causes"]["rows"]}
    if places["late complete"]["origin"] != 2:
        return found, f"who completed late was rank 2: {places}"
    return found, None


with tempfile.TemporaryDirectory() as scratch:
    scratch = pathlib.Path(scratch)
    binary = scratch / "windows"
    subprocess.run([MPICC, "-g", "-O1", "-o", binary, source / "tests/scripts/mpi/one_sided_live.c"], check=True)
    # A rank that is put aside between a call and its word for it spoils a run; it does so only now and then.
    for turn in range(3):
        (scratch / str(turn)).mkdir()
        found, wrong = recorded(binary, scratch / str(turn))
        if wrong is None:
            break
        print(f"run {turn + 1}: {wrong}")
    else:
        sys.exit("no run of three was told as it was")

print("waits at windows that were recorded live are those of the program's own clock:",
      ", ".join(f"{wait} of rank {rank} {found[wait, rank]:.3f} s" for wait, rank in sorted(found)))
