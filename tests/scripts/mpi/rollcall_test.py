# SPDX-License-Identifier: BSD-3-Clause
"""One rank leaves out a call, or passes other arguments, and the program hangs: the roll call names that rank and no other
one, for every call that the MPI standard calls collective or blocking, under Open MPI and under MPICH.

A call is a row of CALLS: what comes before it, on all ranks, and the call. Of ROLES: what the odd rank and the others do.

Usage: rollcall_test.py SOURCE_DIR PROGRAM [NAME...]
"""
import concurrent.futures
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from mpi_programs import check, finish, libraries, surroundings

program = os.path.abspath(sys.argv[2])
build = pathlib.Path(program).parent
mpis = libraries(build)

ODD = 3
FILE = "MPI_File_open(W, name, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &f);"
WINDOW = "MPI_Win_create(data, 64, 4, MPI_INFO_NULL, W, &w);"
RING = "MPI_Dist_graph_create_adjacent(W, 1, &left, MPI_UNWEIGHTED, 1, &right, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &g);"
WAIT = "MPI_Wait(&q, MPI_STATUS_IGNORE);"

CALLS = {
    "Barrier": ("", "MPI_Barrier(W);"),
    "Bcast": ("", "MPI_Bcast(large, LARGE, MPI_INT, 3, W);"),
    "Gather": ("", "MPI_Gather(data, 1, MPI_INT, to, 1, MPI_INT, 0, W);"),
    "Gatherv": ("", "MPI_Gatherv(data, 1, MPI_INT, to, one, places, MPI_INT, 0, W);"),
    "Scatter": ("", "MPI_Scatter(data, 1, MPI_INT, to, 1, MPI_INT, 3, W);"),
    "Scatterv": ("", "MPI_Scatterv(data, one, places, MPI_INT, to, 1, MPI_INT, 3, W);"),
    "Reduce": ("", "MPI_Reduce(data, to, 1, MPI_INT, MPI_SUM, 0, W);"),
    "Allgather": ("", "MPI_Allgather(data, 1, MPI_INT, to, 1, MPI_INT, W);"),
    "Allgatherv": ("", "MPI_Allgatherv(data, 1, MPI_INT, to, one, places, MPI_INT, W);"),
    "Allreduce": ("", "MPI_Allreduce(data, to, 1, MPI_INT, MPI_SUM, W);"),
    "Alltoall": ("", "MPI_Alltoall(data, 1, MPI_INT, to, 1, MPI_INT, W);"),
    "Alltoallv": ("", "MPI_Alltoallv(data, one, places, MPI_INT, to, one, places, MPI_INT, W);"),
    "Alltoallw": ("", "MPI_Alltoallw(data, one, places, types, to, one, places, types, W);"),
    "Reduce_scatter": ("", "MPI_Reduce_scatter(data, to, one, MPI_INT, MPI_SUM, W);"),
    "Reduce_scatter_block": ("", "MPI_Reduce_scatter_block(data, to, 1, MPI_INT, MPI_SUM, W);"),
    "Ibarrier": ("", "MPI_Ibarrier(W, &q);" + WAIT),
    "Iallreduce": ("", "MPI_Iallreduce(data, to, 1, MPI_INT, MPI_SUM, W, &q); MPI_Waitall(1, &q, MPI_STATUSES_IGNORE);"),
    "Igather": ("", "MPI_Igather(data, 1, MPI_INT, to, 1, MPI_INT, 0, W, &q); int i; MPI_Waitany(1, &q, &i, MPI_STATUS_IGNORE);"),
    "Comm_dup": ("", "MPI_Comm_dup(W, &g);"),
    "Comm_idup": ("", "MPI_Comm_idup(W, &g, &q);" + WAIT),
    "Comm_split": ("", "MPI_Comm_split(W, 0, r, &g);"),
    "Comm_split_type": ("", "MPI_Comm_split_type(W, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &g);"),
    "Comm_create": ("MPI_Comm_group(W, &group);", "MPI_Comm_create(W, group, &g);"),
    "Comm_create_group": ("MPI_Comm_group(W, &group);", "MPI_Comm_create_group(W, group, 7, &g);"),
    "Cart_create": ("", "int n = 4, no = 0; MPI_Cart_create(W, 1, &n, &no, 0, &g);"),
    "Intercomm_merge": ("MPI_Comm half; MPI_Comm_split(W, r / 2, r, &half); MPI_Intercomm_create(half, 0, W, r < 2 ? 2 : 0, 5, &g);",
                        "MPI_Comm all; MPI_Intercomm_merge(g, r / 2, &all);"),
    "Neighbor_allgather": (RING, "MPI_Neighbor_allgather(data, 1, MPI_INT, to, 1, MPI_INT, g); MPI_Barrier(g);"),
    "Dist_graph_create": ("", "int out = 1; MPI_Dist_graph_create(W, 1, &r, &out, &right, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &g);"),
    "Win_create": ("", WINDOW),
    "Win_allocate": ("", "void *base; MPI_Win_allocate(64, 4, MPI_INFO_NULL, W, &base, &w);"),
    "Win_create_dynamic": ("", "MPI_Win_create_dynamic(MPI_INFO_NULL, W, &w);"),
    "Win_fence": (WINDOW + "MPI_Win_fence(0, w);", "MPI_Win_fence(0, w);"),
    "Win_free": (WINDOW + "MPI_Win_fence(0, w);", "MPI_Win_free(&w);"),
    "File_open": ("", FILE),
    "File_close": (FILE, "MPI_File_close(&f);"),
    "File_set_view": (FILE, "MPI_File_set_view(f, 0, MPI_INT, MPI_INT, \"native\", MPI_INFO_NULL);"),
    "File_set_size": (FILE, "MPI_File_set_size(f, 4096);"),
    "File_preallocate": (FILE, "MPI_File_preallocate(f, 4096);"),
    "File_sync": (FILE, "MPI_File_sync(f);"),
    "File_write_all": (FILE, "MPI_File_write_all(f, data, 4, MPI_INT, MPI_STATUS_IGNORE);"),
    "File_read_all": (FILE, "MPI_File_read_all(f, data, 4, MPI_INT, MPI_STATUS_IGNORE);"),
    "File_write_at_all": (FILE, "MPI_File_write_at_all(f, 16 * r, data, 4, MPI_INT, MPI_STATUS_IGNORE);"),
    "File_read_at_all": (FILE, "MPI_File_read_at_all(f, 16 * r, data, 4, MPI_INT, MPI_STATUS_IGNORE);"),
    "File_write_at_all_begin": (FILE, "MPI_File_write_at_all_begin(f, 16 * r, data, 4, MPI_INT); MPI_File_write_at_all_end(f, data, MPI_STATUS_IGNORE);"),
    "File_iwrite_at_all": (FILE, "MPI_File_iwrite_at_all(f, 16 * r, data, 4, MPI_INT, &q);" + WAIT),
    "Barrier_init": ("", "INIT(Barrier)(W, MPI_INFO_NULL, &q); MPI_Start(&q);" + WAIT),
    "Allreduce_init": ("INIT(Allreduce)(data, to, 1, MPI_INT, MPI_SUM, W, MPI_INFO_NULL, &q);", "MPI_Start(&q);" + WAIT),
    "Finalize": ("", "MPI_Finalize(); return 0;"),
}
# Who waits how for one rank: what the odd one does, and what the others do, once `before` is done on all. The odd one
# stands outside of MPI.
ROLES = {
    "Recv": ("", "if (r != ODD) MPI_Recv(data, 1, MPI_INT, ODD, 9, W, MPI_STATUS_IGNORE);"),
    "Test loop": ("", "int done = 0; if (r != ODD) { MPI_Irecv(data, 1, MPI_INT, ODD, 9, W, &q); while (!done) MPI_Test(&q, &done, MPI_STATUS_IGNORE); }"),
    "Testall loop": ("", "int done = 0; MPI_Request two[2]; if (r != ODD) { MPI_Irecv(data, 1, MPI_INT, r, 9, W, two); MPI_Irecv(to, 1, MPI_INT, ODD, 9, W, two + 1);"
                     " MPI_Send(data + 8, 1, MPI_INT, r, 9, W); while (!done) MPI_Testall(2, two, &done, MPI_STATUSES_IGNORE); }"),
    "Testany loop": ("", "int done = 0, i; if (r != ODD) { MPI_Irecv(data, 1, MPI_INT, ODD, 9, W, &q); while (!done) MPI_Testany(1, &q, &i, &done, MPI_STATUS_IGNORE); }"),
    "Testsome loop": ("", "int done = 0, i; if (r != ODD) { MPI_Irecv(data, 1, MPI_INT, ODD, 9, W, &q); while (!done) MPI_Testsome(1, &q, &done, &i, MPI_STATUSES_IGNORE); }"),
    "Request_get_status loop": ("", "int done = 0; if (r != ODD) { MPI_Irecv(data, 1, MPI_INT, ODD, 9, W, &q); while (!done) MPI_Request_get_status(q, &done, MPI_STATUS_IGNORE); }"),
    "Ibarrier Test loop": ("", "int done = 0; if (r != ODD) { MPI_Ibarrier(W, &q); while (!done) MPI_Test(&q, &done, MPI_STATUS_IGNORE); }"),
    "Probe": ("", "if (r != ODD) MPI_Probe(ODD, 9, W, MPI_STATUS_IGNORE);"),
    "Mprobe": ("", "MPI_Message m; if (r != ODD) MPI_Mprobe(ODD, 9, W, &m, MPI_STATUS_IGNORE);"),
    "Iprobe loop": ("", "int done = 0; if (r != ODD) while (!done) MPI_Iprobe(ODD, 9, W, &done, MPI_STATUS_IGNORE);"),
    "Improbe loop": ("", "int done = 0; MPI_Message m; if (r != ODD) while (!done) MPI_Improbe(ODD, 9, W, &done, &m, MPI_STATUS_IGNORE);"),
    "Ssend": ("", "if (r != ODD) MPI_Ssend(data, 1, MPI_INT, ODD, 9, W);"),
    "Win_lock": (WINDOW + "if (r == ODD) MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, w); MPI_Barrier(W);",
                 "if (r != ODD) { MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, w); MPI_Put(data, 1, MPI_INT, 0, 0, 1, MPI_INT, w); MPI_Win_unlock(0, w); }"),
    "Win_wait": (WINDOW + "MPI_Comm_group(W, &all); int who = ODD; MPI_Group_incl(all, 1, &who, &group); MPI_Barrier(W);",
                 "if (r != ODD) { MPI_Win_post(group, 0, w); MPI_Win_wait(w); }"),
    "Win_start": (WINDOW + "MPI_Comm_group(W, &all); int who = ODD; MPI_Group_incl(all, 1, &who, &group); MPI_Barrier(W);",
                  "if (r != ODD) { MPI_Win_start(group, 0, w); MPI_Put(data, 1, MPI_INT, ODD, 0, 1, MPI_INT, w); MPI_Win_complete(w); }"),
}
# The odd rank passes something else: what it passes, what the others pass, and the call. Then they hang in a barrier that the
# odd one does not enter.
MISTAKES = {
    "root of Bcast": ("root 3", "root 0", "MPI_Bcast(data, 1, MPI_INT, r == ODD ? 3 : 0, W);"),
    "root of Reduce": ("root 3", "root 0", "MPI_Reduce(data, to, 1, MPI_INT, MPI_SUM, r == ODD ? 3 : 0, W);"),
    "root of Gatherv": ("root 3", "root 0", "MPI_Gatherv(data, 1, MPI_INT, to, one, places, MPI_INT, r == ODD ? 3 : 0, W);"),
    "operation": ("operation max", "operation sum", "MPI_Allreduce(data, to, 1, MPI_INT, r == ODD ? MPI_MAX : MPI_SUM, W);"),
    "count": ("80 B", "40 B", "MPI_Bcast(data, r == ODD ? 20 : 10, MPI_INT, 0, W);"),
    "count of Gatherv": ("12 B in total", "16 B in total", "MPI_Gatherv(data, r == ODD ? 0 : 1, MPI_INT, to, one, places, MPI_INT, 0, W);"),
    "call": ("MPI_Reduce", "MPI_Bcast", "if (r == ODD) MPI_Reduce(data, to, 1, MPI_INT, MPI_SUM, 0, W); else MPI_Bcast(data, 1, MPI_INT, 0, W);"),
}
# Programs that come to their end: what the table of mismatches says of them, as (call, argument, who passes what). The first one
# passes only what the standard allows; the mistakes of the others are ones that neither library stops at: Open MPI waits for a rank that sends nothing although the root of a gather expects bytes.
FINISHED = {
    "allowed": ([], """
        MPI_Datatype pair; MPI_Type_contiguous(2, MPI_INT, &pair); MPI_Type_commit(&pair);
        MPI_Bcast(data, r % 2 ? 4 : 2, r % 2 ? MPI_INT : pair, 0, W);
        MPI_Gather(r == 1 ? MPI_IN_PLACE : (void*)data, 3, MPI_INT, to, 3, MPI_INT, 1, W);
        MPI_Scatter(data, 2, MPI_INT, r == 2 ? MPI_IN_PLACE : (void*)to, 2, MPI_INT, 2, W);
        int mine[4] = {0, 1, 2, 3};
        MPI_Gatherv(data, r, MPI_INT, to, mine, places, MPI_INT, 0, W);
        MPI_Scatterv(data, mine, places, MPI_INT, to, r, MPI_INT, 3, W);
        MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_INT, to, mine, places, MPI_INT, W);
        MPI_Allreduce(MPI_IN_PLACE, to, 3, MPI_INT, MPI_MAX, W);
        MPI_Reduce(r == 3 ? MPI_IN_PLACE : (void*)data, to, 3, MPI_INT, MPI_SUM, 3, W);
        MPI_Alltoall(MPI_IN_PLACE, 2, MPI_INT, to, 2, MPI_INT, W);
        int send[4], get[4]; for (int i = 0; i < 4; ++i) send[i] = (r + 2 * i) % 3, get[i] = (i + 2 * r) % 3;
        MPI_Alltoallv(data, send, places, MPI_INT, to, get, places, MPI_INT, W);
        int at[4] = {0, 16, 32, 48}; MPI_Alltoallw(data, send, at, types, to, get, at, types, W);
        MPI_Reduce_scatter(data, to, mine, MPI_INT, MPI_SUM, W);
        MPI_Reduce_scatter_block(data, to, 2, MPI_INT, MPI_SUM, W);
        MPI_Scan(data, to, 2, MPI_INT, MPI_SUM, W); MPI_Exscan(data, to, 2, MPI_INT, MPI_SUM, W);
        MPI_Bcast(data, 0, MPI_INT, 1, W);
        MPI_Comm half, inter; MPI_Comm_split(W, r / 2, r, &half); MPI_Intercomm_create(half, 0, W, r < 2 ? 2 : 0, 5, &inter);
        MPI_Bcast(data, 4, MPI_INT, r == 1 ? MPI_ROOT : r == 0 ? MPI_PROC_NULL : 1, inter);
        MPI_Gather(data, 2, MPI_INT, to, 2, MPI_INT, r == 2 ? MPI_ROOT : r == 3 ? MPI_PROC_NULL : 0, inter);
        MPI_Allgather(data, r < 2 ? 3 : 0, MPI_INT, to, r < 2 ? 0 : 3, MPI_INT, inter);
        MPI_Allreduce(data, to, 2, MPI_INT, MPI_SUM, inter);
        MPI_Request two[2]; MPI_Ibcast(data, 2, MPI_INT, 0, W, two); MPI_Iallreduce(data + 8, to, 1, MPI_INT, MPI_SUM, W, two + 1);
        MPI_Waitall(2, two, MPI_STATUSES_IGNORE);"""),
    "root sends less": ([("MPI_Bcast", "bytes", "0 sends 40 B"), ("MPI_Bcast", "bytes", "1-3 expects 80 B")],
                        "MPI_Bcast(data, r ? 20 : 10, MPI_INT, 0, W);"),
    "other operation": ([("MPI_Allreduce", "operation", "2 passes operation max"), ("MPI_Allreduce", "operation", "0-1,3 passes operation sum")],
                        "MPI_Allreduce(data, to, 1, MPI_INT, r == 2 ? MPI_MAX : MPI_SUM, W);"),
    "gathers less": ([("MPI_Gatherv", "bytes", "0 expects 32 B in total"), ("MPI_Gatherv", "bytes", "0-3 sends 28 B in total")],
                     "int two[4] = {2, 2, 2, 2}; MPI_Gatherv(data, r == 2 ? 1 : 2, MPI_INT, to, two, places, MPI_INT, 0, W);"),
}


