/** Test code: programs of straight joint moves in cells, and a sweep of them by brute force. */

import type { Cell, CellFixture } from '../../../contract/types.generated.ts';
import { closestToBox, createBoxContact } from '../../collision/box-contact.ts';
import { BOX_HALF, compileBox, intoBox } from '../../collision/boxes.ts';
import { LINK_BODIES } from '../../collision/capsule-body.ts';
import { cylinderBoxDistance } from '../../collision/cylinder-box.ts';
import { segmentsSquared } from '../../collision/distance.ts';
import { createFrames, FLANGE_FRAME, FRAME_SIZE, forward } from '../../kinematics/forward.ts';
import { createPrng, type Prng } from '../../math/prng.ts';
import { matrixToQuaternion } from '../../math/rotation.ts';
import type { Numbers } from '../../math/vector.ts';
import { createProfile } from '../../motion/time-profile.ts';
import { END_OF_LOOP, type Program, type ProgramStep } from '../../toolpath/program.ts';
import { compileCell } from '../cell-model.ts';
import { compose, relate, turn, turnBack } from '../pose.ts';
import { overlapDepth } from '../solids/overlap.ts';
import type { Solid } from '../solids/solids.ts';
import { checkInCell } from './cell-check.ts';
import { NEAR_M } from './clearance-sweep.ts';

/** The arm points down; the grasp centre is at (0.35, -0.2, 0.13), and above it. */
export const GRASP = [-0.5191, -0.1513, -2.1669, 0, -0.8234, -0.5191];
export const ABOVE = [-0.5191, 0.0553, -1.9469, 0, -1.25, -0.5191];
export const HOME = [0, 0.3284, -2.0147, 0, -1.4553, 0];
/** The place of ABOVE and GRASP on the other side. */
export const ACROSS = [0.5191, 0.0553, -1.9469, 0, -1.25, 0.5191];
export const NEST = [0.5191, -0.1513, -2.1669, 0, -0.8234, 0.5191];

/** A tool of 100 mm along the flange. */
export const TOOL = { offsets: { x: 0, y: 0, z: 0.1 }, radius: 0.01 };

/** A step of a program: a pose to go to, or the command of the gripper. */
export type Step = readonly number[] | 'close' | 'open';

/** A program of joint moves of a second each from the first pose, at /timeline/1 and so on. */
export function programThrough(first: readonly number[], ...steps: readonly Step[]): Program {
  let from = Float64Array.from(first);
  const made = steps.map((step, i): ProgramStep => {
    const next = i === steps.length - 1 ? END_OF_LOOP : i + 1;
    const base = { at: `/timeline/${i + 1}`, cell: [], next };
    if (typeof step === 'string') {
      const io = { location: 'end_effector', type: 'digital', index: 0 } as const;
      return { ...base, kind: 'output', io, value: step === 'close' };
    }
    const automatic = createProfile(1, 1);
    automatic.knots_s[1] = 1;
    automatic.coefficients[1] = 1;
    const path = { kind: 'line', start: from, end: Float64Array.from(step) } as const;
    from = path.end;
    return {
      ...base,
      kind: 'move',
      move: { path, automatic, teach: automatic, tool_speed_m_s: 1 },
    };
  });
  return {
    home: Float64Array.from(first),
    steps: made,
    first: 0,
    payload_kg: 0,
    tool_offset_m: [0, 0, 0.1],
    analog_modes: { i0: 'voltage', i1: 'voltage', o0: 'voltage', o1: 'voltage' },
    output_on_error: null,
    default_tool_speed_m_s: 0.5,
  };
}

/** A fixture of one box whose bottom is at (x, y, z). */
export function boxAt(
  name: string,
  [x, y, z]: readonly [number, number, number],
  [a, b, c]: readonly [number, number, number],
): CellFixture {
  return { name, position: { x, y, z }, boxes: [{ size_m: { x: a, y: b, z: c } }] };
}

