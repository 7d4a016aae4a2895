# SPDX-License-Identifier: BSD-3-Clause
"""Runs over MPI as users start them: answers, measurements, a killed rank, a missing mpirun, interruptions.

Usage: live_mpi_test.py SOURCE_DIR PROGRAM
"""
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from mpi_programs import check, finish

program = sys.argv[2]
worker = str(pathlib.Path(program).with_name("collscope-mpi"))
if not os.path.exists(worker) or not shutil.which("mpirun"):
    print("skipped: this build has no MPI")
    sys.exit(77)

scratch = tempfile.TemporaryDirectory()
surroundings = dict(os.environ, TMPDIR=scratch.name)


def run(*arguments, env=None):
    return subprocess.run([program, "run", *arguments], capture_output=True, text=True, timeout=120, env=env or surroundings)


def answer(*arguments):
    done = run(*arguments, "--on", "mpi", "--format", "json")
    check(done.returncode == 0 and done.stderr == "", f"{arguments}: {done.returncode} {done.stderr!r}")
    return json.loads(done.stdout or "{}")


def ranks():
    """Processes of runs of ours, by rank."""
    found = []
    for folder in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            words = (folder / "cmdline").read_bytes().decode().split("\0")
            around = (folder / "environ").read_bytes().split(b"\0")
        except OSError:
            continue
        if words[1:2] == ["rank"] and scratch.name in words[2]:
            own = [int(each.split(b"=")[1]) for each in around if each.startswith(b"OMPI_COMM_WORLD_RANK=")]
            found.append((own, int(folder.name)))
    return [process for own, process in sorted(found)]


def has_events(record):
    """Whether it is more than a header: what comes behind its first page is there from the first executions on."""
    with open(record, "rb") as file:
        file.seek(4096)
        return any(file.read(4096))


def check_nothing_is_left(when):
    left = [name for name in os.listdir(scratch.name) if name.startswith("collscope-")]
    check(left == [], f"{when}: left {left}")
    check(ranks() == [], f"{when}: processes are left")


def start_long(*more):
    process = subprocess.Popen([program, "run", "barrier/dissemination", "-n", "4", "--on", "mpi", "--repeat", "100000", *more],
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=surroundings)
    for _ in range(600):
        records = list(pathlib.Path(scratch.name).glob("collscope-*/process-*.rec"))
        if len(ranks()) == 4 and len(records) == 4 and all(has_events(record) for record in records):
            break
        time.sleep(0.05)
    return process


# The same report as anywhere else.
report = answer("allgatherv/linear-ring", "-n", "5", "--sizes", "linear", "--size", "1KiB")
check(report["on"] == "mpi" and report["verified"] is True and report["messages"] == 20, "the report over MPI")
check(len(report["per_rank"]["busy_s"]) == 5 and report["bounds"]["startups"] == 3, "per rank and bounds")
check(report["measurement"]["hosts"] and "MPI" in report["measurement"]["library"], "where it ran")

# Schedules may need more processes than the problem has ranks.
report = answer("allreduce/butterfly", "-n", "5", "--size", "64")
check(report["verified"] is True, "allreduce on 5 ranks")

# The points of a sweep, measured beside their virtual time.
def sweep(*arguments):
    done = subprocess.run([program, "sweep", "bcast/chain", "bcast/binomial-tree", "-n", "2,3", "--size", "1KiB,64KiB",
                           *arguments], capture_output=True, text=True, timeout=240, env=surroundings)
    check(done.returncode == 0, f"sweep {arguments}: {done.returncode} {done.stderr!r}")
    return done.stdout


virtual = json.loads(sweep("--format", "json"))
table = os.path.join(scratch.name, "live.csv")
rows = json.loads(sweep("--on", "mpi", "--repeat", "3", "-o", table, "--format", "json"))
check(len(rows) == 8 and len(open(table).readlines()) == 9, "rows of a live sweep")
for row, alone in zip(rows, virtual):
    check(row["time_s"] == alone["time_s"] and row["rounds"] == alone["rounds"], "virtual time beside MPI")
    check(0 < row["measured_lowest_s"] <= row["measured_s"] <= row["measured_highest_s"], f"measured {row}")
    check(row["conditions"] == "--on mpi --repeat 3" and alone["measured_s"] is None, "how it was measured")
