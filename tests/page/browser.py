# SPDX-License-Identifier: GPL-3.0-or-later
"""The page with controls in a browser: browser.py PARADL FOLDER [--pictures FOLDER] [--times]

FOLDER has page/interactive.html. Controls move, numbers are the command's, nothing is asked for from elsewhere, the console is
silent, hostile names stay text. --times measures how long a ranking takes from a moved slider to its redrawn rows."""
import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import urllib.parse

import devtools

parser = argparse.ArgumentParser()
parser.add_argument("paradl")
parser.add_argument("folder")
parser.add_argument("--pictures")
parser.add_argument("--times", action="store_true")
options = parser.parse_args()
options.paradl, options.folder = map(os.path.abspath, (options.paradl, options.folder))
root = pathlib.Path(__file__).resolve().parents[2]
environment = {**os.environ, "PARADL_PATH": options.folder + ":" + str(root), "LC_ALL": "C.UTF-8", "COLUMNS": "100"}
DONE = "document.getElementById('answer')?.getAttribute('aria-busy') === 'false'"
FILE_LIMIT = 4 << 20


def run(*words, **more):
    return subprocess.run(words, capture_output=True, text=True, env=environment, check=False, cwd=root, **more)


def make(path, *words):
    made = run(options.paradl, "report", *words, "--interactive", "-o", path)
    assert made.returncode == 0, made.stderr
    assert os.path.getsize(path) <= FILE_LIMIT, os.path.getsize(path)
    return pathlib.Path(path).as_uri()


def text(browser, name):
    return browser.run(f"document.getElementById({json.dumps(name)}).textContent")


def opened(browser, url):
    browser.open(url)
    browser.wait(DONE)


def move(browser, name, value):
    """Moves a slider as a hand does, and waits for the answer."""
    browser.run(f"""(() => {{ const slider = document.getElementById({json.dumps(name)}); slider.value = {json.dumps(value)};
        slider.dispatchEvent(new Event("input", {{ bubbles: true }})); }})()""")
    browser.wait(DONE)


def rows(browser, section):
    return browser.run(f"""[...document.querySelectorAll("#{section} tbody tr")].map((row) =>
        [...row.children].map((cell) => cell.textContent))""")


def check_ranking(browser, times=("epoch_s",)):
    """The rows on the page are those of the command that it shows, to the last digit."""
    command = text(browser, "command")
    assert command.startswith("paradl advise "), command
    printed = run("sh", "-c", command.replace("paradl", '"$0"', 1) + " --top 0 --columns " + ",".join(["rank", "strategy", *times, "ratio"]), options.paradl)
    assert printed.returncode == 0, printed.stderr
    said = "".join(printed.stdout.split())
    answer = json.loads(run("sh", "-c", command.replace("paradl", '"$0"', 1) + " --json", options.paradl).stdout)
    shown = [row for row in rows(browser, "ranking") + rows(browser, "more") if row[0].isdigit()]
    assert len(shown) == len(answer["results"]), (len(shown), len(answer["results"]))
    for row, result in zip(shown, answer["results"]):
        assert row[0] == str(result["rank"]) and row[1] == result["strategy"], (row, result["strategy"])
    short = run("sh", "-c", command.replace("paradl", '"$0"', 1), options.paradl).stdout
    for row in shown[:3]:
        assert row[2] in short and row[2 + len(times)] in short, (row, short)
    for row in shown:
        assert all("".join(cell.split()) in said for cell in row[2:3 + len(times)]), (row, printed.stdout)
    return answer


def check_figures(browser, answer):
    """The cards say what the command says of the best plan."""
    best, command = answer["results"][0], text(browser, "command").split()
    cards = browser.run("[...document.querySelectorAll('.cards b')].map((card) => card.textContent)")
    words = [word.replace("'", "") for word in command[2:]]
    told = run(options.paradl, "estimate", *without(words, "--gpus"), "-s", best["strategy"],
               *([] if "--batch" in words else ["--batch", str(best["batch"])])).stdout
    for card in cards:
        assert card in told or card.replace(" ", "") in told.replace(" ", ""), (card, told)


def without(words, option):
    at = words.index(option)
    return words[:at] + words[at + 2:]


def check_machines(browser, words, count):
    """Ranges and ranks of machines are those of `compare`, where nothing is changed."""
    printed = json.loads(run(options.paradl, "compare", *words, "--json").stdout)
    shown = rows(browser, "machines")
    assert len(shown) == count == len(printed["results"]), shown
    for result in printed["results"]:
        row = next(row for row in shown if row[1].startswith(result["hw"]))
        assert row[0].startswith(str(result["time_rank"])), (row, result["time_rank"])
        same = sum(other["time_rank"] == result["time_rank"] for other in printed["results"]) > 1
        assert row[0].endswith("equal") == same, row


def check_console(browser):
    assert not browser.console, browser.console
    urls = [url for url in browser.requests if not url.startswith(("file:", "blob:", "data:"))]
    assert not urls, urls


