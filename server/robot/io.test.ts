/**
 * Signals: keys, ranges, writes, wires, noise, and edits of global values (§2.5, §4.6); those who
 * follow signals see each change.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { errorReply } from '../../contract/errors.ts';
import type { Command } from './commands.ts';
import { editGlobals } from './global-edit.ts';
import {
  changedInputs,
  createIo,
  ioKey,
  keysWithModesFirst,
  nextReading_tick,
  openInputs,
  readInput,
  readIo,
  setAnalogModes,
  valueProblem,
  writeIo,
  writeSignals,
} from './io.ts';
import { ADA, RobotHarness } from './robot-harness.cases.ts';
import { SignalChanges } from './signal-changes.ts';

const digital = fc.constantFrom('d0', 'd1', 'd2', 'd3', 'ee_d0', 'ee_d1');
const analog = fc.constantFrom('a0', 'a1');
const value = fc.boolean();

/** Commands that write signals, or decide which ones are written. */
const command: fc.Arbitrary<Command> = fc.oneof(
  fc.tuple(digital, value).map(([key, on]) => ({ kind: 'inputs', values: { [key]: on } }) as const),
  fc
    .tuple(analog, fc.constantFrom('voltage', 'current'))
    .map(([key, mode]) => ({ kind: 'inputs', values: { [`${key}_mode`]: mode } }) as const),
  fc.tuple(digital, value).map(([key, on]) => {
    const change = { key: `outputs.${key}`, value: on } as const;
    return { kind: 'globals', caller: ADA, changes: [change] } as Command;
  }),
  digital.map((key) => ({ kind: 'loopback', wires: { [key]: key } }) as const),
  digital.map((key) => ({ kind: 'stick_inputs', stuck: { [key]: true } }) as const),
  fc.constant({ kind: 'power_cycle' } as const),
  fc.constant({ kind: 'lock', caller: ADA } as const),
);

/** A restore, inputs that nothing drives any more, or a command. */
const step = fc.oneof({ weight: 8, arbitrary: command }, fc.constantFrom('restore', 'open'));

const textOf = ({ memory }: RobotHarness['robot']) =>
  JSON.stringify([memory.io.inputs, memory.io.outputs]);

it('are reported as changed after every command and restore that changes one', () => {
  let changed = 0;
  fc.assert(
    fc.property(fc.array(step, { minLength: 20, maxLength: 40 }), (steps) => {
      const harness = new RobotHarness();
      const { robot } = harness;
      const state = robot.save(harness.tick);
      const changes = new SignalChanges();
      changes.take(robot.memory.io);
      let before = textOf(robot);
      for (const one of steps) {
        if (one === 'restore') robot.restore(state, harness.tick);
        else if (one === 'open') robot.followWorld(['d0', 'a0'], harness.tick);
        else harness.apply(one);
        const isSeen = changes.take(robot.memory.io);
        const after = textOf(robot);
        if (after !== before) {
          changed += 1;
          expect(isSeen).toBe(true);
        }
        before = after;
      }
    }),
    { seed: 28, numRuns: 300 },
  );
  expect(changed).toBeGreaterThan(300);
});

it('are reported as unchanged while nothing writes one', () => {
  const harness = new RobotHarness();
  const { io } = harness.robot.memory;
  const changes = new SignalChanges();
  expect([changes.take(io), changes.take(io)]).toEqual([true, false]);
  harness.apply({ kind: 'lock', caller: ADA });
  expect(changes.take(io)).toBe(false);
  harness.apply({ kind: 'inputs', values: { d0: true } });
  expect([changes.take(io), changes.take(io)]).toEqual([true, false]);
});

it('are reported as changed when one is driven and another one opened', () => {
  const io = createIo();
  const changes = new SignalChanges();
  changes.take(io);
  writeIo(io, 'inputs', 'd0', true);
  openInputs(io, ['d1']);
  expect(changes.take(io)).toBe(true);
});