items = subprocess.run([program, "figure", "kang-half-duplex", "4", "-p", "2", "-q", "2", "--size", "1KiB,2KiB", "--topology",
                        "full", "--on", "mpi", "-o", os.path.join(scratch.name, "figure.json")],
                       capture_output=True, text=True, timeout=240, env=surroundings)
check(items.returncode == 0 and "times as long as in virtual time" in items.stdout, f"a live figure: {items}")
with open(os.path.join(scratch.name, "figure.json")) as file:
    lines = [line for panel in json.load(file)[0]["panels"] for line in panel["lines"] if line["kind"] == "measured"]
check(len(lines) == 5 and all(len(line["points"]) == 2 for line in lines), f"measured lines: {lines}")

# Measured in turn with the library's own.
report = answer("halfduplex-allgather/fully-connected", "-p", "2", "-q", "3", "--size", "1KiB", "--repeat", "5", "--against", "native")
methods = report["measurement"]["methods"]
check([m["id"] for m in methods] == ["halfduplex-allgather/fully-connected", "halfduplex-allgather/native"], "methods")
for method in methods:
    times = sorted(method["slowest_rank_s"])
    check(len(times) == 5 and times[0] == method["minimum_s"] and times[2] == method["median_s"] > 0, f"times {method}")
check(report["measurement"]["load_before"]["processors"] > 0, "load")
report = answer("barrier/native", "-n", "3")
check(report["verified"] is True and report["messages"] == 0, "a native collective")
done = run("allreduce/native", "-n", "3", "--on", "mpi", "--repeat", "2")
check(done.returncode == 0 and "rounds and messages are unknown" in done.stdout, f"native: {done.stdout} {done.stderr}")
check("lower bound of" not in done.stdout and "0 B" not in done.stdout, f"native, compared with a bound: {done.stdout}")
check("times from the first rank" in done.stdout, f"native: {done.stdout}")

report = answer("bcast/native", "-n", "7", "--root", "5", "--set", "groups=3", "--repeat", "3", "--against", "native")
flat, grouped = report["measurement"]["methods"][1], report["measurement"]["methods"][0]
check(grouped["set_up_s"] > 0 and flat["set_up_s"] == 0 and report["verified"] is True, "a native collective in groups")
check([grouped["id"], flat["id"]] == ["bcast/native:groups=3", "bcast/native"], f"rows of one name: {grouped['id']}, {flat['id']}")
report = answer("bcast/native", "-n", "2", "--against", "native,native:groups=2,native")
names = [method["id"] for method in report["measurement"]["methods"]]
check(names == ["bcast/native", "bcast/native (2)", "bcast/native:groups=2", "bcast/native (3)"], f"rows of one name: {names}")
done = run("bcast/native", "-n", "4", "--set", "groups=5", "--on", "mpi")
check(done.returncode == 2 and "the largest value is the number of ranks, 4" in done.stderr, f"more groups than ranks: {done.stderr!r}")

# In two halves, with a computation between them.
for transport in ("one-sided", "two-sided"):
    with tempfile.TemporaryDirectory() as folder:
        report = answer("allreduce/pairwise-exchange", "-n", "4", "--size", "1KiB", "--split-phase", "--transport", transport,
                        "--compute", "3ms", "--repeat", "5", "--trace", folder + "/trace")
        halves = report["split_phase"]
        check(report["verified"] is True and halves["transport"] == transport, f"split-phase {transport}")
        check(halves["with_overlap_s"] >= 0.003 and 0 <= halves["hidden_share"] <= 1, f"split-phase {transport}: {halves}")
        check(len(report["measurement"]["methods"]) == 3 and report["messages"] == 8, f"split-phase {transport}: methods")
        again = subprocess.run([program, "open", folder + "/trace", "--format", "json"], capture_output=True, text=True, timeout=60)
        check(again.returncode == 0 and "3 ms of computation on every rank" in again.stdout, f"its trace: {again.stderr!r}")

