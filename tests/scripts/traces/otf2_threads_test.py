# SPDX-License-Identifier: BSD-3-Clause
"""Threads as Score-P records them: teams, barriers, a critical section, a lock of POSIX threads, idle workers.

Two ranks of three threads each run a parallel region some times; what each thread waits is known from how the region
was played, and compared with what the program answers, also of a copy.

Usage: otf2_threads_test.py SOURCE_DIR PROGRAM
"""
import collections
import json
import os
import random
import subprocess
import sys
import tempfile

from debians_otf2 import _otf2 as o

program = sys.argv[2]
TICKS = 1_000_000_000
START = 1000
THREADS = [0, 1, 2]
LOCATIONS = {(rank, thread): 100 * rank + 10 * thread + 3 for rank in (0, 1) for thread in THREADS}
REGIONS = {  # name -> id, role, paradigm
    "main": (0, o.REGION_ROLE_FUNCTION, o.PARADIGM_COMPILER),
    "MPI_Init": (1, o.REGION_ROLE_FUNCTION, o.PARADIGM_MPI),
    "MPI_Finalize": (2, o.REGION_ROLE_FUNCTION, o.PARADIGM_MPI),
    "!$omp parallel @a.c:7": (3, o.REGION_ROLE_PARALLEL, o.PARADIGM_OPENMP),
    "!$omp barrier @a.c:9": (4, o.REGION_ROLE_BARRIER, o.PARADIGM_OPENMP),
    "!$omp implicit barrier @a.c:20": (5, o.REGION_ROLE_IMPLICIT_BARRIER, o.PARADIGM_OPENMP),
    "!$omp critical @a.c:12": (6, o.REGION_ROLE_CRITICAL, o.PARADIGM_OPENMP),
    "!$omp critical sblock @a.c:12": (7, o.REGION_ROLE_CRITICAL_SBLOCK, o.PARADIGM_OPENMP),
    "pthread_mutex_lock": (8, o.REGION_ROLE_FUNCTION, o.PARADIGM_PTHREAD),
}
TEAMS = {0: 50, 1: 77}  # rank -> communicator of its team

chance = random.Random(11)
RECORDS = {place: [] for place in LOCATIONS}  # (time, order, what, ...)
WAITED = collections.defaultdict(int)         # (kind, rank, thread) -> ticks


def tell(place, time, what, *rest):
    RECORDS[place].append((time, what, *rest))


def waits(kind, place, begin, end):
    if end > begin:
        WAITED[kind, *place] += end - begin


def barrier(rank, now, region, kind):
    came = max(now.values())
    for thread in THREADS:
        tell((rank, thread), now[thread], "enter", region)
        waits(kind, (rank, thread), now[thread], came)
        now[thread] = came + chance.randrange(1, 5)
        tell((rank, thread), now[thread], "leave", region)


class Lock:
    """One thread after the other, as they come."""

    def __init__(self, rank, paradigm, number):
        self.rank, self.paradigm, self.number = rank, paradigm, number
        self.count, self.holder, self.free = 0, None, 0

    def each(self, now, call, inner, kind):
        for thread in sorted(THREADS, key=lambda thread: (now[thread], thread)):
            place, entered = (self.rank, thread), now[thread]
            tell(place, entered, "enter", call)
            acquired = max(entered + 1, self.free + 1)
            if self.holder not in (None, thread):
                waits(kind, place, entered, self.free)
            self.count += 1
            tell(place, acquired, "acquire", self.paradigm, self.number, self.count)
            if inner:
                tell(place, acquired, "enter", inner)
            else:
                tell(place, acquired, "leave", call)
            self.free = now[thread] = acquired + chance.randrange(1, 40)
            if inner:
                tell(place, self.free, "leave", inner)
            tell(place, self.free, "release", self.paradigm, self.number, self.count)
            if inner:
                tell(place, self.free, "leave", call)
            self.holder = thread


def play(rank):
    critical = Lock(rank, o.PARADIGM_OPENMP, 0)
    mutex = Lock(rank, o.PARADIGM_PTHREAD, 0)  # the same number, of another paradigm
    own = (rank, 0)
    tell(own, 0, "enter", "main")
    tell(own, 5, "enter", "MPI_Init")
    tell(own, 105, "leave", "MPI_Init")
    since = {thread: 105 for thread in THREADS}
    time = 105
    for _ in range(12):
        time += chance.randrange(1, 60)
        tell(own, time, "fork", len(THREADS))
        now = {}
        for thread in THREADS:
            now[thread] = time + chance.randrange(3)
            if thread:
                waits("OpenMP idle threads", (rank, thread), since[thread], time)
            tell((rank, thread), now[thread], "begin")
            tell((rank, thread), now[thread], "enter", "!$omp parallel @a.c:7")
            now[thread] += chance.randrange(50)
        barrier(rank, now, "!$omp barrier @a.c:9", "wait at OpenMP barrier")
        now = {thread: at + chance.randrange(50) for thread, at in now.items()}
        critical.each(now, "!$omp critical @a.c:12", "!$omp critical sblock @a.c:12", "OpenMP critical contention")
        mutex.each(now, "pthread_mutex_lock", None, "lock contention")
        barrier(rank, now, "!$omp implicit barrier @a.c:20", "wait at implicit OpenMP barrier")
        for thread in THREADS:
            tell((rank, thread), now[thread], "leave", "!$omp parallel @a.c:7")
            tell((rank, thread), now[thread], "end")
            since[thread] = now[thread]
        time = max(now.values())
        tell(own, time, "join")
    time += 33
    for thread in THREADS[1:]:
        waits("OpenMP idle threads", (rank, thread), since[thread], time)
    tell(own, time, "enter", "MPI_Finalize")
    tell(own, time + 50, "leave", "MPI_Finalize")
    tell(own, time + 60, "leave", "main")


