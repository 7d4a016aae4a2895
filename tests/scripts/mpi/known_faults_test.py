# SPDX-License-Identifier: BSD-3-Clause
"""A program with known faults is recorded by libcollscope-pmpi.so and by EZTrace: each fault is named, by class, rank and,
where the recorder sees it, place, with its time; compute is not called waiting, and the same program without faults has none.

What is right is worked out here from when the program itself says that its ranks came to their calls (known_faults.c), by
Scalasca's definitions.

Usage: known_faults_test.py SOURCE_DIR PROGRAM
"""
import collections
import itertools
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

from mpi_programs import check, finish

source, program = pathlib.Path(sys.argv[1]), os.path.abspath(sys.argv[2])
library = pathlib.Path(program).with_name("libcollscope-pmpi.so")
RANKS = 4
FAULT = 80  # milliseconds
WORK = 4  # milliseconds that ranks compute without a fault, as in known_faults.c
NEAR = 0.05  # of what the program says
JITTER = 0.004  # seconds that a busy machine adds between a call and the program's word for it, or takes from a sleep
MPICC = "mpicc.openmpi"

if not library.exists() or any(shutil.which(tool) is None for tool in (MPICC, "mpirun")):
    print("skipped: this build has no MPI, or there is no mpicc")
    sys.exit(77)
if b"__asan_init" in library.read_bytes() or b"__tsan_init" in library.read_bytes():
    print("skipped: a library under a sanitizer cannot be loaded before a program that is not")
    sys.exit(77)


Came = collections.namedtuple("Came", "phase call peer time")
Waited = collections.namedtuple("Waited", "phase wait rank late")


def told(folder):
    """By rank, when it came to which call."""
    return [[Came(phase, call, int(peer), float(time)) for phase, call, peer, time in
             (line.split() for line in (folder / str(rank)).read_text().splitlines())] for rank in range(RANKS)]


COLLECTIVES = {"nxn": "wait at NxN", "barrier": "wait at barrier", "settle": "wait at barrier", "reduce": "early reduce",
               "broadcast": "late broadcast", "finalize": "wait at synchronising call"}


def right(truth):
    """Seconds by Waited, as Scalasca defines them."""
    waits = collections.Counter()

    def add(phase, wait, rank, late, since, until):
        if until > since:
            waits[Waited(phase, wait, rank, late)] += until - since

    # The k-th collective of all ranks is one.
    for parts in zip(*([came for came in its if came.call in COLLECTIVES] for its in truth)):
        phase, call, root, _ = parts[0]
        wait, came = COLLECTIVES[call], [part.time for part in parts]
        if call == "reduce":
            late = min((r for r in range(RANKS) if r != root), key=lambda r: came[r])
            add(phase, wait, root, late, came[root], came[late])
            continue
        late = root if call == "broadcast" else max(range(RANKS), key=lambda r: came[r])
        for rank in range(RANKS):
            add(phase, wait, rank, late, came[rank], came[late])

    # The k-th message of two ranks in a phase is one: when it was sent, and when its receiver came for it.
    sent = collections.defaultdict(list)
    for rank, its in enumerate(truth):
        for came in its:
            if came.call in ("send", "synchronous"):
                sent[came.phase, rank, came.peer].append(came.time)
    for rank, its in enumerate(truth):
        calls = []  # that take messages: phase, when it came, and when each was sent by whom
        taken = collections.Counter()
        for came in its:
            if came.call not in ("receive", "waitall"):
                continue
            # Of a halo both neighbours, whichever sends last; else whom the call names.
            who = ((rank + RANKS - 1) % RANKS, (rank + 1) % RANKS) if came.phase == "halo" else (came.peer,)
            begun = []
            for other in who:
                begun.append((sent[came.phase, other, rank][taken[came.phase, other]], other))
                taken[came.phase, other] += 1
            calls.append((came, begun))
        for k, (came, begun) in enumerate(calls):
            begin, late = max(begun)
            later = [time for _, messages in calls[k + 1:] for time, _ in messages]
            # A message that was sent before is there, and taken later; a call takes several in any order.
            wrong = len(begun) == 1 and any(time < begin for time in later)
            add(came.phase, "late sender, wrong order" if wrong else "late sender", rank, late, came.time, begin)
            if came.phase == "late_receiver":
                at = next(one.time for one in truth[late] if one.call == "synchronous")
                add(came.phase, "late receiver", late, rank, at, came.time)
    return waits


