// SPDX-License-Identifier: GPL-3.0-or-later
// What the controls are set to, how a link keeps it, and which questions and commands it makes.
"use strict";

// What is set as a whole number, and what is chosen: options of the command by their names. Times of a promise are texts, "50 ms".
const NUMBERS = ["batch", "rate", "seq", "input-tokens", "output-tokens"], PROMISES = ["ttft", "tpot", "latency"];
const PERCENTILES = ["mean", "p50", "p90", "p99"];

// null: as the start has it. Factors are by machine: {abci: {gpu: 1.5}}.
function stateOf(data) {
  const state = { hw: data.machines[0], gpus: data.questions[0].question.gpus, precision: null, percentile: null, factors: {} };
  for (const key of [...NUMBERS, ...PROMISES])
    state[key] = null;
  return state;
}

function stateToHash(state, data) {
  const start = stateOf(data), words = new URLSearchParams();
  for (const key of ["hw", "gpus", ...NUMBERS, "precision", ...PROMISES, "percentile"])
    if (state[key] !== start[key])
      words.set(key, state[key]);
  for (const [hw, factors] of Object.entries(state.factors))
    for (const [name, times] of Object.entries(factors))
      if (times !== 1)
        words.append("x", `${data.machines.indexOf(hw)}.${name}=${times}`);
  return words.toString();
}

function stateFromHash(hash, data) {
  const state = stateOf(data), words = new URLSearchParams(hash.replace(/^#/, ""));
  const take = (key, good, as = (word) => word) => {
    if (good(words.get(key) ?? ""))
      state[key] = as(words.get(key));
  };
  const isNumber = (word) => Number(word) > 0, toWhole = (word) => Math.max(1, Math.round(Number(word)));
  take("hw", (word) => data.machines.includes(word));
  for (const key of ["gpus", ...NUMBERS])
    take(key, isNumber, toWhole);
  take("precision", (word) => data.precisions.includes(word));
  for (const key of PROMISES)
    take(key, (word) => /^\d+(\.\d+)? m?s$/.test(word));
  take("percentile", (word) => PERCENTILES.includes(word));
  for (const word of words.getAll("x")) {
    const [, index, name, times] = /^(\d+)\.([\w-]+)=([\d.e-]+)$/.exec(word) || [];
    if (data.machines[index] && Number(times) > 0)
      (state.factors[data.machines[index]] ??= {})[name] = Number(times);
  }
  return state;
}

// The changes of files that the factors of a machine make.
function changesOf(state, hw, known) {
  const set = [];
  for (const [name, times] of Object.entries(state.factors[hw] || {})) {
    const factor = (known[hw] || []).find((one) => one.name === name);
    if (factor && times !== 1)
      set.push(...factor.keys.map((key) => `${key}=x${times}`));
  }
  return set;
}

// A question about a machine as the controls are set: index 0 ranks plans, 1 compares machines.
function questionOf(data, state, index, hw, known) {
  const question = { ...data.questions[index].question, hw, gpus: state.gpus };
  if (state.batch !== null)
    delete question["per-gpu"];
  for (const key of [...NUMBERS, "precision", ...PROMISES, "percentile"])
    if (state[key] !== null)
      question[key] = key === "rate" ? `${state[key]}/s` : state[key];
  const set = [...question.set || [], ...changesOf(state, hw, known)];
  if (set.length > 0)
    question.set = set;
  return question;
}

const shellWord = (word) => /^[\w\-+=./,:@%]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;

// The command that gives the same answer.
function commandOf(question) {
  const words = ["paradl", question.ask, question.model];
  for (const [key, value] of Object.entries(question))
    for (const one of Array.isArray(value) ? value : [value])
      if (key !== "ask" && key !== "model" && one !== false)
        words.push(`--${key}`, ...one === true ? [] : [String(one)]);
  return words.map(shellWord).join(" ");
}
