/** Signals: those who follow them see each change. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Command } from './commands.ts';
import { SignalChanges } from './io.ts';
import { ADA, RobotHarness } from './robot-harness.cases.ts';

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
