/** The joint plan of runs made by hand: its steps, kept problems, plans that no run follows. */

import { beforeEach, describe, expect, it } from 'vitest';
import { TICKS_PER_S } from '../../server/clock/twin-time.ts';
import { systemClock, type WallClock } from '../../server/clock/wall-clock.ts';
import { JointPlan } from './joint-plan.ts';
import type { JointResult } from './joint-problem.ts';
import {
  follow,
  HOTEL,
  plannedRun,
  plannedTask,
  plateMove,
  type TestRun,
  WASHER,
  washModel,
} from './planned-run.cases.ts';
import type { JointWorld, PlannedRun } from './planned-run.ts';

interface TestWorld extends JointWorld {
  runs: PlannedRun[];
  version: number;
  downSince: (id: string) => number | null;
}

/** Two plates of run `a`, one of run `b`, which begins 10 s later. */
const B_S = 10;
let a: TestRun;
let b: TestRun;
let world: TestWorld;
let joint: JointPlan;

beforeEach(() => {
  a = plannedRun(washModel(['a1', 'a2']));
  b = plannedRun(washModel(['b1'], 5), { start_s: B_S });
  world = {
    runs: [a, b],
    statics: new Map(),
    version: 1,
    begun_tick: 0,
    clockAt_s: () => 0,
    downSince: () => null,
  };
  joint = new JointPlan(world, 1);
});

/** Takes all steps of the plan that is being computed. */
function finished(): { readonly works: number[]; readonly found: JointResult } {
  const works: number[] = [];
  for (;;) {
    expect(joint.isPlanning).toBe(true);
    const { work, found } = joint.step();
    works.push(work);
    if (found) return { works, found };
  }
}

function planned(now_s: number, asking: PlannedRun | null = null) {
  joint.startPlanning(now_s * TICKS_PER_S, asking);
  return finished();
}

/** The starts of the tasks of a plan by their numbers. */
const startsOf = (plan: JointResult['plans'][number] | undefined) =>
  Object.fromEntries((plan?.tasks ?? []).map(({ task, start_s }) => [task, start_s]));

/** A run whose plate is washed until 25 s and must be read a second later; a move takes 5 s. */
function lateRun(): TestRun {
  const limit = { id: 'soon', type: 'end_to_start', max_duration: 1 } as const;
  const constraints = [{ ...limit, start_task_id: 'wash_p', end_task_id: 'read_p' }];
  const run = plannedRun(washModel(['p'], 1, { constraints }));
  run.progress.startMove(plateMove([0, 0], 0), 0).end_s = 5;
  run.progress.startTask(0, WASHER, 5);
  run.progress.endTask(0, 25, null);
  return run;
}

/** A plan for two plates that begins with the second. */
function secondFirst() {
  return {
    tasks: [plannedTask(2, 5), plannedTask(3, 30), plannedTask(0, 35), plannedTask(1, 60)],
    moves: [
      plateMove([2, 1], 0),
      plateMove([3, 1], 25),
      plateMove([0, 0], 30),
      plateMove([1, 0], 55),
    ],
  };
}

/** Counts the steps of plans: `runCooperatively` looks at the clock after each. */
function countingClock() {
  const wall: WallClock & { looks: number } = {
    ...systemClock,
    looks: 0,
    now_ms: () => {
      wall.looks++;
      return 0;
    },
  };
  return wall;
}

