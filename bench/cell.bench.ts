/**
 * Pace of the simulated drivers with a cell, as a share of their pace without one: 30 objects at
 * rest, and one held with two that a running belt pushes against a stop. The drivers take turns in
 * an order that changes, so that load on the machine meets all alike; a share is the median of the
 * rounds' shares of processor time, printed with its quartiles. Then the plan of the sorter with a
 * cell of 30 bodies, as a multiple of the plan without, and rehearsals of the sorter on the fast
 * plant and on both: by the built program, each in a process of its own, and again in this one.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { STEPS_PER_TICK } from '../bridge/arm-driver.ts';
import { createSimulatedArm } from '../bridge/simulated/simulated-arm.ts';
import type { Cell } from '../contract/types.generated.ts';
import { rehearsed } from '../server/cli/commands/rehearse.cases.ts';
import { reportOn } from '../server/cli/commands/toolpath-report.ts';
import { quantileOf, usedByChildren_s } from './figure-table.ts';

/** Rounds before the first that counts: V8 optimises the steps meanwhile. */
const WARM_UP_ROUNDS = 5;
const ROUNDS = 41;
const REHEARSALS = 7;
/** Longest cold rehearsal on the fast plant, and on both (s). */
const REHEARSAL_GOALS_S = { fast: 0.5, both: 2 } as const;
/** Plans before the first that counts, and those that count. */
const WARM_UP_PLANS = 10;
const PLANS = 41;
/** Greatest multiple of the plan without a cell. */
const PLAN_GOAL = 1.5;
const BODIES = 30;
const SORTER = 'fixtures/toolpaths/sorter.json';
const SORTER_CELL = 'fixtures/cells/sorter.json';
const US_PER_S = 1e6;
/** Ticks of a round: tens of ms on each plant, because processor time is coarse. */
const TICKS = { fast: 5000, rapier: 500 } as const;
const TICK_S = 0.004;
/** Least shares of the pace without a cell; `null` has none. */
const GOALS = {
  fast: { rest: 0.85, work: null },
  rapier: { rest: 0.9, work: 0.6 },
} as const;
/** The arm swings by twice this angle, once in so many ticks. */
const SWING_RAD = 0.15;
const SWING_TICKS = 500;
const SIDE_M = 0.04;

type Objects = NonNullable<Cell['objects']>;

function box(name: string, [x, y, z]: readonly [number, number, number]): Objects[number] {
  const shape = { kind: 'box', size_m: { x: SIDE_M, y: SIDE_M, z: SIDE_M } } as const;
  return { name, shape, mass_kg: 0.1, position: { x, y, z } };
}

/** 30 boxes on a table beyond the reach of the arm. */
const AT_REST: Cell = {
  name: '30 at rest',
  fixtures: [
    {
      name: 'table',
      position: { x: 1.1, y: 0, z: 0 },
      boxes: [{ size_m: { x: 0.6, y: 0.8, z: 0.1 } }],
    },
  ],
  objects: Array.from({ length: 30 }, (_, i) =>
    box(`box ${i}`, [0.9 + 0.1 * (i % 5), -0.25 + 0.1 * Math.floor(i / 5), 0.1]),
  ),
};

/** A box in the jaws of the upright arm, on a post that stands beside it, and two on a belt. */
const AT_WORK: Cell = {
  name: 'one held, two pushed',
  fixtures: [
    {
      name: 'stop',
      position: { x: 1.3, y: 0, z: 0 },
      boxes: [{ size_m: { x: 0.02, y: 0.2, z: 0.2 } }],
    },
  ],
  objects: [
    box('held', [1.1, 0.5, 0]),
    box('first', [1.25, 0, 0.1]),
    box('second', [1.15, 0, 0.1]),
  ],
  grippers: [
    {
      kind: 'suction',
      name: 'cup',
      output: 'ee_d0',
      tip_m: { x: 0, y: 0, z: 0.05 },
      radius_m: 0.005,
      reach_m: 0.005,
      force_n: 500,
      closing_time_s: 0.001,
    },
  ],
  conveyors: [
    {
      name: 'belt',
      position: { x: 1.1, y: 0, z: 0 },
      size_m: { x: 0.4, y: 0.2, z: 0.1 },
      speed_m_s: 0.1,
    },
  ],
};

