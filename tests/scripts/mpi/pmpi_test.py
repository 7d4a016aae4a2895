# SPDX-License-Identifier: BSD-3-Clause
"""Programs of anyone under libcollscope-pmpi.so: recorded, replaced, killed.

Usage: pmpi_test.py SOURCE_DIR PROGRAM
"""
import json
import os
import pathlib
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import time

from mpi_programs import check, finish

program = os.path.abspath(sys.argv[2])
library = pathlib.Path(program).with_name("libcollscope-pmpi.so")
python = next((p for p in ("/usr/bin/python3", sys.executable)
               if subprocess.run([p, "-c", "import mpi4py"], capture_output=True).returncode == 0), None)
if not library.exists() or not shutil.which("mpirun") or python is None:
    print("skipped: this build has no MPI, or no Python here has mpi4py (Debian: python3-mpi4py)")
    sys.exit(77)
if b"__asan_init" in library.read_bytes() or b"__tsan_init" in library.read_bytes():
    print("skipped: a library under a sanitizer cannot be loaded before a program that is not")
    sys.exit(77)

scratch = pathlib.Path(tempfile.mkdtemp())

SCRIPT = """
import sys
from array import array
from mpi4py import MPI
world = MPI.COMM_WORLD
n, rank = world.size, world.rank

def numbers(count, who):
    return array("i", [who * 1000 + i for i in range(count)])

for count in (1, 100, 20000):
    data = numbers(count, rank)
    world.Bcast(data, root=n - 1)
    assert data == numbers(count, n - 1)
    all = array("i", [0] * count * n)
    world.Allgather(numbers(count, rank), all)
    assert all == array("i", [x for r in range(n) for x in numbers(count, r)])
    sums = array("i", [0] * count)
    world.Allreduce(numbers(count, rank), sums)
    assert sums == array("i", [n * (n - 1) // 2 * 1000 + n * i for i in range(count)])
    world.Barrier()
    mine = numbers(count, rank)
    got = array("i", [0] * count)
    world.Reduce(mine, got, root=n - 1)
    assert rank != n - 1 or got == sums
    world.Scan(mine, got)
    assert got == array("i", [sum(r * 1000 + i for r in range(rank + 1)) for i in range(count)])
    world.Exscan(mine, got)
    assert rank == 0 or got == array("i", [sum(r * 1000 + i for r in range(rank)) for i in range(count)])
    whole = array("i", [0] * count * n)
    world.Gather(mine, whole if rank == 0 else None, root=0)
    assert rank != 0 or whole == all
    world.Scatter(all if rank == 0 else None, got, root=0)
    assert got == mine
    world.Alltoall(array("i", [x for r in range(n) for x in numbers(count, rank * n + r)]), whole)
    assert whole == array("i", [x for r in range(n) for x in numbers(count, r * n + rank)])
    world.Reduce_scatter_block(all, got)
    assert got == array("i", [n * x for x in mine])
    # One that does not block, with messages of the program's own before it is waited for: nobody has to wait in a call.
    later = array("i", [0] * count)
    request = world.Iallreduce(mine, later)
    around = world.sendrecv(rank, dest=(rank + 1) % n, source=(rank - 1) % n)
    other = world.Ialltoall(array("i", [x for r in range(n) for x in numbers(count, rank * n + r)]), got_all := array("i", [0] * count * n))
    request.Wait()
    other.Wait()
    assert around == (rank - 1) % n and later == sums and got_all == whole
assert world.bcast({"rank": 7}, root=0) == {"rank": 7}
assert world.allgather(str(rank)) == [str(r) for r in range(n)]
assert world.allreduce(rank) == n * (n - 1) // 2
half = world.Split(rank % 2, rank)
half.Set_name("half")
assert half.allreduce(1, MPI.SUM) == half.size
if n > 1:
    p = n // 2
    own = world.Split(0 if rank < p else 1, rank)
    between = own.Create_intercomm(0, world, p if rank < p else 0)
    sources = range(p, n) if rank < p else range(p)
    got = array("i", [0] * 50 * len(sources))
    between.Allgather(numbers(50, rank), got)
    assert got == array("i", [x for r in sources for x in numbers(50, r)])
    if "late" in sys.argv and rank == 1:
        import time
        time.sleep(0.2)
    world.Barrier()
    if "die" in sys.argv:
        import os, signal
        if rank == 1:
            os.kill(os.getpid(), signal.SIGKILL)
        world.Barrier()
    between.Free()
if rank == 0:
    print("all right")
"""
script = scratch / "program.py"
script.write_text(SCRIPT)

RULES = """
bcast      intra 2.. *       bcast/binomial-tree
allgather  intra *   1KiB..  allgatherv/bruck
allgather  inter *   *       intergroup-allgatherv/segmented
allreduce  intra *   *       allreduce/bruck
reduce     intra *   *       reduce/binomial-tree
scan       intra *   *       scan/recursive-doubling
exscan     intra *   *       scan/linear
gather     intra *   *       gatherv/binomial-tree
scatter    intra *   *       scatterv/flat
alltoall   intra *   *       alltoallv/bruck
reduce_scatter_block intra * * reduce-scatter/ring
iallreduce intra *   *       allreduce/ring
ialltoall  intra *   *       alltoallv/ring
barrier    *     5..9 *      native
barrier    intra *   *       barrier/dissemination
"""
(scratch / "rules").write_text(RULES)


def mpirun(ranks, *words, preload=True, limits=None, **environment):
    """Runs under the library; `environment` for the processes."""
    command = ["mpirun", "-n", str(ranks)]
    env = dict(os.environ, TMPDIR=str(scratch), OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1",
               OMPI_MCA_rmaps_base_oversubscribe="1", OMPI_MCA_mpi_yield_when_idle="1",
               OMPI_MCA_hwloc_base_binding_policy="none", OMPI_MCA_btl_base_warn_component_unused="0")
    if preload:
        command += ["-x", f"LD_PRELOAD={library}"]
    for name, value in environment.items():
        command += ["-x", f"{name}={value}"]
    return subprocess.run([*command, *words], capture_output=True, text=True, timeout=120, env=env, cwd=scratch,
                          preexec_fn=limits)


def fortran(mpi, binary, folder):
    """Runs a program of three ranks under the recorder of its MPI."""
    if mpi == "openmpi":
        return mpirun(3, str(binary), COLLSCOPE_TRACE=str(folder))
    return subprocess.run(["mpirun.mpich", "-n", "3", "env", f"LD_PRELOAD={library.with_name('libcollscope-pmpi-mpich.so')}",
                           f"COLLSCOPE_TRACE={folder}", str(binary)], capture_output=True, text=True, timeout=120)


mpis = [(mpicc, started, stands) for mpicc, started, stands in
        (("mpicc.openmpi", None, library), ("mpicc.mpich", "mpirun.mpich", library.with_name("libcollscope-pmpi-mpich.so")))
        if shutil.which(mpicc) and stands.exists() and shutil.which("otf2-print")]
