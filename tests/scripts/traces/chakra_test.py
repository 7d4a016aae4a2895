# SPDX-License-Identifier: BSD-3-Clause
"""Chakra's execution traces as training jobs: times follow from durations and dependences, a replay gives collectives the
times of an algorithm, and broken files get a sentence.

Usage: chakra_test.py SOURCE_DIR PROGRAM
"""
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile

program = sys.argv[2]
scratch = tempfile.mkdtemp(prefix="collscope-chakra-")
COMPUTE, SEND, RECEIVE, COLLECTIVE = 4, 5, 6, 7
ALL_REDUCE, ALL_GATHER, REDUCE_SCATTER = 0, 2, 7


def run(*words):
    return subprocess.run([program, *words], capture_output=True, timeout=240, text=True)


def check(condition, what):
    if not condition:
        sys.exit(f"FAILED: {what}")


def near(found, right, what):
    check(abs(found - right) <= 1e-9 + 1e-6 * abs(right), f"{what}: {found} instead of {right}")


def varint(number):
    out = bytearray()
    while number >= 128:
        out.append(number & 127 | 128)
        number >>= 7
    out.append(number)
    return bytes(out)


def number(field, value):
    return varint(field << 3) + varint(value)


def words(field, value):
    value = value.encode() if isinstance(value, str) else value
    return varint(field << 3 | 2) + varint(len(value)) + value


def attribute(name, value):
    return words(10, words(1, name) + (words(29, value) if isinstance(value, str) else number(9, value)))


def node(identity, kind, name, micros=0, after=(), **facts):
    """A node: control dependences for even ones that it waits for, packed data dependences for odd ones."""
    message = number(1, identity) + words(2, name) + number(3, kind)
    for other in after:
        message += number(4, other) if other % 2 == 0 else words(5, varint(other))
    if micros:
        message += number(7, micros)
    for fact, value in facts.items():
        message += attribute(fact, value)
    return message


def written(name, ranks):
    folder = os.path.join(scratch, name)
    os.makedirs(folder)
    for rank, nodes in enumerate(ranks):
        with open(os.path.join(folder, f"job.{rank}.et"), "wb") as out:
            for message in [words(1, "0.0.4"), *nodes]:
                out.write(varint(len(message)) + message)
    return folder


def table(path, name):
    done = run("open", path, "--tables", name, "--format", "json")
    check(done.returncode == 0, f"{path} {name}: {done.stderr}")
    return json.loads(done.stdout)["tables"][name]["rows"]


# Forward, a hidden all_reduce beside the second backward, an exposed one, the optimizer. Rank 2 computes 500 us longer.
def step(rank, recorded=0):
    late = 500 if rank == 2 else 0
    return [node(0, COMPUTE, "forward", 1000), node(1, COMPUTE, "backward.1", 2000 + late, [0]),
            node(2, COMPUTE, "backward.0", 2000, [1]),
            node(3, COLLECTIVE, "reduce.1", recorded, [1], comm_type=ALL_REDUCE, comm_size=1 << 20),
            node(4, COLLECTIVE, "reduce.0", recorded, [2], comm_type=ALL_REDUCE, comm_size=1 << 22),
            node(5, COMPUTE, "optimizer", 700, [3, 4])]


