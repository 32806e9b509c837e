/** The start of a run: its plan, its refusals before and after planning, and what it shares. */

import { beforeEach, describe, expect, it, vi } from 'vitest';
import { refuse } from '../../contract/refusal.ts';
import { shareAlone, shares } from '../../contract/shares.ts';
import type { RunHead, StartRunBody } from '../../contract/types.generated.ts';
import { EMPTY_HISTORY } from '../archive/run-history.ts';
import { checkDefinition } from '../definition/checked-definition.ts';
import { washAndRead } from '../definition/workflow.cases.ts';
import { JointPlan } from '../joint/joint-plan.ts';
import {
  at,
  HOTEL,
  limitOf,
  PLATE_A,
  PLATE_B,
  quickWall,
  READER,
  WASHER,
} from './run-parts.cases.ts';
import { CALLER, carriedModel, StartStage } from './start-stage.cases.ts';

const SIMULATED: StartRunBody = { simulate_drivers: true };

let stage: StartStage;
beforeEach(() => {
  stage = new StartStage();
});

/** A live run that is no more than that. */
const other = (workcell_id: number | null, usesArm: boolean, owner_id = 1) =>
  ({ owner_id, workcell_id, usesArm }) as never;

describe('a run that starts', () => {
  it('is planned, stored and live, and goes to its end', async () => {
    const created: unknown[] = [];
    const request = stage.request(SIMULATED);
    const found = await stage.starter.start({
      ...request,
      onCreated: (draft, head) => created.push([draft, head]),
    });
    const head: RunHead = {
      id: 7,
      workflow_id: 2,
      workcell_id: null,
      name: 'two plates',
      state: 'started',
      message: '',
      started_at: '2020-01-01T00:01:40.000Z',
      stopped_at: null,
    };
    expect(found).toEqual(head);
    const lists = { hooks: stage.model.hooks, events: [], history: EMPTY_HISTORY };
    expect(stage.records).toEqual([{ head, owner_id: 3, ...lists, pausing: false }]);
    expect(created).toEqual([['draft', head]]);
    const { run } = stage;
    const live = {
      run,
      owner_id: 3,
      model: stage.model,
      plan_id: 0,
      usesArm: false,
      workcell_id: null,
    };
    expect(stage.live).toEqual(new Map([[7, live]]));
    expect(stage.settled).toEqual([stage.records[0], 1]);
    expect(run.schedule).toEqual({
      priority: 5,
      start_after_s: 0,
      due_s: Number.POSITIVE_INFINITY,
    });
    stage.loop.advanceTo(200);
    expect(stage.story).toEqual([
      '0 run plan',
      '0 run started',
      '0 move started',
      '5 move finished',
      '5 wash_a started',
      '25 wash_a succeeded',
      '25 move started',
      '30 move finished',
      '30 read_a started',
      '50 read_a succeeded',
      '50 run stopped',
    ]);
  });

  it('has the schedule and the faults of its options', async () => {
    const schedule = { priority: 0, start_after_s: 30, due_s: 900 };
    const faults = [{ task_id: 'wash_a', error: 'clogged' }];
    await stage.start({ ...SIMULATED, ...schedule, faults });
    expect(stage.run.schedule).toEqual(schedule);
    stage.loop.advanceTo(200);
    expect(stage.story.slice(2)).toEqual([
      '30 move started',
      '35 move finished',
      '35 wash_a started',
      '55 wash_a failed',
      '55 run paused',
    ]);
  });

  it('knows which instruments are down, then and later', async () => {
    await stage.start(SIMULATED);
    stage.down.add('washer');
    const { workcell, shared } = stage.run;
    expect([WASHER!, READER!].map(workcell.downSince_s)).toEqual([expect.any(Number), null]);
    expect(['washer', 'hotel'].map(shared.downSince)).toEqual([0, null]);
  });

  it('on a workcell shares what the runs on it share', async () => {
    stage.deck.set('box', { instrument_id: 'hotel', slot: 9 });
    expect(await stage.start()).toMatchObject({ id: 7, workcell_id: 1 });
    const { shared } = stage.run;
    expect(shared.runs).toEqual([stage.run]);
    expect(shared.statics).toEqual(new Map([['box', at(HOTEL!, 9)]]));
    expect(stage.live.get(7)!.workcell_id).toBe(1);
    stage.model = { ...stage.model, labware: [], tasks: [] };
    const request = stage.request();
    Object.assign(request.definition, { workflow: { labware: [], tasks: {} } });
    expect(await stage.starter.start(request)).toMatchObject({ id: 8 });
    expect(stage.run.shared).toBe(shared);
  });
});

