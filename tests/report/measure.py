# SPDX-License-Identifier: GPL-3.0-or-later
"""Text of pictures is whole, inside the canvas and on no other text, with the longest shipped names: measure.py PARADL ROOT

Widths are those of DejaVu Sans, the widest of the fonts that viewers commonly have for sans-serif, and as much wider as in a PNG."""
import os
import re
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as tree

# Advances of the characters from ' ' to '~', in 1/2048 of the size, and of others that pictures have.
ADVANCES = [
    651, 821, 942, 1716, 1303, 1946, 1597, 563, 799, 799, 1024, 1716, 651, 739, 651, 690, 1303, 1303, 1303, 1303, 1303, 1303, 1303, 1303,
    1303, 1303, 690, 690, 1716, 1716, 1716, 1087, 2048, 1401, 1405, 1430, 1577, 1294, 1178, 1587, 1540, 604, 604, 1343, 1141, 1767, 1532, 1612,
    1235, 1612, 1423, 1300, 1251, 1499, 1401, 2025, 1403, 1251, 1403, 799, 690, 799, 1716, 1024, 1024, 1255, 1300, 1126, 1300, 1260, 721, 1300,
    1298, 569, 569, 1186, 569, 1995, 1298, 1253, 1300, 1300, 842, 1067, 803, 1298, 1212, 1675, 1212, 1212, 1075, 1303, 690, 1303, 1716]
OTHERS = {"×": 1716, "±": 1716, "·": 651, "−": 1716, "…": 2048, "µ": 1303, "»": 1253, "▒": 1575, "≤": 1716, "≥": 1716, "—": 2048, "°": 1024}
BOLD = 1.13  # of bold text, at most
IN_PNG = 1.2  # gnuplot draws text of as many points that much wider there
SVG = "{http://www.w3.org/2000/svg}"
SLACK = 1  # pixels of rounding

PICTURES = {
    "ranking": ["advise", "MODEL", "--hw", "HW", "--gpus", "64"],
    "memory": ["advise", "MODEL", "--hw", "HW", "--gpus", "64", "--picture", "memory"],
    "scaling": ["advise", "MODEL", "--hw", "HW", "--gpus", "4..64"],
    "machines": ["compare", "MODEL", "--hw", "HW", "--hw", "dgx-h100-superpod", "--hw", "gb200-nvl72", "--hw", "tsubame3-simulated", "--gpus", "16"],
    "tornado": ["whatif", "MODEL", "--hw", "HW", "-s", "data=8"],
    "timeline": ["estimate", "MODEL", "--hw", "HW", "-s", "data=2,pipeline=4", "--timeline"],
    "pareto": ["search", "MODEL", "--hw", "HW", "--gpus", "8", "--pareto", "time,memory"],
    "collective": ["collective", "allreduce", "--hw", "HW", "--gpus", "64", "--all"],
}


def longest(paradl, kind):
    """The names of files whose own names are longest, and of those that are long themselves."""
    names = subprocess.run([paradl, "list", kind, "--names"], capture_output=True, text=True, check=True).stdout.split()
    return sorted(names, key=len)[-1]


def width_of(text, size):
    return sum(ADVANCES[ord(c) - 32] if " " <= c <= "~" else OTHERS.get(c, 1716) for c in text) * size / 2048


def texts_of(path):
    """(text, left, top, right, bottom) of each text, and the canvas."""
    root = tree.parse(path).getroot()
    found = []
    for group in root.iter(SVG + "g"):
        shift = re.match(r"translate\(([-\d.]+),([-\d.]+)\)", group.get("transform", ""))
        for node in group.findall(SVG + "text") if shift else []:
            text = "".join(node.itertext())
            if not text.strip():
                continue
            spans = [span for span in node.iter() if span.get("font-size")]
            size = float(spans[0].get("font-size")) if spans else float(group.get("font-size"))
            bold = "old" in group.get("font-family", "") or any(span.get("font-weight") == "bold" for span in node.iter())
            width = width_of(text, size) * IN_PNG * (BOLD if bold else 1)
            x, y = float(shift[1]), float(shift[2])
            left = x - {"start": 0, "middle": width / 2, "end": width}[group.get("text-anchor", "start")]
            found.append((text, left, y - 0.75 * size, left + width, y + 0.2 * size))
    return found, float(root.get("width")), float(root.get("height"))


def faults_of(path, shortens):
    texts, width, height = texts_of(path)
    assert texts, path
    if not shortens and any("…" in text[0] for text in texts):
        return [f"shortened: {text[0]!r}" for text in texts if "…" in text[0]]
    faults = [f"cut: {text!r} from {left:.0f} to {right:.0f} of {width:.0f}" for text, left, top, right, bottom in texts
              if left < -SLACK or right > width + SLACK or top < -SLACK or bottom > height + SLACK]
    for i, (text, left, top, right, bottom) in enumerate(texts):
        faults += [f"{text!r} is on {other[0]!r}" for other in texts[:i]
                   if min(right, other[3]) - max(left, other[1]) > SLACK and min(bottom, other[4]) - max(top, other[2]) > SLACK]
    return faults


def main():
    paradl, root = map(os.path.abspath, sys.argv[1:3])
    os.environ["PARADL_PATH"] = root
    if not shutil.which("gnuplot"):
        print("no gnuplot")
        return 77
    questions = [("se-resnext101-32x4d", "cloud-object"), ("llama3-70b", longest(paradl, "hw")), ("qwen3-30b-a3b", "dgx-a100-superpod")]
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        for model, hw in questions:
            for name, words in PICTURES.items():
                path = os.path.join(folder, f"{model}-{hw}-{name}.svg")
                words = [{"MODEL": model, "HW": hw}.get(word, word) for word in words]
                run = subprocess.run([paradl, *words, "-q", "-o", path], capture_output=True, text=True, check=False)
                if not os.path.exists(path):
                    assert run.returncode in (1, 2), (words, run.stderr)
                    continue
                for fault in faults_of(path, name == "pareto"):
                    wrong += 1
                    print(f"{name} of {model} on {hw}: {fault}")
    print(f"{wrong} texts cut or on others")
    return wrong > 0


if __name__ == "__main__":
    sys.exit(main())