def computation(place):
    """When this thread computes: (begin, end) of each time in which it does."""
    times, stack, since = [], [], 0
    useful = ("main", "!$omp parallel @a.c:7", "!$omp critical sblock @a.c:12")
    for time, what, *rest in RECORDS[place]:
        if what in ("enter", "leave"):
            if stack and stack[-1] in useful:
                times.append((since, time))
            since = time
            stack.append(rest[0]) if what == "enter" else stack.pop()
    return times


def common(times, others):
    return sum(max(0, min(end, until) - max(begin, since)) for begin, end in times for since, until in others)


def efficiency():
    """What POP's model of hybrid programs has for the whole program."""
    finalized = [next(time for time, what, *rest in RECORDS[rank, 0] if (what, rest) == ("enter", ["MPI_Finalize"]))
                 for rank in (0, 1)]
    whole = [(105, max(finalized))]
    in_regions = serial = every = 0
    for rank in (0, 1):
        forks = [time for time, what, *_ in RECORDS[rank, 0] if what == "fork"]
        joins = [time for time, what, *_ in RECORDS[rank, 0] if what == "join"]
        own = computation((rank, 0))
        others = sum(common(computation((rank, thread)), whole) for thread in THREADS[1:])
        together = common(own, list(zip(forks, joins)))
        serial += common(own, whole) - together
        in_regions += (together + others) / len(THREADS)
        every += (common(own, whole) + others) / len(THREADS)
    # A rank that has left MPI_Finalize before the other one enters it computes again.
    outside = sum(common([(105, time), (time + 50, time + 60)], whole) for time in finalized)
    return {"thread_share": every / outside, "parallel_region_share": (in_regions + serial) / outside,
            "serial_region_share": every / (in_regions + serial),
            "hybrid_share": every / 2 / (max(finalized) - 105), "threads": 2 * len(THREADS)}