def source():
    rows = []
    for name, (before, call) in CALLS.items():
        rows.append(f'    if (is("{name}")) {{ {before} if (r == ODD) absent(); {call} }}')
    for name, (before, call) in ROLES.items():
        rows.append(f'    if (is("{name}")) {{ {before} if (r == ODD) absent(); {call} }}')
    for name, (_, _, call) in MISTAKES.items():
        rows.append(f'    if (is("{name}")) {{ {call} if (r == ODD) absent(); }}')
    for name, (_, calls) in FINISHED.items():
        rows.append(f'    if (is("{name}")) {{ MPI_Comm_set_errhandler(W, MPI_ERRORS_RETURN); {calls} }}')
    return """
#include <mpi.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#ifdef OMPI_MAJOR_VERSION
#include <mpi-ext.h>
#define INIT(name) MPIX_##name##_init
#else
#define INIT(name) MPI_##name##_init
#endif
#define W MPI_COMM_WORLD
#define ODD 3
#define LARGE (1 << 20)
static char** words;
static int is(const char* name) { return strcmp(words[1], name) == 0; }
/* outside of MPI, or, where the program is told so, in the barrier that ends it */
static void absent(void) { while (strcmp(words[2], "outside") == 0) sleep(1); MPI_Barrier(W); }
int main(int argc, char** argv) {
    int r, left, right, data[64] = {0}, to[64] = {0}, one[4] = {1, 1, 1, 1}, places[4] = {0, 4, 8, 12};
    int* large = calloc(LARGE, sizeof(int));
    const char* name = argv[3];
    MPI_Datatype types[4] = {MPI_INT, MPI_INT, MPI_INT, MPI_INT};
    MPI_Comm g; MPI_Request q; MPI_Win w; MPI_File f; MPI_Group group, all;
    words = argv;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(W, &r);
    left = (r + 3) % 4, right = (r + 1) % 4;
    MPI_Allreduce(data, to, 1, MPI_INT, MPI_SUM, W);
""" + "\n".join(rows) + """
    MPI_Barrier(W);
    MPI_Finalize();
    return 0;
}
"""


