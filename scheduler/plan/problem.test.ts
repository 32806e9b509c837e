/** Places and names of a problem, and its equal units: which work counts as equal. */
import { beforeEach, describe, expect, it } from 'vitest';
import { equalUnits } from './equal-units.ts';
import {
  holdsLocation,
  moveName,
  type PlanLabware,
  type PlanProblem,
  type PlanTask,
  type TimeConstraint,
} from './problem.ts';
import { instrument, problemOf, task } from './problems.cases.ts';
import { isSameLocation } from './slot-location.ts';

const at = (on: number, slot: number) => ({ instrument: on, slot });

describe('locations', () => {
  it.each([
    [at(1, 2), at(1, 2), true],
    [at(1, 2), at(1, 3), false],
    [at(1, 2), at(2, 2), false],
    [at(1, 2), at(2, 1), false],
  ])('%o and %o are the same: %s', (one, other, expected) => {
    expect(isSameLocation(one, other)).toBe(expected);
  });

  it.each([
    [at(0, 2), at(0, 2), true],
    [at(0, 2), at(0, 1), false],
    // The bin holds any number of pieces.
    [at(1, 2), at(1, 2), false],
  ])('a piece in %o holds %o: %s', (location, other, expected) => {
    const instruments = [instrument('hotel', 9), instrument('bin', 9, true)];
    expect(holdsLocation({ instruments }, { location }, other)).toBe(expected);
  });
});

describe('the name of a move', () => {
  const names = { labware: [{ id: 'p' }, { id: 'q' }], tasks: [task('wash', 1, { on: 0 })] };
  const move = { labware: 1, from: at(0, 1), to: at(0, 2), start_s: 0, end_s: 1 };

  it.each([
    [{ ...move, task: 0 }, 'move q for wash'],
    [{ ...move, task: -1 }, 'move q for its place'],
    [{ ...move, task: 0, toBuffer: true }, 'move q to a buffer'],
    [{ ...move, task: 0, toBuffer: false }, 'move q for wash'],
  ])('of %o is %s', (given, expected) => {
    expect(moveName(names, given)).toBe(expected);
  });
});

type Changed<Row> = { -readonly [Key in keyof Row]: Row[Key] };

/** The parts of a problem that tests change. */
interface Parts {
  tasks: Changed<PlanTask>[];
  labware: Changed<PlanLabware>[];
  constraints: TimeConstraint[];
}

const HOTEL = 0;
const WASHER = 1;
const READER = 2;
const BIN = 3;
const WITH_SLOTS = [instrument('hotel', 9), instrument('washer'), instrument('reader', 9)];
const BAG = 4;
const INSTRUMENTS = [...WITH_SLOTS, instrument('bin', 9, true), instrument('bag', 9, true)];

let parts: Parts;

/** Three plates: washed in the same slot, read in their own, and kept where they came from. */
beforeEach(() => {
  parts = { tasks: [], labware: [], constraints: [] };
  for (const l of [0, 1, 2]) {
    const first = 3 * l;
    parts.tasks.push(
      task(`wash ${l}`, 20, { on: WASHER, uses: [[l, 1]] }),
      task(`read ${l}`, 10, { on: READER, uses: [[l, l + 1]], after: [first] }),
      task(`keep ${l}`, 5, { on: HOTEL, uses: [[l, l + 1]], after: [first, first + 1] }),
    );
    const tasks = [first, first + 1, first + 2];
    parts.labware.push({ id: `p${l}`, location: at(HOTEL, l + 1), tasks });
  }
});

const unitsOf = (rest: Partial<PlanProblem> = {}) =>
  equalUnits(problemOf({ instruments: INSTRUMENTS, ...parts, ...rest }));

function limit(from: number, to: number, rest: Partial<TimeConstraint> = {}): TimeConstraint {
  const ends = { from_end: true, to_end: false, min_s: 0, max_s: 60 };
  return { id: `${from} to ${to}`, from, to, ...ends, ...rest };
}

