// Fails the build when what a page loads at once passes its budget (gzip, in kB). Run after `vite build`.
import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";

const BUDGETS = { "src/workspace.ts": 45, "src/start.ts": 20, "src/open.ts": 20 };
const dist = new URL("../dist/", import.meta.url);
const manifest = JSON.parse(readFileSync(new URL(".vite/manifest.json", dist), "utf8"));

function files(entry, seen = new Set()) {
  if (seen.has(entry)) return seen;
  seen.add(entry);
  for (const name of manifest[entry].imports ?? []) files(name, seen);
  return seen;
}

let over = false;
for (const [entry, budget] of Object.entries(BUDGETS)) {
  const bytes = [...files(entry)]
    .map((name) => gzipSync(readFileSync(new URL(manifest[name].file, dist))).length)
    .reduce((a, b) => a + b, 0);
  const kb = bytes / 1000;
  console.log(`${entry}: ${kb.toFixed(1)} kB gzip of ${budget}`);
  over ||= kb > budget;
}
if (over) process.exit(1);