scratch = pathlib.Path(tempfile.mkdtemp())
environment = surroundings(scratch)


def compiled(mpicc):
    text = scratch / "kinds.c"
    text.write_text(source())
    binary = scratch / f"kinds.{mpicc}"
    made = subprocess.run([mpicc, "-g", "-w", "-o", str(binary), str(text)], capture_output=True, text=True)
    if made.returncode != 0:
        sys.exit(made.stderr)
    return str(binary)


def rolled(records):
    done = subprocess.run([program, "rollcall", str(records), "--format", "json"], capture_output=True, text=True, timeout=60)
    # How a program ended is not known while it hangs.
    return {key: value for key, value in json.loads(done.stdout).items() if key != "endings"} if done.returncode == 0 else None


def groups_of(roll):
    return [group for one in roll["communicators"] for group in one["groups"]] + roll["elsewhere"]


def missing_in(roll):
    return sorted({rank for group in groups_of(roll) if group["missing"] for rank in group["ranks"]})


def hang(mpirun, library, binary, name, where, is_there):
    """The roll call of the hanging program once `is_there` holds of it, or after ten seconds; None: it came to its end."""
    folder = scratch / f"{name.replace(' ', '_')}-{where}-{mpirun}"
    records = pathlib.Path(f"{folder}.records")
    # Ended whole: launchers leave processes behind that wait within MPI.
    hanging = subprocess.Popen([mpirun, "-n", "4", "env", f"LD_PRELOAD={library}", f"COLLSCOPE_TRACE={folder}", binary, name, where, f"{folder}.data"],
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environment, cwd=scratch, start_new_session=True)
    roll = None
    until = time.time() + 15
    while hanging.poll() is None and time.time() < until:
        roll = rolled(records)
        if roll is not None and is_there(roll):
            break
        time.sleep(0.1)
    ended = hanging.poll() is not None
    if not ended:
        time.sleep(0.3)  # it stays so
        roll = rolled(records)
        hanging.terminate()
        try:
            hanging.wait(20)
        except subprocess.TimeoutExpired:
            os.killpg(hanging.pid, signal.SIGKILL)
            hanging.wait()
        after = rolled(records)
        check(after == roll, f"{name}, {where}, {mpirun}: another roll call after the end: {after} instead of {roll}")
    return None if ended else roll


