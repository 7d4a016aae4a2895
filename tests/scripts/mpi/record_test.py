# SPDX-License-Identifier: BSD-3-Clause
"""`collscope record -- COMMAND`: programs under Open MPI and MPICH, by scripts, alone and in Python are recorded and run as
without it; what cannot be recorded is refused, or named, in one sentence.

Usage: record_test.py SOURCE_DIR PROGRAM
"""
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
launchers = [launcher for _, launcher, _ in libraries(build)]
mpich = "mpirun.mpich" in launchers
if "mpirun.openmpi" not in launchers:
    print("skipped: there is no Open MPI here, or this build has no recorder for it")
    sys.exit(77)

SOURCE = """
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
int main(int argc, char** argv) {
    int r, n, got = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &r);
    MPI_Comm_size(MPI_COMM_WORLD, &n);
    if (r == 0 && strcmp(argv[1], "reads") == 0 && scanf("%d", &got) != 1) got = -1;
    MPI_Bcast(&got, 1, MPI_INT, 0, MPI_COMM_WORLD);
    if (r == n - 1) printf("answer %d\\n", got + 1);
    if (strcmp(argv[1], "dies") == 0) { MPI_Barrier(MPI_COMM_WORLD); if (r == n - 1) abort(); MPI_Barrier(MPI_COMM_WORLD); }
    if (strcmp(argv[1], "aborts") == 0) {
        MPI_Barrier(MPI_COMM_WORLD);
        if (r == n - 1) { usleep(300000); MPI_Abort(MPI_COMM_WORLD, 9); }
        MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Comm others;
    if (strcmp(argv[1], "spawns") == 0) {
        char* words[] = {"spawned", NULL};
        MPI_Comm_spawn(argv[0], words, 2, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &others, MPI_ERRCODES_IGNORE);
        MPI_Bcast(&got, 1, MPI_INT, r == 0 ? MPI_ROOT : MPI_PROC_NULL, others);
        MPI_Comm_disconnect(&others);
    }
    if (strcmp(argv[1], "spawned") == 0) {
        MPI_Comm_get_parent(&others);
        MPI_Bcast(&got, 1, MPI_INT, 0, others);
        MPI_Comm_disconnect(&others);
    }
    MPI_Finalize();
    return strcmp(argv[1], "fails") == 0 ? 7 : 0;
}
"""

scratch = pathlib.Path(tempfile.mkdtemp())
environment = surroundings(scratch)


def record(*command, flags=(), **more):
    return subprocess.run([program, "record", *flags, "--", *command], capture_output=True, text=True, env=environment,
                          cwd=scratch, timeout=120, **more)


def is_recorded(done, trace, code=0):
    said = " ".join(done.stderr.split())
    check(done.returncode == code, f"{done.args}: {done.returncode} {done.stderr}")
    check((scratch / trace).is_dir() and not (scratch / f"{trace}.records").exists(), f"{done.args}: no archive alone in {trace}")
    check("Parallel efficiency" in said and f"collscope view {trace}" in said, f"{done.args}: {said}")


def is_refused(done, code, words):
    check(done.returncode == code, f"{done.args}: {done.returncode} {done.stderr}")
    ours = [line for line in done.stderr.splitlines() if line.startswith("collscope: ")]
    check(len(ours) == 1 and words in ours[0], f"{done.args}: {done.stderr}")
    check(not any(scratch.glob("refused*")), f"{done.args} left {list(scratch.glob('refused*'))}")


(scratch / "answer.c").write_text(SOURCE)
binaries = {}
for name in ["openmpi"] + ["mpich"] * mpich:
    binaries[name] = f"./answer.{name}"
    subprocess.run([f"mpicc.{name}", "-g", "-w", "answer.c", "-o", binaries[name]], cwd=scratch, check=True)

