// Answers the page's questions in Python, one after another; what is not yet begun gives way to a newer question.
import { loadPyodide } from "./pyodide/pyodide.mjs";
import make from "./pyodide/pyodide.asm.mjs";
import { unpack, withSnapshot } from "./python.mjs";

async function fetched(name) {
  const reply = await fetch(new URL(name, import.meta.url));
  if (!reply.ok) throw new Error(`${name}: ${reply.status} ${reply.statusText}`);
  return new Uint8Array(await new Response(reply.body.pipeThrough(new DecompressionStream("gzip"))).arrayBuffer());
}

async function begun() {
  const [snapshot, files] = await Promise.all([fetched("memory.gz"), fetched("files.gz")]);
  const python = await withSnapshot(loadPyodide, make, snapshot, { indexURL: new URL("./pyodide/", import.meta.url).href });
  unpack(python.FS, files);
  python.runPython("os.makedirs(os.environ['EASE_CACHE'], mode=0o700, exist_ok=True); os.makedirs('/home/pyodide/work', exist_ok=True); os.chdir('/home/pyodide/work')");
  return python;
}

const python = begun();
let next = null, busy = false;

self.onmessage = async (event) => {
  next = event.data;
  if (busy) return;
  busy = true;
  while (next) {
    const { id, asked } = next;
    next = null;
    let answer;
    try {
      answer = JSON.parse((await python).globals.get("answered")(JSON.stringify(asked)));
    } catch (problem) {
      answer = { error: `${problem.message ?? problem}` };
    }
    self.postMessage({ id, answer });
    await new Promise((resolve) => setTimeout(resolve)); // newer questions arrive
  }
  busy = false;
};