def others_in(roll, calls):
    """The ranks beside the odd one are told to be in these calls, waiting, and nobody but it is outside of MPI."""
    return all(group["ranks"] == [ODD] or ((group["within"] or group["polls"]) and group["call"] in calls) for group in groups_of(roll))


def left_out(mpi, binary, name, where):
    mpicc, mpirun, library = mpi
    last = "MPI_" + name.replace("_begin", "").split(" ")[0]
    right = lambda roll: missing_in(roll) == [ODD] and any(group["within"] or group["polls"] for group in groups_of(roll))
    roll = hang(mpirun, library, binary, name, where, right)
    if roll is None:
        check(where == "barrier", f"{name}, {where}, {mpirun}: does not hang")
        return
    words = f"{name}, {where}, {mpirun}: {json.dumps(roll)}"
    check(missing_in(roll) == [ODD], f"missing are {missing_in(roll)} in {words}")
    odd = [group for group in groups_of(roll) if group["ranks"] == [ODD]]
    check(bool(odd) and all(group["within"] == (where == "barrier") for group in odd), f"the odd one in {words}")
    outside = [group for group in groups_of(roll) if group["ranks"] != [ODD] and not group["within"] and not group["polls"]]
    check(not outside, f"outside of MPI in {words}")
    if where == "outside":
        told = json.dumps([group for group in groups_of(roll) if group["ranks"] != [ODD]])
        check(last in told or last.replace("MPI_", "MPI_I") in told or "MPI_Barrier" in told, f"not in the call: {words}")


