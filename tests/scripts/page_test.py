# SPDX-License-Identifier: BSD-3-Clause
"""The HTML page of a run works in a browser: drawn, stepped, played, silent on the network. Skipped without Chromium."""
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

program = sys.argv[2]
browser = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
if browser is None:
    print("no Chromium here")
    sys.exit(77)

folder = pathlib.Path(tempfile.mkdtemp())
page = folder / "run.html"
subprocess.run([program, "export", "halfduplex-allgather/ring-belts", "-p", "4", "-q", "6", "--width", "900", "--height",
                "600", "-o", str(page)], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
text = page.read_text()
assert "default-src 'none'" in text, "the page has no content security policy"
assert not re.search(r"""(src|href)\s*=\s*["']?https?:""", text), "the page names another one"


def ask(address, *more):
    """What the browser makes of the page, and what it complains of."""
    # The sandbox needs rights that tests in containers do not have.
    done = subprocess.run([browser, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                           f"--user-data-dir={folder / 'profile'}", "--enable-logging=stderr",
                           "--virtual-time-budget=3000", *more, address],
                          capture_output=True, text=True, timeout=240)
    complaints = [line for line in done.stderr.splitlines() if "CONSOLE" in line]
    assert not complaints, complaints
    return done.stdout


def words(dom):
    return re.search(r'<p id="words"[^>]*>([^<]*)', dom).group(1)


frames = len(re.search(r'"words":(\[.*?\])\}', text, re.S).group(1).split('","'))
first = words(ask(page.as_uri(), "--dump-dom"))
assert " of 6, 0 s of 163.3" in first, first
middle = words(ask(page.as_uri() + "#15", "--dump-dom"))
assert middle.startswith("Round ") and middle != first, middle
last = words(ask(page.as_uri() + "#100000", "--dump-dom"))
assert last.startswith("End, after 6 rounds"), last

# The keys and the buttons, pressed by a copy of the page that does so itself.
acting = folder / "acting.html"
acting.write_text(text.replace("show(+location.hash.slice(1) || 0);", """show(10);
const key = name => document.dispatchEvent(new KeyboardEvent('keydown', {key: name}));
key('ArrowRight'); key('ArrowRight'); key('ArrowLeft');
document.getElementById('next').click(); document.getElementById('back').click();
const pixels = pen.getImageData(0, 0, canvas.width, canvas.height).data;
const colours = new Set();
for (let i = 0; i < pixels.length; i += 4) colours.add(pixels[i] * 65536 + pixels[i + 1] * 256 + pixels[i + 2]);
const at = now;
document.getElementById('play').click();
setTimeout(() => { document.title = at + ' ' + now + ' ' + colours.size; }, 2000);"""))
title = re.search(r"<title>([^<]*)", ask(acting.as_uri(), "--dump-dom")).group(1).split()
assert title[0] == "11", f"steps led to frame {title[0]}"
assert int(title[1]) > 11, "the page does not play"
assert int(title[2]) > 20, f"{title[2]} colours: the canvas is blank"
shutil.rmtree(folder, ignore_errors=True)
print(f"{frames} frames")
