/**
 * The public Python SDK, unmodified, from the path in ARMTWIN_SDK or as installed by pip: its own
 * tests, its examples, the Python of its README, and 2,000 connects of its stream.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { TOKEN, type TwinProcess, withTwinProcess } from '../robustness/twin-process.ts';
import { ARM_OF_RUN, FLAGS, TOOLPATH } from './arm-of-run.ts';
import { runCommand, type ZooClient } from './zoo.ts';

const SDK = process.env['ARMTWIN_SDK'] ?? '';
const PYTHON = existsSync('/usr/bin/python3') ? '/usr/bin/python3' : 'python3';
const paths = [SDK, process.env['PYTHONPATH'] ?? ''].filter((path) => path !== '');
const env = { PYTHONPATH: paths.join(':') };
const CONNECTS = 2000;
/** Limit of the SDK's slow tests, which take 38 minutes, and of the connects on a busy machine. */
const LONG_RUN_MS = 3_600_000;

function imports(modules: string): boolean {
  const all = { ...process.env, ...env };
  return spawnSync(PYTHON, ['-c', `import ${modules}`], { env: all }).status === 0;
}

function missingSdk(): string | null {
  if (!imports('requests, websocket, zeroconf, semver, pytest')) {
    const names =
      'python3-requests python3-websocket python3-zeroconf python3-semver python3-pytest';
    return `apt-get install ${names}`;
  }
  return imports('evasdk') ? null : 'the SDK: set ARMTWIN_SDK to its folder, or pip install evasdk';
}

/** The SDK's sources are needed for its tests, examples and README; pip installs none of them. */
function missingSources(): string | null {
  const missing = missingSdk();
  if (missing !== null) return missing;
  return existsSync(join(SDK, 'tests', 'conftest.py'))
    ? null
    : 'ARMTWIN_SDK, the sources of the SDK';
}

/** The examples bend J5 of the default arm to -1.92 rad. */
const otherArm = () =>
  ARM_OF_RUN === null ? null : `an arm whose J5 reaches -1.92 rad, as ${ARM_OF_RUN} does not`;

const DIGITAL = ['d0', 'd1', 'd2', 'd3', 'ee_d0', 'ee_d1'] as const;

/** Runs work with a twin on port 80 where that is possible, else on a free port. */
async function onPort80(work: (twin: TwinProcess) => Promise<string>): Promise<string> {
  const flags = ['--host', '0.0.0.0', '--discover'];
  try {
    return await withTwinProcess([...flags, '--port', '80'], work);
  } catch (error) {
    if (!String(error).includes('not ready')) throw error;
    return withTwinProcess(flags, work);
  }
}

/** Whether the machine resolves a name within 5 s: the first announcement takes a second. */
async function resolves(host: string): Promise<boolean> {
  for (let tries = 0; tries < 10; tries++) {
    if (spawnSync('getent', ['hosts', host]).status === 0) return true;
    await wait(500);
  }
  return false;
}

/** The SDK's tests that cannot run here, with the reason. */
async function testsLeftOut({
  port,
  arm,
}: TwinProcess): Promise<readonly (readonly [string, string])[]> {
  const left: (readonly [string, string])[] = [];
  if (!imports('requests_mock'))
    left.push(['tests/Eva_api_test.py', 'needs python3-requests-mock']);
  const { name } = await arm.getName();
  const host = `${name.toLowerCase().replace(/[^a-z0-9]+/g, '-')}.local`;
  if (port !== 80 || !(await resolves(host))) {
    const test = 'tests/Eva_discovery_test.py::TestEva_Discovery::test_connecting';
    left.push([test, `needs port 80 and a machine that resolves .local names (${hostname()})`]);
  }
  return left;
}

/** Tests of the SDK's threads against a mock; they allow 5 ms, which other work can exceed. */
const MOCKED = 'tests/eva_locker_test.py';
const MOCKED_ATTEMPTS = 5;

