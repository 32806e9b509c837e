/** Why a task or move cannot start, a run cannot resume and an action is not possible. */

import { describe, expect, it } from 'vitest';
import { failureActionsOf } from '../definition/workflow-model.ts';
import { blockingReasons, moveReasons, taskReasons } from './readiness.ts';
import {
  type FailureChoice,
  failedTaskFor,
  noPlanText,
  type RunConditions,
  resumeFault,
} from './run-conditions.ts';
import {
  at,
  HOTEL,
  limitOf,
  modelOf,
  moveOf,
  PLATE_A,
  PLATE_B,
  READ_A,
  READER,
  ShownParts,
  WASH_A,
  WASH_B,
  WASHER,
} from './run-parts.cases.ts';
import { SAFETY_TEXT, safetyFault } from './safety-fault.ts';

/** Plate a stands in the washer, where it is washed next. */
function ready(model = modelOf()): ShownParts {
  const run = new ShownParts(model);
  run.progress.locations[PLATE_A] = at(WASHER, 1);
  return run;
}

/** A model in which nothing goes into or out of an instrument while a task runs. */
function closed(instrument: number) {
  const model = modelOf();
  const instruments = model.instruments.map((one, i) => ({ ...one, closed: i === instrument }));
  return { ...model, instruments };
}

const reasonsOf = (run: ShownParts, change = {}) => moveReasons(run.workcell, moveOf(change));
const washReasons = (run: ShownParts) => blockingReasons(run.workcell, WASH_A, WASHER);
const washIn = (uses: { labware: number; slot: number; slot_after: number }[]) =>
  modelOf({ changed: { [WASH_A]: { uses } } });