/** A tray with a part of 40 mm at the grasp, jaws, and what a test adds. */
export function cellWith(parts: Partial<Cell>): Cell {
  const { fixtures = [], objects = [], ...rest } = parts;
  return {
    name: 'test',
    fixtures: [boxAt('tray', [0.35, -0.2, 0], [0.2, 0.2, 0.11]), ...fixtures],
    objects: [
      {
        name: 'part',
        shape: { kind: 'box', size_m: { x: 0.04, y: 0.04, z: 0.04 } },
        mass_kg: 0.1,
        position: { x: 0.35, y: -0.2, z: 0.11 },
      },
      ...objects,
    ],
    grippers: [
      {
        kind: 'jaws',
        name: 'jaws',
        output: 'ee_d0',
        tip_m: { x: 0, y: 0, z: 0.1 },
        stroke_m: 0.06,
        force_n: 50,
        closing_time_s: 0.2,
        pad_width_m: 0.02,
        pad_height_m: 0.015,
      },
    ],
    ...rest,
  };
}

/** The findings of a program in a cell, as `part > what`, by the pointer of their step. */
export function findingsOf(cell: Cell, program: Program, tool: typeof TOOL | undefined = TOOL) {
  return checkInCell(program, compileCell(cell), tool).findings;
}

const between = (random: Prng, low: number, high: number) => low + random() * (high - low);

/** Boxes of any size and turn around the arm. */
function randomFixtures(random: Prng, count: number): CellFixture[] {
  return Array.from({ length: count }, (_, i) => {
    const away = between(random, 0.25, 0.75);
    const angle = between(random, -Math.PI, Math.PI);
    const [x, y] = [away * Math.cos(angle), away * Math.sin(angle)];
    const size = () => (random() < 0.3 ? 0.001 : between(random, 0.02, 0.3));
    const turn = () => between(random, -1, 1);
    return {
      ...boxAt(`box ${i}`, [x, y, between(random, 0, 0.6)], [size(), size(), size()]),
      orientation: { w: 1, x: turn(), y: turn(), z: turn() },
    };
  });
}

const contact = createBoxContact();
const local = new Float64Array(6);

/** Distance of links and tool from a box at a pose, by the code of planner and plants (m). */
function distancesAt(frames: Float64Array, box: Float64Array, tool: typeof TOOL) {
  let link = Number.POSITIVE_INFINITY;
  for (const body of LINK_BODIES.slice(1)) {
    closestToBox(frames, body, box, contact);
    link = Math.min(link, contact.distance_m);
  }
  const at = FRAME_SIZE * FLANGE_FRAME;
  const tip = [0, 1, 2].map((k) => frames[at + 9 + k]! + frames[at + 3 * k + 2]! * tool.offsets.z);
  intoBox(frames, at + 9, box, 0, local, 0);
  intoBox(tip, 0, box, 0, local, 3);
  return { link, tool: cylinderBoxDistance(local, tool.radius, box, BOX_HALF) };
}

/** What the check and a sweep at 1 kHz do not agree on, over random cells and programs. */
export function disagreements(seed: number, cells: number, programs: number) {
  const random = createPrng(seed);
  const wrong: string[] = [];
  let contacts = 0;
  for (let c = 0; c < cells; c++) {
    const model = compileCell({ name: 'random', fixtures: randomFixtures(random, 6) });
    const boxes = model.statics.map(({ pose, half }) => {
      const [x, y, z, w, i, j, k] = pose;
      return compileBox({
        centre: { x: x!, y: y!, z: z! },
        half: { x: half[0]!, y: half[1]!, z: half[2]! },
        orientation: { w: w!, x: i!, y: j!, z: k! },
      });
    });
    for (let p = 0; p < programs; p++) {
      const tool = { offsets: { x: 0, y: 0, z: between(random, 0.02, 0.2) }, radius: 0.02 };
      const pose = () => HOME.map((angle) => angle + between(random, -1, 1));
      const poses = [pose(), pose(), pose(), pose()] as const;
      const program = programThrough(...poses);
      const { findings } = checkInCell(program, model, tool);
      const found = new Set(
        findings.map(({ at, part, what }) => `${at} ${part === 'tool' ? 'tool' : 'link'} ${what}`),
      );
      contacts += found.size;
      wrong.push(...compare({ program, found, boxes, tool }).map((one) => `${c}.${p} ${one}`));
    }
  }
  return { wrong, contacts };
}