def tables(archive, *names):
    done = subprocess.run([program, "open", archive, "--index", "none", "--tables", ",".join(names), "--format", "json"],
                          capture_output=True, text=True, timeout=120)
    check(done.returncode == 0, f"open {archive}: {done.stderr}")
    return {name: json.loads(done.stdout)["tables"][name]["rows"] for name in names}


def near(found, expected, calls):
    """Within 5%, and what a busy machine adds to each call."""
    return abs(found - expected) <= NEAR * expected + JITTER * calls


def summed(items):
    sums = collections.Counter()
    for key, time in items:
        sums[key] += time
    return sums


def differing(what, found, expected, calls=1):
    return [f"{what}: {key} waited {found[key]:.4f} s, not {expected[key]:.4f} s"
            for key in sorted(found.keys() | expected.keys(), key=str) if not near(found[key], expected[key], calls)]


def classes(recorder, archive, waits):
    """What is wrong in this: each class on each rank, as any recorder shows them."""
    rows = tables(archive, "waits")["waits"]
    rows = [row for row in rows if not row["wait"].endswith("completion")]
    return differing(recorder, summed(((row["wait"], row["rank"]), row["time_s"]) for row in rows),
                     summed(((key.wait, key.rank), time) for key, time in waits.items()), calls=4)