describe('a task', () => {
  it('starts with its pieces in place and its instrument free', () => {
    expect(washReasons(ready())).toEqual([]);
  });

  it('waits for the tasks before it', () => {
    const run = ready(modelOf({ changed: { [WASH_A]: { after: [WASH_B, 3] } } }));
    run.progress.skip(WASH_B);
    expect(washReasons(run)).toEqual(['task read_b has not ended']);
  });

  it.each([
    ['in the gripper', null, 'plate_a is in the gripper'],
    ['in another instrument', at(HOTEL, 1), 'plate_a is still in hotel slot 1'],
    ['in another slot', at(WASHER, 2), 'plate_a is still in washer slot 2'],
  ])('waits for a piece %s', (_, location, reason) => {
    const run = ready();
    run.progress.locations[PLATE_A] = location;
    expect(washReasons(run)).toEqual([reason]);
  });

  it('waits for a piece on hold, or for one that another task needs first', () => {
    const run = ready();
    run.progress.locations[PLATE_A] = at(READER, 1);
    const [reason, ...rest] = blockingReasons(run.workcell, READ_A, READER);
    expect([reason, rest]).toEqual([expect.stringMatching(/^plate_a .* first$/), []]);
    run.progress.held.add(PLATE_A);
    expect(blockingReasons(run.workcell, READ_A, READER)).toEqual(['plate_a is on hold']);
  });

  it('waits for the slot in which it leaves its piece', () => {
    const run = ready(washIn([{ labware: PLATE_A, slot: 1, slot_after: 2 }]));
    expect(washReasons(run)).toEqual([]);
    run.progress.locations[PLATE_B] = at(WASHER, 2);
    expect(washReasons(run)).toEqual(['washer slot 2 is held by plate_b']);
    run.progress.locations[PLATE_B] = at(WASHER, 3);
    expect(washReasons(run)).toEqual([]);
    run.neighbours.holderOf = ({ instrument, slot }) => `other ${instrument} ${slot}`;
    expect(washReasons(run)).toEqual([`washer slot 2 is held by other ${WASHER} 2`]);
  });

  it('does not wait for a slot that its piece keeps, or that holds any number', () => {
    const kept = ready();
    kept.neighbours.holderOf = () => 'other';
    expect(washReasons(kept)).toEqual([]);
    const model = washIn([{ labware: PLATE_A, slot: 1, slot_after: 2 }]);
    const instruments = model.instruments.map((one) => ({ ...one, slotless: true }));
    const run = ready({ ...model, instruments });
    run.progress.locations[PLATE_B] = at(WASHER, 2);
    expect(washReasons(run)).toEqual([]);
  });

  it('does not wait for a slot because of a piece in the gripper', () => {
    const run = ready(washIn([{ labware: PLATE_A, slot: 1, slot_after: 2 }]));
    run.progress.locations[PLATE_B] = null;
    expect(washReasons(run)).toEqual([]);
  });

  it('waits for the first of the instruments like for the others', () => {
    const run = new ShownParts(modelOf());
    run.down.add(HOTEL);
    expect(blockingReasons(run.workcell, WASH_A, HOTEL)).toEqual(['hotel is down']);
  });

  it('waits for its instrument', () => {
    const run = ready();
    run.down.add(WASHER);
    expect(washReasons(run)).toEqual(['washer is down']);
    run.down.delete(WASHER);
    run.progress.startTask(WASH_B, WASHER, 0);
    run.progress.startTask(3, READER, 0);
    expect(washReasons(run)).toEqual(['washer is busy with wash_b']);
    run.neighbours.runningOn = (instrument) => [`other ${instrument}`];
    expect(washReasons(run)).toEqual([`washer is busy with wash_b, other ${WASHER}`]);
  });

  it('shares an instrument up to its capacity', () => {
    const run = ready();
    run.progress.skip(WASH_A);
    run.progress.locations[PLATE_A] = at(READER, 1);
    run.progress.startTask(3, READER, 0);
    expect(blockingReasons(run.workcell, READ_A, READER)).toEqual([]);
    run.neighbours.runningOn = () => ['other'];
    const reasons = blockingReasons(run.workcell, READ_A, READER);
    expect(reasons).toEqual(['reader is busy with read_b, other']);
  });

  it('waits until nothing is carried into or out of a closed instrument', () => {
    const run = ready(closed(WASHER));
    expect(washReasons(run)).toEqual([]);
    const move = moveOf({ labware: PLATE_B, task: WASH_B, from: at(HOTEL, 2), to: at(WASHER, 2) });
    const begun = run.progress.startMove(move, 0);
    expect(washReasons(run)).toEqual(['washer is open for plate_b']);
    begun.end_s = 5;
    expect(washReasons(run)).toEqual([]);
    run.neighbours.carriedAt = (instrument) => [`other ${instrument}`];
    expect(washReasons(run)).toEqual([`washer is open for other ${WASHER}`]);
    const open = ready();
    open.neighbours.carriedAt = () => ['other'];
    expect(washReasons(open)).toEqual([]);
  });

  it('without an instrument waits for its pieces only', () => {
    const run = new ShownParts(washIn([]));
    run.down.add(-1);
    expect(blockingReasons(run.workcell, WASH_A, -1)).toEqual([]);
  });

  it('waits for the least time of a limit, which passes with time alone', () => {
    const model = modelOf({ constraints: [limitOf({ min_duration: 30 })] });
    const run = ready(model);
    run.progress.startTask(WASH_A, WASHER, 0);
    run.progress.endTask(WASH_A, 20, null);
    run.progress.locations[PLATE_A] = at(READER, 1);
    run.down.add(READER);
    run.now_s = 21;
    const reasons = taskReasons(run.workcell, READ_A, READER);
    expect(reasons).toEqual(['reader is down', expect.stringMatching(/soon .* 9 s$/)]);
    expect(blockingReasons(run.workcell, READ_A, READER)).toEqual(['reader is down']);
  });
});

