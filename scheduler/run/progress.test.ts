import { describe, expect, it } from 'vitest';
import type { RunTask } from '../../contract/types.generated.ts';
import type { ModelTask } from '../definition/workflow-model.ts';
import { RunProgress } from './progress.ts';
import {
  at,
  HOTEL,
  modelOf,
  moveOf,
  PLATE_A,
  PLATE_B,
  READ_A,
  READ_B,
  READER,
  WASH_A,
  WASH_B,
  WASHER,
} from './run-parts.cases.ts';

const progressOf = (changed: Readonly<Record<number, Partial<ModelTask>>> = {}) =>
  new RunProgress(modelOf({ changed }));
const statesOf = ({ tasks }: RunProgress) => tasks.map(({ state }) => state);

/** Runs a task from one time to another. */
function ran(progress: RunProgress, task: number, [start_s, end_s]: [number, number]): void {
  progress.startTask(task, task % 2 === 0 ? WASHER : READER, start_s);
  progress.endTask(task, end_s, null);
}

/** A task that was not tried again by itself. */
const FRESH = { tries: 0, not_before_s: 0, short_since_s: null, outputs: null };

describe('the progress of a new run', () => {
  it('has waiting tasks without times, and the pieces where the model has them', () => {
    const progress = progressOf();
    const task = { instrument: -1, start_s: null, end_s: null, error: '', retries: 0, ...FRESH };
    expect(progress.tasks[WASH_A]).toEqual({ state: 'waiting', ...task });
    expect(progress.locations).toEqual([at(HOTEL, 1), at(HOTEL, 2)]);
    expect([progress.moves, progress.started(0), progress.runningTasks]).toEqual([[], [], []]);
    expect(progress.failedTasks).toEqual([]);
    expect(progress.allDone).toBe(false);
  });

  it('counts the tasks that the model skips as ended, in the way that they ended', () => {
    const progress = progressOf({
      [WASH_A]: { skip: true },
      [READ_A]: { skip: true, ended: 'completed_manually' },
      [WASH_B]: { skip: false, ended: 'succeeded' },
    });
    expect(statesOf(progress)).toEqual(['skipped', 'completed_manually', 'waiting', 'waiting']);
    expect(progress.nextTaskOf(PLATE_A)).toBeUndefined();
  });
});

describe('the state of a task', () => {
  it.each<[RunTask['state'], boolean, boolean]>([
    ['waiting', false, true],
    ['running', false, false],
    ['failed', false, true],
    ['succeeded', true, false],
    ['completed_manually', true, false],
    ['skipped', true, false],
    ['aborted', true, false],
  ])('%s decides whether it is done (%s) and open (%s)', (state, isDone, isOpen) => {
    const progress = progressOf();
    progress.tasks[READ_A]!.state = state;
    expect([progress.isDone(READ_A), progress.isOpen(READ_A)]).toEqual([isDone, isOpen]);
    const only = (wanted: RunTask['state']) => (state === wanted ? [READ_A] : []);
    expect(progress.runningTasks).toEqual(only('running'));
    expect(progress.failedTasks).toEqual(only('failed'));
    expect(progress.abortedTasks).toEqual(only('aborted'));
  });

  it('all done once the last one is', () => {
    const progress = progressOf();
    for (const task of [WASH_A, READ_A, WASH_B]) ran(progress, task, [0, 1]);
    expect(progress.allDone).toBe(false);
    progress.skip(READ_B);
    expect(progress.allDone).toBe(true);
  });
});

