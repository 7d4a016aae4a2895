#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""recipes_test.py SOURCE: resources/docs/contributing.md says all that is needed to add something.

Every file that it names exists. One algorithm, network, table, view, finding and format of traces is added by exactly the
files that its recipe names, beside the source, and what was added or changed compiles and lies in a room.
"""
import concurrent.futures
import fnmatch
import os
import pathlib
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import rooms_test

DOCUMENT = "resources/docs/contributing.md"
FILE = re.compile(r"[\w./<>*-]*\.(?:cpp|hpp|py|cmake|md|txt|tsv|sh|js|css|lua|model|lesson|paper)")
ALGORITHMS, TOPOLOGIES, TABLES = "engine/algorithms/", "emulation/networks/topologies/", "app/analysis/tables/definitions/"
SCENES, OVERVIEW = "app/gui/scenes/", "app/analysis/overview/"
LICENCE = "// SPDX-License-Identifier: BSD-3-Clause\n"


def copy(path, example, old, new):
    """A step: the file `path` is another one with another namespace."""
    return path, lambda source: (source / example).read_text(encoding="utf-8").replace(old, new)


def new(path, text):
    return path, lambda source: LICENCE + text


def add(path, *places):
    """A step: behind each `before`, which stands once in the file, comes `text`."""
    def edited(source):
        text = (source / path).read_text(encoding="utf-8")
        for before, more in places:
            assert text.count(before) == 1, f"{path} has '{before}' {text.count(before)} times; correct {pathlib.Path(__file__).name}"
            text = text.replace(before, before + more)
        return text
    return path, edited


# (first cell of the row, or the title of the section; steps)
RECIPES = [
    ("## An algorithm", [copy(ALGORITHMS + "halfduplex-allgather/recipe.cpp", ALGORITHMS + "halfduplex-allgather/ring-intragroup.cpp",
                              "halfduplex_allgather_ring_intragroup", "halfduplex_allgather_recipe")]),
    ("a network", [copy(TOPOLOGIES + "recipe.cpp", TOPOLOGIES + "kautz.cpp", "of_kautz", "of_recipe")]),
    ("a table", [copy(TABLES + "recipe.cpp", TABLES + "tags.cpp", "about_tags", "about_recipe")]),
    ("a view", [
        new(SCENES + "charts/recipe_scene.cpp", """#include "app/gui/scenes/drawing/scene.hpp"
namespace app::gui {
Scene recipeScene(const DrawableRun&, const ViewState&, QSizeF) { return {}; }
}  // namespace app::gui
"""),
        add(SCENES + "drawing/scene.hpp", ("Scene idleScene(const DrawableRun& subject, const ViewState& state, QSizeF size);\n",
                                           "Scene recipeScene(const DrawableRun& subject, const ViewState& state, QSizeF size);\n")),
        add(SCENES + "picture/picture_options.hpp", ('{"poster", "All in one"},\n', '{"recipe", "A recipe"},\n')),
        add(SCENES + "picture/views.cpp", ('{.name = "poster", .scene = posterScene},\n',
                                           '{.name = "recipe", .scene = recipeScene, .tab = "Recipe"},\n'))]),
    ("a finding of the first page", [
        add("app/analysis/findings/finding.hpp", ("enum class FindingKind : std::uint8_t {\n", "recipe,\n")),
        add("app/analysis/findings/finding.cpp", ("switch (kind) {\n", 'case FindingKind::recipe: return "recipe";\n')),
        add(OVERVIEW + "fault_findings.hpp", ("std::vector<Finding> faultFindings(TraceAnalysis& analysis);\n",
                                              "Finding recipeFinding(TraceAnalysis& analysis);\n")),
        add(OVERVIEW + "fault_findings.cpp", ("namespace app::analysis {\n", """Finding recipeFinding(TraceAnalysis&) {
    return {.kind = FindingKind::recipe, .words = "A recipe.", .facts = {{"eggs", std::int64_t{2}}}};
}
""")),
        add(OVERVIEW + "first_page.cpp", ("std::vector<Finding> page = faultFindings(analysis);\n",
                                          "page.push_back(recipeFinding(analysis));\n"))]),
    ("a format of traces", [
        new("traces/recipe/reader.hpp", """#pragma once
#include "traces/recording/recording.hpp"
#include <filesystem>
namespace traces::recipe {
bool isRecipe(const std::filesystem::path& path);
RecordingPtr readRecipe(const std::filesystem::path& path);
}  // namespace traces::recipe
"""),
        new("traces/recipe/reader.cpp", """#include "traces/recipe/reader.hpp"
