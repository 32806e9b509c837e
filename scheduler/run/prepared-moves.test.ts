/** The toolpaths of labware moves, and the moves that are prepared before a plan. */

import { describe, expect, it } from 'vitest';
import { systemClock } from '../../server/clock/wall-clock.ts';
import type { LoadedToolpath } from '../../server/robot/loaded-toolpath.ts';
import { moveStep, toolpathOf } from '../../server/robot/robot-harness.cases.ts';
import {
  armOf,
  CONFIG,
  device,
  HOME,
  job,
  modelOf,
  piece,
  pose,
} from '../definition/small-model.cases.ts';
import type { WorkflowModel } from '../definition/workflow-model.ts';
import { loadingArm } from '../workcell/fake-moves.cases.ts';
import { moveToolpath, putDownToolpathFor } from '../workcell/move-toolpath.ts';
import { PreparedMoves } from './prepared-moves.ts';
import { RunProgress } from './progress.ts';

const wall = systemClock;
const at = (instrument: number, slot: number) => ({ instrument, slot });
const [HOTEL_1, HOTEL_2, WASHER, READER] = [at(0, 1), at(0, 2), at(1, 1), at(2, 1)];

const IO = { location: 'end_effector', type: 'digital', index: 0 };
const joint = (waypoint_id: number) => {
  return { type: 'trajectory', trajectory: 'joint_space', waypoint_id };
};
const linear = (waypoint_id: number) => {
  return { type: 'trajectory', trajectory: 'linear', waypoint_id };
};
const set = (value: boolean) => ({ type: 'output-set', io: IO, value });
const WAIT = { type: 'wait', condition: { type: 'time', duration: 0.5 } };

const METADATA = {
  version: 2,
  default_max_speed: 0.5,
  payload: 0,
  analog_modes: { i0: 'voltage', i1: 'voltage', o0: 'voltage', o1: 'voltage' },
};

describe('the toolpath of a move', () => {
  const arm = armOf(['0/1', '1/1']);

  it('goes from home to both stations and home', () => {
    expect(moveToolpath(arm, HOTEL_1, WASHER)).toEqual({
      metadata: { ...METADATA, next_label_id: 6 },
      waypoints: [HOME, pose(0.1), pose(0.15), pose(0.2), pose(0.25)].map((joints, i) => {
        return { label_id: i + 1, joints: [...joints] };
      }),
      timeline: [
        { type: 'home', waypoint_id: 0 },
        ...[joint(1), linear(2), set(true), WAIT, linear(1)],
        ...[joint(3), linear(4), set(false), WAIT, linear(3)],
        joint(0),
      ],
    });
  });

  it('only puts down what is in the gripper', () => {
    expect(putDownToolpathFor(arm, WASHER)).toEqual({
      metadata: { ...METADATA, next_label_id: 4 },
      waypoints: [HOME, pose(0.2), pose(0.25)].map((joints, i) => {
        return { label_id: i + 1, joints: [...joints] };
      }),
      timeline: [
        { type: 'home', waypoint_id: 0 },
        ...[joint(1), linear(2), set(false), WAIT, linear(1)],
        joint(0),
      ],
    });
  });

  it('closes a gripper that is closed without a signal', () => {
    const config = { ...CONFIG, gripper: { ...CONFIG.gripper, closed: false } };
    const other = armOf(['0/1', '1/1'], config);
    const valuesOf = (toolpath: ReturnType<typeof moveToolpath>) =>
      toolpath!.timeline.flatMap((one) => (one.type === 'output-set' ? [one.value] : []));
    expect(valuesOf(moveToolpath(other, HOTEL_1, WASHER))).toEqual([false, true]);
    expect(valuesOf(putDownToolpathFor(other, WASHER))).toEqual([true]);
  });

  it('needs a station at each end', () => {
    expect(moveToolpath(arm, HOTEL_2, WASHER)).toBeNull();
    expect(moveToolpath(arm, HOTEL_1, READER)).toBeNull();
    expect(putDownToolpathFor(arm, READER)).toBeNull();
  });
});

const STEP = moveStep([...HOME], pose(0.1), 1);

/** A move of so many seconds. */
function moving(duration_s: number, next: number): typeof STEP {
  if (STEP.kind !== 'move') throw new Error('the step of a move is one');
  const automatic = { ...STEP.move.automatic, duration_s };
  return { ...STEP, move: { ...STEP.move, automatic }, next };
}

function output(next: number) {
  const io = { location: 'end_effector', type: 'digital', index: 0 } as const;
  return { kind: 'output', io, value: true, next, at: '', cell: [] } as const;
}

function waiting(duration: number, next: number) {
  const condition = { type: 'time', duration } as const;
  return { kind: 'wait', condition, next, at: '', cell: [] } as const;
}