print("programs in C are compiled with", " and ".join(mpicc for mpicc, *_ in mpis) or "nothing: there is no mpicc, or no otf2-print")


def launched(started, stands, ranks, *words, **environment):
    """A program of one of `mpis`, under its library unless `stands` is None."""
    if started is None:
        return mpirun(ranks, *words, preload=stands is not None, **environment)
    under = [] if stands is None else [f"LD_PRELOAD={stands}"]
    return subprocess.run([started, "-n", str(ranks), "env", *under, *(f"{name}={value}" for name, value in environment.items()), *words],
                          capture_output=True, text=True, timeout=120, cwd=scratch)


def opened(folder, *words):
    done = subprocess.run([program, "open", str(folder), *words], capture_output=True, text=True, timeout=120)
    check(done.returncode == 0, f"open {folder}: {done.stderr}")
    return done.stdout


def instances(folder):
    return json.loads(opened(folder, "--tables", "collectives", "--format", "json"))["tables"]["collectives"]["rows"]


for ranks in (1, 2, 5):
    folder = scratch / f"recorded-{ranks}"
    done = mpirun(ranks, python, str(script), COLLSCOPE_TRACE=str(folder))
    check(done.returncode == 0 and done.stdout == "all right\n", f"record on {ranks}: {done.stdout} {done.stderr}")
    told = re.search(r"collscope: (\d+) calls of (\d+) process", done.stderr)
    check(told is not None and int(told[2]) == ranks, f"record on {ranks}: {done.stderr}")
    check(not (scratch / f"recorded-{ranks}.records").exists(), "records are left")
    rows = instances(folder)
    check(sum(row["ranks"] == ranks and row["operation"] == "allreduce" for row in rows) == 6, f"record on {ranks}: {rows}")
    check(ranks == 1 or any(row["groups"] for row in rows), f"record on {ranks}: no instance between groups")

    folder = scratch / f"replaced-{ranks}"
    done = mpirun(ranks, python, str(script), COLLSCOPE_TRACE=str(folder), COLLSCOPE_RULES=str(scratch / "rules"))
    check(done.returncode == 0 and done.stdout == "all right\n", f"replace on {ranks}: {done.stdout} {done.stderr}")
    told = re.search(r"(\d+) of them replaced", done.stderr)
    check(told is not None and (ranks == 1 or int(told[1]) > 10), f"replace on {ranks}: {done.stderr}")
    check("6 calls of process 0 replaced without blocking" in done.stderr, f"replace on {ranks}: {done.stderr}")
    if ranks == 5:
        printed = subprocess.run(["otf2-print", str(folder / "traces.otf2")], capture_output=True, text=True).stdout
        for word in ("bcast/binomial-tree", "allgatherv/bruck", "intergroup-allgatherv/segmented", "allreduce/bruck",
                     "reduce/binomial-tree", "scan/linear", "gatherv/binomial-tree", "alltoallv/bruck", "reduce-scatter/ring"):
            check(word in printed, f"{word} is not in the archive")
        check("barrier/dissemination" not in printed, "a rule for fewer ranks was followed")

# Fortran comes by the same way, as a module and by its old header.
FORTRAN = """
program calls
  USED
  implicit none
  INCLUDE
  integer :: rank, n, code, i, given
  REQUEST :: request
  COMM :: copy, ring
  integer :: own(1000), got(1000), sums(1000)
  integer, allocatable :: all(:), turned(:), counts(:), places(:)
  call MPI_Init_thread(MPI_THREAD_MULTIPLE, given, code)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, code)
  call MPI_Comm_size(MPI_COMM_WORLD, n, code)
  allocate(all(1000 * n), turned(1000 * n), counts(n), places(n))
  own = [(rank * 1000 + i, i = 1, 1000)]
  sums = [(n * (n - 1) / 2 * 1000 + n * i, i = 1, 1000)]
  counts = 1000
  places = [((i - 1) * 1000, i = 1, n)]
  got = own
  call MPI_Allreduce(MPI_IN_PLACE, got, 1000, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, code)
  if (any(got /= sums)) error stop 1
  call MPI_Gatherv(own, 1000, MPI_INTEGER, all, counts, places, MPI_INTEGER, 0, MPI_COMM_WORLD, code)
  if (rank == 0 .and. all(1000 * n) /= n * 1000) error stop 2
  call MPI_Scatter(all, 1000, MPI_INTEGER, got, 1000, MPI_INTEGER, 0, MPI_COMM_WORLD, code)
  if (any(got /= own)) error stop 3
  all = [(rank, i = 1, 1000 * n)]
  call MPI_Alltoall(all, 1000, MPI_INTEGER, turned, 1000, MPI_INTEGER, MPI_COMM_WORLD, code)
  if (any(turned /= [((i - 1) / 1000, i = 1, 1000 * n)])) error stop 4
  call MPI_Ireduce(own, got, 1000, MPI_INTEGER, MPI_SUM, 0, MPI_COMM_WORLD, request, code)
  call MPI_Wait(request, MPI_STATUS_IGNORE, code)
  if (rank == 0 .and. any(got /= sums)) error stop 5
  call MPI_Comm_dup(MPI_COMM_WORLD, copy, code)
  call MPI_Cart_create(copy, 1, [n], [.true.], .false., ring, code)
  call MPI_Ireduce(own, got, 1000, MPI_INTEGER, MPI_SUM, 0, ring, request, code)
  call MPI_Wait(request, MPI_STATUS_IGNORE, code)
  if (rank == 0 .and. any(got /= sums)) error stop 6
  call MPI_Comm_free(ring, code)
  call MPI_Comm_free(copy, code)
  call MPI_Barrier(MPI_COMM_WORLD, code)
  if (rank == 0) print '(a)', 'all right'
  call MPI_Finalize(code)
end program
"""
(scratch / "fortran-rules").write_text(RULES + "gatherv intra * * gatherv/flat\nireduce intra * * reduce/chain\n")
for use, include, handle in (("use mpi", "", "integer"), ("", "include 'mpif.h'", "integer"), ("use mpi_f08", "", "type(MPI_{})")):
    if shutil.which("mpif90.openmpi") is None:
        print("left out: Fortran, for which there is no mpif90.openmpi here (Debian: gfortran, libopenmpi-dev)")
        break
    source = scratch / "calls.f90"
    source.write_text(FORTRAN.replace("USED", use).replace("INCLUDE", include).replace("REQUEST ::", handle.format("Request") + " ::").replace("COMM ::", handle.format("Comm") + " ::"))
    made = subprocess.run(["mpif90.openmpi", "-o", str(scratch / "calls"), str(source)], capture_output=True, text=True)
    if made.returncode != 0 and "Cannot open module file" in made.stderr:
        print(f"left out: {use}, which this gfortran does not know")
        continue
    check(made.returncode == 0, f"Fortran: {made.stderr}")
    for ranks in (1, 3):
        done = mpirun(ranks, str(scratch / "calls"), COLLSCOPE_TRACE="", COLLSCOPE_RULES=str(scratch / "fortran-rules"))
        check(done.returncode == 0 and done.stdout.strip() == "all right", f"{use or include} on {ranks}: {done.stdout} {done.stderr}")
        check("2 calls of process 0 replaced without blocking" in done.stderr, f"{use or include} on {ranks}: {done.stderr}")