describe('a task that runs', () => {
  it('keeps its instrument and times, and leaves the pieces in the slots after it', () => {
    const progress = progressOf();
    progress.locations[PLATE_A] = at(READER, 1);
    progress.tasks[READ_A]!.error = 'before';
    progress.startTask(READ_A, READER, 4);
    const times = { instrument: READER, start_s: 4, end_s: null, error: '', retries: 0, ...FRESH };
    expect(progress.tasks[READ_A]).toEqual({ state: 'running', ...times });
    progress.endTask(READ_A, 30, null);
    expect(progress.tasks[READ_A]).toEqual({ state: 'succeeded', ...times, end_s: 30 });
    expect(progress.locations).toEqual([at(READER, 2), at(HOTEL, 2)]);
    expect(progress.started(99)).toHaveLength(1);
  });

  it('does not place a piece that the arm carries', () => {
    const progress = progressOf();
    progress.locations[PLATE_A] = null;
    ran(progress, READ_A, [0, 1]);
    expect(progress.locations[PLATE_A]).toBeNull();
  });

  it('leaves the pieces and the started operations when it fails', () => {
    const progress = progressOf();
    progress.locations[PLATE_A] = at(READER, 1);
    progress.startMove(moveOf({ task: READ_A }), 0);
    progress.startTask(WASH_B, WASHER, 3);
    progress.startTask(READ_A, READER, 4);
    progress.endTask(READ_A, 9, 'jammed');
    expect(progress.tasks[READ_A]).toMatchObject({ state: 'failed', end_s: 9, error: 'jammed' });
    expect(progress.locations[PLATE_A]).toEqual(at(READER, 1));
    expect(progress.started(9).map(({ kind, task }) => [kind, task])).toEqual([
      ['move', READ_A],
      ['task', WASH_B],
    ]);
  });

  it('waits again without times after a retry, which is counted', () => {
    const progress = progressOf();
    progress.startTask(WASH_A, WASHER, 4);
    progress.endTask(WASH_A, 9, 'jammed');
    progress.retry(WASH_A);
    progress.retry(WASH_A);
    const task = { start_s: null, end_s: null, error: '', retries: 2, ...FRESH };
    expect(progress.tasks[WASH_A]).toEqual({ state: 'waiting', instrument: WASHER, ...task });
  });

  it('follows the chain of its piece', () => {
    const progress = progressOf();
    expect(progress.nextTaskOf(PLATE_B)).toBe(WASH_B);
    ran(progress, WASH_B, [0, 1]);
    expect([progress.nextTaskOf(PLATE_A), progress.nextTaskOf(PLATE_B)]).toEqual([WASH_A, READ_B]);
  });
});

describe('a task that is skipped or completed by hand', () => {
  it('is skipped for the planner, and no longer started', () => {
    const progress = progressOf();
    progress.startTask(WASH_A, WASHER, 0);
    progress.skip(WASH_A);
    expect([...progress.skipped]).toEqual([WASH_A]);
    expect([progress.tasks[WASH_A]!.state, progress.started(1)]).toEqual(['skipped', []]);
  });

  it('has its own start, or that of the moment in which an operator did it', () => {
    const progress = progressOf();
    progress.startTask(WASH_A, WASHER, 2);
    progress.tasks[WASH_A]!.error = 'jammed';
    progress.complete(WASH_A, 9);
    progress.complete(WASH_B, 11);
    const done = { state: 'completed_manually', error: '', retries: 0, ...FRESH };
    expect(progress.tasks[WASH_A]).toEqual({ ...done, instrument: WASHER, start_s: 2, end_s: 9 });
    expect(progress.tasks[WASH_B]).toEqual({ ...done, instrument: -1, start_s: 11, end_s: 11 });
    expect([[...progress.skipped], progress.started(20)]).toEqual([[WASH_A, WASH_B], []]);
  });

  it.each([
    ['is in place', at(READER, 1), at(READER, 2)],
    ['is in another slot', at(READER, 3), at(READER, 3)],
    ['is in another instrument', at(WASHER, 1), at(WASHER, 1)],
    ['is in the gripper', null, null],
  ])('moves a piece to the slot after it only if it %s', (_, before, after) => {
    const progress = progressOf();
    progress.locations[PLATE_A] = before;
    progress.tasks[READ_A]!.instrument = READER;
    progress.complete(READ_A, 1);
    expect(progress.locations[PLATE_A]).toEqual(after);
  });

  it('moves no piece unless all of the task are in place', () => {
    const uses = [PLATE_A, PLATE_B].map((labware) => ({
      labware,
      slot: labware + 1,
      slot_after: 5,
    }));
    const progress = progressOf({ [READ_A]: { uses } });
    progress.tasks[READ_A]!.instrument = READER;
    progress.locations[PLATE_A] = at(READER, 1);
    progress.complete(READ_A, 1);
    expect(progress.locations).toEqual([at(READER, 1), at(HOTEL, 2)]);
  });
});

