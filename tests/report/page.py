# SPDX-License-Identifier: GPL-3.0-or-later
"""The page of `paradl report`: well formed, complete, nothing from elsewhere; and a browser shows it: page.py PARADL ROOT"""
import base64
import html.parser
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree
import zlib

paradl, root = map(os.path.abspath, sys.argv[1:3])
VOID = {"meta", "img", "br", "wbr"}
QUESTION = ["resnet50", "--hw", "abci", "--gpus", "64"]


class Page(html.parser.HTMLParser):
    """What is on a page; every tag is closed in order."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.open, self.images, self.words, self.tags = [], [], [], []
        self.feed(text)
        self.close()
        assert not self.open, self.open
        self.text = " ".join(" ".join(self.words).split())

    def handle_starttag(self, tag, attributes):
        self.tags.append(tag)
        for name, value in attributes:
            assert not name.startswith("on"), (tag, name)
            if name in ("src", "href"):
                assert value.startswith("data:image/svg+xml;base64,"), value[:60]
                self.images.append(base64.b64decode(value.split(",", 1)[1], validate=True))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag, tag

    def handle_data(self, data):
        if self.open and self.open[-1] != "style":
            self.words.append(data)


def run(arguments, **more):
    return subprocess.run([paradl, *arguments], capture_output=True, text=True, check=False, **more)


def check_numbers(page):
    """The page says what `advise` says."""
    answer = json.loads(run(["advise", *QUESTION, "--json"]).stdout)
    for result in answer["results"]:
        assert result["strategy"].replace(" ", "") in page.text.replace(" ", ""), result["strategy"]
    for row in answer["infeasible"]:
        assert row["reason"] in page.text, row["reason"]
    for entry in answer["inputs"]:
        assert entry["sha256"] in page.text
    for assumption in answer["assumptions"]:
        assert " ".join(assumption.split()) in page.text, assumption


def check_pictures(page, count):
    assert len(page.images) == count, len(page.images)
    for image in page.images:
        tree = xml.etree.ElementTree.fromstring(image)
        assert tree.tag == "{http://www.w3.org/2000/svg}svg"
        assert len(list(tree.iter("{http://www.w3.org/2000/svg}text"))) > 5


def check_expense(page):
    """What the best plan draws and costs is what `estimate` says of it."""
    best = json.loads(run(["advise", *QUESTION, "--json"]).stdout)["results"][0]["strategy"]
    said = " ".join(run(["estimate", "resnet50", "--hw", "abci", "-s", best]).stdout.split())
    start = page.text.index("power", page.text.index("What the best plan draws and costs"))
    text = page.text[start:page.text.index("How to start it")].strip()
    assert " energy " in text and " cost " in text and text in said, (text, said)


def seconds(text):
    """A time as people read it, "1.02 min" or "171 ms", in seconds."""
    number, unit = text.split()
    return float(number) * {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1, "min": 60, "h": 3600, "d": 86400}[unit]


def check_sum():
    """Phases, less what is hidden of them, are the iteration: where activations and gradients are hidden, too."""
    for plan in ("tensor", "data+tensor"):
        text = run(["report", "llama3-8b", "--hw", "dgx-h100-superpod", "--gpus", "16", "--framework", "nemo-2024",
                    "--strategies", plan, "--batch", "64"]).stdout
        table = text[text.index("Where the time of the best plan goes"):]
        table = table[:table.index("</table>")]
        rows = [re.findall(r"<td[^>]*>([^<]*)", row)[:2] for row in table.split("<tr>")[1:]]
        rows = [(row[0], seconds(row[1])) for row in rows if len(row) == 2]
        total = dict(rows)["total"]
        hidden = sum(time for name, time in rows if name == "of which hidden")
        waiting = sum(time for name, time in rows if name.endswith("waiting"))
        assert hidden > 0.01 * total, (plan, rows)
        assert abs(sum(time for _, time in rows) - total - waiting - 2 * hidden - total) < 0.005 * total, (plan, rows)


def check_job():
    """The page of a whole training has its time, cost and energy, as `advise` says them, and no others."""
    job = ["llama3-8b", "--hw", "dgx-h100-superpod", "--gpus", "64", "--tokens", "300B"]
    page = Page(run(["report", *job]).stdout)
    said = next(line for line in run(["advise", *job, "--top", "1"]).stdout.splitlines() if line.startswith(" run "))
    amount, rest = said.split(None, 1)[1].split(": ")
    time, energy, cost = rest.split(", ", 2)
    cost, basis = cost.split(" (")
    assert f"{time} for {amount}" in page.text and f"{cost} for it ({basis}" in page.text, page.text[:900]
    assert f"{energy} energy for it" in page.text and "epoch (" not in page.text.split("Plans by time")[0].split("nine of ten")[1]
    assert page.text.count(time) >= 4, page.text.count(time)  # sentence, card, ranking, numbers of GPUs


def check_pipeline():
    """A plan with a pipeline has a fifth picture, its timeline."""
    page = Page(run(["report", "gpt3-175b", "--hw", "dgx-h100-superpod", "--gpus", "1024"]).stdout)
    check_pictures(page, 5)
    assert any(b"stage 4" in image for image in page.images)


def check_hostile(folder):
    """Names are text, whatever is in them."""
    with open(os.path.join(root, "models", "tiny-cnn.json"), encoding="utf-8") as file:
        model = json.load(file)
    model["name"] = "<script>alert(1)</script> \"&' `touch pwned`"
    path = os.path.join(folder, "hostile.json")
    with open(path, "w", encoding="utf-8") as file:
        json.dump(model, file)
    answer = run(["report", path, "--hw", "laptop", "--gpus", "1"], cwd=folder)
    assert answer.returncode == 0, answer.stderr
    page = Page(answer.stdout)
    assert "script" not in page.tags and model["name"] in page.text, page.text[:200]
    check_pictures(page, 3)  # of one plan: nothing scales
    assert not os.path.exists(os.path.join(folder, "pwned"))


def png_colours(path):
    """Colours of a PNG of 8-bit RGB or RGBA, with how many pixels each has."""
    with open(path, "rb") as file:
        data = file.read()
    width, height, depth, kind = *(int.from_bytes(data[at:at + 4], "big") for at in (16, 20)), data[24], data[25]
    assert depth == 8 and kind in (2, 6)
    size, at, packed = {2: 3, 6: 4}[kind], 8, b""
    while at < len(data):
        length = int.from_bytes(data[at:at + 4], "big")
        if data[at + 4:at + 8] == b"IDAT":
            packed += data[at + 8:at + 8 + length]
        at += 12 + length
    raw, line, counts, before = zlib.decompress(packed), width * size, {}, bytearray(width * size)
    for row in range(height):
        start = row * (line + 1)
        method, now = raw[start], bytearray(raw[start + 1:start + 1 + line])
        for i in range(line):
            left, up, corner = (now[i - size] if i >= size else 0), before[i], (before[i - size] if i >= size else 0)
            guess = left + up - corner
            paeth = min((abs(guess - left), 0, left), (abs(guess - up), 1, up), (abs(guess - corner), 2, corner))[2]
            now[i] = (now[i] + (0, left, up, (left + up) // 2, paeth)[method]) & 255
        for i in range(0, line, size):
            colour = bytes(now[i:i + 3])
            counts[colour] = counts.get(colour, 0) + 1
        before = now
    return counts


def check_browser(browser, path, folder):
    """Only the drawings have large areas in the colours of phases above the first table."""
    picture = os.path.join(folder, "page.png")
    subprocess.run([browser, "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--window-size=600,600",
                    "--host-resolver-rules=MAP * ~NOTFOUND", "--user-data-dir=" + os.path.join(folder, "browser"),
                    "--screenshot=" + picture, "file://" + path], check=True, timeout=120,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    colours = png_colours(picture)
    for name, colour in (("forward", b"\x00\x72\xb2"), ("backward", b"\x56\xb4\xe9")):
        assert colours.get(colour, 0) > 200, name + " is not to be seen"


with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "report.html")
    made = run(["report", *QUESTION, "-o", path])
    assert made.returncode == 0, made.stderr
    assert os.listdir(folder) == ["report.html"], os.listdir(folder)
    with open(path, encoding="utf-8") as file:
        text = file.read()
    page = Page(text)
    check_numbers(page)
    check_pictures(page, 4)
    check_expense(page)
    check_sum()
    check_job()
    check_pipeline()
    check_hostile(folder)
    again = run(["report", *QUESTION])
    same = text.replace(path, "PATH").split("asked with:")[0]
    assert again.stdout.split("asked with:")[0] == same, "two runs differ"
    alone = run(["report", *QUESTION], env={**os.environ, "PATH": folder})
    assert alone.returncode == 0 and not Page(alone.stdout).images and "gnuplot" in alone.stderr, alone.stderr
    names = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
    browser = next(filter(None, map(shutil.which, names)), None)
    if browser:
        check_browser(browser, path, folder)
    print("ok" if browser else "ok, without a browser")
