/**
 * What a newcomer waits for, each with its goal: the second `npm start` 1.5 s, `armtwin run --
 * true` 1.5 s, a pytest with 20 tests and resets 3 s, ten clients of Foxglove 10 % of a core, also
 * with the objects of a cell in motion; with `--first`, the first `npm start` of a bare clone with
 * an empty npm cache 20 s. Exits with 1 when a goal is missed.
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { keepMoving, startProgram, streams } from './program.ts';

const STARTS = 5;
/** Outside of npm, as a user starts it. */
const env = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !/^(npm_|ARMTWIN_)/.test(name)),
);
let missed = 0;

/** Prints a value, such as 1.2 s, beside its goal. */
function judge(what: string, value: number, [goal, unit]: readonly [number, string]): void {
  const isMet = value <= goal;
  if (!isMet) missed += 1;
  console.log(`${isMet ? 'ok    ' : 'MISSED'} ${what}: ${value.toFixed(2)} ${unit}, goal ${goal}`);
}

function run(command: string, args: readonly string[]) {
  const done = spawnSync(command, args, { env, encoding: 'utf8' });
  if (done.status !== 0) throw new Error(`${command} ${args.join(' ')}: ${done.stderr}`);
  return done.stdout;
}

async function seconds(work: () => unknown): Promise<number> {
  const start_ms = performance.now();
  await work();
  return (performance.now() - start_ms) / 1000;
}

/** The median duration (s) after one round that warms the disk's cache. */
async function median(work: () => unknown): Promise<number> {
  await work();
  const all: number[] = [];
  for (let i = 0; i < STARTS; i++) all.push(await seconds(work));
  return all.toSorted((a, b) => a - b)[Math.floor(STARTS / 2)]!;
}

/** Starts a server until it prints that it is ready; the duration does not include its end. */
async function medianStart(command: string, args: readonly string[]): Promise<number> {
  const all: number[] = [];
  for (let i = 0; i <= STARTS; i++) {
    let end = async () => {};
    const start = async () => {
      const child = spawn(command, args, { env, stdio: ['ignore', 'pipe', 'ignore'] });
      end = async () => {
        child.kill('SIGTERM');
        await once(child, 'exit');
      };
      for await (const chunk of child.stdout) if (String(chunk).includes('armtwin ready')) break;
    };
    all.push(await seconds(start));
    await end();
  }
  return all.slice(1).toSorted((a, b) => a - b)[Math.floor(STARTS / 2)]!;
}

const TESTS = `import pytest

@pytest.mark.parametrize("place", range(20))
def test_go_to(twin, place):
    twin.call("POST", "/api/v1/controls/lock")
    joints = [0.02 * place, 0, 0, 0, 0, 0]
    twin.call("POST", "/api/v1/controls/go_to", {"mode": "automatic", "joints": joints})
    assert twin.until("ready")
    assert twin.joints == pytest.approx(joints, abs=1e-3)
`;

async function pytest(): Promise<void> {
  const python = ['/usr/bin/python3', 'python3'].find(
    (name) => spawnSync(name, ['-c', 'import pytest']).status === 0,
  );
  if (python === undefined) return console.log('skip   pytest: no python3 with pytest');
  const folder = mkdtempSync(join(tmpdir(), 'armtwin-bench-'));
  const file = join(folder, 'test_bench.py');
  writeFileSync(file, TESTS);
  Object.assign(env, { PYTHONPATH: join(process.cwd(), 'python') });
  const plugin = ['-p', 'pytest_armtwin.plugin', '-p', 'no:cacheprovider', '--armtwin', '.'];
  const value = await median(() => run(python, ['-m', 'pytest', '-q', ...plugin, file]));
  judge('pytest, 20 tests with resets', value, [3, 's']);
  rmSync(folder, { recursive: true });
}

async function foxglove(name: string, flags: readonly string[], toolpath: string): Promise<void> {
  const program = await startProgram(flags);
  try {
    await keepMoving(program, JSON.parse(readFileSync(toolpath, 'utf8')));
    const clients = { name: `clients of Foxglove${name}`, url: program.foxgloveUrl, count: 10 };
    const share = await streams(program, clients);
    judge(`ten clients of Foxglove${name}`, 100 * share, [10, '% of a core']);
  } finally {
    await program.stop();
  }
}

/** The first start in a bare clone, by the check that follows README. */
function first(): void {
  const output = run(process.execPath, ['tools/fresh-clone.mjs']);
  console.log(output.trim());
  judge('first npm start', Number(/first time.*: ([\d.]+) s/.exec(output)?.[1]), [20, 's']);
}

const start = ['start', '--', '--port', '0', '--token', 'bench'];
judge('second npm start', await medianStart('npm', start), [1.5, 's']);
const armtwin = ['tools/armtwin.mjs', 'run', '--', 'true'];
judge('armtwin run -- true', await median(() => run(process.execPath, armtwin)), [1.5, 's']);
await pytest();
await foxglove('', [], 'fixtures/toolpaths/pick-and-place.json');
const cell = ['--cell', 'fixtures/cells/sorter.json'];
await foxglove(', cell', cell, 'fixtures/toolpaths/sorter.json');
if (process.argv.includes('--first')) first();
process.exitCode = missed === 0 ? 0 : 1;
