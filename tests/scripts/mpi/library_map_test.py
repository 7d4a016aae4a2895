#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""`collscope library` maps the algorithms of Open MPI and MPICH: each forced algorithm is the one that is named, its messages
are those of the catalogue's or differ as the guide explains, and two maps are compared.

Usage: library_map_test.py SOURCE_DIR PROGRAM [RANKS [SIZES]]
"""
import csv
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

from mpi_programs import check, failures, finish, surroundings

program = pathlib.Path(sys.argv[2]).resolve()
ranks, sizes = (sys.argv[3:] + ["2..5", "4,8KiB"][len(sys.argv[3:]):])[:2]
LAUNCHERS = {"Open MPI": ("mpirun.openmpi", "collscope-mpi", "libcollscope-pmpi.so"),
             "MPICH": ("mpirun.mpich", "collscope-mpi-mpich", "libcollscope-pmpi-mpich.so")}
present = {library for library, (launcher, *files) in LAUNCHERS.items()
           if shutil.which(launcher) and all((program.parent / file).exists() for file in files)}
if not present:
    print("skipped: no MPI has a launcher here and a worker in this build")
    sys.exit(77)
if any(word in (program.parent / LAUNCHERS[library][2]).read_bytes() for library in present for word in (b"__asan_init", b"__tsan_init")):
    print("skipped: a recorder under a sanitizer cannot be loaded before a program that is not")
    sys.exit(77)
scratch = tempfile.TemporaryDirectory()
folder = pathlib.Path(scratch.name)
around = surroundings(folder)


def library(*words, environment=None):
    return subprocess.run([program, "library", *words], capture_output=True, text=True, timeout=900,
                          env={**around, **(environment or {})})


def mapped(name, collectives, environment=None):
    """Rows of a map of some collectives, by the library's name."""
    done = library(",".join(collectives), "-n", ranks, "--sizes", sizes, "--mpirun", LAUNCHERS[name][0], "--format", "csv",
                   environment=environment)
    check(done.returncode == 0, f"{name} {collectives} {environment}: {done.stderr}")
    rows = list(csv.DictReader(done.stdout.splitlines())) if done.returncode == 0 else []
    for collective in collectives:
        check(any(row["collective"] == collective for row in rows), f"{name}: the map has no {collective}")
    check(any(row["catalogue"] for row in rows), f"{name}: nothing was found in the catalogue")
    return rows


# Functions of coll_tuned_NAME_algorithm = 1, 2, ...; nothing where the number is for two ranks alone.
OPEN_MPI = {
    "allgather": ["basic_linear", "bruck", "recursivedoubling", "ring", "neighborexchange", None],
    "allgatherv": ["basic_default", "bruck", "ring", "neighborexchange"],
    "allreduce": ["basic_linear", "nonoverlapping", "recursivedoubling", "ring", "ring_segmented", "redscat_allgather"],
    "alltoall": ["basic_linear", "pairwise", "bruck", "linear_sync", None],
    "barrier": ["basic_linear", "doublering", "recursivedoubling", "bruck", None, "tree"],
    "bcast": ["basic_linear", "chain", "pipeline", "split_bintree", "bintree", "binomial", "knomial", "scatter_allgather",
              "scatter_allgather_ring"],
    "gather": ["basic_linear", "binomial", "linear_sync"],
    "reduce": ["basic_linear", "chain", "pipeline", "binary", "binomial", "in_order_binary", "redscat_gather"],
    "reduce_scatter": ["nonoverlapping", "basic_recursivehalving", "ring", "butterfly"],
    "reduce_scatter_block": ["basic_linear", "recursivedoubling", "recursivehalving", "butterfly"],
    "scatter": ["basic_linear", "binomial", "linear_nb"],
    "scan": ["linear", "recursivedoubling"],
    "exscan": ["linear", "recursivedoubling"],
}
# Collectives and numbers whose messages are not always those of an algorithm of the catalogue: the guide says why.
EXPLAINED = {"allreduce": (2, 4, 5), "alltoall": (1, 4), "bcast": (4, 5, 6, 8, 9), "gather": (3,), "reduce": (4,),
             "reduce_scatter": (4,), "reduce_scatter_block": (2, 4)}

