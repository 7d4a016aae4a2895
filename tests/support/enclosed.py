# SPDX-License-Identifier: BSD-3-Clause
"""Programs as nobody, where nothing can be written but a scratch folder: whatever they do, no file of anybody is harmed."""
import os
import shutil
import subprocess

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


def command(scratch, *words):
    """The words as a command that sees everything and can write in `scratch` alone."""
    return ["unshare", "-m", "sh", "-c", ENCLOSE, "enclose", str(scratch), *words]


def run(scratch, *words, timeout=240, env=None):
    return subprocess.run(command(scratch, *words), capture_output=True, text=True, env=env, timeout=timeout)


def obstacle(scratch, others):
    """Gives `scratch` to nobody. Says why nothing can be enclosed here, or nothing when all but it is read-only, also the
    folders `others`."""
    if os.geteuid() != 0 or not all(map(shutil.which, ("unshare", "setpriv", "mount"))):
        return "making the rest read-only needs root, unshare and setpriv"
    os.chown(scratch, NOBODY, NOBODY)
    if run(scratch, "true").returncode != 0:
        return "this machine lets nobody make a mount namespace with the rest read-only"
    places = " ".join(f"{folder}/collscope-must-not" for folder in ("/tmp", "/root", "$HOME", *others))
    tried = run(scratch, "sh", "-c", f"for file in {places}; do if touch $file 2>/dev/null; then exit 1; fi; done; "
                f"touch {scratch}/ours && rm {scratch}/ours")
    assert tried.returncode == 0, "more than the scratch folder can be written"
    return ""
