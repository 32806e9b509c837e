/**
 * `npm run build:demo [-- FOLDER]`: a static site with a recorded run and a toolpath that the visitor edits, for
 * any host of files. It needs no twin; the recording is made here, by the program, on the fast plant.
 */
import { spawnSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { runPackage } from './process.mjs';
import { ensureProgram } from './start.mjs';

const RUN = ['fixtures/toolpaths/pick-and-place.json', '--cell', 'fixtures/cells/trays.json'];
const DOCUMENT = /(<script type="application\/json" id="armtwin-document">)(.*?)(<\/script>)/s;

/** The recording that `armtwin rehearse --html` embeds, with its report. */
function recordedRun() {
  const folder = mkdtempSync(join(tmpdir(), 'armtwin-demo-'));
  try {
    const page = join(folder, 'run.html');
    const args = ['dist/server/main.js', 'rehearse', ...RUN, '--driver', 'fast', '--html', page];
    const done = spawnSync(process.execPath, args, { encoding: 'utf8' });
    if (done.status !== 0) throw new Error(`the run cannot be recorded:\n${done.stderr}`);
    const text = DOCUMENT.exec(readFileSync(page, 'utf8'))?.[2] ?? 'null';
    if (text === 'null') throw new Error('the page of the run has no recording');
    return text;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The size of all files, each compressed as servers of files do (bytes). @param {string} folder */
export function compressedBytes(folder) {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const files = names.map((name) => join(folder, name)).filter((path) => statSync(path).isFile());
  return files.reduce((sum, path) => {
    const content = readFileSync(path);
    const isPacked = /\.(woff2|png|jpg|webp)$/.test(path);
    return sum + (isPacked ? content.length : gzipSync(content, { level: 9 }).length);
  }, 0);
}

/** Builds the site into a folder; false after printing why not. @param {string} folder */
export async function buildDemo(folder) {
  const args = ['build', '--config', 'viewer/demo/vite.config.ts', '--outDir', resolve(folder)];
  const done = await runPackage('vite/bin/vite.js', [...args, '--emptyOutDir'], {
    label: 'bundling the demo',
  });
  if (done.code !== 0) {
    process.stderr.write(done.output);
    return false;
  }
  const page = join(folder, 'index.html');
  const recording = recordedRun();
  const text = readFileSync(page, 'utf8');
  if (!DOCUMENT.test(text)) throw new Error(`${page} has no place for the recording`);
  writeFileSync(
    page,
    text.replace(DOCUMENT, (_all, open, _null, close) => open + recording + close),
  );
  return true;
}

/** `npm run build:demo [-- FOLDER]` */
export async function demoSite(/** @type {string[]} */ [folder = 'demo']) {
  if (!(await ensureProgram('start'))) return 1;
  mkdirSync(folder, { recursive: true });
  if (!(await buildDemo(folder))) return 1;
  const size = (compressedBytes(folder) / 2 ** 20).toFixed(2);
  console.log(
    `${folder}/index.html and its files: ${size} MB compressed. Serve the folder as it is.`,
  );
  return 0;
}
