# SPDX-License-Identifier: BSD-3-Clause
"""Training jobs: traces of the PyTorch profiler are read with the numbers that their generator, or a slow reading of real
ones, knows; stragglers are named; broken files get a sentence.

Usage: training_test.py SOURCE_DIR PROGRAM
"""
import collections
import glob
import gzip
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile

from kineto_job import Job

program = sys.argv[2]
real = os.path.join(os.environ.get("COLLSCOPE_SHARED_TRACES", os.path.join(sys.argv[1], "..", "shared", "traces")), "kineto")
scratch = tempfile.mkdtemp(prefix="collscope-training-")


def run(*words):
    return subprocess.run([program, *words], capture_output=True, timeout=240, text=True)


def check(condition, what):
    if not condition:
        sys.exit(f"FAILED: {what}")


def table(path, name, *more):
    done = run("open", path, "--tables", name, "--format", "json", *more)
    check(done.returncode == 0, f"{path} {name}: {done.stderr}")
    return json.loads(done.stdout)["tables"][name]["rows"]


def page(path, *more):
    done = run("open", path, *more)
    check(done.returncode == 0, f"{path}: {done.stderr}")
    return " ".join(done.stdout.split())


def near(found, right, what, within=2e-9):
    check(found is not None and abs(found - right) <= within, f"{what}: {found} instead of {right}")


def written(job, name, **how):
    folder = os.path.join(scratch, name)
    job.write(folder, **how)
    return folder


def drop_first_step(job, folder, rank):
    victim = [path for path in glob.glob(folder + "/*") if json.load(open(path))["distributedInfo"]["rank"] == rank][0]
    document = json.load(open(victim))
    document["traceEvents"] = [event for event in document["traceEvents"] if event["ts"] >= 1000 + job.period]
    json.dump(document, open(victim, "w"))


def steps_are_right(job, folder, ranks=None, within=2e-9):
    rows = table(folder, "steps")
    check(len(rows) == job.steps * (job.ranks if ranks is None else len(ranks)), f"{folder}: {len(rows)} steps")
    for row in rows:
        right = job.times(row["rank"], int(row["step"]))
        for column, value in zip(("duration_s", "compute_s", "exposed_s", "hidden_s", "accelerator_idle_s"), right):
            near(row[column], value * 1e-6, f"{folder} rank {row['rank']} step {row['step']} {column}", within)


def straggler_is_named(job, folder, within=2e-9, longer="aten::mm", kind="kernels"):
    first = table(folder, "stragglers")[0]
    check(first["rank"] == job.straggler, f"{folder}: straggler {first}")
    check((first["steps"], first["of_steps"]) == (len(job.late_steps), job.steps), f"{folder}: steps of {first}")
    near(first["late_s"], job.delay * 1e-6, "lateness", within)
    near(first["waiting_s"], (job.ranks - 1) * job.delay * len(job.late_steps) * 1e-6, "waiting",
         within * job.ranks * job.steps + 1e-9)
    check((first["in"], first["longer"]) == (kind, longer), f"{folder}: why: {first}")
    near(first["longer_s"], job.delay * 1e-6, "longer")


# A job of 8, in each of the format's variants, plain and compressed.
for style in ("new", "unsequenced", "2.1", "on demand", "old", "rocm"):
    job = Job(style=style, late_steps=range(2, 10))
    folder = written(job, style, compressed=style == "old")
    steps_are_right(job, folder)
    straggler_is_named(job, folder)
    rows = table(folder, "bandwidth")
    if style == "old":
        # Nothing says which process group it is, so that there is no bandwidth.
        check([(row["type"], row["calls"], row["busbw_gb_per_s"]) for row in rows] == [("float", 10, None)] * 2, rows)
    else:
        costs = {row["size_bytes"]: row for row in rows}
        row = costs[4 * job.exposed_elements]
        check((row["operation"], row["ranks"], row["recorded"], row["calls"]) == ("all_reduce", 8, 8, 10), f"{style}: {row}")
        check(row["algorithm"] == (None if style == "rocm" else "RING"), f"{style}: {row}")
        # NCCL's kernels carry out every protocol, and are called after LL alone.
        check(row["protocol"] is None, f"{style}: {row}")
        check(row["type"] == "Float", f"{style}: {row}")
        near(row["latency_s"], job.exposed * 1e-6, "latency")
        near(row["skew_s"], job.delay * 1e-6, "skew")
        check((row["last"], row["last_times"]) == (5, 8), f"{style}: last {row}")
        # 16 MiB in 1 ms; all_reduce's factor is 2 (n - 1) / n.
        near(row["algbw_gb_per_s"], 16.777216, "algorithm bandwidth", 1e-6)
        near(row["busbw_gb_per_s"], 16.777216 * 2 * 7 / 8, "bus bandwidth", 1e-6)
    words = page(folder)
    check("Straggler: rank 5 enters all_reduce 3 ms late in 8 of 10 steps; the other ranks wait 168 ms for it" in words and
          "Rank 5 computes longer in aten::mm: 3 ms more per step" in words, words)
    check(not re.search(r"\bMPI", words), f"words of MPI: {words}")