# Of a program whose calls are known, all of them are in the archive: messages with both ends, requests with their ends,
# communicators by their names, and where it calls.
KNOWN = r"""
#include <mpi.h>
#include <stdlib.h>
int main(int argc, char** argv) {
    int rank, n, i, flag = 0, index, at[2];
    static int data[4096], other[4096];
    MPI_Request two[2], later, kept;
    MPI_Comm half;
    MPI_Win window;
    MPI_Status status;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &n);
    const int next = (rank + 1) % n, last = (rank + n - 1) % n;
    MPI_Isend(data, 1000, MPI_INT, next, 7, MPI_COMM_WORLD, &two[0]);
    MPI_Irecv(other, 4096, MPI_INT, MPI_ANY_SOURCE, 7, MPI_COMM_WORLD, &two[1]);
    MPI_Waitall(2, two, MPI_STATUSES_IGNORE);
    MPI_Sendrecv(data, 10, MPI_INT, next, 8, other, 10, MPI_INT, last, 8, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank == 0) MPI_Send(data, 3, MPI_DOUBLE, 1, 9, MPI_COMM_WORLD);
    if (rank == 1) MPI_Probe(0, 9, MPI_COMM_WORLD, &status), MPI_Recv(other, 3, MPI_DOUBLE, 0, 9, MPI_COMM_WORLD, &status);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
    MPI_Comm_set_name(half, "half of it");
    MPI_Iallreduce(data, other, 5, MPI_INT, MPI_SUM, half, &later);
    while (!flag) MPI_Test(&later, &flag, MPI_STATUS_IGNORE);
    MPI_Send_init(data, 6, MPI_INT, next, 10, MPI_COMM_WORLD, &kept);
    for (i = 0; i < 3; ++i) {
        MPI_Irecv(other, 6, MPI_INT, last, 10, MPI_COMM_WORLD, &two[0]);
        MPI_Start(&kept);
        two[1] = kept;
        MPI_Waitany(2, two, &index, MPI_STATUS_IGNORE);
        MPI_Waitsome(2, two, &flag, at, MPI_STATUSES_IGNORE);
    }
    MPI_Request_free(&kept);
    MPI_Win_create(data, sizeof data, sizeof *data, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    MPI_Win_fence(0, window);
    MPI_Put(other, 4, MPI_INT, next, 0, 4, MPI_INT, window);
    MPI_Win_fence(0, window);
    MPI_Win_free(&window);
    MPI_Irecv(other, 6, MPI_INT, last, 99, MPI_COMM_WORLD, &later);
    MPI_Cancel(&later);
    MPI_Wait(&later, &status);
    MPI_Allreduce(data, other, 8, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Bcast(data, 100, MPI_INT, n - 1, half == MPI_COMM_NULL ? half : MPI_COMM_WORLD);
    MPI_Comm_free(&half);
    return MPI_Finalize();
}
"""
(scratch / "known.c").write_text(KNOWN)
for mpicc, started, stands in mpis:
    made = subprocess.run([mpicc, "-g", "-o", str(scratch / "known"), str(scratch / "known.c")], capture_output=True, text=True)
    check(made.returncode == 0, f"known calls: {made.stderr}")
    folder = scratch / f"known-{mpicc}"
    done = launched(started, stands, 3, str(scratch / "known"), COLLSCOPE_TRACE=str(folder))
    check(done.returncode == 0 and "no archive" not in done.stderr, f"known calls of {mpicc}: {done.stderr}")
    printed = subprocess.run(["otf2-print", str(folder / "traces.otf2")], capture_output=True, text=True).stdout
    for rank in range(3):
        own = [line for line in printed.splitlines() if re.match(rf"[A-Z_]+ +{rank} ", line)]
        entered = re.findall(r'^ENTER .*Region: "MPI_(\w+)"', "\n".join(own), re.M)
        expected = (["Init", "Isend", "Irecv", "Waitall", "Sendrecv"] + [["Send"], ["Probe", "Recv"], []][rank] +
                    ["Comm_split", "Iallreduce", "Test", "Send_init"] + 3 * ["Irecv", "Start", "Waitany", "Waitsome"] +
                    ["Request_free", "Win_create", "Win_fence", "Put", "Win_fence", "Win_free", "Irecv", "Cancel", "Wait",
                     "Allreduce", "Bcast", "Comm_free", "Finalize"])
        check(entered == expected, f"known calls of {mpicc}, rank {rank}: {entered}")
        # Requests of the library's own messages are counted from 2^32.
        records = [line.split()[0] for line in own if not re.search(r"Request: \d{10}", line)]
        for record, times in (("MPI_ISEND", 4), ("MPI_ISEND_COMPLETE", 4), ("MPI_IRECV_REQUEST", 5), ("MPI_IRECV", 4),
                              ("MPI_SEND", 1 + (rank == 0)), ("MPI_RECV", 1 + (rank == 1)), ("MPI_REQUEST_CANCELLED", 1),
                              ("NON_BLOCKING_COLLECTIVE_REQUEST", 1), ("NON_BLOCKING_COLLECTIVE_COMPLETE", 1),
                              ("MPI_COLLECTIVE_END", 6),  # two that move data; a communicator and a window are made and freed
                              ("RMA_COLLECTIVE_END", 2)):
            check(records.count(record) == times, f"known calls of {mpicc}, rank {rank}: {record} {records.count(record)} times")
        check(any(line.startswith("MPI_IRECV ") and f"Sender: {(rank + 2) % 3} " in line and "Tag: 7, Length: 4000" in line
                  for line in own), f"known calls of {mpicc}, rank {rank}: its message of 4000 bytes")
        check(any('"half of it"' in line and "Sent: 20" in line for line in own), f"known calls of {mpicc}: no name of its half")
    sites = subprocess.run(["otf2-print", "-G", str(folder / "traces.otf2")], capture_output=True, text=True).stdout
    for call in ("MPI_Iallreduce", "MPI_Win_fence"):
        lines = [f"known.c:{i}" for i, line in enumerate(KNOWN.splitlines(), 1) if call in line] if shutil.which("addr2line") else ["known"]
        for line in lines:
            check(re.search(rf'REGION .*"{call}".*Descr\.?: "called at main.*{line}"', sites), f"known calls of {mpicc}: no {call} at {line}")
    opened(folder)
    seen = json.loads(opened(folder, "--tables", "collectives", "--format", "json"))["tables"]["collectives"]["rows"]
    check(sorted(row["operation"] for row in seen if row["operation"] != "messages") == ["allreduce", "allreduce", "allreduce", "bcast", "fence", "fence"], f"known calls: {seen}")

