# SPDX-License-Identifier: BSD-3-Clause
"""A part of a trace leaves as a trace: otf2-print has nothing to complain about and counts what was chosen.

Usage: trace_part_test.py SOURCE_DIR PROGRAM
"""
import collections
import json
import os
import shutil
import subprocess
import sys
import tempfile

source, program = sys.argv[1:3]
if shutil.which("otf2-print") is None:
    print("skipped: otf2-print is not there (Debian: otf2-tools)")
    sys.exit(77)


def run(*words):
    return subprocess.run(words, capture_output=True, text=True, timeout=240)


def check(condition, what):
    if not condition:
        sys.exit(f"FAILED: {what}")


def counts(anchor):
    printed = run("otf2-print", anchor)
    check(printed.returncode == 0 and printed.stderr == "", f"otf2-print: {printed.returncode} {printed.stderr!r}")
    return collections.Counter(line.split()[0] for line in printed.stdout.splitlines() if line[:1].isupper())


def rows(trace, table):
    opened = run(program, "open", trace, "--tables", table, "--format", "json")
    check(opened.returncode == 0, opened.stderr)
    return json.loads(opened.stdout)["tables"][table]["rows"]


with tempfile.TemporaryDirectory() as scratch:
    ring = os.path.join(scratch, "ring")
    made = run(program, "run", "allgatherv/linear-ring", "-n", "6", "--alpha", "1us", "--beta", "0ns/B", "--trace", ring)
    check(made.returncode == 0, made.stderr)
    part = os.path.join(scratch, "part.otf2")
    # Five rounds of a microsecond; rounds 2 and 3, ranks 0 to 3: three messages each, and ends whose peers are elsewhere.
    wrote = run(program, "export", ring, "-o", part, "--from", "1us", "--to", "3us", "--ranks", "0..3")
    check(wrote.returncode == 0, wrote.stderr)
    check(sorted(os.listdir(scratch)) == ["part", "part.def", "part.otf2", "ring"], os.listdir(scratch))
    found = counts(part)
    check(found["MPI_SEND"] == 8, f"sends that begin within: {found}")
    again = run(program, "export", ring, "-o", part)
    check(again.returncode == 2 and "is there already" in again.stderr, again.stderr)
    refused = run(program, "export", ring, "-o", os.path.join(scratch, "x.svg"), "--from", "1us")
    check(refused.returncode == 2 and "--from and --to select" in refused.stderr, refused.stderr)
    lines = run(program, "export", ring, "-o", os.path.join(scratch, "part.csv"), "--from", "1us", "--to", "3us")
    check(lines.returncode == 0, lines.stderr)

    shared = os.environ.get("COLLSCOPE_SHARED_TRACES", os.path.join(source, "..", "shared", "traces"))
    for name in ("pipit-ping-pong", "sstmacro-mpi-coverage-10", "tracer-stencil4d-32"):
        if not os.path.exists(os.path.join(shared, name)):
            continue
        whole = os.path.join(scratch, name + ".otf2")
        wrote = run(program, "export", os.path.join(shared, name), "-o", whole)
        check(wrote.returncode == 0, wrote.stderr)
        original, copy = counts(os.path.join(shared, name, "traces.otf2")), counts(whole)
        # A copy leaves every call that another call's end had closed: there may be more of LEAVE.
        for kind in ("ENTER", "MPI_SEND", "MPI_RECV", "MPI_ISEND", "MPI_ISEND_COMPLETE", "MPI_IRECV_REQUEST",
                     "MPI_IRECV", "MPI_COLLECTIVE_BEGIN", "MPI_COLLECTIVE_END"):
            check(copy[kind] == original[kind], f"{name}: {copy[kind]} of {original[kind]} {kind}")
        half = os.path.join(scratch, name + "-half.otf2")
        wrote = run(program, "export", os.path.join(shared, name), "-o", half, "--ranks", "0", "--from", "1us")
        check(wrote.returncode == 0, wrote.stderr)
        check(0 < sum(counts(half).values()) < sum(original.values()), f"{name}: a part is smaller")
print("otf2-print reads parts of traces")