# Of groups of more than 30 ranks the kernel has the first ones; the distance of the ranks is with the operation that launched it.
class Halves(Job):
    def events(self, rank):
        self.half = rank % 2
        yield from super().events(rank)

    def comms(self, elements, sequence):
        return {**super().comms(elements, sequence), "Group size": 40, "Process Group Name": str(1 + self.half),
                "Process Group Description": "half", "Global rank start": self.half, "Global rank stride": 2,
                "Process Group Ranks": "[" + ", ".join(str(self.half + 2 * k) for k in range(30)) + ", ...]"}


job = Halves(ranks=80, steps=2, straggler=7, delay=0)
folder = written(job, "halves")
rows = [row for row in table(folder, "bandwidth") if row["size_bytes"] == 4 * job.exposed_elements]
check([(row["group"], row["ranks"], row["recorded"], row["calls"]) for row in rows] == [("half", 40, 40, 2)] * 2, rows)
for row in rows:
    near(row["busbw_gb_per_s"], 16.777216 * 2 * 39 / 40, "bus bandwidth of half of the ranks", 1e-6)
# Without the operations of the host nothing shows the members.
for path in glob.glob(folder + "/*"):
    document = json.load(open(path))
    document["traceEvents"] = [event for event in document["traceEvents"] if event.get("cat") in ("kernel", "user_annotation")]
    json.dump(document, open(path, "w"))
rows = table(folder, "bandwidth")
check({(row["group"], row["busbw_gb_per_s"]) for row in rows} == {("unknown process group (half)", None)}, rows)
shutil.rmtree(folder)

# Beside the limit of the link: of 50 GB/s 16 MiB in 1 ms are 58.7%.
words = page(os.path.join(scratch, "new"), "--bandwidth", "50GB/s")
check("bus bandwidth 29.4 GB/s (58.7% of the link's 50 GB/s)" in words, words)
rows = {row["size_bytes"]: row for row in table(os.path.join(scratch, "new"), "bandwidth", "--bandwidth", "50GB/s")}
near(rows[4 * job.exposed_elements]["limit_share"], 16.777216 * 2 * 7 / 8 / 50, "share of the link's limit", 1e-6)

# The host is late, and no kernel is longer.
job = Job(host=True)
straggler_is_named(job, written(job, "host"), longer="DataLoader.next", kind="host")

# No straggler.
job = Job(delay=0)
check("No straggler" in page(written(job, "even")), "a straggler where there is none")

# Clocks that differ by up to 40 ms. What is fitted must be right within what is said.
offsets = [0, 12000.25, -40000, 5, 700, -3, 22000, 8000.5]
job = Job(offsets=offsets)
folder = written(job, "clocks")
words = page(folder)
check("clocks of ranks do not agree" in words, words)
straggler_is_named(job, folder, within=1e-6)
recorded = page(folder, "--clocks", "recorded")
rows = {row["rank"]: row for row in table(folder, "clocks")}
check(len(rows) == 8, rows)
check("--clocks fitted corrects them" in recorded, recorded)

# The fitted line of each clock is right within the reported uncertainty from the first to the last time, in jobs of any
# size, with few and with many collectives, whether their ends differ by microseconds or not at all.
chance = random.Random(7)
for ranks, steps, jitter, drifts in ((2, 1, 0, 0), (8, 10, 0, 20), (8, 40, 4, 20), (8, 3, 4, 0), (64, 10, 4, 20), (512, 4, 4, 5)):
    job = Job(ranks=ranks, steps=steps, straggler=1, jitter=jitter,
              offsets=[0] + [round(chance.uniform(-30000, 30000), 3) for _ in range(ranks - 1)],
              drift=[0] + [chance.uniform(-drifts, drifts) for _ in range(ranks - 1)])
    folder = written(job, "lines")
    first = min(job.seen(rank, 1000) for rank in range(ranks))
    end = steps * job.period
    rows = table(folder, "clocks")
    check([row["rank"] for row in rows] == list(range(ranks)), rows)
    for row in rows:
        rank = row["rank"]
        for time in (0, end):
            right = (first + time - job.offsets[rank]) / (1 + job.drift[rank] * 1e-6) - first - time
            off = abs(row["offset_s"] * 1e6 + row["drift_share"] * time - right)
            check(off <= row["within_s"] * 1e6, f"clock of rank {rank} of {ranks}, {steps} steps: off by {off} us at {time} us: {row}")
    if steps >= 10:
        # Of use: not many times what the ends differ.
        most = max(row["within_s"] for row in rows) * 1e6
        check(most <= 8 * jitter + 0.1, f"{ranks} ranks, {steps} steps: the uncertainty is {most} us")
    check(max(abs(row["offset_s"]) for row in rows) > 1e-4, "the offsets that were corrected")
    shutil.rmtree(folder)

# Two steps have no typical duration: both are reported, alike in text, headline and picture.
class Uneven(Job):
    def events(self, rank):
        for event in super().events(rank):
            yield {**event, "dur": event["dur"] / 2} if event["name"] == "ProfilerStep#1" else event


folder = written(Uneven(ranks=2, steps=2, straggler=1, delay=0), "uneven")
check("2 steps of 20 ms and 10 ms." in page(folder), page(folder))
path = os.path.join(scratch, "when.svg")
done = run("export", folder, "--view", "when", "--width", "1600", "-o", path)
check(done.returncode == 0, done.stderr)
drawn = " ".join(re.sub("<[^>]*>", " ", open(path).read()).replace("\u00a0", " ").split())
for words in ("2 steps of 20 ms and 10 ms", "for the longer of 2 steps and 10 ms for the other,"):
    check(words in drawn, f"when: {drawn}")


