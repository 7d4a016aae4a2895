# SPDX-License-Identifier: BSD-3-Clause
"""The recorder finds the functions that led to a call of MPI: static ones, inlined ones, recursion, frames of any size, C++,
without debugging information, and lines of Python; also where functions are called by turns from the same place of the stack.

Usage: call_paths_test.py SOURCE_DIR PROGRAM
"""
import csv
import io
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

from mpi_programs import check, finish, libraries, surroundings

program = os.path.abspath(sys.argv[2])
build = pathlib.Path(program).parent
found = libraries(build)

C = """
#include <alloca.h>
#include <mpi.h>
#include <string.h>
#define OF_ITS_OWN __attribute__((noinline))
static volatile int kept;
OF_ITS_OWN static void meet(void) { MPI_Barrier(MPI_COMM_WORLD); /* meet */ kept++; }
OF_ITS_OWN static void first(void) { meet(); kept++; }
OF_ITS_OWN static void second(void) { meet(); kept += 2; }
OF_ITS_OWN static void down(int n) { if (n > 0) down(n - 1); else meet(); kept++; }
OF_ITS_OWN static void wide(int bytes) { char* room = alloca(bytes); memset(room, 1, bytes); meet(); kept += room[bytes - 1]; }
static inline __attribute__((always_inline)) void within(void) { MPI_Barrier(MPI_COMM_WORLD); /* within */ }
OF_ITS_OWN static void around(void) { within(); kept += 3; }
int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    for (int i = 0; i < 50; i++) { first(); second(); }
    down(3);
    for (int i = 1; i < 40; i++) wide(16 * i);
    around();
    MPI_Finalize();
    return 0;
}
"""
CPP = """
#include <mpi.h>
namespace solver {
template <class Value> struct Grid {
    __attribute__((noinline)) void exchange(Value times) { for (Value i = 0; i < times; ++i) MPI_Barrier(MPI_COMM_WORLD); ++kept; }
    volatile int kept = 0;
};
}
int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    solver::Grid<int> grid;
    grid.exchange(3);
    MPI_Finalize();
    return grid.kept == 1 ? 0 : 1;
}
"""
# hidden() has no symbol once the library is stripped; the nearest one before it is that of exported().
LIBRARY = """
#define OF_ITS_OWN __attribute__((noinline))
static volatile int kept;
OF_ITS_OWN int exported(int x) { return x + kept; }
OF_ITS_OWN static void hidden(void (*call)(void)) { call(); kept++; }
void enter(void (*call)(void)) { hidden(call); kept++; }
"""
USER = """
#include <mpi.h>
void enter(void (*call)(void));
static volatile int kept;
static void meet(void) { MPI_Barrier(MPI_COMM_WORLD); kept++; }
int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    enter(meet);
    MPI_Finalize();
    return 0;
}
"""
# 400 paths by turns: few enough to be unwound once each, too many to be unwound again and again.
MANY = """
#include <mpi.h>
#define OF_ITS_OWN __attribute__((noinline)) static
static volatile int kept;
#define TWENTY(X) X(0) X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8) X(9) X(10) X(11) X(12) X(13) X(14) X(15) X(16) X(17) X(18) X(19)
#define INNER(n) OF_ITS_OWN void inner##n(void) { MPI_Allreduce(MPI_IN_PLACE, (int[]){n}, 1, MPI_INT, MPI_SUM, MPI_COMM_SELF); kept++; }
#define OUTER(n) OF_ITS_OWN void outer##n(void (*call)(void)) { call(); kept += n; }
TWENTY(INNER)
TWENTY(OUTER)
#define NAME_OF_INNER(n) inner##n,
#define NAME_OF_OUTER(n) outer##n,
int main(int argc, char** argv) {
    void (*inner[])(void) = {TWENTY(NAME_OF_INNER)};
    void (*outer[])(void (*)(void)) = {TWENTY(NAME_OF_OUTER)};
    MPI_Init(&argc, &argv);
    for (int i = 0; i < 100 * 400; i++) outer[i / 20 % 20](inner[i % 20]);
    MPI_Finalize();
    return 0;
}
"""
PYTHON = """
from mpi4py import MPI


def exchange():
    MPI.COMM_WORLD.Barrier()  # exchange
    MPI.COMM_WORLD.Barrier()  # again


def solve(times):
    for _ in range(times):
        exchange()


solve(20)
"""
scratch = pathlib.Path(tempfile.mkdtemp())
environment = surroundings(scratch)


