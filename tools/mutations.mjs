/**
 * `npm run check mutations`: mutation testing of the server with StrykerJS. The mutants of each
 * file run against the unit tests that cover them, the conformance rules included
 * (server/rules.test.ts). All files take many hours, so results add up: docs/figures/mutations has
 * a record per file, which is valid as long as the text of the file is the same. A later call
 * continues with the files that have none, and with the mutants of a file that a call has begun
 * (node_modules/.cache). It uses the committed sources and tests.
 *
 *   --only robot,stream   these folders of server/ instead of all
 *   --files A,B           these files: their paths start with or equal A or B
 *   --shard 2/4           the second quarter of the files
 *   --minutes N           stops when N minutes are over
 *   --near                uses only the tests of the same folders, which is quick: what they notice
 *                         is noticed; the rest waits for --survivors with all tests
 *   --also A,B            with --near: these test files, too
 *   --tests A,B           uses only these test files
 *   --seconds N           a mutant meets the tests that start within N seconds of the processor
 *   --survivors           tests only the survivors that no reason accepts again, after new tests
 *   --again               measures files that have a record, too
 *   --concurrency N       test processes at the same time (default: one per core)
 *   --report              runs nothing: prints survivors and score, updates mutations.json
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { writeFormatted } from './generate/formatted.mjs';
import { keyOf, resultsIn, runStryker } from './mutations/run.mjs';
import {
  digestOf,
  openSurvivors,
  recordAgain,
  recordOf,
  scoreOf,
  unusedEntries,
} from './mutations/score.mjs';
import { prepareScratch } from './mutations/scratch.mjs';
import { nodeOf } from './package/node-versions.mjs';

/** Folders of server/, those with small pure files first. */
const FOLDERS = [
  'updates',
  'toolpaths',
  'stream',
  'sessions',
  'webhooks',
  'simulation',
  'store',
  'http',
  'robot',
  'workflow',
];
/** StrykerJS needs this major version of Node, which is newer than the oldest supported one. */
const STRYKER_NODE = 22;
const RECORDS = 'docs/figures/mutations';
const SUMMARY = 'docs/figures/mutations.json';
const CACHE = resolve('node_modules/.cache/armtwin/mutations');

/** @typedef {import('./mutations/score.mjs').SourceFile} SourceFile */
/** @type {import('./mutations/score.mjs').Accepted[]} */
const accepted = JSON.parse(readFileSync('tools/mutations/accepted.json', 'utf8'));

const TEXTS = ['only', 'files', 'shard', 'minutes', 'also', 'tests', 'seconds', 'concurrency'];
const SWITCHES = ['near', 'survivors', 'again', 'report'];

/** The flags of the call; a flag that does not exist ends it before hours of work. */
function readFlags() {
  const option = (/** @type {'string' | 'boolean'} */ type) => (/** @type {string} */ name) =>
    /** @type {const} */ ([name, { type }]);
  const options = Object.fromEntries([
    ...TEXTS.map(option('string')),
    ...SWITCHES.map(option('boolean')),
  ]);
  try {
    return parseArgs({ options }).values;
  } catch (error) {
    console.error(`${/** @type {Error} */ (error).message}`);
    console.error(
      `Flags: --${[...TEXTS, ...SWITCHES].join(', --')}; tools/mutations.mjs explains them`,
    );
    return process.exit(2);
  }
}

const FLAGS = readFlags();
const flag = (/** @type {string} */ name) =>
  /** @type {string | undefined} */ (FLAGS[name]) ?? null;
const has = (/** @type {string} */ name) => FLAGS[name] === true;
const isNear = has('near') || flag('tests') !== null;
const today = () => new Date().toISOString().slice(0, 10);

/** The committed product files of a folder, the small ones first. @param {string} folder */
function sourcesOf(folder) {
  const args = ['ls-tree', '-r', '--name-only', 'HEAD', `server/${folder}/`];
  return execFileSync('git', args, { encoding: 'utf8' })
    .split('\n')
    .filter((path) => path.endsWith('.ts') && !/\.(test|cases|setup|generated)\.ts$/.test(path))
    .map((path) => ({ path, text: execFileSync('git', ['show', `HEAD:${path}`]).toString() }))
    .sort((a, b) => a.text.length - b.text.length);
}

const recordsPath = (/** @type {string} */ folder) => `${RECORDS}/${folder}.json`;

/** @param {string} folder @returns {import('./mutations/score.mjs').FileRecords} */
function recordsOf(folder) {
  const path = recordsPath(folder);
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {};
}

/** @param {object} value */
const json = (value) => `${JSON.stringify(value, null, 2)}\n`;

/** @param {string} path @param {import('./mutations/score.mjs').FileRecord} record */
function saveRecord(path, record) {
  const folder = String(path.split('/')[1]);
  const records = { ...recordsOf(folder), [path]: record };
  const paths = Object.keys(records).filter((one) => existsSync(one));
  const sorted = Object.fromEntries(paths.sort().map((one) => [one, records[one]]));
  mkdirSync(RECORDS, { recursive: true });
  writeFormatted({ [recordsPath(folder)]: json(sorted) });
  console.log(
    `saved ${path}: ${record.killed + record.timeouts} noticed, ${record.survivors.length} not`,
  );
}

const allFiles = () => FOLDERS.flatMap(sourcesOf);

/** @param {SourceFile} file */
function openOf({ path, text }) {
  const record = recordsOf(String(path.split('/')[1]))[path];
  const isPresent = record?.text === digestOf(text);
  return {
    record,
    isPresent,
    open: isPresent ? openSurvivors({ path, text }, record, accepted) : [],
  };
}