# Collectives of two process groups lie among each other: a step of the critical path is in the group of its operation.
class Mixed(Job):
    def events(self, rank):
        for event in super().events(rank):
            if event.get("args", {}).get("Process Group Description") == "pair":
                event["args"] = {**event["args"], "Collective name": "allgather", "Out msg nelems": 2 * event["args"]["In msg nelems"]}
            yield event


path = table(written(Mixed(pairs=(5, 0.05)), "mixed"), "critical-path")
groups = {(row["step"], row["path"]) for row in path if row["path"].startswith("exposed communication")}
check(groups == {("all_reduce", "exposed communication in default_pg"), ("all_gather", "exposed communication in pair")}, groups)

# Ranks that are missing, one rank alone, and a world of which only some are there.
job = Job(ranks=8)
folder = written(job, "missing", ranks=[1, 5, 6])
steps_are_right(job, folder, ranks=[1, 5, 6])
words = page(folder)
check("Training job of 8 ranks (3 recorded)" in words and "traces of 5 of 8 ranks are missing: ranks 0, 2..4, 7" in words, words)
check("Straggler: rank 5" in words, words)
rows = {row["rank"]: row for row in table(folder, "ranks")}
check(set(rows) == {1, 5, 6}, f"rows of ranks without a trace: {rows}")
for rank, row in rows.items():
    # The streams of the job do nothing outside of its steps.
    _, compute, exposed, _, _ = (sum(times) for times in zip(*(job.times(rank, step) for step in range(job.steps))))
    near(row["computing_s"], compute * 1e-6, f"compute of rank {rank}")
    near(row["mpi_waiting_s"] + row["in_mpi_s"], exposed * 1e-6, f"exposed communication of rank {rank}")
    near(row["mpi_waiting_s"], 0 if rank == 5 else job.delay * job.steps * 1e-6, f"waiting of rank {rank}")
near(table(folder, "iterations")[3]["mean_computation_s"], (job.compute + job.delay / 3) * 1e-6, "mean compute of a step")
check(re.match("3 of 8 ranks recorded, ", words) and "The other 5 of 8 ranks were not recorded." in words, words)
profile = {row["region"]: row for row in table(folder, "profile")}
near(profile["aten::mm"]["mean_s"], 5e-6 * job.steps, "the host's time in a function, over the recorded ranks")
check(profile["aten::mm"]["least_rank"] in (1, 5, 6) and len(profile["aten::mm"]["by_rank"]) == 3, profile["aten::mm"])
report = json.loads(run("open", folder, "--format", "json").stdout)
check([time is None for time in report["per_rank"]["computing_s"]] == [rank not in (1, 5, 6) for rank in range(8)], report["per_rank"])
words = page(folder, "--ranks", "1")
check("Straggler: rank 5" not in words, words)
folder = written(job, "alone", ranks=[5])
for row in table(folder, "bandwidth"):
    check(row.get("latency_s") is None and row.get("busbw_gb_per_s") is None and row["duration_s"] > 0, f"bandwidth of one rank: {row}")
check(all(row.get("arrival_spread_s") is None and row.get("last") is None for row in table(folder, "collectives")), "a skew of one rank")
words = page(folder)
check("including waiting for ranks that were not recorded" in words, words)

# Of two ranks of many no straggler shows. Where the ends of collectives differ by milliseconds, clocks may, too: neither a
# straggler nor an order of 300 us is stated, in no table.
job = Job(ranks=128, straggler=1, delay=0, offsets=[0, 0.001] + [0] * 126)
words = page(written(job, "two", ranks=[0, 1]))
check("No straggler among the 2 recorded ranks of 128: no rank makes" in words, words)
job = Job(ranks=128, steps=3, straggler=1, delay=300, jitter=4000)
folder = written(job, "unsure", ranks=[0, 1])
uncertainty = next(row["within_s"] for row in table(folder, "clocks") if row["rank"] == 1)
check(len(table(folder, "clocks")) == 2 and uncertainty > 600e-6, f"the clocks are too good: {uncertainty}")
words = page(folder)
check("No straggler is visible among the 2 recorded ranks of 128, but the clocks of ranks may differ by up to" in words and
      "Which rank enters last is unknown: the clocks of the ranks may differ by up to" in words and "enters last in" not in words, words)
for row in table(folder, "bandwidth"):
    check(row.get("skew_s") is None and row.get("max_skew_s") is None and row.get("last") is None and row["latency_s"] > 0, row)
for row in table(folder, "collectives"):
    check(all(row.get(column) is None for column in ("arrival_spread_s", "last", "wait", "waiting_s")), row)
for which in ("waits", "causes", "delays", "stragglers"):
    check(table(folder, which) == [], f"{which} below the uncertainty of clocks")
findings = json.loads(run("open", folder, "--format", "json").stdout)["findings"]
values = {name: finding["values"][name] for finding in findings for name in ("skew_s", "last", "known") if name in finding["values"]}
check(values == {"skew_s": None, "known": "no"}, values)

