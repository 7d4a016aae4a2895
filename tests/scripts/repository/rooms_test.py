#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""rooms_test.py SOURCE [PROGRAM]: no room includes what it may not. Dependence runs one way only:

    engine <- emulation, traces <- app/analysis <- app/session <- app/teaching <- app/cli, app/gui

app/gui is two storeys: teaching uses what panels are made of, and the window has the panels of teaching.

Within engine, traces, app/analysis, app/session, app/teaching and app/gui each room is a folder, and includes only itself
and rooms named before it in ORDER. No folder holds more than MOST files, registries of one file each apart.
What can do harm stands in one file. The root holds nothing but what it is known for.
"""
import collections
import pathlib
import re
import shutil
import subprocess
import sys

QT, OTF2, MPI, GRAPH, SUMS, SQL = r"Q[A-Z]|Qt|q[a-z]+\.h", r"otf2/", r"mpi\.h", r"boost/graph", r"xxh", r"sqlite3"
XML = r"boost/property_tree"
SAT = r"c?cadical\.h"
PROGRAMS = r"Clp|Coin"
STREAMS = r"rapidjson/|zlib\.h"
LUA = r"lua\.h|lualib\.h|lauxlib\.h|engine/script/(?!script\.hpp)"
RULES = [  # (files whose path matches, other than, may not include)
    (r"", r"app/(gui|teaching)/", QT),
    (r"", r"traces/otf2/", OTF2),
    (r"", r"engine/live/(mpi|pmpi)/", MPI),
    (r"", r"emulation/", GRAPH),
    (r"", r"traces/(index|storage)/", SUMS),
    (r"", r"traces/(kineto|flight_recorder)/", STREAMS),
    (r"", r"app/analysis/tables/sql\.cpp", SQL),
    (r"", r"engine/synthesis/cnf_formula\.cpp", SAT),
    (r"", r"emulation/bounds/linear_program\.cpp", PROGRAMS),
    (r"engine/synthesis/", None, r"engine/(?!synthesis/|schedule_files/stored_schedule\.hpp|problem/contract\.hpp|base/(error|text)\.hpp)"),
    (r"engine/(?!synthesis/)", None, r"engine/synthesis/"),  # what goes into shared libraries has no solver
    (r"", r"engine/script/", LUA),
    (r"", r"engine/schedule_files/xml_element\.", XML),
    (r"engine/", None, r"(emulation|traces|app)/"),
    (r"engine/(?!live/)", None, r"engine/live/"),  # mathematics stands alone
    (r"emulation/", None, r"(traces|app)/"),
    (r"traces/", None, r"(emulation|app)/"),
    (r"app/analysis/", None, r"app/(session|teaching|cli|gui)/"),
    (r"app/session/", None, r"app/(teaching|cli|gui)/"),
    (r"app/teaching/", None, r"app/(cli|mpi)/|app/gui/(?!scenes/|playback/|style/|widgets/|tables/|notes/|views/|settings/)"),
    (r"app/gui/(scenes|playback|style|widgets|tables|notes|views|settings)/", None, r"app/teaching/"),
    (r"app/teaching/(exercises|lessons/lesson_names)", None, r"app/gui/|" + QT),
    (r"app/gui/", None, r"app/teaching/(?!(teaching|exercises)\.hpp)"),  # the door of teaching
    (r"app/(cli|mpi)/", None, r"app/teaching/(?!exercises\.hpp)"),  # that of its part without Qt
    (r"app/cli/", None, r"app/gui/(?!gui\.hpp)"),  # the window's doors, which know no Qt
    (r"app/gui/(gui|scenes/picture/(file_kinds|picture_options)|scenes/drawing/annotation|export/export_writer|workflows/beginning)\.hpp",
     None, QT),
    (r"app/gui/", None, r"app/cli/"),
    (r"app/gui/scenes/", None, r"app/gui/(?!scenes/)"),  # no widgets
    (r"app/mpi/", None, r"app/gui/(?!gui\.hpp)"),  # the processes of a run: no window
    (r"", r"app/mpi/", r"app/mpi/"),  # programs, which nobody includes
]
WORDS = [  # (files whose path matches, other than, may not say)
    (r"app/", r"app/gui/widgets/path_dialog\.cpp", r"QFileDialog"),  # Qt's deletes and renames files unless it is told not to
]
ORDER = {  # a room may include those before it
    "engine/": """base problem schedule shapes cost algorithm stages run proof script schedule_files schedule_files/msccl
                  schedule_files/goal catalogue algorithms live/records live live/hang_diagnosis live/threads live/splitphase live/network_namespaces
                  live/mpi live/pmpi synthesis""".split(),
    "traces/": """storage recording index clocks kineto flight_recorder nccl export otf2 reading/files reading/locations reading/matching reading
                  .""".split(),
    "app/analysis/": """containers format selection messages schedule dataflow network calls collectives wait_states critical_path bounds
                        program training replay efficiency trace findings tables overview tables/definitions""".split(),
    "app/session/": ". options proofs run replay goal sweep tune compare synthesis".split(),
    "app/teaching/": "exercises lessons panels editor .".split(),
    "app/gui/": """scenes/drawing scenes/graph_layout scenes/run scenes/layout scenes/text scenes/common scenes/network scenes/program
                   scenes/charts scenes/time scenes/picture playback style widgets tables notes views settings explain answers
                   comparison replay setup what_if page export workflows window .""".split(),
}
MOST = 30
REGISTRIES = r"engine/algorithms/|app/analysis/tables/definitions$"
ROOT = {".ci", ".clang-format", ".gitignore", "CMakeLists.txt", "CMakePresets.json", "LICENSE", "README.md", "app", "emulation", "engine",
        "resources", "run", "test", "tests", "traces"}
# The rooms below the heads name fields, not flags. Other programs have flags too.
SILENT, OTHERS = r"(engine|emulation)/", r"engine/live/network_namespaces/"
TEXT = re.compile(r"""//[^\n]*|'(?:[^'\\]|\\.)'|"((?:[^"\\\n]|\\.)*)\"""")  # comments and characters are none
FLAG = re.compile(r"--[a-z]|'collscope [a-z]")
MENTION = re.compile(r"//.*?\b([a-z][a-z0-9_-]*\.hpp)\b")
INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]', re.M)