const BRANCH = { kind: 'branch', branches: [], otherwise: 0, at: '', cell: [] } as const;

/** Closes the gripper after 2.1 s, opens it after 5.3504 s, ends after 7.2504 s. */
const CARRY = toolpathOf([
  moving(2.1, 1),
  output(2),
  waiting(0.25, 3),
  moving(3.0004, 4),
  output(5),
  moving(1.9, -1),
]);

const MODEL = modelOf({
  instruments: [device('hotel', 3), device('washer'), device('reader')],
  tasks: [job('wash', [1], [[0, 1]]), job('read', [2], [[0, 1]])],
  labware: [piece('plate', [0, 1], [0, 1])],
  arm: armOf(['0/1', '1/1', '2/1', '0/3']),
});

async function prepared(
  model: WorkflowModel = MODEL,
  answer: (name: string) => LoadedToolpath | string = () => CARRY,
) {
  const arm = loadingArm(({ name }) => answer(name));
  const moves = await PreparedMoves.prepare(model, { arm, wall });
  return { moves, arm, names: () => arm.requests.map(({ name }) => name) };
}

const ALL = ['hotel slot 1 to washer slot 1', 'washer slot 1 to reader slot 1'];

describe('the moves of a plan', () => {
  it('are built by the planner, each once', async () => {
    const tasks = [...MODEL.tasks, job('again', [1], [[1, 1]])];
    const labware = [...MODEL.labware, piece('second', [0, 1], [2])];
    const { names, arm, moves } = await prepared({ ...MODEL, tasks, labware });
    expect(names()).toEqual(ALL);
    const sent = arm.requests[0]!.toolpath;
    expect(sent).toMatchObject({ timeline: moveToolpath(MODEL.arm!, HOTEL_1, WASHER)!.timeline });
    expect([moves.usesArm, moves.problems]).toEqual([true, []]);
    expect(moves.toolpath(HOTEL_1, WASHER)).toBe(CARRY);
  });

  it('go by buffers, too, and need stations', async () => {
    const { names } = await prepared({ ...MODEL, buffers: [at(0, 3), at(0, 2)] });
    expect(names().slice(0, 2)).toEqual(ALL);
    expect(names().slice(2)).toEqual([
      'hotel slot 1 to hotel slot 3',
      'hotel slot 3 to hotel slot 1',
      'washer slot 1 to hotel slot 3',
      'hotel slot 3 to washer slot 1',
      'reader slot 1 to hotel slot 3',
      'hotel slot 3 to reader slot 1',
    ]);
  });

  it('are problems where the arm cannot make them', async () => {
    const { moves } = await prepared(MODEL, (name) => (name === ALL[1] ? 'too far' : CARRY));
    expect(moves.problems).toEqual([
      'the arm cannot go from washer slot 1 to reader slot 1: too far',
    ]);
    expect([moves.time_s(HOTEL_1, WASHER), moves.time_s(WASHER, READER)]).toEqual([8, null]);
  });

  it('take whole seconds by the arm, also with simulated drivers', async () => {
    const { moves } = await prepared();
    expect(moves.time_s(HOTEL_1, WASHER)).toBe(8);
    expect(moves.time_s(WASHER, HOTEL_1)).toBeNull();
    const arm = loadingArm(() => CARRY);
    const simulated = await PreparedMoves.prepare(MODEL, { arm, wall }, true);
    expect([simulated.usesArm, simulated.time_s(HOTEL_1, WASHER)]).toEqual([false, 8]);
    expect(arm.requests.length).toBe(2);
  });

  it('take the time of the matrix without an arm', async () => {
    const { moves, names } = await prepared({ ...MODEL, arm: null });
    expect([moves.usesArm, names()]).toEqual([false, []]);
    expect(moves.time_s(READER, WASHER)).toBe(5);
    expect(await moves.putDownTime_s(WASHER)).toBe(5);
    expect(await moves.putDownToolpath(WASHER)).toBeNull();
  });

  it.each([
    [
      'waits for signals and branches',
      [
        moving(2, 1),
        {
          kind: 'wait',
          condition: { type: 'input', io: IO as never, value: true },
          next: 2,
          at: '',
          cell: [],
        },
        moving(1.5, 3),
        BRANCH,
      ],
      4,
    ],
    ['a branch', [moving(2, 2), moving(5, -1), BRANCH], 2],
    ['a loop', [moving(2, 1), moving(1, 0)], 3],
    ['no step', [], 0],
  ] as const)('of a program with %s take what is known', async (_, steps, time_s) => {
    const { moves } = await prepared(MODEL, () => toolpathOf([...steps]));
    expect(moves.time_s(HOTEL_1, WASHER)).toBe(time_s);
  });

  it('begin at the first step of their program', async () => {
    const steps = [moving(100, 1), moving(2, -1)];
    const { moves } = await prepared(MODEL, () => toolpathOf(steps, { first: 1 }));
    expect(moves.time_s(HOTEL_1, WASHER)).toBe(2);
  });
});