# A rank whose trace begins a step later: without sequence numbers calls are told apart by their ends.
job = Job(style="unsequenced", late_steps=[3, 4, 5, 6])
folder = written(job, "shifted")
drop_first_step(job, folder, 2)
rows = {row["size_bytes"]: row for row in table(folder, "bandwidth")}
near(rows[4 * job.exposed_elements]["max_skew_s"], job.delay * 1e-6, "skew of a shifted rank")
check(rows[4 * job.exposed_elements]["calls"] == 10, "calls of a shifted rank")

# Steps of ranks are those of equal names: of a straggler without the first step, 9 of all 10.
job = Job(host=True, late_steps=range(1, 10))
folder = written(job, "shifted_steps")
drop_first_step(job, folder, job.straggler)
straggler_is_named(job, folder, longer="DataLoader.next", kind="host")

# A rank without marked steps among others that have them.
job = Job(ranks=3, straggler=1)
folder = written(job, "unmarked")
for path in glob.glob(folder + "/*"):
    document = json.load(open(path))
    if document["distributedInfo"]["rank"] == 0:
        document["traceEvents"] = [event for event in document["traceEvents"] if not event["name"].startswith("ProfilerStep")]
        json.dump(document, open(path, "w"))
words = page(folder)
check("10 steps of" in words or "10 steps, the median step takes 20 ms" in words, words)
check("1 rank without marked steps is left out" in words and "marked no steps" not in words, words)
check(len(table(folder, "steps")) == 2 * job.steps + 1, "rows of ranks with and without steps")

# Two files of one rank: the one with less in it is left out.
job = Job(ranks=2, straggler=1)
folder = written(job, "double")
Job(ranks=2, steps=2, straggler=1).write(folder, ranks=[1], name="again_{}")
check("rank 1 has several files" in page(folder), "two files of one rank")
steps_are_right(job, folder)

# What a step would cost with another algorithm: all_reduces of a ring take 14 (alpha + 2 MiB beta), and their start is as recorded.
job = Job(host=True)
folder = written(job, "replay")
recorded = job.steps * job.period * 1e-6  # up to the end of the last step
for alpha, beta in ((5, 0.05), (1, 0.2)):
    done = run("replay", folder, "--with", "all_reduce=allreduce/ring", "--alpha", f"{alpha}us", "--beta", f"{beta}ns/B", "--format", "json")
    check(done.returncode == 0, done.stderr)
    ring = 14 * (alpha * 1e-6 + 4 * job.exposed_elements / job.ranks * beta * 1e-9)
    right = recorded + job.steps * (ring - job.exposed * 1e-6)
    near(json.loads(done.stdout)["changed"]["time_s"], right, "replay with a ring", 1e-6)
    near(json.loads(done.stdout)["replayed"]["time_s"], right, "RING is what was recorded", 1e-6)


def replayed(folder, *more):
    done = run("replay", folder, "--format", "json", *more)
    check(done.returncode == 0, f"{folder}: {done.stderr}")
    answer = json.loads(done.stdout)
    return answer, {row["activity"]: row for row in answer["tables"]["activities"]["rows"]}


# Hidden all_reduces run beside compute: a replay that changes nothing takes as long as recorded, hides and exposes as much.
# Without several sizes there are no alpha and beta, and collectives take as long as recorded.
shares = {"compute": 1, "exposed communication": 2, "hidden communication": 3, "idle": 4}
for name, job in (("overlapped", Job()), ("no_fit", Job(style="rocm")), ("fit", Job(ring=(5, 0.05))),
                  ("late_at_times", Job(ring=(5, 0.05), late_steps=[2, 5, 6]))):
    folder = written(job, name)
    answer, rows = replayed(folder)
    check(answer["conditions"] == ("fitted" if "ring" in name or name in ("fit", "late_at_times") else "assumed"), answer["conditions"])
    near(answer["replayed"]["time_s"], answer["recorded_s"], f"{name}: time of the replay", 1e-6)
    for cause, column in shares.items():
        right = sum(job.times(rank, step)[column] for rank in range(job.ranks) for step in range(job.steps)) / job.ranks / job.steps
        near(rows[cause]["recorded_s"], right * 1e-6, f"{name}: recorded {cause}", 1e-8)
        near(rows[cause]["replayed_s"], right * 1e-6, f"{name}: replayed {cause}", 1e-6)
    near(rows["step (median)"]["replayed_s"], job.period * 1e-6, f"{name}: step", 1e-6)
words = " ".join(" ".join(answer.get("remarks", [])).split())
check("as rings: alpha 5 us, beta 0.05 ns/B" in words, words)

# Process groups of two shapes, on links of two kinds: each has its alpha and beta.
answer, rows = replayed(written(Job(ring=(5, 0.05), pairs=(2, 0.01)), "pairs"))
words = " ".join(" ".join(answer["remarks"]).split())
for part in ("as rings, by process group: process groups of 2 consecutive ranks alpha 2 us, beta 0.01 ns/B",
             "; process groups of 8 consecutive ranks alpha 5 us, beta 0.05 ns/B"):
    check(part in words, f"'{part}' is not in: {words}")

