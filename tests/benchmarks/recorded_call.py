#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Says what libcollscope-pmpi.so adds to one call that it records: time and memory, with and without in one run.

    cmake --build --preset release --target collscope_pmpi
    python3 tests/benchmarks/recorded_call.py build/release/app/libcollscope-pmpi.so [--mpicc mpicc.mpich] [--calls N]
                                              [--launcher 'mpirun -n 2']

One process calls MPI_Barrier and MPI_Bcast of 8 bytes, half a million times each: alone there is nothing to wait for, so
that a call costs least and a record shows most. Every 1,000 calls that are recorded are followed by 1,000 that go past
the library (PMPI_...), so that whatever else the machine does meets both alike. Told are the medians of these thousands,
which other programs do not move, and the means, which they do; both of the time on the clock. Each record reads the clock
twice: what that takes is told too. Memory is what the process has in the end beyond what it has with room for one call.
"""
import argparse
import os
import pathlib
import subprocess
import sys
import tempfile

PROGRAM = """
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { block = 1000 };

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1e9 + time.tv_nsec;
}
static long resident(void) {  /* KiB */
    char line[256];
    long kib = 0;
    FILE* file = fopen("/proc/self/status", "r");
    while (file != NULL && fgets(line, sizeof line, file) != NULL) sscanf(line, "VmRSS: %ld", &kib);
    if (file != NULL) fclose(file);
    return kib;
}
static char data[8];
static void barrier(void) { MPI_Barrier(MPI_COMM_WORLD); }
static void barrierPast(void) { PMPI_Barrier(MPI_COMM_WORLD); }
static void bcast(void) { MPI_Bcast(data, sizeof data, MPI_CHAR, 0, MPI_COMM_WORLD); }
static void bcastPast(void) { PMPI_Bcast(data, sizeof data, MPI_CHAR, 0, MPI_COMM_WORLD); }
static void readClock(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
}
static double once(void (*call)(void)) {
    const double begin = now();
    int i;
    for (i = 0; i < block; ++i) call();
    return (now() - begin) / block;
}
static int order(const void* a, const void* b) {
    const double x = *(const double*)a, y = *(const double*)b;
    return x < y ? -1 : x > y;
}
static void tell(double* times, int blocks) {
    double sum = 0;
    int i;
    for (i = 0; i < blocks; ++i) sum += times[i];
    qsort(times, blocks, sizeof *times, order);
    printf("%f %f ", times[blocks / 2], sum / blocks);
}
static void measure(void (*with)(void), void (*without)(void), int blocks, int told) {
    double* a = malloc(blocks * sizeof *a);
    double* b = malloc(blocks * sizeof *b);
    double* more = malloc(blocks * sizeof *more);
    int i;
    for (i = 0; i < blocks; ++i) {
        a[i] = once(with);
        b[i] = once(without);
        more[i] = a[i] - b[i];
    }
    if (told) tell(b, blocks), tell(a, blocks), tell(more, blocks);
    free(a), free(b), free(more);
}
int main(int argc, char** argv) {
    const int blocks = atoi(argv[1]) / 2 / block;
    double clocks[100];
    int rank, i;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    measure(barrier, barrierPast, blocks, rank == 0);
    measure(bcast, bcastPast, blocks, rank == 0);
    for (i = 0; i < 100; ++i) clocks[i] = once(readClock);
    if (rank == 0) tell(clocks, 100), printf("%ld\\n", resident());
    return MPI_Finalize();
}
"""


def built(mpicc, folder):
    source = folder / "calls.c"
    source.write_text(PROGRAM)
    done = subprocess.run([mpicc, "-O2", source, "-o", folder / "calls"], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{mpicc} does not build the program: {done.stderr}")
    return folder / "calls"


def measured(command, folder, library, calls, room):
    """What the program printed, as numbers."""
    around = {"COLLSCOPE_CALLS": str(room), "COLLSCOPE_TRACE": str(folder / f"trace-{room}")}
    # Only the program itself is to have the library, whatever launches it.
    command = [*command[:-1], "env", f"LD_PRELOAD={library}", command[-1], str(calls)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=folder, env={**os.environ, **around})
    if done.returncode != 0 or " calls of " not in done.stderr:
        sys.exit(f"the program ended with code {done.returncode}: {done.stderr}")
    return [float(word) for word in done.stdout.split()]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("library", type=pathlib.Path)
    parser.add_argument("--mpicc", default="mpicc", help="of the MPI library that `library` is built with")
    parser.add_argument("--calls", type=int, default=1_000_000, help="that are recorded")
    parser.add_argument("--launcher", default="", help="words before the program; none: one process by itself")
    given = parser.parse_args()
    library = str(given.library.resolve(strict=True))
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        command = [*given.launcher.split(), str(built(given.mpicc, folder))]
        *_, little = measured(command, folder, library, given.calls, 1)
        *times, clock, _, much = measured(command, folder, library, given.calls, given.calls)
    print(f"{'ns a call':12} {'past it':>9} {'recorded':>9} {'one record':>11}   (means: {'past it':>9} {'recorded':>9} {'one record':>11})")
    for index, call in enumerate(("MPI_Barrier", "MPI_Bcast")):
        past, past_mean, recorded, recorded_mean, record, record_mean = times[6 * index:6 * index + 6]
        print(f"{call:12} {past:9.0f} {recorded:9.0f} {record:11.0f}   (means: {past_mean:9.0f} {recorded_mean:9.0f} {record_mean:11.0f})")
    print(f"of each record, two readings of the clock take {2 * clock:.0f} ns")
    print(f"{given.calls:,} calls: {(much - little) / 1024:.1f} MiB more, {(much - little) * 1024 / given.calls:.0f} bytes a call")


main()
