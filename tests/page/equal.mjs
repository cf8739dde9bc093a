// SPDX-License-Identifier: GPL-3.0-or-later
// The engine of a page says what the program says: equal.mjs PARADL COUNT PAGE.html...
// States of the controls are drawn at random; of each, JSON (numbers within 1e-12), text for people (alike), and the command.
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import vm from "node:vm";
import zlib from "node:zlib";

const [paradl, count, ...pages] = process.argv.slice(2);
const scripts = path.join(path.dirname(new URL(import.meta.url).pathname), "../../page/script");
for (const name of ["engine", "state", "controls", "sources"])
  vm.runInThisContext(fs.readFileSync(path.join(scripts, `${name}.js`), "utf8").replaceAll(/^const /gm, "var "), name);
const within = 1e-12, apart = new Set(["command", "inputs"]);

let seed = 20260727;
const random = () => {
  seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
  return seed / 2 ** 32;
};
const pick = (list) => list[Math.floor(random() * list.length)];

function inside(page, id) {
  const text = page.split(`id="${id}">`)[1];
  return text.slice(0, text.indexOf("</script>"));
}

function compare(ours, theirs, where) {
  if (typeof ours === "number" && typeof theirs === "number") {
    if (Math.abs(ours - theirs) > within * Math.max(Math.abs(ours), Math.abs(theirs)))
      throw new Error(`${where}: ${ours} here, ${theirs} of the program`);
  } else if (typeof ours === "object" && ours !== null && typeof theirs === "object" && theirs !== null) {
    if (String(Object.keys(ours)) !== String(Object.keys(theirs)))
      throw new Error(`${where}: other members`);
    for (const key of Object.keys(ours))
      if (!(where === "" && apart.has(key)))
        compare(ours[key], theirs[key], `${where}/${key}`);
  } else if (ours !== theirs) {
    throw new Error(`${where}: ${ours} here, ${theirs} of the program`);
  }
}

const run = (words, input) => spawnSync(words[0], words.slice(1), { input, encoding: "utf8", maxBuffer: 1 << 26 });

function engineAnswer(engine, question) {
  try {
    return { text: engine.answer(question) };
  } catch (error) {
    return { error: error.message };
  }
}

// The same question to both, and what the command that the page shows prints.
function check(engine, question) {
  const said = run([paradl, "ask"], JSON.stringify(question)), here = engineAnswer(engine, question);
  if (here.error !== undefined) {
    const message = JSON.parse(said.stdout).error?.message;
    if (message !== here.error)
      throw new Error(`"${here.error}" here, "${message}" of the program`);
    return false;
  }
  compare(JSON.parse(here.text), JSON.parse(said.stdout), "");
  const text = { ...question, as: "text" }, printed = run([paradl, "ask"], JSON.stringify(text));
  if (engine.answer(text) !== printed.stdout)
    throw new Error(`other text:\n${engine.answer(text)}\nof the program:\n${printed.stdout}`);
  const typed = run(["sh", "-c", `${commandOf(question).replace(/^paradl/, '"$0"')} --json`, paradl]);
  compare(JSON.parse(here.text), JSON.parse(typed.stdout), "");
  return true;
}

function randomState(data, known) {
  const state = stateOf(data);
  state.hw = pick(data.machines);
  state.gpus = pick([1, 2, 4, 8, 12, 16, 32, 64, 96, 128, 256, 512]);
  if (random() < 0.4)
    state.batch = state.gpus * pick([1, 2, 4, 16]);
  if (random() < 0.3)
    state.precision = pick(data.precisions);
  const dims = data.questions[0].question.inference ? null : sourcesOf(data, state.hw).model?.dims;
  if (dims?.seq && random() < 0.3)
    state.seq = pick([512, 1024, 4096]);
  if (data.questions[0].question.inference) {
    for (const key of ["input-tokens", "output-tokens"])
      if (random() < 0.5)
        state[key] = pick([64, 128, 500, 2048]);
    if (random() < 0.5)
      state[pick(PROMISES)] = pick(["40 ms", "500 ms", "2 s"]);
    if (random() < 0.5)
      state.percentile = pick(PERCENTILES);
  }
  for (const factor of known[state.hw])
    if (random() < 0.3)
      (state.factors[state.hw] ??= {})[factor.name] = pick(FACTOR_STEPS.filter((step) => step <= (factor.most || 8)));
  return stateFromHash(stateToHash(state, data), data);
}

let answers = 0, refusals = 0;
for (const file of pages) {
  const page = fs.readFileSync(file, "utf8"), data = JSON.parse(inside(page, "data")), known = {};
  const engine = await engineOf(zlib.gunzipSync(Buffer.from(inside(page, "engine"), "base64")));
  data.files.forEach((one) => engine.give(one.path, one.text));
  for (const hw of data.machines) {
    const plan = engine.ask({ ...data.questions[0].question, hw }).results[0].strategy;
    const { gpus, ...rest } = data.questions[2].question;
    const inputs = engine.ask({ ...rest, hw, strategy: plan, batch: gpus }).tornado.inputs;
    known[hw] = inputs.filter((input) => input.keys.length > 0 && input.input !== "sequence")
      .map((input) => ({ name: input.input, keys: input.keys }));
    const efficiency = efficiencyOf(sourcesOf(data, hw).device);
    if (efficiency)
      known[hw].push(efficiency);
  }
  for (let i = 0; i < count / pages.length; i++) {
    const state = randomState(data, known), question = questionOf(data, state, i % 8 === 7 && !data.questions[1].lacking ? 1 : 0, state.hw, known);
    try {
      if (check(engine, question))
        answers++;
      else
        refusals++;
    } catch (error) {
      console.error(`${path.basename(file)}: ${JSON.stringify(question)}: ${error.message}`);
      process.exit(1);
    }
  }
}
console.log(`${answers} answers and ${refusals} refusals are the same here and of the program`);
process.exit(answers > 0.7 * count ? 0 : 1);