# Protocols differ in both parameters: each collective is replayed with those of its protocol, so that a replay that changes
# nothing takes as long as recorded. Kernels are called after protocols where some are called after others than LL.
job = Job(ring=(5, 0.05), simple=(12, 0.02))
folder = written(job, "protocols")
answer, rows = replayed(folder)
near(answer["replayed"]["time_s"], answer["recorded_s"], "two protocols: time of the replay", 1e-6)
near(rows["exposed communication"]["replayed_s"], rows["exposed communication"]["recorded_s"], "two protocols: exposed", 1e-6)
words = " ".join(" ".join(answer["remarks"]).split())
for part in ("by protocol: LL alpha 5 us, beta 0.05 ns/B (median deviation 0%); SIMPLE alpha 12 us, beta 0.02 ns/B (median deviation 0%)",
             "each collective takes those of its kind"):
    check(part in words, f"'{part}' is not in: {words}")
# Given parameters are those of all collectives.
answer, rows = replayed(folder, "--alpha", "1us", "--beta", "0.01ns/B")
saved = sum(job.ring_time(4 * elements, *fit) - job.ring_time(4 * elements, 1, 0.01)
            for elements, fit in ((job.exposed_elements, (5, 0.05)), (1 << 22, (12, 0.02)), (1 << 24, (12, 0.02))))
near(rows["exposed communication"]["replayed_s"] - rows["exposed communication"]["changed_s"], saved * 1e-6, "saved by given costs", 1e-6)
# Of times that vary the intervals contain the parameters.
answer, rows = replayed(written(Job(ring=(5, 0.05), simple=(12, 0.02), noise=0.03, steps=30), "noisy"))
words = " ".join(" ".join(answer["remarks"]).split())
for protocol, alpha, beta in (("LL", 5, 0.05), ("SIMPLE", 12, 0.02)):
    found = re.search(protocol + r" alpha [\d.]+ us \(([\d.]+) us to ([\d.]+) us\), beta [\d.]+ ns/B \(([\d.]+) ns/B to ([\d.]+) ns/B\)", words)
    check(found, f"intervals of {protocol}: {words}")
    low, high, least, most = map(float, found.groups())
    check(low <= alpha <= high and least <= beta <= most and high < 1.5 * low and most < 1.2 * least, f"{protocol}: {found.group(0)}")

# On a network of a tenth of the bandwidth hidden all_reduces are still hidden, as far as compute lasts; the exposed one
# follows on its stream.
job = Job(ring=(5, 0.05), delay=0)
folder = written(job, "slower")
hidden, exposed = (job.ring_time(4 * n, 5, 0.5) for n in (job.hidden_elements, job.exposed_elements))
answer, rows = replayed(folder, "--alpha", "5us", "--beta", "0.5ns/B")
grown = job.steps * (exposed - job.exposed)
near(answer["changed"]["time_s"] - answer["replayed"]["time_s"], grown * 1e-6, "a slower network", 1e-6)
near(rows["hidden communication"]["changed_s"], hidden * 1e-6, "hidden on a slower network", 1e-6)
near(rows["exposed communication"]["changed_s"], exposed * 1e-6, "exposed on a slower network", 1e-6)
# So slow that the hidden one lasts longer than compute.
hidden, exposed = (job.ring_time(4 * n, 5, 2) for n in (job.hidden_elements, job.exposed_elements))
check(hidden > job.compute, "the test spoils nothing")
answer, rows = replayed(folder, "--alpha", "5us", "--beta", "2ns/B")
near(rows["exposed communication"]["changed_s"], (200 + hidden + exposed - 100 - job.compute) * 1e-6, "all of it exposed", 1e-6)

# A kernel in the middle of compute waits for the hidden all_reduce, which takes longer than the first half. The profiler
# records this wait if asked to; without it, the second kernel starts as early as recorded.
class Awaiting(Job):
    records = True

    def events(self, rank):
        for event in super().events(rank):
            if event.get("cat") != "kernel" or "gemm" not in event["name"]:
                yield event
                continue
            half, correlation, start = event["dur"] / 2, 1_000_000 + 10 * event["args"]["correlation"], event["ts"] - 100
            yield {**event, "dur": half}
            for k, (name, at) in enumerate((("cudaEventRecord", 74), ("cudaStreamWaitEvent", 74.5), ("cudaLaunchKernel", 75))):
                yield {"ph": "X", "cat": "cuda_runtime", "name": name, "pid": 1000 + rank, "tid": 1000 + rank, "ts": start + at,
                       "dur": 0.2, "args": {"correlation": correlation + k}}
            yield {**event, "name": "void relu<float>(float*)", "ts": event["ts"] + half, "dur": half,
                   "args": {**event["args"], "correlation": correlation + 2}}
            if self.records:
                device = event["args"]["device"]
                yield {"ph": "X", "cat": "cuda_sync", "name": "Stream Wait Event", "pid": device, "tid": 7, "ts": start + 74.5, "dur": 0,
                       "args": {"stream": 7, "correlation": correlation + 1, "device": device, "wait_on_stream": 20,
                                "wait_on_cuda_event_record_corr_id": correlation, "wait_on_cuda_event_id": 3}}


