/** A workcell as its active runs share it: pieces, order, neighbours and the arm. */

import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Timers } from '../../server/clock/timers.ts';
import { TICKS_PER_S } from '../../server/clock/twin-time.ts';
import { systemClock } from '../../server/clock/wall-clock.ts';
import { checkDefinition } from '../definition/checked-definition.ts';
import { washAndRead } from '../definition/workflow.cases.ts';
import type { JointResult } from '../joint/joint-problem.ts';
import type { Member } from '../joint/member.ts';
import type { Plan, PlannedLabwareMove, PlannedTask } from '../plan/problem.ts';
import type { SlotLocation } from '../plan/slot-location.ts';
import { type MoveProgress, RunProgress } from '../run/progress.ts';
import type { LabwareTransporter } from './labware-transporter.ts';
import { SharedWorkcell } from './shared-workcell.ts';

/** The present tick of the twin. */
const TICK = 7;
/** An object with the members that a test needs of its type. */
function partial<Type>(members: Partial<Type>): Type {
  return Object.assign(Object.create(null), members);
}

const modelOf = (plates = 1) => checkDefinition(washAndRead({ plates })).model!;

const HOTEL_9: SlotLocation = { instrument: 0, slot: 9 };
let log: string[];
let shared: SharedWorkcell;

beforeEach(() => {
  log = [];
  const did = (name: string) => () => void log.push(name);
  shared = new SharedWorkcell({
    transporter: partial<LabwareTransporter>({}),
    time: { now_s: 0, tick: TICK, epoch_ms: 0 },
    timers: partial<Timers>({}),
    wall: systemClock,
    downSince: () => null,
    seed: 1,
    statics: new Map([['other', HOTEL_9]]),
    stock: new Map(),
    onEmpty: did('empty'),
  });
});

interface Given {
  readonly plates?: number;
  readonly start_tick?: number;
  readonly canStart?: boolean;
  readonly isActive?: boolean;
  /** The move that it could begin now. */
  readonly readyMove?: PlannedLabwareMove;
  /** Moves that it cannot begin yet. */
  readonly openMoves?: PlannedLabwareMove[];
  /** The tasks that it could start now. */
  readonly readyTasks?: PlannedTask[];
  readonly name?: string;
  /** How often it has something to start. */
  readonly ready?: number;
}

/** A run of which the plan is what a test says; its pieces have names that begin with its own. */
function memberOf(given: Given = {}): Member {
  const { plates = 1, start_tick = 0, canStart = true, isActive = true, name = 'a' } = given;
  const plain = modelOf(plates);
  const labware = plain.labware.map((one) => ({ ...one, id: `${name} ${one.id}` }));
  const model = { ...plain, labware };
  let ready = given.ready ?? 0;
  const plan = partial<Member['plan']>({
    openMoves: given.openMoves ?? [],
    adopt: (one) => log.push(`${name} adopts ${one.makespan_s}`) > 0,
  });
  return partial<Member>({
    model,
    progress: new RunProgress(model),
    plan,
    readyMove: given.readyMove ?? null,
    readyTasks: given.readyTasks ?? [],
    publisher: partial<Member['publisher']>({ settle: (isNew) => void log.push(`${isNew}`) }),
    start_tick,
    canStart,
    isActive,
    isProvisional: false,
    proceed: () => {
      log.push(`${name} proceeds`);
      return ready-- > 0;
    },
    onDispatched: () => void log.push(`${name} dispatched`),
  });
}

/** The result of joint planning with plans of these lengths (s). */
function resultOf(...lengths_s: number[]): JointResult {
  const plans = lengths_s.map((makespan_s) => partial<Plan>({ makespan_s }));
  return { faults: [], plans };
}

function add(given: Given = {}): Member {
  const run = memberOf(given);
  shared.add(run, resultOf(...shared.runs.map(() => 0), 0), TICK);
  log.length = 0;
  return run;
}

