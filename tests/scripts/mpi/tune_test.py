#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What `collscope tune` reads out of rules is what Open MPI and MPICH read out of them.

Usage: tune_test.py SOURCE_DIR PROGRAM

Open MPI: its own functions of coll/tuned find the same rule in random files, damaged ones among them; and in real calls
the rule of an algorithm that does not exist fails exactly where `tune explain` finds it. MPICH: converted files run, and a
file with a fault ends the program.
"""
import json
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile

from mpi_programs import check, finish, surroundings

source, program = pathlib.Path(sys.argv[1]), sys.argv[2]
CALLS = ["allgather", "allgatherv", "allreduce", "alltoall", "alltoallv", "alltoallw", "barrier", "bcast", "exscan", "gather",
         "gatherv", "reduce", "reduce_scatter", "reduce_scatter_block", "scan", "scatter", "scatterv"]
TUNED = [call for call in CALLS if call not in ("alltoallw", "gatherv", "scatterv")]


def tune(*words):
    answer = subprocess.run([program, "tune", *map(str, words), "--format", "json"], capture_output=True, text=True)
    return answer.returncode, json.loads(answer.stdout) if answer.stdout else answer.stderr


def compiled(compiler, folder):
    built = folder / f"calls-{compiler}"
    subprocess.run([compiler, str(source / "tests/scripts/mpi/tune_calls.c"), "-o", str(built), "-ldl"], check=True)
    return built


def random_rules(chance):
    """A file of rules as people write them, and worse."""
    words = []
    sections = chance.randint(1, 3)
    words.append(f"{sections}  # collectives")
    for _ in range(sections):
        words.append(str(chance.choice((7, 2, 11, 0))))
        sizes = chance.randint(0, 3)
        words.append(f"{sizes} # sizes")
        for _ in range(sizes):
            messages = chance.randint(0, 4)
            words.append(f"{chance.choice((0, 1, 2, 4, 4, 8, 16, 64))} {messages}")
            for k in range(messages):
                size = 0 if k == 0 and chance.random() < 0.95 else chance.choice((0, 8, 100, 1024, "0x400", "010", 65536))
                words.append(f"  {size} {chance.randint(0, 5)} {chance.randint(0, 4)} {chance.choice((0, 1024, 8192))}")
    if chance.random() < 0.25:
        words[chance.randrange(len(words))] = chance.choice(("", "seven", "-1", "3.5", "12abc", "1 2 3 4 5"))
    return "\n".join(words) + "\n"


def open_mpi(folder, environment):
    if not all(map(shutil.which, ("mpicc.openmpi", "mpirun.openmpi", "ompi_info"))):
        print("skipped: Open MPI or its compiler is not installed")
        return
    calls = compiled("mpicc.openmpi", folder)
    launch = ["mpirun.openmpi", "--allow-run-as-root", "--oversubscribe"]
    libraries = re.search(r"pkglibdir:(\S+)", subprocess.run(["ompi_info", "--parsable", "--path", "pkglibdir"], capture_output=True,
                                                             text=True).stdout)
    tuned = pathlib.Path(libraries[1]) / "mca_coll_tuned.so" if libraries else pathlib.Path("none")
    chance = random.Random(46)
    compared = 0
    for number in range(24):
        rules = folder / f"rules-{number}"
        rules.write_text(random_rules(chance))
        questions = [(chance.choice((7, 2, 11, 0)), chance.choice((2, 3, 4, 7, 8, 9, 64, 100)), chance.choice((1, 7, 8, 99, 1024, 65536)))
                     for _ in range(4)]
        asked = "".join(f"{call} {ranks} {block * (ranks if call == 0 else 1)}\n" for call, ranks, block in questions)
        answer = subprocess.run([*launch, "-n", "1", str(calls), "--rules", str(tuned), str(rules)], input=asked, capture_output=True,
                                text=True, env=environment)
        if answer.returncode == 77:
            print("skipped: this Open MPI does not show how it reads rules")
            break
        theirs = answer.stdout.split("\n")
        code, found = tune("check", rules)
        if code == 2:  # nothing that could be a rule
            check(theirs[0] == "rejected", f"{rules.read_text()}: refused here, but Open MPI finds {theirs[0]}")
            continue
        if "coll/tuned" not in found["format"]:
            continue
        for (call, ranks, block), own in zip(questions, theirs):
            code, why = tune("explain", rules, CALLS[call], "-n", ranks, "--bytes", block)
            compared += 1
            if own == "rejected":
                check(code == 2, f"{rules.read_text()}: Open MPI rejects it, and explain does not")
                continue
            check(code == 0, f"{rules.read_text()}: Open MPI accepts it; explain: {why}")
            if code != 0:
                continue
            algorithm = int((why["algorithm"] or "0").split()[0])
            check(algorithm == int(own.split()[0]),
                   f"{rules.read_text()}{CALLS[call]} on {ranks} with {block}: Open MPI {own}, explain {why}")
    print(f"{compared} decisions compared with Open MPI's own")

    # Real calls: 7 ints are 28 bytes. A rule of algorithm 99 decides from `counted` bytes on.
    ranks, count = 4, 7
    for extra in (0, 1):
        text, lines, expected = "", 1, set()
        for call in TUNED:
            for counted in (28 * ranks, 28, 4 * ranks, 0):  # the largest that decides
                (folder / "one").write_text(f"1\n{CALLS.index(call)}\n1\n2 2\n0 1 0 0\n{counted} 99 0 0\n" if counted else
                                            f"1\n{CALLS.index(call)}\n1\n2 1\n0 99 0 0\n")
                code, why = tune("explain", folder / "one", call, "-n", ranks, "--bytes",
                                 count * 4 * (ranks if "scatter" in call and "reduce" in call else 1))  # their vector
                if code == 0 and (why["algorithm"] or "").startswith("99"):
                    break
            if counted == 0 and extra == 1:
                continue  # no larger size exists
            text += f"{CALLS.index(call)}\n1\n2 {2 if counted else 1}\n" + ("0 0 0 0\n" if counted else "") + f"{counted + extra} 99 0 0\n"
            lines += 1
            if extra == 0:
                expected.add(call)
        (folder / "all").write_text(f"{lines - 1}\n{text}")
        environment_with = dict(environment, OMPI_MCA_coll_tuned_use_dynamic_rules="1", OMPI_MCA_coll="^han,adapt,sm",
                                OMPI_MCA_coll_tuned_dynamic_rules_filename=str(folder / "all"))
        answer = subprocess.run([*launch, "-n", str(ranks), str(calls), str(count)], capture_output=True, text=True, env=environment_with)
        failed = {line for line in answer.stdout.split("\n") if line in TUNED}
        check(failed == expected, f"rules from {extra} bytes more than explain counts: calls that fail: {sorted(failed ^ expected)} differ")
    print(f"{len(TUNED)} calls of Open MPI use the sizes that explain counts")


def mpich(folder, environment):
    if not all(map(shutil.which, ("mpicc.mpich", "mpiexec.mpich", "mpivars"))):
        print("skipped: MPICH or its compiler is not installed")
        return
    calls = compiled("mpicc.mpich", folder)

    def run(selection, ranks):
        answer = subprocess.run(["mpiexec.mpich", "-n", str(ranks), "-genv", "MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE", str(selection),
                                 str(calls), "0", "1", "3", "1000", "30000"], capture_output=True, text=True, env=environment, timeout=120)
        return answer.stdout.split("\n")[0]

    # Every algorithm that Open MPI and MPICH share, for all sizes, and one limit.
    (folder / "shared").write_text("7\n4\n1\n2 1\n0 1 0 0\n7\n1\n2 2\n0 8 0 0\n4096 9 0 0\n2\n1\n2 1\n0 6 0 0\n0\n1\n2 2\n0 3 0 0\n4096 2 0 0\n"
                                   "11\n1\n2 1\n0 7 0 0\n3\n1\n2 1\n0 3 0 0\n12\n1\n2 1\n0 2 0 0\n")
    code, made = tune("convert", folder / "shared", "--to", "mpich")
    check(code == 0, f"convert: {made}")
    if code == 0:
        check(made["losses"] == [], f"losses: {made['losses']}")
        selection = folder / "selection.json"
        selection.write_text(made["rules"])
        check(tune("check", selection)[0] == 0, f"the converted file has faults: {tune('check', selection)[1]}")
        for ranks in (2, 3, 4):
            check(run(selection, ranks) == "done", f"MPICH on {ranks} ranks with the converted file: {run(selection, ranks)}")
        for damaged, to in (("MPIR_Bcast_intra_scatter_ring_allgather", "MPIR_Bcast_intra_ring"), ("collective=scan", "collective=skan"),
                            ("collective=barrier", "collective=ibarrier ")):
            selection.write_text(made["rules"].replace(damaged, to))
            check(tune("check", selection)[0] == 1, f"{to} is no fault")
            check(run(selection, 2) != "done", f"{to}: MPICH runs all the same")
    print("MPICH runs converted files")


with tempfile.TemporaryDirectory() as scratch:
    folder = pathlib.Path(scratch)
    open_mpi(folder, surroundings(scratch))
    mpich(folder, surroundings(scratch))
finish()
