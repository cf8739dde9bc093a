// SPDX-License-Identifier: GPL-3.0-or-later
// The files that the page holds, as the controls need them: which number a control changes, and how far it may go.
"use strict";

const SHARES = ["product.sustained", "convolution.sustained", "contraction.sustained", "contraction.efficiency",
  "attention.forward", "attention.backward"];

function fileOf(data, folder, name) {
  const path = name.replace(/\+.*/, "");
  const file = data.files.find((one) => one.path === path || one.path.endsWith(`${folder}/${path}.json`) ||
    one.path.endsWith(`/${path}`));
  try {
    return file ? JSON.parse(file.text) : null;
  } catch {
    return null; // another format, which the engine reads
  }
}

// The files of a machine by the words that keys of --set begin with.
function sourcesOf(data, hw) {
  const machine = fileOf(data, "hw-profiles", hw), question = data.questions[0].question;
  const framework = question.framework || machine?.framework;
  return { model: fileOf(data, "models", question.model), hw: machine,
    device: typeof machine?.device === "string" ? fileOf(data, "devices", machine.device) : null,
    framework: typeof framework === "string" ? fileOf(data, "frameworks", framework) : null };
}

// The share of its peak that a device reaches, in all that it does; none can be more than 1.
function efficiencyOf(device) {
  if (!device)
    return null;
  const keys = SHARES.filter((key) => valuesAt(device, key).length > 0 || valuesAt(device, `${key}.*`).length > 0)
    .map((key) => valuesAt(device, key).length > 0 ? key : `${key}.*`);
  const shares = keys.flatMap((key) => valuesAt(device, key).map(([, value]) => value)).filter((value) => value > 0);
  return keys.length === 0 ? null : { name: "efficiency", text: "GPU efficiency", span: 0,
    keys: keys.map((key) => `device.${key}`), most: Math.floor(1000 / Math.max(...shares)) / 1000 };
}