#include "traces/recording/recording_builder.hpp"
namespace traces::recipe {
bool isRecipe(const std::filesystem::path& path) { return path.extension() == ".recipe"; }
RecordingPtr readRecipe(const std::filesystem::path&) { return std::make_shared<Recording>(RecordingBuilder{1}.finish()); }
}  // namespace traces::recipe
"""),
        add("traces/opening.cpp", ('#include "traces/kineto/job.hpp"\n', '#include "traces/recipe/reader.hpp"\n'),
            ("if (kineto::isJob(path)) return;\n", "if (recipe::isRecipe(path)) return;\n"),
            ("return kineto::readJob(path, progress, opening.before);\n", "if (recipe::isRecipe(path)) return recipe::readRecipe(path);\n")),
        ("tests/scripts/repository/rooms_test.py", None)]),
]


def files_of(source):
    folders = ("app", "emulation", "engine", "resources", "tests", "traces")
    return [file.relative_to(source).as_posix() for folder in folders for file in (source / folder).rglob("*") if file.is_file()]


def patterns(text):
    """What the text names in quotes as files: `<name>` is any, and `.cpp` behind `a.hpp` is a.cpp."""
    before = ""
    for token in re.findall(r"`([^`\n]+)`", text):
        if not FILE.fullmatch(token):
            continue
        if token.startswith("."):
            token = before + token
        before = token[:token.rindex(".")]
        yield re.sub(r"<[^>]*>", "*", token)


def is_named(path, pattern):
    return fnmatch.fnmatchcase(path, pattern) or fnmatch.fnmatchcase(path, "*/" + pattern)


def absent(text, files):
    """Files that the text names and that do not exist."""
    return [pattern for pattern in patterns(text) if not any(is_named(path, pattern) for path in files)]


def recipe(document, title):
    """The section of that title, or the second cell of the row."""
    if title.startswith("## "):
        return re.search(rf"^{title}\n(.*?)^## ", document, re.M | re.S)[1]
    rows = [row for row in re.findall(rf"^\| {title} \|(.*)$", document, re.M)]
    assert len(rows) == 1, f"{DOCUMENT} has {len(rows)} rows '{title}'"
    return rows[0].split(" | ")[0]


def compiled(source, overlay, units):
    """What is wrong with the files of the overlay, compiled together; what nobody edited is in the source."""
    flags = subprocess.run(["pkg-config", "--cflags", "Qt6Gui"], capture_output=True, text=True, check=True).stdout.split()
    text = "".join(f"#include <{unit}>\n" for unit in units)
    made = subprocess.run(["c++", "-std=c++20", "-fsyntax-only", "-Wall", "-Wextra", "-Werror", "-I", str(overlay), "-I", str(source),
                           "-DQT_NO_KEYWORDS", "-fPIC", *flags, "-x", "c++", "-"], input=text, capture_output=True, text=True, check=False)
    wrong = [line for line in made.stderr.splitlines() if re.search(r"(?:error|warning):", line)]
    return [line.replace(f"{overlay}/", "") for line in wrong[:5]] or ([made.stderr[-300:]] if made.returncode else [])


def follow(source, overlay, steps):
    """Writes the files of the steps; returns those to compile, and what lies in no room."""
    units, faults = [], []
    order = {top: list(rooms) for top, rooms in rooms_test.ORDER.items()}
    for path, text in steps:
        if text is None:  # the order of rooms
            order["traces/"].insert(order["traces/"].index("reading/files"), "recipe")
            continue
        (overlay / path).parent.mkdir(parents=True, exist_ok=True)
        (overlay / path).write_text(text(source), encoding="utf-8")
        if path.endswith(".cpp"):
            units.append(path)
    kept, rooms_test.ORDER = rooms_test.ORDER, order
    for path, text in steps:
        if text is not None:
            faults += rooms_test.faults(path, (overlay / path).read_text(encoding="utf-8"))
    rooms_test.ORDER = kept
    for path, _ in steps:  # the folder is the registry
        for base in (ALGORITHMS, TABLES):
            name = re.sub(r"\W|_", "_", path.removeprefix(base).removesuffix(".cpp").replace("-", "_"))
            if path.startswith(base) and name not in (overlay / path).read_text(encoding="utf-8"):
                faults.append(f"{path} has no namespace {name}, by which the build finds it")
    return units, faults


def main(source):
    document = (source / DOCUMENT).read_text(encoding="utf-8")
    files = files_of(source)
    assert absent("`no/such_file.cpp` `rooms_test.py` `analysis/tables/definitions/<name>.cpp`", files) == ["no/such_file.cpp"]
    faults = [f"{DOCUMENT} names {pattern}, which does not exist" for pattern in absent(document, files)]
    with tempfile.TemporaryDirectory() as folder:
        overlay, planted, units = pathlib.Path(folder) / "all", pathlib.Path(folder) / "planted", []
        for title, steps in RECIPES:
            named = list(patterns(recipe(document, title)))
            faults += [f"{DOCUMENT}, '{title}': {path} is needed and not named" for path, _ in steps
                       if not any(is_named(path, pattern) for pattern in named)]
            mine, wrong = follow(source, overlay, steps)
            units += mine
            faults += wrong
        # One step of a recipe alone.
        finding = dict(RECIPES)["a finding of the first page"]
        follow(source, planted, [step for step in finding if step[0].endswith("/finding.hpp")])
        drawn = [unit for unit in units if unit.startswith("app/gui/")]
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            work = [pool.submit(compiled, source, overlay, joined) for joined in (drawn, [unit for unit in units if unit not in drawn])]
            assert compiled(source, planted, ["app/analysis/findings/finding.cpp"]), "a step that was left out was not noticed"
            for one in work:
                faults += one.result()
    print("\n".join(faults) or f"{len(RECIPES)} recipes are complete; {len(units)} files compile")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1]).resolve()))
