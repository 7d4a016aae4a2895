#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Reports the cost of recording the messages within collectives, per send or receive.

    cmake --build --preset release --target collscope_pmpi collscope_pmpi_mpich
    python3 tests/benchmarks/inside_message.py build/release/app [--blocks N]

Two processes call MPI_Allreduce of 4 bytes: each sends one message and receives one. Under Open MPI, blocks of 300 calls
with and without alternate in one run: the program itself takes the recorder's functions out of mca_pml and puts them
back. Under MPICH, runs alternate with COLLSCOPE_INSIDE=yes and no. Lower quartiles of the blocks are compared, since
other programs only make blocks longer.
"""
import argparse
import os
import pathlib
import shutil
import subprocess
import tempfile

PROGRAM = """
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { calls = 300, slots = 23 };

static int order(const void* a, const void* b) {
    const double x = *(const double*)a, y = *(const double*)b;
    return x < y ? -1 : x > y;
}

int main(int count, char** words) {
    MPI_Init(&count, &words);
    const int blocks = atoi(words[1]);
    int me, x = 1, y;
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    void **used = dlsym(RTLD_DEFAULT, "mca_pml"), *kept[slots];
    void* component = words[2] ? dlopen(words[2], RTLD_NOW | RTLD_NOLOAD) : NULL;
    void** own = component ? dlsym(component, "mca_pml_ob1") : NULL;
    double* times[2] = {malloc(blocks * sizeof(double)), malloc(blocks * sizeof(double))};
    if (own) memcpy(kept, used, sizeof kept);
    for (int b = 0; b < 2 * blocks; ++b) {
        MPI_Barrier(MPI_COMM_WORLD);
        for (int i = 6; own && i < 15; ++i) used[i] = (b % 2 ? own : kept)[i];
        MPI_Allreduce(&x, &y, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        const double begin = MPI_Wtime();
        for (int i = 0; i < calls; ++i) MPI_Allreduce(&x, &y, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        times[b % 2][b / 2] = (MPI_Wtime() - begin) / calls * 1e9;
    }
    if (own) memcpy(used, kept, sizeof kept);
    for (int i = 0; i < 2; ++i) qsort(times[i], blocks, sizeof(double), order);
    if (me == 0) printf("%f %f\\n", times[0][blocks / 4], times[1][blocks / 4]);
    MPI_Finalize();
    return 0;
}
"""

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("build", type=pathlib.Path)
parser.add_argument("--blocks", type=int, default=100)
given = parser.parse_args()
around = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1", OMPI_MCA_rmaps_base_oversubscribe="1",
              COLLSCOPE_CALLS=str(given.blocks * 1000))


def measured(compiler, launcher, recorder, inside, *component):
    """Nanoseconds of a call in odd and even blocks."""
    with tempfile.TemporaryDirectory() as scratch:
        source, binary = pathlib.Path(scratch, "inside.c"), pathlib.Path(scratch, "inside")
        source.write_text(PROGRAM)
        subprocess.run([compiler, "-O2", "-o", binary, source, "-ldl"], check=True)
        done = subprocess.run([launcher, "-n", "2", "env", f"LD_PRELOAD={recorder.resolve()}", f"COLLSCOPE_TRACE={scratch}/trace",
                               f"COLLSCOPE_INSIDE={inside}", binary, str(given.blocks), *component],
                              env=around, check=True, capture_output=True, text=True)
        return [float(word) for word in done.stdout.split()]


def show(library, on, off):
    print(f"{library}: a call takes {on:.0f} ns with messages and {off:.0f} ns without: {(on - off) / 2:.0f} ns per send or receive")


recorder = given.build / "libcollscope-pmpi.so"
if recorder.exists() and shutil.which("mpicc.openmpi"):
    component, = subprocess.run(["ompi_info", "--path", "pkglibdir", "--parsable"], capture_output=True, text=True).stdout.split() or [""]
    component = component.rsplit(":", 1)[-1] + "/mca_pml_ob1.so"
    show("Open MPI", *measured("mpicc.openmpi", "mpirun.openmpi", recorder, "yes", component))
recorder = given.build / "libcollscope-pmpi-mpich.so"
if recorder.exists() and shutil.which("mpicc.mpich"):
    runs = [[min(measured("mpicc.mpich", "mpiexec.mpich", recorder, inside)) for inside in ("yes", "no")] for _ in range(3)]
    show("MPICH", *(min(column) for column in zip(*runs)))
