/**
 * Pace of plants and whole robot, inverse kinematics and contact detection against their goals:
 * `npm run bench pace -- [--rounds N]`, the medians over the rounds; with 0 rounds only inverse
 * kinematics and detection run.
 */
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { REACHING, type Sweep, stepsToTrip } from '../physics/plant/detection.cases.ts';
import { createFastPlant } from '../physics/plant/fast-plant.ts';
import { createRapierPlant } from '../physics/plant/rapier-plant.ts';
import { type Figure, printFigureTable, quantileOf } from './figure-table.ts';
import { branchTimes, nearTimes } from './motion-kinematics.ts';

function flag(name: string): string | null {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? null : (process.argv[at + 1] ?? null);
}

const ROUNDS = Number(flag('rounds') ?? 3);

interface Pace {
  readonly what: string;
  /** Benchmark, and its line with the times of real time. */
  readonly bench: 'plant' | 'loop';
  readonly line: RegExp;
  readonly goal: number;
}

const PACES: readonly Pace[] = [
  {
    what: 'fast plant',
    bench: 'plant',
    line: /^fast plant: .* (\d+) x real time/,
    goal: 600,
  },
  {
    what: 'Rapier plant',
    bench: 'plant',
    line: /^rapier plant: .* (\d+) x real time/,
    goal: 45,
  },
  {
    what: 'whole robot, fast',
    bench: 'loop',
    line: /^stepped, fast, 0 clients: (\d+) x/,
    goal: 500,
  },
  {
    what: 'whole robot, Rapier',
    bench: 'loop',
    line: /^stepped, rapier, 0 clients: (\d+) x/,
    goal: 30,
  },
];

/** Runs a benchmark until all its lines are there; returns the times of real time. */
async function pacesOf(bench: Pace['bench']): Promise<Map<string, number>> {
  const wanted = PACES.filter((pace) => pace.bench === bench);
  const child = spawn(process.execPath, ['tools/setup.mjs', 'bench', bench], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const found = new Map<string, number>();
  for await (const line of createInterface({ input: child.stdout })) {
    for (const { what, line: pattern } of wanted) {
      const match = pattern.exec(line);
      if (match) found.set(what, Number(match[1]));
    }
    if (found.size === wanted.length) child.kill();
  }
  if (found.size < wanted.length) throw new Error(`bench ${bench} did not end`);
  return found;
}

async function* paceFigures(): AsyncIterable<Figure> {
  if (ROUNDS === 0) return;
  const seen = new Map<string, number[]>();
  for (let round = 0; round < ROUNDS; round++) {
    for (const bench of ['plant', 'loop'] as const) {
      for (const [what, pace] of await pacesOf(bench)) {
        seen.set(what, [...(seen.get(what) ?? []), pace]);
      }
    }
  }
  for (const { what, goal } of PACES) {
    const measured = quantileOf(seen.get(what)!, 0.5);
    yield { what, measured, goal, least: true, unit: 'x real time' };
  }
}

/** Most time until detection (ms): stiffness, flange speed, then high, medium, low. */
const DETECTIONS = [
  [25_000, 0.25, 3, 4, 6],
  [25_000, 0.75, 2, 2, 3],
  [25_000, 1.5, 1, 2, 3],
  [5000, 0.25, 7, 9, 15],
  [5000, 0.75, 3, 4, 7],
  [5000, 1.5, 2, 3, 5],
] as const;

async function* detectionFigures(): AsyncIterable<Figure> {
  const unit = 'ms, both plants';
  for (const [stiffness_n_per_m, speed_m_s, ...goals] of DETECTIONS) {
    for (const [i, level] of (['high', 'medium', 'low'] as const).entries()) {
      const sweep: Sweep = { joint: 0, stiffness_n_per_m, speed_m_s, pose: REACHING };
      const rapier = await createRapierPlant(REACHING);
      const plants = [createFastPlant(REACHING), rapier];
      const measured = Math.max(...plants.map((plant) => stepsToTrip(plant, sweep, level)));
      rapier.free();
      const what = `detection, ${stiffness_n_per_m / 1000} N/mm at ${speed_m_s} m/s, ${level}`;
      yield { what, measured, goal: goals[i]!, unit };
    }
  }
}

async function figures(): Promise<Figure[]> {
  const unit = 'µs';
  const inverse = [
    { what: 'inverse, guess within 0.2 rad, p99', measured: quantileOf(nearTimes(), 0.99) },
    { what: 'inverse, all branches, p99', measured: quantileOf(branchTimes(), 0.99) },
  ].map((row) => ({ ...row, goal: 35, unit }));
  const rows: Figure[] = [...inverse];
  for await (const row of detectionFigures()) rows.push(row);
  for await (const row of paceFigures()) rows.push(row);
  return rows;
}

const missed = printFigureTable(await figures());
console.log(missed === 0 ? 'Every goal is met.' : `${missed} goals are missed.`);
process.exitCode = missed === 0 ? 0 : 1;
