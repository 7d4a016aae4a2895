# SPDX-License-Identifier: BSD-3-Clause
"""A recorded run opens in OTF2's own tools: otf2-print has nothing to complain about, Python's otf2 reads every event.

Usage: otf2_reads_elsewhere_test.py SOURCE_DIR PROGRAM
"""
import collections
import os
import shutil
import subprocess
import sys
import tempfile

from debians_otf2 import otf2
from otf2.events import Enter, Leave, MpiRecv, MpiSend

if shutil.which("otf2-print") is None:
    print("skipped: otf2-print is not there (Debian: otf2-tools)")
    sys.exit(77)

program = sys.argv[2]
P, Q, SIZE = 3, 4, 65536
failures = []


def check(condition, words):
    if not condition:
        failures.append(words)
        print("FAILED:", words)


with tempfile.TemporaryDirectory() as scratch:
    folder = os.path.join(scratch, "ring")
    command = [program, "run", "halfduplex-allgather/ring-intragroup", "-p", str(P), "-q", str(Q), "--size", str(SIZE),
               "--trace", folder]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)} failed: {done.stderr}")
    anchor = os.path.join(folder, "traces.otf2")

    printed = subprocess.run(["otf2-print", "--show-all", anchor], capture_output=True, text=True, timeout=120)
    check(printed.returncode == 0 and printed.stderr == "", f"otf2-print: {printed.returncode} {printed.stderr!r}")
    check("INVALID" not in printed.stdout, "otf2-print finds something invalid")
    check("CART_TOPOLOGY" in printed.stdout, "otf2-print shows no topology")

    with otf2.reader.open(anchor) as trace:
        definitions = trace.definitions
        check(trace.timer_resolution == 10**12, f"the timer ticks {trace.timer_resolution} times a second")
        ranks = len(definitions.locations)
        check(ranks == P + Q, f"{ranks} locations for {P + Q} ranks")
        groups = {comm.name: len(comm.group.members) for comm in definitions.comms}
        check(groups == {"MPI_COMM_WORLD": P + Q, "group A": P, "group B": Q}, f"communicators: {groups}")
        counts = collections.Counter()
        clock = collections.Counter()
        arrived = collections.Counter()
        rounds = set()
        for location, event in trace.events:
            counts[type(event)] += 1
            check(event.time >= clock[location], f"{location} goes back in time")
            clock[location] = event.time
            if isinstance(event, (MpiSend, MpiRecv)):
                attached = {attribute.name: value for attribute, value in event.attributes.items()}
                rounds.add(attached["round"])
                check(attached["port_time"] > 0, "a port was busy for no time")
                check(event.msg_tag == attached["round"], "the tag is not the round")
                check(event.msg_length == SIZE, f"a message of {event.msg_length} bytes")
            if isinstance(event, MpiSend):
                check(attached["end"] - attached["begin"] == SIZE, f"contents of {attached}")
                arrived[event.receiver, attached["begin"] // SIZE] += 1
        # Each of B's ranks gets each of A's blocks once; on their way they pass other ranks too.
        wanted = [(rank, block) for rank in range(P, P + Q) for block in range(P)]
        check(all(arrived[one] == 1 for one in wanted), f"blocks that arrived: {dict(arrived)}")
        check(counts[MpiSend] == counts[MpiRecv] == sum(arrived.values()), f"events: {counts}")
        check(counts[Enter] == counts[Leave] > 0, f"stages: {counts}")
        check(sum(counts.values()) == sum(one.number_of_events for one in definitions.locations), f"events: {counts}")
        check(rounds == set(range(P + Q - 1)), f"rounds: {sorted(rounds)}")

print("failed" if failures else "otf2-print and Python's otf2 read the archive")
sys.exit(1 if failures else 0)
