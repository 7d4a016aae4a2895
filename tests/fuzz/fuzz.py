#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Spoils every kind of input that the program reads, and holds what it does with them to what it promises. By hand, not
part of ./test.

    ./test asan                                                       or, quicker, only the program that is driven here:
    cmake --preset asan && cmake --build --preset asan --target collscope_fuzzed
    python3 tests/fuzz/fuzz.py build/asan --seconds 3600              an hour of all formats in turn
    python3 tests/fuzz/fuzz.py build/asan --only graph --seed 7       others; --jobs 2 takes two processors
    python3 tests/fuzz/fuzz.py build/asan --only graph --at 1234      one execution again, kept whatever it does

Formats are in formats.py, what is done to them in mutations.py. The number of an execution and the seed decide all of it.
Each command runs in a process of its own (serve.cpp), as nobody, in a folder with decoys and with nothing else to be
written to, under a limit of processor time and memory. It is a finding when

    a sanitizer speaks, a signal ends it, or it takes too long or too much (commands whose words ask for long works are
    interrupted then: they have to end with 130);
    it ends with another code than 0, 1, 2 or 130, or with 1 and the words "defect in this program";
    it is refused (2) with other than one sentence in one line, or prints json that is none;
    an input or a decoy is changed, or anything is left of what did not succeed.

Findings of the same kind are kept once, in --out: input, command, and what was said. Exit codes: 0 none, 1 some, 2 it
could not be done here.
"""
import argparse
import collections
import itertools
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import threading
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "support")]
sys.dont_write_bytecode = True
import enclosed  # noqa: E402
from driver import Driver, same  # noqa: E402

SPOKEN = 60  # seconds between two lines of how far it is


def inside(given):
    """As nobody, in the scratch folder that is the working folder."""
    from formats import formats
    source = HERE.parent.parent
    scratch = pathlib.Path.cwd()
    drivers = [Driver(given.program, scratch / f"{job}", given.seed) for job in range(given.jobs)]
    every = [f for f in formats(drivers[0].make, source) if all(word in f.name for word in given.only)]
    if not every:
        print(f"no format is called {given.only}", file=sys.stderr)
        return 2
    begin, lock, told = time.monotonic(), threading.Lock(), [time.monotonic()]
    counts, seconds, found = collections.Counter(), collections.Counter(), {}
    codes = collections.Counter()
    turn = itertools.cycle([kind for kind in every for _ in range(kind.weight)])
    numbers = collections.Counter({kind.name: given.first for kind in every})

    def one(driver, kind, number):
        result = driver.execute(kind, number)
        with lock:
            counts[kind.name] += 1
            seconds[kind.name] += result.seconds
            codes[kind.name, result.code] += 1
            for what in result.findings:
                key = same(kind.name, what)
                if key not in found:
                    driver.keep(result, what, scratch / "found" / f"{len(found):03}-{kind.name.replace(' ', '-')}")
                    print(f"{kind.name}, --at {number}: {what}", flush=True)
                found[key] = found.get(key, 0) + 1
            if time.monotonic() - told[0] > SPOKEN:
                told[0] = time.monotonic()
                print(f"{told[0] - begin:.0f} s: {sum(counts.values())} executions, {len(found)} kinds of findings", flush=True)

    def work(driver):
        while time.monotonic() - begin < given.seconds:
            with lock:
                kind = next(turn)
                number = numbers[kind.name]
                numbers[kind.name] += 1
            one(driver, kind, number)

    if given.at is not None:
        kind = every[0]
        result = drivers[0].execute(kind, given.at)
        drivers[0].keep(result, "; ".join(result.findings) or "nothing", scratch / "found" / "again")
        print(json.dumps({"command": result.command, "code": result.code, "findings": result.findings}, indent=2))
        print(result.said)
        return 1 if result.findings else 0
    workers = [threading.Thread(target=work, args=(driver,)) for driver in drivers]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    for kind in every:
        ends = ", ".join(f"{n} x {code}" for (name, code), n in sorted(codes.items(), key=str) if name == kind.name)
        print(f"{kind.name:20} {counts[kind.name]:8} executions {seconds[kind.name]:8.0f} s of processor time; ended with {ends}")
    print(f"{sum(counts.values())} executions in {time.monotonic() - begin:.0f} s, {sum(seconds.values()):.0f} s of processor "
          f"time, seed {given.seed}, {len(found)} kinds of findings")
    for key, times in sorted(found.items()):
        print(f"{times:6} x {key}")
    return 1 if found else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("build", type=pathlib.Path, help="build folder with sanitizers, in which collscope_fuzzed is made")
    parser.add_argument("--seconds", type=float, default=600, help="how long (default %(default)s)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0, help="number of the first execution of each format")
    parser.add_argument("--only", action="append", default=[], help="formats whose name has this in it")
    parser.add_argument("--at", type=int, help="this execution of the format alone")
    parser.add_argument("--jobs", type=int, default=1, help="commands side by side")
    parser.add_argument("--out", type=pathlib.Path, help="folder for findings (BUILD/fuzz)")
    parser.add_argument("--program", type=pathlib.Path, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.program:
        return inside(given)
    build = given.build.resolve()
    program = build / "tests" / "collscope_fuzzed"
    if not program.is_file():
        print(f"fuzz: {program} is not built", file=sys.stderr)
        return 2
    out = (given.out or build / "fuzz").resolve()
    python = shutil.which("python3", path="/usr/bin:/bin") or sys.executable
    with tempfile.TemporaryDirectory(prefix="fuzz-") as scratch:
        if why := enclosed.obstacle(scratch, [build, HERE]):
            print(f"fuzz: {why}", file=sys.stderr)
            return 2
        words = [python, str(HERE / "fuzz.py"), *sys.argv[1:], "--program", str(program)]
        code = subprocess.run(enclosed.command(scratch, *words), env={"PATH": "/usr/bin:/bin", "PYTHONUNBUFFERED": "1"},
                              check=False).returncode
        found = pathlib.Path(scratch) / "found"
        if found.is_dir():
            shutil.copytree(found, out, dirs_exist_ok=True)
            print(f"what was found is in {out}")
    return code


if __name__ == "__main__":
    sys.exit(main())
