// SPDX-License-Identifier: GPL-3.0-or-later
// The page: from a change of the state to questions, and from answers to what is shown. Only the newest state is answered.
"use strict";

function startWorker() {
  const source = byId("worker-source").textContent;
  const worker = new Worker(URL.createObjectURL(new Blob([source], { type: "text/javascript" })));
  const waiting = new Map();
  let last = 0;
  worker.onmessage = ({ data }) => {
    const { resolve, reject } = waiting.get(data.id);
    waiting.delete(data.id);
    if (data.error === undefined)
      resolve(data.result);
    else
      reject(Object.assign(new Error(data.error), { hint: data.hint }));
  };
  return (kind, job) => new Promise((resolve, reject) => {
    waiting.set(++last, { resolve, reject });
    worker.postMessage({ ...job, kind, id: last });
  });
}

const data = JSON.parse(byId("data").textContent);
const ask = startWorker(), askBeside = startWorker(); // so that no ranking waits for what follows it
const page = { data, state: stateFromHash(location.hash, data), factors: {}, names: {}, most: {}, points: [], view: null,
  sources: (hw) => sourcesOf(data, hw) };
const STILL_MS = 200; // that nothing moves, until what follows the ranking is asked for
let turn = 0, planning = false, announced = 0;

const machineQuestion = (index, hw) => questionOf(data, page.state, index, hw, page.factors);

// The controls that are not as at the start, in words.
function changesInWords() {
  const { state } = page, start = stateOf(data), list = [];
  if (state.hw !== start.hw)
    list.push(`machine: ${page.names[state.hw] || state.hw}`);
  if (state.gpus !== start.gpus)
    list.push(`GPUs: ${start.gpus.toLocaleString("en")} → ${state.gpus.toLocaleString("en")}`);
  const names = { batch: "batch", rate: "requests each second", seq: "sequence", "input-tokens": "tokens of a prompt",
    "output-tokens": "tokens of an answer", precision: "precision", ttft: "first token, at most", tpot: "each token, at most",
    latency: "whole answer, at most", percentile: "promised to" };
  for (const [key, name] of Object.entries(names))
    if (state[key] !== null)
      list.push(`${name}: ${state[key].toLocaleString("en")}`);
  for (const factor of page.factors[state.hw] || []) {
    const times = (state.factors[state.hw] || {})[factor.name] ?? 1;
    if (times !== 1)
      list.push(`${factor.text}: × ${times} (${factorNote(page.sources(state.hw), factor)(times)})`);
  }
  return list;
}

function announce(view) {
  clearTimeout(announced);
  announced = setTimeout(() => {
    byId("status").textContent = view.nothing || `${view.words.plan}: ${view.words.rest}`;
  }, 500);
}

function showFailure(error) {
  replace("failure", error ? element("p", {}, error.message, error.hint ? element("small", {}, error.hint) : "") : null);
  byId("answer").classList.toggle("stale", Boolean(error));
}

function showAgain() {
  const hash = stateToHash(page.state, data);
  byId("command").textContent = commandOf(machineQuestion(0, page.state.hw));
  try {
    history.replaceState(null, "", hash ? `#${hash}` : location.pathname + location.search);
  } catch {
    location.replace(`#${hash}`); // where the address of a file may not be changed
  }
  byId("link").value = hash ? location.href : location.href.split("#")[0];
}

// Until a frame was drawn; where none is, as in a tab behind others, a moment.
const painted = () => new Promise((done) => {
  requestAnimationFrame(() => setTimeout(done));
  setTimeout(done, 100);
});

// The ranking, which everything else waits for.
async function answerPlans(mine = turn) {
  const view = await ask("plans", { question: machineQuestion(0, page.state.hw) });
  page.view = view;
  if (!page.start || (page.start.nothing && !view.nothing)) { // where nothing ran at the start, sizes are not known
    page.start = view;
    if (page.most[page.state.hw])
      showControls();
  }
  page.names[page.state.hw] = view.machine;
  showFailure(null);
  showBest(view);
  showRanking(view);
  byId("answer").dataset.ranked = mine;
  await painted(); // what follows is below, and comes with the next frame
  showMore(view);
  showMemory(view);
  showChanges(view, changesInWords());
  page.followBatch?.(view.batch);
  byId("title").textContent = `${view.model} on ${view.machine}`;
  byId("subtitle").textContent = `${view.parameters} parameters, ${view.work}/sample forward; framework ${view.framework}`;
  document.title = `${view.model} on ${view.machine}`;
  showRests(view, data);
  announce(view);
}

