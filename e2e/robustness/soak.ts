/**
 * Soak tests: long recorded runs of random toolpaths at full speed. They measure memory growth and
 * whether the replay of the recording is bit-equal. `SOAK_SHARE` runs a share of the steps.
 */
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { limits } from '../../contract/limits.ts';
import { createPrng } from '../../physics/math/prng.ts';
import { outcomeOf, type RobustnessCheck } from './check.ts';
import { BUILT, type TwinProcess, withTwinProcess } from './twin-process.ts';

const run = promisify(execFile);
const STEPS_PER_S = 1000;
/** Clock calls in a whole soak, and between two changes of the toolpath. */
const SLICES = 200;
const SLICES_PER_RUN = 4;
/**
 * Share of the steps before memory is measured: the twin keeps its latest runs, so its memory is
 * not flat before it has kept as many as it may.
 */
const WARM_UP = (1.2 * limits.robot_runs * SLICES_PER_RUN) / SLICES;
const SAMPLES = 20;

/** Starts a run with random speed and payload. */
async function startRandomRun({ arm }: TwinProcess, random: () => number): Promise<void> {
  const path = new URL('../../fixtures/toolpaths/pick-and-place.json', import.meta.url);
  const toolpath = JSON.parse(await readFile(path, 'utf8'));
  toolpath.metadata.payload = Math.round(random() * 600) / 1000;
  toolpath.metadata.default_max_speed = 0.1 + Math.round(random() * 150) / 1000;
  if ((await arm.getLock()).owner === 'none') await arm.takeLock();
  await arm.useUnsavedToolpath({ name: 'soak', toolpath });
  await arm.run({ mode: 'automatic', loop: 0 });
}

/** Ends the run, at the end of the loop or immediately. */
async function endRun({ arm }: TwinProcess, random: () => number): Promise<void> {
  if ((await arm.getLock()).owner === 'none') await arm.takeLock();
  if (random() < 0.5) await arm.stopLoop();
  else {
    await arm.pause();
    await arm.advanceClock({ seconds: 1 });
    await arm.cancel();
  }
  await arm.runUntil({ state: 'ready', limit_s: 120 });
}

interface SoakResult {
  readonly growth_mb: number;
  readonly runs: number;
  readonly wall_s: number;
}

async function soak(program: TwinProcess, seconds: number): Promise<SoakResult> {
  const random = createPrng(20261121);
  const samples: number[] = [];
  const slice_s = seconds / SLICES;
  let runs = 0;
  let passed_s = 0;
  const start_ms = performance.now();
  while (passed_s < seconds) {
    await startRandomRun(program, random);
    runs += 1;
    for (let slice = 0; slice < SLICES_PER_RUN && passed_s < seconds; slice++) {
      await program.arm.advanceClock({ seconds: slice_s });
      passed_s += slice_s;
      const due = WARM_UP * seconds + (samples.length * (1 - WARM_UP) * seconds) / SAMPLES;
      if (passed_s >= due) samples.push(await program.memory_mb());
    }
    await endRun(program, random);
  }
  const wall_s = (performance.now() - start_ms) / 1000;
  // Garbage collection varies: the minimum of each half shows the retained memory.
  const half = Math.ceil(samples.length / 2);
  const growth_mb = Math.min(...samples.slice(half)) - Math.min(...samples.slice(0, half));
  return { growth_mb, runs, wall_s };
}

async function soakAndReplay(plant: 'fast' | 'rapier', steps: number) {
  const folder = await mkdtemp(join(tmpdir(), 'armtwin-soak-'));
  const recording = join(folder, 'recording');
  const seconds = (steps * Number(process.env['SOAK_SHARE'] ?? 1)) / STEPS_PER_S;
  try {
    const flags = ['--driver', plant, '--clock', 'stepped', '--record', recording];
    const done = await withTwinProcess([...flags, '--log-level', 'silent'], (program) =>
      soak(program, seconds),
    );
    const { size } = await stat(recording);
    const start_ms = performance.now();
    const { stdout } = await run(process.execPath, [BUILT, 'replay', recording]).catch(
      (error: { stdout?: string; stderr?: string }) => ({
        stdout: `${error.stdout}${error.stderr}`,
      }),
    );
    const replay_s = (performance.now() - start_ms) / 1000;
    const sign = done.growth_mb >= 0 ? '+' : '';
    return outcomeOf(
      `${(seconds * STEPS_PER_S).toExponential(0)} plant steps in ${done.wall_s.toFixed(0)} s, ` +
        `${done.runs} random runs; memory ${sign}${done.growth_mb.toFixed(1)} MB after warm-up; ` +
        `recording of ${(size / 1e6).toFixed(1)} MB replayed in ${replay_s.toFixed(0)} s: ` +
        stdout.trim().slice(0, 120),
      { '< 5 MB': done.growth_mb < 5, 'equal to the replay': stdout.startsWith('equal') },
    );
  } finally {
    await rm(folder, { recursive: true });
  }
}

export const soakChecks: readonly RobustnessCheck[] = [
  {
    id: 'soak',
    fault: '1e7 plant steps of random runs on the fast plant, as fast as it goes',
    goal: 'memory grows by less than 5 MB after warm-up; the replay is bit-equal',
    in: null,
    run: () => soakAndReplay('fast', 1e7),
  },
  {
    id: 'soak-rapier',
    fault: '1e6 plant steps of random runs on the rigid-body engine, as fast as it goes',
    goal: 'memory grows by less than 5 MB after warm-up; the replay is bit-equal',
    in: null,
    run: () => soakAndReplay('rapier', 1e6),
  },
];
