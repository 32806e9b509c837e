/**
 * `npm run check wheel`: makes the wheel, installs it in an empty virtual environment without an index, and
 * uses it there as README.md says (a path names another wheel): the command, the test of the page, and what is said without Node. Skips
 * with the reason where python3 has no venv or no pytest, which the wheel needs.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { makeWheel } from './setup/wheel.mjs';

/** @type {string[]} */
const failures = [];

/** Prints one result and records a failure. @param {boolean} holds @param {string} text */
function expectThat(holds, text) {
  console.log(`${holds ? 'ok  ' : 'FAIL'} ${text}`);
  if (!holds) failures.push(text);
}

/**
 * Runs a command in a folder with this PATH; the output of both streams.
 * @param {string[]} command @param {string} cwd @param {string} path
 */
function use([program = '', ...args], cwd, path) {
  const own = Object.entries(process.env).filter(([name]) => !/^(npm_|ARMTWIN_|PYTHON)/.test(name));
  const env = { ...Object.fromEntries(own), PATH: path };
  const { status, stdout, stderr } = spawnSync(program, args, { cwd, encoding: 'utf8', env });
  return { status, text: `${stdout}${stderr}`.trim() };
}

/** The test that README.md shows. */
function testOfReadme() {
  const found = /```py\n(def test_.*?)```/s.exec(readFileSync('README.md', 'utf8'))?.[1];
  if (found === undefined) throw new Error('README.md shows no test in Python');
  return found;
}

/** Why it cannot be tried here; empty when it can. */
function missing() {
  const done = spawnSync('python3', ['-c', 'import venv, ensurepip, pytest'], { encoding: 'utf8' });
  if (done.error) return 'python3 was not found';
  return done.status === 0 ? '' : String(done.stderr.trim().split('\n').at(-1));
}

/** @param {string} folder @param {string} wheel */
function prove(folder, wheel) {
  const path = String(process.env['PATH']);
  const place = join(folder, 'project');
  mkdirSync(place);
  // The packages of the system have pytest, which no index brings here.
  const made = use(['python3', '-m', 'venv', '--system-site-packages', 'venv'], place, path);
  if (made.status !== 0) throw new Error(made.text);
  const bin = join(place, 'venv/bin');
  const install = [join(bin, 'python'), '-m', 'pip', 'install', '--no-index', '--quiet', wheel];
  const installed = use(install, place, path);
  expectThat(installed.status === 0, `pip install of the wheel ${installed.text}`);
  // Node alone: no npm and no clone can help.
  const nodeOnly = `${bin}:${dirname(process.execPath)}:/usr/bin:/bin`;
  const version = use([join(bin, 'armtwin'), '--version'], place, nodeOnly);
  const wanted = JSON.parse(readFileSync('package.json', 'utf8')).version;
  expectThat(version.text.includes(wanted), `armtwin --version: ${version.text}`);
  writeFileSync(join(place, 'test_arm.py'), testOfReadme());
  const tested = use([join(bin, 'python'), '-m', 'pytest', '-q', 'test_arm.py'], place, nodeOnly);
  expectThat(
    /\b1 passed/.test(tested.text),
    `the test of README.md: ${tested.text.split('\n').at(-1)}`,
  );
  const noNode = use([join(bin, 'armtwin'), '--version'], place, bin);
  const says = noNode.status === 1 && noNode.text.startsWith('armtwin: Node is missing');
  expectThat(says, `without Node: ${noNode.text}`);
  const noNodeTest = use([join(bin, 'python'), '-m', 'pytest', '-q', 'test_arm.py'], place, bin);
  expectThat(
    noNodeTest.status === 1 && noNodeTest.text.includes('Node is missing'),
    `pytest without Node says the same`,
  );
}

function main() {
  const folder = mkdtempSync(join(tmpdir(), 'armtwin-wheel-'));
  try {
    const [given] = process.argv.slice(2);
    const wheel = given === undefined ? makeWheel(folder) : resolve(given);
    if (wheel === null) return 1;
    console.log(`ok   the wheel: ${(statSync(wheel).size / 2 ** 20).toFixed(1)} MB`);
    const reason = missing();
    if (reason === '') prove(folder, wheel);
    else console.log(`skipped the rest: ${reason}`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return failures.length === 0 ? 0 : 1;
}

process.exitCode = main();
