/** The moves of a run, one at a time: events, places and times, failures, pauses and put-downs. */

import { beforeEach, describe, expect, it } from 'vitest';
import type { RunEvent } from '../../contract/types.generated.ts';
import { systemClock } from '../../server/clock/wall-clock.ts';
import { toolpathOf } from '../../server/robot/robot-harness.cases.ts';
import { armOf, device, job, modelOf, piece } from '../definition/small-model.cases.ts';
import type { PlannedLabwareMove } from '../plan/problem.ts';
import { FakeTransporter, loadingArm } from '../workcell/fake-moves.cases.ts';
import { PreparedMoves } from './prepared-moves.ts';
import { RunProgress } from './progress.ts';
import { RunLog } from './run-log.ts';
import { type MoveFailure, RunMoves } from './run-moves.ts';

const at = (instrument: number, slot: number) => ({ instrument, slot });
const MODEL = modelOf({
  instruments: [device('hotel', 3), device('washer')],
  tasks: [job('wash', [1], [[1, 1]])],
  labware: [piece('other', [0, 3]), piece('plate', [0, 1], [0])],
});
const MOVE = { task: 0, labware: 1, from: at(0, 1), to: at(1, 1), start_s: 10, end_s: 15 };
const PLATE = {
  id: 'plate',
  instrument_id: 'washer',
  slot: 1,
  from: { instrument_id: 'hotel', slot: 1 },
};

/** The moves of a run on a transporter that does what a test says. */
class Carrying {
  now_s = 10;
  readonly transporter = new FakeTransporter();
  readonly progress: RunProgress;
  readonly events: RunEvent[] = [];
  readonly done: PlannedLabwareMove[] = [];
  readonly failed: [PlannedLabwareMove, MoveFailure][] = [];
  readonly moves: RunMoves;

  constructor(prepared: PreparedMoves, model = MODEL) {
    const time = { tick: 0, now_s: 0, epoch_ms: 0 };
    this.progress = new RunProgress(model);
    this.moves = new RunMoves({
      model,
      moves: prepared,
      transporter: this.transporter,
      progress: this.progress,
      log: new RunLog(1, time, (event) => this.events.push(event)),
      now_s: () => this.now_s,
      onDone: (move) => this.done.push(move),
      onFailed: (move, failure) => this.failed.push([move, failure]),
    });
  }

  get states(): unknown[] {
    return this.events.map(({ body }) => Reflect.get(body, 'state'));
  }

  /** The move is under way and its piece in the gripper. */
  pick(move: PlannedLabwareMove = MOVE): void {
    expect(this.moves.start(move)).toBeNull();
    this.transporter.observer.onPicked();
  }

  /** Fails the move as a transporter does. */
  fail(reason: string): void {
    this.transporter.isBusy = false;
    this.transporter.observer.onFailed(reason);
  }
}

const wall = systemClock;
let run: Carrying;
beforeEach(async () => {
  run = new Carrying(await PreparedMoves.prepare(MODEL, { arm: loadingArm(), wall }));
});

describe('a move', () => {
  it('takes its planned time and begins now', () => {
    run.now_s = 11;
    expect(run.moves.isFree).toBe(true);
    expect(run.moves.start(MOVE)).toBeNull();
    expect(run.transporter.orders).toEqual([
      { toolpath: null, time_s: 5, isHolding: false, labware: PLATE },
    ]);
    expect(run.moves.isFree).toBe(false);
    const times = { start_s: 11, end_s: null, picked_s: null, placed_s: null, delay_s: 0 };
    expect(run.progress.moves).toEqual([{ move: MOVE, ...times }]);
    expect(run.events).toEqual([]);
  });

  it('cannot begin while the transporter is busy', () => {
    run.transporter.isBusy = true;
    expect(run.moves.isFree).toBe(false);
  });

  it('is undone where the transporter refuses it', () => {
    run.transporter.startFault = 'no way';
    expect(run.moves.start(MOVE)).toBe('no way');
    expect([run.progress.moves, run.progress.hasStarted(MOVE)]).toEqual([[], false]);
    expect(run.moves.isFree).toBe(true);
  });

  it('publishes its start and its end, with the times', () => {
    run.moves.start(MOVE);
    const { observer } = run.transporter;
    run.now_s = 12;
    observer.onPicked();
    expect(run.progress.locations[1]).toBeNull();
    run.now_s = 13;
    observer.onPlaced();
    expect(run.progress.locations).toEqual([at(0, 3), at(1, 1)]);
    run.now_s = 14;
    run.transporter.isBusy = false;
    observer.onDone();
    const times = { start_s: 10, picked_s: 12, placed_s: 13, end_s: 14, delay_s: 0 };
    expect(run.progress.moves).toEqual([{ move: MOVE, ...times }]);
    expect([run.moves.isFree, run.done, run.failed]).toEqual([true, [MOVE], []]);
    const path = {
      labware_id: 'plate',
      source_instrument_id: 'hotel',
      source_slot: 1,
      destination_instrument_id: 'washer',
      destination_slot: 1,
    };
    expect(run.events.map(({ body }) => body)).toMatchObject([
      { ...path, state: 'started' },
      { ...path, state: 'finished' },
    ]);
    run.moves.close();
    expect(run.events.length).toBe(2);
  });
});

