# SPDX-License-Identifier: BSD-3-Clause
"""What EZTrace leaves behind opens: its clocks are said to disagree, calls without records are said to be unrecorded.

Records a small program at 4 and 8 ranks with EZTrace (Debian: eztrace) where it is installed, and skips where it is not.

Usage: eztrace_test.py SOURCE_DIR PROGRAM
"""
import json
import os
import shutil
import subprocess
import sys
import tempfile

program = sys.argv[2]
if any(shutil.which(tool) is None for tool in ("eztrace", "mpicc", "mpirun")):
    print("skipped: needs eztrace, mpicc and mpirun (Debian: eztrace, openmpi-bin, libopenmpi-dev)")
    sys.exit(77)

SOURCE = r"""
#include <mpi.h>
int main(int argc, char** argv) {
    int r, p, a = 1, b;
    MPI_Request q[2];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &r);
    MPI_Comm_size(MPI_COMM_WORLD, &p);
    int right = (r + 1) % p, left = (r + p - 1) % p;
    MPI_Sendrecv(&a, 1, MPI_INT, right, 0, &b, 1, MPI_INT, left, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int k = 0; k < 3; ++k) {
        MPI_Irecv(&b, 1, MPI_INT, left, k, MPI_COMM_WORLD, &q[0]);
        MPI_Isend(&a, 1, MPI_INT, right, k, MPI_COMM_WORLD, &q[1]);
        MPI_Waitall(2, q, MPI_STATUSES_IGNORE);
    }
    if (r > 0) MPI_Recv(&b, 1, MPI_INT, r - 1, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (r < p - 1) MPI_Send(&a, 1, MPI_INT, r + 1, 7, MPI_COMM_WORLD);
    MPI_Allreduce(&a, &b, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Ibcast(&b, 1, MPI_INT, 0, MPI_COMM_WORLD, &q[0]);
    MPI_Wait(&q[0], MPI_STATUS_IGNORE);
    MPI_Comm local, inter;
    int group = r < p / 2 - 1 ? 0 : 1, all[64];
    MPI_Comm_split(MPI_COMM_WORLD, group, r, &local);
    MPI_Intercomm_create(local, 0, MPI_COMM_WORLD, group ? 0 : p / 2 - 1, 42, &inter);
    MPI_Allgather(&a, 1, MPI_INT, all, 1, MPI_INT, inter);
    MPI_Comm_free(&inter);
    MPI_Comm_free(&local);
    MPI_Finalize();
    return 0;
}
"""


def check(condition, what):
    if not condition:
        sys.exit(what)


with tempfile.TemporaryDirectory() as scratch:
    with open(os.path.join(scratch, "ring.c"), "w", encoding="utf-8") as file:
        file.write(SOURCE)
    subprocess.run(["mpicc", "-O1", "-o", "ring", "ring.c"], cwd=scratch, check=True, timeout=120)
    around = {**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
    for ranks in (4, 8):
        out = os.path.join(scratch, f"t{ranks}")
        recorded = subprocess.run(["mpirun", "-n", str(ranks), "--oversubscribe", "eztrace", "-t", "openmpi", "-o", out,
                                   "./ring"], cwd=scratch, env=around, capture_output=True, text=True, timeout=240)
        archive = os.path.join(out, "ring_trace", "eztrace_log.otf2")
        if recorded.returncode != 0 or not os.path.exists(archive):
            print(f"skipped: eztrace does not record here: {recorded.stderr[-300:]}")
            sys.exit(77)
        opened = subprocess.run([program, "open", archive], capture_output=True, text=True, timeout=120)
        check(opened.returncode == 0, opened.stderr)
        said = " ".join(opened.stdout.split())
        check("clocks of ranks do not agree" in said, f"nothing is said of clocks: {said}")
        check(f"MPI_Sendrecv ({ranks} calls): its messages were not recorded" in said, f"Sendrecv is hidden: {said}")
        more = subprocess.run([program, "open", archive, "--tables", "not-recorded"], capture_output=True, text=True,
                              timeout=120)
        check("were taken for the two sides of one intercommunicator" in more.stdout, f"joining is hidden: {more.stdout}")
        table = subprocess.run([program, "open", archive, "--tables", "collectives", "--format", "json"],
                               capture_output=True, text=True, timeout=120)
        rows = json.loads(table.stdout)["tables"]["collectives"]["rows"]
        between = [row for row in rows if "intergroup" in str(row.get("operation")) or row.get("operation") == "allgather"]
        check([row["ranks"] for row in between] == [ranks], f"the sides of the intercommunicator are apart: {between}")
print("EZTrace's archives of 4 and 8 ranks open, and what they lack is said")
