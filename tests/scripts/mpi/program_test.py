# SPDX-License-Identifier: BSD-3-Clause
"""Programs in C under the drop-in library: known faults are named with rank, place and size, and so is who hangs.

Usage: program_test.py SOURCE_DIR PROGRAM
"""
import json
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

from mpi_programs import check, finish

program = os.path.abspath(sys.argv[2])
build = pathlib.Path(program).parent
mpis = [(mpicc, mpirun, build / library)
        for mpicc, mpirun, library in (("mpicc.openmpi", "mpirun.openmpi", "libcollscope-pmpi.so"),
                                       ("mpicc.mpich", "mpirun.mpich", "libcollscope-pmpi-mpich.so"))
        if shutil.which(mpicc) and shutil.which(mpirun) and (build / library).exists()]
if not mpis:
    print("skipped: there is no mpicc.openmpi or mpicc.mpich, or this build has no library for it")
    sys.exit(77)
if any(word in library.read_bytes() for *_, library in mpis for word in (b"__asan_init", b"__tsan_init")):
    print("skipped: a library under a sanitizer cannot be loaded before a program that is not")
    sys.exit(77)

scratch = pathlib.Path(tempfile.mkdtemp())
surroundings = dict(os.environ, TMPDIR=str(scratch), OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1",
                    OMPI_MCA_rmaps_base_oversubscribe="1", OMPI_MCA_mpi_yield_when_idle="1",
                    OMPI_MCA_hwloc_base_binding_policy="none", OMPI_MCA_btl_base_warn_component_unused="0")


def compiled(mpicc, name, source):
    (scratch / f"{name}.c").write_text(source)
    binary = scratch / f"{name}.{mpicc}"
    made = subprocess.run([mpicc, "-g", "-O1", "-o", str(binary), str(scratch / f"{name}.c")], capture_output=True, text=True)
    check(made.returncode == 0, f"{mpicc} {name}: {made.stderr}")
    return str(binary)


def command(mpirun, library, ranks, folder, *words):
    return [mpirun, "-n", str(ranks), "env", f"LD_PRELOAD={library}", f"COLLSCOPE_TRACE={folder}", *words]


def asked(*words):
    done = subprocess.run([program, *words], capture_output=True, text=True, timeout=60)
    check(done.returncode == 0, f"{words}: {done.stderr}")
    return done.stdout


def place(source, mark, file):
    """Where the line with `mark` is, as tables name it: of some function."""
    line = next(i for i, words in enumerate(source.splitlines(), 1) if mark in words)
    return f"{file}.c:{line})" if shutil.which("addr2line") else f"{file}"


