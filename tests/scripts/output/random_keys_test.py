#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""random_keys_test.py SOURCE PROGRAM [SEED]: presses random keys in the window and resizes it, as nobody, where nothing can
be written but a scratch folder."""
import pathlib
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "support"))
import enclosed  # noqa: E402

SKIPPED = 77


def skip(why):
    print(f"skipped: {why}")
    sys.exit(SKIPPED)


def main(program, seed):
    tests = program.parent.parent / "tests" / "app_gui_tests"
    if not tests.is_file():
        skip("the window's tests are not built")
    with tempfile.TemporaryDirectory() as scratch:
        if why := enclosed.obstacle(scratch, [program.parent]):
            skip(why)
        if enclosed.run(scratch, str(tests), "--gtest_list_tests").returncode != 0:
            skip(f"nobody may not run {tests}")
        home = pathlib.Path(scratch) / "home"
        home.mkdir()  # of root: nobody cannot write there either
        environment = {"HOME": str(home), "XDG_CONFIG_HOME": scratch, "XDG_CACHE_HOME": scratch, "TMPDIR": scratch,
                       "PATH": str(home),  # so that no key starts a program
                       "QT_QPA_PLATFORM": "offscreen", "COLLSCOPE_SCRATCH": scratch, "COLLSCOPE_SEED": seed}
        ran = enclosed.run(scratch, "env", "-i", *(f"{name}={value}" for name, value in environment.items()), str(tests),
                           "--gtest_filter=RandomKeys.*")
        said = [line for line in (ran.stdout + ran.stderr).splitlines() if "plugin" not in line]
        print("\n".join(said[-40:]))
        return 0 if ran.returncode == 0 and "[  PASSED  ] 1 test" in ran.stdout else 1


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[2]).resolve(), sys.argv[3] if len(sys.argv) > 3 else "1"))
