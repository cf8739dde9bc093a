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

  // Calls a function with texts, each of which it gets as a pointer; withLengths: and the length after the last.
  function call(name, texts, ...more) {
    const pointers = texts.map((text) => {
      const encoded = encoder.encode(text), pointer = inside.malloc(encoded.length + 1);
      if (!pointer)
        throw new Error("out of memory");
      new Uint8Array(inside.memory.buffer, pointer, encoded.length + 1).set(encoded);
      new Uint8Array(inside.memory.buffer)[pointer + encoded.length] = 0;
      return [pointer, encoded.length];
    });
    const result = inside[name](...more.length ? [pointers[0][0], ...more, ...pointers.slice(1).map((p) => p[0])]
      : [...pointers.map((p) => p[0]), ...pointers.slice(-1).map((p) => p[1])]);
    pointers.forEach((p) => inside.free(p[0]));
    return result;
  }

  function textAt(pointer) {
    const all = new Uint8Array(inside.memory.buffer);
    return decoder.decode(all.subarray(pointer, all.indexOf(0, pointer)));
  }

  return {
    give(path, text) {
      if (!call("engine_give", [path, text]))
        throw new Error("out of memory");
    },
    // Returns the answer to a question, parsed; where there is none, throws an error with a message and a hint.
    ask(question) {
      const pointer = call("engine_ask", [JSON.stringify(question)]);
      if (pointer)
        return JSON.parse(textAt(pointer));
      throw Object.assign(new Error(textAt(inside.engine_message())), { hint: textAt(inside.engine_hint()) });
    },
    // Writes a number as the program does for people.
    typeset: (value, kind, currency = "") => textAt(call("engine_typeset", [kind, currency], value)),
  };
}
