#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""full_disk_test.py SOURCE PROGRAM [SIZES]: a disk that fills while an archive is written hurts nobody.

A program under the recorder ends as it would without: same output, same exit code, one sentence where there is no
archive. Commands that write archives end with a sentence and code 2. SIZES are MiB of the disk; 1..40 by hand tries all.
The same of a limit on the size of files (ulimit -f).
"""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

program = pathlib.Path(sys.argv[2]).resolve()
library = program.with_name("libcollscope-pmpi.so")
compiler = next((name for name in ("mpicc.openmpi", "mpicc") if shutil.which(name)), None)
if not library.exists() or not compiler or not shutil.which("mpirun.openmpi"):
    print("skipped: this build has no MPI")
    sys.exit(77)
if b"__asan_init" in library.read_bytes() or b"__tsan_init" in library.read_bytes():
    print("skipped: a library under a sanitizer cannot be loaded before a program that is not")
    sys.exit(77)

SOURCE = r"""
#include <mpi.h>
#include <stdio.h>
int main(int argc, char** argv) {
    int rank, sum = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < 131000; ++i) {
        int one = i & 1;
        if (rank == 0) MPI_Send(&one, 1, MPI_INT, 1, 7, MPI_COMM_WORLD);
        else MPI_Recv(&one, 1, MPI_INT, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        sum += one;
    }
    printf("rank %d: %d\n", rank, sum);
    MPI_Finalize();
    return rank == 0 ? 3 : 0;
}
"""

# A file system of the size that is asked for, in a mount namespace of its own. What stays on it is listed.
FULL = """mount -t tmpfs -o size={size}m none {disk} || exit 77
cd {disk}
ulimit -f {blocks}
{command} >{out}/out 2>{out}/err
echo $? >{out}/code
ls -A {disk} >{out}/left
"""

failures = []


def check(good, what):
    if not good:
        failures.append(what)


ROOMY = 400  # MiB


def on_disk(size, scratch, command, largest_file=None):
    """What the command says on a disk of so many MiB: code, stdout, stderr, names of what is left. `largest_file`: MiB."""
    disk, out = scratch / "disk", scratch / "out"
    for folder in (disk, out):
        folder.mkdir(exist_ok=True)
    blocks = "unlimited" if largest_file is None else largest_file * 2048
    script = FULL.format(size=size, disk=disk, out=out, command=command, blocks=blocks)
    done = subprocess.run(["unshare", "--mount", "sh", "-c", script], capture_output=True, text=True, timeout=300)
    if done.returncode == 77 or "unshare" in done.stderr:
        print("skipped: no file system of one's own can be made here")
        sys.exit(77)
    return (int((out / "code").read_text()), *((out / name).read_text() for name in ("out", "err", "left")))


def recorded(size, scratch, binary, largest_file=None):
    launcher = (f"mpirun.openmpi --allow-run-as-root --oversubscribe --mca mpi_yield_when_idle 1 -n 2 "
                f"-x LD_PRELOAD={library} -x COLLSCOPE_TRACE={scratch / 'disk' / 'trace'} {binary}")
    code, out, err, left = on_disk(size, scratch, launcher, largest_file)
    where = f"{size} MiB" if largest_file is None else f"files of {largest_file} MiB"
    check(code == 3, f"{where}: the program ended with {code}: {err[-600:]}")
    check(sorted(out.splitlines()) == ["rank 0: 65500", "rank 1: 65500"], f"{where}: it wrote {out!r}")
    said = [line for line in err.splitlines() if line.startswith("collscope:")]
    check(said, f"{where}: nothing was said: {err[-600:]}")
    check("free()" not in err and "Signal" not in err, f"{where}: {err[-600:]}")
    return any(" recorded in " in line for line in said), left


def main(sizes):
    with tempfile.TemporaryDirectory() as folder:
        scratch = pathlib.Path(folder)
        (scratch / "many.c").write_text(SOURCE, encoding="utf-8")
        binary = scratch / "many"
        subprocess.run([compiler, "-O1", "-o", binary, scratch / "many.c"], check=True)
        archives = [recorded(size, scratch, binary)[0] for size in sizes]
        check(not archives[0], "the smallest disk was too large to be full")
        limited = [recorded(ROOMY, scratch, binary, largest)[0] for largest in LARGEST_FILES]
        check(not limited[0] and limited[-1], f"of files of {LARGEST_FILES} MiB the archives {limited} were written")
        for size in (1, 2, 3, 5):
            code, _, err, left = on_disk(size, scratch, f"{program} run allgatherv/linear-ring -n 200 --trace trace")
            check(code in (0, 2), f"run --trace on {size} MiB: code {code}: {err[-400:]}")
            check(code == 0 or (err.count("\n") == 1 and not left.strip()), f"run --trace on {size} MiB: {err!r}, left {left!r}")
        trace = scratch / "whole"
        subprocess.run([program, "run", "allgatherv/linear-ring", "-n", "200", "--trace", trace], check=True, capture_output=True)
        for size, largest in ((1, None), (2, None), (3, None), (ROOMY, 1)):
            code, _, err, left = on_disk(size, scratch, f"{program} export {trace} -o copy.otf2", largest)
            check(code in (0, 2), f"export on {size} MiB: code {code}: {err[-400:]}")
            check(code == 0 or (err.count("\n") == 1 and not left.strip()), f"export on {size} MiB: {err!r}, left {left!r}")
    print("\n".join(failures) or f"disks of {sizes} MiB hurt nobody; an archive fits on {sizes[archives.index(True)] if any(archives) else 'none'}")
    return 1 if failures else 0


LARGEST_FILES = [5, 7, 16, 64]  # MiB; Open MPI itself needs files of 5


if __name__ == "__main__":
    first, _, last = (sys.argv[3] if len(sys.argv) > 3 else "").partition("..")
    sys.exit(main(list(range(int(first), int(last or first) + 1)) if first else [1, 13, 26, 33, 64]))
