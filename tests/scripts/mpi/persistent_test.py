# SPDX-License-Identifier: BSD-3-Clause
"""Persistent collectives and collectives among neighbours, under Open MPI and MPICH: each start is an instance with its
bytes, root and messages, each neighbour gets its bytes, and the late rank causes the waits.

Usage: persistent_test.py SOURCE_DIR PROGRAM
"""
import collections
import os
import pathlib
import shutil
import sys
import tempfile

from mpi_programs import check, finish, libraries, recorded

program = os.path.abspath(sys.argv[2])
RANKS, STARTS, LATE = 4, 4, 0.06  # seconds

# MPI_Testall of MPICH 4.0.2 ends programs whose persistent collectives are done. Rank 2 is late in every start of the
# allreduce, rank 1 in every collective among neighbours.
SOURCE = """
#include <mpi.h>
#include <unistd.h>
#ifdef OPEN_MPI
#include <mpi-ext.h>
#define INIT(name) MPIX_##name##_init
#else
#define INIT(name) MPI_##name##_init
#endif
#define COMES_LATE(rank) if (me == rank) usleep(LATE)
int main(int argc, char** argv) {
    static int from[4000], to[4000];
    int me, size, i, period = 1;
    MPI_Request one, two[2];
    MPI_Comm ring;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    INIT(Allreduce)(from, to, 1000, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &one);
    INIT(Bcast)(from, 100, MPI_INT, 1, MPI_COMM_WORLD, MPI_INFO_NULL, &two[0]);
    INIT(Gather)(from, 10, MPI_INT, to, 10, MPI_INT, 3, MPI_COMM_WORLD, MPI_INFO_NULL, &two[1]);
    for (i = 0; i < STARTS; i++) {
        COMES_LATE(2);
        MPI_Start(&one);
        MPI_Wait(&one, MPI_STATUS_IGNORE);
        MPI_Startall(2, two);
        if (i % 2) MPI_Waitall(2, two, MPI_STATUSES_IGNORE);
        else for (int k = 0, done = 0; k < 2; k += done) MPI_Test(&two[k], &done, MPI_STATUS_IGNORE);
    }
    MPI_Request_free(&one);
    MPI_Request_free(&two[0]);
    MPI_Request_free(&two[1]);
    MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &period, 0, &ring);
    INIT(Neighbor_allgather)(from, 30, MPI_INT, to, 30, MPI_INT, ring, MPI_INFO_NULL, &one);
    for (i = 0; i < STARTS; i++) {
        COMES_LATE(1);
        MPI_Neighbor_allgather(from, 10, MPI_INT, to, 10, MPI_INT, ring);
        COMES_LATE(1);
        MPI_Ineighbor_allgather(from, 20, MPI_INT, to, 20, MPI_INT, ring, two);
        MPI_Wait(two, MPI_STATUS_IGNORE);
        COMES_LATE(1);
        MPI_Start(&one);
        MPI_Wait(&one, MPI_STATUS_IGNORE);
    }
    MPI_Request_free(&one);
    MPI_Comm_free(&ring);
    MPI_Finalize();
    return 0;
}
"""

scratch = pathlib.Path(tempfile.mkdtemp())


for mpi in libraries(pathlib.Path(program).parent):
    mpirun = mpi[1]
    _, tables = recorded(program, mpi, SOURCE, RANKS, "collectives,library,pairs,waits,mismatches,not-recorded", scratch,
                         f"-DSTARTS={STARTS}", f"-DLATE={round(1e6 * LATE)}")
    instances = collections.Counter((row["operation"], row["root"], row["bytes"]) for row in tables["collectives"]
                                    if row["operation"] != "messages")
    right = {("allreduce", None, 4 * 4000): STARTS, ("bcast", 1, 4 * 400): STARTS, ("gather", 3, 160): STARTS}
    right |= {("neighbor-allgather", None, RANKS * 2 * 4 * count): STARTS for count in (10, 20, 30)}
    check(instances == right, f"{mpirun}: {instances}")
    check(all(row["messages"] >= RANKS - 1 for row in tables["collectives"]), f"{mpirun}: {tables['collectives']}")
    # Of two that one call starts each has its own messages; MPICH broadcasts from rank 0, to which the root sends first.
    for row in tables["library"]:
        most = {"bcast": RANKS, "gather": RANKS - 1}.get(row["operation"])
        check(most is None or STARTS * (RANKS - 1) <= row["messages"] <= STARTS * most, f"{mpirun}: {row}")
        check(row["operation"] not in ("MPI_Start", "MPI_Startall"), f"{mpirun}: {row}")
    pairs = {(row["from"], row["to"]): (row["messages"], row["bytes"]) for row in tables["pairs"]}
    neighbours = {(r, (r + step) % RANKS): (3 * STARTS, STARTS * 4 * (10 + 20 + 30)) for r in range(RANKS) for step in (1, RANKS - 1)}
    check(pairs == neighbours, f"{mpirun}: {pairs}")
    # Whom ranks waited for beside the late ones depends on what else the machine does.
    waited = collections.Counter()
    for row in tables["waits"]:
        waited[row["wait"].split(",")[0]] += row["time_s"]
    check(waited["wait at NxN"] > 0.8 * (RANKS - 1) * STARTS * LATE, f"{mpirun}: {waited}")
    check(waited["late sender"] > 0.8 * 2 * 3 * STARTS * LATE, f"{mpirun}: {waited}")
    check(tables["mismatches"] == [], f"{mpirun}: {tables['mismatches']}")
    check(not any("were not recorded" in row["what"] and ("collectives" in row["what"] or "messages inside" in row["what"])
                  for row in tables["not-recorded"]), f"{mpirun}: {tables['not-recorded']}")

shutil.rmtree(scratch, ignore_errors=True)
finish()
