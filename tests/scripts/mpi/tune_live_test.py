#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""`collscope tune` measures the algorithms of Open MPI and MPICH, rejects wrong ones, writes rules that they read, can be
continued, tunes for a recorded program, and finds an order of its ranks.

Usage: tune_live_test.py SOURCE_DIR PROGRAM
"""
import csv
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from mpi_programs import check, finish

source, program = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
if not all(map(shutil.which, ("mpirun", "ompi_info"))) or not (program.parent / "collscope-mpi").exists():
    print("skipped: Open MPI or collscope-mpi is missing")
    sys.exit(77)


def tune(*words, timeout=300, **environment):
    return subprocess.run([program, "tune", *map(str, words)], capture_output=True, text=True, timeout=timeout,
                          env=os.environ | environment)


with tempfile.TemporaryDirectory() as scratch:
    folder = pathlib.Path(scratch)
    rules = folder / "rules.conf"

    # Without --commutative the ring of an allreduce, which changes the order of its operands, is no candidate.
    answer = tune("allreduce,bcast", "-n", 3, "--sizes", "4,64KiB", "--budget", "20s", "-o", rules, "--format", "json")
    check(answer.returncode == 0, f"tune: {answer.stderr}")
    if answer.returncode == 0:
        found = json.loads(answer.stdout)
        faults = [fault for cell in found["cells"] for fault in cell["faults"]]
        check(any("ring" in fault and "does not commute" in fault for fault in faults), f"the ring passed all tests: {faults}")
        check(not any("recursive_doubling" in fault or "bcast" in fault.lower() for fault in faults), f"right algorithms failed: {faults}")
        check(len(found["cells"]) == 4 and all(cell["default_s"] > 0 for cell in found["cells"]), "cells without times")
        checked = tune("check", rules)
        check(checked.returncode == 0, f"its own rules have faults: {checked.stdout}")
        check(len(list(csv.DictReader((folder / "rules.csv").open()))) == 4, "the map has other rows")
        for page in ("rules.md", "rules.html"):
            check("What was measured" in (folder / page).read_text(), f"{page} is empty")
        check("<svg" in (folder / "rules.html").read_text() and "bcast" in (folder / "rules.svg").read_text(), "no map")
        drawn = tune("map", folder / "rules.conf.measured", "-o", folder / "map.csv")
        cells = [[row[key] for key in ("collective", "bytes", "gain", "rule")] for row in csv.DictReader((folder / "map.csv").open())]
        first = [[row[key] for key in ("collective", "bytes", "gain", "rule")] for row in csv.DictReader((folder / "rules.csv").open())]
        check(drawn.returncode == 0 and cells == first, f"the map from the measurements differs: {drawn.stderr}{cells} {first}")
        drawn = tune("map", rules, "-o", folder / "map.json")
        check(drawn.returncode == 0 and json.loads((folder / "map.json").read_text()) == found["cells"], f"other cases in json: {drawn.stderr}")
        drawn = tune("map", folder / "rules.conf.measured", "-o", folder / "map.png")
        check(drawn.returncode == 0 and (folder / "map.png").read_bytes().startswith(b"\x89PNG"), f"no picture: {drawn.stderr}")
        again = tune("bcast", "-n", 3, "--sizes", "4", "--budget", "5s", "-o", rules)
        check(again.returncode == 2 and "rules.conf" in again.stderr, f"overwrote the rules: {again.stderr}")

    # Algorithms of the catalogue replace calls through the drop-in library, never through the library's own file. Open MPI
    # is forced to send segments of 64 bytes, so that others are faster whatever the machine.
    if (program.parent / "libcollscope-pmpi.so").exists():
        slow_choice = {"OMPI_MCA_coll_tuned_use_dynamic_rules": "1", "OMPI_MCA_coll_tuned_bcast_algorithm": "3",
                       "OMPI_MCA_coll_tuned_bcast_algorithm_segmentsize": "64", "OMPI_MCA_coll": "^han,adapt,sm"}
        ours = folder / "ours.conf"
        answer = tune("bcast", "-n", 3, "--sizes", "256KiB", "--candidates", "catalogue", "--budget", "30s", "-o", ours,
                      "--format", "json", **slow_choice)
        check(answer.returncode == 0, f"tune --candidates: {answer.stderr}")
        if answer.returncode == 0:
            cell, = json.loads(answer.stdout)["cells"]
            check(cell["catalogue"].startswith("bcast/") and cell["catalogue_gain"]["median"] > 1.5, f"the catalogue is not faster: {cell}")
            check(cell["drop_in"] == cell["catalogue"] and cell["drop_in_rule"] and cell["drop_in_checked"]["low"] > 1,
                   f"no rule of the drop-in library: {cell}")
            check(not cell["rule"] and cell["fastest"] is None and not cell["faults"], f"measured others: {cell}")
            check("bcast" not in ours.read_text(), f"the library's own file names it: {ours.read_text()}")
            checked = tune("check", folder / "ours.collscope")
            check(checked.returncode == 0, f"the drop-in library's rules have faults: {checked.stdout}{checked.stderr}")
            why = tune("explain", folder / "ours.collscope", "bcast", "-n", 3, "--bytes", "256KiB", "--format", "json")
            check(why.returncode == 0 and json.loads(why.stdout)["id"] == cell["catalogue"].split(":")[0], f"another rule: {why.stdout}")
            row, = csv.DictReader((folder / "ours.csv").open())
            check(row["catalogue"] == cell["catalogue"] and row["drop_in_rule"] == "yes", f"the table lacks it: {row}")
            for page in ("ours.md", "ours.html", "ours.svg"):
                check(cell["catalogue"].split(":")[0] in (folder / page).read_text(), f"{page} lacks it")
            tune("map", f"{ours}.measured", "-o", folder / "ours-map.csv")
            check((folder / "ours-map.csv").read_text() == (folder / "ours.csv").read_text(), "the map from the measurements differs")
        refused = tune("bcast", "-n", 3, "--sizes", "256KiB", "--candidates", "library", "-o", ours, "--resume")
        check(refused.returncode == 2, "continued with other candidates")
        refused = tune("bcast", "-n", 3, "--candidates", "ours", "-o", folder / "no.conf")
        check(refused.returncode == 2 and "catalogue" in refused.stderr, f"--candidates ours: {refused.stderr}")

    # Killed half-way, nothing is lost: what was measured is not measured again.
    slow = folder / "slow.conf"
    arguments = ["bcast,reduce", "-n", "3", "--sizes", "4..1MiB", "--budget", "60s", "-o", str(slow)]
    running = subprocess.Popen([program, "tune", *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    measured = folder / "slow.conf.measured"
    until = time.monotonic() + 60
    while time.monotonic() < until and not (measured.exists() and measured.read_text().count("\t.\n") > 40):
        time.sleep(0.05)
    running.send_signal(signal.SIGKILL)
    running.wait()
    before = measured.read_text()
    check(before.count("\t.\n") > 40, "no times came in")
    refused = tune(*arguments)
    check(refused.returncode == 2 and "--resume" in refused.stderr, f"began again: {refused.stderr}")
    other = tune("bcast", "-n", 2, "--sizes", "4", "-o", slow, "--resume")
    check(other.returncode == 2, "continued another measurement")
    running = subprocess.Popen([program, "tune", *arguments, "--resume"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    until = time.monotonic() + 60
    while time.monotonic() < until and running.poll() is None and len(measured.read_text()) < len(before) + 200:
        time.sleep(0.05)
    running.send_signal(signal.SIGINT)
    out, err = running.communicate(timeout=60)
    check(running.returncode == 130 and "slow.conf.measured has the times so far, and --resume continues" in err,
          f"cancelled with {running.returncode}: {err}")
    if running.returncode == 130:
        after = measured.read_text()
        check(after.startswith(before.rstrip("\n").rsplit("\n", 1)[0]), "earlier times were lost")
        check(len(after) > len(before), "nothing was measured after --resume")
    refused = tune(*arguments, "--commutative", "--resume")
    check(refused.returncode == 2 and "--commutative" in refused.stderr, f"joined times of other conditions: {refused.stderr}")
    refused = tune("bcast", "-n", "2", "-o", folder / "new.conf", "--resume")
    check(refused.returncode == 2 and "does not exist" in refused.stderr, f"resumed nothing: {refused.stderr}")
    refused = tune("bcast", "-n", "2", "-o", folder / "x.csv")
    check(refused.returncode == 2 and ".conf" in refused.stderr and not (folder / "x.csv.measured").exists(), f"two files of one name: {refused.stderr}")

    # MPICH: forced by its variables, and checked with the selection file.
    if shutil.which("mpiexec.mpich") and shutil.which("mpivars") and (program.parent / "collscope-mpi-mpich").exists():
        selection = folder / "mpich.json"
        answer = tune("bcast", "-n", 3, "--to", "openmpi", "--mpirun", "mpiexec.mpich", "-o", selection)
        check(answer.returncode == 2 and "MPICH's launcher" in answer.stderr, f"--to openmpi with MPICH's launcher: {answer.stderr}")
        answer = tune("bcast,allreduce", "-n", 3, "--sizes", "8,64KiB", "--budget", "20s", "--mpirun", "mpiexec.mpich", "-o", selection,
                      "--format", "json")
        check(answer.returncode == 0, f"tune of MPICH: {answer.stderr}")
        if answer.returncode == 0:
            found = json.loads(answer.stdout)
            check(found["library"].startswith("MPICH") and len(found["cells"]) == 4, f"not MPICH: {found['library']}")
            check(all(cell["fastest"] is None or "(" in cell["fastest"] for cell in found["cells"]), "no names of algorithms")
            checked = tune("check", selection)
            check(checked.returncode == 0, f"its own selection file has faults: {checked.stdout}")

    # A recorded program: its calls, sizes and communicators, and an order of its ranks.
    if (program.parent / "libcollscope-pmpi.so").exists() and shutil.which("mpicc.openmpi"):
        binary = folder / "calls"
        subprocess.run(["mpicc.openmpi", source / "tests/scripts/mpi/tune_program.c", "-o", binary], check=True)
        recorded = subprocess.run([program, "record", "-o", folder / "trace", "--", "mpirun", "--allow-run-as-root", "--oversubscribe", "-n", "4",
                                   binary], capture_output=True, text=True)
        check(recorded.returncode == 0, f"record: {recorded.stderr}")
        answer = tune("--for", folder / "trace", "--budget", "10s", "-o", folder / "own.conf", "--format", "json",
                      "--check", f"mpirun --allow-run-as-root --oversubscribe -n 4 {binary}", "--repeat", 1)
        check(answer.returncode == 0, f"tune --for: {answer.stderr}")
        if answer.returncode == 0:
            cells = {(cell["collective"], cell["ranks"], cell["bytes"], cell["calls"]) for cell in json.loads(answer.stdout)["cells"]}
            check(cells == {("allreduce", 4, 4096, 20), ("bcast", 2, 1000, 10)}, f"other cases than the program's: {cells}")
            ran = len(json.loads(answer.stdout)["program_with_s"])
            check(ran == 1 or not any(cell["rule"] for cell in json.loads(answer.stdout)["cells"]),
                   f"the program ran {ran} times with the rules")
            check("not block" in (folder / "own.md").read_text(), "what is left out is not reported")
        refused = tune("bcast", "-n", 2, "--check", f"mpiexec.mpich -n 2 {binary}", "-o", folder / "no.conf")
        check(refused.returncode == 2 and "--check" in refused.stderr and not (folder / "no.conf").exists(),
               f"a program of another library: {refused.stderr}")
        refused = tune("--for", folder / "trace", "-n", 4)
        check(refused.returncode == 2 and "--for" in refused.stderr, f"two sources of ranks: {refused.stderr}")
        hosts = folder / "hosts"
        hosts.write_text("node1 slots=2\nnode2 slots=2\n")
        answer = tune("placement", folder / "trace", "--hosts", hosts, "-o", folder / "ranks.rankfile", "--format", "json")
        check(answer.returncode == 0, f"tune placement: {answer.stderr}")
        if answer.returncode == 0:
            found = json.loads(answer.stdout)
            # Ranks 0 and 2 exchange 1 MiB: on two hosts in the order of the file, on one in the new order. Some kB of
            # collectives go the other way.
            check(found["better"] and found["hosts"][0] == found["hosts"][2], f"partners apart: {found}")
            check(found["levels"][1]["bytes_after"] + 1_000_000 <= found["levels"][1]["bytes_before"], f"no less traffic: {found['levels']}")
            check(found["emulated_after_s"] <= found["emulated_before_s"], f"slower: {found}")
            check((folder / "ranks.rankfile").read_text().count("rank ") == 4, "no rankfile")
        refused = tune("placement", folder / "trace", "--hosts", hosts, "-o", folder / "ranks.rankfile")
        check(refused.returncode == 2, "overwrote the rankfile")

finish()