describe('a plan in steps', () => {
  it('is being computed from its start to its last step', () => {
    expect(joint.isPlanning).toBe(false);
    const { works, found } = planned(0);
    expect(joint.isPlanning).toBe(false);
    expect(found.faults).toEqual([]);
    expect(found.plans.length).toBe(2);
    expect(works.at(-1)).toBe(0);
  });

  it('is cancelled, and another one can be started', () => {
    joint.startPlanning(0);
    joint.step();
    joint.cancelPlanning();
    expect(joint.isPlanning).toBe(false);
    expect(planned(0).found.faults).toEqual([]);
  });

  it('replaces the one that is being computed', () => {
    world.runs = [a];
    joint.startPlanning(0);
    joint.step();
    const { found } = planned(30);
    expect(Math.min(...Object.values(startsOf(found.plans[0])))).toBe(35);
  });

  it('shares arm and washer, each run in seconds since its own start', () => {
    world.runs = [plannedRun(washModel(['a1'])), b];
    const { found } = planned(B_S);
    // One plate is washed from 15 to 35 s and taken away until 40 s; the other comes until 45 s.
    expect(found.plans.map(startsOf)).toEqual([
      { 0: 15, 1: 40 },
      { 0: 35, 1: 60 },
    ]);
  });

  it('counts from the start of the first run, whenever that is', () => {
    world.runs = [
      plannedRun(washModel(['a1']), { start_s: 200 }),
      plannedRun(washModel(['b1'], 5), { start_s: 200 + B_S }),
    ];
    const { found } = planned(200 + B_S);
    expect(found.plans.map(startsOf)).toEqual([
      { 0: 15, 1: 40 },
      { 0: 35, 1: 60 },
    ]);
  });

  it('names why there is none', () => {
    world.downSince = (id) => (id === 'washer' ? 0 : null);
    const { found } = planned(0);
    expect(found.faults.length).toBe(3);
    expect(found.faults.every((text) => text.includes('washer is down'))).toBe(true);
    expect(found.plans).toEqual([null, null]);
  });

  it('breaks a limit of time that cannot be held', () => {
    world.runs = [lateRun()];
    const { found } = planned(25);
    expect(found.faults).toEqual([]);
    expect(startsOf(found.plans[0])).toEqual({ 0: 5, 1: 30 });
  });

  it('keeps the order of the previous plan where it is as good', () => {
    world.runs = [a];
    expect(startsOf(planned(0).found.plans[0])[0]).toBe(5);
    follow(a, secondFirst());
    expect(startsOf(planned(0).found.plans[0])).toEqual({ 0: 35, 1: 60, 2: 5, 3: 30 });
  });

  it('is the same for the same seed', () => {
    const first = planned(0);
    joint = new JointPlan(world, 1);
    expect(planned(0)).toEqual(first);
  });

  it('takes a small part of the attempts of a first plan', () => {
    // 900 000 / 12² attempts of at least one step each, times 0.015.
    const { works } = planned(0);
    expect(works.length).toBeGreaterThan(30);
    expect(works.length).toBeLessThan(300);
  });
});

describe('the problem of the latest plan', () => {
  /** 6 tasks and as many moves: only a new problem begins with a step for its tasks. */
  const isNew = ({ works }: { readonly works: number[] }) => works[0] === 6;

  it('is numbered in steps of its own, and kept while nothing else changes', () => {
    const first = planned(0);
    expect(first.works.slice(0, 3)).toEqual([6, 12, 12]);
    expect(planned(0).works).toEqual(first.works.slice(2));
    expect(isNew(planned(7))).toBe(false);
    expect(isNew(planned(7, a))).toBe(false);
  });

  it('is kept with another time and with what has started since', () => {
    planned(0);
    a.progress.startMove(plateMove([2, 1], 0, { from: { instrument: HOTEL, slot: 2 } }), 0);
    b.progress.startTask(0, WASHER, 3);
    const again = planned(20);
    expect(isNew(again)).toBe(false);
    expect(startsOf(again.found.plans[1])[0]).toBe(3);
    const fresh = new JointPlan(world, 1);
    fresh.startPlanning(20 * TICKS_PER_S);
    joint = fresh;
    expect(finished().found).toEqual(again.found);
  });

  it.each<[string, () => void]>([
    [
      'the version of the world',
      () => {
        world.version = 2;
      },
    ],
    ['the start of a run', () => Object.assign(b, { start_tick: 20 * TICKS_PER_S })],
    ['a skipped task', () => a.progress.skip(0)],
    ['held labware', () => a.progress.held.add(0)],
    [
      'a pause',
      () => {
        b.isActive = false;
      },
    ],
    [
      'a broken limit',
      () => {
        const violation = { constraint_id: 'x', kind: 'too_long', limit_s: 1 } as const;
        const at = { elapsed_s: 2, at_s: 2, on_violation: 'continue' } as const;
        a.limits = { violations: [{ ...violation, ...at }], isBroken: () => true };
      },
    ],
    ['another run in the place of one', () => world.runs.splice(0, 1, { ...a })],
    ['another run in the place of the last', () => world.runs.splice(1, 1, { ...b })],
  ])('is composed again after a change of %s', (_, change) => {
    planned(0);
    expect(isNew(planned(1))).toBe(false);
    change();
    expect(isNew(planned(1))).toBe(true);
    expect(isNew(planned(1))).toBe(false);
  });

  it('is composed again when other labware is held', () => {
    a.progress.held.add(0);
    planned(0);
    a.progress.held.clear();
    a.progress.held.add(1);
    expect(isNew(planned(0))).toBe(true);
    expect(isNew(planned(0))).toBe(false);
  });

  it('is never kept while an instrument is down, nor used then', () => {
    planned(0);
    world.downSince = (id) => (id === 'rack' ? 0 : null);
    expect(isNew(planned(0))).toBe(true);
    expect(isNew(planned(0))).toBe(true);
    world.downSince = () => null;
    expect(isNew(planned(0))).toBe(true);
    expect(isNew(planned(0))).toBe(false);
  });

  it('is not used for a paused run whose operator asks for a plan', () => {
    b.isActive = false;
    planned(0);
    expect(isNew(planned(0, b))).toBe(true);
    expect(isNew(planned(0, b))).toBe(true);
  });
});

