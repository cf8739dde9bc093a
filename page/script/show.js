// SPDX-License-Identifier: GPL-3.0-or-later
// What answers look like: each function fills one section of the page.
"use strict";

const byId = (id) => document.getElementById(id);
const replace = (id, ...children) => byId(id).replaceChildren(...children.filter(Boolean));
const cell = (content, kind = "") => element("td", kind ? { class: kind } : {}, content);
const header = (titles) => element("thead", {}, element("tr", {}, ...titles.map(([title, kind]) =>
  element("th", { scope: "col", class: kind || null }, title))));
const tableOf = (caption, titles, rows, kind = null) => element("div", { class: "scroll" }, element("table", { class: kind },
  element("caption", {}, caption), header(titles), element("tbody", {}, ...rows)));
const SHOWN_PLANS = 10, CUT_AT = 4;

function showBest(view) {
  if (view.nothing)
    return replace("best", element("p", { class: "lead" }, view.nothing));
  const { words } = view;
  replace("best", element("p", { class: "lead" }, `${words.lead} `, planText(words.plan), ` (${words.batch}): ${words.rest}`),
    element("dl", { class: "cards" }, ...view.figures.map((figure) => element("div", {},
      element("dt", {}, figure.name), element("dd", { "data-figure": figure.key },
      element("b", {}, figure.text), figure.more || "",
        element("small", {}, figure.change && figure.change !== "the same" ? `${figure.change} against the start` : ""))))));
}

// The ranges of the cards, which take longer than the rest.
function showCardRanges(machine) {
  for (const key of ["time", "cost", "energy"]) {
    const range = machine?.[key];
    if (range)
      document.querySelector(`[data-figure="${key}"]`)?.append(element("small", {}, `${range.lowText} to ${range.highText}`));
  }
}

// What is otherwise than at the start: controls, and what came of it.
function showChanges(view, changes) {
  byId("changes-section").hidden = changes.length === 0;
  if (changes.length === 0)
    return;
  replace("changes", element("ul", {}, ...changes.map((change) => element("li", {}, change))),
    view.figures.length === 0 ? null : tableOf("The best plan, at the start and now",
      [["quantity"], ["start", "right"], ["now", "right"], ["change", "right"]],
      view.figures.map((figure) => element("tr", {}, element("th", { scope: "row" }, figure.name),
        cell(figure.before || "–", "right"), cell(figure.text, "right"), cell(figure.change || "–", "right")))));
}

// What a narrow page has no room for is left out there.
const columnKind = (i) => i < 2 ? "right" : "right wide";

function rankingTable(view, rows, caption) {
  const [best] = view.rows, longest = Math.min(Math.max(...rows.map((row) => row.seconds)), CUT_AT * best.seconds);
  const cut = rows.some((row) => row.seconds > longest) ? `; bars end at ${CUT_AT} times the best` : "";
  return tableOf(`${caption}${cut}`, [["#", "right"], ["plan"], ...view.columns.map((title, i) => [title, columnKind(i)]), ["× best", "right"], ["phases"], ["limited by", "wide"]],
    rows.map((row) => element("tr", { class: row.equal ? "equal" : null }, cell(String(row.rank), "right"),
      cell(planText(row.plan), "plan"), ...row.cells.map((text, i) => cell(text, columnKind(i))), cell(row.times, "right"),
      cell(barOf(row.phases, Math.min(row.seconds / longest, 1), row.plan), "bars"), cell(row.limit, "wide"))));
}

function folded(id, summary, content) {
  return element("details", { id, open: byId(id)?.open }, element("summary", {}, summary), content);
}

function showRanking(view) {
  const { rows, equal } = view, used = [];
  for (const phase of rows.flatMap((row) => row.phases))
    if (!used.some((one) => one.key === phase.key))
      used.push(phase);
  replace("ranking", rows.length === 0 ? null : rankingTable(view, rows.slice(0, SHOWN_PLANS),
    `Best first${equal > 1 ? `; the first ${equal} are equal within what is known` : ""}`),
  rows.length === 0 ? null : keyOf(used));
}

// What is folded under the ranking.
function showMore(view) {
  const { infeasible } = view, more = view.rows.slice(SHOWN_PLANS);
  replace("more", more.length === 0 ? null : folded("more-plans", `${more.length} more that run`, rankingTable(view, more, "After these")),
  infeasible.length === 0 ? null : folded("infeasible", `${infeasible.length} that do not run, and why`,
    tableOf("Plans that do not run", [["plan"], ["why not"], ["what would make it run"]], infeasible.map((row) =>
      element("tr", {}, cell(planText(row.strategy), "plan"), cell(row.reason), cell(row.needs || ""))))));
}

