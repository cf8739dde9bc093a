// SPDX-License-Identifier: GPL-3.0-or-later
// What the controls are set to, how a link keeps it, and which questions and commands it makes.
"use strict";

// null: as the start has it. Factors are by machine: {abci: {gpu: 1.5}}.
function stateOf(data) {
  const question = data.questions[0].question;
  return { hw: data.machines[0], gpus: question.gpus, batch: null, seq: null, precision: null, factors: {} };
}

function stateToHash(state, data) {
  const start = stateOf(data), words = new URLSearchParams();
  for (const key of ["hw", "gpus", "batch", "seq", "precision"])
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
  const number = (key) => Number(words.get(key)) > 0 ? Math.round(Number(words.get(key))) : state[key];
  if (data.machines.includes(words.get("hw")))
    state.hw = words.get("hw");
  for (const key of ["gpus", "batch", "seq"])
    state[key] = number(key);
  if (data.precisions.includes(words.get("precision")))
    state.precision = words.get("precision");
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
  if (state.batch !== null) {
    question.batch = state.batch;
    delete question["per-gpu"];
  }
  if (state.seq !== null)
    question.seq = state.seq;
  if (state.precision !== null)
    question.precision = state.precision;
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