describe('a move that fails', () => {
  it.each([
    ['to another instrument', MOVE],
    ['to another slot', { ...MOVE, to: at(0, 2) }],
  ])('before the pick-up is undone: %s', (_, move) => {
    run.moves.start(move);
    run.fail('a fault');
    expect(run.failed).toEqual([[move, { reason: 'a fault', isCarried: false }]]);
    expect([run.progress.moves, run.events, run.moves.isFree]).toEqual([[], [], true]);
  });

  it('with its piece in the gripper stays, and is published', () => {
    run.pick();
    run.fail('a fault');
    expect(run.failed).toEqual([[MOVE, { reason: 'a fault', isCarried: true }]]);
    expect([run.states, run.moves.isFree]).toEqual([['started', 'failed'], false]);
    expect(run.progress.moves).toMatchObject([{ end_s: null }]);
    run.moves.close();
    expect(run.states.length).toBe(2);
  });

  it('after the put-down has ended', () => {
    run.pick();
    run.transporter.observer.onPlaced();
    run.now_s = 14;
    run.fail('a fault');
    expect(run.failed).toEqual([[MOVE, { reason: 'a fault', isCarried: false }]]);
    expect(run.progress.moves).toMatchObject([{ end_s: 14 }]);
    expect([run.states, run.moves.isFree]).toEqual([['started', 'finished'], true]);
  });

  it('is aborted only where one is in progress', () => {
    run.moves.abort('a stop');
    expect([run.failed, run.transporter.calls]).toEqual([[], []]);
    run.moves.start(MOVE);
    run.moves.abort('a stop');
    expect(run.transporter.calls).toEqual(['start', 'cancel']);
    expect(run.failed).toEqual([[MOVE, { reason: 'a stop', isCarried: false }]]);
  });

  it('is published where the run ends during the carry', () => {
    run.moves.close();
    expect(run.events).toEqual([]);
    run.pick();
    run.moves.close();
    expect(run.states).toEqual(['started', 'failed']);
  });
});

describe('a paused move', () => {
  it('goes on as prepared, and takes so much longer', async () => {
    run.pick();
    run.now_s = 12;
    run.moves.pause();
    expect(run.transporter.calls).toEqual(['start', 'pause']);
    expect(await run.moves.prepareResume()).toBeNull();
    expect(run.transporter.rests).toEqual([{ isHolding: false }]);
    run.now_s = 20;
    expect(run.moves.goOn()).toBeNull();
    expect(run.transporter.calls.at(-1)).toBe('resume');
    expect(run.progress.moves[0]!.delay_s).toBe(8);
    run.now_s = 30;
    run.moves.countPause();
    expect(run.progress.moves[0]!.delay_s).toBe(8);
    run.moves.pause();
    await run.moves.prepareResume();
    run.now_s = 31;
    run.moves.goOn();
    expect(run.progress.moves[0]!.delay_s).toBe(9);
    expect(run.states).toEqual(['started']);
  });

  it('goes on once for each preparation', async () => {
    expect(run.moves.goOn()).toBeNull();
    run.moves.start(MOVE);
    run.moves.pause();
    await run.moves.prepareResume();
    run.moves.goOn();
    run.moves.goOn();
    expect(run.transporter.calls.filter((one) => one === 'resume').length).toBe(1);
  });

  it('does not go on where its preparation failed', async () => {
    run.moves.start(MOVE);
    run.moves.pause();
    await run.moves.prepareResume();
    run.transporter.prepareFault = 'no way';
    expect(await run.moves.prepareResume()).toBe('no way');
    expect(run.moves.goOn()).toBeNull();
    expect(run.transporter.calls).not.toContain('resume');
  });

  it('counts on where the transporter does not resume', async () => {
    run.moves.start(MOVE);
    run.moves.pause();
    await run.moves.prepareResume();
    run.transporter.resumeFault = 'not now';
    run.now_s = 14;
    expect(run.moves.goOn()).toBe('not now');
    run.now_s = 16;
    run.moves.countPause();
    expect(run.progress.moves[0]!.delay_s).toBe(6);
  });

  it('counts nothing where no move was in progress', async () => {
    run.moves.pause();
    expect(run.transporter.calls).toEqual(['pause']);
    run.now_s = 20;
    run.moves.start(MOVE);
    for (run.now_s = 25; run.now_s < 28; run.now_s += 1) run.moves.countPause();
    expect(run.progress.moves[0]!.delay_s).toBe(0);
  });
});

