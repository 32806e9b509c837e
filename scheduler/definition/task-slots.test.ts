/** The slots, waits and times of a definition, and the place of what contradicts them. */
import { describe, expect, it } from 'vitest';
import { limits } from '../../contract/limits.ts';
import { ANY_SLOT } from '../plan/slot-location.ts';
import {
  at,
  checked,
  from,
  type Given,
  INSTRUMENTS,
  modelOf,
  reads,
  stored,
  taskOf,
} from './definition-parts.cases.ts';
import { matrixTime_s } from './transport-matrix.ts';

describe('the slots of a task', () => {
  const need = (task: string, i: number, field = 'destination_slot') =>
    `${at(task)}/labware_sources/${i}/${field}`;
  const to = (destination_slot: number) => ({ destination_slot });

  it.each([
    [stored('p', to(1)), []],
    [stored('p', to(2)), ['destination_slot']],
    [stored('p', to(3)), ['destination_slot', 'destination_slot']],
    [stored('p', { slot: 1 }), []],
    [stored('p', { slot: 3 }), ['slot']],
    [stored('r', to(9)), []],
    [stored('x', to(3)), ['destination_slot', 'destination_slot', 'labware_id']],
    [stored('x', { slot: 3 }), ['labware_id']],
  ] as const)('exist for the need %j', (given, fields) => {
    const labware = [
      ['p', 'hotel', 1],
      ['r', 'r1', 2],
    ] as const;
    const { paths } = checked({ labware, tasks: { a: reads(given) } });
    expect(paths.sort()).toEqual(fields.map((field) => need('a', 0, field)));
  });

  it('exist for a piece that comes back to where it starts', () => {
    const tasks = {
      a: taskOf('hotel', { labware_sources: { 0: stored('p') } }),
      b: taskOf('hotel', { labware_sources: { 0: from('a', 'p', to(10)) } }),
    };
    expect(checked({ tasks }).paths).toEqual([need('b', 0)]);
  });

  it.each([
    [{ slot: 1 }, []],
    [{ slot: 2 }, ['slot']],
    [{ destination_slot: 3 }, ['destination_slot', 'destination_slot']],
    [{ slot: 1, destination_slot: 3 }, []],
    [{}, []],
  ])('exist for the output %j', (given, fields) => {
    const labware_outputs = { p: { labware_id: 'p', ...given } };
    const { paths } = checked({ tasks: { a: { ...reads(stored('p')), labware_outputs } } });
    expect(paths).toEqual(fields.map((field) => `${at('a')}/labware_outputs/p/${field}`));
  });

  it('are not compared with the definition where a run starts from a deck', () => {
    const tasks = { a: reads(stored('p', { slot: 3 })) };
    expect(checked({ tasks }, { held: null }).paths).toEqual([]);
  });

  it('may differ from the start where a piece comes from another task', () => {
    const tasks = { a: reads(stored('p')), b: reads(from('a', 'p', { slot: 7 })) };
    expect(checked({ tasks }).paths).toEqual([]);
  });

  const both = (type: string, p: object, q: object) => ({
    a: reads(stored('p')),
    b: reads(stored('q', to(1))),
    c: taskOf(type, { labware_sources: { 0: from('a', 'p', p), 1: from('b', 'q', q) } }),
  });
  it.each([
    ['hotel', to(3), to(4), []],
    ['hotel', to(3), to(3), [`${need('c', 1)} slot 3 is needed for p`]],
    ['hotel', {}, to(1), []],
    ['hotel', to(2), {}, []],
    ['bin', to(3), to(3), []],
  ])('of type %s are each for one piece: %j, %j', (...[type, p, q, found]) => {
    expect(checked({ tasks: both(type, p, q) }).errors).toEqual(found);
  });

  it('are each for one piece where one instrument of the type has slots', () => {
    const instruments = [...INSTRUMENTS, { id: 'rack', type: 'bin', capacity: 2 }];
    expect(checked({ instruments, tasks: both('bin', to(1), to(1)) }).paths).toEqual([
      need('c', 1),
    ]);
  });

  it('are not needed for stored pieces', () => {
    const tasks = { a: reads(stored('p', to(1))), b: reads(from('a', 'p'), stored('q')) };
    expect(checked({ tasks }).paths).toEqual([]);
  });

  const slotsOf = (given: Given, deck: { readonly held: string | null } | null = null) => {
    const { model, errors } = checked(given, deck);
    expect(errors).toEqual([]);
    return model!.tasks.map(({ uses }) => uses.map(({ slot, slot_after }) => [slot, slot_after]));
  };
  const pair = (p: object, q: object) => ({ a: reads(stored('p', p)), b: reads(stored('q', q)) });
  const any = [[ANY_SLOT, ANY_SLOT]];
  it.each([
    ['any where none is named', {}, pair({}, {}), [any, any]],
    ['the named one', {}, pair({}, to(1)), [any, [[1, 1]]]],
    [
      'the only one',
      { instruments: INSTRUMENTS.filter(({ id }) => id !== 'r1') },
      pair({}, {}),
      [[[1, 1]], [[1, 1]]],
    ],
    [
      'the own one of a piece that is there',
      {
        labware: [
          ['p', 'r1', 2],
          ['q', 'hotel', 1],
        ],
      },
      pair({}, {}),
      [[[2, 2]], any],
    ],
    [
      'the first one where the task leaves it in another',
      {},
      { a: { ...reads(stored('p')), labware_outputs: [{ labware_id: 'p', slot: 1 }] } },
      [[[1, 1]]],
    ],
    [
      'any in a container beside a rack',
      { instruments: [...INSTRUMENTS, { id: 'rack', type: 'bin', slots: 2 }] },
      { a: taskOf('bin', { labware_sources: { 0: stored('p') } }) },
      [any],
    ],
    [
      'the first one in a container',
      { instruments: [...INSTRUMENTS.slice(0, 4), { ...INSTRUMENTS[4], slots: 3 }] },
      { a: taskOf('bin', { labware_sources: { 0: stored('p') } }) },
      [[[1, 1]]],
    ],
  ])('are chosen: %s', (_, given, tasks, found) => {
    expect(slotsOf({ ...(given as Given), tasks })).toEqual(found);
  });

  it('are enough for all pieces of a task, where any will do', () => {
    const tasks = { a: reads(stored('p'), stored('q')) };
    expect(modelOf({ tasks }).tasks[0]!.candidates).toEqual([1]);
    const small = INSTRUMENTS.filter(({ id }) => id !== 'r1');
    const wide = { id: 'r3', type: 'reader', slots: 2 };
    expect(modelOf({ tasks, instruments: [...small, wide] }).tasks[0]!.candidates).toEqual([3]);
    const three = {
      a: taskOf('reader', { labware_sources: { 0: stored('p'), 1: stored('q'), 2: stored('r') } }),
    };
    const labware = [
      ['p', 'hotel', 1],
      ['q', 'hotel', 2],
      ['r', 'hotel', 3],
    ] as const;
    expect(checked({ tasks: three, labware }).errors).toEqual([
      `${at('a')}/labware_sources are 3 pieces; no instrument of type reader has so many slots`,
    ]);
  });

  it('to choose from are those of the instruments that need it', () => {
    const choices = (given: Given) => modelOf(given).instruments.map(({ choice }) => choice);
    const none = undefined;
    expect(choices({ tasks: pair({}, {}) })).toEqual([none, [1, 2], [1], none]);
    expect(choices({ tasks: pair(to(1), to(1)) })).toEqual([none, none, none, none]);
  });
});

