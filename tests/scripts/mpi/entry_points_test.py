# SPDX-License-Identifier: BSD-3-Clause
"""Every function of MPI that the libraries here export is one that the recorder stands before, or one that neither
communicates nor waits. Functions of MPI 4 are recorded as those of MPI 3 with the same effect.

Usage: entry_points_test.py SOURCE_DIR PROGRAM
"""
import collections
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import mpi_programs

program = os.path.abspath(sys.argv[2])
build = pathlib.Path(program).parent
# Neither communicate nor wait for another process.
LOCAL = re.compile(r"""MPI_(
    T_.*|Type_.*|Info_.*|Group_.*|Pack.*|Unpack.*|Errhandler_.*|Error_.*|Add_error_.*|Attr_.*|Keyval_.*|Status_.*|Op_.*
    |Aint_.*|Get_(count|elements|version|library_version|processor_name|address).*|Address|W(tick|time)
    |(Comm|File|Win)_((get|set|create|delete|free)_(attr|errhandler|keyval|name)|call_errhandler|get_info|get_group|group)
    |Comm_(compare|get_parent|rank|remote_group|remote_size|size|test_inter)
    |Cart_(coords|get|map|rank|shift)|Cartdim_get|Dims_create|Graph_(get|map|neighbors.*)|Graphdims_get|Topo_test
    |Dist_graph_neighbors.*
    |Initialized|Finalized|Is_thread_main|Query_thread|Pcontrol|Alloc_mem|Free_mem|Buffer_attach.*|Reduce_local.*
    |(Open|Close)_port|(Publish|Unpublish|Lookup)_name|Register_datarep.*|Test_cancelled
    |File_(delete|seek|get_.*)|Win_(attach|detach|sync|shared_query.*)|Grequest_(start|complete)
    |Session_(init|get_.*|(create|set|call)_errhandler)
    |.*_(c2f|f2c)|.*[A-Z_]{3}.*)""", re.VERBOSE)
PROGRAM = r"""
#include <mpi.h>
#include <stdlib.h>
int main(int argc, char** argv) {
    int rank, size, in[64] = {0}, out[64] = {0};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    const int next = (rank + 1) % size, last = (rank + size - 1) % size;
    MPI_Request request;
    MPI_Count counts[16], zeros[16] = {0};
    MPI_Aint places[16];
    for (int i = 0; i < size; ++i) counts[i] = i + 1, places[i] = 4 * i;
    if (rank == 0) MPI_Send_c(in, 3, MPI_INT, 1, 7, MPI_COMM_WORLD);
    if (rank == 1) MPI_Recv_c(out, 3, MPI_INT, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Isendrecv(in, 5, MPI_INT, next, 8, out, 5, MPI_INT, last, 8, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Isendrecv_replace_c(in, 6, MPI_INT, next, 9, last, 9, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Bcast_c(in, 10, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Gatherv_c(in, rank + 1, MPI_INT, out, counts, places, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Iallgatherv_c(in, rank + 1, MPI_INT, out, counts, places, MPI_INT, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Reduce_scatter_c(in, out, counts, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Alltoallv_c(in, zeros, places, MPI_INT, out, zeros, places, MPI_INT, MPI_COMM_WORLD);
    MPI_Win window;
    MPI_Win_create_c(out, sizeof out, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    MPI_Win_fence(0, window);
    MPI_Put_c(in, 2, MPI_INT, next, 0, 2, MPI_INT, window);
    MPI_Win_fence(0, window);
    MPI_Win_free(&window);
    MPI_File file;
    MPI_File_open(MPI_COMM_WORLD, argv[1], MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
    MPI_File_write_at_all_c(file, 64 * rank, in, 16, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_iwrite_at(file, 64 * rank, in, 16, MPI_INT, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_File_close(&file);
    if (rank < 2) {
        if (rank == 0) MPI_Psend_init(in, 4, 2, MPI_INT, 1, 5, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
        else MPI_Precv_init(out, 4, 2, MPI_INT, 0, 5, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
        MPI_Start(&request);
        if (rank == 0) MPI_Pready_range(0, 3, request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        MPI_Request_free(&request);
    }
    MPI_Finalize();
    return 0;
}
"""
# (operation, calls, bytes sent) of 4 ranks; in all counts together there are 10 elements
EXPECTED = {("MPI_Send", 1, 12), ("MPI_Recv", 1, 0), ("MPI_Isendrecv", 4, 80), ("MPI_Isendrecv_replace", 4, 96),
            ("MPI_Bcast", 4, 40), ("MPI_Gatherv", 4, 40), ("MPI_Iallgatherv", 4, 40), ("MPI_Reduce_scatter", 4, 160),
            ("MPI_Alltoallv", 4, 0), ("MPI_Put", 4, 32), ("MPI_Pready_range", 1, 32), ("MPI_Win_create", 4, 0), ("MPI_Psend_init", 1, 0),
            ("MPI_Precv_init", 1, 0)}
