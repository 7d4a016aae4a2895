# SPDX-License-Identifier: BSD-3-Clause
"""Bytes of one-sided operations, of files and of partitioned messages, and calls that found nothing, under Open MPI and
MPICH: all are in the tables, with the numbers of the program.

Usage: moved_bytes_test.py SOURCE_DIR PROGRAM
"""
import collections
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import mpi_programs

program = os.path.abspath(sys.argv[2])
mpis = mpi_programs.libraries(pathlib.Path(program).parent)
TIMES, LATE = 5, 0.02  # seconds
ROOM = 1000  # records of calls: less than calls that find nothing

# In a ring each rank writes 1000 doubles to the next one's window, then 4 KiB to a file. Rank 1 looks for either of two
# messages, of which rank 0 sends the first one late, and counts how often in vain. A partitioned message of 4 x 800 B is ready late.
SOURCE = """
#include <mpi.h>
#include <stdio.h>
#include <unistd.h>
#define W MPI_COMM_WORLD
int main(int argc, char** argv) {
    static double a[1000], *b;
    int me, size, i, found, vain = 0;
    MPI_Win window;
    MPI_File file;
    MPI_Request request;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(W, &me);
    MPI_Comm_size(W, &size);
    MPI_Win_allocate(8000, 8, MPI_INFO_NULL, W, &b, &window);
    MPI_Win_fence(0, window);
    for (i = 0; i < TIMES; i++) {
        MPI_Put(a, 1000, MPI_DOUBLE, (me + 1) % size, 0, 1000, MPI_DOUBLE, window);
        MPI_Win_fence(0, window);
        MPI_Get(a, 10, MPI_DOUBLE, (me + 1) % size, 0, 10, MPI_DOUBLE, window);
        MPI_Win_fence(0, window);
    }
    MPI_Win_free(&window);
    MPI_File_open(W, argv[1], MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
    for (i = 0; i < TIMES; i++) MPI_File_write_at_all(file, 4096 * me, a, 4096, MPI_BYTE, MPI_STATUS_IGNORE);
    MPI_File_read_at(file, 0, a, 512, MPI_DOUBLE, MPI_STATUS_IGNORE);
    MPI_File_close(&file);
    if (me == 0) { usleep(LATE); MPI_Send(a, 8, MPI_BYTE, 1, 3, W); }
    if (me == 1) {
        for (found = 0; !found;) {
            MPI_Iprobe(0, 3, W, &found, MPI_STATUS_IGNORE);
            if (found) break;
            MPI_Iprobe(0, 4, W, &found, MPI_STATUS_IGNORE);
            vain += 2;
        }
        MPI_Recv(a, 8, MPI_BYTE, 0, 3, W, MPI_STATUS_IGNORE);
        printf("vain %d\\n", vain);
    }
#if MPI_VERSION >= 4
    if (me == 0) MPI_Psend_init(a, 4, 100, MPI_DOUBLE, 1, 4, W, MPI_INFO_NULL, &request);
    if (me == 1) MPI_Precv_init(a, 4, 100, MPI_DOUBLE, 0, 4, W, MPI_INFO_NULL, &request);
    for (i = 0; i < TIMES && me < 2; i++) {
        MPI_Start(&request);
        if (me == 0) {
            MPI_Pready_range(0, 2, request);
            usleep(LATE);
            MPI_Pready(3, request);
        }
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    if (me < 2) MPI_Request_free(&request);
#endif
    MPI_Barrier(W);
    MPI_Finalize();
    return 0;
}
"""

scratch = pathlib.Path(tempfile.mkdtemp())
surroundings = mpi_programs.surroundings(scratch)
failures = []
RANKS = 3


def check(ok, what):
    if not ok:
        failures.append(what)
        print("FAILED:", what)


for mpicc, mpirun, library in mpis:
    source, binary, folder = scratch / "moved.c", scratch / mpicc, scratch / f"{mpicc}-trace"
    source.write_text(SOURCE)
    subprocess.run([mpicc, "-g", "-w", f"-DTIMES={TIMES}", f"-DLATE={round(1e6 * LATE)}", source, "-o", binary], check=True)
    done = subprocess.run([mpirun, "-n", str(RANKS), "env", f"LD_PRELOAD={library}", f"COLLSCOPE_TRACE={folder}", f"COLLSCOPE_CALLS={ROOM}", binary,
                           scratch / f"{mpicc}.data"],
                          capture_output=True, text=True, env=surroundings, cwd=scratch, timeout=120)
    check(done.returncode == 0 and "full" not in done.stderr, f"{mpirun}: {done.stderr}")
    opened = subprocess.run([program, "open", str(folder), "--tables", "calls,collectives,files,pairs,waits", "--format", "json"],
                            capture_output=True, text=True)
    check(opened.returncode == 0, f"{mpirun}: {opened.stderr}")
    tables = {name: table["rows"] for name, table in json.loads(opened.stdout)["tables"].items()}
    page = subprocess.run([program, "open", str(folder)], capture_output=True, text=True).stdout
    moved = TIMES * RANKS * 8080 / 1024
    check(f"{2 * TIMES * RANKS} one-sided operations with {moved:.0f} KiB" in " ".join(page.split()), f"{mpirun}: {page}")
    calls = collections.defaultdict(lambda: [0, 0, 0])
    for row in tables["calls"]:
        for place, column in enumerate(("calls", "sent_bytes", "received_bytes")):
            calls[row["operation"]][place] += row[column] or 0
    right = {"MPI_Put": [TIMES * RANKS, TIMES * RANKS * 8000, 0], "MPI_Get": [TIMES * RANKS, 0, TIMES * RANKS * 80],
             "MPI_File_write_at_all": [TIMES * RANKS, TIMES * RANKS * 4096, 0], "MPI_File_read_at": [RANKS, 0, RANKS * 4096]}
    check({name: calls[name] for name in right} == right, f"{mpirun}: {dict(calls)}")
    vain = int(re.search(r"vain (\d+)", done.stdout)[1])
    check(vain > ROOM, f"{mpirun}: {vain} calls found nothing")
    check(calls["MPI_Iprobe (found nothing)"][0] == vain and calls["MPI_Iprobe"][0] == 1, f"{mpirun}: {vain} {dict(calls)}")
    instances = collections.Counter(row["operation"] for row in tables["collectives"] if row["operation"] != "messages")
    check(instances == {"fence": 2 * TIMES + 1, "barrier": 1}, f"{mpirun}: {instances}")
    files = [(row["ranks"], row["opens"], row["written_bytes"], row["read_bytes"]) for row in tables["files"]]
    check(files == [(RANKS, RANKS, TIMES * RANKS * 4096, RANKS * 4096)], f"{mpirun}: {files}")
    pairs = {(row["from"], row["to"]): (row["messages"], row["bytes"]) for row in tables["pairs"]}
    if "mpich" in mpicc:
        check(pairs == {(0, 1): (1 + TIMES, 8 + TIMES * 3200)}, f"{mpirun}: {pairs}")
        late = sum(row["time_s"] for row in tables["waits"] if row["wait"].startswith("late sender"))
        check(late > 0.6 * TIMES * LATE, f"{mpirun}: {tables['waits']}")
    else:
        check(pairs == {(0, 1): (1, 8)}, f"{mpirun}: {pairs}")

shutil.rmtree(scratch, ignore_errors=True)
print(f"{len(failures)} failures")
sys.exit(1 if failures else 0)
