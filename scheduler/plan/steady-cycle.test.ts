/** Whole steady cycles: their periods, bounds, orders and limits, worked out by hand. */
import { describe, expect, it } from 'vitest';
import { operationsOf } from './operations.ts';
import type { PlanProblem, PlanTask, TimeConstraint } from './problem.ts';
import { instrument, problemOf, task } from './problems.cases.ts';
import { type SteadyCycle, steadyCycle } from './steady-cycle.ts';

/** Runs a computation in steps to its end. */
function resultOf<Answer>(steps: Generator<number, Answer>): Answer {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    expect(step.value).toBeGreaterThanOrEqual(0);
  }
}

/** Pieces that go from the slots of a hotel to a reader and back. */
function reading(
  count: number,
  parts: Partial<PlanProblem> & { slot?: (l: number) => number } = {},
) {
  const { slot = () => 1, ...rest } = parts;
  const tasks = Array.from({ length: count }, (_, l) => [
    task(`read ${l}`, 20, { on: 1, uses: [[l, slot(l)]] }),
    task(`store ${l}`, 0, { on: 0, uses: [[l, 1 + l]] }),
  ]).flat();
  const labware = Array.from({ length: count }, (_, l) => {
    return { id: `p${l}`, location: { instrument: 0, slot: 1 + l }, tasks: [2 * l, 2 * l + 1] };
  });
  const instruments = [instrument('hotel', 100), instrument('reader', 2), instrument('other', 2)];
  return problemOf({ instruments, tasks, labware, ...rest });
}

function cycleOf(problem: PlanProblem): SteadyCycle | null {
  return resultOf(steadyCycle(operationsOf(problem)));
}

/** The names of operations, such as `+0` for the move of read 0, `read 0`, `-0`, `store 0`. */
function namesOf(problem: PlanProblem, { sequence }: SteadyCycle): string[] {
  const { firstMove, tasks } = operationsOf(problem);
  return sequence.map((operation) => {
    if (operation < tasks) return problem.tasks[operation]!.id;
    const owner = firstMove.indexOf(operation);
    return `move for ${problem.tasks[owner]!.id}`;
  });
}

/** Carries pieces in the order of a cycle: each comes into a slot that another has left. */
function expectFreeSlots(problem: PlanProblem, { sequence, preferred }: SteadyCycle): void {
  const { firstMove, tasks } = operationsOf(problem);
  const places = problem.labware.map(({ location }) => `${location.instrument}/${location.slot}`);
  for (const operation of sequence.filter((one) => one >= tasks)) {
    const owner = firstMove.indexOf(operation);
    const { candidates, uses } = problem.tasks[owner]!;
    const { labware, slot } = uses[0]!;
    const goal = `${candidates[Math.max(0, preferred[owner]!)]}/${slot}`;
    expect(places.toSpliced(labware, 1)).not.toContain(goal);
    places[labware] = goal;
  }
}

const ownSlots = { slot: (l: number) => 1 + l };

