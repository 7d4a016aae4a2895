#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""rebuild_test.py SOURCE PROGRAM: where nothing changed, nothing is built anew, and asking costs next to nothing."""
import os
import pathlib
import resource
import shutil
import subprocess
import sys
import tempfile

SKIPPED = 77
# What ./run may take of all processors where nothing changed, in times of what it cannot do without: ninja's look at every
# file, and the program itself. It takes 3; making one file anew takes tens of them.
QUICK = 6


def skip(why):
    print(f"skipped: {why}")
    sys.exit(SKIPPED)


def dry_run(ninja, folder, file, *more):
    """What ninja would do to bring the program up to date; the build's own file is not asked for anew."""
    return subprocess.run([ninja, "-C", folder, "-f", file, "-n", *more, "collscope"], capture_output=True, text=True)


def cost(*command):
    """Seconds of all processors, the least of three times."""
    costs = []
    for _ in range(3):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env={**os.environ, "LC_ALL": "C"})
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        costs.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return min(costs)


def changed_since(program, source):
    """A source that is younger than the program, which may then well be built anew."""
    rooms = [source / "CMakeLists.txt"] + [p for r in ("app", "engine", "emulation", "traces", "resources")
                                           for p in (source / r).rglob("*") if p.is_file()]
    return next((p for p in rooms if p.stat().st_mtime > program.stat().st_mtime), None)


def main(source, program):
    ninja, folder = shutil.which("ninja"), program.parent.parent
    if ninja is None or not (folder / "build.ninja").is_file():
        skip(f"{folder} is not built by ninja")
    young = changed_since(program, source)
    if young:
        skip(f"{young} changed since the program was built")
    with tempfile.TemporaryDirectory() as scratch:
        file = pathlib.Path(scratch) / "build.ninja"
        shutil.copy(folder / "build.ninja", file)
        said = dry_run(ninja, folder, file)
        assert said.returncode == 0, said.stdout + said.stderr
        if "no work to do" not in said.stdout:
            why = dry_run(ninja, folder, file, "-d", "explain")
            print("\n".join((why.stderr + why.stdout).splitlines()[:20]))
            print("FAIL: the program is built anew although nothing changed")
            return 1
        if folder != source / "build" / "release":
            print(f"nothing is built anew; not timed, as ./run builds elsewhere than {folder}")
            return 0
        least = cost(ninja, "-C", folder, "-f", file, "-n", "collscope") + cost(program, "--version")
        times = cost(source / "run", "--version") / least
    print(f"nothing is built anew; ./run --version takes {times:.1f} times as long as ninja's look and the program")
    assert times <= QUICK, f"./run --version takes {times:.1f} times as long where nothing changed, more than {QUICK}"
    return 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()))
