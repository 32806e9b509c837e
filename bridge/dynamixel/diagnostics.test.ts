/** The diagnosis reports problems with remedies. */

import { describe, expect, it } from 'vitest';
import { Bus } from '../servo/bus/bus.ts';
import { JAWS } from '../servo/emulator/emulated-jaws.ts';
import { createMemoryTransport } from '../transport/memory-transport.ts';
import { SteppedBusClock } from '../transport/stepped-clock.cases.ts';
import { diagnoseServos } from './diagnostics.ts';
import { EMULATED_CALIBRATION } from './emulated-calibration.ts';
import { ServoEmulator } from './emulator/servo-emulator.ts';
import { DEFAULT_SERVOS, type ServoSetup } from './emulator/servo-setup.ts';
import { PROTOCOL_2 } from './protocol-2.ts';

async function createFixture(servos: readonly ServoSetup[] = DEFAULT_SERVOS) {
  const clock = new SteppedBusClock();
  const emulator = new ServoEmulator({ clock, servos });
  const bus = new Bus(createMemoryTransport(emulator), clock, { format: PROTOCOL_2 });
  await bus.open();
  const diagnose = () =>
    clock.until(diagnoseServos(bus, clock, { calibration: EMULATED_CALIBRATION }));
  return { clock, emulator, bus, diagnose };
}

function changed(id: number, change: Partial<ServoSetup>): ServoSetup[] {
  return DEFAULT_SERVOS.map((setup) => (setup.id === id ? { ...setup, ...change } : setup));
}

describe('the diagnosis', () => {
  it('of a working arm finds six servos and no problem', async () => {
    const { diagnose } = await createFixture();
    const { servos, problems, notes } = await diagnose();
    expect([problems, notes]).toEqual([[], []]);
    expect(servos[0]).toMatchObject({
      id: 1,
      model: 'XM540-W270',
      firmware: 47,
      baud: 1_000_000,
      voltage_v: 12,
      torque_on: false,
    });
    expect(servos.map(({ id }) => id)).toEqual([1, 2, 3, 4, 5, 6]);
  });

  const gripper = {
    ...{ id: 9, open_ticks: 2700, closed_ticks: 2048, grip_current_a: 0.64, temperature_max_c: 70 },
    ...{ output: 'ee_d0', part_present_input: 'ee_d0' },
  };
  const IN_MODE = { baud: 3, operating_mode: 5 };
  it.each([
    [{ registers: IN_MODE }, [], []],
    [{ registers: { baud: 3 } }, [], [/^Servo 9 is not in current-based mode; a start corrects/]],
    [
      { registers: { baud: 3, torque: 1 } },
      [/^Servo 9 holds in another mode than current-based, and drops its part .*: empty it/],
      [],
    ],
    [
      { registers: { ...IN_MODE, current_limit: 100 } },
      [/^Servo 9 is weakened by its current limit of 100: set it to 238 or more/],
      [],
    ],
    [
      { registers: { ...IN_MODE, temperature_limit: 95 } },
      [/^Servo 9 shuts down at 95 °C only: set that limit to 80/],
      [],
    ],
    [
      { model: 'XL430-W250', registers: IN_MODE } as const,
      [/^Servo 9 cannot limit its current, .* grips: use an XM430/],
      [],
    ],
    [
      { id: 10, registers: IN_MODE },
      [/^Servo 9 of the gripper does not answer: check its cable/],
      null,
    ],
  ] as const)('of a gripper with %j says what a start needs', async (change, problems, notes) => {
    const servo = { id: 9, joint: JAWS, model: 'XM430-W350', ...change } as const;
    const { bus, clock } = await createFixture([...DEFAULT_SERVOS, servo]);
    const calibration = { ...EMULATED_CALIBRATION, gripper };
    const found = await clock.until(diagnoseServos(bus, clock, { calibration }));
    expect(found.problems).toEqual(problems.map((text) => expect.stringMatching(text)));
    if (notes) expect(found.notes).toEqual(notes.map((text) => expect.stringMatching(text)));
  });

  it('of a line whose gateway is in use gives what that says, and no other problem', async () => {
    const clock = new SteppedBusClock();
    const problem = 'The gateway tcp://arm:4000 says "in use by 10.0.0.2": stop that program';
    const silent = { write: () => true, close: async () => {} };
    const line = {
      ...silent,
      name: 'tcp://arm:4000',
      problem,
      open: async (receive: (bytes: Uint8Array) => void) => {
        clock.after(5, () => receive(new TextEncoder().encode('in use by 10.0.0.2')));
      },
    };
    const bus = new Bus(line, clock, { format: PROTOCOL_2 });
    await bus.open();
    const { problems } = await clock.until(diagnoseServos(bus, clock, { calibration: null }));
    expect(problems).toEqual([problem]);
  });

  it('changes nothing', async () => {
    const { emulator, diagnose } = await createFixture(
      changed(1, { registers: { baud: 3, torque: 1 } }),
    );
    const before = emulator.servos.map(({ memory }) => memory.bytes.slice(0, 120));
    await diagnose();
    emulator.servos.forEach(({ memory }, i) => {
      expect(memory.bytes.subarray(0, 120)).toEqual(before[i]);
    });
  });

  it.each([
    ['a missing servo', DEFAULT_SERVOS.slice(1), [/^Servo 1 of J1 does not answer: check/]],
    ['an old firmware', changed(2, { firmware: 30 }), [/^Servo 2 has firmware 30 .*update/]],
    [
      'an alert',
      changed(2, { registers: { baud: 3, hardware_error: 4 } }),
      [/^Servo 2 reports an error: it is too hot/],
    ],
    [
      'an unknown model',
      changed(2, { registers: { baud: 3, model: 77 } }),
      [/^Servo 2 is of model 77/],
    ],
    [
      'a duplicate id',
      changed(2, { id: 1, model: 'XL330-M288' }),
      [/^Replies are corrupt: two servos/, /^Servo 1 of/, /^Servo 2 of J2 does not answer/],
    ],
  ] as const)('finds %s', async (_, servos, messages) => {
    const { diagnose } = await createFixture(servos);
    expect((await diagnose()).problems).toEqual(
      messages.map((text) => expect.stringMatching(text)),
    );
  });

  it('finds no servo at another baud', async () => {
    const servos = DEFAULT_SERVOS.map((setup) => ({ ...setup, registers: { baud: 1 } }));
    const { diagnose } = await createFixture(servos);
    expect((await diagnose()).problems[0]).toMatch(/No servo answers on memory: .* baud/);
  });

  it('notes what a start corrects', async () => {
    const { diagnose } = await createFixture(
      changed(3, { registers: { baud: 3, operating_mode: 4, homing_offset: 9, watchdog: 255 } }),
    );
    const { problems, notes } = await diagnose();
    expect(problems).toEqual([]);
    expect(notes).toHaveLength(4);
  });
});
