# SPDX-License-Identifier: BSD-3-Clause
"""Schedules as `show --format json` writes them, judged by a program that knows only that format and the papers.

It keeps which byte of the line every rank holds (gather-like) or every partial result a rank has seen (reductions) and
asks: did the sender hold what it sent before the round, are the ports respected, does everyone end with what the
collective promises, did nothing come twice, and are there as many rounds and bytes as the papers' corrected formulas
say?

Usage: schedules_reference_test.py SOURCE_DIR PROGRAM [SHARE]

Without a share, one for each processor judges one share of the algorithms.
"""
import collections
import json
import math
import os
import subprocess
import sys

import served

program = sys.argv[2]
shares = os.cpu_count() or 1
if len(sys.argv) < 4:
    judges = [subprocess.Popen([sys.executable, *sys.argv[:3], str(share)]) for share in range(shares)]
    sys.exit(max(one.wait() != 0 for one in judges))
share = int(sys.argv[3])
commands = served.Commands(program)
failures = []
judged = 0
seen_ids = set()


def lg(x):
    return (x - 1).bit_length()


def digits(x, base):
    """Rounds until `base` to their power reaches x."""
    rounds, reach = 0, 1
    while reach < x:
        rounds, reach = rounds + 1, reach * base
    return rounds


def show(identifier, arguments):
    code, out, err = commands.run("show", identifier, *arguments, "--format", "json")
    if code == 2:
        return None
    if code != 0:
        raise AssertionError(f"exit code {code}: {err}")
    return json.loads(out)


class Line:
    """A set of bytes as sorted disjoint half-open intervals."""

    def __init__(self, intervals=()):
        self.parts = []
        for begin, end in intervals:
            self.add(begin, end)

    def missing(self, begin, end):
        """The first byte of begin..end that is not in the set, or None."""
        for b, e in self.parts:
            if b <= begin < e:
                begin = e
            if begin >= end:
                return None
        return begin if begin < end else None

    def overlap(self, begin, end):
        return next((max(b, begin) for b, e in self.parts if b < end and begin < e), None)

    def add(self, begin, end):
        kept = []
        for b, e in self.parts:
            if e < begin or end < b:
                kept.append((b, e))
            else:
                begin, end = min(b, begin), max(e, end)
        self.parts = sorted([*kept, (begin, end)]) if begin < end else sorted(kept)


def rounds_of(schedule):
    by_round = collections.defaultdict(list)
    for message in schedule["messages"]:
        by_round[message["round"]].append(message)
    last = max(by_round, default=-1)
    assert last < schedule["rounds"], f"a message of round {last}, but {schedule['rounds']} rounds are announced"
    return [by_round[i] for i in range(schedule["rounds"])]


def judge_ports(schedule, number, messages):
    sends = collections.Counter(m["from"] for m in messages)
    receives = collections.Counter(m["to"] for m in messages)
    for counted, what in ((sends, "sends"), (receives, "receives")):
        for rank, times in counted.items():
            assert times <= schedule["ports"], f"round {number}: rank {rank} {what} {times} times on {schedule['ports']} ports"
            assert 0 <= rank, f"round {number}: rank {rank}"
    for m in messages:
        assert m["from"] != m["to"], f"round {number}: rank {m['from']} talks to itself"


def judge_neighbours(kind, schedule, messages, number):
    if kind == "ring":
        n = schedule["ranks"]
        for m in messages:
            assert (m["from"] - m["to"]) % n in (1, n - 1), f"round {number}: {m['from']} -> {m['to']} are no neighbours"