describe('a move that begins', () => {
  it('is known by its task, piece and kind', () => {
    const progress = progressOf();
    const move = moveOf();
    const begun = progress.startMove(move, 3);
    const open = { end_s: null, picked_s: null, placed_s: null, delay_s: 0 };
    expect(begun).toEqual({ move, start_s: 3, ...open });
    expect(progress.moves).toEqual([begun]);
    expect(progress.hasStarted(moveOf({ start_s: 8 }))).toBe(true);
    const others = [
      moveOf({ task: READ_A }),
      moveOf({ labware: PLATE_B }),
      moveOf({ task: 1, labware: 1 }),
      moveOf({ toBuffer: true }),
    ];
    expect(others.map((one) => progress.hasStarted(one))).toEqual([false, false, false, false]);
    progress.startMove(others[3]!, 4);
    expect(others.map((one) => progress.hasStarted(one))).toEqual([false, false, false, true]);
  });

  it('is not that of another piece of its task, wherever that goes', () => {
    const moves = [0, 1, 2, 3].flatMap((labware) =>
      [false, true].map((toBuffer) => moveOf({ task: READ_B, labware, toBuffer })),
    );
    for (const begun of moves) {
      const progress = progressOf();
      progress.startMove(begun, 0);
      expect(moves.filter((one) => progress.hasStarted(one))).toEqual([begun]);
    }
  });

  it('is forgotten when it is removed, and no other is', () => {
    const progress = progressOf();
    progress.startTask(WASH_B, WASHER, 0);
    const moves = [WASH_A, READ_A, READ_B].map((task, i) =>
      progress.startMove(moveOf({ task, labware: i }), i),
    );
    progress.removeMove(moves[1]!);
    expect(progress.moves).toEqual([moves[0], moves[2]]);
    expect(moves.map(({ move }) => progress.hasStarted(move))).toEqual([true, false, true]);
    expect(progress.started(0).map(({ kind, task }) => [kind, task])).toEqual([
      ['task', WASH_B],
      ['move', WASH_A],
      ['move', READ_B],
    ]);
  });
});

describe('the started operations for the planner', () => {
  it('end as expected, but not in the past', () => {
    const progress = progressOf();
    progress.startMove(moveOf({ start_s: 1, end_s: 6 }), 3).delay_s = 2;
    progress.startTask(WASH_A, WASHER, 4);
    const ends = (now_s: number) => progress.started(now_s).map(({ end_s }) => end_s);
    expect(progress.started(5)).toEqual([
      { ...moveOf(), kind: 'move', start_s: 3, end_s: 10 },
      { kind: 'task', task: WASH_A, instrument: WASHER, start_s: 4, end_s: 24 },
    ]);
    expect([ends(9), ends(11), ends(30)]).toEqual([
      [10, 24],
      [11, 24],
      // The move should have ended at 10 s, the task at 24 s.
      [50, 36],
    ]);
  });

  it('have the ends that they had, and are fixed then', () => {
    const progress = progressOf();
    const move = progress.startMove(moveOf(), 0);
    ran(progress, WASH_A, [5, 12]);
    move.end_s = 4;
    const [first, second] = progress.started(50);
    expect([first!.end_s, second!.end_s]).toEqual([4, 12]);
    expect(progress.started(60)[0]).toBe(first);
    expect(progress.started(60)[1]).toBe(second);
  });
});

