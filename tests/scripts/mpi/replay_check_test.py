# SPDX-License-Identifier: BSD-3-Clause
"""replay --check: a program of anyone recorded, replayed with another algorithm, run with it, and both held together.

Usage: replay_check_test.py SOURCE_DIR PROGRAM
"""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

from mpi_programs import check, finish

program = os.path.abspath(sys.argv[2])
library = pathlib.Path(program).with_name("libcollscope-pmpi.so")
compiler = shutil.which("mpicc.openmpi") or shutil.which("mpicc")
if not library.exists() or not shutil.which("mpirun") or not compiler:
    print("skipped: this build has no MPI, or there is no mpicc")
    sys.exit(77)
if b"__asan_init" in library.read_bytes() or b"__tsan_init" in library.read_bytes():
    print("skipped: a library under a sanitizer cannot be loaded before a program that is not")
    sys.exit(77)

SOURCE = r"""
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
int main(int argc, char** argv) {
    static double sums[20000], all[20000];
    const char* how = argc > 1 ? argv[1] : "";
    int rank, ranks;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (!strcmp(how, "sleep")) sleep(600);
    for (int k = 0; k < (!strcmp(how, "more") ? 7 : 5); ++k) {
        MPI_Allreduce(sums, all, k < 2 ? 10 : 20000, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Sendrecv(sums, k % 2 ? 1000 : 10000, MPI_DOUBLE, (rank + 1) % ranks, 0, all, 10000, MPI_DOUBLE,
                     (rank + ranks - 1) % ranks, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    puts("it ran");
    MPI_Finalize();
    return !strcmp(how, "fail") ? 3 : 0;
}
"""

scratch = pathlib.Path(tempfile.mkdtemp())
environment = dict(os.environ, TMPDIR=str(scratch), OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1",
                   OMPI_MCA_rmaps_base_oversubscribe="1", OMPI_MCA_mpi_yield_when_idle="1",
                   OMPI_MCA_hwloc_base_binding_policy="none", OMPI_MCA_btl_base_warn_component_unused="0")


def run(*words):
    return subprocess.run(words, capture_output=True, text=True, timeout=300, env=environment, cwd=scratch)


def replay(*flags):
    return run(program, "replay", "recorded", *flags)


(scratch / "program.c").write_text(SOURCE)
done = run(compiler, "-g", "program.c", "-o", "program")
check(done.returncode == 0, f"compiling: {done.stderr}")
done = run("mpirun", "-n", "4", "-x", f"LD_PRELOAD={library}", "-x", "COLLSCOPE_TRACE=recorded", "./program")
check(done.returncode == 0, f"recording: {done.stderr}")

done = replay("--with", "allreduce:1KiB..=allreduce/ring", "--check", "mpirun -n 4 ./program", "--repeat", "2",
              "--measured", "measured", "--format", "json")
check(done.returncode == 0, f"check: {done.stderr}")
answer = json.loads(done.stdout or "{}")
measured = answer.get("check", {})
check(measured.get("rules") == "allreduce intra 4 160000..160000 allreduce/ring\n",
      f"rules: {measured}")
check(len(measured.get("runs_s", [])) == 2 and measured["measured_s"] == min(measured["runs_s"]), f"runs: {measured}")
check(measured["measured_s"] > 0 and measured["predicted_s"] > 0, f"times: {measured}")
off = measured["predicted_s"] / measured["measured_s"] - 1
check(abs(measured["error_share"] - off) < 1e-6, f"error: {measured}")
rows = answer["tables"]["check"]["rows"]
check([row["program"] for row in rows] == ["as recorded", "changed"], f"table: {rows}")
causes = answer["tables"]["check-activities"]["rows"]
check(causes[0]["activity"] == "computation" and len(causes) == 7, f"causes: {causes}")
check(done.stderr.count("it ran") == 8, f"what the program said: {done.stderr}")
check(f"LD_PRELOAD={library}" in done.stderr and "./program" in done.stderr, f"what runs: {done.stderr}")
opened = json.loads(run(program, "replay", "measured", "--format", "json").stdout)
used = {row["received_bytes"]: row["algorithm"] for row in opened["tables"]["collectives"]["rows"]
        if row["collective"] == "allreduce"}
check(used.get(4 * 160000) == "allreduce/ring" and opened["collectives"] == 10, f"measured: {used}")

done = replay("--with", "allreduce=allreduce/ring", "--check", "mpirun -n 4 ./program", "--alpha", "3us", "--tables", "check")
check(done.returncode == 0 and "changed" in done.stdout, f"table alone: {done.stdout} {done.stderr}")
done = replay("--check", "mpirun -n 4 ./program more", "--alpha", "3us", "--topology", "ring")
check(done.returncode == 0, f"more: {done.stderr}")
words = " ".join(done.stdout.split())
check("the program made 14 collectives; the trace has 10" in words, f"more: {done.stdout}")
check("runs on the actual network" in words, f"conditions: {done.stdout}")

for command, flags, code, sentence in (
        ("mpirun -n 2 ./program", [], 1, "ran on 2 ranks, but the trace has 4; start it with 4"),
        ("mpirun -n 4 ./program fail", [], 1, "ended with exit code 3"),
        ("mpirun -n 4 ./program sleep", ["--seconds", "4"], 1, "was stopped after 4 s; allow more time with --seconds"),
        ("mpirun", [], 2, "does not start a program"),
        ("nowhere -n 4 ./program", [], 2, "program 'nowhere' not found"),
        ("env ./program", [], 2, "no launcher of Open MPI or MPICH"),
        ("mpirun -n 4 ./program", ["--measured", "recorded"], 2, "recorded is there already"),
        ("mpirun -n 4 ./program", ["--repeat", "0"], 2, "--repeat"),
):
    done = replay("--check", command, *flags)
    check(done.returncode == code and sentence in done.stderr, f"{command} {flags}: {done.returncode} {done.stderr}")
    check(code == 1 or "collscope: running" not in done.stderr, f"{command}: announced, but refused: {done.stderr}")
    check("Traceback" not in done.stderr and (code == 1) == ("replayed" in done.stdout), f"{command}: {done.stdout}")
done = replay("--check", "mpirun -n 4 ./program fail", "--tables", "check")
check(done.returncode == 1 and "ended with exit code 3" in done.stderr and done.stdout == "", f"no table: {done.stderr}")
for flags in (["--lab"], ["--measured", "x"], ["--repeat", "2"], ["--seconds", "3"]):
    done = replay(*flags)
    check(done.returncode == 2 and "--check runs; add --check COMMAND" in done.stderr, f"{flags}: {done.stderr}")
check(not list(scratch.glob("collscope-*")), f"left behind: {list(scratch.glob('collscope-*'))}")

shutil.rmtree(scratch)
finish()
