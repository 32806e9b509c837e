/** The runs of a twin: their records, decks and live runs, over an archive in memory. */

import { describe, expect, it } from 'vitest';
import type { RunEvent } from '../../contract/types.generated.ts';
import { RESTARTED } from '../archive/interruption.ts';
import { EMPTY_HISTORY } from '../archive/run-history.ts';
import { historyOf } from './live-history.ts';
import { at, PLATE_A, quickWall, READER } from './run-parts.cases.ts';
import { changeOf, headOf, OWNER, RunsStage, recordOf } from './runs-stage.cases.ts';

const planEvent = (sequence: number): RunEvent => ({
  sequence,
  hook_type: 'NewPlanHook',
  body: { run_id: '7', timestamp: '2020-01-01T00:00:00.000Z', remaining_worktime: 1 },
});

describe('the runs of an owner', () => {
  it('are found and listed, and those of others are not', () => {
    const own = recordOf({ id: 7, state: 'stopped' });
    const other = recordOf({ id: 8, state: 'stopped' }, { owner_id: OWNER + 1 });
    const { runs } = new RunsStage([own, other]);
    expect(runs.find(OWNER, 7)).toBe(own);
    expect([runs.find(OWNER, 8), runs.find(OWNER, 9)]).toEqual([null, null]);
    expect(runs.list(OWNER)).toEqual([own.head]);
    expect(runs.list(OWNER + 2)).toEqual([]);
  });

  it('are live until they stop', () => {
    const stage = new RunsStage();
    const { run } = stage.addLive();
    stage.addLive({ id: 8, workcell_id: 2 });
    stage.addLive({ id: 9, workcell_id: null });
    const { runs } = stage;
    expect([runs.liveOf(7)?.run, runs.liveOf(6)]).toEqual([run, null]);
    expect([runs.idsOn(1), runs.idsOn(2), runs.idsOn(3)]).toEqual([[7], [8], []]);
    expect([runs.sharedOn(1), runs.sharedOn(3)]).toEqual([run.shared, null]);
  });

  it('all stop with their owner', () => {
    const stage = new RunsStage([recordOf({ id: 6, state: 'stopped' })]);
    const { run } = stage.addLive();
    const other = stage.addLive({ id: 8 });
    stage.records.set(8, { ...other.record, owner_id: OWNER + 1 });
    stage.runs.stopAllOf(OWNER);
    expect([run.calls, other.run.calls]).toEqual([['stop'], []]);
  });

  it('are followed on the wall clock of the twin', () => {
    expect(new RunsStage().runs.wall).toBe(quickWall);
  });

  it('have plans with ids of their own', () => {
    const { runs } = new RunsStage();
    expect([runs.nextPlanId(), runs.nextPlanId()]).toEqual([41, 42]);
  });
});

