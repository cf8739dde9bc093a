// SPDX-License-Identifier: GPL-3.0-or-later
// What answers say, in words and numbers for people: wordsOf(engine) makes of each answer what the page shows.
"use strict";

function wordsOf(engine) {
  const looks = engine.looks();
  const say = engine.typeset;
  const known = (value) => value !== null && value !== undefined;
  const whole = (value) => say(value, "whole");
  const count = (value, noun) => `${whole(value)} ${noun}${value === 1 ? "" : "s"}`;

  // Of a network that generates, what serving it is like.
  const servingOf = (result) => known(result.inference?.token_s) ? result.inference : null;

  // An epoch where the model names a data set, else an iteration; of serving, an answer.
  function timeOf(result) {
    const seconds = result.epoch_s > 0 ? result.epoch_s : result.iteration_s;
    return { seconds, text: say(seconds, "s"), per: servingOf(result) ? "answer" : result.epoch_s > 0 ? "epoch" : "iteration" };
  }

  function speedOf(result) {
    if (known(result.tokens_per_s_per_gpu))
      return { value: result.tokens_per_s_per_gpu, text: whole(result.tokens_per_s_per_gpu), unit: "tokens/s/GPU" };
    return { value: result.samples_per_s, unit: "samples/s",
      text: result.samples_per_s < 99.95 ? say(result.samples_per_s, "") : whole(result.samples_per_s) };
  }

  function phasesOf(result) {
    const all = looks.phases.map((look) => ({ ...look, seconds: result.phases_s[look.key] || 0 }));
    const sum = all.reduce((total, phase) => total + phase.seconds, 0);
    return all.filter((phase) => phase.seconds > 0).map((phase) => ({
      ...phase, share: phase.seconds / sum, text: say(phase.seconds, "s"),
      percent: say(phase.seconds / result.iteration_s, "percent") }));
  }

  function memoryOf(result) {
    const capacity = result.memory_capacity_bytes;
    return {
      bytes: result.memory_bytes, capacity, text: say(result.memory_bytes, "B"), of: say(capacity, "B"),
      percent: say(result.memory_bytes / capacity, "percent"),
      parts: looks.memory.map((look) => ({ ...look, bytes: result.memory[`${look.key}_bytes`] || 0 }))
        .filter((part) => part.bytes > 0)
        .map((part) => ({ ...part, share: part.bytes / capacity, text: say(part.bytes, "B") })) };
  }

  function moneyOf(result) {
    const serving = servingOf(result), value = serving ? serving.cost_per_million_tokens : result.cost_per_epoch;
    if (!known(value) || !known(result.currency))
      return null;
    return { value, text: say(value, "money", result.currency), of: serving ? "a million tokens" : "an epoch" };
  }

  // What the columns of times are called, and what a plan has in them.
  const columnsOf = (best) => servingOf(best) ? ["first token", "each token", "tokens/s/GPU"] : [timeOf(best).per];

  function timesOf(result) {
    const serving = servingOf(result);
    return serving ? [say(serving.prompts_s, "s"), say(serving.token_s, "s"), speedOf(result).text] : [timeOf(result).text];
  }

  function rowOf(result) {
    return {
      rank: result.rank, plan: result.strategy, cells: timesOf(result), memory: memoryOf(result), equal: result.equal,
      times: known(result.ratio) ? say(result.ratio, "times") : "–", phases: phasesOf(result), seconds: result.iteration_s,
      limit: result.limited_by?.text || "" };
  }

  const equalPlans = (results) => results.filter((result) => result.equal).length;

  function marginWords(results) {
    if (results.length < 2)
      return "No other kind of plan runs.";
    const equal = equalPlans(results), share = say(engine.tieShare(results[0].error_share || 0), "percent");
    if (equal < 2)
      return `It is ${say(results[1].ratio, "times")} times as good as the second.`;
    return `It takes ${share} to tell two plans apart, so the first ${whole(equal)} are equal.`;
  }

  function timeWords(best) {
    const serving = servingOf(best), time = timeOf(best), limit = best.limited_by;
    return (serving ? `the first token comes after ${say(serving.prompts_s, "s")}, then one each ${say(serving.token_s, "s")}`
      : `${time.text} for an ${time.per}`) +
      (limit?.text ? `, limited by ${limit.text} (${say(limit.share, "percent")}).` : ".");
  }

  const within = (share) => share > 0 ? ` ±${say(share, "percent")}` : "";

  function bestWords(answer, question) {
    const [best] = answer.results, limit = best.limited_by, serving = servingOf(best);
    const sentences = [timeWords(best)];
    if (best.error_share > 0)
      sentences.push(`Nine of ten measured times were within${within(best.error_share)}` +
        (serving?.first_error_share > 0 ? ` of each token,${within(serving.first_error_share)} of the first` : "") +
        (best.unchecked?.length ? `; ${best.unchecked.join("; ")}.` : "."));
    sentences.push(marginWords(answer.results));
    if (limit?.improve)
      sentences.push(`What would help: ${limit.improve}.`);
    return { lead: `On ${count(question.gpus, "GPU")} of ${answer.hw.name} the best plan is`, plan: best.strategy,
      batch: !serving ? `global batch ${whole(best.batch)}`
        : serving.most_requests_per_s > 0 ? `${say(best.samples_per_s, "")} of ${say(serving.most_requests_per_s, "")} requests/s that it can answer`
          : `${count(best.batch, "request")} under way`, rest: sentences.join(" ") };
  }

  // The quantities that are compared with the start, and stand on the cards.
  function figuresOf(best) {
    const time = timeOf(best), speed = speedOf(best), memory = memoryOf(best), money = moneyOf(best);
    const error = within(best.error_share);
    const serving = servingOf(best), first = serving && say(serving.prompts_s, "s"), each = serving && say(serving.token_s, "s");
    const figures = [...serving ? [{ key: "first", name: "first token", value: serving.prompts_s, text: first, more: within(serving.first_error_share) },
      { key: "token", name: "each token", value: serving.token_s, text: each, more: error }]
      : [{ key: "time", name: `time of an ${time.per}`, value: time.seconds, text: time.text, more: error }],
      { key: "speed", name: speed.unit, value: speed.value, text: speed.text },
      { key: "memory", name: `peak memory per GPU, which has ${memory.of}`, value: memory.bytes, text: memory.text }];
    if (known(best.mfu))
      figures.push({ key: "mfu", name: "MFU", value: best.mfu, text: say(best.mfu, "percent") });
    if (money)
      figures.push({ key: "cost", name: `cost of ${money.of}`, value: money.value, text: money.text, unit: best.currency });
    if (known(best.energy_joule_per_epoch))
      figures.push({ key: "energy", name: "energy of an epoch", value: best.energy_joule_per_epoch,
        text: say(best.energy_joule_per_epoch, "energy") });
    return figures;
  }

  // By how much a number differs from what it was: "−12 %", "3.00 times".
  function changeOf(now, before) {
    if (!(before > 0))
      return "";
    const ratio = now / before;
    if (ratio >= 2)
      return `${say(ratio, "times")} times`;
    const text = say(Math.abs(ratio - 1), "percent");
    return text === "0 %" || text === "0.0 %" ? "the same" : `${ratio < 1 ? "−" : "+"}${text}`;
  }

  return {
    plans(answer, question, start) {
      const [best] = answer.results;
      const view = { machine: answer.hw.name, most: answer.hw.gpus, framework: answer.hw.framework,
        model: answer.model.name, parameters: say(answer.model.parameters, "count"),
        work: say(answer.model.forward_flop_per_sample, "flop"),
        gpus: question.gpus, infeasible: answer.infeasible, assumptions: answer.assumptions, warnings: answer.warnings,
        batch: best ? best.batch : 0, serving: best ? servingOf(best) : null, rows: [], columns: [], figures: [], equal: 0, words: null };
      if (!best)
        return { ...view, nothing: `On ${count(question.gpus, "GPU")} of ${answer.hw.name} nothing runs.` };
      view.figures = figuresOf(best).map((figure) => {
        const before = start?.figures.find((one) => one.key === figure.key && one.unit === figure.unit);
        return { ...figure, before: before?.text, change: before ? changeOf(figure.value, before.value) : "" };
      });
      return { ...view, rows: answer.results.map(rowOf), columns: columnsOf(best), words: bestWords(answer, question),
        equal: equalPlans(answer.results) };
    },

    // The best plan on some number of GPUs.
    point(answer, gpus) {
      const [best] = answer.results;
      if (!best)
        return { gpus, text: whole(gpus), reason: answer.infeasible[0]?.reason || "nothing runs" };
      const speed = known(best.tokens_per_s) ? { value: best.tokens_per_s, unit: "tokens/s" }
        : { value: best.samples_per_s, unit: "samples/s" };
      return { gpus, text: whole(gpus), plan: best.strategy, times: timesOf(best).slice(0, 2), columns: columnsOf(best).slice(0, 2), speed: speed.value,
        unit: speed.unit, rate: say(speed.value, "count"), memory: memoryOf(best).percent,
        each: say(speed.value / gpus, "count"), cost: moneyOf(best)?.text || "" };
    },

    // A machine with its ranges.
    machine(answer, hw) {
      const [cell] = answer.results;
      const range = (amount, kind, currency) => !known(amount?.value) || !(amount.value >= 0) ? null
        : { ...amount, text: say(amount.value, kind, currency), lowText: say(amount.low, kind, currency),
          highText: say(amount.high, kind, currency) };
      return { hw, name: cell.hw, gpus: whole(cell.gpus), feasible: cell.feasible, reason: cell.reason, plan: cell.strategy,
        time: range(cell.time_s, "s"), cost: range(cell.cost, "money", cell.currency),
        money: `${cell.currency} ${cell.price_basis}`, basis: cell.price_basis || "",
        energy: range(cell.energy_joule, "energy"),
        speed: known(cell.tokens_per_s_per_gpu) ? `${whole(cell.tokens_per_s_per_gpu)} tokens/s/GPU`
          : known(cell.samples_per_s) ? `${whole(cell.samples_per_s)} samples/s` : "",
        doubts: cell.doubts.filter((doubt) => known(doubt.iteration_s) && doubt.iteration_s.low < doubt.iteration_s.high)
          .map((doubt) => `${doubt.of}${doubt.origin ? ` ${doubt.origin}` : ""} ±${
            say((doubt.iteration_s.high - doubt.iteration_s.low) / 2 / doubt.iteration_s.value, "percent")}`) };
    },

    // Who is first, by time and among those that are paid for alike by cost: one more than there are before it, by the engine's rule.
    ranks(machines) {
      const rankOf = (mine, amount, comparable) => !mine[amount] ? null : 1 + machines.filter((other) =>
        other[amount] && comparable(other) && engine.isBefore(other[amount], mine[amount])).length;
      return machines.map((mine) => ({ ...mine, timeRank: rankOf(mine, "time", () => true),
        costRank: rankOf(mine, "cost", (other) => other.money === mine.money) }));
    },
  };
}
