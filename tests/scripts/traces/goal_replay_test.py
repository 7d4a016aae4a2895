# SPDX-License-Identifier: BSD-3-Clause
"""replay of GOAL text: times follow from what each operation requires, whatever order the file has; a replay that was written
as GOAL takes the same time again; networks and placements change it; what cannot be replayed gets a sentence.

Usage: goal_replay_test.py SOURCE_DIR PROGRAM
"""
import json
import os
import shutil
import subprocess
import sys
import tempfile

from kineto_job import Job

program = sys.argv[2]
scratch = tempfile.mkdtemp(prefix="collscope-goal-")
made = 0


def run(*words):
    return subprocess.run([program, *words], capture_output=True, timeout=240, text=True)


def check(condition, what):
    if not condition:
        sys.exit(f"FAILED: {what}")


def near(found, right, what, within=1e-12):
    check(abs(found - right) <= within, f"{what}: {found} instead of {right}")


def written(*ranks):
    """A file in which each rank has these lines."""
    global made
    made += 1
    path = os.path.join(scratch, f"{made}.goal")
    with open(path, "w") as out:
        out.write(f"num_ranks {len(ranks)}\n")
        for rank, lines in enumerate(ranks):
            out.write(f"rank {rank} {{\n" + "".join(line + "\n" for line in lines) + "}\n")
    return path


def answer(path, *flags, code=0):
    done = run("replay", path, "--format", "json", *flags)
    check(done.returncode == code, f"{path} {flags}: {done.returncode} {done.stderr}")
    return json.loads(done.stdout)


COSTS = ("--alpha", "2us", "--beta", "1ns/B")  # a message of 1000 bytes takes 3 us


def takes(microseconds, *ranks, flags=()):
    near(answer(written(*ranks), *COSTS, *flags)["replayed"]["time_s"], microseconds * 1e-6, f"{ranks}")


# One after the other, and what nothing joins at once.
takes(4.5, ["a: calc 1000", "b: send 1000b to 1 tag 3", "b requires a"],
      ["a: recv 1000b from 0 tag 3", "b: calc 500", "b requires a"])
takes(3, ["calc 1000", "send 1000b to 1"], ["recv 1000b from 0", "calc 500"])
# One cpu calculates one thing at a time, several at once; irequires waits for a begin.
takes(3, ["calc 1000", "calc 2000"])
takes(2, ["calc 1000", "calc 2000 cpu 1"])
takes(2, ["a: calc 1000", "b: calc 2000 cpu 1", "b irequires a"])
takes(3, ["a: calc 1000", "b: calc 2000 cpu 1", "b requires a"])
# Two messages leave one after the other, and are awaited in the order in which they come: rank 3 gets that of rank 2 first.
relay = ["a: recv 1000b from 0", "b: recv 1000b from 2", "c: send 1000b to 3 tag 1", "c requires a",
         "d: send 1000b to 3 tag 2", "d requires b"]
for lines in (relay, [relay[1], relay[0], relay[4], relay[5], relay[2], relay[3]]):
    takes(16, ["a: calc 10000", "b: send 1000b to 1", "b requires a"], lines, ["send 1000b to 1"],
          ["recv 1000b from 1 tag 1", "recv 1000b from 1 tag 2"])
# An operation may require several, and several may require one.
takes(7, ["a: calc 1000", "b: calc 3000 cpu 1", "c: send 1000b to 1", "c requires a", "c requires b", "d: calc 1000 cpu 2",
          "d requires b"], ["a: recv 1000b from 0", "b: calc 1000", "b requires a"])
# Twice as fast processors.
path = written(["a: calc 1000", "b: send 1000b to 1", "b requires a"], ["a: recv 1000b from 0", "b: calc 500", "b requires a"])
near(answer(path, *COSTS, "--compute", "0.5")["changed"]["time_s"], 3.75e-6, "half of the computation")
# Activities add up, and nothing was recorded.
its = answer(path, *COSTS)
rows = {row["activity"]: row for row in its["tables"]["activities"]["rows"]}
near(sum(row["replayed_s"] for name, row in rows.items() if name != "total"), 4.5e-6, "activities")
near(rows["computation"]["replayed_s"], 0.75e-6, "computation")
check("recorded_s" not in rows["total"] and its["recorded_s"] is None and its["error_share"] is None, its)
text = run("replay", path, *COSTS).stdout
check("recorded" not in text and "model error" not in text and text.startswith("2 ranks, 1 point-to-point message\n"), text)
check("alpha and beta are assumed" in " ".join(run("replay", path).stdout.split()), "assumed costs")