# What each phase was made for: the class, who is to blame, the call that comes late for it, and the waiting time of all
# ranks that follows from what the phase computes, in milliseconds.
FAULTS = {"imbalance": ("wait at NxN", 3, "MPI_Allreduce", 2 * FAULT),
          "late_rank": ("wait at NxN", 2, "MPI_Alltoall", 3 * FAULT),
          "wait_chain": ("late sender", 0, "MPI_Send", 3 * FAULT),
          "late_receiver": ("late receiver", 1, "MPI_Recv", FAULT),
          "early_reduce": ("early reduce", 1, "MPI_Reduce", FAULT + WORK),
          "late_broadcast": ("late broadcast", 1, "MPI_Bcast", 3 * FAULT),
          "late_into_barrier": ("wait at barrier", 3, "MPI_Barrier", 3 * FAULT),
          "halo": ("late sender", 2, "MPI_Isend", 3 * FAULT),
          "sums": ("wait at NxN", 3, "MPI_Allreduce", 30 * (FAULT // 4)),
          "wavefront": ("late sender", 1, "MPI_Send", 4 * FAULT + 6 * WORK)}


def inOrder(wait):
    """The class without what is of it in the wrong order."""
    return wait.removesuffix(", wrong order")


def costs(waits):
    """Seconds that ranks waited in the class of each phase's fault, by phase."""
    return {phase: sum(time for key, time in waits.items() if key.phase == phase and inOrder(key.wait) == fault[0])
            for phase, fault in FAULTS.items()}


def disturbed(waits):
    """Phases in which ranks waited for something else than the fault as well: a busy machine made them late."""
    return {phase for phase, cost in costs(waits).items() if not near(cost, FAULTS[phase][3] / 1000, calls=8)}


def blamed(recorder, archive, waits, places):
    """What is wrong in this: each fault is named, and costs what waited in its phase, if that was for the fault alone."""
    expected, found = collections.Counter(), collections.Counter()
    # With settle's barriers beside that of its own phase, whose waits follow from all that came before.
    for phase, cost in costs(waits).items():
        expected[phase if places else FAULTS[phase][:2]] += cost
    for row in tables(archive, "causes")["causes"]:
        for phase, (wait, rank, call, _) in FAULTS.items():
            if inOrder(row["wait"]) != wait or row["origin"] != rank or (places and f"/{phase}/{call} ({phase}, known_faults.c:" not in row["path"]):
                continue
            found[phase if places else (wait, rank)] += row["time_s"]
            break
    if not places:  # barriers are all in one
        expected.pop(("wait at barrier", 3)), found.pop(("wait at barrier", 3), None)
    for phase in disturbed(waits):
        key = phase if places else FAULTS[phase][:2]
        expected.pop(key, None), found.pop(key, None)
    return differing(f"{recorder}, blamed", found, expected, calls=8)


def page(archive):
    done = subprocess.run([program, "open", archive, "--index", "none"], capture_output=True, text=True, timeout=120)
    check(done.returncode == 0, f"open {archive}: {done.stderr}")
    return [" ".join(paragraph.split()) for paragraph in done.stdout.split("\n\n")]


def seen(archive):
    """What is wrong in this: compute is not called waiting, and the first page names faults and where they are."""
    wrong = []
    for row in tables(archive, "awaited")["awaited"]:
        if "(overlap," in row["path"] and row["time_s"] >= JITTER:
            wrong.append(f"compute is called waiting: {row}")
    told = [paragraph for paragraph in page(archive) if " late" in paragraph and "rank " in paragraph.lower()]
    if len(told) != 3:
        wrong.append(f"the first page names {len(told)} causes: {told}")
    for paragraph in told:
        if not any(f"rank {rank}" in paragraph.lower() and f"/{phase}/{call} ({phase}, known_faults.c:" in paragraph
                   for phase, (_, rank, call, _) in FAULTS.items()):
            wrong.append(f"no fault of the program: {paragraph}")
    return wrong


def quiet(recorder, archive, waits):
    """What is wrong in this: nothing is blamed for more than its ranks can have waited at once."""
    most = max(waits.values(), default=0)
    return [f"{recorder}, without faults: {row}" for row in tables(archive, "causes")["causes"]
            if (row["longest_s"] or 0) > most * (1 + NEAR) + JITTER]


with tempfile.TemporaryDirectory() as name:
    scratch = pathlib.Path(name)
    subprocess.run([MPICC, "-g", "-o", scratch / "faults", source / "tests/scripts/mpi/known_faults.c"], check=True, timeout=120)
    around = {**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
              "OMPI_MCA_rmaps_base_oversubscribe": "1", "OMPI_MCA_mpi_yield_when_idle": "1",
              "OMPI_MCA_hwloc_base_binding_policy": "none", "OMPI_MCA_btl_base_warn_component_unused": "0"}

    def run(label, fault, *words):
        """The truth of a run; `words` stand before the program."""
        folder = scratch / f"truth-{label}"
        folder.mkdir()
        done = subprocess.run(["mpirun", "-n", str(RANKS), *words, scratch / "faults", folder, str(fault)], cwd=scratch,
                              env=around, capture_output=True, text=True, timeout=240)
        check(done.returncode == 0, f"{label}: {done.stderr[-500:]}")
        return right(told(folder))

    recorders = ["our library"]
    if shutil.which("eztrace") is None:
        print("left out: EZTrace, which is not installed")
    else:
        recorders.append("EZTrace")
    places = shutil.which("addr2line") is not None
    # A busy machine makes ranks late by itself, between a call and the program's word for it too, and who is to blame for
    # that is named as well: it is recorded again until nothing else disturbed the program, or often enough.
    TRIALS = 6
    for recorder, fault in itertools.product(recorders, (0, FAULT)):
        wrong, unjudged = [], set(FAULTS) if fault else set()
        for trial in range(TRIALS):
            label = f"{recorder}-{fault}-{trial}"
            archive = scratch / label
            if recorder == "EZTrace":
                # It does not record MPI_Finalize, for which a busy machine may make a rank late.
                waits = {key: time for key, time in run(label, fault, "eztrace", "-t", "openmpi", "-o", archive).items()
                         if key.phase != "end"}
                archive = archive / "faults_trace" / "eztrace_log.otf2"
            else:
                waits = run(label, fault, "-x", f"LD_PRELOAD={library}", "-x", f"COLLSCOPE_TRACE={archive}")
            wrong = classes(recorder, archive, waits)
            placed = places and recorder != "EZTrace"
            if fault == 0:
                wrong += quiet(recorder, archive, waits)
            else:
                wrong += blamed(recorder, archive, waits, placed)
                wrong += seen(archive) if placed and not disturbed(waits) else []
                unjudged &= disturbed(waits)
            if not wrong and not unjudged:
                break
        if unjudged:
            print(f"left out of {recorder}: {', '.join(sorted(unjudged))}, which the busy machine disturbed in each of {TRIALS} runs")
        for words in wrong:
            check(False, words)
print(f"recorded by {' and '.join(recorders)}")
finish()