describe('the runs that are planned', () => {
  it('do not include a paused one', () => {
    b.isActive = false;
    const { plans } = planned(0).found;
    expect([plans[0]!.tasks.length, plans[1]]).toEqual([4, null]);
  });

  it('include a paused one that asks, and no other', () => {
    a.isActive = false;
    b.isActive = false;
    const { plans } = planned(B_S, b).found;
    expect(plans[0]).toBeNull();
    expect(startsOf(plans[1])).toEqual({ 0: 5, 1: 30 });
  });

  it('are those of the world where an active one asks', () => {
    b.isActive = false;
    const { plans } = planned(0, a).found;
    expect([plans[0]!.tasks.length, plans[1]]).toEqual([4, null]);
  });
});

describe('a plan that no run follows', () => {
  it('is that of the given progress', async () => {
    const progress = b.progress.copy();
    progress.skip(0);
    const found = await joint.planFor({ run: b, progress }, B_S * TICKS_PER_S, systemClock);
    if (!found.ok) throw new Error(found.error.messages.join());
    expect(startsOf(found.value)).toMatchObject({ 0: 0 });
    expect(found.value.tasks.map(({ task }) => task).sort()).toEqual([0, 1]);
    expect(found.value.tasks.find(({ task }) => task === 0)).toMatchObject({ instrument: -1 });
    expect(b.progress.skipped.size).toBe(0);
  });

  it('is in the seconds of the run, from the tick of the question', async () => {
    world.runs = [plannedRun(washModel(['a1'])), b];
    const { progress } = b;
    const found = await joint.planFor({ run: b, progress }, 3 * B_S * TICKS_PER_S, systemClock);
    // 30 s are 20 s of this run; the plate of the other one is washed first or last.
    expect(found).toMatchObject({ ok: true });
    if (found.ok) expect([25, 55]).toContain(startsOf(found.value)[0]);
  });

  it('treats the run as active, and the others only if it is asked to', async () => {
    world.runs = [plannedRun(washModel(['a1']), { isActive: false }), b];
    b.isActive = false;
    const ask = { run: b, progress: b.progress };
    const alone = await joint.planFor(ask, B_S * TICKS_PER_S, systemClock);
    expect(alone.ok && startsOf(alone.value)).toEqual({ 0: 5, 1: 30 });
    expect(alone.ok && alone.value.moves[0]!.start_s).toBe(0);
    const all = await joint.planFor({ ...ask, withPaused: true }, B_S * TICKS_PER_S, systemClock);
    // The plate of the other run is washed first.
    expect(all.ok && startsOf(all.value)[0]).toBe(35);
  });

  it('takes fewer steps if it is quick', async () => {
    const ask = { run: a, progress: a.progress };
    const [usual, quick] = [countingClock(), countingClock()];
    await joint.planFor(ask, 0, usual);
    await joint.planFor({ ...ask, isQuick: true }, 0, quick);
    expect(quick.looks).toBeGreaterThan(30);
    expect(quick.looks).toBeLessThan(300);
    expect(usual.looks).toBeGreaterThan(1.2 * quick.looks);
    expect(usual.looks).toBeLessThan(1500);
  });

  it('may break limits of time', async () => {
    const run = lateRun();
    world.runs = [run];
    const at = 25 * TICKS_PER_S;
    const found = await joint.planFor({ run, progress: run.progress }, at, systemClock);
    expect(found.ok && startsOf(found.value)).toEqual({ 0: 5, 1: 30 });
  });

  it('keeps the order of the previous plan where it is as good', async () => {
    world.runs = [a];
    follow(a, secondFirst());
    const found = await joint.planFor({ run: a, progress: a.progress }, 0, systemClock);
    expect(found.ok && startsOf(found.value)).toEqual({ 0: 35, 1: 60, 2: 5, 3: 30 });
  });

  it('fails with the fault where there is none', async () => {
    world.downSince = (id) => (id === 'washer' ? 0 : null);
    const found = await joint.planFor({ run: a, progress: a.progress }, 0, systemClock);
    expect(found).toMatchObject({ ok: false, error: { kind: 'no_instrument' } });
  });
});