# The same of Fortran, whose places begin with 1 and whose statuses and requests are numbers.
MESSAGES = """
program messages
  USED
  implicit none
  INCLUDE
  integer :: rank, n, code, next, last, place, many, places(2), i
  logical :: flag
  REQUEST
  STATUS
  integer :: data(4096), other(4096)
  call MPI_Init(code)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, code)
  call MPI_Comm_size(MPI_COMM_WORLD, n, code)
  next = mod(rank + 1, n)
  last = mod(rank + n - 1, n)
  data = rank
  call MPI_Isend(data, 1000, MPI_INTEGER, next, 7, MPI_COMM_WORLD, two(1), code)
  call MPI_Irecv(other, 4096, MPI_INTEGER, MPI_ANY_SOURCE, 7, MPI_COMM_WORLD, two(2), code)
  call MPI_Waitall(2, two, statuses, code)
  if (SOURCE_OF_SECOND /= last .or. any(other(1:1000) /= last)) error stop 1
  call MPI_Sendrecv(data, 10, MPI_INTEGER, next, 8, other, 10, MPI_INTEGER, last, 8, MPI_COMM_WORLD, MPI_STATUS_IGNORE, code)
  if (rank == 0) call MPI_Send(data, 3, MPI_INTEGER, 1, 9, MPI_COMM_WORLD, code)
  if (rank == 1) then
    call MPI_Probe(MPI_ANY_SOURCE, 9, MPI_COMM_WORLD, status, code)
    if (SOURCE_OF_ONE /= 0) error stop 2
    call MPI_Recv(other, 3, MPI_INTEGER, 0, 9, MPI_COMM_WORLD, status, code)
  end if
  call MPI_Send_init(data, 6, MPI_INTEGER, next, 10, MPI_COMM_WORLD, kept, code)
  do i = 1, 3
    call MPI_Irecv(other, 6, MPI_INTEGER, last, 10, MPI_COMM_WORLD, two(1), code)
    call MPI_Start(kept, code)
    two(2) = kept
    call MPI_Waitany(2, two, place, status, code)
    call MPI_Waitsome(2, two, many, places, MPI_STATUSES_IGNORE, code)
    if (place < 1 .or. place > 2 .or. many /= 1 .or. places(1) /= 3 - place) error stop 3
  end do
  call MPI_Request_free(kept, code)
  call MPI_Irecv(other, 6, MPI_INTEGER, last, 11, MPI_COMM_WORLD, two(1), code)
  call MPI_Isend(data, 6, MPI_INTEGER, next, 11, MPI_COMM_WORLD, two(2), code)
  flag = .false.
  do while (.not. flag)
    call MPI_Testall(2, two, flag, MPI_STATUSES_IGNORE, code)
  end do
  call MPI_Irecv(other, 2, MPI_INTEGER, MPI_ANY_SOURCE, 12, MPI_COMM_WORLD, later, code)
  call MPI_Send(data, 2, MPI_INTEGER, next, 12, MPI_COMM_WORLD, code)
  flag = .false.
  do while (.not. flag)
    call MPI_Test(later, flag, status, code)
  end do
  if (SOURCE_OF_ONE /= last) error stop 4
  call MPI_Sendrecv_replace(data, 5, MPI_INTEGER, next, 13, last, 13, MPI_COMM_WORLD, status, code)
  if (data(5) /= last .or. data(6) /= rank) error stop 5
  call MPI_Send(data, 1, MPI_INTEGER, next, 14, MPI_COMM_WORLD, code)
  flag = .false.
  do while (.not. flag)
    call MPI_Iprobe(last, 14, MPI_COMM_WORLD, flag, status, code)
  end do
  call MPI_Recv(data, 1, MPI_INTEGER, last, 14, MPI_COMM_WORLD, MPI_STATUS_IGNORE, code)
  if (rank == 0) print '(a)', 'all right'
  call MPI_Finalize(code)
end program
"""
NUMBERS = {"REQUEST": "integer :: two(2), kept, later", "STATUS": "integer :: status(MPI_STATUS_SIZE), statuses(MPI_STATUS_SIZE, 2)",
           "SOURCE_OF_SECOND": "statuses(MPI_SOURCE, 2)", "SOURCE_OF_ONE": "status(MPI_SOURCE)"}
TYPES = {"REQUEST": "type(MPI_Request) :: two(2), kept, later", "STATUS": "type(MPI_Status) :: status, statuses(2)",
         "SOURCE_OF_SECOND": "statuses(2)%MPI_SOURCE", "SOURCE_OF_ONE": "status%MPI_SOURCE"}
FORMS = (("use mpi", "", NUMBERS), ("", "include 'mpif.h'", NUMBERS), ("use mpi_f08", "", TYPES))
for mpi, use, include, words in [(mpi, *form) for mpi in ("openmpi", "mpich") for form in FORMS]:
    if mpi == "mpich" and not library.with_name("libcollscope-pmpi-mpich.so").exists():
        continue
    if shutil.which(f"mpif90.{mpi}") is None or shutil.which("otf2-print") is None:
        print(f"left out: messages of Fortran, for which there is no mpif90.{mpi} or otf2-print here (Debian: gfortran, lib{mpi}-dev, otf2-tools)")
        continue
    text = MESSAGES.replace("USED", use).replace("INCLUDE", include)
    for word, meaning in words.items():
        text = re.sub(rf"\b{word}\b", meaning, text)
    source = scratch / "messages.f90"
    source.write_text(text)
    made = subprocess.run([f"mpif90.{mpi}", "-g", "-o", str(scratch / "messages"), str(source)], capture_output=True, text=True)
    if made.returncode != 0 and "Cannot open module file" in made.stderr:
        print(f"left out: {use}, which this gfortran does not know")
        continue
    check(made.returncode == 0, f"messages of Fortran: {made.stderr}")
    folder = scratch / (f"messages-{mpi}-" + (use or "header").replace(" ", "-"))
    done = fortran(mpi, scratch / "messages", folder)
    check(done.returncode == 0 and done.stdout.strip() == "all right", f"{mpi}: messages with {use or include}: {done.stdout} {done.stderr}")
    printed = subprocess.run(["otf2-print", str(folder / "traces.otf2")], capture_output=True, text=True).stdout
    for rank in range(3):
        own = [line for line in printed.splitlines() if re.match(rf"[A-Z_]+ +{rank} ", line)]
        entered = re.findall(r'^ENTER .*Region: "MPI_(\w+)"', "\n".join(own), re.M)
        expected = (["Init", "Isend", "Irecv", "Waitall", "Sendrecv"] + [["Send"], ["Probe", "Recv"], []][rank] + ["Send_init"] +
                    3 * ["Irecv", "Start", "Waitany", "Waitsome"] +
                    ["Request_free", "Irecv", "Isend", "Testall", "Irecv", "Send", "Test", "Sendrecv_replace", "Send", "Iprobe", "Recv",
                     "Finalize"])
        check(entered == expected, f"{mpi}: messages with {use or include}, rank {rank}: {entered}")
        # Requests of the library's own messages are counted from 2^32.
        records = [line.split()[0] for line in own if not re.search(r"Request: \d{10}", line)]
        for record, times in (("MPI_ISEND", 5), ("MPI_ISEND_COMPLETE", 5), ("MPI_IRECV_REQUEST", 6), ("MPI_IRECV", 6),
                              ("MPI_SEND", 4 + (rank == 0)), ("MPI_RECV", 3 + (rank == 1))):
            check(records.count(record) == times, f"{mpi}: messages with {use or include}, rank {rank}: {record} {records.count(record)} times")
        check(any(line.startswith("MPI_IRECV ") and f"Sender: {(rank + 2) % 3} " in line and "Tag: 7, Length: 4000" in line
                  for line in own), f"{mpi}: messages with {use or include}, rank {rank}: its message of 4000 bytes")
    if shutil.which("addr2line"):
        at = [i for i, line in enumerate(text.splitlines(), 1) if "MPI_Waitall" in line][0]
        sites = subprocess.run(["otf2-print", "-G", str(folder / "traces.otf2")], capture_output=True, text=True).stdout
        check(re.search(rf'REGION .*"MPI_Waitall".*messages.f90:{at}"', sites), f"{mpi}: messages with {use or include}: no MPI_Waitall at {at}")
    opened(folder)

