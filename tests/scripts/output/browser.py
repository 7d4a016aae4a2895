# SPDX-License-Identifier: BSD-3-Clause
"""Chromium as tests work it: pages opened, clicked and typed at as people do, over its DevTools pipe. Needs Python alone."""
import base64
import fcntl
import json
import os
import select
import shutil
import subprocess
import tempfile
import time

PATIENCE = 180  # seconds for any answer


def find():
    for name in ("chromium", "chromium-browser", "google-chrome"):
        if shutil.which(name):
            return shutil.which(name)
    return None


class Browser:
    """One Chromium with one page. Complaints of the page and what it asked the network for are kept."""

    def __init__(self, width=1366, height=768, phone=False, dark=False, calm=False, script=True):
        self.folder = tempfile.mkdtemp(prefix="collscope-browser")
        ends = [*os.pipe(), *os.pipe()]
        # Away from 3 and 4, which are taken below.
        theirs_in, self.out, self.inn, theirs_out = (fcntl.fcntl(end, fcntl.F_DUPFD_CLOEXEC, 10) for end in ends)
        for end in ends:
            os.close(end)
        def join():  # it reads from 3 and writes to 4
            os.dup2(theirs_in, 3)
            os.dup2(theirs_out, 4)

        # The sandbox needs rights that tests in containers do not have.
        self.process = subprocess.Popen(
            [find(), "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars",
             "--remote-debugging-pipe", f"--user-data-dir={self.folder}", "about:blank"],
            preexec_fn=join, close_fds=False, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
        os.close(theirs_in)
        os.close(theirs_out)
        self.rest, self.number, self.session = b"", 0, None
        self.complaints, self.requests, self.events = [], [], []
        targets = self.ask("Target.getTargets")["targetInfos"]
        page = next(each for each in targets if each["type"] == "page")
        self.session = self.ask("Target.attachToTarget", targetId=page["targetId"], flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.ask(domain + ".enable")
        self.ask("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=phone)
        self.ask("Emulation.setEmulatedMedia", features=[
            {"name": "prefers-color-scheme", "value": "dark" if dark else "light"},
            {"name": "prefers-reduced-motion", "value": "reduce" if calm else "no-preference"}])
        if not script:
            self.ask("Emulation.setScriptExecutionDisabled", value=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()
        os.close(self.inn)
        os.close(self.out)
        shutil.rmtree(self.folder, ignore_errors=True)

    def receive(self, until):
        while b"\0" not in self.rest:
            if not select.select([self.inn], [], [], max(0, until - time.monotonic()))[0]:
                raise TimeoutError("Chromium says nothing")
            more = os.read(self.inn, 1 << 20)
            if not more:
                raise EOFError("Chromium has ended")
            self.rest += more
        message, self.rest = self.rest.split(b"\0", 1)
        return json.loads(message)

    def note(self, message):
        method, values = message.get("method"), message.get("params", {})
        if method == "Runtime.exceptionThrown":
            self.complaints.append(values["exceptionDetails"].get("exception", {}).get("description", str(values)))
        if method == "Runtime.consoleAPICalled" and values["type"] in ("error", "warning"):
            self.complaints.append(str(values["args"]))
        if method == "Log.entryAdded" and values["entry"]["level"] in ("error", "warning"):
            self.complaints.append(values["entry"]["text"])
        if method == "Network.requestWillBeSent":
            self.requests.append(values["request"]["url"])
        self.events.append(method)

    def ask(self, method, **values):
        self.number += 1
        call = {"id": self.number, "method": method, "params": values}
        if self.session:
            call["sessionId"] = self.session
        os.write(self.out, json.dumps(call).encode() + b"\0")
        until = time.monotonic() + PATIENCE
        while True:
            message = self.receive(until)
            if message.get("id") == self.number:
                if "error" in message:
                    raise RuntimeError(f"{method}: {message['error']}")
                return message["result"]
            self.note(message)

    def open(self, address):
        self.events.clear()
        self.ask("Page.navigate", url=address)
        if "#" not in address or "Page.loadEventFired" not in self.events:
            until = time.monotonic() + PATIENCE
            while not {"Page.loadEventFired", "Page.navigatedWithinDocument"} & set(self.events):
                self.note(self.receive(until))

    def get(self, expression):
        """The value of an expression of the page."""
        answer = self.ask("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(answer["exceptionDetails"].get("exception", {}).get("description", expression))
        return answer["result"].get("value")

    def wait(self, expression, what):
        until = time.monotonic() + 10
        while time.monotonic() < until:
            if self.get(expression):
                return
            time.sleep(0.05)
        raise AssertionError(f"{what}: {expression} does not come true")

    def rest_a_moment(self, seconds=0.3):
        time.sleep(seconds)
        self.get("0")

    def middle(self, selector):
        return self.get(f"(e=>{{e.scrollIntoView({{block:'nearest'}});const b=e.getBoundingClientRect();"
                        f"return [b.x+b.width/2,b.y+b.height/2]}})(document.querySelector({json.dumps(selector)}))")

    def move(self, x, y):
        self.ask("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)

    def click(self, selector):
        x, y = self.middle(selector)
        self.move(x, y)
        for kind in ("mousePressed", "mouseReleased"):
            self.ask("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def press(self, key, code=0, text=""):
        more = {"text": text} if text else {}
        self.ask("Input.dispatchKeyEvent", type="keyDown", key=key, code=key, windowsVirtualKeyCode=code, **more)
        self.ask("Input.dispatchKeyEvent", type="keyUp", key=key, code=key, windowsVirtualKeyCode=code)

    def picture(self, file, whole=False):
        values = {"captureBeyondViewport": True} if whole else {}
        if whole:
            size = self.ask("Page.getLayoutMetrics")["cssContentSize"]
            values["clip"] = {"x": 0, "y": 0, "width": size["width"], "height": min(size["height"], 8000), "scale": 1}
        with open(file, "wb") as out:
            out.write(base64.b64decode(self.ask("Page.captureScreenshot", **values)["data"]))