describe('an event of a run', () => {
  it.each([
    ['started', 'started', null],
    ['paused', 'paused', null],
    ['resumed', 'started', null],
    ['stopped', 'stopped', '2020-01-01T00:00:03.000Z'],
  ] as const)('%s makes its head %s', async (change, state, stopped_at) => {
    const stage = new RunsStage();
    const { record } = stage.addLive({ state: 'paused', message: 'before' });
    stage.runs.onEvent(record, changeOf(change, 5, 3));
    expect(record.head).toEqual(headOf({ state, message: `why ${change}`, stopped_at }));
    expect(stage.runs.live.has(7)).toBe(change !== 'stopped');
    expect(record.events).toEqual([]);
    await stage.runs.settled(record);
    expect(record.events).toEqual([changeOf(change, 5, 3)]);
    expect(stage.saves).toEqual(['save 7: 5', 'send 7: 1']);
  });

  it('about a task leaves the head', () => {
    const stage = new RunsStage();
    const { record } = stage.addLive();
    const { head } = record;
    stage.runs.onEvent(record, planEvent(1));
    expect(record.head).toBe(head);
  });

  it('about a plan gives its plan an id', () => {
    const stage = new RunsStage();
    const { record } = stage.addLive();
    stage.runs.onEvent(record, planEvent(1));
    expect([stage.runs.liveOf(7)!.plan_id, stage.runs.nextPlanId()]).toEqual([41, 42]);
    stage.runs.onEvent(record, changeOf('paused'));
    expect(stage.runs.liveOf(7)!.plan_id).toBe(41);
    stage.runs.live.clear();
    stage.runs.onEvent(record, planEvent(2));
    expect(stage.runs.nextPlanId()).toBe(43);
  });

  it('is saved with the history of the run and the deck of its workcell', async () => {
    const stage = new RunsStage();
    const { record, run } = stage.addLive();
    run.isPausing = true;
    run.now_s = 3;
    run.progress.locations[PLATE_A] = at(READER, 2);
    stage.runs.onEvent(record, planEvent(1));
    await stage.runs.settled(record);
    expect(record.history).toEqual(historyOf(stage.runs.liveOf(7)!));
    expect(record.pausing).toBe(true);
    expect(stage.place('plate_a')).toEqual({ instrument_id: 'reader', slot: 2 });
    expect(stage.cells.calls).toEqual(['put 1']);
  });

  it('of a run without a workcell changes no deck', async () => {
    const stage = new RunsStage();
    const { record } = stage.addLive({ workcell_id: null });
    stage.runs.onEvent(record, planEvent(1));
    await stage.runs.settled(record);
    expect([stage.cells.calls, stage.place('plate_a')]).toEqual([[], undefined]);
    expect(stage.saves).toEqual(['save 7: 1', 'send 7: 1']);
  });

  it('at the end of a run leaves its last history and deck', () => {
    const stage = new RunsStage();
    const { record, run } = stage.addLive();
    run.now_s = 50;
    stage.runs.onEvent(record, changeOf('stopped'));
    expect([record.history.now_s, stage.place('plate_b')]).toEqual([
      50,
      { instrument_id: 'hotel', slot: 2 },
    ]);
    run.now_s = 60;
    stage.runs.onEvent(record, changeOf('stopped', 2));
    expect(record.history.now_s).toBe(50);
  });
});

describe('what has happened in a run', () => {
  it('is saved after a call without events, while the run is live', async () => {
    const stage = new RunsStage();
    const { record } = stage.addLive();
    await stage.runs.touch(record);
    expect(stage.saves).toEqual(['save 7: ', 'send 7: 0']);
    stage.runs.live.clear();
    await stage.runs.touch(record);
    expect(stage.saves).toHaveLength(2);
  });

  it('waits for the disk', async () => {
    const stage = new RunsStage();
    const { record } = stage.addLive();
    stage.isDiskFull = true;
    await expect(stage.runs.touch(record)).rejects.toThrow();
    expect(stage.unsaved).not.toEqual([]);
    stage.runs.onEvent(record, planEvent(1));
    await stage.runs.settled(record);
    expect([stage.saves, record.events]).toEqual([[], []]);
    stage.isDiskFull = false;
    await stage.runs.flush();
    expect([stage.saves, record.events.length]).toEqual([['save 7: 1', 'send 7: 1'], 1]);
  });

  it('is known to those who follow it once it is durable', async () => {
    const stage = new RunsStage();
    const { record } = stage.addLive();
    const other = stage.addLive({ id: 8 });
    const seen: string[] = [];
    const ends = ['a', 'b'].map((name) =>
      stage.runs.onSaved(record, () => seen.push(`${name} ${record.events.length}`)),
    );
    const endOther = stage.runs.onSaved(other.record, () => seen.push('other'));
    expect(stage.runs.followers).toEqual([OWNER, OWNER, OWNER]);
    stage.runs.onEvent(record, planEvent(1));
    expect(seen).toEqual([]);
    await stage.runs.settled(record);
    expect(seen).toEqual(['a 1', 'b 1']);
    ends[0]!();
    stage.runs.onEvent(record, planEvent(2));
    await stage.runs.settled(record);
    expect(seen.slice(2)).toEqual(['b 2']);
    ends[1]!();
    expect(stage.runs.followers).toEqual([OWNER]);
    endOther();
    expect(stage.runs.followers).toEqual([]);
  });
});

describe('a reset of the twin', () => {
  it('ends the live runs without events and restores the first records', async () => {
    const first = recordOf({ id: 5, state: 'stopped' });
    const stage = new RunsStage([first]);
    const { record, run } = stage.addLive();
    stage.runs.setInstrument('washer', false);
    stage.runs.onEvent(record, planEvent(1));
    await stage.runs.reset();
    expect(run.calls).toEqual(['instrument', 'dispose']);
    expect([stage.runs.live.size, stage.runs.generation]).toEqual([0, 1]);
    expect(stage.runs.downSince('washer')).toBeNull();
    expect(stage.restored).toEqual([first]);
    expect(stage.runs.nextPlanId()).toBe(61);
    await stage.runs.flush();
    expect([stage.saves, record.events]).toEqual([[], []]);
  });
});

