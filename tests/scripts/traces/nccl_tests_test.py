# SPDX-License-Identifier: BSD-3-Clause
"""Results of nccl-tests, as its versions print them: beside the times of a sweep, and as alpha and beta with intervals that
contain those that the results were made with.

Usage: nccl_tests_test.py SOURCE_DIR PROGRAM
"""
import csv
import io
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile

program = sys.argv[2]
scratch = tempfile.mkdtemp(prefix="collscope-results-")


def check(condition, what):
    if not condition:
        sys.exit(f"FAILED: {what}")


def run(*words):
    return subprocess.run([program, *words], capture_output=True, timeout=120, text=True)


FACTORS = {"all_reduce": lambda n: 2 * (n - 1) / n, "all_gather": lambda n: (n - 1) / n, "reduce_scatter": lambda n: (n - 1) / n,
           "alltoall": lambda n: (n - 1) / n, "broadcast": lambda n: 1, "sendrecv": lambda n: 1, "gather": lambda n: (n - 1) / n}
STEPS = {"all_reduce": lambda n: 2 * (n - 1), "all_gather": lambda n: n - 1, "reduce_scatter": lambda n: n - 1,
         "alltoall": lambda n: n - 1, "broadcast": lambda n: n - 1, "sendrecv": lambda n: 1}


def ring_time(what, n, size, alpha, beta):
    """Microseconds."""
    volume = size if what in ("broadcast", "sendrecv") else FACTORS[what](n) * size
    return (STEPS[what](n) * alpha + volume * beta) * 1e6


def output(what, ranks, times, version=13, wrong=(), named=True, groups=1, in_place=None, prefix="", noise=()):
    """What one run prints; `times` are pairs of size and microseconds."""
    reduces = what in ("all_reduce", "reduce_scatter")
    old = version < 13
    lines = [f"$ ./build/{what}_perf -b 8 -e 128M"] if named and version < 17 else []
    if version >= 17:
        lines += [f"# nccl-tests version 2.{version}.0 nccl-headers=22706 nccl-library=22706",
                  f"# Collective test starting: {what}_perf"]
    lines += [f"# nThread 1 nGpus {ranks} minBytes 8 maxBytes 134217728 step: 2(factor) warmup iters: 5 iters: 20 validation: 1 ", "#",
              "# Using devices"]
    for rank in range(ranks * groups):
        group = f" Group {rank // ranks:2d}" if version >= 13 else ""
        lines.append(f"#  Rank {rank:2d}{group} Pid  {100 + rank} on     host device  {rank} [0x07] NVIDIA A100-SXM4-80GB")
    columns = ["size", "count", "type"] + ((["redop"] if reduces else []) if old else ["redop", "root"])
    pass_ = ["time", "algbw", "busbw", "error" if old else "#wrong"]
    lines += ["#", "#                 out-of-place                       in-place", "# " + "  ".join(columns + pass_ + pass_),
              "#  (B)    (elements)      (us)  (GB/s)  (GB/s)            (us)  (GB/s)  (GB/s)"]
    for size, time in times:
        cells = [f"{size:12d}", f"{size // 4:12d}", "float"]
        cells += (["sum"] if reduces else []) if old else ["sum" if reduces else "none", "-1"]
        for place in range(2):
            t = time if place == 0 or in_place is None else in_place * time
            shown = f"{t:7.2f}" if t < 1000 else f"{t:7.0f}" if t < 1e7 else f"{t:.1e}"
            speed = size / t / 1e3
            bad = "N/A" if place == 1 and what == "alltoall" else "3" if size in wrong else "0e+00" if old else "0"
            cells += [shown, f"{speed:.2f}", f"{speed * FACTORS[what](ranks):.2f}", bad]
        lines += ["   ".join(cells)] + list(noise)
    lines += ["# Out of bounds values : 0 OK", "# Avg bus bandwidth    : 1.2 ", "#"]
    return "\n".join(prefix + line for line in lines) + "\n"


def write(name, words):
    path = os.path.join(scratch, name)
    with open(path, "w") as out:
        out.write(words)
    return path


def calibrated(path, *more):
    ran = run("calibrate", path, "--format", "json", *more)
    check(ran.returncode == 0, f"calibrate {path}: {ran.stderr}")
    return json.loads(ran.stdout)