describe('limits of time', () => {
  const places = '/workflow/time_constraints';
  it.each([
    [{}, []],
    [{ start_task_id: 'x' }, [`${places}/0/start_task_id`]],
    [{ end_task_id: 'x' }, [`${places}/0/end_task_id`]],
    [{ min_duration: 5, max_duration: 4 }, [`${places}/0/max_duration`]],
    [{ min_duration: 5, max_duration: 5 }, []],
    [{ min_duration: 5 }, []],
    [{ max_duration: 0 }, []],
  ])('%j', (given, paths) => {
    const one = { id: 'rest', type: 'end_to_start', start_task_id: 'a', end_task_id: 'b' };
    const time_constraints = [{ ...one, ...given }];
    const tasks = { a: taskOf('reader'), b: taskOf('reader') };
    expect(checked({ tasks, workflow: { time_constraints } }).paths).toEqual(paths);
  });
});

describe('tasks that wait for each other', () => {
  const waits = (...dependencies: string[]) => taskOf('reader', { dependencies });
  it.each([
    [{ a: waits(), b: waits('a'), c: waits('a', 'b') }, null],
    [{ a: waits('a') }, 'a'],
    [{ a: waits('b'), b: waits('a') }, 'a, b'],
    [{ a: waits('b'), b: waits('c'), c: waits('d', 'b'), d: waits() }, 'b, c'],
    [{ z: waits(), a: waits('z', 'b'), b: waits('a'), c: waits('b') }, 'a, b'],
    // The chain of p: a, b; that of q: b, a.
    [{ a: reads(stored('p'), from('b', 'q')), b: reads(from('a', 'p'), stored('q')) }, 'a, b'],
  ])('%j', (tasks, names) => {
    const { errors } = checked({ tasks });
    expect(errors.map((text) => text.split(': ')[1] ?? text)).toEqual(names ? [names] : []);
    expect(errors.every((text) => text.startsWith('/workflow/tasks '))).toBe(true);
  });

  it.each([
    [taskOf('reader', { dependencies: ['x'] }), '/dependencies/0'],
    [reads(stored('p', { dependencies: ['a', 'x'] })), '/labware_sources/0/dependencies/1'],
  ])('name unknown ones: %j', (b, place) => {
    expect(checked({ tasks: { a: waits(), b } }).paths).toEqual([`${at('b')}${place}`]);
  });
});