# A record that cannot be made, or is taken away: the program runs on without one, and says so once.
STEADY = r"""
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
int main(int argc, char** argv) {
    int rank, i, got = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (i = 0; i < 20; i++) {
        if (i == 5 && rank == 0 && argc > 1 && system(argv[1]) != 0) return 1;
        MPI_Bcast(&got, 1, MPI_INT, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    if (rank == 0) puts("all right");
    return 0;
}
"""
(scratch / "steady.c").write_text(STEADY)
for mpicc, started, stands in mpis:
    subprocess.run([mpicc, "-w", "-o", str(scratch / "steady"), str(scratch / "steady.c")], check=True)
    for name, folder, command, words in (
            ("no folder", "/proc/none/trace", None, "cannot be made"),
            ("records without room", f"taken-{mpicc}", f"for f in taken-{mpicc}.records/process-*; do : > $f; done", "was damaged while the program ran"),
            ("a record that is gone", f"gone-{mpicc}", f"rm -r gone-{mpicc}.records", None)):
        launcher = ["mpirun", "-x", f"LD_PRELOAD={stands}", "-x", f"COLLSCOPE_TRACE={folder}"] if started is None else \
            [started, "-genv", "LD_PRELOAD", stands, "-genv", "COLLSCOPE_TRACE", folder]
        done = subprocess.run([*launcher, "-n", "2", scratch / "steady", *[command] * (command is not None)], capture_output=True,
                              text=True, cwd=scratch, timeout=120,
                              env=dict(os.environ, TMPDIR=str(scratch), OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1",
                                       OMPI_MCA_rmaps_base_oversubscribe="1", OMPI_MCA_mpi_yield_when_idle="1",
                                       OMPI_MCA_hwloc_base_binding_policy="none", OMPI_MCA_btl_base_warn_component_unused="0"))
        ours = [line for line in done.stderr.splitlines() if line.startswith("collscope: ")]
        check(done.returncode == 0 and done.stdout == "all right\n", f"{name}, {mpicc}: {done.returncode} {done.stdout} {done.stderr}")
        check(words is None or (len(ours) == 1 and words in ours[0]), f"{name}, {mpicc}: {ours}")

# Windows, files and communicators from Fortran: the same numbers, and every call in the record.
HANDLES = """
program handles
  USED
  implicit none
  INCLUDE
  integer :: rank, n, code, next
  integer(kind=MPI_ADDRESS_KIND) :: size
  integer(kind=MPI_OFFSET_KIND) :: place
  integer, asynchronous :: here(4), put(4), got(4)
  TYPE(Win) :: window
  TYPE(File) :: file
  TYPE(Comm) :: copy
  TYPE(Request) :: request
  call MPI_Init(code)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, code)
  call MPI_Comm_size(MPI_COMM_WORLD, n, code)
  next = mod(rank + 1, n)
  here = -1
  put = rank
  size = 16
  call MPI_Win_create(here, size, 4, MPI_INFO_NULL, MPI_COMM_WORLD, window, code)
  call MPI_Win_fence(0, window, code)
  call MPI_Put(put, 4, MPI_INTEGER, next, 0_MPI_ADDRESS_KIND, 4, MPI_INTEGER, window, code)
  call MPI_Win_fence(MPI_MODE_NOSUCCEED, window, code)
  if (any(here /= mod(rank + n - 1, n))) error stop 1
  call MPI_Win_lock(MPI_LOCK_SHARED, next, 0, window, code)
  call MPI_Get(got, 4, MPI_INTEGER, next, 0_MPI_ADDRESS_KIND, 4, MPI_INTEGER, window, code)
  call MPI_Win_unlock(next, window, code)
  if (any(got /= rank)) error stop 2
  call MPI_Win_fence(0, window, code)
  call MPI_Accumulate(put, 4, MPI_INTEGER, next, 0_MPI_ADDRESS_KIND, 4, MPI_INTEGER, MPI_SUM, window, code)
  call MPI_Win_fence(0, window, code)
  if (any(here /= 2 * mod(rank + n - 1, n))) error stop 3
  call MPI_Win_free(window, code)
  call MPI_File_open(MPI_COMM_WORLD, &
      ' FOLDER/handles.dat ', &
      MPI_MODE_CREATE + MPI_MODE_RDWR, &
      MPI_INFO_NULL, file, code)
  if (code /= 0) error stop 4
  place = 0
  call MPI_File_set_view(file, place, MPI_INTEGER, MPI_INTEGER, 'native', MPI_INFO_NULL, code)
  place = 4 * rank
  call MPI_File_write_at_all(file, place, put, 4, MPI_INTEGER, MPI_STATUS_IGNORE, code)
  call MPI_File_sync(file, code)
  got = -1
  call MPI_File_iread_at(file, place, got, 4, MPI_INTEGER, request, code)
  call MPI_Wait(request, MPI_STATUS_IGNORE, code)
  if (any(got /= rank)) error stop 5
  call MPI_File_close(file, code)
  if (file /= MPI_FILE_NULL) error stop 6
  call MPI_Comm_idup(MPI_COMM_WORLD, copy, request, code)
  call MPI_Wait(request, MPI_STATUS_IGNORE, code)
  call MPI_Barrier(copy, code)
  call MPI_Comm_free(copy, code)
  if (copy /= MPI_COMM_NULL) error stop 7
  if (rank == 0) print '(a)', 'all right'
  call MPI_Finalize(code)
end program
"""
for mpi, use, handle in [(mpi, *form) for mpi in ("openmpi", "mpich") for form in (("mpi", "integer"), ("mpi_f08", r"type(MPI_\1)"))]:
    if shutil.which(f"mpif90.{mpi}") is None or (mpi == "mpich" and not library.with_name("libcollscope-pmpi-mpich.so").exists()):
        continue
    source, binary, folder = scratch / "handles.f90", scratch / "handles", scratch / f"handles-{mpi}-{use}"
    source.write_text(re.sub(r"TYPE\((\w+)\)", handle, HANDLES.replace("USED", f"use {use}").replace("FOLDER", str(scratch)).replace("INCLUDE", "")))
    made = subprocess.run([f"mpif90.{mpi}", "-g", "-o", str(binary), str(source)], capture_output=True, text=True)
    if made.returncode != 0 and "Cannot open module file" in made.stderr:
        continue
    check(made.returncode == 0, f"{mpi}: handles of {use}: {made.stderr}")
    done = fortran(mpi, binary, folder)
    check(done.returncode == 0 and done.stdout.strip() == "all right", f"{mpi}: handles of {use}: {done.stdout} {done.stderr}")
    asked = subprocess.run([program, "open", str(folder), "--tables", "calls", "--format", "json"], capture_output=True, text=True)
    calls = {row["operation"]: row["calls"] for row in json.loads(asked.stdout)["tables"]["calls"]["rows"]} if asked.returncode == 0 else asked.stderr
    check(calls == {f"MPI_{name}": {"Win_fence": 12, "Wait": 6}.get(name, 3) for name in
                    ("Win_create", "Win_fence", "Put", "Win_lock", "Get", "Win_unlock", "Accumulate", "Win_free", "File_open",
                     "File_set_view", "File_write_at_all", "File_sync", "File_iread_at", "File_close", "Comm_idup", "Wait", "Barrier",
                     "Comm_free")},
          f"{mpi}: handles of {use}: {calls}")