# Alpha and beta of every program and version come back, and lie within their intervals where times vary.
sizes = [2**k for k in range(3, 28)]
alpha, beta = 4e-6, 1 / 24e9
chance = random.Random(4)
inside = 0
cases = [(what, n, v) for what in STEPS for n in (2, 8) for v in (9, 13, 19)]
for what, n, version in cases:
    times = [(size, ring_time(what, n, size, alpha, beta) * chance.gauss(1, 0.02)) for size in sizes]
    path = write("results", output(what, n, times, version, prefix="[1,0]<stdout>:" if version == 13 else ""))
    its = calibrated(path)
    check(abs(its["alpha_s"] / alpha - 1) < 0.05 and abs(its["beta_s_per_byte"] / beta - 1) < 0.05, f"{what} {n} {version}: {its}")
    check(len(its["points"]) == len(sizes) and its["points"][0]["series"] == f"{what}_perf on {n} ranks", "points")
    inside += its["alpha_low_s"] <= alpha <= its["alpha_high_s"] and its["beta_low_s_per_byte"] <= beta <= its["beta_high_s_per_byte"]
check(inside >= 0.75 * len(cases), f"{inside} of {len(cases)} intervals contain both parameters; 90% are expected")

# Two runs in one file, with different numbers of ranks, and communicators that are split into groups.
both = "".join(output("all_reduce", n, [(s, ring_time("all_reduce", n, s, alpha, beta)) for s in sizes], 17, groups=g)
               for n, g in ((2, 1), (8, 2)))
its = calibrated(write("both", both))
check({p["series"] for p in its["points"]} == {"all_reduce_perf on 2 ranks", "all_reduce_perf on 8 ranks"}, "two series")
check(abs(its["alpha_s"] / alpha - 1) < 0.02 and its["largest_error"] < 0.02, "one fit of both")
some = calibrated(write("both", both), "--message-sizes", "1MiB..16MiB")
check({p["bytes"] for p in some["points"]} == {2**k for k in range(20, 25)}, "a range of sizes")

# The model is one that runs take.
model = os.path.join(scratch, "gpu.model")
ran = run("calibrate", write("both", both), "-o", model)
check(ran.returncode == 0 and "95% interval" in ran.stdout, ran.stdout + ran.stderr)
ran = run("run", "allreduce/ring", "-n", "8", "--size", "1MiB", "--model", "@" + model, "--format", "json")
check(ran.returncode == 0 and abs(json.loads(ran.stdout)["time_s"] * 1e6 / ring_time("all_reduce", 8, 2**20, alpha, beta) - 1) < 0.02,
      ran.stderr)

# What cannot be estimated is refused.
def refused(words, name, text, *more):
    ran = run("calibrate", write(name, text), *more)
    check(ran.returncode == 2 and words in ran.stderr and ran.stderr.count("\n") == 1, f"{name}: {ran.stdout}{ran.stderr}")


flat = [(s, 20.0 + chance.random()) for s in sizes[:12]]
refused("beta cannot be estimated", "small", output("all_reduce", 8, flat))
steep = [(s, ring_time("all_reduce", 8, s, 1e-9, beta) * chance.gauss(1, 0.05)) for s in sizes[18:]]
refused("alpha cannot be estimated", "large", output("all_reduce", 8, steep))
refused("three results", "two", output("all_reduce", 8, [(1024, 10), (4096, 11)]))
refused("one size", "same", output("all_reduce", 8, [(1024, 10 + k) for k in range(5)]))
refused("MPI=1", "alone", output("all_reduce", 1, flat))
refused("rank 0 is listed twice", "twice", output("all_reduce", 2, flat).replace("#  Rank  1 Group  0", "#  Rank  0 Group  0"))
refused("processor time", "cpu", output("all_reduce", 8, flat).replace("time", "cputime"))
refused("no results", "none", output("all_reduce", 8, []))
refused("program's name", "unnamed", output("all_gather", 8, [(s, ring_time("all_gather", 8, s, alpha, beta)) for s in sizes], named=False))
its = calibrated(write("guessed", output("all_reduce", 8, [(s, ring_time("all_reduce", 8, s, alpha, beta)) for s in sizes], named=False)))
check(its["points"][0]["series"] == "all_reduce_perf on 8 ranks", "only all_reduce has this factor")

# Wrong results are left out, and debug lines of NCCL between rows do not matter.
times = [(s, ring_time("all_reduce", 8, s, alpha, beta)) for s in sizes]
its = calibrated(write("wrong", output("all_reduce", 8, times, wrong=sizes[:3], noise=["host:1:2 [0] NCCL INFO 8 8 float hello"])))
check(len(its["points"]) == len(sizes) - 3, "wrong results")