describe('the steady cycle', () => {
  it('takes as long as the slot that all pieces need', () => {
    const problem = reading(3);
    const found = cycleOf(problem)!;
    // To the reader 15 s, 20 s of reading, back 15 s.
    expect(found.cycle).toEqual({
      units: 3,
      pieces_per_unit: 1,
      units_per_cycle: 1,
      cycle_s: 50,
      lower_bound_s: 50,
      resource: 1,
    });
    expect(namesOf(problem, found)).toEqual(
      [0, 1, 2].flatMap((l) => [
        `move for read ${l}`,
        `read ${l}`,
        `move for store ${l}`,
        `store ${l}`,
      ]),
    );
    expect([...found.preferred]).toEqual([-1, -1, -1, -1, -1, -1]);
  });

  it('takes as long as the arm where each piece has its own slot', () => {
    const problem = reading(4, ownSlots);
    const found = cycleOf(problem)!;
    expect(found.cycle).toMatchObject({ cycle_s: 30, lower_bound_s: 30, resource: -1 });
    // The arm takes each piece back after it has brought two others.
    expect(namesOf(problem, found)).toEqual([
      'move for read 0',
      'read 0',
      'move for read 1',
      'read 1',
      'move for read 2',
      'move for store 0',
      'read 2',
      'store 0',
      // It has no length, and comes before the move that begins at the same time.
      'move for read 3',
      'move for store 1',
      'read 3',
      'store 1',
      'move for store 2',
      'store 2',
      'move for store 3',
      'store 3',
    ]);
  });

  it('takes as long as the work of an instrument by its capacity', () => {
    const long = (count: number, capacity: number) => {
      const { tasks, instruments } = reading(count, ownSlots);
      return reading(count, {
        ...ownSlots,
        tasks: tasks.map((one, t) => (t % 2 === 0 ? { ...one, duration_s: 75 } : one)),
        instruments: [instruments[0]!, instrument('reader', capacity)],
      });
    };
    const shape = { lower_bound_s: 75, cycle_s: 75, resource: 1 };
    expect(cycleOf(long(3, 1))!.cycle).toMatchObject(shape);
    const half = { lower_bound_s: 37.5, cycle_s: 38, units_per_cycle: 1, resource: 1 };
    expect(cycleOf(long(3, 2))!.cycle).toMatchObject(half);
  });

  /** All read on one of some instruments. */
  const withChoice = (count: number, parts: Parameters<typeof reading>[1] = {}, able = [1, 2]) => {
    const { tasks, instruments, ...rest } = reading(count, parts);
    const chosen = tasks.map((one, t) => (t % 2 === 0 ? { ...one, candidates: able } : one));
    const more = [...instruments, instrument('third'), instrument('fourth')];
    return { ...rest, tasks: chosen, instruments: more };
  };

  it('lets the units take turns where they have a choice', () => {
    const { cycle, preferred } = cycleOf(withChoice(4))!;
    // Four moves of 15 s, while each reader is taken for 50 s.
    expect(cycle).toMatchObject({
      units_per_cycle: 2,
      cycle_s: 60,
      lower_bound_s: 30,
      resource: -1,
    });
    expect([...preferred]).toEqual([0, -1, 1, -1, 0, -1, 1, -1]);
  });

  it('shares the work among all that have a choice', () => {
    const problem = withChoice(4, ownSlots);
    const instruments = problem.instruments.map((one) => ({ ...one, capacity: 1 }));
    const tasks = problem.tasks.map((one, t) => (t % 2 === 0 ? { ...one, duration_s: 80 } : one));
    const { cycle } = cycleOf({ ...problem, instruments, tasks })!;
    expect(cycle).toMatchObject({
      units_per_cycle: 2,
      cycle_s: 80,
      lower_bound_s: 40,
      resource: 1,
    });
  });

  /** Changes the tasks of a problem, which alternate between reading and storing. */
  const withTasks = (problem: PlanProblem, change: (t: number) => Partial<PlanTask>) => {
    return { ...problem, tasks: problem.tasks.map((one, t) => ({ ...one, ...change(t) })) };
  };

  it('begins a move before a task that takes some time', () => {
    const problem = withTasks(reading(3), (t) => ({ duration_s: t % 2 === 0 ? 20 : 1 }));
    expect(namesOf(problem, cycleOf(problem)!).slice(2, 5)).toEqual([
      'move for store 0',
      'move for read 1',
      'store 0',
    ]);
  });

  it('takes no slot for a bound where another instrument has one as well', () => {
    const problem = withTasks(withChoice(4), (t) => ({ duration_s: t % 2 === 0 ? 80 : 0 }));
    // Each slot is taken for 15 + 80 + 15 s.
    expect(cycleOf(problem)!.cycle).toMatchObject({
      cycle_s: 110,
      lower_bound_s: 30,
      resource: -1,
    });
  });

  it('has a bound by the same instruments in whatever order, and none without any', () => {
    const { instruments, labware, ...rest } = reading(3, ownSlots);
    const tasks = rest.tasks.flatMap((one, t): PlanTask[] => {
      if (t % 2 === 1) return [one];
      const [l] = one.uses;
      const [first, again] = [
        [1, 2],
        [2, 1],
      ].map((candidates, i) => {
        const at = l!.slot + 10 * i;
        return { ...one, duration_s: 80, candidates, uses: [{ ...l!, slot: at, slot_after: at }] };
      });
      return [first!, again!];
    });
    const chains = labware.map((piece, l) => ({ ...piece, tasks: [3 * l, 3 * l + 1, 3 * l + 2] }));
    const single = instruments.map((one) => ({ ...one, capacity: one.id === 'hotel' ? 9 : 1 }));
    const problem = problemOf({ tasks, labware: chains, instruments: single });
    expect(cycleOf(problem)!.cycle.lower_bound_s).toBe(80);
  });

  it('names the arm where an instrument needs as long', () => {
    const { instruments, tasks, ...rest } = reading(3, ownSlots);
    const long = tasks.map((one, t) => (t % 2 === 0 ? { ...one, duration_s: 30 } : one));
    const single = [instruments[0]!, instrument('reader')];
    const { cycle } = cycleOf({ ...rest, tasks: long, instruments: single })!;
    expect(cycle).toMatchObject({ cycle_s: 30, lower_bound_s: 30, resource: -1 });
  });

  it('names the instrument of a slot by its whole number', () => {
    const { instruments, tasks, ...rest } = reading(3);
    const others = Array.from({ length: 10 }, (_, i) => instrument(`other ${i}`));
    const all = [instruments[0]!, ...others, instrument('reader', 2)];
    const far = tasks.map((one, t) => (t % 2 === 0 ? { ...one, candidates: [11] } : one));
    const { cycle } = cycleOf({ ...rest, tasks: far, instruments: all })!;
    expect(cycle).toMatchObject({ cycle_s: 50, resource: 11 });
  });

  it('has no time of the arm for a slot into which tasks put their pieces', () => {
    const { tasks, ...rest } = reading(3, ownSlots);
    const putting = tasks.map((one, t) => {
      if (t % 2 === 1) return one;
      const uses = one.uses.map((use) => ({ ...use, slot_after: 9 }));
      return { ...one, uses, duration_s: 40 };
    });
    // From the begin of a task to the move that takes its piece away.
    const { cycle } = cycleOf({ ...rest, tasks: putting })!;
    expect(cycle).toMatchObject({ cycle_s: 40, lower_bound_s: 40, resource: 1 });
  });

  it('may take all pieces for one turn', () => {
    const { cycle, preferred } = cycleOf(withChoice(3, {}, [1, 2, 3]))!;
    expect(cycle).toMatchObject({ units: 3, units_per_cycle: 3, lower_bound_s: 30 });
    expect([...preferred]).toEqual([0, -1, 1, -1, 2, -1]);
  });

  it('has the units of a turn before those of the next one', () => {
    const problem = withChoice(6);
    const found = cycleOf(problem)!;
    const names = namesOf(problem, found);
    for (const step of ['move for read', 'move for store']) {
      const own = names.filter((one) => one.startsWith(step)).map((one) => Number(one.slice(-1)));
      expect(own.map((l) => Math.floor(l / 2))).toEqual([0, 0, 1, 1, 2, 2]);
    }
    // The arm fetches a piece of the next turn before it has stored all of this one.
    const brought = names.indexOf('move for read 2');
    const stored = ['move for store 0', 'move for store 1'].map((one) => names.indexOf(one));
    expect(Math.max(...stored)).toBeGreaterThan(brought);
  });

  it('has work without an instrument as well', () => {
    const problem = reading(3);
    const notes = [0, 1, 2].map((l) => {
      return { id: `note ${l}`, duration_s: 5, candidates: [], after: [2 * l], uses: [] };
    });
    const { cycle, sequence } = cycleOf({ ...problem, tasks: [...problem.tasks, ...notes] })!;
    expect(cycle).toMatchObject({ cycle_s: 50, lower_bound_s: 50, resource: 1 });
    expect(sequence.length).toBe(15);
  });

  /** Pieces that are read twice in one slot, and between that stand in places of their own. */
  const readTwice = () => {
    const tasks = [0, 1, 2, 3].flatMap((l) => [
      task(`read ${l}`, 20, { on: 1, uses: [[l, 1]] }),
      task(`wait ${l}`, 20, { on: 2, uses: [[l, l]] }),
      task(`again ${l}`, 20, { on: 1, uses: [[l, 1]] }),
      task(`store ${l}`, 0, { on: 0, uses: [[l, l]] }),
    ]);
    const labware = [0, 1, 2, 3].map((l) => {
      return {
        id: `p${l}`,
        location: { instrument: 0, slot: l },
        tasks: [0, 1, 2, 3].map((i) => 4 * l + i),
      };
    });
    const instruments = [instrument('hotel', 9), instrument('reader', 2), instrument('place', 9)];
    return problemOf({ instruments, tasks, labware });
  };

  it.each<[string, PlanProblem, number]>([
    ['once', reading(4), 50],
    ['twice', readTwice(), 100],
    ['in two readers', withChoice(4), 60],
  ])('has one piece at a time in a slot that it visits %s', (_, problem, cycle_s) => {
    const found = cycleOf(problem)!;
    expect(found.cycle.cycle_s).toBe(cycle_s);
    expect(new Set(found.sequence).size).toBe(found.sequence.length);
    expectFreeSlots(problem, found);
  });

  const changed = (index: number, change: Partial<PlanTask>) => {
    const { tasks, ...rest } = reading(3);
    return { ...rest, tasks: tasks.map((one, t) => (t === index ? { ...one, ...change } : one)) };
  };
  /** Pieces with as many tasks as moves, all on one instrument but in different slots. */
  const longChain = (count: number, steps: number) => {
    const tasks = Array.from({ length: count * steps }, (_, t) => {
      const l = Math.floor(t / steps);
      return task(`t${t}`, 1, { on: 1, uses: [[l, 100 * l + (t % steps)]] });
    });
    const labware = Array.from({ length: count }, (_, l) => ({
      id: `p${l}`,
      location: { instrument: 0, slot: l },
      tasks: Array.from({ length: steps }, (__, i) => steps * l + i),
    }));
    const instruments = [instrument('hotel', 9), instrument('rack', 99)];
    return problemOf({ instruments, tasks, labware, move_s: () => 1 });
  };

  /** Pieces with two tasks after each other; `wait_s` limits the time between two tasks. */
  const inLine = (second_s: number, wait_s: number) => {
    const count = 4;
    const tasks = Array.from({ length: count }, (_, l) => [
      task(`a${l}`, 20, { on: 1, uses: [[l, l]] }),
      task(`b${l}`, second_s, { on: 2, uses: [[l, l]] }),
      task(`store ${l}`, 0, { on: 0, uses: [[l, l]] }),
    ]).flat();
    const chains = Array.from({ length: count }, (_, l) => [3 * l, 3 * l + 1, 3 * l + 2]);
    const labware = chains.map((own, l) => {
      return { id: `p${l}`, location: { instrument: 0, slot: l }, tasks: own };
    });
    const constraints = chains
      .flatMap(([a, b, c]) => [[a!, b!] as const, [b!, c!] as const])
      .map(([from, to]): TimeConstraint => {
        const ends = { from, from_end: true, to, to_end: false };
        return { id: `from ${from}`, ...ends, min_s: 0, max_s: wait_s };
      });
    const instruments = ['hotel', 'first', 'second'].map((id) => instrument(id, 9));
    return problemOf({ instruments, tasks, labware, constraints });
  };

  it.each<[string, PlanProblem]>([
    ['of two pieces', reading(2)],
    ['of different pieces', changed(2, { duration_s: 21 })],
    ['where the arm cannot make a move', reading(3, { move_s: () => null })],
    ['of too many operations', longChain(3, 21)],
    ['where a limit is shorter than a move', inLine(20, 14)],
  ])('does not exist %s', (_, problem) => {
    expect(cycleOf(problem)).toBeNull();
  });

  it('has one unit where there are more instruments than pieces to take turns', () => {
    const { cycle } = cycleOf(withChoice(3, {}, [1, 2, 3, 4]))!;
    expect(cycle).toMatchObject({ units: 3, units_per_cycle: 1 });
  });

  it('has one unit where the instruments are too far apart to take turns', () => {
    const move_s: PlanProblem['move_s'] = (from, to) =>
      from.instrument === 2 || to.instrument === 2 ? 50 : 5;
    const { cycle, preferred } = cycleOf(withChoice(4, { move_s }, [1, 2]))!;
    expect(cycle.units_per_cycle).toBe(1);
    expect(preferred).not.toContain(1);
  });

  it('exists with as many operations as are searched', () => {
    expect(cycleOf(longChain(3, 20))!.cycle).toMatchObject({ cycle_s: 20, units_per_cycle: 1 });
  });

  // Three moves of 15 s. Without waits, the third begins 15 s and the second task after the second.
  it.each<[string, readonly number[], number, number]>([
    ['any wait', [20, Number.POSITIVE_INFINITY], 45, 1],
    ['no wait, if this leaves whole gaps', [15, 15], 45, 1],
    // The second and third moves of two pieces are 15 s apart, and then the arm waits 5 s.
    ['no wait, so that two pieces take turns', [20, 15], 95, 2],
    ['twice 5 s, until two pieces need no gap', [20, 20], 90, 2],
    ['twice 12 s, which are too short for one piece', [20, 27], 90, 2],
    ['twice 13 s, until after the first move of the next piece', [20, 28], 45, 1],
    ['no wait, where 47 s are possible and 48 s to 62 s are not', [95, 15], 47, 1],
  ])('has limits of time with %s', (...[, [second_s, wait_s], cycle_s, units_per_cycle]) => {
    const { cycle } = cycleOf(inLine(second_s!, wait_s!))!;
    expect(cycle).toMatchObject({ cycle_s, units_per_cycle, lower_bound_s: 45 });
  });
});