describe('a shared workcell', () => {
  it('takes the pieces of a new run', () => {
    shared.setStatics(
      new Map([
        ['other', HOTEL_9],
        ['a plate_1', HOTEL_9],
      ]),
      'a plate_1',
    );
    const { version } = shared;
    shared.add(memberOf(), resultOf(0), 7);
    expect([...shared.statics.keys(), shared.leftInGripper]).toEqual(['other', null]);
    expect(shared.version).toBe(version + 1);
    expect([shared.runs.length, shared.replanning.isDue]).toEqual([1, true]);
    shared.leftInGripper = 'other';
    shared.add(memberOf(), resultOf(0, 0), 7);
    expect(shared.leftInGripper).toBe('other');
  });

  it('makes no new plan for the first run', () => {
    const run = memberOf();
    run.isProvisional = true;
    shared.add(run, resultOf(0), 6);
    expect([shared.replanning.isDue, run.isProvisional, log]).toEqual([false, true, []]);
  });

  it.each([
    ['current', 7, [3, 4], ['a adopts 3', 'true'], false],
    ['of an earlier tick', 6, [3, 4], [], true],
    ['without another run', 7, [4], [], true],
  ] as const)('gives the other runs plans that are %s', (...[, tick, lengths_s, texts, isDue]) => {
    add();
    const run = memberOf({ name: 'b' });
    shared.add(run, resultOf(...lengths_s), tick);
    expect(log).toEqual(texts);
    expect([run.isProvisional, shared.replanning.isDue]).toEqual([isDue, isDue]);
  });

  it('gives each of several runs its plan, without faults', () => {
    const first = add();
    add({ name: 'b' });
    shared.add(memberOf({ name: 'c' }), resultOf(3, 4, 5), TICK);
    expect(log).toEqual(['a adopts 3', 'true', 'b adopts 4', 'true']);
    expect(first.plan.faults).toEqual([]);
  });

  it('keeps the pieces of a run that has ended', () => {
    const a = add({ plates: 2 });
    const b = add({ name: 'b' });
    a.progress.locations[1] = null;
    const { version } = shared;
    shared.remove(a, { goOn: false });
    expect([...shared.statics]).toEqual([
      ['other', HOTEL_9],
      ['a plate_1', { instrument: 0, slot: 1 }],
    ]);
    expect([shared.leftInGripper, shared.version, shared.runs]).toEqual([
      'a plate_2',
      version + 1,
      [b],
    ]);
    expect([log, shared.replanning.isDue]).toEqual([[], false]);
    shared.remove(a, { goOn: true });
    expect([shared.version, log]).toEqual([version + 1, []]);
    shared.remove(b, { goOn: true });
    expect([log, shared.runs]).toEqual([['empty'], []]);
  });

  it('goes on with the other runs', () => {
    const a = add();
    add({ name: 'b' });
    shared.remove(a, { goOn: true });
    expect([log, shared.replanning.isDue]).toEqual([['b proceeds', 'b dispatched'], true]);
  });

  it('gives up the plan that is being made where its pieces change', () => {
    const cancel = vi.spyOn(shared.joint, 'cancelPlanning');
    const run = memberOf();
    shared.add(run, resultOf(0), 7);
    expect(cancel).toHaveBeenCalledTimes(1);
    shared.setStatics(new Map(), null);
    expect(cancel).toHaveBeenCalledTimes(2);
  });

  it('has other pieces where an operator corrects the deck', () => {
    add();
    const { version } = shared;
    shared.setStatics(new Map([['new', { instrument: 0, slot: 2 }]]), 'held');
    expect([...shared.statics]).toEqual([['new', { instrument: 0, slot: 2 }]]);
    expect([shared.leftInGripper, shared.version]).toEqual(['held', version + 1]);
    expect([log, shared.replanning.isDue]).toEqual([['a proceeds', 'a dispatched'], true]);
  });

  it('dispatches until no run has anything left, and then says so to each', () => {
    add({ ready: 1 });
    add({ name: 'b', ready: 2 });
    shared.dispatch();
    const round = ['a proceeds', 'b proceeds'];
    expect(log).toEqual([...round, ...round, ...round, 'a dispatched', 'b dispatched']);
    log.length = 0;
    shared.dispatch();
    expect(log).toEqual([...round, 'a dispatched', 'b dispatched']);
  });

  it('dispatches once more where something changes meanwhile, also after an error', () => {
    const run = add();
    let count = 0;
    run.proceed = () => {
      log.push('proceeds');
      if (++count === 1) shared.dispatch();
      if (count === 3) throw new Error('broken');
      return false;
    };
    shared.dispatch();
    expect(log).toEqual(['proceeds', 'proceeds', 'a dispatched']);
    expect(() => shared.dispatch()).toThrow('broken');
    shared.dispatch();
    expect(log.slice(3)).toEqual(['proceeds', 'proceeds', 'a dispatched']);
  });
});

