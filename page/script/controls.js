// SPDX-License-Identifier: GPL-3.0-or-later
// The controls: each is a slider with the number beside it, or a choice. They only change the state and say that it changed.
"use strict";

const FACTOR_STEPS = [0.25, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.1, 1.25, 1.5, 1.75, 2, 2.5, 3, 4, 6, 8];
const MAIN_FACTORS = ["gpu", "efficiency", "memory", "memory-rate", "network-bandwidth", "node-bandwidth", "price"];

function doubling(from, to, ...more) {
  const steps = new Set(more.filter((step) => step > 0 && step <= to));
  for (let step = from; step <= to; step *= 2)
    steps.add(step);
  return [...steps, to].filter((step, i, all) => all.indexOf(step) === i).sort((a, b) => a - b);
}

const nearest = (steps, value) => steps.reduce((best, step, i) =>
  Math.abs(Math.log(step / value)) < Math.abs(Math.log(steps[best] / value)) ? i : best, 0);

// A slider over steps with a field for any number between. get() is the number, set(null) means as at the start.
function stepControl({ id, label, unit, steps, least, most, get, set, initial, note, digits }) {
  const value = get() ?? initial, clean = (number) => Math.min(Math.max(digits ? number : Math.round(number), least), most);
  const spoken = (number) => digits ? `times ${number}` : `${number.toLocaleString("en")} ${unit}`;
  const range = element("input", { type: "range", id, min: 0, max: steps.length - 1, step: 1, value: nearest(steps, value),
    "aria-valuetext": spoken(value), "aria-describedby": `${id}-note` });
  const field = element("input", { type: "number", id: `${id}-number`, min: least, max: most, step: digits ? "any" : 1, value,
    "aria-label": `${label}, ${digits ? "as a factor" : `in ${unit}`}`, inputmode: digits ? "decimal" : "numeric" });
  const noteNode = element("small", { id: `${id}-note` });
  const control = element("div", { class: "control" },
    element("label", { for: id }, label), element("span", { class: "entry" }, digits ? "×\u00a0" : "", field,
      digits ? "" : ` ${unit}`), range, noteNode);
  const write = (number) => {
    range.setAttribute("aria-valuetext", spoken(number));
    noteNode.textContent = note ? note(number) : "";
    control.classList.toggle("changed", number !== initial);
    set(number === initial ? null : number);
  };
  range.addEventListener("input", () => {
    field.value = steps[range.value];
    write(steps[range.value]);
  });
  field.addEventListener("input", () => {
    const number = Number(field.value);
    if (!(number > 0) || clean(number) !== number)
      return field.setAttribute("aria-invalid", "true");
    field.removeAttribute("aria-invalid");
    range.value = nearest(steps, number);
    write(number);
  });
  // Shows another number without setting it: what is not set follows the answer.
  control.follow = (number) => {
    initial = number;
    field.value = number;
    range.value = nearest(steps, number);
    range.setAttribute("aria-valuetext", spoken(number));
    noteNode.textContent = note ? note(number) : "";
  };
  noteNode.textContent = note ? note(value) : "";
  control.classList.toggle("changed", get() !== null && get() !== undefined && value !== initial);
  return control;
}

// What a key of --set leads to in a file: [[path, value]].
function valuesAt(root, key) {
  let found = [[[], root]];
  for (const step of key.split("."))
    found = found.flatMap(([path, node]) => typeof node !== "object" || node === null ? []
      : (step === "*" ? Object.keys(node) : step in node ? [step] : []).map((name) => [[...path, name], node[name]]));
  return found.filter(([, value]) => typeof value === "number" || typeof value === "string")
    .map(([path, value]) => [path.join("."), value]);
}

// "12.5 GB/s" and 2 are "25 GB/s".
function scaled(value, times) {
  const [, number, unit] = /^([\d.eE+-]+)(.*)$/.exec(String(value)) || [];
  return number === undefined ? String(value) : `${Number((Number(number) * times).toPrecision(4))}${unit}`;
}

// What a factor makes of the numbers of the files, in their own units.
function factorNote(sources, factor) {
  const currency = sources.hw?.price?.currency, unit = factor.name === "price" && typeof currency === "string" ? ` ${currency}` : "";
  return (times) => {
    const values = factor.keys.flatMap((key) => {
      const [scope, ...rest] = key.split(".");
      return sources[scope] ? valuesAt(sources[scope], rest.join(".")) : [];
    });
    const texts = [...new Set(values.map(([path, value]) => {
      const named = typeof value === "number" || (values.length > 1 && factor.keys[0].includes("*"));
      const name = named ? `${path.split(".").slice(factor.keys.length > 1 ? -3 : -1).join(" ").replaceAll("_", " ")} ` : "";
      return times === 1 ? `${name}${value}${unit}` : `${name}${value} → ${scaled(value, times)}${unit}`;
    }))];
    return texts.slice(0, 3).join(", ") + (texts.length > 3 ? ", …" : "");
  };
}

function factorControl(page, factor) {
  const { state } = page, of = () => (state.factors[state.hw] ??= {});
  const steps = FACTOR_STEPS.filter((step) => step <= (factor.most || 8));
  return stepControl({ id: `factor-${factor.name}`, label: factor.text, unit: "times", digits: true, steps, least: 0.01,
    most: factor.most || 100, initial: 1, get: () => of()[factor.name], note: factorNote(page.sources(state.hw), factor),
    set: (times) => {
      if (times === null)
        delete of()[factor.name];
      else
        of()[factor.name] = times;
      page.changed();
    } });
}

