#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""random_keys_test.py SOURCE PROGRAM [SEED]: presses random keys in the window, as nobody, where nothing can be written but a
scratch folder."""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

SKIPPED = 77
NOBODY = 65534
# Everything that is mounted becomes read-only, except the scratch folder and what has no files of anybody.
ENCLOSE = r"""
set -eu
mount --make-rprivate /
mount --bind "$1" "$1"
awk '{print $5}' /proc/self/mountinfo | sort -r | while read -r mounted; do
    case $mounted in "$1" | /proc | /proc/* | /dev | /dev/* | /sys | /sys/*) ;; *) mount -o remount,bind,ro "$mounted" ;; esac
done
cd "$1"
shift
exec setpriv --reuid=65534 --regid=65534 --clear-groups "$@"
"""


def skip(why):
    print(f"skipped: {why}")
    sys.exit(SKIPPED)


def enclosed(scratch, *command, env=None):
    return subprocess.run(["unshare", "-m", "sh", "-c", ENCLOSE, "enclose", scratch, *command], capture_output=True,
                          text=True, env=env, timeout=240)


def main(program, seed):
    tests = program.parent.parent / "tests" / "app_gui_tests"
    if not tests.is_file():
        skip("the window's tests are not built")
    if os.geteuid() != 0 or not all(map(shutil.which, ("unshare", "setpriv", "mount"))):
        skip("making the rest read-only needs root, unshare and setpriv")
    with tempfile.TemporaryDirectory() as scratch:
        os.chown(scratch, NOBODY, NOBODY)
        if enclosed(scratch, "true").returncode != 0:
            skip("this machine lets nobody make a mount namespace with the rest read-only")
        others = f"! touch {program.parent}/x /tmp/x /root/x $HOME/x 2>/dev/null && touch {scratch}/ours"
        assert enclosed(scratch, "sh", "-c", others).returncode == 0, "more than the scratch folder can be written"
        if enclosed(scratch, str(tests), "--gtest_list_tests").returncode != 0:
            skip(f"nobody may not run {tests}")
        home = pathlib.Path(scratch) / "home"
        home.mkdir()  # of root: nobody cannot write there either
        environment = {"HOME": str(home), "XDG_CONFIG_HOME": scratch, "XDG_CACHE_HOME": scratch, "TMPDIR": scratch,
                       "PATH": str(home),  # so that no key starts a program
                       "QT_QPA_PLATFORM": "offscreen", "COLLSCOPE_SCRATCH": scratch, "COLLSCOPE_SEED": seed}
        command = ["env", "-i", *(f"{name}={value}" for name, value in environment.items()), str(tests),
                   "--gtest_filter=RandomKeys.*"]
        ran = enclosed(scratch, *command)
        said = [line for line in (ran.stdout + ran.stderr).splitlines() if "plugin" not in line]
        print("\n".join(said[-40:]))
        return 0 if ran.returncode == 0 and "[  PASSED  ] 1 test" in ran.stdout else 1


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[2]).resolve(), sys.argv[3] if len(sys.argv) > 3 else "1"))