for name, binary in binaries.items():
    mpirun = f"mpirun.{name}"
    done = record(mpirun, "-n", "3", binary, "reads", flags=("-o", f"{name}-reads"), input="41\n")
    is_recorded(done, f"{name}-reads")
    check(done.stdout == "answer 42\n", f"{mpirun}: the program wrote {done.stdout!r}")
    is_recorded(record(mpirun, "-n", "2", binary, "fails", flags=("-o", f"{name}-fails")), f"{name}-fails", code=7)
    done = record(mpirun, "-n", "2", binary, "dies", flags=("-o", f"{name}-dies"))
    check(done.returncode not in (0, 1, 2), f"{mpirun}: a program that dies: {done.returncode}")
    check("The program did not finish" in " ".join(done.stderr.split()), f"{mpirun}: {done.stderr}")
    # What did not finish meets no requirement, and is not faster.
    for asked, option in ((("open", f"{name}-dies.records", "--require", "parallel-efficiency>=0"), "--require"),
                          (("compare", f"{name}-reads", f"{name}-dies.records", "--no-worse-than", "1000000%"), "--no-worse-than")):
        done = subprocess.run([program, *asked], capture_output=True, text=True, cwd=scratch)
        check(done.returncode == 1 and f"did not finish, so that {option} is not met" in done.stderr, f"{asked}: {done.returncode} {done.stderr}")
    done = record(mpirun, "-n", "3", binary, "aborts", flags=("-o", f"{name}-aborts"))
    said = " ".join(done.stderr.split())
    check(re.search(r"Rank 2 called MPI_Abort with error code 9, at main, answer\.c:\d+ \(at [0-9.]+ m?s\)\. Ranks 0(,|-)1 waited in "
                    r"MPI_Barrier, call 3 of MPI_COMM_WORLD", said), f"{mpirun}: {done.stderr}")
    check("ended with exit code 9. " in said and "signal" not in said, f"{mpirun}: MPI_Abort with the number of a signal: {done.stderr}")
    # Taken, whether the program came to its end or not.
    for taken, there in ((f"{name}-reads", f"{name}-reads"), (f"{name}-dies", f"{name}-dies.records")):
        is_refused(record(mpirun, "-n", "2", binary, "x", flags=("-o", taken)), 2, f"{there} is already there")

# Without a name: collscope-trace, then the next one that is free.
mine = binaries["openmpi"]
is_recorded(record("mpirun.openmpi", "-n", "2", mine, "x"), "collscope-trace")
is_recorded(record(mine, "x"), "collscope-trace.2")  # alone, without a launcher
# Of a communicator with processes that another archive has, nothing but the time is known. Debian's MPICH
# spawns no processes.
done = record("mpirun.openmpi", "-n", "2", mine, "spawns", flags=("-o", "spawns"))
is_recorded(done, "spawns")
said = " ".join(done.stderr.split())
check("is recorded in spawns.2." in said, f"spawned: {done.stderr}")
check("2 calls of collectives with processes of another MPI_COMM_WORLD" in said, f"spawned: {done.stderr}")
opened = subprocess.run([program, "open", "spawns", "--tables", "calls", "--format", "csv"], capture_output=True, text=True,
                        cwd=scratch)
check("MPI_Bcast" in opened.stdout, f"spawned: {opened.stdout}")
# Several programs of one command: each gets the recorder, also from a file, beside a library that the command preloads.
own = next((str(one) for one in pathlib.Path("/lib").rglob("libm.so.6")), None)
(scratch / "programs").write_text(f"# two of them\n-n 1 {mine} x\n-n 1 {mine} x\n")
starts = {"side-by-side": ("-n", "1", mine, "x", ":", "-n", "1", mine, "x"), "by-file": ("--app", "programs"),
          "preloaded": ("-x", f"LD_PRELOAD={own}", "-n", "2", mine, "x"), "in-env": ("-n", "2", "env", f"LD_PRELOAD={own}", mine, "x"),
          "listed": ("--mca", "mca_base_env_list", f"LD_PRELOAD={own}", "-n", "2", mine, "x")}
for name, words in starts.items():
    done = record("mpirun.openmpi", *words, flags=("-o", name))
    is_recorded(done, name)
    check("of 2 processes" in done.stderr, f"{name}: {done.stderr}")
script = scratch / "job"
script.write_text(f"#!/bin/sh\nmpirun.openmpi -n 2 {mine} x && mpirun.openmpi -n 3 {mine} x\n")
script.chmod(0o755)
done = record("./job", flags=("-o", "by-script"))
is_recorded(done, "by-script")
check((scratch / "by-script.2").is_dir(), "the second program of a script was not recorded")
check("is recorded in by-script.2." in " ".join(done.stderr.split()), f"the second program of a script is not named: {done.stderr}")
python = next((p for p in ("/usr/bin/python3", sys.executable)
               if subprocess.run([p, "-c", "import mpi4py"], capture_output=True).returncode == 0), None)
if python:
    is_recorded(record("mpirun.openmpi", "-n", "2", python, "-c", "from mpi4py import MPI; MPI.COMM_WORLD.Barrier()",
                       flags=("-o", "by-python")), "by-python")
