#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Says what libcollscope-pmpi.so adds to one call that it records: nanoseconds of a program's own time.

    cmake --build --preset release --target collscope_pmpi
    python3 tests/benchmarks/recorded_call.py build/release/app/libcollscope-pmpi.so [--mpicc mpicc.mpich] [--repeats 21]

A program of one process calls MPI_Barrier and MPI_Bcast of 8 bytes, 100,000 times each: alone there is nothing to wait for,
so that a call costs least and a record shows most. It runs by itself, under the library told to record nothing, and under
the library recording, in turn; numbers are medians over all repeats, of CPU time, which other programs disturb least. Each
record reads the clock twice: what that takes is told too.
"""
import argparse
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

PROGRAM = """
#include <mpi.h>
#include <stdio.h>
#include <time.h>

enum { calls = 100000 };

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return time.tv_sec * 1e9 + time.tv_nsec;
}

int main(int argc, char** argv) {
    double begin, barrier, bcast, clock;
    struct timespec time;
    char data[8] = {0};
    int i;
    MPI_Init(&argc, &argv);
    for (i = 0; i < calls / 10; ++i) {
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Bcast(data, sizeof data, MPI_CHAR, 0, MPI_COMM_WORLD);
    }
    begin = now();
    for (i = 0; i < calls; ++i) MPI_Barrier(MPI_COMM_WORLD);
    barrier = now() - begin;
    begin = now();
    for (i = 0; i < calls; ++i) MPI_Bcast(data, sizeof data, MPI_CHAR, 0, MPI_COMM_WORLD);
    bcast = now() - begin;
    begin = now();
    for (i = 0; i < calls; ++i) clock_gettime(CLOCK_MONOTONIC, &time);
    clock = now() - begin;
    printf("%f %f %f\\n", barrier / calls, bcast / calls, clock / calls);
    return MPI_Finalize();
}
"""
CALLS = ("MPI_Barrier", "MPI_Bcast")
HELD = 220000  # calls that the program makes


def built(mpicc, folder):
    source = folder / "calls.c"
    source.write_text(PROGRAM)
    done = subprocess.run([mpicc, "-O2", source, "-o", folder / "calls"], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{mpicc} does not build the program: {done.stderr}")
    return folder / "calls"


def measured(program, folder, extra):
    """Nanoseconds of one call of each kind, and of one reading of the clock."""
    done = subprocess.run([program], capture_output=True, text=True, cwd=folder, env={**os.environ, **extra})
    if done.returncode != 0:
        sys.exit(f"the program ended with code {done.returncode}: {done.stderr}")
    if "COLLSCOPE_TRACE" in extra and (f"{HELD} calls" in done.stderr) != bool(extra["COLLSCOPE_TRACE"]):
        sys.exit(f"not recorded as it should be: {done.stderr}")
    return [float(word) for word in done.stdout.split()]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("library", type=pathlib.Path)
    parser.add_argument("--mpicc", default="mpicc", help="of the MPI library that `library` is built with")
    parser.add_argument("--repeats", type=int, default=21)
    given = parser.parse_args()
    library = str(given.library.resolve(strict=True))
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        program = built(given.mpicc, folder)
        silent = {"LD_PRELOAD": library, "COLLSCOPE_TRACE": ""}
        recording = {"LD_PRELOAD": library, "COLLSCOPE_CALLS": str(HELD)}
        times = [[measured(program, folder, extra) for extra in
                  ({}, silent, {**recording, "COLLSCOPE_TRACE": str(folder / f"trace-{repeat}")})]
                 for repeat in range(given.repeats)]
    print(f"{'ns a call':12} {'by itself':>10} {'loaded':>10} {'recorded':>10} {'one record':>11}")
    for call, name in enumerate(CALLS):
        alone, loaded, recorded = (statistics.median(repeat[way][call] for repeat in times) for way in range(3))
        record = statistics.median(repeat[2][call] - repeat[0][call] for repeat in times)
        print(f"{name:12} {alone:10.0f} {loaded:10.0f} {recorded:10.0f} {record:11.0f}")
    clock = statistics.median(ways[2][-1] for ways in times)
    print(f"of each record, two readings of the clock take {2 * clock:.0f} ns")


main()