for records in (True, False):
    job = Awaiting(ring=(5, 0.05), delay=0)
    job.records = records
    folder = written(job, f"awaited_{records}")
    hidden, exposed = (job.ring_time(4 * n, 5, 1) for n in (job.hidden_elements, job.exposed_elements))
    later = 100 + hidden - job.compute / 2 if records else 0
    check(100 + hidden < job.compute and 100 + hidden > job.compute / 2, "the test spoils nothing")
    answer, rows = replayed(folder, "--alpha", "5us", "--beta", "1ns/B")
    near(answer["replayed"]["time_s"], answer["recorded_s"], "unchanged, with a wait", 1e-6)
    near(answer["changed"]["time_s"] - answer["replayed"]["time_s"], job.steps * (later + exposed - job.exposed) * 1e-6,
         f"a kernel that waits for a hidden all_reduce, recorded: {records}", 1e-6)
    steps_are_right(job, folder)
    check("10 steps" in page(folder), "markers of waits are no steps")
# The archive keeps them.
folder = os.path.join(scratch, "awaited_True")
archive = os.path.join(scratch, "awaited_archive", "traces.otf2")
os.makedirs(os.path.dirname(archive))
done = run("export", folder, "-o", archive)
check(done.returncode == 0, done.stderr)
near(replayed(archive, "--alpha", "5us", "--beta", "1ns/B")[0]["changed"]["time_s"],
     replayed(folder, "--alpha", "5us", "--beta", "1ns/B")[0]["changed"]["time_s"], "waits in an archive", 1e-9)

# The critical path goes over ranks, and not through hidden all_reduces: compute of the straggler, then what is exposed.
job = Job()
path = table(written(job, "path"), "critical-path")
collectives = [row for row in path if row["step"] == "all_reduce"]
check(len(collectives) == job.steps, f"{len(collectives)} collectives on the critical path")
check(sum(row["from"] == job.straggler for row in collectives) >= job.steps - 1,
      f"whose they are: {[row['from'] for row in collectives]}")
for row in collectives:
    near(row["duration_s"], job.exposed * 1e-6, "exposed part on the critical path")
    check(row["path"] == "exposed communication in default_pg", f"where a collective is: {row}")
# The last step of the job may end idle.
check({row["step"] for row in path[:-1]} == {"all_reduce", "compute"}, f"steps of the path: {path}")
check(path[-1]["step"] in ("all_reduce", "compute", "idle"), f"the last step of the path: {path[-1]}")
waits = table(os.path.join(scratch, "path"), "waits")
check({row["wait"] for row in waits} == {"wait for straggler"} and all(row["mostly_for"] == job.straggler for row in waits),
      f"waits: {waits}")

# As OTF2 and back: the same page, the same steps, the same collectives; otf2-print reads it.
for name, job, ranks, spoilt in (("otf2", Job(late_steps=range(2, 10)), None, None), ("otf2_missing", Job(), [1, 5, 6], None),
                                 ("otf2_clocks", Job(offsets=[0, 12000.25, -40000, 5, 700, -3, 22000, 8000.5]), None, None),
                                 ("otf2_shifted", Job(late_steps=[3, 4]), None, 2)):
    folder = written(job, name, ranks=ranks)
    if spoilt is not None:
        drop_first_step(job, folder, spoilt)
    archive = os.path.join(scratch, name + "_archive", "traces.otf2")
    os.makedirs(os.path.dirname(archive))
    done = run("export", folder, "-o", archive)
    check(done.returncode == 0, f"{name}: {done.stderr}")
    before, after = page(folder).split("--tables")[0], page(archive).split("--tables")[0]
    check(before == after, f"{name}: {before}\n{after}")
    for which in ("steps", "stragglers", "bandwidth"):
        check(table(folder, which) == table(archive, which), f"{name}: {which}")
    if shutil.which("otf2-print"):
        done = subprocess.run(["otf2-print", archive], capture_output=True, text=True, timeout=120)
        check(done.returncode == 0 and not done.stderr, f"{name}: otf2-print: {done.stderr}")
        begins, ends = done.stdout.count("MPI_COLLECTIVE_BEGIN"), done.stdout.count("MPI_COLLECTIVE_END")
        check(begins == ends == len(glob.glob(folder + "/*")) * 2 * job.steps - (2 if spoilt is not None else 0),
              f"{name}: {begins} {ends}")
        definitions = subprocess.run(["otf2-print", "-G", archive], capture_output=True, text=True, timeout=120).stdout
        check("ACCELERATOR_STREAM" in definitions and "default_pg" in definitions, f"{name}: definitions")
done = run("export", folder, "-o", os.path.join(scratch, "job.pftrace"))
check(done.returncode == 0, f"Perfetto: {done.stderr}")

# One file, compressed or not, is a trace for every command, and no algorithm.
for compressed in (False, True):
    folder = written(Job(ranks=2, straggler=1), f"single_{compressed}", compressed=compressed)
    single = sorted(glob.glob(folder + "/*"))[0]
    for words in (("export", single, "-o", os.path.join(scratch, f"of_one_{compressed}.otf2")),
                  ("export", single, "--view", "tracks", "-o", os.path.join(scratch, f"single_{compressed}.svg")),
                  ("compare", single, single)):
        done = run(*words)
        check(done.returncode == 0, f"{words}: {done.stderr}")

