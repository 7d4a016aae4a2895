# SPDX-License-Identifier: BSD-3-Clause
"""MPI calls that return errors, under Open MPI and MPICH: recorded with their error classes, and what follows them is
paired as if they had not been there.

Usage: returned_errors_test.py SOURCE_DIR PROGRAM
"""
import collections
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

from mpi_programs import check, finish, libraries, recorded

program = os.path.abspath(sys.argv[2])
build = pathlib.Path(program).parent

# Rank 0 sends pairs of a long and a short message; rank 1 has room for the short ones only and completes each pair in
# another way. Rank 2 makes calls that the library refuses. Then all call the same collectives.
SOURCE = """
#include <mpi.h>
#include <stdio.h>
#define W MPI_COMM_WORLD
#define POST(i) MPI_Irecv(b[i], 10, MPI_INT, 0, 3, W, &q[i])
#define BOTH POST(0); POST(1)
int main(int argc, char** argv) {
    int r, a[100] = {0}, b[2][10], places[2], i, done, some = 0;
    MPI_Request q[2]; MPI_Status s[2]; MPI_Message m; MPI_File f;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(W, &r);
    MPI_Comm_set_errhandler(W, MPI_ERRORS_RETURN);
    MPI_Barrier(W);
    if (r == 0)
        for (i = 0; i < 10; i++) { MPI_Send(a, 100, MPI_INT, 1, 3, W); MPI_Send(a, 5, MPI_INT, 1, 3, W); }
    if (r == 1) {
        for (i = 0; i < 2; i++) MPI_Recv(b[0], 10, MPI_INT, 0, 3, W, MPI_STATUS_IGNORE);
        for (i = 0; i < 2; i++) MPI_Sendrecv(a, 1, MPI_INT, 1, 9, b[0], 10, MPI_INT, i ? 1 : 0, i ? 9 : 3, W, MPI_STATUS_IGNORE);
        MPI_Recv(b[0], 10, MPI_INT, 0, 3, W, MPI_STATUS_IGNORE);
        MPI_Recv(b[0], 10, MPI_INT, 1, 9, W, MPI_STATUS_IGNORE);
        for (i = 0; i < 2; i++) { MPI_Mprobe(0, 3, W, &m, s); MPI_Mrecv(b[0], 10, MPI_INT, &m, s); }
        for (i = 0; i < 2; i++) { POST(0); MPI_Wait(q, s); }
        BOTH; MPI_Waitall(2, q, s);
        BOTH; done = 0; while (!done) if (MPI_Testall(2, q, &done, s)) break;
        BOTH; for (i = 0; i < 2; i++) MPI_Waitany(2, q, places, s);
        BOTH; for (i = 0; i < 2; i += some) MPI_Waitsome(2, q, &some, places, s);
        BOTH; for (i = 0; i < 2; i++) { done = 0; while (!done) if (MPI_Test(&q[i], &done, s)) break; }
        BOTH; for (i = 0; i < 2;) { int code = MPI_Testany(2, q, places, &done, s); if (done || code) i++; }
    }
    if (r == 2) {
        MPI_Bcast(a, -1, MPI_INT, 0, W);
        MPI_Bcast(a, 3, MPI_INT, 77, W);
        MPI_Allreduce(a, b, 1, MPI_DATATYPE_NULL, MPI_SUM, W);
        MPI_Ibcast(a, -1, MPI_INT, 0, W, q);
        MPI_Send(a, 1, MPI_INT, 99, 0, W);
        MPI_Send(a, -1, MPI_INT, 0, 0, W);
    }
    for (i = 0; i < 3; i++) { MPI_Bcast(a, 3, MPI_INT, 0, W); MPI_Allreduce(a, b, 3, MPI_INT, MPI_SUM, W); }
    MPI_File_open(W, "/nowhere/at/all", MPI_MODE_RDONLY, MPI_INFO_NULL, &f);
    MPI_Barrier(W);
    MPI_Finalize();
    return 0;
}
"""
COMPLETED = ["Recv", "Sendrecv", "Mrecv", "Wait", "Waitall", "Testall", "Waitany", "Waitsome", "Test", "Testany"]
EXPECTED = collections.Counter(
    [(1, f"MPI_{name}", "MPI_ERR_TRUNCATE") for name in COMPLETED]
    + [(2, "MPI_Bcast", "MPI_ERR_COUNT"), (2, "MPI_Bcast", "MPI_ERR_ROOT"), (2, "MPI_Ibcast", "MPI_ERR_COUNT"),
       (2, "MPI_Send", "MPI_ERR_RANK"), (2, "MPI_Send", "MPI_ERR_COUNT")]
    + [(rank, "MPI_File_open", "MPI_ERR_NO_SUCH_FILE") for rank in range(3)])

scratch = pathlib.Path(tempfile.mkdtemp())


for mpi in libraries(build):
    mpirun = mpi[1]
    folder, tables = recorded(program, mpi, SOURCE, 3, "errors,pairs,collectives,mismatches,not-recorded", scratch)
    errors = collections.Counter((row["rank"], row["call"], row["error"]) for row in tables["errors"])
    # Which of a type and an operation that do not fit is named differs.
    ofReduction = [key for key in errors if key[1] == "MPI_Allreduce"]
    check(len(ofReduction) == 1 and ofReduction[0][2] in ("MPI_ERR_TYPE", "MPI_ERR_OP"), f"{mpirun}: {ofReduction}")
    check(errors - collections.Counter(ofReduction) == EXPECTED, f"{mpirun}: {(errors, EXPECTED)}")
    sent = {(row["from"], row["to"]): (row["messages"], row["bytes"]) for row in tables["pairs"]}
    check(sent.get((0, 1)) == (20, 10 * 420) and sent.get((1, 1)) == (2, 8), f"{mpirun}: {sent}")
    instances = collections.Counter(row["operation"] for row in tables["collectives"] if row["operation"] != "messages")
    check(instances == {"barrier": 2, "bcast": 3, "allreduce": 3}, f"{mpirun}: {instances}")
    # Calls that returned an error have nothing else to record.
    absent = [row["what"] for row in tables["not-recorded"] if row["what"].startswith("MPI_")]
    check(absent == [], f"{mpirun}: {absent}")
    check(tables["mismatches"] == [], f"{mpirun}: {tables['mismatches']}")
    page = subprocess.run([program, "open", str(folder)], capture_output=True, text=True).stdout
    check("MPI calls returned 19 errors" in " ".join(page.split()), f"{mpirun}: {page}")

shutil.rmtree(scratch, ignore_errors=True)
finish()