# Partitioned messages of MPI 4, which Open MPI 4.1 does not have.
PARTITIONED = """
program partitioned
  USED
  implicit none
  integer :: data(12), rank, code, all(2) = [2, 3]
  TYPE(REQUEST) :: request
  call MPI_Init(code)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, code)
  data = rank
  if (rank == 0) call MPI_Psend_init(data, 4, 3_MPI_COUNT_KIND, MPI_INTEGER, 1, 5, MPI_COMM_WORLD, MPI_INFO_NULL, request, code)
  if (rank == 1) call MPI_Precv_init(data, 4, 3_MPI_COUNT_KIND, MPI_INTEGER, 0, 5, MPI_COMM_WORLD, MPI_INFO_NULL, request, code)
  if (rank < 2) then
    call MPI_Start(request, code)
    if (rank == 0) then
      call MPI_Pready(0, request, code)
      call MPI_Pready_range(1, 1, request, code)
      call MPI_Pready_list(2, all, request, code)
    end if
    call MPI_Wait(request, MPI_STATUS_IGNORE, code)
    if (any(data /= 0)) error stop 1
    call MPI_Request_free(request, code)
  end if
  if (rank == 0) print '(a)', 'all right'
  call MPI_Finalize(code)
end program
"""
for use, handle in (("mpi", "integer"), ("mpi_f08", r"type(MPI_\1)")):
    if shutil.which("mpif90.mpich") is None or not library.with_name("libcollscope-pmpi-mpich.so").exists():
        continue
    source, binary, folder = scratch / "parts.f90", scratch / "parts", scratch / f"parts-{use}"
    source.write_text(re.sub(r"TYPE\((\w+)\)", handle, PARTITIONED.replace("USED", f"use {use}")))
    made = subprocess.run(["mpif90.mpich", "-g", "-ffree-line-length-none", "-o", str(binary), str(source)], capture_output=True, text=True)
    if made.returncode != 0 and "Cannot open module file" in made.stderr:
        continue
    check(made.returncode == 0, f"partitioned messages of {use}: {made.stderr}")
    done = fortran("mpich", binary, folder)
    check(done.returncode == 0 and done.stdout.strip() == "all right", f"partitioned messages of {use}: {done.stdout} {done.stderr}")
    asked = subprocess.run([program, "open", str(folder), "--tables", "calls,calltree", "--format", "json"], capture_output=True, text=True)
    tables = json.loads(asked.stdout)["tables"]
    calls = {row["operation"]: row["calls"] for row in tables["calls"]["rows"]}
    check(all(calls.get(f"MPI_{name}") == 1 for name in ("Psend_init", "Precv_init", "Pready", "Pready_range", "Pready_list")),
          f"partitioned messages of {use}: {calls}")
    check(all("parts.f90" in row["path"] for row in tables["calltree"]["rows"] if "MPI_Pready" in row["path"]),
          f"partitioned messages of {use}: {[row['path'] for row in tables['calltree']['rows']]}")

