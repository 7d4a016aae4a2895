#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""package_test.py SOURCE PROGRAM: what `cpack` makes is a Debian package that lintian has nothing to say against, and what it
installs works where nothing of the checkout or the build is known.
"""
import gzip
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

source, program = (pathlib.Path(p).resolve() for p in sys.argv[1:3])
build = program.parent.parent
cache = (build / "CMakeCache.txt").read_text(encoding="utf-8")
kind = re.search(r"^CMAKE_BUILD_TYPE:\w+=(.*)$", cache, re.M)[1]
missing = [tool for tool in ("cpack", "dpkg-deb", "dpkg-shlibdeps", "lintian", "readelf") if not shutil.which(tool)]
if kind != "Release" or missing:
    print("skipped:", f"a build of the kind {kind} is not packaged" if kind != "Release" else f"no {', '.join(missing)}")
    sys.exit(77)

scratch = tempfile.TemporaryDirectory()
place = pathlib.Path(scratch.name)
root, home = place / "root", place / "home"
home.mkdir()
# As little as a user has: what is found is found through the package.
clean = {"PATH": "/usr/bin:/bin", "HOME": str(home), "TMPDIR": str(home), "LC_ALL": "C.UTF-8",
         **{name: value for name, value in os.environ.items() if name.startswith(("OMPI_", "ASAN_"))}}


def call(*words, code=0, **more):
    done = subprocess.run([str(w) for w in words], capture_output=True, text=True, timeout=300, check=False,
                          **{"cwd": home, "env": clean, **more})
    assert done.returncode == code, f"{words} ended with {done.returncode}: {done.stdout}{done.stderr}"
    return done.stdout


def objections(package):
    """What lintian says beyond what has a reason in the package's overrides."""
    return [line for line in call("lintian", "--allow-root", "--fail-on", "none", package).splitlines()
            if re.match(r"[EW]: ", line)]


call("cpack", "--config", build / "CPackConfig.cmake", "-B", place / "made", env=dict(clean, PATH=os.environ["PATH"]))
[package] = (place / "made").glob("*.deb")
call("dpkg-deb", "-x", package, root)
files = {str(f.relative_to(root)): f for f in root.rglob("*") if not f.is_dir()}
version = re.search(r"project\(collscope VERSION ([\d.]+)", (source / "CMakeLists.txt").read_text())[1]
library = next((name for name in files if re.fullmatch(r"usr/lib/[^/]+/collscope/libcollscope-pmpi\.so", name)), None)
programs = [name for name in files if name.startswith("usr/bin/") or name.endswith(".so")]

for name in ("bin/collscope", "share/applications/collscope.desktop", "share/icons/hicolor/scalable/apps/collscope.svg",
             "share/mime/packages/collscope.xml", "share/man/man1/collscope.1.gz", "share/doc/collscope/copyright",
             "share/doc/collscope/changelog.gz", "share/bash-completion/completions/collscope"):
    assert f"usr/{name}" in files, f"the package lacks {name}"
assert package.name.startswith(f"collscope_{version}-"), package.name
assert f"version: {version}\n" in (source / "resources" / "CITATION.cff").read_text(), "CITATION.cff has another version"

found = objections(package)
assert not found, "\n".join(found)
# It must be able to fail: without its page, the package is not right.
control = call("dpkg-deb", "-f", package, "Depends")
for needed in ("libc6 (>=", "libqt6widgets6 (>=", "libqt6svg6 (>=", "fonts-dejavu-core"):
    assert needed in control, f"Depends lacks {needed}: {control}"
call("dpkg-deb", "-R", package, place / "other")
(place / "other/usr/share/man/man1/collscope.1.gz").unlink()
call("dpkg-deb", "--root-owner-group", "-b", place / "other", place / "other.deb")
assert objections(place / "other.deb"), "a missing manual page was not noticed"

# Nothing leads back to where it was made.
for name in programs:
    assert not re.search(r"R(UN)?PATH", call("readelf", "-d", files[name])), f"{name} has a path to libraries of its own"
for name, file in files.items():
    data = gzip.decompress(file.read_bytes()) if name.endswith(".gz") else file.read_bytes()
    for path in (source, build):
        assert str(path).encode() not in data, f"{name} knows {path}"

# It works from there.
collscope = root / "usr/bin/collscope"
assert call(collscope, "--version").strip().endswith(version)
assert "halfduplex-allgather/ring-belts" in call(collscope, "list")
call(collscope, "run", "bcast/binomial-tree", "-n", "8", "--model", "bgp", "--trace", "tree")
call(collscope, "export", "tree", "-o", "tree.png")
assert (home / "tree.png").read_bytes().startswith(b"\x89PNG"), "no picture"
page = gzip.decompress(files["usr/share/man/man1/collscope.1.gz"].read_bytes()).decode()
assert page == call(program, "manual"), "the manual is of another program"
completion = ". {}; COMP_WORDS=(collscope verif) COMP_CWORD=1; _collscope; echo ${{COMPREPLY[*]}}"
assert call("bash", "-c", completion.format(files["usr/share/bash-completion/completions/collscope"])).strip() == "verify"
done = [f"{len(files)} files"]
if "usr/bin/collscope-mpi" in files and shutil.which("mpirun"):
    assert "checked" in call(collscope, "run", "bcast/binomial-tree", "-n", "2", "--on", "mpi", "--repeat", "2"), "no MPI"
    assert library, "the package lacks the library to preload"
    done.append("processes")
print("a package of", " and ".join(done))