def waits_for(mpi, binary, name):
    mpicc, mpirun, library = mpi
    others = [rank for rank in range(4) if rank != ODD]
    right = lambda roll: sorted(rank for group in groups_of(roll) if group["within"] or group["polls"] for rank in set(group["ranks"])) == others
    roll = hang(mpirun, library, binary, name, "outside", right)
    if roll is None:
        return check(False, f"{name}, {mpirun}: does not hang")
    check(right(roll), f"{name}, {mpirun}: {json.dumps(roll)}")
    check(missing_in(roll) in ([], [ODD]), f"missing are {missing_in(roll)} in {name}, {mpirun}: {json.dumps(roll)}")


def differs(mpi, binary, name):
    mpicc, mpirun, library = mpi
    odd, others, _ = MISTAKES[name]
    said = lambda roll: [mistake for one in roll["communicators"] for mistake in one["mistakes"]]
    roll = hang(mpirun, library, binary, name, "outside", lambda roll: bool(said(roll)))
    if roll is None:
        return check(name.startswith("count"), f"{name}, {mpirun}: does not hang")  # some libraries end it
    check(any(odd in mistake and others in mistake for mistake in said(roll)), f"{name}, {mpirun}: {json.dumps(roll)}")


def finishes(mpi, binary, name):
    mpicc, mpirun, library = mpi
    expected, _ = FINISHED[name]
    folder = scratch / f"{name.replace(' ', '_')}-{mpirun}"
    done = subprocess.run([mpirun, "-n", "4", "env", f"LD_PRELOAD={library}", f"COLLSCOPE_TRACE={folder}", binary, name, "end", "-"],
                          capture_output=True, text=True, env=environment, cwd=scratch, timeout=120)
    check(done.returncode == 0, f"{name}, {mpirun}: {done.stderr}")
    table = subprocess.run([program, "open", str(folder), "--tables", "mismatches", "--format", "json"], capture_output=True, text=True)
    rows = json.loads(table.stdout)["tables"]["mismatches"]["rows"] if table.returncode == 0 else table.stderr
    said = {(row["operation"], row["argument"], f'{row["ranks"]} {row["does"]} {row["what"]}') for row in rows}
    check(said == set(expected), f"{name}, {mpirun}: {rows}")
    page = subprocess.run([program, "open", str(folder)], capture_output=True, text=True).stdout.split("\n\n")
    check(page[1].startswith("Arguments disagree") == bool(expected), f"{name}, {mpirun}: {page}")


