/** What is shown of a run: its tasks, pieces, moves and what it waits for. */

import { describe, expect, it } from 'vitest';
import { planReply } from '../definition/plan-reply.ts';
import { historyOf, labwareOf, movesOf, tasksOf } from './live-history.ts';
import {
  at,
  FETCH,
  HOTEL,
  modelOf,
  moveOf,
  PLAN,
  PLATE_A,
  PLATE_B,
  planOf,
  READ,
  READ_A,
  READER,
  ShownParts,
  WASH,
  WASH_A,
  WASH_B,
  WASHER,
} from './run-parts.cases.ts';
import { waitingOf } from './waiting-tasks.ts';

const shownRun = () => new ShownParts(modelOf(), PLAN);

describe('the tasks of a run', () => {
  it('have state, instrument, times and error, and the times of the first plan', () => {
    const run = shownRun();
    run.progress.startTask(WASH_A, WASHER, 6);
    run.progress.endTask(WASH_A, 27, 'jammed');
    run.progress.tasks[READ_A]!.outputs = { od: 0.4 };
    run.plan.adopt(planOf({ tasks: [{ ...READ, start_s: 60, end_s: 80 }] }));
    const [first, second, third] = tasksOf(run.model, run as never);
    expect(first).toEqual({
      id: 'wash_a',
      state: 'failed',
      instrument_id: 'washer',
      started_at_s: 6,
      ended_at_s: 27,
      error: 'jammed',
      data_outputs: null,
      planned_start_s: 5,
      planned_end_s: 25,
    });
    const none = { state: 'waiting', instrument_id: null, started_at_s: null, ended_at_s: null };
    const planned = { planned_start_s: 30, planned_end_s: 50 };
    expect(second).toEqual({
      id: 'read_a',
      ...none,
      error: '',
      data_outputs: { od: 0.4 },
      ...planned,
    });
    expect(third).toMatchObject({ id: 'wash_b', planned_start_s: null, planned_end_s: null });
  });
});

describe('the labware of a run', () => {
  it('is in its slot or in the gripper', () => {
    const run = shownRun();
    run.progress.locations[PLATE_A] = null;
    expect(labwareOf(run.model, run as never)).toEqual([
      { labware_id: 'plate_a', instrument_id: null, slot: null, barcode: null },
      { labware_id: 'plate_b', instrument_id: 'hotel', slot: 2, barcode: null },
    ]);
  });
});

describe('the moves of a run', () => {
  it('have the times of the piece and of the arm, and those of the first plan', () => {
    const run = shownRun();
    const begun = run.progress.startMove(FETCH, 31);
    Object.assign(begun, { picked_s: 32, placed_s: 34, end_s: 35 });
    run.progress.startMove(moveOf({ task: WASH_B, labware: PLATE_B, from: at(HOTEL, 2) }), 36);
    expect(movesOf(run.model, run as never)).toEqual([
      {
        labware_id: 'plate_a',
        source_instrument_id: 'washer',
        source_slot: 1,
        destination_instrument_id: 'reader',
        destination_slot: 1,
        started_at_s: 32,
        ended_at_s: 34,
        planned_start_s: 26,
        planned_end_s: 29,
        arm_started_at_s: 31,
        arm_ended_at_s: 35,
      },
      {
        labware_id: 'plate_b',
        source_instrument_id: 'hotel',
        source_slot: 2,
        destination_instrument_id: 'washer',
        destination_slot: 1,
        started_at_s: null,
        ended_at_s: null,
        planned_start_s: null,
        planned_end_s: null,
        arm_started_at_s: 36,
        arm_ended_at_s: null,
      },
    ]);
  });

  it('have the planned times of the piece where the first plan had the move elsewhere', () => {
    const run = shownRun();
    const seen: unknown[] = [];
    const { pieceTimes } = run.moves;
    run.moves.pieceTimes = (move) => {
      seen.push(move);
      return pieceTimes(move);
    };
    run.progress.startMove(moveOf({ start_s: 40, end_s: 60 }), 41);
    const [shown] = movesOf(run.model, run as never);
    expect(shown).toMatchObject({ planned_start_s: 1, planned_end_s: 4 });
    expect(seen).toEqual([moveOf()]);
  });
});

/** The reasons of the waiting tasks, by task. */
function reasonsOf(run: ShownParts, usesArm = false): Record<string, readonly string[]> {
  const waiting = waitingOf({ run, model: run.model, usesArm } as never);
  return Object.fromEntries(waiting.map(({ task_id, reasons }) => [task_id, reasons]));
}

