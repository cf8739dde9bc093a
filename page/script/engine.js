// SPDX-License-Identifier: GPL-3.0-or-later
// The engine in JavaScript: engineOf(bytes) takes a module of WebAssembly and gives what answers questions.
"use strict";

const NOT_HERE = 52; // ENOSYS of WASI and of the engine's C library: no files, no programs

// What the engine imports: a clock; all else a system would do is not here.
function engineImports(module, memory) {
  const clock = (id, precision, at) => {
    new DataView(memory().buffer).setBigUint64(at, BigInt(Math.round(performance.now() * 1e6)), true);
    return 0;
  };
  const no = () => NOT_HERE;
  const imports = {};
  for (const { module: of, name } of WebAssembly.Module.imports(module)) {
    imports[of] ??= {};
    imports[of][name] = name === "clock_time_get" ? clock : name.startsWith("__syscall") ? () => -NOT_HERE : no;
  }
  imports.wasi_snapshot_preview1.environ_sizes_get = (count, bytes) => {
    const view = new DataView(memory().buffer);
    view.setUint32(count, 0, true);
    view.setUint32(bytes, 0, true);
    return 0;
  };
  return imports;
}

async function engineOf(bytes) {
  const module = await WebAssembly.compile(bytes);
  let inside = null;
  const instance = await WebAssembly.instantiate(module, engineImports(module, () => inside.memory));
  inside = instance.exports;
  inside._initialize();
  const encoder = new TextEncoder(), decoder = new TextDecoder();

  // Copies a text to where the engine sees it; returns where that is, and how long it is there.
  function put(text) {
    const encoded = encoder.encode(text), pointer = inside.malloc(encoded.length + 1);
    if (!pointer)
      throw new Error("out of memory");
    const place = new Uint8Array(inside.memory.buffer, pointer, encoded.length + 1);
    place.set(encoded);
    place[encoded.length] = 0;
    return [pointer, encoded.length];
  }

  // Calls `use` with where the texts are, which is theirs until it returns.
  function withTexts(texts, use) {
    const places = texts.map(put);
    try {
      return use(...places);
    } finally {
      places.forEach(([pointer]) => inside.free(pointer));
    }
  }

  function textAt(pointer) {
    const all = new Uint8Array(inside.memory.buffer);
    return decoder.decode(all.subarray(pointer, all.indexOf(0, pointer)));
  }

  // Words that are said again and again stay where they are.
  const kept = new Map();
  function keep(word) {
    if (!kept.has(word))
      kept.set(word, put(word)[0]);
    return kept.get(word);
  }

  return {
    // Gives the engine a file.
    give(path, text) {
      if (!withTexts([path, text], ([where], [begin, length]) => inside.engine_give(where, begin, length)))
        throw new Error("out of memory");
    },
    // Returns the answer to a question as text; where there is none, throws an error with a message and a hint.
    answer(question) {
      const pointer = withTexts([JSON.stringify(question)], ([begin, length]) => inside.engine_ask(begin, length));
      if (pointer)
        return textAt(pointer);
      throw Object.assign(new Error(textAt(inside.engine_message())), { hint: textAt(inside.engine_hint()) });
    },
    ask(question) {
      return JSON.parse(this.answer(question));
    },
    // Writes a number as the program does for people.
    typeset: (value, kind, currency = "") => textAt(inside.engine_typeset(keep(kind), value, keep(currency))),
    isBefore: (one, other) => Boolean(inside.engine_is_before(one.high, other.low)),
    tieShare: (errorShare) => inside.engine_tie_share(errorShare),
    // Names and colours of phases and of classes of memory, by their keys in answers.
    looks() {
      const looks = JSON.parse(textAt(inside.engine_looks()));
      for (const list of Object.values(looks))
        for (const look of list) {
          look.key = look.label.replaceAll(" ", "_");
          look.colour = "#" + look.rgb.toString(16).padStart(6, "0");
        }
      return looks;
    },
  };
}
