/**
 * The fingerprint of all build inputs: names, sizes and modification times. A deleted or an older
 * file changes it too. Does not read file contents.
 */
import { createHash } from 'node:crypto';
import { readdirSync, statSync } from 'node:fs';

const FOLDERS = [
  'arms',
  'contract',
  'conformance',
  'physics',
  'bridge',
  'server',
  'scheduler',
  'testing',
  'viewer',
];
const FILES = ['package-lock.json', 'package.json', 'tsconfig.json', 'tsconfig.build.json'];
const NOT_BUILT = /\.(test|cases|setup|spec)\.tsx?$/;

/**
 * One line per file, sorted: path, size, modification time.
 * @param {string} folder
 * @returns {string[]}
 */
function linesOf(folder) {
  const lines = [];
  const waiting = [folder];
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    for (const entry of readdirSync(at, { withFileTypes: true })) {
      const path = `${at}/${entry.name}`;
      if (entry.isDirectory()) waiting.push(path);
      else if (!NOT_BUILT.test(path)) lines.push(lineOf(path));
    }
  }
  return lines.sort();
}

/** @param {string} path */
function lineOf(path) {
  const { size, mtimeMs } = statSync(path);
  return `${path} ${size} ${mtimeMs}`;
}

/** @param {string} path */
function exists(path) {
  return statSync(path, { throwIfNoEntry: false }) !== undefined;
}

/** The fingerprint of the sources in the current folder, as hex. */
export function sourceFingerprint() {
  const lines = [
    ...FOLDERS.filter(exists).flatMap(linesOf),
    ...FILES.filter(exists).map(lineOf),
    process.versions.node.split('.')[0],
  ];
  return createHash('sha256').update(lines.join('\n')).digest('hex');
}