describe('what a run waits for', () => {
  it('is given for each waiting task, and for no other', () => {
    const run = shownRun();
    run.progress.startTask(WASH_A, WASHER, 6);
    run.progress.skip(WASH_B);
    expect(Object.keys(reasonsOf(run))).toEqual(['read_a', 'read_b']);
  });

  it('is the planned time of a task that could start', () => {
    const run = shownRun();
    run.progress.locations[PLATE_A] = at(WASHER, 1);
    run.progress.startMove(moveOf(), 0);
    run.plan.adopt(planOf({ tasks: [{ ...WASH, start_s: 7.4 }] }));
    const { wash_a } = reasonsOf(run);
    expect(wash_a).toEqual([expect.stringMatching(/\b7 s$/)]);
  });

  it('is 0 s for a task without a plan', () => {
    const run = new ShownParts(modelOf({ changed: { [WASH_A]: { uses: [] } } }));
    expect(reasonsOf(run)['wash_a']).toEqual([expect.stringMatching(/\b0 s$/)]);
  });

  it('is the instrument of its plan, and none without a plan', () => {
    const run = shownRun();
    run.down.add(WASHER).add(HOTEL);
    const { wash_a, wash_b } = reasonsOf(run);
    expect(wash_a).toContain('washer is down');
    expect(wash_b!.filter((text) => text.endsWith('is down'))).toEqual([]);
  });

  it('is why the first move of each piece for it cannot start', () => {
    const uses = [PLATE_A, PLATE_B].map((labware) => ({
      labware,
      slot: labware + 1,
      slot_after: 1,
    }));
    const toBuffer = moveOf({ to: at(READER, 1), toBuffer: true });
    const later = moveOf({ from: at(READER, 1), start_s: 8, end_s: 9 });
    const other = moveOf({ task: WASH_A, labware: PLATE_B, to: at(READER, 2) });
    const moves = [toBuffer, later, other];
    const run = new ShownParts(
      modelOf({ changed: { [WASH_A]: { uses } } }),
      planOf({ tasks: [WASH], moves }),
    );
    run.neighbours.holderOf = ({ instrument, slot }) => `holder ${instrument} ${slot}`;
    const { wash_a } = reasonsOf(run);
    const held = wash_a!.filter((text) => text.includes('holder'));
    expect(held.map((text) => text.replace(/.*(holder.*)/, '$1'))).toEqual([
      `holder ${READER} 1`,
      `holder ${READER} 2`,
    ]);
    run.progress.startMove(toBuffer, 0);
    const next = reasonsOf(run)['wash_a']!.filter((text) => text.includes('holder'));
    expect(next.map((text) => text.replace(/.*(holder.*)/, '$1'))).toEqual([
      `holder ${WASHER} 1`,
      `holder ${READER} 2`,
    ]);
  });

  it('names each reason once', () => {
    const run = shownRun();
    run.progress.held.add(PLATE_A);
    const { wash_a } = reasonsOf(run);
    expect(wash_a!.filter((text) => text === 'plate_a is on hold')).toHaveLength(1);
  });

  it('is why there is no plan, unless the workcell says why', () => {
    const run = shownRun();
    run.plan.faults = ['no plan'];
    run.progress.locations[PLATE_A] = at(WASHER, 1);
    run.progress.startMove(moveOf(), 0);
    const { wash_a, read_a } = reasonsOf(run);
    expect(wash_a).toEqual(['no plan']);
    expect(read_a).not.toContain('no plan');
  });
});

describe('a pause', () => {
  const pause = (what: 'all' | 'moves') => ({ what, reason: `hold of ${what}` });

  it('comes first among the reasons of every task', () => {
    const run = shownRun();
    run.hold = pause('all');
    const reasons = Object.values(reasonsOf(run));
    expect(reasons.map(([first]) => first)).toEqual(Array(4).fill('hold of all'));
    expect(reasons[0]!.length).toBeGreaterThan(1);
  });

  it('is the only reason of a task that could start', () => {
    const run = shownRun();
    run.progress.locations[PLATE_A] = at(WASHER, 1);
    run.progress.startMove(moveOf(), 0).end_s = 5;
    run.hold = pause('all');
    expect(reasonsOf(run)['wash_a']).toEqual(['hold of all']);
  });

  it('of the arm holds the tasks whose pieces it still moves', () => {
    const run = shownRun();
    run.hold = pause('moves');
    const held = (usesArm: boolean) =>
      Object.entries(reasonsOf(run, usesArm)).flatMap(([task, reasons]) =>
        reasons.includes('hold of moves') ? [task] : [],
      );
    expect(held(false)).toEqual([]);
    expect(held(true)).toEqual(['wash_a', 'read_a']);
    const begun = run.progress.startMove(moveOf(), 0);
    run.plan.adopt(planOf({ tasks: [WASH, READ], moves: [moveOf()] }));
    expect(held(true)).toEqual(['wash_a']);
    begun.end_s = 5;
    expect(held(true)).toEqual([]);
    run.progress.locations[PLATE_B] = null;
    expect(held(true)).toEqual(['wash_b', 'read_b']);
  });
});

describe('a pause of the arm', () => {
  it('adds no reason to a task that needs no arm', () => {
    const run = shownRun();
    const before = reasonsOf(run);
    run.hold = { what: 'moves', reason: 'the arm is paused' };
    expect(reasonsOf(run)).toEqual(before);
  });

  it('holds a task of which the arm carries one of two pieces', () => {
    const uses = [PLATE_A, PLATE_B].map((labware) => ({ labware, slot: 1, slot_after: 1 }));
    const run = new ShownParts(modelOf({ changed: { [WASH_A]: { uses } } }));
    run.hold = { what: 'moves', reason: 'the arm is paused' };
    expect(reasonsOf(run, true)['wash_a']).not.toContain('the arm is paused');
    run.progress.locations[PLATE_B] = null;
    expect(reasonsOf(run, true)['wash_a']).toContain('the arm is paused');
  });
});

describe('the history of a run', () => {
  it('has everything as it is now, and keeps a plan that it knows', () => {
    const run = shownRun();
    run.now_s = 12;
    run.progress.startMove(moveOf(), 0);
    const broken = { constraint_id: 'soon' } as never;
    run.limits.violations.push(broken);
    const { model } = run;
    const history = historyOf({ run, model, plan_id: 3 } as never);
    const plan = planReply(3, model, PLAN);
    expect(history).toEqual({
      now_s: 12,
      tasks: tasksOf(model, run as never),
      labware: labwareOf(model, run as never),
      moves: movesOf(model, run as never),
      violations: [broken],
      plan,
    });
    expect(history.moves).toHaveLength(1);
    expect(history.violations).not.toBe(run.limits.violations);
    expect(historyOf({ run, model, plan_id: 3 } as never, plan).plan).toBe(plan);
    expect(historyOf({ run, model, plan_id: 4 } as never, plan).plan).toEqual({ ...plan, id: 4 });
  });
});
