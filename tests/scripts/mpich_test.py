# SPDX-License-Identifier: BSD-3-Clause
"""Everything over MPI built with MPICH, in a build folder of its own, and run on a few ranks.

Usage: mpich_test.py SOURCE_DIR PROGRAM
"""
import json
import os
import pathlib
import shutil
import subprocess
import sys

source, program = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
if not shutil.which("mpicxx.mpich") or not shutil.which("mpiexec.mpich"):
    print("skipped: MPICH is not installed (Debian: mpich, libmpich-dev)")
    sys.exit(77)

folder = program.parents[1] / "mpich"
launcher = ["-DCMAKE_CXX_COMPILER_LAUNCHER=ccache"] if shutil.which("ccache") else []


def call(*words, **more):
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, **more)
    if done.returncode != 0:
        print(done.stdout[-6000:], done.stderr[-3000:], f"\nFAILED ({done.returncode}):", *words)
        sys.exit(1)
    return done.stdout


# Not optimised: what counts is that it is right, and building is most of the time.
call("cmake", "-G", "Ninja", "-S", source, "-B", folder, "-DCOLLSCOPE_MPI=mpich", "-DCOLLSCOPE_WERROR=ON",
     "-DCMAKE_BUILD_TYPE=None", "-DCMAKE_CXX_FLAGS=-O0", "-DCOLLSCOPE_BENCHMARKS=OFF", *launcher)
call("cmake", "--build", folder, "-j", str(os.cpu_count()), "--target", "collscope_mpi_program", "engine_mpi_tests",
     "app_mpi_tests")
quiet = dict(os.environ, COLLSCOPE_TRACE="")
for ranks in (2, 3, 5):
    for tests in ("engine_mpi_tests", "app_mpi_tests"):
        call("mpiexec.mpich", "-n", ranks, folder / "tests" / tests, env=quiet, timeout=600)
        print(tests, "on", ranks, "ranks: right")

worker = folder / "app" / "collscope-mpi"
told = json.loads(call(worker, "run", "bcast/binomial-tree", "-n", "3", "--on", "mpi", "--mpirun", "mpiexec.mpich",
                       "--repeat", "2", "--format", "json", timeout=120))
words = json.dumps(told)
assert "MPICH" in words, words
print("run --on mpi --mpirun mpiexec.mpich: right")
