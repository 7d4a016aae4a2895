# SPDX-License-Identifier: BSD-3-Clause
"""Programs that end before MPI_Finalize, under Open MPI and MPICH: the page states how, the exit code is that of the
launcher, and calls that returned an error are recorded.

Usage: endings_test.py SOURCE_DIR PROGRAM
"""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

import mpi_programs

program = os.path.abspath(sys.argv[2])
mpis = mpi_programs.libraries(pathlib.Path(program).parent)

# A child process that ends by itself is none of the program's.
SOURCE = """
#include <mpi.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#define W MPI_COMM_WORLD
#define IS(word) !strcmp(argv[1], word)
int main(int argc, char** argv) {
    char a[100] = {0};
    int me;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(W, &me);
    MPI_Barrier(W);
    if (IS("finalize")) {
        if (fork() == 0) _exit(5);
        wait(NULL);
        MPI_Finalize();
        exit(3);
    }
    if (IS("truncate") && me == 0) MPI_Send(a, 100, MPI_BYTE, 1, 1, W);
    if (IS("truncate") && me == 1) MPI_Recv(a, 50, MPI_BYTE, 0, 1, W, MPI_STATUS_IGNORE);
    if (IS("root") && me == 1) MPI_Bcast(a, 1, MPI_BYTE, 77, W);
    if (IS("exit")) exit(0);
    if (IS("_exit") && me == 1) _exit(3);
    if (IS("kill") && me == 1) raise(SIGKILL);
    if (IS("fault") && me == 1) signal(SIGSEGV, SIG_DFL), raise(SIGSEGV);
    if (IS("abort") && me == 1) MPI_Abort(W, 9);
    MPI_Barrier(W);
    sleep(60);
}
"""
# What the page states, what it does not, and the error in the table of errors.
CASES = {
    "truncate": ("MPI_Recv of rank 1 returned the error MPI_ERR_TRUNCATE, which ended the program.", "exit(",
                 ("MPI_Recv", 1, "MPI_ERR_TRUNCATE")),
    "root": ("MPI_Bcast of rank 1 returned the error MPI_ERR_ROOT, which ended the program.", "exit(",
             ("MPI_Bcast", 1, "MPI_ERR_ROOT")),
    "exit": ("Ranks 0, 1 ended with exit(0) without MPI_Finalize.", "returned the error", None),
    "_exit": ("Rank 1 ended with _exit(3) without MPI_Finalize.", "returned the error", None),
    "kill": ("Rank 1 was killed by signal 9 (SIGKILL).", "ended with exit(", None),
    "fault": ("Rank 1 was killed by signal 11 (SIGSEGV).", "ended with exit(", None),
    "abort": ("Rank 1 called MPI_Abort", "exit(", None),
}

scratch = pathlib.Path(tempfile.mkdtemp())
surroundings = mpi_programs.surroundings(scratch)
failures = []


def check(ok, what):
    if not ok:
        failures.append(what)
        print("FAILED:", what)


for mpicc, mpirun, library in mpis:
    source, binary = scratch / "endings.c", scratch / mpicc
    source.write_text(SOURCE)
    subprocess.run([mpicc, "-g", "-w", source, "-o", binary], check=True)
    for case, (words, absent, error) in CASES.items():
        folder = scratch / f"{mpicc}-{case}"
        done = subprocess.run([program, "record", "-o", folder, "--", mpirun, "-n", "2", binary, case],
                              capture_output=True, text=True, env=surroundings, cwd=scratch, timeout=120)
        page = " ".join(done.stderr.split())
        # MPICH's launcher ends with the code of the rank that ended first, or with that of one that it killed.
        codes = []
        while len(codes) < 8 and done.returncode not in codes:
            plain = subprocess.run([mpirun, "-n", "2", binary, case], capture_output=True, text=True, env=surroundings,
                                   cwd=scratch, timeout=120)
            codes.append(plain.returncode or 1)
        check(done.returncode in codes, f"{mpirun} {case}: {done.returncode} is none of {codes}")
        check(words in page, f"{mpirun} {case}: {words}: {page}")
        check(absent not in page, f"{mpirun} {case}: {absent}: {page}")
        check(error is None or f"Rank {error[1]} waited in {error[0]}" not in page, f"{mpirun} {case}: a call that returned: {page}")
        its = 0 if plain.returncode == 0 else done.returncode
        check(f"The command {mpirun} ended with exit code {its}" in page, f"{mpirun} {case}: {page}")
        opened = subprocess.run([program, "open", f"{folder}.records", "--tables", "errors", "--format", "csv"],
                                capture_output=True, text=True)
        rows = opened.stdout.splitlines()[1:]
        right = len(rows) == (error is not None) and all(str(word) in rows[0] for word in error or ())
        check(right, f"{mpirun} {case}: {rows}")
    folder = scratch / f"{mpicc}-finalize"
    done = subprocess.run([program, "record", "-o", folder, "--", mpirun, "-n", "2", binary, "finalize"],
                          capture_output=True, text=True, env=surroundings, cwd=scratch, timeout=120)
    check(done.returncode == 3 and folder.exists() and "did not finish" not in done.stderr, f"{mpirun}: {done.stderr}")

shutil.rmtree(scratch, ignore_errors=True)
print(f"{len(failures)} failures")
sys.exit(1 if failures else 0)