# Two jobs side by side: how a rank spends a step. Without its straggler exposed communication is 7/8 of its delay shorter.
late, even = Job(), Job(delay=0)
done = run("compare", written(late, "with_straggler"), written(even, "without_straggler"), "--format", "json")
check(done.returncode == 0, done.stderr)
rows = {row["activity"]: row for row in json.loads(done.stdout)["steps"]["rows"]}
for activity, column in (("compute", 1), ("exposed communication", 2), ("hidden communication", 3), ("idle", 4)):
    for job, which in ((late, "first_s"), (even, "second_s")):
        right = sum(job.times(rank, step)[column] for rank in range(job.ranks) for step in range(job.steps)) / job.ranks / job.steps
        near(rows[activity][which], right * 1e-6, f"compare: {activity}, {which}", 1e-9)
near(rows["exposed communication"]["longer_s"], -late.delay * 7 / 8 * 1e-6, "compare: what the straggler costs", 1e-9)
done = run("replay", os.path.join(scratch, "alone"), "--with", "all_reduce=allreduce/double-tree")
check(done.returncode == 2 and "no collective was recorded on all of its ranks" in done.stderr, done.stderr)

# Pictures speak of steps, kernels and communication; a stream without a kernel is idle.
picture = os.path.join(scratch, "tracks.svg")
folder = os.path.join(scratch, "replay")
for view, words, others in (("tracks", ("step 0", "step 9", "communication", "kernels and copies", "host", "stream 20", "rank 7"),
                             ("iteration", "MPI", ">compute<", "accelerator<")), ("when", ("10 steps",), ("iteration",))):
    done = run("export", folder, "--view", view, "--width", "1600", "--height", "900", "-o", picture, "--force")
    check(done.returncode == 0, done.stderr)
    with open(picture) as file:
        drawn = file.read()
    for word in words:
        check(word in drawn, f"{view} has no {word}")
    for word in others:
        check(word not in drawn, f"{view} has {word}")

# Ranks without a trace have no rows in the timeline.
done = run("export", os.path.join(scratch, "missing"), "--view", "tracks", "--width", "1600", "--height", "900", "-o", picture, "--force")
check(done.returncode == 0, done.stderr)
drawn = open(picture).read()
check([rank for rank in range(8) if f">rank {rank}<" in drawn] == [1, 5, 6], "rows of ranks")

# Hundreds of ranks.
job = Job(ranks=512, steps=3, straggler=300, late_steps=[1, 2])
folder = written(job, "many")
straggler_is_named(job, folder)
steps_are_right(job, folder)
shutil.rmtree(folder)

