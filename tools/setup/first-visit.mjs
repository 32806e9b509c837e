/** What a first visit of the Live page costs over the wire, and the budget that a build keeps. */
import { existsSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** @typedef {{ file: string, name?: string, imports?: string[] }} Part */

/** Bytes of all replies together, as browsers take them: compressed with brotli. */
const BUDGET = 250_000;
/** Bytes of the head of a reply: most of it are the rules of what the page may load. */
const HEAD = 1000;
/** The page, and what it loads by itself once the arm is shown, by the names of the parts. */
const PARTS = ['index', 'around-live', 'cell-layer', 'explain.css'];

/**
 * The files of parts, with everything that these import.
 * @param {Record<string, Part>} manifest the parts by their sources
 * @param {readonly string[]} names
 */
export function filesOf(manifest, names) {
  const parts = Object.entries(manifest);
  const files = new Set(['index.html']);
  const waiting = names.map((name) => {
    const found = parts.find(([source, part]) => part.name === name || source.endsWith(`/${name}`));
    if (found) return found[1];
    throw new Error(
      `the page has no part ${name}: correct the list in tools/setup/first-visit.mjs`,
    );
  });
  for (let part = waiting.pop(); part; part = waiting.pop()) {
    if (files.has(part.file)) continue;
    files.add(part.file);
    for (const source of part.imports ?? []) if (manifest[source]) waiting.push(manifest[source]);
  }
  return [...files];
}

/**
 * Why a build may not replace the last one: empty within the budget. Removes the manifest.
 * @param {string} folder the built page
 * @param {number} [budget] bytes
 */
export function firstVisitProblem(folder, budget = BUDGET) {
  const path = join(folder, 'parts.json');
  const files = filesOf(JSON.parse(readFileSync(path, 'utf8')), PARTS);
  for (const copy of ['', '.gz', '.br']) rmSync(`${path}${copy}`, { force: true });
  const sizes = files.map((file) => {
    const packed = join(folder, `${file}.br`);
    return { file, bytes: statSync(existsSync(packed) ? packed : join(folder, file)).size };
  });
  const sum = sizes.reduce((bytes, part) => bytes + HEAD + part.bytes, 0);
  if (sum <= budget) return '';
  const largest = sizes.sort((a, b) => b.bytes - a.bytes).slice(0, 5);
  return [
    `A first visit of the page costs ${sum} bytes, and its budget is ${budget}. Its largest parts:`,
    ...largest.map(({ file, bytes }) => `  ${file}: ${bytes}`),
    'Load later what the first view does not need, or load less.',
  ].join('\n');
}