def faults(path, text):
    for header in INCLUDE.findall(text):
        for inside, outside, forbidden in RULES:
            if re.match(inside, path) and not (outside and re.match(outside, path)) and re.match(forbidden, header):
                yield f"{path} includes {header}, which its room may not"
    for inside, outside, forbidden in WORDS:
        if re.match(inside, path) and not re.match(outside, path) and re.search(forbidden, text):
            yield f"{path} says {forbidden}, which only {outside} may"
    for top, order in ORDER.items():
        if not path.startswith(top):
            continue
        own = room_of(path, top)
        if own not in order:
            yield f"{path} lies in no room that tests/scripts/repository/rooms_test.py names"
            continue
        for header in INCLUDE.findall(text):
            other = room_of(header, top) if header.startswith(top) else own
            if other not in order[:order.index(own) + 1]:
                yield f"{path} includes {header}, whose room comes after its own"
    if re.match(SILENT, path) and not re.match(OTHERS, path) and any(FLAG.search(words) for words in TEXT.findall(text)):
        yield f"{path} speaks of the command line; name the field or the list (engine/base/option_placeholders.hpp)"


def stale(texts):
    """Comments that send the reader to a header that does not exist."""
    known = {pathlib.PurePosixPath(path).name for path in texts}
    return [f"{path} mentions {header}, which does not exist" for path, text in texts.items()
            for header in sorted(set(MENTION.findall(text)) - known)]


def room_of(path, top):
    """The folder below `top`; "." for top itself. The algorithms are one room, and so is the recorder."""
    return re.sub(r"^(algorithms|live/pmpi)/.*", r"\1", str(pathlib.PurePosixPath(path).parent.relative_to(top.rstrip("/"))))


def crowded(paths):
    """Folders that hold more source files than a reader can take in."""
    count = collections.Counter(str(pathlib.PurePosixPath(path).parent) for path in paths)
    return [f"{folder} holds {files} files; {MOST} are enough for one room" for folder, files in sorted(count.items())
            if files > MOST and not re.match(REGISTRIES, folder)]


def strays(tracked):
    """What lies in the root, of paths that git knows, and does not belong there."""
    return sorted({path.split("/")[0] for path in tracked} - ROOT)


def tracked(source):
    """Paths that git knows; none in a copy without git."""
    if not shutil.which("git"):
        return []
    asked = subprocess.run(["git", "-C", str(source), "ls-files", "-z"], capture_output=True, text=True, check=False)
    return [path for path in asked.stdout.split("\0") if path]


