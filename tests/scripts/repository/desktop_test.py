# SPDX-License-Identifier: BSD-3-Clause
"""What desktops read is well-formed, and what it names is there."""
import configparser
import pathlib
import sys
import xml.etree.ElementTree as tree

source = pathlib.Path(sys.argv[1])
folder = source / "resources" / "desktop"

entry = configparser.ConfigParser(interpolation=None)
entry.optionxform = str
entry.read(folder / "collscope.desktop")
words = entry["Desktop Entry"]
for key in ("Type", "Name", "Comment", "Exec", "Icon", "Categories", "MimeType"):
    assert words.get(key), f"collscope.desktop lacks {key}"
assert words["Exec"].split()[0] == "collscope" and words["Exec"].endswith("%f"), words["Exec"]
assert (folder / (words["Icon"] + ".svg")).exists(), "the icon is missing"

mime = tree.parse(folder / "collscope-mime.xml").getroot()
names = {"m": "http://www.freedesktop.org/standards/shared-mime-info"}
kinds = {kind.get("type"): [glob.get("pattern") for glob in kind.findall("m:glob", names)]
         for kind in mime.findall("m:mime-type", names)}
for kind in words["MimeType"].rstrip(";").split(";"):
    assert kind in kinds, f"{kind} is not described"
assert "*.otf2" in kinds["application/x-otf2"]

picture = tree.parse(folder / "collscope.svg").getroot()
assert picture.tag.endswith("svg") and picture.get("viewBox"), "the icon has no view box"
build = (source / "resources" / "cmake" / "package.cmake").read_text()
for name in ("collscope.desktop", "collscope.svg", "collscope-mime.xml"):
    assert name in build, f"{name} is not installed"
print("3 files")
