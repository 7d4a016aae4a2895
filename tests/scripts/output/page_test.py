# SPDX-License-Identifier: BSD-3-Clause
"""Pages of runs and of lessons work in a browser as people use them: with the mouse, with keys, by links, without a
script, on a phone; they complain of nothing, ask the network for nothing, and nothing in them lacks a name. Skipped
without Chromium."""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import browser

program = sys.argv[2]
if browser.find() is None:
    print("no Chromium here")
    sys.exit(77)

folder = pathlib.Path(tempfile.mkdtemp())
shown = os.environ.get("COLLSCOPE_PAGE_PICTURES")  # a folder for pictures of what is tested


def export(name, *words):
    file = folder / name
    done = subprocess.run([program, "export", *words, "-o", str(file)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert re.fullmatch(r"wrote .* \([\d.]+ [KM]iB\)\n", done.stdout), done.stdout
    assert file.stat().st_size < 10 << 20, f"{name} is {file.stat().st_size} bytes"
    return file


run = export("run.html", "halfduplex-allgather/ring-belts", "-p", "4", "-q", "6", "--progress",
             "lockstep")
text = run.read_text()
assert "default-src 'none'" in text and "unsafe" not in text, "the page's policy lets too much through"
assert not re.search(r"""(src|href)\s*=\s*["']?(https?:)?//""", text), "the page names another one"


def picture(page, name, whole=False):
    if shown:
        page.picture(str(pathlib.Path(shown) / (name + ".png")), whole)


def calm(page, what):
    assert not page.complaints, f"{what}: {page.complaints}"
    asked = [each for each in page.requests if not each.startswith(("file:", "about:", "data:"))]
    assert not asked, f"{what} asked the network for {asked}"


def words(page):
    return page.get("document.getElementById('words').textContent")


def says(page, beginning):
    """Waits until it does: on a busy machine a page takes its time."""
    try:
        page.wait(f"document.getElementById('words').textContent.startsWith({json.dumps(beginning)})", beginning)
    except AssertionError as never:
        raise AssertionError(f"the page says {words(page)!r}, not {beginning!r}") from never


def hides_answer(page, hidden):
    """Waits until the page hides the answer to a question, or no longer does."""
    sign = "" if hidden else "!"
    page.wait(f"{sign}document.getElementById('words').textContent.includes('Hidden until you have answered.')",
              "the answer hidden" if hidden else "the answer shown")


def lit(page, letter):
    return set(page.get("[...document.querySelectorAll('#stage figure[data-view=timeline] svg.desk "
                        f"[data-m^={letter}].lit')].map(e=>e.dataset.m)"))


# Words that nobody must be unable to read: names of what can be worked, headings in order, contrast.
NAMELESS = """(() => {
  const bad = [];
  for (const e of document.querySelectorAll('button, select, input, a, [role=region], [role=group], svg[role=img]')) {
    if (e.closest('[hidden]') || !e.getClientRects().length) continue;
    const name = e.getAttribute('aria-label') || (e.labels && e.labels.length && e.labels[0].textContent) ||
      (e.querySelector(':scope > title') && e.querySelector(':scope > title').textContent) || e.textContent;
    if (!name.trim()) bad.push('no name: ' + e.outerHTML.slice(0, 80));
  }
  let level = 0;
  for (const e of document.querySelectorAll('h1, h2, h3, h4')) {
    if (e.closest('[hidden]') || e.closest('#chosen')) continue;
    const its = +e.tagName[1];
    if (its > level + 1) bad.push('heading leaps: ' + e.textContent);
    level = its;
  }
  const ids = new Set();
  for (const e of document.querySelectorAll('[id]')) ids.has(e.id) ? bad.push('twice: ' + e.id) : ids.add(e.id);
  for (const a of document.querySelectorAll('a[href^="#"]')) {
    const to = decodeURIComponent(a.getAttribute('href').slice(1));
    if (!ids.has(to) && !/^(rank|block|message)=/.test(to)) bad.push('leads nowhere: #' + to);
  }
  const channel = c => c / 255 <= 0.04045 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4;
  const luminance = rgb => { const [r, g, b] = rgb.match(/[\\d.]+/g).map(Number); return 0.2126 * channel(r) + 0.7152 * channel(g) + 0.0722 * channel(b); };
  const contrast = (a, b) => (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
  const under = e => { for (; e; e = e.parentElement) { const c = getComputedStyle(e).backgroundColor; if (!c.endsWith(', 0)')) return c; } return 'rgb(255, 255, 255)'; };
  for (const e of document.querySelectorAll('p, h1, h2, h3, a, button, dt, dd, th, td, figcaption, li, label')) {
    if (e.closest('[hidden]') || e.disabled || !e.textContent.trim()) continue;
    const ratio = contrast(luminance(getComputedStyle(e).color), luminance(under(e)));
    if (ratio < 4.5) bad.push('contrast ' + ratio.toFixed(2) + ': ' + e.outerHTML.slice(0, 80));
  }
  return [...new Set(bad)];
})()"""


def readable(page, what):
    bad = page.get(NAMELESS)
    assert not bad, f"{what}: {bad[:10]}"
    # A stranger's judge, where somebody has it: npm install axe-core, and its path.
    axe = os.environ.get("COLLSCOPE_AXE")
    if axe:
        page.get(pathlib.Path(axe).read_text() + "; 0")
        found = page.get("axe.run().then(r => r.violations.map(v => v.id + ': ' + v.nodes.slice(0, 3).map(n => n.html.slice(0, 120))))")
        assert not found, f"{what}: axe finds {found}"


# At a desk: keys, mouse, links.
with browser.Browser(1366, 768) as page:
    page.open(run.as_uri())
    says(page, "Round 1 of 6, 0 s of 163.3")
    readable(page, "a run")
    picture(page, "run-desk")
    page.press("ArrowRight", 39)
    page.press("ArrowRight", 39)
    says(page, "Round 2 of 6")
    assert page.get("document.querySelector('.step.current').id") == "round=2"
    assert page.get("location.hash") == "#round=2", page.get("location.hash")
    page.press("ArrowLeft", 37)
    says(page, "Round 1 of 6")
    page.rest_a_moment(1.2)  # until the story has come there
    # A click on a rank lights its messages and its row, in every picture, and says all about it.
    page.click("figure[data-view=network] svg.desk [data-m=r4]")
    its = set(page.get("JSON.parse(document.getElementById('data').textContent).runs[0].ofRank[4].map(i=>'m'+i)"))
    assert lit(page, "m") == its, (lit(page, "m"), its)
    assert page.get("document.querySelectorAll('figure[data-view=holdings] svg.desk [data-m$=\".4\"].lit').length") >= 4
    assert "Rank 4, group B" in page.get("document.getElementById('chosen').textContent")
    assert page.get("location.hash") == "#round=1&rank=4", page.get("location.hash")
    picture(page, "run-rank")
    # And on a cell its block, whose way is drawn on the network and told hop by hop.
    page.click("figure[data-view=holdings] svg.desk [data-m='b0.5']")
    assert "rank" not in page.get("location.hash") and "block=0" in page.get("location.hash"), page.get("location.hash")
    route = page.get("document.querySelectorAll('figure[data-view=network] .desk .route path').length")
    hops = page.get("JSON.parse(document.getElementById('data').textContent).runs[0].ofBlock[0].length")
    assert route >= hops >= 6, f"{route} lines for {hops} hops"
    assert "Hops" in page.get("document.getElementById('chosen').textContent")
    picture(page, "run-block")
    page.press("Escape", 27)
    assert not lit(page, "m")
    # What is under the mouse is said.
    x, y = page.middle("figure[data-view=network] svg.desk [data-m=r4]")
    page.move(x, y)
    page.wait("!document.getElementById('tip').hidden", "a tip")
    assert "rank 4 (group B, receivers)" in page.get("document.getElementById('tip').textContent")
    # Playing moves pictures and words to the end.
    before = words(page)
    page.click("#play")
    page.wait(f"document.getElementById('words').textContent !== {before!r}", "playing")
    page.wait("document.querySelector('.step.current').id === 'round=3'", "the story follows")
    page.click("#play")
    # The scrubber, by keys.
    page.get("document.getElementById('at').focus()")
    page.press("End", 35)
    says(page, "End, after 6 rounds")
    # Scrolling the story moves the pictures.
    page.rest_a_moment(1.2)
    page.get("document.getElementById('round=5').scrollIntoView({block:'center', behavior:'instant'})")
    page.wait("document.getElementById('words').textContent.startsWith('Round 5 of 6')", "scrolling")
    # Other sizes, already computed: another time, and the story tells of them.
    first = page.get("document.getElementById('result').textContent")
    page.get("document.getElementById('grid-size').focus()")
    page.press("ArrowRight", 39)
    assert page.get("document.getElementById('grid-size-is').textContent") == "512 KiB"
    assert page.get("document.getElementById('result').textContent") != first
    assert "512 KiB" in page.get("document.getElementById('round=1').textContent")
    assert "size=3" in page.get("location.hash"), page.get("location.hash")
    picture(page, "run-larger")
    page.press("ArrowLeft", 37)
    assert page.get("document.getElementById('result').textContent") == first
    calm(page, "a run at a desk")
    # A link names the moment and what is chosen; a wrong one harms nothing.
    page.open(run.as_uri() + "#round=4&rank=5&block=1")
    page.wait("document.getElementById('words').textContent.startsWith('Round 4 of 6')", "the moment of a link")
    assert page.get("document.getElementById('choose-rank').value") == "5"
    assert page.get("document.getElementById('choose-block').value") == "1"
    for wrong in ("#round=99", "#rank=77&block=-3", "#<script>", "#size=9", "#%"):
        page.open("about:blank")
        page.open(run.as_uri() + wrong)
        assert "of 6" in words(page), words(page)
    calm(page, "links")

# On a phone nothing is wider than the screen, and one picture is chosen.
with browser.Browser(390, 844, phone=True) as page:
    page.open(run.as_uri())
    assert page.get("document.documentElement.scrollWidth") <= 390, page.get("document.documentElement.scrollWidth")
    assert page.get("getComputedStyle(document.querySelector('figure[data-view=network] svg.phone')).display") == "block"
    readable(page, "a run on a phone")
    picture(page, "run-phone")
    page.click("#pictures-chosen button[data-view=holdings]")
    assert page.get("document.querySelector('#stage figure[data-view=network]').getClientRects().length") == 0
    page.click("#next")
    says(page, "Round 1 of 6")
    page.rest_a_moment(1.2)
    picture(page, "run-phone-2")
    calm(page, "a run on a phone")

# Dark, and with less motion: plays by rounds.
with browser.Browser(1366, 768, dark=True, calm=True) as page:
    page.open(run.as_uri())
    readable(page, "a run in the dark")
    picture(page, "run-dark")
    paper = page.get("getComputedStyle(document.body).backgroundColor")
    assert all(int(each) < 64 for each in re.findall(r"\d+", paper)[:3]), f"dark paper is {paper}"
    page.click("#play")
    page.wait("document.querySelector('.step.current').id === 'round=2'", "playing round by round")
    calm(page, "a run in the dark")

# Without a script all of it is there: pictures, words, tables, and links to their places.
with browser.Browser(1366, 768, script=False) as page:
    page.open(run.as_uri() + "#rank=3")
    picture(page, "run-no-script", True)
    body = page.ask("DOM.getDocument", depth=0)["root"]["nodeId"]

    def outer(selector):
        node = page.ask("DOM.querySelector", nodeId=body, selector=selector)["nodeId"]
        return page.ask("DOM.getOuterHTML", nodeId=node)["outerHTML"] if node else ""

    for id, say in (("stage", "<svg"), ("round\\=6", "rank"), ("rank\\=9", "Receives"), ("block\\=3", "Hops"),
                    ("messages", "<td>block 3</td>"), ("bounds", "lower bound"), ("strip", "<svg"),
                    ("others", "512 KiB"), ("glossary", "late sender")):
        assert say in outer(f"#{id}"), f"without a script #{id} does not say {say}"
    assert 'id="play"' in outer("[data-live][hidden]") or "hidden" in outer("#pictures-chosen"), "buttons that do nothing"
    calm(page, "a run without a script")

# A trace is a page, too.
trace = folder / "trace"
subprocess.run([program, "run", "bcast/binomial-tree", "-n", "4", "--trace", str(trace)], check=True, stdout=subprocess.DEVNULL)
with browser.Browser() as page:
    page.open(export("trace.html", str(trace)).as_uri())
    assert "of 2" in words(page), words(page)
    calm(page, "a trace")

# Runs of every shape: many ranks, many rounds, reductions, nothing to send.
for name, *what in (("many", "bcast/pipelined-chain", "-n", "48", "--set", "segments=64", "--size", "1MiB"),
                    ("ranks", "allreduce/circulant", "-n", "300"),
                    ("alone", "bcast/binomial-tree", "-n", "1"),
                    ("barrier", "barrier/dissemination", "-n", "9"),
                    ("torus", "halfduplex-allgather/torus-belts", "-p", "8", "-q", "8", "--topology", "torus:4x4")):
    with browser.Browser() as page:
        page.open(export(name + ".html", *what).as_uri())
        page.press("ArrowRight", 39)
        assert words(page), name
        calm(page, name)
        picture(page, "shape-" + name)

# The course: all lessons, asked and answered.
course = export("course.html", "lessons")
with browser.Browser(1366, 768) as page:
    page.open(course.as_uri())
    readable(page, "the course")
    picture(page, "course-desk")
    chapters = page.get("document.querySelectorAll('.chapter').length")
    listed = subprocess.run([program, "list", "lessons", "--format", "csv"], capture_output=True, text=True).stdout
    assert chapters == len(listed.splitlines()) - 1 >= 7, (chapters, listed)
    page.open(course.as_uri() + "#lesson=1&stop=3")
    question = "[id='lesson=1&stop=3'] .question"
    page.wait(f"document.querySelector(\"{question}\").closest('.step').classList.contains('current')", "the stop of a link")
    hides_answer(page, True)
    assert "1 of 8" not in page.get("document.querySelector('figure[data-view=holdings] svg.desk').textContent")
    page.rest_a_moment(1.2)
    picture(page, "course-question")
    wrong = f"{question} li[data-right='0'] button"
    page.click(wrong)
    verdict = f"document.querySelector(\"{question} .verdict\").textContent"
    assert re.match(r"No\. .*(nothing|but from|itself).* Try again\.", page.get(verdict)), page.get(verdict)
    assert "Hidden" in words(page), "the answer is shown before the second try"
    page.click(f"{question} li[data-right='1'] button")
    assert re.match(r"Right\. In round 2 rank 4 sends .* to rank 6\.", page.get(verdict)), page.get(verdict)
    hides_answer(page, False)
    picture(page, "course-answered")
    page.click("[id='lesson=1'] a[href='#lesson=2']")
    page.rest_a_moment(0.5)
    page.get("document.getElementById('lesson=2&stop=1').scrollIntoView({block:'center', behavior:'instant'})")
    page.wait("document.getElementById('result').textContent.includes('1.86') || "
              "document.querySelector('.step.current').id === 'lesson=2&stop=1'", "the next lesson")
    calm(page, "the course")
with browser.Browser(390, 844, phone=True) as page:
    page.open(course.as_uri() + "#lesson=3&stop=2")
    page.rest_a_moment(1.2)
    assert page.get("document.documentElement.scrollWidth") <= 390, page.get("document.documentElement.scrollWidth")
    readable(page, "the course on a phone")
    picture(page, "course-phone")
    calm(page, "the course on a phone")
with browser.Browser(1366, 768, script=False) as page:
    page.open(course.as_uri())
    picture(page, "course-no-script", True)
    calm(page, "the course without a script")
assert course.read_text().count("Answer: In round") >= 8, "without a script nobody learns the answers"
one = export("one.html", "what-a-round-is")
assert "What a round is" in one.read_text() and one.read_text().count('class="chapter"') == 1


# Mistakes, each a sentence and exit code 2, and no file.
def refused(*arguments):
    done = subprocess.run([program, "export", *arguments], capture_output=True, text=True)
    assert done.returncode == 2 and done.stderr.count("\n") == 1, (arguments, done.returncode, done.stderr)
    return done.stderr


nowhere = str(folder / "nowhere.html")
(folder / "wrong.lesson").write_text("title: T\nrun: bcast/binomial-tree -n 8\nAll have it.\nfact: All have it | number of holders of block 0 = 8\n")
assert "is 1, not 8" in refused(str(folder / "wrong.lesson"), "-o", nowhere)
assert "none.lesson': it does not exist" in refused(str(folder / "none.lesson"), "-o", nowhere)
assert "ends in .html" in refused("what-a-round-is", "-o", str(folder / "x.png"))
assert "--ranks" in refused("lessons", "-n", "8", "-o", nowhere)
assert "all views" in refused("bcast/flat", "-n", "4", "--view", "network", "-o", nowhere)
assert "--force" in refused("lessons", "-o", str(course))
assert not pathlib.Path(nowhere).exists()
shutil.rmtree(folder, ignore_errors=True)
