#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""optima.py FILE: the least rounds of schedules between neighbours, by a SAT solver, for all small problems; run by hand.

    sudo apt-get install cadical
    python3 tests/golden/optima.py tests/golden/optima.tsv

One row a question. A message is between neighbours; in a round a rank sends, and receives, at most as many as it has
ports, and sends what it held before the round. `any`: a message may carry all that its sender holds, so rounds are
startups. `whole`: a message is one contribution. `first`: messages carry anything, and a rank is served by its first
needed contribution. Contributions without bytes are needed by nobody. `low`: fewer rounds were refuted; `high`: a
schedule of so many was found. They differ where the solver ran out of its time. Nothing of the program is used here.
Rows that stand in FILE already are kept, so that the script can be stopped and started again.
"""
import itertools
import os
import subprocess
import sys

SECONDS = 10  # of the solver for one question
LONGEST = 16  # rounds


class Formula:
    """Clauses over variables 1, 2, ..."""

    def __init__(self):
        self.variables = 0
        self.clauses = []

    def new(self):
        self.variables += 1
        return self.variables

    def add(self, *literals):
        self.clauses.append(literals)

    def at_most(self, most, literals):
        """At most `most` of them are true: Sinz's sequential counter."""
        if len(literals) <= most:
            return
        before = None
        for x in literals:
            row = [self.new() for _ in range(most)]
            self.add(-x, row[0])
            if before:
                for j in range(most):
                    self.add(-before[j], row[j])
                    if j > 0:
                        self.add(-x, -before[j - 1], row[j])
                self.add(-x, -before[-1])
            before = row

    def solvable(self):
        """True, False, or None where time ran out."""
        text = f"p cnf {self.variables} {len(self.clauses)}\n"
        text += "".join(" ".join(map(str, clause)) + " 0\n" for clause in self.clauses)
        done = subprocess.run(["cadical", "-q", "-n", "-t", str(SECONDS)], input=text, capture_output=True, text=True)
        return {10: True, 20: False}.get(done.returncode)


def coordinates(rank, lengths):
    place = []
    for length in reversed(lengths):
        place.append(rank % length)
        rank //= length
    return place


def adjacent(network, a, b):
    """Networks are named as --topology names them; ranks are numbered row-major."""
    if a == b or network == "full":
        return a != b
    kind, _, sizes = network.partition(":")
    lengths = [int(size) for size in sizes.split("x")]
    steps = []
    for length, x, y in zip(reversed(lengths), coordinates(a, lengths), coordinates(b, lengths)):
        step = abs(x - y)
        steps.append(min(step, length - step) if kind == "torus" else step)
    return sum(steps) == 1


def networks(ranks):
    """Full, ring, mesh in one dimension, and tori and meshes of all shapes."""
    yield "full"
    if ranks >= 3:
        yield f"torus:{ranks}"
        yield f"mesh:{ranks}"
    for rows in range(2, ranks):
        columns = ranks // rows
        if rows * columns == ranks and columns >= 2:
            yield f"torus:{rows}x{columns}"
            if max(rows, columns) > 2:
                yield f"mesh:{rows}x{columns}"
    if ranks == 8:
        yield "torus:2x2x2"


