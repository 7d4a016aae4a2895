# SPDX-License-Identifier: BSD-3-Clause
"""What tests of programs under the recorders share: the MPI libraries here, and an environment in which both start programs."""
import os
import shutil
import sys


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
