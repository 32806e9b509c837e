/**
 * Builds dist/: the program (vite) with its types (tsc), the viewer (vite) and the API
 * documentation page. Builds into a folder of its own and then replaces dist/, so a failed build
 * keeps the last good one.
 */
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip as gzipWithCallback } from 'node:zlib';
import { nextFolder, removeUnfinished, takePlace } from './built-folder.mjs';
import { firstVisitProblem } from './first-visit.mjs';
import { ensureInstalled } from './install.mjs';
import { runPackage } from './process.mjs';
import { sourceFingerprint } from './source-fingerprint.mjs';
import { declaredEntries, undeclaredImports } from './type-graph.mjs';

const brotli = promisify(brotliCompress);
const gzip = promisify(gzipWithCallback);

const DIST = 'dist';
const NEXT = nextFolder(DIST);
const PROGRAM = 'server/vite.config.ts';
/** A start needs no types: only the compilers of those who have the package read them. */
const STAMPS = { start: '.armtwin-built', all: '.armtwin-types' };

/**
 * Whether dist/ was built from the current sources.
 * @param {import('./install.mjs').Extent} [extent]
 */
export function isBuilt(extent = 'start') {
  const stamp = `${DIST}/${STAMPS[extent]}`;
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === sourceFingerprint();
}

/**
 * Writes types without a check of them, which `npm test` makes: that is most of the time. Fails if
 * users' compilers would need packages that they do not have.
 * @param {string} folder
 */
async function declareTypes(folder) {
  const args = ['-p', 'tsconfig.build.json', '--outDir', folder];
  const only = ['--noCheck', '--emitDeclarationOnly'];
  const full = ['--incremental', 'false', '--tsBuildInfoFile', 'null'];
  const done = await runPackage('typescript/bin/tsc', [...args, ...only, ...full], {
    label: 'writing types',
  });
  const { exports, devDependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
  const entries = declaredEntries(exports).map((entry) => entry.replace(/^\.\/dist/, folder));
  const problems = done.code === 0 ? undeclaredImports(entries, devDependencies) : [];
  if (problems.length === 0) return done;
  return {
    ...done,
    code: 1,
    output: problems.map((text) => `${text}, which has no types\n`).join(''),
  };
}

function bundleProgram() {
  const args = ['build', '--config', PROGRAM, '--outDir', resolve(NEXT)];
  return runPackage('vite/bin/vite.js', args, { label: 'bundling the program' });
}

async function bundleViewer() {
  if (!existsSync('viewer/index.html')) {
    return { code: 0, output: 'viewer/index.html does not exist; the viewer is not built' };
  }
  const target = ['--outDir', resolve(NEXT, 'viewer')];
  const configs = [
    ['viewer/vite.config.ts', 'bundling the viewer'],
    ['viewer/export/vite.config.ts', 'bundling the page of exports'],
  ];
  const pages = configs.map(([config = '', label = '']) =>
    runPackage('vite/bin/vite.js', ['build', '--config', config, ...target], { label }),
  );
  const parts = await Promise.all(pages);
  await compressViewer();
  const code = Math.max(...parts.map((part) => part.code));
  const problem = code === 0 ? firstVisitProblem(`${NEXT}/viewer`) : '';
  return {
    code: problem === '' ? code : 1,
    output: [...parts.map((part) => part.output), problem].join('\n'),
  };
}

const PAGE = 'server/service/http/docs-page';
const LIBRARY = 'node_modules/swagger-ui-dist';
const LIBRARY_FILES = [
  'swagger-ui.css',
  'swagger-ui-bundle.js',
  'swagger-ui-bundle.js.LICENSE.txt',
  'favicon-32x32.png',
  'LICENSE',
  'NOTICE',
];

/** Copies the API documentation page with its library, so that the server works offline. */
function copyDocsPage() {
  const target = `${NEXT}/docs-page`;
  cpSync(PAGE, target, { recursive: true });
  // The colours of the page.
  copyFileSync('viewer/styles/tokens.css', `${target}/tokens.css`);
  for (const file of LIBRARY_FILES) copyFileSync(`${LIBRARY}/${file}`, `${target}/${file}`);
}

/** Text files of the page that are worth compressing. */
const COMPRESSIBLE = /\.(?:html|js|css|svg|json)$/;

/** 11 is the best. It takes twice the time of 10, and each first visit is 3 kB smaller. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } };

/** The page for exports: fetched only to save one, and most of the time that brotli takes. */
const GZIP_ONLY = 'export.html';

/**
 * Writes a brotli and a gzip copy beside each text file of the page, several at the same time; the
 * server sends them.
 */
async function compressViewer() {
  const folder = `${NEXT}/viewer`;
  if (!existsSync(folder)) return;
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const write = async (/** @type {string} */ name) => {
    const path = `${folder}/${name}`;
    const content = readFileSync(path);
    writeFileSync(`${path}.gz`, await gzip(content, { level: 9 }));
    if (name !== GZIP_ONLY) writeFileSync(`${path}.br`, await brotli(content, BROTLI));
  };
  await Promise.all(names.filter((name) => COMPRESSIBLE.test(name)).map(write));
}

/**
 * Builds dist/ and returns the output of the tools. `code` is 0 only when all succeeded; otherwise
 * dist/ is unchanged.
 * @param {import('./install.mjs').Extent} [extent]
 * @returns {Promise<import('./process.mjs').Finished>}
 */
export async function buildNow(extent = 'all') {
  const fingerprint = sourceFingerprint();
  const start_ms = performance.now();
  removeUnfinished(DIST);
  mkdirSync(NEXT);
  const types = extent === 'all' ? [declareTypes(NEXT)] : [];
  const parts = await Promise.all([...types, bundleProgram(), bundleViewer()]);
  const code = Math.max(...parts.map((part) => part.code));
  if (code === 0) {
    copyDocsPage();
    writeFileSync(`${NEXT}/${STAMPS.start}`, fingerprint);
    if (extent === 'all') writeFileSync(`${NEXT}/${STAMPS.all}`, fingerprint);
    takePlace(NEXT, DIST);
  } else rmSync(NEXT, { recursive: true, force: true });
  return {
    code,
    output: parts.map((part) => part.output).join('\n'),
    seconds: (performance.now() - start_ms) / 1000,
  };
}

/** Adds the types to a dist/ that was built for a start. */
async function addTypes() {
  const fingerprint = sourceFingerprint();
  const done = await declareTypes(DIST);
  if (done.code === 0) writeFileSync(`${DIST}/${STAMPS.all}`, fingerprint);
  return done;
}

/**
 * Builds if a source changed since the last build, or always with `force`. Returns false, after
 * printing the output, when the build fails.
 * @param {import('./install.mjs').Extent} [extent]
 * @param {boolean} [force]
 */
export async function ensureBuilt(extent = 'all', force = false) {
  if (!force && isBuilt(extent)) return true;
  const isOnlyTypes = !force && isBuilt();
  process.stderr.write(isOnlyTypes ? 'writing types\n' : 'building\n');
  const done = await (isOnlyTypes ? addTypes() : buildNow(extent));
  if (done.code !== 0) {
    process.stderr.write(`${done.output}\nThe build failed; fix the errors above.\n`);
    return false;
  }
  process.stderr.write(`built in ${done.seconds.toFixed(1)} s\n`);
  return true;
}

/** With `--start`, only what a start needs. @param {string[]} flags */
export async function build(flags) {
  const extent = flags.includes('--start') ? 'start' : 'all';
  if (!(await ensureInstalled(extent))) return 1;
  return (await ensureBuilt(extent, flags.includes('--force'))) ? 0 : 1;
}
