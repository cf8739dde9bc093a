// SPDX-License-Identifier: GPL-3.0-or-later
// Elements and drawings. Whatever a file says becomes the text of a node, never markup.
"use strict";

const SVG = "http://www.w3.org/2000/svg";

function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes))
    if (name.startsWith("on"))
      node.addEventListener(name.slice(2), value);
    else if (value !== null && value !== undefined && value !== false)
      node.setAttribute(name, value === true ? "" : value);
  node.append(...children.flat().filter((child) => child !== null && child !== ""));
  return node;
}

const element = (name, attributes = {}, ...children) => fill(document.createElement(name), attributes, children);
const drawing = (name, attributes = {}, ...children) => fill(document.createElementNS(SVG, name), attributes, children);

// A plan may break after a comma, or before a long word.
const planText = (plan) => element("code", {}, ...plan.split(/(?<=,|=(?=[a-z]{5}))/).flatMap((part) => [part, element("wbr")]));

// Parts of a whole side by side: [{label, share, colour, text}]; `full` is how much of the width the whole takes.
function barOf(parts, full, what) {
  const svg = drawing("svg", { class: "bar", viewBox: "0 0 100 10", preserveAspectRatio: "none", role: "img",
    "aria-label": `${what}: ${parts.map((part) => `${part.label} ${part.text}`).join(", ")}` });
  let left = 0;
  for (const part of parts) {
    const width = part.share * full * 100;
    svg.append(drawing("rect", { x: left, y: 0, width, height: 10, fill: part.colour },
      drawing("title", {}, `${part.label}: ${part.text}`)));
    left += width;
  }
  return svg;
}

function keyOf(looks) {
  return element("ul", { class: "key", "aria-label": "colours" }, ...looks.map((look) => {
    const item = element("li", {}, element("i", { "aria-hidden": "true" }), look.label);
    item.firstChild.style.background = look.colour;
    return item;
  }));
}

// A range with its value, on an axis from 0 to `most`.
function rangeOf(range, most, what) {
  const at = (value) => 100 * Math.min(value / most, 1);
  return drawing("svg", { class: "range", viewBox: "0 0 100 10", preserveAspectRatio: "none", role: "img",
    "aria-label": `${what}: ${range.text}, ${range.lowText} to ${range.highText}` },
  drawing("rect", { class: "axis", x: 0, y: 4.7, width: 100, height: 0.6 }),
  drawing("rect", { class: "span", x: at(range.low), y: 2.5, width: Math.max(at(range.high) - at(range.low), 0.4), height: 5 }),
  drawing("rect", { class: "mark", x: at(range.value) - 0.4, y: 0.5, width: 0.8, height: 9 }));
}

// 1, 2, 5, 10, ... or fewer, between two numbers.
function ticksOf(low, high, most) {
  for (const steps of [[1, 2, 5], [1], null]) {
    const ticks = [];
    for (let power = Math.floor(Math.log10(low)); power <= Math.ceil(Math.log10(high)); power++)
      for (const step of steps || (power % 2 === 0 ? [1] : []))
        if (step * 10 ** power >= low * 0.999 && step * 10 ** power <= high * 1.001)
          ticks.push(step * 10 ** power);
    if (ticks.length <= most)
      return ticks;
  }
  return [];
}

const short = (value) => value < 1 ? String(Number(value.toPrecision(3)))
  : Intl.NumberFormat("en", { notation: "compact", maximumSignificantDigits: 3 }).format(value);

// How far it goes: work done against GPUs, both in steps that multiply; what GPUs alone would bring is dashed.
function scalingOf(points, now, width) {
  const runs = points.filter((point) => point.speed > 0);
  if (runs.length < 2)
    return null;
  const height = Math.max(200, Math.min(320, width * 0.5)), left = 58, right = 22, top = 12, bottom = 40;
  const first = runs[0], last = runs.at(-1), ideal = (gpus) => first.speed / first.gpus * gpus;
  const low = Math.min(...runs.map((point) => point.speed)), high = Math.max(...runs.map((p) => p.speed), ideal(last.gpus));
  const scale = (value, from, to, begin, end) =>
    begin + (end - begin) * Math.log(value / from) / Math.log(to / from || 2);
  const x = (gpus) => scale(gpus, first.gpus, last.gpus, left, width - right);
  const y = (speed) => scale(speed, low, high, height - bottom, top);
  const line = (list, value) => list.map((point, i) => `${i ? "L" : "M"}${x(point.gpus)} ${y(value(point))}`).join("");
  const svg = drawing("svg", { class: "chart", viewBox: `0 0 ${width} ${height}`, width, height, role: "img",
    "aria-label": `${first.unit} from ${first.rate} on ${first.text} GPUs to ${last.rate} on ${last.text}` });
  for (const tick of ticksOf(low, high, 6))
    svg.append(drawing("path", { class: "grid", d: `M${left} ${y(tick)}H${width - right}` }),
      drawing("text", { x: left - 6, y: y(tick) + 4, "text-anchor": "end" }, short(tick)));
  let free = -Infinity;
  for (const point of runs)
    if (x(point.gpus) - free > 44) {
      svg.append(drawing("text", { x: x(point.gpus), y: height - bottom + 18, "text-anchor": "middle" }, point.text));
      free = x(point.gpus);
    }
  svg.append(drawing("path", { class: "ideal", d: line(runs, (point) => ideal(point.gpus)) }),
    drawing("path", { class: "line", d: line(runs, (point) => point.speed) }),
    drawing("text", { x: width - right, y: height - 4, "text-anchor": "end" }, "GPUs"),
    drawing("text", { x: left + 6, y: top + 8 }, first.unit));
  for (const point of runs)
    svg.append(drawing("circle", { class: point.gpus === now ? "point now" : "point", cx: x(point.gpus), cy: y(point.speed),
      r: point.gpus === now ? 6 : 4 }, drawing("title", {}, `${point.text} GPUs: ${point.rate} ${point.unit}, ${point.plan}`)));
  return svg;
}