/** The use of a plate by a task from one slot to another. */
const use = (labware: number, slot: number, slot_after = slot) => ({ labware, slot, slot_after });

describe('equal units', () => {
  it('have the tasks and pieces of each plate, and the slots that they share', () => {
    expect(unitsOf()).toEqual({
      units: [
        { tasks: [0, 1, 2], pieces: [0] },
        { tasks: [3, 4, 5], pieces: [1] },
        { tasks: [6, 7, 8], pieces: [2] },
      ],
      shared: new Set(['1/1']),
    });
  });

  it('are at least three', () => {
    expect(unitsOf({ tasks: parts.tasks.slice(0, 6), labware: parts.labware.slice(0, 2) })).toBe(
      null,
    );
    expect(unitsOf({ tasks: [], labware: [] })).toBeNull();
  });

  it('have labware', () => {
    const tasks = [0, 1, 2].map((i) => task(`t${i}`, 10, { on: READER }));
    expect(unitsOf({ tasks, labware: [] })).toBeNull();
  });

  it('leave out pieces without tasks', () => {
    parts.labware.push({ id: 'static', location: at(HOTEL, 9), tasks: [] });
    expect(unitsOf()?.units.map(({ pieces }) => pieces)).toEqual([[0], [1], [2]]);
  });

  it('are the work of all tasks', () => {
    parts.tasks.push(task('clean', 10, { on: WASHER }));
    expect(unitsOf()).toBeNull();
  });

  it('begin with those of the highest rank, in the order of the problem at equal rank', () => {
    const job = (rank: number, tasks: number[]) => ({ rank, tasks, weight: 1, due_s: 99 });
    const firstTasks = (jobs: PlanProblem['jobs']) =>
      unitsOf(jobs && { jobs })?.units.map(({ tasks }) => tasks[0]);
    expect(firstTasks([job(1, [0, 1, 2]), job(2, [3, 4, 5, 6, 7, 8])])).toEqual([3, 6, 0]);
    expect(firstTasks([job(1, [6, 7, 8])])).toEqual([6, 0, 3]);
    expect(firstTasks([job(0, [6, 7, 8]), job(0, [0])])).toEqual([0, 3, 6]);
  });
});

describe('groups of plates', () => {
  /** Nine plates of one task each, which links make three units of. */
  beforeEach(() => {
    const numbers = [0, 1, 2, 3, 4, 5, 6, 7, 8];
    parts.tasks = numbers.map((l) => task(`t${l}`, 10, { on: WASHER, uses: [[l, 1]] }));
    parts.labware = numbers.map((l) => {
      return { id: `p${l}`, location: at(HOTEL, l + 1), tasks: [l] };
    });
  });

  const groups = () => unitsOf()?.units.map(({ tasks }) => tasks);
  const expected = [
    [0, 3, 6],
    [1, 4, 7],
    [2, 5, 8],
  ];

  it('are separate without links', () => {
    expect(groups()?.length).toBe(9);
  });

  it('are linked by what must end before', () => {
    for (const t of [0, 1, 2]) {
      parts.tasks[t]!.after = [t + 6];
      parts.tasks[t + 3]!.after = [t + 6];
    }
    expect(groups()).toEqual(expected);
    expect(unitsOf()?.units[1]?.pieces).toEqual([1, 4, 7]);
  });

  it('are linked by limits of time', () => {
    parts.constraints = [0, 1, 2].flatMap((t) => [limit(t + 6, t + 3), limit(t, t + 6)]);
    expect(groups()).toEqual(expected);
  });

  it('are linked by shared pieces', () => {
    parts.tasks = parts.tasks.map((one, t) => ({ ...one, uses: [use(t % 3, 1)] }));
    parts.labware = [0, 1, 2].map((l) => {
      return { id: `p${l}`, location: at(HOTEL, l + 1), tasks: [l, l + 3, l + 6] };
    });
    expect(groups()).toEqual(expected);
  });

  it('are linked through several others', () => {
    for (const t of [0, 1, 2]) {
      const [a, b, c] = [3 * t, 3 * t + 1, 3 * t + 2];
      parts.tasks[b]!.after = [c];
      parts.constraints.push(limit(a, c));
    }
    expect(groups()).toEqual([
      [0, 1, 2],
      [3, 4, 5],
      [6, 7, 8],
    ]);
  });
});