it('are off and at 0 V after power-up', () => {
  const digital = { d0: false, d1: false, d2: false, d3: false, ee_d0: false, ee_d1: false };
  const analog = { a0: 0, a1: 0, a0_mode: 'voltage', a1_mode: 'voltage' };
  expect(createIo()).toEqual({
    inputs: { ...digital, ...analog, ee_a0: 0, ee_a1: 0 },
    outputs: { ...digital, ...analog },
    wired: {},
    stuck: {},
    loopback: {},
  });
});

it.each([
  ['base', 'digital', 3, 'd3'],
  ['base', 'analog', 1, 'a1'],
  ['end_effector', 'digital', 0, 'ee_d0'],
  ['end_effector', 'analog', 1, 'ee_a1'],
] as const)('have a key of their address: %s, %s', (...[location, type, index, key]) => {
  expect(ioKey({ location, type, index })).toBe(key);
});

describe('the problem of a value', () => {
  const io = createIo();
  writeIo(io, 'inputs', 'a1_mode', 'current');

  it.each<[string, unknown, string | null]>([
    ['d0', true, null],
    ['d0', 1, 'must be a boolean'],
    ['ee_d1', 'on', 'must be a boolean'],
    ['d4', true, 'unknown property'],
    ['a0', 'much', 'must be a number'],
    ['a0', true, 'must be a number'],
    ['a0', Number.NaN, 'must be a number'],
    ['a0', Number.POSITIVE_INFINITY, 'must be a number'],
    ['a0_mode', 'voltage', null],
    ['a0_mode', 'current', null],
    ['a0_mode', 'power', 'must be voltage or current'],
    ['a0_mode', true, 'must be voltage or current'],
  ])('of %s as %j: %s', (key, value, text) => {
    expect(valueProblem(io.inputs, key, value)).toEqual(text && { text, outside: false });
  });

  it.each([
    ['a0', 0, 10],
    ['a1', 4, 20],
    ['ee_a0', 0, 24],
  ])('is outside of the range of %s: %d to %d', (key, low, high) => {
    const outside = { text: `out of range ${low}..${high}`, outside: true };
    const found = [low - 0.001, low, high, high + 0.001].map((value) =>
      valueProblem(io.inputs, key, value),
    );
    expect(found).toEqual([outside, null, null, outside]);
  });
});

describe('a written signal', () => {
  it('of a mode sets the value to the start of the range where it changes', () => {
    const io = createIo();
    writeIo(io, 'outputs', 'a0', 7);
    writeIo(io, 'outputs', 'a0_mode', 'voltage');
    expect(io.outputs).toMatchObject({ a0: 7, a0_mode: 'voltage' });
    writeIo(io, 'outputs', 'a0_mode', 'current');
    expect(io.outputs).toMatchObject({ a0: 4, a0_mode: 'current' });
    writeIo(io, 'outputs', 'a0', 7);
    writeIo(io, 'outputs', 'a0_mode', 'voltage');
    expect(io.outputs['a0']).toBe(0);
  });

  it('reaches the input of its wire, unless that one is stuck', () => {
    const io = createIo();
    io.loopback = { d0: 'd1', a0: 'a1', d2: 'd3' };
    io.stuck = { d3: true };
    for (const key of ['d0', 'd2']) writeIo(io, 'outputs', key, true);
    expect(io.inputs).toMatchObject({ d0: false, d1: true, d3: false });
    expect(io.wired).toEqual({ d1: true });
    writeIo(io, 'outputs', 'a0', 7);
    expect(io.inputs['a1']).toBe(7);
    writeIo(io, 'outputs', 'a0_mode', 'current');
    expect(io.inputs['a1']).toBe(4);
  });

  it('that is an input does not travel along the wire of an output', () => {
    const io = createIo();
    for (const [key, value] of Object.entries({ d1: true, a1: 7 })) {
      writeIo(io, 'inputs', key, value);
    }
    io.loopback = { d0: 'd1', a0: 'a1' };
    writeIo(io, 'inputs', 'd0', true);
    writeIo(io, 'inputs', 'a0_mode', 'current');
    expect(io.inputs).toMatchObject({ d0: true, d1: true, a0: 4, a1: 7 });
  });

  it('that is stuck keeps its value, as an input alone', () => {
    const io = createIo();
    io.stuck = { d0: true };
    for (const side of ['inputs', 'outputs'] as const) writeIo(io, side, 'd0', true);
    expect([io.inputs['d0'], io.outputs['d0']]).toEqual([false, true]);
  });
});