FAULTS = r"""
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
static int rank, n, turn;
static double field[2][1024], took[10][5];
static void compute(double seconds) {
    const double end = MPI_Wtime() + seconds;
    const struct timespec nap = {0, 100000};
    while (MPI_Wtime() < end) nanosleep(&nap, 0);
}
static void be_late(int fault, double seconds) {
    const double begin = MPI_Wtime();
    compute(seconds);
    took[fault][turn] = MPI_Wtime() - begin;
}
static __attribute__((noinline)) void halo(double late) {
    MPI_Request all[4];
    const int left = (rank + n - 1) % n, right = (rank + 1) % n;
    if (rank == 2) be_late(0, late);
    MPI_Irecv(field[1], 512, MPI_DOUBLE, left, 1, MPI_COMM_WORLD, &all[0]);
    MPI_Irecv(field[1] + 512, 512, MPI_DOUBLE, right, 2, MPI_COMM_WORLD, &all[1]);
    MPI_Isend(field[0], 512, MPI_DOUBLE, right, 1, MPI_COMM_WORLD, &all[2]);  // to the right
    MPI_Isend(field[0] + 512, 512, MPI_DOUBLE, left, 2, MPI_COMM_WORLD, &all[3]);
    MPI_Waitall(4, all, MPI_STATUSES_IGNORE);
}
static __attribute__((noinline)) void assemble(double late) {
    double sum = 0, part = rank;
    if (rank == 3) be_late(1, late);
    MPI_Allreduce(&part, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}
static __attribute__((noinline)) void spread(double late) {
    if (rank == 1) be_late(2, late);
    MPI_Bcast(field[0], 512, MPI_DOUBLE, 1, MPI_COMM_WORLD);
}
static __attribute__((noinline)) void receiver(double late) {
    static char large[1 << 20];
    if (rank == 0) MPI_Ssend(large, 1 << 20, MPI_CHAR, 3, 4, MPI_COMM_WORLD);
    if (rank == 3) be_late(3, late), MPI_Recv(large, 1 << 20, MPI_CHAR, 0, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}
static __attribute__((noinline)) void unordered(double late) {
    double token = 0;
    if (rank == 0) {
        MPI_Send(&token, 1, MPI_DOUBLE, 2, 5, MPI_COMM_WORLD);
        be_late(6, late);
        MPI_Send(&token, 1, MPI_DOUBLE, 2, 6, MPI_COMM_WORLD);  // what is taken first
    }
    if (rank == 2) {
        MPI_Recv(&token, 1, MPI_DOUBLE, 0, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(&token, 1, MPI_DOUBLE, 0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
}
static __attribute__((noinline)) void number(double late) {
    double sum = 0, part = rank;
    if (rank == 0) be_late(7, late);
    MPI_Scan(&part, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}
static __attribute__((noinline)) void publish(MPI_Win window, double late) {
    MPI_Win_fence(0, window);
    if (rank == 2) be_late(8, late);
    MPI_Win_fence(0, window);  // of what is published
}
static __attribute__((noinline)) void meeting(double late) {
    if (rank == 1) be_late(4, late);
    MPI_Barrier(MPI_COMM_WORLD);  // of the meeting
}
static __attribute__((noinline)) void duplicate(MPI_Comm pair, double late) {
    MPI_Comm copy;
    if (rank == 2) be_late(9, late);
    MPI_Comm_dup(pair, &copy);
    MPI_Comm_free(&copy);
}
static __attribute__((noinline)) void wavefront(double each) {
    double token = 0;
    if (rank > 0) MPI_Recv(&token, 1, MPI_DOUBLE, rank - 1, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    be_late(5, each);
    if (rank + 1 < n) MPI_Send(&token, 1, MPI_DOUBLE, rank + 1, 3, MPI_COMM_WORLD);
}
int main(int argc, char** argv) {
    const double late = atof(argv[1]);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &n);
    MPI_Comm pair;
    MPI_Comm_split(MPI_COMM_WORLD, rank / 2, rank, &pair);
    MPI_Win window;
    MPI_Win_create(field, sizeof field, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    for (; turn < 5; ++turn) {
        compute(0.01);
        MPI_Barrier(MPI_COMM_WORLD);
        halo(late);
        MPI_Barrier(MPI_COMM_WORLD);
        assemble(late);
        spread(late);
        MPI_Barrier(MPI_COMM_WORLD);
        receiver(late);
        MPI_Barrier(MPI_COMM_WORLD);
        meeting(late);
        wavefront(late / 2);
        MPI_Barrier(MPI_COMM_WORLD);
        unordered(late);
        MPI_Barrier(MPI_COMM_WORLD);
        number(late);
        publish(window, late);
        duplicate(pair, late);
    }
    for (int fault = 0; fault < 10; ++fault)
        for (int i = 0; i < 5; ++i) printf("late %d %d %.9f\n", rank, fault, took[fault][i]);
    MPI_Win_free(&window);
    return MPI_Finalize();
}
"""
LATE = 0.04
# wait state, the rank that is late, the call it is late for, the line of that call; indexed as the program's `took`
NAMED = (("late sender", 2, "MPI_Irecv", "left, 1,"),
         ("wait at NxN", 3, "MPI_Allreduce", "MPI_Allreduce"),
         ("late broadcast", 1, "MPI_Bcast", "MPI_Bcast"),
         ("late receiver", 3, "MPI_Recv", "MPI_Recv(large"),
         ("wait at barrier", 1, "MPI_Barrier", "of the meeting"),
         ("late sender", 0, "MPI_Send", "MPI_Send(&token, 1, MPI_DOUBLE, rank + 1"),
         ("late sender, wrong order", 0, "MPI_Send", "what is taken first"),
         ("early scan", 0, "MPI_Scan", "MPI_Scan"),
         ("wait at barrier", 2, "MPI_Win_fence", "what is published"),
         ("wait at synchronising call", 2, "MPI_Comm_dup", "MPI_Comm_dup"))


def tables(folder, *names):
    return {name: table["rows"] for name, table in
            json.loads(asked("open", str(folder), "--tables", ",".join(names), "--format", "json"))["tables"].items()}