(scratch / "rules").write_text("bcast intra * * bcast/flat\n")
done = record("mpirun.openmpi", "-n", "3", mine, "x", flags=("-o", "by-rules", "--rules", "rules", "--calls", "1000"))
is_recorded(done, "by-rules")
check("3 of them replaced" in done.stderr, f"rules: {done.stderr}")

# `record` makes the archive once the program has ended. Where processes run on another machine, process 0 makes it.
this = pathlib.Path("/proc/sys/kernel/random/boot_id").read_text().strip()
for collector, left in ((this, "collected.records"), ("another", "uncollected")):
    folder = left.split(".")[0]
    done = subprocess.run(["mpirun.openmpi", "-n", "2", "env", f"LD_PRELOAD={build / 'libcollscope-pmpi.so'}", f"COLLSCOPE_TRACE={folder}",
                           f"COLLSCOPE_COLLECTOR={collector}", mine, "x"], capture_output=True, text=True, env=environment, cwd=scratch)
    there = sorted(one.name for one in scratch.glob(f"{folder}*"))
    check(done.returncode == 0 and there == [left], f"collector {collector}: {done.returncode} {there} {done.stderr}")
opened = subprocess.run([program, "open", "collected.records"], capture_output=True, text=True, cwd=scratch)
check(opened.returncode == 0 and "2 ranks" in opened.stdout, f"records of a program that has ended: {opened.stderr}")

# A check for continuous integration: what is required of a recorded program holds, does not, or is no metric.
for required, code, words in (("parallel-efficiency>=0", 0, ""), ("load-balance>=0%", 0, ""), ("parallel-efficiency>=0.9999", 1, "required >= 1"),
                              ("transfer-efficiency>=100%", 1, "transfer-efficiency is"), ("efficiency>=0.5", 2, "unknown metric"),
                              ("load-balance=0.5", 2, "METRIC>=VALUE"), ("load-balance>=1.5", 2, "between 0 and 1")):
    done = subprocess.run([program, "open", "by-script", "--require", required], capture_output=True, text=True, cwd=scratch)
    ours = done.stderr.strip().splitlines()
    check(done.returncode == code and len(ours) == (code > 0) and all(words in line for line in ours), f"{required}: {done.returncode} {ours}")

# The launcher may be started by another program.
done = record("timeout", "-k", "5", "100", "nice", "mpirun.openmpi", "-n", "2", mine, "x", flags=("-o", "behind"))
is_recorded(done, "behind")

# A program that ends with MPI_Abort leaves records, which the last lines and the error of `open` name.
(scratch / "aborts.c").write_text("#include <mpi.h>\nint main(int c, char **v) { MPI_Init(&c, &v); MPI_Barrier(MPI_COMM_WORLD); "
                                  "MPI_Abort(MPI_COMM_WORLD, 3); }\n")
subprocess.run(["mpicc.openmpi", "aborts.c", "-o", "aborts"], cwd=scratch, check=True)
done = record("mpirun.openmpi", "-n", "2", "./aborts", flags=("-o", "ended"))
check(done.returncode == 3 and "are in ended.records" in done.stderr, f"MPI_Abort: {done.returncode} {done.stderr}")
is_refused(subprocess.run([program, "open", "ended"], capture_output=True, text=True, cwd=scratch), 2, "ended.records")

# What cannot be.
(scratch / "plain.c").write_text("int main(void) { return 0; }\n")
for kind in ("static", "plain"):
    subprocess.run(["cc", *["-static"] * (kind == "static"), "plain.c", "-o", kind], cwd=scratch, check=True)
to = ("-o", "refused")
is_refused(record("mpirun.openmpi", "-n", "2", "./static", flags=to), 2, "statically linked")
is_refused(record("mpirun.openmpi", "-n", "2", "./plain", flags=to), 1, "nothing was recorded")
is_refused(record("./plain", flags=to), 1, "nothing was recorded")
(scratch / "exporting").write_text(f"#!/bin/sh\n# mpirun.openmpi\nmpirun.openmpi -n 1 -x HOME {mine} x\n")
(scratch / "exporting").chmod(0o755)
for words in (("./exporting",), ("sh", "-e", "exporting")):
    is_refused(record(*words, flags=to), 2, "'mpirun.openmpi -x', which Open MPI does not permit")
