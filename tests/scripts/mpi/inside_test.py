# SPDX-License-Identifier: BSD-3-Clause
"""Messages that an MPI library sends within collectives: each forced algorithm is named, its messages are complete, match
each other and are as many as it should send.

Usage: inside_test.py SOURCE_DIR PROGRAM
"""
import collections
import math
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

from mpi_programs import check, failures, finish, libraries, surroundings

if not shutil.which("otf2-print"):
    print("skipped: there is no otf2-print (Debian: otf2-tools)")
    sys.exit(77)

source, build = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve().parent
scratch = pathlib.Path(tempfile.mkdtemp())
around = surroundings(scratch)
INSIDE_OF = "inside of "
FIRST = 1 << 32  # requests of the library's messages are counted from here


def printed(what, archive):
    """Records, one each, with all of their lines."""
    done = subprocess.run(["otf2-print", *what.split(), str(archive)], capture_output=True, text=True, timeout=120)
    check(done.returncode == 0 and "out of order" not in done.stderr, f"{archive}: otf2-print: {done.stderr}")
    record = ""
    for line in done.stdout.splitlines():
        if record and re.match(r"[A-Z]", line):
            yield record
            record = ""
        record += ("\n" if record else "") + line
    yield record


def attribute(name, rest):
    found = re.search(f'"{name}" <\\d+>; STRING; "([^"]*)"', rest)
    return found[1] if found else None


def numbers_after(word, line):
    """Numbers in angle brackets behind each mention of a word: references to definitions."""
    return [int(number) for number in re.findall(word + r': (?:\d+ \()?"[^"]*" <(\d+)>', line)]


class Inside:
    """The messages of an archive that lie within calls, as otf2-print shows them. `calls` are [region, rank, communicator,
    algorithm, component, messages sent from within]; `sends` and `receives`, by (twin, from, to, tag), are [begin, end,
    bytes] in the order of posting."""

    def __init__(self, folder):
        self.calls, self.program, self.early, self.unmatched = [], 0, 0, 0
        self.sends, self.receives = collections.defaultdict(list), collections.defaultdict(list)
        self.of_request, self.components = collections.defaultdict(list), {}  # by (rank, request)
        self.properties, self.groups, self.names, self.open = {}, {}, {}, {}
        self.pending, self.rank_of = {}, {}
        self.archive = folder / "traces.otf2"
        definitions = {}
        for line in printed("-G", self.archive):
            words = line.split()
            if line.startswith("LOCATION "):
                self.rank_of[int(words[1])] = int(re.search(r'Name: "rank (\d+)', line)[1])
            elif line.startswith("GROUP "):
                members = re.search(r"Members?: (.*)", line)
                definitions[int(words[1])] = [int(n) for n in re.findall(r"(\d+) \(", members[1])] if members else []
            elif line.startswith(("COMM ", "INTER_COMM ")):
                self.names[int(words[1])] = re.search(r'[Nn]ame: "([^"]*)"', line)[1]
                self.groups[int(words[1])] = [definitions[int(n)] for n in re.findall(r'Group[ AB]*: "[^"]*" <(\d+)>', line)]
            elif line.startswith("SYSTEM_TREE_NODE_PROPERTY"):
                name, value = re.search(r'Name: "([^"]*)".*Value: "(.*)" <\d+>$', line, re.S).groups()
                self.properties[name] = value
        for line in printed("", self.archive):
            if match := re.match(r"([A-Z_]+) +(\d+) +(\d+) *(.*)", line, re.S):
                self.tell(match[1], int(match[2]), int(match[3]), match[4])
        for channel in set(self.sends) | set(self.receives):
            sent, received = self.sends[channel], sorted(self.receives[channel])  # by posting
            self.unmatched += [entry[2] for entry in sent] != [entry[2] for entry in received]
            self.early += sum(got[1] < put[0] for put, got in zip(sent, received))

    def tell(self, what, location, time, rest):
        request = re.search(r"Request: (\d+)", rest)
        request = int(request[1]) if request else 0
        # Functions of the program stand around calls.
        if what in ("ENTER", "LEAVE") and not re.search(r'"MPI', rest):
            return
        if what == "ENTER":
            self.open[location] = [re.search(r'"([^"]*)"', rest)[1], self.rank_of[location], None, None, None, []]
        elif what == "LEAVE":
            self.calls.append(self.open.pop(location))
        elif what == "MPI_COLLECTIVE_END":
            self.open[location][2:5] = numbers_after("Communicator", rest)[0], attribute("library algorithm", rest), \
                attribute("library component", rest)
        elif what == "NON_BLOCKING_COLLECTIVE_COMPLETE":
            self.components[self.rank_of[location], request] = attribute("library component", rest)
        elif what in ("MPI_ISEND", "MPI_SEND", "MPI_IRECV", "MPI_IRECV_REQUEST", "MPI_ISEND_COMPLETE"):
            if request < FIRST:
                self.program += what in ("MPI_ISEND", "MPI_SEND")
                check(INSIDE_OF not in rest, f"{self.archive}: a message of the program lies on a twin: {rest}")
            else:
                self.message(what, location, time, rest, request)

    def message(self, what, location, time, rest, request):
        rank = self.rank_of[location]
        if what in ("MPI_ISEND", "MPI_IRECV_REQUEST"):
            check(location in self.open, f"{self.archive}: rank {rank} posts a message outside of its calls")
            self.pending[location, request] = [time, None, None]
        entry = self.pending[location, request]
        if what in ("MPI_ISEND_COMPLETE", "MPI_IRECV"):
            entry[1] = time
            del self.pending[location, request]
        if what in ("MPI_ISEND", "MPI_IRECV"):
            twin, = numbers_after("Communicator", rest)
            check(self.names[twin].startswith(INSIDE_OF), f"{self.archive}: a message of the library: {rest}")
            groups = self.groups[twin]
            others = groups[1] if len(groups) == 2 and rank in groups[0] else groups[0]
            peer = others[int(re.search(r"(?:Sender|Receiver): (\d+)", rest)[1])]
            tag = int(re.search(r"Tag: (\d+)", rest)[1])
            entry[2] = int(re.search(r"Length: (\d+)", rest)[1])
            if what == "MPI_IRECV":
                self.receives[twin, peer, rank, tag].append(entry)
            else:
                self.sends[twin, rank, peer, tag].append(entry)
                self.open[location][5].append((peer, entry[2]))
                if (own := re.search(r'"inside" <\d+>; UINT64; (\d+)', rest)) is not None:
                    self.of_request[rank, int(own[1])].append(entry[2])

    def of(self, region):
        return [call for call in self.calls if call[0] == region]