/** Runs the SDK's tests; the result is the sum that pytest prints, by outcome. */
async function pytest(flags: readonly string[]): Promise<Map<string, number>> {
  const command = [PYTHON, '-m', 'pytest', '-q', '-p', 'no:cacheprovider', ...flags];
  const output = await runCommand(command, { cwd: SDK, env, limit_ms: LONG_RUN_MS });
  const sum = output
    .split('\n')
    .at(-1)!
    .replace(/ in .*/, '');
  return new Map(
    [...sum.matchAll(/(\d+) (\w+)/g)].map(([, count, outcome = '']) => [outcome, Number(count)]),
  );
}

async function mockedTests(attempt = 1): Promise<Map<string, number>> {
  try {
    return await pytest([MOCKED]);
  } catch (error) {
    if (attempt === MOCKED_ATTEMPTS) throw error;
    return mockedTests(attempt + 1);
  }
}

async function ownTests(twin: TwinProcess): Promise<string> {
  await twin.arm.setLoopback({ wires: DIGITAL.map((key) => ({ output: key, input: key })) });
  const left = await testsLeftOut(twin);
  const skips = left.flatMap(([test]) => [test.includes('::') ? '--deselect' : '--ignore', test]);
  const slow = FLAGS.includes('--slow') ? ['--runslow'] : [];
  const mocked = await mockedTests();
  const counts = await pytest([
    ...['tests', '--ignore', MOCKED, '--ip', `127.0.0.1:${twin.port}`, '--token', TOKEN],
    ...['--runrobot', '--io_loopback', ...slow, ...skips],
  ]);
  for (const [outcome, count] of mocked) counts.set(outcome, (counts.get(outcome) ?? 0) + count);
  const sum = [...counts].map(([outcome, count]) => `${count} ${outcome}`).join(', ');
  const longer = slow.length > 0 ? [] : ['2 of 38 minutes: `--slow`'];
  const why = [...left.map(([test, reason]) => `${test} ${reason}`), ...longer].join('; ');
  return why === '' ? sum : `${sum} (left out: ${why})`;
}

/** The Python of the README, with address and token in the places that it leaves open. */
async function readmeProgram(host: string): Promise<string> {
  const text = await readFile(join(SDK, 'README.md'), 'utf8');
  const blocks = [...text.matchAll(/```python\n(.*?)```/gs)].map(([, block]) => block);
  const filled = blocks
    .join('\n')
    .replaceAll("'<your_eva_IP_here>'", `'${host}'`)
    .replaceAll("'<your_token_here>'", `'${TOKEN}'`);
  return `import logging\nfrom evasdk import Eva\nhost_ip = '${host}'\n${filled}`;
}

const onTwin = (work: (twin: TwinProcess) => Promise<string>) => () => {
  return withTwinProcess(['--driver', 'fast'], work);
};

export const SDK_CLIENTS: readonly ZooClient[] = [
  {
    id: 'sdk tests',
    proves: "the public Python SDK's own tests",
    missing: missingSources,
    run: () => onPort80(ownTests),
  },
  {
    id: 'sdk examples',
    proves: "the SDK's examples and the Python of its README",
    missing: () => missingSources() ?? otherArm(),
    run: onTwin(async ({ port }) => {
      const host = `127.0.0.1:${port}`;
      const input = `${host}\n${TOKEN}\n\n`;
      for (const name of ['eva_example.py', 'http_ws_example.py']) {
        await runCommand([PYTHON, join('examples', name)], { cwd: SDK, env, input });
      }
      await runCommand([PYTHON, '-c', await readmeProgram(host)], { cwd: SDK, env });
      return '2 examples, README';
    }),
  },
  {
    id: 'sdk stream',
    proves: `${CONNECTS} connects of the SDK's stream`,
    missing: missingSdk,
    run: onTwin(({ port }) => {
      const program = fileURLToPath(new URL('programs/connect_streams.py', import.meta.url));
      const args = [`127.0.0.1:${port}`, TOKEN, String(CONNECTS), TOOLPATH];
      return runCommand([PYTHON, program, ...args], { env, limit_ms: LONG_RUN_MS });
    }),
  },
];
