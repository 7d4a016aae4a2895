# SPDX-License-Identifier: BSD-3-Clause
"""The cluster on the desk: up, a run over real TCP, down, and nothing left. Needs root and iproute2.

Usage: lab_test.py SOURCE_DIR PROGRAM
"""
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import time

program = sys.argv[2]
tools = os.environ.get("PATH", "") + ":/usr/sbin:/sbin"
links = pathlib.Path("/sys/class/net")
spaces = pathlib.Path("/run/netns")
failures = []


def check(condition, words):
    if not condition:
        failures.append(words)
        print("FAILED:", words)


def run(*arguments):
    return subprocess.run([program, *arguments], capture_output=True, text=True, timeout=120)


def standing():
    return sorted([p.name for p in links.glob("clab-*")] + [p.name for p in spaces.glob("collscope-*")])


def skip(why):
    print("skipped:", why)
    sys.exit(77)


if os.geteuid() != 0:
    done = run("lab", "up", "--hosts", "2")
    check(done.returncode == 2 and "only root" in done.stderr, f"without root: {done.returncode} {done.stderr!r}")
    sys.exit(1) if failures else skip("only root may make network namespaces")
if not shutil.which("tc", path=tools) or not os.path.exists(pathlib.Path(program).with_name("collscope-mpi")):
    skip("iproute2 or MPI is missing")
if standing():
    skip("a lab stands already, and it is not ours to take down")
trial = subprocess.run(["ip", "netns", "add", "collscope-0"], env=dict(os.environ, PATH=tools), capture_output=True)
if trial.returncode != 0:
    skip("this machine makes no network namespaces")
subprocess.run(["ip", "netns", "del", "collscope-0"], env=dict(os.environ, PATH=tools), check=True)

done = run("run", "bcast/flat", "-n", "2", "--on", "mpi", "--lab")
check(done.returncode == 2 and "no lab stands" in done.stderr, f"no lab: {done.returncode} {done.stderr!r}")

try:
    done = run("lab", "up", "--hosts", "3", "--rate", "200mbit")
    check(done.returncode == 0 and "3 hosts, 200 Mbit/s" in done.stdout, f"up: {done.stdout!r} {done.stderr!r}")
    check(len(standing()) == 7, f"up: {standing()}")
    done = run("lab", "up")
    check(done.returncode == 2 and "stands already" in done.stderr, f"twice up: {done.stderr!r}")
    status = json.loads(run("lab", "status", "--format", "json").stdout)
    check(status["hosts"] == 3 and isinstance(status["ports_are_queues"], bool), f"status: {status}")

    done = run("run", "allgatherv/linear-ring", "-n", "3", "--size", "1MiB", "--on", "mpi", "--lab", "--format", "json")
    check(done.returncode == 0, f"run: {done.stderr!r}")
    report = json.loads(done.stdout or "{}")
    check(report.get("verified") is True, "the data in the lab")
    check(sorted(report["measurement"]["hosts"]) == ["collscope-1", "collscope-2", "collscope-3"], "a host for each rank")
    # Two rounds of 1 MiB at 25 MB/s take 84 ms; shared memory would take one.
    check(report["time_s"] > 0.06, f"the brake: {report['time_s']} s")
finally:
    done = run("lab", "down")
check(done.returncode == 0 and "took down 3 hosts" in done.stdout, f"down: {done.stdout!r} {done.stderr!r}")
check(standing() == [], f"down: {standing()}")
check(run("lab", "down").returncode == 0, "down again")

# Ctrl-C while it is set up takes down what was begun.
process = subprocess.Popen([program, "lab", "up", "--hosts", "250"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
while process.poll() is None and len(standing()) < 8:
    time.sleep(0.01)
process.send_signal(signal.SIGINT)
process.communicate(timeout=120)
check(process.returncode == 130 and standing() == [], f"interrupted: {process.returncode} {standing()}")

sys.exit(1 if failures else 0)
