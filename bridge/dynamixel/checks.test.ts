/**
 * Planted misconfigurations, each found with a sentence of its own; none on a good arm.
 * @module-tag ci
 */

import { describe, expect, it } from 'vitest';
import { Bus } from '../servo/bus/bus.ts';
import { applyFixes } from '../servo/diagnosis/servo-fix.ts';
import { WireFaults } from '../servo/emulator/wire-faults.ts';
import { createMemoryTransport } from '../transport/memory-transport.ts';
import { SteppedBusClock } from '../transport/stepped-clock.cases.ts';
import { diagnoseServos } from './diagnostics.ts';
import { EMULATED_CALIBRATION } from './emulated-calibration.ts';
import type { TableRegister } from './emulator/control-table.ts';
import { ServoEmulator } from './emulator/servo-emulator.ts';
import { DEFAULT_SERVOS, type ServoSetup } from './emulator/servo-setup.ts';
import { PROTOCOL_2 } from './protocol-2.ts';
import { servoSettings } from './settings.ts';

/** Eight servos on six joints: shoulder and elbow have two. */
const GOOD: readonly ServoSetup[] = [
  ...DEFAULT_SERVOS,
  ...[2, 3].map((id) => ({
    ...DEFAULT_SERVOS[id - 1]!,
    id: id + 10,
    registers: { ...DEFAULT_SERVOS[id - 1]!.registers, secondary_id: id },
  })),
];
const joints = EMULATED_CALIBRATION.joints.map((joint, j) => ({
  ...joint,
  ids: j === 1 || j === 2 ? [j + 1, j + 11] : [j + 1],
  servos: [{ id: j + 1, model: j < 3 ? 'XM540-W270' : 'XM430-W350', firmware: 47 }],
}));
const calibration = { ...EMULATED_CALIBRATION, joints };

/** The good arm with one servo changed. */
function changed(id: number, change: Partial<ServoSetup>): ServoSetup[] {
  return GOOD.map((setup) => (setup.id === id ? { ...setup, ...change } : setup));
}

function withRegisters(id: number, registers: Partial<Record<TableRegister, number>>) {
  const setup = GOOD.find((one) => one.id === id)!;
  return changed(id, { registers: { ...setup.registers, ...registers } });
}

async function emulated(servos: readonly ServoSetup[]) {
  const clock = new SteppedBusClock();
  const emulator = new ServoEmulator({ clock, servos, supported: true });
  const faults = new WireFaults(emulator, clock);
  const bus = new Bus(createMemoryTransport(faults), clock, { format: PROTOCOL_2 });
  await bus.open();
  const run = () => clock.until(diagnoseServos(bus, clock, { calibration }));
  const fix = async () => {
    const { fixes } = await run();
    return clock.until(applyFixes(fixes, servoSettings(bus)));
  };
  return { clock, emulator, faults, run, fix };
}

async function diagnose(
  servos: readonly ServoSetup[],
  plant: (emulator: ServoEmulator, faults: WireFaults, clock: SteppedBusClock) => void = () => {},
) {
  const { clock, emulator, faults, run } = await emulated(servos);
  plant(emulator, faults, clock);
  const { problems, notes } = await run();
  return [...problems, ...notes];
}

type Planted = readonly [string, readonly ServoSetup[], RegExp];

const PLANTED: readonly Planted[] = [
  ['a missing servo', GOOD.slice(1), /Servo 1 of J1 does not answer/],
  ['a missing second servo', GOOD.slice(0, 7), /Servo 13 of J3 does not answer/],
  ['two servos of one id', changed(5, { id: 1 }), /two servos with one id/],
  ['an unsupported model', withRegisters(2, { model: 77 }), /Servo 2 is of model 77/],
  ['a pair of two models', changed(13, { model: 'XM430-W350' }), /Servo 13 is of another model/],
  ['an old firmware', changed(6, { firmware: 30 }), /Servo 6 has firmware 30/],
  ['a servo in alert', withRegisters(12, { hardware_error: 4 }), /Servo 12 reports an error/],
  ['the wrong mode', withRegisters(13, { operating_mode: 4 }), /Servo 13 is not in position mode/],
  ['a return delay', withRegisters(1, { return_delay: 250 }), /Servo 1 has a return delay/],
  ['an offset', withRegisters(1, { homing_offset: 9 }), /Servo 1 has a homing offset/],
  ['a tripped watchdog', withRegisters(4, { watchdog: 255 }), /Servo 4 was stopped by its watch/],
  ['time-based profiles', withRegisters(4, { drive_mode: 4 }), /Servo 4 has time-based profiles/],
  ['torque by goal', withRegisters(4, { drive_mode: 8 }), /Servo 4 switches its torque on with/],
  ['torque at power-up', withRegisters(6, { startup: 1 }), /Servo 6 switches its torque on at/],
  ['a profile velocity', withRegisters(3, { profile_velocity: 50 }), /Servo 3 has a profile vel/],
  ['a profile ramp', withRegisters(3, { profile_acceleration: 5 }), /Servo 3 has a profile acc/],
  ['a hot limit', withRegisters(2, { temperature_limit: 95 }), /Servo 2 shuts down at 95 °C only/],
  ['no overload shutdown', withRegisters(2, { shutdown: 0x14 }), /Servo 2 does not shut down for/],
  ['a low voltage limit', withRegisters(5, { voltage_min: 60 }), /Servo 5 works below its supply/],
  ['a high voltage limit', withRegisters(5, { voltage_max: 200 }), /Servo 5 works above its supp/],
  ['a PWM limit', withRegisters(1, { pwm_limit: 300 }), /Servo 1 is weakened by a PWM limit/],
  ['a goal PWM', withRegisters(1, { goal_pwm: 200 }), /Servo 1 is weakened by a goal PWM/],
  ['another P gain', withRegisters(2, { position_p: 200 }), /Servo 2 has a P gain of 200/],
  ['an I gain', withRegisters(2, { position_i: 900 }), /Servo 2 has gains that are not/],
  ['a strange secondary id', withRegisters(5, { secondary_id: 4 }), /Servo 5 obeys the goals of/],
  ['no secondary id', withRegisters(12, { secondary_id: 255 }), /Servo 12 does not obey servo 2/],
  [
    'a narrow range',
    withRegisters(3, { position_max: 2100 }),
    /Servo 3 keeps position_max = 2100, narrower than the calibration/,
  ],
  [
    'a slow limit',
    withRegisters(4, { velocity_limit: 20 }),
    /Servo 4 keeps velocity_limit = 20, narrower than the/,
  ],
  ['a shifted zero', changed(3, { zero_ticks: 3500 }), /Servo 3 is at 2\.\d+ rad, outside/],
  ['a swapped servo', changed(4, { model: 'XM540-W270' }), /Servo 4 is of model XM540-W270, but/],
  ['other firmware', changed(4, { firmware: 45 }), /Servo 4 has firmware 45 and had 47 when/],
  ['a servo too many', [...GOOD, { ...GOOD[5]!, id: 9 }], /Servo 9 is not in the calibration/],
  ['a shifted partner', changed(12, { zero_ticks: 2200 }), /Servo 12 is 152 steps from servo 2/],
];