describe('a move', () => {
  it('starts with its piece in place and its slot free', () => {
    expect(reasonsOf(new ShownParts(modelOf()))).toEqual([]);
  });

  it('waits for nothing else while its piece is in the gripper', () => {
    const run = new ShownParts(modelOf());
    run.progress.locations[PLATE_A] = null;
    run.down.add(WASHER);
    expect(reasonsOf(run)).toEqual(['plate_a is in the gripper']);
  });

  it.each([
    ['that is elsewhere', { from: at(HOTEL, 3) }, 'plate_a is not there yet'],
    ['of a later task', { task: READ_A }, 'plate_a is needed by another task first'],
    ['into the buffer of a later task', { task: READ_A, toBuffer: true }, /another task first$/],
  ])('waits for a piece %s', (_, change, reason) => {
    const found = reasonsOf(new ShownParts(modelOf()), change);
    expect(found).toEqual([expect.stringMatching(reason)]);
  });

  it('to a buffer starts also after the last task of its piece', () => {
    const run = new ShownParts(modelOf());
    for (const task of [WASH_A, READ_A]) run.progress.skip(task);
    expect(reasonsOf(run, { task: READ_A, toBuffer: true })).toEqual([]);
    expect(reasonsOf(run, { task: READ_A })).toHaveLength(1);
  });

  it('to a buffer after the last task of its piece waits for the end of that', () => {
    const uses = [PLATE_A, PLATE_B].map((labware, i) => ({
      labware,
      slot: i + 1,
      slot_after: 3 + i,
    }));
    const run = new ShownParts(modelOf({ changed: { [READ_A]: { uses } } }));
    const aside = () => {
      const from = run.progress.locations[PLATE_A]!;
      return { task: READ_A, toBuffer: true, from, to: at(HOTEL, 3) };
    };
    run.progress.skip(WASH_A);
    run.progress.locations[PLATE_A] = at(READER, 1);
    run.progress.startTask(READ_A, READER, 0);
    run.progress.startTask(WASH_B, WASHER, 0);
    expect(reasonsOf(run, aside())).toEqual(['task read_a has not ended']);
    run.progress.endTask(READ_A, 20, null);
    expect(reasonsOf(run, aside())).toEqual([]);
  });

  it('waits for a piece on hold and for the gripper', () => {
    const run = new ShownParts(modelOf());
    run.progress.held.add(PLATE_A);
    run.neighbours.gripped = () => 'other';
    const [hold, gripper, ...rest] = reasonsOf(run);
    expect([hold, gripper, rest]).toEqual([
      'plate_a is on hold',
      expect.stringMatching(/other$/),
      [],
    ]);
  });

  it('waits for its target', () => {
    const run = new ShownParts(modelOf());
    run.progress.locations[PLATE_B] = at(WASHER, 1);
    run.down.add(WASHER);
    expect(reasonsOf(run)).toEqual(['washer slot 1 is held by plate_b', 'washer is down']);
    expect(reasonsOf(run, { to: at(HOTEL, 1) })).toEqual([]);
  });
});

describe('an instrument that rests', () => {
  const resting = (rest: object) => {
    const model = modelOf();
    const instruments = model.instruments.map((one) => ({ ...one, ...rest }));
    const run = ready({ ...model, instruments });
    run.progress.startTask(WASH_B, WASHER, 0);
    run.progress.endTask(WASH_B, 20, null);
    run.now_s = 25.5;
    return run;
  };
  const waits = (run: ShownParts) => taskReasons(run.workcell, WASH_A, WASHER);
  const out = { from: at(WASHER, 1), to: at(HOTEL, 1) };

  it('does the next task once it is cool', () => {
    const run = resting({ cool_s: 12 });
    expect(waits(run)).toEqual(['washer cools down for 7 s']);
    expect(reasonsOf(run, out)).toEqual([]);
    run.now_s = 32;
    expect(waits(run)).toEqual([]);
  });

  it('opens once it is cool, if it is closed', () => {
    const run = resting({ cool_s: 12, closed: true });
    expect(reasonsOf(run, out)).toEqual(['washer cools down for 7 s']);
    run.now_s = 32;
    expect(reasonsOf(run, out)).toEqual([]);
  });

  it('does the first task once it is warm, and is loaded before', () => {
    const run = resting({ warm_up_s: 30, closed: true });
    expect(waits(run)).toEqual(['washer warms up for 5 s']);
    expect(reasonsOf(run, out)).toEqual([]);
    run.now_s = 30;
    expect(waits(run)).toEqual([]);
  });
});

describe('a move into or out of a closed instrument', () => {
  const waits = 'washer is closed while it does wash_b';

  it('waits while a task runs there, of this run or of another', () => {
    const run = new ShownParts(closed(WASHER));
    run.progress.locations[PLATE_B] = at(WASHER, 2);
    expect(reasonsOf(run)).toEqual([]);
    run.progress.startTask(WASH_B, WASHER, 0);
    expect(reasonsOf(run)).toEqual([waits]);
    run.progress.locations[PLATE_A] = at(WASHER, 1);
    expect(reasonsOf(run, { from: at(WASHER, 1), to: at(HOTEL, 1) })).toEqual([waits]);
    expect(reasonsOf(run, { from: at(WASHER, 1), to: at(WASHER, 3) })).toEqual([waits]);
    run.progress.endTask(WASH_B, 20, null);
    expect(reasonsOf(run, { from: at(WASHER, 1), to: at(HOTEL, 1) })).toEqual([]);
    run.neighbours.runningOn = (instrument) => (instrument === WASHER ? ['theirs'] : []);
    expect(reasonsOf(run, { from: at(WASHER, 1), to: at(HOTEL, 1) })).toEqual([
      'washer is closed while it does theirs',
    ]);
  });

  it('does not wait where the instrument stays open', () => {
    const run = new ShownParts(closed(READER));
    run.progress.locations[PLATE_B] = at(WASHER, 2);
    run.progress.startTask(WASH_B, WASHER, 0);
    expect(reasonsOf(run)).toEqual([]);
  });
});