function showMemory(view) {
  const rows = view.rows.slice(0, 8), used = [];
  for (const row of rows)
    for (const part of row.memory.parts)
      if (!used.some((one) => one.key === part.key))
        used.push(part);
  byId("memory-section").hidden = rows.length === 0;
  if (rows.length > 0)
    replace("memory", tableOf(`Peak per GPU; the frame is all that it has, ${rows[0].memory.of}`,
      [["plan"], ["used", "right"], ["of it", "right"], ["classes"]], rows.map((row) => element("tr", {},
        cell(planText(row.plan), "plan"), cell(row.memory.text, "right"), cell(row.memory.percent, "right"),
        cell(element("div", { class: "frame" }, barOf(row.memory.parts, 1, `memory of ${row.plan}`)), "bars")))), keyOf(used));
}

function showScaling(points, now) {
  byId("scaling-section").hidden = points.length < 2;
  if (points.length < 2)
    return;
  const columns = points.find((point) => point.columns)?.columns || ["time"];
  const table = tableOf("The best plan on each number of GPUs", [["GPUs", "right"], ["plan"],
    ...columns.map((title) => [title, "right"]), [`${points.find((point) => point.unit)?.unit || "speed"}`, "right"], ["per GPU", "right"], ["memory", "right wide"], ["cost", "right wide"]],
  points.map((point) => element("tr", { class: point.gpus === now ? "equal" : null }, cell(point.text, "right"),
    ...point.reason ? [element("td", { colspan: 5 + columns.length }, point.reason)]
      : [cell(planText(point.plan), "plan"), ...point.times.map((text) => cell(text, "right")), cell(point.rate, "right"), cell(point.each, "right"),
        cell(point.memory, "right wide"), cell(point.cost, "right wide")])));
  const width = Math.max(280, Math.min(900, byId("scaling-section").clientWidth));
  replace("scaling", scalingOf(points, now, width), element("p", { class: "faint" }, "Dashed: each GPU as fast as on the fewest."),
    folded("scaling-table", "The same as a table", table));
}

// A range in words; title: what it is, where a narrow page has no heads of columns.
function rangeCell(range, title, ...more) {
  return element("td", { "data-title": title }, ...range ? [element("b", {}, range.text),
    element("small", {}, `${range.lowText} to ${range.highText}`), ...more] : ["–"]);
}

function machineRow(machine, rank, costRank, most) {
  const paid = [machine.basis, costRank && `rank ${costRank}`].filter(Boolean).join(", ");
  return element("tr", {}, rank === null ? "" : cell(rank, "right rank"), element("th", { scope: "row" }, machine.name,
    element("small", {}, machine.changed ? "changed" : "")), ...machine.time ? [
    element("td", { class: "right", "data-title": "GPUs" }, machine.gpus), rangeCell(machine.time, "time"),
    cell(rangeOf(machine.time, most, machine.name), "bars"), rangeCell(machine.cost, "cost", element("small", {}, paid)),
    rangeCell(machine.energy, "energy")] : [element("td", { colspan: 5 }, machine.reason || "nothing runs")]);
}

function showMachines(machines) {
  const most = Math.max(...machines.map((machine) => machine.time?.high || 0)), alone = machines.length < 2;
  const isShared = (rank) => machines.filter((one) => one.timeRank === rank).length > 1;
  const rankText = (rank) => alone ? null : !rank ? "–" : isShared(rank) ? `${rank}, equal` : String(rank);
  const paysAlike = (machine) => machines.some((other) => other !== machine && other.cost && other.money === machine.money);
  const order = machines.map((machine, i) => i).sort((a, b) => (machines[a].time?.value ?? Infinity) - (machines[b].time?.value ?? Infinity));
  byId("machines-title").textContent = alone ? "What is not known" : "Side by side";
  replace("machines", tableOf(alone ? "Ranges, by what may be off in each number"
    : "Ranges, by what may be off in each number; machines whose ranges overlap are equal",
  [...alone ? [] : [["rank", "right"]], ["machine"], ["GPUs", "right"], ["time"], ["range"], ["cost"], ["energy"]],
  order.map((i) => machineRow(machines[i], rankText(machines[i].timeRank), !alone && paysAlike(machines[i]) ? machines[i].costRank : null, most)), "stack"),
  ...order.map((i) => machines[i]).map((machine) => !machine.doubts?.length ? null : element("p", { class: "faint" },
    `${machine.name}: ${machine.doubts.join(", ")}`)));
}

function showRests(view, data) {
  replace("rests", element("ul", {}, ...view.assumptions.map((text) => element("li", {}, text)),
    ...[...new Set([...data.remarks, ...view.warnings])].map((text) => element("li", { class: "warning" }, text))),
  element("p", { class: "faint" }, `paradl ${data.paradl}; files in this page: ${data.files.map((file) => file.path.replace(/^question\//, "")).join(", ")}`));
}