describe('a run that the end of a process interrupted', () => {
  it.each([
    { last: 2, stopped: 4, pausing: false },
    { last: 9, stopped: 9, pausing: true },
  ])('is stopped, not before its last event ($last s)', async ({ last, stopped, pausing }) => {
    const task = { id: 'wash_a', state: 'running' as const, instrument_id: 'washer', error: '' };
    const tasks = [{ ...task, started_at_s: 1, ended_at_s: null }];
    const history = { ...EMPTY_HISTORY, tasks };
    const record = recordOf({}, { events: [changeOf('started', 1, last)], history, pausing });
    const stage = new RunsStage([record]);
    const stopped_at = `2020-01-01T00:00:0${stopped}.000Z`;
    expect(record.head).toMatchObject({ state: 'stopped', message: RESTARTED, stopped_at });
    expect(record.history.tasks).toMatchObject([{ state: 'failed', error: RESTARTED }]);
    await stage.runs.flush();
    const states = record.events.map(({ body }) => ('state' in body ? body.state : ''));
    expect(states).toEqual(['started', ...(pausing ? ['paused'] : []), 'stopped']);
  });

  it('may have no events, and one that had stopped keeps its own', () => {
    const empty = recordOf();
    const stopped = recordOf({ id: 8, state: 'stopped', message: 'completed' });
    const stage = new RunsStage([empty, stopped]);
    expect(empty.head.stopped_at).toBe('2020-01-01T00:00:04.000Z');
    expect(stopped.head.message).toBe('completed');
    expect(stage.runs.find(OWNER, 8)).toBe(stopped);
  });
});

describe('an instrument', () => {
  it('is up until it is set down, and the live runs hear of each change', () => {
    const stage = new RunsStage();
    const { run } = stage.addLive();
    const { runs } = stage;
    expect(runs.downSince('washer')).toBeNull();
    runs.setInstrument('washer', false);
    expect([runs.downSince('washer'), runs.downSince('reader')]).toEqual([
      expect.any(Number),
      null,
    ]);
    runs.setInstrument('washer', true);
    expect(runs.downSince('washer')).toBeNull();
    expect(run.calls).toEqual(['instrument', 'instrument']);
  });
});

describe('the deck of a workcell', () => {
  it('follows the live runs on it', () => {
    const stage = new RunsStage();
    const { run } = stage.addLive();
    run.progress.locations[PLATE_A] = null;
    stage.runs.updateDecks(2);
    stage.runs.updateDecks(99);
    expect(stage.place('plate_a')).toBeUndefined();
    stage.runs.updateDecks(1);
    expect(stage.place('plate_a')).toBeNull();
    expect(stage.place('plate_b')).toEqual({ instrument_id: 'hotel', slot: 2 });
  });

  it('that an operator has set moves the pieces that belong to no run', () => {
    const stage = new RunsStage();
    const { run } = stage.addLive();
    const labware = [
      { labware_id: 'plate_a', instrument_id: 'washer', slot: 1 },
      { labware_id: 'box', instrument_id: 'reader', slot: 2 },
      { labware_id: 'lost', instrument_id: 'cellar', slot: 1 },
    ];
    const box = new Map([['box', at(READER, 2)]]);
    stage.runs.deckChanged(2, { labware, gripper: 'cap' });
    expect(run.shared.statics).toBeNull();
    for (const [gripper, left] of [
      ['cap', 'cap'],
      ['plate_b', null],
      [null, null],
    ] as const) {
      stage.runs.deckChanged(1, { labware, gripper });
      expect(run.shared.statics).toEqual([box, left]);
    }
  });
});

describe('the start of a run', () => {
  it('is refused before anything else where the clock cannot run it', async () => {
    const stage = new RunsStage();
    stage.pace = { kind: 'scaled' };
    const options = { simulate_time: true, simulate_drivers: true };
    const request = { caller: { user_id: 1 }, options };
    const found = await stage.runs.start(request as never);
    expect(found).toMatchObject({ refused: 'not_supported' });
  });
});