describe('the seed of a run', () => {
  const MODEL_SEED = 3;
  /** Plates whose order is a matter of chance. */
  const manyPlates = () => {
    const document = washAndRead({ plates: 8 });
    Object.values(document.workflow.tasks).forEach((task: object, i) => {
      Object.assign(task, { time_estimate: 10 + ((i * 7919) % 23) });
    });
    return { ...checkDefinition(document).model!, seed: MODEL_SEED };
  };

  it.each([
    [{}, MODEL_SEED],
    [{ seed: 5 }, 5],
    [{ seed: 0 }, 0],
  ])('with %j is %d, also for its later plans', async (options, seed) => {
    stage.model = manyPlates();
    await stage.start({ ...SIMULATED, ...options });
    const { run } = stage;
    const planned = async (joint: Pick<JointPlan, 'planFor'>) => {
      const found = await joint.planFor(
        { run, progress: run.progress },
        stage.loop.tick,
        quickWall,
      );
      return found.ok && found.value.tasks;
    };
    const wanted = await planned(new JointPlan(run.shared, seed));
    expect(wanted).toBeTruthy();
    expect(await planned(run.shared.joint)).toEqual(wanted);
    expect(await planned(new JointPlan(run.shared, 1))).not.toEqual(wanted);
  });

  it.each([
    [{}, MODEL_SEED],
    [{ seed: 5 }, 5],
  ])('with %j is %d where it joins others on the workcell', async (options, seed) => {
    await stage.start();
    const planWith = vi.spyOn(stage.run.shared.joint, 'planWith');
    stage.model = { ...stage.model, labware: [], tasks: [], seed: MODEL_SEED };
    const request = stage.request(options);
    Object.assign(request.definition, { workflow: { labware: [], tasks: {} } });
    await stage.starter.start(request);
    expect(planWith.mock.calls.map(([, given]) => given.seed)).toEqual([seed]);
  });
});