# Mistakes of a recorded program are told once, and as the library alone tells them.
MISTAKES = r"""
#include <mpi.h>
#include <stdio.h>
static int told = 0, rank;
static void tell(MPI_Comm* comm, int* code, ...) { ++told; }
static void say(const char* what, int code) {
    int found = 0;
    MPI_Error_class(code, &found);
    if (rank == 0) printf("%s: %d, told %d times\n", what, found, told);
    told = 0;
}
#define TRY(call) say(#call, call)
int main(int argc, char** argv) {
    static int data[64];
    int flag, index, done;
    MPI_Errhandler handler;
    MPI_Comm gone, made;
    MPI_Request request = MPI_REQUEST_NULL, *const nowhere = NULL;
    MPI_Message message = MPI_MESSAGE_NULL, *const unmatched = NULL;
    MPI_Win window;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_create_errhandler(tell, &handler);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, handler);
    const MPI_Comm none[] = {MPI_COMM_NULL, (MPI_Comm)0};
    for (int i = 0; i < 2; ++i) {
        TRY(MPI_Send(data, 1, MPI_INT, 0, 1, none[i]));
        TRY(MPI_Recv(data, 1, MPI_INT, 0, 1, none[i], MPI_STATUS_IGNORE));
        TRY(MPI_Isend(data, 1, MPI_INT, 0, 1, none[i], &request));
        TRY(MPI_Irecv(data, 1, MPI_INT, 0, 1, none[i], &request));
#ifdef MPICH_VERSION  // Open MPI ends the program
        TRY(MPI_Probe(0, 1, none[i], MPI_STATUS_IGNORE));
        TRY(MPI_Iprobe(0, 1, none[i], &flag, MPI_STATUS_IGNORE));
        TRY(MPI_Mprobe(0, 1, none[i], &message, MPI_STATUS_IGNORE));
#endif
        TRY(MPI_Sendrecv(data, 1, MPI_INT, 0, 1, data + 8, 1, MPI_INT, 0, 1, none[i], MPI_STATUS_IGNORE));
        TRY(MPI_Barrier(none[i]));
        TRY(MPI_Bcast(data, 1, MPI_INT, 0, none[i]));
        TRY(MPI_Allreduce(data, data + 8, 1, MPI_INT, MPI_SUM, none[i]));
        TRY(MPI_Comm_dup(none[i], &made));
        TRY(MPI_Comm_split(none[i], 0, 0, &made));
        TRY(MPI_Win_create(data, 4, 1, MPI_INFO_NULL, none[i], &window));
        TRY(MPI_Comm_set_name(none[i], "none"));
    }
#ifdef MPICH_VERSION
    MPI_Comm_dup(MPI_COMM_WORLD, &gone);
    made = gone;
    MPI_Barrier(made);
    MPI_Comm_free(&gone);
    const MPI_Comm wrong[] = {made, (MPI_Comm)0x12345678, (MPI_Comm)-1};
    for (int i = 0; i < 3; ++i) {
        TRY(MPI_Send(data, 1, MPI_INT, 0, 1, wrong[i]));
        TRY(MPI_Recv(data, 1, MPI_INT, 0, 1, wrong[i], MPI_STATUS_IGNORE));
        TRY(MPI_Isend(data, 1, MPI_INT, 0, 1, wrong[i], &request));
        TRY(MPI_Barrier(wrong[i]));
        TRY(MPI_Ibarrier(wrong[i], &request));
        TRY(MPI_Comm_dup(wrong[i], &gone));
    }
    request = (MPI_Request)0x12345678;
    TRY(MPI_Wait(&request, MPI_STATUS_IGNORE));
    TRY(MPI_Test(&request, &flag, MPI_STATUS_IGNORE));
    TRY(MPI_Start(&request));
    request = MPI_REQUEST_NULL;
#endif
    TRY(MPI_Send(data, 1, MPI_INT, -7, 1, MPI_COMM_WORLD));
    TRY(MPI_Send(data, 1, MPI_INT, 99, 1, MPI_COMM_WORLD));
    TRY(MPI_Send(data, -1, MPI_INT, 0, 1, MPI_COMM_WORLD));
    TRY(MPI_Isend(data, 1, MPI_DATATYPE_NULL, 0, 1, MPI_COMM_WORLD, &request));
    TRY(MPI_Irecv(data, 1, MPI_INT, 0, -9, MPI_COMM_WORLD, &request));
    TRY(MPI_Wait(nowhere, MPI_STATUS_IGNORE));
    TRY(MPI_Test(nowhere, &flag, MPI_STATUS_IGNORE));
    TRY(MPI_Waitall(3, nowhere, MPI_STATUSES_IGNORE));
    TRY(MPI_Waitany(3, nowhere, &index, MPI_STATUS_IGNORE));
    TRY(MPI_Waitsome(3, nowhere, &done, &index, MPI_STATUSES_IGNORE));
    TRY(MPI_Testall(3, nowhere, &flag, MPI_STATUSES_IGNORE));
    TRY(MPI_Testany(3, nowhere, &index, &flag, MPI_STATUS_IGNORE));
    TRY(MPI_Start(nowhere));
    TRY(MPI_Cancel(nowhere));
    TRY(MPI_Request_free(nowhere));
#ifdef MPICH_VERSION
    TRY(MPI_Mrecv(data, 1, MPI_INT, unmatched, MPI_STATUS_IGNORE));
    TRY(MPI_Imrecv(data, 1, MPI_INT, unmatched, &request));
    TRY(MPI_Mrecv(data, 1, MPI_INT, &message, MPI_STATUS_IGNORE));
#endif
    request = MPI_REQUEST_NULL;
    TRY(MPI_Wait(&request, MPI_STATUS_IGNORE));
    TRY(MPI_Waitall(1, &request, MPI_STATUSES_IGNORE));
    TRY(MPI_Request_free(&request));
    TRY(MPI_Start(&request));
    return MPI_Finalize();
}
"""
(scratch / "mistakes.c").write_text(MISTAKES)
for mpicc, started, stands in mpis:
    made = subprocess.run([mpicc, "-w", "-o", str(scratch / "mistakes"), str(scratch / "mistakes.c")], capture_output=True, text=True)
    check(made.returncode == 0, f"mistakes: {made.stderr}")
    alone = launched(started, None, 2, str(scratch / "mistakes"))
    check(alone.returncode == 0 and alone.stdout.count("told") > 40, f"mistakes of {mpicc} alone: {alone.stdout} {alone.stderr}")
    under = launched(started, stands, 2, str(scratch / "mistakes"), COLLSCOPE_TRACE=str(scratch / f"mistakes-{mpicc}"))
    check(under.returncode == 0 and "no archive" not in under.stderr, f"mistakes of {mpicc}: {under.returncode} {under.stderr}")
    for one, other in zip(alone.stdout.splitlines(), under.stdout.splitlines()):
        check(one == other, f"mistakes of {mpicc}: alone '{one}', recorded '{other}'")
    check(alone.stdout.count("\n") == under.stdout.count("\n"), f"mistakes of {mpicc}: {under.stdout}")

# A folder is never overwritten.
again = scratch / "again"
for name in ("again", "again.2", "again.3"):
    mpirun(2, python, str(script), COLLSCOPE_TRACE=str(again))
    check((scratch / name / "traces.otf2").exists(), f"no archive {name}")

# Who came late is told.
late = scratch / "late"
mpirun(3, python, str(script), "late", COLLSCOPE_TRACE=str(late))
latest = max(instances(late), key=lambda row: row["arrival_spread_s"] or 0)
check(latest["operation"] == "barrier" and latest["last"] == 1 and 0.15 < latest["arrival_spread_s"] < 5, f"late: {latest}")

# Wrong rules end the program before it starts.
(scratch / "wrong").write_text("bcast intra * * bcast/binomal-tree\n")
done = mpirun(2, python, str(script), COLLSCOPE_RULES=str(scratch / "wrong"))
check(done.returncode != 0 and "all right" not in done.stdout, "wrong rules were not refused")
check(done.stderr.count("collscope:") == 1 and "wrong:1" in done.stderr, f"wrong rules: {done.stderr}")