it('warns of hooks that name no task and no labware', () => {
  const parameters = { url: 'http://a.test' };
  const hooks = [
    { task_ids: ['a', 'x'], parameters },
    { labware_ids: ['y', 'p'], parameters },
  ];
  const { warnings, errors } = checked({ tasks: { a: taskOf('reader') }, workflow: { hooks } });
  expect(errors).toEqual([]);
  expect(warnings.map((text) => text.split(': ')[1])).toEqual(['x', 'y']);
});

describe('the transport matrix', () => {
  const PATHS = '/workcell/transport_matrix/paths';
  const path = (source: string, destination: string, time = 1) => ({ source, destination, time });

  it.each([
    [[], 5],
    [[path('a', 'b', 2)], 2],
    [[path('a', 'b', 2), path('a', 'r1', 3)], 3],
    [[path('a', 'r1', 3), path('hotel', 'b', 4)], 4],
    [[path('hotel', 'b', 4), path('hotel', 'r1', 0)], 0],
    [[path('r1', 'hotel'), path('b', 'a'), path('hotel', 'r2')], 5],
    [[path('a', 'b', 2), path('a', 'b', 7)], 7],
  ])('has the time of a move by the paths %j', (paths, time_s) => {
    const model = modelOf({ matrix: { default: 5, paths } });
    const [hotel, reader] = [0, 1].map((instrument) => ({ instrument, slot: 1 }));
    expect(matrixTime_s(model, hotel!, reader!)).toBe(time_s);
  });

  it('keeps the names of a path apart', () => {
    const instruments = ['x', 'yz', 'xy', 'z'].map((id) => ({ id, type: 'any', bench: id }));
    const model = modelOf({ instruments, labware: [], matrix: { paths: [path('x', 'yz', 3)] } });
    const time_s = (source: number, destination: number) =>
      matrixTime_s(model, { instrument: source, slot: 1 }, { instrument: destination, slot: 1 });
    expect([time_s(0, 1), time_s(2, 3)]).toEqual([3, 0]);
  });

  it.each([
    [[path('hotel', 'r1'), path('a', 'b'), path('b', 'a')], []],
    [[path('hotel', 'x')], ['0/destination']],
    [[path('x', 'arm')], ['0/source', '0/destination']],
    [[path('a', 'b'), path('a', 'c'), path('a', 'b')], ['2']],
    [
      [path('x', 'a'), path('x', 'a'), path('x', 'a')],
      ['0/source', '1/source', '1', '2/source', '2'],
    ],
  ])('warns of paths without effect: %j', (paths, places) => {
    const { warnings } = checked({ matrix: { default: 5, paths } });
    expect(warnings.map((text) => text.split(' ')[0])).toEqual(
      places.map((one) => `${PATHS}/${one}`),
    );
  });

  it('says which path is repeated', () => {
    const paths = [path('a', 'c'), path('a', 'b'), path('a', 'b'), path('a', 'b')];
    const { warnings } = checked({ matrix: { default: 5, paths } });
    expect(warnings.map((text) => text.split(' ')[2])).toEqual([`${PATHS}/1`, `${PATHS}/1`]);
  });

  it('has warnings up to the limit', () => {
    const paths = Array.from({ length: limits.reported_problems + 1 }, (_, i) =>
      path('a', `x${i}`),
    );
    const { warnings } = checked({ matrix: { default: 5, paths } });
    expect(warnings).toHaveLength(limits.reported_problems);
    expect(warnings[0]).toContain('x0');
  });

  it.each([
    [null, [': moves take']],
    [{}, [': moves take']],
    [{ paths: [path('a', 'b')] }, [': moves without a path take']],
    [{ default: 0 }, []],
  ])('warns of moves that take no time: %j', (matrix, texts) => {
    const { warnings, model } = checked({ matrix });
    expect(warnings).toHaveLength(texts.length);
    texts.forEach((text, i) => void expect(warnings[i]).toContain(text));
    expect(model!.default_move_s).toBe(0);
  });
});