number = 0


def recorded(mpi, words, ranks, environment=None):
    """The archive of a run of inside.c; nothing where it could not be made."""
    global number
    compiler, launcher, recorder = mpi
    number += 1
    folder = scratch / f"{compiler}-{number}"
    done = subprocess.run([launcher, "-n", str(ranks), "env", f"LD_PRELOAD={recorder}", f"COLLSCOPE_TRACE={folder}",
                           str(binaries[compiler]), *words],
                          capture_output=True, text=True, timeout=120, env={**around, **(environment or {})})
    said = f"{compiler} {' '.join(words)} {environment or ''}"
    if not check(done.returncode == 0 and (folder / "traces.otf2").exists(), f"{said}: {done.returncode} {done.stderr}"):
        return None
    inside = Inside(folder)
    lines = inside.properties.get("COLLSCOPE_PROGRAM::INSIDE", "").split("\n")
    check(lines[0] == "yes" or (environment or {}).get("COLLSCOPE_INSIDE") == "no", f"{said}: {lines}")
    check(not inside.pending, f"{said}: {len(inside.pending)} messages were never complete")
    check(inside.unmatched == 0, f"{said}: {inside.unmatched} pairs of ranks disagree about their messages")
    check(inside.early == 0, f"{said}: {inside.early} messages arrived before they were sent")
    return inside