def write(folder):
    archive = o.Archive_Open(folder, "scorep", o.FILEMODE_WRITE, 1 << 20, 4 << 20, o.SUBSTRATE_POSIX,
                             o.COMPRESSION_NONE)
    o.Archive_SetSerialCollectiveCallbacks(archive)
    flush = o.FlushCallbacks(pre_flush=lambda *_: o.FLUSH, post_flush=None)  # to outlive the archive
    o.Archive_SetFlushCallbacks(archive, flush, None)
    o.Archive_OpenEvtFiles(archive)
    end = 0
    for place, location in LOCATIONS.items():
        writer = o.Archive_GetEvtWriter(archive, location)
        for time, what, *rest in RECORDS[place]:
            at, end = START + time, max(end, time)
            if what == "enter":
                o.EvtWriter_Enter(writer, None, at, REGIONS[rest[0]][0])
            elif what == "leave":
                o.EvtWriter_Leave(writer, None, at, REGIONS[rest[0]][0])
            elif what == "fork":
                o.EvtWriter_ThreadFork(writer, None, at, o.PARADIGM_OPENMP, rest[0])
            elif what == "join":
                o.EvtWriter_ThreadJoin(writer, None, at, o.PARADIGM_OPENMP)
            elif what == "begin":
                o.EvtWriter_ThreadTeamBegin(writer, None, at, TEAMS[place[0]])
            elif what == "end":
                o.EvtWriter_ThreadTeamEnd(writer, None, at, TEAMS[place[0]])
            elif what == "acquire":
                o.EvtWriter_ThreadAcquireLock(writer, None, at, *rest)
            elif what == "release":
                o.EvtWriter_ThreadReleaseLock(writer, None, at, *rest)
        o.Archive_CloseEvtWriter(archive, writer)
    o.Archive_CloseEvtFiles(archive)
    g = o.Archive_GetGlobalDefWriter(archive)
    words = []

    def string(text):
        if text not in words:
            words.append(text)
            o.GlobalDefWriter_WriteString(g, len(words) - 1, text)
        return words.index(text)

    empty = string("")
    o.GlobalDefWriter_WriteClockProperties(g, TICKS, START, end + 1, o.UNDEFINED_TIMESTAMP)
    node = string("machine")
    o.GlobalDefWriter_WriteSystemTreeNode(g, 0, node, node, o.UNDEFINED_SYSTEM_TREE_NODE)
    for rank in (0, 1):
        o.GlobalDefWriter_WriteLocationGroup(g, rank, string(f"MPI Rank {rank}"), o.LOCATION_GROUP_TYPE_PROCESS, 0,
                                             o.UNDEFINED_LOCATION_GROUP)
    for (rank, thread), location in LOCATIONS.items():
        name = f"OMP thread {thread}" if thread else "Master thread"
        o.GlobalDefWriter_WriteLocation(g, location, string(name), o.LOCATION_TYPE_CPU_THREAD,
                                        len(RECORDS[rank, thread]), rank)
    for name, (number, role, paradigm) in REGIONS.items():
        o.GlobalDefWriter_WriteRegion(g, number, string(name), string(name), empty, role, paradigm, o.REGION_FLAG_NONE,
                                      empty, 0, 0)
    speakers = [LOCATIONS[rank, 0] for rank in (0, 1)]
    o.GlobalDefWriter_WriteGroup(g, 0, empty, o.GROUP_TYPE_COMM_LOCATIONS, o.PARADIGM_MPI, o.GROUP_FLAG_NONE, speakers)
    o.GlobalDefWriter_WriteGroup(g, 1, empty, o.GROUP_TYPE_COMM_GROUP, o.PARADIGM_MPI, o.GROUP_FLAG_NONE, [0, 1])
    o.GlobalDefWriter_WriteComm(g, 0, string("MPI_COMM_WORLD"), 1, o.UNDEFINED_COMM, o.COMM_FLAG_NONE)
    o.GlobalDefWriter_WriteGroup(g, 2, empty, o.GROUP_TYPE_COMM_LOCATIONS, o.PARADIGM_OPENMP, o.GROUP_FLAG_NONE,
                                 list(LOCATIONS.values()))
    for rank, team in TEAMS.items():
        o.GlobalDefWriter_WriteGroup(g, 3 + rank, empty, o.GROUP_TYPE_COMM_GROUP, o.PARADIGM_OPENMP, o.GROUP_FLAG_NONE,
                                     [3 * rank + thread for thread in THREADS])
        o.GlobalDefWriter_WriteComm(g, team, string("OpenMP Thread Team"), 3 + rank, o.UNDEFINED_COMM,
                                    o.COMM_FLAG_NONE)
    o.Archive_Close(archive)


def answered(archive, tables):
    asked = subprocess.run([program, "open", archive, "--tables", tables, "--format", "json"], capture_output=True,
                           text=True, timeout=60)
    if asked.returncode != 0:
        sys.exit(f"{archive} does not open: {asked.stderr}")
    if "looked at by nothing" in asked.stdout:
        sys.exit(f"{archive}: records of threads count as what nothing looks at: {asked.stdout}")
    return {name: table["rows"] for name, table in json.loads(asked.stdout)["tables"].items()}


for which in (0, 1):
    play(which)
with tempfile.TemporaryDirectory() as scratch:
    folder = os.path.join(scratch, "threads")
    write(folder)
    copy = os.path.join(scratch, "copy.otf2")
    subprocess.run([program, "export", folder, "-o", copy], check=True, timeout=60, capture_output=True)
    answers = []
    for archive in (folder, copy):
        tables = answered(archive, "waits,causes,not-recorded,efficiency")
        found = {}
        for row in tables["waits"]:
            thread = int(row["thread"].split()[-1]) if row["thread"] else 0
            found[row["wait"], row["rank"], thread] = round(row["time_s"] * TICKS)
        if found != dict(WAITED):
            both = sorted(set(found) | set(WAITED))
            sys.exit(f"{archive}: " + "\n".join(f"{key}: {found.get(key)} for {WAITED.get(key)}" for key in both
                                                if found.get(key) != WAITED.get(key)))
        total = sum(row["time_s"] for row in tables["causes"]) * TICKS
        if abs(total - sum(WAITED.values())) > 1:
            sys.exit(f"{archive}: causes come to {total}, waits to {sum(WAITED.values())}")
        held = [row for row in tables["causes"] if row["wait"] == "OpenMP critical contention"]
        if not held or "critical sblock" not in held[0]["path"]:
            sys.exit(f"{archive}: who held the critical section was in it, not in {held[:1]}")
        shown = tables["efficiency"][0]
        for name, value in efficiency().items():
            if abs(shown[name] - value) > 1e-6:
                sys.exit(f"{archive}: {name} is {shown[name]}, not {value}")
        answers.append(tables["causes"])
    if answers[0] != answers[1]:
        sys.exit("the copy has other causes")

print(f"{len(WAITED)} sums of waits of threads are those that were played, also of a copy")