describe('the tasks of pieces on hold', () => {
  it('are the open ones of the piece', () => {
    const progress = progressOf();
    expect([...progress.heldTasks()]).toEqual([]);
    progress.held.add(PLATE_B);
    expect([...progress.heldTasks()]).toEqual([WASH_B, READ_B]);
    progress.startTask(WASH_B, WASHER, 0);
    expect([...progress.heldTasks()]).toEqual([READ_B]);
    progress.held.add(PLATE_A);
    expect(new Set(progress.heldTasks())).toEqual(new Set([WASH_A, READ_A, READ_B]));
  });

  it('are also those that depend on them, with what follows in the chains of other pieces', () => {
    const progress = progressOf({ [WASH_B]: { after: [READ_A] } });
    progress.held.add(PLATE_A);
    expect(new Set(progress.heldTasks())).toEqual(new Set([WASH_A, READ_A, WASH_B, READ_B]));
    const other = progressOf({ [READ_B]: { after: [READ_A] } });
    other.held.add(PLATE_A);
    expect(new Set(other.heldTasks())).toEqual(new Set([WASH_A, READ_A, READ_B]));
  });

  it('are also those that depend on the only one of a piece that is open', () => {
    const progress = progressOf({ [WASH_B]: { after: [READ_A] } });
    ran(progress, WASH_A, [0, 1]);
    progress.held.add(PLATE_A);
    expect(new Set(progress.heldTasks())).toEqual(new Set([READ_A, WASH_B, READ_B]));
  });

  it('leave one that is skipped behind an open one', () => {
    const progress = progressOf();
    progress.skip(READ_B);
    progress.held.add(PLATE_B);
    expect([...progress.heldTasks()]).toEqual([WASH_B]);
    progress.abortLabware(PLATE_B);
    expect(statesOf(progress)).toEqual(['waiting', 'waiting', 'aborted', 'skipped']);
  });

  it('need all of several dependencies', () => {
    const progress = progressOf({ [READ_B]: { after: [WASH_B, WASH_A] } });
    progress.held.add(PLATE_A);
    expect(progress.heldTasks().has(READ_B)).toBe(true);
  });

  it('are found over dependencies against the order of the tasks', () => {
    const progress = progressOf({ [READ_A]: { after: [READ_B] }, [READ_B]: { after: [WASH_A] } });
    progress.tasks[READ_B]!.state = 'waiting';
    progress.held.add(PLATE_B);
    expect(new Set(progress.heldTasks())).toEqual(new Set([WASH_B, READ_B, READ_A]));
  });

  it('leave what runs or has ended', () => {
    const progress = progressOf({ [WASH_B]: { after: [WASH_A] }, [READ_B]: { after: [READ_A] } });
    progress.startTask(WASH_B, WASHER, 0);
    progress.skip(READ_B);
    progress.held.add(PLATE_A);
    expect(new Set(progress.heldTasks())).toEqual(new Set([WASH_A, READ_A]));
  });
});

describe('labware that is given up', () => {
  it('aborts the open tasks of the piece and what depends on them', () => {
    const progress = progressOf({ [READ_B]: { after: [READ_A] } });
    progress.startTask(WASH_A, WASHER, 0);
    progress.endTask(WASH_A, 1, 'jammed');
    expect(progress.abortLabware(PLATE_A)).toBe(true);
    expect(statesOf(progress)).toEqual(['aborted', 'aborted', 'waiting', 'aborted']);
    expect(progress.abortedTasks).toEqual([WASH_A, READ_A, READ_B]);
    expect(progress.skipped).toEqual(new Set([WASH_A, READ_A, READ_B]));
    expect(progress.abortLabware(PLATE_A)).toBe(false);
  });

  it('leaves a task that runs', () => {
    const progress = progressOf();
    progress.startTask(WASH_A, WASHER, 0);
    expect(progress.abortLabware(PLATE_A)).toBe(true);
    expect(statesOf(progress)).toEqual(['running', 'aborted', 'waiting', 'waiting']);
    expect(progress.started(1)).toHaveLength(1);
  });
});

describe('a copy of the progress', () => {
  it('has the same content', () => {
    const progress = progressOf();
    ran(progress, WASH_A, [0, 4]);
    progress.startMove(moveOf({ task: READ_A }), 5);
    progress.locations[PLATE_A] = null;
    progress.skip(READ_B);
    progress.held.add(PLATE_B);
    const copy = progress.copy();
    expect(copy.tasks).toEqual(progress.tasks);
    expect(copy.locations).toEqual([null, at(HOTEL, 2)]);
    expect([copy.moves, copy.skipped, copy.held]).toEqual([
      progress.moves,
      progress.skipped,
      progress.held,
    ]);
    expect(copy.started(6)).toEqual(progress.started(6));
    expect(copy.hasStarted(moveOf({ task: READ_A }))).toBe(true);
  });

  it('changes nothing in the original', () => {
    const progress = progressOf();
    progress.startTask(WASH_A, WASHER, 0);
    const copy = progress.copy();
    copy.endTask(WASH_A, 9, null);
    copy.startMove(moveOf({ task: READ_A }), 9);
    copy.abortLabware(PLATE_B);
    copy.held.add(PLATE_A);
    copy.locations[PLATE_A] = null;
    expect(copy.started(10)).toHaveLength(2);
    expect(statesOf(progress)).toEqual(['running', 'waiting', 'waiting', 'waiting']);
    expect(progress.started(10).map(({ end_s }) => end_s)).toEqual([20]);
    expect([progress.moves, progress.held.size, progress.skipped.size]).toEqual([[], 0, 0]);
    expect(progress.hasStarted(moveOf({ task: READ_A }))).toBe(false);
    expect(progress.locations[PLATE_A]).toEqual(at(HOTEL, 1));
  });
});