folder = written("step", [step(rank) for rank in range(4)])
page = " ".join(run("open", folder).stdout.split())
check("Training job of 4 ranks" in page and "Straggler: rank 2 enters all_reduce 500 us late" in page, page)
check("2 collectives have no duration and take no time" in page, page)
check("profiler" not in page and "0 point-to-point" not in page, page)
row = table(folder, "steps")[0]
near(row["duration_s"], 6.2e-3, "the job without communication")
near(row["compute_s"], 5.7e-3, "computation of rank 0")
# A ring of 4 takes 6 (alpha + bytes / 4 beta). The first all_reduce hides behind backward.0, the second does not.
for alpha, beta in ((5, 0.1), (2, 1)):
    done = run("replay", folder, "--with", "all_reduce=allreduce/ring", "--alpha", f"{alpha}us", "--beta", f"{beta}ns/B", "--format", "json")
    check(done.returncode == 0, done.stderr)
    small, large = (6 * (alpha * 1e-6 + size / 4 * beta * 1e-9) for size in (1 << 20, 1 << 22))
    check(json.loads(done.stdout)["recorded_s"] == 6.2e-3, done.stdout)
    check("caution" not in run("replay", folder, "--alpha", f"{alpha}us", "--beta", f"{beta}ns/B").stdout, "nothing was measured")
    near(json.loads(done.stdout)["changed"]["time_s"], 5.5e-3 + max(large, small - 2e-3 + large) + 0.7e-3, f"alpha {alpha} us")

# Recorded durations are those of collectives once all have entered.
folder = written("recorded", [step(rank, 300) for rank in range(4)])
near(table(folder, "steps")[0]["duration_s"], 6.5e-3, "with recorded collectives")
check("have no duration" not in " ".join(run("open", folder).stdout.split()), "remarks")

# Process groups are those of their callers; contributions of all_gather are one rank's, those of reduce_scatter all.
ranks = [[node(1, COLLECTIVE, "gather", 100, comm_type=ALL_GATHER, comm_size=4096, pg_name=f"dp{rank % 2}"),
          node(2, COLLECTIVE, "scatter", 100, [1], comm_type=REDUCE_SCATTER, comm_size=4096, pg_name=f"tp{rank // 2}")]
         for rank in range(8)]
folder = written("groups", ranks)
rows = {(row["operation"], row["group"]): row for row in table(folder, "bandwidth")}
check(len(rows) == 6, rows)
for (operation, group), row in rows.items():
    check(row["ranks"] == (4 if "dp" in group else 2), row)
    check(row["size_bytes"] == (4 * 4096 if operation == "all_gather" else 4096), row)

# A collective alone, as in ASTRA-sim's microbenchmarks.
folder = written("alone_here", [[node(1, COLLECTIVE, "all_reduce", comm_type=ALL_REDUCE, comm_size=1 << 20)] for _ in range(4)])
page = " ".join(run("open", folder).stdout.split())
check("all_reduce in default_pg (4 ranks, 1 MiB): 1 call" in page, page)
done = run("replay", folder, "--with", "all_reduce=allreduce/ring", "--alpha", "2us", "--beta", "0.1ns/B", "--format", "json")
near(json.loads(done.stdout)["changed"]["time_s"], 6 * (2e-6 + (1 << 18) * 0.1e-9), "a collective alone")

# A pipeline of 3: each rank waits for the one before it.
ranks = []
for rank in range(3):
    nodes = [node(1, RECEIVE, "from", after=[], comm_src=rank - 1, comm_dst=rank, comm_size=8, comm_tag=7)] if rank else []
    nodes.append(node(2, COMPUTE, "stage", 1000, [1] if rank else []))
    if rank < 2:
        nodes.append(node(3, SEND, "to", after=[2], comm_src=rank, comm_dst=rank + 1, comm_size=8, comm_tag=7))
    ranks.append(nodes)
folder = written("pipeline", ranks)
near(max(row["duration_s"] for row in table(folder, "steps")), 3e-3, "a pipeline")

# One file stands for all; a folder with two jobs is refused.
done = run("open", os.path.join(folder, "job.1.et"))
check(done.returncode == 0 and "3 ranks" in done.stdout, done.stdout + done.stderr)
shutil.copy(os.path.join(folder, "job.0.et"), os.path.join(folder, "other.0.et"))
done = run("open", folder)
check(done.returncode == 2 and "several jobs" in done.stderr, done.stderr)