describe('units are not equal where one differs', () => {
  it.each<[string, () => void]>([
    ['in a duration', () => Object.assign(parts.tasks[4]!, { duration_s: 11 })],
    ['in the duration of the last', () => Object.assign(parts.tasks[8]!, { duration_s: 6 })],
    ['in its instruments', () => Object.assign(parts.tasks[4]!, { candidates: [WASHER] })],
    [
      'in the order of its instruments',
      () => {
        for (const t of [1, 4]) parts.tasks[t]!.candidates = [READER, HOTEL];
        parts.tasks[7]!.candidates = [HOTEL, READER];
      },
    ],
    ['in what it waits for', () => Object.assign(parts.tasks[4]!, { after: [] })],
    [
      'in the number of tasks it waits for',
      () => {
        parts.tasks[5]!.after = [3];
      },
    ],
    ['in its release', () => Object.assign(parts.tasks[3]!, { release_s: 5 })],
    [
      'in a shared slot',
      () => {
        for (const t of [0, 3]) parts.tasks[t]!.uses = [use(t / 3, 2)];
        parts.tasks.push(task('wash again', 20, { on: WASHER, uses: [[2, 2]] }));
      },
    ],
    [
      'in a slot of its own that it comes back to',
      () => {
        parts.tasks[5]!.uses = [use(1, 8)];
      },
    ],
    [
      'in the slot after a task',
      () => {
        for (const l of [0, 1, 2]) parts.tasks[3 * l + 1]!.uses = [use(l, l + 1, l + 4)];
        parts.tasks[4]!.uses = [use(1, 2)];
      },
    ],
    [
      'in where its plate begins',
      () => {
        parts.labware[1]!.location = at(READER, 2);
      },
    ],
    [
      'in the order of its tasks',
      () => {
        parts.labware[1]!.tasks = [3, 5, 4];
      },
    ],
  ])('%s', (_, change) => {
    expect(unitsOf()).not.toBeNull();
    change();
    expect(unitsOf()).toBeNull();
  });

  it('in which task another waits for', () => {
    for (const l of [0, 1, 2]) parts.tasks[3 * l + 2]!.after = [3 * l];
    expect(unitsOf()).not.toBeNull();
    parts.tasks[5]!.after = [4];
    expect(unitsOf()).toBeNull();
  });

  it('in one of two slots that are shared', () => {
    // Plates 0 and 1 are washed in slot 1 and kept in slot 2 of the washer, plate 2 in the other.
    for (const l of [0, 1, 2]) {
      const [first, second] = l === 2 ? [2, 1] : [1, 2];
      parts.tasks[3 * l]!.uses = [use(l, first)];
      Object.assign(parts.tasks[3 * l + 2]!, { candidates: [WASHER], uses: [use(l, second)] });
    }
    expect(unitsOf()).toBeNull();
    parts.tasks[6]!.uses = [use(2, 1)];
    parts.tasks[8]!.uses = [use(2, 2)];
    expect(unitsOf()?.shared).toEqual(new Set(['1/1', '1/2']));
  });

  it.each<[string, (TimeConstraint | null)[]]>([
    ['one has no limit', [limit(0, 1), limit(3, 4), null]],
    ['most times differ', [limit(0, 1), limit(3, 4, { max_s: 61 }), limit(6, 7)]],
    [
      'one has no most time',
      [limit(0, 1), limit(3, 4, { max_s: Number.POSITIVE_INFINITY }), limit(6, 7)],
    ],
    ['least times differ', [limit(0, 1), limit(3, 4, { min_s: 1 }), limit(6, 7)]],
    ['one begins with a start', [limit(0, 1), limit(3, 4, { from_end: false }), limit(6, 7)]],
    ['one ends with an end', [limit(0, 1), limit(3, 4, { to_end: true }), limit(6, 7)]],
    ['one begins with another task', [limit(0, 2), limit(4, 5), limit(6, 8)]],
    ['one ends with another task', [limit(0, 1), limit(3, 5), limit(6, 7)]],
  ])('in its limits: %s', (_, limits) => {
    expect(unitsOf({ constraints: limits.filter((one) => one !== null) })).toBeNull();
  });
});