def judge_gather(schedule):
    line, owners = 0, []
    for contribution in schedule["contributions"]:
        owners.append((contribution["rank"], contribution.get("to"), line, line + contribution["bytes"]))
        line += contribution["bytes"]
    holds = collections.defaultdict(Line)
    for rank, _, begin, end in owners:
        holds[rank].add(begin, end)
    for number, messages in enumerate(rounds_of(schedule)):
        judge_ports(schedule, number, messages)
        arrivals = collections.defaultdict(list)
        for m in messages:
            assert sum(e - b for b, e in m["ranges"]) == m["bytes"], f"round {number}: {m}: bytes are not the ranges'"
            for begin, end in m["ranges"]:
                gap = holds[m["from"]].missing(begin, end)
                assert gap is None, f"round {number}: rank {m['from']} sends byte {gap} to {m['to']}, which it does not hold"
                arrivals[m["to"]].append((begin, end))
        for rank, intervals in arrivals.items():
            for begin, end in intervals:
                again = holds[rank].overlap(begin, end)
                assert again is None or "repeats" in schedule, f"round {number}: rank {rank} receives byte {again} a second time"
                holds[rank].add(begin, end)
    p = schedule.get("groups", {}).get("a", schedule["ranks"])
    q = schedule.get("groups", {}).get("b", 0)
    everyone = range(p + q)
    for rank in everyone:
        for owner, to, begin, end in owners:
            collective = schedule["collective"]
            needed = (rank == to if to is not None else
                      collective in ("bcast", "allgatherv")
                      or collective == "halfduplex-allgather" and rank >= p
                      or collective in ("intergroup-allgatherv", "intergroup-bcast") and (rank < p) != (owner < p))
            if needed:
                gap = holds[rank].missing(begin, end)
                assert gap is None, f"in the end rank {rank} lacks byte {gap}, contributed by rank {owner}"


def composed(terms, pieces):
    """Whether the sequence is one piece after another."""
    reachable = {0}
    for at in range(len(terms)):
        if at in reachable:
            for piece in pieces:
                if piece and tuple(terms[at:at + len(piece)]) == piece:
                    reachable.add(at + len(piece))
    return len(terms) in reachable