def faults(mpicc, mpirun, library, binary):
    """Wrong findings in one run with the faults and one without: a sentence for each, by a key that is the same in every run."""
    wrong = {}
    folder = pathlib.Path(tempfile.mkdtemp(dir=scratch)) / "faults"
    done = subprocess.run(command(mpirun, library, 4, folder, binary, str(LATE)), capture_output=True, text=True, timeout=120, env=surroundings, cwd=scratch)
    check(done.returncode == 0 and "recorded in" in done.stderr, f"faults of {mpicc}: {done.stderr}")
    took = [tuple(line.split()[1:]) for line in done.stdout.splitlines() if line.startswith("late ")]
    found = tables(folder, "causes", "calltree", "profile", "iterations")
    # MPICH's processes wait at full speed: where there are more than cores, they make each other late.
    for fault, (wait, rank, call, mark) in enumerate(NAMED if library.name == "libcollscope-pmpi.so" else ()):
        at = place(FAULTS, mark, "faults")
        late = statistics.median(float(seconds) for who, what, seconds in took if int(who) == rank and int(what) == fault)
        rows = [row for row in found["causes"] if row["wait"] == wait and row["origin"] == rank and row["path"].startswith("before ") and f"{call} (" in row["path"] and at in row["path"]]
        if len(rows) != 1 or rows[0]["delays"] < 4 or abs(rows[0]["typical_s"] - late) > 0.15 * late:
            wrong[fault] = (f"{mpicc}: {wait} of rank {rank} at {at}, {late} s late: "
                            f"{rows or [row for row in found['causes'] if row['wait'] == wait]}")
    for column, table in (("path", "calltree"), ("region", "profile")):
        for call, mark in (("MPI_Init", "MPI_Init"), ("MPI_Irecv", "left, 1,"), ("MPI_Isend", "to the right"), ("MPI_Waitall", "MPI_Waitall"),
                           ("MPI_Allreduce", "MPI_Allreduce"), ("MPI_Barrier", "of the meeting"), ("MPI_Finalize", "MPI_Finalize")):
            at = place(FAULTS, mark, "faults")
            rows = [row for row in found[table] if row[column].split("/")[-1].startswith(f"{call} (") and at in row[column]]
            check(len(rows) == 1 and rows[0]["visits"] in (4, 20), f"{mpicc}: {table} of {call} at {at}: {rows}")
    if len(found["iterations"]) != 5:
        wrong["iterations"] = f"{mpicc}: {found['iterations']}"

    # Without the faults nothing of their size is named.
    if library.name == "libcollscope-pmpi.so":
        folder = folder.with_name("sound")
        subprocess.run(command(mpirun, library, 4, folder, binary, "0"), capture_output=True, timeout=120, env=surroundings, cwd=scratch)
        for row in tables(folder, "causes")["causes"]:
            if row["delays"] >= 4 and row["typical_s"] > LATE / 4:
                wrong[row["wait"], row["origin"], row["path"]] = f"{mpicc}: a cause where no rank was late: {row}"
    return wrong


# Other programs on the machine delay ranks, too: only a finding that is wrong in every run counts.
ATTEMPTS = 5
for mpicc, mpirun, library in mpis:
    binary = compiled(mpicc, "faults", FAULTS)
    wrong = faults(mpicc, mpirun, library, binary)
    for attempt in range(1, ATTEMPTS):
        if wrong:
            again = faults(mpicc, mpirun, library, binary)
            wrong = {about: again[about] for about in wrong if about in again}
    for words in wrong.values():
        check(False, words)

HANGS = r"""
#include <mpi.h>
#include <string.h>
#include <unistd.h>
int main(int argc, char** argv) {
    static int data[1 << 20], part[1 << 18], sum[16];
    int rank;
    MPI_Comm pairs;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Barrier(MPI_COMM_WORLD);  // all
    MPI_Comm_split(MPI_COMM_WORLD, rank / 2, rank, &pairs);
    MPI_Comm_set_name(pairs, "pairs");
    const int odd = rank == 2;
    if (strcmp(argv[1], "missing") == 0 && odd) for (;;) sleep(1);
    if (strcmp(argv[1], "receive") == 0 && odd) MPI_Recv(data, 9, MPI_INT, 1, 77, pairs, MPI_STATUS_IGNORE);
    if (strcmp(argv[1], "requests") == 0 && odd) {
        MPI_Request all[4];
        MPI_Isend(data, 1, MPI_INT, 1, 5, pairs, &all[0]);
        MPI_Irecv(part, 1, MPI_INT, 0, 5, pairs, &all[1]);
        MPI_Isend(sum, 1, MPI_INT, 0, 5, pairs, &all[2]);
        MPI_Irecv(data, 9, MPI_INT, 1, 78, pairs, &all[3]);
        MPI_Waitall(4, all, MPI_STATUSES_IGNORE);
    }
    if (strcmp(argv[1], "operations") == 0)
        MPI_Reduce(data, sum, 16, MPI_INT, odd ? MPI_MAX : MPI_SUM, 3, MPI_COMM_WORLD);
    if (strcmp(argv[1], "operations") == 0 && odd) for (;;) sleep(1);
    if (strcmp(argv[1], "roots") == 0)
        MPI_Scatter(data, 1 << 18, MPI_INT, part, 1 << 18, MPI_INT, odd ? 3 : 0, MPI_COMM_WORLD);
    MPI_Bcast(data, 1 << 20, MPI_INT, 0, MPI_COMM_WORLD);  // large
    MPI_Barrier(MPI_COMM_WORLD);
    return MPI_Finalize();
}
"""


