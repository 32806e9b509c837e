/**
 * Pace of the simulated drivers with a cell, as a share of their pace without one: 30 objects at
 * rest, and one held with two that a running belt pushes against a stop. The drivers take turns,
 * so that load on the machine meets all alike. Then rehearsals of the sorter on the fast plant:
 * planning and run, without the start of a process.
 */
import { createSimulatedArm } from '../bridge/simulated-arm.ts';
import type { Cell } from '../contract/types.ts';
import { rehearsed } from '../server/cli/commands/rehearse.cases.ts';

const ROUNDS = 11;
const REHEARSALS = 7;
const US_PER_S = 1e6;
const TICKS = 500;
/** The arm swings by twice this angle, once in so many radians a second. */
const SWING_RAD = 0.15;
const RATE_PER_S = 3;
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

/** Setpoints of a swing about the upright pose, which touches nothing; `tick` counts from 0. */
function setpoints(first: number) {
  return Array.from({ length: TICKS }, (_, i) => {
    const samples = new Float64Array(36);
    for (let row = 0; row < 6; row++) {
      const time_s = (first + i) * 0.004 + (row - 1) * 0.001;
      samples.fill(SWING_RAD * (1 - Math.cos(RATE_PER_S * time_s)), 6 * row, 6 * row + 6);
    }
    return { mode: 'follow' as const, samples, payload_kg: 0, detection: null };
  });
}

/** Where the flange of the upright arm is (m). */
const FLANGE_M = { x: -0.065, z: 0.8784 };

/** A driver in a cell; returns the processor time of the next round (µs). */
async function driverWith(plant: 'fast' | 'rapier', cell: Cell | null): Promise<() => number> {
  const driver = createSimulatedArm({ plant });
  await driver.start();
  driver.world.setCell(cell);
  let first = 1;
  const { cell: inside } = driver.world;
  if (inside?.hasGripper) {
    // The cup of the upright arm looks up: the box lies on it.
    const tip_m = inside.model.grippers[0]!.description.tip_m.z;
    inside.move(0, Float64Array.of(FLANGE_M.x, 0, FLANGE_M.z + tip_m, 1, 0, 0, 0));
    inside.setOutputs({ ee_d0: true });
    const samples = new Float64Array(36);
    driver.exchange({ mode: 'follow', samples, payload_kg: 0, detection: null }, 0.004);
    if (inside.grippers[0]!.holds < 0) throw new Error('the cup does not hold the box');
  }
  return () => {
    const round = setpoints(first);
    first += TICKS;
    const start = process.cpuUsage();
    for (const setpoint of round) {
      const { fault } = driver.exchange(setpoint, 0.004);
      if (fault) throw new Error(fault.message);
    }
    const { user, system } = process.cpuUsage(start);
    if (inside?.hasGripper && inside.grippers[0]!.holds < 0) throw new Error('the box was lost');
    return user + system;
  };
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
}

for (const plant of ['fast', 'rapier'] as const) {
  const bodies = [null, AT_REST, AT_WORK];
  const drivers = await Promise.all(bodies.map((cell) => driverWith(plant, cell)));
  const times: number[][] = drivers.map(() => []);
  for (let round = 0; round < ROUNDS; round++) {
    drivers.forEach((run, i) => {
      times[i]!.push(run());
    });
  }
  const [plain, ...others] = times.map(median) as [number, ...number[]];
  others.forEach((time_us, i) => {
    const name = bodies[i + 1]!.name;
    const each_us = (time_us / (4 * TICKS)).toFixed(2);
    console.log(`${plant}, ${name}: ${(plain / time_us).toFixed(2)} x, ${each_us} µs a step`);
  });
}

/** Rehearses the sorter; returns wall and processor time (s). */
async function rehearseSorter(): Promise<readonly [number, number]> {
  const [start_ms, before] = [performance.now(), process.cpuUsage()];
  const { code, err } = await rehearsed('sorter', 'fixtures/toolpaths/sorter.json');
  const { user, system } = process.cpuUsage(before);
  if (code !== 0) throw new Error(`the sorter does not work: ${err}`);
  return [(performance.now() - start_ms) / 1000, (user + system) / US_PER_S];
}

const text = ([wall_s, cpu_s]: readonly [number, number]) =>
  `${wall_s.toFixed(2)} s (processor ${cpu_s.toFixed(2)} s)`;
const first = await rehearseSorter();
const later: (readonly [number, number])[] = [];
for (let i = 0; i < REHEARSALS; i++) later.push(await rehearseSorter());
const usual = [0, 1].map((k) => median(later.map((times) => times[k]!))) as [number, number];
console.log(`rehearsal of the sorter: first ${text(first)}, then ${text(usual)}`);
process.exit(0);
