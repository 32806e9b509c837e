/**
 * Random contacts with something that the robot does not know, watched for as long as a person
 * would stand beside them: the event, five seconds after it, the acknowledgement or reset, and a
 * move away (test code). D30.
 */
import { DETECTION, type Realism } from '../../physics/arm/arm-model.ts';
import { compileBox } from '../../physics/collision/boxes.ts';
import { ballLoad } from '../../physics/dynamics/load.ts';
import {
  createFrames,
  FLANGE_FRAME,
  FRAME_SIZE,
  forward,
} from '../../physics/kinematics/forward.ts';
import { createPrng, type Prng } from '../../physics/math/prng.ts';
import { EnvironmentForces } from '../../physics/plant/environment-forces.ts';
import { planGoTo } from '../../physics/toolpath/go-to.ts';
import { type ArmRun, CALLER, type DriverName, startRun } from './arm-run.cases.ts';
import { SENSITIVITIES } from './contact-choreography.cases.ts';
import { toolpathOf } from './robot-harness.cases.ts';

/** A user looks on for so long after an event, and for so long once the arm is ready again (s). */
const WATCH_S = 5;
const READY_S = 1;
/** Force that may stay at the touching place (D30). */
const BOUND_N = DETECTION.reaction.force_bound_n;
/** Half sizes of what stands in the way, a post or a wall (m). */
const HALVES_M = [0.05, 0.3] as const;
/** Share of the way of the flange to the obstacle, and least distance of its ends from there (m). */
const SHARE = 0.5;
const CLEAR_M = 0.25;
/** A flange at least so high holds its load above the floor (m). */
const ABOVE_FLOOR_M = 0.15;
const UPRIGHT = { w: 1, x: 0, y: 0, z: 0 } as const;
/** Load that is declared, and what it really weighs (kg). */
const LOADS = [
  { declared_kg: 0, real_kg: 0 },
  { declared_kg: 0.75, real_kg: 0.75 },
  { declared_kg: 0.5, real_kg: 0.75 },
] as const;

/** One contact as it was drawn. */
export interface DrawnContact {
  readonly driver: DriverName;
  readonly seed: number;
  readonly start: readonly number[];
  readonly end: readonly number[];
  readonly speed_m_s: number;
  /** The cube that stands in the way. */
  readonly position: { readonly x: number; readonly y: number; readonly z: number };
  readonly half_m: number;
  readonly stiffness_n_per_m: number;
  /** Null: detection is off. */
  readonly sensitivity: (typeof SENSITIVITIES)[number] | null;
  readonly load: (typeof LOADS)[number];
  readonly realism: Realism;
}

/** What happened. */
export interface ContactOutcome {
  /** `none` where nothing was found: the arm reached its goal and presses as it was told to. */
  readonly event: 'collision' | 'error' | 'none';
  readonly peak_n: number;
  /** Largest force in the last second of the watch (N). */
  readonly kept_n: number;
  /** States of the watch, the acknowledgement or reset, and the time after it. */
  readonly states: readonly string[];
  /** State and distance from the start (rad) after the move away. */
  readonly away: string;
  readonly apart_rad: number;
  readonly faults: readonly string[];
}

function pick<Item>(random: Prng, items: readonly Item[]): Item {
  return items[Math.floor(random() * items.length)]!;
}

/** Logarithmically uniform from `low` to `high`. */
function scaled(random: Prng, low: number, high: number): number {
  return low * Math.exp(random() * Math.log(high / low));
}

function flangeAt(joints: readonly number[]): [number, number, number] {
  const frames = createFrames();
  forward(joints, frames);
  const at = FLANGE_FRAME * FRAME_SIZE + 9;
  return [frames[at]!, frames[at + 1]!, frames[at + 2]!];
}

/** Whether the arm at these angles, or what it may carry, is in a box. */
function standsIn(joints: readonly number[], box: Float64Array): boolean {
  const environment = new EnvironmentForces();
  environment.setLoad(ballLoad(1).centre_of_mass_m);
  return environment.meets(Float64Array.from(joints), box) !== null;
}

/** The pose from `start` to `end` at a share of the way. */
function between(start: readonly number[], end: readonly number[], share: number): number[] {
  return start.map((angle, j) => angle + share * (end[j]! - angle));
}

function apart_m(a: readonly number[], b: readonly number[]): number {
  return Math.hypot(a[0]! - b[0]!, a[1]! - b[1]!, a[2]! - b[2]!);
}

type Move = Pick<DrawnContact, 'start' | 'end' | 'position' | 'half_m'>;

/** A cube whose face the flange meets on its way from `before` to `after`, and the way on (m). */
function cubeAt(before: readonly number[], after: readonly number[], half_m: number) {
  const way = before.map((from, k) => after[k]! - from);
  const axis = way.findIndex((part) => Math.abs(part) === Math.max(...way.map(Math.abs)));
  const middle = half_m > HALVES_M[0] ? half_m * Math.sign(way[axis]!) : 0;
  return { axis, middle };
}

