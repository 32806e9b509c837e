/**
 * Runs the commands with which docs/hardware.md lets one practise, on emulated servos, from top to bottom, and compares
 * what they print with what the page says one sees. Only the port and the command are replaced.
 * @module-tag ci
 */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { freePort } from './package/action.mjs';
import { isBuilt } from './setup/build.mjs';
import { readyUrl } from './setup/start.mjs';

const run = promisify(execFile);
const PAGE = readFileSync('docs/hardware.md', 'utf8');
const PRACTICE = PAGE.slice(PAGE.indexOf('**Practise'), PAGE.indexOf('\n## Wire it'));
const LINES = [...PRACTICE.matchAll(/^\.\/armtwin (.+)$/gm)].map(([, flags]) => String(flags));
const PROGRAM = isBuilt()
  ? [resolve('dist/server/main.js')]
  : ['--import', 'tsx', resolve('server/main.ts')];

let port = 0;
/** @type {import('node:child_process').ChildProcess} */
let bus;

/** @param {string} flags */
const placed = (flags) => [...PROGRAM, ...flags.replaceAll('4001', String(port)).split(' ')];

beforeAll(async () => {
  port = await freePort();
  const [first = ''] = LINES;
  bus = spawn(process.execPath, placed(first), { stdio: ['ignore', 'pipe', 'inherit'] });
  const [ready] = await once(/** @type {import('node:stream').Readable} */ (bus.stdout), 'data');
  expect(String(ready)).toBe(`armtwin bus ready tcp://127.0.0.1:${port}\n`);
}, 60_000);
afterAll(() => bus.kill());

it('docs/hardware.md has commands to practise that print what it shows', async () => {
  expect(LINES).toHaveLength(5);
  const [, look = '', lookAgain = '', start = '', release = ''] = LINES;
  const shown = PAGE.split('\n').filter((line) => /^ {3}(ID {2}MODEL|no problem found)/.test(line));
  expect(shown).toHaveLength(2);
  const { stdout } = await run(process.execPath, placed(look));
  for (const line of shown) expect(stdout).toContain(line.trim());
  const again = await run(process.execPath, placed(lookAgain));
  expect(again.stdout).toContain('The settings of the servos let the joints hold: J1 40.0 N m');

  const flags = placed(`${start} --port 0`);
  const twin = spawn(process.execPath, flags, { stdio: ['ignore', 'pipe', 'pipe'] });
  expect(await readyUrl(twin)).toMatch(/^http:/);
  twin.kill('SIGINT');
  await once(twin, 'exit');

  const released = await run(process.execPath, placed(release));
  expect(released.stdout).toMatch(/^Servo 6 has let go\n(?:.*\n)*Servo 1 has let go\n$/);
}, 170_000);