# Only neighbours: what is not made for a ring or torus is relayed.
report = answer("allgatherv/bruck", "-n", "6", "--size", "1KiB", "--topology", "ring", "--neighbours-only")
check(report["verified"] is True and report["topology"] == "ring" and report["messages"] > 18, "relayed on a ring")
report = answer("bcast/binomial-tree", "-n", "6", "--size", "1KiB", "--topology", "torus:3x2", "--neighbours-only")
check(report["verified"] is True and report["topology"] == "torus:3x2", "relayed on a torus")
report = answer("halfduplex-allgather/ring-streams", "-p", "3", "-q", "3", "--size", "1KiB", "--neighbours-only")
check(report["verified"] is True, "made for a ring")
done = run("allgatherv/pipelined-ring", "-n", "5", "--neighbours-only", "--on", "mpi")
check(done.returncode == 2 and "ring or torus" in done.stderr, f"neighbours elsewhere: {done.returncode} {done.stderr!r}")

done = run("allreduce/dissemination", "-n", "8", "--topology", "ring", "--ports", "3", "--set", "n=3", "--neighbours-only", "--on", "mpi")
check(done.returncode == 1 and "is met twice in one round" in done.stderr, f"two at a time: {done.returncode} {done.stderr!r}")

# Started from outside, all processes together.
for words, where in ([], "mpi"), (["--on", "mpi"], "mpi"), (["--on=virtual"], "virtual"):
    done = subprocess.run(["mpirun", "--oversubscribe", "-n", "4", worker, "run", "bcast/flat", "-n", "3", *words, "--format", "json"],
                          capture_output=True, text=True, timeout=60,
                          env=dict(surroundings, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1", OMPI_MCA_mpi_yield_when_idle="1"))
    check(done.returncode == 0 and json.loads(done.stdout)["verified"] is True, f"under mpirun: {done.returncode} {done.stderr!r}")
    check(json.loads(done.stdout)["on"] == where, f"under mpirun {words}: {json.loads(done.stdout)['on']}")
check_nothing_is_left("after runs")

# Mistakes are one sentence.
nowhere = dict(surroundings, PATH="/nonexistent")
for env, arguments, words in [
    (nowhere, [], "mpirun, which is not installed"),
    (None, ["--mpirun", "no-such-launcher"], "'no-such-launcher' not found"),
    (None, ["--mpirun", "false 1"], "were not started by 'false 1'"),
    (None, ["--hostfile", "/no/such/file"], "cannot read '/no/such/file'"),
    (None, ["--against", "barrier/native"], "solves another problem"),
]:
    done = run("bcast/flat", "-n", "3", "--on", "mpi", *arguments, env=env)
    check(done.returncode == 2 and done.stderr.count("\n") == 1 and words in done.stderr, f"{arguments}: {done.returncode} {done.stderr!r}")
done = run("bcast/flat", "-n", "3", "--repeat", "3")
check(done.returncode == 2 and "--on mpi" in done.stderr, f"--repeat without MPI: {done.stderr!r}")
done = subprocess.run([program, "verify", "bcast/native", "-n", "3"], capture_output=True, text=True, timeout=60)
check(done.returncode == 2 and "runs only with" in done.stderr, f"verify of a native collective: {done.stderr!r}")

# kill -9 of one rank: what was recorded until then is there, and who ended.
with tempfile.TemporaryDirectory() as folder:
    trace = os.path.join(folder, "trace")
    process = start_long("--trace", trace)
    os.kill(ranks()[2], signal.SIGKILL)
    out, err = process.communicate(timeout=60)
    check(process.returncode == 1, f"killed rank: exit code {process.returncode}")
    check(re.search("ended without a word (after|before)", err) is not None and err.count("\n") == 1, f"killed rank: {err!r}")
    done = subprocess.run([program, "open", trace, "--format", "json"], capture_output=True, text=True, timeout=60)
    remarks = " ".join(json.loads(done.stdout or "{}").get("remarks", []))
    check(re.search("ended without a word (after|before)", remarks) is not None, f"killed rank: the trace says {remarks!r} {done.stderr!r}")
check_nothing_is_left("after a killed rank")

# Whatever ends a rank ends the run, which says so, and how many executions were done until then.
process = start_long()
os.kill(ranks()[1], signal.SIGTERM)
out, err = process.communicate(timeout=60)
check(process.returncode == 1, f"terminated rank: exit code {process.returncode}")
check("rank 1 was ended by SIGTERM" in err and err.count("\n") == 1, f"terminated rank: {err!r}")
check(re.search(r"\n[0-9,]+ of 100,000 executions", out) is not None, f"terminated rank: {out!r}")
check(re.search(r"(after|took|:) -", out + err) is None, f"a time below 0: {out!r}")
check_nothing_is_left("after a terminated rank")

# Also before it has begun.
process = subprocess.Popen([program, "run", "barrier/dissemination", "-n", "4", "--on", "mpi"], stdout=subprocess.PIPE,
                           stderr=subprocess.PIPE, text=True, env=surroundings)
while process.poll() is None and len(list(pathlib.Path(scratch.name).glob("collscope-*/began-*"))) < 4:
    time.sleep(0.001)
os.kill(ranks()[1], signal.SIGKILL)
out, err = process.communicate(timeout=60)
check(process.returncode != 0 and "ended" in err and "were not started" not in err, f"early death: {process.returncode} {err!r}")
check_nothing_is_left("after an early death")

# Launchers that do not notice are not waited for.
(pathlib.Path(scratch.name) / "deaf").write_text('"$@"\nwhile :; do sleep 1; done\n')
began = time.monotonic()
done = run("bcast/flat", "-n", "3", "--on", "mpi", "--mpirun", f"sh {scratch.name}/deaf")
check(done.returncode == 2 and "which the launcher had not noticed" in done.stderr, f"deaf launcher: {done.returncode} {done.stderr!r}")
check(time.monotonic() - began < 30, f"deaf launcher: {time.monotonic() - began} s")
check_nothing_is_left("after a deaf launcher")

# SIGTERM and SIGHUP of the program end it too, and nothing is left, also of one whose launcher does not obey.
(pathlib.Path(scratch.name) / "stubborn").write_text('trap "" TERM\n"$@"\nwhile :; do sleep 1; done\n')
for kind, launcher in (signal.SIGTERM, []), (signal.SIGHUP, []), (signal.SIGTERM, ["--mpirun", f"sh {scratch.name}/stubborn"]):
    process = subprocess.Popen([program, "run", "barrier/dissemination", "-n", "4", "--on", "mpi", "--repeat", "100000", *launcher],
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=surroundings)
    while process.poll() is None and not list(pathlib.Path(scratch.name).glob("collscope-*/began-*")):
        time.sleep(0.01)
    process.send_signal(kind)
    out, err = process.communicate(timeout=60)
    check(process.returncode == 130, f"{kind}: exit code {process.returncode} {err!r}")
    check_nothing_is_left(f"after {kind}")

# All processes together.
for kind in (signal.SIGTERM, signal.SIGINT):
    process = subprocess.Popen(["mpirun", "--oversubscribe", "-n", "3", worker, "run", "barrier/dissemination", "-n", "3", "--repeat", "100000"],
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                               env=dict(surroundings, OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1", OMPI_MCA_mpi_yield_when_idle="1"))
    while process.poll() is None and not list(pathlib.Path(scratch.name).glob("collscope-*/process-*.rec")):
        time.sleep(0.01)
    process.send_signal(kind)
    process.communicate(timeout=60)
    check(process.returncode != 0, f"together, {kind}: exit code {process.returncode}")
    check_nothing_is_left(f"together, after {kind}")

# Ctrl-C ends all of it.
process = start_long()
process.send_signal(signal.SIGINT)
out, err = process.communicate(timeout=60)
check(process.returncode == 130, f"interrupted: exit code {process.returncode} {err!r}")
check_nothing_is_left("after an interruption")

finish()