describe('a safety state', () => {
  it('lets runs resume only if it is ok', () => {
    expect([safetyFault('ok'), SAFETY_TEXT.ok]).toEqual([null, '']);
    const [emergency, protective] = [safetyFault('emergency_stop'), safetyFault('protective_stop')];
    expect(emergency).toContain('emergency stop');
    expect(emergency).toContain('/sim/v1/emergency_stop');
    expect(emergency).toContain('/api/v1/controls/reset_errors');
    expect(protective).toContain('protective stop');
    expect(protective).toContain('/api/v1/controls/acknowledge_collision');
  });
});

/** A run in a state whose tasks wash_a and wash_b have failed. */
function failedRun(state: RunConditions['state'], model = modelOf()): RunConditions {
  const { progress } = new ShownParts(model);
  for (const task of [WASH_A, WASH_B]) {
    progress.startTask(task, WASHER, 0);
    progress.endTask(task, 1, 'jammed');
  }
  return { state, safety: 'ok', model, progress };
}

describe('a run', () => {
  it('resumes when it is paused and safe and no task has failed', () => {
    const failed = failedRun('paused');
    expect(resumeFault(failed)).toMatch(/: wash_a, wash_b$/);
    expect(resumeFault({ ...failed, safety: 'protective_stop' })).toContain('protective stop');
    expect(resumeFault({ ...failed, state: 'started' })).toBe('The run is started');
    for (const task of [WASH_A, WASH_B]) failed.progress.skip(task);
    expect(resumeFault(failed)).toBeNull();
    expect(resumeFault({ ...failed, state: 'stopped' })).toBe('The run is stopped');
  });

  it('without a plan names why, and how to go on', () => {
    const text = noPlanText(['one', 'two']);
    expect(text).toContain('one; two');
    expect(text).toContain('continue_run_id');
  });
});

describe('an action for a failed task', () => {
  const ACTIONS: readonly FailureChoice[] = ['retry', 'complete', 'skip'];
  const allowing = (actions: Parameters<typeof failureActionsOf>[0]) =>
    modelOf({ changed: { [WASH_B]: { failureActions: failureActionsOf(actions) } } });

  it.each([
    { actions: { retry: true, complete_manually: false, ignore: false }, allowed: ['retry'] },
    { actions: { retry: false, complete_manually: true, ignore: false }, allowed: ['complete'] },
    { actions: { retry: false, complete_manually: false, ignore: true }, allowed: ['skip'] },
    { actions: {}, allowed: ['retry', 'complete'] },
  ])('is possible where the task allows it: $allowed', ({ actions, allowed }) => {
    for (const state of ['paused', 'started'] as const) {
      const run = failedRun(state, allowing(actions));
      const found = ACTIONS.filter((action) => failedTaskFor(run, 'wash_b', action) === WASH_B);
      expect(found).toEqual(allowed);
    }
    const run = failedRun('paused', allowing(actions));
    for (const action of ACTIONS.filter((one) => !allowed.includes(one))) {
      expect(failedTaskFor(run, 'wash_b', action)).toContain('available_failure_actions');
    }
  });

  it('needs a failed task, in a run that goes on', () => {
    expect(failedTaskFor(failedRun('paused'), 'wash_a', 'retry')).toBe(WASH_A);
    expect(failedTaskFor(failedRun('paused'), 'rinse', 'retry')).toBe('There is no task rinse');
    for (const [state, id] of [
      ['stopped', 'wash_b'],
      ['paused', 'read_a'],
    ] as const) {
      const found = failedTaskFor(failedRun(state), id, 'retry');
      expect(found).toMatch(new RegExp(`^Task ${id} has not failed`));
    }
  });

  it('retries up to the limit of the task', () => {
    const run = failedRun('paused', allowing({ max_retries: 2 }));
    const task = run.progress.tasks[WASH_B]!;
    const found = [0, 1, 2, 3].map((retries) => {
      task.retries = retries;
      return failedTaskFor(run, 'wash_b', 'retry');
    });
    expect(found.slice(0, 2)).toEqual([WASH_B, WASH_B]);
    expect(found[2]).toMatch(/ 2 times, its max_retries$/);
    expect(found[3]).toMatch(/ 3 times, its max_retries$/);
    expect(failedTaskFor(run, 'wash_b', 'complete')).toBe(WASH_B);
  });
});