OPEN_MPI = {  # coll_tuned_NAME_algorithm = 1, 2, ...
    "allreduce": ["allreduce_intra_basic_linear", "allreduce_intra_nonoverlapping", "allreduce_intra_recursivedoubling",
                  "allreduce_intra_ring", "allreduce_intra_ring_segmented", "allreduce_intra_redscat_allgather"],
    "bcast": ["bcast_intra_basic_linear", "bcast_intra_chain", "bcast_intra_pipeline", "bcast_intra_split_bintree",
              "bcast_intra_bintree", "bcast_intra_binomial", "bcast_intra_knomial", "bcast_intra_scatter_allgather",
              "bcast_intra_scatter_allgather_ring"],
    "reduce": ["reduce_intra_basic_linear", "reduce_intra_chain", "reduce_intra_pipeline", "reduce_intra_binary",
               "reduce_intra_binomial", "reduce_intra_in_order_binary", "reduce_intra_redscat_gather"],
    "allgather": ["allgather_intra_basic_linear", "allgather_intra_bruck", "allgather_intra_recursivedoubling",
                  "allgather_intra_ring", "allgather_intra_neighborexchange", "allgather_intra_two_procs"],
    "allgatherv": ["allgatherv_intra_basic_default", "allgatherv_intra_bruck", "allgatherv_intra_ring",
                   "allgatherv_intra_neighborexchange", "allgatherv_intra_two_procs"],
    "alltoall": ["alltoall_intra_basic_linear", "alltoall_intra_pairwise", "alltoall_intra_bruck",
                 "alltoall_intra_linear_sync", "alltoall_intra_two_procs"],
    "alltoallv": ["alltoallv_intra_basic_linear", "alltoallv_intra_pairwise"],
    "barrier": ["barrier_intra_basic_linear", "barrier_intra_doublering", "barrier_intra_recursivedoubling",
                "barrier_intra_bruck", "barrier_intra_two_procs", "barrier_intra_tree"],
    "gather": ["gather_intra_basic_linear", "gather_intra_binomial", "gather_intra_linear_sync"],
    "scatter": ["scatter_intra_basic_linear", "scatter_intra_binomial", "scatter_intra_linear_nb"],
    "reduce_scatter": ["reduce_scatter_intra_nonoverlapping", "reduce_scatter_intra_basic_recursivehalving",
                       "reduce_scatter_intra_ring", "reduce_scatter_intra_butterfly"],
    "reduce_scatter_block": ["reduce_scatter_block_basic_linear", "reduce_scatter_block_intra_recursivedoubling",
                             "reduce_scatter_block_intra_recursivehalving", "reduce_scatter_block_intra_butterfly"],
    "scan": ["scan_intra_linear", "scan_intra_recursivedoubling"],
    "exscan": ["exscan_intra_linear", "exscan_intra_recursivedoubling"],
}
COUNT = 1024  # elements of 4 bytes