// What follows when nothing was changed for a moment, as while a slider is drawn: more and fewer GPUs, then machines with their ranges.
async function answerRest(mine) {
  const { state, view } = page, points = [];
  await new Promise((done) => setTimeout(done, STILL_MS));
  if (mine !== turn)
    return;
  for (const gpus of doubling(1, view.most, state.gpus)) {
    points.push(await askBeside("point", { question: { ...machineQuestion(0, state.hw), gpus } })
      .catch((error) => ({ gpus, text: String(gpus), reason: error.message })));
    if (mine !== turn)
      return;
  }
  page.points = points;
  showScaling(points, state.gpus);
  const machines = [];
  for (const hw of data.questions[1].lacking > 0 ? [] : data.machines) {
    const changed = changesOf(state, hw, page.factors).length > 0;
    machines.push(await askBeside("machine", { question: machineQuestion(1, hw) }).then((machine) => ({ ...machine, changed }))
      .catch((error) => ({ hw, name: page.names[hw] || hw, reason: error.message })));
    if (mine !== turn)
      return;
  }
  byId("machines-section").hidden = machines.length === 0;
  if (machines.length > 0)
    showMachines(await askBeside("ranks", { machines }));
  if (mine !== turn)
    return;
  showCardRanges(machines.find((machine) => machine.hw === state.hw));
}

const setBusy = (busy) => byId("answer").setAttribute("aria-busy", String(busy));

// Answers the newest state; states that were left before their turn are not asked for.
async function run() {
  if (planning)
    return;
  planning = true;
  setBusy(true);
  let done = -1, failed = false;
  while (done !== turn) {
    done = turn;
    failed = await answerPlans().then(() => false, (error) => showFailure(error) ?? true);
    showAgain();
  }
  planning = false;
  if (!failed)
    await answerRest(done).catch(showFailure);
  if (done === turn && !planning)
    setBusy(false);
}

// Asks what can be varied of a machine; with a plan, so that nothing is searched for.
async function learnFactors(hw) {
  if (page.factors[hw])
    return;
  const question = { ...data.questions[2].question, hw, gpus: Math.min(page.state.gpus, page.most[hw]) };
  const tries = [page.view?.rows[0]?.plan, `data=${question.gpus}`, "serial"].filter(Boolean);
  for (const strategy of tries) {
    const { gpus, ...rest } = question;
    if (!rest.rate)
      rest.batch ||= page.view?.batch || gpus;
    page.factors[hw] = await askBeside("factors", { question: { ...rest, strategy } })
      .catch(() => null);
    if (page.factors[hw])
      break;
  }
  const efficiency = efficiencyOf(page.sources(hw).device);
  page.factors[hw] = [...(page.factors[hw] || []).filter((factor) => factor.name !== "sequence"), ...efficiency ? [efficiency] : []];
}

async function showControls() {
  await learnFactors(page.state.hw);
  const focused = document.activeElement?.id;
  replace("controls", ...buildControls(page, page.start));
  if (focused)
    byId(focused)?.focus();
}

page.put = (key, value) => {
  page.state[key] = value;
  page.changed();
};

page.changed = () => {
  turn++;
  run();
};

page.choose = async (hw) => {
  page.state.hw = hw;
  page.state.gpus = Math.min(page.state.gpus, page.most[hw] || page.state.gpus);
  await showControls();
  page.changed();
};

page.reset = async () => {
  page.state = stateOf(data);
  await showControls();
  page.changed();
};

function copyButton(id, text) {
  byId(id).addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(text());
      byId("status").textContent = "copied";
    } catch {
      byId("status").textContent = "select the text to copy it";
    }
  });
}

// The start, and the names and sizes of all machines, before what the link says.
async function begin() {
  const job = { engine: byId("engine").textContent, files: data.files };
  await Promise.all([ask("begin", job), askBeside("begin", job)]);
  const asked = page.state;
  page.state = stateOf(data);
  await answerPlans();
  for (const hw of data.machines) {
    const few = { ...machineQuestion(0, hw), gpus: 1 };
    delete few.batch;
    const view = hw === page.state.hw ? page.view : await ask("plans", { question: few });
    page.names[hw] = view.machine;
    page.most[hw] = view.most;
    await learnFactors(hw);
  }
  page.state = asked;
  page.state.gpus = Math.min(page.state.gpus, page.most[page.state.hw]);
  await showControls();
  page.changed();
}

copyButton("copy-command", () => byId("command").textContent);
copyButton("copy-link", () => byId("link").value);
window.addEventListener("resize", () => page.points.length > 0 && showScaling(page.points, page.state.gpus));
window.addEventListener("hashchange", async () => {
  page.state = stateFromHash(location.hash, data);
  await showControls();
  page.changed();
});
begin().catch(showFailure);