class Question:
    """Who holds what, who needs what, and what a message may carry."""

    def __init__(self, network, ranks, ports, owners, needs, kind):
        self.ranks, self.ports, self.owners, self.kind = ranks, ports, owners, kind
        self.needs = [[b for b in needs[r] if owners[b] != r] for r in range(ranks)]
        self.lanes = [(a, b) for a in range(ranks) for b in range(ranks) if adjacent(network, a, b)]

    def in_rounds(self, rounds):
        f = Formula()
        blocks = range(len(self.owners))
        holds = [[[f.new() for _ in blocks] for _ in range(self.ranks)] for _ in range(rounds + 1)]
        for r in range(self.ranks):
            for b in blocks:
                if self.owners[b] != r:
                    f.add(-holds[0][r][b])
        for t in range(rounds):
            out = [[] for _ in range(self.ranks)]
            into = [[] for _ in range(self.ranks)]
            brings = [[[] for _ in blocks] for _ in range(self.ranks)]
            for a, b in self.lanes:
                message = None if self.kind == "whole" else f.new()
                for block in blocks:
                    carries = f.new()
                    f.add(-carries, holds[t][a][block])
                    brings[b][block].append(carries)
                    if message:
                        f.add(-carries, message)
                    else:
                        out[a].append(carries)
                        into[b].append(carries)
                if message:
                    out[a].append(message)
                    into[b].append(message)
            for r in range(self.ranks):
                f.at_most(self.ports, out[r])
                f.at_most(self.ports, into[r])
                for block in blocks:
                    f.add(-holds[t + 1][r][block], holds[t][r][block], *brings[r][block])
        for r in range(self.ranks):
            if self.kind == "first":
                if self.needs[r]:
                    f.add(*(holds[rounds][r][b] for b in self.needs[r]))
            else:
                for b in self.needs[r]:
                    f.add(holds[rounds][r][b])
        return f.solvable()

    def least(self):
        if not any(self.needs):
            return 0, 0
        low, rounds = 1, 1
        while rounds <= LONGEST:
            answer = self.in_rounds(rounds)
            if answer:
                return low, rounds
            if answer is False and low == rounds:
                low = rounds + 1
            rounds += 1
        return low, 0


def masks(count, every):
    """Which contributions have bytes: all ways, or the telling ones."""
    if every:
        return [m for m in itertools.product((1, 0), repeat=count) if any(m)]
    ones = [1] * count
    telling = [ones, [0] + ones[1:], ones[:-1] + [0], [1] + [0] * (count - 1), [0] * (count - 1) + [1],
               [i % 2 for i in range(count)]]
    return sorted({tuple(m) for m in telling if any(m)}, reverse=True)


def questions():
    """All questions as (key, Question), the fast ones first."""
    kinds = ("any", "whole", "first")
    for ranks in range(2, 7):
        for network in networks(ranks):
            for ports in (1, 2):
                for root in range(1 if network == "full" or network.startswith("torus") else ranks):
                    yield (f"bcast {ranks} 0 {network} {ports} {root} any",
                           Question(network, ranks, ports, [root], [[0]] * ranks, "any"))
                for mask in masks(ranks, ranks <= 4):
                    owners = [r for r in range(ranks) if mask[r]]
                    for kind in kinds:
                        needs = [range(len(owners))] * ranks
                        yield (f"allgatherv {ranks} 0 {network} {ports} {','.join(map(str, mask))} {kind}",
                               Question(network, ranks, ports, owners, needs, kind))
    for total in range(2, 9):
        for p in range(max(1, total - 4), min(4, total - 1) + 1):
            q = total - p
            for network in networks(total):
                for ports in (1, 2):
                    for mask in masks(p, True):
                        owners = [r for r in range(p) if mask[r]]
                        needs = [[]] * p + [range(len(owners))] * q
                        for kind in kinds:
                            yield (f"halfduplex-allgather {p} {q} {network} {ports} {','.join(map(str, mask))} {kind}",
                                   Question(network, total, ports, owners, needs, kind))
                    for mask in masks(total, total <= 4):
                        owners = [r for r in range(total) if mask[r]]
                        ofA = [b for b, r in enumerate(owners) if r < p]
                        ofB = [b for b, r in enumerate(owners) if r >= p]
                        needs = [ofB] * p + [ofA] * q
                        for kind in kinds:
                            yield (f"intergroup-allgatherv {p} {q} {network} {ports} {','.join(map(str, mask))} {kind}",
                                   Question(network, total, ports, owners, needs, kind))
    for ranks in range(2, 6):
        for network in networks(ranks):
            for ports in (1, 2):
                yield from personal(network, ranks, ports)
    for total in range(2, 6):
        for p in range(1, total):
            for network in networks(total):
                for ports in (1, 2):
                    yield from personal_between(network, p, total - p, ports)


