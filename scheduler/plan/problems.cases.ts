/** Planning problems for tests and benchmarks: a small assay, and random workcells from a seed. */

import type { Prng } from '../../physics/math/prng.ts';
import type {
  LabwareUse,
  PlanInstrument,
  PlanLabware,
  PlanProblem,
  PlanTask,
  TimeConstraint,
} from './problem.ts';

interface Shape {
  readonly pieces: number;
  readonly steps: number;
  readonly instruments: number;
  /** Slots of each instrument. */
  readonly slots: number;
  /** Whether tasks may choose between instruments. */
  readonly choice?: boolean;
}

/** Returns a problem from the given parts; the others are empty. */
export function problemOf(parts: Partial<PlanProblem>): PlanProblem {
  return {
    instruments: [],
    tasks: [],
    labware: [],
    constraints: [],
    buffers: [],
    move_s: () => 15,
    now_s: 0,
    started: [],
    ...parts,
  };
}

export function instrument(id: string, capacity = 1, slotless = false): PlanInstrument {
  return { id, capacity, slotless };
}

/** A limit from the end of task 0 to the start of task 1, of their order alone by default. */
export const limitOf = (parts: Partial<TimeConstraint>): TimeConstraint => ({
  id: 'limit',
  from: 0,
  from_end: true,
  to: 1,
  to_end: false,
  min_s: 0,
  max_s: Number.POSITIVE_INFINITY,
  ...parts,
});

/** Returns a task on one instrument with its labware and slots. */
export function task(
  id: string,
  duration_s: number,
  rest: { on: number; uses?: readonly (readonly [number, number, number?])[]; after?: number[] },
): PlanTask {
  const uses = (rest.uses ?? []).map(
    ([labware, slot, slot_after = slot]): LabwareUse => ({ labware, slot, slot_after }),
  );
  return { id, duration_s, candidates: [rest.on], after: rest.after ?? [], uses };
}

/** Tubes and a plate through hotel, centrifuge, uncapper, peeler, pipettor, sealer: 8 tasks, 7
 * moves of 15 s. An independent solver proved that 375 s is optimal. */
export function assayProblem(): PlanProblem {
  const instruments = [
    instrument('hotel', 100),
    instrument('peeler'),
    instrument('sealer'),
    instrument('uncapper'),
    instrument('centrifuge'),
    instrument('pipettor', 2),
  ];
  const tasks = [
    task('unload tubes', 30, { on: 0, uses: [[0, 1, 0]] }),
    task('centrifuge', 60, { on: 4, uses: [[0, 1]] }),
    task('uncap', 30, { on: 3, uses: [[0, 1]] }),
    task('unload plate', 30, { on: 0, uses: [[1, 10, 0]] }),
    task('peel', 30, { on: 1, uses: [[1, 1]] }),
    task('pipette', 120, {
      on: 5,
      uses: [
        [0, 0],
        [1, 1],
      ],
    }),
    task('seal', 30, { on: 2, uses: [[1, 1]] }),
    task('load plate', 30, { on: 0, uses: [[1, 1]] }),
  ];
  const labware: PlanLabware[] = [
    { id: 'tubes', location: { instrument: 0, slot: 1 }, tasks: [0, 1, 2, 5] },
    { id: 'plate', location: { instrument: 0, slot: 10 }, tasks: [3, 4, 5, 6, 7] },
  ];
  return problemOf({ instruments, tasks, labware });
}

/** Returns a random workcell: each piece starts in its own hotel slot and visits instruments. */
export function randomProblem(random: Prng, shape: Shape): PlanProblem {
  const whole = (most: number) => Math.floor(random() * most);
  const instruments = [instrument('hotel', 100)];
  for (let i = 1; i <= shape.instruments; i++) instruments.push(instrument(`i${i}`));
  const tasks: PlanTask[] = [];
  const labware: PlanLabware[] = [];
  for (let l = 0; l < shape.pieces; l++) {
    const chain: number[] = [];
    let last = 0;
    for (let s = 0; s < shape.steps; s++) {
      let on = 1 + whole(shape.instruments);
      if (on === last) on = 1 + (on % shape.instruments);
      last = on;
      const other = 1 + whole(shape.instruments);
      const candidates = shape.choice && other !== on ? [on, other] : [on];
      const slot = 1 + whole(shape.slots);
      const after = tasks.length > 2 && random() < 0.1 ? [whole(tasks.length)] : [];
      chain.push(tasks.length);
      tasks.push({
        id: `p${l}s${s}`,
        duration_s: 10 + whole(60),
        candidates,
        after,
        uses: [{ labware: l, slot, slot_after: slot }],
      });
    }
    chain.push(tasks.length);
    tasks.push(task(`p${l}store`, 5, { on: 0, uses: [[l, l + 1]] }));
    labware.push({ id: `p${l}`, location: { instrument: 0, slot: l + 1 }, tasks: chain });
  }
  const times = instruments.map((_, i) => instruments.map((__, j) => 5 + ((i * 7 + j * 3) % 11)));
  const move_s: PlanProblem['move_s'] = (from, to) => times[from.instrument]![to.instrument]!;
  return problemOf({ instruments, tasks, labware, move_s });
}