interface Comparison {
  readonly program: Program;
  readonly found: ReadonlySet<string>;
  readonly boxes: readonly Float64Array[];
  readonly tool: typeof TOOL;
}

/** A part that starts a move nearer than this may be in the contact of the move before (m). */
const LEFT_M = 0.006;
/** Half of the way of a fast part between two samples (m). */
const BETWEEN_SAMPLES_M = 0.001;
/** The bias of the advancement (m). */
const BIAS_M = 5e-4;
const SAMPLES = 1000;

function compare({ program, found, boxes, tool }: Comparison): string[] {
  const frames = createFrames();
  const wrong: string[] = [];
  for (const step of program.steps) {
    if (step.kind !== 'move' || step.move.path.kind !== 'line') continue;
    const { start, end } = step.move.path;
    const least = boxes.map(() => ({ link: Infinity, tool: Infinity }));
    const first = boxes.map(() => ({ link: 0, tool: 0 }));
    for (let i = 0; i <= SAMPLES; i++) {
      forward(
        start.map((angle, j) => angle + ((end[j]! - angle) * i) / SAMPLES),
        frames,
      );
      boxes.forEach((box, b) => {
        const at = distancesAt(frames, box, tool);
        if (i === 0) first[b] = at;
        for (const part of ['link', 'tool'] as const) {
          least[b]![part] = Math.min(least[b]![part], at[part]);
        }
      });
    }
    boxes.forEach((_, b) => {
      for (const part of ['link', 'tool'] as const) {
        const key = `${step.at} ${part} box ${b}`;
        const distance = least[b]![part];
        const opens = step.at === '/timeline/1' || first[b]![part] > LEFT_M;
        if (distance < NEAR_M - BIAS_M && opens && !found.has(key)) wrong.push(`missed ${key}`);
        if (distance > NEAR_M + BETWEEN_SAMPLES_M && found.has(key)) {
          wrong.push(`invented ${key}: ${distance}`);
        }
      }
    });
  }
  return wrong;
}

const CORNERS = [-1, 1].flatMap((x) => [-1, 1].flatMap((y) => [-1, 1].map((z) => [x, y, z])));
/** Both corners of each edge of a box: those that differ along one axis. */
const EDGES = CORNERS.flatMap((a, i) =>
  CORNERS.flatMap((b, j) => {
    const differing = a.filter((value, k) => value !== b[k]).length;
    return j > i && differing === 1 ? [[i, j] as const] : [];
  }),
);

function cornersOf({ half }: Solid, pose: Numbers): Float64Array {
  const corner = new Float64Array(3);
  return Float64Array.from(
    CORNERS.flatMap((signs) => {
      turn(
        pose,
        3,
        [0, 1, 2].map((k) => signs[k]! * half[k]!),
        corner,
      );
      return [0, 1, 2].map((k) => corner[k]! + pose[k]!);
    }),
  );
}

/** Least distance of the corners of a box from another one (m). */
function cornerDistance(corners: Float64Array, { half }: Solid, pose: Numbers): number {
  const point = new Float64Array(3);
  let least = Number.POSITIVE_INFINITY;
  for (let c = 0; c < corners.length; c += 3) {
    for (let k = 0; k < 3; k++) point[k] = corners[c + k]! - pose[k]!;
    turnBack(pose, 3, point, point);
    const out = [0, 1, 2].map((k) => Math.max(0, Math.abs(point[k]!) - half[k]!));
    least = Math.min(least, Math.hypot(...out));
  }
  return least;
}

/** Boxes farther apart than this need no exact distance (m). */
const FAR_M = 0.02;