def is_killed(mpi, binary):
    """Where its ranks stand is on the first page of its records, and of what is collected of them."""
    mpicc, mpirun, library = mpi
    hang(mpirun, library, binary, "File_write_at_all", "barrier", lambda roll: missing_in(roll) == [ODD])
    records, saved = scratch / f"File_write_at_all-barrier-{mpirun}.records", scratch / f"saved-{mpirun}"
    done = subprocess.run([build / "collscope-mpi", "collect", str(records), str(saved)], capture_output=True, text=True)
    check(done.returncode == 0, f"collect: {done.stderr}")
    for what in (records, saved):
        page = " ".join(subprocess.run([program, "open", str(what)], capture_output=True, text=True).stdout.split())
        first = page[page.find("The program did not finish"):][:400]
        check("Ranks 0-2 waited in MPI_File_write_at_all" in first and "Rank 3 was missing there. It was in MPI_Barrier" in first,
              f"{what}: {page}")


chosen = sys.argv[3:]
tasks = []
with concurrent.futures.ThreadPoolExecutor(2) as pool:
    for mpi in mpis:
        binary = compiled(mpi[0])
        for number, name in enumerate(CALLS):
            # The recorders of both libraries are one source: the second library sees every third call. Where the odd rank
            # stands alternates, since it makes the same difference for every call.
            if not chosen and (mpi is mpis[0] or number % 3 == 0):
                tasks.append(pool.submit(left_out, mpi, binary, name, ("outside", "barrier")[number % 2]))
            elif name in chosen:
                tasks += [pool.submit(left_out, mpi, binary, name, where) for where in ("outside", "barrier")]
        tasks += [pool.submit(waits_for, mpi, binary, name) for number, name in enumerate(ROLES)
                  if name in chosen or (not chosen and (mpi is mpis[0] or number % 3 == 0))]
        tasks += [pool.submit(differs, mpi, binary, name) for name in MISTAKES if not chosen or name in chosen]
        tasks += [pool.submit(finishes, mpi, binary, name) for name in FINISHED if not chosen or name in chosen]
for task in tasks:
    task.result()
if not chosen or "killed" in chosen:
    is_killed(mpis[0], compiled(mpis[0][0]))

shutil.rmtree(scratch, ignore_errors=True)
finish()