if "Open MPI" in present:
    for number in range(1, 10):
        forced = {name: functions[number - 1] for name, functions in OPEN_MPI.items()
                  if len(functions) >= number and functions[number - 1]}
        environment = {"OMPI_MCA_coll_tuned_use_dynamic_rules": "1"}
        environment |= {f"OMPI_MCA_coll_tuned_{name}_algorithm": str(number) for name in forced}
        for row in mapped("Open MPI", list(forced), environment):
            where = f"Open MPI, {row['collective']} {number} on {row['ranks']} ranks with {row['bytes']} bytes"
            first = row["executed"].split(" + ")[0].split(":")[0]
            check(first.endswith("_" + forced[row["collective"]]), f"{where} ran {row['executed']}: {row['instead']}")
            # An algorithm that hands the call on to another one gives the reason.
            check(row["instead"] == "" or ": " in row["instead"], f"{where}: {row['instead']}")
            check(row["differs"] == "" or number in EXPLAINED.get(row["collective"], ()),
                   f"{where}: {row['catalogue']}, {row['differs']}")

    # Two settings, compared.
    for kept, environment in (("a.csv", {}), ("b.csv", {"OMPI_MCA_coll_tuned_use_dynamic_rules": "1", "OMPI_MCA_coll_tuned_bcast_algorithm": "1"})):
        done = library("bcast", "-n", "2..4", "--sizes", "4..64", "--mpirun", "mpirun.openmpi", "-o", str(folder / kept), environment=environment)
        check(done.returncode == 0, f"{kept}: {done.stderr}")
    done = library(str(folder / "a.csv"), str(folder / "b.csv"), "-o", str(folder / "both.svg"))
    check("of 9 common cases differ" in done.stdout and "bcast_intra_basic_linear" in done.stdout, f"compared: {done.stdout} {done.stderr}")
    check((folder / "both.svg").exists() and "the other map" in (folder / "both.svg").read_text(), "no picture of both")
    done = subprocess.run(["mpirun.openmpi", "-n", "2", program.parent / "collscope-mpi", "library", "bcast"], env=around,
                          capture_output=True, text=True, timeout=120)
    check(done.returncode == 2 and "starts its own processes" in done.stderr, f"within mpirun: {done.returncode} {done.stderr}")

# What MPIR_CVAR_NAME_INTRA_ALGORITHM runs, by the messages.
MPICH = {
    "allgather": {"brucks": "allgatherv/bruck", "recursive_doubling": "allgatherv/recursive-doubling", "ring": "allgatherv/linear-ring"},
    "allreduce": {"recursive_doubling": "allreduce/pairwise-exchange", "reduce_scatter_allgather": "allreduce/reduce-scatter-allgather"},
    "alltoall": {"brucks": "alltoallv/bruck", "pairwise": "alltoallv/pairwise-exchange"},
    "bcast": {"binomial": "bcast/binomial-tree", "scatter_ring_allgather": "bcast/scatter-ring-allgather"},
    "gather": {"binomial": "gatherv/binomial-tree"},
    "reduce": {"binomial": "reduce/binomial-tree"},
    "scatter": {"binomial": "scatterv/binomial-tree"},
}
# Where the ranks do not divide the message.
OTHER_BLOCKS = "the same messages, blocks are cut in another way"


def leavesBlocksEmpty(row):
    """Of a broadcast, whose blocks all have the size of the first one but the last: the scatter sends no empty ones."""
    ranks, sent = int(row["ranks"]), int(row["bytes"])
    return row["collective"] == "bcast" and 0 < sent <= (ranks - 1) * -(-sent // ranks)


if "MPICH" in present:
    for number in range(3):
        forced = {name: list(algorithms)[number] for name, algorithms in MPICH.items() if len(algorithms) > number}
        environment = {f"MPIR_CVAR_{name.upper()}_INTRA_ALGORITHM": algorithm for name, algorithm in forced.items()}
        for row in mapped("MPICH", list(forced), environment):
            wanted = MPICH[row["collective"]][forced[row["collective"]]]
            where = f"MPICH, {row['collective']} {forced[row['collective']]} on {row['ranks']} ranks"
            isPower = int(row["ranks"]) & (int(row["ranks"]) - 1) == 0
            # Recursive doubling of an allgather is for powers of two; two ranks have one way to exchange.
            if row["instead"] == "" and (isPower or forced[row["collective"]] != "recursive_doubling"):
                check(row["differs"] in ("", OTHER_BLOCKS) or leavesBlocksEmpty(row), f"{where}: {row['catalogue']}, {row['differs']}")
                check(int(row["ranks"]) <= 2 or row["catalogue"].startswith(wanted), f"{where}: {row['catalogue']}")

if not failures:
    print(f"each forced algorithm of {', '.join(sorted(present))} is named on {ranks} ranks")
finish()