def recorded(launcher, recorder, name, *command):
    """Visits of each call path."""
    folder = scratch / name
    done = subprocess.run([launcher, "-n", "2", "env", f"LD_PRELOAD={recorder}", f"COLLSCOPE_TRACE={folder}", *command],
                          capture_output=True, text=True, env=environment, timeout=120)
    check(done.returncode == 0 and "calls of 2 processes" in done.stderr, f"{name}: {done.returncode} {done.stderr}")
    done = subprocess.run([program, "open", folder, "--index", "none", "--tables", "calltree", "--format", "csv"],
                          capture_output=True, text=True, timeout=60)
    check(done.returncode == 0, f"{name}: {done.stderr}")
    rows = list(csv.DictReader(io.StringIO("\n".join(line for line in done.stdout.splitlines() if not line.startswith("#")))))
    return {row["path"]: int(row["visits"]) for row in rows if row.get("visits")}


def built(compiler, name, source, *flags):
    (scratch / name).write_text(source)
    binary = scratch / f"{name}.{compiler}{''.join(flags).replace('/', '_')}"
    done = subprocess.run([compiler, "-w", name, *flags, "-o", binary], capture_output=True, text=True, cwd=scratch)
    check(done.returncode == 0, f"{compiler} {name}: {done.stderr}")
    return str(binary)


def line(source, mark):
    return next(number for number, words in enumerate(source.splitlines(), 1) if mark in words)


def is_right(paths, name, expected):
    for path, visits in expected.items():
        check(paths.get(path) == visits, f"{name}: {path} has {paths.get(path)} visits, not {visits}: {paths}")


meet = f"MPI_Barrier (meet, paths.c:{line(C, '/* meet */')})"
within = f"MPI_Barrier (within, paths.c:{line(C, '/* within */')})"
for compiler, launcher, recorder in found:
    for optimised in ("-O1", "-O2"):
        name = f"{compiler}{optimised}"
        paths = recorded(launcher, recorder, name, built(compiler, "paths.c", C, "-g", optimised))
        is_right(paths, name, {f"main/first/meet/{meet}": 100, f"main/second/meet/{meet}": 100,
                               f"main/down/down/down/down/meet/{meet}": 2, f"main/wide/meet/{meet}": 78,
                               f"main/around/within/{within}": 2})
    name = f"{compiler} without lines"
    paths = recorded(launcher, recorder, name, built(compiler, "paths.c", C, "-O2"))
    binary = f"paths.c.{compiler}-O2"
    is_right(paths, name, {f"main/first/meet/MPI_Barrier (meet in {binary})": 100})
    (scratch / "hidden.c").write_text(LIBRARY)
    subprocess.run(["gcc", "-O1", "-fno-toplevel-reorder", "-shared", "-fPIC", "-s", "hidden.c", "-o", "libhidden.so"],
                   check=True, cwd=scratch)
    paths = recorded(launcher, recorder, f"{compiler} stripped",
                     built(compiler, "user.c", USER, "-g", "-O1", "-L.", "-lhidden", f"-Wl,-rpath,{scratch}"))
    check(any(re.fullmatch(r"main/enter/libhidden\.so\+0x[0-9a-f]+/meet/MPI_Barrier.*", path) for path in paths),
          f"{compiler}, a stripped library: {paths}")
    paths = recorded(launcher, recorder, f"{compiler} many", built(compiler, "many.c", MANY, "-g", "-O1"))
    known = sum(visits for path, visits in paths.items() if re.fullmatch(r"main/outer\d+/inner\d+/MPI_Allreduce.*", path))
    check(known > 0.9 * 2 * 100 * 400, f"{compiler}: {known} of 80000 calls on {len(paths)} rows have their callers")
    cpp = compiler.replace("mpicc", "mpicxx")
    if shutil.which(cpp):
        paths = recorded(launcher, recorder, cpp, built(cpp, "grid.cpp", CPP, "-g", "-O1"))
        check(any(path.startswith("main/solver::Grid<int>::exchange(int)/MPI_Barrier") and visits == 6
                  for path, visits in paths.items()), f"{cpp}: {paths}")

python = next((p for p in ("/usr/bin/python3", sys.executable)
               if subprocess.run([p, "-c", "import mpi4py"], capture_output=True).returncode == 0), None)
if python and "mpirun.openmpi" in [launcher for _, launcher, _ in found]:
    (scratch / "solver.py").write_text(PYTHON)
    recorder = next(recorder for _, launcher, recorder in found if launcher == "mpirun.openmpi")
    paths = recorded("mpirun.openmpi", recorder, "python", python, str(scratch / "solver.py"))
    for mark in ("exchange", "again"):
        at = line(PYTHON, f"# {mark}")
        is_right(paths, "python", {f"<module>/solve/exchange/MPI_Barrier (exchange, solver.py:{at})": 40})
else:
    print("without Python: there is no mpi4py for Open MPI")

shutil.rmtree(scratch, ignore_errors=True)
finish()