describe('a problem of many plates', () => {
  /** A run of 13 plates, of which task i reads plate i. */
  function reads(name: string, firstSlot = 1): TestRun {
    const plates = Array.from({ length: 13 }, (_, i) => `${name}${i}`);
    const model = washModel(plates, firstSlot);
    const tasks = model.tasks.filter((_, task) => task % 2 === 1);
    return plannedRun({
      ...model,
      tasks: tasks.map((task) => ({ ...task, after: [] })),
      labware: model.labware.map((piece, i) => ({ ...piece, tasks: [i] })),
    });
  }
  const compare = (one: number, other: number) => one - other;
  const hold = ({ progress }: TestRun, ...pieces: number[]) => {
    progress.held.clear();
    for (const piece of pieces) progress.held.add(piece);
  };
  /** The tasks that take time in the plans: the others are skipped or held. */
  const plannedTasks = () =>
    planned(0).found.plans.map((plan) =>
      plan!.tasks.flatMap((one) => (one.end_s > one.start_s ? [one.task] : [])).sort(compare),
    );
  const others = (...tasks: number[]) =>
    Array.from({ length: 13 }, (_, i) => i).filter((task) => !tasks.includes(task));

  it('is another one where other plates are held', () => {
    const run = reads('a');
    world.runs = [run];
    hold(run, 1, 2);
    expect(plannedTasks()).toEqual([others(1, 2)]);
    hold(run, 12);
    expect(plannedTasks()).toEqual([others(12)]);
  });

  it('is another one where another run has skipped tasks meanwhile', () => {
    const [first, second] = [reads('a'), reads('b', 20)];
    world.runs = [first, second];
    hold(first, 10, 1);
    hold(second, 12);
    expect(plannedTasks()).toEqual([others(10, 1), others(12)]);
    hold(first, 1);
    for (let task = 2; task < 12; task++) second.progress.skip(task);
    hold(second, 0, 12);
    expect(plannedTasks()).toEqual([others(1), [1]]);
  });
});

describe('a run that is about to start', () => {
  const start = (run: PlannedRun, now_s: number) =>
    joint.planWith(run, { tick: now_s * TICKS_PER_S, seed: 1, wall: systemClock });

  it('alone begins at once', async () => {
    world.runs = [];
    const found = await start(b, B_S);
    expect(found).toMatchObject({ ok: true, value: { faults: [] } });
    expect(found.ok && found.value.plans.map(startsOf)).toEqual([{ 0: 5, 1: 30 }]);
  });

  it('is planned after the others of the world, with new plans for them', async () => {
    world.runs = [plannedRun(washModel(['a1']))];
    const found = await start(b, B_S);
    expect(found.ok && found.value.plans.map(startsOf)).toEqual([
      { 0: 15, 1: 40 },
      { 0: 35, 1: 60 },
    ]);
  });

  it('leaves the order of the others where it is as good', async () => {
    follow(a, secondFirst());
    world.runs = [a];
    const model = washModel(['c1'], 7);
    // Equal plates would be planned as a steady cycle.
    const tasks = model.tasks.map((one) => ({ ...one, estimate_s: one.estimate_s + 1 }));
    const last = plannedRun({ ...model, tasks }, { schedule: { priority: 0 } });
    const found = await start(last, 0);
    expect(found.ok && startsOf(found.value.plans[0])).toEqual({ 0: 35, 1: 60, 2: 5, 3: 30 });
  });

  it('breaks no limit of time', async () => {
    world.runs = [];
    const found = await start(lateRun(), 25);
    expect(found).toMatchObject({ ok: false, error: { kind: 'constraint' } });
  });
});