/** Instruments of a shop: a closed centrifuge with a slot for each piece, a closed cycler, a reader, an open stand. */
const SHOP = [
  instrument('hotel', 100),
  { ...instrument('centrifuge'), closed: true },
  { ...instrument('cycler'), closed: true },
  instrument('reader'),
  instrument('stand', 2),
];

/**
 * Returns a random shop: each piece visits instruments that are exclusive or closed; about every
 * other spin takes two pieces in one task. Pieces have slots of their own.
 */
export function shopProblem(
  random: Prng,
  { pieces, steps }: Pick<Shape, 'pieces' | 'steps'>,
): PlanProblem {
  const whole = (most: number) => Math.floor(random() * most);
  const tasks: PlanTask[] = [];
  const chains = Array.from({ length: pieces }, (): number[] => []);
  const add = (name: string, on: number, own: readonly number[]) => {
    const slot = (l: number) => (on === 1 ? l + 1 : on === 4 ? 1 + (l % 2) : 1);
    for (const l of own) chains[l]!.push(tasks.length);
    const uses = own.map((l) => [l, on === 0 ? l + 1 : slot(l)] as const);
    tasks.push(task(name, 10 + whole(50), { on, uses }));
  };
  for (let s = 0; s < steps; s++) {
    const open = Array.from({ length: pieces }, (_, l) => l);
    for (let l = open.shift(); l !== undefined; l = open.shift()) {
      const on = 1 + whole(SHOP.length - 1);
      const other = on === 1 && random() < 0.5 ? open.shift() : undefined;
      add(`p${l}s${s}`, on, other === undefined ? [l] : [l, other]);
    }
  }
  for (let l = 0; l < pieces; l++) add(`p${l}store`, 0, [l]);
  const labware = chains.map((chain, l): PlanLabware => {
    return { id: `p${l}`, location: { instrument: 0, slot: l + 1 }, tasks: chain };
  });
  const times = SHOP.map((_, i) => SHOP.map((__, j) => 5 + ((i * 7 + j * 3) % 11)));
  const move_s: PlanProblem['move_s'] = (from, to) => times[from.instrument]![to.instrument]!;
  return problemOf({ instruments: SHOP, tasks, labware, move_s });
}

/** Equal pieces in a flow shop; durations up to `longest_s`. */
export interface EqualShape extends Shape {
  readonly longest_s: number;
  readonly capacity?: number;
}

/** Returns a random workcell where each piece needs the same and returns to its hotel slot. */
export function equalProblem(random: Prng, shape: EqualShape): PlanProblem {
  const { pieces, steps, instruments: count, slots, longest_s, capacity = 1 } = shape;
  const whole = (most: number) => Math.floor(random() * most);
  const chain: { on: number; slot: number; duration_s: number; other: number }[] = [];
  for (let s = 0; s < steps; s++) {
    const drawn = 1 + whole(count);
    const on = drawn === chain.at(-1)?.on ? 1 + (drawn % count) : drawn;
    const other = shape.choice && random() < 0.4 ? 1 + (on % count) : on;
    chain.push({ on, slot: 1 + whole(slots), duration_s: 1 + whole(longest_s), other });
  }
  const tasks: PlanTask[] = [];
  const labware = Array.from({ length: pieces }, (_, l): PlanLabware => {
    const first = tasks.length;
    chain.forEach(({ on, slot, duration_s, other }, s) => {
      const made = task(`p${l}s${s}`, duration_s, { on, uses: [[l, slot]] });
      tasks.push(other === on ? made : { ...made, candidates: [on, other] });
    });
    tasks.push(task(`p${l}store`, 1, { on: 0, uses: [[l, l + 1]] }));
    const own = Array.from({ length: steps + 1 }, (__, i) => first + i);
    return { id: `p${l}`, location: { instrument: 0, slot: l + 1 }, tasks: own };
  });
  const instruments = [instrument('hotel', 100)];
  for (let i = 1; i <= count; i++) instruments.push(instrument(`i${i}`, capacity));
  const longestMove = Math.max(1, Math.floor(longest_s / 4));
  const times = instruments.map(() => instruments.map(() => 1 + whole(longestMove)));
  const move_s: PlanProblem['move_s'] = (from, to) => times[from.instrument]![to.instrument]!;
  return problemOf({ instruments, tasks, labware, move_s });
}