def who_and_what(schedule, exclusive):
    """By rank: whose contributions its result must have, and of which bytes of the vector; None: it needs none."""
    ranks = schedule["ranks"] - schedule.get("dummies", 0)
    p = schedule.get("groups", {}).get("a", ranks)
    vector = max((c["bytes"] for c in schedule["contributions"]), default=0)
    element = 4
    other = [set(range(p, ranks)) if rank < p else set(range(p)) for rank in range(ranks)]
    wanted = []
    for rank in range(ranks):
        everyone, whole = set(range(ranks)), (0, vector)
        units = vector // element
        wanted.append({
            "allreduce": (everyone, whole),
            "barrier": (everyone, whole),
            "reduce": (everyone, whole) if rank == schedule.get("root") else None,
            "reduce-scatter": (everyone, (rank * units // ranks * element, (rank + 1) * units // ranks * element)),
            "scan": None if exclusive and rank == 0 else (set(range(rank + (0 if exclusive else 1))), whole),
            "intergroup-reduce": (other[rank], whole) if rank == schedule.get("root") else None,
            "intergroup-allreduce": (other[rank], whole),
        }[schedule["collective"]])
    return wanted, vector


def judge_reduction(schedule, exact, exclusive):
    """The vector falls into parts at every place where some message or result begins or ends: each is judged alone."""
    wanted, vector = who_and_what(schedule, exclusive)
    cuts = {0, max(vector, 1)}
    everything = [piece for m in schedule["messages"] for piece in m.get("pieces", [])]
    everything += [piece for result in schedule["final"] if result for piece in result if isinstance(piece, dict)]
    for piece in everything:
        cuts.update(piece["range"])
    for need in wanted:
        if need and vector:
            cuts.update(need[1])
    cuts = sorted(cuts)
    rounds = rounds_of(schedule)
    for number, messages in enumerate(rounds):
        judge_ports(schedule, number, messages)
        for m in messages:
            if "pieces" in m:
                assert sum(piece["range"][1] - piece["range"][0] for piece in m["pieces"]) == m["bytes"], \
                    f"round {number}: {m['from']} -> {m['to']}: bytes are not the pieces'"
    for begin, end in zip(cuts, cuts[1:]):
        judge_part(schedule, rounds, wanted, vector, exact, begin, f"bytes {begin} to {end}: ")


def terms_in(one, begin):
    """The contributions of a message, or a result, in the part that begins there; None where it carries nothing of it."""
    pieces = one.get("pieces") if isinstance(one, dict) else one
    if isinstance(one, dict) and "terms" in one:
        return one["terms"]
    if pieces and isinstance(pieces[0], dict):
        return next((piece["terms"] for piece in pieces if piece["range"][0] <= begin < piece["range"][1]), None)
    return pieces if not isinstance(one, dict) else None


def judge_part(schedule, rounds, wanted, vector, exact, begin, where):
    seen = collections.defaultdict(set)
    ranks = schedule["ranks"] - schedule.get("dummies", 0)
    for rank in range(ranks):
        seen[rank].add((rank,))
    for number, messages in enumerate(rounds):
        arrivals = []
        for m in messages:
            terms = terms_in(m, begin)
            if terms is None:
                continue
            assert composed(terms, seen[m["from"]]), \
                f"{where}round {number}: rank {m['from']} sends {terms}, which cannot be made of {sorted(seen[m['from']])}"
            arrivals.append((m["to"], tuple(terms)))
        for rank, terms in arrivals:
            seen[rank].add(terms)
    for rank in range(ranks):
        result = schedule["final"][rank]
        if wanted[rank] is None:
            assert result is None, f"rank {rank} needs no result, but one is told"
            continue
        contributors, (first, last) = wanted[rank]
        if vector and not first <= begin < last:
            continue
        result = terms_in(result, begin)
        if not vector and result is None:
            continue  # a vector without bytes that is cut has no parts
        assert result is not None, f"{where}rank {rank} has no result"
        assert composed(result, seen[rank]), f"{where}the result of rank {rank} cannot be made of what it received"
        times = collections.Counter(result)
        if exact:
            assert times == collections.Counter(contributors), f"{where}the result of rank {rank} is {result}"
        else:
            assert set(times) == contributors, f"{where}rank {rank} does not hear of everyone: {result}"


REDUCTIONS = ("allreduce", "barrier", "reduce", "reduce-scatter", "scan", "intergroup-reduce", "intergroup-allreduce")


def judge(identifier, arguments, rounds=None, volume=None, wiring=None, exact=True):
    """rounds: number or None; volume: sum over rounds of the largest message, or None. Refusals are counted as none. Whether
    there was a schedule; of the algorithms of others, as if."""
    global judged
    if identifier not in mine:
        return True
    words = " ".join([identifier, *arguments])
    try:
        schedule = show(identifier, arguments)
        if schedule is None:
            return False
        judged += 1
        seen_ids.add(identifier)
        assert schedule["algorithm"] == identifier and schedule["collective"] == identifier.split("/")[0]
        if schedule["collective"] in REDUCTIONS:
            judge_reduction(schedule, exact, "exclusive=yes" in arguments)
        else:
            judge_gather(schedule)
        for number, messages in enumerate(rounds_of(schedule)):
            judge_neighbours(wiring, schedule, messages, number)
        if rounds is not None:
            assert schedule["rounds"] == rounds, f"{schedule['rounds']} rounds, not {rounds}"
        if volume is not None:
            largest = sum(max((m["bytes"] for m in messages), default=0) for messages in rounds_of(schedule))
            assert largest == volume, f"volume {largest}, not {volume}"
        return True
    except AssertionError as fault:
        failures.append(f"{words}: {fault}")
        print("FAILED:", words, "-", fault)
        return True


def intergroup(p, q, size, *more):
    return ["-p", str(p), "-q", str(q), "--size", str(size), *more]


def within(n, size, *more):
    return ["-n", str(n), "--size", str(size), *more]


listed = json.loads(commands.run("list", "algorithms", "--format", "json")[1])
identifiers = sorted(entry["id"] for entry in listed if not entry["id"].endswith("/native"))  # those have no schedule
mine = set(identifiers[share::shares])
broadcasts = [identifier for identifier in identifiers if identifier.startswith("bcast/")]

PAIRS = [(1, 1), (1, 4), (2, 3), (3, 2), (3, 6), (5, 1), (5, 5), (7, 3), (4, 11), (11, 13), (25, 7), (7, 26), (9, 27)]
EVEN = [(2, 2), (2, 8), (8, 2), (10, 14), (26, 28), (28, 26), (6, 30), (30, 6)]

for p, q in PAIRS + EVEN:
    whole = 1200
    bound = p - 1 + -(-q // 2) + (1 if p == 1 and q % 2 == 0 else 0)
    judge("halfduplex-allgather/ring-belts", intergroup(p, q, whole), rounds=bound, volume=bound * whole, wiring="ring")
    judge("halfduplex-allgather/ring-belts", intergroup(p, q, whole, "--set", "segments=4"), wiring="ring",
          rounds=None if p == 1 and q % 2 == 0 else 4 * p + -(-q // 2) - 1)
    judge("halfduplex-allgather/ring-intragroup", intergroup(p, q, whole), rounds=p + q - 1, wiring="ring")
    judge("halfduplex-allgather/ring-streams", intergroup(p, q, whole), wiring="ring",
          rounds=p + q // 2 if (p, q) in EVEN else None)
    judge("halfduplex-allgather/root-gathering", intergroup(p, q, whole))
    fan = -(-q // p)
    judge("halfduplex-allgather/fully-connected", intergroup(p, q, whole, "--set", "broadcast=binomial"),
          rounds=(lg(fan + 1) if p < q else 1) + lg(p))
    judge("halfduplex-allgather/fully-connected", intergroup(p, q, whole),
          rounds=1 + lg(p) if p >= q else None, volume=p * whole if p >= q else None)
    judge("intergroup-allgatherv/root-gathering", intergroup(p, q, 700, "--size-b", "900"))
    judge("intergroup-allgatherv/root-gathering-production", intergroup(p, q, 700, "--size-b", "900"))
    large, small = max(p, q), min(p, q)
    for gather in ("bruck", "ring"):
        judge("intergroup-allgatherv/segmented", intergroup(p, q, 2520, "--set", "pad=no", "--set", f"gather={gather}"),
              rounds=-(-large // small) + lg(large) if gather == "bruck" else None)
    judge("intergroup-allgatherv/segmented", intergroup(p, q, 2520, "--size-b", "5040"))
    for order in ("paper", "rank", "greedy"):
        judge("intergroup-allgatherv/balanced", intergroup(p, q, 997, "--sizes", "linear", "--set", f"order={order}"))
    for segmented in ("yes", "no"):
        judge("intergroup-allgatherv/two-stage", intergroup(p, q, 2520, "--set", f"segmented={segmented}"))

for lengths, a in (((4, 3), 1), ((6, 4), 3), ((5, 2, 3), 2), ((7, 3), 4)):
    rest = math.prod(lengths[1:])
    b = lengths[0] - a
    volume = (a - 1 + -(-b // 2) + (1 if a == 1 and b % 2 == 0 else 0))
    if not judge("halfduplex-allgather/torus-belts",
                 intergroup(a * rest, b * rest, 60, "--topology", "torus:" + "x".join(map(str, lengths)))):
        failures.append(f"torus-belts refuses {lengths}, {a} layers")

for n in (1, 2, 3, 6, 9, 14, 31, 33, 50, 64):
    for root in sorted({0, n // 2, n - 1}):
        more = ["--root", str(root)]
        size = 5040 * n
        judge("bcast/flat", within(n, size, *more), rounds=n - 1, volume=(n - 1) * size)
        judge("bcast/chain", within(n, size, *more), rounds=n - 1, volume=(n - 1) * size)
        if n > 1:
            judge("bcast/pipelined-chain", within(n, size, *more, "--set", "segments=7"), rounds=7 + n - 2,
                  volume=(7 + n - 2) * size // 7)
        height, last = n.bit_length() - 1, n - 2 ** (n.bit_length() - 1) + 1
        if n > 1:
            heap = max(2 * (height - 1), height + max(bin(j).count("1") for j in range(last)))
            judge("bcast/binary-tree", within(n, size, *more), rounds=heap, volume=heap * size)
        judge("bcast/binomial-tree", within(n, size, *more), rounds=lg(n), volume=lg(n) * size)
        judge("bcast/split-binary-tree", within(n, size, *more, "--set", "segments=6"))
        judge("bcast/scatter-ring-allgather", within(n, size, *more), rounds=lg(n) + n - 1, volume=2 * size // n * (n - 1))
        judge("bcast/scatter-recursive-doubling-allgather", within(n, size, *more), rounds=2 * lg(n),
              volume=2 * size // n * (n - 1))
        groups = (2, 3, 5)[(n + root) % 3]
        for broadcast in broadcasts:
            judge(broadcast, within(n, 9973, *more))
            judge(broadcast, within(n, 9973, *more, "--set", f"groups={groups}"))

for n in (1, 2, 3, 5, 9, 12, 29, 37, 64):
    for sizes in ("regular", "broadcast", "spike", "half-full", "linear", "geometric"):
        more = ["--sizes", sizes]
        judge("allgatherv/linear-ring", within(n, 4096, *more), rounds=n - 1, wiring="ring" if n > 2 else None)
        for options in ([], ["split=even"], ["empty=skipped"], ["empty=skipped", "placement=equidistant"], ["block=auto"]):
            sets = [word for option in options for word in ("--set", option)]
            if "block=auto" not in options:
                sets += ["--set", "block=1000"]
            judge("allgatherv/pipelined-ring", within(n, 4096, *more, *sets))
        judge("allgatherv/bruck", within(n, 4096, *more), rounds=lg(n))
        judge("allgatherv/recursive-doubling", within(n, 4096, *more), rounds=lg(n) if n & (n - 1) == 0 else None)

for n in (1, 2, 3, 4, 7, 8, 11, 16, 23, 27, 40, 49, 63, 64):
    floor = n.bit_length() - 1
    power = n & (n - 1) == 0
    judge("allreduce/pairwise-exchange", within(n, 512), rounds=floor + (0 if power else 2))
    judge("allreduce/binomial-tree", within(n, 512), rounds=2 * lg(n))
    judge("allreduce/butterfly", within(n, 512, "--set", "neutral=yes"), rounds=lg(n))
    judge("barrier/butterfly", within(n, 0), exact=False)
    for ways in (1, 2, 3, 5, 8):
        more = ["--ports", str(ways), "--set", f"n={ways}"]
        for name in ("dissemination", "adapted-dissemination", "bruck"):
            variants = [more, ["--set", f"n={ways}"], ["--ports", str(ways)]]
            for variant in variants:
                if judge(f"allreduce/{name}", within(n, 512, *variant)):
                    break
        for variant in (more, ["--set", f"n={ways}"], ["--ports", str(ways)]):
            if judge("barrier/dissemination", within(n, 0, *variant), exact=False):
                break

def power_of_two(n):
    return n & (n - 1) == 0


# The collectives of MPI: rounds on one port as their sources say them.
for n in (1, 2, 3, 4, 7, 8, 13, 16):
    for root in sorted({0, n // 2, n - 1}):
        more = ["--root", str(root)]
        size = 480 * n
        judge("reduce/flat", within(n, size, *more), rounds=n - 1, volume=(n - 1) * size)
        judge("reduce/chain", within(n, size, *more), rounds=n - 1, volume=(n - 1) * size)
        if n > 1:
            judge("reduce/pipelined-chain", within(n, size, *more, "--set", "segments=6"), rounds=6 + n - 2,
                  volume=(6 + n - 2) * size // 6)
        judge("reduce/binomial-tree", within(n, size, *more), rounds=lg(n), volume=lg(n) * size)
        judge("reduce/reduce-scatter-gather", within(n, size, *more), rounds=2 * lg(n) if power_of_two(n) else None)
        judge("gatherv/flat", within(n, size, *more), rounds=n - 1, volume=(n - 1) * size)
        judge("gatherv/binomial-tree", within(n, size, *more), rounds=lg(n), volume=(n - 1) * size)
        judge("scatterv/flat", within(n, size, *more), rounds=n - 1, volume=(n - 1) * size)
        judge("scatterv/binomial-tree", within(n, size, *more), rounds=lg(n), volume=(n - 1) * size)
        if n > 1:
            judge("bcast/circulant", within(n, size, *more, "--set", "segments=5"), rounds=5 - 1 + lg(n))
            judge("reduce/circulant", within(n, size, *more, "--set", "segments=5"), rounds=5 - 1 + lg(n))
        for identifier in identifiers:
            if identifier.split("/")[0] in ("reduce", "bcast", "gatherv", "scatterv"):
                judge(identifier, within(n, 44, *more))
                judge(identifier, within(n, 9972, *more))
            if identifier.split("/")[0] in ("gatherv", "scatterv"):
                judge(identifier, within(n, 100, *more, "--sizes", "half-full"))
    block = 60
    judge("reduce-scatter/ring", within(n, block * n), rounds=n - 1, volume=(n - 1) * block)
    judge("reduce-scatter/recursive-halving", within(n, block * n), rounds=lg(n) if power_of_two(n) else None,
          volume=(n - 1) * block if power_of_two(n) else None)
    judge("reduce-scatter/pairwise-exchange", within(n, block * n), rounds=n - 1, volume=(n - 1) * block)
    judge("reduce-scatter/circulant", within(n, block * n), rounds=lg(n), volume=(n - 1) * block)
    judge("allreduce/ring", within(n, block * n), rounds=2 * (n - 1), volume=2 * (n - 1) * block)
    judge("allreduce/reduce-scatter-allgather", within(n, block * n), rounds=2 * lg(n) if power_of_two(n) else None,
          volume=2 * (n - 1) * block if power_of_two(n) else None)
    judge("allreduce/circulant", within(n, block * n), rounds=2 * lg(n), volume=2 * (n - 1) * block)
    judge("allgatherv/circulant", within(n, block), rounds=lg(n), volume=(n - 1) * block)
    judge("allgatherv/sparbit", within(n, block), rounds=lg(n))
    judge("allgatherv/neighbour-exchange", within(n, block), rounds=n // 2)
    judge("allreduce/swing", within(n, block * n), rounds=2 * lg(n))
    for sizes in ("regular", "half-full", "linear"):
        more = ["--sizes", sizes]
        judge("alltoallv/flat", within(n, block, *more), rounds=n - 1)
        judge("alltoallv/pairwise-exchange", within(n, block, *more), rounds=n - 1,
              volume=(n - 1) * block if sizes == "regular" else None)
        judge("alltoallv/ring", within(n, block, *more), rounds=n - 1, wiring="ring" if n > 2 else None)
        judge("alltoallv/bruck", within(n, block, *more), rounds=lg(n))
    for exclusive in ("no", "yes"):
        more = ["--set", f"exclusive={exclusive}"]
        judge("scan/linear", within(n, block, *more), rounds=n - 1 if exclusive == "no" else None)
        judge("scan/recursive-doubling", within(n, block, *more), rounds=lg(n) if exclusive == "no" else None)
        judge("scan/binomial-tree", within(n, block, *more))
    for identifier in identifiers:
        collective = identifier.split("/")[0]
        if collective in ("allreduce", "reduce-scatter", "scan"):
            judge(identifier, within(n, 44))
            judge(identifier, within(n, 4 * 61))
        if collective in ("allgatherv", "alltoallv"):
            judge(identifier, within(n, 37, "--sizes", "linear"))
        if collective == "barrier":
            judge(identifier, within(n, 0), exact=False)
        if collective in ("reduce", "gatherv", "scatterv", "allgatherv", "allreduce", "barrier"):
            judge(identifier, within(n, 240, "--set", "groups=3"), exact=collective != "barrier")

for p, q in ((1, 1), (1, 4), (4, 1), (3, 2), (2, 5), (4, 4), (7, 3)):
    for identifier in identifiers:
        collective = identifier.split("/")[0]
        if collective in ("intergroup-bcast", "intergroup-reduce"):
            for root in sorted({0, p - 1, p, p + q - 1}):
                judge(identifier, intergroup(p, q, 240, "--root", str(root)))
        if collective == "intergroup-allreduce":
            judge(identifier, intergroup(p, q, 244))
        if collective == "intergroup-alltoallv":
            judge(identifier, intergroup(p, q, 24, "--size-b", "36"))

# What was judged is what there is.
for identifier in sorted(mine):
    if identifier not in seen_ids:
        failures.append(identifier)
        print("FAILED: no schedule judged of", identifier)
print(f"{judged} schedules judged, {len(failures)} wrong")
sys.exit(1 if failures else 0)
