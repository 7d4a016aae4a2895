# SPDX-License-Identifier: BSD-3-Clause
"""What tests of MPI programs share: their checks, the MPI libraries here, and an environment in which both start programs."""
import json
import os
import shutil
import subprocess
import sys

failures = []


def check(condition, words):
    if not condition:
        failures.append(words)
        print("FAILED:", words, flush=True)
    return condition


def finish():
    print(f"{len(failures)} failures")
    sys.exit(1 if failures else 0)


def recorded(program, mpi, code, ranks, tables, scratch, *flags):
    """Runs a program in C under the recorder of (compiler, launcher, recorder): its archive, and the rows of its tables."""
    mpicc, mpirun, recorder = mpi
    source, binary, folder = scratch / "program.c", scratch / mpicc, scratch / f"{mpicc}-trace"
    source.write_text(code)
    subprocess.run([mpicc, "-g", "-w", *flags, source, "-o", binary], check=True)
    done = subprocess.run([mpirun, "-n", str(ranks), "env", f"LD_PRELOAD={recorder}", f"COLLSCOPE_TRACE={folder}", binary],
                          capture_output=True, text=True, env=surroundings(scratch), cwd=scratch, timeout=120)
    check(done.returncode == 0, f"{mpirun}: {done.stderr}")
    opened = subprocess.run([program, "open", folder, "--tables", tables, "--format", "json"], capture_output=True, text=True)
    check(opened.returncode == 0, f"{mpirun}: {opened.stderr}")
    return folder, {name: table["rows"] for name, table in json.loads(opened.stdout)["tables"].items()}


def libraries(build):
    """(compiler, launcher, recorder) of each MPI that has all three; ends the test as skipped where there is none."""
    found = [(f"mpicc.{name}", f"mpirun.{name}", build / recorder)
             for name, recorder in (("openmpi", "libcollscope-pmpi.so"), ("mpich", "libcollscope-pmpi-mpich.so"))
             if shutil.which(f"mpicc.{name}") and shutil.which(f"mpirun.{name}") and (build / recorder).exists()]
    if not found:
        print("skipped: no MPI has a compiler here and a recorder in this build")
        sys.exit(77)
    if any(word in recorder.read_bytes() for *_, recorder in found for word in (b"__asan_init", b"__tsan_init")):
        print("skipped: a library under a sanitizer cannot be loaded before a program that is not")
        sys.exit(77)
    return found


def surroundings(scratch):
    """For any number of processes, as root too, on a machine with few processors."""
    return dict(os.environ, TMPDIR=str(scratch), OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1",
                OMPI_MCA_rmaps_base_oversubscribe="1", OMPI_MCA_mpi_yield_when_idle="1",
                OMPI_MCA_hwloc_base_binding_policy="none", OMPI_MCA_btl_base_warn_component_unused="0")