def check_keys(browser):
    """Everything is reached by keys and named; an arrow moves a slider."""
    names = browser.run("""[...document.querySelectorAll("input, select, button, summary")].map((node) =>
        node.labels?.[0]?.textContent || node.getAttribute("aria-label") || node.textContent)""")
    assert len(names) > 12 and all(names), names
    before = browser.run("document.getElementById('gpus-number').value")
    browser.run("document.getElementById('gpus').focus()")
    browser.key("ArrowRight", 39)
    browser.wait(DONE)
    after = browser.run("document.getElementById('gpus-number').value")
    assert int(after) == 2 * int(before), (before, after)
    spoken = browser.run("document.getElementById('gpus').getAttribute('aria-valuetext')")
    assert spoken == f"{int(after)} GPUs", spoken
    pictures = browser.run("[...document.querySelectorAll('#answer svg')].every((svg) => svg.getAttribute('aria-label'))")
    assert pictures
    browser.key("ArrowLeft", 37)
    browser.wait(DONE)


def check_link(browser):
    """The address keeps the state: another tab that opens it shows the same."""
    link, shown = browser.run("document.getElementById('link').value"), rows(browser, "ranking")
    command = text(browser, "command")
    assert "#" in link and urllib.parse.urlsplit(link).fragment, link
    opened(browser, link)
    assert text(browser, "command") == command and rows(browser, "ranking") == shown, link


def check_widths(browser):
    """Nothing is wider than the page, from 420 points up; on paper the controls are away."""
    for width in (420, 800, 1280):
        browser.resize(width, 900)
        browser.wait("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))")
        wide = browser.run("document.documentElement.scrollWidth")
        assert wide <= width, (width, wide)
    browser.resize(800, 900, media="print")
    assert browser.run("getComputedStyle(document.getElementById('controls')).display") == "none"
    browser.resize(1280, 900)


def check_contrast(browser):
    """Text is told from its ground, light and dark: 4.5 times as bright (WCAG 2)."""
    for dark in (False, True):
        browser.resize(1280, 900, dark)
        worst = browser.run("""(() => {
          const light = (colour) => colour.match(/[\\d.]+/g).slice(0, 3).map((part) => part / 255)
            .map((part) => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)
            .reduce((sum, part, i) => sum + part * [0.2126, 0.7152, 0.0722][i], 0);
          const ground = (node) => { for (; node; node = node.parentElement) { const colour = getComputedStyle(node).backgroundColor;
            if (!/, 0\\)$/.test(colour) && colour !== "transparent") return colour; } return "rgb(255, 255, 255)"; };
          let least = [99, ""];
          for (const node of document.querySelectorAll("h1, h2, p, li, dd, dt, td, th, caption, label, small, code, summary, button")) {
            if (!node.textContent.trim() || node.closest("[hidden]")) continue;
            const [a, b] = [light(getComputedStyle(node).color), light(ground(node))].sort((x, y) => y - x);
            if ((a + 0.05) / (b + 0.05) < least[0]) least = [(a + 0.05) / (b + 0.05), node.outerHTML.slice(0, 80)];
          }
          return least; })()""")
        assert worst[0] >= 4.5, (dark, worst)
    browser.resize(1280, 900)


def check_hostile(browser, folder):
    """Names are text, whatever is in them."""
    hostile = "</script><script>document.title='pwned'</script><img src=x onerror=\"document.title='pwned'\">&amp;'`"
    path = {}
    for kind, file in (("model", "models/tiny-cnn.json"), ("hw", "hw-profiles/laptop.json")):
        content = json.loads((root / file).read_text())
        content["name"] = hostile + kind
        path[kind] = os.path.join(folder, f"{kind} <b>'.json")
        pathlib.Path(path[kind]).write_text(json.dumps(content))
    url = make(os.path.join(folder, "hostile.html"), path["model"], "--hw", path["hw"], "--gpus", "1")
    opened(browser, url)
    assert hostile + "model" in text(browser, "title") and hostile + "hw" in text(browser, "title"), text(browser, "title")
    assert "pwned" != browser.run("document.title") and not browser.run("document.images.length")
    assert browser.run("document.querySelectorAll('script').length") == 4
    opened(browser, url + "#hw=%3Cimg%20src=x%3E&gpus=1e99&batch=-3&precision=%3Cb%3E&x=0.%3Cimg%3E=2&x=9.gpu=2&x=0.gpu=2")
    assert "device.peak.*=x2" in text(browser, "command"), text(browser, "command")
    check_ranking(browser)
    check_console(browser)


def choose(browser, name, value):
    browser.run(f"""(() => {{ const select = document.getElementById({json.dumps(name)}); select.value = {json.dumps(value)};
        select.dispatchEvent(new Event("change")); }})()""")
    browser.wait(DONE)


