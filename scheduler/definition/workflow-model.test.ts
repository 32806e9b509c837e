/** The model of a definition: its defaults, and the place of everything that contradicts it. */
import { describe, expect, it } from 'vitest';
import { checkDefinition } from './checked-definition.ts';
import {
  at,
  checked,
  from,
  type Given,
  HOME,
  INSTRUMENTS,
  modelOf,
  POSES,
  reads,
  stored,
  taskOf,
} from './definition-parts.cases.ts';

describe('a model', () => {
  it('has the instruments except the arm, with their defaults', () => {
    const { instruments, arm, name } = modelOf({});
    const plain = { bench: '', capacity: 1, slots: 1, slotless: false, mappings: ['ALL'] };
    expect(instruments).toEqual([
      { ...plain, id: 'hotel', type: 'hotel', bench: 'a', capacity: 9, slots: 9 },
      {
        ...plain,
        id: 'r1',
        type: 'reader',
        bench: 'b',
        capacity: 2,
        slots: 2,
        mappings: ['x', 'y'],
      },
      { ...plain, id: 'r2', type: 'reader', bench: 'c' },
      { ...plain, id: 'bin', type: 'bin', slotless: true },
    ]);
    expect([arm, name]).toEqual([null, 'one']);
  });

  it('has so many slots and tasks at a time as an instrument says, and whether it is closed', () => {
    const one = { id: 'spin', type: 'centrifuge' };
    const shown = (rest: object) => {
      const { slots, capacity, closed } = modelOf({
        instruments: [...INSTRUMENTS, { ...one, ...rest }],
      }).instruments.at(-1)!;
      return [slots, capacity, closed];
    };
    expect(shown({})).toEqual([1, 1, undefined]);
    expect(shown({ capacity: 4 })).toEqual([4, 4, undefined]);
    expect(shown({ slots: 4 })).toEqual([4, 1, undefined]);
    expect(shown({ capacity: 4, max_tasks: 1 })).toEqual([4, 1, undefined]);
    expect(shown({ slots: 3, max_tasks: 2, capacity: 7 })).toEqual([3, 2, undefined]);
    expect(shown({ closed_while_running: true })).toEqual([1, 1, true]);
    expect(shown({ closed_while_running: false })).toEqual([1, 1, undefined]);
  });

  it('has tasks with their times and what a simulated instrument does', () => {
    const mock_behaviour = { execution_time: 0, success: false };
    const { tasks } = modelOf({
      tasks: {
        a: taskOf('reader'),
        b: taskOf('reader', { mock_behaviour, available_failure_actions: { retry: false } }),
        c: taskOf('reader', { mock_behaviour: {}, skip: true }),
      },
    });
    const plain = { action: 'act', estimate_s: 20, execution_s: 20, succeeds: true, skip: false };
    expect(tasks[0]).toMatchObject({ ...plain, id: 'a', candidates: [1, 2], after: [], uses: [] });
    expect(tasks[0]!.failureActions).toMatchObject({ retry: true, complete: true });
    expect(tasks[1]).toMatchObject({ ...plain, id: 'b', execution_s: 0, succeeds: false });
    expect(tasks[1]!.failureActions).toMatchObject({ retry: false, complete: true });
    expect(tasks[2]).toMatchObject({ ...plain, id: 'c', skip: true, candidates: [] });
  });

  it('leaves skipped tasks out of chains, without instruments and slots', () => {
    const { tasks, labware } = modelOf({
      tasks: {
        a: reads(stored('p')),
        b: { ...reads(from('a', 'p')), skip: true },
        c: reads(from('b', 'p', { destination_slot: 1 })),
      },
    });
    expect(labware).toEqual([
      { id: 'p', location: { instrument: 0, slot: 1 }, tasks: [0, 2] },
      { id: 'q', location: { instrument: 0, slot: 2 }, tasks: [] },
    ]);
    expect(tasks.map(({ uses }) => uses.length)).toEqual([1, 0, 1]);
  });

  it('waits for the dependencies of tasks and of their needs', () => {
    const { tasks } = modelOf({
      tasks: {
        a: taskOf('reader'),
        b: taskOf('reader'),
        c: { ...reads(stored('p', { dependencies: ['b'] })), dependencies: ['a'] },
      },
    });
    expect(tasks.map(({ after }) => after)).toEqual([[], [], [0, 1]]);
  });

  it('keeps constraints and hooks, and the document without unknown keys', () => {
    const rest = { id: 'rest', type: 'end_to_start', start_task_id: 'a', end_task_id: 'b' };
    const hook = { type: 'NewPlanHook', parameters: { url: 'http://a.test' } };
    const given = {
      tasks: { a: taskOf('reader'), b: taskOf('reader') },
      workflow: { time_constraints: [rest], hooks: [hook], colour: 1 },
    };
    const { model, definition, warnings } = checked(given);
    expect([model!.constraints, model!.hooks]).toEqual([[rest], [hook]]);
    expect(model!.seed).toBe(1);
    expect(warnings).toHaveLength(1);
    expect(Object.keys(definition!.workflow)).not.toContain('colour');
    expect(modelOf({}).constraints).toEqual([]);
  });

  it('is absent where there are errors, as is the document', () => {
    const wrong = checked({ tasks: { a: taskOf('oven') } });
    expect([wrong.model, wrong.definition, wrong.paths.length]).toEqual([null, null, 1]);
    const { model, definition, errors } = checkDefinition({ name: 'one' });
    expect([model, definition, errors.length > 0]).toEqual([null, null, true]);
    // Parts that do not fit their schema are reported first, without what contradicts them.
    const unread = checked({ tasks: { a: taskOf('oven') }, workflow: { hooks: [{}] } });
    expect([unread.model, unread.definition]).toEqual([null, null]);
    expect(unread.paths.every((path) => path.startsWith('/workflow/hooks/0'))).toBe(true);
  });

  it('may have neither instruments nor labware', () => {
    const workflow = { labware: [], tasks: {} };
    const { model, warnings } = checkDefinition({ name: 'empty', workcell: {}, workflow });
    expect(model).toMatchObject({ instruments: [], labware: [], buffers: [], arm: null });
    expect(warnings).toHaveLength(2);
  });

  it('has the slots of buffers', () => {
    const buffer = { id: 'stand', type: 'stand', role: 'buffer' };
    const instruments = [
      ...INSTRUMENTS,
      { ...buffer, capacity: 2 },
      { ...buffer, id: 'one' },
      { ...buffer, id: 'other', type: 'transport' },
      { ...buffer, id: 'plain', role: 'instrument' },
      { ...buffer, id: 'wide', slots: 2, max_tasks: 1 },
    ].filter(({ id }) => id !== 'arm');
    expect(modelOf({ instruments }).buffers).toEqual([
      { instrument: 4, slot: 1 },
      { instrument: 4, slot: 2 },
      { instrument: 5, slot: 1 },
      { instrument: 7, slot: 1 },
      { instrument: 7, slot: 2 },
    ]);
    expect(modelOf({}).buffers).toEqual([]);
  });
});

