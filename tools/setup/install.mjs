/**
 * Installs the packages of package-lock.json if needed: all, or in a bare clone only those of a
 * start. A stamp file makes the usual check one hash; npm's record of installed packages covers a
 * manual `npm ci`.
 */
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { runToEnd } from './process.mjs';
import { packagesOfStart } from './start-packages.mjs';
import { inTurn } from './turn.mjs';

const MANIFEST = 'package.json';
const LOCK = 'package-lock.json';
const SETTINGS = '.npmrc';
const INSTALLED = 'node_modules';
const STAMP = `${INSTALLED}/.armtwin-installed`;
const NPM_RECORD = `${INSTALLED}/.package-lock.json`;
/** Names the process that installs. */
const TURN = 'node_modules.turn';
/** Where the packages of a start are installed before they move to node_modules. */
const NEXT = 'node_modules.next';

/** @typedef {'all' | 'start'} Extent of what is installed */

/** @param {string} path */
function readOrEmpty(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

/** Whether the folder of packages is a link: it belongs to another tree, and npm ci empties it. */
export function isLinked(path = 'node_modules') {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
}

/** @typedef {{ version?: string, integrity?: string, optional?: boolean, link?: boolean }} Entry */

/**
 * Whether npm's record has every non-optional package of the lock with the same version and
 * integrity. Optional packages may be missing on other platforms.
 * @param {string} lock text of package-lock.json
 * @param {string} record text of node_modules/.package-lock.json
 */
export function recordMatchesLock(lock, record) {
  if (record === '') return false;
  /** @type {Record<string, Entry>} */
  const wanted = JSON.parse(lock).packages;
  /** @type {Record<string, Entry>} */
  const present = JSON.parse(record).packages;
  return Object.entries(wanted).every(([path, entry]) => {
    if (path === '' || entry.optional === true || entry.link === true) return true;
    const found = present[path];
    return found?.version === entry.version && found?.integrity === entry.integrity;
  });
}

/** @param {string} lock @param {Extent} extent */
function stampOf(lock, extent) {
  const hash = createHash('sha256').update(lock).digest('hex');
  return extent === 'all' ? `${hash}\n` : `${hash} ${extent}\n`;
}

/**
 * Installs the packages when node_modules differs from the lock; a linked node_modules is used as
 * it is. For a start, a folder with other packages than those of a start gets all. Returns false,
 * after printing the output of npm, when that fails.
 * @param {Extent} [extent]
 */
export async function ensureInstalled(extent = 'all') {
  if (isLinked() || isInstalled(extent)) return true;
  return inTurn(TURN, 'installs packages', async () => isInstalled(extent) || installNow(extent));
}

/** @param {Extent} extent */
function isInstalled(extent) {
  const lock = readFileSync(LOCK, 'utf8');
  const stamp = readOrEmpty(STAMP);
  const all = stampOf(lock, 'all');
  const ofStart = stampOf(lock, 'start');
  if (stamp === all || (extent === 'start' && stamp === ofStart)) return true;
  if (!recordMatchesLock(lock, readOrEmpty(NPM_RECORD))) return false;
  writeFileSync(STAMP, all);
  return true;
}

/** @param {Extent} extent */
async function installNow(extent) {
  const lock = readFileSync(LOCK, 'utf8');
  const stamp = readOrEmpty(STAMP);
  const isForStart = extent === 'start' && (stamp.endsWith(' start\n') || !existsSync(INSTALLED));
  if (!(await (isForStart ? installForStart(lock) : npmInstall('.')))) return false;
  writeFileSync(STAMP, stampOf(lock, isForStart ? 'start' : 'all'));
  return true;
}

/** Installs beside node_modules, so that a failure leaves what was there. @param {string} lock */
async function installForStart(lock) {
  const packages = packagesOfStart(readFileSync(MANIFEST, 'utf8'), lock);
  rmSync(NEXT, { recursive: true, force: true });
  mkdirSync(NEXT);
  try {
    writeFileSync(`${NEXT}/${MANIFEST}`, packages.manifest);
    writeFileSync(`${NEXT}/${LOCK}`, packages.lock);
    if (existsSync(SETTINGS)) cpSync(SETTINGS, `${NEXT}/${SETTINGS}`);
    if (!(await npmInstall(NEXT))) return false;
    rmSync(INSTALLED, { recursive: true, force: true });
    renameSync(`${NEXT}/${INSTALLED}`, INSTALLED);
    return true;
  } finally {
    rmSync(NEXT, { recursive: true, force: true });
  }
}

/** What npm says where it does not reach the registry, or gets no answer that it can use. */
const UNREACHABLE =
  /E(?:NOTFOUND|AI_AGAIN|CONNREFUSED|CONNRESET|TIMEDOUT|HOSTUNREACH|NETUNREACH|SOCKETTIMEOUT)/;
/** A line of a stack trace, or of a property of an error. */
const TRACE = /^npm (?:error|ERR!)(?:\s{3,}(?:at |\w+: )| \}|$)/;

/**
 * What to do about an installation that has failed, below what npm says.
 * @param {{ code: number, output: string }} done
 */
export function installProblem({ code, output }) {
  const said = output.split('\n').filter((line) => !TRACE.test(line));
  const advice = UNREACHABLE.test(output)
    ? 'npm does not reach its registry: check the network and the proxy (npm config get proxy). Without a network,\n' +
      'copy the folder node_modules of a clone of the same version, and start again.'
    : 'If the lock misses a package, run npm run generate lockfile.';
  return `${said.join('\n')}\nnpm ci failed with exit code ${code}. ${advice}\n`;
}

/** @param {string} folder */
async function npmInstall(folder) {
  const which = folder === NEXT ? 'the packages of a start' : 'all packages';
  process.stderr.write(`installing ${which}: npm ci --ignore-scripts\n`);
  // No package's own script runs: one of them reports the installation to its maker, and the binaries of
  // the others come with their packages. The lock names each by its hash, so that npm's cache serves.
  const flags = ['--ignore-scripts', '--prefer-offline', '--include=dev'];
  const args = ['ci', ...flags, '--prefix', folder];
  const done = await runToEnd('npm', args, { label: 'npm ci' });
  if (done.code === 0) {
    process.stderr.write(`installed in ${done.seconds.toFixed(1)} s\n`);
    return true;
  }
  process.stderr.write(installProblem(done));
  return false;
}

/**
 * The command `install`, which the Dockerfile uses for its package layer.
 * @param {string[]} flags
 */
export async function install(flags) {
  return (await ensureInstalled(flags.includes('--start') ? 'start' : 'all')) ? 0 : 1;
}