describe('what is next among runs', () => {
  const moveAt = (start_s: number): PlannedLabwareMove => {
    const place = { instrument: 0, slot: 1 };
    return { task: 0, labware: 0, from: place, to: place, start_s, end_s: start_s + 1 };
  };
  const taskAt = (start_s: number, instrument = 1): PlannedTask => {
    return { task: 0, instrument, start_s, end_s: start_s + 1 };
  };

  it.each([
    ['an earlier move', { readyMove: moveAt(4) }, false],
    ['a later move', { readyMove: moveAt(6) }, true],
    ['an equal move', { readyMove: moveAt(5 + 1e-7) }, true],
    ['a move that is a little earlier', { readyMove: moveAt(5 - 1e-7) }, true],
    ['a move that is earlier by a microsecond', { readyMove: moveAt(5 - 2e-6) }, false],
    ['no move', {}, true],
    ['a pause', { readyMove: moveAt(4), canStart: false }, true],
    ['a later start', { readyMove: moveAt(4), start_tick: 2 * TICKS_PER_S }, true],
    ['a start that is little later', { readyMove: moveAt(3), start_tick: TICKS_PER_S }, false],
  ])('is a move of the first run where the second has %s', (_, other, isNext) => {
    const first = add();
    add({ name: 'b', ...other });
    expect(shared.isNextMove(first, moveAt(5))).toBe(isNext);
  });

  it('is the move of the run that came first, of equal ones', () => {
    add({ readyMove: moveAt(5) });
    const second = add({ name: 'b' });
    expect(shared.isNextMove(second, moveAt(5))).toBe(false);
    expect(shared.isNextMove(second, moveAt(5 - 1e-5))).toBe(true);
    const late = add({ name: 'c', start_tick: TICKS_PER_S });
    expect(shared.isNextMove(late, moveAt(5))).toBe(false);
    expect(shared.isNextMove(late, moveAt(3))).toBe(true);
  });

  it('is the move of the later run where that starts a microsecond earlier, and not less', () => {
    const first = add({ readyMove: moveAt(1e-6) });
    const second = add({ name: 'b' });
    expect(shared.isNextMove(second, moveAt(0))).toBe(true);
    expect(shared.isNextMove(second, moveAt(1e-7))).toBe(false);
    expect(shared.isNextMove(first, moveAt(1e-6))).toBe(true);
  });

  it('is the next move of a run where another has none', () => {
    const run = add({ readyMove: moveAt(5) });
    add({ name: 'b' });
    expect(shared.isNextMove(run, moveAt(5))).toBe(true);
  });

  it('is no move into a slot that another run needs first, also where that cannot move yet', () => {
    const first = add();
    const to = { instrument: 1, slot: 1 };
    add({ name: 'b', openMoves: [{ ...moveAt(4), to }] });
    expect(shared.isNextMove(first, { ...moveAt(5), to })).toBe(false);
    expect(shared.isNextMove(first, { ...moveAt(3), to })).toBe(true);
    expect(shared.isNextMove(first, { ...moveAt(5), to: { ...to, slot: 2 } })).toBe(true);
  });

  it('is any move of a single run', () => {
    const run = add({ readyMove: moveAt(1), readyTasks: [taskAt(1)] });
    expect([shared.isNextMove(run, moveAt(5)), shared.isNextTask(run, taskAt(5))]).toEqual([
      true,
      true,
    ]);
  });

  it.each([
    [[taskAt(4)], false],
    [[taskAt(6)], true],
    [[taskAt(1, 2), taskAt(4)], false],
    [[taskAt(1, 2)], true],
    [[taskAt(1, -1)], true],
    [[], true],
  ])('is a task where another run has %j', (readyTasks, isNext) => {
    const run = add();
    add({ name: 'b', readyTasks });
    expect(shared.isNextTask(run, taskAt(5))).toBe(isNext);
  });

  it('is a task without an instrument', () => {
    const run = add();
    add({ name: 'b', readyTasks: [taskAt(1, -1), taskAt(1, 0)] });
    expect(shared.isNextTask(run, taskAt(5, -1))).toBe(true);
    expect(shared.isNextTask(run, taskAt(5, 0))).toBe(false);
  });
});

describe('the neighbours of a run', () => {
  const place = (slot: number) => ({ instrument: 2, slot });
  const movingTo = (slot: number, end_s: number | null, labware = 1): MoveProgress => {
    const move = { task: 0, labware, from: place(1), to: place(slot), start_s: 0, end_s: 5 };
    return { move, start_s: 0, end_s, picked_s: null, placed_s: null, delay_s: 0 };
  };

  it('hold slots with the pieces that stand there or come', () => {
    const own = add();
    const other = add({ name: 'b', plates: 2 });
    other.progress.locations.splice(0, 2, place(4), null);
    other.progress.moves.push(movingTo(5, 3), movingTo(6, null));
    const { holderOf } = shared.neighboursOf(own);
    expect([4, 5, 6, 7].map((slot) => holderOf(place(slot)))).toEqual([
      'b plate_1',
      undefined,
      'b plate_2',
      undefined,
    ]);
    expect([holderOf(HOTEL_9), holderOf({ instrument: 0, slot: 1 })]).toEqual(['other', undefined]);
    expect(shared.neighboursOf(null).holderOf({ instrument: 0, slot: 1 })).toBe('a plate_1');
  });

  it('run tasks on an instrument', () => {
    const own = add({ plates: 2 });
    const other = add({ name: 'b', plates: 2 });
    for (const { progress } of [own, other]) {
      progress.startTask(0, 1, 0);
      progress.startTask(2, 2, 0);
    }
    const ids = shared.neighboursOf(own);
    expect([ids.runningOn(1), ids.runningOn(2), ids.runningOn(0)]).toEqual([
      ['wash_plate_1'],
      ['wash_plate_2'],
      [],
    ]);
    expect(shared.neighboursOf(null).runningOn(1)).toEqual(['wash_plate_1', 'wash_plate_1']);
  });

  it('grip a piece, or one whose run has ended is left', () => {
    const own = add();
    const other = add({ name: 'b' });
    own.progress.locations[0] = null;
    const { gripped } = shared.neighboursOf(own);
    expect(gripped()).toBeNull();
    shared.leftInGripper = 'left';
    expect(gripped()).toBe('left');
    other.progress.locations[0] = null;
    expect(gripped()).toBe('b plate_1');
    expect(shared.neighboursOf(null).gripped()).toBe('a plate_1');
  });
});
