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

// All controls for the machine that is chosen; view: the answer that they start from.
function buildControls(page, view) {
  const { state, data } = page, base = data.questions[0].question;
  const put = (key) => (value) => {
    state[key] = value;
    page.changed();
  };
  const startGpus = base.gpus, batch = Number(base.batch) || view.batch || startGpus;
  const seq = page.sources(state.hw).model?.dims?.seq;
  const main = [stepControl({ id: "gpus", label: "GPUs", unit: "GPUs", steps: doubling(1, view.most, startGpus, state.gpus),
    least: 1, most: view.most, initial: startGpus, get: () => state.gpus, set: (value) => put("gpus")(value ?? startGpus) }),
  stepControl({ id: "batch", label: "Global batch", unit: "samples", steps: doubling(1, Math.max(65536, batch * 8), batch),
    least: 1, most: 1e9, initial: batch, get: () => state.batch, set: put("batch"),
    note: () => state.batch === null ? "as the model says, for each GPU" : "" })];
  if (seq > 0)
    main.push(stepControl({ id: "seq", label: "Sequence", unit: "tokens", steps: doubling(128, seq * 16, seq), least: 1,
      most: 1e9, initial: Number(base.seq) || seq, get: () => state.seq, set: put("seq") }));
  main.push(choiceControl({ id: "precision", label: "Precision", value: state.precision || base.precision || "",
    options: [["", "the model's"], ...data.precisions.map((name) => [name, name])],
    set: (name) => put("precision")(name === (base.precision || "") ? null : name || null) }));
  const factors = page.factors[state.hw] || [], isMain = (factor) => MAIN_FACTORS.includes(factor.name);
  const rank = (factor) => MAIN_FACTORS.indexOf(factor.name);
  const others = factors.filter((factor) => !isMain(factor));
  page.followBatch = (number) => state.batch === null && main[1].follow(number);
  return [data.machines.length > 1 ? machineControl(page) : null, ...main,
    ...factors.filter(isMain).sort((a, b) => rank(a) - rank(b)).map((factor) => factorControl(page, factor)),
    others.length > 0 ? element("details", { open: others.some((one) => one.name in (state.factors[state.hw] || {})) },
      element("summary", {}, "More of the machine"), ...others.map((factor) => factorControl(page, factor))) : null,
    element("button", { type: "button", id: "reset", onclick: () => page.reset() }, "Back to the start")].filter(Boolean);
}