def rooted(network, ranks):
    return range(1 if network == "full" or network.startswith("torus") else ranks)


def personal(network, ranks, ports):
    """Collectives that want other things at different ranks: contributions with one receiver, and partial results.

    Who combines must have heard of those whose vectors are in its result; the others' rows of `any` say the same of
    more collectives: reduce-scatter, allreduce, barrier and an alltoall ask for what an allgather asks for.
    """
    everyone = list(range(ranks))
    yield (f"scan {ranks} 0 {network} {ports} 0 any",
           Question(network, ranks, ports, everyone, [range(r) for r in everyone], "any"))
    for root in rooted(network, ranks):
        for mask in masks(ranks, ranks <= 4):
            if sum(mask) == mask[root]:
                continue
            blocks = [r for r in everyone if mask[r]]
            words = f"{network} {ports} {root}/{','.join(map(str, mask))}"
            of_root = [range(len(blocks)) if r == root else [] for r in everyone]
            own = [[b for b, to in enumerate(blocks) if to == r] for r in everyone]
            for kind in ("any", "whole"):
                yield (f"gatherv {ranks} 0 {words} {kind}", Question(network, ranks, ports, blocks, of_root, kind))
                yield (f"scatterv {ranks} 0 {words} {kind}",
                       Question(network, ranks, ports, [root] * len(blocks), own, kind))
    if ranks > 4:
        return
    for mask in masks(ranks, ranks <= 3):
        pairs = [(a, b) for a in everyone for b in everyone if mask[a] and a != b]
        needs = [[i for i, (_, b) in enumerate(pairs) if b == r] for r in everyone]
        for kind in ("any", "whole"):
            yield (f"alltoallv {ranks} 0 {network} {ports} {','.join(map(str, mask))} {kind}",
                   Question(network, ranks, ports, [a for a, _ in pairs], needs, kind))


def personal_between(network, p, q, ports):
    """The same from group to group. An allreduce asks for what an allgather does; a broadcast is a half-duplex one."""
    total = p + q
    in_a, in_b = range(p), range(p, total)
    for root in range(total):
        others = list(in_b if root < p else in_a)
        needs = [range(len(others)) if r == root else [] for r in range(total)]
        yield (f"intergroup-reduce {p} {q} {network} {ports} {root} any",
               Question(network, total, ports, others, needs, "any"))
        needs = [[0] if r in others else [] for r in range(total)]
        yield (f"intergroup-bcast {p} {q} {network} {ports} {root} any",
               Question(network, total, ports, [root], needs, "any"))
    pairs = [(a, b) for a in in_a for b in in_b] + [(b, a) for b in in_b for a in in_a]
    needs = [[i for i, (_, b) in enumerate(pairs) if b == r] for r in range(total)]
    for kind in ("any", "whole") if total <= 4 else ("any",):
        yield (f"intergroup-alltoallv {p} {q} {network} {ports} {','.join(['1'] * total)} {kind}",
               Question(network, total, ports, [a for a, _ in pairs], needs, kind))


def main(path):
    known = {}
    if os.path.exists(path):
        with open(path, encoding="utf-8") as file:
            for line in file:
                if not line.startswith("#"):
                    *key, low, high = line.rstrip("\n").split("\t")
                    known["\t".join(key)] = (int(low), int(high))
    with open(path, "a", encoding="utf-8") as file:
        if not known:
            file.write("# collective\tp\tq\tnetwork\tports\tsizes or root\tmessages\tlow\thigh\n")
        for words, question in questions():
            key = words.replace(" ", "\t")
            if key in known:
                continue
            low, high = question.least()
            file.write(f"{key}\t{low}\t{high}\n")
            file.flush()


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(sys.argv[1])
