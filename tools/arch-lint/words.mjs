/**
 * Words that must not come back, each with its replacement (docs/style.md). The rule reads every
 * tracked text file. It matches whole words in any case, also inside camelCase, snake_case and
 * kebab-case names, and file paths.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/**
 * @typedef {{ word: string, instead: string }} BannedWord `word`: a pattern of whole words
 * @typedef {import('./sizes.mjs').Places} Places
 */

/** @type {BannedWord[]} */
export const BANNED_WORDS = [
  { word: 'houses?', instead: 'project, repository; AppContext for the assembled services' },
  { word: 'rooms', instead: 'services, folders, modules' },
  { word: 'furnish\\w*', instead: 'create services, set up' },
  { word: 'furniture', instead: 'infrastructure' },
  { word: 'told', instead: 'published, reported, notified, passed' },
  { word: 'tells', instead: 'publishes, reports, returns, shows' },
  { word: 'whoever', instead: 'the caller, the user, a client' },
  { word: 'somebody', instead: 'a user, another user, a client' },
  { word: 'nobody', instead: 'no user, no client, anonymous' },
  { word: 'hand on the twin', instead: 'simulation control API' },
  { word: 'on wish', instead: 'on demand' },
  { word: 'anew', instead: 'again' },
  { word: 'mend(s|ed|ing)?', instead: 'fix, repair, change' },
  { word: 'stands? behind', instead: 'name the part: joint driver, cause' },
  { word: 'not to be had', instead: 'could not acquire' },
  { word: 'broken promise', instead: 'assertion failed' },
  { word: 'household', instead: 'test fixture' },
  { word: '(un)?hasten', instead: 'keepAwake, release' },
  { word: 'parcels?', instead: 'delivery' },
  { word: 'shelf', instead: 'overflow queue' },
  { word: 'couriers?', instead: 'delivery worker' },
  { word: 'crowd', instead: 'work-in-progress limit' },
  { word: 'roll call', instead: 'servo scan' },
  { word: 'goal shaper', instead: 'setpoint shaper' },
  { word: 'lasting line', instead: 'reconnecting transport' },
  { word: 'hand panel', instead: 'manual-control panel' },
  { word: 'last resort', instead: 'crash handler' },
  { word: 'start trouble', instead: 'startup errors' },
  { word: 'open (below|doors)', instead: 'createInfrastructure, listen' },
  { word: 'come up', instead: 'start, restoreInitialState' },
  { word: 'tell network', instead: 'advertiseOnNetwork' },
  { word: 'answer the rest', instead: 'fallback handlers' },
  { word: 'kept states?', instead: 'snapshot' },
  { word: 'plan patiently', instead: 'planCooperatively' },
  { word: 'thrift', instead: 'quality level' },
  { word: 'tid(y|ies|ied|ying)', instead: 'arch-lint, clean up' },
];

/** The linter itself, and text that others wrote or that is generated. */
const EXEMPT = [
  /^tools\/arch-lint\/words\.(mjs|test\.mjs)$/,
  // Names that earlier versions gave to files of a data folder.
  /^server\/store\/former-format(\.test)?\.ts$/,
  /^LICENSE$/,
  /^package-lock\.json$/,
  /^deploy\/kubernetes\/schemas\.json$/,
  /^contract\/(types|schemas\.generated)\.ts$/,
];
const TEXT = /\.(ts|mts|mjs|js|json|md|css|html|yaml|yml|txt|svg|py|toml)$|(^|\/)[A-Za-z.]+$/;
const SHOWN = 5;

/** camelCase, snake_case and kebab-case become separate words. @param {string} line */
function separated(line) {
  return line.replace(/([a-z0-9])([A-Z])/g, '$1 $2').replace(/[-_]+/g, ' ');
}

const ALL = new RegExp(`\\b(?:${BANNED_WORDS.map(({ word }) => word).join('|')})\\b`, 'gi');

/** @param {string} found */
function replacementOf(found) {
  const row = BANNED_WORDS.find(({ word }) => new RegExp(`^(?:${word})$`, 'i').test(found));
  return row?.instead ?? '';
}

/**
 * The banned words of one file: its path and its text.
 * @param {string} path
 * @param {string} text
 */
export function wordsIn(path, text) {
  /** @type {{ line: number, word: string, instead: string }[]} */
  const found = [];
  for (const [at, line] of [path, ...text.split('\n')].entries()) {
    for (const [word] of separated(line).matchAll(ALL)) {
      found.push({ line: at, word, instead: replacementOf(word) });
    }
  }
  return found;
}

/**
 * The tracked and the new text files below `root`; without git those of the source tree.
 * @param {import('./tree.mjs').Tree} tree
 * @returns {string[]}
 */
function textFiles(tree) {
  let listed = [...tree.files.keys()];
  try {
    const options = { cwd: tree.root, encoding: /** @type {const} */ ('utf8'), stdio: 'pipe' };
    const args = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
    listed = execFileSync('git', args, /** @type {any} */ (options)).split('\0');
  } catch {}
  const isFile = (/** @type {string} */ path) =>
    existsSync(join(tree.root, path)) && statSync(join(tree.root, path)).isFile();
  return [...new Set(listed)]
    .filter((path) => TEXT.test(path) && !EXEMPT.some((one) => one.test(path)))
    .filter(isFile);
}

/**
 * @param {Iterable<[string, string]>} texts path and text of each file
 * @returns {{ checked: number, places: Places }}
 */
export function findWords(texts) {
  /** @type {Places} */
  const places = new Map();
  let checked = 0;
  for (const [path, text] of texts) {
    checked++;
    const found = wordsIn(path, text);
    if (found.length === 0) continue;
    const shown = found.slice(0, SHOWN).map((one) => `${one.line}: "${one.word}" → ${one.instead}`);
    const more = found.length > SHOWN ? [`and ${found.length - SHOWN} more`] : [];
    places.set(path, { value: found.length, say: [...shown, ...more].join('; ') });
  }
  return { checked, places };
}

/** Checks every text file of the repository. @param {import('./tree.mjs').Tree} tree */
export function bannedWords(tree) {
  return findWords(
    textFiles(tree).map((path) => [path, readFileSync(join(tree.root, path), 'utf8')]),
  );
}
