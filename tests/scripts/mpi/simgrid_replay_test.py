# SPDX-License-Identifier: BSD-3-Clause
"""What replay writes as time-independent traces takes under SimGrid what it takes here.

Debian: libsimgrid-dev. Links without latency, no factors, no overheads, every send a rendezvous: the time of a message is
its bytes, and 16 more of SMPI's own, over the speed of the ports. Programs whose ranks send and receive one message at a time.

Usage: simgrid_replay_test.py SOURCE_DIR PROGRAM
"""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

program = sys.argv[2]
if not shutil.which("smpirun"):
    print("skipped: needs smpirun (Debian: libsimgrid-dev)")
    sys.exit(77)

EXACT = ["--cfg=network/model:CM02", "--cfg=network/crosstraffic:0", "--cfg=network/TCP-gamma:0",
         "--cfg=smpi/os:0:0:0", "--cfg=smpi/or:0:0:0", "--cfg=smpi/ois:0:0:0", "--cfg=smpi/wtime:0",
         "--cfg=smpi/send-is-detached-thresh:0", "--cfg=smpi/async-small-thresh:0", "--cfg=smpi/host-speed:1Gf",
         "--log=xbt_cfg.thresh:critical", "--log=smpi_replay.fmt:replayed%e%.12r%n"]
AS_THERE = ["--alpha", "12.8ns", "--beta", "0.8ns/B", "--gamma", "0ns/B", "--eager", "0B", "--topology", "full"]
RUNS = ["allreduce/ring -n 16 --size 64KiB", "allreduce/bruck -n 13 --size 100000", "bcast/binomial-tree -n 16 --size 1MiB",
        "bcast/pipelined-chain:segments=8 -n 9 --size 64KiB", "allgatherv/linear-ring -n 7 --sizes linear --size 4KiB",
        "reduce/binomial-tree -n 16 --size 12344", "gatherv/binomial-tree -n 11 --size 777",
        "alltoallv/ring -n 8 --size 4096", "scan/recursive-doubling -n 16 --size 5000"]

scratch = pathlib.Path(tempfile.mkdtemp())
failures = []


def collscope(*words):
    done = subprocess.run([program, *words], capture_output=True, text=True, timeout=120)
    if done.returncode != 0:
        sys.exit(f"{words}: {done.stderr}")
    return done.stdout


def simgrid(folder, ranks):
    """Seconds; on ports of 1.25 GB/s each way."""
    (folder / "platform.xml").write_text(
        f"""<?xml version="1.0"?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
<cluster id="c" prefix="n-" suffix="" radical="0-{ranks - 1}" speed="1Gf" bw="1.25GBps" lat="0us"/>
</platform>
""")
    (folder / "hosts").write_text("".join(f"n-{rank}\n" for rank in range(ranks)))
    done = subprocess.run(["smpirun", "-np", str(ranks), "-platform", "platform.xml", "-hostfile", "hosts", *EXACT,
                           "-replay", "traces"], capture_output=True, text=True, timeout=120, cwd=folder)
    words = (done.stdout + done.stderr).split()
    if done.returncode != 0 or "replayed" not in words:
        sys.exit(f"smpirun in {folder}: {done.stdout}{done.stderr}")
    return float(words[words.index("replayed") + 1])


def agree(what, here, there):
    if abs(here - there) > 1e-9:
        failures.append(what)
    print(f"{what}: {here:.12f} s here, {there:.12f} s under SimGrid")


for number, run in enumerate(RUNS):
    name, *problem = run.split()
    name, *options = name.split(":")
    settings = [word for option in options for word in ("--set", option)]
    trace, out = scratch / f"run-{number}", scratch / f"out-{number}"
    collscope("run", name, *problem, *settings, "--trace", str(trace))
    answer = json.loads(collscope("replay", str(trace), *AS_THERE, "--time-independent", str(out), "--format", "json"))
    agree(run, answer["changed"]["time_s"], simgrid(out, answer["ranks"]))

# A program of another recorder, which computes too.
shared = pathlib.Path(os.environ.get("COLLSCOPE_SHARED_TRACES", os.path.join(sys.argv[1], "..", "shared", "traces")))
if (shared / "pipit-ping-pong").exists():
    out = scratch / "ping-pong"
    answer = json.loads(collscope("replay", str(shared / "pipit-ping-pong"), *AS_THERE, "--time-independent", str(out),
                                  "--format", "json"))
    agree("ping-pong", answer["changed"]["time_s"], simgrid(out, answer["ranks"]))
else:
    print("the recorded ping-pong is not there")

shutil.rmtree(scratch)
print("failed:" if failures else "all agree", *failures)
sys.exit(1 if failures else 0)