describe('an arm', () => {
  const gripper = { location: 'end_effector', type: 'digital', index: 0, closed: true };
  const configOf = (stations: object) => {
    const config = { home: HOME, default_max_speed: 0.5, stations };
    return { ...config, gripper: { ...gripper, settle_s: 0.3 } };
  };
  const withArm = (stations: object) => {
    const arm = { ...INSTRUMENTS[0], config: configOf(stations) };
    const stand = { id: 'stand', type: 'stand', role: 'buffer', capacity: 2 };
    return [arm, ...INSTRUMENTS.slice(1), stand];
  };
  const tasks = { a: taskOf('reader', { labware_sources: { p: stored('p') } }) };

  it('needs a station where it moves a piece, and serves the buffers that have one', () => {
    const all = { hotel: { 1: POSES }, r1: { 1: POSES }, r2: { 1: POSES }, stand: { 2: POSES } };
    const { arm, buffers } = modelOf({ tasks, instruments: withArm(all) });
    expect([...arm!.stations.keys()]).toEqual(['0/1', '1/1', '2/1', '4/2']);
    expect(buffers).toEqual([{ instrument: 4, slot: 2 }]);
    const { r2: _, ...some } = all;
    expect(checked({ tasks, instruments: withArm(some) }).paths).toEqual([at('a')]);
  });

  it('has no moves checked where there are other errors', () => {
    const given = { tasks: { ...tasks, b: taskOf('oven') }, instruments: withArm({}) };
    expect(checked(given).paths).toEqual([`${at('b')}/instrument`]);
  });

  it('takes its own time for moves', () => {
    const { warnings } = checked({ instruments: withArm({}), matrix: null });
    expect(warnings).toEqual([]);
    expect(checked({ matrix: null }).warnings).toHaveLength(1);
  });
});

