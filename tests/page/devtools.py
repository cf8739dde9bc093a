# SPDX-License-Identifier: GPL-3.0-or-later
"""A browser without a window, spoken to over a pipe in the DevTools protocol."""
import base64
import json
import os
import select
import shutil
import subprocess
import time

NAMES = ("chromium", "chromium-browser", "google-chrome", "chromium-headless-shell")


def find_browser():
    return next(filter(None, map(shutil.which, NAMES)), None)


class Browser:
    """One tab; `console` and `requests` are what it has said and asked for since it was opened."""

    def __init__(self, program, folder):
        to_browser, self.sink = os.pipe()
        self.source, from_browser = os.pipe()
        # The protocol is on descriptors 3 and 4 of the browser.
        command = ["sh", "-c", f'exec 3<&{to_browser} 4>&{from_browser}; exec "$0" "$@"', program, "--headless",
                   "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--disable-dev-shm-usage", "--disable-extensions",
                   "--disable-background-networking", "--no-first-run", "--host-resolver-rules=MAP * ~NOTFOUND",
                   "--user-data-dir=" + folder, "--remote-debugging-pipe", "about:blank"]
        self.process = subprocess.Popen(command, pass_fds=(to_browser, from_browser), stdout=subprocess.DEVNULL,
                                        stderr=subprocess.DEVNULL)
        os.close(to_browser)
        os.close(from_browser)
        self.buffer, self.last, self.session = b"", 0, None
        self.console, self.requests = [], []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.call(domain + ".enable")

    def close(self):
        try:
            self.session = None
            self.call("Browser.close")
        except (EOFError, BrokenPipeError):
            pass
        self.process.wait(timeout=30)
        os.close(self.sink)
        os.close(self.source)

    def note(self, message):
        method, parameters = message.get("method"), message.get("params", {})
        if method == "Runtime.exceptionThrown":
            details = parameters["exceptionDetails"]
            self.console.append(details.get("exception", {}).get("description", details["text"]))
        elif method == "Runtime.consoleAPICalled":
            self.console.append(" ".join(str(one.get("value", one)) for one in parameters["args"]))
        elif method == "Log.entryAdded":
            self.console.append(parameters["entry"]["text"])
        elif method == "Network.requestWillBeSent":
            self.requests.append(parameters["request"]["url"])

    def read(self, until):
        while b"\0" not in self.buffer:
            if not select.select([self.source], [], [], max(0, until - time.monotonic()))[0]:
                raise TimeoutError("the browser says nothing")
            more = os.read(self.source, 1 << 20)
            if not more:
                raise EOFError("the browser is gone")
            self.buffer += more
        text, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(text)

    def call(self, method, limit=120, **parameters):
        self.last += 1
        message = {"id": self.last, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.sink, json.dumps(message).encode() + b"\0")
        until = time.monotonic() + limit
        while True:
            answer = self.read(until)
            if answer.get("id") == self.last:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']['message']}")
                return answer["result"]
            self.note(answer)

    def run(self, script, limit=120):
        """Returns what JavaScript comes to; promises are waited for."""
        result = self.call("Runtime.evaluate", limit, expression=script, awaitPromise=True, returnByValue=True, userGesture=True)
        if "exceptionDetails" in result:
            raise RuntimeError(result["exceptionDetails"].get("exception", {}).get("description", str(result)))
        return result["result"].get("value")

    def open(self, url):
        self.console.clear()
        self.requests.clear()
        self.call("Page.navigate", url="about:blank")
        self.call("Page.navigate", url=url)

    def wait(self, condition, limit=300):
        """Waits until JavaScript is true."""
        until = time.monotonic() + limit
        while not self.run(condition):
            if time.monotonic() > until:
                raise TimeoutError(f"{condition}; the console: {self.console}")
            time.sleep(0.05)

    def resize(self, width, height, dark=False, media=""):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        self.call("Emulation.setEmulatedMedia", media=media,
                  features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])

    def key(self, name, code):
        for kind in ("keyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=name, code=name, windowsVirtualKeyCode=code)

    def picture(self, path, whole=True):
        data = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=whole)["data"]
        with open(path, "wb") as file:
            file.write(base64.b64decode(data))