function choiceControl({ id, label, options, value, set }) {
  const select = element("select", { id, onchange: () => set(select.value) },
    ...options.map(([key, text]) => element("option", { value: key, selected: key === value }, text)));
  return element("div", { class: "control choice" }, element("label", { for: id }, label), select);
}

function machineControl(page) {
  return element("fieldset", {}, element("legend", {}, "Machine"), ...page.data.machines.map((hw, i) =>
    element("label", { class: "radio" }, element("input", { type: "radio", name: "hw", id: `hw-${i}`, value: hw,
      checked: hw === page.state.hw, onchange: () => page.choose(hw) }), ` ${page.names[hw] || hw}`)));
}

// A slider over whole numbers of an option.
function numberControl(page, key, label, unit, { initial, steps, note }) {
  const { state } = page;
  return stepControl({ id: key, label, unit, steps, least: 1, most: 1e9, initial, get: () => state[key], note,
    set: (value) => page.put(key, value) });
}

// How many come at a time, and how long they are: of training samples, of serving requests.
function sizeControls(page, view) {
  const base = page.data.questions[0].question, { serving } = view, seq = page.sources(page.state.hw).model?.dims?.seq;
  const batch = Number(base.batch) || view.batch || base.gpus, controls = {};
  if (serving && base.rate)
    controls.rate = numberControl(page, "rate", "Requests at random", "requests/s",
      { initial: Math.max(1, Math.round(serving.requests_per_s)), steps: doubling(1, 4096) });
  else
    controls.batch = numberControl(page, "batch", serving ? "Requests under way" : "Global batch", serving ? "requests" : "samples",
      { initial: batch, steps: doubling(1, Math.max(65536, batch * 8), batch),
        note: () => page.state.batch !== null ? "" : serving ? "as the question says" : "as the model says, for each GPU" });
  if (serving)
    for (const [key, label, tokens] of [["input-tokens", "Prompt", serving.input_tokens], ["output-tokens", "Answer", serving.output_tokens]])
      controls[key] = numberControl(page, key, label, "tokens", { initial: tokens, steps: doubling(16, Math.max(32768, tokens * 4), tokens) });
  else if (seq > 0 && !base.inference)
    controls.seq = numberControl(page, "seq", "Sequence", "tokens",
      { initial: Number(base.seq) || seq, steps: doubling(128, seq * 16, seq) });
  page.followBatch = (number) => page.state.batch === null && controls.batch?.follow(number);
  return Object.values(controls);
}

// What serving is to keep: plans that do not are left out.
function promiseControls(page) {
  const none = ["", "no promise"], at = (times) => times.map((time) => [time, `at most ${time}`]);
  const kinds = [["ttft", "First token", ["50 ms", "100 ms", "200 ms", "500 ms", "1 s", "2 s", "5 s", "10 s"]],
    ["tpot", "Each token", ["5 ms", "10 ms", "20 ms", "30 ms", "50 ms", "100 ms", "200 ms"]],
    ["latency", "Whole answer", ["500 ms", "1 s", "2 s", "5 s", "10 s", "20 s", "60 s"]]];
  const controls = kinds.map(([key, label, times]) => choiceControl({ id: key, label, value: page.state[key] || "",
    options: [none, ...at(page.state[key] && !times.includes(page.state[key]) ? [page.state[key], ...times] : times)],
    set: (time) => page.put(key, time || null) }));
  const words = { mean: "the mean request", p50: "50 of 100 requests", p90: "90 of 100 requests", p99: "99 of 100 requests" };
  return [...controls, choiceControl({ id: "percentile", label: "Promised to", value: page.state.percentile || "mean",
    options: PERCENTILES.map((name) => [name, words[name]]), set: (name) => page.put("percentile", name === "mean" ? null : name) })];
}

// All controls for the machine that is chosen; view: the answer that they start from.
function buildControls(page, view) {
  const { state, data } = page, base = data.questions[0].question, startGpus = base.gpus, most = page.most[state.hw];
  const main = [stepControl({ id: "gpus", label: "GPUs", unit: "GPUs", steps: doubling(1, most, startGpus, state.gpus),
    least: 1, most, initial: startGpus, get: () => state.gpus, set: (value) => page.put("gpus", value ?? startGpus) }),
  ...sizeControls(page, view), ...view.serving ? promiseControls(page) : []];
  main.push(choiceControl({ id: "precision", label: "Precision", value: state.precision || base.precision || "",
    options: [["", "the model's"], ...data.precisions.map((name) => [name, name])],
    set: (name) => page.put("precision", name === (base.precision || "") ? null : name || null) }));
  const factors = page.factors[state.hw] || [], isMain = (factor) => MAIN_FACTORS.includes(factor.name);
  const rank = (factor) => MAIN_FACTORS.indexOf(factor.name);
  const others = factors.filter((factor) => !isMain(factor));
  return [data.machines.length > 1 ? machineControl(page) : null, ...main,
    ...factors.filter(isMain).sort((a, b) => rank(a) - rank(b)).map((factor) => factorControl(page, factor)),
    others.length > 0 ? element("details", { open: others.some((one) => one.name in (state.factors[state.hw] || {})) },
      element("summary", {}, "More of the machine"), ...others.map((factor) => factorControl(page, factor))) : null,
    element("button", { type: "button", id: "reset", onclick: () => page.reset() }, "Back to the start")].filter(Boolean);
}