/** Setpoints of one swing about the upright pose, which touches nothing. */
const SWING = Array.from({ length: SWING_TICKS }, (_, tick) => {
  const samples = new Float64Array(36);
  for (let row = 0; row < 6; row++) {
    const share = (tick + (row - 1) / STEPS_PER_TICK) / SWING_TICKS;
    samples.fill(SWING_RAD * (1 - Math.cos(2 * Math.PI * share)), 6 * row, 6 * row + 6);
  }
  return { mode: 'follow' as const, samples, payload_kg: 0, detection: null };
});

/** Where the flange of the upright arm is (m). */
const FLANGE_M = { x: -0.065, z: 0.8784 };

type PlantName = 'fast' | 'rapier';

/** A driver in a cell; returns the processor time of the next round (µs). */
async function driverWith(plant: PlantName, cell: Cell | null): Promise<() => number> {
  const driver = createSimulatedArm({ plant });
  await driver.start();
  driver.world.setCell(cell);
  const { cell: inside } = driver.world;
  if (inside?.hasGripper) {
    // The cup of the upright arm looks up: the box lies on it.
    const tip_m = inside.model.grippers[0]!.tip_m.z;
    inside.move(0, Float64Array.of(FLANGE_M.x, 0, FLANGE_M.z + tip_m, 1, 0, 0, 0));
    inside.setOutputs({ ee_d0: true });
    const samples = new Float64Array(36);
    driver.exchange({ mode: 'follow', samples, payload_kg: 0, detection: null }, TICK_S);
    if (inside.grippers[0]!.holds < 0) throw new Error('the cup does not hold the box');
  }
  let tick = 0;
  return () => {
    const start = process.cpuUsage();
    for (let i = 0; i < TICKS[plant]; i++) {
      tick = (tick + 1) % SWING_TICKS;
      const { fault } = driver.exchange(SWING[tick]!, TICK_S);
      if (fault) throw new Error(fault.message);
    }
    const { user, system } = process.cpuUsage(start);
    if (inside?.hasGripper && inside.grippers[0]!.holds < 0) throw new Error('the box was lost');
    return user + system;
  };
}

/** Times of the rounds (µs) of every driver; the one that begins changes. */
function timesOf(drivers: readonly (() => number)[]): number[][] {
  const times: number[][] = drivers.map(() => []);
  for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round++) {
    for (let k = 0; k < drivers.length; k++) {
      const i = (k + round + WARM_UP_ROUNDS) % drivers.length;
      const time_us = drivers[i]!();
      if (round >= 0) times[i]!.push(time_us);
    }
  }
  return times;
}

let missed = 0;
for (const plant of ['fast', 'rapier'] as const) {
  const bodies = [null, AT_REST, AT_WORK];
  const drivers = await Promise.all(bodies.map((cell) => driverWith(plant, cell)));
  const [plain, ...others] = timesOf(drivers) as [number[], ...number[][]];
  const stepOf = (times: readonly number[]) =>
    `${(quantileOf(times, 0.5) / (STEPS_PER_TICK * TICKS[plant])).toFixed(2)} µs a step`;
  console.log(`${plant}, without a cell: ${stepOf(plain)}`);
  others.forEach((times, i) => {
    const shares = times.map((time_us, round) => plain[round]! / time_us);
    const [low, share, high] = [0.25, 0.5, 0.75].map((part) => quantileOf(shares, part));
    const goal = GOALS[plant][i === 0 ? 'rest' : 'work'];
    const isMet = goal === null || share! >= goal;
    if (!isMet) missed += 1;
    const verdict = goal === null ? 'no goal' : `goal ${goal}: ${isMet ? 'met' : 'MISSED'}`;
    const spread = `quartiles ${low!.toFixed(2)} to ${high!.toFixed(2)}`;
    const name = bodies[i + 1]!.name;
    console.log(
      `${plant}, ${name}: ${share!.toFixed(2)} x (${spread}), ${stepOf(times)}; ${verdict}`,
    );
  });
}