it('have the analog modes of a toolpath, each channel its own', () => {
  for (const current of ['i0', 'i1', 'o0', 'o1'] as const) {
    const io = createIo();
    const voltage = { i0: 'voltage', i1: 'voltage', o0: 'voltage', o1: 'voltage' } as const;
    setAnalogModes(io, { ...voltage, [current]: 'current' });
    const side = current.startsWith('i') ? 'inputs' : 'outputs';
    const channel = `a${current.slice(1)}`;
    const changed = { [channel]: 4, [`${channel}_mode`]: 'current' };
    expect(io).toEqual({ ...createIo(), [side]: { ...createIo()[side], ...changed } });
  }
});

describe('the inputs that a cell drives', () => {
  const changed = (values: Record<string, boolean | number>, io = createIo()) =>
    changedInputs(io, new Map(Object.entries(values)));

  it('change where they differ, or where nothing drove them', () => {
    const io = createIo();
    for (const key of ['d0', 'd1']) writeIo(io, 'inputs', key, key === 'd0');
    Object.assign(io.wired, { d0: true, d1: true });
    const values = { d0: true, d1: true, d2: false };
    expect(changed(values, io)).toEqual({ d1: true, d2: false });
    expect(changed({ d0: true }, io)).toBeNull();
    io.stuck = { d1: true };
    expect(changed({ d1: true }, io)).toBeNull();
  });

  it('saturate at the ends of their range', () => {
    const io = createIo();
    writeIo(io, 'inputs', 'a1_mode', 'current');
    expect(changed({ a0: 12, a1: 3 }, io)).toEqual({ a0: 10, a1: 4 });
    expect(changed({ a0: -1, a1: 9 }, io)).toEqual({ a0: 0, a1: 9 });
    expect(changed({ ee_a0: 30 }, io)).toEqual({ ee_a0: 24 });
  });

  it('do not change where they cannot be written', () => {
    expect(changed({ d9: true, d0: 1, a0: true })).toBeNull();
    expect(changed({ d9: true, d1: true })).toEqual({ d1: true });
  });

  it('read as after power-up when they are open again', () => {
    const io = createIo();
    writeIo(io, 'inputs', 'a1_mode', 'current');
    const values = { d0: true, d1: true, a0: 5, a1: 9 };
    expect(writeSignals(io, 'inputs', values)).toEqual([]);
    io.stuck = { d1: true };
    openInputs(io, Object.keys(values));
    expect(io.inputs).toMatchObject({ d0: false, d1: true, a0: 0, a1: 4 });
    expect(io.wired).toEqual({ d0: false, d1: true, a0: false, a1: false });
  });
});

