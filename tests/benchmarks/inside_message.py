#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Reports the cost of recording the messages within collectives, per send or receive.

    cmake --build --preset release --target collscope_pmpi collscope_pmpi_mpich
    python3 tests/benchmarks/inside_message.py build/release/app [--blocks N]

Two processes call MPI_Allreduce of 4 bytes: each sends one message and receives one. Blocks of 300 calls with and without
alternate in one run: the program itself takes the recorder's functions out and puts them back, under Open MPI those in
mca_pml, under MPICH those by which libmpich calls UCX. Lower quartiles of the blocks are compared, since other programs only
make blocks longer. The last line of each library fails the benchmark if it is above --most.
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
#include <elf.h>
#include <link.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { calls = 300, slots = 23 };

static int order(const void* a, const void* b) {
    const double x = *(const double*)a, y = *(const double*)b;
    return x < y ? -1 : x > y;
}

/* Where libmpich keeps the addresses of UCX's functions: the recorder's, and UCX's own. */
static struct Link { void **at, *recorders, *own; } links[16];
static int linked;

static int find(struct dl_phdr_info* object, size_t size, void* ucx) {
    if (!strstr(object->dlpi_name, "libmpich.so")) return 0;
    const ElfW(Dyn)* dynamic = NULL;
    for (int i = 0; i < object->dlpi_phnum; ++i)
        if (object->dlpi_phdr[i].p_type == PT_DYNAMIC) dynamic = (void*)(object->dlpi_addr + object->dlpi_phdr[i].p_vaddr);
    const ElfW(Sym)* symbols = NULL;
    const char* names = NULL;
    const ElfW(Rela)* tables[2] = {0};
    size_t bytes[2] = {0};
    for (; dynamic->d_tag != DT_NULL; ++dynamic) {
        void* at = (void*)dynamic->d_un.d_ptr;
        if (dynamic->d_tag == DT_SYMTAB) symbols = at;
        if (dynamic->d_tag == DT_STRTAB) names = at;
        if (dynamic->d_tag == DT_JMPREL) tables[0] = at;
        if (dynamic->d_tag == DT_RELA) tables[1] = at;
        if (dynamic->d_tag == DT_PLTRELSZ) bytes[0] = dynamic->d_un.d_val;
        if (dynamic->d_tag == DT_RELASZ) bytes[1] = dynamic->d_un.d_val;
    }
    for (int t = 0; t < 2; ++t)
        for (size_t i = 0; i < bytes[t] / sizeof(ElfW(Rela)); ++i) {
            const char* name = names + symbols[ELF64_R_SYM(tables[t][i].r_info)].st_name;
            if (strcmp(name, "ucp_tag_send_nbx") && strcmp(name, "ucp_tag_recv_nbx")) continue;
            struct Link link = {(void**)(object->dlpi_addr + tables[t][i].r_offset), dlsym(RTLD_DEFAULT, name), dlsym(ucx, name)};
            const size_t page = (size_t)sysconf(_SC_PAGESIZE);
            if (link.own && !mprotect((void*)((size_t)link.at / page * page), page, PROT_READ | PROT_WRITE)) links[linked++] = link;
        }
    return size != 0;
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
    void* ucx = own ? NULL : dlopen("libucp.so.0", RTLD_NOW | RTLD_NOLOAD);
    if (ucx) dl_iterate_phdr(find, ucx);
    if (!own && !linked) return fprintf(stderr, "nothing to take out\\n"), 1;
    for (int b = 0; b < 2 * blocks; ++b) {
        MPI_Barrier(MPI_COMM_WORLD);
        for (int i = 6; own && i < 15; ++i) used[i] = (b % 2 ? own : kept)[i];
        for (int i = 0; i < linked; ++i) *links[i].at = b % 2 ? links[i].own : links[i].recorders;
        MPI_Allreduce(&x, &y, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        const double begin = MPI_Wtime();
        for (int i = 0; i < calls; ++i) MPI_Allreduce(&x, &y, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        times[b % 2][b / 2] = (MPI_Wtime() - begin) / calls * 1e9;
    }
    if (own) memcpy(used, kept, sizeof kept);
    for (int i = 0; i < linked; ++i) *links[i].at = links[i].recorders;
    for (int i = 0; i < 2; ++i) qsort(times[i], blocks, sizeof(double), order);
    if (me == 0) printf("%f %f\\n", times[0][blocks / 4], times[1][blocks / 4]);
    MPI_Finalize();
    return 0;
}
"""

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("build", type=pathlib.Path)
parser.add_argument("--blocks", type=int, default=100)
parser.add_argument("--most", type=float, default=300, help="nanoseconds per send or receive")
given = parser.parse_args()
around = dict(os.environ, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1", OMPI_MCA_rmaps_base_oversubscribe="1",
              COLLSCOPE_CALLS=str(given.blocks * 1000))


def measured(compiler, launcher, recorder, *component):
    """Nanoseconds of a call in odd and even blocks."""
    with tempfile.TemporaryDirectory() as scratch:
        source, binary = pathlib.Path(scratch, "inside.c"), pathlib.Path(scratch, "inside")
        source.write_text(PROGRAM)
        subprocess.run([compiler, "-O2", "-o", binary, source, "-ldl"], check=True)
        done = subprocess.run([launcher, "-n", "2", "env", f"LD_PRELOAD={recorder.resolve()}", f"COLLSCOPE_TRACE={scratch}/trace", binary, str(given.blocks), *component],
                              env=around, check=True, capture_output=True, text=True)
        return [float(word) for word in done.stdout.split()]


missed = []


def show(library, on, off):
    each = (on - off) / 2
    print(f"{library}: a call takes {on:.0f} ns with messages and {off:.0f} ns without, {on / off:.2f} times as long: "
          f"{each:.0f} ns per send or receive")
    if each > given.most:
        missed.append(library)


recorder = given.build / "libcollscope-pmpi.so"
if recorder.exists() and shutil.which("mpicc.openmpi"):
    component, = subprocess.run(["ompi_info", "--path", "pkglibdir", "--parsable"], capture_output=True, text=True).stdout.split() or [""]
    component = component.rsplit(":", 1)[-1] + "/mca_pml_ob1.so"
    show("Open MPI", *measured("mpicc.openmpi", "mpirun.openmpi", recorder, component))
recorder = given.build / "libcollscope-pmpi-mpich.so"
if recorder.exists() and shutil.which("mpicc.mpich"):
    show("MPICH", *measured("mpicc.mpich", "mpiexec.mpich", recorder))
if missed:
    raise SystemExit(f"above {given.most:.0f} ns: {', '.join(missed)}")