check(its["wrong_results"] == 3, "wrong results are counted")
text = run("calibrate", os.path.join(scratch, "wrong")).stdout
check("3 results with wrong data are left out." in text, text)
refused("all results have wrong data", "all-wrong", output("all_reduce", 8, times, wrong=sizes))

# A row that ends early, or in which another line stands, is no result.
whole = output("all_reduce", 8, times)
last = whole.splitlines()[-4]
for end in range(len(last) // 3, len(last) // 2):
    head = whole[:whole.index(last)]
    its = calibrated(write("ends", head + last[:end]))
    check(len(its["points"]) in (len(sizes) - 1, len(sizes)) and its["largest_error"] < 0.1, f"a row that ends at {end}: {its}")
its = calibrated(write("mixed", whole.replace(last, "   268435456   67108864   float   sum   -1   26 " + last)))
check(len(its["points"]) == len(sizes) - 1, "a row that another row interrupts")

# Programs without a ring are left out; runs that alternate are named once.
runs = [output("all_reduce", 8, times), output("gather", 8, [(1024, 10), (4096, 11)]), output("broadcast", 8, [
    (s, ring_time("broadcast", 8, s, alpha, beta)) for s in sizes]), output("all_reduce", 8, times)]
path = write("four", "".join(runs))
check(calibrated(path)["left_out"] == ["gather_perf on 8 ranks"], "gather is left out")
ran = run("calibrate", path, "-o", os.path.join(scratch, "four.model"))
check(ran.returncode == 0 and "gather_perf on 8 ranks." in ran.stdout, ran.stdout + ran.stderr)
with open(os.path.join(scratch, "four.model")) as file:
    check(file.read().count("all_reduce_perf") == 1, "each series once")

# Beside a sweep: ranks and sizes of the file, and its times in the rows.
path = write("sweep", output("all_reduce", 4, [(s, 2 * ring_time("all_reduce", 4, s, alpha, beta)) for s in (1024, 65536, 2**20)]))
ran = run("sweep", "allreduce/ring", "allreduce/dissemination", "--alpha", "4us", "--bandwidth", "24GB/s", "--measured", path,
          "--format", "csv")
check(ran.returncode == 0, ran.stderr)
rows = list(csv.DictReader(io.StringIO(ran.stdout)))
check([(r["algorithm"].split("/")[1], r["ranks"], r["size"]) for r in rows]
      == [(a, "4", s) for a in ("ring", "dissemination") for s in ("1024", "65536", "1048576")], f"rows {rows}")
for row in rows[:3]:
    check(abs(float(row["measured_s"]) / float(row["time_s"]) - 2) < 0.02, f"twice the ring's time: {row}")
text = run("sweep", "allreduce/ring", "--measured", path).stdout
check("Measured by nccl-tests:" in text, text)
ran = run("sweep", "allgatherv/linear-ring", "--measured", path)
check(ran.returncode == 2 and "all_reduce_perf" in ran.stderr, ran.stderr)
ran = run("sweep", "allreduce/ring", "-n", "5", "--measured", path)
check(ran.returncode == 2 and "no result with these ranks" in ran.stderr, ran.stderr)
# The size of an all_gather is that of all blocks.
path = write("gather", output("all_gather", 4, [(4096, 10), (65536, 20)]))
rows = list(csv.DictReader(io.StringIO(run("sweep", "allgatherv/linear-ring", "--measured", path, "--format", "csv").stdout)))
check([r["size"] for r in rows] == ["1024", "16384"] and rows[1]["measured_s"] == "0.000020000000", f"blocks {rows}")
# Of two results of a size the mean.
path = write("two-runs", "".join(output("all_reduce", 4, [(1024, t), (65536, 2 * t)]) for t in (10, 20)))
rows = list(csv.DictReader(io.StringIO(run("sweep", "allreduce/ring", "--measured", path, "--format", "csv").stdout)))
check(abs(float(rows[0]["measured_s"]) - 15e-6) < 1e-9, f"the median of two: {rows}")
ran = run("sweep", "allreduce/ring", "--measured", write("sweep-wrong", output("all_reduce", 4, [(1024, 10), (65536, 20)], wrong=(1024,))))
check(ran.returncode == 0 and "1 result with wrong data is left out." in ran.stderr, ran.stderr)
# As a chart.
ran = run("sweep", "allreduce/ring", "--measured", os.path.join(scratch, "wrong"), "-o", os.path.join(scratch, "chart.svg"))
check(ran.returncode == 0, ran.stderr)
with open(os.path.join(scratch, "chart.svg")) as file:
    check("nccl-tests" in file.read(), "the measured line is named")
shutil.rmtree(scratch)
