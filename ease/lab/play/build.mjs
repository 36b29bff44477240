// node build.mjs PYODIDE FILES QUESTION OUT: answer a question in Python as a browser has it, and write to OUT what it has in
// memory then, compressed.
//
// FILES: a tar archive of the packages, and of what the compiler kept on disk.  QUESTION: a file with the question as JSON.
import { readFileSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import { START, unpack } from "./python.mjs";

const [pyodide, files, question, out] = process.argv.slice(2);
try {
  const { loadPyodide } = await import(pathToFileURL(`${pyodide}/pyodide.mjs`));
  const python = await loadPyodide({ _makeSnapshot: true });
  unpack(python.FS, new Uint8Array(readFileSync(files)));
  python.runPython(START);
  const answered = python.globals.get("answered");
  process.stdout.write(answered(readFileSync(question, "utf8")));
  answered.destroy();
  python.runPython("import gc; gc.collect()");
  writeFileSync(out, gzipSync(python.makeMemorySnapshot(), { level: 9 }));
} catch (problem) {
  console.error(problem.message);
  process.exit(1);
}