def check_that_it_can_fail():
    assert strays(["a.out", "engine/run/run.hpp"]) == ["a.out"]
    for path, header in [("engine/run/run.cpp", "QString"), ("engine/run/run.hpp", "emulation/networks/network.hpp"),
                         ("traces/recording/recording.cpp", "otf2/otf2.h"), ("emulation/networks/grid.cpp", "traces/recording/archive.hpp"),
                         ("traces/otf2/writer.cpp", "app/session/session.hpp"), ("app/cli/output/text_layout.cpp", "QtGui/QImage"),
                         ("app/session/session.cpp", "app/cli/output/text_layout.hpp"), ("app/cli/arguments/arguments.cpp", "mpi.h"),
                         ("traces/recording/archive.hpp", "boost/graph/graph_traits.hpp"), ("engine/proof/verify.cpp", "engine/live/records/collective_records.hpp"),
                         ("traces/recording/recording.cpp", "xxhash.h"), ("engine/proof/verify.cpp", "lua.hpp"),
                         ("engine/schedule_files/stored_schedule.cpp", "engine/script/script_header.hpp"),
                         ("engine/synthesis/sat_search.cpp", "cadical.hpp"), ("engine/synthesis/sat_search.cpp", "engine/catalogue/catalogue.hpp"),
                         ("engine/proof/verify.cpp", "engine/synthesis/sat_search.hpp"),
                         ("engine/schedule_files/stored_schedule.cpp", "boost/property_tree/xml_parser.hpp"), ("app/mpi/main.cpp", "app/gui/window/main_window.hpp"),
                         ("app/cli/cli.cpp", "app/mpi/symbol_overrides.hpp"), ("app/cli/cli.cpp", "app/teaching/teaching.hpp"),
                         ("app/gui/window/help.cpp", "app/teaching/lessons/lesson.hpp"),
                         ("app/teaching/exercises.hpp", "QString"), ("app/teaching/panels/task_panel.hpp", "app/gui/window/menus.hpp"),
                         ("app/gui/widgets/field.cpp", "app/teaching/teaching.hpp"),
                         ("app/analysis/wait_states/wait_states.cpp", "app/session/session.hpp"),
                         ("app/gui/scenes/picture/picture.cpp", "app/gui/playback/playback.hpp")]:
        assert list(faults(path, f"#pragma once\n  # include <{header}>\n")), f"{path}, {header}: not noticed"
    for path, header in [("app/analysis/messages/message_start.cpp", "app/analysis/wait_states/wait_states.hpp"),
                         ("app/gui/widgets/field.cpp", "app/gui/views/card.hpp"), ("app/gui/nowhere/x.cpp", "engine/run/run.hpp")]:
        assert list(faults(path, f'#include "{header}"\n')), f"{path}, {header}: not noticed"
    assert not list(faults("app/analysis/wait_states/wait_states.cpp", '#include "app/analysis/messages/message_start.hpp"\n'))
    assert crowded([f"a/{i}.cpp" for i in range(MOST + 1)]) and not crowded([f"a/{i}.cpp" for i in range(MOST)])
    assert stale({"a/b.hpp": "", "a/c.cpp": "int x;  // as c.hpp has it"}) and not stale({"a/b.hpp": "", "a/c.cpp": "// b.hpp"})
    assert list(faults("app/gui/widgets/field.cpp", "x = QFileDialog::getOpenFileName(this);"))
    assert list(faults("engine/run/run.cpp", 'throw Error{"choose a smaller --size"};')), "a flag: not noticed"
    assert list(faults("engine/run/run.cpp", 'text("\'collscope list\' names them")')), "a command: not noticed"
    assert not list(faults("engine/run/run.cpp", 'if (c == \'"\' && words == "<") --size, words = ">";'))
    assert not list(faults("engine/run/run.cpp", '// "--size" is one\n')) and not list(faults("app/cli/x.cpp", '"--size"'))
    assert not list(faults("app/gui/window.cpp", '#include <QMainWindow>\n#include "engine/run/run.hpp"\n#include <queue>\n'))


def main(source):
    check_that_it_can_fail()
    files = [f for room in ("engine", "emulation", "traces", "app") for f in sorted((source / room).rglob("*.[ch]pp"))]
    assert len(files) > 20, f"only {len(files)} sources under {source}"
    found = [fault for f in files for fault in faults(str(f.relative_to(source)), f.read_text(encoding="utf-8"))]
    tests = [f for ending in ("[ch]pp", "py") for f in sorted((source / "tests").rglob(f"*.{ending}"))]
    found += crowded(str(f.relative_to(source)) for f in files + tests)
    found += stale({str(f.relative_to(source)): f.read_text(encoding="utf-8") for f in files + tests if f.suffix != ".py"})
    found += [f"{path} lies in the root; what belongs there is named in tests/scripts/repository/rooms_test.py" for path in strays(tracked(source))]
    print("\n".join(found) or f"{len(files)} files keep to their rooms")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1])))