# One file is the job for every command, and a schedule of a collective, which its metadata names, is an algorithm for every
# command.
folder = os.path.join(scratch, "recorded")
first = os.path.join(folder, "job.0.et")
done = run("export", first, "-o", os.path.join(scratch, "job.otf2"))
check(done.returncode == 0 and "4 ranks" in run("open", os.path.join(scratch, "job.otf2")).stdout, f"export: {done.stderr}")
done = run("compare", first, os.path.join(scratch, "step", "job.0.et"), "--format", "json")
check(done.returncode == 0 and json.loads(done.stdout)["steps"]["rows"], f"compare: {done.stderr}")
done = run("export", first, "--view", "tracks", "-o", os.path.join(scratch, "job.svg"))
check(done.returncode == 0, f"picture: {done.stderr}")
done = run("replay", first, "--with", "all_reduce=allreduce/ring", "--alpha", "2us", "--beta", "0.1ns/B")
check(done.returncode == 0, f"replay: {done.stderr}")
schedule = os.path.join(scratch, "schedule")
os.makedirs(schedule)
for rank in range(2):
    with open(os.path.join(schedule, f"swap.{rank}.et"), "wb") as out:
        for message in (words(1, "0.0.4") + words(2, words(1, "collective") + words(29, "allgather")),
                        node(1, SEND, "s", comm_src=rank, comm_dst=1 - rank, comm_size=64, comm_tag=1),
                        node(2, RECEIVE, "r", comm_src=1 - rank, comm_dst=rank, comm_size=64, comm_tag=1)):
            out.write(varint(len(message)) + message)
first = os.path.join(schedule, "swap.0.et")
for command in ("run", "verify"):
    done = run(command, first)
    check(done.returncode == 0, f"{command}: {done.stdout} {done.stderr}")
for command in ("open", "replay"):
    done = run(command, first)
    check(done.returncode == 2 and "collscope run" in done.stderr, f"{command}: {done.stdout} {done.stderr}")

# What cannot end gets a sentence, and so do broken files.
for name, ranks, sentence in (
        ("circle", [[node(1, COMPUTE, "a", 1, [2]), node(2, COMPUTE, "b", 1, [1])]], "waits for a node that never ends"),
        ("missing", [[node(1, COMPUTE, "a", 1, [7])]], "node 1 waits for node 7, which does not exist"),
        ("twice", [[node(1, COMPUTE, "a", 1), node(1, COMPUTE, "a", 1)]], "node 1 twice"),
        ("alone", [[node(1, RECEIVE, "a", comm_src=5, comm_tag=1)]], "never ends"),
        ("uneven", [[node(1, COLLECTIVE, "a", comm_type=0, comm_size=8), node(2, COLLECTIVE, "b", comm_type=0, comm_size=8)],
                    [node(1, COLLECTIVE, "a", comm_type=0, comm_size=8)]], "another rank does not take part"),
        ("large", [[node(1, COLLECTIVE, "a", comm_type=0, comm_size=1 << 60)]], "bytes"),
        ("long", [[node(1, COMPUTE, "a", 1 << 62)]], "30 days")):
    done = run("open", written(name, ranks))
    check(done.returncode == 2 and sentence in done.stderr and done.stderr.count("\n") <= 2, f"{name}: {done.returncode} {done.stderr}")
chance = random.Random(3)
whole = open(os.path.join(scratch, "step", "job.0.et"), "rb").read()
spoiled = os.path.join(scratch, "spoiled")
shutil.copytree(os.path.join(scratch, "step"), spoiled)
for _ in range(60):
    content = bytearray(whole[:chance.randrange(1, len(whole))] if chance.random() < 0.3 else whole)
    for _ in range(chance.randrange(1, 6)):
        content[chance.randrange(len(content))] = chance.choice((0, 1, 127, 128, 255, chance.randrange(256)))
    with open(os.path.join(spoiled, "job.0.et"), "wb") as out:
        out.write(content)
    done = run("open", spoiled)
    check(done.returncode in (0, 2) and done.stderr.count("\n") <= 3, f"{bytes(content)!r}: {done.returncode} {done.stderr}")
shutil.rmtree(scratch)