# Neither record nor rules: nothing happens. No room: told.
done = mpirun(2, python, str(script), COLLSCOPE_TRACE="")
check(done.returncode == 0 and done.stderr == "", f"without anything to do: {done.stderr}")
done = mpirun(2, python, str(script), COLLSCOPE_TRACE=str(scratch / "small"), COLLSCOPE_CALLS="5")
check("10 calls of 2 processes" in done.stderr and "there was no room" in done.stderr, f"little room: {done.stderr}")
check("the records of 2 ranks were full" in " ".join(opened(scratch / "small").split()), "the trace does not say that calls were dropped")
(scratch / "swing").write_text("allreduce intra * * allreduce/swing\n")
done = mpirun(3, python, str(script), COLLSCOPE_TRACE=str(scratch / "skipped"), COLLSCOPE_RULES=str(scratch / "swing"))
check("power-of-two" in done.stderr, f"a rule that cannot be followed: {done.stderr}")
check("needs a power-of-two number" in " ".join(opened(scratch / "skipped").split()), "the trace does not say that a rule was skipped")

# A million calls take no memory beyond the room for their records, of at most 100 B a call, be it for all or for few.
MANY = """
from mpi4py import MPI
def resident():
    return int(next(line for line in open("/proc/self/status") if line.startswith("VmRSS")).split()[1])
def calls(count):
    for _ in range(count):
        MPI.COMM_WORLD.Barrier()
calls(100_000)
before = resident()
calls(900_000)
print(resident() - before)
"""
for room in (1000, 1_000_010):
    done = mpirun(1, python, "-c", MANY, COLLSCOPE_TRACE=str(scratch / f"many-{room}"), COLLSCOPE_CALLS=str(room))
    check(done.returncode == 0 and int(done.stdout or "-1") in range(2048 + room * 100 // 1024), f"a million calls: {done.stdout} KiB {done.stderr}")
    # MPI_Init and MPI_Finalize are calls, too.
    check(f"{min(room, 1_000_002)} calls of 1 process" in done.stderr and
          ("for 999002 there was no room" in done.stderr) == (room < 1_000_000), f"a million calls: {done.stderr}")

# Nor does a limit on the size of files end the program: it runs without a record, and nothing is left.
def with_small_files():
    resource.setrlimit(resource.RLIMIT_FSIZE, (9 << 20, 9 << 20))


done = mpirun(2, python, str(script), limits=with_small_files, COLLSCOPE_TRACE=str(scratch / "limited"))
check(done.returncode == 0 and done.stdout == "all right\n", f"small files: {done.returncode} {done.stdout} {done.stderr}")
check("ulimit -f" in done.stderr and "the program runs without a record" in done.stderr, f"small files: {done.stderr}")
check(not list(scratch.glob("limited*")), f"small files left {list(scratch.glob('limited*'))}")

# A process that is killed leaves its records, and they can be collected.
done = mpirun(3, python, str(script), "die", COLLSCOPE_TRACE=str(scratch / "dead"))
check(done.returncode != 0 and (scratch / "dead.records").is_dir(), "a killed program left no records")
collected = subprocess.run([str(library.with_name("collscope-mpi")), "collect", str(scratch / "dead.records"),
                            str(scratch / "saved")], capture_output=True, text=True)
check(collected.returncode == 0, f"collect: {collected.stderr}")
opened(scratch / "saved")

# The work of one command on several processes, and the same answer.
worker = str(library.with_name("collscope-mpi"))
points = ["bcast/binomial-tree", "bcast/chain", "bcast/scatter-recursive-doubling-allgather", "-n", "2..40", "--size", "64KiB"]
for form in ("csv", "json"):
    alone = subprocess.run([program, "sweep", *points, "--format", form], capture_output=True, text=True).stdout
    for ranks in (1, 2, 5):
        done = mpirun(ranks, worker, "sweep", *points, "--format", form, preload=False)
        check(done.stdout == alone and alone != "", f"sweep as {form} on {ranks} processes differs: {done.stderr}")
for ranks in (2, 5):
    done = mpirun(ranks, worker, "sweep", "bcast/nothing", "-n", "3", preload=False)
    check(done.returncode == 2 and done.stderr.count("bcast/nothing") == 1, f"a mistake on {ranks}: {done.stderr}")

whole = scratch / "whole.csv"
subprocess.run([program, "sweep", *points, "-o", str(whole)], capture_output=True)
rows = whole.read_text().splitlines(keepends=True)
for ranks in (1, 2, 5):
    file = scratch / f"grown-{ranks}.csv"
    (scratch / f"grown-{ranks}.csv.part").write_text("".join(rows[:30]) + rows[30][:9])  # stopped within a row
    done = mpirun(ranks, worker, "sweep", *points, "-o", str(file), "--resume", preload=False)
    check(done.returncode == 0 and file.read_text() == whole.read_text(), f"resumed on {ranks}: {done.stderr}")

# A killed sweep goes on where it was.
file = scratch / "killed.csv"
many = ["bcast/binomial-tree", "bcast/chain", "bcast/flat", "-n", "2..400", "--size", "1KiB..16KiB*2", "-o", str(file)]
part = pathlib.Path(str(file) + ".part")
killed = subprocess.Popen(["mpirun", "--allow-run-as-root", "--oversubscribe", "--bind-to", "none", "-n", "3", worker, "sweep", *many],
                          stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
while killed.poll() is None and not (part.exists() and part.read_text().count("\n") > 20):
    time.sleep(0.01)
check(killed.poll() is None, "the sweep ended before it could be killed")
killed.terminate()
killed.wait(60)
check(part.exists() and not file.exists(), "a killed sweep left no part of its rows")
done = mpirun(3, worker, "sweep", *many, "--resume", preload=False)
alone = subprocess.run([program, "sweep", *many[:-1], str(scratch / "unbroken.csv")], capture_output=True, text=True)
check(done.returncode == 0 and file.read_text() == (scratch / "unbroken.csv").read_text(), f"a killed sweep: {done.stderr}")

subprocess.run([program, "run", "allgatherv/linear-ring", "-n", "7", "--trace", str(scratch / "ring")], capture_output=True)
for trace in (scratch / "recorded-5", scratch / "ring"):
    alone = subprocess.run([program, "open", str(trace), "--tables", "all", "--format", "json"], capture_output=True, text=True)
    for ranks in (1, 2, 5):
        done = mpirun(ranks, worker, "open", str(trace), "--tables", "all", "--format", "json", preload=False)
        check(done.stdout == alone.stdout and alone.stdout != "", f"open {trace} on {ranks} processes differs: {done.stderr}")

for command in (["replay", str(scratch / "recorded-5"), "--alpha", "5us", "--beta", "1ns/B", "--format", "json"],
                ["sweep", str(scratch / "recorded-5"), "--alpha", "1us,5us,9us", "--beta", "1ns/B", "--ports", "1..2", "--format", "csv"],
                ["sweep", str(scratch / "ring"), "--beta", "1ns/B,2ns/B", "--topology", "full,ring", "--format", "csv"]):
    alone = subprocess.run([program, *command], capture_output=True, text=True)
    for ranks in (1, 2, 5):
        done = mpirun(ranks, worker, *command, preload=False)
        check(done.returncode == 0 and done.stdout == alone.stdout and alone.stdout != "",
              f"{command} on {ranks} processes differs: {done.stderr}")

shutil.rmtree(scratch)
finish()