FILES = ("MPI_File_open", "MPI_File_write_at_all", "MPI_File_iwrite_at", "MPI_File_close")
SESSION = r"""
#include <mpi.h>
int main(void) {
    MPI_Session session;
    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &session);
    MPI_Group group;
    MPI_Comm comm;
    MPI_Group_from_session_pset(session, "mpi://WORLD", &group);
    MPI_Comm_create_from_group(group, "test", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &comm);
    MPI_Barrier(comm);
    MPI_Comm_free(&comm);
    MPI_Group_free(&group);
    MPI_Session_finalize(&session);
    return 0;
}
"""


def exported(library):
    listed = subprocess.run(["nm", "-D", "--defined-only", str(library)], capture_output=True, text=True, check=True)
    return {line.split()[2] for line in listed.stdout.splitlines() if line.split()[2].startswith("MPI_")}


def library_of(compiler, scratch):
    """The C library of MPI that programs of this compiler load."""
    source, binary = scratch / "any.c", scratch / f"any.{compiler}"
    source.write_text("#include <mpi.h>\nint main(int n, char** v) { return MPI_Init(&n, &v); }\n")
    subprocess.run([compiler, "-o", str(binary), str(source)], check=True)
    loaded = subprocess.run(["ldd", str(binary)], capture_output=True, text=True, check=True).stdout
    return re.search(r"=> (\S*/libmpi(ch)?\.so\S*)", loaded).group(1)


def recorded(mpi, scratch, name, source):
    """What the program said on stderr, and the trace."""
    compiler, launcher, recorder = mpi
    text, binary, trace = scratch / f"{name}.c", scratch / name, scratch / f"{name}-trace"
    text.write_text(source)
    subprocess.run([compiler, "-w", "-o", str(binary), str(text)], check=True)
    done = subprocess.run([launcher, "-n", "4", "env", f"LD_PRELOAD={recorder}", f"COLLSCOPE_TRACE={trace}", str(binary), str(scratch / "file")],
                          capture_output=True, text=True, env=mpi_programs.surroundings(scratch), cwd=scratch, timeout=120)
    assert done.returncode == 0, done.stderr
    return done.stderr, trace


def table(trace, name):
    done = subprocess.run([program, "open", str(trace), "--tables", name, "--format", "json"], capture_output=True, text=True, check=True)
    return json.loads(done.stdout)["tables"][name]["rows"]


def main():
    failures = []
    with tempfile.TemporaryDirectory() as folder:
        scratch = pathlib.Path(folder)
        for mpi in mpi_programs.libraries(build):
            missing = sorted(exported(library_of(mpi[0], scratch)) - exported(mpi[2]))
            missing = [name for name in missing if not LOCAL.fullmatch(name)]
            if missing:
                failures.append(f"{mpi[2].name} does not record {', '.join(missing)}")
            if "mpich" not in mpi[0]:
                continue
            _, trace = recorded(mpi, scratch, "mpi4", PROGRAM)
            calls = collections.defaultdict(lambda: (0, 0))
            for row in table(trace, "calls"):
                count, sent = calls[row["operation"]]
                calls[row["operation"]] = count + row["calls"], sent + (row["sent_bytes"] or 0)
            calls = {(operation, *numbers) for operation, numbers in calls.items()}
            if EXPECTED - calls:
                failures.append(f"expected {sorted(EXPECTED - calls)} in {sorted(calls)}")
            names = (trace / "traces.def").read_bytes()
            failures += [f"{name} is not recorded" for name in FILES if name.encode() not in names]
            left_out = [row["what"] for row in table(trace, "not-recorded") if "one half" in row["what"]]
            if left_out:
                failures.append(f"unmatched: {left_out}")
            said, trace = recorded(mpi, scratch, "session", SESSION)
            if trace.exists() or said.count("MPI_Session_init") != 1:
                failures.append(f"a program without MPI_Init: {said}")
    print("\n".join(failures) or "all entry points are there")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
