# SPDX-License-Identifier: BSD-3-Clause
"""Every algorithm that the installed Open MPI can choose is one of ours, or said to be none, by its own name and number.

Usage: known_as_test.py SOURCE_DIR PROGRAM
"""
import json
import re
import shutil
import subprocess
import sys

program = sys.argv[2]
info = shutil.which("ompi_info")
if info is None:
    print("skipped: Open MPI is not installed")
    sys.exit(77)

listed = json.loads(subprocess.run([program, "list", "libraries", "--format", "json"], capture_output=True, text=True,
                                   check=True).stdout)
meanings = {}
for entry in listed:
    meanings.setdefault(entry["name"], []).append(entry["meaning"])
said = subprocess.run([info, "--param", "coll", "tuned", "--level", "9", "--parsable"], capture_output=True, text=True,
                      check=True).stdout
found = set(re.findall(r"coll_tuned_(\w+)_algorithm:enumerator:value:(\d+):([^\n]+)", said))
if not found:
    print("skipped: this Open MPI lists no algorithms of coll/tuned")
    sys.exit(77)

failures = []
for call, number, name in sorted(found):
    words = f"Open MPI {call} {number} ({name})"
    if words not in meanings:
        failures.append(f"{words} is not listed")
    elif any(not (meaning.startswith("none: ") or "/" in meaning) for meaning in meanings[words]):
        failures.append(f"{words}: {meanings[words]}")
ours = {words for words in meanings if words.startswith("Open MPI ")}
there = {f"Open MPI {call} {number} ({name})" for call, number, name in found}
calls = {call for call, _, _ in found}
for words in sorted(ours - there):
    if words.split()[2] in calls:
        failures.append(f"{words} is listed, but the library has no such algorithm")
for failure in failures:
    print("FAILED:", failure)
print(f"{len(found)} algorithms of Open MPI, {len(failures)} wrong")
sys.exit(1 if failures else 0)
