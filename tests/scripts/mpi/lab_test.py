# SPDX-License-Identifier: BSD-3-Clause
"""The cluster on the desk: up, a run over real TCP, down, and nothing left. Needs root and iproute2.

Usage: lab_test.py SOURCE_DIR PROGRAM
"""
import csv
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

from mpi_programs import check, failures, finish

program = sys.argv[2]
tools = os.environ.get("PATH", "") + ":/usr/sbin:/sbin"
links = pathlib.Path("/sys/class/net")
spaces = pathlib.Path("/run/netns")


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
check(done.returncode == 2 and "no lab is set up" in done.stderr, f"no lab: {done.returncode} {done.stderr!r}")

try:
    done = run("lab", "up", "--hosts", "3", "--rate", "200mbit")
    check(done.returncode == 0 and "3 hosts, 200 Mbit/s" in done.stdout, f"up: {done.stdout!r} {done.stderr!r}")
    check(len(standing()) == 7, f"up: {standing()}")
    done = run("lab", "up")
    check(done.returncode == 2 and "is set up already" in done.stderr, f"twice up: {done.stderr!r}")
    status = json.loads(run("lab", "status", "--format", "json").stdout)
    check(status["hosts"] == 3 and isinstance(status["ports_are_queues"], bool), f"status: {status}")

    done = run("run", "allgatherv/linear-ring", "-n", "3", "--size", "1MiB", "--on", "mpi", "--lab", "--format", "json")
    check(done.returncode == 0, f"run: {done.stderr!r}")
    report = json.loads(done.stdout or "{}")
    check(report.get("verified") is True, "the data in the lab")
    check(sorted(report["measurement"]["hosts"]) == ["collscope-1", "collscope-2", "collscope-3"], "a host for each rank")
    # Two rounds of 1 MiB at 25 MB/s take 84 ms; shared memory would take one.
    check(report["time_s"] > 0.06, f"the brake: {report['time_s']} s")

    # The points of a sweep, one after the other, at the speed of the ports.
    done = run("sweep", "bcast/flat", "-n", "2,3", "--size", "1MiB", "--on", "mpi", "--lab", "--format", "json")
    check(done.returncode == 0, f"sweep: {done.stderr!r}")
    measured = [row["measured_s"] for row in json.loads(done.stdout or "[]")]
    check(len(measured) == 2 and measured[0] > 0.03 and measured[1] > 1.4 * measured[0], f"sweep: {measured}")

    # A port is a queue: of two messages that a rank sends at once, the first is through before the second begins.
    if status["ports_are_queues"]:
        with tempfile.TemporaryDirectory() as scratch:
            trace, table = scratch + "/trace", scratch + "/messages.csv"
            done = run("run", "bcast/flat", "-n", "3", "--size", "2MiB", "--on", "mpi", "--lab", "--repeat", "3", "--trace", trace)
            check(done.returncode == 0, f"two messages: {done.stderr!r}")
            run("export", trace, "-o", table)
            with open(table) as rows:
                ends = [1e3 * float(row["receive_end_s"]) for row in csv.DictReader(rows)]
            check(len(ends) == 2 and ends[0] < 0.7 * ends[1], f"two messages end after {ends} ms")

    done = run("calibrate", "--lab", "--pairs", "2", "--repeat", "2", "--message-sizes", "16KiB..256KiB", "--format", "json")
    check(done.returncode == 0 and json.loads(done.stdout)["pairs"] == 2, f"calibrate: {done.stdout!r} {done.stderr!r}")

    # Taken down during a run: it ends, says so, and counts what was done; nothing of it is left.
    with tempfile.TemporaryDirectory() as scratch:
        process = subprocess.Popen([program, "run", "barrier/dissemination", "-n", "3", "--on", "mpi", "--lab", "--repeat", "100000"],
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=dict(os.environ, TMPDIR=scratch))
        err = ""
        while (line := process.stderr.readline()) and not re.search(r"running [1-9]", err := err + line):
            pass  # under way, however slow the machine is
        done = run("lab", "down")
        check(done.returncode == 0 and "took down 3 hosts" in done.stdout, f"down during a run: {done.stdout!r} {done.stderr!r}")
        err += process.stderr.read()
        out = process.stdout.read()
        process.wait()
        check(process.returncode == 1 and "the lab was removed during the run" in err, f"its run: {process.returncode} {err!r}")
        check(" of 100,000 executions" in out, f"its executions: {out!r}")
        check(os.listdir(scratch) == [], f"its run left {os.listdir(scratch)}")
    done = run("lab", "up", "--hosts", "3", "--rate", "200mbit")
    check(done.returncode == 0, f"up again: {done.stderr!r}")
finally:
    done = run("lab", "down")
check(done.returncode == 0 and "took down 3 hosts" in done.stdout, f"down: {done.stdout!r} {done.stderr!r}")
check(standing() == [], f"down: {standing()}")
check(run("lab", "down").returncode == 0, "down again")

# MPICH runs there too, and comes to its end: where 16 processes close their connections, some used to wait for ever.
if shutil.which("mpiexec.mpich") and os.path.exists(pathlib.Path(program).with_name("collscope-mpi-mpich")):
    try:
        run("lab", "up", "--hosts", "16", "--rate", "200mbit")
        done = run("run", "bcast/binomial-tree", "-n", "16", "--size", "1MiB", "--on", "mpi", "--lab", "--mpirun", "mpiexec.mpich", "--format", "json")
        check(done.returncode == 0, f"MPICH: {done.stderr!r}")
        report = json.loads(done.stdout or "{}")
        check(report.get("verified") is True and len(report["measurement"]["hosts"]) == 16, f"MPICH: {done.stdout!r}")
        # Four rounds of 1 MiB at 25 MB/s take 168 ms.
        check(report.get("time_s", 0) > 0.12, f"MPICH does not use the ports: {report.get('time_s')} s")
        done = run("run", "bcast/flat", "-n", "2", "--on", "mpi", "--lab", "--mpirun", "true")
        check(done.returncode == 2 and "is not a launcher of Open MPI or MPICH" in done.stderr, f"another launcher: {done.stderr!r}")
    finally:
        run("lab", "down")

# Whoever ends it while it is set up finds nothing of what was begun.
for kind in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
    process = subprocess.Popen([program, "lab", "up", "--hosts", "250"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    while process.poll() is None and len(standing()) < 40:
        time.sleep(0.01)
    process.send_signal(kind)
    process.communicate(timeout=120)
    check(process.returncode == 130 and standing() == [], f"{kind}: {process.returncode} {standing()}")

finish()