# On a ring of 4 with two messages at once: neighbours have links of their own; with another placement both pass the same.
pairs = [["send 1000000b to 1"], ["recv 1000000b from 0"], ["send 1000000b to 3"], ["recv 1000000b from 2"]]
path = written(*pairs)
near(answer(path, *COSTS, "--topology", "ring")["changed"]["time_s"], 1.002e-3, "neighbours")
places = os.path.join(scratch, "places")
with open(places, "w") as out:
    out.write("0 2 1 3\n")
apart = answer(path, *COSTS, "--topology", "ring", "--placement", "@" + places)
check(apart["changed"]["time_s"] > 1.9e-3 and abs(apart["replayed"]["time_s"] - 1.002e-3) < 1e-9, f"another placement: {apart['changed']}")
loggp = answer(path, "--loggp", "L=5us,o=1us,g=0s,G=1ns/B")
near(loggp["replayed"]["time_s"], 1e-6 + 999999e-9 + 5e-6 + 1e-6, "LogGP")
check(loggp["changed"] is None, "costs alone are no change")

# The replay of a job, written as GOAL, takes as long again, with any algorithm.
folder = os.path.join(scratch, "job")
Job(ring=(5, 0.05)).write(folder)
costs = ("--alpha", "5us", "--beta", "0.05ns/B")
for algorithm in ("ring", "double-tree", "pairwise-exchange"):
    path = os.path.join(scratch, algorithm + ".goal")
    before = answer(folder, *costs, "--with", f"all_reduce=allreduce/{algorithm}", "--goal", path)["changed"]["time_s"]
    near(answer(path, *costs)["replayed"]["time_s"], before, algorithm, 2e-6)
# And so does its recording, whose ranks compute as long.
archive = os.path.join(scratch, "archive")
its = answer(path, *costs, "--trace", archive)
again = answer(archive, *costs)
near(again["recorded_s"], its["replayed"]["time_s"], "the recording", 1e-9)
done = run("open", archive)
check(done.returncode == 0 and "8 ranks" in done.stdout, done.stderr)

# Operations that wait forever are named by their lines; so are messages without an other end.
both = (["a: send 8b to 1", "b: recv 8b from 1", "b requires a"], ["a: send 8b to 0", "b: recv 8b from 0", "b requires a"])
near(answer(written(*both), *COSTS)["replayed"]["time_s"], 4.016e-6, "sends that leave before the receives are posted")
stuck = answer(written(*both), *COSTS, "--eager", "0B", code=1)["changed"]["stuck"]
check(len(stuck) == 2 and all("waits forever in line" in one for one in stuck), stuck)
for ranks, sentence in (
        ((["a: calc 1", "b: calc 1", "a requires b", "b requires a"],), "waits here for an operation that waits for this one"),
        ((["send 8b to 1"], ["calc 1"]), "does not receive this message"),
        ((["calc 1"], ["recv 8b from 0"]), "does not send this message"),
        ((["send 8b to 1"], ["recv 9b from 0"]), "receives 9 bytes, but line 3 sends 8"),
        ((["calc 9223372036854775807"],), "more time than can be added up")):
    path = written(*ranks)
    done = run("replay", path)
    check(done.returncode == 2 and sentence in done.stderr and done.stderr.count("\n") == 1, f"{ranks}: {done.stderr}")
path = written(["calc 1"])
for flags, sentence in ((("--with", "allreduce=allreduce/ring"), "their algorithms cannot be replaced"),
                        (("--overlap",), "states what each operation waits for"), (("--without", "calc"), "has no regions"),
                        (("--compute", "a=0.5"), "not a factor"), (("--goal", path + ".other"), "already"),
                        (("--time-independent", path + ".folder"), "already"), (("--check", "true"), "no recording")):
    done = run("replay", path, *flags)
    check(done.returncode == 2 and sentence in done.stderr and done.stderr.count("\n") == 1, f"{flags}: {done.stderr}")
for content in (b"", b"\0\1\2\3" * 100, b"num_ranks 99999999999\n", b"num_ranks 2\nrank 0 {\n", b"\xff\xfe\xfd"):
    path = os.path.join(scratch, "broken.goal")
    with open(path, "wb") as out:
        out.write(content)
    done = run("replay", path)
    check(done.returncode == 2 and done.stderr.count("\n") == 1, f"{content[:20]}: {done.returncode} {done.stderr}")
shutil.rmtree(scratch)