def check_serving(browser, folder):
    """Serving: lengths, requests under way and promises are controls; plans that do not keep a promise are not there."""
    times = ("prompts_s", "token_s", "tokens_per_s_per_gpu")
    opened(browser, make(os.path.join(folder, "serving.html"), "llama3-8b", "--hw", "dgx-h100-superpod", "--gpus", "8", "--inference"))
    check_ranking(browser, times)
    before = len(rows(browser, "ranking"))
    for name, value in (("output-tokens", 4), ("batch", 5), ("factor-memory-rate", 12)):
        move(browser, name, value)
    choose(browser, "tpot", "5 ms")
    answer = check_ranking(browser, times)
    assert 0 < len(answer["results"]) < before and all(one["inference"]["token_s"] <= 5e-3 for one in answer["results"]), answer["results"]
    for part in ("--inference", "--batch 32", "--output-tokens 256", "--tpot '5 ms'"):
        assert part in text(browser, "command"), (part, text(browser, "command"))
    check_link(browser)
    check_console(browser)


def check_refusal(browser, url):
    """What cannot be answered says why, and the next answer takes that away."""
    opened(browser, url)
    choose(browser, "precision", "fp4-mixed")
    browser.wait(DONE)
    assert text(browser, "failure"), "no reason"
    browser.run("document.getElementById('reset').click()")
    browser.wait("document.getElementById('failure').textContent === ''")
    browser.wait(DONE)


def check_everything(browser, folder):
    words = ["resnet50", "--hw", "abci", "--hw", "alps", "--gpus", "64"]
    url = make(os.path.join(folder, "page.html"), *words)
    opened(browser, url)
    check_figures(browser, check_ranking(browser))
    check_machines(browser, words, 2)
    check_console(browser)
    check_keys(browser)
    for name, value in (("gpus", 4), ("batch", 9), ("factor-network-bandwidth", 5), ("factor-price", 6), ("factor-gpu", 12)):
        move(browser, name, value)
    answer = check_ranking(browser)
    check_figures(browser, answer)
    for part in ("--gpus 16", "--batch ", "hw.levels.1.bandwidth=x0.7", "hw.price.per_node_hour=x0.8", "'device.peak.*=x1.75'"):
        assert part in text(browser, "command"), (part, text(browser, "command"))
    assert len(rows(browser, "changes")) >= 4, rows(browser, "changes")
    check_link(browser)
    check_widths(browser)
    check_contrast(browser)
    check_console(browser)
    browser.run("document.getElementById('hw-1').click()")
    browser.wait("document.getElementById('title').textContent.includes('Alps')")
    browser.wait(DONE)
    check_ranking(browser)
    check_refusal(browser, url)
    check_console(browser)
    check_hostile(browser, folder)
    check_serving(browser, folder)


def measure(browser, folder):
    """Prints how long it takes from a moved slider to the redrawn ranking; every other time what follows a ranking is being computed."""
    for words in (["resnet50", "--hw", "abci", "--gpus", "64"], ["llama3-70b", "--hw", "dgx-h100-superpod", "--gpus", "512"]):
        opened(browser, make(os.path.join(folder, "times.html"), *words))
        times = browser.run("""(async () => {
          const slider = document.getElementById("factor-network-bandwidth"), times = [], answer = document.getElementById("answer");
          for (let i = 0; i < 44; i++) {
            await new Promise((done) => setTimeout(done, i % 2 ? 150 : 300));
            const shown = new Promise((done) => { const watcher = new MutationObserver(() => { watcher.disconnect(); done(); });
              watcher.observe(answer, { attributes: true, attributeFilter: ["data-ranked"] }); });
            slider.value = i % 2 ? 4 + i % 5 : 12 - i % 5;
            const begin = performance.now();
            slider.dispatchEvent(new Event("input"));
            await shown;
            await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
            times.push(performance.now() - begin);
          }
          return times.slice(14).sort((a, b) => a - b); })()""", 600)
        print(f"{words[0]} on {words[-1]} GPUs: median {times[len(times) // 2]:.0f} ms, least {times[0]:.0f} ms, most {times[-1]:.0f} ms")


def draw(browser, folder):
    for width in (420, 800, 1280):
        for dark in (False, True):
            browser.resize(width, 900, dark)
            browser.resize(width, browser.run("document.documentElement.scrollHeight"), dark)
            browser.picture(os.path.join(folder, f"page-{width}-{'dark' if dark else 'light'}.png"))


program = devtools.find_browser()
if not program:
    print("there is no chromium")
    sys.exit(77)
with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as place:
    tab = devtools.Browser(program, os.path.join(place, "browser"))
    try:
        tab.resize(1280, 900)
        if options.times:
            measure(tab, place)
        elif options.pictures:
            opened(tab, make(os.path.join(place, "page.html"), "resnet50", "--hw", "abci", "--hw", "alps", "--gpus", "64"))
            draw(tab, options.pictures)
        else:
            check_everything(tab, place)
            print("the page is right")
    finally:
        tab.close()