/** Distance of two boxes by their corners and edges; 0 where they overlap (m). */
function boxDistance(a: Solid, p: Numbers, b: Solid, q: Numbers): number {
  const size = ({ half }: Solid) => Math.hypot(half[0]!, half[1]!, half[2]!);
  const apart = Math.hypot(p[0]! - q[0]!, p[1]! - q[1]!, p[2]! - q[2]!) - size(a) - size(b);
  if (apart > FAR_M) return apart;
  const parts = [
    { solid: a, pose: p, at: 0 },
    { solid: b, pose: q, at: 0 },
  ] as const;
  if (overlapDepth(parts[0], parts[1]) > 0) return 0;
  const [ofA, ofB] = [cornersOf(a, p), cornersOf(b, q)];
  let least = Math.min(cornerDistance(ofA, b, q), cornerDistance(ofB, a, p));
  const ends = new Float64Array(12);
  for (const [i, j] of EDGES) {
    ends.set([...ofA.subarray(3 * i, 3 * i + 3), ...ofA.subarray(3 * j, 3 * j + 3)]);
    for (const [m, n] of EDGES) {
      ends.set([...ofB.subarray(3 * m, 3 * m + 3), ...ofB.subarray(3 * n, 3 * n + 3)], 6);
      least = Math.min(least, Math.sqrt(segmentsSquared(ends, 0, ends, 6)));
    }
  }
  return least;
}

/** The pose of the flange at angles `q` (rad). */
function flangeAt(q: readonly number[]): Float64Array {
  const frames = createFrames();
  forward(q, frames);
  const at = FRAME_SIZE * FLANGE_FRAME;
  const { w, x, y, z } = matrixToQuaternion(frames, at);
  return Float64Array.of(frames[at + 9]!, frames[at + 10]!, frames[at + 11]!, w, x, y, z);
}

/** Samples of a move for what is held: fewer, as each takes longer. */
const HELD_SAMPLES = 200;
/** Half of the way of a fast held part between two of these samples (m). */
const BETWEEN_HELD_SAMPLES_M = 0.006;

/** What check and samples do not agree on for a held part that is carried among random boxes. */
export function heldDisagreements(seed: number, programs: number) {
  const random = createPrng(seed);
  const wrong: string[] = [];
  let contacts = 0;
  for (let p = 0; p < programs; p++) {
    const model = compileCell(cellWith({ fixtures: randomFixtures(random, 10) }));
    const poses = [0, 1, 2].map(() => HOME.map((angle) => angle + between(random, -0.8, 0.8)));
    const program = programThrough(ABOVE, GRASP, 'close', ABOVE, ...poses);
    const { findings } = checkInCell(program, model, TOOL);
    const found = new Set(
      findings.filter(({ isHeld }) => isHeld).map(({ at, what }) => `${at} ${what}`),
    );
    contacts += found.size;
    const part = model.bodies[0]!;
    const held = new Float64Array(7);
    relate(flangeAt(GRASP), 0, part.pose, 0, held);
    for (const step of program.steps.slice(2)) {
      if (step.kind !== 'move' || step.move.path.kind !== 'line') continue;
      const { start, end } = step.move.path;
      for (const fixture of model.statics) {
        const at = (i: number) => {
          const share = i / HELD_SAMPLES;
          const pose = new Float64Array(7);
          const q = Array.from(start, (angle, j) => angle + (end[j]! - angle) * share);
          compose(flangeAt(q), 0, held, 0, pose);
          return boxDistance(part, pose, fixture, fixture.pose);
        };
        const distances = Array.from({ length: HELD_SAMPLES + 1 }, (_, i) => at(i));
        const least = Math.min(...distances);
        const key = `${step.at} ${fixture.name}`;
        const opens = distances[0]! > LEFT_M;
        if (least < NEAR_M - BIAS_M && opens && !found.has(key)) wrong.push(`missed ${p} ${key}`);
        if (least > NEAR_M + BETWEEN_HELD_SAMPLES_M && found.has(key)) {
          wrong.push(`invented ${p} ${key}: ${least}`);
        }
      }
    }
  }
  return { wrong, contacts };
}