describe('ids and starting locations', () => {
  it.each([
    [
      'instruments',
      { instruments: [...INSTRUMENTS, INSTRUMENTS[2]!] },
      '/workcell/instruments/5/id',
    ],
    [
      'labware',
      {
        labware: [
          ['p', 'hotel', 1],
          ['p', 'hotel', 2],
        ],
      },
      '/workflow/labware/1/id',
    ],
  ] as const)('of %s are used once', (_, given, path) => {
    expect(checked(given as Given).paths).toEqual([path]);
  });

  const start = (i: number) => `/workflow/labware/${i}/starting_location`;
  it.each([
    [[['p', 'hotel', 9]], []],
    [[['p', 'hotel', 0]], [`${start(0)}/slot`]],
    [[['p', 'hotel', 10]], [`${start(0)}/slot`]],
    [
      [
        ['p', 'r2', 1],
        ['q', 'r2', 2],
      ],
      [`${start(1)}/slot`],
    ],
    [
      [
        ['p', 'fridge', 1],
        ['q', 'arm', 1],
      ],
      [`${start(0)}/instrument`, `${start(1)}/instrument`],
    ],
    [
      [
        ['p', 'hotel', 1],
        ['q', 'hotel', 1],
      ],
      [start(1)],
    ],
    [
      [
        ['p', 'hotel', 1],
        ['q', 'r1', 1],
      ],
      [],
    ],
    [
      [
        ['p', 'bin', 1],
        ['q', 'bin', 1],
      ],
      [],
    ],
  ] as const)('%j', (labware, paths) => {
    expect(checked({ labware }).paths).toEqual(paths);
  });

  it('are not in the way of a piece in the gripper', () => {
    const labware = [
      ['p', 'hotel', 1],
      ['q', 'hotel', 1],
    ] as const;
    for (const held of ['p', 'q']) expect(checked({ labware }, { held }).paths).toEqual([]);
    expect(checked({ labware }, { held: null }).paths).toEqual([start(1)]);
    const { model } = checked({ labware: [['p', 'r1', 2]] }, { held: 'p' });
    expect(model!.labware[0]!.location).toEqual({ instrument: 1, slot: 2 });
    expect(checked({ labware: [['p', 'r1', 3]] }, { held: 'p' }).paths).toEqual([
      `${start(0)}/slot`,
    ]);
  });
});

describe('the instruments of a task', () => {
  it.each([
    [{ type: 'reader' }, [1, 2], []],
    [{ type: 'reader', mappings: [] }, [1, 2], []],
    [{ type: 'reader', mappings: ['y'] }, [1, 2], []],
    [{ type: 'reader', mappings: ['z'] }, [2], [0]],
    [{ type: 'reader', mappings: ['z', 'x', 'w'] }, [1, 2], [0, 2]],
    [{ type: 'reader', mappings: ['ALL', 'z'] }, [1, 2], [1]],
    [{ type: 'hotel', mappings: ['z'] }, [0], [0]],
  ])('%j', (instrument, candidates, unknown) => {
    const { model, warnings } = checked({ tasks: { a: taskOf('', { instrument }) } });
    expect(model!.tasks[0]!.candidates).toEqual(candidates);
    const places = unknown.map((i) => `${at('a')}/instrument/mappings/${i}`);
    expect(warnings.map((text) => text.split(' ')[0])).toEqual(places);
  });

  it.each([{ type: 'oven' }, { type: 'oven', mappings: ['z'] }])('are none of %j', (instrument) => {
    const { paths, warnings } = checked({ tasks: { a: taskOf('', { instrument }) } });
    expect([paths, warnings]).toEqual([[`${at('a')}/instrument`], []]);
  });

  it('are all of a type where the task names every mapping', () => {
    const instruments = INSTRUMENTS.slice(0, 3);
    const instrument = { type: 'reader', mappings: ['ALL'] };
    const { model, warnings } = checked({ instruments, tasks: { a: taskOf('', { instrument }) } });
    expect([model!.tasks[0]!.candidates, warnings]).toEqual([[1], []]);
  });

  it('are none where no mapping fits', () => {
    const instruments = INSTRUMENTS.slice(0, 3);
    const instrument = { type: 'reader', mappings: ['z'] };
    const { paths } = checked({ instruments, tasks: { a: taskOf('', { instrument }) } });
    expect(paths).toEqual([`${at('a')}/instrument`]);
  });
});