# Before the program runs, not after.
for there, words in (("/proc/refused", "--output: cannot create the folder '/proc/refused.records'"), ("r" * 250, "too long")):
    is_refused(record("mpirun.openmpi", "-n", "2", mine, "x", flags=("-o", there)), 2, words)
is_refused(record("./nothing", flags=to), 2, "'./nothing' not found")
is_refused(record("mpirun.openmpi", "-n", "2", mine, "x", flags=("-o", "no/refused")), 2, "not found")
is_refused(record("mpirun.openmpi", "-n", "2", mine, "x", flags=(*to, "--rules", "none")), 2, "--rules: cannot read 'none'")
is_refused(record("mpirun.openmpi", "-n", "2", mine, "x", flags=(*to, "--calls", "0")), 2, "--calls")
is_refused(subprocess.run([program, "record"], capture_output=True, text=True, cwd=scratch), 2, "the command is missing")
for words in (["record", "mpirun", "-n", "2", mine], ["record", "-o", "refused", mine, "--", mine]):
    is_refused(subprocess.run([program, *words], capture_output=True, text=True, cwd=scratch), 2, "put -- before the command")
is_refused(subprocess.run([program, "record", "--outpt", "refused", "--", mine], capture_output=True, text=True, cwd=scratch), 2,
           "unknown flag --outpt")
(scratch / "exports").write_text(f"-n 1 -x HOME {mine} x\n")
is_refused(record("mpirun.openmpi", "--app", "exports", flags=to), 2, "--app exports: Open MPI permits no option -x")
is_refused(record("mpirun.openmpi", "-n", "1", mine, "x", ":", "-n", "1", "./static", flags=to), 2, "statically linked")
(scratch / "with space").mkdir()
done = record("mpirun.openmpi", "-n", "2", mine, "x", flags=("-o", "with space/new/"))
check(done.returncode == 0 and done.stderr.endswith("collscope view 'with space/new'\n"), f"a name with a space: {done.stderr}")
done = record("mpirun.openmpi", "-n", "2", mine, "x", flags=("-o", "room", "--calls", "1"))
check("there was no room: record with larger --calls" in done.stderr, f"--calls 1: {done.stderr}")
if mpich:
    is_refused(record("mpirun.mpich", "-n", "2", mine, "x", flags=to), 2, "not of MPICH")
    is_refused(record("mpirun.openmpi", "-n", "2", binaries["mpich"], "x", flags=to), 2, "not of Open MPI")
    is_refused(record("mpirun.openmpi", "-n", "1", mine, "x", ":", "-n", "1", binaries["mpich"], "x", flags=to), 2, "not of Open MPI")
    is_recorded(record("mpirun.mpich", "-genv", "LD_PRELOAD", own, "-n", "2", binaries["mpich"], "x", flags=("-o", "mpich-preloaded")),
                "mpich-preloaded")
    (scratch / "both").write_text(f"#!/bin/sh\nmpirun.openmpi -n 2 {mine} x\nmpirun.mpich -n 2 {binaries['mpich']} x\n")
    (scratch / "both").chmod(0o755)
    done = record("./both", flags=("-o", "by-both"))
    is_recorded(done, "by-both")
    check("both calls 'mpirun.mpich', MPICH's launcher, whose programs are not recorded" in done.stderr, f"both: {done.stderr}")
    # Where the library has a static archive, a program may contain it.
    (scratch / "inside.c").write_text("int MPI_Init(int* c, char*** v) { return 0; }\nint main(void) { return MPI_Init(0, 0); }\n")
    subprocess.run(["cc", "inside.c", "-o", "inside"], cwd=scratch, check=True)
    is_refused(record("mpirun.mpich", "-n", "2", "./inside", flags=to), 2, "contains the MPI library itself")
    # A program of the other library behind a script runs as without the recorder.
    for name, other in (("openmpi", "mpich"), ("mpich", "openmpi")):
        (scratch / "other").write_text(f"#!/bin/sh\n{binaries[other]} x\n")
        (scratch / "other").chmod(0o755)
        done = record(f"mpirun.{name}", "-n", "2", "./other", flags=to)
        check(done.returncode == 1 and done.stdout == "answer 1\n" * 2, f"{other} under {name}: {done.returncode} {done.stdout} {done.stderr}")
        check(f"answer.{other} is not recorded: it needs libmpi" in done.stderr, f"{other} under {name}: {done.stderr}")

shutil.rmtree(scratch, ignore_errors=True)
finish()