describe('the diagnosis of planted misconfigurations', () => {
  it('says nothing of a good arm', async () => {
    expect(await diagnose(GOOD)).toEqual([]);
  });

  it.each(PLANTED)('finds %s', async (_, servos, sentence) => {
    expect(await diagnose(servos)).toContainEqual(expect.stringMatching(sentence));
  });

  it('finds a low supply, a hot servo and a line that is slow', async () => {
    const low = await diagnose(GOOD, (emulator) => emulator.servo(2).setSupply(90));
    expect(low).toContainEqual(expect.stringMatching(/Servo 2 has a supply of 9 V/));
    const hot = await diagnose(GOOD, ({ plant }) => plant.heat.temperature.fill(68));
    expect(hot).toContainEqual(expect.stringMatching(/Servo 1 is at 68 °C, near its limit/));
    const slow = await diagnose(GOOD, (_, faults) => {
      faults.delay_ms = 16;
    });
    expect(slow).toContainEqual(expect.stringMatching(/Servo 1 answers after 1\d\.\d ms/));
  });

  it('finds another program that moves the servos', async () => {
    const found = await diagnose(GOOD, (emulator, _, clock) => {
      const move = () => {
        const { memory } = emulator.servo(4);
        memory.set('goal_position', memory.get('goal_position') + 1);
        clock.after(20, move);
      };
      move();
    });
    expect(found).toContainEqual(expect.stringMatching(/Another program moves servo 4: stop/));
  });
});

/** Planted rows that a correction ends, with what it says. */
const FIXED: Readonly<Record<string, string>> = {
  'a return delay': 'Servo 1: return_delay 250 → 0',
  'time-based profiles': 'Servo 4: drive_mode 4 → 0',
  'torque by goal': 'Servo 4: drive_mode 8 → 0',
  'torque at power-up': 'Servo 6: startup 1 → 0',
  'a hot limit': 'Servo 2: temperature_limit 95 → 80',
  'no overload shutdown': 'Servo 2: shutdown 20 → 52',
  'a low voltage limit': 'Servo 5: voltage_min 60 → 95',
  'a high voltage limit': 'Servo 5: voltage_max 200 → 160',
  'a strange secondary id': 'Servo 5: secondary_id 4 → 255',
};

describe('the correction of planted misconfigurations', () => {
  it.each(PLANTED)(
    'of %s writes what is safe, and nothing else',
    async (name, servos, sentence) => {
      const { emulator, run, fix } = await emulated(servos);
      await run();
      const before = emulator.servos.map(({ memory }) => memory.bytes.slice(0, 120));
      const said = FIXED[name];
      expect(await fix()).toEqual(said === undefined ? [] : [said]);
      const { problems, notes } = await run();
      const remains = [...problems, ...notes].some((one) => sentence.test(one));
      expect(remains).toBe(said === undefined);
      // Of a servo that is corrected one register changes, of any other none.
      const changes = emulator.servos.flatMap(({ memory }, i) =>
        [...before[i]!.keys()].filter((at) => memory.bytes[at] !== before[i]![at]),
      );
      expect(changes.length > 0).toBe(said !== undefined);
      expect(changes.length).toBeLessThanOrEqual(2);
      expect(emulator.servos.some(({ torqueOn }) => torqueOn)).toBe(false);
    },
  );

  it('leaves a servo that holds its joint, and says why', async () => {
    const { emulator, fix } = await emulated(
      withRegisters(2, { temperature_limit: 95, torque: 1 }),
    );
    const [said, ...more] = await fix();
    expect([said, more]).toEqual([
      expect.stringMatching(/^Servo 2 keeps temperature_limit = 95: it holds its joint: support/),
      [],
    ]);
    expect(emulator.servo(2).memory.get('temperature_limit')).toBe(95);
    expect(emulator.servo(2).torqueOn).toBe(true);
  });

  it('writes nothing while another program moves the servos', async () => {
    const { clock, emulator, run } = await emulated(withRegisters(2, { temperature_limit: 95 }));
    const move = () => {
      const { memory } = emulator.servo(4);
      memory.set('goal_position', memory.get('goal_position') + 1);
      clock.after(20, move);
    };
    move();
    expect((await run()).fixes).toEqual([]);
  });
});