/** The files that the flags choose and that need a measurement. */
function selectedFiles() {
  const folders = flag('only')?.split(',') ?? FOLDERS;
  const starts = flag('files')?.split(',') ?? [''];
  const [index, count] = (flag('shard') ?? '1/1').split('/').map(Number);
  return folders
    .flatMap(sourcesOf)
    .filter(({ path }) => starts.some((start) => path.startsWith(start)))
    .filter((_, i) => i % Number(count) === Number(index) - 1)
    .filter((file) => {
      const { isPresent, open } = openOf(file);
      return has('survivors') ? open.length > 0 : has('again') || !isPresent;
    });
}

/** The place of a survivor as StrykerJS takes it, with columns from 0. @param {string} at */
function rangeOf(at) {
  return at.replace(/:(\d+)/g, (_, column) => `:${Number(column) - 1}`);
}

/** Patterns of the tests that the flags choose. @param {readonly SourceFile[]} files */
function chosenTests(files) {
  const tests = flag('tests')?.split(',');
  if (tests) return tests;
  if (!has('near')) return ['{contract,server}/**/*.test.ts'];
  const folders = new Set(files.map(({ path }) => path.split('/')[1]));
  const also = flag('also')?.split(',') ?? [];
  return [...[...folders].map((folder) => `server/${folder}/**/*.test.ts`), ...also];
}

/** Places of a file that StrykerJS mutates. @param {SourceFile} file @param {string} cache */
function placesOf(file, cache) {
  const key = keyOf({ path: file.path, text: digestOf(file.text) });
  const left = has('survivors')
    ? openOf(file).open.map(({ at }) => at)
    : resultsIn(cache)
        .get(key)
        ?.left.map((id) => String(id.split(' ')[0]));
  if (left === undefined) return [file.path];
  return [...new Set(left.map((at) => `${file.path}:${rangeOf(at)}`))];
}

/** Saves the records that new results change. @param {readonly SourceFile[]} files */
function resultSaver(files) {
  const run = { date: today(), tests: /** @type {const} */ (isNear ? 'near' : 'all') };
  /** @type {Map<string, number>} */
  const saved = new Map();
  return (/** @type {ReturnType<typeof resultsIn>} */ results) => {
    for (const { path, text } of files) {
      const { mutants, left } = results.get(keyOf({ path, text: digestOf(text) })) ?? {};
      // A part of the survivors counts; a part of a file does not.
      if (!mutants || saved.get(path) === mutants.length) continue;
      if (left.length > 0 && !has('survivors')) continue;
      saved.set(path, mutants.length);
      const { record } = openOf({ path, text });
      saveRecord(
        path,
        has('survivors') ? recordAgain(record, mutants, run) : recordOf(text, mutants, run),
      );
    }
  };
}

async function measure() {
  const node = nodeOf(STRYKER_NODE);
  if ('reason' in node) throw new Error(node.reason);
  const files = selectedFiles();
  if (files.length === 0) return;
  const name = has('survivors') ? 'survivors' : isNear ? 'near' : 'all';
  const cache = `${CACHE}/${name}.jsonl`;
  if (has('survivors') || has('again')) rmSync(cache, { force: true });
  prepareScratch();
  const save = resultSaver(files);
  save(resultsIn(cache));
  const mutate = files.flatMap((file) => placesOf(file, cache));
  if (mutate.length === 0) return;
  console.log(`measuring ${files.map(({ path }) => path).join(', ')}`);
  await runStryker({
    node: node.path,
    mutate,
    tests: chosenTests(files),
    concurrency: Number(flag('concurrency') ?? availableParallelism()),
    minutes: Number(flag('minutes') ?? Number.POSITIVE_INFINITY),
    seconds: flag('seconds'),
    file: cache,
    onResults: save,
  });
}

/** Prints survivors and score of each folder, and writes the summary that documents use. */
function report() {
  const folders = FOLDERS.map((name) => {
    const { open, stale, missing, ...figures } = scoreOf(
      sourcesOf(name),
      recordsOf(name),
      accepted,
    );
    for (const { path, mutants } of open) {
      for (const { line, mutator, source, replacement, covered } of mutants) {
        const [short] = replacement.split('\n');
        const note = covered ? '' : ' (no test that was used runs it)';
        console.log(`  ${path}:${line} ${mutator}: ${source} -> ${short}${note}`);
      }
    }
    if (figures.near > 0)
      console.log(`${name}: ${figures.near} files with tests of the folder alone`);
    const rest = [...stale.map((path) => `${path} (changed)`), ...missing];
    console.log(`${name}: ${figures.noticed} of ${figures.mutants} mutants noticed,`);
    console.log(
      `  ${figures.measured} of ${figures.files} files; to measure: ${rest.join(', ') || '-'}`,
    );
    return { name, ...figures };
  });
  const records = Object.assign({}, ...FOLDERS.map(recordsOf));
  for (const { path, source } of unusedEntries(allFiles(), records, accepted)) {
    console.log(`accepted.json has an entry for no survivor: ${path}: ${source}`);
  }
  const sum = (/** @type {'noticed' | 'mutants'} */ key) =>
    folders.reduce((total, one) => total + one[key], 0);
  console.log(`${sum('noticed')} of ${sum('mutants')} mutants noticed`);
  writeFormatted({ [SUMMARY]: json({ date: today(), folders }) });
}

if (!has('report')) await measure();
report();
