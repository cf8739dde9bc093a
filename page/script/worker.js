// SPDX-License-Identifier: GPL-3.0-or-later
// The thread of the engine: takes one job after the other, so that the page never waits while it computes.
"use strict";

let engine = null, words = null, start = null;

async function begin(job) {
  const packed = Uint8Array.from(atob(job.engine), (digit) => digit.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  engine = await engineOf(await new Response(stream).arrayBuffer());
  words = wordsOf(engine);
  job.files.forEach((file) => engine.give(file.path, file.text));
}

const jobs = {
  begin,
  // The first answer is the start that others are held against.
  plans({ question }) {
    const view = words.plans(engine.ask(question), question, start);
    start ??= view;
    return view;
  },
  point: ({ question }) => words.point(engine.ask(question), question.gpus),
  machine: ({ question }) => words.machine(engine.ask(question), question.hw),
  ranks: ({ machines }) => words.ranks(machines),
  // What can be varied, with the keys that do it, what matters most first.
  factors: ({ question }) => engine.ask(question).tornado.inputs.filter((input) => input.keys.length > 0)
    .map(({ input, text, keys, span }) => ({ name: input, text, keys, span })),
};

onmessage = async ({ data }) => {
  try {
    postMessage({ id: data.id, result: await jobs[data.kind](data) });
  } catch (error) {
    postMessage({ id: data.id, error: error.message, hint: error.hint || "" });
  }
};