describe('the reading of an input', () => {
  it.each([
    ['a0', 0, 1, 0.003],
    ['a0', 249, 1, 0.003],
    ['a0', 250, 1, 0.042],
    ['a0', 0, 2, 0.015],
    ['a1', 0, 1, 0.001],
    ['a1', 75_000, 7, 0.017],
  ] as const)('that is open is noise of tick and seed: %s', (...[key, tick, seed, reading]) => {
    expect(readInput(createIo(), key, tick, seed)).toBe(reading);
  });

  it('that is open starts at the lowest value of its mode', () => {
    const io = createIo();
    writeIo(io, 'inputs', 'a0_mode', 'current');
    expect(readInput(io, 'a0', 0, 1)).toBe(4.003);
  });

  it('is its value where it is digital, driven or stuck', () => {
    const io = createIo();
    io.stuck = { a1: true };
    io.wired['a0'] = true;
    const keys = ['d0', 'a0_mode', 'a0', 'a1'];
    const read = keys.map((key) => readInput(io, key, 250, 1));
    expect(read).toEqual([false, 'voltage', 0, 0]);
  });

  it('changes once a second', () => {
    expect([0, 249, 250, 251].map(nextReading_tick)).toEqual([250, 250, 500, 500]);
  });

  it('and that of an output are what a condition compares', () => {
    const io = createIo();
    writeIo(io, 'outputs', 'a0', 3);
    const moment = { tick: 250, seed: 1 };
    const read = (side: 'inputs' | 'outputs', location: 'base' | 'end_effector') =>
      readIo(io, side, { location, type: 'analog', index: 0 }, moment);
    expect([read('outputs', 'base'), read('inputs', 'base')]).toEqual([3, 0.042]);
    expect(read('outputs', 'end_effector')).toBe(false);
  });
});

describe('an edit of global values', () => {
  it.each<[string, boolean | number | string, string]>([
    ['outputs.d9', true, 'unknown property'],
    ['outputs.d0.on', true, 'unknown property'],
    ['outputs', true, 'unknown property'],
    ['inputs.d0', true, 'read-only property'],
    ['inputs.d9', true, 'unknown property'],
    ['estop.d0', true, 'unknown property'],
    ['outputs.d0', 1, 'must be a boolean'],
    ['outputs.a0', 'much', 'must be a number'],
    ['outputs.a0_mode', 'power', 'must be voltage or current'],
  ])('with %s as %j is refused as a whole: %s', (key, value, error) => {
    const io = createIo();
    const changes = [
      { key: 'outputs.d1', value: true },
      { key, value },
    ];
    expect(editGlobals(io, changes)).toEqual({
      refused: 'invalid_changes',
      details: [{ index: 1, error }],
      count: 1,
    });
    expect(io).toEqual(createIo());
  });

  it('leaves out a value that is outside its range then, and does the others in order', () => {
    const io = createIo();
    const changes = [
      { key: 'outputs.a0', value: 15 },
      { key: 'outputs.a0_mode', value: 'current' },
      { key: 'outputs.a0', value: 16 },
      { key: 'outputs.d0', value: true },
    ];
    const reply = errorReply('change_failed', 'outputs.a0: out of range 0..10');
    expect(editGlobals(io, changes)).toEqual({
      refused: 'changes_not_applied',
      details: { changes: [reply] },
      count: 1,
    });
    expect(io.outputs).toMatchObject({ a0: 16, a0_mode: 'current', d0: true });
    expect(editGlobals(io, changes.slice(1))).toBeNull();
  });
});

describe('signals of a seed', () => {
  it('are written with modes first, and inputs are driven', () => {
    const values = { a0: 15, d0: true, a0_mode: 'current', a1_mode: 'voltage' } as const;
    expect(keysWithModesFirst(values)).toEqual(['a0_mode', 'a1_mode', 'a0', 'd0']);
    const io = createIo();
    expect(writeSignals(io, 'inputs', values)).toEqual([]);
    expect(io.inputs).toMatchObject(values);
    expect(io.wired).toEqual({ a0: true, d0: true, a0_mode: true, a1_mode: true });
    expect(writeSignals(io, 'outputs', { d1: true })).toEqual([]);
    expect(io.outputs['d1']).toBe(true);
    expect(io.wired['d1']).toBeUndefined();
  });

  it('are named where they are invalid, and the others are written', () => {
    const io = createIo();
    expect(writeSignals(io, 'outputs', { a0: 11, d0: true, d9: true })).toEqual([
      { path: '/outputs/a0', problem: 'out of range 0..10' },
      { path: '/outputs/d9', problem: 'unknown property' },
    ]);
    expect(io).toEqual({ ...createIo(), outputs: { ...createIo().outputs, d0: true } });
  });
});