def rolled(records):
    done = subprocess.run([program, "rollcall", str(records), "--format", "json"], capture_output=True, text=True, timeout=60)
    return json.loads(done.stdout) if done.returncode == 0 else {"communicators": [], "elsewhere": []}


def stands(mpirun, library, binary, how, is_there):
    """The roll-call of a program that hangs once `is_there` holds of it, and again when it is killed."""
    folder = scratch / f"{how}-{mpirun}"
    records = pathlib.Path(f"{folder}.records")
    hanging = subprocess.Popen(command(mpirun, library, 4, folder, binary, how), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                               env=surroundings, cwd=scratch)
    until = time.time() + 30
    while not is_there(roll := rolled(records)) and time.time() < until and hanging.poll() is None:
        time.sleep(0.1)
    time.sleep(0.3)
    roll = rolled(records)
    words = asked("rollcall", str(records))
    hanging.terminate()
    hanging.wait(30)
    check(rolled(records) == roll, f"{how}: another roll-call after the end")
    return roll, words


def group_of(roll, communicator, ranks):
    for one in roll["communicators"]:
        for group in one["groups"]:
            if one["name"] == communicator and group["ranks"] == ranks:
                return group
    return None


def says(group, **expected):
    return group is not None and all(group[key] == value for key, value in expected.items())


for mpicc, mpirun, library in mpis:
    binary = compiled(mpicc, "hangs", HANGS)
    world = "MPI_COMM_WORLD"
    large = place(HANGS, "// large", "hangs").rstrip(")")

    roll, words = stands(mpirun, library, binary, "missing", lambda roll: group_of(roll, world, [2]))
    check([one["name"] for one in roll["communicators"]] == [world] and not roll["elsewhere"], f"missing: {roll}")
    check(says(group_of(roll, world, [2]), missing=True, within=False, call="MPI_Comm_split", sequence=2), f"missing: {roll}")
    rest = [group for group in roll["communicators"][0]["groups"] if not group["missing"]]
    check(sorted(sum((group["ranks"] for group in rest), [])) == [0, 1, 3] and
          says(rest[0], within=True, call="MPI_Bcast", sequence=3, root=0, count=1 << 20) and large in rest[0]["place"], f"missing: {roll}")
    check(words.splitlines()[3].split()[:3] == ["missing", "rank", "2"] and f"in MPI_Bcast, call 3, root 0, count 1048576, at main, {large}" in " ".join(words.split()),
          f"missing: {words}")

    roll, words = stands(mpirun, library, binary, "roots", lambda roll: says(group_of(roll, world, [2]), root=3))
    check(says(group_of(roll, world, [2]), missing=False, call="MPI_Scatter", sequence=3, root=3, count=1 << 18), f"roots: {roll}")
    check("root 3" in words and "root 0" in words and "root 0" in words, f"roots: {words}")

    roll, words = stands(mpirun, library, binary, "receive", lambda roll: says(group_of(roll, world, [2]), call="MPI_Recv"))
    check(says(group_of(roll, world, [2]), missing=True, within=True, call="MPI_Recv", communicator="pairs", peer=1, tag=77, sequence=None), f"receive: {roll}")
    check("in MPI_Recv of pairs, peer 1, tag 77" in words, f"receive: {words}")

    roll, words = stands(mpirun, library, binary, "requests", lambda roll: says(group_of(roll, world, [2]), request=3))
    check(says(group_of(roll, world, [2]), missing=True, within=True, call="MPI_Waitall", communicator="pairs", peer=1, tag=78, count=4, request=3,
               awaits="receive"), f"requests: {roll}")
    check("in MPI_Waitall, request 4 of 4: receive of pairs, peer 1, tag 78, at main" in " ".join(words.split()), f"requests: {words}")

    roll, words = stands(mpirun, library, binary, "operations", lambda roll: says(group_of(roll, world, [2]), call="MPI_Reduce"))
    check(says(group_of(roll, world, [2]), missing=True, call="MPI_Reduce", root=3, operation="max", count=16), f"operations: {roll}")

for words in (["rollcall", str(scratch)], ["rollcall", str(scratch / "nothing")], ["rollcall"]):
    done = subprocess.run([program, *words], capture_output=True, text=True)
    check(done.returncode == 2 and done.stdout == "" and done.stderr.count("\n") == 1, f"{words}: {done.returncode} {done.stderr}")
damaged = scratch / "damaged.records"
damaged.mkdir()
(damaged / "process-0.now").write_bytes(b"no roll-call of ours" * 1000)
done = subprocess.run([program, "rollcall", str(damaged)], capture_output=True, text=True)
check(done.returncode == 2 and "damaged.records" in done.stderr and done.stderr.count("\n") == 1, f"damaged: {done.returncode} {done.stderr}")

shutil.rmtree(scratch)
finish()