def sent_by(algorithm, p):
    """Messages of a whole collective of p = 2^k ranks, and their bytes, where a formula says them (m = 4 * COUNT)."""
    k, m = int(math.log2(p)), 4 * COUNT
    return {
        # each rank sends all in each of log p rounds
        "allreduce_intra_recursivedoubling": (p * k, p * k * m),
        # 2 (p - 1) rounds in which each rank sends a block of m / p
        "allreduce_intra_ring": (2 * (p - 1) * p, 2 * (p - 1) * m),
        # halving, then doubling: each rank sends m / 2 + m / 4 + ... twice
        "allreduce_intra_redscat_allgather": (2 * k * p, 2 * (p - 1) * m),
        # a tree hands all to p - 1 ranks, whatever its shape, in one segment
        "bcast_intra_basic_linear": (p - 1, (p - 1) * m),
        "bcast_intra_binomial": (p - 1, (p - 1) * m),
        "bcast_intra_bintree": (p - 1, (p - 1) * m),
        "bcast_intra_chain": (p - 1, (p - 1) * m),
        "bcast_intra_pipeline": (p - 1, (p - 1) * m),
        "reduce_intra_basic_linear": (p - 1, (p - 1) * m),
        "reduce_intra_binomial": (p - 1, (p - 1) * m),
        "allgather_intra_ring": (p * (p - 1), p * (p - 1) * m),
        "allgather_intra_recursivedoubling": (p * k, p * (p - 1) * m),
        "allgather_intra_bruck": (p * k, p * (p - 1) * m),
        "alltoall_intra_basic_linear": (p * (p - 1), p * (p - 1) * m),
        "alltoall_intra_pairwise": (p * (p - 1), p * (p - 1) * m),
        # log p rounds in which each rank sends half of its p blocks
        "alltoall_intra_bruck": (p * k, p * k * (p // 2) * m),
        "barrier_intra_recursivedoubling": (p * k, 0),
        "barrier_intra_bruck": (p * k, 0),
        "barrier_intra_doublering": (2 * p, 0),
        "barrier_intra_basic_linear": (2 * (p - 1), 0),
        "barrier_intra_tree": (2 * (p - 1), 0),
        "gather_intra_basic_linear": (p - 1, (p - 1) * m),
        # a tree: each rank hands on all of its subtree
        "gather_intra_binomial": (p - 1, p * k // 2 * m),
        "scatter_intra_binomial": (p - 1, p * k // 2 * m),
        "scatter_intra_linear_nb": (p - 1, (p - 1) * m),
    }.get(algorithm)


def name_of(collective):
    return "MPI_" + collective.capitalize()


def total(calls):
    return sum(len(call[5]) for call in calls), sum(size for call in calls for _, size in call[5])


def forced_in_open_mpi(mpi):
    for ranks in (4, 2):
        for choice in range(1, 10):
            chosen = {collective: names[choice - 1] for collective, names in OPEN_MPI.items()
                      if choice <= len(names) and names[choice - 1].endswith("two_procs") == (ranks == 2)}
            if not chosen:
                continue
            environment = {"OMPI_MCA_coll_tuned_use_dynamic_rules": "1"}
            environment |= {f"OMPI_MCA_coll_tuned_{collective}_algorithm": str(choice) for collective in chosen}
            inside = recorded(mpi, [word for collective in chosen for word in (collective, str(COUNT))], ranks, environment)
            if inside is None:
                continue
            asked = inside.properties["COLLSCOPE_PROGRAM::LIBRARY"].split("\n")
            for collective, algorithm in chosen.items():
                calls = inside.of(name_of(collective))
                said = f"{collective} {choice} on {ranks} ranks"
                check(f"asked coll_tuned_{collective}_algorithm={choice}" in asked, f"{said}: {asked}")
                check(len(calls) == ranks, f"{said}: {len(calls)} calls")
                for call in calls:
                    first = (call[3] or "").split(" + ")[0].split(":")[0]
                    check(first == algorithm and call[4] == "tuned", f"{said}: rank {call[1]} ran {call[3]} of {call[4]}")
                expected = sent_by(algorithm, ranks)
                check(expected in (None, total(calls)), f"{said}: {algorithm} sent {total(calls)}, not {expected}")
    segmented = recorded(mpi, ["bcast", "65536"], 4, {"OMPI_MCA_coll_tuned_use_dynamic_rules": "1",
                                                      "OMPI_MCA_coll_tuned_bcast_algorithm": "3",
                                                      "OMPI_MCA_coll_tuned_bcast_algorithm_segmentsize": "32768"})
    if segmented:
        calls = segmented.of("MPI_Bcast")
        check({call[3] for call in calls} == {"bcast_intra_pipeline:segsize=32768"}, f"segments: {calls[0]}")
        check(total(calls) == (3 * 8, 3 * 262144), f"segments: {total(calls)}")
    # A component that sets its own functions of completion; a broadcast in segments.
    adapted = recorded(mpi, ["bcast", "65536", "reduce", "65536"], 4, {"OMPI_MCA_coll_adapt_priority": "100"})
    if adapted:
        for collective in ("bcast", "reduce"):
            calls = adapted.of(name_of(collective))
            check({call[4] for call in calls} == {"adapt"} and total(calls)[0] >= 3, f"coll/adapt: {calls}")
    # What goes through shared memory alone is named.
    shared = recorded(mpi, ["allreduce", "16", "barrier", "1"], 4,
                      {"OMPI_MCA_coll": "sm,basic,libnbc", "OMPI_MCA_coll_sm_priority": "90"})
    if shared:
        for call in shared.of("MPI_Allreduce") + shared.of("MPI_Barrier"):
            check(call[4] == "sm" and call[3].startswith("sm_"), f"coll/sm: {call}")


MPICH = {  # MPIR_CVAR_NAME_INTRA_ALGORITHM, and what it sends on p = 2^k ranks
    ("allreduce", "recursive_doubling"): "allreduce_intra_recursivedoubling",
    ("allreduce", "reduce_scatter_allgather"): "allreduce_intra_redscat_allgather",
    ("bcast", "binomial"): "bcast_intra_binomial",
    ("allgather", "ring"): "allgather_intra_ring",
    ("allgather", "recursive_doubling"): "allgather_intra_recursivedoubling",
    ("allgather", "brucks"): "allgather_intra_bruck",
    ("alltoall", "pairwise"): "alltoall_intra_pairwise",
    ("alltoall", "brucks"): "alltoall_intra_bruck",
    ("gather", "binomial"): "gather_intra_binomial",
    ("scatter", "binomial"): "scatter_intra_binomial",
    ("reduce", "binomial"): "reduce_intra_binomial",
}


def forced_in_mpich(mpi):
    rest = dict(MPICH)
    while rest:
        chosen = {}
        for collective, algorithm in rest:
            chosen.setdefault(collective, algorithm)
        environment = {f"MPIR_CVAR_{collective.upper()}_INTRA_ALGORITHM": algorithm for collective, algorithm in chosen.items()}
        inside = recorded(mpi, [word for collective in chosen for word in (collective, str(COUNT))], 4, environment)
        for key in chosen.items():
            expected = sent_by(rest.pop(key), 4)
            if inside is None:
                continue
            calls = inside.of(name_of(key[0]))
            check(f"asked MPIR_CVAR_{key[0].upper()}_INTRA_ALGORITHM={key[1]}" in
                  inside.properties["COLLSCOPE_PROGRAM::LIBRARY"].split("\n"), f"{key}: {inside.properties}")
            check(total(calls) == expected, f"MPICH {key}: sent {total(calls)}, not {expected}")


def kinds(mpi):
    """Every kind of call within which a library sends."""
    inside = recorded(mpi, [], 4)
    if inside is None:
        return
    name = mpi[0]
    # Those of MPI_Neighbor_allgather on a ring are messages of the call.
    check(inside.program == 4 + 4 * 2, f"{name}: the program sent {inside.program} messages")
    # MPI_Iallreduce, MPI_Ibarrier and, where the library has MPI 4, two starts of a persistent allreduce.
    begun = 2 if "openmpi" in name else 4
    check(len(inside.of_request) == 4 * begun, f"{name}: messages of nonblocking collectives {dict(inside.of_request)}")
    if "openmpi" in name:
        check(set(inside.components.values()) == {"libnbc"}, f"{name}: components {inside.components}")
    for rank in range(4):
        # 1: MPI_Iallreduce of 4000 bytes; 2: MPI_Ibarrier, whose messages are empty.
        check(sum(inside.of_request[rank, 1]) >= 4000, f"{name}: {inside.of_request[rank, 1]} of MPI_Iallreduce")
        check(set(inside.of_request[rank, 2]) == {0}, f"{name}: {inside.of_request[rank, 2]} of MPI_Ibarrier")
    for region, least in (("MPI_Comm_dup", 4), ("MPI_Comm_split", 8), ("MPI_Cart_create", 4)):
        sent, _ = total(inside.of(region))
        check(sent >= least, f"{name}: {sent} messages within {region}")
    between = [call for call in inside.of("MPI_Allreduce") + inside.of("MPI_Bcast")
               if call[2] is not None and len(inside.groups[call[2]]) == 2]
    check(len(between) == 8, f"{name}: {len(between)} calls on an intercommunicator")
    # Two trees of two ranks each, and an exchange between the groups.
    check(total(between)[0] >= 6, f"{name}: {total(between)} within calls on an intercommunicator")
    strided = [call for call in inside.of("MPI_Bcast") if call not in between]
    check(total(strided) == (3, 3 * 2000), f"{name}: a strided type has {total(strided)}")
    silent = recorded(mpi, ["allreduce", "16"], 4, {"COLLSCOPE_INSIDE": "no"})
    if silent:
        check(not silent.sends and not silent.receives, f"{name}: COLLSCOPE_INSIDE=no records messages")
        check(silent.properties["COLLSCOPE_PROGRAM::INSIDE"].startswith("no: "), f"{name}: {silent.properties}")
    full = recorded_full(mpi)
    if full:
        check("not recorded: the records of" in full, f"{name}: a full record says {full!r}")


def recorded_full(mpi):
    """What an archive says whose room for messages was too small."""
    compiler, launcher, recorder = mpi
    folder = scratch / f"{compiler}-full"
    subprocess.run([launcher, "-n", "4", "env", f"LD_PRELOAD={recorder}", f"COLLSCOPE_TRACE={folder}", "COLLSCOPE_CALLS=6",
                    str(binaries[compiler]), *["allgather", "4"] * 4],
                   capture_output=True, text=True, timeout=120, env=around)
    inside = Inside(folder)
    regions = collections.Counter(call[0] for call in inside.calls)
    check(regions["MPI_Allgather"] == 16 and regions["MPI_Finalize"] == 4, f"{compiler}: messages take the room of calls: {regions}")
    return inside.properties["COLLSCOPE_PROGRAM::INSIDE"]


mpis = libraries(build)
binaries = {}
for compiler, *_ in mpis:
    binaries[compiler] = scratch / f"inside.{compiler}"
    made = subprocess.run([compiler, "-O1", "-o", str(binaries[compiler]), str(source / "tests/scripts/mpi/inside.c")],
                          capture_output=True, text=True)
    check(made.returncode == 0, made.stderr)
for mpi in mpis:
    kinds(mpi)
    (forced_in_open_mpi if "openmpi" in mpi[0] else forced_in_mpich)(mpi)
if not failures:
    print(number, "programs recorded with the messages of their library")
finish()