# Broken, truncated and hostile files.
whole = json.dumps(Job(ranks=1, steps=2, straggler=0, delay=0).document(0)).encode()
packed = gzip.compress(whole)
open(os.path.join(scratch, "whole.json"), "wb").write(whole)
for name, content, sentence in (
        ("cut.json", whole[:len(whole) // 2], "ends early"),
        ("cut.json.gz", packed[:len(packed) // 2], "compressed data end early"),
        ("damaged.json.gz", packed[:200] + b"\0" * 50 + packed[250:], "damaged"),
        ("empty.json", b"{}", "traceEvents"),
        ("deep.json", b'{"traceEvents": [' + b"[" * 100000, "deep"),
        ("deeper.json", b'{"a":' * 100000, "deep"),
        ("comma.json", whole.replace(b'"ph"', b'"ph" "x"', 1), "not valid json"),
        ("ranks.json", whole.replace(b'"rank": 0', b'"rank": 4000000000'), "at most"),
        ("world.json", whole.replace(b'"world_size": 1', b'"world_size": 99999999999'), "at most")):
    path = os.path.join(scratch, name)
    open(path, "wb").write(content)
    done = run("open", path)
    check(done.returncode == 2 and sentence in done.stderr and done.stderr.count("\n") <= 2,
          f"{name}: {done.returncode} {done.stderr}")
# A few kilobytes that are compressed gigabytes of one string, of escapes or of digits take no memory.
for name, begin, part, sentence in (("string", b'{"traceEvents": [{"name": "', b"a", "a string of more than 16 MiB"),
                                    ("escapes", b'{"traceEvents": [{"name": "', b"\\n", "a string of more than 16 MiB"),
                                    ("digits", b'{"traceEvents": [{"ts": ', b"1", "a number of more than 1024 digits"),
                                    ("spaces", b'{"traceEvents": [', b" ", "ends early")):
    path = os.path.join(scratch, name + ".json.gz")
    with gzip.open(path, "wb", compresslevel=1) as out:
        out.write(begin)
        for _ in range(100):
            out.write(part * ((1 << 20) // len(part)))
    done = subprocess.run(["bash", "-c", 'ulimit -v 2000000; exec "$0" open "$1"', program, path], capture_output=True, timeout=240,
                          text=True)
    check(done.returncode == 2 and sentence in done.stderr and done.stderr.count("\n") <= 2, f"{name}: {done.returncode} {done.stderr}")
# Numbers and strings lie anywhere in what is read at once.
for step in (1, 7, 200_000, 262_130):
    spaced = whole.replace(b'"ph"', b" " * step + b'"ph"', 3)
    path = os.path.join(scratch, "spaced.json")
    open(path, "wb").write(spaced)
    check(table(path, "steps") == table(os.path.join(scratch, "whole.json"), "steps"), f"spaces: {step}")
for name, old, new in (("times", b'"ts": 1100', b'"ts": 1e300'), ("negative", b'"dur": 8000', b'"dur": -8000'),
                       ("nothing", b'"dur": 8000', b'"dur": null'), ("nan", b'"dur": 8000', b'"dur": NaN'),
                       ("group", b'"Group size": 1,', b'"Group size": 123456789012,'),
                       ("elements", b'"In msg nelems": 4194304', b'"In msg nelems": 9223372036854775807'),
                       ("elements_out", b'"Out msg nelems": 4194304', b'"Out msg nelems": 4611686018427387904'),
                       ("late", b'"ts": 1100', b'"ts": 39999999999999999'),
                       ("latest", b'"ts": 1100', b'"ts": 3999999999999999'),
                       ("before", b'"ts": 1100', b'"ts": -3999999999999999'),
                       ("long", b'"dur": 8000', b'"dur": 3999999999999999'),
                       ("members", b'"Process Group Ranks": "[0]"', b'"Process Group Ranks": "[0, 2000000000]"'),
                       ("start", b'"Global rank start": 0', b'"Global rank start": 9223372036854775807'),
                       ("stride", b'"Global rank stride": 1', b'"Global rank stride": 9223372036854775807'),
                       ("base", b"1732000000000000000", b"9223372036854775807")):
    path = os.path.join(scratch, name + ".json")
    check(old in whole, f"the test spoils nothing: {name}")
    open(path, "wb").write(whole.replace(old, new))
    done = run("open", path)
    check(done.returncode in (0, 2), f"{name}: {done.returncode} {done.stderr}")
    if done.returncode == 2:
        check(done.stderr.count("\n") <= 2 and done.stderr.strip(), f"{name}: {done.stderr}")
        continue
    check("Training job of 1 rank" in " ".join(done.stdout.split()), f"{name}: {done.stdout}")
    for which in ("steps", "bandwidth", "stragglers"):
        for row in table(path, which):
            for column, value in row.items():
                check(not isinstance(value, (int, float)) or value >= 0, f"{name}: {which}: {column} {value}")

# Real ones, by a slow reading.
if not os.path.isdir(real):
    print("the real traces are not there: skipped")
else:
    def union(spans):
        total, end = 0, None
        for a, b in sorted(spans):
            if end is None or a > end:
                total, end = total + b - a, b
            elif b > end:
                total, end = total + b - end, b
        return total

    path = os.path.join(real, "nccl_data.json.gz")
    document = json.load(gzip.open(path))
    events = [e for e in document["traceEvents"] if e.get("ph") == "X"]
    for row in table(path, "steps"):
        step = next(e for e in events if e["name"] == "ProfilerStep#" + row["step"])
        low, high = step["ts"], step["ts"] + step["dur"]
        kinds = {True: [], False: []}
        for e in events:
            if e["cat"] in ("kernel", "gpu_memcpy", "gpu_memset") and e["ts"] + e["dur"] > low and e["ts"] < high:
                kinds[e["name"].startswith("nccl")].append((max(e["ts"], low), min(e["ts"] + e["dur"], high)))
        compute, both = union(kinds[False]), union(kinds[False] + kinds[True])
        near(row["duration_s"], step["dur"] * 1e-6, "duration", 1e-8)
        near(row["compute_s"], compute * 1e-6, "compute", 1e-7)
        near(row["exposed_s"], (both - compute) * 1e-6, "exposed", 1e-7)
        near(row["hidden_s"], (union(kinds[True]) - both + compute) * 1e-6, "hidden", 1e-7)
    calls = collections.Counter()
    total = collections.Counter()
    for e in events:
        if e["cat"] == "kernel" and e["name"].startswith("nccl"):
            key = ({"allreduce": "all_reduce"}.get(e["args"]["Collective name"], e["args"]["Collective name"]),
                   e["args"]["In msg nelems"] * {"Float": 4, "Long": 8, "Byte": 1}[e["args"]["dtype"]])
            calls[key] += 1
            total[key] += e["dur"]
    rows = table(path, "bandwidth")
    check({(r["operation"], r["size_bytes"]): r["calls"] for r in rows} == dict(calls), f"{rows} {calls}")
    for r in rows:
        near(r["total_s"], total[(r["operation"], r["size_bytes"])] * 1e-6, "total", 1e-7)
    sampled = os.path.join(scratch, "sampled")
    os.makedirs(sampled)
    expected = 0
    for rank in (0, 1):
        name = f"sampled_rank-{rank}.json.gz"
        os.symlink(os.path.abspath(os.path.join(real, name)), os.path.join(sampled, name))
    check("Training job of 128 ranks (2 recorded)" in page(sampled), "the sampled traces")
    check(len(table(sampled, "steps")) == sum(
        e["name"].startswith("ProfilerStep#") for rank in (0, 1)
        for e in json.load(gzip.open(os.path.join(real, f"sampled_rank-{rank}.json.gz")))["traceEvents"]), "sampled steps")
    gloo = glob.glob(os.path.join(real, "rank-34*"))[0]
    check("Training job of 300 ranks (1 recorded)" in page(gloo) and "all_reduce" in page(gloo), page(gloo))
    check("Training job of 1 rank" in page(glob.glob(os.path.join(real, "mi250*"))[0]), "AMD")
shutil.rmtree(scratch)