describe('the start of a run', () => {
  const refusal = async (options?: StartRunBody) => {
    const found = await stage.start(options);
    return 'refused' in found ? found.refused : null;
  };

  it.each([
    ['scaled', true, 'not_supported'],
    ['scaled', false, null],
    ['stepped', true, null],
    ['max', true, null],
  ])('on a %s clock with simulated time (%s)', async (kind, simulate_time, refused) => {
    stage.clock.pace = { kind };
    expect(await refusal({ ...SIMULATED, simulate_time })).toBe(refused);
    expect(stage.checked).toHaveLength(refused === null ? 1 : 0);
  });

  it('is refused above the share of its owner, whatever others have', async () => {
    const most = shareAlone(shares.live_runs);
    for (let id = 100; stage.live.size < most - 1; id++) {
      stage.live.set(id, other(null, false, CALLER.user_id));
    }
    expect(await refusal(SIMULATED)).toBeNull();
    expect(stage.live.size).toBe(most);
    expect(await refusal(SIMULATED)).toBe('share_used_up');
    expect(stage.records).toHaveLength(1);
    for (const [id] of stage.live) stage.live.set(id, other(null, false, CALLER.user_id + 1));
    expect(await refusal(SIMULATED)).toBeNull();
  });

  it('is refused where the workcell is not safe', async () => {
    stage.robot.memory.estop = true;
    const found = await stage.start(SIMULATED);
    expect(found).toMatchObject({
      refused: 'wrong_state',
      details: expect.stringContaining('emergency stop'),
    });
    expect(stage.checked).toEqual([]);
  });

  it('is refused with the errors of its definition', async () => {
    stage.errors = [{ path: '/workflow', message: 'is wrong' }];
    const details = [{ path: '/workflow', problem: 'is wrong' }];
    expect(await stage.start(SIMULATED)).toMatchObject({ refused: 'invalid_arguments', details });
  });

  it('plans with the limits of time', async () => {
    stage.model = { ...stage.model, constraints: [limitOf({ min_duration: 100 })] };
    expect(await refusal(SIMULATED)).toBeNull();
    const starts = [0, 1].map((task) => stage.run.plan.taskTimes(task)!.start_s);
    // The plate is washed from 5 s on, and could be read from 30 s on.
    expect(starts).toEqual([5, 105]);
  });

  it('is refused where it has no plan', async () => {
    stage.down.add('washer');
    const found = await stage.start(SIMULATED);
    expect(found).toMatchObject({ refused: 'invalid_arguments' });
    expect(JSON.stringify(found)).toContain('wash_a');
    expect(stage.records).toEqual([]);
  });

  /** What may happen while a start waits. */
  const MEANWHILE = {
    'the twin is reset': () => {
      stage.generation += 1;
    },
    'its session ends': () => {
      stage.recheck = () => refuse('not_authenticated');
    },
    'a stop begins': () => {
      stage.robot.memory.estop = true;
    },
    'its deck changes': () => {
      stage.deck.set('plate_a', null);
    },
    'the arm takes a piece elsewhere': () => {
      stage.holding = {};
    },
    'the arm works elsewhere': () => {
      stage.live.set(1, other(2, true));
    },
  };

  it.each([
    ['the twin is reset', 'wrong_state'],
    ['its session ends', 'not_authenticated'],
    ['a stop begins', 'wrong_state'],
    ['its deck changes', 'wrong_state'],
    ['the arm takes a piece elsewhere', 'wrong_state'],
    ['the arm works elsewhere', 'wrong_state'],
  ] as const)('is refused where %s while it is planned', async (change, refused) => {
    stage.model = carriedModel();
    stage.onPlan = MEANWHILE[change];
    expect(await refusal()).toBe(refused);
    expect([stage.records, stage.loop.commands]).toEqual([[], []]);
  });

  it.each([
    ['the twin is reset', 'wrong_state'],
    ['its session ends', 'not_authenticated'],
  ] as const)('is refused where %s while it is stored, and gives the lock back', async (...row) => {
    const [change, refused] = row;
    stage.model = carriedModel();
    stage.onStore = MEANWHILE[change];
    expect(await refusal()).toBe(refused);
    expect(stage.loop.locks).toEqual({ taken: 1, released: 1 });
    expect([stage.live.size, stage.events]).toEqual([0, []]);
  });

  it.each([
    ['the twin is reset', 'wrong_state'],
    ['its session ends', 'not_authenticated'],
  ] as const)('without an arm is refused where %s while it is stored', async (...row) => {
    const [change, refused] = row;
    stage.onStore = MEANWHILE[change];
    expect(await refusal(SIMULATED)).toBe(refused);
    expect(stage.loop.commands).toEqual([]);
  });

  it('is refused before its moves are planned where the arm works elsewhere', async () => {
    let plans = 0;
    stage.onPlan = () => {
      plans += 1;
    };
    stage.model = carriedModel();
    MEANWHILE['the arm works elsewhere']();
    expect([await refusal(), plans]).toEqual(['wrong_state', 0]);
  });

  it('fails with the disk, and gives the lock back', async () => {
    stage.model = carriedModel();
    stage.onStore = () => {
      throw new Error('full');
    };
    await expect(stage.start()).rejects.toThrow('full');
    expect(stage.loop.locks).toEqual({ taken: 1, released: 1 });
    await expect(stage.start(SIMULATED)).rejects.toThrow('full');
    stage.onStore = () => {};
    expect(await refusal()).toBeNull();
  });

  it('waits for the starts before it on a workcell', async () => {
    const seen: number[][] = [];
    stage.onStore = () => seen.push([...stage.checked].sort());
    const starts = [stage.start({}, 1), stage.start({}, 2), stage.start(SIMULATED, 3)];
    const found = await Promise.all(starts);
    expect([seen[0], seen.length]).toEqual([[1, 3], 2]);
    expect(found.map((one) => ('refused' in one ? one.refused : one.workflow_id))).toEqual([
      1,
      'wrong_state',
      3,
    ]);
  });
});

