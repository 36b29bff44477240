// Python in a browser, or in Node to build the page: files from an archive, and memory as it was when the page was built.

export const HOME = "/home/pyodide";

export const START = `
import os, sys
sys.path.insert(0, "${HOME}/site")
os.environ["EASE_CACHE"] = "${HOME}/cache"
os.makedirs("${HOME}/work", exist_ok=True)
os.chdir("${HOME}/work")
import json
import ease.api.machine_handle, ease.api.programs, ease.api.run_difference
from ease.lab.play.answers import answer

def answered(asked):
    return json.dumps(answer(json.loads(asked)))
`;

// Write the files of a tar archive below HOME.
export function unpack(FS, bytes) {
  const text = new TextDecoder(), made = new Set();
  const word = (at, length) => text.decode(bytes.subarray(at, at + length)).replace(/\0.*$/s, "");
  for (let at = 0, longName = ""; at + 512 <= bytes.length && bytes[at]; ) {
    const size = parseInt(word(at + 124, 12), 8), kind = String.fromCharCode(bytes[at + 156]), body = at + 512;
    const prefix = word(at + 345, 155), name = longName || (prefix ? `${prefix}/` : "") + word(at, 100);
    longName = kind === "L" ? word(body, size) : "";
    if (kind === "0") {
      const path = `${HOME}/${name}`, folder = path.slice(0, path.lastIndexOf("/"));
      if (!made.has(folder)) FS.mkdirTree(folder, 0o700);
      made.add(folder);
      FS.writeFile(path, bytes.subarray(body, body + size));
    }
    at = body + Math.ceil(size / 512) * 512;
  }
}

// Load Python from `module` (pyodide.mjs) and `make` (the default of pyodide.asm.mjs), with the memory of a snapshot.
export async function withSnapshot(load, make, snapshot, options) {
  const createPyodideModule = async (settings) => {
    const made = await make(settings);
    if (made.HEAP8.length < snapshot.length) made._malloc(snapshot.length); // memory grows; what is in it will be the snapshot
    return made;
  };
  return load({ ...options, _loadSnapshot: snapshot, createPyodideModule });
}