/** The sorter's cell with boxes on the floor around the arm, 30 bodies in all. */
function crowdedCell(): Cell {
  const sorter = JSON.parse(readFileSync(SORTER_CELL, 'utf8')) as Cell;
  const { fixtures = [], objects = [], conveyors = [] } = sorter;
  const count = BODIES - fixtures.length - objects.length - conveyors.length;
  const boxes = Array.from({ length: count }, (_, i) => {
    const angle = (2 * Math.PI) / 3 + (Math.PI / 12) * (i % 8);
    const radius_m = 0.45 + 0.15 * Math.floor(i / 8);
    return box(`box ${i}`, [radius_m * Math.cos(angle), radius_m * Math.sin(angle), 0]);
  });
  return { ...sorter, objects: [...objects, ...boxes] };
}

/** Processor time of a plan of the sorter (µs). */
function plan(cell?: Cell): () => number {
  return () => {
    const start = process.cpuUsage();
    const { ok, errors } = reportOn({ file: SORTER, cell });
    const { user, system } = process.cpuUsage(start);
    if (!ok) throw new Error(`the sorter meets something: ${errors[0]?.problem}`);
    return user + system;
  };
}

{
  const plans = [plan(), plan(crowdedCell())] as const;
  for (let i = 0; i < WARM_UP_PLANS; i++) for (const each of plans) each();
  const shares: number[] = [];
  const plain_us: number[] = [];
  for (let i = 0; i < PLANS; i++) {
    const [without, within] = [plans[0](), plans[1]()];
    plain_us.push(without);
    shares.push(within / without);
  }
  const [low, share, high] = [0.25, 0.5, 0.75].map((part) => quantileOf(shares, part));
  if (share! > PLAN_GOAL) missed += 1;
  console.log(
    `plan of the sorter in a cell of ${BODIES} bodies: ${share!.toFixed(2)} x of that without ` +
      `(quartiles ${low!.toFixed(2)} to ${high!.toFixed(2)}), which takes ` +
      `${(quantileOf(plain_us, 0.5) / 1000).toFixed(1)} ms; goal ${PLAN_GOAL}: ` +
      `${share! > PLAN_GOAL ? 'MISSED' : 'met'}`,
  );
}

/** Wall and processor time (s). */
type Times = readonly [number, number];
type Plants = keyof typeof REHEARSAL_GOALS_S;

/** Rehearses the sorter as a user does: the built program, in a process of its own. */
function rehearseCold(plants: Plants): Times {
  const [start_ms, before_s] = [performance.now(), usedByChildren_s()];
  const driver = plants === 'fast' ? ['--driver', 'fast'] : [];
  const command = ['dist/server/main.js', 'rehearse', SORTER, '--cell', SORTER_CELL, ...driver];
  execFileSync(process.execPath, command, { stdio: ['ignore', 'ignore', 'inherit'] });
  return [(performance.now() - start_ms) / 1000, usedByChildren_s() - before_s];
}

/** Rehearses the sorter in this process. */
async function rehearseHere(plants: Plants): Promise<Times> {
  const [start_ms, before] = [performance.now(), process.cpuUsage()];
  const driver = plants === 'fast' ? 'fast' : 'default';
  const { code, err } = await rehearsed('sorter', SORTER, { driver });
  const { user, system } = process.cpuUsage(before);
  if (code !== 0) throw new Error(`the sorter does not work: ${err}`);
  return [(performance.now() - start_ms) / 1000, (user + system) / US_PER_S];
}

/** The median of the times, as text. */
function usual(times: readonly Times[]): string {
  const [wall_s, processor_s] = [0, 1].map((k) =>
    quantileOf(
      times.map((one) => one[k]!),
      0.5,
    ),
  );
  return `${wall_s!.toFixed(2)} s (processor ${processor_s!.toFixed(2)} s)`;
}

for (const plants of ['fast', 'both'] as const) {
  const goal_s = REHEARSAL_GOALS_S[plants];
  const cold = Array.from({ length: REHEARSALS }, () => rehearseCold(plants));
  const wall_s = quantileOf(
    cold.map(([wall]) => wall),
    0.5,
  );
  if (wall_s > goal_s) missed += 1;
  const verdict = wall_s > goal_s ? 'MISSED' : 'met';
  const name = `rehearsal of the sorter, ${plants}`;
  console.log(`${name}, cold: ${usual(cold)}; goal ${goal_s} s: ${verdict}`);
  await rehearseHere(plants);
  const warm: Times[] = [];
  for (let i = 0; i < REHEARSALS; i++) warm.push(await rehearseHere(plants));
  console.log(`${name}, again in one process: ${usual(warm)}`);
}
process.exit(missed === 0 ? 0 : 1);