describe('units are equal', () => {
  it('whatever the names and the order of their limits', () => {
    const constraints = [
      limit(0, 1),
      limit(0, 2, { max_s: 90 }),
      limit(3, 5, { max_s: 90, id: 'x' }),
      limit(3, 4),
      limit(6, 7),
      limit(6, 8, { max_s: 90 }),
    ];
    expect(unitsOf({ constraints })).not.toBeNull();
  });

  it('whatever the order of what they wait for', () => {
    parts.tasks[5]!.after = [4, 3];
    expect(unitsOf()).not.toBeNull();
  });

  it('wherever they are without slots', () => {
    for (const l of [0, 1, 2]) {
      parts.tasks[3 * l + 1]!.candidates = [BIN];
      parts.tasks[3 * l + 1]!.uses = [use(l, l === 2 ? 7 : 1)];
      parts.labware[l]!.location = at(BIN, l === 1 ? 7 : 1);
    }
    expect(unitsOf()?.shared).toEqual(new Set(['1/1']));
    parts.labware[1]!.location = at(BAG, 1);
    expect(unitsOf()).toBeNull();
  });

  it('with two plates each, but not where a task takes the other one', () => {
    const uses = [0, 2, 4].map((l) => [use(l, 1), use(l + 1, 2)]);
    parts.tasks = [0, 1, 2].map((i) => ({
      ...task(`mix ${i}`, 10, { on: READER }),
      uses: uses[i]!,
    }));
    parts.labware = [0, 1, 2, 3, 4, 5].map((l) => {
      return { id: `p${l}`, location: at(HOTEL, l + 1), tasks: [Math.floor(l / 2)] };
    });
    expect(unitsOf()?.units).toEqual([
      { tasks: [0], pieces: [0, 1] },
      { tasks: [1], pieces: [2, 3] },
      { tasks: [2], pieces: [4, 5] },
    ]);
    parts.tasks[1]!.uses = [use(3, 1), use(2, 2)];
    expect(unitsOf()).toBeNull();
  });
});

describe('shared slots', () => {
  it('are where several units begin, work, or are left', () => {
    for (const l of [0, 1, 2]) {
      parts.tasks[3 * l + 1]!.uses = [use(l, l + 1, 9)];
      parts.labware[l]!.location = at(HOTEL, 7);
    }
    expect(unitsOf()?.shared).toEqual(new Set(['1/1', '2/9', '0/7']));
  });

  it('are those of all instruments that can do the task', () => {
    for (const l of [0, 1, 2]) parts.tasks[3 * l]!.candidates = [WASHER, READER];
    // Slot 1 of the reader is also where the first plate is read.
    expect(unitsOf()).toBeNull();
    for (const l of [0, 1, 2]) parts.tasks[3 * l]!.uses = [use(l, 6)];
    expect(unitsOf()?.shared).toEqual(new Set(['1/6', '2/6']));
  });

  it('are not those that one unit uses twice', () => {
    for (const l of [0, 1, 2]) parts.tasks[3 * l]!.uses = [use(l, l + 1)];
    expect(unitsOf()?.shared).toEqual(new Set());
  });
});