/** A posture and a direction between which the arm may move, clear of the obstacle at its start. */
function drawMove(random: Prng, speed_m_s: number): Move {
  const half_m = pick(random, HALVES_M);
  for (;;) {
    const within = (low: number, high: number) => low + random() * (high - low);
    const start = [
      within(-2.5, 2.5),
      within(-1.3, 0.3),
      within(-1.8, -0.3),
      within(-1.5, 1.5),
      within(-1.8, 0.3),
      within(-2, 2),
    ];
    const way = [within(-1.8, 1.8), within(-1, 1), within(-1, 1), within(-1, 1), within(-1, 1), 0];
    const end = start.map((angle, j) => angle + way[j]!);
    const met = flangeAt(between(start, end, SHARE));
    const before = flangeAt(between(start, end, SHARE - 0.02));
    const { axis, middle } = cubeAt(before, met, half_m);
    if (apart_m(flangeAt(start), met) < CLEAR_M || apart_m(flangeAt(end), met) < CLEAR_M) continue;
    const centre = met.map((part, k) => part + (k === axis ? middle : 0));
    const [x, y, z] = centre as [number, number, number];
    const position = { x, y, z };
    const half = { x: half_m, y: half_m, z: half_m };
    const box = compileBox({ centre: position, half, orientation: UPRIGHT });
    if (standsIn(start, box) || flangeAt(start)[2] < ABOVE_FLOOR_M) continue;
    const options = { mode: 'automatic', max_speed: speed_m_s } as const;
    if (!planGoTo({ start, joints: end, ...options }).ok) continue;
    if (planGoTo({ start: end, joints: start, ...options }).ok) {
      return { start, end, position, half_m };
    }
  }
}

/** Draws the contact of a seed. */
export function drawContact(driver: DriverName, seed: number): DrawnContact {
  const random = createPrng(seed);
  const speed_m_s = scaled(random, 0.05, 1.5);
  return {
    driver,
    seed,
    speed_m_s,
    stiffness_n_per_m: scaled(random, 300, 1e6),
    sensitivity: random() < 0.6 ? pick(random, SENSITIVITIES) : null,
    load: pick(random, LOADS),
    realism: random() < 0.5 ? 'ideal' : 'typical',
    ...drawMove(random, speed_m_s),
  };
}

/** A robot that carries the load of a contact, with detection as drawn, and the obstacle there. */
async function setUp(contact: DrawnContact): Promise<ArmRun> {
  const { driver, realism, start, load, sensitivity, position, half_m } = contact;
  const run = await startRun(driver, { realism, start });
  const { arm } = run;
  run.apply({ kind: 'lock', caller: CALLER });
  const toolpath = toolpathOf([], { payload_kg: load.declared_kg });
  run.apply({ kind: 'load', caller: CALLER, toolpath });
  if (load.real_kg > 0) arm.world.setLoad(ballLoad(load.real_kg));
  if (sensitivity) {
    run.apply({ kind: 'collision_detection', caller: CALLER, enabled: true, sensitivity });
  }
  const half = { x: half_m, y: half_m, z: half_m };
  const { stiffness_n_per_m } = contact;
  arm.world.setObstacles([
    { name: 'obstacle', position, half, orientation: UPRIGHT, stiffness_n_per_m },
  ]);
  return run;
}

/** Plays one contact. */
export async function playContact(contact: DrawnContact): Promise<ContactOutcome> {
  const run = await setUp(contact);
  const faults: string[] = [];
  const fault = (text: string) => faults.push(text);
  run.goTo(contact.end, contact.speed_m_s);
  run.until(() => run.state !== 'running', 60);
  const found = run.state;
  const event = found === 'collision' || found === 'error' ? found : 'none';
  run.watch(WATCH_S - 1);
  const kept_n = run.watch(1);
  if (event !== 'none') {
    if (!(kept_n <= BOUND_N)) fault(`${kept_n.toFixed(1)} N kept`);
    if (run.state !== found) fault(`${found} became ${run.state}`);
    const kind = event === 'collision' ? 'acknowledge_collision' : 'reset_errors';
    const refusal = run.command({ kind, caller: CALLER });
    if (refusal) fault(`${kind}: ${JSON.stringify(refusal)}`);
    run.until(() => run.robot.memory.awaited === null);
  }
  if (run.state !== 'ready') fault(`not ready but ${run.state}: ${run.robot.memory.error}`);
  const ready_n = run.watch(READY_S);
  if (run.state !== 'ready') fault(`ready became ${run.state}: ${run.robot.memory.error}`);
  if (!run.isStill) fault('moves while ready');
  if (event !== 'none' && !(ready_n <= BOUND_N)) fault(`${ready_n.toFixed(1)} N while ready`);
  let apart_rad = Number.NaN;
  // Without an event the way back may lead through the obstacle once more.
  if (run.state === 'ready' && event !== 'none') {
    run.goTo(contact.start, 0.25);
    run.until(() => run.state !== 'running', 60);
    apart_rad = Math.max(
      ...contact.start.map((angle, j) => Math.abs(angle - run.robot.restPose[j]!)),
    );
    run.watch(READY_S);
    if (run.state !== 'ready' || !(apart_rad < 1e-6)) {
      fault(`away: ${run.state}, ${run.robot.memory.error}`);
    }
  }
  await run.arm.stop();
  const { states, peak_n, state: away } = run;
  return { event, peak_n, kept_n, states, away, apart_rad, faults };
}

/** A line of the table of contacts. */
export function lineOf(contact: DrawnContact, outcome: ContactOutcome): string {
  const { driver, seed, speed_m_s, stiffness_n_per_m, sensitivity, load, realism } = contact;
  const { event, peak_n, kept_n, faults } = outcome;
  const what = contact.half_m > HALVES_M[0] ? 'wall' : 'post';
  const cells = [
    driver.padEnd(8),
    String(seed).padStart(4),
    `${speed_m_s.toFixed(2)} m/s`,
    `${(stiffness_n_per_m / 1000).toFixed(1).padStart(6)} N/mm`,
    what,
    (sensitivity ?? 'off').padEnd(6),
    `${load.declared_kg}/${load.real_kg} kg`.padEnd(12),
    realism.padEnd(7),
    event.padEnd(9),
    `peak ${peak_n.toFixed(0).padStart(5)} N`,
    `kept ${kept_n.toFixed(1).padStart(6)} N`,
    faults.join('; '),
  ];
  return cells.join('  ').trimEnd();
}