describe('the arm', () => {
  beforeEach(() => {
    stage.model = carriedModel();
  });

  it('is locked for a run, and released at its end', async () => {
    expect(await stage.start()).toMatchObject({ id: 7 });
    expect(stage.loop.locks).toEqual({ taken: 1, released: 0 });
    expect(stage.loop.commands).toContain('run');
    expect([stage.live.get(7)!.usesArm, stage.run.moves.usesArm]).toEqual([true, true]);
    stage.run.stop();
    expect(stage.loop.locks).toEqual({ taken: 1, released: 1 });
  });

  it('is not used by a run with simulated drivers', async () => {
    stage.live.set(1, other(2, true));
    expect(await stage.start(SIMULATED)).toMatchObject({ id: 7 });
    expect([stage.loop.commands, stage.live.get(7)!.usesArm]).toEqual([[], false]);
  });

  it('must not be locked by another', async () => {
    stage.loop.refusals.set('lock', refuse('lock_held_by_other', 'by ada'));
    const found = await stage.start();
    const details = expect.stringContaining('by ada');
    expect(found).toMatchObject({ refused: 'lock_held_by_other', details });
    expect(stage.records).toEqual([]);
  });

  it.each([
    { workcell_id: 2, usesArm: true, refused: 'wrong_state' },
    { workcell_id: 2, usesArm: false, refused: undefined },
    { workcell_id: null, usesArm: true, refused: 'wrong_state' },
  ])('works in one workcell: $workcell_id, $usesArm', async (row) => {
    stage.live.set(90, other(row.workcell_id, row.usesArm));
    const found = await stage.start();
    expect('refused' in found ? found.refused : undefined).toBe(row.refused);
    if (row.refused) expect(found).toMatchObject({ details: expect.stringContaining('90') });
    const { loop } = stage;
    expect(loop.locks.taken).toBe(row.refused ? 0 : 1);
  });

  it('is not needed where moves only take time', async () => {
    stage.model = new StartStage().model;
    stage.holding = {};
    stage.live.set(90, other(2, true));
    expect(await stage.start()).toMatchObject({ id: 7 });
    expect(stage.loop.locks.taken).toBe(0);
  });

  it('must hold no piece of another workcell', async () => {
    stage.holding = {};
    expect(await stage.start()).toMatchObject({ refused: 'wrong_state' });
    expect(stage.checked).toHaveLength(1);
  });

  it('is locked once for the runs on a workcell', async () => {
    await stage.start();
    const commands = [...stage.loop.commands];
    stage.model = { ...stage.model, labware: [], tasks: [] };
    const request = stage.request();
    Object.assign(request.definition, { workflow: { labware: [], tasks: {} } });
    expect(await stage.starter.start(request)).toMatchObject({ id: 8 });
    expect(stage.loop.commands).toEqual(commands);
  });
});

describe('a piece in the gripper at the start', () => {
  beforeEach(() => {
    stage.deck.set('plate_a', null);
  });

  it('is put down where its next task needs it', async () => {
    expect(await stage.start({ deck: 'as_found' })).toMatchObject({ id: 7 });
    expect(stage.run.progress.locations).toEqual([null, at(HOTEL!, 2)]);
    expect(stage.run.progress.moves).toMatchObject([
      { move: { labware: PLATE_A, to: at(WASHER!, 1) }, start_s: 0, picked_s: 0 },
    ]);
    expect(stage.story.slice(0, 3)).toEqual(['0 run plan', '0 run started', '0 move started']);
    stage.loop.advanceTo(300);
    expect(stage.run.progress.locations[PLATE_A]).toEqual(at(READER!, 2));
    expect(stage.story.at(-1)).toMatch(/run stopped$/);
  });

  it('needs a free place', async () => {
    stage.deck.set('plate_b', { instrument_id: 'washer', slot: 1 });
    stage.deck.set('box', { instrument_id: 'washer', slot: 1 });
    stage.deck.delete('plate_b');
    const found = await stage.start({ deck: 'as_found' });
    const details = expect.stringContaining('plate_a');
    expect(found).toMatchObject({ refused: 'wrong_state', details });
    expect(stage.records).toEqual([]);
  });

  it('is not the last of the plates', async () => {
    stage.deck.delete('plate_a');
    stage.deck.set('plate_b', null);
    await stage.start({ deck: 'as_found' });
    expect(stage.run.progress.locations[PLATE_A]).toEqual(at(HOTEL!, 1));
    expect(stage.run.progress.moves[0]).toMatchObject({ move: { labware: PLATE_B } });
  });
});