describe('a piece in the gripper', () => {
  it('is put down after a failure, with the time since the start', async () => {
    run.pick();
    run.now_s = 14;
    run.fail('a fault');
    run.now_s = 30;
    expect(await run.moves.prepareResume()).toBeNull();
    expect(run.transporter.rests).toEqual([{ isHolding: true }]);
    expect(run.transporter.orders.length).toBe(1);
    expect(run.moves.goOn()).toBeNull();
    expect(run.transporter.orders[1]).toEqual({
      toolpath: null,
      time_s: 5,
      isHolding: true,
      labware: PLATE,
    });
    expect(run.states).toEqual(['started', 'failed', 'started']);
    expect(run.progress.moves).toMatchObject([{ delay_s: 20, start_s: 10, picked_s: 10 }]);
    expect(run.transporter.calls).not.toContain('resume');
  });

  it('is not published again where it is put down once more', async () => {
    run.pick();
    run.fail('a fault');
    await run.moves.prepareResume();
    run.moves.goOn();
    run.transporter.isBusy = false;
    await run.moves.prepareResume();
    run.moves.goOn();
    expect(run.states).toEqual(['started', 'failed', 'started']);
  });

  it('is not published where the transporter refuses', async () => {
    run.pick();
    run.fail('a fault');
    await run.moves.prepareResume();
    run.transporter.startFault = 'no way';
    expect(run.moves.goOn()).toBe('no way');
    expect(run.states).toEqual(['started', 'failed']);
  });

  it('is that of a move that began before the run', async () => {
    const move = run.progress.startMove({ ...MOVE, start_s: 0, end_s: 6 }, 0);
    run.progress.locations[1] = null;
    run.now_s = 2;
    run.moves.hold(move);
    expect([move.picked_s, run.moves.isFree]).toEqual([0, false]);
    await run.moves.prepareResume();
    run.moves.goOn();
    expect(run.transporter.orders).toMatchObject([{ isHolding: true, time_s: 6 }]);
    expect([move.delay_s, run.states]).toEqual([2, ['started']]);
    run.transporter.observer.onPicked();
    expect(move.picked_s).toBe(0);
  });

  it('counts from the start of the run while it is not put down', () => {
    const move = run.progress.startMove({ ...MOVE, start_s: 0, end_s: 6 }, 0);
    run.moves.hold(move);
    run.now_s = 4;
    run.moves.countPause();
    expect(move.delay_s).toBe(4);
  });
});

describe('a move by the arm', () => {
  const model = { ...MODEL, arm: armOf(['0/1', '1/1']) };
  const program = toolpathOf([]);

  it('has the toolpath that was prepared, and another to put down', async () => {
    const arm = loadingArm(({ name }) => ({ ...program, name }));
    const own = new Carrying(await PreparedMoves.prepare(model, { arm, wall }), model);
    own.pick();
    expect(own.transporter.orders).toMatchObject([
      { toolpath: { name: 'hotel slot 1 to washer slot 1' }, isHolding: false },
    ]);
    own.fail('a fault');
    await own.moves.prepareResume();
    own.moves.goOn();
    expect(own.transporter.orders).toMatchObject([
      {},
      { toolpath: { name: 'put down in washer slot 1' }, isHolding: true },
    ]);
  });

  it('is not planned again to go on after a pause', async () => {
    const arm = loadingArm();
    const own = new Carrying(await PreparedMoves.prepare(model, { arm, wall }), model);
    own.moves.start(MOVE);
    own.moves.pause();
    await own.moves.prepareResume();
    expect(arm.requests.length).toBe(1);
  });

  it('takes its time alone where the drivers are simulated', async () => {
    const prepared = await PreparedMoves.prepare(model, { arm: loadingArm(), wall }, true);
    const own = new Carrying(prepared, model);
    own.pick();
    own.fail('a fault');
    await own.moves.prepareResume();
    own.moves.goOn();
    expect(own.transporter.orders).toMatchObject([{ toolpath: null }, { toolpath: null }]);
  });
});