describe('the time of a piece in the gripper', () => {
  const planned = { from: HOTEL_1, to: WASHER, start_s: 10, end_s: 20 };

  it('is from closing to opening the gripper', async () => {
    const { moves } = await prepared();
    expect(moves.pieceTimes(planned)).toEqual({ start_s: 12.1, end_s: 15.35 });
  });

  it.each([
    ['no output', [moving(2, -1)]],
    ['one output', [moving(2, 1), output(-1)]],
  ])('is the whole time of a program with %s', async (_, steps) => {
    const { moves } = await prepared(MODEL, () => toolpathOf(steps));
    expect(moves.pieceTimes(planned)).toEqual({ start_s: 10, end_s: 20 });
  });

  it('is the whole time where no arm moves it, or the move is unknown', async () => {
    const arm = loadingArm(() => CARRY);
    const simulated = await PreparedMoves.prepare(MODEL, { arm, wall }, true);
    expect(simulated.pieceTimes(planned)).toEqual({ start_s: 10, end_s: 20 });
    const { moves } = await prepared();
    const unknown = { ...planned, from: HOTEL_2 };
    expect(moves.pieceTimes(unknown)).toEqual({ start_s: 10, end_s: 20 });
  });
});

describe('putting down a held piece', () => {
  it('takes the time of its own program', async () => {
    const { moves, arm, names } = await prepared();
    expect(await moves.putDownTime_s(WASHER)).toBe(8);
    expect(await moves.putDownToolpath(WASHER)).toBe(CARRY);
    expect(names().slice(2)).toEqual(['put down in washer slot 1', 'put down in washer slot 1']);
    const sent = arm.requests[2]!.toolpath;
    expect(sent).toMatchObject({ timeline: putDownToolpathFor(MODEL.arm!, WASHER)!.timeline });
  });

  it('is not possible without a station or a plan', async () => {
    const { moves } = await prepared(MODEL, (name) => (name.startsWith('put') ? 'no' : CARRY));
    expect(await moves.putDownTime_s(WASHER)).toBeNull();
    expect(await moves.putDownToolpath(WASHER)).toBeNull();
    expect(await moves.putDownTime_s(HOTEL_2)).toBeNull();
    expect(moves.problems).toEqual([]);
  });

  it('takes the time of the matrix with simulated drivers', async () => {
    const arm = loadingArm(() => CARRY);
    const simulated = await PreparedMoves.prepare(MODEL, { arm, wall }, true);
    expect(await simulated.putDownTime_s(WASHER)).toBe(5);
  });
});

describe('the next moves', () => {
  it('are built from where the pieces are', async () => {
    const { moves, names } = await prepared();
    const progress = new RunProgress(MODEL);
    await moves.prepareNext(progress);
    expect(names()).toEqual(ALL);
    progress.skip(0);
    await moves.prepareNext(progress);
    expect(names().slice(2)).toEqual(['hotel slot 1 to reader slot 1']);
    expect(moves.time_s(HOTEL_1, READER)).toBe(8);
  });

  it('are none of a piece in the gripper, in its place, or without a task', async () => {
    const { moves, names } = await prepared();
    const progress = new RunProgress(MODEL);
    progress.skip(0);
    progress.locations[0] = null;
    await moves.prepareNext(progress);
    progress.locations[0] = READER;
    await moves.prepareNext(progress);
    progress.locations[0] = HOTEL_1;
    progress.skip(1);
    await moves.prepareNext(progress);
    expect(names()).toEqual(ALL);
  });

  it('go to each candidate, with the slot of the own piece', async () => {
    const tasks = [
      job(
        'mix',
        [1, 2],
        [
          [0, 1],
          [1, 3],
        ],
      ),
    ];
    const labware = [piece('plate', [0, 1], [0]), piece('lid', [0, 3], [0])];
    const arm = armOf(['0/1', '0/3', '1/1', '1/3', '2/1', '2/3']);
    const model = { ...MODEL, tasks, labware, arm };
    const { moves, names } = await prepared(model);
    const { length } = names();
    const progress = new RunProgress(model);
    progress.locations.splice(0, 2, at(0, 3), at(0, 1));
    await moves.prepareNext(progress);
    expect(names().slice(length)).toEqual([
      'hotel slot 3 to washer slot 1',
      'hotel slot 3 to reader slot 1',
      'hotel slot 1 to washer slot 3',
      'hotel slot 1 to reader slot 3',
    ]);
  });

  it('are not built without an arm', async () => {
    const { moves, names } = await prepared({ ...MODEL, arm: null });
    await moves.prepareNext(new RunProgress(MODEL));
    expect(names()).toEqual([]);
  });
});
